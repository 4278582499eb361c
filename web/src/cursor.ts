// The moment that all views of a run show: (t, n) of superdense time.

import type { Run, Transition } from "./data";

export interface Moment {
  readonly t: number;
  readonly n: number;
}

export function compare(a: Moment, b: Moment): number {
  return a.t === b.t ? a.n - b.n : a.t - b.t;
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
    let low = 0;
    let high = this.#transitions.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const at = this.#transitions[middle];
      if (at !== undefined && compare(at, moment) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
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

  /** The place of a machine at the moment. */
  place(machine: number): string {
    for (let k = this.taken - 1; k >= 0; k--) {
      const transition = this.#transitions[k];
      if (transition !== undefined && transition.machine === machine) return transition.to;
    }
    return this.run.machines[machine]?.initial ?? "";
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
