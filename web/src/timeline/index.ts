// The foot of a page: transport, the bar with a mark for each instant, and the microsteps of the instant one is at.

import type { Cursor, Moment } from "../cursor";
import { button, choice, el, Frame, reicon, svg, toggle, Undo } from "../shell/dom";
import { counted, full, moment as written, short } from "../shell/numbers";
import { clusters, FAMILY_TEXT, lastInstant, ticks } from "./instants";
import { Microsteps } from "./microsteps";
import { markOf } from "./marks";
import type { AtEvents, Player } from "./player";

/** Between the bar's end and that of its drawing. */
const MARGIN = 14;
const HEIGHT = 46;
const BAR = 22;

export class TimelineView {
  readonly #undo = new Undo();
  readonly #frame = new Frame(() => this.#show());
  readonly #bar = svg("svg", {
    class: "dv-bar",
    height: HEIGHT,
    tabindex: 0,
    role: "slider",
    "aria-label": "time",
    "aria-keyshortcuts": "ArrowLeft ArrowRight",
  });
  readonly #marks = svg("g");
  readonly #done = svg("rect", { class: "dv-done", y: BAR - 2, height: 4, rx: 2 });
  readonly #head = svg("g", { class: "dv-head" }, svg("line", { y1: 3, y2: HEIGHT - 15 }), svg("circle", { cy: BAR, r: 6.5 }));
  readonly #time = el("input", {
    type: "text",
    class: "dv-time dv-num",
    "aria-label": "time t in seconds",
    spellcheck: "false",
    autocomplete: "off",
    inputmode: "decimal",
  });
  readonly #micro = el("output", { class: "dv-micro dv-num", "aria-live": "off" });
  readonly #microsteps: Microsteps;
  readonly #play: HTMLButtonElement;
  #width = 0;

  constructor(
    host: HTMLElement,
    readonly cursor: Cursor,
    readonly player: Player,
  ) {
    this.#microsteps = new Microsteps(cursor, player);
    this.#play = button("Play", () => player.toggle(), { icon: "play", key: "space", class: "dv-main dv-play" });
    this.#bar.append(
      svg("rect", { class: "dv-track", x: MARGIN, y: BAR - 2, height: 4, rx: 2 }),
      this.#done,
      this.#marks,
      this.#head,
    );
    host.append(this.#transport(), el("div", { class: "dv-barhost" }, this.#bar), this.#microsteps.element);
    this.#undo.resize(host, (width) => this.#resize(width));
    this.#undo.add(cursor.subscribe(() => this.#frame.ask()));
    this.#undo.add(player.subscribe(() => this.#settings()));
    this.#drag();
    this.#undo.listen(this.#time, "change", () => this.#typed());
    this.#settings();
    this.#show();
  }

  destroy(): void {
    this.#undo.run();
    this.#frame.cancel();
    this.#microsteps.destroy();
  }

  #x(t: number): number {
    const { from, to } = this.cursor.run;
    const span = to - from;
    return MARGIN + (span > 0 ? (t - from) / span : 0) * Math.max(0, this.#width - 2 * MARGIN);
  }

  readonly #speed = choice<string>("Speed of playing", [], "", () => undefined, { class: "dv-speed" });
  readonly #loop = toggle("Loop", false, (on) => this.player.setLoop(on), { icon: "loop", key: "L", class: "dv-quiet" });
  #events: HTMLSelectElement | null = null;

  #transport(): HTMLElement {
    const { player } = this;
    for (const speed of player.speeds) this.#speed.append(el("option", { value: String(speed) }, `${String(speed)}×`));
    this.#speed.addEventListener("change", () => player.setSpeed(Number(this.#speed.value)));
    this.#events = choice<AtEvents>(
      "What playing does at events",
      [
        { value: "through", text: "At events: go on" },
        { value: "slow", text: "At events: go slowly" },
        { value: "stop", text: "At events: stop" },
      ],
      player.atEvents,
      (how) => player.setAtEvents(how),
      { class: "dv-at-events" },
    );
    const quiet = { class: "dv-quiet" };
    return el(
      "div",
      { class: "dv-transport", role: "toolbar", "aria-label": "Transport" },
      el(
        "div",
        { class: "dv-buttons" },
        button("To the start", () => player.start(), { icon: "start", key: "Home", ...quiet }),
        button("To the previous instant with events", () => player.instant(-1), {
          icon: "previousInstant",
          key: "Shift ←",
          ...quiet,
        }),
        button("One microstep back", () => player.step(-1), { icon: "previous", key: "←", ...quiet }),
        this.#play,
        button("One microstep on", () => player.step(1), { icon: "next", key: "→", ...quiet }),
        button("To the next instant with events", () => player.instant(1), { icon: "nextInstant", key: "Shift →", ...quiet }),
        button("To the end", () => player.end(), { icon: "end", key: "End", ...quiet }),
      ),
      el("div", { class: "dv-clock" }, el("label", {}, el("span", { class: "dv-muted" }, "t"), this.#time), this.#micro),
      el("div", { class: "dv-settings" }, this.#speed, this.#loop, this.#events),
    );
  }

  #settings(): void {
    const { player } = this;
    reicon(this.#play, player.playing ? "pause" : "play", player.playing ? "Pause (space)" : "Play (space)");
    this.#speed.value = String(player.speed);
    this.#loop.setAttribute("aria-pressed", String(player.loop));
    if (this.#events !== null) this.#events.value = player.atEvents;
  }

  #typed(): void {
    const t = Number(this.#time.value.replace(",", ".").replace("−", "-"));
    if (this.#time.value.trim() !== "" && Number.isFinite(t)) {
      this.player.pause();
      this.cursor.setTime(t);
    }
    this.#show();
  }

  #resize(width: number): void {
    if (width === 0 || width === this.#width) return;
    this.#width = width;
    this.#bar.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    this.#bar.setAttribute("width", String(width));
    this.#bar.querySelector(".dv-track")?.setAttribute("width", String(Math.max(0, width - 2 * MARGIN)));
    this.#drawMarks();
    this.#show();
  }

  #drawMarks(): void {
    const { run } = this.cursor;
    const parts: Node[] = ticks(run.from, run.to, this.#width / 90).map((t) =>
      svg(
        "g",
        { class: "dv-tick", transform: `translate(${this.#x(t)} 0)` },
        svg("line", { y1: BAR + 5, y2: BAR + 9 }),
        svg("text", { y: HEIGHT - 4 }, short(t, 5)),
      ),
    );
    if (run.mark !== null) {
      parts.push(
        svg(
          "g",
          { class: "dv-flag", transform: `translate(${this.#x(run.mark.t)} 0)` },
          svg("title", {}, run.mark.text),
          svg("path", { d: `M0 ${BAR + 8}V2h9l-2.5 3.5L9 9H0` }),
        ),
      );
    }
    for (const cluster of clusters(this.player.instants, (t) => this.#x(t), 9)) {
      const text =
        cluster.count === 1
          ? `${FAMILY_TEXT[cluster.family]} at t = ${full(cluster.first.t)}, ${counted(cluster.first.count, "transition")}`
          : `${cluster.count} instants from t = ${full(cluster.first.t)}`;
      parts.push(
        svg(
          "g",
          { class: `dv-mark dv-${cluster.family}`, "data-instants": cluster.count, "data-t": full(cluster.first.t) },
          svg("title", {}, text),
          ...markOf(cluster, BAR),
        ),
      );
    }
    this.#marks.replaceChildren(...parts);
  }

  #drag(): void {
    const to = (event: PointerEvent): void => {
      const box = this.#bar.getBoundingClientRect();
      const { from, to: end } = this.cursor.run;
      const part = (event.clientX - box.left - MARGIN) / Math.max(1, box.width - 2 * MARGIN);
      const t = from + Math.min(1, Math.max(0, part)) * (end - from);
      this.player.pause();
      this.cursor.setTime(this.#near(t, ((end - from) * 4) / Math.max(1, box.width)));
    };
    this.#undo.listen(this.#bar, "pointerdown", (event) => {
      if (event.button !== 0) return;
      this.#bar.setPointerCapture(event.pointerId);
      to(event);
    });
    this.#undo.listen(this.#bar, "pointermove", (event) => {
      if (this.#bar.hasPointerCapture(event.pointerId)) to(event);
    });
  }

  /** The instant nearest to a time if it is within some distance: a pointer cannot hit a double. */
  #near(t: number, within: number): number {
    const { instants } = this.player;
    const before = lastInstant(instants, t);
    let nearest = t;
    let distance = within;
    for (const instant of [instants[before], instants[before + 1]]) {
      if (instant !== undefined && Math.abs(instant.t - t) < distance) {
        nearest = instant.t;
        distance = Math.abs(instant.t - t);
      }
    }
    return nearest;
  }

  #show(): void {
    const { moment, run } = this.cursor;
    const x = this.#x(moment.t);
    this.#head.setAttribute("transform", `translate(${x} 0)`);
    this.#done.setAttribute("x", String(MARGIN));
    this.#done.setAttribute("width", String(Math.max(0, x - MARGIN)));
    if (document.activeElement !== this.#time) this.#time.value = short(moment.t, 8).replace("−", "-");
    this.#time.title = full(moment.t);
    this.#micro.textContent = this.#microText(moment);
    const attributes = {
      "aria-valuemin": run.from,
      "aria-valuemax": run.to,
      "aria-valuenow": moment.t,
      "aria-valuetext": `t = ${short(moment.t)}, microstep ${moment.n}`,
      "data-t": full(moment.t),
      "data-n": moment.n,
    };
    for (const [name, value] of Object.entries(attributes)) this.#bar.setAttribute(name, String(value));
    this.#bar.setAttribute("data-moment", written(moment));
    this.#microsteps.show();
  }

  #microText(moment: Moment): string {
    const last = this.cursor.lastMicrostep(moment.t);
    return last === 0 ? "n = 0" : `n = ${moment.n} of ${last}`;
  }
}
