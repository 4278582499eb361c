//! Contacts as formulas, as the table of the automaton asks about them: the same rows as in a run, recorded.

use crate::{Condition, Constraint, ContactFormulas, LocationFormulas, Relation, Symbolic};
use dyverse_expr::{Node, NodeId, UnaryFunction};
use dyverse_machine::{Atom, Bound, Case, ContactQuantities, Move, Phase, Quantity, Thresholds};

use super::bodies::Bodies;

/// The open row of Signorini's law \[SPEC §2\]: a contact without force moves apart.
pub(crate) const PARTS: Atom = Atom {
    quantity: Quantity::NormalAcceleration,
    relation: Relation::Greater,
    bound: Bound::Zero,
};

/// The formulas of one contact; what is `None` is not asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContactNumbers {
    gap: Option<Symbolic>,
    normal_velocity: Option<Symbolic>,
    normal_acceleration: Option<Symbolic>,
    normal_force: Option<Symbolic>,
    tangential_velocity: Option<[Symbolic; 2]>,
    tangential_force: Option<[Symbolic; 2]>,
    friction: Option<Symbolic>,
    /// The tangent along which it slides, and whether forwards.
    direction: Option<(usize, bool)>,
}

impl ContactNumbers {
    pub(crate) fn along(self, tangent: usize, is_forward: bool) -> Self {
        Self {
            direction: Some((tangent, is_forward)),
            ..self
        }
    }
}

fn known<T: Clone>(value: &Option<T>, quantity: Quantity) -> T {
    let Some(value) = value else {
        unreachable!("bug: {quantity:?} is asked of a contact that has no formula of it here");
    };
    value.clone()
}

impl ContactQuantities for ContactNumbers {
    type S = Symbolic;

    fn normal(&self, quantity: Quantity) -> Symbolic {
        let value = match quantity {
            Quantity::Gap => &self.gap,
            Quantity::NormalVelocity => &self.normal_velocity,
            Quantity::NormalAcceleration => &self.normal_acceleration,
            Quantity::NormalForce => &self.normal_force,
            _ => &None,
        };
        known(value, quantity)
    }

    fn tangential(&self, quantity: Quantity) -> [Symbolic; 2] {
        let value = match quantity {
            Quantity::TangentialSpeed => &self.tangential_velocity,
            Quantity::TangentialForce => &self.tangential_force,
            _ => &None,
        };
        known(value, quantity)
    }

    fn friction(&self) -> Symbolic {
        known(&self.friction, Quantity::TangentialForce)
    }

    fn direction(&self) -> Option<[Symbolic; 2]> {
        use dyverse_num::Scalar;
        self.direction.map(|(tangent, is_forward)| {
            let mut direction = [Symbolic::zero(), Symbolic::zero()];
            direction[tangent] = Symbolic::from_f64(if is_forward { 1.0 } else { -1.0 });
            direction
        })
    }

    /// A contact that stays closed is pressed: where the limit would be negative it opens first.
    fn limit_squared(&self, limit: Symbolic) -> Symbolic {
        use dyverse_num::Scalar;
        limit.squared()
    }
}

impl Bodies<'_> {
    /// What counts as zero.
    pub(crate) fn limits(&self) -> Thresholds {
        self.formulas.model().thresholds()
    }

    /// Positions and velocities of a contact.
    pub(crate) fn moving(&self, contact: &ContactFormulas) -> ContactNumbers {
        let number = |node: NodeId| Some(self.formulas.number(node));
        ContactNumbers {
            gap: number(contact.gap),
            normal_velocity: number(contact.normal_velocity),
            tangential_velocity: Some(contact.tangential_velocity.map(|v| self.formulas.number(v))),
            ..ContactNumbers::default()
        }
    }

    /// The closed contact at a place of a location.
    pub(crate) fn held(&self, location: &LocationFormulas, at: usize) -> ContactNumbers {
        let own = location.contacts[at];
        ContactNumbers {
            normal_force: Some(self.formulas.number(own.normal_force)),
            tangential_velocity: Some(own.tangential_velocity.map(|v| self.formulas.number(v))),
            tangential_force: Some(own.tangential_force.map(|f| self.formulas.number(f))),
            friction: Some(self.formulas.number(own.friction)),
            ..ContactNumbers::default()
        }
    }

    /// An open contact of a location whose normal velocity changes so.
    pub(crate) fn parting(&self, rate: NodeId) -> ContactNumbers {
        ContactNumbers {
            normal_acceleration: Some(self.formulas.number(rate)),
            ..ContactNumbers::default()
        }
    }

    /// A comparison of the table as a constraint on a formula.
    pub(crate) fn compared(&self, atom: Atom, of: &ContactNumbers, limits: &Thresholds) -> Constraint {
        // As it is written: q ≤ 0 is a constraint on q, not on −q.
        use Relation::{Equal, Less, LessEqual};
        let is_below = matches!(atom.relation, LessEqual | Equal | Less);
        let asked = if is_below { atom.negated() } else { atom };
        let margin = asked.margin(of, &limits.on());
        let Some(node) = self.formulas.node_of(&margin) else {
            unreachable!("bug: the margin of {atom:?} is made of formulas and numbers");
        };
        let relation = match (asked.relation.is_closed(), is_below) {
            (true, false) => Relation::GreaterEqual,
            (true, true) => Relation::Less,
            (false, false) => Relation::Greater,
            (false, true) => Relation::LessEqual,
        };
        // −a ≤ 0 along a direction is a ≥ 0: events of both directions ask for the same formula.
        match self.formulas.pool().node(node) {
            Node::Unary(UnaryFunction::Negate, inner) if of.direction.is_some() => Constraint {
                node: inner,
                relation: relation.mirrored(),
            },
            _ => Constraint { node, relation },
        }
    }

    /// The same as a condition.
    pub(crate) fn comparison(&self, atom: Atom, of: &ContactNumbers, limits: &Thresholds) -> Condition {
        Condition::Atom(self.compared(atom, of, limits))
    }

    /// A row of the table as a condition.
    pub(crate) fn row(
        &self,
        phase: Phase,
        does: Move,
        of: &ContactNumbers,
        limits: &Thresholds,
    ) -> Condition {
        let case = Case::of(phase, does);
        let parts = case.when.iter().map(|atom| {
            let now = self.comparison(*atom, of, limits);
            if case.or_soon && atom.quantity == Quantity::Gap {
                Condition::Or(vec![now, self.comparison(Atom::SOON, of, limits)])
            } else {
                now
            }
        });
        let mut parts: Vec<Condition> = parts.collect();
        if parts.len() == 1 {
            parts.swap_remove(0)
        } else {
            Condition::And(parts)
        }
    }
}
