// The scene: bodies, names, trails, forces, drawn when something changed and not otherwise.

import { type Color, Vector3 } from "three";
import type { LoadedRun } from "../columns";
import { compare, type Cursor, type Moment } from "../cursor";
import type { Transition } from "../data";
import { button, choice, el, Frame, toggle, Undo } from "../shell/dom";
import { plain } from "../shell/names";
import { short } from "../shell/numbers";
import { type Arrow, Arrows } from "./arrows";
import { Bodies, bodyColours } from "./bodies";
import { type Axis, type Extent, extentOf, likelyUp, reachOf } from "./extent";
import { type Contacts, isImpulse, type Push, strongest, transitionShown } from "./forces";
import { Labels, MOST_NAMES } from "./labels";
import { isMovable, Poses } from "./poses";
import { type Gaze, Stage, type View } from "./stage";
import { Trails } from "./trails";
import { Triad } from "./triad";

/** How long an impulse stays in sight when a playing run passes it, in milliseconds. */
const FLASH = 500;
/** The longest arrow, as a part of the scene's size, and at the most in radii of the largest body. */
const LONGEST = 0.28;
const LONGEST_IN_RADII = 5;

interface Drawn {
  stage: Stage;
  bodies: Bodies;
  labels: Labels;
  trails: Trails;
  forces: Arrows;
  impulses: Arrows;
  triad: Triad;
  extent: Extent;
}

/** What the reader chose: which axis is up, and where the camera is, if the scene was drawn. */
export interface SceneLook {
  up: Axis;
  gaze: Gaze | null;
}

export class SceneView {
  readonly #undo = new Undo();
  readonly #frame = new Frame(() => this.#draw());
  readonly #poses: Poses;
  readonly #contacts: Contacts;
  readonly #strongest: { impulse: number; force: number };
  readonly #canvas = el("canvas", { class: "dv-canvas", tabindex: 0, role: "img" });
  readonly #legend = el("div", { class: "dv-legend" });
  readonly #host: HTMLElement;
  readonly #reaches: number[];
  #drawn: Drawn | null = null;
  #up: Axis;
  #names: boolean;
  #paths = true;
  #follow: number | null = null;
  #followed: Vector3 | null = null;
  #last: Moment;
  #flash: { transition: Transition; until: number } | null = null;
  #gaze: Gaze | null;
  #fitted = false;
  #gone = false;

  /** `tools` is where the controls go: the head of the panel. */
  constructor(
    host: HTMLElement,
    tools: HTMLElement,
    readonly loaded: LoadedRun,
    readonly cursor: Cursor,
    contacts: Contacts,
    look: SceneLook | null,
  ) {
    const { run } = loaded;
    this.#host = host;
    this.#poses = new Poses(loaded, run.bodies);
    this.#contacts = contacts;
    this.#strongest = strongest(run);
    this.#up = look?.up ?? likelyUp(run.bodies);
    this.#gaze = look?.gaze ?? null;
    this.#reaches = run.bodies.map(reachOf);
    this.#names = run.bodies.length <= MOST_NAMES;
    this.#last = cursor.moment;
    this.#canvas.setAttribute(
      "aria-label",
      `Scene of ${run.bodies
        .map((body) => plain(body.name))
        .slice(0, 20)
        .join(", ")}. Arrow keys turn the camera, plus and minus zoom, 0 fits.`,
    );
    this.#canvas.setAttribute("aria-keyshortcuts", "ArrowLeft ArrowRight ArrowUp ArrowDown + - 0");
    host.classList.add("dv-scene");
    host.append(this.#canvas);
    this.#tools(tools);
    void this.#open();
  }

  destroy(): void {
    this.#gone = true;
    this.#undo.run();
    this.#frame.cancel();
    const drawn = this.#drawn;
    this.#drawn = null;
    if (drawn === null) return;
    for (const part of [drawn.bodies, drawn.trails, drawn.forces, drawn.impulses, drawn.stage]) part.dispose();
  }

  get look(): SceneLook {
    return { up: this.#up, gaze: this.#fitted && this.#drawn !== null ? this.#drawn.stage.gaze : this.#gaze };
  }

  async #open(): Promise<void> {
    try {
      await this.#poses.load(() => undefined);
    } catch (error) {
      this.#say(`The motion cannot be read: ${error instanceof Error ? error.message : String(error)}`);
      return;
    }
    if (this.#gone) return;
    let stage: Stage;
    try {
      stage = new Stage(this.#canvas, () => this.#frame.ask());
    } catch {
      this.#say("This browser gives no WebGL, so the scene is not drawn. Everything else works.");
      return;
    }
    this.#drawn = this.#build(stage);
    this.#undo.resize(this.#host, (width, height) => {
      stage.resize(width, height);
      if (!this.#fitted && width > 0 && height > 0) {
        this.#fitted = true;
        this.#fit("corner");
        if (this.#gaze !== null) stage.gaze = this.#gaze;
      }
      this.#draw();
    });
    this.#undo.add(this.cursor.subscribe((moment) => this.#moved(moment)));
    this.#undo.listen(document, "themechange" as keyof HTMLElementEventMap, () => this.#recolour());
    this.#undo.listen(this.#canvas, "keydown", (event) => this.#key(event));
    // The page scrolls as ever; a scene zooms when it has been chosen, or with Ctrl, as maps do.
    this.#undo.listen(
      this.#host,
      "wheel",
      (event) => {
        if (!event.ctrlKey && document.activeElement !== this.#canvas) event.stopPropagation();
      },
      { capture: true, passive: true },
    );
    void this.#contacts.load(() => this.#frame.ask()).catch(() => undefined);
  }

  #build(stage: Stage): Drawn {
    const { bodies } = this.loaded.run;
    const extent = extentOf(this.#poses, bodies);
    const colours: Color[] = bodyColours(bodies);
    const longest = longestArrow(extent);
    const drawn: Drawn = {
      stage,
      extent,
      bodies: new Bodies(this.#poses, bodies, extent.size, extent.centre),
      labels: new Labels(bodies),
      trails: new Trails(this.#poses, colours),
      forces: new Arrows("force", 0.016 * longest),
      impulses: new Arrows("impulse", 0.026 * longest),
      triad: new Triad(),
    };
    stage.world.add(drawn.bodies.group, drawn.trails.group, drawn.forces.group, drawn.impulses.group);
    stage.setUp(this.#up);
    this.#host.append(drawn.labels.element, drawn.triad.element, this.#legend);
    return drawn;
  }

  #tools(host: HTMLElement): void {
    const { run } = this.loaded;
    const small = { class: "dv-small dv-quiet" };
    const movable = [...run.bodies.entries()].filter(([, body]) => isMovable(body));
    host.append(
      toggle(
        "Names",
        this.#names,
        (on) => {
          this.#names = on;
          this.#draw();
        },
        small,
      ),
      toggle(
        "Paths",
        true,
        (on) => {
          this.#paths = on;
          this.#draw();
        },
        small,
      ),
      choice<string>(
        "Follow a body",
        [
          { value: "", text: "Follow: none" },
          ...movable.slice(0, 500).map(([k, body]) => ({ value: String(k), text: plain(body.name) })),
        ],
        "",
        (value) => {
          this.#follow = value === "" ? null : Number(value);
          this.#followed = null;
          this.#draw();
        },
        { class: "dv-small dv-follow" },
      ),
      choice<Axis>(
        "Which axis points up",
        (["x", "y", "z"] as const).map((axis) => ({ value: axis, text: `${axis} up` })),
        this.#up,
        (axis) => {
          this.#up = axis;
          this.#drawn?.stage.setUp(axis);
          this.#fit("corner");
        },
        { class: "dv-small" },
      ),
      choice<View | "">(
        "View along an axis",
        [
          { value: "", text: "View" },
          { value: "corner", text: "Corner" },
          { value: "front", text: "Front" },
          { value: "side", text: "Side" },
          { value: "top", text: "Top" },
        ],
        "",
        (view) => {
          if (view !== "") this.#fit(view);
        },
        { class: "dv-small" },
      ),
      button("Fit all into view", () => this.#fit(null), { icon: "fit", key: "0", class: "dv-small dv-quiet" }),
    );
  }

  #fit(view: View | null): void {
    this.#followed = null;
    if (this.#drawn !== null) this.#drawn.stage.fit(this.#drawn.extent, view);
    this.#draw();
  }

  #key(event: KeyboardEvent): void {
    const { stage } = this.#drawn ?? {};
    if (
      stage === undefined ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      (event.shiftKey && event.key.startsWith("Arrow"))
    )
      return;
    const turn = Math.PI / 24;
    const acts: Record<string, () => void> = {
      ArrowLeft: () => stage.orbit(-turn, 0),
      ArrowRight: () => stage.orbit(turn, 0),
      ArrowUp: () => stage.orbit(0, -turn),
      ArrowDown: () => stage.orbit(0, turn),
      "+": () => stage.orbit(0, 0, 1 / 1.15),
      "=": () => stage.orbit(0, 0, 1 / 1.15),
      "-": () => stage.orbit(0, 0, 1.15),
      "0": () => this.#fit(null),
    };
    const act = acts[event.key];
    if (act === undefined) return;
    act();
    event.preventDefault();
    this.#frame.ask();
  }

  #moved(moment: Moment): void {
    this.#noteImpulse(moment);
    this.#last = moment;
    this.#frame.ask();
  }

  /** A run that plays passes an impulse between two frames: it is kept in sight for a while. */
  #noteImpulse(moment: Moment): void {
    const span = this.cursor.run.to - this.cursor.run.from;
    if (moment.t <= this.#last.t || moment.t - this.#last.t > 0.1 * span) {
      if (compare(moment, this.#last) < 0) this.#flash = null;
      return;
    }
    const { transitions } = this.cursor.run;
    const first = this.cursor.takenBefore(this.#last);
    for (let k = this.cursor.takenBefore(moment) - 1; k >= first; k--) {
      const transition = transitions[k];
      if (transition !== undefined && isImpulse(transition) && transition.forces.some((force) => force.normal !== 0)) {
        this.#flash = { transition, until: performance.now() + FLASH };
        return;
      }
    }
  }

  #draw(): void {
    const drawn = this.#drawn;
    if (drawn === null || this.#host.clientWidth === 0) return;
    const { moment } = this.cursor;
    drawn.bodies.pose(moment);
    drawn.trails.group.visible = this.#paths;
    if (this.#paths) drawn.trails.show(moment);
    this.#push(drawn, moment);
    this.#track(drawn);
    drawn.stage.render();
    drawn.labels.visible = this.#names;
    const top = new Vector3();
    drawn.labels.place(drawn.stage.camera, this.#host.clientWidth, this.#host.clientHeight, (body) =>
      drawn.stage.world
        .localToWorld(drawn.bodies.centre(body, top))
        .addScaledVector(drawn.stage.camera.up, this.#reaches[body] ?? 0),
    );
    drawn.triad.show(drawn.stage);
  }

  /** Moves the camera along with the body that is followed. */
  #track(drawn: Drawn): void {
    if (this.#follow === null) return;
    const at = drawn.stage.world.localToWorld(drawn.bodies.centre(this.#follow, new Vector3()));
    const before = this.#followed ?? drawn.stage.controls.target.clone();
    this.#followed = at.clone();
    if (at.distanceToSquared(before) > 0) drawn.stage.shift(at.sub(before));
  }

  #push(drawn: Drawn, moment: Moment): void {
    const shown = transitionShown(this.cursor, moment);
    const sustained = shown === null || isImpulse(shown) ? this.#contacts.at(moment) : this.#contacts.of(shown);
    const flash = this.#flash !== null && performance.now() < this.#flash.until ? this.#flash : null;
    const impulse = shown !== null && isImpulse(shown) ? shown : (flash?.transition ?? null);
    const impulses = impulse === null ? [] : this.#contacts.of(impulse);
    const most = { impulse: this.#strongest.impulse, force: Math.max(this.#strongest.force, this.#contacts.most) };
    const forces = arrowsOf(sustained, most.force, longestArrow(drawn.extent));
    const hits = arrowsOf(impulses, most.impulse, longestArrow(drawn.extent));
    drawn.forces.show(forces);
    drawn.impulses.show(hits, shown !== null || flash === null ? 1 : Math.max(0.2, (flash.until - performance.now()) / FLASH));
    if (flash !== null && shown === null) this.#frame.ask();
    this.#canvas.dataset.forces = String(forces.length);
    this.#canvas.dataset.impulses = String(hits.length);
    this.#explain(sustained.length > 0 ? most.force : 0, impulses.length > 0 ? most.impulse : 0);
  }

  #explain(force: number, impulse: number): void {
    const key = `${force} ${impulse}`;
    if (this.#legend.dataset.key === key) return;
    this.#legend.dataset.key = key;
    const entry = (kind: "force" | "impulse", unit: string, most: number) =>
      most > 0 &&
      el(
        "span",
        { class: `dv-legend-${kind}` },
        el("i", { "aria-hidden": "true" }),
        `${kind}, longest ${short(most, 3)} ${unit}`,
      );
    this.#legend.replaceChildren(
      ...[entry("force", "N", force), entry("impulse", "N s", impulse)].filter((part) => part !== false),
    );
  }

  #recolour(): void {
    const drawn = this.#drawn;
    if (drawn === null) return;
    for (const part of [drawn.stage, drawn.bodies, drawn.forces, drawn.impulses]) part.recolour();
    drawn.trails.recolour(bodyColours(this.loaded.run.bodies));
    this.#draw();
  }

  #say(text: string): void {
    this.#canvas.hidden = true;
    this.#host.append(el("p", { class: "dv-empty", role: "status" }, text));
  }
}

function longestArrow(extent: Extent): number {
  const part = LONGEST * extent.size;
  return extent.reach > 0 ? Math.min(part, LONGEST_IN_RADII * extent.reach) : part;
}

/** Lengths are in proportion to the strongest of the run; weak ones stay long enough to be seen. */
function arrowsOf(pushes: readonly Push[], most: number, longest: number): Arrow[] {
  return pushes.flatMap(({ point, vector, on }) => {
    const strength = Math.hypot(...vector);
    if (!(strength > 0) || !(most > 0)) return [];
    const length = longest * Math.max(0.12, Math.min(1, strength / most));
    const along = new Vector3(...vector).multiplyScalar(length / strength);
    const at = new Vector3(...point);
    const arrows: Arrow[] = [];
    if (on.second) arrows.push({ point: at, vector: along });
    if (on.first) arrows.push({ point: at, vector: along.clone().negate() });
    return arrows;
  });
}
