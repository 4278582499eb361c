// All views of one run, around one moment.

import { LoadedRun } from "../columns";
import { Cursor } from "../cursor";
import type { PageSource, Run } from "../data";
import { GraphView } from "../graph";
import { PlotsView } from "../plots";
import { SceneView } from "../scene";
import { EventsView } from "../timeline/events";
import { ModesView, rowsOf } from "../timeline/modes";
import { Player } from "../timeline/player";
import { TimelineView } from "../timeline";
import { aboutRun } from "./about";
import { el } from "./dom";
import { Panels } from "./panels";
import { ValuesView } from "./values";

export class RunView {
  readonly element = el("div", { class: "dv-run" });
  /** Stays at the bottom of the window, so it comes last in the page. */
  readonly foot = el("footer", { class: "dv-foot" });
  readonly cursor: Cursor;
  readonly player: Player;
  readonly #views: { destroy(): void }[] = [];

  /** In the document from the start: views read colours and sizes while they are made. */
  constructor(host: HTMLElement, footHost: HTMLElement, source: PageSource, run: Run) {
    const loaded = new LoadedRun(source, run);
    const cursor = new Cursor(run);
    this.cursor = cursor;
    this.player = new Player(cursor);
    this.#views.push(this.player);
    const panels = new Panels();
    this.#views.push(panels);
    this.element.append(panels.element, aboutRun(run));
    host.append(this.element);
    footHost.append(this.foot);
    if (run.bodies.length > 0) {
      const { body, tools } = panels.add("scene", "Scene");
      this.#views.push(new SceneView(body, tools, loaded, cursor));
    }
    if (run.signals.length > 0) {
      const { body } = panels.add("plots", "Plots");
      this.#views.push(new PlotsView(body, loaded, cursor));
    }
    const { body: events } = panels.add("events", "Events");
    this.#views.push(new EventsView(events, cursor, this.player));
    if (source.page.graphs.length > 0) {
      const { body, tools } = panels.add("graph", source.page.kind === "actors" ? "Actors and modes" : "Automaton");
      this.#views.push(new GraphView(body, tools, source.page.graphs, cursor));
    }
    if (rowsOf(run).length > 0) {
      const { body } = panels.add("modes", "Modes over time");
      this.#views.push(new ModesView(body, cursor));
    }
    if (run.signals.length > 0) {
      const { body, tools } = panels.add("values", "Values");
      this.#views.push(new ValuesView(body, tools, loaded, cursor));
    }
    this.#views.push(new TimelineView(this.foot, cursor, this.player));
    loaded.ready.catch((error: unknown) => {
      this.element.prepend(el("p", { class: "dv-note", role: "alert" }, `The numbers of this run cannot be read: ${error instanceof Error ? error.message : String(error)}`));
    });
    if (run.mark !== null) cursor.setTime(run.mark.t);
  }

  destroy(): void {
    for (const view of this.#views.splice(0).reverse()) view.destroy();
    this.element.remove();
    this.foot.remove();
  }
}
