// Forces and impulses as arrows: a thin one for a force, a thick one with a ball at its root for an impulse.

import {
  ConeGeometry,
  CylinderGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
} from "three";
import { cssColour } from "../shell/theme";

export interface Arrow {
  point: Vector3;
  /** Direction and length, in the scene's metres. */
  vector: Vector3;
}

const MOST = 512;
const UP = new Vector3(0, 1, 0);

export class Arrows {
  readonly group = new Group();
  readonly #shaft: InstancedMesh;
  readonly #tip: InstancedMesh;
  readonly #root: InstancedMesh | null;
  readonly #material: MeshBasicMaterial;

  /** `width` is the shaft's radius in metres. */
  constructor(
    readonly kind: "force" | "impulse",
    readonly width: number,
  ) {
    // Drawn over the bodies: where two of them touch, an arrow starts inside of what it acts on.
    this.#material = new MeshBasicMaterial({ depthTest: false, depthWrite: false, transparent: true });
    this.#shaft = this.#mesh(new CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0));
    this.#tip = this.#mesh(new ConeGeometry(1, 1, 14).translate(0, -0.5, 0));
    this.#root = kind === "impulse" ? this.#mesh(new SphereGeometry(1, 12, 8)) : null;
    this.recolour();
  }

  #mesh(geometry: CylinderGeometry | ConeGeometry | SphereGeometry): InstancedMesh {
    const mesh = new InstancedMesh(geometry, this.#material, MOST);
    mesh.frustumCulled = false;
    mesh.renderOrder = 10;
    mesh.count = 0;
    this.group.add(mesh);
    return mesh;
  }

  show(arrows: readonly Arrow[], opacity = 1): void {
    const count = Math.min(arrows.length, MOST);
    const matrix = new Matrix4();
    const turn = new Quaternion();
    const { width } = this;
    for (let k = 0; k < count; k++) {
      const arrow = arrows[k];
      if (arrow === undefined) break;
      const length = arrow.vector.length();
      const direction = arrow.vector.clone().divideScalar(length || 1);
      turn.setFromUnitVectors(UP, direction);
      const head = Math.min(5 * width, 0.6 * length);
      const thin = Math.min(width, 0.2 * length);
      this.#shaft.setMatrixAt(k, matrix.compose(arrow.point, turn, new Vector3(thin, Math.max(length - head, 1e-12), thin)));
      const end = arrow.point.clone().add(arrow.vector);
      this.#tip.setMatrixAt(k, matrix.compose(end, turn, new Vector3(head * 0.45, head, head * 0.45)));
      this.#root?.setMatrixAt(k, matrix.compose(arrow.point, turn, new Vector3(2 * width, 2 * width, 2 * width)));
    }
    this.#material.opacity = opacity;
    for (const mesh of [this.#shaft, this.#tip, this.#root]) {
      if (mesh === null) continue;
      mesh.count = count;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  recolour(): void {
    this.#material.color.set(cssColour(this.kind === "force" ? "--force" : "--impulse") || "#d55e00");
  }

  dispose(): void {
    for (const mesh of [this.#shaft, this.#tip, this.#root]) {
      mesh?.geometry.dispose();
      mesh?.dispose();
    }
    this.#material.dispose();
  }
}
