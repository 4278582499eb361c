// Enclosures as tubes: between which bounds a signal stays, step by step, for all values of a box of unknowns.

import { LoadedRun } from "../columns";
import type { Answer, PageSource, Tube } from "../data";
import { html, onWidth, say, svg } from "./dom";
import { exact, interval, short, shortInterval } from "./format";
import { listen, zoomKey } from "./gestures";
import { legend, OUTCOME_WORDS, OUTCOMES, Patterns } from "./patterns";
import { moved, ticks, toPixel, toValue, zoomed, type View } from "./scale";
import { boundsOf, roomy, runPaths, stepsAt, thresholds, tubePath } from "./tube_paths";

const LEFT = 58;
const RIGHT = 8;
const TOP = 8;
const BOTTOM = 30;
const HEIGHT = 280;
/** Lines of the reading: more tubes at a time are counted. */
const MOST_READ = 4;

interface Samples {
  t: Float64Array;
  values: Float64Array;
}

export class Tubes {
  readonly element: HTMLElement;
  readonly tools: HTMLElement;
  readonly #chart: HTMLDivElement;
  readonly #reading = html("p", { class: "check-reading", "aria-live": "polite" });
  readonly #signal = html("select", { "aria-label": "signal" });
  readonly #box = html("select", { "aria-label": "box of unknowns" });
  readonly #patterns = new Patterns();
  readonly #whole: View;
  #view: View;
  #width = 0;
  #at: number | null = null;
  #samples: Samples[] = [];
  #runs = new Map<number, LoadedRun>();
  #asked = 0;
  readonly #stop = new AbortController();
  readonly #unwatch: () => void;

  constructor(
    readonly answer: Answer,
    readonly source: PageSource,
  ) {
    const ends = answer.tubes.flatMap((tube) => tube.steps.map((step) => step.to));
    const last = ends.reduce((most, end) => Math.max(most, end), 0);
    this.#whole = { lower: 0, upper: last > 0 ? last : Math.max(answer.horizon, 1e-9) };
    this.#view = this.#whole;
    this.#fillChoices();
    this.tools = html(
      "span",
      { class: "check-tools" },
      html("label", {}, "signal", this.#signal),
      html("label", {}, "box", this.#box),
    );
    this.#chart = html("div", { class: "check-chart check-tubes", tabindex: 0, role: "application", "aria-roledescription": "chart" });
    const seen = OUTCOMES.filter((o) => answer.tubes.some((tube) => tube.outcome === o));
    const entries = seen.map((outcome) => ({ outcome, text: `enclosure of a box ${OUTCOME_WORDS[outcome]}` }));
    this.element = html("div", {}, legend(entries, ...this.#runEntry()), this.#chart, this.#reading, this.#notes());
    this.#listen();
    this.#unwatch = onWidth(this.#chart, (width) => {
      this.#width = width;
      this.#draw();
    });
    void this.#load();
    this.#tell();
  }

  destroy(): void {
    this.#stop.abort();
    this.#unwatch();
    this.#asked += 1;
  }

  zoomBy(factor: number): void {
    const middle = 0.5 * (this.#view.lower + this.#view.upper);
    const about = this.#at !== null && this.#at >= this.#view.lower && this.#at <= this.#view.upper ? this.#at : middle;
    this.#show(zoomed(this.#view, this.#whole, about, factor));
  }

  reset(): void {
    this.#show(this.#whole);
  }

  get #shown(): Tube[] {
    const number = Number(this.#box.value);
    const one = this.answer.tubes[number];
    return this.#box.value === "" || one === undefined ? this.answer.tubes : [one];
  }

  /** The runs to draw over the tubes: that of the counterexample, or of the middles of the boxes that are shown. */
  get #runNumbers(): number[] {
    const all = [this.answer.witness?.run, ...this.#shown.map((tube) => tube.run)];
    return [...new Set(all.filter((run) => run !== null && run !== undefined))];
  }

  #fillChoices(): void {
    const names = [...new Set(this.answer.tubes.flatMap((tube) => tube.names))];
    for (const name of names) this.#signal.append(html("option", { value: name }, name));
    // What the property speaks of comes first.
    const asked = names.find((name) => thresholds(this.answer.formula, name).length > 0) ?? names.find((name) => this.answer.formula.includes(name));
    if (asked !== undefined) this.#signal.value = asked;
    const tubes = this.answer.tubes;
    if (tubes.length > 1) this.#box.append(html("option", { value: "" }, `all ${tubes.length}`));
    tubes.forEach((tube, number) => {
      const sides = tube.box.map((side) => (side.lower === side.upper ? `${side.name} = ${short(side.lower)}` : `${side.name} in ${shortInterval(side.lower, side.upper)}`));
      this.#box.append(html("option", { value: String(number) }, `${sides.join(", ") || "the model as it is"}: ${tube.outcome}`));
    });
    const changed = () => {
      this.#samples = [];
      void this.#load();
      this.#draw();
      this.#tell();
    };
    this.#signal.addEventListener("change", changed);
    this.#box.addEventListener("change", changed);
  }

  #runEntry(): HTMLLIElement[] {
    const runs = this.answer.tubes.some((tube) => tube.run !== null) || this.answer.witness?.run != null;
    if (!runs) return [];
    const line = svg("svg", { viewBox: "0 0 22 14", "aria-hidden": "true" }, svg("path", { d: "M0 10L11 4L22 9", class: "run" }));
    return [html("li", {}, line, this.answer.witness?.run != null ? "run of the counterexample" : "run from the middle of a box")];
  }

  #notes(): HTMLParagraphElement {
    const out = this.answer.tubesLeftOut;
    const left = out > 0 ? `${out} more ${out === 1 ? "box is" : "boxes are"} not drawn. ` : "";
    return html("p", { class: "check-hint" }, `${left}Bounds hold for every value in the box, rounding included. Arrow keys move along time, +, − and 0 zoom.`);
  }

  async #load(): Promise<void> {
    const asked = ++this.#asked;
    const name = this.#signal.value;
    for (const number of this.#runNumbers) {
      const run = this.source.page.runs[number];
      if (run === undefined) continue;
      const loaded = this.#runs.get(number) ?? new LoadedRun(this.source, run);
      this.#runs.set(number, loaded);
      await loaded.ready;
      if (!loaded.has(name)) continue;
      const values = await loaded.column(name);
      if (asked !== this.#asked) return;
      this.#samples.push({ t: loaded.t, values });
      this.#draw();
    }
  }

  #show(view: View): void {
    this.#view = view;
    this.#draw();
  }

  get #inner(): { width: number; height: number } {
    return { width: Math.max(1, this.#width - LEFT - RIGHT), height: HEIGHT - TOP - BOTTOM };
  }

  #listen(): void {
    const time = (x: number) => toValue(this.#view, this.#inner.width, x - LEFT);
    const acts = {
      zoom: (x: number, _y: number, factor: number) => this.#show(zoomed(this.#view, this.#whole, time(x), factor)),
      pan: (dx: number) => this.#show(moved(this.#view, this.#whole, (-dx / this.#inner.width) * (this.#view.upper - this.#view.lower))),
      reset: () => this.reset(),
      hover: (x: number) => this.#pointAt(time(x)),
      press: (x: number) => this.#pointAt(time(x)),
      leave: () => undefined,
    };
    listen(this.#chart, acts, this.#stop.signal);
    const key = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (by !== undefined) {
        const from = this.#at ?? this.#view.lower;
        this.#pointAt(from + (by * (this.#view.upper - this.#view.lower)) / (event.shiftKey ? 20 : 200));
      } else if (event.key === "+" || event.key === "=") this.zoomBy(0.6);
      else if (event.key === "-" || event.key === "_") this.zoomBy(1 / 0.6);
      else if (!zoomKey(event.key, this.#width, HEIGHT, acts)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    this.#chart.addEventListener("keydown", key, { signal: this.#stop.signal });
  }

  #pointAt(t: number): void {
    this.#at = Math.min(Math.max(t, this.#view.lower), this.#view.upper);
    this.#draw();
    this.#tell();
  }

  #tell(): void {
    const name = this.#signal.value;
    this.#chart.setAttribute("aria-label", `enclosures of ${name} over time`);
    const t = this.#at;
    if (t === null) {
      say(this.#reading, `Point at the chart to read the bounds of ${name}.`);
      return;
    }
    const lines = this.#shown.flatMap((tube) => {
      const place = tube.names.indexOf(name);
      return stepsAt(tube, t).flatMap((step) => {
        const bounds = step.bounds[place];
        if (bounds === undefined) return [];
        const at = step.place === "" ? "" : ` in ${step.place}`;
        return [`${name} in ${interval(...bounds)}${at}, from ${short(step.from)} s to ${short(step.to)} s (${tube.outcome})`];
      });
    });
    const more = lines.length > MOST_READ ? [`and ${lines.length - MOST_READ} more`] : [];
    const said = lines.length === 0 ? ["nothing is enclosed here"] : [...lines.slice(0, MOST_READ), ...more];
    say(this.#reading, html("b", {}, `t = ${exact(Number(t.toPrecision(9)))} s`), ...said.flatMap((line) => [html("br"), line]));
  }

  #draw(): void {
    if (this.#width === 0) return;
    const size = this.#inner;
    const name = this.#signal.value;
    const limits = thresholds(this.answer.formula, name);
    const found = boundsOf(this.#shown, name, this.#view) ?? { lower: 0, upper: 1 };
    const up = roomy(withNear(found, limits.map((limit) => limit.value)));
    const drawing = svg("svg", { viewBox: `0 0 ${this.#width} ${HEIGHT}`, height: HEIGHT });
    const frame = svg("svg", { x: LEFT, y: TOP, width: size.width, height: size.height, overflow: "hidden" });
    drawing.append(this.#patterns.definitions());
    frame.append(svg("rect", { width: size.width, height: size.height, class: "pattern-blank" }));
    this.#drawAxes(drawing, frame, up);
    for (const tube of this.#shown) {
      const path = tubePath(tube, name, this.#view, up, size);
      frame.append(
        svg("path", { d: path, ...this.#patterns.fill(tube.outcome), "fill-opacity": tube.outcome === "safe" ? 0.4 : 0.85, "data-outcome": tube.outcome }),
        svg("path", { d: path, fill: "none", "stroke-width": 0.6, "stroke-opacity": 0.3, class: `ink-${tube.outcome}` }),
      );
    }
    for (const { relation, value } of limits) {
      const y = size.height - toPixel(up, size.height, value);
      if (y < 0 || y > size.height) continue;
      frame.append(
        svg("line", { x1: 0, x2: size.width, y1: y, y2: y, class: "threshold" }),
        svg("text", { x: size.width - 6, y: y < 18 ? y + 13 : y - 5, "text-anchor": "end", class: "over" }, `${name} ${relation} ${value}`),
      );
    }
    for (const { t, values } of this.#samples) {
      const { line, jumps } = runPaths(t, values, this.#view, up, size);
      frame.append(svg("path", { d: line, class: "run" }), svg("path", { d: jumps, class: "jump" }));
    }
    if (this.#at !== null) {
      const x = toPixel(this.#view, size.width, this.#at);
      frame.append(svg("line", { x1: x, x2: x, y1: 0, y2: size.height, class: "cursor" }));
    }
    drawing.append(frame, svg("rect", { x: LEFT + 0.5, y: TOP + 0.5, width: size.width - 1, height: size.height - 1, class: "frame" }));
    this.#chart.replaceChildren(drawing);
  }

  #drawAxes(drawing: SVGSVGElement, frame: SVGSVGElement, up: View): void {
    const size = this.#inner;
    const base = TOP + size.height;
    for (const { value, label } of ticks(this.#view, Math.max(2, Math.floor(size.width / 90)))) {
      const x = toPixel(this.#view, size.width, value);
      frame.append(svg("line", { x1: x, x2: x, y1: 0, y2: size.height, class: "axis" }));
      const anchor = x > size.width - 20 ? "end" : "middle";
      drawing.append(svg("text", { x: LEFT + x, y: base + 16, "text-anchor": anchor }, label));
    }
    for (const { value, label } of ticks(up, 5)) {
      const y = size.height - toPixel(up, size.height, value);
      frame.append(svg("line", { x1: 0, x2: size.width, y1: y, y2: y, class: "axis" }));
      drawing.append(svg("text", { x: LEFT - 6, y: TOP + Math.min(Math.max(y + 4, 9), size.height), "text-anchor": "end" }, label));
    }
    drawing.append(svg("text", { x: LEFT + size.width, y: HEIGHT - 2, "text-anchor": "end" }, "t in s"));
  }
}

/** The view with thresholds that are not far off. */
function withNear(view: View, values: number[]): View {
  const room = view.upper - view.lower;
  const near = values.filter((v) => v > view.lower - room && v < view.upper + room);
  return { lower: Math.min(view.lower, ...near), upper: Math.max(view.upper, ...near) };
}
