//! Three-valued logic: the answer to a question about numbers known only to lie in intervals.
//!
//! Kleene's strong logic: `False < Unknown < True`, conjunction is the minimum, disjunction the maximum,
//! and negation turns the order round.
//!
//! # Guarantee
//! Rigorous: `True` and `False` are proved; `Unknown` promises nothing, and is never turned into either.

/// A truth value that may be undecided. Ordered `False < Unknown < True`.
///
/// ```
/// use dyverse_num::Tri;
/// assert_eq!(Tri::Unknown.and(Tri::False), Tri::False);
/// assert_eq!(Tri::Unknown.or(Tri::False), Tri::Unknown);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tri {
    /// Proved false.
    False,
    /// Neither proved nor refuted.
    Unknown,
    /// Proved true.
    True,
}

impl Tri {
    /// Kleene conjunction.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        self.min(other)
    }

    /// Kleene disjunction.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        self.max(other)
    }

    /// Kleene negation; `Unknown` stays `Unknown`. The same as the operator `!`.
    #[must_use]
    #[expect(
        clippy::should_implement_trait,
        reason = "the operator is implemented too, and calls this"
    )]
    pub fn not(self) -> Self {
        match self {
            Self::False => Self::True,
            Self::Unknown => Self::Unknown,
            Self::True => Self::False,
        }
    }

    /// Is it proved true?
    #[must_use]
    pub fn certainly(self) -> bool {
        self == Self::True
    }

    /// Is it not proved false?
    #[must_use]
    pub fn possibly(self) -> bool {
        self != Self::False
    }
}

impl From<bool> for Tri {
    fn from(value: bool) -> Self {
        if value { Self::True } else { Self::False }
    }
}

impl std::ops::Not for Tri {
    type Output = Self;

    fn not(self) -> Self {
        Self::not(self)
    }
}

#[cfg(test)]
mod tests {
    use super::Tri;

    const ALL: [Tri; 3] = [Tri::False, Tri::Unknown, Tri::True];

    /// Whatever an `Unknown` turns out to be, a decided result must not change.
    #[test]
    fn decided_results_survive_every_completion() {
        let completions = |t: Tri| match t {
            Tri::False => vec![false],
            Tri::True => vec![true],
            Tri::Unknown => vec![false, true],
        };
        for a in ALL {
            assert_eq!(!!a, a);
            for b in ALL {
                assert_eq!(!(a.and(b)), (!a).or(!b), "De Morgan");
                let mut outcomes = Vec::new();
                for x in completions(a) {
                    outcomes.extend(completions(b).into_iter().map(|y| x && y));
                }
                let agreed = outcomes.iter().all(|o| *o == outcomes[0]);
                let expected = if agreed {
                    Tri::from(outcomes[0])
                } else {
                    Tri::Unknown
                };
                assert_eq!(a.and(b), expected, "{a:?} and {b:?}");
            }
        }
        assert!(Tri::Unknown.possibly() && !Tri::Unknown.certainly());
    }
}
