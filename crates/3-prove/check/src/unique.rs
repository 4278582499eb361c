//! Whether the law of an impact has one solution at the most, and how far that moves with its bias: the matrix M of `impulses.rs`.
//!
//! # Method
//! In units in which G has about ones on its diagonal (Λ and γ of a contact's two tangents by the same number, so that discs stay discs). θ is searched for in doubles; then
//! M = M_c + E with |E| ≤ R entry by entry has M ⪰ s − ‖R‖_∞ if M_c − s 1 has an elimination LDLᵀ with positive D, which is done on intervals.
//!
//! # Guarantee
//! Rigorous: for all G and μ of the law.

use dyverse_enclose::TaylorModel;
use dyverse_num::Interval;

use crate::impulses::{Law, Missing};

/// Turns of the search for θ.
const TURNS: usize = 10;

/// At most one solution.
pub(crate) struct Unique {
    /// The components that are not always zero.
    active: Vec<usize>,
    /// The unit of each of them.
    units: Vec<f64>,
    /// μ of each contact in those units, at the most; by active component, 0 for normals.
    friction: Vec<f64>,
    /// σ.
    least: f64,
    count: usize,
}

impl Unique {
    /// How far components of the solution move with a change of the bias.
    pub(crate) fn reach(&self, change: &[f64]) -> Vec<f64> {
        let norm = |all: &dyn Fn(usize) -> Interval| {
            let sum = (0..self.active.len()).fold(Interval::ZERO, |sum, a| sum + all(a).squared());
            sum.sqrt()
        };
        let scaled = |a: usize| Interval::point(change[self.active[a]]) / Interval::point(self.units[a]);
        let all = norm(&scaled) + norm(&|a: usize| scaled(a) * Interval::point(self.friction[a]));
        let reach = all / Interval::point(self.least);
        let mut found = vec![0.0; self.count];
        for (a, i) in self.active.iter().enumerate() {
            found[*i] = (reach / Interval::point(self.units[a])).hi();
        }
        found
    }
}

/// The matrix M with intervals, and what it is made of.
struct Parts {
    operator: Vec<Vec<Interval>>,
    /// By contact with friction: its normal and tangents among the active components, and μ.
    rubbing: Vec<(usize, [usize; 2], Interval)>,
}

/// Shows that there is one solution at the most.
///
/// # Errors
/// Where that could not be shown.
pub(crate) fn unique(law: &Law) -> Result<Unique, Missing> {
    let (active, units) = scales(law);
    let whole = parts(law, &active, &units, &TaylorModel::bound);
    let centre = parts(law, &active, &units, &|m: &TaylorModel| {
        Interval::point(m.centre())
    });
    let theta = searched(&centre);
    let never = || {
        Missing::Never(
            "the impulses of an impact may not be unique: friction is large, or contacts are redundant"
                .into(),
        )
    };
    if certified(&centre, &theta).is_none() {
        return Err(never());
    }
    let Some(least) = certified(&whole, &theta) else {
        return Err(Missing::Wide(
            "the impulses of an impact may not be unique".into(),
        ));
    };
    let mut friction = vec![0.0; active.len()];
    for (_, tangents, mu) in &whole.rubbing {
        tangents.iter().for_each(|t| friction[*t] = mu.hi());
    }
    Ok(Unique {
        count: 3 * law.contacts(),
        active,
        units,
        friction,
        least,
    })
}

/// Active components and their units.
fn scales(law: &Law) -> (Vec<usize>, Vec<f64>) {
    let diagonal = |i: usize| {
        let own = law.operator[i][i].centre();
        if own > 0.0 { own.sqrt() } else { 1.0 }
    };
    let (mut active, mut units) = (Vec::new(), Vec::new());
    for (contact, friction) in law.friction.iter().enumerate() {
        let n = 3 * contact;
        active.push(n);
        units.push(diagonal(n));
        if friction.is_some() {
            let unit = diagonal(n + 1).max(diagonal(n + 2));
            active.extend([n + 1, n + 2]);
            units.extend([unit, unit]);
        }
    }
    (active, units)
}

fn parts(law: &Law, active: &[usize], units: &[f64], value: &dyn Fn(&TaylorModel) -> Interval) -> Parts {
    let entry = |a: usize, b: usize| {
        let unit = Interval::point(units[a]) * Interval::point(units[b]);
        value(&law.operator[active[a]][active[b]]) / unit
    };
    let all = 0..active.len();
    let operator = all.clone().map(|a| all.clone().map(|b| entry(a, b)).collect());
    let mut rubbing = Vec::new();
    for (contact, mu) in law.friction.iter().enumerate() {
        let place = active.iter().position(|i| *i == 3 * contact);
        if let (Some(mu), Some(place)) = (mu, place) {
            let unit = Interval::point(units[place + 1]) / Interval::point(units[place]);
            // A coefficient of friction is not negative: what is, is rounding.
            let mu = value(mu).intersect(&Interval::NOT_NEGATIVE) * unit;
            rubbing.push((place, [place + 1, place + 2], mu));
        }
    }
    Parts {
        operator: operator.collect(),
        rubbing,
    }
}

impl Parts {
    /// M.
    fn matrix(&self, theta: &[f64]) -> Vec<Vec<Interval>> {
        let half = Interval::point(0.5);
        let mut matrix = self.operator.clone();
        for ((normal, tangents, mu), theta) in self.rubbing.iter().zip(theta) {
            let theta = Interval::point(*theta);
            matrix[*normal][*normal] = matrix[*normal][*normal] - half * *mu * theta;
            let share = half * *mu / theta;
            for t in tangents {
                let row = &self.operator[*t];
                for i in 0..matrix.len() {
                    for j in 0..matrix.len() {
                        let product = if i == j { row[i].squared() } else { row[i] * row[j] };
                        matrix[i][j] = matrix[i][j] - share * product;
                    }
                }
            }
        }
        matrix
    }
}

/// θ for which the least eigenvalue of M is large.
fn searched(centre: &Parts) -> Vec<f64> {
    let mut theta = vec![1.0; centre.rubbing.len()];
    let value = |theta: &[f64]| least_eigenvalue(&middle(&centre.matrix(theta)));
    let mut best = value(&theta);
    let mut factor = 2.0;
    for _ in 0..TURNS {
        // One by one, then all together: contacts that are alike must move together.
        for place in 0..=theta.len() {
            for turn in [factor, 1.0 / factor] {
                let mut other = theta.clone();
                match other.get_mut(place) {
                    Some(own) => *own *= turn,
                    None => other.iter_mut().for_each(|own| *own *= turn),
                }
                let found = value(&other);
                if found > best {
                    (best, theta) = (found, other);
                }
            }
        }
        factor = f64::sqrt(factor);
    }
    theta
}

/// Middles, made symmetric.
fn middle(matrix: &[Vec<Interval>]) -> Vec<Vec<f64>> {
    let mid = |x: &Interval| x.mid().unwrap_or(f64::NAN);
    let count = matrix.len();
    let entry = |i: usize, j: usize| 0.5 * (mid(&matrix[i][j]) + mid(&matrix[j][i]));
    (0..count)
        .map(|i| (0..count).map(|j| entry(i, j)).collect())
        .collect()
}

/// A number that the least eigenvalue is above or near, in doubles.
fn least_eigenvalue(matrix: &[Vec<f64>]) -> f64 {
    let size = matrix
        .iter()
        .map(|row| row.iter().map(|x| x.abs()).sum::<f64>())
        .fold(0.0, f64::max);
    if !size.is_finite() {
        return f64::NEG_INFINITY;
    }
    let (mut low, mut high) = (-size, size);
    for _ in 0..24 {
        let middle = 0.5 * (low + high);
        let shifted = |i: usize, j: usize| matrix[i][j] - if i == j { middle } else { 0.0 };
        if is_definite(matrix.len(), &shifted) {
            low = middle
        } else {
            high = middle
        }
    }
    low
}

fn is_definite(count: usize, entry: &dyn Fn(usize, usize) -> f64) -> bool {
    let mut rows: Vec<Vec<f64>> = (0..count)
        .map(|i| (0..count).map(|j| entry(i, j)).collect())
        .collect();
    for k in 0..count {
        let pivot = rows[k][k];
        if pivot.is_nan() || pivot <= 0.0 {
            return false;
        }
        let own = rows[k].clone();
        for row in rows.iter_mut().skip(k + 1) {
            let factor = row[k] / pivot;
            row.iter_mut()
                .zip(&own)
                .skip(k + 1)
                .for_each(|(x, y)| *x -= factor * y);
        }
    }
    true
}

/// σ > 0 with M ⪰ σ.
fn certified(parts: &Parts, theta: &[f64]) -> Option<f64> {
    let matrix = parts.matrix(theta);
    // A sum of radii must not lose one that has no number.
    let is_lost = |x: &Interval| x.is_empty() || !x.is_bounded() || !x.magnitude().is_finite();
    if matrix.iter().flatten().any(is_lost) {
        return None;
    }
    let middle = middle(&matrix);
    let shift = 0.999 * least_eigenvalue(&middle);
    if shift.is_nan() || shift <= 0.0 || !eliminates(&middle, shift) {
        return None;
    }
    let radius = |i: usize, j: usize| {
        let m = Interval::point(middle[i][j]);
        (matrix[i][j] - m).magnitude().max((matrix[j][i] - m).magnitude())
    };
    let count = matrix.len();
    let norm = |i: usize| (0..count).fold(Interval::ZERO, |sum, j| sum + Interval::point(radius(i, j)));
    let rows: Vec<f64> = (0..count).map(|i| norm(i).hi()).collect();
    if !rows.iter().all(|sum| sum.is_finite()) {
        return None;
    }
    let most = rows.into_iter().fold(0.0, f64::max);
    let least = (Interval::point(shift) - Interval::point(most)).lo();
    (least > 0.0).then_some(least)
}

/// Whether a symmetric matrix less a multiple of the identity is positive definite, for certain.
fn eliminates(middle: &[Vec<f64>], shift: f64) -> bool {
    let count = middle.len();
    let mut rows: Vec<Vec<Interval>> = middle
        .iter()
        .map(|row| row.iter().map(|x| Interval::point(*x)).collect())
        .collect();
    for (i, row) in rows.iter_mut().enumerate() {
        row[i] = row[i] - Interval::point(shift);
    }
    for k in 0..count {
        let pivot = rows[k][k];
        if pivot.is_empty() || pivot.lo().is_nan() || pivot.lo() <= 0.0 {
            return false;
        }
        let own = rows[k].clone();
        for row in rows.iter_mut().skip(k + 1) {
            let factor = row[k] / pivot;
            row.iter_mut()
                .zip(&own)
                .skip(k + 1)
                .for_each(|(x, y)| *x = *x - factor * *y);
        }
    }
    true
}
