// Plots of a run: panels of signals over one axis of time, with the cursor that all views share.
//
// What is drawn in a window and how exactly: geometry.ts. The axis, and microsteps spread on it: axis.ts.

import type { LoadedRun } from "../columns";
import type { Cursor } from "../cursor";
import { button, el, Frame, toggle, Undo } from "../shell/dom";
import { plain } from "../shell/names";
import { short } from "../shell/numbers";
import { spreadAxis, TimeAxis } from "./axis";
import { listen, type Wishes } from "./gestures";
import { bySize, defaultPanels } from "./groups";
import { Instants } from "./instants";
import { paintTimeAxis, prepare, readLook, type Look } from "./paint";
import { Panel, type PanelOwner } from "./panel";
import { Picker } from "./picker";
import { probeAt, probeOf, type Probe } from "./probe";
import { sentence, tell } from "./readout";
import { hand, picture, table } from "./save";
import { SeriesStore } from "./store";
import { installPlotStyle } from "./style";
import { ticks, type Ticks } from "./ticks";
import { Window } from "./window";

const RIGHT = 14;
const NARROW = 480;

/** What was chosen last: a run again, or another of the same system, is shown the same way. */
interface Kept {
  names: string;
  panels: string[][];
  from: number;
  to: number;
  start: number;
  end: number;
  spread: boolean;
}

let kept: Kept | null = null;
let views = 0;

export class PlotsView implements PanelOwner {
  readonly loaded: LoadedRun;
  readonly store: SeriesStore;
  readonly #cursor: Cursor;
  readonly #undo = new Undo();
  readonly #frame = new Frame(() => this.#draw());
  readonly #marks = new Frame(() => this.#mark());
  readonly #window: Window;
  readonly #hint = `pl-hint-${++views}`;
  readonly #root = el("div", { class: "pl" });
  readonly #list = el("div", { class: "pl-scroll" });
  readonly #strip = el("div", { class: "pl-axis", "aria-hidden": "true" });
  readonly #canvas = el("canvas");
  readonly #flag = el("div", { class: "pl-flag", hidden: true });
  readonly #readout = el("div", { class: "pl-readout", hidden: true, role: "group", "aria-label": "Values at the pointer" });
  readonly #spoken = el("div", { class: "dv-hidden-text", "aria-live": "polite" });
  readonly #note = el("span", { class: "pl-note" });
  readonly #empty: HTMLElement;
  readonly #whole: HTMLButtonElement;
  readonly #panels: Panel[] = [];
  /** Panels that nobody has chosen, until their signals are there and can be parted by size. */
  readonly #unsized = new Set<Panel>();
  #instants: Instants | null = null;
  #axis: TimeAxis;
  #times: Ticks = { values: [], labels: [], note: "" };
  #look: Look;
  #spread: boolean;
  #probe: Probe | null = null;
  /** The probe whose values are told, until something else must be. */
  #told: Probe | null = null;
  /** The pixel the pointer is at, and in which panel. */
  #pointer: { x: number; panel: Panel } | null = null;
  #picker: { view: Picker; panel: Panel; anchor: HTMLElement } | null = null;
  #settling = 0;

  constructor(host: HTMLElement, loaded: LoadedRun, cursor: Cursor) {
    installPlotStyle();
    this.loaded = loaded;
    this.#cursor = cursor;
    this.store = new SeriesStore(loaded, () => this.redraw());
    const { run } = loaded;
    this.#window = new Window(run.from, run.to);
    this.#axis = new TimeAxis(this.#window.from, this.#window.to, 1);
    const again = kept?.names === namesOf(loaded) ? kept : null;
    if (again !== null && again.start === run.from && again.end === run.to) this.#window.set(again.from, again.to);
    this.#spread = again?.spread ?? false;

    this.#whole = button("Whole run", () => this.#change(this.#window.reset()), { class: "dv-small", title: "Show the whole run (0)" });
    const add = button("Add plot", () => this.#addAndPick(add), { class: "dv-small" });
    const choose = button("Choose signals", () => this.#addAndPick(choose), { class: "dv-small dv-main" });
    this.#empty = el("div", { class: "pl-empty", hidden: true }, "No signal is shown.", choose);
    const spread = toggle("Spread microsteps", this.#spread, (on) => {
      this.#spread = on;
      this.redraw();
    }, { class: "dv-small", title: "Give the microsteps of each instant room side by side" });
    const hint = el("p", { class: "dv-hidden-text", id: this.#hint }, "Arrows pan, plus and minus zoom, 0 shows the whole run, arrows with Shift go from sample to sample, Enter puts the cursor there.");
    this.#strip.append(this.#canvas, this.#flag);
    this.#list.append(this.#empty, this.#strip);
    this.#root.append(el("div", { class: "pl-bar" }, add, spread, this.#whole, this.#note), this.#list, this.#readout, this.#spoken, hint);
    host.append(this.#root);
    this.#undo.add(() => this.#root.remove());
    this.#look = readLook(this.#root);

    for (const signals of again?.panels ?? defaultPanels(run.signals)) {
      const panel = this.#add(signals);
      if (again === null && signals.every((name) => loaded.signal(name)?.unit === "")) this.#unsized.add(panel);
    }
    this.#undo.add(cursor.subscribe(() => this.#follow()));
    this.#undo.resize(this.#root, () => this.redraw());
    const theme = () => {
      this.#look = readLook(this.#root);
      this.redraw();
    };
    document.addEventListener("themechange", theme);
    this.#undo.add(() => document.removeEventListener("themechange", theme));
    loaded.ready.then(
      () => {
        this.#instants = new Instants(loaded.t);
        this.redraw();
      },
      (reason: unknown) => {
        this.#note.textContent = reason instanceof Error ? plain(reason.message) : "The run cannot be read.";
      },
    );
    this.redraw();
  }

  destroy(): void {
    const { start, end, from, to } = this.#window;
    kept = { names: namesOf(this.loaded), panels: this.#panels.map(({ signals }) => [...signals]), from, to, start, end, spread: this.#spread };
    clearTimeout(this.#settling);
    this.#frame.cancel();
    this.#marks.cancel();
    this.#picker?.view.destroy();
    for (const panel of this.#panels) panel.destroy();
    this.#undo.run();
  }

  redraw(): void {
    this.#frame.ask();
  }

  remove(panel: Panel): void {
    if (this.#picker?.panel === panel) this.#closePicker();
    const place = this.#panels.indexOf(panel);
    if (place >= 0) this.#panels.splice(place, 1);
    this.#unsized.delete(panel);
    panel.destroy();
    this.#leave();
    this.redraw();
  }

  pick(panel: Panel, anchor: HTMLElement): void {
    const open = this.#picker?.anchor === anchor;
    this.#closePicker();
    if (open) return;
    this.#unsized.delete(panel);
    const view = new Picker(this.loaded.run.signals, "Signals of the plot", {
      chosen: (name) => panel.signals.includes(name),
      toggle: (name) => {
        const place = panel.signals.indexOf(name);
        if (place >= 0) panel.signals.splice(place, 1);
        else panel.signals.push(name);
        panel.relist();
        this.redraw();
      },
      closed: () => this.#closePicker(),
    });
    this.#picker = { view, panel, anchor };
    this.#root.append(view.element);
    const below = anchor.getBoundingClientRect().bottom - this.#root.getBoundingClientRect().top + 4;
    view.element.style.top = `${Math.max(8, Math.min(below, this.#root.clientHeight - view.element.offsetHeight - 8))}px`;
    view.focus();
  }

  savePng(panel: Panel): void {
    picture(panel, this.#axis, this.#times, this.#left(), this.#look).toBlob((blob) => {
      if (blob !== null) hand(blob, "plot.png");
    });
    // Painting the picture has told the document of it; the screen has the last word.
    this.redraw();
  }

  saveCsv(panel: Panel): void {
    const columns = panel.shown().flatMap(({ name, values }) => (values === null ? [] : [{ name, values }]));
    hand(table(this.loaded, columns, this.#window.from, this.#window.to), "plot.csv");
  }

  #closePicker(): void {
    const picker = this.#picker;
    if (picker === null) return;
    this.#picker = null;
    const focused = picker.view.element.contains(document.activeElement);
    picker.view.destroy();
    if (picker.panel.signals.length === 0) this.remove(picker.panel);
    if (focused && picker.anchor.isConnected) picker.anchor.focus();
  }

  #addAndPick(anchor: HTMLElement): void {
    if (this.#picker !== null) {
      this.#closePicker();
      return;
    }
    this.pick(this.#add([]), anchor);
    this.redraw();
  }

  #add(signals: readonly string[], after?: Panel): Panel {
    const panel = new Panel(this, signals, this.#hint);
    if (after === undefined) {
      this.#panels.push(panel);
      this.#strip.before(panel.element);
    } else {
      this.#panels.splice(this.#panels.indexOf(after) + 1, 0, panel);
      after.element.after(panel.element);
    }
    panel.undo.resize(panel.area, () => this.redraw());
    listen(panel.area, () => ({ left: this.#left(), width: this.#axis.width }), this.#wishes(panel), panel.undo);
    return panel;
  }

  /** Parts panels of signals without units, once it is known how large they are. */
  #partBySize(): void {
    for (const panel of this.#unsized) {
      const sizes = panel.signals.map((name) => {
        const extent = this.store.get(name)?.pyramid.extent(0, this.loaded.length);
        return extent === undefined ? null : { name, size: extent.min > extent.max ? 0 : Math.max(-extent.min, extent.max) };
      });
      const known = sizes.filter((size) => size !== null);
      if (known.length < sizes.length) continue;
      this.#unsized.delete(panel);
      const [first = [], ...others] = bySize(known);
      if (others.length === 0) continue;
      panel.signals.splice(0, panel.signals.length, ...first);
      panel.relist();
      others.reduce((before, names) => this.#add(names, before), panel);
    }
  }

  #wishes(panel: Panel): Wishes {
    const time = (x: number) => this.#axis.at(x).t;
    return {
      hover: (x) => this.#hover(x, panel),
      leave: () => this.#leave(),
      pan: (pixels) => this.#change(this.#window.pan(pixels / this.#axis.scale)),
      zoom: (factor, x) => {
        // About the sample or the instant that the crosshair is on: so one can go into an instant.
        const near = this.#probe?.exact === true && Math.abs(this.#axis.x(this.#probe.t) - x) <= 6;
        return this.#change(this.#window.zoom(factor, near && this.#probe !== null ? this.#probe.t : time(x)));
      },
      box: (left, right, top, bottom) => {
        if (right - left < 4 || bottom - top < 4) return;
        panel.hold([panel.valueAt(bottom), panel.valueAt(top)]);
        this.#window.set(time(left), time(right));
        this.redraw();
      },
      outline: (box) => panel.outline(box === null ? null : { ...box, left: box.left + this.#left(), right: box.right + this.#left() }),
      click: (x) => {
        this.#hover(x, panel);
        this.#put();
      },
      reset: () => {
        panel.hold(null);
        this.#window.reset();
        this.redraw();
      },
      walk: (by) => this.#walk(by, panel),
      put: () => this.#put(),
      focus: () => (this.#probe === null ? this.#axis.width / 2 : this.#axis.xOf({ t: this.#probe.t, n: this.#probe.n ?? 0 })),
    };
  }

  #change(changed: boolean): boolean {
    if (changed) this.redraw();
    return changed;
  }

  #hover(x: number, panel: Panel): void {
    if (this.#instants === null) return;
    const inside = x >= -4 && x <= this.#axis.width + 4;
    this.#probe = inside ? probeAt(Math.min(Math.max(x, 0), this.#axis.width), this.#axis, this.loaded, this.#instants) : null;
    this.#pointer = { x, panel };
    this.#marks.ask();
  }

  #leave(): void {
    this.#probe = null;
    this.#pointer = null;
    this.#marks.ask();
  }

  /** The cursor to where the pointer or the keys have led, or to the middle. */
  #put(): void {
    const probe = this.#probe;
    if (probe === null) {
      this.#cursor.set({ t: (this.#window.from + this.#window.to) / 2, n: 0 });
      return;
    }
    const n = probe.n ?? (probe.exact ? this.loaded.n[probe.start]! : 0);
    this.#cursor.set({ t: probe.t, n });
  }

  /** From sample to sample, by keys: starts at the cursor. */
  #walk(by: 1 | -1, panel: Panel): void {
    if (this.#instants === null || this.loaded.length === 0) return;
    const from = this.#probe;
    const start = from ?? probeOf(this.loaded, this.#instants, this.loaded.indexAt(this.#cursor.moment), null);
    const next = by === 1 ? start.end : start.exact ? start.start - 1 : start.start;
    if (next < 0 || next >= this.loaded.length) return;
    this.#probe = probeOf(this.loaded, this.#instants, next, null);
    const { t } = this.#probe;
    if (t < this.#window.from || t > this.#window.to) this.#change(this.#window.pan(t - (this.#window.from + this.#window.to) / 2));
    this.#pointer = { x: this.#axis.x(t), panel };
    this.#spoken.textContent = plain(sentence(this.#probe, this.loaded, this.#panels.flatMap((each) => each.shown())));
    this.#marks.ask();
  }

  /** The cursor has moved: a window that it leaves goes with it. */
  #follow(): void {
    const { t } = this.#cursor.moment;
    const { from, to, span } = this.#window;
    if (t < from || t > to) {
      const running = t > to && t < to + 0.5 * span;
      this.#change(this.#window.pan(t - (running ? from + 0.1 * span : from + 0.5 * span)));
    }
    this.#marks.ask();
  }

  #left(): number {
    return this.#root.clientWidth < NARROW ? 48 : 62;
  }

  #draw(): void {
    this.#partBySize();
    const { from, to } = this.#window;
    const width = Math.max(1, this.#list.clientWidth - this.#left() - RIGHT);
    const instants = this.#instants;
    const spread = this.#spread && instants !== null ? spreadAxis(from, to, width, this.loaded.t, this.loaded.n, instants) : null;
    this.#axis = spread ?? new TimeAxis(from, to, width);
    this.#times = ticks(from, to, Math.max(2, Math.floor((this.#axis.scale * (to - from)) / 86)));
    const last = this.#panels[this.#panels.length - 1];
    for (const panel of this.#panels) panel.draw(this.#axis, this.#times, this.#left(), this.#look, panel !== last);
    this.#drawAxis(instants);
    this.#tellState(instants, spread !== null);
    this.#told = null;
    this.#mark();
    clearTimeout(this.#settling);
    this.#settling = window.setTimeout(() => {
      for (const panel of this.#panels) panel.describe(this.#axis);
    }, 250);
  }

  #drawAxis(instants: Instants | null): void {
    const [width, height] = [this.#strip.clientWidth, this.#strip.clientHeight];
    const context = prepare(this.#canvas, width, height, devicePixelRatio);
    if (context === null) return;
    const { from, to } = this.#window;
    const [first, last] = instants?.within(from, to) ?? [0, 0];
    // As many marks of instants as can be told apart; of more, none.
    const few = instants !== null && last - first <= this.#axis.width / 8;
    const marks = few ? Array.from(instants.starts.subarray(first, last), (sample) => this.loaded.t[sample]!) : [];
    paintTimeAxis(context, { left: this.#left(), top: 16, width: this.#axis.width, height }, this.#axis, this.#times, marks, this.#look);
  }

  #tellState(instants: Instants | null, spread: boolean): void {
    const { from, to, whole } = this.#window;
    this.#root.dataset.from = String(from);
    this.#root.dataset.to = String(to);
    this.#root.dataset.spread = String(spread);
    this.#whole.disabled = whole;
    this.#empty.hidden = this.#panels.length > 0;
    this.#strip.hidden = this.#panels.length === 0;
    if (instants === null) return;
    const [first, last] = instants.within(from, to);
    const count = last - first;
    const several = `${count} ${count === 1 ? "instant" : "instants"} with microsteps`;
    this.#note.textContent = this.#spread && !spread && count > 0 ? `${several}: zoom in to spread them` : count > 0 ? several : "";
  }

  /** Lines of the cursor and the pointer, and the values there. */
  #mark(): void {
    const left = this.#left();
    const { moment } = this.#cursor;
    const seen = (t: number) => t >= this.#window.from && t <= this.#window.to;
    const cursor = seen(moment.t) ? left + this.#axis.xOf(moment) : null;
    const probe = this.#probe;
    const hover = probe !== null && seen(probe.t) ? left + (probe.n === null ? this.#axis.x(probe.t) : this.#axis.xOf({ t: probe.t, n: probe.n })) : null;
    for (const panel of this.#panels) {
      panel.mark(cursor, hover);
      panel.tellCursor(moment);
    }
    this.#flag.hidden = cursor === null;
    if (cursor !== null) {
      const text = moment.n > 0 ? `${short(moment.t)} s, n ${moment.n}` : `${short(moment.t)} s`;
      if (this.#flag.textContent !== text) this.#flag.textContent = text;
      const half = this.#flag.offsetWidth / 2;
      this.#flag.style.transform = `translateX(${Math.min(Math.max(cursor - half, 2), this.#strip.clientWidth - 2 * half - 2)}px)`;
    }
    this.#tellProbe(hover);
  }

  #tellProbe(x: number | null): void {
    const probe = this.#probe;
    const pointer = this.#pointer;
    this.#readout.hidden = probe === null || x === null || pointer === null;
    if (probe === null || x === null || pointer === null || probe === this.#told) return;
    this.#told = probe;
    // The signals of the panel that is pointed at come first.
    const panels = [pointer.panel, ...this.#panels.filter((panel) => panel !== pointer.panel)];
    tell(this.#readout, probe, this.loaded, panels.flatMap((panel) => panel.shown()));
    const [width, height] = [this.#readout.offsetWidth, this.#readout.offsetHeight];
    const root = this.#root.getBoundingClientRect();
    const area = pointer.panel.area.getBoundingClientRect();
    const right = x + 14 + width <= root.width - 4;
    const across = right ? x + 14 : Math.max(4, x - 14 - width);
    const down = Math.max(4, Math.min(area.top - root.top + 6, root.height - height - 4));
    this.#readout.style.transform = `translate(${Math.round(across)}px, ${Math.round(down)}px)`;
  }
}

function namesOf(loaded: LoadedRun): string {
  return JSON.stringify(loaded.run.signals.map(({ name }) => name));
}
