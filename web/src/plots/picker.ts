// A list of all signals to choose from: searched as one types, by keys or by pointer.

import type { Signal } from "../data";
import { el, Undo } from "../shell/dom";
import { name, plain } from "../shell/names";

/** Rows that are listed; the rest is counted, and found by typing. */
const MOST_ROWS = 200;

let pickers = 0;

export interface PickerWishes {
  chosen(name: string): boolean;
  toggle(name: string): void;
  closed(): void;
}

export class Picker {
  readonly element: HTMLElement;
  readonly #undo = new Undo();
  readonly #search: HTMLInputElement;
  readonly #list: HTMLElement;
  readonly #more = el("div", { class: "pl-more dv-muted", hidden: true });
  readonly #signals: readonly Signal[];
  readonly #wishes: PickerWishes;
  #rows: { signal: Signal; row: HTMLElement }[] = [];
  #active = 0;

  /** `label` says what is chosen for. It has the focus from the start, and closes when it loses it. */
  constructor(signals: readonly Signal[], label: string, wishes: PickerWishes) {
    this.#signals = signals;
    this.#wishes = wishes;
    const id = `pl-picker-${++pickers}`;
    this.#list = el("div", { class: "pl-list", role: "listbox", id, "aria-multiselectable": "true", "aria-label": label });
    this.#search = el("input", {
      type: "search",
      placeholder: "Search signals",
      "aria-label": `Search signals: ${label}`,
      role: "combobox",
      "aria-expanded": "true",
      "aria-controls": id,
      autocomplete: "off",
      spellcheck: "false",
    });
    this.element = el("div", { class: "pl-picker", role: "dialog", "aria-label": label }, this.#search, this.#list, this.#more);
    this.#undo.listen(this.#search, "input", () => this.#fill());
    this.#undo.listen(this.element, "keydown", (event) => this.#key(event));
    this.#undo.listen(this.element, "focusout", (event) => {
      if (!(event.relatedTarget instanceof Node && this.element.contains(event.relatedTarget))) this.#wishes.closed();
    });
    // A press on a row does not take the focus from the search.
    this.#undo.listen(this.#list, "pointerdown", (event) => event.preventDefault());
    this.#fill();
  }

  focus(): void {
    this.#search.focus();
  }

  destroy(): void {
    this.#undo.run();
    this.element.remove();
  }

  #fill(): void {
    const words = this.#search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.#signals.filter(({ name: of, kind, unit }) => {
      const text = `${of} ${kind} ${unit}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    this.#rows = found.slice(0, MOST_ROWS).map((signal, k) => {
      const row = el(
        "div",
        { role: "option", id: `${this.#list.id}-${k}`, class: "pl-row", "data-signal": signal.name },
        el("span", { class: "pl-tick", "aria-hidden": "true" }),
        name(signal.name, { class: "pl-name", title: plain(signal.name) }),
        el("span", { class: "dv-muted" }, [signal.kind === "signal" ? "" : signal.kind, signal.unit].filter(Boolean).join(", ")),
      );
      row.addEventListener("click", () => this.#toggle(k));
      return { signal, row };
    });
    this.#list.replaceChildren(...this.#rows.map(({ row }) => row));
    const left = found.length - this.#rows.length;
    this.#more.hidden = left === 0 && found.length > 0;
    this.#more.textContent = found.length === 0 ? "No signal has such a name" : `and ${left} more: type to find them`;
    this.#activate(0);
    this.#tick();
  }

  #tick(): void {
    for (const { signal, row } of this.#rows) row.setAttribute("aria-selected", String(this.#wishes.chosen(signal.name)));
  }

  #toggle(k: number): void {
    const row = this.#rows[k];
    if (row === undefined) return;
    this.#activate(k);
    this.#wishes.toggle(row.signal.name);
    this.#tick();
  }

  #activate(k: number): void {
    this.#rows[this.#active]?.row.classList.remove("pl-active");
    this.#active = Math.max(0, Math.min(k, this.#rows.length - 1));
    const row = this.#rows[this.#active]?.row;
    row?.classList.add("pl-active");
    row?.scrollIntoView({ block: "nearest" });
    this.#search.setAttribute("aria-activedescendant", row?.id ?? "");
  }

  #key(event: KeyboardEvent): void {
    // Keys of the page, such as the player's, are not meant while one types.
    event.stopPropagation();
    const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 };
    const by = moves[event.key];
    if (by !== undefined) this.#activate(this.#active + by);
    else if (event.key === "Enter") this.#toggle(this.#active);
    else if (event.key === "Escape") this.#wishes.closed();
    else return;
    event.preventDefault();
  }
}
