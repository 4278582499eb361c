// The head of a page: what it shows, how it ended, and the controls that are about the page as a whole.

import type { PageData } from "../data";
import { button, choice, el } from "./dom";
import { name, plain } from "./names";
import { short } from "./numbers";
import { switchTheme } from "./theme";

const KIND_TEXT = { bodies: "rigid bodies", actors: "actor model", trace: "trace" } as const;

export class Header {
  readonly element = el("header", { class: "dv-top" });
  readonly #status = el("span", { class: "dv-status", role: "status" });
  readonly #runs: HTMLSelectElement | null;

  constructor(
    readonly page: PageData,
    openRun: (run: number) => void,
    help: () => void,
  ) {
    this.#runs =
      page.runs.length > 1
        ? choice<string>(
            "Which run",
            page.runs.map((run, k) => ({ value: String(k), text: plain(run.title) })),
            "0",
            (value) => openRun(Number(value)),
            { class: "dv-runs" },
          )
        : null;
    this.element.append(
      el("h1", {}, name(page.system)),
      el("span", { class: "dv-muted dv-kindtext" }, KIND_TEXT[page.kind]),
      this.#status,
      el("span", { class: "dv-spring" }),
      ...(this.#runs === null ? [] : [this.#runs]),
      button("Dark or light", switchTheme, { icon: "theme", key: "T", class: "dv-quiet" }),
      button("Keyboard", help, { icon: "help", key: "?", class: "dv-quiet" }),
    );
  }

  /** Tells which run is shown. */
  show(run: number): void {
    if (this.#runs !== null) this.#runs.value = String(run);
    const shown = this.page.runs[run];
    if (this.page.check !== null) {
      const verdicts = this.page.check.answers.map((answer) => answer.verdict);
      const words = [...new Set(verdicts)];
      this.#status.replaceChildren(
        ...words.map((word) =>
          el(
            "span",
            { class: `dv-verdict dv-${word.toLowerCase()}` },
            verdicts.length === 1 ? word : `${verdicts.filter((verdict) => verdict === word).length} ${word}`,
          ),
        ),
      );
    } else if (shown !== undefined) {
      this.#status.replaceChildren(el("span", {}, name(shown.stop.text), ` at t = ${short(shown.stop.t)}`));
      this.#status.classList.toggle("dv-early", shown.stop.reason !== "horizon");
    }
  }
}
