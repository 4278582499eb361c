// Geometry of surfaces. Equal shapes share one geometry and are drawn as instances; balls and ellipsoids of all sizes are
// scaled copies of one ball. Octants are light and dark in turn, so that spin is seen.

import { BoxGeometry, BufferGeometry, CapsuleGeometry, Float32BufferAttribute, Matrix4, SphereGeometry, Vector3 } from "three";
import { RoundedBoxGeometry } from "three/examples/jsm/geometries/RoundedBoxGeometry.js";
import type { Shape } from "../data";

export type Solid = Exclude<Shape, { kind: "plane" | "half_space" }>;

export function isSolid(shape: Shape): shape is Solid {
  return shape.kind !== "plane" && shape.kind !== "half_space";
}

/** Shapes with the same key are instances of one geometry. */
export function keyOf(shape: Solid): string {
  switch (shape.kind) {
    case "sphere":
    case "ellipsoid":
      return "ball";
    case "capsule":
      return `capsule ${shape.radius} ${shape.halfLength}`;
    case "rounded_box":
      return `box ${shape.halfExtents.join(" ")} ${shape.radius}`;
    case "convex":
      return `convex ${shape.corners.join(" ")}`;
  }
}

/** What is left to scale of an instance. */
export function scaleOf(shape: Solid): Vector3 {
  switch (shape.kind) {
    case "sphere":
      return new Vector3(shape.radius, shape.radius, shape.radius);
    case "ellipsoid":
      return new Vector3(...shape.semiAxes);
    default:
      return new Vector3(1, 1, 1);
  }
}

/** The radius of a ball about the surface's origin that holds it. */
export function reach(shape: Solid): number {
  switch (shape.kind) {
    case "sphere":
      return shape.radius;
    case "ellipsoid":
      return Math.max(...shape.semiAxes);
    case "capsule":
      return shape.radius + shape.halfLength;
    case "rounded_box":
      return Math.hypot(...shape.halfExtents) + shape.radius;
    case "convex":
      return Math.max(...shape.corners.map((corner) => Math.hypot(...corner)));
  }
}

/** Finer for few bodies than for many: what is drawn each frame stays bounded. */
export function geometryOf(shape: Solid, instances: number): BufferGeometry {
  const detail = instances > 400 ? 16 : instances > 80 ? 24 : 48;
  switch (shape.kind) {
    case "sphere":
    case "ellipsoid":
      return twoTone(new SphereGeometry(1, detail, detail / 2));
    case "capsule": {
      const capsule = new CapsuleGeometry(shape.radius, 2 * shape.halfLength, detail / 4, detail, 2);
      return twoTone(capsule.applyMatrix4(new Matrix4().makeRotationX(Math.PI / 2)));
    }
    case "rounded_box": {
      const [x, y, z] = shape.halfExtents.map((half) => 2 * (half + shape.radius)) as [number, number, number];
      return twoTone(shape.radius > 0 ? new RoundedBoxGeometry(x, y, z, 3, shape.radius) : new BoxGeometry(x, y, z, 2, 2, 2));
    }
    case "convex":
      return hull(shape);
  }
}

/** Each face as triangles from its first corner; faces are light and dark in turn. */
function hull(shape: Extract<Solid, { kind: "convex" }>): BufferGeometry {
  const position: number[] = [];
  const colours: number[] = [];
  shape.faces.forEach((face, number) => {
    const shade = number % 2 === 0 ? 1 : 0.72;
    for (let k = 1; k + 1 < face.length; k++) {
      for (const corner of [face[0]!, face[k]!, face[k + 1]!]) {
        position.push(...shape.corners[corner]!);
        colours.push(shade, shade, shade);
      }
    }
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(position, 3));
  geometry.setAttribute("color", new Float32BufferAttribute(colours, 3));
  geometry.computeVertexNormals();
  return geometry;
}

/** Colours faces by octant: boundaries of octants are boundaries of faces. */
function twoTone(geometry: BufferGeometry): BufferGeometry {
  const flat = geometry.index === null ? geometry : geometry.toNonIndexed();
  flat.deleteAttribute("uv");
  flat.clearGroups();
  const position = flat.getAttribute("position");
  const colours = new Float32Array(position.count * 3);
  for (let k = 0; k < position.count; k += 3) {
    let sign = 1;
    for (const get of ["getX", "getY", "getZ"] as const) {
      sign *= position[get](k) + position[get](k + 1) + position[get](k + 2) >= 0 ? 1 : -1;
    }
    colours.fill(sign > 0 ? 1 : 0.58, 3 * k, 3 * k + 9);
  }
  flat.setAttribute("color", new Float32BufferAttribute(colours, 3));
  if (flat !== geometry) geometry.dispose();
  return flat;
}
