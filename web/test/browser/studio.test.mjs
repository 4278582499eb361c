// The studio in a real browser: what is wrong is marked, runs and checks show their pages, long work is cancelled, saving writes
// the file and nothing else, and nothing is asked of another host.
//
// DYVERSE_STUDIO_JS  a script to serve in place of the one that the command embeds: to test one that was just built

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { coloursOf, dyverse, keep, launch, momentOf, repository, scratch } from "./support.mjs";

/** So stiff that a run takes hours. */
const ENDLESS = `system endless
entity a { sphere(radius = 1)  mass = 1  position = (0, 3, 0) }
force on a = (0, -1e8 * a.y, 0)
horizon 1e6
property high: always a.y > -10
`;

/** Starts the studio of a folder; where it is, and how to end it. */
async function studioOf(folder) {
  const child = spawn(dyverse, ["studio", folder, "--no-open", "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (data) => {
      text += data;
      if (text.includes("\n")) resolve(text.trim());
    });
    child.on("exit", (code) => reject(new Error(`the studio ended with ${code}`)));
  });
  const end = () => new Promise((resolve) => {
    child.removeAllListeners("exit");
    child.on("exit", resolve);
    child.kill("SIGINT");
  });
  return { address, end };
}

describe("the studio", () => {
  let browser, place, folder, studio;

  before(async () => {
    browser = await launch();
    place = await scratch();
    folder = path.join(place.folder, "models");
    await mkdir(folder);
    studio = await studioOf(folder);
  });
  after(async () => {
    await studio?.end();
    await browser?.close();
    await place?.remove();
  });
  beforeEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  /** A folder with these models, and the studio's page on it. The folder is opened anew each time: it was removed. */
  async function open(files, { width = 1440, height = 900, dark = false } = {}) {
    await studio.end();
    await mkdir(folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
    studio = await studioOf(folder);
    const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? "dark" : "light", reducedMotion: "reduce" });
    const page = await context.newPage();
    const errors = [];
    const elsewhere = [];
    const origin = new URL(studio.address).origin;
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("request", (request) => {
      if (!request.url().startsWith(origin) && !/^(data|blob):/.test(request.url())) elsewhere.push(request.url());
    });
    const script = process.env.DYVERSE_STUDIO_JS;
    if (script !== undefined) await page.route("**/studio.js", (route) => route.fulfill({ path: script, contentType: "text/javascript" }));
    await page.goto(studio.address);
    await page.waitForSelector(".cm-content");
    await page.waitForFunction(() => document.querySelector(".st-state")?.textContent !== "");
    return {
      page,
      async close({ expected = [] } = {}) {
        assert.deepEqual(errors.filter((error) => !expected.some((pattern) => pattern.test(error))), []);
        assert.deepEqual(elsewhere, []);
        await context.close();
      },
    };
  }

  const example = (name) => readFile(path.join(repository, "examples", name), "utf8");
  const canvasOf = (page) => page.$(".st-page canvas");
  const press = (page, act) => page.click(`.st-bar [data-act=${act}]`);
  const write = async (page, text) => {
    await page.click(".cm-content");
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(text);
  };

  test("the token leaves the address, and the page is refused without it", async () => {
    const { page, close } = await open({ "a.drbt": await example("interception.drbt") });
    assert.ok(!page.url().includes("token"));
    await page.reload();
    await page.waitForSelector(".cm-content");
    const context = await browser.newContext();
    const stranger = await context.newPage();
    await stranger.goto(new URL(studio.address).origin);
    await stranger.waitForSelector("[role=alert]");
    assert.match(await stranger.textContent("[role=alert]"), /token/);
    await context.close();
    await close();
  });

  test("what is wrong is underlined, and goes when it is put right", async () => {
    const text = await example("interception.drbt");
    const { page, close } = await open({ "game.drbt": text });
    assert.equal(await page.locator(".cm-lintRange-error").count(), 0);
    await write(page, text.replace("radius = 1", "radius = oops"));
    await page.waitForSelector(".cm-lintRange-error");
    assert.equal(await page.textContent(".cm-lintRange-error"), "oops");
    assert.match(await page.textContent(".st-state"), /1 error.*oops/);
    await page.hover(".cm-lintRange-error");
    await page.waitForSelector(".cm-tooltip-lint .st-code");
    assert.match(await page.textContent(".cm-tooltip-lint"), /L\d+.*oops/);
    await keep(page, "studio-error");
    await press(page, "run");
    await page.waitForSelector(".st-message:not([hidden])");
    await write(page, text);
    await page.waitForFunction(() => document.querySelector(".cm-lintRange-error") === null);
    await close();
  });

  test("a run shows the scene, plots and events; a slider changes it and the moment stays", async () => {
    const { page, close } = await open({ "game.drbt": await example("interception.drbt") });
    await press(page, "run");
    await page.waitForSelector(".st-page .dv-top");
    assert.ok((await coloursOf(page, ".st-page canvas")) > 3, "the scene is not blank");
    await keep(page, "studio-run");
    await page.focus(".st-page .dv-bar");
    await page.keyboard.press("End");
    const before = await momentOf(page);
    assert.equal(before.t, 2);
    await press(page, "live");
    await page.waitForSelector(".st-right[aria-busy=false]");
    const first = await canvasOf(page);
    await page.focus(".st-settings input[type=range]");
    // More pages one after the other than a browser keeps scenes.
    for (let k = 0; k < 17; k++) {
      const seen = await canvasOf(page);
      await page.keyboard.press(k < 3 ? "PageUp" : "ArrowRight");
      await page.waitForFunction((old) => document.querySelector(".st-page canvas") !== old, seen);
    }
    await press(page, "live");
    await page.waitForSelector(".st-right[aria-busy=false]");
    assert.ok(await first.evaluate((old) => !old.isConnected));
    assert.ok((await coloursOf(page, ".st-page canvas")) > 3, "the scene is still drawn");
    assert.equal((await momentOf(page)).t, 2);
    assert.ok(Number(await page.inputValue("[data-parameter=K] .st-number")) > 2);
    await close();
  });

  test("a check shows its verdict, a partition its parts", async () => {
    const { page, close } = await open({ "game.drbt": await example("interception.drbt") });
    await page.click(".st-settings [data-act=check]");
    await page.waitForSelector(".dv-verdict", { timeout: 120_000 });
    assert.match(await page.textContent(".st-page .dv-top"), /UNSAFE/);
    await keep(page, "studio-check");
    await page.fill("input[aria-label='What may stay undecided']", "0.5");
    await page.fill("input[aria-label='Stop after, s']", "5");
    await page.click(".st-settings [data-act=partition]");
    await page.waitForFunction(() => /PARTITION/.test(document.querySelector(".st-page .dv-top")?.textContent ?? ""), null, { timeout: 240_000 });
    await keep(page, "studio-partition");
    await close();
  });

  test("long work shows how far it is and is cancelled, by the button and by Escape", async () => {
    const { page, close } = await open({ "endless.drbt": ENDLESS });
    for (const way of ["button", "escape"]) {
      await press(page, "run");
      await page.waitForSelector(".st-progress:not([hidden])");
      await page.waitForFunction(() => /t = .* of 1000000 s/.test(document.querySelector(".st-progress output").textContent));
      if (way === "button") {
        await keep(page, "studio-progress");
        await page.click("[data-act=cancel]");
      } else {
        await page.keyboard.press("Escape");
      }
      await page.waitForFunction(() => document.querySelector(".st-progress").hidden, null, { timeout: 60_000 });
      assert.match(await page.textContent(".st-message"), /Cancelled/);
    }
    // What nobody waits for any more is cancelled too: four more jobs would be too many.
    for (let k = 0; k < 6; k++) {
      await press(page, "run");
      await page.waitForSelector(".st-progress:not([hidden])");
      await page.reload();
      await page.waitForFunction(() => document.querySelector(".st-state")?.textContent !== "");
    }
    await close();
  });

  test("saving writes the file and only it; a file that changed meanwhile is asked about", async () => {
    const text = await example("interception.drbt");
    await mkdir(folder, { recursive: true });
    const { page, close } = await open({ "a.drbt": text, "b.drbt": text });
    const file = path.join(folder, "a.drbt");
    await write(page, `${text}# mine\n`);
    assert.match(await page.textContent(".st-title"), /not saved/);
    assert.equal(await readFile(file, "utf8"), text, "nothing is written unasked");
    await page.keyboard.press("Control+s");
    await page.waitForFunction(() => !document.querySelector(".st-title").textContent.includes("not saved"));
    assert.equal(await readFile(file, "utf8"), `${text}# mine\n`);
    assert.deepEqual((await readdir(folder)).sort(), ["a.drbt", "b.drbt"]);
    assert.equal(await readFile(path.join(folder, "b.drbt"), "utf8"), text);
    assert.deepEqual(await readdir(place.folder), ["models"]);
    await writeFile(file, "# theirs\n");
    await write(page, `${text}# mine again\n`);
    await page.keyboard.press("Control+s");
    await page.waitForSelector(".st-dialog");
    assert.equal(await readFile(file, "utf8"), "# theirs\n");
    await page.click(".st-dialog >> text=My text");
    await page.waitForFunction(() => !document.querySelector(".st-title").textContent.includes("not saved"));
    assert.equal(await readFile(file, "utf8"), `${text}# mine again\n`);
    // The browser notes the refused call.
    await close({ expected: [/409/] });
  });

  test("an example is opened from the list and saved as a copy with its imports", async () => {
    const { page, close } = await open({});
    await page.keyboard.press("Control+o");
    await page.fill(".st-drawer input", "newtons_cradle.dam");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector(".st-title").textContent.includes("newtons_cradle.dam"));
    await page.waitForFunction(() => /signals/.test(document.querySelector(".st-state").textContent));
    await page.keyboard.press("Control+s");
    await page.fill(".st-dialog input", "../escaped.dam");
    await page.keyboard.press("Enter");
    assert.notEqual(await page.textContent(".st-problem"), "");
    await page.fill(".st-dialog input", "cradle.dam");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector(".st-path").textContent === "cradle.dam");
    assert.deepEqual((await readdir(folder)).sort(), ["balls.dam", "cradle.dam"]);
    await page.reload();
    await page.waitForFunction(() => document.querySelector(".st-path")?.textContent === "cradle.dam");
    await press(page, "run");
    await page.waitForSelector(".st-page .dv-top");
    await keep(page, "studio-actors");
    await close();
  });

  test("a new model begins with a template that runs; Format tidies, and can be undone", async () => {
    const { page, close } = await open({});
    await press(page, "files");
    await page.click("[data-act=new]");
    await page.fill(".st-dialog input", "mine.drbt");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => /mine\.drbt.*not saved/.test(document.querySelector(".st-title").textContent));
    await page.waitForFunction(() => /✓ a model/.test(document.querySelector(".st-state").textContent));
    assert.deepEqual(await readdir(folder), []);
    const tidy = await page.textContent(".cm-content");
    await page.click(".cm-content");
    await page.keyboard.press("Control+End");
    await page.keyboard.insertText("param   zz=1");
    await press(page, "format");
    await page.waitForFunction(() => document.querySelector(".cm-content").textContent.includes("param zz = 1"));
    await page.click(".cm-content");
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    await page.waitForFunction((text) => document.querySelector(".cm-content").textContent === text, tidy);
    await close();
  });

  test("hostile names and texts are shown as text", async () => {
    const name = "<img src=x onerror=alert(1)>.drbt".replace(/[<>]/g, "");
    const text = `system a\n# </script><script>document.title = "broken"</script> \u202e\nparam x = "</script>`;
    const { page, close } = await open({ [name]: text });
    assert.match(await page.textContent(".st-title"), /img src=x/);
    assert.equal(await page.locator("img:not(.cm-widgetBuffer)").count(), 0);
    assert.ok(!(await page.title()).startsWith("broken"));
    assert.ok((await page.locator(".cm-specialChar").count()) > 0, "directions are shown as what they are");
    await close();
  });

  test("it holds on a phone, in the dark, and by keyboard", async () => {
    const { page, close } = await open({ "game.drbt": await example("interception.drbt") }, { width: 390, height: 844, dark: true });
    assert.ok(await page.isVisible(".st-editor"));
    assert.ok(!(await page.isVisible(".st-settings")));
    await page.click(".st-tabs [data-tab=settings]");
    assert.ok(await page.isVisible(".st-settings input[type=range]"));
    await keep(page, "studio-phone-settings");
    await page.keyboard.press("Control+Enter");
    await page.waitForSelector(".st-page .dv-top");
    assert.ok(await page.isVisible(".st-page canvas"));
    await keep(page, "studio-phone");
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, `${overflow} px too wide`);
    await page.click(".st-tabs [data-tab=model]");
    await page.focus(".cm-content");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    assert.ok(!(await page.evaluate(() => document.activeElement.closest(".cm-editor") !== null)), "Tab leaves the editor after Escape");
    await close();
  });
});
