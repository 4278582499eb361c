//! First crossings of functions with known roots: the rule, near roots, grazing, limits.
#![expect(clippy::panic, reason = "a test that cannot go on must stop")]

use dyverse_flow::{Beginning, Crossing, CrossingOptions, CrossingSearch};
use proptest::prelude::*;
use std::f64::consts::PI;

fn search_with(level: f64, grazing: Option<f64>) -> CrossingSearch {
    CrossingSearch::new(CrossingOptions {
        level,
        grazing,
        ..CrossingOptions::default()
    })
}

fn first(g: impl Fn(f64) -> f64, a: f64, b: f64) -> Crossing {
    search_with(1e-12, None).first(&mut |t| g(t), a, b, Beginning::Fresh)
}

/// The time of an ordinary crossing, with its bracket checked.
fn time_at(found: Crossing, g: impl Fn(f64) -> f64) -> f64 {
    let Crossing::At { t, before, value } = found else {
        panic!("no crossing: {found:?}");
    };
    assert!(g(before) > 0.0 && value <= 0.0 && before < t, "{found:?}");
    assert!(
        t - before <= 8.0 * f64::EPSILON * t.abs().max(1e-300),
        "{found:?}"
    );
    t
}

/// Numbers that look random, the same in every run.
struct Random(u64);

impl Random {
    fn between(&mut self, lo: f64, hi: f64) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        lo + (hi - lo) * (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[test]
fn simple_roots_are_right_to_an_ulp() {
    assert!((time_at(first(f64::cos, 0.0, 3.0), f64::cos) - 0.5 * PI).abs() < 5e-16);
    let g = |t: f64| 2.0 - t * t;
    assert!((time_at(first(g, 0.0, 2.0), g) - 2.0_f64.sqrt()).abs() < 5e-16);
    let g = |t: f64| 2.0 - t.exp();
    assert!((time_at(first(g, -5.0, 5.0), g) - 2.0_f64.ln()).abs() < 5e-16);
}

#[test]
fn the_first_of_many_crossings_is_found() {
    for (frequency, phase) in [(50.0, 0.3), (200.0, 1.0), (1000.0, 2.0)] {
        let g = |t: f64| (frequency * t + phase).sin();
        let t = time_at(first(g, 0.0, 10.0), g);
        assert!((t - (PI - phase) / frequency).abs() < 1e-15, "{frequency}");
    }
    // Begins below: the first downward crossing is the second root.
    let g = |t: f64| -(30.0 * t + 0.5).sin();
    assert!((time_at(first(g, 0.0, 10.0), g) - (2.0 * PI - 0.5) / 30.0).abs() < 1e-15);
}

#[test]
fn starting_on_the_level_is_no_crossing() {
    // Leaves upwards and returns.
    for start in [0.0, 1e-13, -1e-13] {
        let g = |t: f64| start + 3.0 * t - 4.905 * t * t;
        let t = time_at(first(g, 0.0, 1.0), g);
        let exact = (3.0 + (9.0 + 4.0 * 4.905 * start).sqrt()) / 9.81;
        assert!((t - exact).abs() < 1e-15, "{start}: {t} {exact}");
        assert_eq!(first(g, 0.0, 0.5), Crossing::None, "{start}");
    }
    // Stays, rises, sinks.
    assert_eq!(first(|_| 0.0, 0.0, 1.0), Crossing::None);
    assert_eq!(first(|t| 1e-13 * (9.0 * t).sin(), 0.0, 1.0), Crossing::None);
    assert_eq!(first(|t| t * t, 0.0, 1.0), Crossing::None);
    assert!(matches!(first(|t| -t, 0.0, 1.0), Crossing::Sinks { t } if (t - 1e-12).abs() < 1e-15));
    assert!(matches!(first(|t| -t * t, 0.0, 1.0), Crossing::Sinks { t } if (t - 1e-6).abs() < 1e-9));
    // Slightly positive and falling is an ordinary crossing.
    let g = |t: f64| 1e-13 - t;
    assert!((time_at(first(g, 0.0, 1.0), g) - 1e-13).abs() < 1e-27);
    // A hop lower than the level is one too.
    let g = |t: f64| 1e-7 * t - t * t;
    assert!((time_at(first(g, 0.0, 1.0), g) - 1e-7).abs() < 1e-21);
}

#[test]
fn going_on_above_is_armed_at_once() {
    let mut search = search_with(1e-3, None);
    assert_eq!(
        search.first(&mut |t| -t, 0.0, 1.0, Beginning::Above),
        Crossing::At {
            t: 0.0,
            before: 0.0,
            value: -0.0
        }
    );
    let g = |t: f64| 1e-4 - t;
    let t = time_at(search.first(&mut |t| g(t), 0.0, 1.0, Beginning::Above), g);
    assert!((t - 1e-4).abs() < 1e-19);
}

/// Oracle: the roots the function was made of. Depth below zero: 2.5e-15 of the curvature.
#[test]
fn double_crossings_1e_7_apart_are_found() {
    let mut random = Random(1);
    for case in 0..1000 {
        let (c, k, other) = (
            random.between(0.1, 0.9),
            random.between(0.1, 100.0),
            random.between(1.1, 3.0),
        );
        let d = 1e-7;
        let g = |t: f64| k * (t - c) * (t - c - d) * (t - other) * (t + other);
        let f = |t: f64| -g(t);
        let t = time_at(first(f, 0.0, 1.0), f);
        assert!((t - c).abs() <= 1e-14 * c, "case {case}: {t} {c}");
    }
}

/// The same through a sine, which is no polynomial and has rounding of its own.
#[test]
fn a_shallow_dip_of_a_sine_is_found() {
    let mut random = Random(2);
    for case in 0..300 {
        let (c, w) = (random.between(0.2, 0.8), random.between(1.0, 20.0));
        let depth = random.between(1e-13, 1e-10);
        let g = |t: f64| 1.0 - depth - (w * (t - c)).cos();
        let t = time_at(first(g, c - PI / w, c + PI / w), g);
        let exact = c - 2.0 * (0.5 * depth).sqrt().asin() / w;
        assert!(
            (t - exact).abs() <= 2e-16 / (w * (2.0 * depth).sqrt()) * 2.0,
            "case {case}: {t} {exact}"
        );
    }
}

#[test]
fn grazing_is_told_from_crossing() {
    let mut search = search_with(1e-12, Some(1e-12));
    for c in [0.123_456_789, 0.5, 0.777, 0.999] {
        let above = |t: f64| (t - c) * (t - c) + 1e-14;
        let found = search.first(&mut |t| above(t), 0.0, 2.0, Beginning::Fresh);
        let Crossing::Grazing { t, minimum } = found else {
            panic!("{c}: {found:?}")
        };
        assert!(
            (t - c).abs() < 1e-7 && (minimum - 1e-14).abs() < 1e-15,
            "{found:?}"
        );
        let below = |t: f64| (t - c) * (t - c) - 1e-14;
        let t = time_at(search.first(&mut |t| below(t), 0.0, 2.0, Beginning::Fresh), below);
        assert!((t - (c - 1e-7)).abs() < 1e-15, "{c}: {t}");
        let clear = |t: f64| (t - c) * (t - c) + 1e-11;
        assert_eq!(
            search.first(&mut |t| clear(t), 0.0, 2.0, Beginning::Fresh),
            Crossing::None
        );
        assert_eq!(first(above, 0.0, 2.0), Crossing::None, "not asked for");
    }
}

#[test]
fn a_grazing_at_the_end_of_a_step_is_found_by_the_next() {
    let mut search = search_with(1e-12, Some(1e-9));
    let g = |t: f64| (t - 1.0) * (t - 1.0) + 1e-10;
    assert_eq!(
        search.first(&mut |t| g(t), 0.0, 1.0, Beginning::Fresh),
        Crossing::None
    );
    let found = search.first(&mut |t| g(t), 1.0, 2.0, Beginning::Above);
    assert_eq!(
        found,
        Crossing::Grazing {
            t: 1.0,
            minimum: 1e-10
        }
    );
    // After it: on the level, leaves, nothing more.
    assert_eq!(
        search.first(&mut |t| g(t), 1.0, 2.0, Beginning::Fresh),
        Crossing::None
    );
    // Grazing first, crossing later: search again from the grazing.
    let g = |t: f64| ((t - 1.0) * (t - 1.0) + 1e-10) * (2.0 - t);
    let found = search.first(&mut |t| g(t), 0.0, 3.0, Beginning::Fresh);
    let Crossing::Grazing { t, .. } = found else {
        panic!("{found:?}")
    };
    let next = search.first(&mut |t| g(t), t, 3.0, Beginning::Fresh);
    assert!((time_at(next, g) - 2.0).abs() < 1e-15);
}

#[test]
fn roots_at_the_ends() {
    let g = |t: f64| 1.0 - t;
    assert_eq!(time_at(first(g, 0.0, 1.0), g), 1.0);
    assert_eq!(first(g, 0.0, 1.0_f64.next_down()), Crossing::None);
    let g = |t: f64| t * (2.0 - t) * (1.0 - t);
    assert!((time_at(first(g, 0.0, 2.0), g) - 1.0).abs() < 1e-15);
}

/// No polynomial resolves it: explicit, never "none".
#[test]
fn what_is_too_wild_is_not_isolated() {
    let found = first(|t| 0.5 + (1e9 * t).sin(), 0.0, 1.0);
    assert!(!found.is_none(), "{found:?}");
    let found = first(|t| 1.5 + (1e9 * t * t).sin() + (3e8 * t).cos(), 0.0, 1.0);
    assert!(
        matches!(found, Crossing::NotIsolated { from, to } if from < to),
        "{found:?}"
    );
}

#[test]
fn kinks_and_jumps_are_isolated() {
    let g = |t: f64| (t - 0.3).abs() - 1e-3;
    assert!((time_at(first(g, 0.0, 1.0), g) - 0.299).abs() < 1e-15);
    assert_eq!(first(|t| (t - 0.3).abs() + 1e-3, 0.0, 1.0), Crossing::None);
    let g = |t: f64| if t < 0.7 { 1.0 } else { -1.0 };
    assert_eq!(time_at(first(g, 0.0, 1.0), g), 0.7);
}

/// About 1000 halvings lead from a second to the least number above zero: a jump there ends the search all the same.
#[test]
fn a_jump_at_zero_ends_the_search() {
    for (at, after) in [(0.7, -0.5), (0.5, 1.0), (1e-3, -1e3)] {
        let found = first(|t| if t > 0.0 { after } else { at }, 0.0, 1.0);
        assert_eq!(found.is_none(), after > 0.0, "{found:?}");
        let found = first(|t| if t > 1e-300 { after } else { at }, 0.0, 1.0);
        assert_eq!(found.is_none(), after > 0.0, "{found:?}");
    }
}

#[test]
fn what_is_not_finite_is_reported() {
    assert!(matches!(first(|t| (0.5 - t).sqrt() + 1.0, 0.0, 1.0), Crossing::NotFinite { t } if t > 0.5));
    assert!(matches!(
        first(|_| f64::NAN, 0.0, 1.0),
        Crossing::NotFinite { .. }
    ));
    assert!(matches!(
        first(|t| t, 0.0, f64::INFINITY),
        Crossing::NotFinite { .. }
    ));
    assert_eq!(first(|t| t, 1.0, 1.0), Crossing::None);
}

#[test]
fn several_functions_earliest_first() {
    let roots = [0.8, 0.5, 0.5 + 1e-13, 0.9, 0.5 - 1e-13, 2.0];
    let mut search = search_with(1e-12, None);
    let mut found = Vec::new();
    let mut g = |i: usize, t: f64| roots[i] - t;
    search.earliest(6, &mut g, 0.0, 1.0, &|_| Beginning::Fresh, 1e-12, &mut found);
    assert_eq!(found.iter().map(|(i, _)| *i).collect::<Vec<_>>(), [4, 1, 2]);
    search.earliest(6, &mut g, 0.0, 1.0, &|_| Beginning::Fresh, 0.0, &mut found);
    assert_eq!(found.iter().map(|(i, _)| *i).collect::<Vec<_>>(), [4]);
    search.earliest(6, &mut g, 0.0, 0.4, &|_| Beginning::Fresh, 1e-12, &mut found);
    assert!(found.is_empty());
    // A doubt before the earliest crossing is reported with it.
    let mut g = |i: usize, t: f64| if i == 0 { roots[0] - t } else { f64::NAN };
    search.earliest(2, &mut g, 0.0, 1.0, &|_| Beginning::Fresh, 1e-12, &mut found);
    assert!(matches!(found[0], (1, Crossing::NotFinite { .. })));
}

/// Rounding of g far above that of its values: a decision, without spending the pieces.
#[test]
fn a_noisy_minimum_is_decided() {
    for offset in [10.0, 1e3, 1e6] {
        for c in [0.31, 0.5, 0.777_7] {
            let noise = offset * f64::EPSILON;
            let g = |t: f64| (offset + (t - c) * (t - c)) - offset;
            let mut search = search_with(1e-12, Some(4.0 * noise));
            let found = search.first(&mut |t| g(t), 0.0, 1.0, Beginning::Fresh);
            let t = match found {
                Crossing::At { t, .. } | Crossing::Grazing { t, .. } => t,
                _ => panic!("{offset} {c}: {found:?}"),
            };
            assert!((t - c).abs() < 4.0 * noise.sqrt(), "{offset} {c}: {found:?}");
            assert!(search.pieces() < 200, "{} pieces", search.pieces());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Oracle: the roots themselves. The sign pattern is chosen so that the first root is a downward crossing.
    #[test]
    fn products_of_linear_factors_cross_at_their_first_root(
        mut roots in prop::collection::vec(0.01_f64..2.0, 1..8),
        size in -6.0_f64..6.0,
        cluster in prop::bool::ANY,
    ) {
        if cluster && roots.len() > 2 {
            roots[1] = roots[0] + 1e-9;
        }
        roots.sort_by(f64::total_cmp);
        let scale = 10.0_f64.powf(size);
        let g = |t: f64| scale * roots.iter().map(|r| r - t).product::<f64>();
        let found = search_with(0.0, None).first(&mut |t| g(t), 0.0, 3.0, Beginning::Above);
        let t = time_at(found, g);
        prop_assert!((t - roots[0]).abs() <= 1e-14 * roots[0], "{t} {roots:?}");
    }

    /// A double root is touched: reported as grazing, or as a crossing there, never as something else.
    #[test]
    fn double_roots_are_touched(c in 0.05_f64..0.95, other in 1.1_f64..2.0) {
        let g = |t: f64| (t - c) * (t - c) * (other - t);
        let found = search_with(1e-12, Some(1e-14)).first(&mut |t| g(t), 0.0, 3.0, Beginning::Fresh);
        let t = match found {
            Crossing::At { t, .. } | Crossing::Grazing { t, .. } => t,
            _ => return Err(TestCaseError::fail(format!("{found:?}"))),
        };
        prop_assert!((t - c).abs() < 1e-7, "{t} {c}");
    }

    /// Nothing is found where nothing is.
    #[test]
    fn positive_functions_have_no_crossing(c in 0.0_f64..1.0, least in 1e-9_f64..1.0, w in 0.1_f64..30.0) {
        prop_assert_eq!(first(|t| 1.0 + least - (w * (t - c)).cos(), 0.0, 1.0), Crossing::None);
    }

    /// Oracle: brute force. No sample before the crossing reported is at or below zero, and one after it is.
    #[test]
    fn sums_of_sines_agree_with_brute_force(
        parts in prop::collection::vec((0.1_f64..1.0, 0.5_f64..40.0, 0.0_f64..6.3), 1..5),
        offset in -1.0_f64..2.0,
    ) {
        let g = |t: f64| offset + parts.iter().map(|(a, w, p)| a * (w * t + p).sin()).sum::<f64>();
        let found = first(g, 0.0, 2.0);
        let end = found.time().unwrap_or(2.0);
        let mut was_above = false;
        for i in 0..=4000 {
            let value = g(end * f64::from(i) / 4001.0);
            prop_assert!(!(was_above && value <= 0.0), "missed before {found:?}");
            was_above |= value > 1e-12;
        }
        if !found.is_none() {
            let Crossing::At { t, before, .. } = found else {
                return Err(TestCaseError::fail(format!("{found:?}")));
            };
            prop_assert!(g(before) > 0.0 && g(t) <= 0.0);
        }
    }
}
