//! Solves the equations of `implicit.rs` in doubles, from any placement of the two shapes.
//!
//! # Method
//! Shrink the ellipsoids about their centres by σ. At σ = 0 they are points and the solution is known. Follow
//! it to σ = 1: predict along the tangent dy/dσ = −F_y⁻¹ F_σ, correct by Newton's method, and take shorter
//! steps where that fails. While λ > 0 the shrunk cores are apart, and then *any* solution is *the* solution
//! (see `implicit.rs`), so the first step is σ = 1 at once and mostly succeeds. Once λ ≤ 0 there can be
//! other solutions, deeper ones: then only steps that turn the predicted normal little are accepted.
//!
//! # Guarantee
//! Whatever is returned with λ > 0 is the global minimum, to rounding. For overlapping cores it is the
//! stationary point that the path leads to: that of least depth as long as the overlap is small against the
//! radii of curvature. Terminates; says so if the path ends (deep overlap, numbers not finite).

use dyverse_num::{Dual, Vec3};

use super::NoClosestPointsReason;
use super::implicit::{Optimality, OtherCore};
use super::linear::{Vector, apply, inverse, transposed};

/// Bound on steps in σ, taken or refused.
const MAX_STEPS: usize = 400;
/// The least step in σ.
const SMALLEST_STEP: f64 = 1e-7;
/// Bound on Newton iterations of one correction.
const MAX_ITERATIONS: usize = 14;
/// Longest change of the unknowns in one iteration; n is of length one.
const LONGEST_CHANGE: f64 = 0.5;
/// Change of the unknowns that counts as converged.
const CONVERGED: f64 = 4e-16;
/// Change below which iterating on is limited by rounding, when it no longer falls.
const STAGNATING: f64 = 1e-8;
/// Least cosine between predicted and corrected normal for cores that overlap.
const SAME_NORMAL: f64 = 0.995;

/// The unknowns (n, λ).
pub(super) fn solve(system: &Optimality<f64>) -> Result<Vector<f64>, NoClosestPointsReason> {
    let mut y = start(system).ok_or(NoClosestPointsReason::CoresOverlap)?;
    let (mut sigma, mut step) = (0.0, 1.0_f64);
    for _ in 0..MAX_STEPS {
        let next = f64::min(sigma + step, 1.0);
        match advance(system, sigma, &y, next) {
            Some(found) if next >= 1.0 => return Ok(found),
            Some(found) => {
                (sigma, y) = (next, found);
                step *= 3.0;
            }
            None if step < SMALLEST_STEP => break,
            None => step = 0.25 * (next - sigma),
        }
    }
    Err(NoClosestPointsReason::NotConverged)
}

/// The solution for σ = 0: ellipsoids that are points.
fn start(system: &Optimality<f64>) -> Option<Vector<f64>> {
    let to_other = if let OtherCore::Ellipsoid(_) = system.other {
        system.between
    } else {
        let local = system.other_rotation.transpose().apply(&-system.between);
        let nearest = system.other.nearest(&local);
        system.other_rotation.apply(&(nearest - local))
    };
    let distance = to_other.norm();
    (distance > 0.0 && distance.is_finite()).then(|| with_unit_normal(&to_other, distance))
}

fn with_unit_normal(n: &Vec3<f64>, distance: f64) -> Vector<f64> {
    let n = n.normalized();
    [n.x, n.y, n.z, distance]
}

fn normal(y: &Vector<f64>) -> Vec3<f64> {
    Vec3::new(y[0], y[1], y[2])
}

/// The solution at σ = `to` from that at `from`, if Newton's method finds one that can be trusted.
fn advance(system: &Optimality<f64>, from: f64, y: &Vector<f64>, to: f64) -> Option<Vector<f64>> {
    let predicted = predict(system, from, y, to - from)?;
    let at_target = shrunk(system, to);
    let found = newton(&at_target, predicted).or_else(|| newton(&at_target, *y))?;
    let is_same = normal(&found).dot(&normal(&predicted)) >= SAME_NORMAL;
    (found[3] > 0.0 || is_same).then_some(found)
}

fn shrunk(system: &Optimality<f64>, sigma: f64) -> Optimality<f64> {
    let mut shrunk = system.clone();
    shrunk.shrink = sigma;
    shrunk
}

/// y + step · dy/dσ, with a unit normal.
fn predict(system: &Optimality<f64>, sigma: f64, y: &Vector<f64>, step: f64) -> Option<Vector<f64>> {
    let here = shrunk(system, sigma);
    let mut moving = here.map(|c| Dual::constant(*c));
    moving.shrink = Dual::variable(sigma);
    let by_sigma = moving.residual(&y.map(Dual::constant)).map(|f| f.derivative);
    let rate = apply(&inverse(&transposed(&here.jacobian(y)))?, &by_sigma);
    let change = limited(rate.map(|c| -step * c));
    Some(changed(y, &change))
}

/// A change not longer than allowed.
fn limited(change: Vector<f64>) -> Vector<f64> {
    let length = length(&change);
    if length > LONGEST_CHANGE {
        change.map(|c| c * (LONGEST_CHANGE / length))
    } else {
        change
    }
}

fn length(v: &Vector<f64>) -> f64 {
    v.iter().fold(0.0, |sum, c| sum + c * c).sqrt()
}

fn changed(y: &Vector<f64>, change: &Vector<f64>) -> Vector<f64> {
    let n = normal(y) + normal(change);
    with_unit_normal(&n, y[3] + change[3])
}

/// Newton's method to rounding; `None` if it does not converge.
fn newton(system: &Optimality<f64>, mut y: Vector<f64>) -> Option<Vector<f64>> {
    let mut last = f64::INFINITY;
    for _ in 0..MAX_ITERATIONS {
        let c = inverse(&transposed(&system.jacobian(&y)))?;
        let change = apply(&c, &system.residual(&y)).map(|c| -c);
        let size = length(&change);
        if size.is_nan() {
            return None;
        }
        if size < STAGNATING && size > 0.5 * last {
            return Some(y);
        }
        y = changed(&y, &limited(change));
        if size <= CONVERGED {
            return Some(y);
        }
        last = size;
    }
    (last < STAGNATING).then_some(y)
}
