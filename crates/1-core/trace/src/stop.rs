//! Why a run ended: a result, never only a line in a log.

use crate::superdense::shown_number;
use crate::{SuperdenseTime, is_absent, told};

/// Changing signals that a message names; the data has all of them.
const MOST_SHOWN: usize = 8;

told! {
/// Why a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum StopReason {
    /// The run reached its horizon.
    HorizonReached => "the horizon was reached";
    /// More events than allowed: transitions, jumps, crossings, located switches, ticks of clocks.
    EventLimit {
        /// How many are allowed.
        limit: usize,
    } => "more than {limit} events";
    /// Discrete transitions went on at one instant without end.
    MicrostepLimit {
        /// How many are allowed at one instant.
        limit: usize,
        /// What kept changing.
        changing: Vec<String>,
    } => "more than {limit} transitions at one instant; changing: {}", changing.join(", ");
    /// Signals of an actor model keep changing at one instant: chattering Zeno [004 §3.2].
    Chattering {
        /// Microsteps made at the instant.
        microsteps: usize,
        /// After how many microsteps everything repeats; `None`: it does not, and the limit was reached.
        period: Option<usize>,
        /// What keeps changing.
        changing: Vec<ChangingSignal>,
    } => "no final value at one instant{}{}", repeated(*microsteps, *period), shown_signals(changing);
    /// Events accumulate: their distances fall geometrically, and infinitely many come before `limit`.
    ZenoSuspected {
        /// Where they accumulate, s.
        limit: f64,
        /// Ratio of successive distances.
        ratio: f64,
        /// Which events.
        events: Vec<String>,
    } => "infinitely many events before t = {}: the distances of {} fall by {}",
        shown_number(*limit), events.join(", "), shown_number(*ratio);
    /// No friction mode fits a contact: it can neither stay nor open.
    NoFittingMode {
        /// The contacts.
        contacts: Vec<String>,
        /// The numbers compared.
        detail: String,
    } => "no friction mode fits {}: {detail}", contacts.join(", ");
    /// The contact forces were not found.
    ForcesNotFound {
        /// The contacts.
        contacts: Vec<String>,
        /// What the solver said.
        detail: String,
    } => "contact forces not found at {}: {detail}", contacts.join(", ");
    /// Switches of loads turn without end at one moment, and no motion along their surfaces goes on.
    Switching {
        /// The decisions that turn, as they are written.
        switches: Vec<String>,
        /// What was tried.
        detail: String,
    } => "loads switch against each other at {}: {detail}", switches.join(", ");
    /// A crossing could not be isolated.
    CrossingNotIsolated {
        /// Of what.
        of: String,
    } => "a crossing of {of} could not be isolated";
    /// A state or a force is no finite number.
    NotFinite {
        /// Which.
        what: String,
    } => "{what} is no finite number";
    /// The solver's step became too small.
    StepTooSmall {
        /// Its size, s.
        step: f64,
    } => "the solver's step became too small ({step:e} s)";
    /// Switches turn each other back: the motion would go along the surface on which they turn, and there time passes only by roundings.
    Sliding {
        /// What switches.
        switches: Vec<String>,
        /// How often it switched in a row.
        events: usize,
        /// In how little time, s.
        within: f64,
    } => "{} switch to and fro, {events} times within {within:.1e} s: the motion would slide along where they switch",
        first_of(switches).join(" and ");
    /// The trace needs more memory than allowed.
    MemoryLimit {
        /// How much is allowed, bytes.
        bytes: usize,
    } => "the trace needs more than {} GB", *bytes as f64 / 1e9;
    /// It took more time than allowed.
    TimeLimit {
        /// How much is allowed, s.
        seconds: f64,
    } => "it took more than {seconds} s";
    /// Whoever watched the run ended it.
    Cancelled => "it was cancelled";
    /// A signal ended the program; this is the run so far.
    Interrupted => "it was interrupted";
    /// A component that has an end of its own reached it: an FMU asked for the end of the simulation.
    EndedItself {
        /// Which.
        component: String,
    } => "`{component}` asks for the end of the simulation";
    /// What a table says about the end of its run: it has the words, and not what they were made of.
    Told {
        /// The words.
        text: String,
    } => "{text}";
    /// A mistake of the model that only shows while it runs: two transitions at once, a causality loop, a component that fails.
    ModelError {
        /// What is wrong, and when.
        detail: String,
    } => "{detail}";
}
}

/// A signal that keeps changing at one instant.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangingSignal {
    /// Its name.
    pub name: String,
    /// Its values at the last microsteps, oldest first; [`ABSENT`](crate::ABSENT) where it is absent.
    pub values: Vec<f64>,
}

impl StopReason {
    /// A stable word for programs.
    pub fn word(&self) -> &'static str {
        match self {
            StopReason::HorizonReached => "horizon",
            StopReason::EventLimit { .. } => "event_limit",
            StopReason::MicrostepLimit { .. } => "microstep_limit",
            StopReason::Chattering { .. } => "chattering",
            StopReason::ZenoSuspected { .. } => "zeno_suspected",
            StopReason::NoFittingMode { .. } => "no_fitting_mode",
            StopReason::ForcesNotFound { .. } => "forces_not_found",
            StopReason::Switching { .. } => "switching",
            StopReason::CrossingNotIsolated { .. } => "crossing_not_isolated",
            StopReason::NotFinite { .. } => "not_finite",
            StopReason::StepTooSmall { .. } => "step_too_small",
            StopReason::Sliding { .. } => "sliding",
            StopReason::MemoryLimit { .. } => "memory_limit",
            StopReason::TimeLimit { .. } => "timeout",
            StopReason::Cancelled => "cancelled",
            StopReason::Interrupted => "interrupted",
            StopReason::EndedItself { .. } => "ended_itself",
            StopReason::Told { .. } => "told",
            StopReason::ModelError { .. } => "model_error",
        }
    }
    /// Whether the run went as far as it was asked to.
    pub fn is_complete(&self) -> bool {
        matches!(self, StopReason::HorizonReached)
    }
}

fn repeated(microsteps: usize, period: Option<usize>) -> String {
    match period {
        Some(period) => format!(": after {microsteps} microsteps everything repeats every {period}"),
        None => format!(" after {microsteps} microsteps"),
    }
}

fn shown_signals(changing: &[ChangingSignal]) -> String {
    let mut text = String::new();
    for (place, signal) in changing.iter().take(MOST_SHOWN).enumerate() {
        let mark = if place == 0 { "; changing:" } else { "," };
        let values: Vec<String> = signal.values.iter().map(|v| shown(*v)).collect();
        text += &format!("{mark} {} ({})", signal.name, values.join(", "));
    }
    if changing.len() > MOST_SHOWN {
        text += &format!(", and {} more", changing.len() - MOST_SHOWN);
    }
    text
}

/// The first of a list, and how many more there are.
fn first_of(names: &[String]) -> Vec<String> {
    let mut shown: Vec<String> = names.iter().take(MOST_SHOWN).cloned().collect();
    if names.len() > MOST_SHOWN {
        shown.push(format!("{} more", names.len() - MOST_SHOWN));
    }
    shown
}

/// A value of a signal for people.
fn shown(value: f64) -> String {
    match value.abs() {
        _ if is_absent(value) => "absent".into(),
        size if size.is_nan() => "NaN".into(),
        size if size != 0.0 && !(1e-4..1e15).contains(&size) => format!("{value:.5e}"),
        _ => {
            // Six digits are enough to see what changes.
            let scale = 1e5 / 10_f64.powi(value.abs().max(1e-4).log10().floor() as i32);
            let rounded = (value * scale).round() / scale;
            if value.fract() == 0.0 {
                value.to_string()
            } else {
                rounded.to_string()
            }
        }
    }
}

/// Why and when a run ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    /// Why.
    pub reason: StopReason,
    /// When.
    pub time: SuperdenseTime,
}
