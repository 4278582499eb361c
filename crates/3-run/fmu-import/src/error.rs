//! Why an FMU cannot be used.

use std::fmt;

/// Why an FMU cannot be used, told in a format with its arguments, and a way out: `refused!("no library {name}"; help "…")`.
macro_rules! refused {
    ($text:literal $(, $argument:expr)* $(,)? $(; help $help:literal $(, $other:expr)* $(,)?)?) => {
        $crate::ImportError::new(format!($text $(, $argument)*))$(.with_help(format!($help $(, $other)*)))?
    };
}

/// Why an FMU cannot be used, as text for people, with a way out if there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportError {
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl ImportError {
    /// Without a way out.
    pub fn new(message: impl Into<String>) -> Self {
        ImportError {
            message: message.into(),
            help: None,
        }
    }

    /// With a way out.
    pub fn with_help(self, help: impl Into<String>) -> Self {
        ImportError {
            help: Some(help.into()),
            ..self
        }
    }
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ImportError {}

impl From<String> for ImportError {
    fn from(message: String) -> Self {
        ImportError::new(message)
    }
}
