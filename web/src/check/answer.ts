// What was found about one property: the verdict, the parts of its range, the counterexample, what is left, enclosures and figures.

import type { Answer, PageSource, Partition, Witness } from "../data";
import { Band } from "./band";
import { html } from "./dom";
import { count, exact, interval, percent, short } from "./format";
import { FiguresView } from "./figures";
import { ParameterMap } from "./map";
import { partsOf, sizes, type Outcome } from "./parts";
import { legend, OUTCOMES, OUTCOME_WORDS, witnessEntry } from "./patterns";
import { sign } from "./sign";
import { copyButton, zoomButtons } from "./toolbar";
import { Tubes } from "./tubes";

export interface Hooks {
  /** Shows a run in the player, at a time. */
  openRun(run: number, t: number): void;
  source: PageSource;
}

interface Part {
  destroy(): void;
}

export class AnswerView {
  readonly element: HTMLElement;
  readonly #parts: Part[] = [];

  constructor(
    readonly answer: Answer,
    readonly hooks: Hooks,
  ) {
    const panels = html("div", { class: "check-panels" });
    const add = (panel: HTMLElement | null) => panel !== null && panels.append(panel);
    add(this.#range());
    add(this.#counterexample());
    add(this.#left());
    add(this.#tubes());
    add(this.#figures());
    this.element = html("section", { class: "check-answer", "aria-label": `property ${answer.property}` }, this.#head(), panels);
  }

  destroy(): void {
    this.#parts.forEach((part) => part.destroy());
  }

  #head(): HTMLElement {
    const { answer } = this;
    const word = html("h3", { class: "check-word", "data-verdict": answer.verdict }, html("span", {}, answer.verdict), html("span", { class: "name" }, answer.property));
    const head = html("header", { class: "check-head" }, sign(answer.verdict), word);
    if (answer.formula !== "") head.append(html("code", { class: "check-formula" }, answer.formula));
    const asked = answer.unknowns.map((range) => (range.lower === range.upper ? `${range.name} = ${exact(range.lower)}` : `${range.name} in ${interval(range.lower, range.upper)}`));
    const about = asked.length === 0 ? "The model as it is: nothing in it is unknown." : `Asked for ${asked.join(", ")}.`;
    return html("div", { class: "check-answer" }, head, html("p", { class: "check-text" }, answer.text), html("p", { class: "check-text quiet" }, `${about} Until t = ${short(answer.horizon)} s.`));
  }

  #panel(title: string, tools: Node | null, ...content: Node[]): HTMLElement {
    const heading = html("h4", {}, html("span", {}, title));
    if (tools !== null) heading.append(tools);
    return html("section", { class: "check-panel", "aria-label": title }, heading, ...content);
  }

  /** Of a counterexample that was found without boxes, the range alone with the values on it. */
  #range(): HTMLElement | null {
    const { answer } = this;
    const open = answer.unknowns.filter((range) => range.lower < range.upper);
    const axes = answer.partition?.axes ?? (answer.witness !== null && open.length <= 2 ? open : []);
    const cells = answer.partition?.cells ?? [];
    const at = axes.map((axis) => answer.witness?.values.find((value) => value.name === axis.name)?.value);
    const [first, second] = axes;
    const entries = witnessIs(at) ? [witnessEntry()] : [];
    if (first !== undefined && second === undefined) {
      const band = new Band(first, partsOf(cells), at[0] ?? null);
      this.#parts.push(band);
      return this.#panel(`Range of ${first.name}`, zoomButtons(band), this.#legend(cells, axes, entries), band.element, ...this.#shares(answer.partition));
    }
    if (first !== undefined && second !== undefined) {
      const [x, y] = at;
      const map = new ParameterMap([first, second], cells, x === undefined || y === undefined ? null : [x, y]);
      this.#parts.push(map);
      return this.#panel(`Ranges of ${first.name} and ${second.name}`, zoomButtons(map), this.#legend(cells, axes, entries), map.element, ...this.#shares(answer.partition));
    }
    return null;
  }

  #legend(cells: Partition["cells"], axes: Partition["axes"], more: HTMLLIElement[]): HTMLElement {
    const all = sizes(cells);
    const whole = axes.reduce((product, axis) => product * (axis.upper - axis.lower), 1);
    // Boxes of more unknowns than are drawn lie over each other: their sizes say nothing here.
    const tells = axes.length === this.answer.unknowns.length || this.answer.verdict === "PARTITION";
    const shown = OUTCOMES.filter((outcome) => all[outcome].boxes > 0);
    const text = (outcome: Outcome) => {
      const share = tells ? ` ${percent(Math.min(1, all[outcome].size / whole))}` : "";
      const pieces = this.answer.verdict === "PARTITION" ? count(all[outcome].boxes, "part", "parts") : count(all[outcome].boxes, "box", "boxes");
      return `${OUTCOME_WORDS[outcome]}${share}, ${pieces}`;
    };
    return legend(shown.map((outcome) => ({ outcome, text: text(outcome) })), ...more);
  }

  #shares(partition: Partition | null): HTMLElement[] {
    if (partition === null) return [html("p", { class: "check-hint" }, "The counterexample was found by simulation: the range was not split.")];
    const words: string[] = [];
    const unit = partition.axes.length === 1 ? "width" : "area";
    if (partition.undecidedWidth !== null) words.push(`Undecided in all: ${unit} ${exact(partition.undecidedWidth)}.`);
    if (partition.stopped) words.push("It was stopped: what was not reached counts as undecided.");
    if (this.answer.unknowns.length > partition.axes.length && this.answer.verdict !== "PARTITION") words.push("Boxes have more sides than are drawn, so they lie over each other.");
    return words.length === 0 ? [] : [html("p", { class: "check-text quiet" }, words.join(" "))];
  }

  #counterexample(): HTMLElement | null {
    const found = this.answer.witness;
    if (found === null) return null;
    const values = html("dl", { class: "check-values" });
    const row = (name: string, value: string) => values.append(html("dt", {}, name), html("dd", {}, value));
    for (const value of found.values) row(value.initial ? `${value.name} at the start` : value.name, exact(value.value));
    if (found.values.length === 0) row("values", "the model as it is");
    row("broken at", `t = ${exact(found.time)} s`);
    if (found.worstTime !== found.time) row("worst at", `t = ${exact(found.worstTime)} s`);
    row("by", `${exact(-found.robustness)} (robustness ${exact(found.robustness)})`);
    row("evidence", evidence(found));
    const call = html("div", { class: "check-call" }, html("code", { tabindex: 0 }, found.call), copyButton(found.call));
    return this.#panel("Counterexample", this.#showButton(found), values, call);
  }

  #showButton(found: Witness): Node {
    const { run } = found;
    if (run === null) return html("span", { class: "quiet" }, "its run is not in this page");
    const button = html("button", { type: "button", class: "primary" }, "show it");
    button.addEventListener("click", () => this.hooks.openRun(run, found.time));
    return button;
  }

  #left(): HTMLElement | null {
    const { left } = this.answer;
    if (left === null) return null;
    const list = html("ul", { class: "check-list" });
    for (const { boxes, kind, reason } of left.reasons) {
      list.append(html("li", {}, html("span", {}, count(boxes, "box", "boxes")), html("span", {}, reason, html("span", { class: "quiet" }, ` (${kind})`))));
    }
    for (const note of left.notes) list.append(html("li", {}, html("span", {}, "note"), html("span", {}, note)));
    if (left.stopped) list.append(html("li", {}, html("span", {}, "stopped"), html("span", {}, "before it was done: what was decided so far is shown")));
    return this.#panel("Why it is not decided", null, list);
  }

  #tubes(): HTMLElement | null {
    if (this.answer.tubes.length === 0) return null;
    const tubes = new Tubes(this.answer, this.hooks.source);
    this.#parts.push(tubes);
    const tools = html("span", { class: "check-tools" }, tubes.tools, zoomButtons(tubes));
    return this.#panel("Enclosures", tools, tubes.element);
  }

  #figures(): HTMLElement {
    const figures = new FiguresView(this.answer.figures, this.answer.horizon);
    this.#parts.push(figures);
    return this.#panel("What it took", null, figures.element);
  }
}

function witnessIs(at: (number | undefined)[]): boolean {
  return at.length > 0 && at.every((value) => value !== undefined);
}

function evidence(found: Witness): string {
  if (found.evidence === "enclosed") return "replayed by simulation, and enclosed with validated arithmetic";
  return `replayed, not enclosed${found.notEnclosedBecause === null ? "" : `: ${found.notEnclosedBecause}`}`;
}
