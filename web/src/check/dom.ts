// Elements of a check. All texts may hold names of the model, so characters that hide or reorder are shown as what they are.

import { el, svg as drawn, type Attributes, type Child } from "../shell/dom";
import { plain } from "../shell/names";

/** Attributes that are read to people. */
const SPOKEN = ["aria-label", "title"];

function shown(children: Child[]): Child[] {
  return children.map((child) => (typeof child === "string" ? plain(child) : child));
}

function spoken(attributes: Attributes): Attributes {
  const made = { ...attributes };
  for (const name of SPOKEN) {
    const value = made[name];
    if (typeof value === "string") made[name] = plain(value);
  }
  return made;
}

export function html<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return el(tag, spoken(attributes), ...shown(children));
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return drawn(tag, spoken(attributes), ...shown(children));
}

/** Replaces what an element says. */
export function say(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  for (const child of shown(children)) if (child) element.append(child);
}

/** Calls back when an element's width changes, and once at first. */
export function onWidth(element: Element, act: (width: number) => void): () => void {
  let before = -1;
  const observer = new ResizeObserver((entries) => {
    const width = Math.floor(entries[entries.length - 1]?.contentRect.width ?? 0);
    if (width === before || width <= 0) return;
    before = width;
    act(width);
  });
  observer.observe(element);
  return () => observer.disconnect();
}

/** Calls back when dark becomes light or the other way round. */
export function onTheme(act: () => void): () => void {
  document.addEventListener("themechange", act);
  return () => document.removeEventListener("themechange", act);
}
