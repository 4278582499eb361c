// The studio's parts that need no browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./bundle.mjs";

const { wordKind, at, fromSlider, progressText, Runner, ModelDocument, CallFailed, nameProblem } = await load(
  "studio/language.ts",
  "studio/settings.ts",
  "studio/runner.ts",
  "studio/document.ts",
  "studio/api.ts",
  "studio/dialogs.ts",
);

test("words mean what they mean in their language", () => {
  assert.equal(wordKind("bodies", "entity"), "keyword");
  assert.equal(wordKind("actors", "entity"), "variableName");
  assert.equal(wordKind("actors", "goto"), "keyword");
  assert.equal(wordKind("bodies", "always"), "operatorKeyword");
  assert.equal(wordKind("bodies", "ball"), "variableName");
});

test("a slider reaches its ends exactly and has no needless digits", () => {
  assert.equal(fromSlider(0, 0.1, 0.3), 0.1);
  assert.equal(fromSlider(1000, 0.1, 0.3), 0.3);
  assert.equal(fromSlider(500, 1, 3), 2);
  assert.equal(fromSlider(333, 0, 1), 0.333);
  for (const [low, high] of [[1, 3], [-1e-9, 1e-9], [1e9, 2e9], [-5, 100]]) {
    for (let place = 0; place <= 1000; place += 7) assert.equal(at(fromSlider(place, low, high), low, high), place);
  }
  assert.equal(at(Number.NaN, 0, 1), 0);
  assert.equal(at(1, 2, 2), 0);
});

test("progress is told in words", () => {
  const news = { id: 1, kind: "simulate", number: 2, state: "running", failure: null, hasPage: false, seconds: 3.5 };
  const run = progressText({ ...news, progress: { t: 0.5, horizon: 2, impacts: 1, transitions: 4 } });
  assert.deepEqual(run, { text: "t = 0.5000 of 2 s · 1 impacts · 4 transitions · 3 s", part: 0.25 });
  const check = progressText({ ...news, state: "cancelling", progress: { property: "kept", place: 1, properties: 2, decided: 0.5, boxes: 3, simulations: 9, best: null } });
  assert.deepEqual(check, { text: "Cancelling · kept: 50.0 % decided · 3 boxes · 9 simulations · 3 s", part: 0.75 });
  assert.deepEqual(progressText({ ...news, seconds: 0, progress: null }), { text: "", part: null });
});

test("names lead down from the folder", () => {
  for (const name of ["a.drbt", "b/c.dam"]) assert.equal(nameProblem(name), null);
  for (const name of ["", "a", "a.txt", "../a.drbt", "/a.drbt", "a//b.drbt", ".a.drbt", "a:b.drbt", "a\\b.dam", "a\u0000.dam"]) {
    assert.notEqual(nameProblem(name), null, name);
  }
});

/** A server that does what it is told to. */
function fake({ news }) {
  let last = 0;
  return {
    begun: [],
    cancelled: [],
    async begin(text, work) {
      this.begun.push(work);
      return { id: ++last };
    },
    news: async (id, after) => news(id, after),
    async cancel(id) {
      this.cancelled.push(id);
    },
    page: async (id) => ({ page: { id }, blobs: [] }),
  };
}

function listening() {
  const told = [];
  return {
    told,
    busy: () => {},
    progress: () => {},
    page: (answer) => told.push(answer.page.id),
    failed: (message) => told.push(message),
    cancelled: () => told.push("cancelled"),
  };
}

const text = { name: "a.drbt", example: false, text: "" };
const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

test("the newest job is the one that is shown", async () => {
  const waiting = [];
  const api = fake({ news: (id) => new Promise((resolve) => waiting.push(() => resolve({ id, number: 1, state: "done", hasPage: true, seconds: 0 }))) });
  const events = listening();
  const runner = new Runner(api, events);
  runner.start(text, { kind: "simulate" });
  await settled();
  runner.start(text, { kind: "simulate" });
  await settled();
  for (const go of waiting.reverse()) go();
  await settled();
  assert.deepEqual(events.told, [2]);
  assert.equal(runner.isBusy, false);
});

test("live runs wait for a quick one, and only the last of them runs", async () => {
  let go = () => {};
  const api = fake({ news: (id) => new Promise((resolve) => (go = () => resolve({ id, number: 1, state: "done", hasPage: true, seconds: 0 }))) });
  const events = listening();
  const runner = new Runner(api, events);
  const live = (until) => runner.startLive(() => ({ text, work: { kind: "simulate", until } }));
  [1, 2, 3].forEach(live);
  await settled();
  go();
  await settled();
  go();
  await settled();
  assert.deepEqual(api.begun.map((work) => work.until), [1, 3]);
  assert.deepEqual(events.told, [1, 2]);
});

test("a job is cancelled even before its number is known", async () => {
  const api = fake({ news: async (id) => ({ id, number: 1, state: "cancelled", hasPage: false, seconds: 0 }) });
  const events = listening();
  const runner = new Runner(api, events);
  runner.start(text, { kind: "simulate" });
  runner.cancel();
  await settled();
  assert.deepEqual(api.cancelled, [1]);
  assert.deepEqual(events.told, ["cancelled"]);
});

test("nobody waits for a job that does not end", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const api = fake({ news: () => new Promise(() => {}) });
  const events = listening();
  const runner = new Runner(api, events);
  runner.start(text, { kind: "check" });
  await new Promise((resolve) => setImmediate(resolve));
  runner.cancel();
  assert.equal(runner.isBusy, true);
  context.mock.timers.tick(5000);
  assert.equal(runner.isBusy, false);
  assert.deepEqual(events.told, ["cancelled"]);
  assert.deepEqual(api.cancelled, [1]);
});

test("lines end as they did in the file, and conflicts are told", async () => {
  const saved = [];
  const api = {
    open: async () => ({ text: "a\r\nb\r\n", version: "1" }),
    save: async (path, written, version) => {
      if (version !== "1") throw new CallFailed(409, "changed", { reason: "changed", version: "9" });
      saved.push(written);
      return { version: "2" };
    },
  };
  const { document, text: shown } = await ModelDocument.open(api, "a.drbt", false);
  assert.equal(shown, "a\nb\n");
  assert.equal(document.isChanged(shown), false);
  assert.equal(await document.save(api, "a\nc\n"), null);
  assert.deepEqual(saved, ["a\r\nc\r\n"]);
  assert.equal(document.isChanged("a\nc\n"), false);
  assert.deepEqual(await document.save(api, "a\n"), { reason: "changed", message: "changed", version: "9" });
});
