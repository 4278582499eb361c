// The numbers of a run: columns that are unpacked when someone asks for them, one after another, and looked up by moment.
//
// A run may have a million samples of dozens of signals; only what is shown is ever unpacked. How a blob is packed:
// columns/unpack.ts. What a value between samples is: columns/superdense.ts.

import { interpolate, lastAtOrBefore } from "./columns/superdense";
import { unpackFloats, unpackWords } from "./columns/unpack";
import type { Moment } from "./cursor";
import type { Column, PageSource, Run, Signal } from "./data";

/** Where a contact acts and its force on the second body: x, y, z each, as long as the samples, NaN while it is open. */
export interface Track {
  readonly point: Float64Array[];
  readonly force: Float64Array[];
}

export class LoadedRun {
  /** Fulfilled when `t` and `n` are there. */
  readonly ready: Promise<void>;
  /** Empty before `ready`. */
  t: Float64Array = new Float64Array(0);
  n: Uint32Array = new Uint32Array(0);

  readonly #source: PageSource;
  readonly #signals = new Map<string, Signal>();
  /** By blob: columns that are the same numbers share one. */
  readonly #pending = new Map<number, Promise<Float64Array>>();
  readonly #cached = new Map<number, Float64Array>();
  readonly #tracks = new Map<number, Promise<Track>>();
  /** The end of the queue: one column at a time, so that the page stays quick and little memory is in flight. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(source: PageSource, readonly run: Run) {
    this.#source = source;
    for (const signal of run.signals) if (!this.#signals.has(signal.name)) this.#signals.set(signal.name, signal);
    this.ready = this.#loadTimes();
    // Whoever awaits it hears of an error; a run that nobody awaits is none.
    this.ready.catch(() => undefined);
  }

  /** How many samples there are; 0 before `ready`. */
  get length(): number {
    return this.t.length;
  }

  has(name: string): boolean {
    return this.#signals.has(name);
  }

  signal(name: string): Signal | null {
    return this.#signals.get(name) ?? null;
  }

  /** Unpacks the column of a signal, the first time it is asked for. */
  async column(name: string): Promise<Float64Array> {
    const signal = this.#signals.get(name);
    if (signal === undefined) throw new Error(`there is no signal ${name}`);
    return this.#unpack(signal.column, name);
  }

  /** The column if it is unpacked already. */
  cached(name: string): Float64Array | null {
    const signal = this.#signals.get(name);
    return signal === undefined ? null : (this.#cached.get(signal.column.blob) ?? null);
  }

  /** By place in `run.contacts`. */
  track(contact: number): Promise<Track> {
    const known = this.#tracks.get(contact);
    if (known !== undefined) return known;
    const track = this.#loadTrack(contact);
    this.#tracks.set(contact, track);
    return track;
  }

  /** The last sample at or before a moment; −1 if there is none. */
  indexAt(moment: Moment): number {
    return lastAtOrBefore(this.t, this.n, moment);
  }

  /** NaN where the signal is absent, outside of the samples, and while its column is not unpacked (see `column`). */
  valueAt(name: string, moment: Moment): number {
    const values = this.cached(name);
    return values === null ? NaN : interpolate(this.t, values, this.indexAt(moment), moment.t);
  }

  async #loadTimes(): Promise<void> {
    const { t, n } = this.run;
    if (t.count !== n.count) throw new Error(`column n: ${n.count} values instead of ${t.count}`);
    const times = await this.#inTurn(() => unpackFloats(this.#source.blob(t.blob), t, "t"));
    const microsteps = await this.#inTurn(() => unpackWords(this.#source.blob(n.blob), n, "n"));
    this.t = times;
    this.n = microsteps;
  }

  async #loadTrack(contact: number): Promise<Track> {
    const track = this.run.contacts[contact];
    if (track === undefined) throw new Error(`there is no contact ${contact}`);
    const load = (columns: Column[], what: string) =>
      Promise.all(columns.map((column, k) => this.#unpack(column, `${what} ${"xyz"[k] ?? k} of ${track.label}`)));
    const [point, force] = await Promise.all([load(track.point, "point"), load(track.force, "force")]);
    return { point, force };
  }

  #unpack(column: Column, name: string): Promise<Float64Array> {
    const known = this.#pending.get(column.blob);
    if (known !== undefined) return known;
    const unpacked = this.#inTurn(async () => {
      if (column.count !== this.run.t.count) {
        throw new Error(`column ${name}: ${column.count} values instead of ${this.run.t.count}`);
      }
      const values = await unpackFloats(this.#source.blob(column.blob), column, name);
      this.#cached.set(column.blob, values);
      return values;
    });
    this.#pending.set(column.blob, unpacked);
    return unpacked;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work);
    this.#queue = turn.catch(() => undefined);
    return turn;
  }
}
