//! Random properties.
//!
//! Thresholds come from simulations at a few points, so that properties hold everywhere, nowhere, or for some of the box, often only just.

use super::draft::Drafted;
use super::random::Random;
use super::subject::{Accuracy, Subject};

/// A random property: what it asks, in a window.
pub(crate) struct Property {
    /// `always` or `never`.
    operator: &'static str,
    pub(crate) window: (f64, f64),
    asked: String,
}

impl Property {
    /// The text of a model with the property in another window.
    pub(crate) fn text_in(&self, model: &str, (from, to): (f64, f64)) -> String {
        format!(
            "{model}property p: {} [{from}, {to}] {}\n",
            self.operator, self.asked
        )
    }
    pub(crate) fn text(&self, model: &str) -> String {
        self.text_in(model, self.window)
    }
}

/// The largest values of a quantity in a window, in simulations at a few points.
fn largest(drafted: &Drafted, is_modal: bool, quantity: &str, window: &str, seed: u64) -> Option<Vec<f64>> {
    let text = format!("{}property p: always {window} {quantity} <= 0\n", drafted.text);
    Subject::new(&text, is_modal).with_runs(Accuracy::Usual, |unknowns, run| {
        let mut random = Random::new(seed);
        let count = if unknowns.is_empty() { 1 } else { 5 };
        (0..count)
            .map(|_| {
                let values: Vec<(String, f64)> = unknowns
                    .iter()
                    .map(|u| (u.name.clone(), random.between(u.lower, u.upper)))
                    .collect();
                match run(&values) {
                    Ok(measured) if measured.robustness.value.is_finite() => Some(-measured.robustness.value),
                    _ => None,
                }
            })
            .collect()
    })
}

/// A comparison of a quantity with a number.
fn comparison(drafted: &Drafted, is_modal: bool, window: &str, random: &mut Random) -> Option<String> {
    let quantity = random.pick(&drafted.quantities).clone();
    let is_upper = random.often(0.6);
    let sign = if is_upper { 1.0 } else { -1.0 };
    let wanted = if is_upper {
        quantity.clone()
    } else {
        format!("-({quantity})")
    };
    let found = largest(drafted, is_modal, &wanted, window, random.next())?;
    let low = found.iter().copied().fold(f64::INFINITY, f64::min);
    let high = found.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let margin = 0.3 * high.abs().max(0.1) * 10_f64.powf(-random.between(0.0, 4.0));
    let threshold = match random.below(4) {
        0 => low + (high - low) * random.even(),
        1 | 2 => high + margin + 0.1 * (high - low),
        _ => low - margin - 0.1 * (high - low),
    };
    let relation = match (is_upper, random.often(0.3)) {
        (true, true) => "<",
        (true, false) => "<=",
        (false, true) => ">",
        (false, false) => ">=",
    };
    Some(format!("{quantity} {relation} {:.9}", sign * threshold))
}

/// A random property of a model; `None` if it cannot be simulated.
pub(crate) fn random_property(drafted: &Drafted, is_modal: bool, random: &mut Random) -> Option<Property> {
    let end = drafted.horizon;
    let part = |x: f64| (end * x * 1000.0).floor() / 1000.0;
    let window = match random.below(4) {
        0 | 1 => (0.0, end),
        2 => (part(random.between(0.1, 0.7)), end),
        _ => (part(random.between(0.0, 0.4)), part(random.between(0.5, 1.0))),
    };
    let text = format!("[{}, {}]", window.0, window.1);
    let mut atom = || comparison(drafted, is_modal, &text, random);
    let (a, b) = (atom()?, atom()?);
    let (operator, asked) = match random.below(8) {
        0..=3 => ("always", a),
        4 => ("always", format!("({a} and {b})")),
        5 => ("always", format!("({a} or {b})")),
        6 => ("never", format!("(not ({a}))")),
        _ => ("always", format!("(not ({b}) implies {a})")),
    };
    Some(Property {
        operator,
        window,
        asked,
    })
}
