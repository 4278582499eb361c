// What pushes at a moment: sustained forces of closed contacts, and the impulses or forces of the transition that was
// just taken, or else is about to be taken, at that instant.

import type { LoadedRun, Track } from "../columns";
import type { Cursor, Moment } from "../cursor";
import type { Force, Run, Transition } from "../data";

export type Vector = [number, number, number];

/** What acts at a point on the second body of a contact, the opposite of which acts on the first. */
export interface Push {
  contact: string;
  point: Vector;
  vector: Vector;
  /** Which of the two can move: what acts on the others is of no interest. */
  on: { first: boolean; second: boolean };
}

/** The transition whose forces are shown at a moment: it has some, and happens at the same time. */
export function transitionShown(cursor: Cursor, moment: Moment): Transition | null {
  const taken = cursor.takenBefore(moment);
  for (const transition of [cursor.run.transitions[taken - 1], cursor.run.transitions[taken]]) {
    if (transition !== undefined && transition.t === moment.t && transition.forces.length > 0) return transition;
  }
  return null;
}

/** Whether its forces are impulses: it belongs to an impact node, which is named I_6 or, in large automata, I{a-b,b-c}. */
export function isImpulse(transition: Transition): boolean {
  if (transition.kind === "impact" || transition.kind === "after_impact") return true;
  return transition.kind === "compute" && /^I[_{]/.test(transition.from);
}

export function magnitude(force: Force): number {
  return Math.hypot(force.normal, ...force.tangential);
}

/** How strong the strongest of a run are: arrows are drawn to scale with them. */
export function strongest(run: Run): { impulse: number; force: number } {
  const most = { impulse: 0, force: 0 };
  for (const transition of run.transitions) {
    const kind = isImpulse(transition) ? "impulse" : "force";
    for (const force of transition.forces) {
      if (force.vector !== null) most[kind] = Math.max(most[kind], Math.hypot(...force.vector));
    }
  }
  return most;
}

/** Contacts with their tracks, unpacked one after another. */
export class Contacts {
  readonly #tracks: (Track | null)[] = [];
  readonly #listeners = new Set<() => void>();
  readonly #on = new Map<string, Push["on"]>();
  /** The strongest sustained force seen in what is unpacked. */
  most = 0;

  constructor(readonly loaded: LoadedRun) {
    const { bodies, contacts } = loaded.run;
    for (const { label, first, second } of contacts) {
      this.#on.set(label, { first: bodies[first]?.fixed === false, second: bodies[second]?.fixed === false });
    }
  }

  /** A contact that is never closed for long has no track; its label is made of the names of the two. */
  #movable(label: string): Push["on"] {
    const known = this.#on.get(label);
    if (known !== undefined) return known;
    const fixed = this.loaded.run.bodies.filter((body) => body.fixed).map((body) => body.name);
    const on = {
      first: !fixed.some((name) => label.startsWith(`${name}-`)),
      second: !fixed.some((name) => label.endsWith(`-${name}`)),
    };
    this.#on.set(label, on);
    return on;
  }

  /** Unpacks the tracks, once, and calls back as they become known. */
  async load(progress: () => void): Promise<void> {
    this.#listeners.add(progress);
    if (this.#listeners.size > 1) return;
    await this.loaded.ready;
    for (const k of this.loaded.run.contacts.keys()) {
      const track = await this.loaded.track(k);
      this.#tracks[k] = track;
      const [x, y, z] = track.force;
      for (let i = 0; x !== undefined && y !== undefined && z !== undefined && i < x.length; i++) {
        const size = Math.hypot(x[i] ?? NaN, y[i] ?? NaN, z[i] ?? NaN);
        if (size > this.most && Number.isFinite(size)) this.most = size;
      }
      for (const listener of this.#listeners) listener();
    }
  }

  /** Sustained forces at a moment. */
  at(moment: Moment): Push[] {
    const index = this.loaded.indexAt(moment);
    const here = this.loaded.t[index] ?? NaN;
    const next = this.loaded.t[index + 1] ?? NaN;
    const fraction = moment.t > here && next > here ? (moment.t - here) / (next - here) : 0;
    const pushes: Push[] = [];
    for (const [k, track] of this.#tracks.entries()) {
      if (track === null || track === undefined) continue;
      const point = vectorAt(track.point, index, fraction);
      const vector = vectorAt(track.force, index, fraction);
      if (point === null || vector === null) continue;
      const contact = this.loaded.run.contacts[k]?.label ?? "";
      pushes.push({ contact, point, vector, on: this.#movable(contact) });
    }
    return pushes;
  }

  /** The forces of a transition. */
  of(transition: Transition): Push[] {
    return transition.forces.flatMap(({ contact, point, vector }) =>
      point === null || vector === null ? [] : [{ contact, point, vector, on: this.#movable(contact) }],
    );
  }
}

/** Between samples on the line, while the contact is closed at both; else as at the earlier one. Null while it is open. */
function vectorAt(columns: readonly Float64Array[], index: number, fraction: number): Vector | null {
  const at = (column: number, sample: number) => columns[column]?.[sample] ?? NaN;
  const between = (column: number): number => {
    const here = at(column, index);
    if (fraction === 0) return here;
    const next = at(column, index + 1);
    return Number.isNaN(next) ? here : here + fraction * (next - here);
  };
  const vector: Vector = [between(0), between(1), between(2)];
  return vector.every(Number.isFinite) ? vector : null;
}
