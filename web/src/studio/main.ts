// The studio's page: asks the server what it is about, and begins.

import { el } from "../shell/dom";
import { installStyle } from "../style";
import { Api, CallFailed, takeToken } from "./api";
import { Studio } from "./studio";
import { studioStyle } from "./style";

async function start(): Promise<void> {
  installStyle();
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(studioStyle);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const api = new Api(takeToken());
  try {
    const studio = new Studio(api, await api.studio());
    document.body.append(studio.root);
    await studio.begin();
  } catch (error) {
    const isRefused = error instanceof CallFailed && error.status === 403;
    const text = isRefused
      ? "This address lacks the studio's token. Open the address that `dyverse studio` printed in its terminal."
      : error instanceof Error ? error.message : String(error);
    document.body.append(el("div", { class: "dv st-welcome", role: "alert" }, el("h2", {}, "The studio cannot be shown"), el("p", {}, text)));
  }
}

void start();
