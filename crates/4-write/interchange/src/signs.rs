//! Which signs a polynomial can have, from what is known of its variables.
//!
//! # Guarantee
//! Rigorous: a sign that is not among those found is impossible. Ends of ranges are exact fractions.

use crate::algebra::{Algebra, Atom};
use crate::polynomial::{Monomial, Polynomial};
use crate::rational::Rational;
use dyverse_expr::{Relation, UnaryFunction};
use std::collections::BTreeMap;

/// A set of signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Signs(u8);

impl Signs {
    pub(crate) const NEGATIVE: Signs = Signs(1);
    pub(crate) const ZERO: Signs = Signs(2);
    pub(crate) const POSITIVE: Signs = Signs(4);
    pub(crate) const ALL: Signs = Signs(7);
    pub(crate) const NONE: Signs = Signs(0);
    pub(crate) const NOT_NEGATIVE: Signs = Signs(6);

    pub(crate) fn of(number: &Rational) -> Self {
        match number.sign() {
            -1 => Self::NEGATIVE,
            0 => Self::ZERO,
            _ => Self::POSITIVE,
        }
    }
    pub(crate) fn may_be_negative(self) -> bool {
        self.0 & 1 != 0
    }
    pub(crate) fn may_be_zero(self) -> bool {
        self.0 & 2 != 0
    }
    pub(crate) fn may_be_positive(self) -> bool {
        self.0 & 4 != 0
    }
    pub(crate) fn with(self, other: Self) -> Self {
        Signs(self.0 | other.0)
    }
    pub(crate) fn within(self, other: Self) -> Self {
        Signs(self.0 & other.0)
    }
    fn negated(self) -> Self {
        Signs(self.0 & 2 | (self.0 & 1) << 2 | (self.0 & 4) >> 2)
    }
    fn times(self, other: Self) -> Self {
        let mut product = Signs::NONE;
        if self == Self::NONE || other == Self::NONE {
            return product;
        }
        if self.may_be_zero() || other.may_be_zero() {
            product = product.with(Self::ZERO);
        }
        if other.may_be_positive() {
            product = product.with(Signs(self.0 & 5));
        }
        if other.may_be_negative() {
            product = product.with(Signs(self.negated().0 & 5));
        }
        product
    }
    fn plus(self, other: Self) -> Self {
        let mut sum = Signs::NONE;
        for (a, b) in [(self, other), (other, self)] {
            if a.may_be_zero() {
                sum = sum.with(b);
            }
        }
        let both = Signs(self.0 & other.0 & 5);
        sum = sum.with(both);
        let is_mixed = self.may_be_negative() && other.may_be_positive()
            || self.may_be_positive() && other.may_be_negative();
        if is_mixed { Self::ALL } else { sum }
    }
    /// Whether all of them compare with zero in this way, or none.
    pub(crate) fn compare(self, relation: Relation) -> Option<bool> {
        let meant = match relation {
            Relation::Less => Self::NEGATIVE,
            Relation::LessEqual => Signs(3),
            Relation::Greater => Self::POSITIVE,
            Relation::GreaterEqual => Self::NOT_NEGATIVE,
            Relation::Equal => Self::ZERO,
            Relation::NotEqual => Signs(5),
        };
        if self.within(meant) == self {
            Some(true)
        } else if self.within(meant) == Self::NONE {
            Some(false)
        } else {
            None
        }
    }
}

impl Algebra {
    /// The signs that a polynomial can have, with what is known of some variables.
    pub(crate) fn signs(&self, p: &Polynomial, known: &BTreeMap<u32, Signs>) -> Signs {
        if let Some(value) = p.value() {
            return Signs::of(&value);
        }
        let mut by_terms = Signs::ZERO;
        for (m, c) in p.terms() {
            by_terms = by_terms.plus(Signs::of(c).times(self.monomial_signs(m, known)));
            if by_terms == Signs::ALL {
                break;
            }
        }
        match self.bounds(p) {
            Some((lower, upper)) => {
                let ends = Signs::of(&lower).with(Signs::of(&upper));
                let is_across = ends.may_be_negative() && ends.may_be_positive();
                by_terms.within(if is_across { Signs::ALL } else { ends })
            }
            None => by_terms,
        }
    }

    fn monomial_signs(&self, m: &Monomial, known: &BTreeMap<u32, Signs>) -> Signs {
        let factors = m.factors().iter().map(|(variable, exponent)| {
            let mut signs = self.variable_signs(*variable, known);
            if exponent % 2 == 0 {
                let is_something = signs.may_be_negative() || signs.may_be_positive();
                let mut even = if is_something {
                    Signs::POSITIVE
                } else {
                    Signs::NONE
                };
                if signs.may_be_zero() {
                    even = even.with(Signs::ZERO);
                }
                signs = even;
            }
            // A formula has a value only where its divisors are not zero.
            if *exponent < 0 {
                signs.within(Signs(5))
            } else {
                signs
            }
        });
        factors.fold(Signs::POSITIVE, Signs::times)
    }

    fn variable_signs(&self, variable: u32, known: &BTreeMap<u32, Signs>) -> Signs {
        let own = match self.atom(variable) {
            Atom::Symbol(symbol) => match self.range(*symbol) {
                Some((lower, _)) if lower.sign() > 0 => Signs::POSITIVE,
                Some((_, upper)) if upper.sign() < 0 => Signs::NEGATIVE,
                Some((lower, _)) if lower.sign() == 0 => Signs::NOT_NEGATIVE,
                Some((_, upper)) if upper.sign() == 0 => Signs(3),
                _ => Signs::ALL,
            },
            Atom::Pi => Signs::POSITIVE,
            Atom::Function(UnaryFunction::Exp | UnaryFunction::Cosh, _) => Signs::POSITIVE,
            Atom::Function(UnaryFunction::Sqrt | UnaryFunction::Abs, p) => {
                let inner = self.signs(p, known);
                if inner.may_be_zero() {
                    Signs::NOT_NEGATIVE
                } else {
                    Signs::POSITIVE
                }
            }
            // Where √p is spoken of, p is not negative.
            Atom::Inverse(p) if self.has_root(p) => Signs::POSITIVE,
            Atom::Inverse(p) => self.signs(p, known).within(Signs(5)),
            _ => Signs::ALL,
        };
        known.get(&variable).map_or(own, |signs| own.within(*signs))
    }

    /// Ends of the values, where every variable has a range.
    fn bounds(&self, p: &Polynomial) -> Option<(Rational, Rational)> {
        let mut sum = (Rational::from(0), Rational::from(0));
        for (m, c) in p.terms() {
            let mut product = (c.clone(), c.clone());
            for (variable, exponent) in m.factors() {
                let Atom::Symbol(symbol) = self.atom(*variable) else {
                    return None;
                };
                let range = self.range(*symbol)?;
                if *exponent < 0 {
                    return None;
                }
                for _ in 0..*exponent {
                    product = interval_product(&product, range);
                }
            }
            sum = (&sum.0 + &product.0, &sum.1 + &product.1);
        }
        Some(sum)
    }
}

fn interval_product(a: &(Rational, Rational), b: &(Rational, Rational)) -> (Rational, Rational) {
    let ends = [&a.0 * &b.0, &a.0 * &b.1, &a.1 * &b.0, &a.1 * &b.1];
    let mut found = (ends[0].clone(), ends[0].clone());
    for end in ends {
        if end < found.0 {
            found.0 = end;
        } else if end > found.1 {
            found.1 = end;
        }
    }
    found
}
