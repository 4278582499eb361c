// What of a signal is drawn in a window, in pixels: lines, spans, jumps, stems.
//
// While a pixel has fewer than about two samples, each sample is drawn where it is: exactly. Else, of the samples in each
// column of pixels, the first and the last are drawn where they are, and a span from the least to the largest that the
// pyramid tells of; so the work is bounded by the width, however long the run is. Samples at one instant are always in
// one column. Values that differ at an instant are a jump, never a slope: dots for the values that the signal
// has, joined by dotted strokes in the order of microsteps.

import { firstAfter, firstNotBefore, interpolate } from "../columns/superdense";
import { slot, type Band, type Piece, type TimeAxis } from "./axis";
import { firstOf } from "./instants";
import type { Extent, Pyramid } from "./pyramid";

export interface Series {
  readonly t: Float64Array;
  readonly n: Uint32Array;
  readonly values: Float64Array;
  readonly pyramid: Pyramid;
}

/** Flat lists of pixels. */
export interface Drawing {
  /** Points x, y of polylines; NaN, NaN between two. */
  lines: number[];
  /** x, y, y of upright strokes: the range in a column of pixels. */
  spans: number[];
  /** x, y, x, y of dotted strokes. */
  dotted: number[];
  /** x, y of values at microsteps, and of values that stand alone. */
  dots: number[];
  /** x, y of values that are there at an instant only. */
  stems: number[];
  /** Whether every sample in the window is drawn where it is. */
  exact: boolean;
  /** How many jumps can be seen in the window. */
  jumps: number;
}

/** Samples for each pixel up to which they are drawn one by one. */
const EXACT = 2;
/** Pixels for each jump that it takes to draw jumps one by one. */
const ROOM_OF_JUMP = 6;
/** Pixels below which a jump is not seen as one: such as one by rounding. */
const LEAST_JUMP = 0.75;
/** Values of a jump that get a dot each; of more, the first, the last, the least and the largest. */
const MOST_DOTS = 48;

/** `y` gives the pixel of a value. */
export function draw(series: Series, axis: TimeAxis, y: (value: number) => number): Drawing {
  const { t, pyramid } = series;
  const from = firstNotBefore(t, axis.from);
  const to = firstAfter(t, axis.to);
  const firstJump = firstOf(pyramid.jumps, from);
  const jumps = firstOf(pyramid.jumps, to) - firstJump;
  const exact = to - from <= EXACT * axis.width;
  const apart = exact || jumps * ROOM_OF_JUMP <= axis.width;
  // Jumps that are drawn one by one are counted one by one.
  const drawing: Drawing = { lines: [], spans: [], dotted: [], dots: [], stems: [], exact, jumps: apart ? 0 : jumps };
  for (const piece of axis.pieces()) new PieceDrawer(series, piece, axis, y, drawing, apart).draw();
  for (const band of axis.bands) drawBand(series, band, y, drawing);
  return drawing;
}

/** How many strokes and dots a drawing has. */
export function strokes(drawing: Drawing): number {
  const { lines, spans, dotted, dots, stems } = drawing;
  return lines.length / 2 + spans.length / 3 + dotted.length / 4 + dots.length / 2 + stems.length / 2;
}

/** Least and largest value in a window, its ends included; null if nothing is there. */
export function range(series: Series, from: number, to: number): [number, number] | null {
  const { t, values, pyramid } = series;
  let { min, max } = pyramid.extent(firstNotBefore(t, from), firstAfter(t, to));
  for (const end of [from, to]) {
    const value = interpolate(t, values, firstAfter(t, end) - 1, end);
    if (Number.isFinite(value)) {
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
  }
  if (!pyramid.lasting && min <= max) return [Math.min(min, 0), Math.max(max, 0)];
  return min <= max ? [min, max] : null;
}

/** Draws plain time between two bands, or all of it. */
class PieceDrawer {
  /** Whether the last point of `lines` can be led on from. */
  #open = false;
  /** A point to lead on from that is drawn only if something is. */
  #pending: [number, number] | null = null;
  /** The span of the column before, if it had one. */
  #span: Extent | null = null;
  /** Samples [low, high), with those of the neighbouring bands that lines lead from and to. */
  readonly #low: number;
  readonly #high: number;

  constructor(
    readonly series: Series,
    readonly piece: Piece,
    readonly axis: TimeAxis,
    readonly y: (value: number) => number,
    readonly drawing: Drawing,
    /** Whether jumps are drawn one by one. */
    readonly apart: boolean,
  ) {
    this.#low = piece.before === null ? firstNotBefore(series.t, piece.from) : piece.before.end - 1;
    this.#high = piece.after === null ? firstAfter(series.t, piece.to) : piece.after.start + 1;
  }

  draw(): void {
    const { piece } = this;
    if (this.series.pyramid.lasting && piece.before === null) this.#edge(this.#low, piece.from, piece.left);
    if (this.drawing.exact) this.#exact();
    else this.#reduced();
    if (this.series.pyramid.lasting && piece.after === null) this.#edge(this.#high, piece.to, piece.right);
    this.#break();
  }

  /** Where the line crosses an end of the window, on its way to the sample `next`. */
  #edge(next: number, time: number, x: number): void {
    const { t, values } = this.series;
    if (next <= 0 || next >= t.length || t[next - 1]! >= time) {
      // At the end there is a sample, or nothing that leads over it.
      return;
    }
    const value = interpolate(t, values, next - 1, time);
    if (Number.isFinite(value)) this.#lead(x, value);
  }

  #exact(): void {
    const { t, values, pyramid } = this.series;
    for (let start = this.#low; start < this.#high; ) {
      let end = start + 1;
      while (end < this.#high && t[end] === t[start]) end++;
      const x = this.#x(t[start]!);
      if (!pyramid.lasting) this.#stems(start, end, x);
      else if (!this.#jump(start, end, x)) {
        const joined = this.#joined(start - 1) && Number.isFinite(values[start]);
        const leads = this.#joined(end) && Number.isFinite(values[end - 1]);
        if (!joined) this.#break();
        for (let k = start; k < end; k++) {
          if (!Number.isFinite(values[k])) this.#break();
          else this.#lead(x, values[k]!);
        }
        const inBand = (start === this.#low && this.piece.before !== null) || (end === this.#high && this.piece.after !== null);
        if (!joined && !leads && !inBand) this.#lone(start, end, x);
      }
      start = end;
    }
  }

  /** Whether a neighbouring sample is there to join to, in the window or just outside. */
  #joined(sample: number): boolean {
    return Number.isFinite(this.series.values[sample]);
  }

  /** Values that nothing leads to or from. */
  #lone(start: number, end: number, x: number): void {
    const { values } = this.series;
    for (let k = start; k < end; k++) if (Number.isFinite(values[k])) this.drawing.dots.push(x, this.y(values[k]!));
  }

  #reduced(): void {
    const { t, pyramid } = this.series;
    const { piece, axis } = this;
    const columns = Math.max(1, Math.ceil(piece.right - piece.left));
    let start = this.#low;
    for (let column = 0; column < columns && start < this.#high; column++) {
      const last = column === columns - 1;
      const edge = piece.from + (column + 1) / axis.scale;
      const end = last ? this.#high : Math.min(this.#high, start + firstNotBefore(t.subarray(start, this.#high), edge));
      if (end === start) continue;
      const x = Math.min(piece.left + column + 0.5, piece.right);
      if (this.apart) this.#columnWithJumps(start, end, x);
      else this.#column(start, end, x);
      start = end;
    }
    if (!pyramid.lasting) this.#break();
  }

  #columnWithJumps(start: number, end: number, x: number): void {
    const { t, pyramid } = this.series;
    let from = start;
    for (let place = firstOf(pyramid.jumps, start); place < pyramid.jumps.length; place++) {
      const jump = pyramid.jumps[place]!;
      let after = jump + 1;
      while (after < end && t[after] === t[jump]) after++;
      if (after > end || jump >= end || after === jump + 1) break;
      this.#column(from, jump + 1, x);
      this.#jump(jump, after, this.#x(t[jump]!));
      from = after - 1;
    }
    this.#column(from, end, x);
  }

  /** Samples [start, end) in one column of pixels, whose middle is x. */
  #column(start: number, end: number, x: number): void {
    const { t, values, pyramid } = this.series;
    const extent = pyramid.extent(start, end);
    const { min, max } = extent;
    const first = values[start]!;
    const last = values[end - 1]!;
    if (min > max) {
      this.#break();
      this.#span = null;
      return;
    }
    if (!pyramid.lasting) {
      this.drawing.stems.push(x, this.y(max));
      if (min < 0) this.drawing.stems.push(x, this.y(min));
      return;
    }
    const before = this.#span;
    const filled = before !== null && max - min > 0.5 * (before.max - before.min);
    const whole = Number.isFinite(first) && Number.isFinite(last);
    const spread = filled || !whole || min < Math.min(first, last) || max > Math.max(first, last);
    // Spans that overlap need no line between them: a signal that fills its range is one even surface.
    const overlaps = spread && before !== null && before.min <= max && min <= before.max;
    if (!Number.isFinite(first) || overlaps) this.#break();
    else this.#lead(this.#x(t[start]!), first);
    this.#span = spread ? extent : null;
    if (spread) {
      this.drawing.spans.push(x, this.y(min), this.y(max));
      this.#break();
      if (Number.isFinite(last)) this.#pending = [this.#x(t[end - 1]!), last];
    } else if (end - 1 > start) this.#lead(this.#x(t[end - 1]!), last);
  }

  #stems(start: number, end: number, x: number): void {
    for (let k = start; k < end; k++) {
      const value = this.series.values[k]!;
      const inBand = (k === this.#low && this.piece.before !== null) || (k === this.#high - 1 && this.piece.after !== null);
      if (Number.isFinite(value) && !inBand) this.drawing.stems.push(x, this.y(value));
    }
  }

  /** Draws the samples [start, end) as a jump if their values differ. */
  #jump(start: number, end: number, x: number): boolean {
    const { values } = this.series;
    const distinct: number[] = [];
    let blank = false;
    for (let k = start; k < end; k++) {
      const value = values[k]!;
      if (!Number.isFinite(value)) blank = true;
      else if (blank || distinct[distinct.length - 1] !== value) {
        // NaN stands for the gap over which nothing is joined.
        if (blank && distinct.length > 0) distinct.push(NaN);
        distinct.push(value);
        blank = false;
      }
    }
    const there = distinct.filter((value) => !Number.isNaN(value)).map(this.y);
    const height = there.reduce((a, b) => Math.max(a, b), -Infinity) - there.reduce((a, b) => Math.min(a, b), Infinity);
    if (!(height >= LEAST_JUMP)) return false;
    this.drawing.jumps++;
    if (Number.isFinite(values[start])) this.#lead(x, values[start]!);
    this.#break();
    const told = distinct.length <= MOST_DOTS ? distinct : few(distinct);
    told.forEach((value, k) => {
      if (Number.isNaN(value)) return;
      this.drawing.dots.push(x, this.y(value));
      const next = told[k + 1];
      if (next !== undefined && !Number.isNaN(next)) this.drawing.dotted.push(x, this.y(value), x, this.y(next));
    });
    if (Number.isFinite(values[end - 1])) this.#lead(x, values[end - 1]!);
    return true;
  }

  #x(time: number): number {
    const { piece, axis } = this;
    return time === piece.to ? piece.right : piece.left + (time - piece.from) * axis.scale;
  }

  #lead(x: number, value: number): void {
    const { lines } = this.drawing;
    if (!this.#open && lines.length > 0) lines.push(NaN, NaN);
    if (this.#pending !== null) lines.push(this.#pending[0], this.y(this.#pending[1]));
    this.#pending = null;
    lines.push(x, this.y(value));
    this.#open = true;
  }

  #break(): void {
    this.#open = false;
    this.#pending = null;
  }
}

/** The first, the least, the largest and the last. */
function few(values: readonly number[]): number[] {
  const there = values.filter((value) => !Number.isNaN(value));
  const least = there.reduce((a, b) => Math.min(a, b));
  const largest = there.reduce((a, b) => Math.max(a, b));
  return [there[0]!, least, largest, there[there.length - 1]!];
}

/** Microsteps side by side: a stair of dotted strokes from one value to the next. */
function drawBand(series: Series, band: Band, y: (value: number) => number, drawing: Drawing): void {
  const { n, values, pyramid } = series;
  const pixels = band.right - band.left;
  if (band.end - band.start > EXACT * pixels) {
    drawBandReduced(series, band, y, drawing);
    return;
  }
  const seen = new Set<number>();
  let joined = pyramid.lasting && Number.isFinite(values[band.start]);
  let [lastX, lastY] = joined ? [band.left, y(values[band.start]!)] : [0, 0];
  for (let k = band.start; k < band.end; k++) {
    const value = values[k]!;
    if (!Number.isFinite(value)) {
      joined = false;
      continue;
    }
    const [x, at] = [slot(band, n[k]!), y(value)];
    if (!pyramid.lasting) drawing.stems.push(x, at);
    else {
      if (joined) drawing.dotted.push(lastX, lastY, x, lastY);
      if (joined && at !== lastY) drawing.dotted.push(x, lastY, x, at);
      drawing.dots.push(x, at);
      seen.add(value);
      joined = true;
    }
    [lastX, lastY] = [x, at];
  }
  if (joined) drawing.dotted.push(lastX, lastY, band.right, lastY);
  if (seen.size > 1) drawing.jumps++;
}

function drawBandReduced(series: Series, band: Band, y: (value: number) => number, drawing: Drawing): void {
  const columns = Math.max(1, Math.floor(band.right - band.left));
  const count = band.end - band.start;
  for (let column = 0; column < columns; column++) {
    const from = band.start + Math.floor((column * count) / columns);
    const to = band.start + Math.floor(((column + 1) * count) / columns);
    const { min, max } = series.pyramid.extent(from, to);
    if (min <= max) drawing.spans.push(band.left + column + 0.5, y(min), y(max));
  }
}
