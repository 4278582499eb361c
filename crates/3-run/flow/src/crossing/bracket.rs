//! Polishes a bracketed root on the function itself.
//!
//! # Method
//! Inverse quadratic interpolation where it is trusted, bisection elsewhere (T. R. Chandrupatla, Advances in
//! Engineering Software 28, 1997). The interpolated place is kept half a resolution away from both ends, so the
//! bracket closes from both sides.
//!
//! # Guarantee
//! f(lo) > 0 ≥ f(hi) throughout, and at the end hi − lo ≤ 2 resolutions. At most [`MOST`] evaluations.

/// A place and the value there.
pub(super) type Point = (f64, f64);

/// Bound on the evaluations; bisection alone needs 53 + 11.
const MOST: usize = 200;

/// Width a bracket near t is closed to: one ulp.
fn resolution(t: f64) -> f64 {
    (f64::EPSILON * t.abs()).max(f64::MIN_POSITIVE)
}

/// Closes [lo, hi] around the change of sign; the place where the function is not finite on failure.
pub(super) fn close_bracket(
    f: &mut dyn FnMut(f64) -> f64,
    mut lo: Point,
    mut hi: Point,
) -> Result<(Point, Point), f64> {
    // (x1, f1) is the newest end, (x2, f2) the other, (x3, f3) the end given up last.
    let ((mut x1, mut f1), (mut x2, mut f2)) = (hi, lo);
    let (mut part, mut zeros) = (0.5, 0.25);
    for _ in 0..MOST {
        let t = x1 + part * (x2 - x1);
        if !(lo.0 < t && t < hi.0) {
            break;
        }
        let value = f(t);
        if !value.is_finite() {
            return Err(t);
        }
        let (x3, f3);
        if (value > 0.0) == (f1 > 0.0) {
            (x3, f3) = (x1, f1);
        } else {
            (x3, f3) = (x2, f2);
            (x2, f2) = (x1, f1);
        }
        (x1, f1) = (t, value);
        if value > 0.0 {
            lo = (t, value)
        } else {
            hi = (t, value)
        }
        let width = hi.0 - lo.0;
        let least = resolution(lo.0.abs().max(hi.0.abs())) / width;
        if least > 0.5 {
            break;
        }
        if value == 0.0 {
            // A root: look just before it, further if it is zero there too.
            zeros *= 4.0;
            part = (least * zeros).min(0.5);
        } else {
            part = interpolate((x1, f1), (x2, f2), (x3, f3)).clamp(least, 1.0 - least);
        }
    }
    Ok((lo, hi))
}

/// Where to look next, as a part of the way from x1 to x2.
fn interpolate((x1, f1): Point, (x2, f2): Point, (x3, f3): Point) -> f64 {
    let xi = (x1 - x2) / (x3 - x2);
    let phi = (f1 - f2) / (f3 - f2);
    if phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi {
        f1 / (f2 - f1) * f3 / (f2 - f3) + (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2)
    } else {
        0.5
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Roots of several multiplicities and places close from both sides; simple ones quickly.
    #[test]
    fn brackets_close_to_ulps_from_both_sides() {
        for root in [1e-9, 0.019_7, 0.3, 1.0 - 1e-15] {
            for (power, bend) in [(1, 0.0), (1, 0.5), (1, 50.0), (3, 0.5), (7, 50.0)] {
                let mut calls = 0;
                let mut f = |t: f64| {
                    calls += 1;
                    (root - t).powi(power) * (1.0 + bend * t)
                };
                let (from, to) = (f(-0.01), f(1.0));
                let (lo, hi) = close_bracket(&mut f, (-0.01, from), (1.0, to)).unwrap();
                assert!(lo.1 > 0.0 && hi.1 <= 0.0 && lo.0 < hi.0);
                assert!(
                    hi.0 - lo.0 <= 4.0 * resolution(hi.0),
                    "{root} {power} {lo:?} {hi:?}"
                );
                assert!(
                    (hi.0 - root).abs() <= 4.0 * resolution(root),
                    "{root} {power} {hi:?}"
                );
                assert!(power > 1 || calls < 20, "{root} {bend}: {calls}");
            }
        }
    }
}
