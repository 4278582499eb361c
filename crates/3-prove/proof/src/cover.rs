//! Do boxes tile a box? Exactly: no gap and no overlap, by comparisons of doubles alone.
//!
//! Along the first side all ends of boxes make slabs; in each slab the boxes that span it must tile what is left, one dimension lower. In the last dimension they
//! must follow each other end to end.

/// Ends of a side.
pub(crate) type Side = (f64, f64);

/// Says what is wrong with the boxes as a tiling of the whole, if anything is.
pub(crate) fn tiles(whole: &[Side], boxes: &[&[Side]]) -> Result<(), String> {
    for (number, sides) in boxes.iter().enumerate() {
        if sides.len() != whole.len() {
            return Err(format!(
                "box {number} has {} sides, not {}",
                sides.len(),
                whole.len()
            ));
        }
        for (place, (side, all)) in sides.iter().zip(whole).enumerate() {
            let is_inside = all.0 <= side.0 && side.0 <= side.1 && side.1 <= all.1;
            let is_flat = side.0 == side.1 && all.0 < all.1;
            if !is_inside || is_flat {
                return Err(format!(
                    "side {place} of box {number}, [{:?}, {:?}], is no part of [{:?}, {:?}]",
                    side.0, side.1, all.0, all.1
                ));
            }
        }
    }
    let sides: Vec<usize> = (0..whole.len())
        .filter(|side| whole[*side].0 != whole[*side].1)
        .collect();
    let mut path: Vec<Slabs> = Vec::new();
    let mut next = Some((0..boxes.len()).collect::<Vec<usize>>());
    loop {
        if let Some(among) = next {
            match (sides.get(path.len()), among.as_slice()) {
                (Some(side), _) => path.push(Slabs::new(whole, boxes, among, *side)),
                (None, [_]) => {}
                (None, []) => {
                    let nowhere = "some unknowns are in no box".to_owned();
                    return Err(path
                        .iter()
                        .rev()
                        .fold(nowhere, |what, slabs| slabs.located(&what)));
                }
                (None, [a, b, ..]) => return Err(format!("boxes {a} and {b} overlap")),
            }
        }
        let Some(last) = path.last_mut() else {
            return Ok(());
        };
        next = last.next(boxes);
        if next.is_none() {
            path.pop();
        }
    }
}

/// The slabs along a side, one after the other.
struct Slabs {
    side: usize,
    ends: Vec<f64>,
    /// Slabs that were given.
    given: usize,
    /// Boxes that begin later, in order.
    waiting: std::iter::Peekable<std::vec::IntoIter<usize>>,
    /// Boxes that span the slab at hand.
    open: Vec<usize>,
}

impl Slabs {
    fn new(whole: &[Side], boxes: &[&[Side]], mut among: Vec<usize>, side: usize) -> Self {
        let own = among.iter().flat_map(|b| [boxes[*b][side].0, boxes[*b][side].1]);
        let mut ends: Vec<f64> = own.chain([whole[side].0, whole[side].1]).collect();
        ends.sort_by(f64::total_cmp);
        ends.dedup();
        among.sort_by(|a, b| boxes[*a][side].0.total_cmp(&boxes[*b][side].0));
        Slabs {
            side,
            ends,
            given: 0,
            waiting: among.into_iter().peekable(),
            open: Vec::new(),
        }
    }

    /// The boxes that span the next slab.
    fn next(&mut self, boxes: &[&[Side]]) -> Option<Vec<usize>> {
        let [from, _, ..] = self.ends[self.given..] else {
            return None;
        };
        self.given += 1;
        self.open.retain(|b| boxes[*b][self.side].1 > from);
        while let Some(next) = self.waiting.next_if(|b| boxes[*b][self.side].0 <= from) {
            self.open.push(next);
        }
        Some(self.open.clone())
    }

    /// Something about the slab at hand, with where it is.
    fn located(&self, what: &str) -> String {
        let (from, until) = (self.ends[self.given - 1], self.ends[self.given]);
        format!("{what}: side {} between {from:?} and {until:?}", self.side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(whole: &[Side], boxes: &[Vec<Side>]) -> Result<(), String> {
        let boxes: Vec<&[Side]> = boxes.iter().map(Vec::as_slice).collect();
        tiles(whole, &boxes)
    }

    #[test]
    fn tilings_and_not() {
        let whole = [(0.0, 4.0), (0.0, 1.0)];
        let pinwheel = vec![
            vec![(0.0, 1.0), (0.0, 1.0)],
            vec![(1.0, 4.0), (0.0, 0.25)],
            vec![(1.0, 2.0), (0.25, 1.0)],
            vec![(2.0, 4.0), (0.25, 1.0)],
        ];
        assert_eq!(check(&whole, &pinwheel), Ok(()));
        for missing in 0..pinwheel.len() {
            let mut boxes = pinwheel.clone();
            boxes.remove(missing);
            assert!(check(&whole, &boxes).is_err());
        }
        for (which, place, end) in (0..4).flat_map(|b| (0..2).flat_map(move |s| [(b, s, 0), (b, s, 1)])) {
            for change in [-1e-15, 1e-15, 0.1, -0.1] {
                let mut boxes = pinwheel.clone();
                let side = &mut boxes[which][place];
                let changed = if end == 0 { &mut side.0 } else { &mut side.1 };
                let before = *changed;
                *changed += change;
                if *changed != before {
                    assert!(check(&whole, &boxes).is_err(), "{which} {place} {end} {change}");
                }
            }
        }
        let mut twice = pinwheel.clone();
        twice.push(pinwheel[0].clone());
        assert!(check(&whole, &twice).is_err());
        assert!(check(&whole, &[vec![(0.0, 4.0)]]).is_err());
        assert!(check(&whole, &[vec![(f64::NAN, 4.0), (0.0, 1.0)]]).is_err());
    }

    #[test]
    fn points_and_nothing() {
        assert_eq!(check(&[(1.0, 1.0)], &[vec![(1.0, 1.0)]]), Ok(()));
        assert_eq!(check(&[], &[vec![]]), Ok(()));
        assert!(check(&[], &[]).is_err());
        assert!(check(&[(1.0, 2.0)], &[]).is_err());
    }
}
