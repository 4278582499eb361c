//! Why a run ended: a result, never only a line in a log.

use crate::SuperdenseTime;
use std::fmt;

/// Why a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum StopReason {
    /// The run reached its horizon.
    HorizonReached,
    /// More discrete transitions than allowed.
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
    /// Whoever watched the run ended it.
    Cancelled,
}

impl StopReason {
    /// A stable word for programs.
    pub fn word(&self) -> &'static str {
        match self {
            StopReason::HorizonReached => "horizon",
            StopReason::EventLimit { .. } => "event_limit",
            StopReason::MicrostepLimit { .. } => "microstep_limit",
            StopReason::NoFittingMode { .. } => "no_fitting_mode",
            StopReason::ForcesNotFound { .. } => "forces_not_found",
            StopReason::CrossingNotIsolated { .. } => "crossing_not_isolated",
            StopReason::NotFinite { .. } => "not_finite",
            StopReason::StepTooSmall { .. } => "step_too_small",
            StopReason::Cancelled => "cancelled",
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
            StopReason::EventLimit { limit } => write!(f, "more than {limit} discrete transitions"),
            StopReason::MicrostepLimit { limit, changing } => {
                write!(
                    f,
                    "more than {limit} transitions at one instant; changing: {}",
                    changing.join(", ")
                )
            }
            StopReason::NoFittingMode { contacts, detail } => {
                write!(f, "no friction mode fits {}: {detail}", contacts.join(", "))
            }
            StopReason::ForcesNotFound { contacts, detail } => {
                write!(f, "contact forces not found at {}: {detail}", contacts.join(", "))
            }
            StopReason::CrossingNotIsolated { of } => write!(f, "a crossing of {of} could not be isolated"),
            StopReason::NotFinite { what } => write!(f, "{what} is no finite number"),
            StopReason::StepTooSmall { step } => write!(f, "the solver's step became too small ({step:e} s)"),
            StopReason::Cancelled => write!(f, "it was cancelled"),
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
