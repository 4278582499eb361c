// A page of its own: reads the document and its blobs from the elements that `dyverse view` wrote, and shows them.

import type { PageData, PageSource } from "./data";
import { mountPage } from "./mount";
import { el } from "./shell/dom";

function read(): PageSource {
  const text = document.getElementById("page")?.textContent;
  if (text === null || text === undefined) throw new Error("the document is missing");
  const page = JSON.parse(text) as PageData;
  if (page.format !== "dyverse-page-1") throw new Error(`the format ${String(page.format)} is not known here`);
  return {
    page,
    blob(place) {
      const blob = document.getElementById(`blob-${place}`)?.textContent;
      if (blob === null || blob === undefined) throw new Error(`blob ${place} is missing`);
      return blob;
    },
  };
}

function start(): void {
  const root = document.getElementById("root") ?? document.body.appendChild(el("div", { id: "root" }));
  try {
    mountPage(root, read());
  } catch (error) {
    root.append(el("p", { role: "alert" }, `This page cannot be shown: ${error instanceof Error ? error.message : String(error)}`));
    throw error;
  }
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start, { once: true });
else start();
