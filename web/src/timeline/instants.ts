// Transitions by the time at which they happen: what is one mark on the timeline.

import type { Transition } from "../data";
import { isImpulse } from "../scene/forces";

/** What happens, in the few sorts that a mark tells apart by shape and colour. */
export type Family = "impact" | "close" | "open" | "slip" | "zeno" | "mode" | "event";

export interface Instant {
  t: number;
  /** Its transitions: from `first` on, `count` of them, in `run.transitions`. */
  first: number;
  count: number;
  family: Family;
}

/** The most telling first: an instant shows that of its transitions. */
const ORDER: readonly Family[] = ["zeno", "impact", "close", "open", "slip", "mode", "event"];

export const FAMILY_TEXT: Readonly<Record<Family, string>> = {
  impact: "impact",
  close: "contact closes or changes",
  open: "contact opens",
  slip: "stick or slip changes",
  zeno: "limit of ever faster events",
  mode: "mode changes",
  event: "event",
};

export function familyOf(transition: Transition): Family {
  switch (transition.kind) {
    case "impact":
    case "after_impact":
      return "impact";
    case "compute":
      return isImpulse(transition) ? "impact" : "close";
    case "contact":
    case "settle":
      return "close";
    default:
      return transition.kind;
  }
}

export function instantsOf(transitions: readonly Transition[]): Instant[] {
  const instants: Instant[] = [];
  let last: Instant | undefined;
  for (const [k, transition] of transitions.entries()) {
    const family = familyOf(transition);
    if (last !== undefined && last.t === transition.t) {
      last.count += 1;
      if (ORDER.indexOf(family) < ORDER.indexOf(last.family)) last.family = family;
    } else {
      last = { t: transition.t, first: k, count: 1, family };
      instants.push(last);
    }
  }
  return instants;
}

/** The place of the last instant at or before a time; −1 if there is none. */
export function lastInstant(instants: readonly Instant[], t: number): number {
  let low = 0;
  let high = instants.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = instants[middle];
    if (at !== undefined && at.t <= t) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export interface Cluster {
  /** Where its first and last instants lie, in pixels. */
  x0: number;
  x1: number;
  first: Instant;
  /** Instants in it. */
  count: number;
  family: Family;
}

/** Instants that would lie over each other become one mark. */
export function clusters(instants: readonly Instant[], x: (t: number) => number, apart: number): Cluster[] {
  const made: Cluster[] = [];
  let last: Cluster | undefined;
  for (const instant of instants) {
    const at = x(instant.t);
    if (last !== undefined && at - last.x1 < apart) {
      last.x1 = at;
      last.count += 1;
      if (ORDER.indexOf(instant.family) < ORDER.indexOf(last.family)) last.family = instant.family;
    } else {
      last = { x0: at, x1: at, first: instant, count: 1, family: instant.family };
      made.push(last);
    }
  }
  return made;
}

/** Times at nice distances for an axis of some width. */
export function ticks(from: number, to: number, most: number): number[] {
  const span = to - from;
  if (!(span > 0) || !Number.isFinite(span)) return [from];
  const rough = span / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((k) => k * power >= rough * 0.999999) ?? 10) * power;
  const made: number[] = [];
  for (let k = Math.ceil(from / step - 1e-9); k * step <= to + 1e-9 * span && made.length < 200; k++) made.push(k * step);
  return made;
}
