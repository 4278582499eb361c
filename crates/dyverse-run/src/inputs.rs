//! External inputs during a run; see `dyverse_time::InputSignal` for tables and jumps.

use crate::RunError;
use dyverse_expr::Tape;
use dyverse_model::{Model, Symbol};
use dyverse_time::{InputBreaks, InputSignal};

#[derive(Debug)]
enum Driven {
    By(InputSignal),
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
    pub(crate) breaks: InputBreaks,
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
            if !signal.is_good() {
                return Err(RunError::BadInput(name.clone()));
            }
        }
        let driven =
            model.inputs().iter().map(
                |input| match signals.iter().find(|(name, _)| *name == input.name) {
                    Some((_, signal)) => Driven::By(signal.clone()),
                    None => Driven::Own(Tape::new(model.pool(), &[input.default])),
                },
            );
        Ok(Inputs {
            driven: driven.collect(),
            parameters,
            symbols: model.symbols().collect(),
            breaks: InputBreaks::new(signals.iter().map(|(_, signal)| signal)),
        })
    }

    /// From now on all inputs are set from outside.
    pub(crate) fn drive_live(&mut self) {
        for driven in &mut self.driven {
            let own = std::mem::replace(driven, Driven::By(InputSignal::Constant(0.0)));
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

    /// The value at `t` in a step that began at `anchor`.
    pub(crate) fn value(&self, input: usize, t: f64, anchor: f64) -> f64 {
        self.value_of(&self.driven[input], t, anchor)
    }

    fn value_of(&self, driven: &Driven, t: f64, anchor: f64) -> f64 {
        match driven {
            Driven::By(signal) => signal.value(t, anchor),
            Driven::Live(value, _) => *value,
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
