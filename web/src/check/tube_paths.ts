// Tubes and runs as paths: steps become boxes, samples become lines that jump where the run does.

import type { Tube } from "../data";
import { toPixel, type View } from "./scale";

export interface Size {
  width: number;
  height: number;
}

type Step = Tube["steps"][number];

/** The bounds of a signal over the steps that are seen; null if there are none. */
export function boundsOf(tubes: readonly Tube[], name: string, view: View): View | null {
  let [lower, upper] = [Infinity, -Infinity];
  for (const tube of tubes) {
    const place = tube.names.indexOf(name);
    for (const step of tube.steps) {
      const bounds = step.bounds[place];
      if (bounds === undefined || step.to < view.lower || step.from > view.upper) continue;
      lower = Math.min(lower, bounds[0]);
      upper = Math.max(upper, bounds[1]);
    }
  }
  return lower <= upper ? { lower, upper } : null;
}

/** With some room, and never flat. */
export function roomy(view: View): View {
  const size = Math.max(Math.abs(view.lower), Math.abs(view.upper), 1e-300);
  const room = Math.max(0.06 * (view.upper - view.lower), 1e-9 * size);
  return { lower: view.lower - room, upper: view.upper + room };
}

const rounded = (x: number): number => Math.round(x * 100) / 100;

/** All steps of a tube as one path, each box at least a hair wide and high: an enclosure of one point is seen too. */
export function tubePath(tube: Tube, name: string, across: View, up: View, size: Size): string {
  const place = tube.names.indexOf(name);
  let path = "";
  for (const step of tube.steps) {
    const bounds = step.bounds[place];
    if (bounds === undefined || step.to < across.lower || step.from > across.upper) continue;
    const [x, wide] = stretch(toPixel(across, size.width, step.from), toPixel(across, size.width, step.to), size.width);
    const [y, high] = stretch(
      size.height - toPixel(up, size.height, bounds[1]),
      size.height - toPixel(up, size.height, bounds[0]),
      size.height,
    );
    path += `M${rounded(x)} ${rounded(y)}h${rounded(wide)}v${rounded(high)}h${rounded(-wide)}z`;
  }
  return path;
}

const LEAST = 1.2;

/** From where and how far, at least a hair, not much beyond the edges: browsers draw huge numbers badly. */
function stretch(from: number, to: number, length: number): [number, number] {
  const a = Math.max(from, -length);
  const b = Math.min(to, 2 * length);
  const missing = Math.max(0, LEAST - (b - a));
  return [a - missing / 2, b - a + missing];
}

/** The steps of a tube at a time. */
export function stepsAt(tube: Tube, t: number): Step[] {
  return tube.steps.filter((step) => step.from <= t && t <= step.to);
}

/** Samples as a line and, where the run jumps, as upright pieces. A column of pixels gets at most its first, least, largest and last value. */
export function runPaths(t: Float64Array, values: Float64Array, across: View, up: View, size: Size): { line: string; jumps: string } {
  const px = (k: number) => toPixel(across, size.width, t[k] ?? NaN);
  const py = (k: number) => Math.min(Math.max(size.height - toPixel(up, size.height, values[k] ?? NaN), -size.height), 2 * size.height);
  let [line, jumps] = ["", ""];
  let pen = false;
  const first = Math.max(0, firstAtOrAfter(t, across.lower) - 1);
  const end = Math.min(t.length, firstAtOrAfter(t, across.upper) + 2);
  let k = first;
  while (k < end) {
    if (Number.isNaN(values[k])) {
      pen = false;
      k += 1;
      continue;
    }
    if (k > first && t[k] === t[k - 1] && pen) {
      if (values[k] !== values[k - 1]) {
        jumps += `M${rounded(px(k))} ${rounded(py(k - 1))}V${rounded(py(k))}`;
        line += `M${rounded(px(k))} ${rounded(py(k))}`;
      }
      k += 1;
      continue;
    }
    // Samples that share this column of pixels, up to a jump or a gap.
    let last = k;
    let [least, most] = [k, k];
    const column = Math.floor(px(k));
    while (last + 1 < end && Math.floor(px(last + 1)) === column && t[last + 1] !== t[last] && !Number.isNaN(values[last + 1])) {
      last += 1;
      if ((values[last] ?? NaN) < (values[least] ?? NaN)) least = last;
      if ((values[last] ?? NaN) > (values[most] ?? NaN)) most = last;
    }
    const inOrder = [...new Set([k, least, most, last])].sort((a, b) => a - b);
    for (const sample of inOrder) {
      line += `${pen ? "L" : "M"}${rounded(px(sample))} ${rounded(py(sample))}`;
      pen = true;
    }
    k = last + 1;
  }
  return { line, jumps };
}

function firstAtOrAfter(t: Float64Array, time: number): number {
  let [low, high] = [0, t.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((t[middle] ?? Infinity) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

const RELATION = String.raw`\s*(<=|>=|<|>)\s*`;
const WORD = String.raw`(?<![\p{L}\p{N}_.])(?<![-+*/^]\s*)([\p{L}_][\p{L}\p{N}_.]*)(?!\s*[-+*/^(\[]|[\p{L}\p{N}_.])`;
const NUMBER = String.raw`(?<![\p{L}\p{N}_.])(?<![-+*/^)\]]\s*)(-?\s*(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(?!\s*[-+*/^]|[\p{L}\p{N}_.])`;
const TURNED: Record<string, string> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };

/** Numbers that a formula compares a signal with, such as 3 in `always [0, 2] ball.y < 3`. */
export function thresholds(formula: string, name: string): { relation: string; value: number }[] {
  const found: { relation: string; value: number }[] = [];
  const add = (own: string, relation: string, value: string) => {
    if (own === name) found.push({ relation, value: Number(value.replace(/\s/g, "")) });
  };
  for (const [, own = "", relation = "", value = ""] of formula.matchAll(new RegExp(WORD + RELATION + NUMBER, "gu"))) add(own, relation, value);
  for (const [, value = "", relation = "", own = ""] of formula.matchAll(new RegExp(NUMBER + RELATION + WORD, "gu"))) add(own, TURNED[relation] ?? relation, value);
  return found;
}
