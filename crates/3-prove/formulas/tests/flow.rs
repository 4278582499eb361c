//! The flow of a location is the right-hand side that a run integrates.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use crate::support;

use dyverse_component::{Cause, Component, Point};
use dyverse_formulas::{BodyFormulas, ContactId, Row, SlipDirection};
use dyverse_mech::{EntityState, ReferenceAxis};
use dyverse_model::Model;
use dyverse_simulate::{Mechanism, RunOptions};
use dyverse_trace::SuperdenseTime;
use support::{Dice, Doubles, FIRST, SECOND, close, example, model, packed, place, point, unpacked, values};

type Closed<'a> = &'a [(ContactId, ReferenceAxis, Row<SlipDirection>)];

const SLIP: Row<SlipDirection> = Row::Along(SlipDirection::OfVelocity);

/// Compares rates in many states: those of formulas and those of a mechanism in the same location.
fn compare(
    model: &Model,
    mechanism: &mut Mechanism<'_>,
    parameters: &[(&str, f64)],
    closed: Closed<'_>,
    states: impl Iterator<Item = Vec<EntityState<f64>>>,
) {
    let ranges: Vec<(String, f64, f64)> = parameters
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value - 0.25, value + 0.25))
        .collect();
    let mut formulas = BodyFormulas::new(model, &ranges).unwrap();
    let unknowns: Vec<f64> = parameters.iter().map(|(_, value)| *value).collect();
    assert_eq!(formulas.variables().unknowns.len(), unknowns.len());
    let location = formulas.flow(closed).unwrap();
    let moving: Vec<usize> = (0..model.entities().len())
        .filter(|e| !model.entities()[*e].is_fixed)
        .collect();
    let inputs = vec![0.0; model.inputs().len()];
    let mut count = 0;
    for states in states {
        count += 1;
        let x: Vec<f64> = moving.iter().flat_map(|e| packed(&states[*e])).collect();
        let mut expected = vec![0.0; x.len()];
        let here = Point {
            t: 0.7,
            x: &x,
            u: &inputs,
        };
        mechanism.rates(here, &mut expected).unwrap();
        let at = point(&formulas, &states, 0.7, &unknowns);
        let found = values(&formulas, &location.flow.rates, &at);
        assert_eq!(found.last(), Some(&1.0), "time");
        for (i, found) in found.iter().take(found.len() - 1).enumerate() {
            let (entity, component) = formulas.state(i).unwrap();
            let number = moving.iter().position(|e| *e == entity.0).unwrap();
            close(*found, expected[13 * number + place(component)], 1e-10);
        }
    }
    assert!(count > 0);
}

fn mechanism<'m>(model: &'m Model, parameters: &[(&str, f64)]) -> Mechanism<'m> {
    let options = RunOptions {
        parameters: parameters.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect(),
        ..RunOptions::default()
    };
    Mechanism::new(model, &options).unwrap()
}

/// Executes the first event; gives the states then.
fn started(model: &Model, mechanism: &mut Mechanism<'_>) -> Vec<EntityState<f64>> {
    let mut x = Vec::new();
    mechanism.start(0.0, &mut x).unwrap();
    let inputs = vec![0.0; model.inputs().len()];
    mechanism
        .microstep(SuperdenseTime::at(0.0).unwrap(), Cause::Start, &mut x, &inputs)
        .unwrap();
    let mut parts = x.chunks_exact(13);
    let fixed = Doubles::new(model).starts;
    let entities = model.entities().iter().zip(fixed);
    entities
        .map(|(e, fixed)| {
            if e.is_fixed {
                fixed
            } else {
                unpacked(parts.next().unwrap())
            }
        })
        .collect()
}

/// States near these, and as fast; directions of slip stay about what they were.
fn near(states: &[EntityState<f64>], spread: f64) -> impl Iterator<Item = Vec<EntityState<f64>>> {
    let mut dice = Dice(7);
    let states = states.to_vec();
    (0..40).map(move |_| {
        let change = |s: &EntityState<f64>| EntityState {
            position: s.position + dice.vector(spread),
            orientation: {
                let v = dice.vector(spread);
                let turn = dyverse_num::Quaternion::new(1.0, v.x, v.y, v.z).normalized();
                (turn * s.orientation).normalized()
            },
            velocity: s.velocity + dice.vector(spread),
            angular_velocity: s.angular_velocity + dice.vector(spread),
        };
        states.iter().map(change).collect()
    })
}

fn anywhere(count: usize) -> impl Iterator<Item = Vec<EntityState<f64>>> {
    let mut dice = Dice(3);
    (0..40).map(move |_| (0..count).map(|_| dice.state(3.0)).collect())
}

#[test]
fn free_flight_of_balls_under_loads() {
    let game = example("interception");
    compare(
        &game,
        &mut mechanism(&game, &[("K", 1.7)]),
        &[("K", 1.7)],
        &[],
        anywhere(2),
    );
    let three = example("three_balls_002");
    compare(
        &three,
        &mut mechanism(&three, &[("k", 1.2)]),
        &[("k", 1.2)],
        &[],
        anywhere(3),
    );
}

#[test]
fn free_flight_turns_what_is_not_round() {
    let text = "system t
        input u = 2 * time
        entity box { rounded_box(size = (1, 0.6, 0.4), radius = 0.05) mass = 2 position = (0, 3, 0) }
        entity rod { capsule(radius = 0.1, length = 1) density = 500 position = (3, 3, 0) }
        gravity (0, -9.81, 0)
        spring box, rod { stiffness = 3 length = 1 }
        force on box = (-box.vx, 0, 0.5 * sin(rod.z))
        moment on rod = (0, 0.2 * rod.wx, rod.qw)
        force on rod = (0, 0, u * 0)";
    let both = model(text);
    compare(&both, &mut mechanism(&both, &[]), &[], &[], anywhere(2));
}

#[test]
fn given_inertia_with_products() {
    let text = "system t
        entity body { sphere(radius = 0.5) mass = 1.5 inertia = (0.5, 0.7, 0.6) products_of_inertia = (0.05, -0.1, 0.02) position = (0, 3, 0) }
        gravity (0, -9.81, 0)";
    let body = model(text);
    compare(&body, &mut mechanism(&body, &[]), &[], &[], anywhere(1));
}

fn ball_on_floor(velocity: &str, friction: &str) -> Model {
    model(&format!(
        "system t
        param R = 0.1
        param m in [0.5, 2]
        entity ball {{ sphere(radius = R) mass = m position = (0, R, 0) {velocity} }}
        fixed entity floor {{ half_space(normal = (0, 1, 0), offset = 0) }}
        contact ball, floor {{ restitution = 0 friction = {friction} }}
        force on ball = (1, 0, -0.5 * ball.x)
        gravity (0, -9.81, 0)"
    ))
}

#[test]
fn a_ball_that_rolls_and_one_that_slides() {
    for axis in [ReferenceAxis::X] {
        let rolling = ball_on_floor("", "0.8");
        let mut there = mechanism(&rolling, &[("m", 1.2)]);
        let states = started(&rolling, &mut there);
        let closed = [(FIRST, axis, Row::Stick)];
        compare(&rolling, &mut there, &[("m", 1.2)], &closed, near(&states, 0.02));
        for friction in ["0.2", "0.2 + 0.1 * exp(-slip_speed)"] {
            let sliding = ball_on_floor("velocity = (2, 0, 1)", friction);
            let mut there = mechanism(&sliding, &[("m", 1.2)]);
            let states = started(&sliding, &mut there);
            let closed = [(FIRST, axis, SLIP)];
            compare(&sliding, &mut there, &[("m", 1.2)], &closed, near(&states, 0.05));
        }
    }
}

/// A ball at rest on a steep plane begins to slip downhill: a direction that the velocity does not tell.
#[test]
fn a_ball_that_begins_to_slip() {
    let slope = model(
        "system t
        entity ball { sphere(radius = 0.5) mass = 1 position = (0.3, 0.4, 0) }
        fixed entity hill { plane(normal = (3, 4, 0), offset = 0) }
        contact ball, hill { restitution = 0 friction = 0.1 }
        gravity (0, -9.81, 0)",
    );
    let mut there = mechanism(&slope, &[]);
    let states = started(&slope, &mut there);
    // Downhill is (4, −3, 0)/5; the ball is entity 1, and the hill's relative motion is against it.
    let doubles = Doubles::new(&slope);
    let mut moving = states.clone();
    moving[0].velocity = dyverse_num::Vec3::new(0.8, -0.6, 0.0);
    moving[0].angular_velocity = dyverse_num::Vec3::zero();
    let k = doubles.kinematics(0, &moving, ReferenceAxis::X);
    let [x, y] = k.tangential_velocity;
    let size = x.hypot(y);
    let direction = Row::Along(SlipDirection::Fixed([x / size, y / size]));
    let closed = [(FIRST, ReferenceAxis::X, direction)];
    compare(&slope, &mut there, &[], &closed, std::iter::once(states));
}

/// A capsule on one end: its inertia is not isotropic, its normal force has a moment, and the flow has gyroscopic terms.
#[test]
fn a_capsule_on_one_end() {
    let text = |velocity: &str, friction: f64| {
        model(&format!(
            "system t
            entity rod {{ capsule(radius = 0.1, length = 1) mass = 2
                position = (0, 0.1 + 0.5 * cos(0.5), 0)
                orientation = rotation((1, 0, 0), 0.5 - pi / 2) {velocity} }}
            fixed entity floor {{ half_space(normal = (0, 1, 0), offset = 0) }}
            contact rod, floor {{ restitution = 0 friction = {friction} }}
            gravity (0, -9.81, 0)"
        ))
    };
    for (velocity, friction, mode) in [("", 5.0, Row::Stick), ("velocity = (1, 0, 0.5)", 0.1, SLIP)] {
        let rod = text(velocity, friction);
        let mut there = mechanism(&rod, &[]);
        let states = started(&rod, &mut there);
        let doubles = Doubles::new(&rod);
        let end = (0..2)
            .find(|c| {
                doubles
                    .kinematics(*c as usize, &states, ReferenceAxis::X)
                    .gap
                    .abs()
                    < 1e-8
            })
            .unwrap();
        let closed = [(ContactId::new(end), ReferenceAxis::X, mode)];
        compare(&rod, &mut there, &[], &closed, near(&states, 0.02));
    }
}

/// A ball in a groove: two closed contacts that act on each other.
#[test]
fn a_ball_in_a_groove() {
    let text = |friction: f64| {
        model(&format!(
            "system t
            entity ball {{ sphere(radius = 0.5) mass = 1 position = (0, 0.5, 0) velocity = (0, 0, 1) angular_velocity = (0, 1, 0) }}
            fixed entity left {{ half_space(normal = (4, 3, 0), offset = -0.2) }}
            fixed entity right {{ half_space(normal = (-4, 3, 0), offset = -0.2) }}
            contact default {{ restitution = 0 friction = {friction} }}
            gravity (0, -9.81, 0)"
        ))
    };
    for friction in [0.0, 0.2] {
        let groove = text(friction);
        let mut there = mechanism(&groove, &[]);
        let states = started(&groove, &mut there);
        let closed = [(FIRST, ReferenceAxis::Y, SLIP), (SECOND, ReferenceAxis::Y, SLIP)];
        compare(&groove, &mut there, &[], &closed, near(&states, 0.01));
    }
    // Sticking at two points of one ball fixes six velocities by five: no unique forces.
    let groove = text(0.2);
    let mut formulas = BodyFormulas::new(&groove, &[]).unwrap();
    let stick = [
        (FIRST, ReferenceAxis::Y, Row::Stick),
        (SECOND, ReferenceAxis::Y, Row::Stick),
    ];
    let told = formulas.flow(&stick).unwrap_err();
    assert_eq!(told.what, "the forces of ball-left, ball-right are not unique");
}
