// The plots in Chromium: a page of a million samples opens, is zoomed and scrubbed with bounded work and read exactly;
// jumps are jumps; keys, picker, files, names.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { makeSource } from "../units/pack.mjs";
import { writePlotPage } from "./plots_page.mjs";
import { coloursOf, keep, launch, open, scratch, viewPage } from "./support.mjs";

let browser;
let folder;
let remove;

before(async () => {
  [browser, { folder, remove }] = await Promise.all([launch(), scratch()]);
});

after(async () => {
  await browser?.close();
  await remove?.();
});

/** Opens a page of plots only; `errors` has what the console and the network heard. */
async function openPlots(name, source, options = {}) {
  const file = path.join(folder, `${name}.html`);
  await writePlotPage(file, source);
  const context = await browser.newContext({ viewport: { width: 900, height: 640 }, ...options });
  const page = await context.newPage();
  const errors = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("request", (request) => /^(file|blob|data):/.test(request.url()) || errors.push(request.url()));
  const start = performance.now();
  await page.goto(pathToFileURL(file).href);
  await drawn(page);
  return { page, errors, opened: performance.now() - start, close: () => context.close() };
}

/** All panels have what they show, and the picture is of now. */
async function drawn(page) {
  await page.waitForFunction(() => {
    const panels = [...document.querySelectorAll(".pl-panel")];
    return panels.length > 0 && panels.every((panel) => ["exact", "reduced"].includes(panel.dataset.drawn));
  });
  await settle(page);
}

const settle = (page) => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
const windowOf = (page) => page.locator(".pl").evaluate(({ dataset }) => [Number(dataset.from), Number(dataset.to)]);
const panelData = (page, place = 0) => page.locator(".pl-panel").nth(place).evaluate(({ dataset }) => ({ ...dataset }));
const readings = (page, signal) =>
  page.locator(`.pl-readings[data-signal="${signal}"] [data-value]`).evaluateAll((cells) => cells.map((cell) => cell.textContent));

/** A ball that bounces: t, height, speed; at each bounce the speed has a value before and one after, two microsteps. */
function bouncing(count, bounces) {
  const t = new Float64Array(count + bounces);
  const n = new Uint32Array(count + bounces);
  const y = new Float64Array(count + bounces);
  const v = new Float64Array(count + bounces);
  const every = Math.floor(count / (bounces + 1));
  let place = 0;
  for (let k = 0; k < count; k++) {
    const time = k * 1e-5;
    const phase = (k % every) / every;
    const put = (micro, height, speed) => {
      [t[place], n[place], y[place], v[place]] = [time, micro, height, speed];
      place++;
    };
    if (k > 0 && k % every === 0 && place - k < bounces) {
      put(0, 0, -1);
      put(2, 0, 1);
    } else put(0, 4 * phase * (1 - phase) + 1e-9 * Math.sin(k), 1 - 2 * phase);
  }
  return { t: t.subarray(0, place), n: n.subarray(0, place), y: y.subarray(0, place), v: v.subarray(0, place) };
}

function bouncingSource(count, bounces) {
  const { t, n, y, v } = bouncing(count, bounces);
  const beep = t.map((_, k) => (n[k] === 2 ? 1 : NaN));
  const source = makeSource({
    system: "bouncing",
    t,
    n,
    signals: [
      { name: "ball.y", unit: "m", kind: "state", values: y },
      { name: "ball.v", unit: "m/s", kind: "state", values: v },
      { name: "beep", unit: "", kind: "signal", values: beep, shown: false },
    ],
    transitions: Array.from(t.keys()).filter((k) => n[k] === 2).map((k) => ({ t: t[k], n: 1 })),
  });
  return { source, t, n, y, v };
}

test("a million samples: bounded work, exact when zoomed", async () => {
  const { source, t, n, y, v } = bouncingSource(1_000_000, 7);
  const { page, errors, opened, close } = await openPlots("million", source);
  console.log(`# a million samples: opened and drawn in ${opened.toFixed(0)} ms`);
  const width = 900;
  let data = await panelData(page, 1);
  assert.equal(data.drawn, "reduced");
  assert.equal(data.jumps, "7", "jumps are seen in the whole run");
  assert.ok(Number(data.strokes) <= 4 * width, `${data.strokes} strokes`);
  await keep(page, "plots-million");

  // Zooming in by the wheel, about a point that is no sample, frame by frame.
  const area = page.locator(".pl-area").nth(1);
  const box = await area.boundingBox();
  const [x, height] = [box.x + 0.37 * box.width, box.y + 60];
  await page.mouse.move(x, height);
  const times = [];
  for (let k = 0; k < 60; k++) {
    const start = performance.now();
    await page.mouse.wheel(0, -200);
    await settle(page);
    times.push(performance.now() - start);
    data = await panelData(page, 1);
    assert.ok(Number(data.strokes) <= 4 * width, `${data.strokes} strokes at ${await windowOf(page)}`);
    if (data.drawn === "exact" && Number(data.strokes) < 100) break;
  }
  times.sort((a, b) => a - b);
  console.log(`# zoom: ${times.length} frames, median ${times[times.length >> 1].toFixed(0)} ms, longest ${times.at(-1).toFixed(0)} ms`);
  assert.equal(data.drawn, "exact");

  // Each sample in the window is read to the last bit.
  const [from, to] = await windowOf(page);
  const inside = Array.from(t.keys()).filter((k) => t[k] >= from && t[k] <= to && n[k] === 0);
  assert.ok(inside.length > 3 && inside.length < 200, `${inside.length} samples`);
  const plot = { left: box.x + 62, width: box.width - 62 - 14 };
  for (const k of [inside[0], inside[inside.length >> 1], inside.at(-1)]) {
    await page.mouse.move(plot.left + ((t[k] - from) / (to - from)) * plot.width, height);
    await settle(page);
    const told = Number(await page.locator(".pl-when [data-time]").getAttribute("data-time"));
    const sample = t.indexOf(told);
    assert.ok(sample >= 0 && Math.abs(sample - k) <= 1, `${told} is a sample's time`);
    assert.deepEqual(await readings(page, "ball.y"), [String(y[sample])]);
    assert.deepEqual(await readings(page, "ball.v"), [String(v[sample])]);
  }

  // Scrubbing: the cursor over the whole run.
  await page.getByRole("button", { name: "Whole run" }).click();
  const scrub = await page.evaluate(async () => {
    const { cursor } = globalThis.plots;
    const longest = [];
    for (let k = 0; k <= 60; k++) {
      const start = performance.now();
      cursor.setTime((cursor.run.to * k) / 60);
      await new Promise((resolve) => requestAnimationFrame(resolve));
      longest.push(performance.now() - start);
    }
    return longest.sort((a, b) => a - b);
  });
  console.log(`# scrub: 61 frames, median ${scrub[30].toFixed(0)} ms, longest ${scrub[60].toFixed(0)} ms`);
  await settle(page);
  const last = t.length - 1;
  assert.equal(await page.locator(".pl-panel").first().locator(".pl-value").getAttribute("title"), `${y[last]} m`);
  assert.deepEqual(errors, []);
  await close();
});

const small = () => bouncingSource(2001, 3);

test("a jump: dots and values of both microsteps, spread side by side, and the cursor put there", async () => {
  const { source, t, n } = small();
  const { page, errors, close } = await openPlots("jump", source);
  const jump = n.indexOf(2) - 1;
  const box = await page.locator(".pl-area").nth(1).boundingBox();
  const x = box.x + 62 + (t[jump] / t.at(-1)) * (box.width - 76);
  await page.mouse.move(x + 2, box.y + 50);
  await settle(page);
  assert.deepEqual(await readings(page, "ball.v"), ["-1", "1"]);
  assert.deepEqual(await readings(page, "ball.y"), ["0"], "what does not jump has one value");
  assert.match(await page.locator('.pl-readings[data-signal="ball.v"]').textContent(), /n 0.*n 2/s);
  await page.mouse.click(x + 2, box.y + 50);
  assert.deepEqual(await page.evaluate(() => globalThis.plots.cursor.moment), { t: t[jump], n: 0 });

  await page.getByRole("button", { name: "Spread microsteps" }).click();
  await settle(page);
  assert.equal(await page.locator(".pl").getAttribute("data-spread"), "true");
  assert.equal((await panelData(page, 1)).jumps, "3");
  await keep(page, "plots-spread");
  // The cursor's line goes from microstep to microstep.
  const line = page.locator(".pl-panel").nth(1).locator(".pl-cursor");
  const places = [];
  for (const micro of [0, 1, 2]) {
    await page.evaluate(({ time, micro }) => globalThis.plots.cursor.set({ t: time, n: micro }), { time: t[jump], micro });
    await settle(page);
    places.push((await line.boundingBox()).x);
  }
  assert.ok(places[1] - places[0] > 4 && Math.abs(places[2] - 2 * places[1] + places[0]) < 1, String(places));
  await page.mouse.click(places[2] + 1, box.y + 50);
  assert.deepEqual(await page.evaluate(() => globalThis.plots.cursor.moment), { t: t[jump], n: 2 });
  assert.deepEqual(errors, []);
  await close();
});

test("pan, box, hold, reset; and all of it by keys", async () => {
  const { source, t } = small();
  const { page, errors, close } = await openPlots("keys", source);
  const whole = [0, t.at(-1)];
  const area = page.locator(".pl-area").first();
  const box = await area.boundingBox();
  await page.keyboard.down("Shift");
  await page.mouse.move(box.x + 300, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + 500, box.y + 80, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  await settle(page);
  const [from, to] = await windowOf(page);
  assert.ok(Math.abs(to - from - (200 / (box.width - 76)) * whole[1]) < 1e-4);
  assert.equal(await page.getByRole("button", { name: "Hold the range of y" }).first().getAttribute("aria-pressed"), "true");
  await page.mouse.move(box.x + 400, box.y + 50);
  await page.mouse.down();
  await page.mouse.move(box.x + 300, box.y + 50, { steps: 4 });
  await page.mouse.up();
  await settle(page);
  assert.ok((await windowOf(page))[0] > from);
  await area.dblclick();
  await settle(page);
  assert.deepEqual(await windowOf(page), whole);
  assert.equal(await page.getByRole("button", { name: "Hold the range of y" }).first().getAttribute("aria-pressed"), "false");

  await page.mouse.move(0, 0);
  await area.focus();
  for (const key of ["+", "+", "ArrowRight"]) await page.keyboard.press(key);
  await settle(page);
  const zoomed = await windowOf(page);
  assert.ok(zoomed[1] - zoomed[0] < 0.5 * whole[1] && zoomed[0] > 0);
  const put = await page.evaluate(() => globalThis.plots.cursor.moment.t);
  await page.keyboard.press("Enter");
  assert.notEqual(await page.evaluate(() => globalThis.plots.cursor.moment.t), put);
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Enter");
  assert.ok(t.includes(await page.evaluate(() => globalThis.plots.cursor.moment.t)), "a sample's time");
  assert.match(await page.locator("[aria-live]").textContent(), /ball\.y/);
  await page.keyboard.press("0");
  await settle(page);
  assert.deepEqual(await windowOf(page), whole);
  assert.deepEqual(errors, []);
  await close();
});

test("two fingers zoom, one pans, a tap puts the cursor", async () => {
  const { source, t } = small();
  const { page, errors, close } = await openPlots("touch", source, { viewport: { width: 390, height: 700 }, hasTouch: true });
  const session = await page.context().newCDPSession(page);
  const box = await page.locator(".pl-area").first().boundingBox();
  const y = box.y + 60;
  const touch = async (type, ...xs) => {
    await session.send("Input.dispatchTouchEvent", { type, touchPoints: xs.map((x, id) => ({ x, y, id })) });
    await settle(page);
  };
  await touch("touchStart", 180, 240);
  for (const by of [10, 20, 40, 60]) await touch("touchMove", 180 - by, 240 + by);
  await touch("touchEnd");
  const [from, to] = await windowOf(page);
  assert.ok(to - from < 0.5 * t.at(-1), `${from} to ${to}`);
  await touch("touchStart", 200);
  for (const x of [190, 170, 150]) await touch("touchMove", x);
  await touch("touchEnd");
  assert.ok((await windowOf(page))[0] > from);
  await page.touchscreen.tap(220, y);
  await settle(page);
  const moment = await page.evaluate(() => globalThis.plots.cursor.moment);
  const seen = await windowOf(page);
  assert.ok(moment.t > seen[0] && moment.t < seen[1]);
  assert.equal(await page.locator(".pl-readout").isVisible(), true, "what was tapped is told");
  assert.deepEqual(errors, []);
  await close();
});

test("signals are chosen by keys; panels come and go, and are kept", async () => {
  const { source } = small();
  const { page, errors, close } = await openPlots("picker", source);
  assert.equal(await page.locator(".pl-panel").count(), 2);
  await page.getByRole("button", { name: "Add plot" }).click();
  await page.keyboard.type("bee");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await drawn(page);
  assert.deepEqual(JSON.parse((await panelData(page, 2)).signals), ["beep"]);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Add plot", "the focus is back");
  assert.ok((await coloursOf(page, ".pl-panel:nth-of-type(3) .pl-area")) > 2, "stems are drawn");
  await page.getByRole("button", { name: "Add plot" }).click();
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".pl-panel").count(), 3, "a panel that nothing was chosen for is none");
  await page.evaluate(() => globalThis.plots.again());
  await drawn(page);
  assert.equal(await page.locator(".pl-panel").count(), 3, "the same run again is shown the same way");
  await page.getByRole("button", { name: "Remove this panel" }).first().click();
  assert.equal(await page.locator(".pl-panel").count(), 2);
  await page.evaluate(() => globalThis.plots.destroy());
  assert.equal(await page.locator("#host *").count(), 0);
  assert.deepEqual(errors, []);
  await close();
});

test("what is seen can be saved", async () => {
  const { source, t, v } = small();
  const { page, errors, close } = await openPlots("save", source, { acceptDownloads: true });
  const save = async (name) => {
    const menu = page.locator(".pl-panel").nth(1).locator(".pl-menu");
    await menu.locator("summary").click();
    const [download] = await Promise.all([page.waitForEvent("download"), menu.getByRole("button", { name }).click()]);
    return readFile(await download.path());
  };
  const rows = (await save("CSV")).toString().trim().split("\r\n");
  assert.equal(rows[0], "t,n,ball.v");
  assert.equal(rows.length, t.length + 1);
  assert.equal(rows[1000], `${t[999]},0,${v[999]}`);
  const png = await save("PNG");
  assert.equal(png.subarray(1, 4).toString(), "PNG");
  assert.ok(png.length > 5000);
  assert.deepEqual(errors, []);
  await close();
});

test("hostile names are text; a column that is damaged says so; dark and narrow", async () => {
  const names = ["</script><b>x", 'a"b\'c', "\u202eevil\u202c", "damaged"];
  const source = makeSource({ t: [0, 1, 2], n: [0, 0, 0], signals: names.map((name, k) => ({ name, unit: "m", kind: "state", values: [k, k + 1, k] })) });
  source.blobs[source.page.runs[0].signals[3].column.blob] = "AAAA";
  const file = path.join(folder, "hostile.html");
  await writePlotPage(file, source);
  const context = await browser.newContext({ viewport: { width: 360, height: 640 }, colorScheme: "dark", hasTouch: true });
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.goto(pathToFileURL(file).href);
  await page.waitForFunction(() => document.querySelector(".pl-legend")?.textContent.includes("cannot be shown"));
  const legend = await page.locator(".pl-legend").innerText();
  for (const text of ["</script><b>x", 'a"b\'c', "\\u202eevil\\u202c"]) assert.ok(legend.includes(text), `${text} in ${legend}`);
  assert.equal(await page.locator(".pl-legend b").count(), 0);
  assert.match(await page.locator(".pl-value").last().getAttribute("title"), /^column damaged: /);
  assert.deepEqual(JSON.parse((await panelData(page)).signals), names);
  assert.ok((await coloursOf(page, ".pl-area")) > 3, "the others are drawn");
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is wider than the screen");
  await page.touchscreen.tap(200, 300);
  await keep(page, "plots-narrow-dark");
  assert.deepEqual(errors, []);
  await context.close();
});

test("the interception game's page: its velocities jump twice", async () => {
  const file = await viewPage(folder, "examples/interception.drbt");
  const { page, errors, requests, close } = await open(browser, file);
  await drawn(page);
  const panels = await page.locator(".pl-panel").evaluateAll((all) => all.map(({ dataset }) => ({ signals: JSON.parse(dataset.signals), jumps: Number(dataset.jumps) })));
  const speeds = panels.find(({ signals }) => signals.includes("ball1.vx"));
  const places = panels.find(({ signals }) => signals.includes("ball1.x"));
  assert.equal(speeds.jumps, 2 * speeds.signals.length);
  assert.equal(places.jumps, 0);
  assert.deepEqual([errors, requests], [[], []]);
  await close();
});
