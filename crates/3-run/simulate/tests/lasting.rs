//! Contacts that last: things that are dropped come to rest, or slide and roll as they must.
//!
//! `cargo xtask campaign N --part lasting` tries N of them.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

use crate::support;

use dyverse_simulate::{RunOptions, simulate};
use dyverse_trace::{Transition, TransitionKind};
use std::collections::BTreeMap;
use support::dropped::{Dropped, Place, dropped};
use support::scene::Random;
use support::{model, options};

/// Transitions of a run, at the most.
const MOST_TRANSITIONS: usize = 6000;

/// What came of many things.
#[derive(Default)]
struct Report {
    things: usize,
    transitions: usize,
    most: (usize, u64),
    /// Runs that stopped early, by why.
    stopped: BTreeMap<String, Vec<u64>>,
    /// Sets of contacts that were closed together.
    closed: usize,
    wrong: Vec<(u64, String)>,
}

impl Report {
    /// All reached their ends, and nothing is wrong with any.
    fn assert_good(&self) {
        assert!(self.stopped.is_empty(), "{:?}", self.stopped);
        assert!(self.wrong.is_empty(), "{:?}", self.wrong);
    }
}

fn try_all(seeds: impl Iterator<Item = u64>, make: impl Fn(u64) -> Dropped) -> Report {
    let mut report = Report::default();
    for seed in seeds {
        let thing = make(seed);
        let model = model(&thing.scene.text());
        let run = RunOptions {
            sample_every: Some(thing.until / 60.0),
            event_limit: MOST_TRANSITIONS,
            microstep_limit: 1000,
            ..options(thing.until)
        };
        let begun = std::time::Instant::now();
        let trace = simulate(&model, &run).unwrap();
        let took = begun.elapsed().as_secs_f64();
        report.things += 1;
        report.transitions += trace.transitions.len();
        let of_set = |t: &&Transition| t.kind == TransitionKind::Zeno && !t.changes.is_empty();
        report.closed += trace.transitions.iter().filter(of_set).count();
        report.most = report.most.max((trace.transitions.len(), seed));
        if std::env::var("LASTING_SHOW").is_ok() {
            println!(
                "{seed} {} {:?} e {:.2} mu {:.2} size {:.3}: {} transitions, {took:.2} s, {} at {} of {}",
                thing.scene.things[0].form.kind(),
                thing.place,
                thing.scene.restitution,
                thing.scene.friction,
                thing.size,
                trace.transitions.len(),
                trace.stop.reason,
                trace.stop.time,
                thing.until
            );
        }
        if !trace.stop.reason.is_complete() {
            report
                .stopped
                .entry(trace.stop.reason.word().into())
                .or_default()
                .push(seed);
        }
        if let Some(what) = thing
            .broken(&trace)
            .or_else(|| support::refused(&model, &run, &trace))
        {
            report.wrong.push((seed, what));
        }
    }
    println!(
        "{} things, {} transitions, the most {:?}; stopped: {:?}",
        report.things, report.transitions, report.most, report.stopped
    );
    for (seed, what) in &report.wrong {
        println!("WRONG {seed}: {what}");
    }
    report
}

/// Rocking and rattling end: each box reaches its end, and with friction it rests there.
#[test]
fn boxes_come_to_rest_on_a_floor() {
    let report = try_all(0..25, |seed| {
        dropped(seed, Some("rounded_box"), Some(Place::Floor))
    });
    report.assert_good();
    assert!(report.closed > 10, "{} sets were closed together", report.closed);
}

/// What stands for the bounces left out of a set of contacts is judged: none of it may be made false.
#[test]
fn a_set_that_is_closed_wrongly_is_refused() {
    let mut random = Random(3);
    let (mut tried, mut kept) = (0, Vec::new());
    for seed in 0..12 {
        let thing = dropped(seed, Some("rounded_box"), Some(Place::Floor));
        let model = model(&thing.scene.text());
        let run = options(thing.until);
        let good = simulate(&model, &run).unwrap();
        let of_set = |t: &Transition| t.kind == TransitionKind::Zeno && !t.changes.is_empty();
        let Some(place) = good.transitions.iter().position(of_set) else {
            continue;
        };
        for damage in 0..4 {
            let mut bad = good.clone();
            let own = &mut bad.transitions[place];
            let unit = thing.speed();
            match damage {
                // Velocities after it are others.
                0 => own.changes[0].after += 1e-3 * unit,
                // Its impulses are others.
                1 => own.forces[0].normal += 1e-3 * unit * thing.scene.things[0].mass,
                // It would have to rise higher.
                2 => {
                    let more = 1e-2 * unit * random.between(1.0, 2.0);
                    for change in &mut own.changes {
                        change.before -= more;
                    }
                }
                // It is no accumulation but an impact.
                _ => own.kind = TransitionKind::Impact,
            }
            tried += 1;
            if support::refused(&model, &run, &bad).is_none() {
                kept.push((seed, damage));
            }
        }
    }
    assert!(tried >= 16, "{tried}");
    assert!(kept.is_empty(), "accepted: {kept:?}");
}

#[test]
#[ignore = "takes minutes"]
fn measure() {
    let begun = std::time::Instant::now();
    try_all(0..25, |seed| {
        dropped(seed, Some("rounded_box"), Some(Place::Floor))
    });
    println!("{:?}", begun.elapsed());
    let n = std::env::var("LASTING")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(60);
    try_all(0..n, |seed| dropped(seed, None, None));
    println!("{:?}", begun.elapsed());
}

#[test]
#[ignore = "shows one run"]
fn show_one() {
    let of = |name: &str| std::env::var(name).ok();
    let seed: u64 = of("SEED").unwrap().parse().unwrap();
    let thing = match of("BOX") {
        Some(_) => dropped(seed, Some("rounded_box"), Some(Place::Floor)),
        None => dropped(seed, None, None),
    };
    println!("{}", thing.scene.text());
    let model = model(&thing.scene.text());
    let run = RunOptions {
        sample_every: Some(thing.until / 60.0),
        event_limit: of("EVENTS").map_or(500, |n| n.parse().unwrap()),
        ..options(thing.until)
    };
    let trace = simulate(&model, &run).unwrap();
    let count = of("LAST").map_or(60, |n| n.parse().unwrap());
    for t in trace.transitions.iter().rev().take(count).rev() {
        let forces: Vec<String> = t
            .forces
            .iter()
            .map(|f| {
                format!(
                    "{} {:.3e} {:.3e}",
                    f.contact,
                    f.normal,
                    f.tangential[0].hypot(f.tangential[1])
                )
            })
            .collect();
        println!("{} {:?} {} -> {} {:?}", t.time, t.kind, t.from, t.to, forces);
        let changes: Vec<String> = t
            .changes
            .iter()
            .map(|c| {
                format!(
                    "{} {:.3e}->{:.3e}",
                    trace.signals[c.signal.0 as usize].name, c.before, c.after
                )
            })
            .collect();
        if !changes.is_empty() {
            println!("        {changes:?}");
        }
    }
    println!("{} {:?}", trace.stop.reason, trace.statistics);
    if of("ENERGY").is_some() {
        for sample in &trace.samples {
            let state = thing.state(&trace, sample);
            println!(
                "{} E {:.15e} K {:.3e} gap {:.2e}",
                sample.time,
                thing.energy(&state),
                thing.kinetic(&state),
                thing.gap(&state)
            );
        }
        println!("{:?} error {:e}", trace.balance, trace.balance.error());
    }
}
