//! What a checker says of a proof.

use std::fmt;

/// A proof was followed to all its ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accepted {
    /// Boxes of unknowns.
    pub boxes: usize,
    /// Stays in locations, and nodes.
    pub stays: usize,
    /// Steps of the checker's own integration.
    pub steps: usize,
    /// Ways that the proof goes and the checker finds impossible.
    pub needless_ways: usize,
}

impl Accepted {
    pub(crate) fn add(&mut self, other: &Accepted) {
        self.boxes += other.boxes;
        self.stays += other.stays;
        self.steps += other.steps;
        self.needless_ways += other.needless_ways;
    }
}

/// A proof is not accepted: where, and why. The property may hold all the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Rejected {
    /// The box, then the places gone through.
    pub at: String,
    /// Why.
    pub why: Why,
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.why)
    }
}

impl std::error::Error for Rejected {}

/// Why a proof is not accepted.
#[derive(Clone, Debug, PartialEq)]
pub enum Why {
    /// It is a proof of something else.
    OtherQuestion {
        /// What differs.
        what: &'static str,
        /// In the proof.
        claimed: String,
        /// In the question.
        asked: String,
    },
    /// The boxes are no tiling of the whole box.
    Cover(String),
    /// It is somewhere else.
    OtherPlace {
        /// In the proof.
        claimed: String,
        /// Found.
        found: String,
    },
    /// The tree has another form than a system can have there.
    Form(&'static str),
    /// A bound is not where it is claimed to be.
    Bound {
        /// Of what.
        what: String,
        /// In the proof.
        claimed: (f64, f64),
        /// Found.
        found: (f64, f64),
        /// Whether the claim is too wide; else it is too narrow.
        is_too_wide: bool,
    },
    /// The property is not shown.
    Property {
        /// From about this time on, s.
        time: f64,
    },
    /// An event may happen that is not claimed.
    Unclaimed {
        /// Which.
        event: String,
        /// At about this time, s.
        time: f64,
    },
    /// A claimed event is not shown to happen as claimed.
    NotMet {
        /// Which.
        event: String,
        /// What is in the way.
        what: String,
    },
    /// An event that the location does not have.
    NoEvent(String),
    /// A way to go on that is not claimed.
    NoWay(String),
    /// The motion could not be enclosed.
    Enclosure {
        /// Why.
        what: String,
        /// At about this time, s.
        time: f64,
    },
    /// Something has no formulas.
    Obstacle(String),
    /// More than this checker follows.
    Limit(&'static str),
    /// Whoever asked ended it.
    TimeOver,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::OtherQuestion { what, claimed, asked } => {
                write!(
                    f,
                    "the {what} is {claimed} in the proof, and {asked} in the question"
                )
            }
            Why::Cover(what) => f.write_str(what),
            Why::OtherPlace { claimed, found } => {
                write!(f, "the proof is in [{claimed}], the system in [{found}]")
            }
            Why::Form(what) => f.write_str(what),
            Why::Bound {
                what,
                claimed,
                found,
                is_too_wide,
            } => {
                let how = if *is_too_wide {
                    "wider than it need be"
                } else {
                    "too narrow"
                };
                write!(
                    f,
                    "the claim of {what}, [{:?}, {:?}], is {how}: [{:?}, {:?}] was found",
                    claimed.0, claimed.1, found.0, found.1
                )
            }
            Why::Property { time } => {
                write!(f, "the property is not shown to hold from about {time:.6} s on")
            }
            Why::Unclaimed { event, time } => {
                write!(f, "{event} may happen at about {time:.6} s, and is not claimed")
            }
            Why::NotMet { event, what } => {
                write!(f, "{event} is not shown to happen as claimed: {what}")
            }
            Why::NoEvent(event) => write!(f, "there is no event `{event}` there"),
            Why::NoWay(label) => write!(f, "the way `{label}` is possible, and is not claimed"),
            Why::Enclosure { what, time } => {
                write!(f, "the motion could not be enclosed from {time:.6} s on: {what}")
            }
            Why::Obstacle(what) => f.write_str(what),
            Why::Limit(what) => f.write_str(what),
            Why::TimeOver => f.write_str("its time was over before it was judged"),
        }
    }
}
