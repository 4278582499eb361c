// Samples in superdense time: sorted by (t, n), with several at one t where something happens.

import type { Moment } from "../cursor";

/** The last sample at or before a moment; −1 if there is none. */
export function lastAtOrBefore(t: Float64Array, n: Uint32Array, moment: Moment): number {
  let low = 0;
  let high = t.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = t[middle]!;
    if (at < moment.t || (at === moment.t && n[middle]! <= moment.n)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The first sample whose t is not less; `t.length` if there is none. */
export function firstNotBefore(t: Float64Array, time: number): number {
  let low = 0;
  let high = t.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (t[middle]! < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first sample whose t is greater; `t.length` if there is none. */
export function firstAfter(t: Float64Array, time: number): number {
  let low = 0;
  let high = t.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (t[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The value at a moment. `index` is the last sample at or before it. At that sample's t it is the sample's value, whatever
 * n: nothing lies between two microsteps. Later it is on the line to the next sample, and absent if either end is.
 */
export function interpolate(t: Float64Array, values: Float64Array, index: number, time: number): number {
  if (index < 0) return NaN;
  const left = t[index]!;
  const value = values[index]!;
  if (left === time) return value;
  if (index + 1 >= t.length) return NaN;
  const next = values[index + 1]!;
  // Ends that are equal (infinite ones too) need no arithmetic that could round.
  if (value === next) return value;
  return value + (next - value) * ((time - left) / (t[index + 1]! - left));
}
