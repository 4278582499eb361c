// Bundles a TypeScript module for Node, so that a unit test imports what the browser runs.

import { build } from "esbuild";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const web = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

/** The exports of modules below web/src, such as "columns.ts": all in one bundle, so that they share what they share. */
export async function load(...modules) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "dyverse-units-"));
  const outfile = path.join(folder, "bundle.mjs");
  try {
    await build({
      stdin: {
        contents: modules.map((module) => `export * from ${JSON.stringify(`./src/${module}`)};`).join("\n"),
        resolveDir: web,
        loader: "ts",
      },
      outfile,
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20",
      logLevel: "warning",
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(folder, { recursive: true });
  }
}
