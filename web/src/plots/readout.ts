// The values at the pointer, as text: all shown signals, at an instant all of their microsteps, every digit of a sample.

import type { LoadedRun } from "../columns";
import { el } from "../shell/dom";
import { name } from "../shell/names";
import { full, short } from "../shell/numbers";
import { readings, type Probe, type Reading } from "./probe";

export interface Shown {
  readonly name: string;
  readonly unit: string;
  readonly values: Float64Array | null;
  /** Why there are no values, if there never will be. */
  readonly failure: string | null;
  /** Draws the sample of its line. */
  readonly sample: () => SVGElement;
}

/** Stretches of microsteps of one signal that are told; the rest is counted. */
const MOST_READINGS = 12;
/** Signals that are told. */
const MOST_SIGNALS = 16;

/** Fills `host` with the values at a probe. */
export function tell(host: HTMLElement, probe: Probe, loaded: LoadedRun, shown: readonly Shown[]): void {
  const microsteps = probe.end - probe.start;
  const heading = el(
    "div",
    { class: "pl-when" },
    el("span", { class: "dv-num", "data-time": full(probe.t) }, `t = ${probe.exact ? full(probe.t) : short(probe.t, 12)} s`),
    microsteps > 1 && probe.exact && el("span", { class: "dv-muted" }, `${microsteps} samples`),
    !probe.exact && el("span", { class: "dv-muted" }, "between samples"),
  );
  const rows = shown.slice(0, MOST_SIGNALS).map((signal) => rowOf(signal, probe, loaded));
  host.replaceChildren(heading, el("div", { class: "pl-values" }, ...rows.flat()));
  if (shown.length > MOST_SIGNALS) host.append(el("div", { class: "dv-muted" }, `and ${shown.length - MOST_SIGNALS} more signals`));
}

function rowOf(signal: Shown, probe: Probe, loaded: LoadedRun): HTMLElement[] {
  const label = el("span", { class: "pl-what" }, signal.sample(), name(signal.name));
  if (signal.values === null) return [label, el("span", { class: "dv-muted" }, signal.failure === null ? "…" : "cannot be shown")];
  const found = readings(probe, loaded, signal.values);
  // The last that begins at or before the microstep that is pointed at.
  const { n } = probe;
  const chosen = n === null || found.length < 2 ? -1 : found.filter(({ first }) => first <= n).length - 1;
  const told = found.slice(0, MOST_READINGS).map((reading, k) => lineOf(reading, found.length > 1, k === chosen, probe.exact, signal.unit));
  if (found.length > MOST_READINGS) told.push(el("span", { class: "dv-muted" }, `and ${found.length - MOST_READINGS} more`));
  return [label, el("span", { class: "pl-readings", "data-signal": signal.name }, ...told)];
}

function lineOf({ first, last, value }: Reading, several: boolean, chosen: boolean, exact: boolean, unit: string): HTMLElement {
  const absent = Number.isNaN(value);
  return el(
    "span",
    { class: chosen ? "pl-reading pl-chosen" : "pl-reading" },
    several && el("span", { class: "pl-n" }, `n ${first === last ? first : `${first}–${last}`}`),
    el("span", { class: absent ? "dv-num dv-muted" : "dv-num", "data-value": full(value) }, exact ? full(value) : short(value)),
    unit !== "" && !absent && el("span", { class: "dv-muted" }, unit),
  );
}

/** The same in a sentence, for those who listen. */
export function sentence(probe: Probe, loaded: LoadedRun, shown: readonly Shown[]): string {
  const parts = shown.slice(0, MOST_SIGNALS).map((signal) => {
    if (signal.values === null) return `${signal.name} not read yet`;
    const found = readings(probe, loaded, signal.values).slice(0, MOST_READINGS);
    return `${signal.name} ${found.map((reading) => short(reading.value)).join(", then ")} ${signal.unit}`;
  });
  return `At ${short(probe.t, 9)} s: ${parts.join("; ")}`;
}
