//! Many things that touch: they run to their ends, by events where that works and by steps where it does not, gain no energy and lie in nothing.
//!
//! `cargo xtask campaign N --part crowds` tries N scenes.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

use crate::support;

use dyverse_simulate::Contacts;
use std::collections::BTreeMap;
use support::campaign::{self, number, try_scenes, write_models};
use support::crowd::crowd;

/// Things of a scene of the campaign.
const MOST: usize = 20;

/// What came of many scenes.
#[derive(Default)]
struct Report {
    scenes: usize,
    ended: usize,
    things: usize,
    /// Scenes in which contacts were followed by steps.
    stepped: usize,
    stopped: BTreeMap<String, Vec<u64>>,
    wrong: Vec<(u64, String)>,
    /// The largest efforts.
    efforts: Vec<(usize, u64)>,
}

impl campaign::Report for Report {
    fn add(&mut self, other: Report) {
        self.scenes += other.scenes;
        self.ended += other.ended;
        self.things += other.things;
        self.stepped += other.stepped;
        for (why, seeds) in other.stopped {
            self.stopped.entry(why).or_default().extend(seeds);
        }
        self.wrong.extend(other.wrong);
        self.efforts.extend(other.efforts);
        self.efforts.sort_unstable_by(|a, b| b.cmp(a));
        self.efforts.truncate(8);
    }

    fn failed(seed: u64, what: &str) -> Report {
        Report {
            scenes: 1,
            wrong: vec![(seed, what.into())],
            ..Report::default()
        }
    }

    fn wrong(&mut self) -> &mut Vec<(u64, String)> {
        &mut self.wrong
    }
}

impl Report {
    fn print(&self) {
        println!(
            "{} scenes of {} things, {} reach their ends, {} of them with steps; largest efforts {:?}; stopped: {:?}",
            self.scenes, self.things, self.ended, self.stepped, self.efforts, self.stopped
        );
        for (seed, what) in &self.wrong {
            println!("WRONG {seed}: {what}");
        }
    }
}

fn try_scene(seed: u64, most: usize) -> Report {
    let scene = crowd(seed, most);
    let (trace, effort) = scene.run(&scene.scene.text(), Contacts::Auto);
    let mut report = Report {
        scenes: 1,
        ended: usize::from(trace.stop.reason.is_complete()),
        things: scene.scene.things.len(),
        stepped: usize::from(!trace.stepping.is_empty()),
        efforts: vec![(effort, seed)],
        ..Report::default()
    };
    if !trace.stop.reason.is_complete() {
        let why = format!("{:?}: {}", scene.manner, trace.stop.reason.word());
        eprintln!("STOPPED {seed}: {why}");
        report.stopped.insert(why, vec![seed]);
    }
    if let Some(what) = scene.broken(&trace) {
        report.wrong.push((seed, format!("{:?}: {what}", scene.manner)));
    }
    report
}

/// Scenes of all manners.
#[test]
fn crowds_run_to_their_ends() {
    let report = try_scenes(|n| n, 16, |seed| try_scene(seed, 6));
    report.print();
    assert!(report.wrong.is_empty(), "{} wrong", report.wrong.len());
    assert!(report.stopped.is_empty(), "{:?}", report.stopped);
    assert!(report.stepped >= 2, "{} by steps", report.stepped);
}

/// One of them, told: `CAMPAIGN_ONE=SEED`, of `CAMPAIGN_MOST` things at the most, by events alone with `CAMPAIGN_EXACT`.
#[test]
#[ignore = "for looking at one scene"]
fn one() {
    let seed = number("CAMPAIGN_ONE", 1);
    let most = number("CAMPAIGN_MOST", MOST as u64) as usize;
    let scene = crowd(seed, most);
    let contacts = match std::env::var("CAMPAIGN_EXACT") {
        Ok(_) => Contacts::Exact,
        Err(_) => Contacts::Auto,
    };
    println!("{}# {:?} until {}", scene.scene.text(), scene.manner, scene.until);
    let (trace, effort) = scene.run(&scene.scene.text(), contacts);
    println!("{:?}\n{:?}\neffort {effort}", trace.stop, trace.statistics);
    trace.stepping.iter().for_each(|phase| println!("{phase:?}"));
    let energy = |n: usize| scene.energy(&scene.states(&trace, &trace.samples[n]));
    let mut least = f64::MAX;
    for (number, sample) in trace.samples.iter().enumerate() {
        if energy(number) > least {
            println!(
                "{:?}: energy grows by {:e} J",
                sample.time,
                energy(number) - least
            );
        }
        least = least.min(energy(number));
    }
    assert_eq!(scene.broken(&trace), None);
}

/// N of them from a seed.
#[test]
#[ignore = "as long as one likes: cargo xtask campaign N --part crowds"]
fn long() {
    let (count, seed) = (number("CAMPAIGN_MODELS", 300), number("CAMPAIGN_SEED", 1));
    let seeds = |n| seed.wrapping_mul(1_000_003).wrapping_add(n);
    let report = try_scenes(seeds, count, |seed| try_scene(seed, MOST));
    report.print();
    let stopped = report.stopped.values().flatten();
    let told = report.wrong.iter().map(|(seed, _)| seed).chain(stopped);
    write_models("crowd", told.map(|seed| (*seed, crowd(*seed, MOST).scene.text())));
    assert!(report.wrong.is_empty(), "{} wrong", report.wrong.len());
    // At least 99.5 of a hundred.
    assert!(200 * report.ended >= 199 * report.scenes, "{:?}", report.stopped);
}
