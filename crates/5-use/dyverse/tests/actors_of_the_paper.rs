//! Every model of paper 004 shows what the paper says it shows.
//!
//! Numbers that have a closed form are compared with it; the others come from the paper's own runs, which are good to about 1e-3.
//! To accept changed messages: read them, then `INSTA_UPDATE=always cargo test -p dyverse`.
#![allow(
    clippy::disallowed_methods,
    clippy::panic,
    clippy::unwrap_used,
    clippy::indexing_slicing
)]

use dyverse::diag::{RenderOptions, render_all};
use dyverse::time::{StopReason, Trace};
use dyverse::{ActorModel, Loaded, Loader, Reading, TickError, TickOptions, read_actors, simulate_actors};
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../examples/actors")
}

struct Examples;

impl Loader for Examples {
    fn load(&mut self, _: &str, path: &str) -> Result<Loaded, String> {
        let bytes = std::fs::read(folder().join(path)).map_err(|error| error.to_string())?;
        Ok(Loaded::named(path, bytes))
    }
}

fn read(name: &str) -> Reading<ActorModel> {
    let main = Examples.load("", &format!("{name}.dam")).unwrap();
    read_actors(main, &mut Examples)
}

fn shown(reading: &Reading<ActorModel>) -> String {
    render_all(&reading.diagnostics, &reading.sources, RenderOptions::default())
}

fn model(name: &str) -> ActorModel {
    let reading = read(name);
    let shown = shown(&reading);
    reading.model.unwrap_or_else(|| panic!("{shown}"))
}

/// The solver's own accuracy, 1e-13 a step, is far tighter than what is compared.
fn tight() -> TickOptions {
    TickOptions::default()
}

fn attempt(name: &str, options: &TickOptions) -> Result<Trace, TickError> {
    simulate_actors(&model(name), options)
}

fn run(name: &str) -> Trace {
    run_with(name, &tight())
}

fn run_with(name: &str, options: &TickOptions) -> Trace {
    let trace = attempt(name, options).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(
        trace.stop.reason,
        StopReason::HorizonReached,
        "{name}: {}",
        trace.stop.reason
    );
    trace
}

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!(
        (found - expected).abs() <= tolerance,
        "{found} is not {expected}, by {}",
        found - expected
    );
}

fn last(trace: &Trace, name: &str) -> f64 {
    trace.last(name).unwrap_or_else(|| panic!("no {name}"))
}

/// The values of some signals at the microsteps of an instant, repetitions left out.
fn at_instant(trace: &Trace, t: f64, names: &[&str]) -> Vec<Vec<f64>> {
    let ids: Vec<usize> = names
        .iter()
        .map(|n| trace.signal(n).unwrap().0 as usize)
        .collect();
    let mut found: Vec<Vec<f64>> = Vec::new();
    for sample in trace.samples.iter().filter(|s| (s.time.t() - t).abs() < 1e-6) {
        let values: Vec<f64> = ids.iter().map(|id| sample.values[*id]).collect();
        let same = |a: &f64, b: &f64| (a - b).abs() < 1e-9 || a.is_nan() && b.is_nan();
        let is_new = found
            .last()
            .is_none_or(|last| !last.iter().zip(&values).all(|(a, b)| same(a, b)));
        if is_new {
            found.push(values);
        }
    }
    found
}

fn assert_sequence(found: &[Vec<f64>], expected: &[&[f64]]) {
    let is_close = |a: &Vec<f64>, b: &&[f64]| a.iter().zip(*b).all(|(a, b)| (a - b).abs() < 1e-9);
    let fits = found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| is_close(a, b));
    assert!(fits, "{found:?} is not {expected:?}");
}

/// A signal's value just after a time.
fn value_after(trace: &Trace, name: &str, t: f64) -> f64 {
    let id = trace.signal(name).unwrap().0 as usize;
    let sample = trace.samples.iter().find(|s| s.time.t() > t).unwrap();
    sample.values[id]
}

#[test]
fn figure_1_strict_is_refused_with_its_loop() {
    let reading = read("refused_strict_loop");
    assert!(reading.model.is_none());
    insta::assert_snapshot!("figure_1_strict", shown(&reading));
}

#[test]
fn figure_1_with_a_first_value_never_settles() {
    let trace = attempt("counting_for_ever", &tight()).unwrap();
    let StopReason::Chattering { changing, .. } = &trace.stop.reason else {
        panic!("{}", trace.stop.reason);
    };
    assert_eq!(trace.stop.time.t(), 0.0);
    insta::assert_snapshot!("figure_1_chattering", trace.stop.reason.to_string());
    assert!(changing.iter().any(|s| s.name == "f.y"), "{changing:?}");
    assert!(changing.iter().any(|s| s.name == "g.y"), "{changing:?}");
    let values = at_instant(&trace, 0.0, &["h.y", "f.y", "g.y"]);
    assert_sequence(
        &values[..3],
        &[&[1.0, 0.0, 1.0], &[1.0, 1.0, 2.0], &[1.0, 2.0, 3.0]],
    );
}

#[test]
fn figure_3_grows_like_e_to_the_t() {
    let trace = run("growth");
    close(last(&trace, "y"), 2f64.exp() - 1.0, 1e-9);
}

#[test]
fn figure_7_balls_exchange_their_velocities() {
    let trace = run("two_balls");
    let values = at_instant(&trace, 4.0, &["left.v", "right.v"]);
    assert_sequence(&values, &[&[1.0, 0.0], &[0.0, 1.0]]);
    let jump = trace
        .samples
        .iter()
        .find(|s| s.values[trace.signal("right.v").unwrap().0 as usize] > 0.5)
        .unwrap();
    assert!(jump.time.n() <= 2, "{}", jump.time);
    close(jump.time.t(), 4.0, 1e-9);
    close(last(&trace, "right.x"), 11.0, 1e-9);
    close(last(&trace, "left.x"), 4.0, 1e-9);
}

#[test]
fn figure_9a_misses_the_second_collision() {
    let trace = run("three_balls_missed");
    for (name, x) in [("left.x", 4.0), ("middle.x", 11.0), ("right.x", 6.0)] {
        close(last(&trace, name), x, 1e-9);
    }
}

#[test]
fn figure_9b_passes_the_momentum_on_in_microsteps() {
    let trace = run("newtons_cradle");
    let values = at_instant(&trace, 4.0, &["left.v", "middle.v", "right.v"]);
    assert_sequence(&values, &[&[1.0, 0.0, 0.0], &[0.0, 1.0, 0.0], &[0.0, 0.0, 1.0]]);
    for (name, x) in [("left.x", 4.0), ("middle.x", 5.0), ("right.x", 12.0)] {
        close(last(&trace, name), x, 1e-9);
    }
}

#[test]
fn figure_12a_loses_all_energy() {
    let trace = run("simultaneous_collisions_added");
    assert_sequence(&at_instant(&trace, 1.0, &["energy"]), &[&[1.0], &[0.0]]);
    for (name, x) in [("left.x", 1.0), ("middle.x", 2.0), ("right.x", 3.0)] {
        close(last(&trace, name), x, 1e-9);
    }
    for name in ["left.v", "middle.v", "right.v"] {
        close(last(&trace, name), 0.0, 1e-12);
    }
}

#[test]
fn figure_12b_keeps_it() {
    let trace = run("simultaneous_collisions_one_by_one");
    let values = at_instant(&trace, 4.0, &["left.v", "middle.v", "right.v"]);
    assert_sequence(
        &values,
        &[
            &[1.0, 0.0, -1.0],
            &[0.0, 1.0, -1.0],
            &[0.0, -1.0, 1.0],
            &[-1.0, 0.0, 1.0],
        ],
    );
    let energy = trace.signal("energy").unwrap().0 as usize;
    assert!(
        trace
            .samples
            .iter()
            .all(|s| (s.values[energy] - 1.0).abs() < 1e-12)
    );
    close(last(&trace, "left.v"), -1.0, 1e-12);
    close(last(&trace, "right.v"), 1.0, 1e-12);
}

#[test]
fn figure_14_keeps_momentum_and_energy_in_either_order() {
    let left = run("unequal_balls_left_first");
    let right = run("unequal_balls_right_first");
    let velocities = ["left.v", "middle.v", "right.v"];
    assert_sequence(
        &at_instant(&left, 1.0, &velocities),
        &[
            &[1.0, 0.0, -1.0],
            &[-2.0 / 3.0, 1.0 / 3.0, -1.0],
            &[-2.0 / 3.0, -17.0 / 9.0, -5.0 / 9.0],
            &[-73.0 / 27.0, -40.0 / 27.0, -5.0 / 9.0],
        ],
    );
    for trace in [&left, &right] {
        let (p, e) = (
            trace.signal("momentum").unwrap().0 as usize,
            trace.signal("energy").unwrap().0 as usize,
        );
        for sample in &trace.samples {
            close(sample.values[p], -4.8, 1e-9);
            close(sample.values[e], 2.6, 1e-9);
        }
    }
    assert!((last(&left, "left.v") - last(&right, "left.v")).abs() > 0.1);
}

#[test]
fn figure_15_pushes_with_many_small_collisions() {
    let trace = run_with("pushing_by_collisions", &TickOptions::default());
    close(last(&trace, "left.v"), 1.25, 2e-3);
    close(last(&trace, "right.v"), 1.25, 2e-3);
    close(last(&trace, "left.v") + last(&trace, "right.v"), 2.5, 1e-9);
    assert!(trace.transitions.len() > 1_000, "{}", trace.transitions.len());
}

#[test]
fn figure_18_tunnels() {
    let trace = run_with("bouncing_ball_tunnels", &TickOptions::default());
    let bounces = jumps(&trace, "ball.v");
    close(bounces[0], (20f64 / 9.8).sqrt(), 1e-3);
    close(bounces[1], (20f64 / 9.8).sqrt() * 2.6, 1e-3);
    // Which bounce is the last depends on how far below the surface each is found.
    close(*bounces.last().unwrap(), 12.836, 1e-3);
    assert!(last(&trace, "ball.x") < -1.0, "{}", last(&trace, "ball.x"));
}

/// The times at which a signal jumps.
fn jumps(trace: &Trace, name: &str) -> Vec<f64> {
    let id = trace.signal(name).unwrap().0 as usize;
    let pairs = trace.samples.windows(2);
    let mut found: Vec<f64> = pairs
        .filter(|p| p[0].time.t() == p[1].time.t() && (p[0].values[id] - p[1].values[id]).abs() > 1e-9)
        .map(|p| p[0].time.t())
        .collect();
    found.dedup();
    found
}

#[test]
fn figure_23_rests() {
    let trace = run_with("bouncing_ball_rests", &TickOptions::default());
    let entered = trace
        .transitions
        .iter()
        .find(|t| t.to.contains("sitting"))
        .unwrap();
    // The first apex below p is that after bounce 21; the speed falls below p shortly before it. (The paper's run, which looks
    // at guards at the ends of its steps only, misses it and rests at about 12.797.)
    let first = (20f64 / 9.8).sqrt();
    let bounce = first * (1.0 + 8.0 * (1.0 - 0.8f64.powi(20)));
    let apex = bounce + first * 0.8f64.powi(21);
    close(entered.time.t(), apex - 1e-3 / 9.8, 1e-3);
    let x = trace.signal("machine.x").unwrap().0 as usize;
    assert!(trace.samples.iter().all(|s| s.values[x] > -1e-3));
    close(last(&trace, "machine.v"), 0.0, 0.0);
    close(last(&trace, "machine.x"), 0.0, 1e-3);
}

#[test]
fn figure_25_bounces_by_transitions() {
    let trace = run("bouncing_ball_by_transition");
    let bounces = jumps(&trace, "machine.v");
    let first = (20f64 / 9.8).sqrt();
    let mut expected = first;
    let mut flight = 2.0 * first;
    for bounce in bounces.iter().take(10) {
        close(*bounce, expected, 1e-9);
        flight *= 0.8;
        expected += flight;
    }
    close(last(&trace, "machine.v"), 0.0, 0.0);
    let x = trace.signal("machine.x").unwrap().0 as usize;
    assert!(trace.samples.iter().all(|s| s.values[x] > -1e-3));
}

#[test]
fn figure_26_is_the_same_motion_in_a_few_steps() {
    let trace = run("pushing_by_modes");
    close(last(&trace, "pair.v1"), 1.25, 1e-9);
    close(last(&trace, "pair.v2"), 1.25, 1e-9);
    // 0.25 (t - 1)² until 3.5, then 1.25 m/s.
    close(last(&trace, "pair.x1"), 0.25 * 6.25 + 1.25 * 1.5, 1e-9);
    close(last(&trace, "pair.x2"), 0.25 * 6.25 + 1.25 * 1.5 + 1.0, 1e-9);
    assert!(trace.statistics.steps < 200, "{}", trace.statistics.steps);
}

/// When the masses break away or are struck apart, and when they come to stick.
fn stick_and_slip(trace: &Trace) -> Vec<(f64, bool)> {
    let modes = trace.transitions.iter().filter_map(|t| match t.to.as_str() {
        "masses.stuck" => Some((t.time.t(), true)),
        "masses.sliding" if t.from == "masses.stuck" => Some((t.time.t(), false)),
        _ => None,
    });
    modes.collect()
}

/// |8 sin 2πt| = 7.848.
fn breakaway() -> f64 {
    0.981f64.asin() / (2.0 * std::f64::consts::PI)
}

fn strikes(trace: &Trace) {
    for (t, jump) in [(1.0, -2.0), (2.0, 2.0)] {
        let v = at_instant(trace, t, &["masses.v1"]);
        close(v.last().unwrap()[0] - v[0][0], jump, 1e-9);
    }
}

/// As the paper has it: no reaction on mass 1, both take its velocity.
#[test]
fn figure_29_sticks_and_slips() {
    let trace = run("friction");
    let modes = stick_and_slip(&trace);
    // Where v1 - v2 is 0 again after the first breakaway, in closed form up to the root.
    let pi = std::f64::consts::PI;
    let first = breakaway();
    let apart = |t: f64| {
        let pushed = 4.0 / pi * ((2.0 * pi * t).cos() - (2.0 * pi * first).cos());
        pushed + 0.981 * (t - first)
    };
    let (mut low, mut high) = (first + 0.2, 0.9);
    assert!(apart(low) < 0.0 && apart(high) > 0.0);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if apart(middle) < 0.0 {
            low = middle
        } else {
            high = middle
        }
    }
    let expected = [
        (first, false),
        (low, true),
        (low, false),
        (1.877, true),
        (2.0, false),
    ];
    for ((t, is_stuck), (at, sticks)) in modes.iter().zip(expected) {
        assert_eq!(*is_stuck, sticks, "{modes:?}");
        close(*t, at, if at == 1.877 { 1e-3 } else { 1e-6 });
    }
    close(first, 0.2189, 1e-4);
    close(low, 0.7193, 1e-4);
    strikes(&trace);
    assert!(modes.len() >= 9, "{modes:?}");
    // At a capture mass 2 takes the velocity of mass 1.
    let v = at_instant(&trace, modes[1].0, &["masses.v1", "masses.v2"]);
    let last = v.last().unwrap();
    close(last[0], last[1], 1e-12);
}

#[test]
fn friction_with_its_reaction_keeps_the_momentum() {
    let trace = run("friction_reaction");
    let modes = stick_and_slip(&trace);
    close(modes[0].0, breakaway(), 1e-9);
    close(modes[1].0, 0.6672, 1e-4);
    strikes(&trace);
    // All that changes it is the force and the strikes.
    for sample in &trace.samples {
        let value = |name: &str| sample.values[trace.signal(name).unwrap().0 as usize];
        let t = sample.time.t();
        // What happens together with a strike may be a rounding after it.
        if [1.0, 2.0].iter().any(|strike: &f64| (t - strike).abs() < 1e-9) {
            continue;
        }
        let pushed = 4.0 / std::f64::consts::PI * ((2.0 * std::f64::consts::PI * t).cos() - 1.0);
        let struck = if (1.0..=2.0).contains(&t) { -2.0 } else { 0.0 };
        close(value("masses.v1") + value("masses.v2"), pushed + struck, 1e-8);
    }
}

#[test]
fn figure_31_compares_impulses() {
    let fall = (2.0f64 / 9.81).sqrt();
    let normal = 9.81 * fall;
    let with = |vx: f64| {
        let mut options = tight();
        options.parameters = vec![("vx0".into(), vx)];
        run_with("oblique_fall", &options)
    };
    let stops = with(1.0);
    close(last(&stops, "mass.x"), fall, 1e-9);
    close(last(&stops, "mass.vx"), 0.0, 0.0);
    let slides = with(5.0);
    let rest = 5.0 - 0.5 * normal;
    close(value_after(&slides, "mass.vx", fall + 1e-9), rest, 0.1);
    close(
        last(&slides, "mass.x"),
        5.0 * fall + rest * rest / (2.0 * 0.5 * 9.81),
        1e-8,
    );
    close(last(&slides, "mass.vx"), 0.0, 0.0);
}

#[test]
fn figure_33_is_half_an_oscillation() {
    let trace = run("diode_oscillator");
    let switch = trace
        .transitions
        .iter()
        .find(|t| t.to.contains("reverse"))
        .unwrap();
    close(switch.time.t(), 0.75 * std::f64::consts::PI, 1e-9);
    close(last(&trace, "circuit.v"), 2f64.sqrt(), 1e-9);
    close(last(&trace, "circuit.w"), -(2f64.sqrt()), 1e-9);
    close(last(&trace, "circuit.i"), 0.0, 0.0);
    close(last(&trace, "circuit.u"), 0.0, 0.0);
}

#[test]
fn figure_36_has_one_microstep_without_a_voltage() {
    let trace = run("flyback_diode");
    let current = 1.0 - (-3f64).exp();
    let v: Vec<f64> = at_instant(&trace, 3.0, &["load.v"])
        .into_iter()
        .map(|v| v[0])
        .collect();
    assert_eq!(v.len(), 3, "{v:?}");
    close(v[0], 1.0 - current, 1e-9);
    assert!(v[1].is_nan(), "{v:?}");
    close(v[2], -0.7, 1e-12);
    close(at_instant(&trace, 3.0, &["load.i"])[0][0], current, 1e-9);
    let off = trace
        .transitions
        .iter()
        .rfind(|t| t.to.contains("reverse"))
        .unwrap();
    close(off.time.t(), 3.0 + current / 0.7, 1e-9);
    close(last(&trace, "load.i"), 0.0, 1e-12);
}

#[test]
fn figure_40_is_refused_with_both_impulses() {
    let error = attempt("refused_capacitors", &tight()).unwrap_err();
    let TickError::Nonconstructive { time, unknown, .. } = &error else {
        panic!("{error}");
    };
    assert_eq!(time.t(), 1.0);
    for name in ["u", "v", "switch.du", "switch.dv"] {
        assert!(unknown.iter().any(|u| u == name), "{unknown:?}");
    }
    insta::assert_snapshot!("figure_40", error.to_string());
    insta::assert_snapshot!("figure_40_before_the_run", shown(&read("refused_capacitors")));
}

#[test]
fn figure_41_keeps_charge_and_loses_energy() {
    let trace = run("capacitors");
    close(last(&trace, "u"), 0.5, 1e-12);
    close(last(&trace, "v"), 0.5, 1e-12);
    assert_sequence(&at_instant(&trace, 1.0, &["energy"]), &[&[0.5], &[0.25]]);
    let charge = trace.signal("charge").unwrap().0 as usize;
    assert!(
        trace
            .samples
            .iter()
            .all(|s| (s.values[charge] - 1.0).abs() < 1e-12)
    );
}

#[test]
fn section_5_4_chatters() {
    let trace = attempt("stacked_masses_chatter", &tight()).unwrap();
    let StopReason::Chattering { changing, .. } = &trace.stop.reason else {
        panic!("{}", trace.stop.reason);
    };
    assert_eq!(trace.stop.time.t(), 1.0);
    insta::assert_snapshot!("section_5_4_chattering", trace.stop.reason.to_string());
    for name in ["upper.v", "lower.v"] {
        assert!(changing.iter().any(|s| s.name == name), "{changing:?}");
    }
}

#[test]
fn the_thermostat_keeps_its_room_warm() {
    let trace = run("thermostat");
    let t = trace.signal("T").unwrap().0 as usize;
    let late = trace.samples.iter().filter(|s| s.time.t() > 3600.0);
    assert!(late.clone().all(|s| (18.99..=21.01).contains(&s.values[t])));
    assert!(late.clone().count() > 100);
}
