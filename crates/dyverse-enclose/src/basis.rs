//! Monomials in a few variables, each in [−1, 1], up to a total degree, in graded order.

use std::sync::Arc;

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
}

impl Basis {
    /// The basis for so many variables and such a degree.
    #[must_use]
    pub fn new(variables: usize, degree: usize) -> Arc<Self> {
        let degree = if variables == 0 { 0 } else { degree };
        let mut exponents: Vec<Vec<u8>> = Vec::new();
        let mut prefix = Vec::new();
        for g in 0..=degree {
            compositions(variables, g, &mut vec![], &mut exponents);
            prefix.push(exponents.len());
        }
        let degrees: Vec<u8> = exponents.iter().map(|e| e.iter().sum()).collect();
        let place = |wanted: &[u8]| exponents.iter().position(|e| e == wanted).unwrap_or(0) as u32;
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
        })
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
    pub(crate) fn variable(&self, variable: usize) -> Option<usize> {
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
}
