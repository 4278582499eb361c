//! A cheap look at a function on an interval: five values tell whether a root is near enough to search for.

/// The points at which a function is evaluated, on [0, 1]: the Chebyshev points with both ends.
pub const CLEAR_POINTS: [f64; 5] = [0.0, 0.146_446_609_406_726_24, 0.5, 0.853_553_390_593_273_8, 1.0];

/// Whether a smooth function with these values at [`CLEAR_POINTS`] stays positive: its interpolant stays clear of zero by more than four times its last two
/// coefficients.
pub fn is_clear(v: [f64; 5]) -> bool {
    let h = std::f64::consts::FRAC_1_SQRT_2;
    let (e0, e1, e2) = (v[0] + v[4], v[1] + v[3], v[2]);
    let (o0, o1) = (v[0] - v[4], v[1] - v[3]);
    let c0 = (0.5 * e0 + e1 + e2) / 4.0;
    let c1 = (0.5 * o0 + h * o1) / 2.0;
    let c2 = (0.5 * e0 - e2) / 2.0;
    let c3 = (0.5 * o0 - h * o1) / 2.0;
    let c4 = (0.5 * e0 - e1 + e2) / 4.0;
    c0 - c1.abs() - c2.abs() - 5.0 * (c3.abs() + c4.abs()) > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_root_gets_through() {
        for root in [0.01, 0.3, 0.77, 1.0] {
            assert!(!is_clear(CLEAR_POINTS.map(|t| root - t)));
            assert!(!is_clear(CLEAR_POINTS.map(|t| (t - root) * (t - root) - 1e-9)));
        }
        assert!(is_clear(CLEAR_POINTS.map(|t| 1.1 - t)));
        assert!(is_clear(CLEAR_POINTS.map(|t| 2.0 + (t * 0.3).sin())));
    }
}
