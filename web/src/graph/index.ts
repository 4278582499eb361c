// The drawings of the automaton or of actors and modes: where the run is lit, the edges it took drawn stronger, the last
// one strongest. A place tells when the run was there.

import type { Cursor } from "../cursor";
import type { Graph } from "../data";
import { button, choice, el, Frame, Undo } from "../shell/dom";
import { name, plain } from "../shell/names";
import { moment as written } from "../shell/numbers";
import { theme } from "../shell/theme";
import { shadowStyle } from "../style/graph";
import { parseDrawing, themed } from "./drawing";
import { Lights, visitsOf } from "./lights";
import { PanZoom } from "./panzoom";

const MOST_VISITS = 200;

interface Shown {
  undo: Undo;
  lights: Lights<SVGElement>;
  view: PanZoom;
}

export class GraphView {
  readonly #undo = new Undo();
  readonly #frame = new Frame(() => this.#light());
  readonly #stage = el("div", { class: "dv-graph", tabindex: 0, role: "group" });
  readonly #visits = el("div", { class: "dv-visits", hidden: true });
  readonly #host: HTMLElement;
  #shown: Shown | null = null;
  #lit: SVGElement[] = [];

  constructor(
    host: HTMLElement,
    tools: HTMLElement,
    readonly graphs: readonly Graph[],
    readonly cursor: Cursor,
  ) {
    this.#host = host;
    if (graphs.length > 1) {
      tools.append(
        choice<string>(
          "Which drawing",
          graphs.map((graph, k) => ({ value: String(k), text: plain(graph.title) })),
          "0",
          (k) => this.#open(Number(k)),
          { class: "dv-small dv-drawings" },
        ),
      );
    }
    tools.append(
      button("Nearer", () => this.#shown?.view.zoom(1 / 1.3), { class: "dv-small dv-quiet" }),
      button("Farther", () => this.#shown?.view.zoom(1.3), { class: "dv-small dv-quiet" }),
      button("Whole drawing", () => this.#shown?.view.fit(), { icon: "fit", key: "0", class: "dv-small dv-quiet" }),
    );
    host.append(this.#stage, this.#visits);
    this.#undo.add(cursor.subscribe(() => this.#frame.ask()));
    this.#open(0);
  }

  destroy(): void {
    this.#undo.run();
    this.#shown?.undo.run();
    this.#frame.cancel();
  }

  #open(place: number): void {
    this.#shown?.undo.run();
    this.#shown = null;
    this.#visits.hidden = true;
    const graph = this.graphs[place];
    const drawing = graph === undefined ? null : parseDrawing(graph.svg);
    // A fresh host for each drawing: a shadow root is for ever.
    const holder = el("div", { class: "dv-graph-holder" });
    this.#stage.replaceChildren(holder);
    if (drawing === null || graph === undefined) {
      holder.append(el("p", { class: "dv-empty" }, "This drawing cannot be read."));
      return;
    }
    this.#stage.setAttribute(
      "aria-label",
      `Drawing: ${plain(graph.title)}. Arrow keys move it, plus and minus zoom, 0 shows the whole.`,
    );
    const root = holder.attachShadow({ mode: "open" });
    root.append(drawing.svg);
    const undo = new Undo();
    const dress = (): void => {
      root.adoptedStyleSheets = [themed(drawing.style, theme() === "dark"), shadowSheet()];
      holder.dataset.theme = theme();
    };
    dress();
    undo.listen(document, "themechange" as keyof HTMLElementEventMap, dress);
    const places = byAttribute(drawing.svg, "data-light");
    const edges = byAttribute(drawing.svg, "data-edge");
    const lights = new Lights(this.cursor.run, places, edges, (element) => element.textContent ?? "");
    const view = new PanZoom(this.#stage, drawing.svg, drawing.width, drawing.height, undo);
    for (const [key, elements] of places) {
      for (const element of elements) {
        undo.listen(element, "click", (event) => {
          if (view.moved) return;
          event.stopPropagation();
          this.#showVisits(key, lights);
        });
      }
    }
    this.#shown = { undo, lights, view };
    this.#lit = [];
    this.#light();
  }

  #light(): void {
    const shown = this.#shown;
    if (shown === null) return;
    const { run, taken } = this.cursor;
    for (const element of this.#lit.splice(0)) element.classList.remove("dv-lit", "dv-last", "dv-taken");
    const add = (elements: readonly SVGElement[], token: string): void => {
      for (const element of elements) {
        element.classList.add(token);
        this.#lit.push(element);
      }
    };
    const now: string[] = [];
    for (const machine of run.machines.keys()) {
      const place = this.cursor.place(machine);
      const key = place === null ? null : shown.lights.light(place);
      if (key === null) continue;
      now.push(key);
      add(shown.lights.elements(key), "dv-lit");
    }
    for (const [element, from] of shown.lights.taken) if (from < taken) add([element], "dv-taken");
    const last = run.transitions[taken - 1];
    const edge = last === undefined ? null : shown.lights.edge(last);
    if (last !== undefined) add(shown.lights.edgeElements(last), "dv-last");
    this.#stage.dataset.lit = now.join(" ");
    this.#stage.dataset.last = edge ?? "";
  }

  #showVisits(key: string, lights: Lights<SVGElement>): void {
    const visits = visitsOf(this.cursor.run, lights, key);
    const list = el("ul", {});
    for (const visit of visits.slice(0, MOST_VISITS)) {
      const jump = el(
        "button",
        { type: "button", class: "dv-small dv-quiet" },
        el("span", { class: "dv-num" }, written(visit)),
        name(visit.place),
      );
      jump.addEventListener("click", () => this.cursor.set(visit));
      list.append(el("li", {}, jump));
    }
    const close = button(
      "Close",
      () => {
        this.#visits.hidden = true;
        this.#stage.focus();
      },
      { class: "dv-small dv-quiet" },
    );
    this.#visits.replaceChildren(
      el(
        "header",
        {},
        el("strong", {}, name(key)),
        el(
          "span",
          { class: "dv-muted" },
          visits.length === 0 ? "never visited" : visits.length === 1 ? "one visit" : `${visits.length} visits`,
        ),
        el("span", { class: "dv-spring" }),
        close,
      ),
      list,
      ...(visits.length > MOST_VISITS ? [el("p", { class: "dv-muted" }, `the first ${MOST_VISITS} are listed`)] : []),
    );
    this.#visits.hidden = false;
    this.#host.dataset.visits = key;
  }
}

let sheet: CSSStyleSheet | null = null;

function shadowSheet(): CSSStyleSheet {
  if (sheet === null) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(shadowStyle);
  }
  return sheet;
}

function byAttribute(root: SVGElement, attribute: string): Map<string, SVGElement[]> {
  const found = new Map<string, SVGElement[]>();
  for (const element of root.querySelectorAll<SVGElement>(`[${attribute}]`)) {
    const key = element.getAttribute(attribute) ?? "";
    const known = found.get(key);
    if (known === undefined) found.set(key, [element]);
    else known.push(element);
  }
  return found;
}
