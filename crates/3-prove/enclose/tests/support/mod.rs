//! Exact dyadic numbers, random numbers, and random formulas.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs
)]

use dyverse_expr::{NodeId, Pool, SymbolId};
use num_bigint::BigInt;

/// m · 2ᵉ, exactly.
#[derive(Clone, Debug)]
pub(crate) struct Dyadic(BigInt, i64);

impl Dyadic {
    pub(crate) fn of(value: f64) -> Self {
        assert!(value.is_finite());
        let bits = value.to_bits();
        let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i64, (bits & ((1 << 52) - 1)) as i64);
        let (mantissa, power) = if exponent == 0 {
            (fraction, -1074)
        } else {
            (fraction | 1 << 52, exponent - 1075)
        };
        let signed = if value.is_sign_negative() {
            -mantissa
        } else {
            mantissa
        };
        Dyadic(BigInt::from(signed), power)
    }
    pub(crate) fn plus(&self, other: &Self) -> Self {
        let low = self.1.min(other.1);
        let at = |x: &Dyadic| &x.0 << (x.1 - low) as usize;
        Dyadic(at(self) + at(other), low)
    }
    pub(crate) fn minus(&self, other: &Self) -> Self {
        self.plus(&Dyadic(-other.0.clone(), other.1))
    }
    pub(crate) fn times(&self, other: &Self) -> Self {
        Dyadic(&self.0 * &other.0, self.1 + other.1)
    }
    /// Whether it is between two doubles; infinite ones are beyond everything.
    pub(crate) fn is_in(&self, low: f64, high: f64) -> bool {
        let zero = BigInt::from(0);
        (low == f64::NEG_INFINITY || self.minus(&Dyadic::of(low)).0 >= zero)
            && (high == f64::INFINITY || Dyadic::of(high).minus(self).0 >= zero)
    }
}

/// SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        dyverse_num::split_mix(&mut self.0)
    }
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.next() >> 11) as f64 / (1_u64 << 53) as f64)
    }
    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }
}

/// A random polynomial formula of some symbols, with its exact value at a point and a bound of all numbers that occur in it.
pub(crate) struct Polynomial {
    pub(crate) node: NodeId,
    pub(crate) exact: Dyadic,
    pub(crate) size: f64,
}

pub(crate) fn polynomial(
    pool: &mut Pool,
    random: &mut Random,
    point: &[Dyadic],
    sizes: &[f64],
    constants: &dyn Fn(&mut Random) -> f64,
    depth: usize,
) -> Polynomial {
    if depth == 0 || random.below(6) == 0 {
        if random.below(3) == 0 {
            let value = constants(random);
            return Polynomial {
                node: pool.number(value),
                exact: Dyadic::of(value),
                size: value.abs(),
            };
        }
        let symbol = random.below(point.len());
        return Polynomial {
            node: pool.symbol(SymbolId(symbol as u32)),
            exact: point[symbol].clone(),
            size: sizes[symbol],
        };
    }
    let a = polynomial(pool, random, point, sizes, constants, depth - 1);
    let b = polynomial(pool, random, point, sizes, constants, depth - 1);
    match random.below(5) {
        0 => Polynomial {
            node: pool.add(a.node, b.node),
            exact: a.exact.plus(&b.exact),
            size: a.size + b.size,
        },
        1 => Polynomial {
            node: pool.subtract(a.node, b.node),
            exact: a.exact.minus(&b.exact),
            size: a.size + b.size,
        },
        2 => Polynomial {
            node: pool.integer_power(a.node, 3),
            exact: a.exact.times(&a.exact).times(&a.exact),
            size: a.size.powi(3),
        },
        _ => Polynomial {
            node: pool.multiply(a.node, b.node),
            exact: a.exact.times(&b.exact),
            size: a.size * b.size,
        },
    }
}
