//! Conditions on contacts, as data: what guards and domains are made of \[SPEC §3, §4\].
//!
//! | paper                          | here                                     |
//! |--------------------------------|------------------------------------------|
//! | g_N,n ≤ 0                      | [`Atom`]                                 |
//! | g_N,n > 0 ∨ ġ_N,n > 0          | [`Predicate`], about one contact n       |
//! | ∀n∈I_k: …, ∃n∈I_k: …           | [`Condition`]                            |
//!
//! # Guarantee
//! [`Condition::for_all`], [`Condition::exists`], [`Condition::all`] and [`Condition::any`] simplify: ∀ over no contact is
//! true, ∃ over no contact is false, and neither truth value stays inside a larger condition.
//! Tolerances are not here: whether an atom holds is decided by [`ContactValues`].

use crate::contact_list::ContactId;
use crate::contact_set::ContactSet;
use dyverse_num::Relation;

/// A scalar that belongs to one contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantity {
    /// g_N, the gap (m).
    Gap,
    /// g_N + ġ_N Δt, the gap after the simultaneity tolerance Δt (m): part of no guard that is printed.
    GapSoon,
    /// ġ_N (m/s).
    NormalVelocity,
    /// g̈_N (m/s²).
    NormalAcceleration,
    /// |ġ_T| (m/s).
    TangentialSpeed,
    /// |g̈_T| (m/s²).
    TangentialAcceleration,
    /// λ_N (N; in an impact node Λ_N, N s).
    NormalForce,
    /// |λ_T| (N; in an impact node |Λ_T|, N s).
    TangentialForce,
    /// Φ_N, the normal estimate of SORPROX.
    NormalEstimate,
    /// |Φ_T|, the tangential estimate of SORPROX.
    TangentialEstimate,
    /// |Δλ_N|, how far the normal force moved in the last sweep.
    NormalChange,
    /// |Δλ_T|, how far the tangential force moved in the last sweep.
    TangentialChange,
}

impl Quantity {
    /// Whether it is the length of a vector, and so never below zero.
    #[must_use]
    pub const fn is_magnitude(self) -> bool {
        matches!(
            self,
            Self::TangentialSpeed
                | Self::TangentialAcceleration
                | Self::TangentialForce
                | Self::TangentialEstimate
                | Self::NormalChange
                | Self::TangentialChange
        )
    }
}

/// What a quantity is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bound {
    /// 0.
    Zero,
    /// μ λ_N of the same contact, the radius of the friction disc.
    FrictionLimit,
    /// The tolerance of convergence of SORPROX \[SPEC §4\].
    ForceTolerance,
}

/// One comparison at one contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Atom {
    /// The left side.
    pub quantity: Quantity,
    /// How the sides compare.
    pub relation: Relation,
    /// The right side.
    pub bound: Bound,
}

impl Atom {
    /// g_N + ġ_N Δt ≤ 0: the gap closes within the simultaneity tolerance.
    pub const SOON: Self = Self {
        quantity: Quantity::GapSoon,
        relation: Relation::LessEqual,
        bound: Bound::Zero,
    };

    /// The comparison that holds where this one does not. A length that is not zero is above it.
    #[must_use]
    pub const fn negated(self) -> Self {
        let relation = match (self.relation, self.quantity.is_magnitude(), self.bound) {
            (Relation::Equal, true, Bound::Zero) => Relation::Greater,
            (Relation::Greater, true, Bound::Zero) => Relation::Equal,
            (relation, ..) => relation.negated(),
        };
        Self { relation, ..self }
    }
}

/// A condition on one contact.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Predicate {
    /// One comparison.
    Atom(Atom),
    /// All of these.
    And(Vec<Predicate>),
    /// One or more of these.
    Or(Vec<Predicate>),
}

impl Predicate {
    /// The comparison of a quantity with zero.
    #[must_use]
    pub const fn zero(quantity: Quantity, relation: Relation) -> Self {
        Self::Atom(Atom {
            quantity,
            relation,
            bound: Bound::Zero,
        })
    }

    /// The comparison of a quantity with μ λ_N.
    #[must_use]
    pub const fn friction(quantity: Quantity, relation: Relation) -> Self {
        Self::Atom(Atom {
            quantity,
            relation,
            bound: Bound::FrictionLimit,
        })
    }

    /// All of these, or the only one.
    #[must_use]
    pub fn all(mut parts: Vec<Self>) -> Self {
        if parts.len() == 1 {
            parts.swap_remove(0)
        } else {
            Self::And(parts)
        }
    }

    /// One or more of these, or the only one.
    #[must_use]
    pub fn any(mut parts: Vec<Self>) -> Self {
        if parts.len() == 1 {
            parts.swap_remove(0)
        } else {
            Self::Or(parts)
        }
    }

    /// Whether the predicate holds at `contact`.
    #[must_use]
    pub fn evaluate(&self, contact: ContactId, values: &impl ContactValues) -> bool {
        match self {
            Self::Atom(atom) => values.holds(contact, *atom),
            Self::And(parts) => parts.iter().all(|part| part.evaluate(contact, values)),
            Self::Or(parts) => parts.iter().any(|part| part.evaluate(contact, values)),
        }
    }
}

/// What says whether a comparison holds, by the values of a state and the tolerances of a model.
pub trait ContactValues {
    /// Whether `atom` holds at `contact`.
    fn holds(&self, contact: ContactId, atom: Atom) -> bool;
}

/// A condition on the state of a system.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Condition {
    /// Always holds.
    True,
    /// Never holds.
    False,
    /// All of these hold.
    All(Vec<Condition>),
    /// One or more of these hold.
    Any(Vec<Condition>),
    /// Every contact of a set satisfies a predicate.
    ForAll {
        /// The set.
        over: ContactSet,
        /// The predicate.
        holds: Predicate,
    },
    /// A contact of a set satisfies a predicate.
    Exists {
        /// The set.
        over: ContactSet,
        /// The predicate.
        holds: Predicate,
    },
}

impl Condition {
    /// ∀n∈`over`: `holds`.
    #[must_use]
    pub fn for_all(over: ContactSet, holds: Predicate) -> Self {
        if over.is_empty() {
            Self::True
        } else {
            Self::ForAll { over, holds }
        }
    }

    /// ∃n∈`over`: `holds`.
    #[must_use]
    pub fn exists(over: ContactSet, holds: Predicate) -> Self {
        if over.is_empty() {
            Self::False
        } else {
            Self::Exists { over, holds }
        }
    }

    /// The conjunction of `parts`.
    #[must_use]
    pub fn all(parts: Vec<Self>) -> Self {
        let flat = parts.into_iter().flat_map(|part| match part {
            Self::All(inner) => inner,
            other => vec![other],
        });
        let mut parts: Vec<Self> = flat.filter(|part| *part != Self::True).collect();
        if parts.contains(&Self::False) {
            return Self::False;
        }
        match parts.len() {
            0 => Self::True,
            1 => parts.swap_remove(0),
            _ => Self::All(parts),
        }
    }

    /// The disjunction of `parts`.
    #[must_use]
    pub fn any(mut parts: Vec<Self>) -> Self {
        parts.retain(|part| *part != Self::False);
        if parts.contains(&Self::True) {
            return Self::True;
        }
        match parts.len() {
            0 => Self::False,
            1 => parts.swap_remove(0),
            _ => Self::Any(parts),
        }
    }

    /// Whether the condition holds for these values.
    #[must_use]
    pub fn evaluate(&self, values: &impl ContactValues) -> bool {
        match self {
            Self::True => true,
            Self::False => false,
            Self::All(parts) => parts.iter().all(|part| part.evaluate(values)),
            Self::Any(parts) => parts.iter().any(|part| part.evaluate(values)),
            Self::ForAll { over, holds } => over.iter().all(|contact| holds.evaluate(contact, values)),
            Self::Exists { over, holds } => over.iter().any(|contact| holds.evaluate(contact, values)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every contact has the gap of its place: contact 0 is closed, the others are open.
    struct GapIsPlace;

    impl ContactValues for GapIsPlace {
        fn holds(&self, contact: ContactId, atom: Atom) -> bool {
            assert_eq!((atom.quantity, atom.bound), (Quantity::Gap, Bound::Zero));
            match atom.relation {
                Relation::Equal | Relation::LessEqual => contact.get() == 0,
                Relation::NotEqual | Relation::Greater => contact.get() > 0,
                Relation::GreaterEqual => true,
                Relation::Less => false,
            }
        }
    }

    #[test]
    fn quantifiers_over_no_contact_disappear() {
        let open = Predicate::zero(Quantity::Gap, Relation::Greater);
        let always = Condition::for_all(ContactSet::empty(), open.clone());
        let never = Condition::exists(ContactSet::empty(), open.clone());
        let some = Condition::exists(ContactSet::full(2), open);
        assert_eq!((&always, &never), (&Condition::True, &Condition::False));
        assert_eq!(Condition::all(vec![always.clone(), some.clone()]), some);
        assert_eq!(
            Condition::all(vec![never.clone(), some.clone()]),
            Condition::False
        );
        assert_eq!(Condition::any(vec![never, some.clone()]), some);
        assert_eq!(Condition::any(vec![always, some]), Condition::True);
        assert_eq!(
            (Condition::all(vec![]), Condition::any(vec![])),
            (Condition::True, Condition::False)
        );
    }

    #[test]
    fn conditions_mean_what_they_say() {
        let open = Predicate::zero(Quantity::Gap, Relation::Greater);
        let closed = Predicate::zero(Quantity::Gap, Relation::LessEqual);
        let both = Predicate::And(vec![open.clone(), closed.clone()]);
        let either = Predicate::Or(vec![open.clone(), closed]);
        let two = ContactSet::full(2);
        let evaluate = |condition: Condition| condition.evaluate(&GapIsPlace);
        assert!(!evaluate(Condition::for_all(two.clone(), open.clone())));
        assert!(evaluate(Condition::exists(two.clone(), open.clone())));
        assert!(!evaluate(Condition::exists(two.clone(), both)));
        assert!(evaluate(Condition::for_all(two.clone(), either)));
        let some = Condition::exists(two.clone(), open.clone());
        let every = Condition::for_all(two, open);
        assert!(!evaluate(Condition::all(vec![some.clone(), every.clone()])));
        assert!(evaluate(Condition::any(vec![every, some])));
    }
}
