// The range of one parameter as a band: what is proved safe, what unsafe, what is undecided; and the counterexample on it.
//
// The edge between safe and unsafe may be a ten thousandth of the range: parts are chosen by keyboard or pointer, told with all
// digits, and zoomed into.

import type { Range } from "../data";
import { html, onWidth, say, svg } from "./dom";
import { exact, interval, percent, short } from "./format";
import { listen, zoomKey } from "./gestures";
import { barsOf, type Part } from "./parts";
import { OUTCOME_WORDS, Patterns } from "./patterns";
import { around, moved, ticks, toPixel, toValue, zoomed, type View } from "./scale";

const HEIGHT = 56;
const BELOW = 26;
const ABOVE = 14;

export class Band {
  readonly element: HTMLElement;
  readonly #chart: HTMLDivElement;
  readonly #reading: HTMLParagraphElement;
  readonly #patterns = new Patterns();
  readonly #whole: View;
  #view: View;
  #width = 0;
  #current = -1;
  readonly #stop = new AbortController();
  readonly #unwatch: () => void;

  constructor(
    readonly axis: Range,
    readonly parts: readonly Part[],
    readonly witness: number | null,
  ) {
    this.#whole = { lower: axis.lower, upper: axis.upper };
    this.#view = this.#whole;
    this.#chart = html("div", {
      class: "check-chart check-band",
      tabindex: 0,
      role: "listbox",
      "aria-label": `parts of the range of ${axis.name}`,
      "aria-orientation": "horizontal",
    });
    this.#reading = html("p", { class: "check-reading", "aria-live": "polite" });
    const hint = html("p", { class: "check-hint" }, "Arrow keys choose a part, Enter zooms to it. Drag, +, − and 0 zoom and move; Ctrl with the wheel too.");
    this.element = html("div", {}, this.#chart, this.#reading, hint);
    this.#listen();
    this.#unwatch = onWidth(this.#chart, (width) => {
      this.#width = width;
      this.#draw();
    });
    this.#tell();
  }

  destroy(): void {
    this.#stop.abort();
    this.#unwatch();
  }

  zoomBy(factor: number): void {
    const part = this.parts[this.#current];
    const middle = 0.5 * (this.#view.lower + this.#view.upper);
    const about = part === undefined ? (this.witness ?? middle) : 0.5 * (part.lower + part.upper);
    const seen = about >= this.#view.lower && about <= this.#view.upper;
    this.#show(zoomed(this.#view, this.#whole, seen ? about : middle, factor));
  }

  reset(): void {
    this.#show(this.#whole);
  }

  #show(view: View): void {
    this.#view = view;
    this.#draw();
  }

  #listen(): void {
    const acts = {
      zoom: (x: number, _y: number, factor: number) =>
        this.#show(zoomed(this.#view, this.#whole, toValue(this.#view, this.#width, x), factor)),
      pan: (dx: number) =>
        this.#show(moved(this.#view, this.#whole, (-dx / this.#width) * (this.#view.upper - this.#view.lower))),
      reset: () => this.reset(),
      hover: (x: number) => this.#choose(this.#at(x), toValue(this.#view, this.#width, x)),
      leave: () => undefined,
      press: (x: number) => this.#choose(this.#at(x), toValue(this.#view, this.#width, x)),
    };
    listen(this.#chart, acts, this.#stop.signal);
    this.#chart.addEventListener("keydown", (event) => this.#key(event, acts), { signal: this.#stop.signal });
  }

  #key(event: KeyboardEvent, acts: Parameters<typeof zoomKey>[3]): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const last = this.parts.length - 1;
    const part = this.parts[this.#current];
    if (event.key === "ArrowRight") this.#choose(Math.min(last, this.#current + 1));
    else if (event.key === "ArrowLeft") this.#choose(Math.max(0, this.#current - 1));
    else if (event.key === "Home") this.#choose(Math.min(0, last));
    else if (event.key === "End") this.#choose(last);
    else if (event.key === "Enter" && part !== undefined) this.#show(around(part.lower, part.upper, this.#whole));
    else if (!zoomKey(event.key, this.#width, HEIGHT, acts)) return;
    // Keys of the page, such as those of the player, do not hear it.
    event.preventDefault();
    event.stopPropagation();
  }

  /** The part under a pixel: drawn ones, so that a sliver is found where it is seen. */
  #at(x: number): number {
    const bars = barsOf(this.parts, this.#view, this.#width);
    const hit = bars.reverse().find((bar) => x >= bar.x && x <= bar.x + bar.width);
    return hit === undefined ? -1 : this.parts.indexOf(hit.part);
  }

  #choose(number: number, pointed?: number): void {
    this.#current = number;
    const part = this.parts[number];
    if (pointed === undefined && part !== undefined) {
      const seen = part.upper >= this.#view.lower && part.lower <= this.#view.upper;
      if (!seen) this.#view = around(part.lower, part.upper, this.#whole);
    }
    this.#draw();
    this.#tell(pointed);
  }

  #tell(pointed?: number): void {
    const { name } = this.axis;
    const part = this.parts[this.#current];
    if (part !== undefined) {
      const width = `width ${short(part.upper - part.lower)}, ${percent((part.upper - part.lower) / (this.axis.upper - this.axis.lower))} of the range`;
      const boxes = part.boxes > 1 ? `, ${part.boxes} boxes` : "";
      const reason = part.reason === "" ? "" : `: ${part.reason}`;
      say(
        this.#reading,
        html("b", {}, OUTCOME_WORDS[part.outcome]),
        ` for ${name} in ${interval(part.lower, part.upper)} (${width}${boxes})${reason}`,
      );
    } else if (pointed !== undefined) {
      say(this.#reading, `${name} = ${exact(pointed)}`);
    } else if (this.witness !== null) {
      say(this.#reading, html("b", {}, "counterexample"), ` at ${name} = ${exact(this.witness)}`);
    } else {
      say(this.#reading, `${name} in ${interval(this.axis.lower, this.axis.upper)}`);
    }
  }

  #draw(): void {
    const width = this.#width;
    if (width === 0) return;
    const view = this.#view;
    const drawing = svg("svg", { viewBox: `0 0 ${width} ${ABOVE + HEIGHT + BELOW}`, height: ABOVE + HEIGHT + BELOW });
    drawing.append(this.#patterns.definitions());
    drawing.append(svg("rect", { x: 0.5, y: ABOVE + 0.5, width: width - 1, height: HEIGHT - 1, class: "pattern-blank" }));
    for (const { part, x, width: wide } of barsOf(this.parts, view, width)) {
      const number = this.parts.indexOf(part);
      const text = `${OUTCOME_WORDS[part.outcome]}: ${this.axis.name} in ${interval(part.lower, part.upper)}`;
      const bar = svg("rect", {
        x,
        y: ABOVE,
        width: Math.max(wide, 0.5),
        height: HEIGHT,
        role: "option",
        id: `${this.#id}-${number}`,
        "aria-label": text,
        "aria-selected": String(number === this.#current),
        "data-outcome": part.outcome,
        ...this.#patterns.fill(part.outcome),
      });
      bar.append(svg("title", {}, text));
      drawing.append(bar);
    }
    const current = this.parts[this.#current];
    if (current !== undefined) {
      const bar = barsOf([current], view, width)[0];
      if (bar !== undefined) {
        drawing.append(svg("rect", { x: bar.x + 1, y: ABOVE + 1, width: Math.max(1, bar.width - 2), height: HEIGHT - 2, fill: "none", class: "is-current", "pointer-events": "none" }));
      }
      this.#chart.setAttribute("aria-activedescendant", `${this.#id}-${this.#current}`);
    } else {
      this.#chart.removeAttribute("aria-activedescendant");
    }
    drawing.append(svg("rect", { x: 0.5, y: ABOVE + 0.5, width: width - 1, height: HEIGHT - 1, class: "frame", "pointer-events": "none" }));
    this.#drawAxis(drawing, width);
    this.#drawWitness(drawing, width);
    this.#chart.replaceChildren(drawing);
  }

  #drawAxis(drawing: SVGSVGElement, width: number): void {
    const base = ABOVE + HEIGHT;
    const found = ticks(this.#view, Math.max(2, Math.floor(width / 90)));
    for (const { value, label } of found) {
      const x = toPixel(this.#view, width, value);
      drawing.append(svg("line", { x1: x, x2: x, y1: base, y2: base + 5, class: "frame" }));
      const anchor = x < 24 ? "start" : x > width - 24 ? "end" : "middle";
      drawing.append(svg("text", { x: Math.min(Math.max(x, 0), width), y: base + 18, "text-anchor": anchor }, label));
    }
  }

  #drawWitness(drawing: SVGSVGElement, width: number): void {
    if (this.witness === null || this.witness < this.#view.lower || this.witness > this.#view.upper) return;
    const x = toPixel(this.#view, width, this.witness);
    const text = `counterexample: ${this.axis.name} = ${exact(this.witness)}`;
    const mark = svg("path", { d: `M${x} ${ABOVE + 4}l-6 -8h12z`, class: "witness", role: "img", "aria-label": text });
    mark.append(svg("title", {}, text));
    drawing.append(svg("line", { x1: x, x2: x, y1: ABOVE, y2: ABOVE + HEIGHT, class: "cursor" }), mark);
  }

  static #made = 0;
  readonly #id = `check-band-${Band.#made++}`;
}
