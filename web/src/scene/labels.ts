// Names beside the bodies: elements over the canvas, so that any text is drawn as text.

import type { PerspectiveCamera, Vector3 } from "three";
import type { Body } from "../data";
import { el } from "../shell/dom";
import { name } from "../shell/names";
import { isMovable } from "./poses";

/** Names that are shown at the most; of more bodies the first ones have them. */
export const MOST_NAMES = 60;
/** The height of a name, and the width of a letter, in pixels. */
const LINE = 18;
const LETTER = 8;

export class Labels {
  readonly element = el("div", { class: "dv-labels", "aria-hidden": "true" });
  readonly #labels: { body: number; element: HTMLElement; half: number }[] = [];

  constructor(bodies: readonly Body[]) {
    const movable = [...bodies.entries()].filter(([, body]) => isMovable(body));
    for (const [body, { name: text }] of movable.slice(0, MOST_NAMES)) {
      const element = el("span", {}, name(text));
      this.#labels.push({ body, element, half: (LETTER * Math.min(text.length, 24)) / 2 + 5 });
      this.element.append(element);
    }
  }

  set visible(on: boolean) {
    this.element.hidden = !on;
  }

  /** `top` is the point of a body that its name stands over. */
  place(camera: PerspectiveCamera, width: number, height: number, top: (body: number) => Vector3): void {
    if (this.element.hidden) return;
    const placed: { x: number; y: number; half: number }[] = [];
    for (const { body, element, half } of this.#labels) {
      const at = top(body).project(camera);
      const x = ((at.x + 1) / 2) * width;
      const y = ((1 - at.y) / 2) * height;
      // A name that would cover another is left out until there is room for it.
      const free = placed.every((other) => Math.abs(other.x - x) > other.half + half || Math.abs(other.y - y) > LINE);
      const seen = at.z > -1 && at.z < 1 && Math.abs(at.x) < 1.05 && Math.abs(at.y) < 1.05 && free;
      element.hidden = !seen;
      if (!seen) continue;
      placed.push({ x, y, half });
      element.style.transform = `translate(${x}px, ${y}px) translate(-50%, -100%)`;
    }
  }
}
