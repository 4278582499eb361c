//! The modal models of an actor model: modes and the transitions between them, as JSON and DOT.
//!
//! The discrete part of an actor model is the product of its modal models; each is written on its own, as it is in the text.

use crate::dot::quoted;
use dyverse_actors::{Graph, ModalModel, ModeTransition};
use serde_json::{Value, json};
use std::io::{self, Write};

/// The modal models of an actor model as JSON, `dyverse-modes/1`.
///
/// # Errors
/// What went wrong while writing.
pub fn write_modes_json(out: &mut dyn Write, graph: &Graph) -> io::Result<()> {
    let signal = |place: u32| graph.signals()[place as usize].name.clone();
    let transition = |modal: &ModalModel, transition: &ModeTransition| {
        let sets: Vec<Value> = transition
            .sets
            .iter()
            .map(|(of, value)| json!({ "signal": signal(of.0), "value": graph.print(*value) }))
            .collect();
        let outputs: Vec<Value> = transition
            .outputs
            .iter()
            .map(|(of, value)| json!({ "signal": signal(of.0), "value": graph.print(*value) }))
            .collect();
        json!({
            "from": transition.from.map(|from| modal.mode(from).name.clone()),
            "to": modal.mode(transition.to).name,
            "guard": transition.text,
            "kinds": kinds(transition),
            "sets": sets,
            "outputs": outputs,
        })
    };
    let modals: Vec<Value> = graph
        .modals()
        .iter()
        .map(|modal| {
            let transitions: Vec<Value> = modal.transitions.iter().map(|t| transition(modal, t)).collect();
            let modes: Vec<&String> = modal.modes.iter().map(|mode| &mode.name).collect();
            json!({
                "name": modal.name,
                "modes": modes,
                "initial": modal.mode(modal.initial).name,
                "transitions": transitions,
            })
        })
        .collect();
    let signals: Vec<Value> = graph
        .signals()
        .iter()
        .filter(|signal| signal.is_named())
        .map(|signal| json!({ "name": signal.name, "unit": signal.unit, "region": graph.region(signal.region).name }))
        .collect();
    let whole = json!({
        "format": "dyverse-modes/1",
        "model": graph.name(),
        "signals": signals,
        "modal_models": modals,
    });
    writeln!(out, "{whole:#}")
}

/// What is special about a transition.
pub(crate) fn kinds(transition: &ModeTransition) -> Vec<&'static str> {
    let all = [
        ("immediate", transition.is_immediate),
        ("preemptive", transition.is_preemptive),
        ("history", transition.is_history),
        ("default", transition.is_default),
        ("choice", transition.is_choice),
    ];
    all.into_iter()
        .filter(|(_, is)| *is)
        .map(|(name, _)| name)
        .collect()
}

/// The modal models of an actor model for Graphviz, each in a box of its own.
///
/// # Errors
/// What went wrong while writing.
pub fn write_modes_dot(out: &mut dyn Write, graph: &Graph) -> io::Result<()> {
    writeln!(out, "digraph {} {{", quoted(graph.name()))?;
    writeln!(out, "  label={};", quoted(&format!("modes of {}", graph.name())))?;
    writeln!(out, "  node [shape=ellipse];")?;
    for (number, modal) in graph.modals().iter().enumerate() {
        writeln!(out, "  subgraph cluster_{number} {{")?;
        writeln!(out, "    label={};", quoted(&modal.name))?;
        for (place, mode) in modal.modes.iter().enumerate() {
            let is_initial = modal.initial.0 as usize == place;
            let style = if is_initial { ", peripheries=2" } else { "" };
            writeln!(
                out,
                "    m{number}_{place} [label={}{style}];",
                quoted(&mode.name)
            )?;
        }
        for transition in &modal.transitions {
            let from: Vec<u32> = match transition.from {
                Some(from) => vec![from.0],
                // One from any mode is drawn from each.
                None => (0..modal.modes.len() as u32).collect(),
            };
            let mut label = transition.text.clone();
            for kind in kinds(transition) {
                label.push_str(&format!("\n{kind}"));
            }
            for (of, value) in &transition.sets {
                let name = &graph.signals()[of.0 as usize].name;
                label.push_str(&format!("\n{name} := {}", graph.print(*value)));
            }
            for from in from {
                writeln!(
                    out,
                    "    m{number}_{from} -> m{number}_{} [label={}];",
                    transition.to.0,
                    quoted(&label)
                )?;
            }
        }
        writeln!(out, "  }}")?;
    }
    writeln!(out, "}}")
}
