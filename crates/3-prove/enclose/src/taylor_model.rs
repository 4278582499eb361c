//! Taylor models: a polynomial in a few variables of [−1, 1], and an interval for everything it leaves out.
//!
//! | printed      | here           |
//! |--------------|----------------|
//! | f ∈ P(p) + I | [`TaylorModel`] |
//!
//! [Makino and Berz, *Taylor models and other validated functional inclusion methods*, 2003.] The polynomial keeps how a quantity depends on parameters and initial
//! values, so that what cancels in exact arithmetic cancels here too.
//!
//! # Method
//! Coefficients are doubles. As |p^α| ≤ 1, the error that rounding makes in a coefficient is an error of at most that size in the value: it goes into I, bounded by
//! n·2⁻⁵³ times the sum of the sizes of all products, n the number of operations that any coefficient went through. Products beyond the degree go into I as well.
//! Functions are expanded about the constant coefficient, f(a + u) = Σ f_k(a) uᵏ with Lagrange's remainder, the f_k from the recurrences of `series.rs`.
//!
//! # Guarantee
//! Rigorous: for every p in the cube the exact value is in P(p) + I, P evaluated exactly.

use std::sync::Arc;

use dyverse_expr::UnaryFunction;
use dyverse_num::Interval;

use crate::basis::{Basis, VariableId};
use crate::ring::{Ring, Undefined, bounded};
use crate::series::expansion;

/// A bound for the relative error of one rounding, with room for the rounding of the bound itself.
const UNIT: f64 = 1.2e-16;
/// What underflow can take from a product.
const TINY: f64 = 1e-300;

/// A polynomial on the cube with a remainder.
#[derive(Clone, Debug)]
pub struct TaylorModel {
    basis: Arc<Basis>,
    /// Trailing zeros left out.
    coefficients: Vec<f64>,
    remainder: Interval,
}

/// A sum of products of Taylor models, rounded once at the end.
#[derive(Debug)]
pub(crate) struct Sum {
    basis: Arc<Basis>,
    coefficients: Vec<f64>,
    remainder: Interval,
    /// Sum of the sizes of all terms.
    mass: f64,
    /// Operations that any coefficient went through, at the most.
    operations: f64,
    /// Errors of operations that were measured.
    error: f64,
}

/// a + b, a · b for sizes: rounded up.
fn up_add(a: f64, b: f64) -> f64 {
    if a == 0.0 {
        b
    } else if b == 0.0 {
        a
    } else {
        (a + b).next_up()
    }
}
fn up_mul(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 {
        0.0
    } else {
        (a * b).next_up()
    }
}
/// The rounding error of s = a + b, exactly (Knuth).
fn error_of_sum(a: f64, b: f64, s: f64) -> f64 {
    let c = s - a;
    ((a - (s - c)) + (b - c)).abs()
}
/// A bound for the rounding error of p = a · b: none if a factor is zero or a power of two.
fn error_of_product(a: f64, b: f64, p: f64) -> f64 {
    const FRACTION: u64 = (1 << 52) - 1;
    let is_power = |x: f64| x.to_bits() & FRACTION == 0 && x.is_normal();
    if a == 0.0 || b == 0.0 {
        return if p == 0.0 { 0.0 } else { f64::NAN };
    }
    let e = if is_power(a) || is_power(b) {
        0.0
    } else {
        UNIT * p.abs()
    };
    if p.abs() < 1e-280 { e + TINY } else { e }
}
/// [−r, r]; everything if r is no number.
pub(crate) fn symmetric(r: f64) -> Interval {
    Interval::new(-r, r).unwrap_or(Interval::ENTIRE)
}

impl TaylorModel {
    /// A constant.
    #[must_use]
    pub fn constant(basis: &Arc<Basis>, value: Interval) -> Self {
        match value.mid() {
            Some(middle) if !value.is_point() => TaylorModel {
                basis: basis.clone(),
                coefficients: if middle == 0.0 { vec![] } else { vec![middle] },
                remainder: value - Interval::point(middle),
            },
            Some(middle) => TaylorModel {
                basis: basis.clone(),
                coefficients: if middle == 0.0 { vec![] } else { vec![middle] },
                remainder: Interval::ZERO,
            },
            None => TaylorModel {
                basis: basis.clone(),
                coefficients: vec![f64::NAN],
                remainder: Interval::EMPTY,
            },
        }
    }

    /// centre + radius · p_i, for the box variable i.
    #[must_use]
    pub fn variable(basis: &Arc<Basis>, variable: VariableId, range: Interval) -> Self {
        let (Some(place), Some(middle)) = (basis.variable(variable), range.mid()) else {
            return Self::constant(basis, range);
        };
        // Rounded up, so that the ends are inside.
        let radius = (range.hi() - middle).max(middle - range.lo()).next_up();
        if range.is_point() {
            return Self::constant(basis, range);
        }
        let mut coefficients = vec![0.0; place + 1];
        coefficients[0] = middle;
        coefficients[place] = radius;
        TaylorModel {
            basis: basis.clone(),
            coefficients,
            remainder: Interval::ZERO,
        }
    }

    /// A polynomial given by its coefficients, in the order of the basis.
    #[must_use]
    pub fn from_parts(basis: &Arc<Basis>, mut coefficients: Vec<f64>, remainder: Interval) -> Self {
        coefficients.truncate(basis.len());
        trim(&mut coefficients);
        TaylorModel {
            basis: basis.clone(),
            coefficients,
            remainder,
        }
    }

    /// Its monomials.
    #[must_use]
    pub fn basis(&self) -> &Arc<Basis> {
        &self.basis
    }
    /// The coefficients, trailing zeros left out.
    #[must_use]
    pub fn coefficients(&self) -> &[f64] {
        &self.coefficients
    }
    /// What the polynomial leaves out.
    #[must_use]
    pub fn remainder(&self) -> Interval {
        self.remainder
    }
    /// The polynomial alone.
    #[must_use]
    pub fn polynomial(&self) -> Self {
        self.with_remainder(Interval::ZERO)
    }
    /// The same polynomial with another remainder.
    #[must_use]
    pub fn with_remainder(&self, remainder: Interval) -> Self {
        TaylorModel {
            remainder,
            ..self.clone()
        }
    }
    /// Something more in the remainder.
    #[must_use]
    pub fn widened(&self, by: Interval) -> Self {
        self.with_remainder(self.remainder + by)
    }
    /// The constant coefficient: the polynomial at the centre of the cube.
    #[must_use]
    pub fn centre(&self) -> f64 {
        // Those at the end that are zero are left out: perhaps all.
        self.coefficients.first().copied().unwrap_or(0.0)
    }
    /// Are all its numbers finite?
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.coefficients.iter().all(|c| c.is_finite())
            && !self.remainder.is_empty()
            && self.remainder.is_bounded()
    }
    /// How far the polynomial gets from its constant coefficient, at the most.
    #[must_use]
    pub fn spread(&self) -> f64 {
        self.coefficients
            .iter()
            .skip(1)
            .fold(0.0, |sum, c| up_add(sum, c.abs()))
    }

    /// The sizes of the coefficients, summed by degree.
    fn norms(&self) -> Vec<f64> {
        let mut norms = vec![0.0; self.basis.degree() + 1];
        for (place, c) in self.coefficients.iter().enumerate() {
            let own = &mut norms[self.basis.degree_of(place)];
            *own = up_add(*own, c.abs());
        }
        norms
    }

    /// The sum with a constant.
    #[must_use]
    pub fn shifted(&self, by: Interval) -> Self {
        self.plus(&Self::constant(&self.basis, by))
    }
    /// The product with a constant.
    #[must_use]
    pub fn times_interval(&self, factor: Interval) -> Self {
        self.scaled(factor)
    }

    /// A bound of all its values.
    #[must_use]
    pub fn bound(&self) -> Interval {
        self.range()
    }

    /// The value at a point of the cube.
    #[must_use]
    pub fn at(&self, point: &[Interval]) -> Interval {
        if self
            .basis
            .is_over(self.coefficients.len() * (10 + self.basis.variables()))
        {
            return Interval::ENTIRE;
        }
        let mut value = self.remainder;
        for (place, c) in self.coefficients.iter().enumerate() {
            let mut term = Interval::point(*c);
            for (exponent, p) in self.basis.exponents(place).iter().zip(point) {
                if *exponent > 0 {
                    term = term * p.powi(i32::from(*exponent));
                }
            }
            value = value + term;
        }
        value
    }

    /// A bound of the polynomial: even powers are not below zero.
    fn polynomial_range(&self) -> Interval {
        if self
            .basis
            .is_over(self.coefficients.len() * (2 + self.basis.variables() / 8))
        {
            return Interval::ENTIRE;
        }
        let mut range = Interval::point(self.centre());
        let (mut low, mut high) = (0.0, 0.0);
        for (place, c) in self.coefficients.iter().enumerate().skip(1) {
            let is_even = self.basis.exponents(place).iter().all(|e| e % 2 == 0);
            if !is_even || *c < 0.0 {
                low = up_add(low, c.abs());
            }
            if !is_even || *c > 0.0 {
                high = up_add(high, c.abs());
            }
            if c.is_nan() {
                high = f64::NAN;
            }
        }
        range = range + Interval::new(-low, high).unwrap_or(Interval::ENTIRE);
        range
    }

    fn compose(&self, function: UnaryFunction, reciprocal: bool) -> Result<Self, Undefined> {
        let range = bounded(self.range())?;
        let degree = self.basis.degree();
        let centre = Interval::point(self.centre());
        let function = (!reciprocal).then_some(function);
        let coefficients = expansion(function, centre, degree)?;
        let last = expansion(function, range, degree + 1)?;
        let mut shift = self.clone();
        if let Some(first) = shift.coefficients.first_mut() {
            *first = 0.0;
        }
        trim(&mut shift.coefficients);
        let size = shift.range();
        let mut value = Self::constant(&self.basis, coefficients[degree]);
        for k in (0..degree).rev() {
            value = value
                .times(&shift)
                .plus(&Self::constant(&self.basis, coefficients[k]));
        }
        let lagrange = last[degree + 1] * size.powi(degree as i32 + 1);
        // The plain value of the function is often the better bound of a remainder that is large.
        Ok(value.widened(lagrange))
    }
}

fn trim(coefficients: &mut Vec<f64>) {
    while coefficients.last().is_some_and(|c| *c == 0.0) {
        coefficients.pop();
    }
}

impl Ring for TaylorModel {
    type Sum = Sum;

    fn constant(&self, value: Interval) -> Self {
        TaylorModel::constant(&self.basis, value)
    }

    fn is_zero(&self) -> bool {
        self.coefficients.is_empty() && self.remainder == Interval::ZERO
    }

    fn plus(&self, other: &Self) -> Self {
        let mut sum = self.sum();
        Self::add_to(&mut sum, 1.0, self);
        Self::add_to(&mut sum, 1.0, other);
        Self::finish(sum)
    }

    fn minus(&self, other: &Self) -> Self {
        let mut sum = self.sum();
        Self::add_to(&mut sum, 1.0, self);
        Self::add_to(&mut sum, -1.0, other);
        Self::finish(sum)
    }

    fn negated(&self) -> Self {
        TaylorModel {
            basis: self.basis.clone(),
            coefficients: self.coefficients.iter().map(|c| -c).collect(),
            remainder: -self.remainder,
        }
    }

    fn times(&self, other: &Self) -> Self {
        let mut sum = self.sum();
        Self::add_product(&mut sum, 1.0, self, other);
        Self::finish(sum)
    }

    fn scaled(&self, factor: Interval) -> Self {
        let Some(middle) = factor.mid() else {
            return self.constant(Interval::EMPTY);
        };
        if self.is_zero() {
            return self.clone();
        }
        let coefficients: Vec<f64> = self.coefficients.iter().map(|c| c * middle).collect();
        let products = self.coefficients.iter().zip(&coefficients);
        let error = products.fold(0.0, |sum, (c, p)| up_add(sum, error_of_product(*c, middle, *p)));
        let rounding = symmetric(error);
        let rest = if factor.is_point() {
            Interval::ZERO
        } else {
            (factor - Interval::point(middle)) * self.polynomial_range()
        };
        TaylorModel::from_parts(
            &self.basis,
            coefficients,
            self.remainder * factor + rounding + rest,
        )
    }

    fn range(&self) -> Interval {
        self.polynomial_range() + self.remainder
    }

    fn apply(&self, function: UnaryFunction) -> Result<Self, Undefined> {
        match function {
            UnaryFunction::Negate => Ok(self.negated()),
            _ => self.compose(function, false),
        }
    }

    fn reciprocal(&self) -> Result<Self, Undefined> {
        self.compose(UnaryFunction::Negate, true)
    }

    fn sum(&self) -> Sum {
        Sum {
            basis: self.basis.clone(),
            coefficients: Vec::new(),
            remainder: Interval::ZERO,
            mass: 0.0,
            operations: 0.0,
            error: 0.0,
        }
    }

    fn add_product(sum: &mut Sum, weight: f64, a: &Self, b: &Self) {
        if a.is_zero() || b.is_zero() {
            return;
        }
        let basis = &a.basis;
        if basis.is_over(a.coefficients.len() * b.coefficients.len()) {
            sum.remainder = Interval::ENTIRE;
            return;
        }
        let degree = basis.degree();
        if let (Some(last_a), Some(last_b)) = (
            a.coefficients.len().checked_sub(1),
            b.coefficients.len().checked_sub(1),
        ) {
            let reach = basis.up_to((basis.degree_of(last_a) + basis.degree_of(last_b)).min(degree));
            if sum.coefficients.len() < reach {
                sum.coefficients.resize(reach, 0.0);
            }
            // Few products are measured, many are bounded.
            let is_measured = a.coefficients.len() * b.coefficients.len() <= 3;
            for (i, x) in a.coefficients.iter().enumerate() {
                if *x == 0.0 {
                    continue;
                }
                let scaled = weight * x;
                let products = basis.products(i);
                for (y, place) in b.coefficients.iter().zip(products) {
                    let own = &mut sum.coefficients[*place as usize];
                    let product = scaled * y;
                    let total = *own + product;
                    if is_measured {
                        let more = error_of_sum(*own, product, total)
                            + error_of_product(scaled, *y, product)
                            + up_mul(error_of_product(weight, *x, scaled), y.abs());
                        // Nothing was lost, or a little more than was.
                        sum.error = up_add(
                            sum.error,
                            if more > 0.0 {
                                more.next_up().next_up()
                            } else {
                                more
                            },
                        );
                    }
                    *own = total;
                }
            }
            let (na, nb) = (a.norms(), b.norms());
            let (size_a, size_b) = (
                na.iter().fold(0.0, |s, n| up_add(s, *n)),
                nb.iter().fold(0.0, |s, n| up_add(s, *n)),
            );
            let size = up_mul(up_mul(weight.abs(), size_a), size_b);
            sum.mass = up_add(sum.mass, size);
            if !is_measured {
                sum.operations += a.coefficients.len().min(b.coefficients.len()) as f64 + 3.0;
            }
            if basis.degree_of(last_a) + basis.degree_of(last_b) > degree {
                let mut cut = 0.0;
                for (g, x) in na.iter().enumerate() {
                    for y in nb.iter().skip(degree + 1 - g) {
                        cut = up_add(cut, up_mul(*x, *y));
                    }
                }
                sum.remainder = sum.remainder + symmetric(up_mul(weight.abs(), cut));
            }
        }
        let zero = Interval::ZERO;
        if a.remainder != zero || b.remainder != zero {
            let (ra, rb) = (a.polynomial_range(), b.polynomial_range());
            let rest = a.remainder * rb + b.remainder * (ra + a.remainder);
            sum.remainder = sum.remainder + Interval::point(weight) * rest;
        }
    }

    fn add_to(sum: &mut Sum, weight: f64, a: &Self) {
        if sum.coefficients.len() < a.coefficients.len() {
            sum.coefficients.resize(a.coefficients.len(), 0.0);
        }
        let mut size = 0.0;
        for (own, c) in sum.coefficients.iter_mut().zip(&a.coefficients) {
            let term = weight * c;
            let total = *own + term;
            let more = error_of_sum(*own, term, total) + error_of_product(weight, *c, term);
            if more > 0.0 {
                sum.error = up_add(sum.error, more.next_up());
            } else if more.is_nan() {
                sum.error = f64::NAN;
            }
            *own = total;
            size = up_add(size, c.abs());
        }
        sum.mass = up_add(sum.mass, up_mul(weight.abs(), size));
        if size.is_nan() {
            sum.mass = f64::NAN;
        }
        if a.remainder != Interval::ZERO {
            sum.remainder = sum.remainder + Interval::point(weight) * a.remainder;
        }
    }

    fn finish(sum: Sum) -> Self {
        let bounded = if sum.operations > 0.0 && sum.mass != 0.0 {
            up_add(up_mul(up_mul(UNIT, sum.operations), sum.mass), TINY)
        } else {
            0.0
        };
        let rounding = symmetric(up_add(bounded, sum.error));
        let mut coefficients = sum.coefficients;
        trim(&mut coefficients);
        TaylorModel {
            basis: sum.basis,
            coefficients,
            remainder: sum.remainder + rounding,
        }
    }
}
