// Checks as pages: verdicts as words, ranges in parts that tell their bounds, counterexamples in the player, enclosures and figures.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import test, { after, before } from "node:test";
import { call, coloursOf, freshScript, keep, launch, momentOf, open, scratch } from "./support.mjs";

const GAME = "examples/interception.drbt";
const VERDICTS = [0, 10, 20];

const THROW = `system throw
param u in [1, 3]
param v in [0.5, 1.5]
entity ball { sphere(radius = 0.1)  mass = 1  position = (0, 1, 0)  velocity = (u, v, 0) }
gravity (0, -9.81, 0)
horizon 0.4
property near: always [0, 0.4] ball.x + ball.y < 1.8
`;

let browser;
let place;

before(async () => {
  browser = await launch();
  place = await scratch();
});

after(async () => {
  await browser?.close();
  await place?.remove();
});

async function checked(name, model, more) {
  const file = path.join(place.folder, `${name}.html`);
  await call(["check", model, ...more, "--output", file], VERDICTS);
  await freshScript(file);
  return file;
}

/** Nothing was wrong, and nothing left the disk. */
function quiet({ errors, requests }) {
  assert.deepEqual(errors, []);
  assert.deepEqual(requests, []);
}

const verdict = (page) => page.locator(".check-word").first().getAttribute("data-verdict");

test("the range of a gain in parts: bounds with all digits, zoom, keys", async () => {
  const file = await checked("partition", GAME, ["--partition", "K", "--width", "0.01"]);
  const opened = await open(browser, file);
  const { page } = opened;
  assert.equal(await verdict(page), "PARTITION");
  assert.match(await page.locator(".check-text").first().textContent(), /proved safe.*proved unsafe.*undecided/);
  const parts = page.locator(".check-band [role=option]");
  const labels = await parts.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
  assert.ok(labels.length >= 3, labels.join("\n"));
  for (const label of labels) assert.match(label, /^(proved safe|proved unsafe|undecided): K in \[[\d.]+, [\d.]+\]$/);
  const bounds = labels.map((label) => label.match(/\[(.*), (.*)\]/).slice(1).map(Number)).sort((a, b) => a[0] - b[0]);
  assert.equal(bounds[0][0], 1);
  assert.equal(bounds.at(-1)[1], 3);
  bounds.slice(1).forEach(([lower], k) => assert.equal(lower, bounds[k][1], "parts cover the range"));
  assert.ok(await coloursOf(page, ".check-band") > 3);

  const band = page.locator(".check-band");
  await band.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  const reading = page.locator(".check-band + .check-reading");
  const second = await reading.textContent();
  assert.ok(second.includes(`[${bounds[1][0]}, ${bounds[1][1]}]`), second);
  await keep(page, "check-partition");
  const ticks = () => page.locator(".check-band svg text").allTextContents();
  const whole = await ticks();
  await page.keyboard.press("Enter");
  assert.notDeepEqual(await ticks(), whole, "Enter zooms to the part");
  await page.keyboard.press("0");
  assert.deepEqual(await ticks(), whole);
  assert.equal((await momentOf(page)).t, 0, "keys of the band do not move the player");
  quiet(opened);
  await opened.close();
});

test("a proof: the word, its boxes as one safe range, tubes, the solver's figures", async () => {
  const file = await checked("safe", GAME, ["--set", "K=[2,3]"]);
  const opened = await open(browser, file);
  const { page } = opened;
  assert.equal(await verdict(page), "SAFE");
  assert.equal(await page.locator(".check-word span").first().textContent(), "SAFE");
  assert.match(await page.locator(".check-formula").first().textContent(), /always \[0, 2\] ball1\.y > 0/);
  assert.equal(await page.locator(".check-band [role=option]").getAttribute("aria-label"), "proved safe: K in [2, 3]");

  const tubes = page.locator(".check-tubes");
  assert.ok(await tubes.locator("path[data-outcome=safe]").count() >= 1);
  await page.locator(".check-tubes path.run").first().waitFor({ state: "attached" });
  assert.match(await tubes.locator("text", { hasText: "ball1.y > 0" }).textContent(), /> 0/);
  await tubes.hover();
  assert.match(await page.locator(".check-tubes + .check-reading").textContent(), /t = [\d.]+ s.*ball1\.y in \[.*\] in .*\(safe\)/s);
  await page.locator("select[aria-label=signal]").selectOption("ball2.x");
  assert.match(await tubes.getAttribute("aria-label"), /ball2\.x/);

  const titles = await page.locator(".check-multiples figcaption span:first-child").allTextContents();
  assert.ok(titles.includes("calls of Satisfy") && titles.includes("iterations") && titles.some((t) => t.startsWith("clauses of length")), titles.join());
  await keep(page, "check-safe", { fullPage: true });
  quiet(opened);
  await opened.close();
});

test("a counterexample: its values on the range, and its run in the player", async () => {
  const file = await checked("unsafe", GAME, ["--set", "K=[1,1.5]"]);
  const opened = await open(browser, file);
  const { page } = opened;
  assert.equal(await verdict(page), "UNSAFE");
  assert.match(await page.locator(".check-band .witness").getAttribute("aria-label"), /^counterexample: K = 1[\d.]*$/);
  const values = await page.locator(".check-values").textContent();
  const [, time] = values.match(/broken att = ([\d.]+) s/);
  assert.match(await page.locator(".check-call code").textContent(), /^dyverse simulate examples\/interception\.drbt --set K=/);
  await page.locator("button", { hasText: "show it" }).click();
  assert.ok(Math.abs((await momentOf(page)).t - Number(time)) < 1e-9, `${time}`);
  assert.ok(await page.locator(".check-tubes path[data-outcome=unsafe]").count() === 1);
  await keep(page, "check-unsafe");
  quiet(opened);
  await opened.close();
});

test("two parameters as a map", async () => {
  const model = path.join(place.folder, "throw.drbt");
  await writeFile(model, THROW);
  const file = await checked("map", model, ["--partition", "u,v", "--width", "0.2"]);
  const opened = await open(browser, file);
  const { page } = opened;
  assert.equal(await verdict(page), "PARTITION");
  assert.ok(await coloursOf(page, ".check-map canvas") > 3);
  const map = page.locator(".check-map");
  await map.focus();
  await page.keyboard.press("ArrowRight");
  const reading = page.locator(".check-map + .check-reading");
  assert.match(await reading.textContent(), /^(proved safe|proved unsafe|undecided) for u in \[.*\], v in \[.*\]/);
  await keep(page, "check-map");
  quiet(opened);
  await opened.close();
});

test("it holds on a phone, in the dark: nothing wider than the screen", async () => {
  for (const name of ["partition", "safe", "unsafe", "map"]) {
    const opened = await open(browser, path.join(place.folder, `${name}.html`), { width: 360, height: 740, dark: true, touch: true });
    const { page } = opened;
    await page.waitForTimeout(200);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 360, `${name}: ${wide}`);
    await keep(page, `check-${name}-phone`, { fullPage: name === "unsafe" });
    quiet(opened);
    await opened.close();
  }
});
