// A check to look at: for each property what was found, and the evidence.

import type { Check } from "../data";
import { AnswerView, type Hooks } from "./answer";
import { html } from "./dom";
import { adoptStyle } from "./style";

export type { Hooks } from "./answer";

export class CheckView {
  readonly #answers: AnswerView[];
  readonly #element: HTMLElement;

  constructor(host: HTMLElement, check: Check, hooks: Hooks) {
    adoptStyle();
    this.#answers = check.answers.map((answer) => new AnswerView(answer, hooks));
    this.#element = html("div", { class: "check", "data-seed": check.seed }, ...this.#answers.map((answer) => answer.element));
    host.append(this.#element);
  }

  destroy(): void {
    this.#answers.forEach((answer) => answer.destroy());
    this.#element.remove();
  }
}
