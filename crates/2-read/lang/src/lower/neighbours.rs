//! Which boxes are near each other: a tree of boxes, so that nobody looks at every pair.
//!
//! # Method
//! Boxes are halved at the median of their centres along the longest side, until few are left; a group is compared
//! with another only where the boxes around both meet. Depth is log₂ of their number.
//!
//! # Guarantee
//! Every pair of boxes that meet is visited once, unless the visitor ends the search. Bounds that are not numbers
//! count as meeting everything.

/// Boxes in one leaf at the most.
const LEAF: usize = 8;

/// A box along the axes, from `low` to `high`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub(crate) low: [f64; 3],
    pub(crate) high: [f64; 3],
}

impl Extent {
    fn meets(&self, other: &Extent) -> bool {
        (0..3).all(|k| {
            let is_apart = self.high[k] < other.low[k] || other.high[k] < self.low[k];
            !is_apart
        })
    }
    fn with(&self, other: &Extent) -> Extent {
        Extent {
            low: [0, 1, 2].map(|k| least(self.low[k], other.low[k])),
            high: [0, 1, 2].map(|k| -least(-self.high[k], -other.high[k])),
        }
    }
    fn centre(&self, axis: usize) -> f64 {
        0.5 * self.low[axis] + 0.5 * self.high[axis]
    }
}

/// The lesser; what is no number is below all.
fn least(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() {
        f64::NEG_INFINITY
    } else {
        a.min(b)
    }
}

/// Goes on or ends the search.
pub(crate) type Visit<'v> = &'v mut dyn FnMut(usize, usize) -> bool;

/// Calls `visit` with the places of every two boxes that meet and of which one is among the first `moving`, until it
/// gives false. True if it never did.
pub(crate) fn visit_neighbours(boxes: &[Extent], moving: usize, visit: Visit<'_>) -> bool {
    let mut order: Vec<usize> = (0..boxes.len()).collect();
    let mut groups = Vec::new();
    let (first, rest) = order.split_at_mut(moving);
    let Some(first) = Group::build(boxes, first, 0, &mut groups) else {
        return true;
    };
    let rest = Group::build(boxes, rest, moving, &mut groups);
    let tree = Tree { boxes, order, groups };
    // Pairs of groups still to compare.
    let mut todo: Vec<(usize, usize)> = rest
        .map(|rest| (first, rest))
        .into_iter()
        .chain([(first, first)])
        .collect();
    while let Some((a, b)) = todo.pop() {
        if !tree.step(a, b, &mut todo, visit) {
            return false;
        }
    }
    true
}

/// A part of the boxes: `order[from..to]`.
struct Group {
    extent: Extent,
    from: usize,
    to: usize,
    halves: Option<(usize, usize)>,
}

impl Group {
    /// Adds the group of `order`, which begins at `from` of the whole, and its parts; gives its place.
    fn build(boxes: &[Extent], order: &mut [usize], from: usize, groups: &mut Vec<Group>) -> Option<usize> {
        let extent = order.iter().map(|i| boxes[*i]).reduce(|a, b| a.with(&b))?;
        let to = from + order.len();
        let mut halves = None;
        if order.len() > LEAF {
            let axis = widest(boxes, order);
            let middle = order.len() / 2;
            let by_centre = |i: &usize, j: &usize| {
                boxes[*i]
                    .centre(axis)
                    .total_cmp(&boxes[*j].centre(axis))
                    .then(i.cmp(j))
            };
            order.select_nth_unstable_by(middle, by_centre);
            let (left, right) = order.split_at_mut(middle);
            halves = Group::build(boxes, left, from, groups).zip(Group::build(
                boxes,
                right,
                from + middle,
                groups,
            ));
        }
        groups.push(Group {
            extent,
            from,
            to,
            halves,
        });
        Some(groups.len() - 1)
    }
}

/// The axis along which the centres are spread most.
fn widest(boxes: &[Extent], order: &[usize]) -> usize {
    let spread = |axis: usize| {
        let centres = order
            .iter()
            .map(|i| boxes[*i].centre(axis))
            .filter(|c| c.is_finite());
        let (low, high) = centres.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), c| {
            (l.min(c), h.max(c))
        });
        high - low
    };
    let spreads = [0, 1, 2].map(spread);
    [1, 2].into_iter().fold(
        0,
        |best, axis| if spreads[axis] > spreads[best] { axis } else { best },
    )
}

struct Tree<'b> {
    boxes: &'b [Extent],
    order: Vec<usize>,
    groups: Vec<Group>,
}

impl Tree<'_> {
    /// Compares two groups, or notes the comparisons of their parts.
    fn step(&self, a: usize, b: usize, todo: &mut Vec<(usize, usize)>, visit: Visit<'_>) -> bool {
        let (first, second) = (&self.groups[a], &self.groups[b]);
        if !first.extent.meets(&second.extent) {
            return true;
        }
        match (first.halves, second.halves) {
            (Some((left, right)), _) if a == b => todo.extend([(left, left), (right, right), (left, right)]),
            (Some((left, right)), _) if first.to - first.from >= second.to - second.from => {
                todo.extend([(left, b), (right, b)]);
            }
            (_, Some((left, right))) => todo.extend([(a, left), (a, right)]),
            (Some((left, right)), None) => todo.extend([(left, b), (right, b)]),
            (None, None) => return self.leaves(first, second, a == b, visit),
        }
        true
    }

    fn leaves(&self, first: &Group, second: &Group, is_same: bool, visit: Visit<'_>) -> bool {
        for (n, i) in self.order[first.from..first.to].iter().enumerate() {
            let others = &self.order[second.from..second.to];
            for j in others.iter().skip(if is_same { n + 1 } else { 0 }) {
                if self.boxes[*i].meets(&self.boxes[*j]) && !visit(*i.min(j), *i.max(j)) {
                    return false;
                }
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn found(boxes: &[Extent], moving: usize) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        assert!(visit_neighbours(boxes, moving, &mut |i, j| {
            pairs.push((i, j));
            true
        }));
        pairs
    }

    fn cube(x: f64, y: f64, z: f64, half: f64) -> Extent {
        Extent {
            low: [x - half, y - half, z - half],
            high: [x + half, y + half, z + half],
        }
    }

    #[test]
    fn the_pairs_are_those_of_looking_at_all() {
        let mut state = 1u64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / f64::from(1u32 << 31)
        };
        let mut boxes: Vec<Extent> = (0..300)
            .map(|_| cube(random(), random(), random(), 0.1 * random()))
            .collect();
        boxes.push(cube(0.0, 0.0, 0.0, f64::INFINITY));
        boxes.push(cube(f64::NAN, 0.5, 0.5, 0.1));
        let moving = 200;
        let pairs = found(&boxes, moving);
        let unique: BTreeSet<_> = pairs.iter().copied().collect();
        assert_eq!(unique.len(), pairs.len(), "visited twice");
        for j in 0..boxes.len() {
            for i in 0..j {
                assert_eq!(
                    unique.contains(&(i, j)),
                    i < moving && boxes[i].meets(&boxes[j]),
                    "{i} {j}"
                );
            }
        }
    }

    #[test]
    fn far_boxes_cost_little_and_a_visitor_can_end() {
        let row: Vec<Extent> = (0..100_000).map(|i| cube(0.0, f64::from(i), 0.0, 0.4)).collect();
        assert!(found(&row, row.len()).is_empty());
        let heap = vec![cube(0.0, 0.0, 0.0, 1.0); 100_000];
        let mut left = 10;
        assert!(!visit_neighbours(&heap, heap.len(), &mut |_, _| {
            left -= 1;
            left > 0
        }));
        assert!(found(&[], 0).is_empty());
        assert!(found(&heap, 0).is_empty());
    }
}
