// Names beside the bodies: elements over the canvas, so that any text is drawn as text.

import type { PerspectiveCamera, Vector3 } from "three";
import type { Body } from "../data";
import { el } from "../shell/dom";
import { name } from "../shell/names";
import { isMovable } from "./poses";

const MOST = 40;

export class Labels {
  readonly element = el("div", { class: "dv-labels", "aria-hidden": "true" });
  readonly #labels: { body: number; element: HTMLElement }[] = [];

  constructor(bodies: readonly Body[]) {
    const movable = [...bodies.entries()].filter(([, body]) => isMovable(body));
    for (const [body, { name: text }] of movable.slice(0, MOST)) {
      const element = el("span", {}, name(text));
      this.#labels.push({ body, element });
      this.element.append(element);
    }
  }

  set visible(on: boolean) {
    this.element.hidden = !on;
  }

  /** `top` is the point of a body that its name stands over. */
  place(camera: PerspectiveCamera, width: number, height: number, top: (body: number) => Vector3): void {
    if (this.element.hidden) return;
    for (const { body, element } of this.#labels) {
      const at = top(body).project(camera);
      const seen = at.z > -1 && at.z < 1 && Math.abs(at.x) < 1.05 && Math.abs(at.y) < 1.05;
      element.hidden = !seen;
      if (seen) element.style.transform = `translate(${((at.x + 1) / 2) * width}px, ${((1 - at.y) / 2) * height}px) translate(-50%, -100%)`;
    }
  }
}
