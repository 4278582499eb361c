//! Rolling and spinning friction against closed forms, against what the law forbids, and judged by code that shares nothing with the run.
//!
//! With a = 5ρ_r g/(7R): a ball of mass m that rolls on a plane has (I + mR²)α = −ρ_r m g, I = 2/5 mR², and decelerates by Rα.

use crate::support;

use dyverse_component::{Cause, Component, Driver, Stand};
use dyverse_replay::{ReplayOptions, replay};
use dyverse_simulate::{Contacts, Mechanism, RunOptions};
use dyverse_trace::Trace;
use support::{check, close, last, model, options, run, simulate};

const G: f64 = 9.81;

/// xorshift64*.
struct Dice(u64);

impl Dice {
    fn range(&mut self, lo: f64, hi: f64) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let next = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d);
        lo + (hi - lo) * ((next >> 11) as f64 / (1_u64 << 53) as f64)
    }
}

/// A ball on the plane z = 0.
struct Ball {
    radius: f64,
    mass: f64,
    mu: f64,
    roll: f64,
    spin: f64,
}

impl Ball {
    fn random(dice: &mut Dice) -> Self {
        let radius = dice.range(0.02, 0.3);
        Ball {
            radius,
            mass: dice.range(0.1, 5.0),
            mu: dice.range(0.2, 0.6),
            roll: radius * dice.range(0.005, 0.05),
            spin: radius * dice.range(0.01, 0.1),
        }
    }

    fn text(&self, gravity: [f64; 3], v: [f64; 3], w: [f64; 3]) -> String {
        let Ball {
            radius,
            mass,
            mu,
            roll,
            spin,
        } = self;
        format!(
            "entity ball {{ sphere(radius = {radius:?}) mass = {mass:?} position = (0, 0, {radius:?}) velocity = ({:?}, {:?}, {:?}) angular_velocity = ({:?}, {:?}, {:?}) }}
fixed entity floor {{ half_space(normal = (0, 0, 1), offset = 0) }}
gravity ({:?}, {:?}, {:?})
contact default {{ restitution = 0.5 friction = {mu:?} rolling_friction = {roll:?} spinning_friction = {spin:?} }}
",
            v[0], v[1], v[2], w[0], w[1], w[2], gravity[0], gravity[1], gravity[2]
        )
    }

    fn decelerates(&self) -> f64 {
        5.0 * self.roll * G / (7.0 * self.radius)
    }
}

/// Everything has stopped, exactly.
fn assert_at_rest(trace: &Trace, body: &str) {
    for component in ["vx", "vy", "vz", "wx", "wy", "wz"] {
        assert_eq!(last(trace, &format!("{body}.{component}")), 0.0, "{component}");
    }
}

#[test]
fn a_rolling_ball_stops_after_its_way() {
    let mut dice = Dice(0x51ab);
    for _ in 0..20 {
        let ball = Ball::random(&mut dice);
        let (v, turn) = (dice.range(0.1, 3.0), dice.range(0.0, std::f64::consts::TAU));
        let (x, y) = (v * turn.cos(), v * turn.sin());
        let text = ball.text(
            [0.0, 0.0, -G],
            [x, y, 0.0],
            [-y / ball.radius, x / ball.radius, 0.0],
        );
        let (a, stops) = (ball.decelerates(), v / ball.decelerates());
        let trace = run(&text, 0.5 * stops);
        close(last(&trace, "ball.vx"), 0.5 * x, 1e-9 * v);
        close(last(&trace, "ball.vy"), 0.5 * y, 1e-9 * v);
        let trace = run(&text, 1.5 * stops);
        let way = v * v / (2.0 * a);
        close(last(&trace, "ball.x"), way * x / v, 1e-8 * (1.0 + way));
        close(last(&trace, "ball.y"), way * y / v, 1e-8 * (1.0 + way));
        assert_at_rest(&trace, "ball");
        // All of it is work of friction.
        let kinetic = 0.7 * ball.mass * v * v;
        close(trace.balance.work_of_friction, -kinetic, 1e-8 * kinetic);
        assert!(trace.transitions.is_empty(), "it sticks from beginning to end");
    }
}

#[test]
fn a_spinning_ball_stops_after_its_time() {
    let mut dice = Dice(0x77);
    for _ in 0..20 {
        let ball = Ball::random(&mut dice);
        let w = dice.range(-30.0, 30.0);
        let stops = w.abs() * 0.4 * ball.radius * ball.radius / (ball.spin * G);
        let text = ball.text([0.0, 0.0, -G], [0.0; 3], [0.0, 0.0, w]);
        close(
            last(&run(&text, 0.25 * stops), "ball.wz"),
            0.75 * w,
            1e-9 * w.abs(),
        );
        let trace = run(&text, 1.01 * stops);
        assert_at_rest(&trace, "ball");
        assert_eq!(last(&trace, "ball.x"), 0.0);
    }
}

#[test]
fn on_an_incline_it_rests_up_to_its_angle_and_rolls_beyond() {
    let mut dice = Dice(0x1c);
    for _ in 0..20 {
        let ball = Ball::random(&mut dice);
        let turn = dice.range(0.0, std::f64::consts::TAU);
        let steepest = ball.roll / ball.radius;
        let slope = |part: f64| {
            let alpha = (part * steepest).atan();
            let (along, down) = (G * alpha.sin(), G * alpha.cos());
            (alpha, [along * turn.cos(), along * turn.sin(), -down])
        };
        let (_, gravity) = slope(0.999);
        let trace = run(&ball.text(gravity, [0.0; 3], [0.0; 3]), 50.0);
        assert_at_rest(&trace, "ball");
        assert_eq!([last(&trace, "ball.x"), last(&trace, "ball.y")], [0.0; 2]);
        let (alpha, gravity) = slope(dice.range(1.05, 6.0));
        let a = 5.0 / 7.0 * G * (alpha.sin() - ball.roll * alpha.cos() / ball.radius);
        let trace = run(&ball.text(gravity, [0.0; 3], [0.0; 3]), 2.0);
        close(last(&trace, "ball.x"), 2.0 * a * turn.cos(), 1e-7 * (1.0 + a));
        close(last(&trace, "ball.y"), 2.0 * a * turn.sin(), 1e-7 * (1.0 + a));
    }
}

/// Up a slope it decelerates by 5/7 g (sin α + ρ cos α/R); then it stays, or rolls back with 5/7 g (sin α − ρ cos α/R).
#[test]
fn up_a_slope_and_back_or_not() {
    let mut dice = Dice(0x5107e);
    for part in [0.5, 0.95, 1.1, 3.0] {
        let ball = Ball::random(&mut dice);
        let alpha = (part * ball.roll / ball.radius).atan();
        let (along, down) = (G * alpha.sin(), G * alpha.cos());
        let (v, couple) = (dice.range(0.5, 2.0), ball.roll * down / ball.radius);
        let text = ball.text([-along, 0.0, -down], [v, 0.0, 0.0], [0.0, v / ball.radius, 0.0]);
        let (up, back) = (5.0 / 7.0 * (along + couple), 5.0 / 7.0 * (along - couple));
        let (top, left) = (v * v / (2.0 * up), 1.5);
        let trace = run(&text, v / up + left);
        let x = top - 0.5 * back.max(0.0) * left * left;
        close(last(&trace, "ball.x"), x, 1e-7 * (1.0 + top));
        if part < 1.0 {
            assert_at_rest(&trace, "ball");
        }
    }
}

/// Sliding v = v0 − μ g t and ω = 5(μR − ρ) g t/(2R²), until v = ωR; then it rolls and stops.
#[test]
fn it_slides_then_rolls_then_stops() {
    let mut dice = Dice(0xf00d);
    for _ in 0..20 {
        let ball = Ball::random(&mut dice);
        let v = dice.range(0.3, 3.0);
        let share = ball.roll / ball.radius;
        let ends = v / (ball.mu * G + 2.5 * (ball.mu - share) * G);
        let (speed, way) = (v - ball.mu * G * ends, v * ends - 0.5 * ball.mu * G * ends * ends);
        let a = ball.decelerates();
        let trace = run(
            &ball.text([0.0, 0.0, -G], [v, 0.0, 0.0], [0.0; 3]),
            ends + speed / a + 0.5,
        );
        close(
            last(&trace, "ball.x"),
            way + speed * speed / (2.0 * a),
            1e-7 * (1.0 + v * v),
        );
        assert_at_rest(&trace, "ball");
        let stops: Vec<f64> = trace.transitions.iter().map(|t| t.time.t()).collect();
        assert!(
            stops.iter().all(|t| (t - ends).abs() < 1e-8),
            "{stops:?}, not {ends}"
        );
    }
}

/// Two ends of a capsule share its weight: the couples of both are ρ m g together.
#[test]
fn a_capsule_rolls_on_two_contacts() {
    let mut dice = Dice(0xca95);
    for _ in 0..8 {
        let (r, l, v) = (dice.range(0.05, 0.2), dice.range(0.2, 1.0), dice.range(0.2, 2.0));
        let rho = r * dice.range(0.01, 0.1);
        let text = format!(
            "entity c {{ capsule(radius = {r:?}, length = {l:?}) mass = 2 position = (0, 0, {r:?}) orientation = rotation(axis = (1, 0, 0), angle = pi/2) velocity = ({v:?}, 0, 0) angular_velocity = (0, {:?}, 0) }}
fixed entity floor {{ half_space(normal = (0, 0, 1), offset = 0) }}
gravity (0, 0, -9.81)
contact default {{ restitution = 0.2 friction = 0.5 rolling_friction = {rho:?} spinning_friction = 0.001 }}
",
            v / r
        );
        // Cylinder and ball of one density.
        let (cylinder, ball) = (l, 4.0 / 3.0 * r);
        let inertia = (0.5 * cylinder + 0.4 * ball) / (cylinder + ball);
        let a = rho * G / (r * (1.0 + inertia));
        let trace = run(&text, v / a + 1.0);
        close(last(&trace, "c.x"), v * v / (2.0 * a), 1e-7 * (1.0 + v * v / a));
        assert_at_rest(&trace, "c");
    }
}

#[test]
fn a_ball_thrown_with_spin_comes_to_rest() {
    let mut dice = Dice(0xb011);
    for _ in 0..10 {
        let ball = Ball::random(&mut dice);
        let mut each = |size: f64| [0; 3].map(|_| dice.range(-size, size));
        let (v, w) = (each(2.0), each(30.0));
        let text = ball.text([0.0, 0.0, -G], [v[0], v[1], v[2].abs()], w);
        let trace = run(&text, 100.0);
        assert_at_rest(&trace, "ball");
        assert!(trace.balance.work_of_friction < 0.0 && trace.balance.work_of_impacts <= 0.0);
    }
}

/// Scenes of many kinds: none gains energy beside its loads, all reach their horizon, and traces are accepted.
#[test]
fn scenes_of_strangers() {
    let mut dice = Dice(0xabcd);
    for number in 0..12 {
        let (v, w, s) = (
            dice.range(-2.0, 2.0),
            dice.range(-20.0, 20.0),
            dice.range(0.0, 0.5),
        );
        let law = format!(
            "contact default {{ restitution = {:?} friction = {:?} rolling_friction = {:?} spinning_friction = {:?} }}\nfixed entity floor {{ half_space(normal = (0, 0, 1), offset = 0) }}\ngravity ({s:?}, 0, -9.81)\n",
            dice.range(0.0, 0.6),
            dice.range(0.1, 0.8),
            dice.range(0.0, 0.005),
            dice.range(0.0, 0.005),
        );
        let body = match number % 6 {
            0 => format!(
                "entity a {{ sphere(radius = 0.1) mass = 1 position = (0, 0, 0.1) velocity = ({v:?}, 1, 0) angular_velocity = (0, {w:?}, {w:?}) }}\nfixed entity wall {{ half_space(normal = (-1, 0, 0), offset = -0.6) }}"
            ),
            1 => format!(
                "entity a {{ capsule(radius = 0.1, length = 0.4) mass = 1 position = (0, 0, 0.5) orientation = rotation(axis = (1, 0, 0), angle = {v:?}) velocity = ({v:?}, 0, 0) }}"
            ),
            2 => format!(
                "entity a {{ rounded_box(size = (0.4, 0.3, 0.2), radius = 0.02) mass = 1 position = (0, 0, 0.5) orientation = rotation(axis = (1, 2, 0.3), angle = {v:?}) angular_velocity = (0, 0, {w:?}) }}"
            ),
            3 => format!(
                "entity a {{ ellipsoid(semi_axes = (0.1, 0.12, 0.15)) mass = 1 position = (0, 0, 0.3) velocity = ({v:?}, 0, 0) angular_velocity = (1, 0, {w:?}) }}"
            ),
            4 => format!(
                "entity a {{ sphere(radius = 0.1) mass = 1 position = (0, 0, 0.1) velocity = ({v:?}, 0.1, 0) }}\nentity b {{ sphere(radius = 0.15) mass = 3 position = (0.3, 0.02, 0.15) }}"
            ),
            _ => format!(
                "entity plate {{ rounded_box(size = (2, 1, 0.1), radius = 0.02) mass = 10 position = (0, 0, 0.05) velocity = ({v:?}, 0, 0) }}\nentity a {{ sphere(radius = 0.1) mass = 1 position = (0, 0, 0.2) angular_velocity = (0, 0, {w:?}) }}
contact plate, floor {{ friction = 0.2 rolling_friction = 0 spinning_friction = 0 }}"
            ),
        };
        let text = format!("{body}\n{law}");
        let auto = RunOptions {
            contacts: Contacts::Auto,
            ..options(3.0)
        };
        let trace = simulate(&model(&text), &auto).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert!(trace.stop.reason.is_complete(), "{}\n{text}", trace.stop.reason);
        let balance = &trace.balance;
        assert!(support::imbalance(&trace) <= 1e-8, "{balance:?}\n{text}");
        assert!(
            balance.work_of_friction <= 1e-12 && balance.work_of_impacts <= 1e-12,
            "{balance:?}\n{text}"
        );
    }
}

/// Where contacts are followed by steps the same ball stops at the same place, to the first order of the steps.
#[test]
fn steps_know_it_too() {
    let ball = Ball {
        radius: 0.1,
        mass: 2.0,
        mu: 0.5,
        roll: 0.01,
        spin: 0.002,
    };
    let text = ball.text([0.0, 0.0, -G], [1.0, 0.0, 0.0], [0.0, 10.0, 5.0]);
    let stepping = RunOptions {
        contacts: Contacts::Stepping,
        ..options(3.0)
    };
    let trace = dyverse_simulate::simulate(&model(&text), &stepping).unwrap();
    assert!(trace.stop.reason.is_complete(), "{}", trace.stop.reason);
    let way = 0.5 / ball.decelerates();
    close(last(&trace, "ball.x"), way, 0.02 * way);
    for component in ["vx", "wy", "wz"] {
        close(last(&trace, &format!("ball.{component}")), 0.0, 1e-9);
    }
    // And an incline on which it stays.
    let resting = ball.text([0.9, 0.0, -G], [0.0; 3], [0.0; 3]);
    let trace = dyverse_simulate::simulate(&model(&resting), &stepping).unwrap();
    close(last(&trace, "ball.x"), 0.0, 1e-9);
}

/// Stepped from outside, as another tool steps an FMU.
#[test]
fn a_component_of_it_stops_at_the_same_place() {
    let ball = Ball {
        radius: 0.1,
        mass: 2.0,
        mu: 0.3,
        roll: 0.002,
        spin: 0.002,
    };
    let text = ball.text([0.0, 0.0, -G], [1.0, 0.5, 0.0], [0.0, 0.0, 7.0]);
    let model = model(&text);
    let until = 12.0;
    let own = simulate(&model, &options(until)).unwrap();
    check(&own);
    let mut mechanism = Mechanism::new(&model, &options(until)).unwrap();
    let mut stand = Stand::start(&mut mechanism, 0.0).unwrap();
    stand.enter(&mut mechanism, &[]).unwrap();
    stand
        .finish(&mut mechanism, Cause::Start, &[], &mut |_, _| {})
        .unwrap();
    let mut driver = Driver::stepping_itself();
    for _ in 0..10_000 {
        let passed = driver
            .run(&mut mechanism, &mut stand, (until, &[]), &mut |_, _| {})
            .unwrap();
        assert!(passed.stop.is_none(), "{:?}", passed.stop);
        if passed.event.is_none() {
            break;
        }
    }
    let mut y = vec![0.0; mechanism.shape().outputs];
    mechanism.outputs(stand.at(&[]), &mut y);
    for (name, y) in mechanism
        .output_names()
        .iter()
        .zip(y)
        .filter(|(n, _)| !n.contains(".q"))
    {
        close(y, last(&own, name), 1e-7);
    }
}

/// The judge knows the couples: a trace of other lengths is refused, and one without any.
#[test]
fn another_law_is_refused() {
    let ball = |roll: f64, spin: f64| {
        Ball {
            radius: 0.1,
            mass: 2.0,
            mu: 0.3,
            roll,
            spin,
        }
        .text([0.2, 0.0, -G], [1.0, 0.5, 0.0], [0.0, 0.0, 7.0])
    };
    let right = model(&ball(0.004, 0.002));
    let trace = simulate(&right, &options(4.0)).unwrap();
    let judge = |text: &str| replay(&model(text), &trace, &ReplayOptions::default()).unwrap();
    assert!(judge(&ball(0.004, 0.002)).is_accepted());
    for (roll, spin) in [
        (0.0, 0.002),
        (0.004, 0.0),
        (0.00401, 0.002),
        (0.004, 0.00201),
        (0.0, 0.0),
    ] {
        assert!(!judge(&ball(roll, spin)).is_accepted(), "{roll} {spin}");
    }
    // What stays at rest where it should roll.
    let steep = |roll: f64| {
        Ball {
            radius: 0.1,
            mass: 2.0,
            mu: 0.3,
            roll,
            spin: 0.002,
        }
        .text([1.0, 0.0, -G], [0.0; 3], [0.0; 3])
    };
    let trace = simulate(&model(&steep(0.02)), &options(1.0)).unwrap();
    let found = replay(&model(&steep(0.01)), &trace, &ReplayOptions::default()).unwrap();
    assert!(!found.is_accepted());
}
