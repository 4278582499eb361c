//! Two spheres: n = (c2 − c1)/|c2 − c1|, g = |c2 − c1| − r1 − r2 [SPEC §2].
//!
//! # Guarantee
//! Closed form with the guarantee of the scalar. Concentric spheres have no normal: an error.

use dyverse_num::{Scalar, Vec3};

use super::{ClosestPoints, Found};

/// Spheres of given radii and centres.
pub(super) fn closest_points<S: Scalar>((r, p): (&S, &Vec3<S>), (s, q): (&S, &Vec3<S>)) -> Found<S> {
    ClosestPoints::from_cores((p.clone(), q.clone()), (r, s))
}
