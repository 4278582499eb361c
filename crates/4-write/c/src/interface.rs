//! The interface that every exported model has, and the files around it.
//!
//! | function | what it does |
//! |---|---|
//! | `NAME_init` | everything as in the model file |
//! | `NAME_set` | a parameter or initial value, before the first step; an input, at any time |
//! | `NAME_step` | to a time, executing all events before it |
//! | `NAME_step_to_event` | the same, but returns at every discrete transition |
//! | `NAME_get` | a variable |
//! | `NAME_time`, `NAME_microstep`, `NAME_location`, `NAME_message` | where the model is |
//! | `NAME_find`, `NAME_name`, `NAME_unit`, `NAME_kind` | the table of variables |
//!
//! Runtime texts call the model `MODEL`; [`Interface::named`] puts its name there. All else in the source is static, so that two models link together.

use crate::names::{Identifiers, model_name};
use crate::text::{CText, comment, number, quoted};

/// The model's name in runtime texts.
const PLACE: &str = "MODEL";

/// Endings of external names: variables keep away from them.
const RESERVED: &[&str] = &[
    "init",
    "horizon",
    "set",
    "get",
    "step",
    "step_to_event",
    "time",
    "microstep",
    "location",
    "message",
    "find",
    "name",
    "unit",
    "kind",
    "VARIABLES",
    "status",
    "variable",
];

/// Something that a call answers: a name, the number, what it means.
pub(crate) type Status = (&'static str, i32, &'static str);

/// What a call answers, in the order of the enumeration: a name, the number, what it means.
const STATUSES: &[Status] = &[
    ("OK", 0, "the time asked for is reached"),
    ("EVENT", 1, "a discrete transition was taken; call again"),
    (
        "BAD_ARGUMENT",
        -1,
        "no such variable, not allowed now, or not finite",
    ),
    (
        "BAD_NUMBER",
        -2,
        "with these parameters a mass, size or law is out of range",
    ),
    (
        "OVERLAP",
        -3,
        "with these parameters surfaces overlap at the start",
    ),
    ("NOT_FINITE", -4, "a state or force is infinite or not a number"),
    ("STEP_TOO_SMALL", -5, "no step is short enough for the accuracy"),
    (
        "CROSSING_NOT_ISOLATED",
        -6,
        "whether a guard is crossed could not be decided",
    ),
    ("FORCES_NOT_FOUND", -7, "no contact forces or impulses were found"),
    ("NO_FITTING_MODE", -8, "no mode of a closed contact fits"),
    ("MICROSTEP_LIMIT", -9, "too many transitions at one instant"),
    (
        "TOO_MANY_CLOSED",
        -10,
        "more contacts are closed than the source was compiled for",
    ),
    (
        "NOT_CONSTRUCTIVE",
        -11,
        "a causality loop leaves a signal unknown",
    ),
];

/// An exported model: the texts of its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CFiles {
    /// The C identifier that begins all external names, and the names of the files.
    pub name: String,
    /// `NAME.h`: the interface.
    pub header: String,
    /// `NAME.c`: the model. Needs the header and the standard library only.
    pub source: String,
    /// `NAME_main.c`: a program that runs it.
    pub main: String,
    /// `Makefile`: builds the program.
    pub makefile: String,
}

impl CFiles {
    /// Names and texts of all files.
    #[must_use]
    pub fn files(&self) -> [(String, &str); 4] {
        let name = &self.name;
        [
            (format!("{name}.h"), &self.header),
            (format!("{name}.c"), &self.source),
            (format!("{name}_main.c"), &self.main),
            ("Makefile".into(), &self.makefile),
        ]
    }
}

/// What a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VariableKind {
    Parameter,
    State,
    Input,
    #[allow(dead_code, reason = "for actor models")]
    Output,
}

impl VariableKind {
    const ALL: [VariableKind; 4] = [
        VariableKind::Parameter,
        VariableKind::State,
        VariableKind::Input,
        VariableKind::Output,
    ];

    fn word(self) -> &'static str {
        match self {
            VariableKind::Parameter => "PARAMETER",
            VariableKind::State => "STATE",
            VariableKind::Input => "INPUT",
            VariableKind::Output => "OUTPUT",
        }
    }

    fn meaning(self) -> &'static str {
        match self {
            VariableKind::Parameter => "can be set before the first step",
            VariableKind::State => "can be set before the first step: its initial value",
            VariableKind::Input => {
                "can be set at any time, and stays so; before that it is as the model says"
            }
            VariableKind::Output => "can only be read",
        }
    }
}

/// A variable of the interface.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    /// As in the model, such as `ball.x`.
    pub(crate) name: String,
    pub(crate) unit: String,
    pub(crate) kind: VariableKind,
}

/// A number that the header defines: an ending, its value, what it is.
pub(crate) struct Size {
    pub(crate) name: &'static str,
    pub(crate) value: String,
    pub(crate) what: &'static str,
    /// Whether the user may define another when compiling.
    pub(crate) may_change: bool,
}

/// What a model's files are made of.
pub(crate) struct Interface {
    name: String,
    /// The first line of the header.
    pub(crate) title: String,
    pub(crate) variables: Vec<Variable>,
    pub(crate) horizon: Option<f64>,
    pub(crate) sizes: Vec<Size>,
    /// Types of the runtime, in order.
    pub(crate) types: Vec<&'static str>,
    /// Fields of the model's struct beside those that every model has.
    pub(crate) fields: &'static str,
    /// What calls of this kind of model answer besides.
    pub(crate) more_statuses: &'static [Status],
}

impl Interface {
    /// For a model of this name in a source made of these texts.
    pub(crate) fn new(name: &str, runtime: &[&str]) -> Self {
        Interface {
            name: model_name(name, runtime),
            title: String::new(),
            variables: Vec::new(),
            horizon: None,
            sizes: Vec::new(),
            types: Vec::new(),
            fields: "",
            more_statuses: &[],
        }
    }

    /// The model's identifier.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// A runtime text with the model's name in it.
    pub(crate) fn named(&self, runtime: &str) -> String {
        runtime.replace(PLACE, &self.name)
    }

    /// All files; `parts` are the texts of the source after the common part, in order.
    pub(crate) fn files(&self, parts: &[String]) -> CFiles {
        CFiles {
            name: self.name.clone(),
            header: self.header(),
            source: self.source(parts),
            main: self.named(include_str!("runtime/main.c")),
            makefile: self.named(include_str!("runtime/Makefile.in")),
        }
    }

    fn header(&self) -> String {
        let guard = format!("{}_H", self.name.to_ascii_uppercase());
        let mut out = CText::new();
        out.line(format!("/* {} */", comment(&self.title)));
        out.line(format!("#ifndef {guard}"));
        out.line(format!("#define {guard}"));
        out.line("");
        out.line("#ifdef __cplusplus");
        out.line("extern \"C\" {");
        out.line("#endif");
        out.line("");
        self.enumerations(&mut out);
        self.sizes(&mut out);
        for types in &self.types {
            out.raw(&self.named(types));
            out.line("");
        }
        out.raw(
            &self
                .named(include_str!("runtime/model.h"))
                .replace("FIELDS\n", &self.named(self.fields)),
        );
        out.line("");
        out.line("#ifdef __cplusplus");
        out.line("}");
        out.line("#endif");
        out.line("");
        out.line("#endif");
        out.finish()
    }

    fn enumerations(&self, out: &mut CText) {
        let name = &self.name;
        out.line("/** What a call answers; below zero the model cannot go on, and its message says why. */");
        out.open(format!("enum {name}_status {{"));
        let count = STATUSES.len() + self.more_statuses.len();
        for (number, (word, value, meaning)) in STATUSES.iter().chain(self.more_statuses).enumerate() {
            let end = if number + 1 < count { "," } else { "" };
            out.line(format!("{name}_{word} = {value}{end} /**< {meaning} */"));
        }
        out.close("};");
        out.line("");
        out.line("/** What a variable is. */");
        out.open(format!("enum {name}_kind {{"));
        for (number, kind) in VariableKind::ALL.into_iter().enumerate() {
            let end = if number + 1 < VariableKind::ALL.len() {
                ","
            } else {
                ""
            };
            out.line(format!("{name}_{}{end} /**< {} */", kind.word(), kind.meaning()));
        }
        out.close("};");
        out.line("");
        out.line("/** The variables. */");
        out.open(format!("enum {name}_variable {{"));
        for (identifier, variable) in self.identifiers().iter().zip(&self.variables) {
            let unit = if variable.unit.is_empty() {
                String::new()
            } else {
                format!(", {}", variable.unit)
            };
            let text = comment(&format!("{}{unit}", variable.name));
            out.line(format!("{name}_{identifier}, /**< {text} */"));
        }
        out.line(format!("{name}_VARIABLES /**< how many there are */"));
        out.close("};");
        out.line("");
    }

    fn identifiers(&self) -> Vec<String> {
        let words = STATUSES.iter().chain(self.more_statuses).map(|(word, ..)| *word);
        let kinds = VariableKind::ALL.map(VariableKind::word);
        let sizes = self.sizes.iter().map(|size| size.name);
        let types = ["dense", "flow", "piece", "task", "search"];
        let all: Vec<&str> = RESERVED
            .iter()
            .copied()
            .chain(words)
            .chain(kinds)
            .chain(sizes)
            .chain(types)
            .collect();
        let mut identifiers = Identifiers::without(&all);
        // Types of the runtime begin with the model's name too.
        let in_types = self
            .types
            .iter()
            .flat_map(|text| text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
        for word in in_types.filter_map(|word| word.strip_prefix("MODEL_")) {
            identifiers.reserve(word);
        }
        self.variables
            .iter()
            .map(|variable| identifiers.take(&variable.name))
            .collect()
    }

    fn sizes(&self, out: &mut CText) {
        for size in &self.sizes {
            let define = format!("#define {}_{} {}", self.name, size.name, size.value);
            out.line(format!("/* {} */", size.what));
            if size.may_change {
                out.line(format!("#ifndef {}_{}", self.name, size.name));
                out.line(define);
                out.line("#endif");
            } else {
                out.line(define);
            }
        }
        out.line("");
    }

    fn source(&self, parts: &[String]) -> String {
        let mut out = CText::new();
        out.line(format!("/* {} */", comment(&self.title)));
        out.line(format!("#include \"{}.h\"", self.name));
        out.line("");
        for header in ["float", "math", "stdarg", "stddef", "stdio", "string"] {
            out.line(format!("#include <{header}.h>"));
        }
        out.line("");
        out.line("#ifdef __FAST_MATH__");
        out.line("#error \"compile without -ffast-math: rounding errors are kept, and NaN means no value\"");
        out.line("#endif");
        out.line("");
        self.tables(&mut out);
        out.raw(&self.named(include_str!("runtime/model.c")));
        for part in parts {
            out.line("");
            out.raw(part);
        }
        out.finish()
    }

    fn tables(&self, out: &mut CText) {
        let name = &self.name;
        let strings = |out: &mut CText, what: &str, text: &mut dyn Iterator<Item = String>| {
            // One more: a model may have no variables, and C no empty array.
            let all = text.chain(std::iter::once("\"\"".into()));
            out.table(&format!("static const char *const {what}[]"), all);
        };
        strings(out, "NAMES", &mut self.variables.iter().map(|v| quoted(&v.name)));
        strings(out, "UNITS", &mut self.variables.iter().map(|v| quoted(&v.unit)));
        let kinds = self.variables.iter().map(|v| format!("{name}_{}", v.kind.word()));
        out.table(
            "static const int KINDS[]",
            kinds.chain(std::iter::once("0".into())),
        );
        out.line("/* Until when the model is meant to run; -1 if it does not say. */");
        out.line(format!(
            "static const double HORIZON = {};",
            self.horizon.map_or("-1.0".into(), number)
        ));
        out.line("");
    }
}
