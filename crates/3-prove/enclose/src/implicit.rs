//! Numbers that equations determine, as functions of the unknowns.
//!
//! | printed | here |
//! |---|---|
//! | F(y, p) = 0 | [`Equations`] |
//! | y(p) ∈ P(p) + D | [`Branch`]: P; what it says of D |
//!
//! # Method [Krawczyk 1969; Neumaier, *Interval Methods for Systems of Equations*, 1990, ch. 5]
//! Newton's method on polynomials gives P with F(P) ≈ 0: with Y near the inverse of F′ at the centre each turn of P := P − Y F(P) makes one more degree right. With
//!
//! > z ∋ Y F(P(p), p) and C ∋ I − Y F′(y, p) for all y in P(p) + D, all p
//!
//! (both evaluated as Taylor models before ranges are taken; D with 0) every root y = P + d with d in D has d ∈ C D − z. So
//! - *all* roots in P + D are in P + (D ∩ (C D − z)), and there are none if that is empty: [`Branch::contracted`];
//! - if C D − z is inside the interior of a D that is symmetric, there is exactly one root in P(p) + D, for every p: [`Branch::root`].
//!
//! # Exact zeros
//! Of a root some components may be exactly those of P: if z_Z = 0, and C_Zj = 0 for all j outside Z over the D with D_Z = 0, the equations of Z hold wherever d_Z = 0, and an
//! inclusion of the others there gives a root. As D has only one, it is that. So a motion in a plane stays in it.
//!
//! # Guarantee
//! Rigorous, or an error.

use dyverse_num::Interval;

use crate::ring::{Ring, Undefined};
use crate::taylor_model::{TaylorModel, symmetric};

/// As many equations as unknowns, on Taylor models.
pub trait Equations {
    /// F(y).
    ///
    /// # Errors
    /// Where it is not defined.
    fn values(&self, y: &[TaylorModel]) -> Result<Vec<TaylorModel>, Undefined>;
    /// ∂F_i/∂y_j, row by row.
    ///
    /// # Errors
    /// Where one is not defined.
    fn slopes(&self, y: &[TaylorModel]) -> Result<Vec<Vec<TaylorModel>>, Undefined>;
}

/// Why no root was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoRoot {
    /// The equations are not defined where it was looked for.
    Undefined(Undefined),
    /// The slopes at the centre have no inverse.
    Singular,
    /// The inclusion did not hold for any radius that was tried.
    NotIncluded,
}

impl std::fmt::Display for NoRoot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoRoot::Undefined(why) => why.fmt(f),
            NoRoot::Singular => f.write_str("equations have no regular root"),
            NoRoot::NotIncluded => f.write_str("the root of equations could not be enclosed"),
        }
    }
}

impl From<Undefined> for NoRoot {
    fn from(why: Undefined) -> Self {
        NoRoot::Undefined(why)
    }
}

/// Turns of Newton's method in which Y is renewed.
const RENEWED: usize = 5;
/// Turns that look for a radius, or contract one.
const TURNS: usize = 12;

/// Polynomials that nearly solve equations.
pub struct Branch<'e, E> {
    equations: &'e E,
    polynomials: Vec<TaylorModel>,
    /// Y, row by row.
    inverse: Vec<Vec<f64>>,
    /// Y F(P).
    rest: Vec<Interval>,
}

impl<'e, E: Equations> Branch<'e, E> {
    /// Newton's method from a place near the root at the centre of the cube.
    ///
    /// # Errors
    /// Where equations are not defined there, or have no regular slopes.
    pub fn near(equations: &'e E, start: &[f64], like: &TaylorModel) -> Result<Self, NoRoot> {
        let constant = |x: &f64| TaylorModel::constant(like.basis(), Interval::point(*x));
        let mut y: Vec<TaylorModel> = start.iter().map(constant).collect();
        let mut found = Vec::new();
        for turn in 0..RENEWED + like.basis().degree() + 2 {
            if turn < RENEWED {
                let slopes = equations.slopes(&y)?;
                let centres = slopes
                    .iter()
                    .map(|row| row.iter().map(TaylorModel::centre).collect());
                found = inverse(centres.collect()).ok_or(NoRoot::Singular)?;
            }
            let step = applied(&found, &equations.values(&y)?);
            y = y
                .iter()
                .zip(&step)
                .map(|(y, s)| y.minus(s).polynomial())
                .collect();
            if y.iter().any(|y| !y.is_finite()) {
                return Err(NoRoot::Undefined(Undefined::Unbounded));
            }
        }
        let rest = applied(&found, &equations.values(&y)?);
        let rest: Vec<Interval> = rest.iter().map(Ring::range).collect();
        if rest.iter().any(|z| z.is_empty() || !z.is_bounded()) {
            return Err(NoRoot::Undefined(Undefined::Unbounded));
        }
        Ok(Branch {
            equations,
            polynomials: y,
            inverse: found,
            rest,
        })
    }

    /// P.
    #[must_use]
    pub fn polynomials(&self) -> &[TaylorModel] {
        &self.polynomials
    }

    /// P + D.
    #[must_use]
    pub fn around(&self, deviation: &[Interval]) -> Vec<TaylorModel> {
        let all = self.polynomials.iter().zip(deviation);
        all.map(|(p, d)| p.with_remainder(*d)).collect()
    }

    /// C over P + D.
    fn slopes(&self, deviation: &[Interval]) -> Result<Vec<Vec<Interval>>, Undefined> {
        let slopes = self.equations.slopes(&self.around(deviation))?;
        let count = self.polynomials.len();
        let mut all = vec![vec![Interval::ZERO; count]; count];
        for j in 0..count {
            let column: Vec<TaylorModel> = slopes.iter().map(|row| row[j].clone()).collect();
            for (i, entry) in applied(&self.inverse, &column).iter().enumerate() {
                let own = if i == j { Interval::ONE } else { Interval::ZERO };
                all[i][j] = entry.negated().shifted(own).range();
            }
        }
        Ok(all)
    }

    /// C D − z.
    fn image(&self, slopes: &[Vec<Interval>], deviation: &[Interval]) -> Vec<Interval> {
        let row = |(row, z): (&Vec<Interval>, &Interval)| {
            row.iter().zip(deviation).fold(
                -*z,
                |sum, (c, d)| {
                    if *c == Interval::ZERO { sum } else { sum + *c * *d }
                },
            )
        };
        slopes.iter().zip(&self.rest).map(row).collect()
    }

    /// What the one root near P deviates from it by: for every p there is exactly one in P(p) + D, for a D around the one that is given.
    ///
    /// # Errors
    /// Where that could not be shown.
    pub fn root(&self) -> Result<Vec<Interval>, NoRoot> {
        let least = |z: &Interval| 1.1 * z.magnitude() + 1e-17;
        let mut radii: Vec<f64> = self.rest.iter().map(least).collect();
        for _ in 0..TURNS {
            let deviation: Vec<Interval> = radii.iter().map(|r| symmetric(*r)).collect();
            let slopes = self.slopes(&deviation)?;
            let image = self.image(&slopes, &deviation);
            if image.iter().any(|d| d.is_empty() || !d.is_bounded()) {
                return Err(NoRoot::Undefined(Undefined::Unbounded));
            }
            if image.iter().zip(&radii).all(|(d, r)| d.magnitude() < *r) {
                let mut tight = image;
                for _ in 0..3 {
                    let next = self.image(&slopes, &tight);
                    tight = tight.iter().zip(&next).map(|(a, b)| a.intersect(b)).collect();
                }
                return Ok(self.with_zeros(&radii, tight)?);
            }
            // Room for what the radii of others add.
            radii = image.iter().map(|d| 1.2 * d.magnitude() + 1e-17).collect();
        }
        Err(NoRoot::NotIncluded)
    }

    /// The root's deviation with components that do not deviate at all, given a D in which it is the only one.
    fn with_zeros(&self, radii: &[f64], tight: Vec<Interval>) -> Result<Vec<Interval>, Undefined> {
        let count = radii.len();
        let mut fixed: Vec<bool> = self.rest.iter().map(|z| *z == Interval::ZERO).collect();
        while fixed.contains(&true) {
            let own = |(r, is_fixed): (&f64, &bool)| {
                if *is_fixed { Interval::ZERO } else { symmetric(*r) }
            };
            let deviation: Vec<Interval> = radii.iter().zip(&fixed).map(own).collect();
            let slopes = self.slopes(&deviation)?;
            let reads = |i: &usize| (0..count).any(|j| !fixed[j] && slopes[*i][j] != Interval::ZERO);
            if let Some(out) = (0..count).find(|i| fixed[*i] && reads(i)) {
                fixed[out] = false;
                continue;
            }
            let image = self.image(&slopes, &deviation);
            let is_inside = |i: usize| fixed[i] || image[i].magnitude() < radii[i];
            if (0..count).all(is_inside) {
                let kept = image.iter().zip(&tight).map(|(a, b)| a.intersect(b));
                let zeroed = kept
                    .zip(&fixed)
                    .map(|(d, is_fixed)| if *is_fixed { Interval::ZERO } else { d });
                return Ok(zeroed.collect());
            }
            break;
        }
        Ok(tight)
    }

    /// What roots in P + D deviate from P by; `None` if there are none there.
    pub fn contracted(&self, deviation: &[Interval]) -> Option<Vec<Interval>> {
        let mut current = deviation.to_vec();
        for _ in 0..TURNS {
            // Where slopes have no bound nothing is learnt.
            // They are between P and the root, so that P must be among the arguments.
            let with_centre: Vec<Interval> = current.iter().map(|d| d.hull(&Interval::ZERO)).collect();
            let Ok(slopes) = self.slopes(&with_centre) else {
                break;
            };
            let image = self.image(&slopes, &current);
            if image.iter().any(Interval::is_empty) {
                break;
            }
            let next: Vec<Interval> = current.iter().zip(&image).map(|(a, b)| a.intersect(b)).collect();
            if next.iter().any(Interval::is_empty) {
                return None;
            }
            let is_better = |(new, old): (&Interval, &Interval)| new.width() < 0.9 * old.width();
            let goes_on = next.iter().zip(&current).any(is_better);
            current = next;
            if !goes_on {
                break;
            }
        }
        Some(current)
    }
}

/// The inverse of a matrix of doubles, nearly (Gauss and Jordan with row pivots; zeros of blocks stay zeros).
fn inverse(mut rows: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let count = rows.len();
    for (i, row) in rows.iter_mut().enumerate() {
        row.extend((0..count).map(|j| f64::from(u8::from(i == j))));
    }
    for k in 0..count {
        let best = (k..count).max_by(|i, j| rows[*i][k].abs().total_cmp(&rows[*j][k].abs()))?;
        rows.swap(k, best);
        let pivot = rows[k][k];
        if pivot == 0.0 || !pivot.is_finite() {
            return None;
        }
        rows[k].iter_mut().for_each(|x| *x /= pivot);
        let own = rows[k].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != k) {
            let factor = row[k];
            if factor != 0.0 {
                row.iter_mut().zip(&own).for_each(|(x, y)| *x -= factor * y);
            }
        }
    }
    let right: Vec<Vec<f64>> = rows.into_iter().map(|row| row[count..].to_vec()).collect();
    right.iter().flatten().all(|x| x.is_finite()).then_some(right)
}

/// A matrix of doubles times Taylor models.
fn applied(matrix: &[Vec<f64>], models: &[TaylorModel]) -> Vec<TaylorModel> {
    let row = |row: &Vec<f64>| {
        let zero = models.first().map(|m| Ring::constant(m, Interval::ZERO));
        let terms = row.iter().zip(models).filter(|(y, _)| **y != 0.0);
        terms.fold(zero, |sum, (y, m)| {
            sum.map(|sum| sum.plus(&m.scaled(Interval::point(*y))))
        })
    };
    matrix.iter().filter_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::basis::{Basis, VariableId};
    use std::sync::Arc;

    /// y₀² = a, y₀ y₁ = 0.
    struct Squares(TaylorModel);
    impl Equations for Squares {
        fn values(&self, y: &[TaylorModel]) -> Result<Vec<TaylorModel>, Undefined> {
            Ok(vec![&(&y[0] * &y[0]) - &self.0, &y[1] * &y[0]])
        }
        fn slopes(&self, y: &[TaylorModel]) -> Result<Vec<Vec<TaylorModel>>, Undefined> {
            let zero = Ring::constant(&y[0], Interval::ZERO);
            Ok(vec![
                vec![&y[0] * Interval::point(2.0), zero],
                vec![y[1].clone(), y[0].clone()],
            ])
        }
    }

    fn squares(basis: &Arc<Basis>, lo: f64, hi: f64) -> Squares {
        Squares(TaylorModel::variable(
            basis,
            VariableId(0),
            Interval::new(lo, hi).unwrap(),
        ))
    }

    #[test]
    fn a_square_root_is_enclosed_tightly_and_its_zero_companion_exactly() {
        let basis = Basis::new(1, 4);
        let equations = squares(&basis, 3.9, 4.1);
        let branch = Branch::near(&equations, &[1.5, 0.0], &equations.0).unwrap();
        let models = branch.around(&branch.root().unwrap());
        for k in 0..=10 {
            let p = -1.0 + 0.2 * f64::from(k);
            let value = models[0].at(&[Interval::point(p)]);
            let truth = (4.0 + 0.1 * p).sqrt();
            assert!(value.lo() <= truth && truth <= value.hi());
            assert!(value.width() < 1e-8, "{value:?}");
        }
        assert_eq!(models[1].bound(), Interval::ZERO);
    }

    #[test]
    fn regions_without_roots_are_emptied_and_others_keep_them() {
        let basis = Basis::new(1, 3);
        let equations = squares(&basis, 3.9, 4.1);
        let branch = Branch::near(&equations, &[2.0, 0.0], &equations.0).unwrap();
        let away = [Interval::new(0.2, 0.5).unwrap(), symmetric(0.1)];
        assert!(branch.contracted(&away).is_none());
        let kept = branch.contracted(&[symmetric(0.5), symmetric(0.1)]).unwrap();
        assert!(
            kept[0].magnitude() < 1e-4 && kept[1].magnitude() < 1e-6,
            "{kept:?}"
        );
    }

    #[test]
    fn a_double_root_is_not_included() {
        let basis = Basis::new(1, 3);
        let equations = squares(&basis, -0.1, 0.1);
        let found = Branch::near(&equations, &[0.01, 0.0], &equations.0).and_then(|b| b.root());
        assert!(found.is_err());
    }
}
