// The keyboard map, as an overlay.

import { button, el } from "./dom";

const MAP: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  [
    "Everywhere",
    [
      ["Space", "play or pause"],
      ["→  ←", "one microstep on or back"],
      ["Shift →  Shift ←", "to the next or previous instant with events"],
      ["Home  End", "to the start or the end"],
      [".  ,", "faster or slower"],
      ["L", "loop"],
      ["E", "at events: go on, go slowly, stop"],
      ["T", "dark or light"],
      ["?", "this help"],
    ],
  ],
  [
    "In the scene, a drawing or a plot (click or tab to it)",
    [
      ["→ ← ↑ ↓", "turn or move"],
      ["+  −", "nearer or farther"],
      ["0", "fit"],
      ["Mouse", "drag turns or moves, right drag moves the camera, wheel zooms"],
    ],
  ],
];

export class Help {
  readonly element = el("dialog", { class: "dv-help", "aria-label": "Keyboard" });

  constructor() {
    this.element.append(
      el(
        "header",
        {},
        el("h2", {}, "Keyboard"),
        el("span", { class: "dv-spring" }),
        button("Close", () => this.element.close(), { class: "dv-small" }),
      ),
      ...MAP.flatMap(([title, rows]) => [
        el("h3", {}, title),
        el(
          "dl",
          {},
          ...rows.flatMap(([keys, text]) => [
            el("dt", {}, ...keys.split("  ").map((key) => el("kbd", {}, key))),
            el("dd", {}, text),
          ]),
        ),
      ]),
    );
    this.element.addEventListener("click", (event) => {
      if (event.target === this.element) this.element.close();
    });
  }

  toggle(): void {
    if (this.element.open) this.element.close();
    else this.element.showModal();
  }
}
