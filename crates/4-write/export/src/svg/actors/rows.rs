//! What stands inside a block: its signals, and boxes for modes and parts in it, one below the other.

use super::blocks::{Block, Kind, group};
use super::words::{equation, operand, right_side};
use crate::svg::canvas::{Anchor, Canvas, Font};
use crate::svg::layout::{Rect, at, fitted, text_width};
use dyverse_actors::{Definition, Graph, RegionKind, SignalId};
use std::collections::BTreeMap;

/// So many signals of a block are shown, and so many boxes.
const MOST_SIGNALS: usize = 16;
const MOST_BOXES: usize = 24;
/// Boxes in boxes; what lies deeper is shown with its path.
const DEEPEST: usize = 3;
/// The widest that a block may be.
const WIDEST: f64 = 230.0;
const NARROWEST: f64 = 92.0;
const HEAD: f64 = 26.0;
const LINE: f64 = 17.0;
const INSET: f64 = 8.0;

/// One line of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Row {
    /// Begins a box; ends with `Close`.
    Open {
        title: String,
        note: String,
        /// The key of a mode.
        key: Option<String>,
    },
    Close,
    Signal {
        name: String,
        word: &'static str,
        tooltip: String,
    },
    More(usize),
}

/// The inside of a block, and what it is.
#[derive(Clone, Debug)]
pub(super) struct Inside {
    title: String,
    /// Below the title; empty for nothing.
    note: String,
    tooltip: String,
    class: &'static str,
    rows: Vec<Row>,
}

/// The signals of each block, found once.
pub(super) struct Contents<'a> {
    graph: &'a Graph,
    by_group: BTreeMap<&'a str, Vec<SignalId>>,
}

impl<'a> Contents<'a> {
    pub(super) fn of(graph: &'a Graph) -> Self {
        let mut by_group: BTreeMap<&str, Vec<SignalId>> = BTreeMap::new();
        for (place, signal) in graph.signals().iter().enumerate() {
            if signal.is_named() {
                let group = group(&signal.name).unwrap_or("");
                by_group.entry(group).or_default().push(SignalId(place as u32));
            }
        }
        Self { graph, by_group }
    }

    pub(super) fn inside(&self, block: &Block) -> Inside {
        let graph = self.graph;
        let plain = |class, note: String, tooltip| Inside {
            title: block.name.clone(),
            note,
            tooltip,
            class,
            rows: Vec::new(),
        };
        match block.kind {
            Kind::Input => plain(
                "input",
                "input".to_owned(),
                format!("{}: input from outside", block.name),
            ),
            Kind::Signal(id) => {
                let signal = graph.signal(id);
                let class = match signal.definition {
                    Definition::Integrator { .. } | Definition::Hold { .. } => "state",
                    Definition::Cross { .. } | Definition::Clock { .. } | Definition::At { .. } => "event",
                    _ => "part",
                };
                plain(class, right_side(graph, signal), equation(graph, signal, ""))
            }
            Kind::Rest => {
                let own = self.by_group.get("").map_or(&[][..], Vec::as_slice);
                let mut tree = Tree::new("");
                own.iter().for_each(|id| tree.add(graph, *id));
                let mut inside = plain(
                    "part",
                    format!("the model's own {} signals", own.len()),
                    block.name.clone(),
                );
                inside.rows = tree.rows(graph);
                inside
            }
            Kind::Part | Kind::Component => self.part(block),
        }
    }

    fn part(&self, block: &Block) -> Inside {
        let (graph, name) = (self.graph, block.name.as_str());
        let signals = self.by_group.get(name).map_or(&[][..], Vec::as_slice);
        let mut tree = Tree::new(name);
        signals.iter().for_each(|id| tree.add(graph, *id));
        let is_inside = |path: &str| path == name || group(path) == Some(name);
        for modal in graph.modals().iter().filter(|modal| is_inside(&modal.name)) {
            for mode in &modal.modes {
                let key = format!("{}.{}", modal.name, mode.name);
                let place = tree.container(&graph.region(mode.region).name);
                tree.containers[place].key = Some(key);
            }
        }
        let mut notes = Vec::new();
        for region in graph.regions().iter().filter(|region| is_inside(&region.name)) {
            if let RegionKind::Enabled(by) = region.kind {
                let note = format!("enabled by {}", operand(graph, by));
                if region.name == name {
                    notes.push(note);
                } else {
                    let place = tree.container(&region.name);
                    tree.containers[place].note = note;
                }
            }
        }
        let is_modal = graph.modals().iter().any(|modal| modal.name == name);
        let (class, what) = match block.kind {
            Kind::Component => ("component", "mechanism or FMU"),
            _ if !notes.is_empty() => ("any", "part that is active now and then"),
            _ if is_modal => ("part", "modal model"),
            _ => ("part", "part"),
        };
        if is_modal {
            notes.push("modal model".to_owned());
        }
        Inside {
            title: block.name.clone(),
            note: notes.join(", "),
            tooltip: format!("{name}: {what}, {} signals", signals.len()),
            class,
            rows: tree.rows(graph),
        }
    }
}

/// Parts in parts, by their paths.
struct Tree<'a> {
    root: &'a str,
    containers: Vec<Container>,
    places: BTreeMap<String, usize>,
}

#[derive(Default)]
struct Container {
    path: String,
    note: String,
    key: Option<String>,
    signals: Vec<SignalId>,
    children: Vec<usize>,
}

impl<'a> Tree<'a> {
    fn new(root: &'a str) -> Self {
        let first = Container {
            path: root.to_owned(),
            ..Container::default()
        };
        Self {
            root,
            containers: vec![first],
            places: BTreeMap::from([(root.to_owned(), 0)]),
        }
    }

    fn add(&mut self, graph: &Graph, id: SignalId) {
        let name = &graph.signal(id).name;
        let path = name.rsplit_once('.').map_or("", |(path, _)| path);
        let place = self.container(path);
        self.containers[place].signals.push(id);
    }

    /// The container with this path, made with all around it if it is new.
    fn container(&mut self, path: &str) -> usize {
        if let Some(place) = self.places.get(path) {
            return *place;
        }
        let (mut parent, mut end) = (0, self.root.len());
        loop {
            end = match path.get(end + 1..).and_then(|rest| rest.find('.')) {
                Some(dot) => end + 1 + dot,
                None => path.len(),
            };
            let part = path.get(..end).unwrap_or(path);
            parent = match self.places.get(part) {
                Some(place) => *place,
                None => {
                    let place = self.containers.len();
                    self.containers.push(Container {
                        path: part.to_owned(),
                        ..Container::default()
                    });
                    self.containers[parent].children.push(place);
                    self.places.insert(part.to_owned(), place);
                    place
                }
            };
            if end >= path.len() {
                return parent;
            }
        }
    }

    /// The tree as rows: without recursion, since parts may be nested deeply.
    fn rows(&self, graph: &Graph) -> Vec<Row> {
        enum Step {
            /// A container, how deep it is, and the path of the box around it.
            Visit(usize, usize, usize),
            Close,
        }
        let (mut rows, mut shown, mut left_out, mut boxes) = (Vec::new(), 0, 0, 0);
        let mut steps = vec![Step::Visit(0, 0, self.root.len())];
        while let Some(step) = steps.pop() {
            let (place, depth, outer) = match step {
                Step::Visit(place, depth, outer) => (place, depth, outer),
                Step::Close => {
                    rows.push(Row::Close);
                    continue;
                }
            };
            let container = &self.containers[place];
            let is_boxed = depth > 0 && depth <= DEEPEST && boxes < MOST_BOXES;
            let around = if depth == 0 || is_boxed {
                container.path.len()
            } else {
                outer
            };
            let without = |name: &str, outer: usize| {
                let cut = if outer == 0 { 0 } else { outer + 1 };
                name.get(cut..).unwrap_or(name).to_owned()
            };
            if is_boxed {
                boxes += 1;
                rows.push(Row::Open {
                    title: without(&container.path, outer),
                    note: container.note.clone(),
                    key: container.key.clone(),
                });
                steps.push(Step::Close);
            }
            for id in &container.signals {
                let signal = graph.signal(*id);
                if shown == MOST_SIGNALS {
                    left_out += 1;
                    continue;
                }
                shown += 1;
                rows.push(Row::Signal {
                    name: without(&signal.name, around),
                    word: word(&signal.definition),
                    tooltip: equation(graph, signal, ""),
                });
            }
            let children = container.children.iter().rev();
            steps.extend(children.map(|child| Step::Visit(*child, depth + 1, around)));
        }
        if left_out > 0 {
            rows.push(Row::More(left_out));
        }
        rows
    }
}

/// What a signal is, in a word beside its name.
fn word(definition: &Definition) -> &'static str {
    match definition {
        Definition::Integrator { .. } => "∫",
        Definition::Merge(_) => "by mode",
        Definition::Default { .. } => "??",
        Definition::Event { .. } => "event",
        Definition::Expression(_) | Definition::Output { .. } => "",
        other => other.word(),
    }
}

impl Inside {
    pub(super) fn width(&self) -> f64 {
        let title = text_width(&self.title, Font::Block.size()) + 24.0;
        let note = text_width(&self.note, Font::Tiny.size()) + 24.0;
        let mut depth = 0.0;
        let mut widest = title.max(note);
        for row in &self.rows {
            let wanted = match row {
                Row::Open { title, note, .. } => {
                    depth += 1.0;
                    let note = if note.is_empty() {
                        0.0
                    } else {
                        text_width(note, Font::Tiny.size()) + 10.0
                    };
                    text_width(title, Font::Row.size()) + note + 24.0
                }
                Row::Close => {
                    depth -= 1.0;
                    0.0
                }
                Row::Signal { name, word, .. } => {
                    text_width(name, Font::Row.size()) + text_width(word, Font::Tiny.size()) + 40.0
                }
                Row::More(_) => 110.0,
            };
            widest = f64::max(widest, wanted + 2.0 * INSET * depth);
        }
        widest.clamp(NARROWEST, WIDEST)
    }

    pub(super) fn height(&self) -> f64 {
        let rows = self.rows.iter().map(row_height).sum::<f64>();
        self.head() + rows + 8.0
    }

    fn head(&self) -> f64 {
        HEAD + if self.note.is_empty() { 0.0 } else { 14.0 }
    }

    /// Draws it into its frame.
    pub(super) fn paint(&self, canvas: &mut Canvas, frame: &Rect) {
        canvas.open(&self.tooltip);
        let radius = if self.class == "input" { 16.0 } else { 8.0 };
        canvas.rect(self.class, frame, radius);
        let (left, room) = (frame.left + 12.0, frame.width - 24.0);
        // What has nothing inside stands in the middle, where wires begin.
        let above = if self.rows.is_empty() {
            (frame.height - self.height()) / 2.0
        } else {
            0.0
        };
        let top = frame.top + above;
        let title = fitted(&self.title, Font::Block.size(), room);
        canvas.text(Font::Block, Anchor::Start, at(left, top + 19.0), &title);
        if !self.note.is_empty() {
            let note = fitted(&self.note, Font::Tiny.size(), room);
            canvas.text(Font::Tiny, Anchor::Start, at(left, top + 33.0), &note);
        }
        canvas.close();
        let mut y = frame.top + self.head();
        let mut depth = 0.0;
        for (place, row) in self.rows.iter().enumerate() {
            let (left, width) = (
                frame.left + INSET * (depth + 1.0),
                frame.width - 2.0 * INSET * (depth + 1.0),
            );
            match row {
                Row::Open { title, note, key } => {
                    let inside = Rect::new(left, y + 2.0, width, self.box_height(place) - 4.0);
                    open_box(canvas, &inside, title, note, key.as_deref());
                    depth += 1.0;
                }
                Row::Close => depth -= 1.0,
                Row::Signal { name, word, tooltip } => {
                    canvas.open(tooltip);
                    let taken = text_width(word, Font::Tiny.size());
                    let name = fitted(name, Font::Row.size(), width - taken - 16.0);
                    canvas.text(Font::Row, Anchor::Start, at(left + 6.0, y + 13.0), &name);
                    if !word.is_empty() {
                        canvas.text(Font::Tiny, Anchor::End, at(left + width - 4.0, y + 13.0), word);
                    }
                    canvas.close();
                }
                Row::More(count) => {
                    let words = format!("and {count} more");
                    canvas.text(Font::Tiny, Anchor::Start, at(left + 6.0, y + 13.0), &words);
                }
            }
            y += row_height(row);
        }
    }

    /// From a row that opens a box to the one that closes it.
    fn box_height(&self, open: usize) -> f64 {
        let (mut height, mut depth) = (0.0, 0_usize);
        for row in self.rows.iter().skip(open) {
            height += row_height(row);
            match row {
                Row::Open { .. } => depth += 1,
                Row::Close => depth = depth.saturating_sub(1),
                Row::Signal { .. } | Row::More(_) => {}
            }
            if depth == 0 {
                break;
            }
        }
        height
    }
}

fn row_height(row: &Row) -> f64 {
    match row {
        Row::Open { .. } => 22.0,
        Row::Close => 8.0,
        Row::Signal { .. } | Row::More(_) => LINE,
    }
}

fn open_box(canvas: &mut Canvas, frame: &Rect, title: &str, note: &str, key: Option<&str>) {
    match key {
        Some(key) => canvas.open_place(key, &format!("mode {key}")),
        None => canvas.open(title),
    }
    canvas.rect(if key.is_some() { "location" } else { "any" }, frame, 10.0);
    let note_room = if note.is_empty() {
        0.0
    } else {
        text_width(note, Font::Tiny.size())
    };
    let note_room = note_room.min(frame.width / 2.0);
    let title = fitted(title, Font::Row.size(), frame.width - note_room - 20.0);
    canvas.text(
        Font::Row,
        Anchor::Start,
        at(frame.left + 8.0, frame.top + 14.0),
        &title,
    );
    if !note.is_empty() {
        let note = fitted(note, Font::Tiny.size(), note_room);
        let end = at(frame.right() - 8.0, frame.top + 14.0);
        canvas.text(Font::Tiny, Anchor::End, end, &note);
    }
    canvas.close();
}
