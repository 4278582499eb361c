//! The whole automaton of one contact, like Figure 9 of 000.
//!
//! A ring: S_0 on the left, the impact node above, the contact node on the right, and between them the three
//! locations of the contact. They stand in the order stick, slip, trans, in which only one pair of edges crosses.

use super::canvas::{Anchor, Canvas, Font};
use super::layout::{Curve, Ellipse, Point, Rect, at, fitted, text_width};
use super::style::edge_class;
use super::{Drawing, MARGIN, head, size_line, title};
use crate::subject::Subject;
use dyverse_machine::{
    AutomatonSize, ComputationNode, ContactSet, DynamicalLocation, Edge, FrictionMode, InnerEdge,
    InnerLocation, Location, NodeKind, Rule,
};

const WIDTH: f64 = 1180.0;
const HEIGHT: f64 = 972.0;
const FREE: Ellipse = Ellipse::new(at(120.0, 575.0), 58.0, 38.0);
const STICK: Ellipse = Ellipse::new(at(550.0, 415.0), 60.0, 36.0);
const SLIP: Ellipse = Ellipse::new(at(550.0, 575.0), 60.0, 36.0);
const TRANS: Ellipse = Ellipse::new(at(550.0, 735.0), 60.0, 36.0);
const IMPACT: Rect = Rect::new(250.0, 92.0, 620.0, 176.0);
const CONTACT: Rect = Rect::new(856.0, 318.0, 300.0, 506.0);
/// Around the three locations of the contact.
const VERTEX: Rect = Rect::new(468.0, 370.0, 164.0, 432.0);
const LEGEND: f64 = 866.0;
/// Radius of a location inside a node.
const STEP: f64 = 19.0;

/// What the steps of SORPROX do, for one contact.
const STEPS: [[&str; 2]; 5] = [
    ["normal", "estimate"],
    ["tangential", "estimate"],
    ["normal", "converged?"],
    ["tangential", "converged?"],
    ["apply", ""],
];

/// The automaton over V_0 and the vertex of one contact.
pub(super) fn draw(subject: Subject<'_>, size: &AutomatonSize, closed: ContactSet) -> Drawing {
    let title = title(subject);
    let contact = format!("contact {}", subject.automaton().notation().set(&closed));
    let mut picture = Picture {
        canvas: Canvas::default(),
        subject,
    };
    head(
        &mut picture.canvas,
        WIDTH,
        &title,
        &[format!("{contact} · {}", size_line(size))],
    );
    picture.vertex(&closed);
    for kind in [NodeKind::Impact, NodeKind::Contact] {
        if let Some(node) = ComputationNode::new(kind, closed.clone()) {
            picture.node(&node);
        }
    }
    for edge in subject.automaton().edges() {
        picture.edge(&edge);
    }
    for location in subject.automaton().locations() {
        if let Location::Dynamical(location) = location {
            picture.location(&location);
        }
    }
    picture.legend();
    let description = format!(
        "The free location S_0, the locations of the {contact} in stick, trans and slip, the impact node and the \
         contact node with their inner locations, and the edges between them but those by rule 6b, labelled with their rules. Guards \
         and resets are in the tooltips."
    );
    Drawing {
        canvas: picture.canvas,
        width: WIDTH,
        height: HEIGHT,
        title,
        description,
    }
}

struct Picture<'a> {
    canvas: Canvas,
    subject: Subject<'a>,
}

impl Picture<'_> {
    fn vertex(&mut self, closed: &ContactSet) {
        let automaton = self.subject.automaton();
        let k = automaton.graph().index(closed).unwrap_or_default();
        let (name, set) = (format!("V_{k}"), automaton.notation().set(closed));
        self.canvas.open_place(&name, &format!("{name}: I_{k} = {set}"));
        self.canvas.rect("vertex", &VERTEX, 18.0);
        let place = at(VERTEX.center().x, VERTEX.bottom() - 10.0);
        self.canvas.text(Font::InnerName, Anchor::Middle, place, &name);
        self.canvas.close();
    }

    fn location(&mut self, location: &DynamicalLocation) {
        let (place, word) = match mode(location) {
            None => (FREE, "free"),
            Some(FrictionMode::Stick) => (STICK, "stick"),
            Some(FrictionMode::Trans) => (TRANS, "trans"),
            Some(FrictionMode::Slip) => (SLIP, "slip"),
        };
        let automaton = self.subject.automaton();
        let notation = automaton.notation();
        let name = notation.dynamical_location(location);
        let field = notation.vector_field(&automaton.vector_field(location));
        let domain = notation.condition(&automaton.domain(location));
        self.canvas
            .open_place(&name, &format!("{name} ({word})\n{field}\ndomain: {domain}"));
        self.canvas.ellipse("location", &place);
        self.canvas
            .text(Font::Name, Anchor::Middle, place.center.moved(0.0, -1.0), &name);
        self.canvas
            .text(Font::Tiny, Anchor::Middle, place.center.moved(0.0, 19.0), word);
        self.canvas.close();
    }

    fn edge(&mut self, edge: &Edge) {
        let Some((curve, at_length)) = route(edge) else {
            return;
        };
        let automaton = self.subject.automaton();
        let notation = automaton.notation();
        let (rule, class) = (edge.rule(), edge_class(edge.rule()));
        let (from, to) = (notation.location(edge.from()), notation.location(edge.to()));
        let tooltip = format!(
            "{from} → {to}\nrule {}: {}\nguard: {}\nreset: {}",
            rule.number(),
            rule.description(),
            notation.condition(&automaton.guard(edge)),
            notation.reset(&automaton.reset(edge)),
        );
        self.canvas.open_edge(&from, &to, &tooltip);
        let dashed = if rule.is_apart() { " dashed" } else { "" };
        self.canvas
            .path(&format!("edge {class}{dashed}"), Some(class), &curve);
        self.canvas.pill(class, curve.point(at_length), rule.number());
        self.canvas.close();
    }

    fn node(&mut self, node: &ComputationNode) {
        let name = self.subject.automaton().notation().node(node);
        let (class, frame, what, heading) = match node.kind() {
            NodeKind::Impact => (
                "impact",
                IMPACT,
                "impact node",
                at(IMPACT.left + 16.0, IMPACT.top + 25.0),
            ),
            NodeKind::Contact => (
                "contact",
                CONTACT,
                "contact node",
                at(CONTACT.left + 96.0, CONTACT.top + 27.0),
            ),
        };
        // Only the frame: what is inside has keys of its own.
        self.canvas.open_place(&name, &format!("{name}: {what}"));
        self.canvas.rect(class, &frame, 18.0);
        let name = fitted(&name, Font::Name.size(), 120.0);
        self.canvas.text(Font::Name, Anchor::Start, heading, &name);
        let beside = heading.moved(text_width(&name, Font::Name.size()), 0.0);
        self.canvas.text(Font::Small, Anchor::Start, beside, what);
        self.canvas.close();
        node.inner_edges().for_each(|edge| self.inner_edge(node, &edge));
        node.inner_locations()
            .for_each(|location| self.step(node, location));
    }

    fn inner_edge(&mut self, node: &ComputationNode, edge: &InnerEdge) {
        let notation = self.subject.automaton().notation().inside(node.kind());
        let (from, to) = (
            notation.inner_location(node, edge.from()),
            notation.inner_location(node, edge.to()),
        );
        let tooltip = format!(
            "{from} → {to}\nguard: {}\nreset: {}",
            notation.condition(edge.guard()),
            notation.reset(edge.reset()),
        );
        self.canvas.open_edge(&from, &to, &tooltip);
        let is_second = node
            .inner_edges()
            .find(|other| other.from() == edge.from())
            .as_ref()
            != Some(edge);
        self.canvas
            .path("inner", Some("inner"), &inner_route(node.kind(), edge, is_second));
        self.canvas.close();
    }

    fn step(&mut self, node: &ComputationNode, location: InnerLocation) {
        let place = step_place(node.kind(), location);
        let name = self.subject.automaton().notation().inner_location(node, location);
        let short = name.rsplit(',').next().unwrap_or_default();
        self.canvas.open_place(&name, &name);
        self.canvas.ellipse("step", &Ellipse::new(place, STEP, STEP));
        self.canvas
            .text(Font::InnerName, Anchor::Middle, place.moved(0.0, 4.0), short);
        self.canvas.close();
        let caption = match location {
            InnerLocation::Step(step) => STEPS.get(step.wrapping_sub(1)).copied().unwrap_or_default(),
            InnerLocation::Entrance | InnerLocation::Exit => return,
        };
        let [first, second] = match (caption, node.kind()) {
            (["apply", _], NodeKind::Impact) => ["apply", "impulses"],
            (["apply", _], NodeKind::Contact) => ["apply", "forces"],
            (caption, _) => caption,
        };
        if node.kind() == NodeKind::Impact {
            self.canvas
                .text(Font::Tiny, Anchor::Middle, place.moved(0.0, 38.0), first);
            self.canvas
                .text(Font::Tiny, Anchor::Middle, place.moved(0.0, 51.0), second);
        } else {
            let line = format!("{first} {second}");
            self.canvas
                .text(Font::Tiny, Anchor::Start, place.moved(88.0, 4.0), &line);
        }
    }

    fn legend(&mut self) {
        let rules = [
            Rule::R8b,
            Rule::R8a,
            Rule::R8c,
            Rule::R1,
            Rule::R3,
            Rule::R4,
            Rule::R4b,
            Rule::R5,
        ];
        for (place, rule) in rules.into_iter().enumerate() {
            let left = if place < 4 { MARGIN } else { WIDTH / 2.0 };
            let y = LEGEND + 22.0 * (place % 4) as f64;
            let class = edge_class(rule);
            let dashed = if rule.is_apart() { " dashed" } else { "" };
            let line = Curve::line(at(left, y), at(left + 64.0, y));
            self.canvas
                .path(&format!("edge {class}{dashed}"), Some(class), &line);
            self.canvas.pill(class, line.point(0.42), rule.number());
            self.canvas.text(
                Font::Small,
                Anchor::Start,
                at(left + 76.0, y + 4.0),
                rule.description(),
            );
        }
        let note = "Rules 4b and 6b are not among the papers' and are counted apart; edges by 6b (a closed contact strikes again: s_k,i → I_k) are not drawn. Point at an edge for its guard and reset.";
        self.canvas
            .text(Font::Tiny, Anchor::Start, at(MARGIN, LEGEND + 92.0), note);
    }
}

/// The mode of the one contact; none in S_0.
fn mode(location: &DynamicalLocation) -> Option<FrictionMode> {
    location.modes().next().map(|(_, mode)| mode)
}

/// Where a location inside a node stands: along a row in the impact node, down a column in the contact node.
fn step_place(kind: NodeKind, location: InnerLocation) -> Point {
    let place = match location {
        InnerLocation::Entrance => 0.0,
        InnerLocation::Step(step) => step as f64,
        InnerLocation::Exit => 6.0,
    };
    match kind {
        NodeKind::Impact => at(IMPACT.left + 46.0 + 88.0 * place, IMPACT.top + 100.0),
        NodeKind::Contact => at(CONTACT.left + 58.0, CONTACT.top + 56.0 + 66.0 * place),
    }
}

/// The curve of an inner edge: on to the next location, or back over the others.
fn inner_route(kind: NodeKind, edge: &InnerEdge, is_second: bool) -> Curve {
    let (from, to) = (step_place(kind, edge.from()), step_place(kind, edge.to()));
    let back = match (edge.from(), edge.to()) {
        (InnerLocation::Step(from), InnerLocation::Step(to)) if to < from => Some(from - to),
        _ => None,
    };
    let is_twin = matches!(edge.from(), InnerLocation::Step(1 | 2));
    let (start, end) = (Ellipse::new(from, STEP, STEP), Ellipse::new(to, STEP, STEP));
    // Directions out of a circle: along the way, and the side on which edges lead back.
    let (along, side) = match kind {
        NodeKind::Impact => (0.0, -90.0),
        NodeKind::Contact => (90.0, 0.0),
    };
    match back {
        // The longer way back bulges further and lands beyond the shorter one, so the two never cross.
        Some(steps) => {
            let steps = steps as f64;
            let end = end.edge(side + (2.5 - steps) * 34.0);
            Curve::arc(start.edge(side), end, -17.0 * (steps - 0.4))
        }
        None if is_twin => {
            let turn = if is_second { 32.0 } else { -32.0 };
            let height = if is_second { -6.0 } else { 6.0 };
            Curve::arc(start.edge(along + turn), end.edge(along + 180.0 - turn), height)
        }
        None => Curve::line(start.edge(along), end.edge(along + 180.0)),
    }
}

/// The curve of an edge, and where on it its label stands.
fn route(edge: &Edge) -> Option<(Curve, f64)> {
    let end = |kind, location| Ellipse::new(step_place(kind, location), STEP, STEP);
    let impact_in = end(NodeKind::Impact, InnerLocation::Entrance);
    let impact_out = end(NodeKind::Impact, InnerLocation::Exit);
    let contact_in = end(NodeKind::Contact, InnerLocation::Entrance);
    let contact_out = end(NodeKind::Contact, InnerLocation::Exit);
    let curve = |from: Point, a: Point, b: Point, to: Point| Curve([from, a, b, to]);
    let from_mode = |location: &Location| match location {
        Location::Dynamical(location) => mode(location),
        Location::Entrance(_) | Location::Exit(_) => None,
    };
    let routed = match (edge.rule(), from_mode(edge.from()), from_mode(edge.to())) {
        (Rule::R8b, ..) => {
            let (from, to) = (FREE.edge(-90.0), impact_in.edge(180.0));
            (curve(from, at(120.0, 330.0), at(170.0, to.y), to), 0.45)
        }
        (Rule::R8a, ..) => {
            let (from, to) = (impact_out.edge(90.0), FREE.edge(-55.0));
            (curve(from, at(from.x, 345.0), at(330.0, 305.0), to), 0.55)
        }
        (Rule::R1, ..) => {
            let (from, to) = (impact_out.edge(0.0), contact_in.edge(-90.0));
            (curve(from, at(to.x, from.y), at(to.x, from.y + 60.0), to), 0.55)
        }
        (Rule::R3, Some(FrictionMode::Stick), _) => {
            let (from, to) = (STICK.edge(-12.0), contact_in.edge(176.0));
            (curve(from, at(700.0, 385.0), at(790.0, to.y), to), 0.4)
        }
        (Rule::R3, ..) => {
            let (from, to) = (SLIP.edge(-28.0), contact_in.edge(150.0));
            (curve(from, at(690.0, 510.0), at(800.0, 420.0), to), 0.66)
        }
        (Rule::R4, _, Some(FrictionMode::Stick)) => {
            let (from, to) = (contact_out.edge(-140.0), STICK.edge(32.0));
            (curve(from, at(790.0, 670.0), at(720.0, 490.0), to), 0.45)
        }
        (Rule::R4b, ..) => {
            let (from, to) = (contact_out.edge(-162.0), SLIP.edge(6.0));
            (curve(from, at(790.0, 735.0), at(720.0, 600.0), to), 0.62)
        }
        (Rule::R4, ..) => {
            let (from, to) = (contact_out.edge(176.0), TRANS.edge(8.0));
            (curve(from, at(800.0, 790.0), at(700.0, 760.0), to), 0.55)
        }
        (Rule::R5, ..) => (Curve::line(TRANS.edge(-90.0), SLIP.edge(90.0)), 0.5),
        (Rule::R8c, Some(FrictionMode::Stick), _) => {
            let (from, to) = (STICK.edge(175.0), FREE.edge(-24.0));
            (curve(from, at(400.0, 430.0), at(260.0, 500.0), to), 0.5)
        }
        (Rule::R8c, Some(FrictionMode::Slip), _) => (Curve::line(SLIP.edge(180.0), FREE.edge(0.0)), 0.5),
        (Rule::R8c, ..) => {
            let (from, to) = (TRANS.edge(-175.0), FREE.edge(24.0));
            (curve(from, at(400.0, 720.0), at(260.0, 650.0), to), 0.5)
        }
        // They need a second contact.
        (Rule::R2 | Rule::R6 | Rule::R7, ..) => return None,
        // The legend says that these are left out.
        (Rule::R6b, ..) => return None,
    };
    Some(routed)
}
