//! Elementary functions of intervals against a big-float library at 200 bits.
//!
//! Oracle: astro-float, independent of core-math and of this code. A member of the argument must map into
//! the result; a point's result must be narrow.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on must stop")]

use astro_float::{BigFloat, Consts, RoundingMode};
use dyverse_num::Interval;
use proptest::prelude::*;
use std::cell::RefCell;

const BITS: usize = 200;
const RM: RoundingMode = RoundingMode::ToEven;

thread_local! {
    static CONSTS: RefCell<Consts> = RefCell::new(Consts::new().unwrap());
}

/// The functions of one variable: name, code under test, oracle, and where it is defined.
struct Case {
    name: &'static str,
    enclose: fn(&Interval) -> Interval,
    oracle: fn(&BigFloat, &mut Consts) -> BigFloat,
    domain: (f64, f64),
}

const CASES: [Case; 11] = [
    Case {
        name: "sin",
        enclose: Interval::sin,
        oracle: |x, c| x.sin(BITS, RM, c),
        domain: (-1e5, 1e5),
    },
    Case {
        name: "cos",
        enclose: Interval::cos,
        oracle: |x, c| x.cos(BITS, RM, c),
        domain: (-1e5, 1e5),
    },
    Case {
        name: "tan",
        enclose: Interval::tan,
        oracle: |x, c| x.tan(BITS, RM, c),
        domain: (-1e5, 1e5),
    },
    Case {
        name: "asin",
        enclose: Interval::asin,
        oracle: |x, c| x.asin(BITS, RM, c),
        domain: (-1.0, 1.0),
    },
    Case {
        name: "acos",
        enclose: Interval::acos,
        oracle: |x, c| x.acos(BITS, RM, c),
        domain: (-1.0, 1.0),
    },
    Case {
        name: "atan",
        enclose: Interval::atan,
        oracle: |x, c| x.atan(BITS, RM, c),
        domain: (-1e9, 1e9),
    },
    Case {
        name: "sinh",
        enclose: Interval::sinh,
        oracle: |x, c| x.sinh(BITS, RM, c),
        domain: (-700.0, 700.0),
    },
    Case {
        name: "cosh",
        enclose: Interval::cosh,
        oracle: |x, c| x.cosh(BITS, RM, c),
        domain: (-700.0, 700.0),
    },
    Case {
        name: "tanh",
        enclose: Interval::tanh,
        oracle: |x, c| x.tanh(BITS, RM, c),
        domain: (-40.0, 40.0),
    },
    Case {
        name: "exp",
        enclose: Interval::exp,
        oracle: |x, c| x.exp(BITS, RM, c),
        domain: (-740.0, 709.0),
    },
    Case {
        name: "ln",
        enclose: Interval::ln,
        oracle: |x, c| x.ln(BITS, RM, c),
        domain: (1e-300, 1e300),
    },
];

/// Exactly x. The library misreads subnormal doubles, so these are scaled by 2⁶⁰⁰ (exact) and back.
fn big(x: f64) -> BigFloat {
    if !x.is_subnormal() {
        return BigFloat::from_f64(x, BITS);
    }
    let scale = f64::from_bits((1023 + 600) << 52);
    BigFloat::from_f64(x * scale, BITS).div(&BigFloat::from_f64(scale, BITS), BITS, RM)
}

fn assert_inside(value: &BigFloat, enclosure: &Interval, what: &str) {
    let above = enclosure.lo() == f64::NEG_INFINITY || value.cmp(&big(enclosure.lo())).unwrap() >= 0;
    let below = enclosure.hi() == f64::INFINITY || value.cmp(&big(enclosure.hi())).unwrap() <= 0;
    assert!(above && below, "{what} = {value} is not in {enclosure:?}");
}

/// A number of the domain; small powers make small magnitudes and neighbourhoods of zero frequent.
fn pick((lo, hi): (f64, f64), u: f64, power: i32) -> f64 {
    let symmetric = lo == -hi;
    let scaled = u.abs().powi(power) * hi;
    if symmetric {
        scaled.copysign(u)
    } else {
        scaled.clamp(lo, hi) * if lo < 0.0 && u < 0.0 { -1.0 } else { 1.0 }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn points_and_members_map_inside(
        which in 0..CASES.len(),
        u in -1.0..1.0_f64,
        v in -1.0..1.0_f64,
        t in 0.0..1.0_f64,
        power in prop::sample::select(vec![1, 2, 4, 16]),
    ) {
        let case = &CASES[which];
        let (a, b) = (pick(case.domain, u, power), pick(case.domain, v, power));
        let member = (a + t * (b - a)).clamp(a.min(b), a.max(b));
        let wide = (case.enclose)(&Interval::new(a.min(b), a.max(b)).unwrap());
        for x in [a, b, member] {
            let value = CONSTS.with(|c| (case.oracle)(&big(x), &mut c.borrow_mut()));
            let narrow = (case.enclose)(&Interval::point(x));
            assert_inside(&value, &narrow, &format!("{}({x:?})", case.name));
            assert_inside(&value, &wide, &format!("{}({x:?}), x in [{a:?}, {b:?}]", case.name));
            prop_assert!(narrow.hi() <= narrow.lo().next_up().next_up(), "{}({x:?}) = {narrow:?}", case.name);
        }
    }

    /// Narrow arguments astride a turning point of sine or cosine, or near a pole of tangent.
    #[test]
    fn turning_points_are_not_missed(k in -2000_i32..2000, below in 0_u32..4, above in 0_u32..4) {
        let near = f64::from(k) * std::f64::consts::FRAC_PI_2;
        let lo = (0..below).fold(near, |x, _| x.next_down());
        let hi = (0..above).fold(near, |x, _| x.next_up());
        let x = Interval::new(lo, hi).unwrap();
        for case in &CASES[..3] {
            for point in [lo, near, hi] {
                let value = CONSTS.with(|c| (case.oracle)(&big(point), &mut c.borrow_mut()));
                assert_inside(&value, &(case.enclose)(&x), case.name);
            }
        }
        // If x surely holds a multiple of π/2, the extreme value itself must be inside.
        if below > 1 && above > 1 {
            let extreme = [x.sin(), x.cos()][usize::from(k % 2 == 0)];
            prop_assert!(extreme.contains(1.0) || extreme.contains(-1.0), "{x:?}: {extreme:?}");
        }
    }

    #[test]
    fn real_powers_hold_their_members(
        base in (0.0..6.0_f64, 0.0..6.0_f64),
        exponent in (-5.0..5.0_f64, -5.0..5.0_f64),
        t in (0.0..1.0_f64, 0.0..1.0_f64),
    ) {
        let span = |(a, b): (f64, f64)| Interval::new(a.min(b), a.max(b)).unwrap();
        let member = |(a, b): (f64, f64), t: f64| (a + t * (b - a)).clamp(a.min(b), a.max(b));
        let (x, y) = (member(base, t.0), member(exponent, t.1));
        prop_assume!(x > 0.0);
        let value = CONSTS.with(|c| big(x).pow(&big(y), BITS, RM, &mut c.borrow_mut()));
        assert_inside(&value, &span(base).powf(&span(exponent)), "power");
        assert_inside(&value, &Interval::point(x).powf(&Interval::point(y)), "power");
    }

    #[test]
    fn angles_of_boxes_hold_their_members(
        xs in (-3.0..3.0_f64, -3.0..3.0_f64),
        ys in (-3.0..3.0_f64, -3.0..3.0_f64),
        t in (0.0..1.0_f64, 0.0..1.0_f64),
    ) {
        let span = |(a, b): (f64, f64)| Interval::new(a.min(b), a.max(b)).unwrap();
        let member = |(a, b): (f64, f64), t: f64| (a + t * (b - a)).clamp(a.min(b), a.max(b));
        let (x, y) = (member(xs, t.0), member(ys, t.1));
        prop_assume!(x != 0.0);
        let value = CONSTS.with(|c| {
            let mut c = c.borrow_mut();
            let principal = big(y).div(&big(x), BITS, RM).atan(BITS, RM, &mut c);
            let pi = c.pi(BITS, RM);
            match (x > 0.0, y >= 0.0) {
                (true, _) => principal,
                (false, true) => principal.add(&pi, BITS, RM),
                (false, false) => principal.sub(&pi, BITS, RM),
            }
        });
        assert_inside(&value, &span(ys).atan2(&span(xs)), "angle");
        assert_inside(&value, &Interval::point(y).atan2(&Interval::point(x)), "angle");
    }
}
