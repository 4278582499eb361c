// The check view's arithmetic: scales there and back, parts of a range, tubes and runs as paths, thresholds in formulas.

import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./bundle.mjs";

const {
  toPixel, toValue, zoomed, moved, around, ticks, partsOf, barsOf, sizes, boundsOf, roomy, tubePath, stepsAt, runPaths, thresholds,
  solverSeries, most, percent, interval, count, cellAt,
} = await load(
  "check/scale.ts", "check/parts.ts", "check/tube_paths.ts", "check/solver_series.ts", "check/format.ts", "check/map.ts",
);

const whole = { lower: 1, upper: 3 };

test("pixels and values are there and back", () => {
  for (const view of [whole, { lower: -2e-9, upper: 5e-9 }, { lower: 1.5, upper: 1.5 + 1e-10 }]) {
    for (const share of [0, 0.25, 0.5, 1]) {
      const value = view.lower + share * (view.upper - view.lower);
      assert.ok(Math.abs(toValue(view, 640, toPixel(view, 640, value)) - value) <= 1e-12 * (view.upper - view.lower) + 4e-16 * Math.abs(value));
    }
  }
});

test("zooming keeps the point in its place, and never leaves the whole", () => {
  let view = whole;
  for (let k = 0; k < 40; k++) {
    const before = toPixel(view, 1000, 1.2345678);
    const next = zoomed(view, whole, 1.2345678, 0.5);
    assert.ok(next.lower >= whole.lower && next.upper <= whole.upper && next.upper > next.lower);
    if (next.upper - next.lower > 1e-9) assert.ok(Math.abs(toPixel(next, 1000, 1.2345678) - before) < 1e-3);
    view = next;
  }
  assert.ok(view.upper - view.lower < 1e-11, "a ten thousandth can be zoomed into, and much less");
  assert.deepEqual(zoomed(view, whole, 1.2, 1e30), whole);
  assert.deepEqual(moved({ lower: 1.5, upper: 2 }, whole, -9), { lower: 1, upper: 1.5 });
  assert.deepEqual(moved({ lower: 1.5, upper: 2 }, whole, 9), { lower: 2.5, upper: 3 });
  assert.deepEqual(around(1, 2.9, whole), whole);
  const close = around(1.5, 1.5001, whole);
  assert.ok(close.lower < 1.5 && close.upper > 1.5001 && close.upper - close.lower < 0.001);
});

test("ticks are round, in the view, and tell neighbours apart", () => {
  for (const view of [whole, { lower: 1.51234, upper: 1.51244 }, { lower: -3e-7, upper: 2e-7 }, { lower: 0, upper: 7e8 }, { lower: 1, upper: 1 + 1e-12 }]) {
    const found = ticks(view, 6);
    const room = 1e-6 * (view.upper - view.lower);
    assert.ok(found.length >= 2 && found.length <= 14, JSON.stringify(view));
    assert.ok(found.every(({ value }) => value >= view.lower - room && value <= view.upper + room));
    assert.equal(new Set(found.map(({ label }) => label)).size, found.length, JSON.stringify(found));
  }
  assert.deepEqual(ticks(whole, 4).map(({ label }) => label), ["1.0", "1.5", "2.0", "2.5", "3.0"]);
  assert.equal(ticks({ lower: 2, upper: 2 }, 4).length, 1);
});

const cells = [
  { sides: [[2, 3]], outcome: "safe", reason: "" },
  { sides: [[1, 1.5]], outcome: "unsafe", reason: "" },
  { sides: [[1.5, 1.5001]], outcome: "undecided", reason: "why" },
  { sides: [[1.5001, 2]], outcome: "safe", reason: "" },
];

test("neighbours with one outcome are one part", () => {
  const parts = partsOf(cells);
  assert.deepEqual(parts.map(({ lower, upper, outcome, boxes }) => [lower, upper, outcome, boxes]), [
    [1, 1.5, "unsafe", 1],
    [1.5, 1.5001, "undecided", 1],
    [1.5001, 3, "safe", 2],
  ]);
  assert.equal(parts[1].reason, "why");
  assert.deepEqual(partsOf([]), []);
});

test("a sliver that is undecided is wide enough to be seen, inside the band, and over the others", () => {
  for (const width of [300, 1200]) {
    const bars = barsOf(partsOf(cells), whole, width);
    const last = bars.at(-1);
    assert.equal(last.part.outcome, "undecided");
    assert.ok(last.width >= 3 && last.x >= 0 && last.x + last.width <= width);
  }
  const edge = barsOf(partsOf([{ sides: [[3, 3]], outcome: "undecided", reason: "" }]), whole, 100)[0];
  assert.ok(edge.x + edge.width <= 100.001 && edge.width >= 3);
  assert.equal(barsOf(partsOf(cells), { lower: 2, upper: 3 }, 100).length, 1, "what is not seen is not drawn");
});

test("sizes are widths, or areas", () => {
  const { safe, unsafe, undecided } = sizes(cells);
  assert.ok(Math.abs(safe.size - 1.4999) < 1e-12 && unsafe.size === 0.5 && Math.abs(undecided.size - 1e-4) < 1e-12);
  assert.equal(safe.boxes, 2);
  assert.equal(sizes([{ sides: [[0, 2], [1, 4]], outcome: "safe", reason: "" }]).safe.size, 6);
});

test("on a map the cell is found; unsafe over undecided over safe", () => {
  const box = (outcome) => ({ sides: [[0, 1], [0, 1]], outcome, reason: "" });
  assert.equal(cellAt([box("unsafe"), box("safe"), box("undecided")], 0.5, 0.5).outcome, "unsafe");
  assert.equal(cellAt([box("safe")], 0.5, 1.5), null);
});

const tube = {
  box: [],
  outcome: "safe",
  names: ["x", "v"],
  steps: [
    { from: 0, to: 1, place: "a", bounds: [[1, 2], [0, 0]] },
    { from: 1, to: 2, place: "b", bounds: [[-1, 4], [0, 0]] },
  ],
  run: null,
};

test("tubes become boxes, never too thin to be seen", () => {
  assert.deepEqual(boundsOf([tube], "x", { lower: 0, upper: 2 }), { lower: -1, upper: 4 });
  assert.deepEqual(boundsOf([tube], "x", { lower: 0, upper: 0.5 }), { lower: 1, upper: 2 });
  assert.equal(boundsOf([tube], "other", { lower: 0, upper: 2 }), null);
  const path = tubePath(tube, "x", { lower: 0, upper: 2 }, { lower: -1, upper: 4 }, { width: 200, height: 100 });
  assert.equal(path, "M0 40h100v20h-100zM100 0h100v100h-100z");
  const flat = tubePath(tube, "v", { lower: 0, upper: 2 }, { lower: -1, upper: 1 }, { width: 200, height: 100 });
  assert.match(flat, /v1\.2h/);
  assert.deepEqual(stepsAt(tube, 1).map((step) => step.place), ["a", "b"]);
  const { lower, upper } = roomy({ lower: 0, upper: 0 });
  assert.ok(lower < 0 && upper > 0);
});

test("a run is a line that jumps where it jumps, with gaps where it is absent", () => {
  const size = { width: 100, height: 100 };
  const [across, up] = [{ lower: 0, upper: 4 }, { lower: 0, upper: 4 }];
  const t = Float64Array.of(0, 1, 1, 2, 3, 4);
  const drawn = runPaths(t, Float64Array.of(0, 1, 3, 4, NaN, 2), across, up, size);
  assert.equal(drawn.line, "M0 100L25 75M25 25L50 0M100 50");
  assert.equal(drawn.jumps, "M25 75V25");
  assert.deepEqual(runPaths(new Float64Array(0), new Float64Array(0), across, up, size), { line: "", jumps: "" });
});

test("a long run is drawn with a few points for each pixel, and its peaks are kept", () => {
  const many = 400_000;
  const t = Float64Array.from({ length: many }, (_, k) => k / many);
  const values = Float64Array.from({ length: many }, (_, k) => (k === 123_456 ? 1 : 0));
  const { line } = runPaths(t, values, { lower: 0, upper: 1 }, { lower: 0, upper: 1 }, { width: 500, height: 100 });
  assert.ok(line.length < 40_000, `${line.length}`);
  assert.match(line, /L154\.\d+ 0L/);
});

test("what a formula compares a signal with", () => {
  assert.deepEqual(thresholds("always [0, 2] ball1.y > 0", "ball1.y"), [{ relation: ">", value: 0 }]);
  assert.deepEqual(thresholds("always (ball.x <= 0.8 and ball.y >= -1.5e-3)", "ball.y"), [{ relation: ">=", value: -0.0015 }]);
  assert.deepEqual(thresholds("always [0, 6] (-0.8 <= ball.x and ball.x <= 0.8)", "ball.x"), [{ relation: "<=", value: 0.8 }, { relation: ">=", value: -0.8 }]);
  assert.deepEqual(thresholds("always ball.y > 0", "y"), []);
  assert.deepEqual(thresholds("always 1 + 2 < y", "y"), [], "not a number alone, before it");
  assert.deepEqual(thresholds("always a.y > 0", "a.y"), [{ relation: ">", value: 0 }]);
  assert.deepEqual(thresholds("always 2 * y > 3", "y"), [], "not the signal alone");
  assert.deepEqual(thresholds("always y > 3 * z", "y"), [], "not a number alone");
  assert.deepEqual(thresholds("always y > h", "y"), []);
});

test("the solver's figures are rows over time", () => {
  const solver = { byTime: [{ calls: 2, iterations: 3, learnt: 0, clausesByLength: [{ length: 2, count: 5 }] }, { calls: 1, iterations: 1, learnt: 1, clausesByLength: [{ length: 10, count: 7 }] }] };
  assert.deepEqual(solverSeries(solver).map(({ title, values }) => [title, values]), [
    ["calls of Satisfy", [2, 1]],
    ["iterations", [3, 1]],
    ["clauses learnt", [0, 1]],
    ["clauses of length 2", [5, 0]],
    ["clauses of length 10", [0, 7]],
  ]);
  assert.deepEqual(solverSeries({ byTime: [] }), []);
  assert.equal(most([]), 1);
});

test("numbers in words", () => {
  assert.equal(percent(0.99999), "99.99 %");
  assert.equal(percent(1e-9), "less than 0.01 %");
  assert.equal(percent(1), "100 %");
  assert.equal(interval(0.1, 1 / 3), "[0.1, 0.3333333333333333]");
  assert.equal(count(1, "box", "boxes"), "1 box");
  assert.equal(count(12345, "box", "boxes"), "12\u202f345 boxes");
});
