//! The automaton as JSON, for other programs: docs/AUTOMATON_FORMAT.md, docs/automaton.schema.json.
//!
//! # Guarantee
//! One valid document, whatever the names. Written element by element, one a line, in constant memory; the order
//! of keys and elements never changes. Numbers that can outgrow a double (k, i, counts) are decimal strings.

mod conditions;
mod document;
mod elements;
mod object;

use crate::count::size_json;
use crate::subject::{ExportError, Subject, graph_word};
pub(crate) use document::Document;
use dyverse_machine::{ComputationNode, Location, NodeKind};
use elements::Elements;
use serde_json::{Value, json};
use std::io::{BufWriter, Write};

/// The name of the schema, which changes with every change that a reader could notice.
const SCHEMA: &str = "dyverse-automaton-3";

/// Writes the automaton as one JSON document, ending in a line break.
///
/// # Errors
/// [`ExportError::Io`] where `out` refuses the bytes.
pub fn write_json(out: &mut dyn Write, subject: Subject<'_>) -> Result<(), ExportError> {
    let automaton = subject.automaton();
    let graph = automaton.graph();
    let elements = Elements::new(subject);
    let size = automaton
        .size()
        .map_or(Value::Null, |size| Value::Object(size_json(&size)));
    let obstructions: Vec<_> = graph
        .obstructions()
        .iter()
        .map(|set| subject.labels(set))
        .collect();

    let mut out = BufWriter::new(out);
    let mut document = Document::new(&mut out);
    document.value("schema", &json!(SCHEMA))?;
    document.value("system", &json!(subject.model().name()))?;
    document.value("graph", &json!(graph_word(graph.kind())))?;
    document.value("obstructions", &json!(obstructions))?;
    document.array("entities", elements.entities())?;
    document.array("contacts", elements.contacts())?;
    document.value("size", &size)?;
    document.array(
        "vertices",
        graph.vertices().map(|closed| elements.vertex(&closed)),
    )?;
    let locations = automaton.locations().filter_map(|location| match location {
        Location::Dynamical(location) => Some(elements.location(&location)),
        Location::Entrance(_) | Location::Exit(_) => None,
    });
    document.array("locations", locations)?;
    let nodes = graph.vertices().flat_map(|closed| {
        let node = |kind| ComputationNode::new(kind, closed.clone());
        [NodeKind::Impact, NodeKind::Contact].map(node)
    });
    document.array("nodes", nodes.flatten().map(|node| elements.node(&node)))?;
    document.array("edges", automaton.edges().map(|edge| elements.edge(&edge)))?;
    document.end()?;
    out.flush()?;
    Ok(())
}
