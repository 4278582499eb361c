//! What the symbols of expressions stand for while a file is read: symbols of a model, signals, arguments of functions.

use dyverse_actors::SignalId;
use dyverse_expr::SymbolId;
use dyverse_model::{Symbol, SymbolTable};
use std::collections::BTreeMap;

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Meaning {
    /// Something of a model: a parameter, a state, time …
    Model(Symbol),
    /// A signal of an actor model.
    Signal(SignalId),
    /// An argument of a function that the file declares, replaced when it is called.
    Argument(u32),
}

/// All symbols.
#[derive(Clone, Debug, Default)]
pub(crate) struct Symbols {
    meanings: Vec<Meaning>,
    ids: BTreeMap<Meaning, SymbolId>,
}

impl Symbols {
    /// The id of a symbol, which is added if new.
    pub(crate) fn id(&mut self, meaning: Meaning) -> SymbolId {
        *self.ids.entry(meaning).or_insert_with(|| {
            self.meanings.push(meaning);
            SymbolId(self.meanings.len() as u32 - 1)
        })
    }

    /// What an id stands for.
    pub(crate) fn meaning(&self, id: SymbolId) -> Meaning {
        self.meanings[id.0 as usize]
    }

    /// The symbols of a rigid-body model. Arguments of functions are in no expression that is used; their places are filled.
    pub(crate) fn of_model(&self) -> SymbolTable {
        let mut table = SymbolTable::default();
        for meaning in &self.meanings {
            table.push(match meaning {
                Meaning::Model(symbol) => *symbol,
                Meaning::Signal(_) | Meaning::Argument(_) => Symbol::Time,
            });
        }
        table
    }

    /// The symbols of an actor model.
    pub(crate) fn of_actors(&self) -> Vec<dyverse_actors::Symbol> {
        use dyverse_actors::Symbol as Actor;
        let symbol = |meaning: &Meaning| match meaning {
            Meaning::Signal(signal) => Actor::Signal(*signal),
            Meaning::Model(Symbol::Parameter(id)) => Actor::Parameter(*id),
            Meaning::Model(Symbol::Input(id)) => Actor::Input(*id),
            // Time; nothing else gets into an expression that is used.
            Meaning::Model(_) | Meaning::Argument(_) => Actor::Time,
        };
        self.meanings.iter().map(symbol).collect()
    }
}
