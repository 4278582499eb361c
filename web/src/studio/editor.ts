// The model's text: an editor with marked findings. Knows nothing of files and runs.

import { autocompletion, closeBrackets, closeBracketsKeymap, completeAnyWord, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState } from "@codemirror/state";
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { el } from "../shell/dom";
import type { Finding } from "./api";
import { type Dialect, highlighting, languageOf, wordsOf } from "./language";

/** Bidirectional and other invisible characters are shown as what they are, besides those that the editor shows already. */
const STRANGE = /[\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;

export class Editor {
  readonly view: EditorView;
  readonly #dialect = new Compartment();
  readonly #changed: () => void;

  /** `changed` is called whenever the user, or a command of the user, changes the text. */
  constructor(parent: HTMLElement, changed: () => void) {
    this.#changed = changed;
    this.view = new EditorView({ parent, state: this.#state("", "bodies") });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Another text: its history begins anew. */
  open(text: string, dialect: Dialect): void {
    this.view.setState(this.#state(text, dialect));
  }

  setDialect(dialect: Dialect): void {
    this.view.dispatch({ effects: this.#dialect.reconfigure(this.#language(dialect)) });
  }

  /** Puts a tidied text in, in a way that can be undone and keeps the place of the caret. */
  replace(text: string): void {
    const old = this.text;
    if (old === text) return;
    let from = 0;
    while (from < old.length && from < text.length && old[from] === text[from]) from++;
    let end = 0;
    while (end < old.length - from && end < text.length - from && old[old.length - 1 - end] === text[text.length - 1 - end]) end++;
    this.view.dispatch({ changes: { from, to: old.length - end, insert: text.slice(from, text.length - end) } });
  }

  mark(findings: readonly Finding[]): void {
    const length = this.view.state.doc.length;
    this.view.dispatch(setDiagnostics(this.view.state, findings.map((finding) => marked(finding, length))));
  }

  goTo(position: number): void {
    const at = Math.min(position, this.view.state.doc.length);
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    this.view.focus();
  }

  #language(dialect: Dialect) {
    return [languageOf(dialect), autocompletion({ override: [wordsOf(dialect), completeAnyWord] })];
  }

  #state(text: string, dialect: Dialect): EditorState {
    return EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        highlightSpecialChars({ addSpecialChars: STRANGE }),
        highlightSelectionMatches(),
        history(),
        drawSelection(),
        EditorView.lineWrapping,
        EditorState.allowMultipleSelections.of(true),
        indentUnit.of("  "),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        lintGutter(),
        search({ top: true }),
        syntaxHighlighting(highlighting),
        this.#dialect.of(this.#language(dialect)),
        // Escape, then Tab, leaves the editor: the keyboard is not caught in it.
        keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap, indentWithTab]),
        EditorView.contentAttributes.of({ "aria-label": "The model's text", spellcheck: "false", autocapitalize: "off" }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) this.#changed();
        }),
      ],
    });
  }
}

/** A finding as the editor shows it. What is in another file is marked at the start: the words say where it is. */
function marked(finding: Finding, length: number): Diagnostic {
  const from = Math.min(finding.at.from, length);
  const to = Math.min(Math.max(finding.at.to, from), length);
  return {
    // What is missing at the very end is marked on the character before it: an empty mark is not seen.
    from: from === to && from === length ? Math.max(0, from - 1) : from,
    to: from === to ? Math.min(from + 1, length) : to,
    severity: finding.severity,
    message: finding.message,
    source: finding.code,
    renderMessage: () => explained(finding),
  };
}

/** Message, facts and way out. */
export function explained(finding: Finding): HTMLElement {
  const where = finding.at.file === null ? null : el("div", { class: "dv-muted" }, `in ${finding.at.file}, line ${finding.at.line}`);
  return el(
    "div",
    { class: "st-finding" },
    el("div", {}, el("span", { class: `st-code st-${finding.severity}` }, finding.code), " ", finding.message),
    where,
    ...finding.notes.map((note) => el("div", { class: "dv-muted" }, note)),
    finding.help !== null && el("div", { class: "st-help" }, finding.help),
  );
}
