// How a check looks. Colours come from the page; the fallbacks are Okabe and Ito's, that the colour-blind can tell apart.

const css = `
.check { --c-fg: var(--fg, #1b1f24); --c-bg: var(--bg, #fff); --c-panel: var(--panel, #f6f7f9); --c-line: var(--line, #d4d8de);
  --c-muted: var(--muted, #5b6470); --c-accent: var(--accent, #0072b2);
  --c-safe: var(--safe, #0072b2); --c-unsafe: var(--unsafe, #d55e00); --c-undecided: var(--undecided, #7a7f87);
  color: var(--c-fg); display: grid; gap: 2rem; container-type: inline-size; font-variant-numeric: tabular-nums; }
.check * { box-sizing: border-box; }
.check h3, .check h4, .check p { margin: 0; }
.check-answer { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; min-width: 0; }
.check-answer + .check-answer { border-top: 1px solid var(--c-line); padding-top: 2rem; }
.check-head { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; align-items: center; }
.check-sign { width: 3.25rem; height: 3.25rem; grid-row: span 2; }
.check-sign .shape { fill: var(--sign); } .check-sign .mark { fill: none; stroke: var(--c-bg); stroke-width: 5; stroke-linecap: round; stroke-linejoin: round; }
.check-sign .dot { fill: var(--c-bg); }
.check-word { font-size: clamp(1.6rem, 6cqw, 2.4rem); font-weight: 750; letter-spacing: .02em; line-height: 1.05; display: flex; flex-wrap: wrap; gap: .1em .5em; align-items: baseline; }
.check-word .name { font-size: 1.05rem; font-weight: 600; letter-spacing: 0; color: var(--c-muted); overflow-wrap: anywhere; }
.check-word .name, .check-formula, .check-values :is(dt, dd), .check-text { unicode-bidi: isolate; }
.check-formula { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .92rem; overflow-wrap: anywhere; }
.check-text { max-width: 72ch; line-height: 1.5; overflow-wrap: anywhere; }
.check-text.quiet, .check .quiet { color: var(--c-muted); }
.check-panels { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr); }
.check-panel { background: var(--c-panel); border: 1px solid var(--c-line); border-radius: 10px; padding: 1rem; display: grid; grid-template-columns: minmax(0, 1fr); gap: .75rem; min-width: 0; align-content: start; }
.check-panel > h4 { font-size: .95rem; font-weight: 650; display: flex; flex-wrap: wrap; gap: .5rem 1rem; justify-content: space-between; align-items: center; }
.check-tools, .check label { min-width: 0; max-width: 100%; }
.check-tools { display: inline-flex; gap: .35rem; flex-wrap: wrap; align-items: center; font-weight: 400; }
.check button, .check select { font: inherit; font-size: .85rem; color: inherit; background: var(--c-bg); border: 1px solid var(--c-line); border-radius: 6px; padding: .3rem .65rem; min-height: 2rem; max-width: 100%; }
.check select { min-width: 0; flex: 0 1 auto; text-overflow: ellipsis; }
.check button { cursor: pointer; } .check button:hover { border-color: var(--c-accent); }
.check button.primary { background: var(--c-accent); border-color: var(--c-accent); color: var(--accent-fg, #fff); font-weight: 600; }
.check button[disabled] { opacity: .45; cursor: default; }
.check :focus-visible { outline: 2px solid var(--c-accent); outline-offset: 2px; }
.check label { font-size: .85rem; display: inline-flex; gap: .4rem; align-items: center; color: var(--c-muted); min-width: 0; }
.check-chart { position: relative; margin-bottom: .5rem; touch-action: pan-y; cursor: crosshair; user-select: none; -webkit-user-select: none; border-radius: 4px; }
.check-chart svg, .check-chart canvas { display: block; width: 100%; }
.check-panels-inner { display: grid; gap: 1rem; }
.check svg text { fill: var(--c-muted); font-size: 11px; font-family: inherit; }
.check svg text.over { fill: var(--c-fg); paint-order: stroke; stroke: var(--c-bg); stroke-width: 3px; }
.check svg .axis { stroke: var(--c-line); stroke-width: 1; fill: none; shape-rendering: crispEdges; }
.check svg .frame { stroke: var(--c-muted); stroke-width: 1; fill: none; shape-rendering: crispEdges; }
.check .fill-safe { fill: var(--c-safe); } .check .fill-unsafe { fill: var(--c-unsafe); } .check .fill-undecided { fill: var(--c-bg); }
.check .ink-safe { stroke: var(--c-safe); } .check .ink-unsafe { stroke: var(--c-unsafe); } .check .ink-undecided { stroke: var(--c-undecided); }
.check .pattern-dot { fill: var(--c-bg); } .check .pattern-hatch { stroke: var(--c-undecided); stroke-width: 2; }
.check .pattern-ground { fill: var(--c-unsafe); } .check .pattern-blank { fill: var(--c-bg); }
.check .is-current { stroke: var(--c-fg); stroke-width: 2; }
.check .cursor { stroke: var(--c-fg); stroke-width: 1; stroke-dasharray: 2 2; }
.check .witness { fill: var(--c-fg); stroke: var(--c-bg); stroke-width: 1.5; }
.check .threshold { stroke: var(--c-fg); stroke-width: 1.25; stroke-dasharray: 7 4; }
.check .run { fill: none; stroke: var(--c-fg); stroke-width: 1.5; } .check .jump { fill: none; stroke: var(--c-fg); stroke-width: 1; stroke-dasharray: 2 3; }
.check .bar { fill: var(--c-accent); } .check .bar.is-current { fill: var(--c-fg); stroke: none; }
.check-legend { display: flex; flex-wrap: wrap; gap: .35rem 1.1rem; font-size: .85rem; list-style: none; margin: 0; padding: 0; }
.check-legend li { display: inline-flex; gap: .45rem; align-items: center; min-width: 0; overflow-wrap: anywhere; }
.check-legend svg { flex: none; width: 22px; height: 14px; }
.check-reading { font-size: .85rem; line-height: 1.45; min-height: 2.9em; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.check-reading b { font-weight: 650; }
.check-hint { font-size: .78rem; color: var(--c-muted); }
.check-values { display: grid; grid-template-columns: minmax(0, max-content) minmax(0, 1fr); gap: .3rem 1.25rem; margin: 0; font-size: .9rem; }
.check-values dt { color: var(--c-muted); overflow-wrap: anywhere; } .check-values dd { margin: 0; overflow-wrap: anywhere; }
.check-call { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .5rem; align-items: center; }
.check-call code { background: var(--c-bg); border: 1px solid var(--c-line); border-radius: 6px; padding: .4rem .6rem; font-size: .82rem; overflow-x: auto; white-space: nowrap; }
.check-scroll { overflow-x: auto; }
.check table { border-collapse: collapse; font-size: .85rem; } .check th, .check td { text-align: right; padding: .25rem .75rem; border-bottom: 1px solid var(--c-line); font-weight: 400; white-space: nowrap; }
.check th { color: var(--c-muted); } .check th[scope=row] { text-align: left; padding-left: 0; } .check td.words { text-align: left; white-space: normal; overflow-wrap: anywhere; }
.check summary { cursor: pointer; font-size: .85rem; color: var(--c-muted); }
.check-multiples { display: grid; gap: .75rem 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); }
.check-multiples figure { margin: 0; min-width: 0; } .check-multiples figcaption { font-size: .82rem; display: flex; justify-content: space-between; gap: .5rem; }
.check-totals { display: grid; gap: .5rem 1.5rem; grid-template-columns: repeat(auto-fill, minmax(7.5rem, 1fr)); margin: 0; }
.check-totals div { display: grid; } .check-totals dt { order: 2; font-size: .78rem; color: var(--c-muted); } .check-totals dd { margin: 0; font-size: 1.15rem; font-weight: 600; }
.check-list { margin: 0; padding: 0; list-style: none; display: grid; gap: .4rem; font-size: .9rem; }
.check-list li { display: grid; grid-template-columns: minmax(4.5rem, max-content) 1fr; gap: .75rem; overflow-wrap: anywhere; }
.check-list li > :first-child { color: var(--c-muted); text-align: right; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;

let adopted = false;

/** Adds the rules to the document, once. As a constructed sheet: that needs no leave of a content security policy. */
export function adoptStyle(): void {
  if (adopted) return;
  adopted = true;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
