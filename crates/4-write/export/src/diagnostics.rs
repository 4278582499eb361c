//! Diagnostics as JSON: what `--format json` says about a model that is wrong.
//!
//! An array of objects with `code`, `severity`, `title`, `message`, the place (`file`, `line`, `column`,
//! `end_line`, `end_column`; lines and columns from 1, columns in characters, the end one past the last), `label`,
//! `related` (places with labels), `notes` and `help`.

use dyverse_diag::{Diagnostic, Label, Severity, SourceMap};
use serde_json::{Map, Value, json};

/// The diagnostics in their order, with places resolved in `sources`.
#[must_use]
pub fn diagnostics_json(diagnostics: &[Diagnostic], sources: &SourceMap) -> Value {
    diagnostics
        .iter()
        .map(|diagnostic| diagnostic_json(diagnostic, sources))
        .collect()
}

fn diagnostic_json(diagnostic: &Diagnostic, sources: &SourceMap) -> Value {
    let severity = match diagnostic.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let related: Vec<Value> = diagnostic
        .secondary()
        .iter()
        .map(|label| Value::Object(place(label, sources)))
        .collect();
    let mut object = Map::new();
    object.insert("code".to_owned(), json!(diagnostic.code().id()));
    object.insert("severity".to_owned(), json!(severity));
    object.insert("title".to_owned(), json!(diagnostic.code().title()));
    object.insert("message".to_owned(), json!(diagnostic.message()));
    object.extend(place(diagnostic.primary(), sources));
    object.insert("related".to_owned(), json!(related));
    object.insert("notes".to_owned(), json!(diagnostic.notes()));
    object.insert("help".to_owned(), json!(diagnostic.way_out()));
    Value::Object(object)
}

fn place(label: &Label, sources: &SourceMap) -> Map<String, Value> {
    let file = sources.file(label.origin.file());
    let (start, end) = (
        file.position(label.origin.start()),
        file.position(label.origin.end()),
    );
    let fields = [
        ("file", json!(file.name())),
        ("line", json!(start.line)),
        ("column", json!(start.column)),
        ("end_line", json!(end.line)),
        ("end_column", json!(end.column)),
        ("label", json!(label.text)),
    ];
    fields
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}
