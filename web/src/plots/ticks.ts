// Marks of an axis at 1, 2 or 5 times a power of ten.
//
// When a window is so narrow or so far out that its marks would need many digits, they are told as an offset and small
// whole steps: "0.58109 + … ×10⁻⁹".

export interface Ticks {
  values: number[];
  labels: string[];
  /** What the labels are to be added to and multiplied with; "" if they stand for themselves. */
  note: string;
}

/** Digits of a label beyond which an offset is told apart. */
const MOST_DIGITS = 6;

/** About `most` marks in [low, high], a quarter more at the most. */
export function ticks(low: number, high: number, most: number): Ticks {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return { values: [], labels: [], note: "" };
  const [mantissa, exponent] = step(span, Math.max(1, most));
  const size = scaled(mantissa, exponent);
  const values: number[] = [];
  // A mark on the very end is one of the window's, however the division rounds.
  const first = Math.ceil(low / size - 1e-9);
  // Whole multiples, so that marks do not drift; further out than 2^53 steps there is nothing to tell apart.
  if (Math.abs(first) > 2 ** 52) return { values: [], labels: [], note: "" };
  for (let k = first; values.length < 3 * most && scaled(k * mantissa, exponent) <= high + 1e-9 * size; k++) {
    values.push(scaled(k * mantissa, exponent) + 0);
  }
  // One mark alone tells no scale.
  if (values.length < 2 && most < 16) return ticks(low, high, 2 * most);
  const largest = Math.max(Math.abs(low), Math.abs(high));
  const digits = Math.floor(Math.log10(largest)) - exponent + 1;
  if (digits <= MOST_DIGITS && exponent >= -4 && largest < 1e6) {
    return { values, labels: values.map((value) => sign(value.toFixed(Math.max(0, -exponent)))), note: "" };
  }
  if (digits <= MOST_DIGITS) {
    const power = Math.floor(Math.log10(largest));
    const labels = values.map((value) => sign((value / 10 ** power).toFixed(Math.max(0, power - exponent))));
    return { values, labels, note: `×10${superscript(power)}` };
  }
  // An offset that is a multiple of 10, 100, … steps, at or below all marks.
  const coarse = exponent + Math.ceil(Math.log10(span) - exponent + 0.5);
  const base = Math.floor(low / 10 ** coarse);
  const offset = scaled(base, coarse);
  const labels = values.map((_, k) => sign(String(Math.round((first + k) * mantissa - base * 10 ** (coarse - exponent)))));
  const told = coarse < 0 && coarse > -16 ? offset.toFixed(-coarse) : String(offset);
  return { values, labels, note: `${sign(told)} + … ×10${superscript(exponent)}` };
}

/** 1, 2 or 5, and the power of ten. */
function step(span: number, most: number): [number, number] {
  const rough = span / most;
  const exponent = Math.floor(Math.log10(rough));
  const mantissa = rough / 10 ** exponent;
  if (mantissa <= 1.25) return [1, exponent];
  if (mantissa <= 2.5) return [2, exponent];
  if (mantissa <= 6) return [5, exponent];
  return [1, exponent + 1];
}

/** k · 10^e without the error of a negative power. */
function scaled(k: number, exponent: number): number {
  return exponent < 0 ? k / 10 ** -exponent : k * 10 ** exponent;
}

function superscript(power: number): string {
  return Array.from(String(power), (digit) => (digit === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]!)).join("");
}

/** With a minus that is as wide as a digit. */
function sign(text: string): string {
  return /^-0(\.0*)?$/.test(text) ? text.slice(1) : text.replace("-", "−");
}
