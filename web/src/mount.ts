// Builds the view of a page in an element: for a page of its own (page.ts) and for the studio, which mounts one after each
// run and takes it away again.

import { CheckView } from "./check";
import type { PageSource } from "./data";
import { sourceText } from "./shell/about";
import { el, Undo } from "./shell/dom";
import { Header } from "./shell/header";
import { Help } from "./shell/help";
import { listenToKeys } from "./shell/keys";
import { name } from "./shell/names";
import { type Look, RunView } from "./shell/run";
import { watchTheme } from "./shell/theme";
import { installStyle } from "./style";

export interface MountOptions {
  /** A time to show first; else where the run is marked, or its start. */
  time?: number;
  /** Which run to show first. */
  run?: number;
  /** Whether the model's text is shown below: the studio has it in its editor. */
  source?: boolean;
}

export interface Mounted {
  destroy(): void;
  /** What is shown now, such that the next page can start there. */
  now(): { run: number; time: number };
}

/** Of the page that was taken away last: a model that is run again and again keeps its camera, speed and panel. */
let lastLook: { system: string; look: Look } | null = null;

export function mountPage(root: HTMLElement, source: PageSource, options: MountOptions = {}): Mounted {
  installStyle();
  watchTheme();
  const { page } = source;
  const undo = new Undo();
  const help = new Help();
  const host = el("main", { class: "dv-page" });
  const runHost = el("div", { class: "dv-runhost" });
  let shown: { run: number; view: RunView } | null = null;

  const openRun = (run: number, time?: number): void => {
    const data = page.runs[run];
    if (data === undefined) return;
    if (shown?.run !== run) {
      const look = shown?.view.look ?? (lastLook?.system === page.system ? lastLook.look : null);
      shown?.view.destroy();
      shown = { run, view: new RunView(runHost, root, source, data, look) };
    }
    if (time !== undefined) {
      shown.view.player.pause();
      shown.view.cursor.setTime(time);
    }
    header.show(run);
  };

  const header = new Header(
    page,
    (run) => openRun(run),
    () => help.toggle(),
  );
  root.classList.add("dv");
  root.append(header.element, host, help.element);
  for (const note of page.notes) host.append(el("p", { class: "dv-note" }, name(note)));
  if (page.check !== null) {
    const checkHost = el("section", { class: "dv-check", "aria-label": "Check" });
    host.append(checkHost);
    const check = new CheckView(checkHost, page.check, {
      openRun: (run, t) => {
        openRun(run, t);
        runHost.scrollIntoView({ block: "start" });
      },
      source,
    });
    undo.add(() => check.destroy());
  }
  host.append(runHost);
  const text = options.source === false ? null : sourceText(page);
  if (text !== null) host.append(text);
  host.append(el("p", { class: "dv-written dv-muted" }, `dyverse ${page.version}`));
  openRun(Math.min(Math.max(0, options.run ?? 0), Math.max(0, page.runs.length - 1)), options.time);
  if (page.runs.length === 0) header.show(0);
  listenToKeys(
    root,
    () => shown?.view.player ?? null,
    () => help.toggle(),
    undo,
  );

  return {
    now: () => ({ run: shown?.run ?? 0, time: shown?.view.cursor.moment.t ?? 0 }),
    destroy(): void {
      undo.run();
      if (shown !== null) lastLook = { system: page.system, look: shown.view.look };
      shown?.view.destroy();
      shown = null;
      root.classList.remove("dv");
      for (const part of [header.element, host, help.element]) part.remove();
    },
  };
}
