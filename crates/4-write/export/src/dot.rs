//! The automaton as a graph for Graphviz, in as much detail as can be read.
//!
//! One contact: every location and edge, computation nodes as clusters. More: the contact combination graph, each
//! vertex with its counts. Very many vertices: a node for each number of closed contacts.
//!
//! # Guarantee
//! Names never leave their strings. What is left out is said in the graph's label.

use crate::count::{compact, counted};
use crate::detail::Detail;
use crate::subject::{ExportError, Subject, graph_word, mode_word};
use crate::traffic::{Traffic, locations_of};
use dyverse_machine::{BigUint, ComputationNode, ContactSet, InnerLocation, Location, NodeKind, Notation};
use std::io::{self, BufWriter, Write};

/// Up to so many vertices are written one by one.
const MOST_VERTICES: usize = 128;
/// Up to so many edges of the contact combination graph are all written.
const MOST_EDGES: usize = 64;

/// Writes the automaton in the DOT language.
///
/// # Errors
/// [`ExportError::Io`] where `out` refuses the bytes; [`ExportError::Count`] where the sizes to show take too long
/// to count.
pub fn write_dot(out: &mut dyn Write, subject: Subject<'_>) -> Result<(), ExportError> {
    let mut out = BufWriter::new(out);
    let mut dot = Dot {
        out: &mut out,
        subject,
        notation: subject.automaton().notation(),
    };
    match Detail::of(subject.automaton(), MOST_VERTICES) {
        Detail::Free | Detail::Whole(_) => dot.whole()?,
        Detail::Vertices(vertices) => dot.vertices(&vertices)?,
        Detail::Sizes => {
            let sizes = subject.automaton().size()?.vertices_by_size().to_vec();
            dot.sizes(&sizes)?;
        }
    }
    out.flush()?;
    Ok(())
}

struct Dot<'w, 'a> {
    out: &'w mut dyn Write,
    subject: Subject<'a>,
    notation: Notation<'a>,
}

impl Dot<'_, '_> {
    fn begin(&mut self, keyword: &str, note: &str) -> io::Result<()> {
        let system = self.subject.model().name();
        writeln!(self.out, "{keyword} {} {{", quoted(system))?;
        let label = format!("MRB hybrid automaton of {system}{note}");
        writeln!(
            self.out,
            "  graph [label={}, labelloc=t, fontname=\"sans-serif\"];",
            quoted(&label)
        )?;
        writeln!(self.out, "  node [fontname=\"sans-serif\"];")?;
        writeln!(self.out, "  edge [fontname=\"sans-serif\", fontsize=10];")
    }

    fn end(&mut self) -> io::Result<()> {
        writeln!(self.out, "}}")
    }

    /// Every location and every edge.
    fn whole(&mut self) -> io::Result<()> {
        self.begin("digraph", "")?;
        writeln!(self.out, "  rankdir=LR;")?;
        let automaton = self.subject.automaton();
        for location in automaton.locations() {
            match location {
                Location::Dynamical(location) => {
                    let name = self.notation.dynamical_location(&location);
                    let mode = |(contact, mode)| {
                        format!("\n{}: {}", automaton.contacts().label(contact), mode_word(mode))
                    };
                    let modes: Vec<String> = location.modes().map(mode).collect();
                    let label = format!("{name}{}", modes.concat());
                    writeln!(
                        self.out,
                        "  {} [shape=ellipse, label={}];",
                        quoted(&name),
                        quoted(&label)
                    )?;
                }
                Location::Entrance(node) => self.node(&node)?,
                Location::Exit(_) => {}
            }
        }
        for edge in automaton.edges() {
            let style = if edge.rule().is_apart() {
                ", style=dashed"
            } else {
                ""
            };
            let tooltip = format!(
                "{}\nguard: {}\nreset: {}",
                edge.rule().description(),
                self.notation.condition(&automaton.guard(&edge)),
                self.notation.reset(&automaton.reset(&edge))
            );
            writeln!(
                self.out,
                "  {} -> {} [label={}, tooltip={}{style}];",
                quoted(&self.notation.location(edge.from())),
                quoted(&self.notation.location(edge.to())),
                quoted(edge.rule().number()),
                quoted(&tooltip),
            )?;
        }
        self.end()
    }

    /// A computation node with its inside, as a cluster.
    fn node(&mut self, node: &ComputationNode) -> io::Result<()> {
        let notation = self.notation.inside(node.kind());
        let name = notation.node(node);
        let what = match node.kind() {
            NodeKind::Impact => "impact node",
            NodeKind::Contact => "contact node",
        };
        writeln!(self.out, "  subgraph {} {{", quoted(&format!("cluster_{name}")))?;
        writeln!(
            self.out,
            "    label={}; style=rounded;",
            quoted(&format!("{name} {what}"))
        )?;
        for location in node.inner_locations() {
            let label = match location {
                InnerLocation::Entrance => "en".to_owned(),
                InnerLocation::Step(step) => step.to_string(),
                InnerLocation::Exit => "ex".to_owned(),
            };
            let id = notation.inner_location(node, location);
            writeln!(
                self.out,
                "    {} [shape=circle, label={}];",
                quoted(&id),
                quoted(&label)
            )?;
        }
        for edge in node.inner_edges() {
            let [from, to] = [edge.from(), edge.to()].map(|end| quoted(&notation.inner_location(node, end)));
            let guard = notation.condition(edge.guard());
            let tooltip = format!("guard: {guard}\nreset: {}", notation.reset(edge.reset()));
            writeln!(self.out, "    {from} -> {to} [tooltip={}];", quoted(&tooltip))?;
        }
        writeln!(self.out, "  }}")
    }

    /// The contact combination graph.
    fn vertices(&mut self, vertices: &[ContactSet]) -> io::Result<()> {
        let graph = self.subject.automaton().graph();
        let pairs = || {
            let pairs = vertices.iter().enumerate();
            pairs.flat_map(|(place, k)| vertices.iter().skip(place + 1).map(move |l| (k, l)))
        };
        let joined = pairs().filter(|(k, l)| graph.is_edge(k, l)).count();
        let is_neighbour = |k: &ContactSet, l: &ContactSet| k.is_subset(l) && k.len() + 1 == l.len();
        let shows = |k: &ContactSet, l: &ContactSet| {
            graph.is_edge(k, l) && (joined <= MOST_EDGES || is_neighbour(k, l))
        };
        let shown = pairs().filter(|(k, l)| shows(k, l)).count();
        let kind = graph_word(graph.kind());
        let note = if shown == joined {
            format!("\ncontact combination graph, {kind}: {joined} edges")
        } else {
            format!(
                "\ncontact combination graph, {kind}: of its {joined} edges the {shown} \
                 between combinations that differ by one contact"
            )
        };
        self.begin("graph", &note)?;
        for closed in vertices {
            let k = graph.index(closed).unwrap_or_default();
            let set = self.notation.set(closed);
            let label = format!(
                "V_{k}\n{set}\nlocations: {}",
                compact(&locations_of(closed.len()))
            );
            writeln!(
                self.out,
                "  V_{k} [shape=box, style=rounded, label={}];",
                quoted(&label)
            )?;
        }
        for (k, l) in pairs().filter(|(k, l)| shows(k, l)) {
            let [from, to] = [k, l].map(|closed| graph.index(closed).unwrap_or_default());
            let tooltip = match Traffic::between(k, l) {
                Some(Traffic { up, down }) => {
                    let [up, down] = [up, down].map(|count| counted(&count, "edge", "edges"));
                    format!("V_{from} → V_{to}: {up}\nV_{to} → V_{from}: {down}")
                }
                None => "one size: no edge of the automaton".to_owned(),
            };
            writeln!(self.out, "  V_{from} -- V_{to} [tooltip={}];", quoted(&tooltip))?;
        }
        self.end()
    }

    /// A node for each number of closed contacts.
    fn sizes(&mut self, sizes: &[BigUint]) -> io::Result<()> {
        self.begin("graph", "\nby the number N of closed contacts")?;
        for (n, count) in sizes.iter().enumerate() {
            let each = locations_of(n);
            let label = format!(
                "N = {n}\nvertices: {}\nlocations: {}",
                compact(count),
                compact(&(count * each))
            );
            writeln!(
                self.out,
                "  N_{n} [shape=box, style=rounded, label={}];",
                quoted(&label)
            )?;
        }
        for n in 1..sizes.len() {
            writeln!(self.out, "  N_{} -- N_{n};", n - 1)?;
        }
        self.end()
    }
}

/// A text as a DOT string: a line break stays one, everything else means itself.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            // Graphviz reads entities in labels.
            '&' => out.push_str("&amp;"),
            c if c.is_control() => out.push('·'),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn nothing_ends_a_string_early() {
        assert_eq!(quoted("a\"];b"), "\"a\\\"];b\"");
        assert_eq!(quoted("a\\"), "\"a\\\\\"");
        assert_eq!(quoted("<b>&lt;\n\r\0"), "\"<b>&amp;lt;\\n··\"");
    }
}
