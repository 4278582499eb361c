//! Proofs of the shipped examples, found and then checked by other code: what is proved is accepted.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use dyverse::check::{
    CheckOptions, Checkable, Interrupt, ProofQuestion, Verdict, check, verify_proof, write_proof,
};
use std::ops::ControlFlow;

fn text(file: &str) -> &'static str {
    let example = dyverse::EXAMPLES.iter().find(|e| e.file == file);
    example.unwrap_or_else(|| panic!("{file}")).text
}

fn accepted(subject: Checkable<'_>, property: &str, choices: &[(&str, f64, f64)]) {
    let choices = choices
        .iter()
        .map(|(n, a, b)| ((*n).to_owned(), *a, *b))
        .collect();
    let options = CheckOptions {
        budget: 60,
        boxes: 1500,
        smallest: 1e-2,
        threads: 2,
        choices,
        ..CheckOptions::default()
    };
    let finding = check(subject, property, &options, &|_| ControlFlow::Continue(())).unwrap();
    let Verdict::Safe(proof) = finding.verdict else {
        panic!("{property}: {}", finding.verdict.word())
    };
    let mut bytes = Vec::new();
    write_proof(&proof, &mut bytes).unwrap();
    let asked = ProofQuestion {
        properties: vec![property.to_owned()],
        choices: options.choices,
        ..ProofQuestion::default()
    };
    match verify_proof(subject, &asked, &bytes, 2) {
        Ok(found) => assert_eq!(found.accepted.boxes, proof.boxes.len()),
        Err(why) => panic!("{property}: {why}"),
    }
    // Whose time is over is not accepted.
    let over = ProofQuestion {
        interrupt: Some(Interrupt::new(|| true)),
        ..asked
    };
    let why = verify_proof(subject, &over, &bytes, 2).unwrap_err();
    assert!(why.to_string().contains("its time was over"), "{property}: {why}");
}

fn bodies(name: &str, text: &str, property: &str, choices: &[(&str, f64, f64)]) {
    let reading = dyverse::read_text(name, text);
    let model = reading
        .model
        .unwrap_or_else(|| panic!("{name}: {:?}", reading.diagnostics));
    accepted(Checkable::Bodies(&model), property, choices);
}

#[test]
fn checks_with_known_answers() {
    for (file, property) in [
        ("checks/bounce_heights.drbt", "rises_1"),
        ("checks/bounce_heights.drbt", "rises_6"),
        ("checks/double_bank.drbt", "comes_back_left"),
        ("checks/oblique_collision.drbt", "small_throw"),
        ("checks/oblique_collision.drbt", "a_seventh"),
        ("checks/oblique_collision.drbt", "leaves"),
        ("checks/ten_impacts.drbt", "inside"),
        ("checks/ten_impacts.drbt", "after_ten"),
        ("checks/thin_strip.drbt", "never_beyond"),
        ("three_balls_002.drbt", "bounded"),
    ] {
        bodies(file, text(file), property, &[]);
    }
}

/// A contact that stays closed: it slips, then rolls.
#[test]
fn from_sliding_to_rolling() {
    let file = "checks/slide_to_roll.drbt";
    bodies(file, text(file), "rolls_by_0_4", &[]);
}

/// The property is nearly broken where the ball bounces.
#[test]
fn close_to_a_contact() {
    let ball = "
        system bounce
        param h in [0.9, 1.1]
        param e in [0.7, 0.9]
        entity ball { sphere(radius = 0.1)  mass = 1  position = (0, 0.1 + h, 0) }
        fixed entity floor { plane(normal = (0, 1, 0), offset = 0) }
        contact ball, floor { restitution = e  friction = 0 }
        gravity (0, -9.81, 0)
        horizon 2
        property above: always [0, 2] ball.y >= 0.0999
    ";
    bodies("bounce", ball, "above", &[]);
}

/// Drag changes its formula where the ball turns: a choice that leaves zero.
#[test]
fn drag_on_a_ball_that_turns() {
    let ball = "
        system drag
        param v in [2, 2.2]
        entity ball { sphere(radius = 0.1)  mass = 1  position = (0, 0, 0)  velocity = (0, v, 0) }
        force on ball = (0, -9.81 - 0.3 * abs(ball.vy) * ball.vy, 0)
        horizon 0.5
        property low: always [0, 0.5] ball.y <= 0.3
    ";
    bodies("drag", ball, "low", &[]);
}

#[test]
fn a_thermostat() {
    let file = "actors/thermostat.dam";
    let model = dyverse::read_actors_text(file, text(file)).model.unwrap();
    accepted(Checkable::Actors(&model), "warm_enough", &[]);
    accepted(Checkable::Actors(&model), "never_hot", &[]);
}
