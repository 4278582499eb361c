// A page of its own: reads the document and its blobs from the elements that `dyverse view` wrote, and shows them.

import { unpackText } from "./columns/text";
import type { PageData, PageSource } from "./data";
import { mountPage } from "./mount";
import { el } from "./shell/dom";

async function read(): Promise<PageSource> {
  const element = document.getElementById("page");
  const text = element?.textContent;
  if (text === null || text === undefined) throw new Error("the document is missing");
  const isPacked = element?.getAttribute("type") === "text/plain";
  const page = JSON.parse(isPacked ? await unpackText(text) : text) as PageData;
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

async function start(): Promise<void> {
  const root = document.getElementById("root") ?? document.body.appendChild(el("div", { id: "root" }));
  try {
    mountPage(root, await read());
  } catch (error) {
    root.append(
      el("p", { role: "alert" }, `This page cannot be shown: ${error instanceof Error ? error.message : String(error)}`),
    );
    throw error;
  }
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", () => void start(), { once: true });
else void start();
