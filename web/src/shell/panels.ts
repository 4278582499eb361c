// Panels and their order: in columns on a wide screen, as tabs on a narrow one. A panel without content is not made.

import { button, el, Undo } from "./dom";

export type PanelId = "scene" | "plots" | "graph" | "events" | "values" | "modes";

export interface Panel {
  id: PanelId;
  body: HTMLElement;
  tools: HTMLElement;
}

/** Which panels lie below each other, by how many columns there are room for. */
const COLUMNS: readonly (readonly (readonly PanelId[])[])[] = [
  [["scene", "plots", "events", "graph", "modes", "values"]],
  [
    ["scene", "plots", "modes"],
    ["events", "graph", "values"],
  ],
  [["scene", "graph", "modes"], ["plots"], ["events", "values"]],
];
/** The least width for two and for three columns, in pixels. */
const WIDE = [980, 1560] as const;

export class Panels {
  readonly element = el("div", { class: "dv-main" });
  readonly #undo = new Undo();
  readonly #grid = el("div", { class: "dv-grid" });
  readonly #tabs = el("div", { class: "dv-tabs", role: "tablist", "aria-label": "Parts of the page" });
  readonly #panels = new Map<PanelId, HTMLElement>();

  constructor() {
    this.element.append(this.#tabs, this.#grid);
    this.#tabs.addEventListener("keydown", (event) => this.#key(event));
    this.#undo.resize(this.element, (width) => {
      if (width > 0) this.#arrange(width >= WIDE[1] ? 3 : width >= WIDE[0] ? 2 : 1);
    });
  }

  destroy(): void {
    this.#undo.run();
  }

  /** Puts the panels into so many columns; a column that would be empty is left out. */
  #arrange(columns: number): void {
    if (this.#grid.dataset.columns === String(columns)) return;
    this.#grid.dataset.columns = String(columns);
    const made = (COLUMNS[columns - 1] ?? []).map((ids) =>
      el("div", { class: "dv-column" }, ...ids.map((id) => this.#panels.get(id))),
    );
    this.#grid.replaceChildren(...made.filter((column) => column.childElementCount > 0));
  }

  /** Makes a panel; the first becomes the one a narrow screen shows. */
  add(id: PanelId, title: string): Panel {
    const tools = el("span", { class: "dv-tools" });
    const body = el("div", { class: "dv-body" });
    const grow = button("Larger or smaller", () => this.#grow(id), {
      icon: "grow",
      class: "dv-small dv-quiet dv-grow",
      "aria-pressed": "false",
    });
    const panel = el(
      "section",
      { class: `dv-panel dv-panel-${id}`, id: `dv-panel-${id}`, "data-panel": id, "aria-label": title },
      el("header", {}, el("h2", {}, title), el("span", { class: "dv-spring" }), tools, grow),
      body,
    );
    const tab = el(
      "button",
      { type: "button", role: "tab", id: `dv-tab-${id}`, "data-tab": id, "aria-controls": `dv-panel-${id}` },
      title,
    );
    tab.addEventListener("click", () => this.show(id));
    this.#panels.set(id, panel);
    this.#tabs.append(tab);
    this.#grid.append(panel);
    if (this.#panels.size === 1) this.show(id);
    else this.#mark();
    return { id, body, tools };
  }

  get active(): PanelId | null {
    return (this.#grid.dataset.active as PanelId | undefined) ?? null;
  }

  show(id: PanelId): void {
    if (!this.#panels.has(id)) return;
    this.#grid.dataset.active = id;
    this.#mark();
  }

  #mark(): void {
    const active = this.#grid.dataset.active;
    for (const [id, panel] of this.#panels) panel.classList.toggle("dv-active", id === active);
    for (const tab of this.#tabs.querySelectorAll<HTMLElement>("[role=tab]")) {
      const on = tab.dataset.tab === active;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
    }
  }

  /** One panel over the whole width and height of the window, or all of them again. */
  #grow(id: PanelId): void {
    const grown = this.#grid.dataset.grown === id ? "" : id;
    this.#grid.dataset.grown = grown;
    for (const [each, panel] of this.#panels) {
      panel.classList.toggle("dv-grown", each === grown);
      panel.querySelector(".dv-grow")?.setAttribute("aria-pressed", String(each === grown));
    }
  }

  #key(event: KeyboardEvent): void {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const ids = [...this.#panels.keys()];
    const here = ids.indexOf(this.#grid.dataset.active as PanelId);
    const next = ids[(here + by + ids.length) % ids.length];
    if (next === undefined) return;
    this.show(next);
    this.#tabs.querySelector<HTMLElement>(`[data-tab=${next}]`)?.focus();
  }
}
