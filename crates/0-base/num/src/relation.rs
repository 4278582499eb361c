//! Comparisons of two numbers.

/// How two numbers compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Relation {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

impl Relation {
    /// As written in model files.
    pub fn sign(self) -> &'static str {
        match self {
            Relation::Less => "<",
            Relation::LessEqual => "<=",
            Relation::Greater => ">",
            Relation::GreaterEqual => ">=",
            Relation::Equal => "==",
            Relation::NotEqual => "!=",
        }
    }

    /// As mathematics writes it.
    pub fn symbol(self) -> &'static str {
        match self {
            Relation::LessEqual => "≤",
            Relation::GreaterEqual => "≥",
            Relation::Equal => "=",
            Relation::NotEqual => "≠",
            Relation::Less | Relation::Greater => self.sign(),
        }
    }

    /// Whether it holds of two equal numbers.
    #[must_use]
    pub const fn is_closed(self) -> bool {
        matches!(
            self,
            Relation::Equal | Relation::GreaterEqual | Relation::LessEqual
        )
    }

    /// What holds of two numbers exactly when this does not.
    #[must_use]
    pub const fn negated(self) -> Self {
        match self {
            Relation::Less => Relation::GreaterEqual,
            Relation::LessEqual => Relation::Greater,
            Relation::Greater => Relation::LessEqual,
            Relation::GreaterEqual => Relation::Less,
            Relation::Equal => Relation::NotEqual,
            Relation::NotEqual => Relation::Equal,
        }
    }

    /// The same the other way round: b > a where a < b, and −a > 0 where a < 0.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Relation::Less => Relation::Greater,
            Relation::LessEqual => Relation::GreaterEqual,
            Relation::Greater => Relation::Less,
            Relation::GreaterEqual => Relation::LessEqual,
            Relation::Equal | Relation::NotEqual => self,
        }
    }
}
