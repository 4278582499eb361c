// The player in a browser: every shipped example opens from disk, draws, makes no errors and asks nothing of the network;
// stepping, scrubbing, playing, lighting; keyboard, phone, dark; names that would rather be something else than text.

import assert from "node:assert/strict";
import { readdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import {
  call,
  coloursOf,
  freshScript,
  keep,
  launch,
  momentOf,
  open,
  repository,
  scratch,
  settled,
  viewPage,
} from "./support.mjs";

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

/** Opens, acts, and holds the page to what every page must keep. */
async function on(file, act, options) {
  const opened = await open(browser, file, options);
  try {
    await act(opened.page);
    assert.deepEqual(opened.errors, []);
    assert.deepEqual(opened.requests, []);
  } finally {
    await opened.close();
  }
}

const places = (page) => page.locator(".dv-place").evaluateAll((all) => all.map((one) => one.dataset.place));
const value = (page, signal) =>
  page.locator(`.dv-value[data-signal="${signal}"] .dv-num`).getAttribute("data-value").then(Number);
const sceneDrawn = (page) => page.waitForSelector(".dv-canvas[data-forces]");

/** Examples that are not for running: parts of others, or models that are refused. */
const NO_RUN = new Set(["actors/balls.dam", "actors/refused_capacitors.dam", "actors/refused_strict_loop.dam"]);
/** Without a horizon of their own, or long: what to add. */
const MORE = { "actors/pushing_by_collisions.dam": ["--max-events", "3000"] };

async function examples() {
  const root = path.join(repository, "examples");
  const found = [];
  for (const folder of ["", "actors", "checks"]) {
    for (const file of await readdir(path.join(root, folder)))
      if (/\.(drbt|dam)$/.test(file)) found.push(path.posix.join(folder, file));
  }
  return found.filter((file) => !NO_RUN.has(file)).sort();
}

test("every shipped example has a page that opens, draws and keeps to itself", async (t) => {
  for (const example of await examples()) {
    await t.test(example, async () => {
      const file = path.join(place.folder, `${example.replace(/\W/g, "_")}.html`);
      const more = /^\d+_balls/.test(example) ? ["--until", "0.5"] : (MORE[example] ?? []);
      // 4: the run ended before its horizon, which is what some of the examples show.
      await call(["view", path.join("examples", example), "-o", file, ...more], [0, 4]);
      await freshScript(file);
      if (!/billiard|60_balls|pushing_by_collisions/.test(example)) assert.ok((await stat(file)).size < 2e6);
      await on(file, async (page) => {
        await page.waitForSelector("[data-panel=plots] canvas");
        if (example.endsWith(".drbt")) {
          await sceneDrawn(page);
          assert.ok((await coloursOf(page, ".dv-canvas")) > 3, "the scene is blank");
        } else {
          assert.equal(await page.locator("[data-panel=scene]").count(), 0);
        }
        await page.keyboard.press("Shift+ArrowRight");
        await page.keyboard.press("End");
        await settled(page);
        assert.match(await page.locator(".dv-status").innerText(), / at t = /);
      });
    });
  }
});

test("stepping through the impact of the interception game follows the papers' path", async () => {
  const file = await viewPage(place.folder, "examples/interception.drbt");
  await on(
    file,
    async (page) => {
      await sceneDrawn(page);
      await page.keyboard.press("Shift+ArrowRight");
      await settled(page);
      const path = await places(page);
      assert.deepEqual(
        path.filter((name, k) => name !== path[k - 1]),
        ["S_0", "I_1,en", "I_1,1", "I_1,2", "I_1,3", "I_1,1", "I_1,2", "I_1,3", "I_1,4", "I_1,5", "I_1,ex", "S_0"],
      );
      const lit = [];
      const start = await momentOf(page);
      for (let k = 0; k < path.length; k++) {
        await settled(page);
        lit.push(await page.locator(".dv-place[aria-current]").getAttribute("data-place"));
        assert.equal(await page.locator(".dv-now .dv-location").innerText(), lit[k]);
        if (k + 1 < path.length) await page.keyboard.press("ArrowRight");
      }
      assert.deepEqual(lit, path);
      assert.deepEqual(await momentOf(page), { t: start.t, n: path.length - 1 });
      // The impulse, as a number and as two arrows, and back over it.
      await page.keyboard.press("ArrowLeft");
      await settled(page);
      assert.equal(await page.locator(".dv-canvas").getAttribute("data-impulses"), "2");
      assert.match(await page.locator("[data-part=just]").innerText(), /5\.54355/);
      assert.match(await page.locator("[data-part=just]").innerText(), /ball1\.vy[\s\S]*−4\.70049[\s\S]*0\.6645/);
      assert.match(await page.locator(".dv-legend").innerText(), /N s/);
      await keep(page, "interception-impact");
    },
    { width: 1440, height: 900 },
  );
});

test("scrubbing changes the state shown and what is drawn", async () => {
  const file = await viewPage(place.folder, "examples/interception.drbt");
  await on(file, async (page) => {
    await sceneDrawn(page);
    await page.waitForSelector('.dv-value[data-signal="ball1.x"] [data-value]:not([data-value=""])');
    assert.equal(await value(page, "ball1.y"), 3);
    const first = await page.locator(".dv-canvas").screenshot();
    const box = await page.locator(".dv-bar").boundingBox();
    await page.mouse.move(box.x + 14, box.y + 22);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.25, box.y + 22, { steps: 4 });
    await settled(page);
    const { t } = await momentOf(page);
    assert.ok(t > 0.4 && t < 0.6, String(t));
    // Before the impact ball 1 falls freely from (0, 3) with velocity (1, 1).
    assert.ok(Math.abs((await value(page, "ball1.x")) - t) < 1e-9);
    assert.ok(Math.abs((await value(page, "ball1.y")) - (3 + t - 4.905 * t * t)) < 1e-4);
    assert.ok(!(await page.locator(".dv-canvas").screenshot()).equals(first), "the scene did not move");
    await page.mouse.move(box.x + box.width - 14, box.y + 22, { steps: 4 });
    await page.mouse.up();
    assert.equal((await momentOf(page)).t, 2);
  });
});

test("playing goes on, pauses, stops at events, and keys work wherever the focus is", async () => {
  const file = await viewPage(place.folder, "examples/interception.drbt");
  await on(file, async (page) => {
    await sceneDrawn(page);
    await page.selectOption(".dv-at-events", "stop");
    await page.selectOption(".dv-speed", "10");
    await page.locator("h1").click();
    await page.keyboard.press("Space");
    await page.waitForFunction(() => document.querySelector(".dv-bar").dataset.t.startsWith("0.58108"));
    assert.equal((await momentOf(page)).n, 0);
    assert.match(await page.locator(".dv-play").getAttribute("aria-label"), /^Play/);
    await page.keyboard.press("e");
    assert.equal(await page.locator(".dv-at-events").inputValue(), "through");
    await page.keyboard.press("Space");
    await page.waitForFunction(() => document.querySelector(".dv-bar").dataset.t === "2");
    await page.keyboard.press("Home");
    assert.deepEqual(await momentOf(page), { t: 0, n: 0 });
    await page.fill(".dv-time", "1.25");
    await page.keyboard.press("Enter");
    assert.equal((await momentOf(page)).t, 1.25);
    await page.locator("h1").click();
    await page.keyboard.press("?");
    assert.ok(await page.locator(".dv-help[open]").isVisible());
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(".dv-help[open]").count(), 0);
  });
});

test("forces that last are arrows with their numbers", async () => {
  const file = await viewPage(place.folder, "examples/sliding_ball.drbt");
  await on(file, async (page) => {
    await sceneDrawn(page);
    await page.waitForSelector(".dv-canvas[data-forces='1']");
    assert.match(await page.locator(".dv-legend").innerText(), /force, longest 10 N/);
    await keep(page, "sliding-ball");
  });
});

test("the drawing lights where the run is, and the edges it took", async () => {
  const file = await viewPage(place.folder, "examples/interception.drbt");
  await on(
    file,
    async (page) => {
      const graph = page.locator(".dv-graph");
      await graph.waitFor();
      await page.keyboard.press("Shift+ArrowRight");
      await settled(page);
      assert.equal(await graph.getAttribute("data-lit"), "S_0");
      for (let k = 0; k < 2; k++) await page.keyboard.press("ArrowRight");
      await settled(page);
      assert.equal(await graph.getAttribute("data-lit"), "I_1,1");
      assert.equal(await graph.getAttribute("data-last"), "I_1,en→I_1,1");
      const classes = await page.locator(".dv-graph-holder").evaluate((holder) => ({
        lit: holder.shadowRoot.querySelectorAll('[data-light="I_1,1"].dv-lit').length,
        taken: [...holder.shadowRoot.querySelectorAll("[data-edge].dv-taken")].map((edge) => edge.dataset.edge),
      }));
      assert.ok(classes.lit > 0);
      assert.ok(classes.taken.includes("S_0→I_1,en") && !classes.taken.includes("I_1,ex→S_0"));
      await page.locator(".dv-graph-holder [data-light='S_0']").first().click();
      assert.match(await page.locator(".dv-visits").innerText(), /3 visits/);
      await page.locator(".dv-visits li button").last().click();
      assert.ok((await momentOf(page)).t > 0.88);
      await keep(page, "interception-graph");
    },
    { width: 1440, height: 1200 },
  );
});

test("modes of actors are lit over time", async () => {
  const file = await viewPage(place.folder, "examples/actors/friction.dam");
  await on(file, async (page) => {
    await page.waitForSelector(".dv-modes .dv-stretch");
    const now = () => page.locator(".dv-mode-now").allInnerTexts();
    assert.deepEqual(await now(), ["stuck", "not active"]);
    await page.fill(".dv-time", "0.5");
    await page.keyboard.press("Enter");
    await settled(page);
    assert.deepEqual(await now(), ["sliding", "leftwards"]);
    const titles = await page.locator(".dv-lane").first().locator("title").allTextContents();
    assert.match(titles[0], /^stuck from 0 to 0\.2189/);
    await keep(page, "friction");
  });
});

test("dark follows the system and can be switched", async () => {
  const file = await viewPage(place.folder, "examples/three_balls_001.drbt");
  await on(
    file,
    async (page) => {
      await sceneDrawn(page);
      const ground = () => page.evaluate(() => getComputedStyle(document.querySelector(".dv-panel")).backgroundColor);
      assert.equal(await ground(), "rgb(22, 27, 33)");
      await keep(page, "three-balls-dark");
      await page.keyboard.press("t");
      assert.equal(await ground(), "rgb(255, 255, 255)");
    },
    { dark: true },
  );
});

test("the layout holds from a phone to a wide screen", async (t) => {
  const file = await viewPage(place.folder, "examples/interception.drbt");
  for (const [width, height] of [
    [320, 640],
    [360, 740],
    [768, 1024],
    [1024, 768],
    [1440, 900],
    [2560, 1300],
  ]) {
    await t.test(`${width} × ${height}`, () =>
      on(
        file,
        async (page) => {
          await sceneDrawn(page);
          await page.keyboard.press("Shift+ArrowRight");
          await settled(page);
          assert.ok(
            await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
            "the page is wider than the screen",
          );
          const foot = await page.locator(".dv-foot").boundingBox();
          assert.ok(foot.y + foot.height <= height + 1 && foot.height < height / 2, "the transport is not at hand");
          const cut = await page.evaluate(
            () =>
              [...document.querySelectorAll(".dv-foot button, .dv-top button")].filter((one) => {
                if (one.closest(".dv-microsteps") !== null) return false;
                const box = one.getBoundingClientRect();
                return box.left < -1 || box.right > innerWidth + 1;
              }).length,
          );
          assert.equal(cut, 0);
          if (width <= 700) {
            for (const tab of await page.locator("[role=tab]").all()) {
              await tab.click();
              assert.equal(await page.locator(".dv-panel:visible").count(), 1);
            }
          } else {
            assert.equal(await page.locator("[role=tab]:visible").count(), 0);
            assert.ok((await page.locator(".dv-panel:visible").count()) >= 5);
          }
          if (width === 360 || width === 2560) {
            if (width === 360) await page.locator("[role=tab]").first().click();
            await settled(page);
            await keep(page, `interception-${width}`);
          }
        },
        { width, height, touch: width <= 400 },
      ),
    );
  }
});

test("all controls can be reached by the keyboard and say what they are", async () => {
  const file = await viewPage(place.folder, "examples/interception.drbt");
  await on(file, async (page) => {
    await sceneDrawn(page);
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll("button, select, input, [tabindex]")]
        .filter((one) => one.closest("[hidden]") === null && one.checkVisibility())
        .filter((one) => !one.getAttribute("aria-label") && !one.textContent.trim() && !one.labels?.length)
        .map((one) => one.outerHTML.slice(0, 120)),
    );
    assert.deepEqual(nameless, []);
    const reached = new Set();
    for (let k = 0; k < 80; k++) {
      await page.keyboard.press("Tab");
      reached.add(
        await page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent),
      );
    }
    for (const label of ["Play (space)", "One microstep on", "time", "Speed of playing"]) assert.ok(reached.has(label), label);
  });
});

test("a page without WebGL says so, and the rest works", async () => {
  const file = await viewPage(place.folder, "examples/interception.drbt");
  const context = await browser.newContext();
  await context.addInitScript(() => {
    const get = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
      return kind.startsWith("webgl") ? null : get.call(this, kind, ...more);
    };
  });
  const page = await context.newPage();
  await page.goto(`file://${file}`);
  await page.waitForSelector(".dv-scene .dv-empty");
  assert.match(await page.locator(".dv-scene .dv-empty").innerText(), /WebGL/);
  await page.keyboard.press("Shift+ArrowRight");
  await settled(page);
  assert.ok((await momentOf(page)).t > 0.58);
  await context.close();
});

test("hostile names are shown as text", async () => {
  const names = [
    "</script><script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "a\u202egnp.exe",
    "'\"><!--",
    "\u0000\u2066b",
  ];
  const file = path.join(place.folder, "hostile.json");
  const page = path.join(place.folder, "hostile.html");
  await writeFile(
    file,
    JSON.stringify({
      format: "dyverse-trace-1",
      system: names[0],
      parameters: { [names[1]]: 1 },
      seed: 0,
      stop: { reason: "horizon", text: names[1], time: 1, microstep: 0 },
      final: Object.fromEntries(names.map((name) => [name, 2])),
      steps: 1,
      balance: null,
      statistics: { steps: 1, rejected_steps: 0, evaluations: 1, impacts: 0 },
      signals: names.map((name) => ({ name, unit: names[1] })),
      transitions: [
        {
          time: [0.5, 0],
          kind: "event",
          from: names[0],
          to: names[2],
          rule: "",
          contacts: [names[1]],
          guard: names[2],
          reset: names[0],
          forces: [{ contact: names[1], normal: 1, tangential: [0, 0] }],
          changes: [{ signal: names[1], before: 1, after: 2 }],
        },
      ],
      samples: [
        { time: [0, 0], values: names.map(() => 1) },
        { time: [0.5, 0], values: names.map(() => 1) },
        { time: [0.5, 1], values: names.map(() => 2) },
        { time: [1, 0], values: names.map(() => 2) },
      ],
    }),
  );
  await call(["view", file, "-o", page]);
  await freshScript(page);
  await on(page, async (shown) => {
    await shown.waitForSelector(".dv-value");
    await shown.keyboard.press("Shift+ArrowRight");
    await shown.keyboard.press("ArrowRight");
    await settled(shown);
    assert.notEqual(await shown.title(), "owned");
    assert.equal(await shown.locator("h1").innerText(), names[0]);
    assert.equal(await shown.locator("#root img, #root script").count(), 0);
    const just = await shown.locator("[data-part=just]").innerText();
    assert.ok(just.includes(names[0]) && just.includes("a\\u202egnp.exe") && just.includes(names[1]), just);
    const values = await shown.locator(".dv-values").innerText();
    assert.ok(
      names.slice(0, 2).every((name) => values.includes(name)),
      values,
    );
    assert.ok(values.includes("\\u0000\\u2066b"), values);
    assert.ok(!/[\u202a-\u202e\u2066-\u2069]/.test(await shown.locator("#root").innerText()), "a mark of direction is loose");
    await keep(shown, "hostile");
  });
});
