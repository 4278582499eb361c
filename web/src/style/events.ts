// The panel of events: where the run is, transitions, the list of instants.

export const events = `
.dv-events .dv-detail { flex: 1 1 auto; overflow: auto; padding: 8px 12px 4px; min-height: 0; }
.dv-moment { font-size: 15px; } .dv-moment .dv-num { font-weight: 650; }
.dv-where { display: flex; gap: 8px; flex-wrap: wrap; align-items: baseline; font-size: 13px; margin-top: 2px; }
.dv-location { font-weight: 650; }
.dv-card { border-top: 1px solid var(--line); margin-top: 8px; padding-top: 6px; }
.dv-card h3 { display: flex; align-items: center; gap: 6px; font-size: 12px; font-weight: 600; color: var(--muted); margin: 0; }
.dv-card h3 .dv-spring { flex: 1; } .dv-card h3 .dv-kind { color: var(--fg); }
.dv-detail h4 { font-size: 12px; margin: 8px 0 1px; font-weight: 600; } .dv-detail h4 .dv-muted { font-weight: 400; }
.dv-card p { margin: 2px 0; } .dv-move { display: flex; flex-wrap: wrap; gap: 2px 6px; align-items: baseline; overflow-wrap: anywhere; }
.dv-rule { font-size: 12px; color: var(--muted); border: 1px solid var(--line); border-radius: 999px; padding: 0 8px; margin-left: 4px; }
.dv-facts { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 1px 10px; margin: 4px 0 0; } .dv-facts dt { color: var(--muted); font-size: 12px; } .dv-facts dd { margin: 0; }
.dv-instants-head { border-top: 1px solid var(--line); padding: 4px 12px; font-size: 12px; color: var(--muted); background: var(--raised); }
.dv-instants { position: relative; overflow: auto; flex: 0 0 auto; height: min(32%, 180px, var(--rows)); min-height: min(90px, var(--rows)); }
.dv-instants:focus-visible { outline-offset: -2px; }
.dv-instant { position: absolute; left: 0; right: 0; height: 30px; display: flex; align-items: center; gap: 9px; padding: 0 12px; font-size: 13px; cursor: pointer; white-space: nowrap; }
.dv-instant:hover { background: var(--raised); } .dv-instant[aria-selected=true] { background: var(--accent-soft); box-shadow: inset 3px 0 0 var(--accent); }
.dv-instant .dv-fill { flex: 1; overflow: hidden; text-overflow: ellipsis; font-size: 12.5px; }
`;
