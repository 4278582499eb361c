// The bodies as instances: one mesh for each geometry, one matrix for each surface, posed anew at each moment.

import {
  Color,
  type BufferGeometry,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  LineBasicMaterial,
  LineSegments,
  AxesHelper,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshStandardMaterial,
  PlaneGeometry,
  Quaternion,
  Vector3,
  BufferAttribute,
  BufferGeometry as Geometry,
  DoubleSide,
  ShadowMaterial,
} from "three";
import type { Moment } from "../cursor";
import type { Body, Shape } from "../data";
import { isMovable, type Poses } from "./poses";
import { geometryOf, isSolid, keyOf, scaleOf, type Solid } from "./shapes";
import { cssColour } from "../shell/theme";

interface Instance {
  body: number;
  /** From the unit geometry into the body's frame. */
  local: Matrix4;
  mesh: InstancedMesh;
  slot: number;
}

interface Patch {
  body: number;
  group: Group;
}

const ONE = new Vector3(1, 1, 1);
/** From so many bodies on they cast no shadows and shine less: what a frame costs stays bounded. */
const MANY = 200;

export class Bodies {
  readonly group = new Group();
  readonly #instances: Instance[] = [];
  readonly #patches: Patch[] = [];
  readonly #meshes: InstancedMesh[] = [];
  readonly #matrices: Matrix4[];
  readonly #owned: { dispose(): void }[] = [];
  readonly #material: MeshStandardMaterial | MeshLambertMaterial;
  readonly #floor = new MeshBasicMaterial({ side: DoubleSide, transparent: true, opacity: 0.7, depthWrite: false });
  readonly #shade = new ShadowMaterial({ opacity: 0.16, side: DoubleSide, depthWrite: false });
  readonly #grid = new LineBasicMaterial({ transparent: true, opacity: 0.4 });
  readonly #position = new Vector3();
  readonly #orientation = new Quaternion();
  readonly #matrix = new Matrix4();

  /** `size` is the extent of the scene: planes are drawn as patches a little larger, about `centre`. */
  constructor(
    readonly poses: Poses,
    readonly bodies: readonly Body[],
    size: number,
    centre: Vector3,
  ) {
    this.#matrices = bodies.map(() => new Matrix4());
    this.#material =
      bodies.length > MANY
        ? new MeshLambertMaterial({ vertexColors: true })
        : new MeshStandardMaterial({ vertexColors: true, roughness: 0.55, metalness: 0 });
    const groups = new Map<string, { shape: Solid; parts: { body: number; local: Matrix4 }[] }>();
    for (const [k, body] of bodies.entries()) {
      for (const surface of surfacesOf(body, size)) {
        const local = matrixOf(surface.placement);
        if (isSolid(surface.shape)) {
          const key = keyOf(surface.shape);
          const group = groups.get(key) ?? { shape: surface.shape, parts: [] };
          groups.set(key, group);
          group.parts.push({ body: k, local: local.scale(scaleOf(surface.shape)) });
        } else {
          this.#patch(k, surface.shape, local, size, centre);
        }
      }
      if (body.surfaces.length === 0) this.#axes(k, size);
    }
    for (const { shape, parts } of groups.values()) this.#instanced(geometryOf(shape, parts.length), parts);
    this.recolour();
  }

  /** Puts all bodies where they are at a moment. */
  pose(moment: Moment): void {
    this.poses.seek(moment);
    for (const k of this.bodies.keys()) {
      this.poses.at(k, this.#position, this.#orientation);
      this.#matrices[k]?.compose(this.#position, this.#orientation, ONE);
    }
    for (const { body, local, mesh, slot } of this.#instances) {
      const placed = this.#matrices[body];
      if (placed !== undefined) mesh.setMatrixAt(slot, this.#matrix.multiplyMatrices(placed, local));
    }
    for (const mesh of this.#meshes) mesh.instanceMatrix.needsUpdate = true;
    for (const { body, group } of this.#patches) {
      const placed = this.#matrices[body];
      if (placed === undefined) continue;
      group.matrix.copy(placed);
      group.matrixWorldNeedsUpdate = true;
    }
  }

  /** The centre of a body as last posed, in the frame of the model. */
  centre(body: number, to: Vector3): Vector3 {
    const placed = this.#matrices[body];
    return placed === undefined ? to.set(0, 0, 0) : to.setFromMatrixPosition(placed);
  }

  recolour(): void {
    this.#floor.color.set(cssColour("--raised"));
    this.#grid.color.set(cssColour("--muted"));
    const colours = bodyColours(this.bodies);
    for (const { body, mesh, slot } of this.#instances) mesh.setColorAt(slot, colours[body] ?? new Color("#888888"));
    for (const mesh of this.#meshes) if (mesh.instanceColor !== null) mesh.instanceColor.needsUpdate = true;
  }

  dispose(): void {
    for (const mesh of this.#meshes) mesh.dispose();
    for (const owned of [...this.#owned, this.#material, this.#floor, this.#shade, this.#grid]) owned.dispose();
  }

  #instanced(geometry: BufferGeometry, parts: { body: number; local: Matrix4 }[]): void {
    const mesh = new InstancedMesh(geometry, this.#material, parts.length);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    // Its bounds change with each moment; asking for them anew costs more than drawing what is out of sight.
    mesh.frustumCulled = false;
    mesh.castShadow = this.bodies.length <= MANY;
    mesh.receiveShadow = mesh.castShadow;
    for (const [slot, part] of parts.entries()) this.#instances.push({ ...part, mesh, slot });
    this.#meshes.push(mesh);
    this.#owned.push(geometry);
    this.group.add(mesh);
  }

  #patch(body: number, shape: Exclude<Shape, Solid>, local: Matrix4, size: number, centre: Vector3): void {
    const normal = new Vector3(...shape.normal).normalize();
    const length = Math.hypot(...shape.normal);
    const foot = normal.clone().multiplyScalar(length > 0 ? shape.offset / length : 0);
    // Fixed patches lie under the middle of the scene, not under the origin.
    if (this.bodies[body]?.fixed === true) {
      const placed = matrixOf(this.bodies[body]?.placement ?? [])
        .multiply(local)
        .invert();
      const middle = centre.clone().applyMatrix4(placed).sub(foot);
      foot.add(middle.addScaledVector(normal, -middle.dot(normal)));
    }
    const half = 0.7 * size;
    const step = niceStep(half / 5);
    const geometry = new PlaneGeometry(2 * half, 2 * half);
    const shade = new Mesh(geometry, this.#shade);
    shade.receiveShadow = true;
    const lines = gridLines(half, step);
    const inner = new Group();
    inner.add(new Mesh(geometry, this.#floor), shade, new LineSegments(lines, this.#grid));
    inner.matrixAutoUpdate = false;
    inner.matrix.multiplyMatrices(
      local,
      new Matrix4().compose(foot, new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), normal), ONE),
    );
    const group = new Group();
    group.matrixAutoUpdate = false;
    group.add(inner);
    this.#patches.push({ body, group });
    this.#owned.push(geometry, lines);
    this.group.add(group);
  }

  #axes(body: number, size: number): void {
    const axes = new AxesHelper(0.06 * size);
    const group = new Group();
    group.matrixAutoUpdate = false;
    group.add(axes);
    this.#patches.push({ body, group });
    this.#owned.push(axes);
    this.group.add(group);
  }
}

/** Of a trace without its model only the centre is known: a small ball stands for the body. */
function surfacesOf(body: Body, size: number): Body["surfaces"] {
  if (body.surfaces.length > 0) return body.surfaces;
  return [{ shape: { kind: "sphere", radius: 0.02 * size }, placement: [0, 0, 0, 1, 0, 0, 0] }];
}

function matrixOf(placement: readonly number[]): Matrix4 {
  const [x = 0, y = 0, z = 0, qw = 1, qx = 0, qy = 0, qz = 0] = placement;
  return new Matrix4().compose(new Vector3(x, y, z), new Quaternion(qx, qy, qz, qw).normalize(), ONE);
}

/** Movable bodies take the colours in turn, fixed ones are grey. From the eighth on the same hues are lighter or darker. */
export function bodyColours(bodies: readonly Body[]): Color[] {
  const hues = [0, 1, 2, 4, 3, 5, 6].map((k) => new Color(cssColour(`--c${k}`) || "#0072b2"));
  const fixed = new Color(cssColour("--c7") || "#4d5663");
  let movable = 0;
  return bodies.map((body) => {
    if (!isMovable(body)) return fixed;
    const turn = Math.floor(movable / hues.length) % 3;
    const colour = (hues[movable++ % hues.length] ?? fixed).clone();
    return turn === 0 ? colour : colour.lerp(new Color(turn === 1 ? "#ffffff" : "#000000"), 0.35);
  });
}

/** 1, 2 or 5 times a power of ten, the next at or above. */
export function niceStep(least: number): number {
  if (!(least > 0) || !Number.isFinite(least)) return 1;
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((k) => k * power).find((step) => step >= least * 0.999999) ?? 10 * power;
}

function gridLines(half: number, step: number): Geometry {
  const points: number[] = [];
  const most = Math.floor(half / step);
  for (let k = -most; k <= most; k++) points.push(k * step, -half, 0, k * step, half, 0, -half, k * step, 0, half, k * step, 0);
  points.push(
    -half,
    -half,
    0,
    half,
    -half,
    0,
    half,
    -half,
    0,
    half,
    half,
    0,
    half,
    half,
    0,
    -half,
    half,
    0,
    -half,
    half,
    0,
    -half,
    -half,
    0,
  );
  const geometry = new Geometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
  return geometry;
}
