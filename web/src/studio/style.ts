// The studio's own styles: bars, panes, settings, the editor in the colours of the page.

export const studioStyle = `
:root { --st-number: #8a5a00; --st-field: #35566d; }
@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) { --st-number: #e9b872; --st-field: #a9c7da; } }
:root[data-theme=dark] { --st-number: #e9b872; --st-field: #a9c7da; }
html, body { margin: 0; height: 100%; background: var(--bg); }

.st { display: grid; height: 100vh; height: 100dvh; grid-template: "bar bar bar" auto "left split right" minmax(0, 1fr) / minmax(280px, var(--st-left, 40%)) 9px minmax(0, 1fr); }
.st-bar { grid-area: bar; display: flex; align-items: center; gap: 6px; padding: 6px 10px; border-bottom: 1px solid var(--line); background: var(--panel); min-width: 0; }
.st-title { display: flex; align-items: baseline; gap: 6px; min-width: 0; flex: 1; overflow: hidden; white-space: nowrap; padding: 0 6px; }
.st-title .st-path { font-weight: 620; overflow: hidden; text-overflow: ellipsis; }
.st-title .st-unsaved { color: var(--unsafe); font-size: 12.5px; }
.st-title .st-tag { color: var(--muted); font-size: 12.5px; overflow: hidden; text-overflow: ellipsis; }
.st-group { display: flex; gap: 6px; align-items: center; }
.st-gap { width: 1px; align-self: stretch; margin: 4px 4px; background: var(--line); }

.st-left { grid-area: left; display: flex; flex-direction: column; min-width: 0; min-height: 0; }
.st-editor { flex: 1 1 0; min-height: 120px; min-width: 0; overflow: hidden; background: var(--panel); }
.st-editor .cm-editor { height: 100%; font-size: 13.5px; color: var(--fg); background: var(--panel); }
.st-editor .cm-editor.cm-focused { outline: none; }
.st-editor .cm-scroller { font-family: var(--mono); line-height: 1.55; }
.st-editor .cm-content { caret-color: var(--fg); padding: 8px 0; }
.st-editor .cm-gutters { background: var(--panel); color: var(--muted); border-right: 1px solid var(--line); }
.st-editor .cm-activeLine { background: color-mix(in srgb, var(--accent) 6%, transparent); }
.st-editor .cm-activeLineGutter { background: var(--raised); color: var(--fg); }
.st-editor .cm-cursor { border-left-color: var(--fg); border-left-width: 1.6px; }
.st-editor .cm-editor .cm-selectionBackground, .st-editor .cm-editor.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground { background: color-mix(in srgb, var(--accent) 26%, transparent); }
.st-editor .cm-matchingBracket { background: var(--accent-soft); outline: 1px solid var(--accent); }
.st-editor .cm-selectionMatch { background: color-mix(in srgb, var(--c1) 22%, transparent); }
.st-editor .cm-lintRange-error { background: none; text-decoration: underline wavy var(--unsafe); text-decoration-thickness: 1.5px; text-underline-offset: 3px; }
.st-editor .cm-lintRange-warning { background: none; text-decoration: underline dotted var(--c1); text-decoration-thickness: 2px; text-underline-offset: 3px; }
.st-editor .cm-panels { background: var(--raised); color: var(--fg); border-color: var(--line); }
.st-editor .cm-panel input, .st-editor .cm-panel button { min-height: 26px; padding: 1px 7px; background-image: none; }
.cm-tooltip { background: var(--panel) !important; color: var(--fg); border: 1px solid var(--line) !important; border-radius: 6px; box-shadow: var(--shade); overflow: hidden; }
.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected] { background: var(--accent); color: var(--accent-fg); }
.cm-tooltip-lint { max-width: min(560px, 90vw); }
.cm-diagnostic { font: 13px/1.45 var(--font); padding: 6px 10px; }
.st .cm-tooltip .cm-diagnostic-error { border-left: 4px solid var(--unsafe); }
.st .cm-tooltip .cm-diagnostic-warning { border-left: 4px double var(--c1); }
.cm-diagnosticSource { display: none; }
.st-finding > div + div { margin-top: 3px; }
.st-code { font: 12px/1 var(--mono); padding: 1px 4px; border: 1px solid currentColor; border-radius: 3px; }
.st-code.st-error { color: var(--unsafe); }
.st-code.st-warning { color: var(--st-number); }
.st-help::before { content: "→ "; color: var(--accent); }

.st-state { display: flex; gap: 4px 12px; align-items: center; flex-wrap: wrap; padding: 3px 10px; border-block: 1px solid var(--line); background: var(--raised); font-size: 12.5px; min-height: 28px; }
.st-state button { min-height: 22px; padding: 0 7px; font-size: 12.5px; max-width: 100%; }
.st-state button span { overflow: hidden; text-overflow: ellipsis; }
.st-state .st-ok { color: var(--safe); }
.st-state .st-bad { color: var(--unsafe); }

.st-settings { flex: 0 1 auto; max-height: 48%; overflow: auto; padding: 2px 12px 14px; min-height: 0; background: var(--panel); scrollbar-gutter: stable; }
.st-section { padding-top: 8px; }
.st-section > header { display: flex; align-items: center; justify-content: space-between; min-height: 26px; }
.st-section h3 { margin: 0; font-size: 12px; font-weight: 650; color: var(--muted); letter-spacing: 0.02em; }
.st-section p { margin: 2px 0; }
.st-row { display: flex; align-items: center; gap: 8px; min-height: 34px; }
.st-row .st-name { width: 92px; flex: none; overflow: hidden; text-overflow: ellipsis; font-family: var(--mono); font-size: 13px; }
.st [data-changed] .st-name { font-weight: 700; }
.st [data-changed] .st-name::after { content: " *"; color: var(--accent); }
.st-fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(200px, 1fr)); gap: 0 22px; }
.st-field { display: flex; align-items: center; gap: 8px; min-height: 34px; min-width: 0; }
.st-field .st-name, .st-field .st-label { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: 13px; }
.st-field .st-name { font-family: var(--mono); }
.st-field .st-label { color: var(--muted); }
.st-grow { flex: 1; min-width: 0; }
.st-slider { flex: 1; min-width: 60px; display: flex; flex-direction: column; }
.st-slider input { width: 100%; margin: 0; accent-color: var(--accent); min-height: 20px; }
.st-ends { display: flex; justify-content: space-between; font-size: 10.5px; line-height: 1; }
.st .st-number { font: 13px/1.2 var(--mono); width: 108px; flex: none; color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: 6px; min-height: 28px; padding: 2px 6px; }
.st-formula { font-size: 12px; }
.st-empty { padding: 8px 0; }

.st-split { grid-area: split; cursor: col-resize; background: var(--bg); border-inline: 1px solid var(--line); touch-action: none; display: grid; place-items: center; }
.st-split::after { content: ""; width: 3px; height: 34px; border-radius: 2px; background: var(--line); }
.st-split:hover::after, .st-split:focus-visible::after { background: var(--accent); }

.st-right { grid-area: right; display: flex; flex-direction: column; min-width: 0; min-height: 0; }
.st-progress { display: flex; align-items: center; gap: 12px; padding: 6px 12px; border-bottom: 1px solid var(--line); background: var(--accent-soft); }
.st-progress progress { flex: none; width: clamp(80px, 18%, 220px); height: 8px; appearance: none; border: 0; border-radius: 4px; overflow: hidden; background: color-mix(in srgb, var(--accent) 22%, var(--panel)); }
.st-progress progress::-webkit-progress-bar { background: transparent; }
.st-progress progress::-webkit-progress-value { background: var(--accent); }
.st-progress progress::-moz-progress-bar { background: var(--accent); }
.st-progress output { flex: 1; min-width: 0; font-variant-numeric: tabular-nums; font-size: 13px; }
.st-message { padding: 8px 12px; border-bottom: 1px solid var(--line); border-left: 4px solid var(--unsafe); background: var(--panel); display: flex; gap: 10px; align-items: start; white-space: pre-line; overflow-wrap: anywhere; }
.st-message[data-kind=note] { border-left-color: var(--accent); }
.st-message > span { flex: 1; }
.st-result { flex: 1; min-height: 0; min-width: 0; overflow: auto; position: relative; }
.st-result[data-old] { opacity: 0.75; }
.st-result .dv-top > button[aria-label="Dark or light"] { display: none; }
.st-welcome { max-width: 480px; margin: 12vh auto 0; padding: 0 24px; color: var(--muted); }
.st-welcome h2 { color: var(--fg); font-size: 18px; margin: 0 0 8px; }
.st-welcome dl { display: grid; grid-template-columns: auto 1fr; gap: 6px 14px; margin: 14px 0 0; }
.st-welcome dd { margin: 0; }

.st-tabs { display: none; }

.st-dialog, .st-drawer { color: var(--fg); background: var(--panel); border: 1px solid var(--line); border-radius: 10px; box-shadow: 0 12px 40px rgb(0 0 0 / 25%); padding: 16px; }
.st-dialog::backdrop, .st-drawer::backdrop { background: rgb(10 15 20 / 40%); }
.st-dialog { width: min(460px, calc(100vw - 32px)); }
.st-dialog h2, .st-drawer h2 { margin: 0 0 10px; font-size: 16px; }
.st-dialog label { display: grid; gap: 4px; }
.st-dialog p { margin: 8px 0; overflow-wrap: anywhere; }
.st .st-wide { width: 100%; }
.st-problem { color: var(--unsafe); min-height: 1.4em; }
.st-buttons { display: flex; gap: 8px; justify-content: flex-end; flex-wrap: wrap; }
.st-drawer { margin: 0; height: 100dvh; max-height: none; width: min(460px, 94vw); max-width: none; border-radius: 0 10px 10px 0; }
.st-drawer[open] { display: flex; flex-direction: column; }
.st-drawer header { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin-bottom: 10px; }
.st-drawer header h2 { flex: 1; margin: 0; }
.st-files { overflow: auto; flex: 1; min-height: 0; margin: 6px -8px 0; padding: 0 4px 20px; }
.st-files h3 { font-size: 12px; color: var(--muted); margin: 14px 8px 4px; overflow-wrap: anywhere; }
.st-files p { margin: 4px 8px; }
.st .st-file { display: flex; flex-direction: column; align-items: flex-start; gap: 0; width: 100%; text-align: left; white-space: normal; padding: 5px 8px; line-height: 1.35; }
.st-file .dv-muted { font-size: 12px; }

@media (max-width: 1080px) { .st-bar .st-wideonly { display: none; } }
@media (max-width: 820px) {
  .st { grid-template: "bar" auto "pane" minmax(0, 1fr) "tabs" auto / minmax(0, 1fr); }
  .st-left, .st-right { grid-area: pane; }
  .st-split { display: none; }
  .st-tabs { grid-area: tabs; display: grid; grid-template-columns: repeat(3, 1fr); border-top: 1px solid var(--line); background: var(--panel); padding-bottom: env(safe-area-inset-bottom); }
  .st .st-tabs button { border: 0; border-radius: 0; min-height: 46px; background: none; border-top: 3px solid transparent; }
  .st .st-tabs button[aria-current=true] { border-top-color: var(--accent); font-weight: 650; }
  .st:not([data-tab=result]) .st-right, .st[data-tab=result] .st-left { display: none; }
  .st[data-tab=model] .st-settings { display: none; }
  .st[data-tab=settings] .st-editor { display: none; }
  .st[data-tab=settings] .st-settings { flex: 1; max-height: none; }
  .st-title .st-tag, .st-title .st-unsaved span, .st-gap, .st-bar button[aria-label="Dark or light"] { display: none; }
  .st-result .dv-top > button[aria-label="Dark or light"] { display: inline-flex; }
  .st-row, .st-field { min-height: 40px; }
}
`;
