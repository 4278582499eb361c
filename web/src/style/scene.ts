// The scene's canvas and what lies over it.

export const scene = `
.dv-scene { overflow: hidden; touch-action: none; }
.dv-scene .dv-canvas { position: absolute; inset: 0; width: 100%; height: 100%; display: block; }
.dv-scene .dv-canvas:focus-visible { outline-offset: -3px; }
.dv-labels { position: absolute; inset: 0; pointer-events: none; overflow: hidden; }
.dv-labels span {
  position: absolute; left: 0; top: 0; font-size: 12px; font-weight: 600; padding: 0 5px; border-radius: 4px; white-space: nowrap; max-width: 16em; overflow: hidden; text-overflow: ellipsis;
  color: var(--fg); background: color-mix(in srgb, var(--panel) 72%, transparent);
}
.dv-legend { position: absolute; left: 10px; bottom: 8px; display: flex; flex-direction: column; gap: 2px; font-size: 12px; pointer-events: none; }
.dv-legend span { display: inline-flex; align-items: center; gap: 7px; padding: 1px 8px 1px 6px; border-radius: 5px; background: color-mix(in srgb, var(--panel) 82%, transparent); width: max-content; }
.dv-legend i { display: inline-block; width: 26px; height: 10px; position: relative; }
.dv-legend i::before { content: ""; position: absolute; left: 0; right: 6px; top: 4px; height: 2px; background: var(--tint); }
.dv-legend i::after { content: ""; position: absolute; right: 0; top: 1px; border: 4px solid transparent; border-left: 8px solid var(--tint); border-right: 0; }
.dv-legend-force { --tint: var(--force); } .dv-legend-impulse { --tint: var(--impulse); }
.dv-legend-impulse i::before { height: 4px; top: 3px; border-radius: 2px; box-shadow: -1px 0 0 2px var(--tint) inset; }
.dv-triad { position: absolute; right: 4px; bottom: 4px; pointer-events: none; } .dv-triad line { stroke: var(--muted); stroke-width: 1.5; } .dv-triad text { font: 11px var(--mono); fill: var(--muted); text-anchor: middle; }
.dv-follow { max-width: 13ch !important; }
`;
