//! Where a smooth function on an interval turns: its local extrema.
//!
//! The function is interpolated at the Chebyshev–Lobatto points of degree 16. Where the last coefficients do not vanish the interval is halved; where they do, the
//! interpolant is the function to about 1e-9 of its range, and the sign changes of its derivative are bisected. The value at an extremum is that of the function itself, so a place that is wrong by δ costs δ².
//! Where halving ends and the function is still no polynomial, as |v| is where v = 0, extreme values are refined by golden section.
//! Source: L. N. Trefethen, Approximation Theory and Approximation Practice, SIAM 2013, chapters 3, 8, 18.
//!
//! # Guarantee
//! Between neighbouring extrema the function is monotone, to the interpolation's accuracy. Not promised: a dip that is narrower than a 2¹²th of the interval and that no point hits.

use std::sync::LazyLock;

/// Degree of the interpolant.
const DEGREE: usize = 16;
/// Places at which the sign of the derivative is looked at.
const LOOKS: usize = 64;
/// Halvings at the most.
const MOST_HALVINGS: u32 = 12;
/// Evaluations at the most: a function that no polynomial follows anywhere, as one whose jumps are rounding's, would take millions.
const MOST_EVALUATIONS: usize = 100_000;
/// Part of the range that the last coefficients may have.
const TAIL: f64 = 1e-9;
/// Part of the size that is rounding.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// What differences of numbers of this size may be wrong by. Bounded both ways: what a run may be wrong by is far more than either.
pub(crate) fn noise(size: f64) -> f64 {
    (ROUNDING * size).clamp(1e-14, 1e-11)
}

/// The largest of intermediate numbers.
pub(crate) fn largest(values: &[f64]) -> f64 {
    let finite = values.iter().map(|v| v.abs()).filter(|v| v.is_finite());
    finite.fold(0.0, f64::max)
}

/// The interior local extrema of `f` on [a, b], ascending, each with its value; `None` if `f` is not finite somewhere, or nothing that can be followed. Ups and downs within `noise` are none: where
/// terms cancel, as in the energy less what it was, nothing but rounding is left.
pub(crate) fn extrema(a: f64, b: f64, noise: f64, f: &mut dyn FnMut(f64) -> f64) -> Option<Vec<(f64, f64)>> {
    let mut found = Vec::new();
    let mut left = MOST_EVALUATIONS;
    // What is asked for beyond the limit is no number, and that ends it.
    let mut limited = |t: f64| {
        left = left.saturating_sub(1);
        if left > 0 { f(t) } else { f64::NAN }
    };
    collect((a, b), noise, 0, &mut limited, &mut found)?;
    Some(found)
}

fn collect(
    (a, b): (f64, f64),
    noise: f64,
    halvings: u32,
    f: &mut dyn FnMut(f64) -> f64,
    found: &mut Vec<(f64, f64)>,
) -> Option<()> {
    let (middle, half) = (0.5 * (a + b), 0.5 * (b - a));
    let mut values = [0.0; DEGREE + 1];
    for (j, value) in values.iter_mut().enumerate() {
        let t = match j {
            0 => b,
            DEGREE => a,
            _ => middle + half * cosine(j),
        };
        *value = f(t);
        if !value.is_finite() {
            return None;
        }
    }
    let size = values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let range = high - low;
    if range <= ROUNDING * size + noise {
        return Some(());
    }
    let c = coefficients(&values);
    let tail: f64 = c[DEGREE - 2..].iter().map(|c| c.abs()).sum();
    let is_smooth = tail <= TAIL * range + ROUNDING * size + noise;
    let can_halve = halvings < MOST_HALVINGS && a < middle && middle < b;
    if !is_smooth && can_halve {
        collect((a, middle), noise, halvings + 1, f, found)?;
        let value = f(middle);
        if !value.is_finite() {
            return None;
        }
        found.push((middle, value));
        return collect((middle, b), noise, halvings + 1, f, found);
    }
    let turns: Vec<f64> = if is_smooth {
        turning_points(&c)
            .into_iter()
            .map(|x| middle + half * x)
            .collect()
    } else {
        kinks(&values, |j| middle + half * cosine(j), f)
    };
    for t in turns {
        if a < t && t < b && found.last().is_none_or(|last| last.0 < t) {
            let value = f(t);
            if !value.is_finite() {
                return None;
            }
            found.push((t, value));
        }
    }
    Some(())
}

/// Extrema of a function that no polynomial follows, such as |v| where v = 0: golden section between the neighbours of the extreme values.
fn kinks(
    values: &[f64; DEGREE + 1],
    place: impl Fn(usize) -> f64,
    f: &mut dyn FnMut(f64) -> f64,
) -> Vec<f64> {
    let mut found = Vec::new();
    for j in (1..DEGREE).rev() {
        let (next, value, last) = (values[j - 1], values[j], values[j + 1]);
        let sign = if value < next && value < last {
            1.0
        } else if value > next && value > last {
            -1.0
        } else {
            continue;
        };
        let (mut a, mut b) = (place(j + 1), place(j - 1));
        let part = 0.5 * (5.0_f64.sqrt() - 1.0);
        for _ in 0..80 {
            let (x, y) = (b - part * (b - a), a + part * (b - a));
            if sign * f(x) < sign * f(y) {
                b = y;
            } else {
                a = x;
            }
        }
        found.push(0.5 * (a + b));
    }
    found
}

/// cos(π j / n) of the first period, so that equal places have equal values.
fn cosine(j: usize) -> f64 {
    static ALL: LazyLock<[f64; 2 * DEGREE]> =
        LazyLock::new(|| std::array::from_fn(|j| (std::f64::consts::PI * j as f64 / DEGREE as f64).cos()));
    ALL[j % (2 * DEGREE)]
}

/// Chebyshev coefficients from values at the Lobatto points.
fn coefficients(values: &[f64; DEGREE + 1]) -> [f64; DEGREE + 1] {
    static ROWS: LazyLock<[[f64; DEGREE + 1]; DEGREE + 1]> = LazyLock::new(|| {
        let part = |k: usize| if k == 0 || k == DEGREE { 0.5 } else { 1.0 };
        let entry = |k: usize, j: usize| 2.0 / DEGREE as f64 * part(k) * part(j) * cosine(k * j);
        std::array::from_fn(|k| std::array::from_fn(|j| entry(k, j)))
    });
    let rows: &[[f64; DEGREE + 1]; DEGREE + 1] = &ROWS;
    std::array::from_fn(|k| rows[k].iter().zip(values).map(|(row, value)| row * value).sum())
}

/// Σ k c_k U_{k−1}(x), the derivative, by Clenshaw's recurrence.
fn derivative(c: &[f64; DEGREE + 1], x: f64) -> f64 {
    let (mut b1, mut b2) = (0.0, 0.0);
    for k in (1..=DEGREE).rev() {
        (b1, b2) = (k as f64 * c[k] + 2.0 * x * b1 - b2, b1);
    }
    b1
}

/// Whether the first coefficient alone gives the derivative its sign: |U_{k−1}| ≤ k on [−1, 1], so the others together are at most Σ k² |c_k|.
fn is_monotone(c: &[f64; DEGREE + 1]) -> bool {
    let others = c.iter().enumerate().skip(2);
    c[1].abs() > others.map(|(k, c)| (k * k) as f64 * c.abs()).sum::<f64>()
}

/// Ends and Chebyshev points, ascending.
fn looks() -> &'static [f64; LOOKS + 2] {
    static ALL: LazyLock<[f64; LOOKS + 2]> = LazyLock::new(|| {
        std::array::from_fn(|i| match i {
            0 => -1.0,
            i if i > LOOKS => 1.0,
            i => -(std::f64::consts::PI * (i as f64 - 0.5) / LOOKS as f64).cos(),
        })
    });
    &ALL
}

/// Sign changes of the derivative in (−1, 1), ascending.
fn turning_points(c: &[f64; DEGREE + 1]) -> Vec<f64> {
    if is_monotone(c) {
        return Vec::new();
    }
    let places = looks();
    let slopes: Vec<f64> = places.iter().map(|x| derivative(c, *x)).collect();
    let mut found = Vec::new();
    for i in 1..places.len() {
        if slopes[i - 1] == 0.0 && i > 1 {
            found.push(places[i - 1]);
        } else if slopes[i - 1] * slopes[i] < 0.0 {
            let rises = slopes[i] > 0.0;
            found.push(bisect(places[i - 1], places[i], |x| (derivative(c, x) > 0.0) == rises).1);
        }
    }
    found
}

/// Neighbouring numbers between which `is_after` becomes true: false at the first, true at the second, if it is so at the ends.
pub(crate) fn bisect(mut a: f64, mut b: f64, mut is_after: impl FnMut(f64) -> bool) -> (f64, f64) {
    loop {
        let middle = a + 0.5 * (b - a);
        let is_between = a < middle && middle < b;
        if !is_between {
            return (a, b);
        }
        if is_after(middle) {
            b = middle;
        } else {
            a = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number that is −0.3 to rounding, compared with −0.3: its jumps are rounding's, and there is no end to them.
    #[test]
    fn what_jumps_with_rounding_is_given_up() {
        let mut evaluations = 0;
        let mut f = |t: f64| {
            evaluations += 1;
            let bits = (t * 1e9).to_bits().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 63;
            if bits == 0 { -0.3 } else { -1.0 }
        };
        assert!(extrema(0.0, 1.0, 1e-14, &mut f).is_none());
        assert!(evaluations <= MOST_EVALUATIONS, "{evaluations}");
    }

    fn check(a: f64, b: f64, f: fn(f64) -> f64, expected: &[f64]) {
        let found = extrema(a, b, 0.0, &mut |t| f(t)).unwrap();
        // Ends of halves are in the list too: they do no harm.
        for e in expected {
            let near = found
                .iter()
                .any(|(t, v)| (t - e).abs() < 1e-6 && (v - f(*e)).abs() < 1e-13);
            assert!(near, "{e}: {found:?}");
        }
        for (t, v) in &found {
            assert_eq!(*v, f(*t));
        }
        // Between neighbours nothing leaves the hull of the ends.
        let mut nodes = vec![(a, f(a))];
        nodes.extend(&found);
        nodes.push((b, f(b)));
        for pair in nodes.windows(2) {
            let ((t0, v0), (t1, v1)) = (pair[0], pair[1]);
            assert!(t0 < t1);
            for i in 1..50 {
                let v = f(t0 + (t1 - t0) * f64::from(i) / 50.0);
                assert!(
                    v >= v0.min(v1) - 1e-12 && v <= v0.max(v1) + 1e-12,
                    "{t0} {t1} {v}"
                );
            }
        }
    }

    /// sin² + cos² − 1 is rounding: a few looks, and not 4096 halvings.
    #[test]
    fn rounding_is_not_taken_for_motion() {
        let f = |t: f64| 1e3 * (t.sin().powi(2) + t.cos().powi(2)) - 1e3;
        let mut looks = 0;
        let mut counted = |t: f64| {
            looks += 1;
            f(t)
        };
        assert_eq!(extrema(0.0, 3.0, noise(1e3), &mut counted), Some(Vec::new()));
        assert!(looks < 50, "{looks}");
        assert_eq!((noise(1e300), noise(0.0)), (1e-11, 1e-14));
        assert_eq!(largest(&[1.0, -3.0, f64::NAN, f64::INFINITY]), 3.0);
    }

    /// Oracle: the sign changes that are looked for without the short cut, for polynomials of all slopes.
    #[test]
    fn the_short_cut_leaves_nothing_out() {
        let (mut monotone, mut turning) = (0, 0);
        for step in 0..400 {
            let (a, b) = (0.008 * f64::from(step), 0.37 * f64::from(step));
            let f = |x: f64| a * x + (b + x).sin() + 0.3 * (2.0 * x - b).cos();
            let values = std::array::from_fn(|j| f(cosine(j)));
            let c = coefficients(&values);
            let slopes: Vec<f64> = looks().iter().map(|x| derivative(&c, *x)).collect();
            let turns = slopes.windows(2).filter(|s| s[0] * s[1] < 0.0).count();
            assert!(turns == 0 || !is_monotone(&c), "{a} {b}");
            assert_eq!(turning_points(&c).len(), turns);
            monotone += usize::from(is_monotone(&c));
            turning += usize::from(turns > 0);
        }
        assert!(monotone > 50 && turning > 50, "{monotone} {turning}");
    }

    #[test]
    fn extrema_of_polynomials_waves_and_dips() {
        check(0.0, 2.0, |t| (t - 0.3) * (t - 0.3), &[0.3]);
        check(-1.0, 3.0, |t| t * t * t - 3.0 * t, &[1.0]);
        check(0.0, 2.0, |t| 2.0 * t + 1.0, &[]);
        check(0.0, 2.0, |_| 7.0, &[]);
        let half = std::f64::consts::FRAC_PI_2;
        check(0.0, 30.0, f64::sin, &[half, 3.0 * half, 19.0 * half]);
        check(0.0, 10.0, |t| (1e-6 + (t - 3.217) * (t - 3.217)).sqrt(), &[3.217]);
        assert_eq!(extrema(-1.0, 1.0, 0.0, &mut |t: f64| t.sqrt()), None);
        // A kink that is no switch.
        let kink = |t: f64| (t - 1.0 / 3.0).hypot(0.0) - t / 7.0;
        let found = extrema(0.0, 5.0, 0.0, &mut |t| kink(t)).unwrap();
        let least = found.iter().map(|(_, v)| *v).fold(f64::INFINITY, f64::min);
        assert!((least + 1.0 / 21.0).abs() < 1e-14, "{least}");
        assert_eq!(bisect(0.0, f64::NAN, |_| true).0, 0.0);
    }
}
