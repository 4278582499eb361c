//! What a run came to, for programs: the object that `dyverse simulate --format json` prints.

use super::json_write::write_head;
use crate::json::Document;
use dyverse_trace::{Trace, Transition};
use serde::Serialize;
use std::io::{self, BufWriter, Write};

/// One discrete transition, in short.
#[derive(Serialize)]
struct Event<'a> {
    t: f64,
    microstep: u32,
    kind: &'a str,
    edge: Edge<'a>,
    contacts: &'a [String],
}

#[derive(Serialize)]
struct Edge<'a> {
    from: &'a str,
    to: &'a str,
    rule: &'a str,
}

impl<'a> Event<'a> {
    fn new(transition: &'a Transition) -> Self {
        Event {
            t: transition.time.t(),
            microstep: transition.time.n(),
            kind: transition.kind.word(),
            edge: Edge {
                from: &transition.from,
                to: &transition.to,
                rule: transition.rule,
            },
            contacts: &transition.contacts,
        }
    }
}

/// Writes one JSON object, ending in a line break: `system`, `parameters`, `seed`, `stop` (`reason`, `text`, `time`, `microstep`),
/// `final` (every state by name), `steps`, `balance` (`null` if no bodies moved), `impact_gains` (if any: pairs at whose impacts the law as it stands adds
/// energy), `stepping` (if any: spans in which contacts were followed by steps), `statistics`, and `events`, each with `t`, `microstep`, `kind`, `edge`
/// (`from`, `to`, `rule`) and `contacts`.
///
/// # Errors
/// Where `out` refuses the bytes.
pub fn write_trace_report(out: &mut dyn Write, trace: &Trace) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    let mut document = Document::new(&mut out);
    write_head(&mut document, trace)?;
    document.list("events", trace.transitions.iter().map(Event::new))?;
    document.end()?;
    out.flush()
}
