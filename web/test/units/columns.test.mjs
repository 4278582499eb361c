// Columns come back bit for bit; damaged ones are refused by name; values at a moment follow superdense time.

import assert from "node:assert/strict";
import test from "node:test";
import { deflateRawSync } from "node:zlib";
import { load } from "./bundle.mjs";
import { makeSource, packFloats, packWords } from "./pack.mjs";

const { LoadedRun, unpackFloats, unpackWords } = await load("columns.ts", "columns/unpack.ts");

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

const bits = (values) => Array.from(new BigUint64Array(Float64Array.from(values).buffer));
const f64 = (count) => ({ blob: 0, count, kind: "f64" });
const u32 = (count) => ({ blob: 0, count, kind: "u32" });

test("floats come back bit for bit", async () => {
  const next = random(1);
  const special = [0, -0, NaN, Infinity, -Infinity, 5e-324, -1.7976931348623157e308, 0.1, 1 / 3];
  for (const count of [0, 1, 2, 9, 1000, 70_001]) {
    const values = Float64Array.from({ length: count }, (_, k) =>
      next() < 0.1 ? special[k % special.length] : (next() - 0.5) * 10 ** (next() * 40 - 20),
    );
    const back = await unpackFloats(packFloats(values), f64(count), "x");
    assert.deepEqual(bits(back), bits(values));
  }
});

test("words come back, over slices of text and of words too", async () => {
  const next = random(2);
  const values = Uint32Array.from({ length: 600_000 }, () => Math.floor(next() * 2 ** 32));
  const text = packWords(values);
  assert.ok(text.length > 2 * (1 << 19));
  assert.deepEqual(await unpackWords(text, u32(values.length), "n"), values);
  assert.deepEqual(await unpackFloats(text, u32(values.length), "n"), Float64Array.from(values));
});

test("text around a blob may have blanks", async () => {
  assert.deepEqual(Array.from(await unpackFloats(`\n ${packFloats([1, 2])}\n`, f64(2), "x")), [1, 2]);
});

test("a damaged blob is an error that names the column", async () => {
  const good = packFloats(Float64Array.from({ length: 100 }, (_, k) => Math.sin(k)));
  const cases = [
    ["", 100],
    ["!!!!", 100],
    [good.slice(0, 400), 100],
    ["AAAA" + good, 100],
    [good, 99],
    [good, 101],
    [good, -1],
    [good, 1e15],
    [good, 1.5],
    [Buffer.from("not deflate at all, surely").toString("base64"), 100],
    [deflateRawSync(Buffer.alloc(50_000_000)).toString("base64"), 100],
  ];
  for (const [text, count] of cases) {
    await assert.rejects(unpackFloats(text, f64(count), "ball.y"), /^Error: column ball\.y: /, `${text.slice(0, 12)} ${count}`);
  }
  await assert.rejects(unpackWords(good, f64(100), "n"), /^Error: column n: /);
});

test("any changed byte is an error or other numbers, never a hang", async () => {
  const next = random(3);
  const good = Buffer.from(packFloats(Float64Array.from({ length: 300 }, () => next())), "base64");
  for (let k = 0; k < 200; k++) {
    const bad = Buffer.from(good);
    bad[Math.floor(next() * bad.length)] ^= 1 + Math.floor(next() * 255);
    await unpackFloats(bad.toString("base64"), f64(300), "x").then(
      (values) => assert.equal(values.length, 300),
      (error) => assert.match(String(error), /column x: /),
    );
  }
});

const made = () =>
  makeSource({
    t: [0, 1, 2, 2, 2, 4, 5],
    n: [0, 0, 0, 1, 3, 0, 0],
    signals: [
      { name: "x", values: [0, 10, 20, -5, 7, 9, NaN] },
      { name: "y", values: [0, NaN, 1, NaN, 3, 3, 4] },
    ],
    contacts: [{ label: "ab", point: [0, 1, 2].map((k) => Array(7).fill(k)), force: [3, 4, 5].map((k) => Array(7).fill(k)) }],
  });

test("the last sample at or before a moment", async () => {
  const source = made();
  const loaded = new LoadedRun(source, source.page.runs[0]);
  assert.equal(loaded.indexAt({ t: 1, n: 0 }), -1);
  await loaded.ready;
  for (const [t, n, index] of [
    [-1, 0, -1], [-1, 9, -1], [0, 0, 0], [0.5, 0, 0], [0.5, 9, 0], [1, 5, 1], [2, 0, 2], [2, 1, 3], [2, 2, 3], [2, 3, 4], [2, 9, 4],
    [3, 0, 4], [4, 0, 5], [5, 0, 6], [9, 0, 6],
  ]) assert.equal(loaded.indexAt({ t, n }), index, `(${t}, ${n})`);
});

test("the value at a moment", async () => {
  const source = made();
  const loaded = new LoadedRun(source, source.page.runs[0]);
  await loaded.ready;
  assert.ok(loaded.has("x") && !loaded.has("z"));
  assert.equal(loaded.cached("x"), null);
  assert.ok(Number.isNaN(loaded.valueAt("x", { t: 1, n: 0 })), "not unpacked yet");
  const x = await loaded.column("x");
  assert.equal(loaded.cached("x"), x);
  assert.equal(await loaded.column("x"), x);
  await loaded.column("y");
  for (const [name, t, n, value] of [
    ["x", 0, 0, 0], ["x", 0.5, 0, 5], ["x", 0.5, 7, 5], ["x", 1, 4, 10], ["x", 1.5, 0, 15], ["x", 2, 0, 20], ["x", 2, 1, -5], ["x", 2, 2, -5],
    ["x", 2, 3, 7], ["x", 2, 8, 7], ["x", 3, 0, 8], ["x", 4, 0, 9], ["x", 4.5, 0, NaN], ["x", 5, 0, NaN], ["x", 6, 0, NaN], ["x", -1, 0, NaN],
    ["y", 0, 0, 0], ["y", 0.5, 0, NaN], ["y", 1, 0, NaN], ["y", 1.5, 0, NaN], ["y", 2, 0, 1], ["y", 2, 2, NaN], ["y", 2, 3, 3], ["y", 3, 0, 3],
    ["y", 5, 0, 4], ["y", 5.1, 0, NaN], ["z", 0, 0, NaN],
  ]) assert.ok(Object.is(loaded.valueAt(name, { t, n }), value), `${name}(${t}, ${n}) is ${loaded.valueAt(name, { t, n })}, not ${value}`);
});

test("tracks of contacts; what there is not is an error", async () => {
  const source = made();
  const loaded = new LoadedRun(source, source.page.runs[0]);
  const { point, force } = await loaded.track(0);
  assert.deepEqual([...point, ...force].map((column) => column[6]), [0, 1, 2, 3, 4, 5]);
  assert.equal(loaded.track(0), loaded.track(0));
  await assert.rejects(loaded.column("z"), /no signal z/);
  await assert.rejects(loaded.track(1), /no contact 1/);
});

test("one damaged column leaves the others whole", async () => {
  const source = made();
  source.blobs[2] = "AAAA";
  const loaded = new LoadedRun(source, source.page.runs[0]);
  await loaded.ready;
  await assert.rejects(loaded.column("x"), /column x: /);
  assert.equal((await loaded.column("y"))[6], 4);
  source.page.runs[0].n.count = 3;
  await assert.rejects(new LoadedRun(source, source.page.runs[0]).ready, /column n: 3 values instead of 7/);
});
