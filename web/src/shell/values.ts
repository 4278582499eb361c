// All signals and their values at the moment, to search in. Only rows that are in sight are unpacked and kept up to date.

import type { LoadedRun } from "../columns";
import type { Cursor } from "../cursor";
import type { Signal } from "../data";
import { button, el, Frame, Undo } from "./dom";
import { name, plain } from "./names";
import { full, short } from "./numbers";

const ROW = 26;

export class ValuesView {
  readonly #undo = new Undo();
  readonly #frame = new Frame(() => this.#draw());
  readonly #search = el("input", { type: "search", placeholder: "Search signals", "aria-label": "Search signals" });
  readonly #list = el("div", { class: "dv-values", tabindex: 0, role: "region", "aria-label": "Values at the moment" });
  readonly #spacer = el("div", { class: "dv-spacer" });
  readonly #rows = el("div", { class: "dv-rows" });
  #found: readonly Signal[];
  readonly #asked = new Set<string>();
  readonly #broken = new Map<string, string>();

  constructor(
    host: HTMLElement,
    tools: HTMLElement,
    readonly loaded: LoadedRun,
    readonly cursor: Cursor,
  ) {
    this.#found = loaded.run.signals;
    this.#list.append(this.#spacer, this.#rows);
    host.append(el("div", { class: "dv-searchrow" }, this.#search), this.#list);
    tools.append(
      button("Copy", () => void this.#copy(), { class: "dv-small dv-quiet", title: "Copy names and values with all digits" }),
    );
    this.#undo.listen(this.#search, "input", () => this.#filter());
    this.#undo.listen(this.#list, "scroll", () => this.#frame.ask(), { passive: true });
    this.#undo.resize(this.#list, () => this.#frame.ask());
    this.#undo.add(cursor.subscribe(() => this.#frame.ask()));
    void loaded.ready.then(() => this.#filter()).catch(() => undefined);
  }

  destroy(): void {
    this.#undo.run();
    this.#frame.cancel();
  }

  #filter(): void {
    const words = this.#search.value
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== "");
    this.#found = this.loaded.run.signals.filter((signal) => words.every((word) => signal.name.toLowerCase().includes(word)));
    this.#spacer.style.height = `${Math.max(1, this.#found.length) * ROW}px`;
    this.#frame.ask();
  }

  #draw(): void {
    if (this.#list.clientHeight === 0) return;
    const { moment } = this.cursor;
    const first = Math.max(0, Math.floor(this.#list.scrollTop / ROW));
    const shown = this.#found.slice(first, first + Math.ceil(this.#list.clientHeight / ROW) + 1);
    this.#rows.replaceChildren(
      ...shown.map((signal, k) => {
        this.#want(signal.name);
        const known = this.loaded.cached(signal.name) !== null;
        const value = this.loaded.valueAt(signal.name, moment);
        const broken = this.#broken.get(signal.name);
        const row = el(
          "div",
          { class: "dv-value", "data-signal": signal.name },
          name(signal.name, { title: plain(signal.name) }),
          el(
            "span",
            { class: "dv-num", title: broken ?? (known ? full(value) : ""), "data-value": known ? full(value) : "" },
            broken !== undefined ? "unreadable" : known ? short(value) : "…",
          ),
          el("span", { class: "dv-muted" }, plain(signal.unit)),
        );
        row.style.top = `${(first + k) * ROW}px`;
        return row;
      }),
    );
    if (this.#found.length === 0)
      this.#rows.replaceChildren(el("p", { class: "dv-muted dv-none" }, "No signal has such a name."));
  }

  #want(signal: string): void {
    if (this.#asked.has(signal)) return;
    this.#asked.add(signal);
    this.loaded.column(signal).then(
      () => this.#frame.ask(),
      (error: unknown) => {
        this.#broken.set(signal, error instanceof Error ? error.message : String(error));
        this.#frame.ask();
      },
    );
  }

  /** What is found, with all digits, as lines of tab-separated name and value. */
  async #copy(): Promise<void> {
    const { moment } = this.cursor;
    const lines = [`t\t${full(moment.t)}`, `n\t${moment.n}`];
    for (const signal of this.#found) {
      await this.loaded.column(signal.name).catch(() => undefined);
      lines.push(`${signal.name}\t${full(this.loaded.valueAt(signal.name, moment))}`);
    }
    await navigator.clipboard?.writeText(lines.join("\n")).catch(() => undefined);
  }
}
