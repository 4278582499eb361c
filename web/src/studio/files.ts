// The list of files to open: the folder's models, and the shipped examples.

import { button, el } from "../shell/dom";
import { name as named } from "../shell/names";
import type { Api, FileList, StudioFacts } from "./api";

export interface FilesEvents {
  open(path: string, isExample: boolean): void;
  create(): void;
  saveAs(): void;
  format(): void;
}

/** As people sort: 2 before 10. */
const byName = new Intl.Collator("en", { numeric: true });

export class FileDrawer {
  readonly root: HTMLDialogElement;
  readonly #list: HTMLElement;
  readonly #filter: HTMLInputElement;
  readonly #api: Api;
  readonly #facts: StudioFacts;
  readonly #events: FilesEvents;
  #files: FileList = { files: [], hasMore: false };

  constructor(api: Api, facts: StudioFacts, events: FilesEvents) {
    this.#api = api;
    this.#facts = facts;
    this.#events = events;
    this.#filter = el("input", { type: "search", class: "st-wide", placeholder: "Filter", "aria-label": "Filter files" });
    this.#filter.addEventListener("input", () => this.#fill());
    this.#filter.addEventListener("keydown", (event) => this.#onKey(event));
    this.#list = el("div", { class: "st-files" });
    this.#list.addEventListener("keydown", (event) => this.#onKey(event));
    this.root = el(
      "dialog",
      { class: "st-drawer", "aria-label": "Files" },
      el(
        "header",
        {},
        el("h2", {}, "Files"),
        button("New model", () => this.#leave(() => events.create()), { class: "dv-small", "data-act": "new" }),
        button("Save as", () => this.#leave(() => events.saveAs()), { class: "dv-small" }),
        button("Format", () => this.#leave(() => events.format()), { class: "dv-small" }),
        button("Close", () => this.root.close(), { class: "dv-small dv-quiet" }),
      ),
      this.#filter,
      this.#list,
    );
    // A click beside the drawer closes it.
    this.root.addEventListener("click", (event) => {
      if (event.target === this.root) this.root.close();
    });
  }

  async open(): Promise<void> {
    this.#filter.value = "";
    this.#fill();
    this.root.showModal();
    this.#filter.focus();
    await this.refresh();
  }

  async refresh(): Promise<FileList> {
    this.#files = await this.#api.files();
    this.#files.files.sort((a, b) => byName.compare(a.path, b.path));
    this.#fill();
    return this.#files;
  }

  #leave(act: () => void): void {
    this.root.close();
    act();
  }

  #fill(): void {
    const wanted = this.#filter.value.toLowerCase();
    const isWanted = (text: string): boolean => text.toLowerCase().includes(wanted);
    const own = this.#files.files.filter((file) => isWanted(file.path));
    const examples = this.#facts.examples.filter((example) => isWanted(`${example.file} ${example.about}`));
    const empty = this.#files.files.length === 0 ? "No models here yet. Begin with New model, or open an example." : "None fits.";
    this.#list.replaceChildren(
      el("h3", {}, "In ", named(this.#facts.folder, { class: "dv-code", title: this.#facts.folder })),
      ...(own.length === 0 ? [el("p", { class: "dv-muted" }, empty)] : own.map((file) => this.#item(file.path, "", false))),
      ...(this.#files.hasMore ? [el("p", { class: "dv-muted" }, "There are more; these are the first.")] : []),
      el("h3", {}, "Shipped examples"),
      ...(examples.length === 0 ? [el("p", { class: "dv-muted" }, "None fits.")] : []),
      ...examples.map((example) => this.#item(example.file, example.about, true)),
    );
  }

  #item(path: string, about: string, isExample: boolean): HTMLElement {
    const item = el("button", { type: "button", class: "st-file dv-quiet", "data-path": path, "data-example": isExample }, named(path, { class: "dv-code" }), about === "" ? null : el("span", { class: "dv-muted" }, about));
    item.addEventListener("click", () => this.#leave(() => this.#events.open(path, isExample)));
    return item;
  }

  /** Arrows move through the list, Enter in the filter opens the first. */
  #onKey(event: KeyboardEvent): void {
    const items = [...this.#list.querySelectorAll<HTMLButtonElement>(".st-file")];
    const place = items.indexOf(document.activeElement as HTMLButtonElement);
    if (event.key === "ArrowDown") items[Math.min(place + 1, items.length - 1)]?.focus();
    else if (event.key === "ArrowUp" && place > 0) items[place - 1]?.focus();
    else if (event.key === "ArrowUp") this.#filter.focus();
    else if (event.key === "Enter" && event.target === this.#filter) items[0]?.click();
    else return;
    event.preventDefault();
  }
}
