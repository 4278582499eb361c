//! Rigid-body systems inside actor models, and the same system written both ways.
#![allow(
    clippy::disallowed_methods,
    clippy::panic,
    clippy::unwrap_used,
    clippy::indexing_slicing
)]

use dyverse::diag::{RenderOptions, render_all};
use dyverse::time::{Trace, TransitionKind};
use dyverse::{
    InputSignal, Loaded, Loader, RunOptions, TickOptions, read_actors, read_text, simulate, simulate_actors,
};

/// Files in memory; examples of the repository otherwise.
struct Files<'a>(&'a [(&'a str, &'a str)]);

impl Loader for Files<'_> {
    fn load(&mut self, _: &str, path: &str) -> Result<Loaded, String> {
        let known = self.0.iter().find(|(name, _)| *name == path);
        let bytes = match known {
            Some((_, text)) => text.as_bytes().to_vec(),
            None => {
                let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../examples/actors/");
                std::fs::read(format!("{examples}{path}")).map_err(|error| error.to_string())?
            }
        };
        let (key, name) = (path.into(), path.into());
        Ok(Loaded { key, name, bytes })
    }
}

fn actors(files: &[(&str, &str)], options: &TickOptions) -> Trace {
    let mut loader = Files(files);
    let main = loader.load("", files[0].0).unwrap();
    let reading = read_actors(main, &mut loader);
    let told = render_all(&reading.diagnostics, &reading.sources, RenderOptions::default());
    let model = reading.model.unwrap_or_else(|| panic!("{told}"));
    let trace = simulate_actors(&model, options).unwrap();
    assert!(trace.stop.reason.is_complete(), "{}", trace.stop.reason);
    trace
}

fn bodies(text: &str, options: &RunOptions) -> Trace {
    let model = read_text("bodies.drbt", text).model.unwrap();
    let trace = simulate(&model, options).unwrap();
    assert!(trace.stop.reason.is_complete(), "{}", trace.stop.reason);
    trace
}

fn example(path: &str) -> String {
    std::fs::read_to_string(format!("{}/../../../examples/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn times(trace: &Trace, kind: TransitionKind) -> Vec<f64> {
    let all = trace.transitions.iter().filter(|t| t.kind == kind);
    all.map(|t| t.time.t()).collect()
}

fn compare(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{found:?} {expected:?}");
    for (f, e) in found.iter().zip(expected) {
        assert!((f - e).abs() <= tolerance, "{f} is not {e}");
    }
}

/// The controller as an actor gives the game of the controller as a force.
#[test]
fn the_interception_game_with_its_controller_outside() {
    for k in [1.0, 1.94, 1.95, 3.0] {
        let parameters = vec![("K".to_owned(), k)];
        let options = TickOptions {
            parameters: parameters.clone(),
            ..TickOptions::default()
        };
        let outside = actors(
            &[("interception.dam", &example("actors/interception.dam"))],
            &options,
        );
        let options = RunOptions {
            parameters,
            ..RunOptions::default()
        };
        let inside = bodies(&example("interception.drbt"), &options);
        let kind = TransitionKind::Impact;
        compare(&times(&outside, kind), &times(&inside, kind), 1e-9);
        for signal in ["ball1.x", "ball1.y", "ball2.x", "ball2.y"] {
            let found = outside.last(&format!("game.{signal}")).unwrap();
            compare(&[found], &[inside.last(signal).unwrap()], 1e-8);
        }
        let count = times(&inside, kind).len() as f64;
        assert_eq!(outside.last("meetings"), Some(count), "K = {k}");
        // Elastic, equal masses: the impulse of each impact is m times its closing speed, as the trace of the other run has it.
        let impacts = inside.transitions.iter().filter(|t| t.kind == kind);
        let impulses: f64 = impacts.flat_map(|t| &t.forces).map(|f| f.normal).sum();
        compare(&[outside.last("impulses").unwrap()], &[impulses], 1e-8);
    }
}

/// One ball as mechanics and as equations. Oracle: each the other, and t_k = √(2h/g) (1 + 2 (e + … + eᵏ)).
#[test]
fn a_bouncing_ball_written_both_ways() {
    let (h, g, e): (f64, f64, f64) = (2.0, 9.81, 0.7);
    let as_bodies = "
        entity ball { sphere(radius = 0.1)  mass = 1  position = (0, 2.1, 0) }
        fixed entity floor { half_space(normal = (0, 1, 0), offset = 0) }
        contact ball, floor { restitution = 0.7 }
        gravity (0, -9.81, 0)
        horizon 3";
    let as_actors = "
        model ball
        modal machine {
          out cont x, v
          initial mode falling {
            v' = -9.81
            x' = v init 2
            when x <= 0 and v < 0 history goto falling { v := -0.7 * v }
          }
        }
        horizon = 3
        record machine.x, machine.v";
    let first = bodies(as_bodies, &RunOptions::default());
    let second = actors(&[("ball.dam", as_actors)], &TickOptions::default());
    let impacts = times(&first, TransitionKind::Impact);
    compare(&times(&second, TransitionKind::Mode), &impacts, 1e-9);
    let mut t = (2.0 * h / g).sqrt();
    let mut flight = 2.0 * e * t;
    for impact in impacts {
        compare(&[impact], &[t], 1e-9);
        t += flight;
        flight *= e;
    }
    let found = [
        second.last("machine.x").unwrap(),
        second.last("machine.v").unwrap(),
    ];
    let expected = [
        first.last("ball.y").unwrap() - 0.1,
        first.last("ball.vy").unwrap(),
    ];
    compare(&found, &expected, 1e-8);
}

/// A controller with modes pushes a mass on a rough floor until it has come far enough: its input jumps. Oracle, closed form: 30 N against 10 N of friction for
/// the way s = ½ 10 t², then friction alone.
#[test]
fn a_modal_controller_makes_inputs_jump() {
    let mass = "
        input push
        entity brick { sphere(radius = 0.1)  mass = 2  inertia = (1e9, 1e9, 1e9)  position = (0, 0.1, 0) }
        fixed entity floor { half_space(normal = (0, 1, 0), offset = 0) }
        contact brick, floor { restitution = 0  friction = 0.5 }
        gravity (0, -10, 0)
        force on brick = (push, 0, 0)";
    let whole = "
        model pusher
        mechanism mass = \"mass.drbt\" { push = control.u }
        modal control {
          out cont u
          initial mode waiting { u = 4  when time >= 1 goto pushing }
          mode pushing { u = 30  when mass.brick.x >= 5 goto done }
          mode done { u = 0 }
        }
        horizon = 6
        record mass.brick.x, mass.brick.vx";
    let trace = actors(
        &[("pusher.dam", whole), ("mass.drbt", mass)],
        &TickOptions::default(),
    );
    let modes = times(&trace, TransitionKind::Mode);
    compare(&modes, &[1.0, 2.0], 1e-8);
    // 10 m/s, slowed by 5 m/s²: 10 m in 2 s.
    let settled = times(&trace, TransitionKind::Settle);
    compare(&[*settled.last().unwrap()], &[4.0], 1e-8);
    compare(&[trace.last("mass.brick.x").unwrap()], &[15.0], 1e-7);
    compare(&[trace.last("mass.brick.vx").unwrap()], &[0.0], 1e-8);
}

/// A table that jumps drives an actor model: microstep 0 is the value from the left.
#[test]
fn an_input_of_an_actor_model_jumps() {
    let text = "model driven  input u  x' = u  y = 2 * u  horizon = 3  record x, y";
    let table = InputSignal::Table {
        times: vec![0.0, 1.0, 1.0],
        values: vec![1.0, 1.0, -3.0],
    };
    let options = TickOptions {
        inputs: vec![("u".into(), table)],
        ..TickOptions::default()
    };
    let trace = actors(&[("driven.dam", text)], &options);
    compare(&[trace.last("x").unwrap()], &[1.0 - 6.0], 1e-12);
    let y = trace.signal("y").unwrap().0 as usize;
    let at_one: Vec<f64> = trace
        .samples
        .iter()
        .filter(|s| s.time.t() == 1.0)
        .map(|s| s.values[y])
        .collect();
    assert_eq!(
        (at_one.first(), at_one.last()),
        (Some(&2.0), Some(&-6.0)),
        "{at_one:?}"
    );
}

/// A mechanism whose parameters make no sense is refused by name.
#[test]
fn a_mechanism_that_cannot_begin_is_named() {
    let bad = "param r = 1  entity a { sphere(radius = r)  mass = 1 }  entity b { sphere(radius = 1)  mass = 1  position = (3, 0, 0) }
               contact a, b { restitution = 1 }";
    let whole =
        "model whole  param size = 1  mechanism part = \"bad.drbt\"(r = size)  y = part.a.x  horizon = 1";
    let files = [("whole.dam", whole), ("bad.drbt", bad)];
    let mut loader = Files(&files);
    let main = loader.load("", "whole.dam").unwrap();
    let model = read_actors(main, &mut loader).model.unwrap();
    let with = |size: f64| TickOptions {
        parameters: vec![("size".into(), size)],
        ..TickOptions::default()
    };
    assert!(simulate_actors(&model, &with(1.5)).is_ok());
    let refused = simulate_actors(&model, &with(2.5)).unwrap_err().to_string();
    assert!(
        refused.contains("`part`") && refused.contains("overlap"),
        "{refused}"
    );
}

/// A ball reaches the floor at T = √(2h/g), where a clock ticks, a crossing of its height is, a guard holds and the run may end: one instant, in one order, whatever the scales.
#[test]
fn contacts_coincide_with_clocks_crossings_and_guards() {
    let mut seed = 15;
    let mut between = |low: f64, high: f64| {
        let part = (dyverse_num::split_mix(&mut seed) >> 11) as f64 / (1_u64 << 53) as f64;
        (f64::ln(low) + (f64::ln(high) - f64::ln(low)) * part).exp()
    };
    for round in 0..60 {
        let (t, h) = (between(1e-2, 1e2), between(1e-1, 1e2));
        let g = 2.0 * h / (t * t);
        let drop = format!(
            "entity ball {{ sphere(radius = 0.1)  mass = 1  position = (0, {:?}, 0) }}
             fixed entity floor {{ half_space(normal = (0, 1, 0), offset = 0) }}
             contact ball, floor {{ restitution = 0.5 }}
             gravity (0, -{g:?}, 0)",
            h + 0.1
        );
        let until = if round % 2 == 0 { t } else { 1.3 * t };
        let whole = format!(
            "model whole  mechanism part = \"drop.drbt\"
             x' = {:?}
             c = at({t:?})  r = cross(x, {h:?}, rising)
             modal m {{ out cont s  mode a {{ s = 0  when x >= {h:?} goto b }}  mode b {{ s = 1 }} }}
             speed = hold(part.ball.vy on c, init = 7)  both = hold(2 * c on r, init = -1)
             seen = hold(m.s on c, init = -1)
             horizon = {until:?}  record part.ball.vy, speed, both, seen, m.s",
            h / t
        );
        let files = [("whole.dam", &whole[..]), ("drop.drbt", &drop[..])];
        let trace = actors(&files, &TickOptions::default());
        assert_eq!(trace.last("both"), Some(2.0), "{whole}\n{drop}");
        assert_eq!(trace.last("seen"), Some(0.0), "{whole}\n{drop}");
        assert_eq!(trace.last("m.s"), Some(1.0), "{whole}\n{drop}");
        // The clock sees the ball after the impact, which is at microstep 0.
        let after = 0.5 * g * t;
        let speed = trace.last("speed").unwrap();
        assert!(
            (speed - after).abs() < 1e-6 * after,
            "{speed} {after}\n{whole}\n{drop}"
        );
        let impacts = times(&trace, TransitionKind::Impact);
        let modes = times(&trace, TransitionKind::Mode);
        assert!(
            impacts.len() == 1 && impacts == modes,
            "{impacts:?} {modes:?}\n{whole}\n{drop}"
        );
    }
}
