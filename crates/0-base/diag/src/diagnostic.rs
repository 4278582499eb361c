//! One finding about a model.

use crate::{Code, Origin, closest};

/// How bad it is. Errors stop the flow; warnings do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The model has no meaning, or not the one written.
    Error,
    /// The model has a meaning, which may not be the one intended.
    Warning,
}

/// A marked range of source with a few words on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// What is marked.
    pub origin: Origin,
    /// The words beside the marks; may be empty.
    pub text: String,
}

/// One finding: what, where, the numbers compared, and a way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    code: Code,
    severity: Severity,
    message: String,
    primary: Label,
    secondary: Vec<Label>,
    notes: Vec<String>,
    help: Option<String>,
}

impl Diagnostic {
    /// An error at `origin`.
    pub fn error(code: Code, origin: Origin, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Error, origin, message.into())
    }
    /// A warning at `origin`.
    pub fn warning(code: Code, origin: Origin, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Warning, origin, message.into())
    }
    fn new(code: Code, severity: Severity, origin: Origin, message: String) -> Self {
        let primary = Label {
            origin,
            text: String::new(),
        };
        Diagnostic {
            code,
            severity,
            message,
            primary,
            secondary: Vec::new(),
            notes: Vec::new(),
            help: None,
        }
    }
    /// Words beside the marks under the primary position.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }
    /// Marks a second place.
    #[must_use]
    pub fn also(mut self, origin: Origin, text: impl Into<String>) -> Self {
        self.secondary.push(Label {
            origin,
            text: text.into(),
        });
        self
    }
    /// Adds a line of facts: numbers compared, what was not assumed.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }
    /// Says a way out.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Says the known name that is spelt most alike; `otherwise` if none is near.
    #[must_use]
    pub fn near<'a>(
        self,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
        otherwise: impl Into<String>,
    ) -> Self {
        match closest(name, known) {
            Some(near) => self.help(format!("did you mean `{near}`?")),
            None => self.help(otherwise),
        }
    }

    /// The stable code.
    pub fn code(&self) -> Code {
        self.code
    }
    /// Error or warning.
    pub fn severity(&self) -> Severity {
        self.severity
    }
    /// Whether the model must be refused.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
    /// What is wrong, in one line.
    pub fn message(&self) -> &str {
        &self.message
    }
    /// Where.
    pub fn primary(&self) -> &Label {
        &self.primary
    }
    /// Other places that matter.
    pub fn secondary(&self) -> &[Label] {
        &self.secondary
    }
    /// Facts.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }
    /// A way out.
    pub fn way_out(&self) -> Option<&str> {
        self.help.as_deref()
    }
}

/// A finding in few words: `finding!(L070 at origin, "`{name}` is named twice"; label "named again"; also first, "first named here"; note "…"; help "…")`;
/// or, in place of `help`, `near &name, known_names, "…"`. A text is a format with its arguments, or one expression. `finding!(warning …)` is a warning.
#[macro_export]
macro_rules! finding {
    (@parts $finding:expr;) => { $finding };
    (@parts $finding:expr; also $origin:expr, $text:literal $(, $argument:expr)* $(; $($rest:tt)*)?) => {
        $crate::finding!(@parts $finding.also($origin, ::std::format!($text $(, $argument)*)); $($($rest)*)?)
    };
    (@parts $finding:expr; also $origin:expr, $text:expr $(; $($rest:tt)*)?) => {
        $crate::finding!(@parts $finding.also($origin, $text); $($($rest)*)?)
    };
    (@parts $finding:expr; near $name:expr, $known:expr, $text:literal $(, $argument:expr)* $(; $($rest:tt)*)?) => {
        $crate::finding!(@parts $finding.near($name, $known, ::std::format!($text $(, $argument)*)); $($($rest)*)?)
    };
    (@parts $finding:expr; near $name:expr, $known:expr, $text:expr $(; $($rest:tt)*)?) => {
        $crate::finding!(@parts $finding.near($name, $known, $text); $($($rest)*)?)
    };
    (@parts $finding:expr; $part:ident $text:literal $(, $argument:expr)* $(; $($rest:tt)*)?) => {
        $crate::finding!(@parts $finding.$part(::std::format!($text $(, $argument)*)); $($($rest)*)?)
    };
    (@parts $finding:expr; $part:ident $text:expr $(; $($rest:tt)*)?) => {
        $crate::finding!(@parts $finding.$part($text); $($($rest)*)?)
    };
    (@new $new:ident $code:ident $origin:expr, $text:literal $(, $argument:expr)* $(; $($rest:tt)*)?) => {
        $crate::finding!(@parts $crate::Diagnostic::$new($crate::codes::$code, $origin, ::std::format!($text $(, $argument)*)); $($($rest)*)?)
    };
    (@new $new:ident $code:ident $origin:expr, $text:expr $(; $($rest:tt)*)?) => {
        $crate::finding!(@parts $crate::Diagnostic::$new($crate::codes::$code, $origin, $text); $($($rest)*)?)
    };
    (warning $code:ident at $($rest:tt)+) => { $crate::finding!(@new warning $code $($rest)+) };
    ($code:ident at $($rest:tt)+) => { $crate::finding!(@new error $code $($rest)+) };
}

/// Reports a finding, written as for [`finding!`], to whoever collects them: `report!(self.context, L070 at origin, …)`.
#[macro_export]
macro_rules! report {
    ($to:expr, $($finding:tt)+) => { $to.report($crate::finding!($($finding)+)) };
}
