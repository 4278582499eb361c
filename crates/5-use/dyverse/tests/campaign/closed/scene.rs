//! A model whose trajectories are known in closed form: its text, its unknowns, and what happens for each of their values.

use super::super::random::Random;
use super::course::Course;
use super::formula::{Expr, Leaf, Truth};
use super::real::Real;

/// A parameter or initial value with a range. `base` lies in it: the value that the scene was drawn with.
#[derive(Clone, Debug)]
pub(crate) struct Unknown {
    pub(crate) name: String,
    pub(crate) low: String,
    pub(crate) high: String,
    pub(crate) base: Real,
}

impl Unknown {
    pub(crate) fn low(&self) -> Real {
        Real::decimal(&self.low)
    }
    pub(crate) fn high(&self) -> Real {
        Real::decimal(&self.high)
    }
}

/// An input with a range.
#[derive(Clone, Debug)]
pub(crate) struct Driven {
    pub(crate) name: String,
    pub(crate) low: Real,
    pub(crate) high: Real,
    pub(crate) default: Real,
}

/// A signal that is constant but for jumps: values from times on, the first from 0.
pub(crate) type Steps = Vec<(Real, Real)>;

/// Values of the unknowns, and what drives the inputs.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    pub(crate) values: Vec<Real>,
    pub(crate) inputs: Vec<Steps>,
}

/// What happens for a point: all trajectories that may be. `None`: it cannot be told (events too close to each other, too many of them).
pub(crate) type Runs = Option<Vec<Course>>;

/// Which of several trajectories there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// All of them: a property must hold for each.
    All,
    /// One, not known which.
    One,
}

/// What properties may speak of.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    pub(crate) horizon: Real,
    pub(crate) leaves: Vec<Leaf>,
    /// Numbers beside leaves.
    pub(crate) quantities: Vec<Expr>,
    pub(crate) truths: Vec<Truth>,
}

pub(crate) struct Scene {
    pub(crate) family: &'static str,
    pub(crate) is_modal: bool,
    /// Without properties.
    pub(crate) text: String,
    pub(crate) unknowns: Vec<Unknown>,
    pub(crate) inputs: Vec<Driven>,
    pub(crate) words: Words,
    pub(crate) choice: Choice,
    pub(crate) run: Box<dyn Fn(&Point) -> Runs + Send>,
}

impl Scene {
    /// The point that the scene was drawn with, inputs at their defaults.
    pub(crate) fn base(&self) -> Point {
        Point {
            values: self.unknowns.iter().map(|u| u.base).collect(),
            inputs: self.defaults(),
        }
    }

    pub(crate) fn defaults(&self) -> Vec<Steps> {
        let each = self.inputs.iter();
        each.map(|i| vec![(Real::from(0.0), i.default)]).collect()
    }
}

/// A number of a scene: given, or one of its unknowns.
#[derive(Clone, Debug)]
pub(crate) enum Slot {
    Given(Real, String),
    Unknown(usize, String),
}

impl Slot {
    pub(crate) fn at(&self, point: &Point) -> Real {
        match self {
            Slot::Given(value, _) => *value,
            Slot::Unknown(place, _) => point.values[*place],
        }
    }
    /// As it stands in the model.
    pub(crate) fn text(&self) -> &str {
        match self {
            Slot::Given(_, text) | Slot::Unknown(_, text) => text,
        }
    }
}

/// A scene while it is drawn.
pub(crate) struct Sketch {
    pub(crate) random: Random,
    pub(crate) unknowns: Vec<Unknown>,
    pub(crate) head: String,
    pub(crate) body: String,
    /// Unknowns that may still be made.
    left: usize,
    width: f64,
}

/// A decimal of few digits.
pub(crate) fn decimal(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    let text = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    };
    if text == "-0" { "0".into() } else { text }
}

impl Sketch {
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let left = *random.pick(&[0, 0, 1, 1, 1, 2]);
        let width = *random.pick(&[1e-6, 1e-3, 0.02, 0.1, 0.3]);
        Sketch {
            random,
            unknowns: Vec::new(),
            head: String::new(),
            body: String::new(),
            left,
            width,
        }
    }

    pub(crate) fn line(&mut self, text: &str) {
        self.body.push_str(text);
        self.body.push('\n');
    }

    /// A random decimal.
    pub(crate) fn drawn(&mut self, low: f64, high: f64, digits: usize) -> String {
        decimal(self.random.between(low, high), digits)
    }

    /// One of some numbers.
    pub(crate) fn one_of(&mut self, all: &[&str]) -> String {
        (*self.random.pick(all)).to_owned()
    }

    /// A range around a value, within limits; now and then the value is one of its ends.
    fn range(&mut self, base: &str, limits: (f64, f64)) -> (String, String) {
        let value = Real::decimal(base);
        let half = self.width * value.f64().abs().max(0.3);
        let (below, above) = match self.random.below(5) {
            0 => (0.0, 2.0 * half),
            1 => (2.0 * half, 0.0),
            _ => (half * self.random.between(0.2, 1.8), half),
        };
        let end = |by: f64, limit: f64, is_low: bool| {
            let end = decimal(value.f64() + by, 8);
            let is_beyond = if is_low {
                Real::decimal(&end) > value
            } else {
                Real::decimal(&end) < value
            };
            if by == 0.0 || is_beyond {
                base.to_owned()
            } else if (is_low && Real::decimal(&end).f64() < limit)
                || (!is_low && Real::decimal(&end).f64() > limit)
            {
                decimal(limit, 8)
            } else {
                end
            }
        };
        (end(-below, limits.0, true), end(above, limits.1, false))
    }

    fn new_unknown(&mut self, name: String, base: &str, limits: (f64, f64)) -> Option<Slot> {
        let (low, high) = self.range(base, limits);
        if low == high {
            return None;
        }
        self.left -= 1;
        self.unknowns.push(Unknown {
            name: name.clone(),
            low,
            high,
            base: Real::decimal(base),
        });
        Some(Slot::Unknown(self.unknowns.len() - 1, name))
    }

    /// A number; often a parameter with a range around it.
    pub(crate) fn slot(&mut self, base: &str, limits: (f64, f64)) -> Slot {
        if self.left > 0 && self.random.often(0.35) {
            let name = format!("p{}", self.unknowns.len() + 1);
            if let Some(slot) = self.new_unknown(name.clone(), base, limits) {
                let unknown = &self.unknowns[self.unknowns.len() - 1];
                let range = format!("param {name} in [{}, {}]\n", unknown.low, unknown.high);
                self.head.push_str(&range);
                return slot;
            }
        }
        Slot::Given(Real::decimal(base), base.to_owned())
    }

    /// A vector of an entity's state, components with their names; perhaps a set.
    pub(crate) fn field(
        &mut self,
        entity: &str,
        field: &str,
        parts: [(&str, &str); 3],
    ) -> (String, [Slot; 3]) {
        let mut is_set = false;
        let mut texts = Vec::new();
        let slots = parts.map(|(name, base)| {
            if base != "0" && self.left > 0 && self.random.often(0.15) {
                let full = format!("{entity}.{name}");
                if let Some(slot) = self.new_unknown(full, base, (-1e3, 1e3)) {
                    let unknown = &self.unknowns[self.unknowns.len() - 1];
                    texts.push(format!("[{}, {}]", unknown.low, unknown.high));
                    is_set = true;
                    return slot;
                }
            }
            let slot = if base == "0" {
                Slot::Given(Real::from(0.0), "0".into())
            } else {
                self.slot(base, (-1e3, 1e3))
            };
            texts.push(slot.text().to_owned());
            slot
        });
        let sign = if is_set { "in" } else { "=" };
        (format!("{field} {sign} ({})", texts.join(", ")), slots)
    }
}
