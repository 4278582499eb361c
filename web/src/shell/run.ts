// All views of one run, around one moment.

import { LoadedRun } from "../columns";
import { Cursor } from "../cursor";
import type { PageSource, Run } from "../data";
import { GraphView } from "../graph";
import { PlotsView } from "../plots";
import { type SceneLook, SceneView } from "../scene";
import { Contacts } from "../scene/forces";
import { EventsView } from "../timeline/events";
import { ModesView, rowsOf } from "../timeline/modes";
import { type AtEvents, Player } from "../timeline/player";
import { TimelineView } from "../timeline";
import { aboutRun } from "./about";
import { el } from "./dom";
import { type PanelId, Panels } from "./panels";
import { ValuesView } from "./values";

/** What the reader chose, such that the next run of the same model looks the same. */
export interface Look {
  panel: PanelId | null;
  scene: SceneLook | null;
  speed: number;
  loop: boolean;
  atEvents: AtEvents;
}

export class RunView {
  readonly element = el("div", { class: "dv-run" });
  /** Stays at the bottom of the window, so it comes last in the page. */
  readonly foot = el("footer", { class: "dv-foot" });
  readonly cursor: Cursor;
  readonly player: Player;
  readonly #views: { destroy(): void }[] = [];
  readonly #panels: Panels;
  readonly #scene: SceneView | null = null;

  /** In the document from the start: views read colours and sizes while they are made. */
  constructor(host: HTMLElement, footHost: HTMLElement, source: PageSource, run: Run, look: Look | null) {
    const loaded = new LoadedRun(source, run);
    const cursor = new Cursor(run);
    this.cursor = cursor;
    const contacts = new Contacts(loaded);
    this.player = new Player(cursor);
    if (look !== null) this.#resume(look);
    this.#views.push(this.player);
    const panels = new Panels();
    this.#panels = panels;
    this.#views.push(panels);
    this.element.append(panels.element, aboutRun(run));
    host.append(this.element);
    footHost.append(this.foot);
    if (run.bodies.length > 0) {
      const { body, tools } = panels.add("scene", "Scene");
      this.#scene = new SceneView(body, tools, loaded, cursor, contacts, look?.scene ?? null);
      this.#views.push(this.#scene);
    }
    if (run.signals.length > 0) {
      const { body } = panels.add("plots", "Plots");
      this.#views.push(new PlotsView(body, loaded, cursor));
    }
    const { body: events } = panels.add("events", "Events");
    this.#views.push(new EventsView(events, cursor, this.player, contacts));
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
      this.element.prepend(
        el(
          "p",
          { class: "dv-note", role: "alert" },
          `The numbers of this run cannot be read: ${error instanceof Error ? error.message : String(error)}`,
        ),
      );
    });
    if (look?.panel) panels.show(look.panel);
    if (run.mark !== null) cursor.setTime(run.mark.t);
  }

  #resume({ speed, loop, atEvents }: Look): void {
    if (this.player.speeds.includes(speed)) this.player.speed = speed;
    this.player.loop = loop;
    this.player.atEvents = atEvents;
  }

  get look(): Look {
    const { speed, loop, atEvents } = this.player;
    return { panel: this.#panels.active, scene: this.#scene?.look ?? null, speed, loop, atEvents };
  }

  destroy(): void {
    for (const view of this.#views.splice(0).reverse()) view.destroy();
    this.element.remove();
    this.foot.remove();
  }
}
