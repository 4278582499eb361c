// The studio as a whole: a text, what is said about it, what is chosen, and what came out.

import { button, el, toggle } from "../shell/dom";
import { name as named } from "../shell/names";
import { switchTheme } from "../shell/theme";
import { type Api, type Finding, type ReadAnswer, type StudioFacts, type Work } from "./api";
import { askChoice, askText, nameProblem } from "./dialogs";
import { type Conflict, ModelDocument, dialectOf } from "./document";
import { Editor } from "./editor";
import { FileDrawer } from "./files";
import { splitter, tabs } from "./layout";
import { Results } from "./results";
import { Runner } from "./runner";
import { Settings } from "./settings";

/** After the last key, before the text is read, ms. */
const READ_AFTER = 180;
/** After the last change of a value, before a live run, ms. */
const LIVE_AFTER = 30;

export class Studio {
  readonly root: HTMLElement;
  readonly #api: Api;
  readonly #facts: StudioFacts;
  readonly #editor: Editor;
  readonly #drawer: FileDrawer;
  readonly #settings: Settings;
  readonly #results: Results;
  readonly #runner: Runner;
  readonly #title = el("div", { class: "st-title" });
  readonly #state = el("div", { class: "st-state", role: "status" });
  readonly #live: HTMLButtonElement;
  readonly #selectTab: (tab: "model" | "settings" | "result") => void;
  #document = ModelDocument.create("model.drbt");
  #reading: AbortController | null = null;
  #readTimer = 0;
  #liveTimer = 0;
  #isLive = false;
  /** Whether the text, as it is now, is a model. */
  #isModel = false;

  constructor(api: Api, facts: StudioFacts) {
    this.#api = api;
    this.#facts = facts;
    this.root = el("div", { class: "st dv" });
    this.#runner = new Runner(api, {
      busy: (isBusy) => this.#results.busy(isBusy),
      progress: (news) => this.#results.progress(news),
      page: (answer, work, news) => {
        this.#results.say(news.state === "cancelled" ? "Cancelled: this is as far as it came." : "", "note");
        this.#results.show(answer, work.kind);
      },
      failed: (message, findings) => {
        this.#results.say(message);
        if (findings.length > 0) this.#editor.mark(findings);
      },
      cancelled: () => this.#results.say("Cancelled.", "note"),
    });
    this.#results = new Results(() => this.#runner.cancel());
    this.#settings = new Settings({
      changed: () => this.#changedValue(),
      check: () => this.check(),
      partition: () => this.partition(),
    });
    this.#drawer = new FileDrawer(api, facts, {
      open: (path, isExample) => void this.#guard(() => this.#openAsked(path, isExample)),
      create: () => void this.#guard(() => this.create()),
      saveAs: () => void this.#guard(() => this.saveAs()),
      format: () => void this.#guard(() => this.format()),
    });
    const pane = el("div", { class: "st-editor" });
    this.#editor = new Editor(pane, () => this.#changedText());
    this.#live = toggle("Live", false, (on) => this.#setLive(on), { title: "Runs again whenever a value or the text changes", "data-act": "live" });
    const { bar, select } = tabs(this.root);
    this.#selectTab = select;
    const left = el("section", { class: "st-left", "aria-label": "Model" }, pane, this.#state, this.#settings.root);
    this.root.append(this.#bar(), left, splitter(this.root), this.#results.root, bar, this.#drawer.root);
    document.addEventListener("keydown", (event) => this.#onKey(event), { capture: true });
    addEventListener("beforeunload", (event) => {
      if (this.#isUnsaved) event.preventDefault();
    });
    addEventListener("pagehide", () => this.#runner.cancel());
  }

  /** Opens what the address names; else the first model of the folder, and of an empty one the first example. */
  async begin(): Promise<void> {
    const { files } = await this.#drawer.refresh();
    const asked = new URLSearchParams(location.hash.slice(1));
    const [file, example] = [asked.get("file"), asked.get("example")];
    const isShipped = this.#facts.examples.some((shipped) => shipped.file === example);
    const own = files.some(({ path }) => path === file) ? file : files[0]?.path;
    if (isShipped && example !== null) await this.#open(example, true);
    else if (own !== null && own !== undefined) await this.#open(own, false);
    else if (this.#facts.examples[0] !== undefined) await this.#open(this.#facts.examples[0].file, true);
  }

  run(): void {
    this.#start(this.#settings.run());
  }

  check(): void {
    this.#start(this.#settings.check());
  }

  partition(): void {
    const work = this.#settings.partition();
    if (work === null) this.#results.say("Nothing can be partitioned: no parameter has a range, or there is no property.");
    else this.#start(work);
  }

  async save(): Promise<void> {
    if (this.#document.isExample) return this.saveAs();
    const text = this.#editor.text;
    const conflict = await this.#document.save(this.#api, text);
    if (conflict === null) this.#saved();
    else await this.#resolve(conflict, text);
  }

  async saveAs(): Promise<void> {
    const path = await askText("Save as", "Path in the studio's folder", this.#document.name, "Save", nameProblem);
    if (path === null) return;
    const text = this.#editor.text;
    const conflict = await this.#document.saveAs(this.#api, path, text);
    if (conflict === null) {
      this.#editor.setDialect(dialectOf(path));
      this.#saved();
    } else {
      this.#results.say(`${conflict.message}. Choose another name, or open it.`);
    }
  }

  async create(): Promise<void> {
    if (!(await this.#mayLeave())) return;
    const path = await askText("New model", "Path in the studio's folder; .drbt for rigid bodies, .dam for actors", "model.drbt", "Create", nameProblem);
    if (path === null) return;
    const { templates } = this.#facts;
    this.#take(ModelDocument.create(path), dialectOf(path) === "actors" ? templates.dam : templates.drbt);
  }

  async format(): Promise<void> {
    const { text, findings } = await this.#api.format(this.#document.named(this.#editor.text));
    if (text !== undefined) this.#editor.replace(text);
    else if (findings !== undefined) this.#tellFindings(findings);
  }

  get #isUnsaved(): boolean {
    return this.#document.isChanged(this.#editor.text);
  }

  #bar(): HTMLElement {
    const act = (label: string, name: string, does: () => unknown, more: Record<string, string> = {}): HTMLButtonElement =>
      button(label, () => void this.#guard(async () => void (await does())), { "data-act": name, ...more });
    return el(
      "header",
      { class: "st-bar" },
      act("Files", "files", () => this.#drawer.open(), { title: "Open another file (Ctrl+O)" }),
      this.#title,
      el(
        "div",
        { class: "st-group" },
        act("Save", "save", () => this.save(), { title: "Save (Ctrl+S)" }),
        act("Save as", "save-as", () => this.saveAs(), { class: "st-wideonly" }),
        act("Format", "format", () => this.format(), { class: "st-wideonly", title: "Tidy the text (Ctrl+Shift+F)" }),
        el("span", { class: "st-gap" }),
        this.#live,
        act("Check", "check-all", () => this.check(), { class: "st-wideonly", title: "Check the properties (Ctrl+Shift+Enter)" }),
        act("Run", "run", () => this.run(), { class: "dv-main", title: "Run the model (Ctrl+Enter)" }),
        button("Dark or light", switchTheme, { icon: "theme", class: "dv-quiet" }),
      ),
    );
  }

  #onKey(event: KeyboardEvent): void {
    if (document.querySelector("dialog[open]") !== null) return;
    const hasControl = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    let act: (() => unknown) | null = null;
    if (hasControl && key === "enter") act = () => (event.shiftKey ? this.check() : this.run());
    else if (hasControl && key === "s") act = () => (event.shiftKey ? this.saveAs() : this.save());
    else if (hasControl && key === "o") act = () => this.#drawer.open();
    else if (hasControl && event.shiftKey && key === "f") act = () => this.format();
    else if (key === "escape" && this.#runner.isBusy) act = () => this.#runner.cancel();
    if (act === null) return;
    const does = act;
    event.preventDefault();
    event.stopPropagation();
    void this.#guard(async () => void (await does()));
  }

  /** What fails is said, never lost. */
  async #guard(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.#results.say(error instanceof Error ? error.message : String(error));
    }
  }

  async #openAsked(path: string, isExample: boolean): Promise<void> {
    if (await this.#mayLeave()) await this.#open(path, isExample);
  }

  async #open(path: string, isExample: boolean): Promise<void> {
    const { document: opened, text } = await ModelDocument.open(this.#api, path, isExample);
    this.#take(opened, text);
  }

  #take(opened: ModelDocument, text: string): void {
    this.#runner.cancel();
    this.#document = opened;
    this.#settings.forget();
    this.#results.clear();
    this.#editor.open(text, opened.dialect);
    this.#selectTab("model");
    this.#tellTitle();
    this.#readSoon(0);
  }

  /** Whether the text may go: it is saved, or the user says so. */
  async #mayLeave(): Promise<boolean> {
    if (!this.#isUnsaved) return true;
    const way = await askChoice("Not saved", `${this.#document.name} has changes that are not saved.`, [
      { value: "save", text: "Save" },
      { value: "leave", text: "Leave them" },
    ]);
    if (way === "save") await this.save();
    return way === "leave" || (way === "save" && !this.#isUnsaved);
  }

  async #resolve(conflict: Conflict, text: string): Promise<void> {
    const way = await askChoice("Not saved", `${conflict.message}. What is to be kept?`, [
      { value: "as", text: "Save under another name" },
      ...(conflict.version === null ? [] : [{ value: "theirs", text: "What is on disk" } as const]),
      { value: "mine", text: "My text" },
    ]);
    if (way === "as") await this.saveAs();
    if (way === "theirs") await this.#open(this.#document.name, false);
    if (way !== "mine") return;
    const again = await this.#document.overwrite(this.#api, text, conflict);
    if (again === null) this.#saved();
    else await this.#resolve(again, text);
  }

  #saved(): void {
    this.#tellTitle();
    this.#readSoon(0);
    void this.#drawer.refresh();
  }

  #changedText(): void {
    this.#tellTitle();
    this.#isModel = false;
    this.#readSoon(READ_AFTER);
  }

  #readSoon(after: number): void {
    clearTimeout(this.#readTimer);
    this.#readTimer = window.setTimeout(() => void this.#guard(() => this.#read()), after);
  }

  async #read(): Promise<void> {
    this.#reading?.abort();
    const reading = new AbortController();
    this.#reading = reading;
    const text = this.#editor.text;
    let answer: ReadAnswer;
    try {
      answer = await this.#api.read(this.#document.named(text), reading.signal);
    } catch (error) {
      if (reading.signal.aborted) return;
      throw error;
    }
    if (reading.signal.aborted || text !== this.#editor.text) return;
    this.#isModel = answer.model !== null;
    this.#editor.mark(answer.findings);
    if (answer.model !== null) this.#settings.show(answer.model);
    this.#tellState(answer);
    this.#runLive();
  }

  #setLive(on: boolean): void {
    this.#isLive = on;
    this.#runLive();
  }

  #changedValue(): void {
    if (!this.#isLive) return;
    clearTimeout(this.#liveTimer);
    this.#liveTimer = window.setTimeout(() => this.#runLive(), LIVE_AFTER);
  }

  #runLive(): void {
    if (!this.#isModel || !this.#isLive) return;
    this.#runner.startLive(() => ({ text: this.#document.named(this.#editor.text), work: this.#settings.run() }));
  }

  #start(work: Work): void {
    this.#results.say("");
    this.#selectTab("result");
    this.#runner.start(this.#document.named(this.#editor.text), work);
  }

  #tellTitle(): void {
    const { name, isExample } = this.#document;
    const isUnsaved = this.#isUnsaved;
    const tag = isExample ? "shipped example, saved as a copy" : "";
    this.#title.replaceChildren(
      named(name, { class: "st-path", title: name }),
      isUnsaved ? el("span", { class: "st-unsaved", title: "Not saved" }, "●", el("span", {}, " not saved")) : "",
      tag === "" ? "" : el("span", { class: "st-tag" }, tag),
    );
    // A reload opens the same file again.
    const { kind } = this.#document.origin;
    const place = kind === "new" ? "" : `#${new URLSearchParams({ [kind]: name }).toString()}`;
    if (location.hash !== place) history.replaceState(null, "", `${location.pathname}${place}`);
    document.title = `${isUnsaved ? "● " : ""}${name} · dyverse studio`;
  }

  #tellFindings(findings: Finding[]): void {
    this.#editor.mark(findings);
    this.#tellState({ findings, model: null });
  }

  /** The line below the editor: the first finding, or what the model is. */
  #tellState({ findings, model }: ReadAnswer): void {
    const first = findings[0];
    const parts: (Node | string)[] = [];
    if (first !== undefined) {
      const errors = findings.filter((finding) => finding.severity === "error").length;
      const warnings = findings.length - errors;
      const counts = [errors > 0 ? `${errors} error${errors > 1 ? "s" : ""}` : "", warnings > 0 ? `${warnings} warning${warnings > 1 ? "s" : ""}` : ""];
      parts.push(el("span", { class: errors > 0 ? "st-bad" : "" }, counts.filter((count) => count !== "").join(", ")));
      const where = first.at.file === null ? `line ${first.at.line}` : `${first.at.file}, line ${first.at.line}`;
      const go = el("button", { type: "button", class: "dv-quiet", title: "Go there" }, el("span", {}, `${where}: ${first.message}`));
      go.addEventListener("click", () => this.#editor.goTo(first.at.from));
      parts.push(go);
    }
    if (model !== null) {
      if (first === undefined) parts.push(el("span", { class: "st-ok" }, "✓ a model"));
      const facts = model.facts.filter((fact) => fact.value !== "0").map((fact) => `${grouped(fact.value)} ${fact.value === "1" ? one(fact.name) : fact.name}`);
      parts.push(el("span", { class: "dv-muted" }, facts.join(" · ")));
    }
    this.#state.replaceChildren(...parts);
  }
}

/** Of several the name of one: "entities", "modes". */
function one(names: string): string {
  return names.endsWith("ies") ? `${names.slice(0, -3)}y` : names.replace(/s$/, "");
}

/** Thousands apart; of very long numbers how many digits they have. */
function grouped(digits: string): string {
  if (digits.length > 15) return `${digits[0] ?? ""}.${digits.slice(1, 3)}e${digits.length - 1}`;
  return digits.replace(/\B(?=(\d{3})+$)/g, "\u202f");
}
