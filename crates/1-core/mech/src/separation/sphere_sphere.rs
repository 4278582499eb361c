//! Gap between two spheres: g = |c₂ − c₁| − r₁ − r₂ [P, mechanics].
//!
//! # Guarantee
//! Closed form with the guarantee of the scalar.

use dyverse_num::{Scalar, Vec3};

/// Gap between spheres of radii `r` and `s` centred at `p` and `q`.
pub(super) fn gap<S: Scalar>(r: &S, p: &Vec3<S>, s: &S, q: &Vec3<S>) -> S {
    (q.clone() - p.clone()).norm() - r.clone() - s.clone()
}
