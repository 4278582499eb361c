// Drawings: the frame, and within their own root what lights their elements.

export const graph = `
.dv-graph { position: absolute; inset: 0; overflow: hidden; cursor: grab; touch-action: none; }
.dv-graph:active { cursor: grabbing; } .dv-graph:focus-visible { outline-offset: -3px; }
.dv-graph-holder { width: 100%; height: 100%; display: block; }
.dv-visits { position: absolute; right: 8px; top: 8px; bottom: 8px; width: min(250px, 70%); height: max-content; max-height: calc(100% - 16px); overflow: auto; background: var(--panel); border: 1px solid var(--line); border-radius: var(--radius); box-shadow: var(--shade); padding: 6px 8px; font-size: 13px; }
.dv-visits header { display: flex; gap: 8px; align-items: center; } .dv-visits header .dv-spring { flex: 1; } .dv-visits ul { list-style: none; margin: 4px 0 0; padding: 0; } .dv-visits li button { width: 100%; justify-content: flex-start; gap: 10px; }
.dv-drawings { max-width: 24ch !important; }
`;

/** Custom properties reach into a shadow root, rules do not. */
export const shadowStyle = `
svg { width: 100%; height: 100%; display: block; user-select: none; }
.paper { fill: none !important; }
[data-light] { cursor: pointer; }
.dv-taken path, path.dv-taken, .dv-taken line, line.dv-taken { stroke-width: 3; }
.dv-last path:not([class*=tip]), path.dv-last, .dv-last line, line.dv-last { stroke-width: 5; stroke: var(--mark); stroke-dasharray: none; }
.dv-lit > rect, .dv-lit > ellipse, .dv-lit > circle, .dv-lit > path, .dv-lit > polygon, rect.dv-lit, ellipse.dv-lit, circle.dv-lit, polygon.dv-lit { stroke: var(--accent); stroke-width: 4.5; fill: color-mix(in srgb, var(--accent) 38%, transparent); }
.dv-lit > text, text.dv-lit { font-weight: bold; }
`;
