// Instants at which a run has several samples: where superdense time has microsteps to show.

import { firstAfter, firstNotBefore } from "../columns/superdense";

export class Instants {
  /** First samples of the instants with several samples, ascending. */
  readonly starts: Uint32Array;
  readonly #t: Float64Array;

  constructor(t: Float64Array) {
    this.#t = t;
    let count = 0;
    for (let k = 1; k < t.length; k++) if (t[k] === t[k - 1] && (k === 1 || t[k] !== t[k - 2])) count++;
    this.starts = new Uint32Array(count);
    let place = 0;
    for (let k = 1; k < t.length; k++) {
      if (t[k] === t[k - 1] && (k === 1 || t[k] !== t[k - 2])) this.starts[place++] = k - 1;
    }
  }

  /** The samples [from, to) at the time of a sample. */
  group(sample: number): [number, number] {
    const time = this.#t[sample]!;
    const alone = time !== this.#t[sample - 1] && time !== this.#t[sample + 1];
    return alone ? [sample, sample + 1] : [firstNotBefore(this.#t, time), firstAfter(this.#t, time)];
  }

  /** Those with from ≤ t ≤ to, as places [first, last) in `starts`. */
  within(from: number, to: number): [number, number] {
    const first = firstOf(this.starts, firstNotBefore(this.#t, from));
    return [first, Math.max(first, firstOf(this.starts, firstAfter(this.#t, to)))];
  }

  /** The first sample of the instant nearest to a time; −1 if there is none. */
  nearest(time: number): number {
    const after = firstOf(this.starts, firstNotBefore(this.#t, time));
    const right = this.starts[after];
    const left = this.starts[after - 1];
    if (left === undefined) return right ?? -1;
    if (right === undefined) return left;
    return time - this.#t[left]! <= this.#t[right]! - time ? left : right;
  }
}

/** The first place in an ascending list whose entry is not less. */
export function firstOf(list: Uint32Array, sample: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[middle]! < sample) low = middle + 1;
    else high = middle;
  }
  return low;
}
