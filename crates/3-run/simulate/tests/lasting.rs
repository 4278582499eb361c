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
use support::{close, last, model, options};

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
        let trace = simulate(&model, &run).unwrap();
        report.things += 1;
        report.transitions += trace.transitions.len();
        let of_set = |t: &&Transition| t.kind == TransitionKind::Zeno && !t.changes.is_empty();
        report.closed += trace.transitions.iter().filter(of_set).count();
        report.most = report.most.max((trace.transitions.len(), seed));
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

/// Things of all kinds on a floor, in a corner, on a ramp.
#[test]
fn all_kinds_reach_their_ends() {
    try_all(0..90, |seed| dropped(seed, None, None)).assert_good();
}

/// N of them from a seed: `cargo xtask campaign N --seed S --part lasting`.
#[test]
#[ignore = "takes minutes"]
fn long() {
    let number = |name: &str, usual: u64| {
        let given = std::env::var(name).ok().and_then(|text| text.parse().ok());
        given.unwrap_or(usual)
    };
    let (things, seed) = (number("CAMPAIGN_MODELS", 300), number("CAMPAIGN_SEED", 1));
    println!("{things} things, seed {seed}");
    let seeds = (0..things).map(|n| seed.wrapping_mul(1_000_003).wrapping_add(n));
    let report = try_all(seeds, |seed| dropped(seed, None, None));
    if let Ok(folder) = std::env::var("CAMPAIGN_FOLDER") {
        let stopped = report.stopped.values().flatten();
        for seed in report.wrong.iter().map(|(seed, _)| seed).chain(stopped) {
            let text = dropped(*seed, None, None).scene.text();
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(format!("{folder}/lasting_{seed}.drbt"), text).unwrap();
        }
    }
    report.assert_good();
}

/// A box, flat on a plane through the origin that is turned about y by an angle, sliding down it at a speed.
fn flat(size: [f64; 3], mass: f64, angle: f64, friction: f64, speed: f64) -> String {
    let [a, b, c] = size;
    let (s, k) = angle.sin_cos();
    let radius = 0.1 * a.min(b).min(c);
    format!(
        "entity b {{ rounded_box(size = ({a}, {b}, {c}), radius = {radius}) mass = {mass} position = ({}, 0, {}) \
         orientation = rotation(axis = (0, 1, 0), angle = {angle}) velocity = ({}, 0, {}) }}
         fixed entity plane {{ half_space(normal = ({s}, 0, {k}), offset = 0) }}
         contact default {{ restitution = 0 friction = {friction} }}
         gravity (0, 0, -9.81)",
        0.5 * c * s,
        0.5 * c * k,
        speed * k,
        -speed * s
    )
}

/// Oracle: a block stops after v²/(2 μ g), and stays there.
#[test]
fn a_block_slides_to_a_stop() {
    let mut random = Random(17);
    for _ in 0..12 {
        let size = [
            random.between(0.3, 1.0),
            random.between(0.3, 1.0),
            random.between(0.05, 0.15),
        ];
        let (friction, speed) = (random.between(0.1, 0.6), random.between(0.2, 2.0));
        let mass = 10f64.powf(random.between(-2.0, 3.0));
        let stops = speed / (friction * 9.81);
        let trace = support::run(&flat(size, mass, 0.0, friction, speed), 2.0 * stops);
        let way = speed * speed / (2.0 * friction * 9.81);
        close(last(&trace, "b.x"), way, 1e-9 * way.max(1.0));
        close(last(&trace, "b.y"), 0.0, 1e-9);
        close(last(&trace, "b.vx"), 0.0, 1e-12);
        let stop = trace.transitions.last().unwrap();
        close(stop.time.t(), stops, 1e-6 * stops);
        // On four corners: forces bear the weight, and their centre is below that of the box.
        assert_eq!(stop.forces.len(), 4, "{stop:?}");
        close(
            stop.forces.iter().map(|f| f.normal).sum(),
            mass * 9.81,
            1e-8 * mass * 9.81,
        );
    }
}

/// Oracle: flat on a ramp a block slides with g (sin θ − μ cos θ), or rests if μ ≥ tan θ.
#[test]
fn a_block_on_a_ramp_slides_or_rests() {
    let mut random = Random(18);
    let (mut slid, mut rested) = (0, 0);
    for _ in 0..24 {
        let size = [
            random.between(0.4, 1.0),
            random.between(0.4, 1.0),
            random.between(0.05, 0.15),
        ];
        let (angle, friction) = (random.between(0.1, 0.8), random.between(0.0, 0.9));
        if (friction - angle.tan()).abs() < 0.02 {
            continue;
        }
        let trace = support::run(&flat(size, random.between(0.1, 10.0), angle, friction, 0.0), 0.7);
        let a = (9.81 * (angle.sin() - friction * angle.cos())).max(0.0);
        let way = last(&trace, "b.x") * angle.cos() - last(&trace, "b.z") * angle.sin();
        close(way, 0.5 * a * 0.49, 1e-9);
        slid += usize::from(a > 0.0);
        rested += usize::from(a == 0.0);
        close(last(&trace, "b.wy"), 0.0, 1e-9);
    }
    assert!(slid > 5 && rested > 5, "{slid} {rested}");
}

/// Oracle: the moments of the four normal forces about the centre are those of a push at a height, F h = Σ N x, and they bear the weight.
#[test]
fn four_corners_have_the_right_centre_of_pressure() {
    let mut random = Random(19);
    for _ in 0..12 {
        let size = [
            random.between(0.3, 1.0),
            random.between(0.3, 1.0),
            random.between(0.05, 0.2),
        ];
        let [a, b, c] = size;
        let mass = random.between(0.5, 5.0);
        let push = mass * 9.81 * random.between(-0.3, 0.3);
        // From a little above, so that a transition tells the forces.
        let text = flat(size, mass, 0.0, 0.6, 0.0).replace(
            &format!("position = (0, 0, {})", 0.5 * c),
            &format!("position = (0, 0, {})", 0.5 * c + 1e-4),
        ) + &format!("\nforce on b = ({push}, 0, 0)");
        let trace = simulate(&model(&text), &options(0.3)).unwrap();
        support::check(&trace);
        let last = trace
            .transitions
            .iter()
            .rev()
            .find(|t| t.forces.len() == 4)
            .unwrap();
        let radius = 0.1 * a.min(b).min(c);
        let mut sums = [0.0; 3];
        for force in &last.forces {
            let number: usize = force.contact["b#".len()..]
                .split('-')
                .next()
                .unwrap()
                .parse()
                .unwrap();
            let corner = number - 1;
            let sign = |bit: usize| if corner >> bit & 1 == 1 { 1.0 } else { -1.0 };
            let at = [sign(0) * (0.5 * a - radius), sign(1) * (0.5 * b - radius)];
            sums = [
                sums[0] + force.normal,
                sums[1] + force.normal * at[0],
                sums[2] + force.normal * at[1],
            ];
        }
        close(sums[0], mass * 9.81, 1e-7 * mass);
        close(sums[1], 0.5 * c * push, 1e-7 * mass);
        close(sums[2], 0.0, 1e-7 * mass);
    }
}

/// A rolling and slipping ball along a line: way, speed and slip after a time. Closed form: friction μ n against the slip s, 3.5 times as fast as it slows the ball, until s = 0, and from there rolling if
/// friction bears 2/7 of what pulls.
fn ball_after(time: f64, (speed, slip): (f64, f64), (pull, normal): (f64, f64), friction: f64) -> [f64; 3] {
    let moved = |t: f64, a: f64, ds: f64, from: [f64; 3]| {
        let [x, v, s] = from;
        [x + v * t + 0.5 * a * t * t, v + a * t, s + ds * t]
    };
    let slips = |sign: f64| {
        (
            pull - sign * friction * normal,
            pull - sign * 3.5 * friction * normal,
        )
    };
    let rolls = friction * normal >= 2.0 / 7.0 * pull.abs();
    let start = [0.0, speed, slip];
    let (a, ds) = slips(if slip == 0.0 { pull.signum() } else { slip.signum() });
    if slip == 0.0 && rolls {
        return moved(time, 5.0 / 7.0 * pull, 0.0, start);
    }
    if slip * ds >= 0.0 || -slip / ds >= time {
        return moved(time, a, ds, start);
    }
    let stop = -slip / ds;
    let [x, v, _] = moved(stop, a, ds, start);
    if rolls {
        moved(time - stop, 5.0 / 7.0 * pull, 0.0, [x, v, 0.0])
    } else {
        let (a, ds) = slips(pull.signum());
        moved(time - stop, a, ds, [x, v, 0.0])
    }
}

/// Slips of 1 nm/s to 1 mm/s on slopes and floors with loads from none to that of the earth, a third of them on the edge of what friction bears. What no friction ends goes on; what friction ends, ends when it does.
#[test]
fn slow_slips_end_only_where_friction_ends_them() {
    let mut random = Random(23);
    let (mut unloaded, mut edges) = (0, 0);
    for number in 0..300 {
        let decades = |random: &mut Random, low: f64, high: f64| 10f64.powf(random.between(low, high));
        let radius = decades(&mut random, -1.0, 0.5);
        let gravity = if random.next() < 0.3 {
            0.0
        } else {
            decades(&mut random, -7.0, 1.0)
        };
        let friction = random.between(0.05, 1.0);
        let angle: f64 = match random.below(3) {
            0 => 0.0,
            // A ball that slips down there has the speed that it began with.
            1 => friction.atan(),
            _ => random.between(-0.6, 0.6),
        };
        let slip = decades(&mut random, -8.5, -3.0) * if random.below(2) == 0 { 1.0 } else { -1.0 };
        let speed = slip * random.between(0.0, 1.0);
        let time = random.between(0.3, 2.0);
        let (s, k) = angle.sin_cos();
        // The point of contact moves with v − ω r.
        let spin = (speed - slip) / radius;
        let text = format!(
            "entity b {{ sphere(radius = {radius}) mass = {} position = ({}, 0, {}) velocity = ({}, 0, {}) angular_velocity = (0, {spin}, 0) }}
             fixed entity plane {{ half_space(normal = ({s}, 0, {k}), offset = 0) }}
             contact default {{ restitution = 0 friction = {friction} }}
             gravity (0, 0, {})",
            decades(&mut random, -2.0, 2.0),
            radius * s,
            radius * k,
            speed * k,
            -speed * s,
            -gravity
        );
        let trace = support::run(&text, time);
        let [way, at_last, slip_at_last] =
            ball_after(time, (speed, slip), (gravity * s, gravity * k), friction);
        let along = |x: &str, z: &str| last(&trace, x) * k - last(&trace, z) * s;
        let (x, v) = (along("b.x", "b.z"), along("b.vx", "b.vz"));
        let found = [x, v, v - last(&trace, "b.wy") * radius];
        // Slips below the velocity tolerance are rest.
        let still = 3e-9;
        let slack = [
            still * time + 1e-10 * way.abs(),
            still + 1e-9 * at_last.abs(),
            2.0 * still + 1e-9 * at_last.abs(),
        ];
        for ((found, true_one), slack) in found.into_iter().zip([way, at_last, slip_at_last]).zip(slack) {
            assert!(
                (found - true_one).abs() <= slack,
                "{number}: {found:e}, and it is {true_one:e}\n{text}"
            );
        }
        unloaded += usize::from(gravity == 0.0);
        edges += usize::from(gravity > 0.0 && angle == friction.atan());
    }
    assert!(unloaded > 50 && edges > 40, "{unloaded} {edges}");
}

/// The same of boxes on four corners: contacts that stop together, or do not stop. (Not on the edge of what friction bears: slips that go on so slowly are stiff, and take long.)
#[test]
fn slow_boxes_stop_only_where_friction_stops_them() {
    let mut random = Random(29);
    for number in 0..60 {
        let decades = |random: &mut Random, low: f64, high: f64| 10f64.powf(random.between(low, high));
        let size = [
            random.between(0.4, 1.0),
            random.between(0.4, 1.0),
            random.between(0.05, 0.1),
        ];
        let gravity = if random.next() < 0.3 {
            0.0
        } else {
            decades(&mut random, -7.0, 1.0)
        };
        let friction = random.between(0.1, 0.6);
        let angle = [0.0, random.between(0.0, 0.5)][random.below(2)];
        let speed = decades(&mut random, -8.5, -3.0);
        let time = random.between(0.3, 1.0);
        let text = flat(size, decades(&mut random, -1.0, 1.0), angle, friction, speed)
            .replace("-9.81", &format!("-{gravity}"));
        let trace = support::run(&text, time);
        let (s, k) = angle.sin_cos();
        let a = gravity * (s - friction * k);
        let until = if a < 0.0 { (speed / -a).min(time) } else { time };
        let way = speed * until + 0.5 * a * until * until;
        let at_last = speed + a * until;
        let x = last(&trace, "b.x") * k - last(&trace, "b.z") * s;
        let v = last(&trace, "b.vx") * k - last(&trace, "b.vz") * s;
        let still = 3e-9;
        assert!(
            (x - way).abs() <= still * time + 1e-10 * way.abs()
                && (v - at_last).abs() <= still + 1e-9 * at_last.abs(),
            "{number}: {x:e} at {v:e}, and it is {way:e} at {at_last:e}\n{text}"
        );
    }
}
