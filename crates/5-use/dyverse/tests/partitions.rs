//! Partitions, and what verdicts promise: threads do not matter, stopping keeps what was decided, search alone never says SAFE.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use dyverse::check::{
    CellOutcome, CheckError, CheckOptions, CheckProgress, Checkable, Partition, PartitionOptions, Verdict,
    check, partition,
};
use dyverse::model::Model;
use std::ops::ControlFlow;

/// Rises to 1 + v²/20: above 2 for v > √20.
const THROW: &str = "
    system throw
    param v in [1, 6]
    param w in [0, 0.5]
    entity ball { sphere(radius = 0.1)  mass = 1  position = (0, 1, 0)  velocity = (w, v, 0) }
    gravity (0, -10, 0)
    property low: always [0, 1] ball.y <= 2
    property low_or_far: always [0, 1] (ball.y <= 2 or ball.x > 0.1)
    property rises: eventually [0, 1] ball.y >= 1.04
    property sinks: eventually [0, 1] ball.y <= 0.99
";

fn model() -> Model {
    dyverse::read_text("throw", THROW).model.unwrap()
}

fn going_on(_: CheckProgress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn names(names: &[&str], width: f64) -> PartitionOptions {
    PartitionOptions {
        names: names.iter().map(|n| (*n).to_owned()).collect(),
        width,
    }
}

fn split(what: &PartitionOptions, options: &CheckOptions) -> Partition {
    partition(Checkable::Bodies(&model()), "low", what, options, &going_on).unwrap()
}

/// Oracle: √20, closed form.
#[test]
fn one_parameter_is_split_at_the_closed_form() {
    let found = split(&names(&["v"], 1e-4), &CheckOptions::default());
    let edge = 20_f64.sqrt();
    assert!(found.undecided < 1e-4, "{}", found.undecided);
    let outcomes: Vec<_> = found.cells.iter().map(|c| c.outcome).collect();
    assert_eq!(outcomes[..2], [CellOutcome::Safe, CellOutcome::Undecided]);
    assert!(
        outcomes[2..].iter().all(|o| *o != CellOutcome::Safe) && outcomes.ends_with(&[CellOutcome::Unsafe])
    );
    let last = &found.cells[found.cells.len() - 1];
    assert_eq!((found.cells[0].sides[0].0, last.sides[0].1), (1.0, 6.0));
    let (low, high) = found.cells[1].sides[0];
    assert!(low <= edge && edge <= high, "{low} {high}");
    assert!(found.cells[1].reason.is_some());
    // Neighbours share their ends.
    assert!(found.cells.windows(2).all(|w| w[0].sides[0].1 == w[1].sides[0].0));
    assert_eq!(found.others.len(), 1);
}

/// Oracle: √20 in one direction; the other parameter does not matter.
#[test]
fn two_parameters_are_a_map() {
    let found = split(&names(&["v", "w"], 0.05), &CheckOptions::default());
    let area = |c: &dyverse::check::Cell| c.sides.iter().map(|(l, h)| h - l).product::<f64>();
    let all: f64 = found.cells.iter().map(area).sum();
    assert!((all - 2.5).abs() < 1e-12, "{all}");
    assert!(found.undecided <= 0.11 * 0.5, "{}", found.undecided);
    for cell in &found.cells {
        let (low, high) = cell.sides[0];
        match cell.outcome {
            CellOutcome::Safe => assert!(high <= 20_f64.sqrt()),
            CellOutcome::Unsafe => assert!(low >= 20_f64.sqrt()),
            CellOutcome::Undecided => assert!(high - low < 0.05 + 1e-12),
        }
    }
}

#[test]
fn threads_change_nothing() {
    let with = |threads| CheckOptions {
        threads,
        budget: 100,
        ..CheckOptions::default()
    };
    assert_eq!(
        split(&names(&["v"], 1e-3), &with(1)),
        split(&names(&["v"], 1e-3), &with(3))
    );
    let model = model();
    let verdict =
        |threads, property| check(Checkable::Bodies(&model), property, &with(threads), &going_on).unwrap();
    assert_eq!(verdict(1, "low"), verdict(3, "low"));
    assert_eq!(verdict(1, "rises"), verdict(3, "rises"));
}

#[test]
fn what_was_decided_is_kept_when_it_is_stopped() {
    let watch = |progress: CheckProgress| {
        if progress.boxes >= 9 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let model = model();
    let found = partition(
        Checkable::Bodies(&model),
        "low",
        &names(&["v"], 1e-6),
        &CheckOptions::default(),
        &watch,
    )
    .unwrap();
    assert!(
        found.is_stopped && found.undecided > 1e-6 && found.undecided < 5.0,
        "{found:?}"
    );
    assert!(found.cells.iter().any(|c| c.outcome == CellOutcome::Safe));
}

/// `rises` holds for v ≥ 0.9 or so, `sinks` is broken for v > 5: neither may be SAFE.
#[test]
fn search_alone_never_says_safe() {
    let model = model();
    let options = CheckOptions {
        budget: 100,
        ..CheckOptions::default()
    };
    let verdict = |property| {
        check(Checkable::Bodies(&model), property, &options, &going_on)
            .unwrap()
            .verdict
    };
    let Verdict::Unknown(left) = verdict("rises") else {
        panic!("rises")
    };
    assert!(
        left.notes[0].contains("only `always` and `never`"),
        "{:?}",
        left.notes
    );
    let Verdict::Unsafe(found) = verdict("sinks") else {
        panic!("sinks")
    };
    assert!(found.values[0].value > 5.0 && found.robustness < 0.0);
}

#[test]
fn ranges_of_the_call_count_for_search_and_proof() {
    let model = model();
    let verdict = |choices: &[(&str, f64, f64)]| {
        let choices = choices
            .iter()
            .map(|(n, l, h)| ((*n).to_owned(), *l, *h))
            .collect();
        let options = CheckOptions {
            choices,
            ..CheckOptions::default()
        };
        check(Checkable::Bodies(&model), "low", &options, &going_on)
    };
    let word = |choices: &[(&str, f64, f64)]| verdict(choices).unwrap().verdict.word();
    assert_eq!(word(&[("v", 1.0, 4.4)]), "SAFE");
    assert_eq!(word(&[("v", 4.4, 4.4)]), "SAFE");
    assert_eq!(word(&[("v", 4.5, 4.5)]), "UNSAFE");
    // Initial values, also outside what the model says: 1.2 + 4.4²/20 > 2.
    assert_eq!(word(&[("v", 1.0, 4.0), ("ball.y", 0.9, 1.1)]), "SAFE");
    let found = verdict(&[("v", 4.0, 4.4), ("ball.y", 1.0, 1.2)]).unwrap();
    let Verdict::Unsafe(witness) = found.verdict else {
        panic!()
    };
    let height = witness.values.iter().find(|v| v.name == "ball.y").unwrap();
    assert!(height.is_initial && height.value > 1.03);
    let error = |choices: &[(&str, f64, f64)]| verdict(choices).unwrap_err();
    assert_eq!(error(&[("q", 0.0, 1.0)]), CheckError::NoUnknown("q".into()));
    assert_eq!(
        error(&[("ball.qw", 0.0, 1.0)]),
        CheckError::NoUnknown("ball.qw".into())
    );
    assert_eq!(
        error(&[("v", 2.0, 1.0)]),
        CheckError::BadRange("v".into(), 2.0, 1.0)
    );
}

#[test]
fn what_cannot_be_partitioned_is_refused() {
    let model = model();
    let error = |property: &str, what: &PartitionOptions, choices: Vec<(String, f64, f64)>| {
        let options = CheckOptions {
            choices,
            ..CheckOptions::default()
        };
        partition(Checkable::Bodies(&model), property, what, &options, &going_on).unwrap_err()
    };
    assert_eq!(error("low", &names(&[], 1.0), vec![]), CheckError::Names(0));
    assert_eq!(
        error("low", &names(&["v", "v"], 1.0), vec![]),
        CheckError::Names(1)
    );
    assert_eq!(
        error("low", &names(&["v"], 0.0), vec![]),
        CheckError::BadWidth(0.0)
    );
    assert_eq!(
        error("low", &names(&["q"], 1.0), vec![]),
        CheckError::NoUnknown("q".into())
    );
    let fixed = vec![("v".to_owned(), 2.0, 2.0)];
    assert_eq!(
        error("low", &names(&["v"], 1.0), fixed),
        CheckError::NotOpen("v".into())
    );
    assert!(matches!(
        error("rises", &names(&["v"], 1.0), vec![]),
        CheckError::NotProvable(_)
    ));
    assert_eq!(
        error("high", &names(&["v"], 1.0), vec![]),
        CheckError::NoProperty("high".into())
    );
}

/// An actor model: x' = -k x from 1; above exp(-1) at t = 1 for k < 1.
#[test]
fn actor_models_are_checked_as_well() {
    let text = "
        model decay
        param k in [0.5, 2]
        x' = -k * x init 1
        horizon = 1
        property high: always [0, 1] x >= 0.36787944117144233
        property positive: always [0, 1] x >= 0.1
    ";
    let model = dyverse::read_actors_text("decay", text).model.unwrap();
    let subject = Checkable::Actors(&model);
    let verdict = |property| {
        check(subject, property, &CheckOptions::default(), &going_on)
            .unwrap()
            .verdict
    };
    assert_eq!(verdict("positive").word(), "SAFE");
    let Verdict::Unsafe(found) = verdict("high") else {
        panic!()
    };
    assert!(found.values[0].value > 1.0);
    let found = partition(
        subject,
        "high",
        &names(&["k"], 1e-3),
        &CheckOptions::default(),
        &going_on,
    )
    .unwrap();
    let open = found
        .cells
        .iter()
        .find(|c| c.outcome == CellOutcome::Undecided)
        .unwrap();
    assert!(found.undecided < 1e-3 && open.sides[0].0 <= 1.0 && 1.0 <= open.sides[0].1);
}
