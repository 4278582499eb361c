//! One file a command.

pub(crate) mod automaton;
pub(crate) mod check;
pub(crate) mod demo;
pub(crate) mod examples;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod fmt;
pub(crate) mod new;
pub(crate) mod progress;
pub(crate) mod replay;
pub(crate) mod simulate;
pub(crate) mod studio;
pub(crate) mod view;
