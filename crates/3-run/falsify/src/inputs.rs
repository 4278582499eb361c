//! Inputs with a range as unknowns: signals that are constant on equal parts of a run.
//!
//! Whatever is constant, and what jumps between values at the ends of the parts (bang-bang), is such a signal. Others are not tried: a search that finds nothing says nothing.

use crate::experiment::Unknown;
use dyverse_trace::InputSignal;

/// An input that may be any signal with values in a range.
#[derive(Clone, Debug, PartialEq)]
pub struct InputRange {
    /// Its name.
    pub name: String,
    /// Its least value.
    pub lower: f64,
    /// Its largest value.
    pub upper: f64,
}

/// A signal that keeps a value until the next: times, the first of them 0, with the values from there on.
#[derive(Clone, Debug, PartialEq)]
pub struct Steps {
    /// The input.
    pub name: String,
    /// Times, s, and values.
    pub steps: Vec<(f64, f64)>,
}

impl Steps {
    /// As what drives an input of a run.
    pub fn signal(&self) -> InputSignal {
        if let [(_, value)] = self.steps.as_slice() {
            return InputSignal::Constant(*value);
        }
        let (mut times, mut values) = (Vec::new(), Vec::new());
        for (place, (from, value)) in self.steps.iter().enumerate() {
            if place > 0 {
                times.push(*from);
                values.push(self.steps[place - 1].1);
            }
            times.push(*from);
            values.push(*value);
        }
        InputSignal::Table { times, values }
    }
}

/// Inputs of an experiment, each constant on so many parts of the time.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Driven {
    ranges: Vec<InputRange>,
    parts: usize,
    until: f64,
}

impl Driven {
    pub(crate) fn new(ranges: &[InputRange], parts: usize, until: Option<f64>) -> Self {
        let until = until.filter(|t| *t > 0.0 && t.is_finite());
        Driven {
            ranges: ranges.to_vec(),
            parts: if until.is_some() { parts.max(1) } else { 1 },
            until: until.unwrap_or(1.0),
        }
    }

    /// When a part begins.
    fn begin(&self, part: usize) -> f64 {
        self.until * (part as f64 / self.parts as f64)
    }

    /// One for each part of each input.
    pub(crate) fn unknowns(&self) -> Vec<Unknown> {
        let of = |range: &InputRange| {
            let name = |part: usize| match part {
                0 => range.name.clone(),
                part => format!("{} from {} s", range.name, self.begin(part)),
            };
            let unknown = |part: usize| Unknown {
                name: name(part),
                lower: range.lower,
                upper: range.upper,
            };
            (0..self.parts).map(unknown).collect::<Vec<_>>()
        };
        self.ranges.iter().flat_map(of).collect()
    }

    /// The signals of a point, which has one value for each of the unknowns.
    pub(crate) fn signals(&self, point: &[f64]) -> Vec<Steps> {
        let of = |(range, values): (&InputRange, &[f64])| {
            let mut steps: Vec<(f64, f64)> = Vec::new();
            for (part, value) in values.iter().enumerate() {
                if steps.last().is_none_or(|(_, last)| last != value) {
                    steps.push((self.begin(part), *value));
                }
            }
            Steps {
                name: range.name.clone(),
                steps,
            }
        };
        let parts = point.chunks(self.parts.max(1));
        self.ranges.iter().zip(parts).map(of).collect()
    }
}
