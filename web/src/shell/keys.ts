// Keys that work wherever the focus is, unless something there has a use for them.

import type { AtEvents, Player } from "../timeline/player";
import type { Undo } from "./dom";
import { switchTheme } from "./theme";

const AT_EVENTS: readonly AtEvents[] = ["through", "slow", "stop"];

/** `player` is asked for at each key: a page with several runs has one for each. */
export function listenToKeys(root: HTMLElement, player: () => Player | null, help: () => void, undo: Undo): void {
  undo.listen(document, "keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !isOurs(root, event)) return;
    if (act(event, player(), help)) event.preventDefault();
  });
}

/** Whether a key was pressed in the page and not in a field to write in, nor in a page around it. */
function isOurs(root: HTMLElement, event: KeyboardEvent): boolean {
  const { target } = event;
  if (!(target instanceof Element)) return false;
  if (target !== document.body && !root.contains(target)) return false;
  if (target.closest("dialog[open]") !== null) return event.key === "?";
  if (target.closest("textarea, select, input, [contenteditable], [role=listbox], [role=tablist]") !== null) return false;
  // A button takes the space bar itself.
  return !(event.key === " " && target.closest("button, a, summary") !== null);
}

function act(event: KeyboardEvent, player: Player | null, help: () => void): boolean {
  const forward = event.key === "ArrowRight";
  switch (event.key) {
    case "?":
      help();
      return true;
    case "t":
    case "T":
      switchTheme();
      return true;
  }
  if (player === null) return false;
  switch (event.key) {
    case " ":
      player.toggle();
      return true;
    case "ArrowRight":
    case "ArrowLeft":
      if (event.shiftKey) player.instant(forward ? 1 : -1);
      else player.step(forward ? 1 : -1);
      return true;
    case "Home":
      player.start();
      return true;
    case "End":
      player.end();
      return true;
    case ".":
      player.faster(1);
      return true;
    case ",":
      player.faster(-1);
      return true;
    case "l":
    case "L":
      player.setLoop(!player.loop);
      return true;
    case "e":
    case "E":
      player.setAtEvents(AT_EVENTS[(AT_EVENTS.indexOf(player.atEvents) + 1) % AT_EVENTS.length] ?? "through");
      return true;
    default:
      return false;
  }
}
