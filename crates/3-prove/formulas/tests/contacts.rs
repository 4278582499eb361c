//! Gaps, velocities and biases against doubles and finite differences; which states there are; what cannot be had.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use crate::support;

use dyverse_formulas::{BodyFormulas, ContactId, Unknown};
use dyverse_mech::{EntityState, ReferenceAxis};
use dyverse_model::Model;
use dyverse_num::Quaternion;
use support::{Dice, Doubles, FIRST, close, example, model, point, values};

/// Where an entity is a moment later, u held constant.
fn later(s: &EntityState<f64>, h: f64) -> EntityState<f64> {
    let w = s.angular_velocity;
    let speed = w.norm();
    let turn = if speed > 0.0 {
        Quaternion::from_axis_angle(&w, &(speed * h))
    } else {
        Quaternion::identity()
    };
    EntityState {
        position: s.position + s.velocity.scale(&h),
        orientation: turn * s.orientation,
        ..*s
    }
}

/// All contacts of a model in random states about its initial ones.
fn check(model: &Model, spread: f64) {
    let mut formulas = BodyFormulas::new(model, &[]).unwrap();
    assert!(formulas.variables().unknowns.is_empty());
    let doubles = Doubles::new(model);
    let mut dice = Dice(11);
    let mut checked = 0;
    for contact in formulas.contact_ids() {
        for axis in [ReferenceAxis::X, ReferenceAxis::Y] {
            let f = formulas.contact(contact, axis).unwrap();
            assert_eq!(f, formulas.contact(contact, axis).unwrap(), "cached");
            let nodes = [
                f.gap,
                f.normal_velocity,
                f.tangential_velocity[0],
                f.tangential_velocity[1],
                f.normal_bias,
                f.tangential_bias[0],
                f.tangential_bias[1],
                f.normal[0],
            ];
            let mut used = 0;
            for _ in 0..200 {
                if used == 10 {
                    break;
                }
                let states: Vec<EntityState<f64>> = model
                    .entities()
                    .iter()
                    .zip(&doubles.starts)
                    .map(|(e, start)| {
                        let s = dice.state(spread);
                        let position = s.position + start.position;
                        if e.is_fixed {
                            *start
                        } else {
                            EntityState { position, ..s }
                        }
                    })
                    .collect();
                let (a, b, pair) = &doubles.pairs[contact.index()];
                let Ok(k) = pair.kinematics_along(&states[*a], &states[*b], axis) else {
                    continue;
                };
                let along = if axis == ReferenceAxis::X {
                    k.normal.x
                } else {
                    k.normal.y
                };
                if along.abs() > 0.9 || k.gap < 0.1 {
                    continue;
                }
                used += 1;
                checked += 1;
                let at = point(&formulas, &states, 0.0, &[]);
                let found = values(&formulas, &nodes, &at);
                let expected = [
                    k.gap,
                    k.normal_velocity,
                    k.tangential_velocity[0],
                    k.tangential_velocity[1],
                    k.normal_bias,
                    k.tangential_bias[0],
                    k.tangential_bias[1],
                    k.normal.x,
                ];
                for (found, expected) in found.iter().zip(expected) {
                    close(*found, expected, 1e-11);
                }
                let h = 1e-5;
                let moved = |h: f64| -> Vec<f64> {
                    let there: Vec<EntityState<f64>> = states
                        .iter()
                        .zip(model.entities())
                        .map(|(s, e)| if e.is_fixed { *s } else { later(s, h) })
                        .collect();
                    values(&formulas, &nodes, &point(&formulas, &there, 0.0, &[]))
                };
                let (before, after) = (moved(-h), moved(h));
                for (value, rate) in [(0, 1), (1, 4), (2, 5), (3, 6)] {
                    let slope = (after[value] - before[value]) / (2.0 * h);
                    close(found[rate], slope, 1e-6);
                }
            }
        }
    }
    // An axis is of no use to a plane that it is normal to.
    assert!(checked > 10 * formulas.contact_count(), "{checked}");
}

#[test]
fn spheres_and_planes() {
    check(
        &model(
            "system t
            entity a { sphere(radius = 0.5) mass = 1 position = (0, 3, 0) angular_velocity = (0, 0, 1) }
            entity b { sphere(radius = 0.3) mass = 2 position = (2, 3, 1) }
            fixed entity post { sphere(radius = 0.4, at = (0, 0.5, 0)) position = (-5, 3, 1) }
            fixed entity floor { half_space(normal = (0.2, 1, 0.1), offset = -5) }
            contact default { friction = 0.3 }",
        ),
        2.0,
    );
}

#[test]
fn off_centre_spheres_capsules_boxes_and_ellipsoids() {
    check(
        &model(
            "system t
            entity dumbbell { sphere(radius = 0.3, at = (0.5, 0, 0)) sphere(radius = 0.3, at = (-0.5, 0, 0)) mass = 1 position = (0, 4, 0) }
            entity rod { capsule(radius = 0.1, length = 1) mass = 1 position = (3, 4, 0) }
            entity ball { sphere(radius = 0.2) mass = 1 position = (0, 4, 3) }
            entity egg { ellipsoid(semi_axes = (0.3, 0.4, 0.5)) mass = 1 position = (3, 4, 3) }
            fixed entity block { rounded_box(size = (1, 1, 1), radius = 0.1) position = (-4, 4, 0) }
            fixed entity floor { half_space(normal = (0, 1, 0), offset = -2) }
            contact default { friction = 0.3 }
            no contact egg, rod
            no contact egg, ball
            no contact egg, dumbbell
            no contact egg, block
            no contact rod, block",
        ),
        1.0,
    );
}

/// The corners of a hull with a plane have formulas; its mass and inertia are those of its tetrahedra.
#[test]
fn hulls_on_planes() {
    check(
        &model(
            "system t
            entity gem { convex(points = ((0, 0, 0), (1, 0, 0), (0, 2, 0), (0, 0, 1)), at = (-0.25, -0.5, -0.25)) density = 2 position = (0, 0, 3) }
            fixed entity floor { half_space(normal = (0.1, 0.2, 1), offset = 0) }",
        ),
        0.3,
    );
}

#[test]
fn states_are_those_that_something_depends_on() {
    let names = |text: &str| {
        let model = model(text);
        let formulas = BodyFormulas::new(&model, &[]).unwrap();
        (formulas.variables().states.clone(), formulas.left_out().len())
    };
    let ball = "entity a { sphere(radius = 0.5) mass = 1 position = (0, 3, 0) }
        fixed entity floor { half_space(normal = (0, 1, 0), offset = 0) }";
    let (smooth, left) = names(&format!("system t {ball} contact default {{ friction = 0 }}"));
    assert_eq!(smooth, ["a.x", "a.y", "a.z", "a.vx", "a.vy", "a.vz"]);
    assert_eq!(left, 7);
    let (rough, _) = names(&format!("system t {ball} contact default {{ friction = 0.1 }}"));
    assert_eq!(rough.len(), 9);
    assert_eq!(rough[6..], ["a.wx", "a.wy", "a.wz"]);
    let spun =
        format!("system t {ball} contact default {{ friction = 0 }} property p: always [0, 1] a.wx < 1");
    assert_eq!(names(&spun).0.len(), 9);
    let slips = "property p: always [0, 1] slip_speed(a, floor) < 1";
    assert_eq!(
        names(&format!(
            "system t {ball} contact default {{ friction = 0 }} {slips}"
        ))
        .0
        .len(),
        9
    );
    let turned = format!("system t {ball} contact default {{ friction = 0 }} force on a = (a.qx, 0, 0)");
    assert_eq!(names(&turned).0.len(), 13);
    let rod =
        "system t entity a { capsule(radius = 0.1, length = 1) mass = 1 } contact default { friction = 0 }";
    assert_eq!(names(rod).0.len(), 13);
    let heavy = "system t entity a { sphere(radius = 1) mass = 1 inertia = (1, 1, 2) }";
    assert_eq!(names(heavy).0.len(), 13);
    let off = "system t entity a { sphere(radius = 1, at = (0, 0, 0.1)) mass = 1 inertia = (1, 1, 1) }";
    assert_eq!(names(off).0.len(), 13);
}

#[test]
fn unknowns_are_ranged_parameters_and_initial_values() {
    let ranged = model(
        "system t
        param h in [0.9, 1.1]
        param twice = 2 * h
        param e in [0, 1] = 0.5
        entity a { sphere(radius = 0.1) mass = 1 position in ([-0.1, 0.1], twice, 0) velocity = (1, 0, h) }
        contact default { restitution = e friction = 0 }",
    );
    let choices = [("e".to_owned(), 0.25, 0.25), ("h".to_owned(), 1.0, 1.5)];
    let formulas = BodyFormulas::new(&ranged, &choices).unwrap();
    let expected = [
        ("h", false, 1.0, 1.5),
        ("a.x", true, (-0.1f64).next_down(), 0.1f64.next_up()),
    ];
    for (found, (name, is_initial, lower, upper)) in formulas.variables().unknowns.iter().zip(expected) {
        let Unknown {
            name: n,
            is_initial: i,
            lower: l,
            upper: u,
        } = found;
        assert_eq!((n.as_str(), *i), (name, is_initial));
        assert!(
            *l >= lower && *l <= lower.next_up() && *u <= upper && *u >= upper.next_down(),
            "{found:?}"
        );
    }
    assert_eq!(formulas.variables().unknowns.len(), 2);
    let at = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.25, 0.05];
    let start = values(&formulas, formulas.initial(), &at);
    assert_eq!(start, [0.05, 2.5, 0.0, 1.0, 0.0, 1.25, 0.0]);
    assert_eq!(formulas.state_place("a.vy"), Some(4));
    assert_eq!(formulas.state_place("a.wx"), None);
    let told = |choice: (&str, f64, f64)| {
        let choice = (choice.0.to_owned(), choice.1, choice.2);
        BodyFormulas::new(&ranged, &[choice]).unwrap_err().what
    };
    assert_eq!(
        told(("k", 1.0, 2.0)),
        "there is no parameter or initial value `k`"
    );
    assert_eq!(told(("e", 2.0, 1.0)), "`e` cannot be in [2, 1]");
    let wide = [("e".to_owned(), 0.5, 1.5)];
    let two = model(
        "system t
        param e in [0, 1] = 0.5
        entity a { sphere(radius = 0.1) mass = 1 }
        entity b { sphere(radius = 0.1) mass = 1 position = (1, 0, 0) }
        contact default { restitution = e friction = 0 }",
    );
    let mut formulas = BodyFormulas::new(&two, &wide).unwrap();
    assert_eq!(
        formulas.contact(FIRST, ReferenceAxis::X).unwrap_err().what,
        "the restitution of ab may be out of range"
    );
}

#[test]
fn what_has_no_formula_says_why() {
    let pair = model(
        "system t
        entity a { ellipsoid(semi_axes = (1, 2, 1)) mass = 1 }
        entity b { sphere(radius = 0.1) mass = 1 position = (5, 0, 0) }",
    );
    let mut formulas = BodyFormulas::new(&pair, &[]).unwrap();
    let told = formulas.contact(FIRST, ReferenceAxis::X).unwrap_err().what;
    assert_eq!(
        told,
        "ab: no closest points of ellipsoid and sphere: the pair has no closed form"
    );
    let gem = "entity a { convex(points = ((-1, -1, -1), (1, 1, -1), (1, -1, 1), (-1, 1, 1))) mass = 1 }";
    for (other, why) in [
        (
            "sphere(radius = 0.1)",
            "ab: no closest points of convex and sphere: the pair has no closed form",
        ),
        (
            "box(size = (1, 1, 1))",
            "a#1-b#f1: proofs do not follow how corners, ends and edges of a convex and a box take over from each other",
        ),
    ] {
        let pair = model(&format!(
            "system t\n{gem} entity b {{ {other} mass = 1 position = (5, 0, 0) }}"
        ));
        let mut formulas = BodyFormulas::new(&pair, &[]).unwrap();
        assert_eq!(formulas.contact(FIRST, ReferenceAxis::X).unwrap_err().what, why);
    }
    assert_eq!(
        formulas
            .contact(ContactId::new(7), ReferenceAxis::X)
            .unwrap_err()
            .what,
        "there is no contact 7"
    );
    let wall = |x: &str| {
        model(&format!(
            "system t
            entity a {{ sphere(radius = 0.1) mass = 1 position in ({x}, 0, 0) }}
            fixed entity wall {{ plane(normal = (1, 0, 0), offset = 0) }}"
        ))
    };
    let one_side = wall("[-3, -2]");
    let mut formulas = BodyFormulas::new(&one_side, &[]).unwrap();
    let f = formulas.contact(FIRST, ReferenceAxis::Y).unwrap();
    let mut at = vec![0.0; formulas.variables().state_count() + 2];
    at[0] = -2.5;
    close(values(&formulas, &[f.gap], &at)[0], 2.4, 1e-14);
}

#[test]
fn a_plane_must_leave_no_choice_of_sides() {
    let ranged = model(
        "system t
        param x in [1, 2]
        entity a { sphere(radius = 0.1) mass = 1 position = (x, 0, 0) }
        fixed entity wall { plane(normal = (1, 0, 0), offset = 0) }",
    );
    let choice = [("x".to_owned(), -1.0, 2.0)];
    let mut formulas = BodyFormulas::new(&ranged, &choice).unwrap();
    assert_eq!(
        formulas.contact(FIRST, ReferenceAxis::Y).unwrap_err().what,
        "a-wall: some initial states are on either side of the plane"
    );
    let sure = BodyFormulas::new(&ranged, &[])
        .unwrap()
        .contact(FIRST, ReferenceAxis::Y);
    assert!(sure.is_ok());
}

#[test]
fn shipped_examples_have_formulas() {
    for name in [
        "interception",
        "three_balls_001",
        "between_walls",
        "newtons_cradle",
        "sliding_ball",
    ] {
        let model = example(name);
        let mut formulas = BodyFormulas::new(&model, &[]).unwrap();
        for contact in formulas.contact_ids() {
            let axis = formulas.sample_axis(contact).unwrap();
            formulas.contact(contact, axis).unwrap();
        }
        assert!(formulas.flow(&[]).is_ok(), "{name}");
    }
}
