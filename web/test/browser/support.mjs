// What the browser tests share: pages made by dyverse, opened from disk in Chromium, with a record of every error in the
// console and of every request that leaves the disk.
//
// DYVERSE         the command; target/debug/dyverse of this repository if left out
// DYVERSE_PAGE_JS a script to put in place of the one that the command embeds: to test one that was just built
// DYVERSE_SHOTS   a folder in which screenshots are kept
// CHROMIUM        the browser; /usr/bin/chromium if left out

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { chromium } from "playwright-core";

const run = promisify(execFile);

export const repository = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../..");
export const dyverse = process.env.DYVERSE ?? path.join(repository, "target/debug/dyverse");

export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** A folder that is gone after the tests. */
export async function scratch() {
  const folder = await mkdtemp(path.join(os.tmpdir(), "dyverse-pages-"));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Runs dyverse in the repository; exit codes that are verdicts are no errors. */
export async function call(args, accepted = [0]) {
  try {
    return (await run(dyverse, args, { cwd: repository, maxBuffer: 1 << 28 })).stdout;
  } catch (error) {
    if (accepted.includes(error.code)) return error.stdout;
    throw error;
  }
}

/** Puts the script of DYVERSE_PAGE_JS into a page, if there is one. */
export async function freshScript(file) {
  const script = process.env.DYVERSE_PAGE_JS;
  if (script === undefined) return;
  const html = await readFile(file, "utf8");
  const from = html.lastIndexOf("<script>");
  await writeFile(file, `${html.slice(0, from)}<script>${await readFile(script, "utf8")}</script>\n</body>\n</html>\n`);
}

/** The page of a model or trace, by `dyverse view`. */
export async function viewPage(folder, model, more = []) {
  const file = path.join(folder, `${path.basename(model).replace(/\W/g, "_")}.html`);
  await call(["view", model, "-o", file, ...more]);
  await freshScript(file);
  return file;
}

/** Opens a file. `errors` and `requests` grow while the page lives: of requests only those that are not for the file. */
export async function open(browser, file, { width = 1280, height = 860, dark = false, touch = false } = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? "dark" : "light",
    hasTouch: touch,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  const errors = [];
  const requests = [];
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith("file:") && !/^(data|blob):/.test(request.url())) requests.push(request.url());
  });
  await page.goto(pathToFileURL(file).href);
  await page.waitForSelector(".dv-top");
  return { page, errors, requests, close: () => context.close() };
}

/** How many colours an element shows, of those that cover at least `least` pixels: one or none if it is blank. */
export async function coloursOf(page, selector, least = 12) {
  const shot = await page.locator(selector).first().screenshot();
  return page.evaluate(
    async ({ bytes, least }) => {
      const image = await createImageBitmap(
        new Blob([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], { type: "image/png" }),
      );
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, image.width, image.height);
      const counts = new Map();
      for (let k = 0; k < data.length; k += 4) {
        const colour = (data[k] << 16) | (data[k + 1] << 8) | data[k + 2];
        counts.set(colour, (counts.get(colour) ?? 0) + 1);
      }
      return [...counts.values()].filter((count) => count >= least).length;
    },
    { bytes: shot.toString("base64"), least },
  );
}

/** Keeps a screenshot, if somebody wants it. */
export async function keep(page, name, options = {}) {
  const folder = process.env.DYVERSE_SHOTS;
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, `${name}.png`), ...options });
}

/** After the next frames: views draw what changed once a frame. */
export function settled(page) {
  return page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** The moment that the timeline shows. */
export async function momentOf(page) {
  await settled(page);
  const bar = page.locator(".dv-bar");
  return { t: Number(await bar.getAttribute("data-t")), n: Number(await bar.getAttribute("data-n")) };
}
