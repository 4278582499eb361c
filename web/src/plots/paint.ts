// Puts drawings on a canvas: grid, marks, bands of spread microsteps, lines, jumps and stems.

import { slot, type TimeAxis } from "./axis";
import type { Drawing } from "./geometry";
import type { Ticks } from "./ticks";

/** Colours and fonts of the style sheet, resolved. */
export interface Look {
  fg: string;
  muted: string;
  line: string;
  panel: string;
  raised: string;
  series: string[];
  font: string;
}

/** Where on a canvas a plot is. */
export interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** What a line is told by beside its colour. */
export const DASHES: readonly (readonly number[])[] = [[], [7, 3], [2, 2.5], [9, 3, 2, 3], [14, 4], [4, 2, 1, 2, 1, 2], [1, 4], [18, 3, 3, 3]];
/** Neighbours in this order are told apart best: blue, vermillion, green, purple, … */
export const ORDER = [0, 3, 2, 4, 1, 7, 5, 6];
const FALLBACK = ["#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#8a7f00", "#4d5663"];

export function readLook(host: Element): Look {
  const style = getComputedStyle(host);
  const colour = (name: string, fallback: string) => style.getPropertyValue(name).trim() || fallback;
  return {
    fg: colour("--fg", "#1b2026"),
    muted: colour("--muted", "#5b6672"),
    line: colour("--line", "#d7dce2"),
    panel: colour("--panel", "#ffffff"),
    raised: colour("--raised", "#f0f2f5"),
    series: ORDER.map((k) => colour(`--c${k}`, FALLBACK[k]!)),
    font: `11px ${colour("--font", "system-ui, sans-serif")}`,
  };
}

/** The canvas' context, sized for the screen's pixels and cleared; null if it has no size or no context is to be had. */
export function prepare(canvas: HTMLCanvasElement, width: number, height: number, ratio: number): CanvasRenderingContext2D | null {
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (w === 0 || h === 0) return null;
  if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
  // Some thousand strokes are quick without a graphics card, and slow through an emulated one: so never through one.
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context?.setTransform(w / width, 0, 0, h / height, 0, 0);
  context?.clearRect(0, 0, width, height);
  return context;
}

/** Shaded bands and the grid, with the marks of y at the left. */
export function paintGrid(to: CanvasRenderingContext2D, frame: Frame, axis: TimeAxis, times: Ticks, levels: Ticks, y: (value: number) => number, look: Look): void {
  to.save();
  to.translate(frame.left, 0);
  to.fillStyle = look.raised;
  for (const band of axis.bands) to.fillRect(band.left, frame.top, band.right - band.left, frame.height);
  to.lineWidth = 1;
  to.strokeStyle = look.line;
  // Bands of instants that are close to each other touch: their ends tell them apart.
  for (const band of axis.bands) to.strokeRect(Math.round(band.left) + 0.5, frame.top - 1, Math.round(band.right - band.left), frame.height + 2);
  to.globalAlpha = 0.6;
  to.beginPath();
  for (const time of times.values) {
    const x = Math.round(axis.x(time)) + 0.5;
    to.moveTo(x, frame.top);
    to.lineTo(x, frame.top + frame.height);
  }
  for (const level of levels.values) {
    const at = Math.round(y(level)) + 0.5;
    to.moveTo(0, at);
    to.lineTo(frame.width, at);
  }
  to.stroke();
  if (levels.values.includes(0)) {
    to.globalAlpha = 1;
    to.strokeStyle = look.muted;
    to.lineWidth = 0.75;
    to.beginPath();
    to.moveTo(0, Math.round(y(0)) + 0.5);
    to.lineTo(frame.width, Math.round(y(0)) + 0.5);
    to.stroke();
  }
  to.restore();
  to.save();
  to.font = look.font;
  to.fillStyle = look.muted;
  to.textAlign = "right";
  to.textBaseline = "middle";
  levels.values.forEach((level, k) => {
    const at = Math.min(Math.max(y(level), frame.top + 5), frame.top + frame.height - 5);
    to.fillText(levels.labels[k] ?? "", frame.left - 7, at);
  });
  if (levels.note !== "") {
    to.textAlign = "left";
    to.textBaseline = "top";
    const width = to.measureText(levels.note).width;
    to.fillStyle = look.panel;
    to.fillRect(frame.left + 2, frame.top + 1, width + 8, 14);
    to.fillStyle = look.muted;
    to.fillText(levels.note, frame.left + 6, frame.top + 3);
  }
  to.restore();
}

/** One signal; `place` is its place in the panel, which chooses colour and dash. `base` is the y that stems stand on. */
export function paintSeries(to: CanvasRenderingContext2D, frame: Frame, drawing: Drawing, place: number, base: number, look: Look): void {
  const colour = look.series[place % look.series.length]!;
  to.save();
  to.beginPath();
  to.rect(frame.left, frame.top - 4, frame.width, frame.height + 8);
  to.clip();
  to.translate(frame.left, 0);
  to.strokeStyle = to.fillStyle = colour;
  to.lineJoin = "round";
  to.lineWidth = 1.6;
  // What lies behind a signal that fills its range is still to be seen.
  to.globalAlpha = 0.7;
  upright(to, drawing.spans);
  to.globalAlpha = 1;
  to.setLineDash([...DASHES[place % DASHES.length]!]);
  polylines(to, drawing.lines);
  to.setLineDash([1.5, 2.5]);
  to.lineWidth = 1.3;
  to.beginPath();
  for (let k = 0; k < drawing.dotted.length; k += 4) {
    to.moveTo(drawing.dotted[k]!, drawing.dotted[k + 1]!);
    to.lineTo(drawing.dotted[k + 2]!, drawing.dotted[k + 3]!);
  }
  to.stroke();
  to.setLineDash([]);
  to.beginPath();
  for (let k = 0; k < drawing.stems.length; k += 2) {
    to.moveTo(drawing.stems[k]!, base);
    to.lineTo(drawing.stems[k]!, drawing.stems[k + 1]!);
  }
  to.stroke();
  // Where dots crowd, smaller ones.
  const radius = (5 * (drawing.dots.length + drawing.stems.length)) / 2 > frame.width ? 1.5 : 2.6;
  discs(to, drawing.dots, radius);
  discs(to, drawing.stems, radius);
  to.restore();
}

/** At least a pixel high, so that a single value is seen. */
function upright(to: CanvasRenderingContext2D, spans: readonly number[]): void {
  to.beginPath();
  for (let k = 0; k < spans.length; k += 3) {
    const [low, high] = [spans[k + 1]!, spans[k + 2]!];
    to.moveTo(spans[k]!, low + 0.5);
    to.lineTo(spans[k]!, Math.min(high, low - 0.5));
  }
  to.stroke();
}

function polylines(to: CanvasRenderingContext2D, points: readonly number[]): void {
  to.lineCap = "round";
  to.beginPath();
  let start = true;
  for (let k = 0; k < points.length; k += 2) {
    const [x, y] = [points[k]!, points[k + 1]!];
    if (Number.isNaN(x)) {
      start = true;
      continue;
    }
    if (start) to.moveTo(x, y);
    // A point of its own is a line to itself: its round cap is seen.
    to.lineTo(x, y);
    start = false;
  }
  to.stroke();
  to.lineCap = "butt";
}

function discs(to: CanvasRenderingContext2D, points: readonly number[], radius: number): void {
  to.beginPath();
  for (let k = 0; k < points.length; k += 2) {
    to.moveTo(points[k]! + radius, points[k + 1]!);
    to.arc(points[k]!, points[k + 1]!, radius, 0, 2 * Math.PI);
  }
  to.fill();
}

/** Marks of time, microsteps in bands, small ticks at instants with several samples. */
export function paintTimeAxis(to: CanvasRenderingContext2D, frame: Frame, axis: TimeAxis, times: Ticks, instants: readonly number[], look: Look): void {
  to.save();
  to.font = look.font;
  to.textBaseline = "top";
  to.textAlign = "center";
  to.strokeStyle = look.muted;
  to.fillStyle = look.muted;
  const top = frame.top;
  to.beginPath();
  to.moveTo(frame.left, top + 0.5);
  to.lineTo(frame.left + frame.width, top + 0.5);
  to.stroke();
  for (const time of times.values) to.fillRect(Math.round(frame.left + axis.x(time)), top, 1, 4);
  paintTimeLabels(to, frame, axis, times, top + 6, look);
  to.fillStyle = look.fg;
  for (const time of instants) {
    if (axis.band(time) !== null) continue;
    const x = frame.left + axis.x(time);
    to.beginPath();
    to.moveTo(x, top + 1);
    to.lineTo(x - 3, top - 4);
    to.lineTo(x + 3, top - 4);
    to.fill();
  }
  to.fillStyle = look.muted;
  for (const band of axis.bands) paintMicrosteps(to, frame, band, top);
  to.textAlign = "right";
  const name = times.note === "" ? "t (s)" : `t = ${times.note} s`;
  to.fillText(name, frame.left + frame.width + 6, top + 20);
  to.restore();
}

/** The labels of the marks of time, as far as they do not run into each other; `y` is their top. */
export function paintTimeLabels(to: CanvasRenderingContext2D, frame: Frame, axis: TimeAxis, times: Ticks, y: number, look: Look): void {
  to.save();
  to.font = look.font;
  to.textBaseline = "top";
  to.textAlign = "center";
  to.fillStyle = look.muted;
  let free = -Infinity;
  times.values.forEach((time, k) => {
    const label = times.labels[k] ?? "";
    const half = to.measureText(label).width / 2;
    const middle = Math.min(Math.max(frame.left + axis.x(time), half), frame.left + frame.width + 10 - half);
    if (middle - half < free + 8) return;
    free = middle + half;
    to.fillText(label, middle, y);
  });
  to.restore();
}

function paintMicrosteps(to: CanvasRenderingContext2D, frame: Frame, band: TimeAxis["bands"][number], top: number): void {
  const width = (band.right - band.left) / (band.last + 1);
  const every = Math.ceil((to.measureText(String(band.last)).width + 5) / width);
  for (let n = 0; n <= band.last; n += every) to.fillText(String(n), frame.left + slot(band, n), top - 15);
}
