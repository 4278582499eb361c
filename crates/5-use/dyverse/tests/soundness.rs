//! The soundness campaign: random small models with random properties. No run and no closed form contradicts what is claimed safe or unsafe, every unsafe box replays, the
//! proofs are accepted by the independent checker, and damaged ones are rejected.
//!
//! `cargo xtask campaign N [--seed S]` is the long run: all kinds, and the command itself. By hand: `CAMPAIGN_SEED` chooses the models, `CAMPAIGN_MODELS` how many each test has:
//! `CAMPAIGN_SEED=7 CAMPAIGN_MODELS=500 cargo test -p dyverse --test all soundness -- --nocapture`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    missing_docs
)]

use crate::campaign::claims::Answer;
use crate::campaign::runner::{Kinds, Plan, Report};
use crate::campaign::tally::Tally;
use crate::campaign::trial::Effort;
use std::path::{Path, PathBuf};

fn setting(name: &str, usual: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Seeds of one campaign do not meet those of the next.
fn first_seed() -> u64 {
    setting("CAMPAIGN_SEED", 1).wrapping_mul(1_000_003)
}

/// Some models from a place in the sequence of seeds on.
fn run(name: &'static str, place: u64, kinds: Kinds, models: u64) -> Report {
    let plan = Plan {
        name,
        first: first_seed() + place * 100_000,
        trials: setting("CAMPAIGN_MODELS", models),
        kinds,
        command: None,
        effort: Effort {
            boxes: 8,
            runs: setting("CAMPAIGN_RUNS", 60) as usize,
            damages: 14,
        },
        shows_progress: false,
    };
    let report = plan.run();
    report.print(&plan);
    assert_sound(&report);
    report
}

fn assert_sound(report: &Report) {
    let told: Vec<String> = report.wrongs.iter().map(|w| w.told()).collect();
    assert!(told.is_empty(), "{} wrong:\n{}", told.len(), told.join("\n\n"));
    let not_replayed = &report.tally.not_replayed;
    assert!(not_replayed.is_empty(), "not replayed: {not_replayed:#?}");
}

/// Much is decided, of either kind; nearly all of what is proved has a proof that is accepted; every kind of damage was tried.
fn assert_not_vacuous(tally: &Tally) {
    let share = tally.decided / tally.models as f64;
    assert!(share > 0.3, "{share}");
    assert!(tally.safe * 10 > tally.models && tally.broken * 10 > tally.models);
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

/// Scenes whose truth is known in closed form: what is claimed of them, and what runs of them do.
#[test]
fn closed_forms() {
    let report = run("closed forms", 4, Kinds::Closed, 600);
    let all = report.trials;
    assert!(report.claims(Answer::Safe, "true where tried") * 8 > all);
    assert!(report.claims(Answer::Unsafe, "false") * 8 > all);
    assert!(report.answers(Answer::NotAsked) * 5 < all);
}

#[test]
fn bodies() {
    assert_not_vacuous(&run("bodies", 0, Kinds::Bodies, 50).tally);
}

#[test]
fn modes() {
    assert_not_vacuous(&run("modes", 1, Kinds::Modes, 80).tally);
}

/// The long run: `cargo xtask campaign`.
#[test]
#[ignore = "long: cargo xtask campaign N"]
fn long() {
    let plan = Plan {
        name: "campaign",
        first: first_seed(),
        trials: setting("CAMPAIGN_MODELS", 2000),
        kinds: Kinds::All,
        command: std::env::var_os("DYVERSE_COMMAND").map(PathBuf::from),
        effort: Effort {
            boxes: 8,
            runs: 60,
            damages: 4,
        },
        shows_progress: true,
    };
    println!(
        "{} models, CAMPAIGN_SEED={}, seeds from {}, command {:?}",
        plan.trials,
        setting("CAMPAIGN_SEED", 1),
        plan.first,
        plan.command
    );
    let report = plan.run();
    report.print(&plan);
    let folder = std::env::var("CAMPAIGN_FOLDER").unwrap_or_else(|_| "../../../target/campaign".into());
    report.write(Path::new(&folder));
    assert_sound(&report);
}

/// One model alone: `CAMPAIGN_ONE=seed`, `CAMPAIGN_KIND=closed`, `bodies`, `modes` or `command`.
#[test]
#[ignore = "to look at one model"]
fn one() {
    let seed = setting("CAMPAIGN_ONE", 0);
    let kind = std::env::var("CAMPAIGN_KIND").unwrap_or_default();
    let command = std::env::var_os("DYVERSE_COMMAND").map(PathBuf::from);
    let report = Plan::one_of(seed, &kind, command).run();
    for wrong in &report.wrongs {
        println!("{}", wrong.told());
    }
    assert_sound(&report);
}
