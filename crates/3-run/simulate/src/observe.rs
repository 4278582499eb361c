//! What a property can ask at a moment of a trace [docs/LANGUAGE.md, contact quantities].
//!
//! **In:** the model, the options of its run, and at each moment the states and the closed contacts with their modes. **Out:** values of symbols.
//!
//! | quantity of a pair | from |
//! |---|---|
//! | gap, normal velocity, slip speed | the states, at the closest points, whether a contact is open or closed |
//! | normal force, friction force | the forces of the location (island.rs), as the run found them; 0 where no contact is closed |
//! | touching | a contact is closed, or an impact strikes it at this moment, or its gap is within the tolerance ([`Tolerances::touching_margin`](dyverse_model::Tolerances::touching_margin)) |
//!
//! Of several contacts of a pair: the least gap, the sum of the normal forces, the largest of the others.
//!
//! # Guarantee
//! Forces come from the same code, modes, directions and inputs as the run's own right-hand side. What has no value is NaN: the kinematics of surfaces that lie in
//! each other too deeply, forces that cannot be found.

use crate::couples::Turning;
use crate::index::{ContactIx, GroupIx, IndexVec};
use crate::island::{Active, Evaluation, Island, Pace};
use crate::loads::{STATE, Stand, Stands};
use crate::predict::{apart, overlap};
use crate::projection::kinetic;
use crate::system::System;
use crate::{RunError, RunOptions};
use dyverse_mech::{ContactKinematics, EntityState, ReferenceAxis, Triple};
use dyverse_model::{Contact, ContactQuantity, EntityId, Model, StateComponent, Symbol};
use dyverse_num::Vec3;
use std::fmt;

/// A closed contact, named as the model names it: numbers of contacts are those of one run.
#[derive(Clone, Debug)]
struct Held {
    contact: Contact,
    turning: Turning,
    slides: Option<[f64; 2]>,
    reference: ReferenceAxis,
    pace: Pace,
    prior: Triple,
    /// How its friction stands.
    grip: Option<Stand>,
}

/// The closed contacts of the entities of one piece of a trace, with their modes.
#[derive(Clone, Debug, Default)]
pub struct ClosedContacts {
    /// Ascending.
    entities: Vec<EntityId>,
    held: Vec<Held>,
    /// How the switches of the entities' loads stand during it, by group.
    stands: Vec<(GroupIx, Stands)>,
}

impl ClosedContacts {
    pub(crate) fn of(system: &System<'_>, island: &Island, evaluation: &Evaluation) -> Self {
        let of_group = |group: GroupIx| {
            let stands = evaluation.stands.get(group).cloned().flatten();
            stands.map(|stands| (group, stands))
        };
        let held = island.active.iter().map(|active| Held {
            contact: system.contact(active.contact).contact,
            slides: active.slides,
            turning: active.turning,
            reference: active.reference,
            pace: active.pace,
            prior: active.prior,
            grip: evaluation.grip(active.contact),
        });
        ClosedContacts {
            entities: island.entities.clone(),
            held: held.collect(),
            stands: system.switching(&island.entities).filter_map(of_group).collect(),
        }
    }
    /// How many.
    pub fn len(&self) -> usize {
        self.held.len()
    }
    /// Whether no contact is closed.
    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }
}

/// A moment of a trace.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// When, s.
    pub t: f64,
    /// When the step began in which the moment lies: inputs that jump have two values.
    pub anchor: f64,
    /// The values of the trace's signals.
    pub states: &'a [f64],
    /// The closed contacts of the pieces at the moment.
    pub closed: &'a [&'a ClosedContacts],
    /// Labels of contacts that an impact strikes just after this moment, or struck just before it.
    pub struck: &'a [String],
}

/// Evaluates the symbols of a model's properties along its traces.
pub struct Observer<'m> {
    system: System<'m>,
    evaluation: Evaluation,
    /// For each entity: where its states begin among the trace's signals.
    first: IndexVec<EntityId, Option<usize>>,
}

impl fmt::Debug for Observer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Observer").finish_non_exhaustive()
    }
}

impl<'m> Observer<'m> {
    /// For runs of a model with these options.
    ///
    /// # Errors
    /// As [`simulate`](crate::simulate()).
    pub fn new(model: &'m Model, options: &RunOptions) -> Result<Self, RunError> {
        let system = System::new(model, options)?;
        let mut next = 0;
        let first = system.bodies.iter().map(|body| {
            (!body.is_fixed).then(|| {
                next += STATE;
                next - STATE
            })
        });
        Ok(Observer {
            first: first.collect(),
            evaluation: Evaluation::of_groups(system.groups.len()),
            system,
        })
    }

    /// The place of a component among the trace's signals; none for fixed entities.
    pub fn signal(&self, entity: EntityId, component: StateComponent) -> Option<usize> {
        let number = StateComponent::ALL.iter().position(|c| *c == component)?;
        self.first.get(entity).copied()?.map(|first| first + number)
    }

    /// The entities whose states the value of a symbol depends on; `None`: all, as forces do.
    pub fn reads(&self, symbol: Symbol) -> Option<Vec<EntityId>> {
        match symbol {
            Symbol::State(entity, _) => Some(vec![entity]),
            Symbol::Contact(ContactQuantity::NormalForce | ContactQuantity::FrictionForce, ..) => None,
            Symbol::Contact(_, a, b) => Some(vec![a, b]),
            _ => Some(Vec::new()),
        }
    }

    /// The value of a symbol at a moment; NaN where it has none.
    pub fn value(&mut self, symbol: Symbol, at: &Moment<'_>) -> f64 {
        match symbol {
            Symbol::Parameter(p) => {
                let value = self.system.parameters.get(p);
                value.copied().unwrap_or(f64::NAN)
            }
            Symbol::Input(input) => self.system.inputs.value(input, at.t, at.anchor),
            Symbol::Time => at.t,
            Symbol::Mass(entity) => match self.system.bodies.get(entity) {
                Some(body) if !body.is_fixed => *body.inertia.mass(),
                _ => f64::NAN,
            },
            Symbol::State(entity, component) => self.component(entity, component, at),
            Symbol::SlipSpeed => f64::NAN,
            Symbol::Contact(quantity, a, b) => self.quantity(quantity, a, b, at).unwrap_or(f64::NAN),
        }
    }

    fn component(&self, entity: EntityId, component: StateComponent, at: &Moment<'_>) -> f64 {
        match self.signal(entity, component) {
            Some(signal) => at.states.get(signal).copied().unwrap_or(f64::NAN),
            None => self.packed(entity, at)[component.place()],
        }
    }

    fn packed(&self, entity: EntityId, at: &Moment<'_>) -> [f64; STATE] {
        let mut x = [0.0; STATE];
        match self.first[entity] {
            Some(first) => {
                for (number, component) in StateComponent::ALL.into_iter().enumerate() {
                    x[component.place()] = at.states.get(first + number).copied().unwrap_or(f64::NAN);
                }
            }
            None => crate::loads::pack(&self.system.bodies[entity].initial, &mut x),
        }
        x
    }

    fn state(&self, entity: EntityId, at: &Moment<'_>) -> EntityState<f64> {
        match self.first[entity] {
            Some(_) => crate::loads::unpack(&self.packed(entity, at)),
            None => self.system.bodies[entity].initial,
        }
    }

    fn quantity(
        &mut self,
        quantity: ContactQuantity,
        a: EntityId,
        b: EntityId,
        at: &Moment<'_>,
    ) -> Option<f64> {
        let contacts = self.system.contacts_between(a, b).ok()?;
        match quantity {
            ContactQuantity::NormalForce | ContactQuantity::FrictionForce => {
                return self.force(quantity, &contacts, at);
            }
            ContactQuantity::Touching => {
                let margin = self.margin(&contacts, at)?;
                return Some(f64::from(u8::from(margin >= 0.0)));
            }
            _ => {}
        }
        self.kinematic(quantity, &contacts, at)
    }

    /// The least gap, or the largest of another quantity.
    fn kinematic(
        &mut self,
        quantity: ContactQuantity,
        contacts: &[ContactIx],
        at: &Moment<'_>,
    ) -> Option<f64> {
        let mut found: Option<f64> = None;
        for id in contacts.iter().copied() {
            let data = self.system.contact(id);
            let (first, second) = data.entities();
            let (first, second) = (self.state(first, at), self.state(second, at));
            if quantity == ContactQuantity::Gap {
                let (p, q) = (first.placement(), second.placement());
                let gap = match data.pair.closest_points(&p, &q) {
                    // Planes and lines of sharp features go on where these end: apart, the distance of the features counts.
                    Ok(points) if data.rounded.is_some() => {
                        let closing = points.closing_gap();
                        if closing > self.system.tolerances.gap {
                            apart(&data.pair, &p, &q).unwrap_or(closing)
                        } else {
                            closing
                        }
                    }
                    Ok(points) => points.gap,
                    Err(_) => overlap(&data.pair, &p, &q)?,
                };
                found = Some(found.map_or(gap, |least| least.min(gap)));
                continue;
            }
            let k = data.pair.kinematics(&first, &second).ok()?;
            let value = if quantity == ContactQuantity::NormalVelocity {
                k.normal_velocity
            } else {
                k.tangential_velocity[0].hypot(k.tangential_velocity[1])
            };
            found = Some(found.map_or(value, |largest| largest.max(value)));
        }
        found
    }

    /// How surely two entities touch at a moment: not below 0 exactly where they do; NaN where that is not known.
    pub fn touching_margin(&mut self, a: EntityId, b: EntityId, at: &Moment<'_>) -> f64 {
        let contacts = self.system.contacts_between(a, b).ok();
        let margin = contacts.and_then(|contacts| self.margin(&contacts, at));
        margin.unwrap_or(f64::NAN)
    }

    fn margin(&mut self, contacts: &[ContactIx], at: &Moment<'_>) -> Option<f64> {
        let is_met = |id: &ContactIx| {
            let data = self.system.contact(*id);
            let mut held = at.closed.iter().flat_map(|c| &c.held);
            held.any(|h| h.contact == data.contact) || at.struck.contains(&data.label)
        };
        if contacts.iter().any(is_met) {
            return Some(1.0);
        }
        let gap = self.kinematic(ContactQuantity::Gap, contacts, at)?;
        Some(self.system.tolerances.touching_margin(&gap))
    }

    /// The sum of the normal forces, or the largest friction force.
    fn force(&mut self, quantity: ContactQuantity, contacts: &[ContactIx], at: &Moment<'_>) -> Option<f64> {
        let mut result = 0.0;
        for closed in at.closed {
            let active = self.active(closed)?;
            if !active.iter().any(|a| contacts.contains(&a.contact)) {
                continue;
            }
            self.evaluate(closed, &active, at)?;
            for (active, [normal, x, y]) in active.iter().zip(&self.evaluation.forces) {
                if contacts.contains(&active.contact) {
                    result = match quantity {
                        ContactQuantity::NormalForce => result + normal,
                        _ => x.hypot(*y).max(result),
                    };
                }
            }
        }
        Some(result)
    }

    /// The closed contacts as this system numbers them.
    fn active(&mut self, closed: &ClosedContacts) -> Option<Vec<Active>> {
        let mut active = Vec::with_capacity(closed.held.len());
        for held in &closed.held {
            let (a, b) = held.contact.entities;
            let ids = self.system.contacts_between(a, b).ok()?;
            let id = ids
                .into_iter()
                .find(|id| self.system.contact(*id).contact == held.contact)?;
            self.evaluation.set_grip(id, held.grip);
            if let Some(Stand::On(band) | Stand::Along { high: band, .. }) = held.grip {
                self.system.find_bands(id, band as usize);
            }
            active.push(Active {
                contact: id,
                slides: held.slides,
                turning: held.turning,
                reference: held.reference,
                pace: held.pace,
                prior: held.prior,
                zeno_until: None,
            });
        }
        Some(active)
    }

    /// Loads, kinematics and forces of the entities of a piece.
    fn evaluate(&mut self, closed: &ClosedContacts, active: &[Active], at: &Moment<'_>) -> Option<()> {
        let x: Vec<f64> = closed.entities.iter().flat_map(|e| self.packed(*e, at)).collect();
        let mut dx = vec![0.0; x.len()];
        self.evaluation.anchor = at.anchor;
        for (group, stands) in &closed.stands {
            if let Some(slot) = self.evaluation.stands.get_mut(*group) {
                *slot = Some(stands.clone());
            }
        }
        let system = &self.system;
        self.evaluation
            .right_hand_side(system, &closed.entities, active, at.t, &x, &mut dx)
            .ok()
    }

    /// The forces at the closed contacts of a moment, in the world; `None` where they cannot be found.
    pub fn forces(&mut self, at: &Moment<'_>) -> Option<Vec<SeenForce>> {
        let mut seen = Vec::new();
        for closed in at.closed.iter().filter(|closed| !closed.is_empty()) {
            let active = self.active(closed)?;
            self.evaluate(closed, &active, at)?;
            for (place, active) in active.iter().enumerate() {
                let k = self.evaluation.kinematics[place];
                let force = self.evaluation.forces[place];
                let data = self.system.contact(active.contact);
                let first = self.state(data.entities().0, at);
                seen.push(SeenForce {
                    contact: data.contact,
                    label: data.label.clone(),
                    point: first.position + k.arms[0],
                    vector: in_world(&k, force),
                    normal: force[0],
                    friction: force[1].hypot(force[2]),
                });
            }
        }
        Some(seen)
    }

    /// The power of loads and of friction, W, on the entities of a piece; `None` where forces cannot be found.
    pub fn power(&mut self, closed: &ClosedContacts, at: &Moment<'_>) -> Option<(f64, f64)> {
        let active = self.active(closed)?;
        self.evaluate(closed, &active, at)?;
        Some(self.evaluation.power(active.len()))
    }

    /// The kinetic energy of all entities, J.
    pub fn kinetic_energy(&self, at: &Moment<'_>) -> f64 {
        let free: Vec<EntityId> = self
            .first
            .numbers()
            .filter(|e| self.first[*e].is_some())
            .collect();
        let states: Vec<_> = free.iter().map(|e| self.state(*e, at)).collect();
        kinetic(&self.system, &free, &states)
    }

    /// Where a contact between two entities acts, and what a force or impulse in its frame is in the world, on the second entity. The frame of a closed contact is
    /// that of the run; of an open one, that of an impact.
    pub fn placed(
        &mut self,
        label: &str,
        pair: (EntityId, EntityId),
        in_frame: [f64; 3],
        at: &Moment<'_>,
    ) -> Option<(Vec3<f64>, Vec3<f64>)> {
        let ids = self.system.contacts_between(pair.0, pair.1).ok()?;
        let id = ids
            .into_iter()
            .find(|id| self.system.contact(*id).label == label)?;
        let data = self.system.contact(id);
        let held = at.closed.iter().flat_map(|closed| &closed.held);
        let reference = held
            .filter(|h| h.contact == data.contact)
            .map(|h| h.reference)
            .next();
        let (first, second) = data.entities();
        let (first, second) = (self.state(first, at), self.state(second, at));
        let k = match reference {
            Some(axis) => data.pair.kinematics_along(&first, &second, axis),
            None => data.pair.kinematics(&first, &second),
        }
        .ok()?;
        Some((first.position + k.arms[0], in_world(&k, in_frame)))
    }
}

/// A force at a closed contact.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenForce {
    /// The contact.
    pub contact: Contact,
    /// Its label.
    pub label: String,
    /// Where it acts.
    pub point: Vec3<f64>,
    /// What acts on the second entity there, N; the opposite acts on the first.
    pub vector: Vec3<f64>,
    /// λ_N, N.
    pub normal: f64,
    /// |λ_T|, N.
    pub friction: f64,
}

fn in_world(k: &ContactKinematics<f64>, [normal, x, y]: [f64; 3]) -> Vec3<f64> {
    k.normal.scale(&normal) + k.tangents[0].scale(&x) + k.tangents[1].scale(&y)
}
