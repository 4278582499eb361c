//! What is to be found of boxes whose truth is known.

use dyverse_check::{Limits, Outcome, RefineOptions, Refined};

use super::read::{actors, decide_actors, decide_bodies, model};

pub(crate) fn options(boxes: usize, smallest: f64) -> RefineOptions {
    RefineOptions {
        smallest,
        boxes,
        limits: Limits::default(),
        ..RefineOptions::default()
    }
}

pub(crate) fn bodies(text: &str) -> Refined {
    decide_bodies(&model(text), "p", &options(200, 1e-3)).unwrap()
}

pub(crate) fn modes(text: &str) -> Refined {
    decide_actors(&actors(text), "p", &options(200, 1e-3)).unwrap()
}

pub(crate) fn assert_safe(refined: &Refined, what: &str) {
    let limit = |o: &Outcome| matches!(o, Outcome::Undecided(dyverse_check::Reason::Limit(_)));
    let is_open = |b: &&dyverse_check::Decided| !matches!(b.outcome, Outcome::Safe(_));
    let open = refined
        .boxes
        .iter()
        .filter(is_open)
        .min_by_key(|b| limit(&b.outcome));
    assert!(open.is_none(), "{what}: {open:?}");
}

pub(crate) fn assert_unsafe(refined: &Refined, what: &str) {
    let open = refined
        .boxes
        .iter()
        .find(|b| !matches!(b.outcome, Outcome::Unsafe { .. }));
    assert!(open.is_none(), "{what}: {open:?}");
}

/// Some box is unsafe, and none that holds `safe_at` is; some box is safe.
pub(crate) fn assert_mixed(refined: &Refined, what: &str) {
    let safe = refined.share(|o| matches!(o, Outcome::Safe(_)));
    let broken = refined.share(|o| matches!(o, Outcome::Unsafe { .. }));
    assert!(safe > 0.1 && broken > 0.1, "{what}: {safe} {broken}");
}

/// Every box of one unknown is on its side of where the verdict changes; `low_is_safe`: below it.
pub(crate) fn assert_boundary(refined: &Refined, boundary: f64, low_is_safe: bool, most_undecided: f64) {
    assert_mixed(refined, "a boundary");
    let mut undecided = 0.0;
    for found in &refined.boxes {
        let side = found.unknowns.sides[0];
        let is_below = match found.outcome {
            Outcome::Safe(_) => low_is_safe,
            Outcome::Unsafe { .. } => !low_is_safe,
            Outcome::Undecided(_) => {
                undecided += side.width();
                continue;
            }
        };
        if is_below {
            assert!(
                side.hi() <= boundary + 1e-9,
                "{side:?} {boundary} {:?}",
                found.outcome
            );
        } else {
            assert!(
                side.lo() >= boundary - 1e-9,
                "{side:?} {boundary} {:?}",
                found.outcome
            );
        }
    }
    assert!(undecided <= most_undecided, "{undecided} is undecided");
}
