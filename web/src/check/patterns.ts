// How outcomes are told apart without colour: safe is plain, unsafe dotted, undecided hatched.

import { html, svg } from "./dom";
import type { Outcome } from "./parts";

export const OUTCOMES: readonly Outcome[] = ["safe", "unsafe", "undecided"];

export const OUTCOME_WORDS: Record<Outcome, string> = {
  safe: "proved safe",
  unsafe: "proved unsafe",
  undecided: "undecided",
};

/** The patterns of one drawing: names are counted, for they are the document's. */
export class Patterns {
  static #made = 0;
  readonly #prefix = `check-pattern-${Patterns.#made++}`;

  /** To be put into the drawing. */
  definitions(): SVGDefsElement {
    const dots = svg(
      "pattern",
      { id: `${this.#prefix}-unsafe`, width: 7, height: 7, patternUnits: "userSpaceOnUse" },
      svg("rect", { width: 7, height: 7, class: "pattern-ground" }),
      svg("circle", { cx: 2, cy: 2, r: 1.3, class: "pattern-dot" }),
      svg("circle", { cx: 5.5, cy: 5.5, r: 1.3, class: "pattern-dot" }),
    );
    const hatch = svg(
      "pattern",
      {
        id: `${this.#prefix}-undecided`,
        width: 6,
        height: 6,
        patternUnits: "userSpaceOnUse",
        patternTransform: "rotate(45)",
      },
      svg("rect", { width: 6, height: 6, class: "pattern-blank" }),
      svg("line", { x1: 1, y1: 0, x2: 1, y2: 6, class: "pattern-hatch" }),
    );
    return svg("defs", {}, dots, hatch);
  }

  /** Attributes that fill a shape. */
  fill(outcome: Outcome): Record<string, string> {
    if (outcome === "safe") return { class: "fill-safe" };
    return { fill: `url(#${this.#prefix}-${outcome})` };
  }
}

/** What the patterns mean; `more` are further entries. */
export function legend(entries: { outcome: Outcome; text: string }[], ...more: HTMLLIElement[]): HTMLUListElement {
  const list = html("ul", { class: "check-legend" });
  for (const { outcome, text } of entries) {
    const patterns = new Patterns();
    const swatch = svg(
      "svg",
      { viewBox: "0 0 22 14", "aria-hidden": "true" },
      patterns.definitions(),
      svg("rect", { x: 0.5, y: 0.5, width: 21, height: 13, ...patterns.fill(outcome) }),
      svg("rect", { x: 0.5, y: 0.5, width: 21, height: 13, class: "frame" }),
    );
    list.append(html("li", {}, swatch, text));
  }
  list.append(...more);
  return list;
}

export function witnessEntry(): HTMLLIElement {
  const sign = svg("svg", { viewBox: "0 0 22 14", "aria-hidden": "true" }, svg("path", { d: "M11 1l5 6-5 6-5-6z", class: "witness" }));
  return html("li", {}, sign, "counterexample");
}

/** A pattern for a canvas, in the page's colours. */
export function canvasFill(context: CanvasRenderingContext2D, outcome: Outcome, ink: string, ground: string, ratio: number): string | CanvasPattern {
  if (outcome === "safe") return ink;
  const tile = document.createElement("canvas");
  const size = Math.max(4, Math.round(7 * ratio));
  tile.width = size;
  tile.height = size;
  const on = tile.getContext("2d");
  if (on === null) return ink;
  if (outcome === "unsafe") {
    on.fillStyle = ink;
    on.fillRect(0, 0, size, size);
    on.fillStyle = ground;
    for (const at of [0.28, 0.78]) {
      on.beginPath();
      on.arc(at * size, at * size, 0.18 * size, 0, 2 * Math.PI);
      on.fill();
    }
  } else {
    on.fillStyle = ground;
    on.fillRect(0, 0, size, size);
    on.strokeStyle = ink;
    on.lineWidth = 0.22 * size;
    // Thrice, so that the corners of neighbouring tiles meet.
    for (const shift of [-1, 0, 1]) {
      on.beginPath();
      on.moveTo((shift - 0.1) * size, 1.1 * size);
      on.lineTo((shift + 1.1) * size, -0.1 * size);
      on.stroke();
    }
  }
  return context.createPattern(tile, "repeat") ?? ink;
}
