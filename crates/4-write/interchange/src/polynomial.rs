//! Polynomials with exact coefficients over numbered variables; exponents may be negative.
//!
//! # Method
//! Terms are ordered lexicographically by exponents, the first variable first. That order is kept by multiplication, so the last term of a product is
//! the product of the last terms: exact division and roots go from the last term down.
//!
//! # Guarantee
//! Exact. Division and roots are found where they exist, up to a number of terms.

use crate::rational::Rational;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Terms of a quotient or root at the most.
const MOST_TERMS: usize = 200;

/// A product of powers: variables ascending, exponents not zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Monomial(Vec<(u32, i32)>);

impl Monomial {
    pub(crate) fn power(variable: u32, exponent: i32) -> Self {
        if exponent == 0 {
            Self::default()
        } else {
            Monomial(vec![(variable, exponent)])
        }
    }
    pub(crate) fn is_one(&self) -> bool {
        self.0.is_empty()
    }
    pub(crate) fn factors(&self) -> &[(u32, i32)] {
        &self.0
    }
    pub(crate) fn exponent(&self, variable: u32) -> i32 {
        let found = self.0.iter().find(|(v, _)| *v == variable);
        found.map_or(0, |(_, exponent)| *exponent)
    }
    fn merged(&self, other: &Self, of: impl Fn(i32, i32) -> i32) -> Self {
        let mut all: BTreeMap<u32, (i32, i32)> = BTreeMap::new();
        for (v, e) in &self.0 {
            all.entry(*v).or_default().0 = *e;
        }
        for (v, e) in &other.0 {
            all.entry(*v).or_default().1 = *e;
        }
        let merged = all.into_iter().map(|(v, (a, b))| (v, of(a, b)));
        Monomial(merged.filter(|(_, e)| *e != 0).collect())
    }
    pub(crate) fn times(&self, other: &Self) -> Self {
        self.merged(other, |a, b| a + b)
    }
    pub(crate) fn over(&self, other: &Self) -> Self {
        self.merged(other, |a, b| a - b)
    }
    pub(crate) fn raised(&self, n: i32) -> Self {
        self.merged(&Self::default(), |a, _| a * n)
    }
    fn is_whole(&self) -> bool {
        self.0.iter().all(|(_, e)| *e > 0)
    }
}

impl PartialOrd for Monomial {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Monomial {
    fn cmp(&self, other: &Self) -> Ordering {
        let (mut a, mut b) = (self.0.iter().peekable(), other.0.iter().peekable());
        loop {
            let (v, x, y) = match (a.peek(), b.peek()) {
                (None, None) => return Ordering::Equal,
                (Some((v, x)), None) => (*v, *x, 0),
                (None, Some((v, y))) => (*v, 0, *y),
                (Some((v, x)), Some((w, y))) => match v.cmp(w) {
                    Ordering::Less => (*v, *x, 0),
                    Ordering::Greater => (*w, 0, *y),
                    Ordering::Equal => (*v, *x, *y),
                },
            };
            if x != y {
                return x.cmp(&y);
            }
            a.next_if(|(w, _)| *w == v);
            b.next_if(|(w, _)| *w == v);
        }
    }
}

/// A sum of monomials with coefficients that are not zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Polynomial {
    terms: BTreeMap<Monomial, Rational>,
}

impl Polynomial {
    pub(crate) fn zero() -> Self {
        Self::default()
    }
    pub(crate) fn constant(value: Rational) -> Self {
        Self::term(Monomial::default(), value)
    }
    pub(crate) fn integer(value: i64) -> Self {
        Self::constant(Rational::from(value))
    }
    pub(crate) fn variable(variable: u32) -> Self {
        Self::term(Monomial::power(variable, 1), Rational::from(1))
    }
    pub(crate) fn term(monomial: Monomial, coefficient: Rational) -> Self {
        let mut terms = BTreeMap::new();
        if !coefficient.is_zero() {
            terms.insert(monomial, coefficient);
        }
        Polynomial { terms }
    }
    pub(crate) fn terms(&self) -> impl DoubleEndedIterator<Item = (&Monomial, &Rational)> {
        self.terms.iter()
    }
    pub(crate) fn len(&self) -> usize {
        self.terms.len()
    }
    pub(crate) fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }
    /// Its value, if it has no variables.
    pub(crate) fn value(&self) -> Option<Rational> {
        match self.terms.len() {
            0 => Some(Rational::from(0)),
            1 => self.terms.get(&Monomial::default()).cloned(),
            _ => None,
        }
    }
    pub(crate) fn coefficient(&self, of: &Monomial) -> Rational {
        self.terms.get(of).cloned().unwrap_or_else(|| Rational::from(0))
    }
    /// The last term.
    pub(crate) fn leading(&self) -> Option<(&Monomial, &Rational)> {
        self.terms.last_key_value()
    }
    pub(crate) fn variables(&self) -> impl Iterator<Item = u32> + '_ {
        self.terms
            .keys()
            .flat_map(|m| m.factors().iter().map(|(v, _)| *v))
    }
    fn insert(&mut self, monomial: &Monomial, coefficient: &Rational) {
        let sum = match self.terms.get(monomial) {
            Some(old) => old + coefficient,
            None => coefficient.clone(),
        };
        if sum.is_zero() {
            self.terms.remove(monomial);
        } else {
            self.terms.insert(monomial.clone(), sum);
        }
    }
    pub(crate) fn plus(&self, other: &Self) -> Self {
        let mut sum = self.clone();
        for (m, c) in &other.terms {
            sum.insert(m, c);
        }
        sum
    }
    pub(crate) fn minus(&self, other: &Self) -> Self {
        self.plus(&other.scaled(&Rational::from(-1)))
    }
    pub(crate) fn scaled(&self, by: &Rational) -> Self {
        self.shifted(&Monomial::default(), by)
    }
    /// Times one term.
    pub(crate) fn shifted(&self, monomial: &Monomial, by: &Rational) -> Self {
        if by.is_zero() {
            return Self::zero();
        }
        let terms = self.terms.iter().map(|(m, c)| (m.times(monomial), c * by));
        Polynomial {
            terms: terms.collect(),
        }
    }
    pub(crate) fn times(&self, other: &Self) -> Self {
        let mut product = Self::zero();
        for (m, c) in &self.terms {
            for (n, d) in &other.terms {
                product.insert(&m.times(n), &(c * d));
            }
        }
        product
    }
    /// The largest monomial that divides every term: least exponents.
    pub(crate) fn content(&self) -> Monomial {
        let mut found: Option<Monomial> = None;
        for m in self.terms.keys() {
            found = Some(match found {
                None => m.clone(),
                Some(least) => least.merged(m, i32::min),
            });
        }
        found.unwrap_or_default()
    }
    /// The terms with each exponent of a variable, without it.
    pub(crate) fn by_exponent(&self, variable: u32) -> BTreeMap<i32, Polynomial> {
        let mut classes: BTreeMap<i32, Polynomial> = BTreeMap::new();
        for (m, c) in &self.terms {
            let exponent = m.exponent(variable);
            let rest = m.over(&Monomial::power(variable, exponent));
            classes.entry(exponent).or_default().insert(&rest, c);
        }
        classes
    }
    /// The quotient, if there is one without a rest.
    pub(crate) fn divided(&self, by: &Self) -> Option<Self> {
        if self.is_zero() {
            return Some(Self::zero());
        }
        let (own, others) = (self.content(), by.content());
        let one = Rational::from(1);
        let mut rest = self.shifted(&Monomial::default().over(&own), &one);
        let divisor = by.shifted(&Monomial::default().over(&others), &one);
        let (lead, coefficient) = divisor.leading()?;
        let mut quotient = Self::zero();
        while let Some((m, c)) = rest.leading() {
            let next = m.over(lead);
            if !next.is_whole() || quotient.len() >= MOST_TERMS {
                return None;
            }
            let factor = c / coefficient;
            rest = rest.minus(&divisor.shifted(&next, &factor));
            quotient.insert(&next, &factor);
        }
        Some(quotient.shifted(&own.over(&others), &one))
    }
    /// A polynomial whose square this is, its last coefficient positive, if there is one.
    pub(crate) fn root(&self) -> Option<Self> {
        let content = self.content();
        let half = content.merged(&Monomial::default(), |e, _| e / 2);
        if half.raised(2) != content {
            return None;
        }
        let one = Rational::from(1);
        let whole = self.shifted(&Monomial::default().over(&content), &one);
        let Some((m, c)) = whole.leading() else {
            return Some(Self::zero());
        };
        let first = m.merged(&Monomial::default(), |e, _| e / 2);
        if first.raised(2) != *m {
            return None;
        }
        let lead = c.root()?;
        let mut root = Self::term(first.clone(), lead.clone());
        let mut rest = whole.minus(&root.times(&root));
        while let Some((m, c)) = rest.leading() {
            let next = m.over(&first);
            if !next.is_whole() || next >= first || root.len() >= MOST_TERMS {
                return None;
            }
            let factor = &(c / &lead) / &Rational::from(2);
            root.insert(&next, &factor);
            rest = whole.minus(&root.times(&root));
        }
        Some(root.shifted(&half, &one))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables() -> [Polynomial; 3] {
        [0, 1, 2].map(Polynomial::variable)
    }

    #[test]
    fn quotients_and_roots_multiply_back() {
        let [x, y, z] = variables();
        let d = x.minus(&y);
        let sum = d
            .plus(&z.scaled(&Rational::from(3)))
            .plus(&Polynomial::integer(2));
        let product = d.times(&sum);
        assert_eq!(product.divided(&d), Some(sum.clone()));
        assert_eq!(product.divided(&sum), Some(d.clone()));
        assert_eq!(product.plus(&x).divided(&d), None);
        assert_eq!(sum.times(&sum).root(), Some(sum.clone()));
        assert_eq!(sum.times(&sum).plus(&z).root(), None);
        assert_eq!(product.root(), None);
    }

    #[test]
    fn negative_exponents_divide_out() {
        let [x, y, _] = variables();
        let inverse = Polynomial::term(Monomial::power(1, -2), Rational::from(1));
        let p = x.times(&x).plus(&y).times(&inverse);
        assert_eq!(p.divided(&inverse), Some(x.times(&x).plus(&y)));
        assert_eq!(
            p.content(),
            Monomial::power(1, -2).merged(&Monomial::power(1, -2), i32::min)
        );
        let square = x.plus(&y).times(&x.plus(&y)).times(&inverse);
        let root = square.root().map(|r| r.times(&r));
        assert_eq!(root, Some(square));
    }

    #[test]
    fn the_order_is_kept_by_multiplication() {
        let all: Vec<Monomial> = [[1, 0, 0], [0, 2, 1], [0, 2, 0], [1, -1, 0], [0, 0, 3]]
            .iter()
            .map(|e| {
                (0..3).fold(Monomial::default(), |m, v| {
                    m.times(&Monomial::power(v, e[v as usize]))
                })
            })
            .collect();
        for a in &all {
            for b in &all {
                for c in &all {
                    assert_eq!(a.cmp(b), a.times(c).cmp(&b.times(c)));
                }
            }
        }
    }
}
