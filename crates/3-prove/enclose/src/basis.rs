//! Monomials in a few variables, each in [−1, 1], up to a total degree, in graded order.
//!
//! What is computed with them can be ended from outside: from then on every result is the whole line, which is true of anything, and costs nothing.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Says whether to end; asked now and then.
pub type Ends = Arc<dyn Fn() -> bool + Send + Sync>;

/// Work between two questions whether to end, in operations on coefficients: far below a millisecond.
const UNASKED: usize = 20_000;

/// The end from outside.
struct Stop {
    ends: Ends,
    /// Since it was asked last.
    work: AtomicUsize,
    is_over: AtomicBool,
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stop")
    }
}

/// Monomials are the same whoever may end what is done with them.
impl PartialEq for Stop {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Stop {}

/// The number of a variable p_i of a [`Basis`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariableId(pub usize);

/// Monomials p^α with |α| ≤ d, ordered by degree; products beyond the degree are cut off.
#[derive(Debug, PartialEq, Eq)]
pub struct Basis {
    variables: usize,
    degree: usize,
    exponents: Vec<Vec<u8>>,
    degrees: Vec<u8>,
    /// Monomials of degree at most g, for each g.
    prefix: Vec<usize>,
    /// `product[i][j]`: the monomial p^(α_i + α_j), for all j that stay within the degree.
    product: Vec<Vec<u32>>,
    stop: Option<Stop>,
}

impl Basis {
    /// The basis for so many variables and such a degree.
    #[must_use]
    pub fn new(variables: usize, degree: usize) -> Arc<Self> {
        Self::ending(variables, degree, None)
    }

    /// The same; what is computed with it can be ended.
    #[must_use]
    pub fn ending(variables: usize, degree: usize, ends: Option<Ends>) -> Arc<Self> {
        let degree = if variables == 0 { 0 } else { degree };
        let mut exponents: Vec<Vec<u8>> = Vec::new();
        let mut prefix = Vec::new();
        for g in 0..=degree {
            compositions(variables, g, &mut vec![], &mut exponents);
            prefix.push(exponents.len());
        }
        let degrees: Vec<u8> = exponents.iter().map(|e| e.iter().sum()).collect();
        let places: BTreeMap<&[u8], u32> = (0..).zip(&exponents).map(|(k, e)| (e.as_slice(), k)).collect();
        let place = |wanted: &[u8]| match places.get(wanted) {
            Some(place) => *place,
            None => unreachable!("bug: a product beyond the degree"),
        };
        let product = exponents
            .iter()
            .zip(&degrees)
            .map(|(a, g)| {
                let partners = &exponents[..prefix[degree - *g as usize]];
                partners
                    .iter()
                    .map(|b| place(&a.iter().zip(b).map(|(x, y)| x + y).collect::<Vec<u8>>()))
                    .collect()
            })
            .collect();
        Arc::new(Basis {
            variables,
            degree,
            exponents,
            degrees,
            prefix,
            product,
            stop: ends.map(|ends| Stop {
                ends,
                work: AtomicUsize::new(0),
                is_over: AtomicBool::new(false),
            }),
        })
    }

    /// Whether somebody wants the end, before so many operations on coefficients. Once it is so it stays so.
    pub(crate) fn is_over(&self, work: usize) -> bool {
        let Some(stop) = &self.stop else {
            return false;
        };
        if stop.is_over.load(Ordering::Relaxed) {
            return true;
        }
        // A count that two threads spoil is only late.
        let done = stop.work.load(Ordering::Relaxed) + work + 1;
        let is_asked = done >= UNASKED;
        stop.work
            .store(if is_asked { 0 } else { done }, Ordering::Relaxed);
        let is_over = is_asked && (stop.ends)();
        if is_over {
            stop.is_over.store(true, Ordering::Relaxed);
        }
        is_over
    }
    /// Whether it was ended.
    #[must_use]
    pub fn was_ended(&self) -> bool {
        let stop = self.stop.as_ref();
        stop.is_some_and(|stop| stop.is_over.load(Ordering::Relaxed))
    }
    /// Number of variables.
    #[must_use]
    pub fn variables(&self) -> usize {
        self.variables
    }
    /// The largest total degree.
    #[must_use]
    pub fn degree(&self) -> usize {
        self.degree
    }
    /// Number of monomials.
    #[must_use]
    pub fn len(&self) -> usize {
        self.exponents.len()
    }
    /// Never: the constant is always there.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.exponents.is_empty()
    }
    /// The exponents of a monomial.
    #[must_use]
    pub fn exponents(&self, monomial: usize) -> &[u8] {
        &self.exponents[monomial]
    }
    pub(crate) fn degree_of(&self, monomial: usize) -> usize {
        usize::from(self.degrees[monomial])
    }
    /// Monomials of degree at most `degree`.
    pub(crate) fn up_to(&self, degree: usize) -> usize {
        self.prefix[degree.min(self.degree)]
    }
    pub(crate) fn products(&self, monomial: usize) -> &[u32] {
        &self.product[monomial]
    }
    /// The place of a variable itself; `None` where the degree is zero.
    pub(crate) fn variable(&self, VariableId(variable): VariableId) -> Option<usize> {
        let is_it = |e: &Vec<u8>| e[variable] == 1 && e.iter().map(|x| usize::from(*x)).sum::<usize>() == 1;
        self.exponents.iter().position(is_it)
    }
}

/// All ways to write `total` as a sum over the variables.
fn compositions(variables: usize, total: usize, head: &mut Vec<u8>, found: &mut Vec<Vec<u8>>) {
    if variables == head.len() {
        if total == 0 {
            found.push(head.clone());
        }
        return;
    }
    if head.len() + 1 == variables {
        head.push(total as u8);
        found.push(head.clone());
        head.pop();
        return;
    }
    for own in (0..=total).rev() {
        head.push(own as u8);
        compositions(variables, total - own, head, found);
        head.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_monomials_is_a_binomial_coefficient() {
        for (m, d, count) in [(0, 5, 1), (1, 6, 7), (2, 4, 15), (3, 3, 20), (4, 3, 35)] {
            let basis = Basis::new(m, d);
            assert_eq!(basis.len(), count);
            for i in 0..basis.len() {
                for (j, k) in basis.products(i).iter().enumerate() {
                    let sum: Vec<u8> = basis
                        .exponents(i)
                        .iter()
                        .zip(basis.exponents(j))
                        .map(|(a, b)| a + b)
                        .collect();
                    assert_eq!(basis.exponents(*k as usize), sum);
                }
            }
        }
    }

    /// Oracle: what is computed without an end. A result is that one, or the whole line, and from the first whole line on only that.
    #[test]
    fn what_is_ended_says_nothing_and_nothing_false() {
        use crate::ring::Ring;
        use crate::taylor_model::TaylorModel;
        use dyverse_num::Interval;
        let unit = Interval::new(-1.0, 1.0).unwrap();
        for last in [0, 1, 2, 5, 20] {
            let asked = AtomicUsize::new(0);
            let ends: Ends = Arc::new(move || asked.fetch_add(1, Ordering::Relaxed) >= last);
            let (ending, free) = (Basis::ending(12, 2, Some(ends)), Basis::new(12, 2));
            let sum = |basis: &Arc<Basis>| {
                let each = (0..12).map(|k| TaylorModel::variable(basis, VariableId(k), unit));
                each.fold(TaylorModel::constant(basis, Interval::ONE), |sum, x| sum.plus(&x))
            };
            let (mut a, mut b) = (sum(&ending), sum(&free));
            let mut was_ended = false;
            for _ in 0..500 {
                (a, b) = (
                    a.times(&sum(&ending)).scaled(Interval::point(0.0625)),
                    b.times(&sum(&free)).scaled(Interval::point(0.0625)),
                );
                let (found, expected) = (a.bound(), b.bound());
                assert!(expected.is_subset(&found));
                was_ended |= ending.was_ended();
                assert_eq!(was_ended, !found.is_bounded(), "{found:?}");
                assert!(was_ended || found == expected);
            }
            assert!(was_ended && !free.was_ended());
        }
    }
}
