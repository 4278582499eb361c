// Questions to the user: a name, or one of several ways on.

import { button, el } from "../shell/dom";

/** Shows a dialog until it is answered; Escape is null. */
function ask<T>(title: string, build: (answer: (value: T | null) => void) => Node[]): Promise<T | null> {
  return new Promise((resolve) => {
    const dialog = el("dialog", { class: "st-dialog", "aria-label": title });
    let answer: T | null = null;
    const close = (value: T | null): void => {
      answer = value;
      dialog.close();
    };
    dialog.append(el("h2", {}, title), ...build(close));
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(answer);
    });
    (document.querySelector(".st") ?? document.body).append(dialog);
    dialog.showModal();
  });
}

/** A line of text. */
export function askText(title: string, label: string, value: string, act: string, check: (value: string) => string | null): Promise<string | null> {
  return ask<string>(title, (answer) => {
    const field = el("input", { type: "text", class: "st-wide", value, "aria-label": label, spellcheck: "false", autocomplete: "off" });
    const problem = el("p", { class: "st-problem", role: "alert" });
    const form = el(
      "form",
      { method: "dialog" },
      el("label", {}, label, field),
      problem,
      el("div", { class: "st-buttons" }, button("Cancel", () => answer(null)), el("button", { type: "submit", class: "dv-main" }, act)),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const wrong = check(field.value.trim());
      problem.textContent = wrong ?? "";
      if (wrong === null) answer(field.value.trim());
    });
    // The name without its ending is selected, ready to be typed over.
    queueMicrotask(() => {
      field.focus();
      const end = field.value.lastIndexOf(".");
      field.setSelectionRange(field.value.lastIndexOf("/") + 1, end < 0 ? field.value.length : end);
    });
    return [form];
  });
}

/** One of several ways on; the first is the usual one. */
export function askChoice<T extends string>(title: string, text: string, ways: readonly { value: T; text: string }[]): Promise<T | null> {
  return ask<T>(title, (answer) => {
    const made = ways.map((way, place) => button(way.text, () => answer(way.value), place === 0 ? { class: "dv-main", autofocus: true } : {}));
    return [el("p", {}, text), el("div", { class: "st-buttons" }, button("Cancel", () => answer(null)), ...made.reverse())];
  });
}

/** What is wrong with a name for a model, as the server sees it too. */
export function nameProblem(name: string): string | null {
  if (!/\.(drbt|dam)$/.test(name)) return "The name ends in .drbt (rigid bodies) or .dam (actors).";
  if (name.startsWith("/") || name.split("/").some((part) => part === "" || part.startsWith("."))) return "The path leads down from the studio's folder.";
  if (/[\\:*?"<>|\u0000-\u001f]/.test(name)) return 'A name has no \\ : * ? " < > |';
  return null;
}
