//! Derivatives against central differences, on intervals, and by hand.

use super::*;
use crate::Interval;

type Function = fn(&Dual<f64>) -> Dual<f64>;
type Enclosed = fn(&Dual<Interval>) -> Dual<Interval>;

/// Every function of one argument, on doubles and on intervals, with a range inside its domain.
macro_rules! functions {
    ($($name:literal, $from:expr, $to:expr, $body:expr;)+) => {
        [$(($name, $from, $to, $body as Function, $body as Enclosed),)+]
    };
}

fn functions() -> [(&'static str, f64, f64, Function, Enclosed); 26] {
    functions! {
        "sqrt", 0.1, 9.0, |x| x.sqrt();
        "sin", -7.0, 7.0, |x| x.sin();
        "cos", -7.0, 7.0, |x| x.cos();
        "tan", -1.3, 1.3, |x| x.tan();
        "asin", -0.9, 0.9, |x| x.asin();
        "acos", -0.9, 0.9, |x| x.acos();
        "atan", -5.0, 5.0, |x| x.atan();
        "atan2", 0.1, 2.0, |x| x.atan2(&(x.squared() - Scalar::from_f64(2.0)));
        "sinh", -3.0, 3.0, |x| x.sinh();
        "cosh", -3.0, 3.0, |x| x.cosh();
        "tanh", -3.0, 3.0, |x| x.tanh();
        "exp", -3.0, 3.0, |x| x.exp();
        "ln", 0.1, 9.0, |x| x.ln();
        "abs", 0.1, 2.0, |x| (-*x).abs();
        "min", 0.1, 0.9, |x| x.min(&x.squared());
        "max", 0.1, 0.9, |x| x.max(&x.squared());
        "cube", -2.0, 2.0, |x| x.powi(3);
        "inverse square", 0.2, 2.0, |x| x.powi(-2);
        "zeroth power", -2.0, 2.0, |x| x.powi(0);
        "real power", 0.2, 3.0, |x| x.powf(&Scalar::from_f64(1.7));
        "power of itself", 0.2, 3.0, |x| x.powf(x);
        "negative base", -3.0, -0.2, |x| x.powf(&Scalar::from_f64(3.0));
        "quotient", -2.0, 2.0, |x| *x / (x.squared() + Scalar::one());
        "difference", -2.0, 2.0, |x| *x * *x - *x * Scalar::pi();
        "floor and sign", 0.1, 0.9, |x| x.floor() + x.sign();
        "select", 0.1, 0.9, |x| Scalar::select(x.lt(&Scalar::from_f64(5.0)), x.squared(), *x);
    }
}

/// Central differences with step h err by h²|f‴|/6 + 1e-16 |f|/h; with h = 1e-5 that is below 1e-8 for the
/// functions above, relative to their slopes.
#[test]
fn every_function_agrees_with_central_differences() {
    let h = 1e-5;
    for (name, from, to, f, _) in functions() {
        for i in 0..=200 {
            let x = from + (to - from) * f64::from(i) / 200.0;
            let exact = f(&Dual::variable(x));
            let value = |x: f64| f(&Dual::constant(x)).value;
            let difference = (value(x + h) - value(x - h)) / (2.0 * h);
            let error = (exact.derivative - difference).abs();
            assert!(
                error < 1e-7 * (1.0 + difference.abs()),
                "{name} at {x}: {error:e}"
            );
            assert_eq!(exact.value, value(x), "{name} at {x}");
        }
    }
}

#[test]
fn intervals_contain_values_and_derivatives() {
    for (name, from, to, f, enclosed) in functions() {
        for i in 0..50 {
            let (a, b) = (f64::from(i) / 50.0, f64::from(i + 1) / 50.0);
            let at = |part: f64| from + (to - from) * part;
            let range = Interval::new(at(a), at(b)).unwrap();
            let result = enclosed(&Dual::variable(range));
            for j in 0..=10 {
                let x = (at(a) + (at(b) - at(a)) * f64::from(j) / 10.0).min(at(b));
                let point = f(&Dual::variable(x));
                assert!(result.value.contains(point.value), "{name} at {x}");
                assert!(
                    result.derivative.contains(point.derivative),
                    "{name} at {x}: {result:?}"
                );
            }
        }
    }
}

#[test]
fn kinks_are_covered_on_intervals() {
    let x = Dual::variable(Interval::new(-1.0, 2.0).unwrap());
    assert_eq!(x.abs().derivative, Interval::new(-1.0, 1.0).unwrap());
    let low = x.min(&Dual::constant(Interval::ZERO));
    assert_eq!(low.derivative, Interval::new(0.0, 1.0).unwrap());
    assert_eq!(low.value, Interval::new(-1.0, 0.0).unwrap());
}

#[test]
fn duals_of_duals_hold_second_derivatives() {
    let x = Dual::new(Dual::variable(0.7), Dual::constant(1.0));
    let f = x.sin() * x.exp();
    let (sin, exp) = (Scalar::sin(&0.7), Scalar::exp(&0.7));
    let cos = Scalar::cos(&0.7);
    assert!((f.derivative.value - exp * (sin + cos)).abs() < 1e-15);
    assert!((f.derivative.derivative - 2.0 * exp * cos).abs() < 1e-14);
}

#[test]
fn powers_at_zero_and_comparisons() {
    let zero = Dual::variable(0.0);
    assert_eq!(zero.powi(1), Dual::new(0.0, 1.0));
    assert_eq!(zero.powf(&Dual::constant(0.0)), Dual::new(1.0, 0.0));
    assert_eq!(zero.powf(&Dual::constant(2.0)), Dual::new(0.0, 0.0));
    assert_eq!(Dual::variable(2.0).powi(i32::MIN).value, 0.0);
    assert_eq!(zero.lt(&Dual::constant(1.0)), Tri::True);
    assert_eq!(zero.eq_tri(&Dual::constant(0.0)), Tri::True);
    assert_eq!(zero.ge(&Dual::constant(1.0)), Tri::False);
}
