// Numbers for people: six significant digits, all of them in the tooltip.

import { el } from "./dom";

/** Six significant digits, a true minus, no needless zeros or exponents. */
export function short(value: number, digits = 6): string {
  if (Number.isNaN(value)) return "absent";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const written = size >= 1e6 || size < 1e-4 ? exponential(value, digits) : String(Number(value.toPrecision(digits)));
  return written.replace(/-/g, "−");
}

function exponential(value: number, digits: number): string {
  const [mantissa = "", exponent = ""] = value.toExponential(digits - 1).split("e");
  return `${mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa}e${exponent.replace("+", "")}`;
}

/** All digits, such that reading them gives the same number back. */
export function full(value: number): string {
  return Number.isNaN(value) ? "absent" : String(value);
}

/** A number as an element: short, with all digits on hover; copying a selection of it copies what is seen. */
export function number(value: number | null, unit = ""): HTMLElement {
  if (value === null) return el("span", { class: "dv-num dv-muted" }, "absent");
  return el(
    "span",
    { class: "dv-num", title: unit === "" ? full(value) : `${full(value)} ${unit}`, "data-value": full(value) },
    unit === "" ? short(value) : `${short(value)} ${unit}`,
  );
}

/** How many there are of something. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}

/** Superdense time. */
export function moment(at: { t: number; n: number }): string {
  return `(${short(at.t)}, ${at.n})`;
}
