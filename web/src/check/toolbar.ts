// The buttons of a chart: what gestures and keys do, for those who have neither.

import { html } from "./dom";

export interface Zoomable {
  zoomBy(factor: number): void;
  reset(): void;
}

export function zoomButtons(chart: Zoomable): HTMLSpanElement {
  const button = (text: string, label: string, act: () => void) => {
    const made = html("button", { type: "button", "aria-label": label, title: label }, text);
    made.addEventListener("click", act);
    return made;
  };
  return html(
    "span",
    { class: "check-tools", role: "group", "aria-label": "zoom" },
    button("−", "zoom out", () => chart.zoomBy(1 / 0.5)),
    button("+", "zoom in", () => chart.zoomBy(0.5)),
    button("whole", "show the whole range", () => chart.reset()),
  );
}

/** Copies a text, and says so for a moment. */
export function copyButton(text: string): HTMLButtonElement {
  const button = html("button", { type: "button", "aria-label": "copy the call" }, "copy");
  const told = (word: string) => {
    button.textContent = word;
    setTimeout(() => (button.textContent = "copy"), 1500);
  };
  button.addEventListener("click", () => {
    // A page from disk may not have a clipboard.
    if (navigator.clipboard === undefined) told(copyBySelection(button, text) ? "copied" : "not copied");
    else
      navigator.clipboard.writeText(text).then(
        () => told("copied"),
        () => told(copyBySelection(button, text) ? "copied" : "not copied"),
      );
  });
  return button;
}

function copyBySelection(beside: HTMLElement, text: string): boolean {
  const field = html("textarea", { class: "visually-hidden", readonly: true });
  field.value = text;
  beside.after(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  beside.focus();
  return done;
}
