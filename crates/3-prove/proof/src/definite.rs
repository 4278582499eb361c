//! Impulses that cannot be others: a bound for how two solutions of the law of an impact may differ.
//!
//! For solutions of γ = GΛ + b, 0 ≤ Λ_N ⊥ γ_N ≥ 0, Λ_T in the disc of μΛ_N with Λ_T·γ_T = −μΛ_N|γ_T|, one with b and one with b + Δ, δ their difference:
//! normal parts have δ_N(Gδ − Δ)_N ≤ 0, tangential ones δ_T·(Gδ − Δ)_T ≤ μ|δ_N||(Gδ − Δ)_T|. Summed, with 2|ab| ≤ θa² + b²/θ,
//!
//! > δᵀ(G − ½Σμ(θ E_N + G E_T G/θ))δ ≤ δᵀΔ + Σμ|δ_N||Δ_T|.
//!
//! Impulses are counted in units 1/w, w of the diagonal of G. Where the matrix less σ has positive pivots on intervals, |δ| ≤ (|Δ| + |μΔ_T|)/σ in these units.
//!
//! # Guarantee
//! Rigorous for every G and μ in the intervals.

use dyverse_num::Interval;

/// G and μ of a law, with friction at some contacts.
pub(crate) struct Contacts {
    /// G: three components for each contact.
    pub(crate) operator: Vec<Vec<Interval>>,
    /// μ, not negative; `None` without friction.
    pub(crate) friction: Vec<Option<Interval>>,
}

/// What is known of differences.
pub(crate) struct Stiffness {
    /// w by component; 0 for those that are always zero.
    units: Vec<f64>,
    /// The largest μ in these units, for tangential components.
    friction: Vec<f64>,
    least: f64,
}

impl Stiffness {
    /// How far impulses may be apart if biases are, by component.
    pub(crate) fn apart(&self, change: &[Interval]) -> Vec<f64> {
        let (mut plain, mut rubbed) = (Interval::ZERO, Interval::ZERO);
        for ((x, w), mu) in change.iter().zip(&self.units).zip(&self.friction) {
            if *w > 0.0 {
                let own = Interval::point(x.magnitude()) / Interval::point(*w);
                plain = plain + own.squared();
                rubbed = rubbed + (own * Interval::point(*mu)).squared();
            }
        }
        let most = (plain.sqrt() + rubbed.sqrt()) / Interval::point(self.least);
        let of = |w: &f64| {
            if *w > 0.0 {
                (most / Interval::point(*w)).hi()
            } else {
                0.0
            }
        };
        self.units.iter().map(of).collect()
    }
}

impl Contacts {
    fn units(&self) -> Vec<f64> {
        let of = |i: usize| {
            self.operator[i][i]
                .mid()
                .filter(|g| *g > 0.0)
                .map_or(1.0, f64::sqrt)
        };
        let mut units = Vec::new();
        for (contact, friction) in self.friction.iter().enumerate() {
            let n = 3 * contact;
            let across = friction.map_or(0.0, |_| of(n + 1).max(of(n + 2)));
            units.extend([of(n), across, across]);
        }
        units
    }

    /// The matrix, without components that are always zero.
    fn matrix(&self, units: &[f64], theta: &[f64]) -> Vec<Vec<Interval>> {
        let active: Vec<usize> = (0..units.len()).filter(|i| units[*i] > 0.0).collect();
        let scaled =
            |i: usize, j: usize| self.operator[i][j] / Interval::point(units[i]) / Interval::point(units[j]);
        let mut matrix = Vec::with_capacity(active.len());
        for i in &active {
            let mut row = Vec::with_capacity(active.len());
            for j in &active {
                let mut entry = scaled(*i, *j);
                for (contact, mu) in self.friction.iter().enumerate() {
                    let Some(mu) = mu else { continue };
                    let n = 3 * contact;
                    let half = *mu * Interval::point(units[n + 1]) / Interval::point(units[n])
                        * Interval::point(0.5);
                    let theta = Interval::point(theta[contact]);
                    if *i == n && *j == n {
                        entry = entry - half * theta;
                    }
                    for t in [n + 1, n + 2] {
                        entry = entry - half / theta * scaled(t, *i) * scaled(t, *j);
                    }
                }
                row.push(entry);
            }
            matrix.push(row);
        }
        matrix
    }

    /// Shows that there is one solution at the most; `None` where that could not be shown.
    pub(crate) fn stiffness(&self) -> Option<Stiffness> {
        let units = self.units();
        let mut theta = vec![1.0; self.friction.len()];
        let value = |theta: &[f64]| largest_shift(&self.matrix(&units, theta));
        let mut best = value(&theta);
        for factor in [2.0, 0.5, 1.4, 0.7, 1.2, 0.85, 1.1, 0.9, 1.05, 0.95] {
            // One by one, then all together: contacts that are alike must move together.
            for contact in 0..=theta.len() {
                let mut other = theta.clone();
                match other.get_mut(contact) {
                    Some(own) => *own *= factor,
                    None => other.iter_mut().for_each(|own| *own *= factor),
                }
                let found = value(&other);
                if found > best {
                    (best, theta) = (found, other);
                }
            }
        }
        if best.is_nan() || best <= 0.0 {
            return None;
        }
        let mut friction = vec![0.0; units.len()];
        for (contact, mu) in self.friction.iter().enumerate() {
            let n = 3 * contact;
            if let Some(mu) = mu {
                let own = *mu * Interval::point(units[n + 1]) / Interval::point(units[n]);
                (friction[n + 1], friction[n + 2]) = (own.hi(), own.hi());
            }
        }
        Some(Stiffness {
            units,
            friction,
            least: best,
        })
    }
}

/// A shift of a symmetric matrix with which its pivots are still positive, as large as is soon found; not above 0 if there is none.
fn largest_shift(matrix: &[Vec<Interval>]) -> f64 {
    let (mut low, mut high) = (0.0, 2.0);
    if !has_positive_pivots(matrix, low) {
        return 0.0;
    }
    for _ in 0..16 {
        let middle = 0.5 * (low + high);
        if has_positive_pivots(matrix, middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// Gauss' elimination of all matrices at once; symmetric ones with positive pivots are positive definite.
fn has_positive_pivots(matrix: &[Vec<Interval>], shift: f64) -> bool {
    let count = matrix.len();
    let mut rows = matrix.to_vec();
    for (i, row) in rows.iter_mut().enumerate() {
        row[i] = row[i] - Interval::point(shift);
    }
    for k in 0..count {
        let pivot = rows[k][k];
        if pivot.is_empty() || !pivot.is_bounded() || pivot.lo() <= 0.0 {
            return false;
        }
        let own = rows[k].clone();
        for row in rows.iter_mut().skip(k + 1) {
            let factor = row[k] / pivot;
            for (entry, x) in row.iter_mut().zip(&own).skip(k + 1) {
                *entry = *entry - factor * *x;
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagonal(normal: f64, tangential: f64, mu: f64) -> Contacts {
        let entry = |i: usize, j: usize| match (i == j, i) {
            (false, _) => Interval::ZERO,
            (true, 0) => Interval::point(normal),
            _ => Interval::point(tangential),
        };
        Contacts {
            operator: (0..3).map(|i| (0..3).map(|j| entry(i, j)).collect()).collect(),
            friction: vec![Some(Interval::point(mu))],
        }
    }

    /// A sphere: unique for every μ in truth, shown up to 2 in units where G is the identity.
    #[test]
    fn a_sphere_has_one_impulse() {
        assert!(diagonal(1.0, 3.5, 0.3).stiffness().is_some());
        assert!(diagonal(4.0, 4.0, 3.0).stiffness().is_none());
    }

    /// Without friction the bound is that of the least eigenvalue.
    #[test]
    fn a_change_of_the_bias_moves_impulses_that_far() {
        let mut contacts = diagonal(4.0, 4.0, 0.0);
        contacts.friction = vec![None];
        let found = contacts.stiffness().unwrap();
        let apart = found.apart(&[Interval::point(0.8), Interval::ZERO, Interval::ZERO]);
        assert!(apart[0] >= 0.2 && apart[0] < 0.21, "{apart:?}");
        assert_eq!(apart[1], 0.0);
    }
}
