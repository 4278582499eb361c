//! A scene in another frame, in another order, under other names: the same events and the same motion.
//!
//! Scenes of several things that touch (support/crowd.rs) are followed to where they rest. Two views of one cannot agree better than the motion is known, so how far they may be apart is measured:
//! - an event is found to rounding and forces to 1e-11, and the motion amplifies that as it amplifies a start that is moved by 1e-9: ten times as far as two starts moved at random end;
//! - steps decide: in which of them a strike falls, how long the next is. Where rounding decides otherwise, a point is off by what the trace tells of the error of a step, the largest estimate of its phases, and
//!   the motion amplifies that too. Of runs with steps four in five must be as near as runs by events.
//!
//! Where that is more than a hundredth of a thing's size nothing is claimed about places (a heap thrown anyhow, a tower of balls); that energy falls and nothing lies in anything is asked all the same, unless all are steps.
//! One thing is allowed besides, and counted: Coulomb's law with more contacts than a body needs can have several solutions, and which is found may hang on the order of declaration. Then both traces are accepted
//! by the judge, who shares nothing with the run.
//!
//! `cargo xtask campaign N --part views` tries N of them.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

use crate::support;

use dyverse_num::{Quaternion, Vec3};
use dyverse_replay::{ReplayOptions, replay};
use dyverse_simulate::{Contacts, RunOptions};
use dyverse_trace::{Trace, TransitionKind};
use support::campaign::{self, number, try_scenes, write_models};
use support::crowd::{Crowd, crowd};
use support::dropped::GRAVITY;
use support::laws::states;
use support::scene::{Form, Q, Random, Recipe, Scene, State, V};
use support::{model, options, simulate};

fn run_text(text: &str, until: f64) -> Trace {
    let few = RunOptions {
        sample_every: Some(until),
        event_limit: 2000,
        ..options(until)
    };
    simulate(&model(text), &few).unwrap()
}

/// When, what, and for each contact how hard.
type Event = (f64, TransitionKind, Vec<(String, f64, f64)>);

/// What happened, without names of locations: when, what, between whom, how hard.
fn events(trace: &Trace, names: &str) -> Vec<Event> {
    // Where two vertices meet, the contact is that of the vertex of the entity declared first: features are left out.
    let entity = |end: &str| end.split('#').next().unwrap_or(end).replacen(names, "", 1);
    let label = |contact: &str| {
        let mut ends: Vec<String> = contact.split('-').map(entity).collect();
        ends.sort();
        ends.join("-")
    };
    trace
        .transitions
        .iter()
        .map(|t| {
            let mut forces: Vec<_> = t
                .forces
                .iter()
                .map(|f| {
                    (
                        label(&f.contact),
                        f.normal,
                        f.tangential[0].hypot(f.tangential[1]),
                    )
                })
                .collect();
            forces.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
            (t.time.t(), t.kind, forces)
        })
        .collect()
}

/// How far two runs are from each other; infinite if other things happened.
fn difference(one: &Trace, names: &str, other: &Trace, other_names: &str) -> f64 {
    let (a, b) = (events(one, names), events(other, other_names));
    if a.len() != b.len() {
        return f64::INFINITY;
    }
    let mut worst = 0.0f64;
    for (x, y) in a.iter().zip(&b) {
        let same = x.1 == y.1 && x.2.len() == y.2.len() && x.2.iter().zip(&y.2).all(|(p, q)| p.0 == q.0);
        if !same {
            return f64::INFINITY;
        }
        worst = worst.max((x.0 - y.0).abs());
        for (p, q) in x.2.iter().zip(&y.2) {
            worst = worst.max((p.1 - q.1).abs()).max((p.2 - q.2).abs());
        }
    }
    worst
}

/// The states at the end of a run.
fn ends(trace: &Trace, names: &str, count: usize) -> Vec<State> {
    states(trace, names, count, trace.samples.last().unwrap())
}

/// How far the farthest of some states are from each other.
fn farthest(some: impl IntoIterator<Item = State>, others: impl IntoIterator<Item = State>) -> f64 {
    let pairs = some.into_iter().zip(others);
    pairs.map(|(a, b)| a.distance(&b)).fold(0.0, f64::max)
}

struct Frame {
    rotation: Q,
    shift: V,
    boost: V,
}

/// Runs a scene and its image in another frame: the image of the end must be the end of the image.
fn compare_frames(scene: &Scene, frame: &Frame, until: f64, tolerance: f64) -> Result<usize, String> {
    let moved = scene.moved(&frame.rotation, &frame.shift, &frame.boost);
    let (one, other) = (run_text(&scene.text(), until), run_text(&moved.text(), until));
    if !one.stop.reason.is_complete() || !other.stop.reason.is_complete() {
        let told = (one.stop.reason.word(), other.stop.reason.word());
        return if told.0 == told.1 {
            Ok(0)
        } else {
            Err(format!("one stopped: {told:?}"))
        };
    }
    // Boxes rattle on their corners faster than rounding lets them agree on the order; where they are is the same.
    let rattles = !scene.walls.is_empty() && scene.things.iter().any(|t| t.form.kind() == "rounded_box");
    // Dozens of impacts within milliseconds each amplify what rounding leaves.
    let tolerance = if rattles { 10.0 * tolerance } else { tolerance };
    let events_apart = if rattles {
        0.0
    } else {
        difference(&one, "b", &other, "b")
    };
    let count = scene.things.len();
    let image = |s: State| s.moved(&frame.rotation, &frame.shift, &frame.boost, until);
    let image = ends(&one, "b", count).into_iter().map(image);
    let worst = events_apart.max(farthest(image, ends(&other, "b", count)));
    if worst > tolerance {
        let (a, b) = (events(&one, "b"), events(&other, "b"));
        return Err(format!(
            "seed {}: off by {worst:e}\n{}\n{}\n{a:?}\n{b:?}",
            scene.seed,
            scene.text(),
            moved.text()
        ));
    }
    Ok(events(&one, "b").len())
}

fn frames(recipe: &Recipe<'_>, seeds: u64, until: f64, tolerance: f64, is_boosted: bool) -> usize {
    let mut seen = 0;
    let mut told = Vec::new();
    for seed in 0..seeds {
        let mut random = Random(99 + seed);
        let scene = Scene::random(seed, recipe);
        let frame = Frame {
            rotation: random.rotation(),
            shift: random.vector(5.0),
            boost: if is_boosted {
                random.vector(2.0)
            } else {
                Vec3::zero()
            },
        };
        match compare_frames(&scene, &frame, until, tolerance) {
            Ok(events) => seen += events,
            Err(error) => told.push(error),
        }
    }
    assert!(
        told.is_empty(),
        "{} of {seeds} scenes differ; the first: {}",
        told.len(),
        told[0]
    );
    seen
}

const THROWN: Recipe<'_> = Recipe {
    kinds: &["sphere", "capsule", "rounded_box"],
    things: (2, 3),
    walls: 0,
    gravity: 0.0,
    friction: 0.3,
    restitution: 0.7,
};

/// Rounding is magnified by every impact, so runs are short.
#[test]
fn thrown_things_in_a_rotated_and_moving_frame() {
    let seen = frames(&THROWN, 150, 0.5, 1e-8, true);
    assert!(seen > 200, "{seen} events");
}

#[test]
fn ellipsoids_in_a_rotated_and_moving_frame() {
    let kinds = &["ellipsoid", "sphere"];
    let seen = frames(&Recipe { kinds, ..THROWN }, 25, 0.4, 1e-8, true);
    assert!(seen > 20, "{seen} events");
}

/// With walls and gravity, which turn with the frame; every shape bounces, and some come to slide or roll.
#[test]
fn falling_things_in_a_rotated_frame() {
    let mut seen = 0;
    for kind in Form::KINDS {
        for restitution in [0.0, 0.6] {
            let recipe = Recipe {
                kinds: &[kind],
                things: (1, 1),
                walls: 1,
                gravity: 9.81,
                restitution,
                ..THROWN
            };
            seen += frames(&recipe, 20, 0.35, 1e-7, false);
        }
    }
    assert!(seen > 200, "{seen} events");
}

/// The order of declarations and the names decide the order of contacts, of sweeps and of ties, and must not be seen in the result.
#[test]
fn order_and_names_of_all_shapes() {
    let mut seen = 0;
    for seed in 0..100 {
        let walls = seed as usize % 2;
        let scene = Scene::random(
            300 + seed,
            &Recipe {
                kinds: &Form::KINDS,
                walls,
                gravity: 9.81 * walls as f64,
                ..THROWN
            },
        );
        let count = scene.things.len();
        let mut order: Vec<usize> = (0..count + walls).collect();
        order.reverse();
        let (one, other) = (
            run_text(&scene.text(), 0.4),
            run_text(&scene.text_as("zeta", &order), 0.4),
        );
        if !one.stop.reason.is_complete() {
            assert_eq!(
                one.stop.reason.word(),
                other.stop.reason.word(),
                "{}",
                scene.text()
            );
            continue;
        }
        let events_apart = difference(&one, "b", &other, "zeta");
        let worst = events_apart.max(farthest(ends(&one, "b", count), ends(&other, "zeta", count)));
        assert!(worst <= 1e-8, "off by {worst:e}:\n{}", scene.text());
        seen += one.transitions.len();
    }
    assert!(seen > 100, "{seen} events");
}

/// The tests' own change of frame: a rotation and its inverse give back the scene.
#[test]
fn frames_can_be_left_again() {
    let scene = Scene::random(5, &THROWN);
    let q = Random(3).rotation();
    let there = scene.moved(&q, &Vec3::zero(), &Vec3::zero());
    let Quaternion { w, x, y, z } = q;
    let back = Quaternion {
        w,
        x: -x,
        y: -y,
        z: -z,
    };
    let again = there.moved(&back, &Vec3::zero(), &Vec3::zero());
    for (a, b) in scene.things.iter().zip(&again.things) {
        assert!(a.state.distance(&b.state) < 1e-14);
    }
}

/// How far a start is moved to see what the motion makes of it: places by so much of the size of the largest thing, velocities by so much of that of a fall by it.
const NUDGE: f64 = 1e-9;
/// Of how much more than two starts moved at random, the worst of all may be.
const DIRECTIONS: f64 = 10.0;
/// Above this nothing is claimed about places, which are in sizes of the largest thing.
const VAGUE: f64 = 0.01;
/// What rests has less kinetic energy, as a part of that of a fall by the size of a thing.
const STILL: f64 = 1e-9;

/// What came of many crowds seen in several ways.
#[derive(Default)]
struct Report {
    scenes: usize,
    /// Runs that stopped early: tests/crowds.rs is about those.
    stopped: Vec<u64>,
    /// Scenes in which contacts were followed by steps.
    stepped: usize,
    /// Views that ended at the same place, and of them those with steps.
    agree: usize,
    agree_by_steps: usize,
    /// Of those with steps, such as no step decided otherwise in.
    agree_closely: usize,
    /// Views of which no place is claimed: those whose start decides, those with steps that decided otherwise, and of both such as rest in one view and not in another.
    chaotic: usize,
    blurred: Vec<u64>,
    rest_otherwise: Vec<u64>,
    /// Views whose law has several solutions, and how far apart these lead.
    several: Vec<(u64, &'static str, f64)>,
    wrong: Vec<(u64, String)>,
}

impl campaign::Report for Report {
    fn add(&mut self, other: Report) {
        self.scenes += other.scenes;
        self.stepped += other.stepped;
        self.agree += other.agree;
        self.agree_by_steps += other.agree_by_steps;
        self.agree_closely += other.agree_closely;
        self.chaotic += other.chaotic;
        self.blurred.extend(other.blurred);
        self.rest_otherwise.extend(other.rest_otherwise);
        self.stopped.extend(other.stopped);
        self.several.extend(other.several);
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

/// In units of a crowd: sizes of the largest thing, and how fast a fall by it is.
fn in_units(crowd: &Crowd, state: State) -> State {
    let (size, speed) = (crowd.size, (GRAVITY * crowd.size).sqrt());
    State {
        position: state.position.scale(&(1.0 / size)),
        orientation: state.orientation,
        velocity: state.velocity.scale(&(1.0 / speed)),
        spin: state.spin.scale(&(size / speed)),
    }
}

/// What a trace tells of the error of a step, in sizes of the largest thing.
fn error_told(crowd: &Crowd, trace: &Trace) -> f64 {
    let largest = trace.stepping.iter().map(|phase| phase.error);
    largest.fold(0.0, f64::max) / crowd.size
}

/// Whether the judge accepts a run of a scene by events alone.
fn is_lawful(text: &str, trace: &Trace) -> bool {
    let judged = replay(&model(text), trace, &ReplayOptions::default());
    trace.stepping.is_empty() && judged.is_ok_and(|found| found.is_accepted())
}

fn try_views(seed: u64, most: usize, contacts: Contacts) -> Report {
    let (crowd, mut random) = (crowd(seed, most), Random(99 + seed));
    let (scene, count) = (&crowd.scene, crowd.scene.things.len());
    let text = scene.text();
    let (one, _) = crowd.run(&text, contacts);
    let is_stepped = !one.stepping.is_empty();
    let mut report = Report {
        scenes: 1,
        stepped: usize::from(is_stepped),
        ..Report::default()
    };
    if !one.stop.reason.is_complete() {
        report.stopped.push(seed);
        return report;
    }
    let still = Vec3::zero();
    let here = Quaternion {
        w: 1.0,
        x: 0.0,
        y: 0.0,
        z: 0.0,
    };
    let apart = |rotation: &Q, shift: &V, other: &Trace, names: &str| {
        if !other.stop.reason.is_complete() {
            return f64::INFINITY;
        }
        let image = |s: State| in_units(&crowd, s.moved(rotation, shift, &still, 0.0));
        let found = ends(other, names, count).into_iter().map(|s| in_units(&crowd, s));
        farthest(ends(&one, "b", count).into_iter().map(image), found)
    };
    let rests = |trace: &Trace, names: &str| {
        let fall: f64 = scene.things.iter().map(|t| t.mass * GRAVITY * crowd.size).sum();
        crowd.kinetic(&ends(trace, names, count)) <= STILL * fall
    };
    let mut amplified = NUDGE;
    for _ in 0..2 {
        let mut nudged = scene.clone();
        for thing in &mut nudged.things {
            let state = &mut thing.state;
            state.position = state.position + random.vector(NUDGE * crowd.size);
            state.velocity = state.velocity + random.vector(NUDGE * (GRAVITY * crowd.size).sqrt());
        }
        amplified = amplified.max(apart(&here, &still, &crowd.run(&nudged.text(), contacts).0, "b"));
    }
    let (rotation, shift) = (random.rotation(), random.vector(10.0 * crowd.size));
    let mut reversed: Vec<usize> = (0..count + scene.walls.len()).collect();
    reversed.reverse();
    for (what, rotation, shift, names) in [
        ("turned", &rotation, &still, "b"),
        ("shifted", &here, &shift, "b"),
        ("in another order", &here, &still, "zeta"),
    ] {
        let moved = scene.moved(rotation, shift, &still);
        let text_there = if names == "b" {
            moved.text()
        } else {
            moved.text_as(names, &reversed)
        };
        let (other, _) = crowd.run(&text_there, contacts);
        let by_events = DIRECTIONS * amplified;
        let told = error_told(&crowd, &one).max(error_told(&crowd, &other));
        let limit = by_events.max(amplified / NUDGE * told);
        let found = apart(rotation, shift, &other, names);
        let is_close = found <= by_events && by_events <= VAGUE;
        if is_close || found <= limit && limit <= VAGUE {
            report.agree += 1;
            report.agree_by_steps += usize::from(is_stepped);
            report.agree_closely += usize::from(is_stepped && is_close);
        } else if limit > VAGUE {
            if by_events > VAGUE {
                report.chaotic += 1;
            } else {
                report.blurred.push(seed);
            }
            let is_otherwise = rests(&one, "b") != rests(&other, names);
            report.rest_otherwise.extend(is_otherwise.then_some(seed));
        } else if is_lawful(&text, &one) && is_lawful(&text_there, &other) {
            report.several.push((seed, what, found));
        } else {
            let told = format!(
                "{:?}, {what}: {found:e} apart, {limit:e} at the most",
                crowd.manner
            );
            report.wrong.push((seed, told));
        }
        // Where all are steps, things that roll sink a little deeper within them than tests/crowds.rs asks of the rest.
        if names == "b" && contacts == Contacts::Auto {
            let there = Crowd {
                scene: moved,
                ..crowd.clone()
            };
            if let Some(broken) = there.broken(&other) {
                report
                    .wrong
                    .push((seed, format!("{:?}, {what}: {broken}", crowd.manner)));
            }
        }
    }
    report
}

impl Report {
    fn expect_agreement(&self) {
        println!(
            "{} scenes, {} with steps; of three views of each {} agree, {} of them with steps, {} of these as if by events; no place is claimed of {} that are chaotic and of {:?} whose steps decided otherwise, {:?} rest in one view and not in another; several solutions: {:?}; stopped: {:?}",
            self.scenes,
            self.stepped,
            self.agree,
            self.agree_by_steps,
            self.agree_closely,
            self.chaotic,
            self.blurred,
            self.rest_otherwise,
            self.several,
            self.stopped
        );
        assert!(self.wrong.is_empty(), "{:?}", self.wrong);
        let blurred = self.blurred.len();
        assert!(
            4 * blurred <= self.agree_closely,
            "{blurred} of {}",
            self.agree_closely
        );
    }
}

/// Small crowds of all manners, by events where that works, and by steps wherever anything touches.
#[test]
fn crowds_rest_at_the_same_place() {
    let by_events = try_scenes(|n| n, 12, |seed| try_views(seed, 3, Contacts::Auto));
    by_events.expect_agreement();
    let by_steps = try_scenes(|n| n, 16, |seed| try_views(seed, 2, Contacts::Stepping));
    by_steps.expect_agreement();
    assert!(by_events.agree >= 30, "{}", by_events.agree);
    assert!(by_steps.agree_by_steps >= 30, "{}", by_steps.agree_by_steps);
}

/// N of them from a seed, of `CAMPAIGN_MOST` things at the most, half of them with steps wherever anything touches.
#[test]
#[ignore = "as long as one likes: cargo xtask campaign N --part views"]
fn long() {
    let (count, seed) = (number("CAMPAIGN_MODELS", 100), number("CAMPAIGN_SEED", 1));
    let most = number("CAMPAIGN_MOST", 8) as usize;
    let seeds = |n| seed.wrapping_mul(1_000_003).wrapping_add(n);
    let contacts = |seed: u64| {
        if seed.is_multiple_of(2) {
            Contacts::Auto
        } else {
            Contacts::Stepping
        }
    };
    let report = try_scenes(seeds, count, |seed| try_views(seed, most, contacts(seed)));
    let wrong = report
        .wrong
        .iter()
        .map(|(seed, _)| (*seed, crowd(*seed, most).scene.text()));
    write_models("views", wrong);
    report.expect_agreement();
}
