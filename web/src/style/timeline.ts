// The foot: transport, bar, microsteps; and the rows of modes.

export const timeline = `
.dv-foot { position: sticky; bottom: 0; z-index: 5; margin-top: 10px; background: var(--panel); border-top: 1px solid var(--line); box-shadow: 0 -2px 10px rgb(10 20 30 / 7%); padding-bottom: env(safe-area-inset-bottom); min-width: 0; }
.dv-transport { display: flex; align-items: center; gap: 6px 18px; padding: 6px 14px 0; flex-wrap: wrap; }
.dv-buttons { display: flex; gap: 2px; align-items: center; }
.dv-buttons button { padding: 3px 8px; } .dv-play { min-width: 44px; border-radius: 999px !important; margin: 0 4px; }
.dv-clock { display: flex; align-items: baseline; gap: 12px; } .dv-clock label { display: flex; gap: 6px; align-items: baseline; }
.dv-time { width: 11.5ch; font-size: 14px !important; padding: 2px 6px !important; min-height: 28px !important; }
.dv-micro { min-width: 9.5ch; white-space: nowrap; }
.dv-settings { display: flex; gap: 4px; margin-left: auto; align-items: center; } .dv-settings select { min-height: 28px; padding: 1px 4px; font-size: 13px; }
.dv-barhost { min-width: 0; overflow: hidden; }
.dv-bar { display: block; width: 100%; touch-action: none; cursor: pointer; }
.dv-bar:focus-visible { outline-offset: -2px; }
.dv-track { fill: var(--line); } .dv-done { fill: var(--accent); opacity: 0.55; }
.dv-head line { stroke: var(--fg); stroke-width: 1.5; } .dv-head circle { fill: var(--panel); stroke: var(--fg); stroke-width: 2; }
.dv-tick line { stroke: var(--muted); } .dv-tick text { fill: var(--muted); font: 11px var(--font); text-anchor: middle; font-variant-numeric: tabular-nums; }
.dv-flag path { fill: var(--mark); stroke: var(--mark); stroke-width: 1.5; }
.dv-mark path, .dv-markicon path { fill: var(--tint); stroke: var(--panel); stroke-width: 1; fill-rule: evenodd; }
.dv-mark .dv-many { fill: var(--tint); opacity: 0.25; }
.dv-count { font: 600 9.5px var(--font); fill: var(--muted); text-anchor: middle; }
.dv-markicon { width: 14px; height: 14px; flex: none; }
.dv-impact { --tint: var(--c3); } .dv-close { --tint: var(--c2); } .dv-open { --tint: var(--c0); } .dv-slip { --tint: var(--c1); }
.dv-zeno { --tint: var(--c4); } .dv-mode { --tint: var(--c5); } .dv-event { --tint: var(--c7); }

.dv-microsteps { height: 46px; overflow-x: auto; overflow-y: hidden; padding: 2px 14px 6px; scrollbar-width: thin; }
.dv-microsteps .dv-hint { font-size: 12.5px; line-height: 34px; }
.dv-microsteps ol { list-style: none; display: flex; align-items: center; margin: 0; padding: 0; width: max-content; height: 36px; }
.dv-microsteps li { display: flex; align-items: center; }
.dv-place { min-height: 30px !important; font-size: 13px !important; padding: 1px 9px !important; max-width: 26ch; overflow: hidden; }
.dv-place bdi { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; } .dv-place small { color: var(--muted); font-size: 10.5px; font-variant-numeric: tabular-nums; }
.dv-place[aria-current] { background: var(--accent) !important; border-color: var(--accent) !important; color: var(--accent-fg) !important; font-weight: 650; } .dv-place[aria-current] small { color: inherit; }
.dv-edge { border: 0 !important; background: none !important; min-height: 30px !important; padding: 0 4px !important; font-size: 11px !important; color: var(--muted) !important; flex-direction: column; gap: 0 !important; position: relative; min-width: 34px; line-height: 14px; padding-bottom: 12px !important; }
.dv-edge::after { content: ""; position: absolute; left: 3px; right: 4px; bottom: 9px; height: 0; border-top: 1.5px dashed var(--line); }
.dv-edge::before { content: ""; position: absolute; right: 2px; bottom: 6px; border: 4px solid transparent; border-left: 6px solid var(--line); border-right: 0; }
.dv-edge.dv-taken::after { border-top-style: solid; border-top-color: var(--muted); } .dv-edge.dv-taken::before { border-left-color: var(--muted); }
.dv-edge.dv-just { color: var(--fg) !important; font-weight: 650; } .dv-edge.dv-just::after { border-top: 2.5px solid var(--accent); bottom: 8.5px; } .dv-edge.dv-just::before { border-left-color: var(--accent); }
@container dv (max-width: 700px) {
  .dv-transport { justify-content: center; padding: 5px 6px 0; gap: 2px 10px; } .dv-settings { margin: 0; } .dv-buttons { flex-basis: 100%; justify-content: space-between; } .dv-buttons button { padding: 3px 9px; min-height: 38px; }
  .dv-clock { gap: 6px; } .dv-micro { min-width: 0; font-size: 12px; } .dv-time { width: 9.5ch; font-size: 12.5px !important; }
  .dv-settings select, .dv-settings button { font-size: 12px; padding: 1px 2px; } .dv-at-events { width: 62px; } .dv-speed { width: 56px; } .dv-settings { gap: 2px; }
}

.dv-modes { display: grid; grid-template-columns: minmax(90px, 180px) minmax(0, 1fr); gap: 2px 10px; padding: 8px 12px; overflow-y: auto; align-items: center; }
.dv-mode-name { min-width: 0; display: flex; flex-direction: column; line-height: 1.2; font-size: 12.5px; } .dv-mode-name bdi { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.dv-mode-now { color: var(--muted); font-size: 11.5px; overflow: hidden; }
.dv-lane { min-width: 0; overflow: hidden; } .dv-lane svg { display: block; }
.dv-stretch rect { fill: color-mix(in srgb, var(--tint) 30%, var(--panel)); stroke: var(--tint); } .dv-stretch text { font: 11.5px var(--font); fill: var(--fg); pointer-events: none; }
.dv-mode-0 { --tint: var(--c0); } .dv-mode-1 { --tint: var(--c1); } .dv-mode-2 { --tint: var(--c2); } .dv-mode-3 { --tint: var(--c4); } .dv-mode-4 { --tint: var(--c3); } .dv-mode-5 { --tint: var(--c6); } .dv-mode-6 { --tint: var(--c7); }
.dv-many-modes rect { fill: var(--muted); stroke: none; opacity: 0.6; }
.dv-modes-head { stroke: var(--fg); stroke-width: 1.5; pointer-events: none; }
.dv-modes-axis text { font: 11px var(--font); fill: var(--muted); text-anchor: middle; }
`;
