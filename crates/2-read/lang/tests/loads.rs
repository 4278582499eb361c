//! Loads at random states, against formulas written by hand: forces, springs, dampers, gravity, points of attack.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

use crate::support;

use dyverse_expr::Program;
use dyverse_model::{LoadKind, Model, StateComponent, Symbol};
use support::{Random, model};

type V = [f64; 3];

fn add(a: V, b: V) -> V {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}
fn scale(s: f64, a: V) -> V {
    a.map(|x| s * x)
}
fn sub(a: V, b: V) -> V {
    add(a, scale(-1.0, b))
}
fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
fn cross(a: V, b: V) -> V {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}
fn norm(a: V) -> f64 {
    dot(a, a).sqrt()
}

/// A random state of one entity; its rotation as a matrix, made independently of the quaternion's formula.
struct State {
    x: V,
    v: V,
    w: V,
    q: [f64; 4],
    rotation: [V; 3],
}

impl State {
    fn random(random: &mut Random) -> Self {
        let mut vector = || [random.symmetric(), random.symmetric(), random.symmetric()];
        let (x, v, w, axis) = (vector(), vector(), vector(), vector());
        let axis = scale(1.0 / norm(axis), axis);
        let angle = 3.0 * random.symmetric();
        let q = [
            (angle / 2.0).cos(),
            axis[0] * (angle / 2.0).sin(),
            axis[1] * (angle / 2.0).sin(),
            axis[2] * (angle / 2.0).sin(),
        ];
        // Rodrigues, column by column.
        let turn = |p: V| {
            let along = scale(dot(axis, p) * (1.0 - angle.cos()), axis);
            add(
                add(scale(angle.cos(), p), scale(angle.sin(), cross(axis, p))),
                along,
            )
        };
        let rotation = [
            turn([1.0, 0.0, 0.0]),
            turn([0.0, 1.0, 0.0]),
            turn([0.0, 0.0, 1.0]),
        ];
        State { x, v, w, q, rotation }
    }
    fn turned(&self, p: V) -> V {
        add(
            add(scale(p[0], self.rotation[0]), scale(p[1], self.rotation[1])),
            scale(p[2], self.rotation[2]),
        )
    }
    fn component(&self, c: StateComponent) -> f64 {
        use StateComponent as C;
        match c {
            C::X => self.x[0],
            C::Y => self.x[1],
            C::Z => self.x[2],
            C::Vx => self.v[0],
            C::Vy => self.v[1],
            C::Vz => self.v[2],
            C::Wx => self.w[0],
            C::Wy => self.w[1],
            C::Wz => self.w[2],
            C::Qw => self.q[0],
            C::Qx => self.q[1],
            C::Qy => self.q[2],
            C::Qz => self.q[3],
        }
    }
}

const MASSES: [f64; 2] = [2.0, 5.0];
const TIME: f64 = 0.7;

/// The force and moment of every load at a state.
fn loads(m: &Model, states: &[State]) -> Vec<(usize, LoadKind, V, V)> {
    let load = |load: &dyverse_model::Load| {
        let roots: Vec<_> = load.force.iter().chain(&load.moment).copied().collect();
        let values = Program::new(m.pool(), &roots).numbers(|id| match m.symbol(id) {
            Symbol::State(e, c) => states[e.0].component(c),
            Symbol::Mass(e) => MASSES[e.0],
            Symbol::Time => TIME,
            Symbol::Parameter(_) => 3.0,
            Symbol::Input(_) => 0.25,
            other => panic!("{other:?}"),
        });
        (
            load.on.0,
            load.kind,
            [values[0], values[1], values[2]],
            [values[3], values[4], values[5]],
        )
    };
    m.loads().iter().map(load).collect()
}

fn assert_same(found: V, expected: V) {
    let error = norm(sub(found, expected));
    assert!(
        error <= 1e-12 * (1.0 + norm(expected)),
        "{found:?} is not {expected:?}"
    );
}

/// Reads two balls and `items`, and hands every random state with its loads to `check`.
fn at_random_states(items: &str, check: impl Fn(&[State], &[(usize, LoadKind, V, V)])) {
    let m = model(&format!(
        "param k = 3\ninput u\nentity a {{ sphere(radius = 0.1)  mass = 2 }}\nentity b {{ sphere(radius = 0.1)  mass = 5  position = (5, 0, 0) }}\n\
         fixed entity wall {{ sphere(radius = 0.1)  position = (-5, 0, 0) }}\ncontact default {{ restitution = 1 }}\n{items}\n"
    ));
    let mut random = Random::new(11);
    for _ in 0..50 {
        let states: Vec<State> = (0..3).map(|_| State::random(&mut random)).collect();
        check(&states, &loads(&m, &states));
    }
}

#[test]
fn a_force_reads_its_own_entity_and_others() {
    at_random_states(
        "force on a, b = (-k * x + u, mass * vy, a.z - b.z + sin(time))",
        |s, found| {
            assert_eq!(found.len(), 2);
            for (on, kind, force, moment) in found {
                let own = &s[*on];
                let expected = [
                    -3.0 * own.x[0] + 0.25,
                    MASSES[*on] * own.v[1],
                    s[0].x[2] - s[1].x[2] + TIME.sin(),
                ];
                assert_same(*force, expected);
                assert_eq!((*kind, *moment), (LoadKind::Force, [0.0; 3]));
            }
        },
    );
}

#[test]
fn a_force_at_a_point_turns() {
    at_random_states(
        "force on a at (1, 2, 3) = (time, b.x, -velocity.z)\nmoment on b = angular_velocity * -2",
        |s, found| {
            let force = [TIME, s[1].x[0], -s[0].v[2]];
            assert_same(found[0].2, force);
            assert_same(found[0].3, cross(s[0].turned([1.0, 2.0, 3.0]), force));
            assert_same(found[1].2, [0.0; 3]);
            assert_same(found[1].3, scale(-2.0, s[1].w));
        },
    );
}

#[test]
fn gravity_acts_on_all_that_moves() {
    at_random_states("gravity (0, -9.81, u)", |_, found| {
        assert_eq!(found.len(), 2);
        for (on, kind, force, moment) in found {
            assert_same(*force, [0.0, -9.81 * MASSES[*on], 0.25 * MASSES[*on]]);
            assert_eq!((*kind, *moment), (LoadKind::Gravity, [0.0; 3]));
        }
    });
}

#[test]
fn a_spring_pulls_both_ends_together() {
    at_random_states(
        "spring a, b { stiffness = k  length = 0.5  damping = 0.25 }",
        |s, found| {
            let (d, v) = (sub(s[1].x, s[0].x), sub(s[1].v, s[0].v));
            let length = norm(d);
            let unit = scale(1.0 / length, d);
            let expected = scale(3.0 * (length - 0.5) + 0.25 * dot(v, unit), unit);
            assert_same(found[0].2, expected);
            assert_same(found[1].2, scale(-1.0, expected));
            assert_eq!((found[0].0, found[1].0, found[0].1), (0, 1, LoadKind::Spring));
        },
    );
}

#[test]
fn a_spring_of_no_length_has_no_singularity() {
    at_random_states(
        "spring a, (1, 2, 3) { stiffness = 4 }\nspring b, wall { stiffness = 1  length = 0 }",
        |s, found| {
            assert_eq!(found.len(), 2, "one end each is fixed");
            assert_same(found[0].2, scale(4.0, sub([1.0, 2.0, 3.0], s[0].x)));
            assert_same(found[1].2, sub(s[2].x, s[1].x));
        },
    );
}

/// Two points of two bodies: opposite forces, moments (R r) × F, no net force, no net moment about the origin.
#[test]
fn a_spring_at_points_keeps_momentum_and_angular_momentum() {
    let items = "spring a at (1, 0, -2), b at (0, 3, 1) { stiffness = k  length = 0.5  damping = 0.125 }";
    at_random_states(items, |s, found| {
        let arms = [s[0].turned([1.0, 0.0, -2.0]), s[1].turned([0.0, 3.0, 1.0])];
        let ends = [add(s[0].x, arms[0]), add(s[1].x, arms[1])];
        let speeds = [
            add(s[0].v, cross(s[0].w, arms[0])),
            add(s[1].v, cross(s[1].w, arms[1])),
        ];
        let d = sub(ends[1], ends[0]);
        let unit = scale(1.0 / norm(d), d);
        let force = scale(
            3.0 * (norm(d) - 0.5) + 0.125 * dot(sub(speeds[1], speeds[0]), unit),
            unit,
        );
        assert_same(found[0].2, force);
        assert_same(found[0].3, cross(arms[0], force));
        assert_same(found[1].3, cross(arms[1], scale(-1.0, force)));
        assert_same(add(found[0].2, found[1].2), [0.0; 3]);
        let turning = |i: usize| add(found[i].3, cross(s[i].x, found[i].2));
        assert_same(add(turning(0), turning(1)), [0.0; 3]);
    });
}

/// A damper's power is never positive: it is −c |v|².
#[test]
fn a_damper_takes_energy_away() {
    at_random_states("damper a at (0, 1, 0), b { coefficient = 2 }", |s, found| {
        let arm = s[0].turned([0.0, 1.0, 0.0]);
        let v = sub(s[1].v, add(s[0].v, cross(s[0].w, arm)));
        assert_same(found[0].2, scale(2.0, v));
        let power = |i: usize| dot(found[i].2, s[i].v) + dot(found[i].3, s[i].w);
        let (found, expected) = (power(0) + power(1), -2.0 * dot(v, v));
        assert!((found - expected).abs() < 1e-11, "{found} is not {expected}");
    });
}
