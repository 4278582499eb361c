// Where each body is at a moment: positions linearly, orientations along the great arc between samples, never across the
// microsteps of an instant (there the last sample at or before the moment counts).

import { Quaternion, Vector3 } from "three";
import type { LoadedRun } from "../columns";
import type { Moment } from "../cursor";
import type { Body } from "../data";

type Columns = (Float64Array | null)[];

export class Poses {
  readonly #columns: Columns[];
  readonly #next = new Quaternion();
  #index = -1;
  #fraction = 0;

  constructor(
    readonly loaded: LoadedRun,
    readonly bodies: readonly Body[],
  ) {
    this.#columns = bodies.map(() => []);
  }

  /** Unpacks what the bodies need; calls back as bodies become known, so that a large scene fills in. */
  async load(progress: () => void): Promise<void> {
    await this.loaded.ready;
    for (const [k, body] of this.bodies.entries()) {
      if (!isMovable(body)) continue;
      this.#columns[k] = await Promise.all(
        body.signals.map((signal) => (signal !== null && this.loaded.has(signal) ? this.loaded.column(signal) : null)),
      );
      if (k % 50 === 49) progress();
    }
    progress();
  }

  /** How many samples there are of what moves. */
  get samples(): number {
    return this.loaded.t.length;
  }

  /** Looks a moment up; `at` then tells of it, body by body. */
  seek(moment: Moment): void {
    const { t } = this.loaded;
    this.#index = this.loaded.indexAt(moment);
    const here = t[this.#index];
    const next = t[this.#index + 1];
    this.#fraction =
      here !== undefined && next !== undefined && moment.t > here && next > here ? (moment.t - here) / (next - here) : 0;
  }

  /** The placement of a body at the moment looked up; what a signal does not give the start does. */
  at(body: number, position: Vector3, orientation: Quaternion): void {
    const index = this.#index;
    const fraction = this.#fraction;
    this.centre(body, index, position);
    this.#orientation(body, index, orientation);
    if (fraction === 0) return;
    position.x += fraction * (this.#value(body, 0, index + 1) - position.x);
    position.y += fraction * (this.#value(body, 1, index + 1) - position.y);
    position.z += fraction * (this.#value(body, 2, index + 1) - position.z);
    this.#orientation(body, index + 1, this.#next);
    orientation.slerp(this.#next, fraction);
  }

  /** The centre of a body at a sample. */
  centre(body: number, index: number, position: Vector3): Vector3 {
    return position.set(this.#value(body, 0, index), this.#value(body, 1, index), this.#value(body, 2, index));
  }

  #orientation(body: number, index: number, orientation: Quaternion): void {
    orientation
      .set(this.#value(body, 4, index), this.#value(body, 5, index), this.#value(body, 6, index), this.#value(body, 3, index))
      .normalize();
  }

  #value(body: number, component: number, index: number): number {
    const value = this.#columns[body]?.[component]?.[index];
    if (value !== undefined && !Number.isNaN(value)) return value;
    return this.bodies[body]?.placement[component] ?? (component === 3 ? 1 : 0);
  }
}

export function isMovable(body: Body): boolean {
  return !body.fixed && body.signals.some((signal) => signal !== null);
}
