//! The tables of the flow in C, against what they are made for.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::expect_used
)]

const TABLES: &str = include_str!("../src/runtime/tables.c");

/// The numbers of an array, row by row.
fn table(name: &str) -> Vec<f64> {
    let start = TABLES.find(&format!("double {name}[")).unwrap();
    let body = &TABLES[start..];
    let (from, to) = (body.find('{').unwrap(), body.find("};").unwrap());
    let numbers = body[from..to].split(|c: char| c == ',' || c == '{' || c == '}' || c.is_whitespace());
    numbers
        .filter(|s| !s.is_empty())
        .map(|s| s.parse().unwrap())
        .collect()
}

/// P_0 … P_12 at u.
fn legendre(u: f64) -> Vec<f64> {
    let mut p = vec![1.0, u];
    for k in 2..=12_i32 {
        let (m, n) = (f64::from(k - 1), f64::from(k));
        let (a, b) = (p[k as usize - 1], p[k as usize - 2]);
        p.push(((m + n) * u * a - m * b) / n);
    }
    p
}

/// Σ_j A_ij c_j^m = c_i^(m+1)/(m+1) below degree 12; values of P_k become the coefficient k.
#[test]
fn collocation_integrates_powers_and_finds_coefficients() {
    let (c, a, v) = (
        table("GAUSS_NODE"),
        table("GAUSS_COLLOCATION"),
        table("GAUSS_TO_LEGENDRE"),
    );
    assert_eq!((c.len(), a.len(), v.len()), (12, 144, 144));
    for i in 0..12 {
        for m in 0..12_i32 {
            let sum: f64 = (0..12).map(|j| a[12 * i + j] * c[j].powi(m)).sum();
            let expected = c[i].powi(m + 1) / f64::from(m + 1);
            assert!((sum - expected).abs() < 3e-16, "node {i}, degree {m}");
        }
    }
    for k in 0..12 {
        for row in 0..12 {
            let sum: f64 = (0..12)
                .map(|j| v[12 * row + j] * legendre(2.0 * c[j] - 1.0)[k])
                .sum();
            let expected = f64::from(u8::from(k == row));
            assert!((sum - expected).abs() < 1e-14, "P_{k}, coefficient {row}: {sum}");
        }
    }
}

/// Values of T_k at the points become the coefficient k; T_k in Bernstein form is cos(k acos x).
#[test]
fn chebyshev_polynomials_are_found_and_converted() {
    let places = table("CHEBYSHEV_PLACE");
    for (name, stride, n) in [("CHEBYSHEV_FULL", 1, 16), ("CHEBYSHEV_HALF", 2, 8)] {
        let rows = table(name);
        for k in 0..=n {
            for row in 0..=n {
                let value = |j: usize| (k as f64 * places[j * stride].acos()).cos();
                let sum: f64 = (0..=n).map(|j| rows[(n + 1) * row + j] * value(j)).sum();
                let expected = f64::from(u8::from(k == row));
                assert!(
                    (sum - expected).abs() < 1e-14,
                    "{name}: T_{k}, coefficient {row}: {sum}"
                );
            }
        }
    }
    for n in [2_usize, 4, 8, 16] {
        let rows = table(&format!("BERNSTEIN_{n}"));
        for k in 0..=n {
            for tau in [0.0, 0.1, 0.37, 0.5, 0.82, 1.0] {
                let mut b = rows[(n + 1) * k..(n + 1) * (k + 1)].to_vec();
                for width in (1..=n).rev() {
                    for j in 0..width {
                        b[j] = (1.0 - tau) * b[j] + tau * b[j + 1];
                    }
                }
                let expected = (k as f64 * (2.0 * tau - 1.0_f64).acos()).cos();
                assert!((b[0] - expected).abs() < 1e-11, "T_{k} of degree {n} at {tau}");
            }
        }
    }
}
