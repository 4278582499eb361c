// The right side: how far a job is, what went wrong, and the page of the last one that ended.

import { type Mounted, mountPage } from "../mount";
import { button, el } from "../shell/dom";
import type { JobNews, PageAnswer, Work } from "./api";
import { progressText } from "./runner";

/** A job that is done sooner shows no progress: nothing flickers while a slider moves, ms. */
const UNSEEN = 250;

export class Results {
  readonly root: HTMLElement;
  readonly #progress: HTMLElement;
  readonly #bar = el("progress", { max: 1, "aria-label": "Progress" });
  readonly #words = el("output", { "aria-live": "polite" });
  readonly #message: HTMLElement;
  readonly #host = el("div", { class: "st-result", tabindex: "-1" });
  #mounted: { view: Mounted; root: HTMLElement; kind: Work["kind"]; system: string } | null = null;

  constructor(cancel: () => void) {
    this.#progress = el(
      "div",
      { class: "st-progress", hidden: true },
      this.#bar,
      this.#words,
      button("Cancel", cancel, { "data-act": "cancel", title: "Cancel (Esc)" }),
    );
    this.#message = el("div", { class: "st-message", role: "alert", hidden: true });
    this.root = el("section", { class: "st-right", "aria-label": "Results" }, this.#progress, this.#message, this.#host);
    this.#host.append(welcome());
  }

  busy(isBusy: boolean): void {
    this.root.setAttribute("aria-busy", String(isBusy));
  }

  progress(news: JobNews | null): void {
    const isSeen = news !== null && (news.seconds * 1000 >= UNSEEN || news.state === "cancelling");
    this.#progress.hidden = !isSeen;
    this.#host.toggleAttribute("data-old", isSeen);
    if (news === null) this.#words.textContent = "";
    if (news === null || !isSeen) return;
    const { text, part } = progressText(news);
    this.#words.textContent = text === "" ? "Working" : text;
    if (part === null) this.#bar.removeAttribute("value");
    else this.#bar.value = Math.min(Math.max(part, 0), 1);
  }

  /** Says something above the results; an empty text takes it away. */
  say(text: string, kind: "error" | "note" = "error"): void {
    this.#message.hidden = text === "";
    this.#message.dataset.kind = kind;
    this.#message.replaceChildren(el("span", {}, text), button("Close", () => (this.#message.hidden = true), { class: "dv-small dv-quiet" }));
  }

  /** Shows a page. After a run of the same model it starts where the one before was. */
  show(answer: PageAnswer, kind: Work["kind"]): void {
    const { page, blobs } = answer;
    const before = this.#mounted;
    const isNext = before !== null && before.kind === kind && before.system === page.system && kind === "simulate";
    const at = isNext ? before.view.now() : null;
    const scrolled = this.#host.scrollTop;
    before?.view.destroy();
    const root = el("div", { class: "st-page" });
    this.#host.replaceChildren(root);
    const source = {
      page,
      blob(place: number): string {
        const blob = blobs[place];
        if (blob === undefined) throw new Error(`blob ${place} is missing`);
        return blob;
      },
    };
    const view = mountPage(root, source, { source: false, ...(at === null ? {} : { time: at.time, run: at.run }) });
    this.#mounted = { view, root, kind, system: page.system };
    this.#host.scrollTop = isNext ? scrolled : 0;
  }

  /** Another file: what is shown is of the one before. */
  clear(): void {
    this.#mounted?.view.destroy();
    this.#mounted = null;
    this.say("");
    this.#host.replaceChildren(welcome());
  }
}

function welcome(): HTMLElement {
  const keys: [string, string][] = [
    ["Ctrl+Enter", "run the model"],
    ["Ctrl+Shift+Enter", "check its properties"],
    ["Ctrl+S", "save"],
    ["Ctrl+O", "open another file"],
    ["Esc", "cancel what is in work"],
  ];
  return el(
    "div",
    { class: "st-welcome" },
    el("h2", {}, "Nothing has run yet"),
    el("p", {}, "Run shows the motion, every event and every signal. Check says whether the properties hold for all parameters in their ranges."),
    el("dl", {}, ...keys.flatMap(([key, what]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, what)])),
  );
}
