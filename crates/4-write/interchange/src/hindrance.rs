//! What is in the way of a file, for people.

use dyverse_diag::Origin;
use dyverse_formulas::Obstacle;
use std::fmt;

/// Why a model has no file of a format: the construct, where it is written if that is known, and a way out.
#[derive(Clone, Debug, PartialEq)]
pub struct Hindrance {
    /// The construct in the way, in the model's words.
    pub what: String,
    /// Where it is written.
    pub origin: Option<Origin>,
    /// A way out.
    pub help: Option<String>,
    /// Parameters with ranges that it would not be in the way without.
    pub parameters: Vec<String>,
}

impl Hindrance {
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Hindrance {
            what: what.into(),
            origin: None,
            help: None,
            parameters: Vec::new(),
        }
    }
    pub(crate) fn with_help(self, help: impl Into<String>) -> Self {
        Hindrance {
            help: Some(help.into()),
            ..self
        }
    }
    pub(crate) fn at(self, origin: Option<Origin>) -> Self {
        Hindrance { origin, ..self }
    }
    /// Says in which location it is.
    pub(crate) fn within(self, location: &str) -> Self {
        Hindrance {
            what: format!("in location `{location}`: {}", self.what),
            ..self
        }
    }
    pub(crate) fn locations(most: usize) -> Self {
        Self::new(format!("the automaton has more than {most} locations"))
            .with_help("raise the limit, or leave entities and modes out that the property does not need")
    }
    pub(crate) fn too_large(place: &str, work: u64) -> Self {
        Self::new(format!(
            "the formulas at `{place}` are too large: {work} terms were looked at to tell which edges are possible"
        ))
        .with_help("several contacts that close together in more than one dimension have large formulas; entities along one line, or fewer of them, have small ones")
    }
    pub(crate) fn no_closed_form(label: &str) -> Self {
        Self::new(format!(
            "{label}: its impulses have no closed form (friction at contacts that act on each other), and neither format takes equations in a jump"
        ))
        .with_help("without friction, or with `impacts sequential first`, they have one")
    }
}

impl From<Obstacle> for Hindrance {
    fn from(obstacle: Obstacle) -> Self {
        Self::new(obstacle.what)
    }
}

impl fmt::Display for Hindrance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        match &self.help {
            Some(help) => write!(f, "\n  help: {help}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Hindrance {}
