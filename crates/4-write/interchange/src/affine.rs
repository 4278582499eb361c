//! Affine sums, or the term that is in the way.

use crate::algebra::Atom;
use crate::automaton::Automaton;
use crate::facts::Fact;
use crate::hindrance::Hindrance;
use crate::polynomial::{Monomial, Polynomial};
use crate::rational::Rational;
use crate::text::Writer;
use dyverse_expr::{BinaryFunction, SymbolId, UnaryFunction};
use dyverse_formulas::Relation;
use std::cell::Cell;
use std::collections::BTreeMap;

pub(crate) struct Affine<'a> {
    automaton: &'a Automaton,
    names: &'a BTreeMap<SymbolId, String>,
    has_rounded: Cell<bool>,
}

impl<'a> Affine<'a> {
    pub(crate) fn new(automaton: &'a Automaton, names: &'a BTreeMap<SymbolId, String>) -> Self {
        Affine {
            automaton,
            names,
            has_rounded: Cell::new(false),
        }
    }

    pub(crate) fn has_rounded(&self) -> bool {
        self.has_rounded.get()
    }

    /// The value of a polynomial that reads no symbol.
    pub(crate) fn number(&self, p: &Polynomial) -> Option<String> {
        let mut sum = 0.0;
        for (m, c) in p.terms() {
            sum += self.constant(m, c)?.0;
        }
        match p.value() {
            Some(value) => Some(self.rational(&value)),
            None => {
                self.has_rounded.set(true);
                Some(format!("{sum}"))
            }
        }
    }

    fn rational(&self, value: &Rational) -> String {
        let (text, is_exact) = value.text();
        if !is_exact {
            self.has_rounded.set(true);
        }
        text
    }

    /// The value of a term without symbols, and whether it is a fraction.
    fn constant(&self, m: &Monomial, c: &Rational) -> Option<(f64, bool)> {
        let mut product = c.to_f64();
        for (variable, exponent) in m.factors() {
            product *= self.atom(*variable)?.powi(*exponent);
        }
        Some((product, m.is_one()))
    }

    fn value(&self, p: &Polynomial) -> Option<f64> {
        p.terms()
            .try_fold(0.0, |sum, (m, c)| Some(sum + self.constant(m, c)?.0))
    }

    /// The value of an atom without symbols.
    fn atom(&self, variable: u32) -> Option<f64> {
        use UnaryFunction as F;
        Some(match self.automaton.algebra.atom(variable) {
            Atom::Pi => std::f64::consts::PI,
            Atom::Function(function, a) => {
                let a = self.value(a)?;
                match function {
                    F::Negate => -a,
                    F::Sqrt => a.sqrt(),
                    F::Sin => a.sin(),
                    F::Cos => a.cos(),
                    F::Tan => a.tan(),
                    F::Asin => a.asin(),
                    F::Acos => a.acos(),
                    F::Atan => a.atan(),
                    F::Sinh => a.sinh(),
                    F::Cosh => a.cosh(),
                    F::Tanh => a.tanh(),
                    F::Exp => a.exp(),
                    F::Ln => a.ln(),
                    F::Abs => a.abs(),
                    F::Sign => {
                        if a == 0.0 {
                            0.0
                        } else {
                            a.signum()
                        }
                    }
                    F::Floor => a.floor(),
                }
            }
            Atom::Pair(function, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                match function {
                    BinaryFunction::Multiply => a * b,
                    BinaryFunction::Power => a.powf(b),
                    BinaryFunction::Min => a.min(b),
                    BinaryFunction::Max => a.max(b),
                    BinaryFunction::Atan2 => a.atan2(b),
                    _ => return None,
                }
            }
            Atom::Inverse(a) => 1.0 / self.value(a)?,
            Atom::Symbol(_) | Atom::Choice(..) | Atom::Endless => return None,
        })
    }

    /// Coefficients of the symbols, and the number.
    fn parts(&self, p: &Polynomial, of: &str) -> Result<Parts, Hindrance> {
        let mut parts = Parts::default();
        for (m, c) in p.terms() {
            let mut symbol = None;
            let mut rest = Monomial::default();
            for (variable, exponent) in m.factors() {
                match self.automaton.algebra.atom(*variable) {
                    Atom::Symbol(s) if symbol.is_none() && *exponent == 1 => symbol = Some(*s),
                    _ => rest = rest.times(&Monomial::power(*variable, *exponent)),
                }
            }
            let Some((value, is_fraction)) = self.constant(&rest, c).filter(|(v, _)| v.is_finite()) else {
                return Err(self.hindrance(m, c, of));
            };
            let entry = parts.entry(symbol).or_insert((Rational::from(0), 0.0));
            if is_fraction {
                entry.0 = &entry.0 + c;
            } else {
                entry.1 += value;
            }
        }
        Ok(parts)
    }

    fn coefficient(&self, (fraction, rest): &(Rational, f64)) -> String {
        if *rest == 0.0 {
            return self.rational(fraction);
        }
        self.has_rounded.set(true);
        format!("{}", fraction.to_f64() + rest)
    }

    /// An affine sum.
    pub(crate) fn polynomial(&self, p: &Polynomial, of: &str) -> Result<String, Hindrance> {
        Ok(self.text(&self.parts(p, of)?, true))
    }

    /// An affine comparison, the number on the right.
    pub(crate) fn comparison(&self, fact: &Fact, of: &str) -> Result<String, Hindrance> {
        let mut parts = self.parts(&fact.polynomial, of)?;
        let number = parts.remove(&None).unwrap_or((Rational::from(0), 0.0));
        let sign = match fact.relation {
            Relation::Greater | Relation::GreaterEqual => ">=",
            Relation::Less | Relation::LessEqual => "<=",
            Relation::Equal => "==",
            Relation::NotEqual => {
                return Err(Hindrance::new(format!(
                    "{of} compares by `!=`: SpaceEx takes polyhedra"
                )));
            }
        };
        let right = if number.0.is_zero() { number.0 } else { -number.0 };
        let right = self.coefficient(&(right, 0.0 - number.1));
        Ok(format!("{} {sign} {right}", self.text(&parts, false)))
    }

    fn text(&self, parts: &Parts, with_number: bool) -> String {
        let mut text = String::new();
        let symbols = parts.iter().filter(|(s, _)| s.is_some());
        let number = parts.iter().filter(|(s, _)| s.is_none() && with_number);
        for (symbol, value) in symbols.chain(number) {
            let coefficient = self.coefficient(value);
            if coefficient == "0" || coefficient == "-0" {
                continue;
            }
            let (is_minus, size) = match coefficient.strip_prefix('-') {
                Some(size) => (true, size),
                None => (false, coefficient.as_str()),
            };
            text.push_str(match (text.is_empty(), is_minus) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            });
            let name = symbol.and_then(|s| self.names.get(&s));
            match name {
                Some(name) if size == "1" => text.push_str(name),
                Some(name) => text.push_str(&format!("{size}*{name}")),
                None => text.push_str(size),
            }
        }
        if text.is_empty() { "0".to_owned() } else { text }
    }

    /// The term in the way, in the model's words, and the parameters that would free it.
    fn hindrance(&self, m: &Monomial, c: &Rational, of: &str) -> Hindrance {
        let mut words: BTreeMap<SymbolId, String> = BTreeMap::new();
        for (place, name) in self.automaton.states.iter().enumerate() {
            words.insert(SymbolId(place as u32), name.clone());
        }
        words.insert(self.automaton.time(), "t".to_owned());
        for constant in &self.automaton.constants {
            words.insert(constant.symbol, constant.name.clone());
        }
        let term = Polynomial::term(m.clone(), c.clone());
        let writer = Writer::new(&self.automaton.algebra, &words);
        let text = writer.polynomial(&term).unwrap_or_else(|construct| construct);
        let read = self.automaton.algebra.symbols(&term);
        let parameters: Vec<&str> = self
            .automaton
            .constants
            .iter()
            .filter(|k| read.contains(&k.symbol))
            .map(|k| k.name.as_str())
            .collect();
        let what = format!(
            "{of} has the term `{text}`, which is not affine: SpaceEx takes affine flows, resets and comparisons"
        );
        let hindrance = Hindrance {
            parameters: parameters.iter().map(|p| (*p).to_owned()).collect(),
            ..Hindrance::new(what)
        };
        if parameters.is_empty() {
            return hindrance.with_help("the dReach format takes it");
        }
        let fixes: Vec<String> = parameters.iter().map(|p| format!("--set {p}=VALUE")).collect();
        hindrance.with_help(format!(
            "parameters that vary count as variables; fix one: {}; or let all that are in the way have their nominal values",
            fixes.join(", ")
        ))
    }
}

type Parts = BTreeMap<Option<SymbolId>, (Rational, f64)>;
