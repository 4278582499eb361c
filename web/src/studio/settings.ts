// What is chosen before a run or a check: parameters on sliders, inputs, how long; the property, what to partition.

import { button, choice, el, toggle } from "../shell/dom";
import { name as named } from "../shell/names";
import { short } from "../shell/numbers";
import type { ModelFacts, ParameterFacts, Work } from "./api";

/** Steps of a slider over its range. */
const STEPS = 1000;
/** Parts of a range that a partition may leave undecided, unless something else is said. */
const FINE = 1000;

export interface SettingsEvents {
  /** A value was changed by the user. */
  changed(): void;
  check(): void;
  partition(): void;
}

/** The user's choices for one model. They are kept by name while its text is edited. */
export class Settings {
  readonly root: HTMLElement;
  #model: ModelFacts | null = null;
  #chosen = new Map<string, number>();
  #pinned = new Set<string>();
  #inputs = new Map<string, number>();
  #until: number | null = null;
  #property = "";
  #timeout: number | null = 60;
  #axes: [string, string] = ["", ""];
  #width: number | null = null;
  /** What the panel shows now: rebuilt only if the model's choices are others, so that a slider is not taken from under the hand. */
  #shown = "";
  readonly #events: SettingsEvents;

  constructor(events: SettingsEvents) {
    this.#events = events;
    this.root = el("div", { class: "st-settings" });
    this.#build();
  }

  /** Another file: nothing is chosen. */
  forget(): void {
    this.#chosen.clear();
    this.#pinned.clear();
    this.#inputs.clear();
    this.#until = null;
    this.#property = "";
    this.#axes = ["", ""];
    this.#width = null;
    this.#shown = "";
  }

  show(model: ModelFacts): void {
    this.#model = model;
    const shown = JSON.stringify(model);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#build();
  }

  run(): Work {
    const model = this.#model;
    const inputs = [...this.#inputs].filter(([name]) => model?.inputs.some((input) => input.name === name) ?? false);
    return { kind: "simulate", parameters: this.#changed(), inputs, until: this.#until };
  }

  check(): Work {
    return { kind: "check", property: this.#property === "" ? null : this.#property, choices: this.#choices([]), timeout: this.#timeout };
  }

  /** A partition, or null if the model has nothing to partition. */
  partition(): Work | null {
    const names = [...new Set(this.#axes)].filter((name) => name !== "");
    const property = this.#property === "" ? this.#model?.properties[0]?.name : this.#property;
    const width = this.#width ?? this.#usualWidth();
    if (names.length === 0 || property === undefined || width === null) return null;
    return { kind: "partition", property, names, width, choices: this.#choices(names), timeout: this.#timeout };
  }

  /** Values other than the model's. */
  #changed(): [string, number][] {
    const parameters = this.#model?.parameters ?? [];
    return parameters.flatMap((parameter): [string, number][] => {
      const value = this.#chosen.get(parameter.name);
      return value === undefined || value === parameter.value ? [] : [[parameter.name, value]];
    });
  }

  /** For a check: ranges stay ranges, unless they are pinned; values that were changed are changed. */
  #choices(open: string[]): [string, number, number][] {
    const parameters = this.#model?.parameters ?? [];
    return parameters.flatMap((parameter): [string, number, number][] => {
      const value = this.#chosen.get(parameter.name) ?? parameter.value;
      const isFixed = parameter.range === null ? this.#chosen.has(parameter.name) && value !== parameter.value : this.#pinned.has(parameter.name);
      return isFixed && value !== null && !open.includes(parameter.name) ? [[parameter.name, value, value]] : [];
    });
  }

  #ranged(): ParameterFacts[] {
    return (this.#model?.parameters ?? []).filter((parameter) => parameter.range !== null);
  }

  #usualWidth(): number | null {
    const range = this.#ranged().find((parameter) => parameter.name === this.#axes[0])?.range ?? null;
    if (range === null) return null;
    const part = this.#axes[1] === "" ? FINE : 16;
    return Number(((range[1] - range[0]) / part).toPrecision(2));
  }

  #build(): void {
    const model = this.#model;
    if (model === null) {
      this.root.replaceChildren(el("p", { class: "dv-muted st-empty" }, "Parameters appear here when the text is a model."));
      return;
    }
    const first = this.#ranged()[0]?.name ?? "";
    const isRanged = (name: string): boolean => this.#ranged().some((parameter) => parameter.name === name);
    this.#axes = [isRanged(this.#axes[0]) ? this.#axes[0] : first, isRanged(this.#axes[1]) ? this.#axes[1] : ""];
    if (!model.properties.some((property) => property.name === this.#property)) this.#property = "";
    this.root.replaceChildren(
      this.#parameterSection(model),
      this.#runSection(model),
      ...(model.properties.length === 0 ? [] : [this.#checkSection(model)]),
    );
  }

  #parameterSection(model: ModelFacts): HTMLElement {
    const rows = this.#ranged().map((parameter) => this.#slider(parameter));
    const others = model.parameters.filter((parameter) => parameter.range === null);
    if (others.length > 0) rows.push(el("div", { class: "st-fields" }, ...others.map((parameter) => this.#fixed(parameter))));
    const reset = button("Reset", () => {
      this.#chosen.clear();
      this.#pinned.clear();
      this.#build();
      this.#events.changed();
    }, { class: "dv-small dv-quiet" });
    const body = rows.length === 0 ? [el("p", { class: "dv-muted" }, "The model has no parameters.")] : rows;
    return section("Parameters", rows.length === 0 ? null : reset, ...body);
  }

  /** Takes a value that the user chose, and shows in the row whether it is another than the model's. */
  #taking(row: HTMLElement, parameter: ParameterFacts): (value: number) => void {
    const tell = (): void => {
      const value = this.#chosen.get(parameter.name);
      row.toggleAttribute("data-changed", value !== undefined && value !== parameter.value);
    };
    tell();
    return (value) => {
      this.#chosen.set(parameter.name, value);
      tell();
      this.#events.changed();
    };
  }

  #fixed(parameter: ParameterFacts): HTMLElement {
    const field = numberField(`Value of ${parameter.name}`, this.#chosen.get(parameter.name) ?? parameter.value);
    const row = el("label", { class: "st-field", "data-parameter": parameter.name }, named(parameter.name, { class: "st-name", title: parameter.name }), field);
    onNumber(field, this.#taking(row, parameter));
    return row;
  }

  #slider(parameter: ParameterFacts): HTMLElement {
    const { name } = parameter;
    const [low, high] = parameter.range ?? [0, 0];
    const value = this.#chosen.get(name) ?? parameter.value ?? low;
    const field = numberField(`Value of ${name}`, value);
    const slider = el("input", { type: "range", min: 0, max: STEPS, step: 1, "aria-label": name, value: at(value, low, high) });
    const tell = (next: number): void => slider.setAttribute("aria-valuetext", short(next));
    tell(value);
    const pin = toggle("pin", this.#pinned.has(name), (on) => {
      if (on) this.#pinned.add(name);
      else this.#pinned.delete(name);
    }, { class: "dv-small dv-quiet", title: `A check takes ${name} at this value instead of its whole range`, "aria-label": `Pin ${name} for checks` });
    const ends = el("span", { class: "st-ends dv-muted" }, el("span", {}, short(low)), el("span", {}, short(high)));
    const row = el("div", { class: "st-row", "data-parameter": name }, named(name, { class: "st-name", title: name }), el("span", { class: "st-slider" }, slider, ends), field, pin);
    const take = this.#taking(row, parameter);
    slider.addEventListener("input", () => {
      const next = fromSlider(Number(slider.value), low, high);
      field.value = String(next);
      tell(next);
      take(next);
    });
    onNumber(field, (next) => {
      slider.value = String(at(next, low, high));
      tell(next);
      take(next);
    });
    return row;
  }

  #runSection(model: ModelFacts): HTMLElement {
    const until = numberField("Stop at, s", this.#until, model.horizon === null ? "needed" : String(model.horizon));
    onOptional(until, (value) => {
      this.#until = value;
      this.#events.changed();
    });
    const inputs = model.inputs.map((input) => {
      const field = numberField(`Input ${input.name}`, this.#inputs.get(input.name) ?? null, input.value === null ? "as written" : String(input.value));
      onOptional(field, (value) => {
        if (value === null) this.#inputs.delete(input.name);
        else this.#inputs.set(input.name, value);
        this.#events.changed();
      });
      return labelled(named(input.name, { class: "st-name", title: `input ${input.name}` }), field);
    });
    return section("Run", null, el("div", { class: "st-fields" }, labelled("until, s", until), ...inputs));
  }

  #checkSection(model: ModelFacts): HTMLElement {
    const all = { value: "", text: model.properties.length === 1 ? `${model.properties[0]?.name ?? ""}` : "all properties" };
    const options = model.properties.length === 1 ? [all] : [all, ...model.properties.map((property) => ({ value: property.name, text: property.name }))];
    const formula = el("p", { class: "dv-code dv-muted st-formula" });
    const tell = (): void => {
      const chosen = model.properties.find((property) => property.name === this.#property) ?? (model.properties.length === 1 ? model.properties[0] : undefined);
      formula.textContent = chosen?.formula ?? "";
    };
    tell();
    const property = choice("Property", options, this.#property, (value) => {
      this.#property = value;
      tell();
    }, { class: "st-grow" });
    const timeout = numberField("Stop after, s", this.#timeout, "no limit");
    onOptional(timeout, (value) => (this.#timeout = value));
    const width = numberField("What may stay undecided", this.#width);
    onOptional(width, (value) => (this.#width = value));
    return section(
      "Check",
      null,
      el("div", { class: "st-row" }, property, button("Check", () => this.#events.check(), { "data-act": "check" })),
      formula,
      ...this.#partitionRow(width),
      el("div", { class: "st-fields" }, labelled("stop after, s", timeout), this.#ranged().length > 0 && labelled("leave undecided", width)),
    );
  }

  /** Which ranges are partitioned; `width` is the field for what may stay undecided. */
  #partitionRow(width: HTMLInputElement): HTMLElement[] {
    const ranged = this.#ranged();
    if (ranged.length === 0) return [];
    const names = ranged.map((parameter) => ({ value: parameter.name, text: parameter.name }));
    const hint = (): void => {
      width.placeholder = String(this.#usualWidth() ?? "");
    };
    hint();
    const first = choice("Partition", names, this.#axes[0], (value) => {
      this.#axes[0] = value;
      hint();
    }, { class: "st-grow" });
    const second = choice("and by", [{ value: "", text: "alone" }, ...names.map((option) => ({ ...option, text: `× ${option.text}` }))], this.#axes[1], (value) => {
      this.#axes[1] = value;
      hint();
    }, { class: "st-grow" });
    return [
      el("div", { class: "st-row" }, first, ranged.length > 1 && second, button("Partition", () => this.#events.partition(), { "data-act": "partition", title: "For which values does it hold?" })),
    ];
  }
}

function section(title: string, act: HTMLElement | null, ...body: (Node | string)[]): HTMLElement {
  return el("section", { class: "st-section" }, el("header", {}, el("h3", {}, title), act), ...body);
}

function labelled(label: Node | string, field: HTMLInputElement): HTMLElement {
  return el("label", { class: "st-field" }, typeof label === "string" ? el("span", { class: "st-label" }, label) : label, field);
}

function numberField(label: string, value: number | null, placeholder = ""): HTMLInputElement {
  return el("input", { type: "number", step: "any", class: "st-number", "aria-label": label, placeholder, value: value === null || !Number.isFinite(value) ? "" : value });
}

/** The place of a value on a slider. */
export function at(value: number, low: number, high: number): number {
  if (high <= low || !Number.isFinite(value)) return 0;
  return Math.round(Math.min(Math.max((value - low) / (high - low), 0), 1) * STEPS);
}

/** The value at a place of a slider: the ends exactly, and in between no more digits than the slider can tell. */
export function fromSlider(place: number, low: number, high: number): number {
  if (place <= 0) return low;
  if (place >= STEPS) return high;
  const value = low + ((high - low) * place) / STEPS;
  const digits = Math.max(0, 4 - Math.floor(Math.log10(high - low)));
  return Number(value.toFixed(Math.min(digits, 20)));
}

function onNumber(field: HTMLInputElement, act: (value: number) => void): void {
  field.addEventListener("input", () => {
    const value = field.valueAsNumber;
    if (Number.isFinite(value)) act(value);
  });
}

function onOptional(field: HTMLInputElement, act: (value: number | null) => void): void {
  field.addEventListener("input", () => {
    const value = field.valueAsNumber;
    if (Number.isFinite(value)) act(value);
    else if (field.value === "" && !field.validity.badInput) act(null);
  });
}
