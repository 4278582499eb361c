//! The modal models of an actor model, each as a drawing of its own.
//!
//! # What is drawn
//! Modes in a row; transitions to the right run above them, to the left below, from a mode to itself beside it. Labels stand between the
//! modes, where nothing else runs, and the lines of two transitions lie on two levels if they pass the same place.
//! A transition that may leave any mode comes from a box with that name. A guard is cut to its room; it is whole in the tooltip.

use super::canvas::{Anchor, Canvas, Font};
use super::layout::{Curve, Ellipse, Rect, at, fitted, rounded, text_width};
use super::{Drawing, MARGIN, head};
use dyverse_actors::{Graph, ModalModel, ModeTransition, SignalId};

const TOP: f64 = 92.0;
/// Between the lines of transitions.
const LEVEL: f64 = 28.0;
const BOX_HEIGHT: f64 = 64.0;
const NARROWEST: f64 = 116.0;
const WIDEST: f64 = 220.0;
/// The widest label of a transition.
const LABEL: f64 = 210.0;
/// The room of a transition from a mode to itself.
const LOOP: f64 = 32.0;
/// More of either are not drawn, and the drawing says so.
const MOST_MODES: usize = 24;
const MOST_TRANSITIONS: usize = 60;
/// So many equations of a mode are in its tooltip.
const MOST_EQUATIONS: usize = 16;

/// Every modal model of an actor model with its title, as an SVG document.
///
/// Modes have `data-light="masses.stuck"`, as traces name places; transitions `data-edge="masses.stuck→masses.sliding"`.
#[must_use]
pub fn modes_svg(graph: &Graph) -> Vec<(String, String)> {
    graph
        .modals()
        .iter()
        .map(|modal| {
            let drawing = draw(graph, modal);
            (drawing.title.clone(), drawing.document())
        })
        .collect()
}

/// Where a transition runs.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Way {
    Above { level: usize },
    Below { level: usize },
    Beside { place: usize },
}

/// A transition between two boxes of the row.
struct Arc<'a> {
    transition: &'a ModeTransition,
    from: usize,
    to: usize,
    label: String,
    way: Way,
}

impl Arc<'_> {
    fn left(&self) -> usize {
        self.from.min(self.to)
    }

    fn right(&self) -> usize {
        self.from.max(self.to)
    }
}

struct Picture<'a> {
    graph: &'a Graph,
    modal: &'a ModalModel,
    /// 1 where the first box stands for any mode, else 0.
    shift: usize,
    arcs: Vec<Arc<'a>>,
    boxes: Vec<Rect>,
    canvas: Canvas,
}

pub(super) fn draw(graph: &Graph, modal: &ModalModel) -> Drawing {
    let modes = modal.modes.len().min(MOST_MODES);
    let is_drawn = |t: &&ModeTransition| {
        (t.to.0 as usize) < modes && t.from.is_none_or(|from| (from.0 as usize) < modes)
    };
    let transitions = || modal.transitions.iter().filter(is_drawn).take(MOST_TRANSITIONS);
    let shift = usize::from(transitions().any(|t| t.from.is_none()));
    let mut picture = Picture {
        graph,
        modal,
        shift,
        arcs: arcs(transitions(), shift),
        boxes: Vec::new(),
        canvas: Canvas::default(),
    };
    let levels = |above: bool| {
        let level = |arc: &Arc<'_>| match arc.way {
            Way::Above { level } if above => level + 1,
            Way::Below { level } if !above => level + 1,
            _ => 0,
        };
        picture.arcs.iter().map(level).max().unwrap_or(0) as f64
    };
    let top = TOP + levels(true) * LEVEL;
    let below = levels(false) * LEVEL;
    picture.boxes = picture.row(modes + shift, top);
    let loops = |box_: usize| {
        picture
            .arcs
            .iter()
            .filter(move |a| a.from == box_ && a.to == box_)
    };
    let beside = loops(picture.boxes.len() - 1)
        .map(|arc| LOOP + label_width(&arc.label))
        .fold(0.0, f64::max);
    let right = picture.boxes.last().map_or(0.0, Rect::right) + beside;
    let bottom = picture.boxes.first().map_or(top, Rect::bottom) + below + 34.0;
    let width = (right + MARGIN).max(520.0);
    let title = format!("Modes of {}", modal.name);
    let lines = picture.facts(modes);
    head(&mut picture.canvas, width, &title, &lines);
    for place in 0..picture.arcs.len() {
        picture.arc(place);
    }
    if shift > 0 {
        picture.any();
    }
    for mode in 0..modes {
        picture.mode(mode);
    }
    let note = "Point at a transition for its guard and what it sets, at a mode for its equations.";
    let note = fitted(note, Font::Tiny.size(), width - 2.0 * MARGIN);
    picture
        .canvas
        .text(Font::Tiny, Anchor::Start, at(MARGIN, bottom), &note);
    let description = format!(
        "The modes of {} in a row, and the transitions between them. {}",
        modal.name,
        lines.join(" ")
    );
    Drawing {
        canvas: picture.canvas,
        width,
        height: bottom + 20.0,
        title,
        description,
    }
}

/// Every transition with its way: short ones nearest to the modes, no two on one level over one gap.
fn arcs<'a>(transitions: impl Iterator<Item = &'a ModeTransition>, shift: usize) -> Vec<Arc<'a>> {
    let mut arcs: Vec<Arc<'a>> = Vec::new();
    for transition in transitions {
        let from = transition.from.map_or(0, |from| from.0 as usize + shift);
        let to = transition.to.0 as usize + shift;
        let place = arcs.iter().filter(|arc| arc.from == from && arc.to == to).count();
        let way = match from.cmp(&to) {
            std::cmp::Ordering::Less => Way::Above { level: 0 },
            std::cmp::Ordering::Equal => Way::Beside { place },
            std::cmp::Ordering::Greater => Way::Below { level: 0 },
        };
        let label = fitted(&label(transition), Font::Guard.size(), LABEL);
        arcs.push(Arc {
            transition,
            from,
            to,
            label,
            way,
        });
    }
    let mut order: Vec<usize> = (0..arcs.len()).collect();
    order.sort_by_key(|place| arcs.get(*place).map(|arc| (arc.right() - arc.left(), arc.left())));
    // Levels taken over each gap, above and below.
    let mut taken: Vec<(usize, usize, bool, usize)> = Vec::new();
    for place in order {
        let Some(arc) = arcs.get_mut(place) else { continue };
        let is_above = arc.from < arc.to;
        let (left, right) = (arc.left(), arc.right());
        let is_free = |level: &usize| {
            !taken
                .iter()
                .any(|(l, r, above, at)| *above == is_above && at == level && left < *r && *l < right)
        };
        let free = (0..).find(is_free).unwrap_or(0);
        match &mut arc.way {
            Way::Above { level } | Way::Below { level } => *level = free,
            Way::Beside { .. } => continue,
        }
        taken.push((left, right, is_above, free));
    }
    arcs
}

/// What stands on a transition.
fn label(transition: &ModeTransition) -> String {
    let guard = if transition.text.is_empty() {
        "otherwise"
    } else {
        transition.text.as_str()
    };
    let flags = crate::modes::kinds(transition);
    std::iter::once(guard)
        .chain(flags)
        .collect::<Vec<_>>()
        .join(" · ")
}

fn label_width(label: &str) -> f64 {
    text_width(label, Font::Guard.size()) + 12.0
}

impl Picture<'_> {
    /// The boxes of the row.
    fn row(&self, count: usize, top: f64) -> Vec<Rect> {
        let loops = |box_: usize| self.arcs.iter().filter(move |a| a.from == box_ && a.to == box_);
        let most_loops = (0..count).map(|box_| loops(box_).count()).max().unwrap_or(0);
        let height = BOX_HEIGHT.max(most_loops as f64 * LEVEL + 16.0);
        let gap = self
            .arcs
            .iter()
            .map(|arc| label_width(&arc.label) + if arc.from == arc.to { LOOP + 48.0 } else { 20.0 })
            .fold(76.0, f64::max);
        let ports = |box_: usize, above: bool| self.ports(box_, above).len();
        let width = |box_: usize| {
            let named = text_width(&self.name(box_), Font::Name.size()) + 28.0;
            let wanted = 20.0 * (1 + ports(box_, true).max(ports(box_, false))) as f64;
            named.clamp(NARROWEST, WIDEST).max(wanted)
        };
        let mut left = MARGIN + 40.0;
        (0..count)
            .map(|box_| {
                let place = Rect::new(left, top, width(box_), height);
                left = place.right() + gap;
                place
            })
            .collect()
    }

    fn name(&self, box_: usize) -> String {
        match box_
            .checked_sub(self.shift)
            .and_then(|mode| self.modal.modes.get(mode))
        {
            None => "any mode".to_owned(),
            Some(mode) => mode.name.clone(),
        }
    }

    /// The name of a mode in traces.
    fn key(&self, mode: usize) -> String {
        let mode = self.modal.modes.get(mode).map_or("", |mode| mode.name.as_str());
        format!("{}.{mode}", self.modal.name)
    }

    /// The arcs that end or begin at one side of a box, from left to right: so that inner lines stay inside outer ones.
    fn ports(&self, box_: usize, above: bool) -> Vec<usize> {
        let level = |arc: &Arc<'_>| match arc.way {
            Way::Above { level } if above => Some(level),
            Way::Below { level } if !above => Some(level),
            _ => None,
        };
        let mut ports: Vec<(bool, isize, usize)> = Vec::new();
        for (place, arc) in self.arcs.iter().enumerate() {
            let Some(level) = level(arc) else { continue };
            let level = isize::try_from(level).unwrap_or(isize::MAX);
            if arc.right() == box_ {
                ports.push((false, level, place));
            } else if arc.left() == box_ {
                ports.push((true, -level, place));
            }
        }
        ports.sort_unstable();
        ports.into_iter().map(|(_, _, place)| place).collect()
    }

    /// Where an arc meets a box.
    fn port(&self, arc: usize, box_: usize, above: bool) -> f64 {
        let ports = self.ports(box_, above);
        let place = ports.iter().position(|port| *port == arc).unwrap_or(0);
        let frame = self.frame(box_);
        frame.left + frame.width * (place + 1) as f64 / (ports.len() + 1) as f64
    }

    fn frame(&self, box_: usize) -> Rect {
        self.boxes
            .get(box_)
            .copied()
            .unwrap_or(Rect::new(0.0, 0.0, 0.0, 0.0))
    }

    fn facts(&self, modes: usize) -> Vec<String> {
        let count =
            |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
        let modal = self.modal;
        let mut facts = vec![
            count(modal.modes.len(), "mode", "modes"),
            count(modal.transitions.len(), "transition", "transitions"),
        ];
        if modal.modes.len() > modes || modal.transitions.len() > self.arcs.len() {
            facts.push(format!("drawn: {modes} and {}", self.arcs.len()));
        }
        facts.push(format!("in {}", self.graph.name()));
        vec![facts.join(" · ")]
    }

    fn any(&mut self) {
        let frame = self.frame(0);
        self.canvas.open("transitions that may leave any mode");
        self.canvas.rect("any", &frame, 16.0);
        self.canvas.text(
            Font::Small,
            Anchor::Middle,
            frame.center().moved(0.0, 4.0),
            "any mode",
        );
        self.canvas.close();
    }

    fn mode(&mut self, mode: usize) {
        let (frame, key) = (self.frame(mode + self.shift), self.key(mode));
        let region = self.modal.modes.get(mode).map(|mode| mode.region);
        let inside = |signal: &dyverse_actors::Signal| Some(signal.region) == region && signal.is_named();
        let signals: Vec<&dyverse_actors::Signal> =
            self.graph.signals().iter().filter(|s| inside(s)).collect();
        let prefix = format!("{key}.");
        let mut tooltip = key.clone();
        for signal in signals.iter().take(MOST_EQUATIONS) {
            tooltip.push('\n');
            tooltip.push_str(&super::actors::equation(self.graph, signal, &prefix));
        }
        if signals.len() > MOST_EQUATIONS {
            tooltip.push_str(&format!("\nand {} more", signals.len() - MOST_EQUATIONS));
        }
        let names: Vec<&str> = signals
            .iter()
            .filter(|signal| signal.definition.has_settable_state())
            .map(|signal| signal.name.strip_prefix(&prefix).unwrap_or(&signal.name))
            .collect();
        let under = match names.len() {
            0 => "no states".to_owned(),
            1 => format!("state {}", names.join("")),
            _ => format!("states {}", names.join(", ")),
        };
        let is_initial = self.modal.initial.0 as usize == mode;
        if is_initial {
            tooltip.push_str("\nthe run begins here");
            let (dot, end) = (
                at(frame.left - 30.0, frame.center().y),
                at(frame.left, frame.center().y),
            );
            self.canvas.ellipse("initial", &Ellipse::new(dot, 5.0, 5.0));
            self.canvas
                .path("goes", Some("goes"), &Curve::line(dot.moved(5.0, 0.0), end));
        }
        self.canvas.open_place(&key, &tooltip);
        self.canvas.rect("location", &frame, 16.0);
        let room = frame.width - 16.0;
        // A name may hold `_`, which says nothing about where its parts stand.
        let name = fitted(&self.name(mode + self.shift), Font::Title.size(), room);
        let middle = frame.center();
        self.canvas
            .text(Font::Title, Anchor::Middle, middle.moved(0.0, -2.0), &name);
        let under = fitted(&under, Font::Tiny.size(), room);
        self.canvas
            .text(Font::Tiny, Anchor::Middle, middle.moved(0.0, 17.0), &under);
        self.canvas.close();
    }

    fn arc(&mut self, place: usize) {
        let Some(arc) = self.arcs.get(place) else { return };
        let (from, to, way, label) = (arc.from, arc.to, arc.way.clone(), arc.label.clone());
        let start = self.frame(from);
        let (curves, middle) = match way {
            Way::Beside { place } => {
                let y = start.top + 10.0 + place as f64 * LEVEL;
                let right = start.right();
                let bulge = [
                    at(right, y + 2.0),
                    at(right + 32.0, y - 4.0),
                    at(right + 32.0, y + 24.0),
                    at(right, y + 18.0),
                ];
                let middle = at(right + LOOP - 4.0 + label_width(&label) / 2.0, y + 10.0);
                (vec![Curve(bulge)], middle)
            }
            Way::Above { level } | Way::Below { level } => {
                let is_above = from < to;
                let (edge, y) = if is_above {
                    (start.top, start.top - (level + 1) as f64 * LEVEL)
                } else {
                    (start.bottom(), start.bottom() + (level + 1) as f64 * LEVEL)
                };
                let (a, b) = (self.port(place, from, is_above), self.port(place, to, is_above));
                let way = [at(a, edge), at(a, y), at(b, y), at(b, edge)];
                // Over the middle one of the gaps that it passes.
                let gap = (arc.left() + arc.right() - 1) / 2;
                let middle = (self.frame(gap).right() + self.frame(gap + 1).left) / 2.0;
                (rounded(&way, 12.0), at(middle, y))
            }
        };
        let tooltip = self.tooltip(place);
        let sources = self.sources(place);
        let to = self.key(to - self.shift);
        let edges: Vec<(&str, &str)> = sources.iter().map(|from| (from.as_str(), to.as_str())).collect();
        self.canvas.open_edges(&edges, &tooltip);
        let is_default = self.arcs.get(place).is_some_and(|arc| arc.transition.is_default);
        let dashed = if is_default { " dashed" } else { "" };
        self.canvas.chain(&format!("goes{dashed}"), Some("goes"), &curves);
        self.canvas.plate(Font::Guard, "goes", middle, &label);
        self.canvas.close_edges(edges.len());
    }

    /// The modes that a transition may leave, as traces name them.
    fn sources(&self, place: usize) -> Vec<String> {
        match self.arcs.get(place).map(|arc| arc.transition.from) {
            Some(Some(from)) => vec![self.key(from.0 as usize)],
            _ => (0..self.boxes.len() - self.shift)
                .map(|mode| self.key(mode))
                .collect(),
        }
    }

    fn tooltip(&self, place: usize) -> String {
        let Some(arc) = self.arcs.get(place) else {
            return String::new();
        };
        let transition = arc.transition;
        let mut lines = vec![
            self.modal.describe(transition),
            format!("guard: {}", label(transition)),
        ];
        let name = |signal: SignalId| self.graph.signal(signal).name.clone();
        let print = |node| self.graph.print(node);
        lines.extend(
            transition
                .sets
                .iter()
                .map(|(s, v)| format!("{} := {}", name(*s), print(*v))),
        );
        lines.extend(
            transition
                .outputs
                .iter()
                .map(|(s, v)| format!("out {} = {}", name(*s), print(*v))),
        );
        lines.join("\n")
    }
}
