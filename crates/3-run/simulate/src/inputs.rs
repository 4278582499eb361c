//! External inputs during a run; see `dyverse_trace::InputSignal` for tables and jumps.
//!
//! What an input is by its own expression is part of the loads that read it (loads.rs), so that its switches are seen; here it is evaluated for those who ask for the input alone.

use crate::RunError;
use crate::index::IndexVec;
use dyverse_expr::{Change, NodeId, Program, SymbolId};
use dyverse_model::{InputId, Model, ParameterId, Symbol};
use dyverse_trace::{InputBreaks, InputSignal};

#[derive(Debug)]
enum Driven {
    By(InputSignal),
    /// Set from outside at every evaluation; NaN: not set.
    Live(f64, Box<Driven>),
    /// The input's own expression over time and parameters.
    Own(NodeId, Program),
}

impl Driven {
    /// The value that something gives it; `None` if it is that of its own expression.
    fn given(&self, t: f64, anchor: f64) -> Option<f64> {
        match self {
            Driven::By(signal) => Some(signal.value(t, anchor)),
            Driven::Live(value, own) if value.is_nan() => own.given(t, anchor),
            Driven::Live(value, _) => Some(*value),
            Driven::Own(..) => None,
        }
    }

    fn own(&self) -> Option<NodeId> {
        match self {
            Driven::By(_) => None,
            Driven::Live(_, own) => own.own(),
            Driven::Own(node, _) => Some(*node),
        }
    }
}

/// All inputs of a model.
#[derive(Debug)]
pub(crate) struct Inputs {
    driven: IndexVec<InputId, Driven>,
    /// Symbols to parameters' values, for the inputs' own expressions.
    parameters: IndexVec<ParameterId, f64>,
    symbols: IndexVec<SymbolId, Symbol>,
    pub(crate) breaks: InputBreaks,
}

impl Inputs {
    pub(crate) fn new(
        model: &Model,
        signals: &[(String, InputSignal)],
        parameters: IndexVec<ParameterId, f64>,
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
                    None => Driven::Own(input.default, Program::new(model.pool(), &[input.default])),
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
        for driven in self.driven.iter_mut() {
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
    pub(crate) fn default(&self, input: InputId, t: f64) -> f64 {
        match &self.driven[input] {
            Driven::Live(_, own) => self.value_of(own, t, t),
            other => self.value_of(other, t, t),
        }
    }

    /// The value at `t` in a step that began at `anchor`.
    pub(crate) fn value(&self, input: InputId, t: f64, anchor: f64) -> f64 {
        self.value_of(&self.driven[input], t, anchor)
    }

    /// The value at `t` that something gives it; `None` if it is that of its own expression.
    pub(crate) fn given(&self, input: InputId, t: f64, anchor: f64) -> Option<f64> {
        self.driven[input].given(t, anchor)
    }

    /// How fast what something gives it changes in a step that began at `anchor`: the slope of a table.
    pub(crate) fn rate(&self, input: InputId, anchor: f64) -> f64 {
        let end = self.breaks.next(anchor).unwrap_or(anchor + 1.0);
        let value = |t: f64| self.driven[input].given(t, anchor).unwrap_or(0.0);
        (value(end) - value(anchor)) / (end - anchor)
    }

    /// The input's own expression, if it counts where nothing else gives it a value.
    pub(crate) fn own(&self, input: InputId) -> Option<NodeId> {
        self.driven[input].own()
    }

    /// With what an input changes; `None`: as its own expression does.
    pub(crate) fn change(&self, input: InputId) -> Option<Change> {
        match &self.driven[input] {
            Driven::By(InputSignal::Constant(_)) => Some(Change::Never),
            Driven::By(InputSignal::Table { .. }) => Some(Change::WithTime),
            Driven::Live(..) => Some(Change::WithState),
            Driven::Own(..) => None,
        }
    }

    fn value_of(&self, driven: &Driven, t: f64, anchor: f64) -> f64 {
        match driven {
            Driven::By(signal) => signal.value(t, anchor),
            Driven::Live(value, own) if value.is_nan() => self.value_of(own, t, anchor),
            Driven::Live(value, _) => *value,
            Driven::Own(_, tape) => {
                let found = tape.numbers(|id| match self.symbols[id] {
                    Symbol::Parameter(p) => self.parameters[p],
                    Symbol::Time => t,
                    _ => f64::NAN,
                });
                found.first().copied().unwrap_or(f64::NAN)
            }
        }
    }
}
