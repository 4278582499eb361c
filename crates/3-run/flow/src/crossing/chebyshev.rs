//! Chebyshev interpolation of degree 8 and 16, and its conversion to Bernstein form.
//!
//! | mathematics                | here        | meaning                                                   |
//! |----------------------------|-------------|-----------------------------------------------------------|
//! | x_k = −cos(kπ/16)          | `places`    | Chebyshev points of the second kind, from −1 to 1         |
//! | c_k                        |             | p = Σ c_k T_k                                             |
//! | M_{n,k,j}                  | `bernstein` | T_k in Bernstein form of degree n                         |
//!
//! # Method
//! The 9 points of degree 8 are among the 17 of degree 16. The last coefficients tell how well g is resolved
//! (L. N. Trefethen, Approximation theory and practice); one more evaluation off the points guards
//! against a function that hides between them (T_16 is constant on the 9 points). cos(kπ/16) comes from square roots,
//! T_k in Bernstein form of degree n from b_j = Σ_i (−1)^{k−i} C(2k,2i) C(n−k,j−i) / C(n,j).
//!
//! # Guarantee
//! To tolerance: the error is estimated from the coefficients, not proved.

use super::bernstein::{MAX_DEGREE, Piece};
use std::sync::OnceLock;

/// Degree of the interpolant.
const DEGREE: usize = 16;
/// Number of points.
pub(super) const POINTS: usize = DEGREE + 1;
/// Where the interpolant is compared with the function, in (−1, 1); any place far from the points.
const CHECK: f64 = 0.461_803_4;
/// Rounding assumed of the function, in its largest value seen.
const EVALUATION: f64 = 8.0 * f64::EPSILON;

/// T_0 … T_n in Bernstein form of degree n, row by row.
type Conversion = [[f64; POINTS]; POINTS];

struct Tables {
    places: [f64; POINTS],
    /// Values at the 17 points → coefficients.
    full: [[f64; POINTS]; POINTS],
    /// Values at the 9 points → coefficients.
    half: [[f64; POINTS]; POINTS],
    bernstein: Vec<Conversion>,
}

/// An interpolant and what is known of its quality.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interpolant {
    pub(super) piece: Piece,
    /// Size of the last coefficients.
    pub(super) tail: f64,
    /// Largest value seen.
    pub(super) size: f64,
}

/// Interpolates on [l, r]. Stops at degree 8 if that already shows g > `clear`; the place where g is not
/// finite on failure.
pub(super) fn interpolate(
    g: &mut dyn FnMut(f64) -> f64,
    (l, r): (f64, f64),
    clear: f64,
) -> Result<Interpolant, f64> {
    let tables = tables();
    let (mid, radius) = (0.5 * (l + r), 0.5 * (r - l));
    let mut call = |x: f64| {
        let t = if x == -1.0 {
            l
        } else if x == 1.0 {
            r
        } else {
            mid + radius * x
        };
        let value = g(t);
        if value.is_finite() { Ok(value) } else { Err(t) }
    };
    let mut values = [0.0; POINTS];
    for k in (0..POINTS).step_by(2) {
        values[k] = call(tables.places[k])?;
    }
    let check = call(CHECK)?;
    let coarse = coefficients(&tables.half, &values, 2);
    let tail = coarse[6..=8].iter().fold(0.0_f64, |size, c| size.max(c.abs()));
    let tail = tail.max((chebyshev_sum(&coarse, CHECK) - check).abs());
    let rest: f64 = coarse[1..].iter().map(|c| c.abs()).sum();
    if coarse[0] - rest - 4.0 * tail > clear && tail < 0.02 * coarse[0] {
        return Ok(finish(tables, &coarse, tail, &values, (l, r)));
    }
    for k in (1..POINTS).step_by(2) {
        values[k] = call(tables.places[k])?;
    }
    let fine = coefficients(&tables.full, &values, 1);
    let tail = fine[DEGREE - 2..]
        .iter()
        .fold(0.0_f64, |size, c| size.max(c.abs()));
    let tail = tail.max((chebyshev_sum(&fine, CHECK) - check).abs());
    Ok(finish(tables, &fine, tail, &values, (l, r)))
}

fn coefficients(table: &[[f64; POINTS]; POINTS], values: &[f64; POINTS], stride: usize) -> [f64; POINTS] {
    let mut c = [0.0; POINTS];
    for (c, row) in c.iter_mut().zip(table).take(DEGREE / stride + 1) {
        *c = values.iter().step_by(stride).zip(row).map(|(v, w)| v * w).sum();
    }
    c
}

/// Σ c_k T_k(x), by Clenshaw's recurrence.
fn chebyshev_sum(c: &[f64; POINTS], x: f64) -> f64 {
    let (mut b1, mut b2) = (0.0, 0.0);
    for c in c[1..].iter().rev() {
        (b1, b2) = (c + 2.0 * x * b1 - b2, b1);
    }
    c[0] + x * b1 - b2
}

/// Leaves out what is not significant and converts.
fn finish(
    tables: &Tables,
    c: &[f64; POINTS],
    tail: f64,
    values: &[f64; POINTS],
    (l, r): (f64, f64),
) -> Interpolant {
    let size = values.iter().fold(0.0_f64, |size, v| size.max(v.abs()));
    let threshold = (2.0 * tail).max(EVALUATION * size);
    let degree = c.iter().rposition(|c| c.abs() > threshold).unwrap_or(1).max(1);
    let mut error = 2.0 * tail + EVALUATION * size;
    error += c[degree + 1..].iter().map(|c| c.abs()).sum::<f64>();
    let mut b = [0.0; MAX_DEGREE + 1];
    for (c, row) in c[..=degree].iter().zip(&tables.bernstein[degree]) {
        let mut largest = 0.0_f64;
        for (b, m) in b[..=degree].iter_mut().zip(row) {
            *b += c * m;
            largest = largest.max(m.abs());
        }
        error += 2.0 * f64::EPSILON * c.abs() * largest;
    }
    let piece = Piece {
        l,
        r,
        degree,
        b,
        error,
        is_fresh: true,
    };
    Interpolant { piece, tail, size }
}

fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| {
        let places = places();
        Tables {
            places,
            full: interpolation(&places, 1),
            half: interpolation(&places, 2),
            bernstein: (0..POINTS).map(conversion).collect(),
        }
    })
}

/// −cos(kπ/16): half-angle formulas for k ≤ 4, the rest by symmetry and sin.
fn places() -> [f64; POINTS] {
    let half = |cosine: f64| (0.5 * (1.0 + cosine)).sqrt();
    let half_sine = |cosine: f64| (0.5 * (1.0 - cosine)).sqrt();
    let fourth = 0.5_f64.sqrt(); // cos(4π/16)
    let second = half(fourth);
    let sixth = half_sine(fourth);
    let cosines = [
        1.0,
        half(second),
        second,
        half(sixth),
        fourth,
        half_sine(sixth),
        sixth,
        half_sine(second),
        0.0,
    ];
    let mut places = [0.0; POINTS];
    for k in 0..=DEGREE / 2 {
        places[k] = -cosines[k];
        places[DEGREE - k] = cosines[k];
    }
    places
}

/// c_k = (2/n) Σ″ g(x_j) T_k(x_j), the first and last term of each sum and k = 0, n halved; points every `stride`.
fn interpolation(places: &[f64; POINTS], stride: usize) -> [[f64; POINTS]; POINTS] {
    let n = DEGREE / stride;
    let halved = |k: usize| if k == 0 || k == n { 0.5 } else { 1.0 };
    let mut table = [[0.0; POINTS]; POINTS];
    for (k, row) in table.iter_mut().enumerate().take(n + 1) {
        for (j, entry) in row.iter_mut().enumerate().take(n + 1) {
            // T_k(x_j) = cos(k(n−j)π/n) is one of the places again: fold the angle into [0, 2n).
            let angle = (k * (n - j)) % (2 * n);
            let place = n.abs_diff(angle);
            *entry = halved(k) * halved(j) * 2.0 / n as f64 * places[place * stride];
        }
    }
    table
}

/// T_0 … T_n in Bernstein form of degree n: whole numbers below 2^32, divided once.
fn conversion(n: usize) -> Conversion {
    let mut rows = [[0.0; POINTS]; POINTS];
    for (k, row) in rows.iter_mut().enumerate().take(n + 1) {
        for (j, entry) in row.iter_mut().enumerate().take(n + 1) {
            let terms = (j.saturating_sub(n - k)..=j.min(k)).map(|i| {
                let size = BINOMIALS[2 * k][2 * i] * BINOMIALS[n - k][j - i];
                if (k - i) % 2 == 0 { size } else { -size }
            });
            *entry = terms.sum::<i64>() as f64 / BINOMIALS[n][j] as f64;
        }
    }
    rows
}

/// n over k, by Pascal's triangle.
const BINOMIALS: [[i64; 2 * POINTS]; 2 * POINTS] = {
    let mut rows = [[0; 2 * POINTS]; 2 * POINTS];
    let mut n = 0;
    while n < 2 * POINTS {
        rows[n][0] = 1;
        let mut k = 1;
        while k <= n {
            rows[n][k] = rows[n - 1][k - 1] + rows[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    rows
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crossing::bernstein::evaluate;

    /// Oracle: the three-term recurrence, between 0 and 1.
    #[test]
    fn chebyshev_polynomials_are_converted() {
        for n in 0..=DEGREE {
            let rows = conversion(n);
            for (i, k) in (0..=40).flat_map(|i| (0..=n).map(move |k| (i, k))) {
                let tau = f64::from(i) / 40.0;
                let u = 2.0 * tau - 1.0;
                let (mut before, mut expected) = (u, 1.0);
                for _ in 0..k {
                    (before, expected) = (expected, 2.0 * u * expected - before);
                }
                let found = evaluate(&rows[k][..=n], tau);
                assert!(
                    (found - expected).abs() < 1e-10,
                    "T_{k} of degree {n} at {tau}: {found}"
                );
            }
        }
    }

    /// Oracle: the function itself, between the points.
    #[test]
    fn a_smooth_function_is_reproduced_within_the_stated_error() {
        let functions: [fn(f64) -> f64; 4] = [
            |t| (3.0 * t).sin(),
            |t| 1.0 / (t * t + 2.0),
            |t| t.exp() - 2.0,
            |t| t * t * t - t,
        ];
        for g in functions {
            let made = interpolate(&mut |t| g(t), (-0.7, 0.9), f64::INFINITY).unwrap();
            assert!(made.piece.error < 2e-8, "{:?}", made);
            for i in 0..=100 {
                let tau = f64::from(i) / 100.0;
                let p = evaluate(made.piece.coefficients(), tau);
                assert!((p - g(-0.7 + 1.6 * tau)).abs() <= made.piece.error);
            }
        }
    }
}
