// The paths of the centres up to the moment, thinned so that a long run costs no more to draw than a short one.

import { BufferAttribute, BufferGeometry, type Color, Group, Line, LineBasicMaterial, Vector3 } from "three";
import type { Moment } from "../cursor";
import type { Poses } from "./poses";
import { isMovable } from "./poses";

const MOST_BODIES = 100;
const MOST_POINTS = 4000;

export class Trails {
  readonly group = new Group();
  readonly #lines: Line<BufferGeometry, LineBasicMaterial>[] = [];
  readonly #stride: number;

  constructor(
    readonly poses: Poses,
    colours: readonly Color[],
  ) {
    this.#stride = Math.max(1, Math.ceil(poses.samples / MOST_POINTS));
    const points = Math.ceil(poses.samples / this.#stride);
    const centre = new Vector3();
    for (const [k, body] of poses.bodies.entries()) {
      if (!isMovable(body) || this.#lines.length >= MOST_BODIES) continue;
      const places = new Float32Array(3 * points);
      for (let p = 0; p < points; p++) poses.centre(k, p * this.#stride, centre).toArray(places, 3 * p);
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(places, 3));
      const line = new Line(geometry, new LineBasicMaterial({ color: colours[k] ?? 0x888888, transparent: true, opacity: 0.8 }));
      line.frustumCulled = false;
      this.#lines.push(line);
      this.group.add(line);
    }
  }

  show(moment: Moment): void {
    const until = Math.floor(this.poses.loaded.indexAt(moment) / this.#stride) + 1;
    for (const line of this.#lines) line.geometry.setDrawRange(0, Math.max(0, until));
  }

  recolour(colours: readonly Color[]): void {
    const movable = [...this.poses.bodies.entries()].filter(([, body]) => isMovable(body));
    for (const [k, line] of this.#lines.entries()) {
      const colour = colours[movable[k]?.[0] ?? -1];
      if (colour !== undefined) line.material.color.copy(colour);
    }
  }

  dispose(): void {
    for (const line of this.#lines) {
      line.geometry.dispose();
      line.material.dispose();
    }
  }
}
