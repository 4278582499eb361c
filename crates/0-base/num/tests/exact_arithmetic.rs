//! `+ − × ÷ √` of intervals against exact integers: every double is an integer multiple of 2⁻¹⁰⁷⁴.
//!
//! Oracle: big integers, sharing nothing with the code under test. Checked are both halves of the promise:
//! the exact value is inside, and no tighter pair of doubles would hold it.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on must stop")]

use dyverse_num::{Interval, Scalar};
use num_bigint::BigInt;
use proptest::prelude::*;
use std::cmp::Ordering;

/// x · 2¹⁰⁷⁴, an integer for every finite double.
fn units(x: f64) -> BigInt {
    assert!(x.is_finite());
    let bits = x.to_bits();
    let exponent = (bits >> 52) & 0x7ff;
    let fraction = bits & ((1 << 52) - 1);
    let magnitude = match exponent {
        0 => BigInt::from(fraction),
        e => BigInt::from(fraction | (1 << 52)) << (e - 1),
    };
    if x < 0.0 { -magnitude } else { magnitude }
}

/// An exact result, comparable with doubles.
enum Exact {
    Sum(f64, f64),
    Product(f64, f64),
    Quotient(f64, f64),
    Root(f64),
}

impl Exact {
    /// How the double `x` (perhaps infinite) compares with the exact value.
    fn compared_with(&self, x: f64) -> Ordering {
        if x.is_infinite() {
            return if x > 0.0 {
                Ordering::Greater
            } else {
                Ordering::Less
            };
        }
        let x = units(x);
        match *self {
            Self::Sum(a, b) => x.cmp(&(units(a) + units(b))),
            Self::Product(a, b) => (x << 1074_u32).cmp(&(units(a) * units(b))),
            Self::Quotient(a, b) => {
                let order = (x * units(b)).cmp(&(units(a) << 1074_u32));
                if b > 0.0 { order } else { order.reverse() }
            }
            Self::Root(a) if x < BigInt::from(0) => {
                assert!(a >= 0.0);
                Ordering::Less
            }
            Self::Root(a) => (&x * &x).cmp(&(units(a) << 1074_u32)),
        }
    }

    fn is_inside(&self, enclosure: &Interval) -> bool {
        self.compared_with(enclosure.lo()).is_le() && self.compared_with(enclosure.hi()).is_ge()
    }

    /// Inside, with no double strictly between an end and the exact value; exact values stay exact.
    fn assert_tight(&self, enclosure: &Interval) {
        assert!(self.is_inside(enclosure), "not inside {enclosure:?}");
        let (lo, hi) = (enclosure.lo(), enclosure.hi());
        assert!(
            self.compared_with(lo.next_up()).is_gt(),
            "lower end of {enclosure:?} is loose"
        );
        assert!(
            self.compared_with(hi.next_down()).is_lt(),
            "upper end of {enclosure:?} is loose"
        );
    }
}

/// Doubles of every size, with emphasis on where rounding is delicate.
fn double() -> impl Strategy<Value = f64> {
    let all = prop::num::f64::POSITIVE
        | prop::num::f64::NEGATIVE
        | prop::num::f64::NORMAL
        | prop::num::f64::SUBNORMAL
        | prop::num::f64::ZERO;
    let edges = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        f64::MAX,
        -f64::MAX,
        f64::MIN_POSITIVE,
        5e-324,
        -5e-324,
        1.5,
        3.0,
        0.1,
    ];
    let scaled = (-1.0..1.0_f64, -1070_i32..1023).prop_map(|(m, e)| m * 2.0_f64.powi(e));
    let threshold = (1.0..2.0_f64, -490_i32..-470).prop_map(|(m, e)| m * 2.0_f64.powi(e));
    prop_oneof![
        3 => all,
        3 => scaled,
        1 => threshold,
        1 => prop::sample::select(edges.to_vec()),
        1 => (-50_i32..50).prop_map(|n| f64::from(n) * 0.25),
        1 => -2.0..2.0_f64,
    ]
}

/// An interval and finite members of it; one end may be infinite.
fn interval_with_members() -> impl Strategy<Value = (Interval, Vec<f64>)> {
    (double(), double(), double(), 0..8_u8).prop_map(|(a, b, c, openness)| {
        let mut ends = [a, b, c];
        ends.sort_by(f64::total_cmp);
        let lo = if openness == 0 { f64::NEG_INFINITY } else { ends[0] };
        let hi = if openness <= 1 { f64::INFINITY } else { ends[2] };
        (Interval::new(lo, hi).unwrap(), ends.to_vec())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn point_results_are_the_tightest_doubles(a in double(), b in double()) {
        let (x, y) = (Interval::point(a), Interval::point(b));
        Exact::Sum(a, b).assert_tight(&(x + y));
        Exact::Sum(a, -b).assert_tight(&(x - y));
        Exact::Product(a, b).assert_tight(&(x * y));
        Exact::Product(a, a).assert_tight(&x.squared());
        Exact::Root(a.abs()).assert_tight(&x.abs().sqrt());
        if b == 0.0 {
            prop_assert!((x / y).is_empty());
        } else {
            Exact::Quotient(a, b).assert_tight(&(x / y));
        }
    }

    /// Operands whose product, quotient or root is exact, or misses a double by a hair.
    #[test]
    fn nearly_exact_results_are_told_apart(m in 1_u32..1 << 26, n in 1_u32..1 << 26, e in -1100_i32..900) {
        let scale = 2.0_f64.powi(e / 2);
        let (a, b) = (f64::from(m) * scale, f64::from(n) * scale);
        let product = a * b;
        for z in [product, product.next_up(), product.next_down()] {
            if b != 0.0 && z.is_finite() {
                Exact::Quotient(z, b).assert_tight(&(Interval::point(z) / Interval::point(b)));
            }
        }
        Exact::Product(a, b).assert_tight(&(Interval::point(a) * Interval::point(b)));
        let square = a * a;
        for z in [square, square.next_up(), square.next_down().max(0.0)] {
            Exact::Root(z).assert_tight(&Interval::point(z).sqrt());
        }
    }

    #[test]
    fn members_map_into_the_result((x, xs) in interval_with_members(), (y, ys) in interval_with_members()) {
        let (sum, difference, product, quotient) = (x + y, x - y, x * y, x / y);
        for a in &xs {
            prop_assert!(Exact::Product(*a, *a).is_inside(&x.squared()));
            prop_assert!(*a < 0.0 || Exact::Root(*a).is_inside(&x.sqrt()));
            prop_assert!(x.abs().contains(a.abs()) && x.floor().contains(a.floor()));
            for b in &ys {
                prop_assert!(Exact::Sum(*a, *b).is_inside(&sum), "{x:?} + {y:?} = {sum:?}");
                prop_assert!(Exact::Sum(*a, -*b).is_inside(&difference), "{x:?} - {y:?} = {difference:?}");
                prop_assert!(Exact::Product(*a, *b).is_inside(&product), "{x:?} * {y:?} = {product:?}");
                let undefined = *b == 0.0;
                prop_assert!(undefined || Exact::Quotient(*a, *b).is_inside(&quotient), "{x:?} / {y:?} = {quotient:?}");
                prop_assert!(x.min(&y).contains(a.min(b)) && x.max(&y).contains(a.max(b)));
            }
        }
    }

    /// Bounded intervals: the ends of the result are attained to within one double, so nothing is wasted.
    #[test]
    fn interval_products_are_spanned_by_endpoint_products(a in double(), b in double(), c in double(), d in double()) {
        let x = Interval::new(a.min(b), a.max(b)).unwrap();
        let y = Interval::new(c.min(d), c.max(d)).unwrap();
        let corners = [(a, c), (a, d), (b, c), (b, d)].map(|(p, q)| Interval::point(p) * Interval::point(q));
        let hull = corners.iter().fold(Interval::EMPTY, |h, corner| h.hull(corner));
        prop_assert_eq!(x * y, hull);
    }

    #[test]
    fn integer_powers_hold_the_exact_power((x, xs) in interval_with_members(), n in -6_i32..7) {
        let power = x.powi(n);
        for a in xs.iter().filter(|a| **a != 0.0 || n >= 0) {
            let (a, k) = (units(*a), n.unsigned_abs());
            // a^n vs end · 2¹⁰⁷⁴⁽ᵏ⁻¹⁾, or 1/a^k by cross-multiplication with its sign.
            let raised = a.pow(k);
            let compare = |end: f64| -> Ordering {
                if end.is_infinite() {
                    return if end > 0.0 { Ordering::Greater } else { Ordering::Less };
                }
                let end = units(end);
                if n >= 0 {
                    let left = (end << (1074 * k)).cmp(&(&raised << 1074_u32));
                    return left;
                }
                let order = (end * &raised).cmp(&(BigInt::from(1) << (1074 * (k + 1))));
                if raised < BigInt::from(0) { order.reverse() } else { order }
            };
            prop_assert!(compare(power.lo()).is_le() && compare(power.hi()).is_ge(), "{x:?}^{n} = {power:?}");
        }
    }

    #[test]
    fn doubles_evaluate_inside_their_enclosure(a in double(), b in double()) {
        // Through the trait, as generic code does.
        fn formula<S: Scalar>(a: &S, b: &S) -> S {
            let half = S::from_f64(0.5);
            (a.clone() * half + b.sin().abs()).max(&a.cos()) / (S::one() + b.clone() * b.clone())
        }
        let narrow = formula(&a, &b);
        if narrow.is_finite() {
            prop_assert!(formula(&Interval::point(a), &Interval::point(b)).contains(narrow));
        }
    }
}
