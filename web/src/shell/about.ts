// What stands below the views: parameters, figures of the run, the model's text.

import type { PageData, Run } from "../data";
import { button, el } from "./dom";
import { name } from "./names";
import { number } from "./numbers";

interface Figure {
  name: string;
  value: number;
}

function figures(title: string, entries: readonly Figure[]): HTMLElement | null {
  if (entries.length === 0) return null;
  return el(
    "section",
    {},
    el("h3", {}, title),
    el(
      "dl",
      { class: "dv-figures" },
      ...entries.flatMap((entry) => [el("dt", {}, name(entry.name.replace(/_/g, " "))), el("dd", {}, number(entry.value))]),
    ),
  );
}

/** Of names as parameters nothing is replaced. */
function parameters(entries: readonly Figure[]): HTMLElement | null {
  if (entries.length === 0) return null;
  return el(
    "section",
    {},
    el("h3", {}, "Parameters"),
    el(
      "dl",
      { class: "dv-figures" },
      ...entries.flatMap((entry) => [el("dt", {}, name(entry.name)), el("dd", {}, number(entry.value))]),
    ),
  );
}

export function aboutRun(run: Run): HTMLElement {
  const details = el("details", { class: "dv-about" }, el("summary", {}, "Parameters, energy balance, figures of the run"));
  details.append(
    el(
      "div",
      { class: "dv-columns" },
      parameters(run.parameters),
      run.balance === null ? null : figures("Energy balance in J", run.balance),
      figures("Figures", [...run.statistics, { name: "seed", value: run.seed }]),
      el(
        "section",
        {},
        el("h3", {}, "End of the run"),
        el("p", {}, name(run.stop.text), " at ", el("span", { class: "dv-num" }, `(t, n) = (${run.stop.t}, ${run.stop.n})`)),
      ),
    ),
  );
  return details;
}

/** The model's text with numbered lines. */
export function sourceText(page: PageData): HTMLElement | null {
  if (page.source === null) return null;
  const { text, name: file } = page.source;
  const copy = button("Copy", () => void navigator.clipboard?.writeText(text).catch(() => undefined), { class: "dv-small" });
  const lines = el("ol", { class: "dv-lines" });
  for (const line of text.replace(/\n$/, "").split("\n")) lines.append(el("li", {}, name(line.replace(/\r$/, ""))));
  return el(
    "details",
    { class: "dv-about dv-source" },
    el("summary", {}, "Model: ", name(file)),
    el("div", { class: "dv-source-tools" }, copy),
    el("div", { class: "dv-source-text", tabindex: 0, role: "region", "aria-label": "Text of the model" }, lines),
  );
}
