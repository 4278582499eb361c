//! External inputs during a run.
//!
//! A table may hold two values at one time: the input jumps there. What a step sees at its end is then the value from the left, and what begins there
//! the one from the right; so a value is asked for with the time at which the step began (`anchor`).

use crate::{InputSignal, RunError};
use dyverse_expr::Tape;
use dyverse_model::{Model, Symbol};

#[derive(Debug)]
enum Driven {
    Table {
        times: Vec<f64>,
        values: Vec<f64>,
    },
    Constant(f64),
    /// Set from outside at every evaluation.
    Live(f64, Box<Driven>),
    /// The input's own expression over time and parameters.
    Own(Tape),
}

/// All inputs of a model.
#[derive(Debug)]
pub(crate) struct Inputs {
    driven: Vec<Driven>,
    /// Symbols to parameters' values, for the inputs' own expressions.
    parameters: Vec<f64>,
    symbols: Vec<Symbol>,
    /// Times at which some input has a kink, ascending.
    breaks: Vec<f64>,
    /// Times at which some input jumps, ascending.
    jumps: Vec<f64>,
}

impl Inputs {
    pub(crate) fn new(
        model: &Model,
        signals: &[(String, InputSignal)],
        parameters: Vec<f64>,
    ) -> Result<Self, RunError> {
        for (name, signal) in signals {
            if !model.inputs().iter().any(|i| i.name == *name) {
                return Err(RunError::UnknownInput(name.clone()));
            }
            let is_good = match signal {
                InputSignal::Constant(value) => value.is_finite(),
                InputSignal::Table { times, values } => {
                    !times.is_empty()
                        && times.len() == values.len()
                        && times.iter().chain(values).all(|v| v.is_finite())
                        && times.is_sorted()
                        && times.windows(3).all(|w| w[0] < w[2])
                }
            };
            if !is_good {
                return Err(RunError::BadInput(name.clone()));
            }
        }
        let driven = model
            .inputs()
            .iter()
            .map(
                |input| match signals.iter().find(|(name, _)| *name == input.name) {
                    Some((_, InputSignal::Constant(value))) => Driven::Constant(*value),
                    Some((_, InputSignal::Table { times, values })) => Driven::Table {
                        times: times.clone(),
                        values: values.clone(),
                    },
                    None => Driven::Own(Tape::new(model.pool(), &[input.default])),
                },
            )
            .collect();
        let mut breaks: Vec<f64> = signals
            .iter()
            .filter_map(|(_, s)| {
                if let InputSignal::Table { times, .. } = s {
                    Some(times)
                } else {
                    None
                }
            })
            .flatten()
            .copied()
            .collect();
        breaks.sort_by(f64::total_cmp);
        let mut jumps: Vec<f64> = breaks.windows(2).filter(|w| w[0] == w[1]).map(|w| w[0]).collect();
        jumps.dedup();
        breaks.dedup();
        Ok(Inputs {
            driven,
            parameters,
            symbols: model.symbols().collect(),
            breaks,
            jumps,
        })
    }

    /// From now on all inputs are set from outside.
    pub(crate) fn drive_live(&mut self) {
        for driven in &mut self.driven {
            let own = std::mem::replace(driven, Driven::Constant(0.0));
            *driven = Driven::Live(f64::NAN, Box::new(own));
        }
    }

    /// Sets what is driven from outside.
    pub(crate) fn set_live(&mut self, u: &[f64]) {
        for (driven, u) in self.driven.iter_mut().zip(u) {
            if let Driven::Live(value, _) = driven {
                *value = *u;
            }
        }
    }

    /// What an input is when nothing drives it.
    pub(crate) fn default(&self, input: usize, t: f64) -> f64 {
        match &self.driven[input] {
            Driven::Live(_, own) => self.value_of(own, t, t),
            other => self.value_of(other, t, t),
        }
    }

    /// Whether an input may jump at `t`.
    pub(crate) fn may_jump(&self, t: f64) -> bool {
        self.jumps.binary_search_by(|j| j.total_cmp(&t)).is_ok()
    }

    /// The next time after `t` at which an input has a kink.
    pub(crate) fn next_break(&self, t: f64) -> Option<f64> {
        let next = self.breaks.partition_point(|b| *b <= t);
        self.breaks.get(next).copied()
    }

    /// The value at `t` in a step that began at `anchor`.
    pub(crate) fn value(&self, input: usize, t: f64, anchor: f64) -> f64 {
        self.value_of(&self.driven[input], t, anchor)
    }

    fn value_of(&self, driven: &Driven, t: f64, anchor: f64) -> f64 {
        match driven {
            Driven::Constant(value) | Driven::Live(value, _) => *value,
            Driven::Table { times, values } => interpolate(times, values, t, anchor),
            Driven::Own(tape) => {
                let found = tape.numbers(|id| match self.symbols[id.0 as usize] {
                    Symbol::Parameter(p) => self.parameters[p.0 as usize],
                    Symbol::Time => t,
                    _ => f64::NAN,
                });
                found.first().copied().unwrap_or(f64::NAN)
            }
        }
    }
}

fn interpolate(times: &[f64], values: &[f64], t: f64, anchor: f64) -> f64 {
    let mut after = times.partition_point(|x| *x <= anchor);
    if t < anchor || times.get(after).is_some_and(|end| t > *end) {
        after = times.partition_point(|x| *x <= t);
    }
    match (after.checked_sub(1), times.get(after)) {
        (None, _) => values[0],
        (Some(before), None) => values[before],
        (Some(before), Some(next)) => {
            let part = (t - times[before]) / (next - times[before]);
            values[before] + part * (values[after] - values[before])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::interpolate;

    #[test]
    fn tables_are_straight_lines_between_their_points() {
        let (times, values) = ([0.0, 1.0, 3.0], [2.0, 4.0, 0.0]);
        for (t, expected) in [
            (-1.0, 2.0),
            (0.0, 2.0),
            (0.5, 3.0),
            (1.0, 4.0),
            (2.0, 2.0),
            (3.0, 0.0),
            (9.0, 0.0),
        ] {
            for anchor in [-2.0, 0.0, t] {
                assert_eq!(interpolate(&times, &values, t, anchor), expected, "{t}");
            }
        }
    }

    #[test]
    fn a_jump_has_a_value_on_each_side() {
        let (times, values) = ([0.0, 1.0, 1.0, 2.0], [0.0, 1.0, 5.0, 5.0]);
        let at = |t: f64, anchor: f64| interpolate(&times, &values, t, anchor);
        assert_eq!((at(1.0, 0.5), at(1.0, 1.0)), (1.0, 5.0));
        assert_eq!((at(0.5, 0.0), at(1.5, 1.0), at(1.5, 0.0)), (0.5, 5.0, 5.0));
    }
}
