// Which way the axes of the model point, in a corner of the scene.

import { Vector3 } from "three";
import { svg } from "../shell/dom";
import type { Stage } from "./stage";

const LENGTH = 22;
const MIDDLE = 36;

export class Triad {
  readonly element = svg("svg", { class: "dv-triad", width: 2 * MIDDLE, height: 2 * MIDDLE, "aria-hidden": "true" });
  readonly #axes = (["x", "y", "z"] as const).map((axis, k) => {
    const line = svg("line", { x1: MIDDLE, y1: MIDDLE });
    const text = svg("text", {}, axis);
    this.element.append(line, text);
    return { direction: new Vector3().setComponent(k, 1), line, text };
  });

  show(stage: Stage): void {
    const seen = new Vector3();
    for (const { direction, line, text } of this.#axes) {
      seen.copy(direction).transformDirection(stage.world.matrixWorld).transformDirection(stage.camera.matrixWorldInverse);
      line.setAttribute("x2", String(MIDDLE + LENGTH * seen.x));
      line.setAttribute("y2", String(MIDDLE - LENGTH * seen.y));
      text.setAttribute("x", String(MIDDLE + (LENGTH + 8) * seen.x));
      text.setAttribute("y", String(MIDDLE - (LENGTH + 8) * seen.y + 4));
      // An axis that points at the viewer is a point: no room for its name.
      text.setAttribute("opacity", Math.hypot(seen.x, seen.y) < 0.2 ? "0" : "1");
    }
  }
}
