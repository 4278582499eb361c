// Colours for the languages of models: words, numbers, strings, comments. What is wrong the server says; this only paints.

import { completeFromList, type Completion } from "@codemirror/autocomplete";
import { HighlightStyle, StreamLanguage, type StreamParser } from "@codemirror/language";
import { tags } from "@lezer/highlight";

export type Dialect = "bodies" | "actors";

const SHARED_ITEMS = ["import", "param", "input", "let", "fun", "tolerances", "horizon", "property"];
const ITEMS: Record<Dialect, string[]> = {
  bodies: [...SHARED_ITEMS, "system", "entity", "fixed", "contact", "no", "force", "moment", "gravity", "spring", "damper", "impacts"],
  actors: [
    ...SHARED_ITEMS,
    ...["model", "actor", "modal", "initial", "mode", "when", "otherwise", "from", "in", "out", "var"],
    ...["mechanism", "fmu", "table", "record"],
  ],
};
const WORDS: Record<Dialect, string[]> = {
  bodies: ["in", "on", "at", "default", "world"],
  actors: ["on", "unless", "post", "present", "absent", "init", "impulse", "reset", "enabled", "goto"],
};
const OPERATORS = ["and", "or", "not", "implies", "if", "then", "else", "always", "never", "eventually", "until"];
const ATOMS = ["true", "false"];
/** Names that a model of bodies gives a meaning inside its braces. */
const FIELDS: Record<Dialect, string[]> = {
  bodies: [
    ...["sphere", "ellipsoid", "capsule", "plane", "half_space", "box", "rounded_box", "convex", "points", "size", "radius", "mass", "position", "velocity"],
    ...["restitution", "tangential_restitution", "friction", "rolling_friction", "spinning_friction", "law"],
    ...["angular_velocity", "orientation", "inertia", "simultaneous", "sequential", "newton", "poisson", "energetic"],
  ],
  actors: ["clock", "hold", "cont", "period"],
};

/** The word that a name is, if it is one. */
export function wordKind(dialect: Dialect, word: string): "keyword" | "operatorKeyword" | "atom" | "propertyName" | "variableName" {
  if (ITEMS[dialect].includes(word) || WORDS[dialect].includes(word)) return "keyword";
  if (OPERATORS.includes(word)) return "operatorKeyword";
  if (ATOMS.includes(word)) return "atom";
  if (FIELDS[dialect].includes(word)) return "propertyName";
  return "variableName";
}

function parser(dialect: Dialect): StreamParser<null> {
  return {
    name: dialect,
    token(stream) {
      if (stream.eatSpace()) return null;
      if (stream.match(/^#.*/)) return "lineComment";
      if (stream.match(/^"[^"\n]*"?/)) return "string";
      if (stream.match(/^(\d+(\.\d+)?|\.\d+)([eE][+-]?\d+)?/)) return "number";
      const word = stream.match(/^[\p{L}_][\p{L}\p{N}_]*/u);
      if (word !== null && typeof word !== "boolean") return wordKind(dialect, word[0] ?? "");
      if (stream.match(/^[{}()[\],;:]/)) return "punctuation";
      stream.next();
      return "operator";
    },
    languageData: {
      commentTokens: { line: "#" },
      closeBrackets: { brackets: ["(", "[", "{", '"'] },
    },
  };
}

const languages: Record<Dialect, StreamLanguage<null>> = {
  bodies: StreamLanguage.define(parser("bodies")),
  actors: StreamLanguage.define(parser("actors")),
};

export function languageOf(dialect: Dialect): StreamLanguage<null> {
  return languages[dialect];
}

/** Words to complete. */
export function wordsOf(dialect: Dialect): ReturnType<typeof completeFromList> {
  const some = (words: string[], type: string): Completion[] => words.map((label) => ({ label, type }));
  return completeFromList([
    ...some([...new Set([...ITEMS[dialect], ...WORDS[dialect], ...OPERATORS, ...ATOMS])], "keyword"),
    ...some(FIELDS[dialect], "property"),
  ]);
}

/** Colours of the style sheet, so that dark and light follow the page. */
export const highlighting = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--c0)", fontWeight: "600" },
  { tag: tags.operatorKeyword, color: "var(--mark)", fontWeight: "600" },
  { tag: tags.atom, color: "var(--mark)" },
  { tag: tags.number, color: "var(--st-number)" },
  { tag: tags.string, color: "var(--force)" },
  { tag: tags.lineComment, color: "var(--muted)", fontStyle: "italic" },
  { tag: tags.propertyName, color: "var(--st-field)" },
]);
