//! Robustness of motions whose closed form is known.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use crate::support;

use support::{measured, throw};

/// The value, and where it is said to be decided and first broken (NaN: not).
fn check(property: &str, value: f64, worst: f64, first: f64) {
    let found = measured(&throw(property));
    assert!((found.value - value).abs() < 1e-11, "{property}: {found:?}");
    assert!((found.worst.t() - worst).abs() < 1e-6, "{property}: {found:?}");
    match found.first {
        Some(time) => assert!((time.t() - first).abs() < 1e-12, "{property}: {found:?}"),
        None => assert!(first.is_nan(), "{property}: {found:?}"),
    }
    assert_eq!(found.is_violated(), value < 0.0, "{property}");
}

// y = 10 t − 5 t², x = t, vy = 10 − 10 t.
#[test]
fn always_and_eventually() {
    let no = f64::NAN;
    check("always [0, 2] ball.y <= 6", 1.0, 1.0, no);
    check("always [0, 2] ball.y < 4", -1.0, 1.0, 1.0 - 0.2_f64.sqrt());
    check("ball.y < 4", -1.0, 1.0, 1.0 - 0.2_f64.sqrt());
    check("always [1.5, 3] ball.y > -10", -5.0, 3.0, 1.0 + 3.0_f64.sqrt());
    // min(y − 4, −vy) is largest where 1 − 5 u² = 10 u, u = t − 1.
    let u = 1.2_f64.sqrt() - 1.0;
    check(
        "never [0, 2] (ball.y > 4 and ball.vy < 0)",
        -10.0 * u,
        1.0 + u,
        1.0,
    );
    check("eventually [0, 0.5] ball.y > 4", -0.25, 0.5, 0.5);
    check("eventually [0, 3] ball.y > 4", 1.0, 1.0, no);
    check("always [0, 2] abs(ball.vy) <= 10.5", 0.5, 0.0, no);
    check("always [0, 2] (ball.y < 7 or ball.x < 0.5)", 2.0, 1.0, no);
    check("always [0, 0] ball.vy < 9", -1.0, 0.0, 0.0);
    check("ball.y <= 6 and always [0, 1] ball.vy > -1", 1.0, 1.0, no);
    check("always [0, 2] not (ball.y > 4)", -1.0, 1.0, 1.0 - 0.2_f64.sqrt());
}

#[test]
fn nested_windows() {
    // inf over s ∈ [0, 1] of sup over [s, s + 0.5] of y: at s = 0: y(0.5) = 3.75.
    check(
        "always [0, 1] eventually [0, 0.5] ball.y > 3",
        0.75,
        0.0,
        f64::NAN,
    );
    // The same at s ∈ [0, 2]: y falls to y(2) = 0 at s = 2.
    check(
        "always [0, 2] eventually [0, 0.5] ball.y > 3",
        -3.0,
        2.0,
        1.0 + 0.4_f64.sqrt(),
    );
    // sup over s ∈ [0, 2] of inf over [s, s + 1] of y: symmetric about 1: y(0.5) = 3.75.
    check(
        "eventually [0, 2] always [0, 1] ball.y > 3.5",
        0.25,
        0.5,
        f64::NAN,
    );
    check("eventually [0, 2] always [0, 1] ball.y > 4", -0.25, 0.5, 2.0);
    // Three deep: inf over [0, 1] of sup over [.., + 0.5] of inf over [.., + 0.5] of y. At 0: windows [s, s + 0.5], s ≤ 0.5: y(0.5) = 3.75. At 1: s ∈ [1, 1.5]: y(1.5) = 3.75.
    check(
        "always [0, 1] eventually [0, 0.5] always [0, 0.5] ball.y > 3",
        0.75,
        0.0,
        f64::NAN,
    );
    // Windows that begin later.
    check(
        "always [0.5, 1] eventually [0.5, 1] ball.y < 4.5",
        0.75,
        0.5,
        f64::NAN,
    );
}

#[test]
fn until_in_its_windows() {
    // y rises through 3 at t = 1 − √0.4; vy > 5 until t = 0.5, where y = 3.75: sup of min(y − 3, inf vy − 5): at 10 − 10 t − 5 = 10 t − 5 t² − 3.
    let t = 2.0 - (4.0_f64 - 1.6).sqrt();
    let expected = 5.0 - 10.0 * t;
    let found = measured(&throw("ball.vy > 5 until [0, 3] ball.y > 3"));
    assert!((found.value - expected).abs() < 1e-11, "{found:?} {expected}");
    // Only from 0.5 on: the hold fails just there, and y − 3 = 0.75; so inf over [0, 0.5) of vy − 5 = 0.
    let found = measured(&throw("ball.vy > 4 until [0.5, 3] ball.y > 3"));
    // At t ≥ 0.5: min(y − 3, vy − 4) with vy − 4 = 1 and y − 3 = 0.75 at 0.5; they meet later at 6 − 10 t = 10 t − 5 t² − 3.
    let t = 2.0 - (4.0_f64 - 1.8).sqrt();
    assert!((found.value - (6.0 - 10.0 * t)).abs() < 1e-11, "{found:?}");
    // A window that ends too early.
    let found = measured(&throw("ball.vy > 0 until [0, 0.2] ball.y > 3"));
    assert!((found.value - (1.8 - 3.0)).abs() < 1e-11, "{found:?}");
    // Never reached, not even beyond the end: unknown, not false.
    let found = measured(&throw("ball.x < 100 until ball.y > 30"));
    assert!(found.value > 0.0 && !found.is_violated(), "{found:?}");
    // The hold breaks before: false, whatever comes.
    let found = measured(&throw("ball.vy > 5 until ball.y > 4"));
    let t = 2.0 - (4.0_f64 - 1.8).sqrt();
    assert!(
        (found.value - (5.0 - 10.0 * t)).abs() < 1e-11 && found.is_violated(),
        "{found:?}"
    );
    // Not until: the same with the other sign.
    let opposite = measured(&throw("not (ball.vy > 5 until ball.y > 4)"));
    assert!((opposite.value + found.value).abs() < 1e-12, "{opposite:?}");
}

#[test]
fn what_lies_beyond_the_end_is_unknown() {
    let found = measured(&throw("eventually ball.y > 100"));
    assert_eq!(found.value, f64::INFINITY);
    let found = measured(&throw("always [0, 10] ball.y > -100"));
    assert!((found.value - 85.0).abs() < 1e-11 && !found.is_violated());
    let found = measured(&throw("always [0, 10] ball.y > -10"));
    assert!(
        (found.value + 5.0).abs() < 1e-11 && found.is_violated(),
        "{found:?}"
    );
    let found = measured(&throw("eventually [0, 10] ball.y > 100"));
    assert_eq!(found.value, f64::INFINITY);
    let found = measured(&throw("always [0, 3] eventually [0, 1] ball.y > 0"));
    // At s ≤ 2 known; the least is at s = 2: sup over [2, 3] is y(2) = 0. Beyond that the window leaves the trace.
    assert!(found.value.abs() < 1e-11, "{found:?}");
}

#[test]
fn a_thin_strip_is_not_stepped_over() {
    // x = 1000 t crosses the strip in a nanosecond; the run makes one step of it.
    let text = "system flyby
        entity ball { sphere(radius = 0.1)  mass = 1  position = (0, 0, 0)  velocity = (1000, 0, 0) }
        horizon 1
        property p: never (ball.x > 0.500001 and ball.x < 0.500002)";
    let found = measured(text);
    assert!(
        (found.value + 0.5e-6).abs() < 1e-12 && found.is_violated(),
        "{found:?}"
    );
    let first = found.first.unwrap().t();
    assert!((first - 0.500001e-3).abs() < 1e-12, "{first}");
    assert!((found.worst.t() - 0.5000015e-3).abs() < 1e-12, "{found:?}");
    // A strip of height, touched only at the top of a flight: 5 m at t = 1.
    let found = measured(&throw("never ball.y > 5 - 1e-7"));
    assert!(
        (found.value + 1e-7).abs() < 1e-13 && found.is_violated(),
        "{found:?}"
    );
}

#[test]
fn kinks_and_jumps_inside_expressions() {
    // |y − 4| has its least where y = 4.
    check(
        "always [0, 2] abs(ball.y - 4) > 0.5",
        -0.5,
        1.0 - 0.2_f64.sqrt(),
        1.0 - 0.3_f64.sqrt(),
    );
    check("always [0, 2] max(ball.vy, -ball.vy) > -1", 1.0, 1.0, f64::NAN);
    // A jump at x = 1.25.
    check(
        "always [0, 2] (if ball.x < 1.25 then ball.y else ball.y - 10) > -7",
        -3.0,
        2.0,
        1.0 + 0.4_f64.sqrt(),
    );
    check("always [0, 2.5] floor(ball.x) < 1.5", -0.5, 2.0, 2.0);
}
