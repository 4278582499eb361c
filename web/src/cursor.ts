// The moment that all views of a run show: (t, n) of superdense time.

import type { Run, Transition } from "./data";

export interface Moment {
  readonly t: number;
  readonly n: number;
}

export function compare(a: Moment, b: Moment): number {
  return a.t === b.t ? a.n - b.n : a.t - b.t;
}

/** How many of some moments, ascending, lie before another. */
export function countBefore(moments: readonly Moment[], moment: Moment): number {
  let low = 0;
  let high = moments.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = moments[middle];
    if (at !== undefined && compare(at, moment) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

type Listener = (moment: Moment) => void;

/** Holds the moment, tells listeners when it changes. Views read it and set it; none knows another. */
export class Cursor {
  #moment: Moment;
  #listeners = new Set<Listener>();
  readonly #transitions: readonly Transition[];

  constructor(readonly run: Run) {
    this.#transitions = run.transitions;
    this.#moment = { t: run.from, n: 0 };
  }

  get moment(): Moment {
    return this.#moment;
  }

  /** Transitions taken before the moment: those at an earlier (t, n). */
  get taken(): number {
    return this.takenBefore(this.#moment);
  }

  takenBefore(moment: Moment): number {
    return countBefore(this.#transitions, moment);
  }

  set(moment: Moment): void {
    const t = Math.min(Math.max(moment.t, this.run.from), this.run.to);
    const next = { t, n: Math.max(0, Math.trunc(moment.n)) };
    if (compare(next, this.#moment) === 0) return;
    this.#moment = next;
    for (const listener of this.#listeners) listener(next);
  }

  /** To a time, after everything that happens at it. */
  setTime(t: number): void {
    this.set({ t, n: this.lastMicrostep(t) });
  }

  /** The microstep after the last transition at a time; 0 if nothing happens then. */
  lastMicrostep(t: number): number {
    const last = this.#transitions[this.takenBefore({ t, n: Number.MAX_SAFE_INTEGER }) - 1];
    return last !== undefined && last.t === t ? last.n + 1 : 0;
  }

  /** Takes the next transition (+1), or takes the last one back (−1): to just before or just after it. */
  step(by: 1 | -1): void {
    const taken = this.taken;
    if (by === 1) {
      const next = this.#transitions[taken];
      if (next === undefined) return;
      const before = { t: next.t, n: next.n };
      // First to the moment before it, so that what leads to it is seen; then over it.
      this.set(compare(this.#moment, before) < 0 ? before : { t: next.t, n: next.n + 1 });
    } else {
      const last = this.#transitions[taken - 1];
      if (last === undefined) return;
      const after = { t: last.t, n: last.n + 1 };
      this.set(compare(after, this.#moment) < 0 ? after : { t: last.t, n: last.n });
    }
  }

  /** The place of a machine at the moment; null if the mode that it lies in is not active. */
  place(machine: number): string | null {
    const of = this.run.machines[machine];
    if (of === undefined) return null;
    const made = countBefore(of.moves, this.#moment);
    const last = of.moves[made - 1];
    return last === undefined ? of.initial : last.place;
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
