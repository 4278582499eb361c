//! Judges a trace of a rigid-body system: is it a run of the model's hybrid automaton [SPEC §3, §10 "The automaton is what runs"]?
//!
//! **In:** a model, a trace. **Out:** what is wrong with the trace, moment by moment; what could not be judged.
//!
//! | asked of | question |
//! |---|---|
//! | a transition | do its ends follow on those of the one before; is it an edge of the automaton, by the rule it names; is its guard true of the state before; are the state after and the recorded impulses what its reset makes |
//! | a contact node | do the recorded forces, with the couples of rolling and spinning friction that go with them and the accelerations they make, keep the law of the modes that the node gives |
//! | an impact | do impulses and velocities keep the impact law, and no energy is added where the law may not |
//! | times | do they ascend, and is every transition at the moment of a sample |
//! | contacts followed by steps | is the span told, do only contacts of entities that take part in it change, do surfaces lie in each other no deeper than told; everything else about these entities is said not to be judged |
//! | a stretch between two samples | does the flow of the location lead from one to the other; does its domain hold at both |
//!
//! # Method
//! Nothing of the simulator's loop, solver, integrator or events is used. The course of an impact by the energetic law is followed by a method of its own (`energetic.rs`). Forces of a location come from elimination (`forces.rs`), motion from the method of Dormand and Prince
//! (`flow.rs`); only the kinematics of contacts (`dyverse_mech`) and the automaton's own guards and domains are shared.
//!
//! # Tolerances
//! A comparison is held to be false only where it fails by more than [`SLACK`] times the model's tolerance; a motion is held to be another where it differs by more than
//! [`ReplayOptions::precision`] of the size of what is compared.
//!
//! # Limits
//! Up to 64 bodies that move (runs of more do not sample every jump) and 10,000 contacts; beyond 64 contacts a trace names the contacts that a transition is about (`partial.rs`). Not judged, and said
//! so: estimates inside nodes (of whose steps those of the part are shown that something happens to), motion along the surface of a switch. Not judged: forces of redundant contacts in guards, the law of Poisson's impacts beyond cone, momentum and energy.

mod bodies;
mod clatter;
mod couples;
mod energetic;
mod finding;
mod flow;
mod forces;
mod impact;
mod moment;
mod partial;
mod settled;
mod stepped;
mod stretch;
mod walk;

pub use finding::{Compared, Finding, FoundEdge};

use dyverse_model::Model;
use dyverse_trace::{InputSignal, Trace};
use std::fmt;

/// What a comparison may fail by, in tolerances of the model.
pub const SLACK: f64 = 100.0;

/// How a trace is judged.
#[derive(Clone, Debug)]
pub struct ReplayOptions {
    /// What drove inputs in the run; others have their own values.
    pub inputs: Vec<(String, InputSignal)>,
    /// What a motion may differ by, relative to the size of what is compared.
    pub precision: f64,
}

impl Default for ReplayOptions {
    fn default() -> Self {
        ReplayOptions {
            inputs: Vec::new(),
            precision: 1e-6,
        }
    }
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replay {
    /// Transitions looked at.
    pub transitions: usize,
    /// Impacts among them whose impulses and velocities were held against the impact law.
    pub impacts: usize,
    /// Forces of contact nodes that were held against the law.
    pub forces: usize,
    /// Stays in a dynamical location while time went on.
    pub stays: usize,
    /// Stretches between samples looked at.
    pub stretches: usize,
    /// What is wrong.
    pub wrong: Vec<Finding>,
    /// What could not be judged.
    pub open: Vec<Finding>,
    /// The largest difference of a motion that fits, relative to the size of what was compared.
    pub largest_difference: f64,
}

impl Replay {
    /// Nothing is wrong with it.
    pub fn is_accepted(&self) -> bool {
        self.wrong.is_empty()
    }
}

/// Why a trace cannot be judged at all.
#[derive(Clone, Debug, PartialEq)]
pub enum ReplayError {
    /// A parameter of the trace that the model does not have.
    UnknownParameter(String),
    /// An input that the model does not have, or a table that is none.
    BadInput(String),
    /// A signal of the model's states that the trace lacks.
    NoSignal(String),
    /// A number of the model that is no number, or no mass.
    BadNumber(String),
    /// More contacts or bodies than are judged.
    TooLarge(String),
    /// It holds no sample, or not all transitions.
    NotWhole(String),
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::UnknownParameter(name) => write!(f, "the model has no parameter `{name}`"),
            ReplayError::BadInput(name) => {
                write!(f, "`{name}` is no input of the model, or its table is none")
            }
            ReplayError::NoSignal(name) => write!(f, "the trace has no signal `{name}`"),
            ReplayError::BadNumber(what) => write!(f, "{what}"),
            ReplayError::TooLarge(what) => write!(f, "{what}"),
            ReplayError::NotWhole(what) => write!(f, "{what}"),
        }
    }
}

impl std::error::Error for ReplayError {}

/// Judges a trace of a model.
///
/// # Errors
/// [`ReplayError`] if it cannot be judged at all.
pub fn replay(model: &Model, trace: &Trace, options: &ReplayOptions) -> Result<Replay, ReplayError> {
    walk::walk(model, trace, options)
}
