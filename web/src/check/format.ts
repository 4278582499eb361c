// Intervals, counts and shares in words.

import { full, short } from "../shell/numbers";

export { full as exact, short };

export function interval(lower: number, upper: number): string {
  return `[${full(lower)}, ${full(upper)}]`;
}

export function shortInterval(lower: number, upper: number): string {
  return `[${short(lower)}, ${short(upper)}]`;
}

export function count(many: number, one: string, more: string): string {
  return `${many.toLocaleString("en-US").replaceAll(",", "\u202f")} ${many === 1 ? one : more}`;
}

/** A share in per cent. What is not all must not look like all, what is something not like nothing. */
export function percent(share: number): string {
  const value = 100 * share;
  if (value > 0 && value < 0.01) return "less than 0.01 %";
  const shown = value < 100 ? Math.floor(value * 100) / 100 : 100;
  return `${shown} %`;
}
