//! The look of drawings: one style sheet for light and dark pages.
//!
//! Colours are from the palette of Okabe and Ito, which readers with any common colour vision can tell apart, made
//! lighter on dark pages; no colour says what a word, a number or a dash pattern does not say too.

use dyverse_machine::Rule;

/// The class of an edge by its rule.
pub(super) fn edge_class(rule: Rule) -> &'static str {
    match rule {
        Rule::R6 | Rule::R6b | Rule::R8b => "closing",
        Rule::R2 | Rule::R7 | Rule::R8a | Rule::R8c => "opening",
        Rule::R1 | Rule::R3 => "entering",
        Rule::R4 | Rule::R4b | Rule::R5 => "leaving",
    }
}

/// The style sheet.
pub(super) const STYLE: &str = "\
text{font-family:'DejaVu Sans',Verdana,'Segoe UI',system-ui,sans-serif;fill:#1f2328}
.head{font-size:18px;font-weight:bold}.small{font-size:12px}.tiny{font-size:10.5px}.name{font-size:16px}
.inner-name{font-size:12px}.rule{font-size:11px;font-weight:bold}.guard{font-size:11px}.row{font-size:12px}
.block{font-size:13.5px;font-weight:bold}.soft{fill:#59636e}
.paper{fill:#ffffff}
.location{fill:#e3f1fb;stroke:#0072b2;stroke-width:2}
.impact{fill:#fdf1ea;stroke:#d55e00;stroke-width:1.6}
.contact{fill:#e9f6f1;stroke:#009e73;stroke-width:1.6}
.vertex{fill:none;stroke:#8c959f;stroke-width:1;stroke-dasharray:2 4}
.step{fill:#ffffff;stroke:#59636e;stroke-width:1.3}
.inner{stroke:#59636e;stroke-width:1.2;fill:none}.inner-tip{fill:#59636e}
.joined{stroke:#8c959f;stroke-width:1.4;fill:none}
.bar{fill:#56b4e9}
.edge{stroke-width:1.8;fill:none}.dashed{stroke-dasharray:6 4}
.closing{stroke:#d55e00}.closing-tip{fill:#d55e00}
.opening{stroke:#0072b2}.opening-tip{fill:#0072b2}
.entering{stroke:#00805d}.entering-tip{fill:#00805d}
.leaving{stroke:#a3487c}.leaving-tip{fill:#a3487c}
.goes{stroke:#3a6ea5;stroke-width:1.6;fill:none}.goes-tip,.initial{fill:#3a6ea5}
.any{fill:#f3f5f7;stroke:#8c959f;stroke-width:1.6;stroke-dasharray:6 4}
.wire{stroke:#59636e;stroke-width:1.3;fill:none}.wire-tip{fill:#59636e}
.part{fill:#fafbfc;stroke:#59636e;stroke-width:1.4}.input{fill:#ffffff;stroke:#59636e;stroke-width:1.4;stroke-dasharray:2 3}
.state{fill:#e3f1fb;stroke:#0072b2;stroke-width:1.6}.event{fill:#fdf1ea;stroke:#d55e00;stroke-width:1.6}
.component{fill:#e9f6f1;stroke:#009e73;stroke-width:2}
.pill{fill:#ffffff;stroke-width:1.2;stroke-dasharray:none}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}.soft{fill:#a9b4bf}.paper{fill:#14181d}
.location{fill:#10293a;stroke:#56b4e9}.impact{fill:#331f14;stroke:#ee8a45}.contact{fill:#0f2c24;stroke:#35c49a}
.step{fill:#14181d;stroke:#a9b4bf}.inner{stroke:#a9b4bf}.inner-tip{fill:#a9b4bf}.joined,.vertex{stroke:#6e7781}
.bar{fill:#2a6f9e}
.closing{stroke:#ee8a45}.closing-tip{fill:#ee8a45}.opening{stroke:#56b4e9}.opening-tip{fill:#56b4e9}
.entering{stroke:#35c49a}.entering-tip{fill:#35c49a}.leaving{stroke:#dd97bd}.leaving-tip{fill:#dd97bd}
.goes{stroke:#7fb2e5}.goes-tip,.initial{fill:#7fb2e5}.any{fill:#1d232a;stroke:#6e7781}
.wire{stroke:#a9b4bf}.wire-tip{fill:#a9b4bf}.part{fill:#1d232a;stroke:#a9b4bf}.input{fill:#14181d;stroke:#a9b4bf}
.state{fill:#10293a;stroke:#56b4e9}.event{fill:#331f14;stroke:#ee8a45}.component{fill:#0f2c24;stroke:#35c49a}
.pill{fill:#14181d}
}";
