//! The drawing of blocks and wires.
//!
//! Between two columns there is room for *lanes*, in which wires bend and those that lead back go down or up, and then for the labels of what arrives
//! at the next column: so no wire runs over a label.

use super::MARGIN;
use super::blocks::{Parts, Wire};
use super::layers::{Layout, Link, lay_out};
use super::rows::{Contents, Inside};
use crate::svg::Drawing;
use crate::svg::canvas::{Anchor, Canvas, Font};
use crate::svg::head;
use crate::svg::layout::{Curve, Point, Rect, at, fitted, rounded, text_width};
use dyverse_actors::Graph;

const TOP: f64 = 96.0;
/// Between the wires that arrive at a block.
const PORT: f64 = 20.0;
/// The widest label of a wire.
const LABEL: f64 = 170.0;
/// Room in which wires bend, and of a lane in it.
const BEND: f64 = 44.0;
const LANE: f64 = 9.0;
/// Between wires that lead back below the blocks.
const TRACK: f64 = 11.0;

/// A wire and what is known about it.
struct Line<'a> {
    from: usize,
    to: usize,
    wire: &'a Wire,
    label: String,
    is_back: bool,
}

/// The room left of a column (or right of the last): its lanes, then labels up to the column.
#[derive(Clone, Copy, Debug, Default)]
struct Gap {
    left: f64,
    lanes: usize,
    labels: f64,
}

struct Picture<'a> {
    lines: Vec<Line<'a>>,
    layout: Layout,
    frames: Vec<Rect>,
    /// Left and right end of each column.
    columns: Vec<(f64, f64)>,
    gaps: Vec<Gap>,
    /// For each line that leads back: its lane after its source, its lane before its target, its track.
    ways_back: Vec<Option<(usize, usize, usize)>>,
    canvas: Canvas,
}

pub(super) fn paint(graph: &Graph, parts: &Parts) -> Drawing {
    let contents = Contents::of(graph);
    let insides: Vec<Inside> = parts.blocks.iter().map(|block| contents.inside(block)).collect();
    let links: Vec<Link> = parts
        .wires
        .iter()
        .map(|((from, to), wire)| Link {
            from: *from,
            to: *to,
            is_direct: wire.is_direct,
        })
        .collect();
    let arriving = |block: usize| links.iter().filter(|link| link.to == block).count() as f64;
    let heights: Vec<f64> = insides
        .iter()
        .enumerate()
        .map(|(place, inside)| inside.height().max(arriving(place) * PORT + 14.0))
        .collect();
    let layout = lay_out(&heights, &links);
    let lines = parts
        .wires
        .iter()
        .zip(&layout.is_back)
        .map(|(((from, to), wire), is_back)| Line {
            from: *from,
            to: *to,
            wire,
            label: label(wire),
            is_back: *is_back,
        })
        .collect();
    let mut picture = Picture {
        lines,
        layout,
        frames: Vec::new(),
        columns: Vec::new(),
        gaps: Vec::new(),
        ways_back: Vec::new(),
        canvas: Canvas::default(),
    };
    picture.lay_ways_back();
    let right = picture.place(&insides, &heights);
    picture.finish(graph, parts, &insides, right)
}

/// The signals of a wire, in the room of a label.
fn label(wire: &Wire) -> String {
    let names: Vec<&str> = wire.signals.iter().map(String::as_str).collect();
    let all = names.join(", ");
    let Some(first) = names
        .first()
        .filter(|_| text_width(&all, Font::Tiny.size()) > LABEL)
    else {
        return all;
    };
    if names.len() == 1 {
        return fitted(first, Font::Tiny.size(), LABEL);
    }
    let more = format!(" and {} more", names.len() - 1);
    let room = LABEL - text_width(&more, Font::Tiny.size());
    fitted(first, Font::Tiny.size(), room) + &more
}

impl Picture<'_> {
    /// Lanes and tracks of what leads back: short ways run nearest to the blocks.
    fn lay_ways_back(&mut self) {
        let count = self.layout.column.iter().max().map_or(0, |last| last + 1);
        self.gaps = vec![Gap::default(); count + 1];
        self.ways_back = vec![None; self.lines.len()];
        let column = |block: usize| self.layout.column.get(block).copied().unwrap_or(0);
        let mut order: Vec<usize> = (0..self.lines.len())
            .filter(|place| self.lines[*place].is_back)
            .collect();
        order.sort_by_key(|place| {
            let line = &self.lines[*place];
            column(line.from).abs_diff(column(line.to))
        });
        for (track, place) in order.into_iter().enumerate() {
            let line = &self.lines[place];
            let mut take = |gap: usize| {
                let lane = self.gaps[gap].lanes;
                self.gaps[gap].lanes += 1;
                lane
            };
            let (away, home) = (take(column(line.from) + 1), take(column(line.to)));
            self.ways_back[place] = Some((away, home, track));
        }
    }

    /// Places columns, gaps and frames; the right end.
    fn place(&mut self, insides: &[Inside], heights: &[f64]) -> f64 {
        let column = &self.layout.column;
        for (to, label) in self.lines.iter().map(|line| (line.to, &line.label)) {
            let gap = &mut self.gaps[column[to]];
            gap.labels = gap.labels.max(text_width(label, Font::Tiny.size()) + 24.0);
        }
        let mut x = MARGIN;
        for place in 0..self.gaps.len() {
            let is_inner = place > 0 && place + 1 < self.gaps.len();
            let gap = &mut self.gaps[place];
            gap.left = x;
            let bend = if is_inner { BEND } else { 0.0 };
            x += bend + (gap.lanes as f64 + 1.0) * LANE + gap.labels;
            if place + 1 < self.gaps.len() {
                let widths = column.iter().zip(insides).filter(|(c, _)| **c == place);
                let width = widths.map(|(_, inside)| inside.width()).fold(0.0, f64::max);
                self.columns.push((x, x + width));
                x += width;
            }
        }
        for (block, height) in heights.iter().enumerate() {
            let (left, right) = self.columns[column[block]];
            let top = TOP + self.layout.top[block];
            self.frames.push(Rect::new(left, top, right - left, *height));
        }
        x
    }

    fn finish(mut self, graph: &Graph, parts: &Parts, insides: &[Inside], right: f64) -> Drawing {
        let blocks = TOP + self.layout.height;
        let tracks = self.ways_back.iter().flatten().count();
        let bottom = blocks
            + if tracks > 0 {
                18.0 + tracks as f64 * TRACK
            } else {
                0.0
            }
            + 34.0;
        let mut legend = vec![
            "A solid wire is needed at the same moment; a dashed one goes through a state or a delay. Point at anything for more."
                .to_owned(),
        ];
        if parts.left_out > 0 {
            let all = parts.blocks.len() + parts.left_out;
            legend.push(format!(
                "Drawn: the {} of {all} parts with the most wires, and the wires between them; {} parts are left out.",
                parts.blocks.len(),
                parts.left_out
            ));
        }
        let widest = legend
            .iter()
            .map(|line| text_width(line, Font::Small.size()))
            .fold(0.0, f64::max);
        let width = right.max(widest + MARGIN) + MARGIN;
        let title = format!("Actors of {}", graph.name());
        let facts = facts(graph, parts);
        head(&mut self.canvas, width, &title, std::slice::from_ref(&facts));
        for place in 0..self.lines.len() {
            self.line(place, blocks + 18.0);
        }
        for (inside, frame) in insides.iter().zip(&self.frames) {
            inside.paint(&mut self.canvas, frame);
        }
        for (line, place) in legend.iter().zip(0..) {
            let y = bottom + 18.0 * f64::from(place);
            self.canvas.text(Font::Small, Anchor::Start, at(MARGIN, y), line);
        }
        Drawing {
            canvas: self.canvas,
            width,
            height: bottom + 18.0 * legend.len() as f64 + 8.0,
            description: format!(
                "The actors of {} in columns by what they need. {facts}. {}",
                graph.name(),
                legend.join(" ")
            ),
            title,
        }
    }

    /// Where a line arrives: those at one block in the order of where they come from, what leads back last.
    fn port(&self, place: usize) -> Point {
        let to = self.lines[place].to;
        let mut arriving: Vec<(bool, f64, usize)> = Vec::new();
        for (other, line) in self.lines.iter().enumerate().filter(|(_, line)| line.to == to) {
            let last_stop = self.layout.column[to]
                .checked_sub(1)
                .and_then(|column| self.layout.stops.get(&(line.from, column)));
            let y = last_stop.map_or_else(|| self.frames[line.from].center().y, |stop| TOP + stop);
            arriving.push((line.is_back, y, other));
        }
        arriving.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
        let slot = arriving
            .iter()
            .position(|(_, _, other)| *other == place)
            .unwrap_or(0);
        let frame = self.frames[to];
        let middle = (arriving.len() as f64 - 1.0) / 2.0;
        at(frame.left, frame.center().y + (slot as f64 - middle) * PORT)
    }

    fn line(&mut self, place: usize, below: f64) {
        let line = &self.lines[place];
        let (from, to) = (self.frames[line.from], self.port(place));
        let start = at(from.right(), from.center().y);
        let home = self.gaps[self.layout.column[line.to]];
        let zone = to.x - home.labels;
        let curves = match self.ways_back[place] {
            Some((away, back, track)) => {
                let after = self.gaps[self.layout.column[line.from] + 1].left + (away + 1) as f64 * LANE;
                let before = zone - (back + 1) as f64 * LANE;
                let y = below + track as f64 * TRACK;
                let way = [
                    start,
                    at(after, start.y),
                    at(after, y),
                    at(before, y),
                    at(before, to.y),
                    to,
                ];
                rounded(&way, 6.0)
            }
            None => self.forward(line, start, to),
        };
        let dashed = if line.wire.is_direct { "" } else { " dashed" };
        let names: Vec<&str> = line.wire.signals.iter().map(String::as_str).collect();
        let how = if line.wire.is_direct {
            "needed at the same moment"
        } else {
            "through a state or a delay"
        };
        let tooltip = format!("{}\n{how}", names.join(", "));
        let label = line.label.clone();
        self.canvas.open(&tooltip);
        self.canvas.chain(&format!("wire{dashed}"), Some("wire"), &curves);
        self.canvas
            .text(Font::Tiny, Anchor::Start, at(zone + 6.0, to.y - 4.0), &label);
        self.canvas.close();
    }

    /// Bends between columns, straight lines through them.
    fn forward(&self, line: &Line<'_>, start: Point, to: Point) -> Vec<Curve> {
        let (first, last) = (self.layout.column[line.from], self.layout.column[line.to]);
        let (mut curves, mut here) = (Vec::new(), start);
        for column in first + 1..=last {
            let (left, right) = self.columns[column];
            let zone = left - self.gaps[column].labels;
            let y = match self.layout.stops.get(&(line.from, column)) {
                Some(stop) if column < last => TOP + stop,
                _ => to.y,
            };
            let middle = (here.x + zone) / 2.0;
            curves.push(Curve([here, at(middle, here.y), at(middle, y), at(zone, y)]));
            here = if column < last { at(right, y) } else { to };
            curves.push(Curve::line(at(zone, y), here));
        }
        curves
    }
}

fn facts(graph: &Graph, parts: &Parts) -> String {
    let count =
        |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
    let named = graph.signals().iter().filter(|signal| signal.is_named()).count();
    let mut facts = vec![
        count(parts.blocks.len() + parts.left_out, "part", "parts"),
        count(parts.wires.len(), "wire", "wires"),
        count(named, "named signal", "named signals"),
    ];
    if !graph.modals().is_empty() {
        facts.push(count(graph.modals().len(), "modal model", "modal models"));
    }
    facts.join(" · ")
}
