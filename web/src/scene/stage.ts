// The renderer, the lights and the camera: what a scene needs whatever is in it.

import {
  AmbientLight,
  Box3,
  Color,
  DirectionalLight,
  Group,
  HemisphereLight,
  PCFShadowMap,
  PerspectiveCamera,
  Scene,
  Spherical,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { cssColour } from "../shell/theme";
import type { Axis, Extent } from "./extent";

/** Looking from here (in the scene's frame, where y is up). */
const VIEWS = {
  corner: new Vector3(0.35, 0.32, 1),
  front: new Vector3(0, 0, 1),
  side: new Vector3(1, 0, 0),
  top: new Vector3(0, 1, 1e-4),
} as const;

export type View = keyof typeof VIEWS;

/** Where the camera is, and what it looks at. */
export interface Gaze {
  position: number[];
  target: number[];
}

export class Stage {
  readonly scene = new Scene();
  /** Holds what is in the model's frame, turned so that its up is the scene's y. */
  readonly world = new Group();
  readonly camera = new PerspectiveCamera(38, 1, 0.01, 1000);
  readonly controls: OrbitControls;
  readonly #renderer: WebGLRenderer;
  readonly #sun = new DirectionalLight(0xffffff, 1.7);

  /** Throws where there is no WebGL. */
  constructor(canvas: HTMLCanvasElement, changed: () => void) {
    this.#renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: false });
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.#renderer.shadowMap.enabled = true;
    this.#renderer.shadowMap.type = PCFShadowMap;
    this.#sun.castShadow = true;
    this.#sun.shadow.mapSize.set(1024, 1024);
    this.scene.add(
      this.world,
      new HemisphereLight(0xffffff, 0xaab2ba, 1.6),
      new AmbientLight(0xffffff, 0.45),
      this.#sun,
      this.#sun.target,
    );
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener("change", changed);
    this.recolour();
  }

  recolour(): void {
    this.scene.background = new Color(cssColour("--panel") || "#ffffff");
  }

  resize(width: number, height: number): void {
    if (width === 0 || height === 0) return;
    this.#renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  /** Turns the model so that one of its axes points up. */
  setUp(axis: Axis): void {
    this.world.rotation.set(axis === "z" ? -Math.PI / 2 : 0, 0, axis === "x" ? Math.PI / 2 : 0);
    this.world.updateMatrixWorld(true);
  }

  /** Shows the whole extent; from a view, or from where the camera looks now. */
  fit(extent: Extent, view: View | null): void {
    const box = new Box3().copy(extent.box).applyMatrix4(this.world.matrixWorld);
    const centre = box.getCenter(new Vector3());
    const direction = view === null ? this.camera.position.clone().sub(this.controls.target) : VIEWS[view].clone();
    if (direction.lengthSq() === 0) direction.copy(VIEWS.corner);
    direction.normalize();
    const radius = this.#distance(box, centre, direction);
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(direction, radius);
    this.camera.near = Math.max(extent.size * 1e-3, radius * 1e-3);
    this.camera.far = radius + 40 * extent.size;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.#light(box, centre, extent.size);
  }

  /** From how far the corners of a box are all in sight. */
  #distance(box: Box3, centre: Vector3, direction: Vector3): number {
    const vertical = Math.tan((this.camera.fov * Math.PI) / 360);
    const horizontal = vertical * this.camera.aspect;
    const right = new Vector3().crossVectors(this.camera.up, direction).normalize();
    const up = new Vector3().crossVectors(direction, right);
    let most = 0;
    for (let k = 0; k < 8; k++) {
      const corner = new Vector3(k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y, k & 4 ? box.max.z : box.min.z).sub(
        centre,
      );
      const near = corner.dot(direction);
      most = Math.max(most, near + Math.abs(corner.dot(right)) / horizontal, near + Math.abs(corner.dot(up)) / vertical);
    }
    return most * 1.04 || 1;
  }

  #light(box: Box3, centre: Vector3, size: number): void {
    this.#sun.target.position.copy(centre);
    this.#sun.position.copy(centre).add(new Vector3(0.5, 1.4, 0.8).multiplyScalar(2 * size));
    const shadow = this.#sun.shadow.camera;
    const reach = 0.75 * box.getSize(new Vector3()).length();
    shadow.left = shadow.bottom = -reach;
    shadow.right = shadow.top = reach;
    shadow.near = 0.1 * size;
    shadow.far = 8 * size;
    shadow.updateProjectionMatrix();
    this.#sun.shadow.normalBias = 0.01 * size;
  }

  get gaze(): Gaze {
    return { position: this.camera.position.toArray(), target: this.controls.target.toArray() };
  }

  set gaze({ position, target }: Gaze) {
    this.camera.position.fromArray(position);
    this.controls.target.fromArray(target);
    this.controls.update();
  }

  /** Moves camera and target together. */
  shift(by: Vector3): void {
    this.controls.target.add(by);
    this.camera.position.add(by);
    this.controls.update();
  }

  /** Turns about the target, by angles, and goes nearer or farther by a factor. */
  orbit(azimuth: number, polar: number, factor = 1): void {
    const offset = this.camera.position.clone().sub(this.controls.target);
    const around = new Spherical().setFromVector3(offset);
    around.theta += azimuth;
    around.phi += polar;
    around.radius *= factor;
    around.makeSafe();
    this.camera.position.copy(this.controls.target).add(offset.setFromSpherical(around));
    this.controls.update();
  }

  render(): void {
    this.#renderer.render(this.scene, this.camera);
  }

  dispose(): void {
    this.controls.dispose();
    this.#sun.dispose();
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
  }
}
