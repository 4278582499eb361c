// The text in the editor as a file: where it is from, what of it is saved.

import { type Api, CallFailed, type NamedText } from "./api";
import type { Dialect } from "./language";

/** Where a text is from. A new one has a name but is nowhere yet. */
export type Origin =
  | { kind: "file"; path: string; version: string }
  | { kind: "example"; file: string }
  | { kind: "new"; path: string };

/** A file that is other than the user has seen it. */
export interface Conflict {
  reason: "changed" | "exists" | "gone";
  message: string;
  /** What is there now; null if nothing is. */
  version: string | null;
}

export class ModelDocument {
  #origin: Origin;
  #saved: string;
  /** How lines ended in the file: the editor knows one way only. */
  #ends: "\n" | "\r\n";

  private constructor(origin: Origin, text: string) {
    this.#origin = origin;
    this.#ends = text.includes("\r\n") ? "\r\n" : "\n";
    this.#saved = origin.kind === "new" ? "" : plainLines(text);
  }

  static async open(api: Api, path: string, isExample: boolean): Promise<{ document: ModelDocument; text: string }> {
    const { text, version } = await api.open(path, isExample);
    const origin: Origin = isExample ? { kind: "example", file: path } : { kind: "file", path, version: version ?? "" };
    return { document: new ModelDocument(origin, text), text: plainLines(text) };
  }

  static create(path: string): ModelDocument {
    return new ModelDocument({ kind: "new", path }, "");
  }

  get origin(): Origin {
    return this.#origin;
  }

  get name(): string {
    return this.#origin.kind === "example" ? this.#origin.file : this.#origin.path;
  }

  get isExample(): boolean {
    return this.#origin.kind === "example";
  }

  get dialect(): Dialect {
    return dialectOf(this.name);
  }

  isChanged(text: string): boolean {
    return text !== this.#saved;
  }

  named(text: string): NamedText {
    return { name: this.name, example: this.isExample, text };
  }

  /** Saves over the file that was opened; a conflict instead if it is another by now. */
  async save(api: Api, text: string): Promise<Conflict | null> {
    const version = this.#origin.kind === "file" ? this.#origin.version : null;
    return this.#write(api, this.name, text, version);
  }

  /** Saves over what is there now: the user has seen that it is something else. */
  async overwrite(api: Api, text: string, conflict: Conflict): Promise<Conflict | null> {
    return this.#write(api, this.name, text, conflict.version);
  }

  /** Saves under another name, which must be new; of an example also what it imports. */
  async saveAs(api: Api, path: string, text: string): Promise<Conflict | null> {
    if (this.#origin.kind !== "example") return this.#write(api, path, text, null);
    const { file } = this.#origin;
    return this.#guarded(async () => {
      const { version } = await api.copyExample(file, path, text);
      this.#origin = { kind: "file", path, version };
      this.#saved = text;
    });
  }

  async #write(api: Api, path: string, text: string, version: string | null): Promise<Conflict | null> {
    return this.#guarded(async () => {
      const written = this.#ends === "\n" ? text : text.replaceAll("\n", this.#ends);
      const saved = await api.save(path, written, version);
      this.#origin = { kind: "file", path, version: saved.version };
      this.#saved = text;
    });
  }

  async #guarded(write: () => Promise<void>): Promise<Conflict | null> {
    try {
      await write();
      return null;
    } catch (error) {
      if (!(error instanceof CallFailed && error.status === 409)) throw error;
      const { reason, version } = error.details;
      const known = reason === "changed" || reason === "gone" ? reason : "exists";
      return { reason: known, message: error.message, version: version ?? null };
    }
  }
}

export function dialectOf(name: string): Dialect {
  return name.endsWith(".dam") ? "actors" : "bodies";
}

/** As the editor sees it. */
function plainLines(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}
