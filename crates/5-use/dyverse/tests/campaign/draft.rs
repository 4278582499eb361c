//! A random model while it is written: numbers, some of which become unknowns.

use super::closed::scene::Words;
use super::random::Random;
use super::traces::Body;

pub(crate) struct Draft {
    pub(crate) random: Random,
    /// Declarations of parameters.
    pub(crate) head: String,
    pub(crate) body: String,
    /// Unknowns that may still be made.
    left: usize,
    names: usize,
    /// How wide unknowns are, part of their size.
    width: f64,
    /// Initial values that may be sets.
    has_sets: bool,
    /// The shapes of entities, as far as their contacts are known by formulas of the tests' own.
    pub(crate) shapes: Vec<Body>,
}

/// A random model without its property, and what its properties may speak of.
pub(crate) struct Drafted {
    pub(crate) text: String,
    pub(crate) words: Words,
    /// The shapes of rigid bodies.
    pub(crate) shapes: Vec<Body>,
    pub(crate) family: &'static str,
}

impl Draft {
    pub(crate) fn new(seed: u64, has_sets: bool) -> Self {
        let mut random = Random::new(seed);
        let left = *random.pick(&[0, 1, 1, 1, 2, 2]);
        let width = *random.pick(&[0.002, 0.01, 0.05, 0.2]);
        Draft {
            random,
            head: String::new(),
            body: String::new(),
            left,
            names: 0,
            width,
            has_sets,
            shapes: Vec::new(),
        }
    }

    fn range(&mut self, value: f64) -> (f64, f64) {
        let half = self.width * value.abs().max(0.2);
        let digits = |x: f64| (x * 1e5).round() / 1e5;
        (digits(value - half), digits(value + half))
    }

    /// A number, or a parameter with a range around it.
    pub(crate) fn number(&mut self, value: f64) -> String {
        if self.left > 0 && self.random.often(0.12) {
            self.left -= 1;
            self.names += 1;
            let name = format!("p{}", self.names);
            let (low, high) = self.range(value);
            self.head.push_str(&format!("param {name} in [{low}, {high}]\n"));
            return name;
        }
        format!("{value}")
    }

    /// One within limits (a restitution, say).
    pub(crate) fn limited(&mut self, value: f64, low: f64, high: f64) -> String {
        if self.left > 0 && self.random.often(0.3) {
            self.left -= 1;
            self.names += 1;
            let name = format!("p{}", self.names);
            let (a, b) = self.range(value);
            let (a, b) = (a.max(low), b.min(high));
            self.head.push_str(&format!("param {name} in [{a}, {b}]\n"));
            return name;
        }
        format!("{value}")
    }

    /// A field with a vector, perhaps a set.
    pub(crate) fn field(&mut self, name: &str, values: [f64; 3]) -> String {
        let mut is_set = false;
        let parts: Vec<String> = values
            .iter()
            .map(|value| {
                if self.has_sets && self.left > 0 && *value != 0.0 && self.random.often(0.08) {
                    self.left -= 1;
                    is_set = true;
                    let (a, b) = self.range(*value);
                    format!("[{a}, {b}]")
                } else if *value == 0.0 {
                    "0".into()
                } else {
                    self.number(*value)
                }
            })
            .collect();
        let sign = if is_set { "in" } else { "=" };
        format!("{name} {sign} ({})", parts.join(", "))
    }

    pub(crate) fn line(&mut self, text: &str) {
        self.body.push_str(text);
        self.body.push('\n');
    }

    pub(crate) fn text(&self) -> String {
        format!("{}{}", self.head, self.body)
    }
}
