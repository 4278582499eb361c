//! Where an actor model is: the modes, and what has not begun.
//!
//! A modal model that is not active counts only if its mode is remembered: if something around it can become active again without beginning anew
//! (a transition with `history`, or an enabled region).

use std::fmt;

/// A location of an actor model: the mode of every active modal model, and of those whose mode is remembered.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ActorLocation {
    /// The mode of each modal model; `None`: not active, and it will begin anew.
    pub(crate) modes: Vec<Option<u32>>,
    /// States that have no value yet, by their places, ascending.
    pub(crate) fresh: Vec<u32>,
    /// In words; follows from the rest.
    pub(crate) label: String,
}

impl fmt::Display for ActorLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.label)
    }
}

impl fmt::Debug for ActorLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.label)
    }
}
