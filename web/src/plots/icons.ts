// Small pictures of the plots' controls, and samples of lines.

import { svg } from "../shell/dom";
import { DASHES, ORDER } from "./paint";

const PATHS = {
  add: "M7.2 2.5h1.6v4.7h4.7v1.6H8.8v4.7H7.2V8.8H2.5V7.2h4.7z",
  close: "M3.9 2.8 8 6.9l4.1-4.1 1.1 1.1L9.1 8l4.1 4.1-1.1 1.1L8 9.1l-4.1 4.1-1.1-1.1L6.9 8 2.8 3.9z",
  lock: "M8 1.5a3.2 3.2 0 0 1 3.2 3.2V7h.8a1 1 0 0 1 1 1v5.5a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1h.8V4.7A3.2 3.2 0 0 1 8 1.5zm0 1.5a1.7 1.7 0 0 0-1.7 1.7V7h3.4V4.7A1.7 1.7 0 0 0 8 3z",
  save: "M7.2 1.5h1.6v6.6l2.3-2.3 1.1 1.1L8 11.1 3.8 6.9l1.1-1.1 2.3 2.3zM2.5 11h1.6v2h7.8v-2h1.6v3.5h-11z",
} as const;

export function picture(name: keyof typeof PATHS): SVGSVGElement {
  return svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: PATHS[name] }));
}

/** The line of the signal at a place of its panel. */
export function lineSample(place: number): SVGSVGElement {
  const dash = DASHES[place % DASHES.length]!;
  return svg(
    "svg",
    { viewBox: "0 0 26 10", width: 26, height: 10, class: "pl-sample", "aria-hidden": "true" },
    svg("line", {
      x1: 1,
      x2: 25,
      y1: 5,
      y2: 5,
      "stroke-width": 2.2,
      class: `pl-stroke-${ORDER[place % ORDER.length]!}`,
      "stroke-dasharray": dash.length === 0 ? undefined : dash.join(" "),
    }),
  );
}
