// A page with nothing but the plots of one run, for the tests of the plots.

import { build } from "esbuild";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

const web = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

const entry = `
import { LoadedRun } from "./src/columns";
import { Cursor } from "./src/cursor";
import { PlotsView } from "./src/plots";
import { installStyle } from "./src/style";

const page = JSON.parse(document.getElementById("page").textContent);
const blob = (place) => document.getElementById("blob-" + place).textContent;
installStyle();
const host = document.getElementById("host");
const loaded = new LoadedRun({ page, blob }, page.runs[0]);
const cursor = new Cursor(page.runs[0]);
let view = new PlotsView(host, loaded, cursor);
globalThis.plots = { loaded, cursor, again() { view.destroy(); view = new PlotsView(host, loaded, cursor); }, destroy() { view.destroy(); } };
`;

/** Writes the page of a source (see ../units/pack.mjs) to a file. */
export async function writePlotPage(file, source) {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: web, loader: "ts" },
    write: false,
    bundle: true,
    format: "iife",
    target: ["chrome110"],
    logLevel: "warning",
  });
  const text = (value) => value.replaceAll("<", "\\u003c");
  await writeFile(
    file,
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>plots</title>
<style>html, body { margin: 0; height: 100%; } #host { height: 100vh; display: flex; flex-direction: column; background: var(--panel); }</style>
<div class="dv"><div id="host"></div></div>
<script type="application/json" id="page">${text(JSON.stringify(source.page))}</script>
${source.blobs.map((blob, place) => `<script type="text/plain" id="blob-${place}">${blob}</script>`).join("\n")}
<script>${outputFiles[0].text.replaceAll("</script", "<\\/script")}</script></html>`,
  );
}
