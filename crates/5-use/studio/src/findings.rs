//! Findings about a text, for an editor: where, as the browser counts (UTF-16), what, and a way out.

use dyverse::diag::{Diagnostic, Label, Severity, SourceMap};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Findings in their order. `main` is the text in the editor; of findings in other files the name of the file is told.
pub(crate) fn findings(diagnostics: &[Diagnostic], sources: &SourceMap, main: &str) -> Vec<Value> {
    let labels = diagnostics
        .iter()
        .flat_map(|d| std::iter::once(d.primary()).chain(d.secondary()));
    let bytes = labels.flat_map(|label| [label.origin.start(), label.origin.end()]);
    let places = utf16(main, bytes.collect());
    let place = |label: &Label| {
        let file = sources.file(label.origin.file());
        let is_here = file.text() == main;
        let at = |byte: u32| if is_here { places.get(&byte).copied() } else { None };
        let position = file.position(label.origin.start());
        json!({
            "file": if is_here { Value::Null } else { json!(file.name()) },
            "from": at(label.origin.start()).unwrap_or(0),
            "to": at(label.origin.end()).unwrap_or(0),
            "line": position.line,
            "column": position.column,
            "text": label.text,
        })
    };
    let finding = |d: &Diagnostic| {
        json!({
            "severity": match d.severity() { Severity::Error => "error", Severity::Warning => "warning" },
            "code": d.code().id(),
            "title": d.code().title(),
            "message": d.message(),
            "at": place(d.primary()),
            "also": d.secondary().iter().map(place).collect::<Vec<_>>(),
            "notes": d.notes(),
            "help": d.way_out(),
        })
    };
    diagnostics.iter().map(finding).collect()
}

/// Of bytes of a text, the UTF-16 units before them.
fn utf16(text: &str, mut bytes: Vec<u32>) -> BTreeMap<u32, usize> {
    bytes.sort_unstable();
    bytes.dedup();
    let mut found = BTreeMap::new();
    let (mut at, mut units) = (0, 0);
    for byte in bytes {
        // A byte inside a character belongs to it.
        let mut end = (byte as usize).min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        units += text.get(at..end).map_or(0, |part| part.encode_utf16().count());
        at = end;
        found.insert(byte, units);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_as_the_browser_does() {
        let text = "aé𝄞b";
        let found = utf16(text, vec![0, 1, 2, 3, 7, 8, 99]);
        let expected = [(0, 0), (1, 1), (2, 1), (3, 2), (7, 4), (8, 5), (99, 5)];
        assert_eq!(found.into_iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_finding_says_where_and_what() {
        let text = "# 𝄞\nsystem a\nentity b { sphere(radius = -1) mass = 1 }\n";
        let reading = dyverse::read_text("a.drbt", text);
        let found = findings(&reading.diagnostics, &reading.sources, text);
        assert!(!found.is_empty());
        let at = &found[0]["at"];
        let (from, to) = (at["from"].as_u64().unwrap(), at["to"].as_u64().unwrap());
        let units: Vec<u16> = text.encode_utf16().collect();
        let marked = String::from_utf16(&units[from as usize..to as usize]).unwrap();
        assert!(marked.contains('1'), "{marked}");
        assert_eq!(found[0]["severity"], "error");
        assert_eq!(at["line"], 3);
    }
}
