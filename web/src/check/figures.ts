// What a check took: totals, and the solver's work against simulated time as small multiples.

import type { Figures } from "../data";
import { html, onWidth, say, svg } from "./dom";
import { short } from "./format";
import { most, solverSeries, type Series } from "./solver_series";

const HEIGHT = 74;
const BASE = 56;

export class FiguresView {
  readonly element: HTMLElement;
  readonly #stops: (() => void)[] = [];
  /** The part of time that is pointed at, the same in all of them. */
  #current: number | null = null;
  readonly #redraws: (() => void)[] = [];
  readonly #reading = html("p", { class: "check-reading", "aria-live": "polite" });

  constructor(
    readonly figures: Figures,
    readonly horizon: number,
  ) {
    this.element = html("div", { class: "check-panels-inner" }, this.#totals());
    const series = solverSeries(figures.solver);
    const rows = series.filter((one) => one.values.some((value) => value > 0));
    if (rows.length === 0) {
      this.element.append(html("p", { class: "check-text quiet" }, "The solver was not asked: no box was explored."));
      return;
    }
    const multiples = html("div", { class: "check-multiples", tabindex: 0, role: "group", "aria-label": "the solver's work against simulated time; arrow keys move along time" });
    for (const one of rows) multiples.append(this.#multiple(one));
    multiples.addEventListener("keydown", (event) => this.#key(event, rows));
    this.element.append(multiples, this.#reading, this.#table(rows));
    this.#tell(rows);
  }

  destroy(): void {
    this.#stops.forEach((stop) => stop());
  }

  #totals(): HTMLDListElement {
    const { figures } = this;
    const { solver } = figures;
    const conflicts = solver.conflictsByLength.reduce((sum, entry) => sum + entry.count, 0);
    const all: [string, number | string][] = [
      ["simulations", figures.simulations],
      ["simulations that showed nothing", figures.failedSimulations],
      ["least robustness met", figures.leastRobustness === null ? "–" : short(figures.leastRobustness)],
      ["boxes explored", figures.boxes],
      ["steps enclosed", figures.steps],
      ["crossings", figures.crossings],
      ["jumps", figures.jumps],
      ["evolutions", figures.evolutions],
      ["calls of Satisfy", solver.calls],
      ["questions to SAT", solver.satCalls],
      ["questions to the theory", solver.theoryCalls],
      ["iterations", solver.iterations],
      ["conflict clauses learnt", conflicts],
    ];
    const list = html("dl", { class: "check-totals" });
    for (const [name, value] of all) {
      // Where nothing was enclosed, a row of zeros says no more than that.
      if (value === 0 && figures.boxes === 0) continue;
      const text = typeof value === "number" ? value.toLocaleString("en-US").replaceAll(",", "\u202f") : value;
      list.append(html("div", {}, html("dt", {}, name), html("dd", {}, text)));
    }
    return list;
  }

  #span(place: number): string {
    const parts = this.figures.solver.byTime.length;
    return `${short((this.horizon * place) / parts)} s to ${short((this.horizon * (place + 1)) / parts)} s`;
  }

  #multiple(series: Series): HTMLElement {
    const peak = most(series.values);
    const host = html("div", {});
    const figure = html("figure", {}, html("figcaption", {}, html("span", {}, series.title), html("span", { class: "quiet" }, `up to ${peak}`)), host);
    let width = 0;
    const draw = () => {
      if (width === 0) return;
      const wide = width / series.values.length;
      const drawing = svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, height: HEIGHT, width, role: "img", "aria-label": `${series.title}: ${series.values.join(", ")}` });
      series.values.forEach((value, place) => {
        const high = (value / peak) * (BASE - 4);
        const gap = Math.min(2, wide / 5);
        const bar = svg("rect", {
          x: place * wide + gap / 2,
          y: BASE - high,
          width: Math.max(wide - gap, 0.5),
          height: high,
          class: place === this.#current ? "bar is-current" : "bar",
        });
        drawing.append(bar);
      });
      drawing.append(
        svg("line", { x1: 0, x2: width, y1: BASE + 0.5, y2: BASE + 0.5, class: "frame" }),
        svg("text", { x: 0, y: HEIGHT - 5 }, "0"),
        svg("text", { x: width, y: HEIGHT - 5, "text-anchor": "end" }, `${short(this.horizon)} s`),
      );
      host.replaceChildren(drawing);
    };
    host.addEventListener("pointermove", (event) => {
      const box = host.getBoundingClientRect();
      const place = Math.floor(((event.clientX - box.left) / Math.max(box.width, 1)) * series.values.length);
      this.#point(Math.min(Math.max(place, 0), series.values.length - 1));
    });
    this.#redraws.push(draw);
    this.#stops.push(
      onWidth(host, (now) => {
        width = now;
        draw();
      }),
    );
    return figure;
  }

  #key(event: KeyboardEvent, rows: Series[]): void {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const last = (rows[0]?.values.length ?? 1) - 1;
    this.#point(Math.min(Math.max((this.#current ?? -by) + by, 0), last));
    event.preventDefault();
    event.stopPropagation();
  }

  #point(place: number): void {
    if (place === this.#current) return;
    this.#current = place;
    this.#redraws.forEach((draw) => draw());
    this.#tell(solverSeries(this.figures.solver).filter((one) => one.values.some((value) => value > 0)));
  }

  #tell(rows: Series[]): void {
    const place = this.#current;
    if (place === null) {
      say(this.#reading, "Point at a bar to read the figures of that part of simulated time.");
      return;
    }
    const each = rows.map((row) => `${row.title} ${row.values[place] ?? 0}`);
    say(this.#reading, html("b", {}, this.#span(place)), `: ${each.join(", ")}`);
  }

  #table(rows: Series[]): HTMLElement {
    const head = html("tr", {}, html("th", { scope: "col" }, "simulated time"));
    for (const row of rows) head.append(html("th", { scope: "col" }, row.title));
    const body = html("tbody", {});
    this.figures.solver.byTime.forEach((_, place) => {
      const line = html("tr", {}, html("th", { scope: "row" }, this.#span(place)));
      for (const row of rows) line.append(html("td", {}, String(row.values[place] ?? 0)));
      body.append(line);
    });
    return html("details", {}, html("summary", {}, "as a table"), html("div", { class: "check-scroll", tabindex: 0, role: "region", "aria-label": "table of the solver's figures" }, html("table", {}, html("thead", {}, head), body)));
  }
}
