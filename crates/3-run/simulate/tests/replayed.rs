//! Traces judged by code that shares nothing with the simulator's loop (dyverse-replay): every transition is an edge whose guard held, every stretch a motion of its location.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

use crate::support;

use dyverse_model::Model;
use dyverse_replay::{Replay, ReplayOptions, replay};
use dyverse_simulate::{RunOptions, simulate};
use dyverse_trace::Trace;
use support::scene::{MIXED, mixed};
use support::{example, model, options};

fn judged(model: &Model, trace: &Trace) -> Replay {
    replay(model, trace, &ReplayOptions::default()).unwrap()
}

fn told(replay: &Replay) -> String {
    let all = replay.wrong.iter().take(4).map(ToString::to_string);
    all.collect::<Vec<_>>().join("\n")
}

#[test]
fn shipped_examples() {
    for name in [
        "between_walls",
        "bouncing_ball",
        "interception",
        "newtons_cradle",
        "rolling_prism",
        "sliding_ball",
        "thrown_rod",
        "three_balls_001",
        "three_balls_002",
        "checks/cradle_sequential",
        "checks/cradle_simultaneous",
        "checks/double_bank",
        "checks/grazing",
        "checks/incline",
        "checks/oblique_collision",
        "checks/slide_to_roll",
        "checks/ten_impacts",
    ] {
        let model = example(name);
        let trace = simulate(&model, &options(model.horizon().unwrap_or(2.0))).unwrap();
        let found = judged(&model, &trace);
        assert!(found.is_accepted(), "{name}:\n{}", told(&found));
        assert_eq!(found.transitions, trace.transitions.len());
        assert!(found.stretches > 0 && found.open.is_empty(), "{name}: {found:?}");
    }
}

/// Scenes of each recipe: every transition has a rule, and every trace is accepted.
fn judge_scenes(scenes: u64) {
    let (mut transitions, mut wrong) = (0, Vec::new());
    for kind in 0..MIXED.len() {
        for seed in 0..scenes {
            let text = mixed(kind, seed);
            let model = model(&text);
            let few = RunOptions {
                sample_every: Some(0.02),
                event_limit: 300,
                ..options(0.8)
            };
            let trace = simulate(&model, &few).unwrap();
            let found = judged(&model, &trace);
            transitions += found.transitions;
            let unruled = trace.transitions.iter().find(|t| t.rule.is_empty());
            if !found.is_accepted() || unruled.is_some() {
                wrong.push(format!("{kind} {seed}: {} {unruled:?}\n{text}", told(&found)));
            }
        }
    }
    assert!(transitions > 1000, "{transitions}");
    let count = wrong.len();
    wrong.truncate(8);
    assert!(
        wrong.is_empty(),
        "{count} of {}:\n{}",
        MIXED.len() as u64 * scenes,
        wrong.join("\n")
    );
}

/// 200 scenes.
#[test]
fn random_scenes() {
    judge_scenes(40);
}

/// 5,000 scenes: `cargo test --release -p dyverse-simulate --test all -- --ignored five_thousand`.
#[test]
#[ignore = "takes minutes"]
fn five_thousand_random_scenes() {
    judge_scenes(1000);
}

/// One thing of a good trace made false: each is refused.
#[test]
fn damaged_traces() {
    let text = "fixed entity floor { plane(normal = (0, 1, 0), offset = 0) }\n\
        entity a { sphere(radius = 0.1) mass = 2 position = (0, 0.4, 0) velocity = (1, 0, 0) angular_velocity = (0, 0, 3) }\n\
        entity b { sphere(radius = 0.1) mass = 1 position = (1, 0.1, 0) velocity = (-0.5, 0, 0) }\n\
        gravity (0, -9.81, 0)\ncontact default { restitution = 0.5 friction = 0.3 }";
    let model = model(text);
    let good = simulate(&model, &options(1.0)).unwrap();
    let found = judged(&model, &good);
    assert!(found.is_accepted() && found.transitions > 10, "{}", told(&found));
    let mut seed = 5;
    let mut draw = |count: usize| (dyverse_num::split_mix(&mut seed) % count as u64) as usize;
    let with_force = |trace: &Trace| {
        let all = trace.transitions.iter().enumerate();
        all.filter(|(_, t)| t.forces.iter().any(|f| f.normal > 1e-3))
            .map(|(n, _)| n)
            .collect::<Vec<_>>()
    };
    let with_change = |trace: &Trace| {
        let all = trace.transitions.iter().enumerate();
        all.filter(|(_, t)| t.changes.iter().any(|c| (c.after - c.before).abs() > 1e-3))
            .map(|(n, _)| n)
            .collect::<Vec<_>>()
    };
    let (mut tried, mut kept) = (0, Vec::new());
    for round in 0..320 {
        let mut trace = good.clone();
        let some = draw(trace.transitions.len());
        let kind = match round % 8 {
            0 => {
                let to = ["S_0", "s_1,1", "s_2,2", "I_3,en", "C_1,en", "s_9,1", "nowhere"][draw(7)];
                if trace.transitions[some].to == to {
                    continue;
                }
                trace.transitions[some].to = to.into();
                "the end of an edge"
            }
            1 => {
                trace.transitions.remove(some);
                "a transition"
            }
            2 => {
                let rule = ["1", "2", "3", "4", "4b", "5", "6", "7", "8"][draw(9)];
                if trace.transitions[some].rule == rule {
                    continue;
                }
                trace.transitions[some].rule = rule;
                "a rule"
            }
            3 => {
                let sample = 1 + draw(trace.samples.len() - 1);
                let moves = ["a.x", "a.y", "a.vx", "b.x", "b.vy", "a.wz"][draw(6)];
                let signal = trace.signal(moves).unwrap().0 as usize;
                trace.samples[sample].values[signal] += [1e-3, -1e-3, 0.1][draw(3)];
                "a state"
            }
            4 => {
                let all = with_force(&trace);
                let place = all[draw(all.len())];
                let forces = &mut trace.transitions[place].forces;
                let largest = forces
                    .iter_mut()
                    .max_by(|a, b| a.normal.total_cmp(&b.normal))
                    .unwrap();
                largest.normal *= [0.9, 1.1, -1.0][draw(3)];
                "an impulse or a force"
            }
            5 => {
                let all = with_change(&trace);
                let place = all[draw(all.len())];
                let changes = &mut trace.transitions[place].changes;
                let number = draw(changes.len());
                changes[number].after += 0.01;
                "a jump"
            }
            6 => {
                let time = trace.transitions[some].time;
                let later = time.t() + [-1e-6, 1e-9, 1e-3][draw(3)];
                trace.transitions[some].time = dyverse_trace::SuperdenseTime::new(later, time.n()).unwrap();
                "the time of a transition"
            }
            _ => {
                let sample = 1 + draw(trace.samples.len() - 2);
                let time = trace.samples[sample].time;
                let moved = dyverse_trace::SuperdenseTime::new(time.t() + 3e-4, time.n()).unwrap();
                let next = trace.samples[sample + 1].time;
                let is_between = time.n() == 0 && moved < next;
                let is_still = trace.transitions.iter().all(|t| t.time.t() != time.t());
                if !(is_between && is_still) {
                    continue;
                }
                trace.samples[sample].time = moved;
                "a time"
            }
        };
        tried += 1;
        if judged(&model, &trace).is_accepted() {
            kept.push(format!("{kind}, round {round}"));
        }
    }
    assert!(tried > 150, "{tried}");
    assert!(
        kept.is_empty(),
        "{} of {tried} are accepted: {kept:?}",
        kept.len()
    );
}

/// A ball that comes to its floor at 5e-10 m/s strikes nothing: it goes through the impact node without an impulse (rule 8), and is at rest.
#[test]
fn a_touch_too_slow_to_strike_follows_the_rules() {
    let text = "fixed entity floor { plane(normal = (0, 1, 0), offset = 0) }\n\
        entity a { sphere(radius = 0.1) mass = 1 position = (0, 0.1000001, 0) velocity = (0, -5e-10, 0) }\n\
        entity b { sphere(radius = 0.1) mass = 1 position = (5, 3, 0) velocity = (1, 0, 0) }\n\
        contact default { restitution = 0.5 friction = 0.3 }";
    let model = model(text);
    let trace = simulate(&model, &options(300.0)).unwrap();
    let found = judged(&model, &trace);
    assert!(found.is_accepted(), "{}", told(&found));
    assert_ruled(&trace);
    let impacts = trace.transitions.iter().filter(|t| t.to.starts_with('I'));
    assert!(impacts.count() >= 1, "{:?}", trace.transitions);
    assert_eq!(trace.statistics.impacts, 0, "{:?}", trace.transitions);
}

/// The steps of a sequence have names and a rule of their own, and are counted; another count, or none of the rule, is refused.
#[test]
fn collisions_that_follow_each_other_are_steps_of_their_node() {
    let model = example("newtons_cradle");
    let good = simulate(&model, &options(1.0)).unwrap();
    assert_ruled(&good);
    let steps: Vec<usize> = (0..good.transitions.len())
        .filter(|n| good.transitions[*n].rule == "node")
        .collect();
    assert!(steps.len() > 1, "{:?}", good.transitions);
    let first = &good.transitions[steps[0]];
    assert!(
        first.from.ends_with(",1") && first.to.ends_with(",2"),
        "{first:?}"
    );
    assert!(judged(&model, &good).is_accepted());
    for change in [
        |t: &mut dyverse_trace::Transition| t.rule = "",
        |t: &mut dyverse_trace::Transition| t.to = t.from.clone(),
        |t: &mut dyverse_trace::Transition| t.from = t.from.replace(",1", ",2"),
        |t: &mut dyverse_trace::Transition| t.forces.clear(),
    ] {
        let mut bad = good.clone();
        change(&mut bad.transitions[steps[0]]);
        assert!(
            !judged(&model, &bad).is_accepted(),
            "{:?}",
            bad.transitions[steps[0]]
        );
    }
}

/// Every transition has a rule.
fn assert_ruled(trace: &Trace) {
    let bad = trace.transitions.iter().find(|t| t.rule.is_empty());
    assert!(bad.is_none(), "{bad:?}");
}
