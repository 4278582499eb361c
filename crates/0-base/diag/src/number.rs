//! Numbers as messages show them.

/// Significant digits of a number in a message at the most.
const DIGITS: usize = 12;

/// A number in few characters: `0.3` and not `0.30000000000000004`, `1e-300` and not three hundred zeros.
pub fn number(value: f64) -> String {
    let rounded = format!("{value:.*e}", DIGITS - 1).parse().unwrap_or(value);
    let size: f64 = f64::abs(rounded);
    if size == 0.0 || (1e-6..1e9).contains(&size) || !size.is_finite() {
        // Without the sign of a negative zero.
        format!("{}", rounded + 0.0)
    } else {
        format!("{rounded:e}")
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_short() {
        for (value, shown) in [
            (0.1 + 0.2, "0.3"),
            (-1.0, "-1"),
            (-0.0, "0"),
            (1e-300, "1e-300"),
            (2.5e300, "2.5e300"),
            (1e-9, "1e-9"),
            (123_456.789, "123456.789"),
            (f64::INFINITY, "inf"),
            (5e-324, "5e-324"),
        ] {
            assert_eq!(number(value), shown);
        }
    }
}
