//! Verdicts on the shipped examples whose truth is known in closed form (at the head of each file).
//!
//! A wrong verdict fails in any case. `Safe` and `Unsafe` must be reached; `SafeOrUnknown` marks what is true and not proved yet, or lies at a grazing contact.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use dyverse::check::{Certainty, CheckOptions, CheckProgress, Checkable, Finding, Verdict, check};
use dyverse::model::Model;
use std::ops::ControlFlow;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    Safe,
    Unsafe,
    SafeOrUnknown,
}
use Expected::{Safe, SafeOrUnknown, Unsafe};

fn text(file: &str) -> &'static str {
    let example = dyverse::EXAMPLES.iter().find(|e| e.file == file);
    example.unwrap_or_else(|| panic!("{file}")).text
}

fn model(file: &str) -> Model {
    let reading = dyverse::read_text(file, text(file));
    assert!(
        reading.diagnostics.is_empty(),
        "{file}: {:?}",
        reading.diagnostics
    );
    reading.model.unwrap()
}

fn options() -> CheckOptions {
    CheckOptions {
        budget: 60,
        boxes: 1500,
        smallest: 1e-2,
        threads: 2,
        ..CheckOptions::default()
    }
}

fn going_on(_: CheckProgress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// The witness is in the box, and a run with its values breaks the property at the time said.
fn replays(subject: Checkable<'_>, finding: &Finding) {
    let Verdict::Unsafe(found) = &finding.verdict else {
        return;
    };
    let choices: Vec<_> = found
        .values
        .iter()
        .map(|v| (v.name.clone(), v.value, v.value))
        .collect();
    for (value, (name, low, high)) in found.values.iter().zip(&finding.unknowns) {
        assert_eq!(value.name, *name);
        assert!(*low <= value.value && value.value <= *high, "{name}");
    }
    let fixed = CheckOptions {
        choices,
        budget: 2,
        ..options()
    };
    let again = check(subject, &finding.property, &fixed, &going_on).unwrap();
    let Verdict::Unsafe(again) = again.verdict else {
        panic!("{}: {:?}", finding.property, again.verdict)
    };
    assert_eq!((again.time, again.robustness), (found.time, found.robustness));
}

fn judge(file: &str, property: &str, expected: Expected) -> Result<(), String> {
    let model = model(file);
    let subject = Checkable::Bodies(&model);
    let finding = check(subject, property, &options(), &going_on).unwrap();
    replays(subject, &finding);
    if let Verdict::Safe(proof) = &finding.verdict {
        crate::names::judge_proof(subject, proof);
    }
    let word = finding.verdict.word();
    let is_right = match expected {
        Safe => word == "SAFE",
        Unsafe => word == "UNSAFE",
        SafeOrUnknown => word != "UNSAFE",
    };
    let evidence = match &finding.verdict {
        Verdict::Unsafe(found) => match &found.certainty {
            Certainty::Enclosed => "enclosed".to_owned(),
            Certainty::Replayed(why) => format!("not enclosed: {why}"),
        },
        Verdict::Unknown(left) => format!("{:?} {:?}", left.groups().first(), left.notes),
        Verdict::Safe(proof) => format!("{} boxes", proof.boxes.len()),
    };
    println!("{file} {property}: {word} ({evidence})");
    if is_right {
        return Ok(());
    }
    Err(format!(
        "{file} {property}: {word}, expected {expected:?} ({evidence})"
    ))
}

fn judge_all(file: &str, table: &[(&str, Expected)]) {
    let names: Vec<&str> = table.iter().map(|(name, _)| *name).collect();
    let model = model(file);
    let all: Vec<&str> = model.properties().iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, all, "the table has every property");
    let wrong: Vec<String> = table
        .iter()
        .filter_map(|(property, expected)| judge(file, property, *expected).err())
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn heights_after_bounces() {
    let table = [
        ("rises_1", Safe),
        ("rises_2", Safe),
        ("rises_3", Safe),
        ("rises_4", Safe),
        ("rises_5", Safe),
        ("rises_6", Safe),
        ("lower_1", Unsafe),
        ("lower_2", Unsafe),
        ("lower_3", Unsafe),
        ("lower_4", Unsafe),
        ("lower_5", Unsafe),
        ("lower_6", Unsafe),
    ];
    judge_all("checks/bounce_heights.drbt", &table);
}

#[test]
fn oblique_collision_with_friction() {
    let table = [
        ("small_throw", Safe),
        ("smaller_throw", Unsafe),
        ("a_seventh", Safe),
        ("leaves", Safe),
    ];
    judge_all("checks/oblique_collision.drbt", &table);
}

#[test]
fn slide_to_roll() {
    let table = [
        ("rolls_by_0_4", Safe),
        ("rolls_by_0_3", Unsafe),
        ("keeps_5_7", SafeOrUnknown),
    ];
    judge_all("checks/slide_to_roll.drbt", &table);
}

#[test]
fn double_bank() {
    let table = [("comes_back_left", Safe), ("comes_back_far_left", Unsafe)];
    judge_all("checks/double_bank.drbt", &table);
}

#[test]
fn ten_impacts() {
    let table = [
        ("inside", Safe),
        ("after_ten", Safe),
        ("too_early", Unsafe),
        ("slow", Unsafe),
    ];
    judge_all("checks/ten_impacts.drbt", &table);
}

#[test]
fn cradles() {
    judge_all(
        "checks/cradle_sequential.drbt",
        &[("passes_on", Safe), ("shares", Unsafe)],
    );
    judge_all(
        "checks/cradle_simultaneous.drbt",
        &[("shares", Safe), ("passes_on", Unsafe)],
    );
}

#[test]
fn incline() {
    let table = [
        ("rolls", Unsafe),
        ("rolls_below", SafeOrUnknown),
        ("slips_above", SafeOrUnknown),
    ];
    judge_all("checks/incline.drbt", &table);
    // On either side of the threshold nothing is open.
    let model = model("checks/incline.drbt");
    for (property, low, high, word) in [
        ("rolls", 0.5, 0.6106, "SAFE"),
        ("rolls", 0.6108, 0.7, "UNSAFE"),
        ("slips_above", 0.6108, 0.7, "SAFE"),
    ] {
        let chosen = CheckOptions {
            choices: vec![("a".to_owned(), low, high)],
            ..options()
        };
        let finding = check(Checkable::Bodies(&model), property, &chosen, &going_on).unwrap();
        assert_eq!(finding.verdict.word(), word, "{property} {low} {high}");
    }
}

#[test]
fn strips_and_grazing() {
    judge_all(
        "checks/thin_strip.drbt",
        &[("never_in_the_strip", Unsafe), ("never_beyond", Safe)],
    );
    judge_all(
        "checks/grazing.drbt",
        &[("below", SafeOrUnknown), ("well_below", Unsafe)],
    );
}

#[test]
fn pieces_of_an_instant_are_no_motion() {
    // Located events leave steps of a rounding: what is recorded of them must not look like motion.
    let main = dyverse_lang::Loaded::named("ball", text("actors/ball_on_sine.dam"));
    let model = dyverse_lang::read_actors(main, &mut dyverse_lang::NoImports)
        .model
        .unwrap();
    let subject = Checkable::Actors(&model);
    for (property, word) in [("above_the_lowest_point", "SAFE"), ("stays_low", "UNSAFE")] {
        let finding = check(subject, property, &options(), &going_on).unwrap();
        assert_eq!(finding.verdict.word(), word, "{property}: {:?}", finding.verdict);
    }
}

/// A check ends in the middle of a simulation: one that alone would take minutes.
#[test]
fn a_long_simulation_is_interrupted() {
    let text = "system long
        param v in [1, 2]
        entity ball { sphere(radius = 0.1)  mass = 1  position = (0, 0, 0)  velocity = (v, 0, 0) }
        fixed entity left { half_space(normal = (1, 0, 0), offset = -1) }
        fixed entity right { half_space(normal = (-1, 0, 0), offset = -1) }
        contact default { restitution = 1  friction = 0 }
        horizon 1e7
        property inside: always [0, 1e7] ball.x < 2";
    let model = dyverse::read_text("long.drbt", text).model.unwrap();
    let asked = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let count = std::sync::Arc::clone(&asked);
    let interrupted = CheckOptions {
        interrupt: Some(dyverse::check::Interrupt::new(move || {
            count.fetch_add(1, std::sync::atomic::Ordering::Relaxed) > 20
        })),
        threads: 1,
        ..options()
    };
    let finding = check(Checkable::Bodies(&model), "inside", &interrupted, &going_on).unwrap();
    let Verdict::Unknown(left) = &finding.verdict else {
        panic!("{}", finding.verdict.word());
    };
    assert!(left.is_stopped, "{left:?}");
    assert!(finding.statistics.simulations <= 8, "{:?}", finding.statistics);
}

/// Couples are in no formula: a property of what they move is never proved, and refuted by a run alone.
#[test]
fn rolling_friction_is_not_proved() {
    let text = "system rolls
        entity ball { sphere(radius = 0.1)  mass = 2  position = (0, 0, 0.1)  velocity = (1, 0, 0)  angular_velocity = (0, 10, 0) }
        fixed entity floor { half_space(normal = (0, 0, 1), offset = 0) }
        gravity (0, 0, -9.81)
        contact default { restitution = 0.5  friction = 0.5  rolling_friction = 0.01 }
        horizon 3
        property stays: always ball.x < 0.72
        property far: always ball.x < 0.5";
    let model = dyverse::read_text("rolls.drbt", text).model.unwrap();
    let verdict = |property: &str| {
        check(Checkable::Bodies(&model), property, &options(), &going_on)
            .unwrap()
            .verdict
    };
    let Verdict::Unknown(left) = verdict("stays") else {
        panic!("proved, or refuted");
    };
    assert!(format!("{:?}", left.groups()).contains("rolling_friction"));
    let Verdict::Unsafe(found) = verdict("far") else {
        panic!("it rolls 0.7136 m");
    };
    assert!(matches!(&found.certainty, Certainty::Replayed(why) if why.contains("rolling_friction")));
}

/// A check that is not waited for: what it was asked, what it told last, and no claim.
#[test]
fn what_is_not_waited_for_claims_nothing() {
    use dyverse::check::{
        CellOutcome, CheckProgress, PartitionOptions, partition, unfinished, unfinished_partition,
    };
    let text = dyverse::EXAMPLES[0].text;
    let model = dyverse::read_text("game.drbt", text).model.unwrap();
    let subject = Checkable::Bodies(&model);
    let progress = CheckProgress {
        decided: 0.25,
        boxes: 7,
        simulations: 200,
        best: 0.5,
    };
    let whole = check(subject, "kept", &options(), &going_on).unwrap();
    let left = unfinished(subject, "kept", &options(), &progress).unwrap();
    assert_eq!((&left.unknowns, &left.windows), (&whole.unknowns, &whole.windows));
    let Verdict::Unknown(why) = &left.verdict else {
        panic!("{}", left.verdict.word());
    };
    assert!(why.is_stopped && why.safe == 0.0 && why.undecided == 1.0 && why.proved.is_empty());
    assert!(why.notes[0].contains("25 %"), "{:?}", why.notes);
    assert_eq!((left.statistics.boxes, left.statistics.simulations), (7, 200));
    let what = PartitionOptions {
        names: vec!["K".into()],
        width: 0.5,
    };
    let whole = partition(subject, "kept", &what, &options(), &going_on).unwrap();
    let left = unfinished_partition(subject, "kept", &what, &options(), &progress).unwrap();
    assert_eq!(
        (&left.names, &left.others, &left.windows),
        (&whole.names, &whole.others, &whole.windows)
    );
    assert!(left.is_stopped && left.cells.len() == 1 && left.cells[0].outcome == CellOutcome::Undecided);
    assert_eq!(left.cells[0].sides, [(1.0, 3.0)]);
    assert_eq!(left.undecided, 2.0);
    assert!(unfinished(subject, "nothing", &options(), &progress).is_err());
}
