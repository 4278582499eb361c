//! Roots of polynomials in power and Bernstein form, and gaps of spheres in free flight.
#![expect(clippy::panic, reason = "a test that cannot go on must stop")]

use dyverse_flow::{Beginning, Crossing, CrossingOptions, CrossingSearch, smallest_positive_root};
use proptest::prelude::*;

fn time_of(found: Crossing) -> f64 {
    match found {
        Crossing::At { t, .. } => t,
        _ => panic!("no crossing: {found:?}"),
    }
}

/// Coefficients of Π (r − t).
fn expand(roots: &[f64]) -> Vec<f64> {
    let mut c = vec![1.0];
    for r in roots {
        let mut next = vec![0.0; c.len() + 1];
        for (k, c) in c.iter().enumerate() {
            next[k] += r * c;
            next[k + 1] -= c;
        }
        c = next;
    }
    c
}

/// Oracle: the quadratic formula in its stable form.
#[test]
fn a_ball_over_a_plane_lands_when_the_quadratic_says() {
    for (height, speed) in [
        (1.0, 0.0),
        (2.0, 3.0),
        (1e-6, 1e-3),
        (1e-9, 0.5),
        (100.0, -7.0),
        (0.0, 4.0),
    ] {
        let g = 9.81;
        let root = f64::sqrt(speed * speed + 2.0 * g * height);
        let exact = if speed >= 0.0 {
            (speed + root) / g
        } else {
            2.0 * height / (root - speed)
        };
        let t = time_of(smallest_positive_root(
            &[height, speed, -0.5 * g],
            f64::INFINITY,
            None,
        ));
        assert!(
            (t - exact).abs() <= 1e-14 * exact,
            "{height} {speed}: {t} {exact}"
        );
        let mut search = CrossingSearch::new(CrossingOptions::default());
        let t = time_of(search.first_of_power(&[height, speed, -0.5 * g], 0.0, 20.0, Beginning::Fresh));
        assert!(
            (t - exact).abs() <= 1e-14 * exact,
            "{height} {speed}: {t} {exact}"
        );
    }
}

#[test]
fn leading_coefficients_near_zero_do_no_harm() {
    for tiny in [0.0, 1e-300, -1e-300, 1e-30, -1e-18, 1e-16] {
        let t = time_of(smallest_positive_root(&[1.0, -2.0, tiny, tiny, tiny], 1.0, None));
        assert!((t - 0.5).abs() < 1e-15, "{tiny}: {t}");
        let t = time_of(smallest_positive_root(
            &[1.0, -2.0, tiny, tiny, tiny],
            f64::INFINITY,
            None,
        ));
        assert!((t - 0.5).abs() < 1e-15, "{tiny}: {t}");
    }
    // A far root made by a tiny leading coefficient.
    let t = time_of(smallest_positive_root(&[1.0, 1.0, -1e-8], f64::INFINITY, None));
    assert!((t - 1.000_000_01e8).abs() < 1e-6, "{t}");
    assert_eq!(
        smallest_positive_root(&[1.0, 1.0, 1e-300], f64::INFINITY, None),
        Crossing::None
    );
}

#[test]
fn special_polynomials() {
    assert_eq!(smallest_positive_root(&[], 1.0, None), Crossing::None);
    assert_eq!(smallest_positive_root(&[0.0, 0.0], 1.0, None), Crossing::None);
    assert_eq!(smallest_positive_root(&[3.0], 1.0, None), Crossing::None);
    assert_eq!(
        smallest_positive_root(&[0.0, 1.0], 1.0, None),
        Crossing::None,
        "zero is not positive"
    );
    assert_eq!(
        time_of(smallest_positive_root(&[0.0, 0.0, -1.0, 1.0], 2.0, None)),
        1.0
    );
    assert_eq!(
        time_of(smallest_positive_root(&[-1.0, 1.0], 1.0, None)),
        1.0,
        "upwards too"
    );
    assert_eq!(
        smallest_positive_root(&[-1.0, 1.0], 1.0_f64.next_down(), None),
        Crossing::None
    );
    let touched = smallest_positive_root(&[1.0 + 1e-14, -2.0, 1.0], 3.0, Some(1e-12));
    assert!(
        matches!(touched, Crossing::Grazing { t, .. } if (t - 1.0).abs() < 1e-7),
        "{touched:?}"
    );
    assert!(matches!(
        smallest_positive_root(&[1.0; 40], 1.0, None),
        Crossing::NotIsolated { .. }
    ));
}

/// Oracle: relative motion of two ballistic balls is straight, so the first contact is the quadratic's smaller root.
/// With different accelerations the gap's square is a quartic; oracle: the black-box search on |Δ| − 2r, and
/// the residual of the gap.
#[test]
fn two_balls_in_flight_touch_when_the_distance_says() {
    let mut seed = 12_345_u64;
    let mut random = |lo: f64, hi: f64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        lo + (hi - lo) * (seed >> 11) as f64 / (1u64 << 53) as f64
    };
    let (mut hits, mut search) = (0, CrossingSearch::new(CrossingOptions::default()));
    for case in 0..2000 {
        let d = [random(1.5, 3.0), random(-0.4, 0.4), random(-0.4, 0.4)];
        let v = [random(-3.0, -1.0), random(-0.5, 0.5), random(-0.5, 0.5)];
        let a = if case % 2 == 0 {
            [0.0; 3]
        } else {
            [random(-1.0, 1.0), random(-1.0, 1.0), -9.81]
        };
        let dot = |x: &[f64; 3], y: &[f64; 3]| x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
        let c = [
            dot(&d, &d) - 1.0,
            2.0 * dot(&d, &v),
            dot(&v, &v) + dot(&d, &a),
            dot(&v, &a),
            0.25 * dot(&a, &a),
        ];
        let gap = |t: f64| {
            let square = (0..3).map(|i| (d[i] + t * (v[i] + 0.5 * t * a[i])).powi(2));
            square.sum::<f64>().sqrt() - 1.0
        };
        let found = smallest_positive_root(&c, 3.0, None);
        let black_box = search.first(&mut |t| gap(t), 0.0, 3.0, Beginning::Fresh);
        assert_eq!(
            found.is_none(),
            black_box.is_none(),
            "case {case}: {found:?} {black_box:?}"
        );
        if found.is_none() {
            continue;
        }
        hits += 1;
        let (t, u) = (time_of(found), time_of(black_box));
        let slope = (c[1] + t * (2.0 * c[2] + t * (3.0 * c[3] + t * 4.0 * c[4]))).abs();
        let attainable =
            2e-15 * (c[0].abs() + c[1].abs() * t + c[2].abs() * t * t + c[3].abs() * t * t * t) / slope;
        assert!((t - u).abs() <= attainable + 1e-14 * t, "case {case}: {t} {u}");
        if case % 2 == 0 {
            let root = (c[1] * c[1] - 4.0 * c[2] * c[0]).sqrt();
            let exact = 2.0 * c[0] / (root - c[1]);
            assert!(
                (t - exact).abs() <= attainable + 1e-14 * t,
                "case {case}: {t} {exact}"
            );
        }
    }
    assert!(hits > 500, "{hits}");
}

#[test]
fn bernstein_form_is_searched_like_the_function() {
    // 1 − 2τ + … of degree 3 on [2, 4]: coefficients of 1, 1/3, −1/3, −1 are the line 1 − 2τ.
    let mut search = CrossingSearch::new(CrossingOptions::default());
    let t =
        time_of(search.first_of_bernstein(&[1.0, 1.0 / 3.0, -1.0 / 3.0, -1.0], 2.0, 4.0, Beginning::Fresh));
    assert!((t - 3.0).abs() < 1e-15);
    let found = search.first_of_bernstein(&[1.0, 0.2, 0.2, 1.0], 2.0, 4.0, Beginning::Fresh);
    assert_eq!(found, Crossing::None);
    let dip = search.first_of_bernstein(&[1.0, -1.0, -1.0, 1.0], 2.0, 4.0, Beginning::Fresh);
    // 1 − 6τ + 6τ² = 0 at τ = (3 − √3)/6.
    assert!((time_of(dip) - (2.0 + (3.0 - 3.0_f64.sqrt()) / 3.0)).abs() < 1e-15);
    assert!(
        !search
            .first_of_bernstein(&[], 0.0, 1.0, Beginning::Fresh)
            .is_none()
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// Oracle: the roots. What rounding of the coefficients allows: ulps of Σ|c| t^k over the slope.
    #[test]
    fn expanded_polynomials_have_their_first_root(
        gaps in prop::collection::vec(0.02_f64..0.8, 1..7),
        more in prop::collection::vec(-3.0_f64..-0.1, 0..4),
    ) {
        let mut sum = 0.0;
        let roots: Vec<f64> = gaps.iter().map(|gap| { sum += gap; sum }).collect();
        let mut all = roots.clone();
        all.extend(&more);
        let c = expand(&all);
        let t = time_of(smallest_positive_root(&c, f64::INFINITY, None));
        let size = c.iter().rev().fold(0.0, |sum, c| sum * roots[0] + c.abs());
        let slope: f64 = all.iter().skip(1).map(|r| (r - roots[0]).abs()).product();
        let attainable = 20.0 * f64::EPSILON * size / slope;
        prop_assert!((t - roots[0]).abs() <= attainable + 1e-15 * roots[0], "{t} {roots:?} {attainable:e}");
    }

    /// The polynomial path and the black box agree.
    #[test]
    fn power_form_and_black_box_agree(c in prop::collection::vec(-1.0_f64..1.0, 1..14), first in 0.01_f64..1.0) {
        let mut c = c;
        c[0] = first;
        let mut search = CrossingSearch::new(CrossingOptions::default());
        let exact = search.first_of_power(&c, 0.0, 1.5, Beginning::Fresh);
        let mut horner = |t: f64| c.iter().rev().fold(0.0, |sum, c| sum * t + c);
        let black_box = search.first(&mut horner, 0.0, 1.5, Beginning::Fresh);
        match (exact.time(), black_box.time()) {
            (Some(t), Some(u)) => prop_assert!((t - u).abs() < 1e-9, "{exact:?} {black_box:?}"),
            (t, u) => prop_assert_eq!(t, u),
        }
    }
}
