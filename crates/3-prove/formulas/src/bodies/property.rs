//! A truth value of the model as a condition over states, time and unknowns.
//!
//! a < b becomes b − a > 0, negations go inside, and |e| ≤ c becomes e ≤ c and −e ≤ c, which encloses better (|e| ≥ c: or).
//!
//! Of several contacts of a pair [`ContactQuantity`] says what is meant: the least gap, the sum of the normal forces of those that are
//! closed, the largest of the other quantities. Forces of open contacts are 0. A pair touches where one of its contacts is closed, is struck, or has a gap within the
//! tolerance ([`Tolerances::touching_margin`](dyverse_model::Tolerances::touching_margin)).
//!
//! # Moments of a jump
//! [`property_just_before`](BodyFormulas::property_just_before) and [`property_just_after`](BodyFormulas::property_just_after) say what a truth value is at the two moments
//! of an impact, both over the states before it: velocities after it are the reset's formulas. Forces are those before until the contact node finds new ones [SPEC §3, resets].

use super::BodyFormulas;
use super::flow::{LocationFormulas, SlipDirection};
use super::numbers::obstacle;
use crate::symbolic::Symbolic;
use crate::{Condition, Constraint, Obstacle, Relation};
use dyverse_expr::{Node, NodeId, SymbolId, UnaryFunction};
use dyverse_machine::ContactId;
use dyverse_mech::ReferenceAxis;
use dyverse_mech::law::Row;
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
        closed: &[(ContactId, ReferenceAxis, Row<SlipDirection>)],
    ) -> Result<Condition, Obstacle> {
        self.property_just_before(node, closed, &[])
    }

    /// The same at the moment before contacts are struck that are closed within the tolerances: they touch, however an enclosure sees their gaps.
    ///
    /// # Errors
    /// As [`property`](Self::property).
    pub fn property_just_before(
        &mut self,
        node: NodeId,
        closed: &[(ContactId, ReferenceAxis, Row<SlipDirection>)],
        struck: &[ContactId],
    ) -> Result<Condition, Obstacle> {
        let sight = Sight {
            closed,
            struck,
            location: None,
            placeholders: None,
        };
        self.truth_value(node, sight).map(|(condition, _)| condition)
    }

    /// The same at the moment after it, over the states before: `reset` has the states after.
    ///
    /// # Errors
    /// As [`property`](Self::property).
    pub fn property_just_after(
        &mut self,
        node: NodeId,
        closed: &[(ContactId, ReferenceAxis, Row<SlipDirection>)],
        struck: &[ContactId],
        reset: &[NodeId],
    ) -> Result<Condition, Obstacle> {
        let sight = Sight {
            closed,
            struck,
            location: None,
            placeholders: Some(Vec::new()),
        };
        let (condition, forces) = self.truth_value(node, sight)?;
        let states = reset
            .iter()
            .enumerate()
            .map(|(i, new)| (SymbolId(i as u32), *new));
        let kept = forces.iter().enumerate();
        let kept = kept.map(|(i, force)| (self.variables().auxiliary(i), *force));
        let with: BTreeMap<SymbolId, NodeId> = states.chain(kept).collect();
        let nodes: Vec<NodeId> = condition.atoms().iter().map(|a| a.node).collect();
        let new = self.with_pool(|pool| pool.substitute(&nodes, &with));
        Ok(condition.with_nodes(new))
    }

    /// Whether a truth value reads the force of a contact.
    pub(crate) fn reads_forces(&self, node: NodeId) -> bool {
        let symbols = self.model().pool().symbols(&[node]);
        symbols
            .into_iter()
            .any(|id| matches!(self.model().symbol(id), Symbol::Contact(quantity, ..) if is_force(quantity)))
    }

    /// A truth value as a condition, and the forces that stand-ins in it stand for.
    fn truth_value(
        &mut self,
        node: NodeId,
        mut sight: Sight<'_>,
    ) -> Result<(Condition, Vec<NodeId>), Obstacle> {
        let model = self.model();
        let mut quantities = BTreeMap::new();
        let mut touching = BTreeMap::new();
        for id in model.pool().symbols(&[node]) {
            match model.symbol(id) {
                Symbol::State(e, c) if !model.entity(e).is_fixed && !self.numbers.layout.keeps(e, c) => {
                    return obstacle(format!("`{}` is left out of the states", model.symbol_name(id)));
                }
                Symbol::Contact(ContactQuantity::Touching, a, b) => {
                    touching.insert(id, self.touching((a, b), &sight)?);
                }
                symbol @ Symbol::Contact(quantity, a, b) => {
                    let value = self.quantity(quantity, (a, b), &mut sight)?;
                    quantities.insert(symbol, value);
                }
                _ => {}
            }
        }
        // `touching(a, b)` is written as a comparison of its symbol with 1.
        let is_touching = |id: NodeId| match model.pool().node(id) {
            Node::Compare(Relation::Equal, a, _) => match model.pool().node(a) {
                Node::Symbol(symbol) => touching.get(&symbol),
                _ => None,
            },
            _ => None,
        };
        let all = model.pool().reachable(&[node]);
        let truths: BTreeMap<NodeId, NodeId> = all
            .iter()
            .filter_map(|id| Some((*id, self.as_node(is_touching(*id)?))))
            .collect();
        let lost = Symbolic::not_recordable;
        let import = self.numbers.import_with(&[node], &truths, &|symbol| {
            quantities.get(&symbol).cloned().unwrap_or_else(lost)
        });
        let mut found: BTreeMap<NodeId, (Condition, usize)> = BTreeMap::new();
        for id in all {
            if let Some(condition) = is_touching(id) {
                found.insert(id, (condition.clone(), condition.atoms().len()));
                continue;
            }
            let of = |id: NodeId| match found.get(&id) {
                Some(made) => made.clone(),
                None => unreachable!("bug: a truth value is made of what is none"),
            };
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
            found.insert(id, (made.0.bounded()?, made.1));
        }
        match found.remove(&node) {
            Some((condition, _)) => Ok((condition, sight.placeholders.unwrap_or_default())),
            None => obstacle("it is no truth value"),
        }
    }

    /// Whether a pair of entities touches.
    fn touching(&mut self, pair: (EntityId, EntityId), sight: &Sight<'_>) -> Result<Condition, Obstacle> {
        let tolerances = self.model().tolerances();
        let mut apart = Condition::Constant(true);
        for contact in self.contacts_of(pair) {
            if sight.is_closed(contact) || sight.struck.contains(&contact) {
                return Ok(Condition::Constant(true));
            }
            let gap = self.kinematic(ContactQuantity::Gap, contact, sight)?;
            let margin = tolerances.touching_margin(&gap);
            apart = both(apart, self.atom(&margin, Relation::Less)?);
        }
        Ok(apart.negated())
    }

    /// The contacts of a pair of entities.
    fn contacts_of(&self, (a, b): (EntityId, EntityId)) -> Vec<ContactId> {
        self.contact_ids()
            .filter(|contact| self.contacts[contact.index()].entities == (a.min(b), a.max(b)))
            .collect()
    }

    /// A condition as a truth value of the pool.
    fn as_node(&self, condition: &Condition) -> NodeId {
        let both = |parts: &[Condition], is_and: bool| {
            let nodes: Vec<NodeId> = parts.iter().map(|part| self.as_node(part)).collect();
            self.with_pool(|pool| {
                let empty = pool.boolean(is_and);
                nodes.into_iter().fold(empty, |all, one| {
                    if is_and {
                        pool.and(all, one)
                    } else {
                        pool.or(all, one)
                    }
                })
            })
        };
        match condition {
            Condition::Constant(value) => self.with_pool(|pool| pool.boolean(*value)),
            Condition::And(parts) => both(parts, true),
            Condition::Or(parts) => both(parts, false),
            Condition::Atom(atom) => self.with_pool(|pool| {
                let zero = pool.number(0.0);
                pool.compare(atom.relation, atom.node, zero)
            }),
        }
    }

    fn compared(&self, comparison: Relation, a: &Symbolic, b: &Symbolic) -> Result<Condition, Obstacle> {
        use Relation as C;
        match comparison {
            C::Less => self.above(b, a, Relation::Greater),
            C::LessEqual => self.above(b, a, Relation::GreaterEqual),
            C::Greater => self.above(a, b, Relation::Greater),
            C::GreaterEqual => self.above(a, b, Relation::GreaterEqual),
            C::Equal => self.atom(&(a.clone() - b.clone()), Relation::Equal),
            C::NotEqual => self.atom(&(a.clone() - b.clone()), Relation::NotEqual),
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
                Relation::Greater => value > 0.0,
                Relation::GreaterEqual => value >= 0.0,
                Relation::Less => value < 0.0,
                Relation::LessEqual => value <= 0.0,
                Relation::Equal => value == 0.0,
                Relation::NotEqual => value != 0.0,
            }));
        }
        let node = self.numbers.node(number, || "a side of a comparison".into())?;
        Ok(Condition::Atom(Constraint { node, relation }))
    }

    /// A quantity of a pair of entities; not whether it touches.
    fn quantity(
        &mut self,
        quantity: ContactQuantity,
        (a, b): (EntityId, EntityId),
        sight: &mut Sight<'_>,
    ) -> Result<Symbolic, Obstacle> {
        let is_turning = |e: &EntityId| {
            self.numbers.bodies[e.0].is_fixed || self.numbers.layout.keeps(*e, StateComponent::Wx)
        };
        if quantity == ContactQuantity::SlipSpeed && ![a, b].iter().all(is_turning) {
            return obstacle("a slip speed reads an angular velocity that is left out of the states");
        }
        let of_pair = self.contacts_of((a, b));
        let forces = is_force(quantity);
        if forces && of_pair.iter().any(|c| sight.is_closed(*c)) && sight.location.is_none() {
            sight.location = Some(self.flow(sight.closed)?);
        }
        let mut value: Option<Symbolic> = None;
        for contact in of_pair {
            let next = if forces {
                self.force(quantity, contact, sight.location.as_ref())
            } else {
                self.kinematic(quantity, contact, sight)?
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
        let Some(value) = value else {
            return obstacle("a pair that never touches");
        };
        if forces && let Some(kept) = &mut sight.placeholders {
            let node = self.numbers.node(&value, || "a contact force".into())?;
            let stand_in = self.numbers.variables.auxiliary(kept.len());
            kept.push(node);
            return Ok(self.numbers.recorder.symbol(stand_in));
        }
        Ok(value)
    }

    fn force(
        &self,
        quantity: ContactQuantity,
        contact: ContactId,
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
        contact: ContactId,
        sight: &Sight<'_>,
    ) -> Result<Symbolic, Obstacle> {
        let given = sight
            .closed
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
    pub fn sample_axis(&mut self, contact: ContactId) -> Result<ReferenceAxis, Obstacle> {
        let record = self.contact_record(contact, ReferenceAxis::X)?;
        let is_gentle = record.kinematics.normal.x.sample().abs() <= GENTLE;
        Ok(if is_gentle {
            ReferenceAxis::X
        } else {
            ReferenceAxis::Y
        })
    }
}

/// What is known of a moment besides its states.
struct Sight<'a> {
    /// The contacts that stay closed: their forces act.
    closed: &'a [(ContactId, ReferenceAxis, Row<SlipDirection>)],
    /// Contacts that are struck at the moment.
    struck: &'a [ContactId],
    /// The forces of the location, once they are asked for.
    location: Option<LocationFormulas>,
    /// Where forces are not those of the states: what stand-ins for them stand for.
    placeholders: Option<Vec<NodeId>>,
}

impl Sight<'_> {
    fn is_closed(&self, contact: ContactId) -> bool {
        self.closed.iter().any(|(c, ..)| *c == contact)
    }
}

fn is_force(quantity: ContactQuantity) -> bool {
    matches!(
        quantity,
        ContactQuantity::NormalForce | ContactQuantity::FrictionForce
    )
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
