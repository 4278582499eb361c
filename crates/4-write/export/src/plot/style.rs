//! The look of plots: one style sheet for light and dark pages.
//!
//! Colours are those of the drawings of automata; no two of the first twelve signals of a panel have both the same colour and the same dashes.

/// Colours and dash patterns that there are: 6 of the one, 4 of the other.
pub(super) fn line_classes(place: usize) -> String {
    format!("c{} d{}", place % 6, (place % 6 + place / 6) % 4)
}

/// The class of a signal's colour.
pub(super) fn colour_class(place: usize) -> String {
    format!("c{}", place % 6)
}

/// The style sheet.
pub(super) const STYLE: &str = "\
text{font-family:'DejaVu Sans',Verdana,'Segoe UI',system-ui,sans-serif;fill:#1f2328}
.head{font-size:15px;font-weight:bold}.name{font-size:12px}.tick{font-size:11px;fill:#59636e}
.paper{fill:#ffffff}.frame{fill:none;stroke:#8c959f;stroke-width:1}
.grid{stroke:#d8dee4;stroke-width:1;fill:none}.zero{stroke:#8c959f;stroke-width:1;fill:none}
.line{fill:none;stroke-width:1.8;stroke-linejoin:round}
.jump{fill:none;stroke-width:1.2;stroke-dasharray:1.5 2.5}.stem{fill:none;stroke-width:1.2}
.dot{fill:none;stroke-width:5;stroke-linecap:round}
.c0{stroke:#0072b2}.c1{stroke:#d55e00}.c2{stroke:#00805d}.c3{stroke:#a3487c}.c4{stroke:#3f8fc4}.c5{stroke:#8a6d00}
.d1{stroke-dasharray:9 4}.d2{stroke-dasharray:9 3 2 3}.d3{stroke-dasharray:5 3}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}.tick{fill:#a9b4bf}.paper{fill:#14181d}.frame{stroke:#6e7781}.grid{stroke:#2b323a}.zero{stroke:#6e7781}
.c0{stroke:#56b4e9}.c1{stroke:#ee8a45}.c2{stroke:#35c49a}.c3{stroke:#dd97bd}.c4{stroke:#8fd0f5}.c5{stroke:#e0c341}
}";
