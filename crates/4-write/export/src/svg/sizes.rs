//! A row for each number of closed contacts: what can still be drawn of an automaton with many vertices.

use super::canvas::{Anchor, Canvas, Font};
use super::layout::{Curve, Rect, at};
use super::{Drawing, MARGIN, head, size_line, title};
use crate::count::{compact, grouped};
use crate::lights::size_key;
use crate::subject::{Subject, graph_word};
use crate::traffic::locations_of;
use dyverse_machine::{AutomatonSize, BigUint};

const WIDTH: f64 = 1180.0;
const TOP: f64 = 150.0;
const ROW: f64 = 44.0;
const BOX: Rect = Rect::new(MARGIN, 0.0, 110.0, 30.0);
/// The right ends of the columns of numbers.
const COLUMNS: [f64; 3] = [330.0, 520.0, 720.0];
const BARS: f64 = 744.0;
const LONGEST_BAR: f64 = WIDTH - BARS - MARGIN;
/// Up to so many rows are all shown; of more, the first, those around the largest, and the last.
const MOST_ROWS: usize = 14;

/// One row: a number of closed contacts, or how many are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Row {
    Size(usize),
    Gap(usize),
}

/// The automaton by numbers of closed contacts.
pub(super) fn draw(subject: Subject<'_>, size: &AutomatonSize) -> Drawing {
    let title = title(subject);
    let mut canvas = Canvas::default();
    let kind = graph_word(subject.automaton().graph().kind());
    let vertices = compact(size.vertices());
    let graph_edges = compact(size.graph_edges());
    let lines = [
        size_line(size),
        format!(
            "contact combination graph, {kind}: {vertices} vertices, {graph_edges} edges, by the number N of closed contacts"
        ),
    ];
    head(&mut canvas, WIDTH, &title, &lines);
    for (heading, x) in ["vertices", "locations of each", "locations in all"]
        .into_iter()
        .zip(COLUMNS)
    {
        canvas.text(Font::Small, Anchor::End, at(x, TOP - 18.0), heading);
    }
    canvas.text(
        Font::Small,
        Anchor::Start,
        at(BARS, TOP - 18.0),
        "locations in all, on a scale of powers of ten",
    );

    let locations: Vec<BigUint> = size
        .vertices_by_size()
        .iter()
        .enumerate()
        .map(|(n, count)| count * locations_of(n))
        .collect();
    let rows = rows(&locations);
    let most = locations.iter().map(magnitude).fold(1.0, f64::max);
    for (place, row) in rows.iter().enumerate() {
        let y = TOP + ROW * place as f64;
        match row {
            Row::Gap(count) => {
                let words = format!(
                    "⋮  {} more numbers of closed contacts",
                    grouped(&BigUint::from(*count))
                );
                canvas.text(Font::Small, Anchor::Start, at(MARGIN + 48.0, y + 18.0), &words);
            }
            Row::Size(n) => {
                let (Some(count), Some(all)) = (size.vertices_by_size().get(*n), locations.get(*n)) else {
                    continue;
                };
                draw_size(&mut canvas, y, *n, count, all, most);
                if let Some(Row::Size(next)) = rows.get(place + 1) {
                    let x = BOX.center().x;
                    let tooltip = format!("one contact more closes, or one of {next} opens");
                    let (this, below) = (size_key(*n), size_key(*next));
                    canvas.open_edges(&[(&this, &below), (&below, &this)], &tooltip);
                    canvas.path(
                        "joined",
                        None,
                        &Curve::line(at(x, y + BOX.height), at(x, y + ROW)),
                    );
                    canvas.close_edges(2);
                }
            }
        }
    }
    let bottom = TOP + ROW * rows.len() as f64 + 16.0;
    let note = "Each vertex with N > 0 also has an impact node and a contact node. Contacts close downwards and open upwards; \
                any number of them may do so at once.";
    canvas.text(Font::Small, Anchor::Start, at(MARGIN, bottom), note);
    let description = format!(
        "{} vertices by the number of closed contacts. {note}",
        compact(size.vertices())
    );
    Drawing {
        canvas,
        width: WIDTH,
        height: bottom + 24.0,
        title,
        description,
    }
}

fn draw_size(canvas: &mut Canvas, y: f64, n: usize, count: &BigUint, all: &BigUint, most: f64) {
    canvas.open_place(
        &size_key(n),
        &format!("N = {n}\nvertices: {count}\ndynamical locations: {all}"),
    );
    let frame = Rect { top: y, ..BOX };
    canvas.rect("location", &frame, 10.0);
    canvas.text(
        Font::Name,
        Anchor::Middle,
        at(frame.center().x, y + 20.0),
        &format!("N = {n}"),
    );
    let each = locations_of(n);
    for (number, x) in [count, &each, all].into_iter().zip(COLUMNS) {
        canvas.text(Font::Small, Anchor::End, at(x, y + 19.0), &compact(number));
    }
    let length = (magnitude(all) / most * LONGEST_BAR).max(3.0);
    canvas.rect("bar", &Rect::new(BARS, y + 8.0, length, 14.0), 3.0);
    canvas.close();
}

/// About the decimal logarithm: from the number of bits and the leading ones of them.
fn magnitude(number: &BigUint) -> f64 {
    let dropped = number.bits().saturating_sub(32);
    let leading = u32::try_from(&(number >> dropped)).unwrap_or(u32::MAX);
    f64::from(leading.max(1)).log10() + dropped as f64 * std::f64::consts::LOG10_2
}

/// Which rows are shown.
fn rows(locations: &[BigUint]) -> Vec<Row> {
    let count = locations.len();
    if count <= MOST_ROWS {
        return (0..count).map(Row::Size).collect();
    }
    let largest = (0..count).max_by_key(|n| locations.get(*n)).unwrap_or(0);
    let is_shown = |n: &usize| *n < 5 || n.abs_diff(largest) <= 1 || *n + 3 >= count;
    let mut rows = Vec::new();
    for n in 0..count {
        match rows.last_mut() {
            _ if is_shown(&n) => rows.push(Row::Size(n)),
            Some(Row::Gap(left_out)) => *left_out += 1,
            _ => rows.push(Row::Gap(1)),
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn magnitudes_are_decimal_logarithms() {
        for power in [0_u32, 3, 9, 10, 500] {
            let found = magnitude(&BigUint::from(10_u32).pow(power));
            assert!((found - f64::from(power)).abs() < 1e-6, "{found} for 10^{power}");
        }
    }

    #[test]
    fn rows_show_every_size_or_say_how_many_are_left_out() {
        for count in [1_usize, 14, 15, 20, 1771] {
            // Grows, then falls, as numbers of locations do.
            let locations: Vec<BigUint> = (0..count).map(|n| BigUint::from(n * (2 * count - n))).collect();
            let rows = rows(&locations);
            let shown: usize = rows
                .iter()
                .map(|row| if let Row::Gap(n) = row { *n } else { 1 })
                .sum();
            assert_eq!(shown, count);
            assert!(rows.len() <= MOST_ROWS.max(count.min(MOST_ROWS)), "{rows:?}");
        }
    }
}
