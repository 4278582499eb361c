// Builds the scripts and style sheets that the Rust crates embed: `npm run build`, or `cargo xtask pages --bless`.
// The output is committed, so that whoever builds dyverse needs no Node.

import { build } from "esbuild";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import path from "node:path";

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, "..");
const outputs = [
  { entry: "src/page.ts", to: process.env.DYVERSE_PAGE_OUT ?? "crates/4-write/view/assets/page.js" },
  { entry: "src/studio/main.ts", to: process.env.DYVERSE_STUDIO_OUT ?? "crates/5-use/studio/assets/studio.js" },
];

for (const { entry, to } of outputs) {
  if (!existsSync(path.join(here, entry))) continue;
  await build({
    absWorkingDir: here,
    entryPoints: [entry],
    outfile: path.resolve(root, to),
    bundle: true,
    minify: true,
    format: "iife",
    target: ["chrome110", "firefox115", "safari16.4"],
    charset: "ascii",
    legalComments: "inline",
    loader: { ".css": "css" },
    logLevel: "warning",
  });
}
