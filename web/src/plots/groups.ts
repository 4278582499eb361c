// Which signals are in which panel before anyone chooses: what a run says to show, by kind and unit.

import type { Signal } from "../data";

/** Signals in one panel at the most: as many as can be told apart at a glance. */
const MOST = 6;
const MOST_PANELS = 8;

export function defaultPanels(signals: readonly Signal[]): string[][] {
  const groups = new Map<string, string[]>();
  for (const { name, kind, unit, shown } of signals) {
    if (!shown) continue;
    const key = JSON.stringify([kind, unit]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [name]);
    else if (!group.includes(name)) group.push(name);
  }
  const panels: string[][] = [];
  for (const group of groups.values()) {
    for (let k = 0; k < group.length; k += MOST) panels.push(group.slice(k, k + MOST));
  }
  return panels.slice(0, MOST_PANELS);
}
