//! Contacts that exclude each other: feasible and infeasible arrangements known from geometry.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on must stop")]

use dyverse_mech::{
    EntityId, ObstructionLimits, ObstructionReason, Obstructions, Participant, Placement, Shape, SurfaceId,
    TouchingPair, derive_obstructions,
};
use dyverse_num::{Interval, Quaternion, Vec3};
use proptest::prelude::*;

fn participant(entity: usize, shape: Shape<f64>, fixed: bool) -> Participant {
    Participant {
        entity: EntityId(entity),
        surface: SurfaceId(0),
        shape: shape.map(|x| Interval::point(*x)),
        fixed_at: fixed.then(Placement::identity),
    }
}

fn ball(entity: usize, radius: f64) -> Participant {
    participant(entity, Shape::Sphere { radius }, false)
}

/// All pairs of spheres.
fn all_touching(radii: &[f64]) -> Vec<TouchingPair> {
    let pairs = (0..radii.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
    pairs
        .map(|(i, j)| TouchingPair {
            first: ball(i, radii[i]),
            second: ball(j, radii[j]),
        })
        .collect()
}

fn derive(contacts: &[TouchingPair]) -> Obstructions {
    derive_obstructions(contacts, &ObstructionLimits::default())
}

/// Cayley–Menger determinant of m spheres in mutual contact, by elimination.
fn cayley_menger(radii: &[f64]) -> f64 {
    let n = radii.len() + 1;
    let entry = |i: usize, j: usize| match (i, j) {
        _ if i == j => 0.0,
        (0, _) | (_, 0) => 1.0,
        _ => (radii[i - 1] + radii[j - 1]).powi(2),
    };
    let mut m: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
    let mut determinant = 1.0;
    for column in 0..n {
        let pivot = (column..n)
            .max_by(|p, q| m[*p][column].abs().total_cmp(&m[*q][column].abs()))
            .unwrap();
        if pivot != column {
            m.swap(pivot, column);
            determinant = -determinant;
        }
        determinant *= m[column][column];
        let pivot_row = m[column].clone();
        for row in &mut m[column + 1..] {
            let factor = row[column] / pivot_row[column];
            for (entry, above) in row.iter_mut().zip(&pivot_row) {
                *entry -= factor * above;
            }
        }
    }
    determinant
}

proptest! {
    /// The curvature forms in the code against the determinant itself.
    #[test]
    fn verdicts_have_the_sign_of_cayley_menger(radii in prop::collection::vec(0.05..1.0_f64, 5)) {
        let four = cayley_menger(&radii[..4]);
        if four.abs() > 1e-9 {
            prop_assert_eq!(derive(&all_touching(&radii[..4])).sets.len(), usize::from(four < 0.0), "{}", four);
        }
        // Random radii never satisfy the equation for five, so something must be found.
        prop_assert!(!derive(&all_touching(&radii)).sets.is_empty());
    }
}

#[test]
fn four_equal_spheres_touch_five_do_not() {
    assert!(derive(&all_touching(&[1.0; 4])).sets.is_empty());
    let five = derive(&all_touching(&[1.0; 5]));
    assert_eq!(five.sets.len(), 1);
    assert_eq!(five.sets[0].reason, ObstructionReason::FiveSpheres);
    assert_eq!(five.sets[0].contacts, (0..10).collect::<Vec<_>>());
    assert!(!five.truncated);
    // Six spheres: each of the six fives.
    assert_eq!(derive(&all_touching(&[1.0; 6])).sets.len(), 6);
}

#[test]
fn a_fifth_sphere_that_fits_is_left_alone() {
    // Three of curvature 1, one of curvature 1; the fifth solves k² − 4k − 2 = 0: k = 2 + √6.
    let fifth = 1.0 / (2.0 + 6.0_f64.sqrt());
    assert!(
        derive(&all_touching(&[1.0, 1.0, 1.0, 1.0, fifth]))
            .sets
            .is_empty()
            || {
                // As a double it is only nearly right; an interval around it must be left alone for certain.
                let mut contacts = all_touching(&[1.0, 1.0, 1.0, 1.0, fifth]);
                for contact in &mut contacts {
                    for side in [&mut contact.first, &mut contact.second] {
                        side.shape = side.shape.map(Interval::widened);
                    }
                }
                derive(&contacts).sets.is_empty()
            }
    );
}

#[test]
fn a_speck_falls_through_three_balls() {
    let found = derive(&all_touching(&[1.0, 1.0, 1.0, 0.1]));
    assert_eq!(found.sets.len(), 1);
    assert_eq!(found.sets[0].reason, ObstructionReason::FourSpheres);
    // With a fifth ball, only sets without an impossible four inside are listed besides.
    let found = derive(&all_touching(&[1.0, 1.0, 1.0, 0.1, 1.0]));
    assert!(
        found
            .sets
            .iter()
            .all(|set| set.reason == ObstructionReason::FourSpheres),
        "{found:?}"
    );
}

#[test]
fn a_missing_contact_leaves_everything_possible() {
    let mut contacts = all_touching(&[1.0; 5]);
    contacts.pop();
    assert!(derive(&contacts).sets.is_empty());
}

/// A unit ball between two walls; `second` is the other wall.
fn between_walls(first: Shape<f64>, second: Shape<f64>) -> usize {
    let touching = |entity, wall| TouchingPair {
        first: participant(entity, wall, true),
        second: ball(0, 1.0),
    };
    derive(&[touching(1, first), touching(2, second)]).sets.len()
}

#[test]
fn parallel_walls() {
    let z = |s: f64| Vec3::new(0.0, 0.0, s);
    let plane = |n: f64, offset: f64| Shape::Plane { normal: z(n), offset };
    let solid = |n: f64, offset: f64| Shape::HalfSpace { normal: z(n), offset };
    let cases = [
        ("planes a diameter apart", plane(1.0, 0.0), plane(1.0, 2.0), 0),
        ("planes too far apart", plane(1.0, 0.0), plane(1.0, 3.0), 1),
        ("planes too near", plane(1.0, 0.0), plane(1.0, 1.0), 1),
        ("the same plane twice", plane(1.0, 0.5), plane(-2.0, -1.0), 0),
        (
            "floor and ceiling that fit",
            solid(1.0, 0.0),
            solid(-1.0, -2.0),
            0,
        ),
        ("floor and ceiling, wide", solid(1.0, 0.0), solid(-1.0, -3.0), 1),
        ("facing away", solid(1.0, 2.0), solid(-1.0, 0.0), 1),
        ("steps", solid(1.0, 0.0), solid(1.0, 1.0), 1),
        ("floor and plane", solid(1.0, 0.0), plane(1.0, 2.0), 0),
        ("scaled normals", solid(2.0, 0.0), solid(-3.0, -6.0), 0),
        (
            "a corner",
            solid(1.0, 0.0),
            Shape::HalfSpace {
                normal: Vec3::new(1.0, 0.0, 0.0),
                offset: 7.0,
            },
            0,
        ),
    ];
    for (name, first, second, expected) in cases {
        assert_eq!(between_walls(first, second), expected, "{name}");
    }
}

#[test]
fn walls_that_move_or_are_only_nearly_parallel_prove_nothing() {
    let floor = || Shape::HalfSpace {
        normal: Vec3::new(0.0, 0.0, 1.0),
        offset: 0.0,
    };
    let step = || Shape::HalfSpace {
        normal: Vec3::new(0.0, 0.0, 1.0),
        offset: 5.0,
    };
    let mut moving = participant(2, step(), false);
    moving.fixed_at = None;
    let touching = |wall| TouchingPair {
        first: ball(0, 1.0),
        second: wall,
    };
    let fixed = participant(1, floor(), true);
    assert!(
        derive(&[touching(fixed.clone()), touching(moving)])
            .sets
            .is_empty()
    );
    let mut tilted = participant(2, step(), true);
    let tilt = Quaternion::new(1.0, 1e-3, 0.0, 0.0).map(|c| Interval::point(*c));
    tilted.fixed_at = Some(Placement {
        position: Vec3::zero(),
        orientation: tilt,
    });
    assert!(derive(&[touching(fixed), touching(tilted)]).sets.is_empty());
}

#[test]
fn limits_shorten_the_list_and_say_so() {
    let limits = ObstructionLimits {
        obstructions: 2,
        candidates: 1_000_000,
    };
    let found = derive_obstructions(&all_touching(&[1.0; 7]), &limits);
    assert!(found.truncated && found.sets.len() == 2, "{found:?}");
    let limits = ObstructionLimits {
        obstructions: 100,
        candidates: 10,
    };
    assert!(derive_obstructions(&all_touching(&[1.0; 7]), &limits).truncated);
}
