//! From the samples of one signal to strokes: lines between events, jumps, dots, stems.
//!
//! # Method
//! 1. Samples that share a pixel's column are thinned out if they are many.
//! 2. Points are joined: by a line if time passes between them, by a jump if only microsteps do. A gap ends everything; what was
//!    present at one instant only becomes stems.
//! 3. Points of a line that change nothing one could see are left out (Douglas and Peucker).

/// Samples in one column that are drawn one by one.
const MOST_IN_COLUMN: usize = 12;
/// Distances below this are not seen, in pixels.
const UNSEEN: f64 = 0.1;

/// Numbers from here downwards are instants of thinned points: no two of a run are the same.
const NO_INSTANT: usize = usize::MAX;

/// A place on the drawing.
pub(super) type Place = (f64, f64);

/// A sample of one signal: where it lies, and its instant. Samples of one instant have the same number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    pub(super) x: f64,
    /// None where the signal is absent.
    pub(super) y: Option<f64>,
    pub(super) instant: usize,
}

/// What is drawn of a signal.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Strokes {
    pub(super) lines: Vec<Vec<Place>>,
    pub(super) jumps: Vec<(Place, Place)>,
    pub(super) dots: Vec<Place>,
    /// The tops of stems.
    pub(super) stems: Vec<Place>,
}

/// A point that is drawn.
#[derive(Clone, Copy, Debug)]
struct Kept {
    place: Place,
    instant: usize,
}

/// The strokes of a signal over time.
pub(super) fn over_time(points: &[Point]) -> Strokes {
    let mut strokes = Strokes::default();
    let mut run: Vec<Kept> = Vec::new();
    let mut is_after_gap = false;
    for column in points.chunk_by(|a, b| a.x.floor() == b.x.floor()) {
        if column.len() > MOST_IN_COLUMN {
            if column.iter().all(|p| p.y.is_none()) {
                finish(&mut strokes, &mut run, is_after_gap, true);
                is_after_gap = true;
            } else {
                thinned(column, &mut run);
            }
            continue;
        }
        for point in column {
            if let Some(y) = point.y {
                run.push(Kept {
                    place: (point.x, y),
                    instant: point.instant,
                });
            } else {
                finish(&mut strokes, &mut run, is_after_gap, true);
                is_after_gap = true;
            }
        }
    }
    finish(&mut strokes, &mut run, is_after_gap, false);
    strokes
}

/// The strokes of a signal over the microsteps of an instant: it has values at them only, so they are dots.
pub(super) fn over_microsteps(points: &[Point]) -> Strokes {
    let mut strokes = Strokes::default();
    let mut previous: Option<Place> = None;
    for point in points {
        let place = point.y.map(|y| (point.x, y));
        if let (Some(a), Some(b)) = (previous, place) {
            strokes.jumps.push((a, b));
        }
        strokes.dots.extend(place);
        previous = place;
    }
    strokes
}

/// Of many samples in one column only the first, the least, the largest and the last.
fn thinned(column: &[Point], run: &mut Vec<Kept>) {
    let present: Vec<(usize, Place, usize)> = column
        .iter()
        .enumerate()
        .filter_map(|(k, p)| Some((k, (p.x, p.y?), p.instant)))
        .collect();
    let by_y = |a: &&(usize, Place, usize), b: &&(usize, Place, usize)| a.1.1.total_cmp(&b.1.1);
    let ends = [
        present.first(),
        present.iter().min_by(by_y),
        present.iter().max_by(by_y),
        present.last(),
    ];
    let mut kept: Vec<(usize, Place, usize)> = ends.into_iter().flatten().copied().collect();
    kept.sort_by_key(|(k, ..)| *k);
    kept.dedup_by_key(|(k, ..)| *k);
    let is_one_instant = column
        .iter()
        .all(|p| Some(p.instant) == column.first().map(|q| q.instant));
    if is_one_instant {
        run.extend(kept.iter().map(|(_, place, instant)| Kept {
            place: *place,
            instant: *instant,
        }));
        return;
    }
    // A line through all of it: jumps this close cannot be told from motion.
    for (_, place, _) in kept {
        let instant = NO_INSTANT - run.len();
        run.push(Kept { place, instant });
    }
}

/// Draws a run of present points, and empties it.
fn finish(strokes: &mut Strokes, run: &mut Vec<Kept>, is_after_gap: bool, is_before_gap: bool) {
    let points = std::mem::take(run);
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return;
    };
    if first.instant == last.instant && (is_after_gap || is_before_gap) {
        for point in &points {
            if strokes.stems.last() != Some(&point.place) {
                strokes.stems.push(point.place);
                strokes.dots.push(point.place);
            }
        }
        return;
    }
    if is_after_gap {
        strokes.dots.push(first.place);
    }
    let mut line = vec![first.place];
    for pair in points.windows(2) {
        let [a, b] = pair else { continue };
        if a.instant != b.instant {
            line.push(b.place);
        } else if (a.place.1 - b.place.1).abs() > UNSEEN {
            end_line(strokes, &mut line);
            strokes.jumps.push((a.place, b.place));
            if strokes.dots.last() != Some(&a.place) {
                strokes.dots.push(a.place);
            }
            strokes.dots.push(b.place);
            line.push(b.place);
        }
    }
    end_line(strokes, &mut line);
    if is_before_gap {
        strokes.dots.push(last.place);
    }
}

fn end_line(strokes: &mut Strokes, line: &mut Vec<Place>) {
    let line = std::mem::take(line);
    if line.len() > 1 {
        strokes.lines.push(simplified(&line));
    }
}

/// The line without the points that lie on the way between others, to less than one can see.
fn simplified(line: &[Place]) -> Vec<Place> {
    let mut is_kept = vec![false; line.len()];
    for end in [is_kept.len().saturating_sub(1), 0] {
        if let Some(kept) = is_kept.get_mut(end) {
            *kept = true;
        }
    }
    let mut open = vec![(0, line.len().saturating_sub(1))];
    while let Some((begin, end)) = open.pop() {
        let (Some(a), Some(b), Some(between)) = (line.get(begin), line.get(end), line.get(begin + 1..end))
        else {
            continue;
        };
        let farthest = between
            .iter()
            .enumerate()
            .map(|(k, p)| (begin + 1 + k, distance(*p, *a, *b)))
            .max_by(|p, q| p.1.total_cmp(&q.1));
        if let Some((k, _)) = farthest.filter(|(_, distance)| *distance > UNSEEN) {
            if let Some(kept) = is_kept.get_mut(k) {
                *kept = true;
            }
            open.push((begin, k));
            open.push((k, end));
        }
    }
    let kept = line.iter().zip(is_kept).filter(|(_, kept)| *kept);
    kept.map(|(place, _)| *place).collect()
}

/// How far a point is from the line through two others.
fn distance(p: Place, a: Place, b: Place) -> f64 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let length = dx.hypot(dy);
    if length == 0.0 {
        return (p.0 - a.0).hypot(p.1 - a.1);
    }
    (dx * (p.1 - a.1) - dy * (p.0 - a.0)).abs() / length
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(x: f64, y: f64, instant: usize) -> Point {
        Point {
            x,
            y: (!y.is_nan()).then_some(y),
            instant,
        }
    }

    #[test]
    fn a_jump_separates_two_lines() {
        let strokes = over_time(&[
            point(0.0, 0.0, 0),
            point(5.0, 1.0, 1),
            point(10.0, 2.0, 2),
            point(10.0, 8.0, 2),
            point(10.0, 20.0, 2),
            point(20.0, 20.0, 3),
        ]);
        assert_eq!(
            strokes.lines,
            [vec![(0.0, 0.0), (10.0, 2.0)], vec![(10.0, 20.0), (20.0, 20.0)]]
        );
        assert_eq!(
            strokes.jumps,
            [((10.0, 2.0), (10.0, 8.0)), ((10.0, 8.0), (10.0, 20.0))]
        );
        assert_eq!(strokes.dots, [(10.0, 2.0), (10.0, 8.0), (10.0, 20.0)]);
    }

    #[test]
    fn absent_values_are_gaps_and_single_instants_are_stems() {
        let gap = f64::NAN;
        let strokes = over_time(&[
            point(0.0, 0.0, 0),
            point(10.0, 0.0, 1),
            point(10.0, gap, 1),
            point(10.0, 5.0, 1),
            point(20.0, 5.0, 2),
            point(30.0, gap, 3),
            point(30.0, 7.0, 3),
            point(30.0, gap, 3),
        ]);
        assert_eq!(
            strokes.lines,
            [[(0.0, 0.0), (10.0, 0.0)], [(10.0, 5.0), (20.0, 5.0)]]
        );
        assert!(strokes.jumps.is_empty());
        assert_eq!(strokes.stems, [(30.0, 7.0)]);
        assert_eq!(strokes.dots, [(10.0, 0.0), (10.0, 5.0), (20.0, 5.0), (30.0, 7.0)]);
    }

    #[test]
    fn a_million_points_become_a_few_for_each_column() {
        let points: Vec<Point> = (0..1_000_000)
            .map(|k| point(f64::from(k) / 10_000.0, f64::from(k % 7) * 10.0, k as usize / 3))
            .collect();
        let strokes = over_time(&points);
        let count: usize = strokes.lines.iter().map(Vec::len).sum();
        assert!((100..1_000).contains(&count), "{count}");
        assert!(strokes.dots.len() < 10, "{}", strokes.dots.len());
        let low = strokes
            .lines
            .iter()
            .flatten()
            .map(|p| p.1)
            .fold(f64::MAX, f64::min);
        let high = strokes.lines.iter().flatten().map(|p| p.1).fold(0.0, f64::max);
        assert_eq!((low, high), (0.0, 60.0));
    }

    #[test]
    fn a_thousand_microsteps_at_one_instant_are_one_jump_from_least_to_largest() {
        let points: Vec<Point> = (0..1000).map(|k| point(3.0, f64::from(k) / 10.0, 0)).collect();
        let strokes = over_time(&points);
        assert_eq!(strokes.jumps, [((3.0, 0.0), (3.0, 99.9))]);
    }

    #[test]
    fn straight_lines_need_their_ends_only() {
        let line: Vec<Place> = (0..100).map(|k| (f64::from(k), 2.0 * f64::from(k))).collect();
        assert_eq!(simplified(&line), [(0.0, 0.0), (99.0, 198.0)]);
        let bend = [(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)];
        assert_eq!(simplified(&bend), bend);
        assert_eq!(simplified(&[(0.0, 0.0)]), [(0.0, 0.0)]);
    }
}
