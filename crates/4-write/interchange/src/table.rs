//! The variables of a file: which there are, what they are called, where they begin.

use crate::automaton::{Automaton, Constant};
use crate::names::Names;
use crate::polynomial::Polynomial;
use dyverse_expr::SymbolId;
use std::collections::BTreeMap;

/// The variables of an automaton with their identifiers.
pub(crate) struct Table<'a> {
    pub(crate) automaton: &'a Automaton,
    /// Identifiers by symbol.
    pub(crate) names: BTreeMap<SymbolId, String>,
    /// Places of the states that are written.
    pub(crate) moving: Vec<usize>,
    /// Constants that formulas read.
    pub(crate) constants: Vec<&'a Constant>,
    pub(crate) clock: String,
    /// Time since a location without time was entered, if there is one.
    pub(crate) stay: Option<String>,
}

/// How a state begins.
pub(crate) enum Begin<'a> {
    /// With this value.
    At(&'a Polynomial),
    /// Anywhere in the range of a constant that nothing else reads.
    Within(&'a Constant),
}

impl<'a> Table<'a> {
    pub(crate) fn new(automaton: &'a Automaton) -> Self {
        let mut given = Names::default();
        let mut names = BTreeMap::new();
        let moving = automaton.moving();
        for place in &moving {
            names.insert(SymbolId(*place as u32), given.give(&automaton.states[*place]));
        }
        let mut constants = Vec::new();
        for constant in &automaton.constants {
            let is_read = automaton.reads(constant.symbol)
                || moving.iter().any(|place| {
                    let start = &automaton.start[*place];
                    range_of(automaton, start).is_none()
                        && automaton.algebra.symbols(start).contains(&constant.symbol)
                });
            if is_read {
                let name = if constant.is_initial {
                    format!("{}_0", constant.name)
                } else {
                    constant.name.clone()
                };
                names.insert(constant.symbol, given.give(&name));
                constants.push(constant);
            }
        }
        let clock = given.give("clock");
        names.insert(automaton.time(), clock.clone());
        let stay = automaton.has_urgent().then(|| given.give("stay"));
        Table {
            automaton,
            names,
            moving,
            constants,
            clock,
            stay,
        }
    }

    pub(crate) fn name(&self, place: usize) -> &str {
        self.names.get(&SymbolId(place as u32)).map_or("", String::as_str)
    }
    pub(crate) fn constant_name(&self, constant: &Constant) -> &str {
        self.names.get(&constant.symbol).map_or("", String::as_str)
    }
    pub(crate) fn begin(&self, place: usize) -> Begin<'a> {
        let start = &self.automaton.start[place];
        match range_of(self.automaton, start) {
            Some(constant) => Begin::Within(constant),
            None => Begin::At(start),
        }
    }
    /// Identifier and name of everything, for comments.
    pub(crate) fn legend(&self) -> Vec<(String, String)> {
        let states = self.moving.iter().map(|place| {
            (
                self.name(*place).to_owned(),
                self.automaton.states[*place].clone(),
            )
        });
        let constants = self.constants.iter().map(|c| {
            let what = if c.is_initial {
                "the initial value of "
            } else {
                "the parameter "
            };
            (self.constant_name(c).to_owned(), format!("{what}{}", c.name))
        });
        let mut all: Vec<(String, String)> = states.chain(constants).collect();
        all.push((self.clock.clone(), "time since the start".to_owned()));
        if let Some(stay) = &self.stay {
            all.push((
                stay.clone(),
                "time in a location in which none may pass".to_owned(),
            ));
        }
        all
    }
}

/// The constant that a state begins with, if only one state does and no other formula reads it.
fn range_of<'a>(automaton: &'a Automaton, start: &Polynomial) -> Option<&'a Constant> {
    let constant = automaton.constants.iter().find(|c| {
        let symbols = automaton.algebra.symbols(start);
        symbols.len() == 1 && symbols.contains(&c.symbol) && is_the_symbol(automaton, start)
    })?;
    let uses = automaton
        .start
        .iter()
        .filter(|p| automaton.algebra.symbols(p).contains(&constant.symbol))
        .count();
    (uses == 1 && !automaton.reads(constant.symbol)).then_some(constant)
}

fn is_the_symbol(automaton: &Automaton, p: &Polynomial) -> bool {
    let Some((m, c)) = p.leading() else {
        return false;
    };
    let is_symbol = |v: u32| matches!(automaton.algebra.atom(v), crate::algebra::Atom::Symbol(_));
    p.len() == 1 && c.is_one() && matches!(m.factors(), [(v, 1)] if is_symbol(*v))
}
