// Panes side by side with a bar between them to drag; on a narrow screen tabs instead.

import { el } from "../shell/dom";

/** Least and largest share of the left pane, percent. */
const [LEAST, LARGEST, USUAL] = [20, 75, 40];
/** How far a key moves the bar, percent. */
const STEP = 2;

/** The bar between the panes of `root`. */
export function splitter(root: HTMLElement): HTMLElement {
  const bar = el("div", {
    class: "st-split",
    role: "separator",
    tabindex: 0,
    "aria-orientation": "vertical",
    "aria-label": "Width of the editor",
    "aria-valuemin": LEAST,
    "aria-valuemax": LARGEST,
  });
  let share = USUAL;
  const set = (next: number): void => {
    share = Math.min(Math.max(next, LEAST), LARGEST);
    root.style.setProperty("--st-left", `${share}%`);
    bar.setAttribute("aria-valuenow", share.toFixed(0));
  };
  set(USUAL);
  bar.addEventListener("pointerdown", (event) => {
    bar.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  bar.addEventListener("pointermove", (event) => {
    if (bar.hasPointerCapture(event.pointerId)) set((100 * event.clientX) / root.clientWidth);
  });
  bar.addEventListener("dblclick", () => set(USUAL));
  bar.addEventListener("keydown", (event) => {
    if (event.key === "ArrowLeft") set(share - STEP);
    else if (event.key === "ArrowRight") set(share + STEP);
    else if (event.key === "Home") set(LEAST);
    else if (event.key === "End") set(LARGEST);
    else return;
    event.preventDefault();
  });
  return bar;
}

export type Tab = "model" | "settings" | "result";

/** Tabs for a narrow screen; `select` chooses one from outside. */
export function tabs(root: HTMLElement): { bar: HTMLElement; select: (tab: Tab) => void } {
  const all: { tab: Tab; text: string }[] = [
    { tab: "model", text: "Model" },
    { tab: "settings", text: "Settings" },
    { tab: "result", text: "Results" },
  ];
  const select = (chosen: Tab): void => {
    root.dataset.tab = chosen;
    buttons.forEach((made, place) => made.setAttribute("aria-current", String(all[place]?.tab === chosen)));
  };
  const buttons = all.map(({ tab, text }) => {
    const made = el("button", { type: "button", "data-tab": tab }, text);
    made.addEventListener("click", () => select(tab));
    return made;
  });
  select("model");
  return { bar: el("nav", { class: "st-tabs", "aria-label": "What is shown" }, ...buttons), select };
}
