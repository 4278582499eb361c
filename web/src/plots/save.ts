// What is seen, as files: a picture of a panel, and its samples as a table.

import { firstAfter, firstNotBefore } from "../columns/superdense";
import type { LoadedRun } from "../columns";
import { plain } from "../shell/names";
import type { TimeAxis } from "./axis";
import { DASHES, paintTimeAxis, type Look } from "./paint";
import type { Panel } from "./panel";
import type { Ticks } from "./ticks";

/** Rows that are put together at once. */
const ROWS = 20_000;
const LEGEND = 22;
const AXIS = 40;

/** The panel with its legend and its axis of time, at twice the size on screen. */
export function picture(panel: Panel, axis: TimeAxis, times: Ticks, left: number, look: Look): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  const width = left + axis.width + 14;
  const height = panel.area.clientHeight;
  const scale = 2;
  [canvas.width, canvas.height] = [width * scale, (LEGEND + height + AXIS) * scale];
  const to = canvas.getContext("2d");
  if (to === null) return canvas;
  to.scale(scale, scale);
  to.fillStyle = look.panel;
  to.fillRect(0, 0, width, LEGEND + height + AXIS);
  to.font = look.font;
  to.textBaseline = "middle";
  let x = left;
  panel.shown().forEach(({ name, unit }, place) => {
    to.strokeStyle = look.series[place % look.series.length]!;
    to.lineWidth = 2;
    to.setLineDash([...DASHES[place % DASHES.length]!]);
    to.beginPath();
    to.moveTo(x, LEGEND / 2);
    to.lineTo(x + 24, LEGEND / 2);
    to.stroke();
    const label = unit === "" ? plain(name) : `${plain(name)} (${unit})`;
    to.fillStyle = look.fg;
    to.fillText(label, x + 30, LEGEND / 2);
    x += to.measureText(label).width + 48;
  });
  to.setLineDash([]);
  to.translate(0, LEGEND);
  panel.paint(to, { left, top: 8, width: axis.width, height: height - 14 }, axis, times, look);
  paintTimeAxis(to, { left, top: height, width: axis.width, height: AXIS }, axis, times, [], look);
  return canvas;
}

/** t, n and the signals, of the samples in the window, with all digits; an absent value is an empty field. */
export function table(loaded: LoadedRun, columns: readonly { name: string; values: Float64Array }[], from: number, to: number): Blob {
  const { t, n } = loaded;
  const parts = [["t", "n", ...columns.map(({ name }) => field(name))].join(",") + "\r\n"];
  const end = firstAfter(t, to);
  for (let start = firstNotBefore(t, from); start < end; start += ROWS) {
    let rows = "";
    for (let k = start; k < Math.min(start + ROWS, end); k++) {
      rows += `${t[k]!},${n[k]!}`;
      for (const { values } of columns) rows += Number.isNaN(values[k]) ? "," : `,${values[k]!}`;
      rows += "\r\n";
    }
    parts.push(rows);
  }
  return new Blob(parts, { type: "text/csv" });
}

/** As RFC 4180 has it. */
function field(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Hands a file to the reader. */
export function hand(blob: Blob, file: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
