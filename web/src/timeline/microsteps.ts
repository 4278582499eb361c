// The microsteps of the instant one is at, as a row: places, and between them the edges that are taken.

import type { Cursor } from "../cursor";
import type { Transition } from "../data";
import { el } from "../shell/dom";
import { name, plain } from "../shell/names";
import { counted, short } from "../shell/numbers";
import { lastInstant } from "./instants";
import type { Player } from "./player";

/** Microsteps that are shown at once; an instant may have thousands. */
const WINDOW = 48;

interface Step {
  n: number;
  transitions: Transition[];
}

export class Microsteps {
  readonly element = el("div", { class: "dv-microsteps", role: "group", "aria-label": "Microsteps of this instant" });
  #shown: { t: number; from: number; idle: boolean } | null = null;
  #steps: Step[] = [];
  #places: { n: number; element: HTMLElement }[] = [];
  #edges: { n: number; element: HTMLElement }[] = [];

  constructor(
    readonly cursor: Cursor,
    readonly player: Player,
  ) {
    // Nothing ever happens: no row to keep free for it.
    this.element.hidden = cursor.run.transitions.length === 0;
  }

  destroy(): void {
    this.element.replaceChildren();
  }

  show(): void {
    if (this.element.hidden) return;
    const { moment } = this.cursor;
    const { instants } = this.player;
    const here = lastInstant(instants, moment.t);
    const instant = instants[here];
    if (instant === undefined || instant.t !== moment.t) {
      this.#idle(instants[here + 1]);
      return;
    }
    if (this.#shown?.t !== instant.t || this.#shown.idle) {
      this.#steps = stepsOf(this.cursor.run.transitions.slice(instant.first, instant.first + instant.count));
      this.#build(instant.t, 0);
    }
    this.#scrollWindow(moment.n);
    this.#light(moment.n);
  }

  #idle(next: { t: number; count: number } | undefined): void {
    const t = next?.t ?? Infinity;
    if (this.#shown?.idle === true && this.#shown.t === t) return;
    this.#shown = { t, from: 0, idle: true };
    this.#places = [];
    this.#edges = [];
    this.element.replaceChildren(
      el(
        "span",
        { class: "dv-muted dv-hint" },
        next === undefined ? "Nothing happens any more." : `Next at t = ${short(next.t)}: ${counted(next.count, "transition")}`,
      ),
    );
  }

  /** Keeps the current microstep among those that are built. */
  #scrollWindow(n: number): void {
    const shown = this.#shown;
    if (shown === null || this.#steps.length <= WINDOW) return;
    const at = this.#steps.findIndex((step) => step.n + 1 >= n);
    const here = at < 0 ? this.#steps.length - 1 : at;
    if (here >= shown.from + 2 && here < shown.from + WINDOW - 2) return;
    const from = Math.min(Math.max(0, here - WINDOW / 2), this.#steps.length - WINDOW);
    if (from !== shown.from) this.#build(shown.t, from);
  }

  #build(t: number, from: number): void {
    this.#shown = { t, from, idle: false };
    this.#places = [];
    this.#edges = [];
    const row = el("ol");
    const steps = this.#steps.slice(from, from + WINDOW);
    const first = steps[0];
    if (from > 0) row.append(el("li", { class: "dv-muted" }, `${from} earlier …`));
    if (first !== undefined) row.append(this.#place(t, first.n, endsOf(first, "from")));
    for (const step of steps) {
      row.append(this.#edge(t, step), this.#place(t, step.n + 1, endsOf(step, "to")));
    }
    const later = this.#steps.length - from - steps.length;
    if (later > 0) row.append(el("li", { class: "dv-muted" }, `… ${later} more`));
    this.element.replaceChildren(row);
  }

  #place(t: number, n: number, texts: string[]): HTMLElement {
    const element = el(
      "button",
      { type: "button", class: "dv-place", "data-n": n, "data-place": texts.join("; "), title: `microstep ${n}` },
      el("small", {}, String(n)),
      ...texts.slice(0, 3).map((text) => name(text)),
      texts.length > 3 && el("small", {}, `+${texts.length - 3}`),
    );
    element.addEventListener("click", () => {
      this.player.pause();
      this.cursor.set({ t, n });
    });
    this.#places.push({ n, element });
    return el("li", {}, element);
  }

  #edge(t: number, step: Step): HTMLElement {
    const [first] = step.transitions;
    const label =
      first === undefined
        ? ""
        : step.transitions.length > 1
          ? `${step.transitions.length} transitions`
          : first.kind.replace("_", " ");
    const guard = step.transitions.map((transition) => plain(transition.guard)).join("\n");
    const element = el("button", { type: "button", class: "dv-edge", title: guard === "" ? label : `guard: ${guard}` }, label);
    element.addEventListener("click", () => {
      this.player.pause();
      this.cursor.set({ t, n: step.n + 1 });
    });
    this.#edges.push({ n: step.n + 1, element });
    return el("li", { class: "dv-edge-item" }, element);
  }

  #light(n: number): void {
    let current: HTMLElement | null = null;
    for (const place of this.#places) if (place.n <= n) current = place.element;
    for (const { element } of this.#places) {
      if (element === current) element.setAttribute("aria-current", "step");
      else element.removeAttribute("aria-current");
    }
    for (const edge of this.#edges) edge.element.classList.toggle("dv-taken", edge.n <= n);
    for (const edge of this.#edges) edge.element.classList.toggle("dv-just", edge.n === n);
    if (current === null) return;
    // Only this row scrolls, never the page.
    const row = this.element;
    const left = current.offsetLeft - row.offsetLeft;
    if (left < row.scrollLeft + 60 || left + current.offsetWidth > row.scrollLeft + row.clientWidth - 60) {
      row.scrollLeft = left - row.clientWidth / 2 + current.offsetWidth / 2;
    }
  }
}

/** The places that a microstep leads from or to, each once; of events that move nothing only if nothing else happens. */
function endsOf(step: Step, end: "from" | "to"): string[] {
  const moves = step.transitions.filter((transition) => transition.from !== transition.to);
  return [...new Set((moves.length > 0 ? moves : step.transitions).map((transition) => transition[end]))];
}

/** Transitions of one instant by microstep: several machines may move in the same one. */
export function stepsOf(transitions: readonly Transition[]): Step[] {
  const steps: Step[] = [];
  for (const transition of transitions) {
    const last = steps[steps.length - 1];
    if (last !== undefined && last.n === transition.n) last.transitions.push(transition);
    else steps.push({ n: transition.n, transitions: [transition] });
  }
  return steps;
}
