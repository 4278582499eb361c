// One panel: a legend with the values at the cursor, and a plot of its signals.

import type { LoadedRun } from "../columns";
import type { Moment } from "../cursor";
import { button, el, toggle, Undo } from "../shell/dom";
import { name, plain } from "../shell/names";
import { full, short } from "../shell/numbers";
import type { TimeAxis } from "./axis";
import { draw, range, strokes, type Series } from "./geometry";
import { lineSample, picture } from "./icons";
import { paintGrid, paintSeries, paintTimeLabels, prepare, type Frame, type Look } from "./paint";
import type { Shown } from "./readout";
import type { SeriesStore } from "./store";
import { ticks, type Ticks } from "./ticks";

/** What a panel asks of the view it is in. */
export interface PanelOwner {
  readonly loaded: LoadedRun;
  readonly store: SeriesStore;
  pick(panel: Panel, anchor: HTMLElement): void;
  remove(panel: Panel): void;
  redraw(): void;
  savePng(panel: Panel): void;
  saveCsv(panel: Panel): void;
}

/** Room above a plot, below it, and below it if it has labels of time. */
const TOP = 8;
const BOTTOM = 6;
const LABELS = 18;

export class Panel {
  readonly element: HTMLElement;
  /** Where the plot is, with its marks at the left; it has the keys. */
  readonly area: HTMLElement;
  readonly undo = new Undo();
  readonly signals: string[];
  /** The range of y that is held, or null if it follows what is seen. */
  held: [number, number] | null = null;
  readonly #owner: PanelOwner;
  readonly #canvas = el("canvas", { "aria-hidden": "true" });
  readonly #cursor = el("div", { class: "pl-cursor", hidden: true });
  readonly #hover = el("div", { class: "pl-hover", hidden: true });
  readonly #outline = el("div", { class: "pl-box", hidden: true });
  readonly #legend = el("div", { class: "pl-legend" });
  readonly #table = el("table", { class: "dv-hidden-text" });
  readonly #lock: HTMLButtonElement;
  #values: { signal: string; cell: HTMLElement }[] = [];
  #range: [number, number] = [0, 1];
  #bottom = BOTTOM;

  constructor(owner: PanelOwner, signals: readonly string[], hint: string) {
    this.#owner = owner;
    this.signals = [...signals];
    this.area = el("div", { class: "pl-area", tabindex: 0, role: "img", "aria-describedby": hint }, this.#canvas, this.#hover, this.#cursor, this.#outline);
    this.#lock = iconToggle("Hold the range of y", "lock", (on) => {
      this.held = on ? this.#range : null;
      owner.redraw();
    });
    const add = iconButton("Choose signals of this panel", "add", () => owner.pick(this, add));
    const menu = this.#saveMenu();
    const close = iconButton("Remove this panel", "close", () => owner.remove(this));
    this.element = el(
      "section",
      { class: "pl-panel", "aria-label": "Plot" },
      el("header", {}, this.#legend, el("div", { class: "pl-tools" }, add, this.#lock, menu, close)),
      this.area,
      this.#table,
    );
    this.relist();
  }

  /** After its signals have changed. */
  relist(): void {
    this.element.dataset.signals = JSON.stringify(this.signals);
    const label = `Plot of ${this.signals.map(plain).join(", ") || "nothing yet"}`;
    this.element.setAttribute("aria-label", label);
    // Until something is drawn, and its jumps are known.
    if (!this.area.hasAttribute("aria-label")) this.area.setAttribute("aria-label", label);
    this.#values = [];
    const chips = this.signals.map((signal, place) => {
      const cell = el("span", { class: "pl-value dv-num" });
      this.#values.push({ signal, cell });
      const remove = iconButton(`Remove ${plain(signal)}`, "close", () => {
        this.signals.splice(this.signals.indexOf(signal), 1);
        if (this.signals.length === 0) this.#owner.remove(this);
        else this.relist();
        this.#owner.redraw();
      });
      remove.classList.add("pl-drop");
      return el("span", { class: "pl-chip" }, lineSample(place), name(signal, { class: "pl-name", title: plain(signal) }), cell, remove);
    });
    this.#legend.replaceChildren(...(chips.length > 0 ? chips : [el("span", { class: "dv-muted" }, "No signal yet")]));
  }

  shown(): Shown[] {
    return this.signals.map((signal, place) => ({
      name: signal,
      unit: this.#owner.loaded.signal(signal)?.unit ?? "",
      values: this.#owner.store.get(signal)?.values ?? null,
      failure: this.#owner.store.failure(signal),
      sample: () => lineSample(place),
    }));
  }

  hold(range: [number, number] | null): void {
    this.held = range;
    this.#lock.setAttribute("aria-pressed", String(range !== null));
  }

  /** The value at a pixel from the top of the area. */
  valueAt(y: number): number {
    const [low, high] = this.#range;
    const height = this.area.clientHeight - TOP - this.#bottom;
    return high - ((y - TOP) / height) * (high - low);
  }

  /** `labelled`: with labels of time, for a panel that is not next to the axis. */
  draw(axis: TimeAxis, times: Ticks, left: number, look: Look, labelled: boolean): void {
    const [width, height] = [this.area.clientWidth, this.area.clientHeight];
    const context = prepare(this.#canvas, width, height, devicePixelRatio);
    if (context === null) return;
    this.#bottom = labelled ? LABELS : BOTTOM;
    const frame = { left, top: TOP, width: axis.width, height: height - TOP - this.#bottom };
    this.paint(context, frame, axis, times, look);
    if (labelled) paintTimeLabels(context, frame, axis, times, height - LABELS + 4, look);
  }

  /** Draws the plot anywhere, and tells the document what was drawn. */
  paint(context: CanvasRenderingContext2D, frame: Frame, axis: TimeAxis, times: Ticks, look: Look): void {
    const there = this.signals.map((signal) => this.#owner.store.get(signal));
    this.#range = this.held ?? follow(there, axis.from, axis.to);
    const [low, high] = this.#range;
    const scale = frame.height / (high - low);
    // Far outside of the plot it does not matter where: but canvases count in single precision.
    const y = (value: number) => frame.top + Math.min(Math.max((high - value) * scale, -1e5), 1e5);
    const empty = there.every((series) => series === null);
    const levels = ticks(low, empty ? low : high, Math.max(2, Math.floor(frame.height / 34)));
    paintGrid(context, frame, axis, times, levels, y, look);
    let [jumps, work, exact] = [0, 0, true];
    there.forEach((series, place) => {
      if (series === null) return;
      const drawing = draw(series, axis, y);
      paintSeries(context, frame, drawing, place, y(0), look);
      jumps += drawing.jumps;
      work += strokes(drawing);
      exact &&= drawing.exact;
    });
    const { dataset } = this.element;
    dataset.jumps = String(jumps);
    dataset.strokes = String(work);
    dataset.drawn = there.includes(null) ? "waiting" : exact ? "exact" : "reduced";
  }

  /** The values at the cursor. */
  tellCursor(moment: Moment): void {
    for (const { signal, cell } of this.#values) {
      const failure = this.#owner.store.failure(signal);
      const value = this.#owner.loaded.valueAt(signal, moment);
      const unit = this.#owner.loaded.signal(signal)?.unit ?? "";
      const waiting = this.#owner.loaded.cached(signal) === null;
      const text = failure !== null ? "cannot be shown" : waiting ? "…" : Number.isNaN(value) ? "absent" : `${short(value)} ${unit}`;
      if (cell.textContent !== text) {
        cell.textContent = text;
        cell.title = failure !== null ? plain(failure) : waiting ? "" : `${full(value)} ${unit}`;
      }
    }
  }

  /** Lines at pixels from the left of the area; null hides one. */
  mark(cursor: number | null, hover: number | null): void {
    for (const [line, x] of [[this.#cursor, cursor], [this.#hover, hover]] as const) {
      line.hidden = x === null;
      if (x !== null) line.style.transform = `translateX(${x}px)`;
    }
  }

  outline(box: { left: number; right: number; top: number; bottom: number } | null): void {
    this.#outline.hidden = box === null;
    if (box === null) return;
    Object.assign(this.#outline.style, { left: `${box.left}px`, top: `${box.top}px`, width: `${box.right - box.left}px`, height: `${box.bottom - box.top}px` });
  }

  /** For those who do not see the plot; not with each frame. */
  describe(axis: TimeAxis): void {
    const rows = this.signals.map((signal) => {
      const series = this.#owner.store.get(signal);
      const seen = series === null ? null : range(series, axis.from, axis.to);
      const cells = [plain(signal), seen === null ? "nothing" : short(seen[0]), seen === null ? "nothing" : short(seen[1])];
      return el("tr", {}, ...cells.map((cell) => el("td", {}, cell)));
    });
    const head = ["signal", "least", "largest"].map((title) => el("th", { scope: "col" }, title));
    this.#table.replaceChildren(el("caption", {}, "What the plot shows"), el("tr", {}, ...head), ...rows);
    const jumps = Number(this.element.dataset.jumps ?? 0);
    const window = `from ${short(axis.from)} to ${short(axis.to)} s`;
    this.area.setAttribute("aria-label", `${this.signals.map(plain).join(", ")} ${window}, ${jumps} ${jumps === 1 ? "jump" : "jumps"}`);
  }

  destroy(): void {
    this.undo.run();
    this.element.remove();
  }

  #saveMenu(): HTMLDetailsElement {
    const menu = el("details", { class: "pl-menu" });
    const choose = (act: () => void) => () => {
      menu.open = false;
      act();
    };
    menu.append(
      el("summary", { "aria-label": "Save this plot", title: "Save this plot" }, picture("save")),
      el(
        "div",
        { class: "pl-choices" },
        button("Picture (PNG)", choose(() => this.#owner.savePng(this))),
        button("Samples in view (CSV)", choose(() => this.#owner.saveCsv(this))),
      ),
    );
    this.undo.listen(menu, "focusout", (event) => {
      if (!(event.relatedTarget instanceof Node && menu.contains(event.relatedTarget))) menu.open = false;
    });
    this.undo.listen(menu, "keydown", (event) => {
      if (event.key !== "Escape" || !menu.open) return;
      event.stopPropagation();
      menu.open = false;
      menu.querySelector("summary")?.focus();
    });
    return menu;
  }
}

function iconButton(label: string, icon: Parameters<typeof picture>[0], act: () => void): HTMLButtonElement {
  const made = button("", act, { class: "dv-quiet dv-small pl-icon", "aria-label": label, title: label });
  made.replaceChildren(picture(icon));
  return made;
}

function iconToggle(label: string, icon: Parameters<typeof picture>[0], act: (on: boolean) => void): HTMLButtonElement {
  const made = toggle("", false, act, { class: "dv-quiet dv-small pl-icon", "aria-label": label, title: label });
  made.replaceChildren(picture(icon));
  return made;
}

/** The range of y that shows all that is in the window, with some room. */
function follow(there: readonly (Series | null)[], from: number, to: number): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const series of there) {
    const seen = series === null ? null : range(series, from, to);
    if (seen === null) continue;
    low = Math.min(low, seen[0]);
    high = Math.max(high, seen[1]);
  }
  if (low > high) return [0, 1];
  // A span that is but rounding is drawn as the constant that it is meant to be.
  const size = Math.max(Math.abs(low), Math.abs(high));
  const span = Math.max(high - low, size * 1e-12);
  const room = span > 0 && high - low >= size * 1e-12 ? 0.07 * span : size > 0 ? 0.1 * size : 1;
  return [low - room, high + room];
}
