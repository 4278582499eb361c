//! The two languages that share lexer, expressions and recovery: which words mean something in which.

/// A language of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// Rigid-body models, `.drbt`.
    Bodies,
    /// Actor models, `.dam`.
    Actors,
}

impl Dialect {
    /// The language of a file, by the ending of its name.
    pub(crate) fn of_file(name: &str) -> Self {
        if name.ends_with(".dam") {
            Dialect::Actors
        } else {
            Dialect::Bodies
        }
    }

    /// Words that begin an item, or a statement of an actor.
    pub(crate) fn item_words(self) -> &'static [&'static str] {
        match self {
            Dialect::Bodies => BODY_ITEMS,
            Dialect::Actors => ACTOR_ITEMS,
        }
    }

    /// Whether a word cannot be a name, because it begins an item or has a meaning inside expressions.
    pub(crate) fn is_word(self, text: &str) -> bool {
        let own = match self {
            Dialect::Bodies => BODY_RESERVED,
            Dialect::Actors => ACTOR_RESERVED,
        };
        [EXPRESSION_WORDS, own, self.item_words()]
            .iter()
            .any(|words| words.contains(&text))
    }

    /// Words of items that stand in a file, never in the body of an actor.
    pub(crate) fn file_words(self) -> &'static [&'static str] {
        match self {
            Dialect::Bodies => BODY_ITEMS,
            Dialect::Actors => FILE_ITEMS,
        }
    }

    /// The other language's word for an item, with what to say about it.
    pub(crate) fn stranger(self, word: &str) -> Option<&'static str> {
        match self {
            Dialect::Bodies
                if ["actor", "modal", "mode", "when", "mechanism", "fmu", "model"].contains(&word) =>
            {
                Some("that is an item of actor models; their files end in `.dam`")
            }
            Dialect::Actors if word == "system" => Some("an actor model begins with `model NAME`"),
            Dialect::Actors if BODY_ITEMS.contains(&word) => {
                Some("that is an item of rigid-body models (`.drbt`); use one here with `mechanism`")
            }
            _ => None,
        }
    }
}

const BODY_ITEMS: &[&str] = &[
    "system",
    "import",
    "param",
    "input",
    "let",
    "fun",
    "entity",
    "fixed",
    "contact",
    "no",
    "force",
    "moment",
    "gravity",
    "spring",
    "damper",
    "impacts",
    "tolerances",
    "horizon",
    "property",
];

/// Words of expressions, in both.
const EXPRESSION_WORDS: &[&str] = &[
    "and",
    "or",
    "not",
    "implies",
    "if",
    "then",
    "else",
    "true",
    "false",
    "always",
    "never",
    "eventually",
    "until",
];

const BODY_RESERVED: &[&str] = &["in", "on", "at", "default", "world"];

const FILE_ITEMS: &[&str] = &[
    "model",
    "import",
    "param",
    "input",
    "let",
    "fun",
    "actor",
    "record",
    "tolerances",
    "horizon",
    "property",
];

const ACTOR_ITEMS: &[&str] = &[
    "model",
    "import",
    "param",
    "input",
    "let",
    "fun",
    "actor",
    "modal",
    "initial",
    "mode",
    "when",
    "otherwise",
    "from",
    "in",
    "out",
    "var",
    "mechanism",
    "fmu",
    "table",
    "record",
    "tolerances",
    "horizon",
    "property",
];

const ACTOR_RESERVED: &[&str] = &[
    "on", "unless", "post", "present", "absent", "init", "impulse", "reset", "enabled", "goto",
];
