//! Which faces, edges or corners of two boxes are closest, in doubles.
//!
//! # Method
//! Segments and points are boxes with sizes zero. Points of two boxes are x1 = p − Σ fₖ wₖ (k < 3) and
//! x2 = q + Σ fₖ wₖ (k ≥ 3), |fₖ| ≤ 1, with the half axes −wₖ and wₖ, so the distance is the least of
//! |d + Σ fₖ wₖ|, d = q − p: least squares with bounds. The active set method [Stark and Parker 1995, BVLS]
//! keeps a set of free fractions and solves for them; if that leaves the bounds, it goes as far as
//! the first bound and holds that fraction there; else it frees the held fraction whose gradient is worst. The
//! distance falls with every solution, so no set comes twice and the method ends, from any start.
//! All fractions are first held at 0. A fraction along an axis that depends on the free ones has no
//! gradient and is never freed: parallel faces keep one box's point where it is, which makes a unique choice.
//!
//! # Guarantee
//! To rounding: on return no fraction can lower the distance by more than 1e-14 of the scene. Terminates;
//! gives nothing if the boxes meet or numbers are not finite.

use dyverse_num::{Mat3, Vec3};

/// Gradient below which a fraction is left alone, relative to the size of the scene: a few roundings.
const TOLERANCE: f64 = 2e-15;
/// Bound on the sets tried; random pairs take up to about ten.
const MAX_SETS: usize = 200;

/// What a fraction does at the closest pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fraction {
    /// Lies where the difference of the points is across the axis.
    Free(f64),
    /// Is held here: at a bound −1 or 1, or inside it when moving it would not help.
    Held(f64),
}

impl Fraction {
    pub(super) fn value(self) -> f64 {
        match self {
            Self::Free(value) | Self::Held(value) => value,
        }
    }

    fn is_free(self) -> bool {
        matches!(self, Self::Free(_))
    }
}

/// The fractions of the closest pair; `None` if the cores meet.
pub(super) fn closest_fractions(d: &Vec3<f64>, axes: &[Vec3<f64>; 6]) -> Option<[Fraction; 6]> {
    let scale = axes.iter().fold(d.norm(), |sum, w| sum + w.norm());
    let mut fractions = [Fraction::Held(0.0); 6];
    for _ in 0..MAX_SETS {
        settle(d, axes, &mut fractions)?;
        let r = difference(d, axes, &fractions);
        if r.norm().is_nan() || r.norm() <= 10.0 * TOLERANCE * scale {
            return None;
        }
        match worst(&r, axes, &fractions, TOLERANCE * scale) {
            Some(k) => fractions[k] = Fraction::Free(fractions[k].value()),
            None => return Some(fractions),
        }
    }
    None
}

/// d + Σ fₖ wₖ.
fn difference(d: &Vec3<f64>, axes: &[Vec3<f64>; 6], fractions: &[Fraction; 6]) -> Vec3<f64> {
    axes.iter()
        .zip(fractions)
        .fold(*d, |sum, (w, fraction)| sum + w.scale(&fraction.value()))
}

/// The held fraction that most wants to move, if any.
fn worst(r: &Vec3<f64>, axes: &[Vec3<f64>; 6], fractions: &[Fraction; 6], tolerance: f64) -> Option<usize> {
    let slope = |k: usize| r.dot(&axes[k]) / axes[k].norm();
    let gain = |k: usize| match fractions[k] {
        Fraction::Held(f) if f >= 1.0 => slope(k),
        Fraction::Held(f) if f <= -1.0 => -slope(k),
        Fraction::Held(_) => slope(k).abs(),
        Fraction::Free(_) => 0.0,
    };
    (0..6)
        .map(|k| (k, gain(k)))
        .filter(|(_, gain)| *gain > tolerance)
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(k, _)| k)
}

/// Solves for the free fractions, holding those that meet a bound on the way.
fn settle(d: &Vec3<f64>, axes: &[Vec3<f64>; 6], fractions: &mut [Fraction; 6]) -> Option<()> {
    for _ in 0..6 {
        let target = best_free(d, axes, fractions)?;
        let share = |k: usize| share_to_bound(fractions[k], target[k]);
        let first = (0..6)
            .filter(|k| fractions[*k].is_free())
            .map(|k| (k, share(k)))
            .filter(|(_, share)| *share < 1.0)
            .min_by(|a, b| a.1.total_cmp(&b.1));
        let reach = first.map_or(1.0, |(_, share)| share);
        for k in 0..6 {
            if let Fraction::Free(from) = fractions[k] {
                fractions[k] = Fraction::Free(from + reach * (target[k] - from));
            }
        }
        let Some((k, _)) = first else { return Some(()) };
        fractions[k] = Fraction::Held(if target[k] > 0.0 { 1.0 } else { -1.0 });
    }
    Some(())
}

/// The share of the way to `target` at which a free fraction meets its bound; 1 or more if it does not.
fn share_to_bound(fraction: Fraction, target: f64) -> f64 {
    let from = fraction.value();
    if target.abs() <= 1.0 {
        1.0
    } else {
        ((target.signum() - from) / (target - from)).max(0.0)
    }
}

/// The free fractions that minimise |d + Σ fₖ wₖ|. Three make it vanish: then either a bound is met on the way,
/// or the boxes meet. Four are never free, since the gradient of three is zero on every axis.
fn best_free(d: &Vec3<f64>, axes: &[Vec3<f64>; 6], fractions: &[Fraction; 6]) -> Option<[f64; 6]> {
    let held = (0..6)
        .filter(|k| !fractions[*k].is_free())
        .fold(*d, |sum, k| sum + axes[k].scale(&fractions[k].value()));
    let mut free = (0..6).filter(|k| fractions[*k].is_free());
    let mut best = [0.0; 6];
    match (free.next(), free.next(), free.next()) {
        (None, ..) => {}
        (Some(i), None, _) => best[i] = -held.dot(&axes[i]) / axes[i].norm_squared(),
        (Some(i), Some(j), None) => {
            let (w, v) = (axes[i], axes[j]);
            let across = v - w.scale(&(v.dot(&w) / w.norm_squared()));
            best[j] = -held.dot(&across) / across.norm_squared();
            best[i] = -(held + v.scale(&best[j])).dot(&w) / w.norm_squared();
        }
        (Some(i), Some(j), Some(k)) if free.next().is_none() => {
            let whole = Mat3::from_columns(axes[i], axes[j], axes[k]);
            let solution = whole.inverse().apply(&-held);
            (best[i], best[j], best[k]) = (solution.x, solution.y, solution.z);
        }
        _ => return None,
    }
    Some(best)
}
