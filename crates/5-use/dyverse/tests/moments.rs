//! Moments of impacts, inputs that are unknown signals, and proofs that answer another question: the cases that went wrong, and random models of their kinds whose truth is a
//! closed form.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use dyverse::check::{
    CheckOptions, Checkable, Finding, InputChoice, Interrupt, PartitionOptions, ProofQuestion, Verdict,
    check, partition, verify_proof, write_proof,
};
use dyverse::{ActorModel, model::Model};
use std::ops::ControlFlow;

pub(crate) fn bodies(text: &str) -> Model {
    let reading = dyverse::read_text("t", text);
    reading
        .model
        .unwrap_or_else(|| panic!("{text}\n{:?}", reading.diagnostics))
}

pub(crate) fn actors(text: &str) -> ActorModel {
    dyverse::read_actors_text("t", text)
        .model
        .unwrap_or_else(|| panic!("{text}"))
}

pub(crate) fn options() -> CheckOptions {
    CheckOptions {
        budget: 150,
        boxes: 150,
        threads: 2,
        smallest: 1e-2,
        ..CheckOptions::default()
    }
}

fn asked(subject: Checkable<'_>, property: &str, options: &CheckOptions) -> Finding {
    check(subject, property, options, &|_| ControlFlow::Continue(())).unwrap()
}

pub(crate) fn word(subject: Checkable<'_>, property: &str, options: &CheckOptions) -> &'static str {
    asked(subject, property, options).verdict.word()
}

/// A generator of numbers [Vigna, splitmix64].
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    fn unit(&mut self) -> f64 {
        (dyverse_num::split_mix(&mut self.0) >> 11) as f64 / (1u64 << 53) as f64
    }
    pub(crate) fn between(&mut self, a: f64, b: f64) -> f64 {
        a + (b - a) * self.unit()
    }
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.unit() * n as f64) as usize
    }
}

#[test]
fn balls_touch_at_their_impact() {
    let model = bodies(include_str!("cases/check/touching.drbt"));
    let subject = Checkable::Bodies(&model);
    assert_eq!(word(subject, "u_fast", &options()), "UNSAFE");
    assert_eq!(word(subject, "u_after", &options()), "UNSAFE");
    assert_ne!(word(subject, "u_gapfast", &options()), "SAFE");
    // A strip of a millionth: with a few boxes, so that the longer search begins soon.
    let long = CheckOptions {
        budget: 2000,
        boxes: 4,
        ..options()
    };
    assert_eq!(word(subject, "u_after2", &long), "UNSAFE");
}

#[test]
fn between_two_collisions_of_one_instant() {
    let text = include_str!("cases/check/sequential_middle.drbt");
    for order in ["any", "first", "random(7)"] {
        let model = bodies(&text.replace("sequential any", &format!("sequential {order}")));
        let subject = Checkable::Bodies(&model);
        for (property, answer) in [("u_mid", "UNSAFE"), ("s_end", "SAFE"), ("u_end", "UNSAFE")] {
            assert_eq!(word(subject, property, &options()), answer, "{order} {property}");
        }
    }
}

/// Two balls on a line: t* = d/v, and velocities by momentum and restitution. Three, two of them touching: one after the other, or all at once.
#[test]
fn random_collisions_with_a_closed_form() {
    let mut dice = Dice(14);
    let (mut decided, mut broken, mut all) = (0, 0, 0);
    for number in 0..36 {
        let policy = [
            "simultaneous",
            "sequential first",
            "sequential any",
            "sequential random(3)",
            "poisson",
            "energetic",
        ][number % 6];
        let is_row = number % 5 == 2 && !["poisson", "energetic"].contains(&policy);
        let (m1, m2) = if is_row {
            (1.0, 1.0)
        } else {
            (dice.between(0.5, 2.0), dice.between(0.5, 2.0))
        };
        let v = dice.between(0.8, 1.5);
        let (v0, v1) = (v, v * 1.02);
        let e0 = dice.between(0.3, 0.8);
        let e1 = e0 + 0.05;
        let d = dice.between(0.3, 0.6);
        // The largest value over the box of what is asked about, at a moment of the impact; and whether only while they touch.
        let (asked_for, top): (&str, f64) = if is_row {
            let share = if policy == "simultaneous" { 3.0 } else { 2.0 };
            ("b2.vx", (1.0 + e1) * v1 / share)
        } else {
            match dice.below(4) {
                0 => ("b1.vx - b2.vx", v1),
                1 => ("b2.vx", m1 * (1.0 + e1) * v1 / (m1 + m2)),
                2 => ("normal_velocity(b1, b2)", e1 * v1),
                _ => ("-normal_velocity(b1, b2) - 5 * gap(b1, b2)", v1),
            }
        };
        let is_broken = dice.below(2) == 0;
        let limit = top * if is_broken { 0.985 } else { 1.015 };
        // Sometimes the window ends before the first impact, and nothing is broken.
        let is_early = !is_row && dice.below(4) == 0;
        let (from, to) = if is_early {
            (0.0, 0.9 * d / v1)
        } else if dice.below(2) == 0 {
            (0.5 * d / v1, 1.3 * d / v0)
        } else {
            (0.0, 1.2 * d / v0)
        };
        let third = if is_row {
            "entity b3 { sphere(radius = 0.1) mass = 1 position = (0.2, 0, 0) }"
        } else {
            ""
        };
        let text = format!(
            "system t
            param v in [{v0:?}, {v1:?}]
            param e in [{e0:?}, {e1:?}]
            entity b1 {{ sphere(radius = 0.1) mass = {m1:?} position = ({:?}, 0, 0) velocity = (v, 0, 0) }}
            entity b2 {{ sphere(radius = 0.1) mass = {m2:?} position = (0, 0, 0) }}
            {third}
            contact default {{ restitution = e friction = 0 }}
            impacts {policy}
            horizon 2
            property p: never [{from:?}, {to:?}] (touching(b1, b2) and {asked_for} > {limit:?})",
            -0.2 - d
        );
        let model = bodies(&text);
        let found = asked(Checkable::Bodies(&model), "p", &options()).verdict;
        let is_false = is_broken && !is_early;
        all += 1;
        match &found {
            Verdict::Safe(_) => assert!(!is_false, "SAFE, but false: {text}"),
            Verdict::Unsafe(witness) => {
                assert!(is_false, "UNSAFE, but true: {text}");
                let of = |name: &str| witness.values.iter().find(|w| w.name == name).unwrap().value;
                // At the witness what is asked about is what it is at the top, scaled.
                let share = match asked_for {
                    "b2.vx" => (1.0 + of("e")) * of("v") / ((1.0 + e1) * v1),
                    "normal_velocity(b1, b2)" => of("e") * of("v") / (e1 * v1),
                    _ => of("v") / v1,
                };
                assert!(top * share > limit, "the witness is none: {text}");
                assert!(
                    (witness.time - d / of("v")).abs() < 1e-6,
                    "{} {text}",
                    witness.time
                );
                broken += 1;
            }
            Verdict::Unknown(_) => {}
        }
        decided += usize::from(!matches!(found, Verdict::Unknown(_)));
    }
    assert!(
        decided * 10 >= all * 8 && broken > 5,
        "{decided} of {all}, {broken} broken"
    );
}

/// A ball that lies on a floor is struck by another: forces at the moments of the impact are those before it, and none at a contact that only bounces.
#[test]
fn forces_at_an_impact() {
    let text = "
        system t
        param v in [1, 1.02]
        entity a { sphere(radius = 0.1) mass = 1 position = (-0.7, 0.1, 0) velocity = (v, 0, 0) }
        entity b { sphere(radius = 0.1) mass = 1 position = (0, 0.1, 0) }
        fixed entity floor { half_space(normal = (0, 1, 0), offset = 0) }
        contact default { restitution = 0.5 friction = 0 }
        gravity (0, -10, 0)
        horizon 1
        property none: never [0, 1] normal_force(a, b) > 0.01
        property floor: always [0, 1] (normal_force(a, floor) > 9.9 and normal_force(a, floor) < 10.1)
        property mixed: never [0, 1] (normal_force(b, floor) > 9.9 and b.vx > 0.7)";
    let model = bodies(text);
    let subject = Checkable::Bodies(&model);
    assert_eq!(word(subject, "none", &options()), "SAFE");
    assert_ne!(word(subject, "floor", &options()), "UNSAFE");
    assert_eq!(word(subject, "mixed", &options()), "UNSAFE");
}

#[test]
fn an_input_with_a_range_is_an_unknown_signal() {
    let model = actors(include_str!("cases/check/input_range.dam"));
    let subject = Checkable::Actors(&model);
    let found = asked(subject, "a_in", &options());
    let Verdict::Unsafe(witness) = &found.verdict else {
        panic!("{}", found.verdict.word())
    };
    assert!(
        witness.inputs[0].name == "u" && witness.inputs[0].steps[0].1 > 0.5,
        "{witness:?}"
    );
    let narrow = CheckOptions {
        inputs: InputChoice::Default,
        ..options()
    };
    let found = asked(subject, "a_in", &narrow);
    let Verdict::Safe(proof) = &found.verdict else {
        panic!("{}", found.verdict.word())
    };
    assert_eq!(
        (&proof.inputs, &found.inputs.by_choice),
        (&vec!["u".to_owned()], &vec!["u".to_owned()])
    );
    let mut bytes = Vec::new();
    write_proof(proof, &mut bytes).unwrap();
    let narrower = ProofQuestion {
        inputs: InputChoice::Default,
        ..ProofQuestion::default()
    };
    assert!(verify_proof(subject, &narrower, &bytes, 1).is_ok());
    let why = verify_proof(subject, &ProofQuestion::default(), &bytes, 1).unwrap_err();
    assert!(why.to_string().contains("may depend on the input `u`"), "{why}");
    // A proof that does not say that it is narrower.
    let text = String::from_utf8(bytes).unwrap();
    let silent = text
        .replace("\"inputs\":{\"default\":[\"u\"]},", "")
        .replace(",\"inputs\":{\"default\":[\"u\"]}", "");
    assert_ne!(silent, text);
    let text = silent;
    assert!(verify_proof(subject, &narrower, text.as_bytes(), 1).is_err());
}

/// x′ = a u + b, u in [l, h], or the same as a force: x reaches (max of a u + b) T at the most. Bang-bang: |x| of an oscillator driven in phase grows beyond what a constant does.
#[test]
fn random_models_with_inputs() {
    let mut dice = Dice(6);
    let (mut broken, mut open) = (0, 0);
    for number in 0..24 {
        let (a, b) = (dice.between(-2.0, 2.0), dice.between(-0.5, 0.5));
        let l = dice.between(-1.0, 0.0);
        let h = dice.between(0.1, 1.0);
        let top = (a * l).max(a * h) + b;
        let is_broken = dice.below(2) == 0;
        let limit = if is_broken { top - 0.05 } else { top + 0.05 };
        let is_body = number % 3 == 0;
        let narrow = CheckOptions {
            inputs: InputChoice::Default,
            ..options()
        };
        // By default the input is 0: the rate is b.
        let by_default = if b > limit { "UNSAFE" } else { "SAFE" };
        let (found, other, default) = if is_body {
            let text = format!(
                "system t
                input u in [{l:?}, {h:?}]
                entity m {{ sphere(radius = 0.1) mass = 1 }}
                force on m = ({a:?} * u + {b:?}, 0, 0)
                horizon 1
                property p: always [0, 1] m.vx <= {:?}
                property other: always [0, 1] time <= 2",
                limit.max(1e-3)
            );
            if limit <= 1e-3 {
                continue;
            }
            let model = bodies(&text);
            let subject = Checkable::Bodies(&model);
            (asked(subject, "p", &options()), None, word(subject, "p", &narrow))
        } else {
            let text = format!(
                "model t
                input u in [{l:?}, {h:?}]
                input w
                x' = {a:?} * u + {b:?} init 0
                y' = 1 + w init 0
                horizon = 1
                property p: always x <= {:?}
                property other: always y <= 1.5",
                limit.max(1e-3)
            );
            if limit <= 1e-3 {
                continue;
            }
            let model = actors(&text);
            let subject = Checkable::Actors(&model);
            (
                asked(subject, "p", &options()),
                Some(asked(subject, "other", &options())),
                word(subject, "p", &narrow),
            )
        };
        assert_eq!(default, by_default, "a = {a}, b = {b}, limit {limit}");
        match &found.verdict {
            Verdict::Safe(_) => panic!("nothing is proved about signals"),
            Verdict::Unsafe(witness) => {
                assert!(is_broken, "{witness:?}");
                let reached: f64 = witness.inputs[0]
                    .steps
                    .iter()
                    .map(|(_, u)| a * u + b)
                    .fold(f64::MIN, f64::max);
                assert!(reached > limit, "{witness:?}");
                broken += 1;
            }
            Verdict::Unknown(left) => {
                assert!(!is_broken, "a constant breaks it");
                assert!(left.notes[0].contains("the input `u`"), "{:?}", left.notes);
                open += 1;
            }
        }
        if let Some(other) = other {
            assert_eq!(other.verdict.word(), "SAFE");
            assert_eq!(other.inputs.without_range, ["w"]);
            assert!(other.inputs.any.is_empty());
        }
    }
    assert!(broken > 3 && open > 3, "{broken} {open}");
}

/// A guard that reads the input, and a signal that jumps: x rises while u > 0, and falls else; both must be reached.
#[test]
fn signals_that_jump_and_guards_that_read_them() {
    let model = actors(
        "model t
        input u in [-1, 1]
        param k in [1, 2]
        x' = u init 0
        horizon = 1
        property reversed: not (eventually [0, 0.5] x > 0.2 and eventually [0.5, 1] x < 0.1)
        property never_up: always k * x <= 0.9",
    );
    let subject = Checkable::Actors(&model);
    let long = CheckOptions {
        budget: 600,
        ..options()
    };
    let found = asked(subject, "reversed", &long).verdict;
    let Verdict::Unsafe(witness) = &found else {
        panic!("{}", found.word())
    };
    assert!(witness.inputs[0].steps.len() > 1, "{witness:?}");
    // A partition: by default nothing is broken, and nothing is proved of other signals.
    let what = PartitionOptions {
        names: vec!["k".into()],
        width: 0.1,
    };
    let go_on = |_: dyverse::check::CheckProgress| ControlFlow::Continue(());
    let parts = partition(subject, "never_up", &what, &options(), &go_on).unwrap();
    let words: Vec<&str> = parts.cells.iter().map(|c| c.outcome.word()).collect();
    assert_eq!(words, ["undecided"]);
    assert!(parts.cells[0].reason.as_ref().unwrap().contains("the input `u`"));
    let narrow = CheckOptions {
        inputs: InputChoice::Default,
        ..options()
    };
    let parts = partition(subject, "never_up", &what, &narrow, &go_on).unwrap();
    assert_eq!(parts.cells[0].outcome.word(), "safe");
    assert_eq!(parts.inputs.by_choice, ["u"]);
}

fn proof_of(subject: Checkable<'_>, property: &str, choices: &[(&str, f64, f64)]) -> Vec<u8> {
    let choices = choices
        .iter()
        .map(|(n, a, b)| ((*n).to_owned(), *a, *b))
        .collect();
    let options = CheckOptions {
        choices,
        firm_proof: true,
        ..options()
    };
    let found = asked(subject, property, &options).verdict;
    let Verdict::Safe(proof) = found else {
        panic!("{property}: {}", found.word())
    };
    let mut bytes = Vec::new();
    write_proof(&proof, &mut bytes).unwrap();
    bytes
}

fn question(properties: &[&str], choices: &[(&str, f64, f64)]) -> ProofQuestion {
    ProofQuestion {
        properties: properties.iter().map(|p| (*p).to_owned()).collect(),
        choices: choices
            .iter()
            .map(|(n, a, b)| ((*n).to_owned(), *a, *b))
            .collect(),
        ..ProofQuestion::default()
    }
}

#[test]
fn a_proof_does_not_choose_its_question() {
    let model = bodies(include_str!("cases/check/proof_of_a_choice.drbt"));
    let subject = Checkable::Bodies(&model);
    let choice = [("ball.y", 10.1, 10.1)];
    let bytes = proof_of(subject, "unsafe", &choice);
    let judged = |asked: &ProofQuestion| verify_proof(subject, asked, &bytes, 2);
    assert!(judged(&question(&["unsafe"], &[])).is_err());
    assert!(judged(&question(&[], &[])).is_err());
    assert!(judged(&question(&["safe"], &choice)).is_err());
    assert!(judged(&question(&["unsafe"], &[("ball.y", 10.1, 10.2)])).is_err());
    let found = judged(&question(&["unsafe"], &choice)).unwrap();
    assert_eq!(found.windows, [(0.0, 5.0)]);
    let narrow = bodies(include_str!("cases/check/narrow_proof.drbt"));
    let text = include_str!("cases/check/narrow_proof.json");
    let judged = |text: &str| {
        verify_proof(
            Checkable::Bodies(&narrow),
            &question(&[], &[]),
            text.as_bytes(),
            2,
        )
    };
    // It names no places of the automaton: proofs of that kind are refused by name.
    let why = judged(text).unwrap_err();
    assert!(why.to_string().contains("dyverse-proof/1"), "{why}");
    let why = judged(&text.replace("dyverse-proof/1", "dyverse-proof/2")).unwrap_err();
    assert!(why.to_string().contains("choice of parameters"), "{why}");
}

/// Proofs of less: of a part of the range, of another property, of a shorter window or horizon; with and without hiding it.
#[test]
fn random_proofs_of_less_are_refused() {
    let mut dice = Dice(7);
    for _ in 0..3 {
        let (low, high) = (dice.between(0.5, 0.9), dice.between(1.0, 1.4));
        let end = dice.between(0.5, 1.0);
        let text = |end: f64, horizon: f64| {
            format!(
                "system t
                param v in [{low:?}, {high:?}]
                entity b1 {{ sphere(radius = 0.1) mass = 1 position = (-1, 0, 0) velocity = (v, 0, 0) }}
                entity b2 {{ sphere(radius = 0.1) mass = 1 position = (0, 0, 0) }}
                contact default {{ restitution = 0.5 friction = 0 }}
                horizon {horizon:?}
                property window: never [0, {end:?}] b2.vx > 1.2
                property whole: never b2.vx > 1.3"
            )
        };
        let model = bodies(&text(end, 1.5));
        let subject = Checkable::Bodies(&model);
        let (a, b) = (dice.between(low, 0.95), dice.between(0.96, high));
        let part = [("v", a, b)];
        let narrow = proof_of(subject, "window", &part);
        let whole = proof_of(subject, "window", &[]);
        let ask = |bytes: &[u8], asked: &ProofQuestion| verify_proof(subject, asked, bytes, 2).is_ok();
        assert!(ask(&whole, &question(&["window"], &[])) && ask(&narrow, &question(&["window"], &part)));
        assert!(!ask(&narrow, &question(&["window"], &[])));
        assert!(!ask(&whole, &question(&["window"], &part)));
        assert!(!ask(&whole, &question(&["whole"], &[])));
        // The choice is hidden: then it does not cover the range.
        let hidden = String::from_utf8(narrow).unwrap();
        let start = hidden.find("\"choices\":[").unwrap();
        let stop = hidden[start..].find("]]").unwrap() + start + 2;
        let hidden = format!("{}\"choices\":[]{}", &hidden[..start], &hidden[stop..]);
        assert!(!ask(hidden.as_bytes(), &question(&["window"], &[])));
        // A model that asks for longer.
        let longer = bodies(&text(end + 0.2, 1.8));
        for property in ["window", "whole"] {
            let bytes = proof_of(subject, property, &[]);
            let asked = question(&[property], &[]);
            assert!(verify_proof(Checkable::Bodies(&longer), &asked, &bytes, 2).is_err());
            let renamed = String::from_utf8(bytes).unwrap();
            let renamed = renamed
                .replace(
                    &format!("\"horizon\":{end:?}"),
                    &format!("\"horizon\":{:?}", end + 0.2),
                )
                .replace("\"horizon\":1.5", "\"horizon\":1.8");
            assert!(verify_proof(Checkable::Bodies(&longer), &asked, renamed.as_bytes(), 2).is_err());
        }
    }
}

/// Whoever wants a check to end is heard between any two steps of any box: one box of this model takes longer than the whole time that is given. After the first "end" hardly anything is asked any more, wherever
/// it falls.
#[test]
fn a_check_ends_in_the_middle_of_a_box() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    let model = bodies(include_str!("cases/check/timeout_overshoot.drbt"));
    for fires in [1, 40, 333] {
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        let options = CheckOptions {
            budget: 4,
            interrupt: Some(Interrupt::new(move || {
                count.fetch_add(1, Ordering::Relaxed) + 1 >= fires
            })),
            ..CheckOptions::default()
        };
        let goes_on = |_| ControlFlow::Continue(());
        let found = check(Checkable::Bodies(&model), "shares", &options, &goes_on).unwrap();
        assert!(matches!(found.verdict, Verdict::Unknown(_)), "{fires}");
        let asked = asked.load(Ordering::Relaxed);
        assert!(asked >= fires && asked < fires + 50, "{fires}: {asked}");
    }
}
