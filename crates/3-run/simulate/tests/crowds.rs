//! Many things that touch: they run to their ends, by events where that works and by steps where it does not, gain no energy and lie in nothing.
//!
//! `cargo xtask campaign N --part crowds` tries N scenes.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

use crate::support;

use dyverse_simulate::{Contacts, RunOptions, Watch, simulate};
use dyverse_trace::Trace;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use support::crowd::{Crowd, crowd};
use support::{model, options};

/// How often a run may tell how far it is, some evaluations of forces apart: the effort of a scene.
const MOST_TOLD: usize = 1_000_000;

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

impl Report {
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

fn run(scene: &Crowd, text: &str, contacts: Contacts) -> (Trace, usize) {
    let model = model(text);
    let told = std::sync::Arc::new(AtomicUsize::new(0));
    let counted = told.clone();
    let watch = Watch::new(move |_| {
        if counted.fetch_add(1, Ordering::Relaxed) < MOST_TOLD {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    let run = RunOptions {
        watch: Some(watch),
        contacts,
        sample_every: Some(scene.until / 200.0),
        ..options(scene.until)
    };
    let trace = simulate(&model, &run).unwrap_or_else(|error| panic!("{error}\n{text}"));
    (trace, told.load(Ordering::Relaxed))
}

fn try_scene(seed: u64, most: usize) -> Report {
    let scene = crowd(seed, most);
    let (trace, effort) = run(&scene, &scene.scene.text(), Contacts::Auto);
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
        report.stopped.insert(why, vec![seed]);
    }
    if let Some(what) = scene.broken(&trace) {
        report.wrong.push((seed, format!("{:?}: {what}", scene.manner)));
    }
    report
}

fn try_scenes(seeds: impl Fn(u64) -> u64 + Sync, count: u64, most: usize) -> Report {
    let (next, report) = (AtomicU64::new(0), Mutex::new(Report::default()));
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return;
                    }
                    let seed = seeds(number);
                    let tried = std::panic::catch_unwind(|| try_scene(seed, most));
                    let one = tried.unwrap_or_else(|_| Report {
                        scenes: 1,
                        wrong: vec![(seed, "a panic".into())],
                        ..Report::default()
                    });
                    one.wrong
                        .iter()
                        .for_each(|(seed, what)| eprintln!("WRONG {seed}: {what}"));
                    one.stopped
                        .iter()
                        .for_each(|(why, seeds)| eprintln!("STOPPED {seeds:?}: {why}"));
                    report.lock().unwrap().add(one);
                }
            });
        }
    });
    let mut report = report.into_inner().unwrap();
    report.wrong.sort();
    report
}

/// Scenes of all manners.
#[test]
fn crowds_run_to_their_ends() {
    let report = try_scenes(|n| n, 16, 6);
    report.print();
    assert!(report.wrong.is_empty(), "{} wrong", report.wrong.len());
    assert!(report.stopped.is_empty(), "{:?}", report.stopped);
    assert!(report.stepped >= 2, "{} by steps", report.stepped);
}

/// One of them, told: `CAMPAIGN_ONE=SEED`, of `CAMPAIGN_MOST` things at the most, by events alone with `CAMPAIGN_EXACT`.
#[test]
#[ignore = "for looking at one scene"]
fn one() {
    let seed = std::env::var("CAMPAIGN_ONE").map_or(1, |text| text.parse().unwrap());
    let most = std::env::var("CAMPAIGN_MOST").map_or(MOST, |text| text.parse().unwrap());
    let scene = crowd(seed, most);
    let contacts = match std::env::var("CAMPAIGN_EXACT") {
        Ok(_) => Contacts::Exact,
        Err(_) => Contacts::Auto,
    };
    println!("{}# {:?} until {}", scene.scene.text(), scene.manner, scene.until);
    let (trace, effort) = run(&scene, &scene.scene.text(), contacts);
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
    let number = |name: &str, unless: u64| std::env::var(name).map_or(unless, |text| text.parse().unwrap());
    let (count, seed) = (number("CAMPAIGN_MODELS", 300), number("CAMPAIGN_SEED", 1));
    let report = try_scenes(|n| seed.wrapping_mul(1_000_003).wrapping_add(n), count, MOST);
    report.print();
    if let Ok(folder) = std::env::var("CAMPAIGN_FOLDER") {
        let folder = Path::new(&folder);
        std::fs::create_dir_all(folder).unwrap();
        let stopped = report.stopped.values().flatten();
        for seed in report.wrong.iter().map(|(seed, _)| seed).chain(stopped) {
            let text = crowd(*seed, MOST).scene.text();
            std::fs::write(folder.join(format!("crowd-{seed}.drbt")), text).unwrap();
        }
    }
    assert!(report.wrong.is_empty(), "{} wrong", report.wrong.len());
    // At least 99.5 of a hundred.
    assert!(200 * report.ended >= 199 * report.scenes, "{:?}", report.stopped);
}
