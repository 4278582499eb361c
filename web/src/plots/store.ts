// The signals of a run as they are drawn: unpacked once, with their pyramids, however many panels show them.

import type { LoadedRun } from "../columns";
import type { Series } from "./geometry";
import { Pyramid } from "./pyramid";

export class SeriesStore {
  readonly #ready = new Map<string, Series>();
  readonly #failed = new Map<string, string>();
  readonly #asked = new Set<string>();

  /** `changed` is called when a signal has come, or cannot come. */
  constructor(
    readonly loaded: LoadedRun,
    readonly changed: () => void,
  ) {}

  /** The signal if it is there; else it is asked for. */
  get(name: string): Series | null {
    const ready = this.#ready.get(name);
    if (ready !== undefined) return ready;
    if (!this.#asked.has(name)) {
      this.#asked.add(name);
      this.#load(name).catch((reason: unknown) => {
        this.#failed.set(name, reason instanceof Error ? reason.message : String(reason));
        this.changed();
      });
    }
    return null;
  }

  /** Why a signal cannot be shown. */
  failure(name: string): string | null {
    return this.#failed.get(name) ?? null;
  }

  async #load(name: string): Promise<void> {
    await this.loaded.ready;
    const values = await this.loaded.column(name);
    const { t, n } = this.loaded;
    this.#ready.set(name, { t, n, values, pyramid: new Pyramid(t, values) });
    this.changed();
  }
}
