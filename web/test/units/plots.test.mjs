// The plots' arithmetic: the pyramid against a brute force, what is drawn against the samples, axes there and back.

import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./bundle.mjs";

const plots = await load(
  "plots/pyramid.ts", "plots/instants.ts", "plots/axis.ts", "plots/geometry.ts", "plots/ticks.ts", "plots/window.ts", "plots/groups.ts", "plots/probe.ts",
);
const { Pyramid, Instants, TimeAxis, spreadAxis, slot, draw, strokes, range, ticks, Window, defaultPanels, bySize, probeAt, readings } = plots;

/** Numbers that repeat: mulberry32. */
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), 1 | state);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296;
  };
}

/** A run with instants of several microsteps, absent stretches and infinite values, as asked for. */
function made(seed, count, { instants = 0.05, absent = 0.1, infinite = 0 } = {}) {
  const next = random(seed);
  const t = new Float64Array(count);
  const n = new Uint32Array(count);
  const values = new Float64Array(count);
  let [time, micro, blank] = [0, 0, false];
  for (let k = 0; k < count; k++) {
    if (k > 0 && (next() < instants || (micro > 0 && next() < 0.5))) micro += 1 + Math.floor(3 * next());
    else if (k > 0) [time, micro] = [time + 0.001 + next(), 0];
    if (next() < 0.05) blank = next() < absent;
    t[k] = time;
    n[k] = micro;
    values[k] = blank ? NaN : next() < infinite ? Infinity : Math.sin(k / 50) + 0.2 * next();
  }
  return { t, n, values };
}

const series = (run) => ({ ...run, pyramid: new Pyramid(run.t, run.values) });
const identity = (value) => -100 * value;

test("least and largest of any stretch, as by looking at each", () => {
  const next = random(7);
  for (const count of [0, 1, 15, 16, 17, 1000, 4097]) {
    const run = made(count + 1, count, { infinite: 0.02 });
    const pyramid = new Pyramid(run.t, run.values);
    for (let k = 0; k < 400; k++) {
      const [a, b] = [Math.floor(next() * (count + 1)), Math.floor(next() * (count + 1))].sort((x, y) => x - y);
      const stretch = Array.from(run.values.subarray(a, b));
      const finite = stretch.filter(Number.isFinite);
      assert.deepEqual(pyramid.extent(a, b), { min: Math.min(...finite), max: Math.max(...finite), blank: finite.length < stretch.length });
    }
  }
});

test("jumps are the instants with different values", () => {
  for (let seed = 0; seed < 20; seed++) {
    const { t, values } = made(seed, 500);
    const expected = [];
    for (const time of new Set(t)) {
      const there = Array.from(values).filter((value, k) => t[k] === time && Number.isFinite(value));
      if (new Set(there).size > 1) expected.push(t.indexOf(time));
    }
    assert.deepEqual(Array.from(new Pyramid(t, values).jumps), expected);
  }
});

test("a signal that is there at instants only", () => {
  const t = Float64Array.of(0, 1, 1, 2, 3);
  assert.equal(new Pyramid(t, Float64Array.of(NaN, 4, 5, NaN, 6)).lasting, false);
  assert.equal(new Pyramid(t, Float64Array.of(NaN, NaN, 5, 6, NaN)).lasting, true);
});

test("instants: all with several samples, and the nearest", () => {
  const t = Float64Array.of(0, 0, 1, 2, 2, 2, 3, 5, 5);
  const instants = new Instants(t);
  assert.deepEqual(Array.from(instants.starts), [0, 3, 7]);
  assert.deepEqual(instants.group(4), [3, 6]);
  assert.deepEqual(instants.group(6), [6, 7]);
  assert.deepEqual(instants.within(0.5, 5), [1, 3]);
  assert.deepEqual(instants.within(2.5, 3), [2, 2]);
  assert.deepEqual([-1, 0.9, 1.1, 3.4, 3.6, 9].map((time) => instants.nearest(time)), [0, 0, 3, 3, 7, 7]);
  assert.equal(new Instants(Float64Array.of(1, 2)).nearest(1), -1);
});

/** Polylines of a drawing as lists of [x, y]. */
function polylines({ lines }) {
  const all = [[]];
  for (let k = 0; k < lines.length; k += 2) {
    if (Number.isNaN(lines[k])) all.push([]);
    else all[all.length - 1].push([lines[k], lines[k + 1]]);
  }
  return all.filter((line) => line.length > 0);
}

test("drawn exactly: each stroke of a line joins two samples that follow each other in time", () => {
  for (let seed = 0; seed < 30; seed++) {
    const run = series(made(seed, 300));
    const axis = new TimeAxis(run.t[0], run.t[299], 800);
    // So large that every jump is seen.
    const y = (value) => -1e6 * value;
    const drawing = draw(run, axis, y);
    assert.ok(drawing.exact);
    const wanted = new Set();
    const distance = (k) => [axis.x(run.t[k]), y(run.values[k])];
    for (let k = 1; k < 300; k++) {
      if (run.t[k] > run.t[k - 1] && Number.isFinite(run.values[k - 1]) && Number.isFinite(run.values[k])) {
        wanted.add(JSON.stringify([distance(k - 1), distance(k)].flat().map((x) => x.toFixed(6))));
      }
    }
    const found = new Set();
    for (const line of polylines(drawing)) {
      line.slice(1).forEach((to, k) => {
        const from = line[k];
        if (from[0] === to[0]) assert.ok(Math.abs(from[1] - to[1]) < 0.75, "upright strokes are jumps, and dotted");
        else found.add(JSON.stringify([from, to].flat().map((x) => x.toFixed(6))));
      });
    }
    assert.deepEqual(found, wanted);
    assert.deepEqual(drawing.jumps, run.pyramid.jumps.length);
    for (let k = 0; k < drawing.dotted.length; k += 4) assert.equal(drawing.dotted[k], drawing.dotted[k + 2], "jumps are upright");
  }
});

test("every value of a jump is a dot; over an absent microstep nothing is joined", () => {
  const run = series({
    t: Float64Array.of(0, 1, 1, 1, 1, 2),
    n: Uint32Array.of(0, 0, 1, 2, 3, 0),
    values: Float64Array.of(0, 1, 5, NaN, 3, 4),
  });
  const drawing = draw(run, new TimeAxis(0, 2, 100), identity);
  assert.deepEqual(drawing.dots, [50, -100, 50, -500, 50, -300]);
  assert.deepEqual(drawing.dotted, [50, -100, 50, -500]);
  assert.deepEqual(polylines(drawing), [[[0, -0], [50, -100]], [[50, -300], [100, -400]]]);
  assert.equal(drawing.jumps, 1);
});

test("lines that lead over the window's ends are cut there", () => {
  const run = series({ t: Float64Array.of(0, 10), n: Uint32Array.of(0, 0), values: Float64Array.of(0, 1) });
  assert.deepEqual(polylines(draw(run, new TimeAxis(4, 6, 100), identity)), [[[0, -40], [100, -60]]]);
  assert.deepEqual(range(run, 4, 6), [0.4, 0.6]);
  assert.equal(range(run, 11, 12), null);
});

test("values at instants only are stems, lone ones dots", () => {
  const t = Float64Array.of(0, 1, 2, 3, 4);
  const n = new Uint32Array(5);
  const stems = draw(series({ t, n, values: Float64Array.of(NaN, 2, NaN, 3, NaN) }), new TimeAxis(0, 4, 400), identity);
  assert.deepEqual([stems.stems, stems.lines, stems.dots], [[100, -200, 300, -300], [], []]);
  const lone = draw(series({ t, n, values: Float64Array.of(1, 1, NaN, 3, NaN) }), new TimeAxis(0, 4, 400), identity);
  assert.deepEqual([lone.stems, lone.dots], [[], [300, -300]]);
});

test("drawn in short: bounded by the width, and nothing of the signal is left out or made up", () => {
  for (const [seed, options] of [[1, { instants: 0.0005, absent: 0.3 }], [2, { instants: 0.3 }], [3, { absent: 0.9 }], [4, { instants: 0, absent: 0 }]]) {
    const count = 60_000;
    const run = series(made(seed, count, options));
    for (const [a, b] of [[0, count - 1], [1000, 30_000], [17, 5000]]) {
      const width = 500;
      const axis = new TimeAxis(run.t[a], run.t[b], width);
      const drawing = draw(run, axis, identity);
      assert.ok(!drawing.exact);
      assert.ok(strokes(drawing) <= 8 * width, `${strokes(drawing)} strokes`);
      // What is drawn in each column of pixels has the least and the largest value of its samples.
      const drawn = Array.from({ length: width }, () => [Infinity, -Infinity]);
      const mark = (x, y) => {
        const column = drawn[Math.min(width - 1, Math.floor(x))];
        column[0] = Math.min(column[0], y);
        column[1] = Math.max(column[1], y);
      };
      const inner = (x) => x > 0 && x < width;
      for (const line of polylines(drawing)) for (const [x, y] of line) if (inner(x)) mark(x, y);
      for (let k = 0; k < drawing.spans.length; k += 3) [1, 2].forEach((which) => mark(drawing.spans[k], drawing.spans[k + which]));
      for (let k = 0; k < drawing.dots.length; k += 2) mark(drawing.dots[k], drawing.dots[k + 1]);
      const wanted = Array.from({ length: width }, () => [Infinity, -Infinity]);
      for (let k = 0; k < count; k++) {
        if (run.t[k] < axis.from || run.t[k] > axis.to || !Number.isFinite(run.values[k])) continue;
        const column = wanted[Math.min(width - 1, Math.floor((run.t[k] - axis.from) * axis.scale))];
        column[0] = Math.min(column[0], identity(run.values[k]));
        column[1] = Math.max(column[1], identity(run.values[k]));
      }
      // A sample on the border of two columns may be in either: rounding.
      const differ = drawn.filter((column, k) => column[0] !== wanted[k][0] || column[1] !== wanted[k][1]).length;
      assert.ok(differ <= 2, `${differ} columns differ`);
      // Lines that are not upright lead from one column to a later one only.
      for (const line of polylines(drawing)) line.slice(1).forEach(([x], k) => assert.ok(x >= line[k][0]));
    }
  }
});

test("a few jumps in a long run are still drawn as jumps", () => {
  const count = 100_001;
  const t = Float64Array.from({ length: count }, (_, k) => (k <= 50_000 ? k : k - 1));
  const n = Uint32Array.from({ length: count }, (_, k) => (k === 50_001 ? 1 : 0));
  const values = Float64Array.from({ length: count }, (_, k) => (k <= 50_000 ? 1 : 2));
  const drawing = draw(series({ t, n, values }), new TimeAxis(0, 99_999, 400), identity);
  assert.equal(drawing.jumps, 1);
  assert.deepEqual(drawing.dots.filter((_, k) => k % 2 === 1), [-100, -200]);
  assert.equal(drawing.dotted.length, 4);
  assert.deepEqual(drawing.spans, []);
});

test("the axis leads there and back, microsteps too", () => {
  const t = Float64Array.of(0, 1, 1, 1, 2, 3, 3, 4);
  const n = Uint32Array.of(0, 0, 1, 5, 0, 0, 2, 0);
  const axis = spreadAxis(0, 4, 1000, t, n, new Instants(t));
  assert.equal(axis.bands.length, 2);
  for (const time of [0, 0.3, 0.999, 1.5, 2.2, 3.7, 4]) {
    const back = axis.at(axis.x(time));
    assert.ok(Math.abs(back.t - time) < 1e-12 && (back.n === null || time === 1 || time === 3));
  }
  for (const n of [0, 1, 2, 3, 4, 5]) assert.deepEqual(axis.at(axis.xOf({ t: 1, n })), { t: 1, n });
  assert.equal(axis.x(4), 1000);
  const pieces = axis.pieces();
  assert.equal(pieces.length, 3);
  pieces.slice(1).forEach((piece, k) => assert.ok(piece.left > pieces[k].right));
  assert.equal(spreadAxis(0, 4, 40, t, n, new Instants(t)), null, "no room");
  assert.equal(spreadAxis(1.5, 2.5, 1000, t, n, new Instants(t)), null, "nothing to spread");
});

test("spread, each microstep is a dot of its own place", () => {
  const run = series({ t: Float64Array.of(0, 1, 1, 1, 2), n: Uint32Array.of(0, 0, 1, 3, 0), values: Float64Array.of(0, 1, 5, 2, 4) });
  const axis = spreadAxis(0, 2, 600, run.t, run.n, new Instants(run.t));
  const drawing = draw(run, axis, identity);
  const [band] = axis.bands;
  assert.deepEqual(drawing.dots, [slot(band, 0), -100, slot(band, 1), -500, slot(band, 3), -200]);
  assert.equal(drawing.jumps, 1);
  assert.deepEqual(polylines(drawing), [[[0, -0], [band.left, -100]], [[band.right, -200], [600, -400]]]);
  for (let k = 0; k < drawing.dotted.length; k += 4) {
    const [x0, y0, x1, y1] = drawing.dotted.slice(k, k + 4);
    assert.ok(x0 === x1 || y0 === y1, "stairs, no slopes");
  }
});

test("a hundred thousand microsteps at one instant are bounded too", () => {
  const count = 100_000;
  const run = series({
    t: Float64Array.from({ length: count + 2 }, (_, k) => (k === 0 ? 0 : k <= count ? 1 : 2)),
    n: Uint32Array.from({ length: count + 2 }, (_, k) => (k === 0 || k > count ? 0 : k - 1)),
    values: Float64Array.from({ length: count + 2 }, (_, k) => Math.sin(k)),
  });
  assert.ok(strokes(draw(run, new TimeAxis(0, 2, 500), identity)) < 100);
  const spread = draw(run, spreadAxis(0, 2, 500, run.t, run.n, new Instants(run.t)), identity);
  assert.ok(strokes(spread) < 4 * 500);
});

test("marks are nice numbers in the window, told with few digits", () => {
  assert.deepEqual(ticks(0, 2, 5), { values: [0, 0.5, 1, 1.5, 2], labels: ["0.0", "0.5", "1.0", "1.5", "2.0"], note: "" });
  assert.deepEqual(ticks(-0.3, 0.1, 4).labels, ["−0.3", "−0.2", "−0.1", "0.0", "0.1"]);
  const next = random(11);
  for (let k = 0; k < 2000; k++) {
    const centre = (next() - 0.5) * 10 ** (next() * 24 - 12);
    const span = 10 ** (next() * 30 - 15);
    const [low, high] = [centre - span, centre + span];
    const { values, labels, note } = ticks(low, high, 6);
    assert.equal(values.length, labels.length);
    assert.ok(values.length <= 9);
    if (span > 1e-12 * Math.abs(centre)) {
      for (const value of values) assert.ok(value >= low - 1e-3 * span && value <= high + 1e-3 * span);
      assert.equal(new Set(labels).size, labels.length, `${low} ${high}: ${labels} ${note}`);
    }
    for (const label of labels) assert.ok(label.length <= 9, `${label} of ${low} to ${high}`);
  }
  assert.deepEqual(ticks(1, 1, 5).values, []);
  assert.deepEqual(ticks(-Infinity, 1, 5).values, []);
});

test("offset and steps give the mark", () => {
  const { values, labels, note } = ticks(0.5810896717, 0.5810896719, 4);
  const [, offset, power] = /^([\d.]+) \+ … ×10⁻(.+)$/.exec(note);
  const exponent = -Number(Array.from(power, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(digit)).join(""));
  values.forEach((value, k) => assert.ok(Math.abs(Number(offset) + Number(labels[k]) * 10 ** exponent - value) < 1e-15));
});

test("a window stays in its run and keeps the time under the pointer", () => {
  const window = new Window(0, 10);
  assert.ok(window.whole && !window.zoom(2, 5));
  assert.ok(window.zoom(0.5, 2));
  assert.deepEqual([window.from, window.to], [1, 6]);
  assert.ok(window.pan(100));
  assert.deepEqual([window.from, window.to], [5, 10]);
  for (let k = 0; k < 200; k++) window.zoom(0.5, 7.3);
  assert.ok(window.from < window.to && window.from <= 7.3 && 7.3 <= window.to);
  assert.ok(window.span > 0 && window.span < 1e-10);
  assert.ok(window.reset() && window.whole);
  const point = new Window(3, 3);
  assert.ok(point.span > 0);
});

test("what is read at a place is a sample's value if one is near", () => {
  const t = Float64Array.of(0, 1, 1, 1, 2);
  const n = Uint32Array.of(0, 0, 1, 4, 0);
  const values = Float64Array.of(0.1, 1, 1, 7, 0.3);
  const loaded = { t, n, length: 5, indexAt: ({ t: time }) => t.filter((at) => at <= time).length - 1 };
  const axis = new TimeAxis(0, 2, 1000);
  const instants = new Instants(t);
  const at = (x) => probeAt(x, axis, loaded, instants);
  assert.deepEqual(readings(at(503), loaded, values), [{ first: 0, last: 1, value: 1 }, { first: 4, last: 4, value: 7 }]);
  assert.deepEqual(readings(at(997), loaded, values), [{ first: 0, last: 0, value: 0.3 }]);
  assert.deepEqual([at(250).exact, readings(at(250), loaded, values)[0].value], [false, 0.1 + 0.9 * 0.5]);
});

test("panels to begin with: by kind and unit, not too many in one", () => {
  const signal = (name, kind, unit, shown = true) => ({ name, kind, unit, shown });
  assert.deepEqual(
    defaultPanels([signal("a", "state", "m"), signal("b", "state", "m/s"), signal("c", "state", "m"), signal("d", "gap", "m"), signal("e", "state", "m", false)]),
    [["a", "c"], ["b"], ["d"]],
  );
  assert.deepEqual(defaultPanels(Array.from({ length: 8 }, (_, k) => signal(`s${k}`, "state", "m"))).map((panel) => panel.length), [6, 2]);
});

test("sizes that would hide each other are parted", () => {
  const signals = [["T", 20], ["power", 0.02], ["zero", 0], ["display", 21], ["flow", 0.1]].map(([name, size]) => ({ name, size }));
  assert.deepEqual(bySize(signals), [["T", "zero", "display"], ["power", "flow"]]);
  assert.deepEqual(bySize([]), []);
});
