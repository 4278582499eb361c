// The verdict as a sign: a shape and a mark for each, so that no colour is needed to tell them apart.

import type { Answer } from "../data";
import { svg } from "./dom";

const SHAPES: Record<Answer["verdict"], { shape: string; mark: string; ink: string; dot: boolean }> = {
  // A disc with a tick.
  SAFE: { shape: "M26 2a24 24 0 1 0 .01 0z", mark: "M15 27l8 8 15-17", ink: "--c-safe", dot: false },
  // An octagon with a cross.
  UNSAFE: { shape: "M16 2h20l14 14v20L36 50H16L2 36V16z", mark: "M18 18l16 16M34 18L18 34", ink: "--c-unsafe", dot: false },
  // A diamond with a question mark.
  UNKNOWN: { shape: "M26 1l25 25-25 25L1 26z", mark: "M20 20.500c0-8 12-8 12-.5 0 5-6 5-6 10", ink: "--c-undecided", dot: true },
  // A square that is split.
  PARTITION: { shape: "M5 5h42v42H5z", mark: "M21 9v34M33 9v34", ink: "--c-accent", dot: false },
};

export function sign(verdict: Answer["verdict"]): SVGSVGElement {
  const { shape, mark, ink, dot } = SHAPES[verdict];
  const drawn = svg("svg", { viewBox: "0 0 52 52", class: "check-sign", "aria-hidden": "true" }, svg("path", { d: shape, class: "shape" }), svg("path", { d: mark, class: "mark" }));
  if (dot) drawn.append(svg("circle", { cx: 26, cy: 38.5, r: 3, class: "dot" }));
  drawn.style.setProperty("--sign", `var(${ink})`);
  return drawn;
}
