// Drag, pinch, wheel and keys on a chart. What they mean is the chart's.

export interface Gestures {
  /** Zoom about a point in pixels: a factor below 1 shows less. */
  zoom(x: number, y: number, factor: number): void;
  /** Move by pixels. */
  pan(dx: number, dy: number): void;
  /** The whole again. */
  reset(): void;
  /** The pointer is here. */
  hover(x: number, y: number): void;
  leave(): void;
  /** A click or tap that was no drag. */
  press?(x: number, y: number): void;
}

const KEY_FACTOR = 0.6;

/** Listens on a chart until the signal ends it. */
export function listen(target: HTMLElement | SVGElement, acts: Gestures, signal: AbortSignal): void {
  const pointers = new Map<number, { x: number; y: number }>();
  let travelled = 0;
  const place = (event: MouseEvent) => {
    const box = target.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const on = <K extends keyof HTMLElementEventMap>(
    name: K,
    act: (event: HTMLElementEventMap[K]) => void,
    options: AddEventListenerOptions = {},
  ) => target.addEventListener(name, act as EventListener, { ...options, signal });

  on("pointerdown", (event) => {
    if (event.button !== 0) return;
    pointers.set(event.pointerId, place(event));
    travelled = 0;
  });
  on("pointermove", (event) => {
    const at = place(event);
    const before = pointers.get(event.pointerId);
    if (before === undefined) {
      acts.hover(at.x, at.y);
      return;
    }
    const others = [...pointers].filter(([id]) => id !== event.pointerId).map(([, p]) => p);
    pointers.set(event.pointerId, at);
    const other = others[0];
    if (other !== undefined) {
      const spread = (p: { x: number; y: number }) => Math.hypot(p.x - other.x, p.y - other.y);
      const middle = { x: 0.5 * (at.x + other.x), y: 0.5 * (at.y + other.y) };
      if (spread(at) > 0) acts.zoom(middle.x, middle.y, spread(before) / spread(at));
      return;
    }
    travelled += Math.abs(at.x - before.x) + Math.abs(at.y - before.y);
    if (travelled < 4) return;
    // Only a drag is captured: a click must reach what lies under it.
    if (!target.hasPointerCapture(event.pointerId)) target.setPointerCapture(event.pointerId);
    acts.pan(at.x - before.x, at.y - before.y);
  });
  const end = (event: PointerEvent) => {
    const was = pointers.delete(event.pointerId);
    if (was && event.type === "pointerup" && travelled < 4) {
      const at = place(event);
      acts.press?.(at.x, at.y);
    }
  };
  on("pointerup", end);
  on("pointercancel", end);
  on("pointerleave", () => acts.leave());
  on("dblclick", () => acts.reset());
  on(
    "wheel",
    (event) => {
      // A page must still scroll when the pointer happens to be over a chart.
      if (!event.ctrlKey && !event.metaKey && !target.contains(document.activeElement)) return;
      event.preventDefault();
      const at = place(event);
      const lines = event.deltaMode === 1 ? 16 : 1;
      acts.zoom(at.x, at.y, Math.exp(Math.max(-240, Math.min(240, event.deltaY * lines)) * 0.003));
    },
    { passive: false },
  );
}

/** The keys every chart has: + and − zoom about the middle, 0 shows the whole. Whether one was meant. */
export function zoomKey(key: string, width: number, height: number, acts: Pick<Gestures, "zoom" | "reset">): boolean {
  if (key === "+" || key === "=") acts.zoom(width / 2, height / 2, KEY_FACTOR);
  else if (key === "-" || key === "_") acts.zoom(width / 2, height / 2, 1 / KEY_FACTOR);
  else if (key === "0") acts.reset();
  else return false;
  return true;
}
