//! `+ − × ÷ √` of doubles, rounded down or up, by way of the sign of the rounding error.
//!
//! # Method
//! The hardware rounds to nearest, r = RN(z). The sign of the error z − r is computed *exactly*, and r is
//! moved to its neighbour only when the error points outwards:
//! - sum: Fast2Sum with the larger operand first, whose error term is exact and cannot overflow unless the
//!   sum does [Dekker 1971; Boldo, Graillat, Muller 2017];
//! - product, quotient, root: the sign of x·y − z by one fused multiply-add, with (x, y, z) = (a, b, r),
//!   (r, b, a) or (r, r, a). The fused result is correctly rounded, so its sign is right unless a nonzero
//!   difference underflows to zero; [`sign_of_difference`] rescales small operands by powers of two
//!   so that this cannot happen.
//!
//! A finite result that overflows is between the largest double and infinity: rounded inwards it is
//! `f64::MAX`, outwards `∞`. Infinite operands occur as ends of unbounded intervals; `0 · ∞ = 0`
//! there, because 0 times any *number* is 0.
//!
//! # Guarantee
//! Rigorous and optimal: the result is the largest double not above (smallest not below) the exact value.
//! Assumes the default IEEE environment: round to nearest, subnormals kept. Undefined operations (∞ − ∞,
//! x/0) are excluded by the callers.

use std::cmp::Ordering;

/// 2⁻⁹⁶⁰: above it no product of two doubles loses bits below the smallest subnormal, 2⁻¹⁰⁷⁴.
const SAFE_PRODUCT: f64 = f64::from_bits((1023 - 960) << 52);
/// 2⁶⁰⁰: enough for two factors together to lift 2⁻²¹⁴⁸ above 2⁻¹⁰⁷⁴, too little to overflow.
const LIFT: f64 = f64::from_bits((1023 + 600) << 52);

/// How the exact value compares with the rounded one, applied towards −∞.
fn settle_down(rounded: f64, exact_vs_rounded: Ordering) -> f64 {
    if exact_vs_rounded == Ordering::Less {
        rounded.next_down()
    } else {
        rounded
    }
}

/// The same towards +∞.
fn settle_up(rounded: f64, exact_vs_rounded: Ordering) -> f64 {
    if exact_vs_rounded == Ordering::Greater {
        rounded.next_up()
    } else {
        rounded
    }
}

/// Sign of a finite number as an ordering against zero.
fn sign(value: f64) -> Ordering {
    value.partial_cmp(&0.0).unwrap_or(Ordering::Equal)
}

/// The exact order of x·y and z, for finite x, y, z with |x·y − z| representable in range.
fn sign_of_difference(x: f64, y: f64, z: f64) -> Ordering {
    if x == 0.0 || y == 0.0 {
        return sign(-z);
    }
    if z.abs() >= SAFE_PRODUCT {
        return sign(x.mul_add(y, -z));
    }
    // |x·y| is below about 2⁻⁹⁵⁹, so the smaller factor is below 2⁻⁴⁷⁹; multiples of powers of two are exact.
    let (small, large) = if x.abs() <= y.abs() { (x, y) } else { (y, x) };
    if large.abs() < 1.0 {
        sign((small * LIFT).mul_add(large * LIFT, -(z * LIFT * LIFT)))
    } else {
        sign((small * LIFT).mul_add(large, -(z * LIFT)))
    }
}

/// If `rounded` overflowed from finite operands, the order of the exact value and it.
fn overflow(rounded: f64) -> Option<Ordering> {
    if rounded == f64::INFINITY {
        Some(Ordering::Less)
    } else if rounded == f64::NEG_INFINITY {
        Some(Ordering::Greater)
    } else {
        None
    }
}

/// RN(a + b), and how the exact sum compares with it.
fn add(a: f64, b: f64) -> (f64, Ordering) {
    let sum = a + b;
    if !a.is_finite() || !b.is_finite() {
        return (sum, Ordering::Equal);
    }
    let (large, small) = if a.abs() >= b.abs() { (a, b) } else { (b, a) };
    (sum, overflow(sum).unwrap_or_else(|| sign(small - (sum - large))))
}

/// RN(a · b), and how the exact product compares with it; `0 · ∞ = 0`.
fn mul(a: f64, b: f64) -> (f64, Ordering) {
    if a == 0.0 || b == 0.0 {
        return (0.0, Ordering::Equal);
    }
    let product = a * b;
    if !a.is_finite() || !b.is_finite() {
        return (product, Ordering::Equal);
    }
    (
        product,
        overflow(product).unwrap_or_else(|| sign_of_difference(a, b, product)),
    )
}

/// RN(a / b), and how the exact quotient compares with it; `b ≠ 0`, not both infinite.
fn div(a: f64, b: f64) -> (f64, Ordering) {
    let quotient = a / b;
    if a == 0.0 || !a.is_finite() || !b.is_finite() {
        return (quotient, Ordering::Equal);
    }
    let order = overflow(quotient).unwrap_or_else(|| {
        // a/b ⋛ q  ⇔  a ⋛ q·b for b > 0, reversed for b < 0.
        let product_vs_a = sign_of_difference(quotient, b, a);
        if b > 0.0 {
            product_vs_a.reverse()
        } else {
            product_vs_a
        }
    });
    (quotient, order)
}

/// RN(√a), and how the exact root compares with it; `a ≥ 0`.
fn sqrt(a: f64) -> (f64, Ordering) {
    let root = a.sqrt();
    if a == 0.0 || !a.is_finite() {
        return (root, Ordering::Equal);
    }
    (root, sign_of_difference(root, root, a).reverse())
}

macro_rules! directed {
    ($($exact:ident($($a:ident),+) => $down:ident, $up:ident;)+) => {$(
        /// Rounded towards −∞.
        pub(super) fn $down($($a: f64),+) -> f64 {
            let (rounded, order) = $exact($($a),+);
            settle_down(rounded, order)
        }

        /// Rounded towards +∞.
        pub(super) fn $up($($a: f64),+) -> f64 {
            let (rounded, order) = $exact($($a),+);
            settle_up(rounded, order)
        }
    )+};
}

directed! {
    add(a, b) => add_down, add_up;
    mul(a, b) => mul_down, mul_up;
    div(a, b) => div_down, div_up;
    sqrt(a) => sqrt_down, sqrt_up;
}

/// a − b rounded towards −∞.
pub(super) fn sub_down(a: f64, b: f64) -> f64 {
    add_down(a, -b)
}

/// a − b rounded towards +∞.
pub(super) fn sub_up(a: f64, b: f64) -> f64 {
    add_up(a, -b)
}
