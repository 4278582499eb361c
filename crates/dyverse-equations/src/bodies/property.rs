//! A truth value of the model as a condition over states, time and unknowns.
//!
//! a < b becomes b − a > 0, negations go inside, and |e| ≤ c becomes e ≤ c and −e ≤ c, which encloses better (|e| ≥ c: or).
//!
//! Of several contacts of a pair [`ContactQuantity`] says what is meant: the least gap, the sum of the normal forces of those that are
//! closed, the largest of the other quantities. Forces of open contacts are 0.

use super::BodyFormulas;
use super::flow::{ClosedMode, LocationFormulas};
use super::numbers::obstacle;
use crate::formulas::{Condition, Constraint, Obstacle, Relation};
use crate::symbolic::Symbolic;
use dyverse_expr::{Node, NodeId, Relation as Comparison, UnaryFunction};
use dyverse_mech::ReferenceAxis;
use dyverse_model::{ContactQuantity, EntityId, StateComponent, Symbol};
use dyverse_num::Scalar;
use std::collections::BTreeMap;

/// Shared parts are written out; a condition of more atoms is refused.
const MOST_ATOMS: usize = 10_000;

/// |n_x| up to which the x-axis makes good tangents.
const GENTLE: f64 = 0.75;

impl BodyFormulas<'_> {
    /// A truth value of the model's pool, in the location in which these contacts are closed.
    ///
    /// # Errors
    /// [`Obstacle`] for what reads something without a formula, and for conditions that are too long.
    pub fn property(
        &mut self,
        node: NodeId,
        closed: &[(usize, ReferenceAxis, ClosedMode)],
    ) -> Result<Condition, Obstacle> {
        let model = self.model();
        let mut quantities = BTreeMap::new();
        let mut location = None;
        for id in model.pool().symbols(&[node]) {
            match model.symbol(id) {
                Symbol::State(e, c) if !model.entity(e).is_fixed && !self.numbers.layout.keeps(e, c) => {
                    return obstacle(format!("`{}` is left out of the states", model.symbol_name(id)));
                }
                symbol @ Symbol::Contact(quantity, a, b) => {
                    let value = self.quantity(quantity, (a, b), closed, &mut location)?;
                    quantities.insert(symbol, value);
                }
                _ => {}
            }
        }
        let lost = Symbolic::not_recordable;
        let import = self.numbers.import(&[node], &|symbol| {
            quantities.get(&symbol).cloned().unwrap_or_else(lost)
        });
        let mut found: BTreeMap<NodeId, (Condition, usize)> = BTreeMap::new();
        for id in model.pool().reachable(&[node]) {
            let of = |id: NodeId| found.get(&id).cloned().unwrap_or((Condition::Constant(false), 0));
            let made = match model.pool().node(id) {
                Node::Boolean(value) => (Condition::Constant(value), 0),
                Node::Compare(comparison, a, b) => (
                    self.compared(comparison, &import.number(a), &import.number(b))?,
                    2,
                ),
                Node::Not(a) => {
                    let (condition, size) = of(a);
                    (condition.negated(), size)
                }
                Node::And(a, b) => {
                    let ((p, m), (q, n)) = (of(a), of(b));
                    (both(p, q), m + n)
                }
                Node::Or(a, b) => {
                    let ((p, m), (q, n)) = (of(a), of(b));
                    (both(p.negated(), q.negated()).negated(), m + n)
                }
                _ => continue,
            };
            if made.1 > MOST_ATOMS {
                return obstacle("the condition is too long");
            }
            found.insert(id, made);
        }
        match found.remove(&node) {
            Some((condition, _)) => Ok(condition),
            None => obstacle("it is no truth value"),
        }
    }

    fn compared(&self, comparison: Comparison, a: &Symbolic, b: &Symbolic) -> Result<Condition, Obstacle> {
        use Comparison as C;
        match comparison {
            C::Less => self.above(b, a, Relation::Positive),
            C::LessEqual => self.above(b, a, Relation::NotNegative),
            C::Greater => self.above(a, b, Relation::Positive),
            C::GreaterEqual => self.above(a, b, Relation::NotNegative),
            C::Equal => self.atom(&(a.clone() - b.clone()), Relation::Zero),
            C::NotEqual => self.atom(&(a.clone() - b.clone()), Relation::NotZero),
        }
    }

    /// a > b or a ≥ b.
    fn above(&self, a: &Symbolic, b: &Symbolic, relation: Relation) -> Result<Condition, Obstacle> {
        if let Some(inner) = self.inside_abs(b) {
            let first = self.atom(&(a.clone() - inner.clone()), relation)?;
            let second = self.atom(&(a.clone() + inner), relation)?;
            return Ok(both(first, second));
        }
        if let Some(inner) = self.inside_abs(a) {
            let first = self.atom(&(inner.clone() - b.clone()), relation)?;
            let second = self.atom(&(-inner - b.clone()), relation)?;
            return Ok(both(first.negated(), second.negated()).negated());
        }
        self.atom(&(a.clone() - b.clone()), relation)
    }

    /// e, if the number is |e|.
    fn inside_abs(&self, number: &Symbolic) -> Option<Symbolic> {
        let node = self.numbers.recorder.node(number)?;
        let found = self.pool().node(node);
        match found {
            Node::Unary(UnaryFunction::Abs, inner) => Some(self.numbers.recorder.number(inner)),
            _ => None,
        }
    }

    /// A constraint, or its truth where the number is known.
    fn atom(&self, number: &Symbolic, relation: Relation) -> Result<Condition, Obstacle> {
        if let Some(value) = number.exactly() {
            return Ok(Condition::Constant(match relation {
                Relation::Positive => value > 0.0,
                Relation::NotNegative => value >= 0.0,
                Relation::Negative => value < 0.0,
                Relation::NotPositive => value <= 0.0,
                Relation::Zero => value == 0.0,
                Relation::NotZero => value != 0.0,
            }));
        }
        let node = self.numbers.node(number, || "a side of a comparison".into())?;
        Ok(Condition::Atom(Constraint { node, relation }))
    }

    /// A quantity of a pair of entities.
    fn quantity(
        &mut self,
        quantity: ContactQuantity,
        (a, b): (EntityId, EntityId),
        closed: &[(usize, ReferenceAxis, ClosedMode)],
        location: &mut Option<LocationFormulas>,
    ) -> Result<Symbolic, Obstacle> {
        let is_turning = |e: &EntityId| {
            self.numbers.bodies[e.0].is_fixed || self.numbers.layout.keeps(*e, StateComponent::Wx)
        };
        if quantity == ContactQuantity::SlipSpeed && ![a, b].iter().all(is_turning) {
            return obstacle("a slip speed reads an angular velocity that is left out of the states");
        }
        let of_pair: Vec<usize> = (0..self.contacts.len())
            .filter(|contact| self.contacts[*contact].entities == (a.min(b), a.max(b)))
            .collect();
        let is_closed = |contact: &usize| closed.iter().any(|(c, ..)| c == contact);
        let forces = matches!(
            quantity,
            ContactQuantity::NormalForce | ContactQuantity::FrictionForce
        );
        if quantity == ContactQuantity::Touching {
            let touches = of_pair.iter().any(is_closed);
            return Ok(if touches {
                Symbolic::one()
            } else {
                Symbolic::zero()
            });
        }
        if forces && of_pair.iter().any(is_closed) && location.is_none() {
            *location = Some(self.flow(closed)?);
        }
        let mut value: Option<Symbolic> = None;
        for contact in of_pair {
            let next = if forces {
                self.force(quantity, contact, location.as_ref())
            } else {
                self.kinematic(quantity, contact, closed)?
            };
            value = Some(match value {
                None => next,
                Some(value) => match quantity {
                    ContactQuantity::Gap => value.min(&next),
                    ContactQuantity::NormalForce => value + next,
                    _ => value.max(&next),
                },
            });
        }
        value.map_or_else(|| obstacle("a pair that never touches"), Ok)
    }

    fn force(
        &self,
        quantity: ContactQuantity,
        contact: usize,
        location: Option<&LocationFormulas>,
    ) -> Symbolic {
        let closed = location.and_then(|l| l.contacts.iter().find(|c| c.contact == contact));
        let Some(closed) = closed else {
            return Symbolic::zero();
        };
        let number = |node| self.numbers.recorder.number(node);
        if quantity == ContactQuantity::NormalForce {
            return number(closed.normal_force);
        }
        let [x, y] = closed.tangential_force.map(number);
        (x.squared() + y.squared()).sqrt()
    }

    fn kinematic(
        &mut self,
        quantity: ContactQuantity,
        contact: usize,
        closed: &[(usize, ReferenceAxis, ClosedMode)],
    ) -> Result<Symbolic, Obstacle> {
        let given = closed
            .iter()
            .find(|(c, ..)| *c == contact)
            .map(|(_, axis, _)| *axis);
        let axis = match given {
            Some(axis) => axis,
            None => self.sample_axis(contact)?,
        };
        let record = self.contact_record(contact, axis)?;
        let k = &record.kinematics;
        Ok(match quantity {
            ContactQuantity::Gap => k.gap.clone(),
            ContactQuantity::NormalVelocity => k.normal_velocity.clone(),
            _ => {
                let [x, y] = &k.tangential_velocity;
                (x.squared() + y.squared()).sqrt()
            }
        })
    }

    /// The axis that makes good tangents at the sample point.
    pub fn sample_axis(&mut self, contact: usize) -> Result<ReferenceAxis, Obstacle> {
        let record = self.contact_record(contact, ReferenceAxis::X)?;
        let is_gentle = record.kinematics.normal.x.sample().abs() <= GENTLE;
        Ok(if is_gentle {
            ReferenceAxis::X
        } else {
            ReferenceAxis::Y
        })
    }
}

/// Both, flat.
fn both(a: Condition, b: Condition) -> Condition {
    match (a, b) {
        (Condition::Constant(false), _) | (_, Condition::Constant(false)) => Condition::Constant(false),
        (Condition::Constant(true), other) | (other, Condition::Constant(true)) => other,
        (a, b) => {
            let mut parts = Vec::new();
            for part in [a, b] {
                match part {
                    Condition::And(inner) => parts.extend(inner),
                    other => parts.push(other),
                }
            }
            Condition::And(parts)
        }
    }
}
