// Controls, panels, tables and names: what every part of a page is made of.

export const base = `
.dv, .dv * { box-sizing: border-box; }
.dv {
  font: 14px/1.45 var(--font); color: var(--fg); background: var(--bg);
  container: dv / inline-size; -webkit-text-size-adjust: 100%;
}
.dv [hidden] { display: none !important; }
.dv bdi { unicode-bidi: isolate; }
.dv .dv-escape {
  font: 0.82em/1 var(--mono); padding: 0 3px; margin: 0 1px; border: 1px solid currentColor; border-radius: 3px; opacity: 0.75;
}
.dv .dv-num { font-family: var(--mono); font-variant-numeric: tabular-nums; font-size: 0.93em; }
.dv .dv-muted { color: var(--muted); }
.dv .dv-code { font-family: var(--mono); font-size: 0.9em; overflow-wrap: anywhere; }

.dv button, .dv select, .dv input[type=search], .dv input[type=text] {
  font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: 6px;
  min-height: 32px; padding: 3px 9px;
}
.dv button { cursor: pointer; display: inline-flex; align-items: center; justify-content: center; gap: 6px; white-space: nowrap; }
.dv button:hover:not(:disabled) { border-color: var(--muted); background: var(--raised); }
.dv button:disabled { opacity: 0.45; cursor: default; }
.dv button[aria-pressed=true] { background: var(--accent-soft); border-color: var(--accent); color: var(--fg); }
.dv button.dv-quiet { border-color: transparent; background: transparent; }
.dv button.dv-quiet:hover { background: var(--raised); }
.dv button.dv-quiet[aria-pressed=true] { background: var(--accent-soft); border-color: var(--accent); }
.dv button.dv-small, .dv select.dv-small { min-height: 26px; padding: 1px 7px; font-size: 12.5px; }
.dv button.dv-main { background: var(--accent); border-color: var(--accent); color: var(--accent-fg); }
.dv button.dv-main:hover { background: var(--accent); filter: brightness(1.08); }
.dv button svg { width: 16px; height: 16px; fill: currentColor; flex: none; display: block; }
.dv :focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; }
.dv :focus:not(:focus-visible) { outline: none; }

.dv-panel {
  background: var(--panel); border: 1px solid var(--line); border-radius: var(--radius); box-shadow: var(--shade);
  display: flex; flex-direction: column; min-width: 0; min-height: 0; overflow: hidden;
}
.dv-panel > header {
  display: flex; align-items: center; flex-wrap: wrap; gap: 4px 6px; padding: 5px 6px 5px 12px; border-bottom: 1px solid var(--line); min-height: 38px;
}
.dv-panel > header h2 { font-size: 12.5px; font-weight: 650; margin: 0; letter-spacing: 0.01em; }
.dv-panel > header .dv-spring { flex: 1; }
.dv-panel > .dv-body { flex: 1; min-height: 0; min-width: 0; position: relative; display: flex; flex-direction: column; }

.dv table.dv-table { border-collapse: collapse; width: 100%; font-size: 13px; }
.dv .dv-table th { text-align: left; font-weight: 550; color: var(--muted); font-size: 12px; padding: 2px 10px 2px 0; white-space: nowrap; }
.dv .dv-table td { padding: 2px 10px 2px 0; vertical-align: top; border-top: 1px solid color-mix(in srgb, var(--line) 55%, transparent); }
.dv .dv-table .dv-right { text-align: right; }
.dv-wide { overflow-x: auto; }
.dv-hidden-text { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.dv kbd { font: 12px/1.3 var(--mono); border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 4px; padding: 1px 6px; background: var(--raised); }
@media (prefers-reduced-motion: no-preference) { .dv button { transition: background-color 0.12s, border-color 0.12s; } }
`;
