//! Proofs that the prover finds are accepted, and survive being written and read.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use crate::common;

use common::{BALL, Case, on_a_small_stack};
use dyverse_proof::{read_proof, write_proof};

fn accepted(case: &Case) {
    let proof = case.prove();
    let found = case.check(&proof).unwrap_or_else(|r| panic!("{r}"));
    assert_eq!(found.boxes, proof.boxes.len());
    let mut bytes = Vec::new();
    write_proof(&proof, &mut bytes).unwrap();
    let again = read_proof(&bytes).unwrap();
    assert_eq!(again, proof);
    assert_eq!(case.check_with(&again, 2), Ok(found));
}

#[test]
fn a_bouncing_ball_of_two_unknowns() {
    accepted(&Case::bodies(BALL, "low"));
}

#[test]
fn three_balls_at_once() {
    let text = include_str!("../../../../examples/three_balls_002.drbt");
    accepted(&Case::bodies(text, "bounded"));
}

#[test]
fn the_interception_game() {
    let text = include_str!("../../../../examples/interception.drbt");
    accepted(&Case::bodies(text, "kept").with("K", 2.9, 3.0));
    accepted(&Case::bodies(text, "kept").with("K", 2.99, 3.0));
}

#[test]
fn a_ball_on_a_moving_table() {
    let text = include_str!("../../../../examples/actors/ball_on_sine.dam");
    accepted(&Case::actors(text, "above_the_lowest_point"));
}

#[test]
fn a_thermostat() {
    let text = include_str!("../../../../examples/actors/thermostat.dam");
    accepted(&Case::actors(text, "never_hot").with("outside", 4.9, 5.1));
}

#[test]
fn two_tanks() {
    let text = include_str!("../../../../examples/actors/two_tanks.dam");
    accepted(&Case::actors(text, "no_overflow").with("inflow", 1.0, 1.02));
}

/// Ten impacts of an oscillator with a wall.
#[test]
fn an_oscillator_against_a_wall() {
    let text = "
system oscillator
param v in [1, 1.02]
entity ball { sphere(radius = 0.1)  mass = 1  position = (0, 0, 0)  velocity = (v, 0.3, 0) }
fixed entity wall { plane(normal = (-1, 0, 0), offset = -0.3) }
contact ball, wall { restitution = 0.99  friction = 0 }
spring ball, (0, 0, 0) { stiffness = 9 }
horizon 14
property inside: always [0, 14] ball.x >= -0.5
";
    accepted(&Case::bodies(text, "inside"));
}

/// A sawtooth of two thousand teeth: as many stays one after the other.
#[test]
fn a_long_evolution_needs_no_deep_stack() {
    let text = "
model saw
param a in [0.1, 0.2]
modal m {
  out cont x
  initial mode one { x' = 1 init 0  when x >= 1 goto two { x := 0 } }
  mode two { x' = 1  when x >= 1 goto one { x := 0 } }
}
horizon = 2000.5
property low: always m.x <= 1 + a
";
    on_a_small_stack(move || {
        let case = Case::actors(text, "low");
        assert_eq!(case.prove().boxes[0].stays.len(), 2001);
        accepted(&case);
    });
}

/// Twenty seconds, ten turns, without an event.
#[test]
fn a_free_oscillator() {
    let text = "
model oscillator
param k in [9, 9.5] = 9
x' = v init 0.3
v' = -k * x init 0.5
horizon = 20
property inside: always x >= -0.5
";
    accepted(&Case::actors(text, "inside"));
}

/// No proof of what is not so: a tree that is right, of another property.
#[test]
fn a_false_property_is_not_accepted() {
    let mut proof = Case::bodies(BALL, "low").prove();
    proof.property = "lower".into();
    let found = Case::bodies(BALL, "lower").check(&proof).unwrap_err();
    assert!(
        found.to_string().contains("the property is not shown to hold"),
        "{found}"
    );
}
