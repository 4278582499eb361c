//! The blocks of the text: dynamical locations and computation nodes, each with the edges that leave it.

use super::{Lines, TextOptions};
use crate::part::Part;
use crate::subject::Subject;
use dyverse_machine::{ComputationNode, ContactSet, DynamicalLocation, Edge, Location, NodeKind};
use std::io;

pub(super) fn write(lines: &mut Lines<'_>, subject: Subject<'_>, options: &TextOptions) -> io::Result<()> {
    let mut body = Body {
        lines,
        subject,
        options,
    };
    match &options.only {
        Some(Part::Location(location)) => body.dynamical_location(location),
        Some(Part::Node(node)) => body.node(node),
        None => body.all(),
    }
}

struct Body<'l, 'w, 'a> {
    lines: &'l mut Lines<'w>,
    subject: Subject<'a>,
    options: &'a TextOptions,
}

impl Body<'_, '_, '_> {
    /// All dynamical locations, then all nodes, each in the order of the vertices.
    fn all(&mut self) -> io::Result<()> {
        let automaton = self.subject.automaton();
        self.lines.heading("DYNAMICAL LOCATIONS")?;
        for location in automaton.locations() {
            if let Location::Dynamical(location) = location {
                self.dynamical_location(&location)?;
            }
        }
        let mut nodes = automaton
            .graph()
            .vertices()
            .filter(|closed| !closed.is_empty())
            .peekable();
        if nodes.peek().is_some() {
            self.lines.heading("COMPUTATION NODES")?;
        }
        for closed in nodes {
            let of_kind = |kind| ComputationNode::new(kind, closed.clone());
            for node in [NodeKind::Impact, NodeKind::Contact]
                .into_iter()
                .filter_map(of_kind)
            {
                self.node(&node)?;
            }
        }
        Ok(())
    }

    fn dynamical_location(&mut self, location: &DynamicalLocation) -> io::Result<()> {
        let automaton = self.subject.automaton();
        let notation = automaton.notation();
        let k = automaton.graph().index(location.closed()).unwrap_or_default();
        self.lines.heading(&notation.dynamical_location(location))?;
        let set = |set: &ContactSet| notation.set(set);
        self.lines.line(&format!(
            "  I_{k} = {}  I_st = {}  I_tr = {}  I_sl = {}",
            set(location.closed()),
            set(&location.stick()),
            set(location.trans()),
            set(location.slip()),
        ))?;
        let field = automaton.vector_field(location);
        self.lines
            .line(&format!("  F    {}", notation.vector_field(&field)))?;
        if let Some(system) = notation.force_system(&field) {
            self.lines.line(&format!("       {system}"))?;
        }
        self.lines.line(&format!(
            "  Dom  {}",
            notation.condition(&automaton.domain(location))
        ))?;
        self.out_edges(&Location::Dynamical(location.clone()))
    }

    fn node(&mut self, node: &ComputationNode) -> io::Result<()> {
        let notation = self.subject.automaton().notation();
        let what = match node.kind() {
            NodeKind::Impact => "impact node",
            NodeKind::Contact => "contact node",
        };
        let set = notation.set(node.closed());
        self.lines
            .heading(&format!("{}  {what} over {set}", notation.node(node)))?;
        if self.options.node_interiors {
            self.interior(node)?;
        } else {
            let (locations, edges) = (node.inner_location_count(), node.inner_edge_count());
            self.lines.line(&format!(
                "  inside, not shown: {locations} locations, {edges} edges"
            ))?;
        }
        let exit = Location::Exit(node.clone());
        self.lines.line(&format!("  {}", notation.location(&exit)))?;
        self.out_edges(&exit)
    }

    fn interior(&mut self, node: &ComputationNode) -> io::Result<()> {
        let notation = self.subject.automaton().notation().inside(node.kind());
        let names = node
            .inner_locations()
            .map(|location| notation.inner_location(node, location));
        self.lines
            .line(&format!("  locations  {}", names.collect::<Vec<_>>().join("  ")))?;
        let row = |edge: dyverse_machine::InnerEdge| {
            let name = |location| notation.inner_location(node, location);
            [
                format!("{} → {}", name(edge.from()), name(edge.to())),
                format!("guard {}", notation.condition(edge.guard())),
                format!("reset {}", notation.reset(edge.reset())),
            ]
        };
        self.lines.table(&node.inner_edges().map(row).collect::<Vec<_>>())
    }

    fn out_edges(&mut self, location: &Location) -> io::Result<()> {
        let most = self.options.most_edges.unwrap_or(usize::MAX);
        let mut edges = self.subject.automaton().out_edges(location);
        for edge in edges.by_ref().take(most) {
            self.edge(&edge)?;
        }
        if edges.next().is_some() {
            self.lines
                .line(&format!("  … more edges leave it; the first {most} are shown"))?;
        }
        Ok(())
    }

    fn edge(&mut self, edge: &Edge) -> io::Result<()> {
        let automaton = self.subject.automaton();
        let notation = automaton.notation();
        let rule = edge.rule();
        self.lines.line(&format!(
            "  → {}  rule {}: {}",
            notation.location(edge.to()),
            rule.number(),
            rule.description()
        ))?;
        self.lines.line(&format!(
            "      guard  {}",
            notation.condition(&automaton.guard(edge))
        ))?;
        self.lines.line(&format!(
            "      reset  {}",
            notation.reset(&automaton.reset(edge))
        ))
    }
}
