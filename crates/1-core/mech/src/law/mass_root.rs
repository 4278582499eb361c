//! L of one entity, where M⁻¹ = LLᵀ: in its coordinates L⁻¹u all entities are alike, however heavy or long they are, and linear systems by entities keep their digits.

use super::operator::InverseMass;

/// 1/√m, and the Cholesky factor of the inverse inertia, (xx, yx, yy, zx, zy, zz). What does not turn about an axis has a zero there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MassRoot {
    linear: f64,
    angular: [f64; 6],
}

impl MassRoot {
    pub(crate) fn of(mass: &InverseMass<f64>) -> Self {
        let rows = &mass.inverse_inertia.rows;
        let root = |value: f64| value.max(0.0).sqrt();
        let xx = root(rows.x.x);
        let (yx, zx) = (part(rows.y.x, xx), part(rows.z.x, xx));
        let yy = root(rows.y.y - yx * yx);
        let zy = part(rows.z.y - zx * yx, yy);
        let zz = root(rows.z.z - zx * zx - zy * zy);
        Self {
            linear: root(mass.inverse_mass),
            angular: [xx, yx, yy, zx, zy, zz],
        }
    }

    /// Lᵀ f.
    pub(crate) fn transposed(&self, f: &[f64; 6]) -> [f64; 6] {
        let [xx, yx, yy, zx, zy, zz] = self.angular;
        let push = |k: usize| self.linear * f[k];
        [
            push(0),
            push(1),
            push(2),
            xx * f[3] + yx * f[4] + zx * f[5],
            yy * f[4] + zy * f[5],
            zz * f[5],
        ]
    }

    /// L⁻¹ u, for a u that L can make.
    pub(crate) fn inverse(&self, u: &[f64; 6]) -> [f64; 6] {
        let [xx, yx, yy, zx, zy, zz] = self.angular;
        let along = |k: usize| part(u[k], self.linear);
        let x = part(u[3], xx);
        let y = part(u[4] - yx * x, yy);
        let z = part(u[5] - zx * x - zy * y, zz);
        [along(0), along(1), along(2), x, y, z]
    }
}

/// A quotient; 0 by 0.
fn part(value: f64, by: f64) -> f64 {
    if by > 0.0 { value / by } else { 0.0 }
}
