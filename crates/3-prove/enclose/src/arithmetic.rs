//! Sums and products of Taylor models as operators, for whoever builds enclosures of their own.

use std::ops::{Add, Mul, Sub};

use dyverse_expr::UnaryFunction;
use dyverse_num::Interval;

use crate::ring::{Ring, Undefined};
use crate::taylor_model::TaylorModel;

impl Add for &TaylorModel {
    type Output = TaylorModel;
    fn add(self, other: Self) -> TaylorModel {
        self.plus(other)
    }
}

impl Sub for &TaylorModel {
    type Output = TaylorModel;
    fn sub(self, other: Self) -> TaylorModel {
        self.minus(other)
    }
}

impl Mul for &TaylorModel {
    type Output = TaylorModel;
    fn mul(self, other: Self) -> TaylorModel {
        self.times(other)
    }
}

impl Mul<Interval> for &TaylorModel {
    type Output = TaylorModel;
    fn mul(self, factor: Interval) -> TaylorModel {
        self.scaled(factor)
    }
}

impl TaylorModel {
    /// 1 / x.
    ///
    /// # Errors
    /// Where it may be zero.
    pub fn inverse(&self) -> Result<TaylorModel, Undefined> {
        self.reciprocal()
    }

    /// The square root of something above zero.
    ///
    /// # Errors
    /// Where it may not be.
    pub fn root(&self) -> Result<TaylorModel, Undefined> {
        self.apply(UnaryFunction::Sqrt)
    }
}
