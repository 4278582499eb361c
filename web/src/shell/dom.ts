// Elements in few words. Text goes in as text nodes only: nothing here reads a string as markup.

export type Child = Node | string | null | undefined | false;

export interface Attributes {
  class?: string;
  title?: string | undefined;
  [attribute: string]: string | number | boolean | undefined;
}

function fill(element: Element, attributes: Attributes, children: readonly Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined && child !== false) element.append(child);
}

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(element, attributes, children);
  return element;
}

/** A button that does something; its label is also its tooltip where it shows an icon only. */
export function button(
  label: string,
  act: () => void,
  options: Attributes & { icon?: IconName; key?: string } = {},
): HTMLButtonElement {
  const { icon, key, ...attributes } = options;
  const hint = key === undefined ? label : `${label} (${key})`;
  const made = el(
    "button",
    { type: "button", ...attributes, ...(icon === undefined ? {} : { "aria-label": label, title: hint }) },
    icon === undefined ? label : iconOf(icon),
  );
  made.addEventListener("click", act);
  return made;
}

/** A button that is on or off. */
export function toggle(
  label: string,
  on: boolean,
  act: (on: boolean) => void,
  options: Attributes & { icon?: IconName; key?: string } = {},
): HTMLButtonElement {
  const made = button(
    label,
    () => {
      const next = made.getAttribute("aria-pressed") !== "true";
      made.setAttribute("aria-pressed", String(next));
      act(next);
    },
    { "aria-pressed": String(on), ...options },
  );
  return made;
}

/** A list to choose from. */
export function choice<T extends string>(
  label: string,
  options: readonly { value: T; text: string }[],
  value: T,
  act: (value: T) => void,
  attributes: Attributes = {},
): HTMLSelectElement {
  const made = el(
    "select",
    { "aria-label": label, title: label, ...attributes },
    ...options.map((option) => el("option", { value: option.value }, option.text)),
  );
  made.value = value;
  made.addEventListener("change", () => {
    const chosen = options.find((option) => option.value === made.value);
    if (chosen !== undefined) act(chosen.value);
  });
  return made;
}

const icons = {
  play: "M4 2.5v11l9.5-5.5z",
  pause: "M3.5 2.5h3v11h-3zm6 0h3v11h-3z",
  next: "M5 2.5 10.5 8 5 13.5 3.7 12.2 7.9 8 3.7 3.8zM11 3h2v10h-2z",
  previous: "M11 2.5 5.5 8l5.5 5.5 1.3-1.3L8.1 8l4.2-4.2zM3 3h2v10H3z",
  nextInstant: "M2 2.8v10.4L8 8zm6 0v10.4L14 8z",
  previousInstant: "M14 2.8v10.4L8 8zm-6 0v10.4L2 8z",
  start: "M2.5 2.5h2v11h-2zm11 .3v10.4L5.5 8z",
  end: "M11.5 2.5h2v11h-2zm-9 .3v10.4L10.5 8z",
  loop: "M11.5 1.5 15 4.5l-3.5 3V5.5H5A2.5 2.5 0 0 0 2.5 8H1a4 4 0 0 1 4-4h6.5zM4.5 14.5 1 11.5l3.5-3v2H11A2.5 2.5 0 0 0 13.5 8H15a4 4 0 0 1-4 4H4.5z",
  theme: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm0 1.7v10.6a5.3 5.3 0 0 1 0-10.6z",
  help: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm0 1.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM7.2 10.7h1.6v1.6H7.2zM8 3.8c1.6 0 2.7 1 2.7 2.3 0 1.9-1.9 2-1.9 3.5H7.2c0-2.3 1.8-2.4 1.8-3.4 0-.5-.4-.9-1-.9s-1.1.4-1.2 1.1L5.3 6.2C5.5 4.7 6.6 3.8 8 3.8z",
  grow: "M2 2h5v1.6H4.7l2.6 2.6-1.1 1.1-2.6-2.6V7H2zm7 12h5V9h-1.6v2.3L9.8 8.7 8.7 9.8l2.6 2.6H9z",
  fit: "M2 2h4v1.6H3.6V6H2zm8 0h4v4h-1.6V3.6H10zM2 10h1.6v2.4H6V14H2zm10.4 0H14v4h-4v-1.6h2.4zM6 6h4v4H6z",
} as const;

export type IconName = keyof typeof icons;

export function iconOf(name: IconName): SVGSVGElement {
  return svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: icons[name] }));
}

/** Puts another icon and label on a button. */
export function reicon(target: HTMLButtonElement, name: IconName, label: string): void {
  target.replaceChildren(iconOf(name));
  target.setAttribute("aria-label", label);
  target.title = label;
}

/** What is to be undone when a view goes. */
export class Undo {
  readonly #steps: (() => void)[] = [];

  add(step: () => void): void {
    this.#steps.push(step);
  }

  listen<K extends keyof HTMLElementEventMap>(
    target: EventTarget,
    type: K,
    listener: (event: HTMLElementEventMap[K]) => void,
    options?: AddEventListenerOptions,
  ): void {
    const heard = listener as EventListener;
    target.addEventListener(type, heard, options);
    this.add(() => target.removeEventListener(type, heard, options));
  }

  /** Calls back with the size of an element, now and whenever it changes. */
  resize(target: Element, act: (width: number, height: number) => void): void {
    const observer = new ResizeObserver(() => act(target.clientWidth, target.clientHeight));
    observer.observe(target);
    this.add(() => observer.disconnect());
  }

  run(): void {
    for (const step of this.#steps.splice(0).reverse()) step();
  }
}

/** Runs an action at most once a frame, however often it is asked for. */
export class Frame {
  #asked = 0;

  constructor(readonly act: () => void) {}

  ask(): void {
    if (this.#asked !== 0) return;
    this.#asked = requestAnimationFrame(() => {
      this.#asked = 0;
      this.act();
    });
  }

  cancel(): void {
    cancelAnimationFrame(this.#asked);
    this.#asked = 0;
  }
}
