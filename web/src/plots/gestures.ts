// What pointer, wheel and keys ask for on a plot. Positions are in pixels from the plot's left and top.

import type { Undo } from "../shell/dom";

export interface Wishes {
  hover(x: number): void;
  leave(): void;
  /** By as many pixels to the left. */
  pan(pixels: number): void;
  /** A factor below 1 shows less time; returns whether anything changed. */
  zoom(factor: number, x: number): boolean;
  box(left: number, right: number, top: number, bottom: number): void;
  /** The box while it is being drawn; null when it is gone. */
  outline(box: { left: number; right: number; top: number; bottom: number } | null): void;
  click(x: number): void;
  reset(): void;
  /** To the next sample (1) or the one before (−1). */
  walk(by: 1 | -1): void;
  /** Puts the cursor where the crosshair is. */
  put(): void;
  /** Where the crosshair is, else the middle. */
  focus(): number;
}

/** Pixels that a click may wander. */
const SLACK = 4;

export function listen(area: HTMLElement, inset: () => { left: number; width: number }, wishes: Wishes, undo: Undo): void {
  const place = (event: MouseEvent) => {
    const box = area.getBoundingClientRect();
    return { x: event.clientX - box.left - inset().left, y: event.clientY - box.top };
  };
  pointers(area, place, wishes, undo);
  undo.listen(area, "wheel", (event) => {
    const unit = event.deltaMode === 0 ? 1 : event.deltaMode === 1 ? 30 : 300;
    const [dx, dy] = [event.deltaX * unit, event.deltaY * unit];
    if (event.shiftKey || Math.abs(dx) > Math.abs(dy)) {
      event.preventDefault();
      wishes.pan(Math.abs(dx) > Math.abs(dy) ? dx : dy);
    } else if (wishes.zoom(Math.exp(Math.max(-200, Math.min(200, dy)) * 0.002), place(event).x)) {
      // Where all is seen already, the wheel scrolls the page as usual.
      event.preventDefault();
    }
  }, { passive: false });
  undo.listen(area, "dblclick", () => wishes.reset());
  undo.listen(area, "keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !key(event, inset().width, wishes)) return;
    event.preventDefault();
    event.stopPropagation();
  });
}

function key(event: KeyboardEvent, width: number, wishes: Wishes): boolean {
  switch (event.key) {
    case "ArrowLeft": case "ArrowRight": {
      const by = event.key === "ArrowRight" ? 1 : -1;
      if (event.shiftKey) wishes.walk(by);
      else wishes.pan((by * width) / 10);
      return true;
    }
    case "+": case "=": wishes.zoom(1 / 1.5, wishes.focus()); return true;
    case "-": case "_": wishes.zoom(1.5, wishes.focus()); return true;
    case "0": wishes.reset(); return true;
    case "Enter": wishes.put(); return true;
    default: return false;
  }
}

interface At {
  x: number;
  y: number;
}

/** Drag pans, drag with shift draws a box, two fingers pinch, a short press is a click. */
function pointers(area: HTMLElement, place: (event: MouseEvent) => At, wishes: Wishes, undo: Undo): void {
  const down = new Map<number, At>();
  let start: (At & { box: boolean }) | null = null;
  let moved = false;

  const boxTo = (at: At) => ({
    left: Math.min(start?.x ?? at.x, at.x),
    right: Math.max(start?.x ?? at.x, at.x),
    top: Math.min(start?.y ?? at.y, at.y),
    bottom: Math.max(start?.y ?? at.y, at.y),
  });

  undo.listen(area, "pointerdown", (event) => {
    if (event.button !== 0) return;
    area.setPointerCapture(event.pointerId);
    const at = place(event);
    down.set(event.pointerId, at);
    if (down.size === 1) {
      start = { ...at, box: event.shiftKey };
      moved = false;
    } else moved = true;
  });

  undo.listen(area, "pointermove", (event) => {
    const at = place(event);
    const before = down.get(event.pointerId);
    if (before === undefined) {
      wishes.hover(at.x);
      return;
    }
    if (start !== null && Math.hypot(at.x - start.x, at.y - start.y) > SLACK) moved = true;
    const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
    if (other !== undefined) pinch(before, at, other, wishes);
    else if (start?.box === true) wishes.outline(boxTo(at));
    else if (moved) wishes.pan(before.x - at.x);
    if (moved || other !== undefined) down.set(event.pointerId, at);
  });

  const release = (event: PointerEvent, done: boolean) => {
    if (!down.delete(event.pointerId) || down.size > 0) return;
    const at = place(event);
    if (done && start !== null) {
      if (!moved) wishes.click(at.x);
      else if (start.box) {
        const { left, right, top, bottom } = boxTo(at);
        wishes.box(left, right, top, bottom);
      }
    }
    wishes.outline(null);
    start = null;
  };
  undo.listen(area, "pointerup", (event) => release(event, true));
  undo.listen(area, "pointercancel", (event) => release(event, false));
  undo.listen(area, "pointerleave", (event) => {
    // A finger that is lifted leaves too: what it pointed at stays to be read.
    if (down.size === 0 && event.pointerType !== "touch") wishes.leave();
  });
}

function pinch(before: At, at: At, other: At, wishes: Wishes): void {
  const [was, is] = [Math.abs(before.x - other.x), Math.abs(at.x - other.x)];
  if (was > 10 && is > 10) wishes.zoom(was / is, (at.x + other.x) / 2);
  wishes.pan((before.x - at.x) / 2);
}
