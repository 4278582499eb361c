// One job at a time: begun, followed, cancelled; the newest wish wins.

import { type Api, CallFailed, type Finding, type JobNews, type NamedText, type PageAnswer, type Work } from "./api";

/** What the runner tells. */
export interface RunnerEvents {
  /** Something is in work from now on, or nothing any more. */
  busy(isBusy: boolean): void;
  /** A job is in work, or (null) none. */
  progress(news: JobNews | null): void;
  /** A job ended with a page; of one that was cancelled as far as it came. */
  page(answer: PageAnswer, work: Work, news: JobNews): void;
  failed(message: string, findings: Finding[]): void;
  /** A job was cancelled and has nothing to show. */
  cancelled(): void;
}

/** A live run that takes longer than this is given up for the next one, ms. */
const PATIENCE = 1000;
/** Until the next try if the server has too much to do, ms. */
const AGAIN = 300;
/** How long a job that was cancelled may take to end before nobody waits for it any more, ms. */
const FAREWELL = 4000;

interface Current {
  serial: number;
  id: number | null;
  begun: number;
  isCancelled: boolean;
}

export class Runner {
  #serial = 0;
  #current: Current | null = null;
  /** What is to run after the current live run. */
  #next: (() => void) | null = null;

  constructor(
    readonly api: Api,
    readonly events: RunnerEvents,
  ) {}

  get isBusy(): boolean {
    return this.#current !== null;
  }

  /** Begins a job in place of whatever is in work. */
  start(text: NamedText, work: Work): void {
    this.#next = null;
    void this.#run(text, work);
  }

  /** Begins a job soon: after the one in work if that is quick. The wish before it is forgotten. */
  startLive(make: () => { text: NamedText; work: Work }): void {
    const begin = (): void => {
      const { text, work } = make();
      this.start(text, work);
    };
    const current = this.#current;
    if (current === null || performance.now() - current.begun > PATIENCE) begin();
    else this.#next = begin;
  }

  cancel(): void {
    this.#next = null;
    const current = this.#current;
    if (current === null) return;
    current.isCancelled = true;
    if (current.id !== null) this.#tell(current.id);
    setTimeout(() => {
      if (this.#current !== current) return;
      // It ends by itself when it next looks up; what it had is lost.
      this.#serial++;
      this.#end();
      this.events.cancelled();
    }, FAREWELL);
  }

  #end(): void {
    this.#current = null;
    this.events.progress(null);
    this.events.busy(false);
  }

  #tell(id: number): void {
    this.api.cancel(id).catch(() => {
      // Whether it ended in between, or the server is gone: who follows the job is told.
    });
  }

  async #run(text: NamedText, work: Work): Promise<void> {
    const current: Current = { serial: ++this.#serial, id: null, begun: performance.now(), isCancelled: false };
    this.#current = current;
    this.events.busy(true);
    const isOver = (): boolean => this.#serial !== current.serial;
    try {
      const { id } = await this.#begin(text, work, isOver);
      current.id = id;
      if (current.isCancelled) this.#tell(id);
      let news = await this.api.news(id, 0);
      while (!isOver() && (news.state === "running" || news.state === "cancelling")) {
        this.events.progress(news);
        news = await this.api.news(id, news.number);
      }
      if (isOver()) return;
      if (news.hasPage) {
        const page = await this.api.page(id);
        if (!isOver()) this.events.page(page, work, news);
      } else if (news.state === "failed") {
        this.events.failed(news.failure?.message ?? "It failed.", news.failure?.findings ?? []);
      } else {
        this.events.cancelled();
      }
    } catch (error) {
      if (!isOver()) this.events.failed(error instanceof Error ? error.message : String(error), []);
    } finally {
      if (!isOver()) {
        this.#end();
        const next = this.#next;
        this.#next = null;
        next?.();
      }
    }
  }

  async #begin(text: NamedText, work: Work, isOver: () => boolean): Promise<{ id: number }> {
    for (;;) {
      try {
        return await this.api.begin(text, work);
      } catch (error) {
        // Jobs that were given up may need a moment to end.
        const isBusy = error instanceof CallFailed && error.status === 429;
        if (!isBusy || isOver()) throw error;
        await new Promise((resolve) => setTimeout(resolve, AGAIN));
        if (isOver()) throw error;
      }
    }
  }
}

/** How far a job is: in words, and as a part of the whole if that is known. */
export function progressText(news: JobNews): { text: string; part: number | null } {
  const progress = news.progress ?? {};
  const words: string[] = [];
  let part: number | null = null;
  if (progress.t !== undefined && progress.horizon !== undefined) {
    part = progress.t / progress.horizon;
    words.push(`t = ${progress.t.toPrecision(4)} of ${progress.horizon} s`);
    if (progress.impacts !== undefined) words.push(`${progress.impacts} impacts`);
    if (progress.transitions !== undefined) words.push(`${progress.transitions} transitions`);
  }
  if (progress.decided !== undefined) {
    const [place, all] = [progress.place ?? 0, Math.max(1, progress.properties ?? 1)];
    part = (place + progress.decided) / all;
    words.push(`${progress.property ?? ""}: ${(100 * progress.decided).toFixed(1)} % decided`);
    words.push(`${progress.boxes ?? 0} boxes`, `${progress.simulations ?? 0} simulations`);
    if (typeof progress.best === "number") words.push(`least robustness ${progress.best.toPrecision(3)}`);
  }
  if (news.state === "cancelling") words.unshift("Cancelling");
  if (news.seconds >= 1) words.push(`${Math.floor(news.seconds)} s`);
  return { text: words.join(" · "), part };
}
