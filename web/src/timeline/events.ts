// What happens at the moment, in words and numbers: where the run is, what it just did, what it does next, and a list of
// all instants.

import type { Cursor } from "../cursor";
import type { Transition } from "../data";
import { el, Frame, Undo, type Child } from "../shell/dom";
import { name } from "../shell/names";
import { counted, moment as written, number, short } from "../shell/numbers";
import { type Contacts, isImpulse, magnitude } from "../scene/forces";
import { familyOf, FAMILY_TEXT, lastInstant } from "./instants";
import { markIcon } from "./marks";
import type { Player } from "./player";

const ROW = 30;
/** Changes that are listed; a run of a thousand bodies may change thousands of signals at once. */
const MOST_ROWS = 60;

const KIND_TEXT: Readonly<Record<Transition["kind"], string>> = {
  impact: "impact",
  compute: "computation",
  after_impact: "after the impact",
  contact: "contact",
  settle: "settles",
  open: "opens",
  slip: "stick or slip",
  zeno: "Zeno limit",
  mode: "mode",
  event: "event",
};

export class EventsView {
  readonly #undo = new Undo();
  readonly #frame = new Frame(() => this.#show());
  readonly #now = el("section", { class: "dv-now", "aria-live": "off" });
  readonly #just = el("section", { class: "dv-card", "data-part": "just" });
  readonly #next = el("section", { class: "dv-card", "data-part": "next" });
  readonly #list = el("div", {
    class: "dv-instants",
    tabindex: 0,
    role: "listbox",
    "aria-label": "Instants at which something happens",
  });
  readonly #spacer = el("div", { class: "dv-spacer" });
  readonly #rows = el("div", { class: "dv-rows" });
  readonly #texts: ReadonlyMap<string, string>;
  #key = "";
  #current = -2;

  constructor(
    host: HTMLElement,
    readonly cursor: Cursor,
    readonly player: Player,
    readonly contacts: Contacts,
  ) {
    const { instants } = player;
    this.#texts = new Map(cursor.run.places.map((place) => [place.name, place.text]));
    const detail = el("div", { class: "dv-detail" }, this.#now, this.#just, this.#next);
    host.classList.add("dv-events");
    host.append(detail);
    if (instants.length > 0) {
      this.#spacer.style.height = `${instants.length * ROW}px`;
      this.#list.style.setProperty("--rows", `${instants.length * ROW}px`);
      this.#list.append(this.#spacer, this.#rows);
      host.append(
        el(
          "div",
          { class: "dv-instants-head" },
          `${counted(instants.length, "instant")}, ${counted(cursor.run.transitions.length, "transition")}`,
        ),
        this.#list,
      );
      this.#undo.listen(this.#list, "scroll", () => this.#drawRows(), { passive: true });
      this.#undo.listen(this.#list, "keydown", (event) => this.#keyed(event));
      this.#undo.resize(this.#list, () => this.#drawRows());
    }
    this.#undo.add(cursor.subscribe(() => this.#frame.ask()));
    this.#show();
    // An error there is told where the numbers of the run are read.
    void contacts.load(() => this.#frame.ask()).catch(() => undefined);
  }

  destroy(): void {
    this.#undo.run();
    this.#frame.cancel();
  }

  #show(): void {
    const { moment, run } = this.cursor;
    const taken = this.cursor.taken;
    this.#now.replaceChildren(
      el(
        "div",
        { class: "dv-moment" },
        el("span", { class: "dv-muted" }, "(t, n) = "),
        el("span", { class: "dv-num", title: `t = ${String(moment.t)}` }, written(moment)),
      ),
      ...this.#where(),
      ...this.#pushing(),
    );
    const key = `${taken}`;
    if (key !== this.#key) {
      this.#key = key;
      this.#card(this.#just, "Just taken", run.transitions[taken - 1]);
      this.#card(this.#next, "Next", run.transitions[taken]);
    }
    this.#currentRow();
  }

  /** The places of all machines. */
  #where(): HTMLElement[] {
    const { run } = this.cursor;
    return [...run.machines.keys()].slice(0, 50).flatMap((machine) => {
      const place = this.cursor.place(machine);
      if (place === null) return [];
      const text = this.#texts.get(place) ?? "";
      return [
        el("div", { class: "dv-where" }, name(place, { class: "dv-location" }), text !== "" && name(text, { class: "dv-muted" })),
      ];
    });
  }

  /** The forces of contacts that are closed now. */
  #pushing(): HTMLElement[] {
    const pushes = this.contacts.at(this.cursor.moment);
    if (pushes.length === 0) return [];
    const rows = pushes
      .slice(0, MOST_ROWS)
      .map(({ contact, vector }) => [name(contact), ...vector.map((part) => number(part)), number(Math.hypot(...vector))]);
    return [
      el("h4", {}, "Contact forces now", el("span", { class: "dv-muted" }, " in N, on the second body")),
      table(["contact", "x", "y", "z", "size"], rows),
      ...leftOut(pushes.length),
    ];
  }

  #card(host: HTMLElement, title: string, transition: Transition | undefined): void {
    if (transition === undefined) {
      host.replaceChildren(
        el("h3", {}, title),
        el("p", { class: "dv-muted" }, title === "Next" ? "Nothing happens any more." : "Nothing has happened yet."),
      );
      return;
    }
    const jump = el("button", { type: "button", class: "dv-small dv-quiet dv-num", title: "go there" }, written(transition));
    jump.addEventListener("click", () => {
      this.player.pause();
      this.cursor.set({ t: transition.t, n: transition.n + (title === "Next" ? 0 : 1) });
    });
    host.replaceChildren(
      el(
        "h3",
        {},
        title,
        markIcon(familyOf(transition)),
        el("span", { class: "dv-kind" }, KIND_TEXT[transition.kind]),
        el("span", { class: "dv-spring" }),
        jump,
      ),
      el(
        "p",
        { class: "dv-move" },
        ...moveOf(transition),
        transition.rule !== "" && el("span", { class: "dv-rule" }, "rule ", name(transition.rule)),
      ),
      facts([
        ["guard", transition.guard],
        ["reset", transition.reset],
        ["contacts", transition.contacts.join(", ")],
      ]),
      ...forcesTable(transition),
      ...changesTable(transition),
    );
  }

  #drawRows(): void {
    const { instants } = this.player;
    const first = Math.max(0, Math.floor(this.#list.scrollTop / ROW) - 4);
    const last = Math.min(instants.length, Math.ceil((this.#list.scrollTop + this.#list.clientHeight) / ROW) + 4);
    const rows: HTMLElement[] = [];
    for (let k = first; k < last; k++) {
      const instant = instants[k];
      if (instant === undefined) continue;
      const row = el(
        "div",
        {
          class: "dv-instant",
          role: "option",
          id: `dv-instant-${k}`,
          "aria-selected": String(k === this.#current),
          "data-t": String(instant.t),
        },
        markIcon(instant.family),
        el("span", { class: "dv-num" }, short(instant.t)),
        el("span", { class: "dv-muted dv-fill" }, FAMILY_TEXT[instant.family]),
        el("span", { class: "dv-muted dv-num" }, `${instant.count}`),
      );
      row.style.top = `${k * ROW}px`;
      row.title = `t = ${String(instant.t)}, ${counted(instant.count, "transition")}`;
      row.addEventListener("click", () => this.#go(k));
      rows.push(row);
    }
    this.#rows.replaceChildren(...rows);
  }

  #go(k: number): void {
    const instant = this.player.instants[k];
    if (instant === undefined) return;
    this.player.pause();
    this.cursor.set({ t: instant.t, n: this.cursor.run.transitions[instant.first]?.n ?? 0 });
  }

  #keyed(event: KeyboardEvent): void {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : undefined;
    if (by === undefined) return;
    event.preventDefault();
    this.#go(Math.min(this.player.instants.length - 1, Math.max(0, this.#current + by)));
  }

  #currentRow(): void {
    const { instants } = this.player;
    if (instants.length === 0) return;
    const { t } = this.cursor.moment;
    const before = lastInstant(instants, t);
    if (before === this.#current && this.#rows.childElementCount > 0) return;
    this.#current = before;
    const top = Math.max(0, before) * ROW;
    if (top < this.#list.scrollTop || top + ROW > this.#list.scrollTop + this.#list.clientHeight) {
      this.#list.scrollTop = top - this.#list.clientHeight / 2;
    }
    this.#list.setAttribute("aria-activedescendant", before >= 0 ? `dv-instant-${before}` : "");
    this.#drawRows();
  }
}

/** From where to where; an event that moves nothing stays where it is. */
function moveOf({ from, to }: Transition): HTMLElement[] {
  if (from === to) return [el("span", { class: "dv-muted" }, "in"), name(from)];
  return [name(from, { class: "dv-location" }), el("span", { class: "dv-muted" }, "→"), name(to, { class: "dv-location" })];
}

function facts(entries: [string, string][]): HTMLElement {
  const list = el("dl", { class: "dv-facts" });
  for (const [term, text] of entries)
    if (text !== "") list.append(el("dt", {}, term), el("dd", { class: "dv-code" }, name(text)));
  return list;
}

function table(head: string[], rows: Child[][]): HTMLElement {
  const cell = (child: Child, k: number, tag: "td" | "th") => el(tag, k > 0 ? { class: "dv-right" } : {}, child);
  return el(
    "div",
    { class: "dv-wide" },
    el(
      "table",
      { class: "dv-table" },
      el("thead", {}, el("tr", {}, ...head.map((text, k) => cell(text, k, "th")))),
      el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map((child, k) => cell(child, k, "td"))))),
    ),
  );
}

function forcesTable(transition: Transition): HTMLElement[] {
  if (transition.forces.length === 0) return [];
  const unit = isImpulse(transition) ? "N s" : "N";
  const rows = transition.forces
    .slice(0, MOST_ROWS)
    .map((force) => [
      name(force.contact),
      number(force.normal),
      number(force.tangential[0]),
      number(force.tangential[1]),
      number(magnitude(force)),
    ]);
  return [
    el("h4", {}, isImpulse(transition) ? "Impulses" : "Forces", el("span", { class: "dv-muted" }, ` in ${unit}`)),
    table(["contact", "normal", "tangential 1", "tangential 2", "size"], rows),
    ...leftOut(transition.forces.length),
  ];
}

function changesTable(transition: Transition): HTMLElement[] {
  if (transition.changes.length === 0) return [];
  const rows = transition.changes
    .slice(0, MOST_ROWS)
    .map((change) => [name(change.signal), number(change.before), number(change.after)]);
  return [el("h4", {}, "Changes"), table(["signal", "before", "after"], rows), ...leftOut(transition.changes.length)];
}

function leftOut(count: number): HTMLElement[] {
  return count > MOST_ROWS ? [el("p", { class: "dv-muted" }, `and ${count - MOST_ROWS} more`)] : [];
}
