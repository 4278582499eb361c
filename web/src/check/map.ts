// The ranges of two parameters as a map: safe, unsafe and undecided boxes, on a canvas, for there may be thousands.

import type { Partition, Range } from "../data";
import { plain } from "../shell/names";
import { html, onTheme, onWidth, say } from "./dom";
import { exact, interval } from "./format";
import { listen, zoomKey } from "./gestures";
import type { Outcome } from "./parts";
import { canvasFill, OUTCOME_WORDS, OUTCOMES } from "./patterns";
import { moved, ticks, toPixel, toValue, zoomed, type View } from "./scale";

type Cell = Partition["cells"][number];

const LEFT = 56;
const RIGHT = 10;
const TOP = 10;
const BOTTOM = 40;

/** What is undecided or unsafe for some values of other unknowns is drawn over what is safe. */
const ORDER: readonly Outcome[] = ["safe", "undecided", "unsafe"];

/** The last of the cells, in drawing order, that holds a point; null if none does. */
export function cellAt(cells: readonly Cell[], x: number, y: number): Cell | null {
  let found: Cell | null = null;
  for (const cell of cells) {
    const [across, up] = cell.sides;
    if (across === undefined || up === undefined) continue;
    if (x >= across[0] && x <= across[1] && y >= up[0] && y <= up[1]) {
      if (found === null || ORDER.indexOf(cell.outcome) >= ORDER.indexOf(found.outcome)) found = cell;
    }
  }
  return found;
}

export class ParameterMap {
  readonly element: HTMLElement;
  readonly #chart: HTMLDivElement;
  readonly #canvas = html("canvas", { "aria-hidden": "true" });
  readonly #reading = html("p", { class: "check-reading", "aria-live": "polite" });
  readonly #cells: Cell[];
  readonly #whole: [View, View];
  #views: [View, View];
  #width = 0;
  #height = 0;
  /** Where the reader points, in values. */
  #point: [number, number] | null = null;
  readonly #stop = new AbortController();
  readonly #unwatch: (() => void)[];

  constructor(
    readonly axes: readonly [Range, Range],
    cells: readonly Cell[],
    readonly witness: [number, number] | null,
  ) {
    this.#cells = [...cells].sort((a, b) => ORDER.indexOf(a.outcome) - ORDER.indexOf(b.outcome));
    const [across, up] = axes;
    this.#whole = [
      { lower: across.lower, upper: across.upper },
      { lower: up.lower, upper: up.upper },
    ];
    this.#views = this.#whole;
    this.#chart = html(
      "div",
      {
        class: "check-chart check-map",
        tabindex: 0,
        role: "application",
        "aria-roledescription": "map",
        "aria-label": `map of ${across.name} and ${up.name}`,
      },
      this.#canvas,
    );
    const hint = html("p", { class: "check-hint" }, "Arrow keys move the cross, + and − zoom about it, 0 shows the whole. Drag moves; Ctrl with the wheel zooms.");
    this.element = html("div", {}, this.#chart, this.#reading, hint);
    this.#listen();
    this.#unwatch = [
      onWidth(this.#chart, (width) => {
        this.#width = width;
        this.#height = Math.round(Math.min(460, Math.max(220, width * 0.62)));
        this.#draw();
      }),
      onTheme(() => this.#draw()),
    ];
    this.#tell();
  }

  destroy(): void {
    this.#stop.abort();
    this.#unwatch.forEach((stop) => stop());
  }

  zoomBy(factor: number): void {
    const middle = (view: View) => 0.5 * (view.lower + view.upper);
    const [x, y] = this.#point ?? [middle(this.#views[0]), middle(this.#views[1])];
    this.#zoom(x, y, factor);
  }

  reset(): void {
    this.#views = this.#whole;
    this.#draw();
  }

  get #inner(): { width: number; height: number } {
    return { width: Math.max(1, this.#width - LEFT - RIGHT), height: Math.max(1, this.#height - TOP - BOTTOM) };
  }

  #value(x: number, y: number): [number, number] {
    const { width, height } = this.#inner;
    return [toValue(this.#views[0], width, x - LEFT), toValue(this.#views[1], height, height - (y - TOP))];
  }

  #zoom(x: number, y: number, factor: number): void {
    this.#views = [
      zoomed(this.#views[0], this.#whole[0], x, factor),
      zoomed(this.#views[1], this.#whole[1], y, factor),
    ];
    this.#draw();
  }

  #listen(): void {
    const acts = {
      zoom: (x: number, y: number, factor: number) => this.#zoom(...this.#value(x, y), factor),
      pan: (dx: number, dy: number) => {
        const { width, height } = this.#inner;
        const [across, up] = this.#views;
        this.#views = [
          moved(across, this.#whole[0], (-dx / width) * (across.upper - across.lower)),
          moved(up, this.#whole[1], (dy / height) * (up.upper - up.lower)),
        ];
        this.#draw();
      },
      reset: () => this.reset(),
      hover: (x: number, y: number) => this.#pointAt(this.#value(x, y)),
      press: (x: number, y: number) => this.#pointAt(this.#value(x, y)),
      leave: () => undefined,
    };
    listen(this.#chart, acts, this.#stop.signal);
    const key = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const by = ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] } as Record<string, [number, number]>)[event.key];
      const middle = (view: View) => 0.5 * (view.lower + view.upper);
      if (by !== undefined) {
        const [x, y] = this.#point ?? [middle(this.#views[0]), middle(this.#views[1])];
        const part = event.shiftKey ? 10 : 60;
        const step = (view: View) => (view.upper - view.lower) / part;
        this.#pointAt([x + by[0] * step(this.#views[0]), y + by[1] * step(this.#views[1])]);
      } else if (event.key === "+" || event.key === "=") this.zoomBy(0.6);
      else if (event.key === "-" || event.key === "_") this.zoomBy(1 / 0.6);
      else if (!zoomKey(event.key, this.#width, this.#height, acts)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    this.#chart.addEventListener("keydown", key, { signal: this.#stop.signal });
  }

  #pointAt([x, y]: [number, number]): void {
    const clamp = (value: number, view: View) => Math.min(Math.max(value, view.lower), view.upper);
    this.#point = [clamp(x, this.#views[0]), clamp(y, this.#views[1])];
    this.#draw();
    this.#tell();
  }

  #tell(): void {
    const [across, up] = this.axes;
    if (this.#point === null) {
      say(
        this.#reading,
        `${across.name} in ${interval(across.lower, across.upper)}, ${up.name} in ${interval(up.lower, up.upper)}: point at a box to read its bounds`,
      );
      return;
    }
    const cell = cellAt(this.#cells, ...this.#point);
    if (cell === null) {
      say(this.#reading, `${across.name} = ${exact(this.#point[0])}, ${up.name} = ${exact(this.#point[1])}`);
      return;
    }
    const side = (range: Range, place: number) => {
      const [lower, upper] = cell.sides[place] ?? [NaN, NaN];
      return `${range.name} in ${interval(lower, upper)}`;
    };
    say(
      this.#reading,
      html("b", {}, OUTCOME_WORDS[cell.outcome]),
      ` for ${side(across, 0)}, ${side(up, 1)}${cell.reason === "" ? "" : `: ${cell.reason}`}`,
    );
  }

  #draw(): void {
    const [width, height] = [this.#width, this.#height];
    const context = this.#canvas.getContext("2d");
    if (width === 0 || context === null) return;
    const ratio = Math.min(devicePixelRatio || 1, 3);
    this.#canvas.width = Math.round(width * ratio);
    this.#canvas.height = Math.round(height * ratio);
    this.#canvas.style.height = `${height}px`;
    const style = getComputedStyle(this.#chart);
    const colour = (name: string) => style.getPropertyValue(name).trim() || "#888";
    const inner = this.#inner;
    const x = (value: number) => (LEFT + toPixel(this.#views[0], inner.width, value)) * ratio;
    const y = (value: number) => (TOP + inner.height - toPixel(this.#views[1], inner.height, value)) * ratio;
    context.save();
    context.beginPath();
    context.rect(LEFT * ratio, TOP * ratio, inner.width * ratio, inner.height * ratio);
    context.fillStyle = colour("--c-bg");
    context.fill();
    context.clip();
    const fills = new Map(OUTCOMES.map((o) => [o, canvasFill(context, o, colour(`--c-${o}`), colour("--c-bg"), ratio)]));
    for (const cell of this.#cells) {
      const [across, up] = cell.sides;
      if (across === undefined || up === undefined) continue;
      const [left, right, bottom, top] = [x(across[0]), x(across[1]), y(up[0]), y(up[1])];
      context.fillStyle = fills.get(cell.outcome) ?? "";
      // Half a pixel over the edge: no seams between neighbours.
      context.fillRect(left, top, Math.max(right - left, 1) + 0.5, Math.max(bottom - top, 1) + 0.5);
    }
    this.#drawMarks(context, x, y, ratio, colour);
    context.restore();
    this.#drawAxes(context, ratio, colour);
  }

  #drawMarks(
    context: CanvasRenderingContext2D,
    x: (value: number) => number,
    y: (value: number) => number,
    ratio: number,
    colour: (name: string) => string,
  ): void {
    context.lineWidth = 2 * ratio;
    if (this.#point !== null) {
      const cell = cellAt(this.#cells, ...this.#point);
      const [across, up] = cell?.sides ?? [];
      context.strokeStyle = colour("--c-fg");
      if (across !== undefined && up !== undefined) {
        context.strokeRect(x(across[0]), y(up[1]), x(across[1]) - x(across[0]), y(up[0]) - y(up[1]));
      }
      const [px, py] = [x(this.#point[0]), y(this.#point[1])];
      context.lineWidth = ratio;
      context.beginPath();
      for (const [dx, dy] of [[8, 0], [0, 8]] as const) {
        context.moveTo(px - dx * ratio, py - dy * ratio);
        context.lineTo(px + dx * ratio, py + dy * ratio);
      }
      context.stroke();
    }
    if (this.witness !== null) {
      const [px, py] = [x(this.witness[0]), y(this.witness[1])];
      context.beginPath();
      context.moveTo(px, py - 7 * ratio);
      context.lineTo(px + 6 * ratio, py);
      context.lineTo(px, py + 7 * ratio);
      context.lineTo(px - 6 * ratio, py);
      context.closePath();
      context.fillStyle = colour("--c-fg");
      context.fill();
      context.strokeStyle = colour("--c-bg");
      context.lineWidth = 1.5 * ratio;
      context.stroke();
    }
  }

  #drawAxes(context: CanvasRenderingContext2D, ratio: number, colour: (name: string) => string): void {
    const inner = this.#inner;
    context.save();
    context.scale(ratio, ratio);
    context.strokeStyle = colour("--c-muted");
    context.fillStyle = colour("--c-muted");
    context.lineWidth = 1;
    context.strokeRect(LEFT + 0.5, TOP + 0.5, inner.width - 1, inner.height - 1);
    context.font = `11px ${getComputedStyle(this.#chart).fontFamily}`;
    context.textAlign = "center";
    const base = TOP + inner.height;
    for (const { value, label } of ticks(this.#views[0], Math.max(2, inner.width / 90))) {
      const x = LEFT + toPixel(this.#views[0], inner.width, value);
      context.fillRect(x, base, 1, 5);
      context.fillText(label, Math.min(Math.max(x, LEFT + 10), this.#width - 16), base + 17);
    }
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (const { value, label } of ticks(this.#views[1], Math.max(2, inner.height / 50))) {
      const y = TOP + inner.height - toPixel(this.#views[1], inner.height, value);
      context.fillRect(LEFT - 5, y, 5, 1);
      context.fillText(label, LEFT - 8, Math.min(Math.max(y, TOP + 6), base - 6), LEFT - 12);
    }
    context.textAlign = "center";
    context.textBaseline = "alphabetic";
    context.fillStyle = colour("--c-fg");
    context.fillText(plain(this.axes[0].name), LEFT + inner.width / 2, base + 34, inner.width);
    context.translate(11, TOP + inner.height / 2);
    context.rotate(-Math.PI / 2);
    context.fillText(plain(this.axes[1].name), 0, 0, inner.height);
    context.restore();
  }
}
