// The style sheets of a page. They are constructed, not written into the document: a strict content policy stays strict.

import { base } from "./base";
import { events } from "./events";
import { graph } from "./graph";
import { scene } from "./scene";
import { shell } from "./shell";
import { timeline } from "./timeline";
import { tokens } from "./tokens";

let installed = false;

/** Adds the styles to the document, once. */
export function installStyle(): void {
  if (installed) return;
  installed = true;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync([tokens, base, shell, scene, timeline, events, graph].join("\n"));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
