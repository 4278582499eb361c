//! The soundness campaign: random small models with random properties. No run contradicts a box that is proved safe or unsafe, every unsafe box replays, the
//! proofs are accepted by the independent checker, and damaged ones are rejected.
//!
//! Other and more of it by hand: `SOUNDNESS_SEED` chooses the models, `SOUNDNESS_MODELS` how many of them each test has, `SOUNDNESS_RUNS` the simulations of each model,
//! `SOUNDNESS_DAMAGES` the damaged copies of its proof, `SOUNDNESS_LOUD=1` prints seeds and times:
//! `SOUNDNESS_SEED=7 SOUNDNESS_MODELS=500 cargo test --release -p dyverse --test soundness -- --nocapture`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    missing_docs
)]

mod campaign;

use campaign::tally::Tally;
use campaign::trial::{Effort, drafted_text, try_model};

/// Simulations of a model.
const RUNS: u64 = 2000;

fn setting(name: &str, usual: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn effort() -> Effort {
    Effort {
        boxes: setting("SOUNDNESS_BOXES", 8) as usize,
        runs: setting("SOUNDNESS_RUNS", RUNS) as usize,
        damages: setting("SOUNDNESS_DAMAGES", 14) as usize,
    }
}

/// Some models from a place in the sequence of seeds on.
fn run(name: &str, place: u64, is_modal: bool, models: u64) {
    let first = setting("SOUNDNESS_SEED", 1) * 1_000_003 + place * 100_000;
    let models = setting("SOUNDNESS_MODELS", models);
    let is_loud = setting("SOUNDNESS_LOUD", 0) > 0;
    let mut tally = Tally::default();
    for seed in first..first + models {
        let begin = std::time::Instant::now();
        try_model(seed, is_modal, &effort(), &mut tally);
        if is_loud {
            println!("{name} seed {seed}: {:.2} s", begin.elapsed().as_secs_f64());
        }
    }
    tally.print(name);
    assert_sound(&tally);
    assert_not_vacuous(&tally);
}

fn assert_sound(tally: &Tally) {
    assert!(
        tally.contradictions.is_empty(),
        "{} contradictions:\n{}",
        tally.contradictions.len(),
        tally.contradictions.join("\n\n")
    );
    assert_eq!(tally.not_replayed, 0, "every unsafe box replays");
}

/// Much is decided, of either kind; nearly all of what is proved has a proof that is accepted; every kind of damage was tried.
fn assert_not_vacuous(tally: &Tally) {
    let share = tally.decided / tally.models as f64;
    assert!(share > 0.3, "{share}");
    assert!(tally.safe * 5 > tally.models && tally.broken * 10 > tally.models);
    let proofs = &tally.proofs;
    assert!(proofs.accepted_whole * 10 > proofs.whole * 9);
    assert!(
        (proofs.accepted_whole + proofs.accepted_part) * 10 > (proofs.whole + proofs.part) * 9,
        "{:?}",
        proofs.rejected
    );
    let (rejected, held) = proofs
        .damaged
        .values()
        .fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    assert!(
        rejected > tally.safe * 4 && held * 10 < rejected,
        "{rejected} {held}"
    );
}

#[test]
fn bodies() {
    run("bodies", 0, false, 45);
}

#[test]
fn more_bodies() {
    run("more bodies", 2, false, 45);
}

#[test]
fn modes() {
    run("modes", 1, true, 55);
}

#[test]
fn more_modes() {
    run("more modes", 3, true, 55);
}

/// One model alone: `SOUNDNESS_ONE=seed`, `SOUNDNESS_MODAL=1` for an actor model.
#[test]
#[ignore = "to look at one model"]
fn one() {
    let seed = setting("SOUNDNESS_ONE", 0);
    let is_modal = setting("SOUNDNESS_MODAL", 0) > 0;
    let mut tally = Tally::default();
    println!("{}", drafted_text(seed, is_modal));
    try_model(seed, is_modal, &effort(), &mut tally);
    tally.print("one");
    assert_sound(&tally);
}

/// Scenes in closed form: what is claimed of them.
#[test]
fn claims() {
    use campaign::claims::{Answer, asked, try_claim};
    use std::collections::BTreeMap;
    let first = setting("SOUNDNESS_SEED", 1) * 1_000_003;
    let count = setting("SOUNDNESS_CLAIMS", 300);
    let mut answers: BTreeMap<(Answer, &str), usize> = BTreeMap::new();
    let mut wrongs = Vec::new();
    for seed in first..first + count {
        let Some(asked) = asked(seed) else {
            *answers.entry((Answer::NotAsked, "")).or_default() += 1;
            continue;
        };
        let begin = std::time::Instant::now();
        let (answer, known, wrong) = try_claim(seed, &asked, 5.0);
        let truth = if known.broken.is_some() { "false" } else if known.open == 0 { "holds" } else { "open" };
        *answers.entry((answer, truth)).or_default() += 1;
        if setting("SOUNDNESS_LOUD", 0) > 0 {
            println!("seed {seed}: {answer:?} {truth} {:.2} s", begin.elapsed().as_secs_f64());
        }
        if let Some(wrong) = wrong {
            println!("CONTRADICTION seed {seed}: {wrong}\n{}", asked.text);
            wrongs.push(wrong);
        }
    }
    println!("{answers:?}, {} wrong", wrongs.len());
    assert!(wrongs.is_empty());
}
