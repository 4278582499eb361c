//! Stable codes of diagnostics. A code never changes its meaning; its letter names the room:
//! S syntax, L lowering (names, types, ranges), M mechanics, A actors, G generation.

use crate::catalogue::CATALOGUE;
use std::fmt;

/// In which way a model is ill-posed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// The text is not in the language.
    Malformed,
    /// Something is said twice, or in two ways that cannot both be meant.
    Overspecified,
    /// Something needed is missing.
    Underspecified,
    /// What is said cannot be true together.
    Inconsistent,
    /// What is said has more than one reading.
    Ambiguous,
    /// The language has it, this version cannot do it; or it is too big.
    Unsupported,
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Family::Malformed => "malformed",
            Family::Overspecified => "overspecified",
            Family::Underspecified => "underspecified",
            Family::Inconsistent => "inconsistent",
            Family::Ambiguous => "ambiguous",
            Family::Unsupported => "unsupported",
        })
    }
}

/// A stable code with its title and the long form that `dyverse explain` prints.
#[derive(Debug)]
pub(crate) struct CodeEntry {
    /// The code itself, such as `L004`.
    pub(crate) id: &'static str,
    pub(crate) family: Family,
    pub(crate) title: &'static str,
    pub(crate) explanation: &'static str,
}

/// A code of the catalogue.
#[derive(Clone, Copy)]
pub struct Code(pub(crate) &'static CodeEntry);

impl Code {
    /// The code itself, such as `L004`.
    pub fn id(self) -> &'static str {
        self.0.id
    }
    /// In which way the model is ill-posed.
    pub fn family(self) -> Family {
        self.0.family
    }
    /// One line saying what the code means.
    pub fn title(self) -> &'static str {
        self.0.title
    }
    /// The long form: why it is a mistake, an example, the ways out.
    pub fn explanation(self) -> &'static str {
        self.0.explanation
    }
}

impl PartialEq for Code {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id()
    }
}
impl Eq for Code {}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// Finds a code by its name, whatever the case of its letter.
pub fn find_code(id: &str) -> Option<Code> {
    CATALOGUE
        .iter()
        .copied()
        .find(|code| code.id().eq_ignore_ascii_case(id))
}
