// Which signals are in which panel before anyone chooses: what a run says to show, by kind and unit; without units, by
// size.

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

/** Sizes that differ by more would hide each other in one panel. */
const LARGEST_RATIO = 16;

/** Parts signals whose sizes (largest absolute values) differ much, in their order. What is zero goes with the first. */
export function bySize(signals: readonly { name: string; size: number }[]): string[][] {
  const groups: { names: string[]; size: number }[] = [];
  for (const { name, size } of signals) {
    const alike = groups.find((group) => {
      if (size === 0 || group.size === 0) return true;
      return size <= LARGEST_RATIO * group.size && group.size <= LARGEST_RATIO * size;
    });
    if (alike === undefined) groups.push({ names: [name], size });
    else {
      alike.names.push(name);
      alike.size = Math.max(alike.size, size);
    }
  }
  return groups.map(({ names }) => names);
}
