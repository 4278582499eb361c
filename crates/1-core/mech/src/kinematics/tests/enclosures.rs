//! On intervals: enclosures contain what doubles find at members.

use dyverse_num::{Interval, Vec3};

use super::random::{Random, all_pairs};
use crate::{ContactError, ContactKinematics, EntityState, NoClosestPointsReason, ShapeKind};

fn around(value: f64, half: f64) -> Interval {
    Interval::new(value - half, value + half).unwrap()
}

/// All numbers of a result, in order.
fn numbers<S: Clone>(k: &ContactKinematics<S>) -> Vec<S> {
    let vectors = [&k.normal, &k.tangents[0], &k.tangents[1], &k.arms[0], &k.arms[1]];
    let mut all: Vec<S> = vectors
        .iter()
        .flat_map(|v: &&Vec3<S>| v.coordinates().map(Clone::clone))
        .collect();
    all.extend([k.gap.clone(), k.normal_velocity.clone(), k.normal_bias.clone()]);
    all.extend(k.tangential_velocity.clone());
    all.extend(k.tangential_bias.clone());
    all
}

fn is_closed((a, b): (ShapeKind, ShapeKind)) -> bool {
    use ShapeKind::{Capsule, Ellipsoid, RoundedBox};
    let hard = |x, y| matches!((x, y), (RoundedBox, Capsule | RoundedBox) | (Ellipsoid, _));
    !b.is_bounded() || !(hard(a, b) || hard(b, a))
}

/// Points: closed forms run through the same operations, so the double lies inside exactly. Other pairs
/// are solved anew, so the double is off by its own rounding error, and intervals of width 1e-9 are taken.
#[test]
fn enclosures_contain_the_doubles() {
    let mut rng = Random(51);
    for kinds in all_pairs() {
        let (mut undecided, total) = (0, 150);
        for i in 0..total {
            let half = match (i % 2, is_closed(kinds)) {
                (0, true) => 0.0,
                (0, false) => 1e-9,
                _ => 1e-5,
            };
            let (pair, one, two) = rng.contact(kinds, 2.0, 0.1);
            let wide = |state: &EntityState<f64>| state.map(|c| around(*c, half));
            let point = pair.kinematics(&one, &two).unwrap();
            let enclosed =
                pair.map(|c| Interval::point(*c))
                    .kinematics_along(&wide(&one), &wide(&two), point.reference);
            let enclosed = match enclosed {
                Ok(enclosed) => enclosed,
                Err(ContactError::NoClosestPoints {
                    reason: NoClosestPointsReason::Undecided,
                    ..
                }) => {
                    undecided += 1;
                    continue;
                }
                Err(error) => panic!("{error}"),
            };
            for (k, (outer, inner)) in numbers(&enclosed).iter().zip(numbers(&point)).enumerate() {
                assert!(
                    outer.contains(inner),
                    "{kinds:?} {i} number {k}: {outer:?} {inner}"
                );
            }
            assert!(
                enclosed.gap.width() <= 1e-11 + 3e3 * half,
                "{kinds:?} {:?}",
                enclosed.gap
            );
            // And at another member.
            let mut shift = |state: &EntityState<f64>| state.map(|c| c + rng.between(-half, half) * 0.999);
            let (one, two) = (shift(&one), shift(&two));
            let point = pair.kinematics_along(&one, &two, point.reference).unwrap();
            for (outer, inner) in numbers(&enclosed).iter().zip(numbers(&point)) {
                assert!(outer.contains(inner), "{kinds:?} {i}: {outer:?} {inner}");
            }
        }
        // Which of a hull's features is nearest is not decided on intervals.
        if kinds.1 == ShapeKind::Convex {
            assert_eq!(undecided, total);
            continue;
        }
        assert!(
            undecided * 10 < total,
            "{kinds:?}: {undecided} of {total} undecided"
        );
    }
}
