// The page as a whole: head, panels in a grid or as tabs, what stands below.

export const shell = `
html:has(.dv) { background: var(--bg); }
body:has(> .dv) { margin: 0; }
.dv-top {
  display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; padding: 8px 16px; background: var(--panel); border-bottom: 1px solid var(--line);
}
.dv-top h1 { font-size: 17px; margin: 0; font-weight: 650; overflow-wrap: anywhere; max-width: 60ch; }
.dv-top .dv-spring { flex: 1; }
.dv-status { font-size: 13px; color: var(--muted); display: inline-flex; gap: 6px; align-items: center; }
.dv-status.dv-early { color: var(--unsafe); }
.dv-verdict { font-weight: 700; letter-spacing: 0.04em; border: 1.5px solid currentColor; border-radius: 5px; padding: 1px 8px; color: var(--undecided); }
.dv-verdict.dv-safe { color: var(--safe); }
.dv-verdict.dv-unsafe { color: var(--unsafe); border-style: double; border-width: 3px; }
.dv-verdict.dv-unknown { border-style: dashed; }
.dv-runs { max-width: 40ch; }
.dv-page { display: flex; flex-direction: column; min-width: 0; }
.dv-note { margin: 10px 16px 0; padding: 7px 12px; border-left: 3px solid var(--c1); background: var(--panel); border-radius: 0 6px 6px 0; font-size: 13px; }
.dv-check { margin: 10px 16px 0; min-width: 0; }
.dv-written { margin: 0; padding: 8px 16px 14px; font-size: 12px; }
.dv-run { display: flex; flex-direction: column; min-width: 0; }

.dv-main { padding: 10px 16px 0; min-width: 0; }
.dv-tabs { display: none; }
.dv-grid { display: flex; gap: 10px; align-items: flex-start; }
.dv-column { display: flex; flex-direction: column; gap: 10px; flex: 1 1 0; min-width: 0; }
.dv-grid[data-columns="2"] .dv-column:last-child:not(:first-child) { flex: 0 1 40%; }
.dv-grid[data-columns="3"] .dv-column:last-child { flex: 0 1 26%; }
.dv-panel-scene { height: 420px; } .dv-panel-plots { min-height: 320px; } .dv-panel-graph { height: 400px; }
.dv-panel-events { height: 520px; } .dv-panel-values { max-height: 340px; } .dv-panel-modes { max-height: 420px; }
.dv-tools { display: inline-flex; flex-wrap: wrap; gap: 3px; align-items: center; }
.dv-tools select { max-width: 15ch; }
.dv-tools:empty { display: none; }
.dv-empty { margin: auto; padding: 20px; color: var(--muted); text-align: center; max-width: 44ch; }
.dv-searchrow { padding: 8px 10px; } .dv-searchrow input { width: 100%; }
.dv-values { position: relative; overflow: auto; flex: 0 1 auto; min-height: 26px; }
.dv-value { position: absolute; left: 0; right: 0; height: 26px; display: grid; grid-template-columns: minmax(0, 1fr) auto 4.5em; gap: 10px; padding: 3px 12px; font-size: 13px; border-top: 1px solid color-mix(in srgb, var(--line) 55%, transparent); }
.dv-value bdi, .dv-value .dv-muted { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.dv-none { padding: 8px 12px; margin: 0; }

@container dv (min-width: 980px) {
  .dv-panel-scene, .dv-panel-events { height: clamp(340px, 52vh, 640px); }
  .dv-panel-graph { height: clamp(320px, 48vh, 560px); }
  .dv-grid[data-columns="3"] .dv-panel-events { height: clamp(340px, 64vh, 760px); }
}
@container dv (max-width: 700px) {
  .dv-top { padding: 6px 10px; gap: 2px 8px; } .dv-top h1 { font-size: 15px; } .dv-kindtext { display: none; } .dv-status { font-size: 12px; order: 3; flex-basis: 100%; }
  .dv-main { padding: 6px 6px 0; } .dv-check { margin: 6px 6px 0; } .dv-note { margin: 6px 6px 0; }
  .dv-tabs { display: flex; gap: 4px; overflow-x: auto; padding-bottom: 6px; scrollbar-width: none; }
  .dv-tabs [role=tab] { flex: none; border-radius: 999px; padding: 3px 13px; }
  .dv-tabs [role=tab][aria-selected=true], .dv-tabs [role=tab][aria-selected=true]:hover { background: var(--fg) !important; color: var(--panel); border-color: var(--fg); }
  .dv-panel:not(.dv-active) { display: none; }
  .dv-panel > header h2, .dv-grow { display: none !important; }
  .dv-panel > header:not(:has(.dv-tools > *)) { display: none; }
  .dv-panel > header { padding: 4px 6px; } .dv-panel > header .dv-spring { display: none; }
  .dv-grid .dv-panel { height: min(62vh, 560px); min-height: 340px; } .dv-grid .dv-panel-plots, .dv-grid .dv-panel-modes, .dv-grid .dv-panel-values { height: auto; max-height: none; }
}
.dv-panel.dv-grown { height: calc(100vh - 200px); max-height: none; }
.dv-grid:has(.dv-grown) .dv-panel:not(.dv-grown), .dv-grid:has(.dv-grown) .dv-column:not(:has(.dv-grown)) { display: none; }
.dv-grid .dv-column:has(.dv-grown) { flex: 1 1 auto !important; }

.dv-about { margin: 10px 16px 0; background: var(--panel); border: 1px solid var(--line); border-radius: var(--radius); }
.dv-about summary { cursor: pointer; padding: 7px 12px; font-size: 12.5px; font-weight: 650; }
.dv-about[open] summary { border-bottom: 1px solid var(--line); }
.dv-columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(220px, 1fr)); gap: 8px 28px; padding: 10px 14px 14px; }
.dv-columns h3 { font-size: 12px; color: var(--muted); font-weight: 600; margin: 0 0 4px; } .dv-columns p { margin: 0; font-size: 13px; }
.dv-figures { display: grid; grid-template-columns: 1fr auto; gap: 2px 14px; margin: 0; font-size: 13px; } .dv-figures dd { margin: 0; text-align: right; }
.dv-figures dt { overflow-wrap: anywhere; }
.dv-source-tools { float: right; padding: 8px; }
.dv-source-text { overflow: auto; max-height: 60vh; }
.dv-lines { margin: 0; padding: 10px 12px 12px 4.2em; font: 12.5px/1.55 var(--mono); }
.dv-lines li::marker { color: var(--muted); font-size: 11px; } .dv-lines bdi { white-space: pre-wrap; overflow-wrap: anywhere; }
@container dv (max-width: 700px) { .dv-about { margin: 6px 6px 0; } }

.dv-help { max-width: 560px; width: calc(100vw - 24px); border: 1px solid var(--line); border-radius: 12px; background: var(--panel); color: var(--fg); padding: 16px 20px 20px; }
.dv-help::backdrop { background: rgb(0 0 0 / 40%); }
.dv-help header { display: flex; align-items: center; } .dv-help header .dv-spring { flex: 1; }
.dv-help h2 { font-size: 16px; margin: 0; } .dv-help h3 { font-size: 12.5px; color: var(--muted); margin: 14px 0 6px; font-weight: 600; }
.dv-help dl { display: grid; grid-template-columns: minmax(9em, auto) 1fr; gap: 6px 16px; margin: 0; } .dv-help dd { margin: 0; } .dv-help dt { display: flex; gap: 4px; flex-wrap: wrap; }
`;
