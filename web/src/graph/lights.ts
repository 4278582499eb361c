// Which elements of a drawing stand for the places and edges of a run: by the keys of a place, the most exact first.

import type { Run, Transition } from "../data";

export class Lights<E> {
  readonly #lights: ReadonlyMap<string, readonly E[]>;
  readonly #edges: ReadonlyMap<string, readonly E[]>;
  readonly #keys = new Map<string, readonly string[]>();
  readonly #textOf: (element: E) => string;
  /** Edges of the drawing that the run takes, each with the number of transitions before it is first taken. */
  readonly taken: ReadonlyMap<E, number>;

  /** `textOf` is what a drawing says about an edge: its guard is in it. */
  constructor(
    run: Run,
    lights: ReadonlyMap<string, readonly E[]>,
    edges: ReadonlyMap<string, readonly E[]>,
    textOf: (element: E) => string,
  ) {
    this.#lights = lights;
    this.#edges = edges;
    this.#textOf = textOf;
    for (const place of run.places) this.#keys.set(place.name, place.lights);
    const seen = new Set<string>();
    const taken = new Map<E, number>();
    for (const [k, transition] of run.transitions.entries()) {
      const kind = JSON.stringify([transition.from, transition.to, transition.guard]);
      if (seen.has(kind)) continue;
      seen.add(kind);
      for (const element of this.edgeElements(transition)) if (!taken.has(element)) taken.set(element, k);
    }
    this.taken = taken;
  }

  #keysOf(place: string): readonly string[] {
    return this.#keys.get(place) ?? [place];
  }

  /** The key under which a place is in the drawing. */
  light(place: string): string | null {
    return this.#keysOf(place).find((key) => this.#lights.has(key)) ?? null;
  }

  elements(key: string): readonly E[] {
    return this.#lights.get(key) ?? [];
  }

  /** What is drawn of the edge that a transition takes: of several between the same places those with its guard. */
  edgeElements(transition: Transition): readonly E[] {
    const elements = this.#edges.get(this.edge(transition) ?? "") ?? [];
    if (elements.length < 2 || transition.guard === "") return elements;
    const exact = elements.filter((element) => this.#textOf(element).includes(transition.guard));
    return exact.length > 0 ? exact : elements;
  }

  /** The most exact edge of the drawing that a transition takes; null if it stays within what is drawn as one. */
  edge(transition: Transition): string | null {
    const froms = this.#keysOf(transition.from);
    const tos = this.#keysOf(transition.to);
    for (let far = 0; far < froms.length + tos.length - 1; far++) {
      for (let a = Math.max(0, far - tos.length + 1); a <= Math.min(far, froms.length - 1); a++) {
        const key = `${froms[a]}→${tos[far - a]}`;
        if (this.#edges.has(key)) return key;
      }
    }
    return null;
  }
}

/** When a run comes to what is drawn under a key, from elsewhere in the drawing. */
export function visitsOf<E>(run: Run, lights: Lights<E>, key: string): { t: number; n: number; place: string }[] {
  const visits: { t: number; n: number; place: string }[] = [];
  for (const machine of run.machines) {
    let before: string | null = null;
    for (const { t, n, place } of [{ t: run.from, n: -1, place: machine.initial }, ...machine.moves]) {
      const light = place === null ? null : lights.light(place);
      if (place !== null && light === key && before !== key) visits.push({ t, n: n + 1, place });
      before = light;
    }
  }
  return visits.sort((a, b) => a.t - b.t || a.n - b.n);
}
