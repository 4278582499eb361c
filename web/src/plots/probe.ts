// What is at a place of the plots: an instant with its microsteps, a sample, or a time between two samples.

import { interpolate } from "../columns/superdense";
import type { LoadedRun } from "../columns";
import type { TimeAxis } from "./axis";
import type { Instants } from "./instants";

export interface Probe {
  readonly t: number;
  /** The microstep that is pointed at, where they are spread. */
  readonly n: number | null;
  /** The samples [start, end) at t; if it is between samples, the one before it. */
  readonly start: number;
  readonly end: number;
  /** Whether there is a sample at t: then values are exact. */
  readonly exact: boolean;
}

/** A value, and from which to which microstep it is the same. */
export interface Reading {
  readonly first: number;
  readonly last: number;
  readonly value: number;
}

/** Pixels from which an instant with several samples, or a sample, draws the pointer. */
const PULL_OF_INSTANT = 6;
const PULL_OF_SAMPLE = 5;

export function probeAt(x: number, axis: TimeAxis, loaded: LoadedRun, instants: Instants): Probe | null {
  const { t } = loaded;
  if (t.length === 0) return null;
  const pointed = axis.at(x);
  if (pointed.n !== null) return probeOf(loaded, instants, loaded.indexAt({ t: pointed.t, n: pointed.n }), pointed.n);
  const near = (sample: number) => Math.abs(axis.x(t[sample]!) - x);
  const instant = instants.nearest(pointed.t);
  if (instant >= 0 && near(instant) <= PULL_OF_INSTANT) return probeOf(loaded, instants, instant, null);
  const before = loaded.indexAt({ t: pointed.t, n: Infinity });
  const closest = before < 0 || (before + 1 < t.length && near(before + 1) < near(before)) ? before + 1 : before;
  if (near(closest) <= PULL_OF_SAMPLE) return probeOf(loaded, instants, closest, null);
  return before < 0 || before === t.length - 1 ? null : { t: pointed.t, n: null, start: before, end: before + 1, exact: false };
}

export function probeOf(loaded: LoadedRun, instants: Instants, sample: number, n: number | null): Probe {
  const [start, end] = instants.group(Math.max(0, sample));
  return { t: loaded.t[start]!, n, start, end, exact: true };
}

/** The values of a column there: one, or at an instant one for each stretch of microsteps with the same. */
export function readings(probe: Probe, loaded: LoadedRun, values: Float64Array): Reading[] {
  const { t, n } = loaded;
  if (!probe.exact) return [{ first: 0, last: 0, value: interpolate(t, values, probe.start, probe.t) }];
  const found: Reading[] = [];
  for (let k = probe.start; k < probe.end; k++) {
    const before = found[found.length - 1];
    const value = values[k]!;
    if (before !== undefined && Object.is(before.value, value)) found[found.length - 1] = { ...before, last: n[k]! };
    else found.push({ first: n[k]!, last: n[k]!, value });
  }
  return found;
}
