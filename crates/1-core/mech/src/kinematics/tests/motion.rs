//! Velocities and biases against finite differences along motions.
//!
//! A central difference with step h errs by h² times a third derivative plus rounding/h. The first part is
//! estimated from two steps, h and h/2, whose results differ by ¾ of it; the second is known. Where an edge or
//! end takes over within ±h (a kink) the two disagree wildly and the case is left out and counted.

use dyverse_num::{Dual, Quaternion, Scalar};

use super::random::{Random, all_pairs, coast};
use crate::{ContactKinematics, ContactPair, EntityState, GeneralizedVelocity, Placement, ShapeKind};

const STEP: f64 = 2e-5;

/// D(h/2) with a bound on its error, or nothing at a kink.
fn difference(f: impl Fn(f64) -> f64, noise: f64) -> Option<(f64, f64)> {
    let central = |h: f64| (f(h) - f(-h)) / (2.0 * h);
    let (wide, narrow) = (central(STEP), central(STEP / 2.0));
    let error = (wide - narrow).abs() + 4.0 * noise / STEP;
    let sided = ((f(STEP) - f(0.0)) / STEP - (f(0.0) - f(-STEP)) / STEP).abs();
    (error < 1e-4 && sided < 1e-1).then_some((narrow, error))
}

/// With v and w changing at these rates: right to first order, which is all that a derivative at 0 sees.
fn moved(state: &EntityState<f64>, rate: &GeneralizedVelocity<f64>, t: f64) -> EntityState<f64> {
    let mut moved = coast(state, t);
    moved.velocity = moved.velocity + rate.linear.scale(&t);
    moved.angular_velocity = moved.angular_velocity + rate.angular.scale(&t);
    moved
}

struct Case {
    pair: ContactPair<f64>,
    states: [EntityState<f64>; 2],
    rates: [GeneralizedVelocity<f64>; 2],
}

impl Case {
    fn at(&self, t: f64) -> ContactKinematics<f64> {
        let [one, two] = [0, 1].map(|i| moved(&self.states[i], &self.rates[i], t));
        let reference = self
            .pair
            .kinematics(&self.states[0], &self.states[1])
            .unwrap()
            .reference;
        self.pair.kinematics_along(&one, &two, reference).unwrap()
    }
}

fn case(rng: &mut Random, kinds: (ShapeKind, ShapeKind), i: usize) -> Case {
    let gap = [0.3, 0.01, 0.0][i % 3];
    let (pair, mut one, mut two) = rng.contact(kinds, 2.0, gap);
    let mut rates = [0, 1].map(|_| GeneralizedVelocity {
        linear: rng.vec3(2.0),
        angular: rng.vec3(2.0),
    });
    match i % 4 {
        0 => (one, rates[0]) = (EntityState::at_rest(one.placement()), GeneralizedVelocity::zero()),
        1 => (two, rates[1]) = (EntityState::at_rest(two.placement()), GeneralizedVelocity::zero()),
        _ => {}
    }
    Case {
        pair,
        states: [one, two],
        rates,
    }
}

/// Returns whether the case was checked (not a kink).
fn check(case: &Case, what: &str, expected: f64, noise: f64, f: impl Fn(f64) -> f64) -> bool {
    let Some((found, error)) = difference(f, noise) else {
        return false;
    };
    assert!(
        (found - expected).abs() <= 2.0 * error,
        "{what}: {expected} but difference {found} ± {error:e}; {:?} {:?}",
        case.pair,
        case.states
    );
    true
}

#[test]
fn velocities_and_accelerations_are_derivatives() {
    let mut rng = Random(21);
    for kinds in all_pairs() {
        let (mut checked, total) = (0, 200);
        for i in 0..total {
            let case = case(&mut rng, kinds, i);
            let now = case.at(0.0);
            let (ddg_n, [ddg_x, ddg_y]) = now.acceleration(&case.rates[0], &case.rates[1]);
            let all = [
                check(&case, "dg_N", now.normal_velocity, 1e-14, |t| case.at(t).gap),
                check(&case, "ddg_N", ddg_n, 1e-13, |t| case.at(t).normal_velocity),
                check(&case, "ddg_Tx", ddg_x, 1e-13, |t| {
                    case.at(t).tangential_velocity[0]
                }),
                check(&case, "ddg_Ty", ddg_y, 1e-13, |t| {
                    case.at(t).tangential_velocity[1]
                }),
            ];
            checked += usize::from(all.into_iter().all(|done| done));
        }
        assert!(
            checked * 10 > total * 9,
            "{kinds:?}: only {checked} of {total} checked"
        );
    }
}

/// W·u = dg, and the normal, tangents and arms are what they claim to be.
#[test]
fn columns_of_w_give_the_relative_velocity() {
    let mut rng = Random(22);
    for kinds in all_pairs() {
        for i in 0..200 {
            let case = case(&mut rng, kinds, i);
            let [one, two] = &case.states;
            let now = case.at(0.0);
            let (u1, u2) = (one.generalized_velocity(), two.generalized_velocity());
            let [x, y] = now.tangential_columns();
            assert!((now.normal_column().dot(&u1, &u2) - now.normal_velocity).abs() < 1e-13);
            assert!((x.dot(&u1, &u2) - now.tangential_velocity[0]).abs() < 1e-13);
            assert!((y.dot(&u1, &u2) - now.tangential_velocity[1]).abs() < 1e-13);
            let [tx, ty] = now.tangents;
            assert!((tx.cross(&ty) - now.normal).norm() < 1e-14);
            assert!((ty - now.normal.cross(&tx)).norm() < 1e-14);
            let apart = two.position + now.arms[1] - one.position - now.arms[0];
            assert!((apart - now.normal.scale(&now.gap)).norm() < 1e-13);
        }
    }
}

/// A time with its first and second derivatives.
type Twice = Dual<Dual<f64>>;

/// The place of a coasting entity as a function of time: exp(½ w t) = 1 + ½ w t − ⅛ |w|² t² + …, of which two
/// derivatives at 0 see no more.
fn place(state: &EntityState<f64>, t: &Twice) -> Placement<Twice> {
    let number = |c: f64| Twice::from_f64(c);
    let w = state.angular_velocity;
    let half = number(0.5) * *t;
    let turn = Quaternion::new(
        number(1.0) - number(0.125 * w.norm_squared()) * t.squared(),
        number(w.x) * half,
        number(w.y) * half,
        number(w.z) * half,
    );
    Placement {
        position: state
            .position
            .zip(&state.velocity, |c, v| number(*c) + number(*v) * *t),
        orientation: turn * state.orientation.map(|c| number(*c)),
    }
}

/// Without differences: with u constant, dg_N and w_aN are the first two derivatives of the gap along the
/// motion. The gap is stationary in the points, so this checks how the points and the normal move.
#[test]
fn the_normal_bias_is_the_second_derivative_of_the_gap() {
    let mut rng = Random(23);
    let zero = Dual::new(Dual::variable(0.0), Dual::constant(1.0));
    for kinds in all_pairs() {
        for i in 0..500 {
            let ratio = [2.0, 10.0, 100.0][i % 3];
            let (pair, one, two) = rng.contact(kinds, ratio, 0.01);
            let now = pair.kinematics(&one, &two).unwrap();
            let pair = pair.map(|c| Twice::from_f64(*c));
            let gap = pair
                .closest_points(&place(&one, &zero), &place(&two, &zero))
                .unwrap()
                .gap;
            let error = (gap.derivative.value - now.normal_velocity).abs();
            assert!(error < 1e-12, "{kinds:?} {ratio}: {error:e}");
            let error = (gap.derivative.derivative - now.normal_bias).abs();
            assert!(
                error < 1e-11 * (1.0 + now.normal_bias.abs()),
                "{kinds:?} {ratio}: {error:e}"
            );
        }
    }
}

/// The closed forms are the same functions whether asked for alone or among all pairs.
#[test]
fn derived_kinematics_are_the_same_for_closed_forms() {
    let mut rng = Random(24);
    let mut closed = 0;
    for kinds in all_pairs() {
        let (pair, one, two) = rng.contact(kinds, 3.0, 0.1);
        if let Ok(derived) = pair.derive_kinematics(&one, &two, None) {
            assert_eq!(derived, pair.kinematics(&one, &two).unwrap());
            closed += 1;
        }
    }
    assert_eq!(closed, 15); // Of 27: those with a plane or half-space (9), sphere and capsule pairs, sphere–box.
}
