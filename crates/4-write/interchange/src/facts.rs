//! What is known of a state, and what follows from it: conjunctions of comparisons of polynomials with zero.
//!
//! # Method
//! A comparison loses factors whose sign is known (−e v ≤ 0 with e > 0 is v ≥ 0). Then every monomial counts as a variable, and Fourier–Motzkin elimination [Schrijver 1986, 12.2] decides
//! whether all comparisons can hold at once; signs of products are looked at as well.
//!
//! # Guarantee
//! Rigorous one way: what is said to be impossible is. Monomials that depend on each other are taken as independent, and elimination stops at a number of
//! comparisons, so that some impossible conjunctions are not found out.

use crate::algebra::{Algebra, Atom};
use crate::polynomial::{Monomial, Polynomial};
use crate::rational::Rational;
use crate::signs::Signs;
use dyverse_expr::{BinaryFunction, UnaryFunction};
use dyverse_formulas::Relation;
use std::collections::{BTreeMap, BTreeSet};

/// Comparisons of one elimination at the most.
const MOST_ROWS: usize = 250;

/// A polynomial compared with zero.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fact {
    pub(crate) polynomial: Polynomial,
    pub(crate) relation: Relation,
}

/// What is left of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Plain {
    Known(bool),
    Open(Fact),
}

fn meant(relation: Relation) -> Signs {
    match relation {
        Relation::Greater => Signs::POSITIVE,
        Relation::GreaterEqual => Signs::NOT_NEGATIVE,
        Relation::Less => Signs::NEGATIVE,
        Relation::LessEqual => Signs::NEGATIVE.with(Signs::ZERO),
        Relation::Equal => Signs::ZERO,
        Relation::NotEqual => Signs::NEGATIVE.with(Signs::POSITIVE),
    }
}

impl Fact {
    pub(crate) fn new(polynomial: Polynomial, relation: Relation) -> Self {
        Fact { polynomial, relation }
    }
    /// What is left of it, as a comparison; what is known is one of numbers.
    pub(crate) fn tidy(self, algebra: &Algebra) -> Self {
        match self.plain(algebra, &BTreeMap::new()) {
            Plain::Open(fact) => fact,
            Plain::Known(true) => Fact::new(Polynomial::zero(), Relation::Equal),
            Plain::Known(false) => Fact::new(Polynomial::integer(1), Relation::Equal),
        }
    }
    /// With the boundary.
    pub(crate) fn closed(&self) -> Self {
        let relation = match self.relation {
            Relation::Greater => Relation::GreaterEqual,
            Relation::Less => Relation::LessEqual,
            same => same,
        };
        Fact::new(self.polynomial.clone(), relation)
    }

    /// Without factors whose signs are known, the last coefficient 1.
    pub(crate) fn plain(&self, algebra: &Algebra, known: &BTreeMap<u32, Signs>) -> Plain {
        let signs = algebra.signs(&self.polynomial, known);
        let wanted = meant(self.relation);
        if signs.within(wanted) == signs {
            return Plain::Known(true);
        }
        if signs.within(wanted) == Signs::NONE {
            return Plain::Known(false);
        }
        let one = Rational::from(1);
        let (cleared, mut relation) = cleared(algebra, known, &self.polynomial, self.relation);
        let content = cleared.content();
        let mut rest = algebra.reduce(cleared.shifted(&Monomial::default().over(&content), &one));
        let mut kept = Monomial::default();
        for (variable, exponent) in content.factors() {
            let power = Monomial::power(*variable, *exponent);
            // Where something is divided by √q, q is positive: it goes as well.
            if let (Atom::Function(UnaryFunction::Sqrt, q), true) = (algebra.atom(*variable), *exponent < 0) {
                while let Some(quotient) = rest.divided(q).filter(|_| !rest.is_zero()) {
                    rest = quotient;
                }
            }
            let signs = algebra.signs(&Polynomial::term(power.clone(), one.clone()), known);
            if signs == Signs::NEGATIVE {
                relation = relation.mirrored();
            } else if signs != Signs::POSITIVE {
                // An odd power has the sign of its base; a divisor has the sign of its inverse.
                let smaller = if exponent % 2 == 0 {
                    power
                } else {
                    Monomial::power(*variable, 1)
                };
                kept = kept.times(&smaller);
            }
        }
        if !kept.is_one() {
            let signs = algebra.signs(&rest, known);
            if signs == Signs::POSITIVE || signs == Signs::NEGATIVE {
                if signs == Signs::NEGATIVE {
                    relation = relation.mirrored();
                }
                rest = Polynomial::integer(1);
            }
        }
        let mut polynomial = rest.shifted(&kept, &one);
        if let Some((_, coefficient)) = polynomial.leading() {
            if coefficient.sign() < 0 {
                relation = relation.mirrored();
            }
            polynomial = polynomial.scaled(&(&one / coefficient));
        }
        Plain::Open(Fact { polynomial, relation })
    }
}

/// A comparison without divisors p whose sign is known: multiplied by them, and divided by p as often as that goes.
fn cleared(
    algebra: &Algebra,
    known: &BTreeMap<u32, Signs>,
    polynomial: &Polynomial,
    relation: Relation,
) -> (Polynomial, Relation) {
    let (mut polynomial, mut relation) = (polynomial.clone(), relation);
    let variables: BTreeSet<u32> = polynomial.variables().collect();
    for variable in variables {
        let Atom::Inverse(divisor) = algebra.atom(variable) else {
            continue;
        };
        let signs = algebra.signs(&Polynomial::variable(variable), known);
        if signs != Signs::POSITIVE && signs != Signs::NEGATIVE {
            continue;
        }
        let classes = polynomial.by_exponent(variable);
        let most = classes.keys().next_back().copied().unwrap_or(0).max(0);
        let mut sum = Polynomial::zero();
        for (exponent, class) in classes {
            sum = sum.plus(&(exponent..most).fold(class, |product, _| product.times(divisor)));
        }
        if signs == Signs::NEGATIVE && most % 2 == 1 {
            relation = relation.mirrored();
        }
        polynomial = algebra.reduce(sum);
        while let Some(quotient) = polynomial.divided(divisor).filter(|_| !polynomial.is_zero()) {
            polynomial = quotient;
            if signs == Signs::NEGATIVE {
                relation = relation.mirrored();
            }
        }
    }
    (polynomial, relation)
}

/// The variable that a comparison is about, if it is x ≥ 0 and the like.
fn only_variable(fact: &Fact) -> Option<u32> {
    match fact.polynomial.leading()?.0.factors() {
        [(variable, 1)] if fact.polynomial.len() == 1 => Some(*variable),
        _ => None,
    }
}

/// The signs of variables that comparisons with zero give at once.
fn signs_of(algebra: &Algebra, facts: &[Fact]) -> BTreeMap<u32, Signs> {
    let mut known: BTreeMap<u32, Signs> = BTreeMap::new();
    // Twice: what a product tells depends on what is known of its factors.
    for _ in 0..2 {
        for fact in facts.iter().filter(|f| f.polynomial.len() == 1) {
            let Plain::Open(plain) = fact.plain(algebra, &known) else {
                continue;
            };
            if let (Some(variable), Some((_, c))) = (only_variable(&plain), plain.polynomial.leading()) {
                let relation = if c.sign() < 0 {
                    plain.relation.mirrored()
                } else {
                    plain.relation
                };
                let entry = known.entry(variable).or_insert(Signs::ALL);
                *entry = entry.within(meant(relation));
            }
        }
    }
    known
}

/// Sums with more terms than this are not looked at again with what is known of signs.
const MOST_TERMS: usize = 12;

/// Whether no state meets all of these (each tidy).
pub(crate) fn is_impossible(algebra: &Algebra, facts: &[Fact]) -> bool {
    let known = signs_of(algebra, facts);
    if known.values().any(|signs| *signs == Signs::NONE) {
        return true;
    }
    let mut rows: Vec<Row> = Vec::new();
    let mut variables: BTreeSet<u32> = BTreeSet::new();
    for fact in facts {
        let plain = if only_variable(fact).is_some() || fact.polynomial.len() > MOST_TERMS {
            // Of x alone: what it says of x would make it void.
            Plain::Open(fact.clone())
        } else {
            fact.plain(algebra, &known)
        };
        match plain {
            Plain::Known(false) => return true,
            Plain::Known(true) => {}
            Plain::Open(plain) => {
                variables.extend(plain.polynomial.variables());
                rows.extend(Row::of(&plain));
            }
        }
    }
    for variable in variables {
        rows.extend(range_rows(algebra, variable));
    }
    eliminate(algebra, rows)
}

/// Whether a comparison holds wherever the others do.
pub(crate) fn follows(algebra: &Algebra, facts: &[Fact], fact: &Fact) -> bool {
    let ways: &[Relation] = match fact.relation {
        Relation::Equal => &[Relation::Greater, Relation::Less],
        Relation::NotEqual => &[Relation::Equal],
        other => &[other.negated()],
    };
    ways.iter().all(|relation| {
        let mut all = facts.to_vec();
        all.push(Fact::new(fact.polynomial.clone(), *relation).tidy(algebra));
        is_impossible(algebra, &all)
    })
}

/// A polynomial whose choices (|p|, sign p, min, max) are made where what is known makes them.
pub(crate) fn settled(algebra: &mut Algebra, facts: &[Fact], p: &Polynomial) -> Polynomial {
    let mut p = p.clone();
    let variables: BTreeSet<u32> = p.variables().collect();
    for variable in variables {
        let (argument, above, below) = match algebra.atom(variable) {
            Atom::Function(UnaryFunction::Abs, a) => (a.clone(), a.clone(), a.scaled(&Rational::from(-1))),
            Atom::Function(UnaryFunction::Sign, a) => {
                (a.clone(), Polynomial::integer(1), Polynomial::integer(-1))
            }
            Atom::Pair(BinaryFunction::Min, a, b) => (a.minus(b), b.clone(), a.clone()),
            Atom::Pair(BinaryFunction::Max, a, b) => (a.minus(b), a.clone(), b.clone()),
            _ => continue,
        };
        let is_sign = matches!(algebra.atom(variable), Atom::Function(UnaryFunction::Sign, _));
        let [up, down] = if is_sign {
            [Relation::Greater, Relation::Less]
        } else {
            [Relation::GreaterEqual, Relation::LessEqual]
        };
        let value = if follows(algebra, facts, &Fact::new(argument.clone(), up)) {
            above
        } else if follows(algebra, facts, &Fact::new(argument, down)) {
            below
        } else {
            continue;
        };
        p = algebra.replaced(&p, variable, &value);
    }
    p
}

/// Σ aᵢ mᵢ + b ≥ 0, or > 0.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    sum: Polynomial,
    is_strict: bool,
}

impl Row {
    fn of(fact: &Fact) -> Vec<Row> {
        let p = &fact.polynomial;
        let minus = || p.scaled(&Rational::from(-1));
        let row = |sum: Polynomial, is_strict: bool| Row { sum, is_strict };
        match fact.relation {
            Relation::Greater => vec![row(p.clone(), true)],
            Relation::GreaterEqual => vec![row(p.clone(), false)],
            Relation::Less => vec![row(minus(), true)],
            Relation::LessEqual => vec![row(minus(), false)],
            Relation::Equal => vec![row(p.clone(), false), row(minus(), false)],
            Relation::NotEqual => Vec::new(),
        }
    }
    /// Some(false): it can never hold.
    fn truth(&self) -> Option<bool> {
        let value = self.sum.value()?;
        Some(value.sign() > 0 || value.sign() == 0 && !self.is_strict)
    }
}

fn range_rows(algebra: &Algebra, variable: u32) -> Vec<Row> {
    let Atom::Symbol(symbol) = algebra.atom(variable) else {
        return Vec::new();
    };
    let Some((lower, upper)) = algebra.range(*symbol) else {
        return Vec::new();
    };
    let x = Polynomial::variable(variable);
    let above = x.minus(&Polynomial::constant(lower.clone()));
    let below = Polynomial::constant(upper.clone()).minus(&x);
    [above, below]
        .map(|sum| Row {
            sum,
            is_strict: false,
        })
        .to_vec()
}

/// Fourier–Motzkin: whether the rows contradict each other.
fn eliminate(algebra: &Algebra, rows: Vec<Row>) -> bool {
    let mut rows: BTreeSet<Row> = rows.into_iter().collect();
    loop {
        algebra.note_work(rows.iter().map(|row| row.sum.len()).sum());
        if rows.iter().any(|row| row.truth() == Some(false)) {
            return true;
        }
        rows.retain(|row| row.truth().is_none());
        if drop_free(&mut rows) {
            continue;
        }
        let Some(next) = cheapest(&rows) else {
            return false;
        };
        let (mut lower, mut upper, mut rest) = (Vec::new(), Vec::new(), BTreeSet::new());
        for row in rows {
            match row.sum.coefficient(&next).sign() {
                1 => lower.push(row),
                -1 => upper.push(row),
                _ => {
                    rest.insert(row);
                }
            }
        }
        for a in &lower {
            for b in &upper {
                let (x, y) = (a.sum.coefficient(&next), b.sum.coefficient(&next).magnitude());
                rest.insert(scaled(Row {
                    sum: a.sum.scaled(&y).plus(&b.sum.scaled(&x)),
                    is_strict: a.is_strict || b.is_strict,
                }));
                if rest.len() > MOST_ROWS {
                    return false;
                }
            }
        }
        rows = rest;
    }
}

/// A monomial that all rows bound from one side only can be as large as is needed: its rows say nothing. Whether there were such.
fn drop_free(rows: &mut BTreeSet<Row>) -> bool {
    let mut signs: BTreeMap<&Monomial, u8> = BTreeMap::new();
    for row in rows.iter() {
        for (m, c) in row.sum.terms().filter(|(m, _)| !m.is_one()) {
            *signs.entry(m).or_default() |= if c.sign() > 0 { 1 } else { 2 };
        }
    }
    let free: BTreeSet<Monomial> = signs
        .into_iter()
        .filter(|(_, s)| *s != 3)
        .map(|(m, _)| m.clone())
        .collect();
    let before = rows.len();
    rows.retain(|row| row.sum.terms().all(|(m, _)| !free.contains(m)));
    rows.len() < before
}

/// The largest coefficient 1 or −1, so that equal rows are one.
fn scaled(row: Row) -> Row {
    let size = row.sum.leading().map(|(_, c)| c.magnitude());
    match size {
        Some(size) => Row {
            sum: row.sum.scaled(&(&Rational::from(1) / &size)),
            ..row
        },
        None => row,
    }
}

/// The monomial whose elimination makes the fewest rows.
fn cheapest(rows: &BTreeSet<Row>) -> Option<Monomial> {
    let mut counts: BTreeMap<&Monomial, (usize, usize)> = BTreeMap::new();
    for row in rows {
        for (m, c) in row.sum.terms().filter(|(m, _)| !m.is_one()) {
            let entry = counts.entry(m).or_default();
            if c.sign() > 0 {
                entry.0 += 1;
            } else {
                entry.1 += 1;
            }
        }
    }
    let best = counts.into_iter().min_by_key(|(_, (a, b))| a * b);
    best.map(|(m, _)| m.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use dyverse_expr::SymbolId;

    fn setting() -> (Algebra, [Polynomial; 3]) {
        let mut algebra = Algebra::default();
        algebra.set_range(SymbolId(2), 0.7, 0.9);
        let symbols = [0, 1, 2].map(|i| algebra.symbol(SymbolId(i)));
        (algebra, symbols)
    }

    #[test]
    fn known_factors_go() {
        let (algebra, [_, v, e]) = setting();
        // After an impact v⁺ = −e v with v < 0: it never stays.
        let before = Fact::new(v.clone(), Relation::Less);
        let after = Fact::new(v.times(&e).scaled(&Rational::from(-1)), Relation::LessEqual).tidy(&algebra);
        assert!(is_impossible(&algebra, &[before.clone(), after.clone()]));
        assert!(!is_impossible(&algebra, &[after]));
        // (1 − e) v < 0 follows.
        let slower = v.minus(&v.times(&e));
        assert!(follows(&algebra, &[before], &Fact::new(slower, Relation::Less)));
    }

    #[test]
    fn sums_contradict() {
        let (algebra, [x, y, e]) = setting();
        let one = Polynomial::integer(1);
        // x ≥ 1, y ≥ 1, x + y ≤ 1.
        let facts = [
            Fact::new(x.minus(&one), Relation::GreaterEqual),
            Fact::new(y.minus(&one), Relation::GreaterEqual),
            Fact::new(x.plus(&y).minus(&one), Relation::LessEqual),
        ];
        assert!(is_impossible(&algebra, &facts));
        assert!(!is_impossible(&algebra, &facts[1..]));
        // x = e and x > 0.9.
        let limit = Rational::decimal(0.9).unwrap_or_else(|| Rational::from(1));
        let above = Fact::new(x.minus(&Polynomial::constant(limit)), Relation::Greater);
        let equal = Fact::new(x.minus(&e), Relation::Equal);
        assert!(is_impossible(&algebra, &[above.clone(), equal.clone()]));
        assert!(!is_impossible(&algebra, &[above.closed(), equal]));
    }
}
