//! The law with one row for each contact: its forces, equations and margins.
//!
//! # Guarantee
//! That of the scalar: over the reals, forces of unknowns that make all [`FrozenLaw::equations`] zero and no [margin](FrozenLaw::margins) negative obey the law.

use dyverse_num::{Scalar, Tri};

use super::couple::CoupleRow;
use super::operator::Operator;
use super::row::{LawScalar, Row, Terms};

/// Contacts with their rows.
#[derive(Clone, Copy, Debug)]
pub struct FrozenLaw<'a, S> {
    /// G.
    pub operator: Operator<'a, S>,
    /// b and μ, by contact.
    pub terms: &'a [Terms<S>],
    /// By contact.
    pub rows: &'a [Row<[S; 2]>],
    /// Couples, whose directions and forces follow on those of all contacts.
    pub couples: &'a [CoupleRow<S>],
}

/// Forces of all contacts.
#[derive(Clone, Debug, PartialEq)]
pub struct Forces<S> {
    /// λ, by contact.
    pub forces: Vec<[S; 3]>,
    /// d of the rows `Against`, where it is a number of its own.
    pub directions: Vec<Option<[S; 2]>>,
}

impl<S: Scalar> Forces<S> {
    /// Forces without directions.
    #[must_use]
    pub fn plain(forces: Vec<[S; 3]>) -> Self {
        let directions = vec![None; forces.len()];
        Self { forces, directions }
    }
}

/// λ_T on the edge of the disc: −μλ_N d.
pub(super) fn edge<S: Scalar>(friction: &S, normal: &S, direction: &[S; 2]) -> [S; 2] {
    let size = -(friction.clone() * normal.clone());
    [size.clone() * direction[0].clone(), size * direction[1].clone()]
}

impl<S: Scalar> Row<[S; 2]> {
    /// λ of one contact from its unknowns.
    pub(super) fn force(&self, friction: &S, y: &[S]) -> [S; 3] {
        let on_edge = |d: &[S; 2]| {
            let [x, z] = edge(friction, &y[0], d);
            [y[0].clone(), x, z]
        };
        match self {
            Row::Open => [S::zero(), S::zero(), S::zero()],
            Row::Smooth => [y[0].clone(), S::zero(), S::zero()],
            Row::Stick => [y[0].clone(), y[1].clone(), y[2].clone()],
            Row::Along(d) => on_edge(d),
            Row::Against => on_edge(&[y[1].clone(), y[2].clone()]),
        }
    }
}

fn along<S: Scalar>(rate: &[S; 3], direction: &[S; 2]) -> S {
    rate[1].clone() * direction[0].clone() + rate[2].clone() * direction[1].clone()
}

impl<S: LawScalar> FrozenLaw<'_, S> {
    /// Whether forces solve linear equations: no row is `Against`.
    #[must_use]
    pub fn is_linear(&self) -> bool {
        !self.rows.iter().any(|row| matches!(row, Row::Against))
    }

    /// Forces from their unknowns, which stand row by row as the table of the module says.
    ///
    /// # Panics
    /// With fewer unknowns than the rows have.
    #[must_use]
    pub fn forces(&self, unknowns: &[S]) -> Forces<S> {
        let mut found = Forces::plain(Vec::with_capacity(self.rows.len()));
        let mut at = 0;
        for (row, terms) in self.rows.iter().zip(self.terms) {
            let y = &unknowns[at..at + row.unknowns()];
            at += row.unknowns();
            let direction = matches!(row, Row::Against).then(|| [y[1].clone(), y[2].clone()]);
            found.forces.push(row.force(&terms.friction, y));
            found.directions.push(direction);
        }
        found
    }

    /// The unknowns of some forces: those whose forces are nearest in the rows. Of a slip without friction d is no number.
    #[must_use]
    pub fn unknowns(&self, forces: &[[S; 3]]) -> Vec<S> {
        let mut all = Vec::new();
        for (row, [n, x, y]) in self.rows.iter().zip(forces) {
            match row {
                Row::Open => {}
                Row::Smooth | Row::Along(_) => all.push(n.clone()),
                Row::Stick => all.extend([n.clone(), x.clone(), y.clone()]),
                Row::Against => {
                    let size = (x.squared() + y.squared()).sqrt();
                    all.extend([n.clone(), -x.clone() / size.clone(), -y.clone() / size]);
                }
            }
        }
        all
    }

    /// γ = Gλ + b, of contacts and of couples after them.
    #[must_use]
    pub fn rates(&self, forces: &[[S; 3]]) -> Vec<[S; 3]> {
        let mut rates = self.operator.applied(forces);
        let terms = self.terms.iter().map(|terms| &terms.bias);
        let biases = terms.chain(self.couples.iter().map(|couple| &couple.bias));
        for (rate, bias) in rates.iter_mut().zip(biases) {
            *rate = std::array::from_fn(|i| bias[i].clone() + rate[i].clone());
        }
        rates
    }

    /// What is zero of forces that were made from unknowns: as many as these.
    #[must_use]
    pub fn equations(&self, found: &Forces<S>) -> Vec<S> {
        let mut all = Vec::new();
        for ((row, rate), direction) in self
            .rows
            .iter()
            .zip(self.rates(&found.forces))
            .zip(&found.directions)
        {
            let [n, x, y] = rate;
            match (row, direction) {
                (Row::Open, _) => {}
                (Row::Stick, _) => all.extend([n, x, y]),
                (Row::Against, Some([c, s])) => all.extend([
                    n,
                    x * s.clone() - y * c.clone(),
                    c.squared() + s.squared() - S::one(),
                ]),
                (Row::Smooth | Row::Along(_) | Row::Against, _) => all.push(n),
            }
        }
        all
    }

    /// What must not be negative, contact by contact.
    #[must_use]
    pub fn margins(&self, found: &Forces<S>) -> Vec<S> {
        // Where no row asks for γ it is not made.
        let asks = |(row, d): (&Row<[S; 2]>, &Option<[S; 2]>)| matches!(row, Row::Open) || d.is_some();
        let rates = match self.rows.iter().zip(&found.directions).any(asks) {
            true => self.rates(&found.forces),
            false => Vec::new(),
        };
        let mut all = Vec::new();
        for (contact, (row, force)) in self.rows.iter().zip(&found.forces).enumerate() {
            let [n, x, y] = force;
            match row {
                Row::Open => all.push(rates[contact][0].clone()),
                Row::Smooth | Row::Along(_) => all.push(n.clone()),
                Row::Stick => {
                    let limit = (self.terms[contact].friction.clone() * n.clone()).squared();
                    all.extend([n.clone(), limit - (x.squared() + y.squared())]);
                }
                Row::Against => {
                    all.push(n.clone());
                    all.extend(
                        found.directions[contact]
                            .iter()
                            .map(|d| along(&rates[contact], d)),
                    );
                }
            }
        }
        all
    }

    /// How far any forces are from their rows: what they differ by from forces of their own unknowns, then the equations of those.
    #[must_use]
    pub fn residuals(&self, forces: &[[S; 3]]) -> Vec<S> {
        let own = self.forces(&self.unknowns(forces));
        let apart = |(given, own): (&[S; 3], &[S; 3])| -> [S; 3] {
            std::array::from_fn(|i| given[i].clone() - own[i].clone())
        };
        let mut all: Vec<S> = forces.iter().zip(&own.forces).flat_map(apart).collect();
        all.extend(self.equations(&own));
        all
    }

    /// The forces of one closed contact that slips against γ_T and has B_jj = 0 and C_jj = c 1 (spheres): γ_T = b_T (1 − c μ λ_N/|b_T|), so λ_N = −b_N/A and
    /// λ_T = −μ λ_N b_T/|b_T|. The margin |b_T|² − (c μ λ_N)² comes with them: as λ_N ≥ 0 it has the sign of |b_T| − c μ λ_N, and it is smooth where b_T = 0.
    /// `None` if that is not how contacts are.
    #[must_use]
    pub fn lone_slip(&self) -> Option<(Forces<S>, S)> {
        let Operator::Blocks(blocks) = self.operator else {
            return None;
        };
        let mut closed = (0..self.rows.len()).filter(|contact| self.rows[*contact].held() > 0);
        let contact = closed.next()?;
        let is_lone = closed.next().is_none() && matches!(self.rows[contact], Row::Against);
        if !is_lone || !blocks.is_isotropic(contact) {
            return None;
        }
        let own = blocks.block(contact, contact)?;
        let Terms {
            bias: [n, x, y],
            friction,
        } = &self.terms[contact];
        let normal = -n.clone() / own[0][0].clone();
        let square = x.squared() + y.squared();
        let speed = square.sqrt();
        let mut forces = vec![[S::zero(), S::zero(), S::zero()]; self.rows.len()];
        // b_T = 0 whatever the state (e_T = −1): no direction, and never a slip.
        if speed.eq_tri(&S::zero()) == Tri::True {
            forces[contact][0] = normal;
            return Some((Forces::plain(forces), -S::one()));
        }
        let direction = [x, y].map(|b| b.clone() / speed.clone());
        let limit = own[1][1].clone() * (friction.clone() * normal.clone());
        let [x, y] = edge(friction, &normal, &direction);
        forces[contact] = [normal, x, y];
        Some((Forces::plain(forces), square - limit.squared()))
    }
}
