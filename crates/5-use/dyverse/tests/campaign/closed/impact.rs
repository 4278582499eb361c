//! Impacts on a line, from the laws themselves [SPEC §2, §5]: Newton's at all contacts together, one collision after the other, Poisson's.
//!
//! With γ = Wᵀu the gap rates and G = WᵀM⁻¹W: 0 ≤ Λ ⟂ γ⁺ + e γ⁻ ≥ 0, solved by trying which contacts act. Poisson: compression (e = 0), then Λ ≥ e Λ_c, γ⁺ ≥ 0, and
//! one of the two with equality at each contact.

use super::real::{ONE, Real, ZERO};
use std::cmp::Ordering;

/// Collisions at one instant at the most.
const MOST_COLLISIONS: usize = 12;

/// A contact of bodies on a line: γ = Σ w_i v_i.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) first: Option<usize>,
    pub(crate) second: Option<usize>,
    pub(crate) restitution: Real,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Law {
    Newton,
    Poisson,
    /// The first closing contact of the list, again and again.
    First,
    /// Any closing contact.
    Any,
}

impl Pair {
    /// Its gap rate.
    pub(crate) fn rate(&self, v: &[Real]) -> Real {
        let of = |body: Option<usize>| body.map_or(ZERO, |b| v[b]);
        of(self.second) - of(self.first)
    }

    fn weight(&self, body: usize) -> Real {
        if self.first == Some(body) {
            -ONE
        } else if self.second == Some(body) {
            ONE
        } else {
            ZERO
        }
    }
}

fn delassus(pairs: &[&Pair], masses: &[Real]) -> Vec<Vec<Real>> {
    let entry = |a: &Pair, b: &Pair| {
        let each = masses.iter().enumerate();
        each.fold(ZERO, |sum, (body, m)| sum + a.weight(body) * b.weight(body) / *m)
    };
    pairs
        .iter()
        .map(|a| pairs.iter().map(|b| entry(a, b)).collect())
        .collect()
}

/// Whether a number is zero (or far from it).
fn is_zero(value: Real) -> bool {
    value.abs().f64() < 1e-20
}

fn is_negative(value: Real) -> bool {
    value < ZERO && !is_zero(value)
}

/// A x = b by elimination; `None` if A is singular.
fn solved(mut a: Vec<Vec<Real>>, mut b: Vec<Real>) -> Option<Vec<Real>> {
    let n = b.len();
    for k in 0..n {
        let by_size = |i: &usize, j: &usize| {
            let size = |r: usize| a[r][k].abs();
            size(*i).partial_cmp(&size(*j)).unwrap_or(Ordering::Equal)
        };
        let pivot = (k..n).max_by(by_size)?;
        if is_zero(a[pivot][k]) {
            return None;
        }
        a.swap(k, pivot);
        b.swap(k, pivot);
        for row in k + 1..n {
            let factor = a[row][k] / a[k][k];
            for column in k..n {
                let part = factor * a[k][column];
                a[row][column] = a[row][column] - part;
            }
            b[row] = b[row] - factor * b[k];
        }
    }
    let mut x = vec![ZERO; n];
    for k in (0..n).rev() {
        let rest = (k + 1..n).fold(b[k], |rest, j| rest - a[k][j] * x[j]);
        x[k] = rest / a[k][k];
    }
    Some(x)
}

/// 0 ≤ Λ − floor ⟂ q + G (Λ) ≥ 0.
fn complementary(g: &[Vec<Real>], q: &[Real], floor: &[Real]) -> Option<Vec<Real>> {
    let n = q.len();
    for acting in 0..1_usize << n {
        let active: Vec<usize> = (0..n).filter(|j| acting >> j & 1 == 1).collect();
        // Those that do not act have their floor.
        let of_floor = |j: usize| {
            let rest = (0..n).filter(|k| !active.contains(k));
            rest.fold(q[j], |sum, k| sum + g[j][k] * floor[k])
        };
        let a: Vec<Vec<Real>> = active
            .iter()
            .map(|i| active.iter().map(|j| g[*i][*j]).collect())
            .collect();
        let b: Vec<Real> = active.iter().map(|j| -of_floor(*j)).collect();
        let Some(found) = solved(a, b) else { continue };
        let mut impulses = floor.to_vec();
        for (j, value) in active.iter().zip(found) {
            impulses[*j] = value;
        }
        let after = |j: usize| (0..n).fold(q[j], |sum, k| sum + g[j][k] * impulses[k]);
        let fits = (0..n).all(|j| !is_negative(impulses[j] - floor[j]) && !is_negative(after(j)));
        if fits {
            return Some(impulses);
        }
    }
    None
}

fn pushed(v: &[Real], pairs: &[&Pair], masses: &[Real], impulses: &[Real]) -> Vec<Real> {
    let mut after = v.to_vec();
    for (pair, impulse) in pairs.iter().zip(impulses) {
        for (body, speed) in after.iter_mut().enumerate() {
            *speed = *speed + pair.weight(body) * *impulse / masses[body];
        }
    }
    after
}

/// All ways in which an impact may go: velocities after each of its microsteps. `pairs` are the contacts whose gap is zero, in the model's order. `None` if it does not
/// end, or if rates are too close to zero to say.
pub(crate) fn impact(law: Law, pairs: &[Pair], masses: &[Real], v: &[Real]) -> Option<Vec<Vec<Vec<Real>>>> {
    match law {
        Law::Newton | Law::Poisson => {
            let held: Vec<&Pair> = pairs.iter().filter(|p| !is_opening(p.rate(v))).collect();
            let g = delassus(&held, masses);
            let rates: Vec<Real> = held.iter().map(|p| p.rate(v)).collect();
            let nothing = vec![ZERO; held.len()];
            let impulses = if law == Law::Newton {
                let each = held.iter().zip(&rates);
                let q: Vec<Real> = each.map(|(p, rate)| (ONE + p.restitution) * *rate).collect();
                complementary(&g, &q, &nothing)?
            } else {
                let compressed = complementary(&g, &rates, &nothing)?;
                let between = pushed(v, &held, masses, &compressed);
                let q: Vec<Real> = held.iter().map(|p| p.rate(&between)).collect();
                let each = held.iter().zip(&compressed);
                let floor: Vec<Real> = each.map(|(p, c)| p.restitution * *c).collect();
                let restored = complementary(&g, &q, &floor)?;
                compressed.iter().zip(restored).map(|(c, r)| *c + r).collect()
            };
            let after = pushed(v, &held, masses, &impulses);
            // A contact that was opening may be closed by the others: a second impact at the same instant, of which the laws say nothing.
            let is_done = pairs.iter().all(|p| !is_negative(p.rate(&after)));
            is_done.then(|| vec![vec![after]])
        }
        Law::First | Law::Any => {
            let mut done = Vec::new();
            let mut open: Vec<Vec<Vec<Real>>> = vec![vec![]];
            while let Some(path) = open.pop() {
                let now = path.last().map_or(v, Vec::as_slice);
                let closing: Vec<&Pair> = pairs.iter().filter(|p| is_negative(p.rate(now))).collect();
                if pairs.iter().any(|p| is_unclear(p.rate(now))) {
                    return None;
                }
                // Whether contacts that were opening at first belong to the impact is not settled.
                if closing.iter().any(|p| is_opening(p.rate(v))) {
                    return None;
                }
                if closing.is_empty() {
                    done.push(path);
                    continue;
                }
                if path.len() >= MOST_COLLISIONS || done.len() + open.len() > 24 {
                    return None;
                }
                let count = if law == Law::First { 1 } else { closing.len() };
                for pair in &closing[..count] {
                    let g = delassus(&[pair], masses);
                    let impulse = -(ONE + pair.restitution) * pair.rate(now) / g[0][0];
                    let mut longer = path.clone();
                    longer.push(pushed(now, &[pair], masses, &[impulse]));
                    open.push(longer);
                }
            }
            Some(done)
        }
    }
}

/// Near the speeds that count as none.
pub(crate) fn is_unclear(rate: Real) -> bool {
    let size = rate.abs().f64();
    size > 1e-18 && size < 1e-5
}

fn is_opening(rate: Real) -> bool {
    rate > ZERO && !is_zero(rate)
}
