//! The contact combination graph in layers, one for each number of closed contacts.
//!
//! Only the lines between combinations that differ by one contact are drawn, and the legend says how many are not:
//! in a complete graph the rest would hide them. What a line stands for in the automaton is in its tooltip.

use super::canvas::{Anchor, Canvas, Font};
use super::layout::{Curve, Rect, at, fitted, text_width};
use super::{Drawing, MARGIN, head, size_line, title};
use crate::count::{compact, counted};
use crate::subject::{Subject, graph_word};
use crate::traffic::{Traffic, edges_inside, locations_of};
use dyverse_machine::{AutomatonSize, BigUint, ContactId, ContactSet, GraphKind};

const BOX_HEIGHT: f64 = 66.0;
const GAP: f64 = 22.0;
const LAYER: f64 = 150.0;
const TOP: f64 = 112.0;
/// Room for the words beside each layer.
const SIDE: f64 = 130.0;
const NARROWEST: f64 = 104.0;
const WIDEST: f64 = 190.0;

/// A vertex and where it stands.
struct Placed {
    closed: ContactSet,
    k: BigUint,
    place: Rect,
}

/// The graph over these vertices.
pub(super) fn draw(subject: Subject<'_>, size: &AutomatonSize, vertices: &[ContactSet]) -> Drawing {
    let title = title(subject);
    let (placed, width) = place(subject, vertices);
    let mut canvas = Canvas::default();
    let kind = graph_word(subject.automaton().graph().kind());
    let lines = [
        size_line(size),
        format!("contact combination graph, {kind}, in layers by the number N of closed contacts"),
    ];
    head(&mut canvas, width, &title, &lines);
    layer_words(&mut canvas, size, &placed);
    let drawn = lines_between(&mut canvas, subject, &placed);
    placed
        .iter()
        .for_each(|vertex| draw_vertex(&mut canvas, subject, vertex));
    let bottom = placed
        .iter()
        .map(|vertex| vertex.place.bottom())
        .fold(TOP, f64::max)
        + 40.0;
    let legend = legend(subject.automaton().graph().kind(), size, drawn);
    for (line, y) in legend.iter().zip([bottom, bottom + 18.0, bottom + 36.0]) {
        canvas.text(Font::Small, Anchor::Start, at(MARGIN, y), line);
    }
    let widest = legend
        .iter()
        .map(|line| text_width(line, Font::Small.size()))
        .fold(0.0, f64::max);
    let description = format!(
        "The contact combination graph with {} vertices, each with its closed contacts and number of dynamical \
         locations. {}",
        placed.len(),
        legend.join(" ")
    );
    Drawing {
        canvas,
        width: width.max(widest + 2.0 * MARGIN),
        height: bottom + 60.0,
        title,
        description,
    }
}

/// Places the vertices: a row for each size, in the order of their contacts, centred.
fn place(subject: Subject<'_>, vertices: &[ContactSet]) -> (Vec<Placed>, f64) {
    let notation = subject.automaton().notation();
    let set_width = |closed: &ContactSet| text_width(&notation.set(closed), Font::Small.size()) + 20.0;
    let box_width = vertices
        .iter()
        .map(set_width)
        .fold(NARROWEST, f64::max)
        .min(WIDEST);
    let mut layers: Vec<Vec<&ContactSet>> = Vec::new();
    for closed in vertices {
        if layers.len() <= closed.len() {
            layers.resize(closed.len() + 1, Vec::new());
        }
        if let Some(layer) = layers.get_mut(closed.len()) {
            layer.push(closed);
        }
    }
    let row_width = |count: usize| count as f64 * (box_width + GAP) - GAP;
    let widest = layers
        .iter()
        .map(|layer| row_width(layer.len()))
        .fold(640.0, f64::max);
    let mut placed = Vec::new();
    for (n, layer) in layers.iter_mut().enumerate() {
        layer.sort_by_key(|closed| closed.iter().collect::<Vec<ContactId>>());
        let left = MARGIN + SIDE + (widest - row_width(layer.len())) / 2.0;
        for (column, closed) in layer.iter().enumerate() {
            let left = left + column as f64 * (box_width + GAP);
            placed.push(Placed {
                closed: (*closed).clone(),
                k: subject.automaton().graph().index(closed).unwrap_or_default(),
                place: Rect::new(left, TOP + n as f64 * LAYER, box_width, BOX_HEIGHT),
            });
        }
    }
    (placed, widest + SIDE + 2.0 * MARGIN)
}

fn layer_words(canvas: &mut Canvas, size: &AutomatonSize, placed: &[Placed]) {
    for (n, count) in size.vertices_by_size().iter().enumerate() {
        let Some(first) = placed.iter().find(|vertex| vertex.closed.len() == n) else {
            continue;
        };
        let middle = first.place.center().y;
        let lines = [
            (Font::Name, -8.0, format!("N = {n}")),
            (Font::Tiny, 8.0, counted(count, "vertex", "vertices")),
            (
                Font::Tiny,
                22.0,
                counted(&(count * locations_of(n)), "location", "locations"),
            ),
        ];
        for (font, down, line) in lines {
            canvas.text(font, Anchor::Start, at(MARGIN, middle + down), &line);
        }
    }
}

fn draw_vertex(canvas: &mut Canvas, subject: Subject<'_>, vertex: &Placed) {
    let Placed { closed, k, place } = vertex;
    let set = subject.automaton().notation().set(closed);
    let locations = counted(&locations_of(closed.len()), "location", "locations");
    let nodes = if closed.is_empty() {
        String::new()
    } else {
        format!(", nodes I_{k} and C_{k}")
    };
    let inside = edges_inside(closed.len());
    let name = format!("V_{k}");
    canvas.open_place(
        &name,
        &format!("{name}: I_{k} = {set}\n{locations}{nodes}\nedges of the automaton inside it: {inside}"),
    );
    canvas.rect("location", place, 10.0);
    let (x, room) = (place.center().x, place.width - 12.0);
    canvas.text(
        Font::Name,
        Anchor::Middle,
        at(x, place.top + 21.0),
        &fitted(&name, 16.0, room),
    );
    let set = fitted(&set, Font::Small.size(), room);
    canvas.text(Font::Small, Anchor::Middle, at(x, place.top + 40.0), &set);
    canvas.text(
        Font::Tiny,
        Anchor::Middle,
        at(x, place.top + 57.0),
        &fitted(&locations, 10.5, room),
    );
    canvas.close();
}

/// Draws the lines between neighbouring layers; their number.
fn lines_between(canvas: &mut Canvas, subject: Subject<'_>, placed: &[Placed]) -> usize {
    let mut drawn = 0;
    for upper in placed {
        let is_next = |lower: &&Placed| {
            lower.closed.len() == upper.closed.len() + 1 && upper.closed.is_subset(&lower.closed)
        };
        for lower in placed.iter().filter(is_next) {
            line(canvas, subject, upper, lower);
            drawn += 1;
        }
    }
    drawn
}

fn line(canvas: &mut Canvas, subject: Subject<'_>, upper: &Placed, lower: &Placed) {
    let Some(traffic) = Traffic::between(&upper.closed, &lower.closed) else {
        return;
    };
    let closing = subject
        .automaton()
        .notation()
        .set(&lower.closed.difference(&upper.closed));
    let (rules_up, rules_down) = if upper.closed.is_empty() {
        ("8", "8")
    } else {
        ("6", "2 and 7")
    };
    let (above, below) = (format!("V_{}", upper.k), format!("V_{}", lower.k));
    let tooltip = format!(
        "{above} – {below}: {closing} closes or opens\n{above} → {below}: {} (rule {rules_up})\n{below} → {above}: {} (rule {rules_down})",
        counted(&traffic.up, "edge", "edges"),
        counted(&traffic.down, "edge", "edges"),
    );
    canvas.open_edges(&[(&above, &below), (&below, &above)], &tooltip);
    let (from, to) = (upper.place, lower.place);
    canvas.path(
        "joined",
        None,
        &Curve::line(at(from.center().x, from.bottom()), at(to.center().x, to.top)),
    );
    canvas.close_edges(2);
}

fn legend(kind: GraphKind, size: &AutomatonSize, drawn: usize) -> Vec<String> {
    let all = size.graph_edges();
    let rest = all - BigUint::from(drawn);
    let others = match kind {
        GraphKind::Complete => "join every other pair",
        GraphKind::Subset => "join combinations of which one contains the other",
    };
    let shown = if rest == BigUint::ZERO {
        format!(
            "All {} edges of the graph are drawn: they join combinations that differ by one contact.",
            compact(all)
        )
    } else {
        format!(
            "Drawn: the {drawn} of {} edges of the graph between combinations that differ by one contact. The other {} {others}.",
            compact(all),
            compact(&rest),
        )
    };
    let inside = "Every V_k with k > 0 also has an impact node I_k and a contact node C_k. Point at a box or line for counts.";
    let mut lines = vec![shown, inside.to_owned()];
    if kind == GraphKind::Complete {
        lines.push("Between combinations of one size the automaton has no edge.".to_owned());
    }
    lines
}
