// From values to pixels and back: a window onto a range that is zoomed and moved.

/** What of a range is seen. */
export interface View {
  readonly lower: number;
  readonly upper: number;
}

export function toPixel(view: View, length: number, value: number): number {
  return ((value - view.lower) / (view.upper - view.lower)) * length;
}

export function toValue(view: View, length: number, pixel: number): number {
  return view.lower + (pixel / length) * (view.upper - view.lower);
}

/** Doubles around a value are this far apart: a window below some of them shows nothing more. */
function leastWidth(whole: View): number {
  const size = Math.max(Math.abs(whole.lower), Math.abs(whole.upper), Number.MIN_VALUE);
  return Math.min(whole.upper - whole.lower, size * 1e-13);
}

/** The view with `about` kept in its place, `factor` times as wide; never wider than the whole. */
export function zoomed(view: View, whole: View, about: number, factor: number): View {
  const width = view.upper - view.lower;
  const full = whole.upper - whole.lower;
  const next = Math.min(Math.max(width * factor, leastWidth(whole)), full);
  if (next >= full) return whole;
  const share = width > 0 ? (about - view.lower) / width : 0.5;
  return kept({ lower: about - share * next, upper: about + (1 - share) * next }, whole);
}

export function moved(view: View, whole: View, by: number): View {
  return kept({ lower: view.lower + by, upper: view.upper + by }, whole);
}

/** Moved back into the whole. */
function kept(view: View, whole: View): View {
  const width = view.upper - view.lower;
  if (view.lower < whole.lower) return { lower: whole.lower, upper: Math.min(whole.lower + width, whole.upper) };
  if (view.upper > whole.upper) return { lower: Math.max(whole.upper - width, whole.lower), upper: whole.upper };
  return view;
}

/** A window around an interval, with some room on both sides. */
export function around(lower: number, upper: number, whole: View, room = 1): View {
  const width = Math.max(upper - lower, leastWidth(whole));
  if (width * (1 + 2 * room) >= whole.upper - whole.lower) return whole;
  return kept({ lower: lower - room * width, upper: upper + room * width }, whole);
}

export interface Tick {
  value: number;
  label: string;
}

/** Round numbers in a view, at most about `most` of them. */
export function ticks(view: View, most: number): Tick[] {
  const width = view.upper - view.lower;
  if (!(width > 0) || !Number.isFinite(width)) return [{ value: view.lower, label: String(view.lower) }];
  const rough = width / Math.max(most, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((m) => m * power >= rough * (1 - 1e-9)) ?? 10) * power;
  const first = Math.ceil(view.lower / step - 1e-9);
  const last = Math.floor(view.upper / step + 1e-9);
  const found: Tick[] = [];
  for (let k = first; k <= last && found.length <= 2 * most + 2; k++) {
    found.push({ value: k * step, label: tickLabel(k * step, step) });
  }
  return found;
}

/** With as many digits as tell one tick from the next. */
function tickLabel(value: number, step: number): string {
  const size = Math.max(Math.abs(value), step);
  if (size >= 1e6 || size < 1e-4) {
    const digits = Math.max(0, Math.ceil(Math.log10(size / step) - 1e-9));
    return value === 0 ? "0" : value.toExponential(Math.min(digits, 15));
  }
  const digits = Math.min(Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)), 17);
  return value.toFixed(digits);
}
