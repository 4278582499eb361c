//! What is exported: a model and its automaton, which must belong together.
//!
//! The n-th contact of the automaton's list is the n-th of [`Model::contacts`]; [`Subject::new`] checks it, so
//! that no law is printed beside the wrong contact.

use dyverse_machine::{ContactId, ContactSet, CountTooHard, FrictionMode, GraphKind, HybridAutomaton};
use dyverse_model::{ContactLaw, EntityId, Load, Model};
use std::error::Error;
use std::fmt;
use std::io;

/// A model and its automaton.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    model: &'a Model,
    automaton: &'a HybridAutomaton,
}

impl<'a> Subject<'a> {
    /// The model together with its automaton.
    ///
    /// # Errors
    /// [`ContactsDiffer`] where the automaton's contact list is not that of the model.
    pub fn new(model: &'a Model, automaton: &'a HybridAutomaton) -> Result<Self, ContactsDiffer> {
        let ours = model.contacts().map(|contact| model.contact_label(&contact));
        let theirs = automaton.contacts().iter().map(|(_, contact)| contact.label());
        if ours.eq(theirs) {
            Ok(Self { model, automaton })
        } else {
            Err(ContactsDiffer {
                model: model.contacts().count(),
                automaton: automaton.contacts().len(),
            })
        }
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &'a Model {
        self.model
    }

    /// Its automaton.
    #[must_use]
    pub fn automaton(&self) -> &'a HybridAutomaton {
        self.automaton
    }

    /// The law of every contact, in the order of the contact list.
    pub(crate) fn laws(&self) -> impl Iterator<Item = &'a ContactLaw> + use<'a> {
        let model = self.model;
        model
            .contacts()
            .map(|contact| model.law(contact.entities.0, contact.entities.1))
    }

    /// The labels of the contacts of a set, ascending.
    pub(crate) fn labels(&self, set: &ContactSet) -> Vec<&'a str> {
        let contacts = self.automaton.contacts();
        set.iter()
            .map(|contact: ContactId| contacts.label(contact))
            .collect()
    }

    /// The applied force and moment on an entity, world frame, each component the sum of its loads as text.
    pub(crate) fn loads(&self, on: EntityId) -> ([String; 3], [String; 3]) {
        let loads: Vec<&Load> = self.model.loads().iter().filter(|load| load.on == on).collect();
        let total = |component: &dyn Fn(&Load, usize) -> String| {
            [0, 1, 2].map(|axis| sum(loads.iter().map(|load| component(load, axis))))
        };
        let force = total(&|load, axis| self.model.text(load.force[axis]));
        (force, total(&|load, axis| self.model.text(load.moment[axis])))
    }
}

/// The sum of terms as text: zeros are left out, a leading minus becomes the sign between.
fn sum(terms: impl Iterator<Item = String>) -> String {
    let terms: Vec<String> = terms.filter(|term| term != "0" && term != "-0").collect();
    if let [only] = terms.as_slice() {
        return only.clone();
    }
    let joined = terms
        .iter()
        .fold(String::new(), |sum, term| match term.strip_prefix('-') {
            _ if term.starts_with("if ") && sum.is_empty() => format!("({term})"),
            _ if term.starts_with("if ") => format!("{sum} + ({term})"),
            _ if sum.is_empty() => term.clone(),
            Some(positive) => format!("{sum} - {positive}"),
            None => format!("{sum} + {term}"),
        });
    if joined.is_empty() { "0".to_owned() } else { joined }
}

/// The graph's kind as the command line spells it.
pub(crate) fn graph_word(kind: GraphKind) -> &'static str {
    match kind {
        GraphKind::Complete => "complete",
        GraphKind::Subset => "subset",
    }
}

/// A friction mode in one word.
pub(crate) fn mode_word(mode: FrictionMode) -> &'static str {
    match mode {
        FrictionMode::Stick => "stick",
        FrictionMode::Trans => "trans",
        FrictionMode::Slip => "slip",
    }
}

/// The contact list of the automaton is not that of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContactsDiffer {
    model: usize,
    automaton: usize,
}

impl fmt::Display for ContactsDiffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { model, automaton } = self;
        write!(
            f,
            "the automaton is not that of the model: the contact lists ({automaton} and {model} contacts) differ"
        )
    }
}

impl Error for ContactsDiffer {}

/// Why an automaton was not written to its end.
#[derive(Debug)]
#[non_exhaustive]
pub enum ExportError {
    /// The bytes could not be written.
    Io(io::Error),
    /// The picture needs a count that takes too long.
    Count(CountTooHard),
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "cannot write the automaton: {error}"),
            Self::Count(error) => write!(f, "cannot draw the automaton: {error}"),
        }
    }
}

impl Error for ExportError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Count(error) => Some(error),
        }
    }
}

impl From<io::Error> for ExportError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<CountTooHard> for ExportError {
    fn from(error: CountTooHard) -> Self {
        Self::Count(error)
    }
}

#[cfg(test)]
mod tests {
    use super::sum;

    #[test]
    fn sums_are_written_with_their_signs() {
        let check = |terms: &[&str], expected: &str| {
            assert_eq!(sum(terms.iter().map(|term| (*term).to_owned())), expected);
        };
        check(&["0", "-g * m", "0", "u1"], "-g * m + u1");
        check(&["u1", "-g * m"], "u1 - g * m");
        check(&["if a < 0 then 1 else 2"], "if a < 0 then 1 else 2");
        check(&["if a < 0 then 1 else 2", "1"], "(if a < 0 then 1 else 2) + 1");
        check(&["1", "if a < 0 then 1 else 2"], "1 + (if a < 0 then 1 else 2)");
        check(&[], "0");
    }
}
