// The parts of a range of one parameter, and where they are drawn.

import type { Partition } from "../data";
import { toPixel, type View } from "./scale";

export type Outcome = "safe" | "unsafe" | "undecided";

export interface Part {
  lower: number;
  upper: number;
  outcome: Outcome;
  /** Why it is undecided. */
  reason: string;
  /** Boxes that were explored one by one. */
  boxes: number;
}

export interface Bar {
  part: Part;
  x: number;
  width: number;
}

/** Narrower than this nobody sees a part; undecided ones are drawn at least so wide. */
const LEAST = 3;

/** Neighbours with the same outcome as one, in ascending order. */
export function partsOf(cells: Partition["cells"]): Part[] {
  const single = cells.flatMap((cell) => {
    const side = cell.sides[0];
    return side === undefined ? [] : [{ lower: side[0], upper: side[1], outcome: cell.outcome, reason: cell.reason, boxes: 1 }];
  });
  single.sort((a, b) => a.lower - b.lower || a.upper - b.upper);
  const joined: Part[] = [];
  for (const part of single) {
    const last = joined[joined.length - 1];
    if (last !== undefined && last.outcome === part.outcome && part.lower <= last.upper) {
      last.upper = Math.max(last.upper, part.upper);
      last.boxes += part.boxes;
      if (last.reason === "") last.reason = part.reason;
    } else {
      joined.push({ ...part });
    }
  }
  return joined;
}

/** Bars of the parts that are seen; undecided ones last, over the others, and never too narrow to be seen. */
export function barsOf(parts: readonly Part[], view: View, width: number): Bar[] {
  const bars: Bar[] = [];
  for (const part of parts) {
    if (part.upper < view.lower || part.lower > view.upper) continue;
    const from = Math.max(0, toPixel(view, width, part.lower));
    const to = Math.min(width, toPixel(view, width, part.upper));
    const least = part.outcome === "undecided" ? LEAST : 0.5;
    const missing = Math.max(0, least - (to - from));
    const x = Math.min(Math.max(0, from - missing / 2), Math.max(0, width - least));
    bars.push({ part, x, width: to - from + missing });
  }
  const rank = (bar: Bar) => (bar.part.outcome === "undecided" ? 1 : 0);
  return bars.sort((a, b) => rank(a) - rank(b));
}

/** The size (width or area) of each outcome, of cells that do not overlap. */
export function sizes(cells: Partition["cells"]): Record<Outcome, { size: number; boxes: number }> {
  const all = {
    safe: { size: 0, boxes: 0 },
    unsafe: { size: 0, boxes: 0 },
    undecided: { size: 0, boxes: 0 },
  };
  for (const cell of cells) {
    const own = all[cell.outcome];
    own.size += cell.sides.reduce((product, [lower, upper]) => product * (upper - lower), 1);
    own.boxes += 1;
  }
  return all;
}
