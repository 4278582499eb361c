// A drawing of dyverse-export as elements: parsed as XML, stripped of all that is not drawing, its style sheet apart, so
// that it neither reaches out of its place nor needs a lax content policy.

const SVG = "http://www.w3.org/2000/svg";

/** What drawings are made of; everything else is dropped. */
const ELEMENTS = new Set([
  "svg",
  "g",
  "defs",
  "marker",
  "path",
  "rect",
  "circle",
  "ellipse",
  "line",
  "polyline",
  "polygon",
  "text",
  "tspan",
  "title",
  "desc",
  "pattern",
  "clipPath",
  "linearGradient",
  "stop",
]);

export interface Drawing {
  svg: SVGSVGElement;
  style: string;
  width: number;
  height: number;
}

/** Null if the text is no SVG document. */
export function parseDrawing(text: string): Drawing | null {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  const root = parsed.documentElement;
  if (root.localName !== "svg" || root.namespaceURI !== SVG || parsed.querySelector("parsererror") !== null) return null;
  const style = [...root.querySelectorAll("style")].map((sheet) => sheet.textContent ?? "").join("\n");
  clean(root);
  const svg = document.importNode(root, true) as unknown as SVGSVGElement;
  const [, , width = 0, height = 0] = (svg.getAttribute("viewBox") ?? "").split(/[\s,]+/).map(Number);
  return {
    svg,
    style,
    width: width > 0 ? width : Number(svg.getAttribute("width")) || 100,
    height: height > 0 ? height : Number(svg.getAttribute("height")) || 100,
  };
}

function clean(element: Element): void {
  for (const { name, value } of [...element.attributes]) {
    if (!isHarmless(name, value)) element.removeAttribute(name);
  }
  for (const child of [...element.children]) {
    if (child.namespaceURI === SVG && ELEMENTS.has(child.localName)) clean(child);
    else child.remove();
  }
}

/** No event handlers, no links, no inline styles, and references into the same drawing only. */
export function isHarmless(name: string, value: string): boolean {
  if (/^on|href$|^style$|^src$/i.test(name)) return false;
  return !/url\s*\(/i.test(value) || /^\s*url\(\s*#[\w.:-]+\s*\)\s*$/i.test(value);
}

/** The drawing's sheet, whose dark half is on when the page is dark, whatever the system is. */
export function themed(style: string, dark: boolean): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  // Nothing is loaded from anywhere: rules with imports are no part of a constructed sheet, addresses are cut out.
  sheet.replaceSync(style.replace(/@import[^;]*;?/gi, "").replace(/url\s*\([^)]*\)/gi, "none"));
  for (const rule of sheet.cssRules) {
    if (rule instanceof CSSMediaRule && rule.media.mediaText.includes("prefers-color-scheme")) {
      rule.media.mediaText = rule.media.mediaText.includes("dark") === dark ? "all" : "not all";
    }
  }
  return sheet;
}
