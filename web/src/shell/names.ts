// Names and other texts of a model, as nobody but their author wrote them: always text, isolated from its surroundings,
// with characters that would be invisible or reorder the line shown as what they are.

import { el } from "./dom";

/** C0, C1, zero-width, bidirectional controls, line separators, byte order mark, tags and lone surrogates. */
const HIDDEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `\\u${code.toString(16).padStart(4, "0")}`;
}

/** The text with such characters written as escapes: for tooltips and other places that hold text only. */
export function plain(text: string): string {
  return text.replace(HIDDEN, escapeOf);
}

/** The text as an isolated element, escapes in badges. */
export function name(text: string, attributes: { class?: string; title?: string } = {}): HTMLElement {
  const isolated = el("bdi", attributes);
  let from = 0;
  for (const found of text.matchAll(HIDDEN)) {
    isolated.append(text.slice(from, found.index), el("span", { class: "dv-escape" }, escapeOf(found[0])));
    from = found.index + found[0].length;
  }
  isolated.append(text.slice(from));
  return isolated;
}
