//! Decimal literals, and whether a double holds them exactly.
//!
//! `9.81` is no double. A simulation takes the nearest one; a proof must enclose the decimal itself, so a
//! literal remembers whether its double is exact.

use dyverse_expr::Literal;
use num_bigint::BigUint;

/// Digits of a literal beyond which exactness is not worth finding out: it is then taken as inexact,
/// which is always sound.
const MOST_DIGITS: usize = 400;

/// Reads a decimal; `None` if it is none. Too large ones come out infinite.
pub(crate) fn decimal(text: &str) -> Option<Literal> {
    let value: f64 = text.parse().ok()?;
    Some(if is_exact(text, value) {
        Literal::exact(value)
    } else {
        Literal::nearest(value)
    })
}

/// Whether digits · 10^exponent = mantissa · 2^power, compared as integers.
fn is_exact(text: &str, value: f64) -> bool {
    if !value.is_finite() {
        return false;
    }
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let Ok(exponent) = exponent.parse::<i64>() else {
        return false;
    };
    let exponent = exponent.saturating_sub(fraction.len() as i64);
    if whole.len() + fraction.len() > MOST_DIGITS || exponent.unsigned_abs() > MOST_DIGITS as u64 {
        return false;
    }
    let Some(digits) = BigUint::parse_bytes(format!("0{whole}{fraction}").as_bytes(), 10) else {
        return false;
    };
    let (mantissa, power) = integer_parts(value);
    let (mut left, mut right) = (digits, BigUint::from(mantissa));
    let ten = BigUint::from(10u8);
    if exponent >= 0 {
        left *= ten.pow(exponent.unsigned_abs() as u32);
    } else {
        right *= ten.pow(exponent.unsigned_abs() as u32);
    }
    if power >= 0 {
        right <<= power.unsigned_abs();
    } else {
        left <<= power.unsigned_abs();
    }
    left == right
}

/// A finite non-negative double as mantissa · 2^power.
fn integer_parts(value: f64) -> (u64, i32) {
    let bits = value.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    if exponent == 0 {
        (fraction, -1074)
    } else {
        (fraction | (1 << 52), exponent - 1075)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactness_is_that_of_the_decimal() {
        for exact in [
            "0",
            "1",
            "0.5",
            "2.50",
            "1e3",
            "125e-3",
            "9007199254740992",
            "0.1e1",
            "1e22",
        ] {
            assert!(decimal(exact).unwrap().is_exact(), "{exact}");
        }
        for inexact in [
            "0.1",
            "9.81",
            "9007199254740993",
            "1e23",
            "1e-3",
            "1e-400",
            "1e999",
        ] {
            assert!(!decimal(inexact).unwrap().is_exact(), "{inexact}");
        }
    }
}
