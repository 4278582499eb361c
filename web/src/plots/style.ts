// The look of the plots. Colours are those of the page's tokens.

const sheet = `
.pl { display: flex; flex-direction: column; flex: 1; min-height: 0; min-width: 0; position: relative; color: var(--fg); font-variant-numeric: tabular-nums; }
.pl-bar { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 6px; padding: 6px 8px 5px 12px; }
.pl-bar .pl-note { color: var(--muted); font-size: 12px; flex: 1 0 auto; max-width: 100%; text-align: right; }
.pl-bar .pl-note:empty { display: none; }
.pl-scroll { flex: 1; min-height: 0; overflow: hidden auto; display: flex; flex-direction: column; }
.pl-panel { flex: 1 0 auto; display: flex; flex-direction: column; position: relative; }
.pl-panel + .pl-panel { border-top: 1px solid color-mix(in srgb, var(--line) 60%, transparent); }
.pl-panel > header { display: flex; align-items: flex-start; gap: 6px; padding: 4px 6px 0 12px; }
.pl-legend { display: flex; flex-wrap: wrap; gap: 1px 16px; flex: 1; min-width: 0; padding-top: 3px; font-size: 12.5px; }
.pl-chip { display: inline-flex; align-items: center; gap: 6px; min-width: 0; max-width: 100%; }
.pl-chip .pl-name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; flex: none; max-width: min(28ch, 60%); }
.pl-chip .pl-value { color: var(--muted); min-width: 10ch; overflow-wrap: anywhere; }
.dv button.pl-drop, .pl button.pl-drop { min-height: 20px; padding: 0 3px; margin-left: -6px; opacity: 0; }
.pl-chip:hover .pl-drop, .pl .pl-drop:focus-visible { opacity: 1; }
@media (hover: none) { .dv button.pl-drop, .pl button.pl-drop { opacity: 0.6; } }
.pl-drop svg { width: 10px !important; height: 10px !important; }
.pl-sample { flex: none; }
.pl-sample line { fill: none; }
${Array.from({ length: 8 }, (_, k) => `.pl-stroke-${k} { stroke: var(--c${k}, currentColor); }`).join("\n")}
.pl-tools { display: flex; flex: none; align-items: center; }
.pl-icon svg, .pl-menu summary svg { width: 14px; height: 14px; fill: currentColor; display: block; color: var(--muted); }
.pl-menu { position: relative; }
.pl-menu summary { list-style: none; cursor: pointer; padding: 6px 7px; border-radius: 6px; }
.pl-menu summary::-webkit-details-marker { display: none; }
.pl-menu summary:hover { background: var(--raised); }
.pl-choices { position: absolute; right: 0; top: 100%; z-index: 6; display: flex; flex-direction: column; gap: 2px; padding: 4px; background: var(--panel); border: 1px solid var(--line); border-radius: 8px; box-shadow: 0 6px 24px rgb(0 0 0 / 18%); }
.pl-choices button, .dv .pl-choices button { justify-content: flex-start; border-color: transparent; }
.pl-area { flex: 1 0 auto; min-height: 128px; position: relative; overflow: hidden; touch-action: pan-y; cursor: crosshair; user-select: none; -webkit-user-select: none; }
.pl-panel:only-of-type .pl-area { min-height: 190px; }
.pl-area:focus-visible { outline: 2px solid var(--focus); outline-offset: -2px; }
.pl-area canvas { position: absolute; inset: 0; width: 100%; height: 100%; display: block; }
.pl-cursor, .pl-hover { position: absolute; top: 0; bottom: 0; left: 0; width: 0; pointer-events: none; }
.pl-cursor { border-left: 1.5px solid var(--fg); margin-left: -0.75px; opacity: 0.75; }
.pl-hover { border-left: 1px dashed var(--muted); margin-left: -0.5px; }
.pl-box { position: absolute; border: 1px solid var(--accent); background: color-mix(in srgb, var(--accent) 14%, transparent); pointer-events: none; }
.pl-axis { position: sticky; bottom: 0; z-index: 2; height: 54px; flex: none; background: var(--panel); overflow: hidden; }
.pl-axis canvas { position: absolute; inset: 0; width: 100%; height: 100%; display: block; }
.pl-axis .pl-cursor { bottom: auto; height: 16px; }
.pl-flag { position: absolute; bottom: 2px; left: 0; font-size: 11px; line-height: 16px; padding: 0 6px; border-radius: 4px; background: var(--fg); color: var(--panel); white-space: nowrap; pointer-events: none; }
.pl-empty { margin: auto; padding: 32px 16px; text-align: center; color: var(--muted); display: flex; flex-direction: column; gap: 10px; align-items: center; }
.pl-readout { position: absolute; z-index: 5; pointer-events: none; background: var(--panel); border: 1px solid var(--line); border-radius: 8px; box-shadow: 0 6px 24px rgb(0 0 0 / 18%); padding: 7px 10px; font-size: 12px; line-height: 1.4; max-width: min(440px, calc(100% - 16px)); max-height: 90%; overflow: hidden; top: 0; left: 0; }
.pl-when { display: flex; gap: 10px; align-items: baseline; padding-bottom: 4px; margin-bottom: 4px; border-bottom: 1px solid var(--line); }
.pl-values { display: grid; grid-template-columns: minmax(0, auto) auto; gap: 2px 14px; align-items: baseline; }
.pl-what { display: inline-flex; gap: 6px; align-items: center; min-width: 0; }
.pl-what bdi { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.pl-readings { display: flex; flex-direction: column; align-items: flex-end; }
.pl-reading { display: flex; gap: 6px; align-items: baseline; white-space: nowrap; }
.pl-reading .pl-n { color: var(--muted); font-size: 11px; }
.pl-chosen { background: var(--accent-soft); border-radius: 3px; padding: 0 3px; margin-right: -3px; }
.pl-picker { position: absolute; z-index: 7; top: 38px; right: 8px; width: min(340px, calc(100% - 16px)); max-height: min(420px, calc(100% - 50px)); min-height: 180px; display: flex; flex-direction: column; background: var(--panel); border: 1px solid var(--line); border-radius: 10px; box-shadow: 0 10px 36px rgb(0 0 0 / 22%); padding: 8px; gap: 6px; }
.pl-list { overflow: auto; flex: 1; min-height: 0; }
.pl-row { display: flex; gap: 8px; align-items: center; padding: 4px 6px; border-radius: 6px; cursor: pointer; font-size: 13px; }
.pl-row .pl-name { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.pl-row:hover, .pl-row.pl-active { background: var(--raised); }
.pl-row.pl-active { box-shadow: inset 2px 0 var(--accent); }
.pl-tick { width: 14px; height: 14px; flex: none; border: 1.5px solid var(--muted); border-radius: 3px; display: grid; place-items: center; font-size: 12px; line-height: 1; }
.pl-row[aria-selected=true] .pl-tick { background: var(--accent); border-color: var(--accent); color: var(--accent-fg); }
.pl-row[aria-selected=true] .pl-tick::after { content: "✓"; }
.pl-more { font-size: 12px; padding: 2px 6px; }
`;

let installed = false;

/** Adds the styles to the document, once. */
export function installPlotStyle(): void {
  if (installed) return;
  installed = true;
  const made = new CSSStyleSheet();
  made.replaceSync(sheet);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, made];
}
