//! Why a run ended: a result, never only a line in a log.

use crate::superdense::shown_number;
use crate::{SuperdenseTime, is_absent};
use std::fmt;

/// Changing signals that a message names; the data has all of them.
const MOST_SHOWN: usize = 8;

/// Why a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum StopReason {
    /// The run reached its horizon.
    HorizonReached,
    /// More events than allowed: transitions, jumps, crossings, located switches, ticks of clocks.
    EventLimit {
        /// How many are allowed.
        limit: usize,
    },
    /// Discrete transitions went on at one instant without end.
    MicrostepLimit {
        /// How many are allowed at one instant.
        limit: usize,
        /// What kept changing.
        changing: Vec<String>,
    },
    /// Signals of an actor model keep changing at one instant: chattering Zeno [004 §3.2].
    Chattering {
        /// Microsteps made at the instant.
        microsteps: usize,
        /// After how many microsteps everything repeats; `None`: it does not, and the limit was reached.
        period: Option<usize>,
        /// What keeps changing.
        changing: Vec<ChangingSignal>,
    },
    /// Events accumulate: their distances fall geometrically, and infinitely many come before `limit`.
    ZenoSuspected {
        /// Where they accumulate, s.
        limit: f64,
        /// Ratio of successive distances.
        ratio: f64,
        /// Which events.
        events: Vec<String>,
    },
    /// No friction mode fits a contact: it can neither stay nor open.
    NoFittingMode {
        /// The contacts.
        contacts: Vec<String>,
        /// The numbers compared.
        detail: String,
    },
    /// The contact forces were not found.
    ForcesNotFound {
        /// The contacts.
        contacts: Vec<String>,
        /// What the solver said.
        detail: String,
    },
    /// Switches of loads turn without end at one moment, and no motion along their surfaces goes on.
    Switching {
        /// The decisions that turn, as they are written.
        switches: Vec<String>,
        /// What was tried.
        detail: String,
    },
    /// A crossing could not be isolated.
    CrossingNotIsolated {
        /// Of what.
        of: String,
    },
    /// A state or a force is no finite number.
    NotFinite {
        /// Which.
        what: String,
    },
    /// The solver's step became too small.
    StepTooSmall {
        /// Its size, s.
        step: f64,
    },
    /// Switches turn each other back: the motion would go along the surface on which they turn, and there time passes only by roundings.
    Sliding {
        /// What switches.
        switches: Vec<String>,
        /// How often it switched in a row.
        events: usize,
        /// In how little time, s.
        within: f64,
    },
    /// The trace needs more memory than allowed.
    MemoryLimit {
        /// How much is allowed, bytes.
        bytes: usize,
    },
    /// It took more time than allowed.
    TimeLimit {
        /// How much is allowed, s.
        seconds: f64,
    },
    /// Whoever watched the run ended it.
    Cancelled,
    /// A signal ended the program; this is the run so far.
    Interrupted,
    /// A component that has an end of its own reached it: an FMU asked for the end of the simulation.
    EndedItself {
        /// Which.
        component: String,
    },
    /// What a table says about the end of its run: it has the words, and not what they were made of.
    Told {
        /// The words.
        text: String,
    },
    /// A mistake of the model that only shows while it runs: two transitions at once, a causality loop, a component that fails.
    ModelError {
        /// What is wrong, and when.
        detail: String,
    },
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

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StopReason::HorizonReached => write!(f, "the horizon was reached"),
            StopReason::EventLimit { limit } => write!(f, "more than {limit} events"),
            StopReason::MicrostepLimit { limit, changing } => {
                write!(
                    f,
                    "more than {limit} transitions at one instant; changing: {}",
                    changing.join(", ")
                )
            }
            StopReason::Chattering {
                microsteps,
                period,
                changing,
            } => {
                match period {
                    Some(period) => write!(
                        f,
                        "no final value at one instant: after {microsteps} microsteps everything repeats every {period}"
                    )?,
                    None => write!(f, "no final value at one instant after {microsteps} microsteps")?,
                }
                for (place, signal) in changing.iter().take(MOST_SHOWN).enumerate() {
                    let mark = if place == 0 { "; changing:" } else { "," };
                    let values: Vec<String> = signal.values.iter().map(|v| shown(*v)).collect();
                    write!(f, "{mark} {} ({})", signal.name, values.join(", "))?;
                }
                if changing.len() > MOST_SHOWN {
                    write!(f, ", and {} more", changing.len() - MOST_SHOWN)?;
                }
                Ok(())
            }
            StopReason::ZenoSuspected { limit, ratio, events } => write!(
                f,
                "infinitely many events before t = {}: the distances of {} fall by {}",
                shown_number(*limit),
                events.join(", "),
                shown_number(*ratio)
            ),
            StopReason::NoFittingMode { contacts, detail } => {
                write!(f, "no friction mode fits {}: {detail}", contacts.join(", "))
            }
            StopReason::ForcesNotFound { contacts, detail } => {
                write!(f, "contact forces not found at {}: {detail}", contacts.join(", "))
            }
            StopReason::Switching { switches, detail } => {
                write!(
                    f,
                    "loads switch against each other at {}: {detail}",
                    switches.join(", ")
                )
            }
            StopReason::CrossingNotIsolated { of } => write!(f, "a crossing of {of} could not be isolated"),
            StopReason::NotFinite { what } => write!(f, "{what} is no finite number"),
            StopReason::StepTooSmall { step } => write!(f, "the solver's step became too small ({step:e} s)"),
            StopReason::Sliding {
                switches,
                events,
                within,
            } => write!(
                f,
                "{} switch to and fro, {events} times within {within:.1e} s: the motion would slide along where they switch",
                first_of(switches).join(" and ")
            ),
            StopReason::MemoryLimit { bytes } => {
                write!(f, "the trace needs more than {} GB", *bytes as f64 / 1e9)
            }
            StopReason::TimeLimit { seconds } => write!(f, "it took more than {seconds} s"),
            StopReason::Cancelled => write!(f, "it was cancelled"),
            StopReason::Interrupted => write!(f, "it was interrupted"),
            StopReason::EndedItself { component } => {
                write!(f, "`{component}` asks for the end of the simulation")
            }
            StopReason::Told { text } => f.write_str(text),
            StopReason::ModelError { detail } => f.write_str(detail),
        }
    }
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
