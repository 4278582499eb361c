// The axis of time that all panels share: from times, and microsteps where they are spread, to pixels and back.
//
// Plain, it is linear in t, and all microsteps of an instant lie on one x. Spread, each instant with several samples in
// the window gets a band of pixels of its own in which x is linear in n: the rest of time shares what is left.

import type { Moment } from "../cursor";
import type { Instants } from "./instants";

/** An instant whose microsteps are spread: the samples [start, end), microsteps 0 … last. */
export interface Band {
  readonly t: number;
  readonly start: number;
  readonly end: number;
  readonly last: number;
  readonly left: number;
  readonly right: number;
}

/** A stretch of plain time between bands. */
export interface Piece {
  readonly from: number;
  readonly to: number;
  readonly left: number;
  readonly right: number;
  readonly before: Band | null;
  readonly after: Band | null;
}

/** Pixels for a microstep if there is room, pixels that a band has at least, share of the width for all bands. */
const SLOT = 18;
const NARROWEST = 26;
const SHARE = 0.5;
const MOST_SLOTS = 24;

export class TimeAxis {
  readonly bands: readonly Band[];
  /** Pixels per unit of time outside of bands. */
  readonly scale: number;

  constructor(
    readonly from: number,
    readonly to: number,
    readonly width: number,
    bands: readonly Omit<Band, "left" | "right">[] = [],
  ) {
    const wanted = bands.map((band) => Math.max(NARROWEST, SLOT * Math.min(band.last + 1, MOST_SLOTS)));
    const total = wanted.reduce((sum, pixels) => sum + pixels, 0);
    const shrink = Math.min(1, (SHARE * width) / total);
    const pixels = wanted.map((each) => each * shrink);
    const used = pixels.reduce((sum, each) => sum + each, 0);
    this.scale = (width - used) / (to - from);
    let shift = 0;
    this.bands = bands.map((band, k) => {
      const left = (band.t - from) * this.scale + shift;
      shift += pixels[k]!;
      return { ...band, left, right: left + pixels[k]! };
    });
  }

  /** Where a time is: its band's left end if it has one. */
  x(t: number): number {
    const before = this.#bandsBefore(t);
    const shift = this.bands[before - 1];
    return shift === undefined ? (t - this.from) * this.scale : shift.right + (t - shift.t) * this.scale;
  }

  /** Where a moment is: in the middle of its microstep's slot if it is spread. */
  xOf(moment: Moment): number {
    const band = this.band(moment.t);
    return band === null ? this.x(moment.t) : slot(band, moment.n);
  }

  /** The time at an x, and the microstep if x is in a band. */
  at(x: number): { t: number; n: number | null } {
    let previous: Band | null = null;
    for (const band of this.bands) {
      if (x < band.left) break;
      if (x <= band.right) {
        const n = Math.floor(((x - band.left) / (band.right - band.left)) * (band.last + 1));
        return { t: band.t, n: Math.min(Math.max(n, 0), band.last) };
      }
      previous = band;
    }
    const t = previous === null ? this.from + x / this.scale : previous.t + (x - previous.right) / this.scale;
    return { t, n: null };
  }

  band(t: number): Band | null {
    const band = this.bands[this.#bandsBefore(t)];
    return band !== undefined && band.t === t ? band : null;
  }

  pieces(): Piece[] {
    const pieces: Piece[] = [];
    let before: Band | null = null;
    for (const after of [...this.bands, null]) {
      pieces.push({
        from: before?.t ?? this.from,
        to: after?.t ?? this.to,
        left: before?.right ?? 0,
        right: after?.left ?? this.width,
        before,
        after,
      });
      before = after;
    }
    return pieces;
  }

  /** How many bands are at an earlier time. */
  #bandsBefore(t: number): number {
    let low = 0;
    let high = this.bands.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.bands[middle]!.t < t) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The middle of a microstep's slot. */
export function slot(band: Band, n: number): number {
  return band.left + ((Math.min(n, band.last) + 0.5) / (band.last + 1)) * (band.right - band.left);
}

/** The axis with microsteps spread, or null if the window has no instant to spread or too many. */
export function spreadAxis(
  from: number,
  to: number,
  width: number,
  t: Float64Array,
  n: Uint32Array,
  instants: Instants,
): TimeAxis | null {
  const [first, last] = instants.within(from, to);
  if (first === last || (last - first) * NARROWEST > SHARE * width) return null;
  const bands = Array.from(instants.starts.subarray(first, last), (sample) => {
    const [start, end] = instants.group(sample);
    return { t: t[start]!, start, end, last: Math.max(1, n[end - 1]!) };
  });
  return new TimeAxis(from, to, width, bands);
}
