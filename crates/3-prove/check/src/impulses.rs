//! Impacts whose impulses have no closed form: all of them, mode by mode, as Taylor models.
//!
//! With γ = GΛ + b, 0 ≤ Λ_N ⊥ γ_N ≥ 0, |Λ_T| ≤ μΛ_N and Λ_T·γ_T = −μΛ_N|γ_T| at every contact (Newton's law with Coulomb's, any e_N and e_T: they are in b alone).
//!
//! # One solution
//! Two solutions (Λ, γ), (Λ′, γ′) of the laws with b and b + Δ, the same G and μ; δ = Λ − Λ′. Complementarity gives δ_N (γ_N − γ_N′) ≤ 0, maximal dissipation
//! δ_T·(γ_T − γ_T′) ≤ −μ (Λ_N − Λ_N′)(|γ_T| − |γ_T′|) ≤ μ |δ_N| |γ_T − γ_T′|, so with γ − γ′ = Gδ − Δ and |ab| ≤ (θa² + b²/θ)/2
//!
//! > δᵀMδ ≤ δᵀΔ + Σ_j μ_j |δ_Nj| |Δ_Tj|,  M = G − ½ Σ_j μ_j (θ_j E_Nj + G E_Tj G/θ_j).
//!
//! If M ⪰ σ > 0 for some θ there is one solution at the most (Δ = 0), whatever the modes, and |δ| ≤ (|Δ| + |(μ_jΔ_Tj)_j|)/σ: `unique.rs`.
//!
//! # Enclosure
//! Sweeps at the centre of the box propose modes m; Krawczyk's inclusion gives the root of their equations for all unknowns of the box ([`Branch::root`]). Where its signs
//! are those of the law it *is* the impact. Where they are broken by something, the root moved into its cones is a solution for b + Δ, Δ as large as what is broken; so
//! the impact is within what the bound says of that, and each assignment is contracted there: to nothing, or to what is followed.
//!
//! # Guarantee
//! Rigorous: for every unknown of the box, every solution of the law is among the impulses of a jump that is not left out.

use std::rc::Rc;

use dyverse_enclose::{Branch, Equations, Formulas, TaylorModel, Undefined};
use dyverse_expr::{NodeId, Pool};
use dyverse_formulas::{ImpactRow, ImpulseLaw, RecordedLaw, Row};
use dyverse_num::Interval;

use crate::unique::{Unique, unique};

/// Below zero by no more than this, a coefficient of friction is one that its enclosure widens.
const ROUNDING: f64 = 1e-12;
/// Sweeps at the centre, at the most.
const SWEEPS: usize = 5000;

/// The law on the states at hand.
pub(crate) struct Law {
    /// G.
    pub(crate) operator: Vec<Vec<TaylorModel>>,
    /// b, three components for each contact.
    pub(crate) bias: Vec<TaylorModel>,
    pub(crate) friction: Vec<Option<TaylorModel>>,
}

/// Why the impulses of a box are not enclosed.
pub(crate) enum Missing {
    /// For no box, however small.
    Never(String),
    /// Smaller boxes may do.
    Wide(String),
}

impl From<Undefined> for Missing {
    fn from(why: Undefined) -> Self {
        Missing::Wide(why.to_string())
    }
}

/// [−r, r]; everything if r is no number.
fn symmetric(r: f64) -> Interval {
    Interval::new(-r, r).unwrap_or(Interval::ENTIRE)
}

/// How far below zero something may be; without end where nothing is known.
fn below(range: Interval) -> f64 {
    if range.is_empty() || range.lo().is_nan() {
        return f64::INFINITY;
    }
    (-range.lo()).max(0.0)
}

impl Law {
    /// # Errors
    /// Where something is not defined on the set.
    pub(crate) fn new(
        pool: &Pool,
        law: &ImpulseLaw,
        states: &[TaylorModel],
        unknowns: &[TaylorModel],
    ) -> Result<Self, Missing> {
        let count = 3 * law.bias.len();
        let nodes: Vec<_> = law
            .operator
            .iter()
            .flatten()
            .chain(law.bias.iter().flatten())
            .chain(law.friction.iter().flatten())
            .copied()
            .collect();
        let mut values = Formulas::new(pool, &nodes).on(states, unknowns)?.into_iter();
        let operator = (0..count)
            .map(|_| values.by_ref().take(count).collect())
            .collect();
        let bias = values.by_ref().take(count).collect();
        let mut friction = Vec::with_capacity(law.friction.len());
        for own in &law.friction {
            friction.push(match own {
                None => None,
                Some(_) => match values.next() {
                    Some(mu) => Some(mu),
                    None => unreachable!("bug: a coefficient of friction without a value"),
                },
            });
        }
        if friction.iter().flatten().any(|mu| mu.bound().lo() < -ROUNDING) {
            return Err(Missing::Wide("a coefficient of friction may be negative".into()));
        }
        Ok(Law {
            operator,
            bias,
            friction,
        })
    }

    pub(crate) fn contacts(&self) -> usize {
        self.friction.len()
    }

    fn zero(&self) -> TaylorModel {
        TaylorModel::constant(self.bias[0].basis(), Interval::ZERO)
    }

    /// γ.
    fn gamma(&self, impulses: &[TaylorModel]) -> Vec<TaylorModel> {
        let row = |(row, b): (&Vec<TaylorModel>, &TaylorModel)| {
            row.iter()
                .zip(impulses)
                .fold(b.clone(), |sum, (g, l)| &sum + &(g * l))
        };
        self.operator.iter().zip(&self.bias).map(row).collect()
    }

    /// Impulses at the centre, nearly, by sweeps [SPEC §4].
    fn swept(&self) -> Vec<f64> {
        let count = self.bias.len();
        let g: Vec<Vec<f64>> = self
            .operator
            .iter()
            .map(|row| row.iter().map(TaylorModel::centre).collect())
            .collect();
        let b: Vec<f64> = self.bias.iter().map(TaylorModel::centre).collect();
        let mut impulses = vec![0.0; count];
        for _ in 0..SWEEPS {
            let mut change: f64 = 0.0;
            let residual = |impulses: &[f64], i: usize| {
                b[i] + g[i].iter().zip(impulses).map(|(g, l)| g * l).sum::<f64>()
            };
            for contact in 0..self.contacts() {
                let n = 3 * contact;
                let old = [impulses[n], impulses[n + 1], impulses[n + 2]];
                impulses[n] = (impulses[n] - residual(&impulses, n) / g[n][n]).max(0.0);
                if let Some(mu) = &self.friction[contact] {
                    let step = 1.0 / (g[n + 1][n + 1].max(g[n + 2][n + 2]) + g[n + 1][n + 2].abs());
                    let free = [1, 2].map(|k| impulses[n + k] - step * residual(&impulses, n + k));
                    let (size, limit) = (free[0].hypot(free[1]), mu.centre() * impulses[n]);
                    let share = if size > limit { limit / size } else { 1.0 };
                    impulses[n + 1] = share * free[0];
                    impulses[n + 2] = share * free[1];
                }
                for k in 0..3 {
                    change = change.max((impulses[n + k] - old[k]).abs());
                }
            }
            let size = impulses.iter().fold(0.0, |m: f64, l| m.max(l.abs()));
            if change <= 1e-14 * size {
                break;
            }
        }
        impulses
    }

    /// The modes that some impulses at the centre seem to have.
    fn proposed(&self, impulses: &[f64]) -> Vec<ImpactRow> {
        let size = impulses.iter().fold(0.0, |m: f64, l| m.max(l.abs()));
        let mode = |contact: usize| {
            let n = 3 * contact;
            let [normal, x, y] = [impulses[n], impulses[n + 1], impulses[n + 2]];
            match &self.friction[contact] {
                _ if normal <= 1e-9 * size => Row::Open,
                None => Row::Smooth,
                Some(mu) if x.hypot(y) < mu.centre() * normal * (1.0 - 1e-9) => Row::Stick,
                Some(_) => Row::Against,
            }
        };
        (0..self.contacts()).map(mode).collect()
    }
}

/// The law with rows given, as it was recorded, on the numbers of a box.
struct Frozen {
    /// G, b and μ.
    numbers: Vec<TaylorModel>,
    impulses: Formulas,
    equations: Formulas,
    slopes: Formulas,
}

impl Frozen {
    fn new(law: &Law, rows: &[ImpactRow]) -> Result<Self, Missing> {
        let recorded = RecordedLaw::new(rows).map_err(|obstacle| Missing::Never(obstacle.what))?;
        let zero = law.zero();
        let friction = law.friction.iter().map(|mu| mu.as_ref().unwrap_or(&zero));
        let numbers = law.operator.iter().flatten().chain(&law.bias).chain(friction);
        let formulas = |nodes: &[NodeId]| Formulas::new(&recorded.pool, nodes);
        Ok(Frozen {
            numbers: numbers.cloned().collect(),
            impulses: formulas(&recorded.impulses),
            equations: formulas(&recorded.equations),
            slopes: formulas(&recorded.slopes),
        })
    }

    fn impulses(&self, y: &[TaylorModel]) -> Result<Vec<TaylorModel>, Undefined> {
        self.impulses.on(&self.numbers, y)
    }
}

impl Equations for Frozen {
    fn values(&self, y: &[TaylorModel]) -> Result<Vec<TaylorModel>, Undefined> {
        self.equations.on(&self.numbers, y)
    }

    fn slopes(&self, y: &[TaylorModel]) -> Result<Vec<Vec<TaylorModel>>, Undefined> {
        let all = self.slopes.on(&self.numbers, y)?;
        Ok(all.chunks(y.len().max(1)).map(<[TaylorModel]>::to_vec).collect())
    }
}

/// All impulses of a box.
pub(crate) struct Cover {
    pub(crate) of: Rc<ImpulseLaw>,
    law: Law,
    /// Contain every solution.
    impulses: Vec<TaylorModel>,
    /// The modes and auxiliaries of all solutions, where one assignment has them all.
    only: Option<(Vec<ImpactRow>, Vec<TaylorModel>)>,
}

impl Cover {
    /// # Errors
    /// Where solutions may not be unique, or could not be enclosed.
    pub(crate) fn new(of: Rc<ImpulseLaw>, law: Law) -> Result<Self, Missing> {
        let unique = unique(&law)?;
        let near = law.swept();
        let modes = law.proposed(&near);
        let frozen = Frozen::new(&law, &modes)?;
        let missing = |why: dyverse_enclose::NoRoot| Missing::Wide(format!("impulses of an impact: {why}"));
        let start = started(&modes, &near);
        let branch = Branch::near(&frozen, &start, &law.bias[0]).map_err(missing)?;
        let y = branch.around(&branch.root().map_err(missing)?);
        let impulses = frozen.impulses(&y)?;
        let broken = broken(&law, &modes, &impulses, &y);
        let only = broken.is_nothing().then(|| (modes.clone(), y));
        let radii = broken.reach(&law, &unique);
        let impulses = impulses.iter().zip(radii).map(|(l, r)| l.widened(symmetric(r)));
        let impulses: Vec<TaylorModel> = impulses.collect();
        if impulses.iter().any(|l| !l.is_finite()) {
            return Err(Missing::Wide("impulses of an impact are not bounded".into()));
        }
        Ok(Cover {
            of,
            impulses,
            only,
            law,
        })
    }

    /// Whether one assignment of modes has all solutions.
    pub(crate) fn is_certain(&self) -> bool {
        self.only.is_some()
    }

    /// The auxiliaries of all solutions with some modes; `None` if there are none.
    pub(crate) fn auxiliaries(&self, modes: &[ImpactRow], count: usize) -> Option<Vec<TaylorModel>> {
        if let Some((own, y)) = &self.only {
            return (own == modes).then(|| y[..count].to_vec());
        }
        if !self.may_be(modes) {
            return None;
        }
        // A closed form has its own formulas.
        if count == 0 {
            return Some(Vec::new());
        }
        let region = self.region(modes);
        let Ok(frozen) = Frozen::new(&self.law, modes) else {
            return Some(region);
        };
        let start: Option<Vec<f64>> = region.iter().map(|y| y.bound().mid()).collect();
        let branch = start.map(|start| Branch::near(&frozen, &start, &self.law.bias[0]));
        let Some(Ok(branch)) = branch else {
            return Some(region);
        };
        let deviation: Vec<Interval> = region
            .iter()
            .zip(branch.polynomials())
            .map(|(y, p)| (y - p).bound())
            .collect();
        let tight = branch.contracted(&deviation)?;
        // P + D may be wider than the region where nothing was gained.
        let better = |((y, p), d): ((&TaylorModel, TaylorModel), &Interval)| {
            if d.width() < y.remainder().width() {
                p
            } else {
                y.clone()
            }
        };
        let models = branch.around(&tight);
        Some(region.iter().zip(models).zip(&tight).map(better).collect())
    }

    /// Whether signs allow some modes.
    fn may_be(&self, modes: &[ImpactRow]) -> bool {
        let gamma = self.law.gamma(&self.impulses);
        if gamma.iter().any(|x| !x.is_finite()) {
            return true;
        }
        let has_zero = |x: &TaylorModel| x.bound().contains(0.0);
        modes.iter().copied().enumerate().all(|(contact, mode)| {
            let n = 3 * contact;
            let [l, lx, ly] = [0, 1, 2].map(|k| &self.impulses[n + k]);
            let is_closed = l.bound().hi() >= 0.0 && has_zero(&gamma[n]);
            let margin = self.law.friction[contact].as_ref().map(|mu| {
                let limit = mu * l;
                (&(&limit * &limit) - &(&(lx * lx) + &(ly * ly))).bound()
            });
            match mode {
                Row::Open => has_zero(l) && has_zero(lx) && has_zero(ly) && gamma[n].bound().hi() >= 0.0,
                Row::Smooth => is_closed,
                Row::Stick => {
                    let is_inside = margin.is_none_or(|m| m.hi() >= 0.0);
                    is_closed && is_inside && has_zero(&gamma[n + 1]) && has_zero(&gamma[n + 2])
                }
                Row::Against => is_closed && margin.is_none_or(|m| m.contains(0.0)),
            }
        })
    }

    /// Where auxiliaries are, as the impulses are where they are.
    fn region(&self, modes: &[ImpactRow]) -> Vec<TaylorModel> {
        let gamma = self.law.gamma(&self.impulses);
        let mut all = Vec::new();
        for (contact, mode) in modes.iter().enumerate() {
            let n = 3 * contact;
            let own = &self.impulses[n..n + 3];
            match (mode, &self.law.friction[contact]) {
                (Row::Open, _) => {}
                (Row::Against, Some(mu)) => {
                    all.push(own[0].clone());
                    all.extend(direction(mu, own, &gamma[n..n + 3]));
                }
                (Row::Stick, _) => all.extend(own.iter().cloned()),
                _ => all.push(own[0].clone()),
            }
        }
        all
    }
}

/// The direction of slip: against the impulse, and along γ_T; whichever says more.
fn direction(mu: &TaylorModel, impulse: &[TaylorModel], gamma: &[TaylorModel]) -> [TaylorModel; 2] {
    let whole = || TaylorModel::constant(mu.basis(), symmetric(1.0));
    let against = || -> Result<[TaylorModel; 2], Undefined> {
        let share = (mu * &impulse[0]).inverse()?;
        let minus = |l: &TaylorModel| &(l * &share) * Interval::point(-1.0);
        Ok([minus(&impulse[1]), minus(&impulse[2])])
    };
    let along = || -> Result<[TaylorModel; 2], Undefined> {
        let square = &(&gamma[1] * &gamma[1]) + &(&gamma[2] * &gamma[2]);
        let share = square.root()?.inverse()?;
        Ok([&gamma[1] * &share, &gamma[2] * &share])
    };
    let width = |d: &[TaylorModel; 2]| d[0].remainder().width().max(d[1].remainder().width());
    let mut best = [whole(), whole()];
    for found in [along(), against()].into_iter().flatten() {
        if width(&found).total_cmp(&width(&best)).is_le() {
            best = found;
        }
    }
    best
}

/// Auxiliaries of impulses at the centre.
fn started(modes: &[ImpactRow], impulses: &[f64]) -> Vec<f64> {
    let mut all = Vec::new();
    for (contact, mode) in modes.iter().copied().enumerate() {
        let [n, x, y] = [0, 1, 2].map(|k| impulses[3 * contact + k]);
        match mode {
            Row::Open => {}
            Row::Smooth => all.push(n),
            Row::Stick => all.extend([n, x, y]),
            Row::Against => {
                let size = x.hypot(y);
                let size = if size > 0.0 { size } else { 1.0 };
                all.extend([n, -x / size, -y / size]);
            }
        }
    }
    all
}

/// How far a root of equations is from the signs of the law, for each component: how far its impulses must move (`moved`) into their cones, and γ then (`changed`).
struct Broken {
    moved: Vec<f64>,
    changed: Vec<f64>,
}

impl Broken {
    fn is_nothing(&self) -> bool {
        self.moved.iter().chain(&self.changed).all(|x| *x == 0.0)
    }

    /// How far the solution is from the root, by component.
    fn reach(&self, law: &Law, unique: &Unique) -> Vec<f64> {
        if self.is_nothing() {
            return self.moved.clone();
        }
        // Δ = (γ of the solution for b + Δ) − γ of the root − G (what impulses moved by).
        let change = |i: usize| {
            let pushed = law.operator[i].iter().zip(&self.moved);
            pushed.fold(Interval::point(self.changed[i]), |sum, (g, m)| {
                sum + Interval::point(g.bound().magnitude()) * Interval::point(*m)
            })
        };
        let change: Vec<f64> = (0..self.moved.len()).map(|i| change(i).hi()).collect();
        let reach = unique.reach(&change);
        let sum = |(a, b): (&f64, f64)| (Interval::point(*a) + Interval::point(b)).hi();
        self.moved.iter().zip(reach).map(sum).collect()
    }
}

fn broken(law: &Law, modes: &[ImpactRow], impulses: &[TaylorModel], y: &[TaylorModel]) -> Broken {
    let gamma = law.gamma(impulses);
    let (mut moved, mut changed) = (vec![0.0; impulses.len()], vec![0.0; impulses.len()]);
    let mut first = 0;
    for (contact, mode) in modes.iter().enumerate() {
        let (n, at) = (3 * contact, first);
        first += mode.unknowns();
        let [l, lx, ly] = [0, 1, 2].map(|k| &impulses[n + k]);
        let lacking = below(l.bound());
        match (mode, &law.friction[contact]) {
            // Whatever γ_T, no friction belongs to no pressure.
            (Row::Open, _) => changed[n] = below(gamma[n].bound()),
            (Row::Stick, Some(mu)) => {
                moved[n] = lacking;
                let limit = mu * l;
                let outside = below((&(&limit * &limit) - &(&(lx * lx) + &(ly * ly))).bound());
                // |Λ_T| − μΛ_N = (|Λ_T|² − μ²Λ_N²) / (|Λ_T| + μΛ_N), at most the root of the numerator.
                let least = limit.bound().lo();
                let over = Interval::point(outside);
                let along = |lt: &TaylorModel| {
                    if lacking > 0.0 {
                        lt.bound().magnitude()
                    } else if least > 0.0 {
                        (over / Interval::point(least)).hi().min(over.sqrt().hi())
                    } else {
                        over.sqrt().hi()
                    }
                };
                (moved[n + 1], moved[n + 2]) = (along(lx), along(ly));
            }
            (Row::Against, Some(mu)) => {
                moved[n] = lacking;
                let friction = (mu.bound().abs() * Interval::point(lacking)).hi();
                let (c, s) = (&y[at + 1], &y[at + 2]);
                // c² + s² = 1 for the root.
                (moved[n + 1], moved[n + 2]) = (friction, friction);
                let backwards = below((&(&gamma[n + 1] * c) + &(&gamma[n + 2] * s)).bound());
                (changed[n + 1], changed[n + 2]) = (backwards, backwards);
            }
            _ => moved[n] = lacking,
        }
    }
    Broken { moved, changed }
}

#[cfg(test)]
mod tests;
