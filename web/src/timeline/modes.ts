// Modes over time: a row for each machine, a labelled stretch for each mode. What is narrower than a pixel is merged, so
// that a machine that chatters costs no more to draw than one that rests.

import type { Cursor } from "../cursor";
import type { Run } from "../data";
import { el, Frame, svg, Undo } from "../shell/dom";
import { name, plain } from "../shell/names";
import { full, short } from "../shell/numbers";
import { ticks } from "./instants";

export interface Stretch {
  from: number;
  to: number;
  /** Null while the mode that the machine lies in is not active. */
  place: string | null;
  /** How many stretches were merged into it. */
  merged: number;
}

/** Machines that have a row: all but the automaton of bodies. */
export function rowsOf(run: Run): number[] {
  return [...run.machines.keys()].filter((k) => run.machines[k]?.name !== "");
}

/** The modes of a machine over the run. Places it only passes through at one instant last no time. */
export function stretchesOf(run: Run, machine: number): Stretch[] {
  const of = run.machines[machine];
  if (of === undefined) return [];
  const made: Stretch[] = [];
  const changes = [{ t: run.from, place: of.initial }, ...of.moves];
  for (const [k, { t, place }] of changes.entries()) {
    const to = changes[k + 1]?.t ?? run.to;
    if (to <= t) continue;
    const last = made[made.length - 1];
    if (last !== undefined && last.place === place && last.to === t) last.to = to;
    else made.push({ from: t, to, place, merged: 1 });
  }
  return made;
}

/** Merges stretches that are narrower than some time. */
export function merge(stretches: readonly Stretch[], least: number): Stretch[] {
  const made: Stretch[] = [];
  for (const stretch of stretches) {
    const last = made[made.length - 1];
    const narrow = stretch.to - stretch.from < least;
    if (last !== undefined && narrow && (last.merged > 1 || last.to - last.from < least)) {
      last.to = stretch.to;
      last.merged += 1;
    } else {
      made.push({ ...stretch });
    }
  }
  return made;
}

const ROW = 26;

export class ModesView {
  readonly #undo = new Undo();
  readonly #frame = new Frame(() => this.#show());
  readonly #rows: {
    machine: number;
    stretches: Stretch[];
    colours: Map<string, number>;
    lane: SVGSVGElement;
    now: HTMLElement;
    head: SVGLineElement;
  }[] = [];
  readonly #axis = svg("svg", { class: "dv-modes-axis", height: 20, "aria-hidden": "true" });
  #width = 0;

  constructor(
    host: HTMLElement,
    readonly cursor: Cursor,
  ) {
    const { run } = cursor;
    const grid = el("div", { class: "dv-modes" });
    for (const machine of rowsOf(run)) {
      const stretches = stretchesOf(run, machine);
      const colours = new Map<string, number>();
      for (const { place } of stretches) if (place !== null && !colours.has(place)) colours.set(place, colours.size % 7);
      const title = run.machines[machine]?.name ?? "";
      const lane = svg("svg", { height: ROW, role: "img", "aria-label": `modes of ${plain(title)} over time` });
      const head = svg("line", { class: "dv-modes-head", y1: 0, y2: ROW });
      const now = el("span", { class: "dv-mode-now" });
      grid.append(el("div", { class: "dv-mode-name" }, name(title), now), el("div", { class: "dv-lane" }, lane));
      this.#rows.push({ machine, stretches, colours, lane, now, head });
      this.#undo.listen(lane, "pointerdown", (event) => {
        const box = lane.getBoundingClientRect();
        cursor.setTime(run.from + ((event.clientX - box.left) / Math.max(1, box.width)) * (run.to - run.from));
      });
    }
    grid.append(el("div"), el("div", { class: "dv-lane" }, this.#axis));
    host.append(grid);
    this.#undo.resize(grid, () => this.#resize());
    this.#undo.add(cursor.subscribe(() => this.#frame.ask()));
    this.#show();
  }

  destroy(): void {
    this.#undo.run();
    this.#frame.cancel();
  }

  #resize(): void {
    const width = this.#axis.parentElement?.clientWidth ?? 0;
    if (width === 0 || width === this.#width) return;
    this.#width = width;
    const { from, to } = this.cursor.run;
    const x = (t: number) => (to > from ? ((t - from) / (to - from)) * width : 0);
    for (const { lane, stretches, colours, head, machine } of this.#rows) {
      lane.setAttribute("width", String(width));
      const own = this.cursor.run.machines[machine]?.name ?? "";
      const parts = merge(stretches, ((to - from) / width) * 1.5).filter(
        (stretch) => stretch.place !== null || stretch.merged > 1,
      );
      lane.replaceChildren(
        ...parts.map((stretch) =>
          drawStretch(stretch, colours.get(stretch.place ?? "") ?? 0, x, shorten(stretch.place ?? "", own)),
        ),
        head,
      );
    }
    this.#axis.setAttribute("width", String(width));
    this.#axis.replaceChildren(
      ...ticks(from, to, width / 90).map((t) => svg("text", { x: Math.min(width - 12, Math.max(4, x(t))), y: 14 }, short(t, 5))),
    );
    this.#show();
  }

  #show(): void {
    const { moment, run } = this.cursor;
    const x = run.to > run.from ? ((moment.t - run.from) / (run.to - run.from)) * this.#width : 0;
    for (const { head, now, machine } of this.#rows) {
      head.setAttribute("x1", String(x));
      head.setAttribute("x2", String(x));
      const own = run.machines[machine]?.name ?? "";
      const place = this.cursor.place(machine);
      const text = place === null ? "not active" : shorten(place, own);
      if (now.dataset.place === text) continue;
      now.dataset.place = text;
      now.replaceChildren(name(text));
    }
  }
}

function shorten(place: string, machine: string): string {
  return place.startsWith(`${machine}.`) ? place.slice(machine.length + 1) : place;
}

function drawStretch(stretch: Stretch, colour: number, x: (t: number) => number, text: string): SVGElement {
  const left = x(stretch.from);
  const width = Math.max(0.75, x(stretch.to) - left);
  const many = stretch.merged > 1;
  const group = svg(
    "g",
    { class: many ? "dv-stretch dv-many-modes" : `dv-stretch dv-mode-${colour}` },
    svg(
      "title",
      {},
      many
        ? `${stretch.merged} stretches from ${full(stretch.from)} to ${full(stretch.to)}`
        : `${plain(text)} from ${full(stretch.from)} to ${full(stretch.to)}`,
    ),
    svg("rect", { x: left, y: 3, width, height: ROW - 6, rx: Math.min(3, width / 2) }),
  );
  const shown = plain(text);
  if (!many && width > 8 + 7 * Math.min(shown.length, 4)) {
    const fits = Math.floor((width - 8) / 7);
    group.append(
      svg("text", { x: left + 5, y: ROW / 2 + 4 }, shown.length <= fits ? shown : `${shown.slice(0, Math.max(1, fits - 1))}…`),
    );
  }
  return group;
}
