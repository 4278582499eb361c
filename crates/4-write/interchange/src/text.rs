//! Polynomials and comparisons as text of a format.

use crate::algebra::{Algebra, Atom};
use crate::facts::{Fact, Plain};
use crate::polynomial::{Monomial, Polynomial};
use crate::rational::Rational;
use dyverse_expr::{BinaryFunction, SymbolId, UnaryFunction};
use dyverse_formulas::Relation;
use std::cell::Cell;
use std::collections::BTreeMap;

/// Writes formulas with given names of the symbols.
pub(crate) struct Writer<'a> {
    pub(crate) algebra: &'a Algebra,
    pub(crate) names: &'a BTreeMap<SymbolId, String>,
    /// Whether some number was rounded to a double.
    pub(crate) has_rounded: Cell<bool>,
}

/// How tightly a text binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Sum,
    Product,
    Power,
}

/// What cannot be written: the construct.
pub(crate) type Unwritable = String;

impl<'a> Writer<'a> {
    pub(crate) fn new(algebra: &'a Algebra, names: &'a BTreeMap<SymbolId, String>) -> Self {
        Writer {
            algebra,
            names,
            has_rounded: Cell::new(false),
        }
    }

    fn number(&self, value: &Rational) -> String {
        let (text, is_exact) = value.text();
        if !is_exact {
            self.has_rounded.set(true);
        }
        text
    }

    fn double(&self, value: f64) -> String {
        self.has_rounded.set(true);
        format!("{value}")
    }

    /// A polynomial.
    pub(crate) fn polynomial(&self, p: &Polynomial) -> Result<String, Unwritable> {
        Ok(self.sum(p)?.0)
    }

    fn sum(&self, p: &Polynomial) -> Result<(String, Strength), Unwritable> {
        let content = p.content();
        // A common factor is written once, unless that is a number of plain terms.
        if p.len() > 1 && !content.is_one() {
            let rest = p.shifted(&Monomial::default().over(&content), &Rational::from(1));
            let inner = format!("({})", self.polynomial(&rest)?);
            return Ok((self.product(vec![inner], &content)?, Strength::Product));
        }
        let mut text = String::new();
        for (m, c) in p.terms().rev() {
            let sign = match (text.is_empty(), c.sign() < 0) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            text.push_str(sign);
            let size = c.magnitude();
            let front = if size.is_one() && !m.is_one() {
                Vec::new()
            } else {
                vec![self.number(&size)]
            };
            text.push_str(&self.product(front, m)?);
        }
        if text.is_empty() {
            text.push('0');
        }
        let is_one_power = p.len() <= 1
            && p.leading()
                .is_none_or(|(m, c)| c.sign() >= 0 && (m.is_one() || c.is_one() && m.factors().len() == 1));
        let strength = if is_one_power && !text.contains(['*', '/', '^']) {
            Strength::Power
        } else if p.len() <= 1 && !text.starts_with('-') {
            Strength::Product
        } else {
            Strength::Sum
        };
        Ok((text, strength))
    }

    /// Factors, times powers of atoms.
    fn product(&self, front: Vec<String>, m: &Monomial) -> Result<String, Unwritable> {
        let (mut above, mut below) = (front, Vec::new());
        for (variable, exponent) in m.factors() {
            let atom = self.atom(*variable)?;
            let power = match exponent.unsigned_abs() {
                1 => atom,
                n => format!("{atom}^{n}"),
            };
            if *exponent > 0 {
                above.push(power);
            } else {
                below.push(power);
            }
        }
        if above.is_empty() {
            above.push("1".to_owned());
        }
        let above = above.join(" * ");
        Ok(match below.as_slice() {
            [] => above,
            [one] => format!("{above} / {one}"),
            more => format!("{above} / ({})", more.join(" * ")),
        })
    }

    fn within(&self, p: &Polynomial, at_least: Strength) -> Result<String, Unwritable> {
        let (text, strength) = self.sum(p)?;
        Ok(if strength >= at_least {
            text
        } else {
            format!("({text})")
        })
    }

    fn atom(&self, variable: u32) -> Result<String, Unwritable> {
        Ok(match self.algebra.atom(variable) {
            Atom::Symbol(symbol) => self
                .names
                .get(symbol)
                .cloned()
                .ok_or_else(|| format!("symbol {} without a name", symbol.0))?,
            Atom::Pi => self.double(std::f64::consts::PI),
            Atom::Function(function, a) => {
                let name = match function {
                    UnaryFunction::Ln => "log",
                    UnaryFunction::Sign | UnaryFunction::Floor | UnaryFunction::Negate => {
                        return Err(format!("`{}`", function.name()));
                    }
                    other => other.name(),
                };
                format!("{name}({})", self.polynomial(a)?)
            }
            Atom::Pair(BinaryFunction::Power, a, b) => {
                format!(
                    "({}^{})",
                    self.within(a, Strength::Power)?,
                    self.within(b, Strength::Power)?
                )
            }
            Atom::Pair(BinaryFunction::Multiply, a, b) => {
                format!(
                    "({} * {})",
                    self.within(a, Strength::Product)?,
                    self.within(b, Strength::Product)?
                )
            }
            Atom::Pair(function, a, b) => {
                let name = match function {
                    BinaryFunction::Min => "min",
                    BinaryFunction::Max => "max",
                    _ => "atan2",
                };
                format!("{name}({}, {})", self.polynomial(a)?, self.polynomial(b)?)
            }
            Atom::Inverse(a) => format!("(1 / {})", self.within(a, Strength::Power)?),
            Atom::Choice(..) => return Err("`if`".to_owned()),
            Atom::Endless => return Err("a number that is not finite".to_owned()),
        })
    }

    /// A comparison: variables left, the number right. `None`: it always holds.
    pub(crate) fn fact(&self, fact: &Fact, equal: &str) -> Result<Option<String>, Unwritable> {
        let fact = match fact.plain(self.algebra, &BTreeMap::new()) {
            Plain::Known(true) => return Ok(None),
            Plain::Known(false) => return Ok(Some("1 <= 0".to_owned())),
            Plain::Open(fact) => fact,
        };
        let one = Monomial::default();
        let number = fact.polynomial.coefficient(&one);
        let left = fact.polynomial.minus(&Polynomial::constant(number.clone()));
        let sign = match fact.relation {
            Relation::Equal => equal,
            other => other.sign(),
        };
        let right = if number.is_zero() { number } else { -number };
        Ok(Some(format!(
            "{} {sign} {}",
            self.polynomial(&left)?,
            self.number(&right)
        )))
    }
}
