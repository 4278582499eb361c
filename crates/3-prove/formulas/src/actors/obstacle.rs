//! What has no formulas, in the words of the language.

use crate::Obstacle;
use dyverse_actors::{Definition, Graph, Region, Signal};

pub(crate) fn obstacle(what: impl Into<String>) -> Obstacle {
    Obstacle { what: what.into() }
}

/// A primitive whose output is not decided by modes, states and time.
pub(crate) fn primitive(signal: &Signal) -> Obstacle {
    let why = match &signal.definition {
        Definition::Clock { .. } | Definition::At { .. } => "its events come at times of their own",
        Definition::Delay { .. } => "it remembers events for a time",
        Definition::Post { .. } => "it lives in microsteps",
        Definition::Cross { .. } => {
            "whether a level is passed depends on the motion before, not on the state; a transition with a guard has formulas"
        }
        Definition::Output { .. } | Definition::Event { .. } => {
            "a mechanism is a black box in an actor model"
        }
        _ => "it is not decided by modes, states and time",
    };
    obstacle(format!(
        "{} ({}) has no formulas: {why}",
        word(&signal.definition),
        signal.label()
    ))
}

/// The construct as the language writes it.
fn word(definition: &Definition) -> String {
    match definition {
        Definition::Default { .. } => "`??`".to_owned(),
        Definition::Output { .. } => "an output of a `mechanism`".to_owned(),
        Definition::Event { .. } => "an event of a `mechanism`".to_owned(),
        Definition::Integrator { .. } => "an integrator".to_owned(),
        Definition::Expression(_) => "an expression".to_owned(),
        Definition::Merge(_) => "a signal that several modes define".to_owned(),
        other => format!("`{}`", other.word()),
    }
}

/// A region whose condition changes with the state.
pub(crate) fn enabled(region: &Region, by: &Signal) -> Obstacle {
    let (construct, name) = match region.name.split_once('#') {
        Some((whole, _)) => ("gate", format!("part of {whole}")),
        None => ("enabled by", region.name.clone()),
    };
    obstacle(format!(
        "`{construct}` ({name}) has no formulas: the modes alone do not decide whether {} is true",
        by.label()
    ))
}

/// An impulse while time passes.
pub(crate) fn impulse(signal: &Signal) -> Obstacle {
    obstacle(format!(
        "the `impulse` of {} has no formulas: it is present while time passes and may not be 0",
        signal.label()
    ))
}

/// An initial value that cannot be had.
pub(crate) fn absent_init(signal: &Signal) -> Obstacle {
    obstacle(format!(
        "the `init` of {} reads a signal that is absent when it begins",
        signal.label()
    ))
}

pub(crate) fn two_sources(signal: &Signal, first: &Signal, second: &Signal) -> Obstacle {
    obstacle(format!(
        "{} has two values at once: from {} and from {}",
        signal.label(),
        first.label(),
        second.label()
    ))
}

/// A causality loop through these signals.
pub(crate) fn causality_loop(graph: &Graph, through: impl Iterator<Item = u32>) -> Obstacle {
    let mut names: Vec<String> = through.map(|s| graph.signals()[s as usize].label()).collect();
    names.dedup();
    obstacle(format!(
        "a causality loop: {} wait for each other",
        names.join(", ")
    ))
}

/// An expression in a loop that is open only where `if`, `and` or `or` do not need all of it.
pub(crate) fn in_loop(signal: &Signal) -> Obstacle {
    obstacle(format!(
        "{} has no formulas: it lies in a loop that only `if`, `and`, `or` keep open",
        signal.label()
    ))
}
