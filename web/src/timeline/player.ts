// Moves the moment as time goes by: at a speed, in a loop, and past instants at which something happens, through them
// microstep by microstep, or only up to them.

import type { Cursor } from "../cursor";
import { type Instant, instantsOf, lastInstant } from "./instants";

export type AtEvents = "through" | "slow" | "stop";

/** How long each microstep is shown when a run goes slowly through an instant, in milliseconds. */
const MICROSTEP = 450;
/** A page in the background gets no frames; when it comes back the run does not leap. */
const LONGEST_FRAME = 100;

export const SPEEDS: readonly number[] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

export class Player {
  readonly instants: readonly Instant[];
  /** The speeds to choose from. */
  readonly speeds: readonly number[];
  speed: number;
  loop = false;
  atEvents: AtEvents = "through";
  #frame = 0;
  #last = 0;
  #wait = 0;
  readonly #listeners = new Set<() => void>();

  constructor(readonly cursor: Cursor) {
    this.instants = instantsOf(cursor.run.transitions);
    const span = cursor.run.to - cursor.run.from;
    // A run of a microsecond or of a month: one more speed, at which it takes about twenty seconds.
    const odd = span > 0 && (span > 300 || span < 0.05) ? Number((span / 20).toPrecision(1)) : null;
    this.speeds = odd === null || SPEEDS.includes(odd) ? SPEEDS : [...SPEEDS, odd].sort((a, b) => a - b);
    this.speed = odd ?? (span < 0.5 ? 0.05 : span < 1.5 ? 0.2 : span > 60 ? 5 : span < 3 ? 0.5 : 1);
  }

  get playing(): boolean {
    return this.#frame !== 0;
  }

  play(): void {
    if (this.playing) return;
    const { cursor } = this;
    if (cursor.moment.t >= cursor.run.to && this.#nextTransition() === undefined) cursor.set({ t: cursor.run.from, n: 0 });
    // One that stopped at an instant goes on behind it.
    else if (this.atEvents === "stop" && this.#nextTransition()?.t === cursor.moment.t) cursor.setTime(cursor.moment.t);
    this.#last = performance.now();
    this.#wait = 0;
    this.#frame = requestAnimationFrame((now) => this.#tick(now));
    this.#tell();
  }

  pause(): void {
    if (!this.playing) return;
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#tell();
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  step(by: 1 | -1): void {
    this.pause();
    this.cursor.step(by);
  }

  /** To the next or previous instant at which something happens: forwards to just before it, backwards too. */
  instant(by: 1 | -1): void {
    this.pause();
    const { cursor } = this;
    const { t } = cursor.moment;
    const here = lastInstant(this.instants, t);
    let target = this.instants[by === 1 ? here + 1 : here];
    if (by === -1 && target !== undefined && target.t === t) {
      const first = cursor.run.transitions[target.first];
      if (first !== undefined && cursor.moment.n <= first.n) target = this.instants[here - 1];
    }
    if (target === undefined) {
      if (by === 1) this.end();
      else this.start();
      return;
    }
    cursor.set({ t: target.t, n: cursor.run.transitions[target.first]?.n ?? 0 });
  }

  start(): void {
    this.pause();
    this.cursor.set({ t: this.cursor.run.from, n: 0 });
  }

  end(): void {
    this.pause();
    this.cursor.setTime(this.cursor.run.to);
  }

  /** To the next faster (+1) or slower (−1) speed. */
  faster(by: 1 | -1): void {
    const here = this.speeds.findIndex((speed) => speed >= this.speed * 0.999);
    this.setSpeed(this.speeds[Math.min(this.speeds.length - 1, Math.max(0, here + by))] ?? 1);
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.#tell();
  }

  setLoop(on: boolean): void {
    this.loop = on;
    this.#tell();
  }

  setAtEvents(how: AtEvents): void {
    this.atEvents = how;
    this.#tell();
  }

  /** Calls back when it starts, stops or is set otherwise; not with each moment. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  destroy(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#listeners.clear();
  }

  #nextTransition() {
    return this.cursor.run.transitions[this.cursor.taken];
  }

  #tick(now: number): void {
    const passed = Math.min(LONGEST_FRAME, Math.max(0, now - this.#last));
    this.#last = now;
    this.#frame = requestAnimationFrame((later) => this.#tick(later));
    this.advance(passed);
  }

  /** Lets some milliseconds pass. */
  advance(passed: number): void {
    const { cursor } = this;
    const next = this.#nextTransition();
    if (this.atEvents === "slow" && next !== undefined && next.t === cursor.moment.t) {
      this.#wait += passed;
      if (this.#wait < MICROSTEP) return;
      this.#wait = 0;
      cursor.step(1);
      return;
    }
    const target = cursor.moment.t + (passed / 1000) * this.speed;
    if (this.atEvents !== "through" && next !== undefined && next.t <= target) {
      cursor.set({ t: next.t, n: next.n });
      this.#wait = 0;
      if (this.atEvents === "stop") this.pause();
      return;
    }
    if (target < cursor.run.to) {
      cursor.setTime(target);
      return;
    }
    cursor.setTime(cursor.run.to);
    if (this.loop && cursor.run.to > cursor.run.from) cursor.set({ t: cursor.run.from, n: 0 });
    else this.pause();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
