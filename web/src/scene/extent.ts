// How large a scene is: where its bodies are over the run, without letting one that flies off make the others specks.

import { Box3, Vector3 } from "three";
import type { Body } from "../data";
import { isMovable, type Poses } from "./poses";
import { isSolid, reach } from "./shapes";

const MOST_SAMPLES = 200;
/** How far from where it starts a run is in sight: radii of the largest body (one body may go far, of many some always
 * do), or a part of the scene at the start. */
const MOST_RADII = { few: 40, many: 16 };
const FEW = 4;
const MOST_PART = 0.35;

export interface Extent {
  box: Box3;
  /** The largest side. */
  size: number;
  centre: Vector3;
  /** The radius of the largest body; 0 if no shapes are known. */
  reach: number;
}

/** The radius about a body's centre that holds its solid surfaces. */
export function reachOf(body: Body): number {
  let most = 0;
  for (const { shape, placement } of body.surfaces) {
    if (isSolid(shape)) most = Math.max(most, reach(shape) + Math.hypot(placement[0] ?? 0, placement[1] ?? 0, placement[2] ?? 0));
  }
  return most;
}

export function extentOf(poses: Poses, bodies: readonly Body[]): Extent {
  const centre = new Vector3();
  const start = new Box3();
  const all = new Box3();
  const stride = Math.max(1, Math.floor(poses.samples / MOST_SAMPLES));
  for (const [k, body] of bodies.entries()) {
    const radius = reachOf(body);
    if (!isMovable(body) && radius === 0) continue;
    grow(start, poses.centre(k, 0, centre), radius);
    if (!isMovable(body)) continue;
    for (let index = 0; index < poses.samples; index += stride) grow(all, poses.centre(k, index, centre), radius);
    if (poses.samples > 0) grow(all, poses.centre(k, poses.samples - 1, centre), radius);
  }
  if (start.isEmpty()) start.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
  const side = start.getSize(new Vector3());
  const radius = Math.max(0, ...bodies.map(reachOf));
  const margin = Math.max(
    MOST_PART * Math.max(side.x, side.y, side.z),
    (bodies.filter(isMovable).length > FEW ? MOST_RADII.many : MOST_RADII.few) * radius,
  );
  const box = radius > 0 ? all.union(start).intersect(start.clone().expandByScalar(margin)) : all.union(start);
  const size = box.getSize(new Vector3());
  return { box, size: Math.max(size.x, size.y, size.z, 1e-9), centre: box.getCenter(new Vector3()), reach: radius };
}

function grow(box: Box3, centre: Vector3, radius: number): void {
  if (![centre.x, centre.y, centre.z].every(Number.isFinite)) return;
  box.expandByPoint(centre.clone().addScalar(radius));
  box.expandByPoint(centre.clone().addScalar(-radius));
}

export type Axis = "x" | "y" | "z";

/** Which way is up: along the normal of a ground, else y, which the models of the papers take. */
export function likelyUp(bodies: readonly Body[]): Axis {
  const grounds = bodies.filter((body) => body.fixed).flatMap((body) => body.surfaces.map(({ shape }) => shape));
  const faces = (axis: number) =>
    grounds.some((shape) => !isSolid(shape) && (shape.normal[axis] ?? 0) > 0.9 * Math.hypot(...shape.normal));
  return !faces(1) && faces(2) ? "z" : "y";
}
