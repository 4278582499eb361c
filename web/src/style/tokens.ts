// Colours, type and spacing that all parts share, for light and dark. Colours that carry a meaning are from the palette
// of Okabe and Ito (lighter on dark ground); what one says a shape, a dash or a word says too.

const light = `
  color-scheme: light;
  --bg: #f5f6f8; --panel: #ffffff; --raised: #f0f2f5; --fg: #1b2026; --muted: #5b6672; --line: #d7dce2;
  --accent: #0072b2; --accent-fg: #ffffff; --accent-soft: #e1f0f9; --focus: #0072b2;
  --safe: #00805d; --unsafe: #c44e00; --undecided: #7a7f87;
  --impulse: #c44e00; --force: #00805d; --mark: #a3487c;
  --c0: #0072b2; --c1: #d98e00; --c2: #009e73; --c3: #d55e00; --c4: #b8578f; --c5: #3e9fd8; --c6: #8a7f00; --c7: #4d5663;
  --shade: 0 1px 2px rgb(20 30 40 / 6%), 0 1px 6px rgb(20 30 40 / 4%);`;

const dark = `
  color-scheme: dark;
  --bg: #0e1216; --panel: #161b21; --raised: #1f262e; --fg: #e4e9ee; --muted: #9aa7b4; --line: #2d3640;
  --accent: #56b4e9; --accent-fg: #06202f; --accent-soft: #13303f; --focus: #7cc7f2;
  --safe: #35c49a; --unsafe: #f08c48; --undecided: #98a1ab;
  --impulse: #f08c48; --force: #35c49a; --mark: #dd97bd;
  --c0: #56b4e9; --c1: #e69f00; --c2: #35c49a; --c3: #f08c48; --c4: #dd97bd; --c5: #8fd0f5; --c6: #f0e442; --c7: #b3bdc7;
  --shade: 0 1px 2px rgb(0 0 0 / 40%);`;

export const tokens = `
:root {${light}
  --font: system-ui, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace;
  --radius: 8px;
}
@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) {${dark}} }
:root[data-theme=dark] {${dark}}
`;
