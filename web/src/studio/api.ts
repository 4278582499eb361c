// The calls of the studio's server (crates/5-use/studio/src/api.rs). Every call carries the token that came with the page's address.

import type { PageData } from "../data";

export interface StudioFacts {
  version: string;
  folder: string;
  allowFmu: boolean;
  examples: { file: string; about: string }[];
  templates: { drbt: string; dam: string };
}

export interface FileList {
  files: { path: string; bytes: number }[];
  hasMore: boolean;
}

/** A text with the name that says what it is; of an example its imports are sought among the examples. */
export interface NamedText {
  name: string;
  example: boolean;
  text: string;
}

/** A place in a text: UTF-16 units from the start. `file` is null for the text itself. */
export interface FindingPlace {
  file: string | null;
  from: number;
  to: number;
  line: number;
  column: number;
  text: string;
}

export interface Finding {
  severity: "error" | "warning";
  code: string;
  title: string;
  message: string;
  at: FindingPlace;
  also: FindingPlace[];
  notes: string[];
  help: string | null;
}

export interface ModelFacts {
  kind: "bodies" | "actors";
  name: string;
  horizon: number | null;
  parameters: ParameterFacts[];
  inputs: { name: string; value: number | null; range: [number, number] | null }[];
  properties: { name: string; formula: string }[];
  facts: { name: string; value: string }[];
}

/** A parameter with its range, if it has one. A number that is none is null. */
export interface ParameterFacts {
  name: string;
  value: number | null;
  range: [number, number] | null;
}

export interface ReadAnswer {
  findings: Finding[];
  model: ModelFacts | null;
}

export type Work =
  | { kind: "simulate"; parameters: [string, number][]; inputs: [string, number][]; until: number | null }
  | { kind: "check"; property: string | null; choices: [string, number, number][]; timeout: number | null }
  | {
      kind: "partition";
      property: string;
      names: string[];
      width: number;
      choices: [string, number, number][];
      timeout: number | null;
    };

/** How far a job is; which fields there are depends on its kind. */
export interface Progress {
  t?: number;
  horizon?: number;
  transitions?: number;
  impacts?: number;
  property?: string;
  place?: number;
  properties?: number;
  decided?: number;
  boxes?: number;
  simulations?: number;
  best?: number | null;
}

export interface JobNews {
  id: number;
  kind: Work["kind"];
  number: number;
  state: "running" | "cancelling" | "done" | "failed" | "cancelled";
  progress: Progress | null;
  failure: { message: string; findings: Finding[] } | null;
  hasPage: boolean;
  seconds: number;
}

export interface PageAnswer {
  page: PageData;
  blobs: string[];
}

/** A call that the server refused, or that did not reach it (status 0). */
export class CallFailed extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly details: { reason?: string; version?: string | null } = {},
  ) {
    super(message);
  }
}

const KEPT = "dyverse-studio-token";

/** The token: from the address, which is then cleared of it, or from earlier in this tab. */
export function takeToken(): string {
  const address = new URL(location.href);
  const given = address.searchParams.get("token");
  if (given !== null) {
    sessionStorage.setItem(KEPT, given);
    address.searchParams.delete("token");
    history.replaceState(null, "", address);
  }
  return sessionStorage.getItem(KEPT) ?? "";
}

export class Api {
  /** Tells this tab from others: a new job takes the place of the one before it. */
  readonly tab = crypto.randomUUID();

  constructor(readonly token: string) {}

  studio(): Promise<StudioFacts> {
    return this.#call("GET", "/api/studio");
  }

  files(): Promise<FileList> {
    return this.#call("GET", "/api/files");
  }

  open(path: string, example: boolean): Promise<{ text: string; version: string | null }> {
    return this.#call("POST", "/api/files/open", { path, example });
  }

  save(path: string, text: string, version: string | null): Promise<{ version: string }> {
    return this.#call("POST", "/api/files/save", { path, text, version });
  }

  copyExample(example: string, path: string, text: string): Promise<{ version: string; saved: string[] }> {
    return this.#call("POST", "/api/files/copy", { example, path, text });
  }

  read(text: NamedText, signal: AbortSignal): Promise<ReadAnswer> {
    return this.#call("POST", "/api/read", text, signal);
  }

  format(text: NamedText): Promise<{ text?: string; findings?: Finding[] }> {
    return this.#call("POST", "/api/format", text);
  }

  begin(text: NamedText, work: Work): Promise<{ id: number }> {
    return this.#call("POST", "/api/jobs", { tab: this.tab, ...text, ...work });
  }

  news(id: number, after: number): Promise<JobNews> {
    return this.#call("GET", `/api/jobs/${id}/after/${after}`);
  }

  cancel(id: number): Promise<unknown> {
    return this.#call("DELETE", `/api/jobs/${id}`);
  }

  page(id: number): Promise<PageAnswer> {
    return this.#call("GET", `/api/jobs/${id}/page`);
  }

  async #call<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
    const headers: Record<string, string> = { "x-dyverse-token": this.token };
    if (body !== undefined) headers["content-type"] = "application/json";
    let response: Response;
    try {
      response = await fetch(path, {
        method,
        headers,
        body: body === undefined ? null : JSON.stringify(body),
        signal: signal ?? null,
        // What is cancelled because the page goes is cancelled all the same.
        keepalive: method === "DELETE",
      });
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") throw error;
      throw new CallFailed(0, "The studio does not answer. Is it still running in its terminal?");
    }
    const text = await response.text();
    if (response.ok) return JSON.parse(text) as T;
    throw refused(response.status, text);
  }
}

function refused(status: number, text: string): CallFailed {
  try {
    const { error, details } = JSON.parse(text) as { error: string; details?: CallFailed["details"] };
    return new CallFailed(status, error, details);
  } catch {
    return new CallFailed(status, text === "" ? `The studio refused this (${status}).` : text);
  }
}
