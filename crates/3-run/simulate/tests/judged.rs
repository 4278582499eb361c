//! Random scenes of everything (support/varied.rs): each is run, and its trace judged by code that shares nothing with the run (dyverse-replay); of some also as it is written, and of all with something
//! in them made false (support/damage.rs).
//!
//! `cargo xtask campaign N --part replay` tries N of them.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

use crate::support;

use dyverse_replay::{Replay, ReplayOptions, replay};
use dyverse_simulate::{RunOptions, Watch, simulate};
use dyverse_trace::Trace;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use support::campaign::{self, number, try_scenes, write_models};
use support::damage::{KINDS, damaged};
use support::scene::Random;
use support::varied::{Varied, varied};
use support::{model, options};

/// How often a run tells how far it is, at the most, some evaluations of forces apart: slips at the very edge of friction are stiff, and some take hours. What there is of such a run is judged.
const MOST_TOLD: usize = 20_000;
/// Of so many scenes one is written as JSON and read again.
const WRITTEN: u64 = 8;

/// What came of many scenes.
#[derive(Default)]
struct Report {
    scenes: usize,
    families: BTreeMap<&'static str, usize>,
    /// Runs that stopped early, by why.
    stopped: BTreeMap<&'static str, usize>,
    /// Transitions by their rule.
    rules: BTreeMap<String, usize>,
    impacts: usize,
    stretches: usize,
    /// What could not be judged, and in how many scenes.
    open: BTreeMap<String, usize>,
    written: usize,
    /// Damaged traces that were refused, by what was done to them.
    refused: BTreeMap<&'static str, usize>,
    wrong: Vec<(u64, String)>,
}

impl campaign::Report for Report {
    fn add(&mut self, other: Report) {
        self.scenes += other.scenes;
        self.impacts += other.impacts;
        self.stretches += other.stretches;
        self.written += other.written;
        for (own, more) in [
            (&mut self.families, other.families),
            (&mut self.stopped, other.stopped),
            (&mut self.refused, other.refused),
        ] {
            more.into_iter()
                .for_each(|(key, count)| *own.entry(key).or_default() += count);
        }
        for (own, more) in [(&mut self.rules, other.rules), (&mut self.open, other.open)] {
            more.into_iter()
                .for_each(|(key, count)| *own.entry(key).or_default() += count);
        }
        self.wrong.extend(other.wrong);
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
            "{} scenes {:?}, {} of them also written; stopped early: {:?}",
            self.scenes, self.families, self.written, self.stopped
        );
        println!(
            "transitions by rule: {:?}; {} impacts, {} stretches",
            self.rules, self.impacts, self.stretches
        );
        println!("not judged, in how many scenes: {:?}", self.open);
        println!("damaged traces refused: {:?}", self.refused);
        self.wrong
            .iter()
            .for_each(|(seed, what)| println!("WRONG {seed}: {what}"));
        println!("{} wrong", self.wrong.len());
    }
}

fn told(found: &Replay) -> String {
    let all = found.wrong.iter().take(4).map(ToString::to_string);
    all.collect::<Vec<_>>().join("\n")
}

/// The trace of a scene.
fn run(scene: &Varied) -> (dyverse_model::Model, Trace) {
    let model = model(&scene.text);
    let told = AtomicUsize::new(0);
    let watch = Watch::new(move |_| {
        if told.fetch_add(1, Ordering::Relaxed) < MOST_TOLD {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    let few = RunOptions {
        watch: Some(watch),
        sample_every: Some(scene.until / 30.0),
        event_limit: 150,
        microstep_limit: 300,
        inputs: scene.inputs.clone(),
        show_nodes: scene.shows_nodes,
        ..options(scene.until)
    };
    let trace = simulate(&model, &few).unwrap_or_else(|error| panic!("{error}\n{}", scene.text));
    (model, trace)
}

/// One scene, with so many damages.
fn try_scene(seed: u64, damages: usize) -> Report {
    let scene = varied(seed);
    let (model, trace) = run(&scene);
    let judging = ReplayOptions {
        inputs: scene.inputs.clone(),
        ..ReplayOptions::default()
    };
    let judged = |trace: &Trace| replay(&model, trace, &judging).unwrap();
    let found = judged(&trace);
    let mut report = Report {
        scenes: 1,
        families: BTreeMap::from([(scene.family, 1)]),
        impacts: found.impacts,
        stretches: found.stretches,
        ..Report::default()
    };
    if !trace.stop.reason.is_complete() {
        report.stopped.insert(trace.stop.reason.word(), 1);
    }
    for t in &trace.transitions {
        *report.rules.entry(t.rule.to_owned()).or_default() += 1;
    }
    for open in &found.open {
        report.open.insert(open.what.clone(), 1);
    }
    if let Some(t) = trace.transitions.iter().find(|t| t.rule.is_empty()) {
        report
            .wrong
            .push((seed, format!("a transition without a rule: {t:?}")));
    }
    if !found.is_accepted() || found.transitions != trace.transitions.len() {
        report
            .wrong
            .push((seed, format!("{}, {}", scene.family, told(&found))));
        return report;
    }
    if seed.is_multiple_of(WRITTEN) {
        report.written = 1;
        let mut bytes = Vec::new();
        dyverse_export::write_trace_json(&mut bytes, &trace).unwrap();
        let read = dyverse_export::read_trace_json(&bytes).unwrap();
        let again = judged(&read);
        if again != found {
            report.wrong.push((
                seed,
                format!("read again it is judged otherwise: {}", told(&again)),
            ));
        }
    }
    let mut random = Random(seed);
    for number in 0..damages {
        let mut draw = |count: usize| random.below(count);
        // Inner steps of SORPROX are not judged.
        let kind = (seed as usize + number) % KINDS;
        let Some((bad, what)) = damaged(&trace, kind, &mut draw).filter(|_| !scene.shows_nodes) else {
            continue;
        };
        if judged(&bad).is_accepted() {
            report.wrong.push((
                seed,
                format!("accepted, although damaged ({what}, number {number})"),
            ));
        } else {
            *report.refused.entry(what).or_default() += 1;
        }
    }
    report
}

fn expect_none_wrong(report: &Report) {
    report.print();
    assert!(report.wrong.is_empty(), "{} wrong", report.wrong.len());
}

/// 200 scenes.
#[test]
fn varied_scenes() {
    let report = try_scenes(|n| n, 200, |seed| try_scene(seed, 2));
    expect_none_wrong(&report);
    let count = |rule: &str| report.rules.get(rule).copied().unwrap_or(0);
    // Not 6b: a closed contact strikes again where its closest point jumps, and none of these has one that does.
    for (rule, least) in [
        ("1", 5),
        ("2", 5),
        ("3", 5),
        ("4", 5),
        ("4b", 5),
        ("5", 5),
        ("6", 5),
        ("7", 5),
        ("8", 5),
        ("node", 5),
    ] {
        assert!(count(rule) >= least, "rule {rule}: {}", count(rule));
    }
    assert!(
        report.refused.values().sum::<usize>() >= 200,
        "{:?}",
        report.refused
    );
}

/// A ball that is pushed back so hard that it cannot stick: its slip stops at v / (F/m + 7/2 μ g) and goes on the other way. It is trans for an instant: rules 3, 4 and 5.
#[test]
fn a_slip_that_stops_and_goes_on_the_other_way() {
    let mut random = Random(3);
    for _ in 0..20 {
        let (mu, speed) = (random.between(0.05, 0.4), random.between(0.5, 3.0));
        // What sticks bears 2/7 of the push.
        let push = random.between(1.2, 3.0) * 3.5 * mu * 9.81;
        let text = format!(
            "fixed entity floor {{ plane(normal = (0, 1, 0), offset = 0) }}
            entity a {{ sphere(radius = 0.2) mass = 1 position = (0, 0.2, 0) velocity = ({speed}, 0, 0) }}
            gravity (0, -9.81, 0)
            force on a = ({}, 0, 0)
            contact default {{ restitution = 0 friction = {mu} }}",
            -push
        );
        let stops = speed / (push + 3.5 * mu * 9.81);
        let trace = support::run(&text, 2.0 * stops);
        let rules: Vec<&str> = trace.transitions.iter().map(|t| t.rule).collect();
        assert_eq!(rules, ["3", "4", "5"], "{text}");
        let found = trace.transitions[0].time.t();
        assert!((found - stops).abs() <= 1e-9, "{found} {stops}\n{text}");
    }
}

/// Boxes that stand on a floor, one of which begins with a spin that strikes it at once: the others are part of no impact, and more contacts touch than one would try out.
#[test]
fn what_strikes_at_the_start_leaves_the_rest_alone() {
    let mut random = Random(11);
    for _ in 0..6 {
        let (spin, height) = (random.between(1.0, 3.0), random.between(0.3, 0.5));
        let mut text = String::from(
            "fixed entity floor { plane(normal = (0, 1, 0), offset = 0) }
            gravity (0, -9.81, 0)
            contact default { restitution = 0.2 friction = 0.4 }\n",
        );
        for n in 0..2 + random.below(2) {
            let turns = if n == 0 { spin } else { 0.0 };
            text += &format!(
                "entity d{n} {{ rounded_box(size = (0.05, {height}, 0.2), radius = 0.005) mass = 0.3 position = ({}, {}, 0) angular_velocity = (0, 0, {turns}) }}\n",
                0.6 * n as f64,
                0.5 * height,
            );
        }
        // It strikes with the corners that go down; the model's tests judge the trace.
        let trace = support::run(&text, 0.1);
        let first = trace.transitions.first().unwrap();
        assert!(
            first.time.t() == 0.0 && first.to.starts_with("I{"),
            "{first:?}\n{text}"
        );
        assert!(trace.stop.reason.is_complete(), "{:?}\n{text}", trace.stop);
    }
}

/// Without friction too what is at rest is named so, until it moves.
#[test]
fn contacts_without_friction_are_named_by_how_they_move() {
    let mut random = Random(4);
    for _ in 0..20 {
        let (begins, push) = (random.between(0.1, 0.5), random.between(0.5, 5.0));
        let text = format!(
            "fixed entity floor {{ plane(normal = (0, 1, 0), offset = 0) }}
            entity a {{ sphere(radius = 0.2) mass = 1 position = (0, 0.2, 0) }}
            gravity (0, -9.81, 0)
            force on a = (if time > {begins} then {push} else 0, 0, 0)
            contact default {{ restitution = 0 friction = 0 }}"
        );
        let trace = support::run(&text, 1.0);
        let first = trace.transitions.first().unwrap();
        assert!(first.from == "s_1,1" && first.rule == "3", "{first:?}\n{text}");
        // It is slow at first: 10⁻⁵ m/s and more are slip for certain.
        let late = first.time.t() - begins;
        assert!((0.0..=1e-4 / push).contains(&late), "{late}\n{text}");
        assert_eq!(trace.transitions.last().unwrap().to, "s_1,3", "{text}");
    }
}

/// As many as are asked for; what is wrong is written to a folder.
#[test]
#[ignore = "as long as one likes: cargo xtask campaign N --part replay"]
fn long() {
    let (count, first) = (number("CAMPAIGN_MODELS", 1000), number("CAMPAIGN_SEED", 1));
    let report = try_scenes(|n| first + n, count, |seed| try_scene(seed, 6));
    let told = report.wrong.iter().map(|(seed, what)| {
        let head: String = what.lines().map(|line| format!("# {line}\n")).collect();
        (*seed, format!("{head}{}", varied(*seed).text))
    });
    write_models("replay", told);
    expect_none_wrong(&report);
}

/// One of them, told in full: `CAMPAIGN_ONE=SEED`; or that of a file, `CAMPAIGN_FILE=PATH`; its trace is written to `CAMPAIGN_JSON`.
#[test]
#[ignore = "for looking at one scene"]
fn one() {
    let seed = number("CAMPAIGN_ONE", 1);
    let mut scene = varied(seed);
    if let Ok(path) = std::env::var("CAMPAIGN_FILE") {
        scene = Varied {
            family: "of a file",
            text: std::fs::read_to_string(path).unwrap(),
            inputs: Vec::new(),
            shows_nodes: false,
            until: 0.8,
        };
    }
    println!("{}\n# until {}\n# {:?}", scene.text, scene.until, scene.inputs);
    let (model, trace) = run(&scene);
    for t in &trace.transitions {
        println!(
            "{:?} {:?} {} -> {} by {:?} {:?}",
            t.time, t.kind, t.from, t.to, t.rule, t.contacts
        );
        t.forces
            .iter()
            .for_each(|f| println!("    {} {:e} {:?}", f.contact, f.normal, f.tangential));
    }
    println!("{:?}", trace.stop);
    if let Ok(path) = std::env::var("CAMPAIGN_JSON") {
        let mut bytes = Vec::new();
        dyverse_export::write_trace_json(&mut bytes, &trace).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    let judging = ReplayOptions {
        inputs: scene.inputs.clone(),
        ..ReplayOptions::default()
    };
    let found = replay(&model, &trace, &judging).unwrap();
    found.wrong.iter().for_each(|f| println!("{f}"));
    assert!(found.is_accepted());
    expect_none_wrong(&try_scene(seed, 6));
}
