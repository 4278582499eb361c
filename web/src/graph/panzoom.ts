// Panning and zooming of a drawing by its view box: with pointers, wheel and keys.

import type { Undo } from "../shell/dom";

export class PanZoom {
  #x = 0;
  #y = 0;
  #scale = 1;
  readonly #pointers = new Map<number, { x: number; y: number }>();
  /** Whether a pointer moved since it went down: then it is no click. */
  moved = false;

  constructor(
    readonly host: HTMLElement,
    readonly svg: SVGSVGElement,
    readonly width: number,
    readonly height: number,
    undo: Undo,
  ) {
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    svg.setAttribute("preserveAspectRatio", "xMidYMid meet");
    undo.listen(
      host,
      "wheel",
      (event) => {
        // The page scrolls as ever; a drawing zooms when it has been chosen, or with Ctrl, as maps do.
        if (!event.ctrlKey && document.activeElement !== host) return;
        event.preventDefault();
        this.zoom(Math.exp(event.deltaY * 0.0016), event.clientX, event.clientY);
      },
      { passive: false },
    );
    undo.listen(host, "pointerdown", (event) => {
      this.moved = false;
      this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    });
    undo.listen(host, "pointermove", (event) => this.#drag(event));
    for (const type of ["pointerup", "pointercancel", "pointerleave"] as const) {
      undo.listen(host, type, (event) => this.#pointers.delete(event.pointerId));
    }
    undo.listen(host, "keydown", (event) => this.#key(event));
    this.fit();
  }

  fit(): void {
    this.#x = 0;
    this.#y = 0;
    this.#scale = 1;
    this.#apply();
  }

  /** Factors above 1 show more. The point of the drawing under a point of the screen (or in the middle) stays there. */
  zoom(factor: number, clientX?: number, clientY?: number): void {
    const box = this.host.getBoundingClientRect();
    // From the middle: the drawing lies in the middle of its host, whatever the shapes of the two are.
    const px = clientX === undefined ? 0 : clientX - box.left - box.width / 2;
    const py = clientY === undefined ? 0 : clientY - box.top - box.height / 2;
    const next = Math.min(2, Math.max(0.02, this.#scale * factor));
    const less = this.#scale - next;
    const unit = this.#unit(box) / this.#scale;
    this.#x += less * (this.width / 2 + px * unit);
    this.#y += less * (this.height / 2 + py * unit);
    this.#scale = next;
    this.#apply();
  }

  /** How much of the drawing a pixel shows. */
  #unit(box: DOMRect): number {
    return this.#scale * Math.max(this.width / Math.max(1, box.width), this.height / Math.max(1, box.height));
  }

  #drag(event: PointerEvent): void {
    const before = this.#pointers.get(event.pointerId);
    if (before === undefined) return;
    const dx = event.clientX - before.x;
    const dy = event.clientY - before.y;
    if (!this.moved && Math.hypot(dx, dy) < 4) return;
    this.moved = true;
    this.host.setPointerCapture(event.pointerId);
    const others = [...this.#pointers.entries()].filter(([id]) => id !== event.pointerId);
    const other = others[0]?.[1];
    if (other !== undefined) {
      const was = Math.hypot(before.x - other.x, before.y - other.y);
      const is = Math.hypot(event.clientX - other.x, event.clientY - other.y);
      if (is > 0 && was > 0) this.zoom(was / is, other.x, other.y);
    } else {
      this.#pan(-dx, -dy);
    }
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  /** By pixels. */
  #pan(dx: number, dy: number): void {
    const box = this.host.getBoundingClientRect();
    const unit = this.#unit(box);
    this.#x += dx * unit;
    this.#y += dy * unit;
    this.#apply();
  }

  #key(event: KeyboardEvent): void {
    if (
      event.target !== this.host ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      (event.shiftKey && event.key.startsWith("Arrow"))
    )
      return;
    const acts: Record<string, () => void> = {
      ArrowLeft: () => this.#pan(-40, 0),
      ArrowRight: () => this.#pan(40, 0),
      ArrowUp: () => this.#pan(0, -40),
      ArrowDown: () => this.#pan(0, 40),
      "+": () => this.zoom(1 / 1.2),
      "=": () => this.zoom(1 / 1.2),
      "-": () => this.zoom(1.2),
      "0": () => this.fit(),
    };
    const act = acts[event.key];
    if (act === undefined) return;
    act();
    event.preventDefault();
  }

  #apply(): void {
    this.svg.setAttribute("viewBox", `${this.#x} ${this.#y} ${this.#scale * this.width} ${this.#scale * this.height}`);
  }
}
