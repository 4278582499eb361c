//! Ends, zeros, infinities, empty intervals: one row per case, decided by hand.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on must stop")]

use dyverse_num::{Interval, Scalar, Tri};
use std::f64::consts::PI;

const INF: f64 = f64::INFINITY;

fn iv(lo: f64, hi: f64) -> Interval {
    Interval::new(lo, hi).unwrap()
}

#[test]
fn only_ordered_numbers_make_an_interval() {
    for (lo, hi) in [
        (1.0, 0.0),
        (f64::NAN, 1.0),
        (0.0, f64::NAN),
        (INF, INF),
        (-INF, -INF),
    ] {
        let error = Interval::new(lo, hi).unwrap_err();
        assert!(error.to_string().contains("not an interval"));
    }
    assert!(Interval::point(f64::NAN).is_empty() && Interval::point(INF).is_empty());
    assert_eq!(
        iv(-0.0, -0.0).lo().to_bits(),
        0.0_f64.to_bits(),
        "zeros are stored as +0"
    );
}

#[test]
fn division_leaves_out_zero() {
    let one = Interval::ONE;
    assert_eq!(one / Interval::ZERO, Interval::EMPTY);
    assert_eq!(one / iv(0.0, 2.0), iv(0.5, INF));
    assert_eq!(one / iv(-2.0, 0.0), iv(-INF, -0.5));
    assert_eq!(one / iv(-1.0, 1.0), Interval::ENTIRE);
    assert_eq!(Interval::ZERO / iv(-1.0, 1.0), Interval::ZERO);
    assert_eq!(iv(-1.0, 1.0) / iv(0.0, 1.0), Interval::ENTIRE);
    assert_eq!(iv(1.0, 2.0) / iv(4.0, INF), iv(0.0, 0.5));
    assert_eq!(iv(1.0, INF) / iv(4.0, INF), iv(0.0, INF));
    assert_eq!(iv(-INF, -8.0) / iv(2.0, 4.0), iv(-INF, -2.0));
}

#[test]
fn overflow_and_underflow_round_outwards() {
    let max = Interval::point(f64::MAX);
    assert_eq!(max + max, iv(f64::MAX, INF));
    assert_eq!(-max - max, iv(-INF, -f64::MAX));
    assert_eq!(max * max, iv(f64::MAX, INF));
    assert_eq!(max / Interval::point(0.5), iv(f64::MAX, INF));
    let tiny = Interval::point(5e-324);
    assert_eq!(tiny * tiny, iv(0.0, 5e-324));
    assert_eq!(tiny * -tiny, iv(-5e-324, 0.0));
    assert_eq!(tiny / max, iv(0.0, 5e-324));
    assert_eq!(Interval::ZERO * Interval::ENTIRE, Interval::ZERO);
    assert_eq!(Interval::ENTIRE * iv(2.0, 3.0), Interval::ENTIRE);
    assert_eq!(Interval::ENTIRE - Interval::ENTIRE, Interval::ENTIRE);
}

#[test]
fn functions_keep_to_their_domain_and_say_so() {
    assert_eq!(iv(-1.0, 4.0).sqrt(), iv(0.0, 2.0));
    assert_eq!(iv(-1.0, 4.0).is_sqrt_defined(), Tri::Unknown);
    assert_eq!(iv(-2.0, -1.0).sqrt(), Interval::EMPTY);
    assert_eq!(iv(-2.0, -1.0).is_sqrt_defined(), Tri::False);
    assert_eq!(iv(0.0, 4.0).is_sqrt_defined(), Tri::True);
    assert_eq!(iv(0.0, 1.0).ln(), iv(-INF, 0.0));
    assert_eq!(iv(0.0, 1.0).is_ln_defined(), Tri::Unknown);
    assert_eq!(Interval::ZERO.ln(), Interval::EMPTY);
    assert_eq!(Interval::ZERO.is_ln_defined(), Tri::False);
    assert_eq!(iv(2.0, 3.0).asin(), Interval::EMPTY);
    assert_eq!(iv(0.5, 3.0).is_arcsine_defined(), Tri::Unknown);
    assert_eq!(iv(0.5, 3.0).is_nonzero(), Tri::True);
    assert_eq!(iv(0.0, 3.0).is_nonzero(), Tri::Unknown);
    assert_eq!(Interval::ZERO.is_nonzero(), Tri::False);
    assert_eq!(
        iv(-2.0, 2.0).powf(&Interval::point(0.5)),
        iv(0.0, 2.0_f64.sqrt().next_up())
    );
    assert_eq!(iv(-2.0, 2.0).is_powf_defined(&Interval::point(0.5)), Tri::Unknown);
}

#[test]
fn exact_values_stay_exact() {
    let zero = Interval::ZERO;
    for image in [
        zero.sin(),
        zero.tan(),
        zero.asin(),
        zero.atan(),
        zero.sinh(),
        zero.tanh(),
        Interval::ONE.ln(),
    ] {
        assert_eq!(image, zero);
    }
    for image in [zero.cos(), zero.exp(), zero.cosh()] {
        assert_eq!(image, Interval::ONE);
    }
    assert_eq!(Interval::ONE.acos(), zero);
    assert_eq!(zero.atan2(&Interval::ONE), zero);
    assert_eq!(Interval::point(-3.0).powi(5), Interval::point(-243.0));
    assert_eq!(Interval::point(2.0).powi(-2), Interval::point(0.25));
    assert_eq!(iv(-3.0, 2.0).powi(2), iv(0.0, 9.0));
    assert_eq!(iv(-3.0, 2.0).powi(4), iv(0.0, 81.0));
    assert_eq!(iv(-3.0, 2.0).powi(3), iv(-27.0, 8.0));
    assert_eq!(iv(-2.0, 2.0).powi(-2), iv(0.25, INF));
    assert_eq!(iv(-2.0, 2.0).powi(-1), Interval::ENTIRE);
    assert_eq!(Interval::ENTIRE.powi(0), Interval::ONE);
    assert_eq!(Interval::ENTIRE.powi(4), iv(0.0, INF));
}

#[test]
fn periodic_functions_on_wide_and_huge_arguments() {
    let unit = iv(-1.0, 1.0);
    for x in [Interval::ENTIRE, iv(0.0, INF), iv(0.0, 7.0), iv(1e300, 1.1e300)] {
        assert_eq!(x.sin(), unit, "{x:?}");
        assert_eq!(x.cos(), unit, "{x:?}");
        assert_eq!(x.tan(), Interval::ENTIRE, "{x:?}");
    }
    assert!(Interval::point(1e300).sin().width() < 1e-15);
    assert_eq!(iv(0.0, PI).sin().hi(), 1.0);
    assert_eq!(iv(0.0, PI).sin().lo(), 0.0);
    assert_eq!(iv(-1.0, 4.0).cos(), iv(-1.0, 1.0));
    assert!(iv(-1.5, 1.5).tan().is_bounded());
    assert_eq!(iv(1.5, 1.6).tan(), Interval::ENTIRE);
}

#[test]
fn angle_respects_the_cut() {
    let turn = Interval::ZERO.atan2(&iv(-2.0, -1.0));
    assert!(
        turn.contains(PI) && turn.lo() > 3.0,
        "y = 0 and x < 0 is π, not −π"
    );
    assert_eq!((-0.0_f64).atan2(-1.0), -PI);
    assert_eq!(Scalar::atan2(&-0.0_f64, &-1.0), PI);
    assert!(iv(-1.0, 1.0).atan2(&iv(-2.0, -1.0)).contains(-3.0));
    assert!(iv(0.0, INF).atan2(&iv(1.0, INF)).is_subset(&iv(0.0, 1.6)));
    assert!(Interval::ZERO.atan2(&Interval::ZERO).is_empty());
}

#[test]
fn comparisons_prove_or_stay_silent() {
    let (a, b) = (iv(0.0, 1.0), iv(1.0, 2.0));
    assert_eq!(a.lt(&b), Tri::Unknown);
    assert_eq!(a.le(&b), Tri::True);
    assert_eq!(b.lt(&a), Tri::False);
    assert_eq!(b.gt(&a), Tri::Unknown);
    assert_eq!(b.ge(&a), Tri::True);
    assert_eq!(a.eq_tri(&iv(3.0, 4.0)), Tri::False);
    assert_eq!(a.eq_tri(&a), Tri::Unknown);
    assert_eq!(Interval::ONE.eq_tri(&Interval::ONE), Tri::True);
    assert_eq!(Interval::EMPTY.lt(&a), Tri::Unknown);
    assert_eq!(Scalar::lt(&f64::NAN, &1.0), Tri::Unknown);
    assert_eq!(Scalar::lt(&0.5, &1.0), Tri::True);
    assert_eq!(Interval::select(Tri::Unknown, Interval::ZERO, Interval::ONE), a);
    assert!(f64::select(Tri::Unknown, 0.0, 1.0).is_nan());
}

#[test]
fn literals_are_enclosed() {
    let tenth = Interval::from_literal(0.1, false);
    assert!(tenth.lo() < 0.1 && 0.1 < tenth.hi());
    assert_eq!(Interval::from_literal(0.5, true), Interval::point(0.5));
    assert_eq!(Interval::from_literal(INF, false), iv(f64::MAX, INF));
    assert!(Interval::from_literal(f64::NAN, false).is_empty());
}

#[test]
fn sets_and_measures() {
    let (a, b) = (iv(-1.0, 3.0), iv(2.0, 5.0));
    assert_eq!(a.hull(&b), iv(-1.0, 5.0));
    assert_eq!(a.hull(&Interval::EMPTY), a);
    assert_eq!(a.intersect(&b), iv(2.0, 3.0));
    assert!(a.intersect(&iv(4.0, 5.0)).is_empty());
    assert!(iv(0.0, 1.0).is_subset(&a) && iv(0.0, 1.0).is_interior_to(&a) && !a.is_interior_to(&a));
    assert_eq!((a.mid(), a.width(), a.radius()), (Some(1.0), 4.0, 2.0));
    assert_eq!((a.magnitude(), a.mignitude(), b.mignitude()), (3.0, 0.0, 2.0));
    assert_eq!(iv(-f64::MAX, f64::MAX).mid(), Some(0.0));
    assert_eq!(iv(f64::MAX, f64::MAX).mid(), Some(f64::MAX));
    assert_eq!(Interval::EMPTY.mid(), None);
    assert_eq!(a.bisect(), (iv(-1.0, 1.0), iv(1.0, 3.0)));
    assert!(
        !Interval::ENTIRE.contains(INF),
        "infinity is an end, not a member"
    );
    assert_eq!(
        format!("{a} {a:?} {}", Interval::EMPTY),
        "[-1, 3] [-1.0, 3.0] [empty]"
    );
}

#[test]
fn empty_spreads() {
    let (e, one) = (Interval::EMPTY, Interval::ONE);
    for image in [
        e + one,
        one - e,
        e * one,
        one / e,
        -e,
        e.sqrt(),
        e.abs(),
        e.sin(),
        e.tan(),
        e.exp(),
        e.ln(),
    ] {
        assert!(image.is_empty());
    }
    for image in [
        e.acos(),
        e.powi(3),
        e.powf(&one),
        e.atan2(&one),
        e.min(&one),
        e.floor(),
        e.sign(),
        e.cosh(),
    ] {
        assert!(image.is_empty());
    }
}
