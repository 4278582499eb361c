// Elements from a few words. Text is always text: nothing here reads markup.

type Child = Node | string;
type Attributes = Record<string, string | number | boolean>;

const SVG = "http://www.w3.org/2000/svg";

function fill<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children);
  return element;
}

export function html<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS(SVG, tag), attributes, children);
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
  const observer = new MutationObserver(act);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme", "class"] });
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", act);
  return () => {
    observer.disconnect();
    system.removeEventListener("change", act);
  };
}
