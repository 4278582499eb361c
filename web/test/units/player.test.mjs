// Playing, stepping, instants and their marks, modes over time, names and numbers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./bundle.mjs";

globalThis.requestAnimationFrame = () => 1;
globalThis.cancelAnimationFrame = () => undefined;

const {
  Cursor,
  Player,
  instantsOf,
  clusters,
  ticks,
  lastInstant,
  stretchesOf,
  merge,
  stepsOf,
  isImpulse,
  strongest,
  plain,
  short,
  full,
} = await load(
  "cursor.ts",
  "timeline/player.ts",
  "timeline/instants.ts",
  "timeline/modes.ts",
  "timeline/microsteps.ts",
  "scene/forces.ts",
  "shell/names.ts",
  "shell/numbers.ts",
);

const move = (t, n, from, to, more = {}) => ({
  t,
  n,
  kind: "compute",
  machine: 0,
  from,
  to,
  rule: "",
  contacts: [],
  guard: "",
  reset: "",
  forces: [],
  changes: [],
  ...more,
});

/** An impact of four microsteps at 0.5, and a contact that opens at 1.5. */
const run = (
  transitions = [
    move(0.5, 0, "S_0", "I_1,en", { kind: "impact" }),
    move(0.5, 1, "I_1,en", "I_1,1"),
    move(0.5, 2, "I_1,1", "I_1,ex"),
    move(0.5, 3, "I_1,ex", "S_0", { kind: "after_impact" }),
    move(1.5, 0, "s_1,1", "S_0", { kind: "open" }),
  ],
) => ({ from: 0, to: 2, transitions, machines: [{ name: "", initial: "S_0", moves: [] }] });

const player = (more) => {
  const made = new Player(new Cursor(run(more)));
  made.speed = 1;
  return made;
};

test("playing goes on by the time that passes, and ends at the end", () => {
  const it = player();
  it.play();
  it.advance(250);
  assert.equal(it.cursor.moment.t, 0.25);
  for (let k = 0; k < 20; k++) it.advance(100);
  assert.deepEqual(it.cursor.moment, { t: 2, n: 0 });
  assert.equal(it.playing, false);
});

test("a loop starts again", () => {
  const it = player();
  it.loop = true;
  it.play();
  it.cursor.setTime(1.95);
  it.advance(100);
  assert.deepEqual(it.cursor.moment, { t: 0, n: 0 });
  assert.equal(it.playing, true);
});

test("it stops at events, and goes on behind them", () => {
  const it = player();
  it.atEvents = "stop";
  it.play();
  it.cursor.setTime(0.45);
  it.advance(100);
  assert.deepEqual(it.cursor.moment, { t: 0.5, n: 0 });
  assert.equal(it.playing, false);
  it.play();
  assert.deepEqual(it.cursor.moment, { t: 0.5, n: 4 });
  it.advance(100);
  assert.equal(it.cursor.moment.t, 0.6);
});

test("it goes slowly through an instant, every microstep once", () => {
  const it = player();
  it.atEvents = "slow";
  it.cursor.setTime(0.45);
  it.play();
  const seen = [];
  it.cursor.subscribe((moment) => seen.push([moment.t, moment.n]));
  for (let k = 0; k < 60 && it.cursor.moment.t < 0.55; k++) it.advance(100);
  assert.deepEqual(seen.slice(0, 5), [
    [0.5, 0],
    [0.5, 1],
    [0.5, 2],
    [0.5, 3],
    [0.5, 4],
  ]);
  assert.ok(seen[5][0] > 0.5);
});

test("stepping from instant to instant, both ways, to the ends", () => {
  const it = player();
  const at = () => [it.cursor.moment.t, it.cursor.moment.n];
  it.instant(1);
  assert.deepEqual(at(), [0.5, 0]);
  it.step(1);
  it.step(1);
  assert.deepEqual(at(), [0.5, 2]);
  it.instant(-1);
  assert.deepEqual(at(), [0.5, 0]);
  it.instant(1);
  assert.deepEqual(at(), [1.5, 0]);
  it.instant(1);
  assert.deepEqual(at(), [2, 0]);
  it.instant(-1);
  it.instant(-1);
  it.instant(-1);
  assert.deepEqual(at(), [0, 0]);
});

test("a run of a month has a speed at which it can be watched", () => {
  const long = new Player(new Cursor({ from: 0, to: 2.6e6, transitions: [], machines: [] }));
  assert.ok(2.6e6 / long.speed < 60, String(long.speed));
  assert.ok(long.speeds.includes(long.speed));
});

test("instants are transitions of one time, told by the most important", () => {
  const instants = instantsOf(run().transitions);
  assert.deepEqual(instants, [
    { t: 0.5, first: 0, count: 4, family: "impact" },
    { t: 1.5, first: 4, count: 1, family: "open" },
  ]);
  assert.deepEqual(
    [0.4, 0.5, 1, 1.5, 9].map((t) => lastInstant(instants, t)),
    [-1, 0, 0, 1, 1],
  );
});

test("marks that would cover each other are one, and none is lost", () => {
  const instants = instantsOf(Array.from({ length: 5000 }, (_, k) => move(k / 5000, 0, "a", "b", { kind: "mode" })));
  const made = clusters(instants, (t) => 300 * t, 9);
  assert.ok(made.length <= 300 / 9 + 1);
  assert.equal(
    made.reduce((sum, cluster) => sum + cluster.count, 0),
    5000,
  );
  const apart = clusters(instants.slice(0, 2), (t) => 1e6 * t, 9);
  assert.deepEqual(
    apart.map((cluster) => cluster.count),
    [1, 1],
  );
});

test("ticks lie within the axis at round numbers", () => {
  assert.deepEqual(
    ticks(0, 2, 10).map((t) => Number(t.toFixed(9))),
    [0, 0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.6, 1.8, 2],
  );
  assert.deepEqual(ticks(3, 3, 10), [3]);
  assert.ok(ticks(0, 1e-9, 5).length >= 3);
});

test("modes over time: what lasts no time is left out, what is not active is blank", () => {
  const machine = {
    name: "m",
    initial: null,
    moves: [
      { t: 1, n: 0, place: "m.a" },
      { t: 1, n: 1, place: "m.b" },
      { t: 2, n: 0, place: null },
      { t: 3, n: 0, place: "m.b" },
    ],
  };
  assert.deepEqual(
    stretchesOf({ from: 0, to: 4, machines: [machine] }, 0).map(({ from, to, place }) => [from, to, place]),
    [
      [0, 1, null],
      [1, 2, "m.b"],
      [2, 3, null],
      [3, 4, "m.b"],
    ],
  );
});

test("stretches below a pixel are merged, wide ones stay", () => {
  const narrow = Array.from({ length: 1000 }, (_, k) => ({
    from: k / 1000,
    to: (k + 1) / 1000,
    place: k % 2 ? "a" : "b",
    merged: 1,
  }));
  const made = merge([...narrow, { from: 1, to: 5, place: "a", merged: 1 }], 0.01);
  assert.equal(made.length, 2);
  assert.equal(made[0].merged, 1000);
  assert.deepEqual(made[1], { from: 1, to: 5, place: "a", merged: 1 });
});

test("machines that move in the same microstep are one step", () => {
  const steps = stepsOf([move(1, 1, "a", "b"), move(1, 1, "c", "d"), move(1, 2, "b", "a")]);
  assert.deepEqual(
    steps.map((step) => [step.n, step.transitions.length]),
    [
      [1, 2],
      [2, 1],
    ],
  );
});

test("impulses belong to impact nodes, by either way of naming them", () => {
  assert.equal(isImpulse(move(0, 0, "I_6,2", "I_6,3")), true);
  assert.equal(isImpulse(move(0, 0, "I{a-b,b-c},2", "I{a-b,b-c},3")), true);
  assert.equal(isImpulse(move(0, 0, "C_6,2", "C_6,3")), false);
  const force = (vector) => [{ contact: "a-b", normal: 0, tangential: [0, 0], point: [0, 0, 0], vector }];
  assert.deepEqual(
    strongest(
      run([
        move(0, 0, "I_1,1", "I_1,2", { forces: force([3, 4, 0]) }),
        move(0, 1, "C_1,1", "C_1,2", { forces: force([0, 0, 2]) }),
      ]),
    ),
    { impulse: 5, force: 2 },
  );
});

test("characters that would hide or reorder are written out", () => {
  assert.equal(plain("a\u202eb"), "a\\u202eb");
  assert.equal(plain("\u0000\n\u2066\ufeff"), "\\u0000\\u000a\\u2066\\ufeff");
  assert.equal(plain("\u{e0041}\ud800"), "\\ue0041\\ud800");
  assert.equal(plain("Größe λ_N 球 👩‍🚀".replace("\u200d", "")), "Größe λ_N 球 👩🚀");
});

test("numbers: six digits for people, all of them on demand", () => {
  assert.equal(short(0.5810896717826186), "0.58109");
  assert.equal(short(-1.5e-7), "−1.5e−7");
  assert.equal(short(123456789), "1.23457e8");
  assert.equal(short(0), "0");
  assert.equal(short(NaN), "absent");
  assert.equal(short(-Infinity), "−∞");
  assert.equal(short(100000), "100000");
  assert.equal(Number(full(0.1 + 0.2)), 0.1 + 0.2);
});
