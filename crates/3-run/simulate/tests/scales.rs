//! A model written in other units moves the same: tolerances follow the scales of the model.
//!
//! Truth by dimensional analysis: lengths times l, masses times m, times times s, so velocities times l/s, forces times m l/s². Events come at s times their
//! times, states are the scaled ones.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

use crate::support;

use dyverse_model::{Scales, Tolerances};
use dyverse_trace::{Trace, TransitionKind};
use support::scene::Random;
use support::{close, last, model, options, simulate};

/// Units of length, mass and time.
#[derive(Clone, Copy, Debug)]
struct Units {
    l: f64,
    m: f64,
    s: f64,
}

const SI: Units = Units {
    l: 1.0,
    m: 1.0,
    s: 1.0,
};

impl Units {
    fn random(random: &mut Random) -> Self {
        let mut power = |most: i32| 10f64.powi(random.below(2 * most as usize + 1) as i32 - most);
        Units {
            l: power(9),
            m: power(9),
            s: power(9),
        }
    }
    fn velocity(&self) -> f64 {
        self.l / self.s
    }
    fn acceleration(&self) -> f64 {
        self.l / self.s / self.s
    }
    fn force(&self) -> f64 {
        self.m * self.acceleration()
    }
    /// Of a component of a state.
    fn of(&self, component: &str) -> f64 {
        match component.rsplit('.').next().unwrap() {
            "x" | "y" | "z" => self.l,
            "vx" | "vy" | "vz" => self.velocity(),
            "wx" | "wy" | "wz" => 1.0 / self.s,
            _ => 1.0,
        }
    }
}

const KINDS: usize = 6;

/// One scene of a kind, and how long it runs; the same random numbers whatever the units.
fn scene(kind: usize, random: &mut Random, u: Units) -> (String, f64) {
    let (r, mass, g) = (
        random.between(0.1, 0.5),
        random.between(0.3, 3.0),
        random.between(5.0, 12.0),
    );
    let (e, mu) = (random.between(0.2, 0.9), random.between(0.1, 0.6));
    let (h, v) = (random.between(0.5, 2.0), random.between(0.5, 3.0));
    let other = random.between(-0.15, 0.15);
    let (l, w, f) = (u.l, u.velocity(), u.force());
    let floor = "fixed entity floor { half_space(normal = (0, 0, 1), offset = 0) }\n";
    let gravity = format!("gravity (0, 0, {:e})\n", -g * u.acceleration());
    let ball = |more: String| {
        format!(
            "entity b {{ sphere(radius = {:e}) mass = {:e} {more} }}\n",
            r * l,
            mass * u.m
        )
    };
    let law = |e: f64| format!("contact default {{ restitution = {e} friction = {mu} }}\n");
    match kind {
        // Dropped and thrown; three bounces.
        0 => {
            let fall = (2.0 * h / g).sqrt();
            let up = fall + 2.0 * fall * (e + 0.5 * e * e);
            let text = ball(format!(
                "position = (0, 0, {:e}) velocity = ({:e}, 0, 0)",
                (r + h) * l,
                v * w
            ));
            (text + floor + &gravity + &law(e), up * u.s)
        }
        // Slides, then rolls.
        1 => {
            let text = ball(format!(
                "position = (0, 0, {:e}) velocity = ({:e}, 0, 0)",
                r * l,
                v * w
            ));
            (
                text + floor + &gravity + &law(0.0),
                2.0 * 2.0 * v / (7.0 * mu * g) * u.s,
            )
        }
        // Lifted by a force that grows.
        2 => {
            let text = ball(format!("position = (0, 0, {:e})", r * l));
            let push = format!("force on b = (0, 0, {:e} * time)\n", mass * g * f / u.s);
            (text + floor + &gravity + &law(0.0) + &push, 2.0 * u.s)
        }
        // Two balls, one beside the line of the other, with friction.
        3 => {
            let text = ball(format!("position = (0, 0, 0) velocity = ({:e}, 0, 0)", v * w));
            let second = format!(
                "entity c {{ sphere(radius = {:e}) mass = {:e} position = ({:e}, {:e}, 0) angular_velocity = (0, 0, {:e}) }}\n",
                0.3 * l,
                1.7 * u.m,
                2.0 * l,
                other * l,
                2.0 / u.s
            );
            (text + &second + &law(e), 2.0 / v * 2.0 * u.s)
        }
        // A rod falls on one end.
        4 => {
            let text = format!(
                "entity b {{ capsule(radius = {:e}, length = {:e}) mass = {:e} position = (0, 0, {:e}) orientation = rotation(axis = (1, 0.2, 0), angle = 0.8) }}\n",
                0.2 * r * l,
                l,
                mass * u.m,
                (1.0 + h) * l
            );
            (
                text + floor + &gravity + &law(e),
                1.05 * (2.0 * (h + 0.75) / g).sqrt() * u.s,
            )
        }
        // An ellipsoid and a rounded box meet, without gravity.
        _ => {
            let text = format!(
                "entity b {{ ellipsoid(semi_axes = ({:e}, {:e}, {:e})) mass = {:e} position = (0, 0, 0) velocity = ({:e}, 0, 0) angular_velocity = (0, {:e}, 0) }}\nentity c {{ rounded_box(size = ({:e}, {:e}, {:e}), radius = {:e}) mass = {:e} position = ({:e}, {:e}, 0) orientation = rotation(axis = (0.3, 1, 0.2), angle = 0.7) }}\n",
                0.2 * l,
                0.3 * l,
                0.25 * l,
                mass * u.m,
                v * w,
                1.0 / u.s,
                0.4 * l,
                0.5 * l,
                0.3 * l,
                0.05 * l,
                1.3 * u.m,
                1.5 * l,
                other * l
            );
            (text + &law(e), 1.6 / v * u.s)
        }
    }
}

fn same(base: &Trace, scaled: &Trace, u: Units, until: f64, told: &str) {
    assert!(
        base.stop.reason.is_complete() && scaled.stop.reason.is_complete(),
        "{}\n{told}",
        scaled.stop.reason
    );
    let kinds = |t: &Trace| {
        t.transitions
            .iter()
            .map(|t| (t.kind, t.to.clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(kinds(base), kinds(scaled), "{told}");
    for (one, other) in base.transitions.iter().zip(&scaled.transitions) {
        let (t, expected) = (other.time.t() / u.s, one.time.t());
        assert!(
            (t - expected).abs() <= 1e-6 * until,
            "{:?} at {t}, not {expected}\n{told}",
            one.kind
        );
    }
    for signal in &base.signals {
        let (found, expected) = (
            last(scaled, &signal.name) / u.of(&signal.name),
            last(base, &signal.name),
        );
        assert!(
            (found - expected).abs() <= 1e-5 * (1.0 + expected.abs()),
            "{} is {found}, not {expected}\n{told}",
            signal.name
        );
    }
}

#[test]
fn scenes_in_other_units_move_the_same() {
    for seed in 0..180 {
        let kind = seed as usize % KINDS;
        let (text, until) = scene(kind, &mut Random(seed), SI);
        let ordinary = model(&text);
        assert_eq!(
            (ordinary.tolerances(), ordinary.scales()),
            (Tolerances::default(), Scales::default()),
            "{text}"
        );
        let base = simulate(&ordinary, &options(until)).unwrap();
        assert!(kind == 5 || !base.transitions.is_empty(), "{text}");
        let u = Units::random(&mut Random(seed + 5000));
        let (other, long) = scene(kind, &mut Random(seed), u);
        let scaled = simulate(&model(&other), &options(long)).unwrap();
        same(
            &base,
            &scaled,
            u,
            until,
            &format!("seed {seed} {u:?}\n{text}\n{other}"),
        );
    }
}

/// Bounces to rest: t = √(2h/g) (1 + e)/(1 − e), in all units.
#[test]
fn accumulations_end_in_all_units() {
    for seed in 0..60 {
        let mut random = Random(900 + seed);
        let u = Units::random(&mut random);
        let (h, g, e) = (
            random.between(0.2, 2.0),
            random.between(3.0, 12.0),
            random.between(0.2, 0.8),
        );
        let rests = (2.0 * h / g).sqrt() * (1.0 + e) / (1.0 - e) * u.s;
        let text = format!(
            "entity b {{ sphere(radius = {:e}) mass = {:e} position = (0, 0, {:e}) }}
            fixed entity floor {{ half_space(normal = (0, 0, 1), offset = 0) }}
            contact default {{ restitution = {e} friction = 0 }}
            gravity (0, 0, {:e})",
            0.2 * u.l,
            u.m,
            (0.2 + h) * u.l,
            -g * u.acceleration()
        );
        let trace = simulate(&model(&text), &options(1.3 * rests)).unwrap();
        assert!(trace.stop.reason.is_complete(), "{}\n{text}", trace.stop.reason);
        let found = trace.transitions.iter().find(|t| t.kind == TransitionKind::Zeno);
        let found = found.unwrap_or_else(|| panic!("no rest\n{text}")).time.t();
        assert!((found / rests - 1.0).abs() < 1e-6, "{found} {rests}\n{text}");
        close(last(&trace, "b.z") / u.l, 0.2, 1e-7);
    }
}

/// A value that the model does not declare, and that its tolerances are too coarse for, is refused; declared ones are not.
#[test]
fn values_that_tolerances_do_not_fit_are_refused() {
    let text = |mass: &str| {
        format!(
            "{mass}
            entity b {{ sphere(radius = 0.1) mass = m position = (0, 0, 0.1) }}
            fixed entity floor {{ half_space(normal = (0, 0, 1), offset = 0) }}
            contact default {{ restitution = 0 friction = 0.3 }}
            gravity (0, 0, -10)
            force on b = (0, 0, 20 * m * time)"
        )
    };
    let lifts = |text: &str, m: f64| simulate(&model(text), &support::with(1.0, &[("m", m)]));
    let told = lifts(&text("param m = 1"), 1e-10).unwrap_err().to_string();
    assert!(
        told.contains("`force` of the model, 1e-9, is too coarse (it would be 1e-18)"),
        "{told}"
    );
    for (text, m) in [
        (text("param m = 1"), 0.5),
        (text("param m in [1e-10, 1] = 1"), 1e-10),
        (text("param m in [1e-10, 1] = 1"), 1.0),
    ] {
        let trace = lifts(&text, m).unwrap();
        close(trace.transitions[0].time.t(), 0.5, 1e-7);
    }
}

/// The cases of the issue: a light body, a slow one, a small one.
#[test]
fn light_slow_and_small_bodies_move() {
    let path = format!(
        "{}/../../5-use/dyverse/tests/cases/run/light_lift.drbt",
        env!("CARGO_MANIFEST_DIR")
    );
    let trace = simulate(&model(&std::fs::read_to_string(path).unwrap()), &options(2.0)).unwrap();
    close(last(&trace, "b.z"), 0.001 + 4.905, 1e-6);
    let floor = "fixed entity floor { half_space(normal = (0, 0, 1), offset = 0) }\n";
    let slow = "entity b { sphere(radius = 0.1) mass = 1 position = (0, 0, 0.2) velocity = (0, 0, -1e-9) }
        contact default { restitution = 0.5 friction = 0 }\n";
    let trace = simulate(&model(&format!("{slow}{floor}")), &options(2e8)).unwrap();
    close(last(&trace, "b.vz"), 0.5e-9, 1e-18);
    let small = "entity b { sphere(radius = 1e-9) mass = 1 position = (0, 0, 2e-9) }
        contact default { restitution = 0.5 friction = 0 }
        gravity (0, 0, -9.81)\n";
    let trace = simulate(&model(&format!("{small}{floor}")), &options(1e-4)).unwrap();
    assert!((support::impacts(&trace)[0] - (2e-9f64 / 9.81).sqrt()).abs() < 1e-12);
}
