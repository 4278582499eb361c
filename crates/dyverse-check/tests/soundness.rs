//! The soundness campaign: random small models with random properties. No run contradicts a box that is proved safe or unsafe.
//!
//! `SOUNDNESS_SEED` and `SOUNDNESS_MODELS` choose other and more models; `SOUNDNESS_RUNS` more simulations of each:
//! `SOUNDNESS_SEED=7 SOUNDNESS_MODELS=2000 SOUNDNESS_RUNS=400 cargo test --release -p dyverse-check --test soundness -- --nocapture`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    missing_docs
)]

mod support;

use support::campaign::{Tally, try_model};

fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(usual)
}

/// Some models from a place in the sequence of seeds on.
fn campaign(name: &str, place: u64, is_modal: bool, models: u64, least_decided: f64) {
    let first = setting("SOUNDNESS_SEED", 1) * 1_000_003 + place * 100_000;
    let models = setting("SOUNDNESS_MODELS", models);
    let runs = setting("SOUNDNESS_RUNS", 12) as usize;
    let boxes = setting("SOUNDNESS_BOXES", 8) as usize;
    let mut tally = Tally::default();
    for seed in first..first + models {
        if setting("SOUNDNESS_LOUD", 0) > 0 {
            println!("{name} seed {seed}");
        }
        let begin = std::time::Instant::now();
        try_model(seed, is_modal, boxes, runs, &mut tally);
        if setting("SOUNDNESS_LOUD", 0) > 0 {
            println!("{:.2} s", begin.elapsed().as_secs_f64());
        }
    }
    tally.print(name);
    assert!(
        tally.contradictions.is_empty(),
        "{} contradictions:\n{}",
        tally.contradictions.len(),
        tally.contradictions.join("\n\n")
    );
    // Not vacuous: much is decided, of either kind.
    let share = tally.decided / tally.models as f64;
    assert!(share > least_decided, "{share}");
    assert!(tally.safe * 5 > tally.models && tally.broken * 10 > tally.models);
}

#[test]
fn bodies() {
    campaign("bodies", 0, false, 100, 0.3);
}

#[test]
fn modes() {
    campaign("modes", 1, true, 200, 0.3);
}

/// One model alone: `SOUNDNESS_ONE=seed`, `SOUNDNESS_MODAL=1` for an actor model.
#[test]
#[ignore = "to look at one model"]
fn one() {
    let seed = setting("SOUNDNESS_ONE", 0);
    let is_modal = setting("SOUNDNESS_MODAL", 0) > 0;
    let mut tally = Tally::default();
    println!("{}", support::campaign::drafted_text(seed, is_modal));
    try_model(seed, is_modal, 12, 200, &mut tally);
    tally.print("one");
    assert!(tally.contradictions.is_empty());
}
