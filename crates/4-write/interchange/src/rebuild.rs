//! Normal forms as formulas of a pool again.

use crate::algebra::{Algebra, Atom, Truth};
use crate::polynomial::{Monomial, Polynomial};
use crate::rational::Rational;
use dyverse_expr::{Literal, NodeId, Pool};

impl Algebra {
    /// The formula of a polynomial; `None` where a coefficient is no quotient of doubles, or where there is no value.
    pub(crate) fn node(&self, pool: &mut Pool, p: &Polynomial) -> Option<NodeId> {
        let content = p.content();
        let rest = p.shifted(&Monomial::default().over(&content), &Rational::from(1));
        let mut sum = None;
        for (m, c) in rest.terms().rev() {
            let is_minus = sum.is_some() && c.sign() < 0;
            let coefficient = if is_minus { c.magnitude() } else { c.clone() };
            let number = literal(pool, &coefficient)?;
            let term = self.powers(pool, number, m)?;
            sum = Some(match sum {
                None => term,
                Some(sum) if is_minus => pool.subtract(sum, term),
                Some(sum) => pool.add(sum, term),
            });
        }
        let sum = sum.unwrap_or_else(|| pool.number(0.0));
        self.powers(pool, sum, &content)
    }

    /// A formula times powers of atoms.
    fn powers(&self, pool: &mut Pool, start: NodeId, m: &Monomial) -> Option<NodeId> {
        let mut product = start;
        let (above, below): (Vec<_>, Vec<_>) = m.factors().iter().partition(|(_, e)| *e > 0);
        for (variable, exponent) in above {
            let atom = self.atom_node(pool, variable)?;
            let power = pool.integer_power(atom, exponent);
            product = pool.multiply(product, power);
        }
        for (variable, exponent) in below {
            let atom = self.atom_node(pool, variable)?;
            let power = pool.integer_power(atom, -exponent);
            product = pool.divide(product, power);
        }
        Some(product)
    }

    fn atom_node(&self, pool: &mut Pool, variable: u32) -> Option<NodeId> {
        Some(match self.atom(variable) {
            Atom::Symbol(symbol) => pool.symbol(*symbol),
            Atom::Pi => pool.pi(),
            Atom::Function(function, a) => {
                let a = self.node(pool, a)?;
                pool.unary(*function, a)
            }
            Atom::Pair(function, a, b) => {
                let (a, b) = (self.node(pool, a)?, self.node(pool, b)?);
                pool.binary(*function, a, b)
            }
            Atom::Inverse(a) => {
                let (one, a) = (pool.number(1.0), self.node(pool, a)?);
                pool.divide(one, a)
            }
            Atom::Choice(truth, a, b) => {
                let truth = self.truth_node(pool, truth)?;
                let (a, b) = (self.node(pool, a)?, self.node(pool, b)?);
                pool.select(truth, a, b)
            }
            Atom::Endless => return None,
        })
    }

    fn truth_node(&self, pool: &mut Pool, truth: &Truth) -> Option<NodeId> {
        Some(match truth {
            Truth::Known(value) => pool.boolean(*value),
            Truth::Compare(relation, p) => {
                let (p, zero) = (self.node(pool, p)?, pool.number(0.0));
                pool.compare(*relation, p, zero)
            }
            Truth::Not(a) => {
                let a = self.truth_node(pool, a)?;
                pool.not(a)
            }
            Truth::And(a, b) => {
                let (a, b) = (self.truth_node(pool, a)?, self.truth_node(pool, b)?);
                pool.and(a, b)
            }
            Truth::Or(a, b) => {
                let (a, b) = (self.truth_node(pool, a)?, self.truth_node(pool, b)?);
                pool.or(a, b)
            }
        })
    }
}

/// A fraction as a decimal, or as a quotient of whole numbers.
fn literal(pool: &mut Pool, value: &Rational) -> Option<NodeId> {
    if let Some(literal) = decimal(value) {
        return Some(pool.literal(literal));
    }
    let (n, d) = value.parts();
    let (n, d) = (decimal(&n)?, decimal(&d)?);
    let (n, d) = (pool.literal(n), pool.literal(d));
    Some(pool.divide(n, d))
}

fn decimal(value: &Rational) -> Option<Literal> {
    let near = value.to_f64();
    if Rational::decimal(near)? != *value {
        return None;
    }
    Some(if value.is_dyadic() {
        Literal::exact(near)
    } else {
        Literal::nearest(near)
    })
}
