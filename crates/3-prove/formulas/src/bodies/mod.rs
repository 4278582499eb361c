//! Rigid bodies as formulas: flow of a location, contacts, impacts, properties.
//!
//! **In:** a [`Model`] and ranges for some of its parameters. **Out:** expressions over the states of the moving entities, time, and unknowns
//! (ranged parameters and initial values).
//!
//! | file | what it holds |
//! |---|---|
//! | `numbers.rs`, `import.rs` | the model's numbers and expressions, recorded |
//! | `layout.rs` | which states there are |
//! | `contact.rs` | gaps, velocities, biases, columns of W |
//! | `law.rs` | the contact law of `dyverse_mech::law`, recorded |
//! | `flow.rs`, `impact.rs` | M du = h + Wλ with modes given; Newton's impact law with modes given |
//! | `property.rs` | truth values as conditions |
//!
//! # Guarantee
//! Over the reals every formula is what a run evaluates on doubles, wherever it has a value. What cannot be written down is an
//! [`Obstacle`], which names it. Inputs are what they are when nothing drives them: their defaults.

mod contact;
mod flow;
mod impact;
mod import;
mod law;
mod layout;
mod numbers;
mod property;

pub use contact::ContactFormulas;
pub use flow::{ClosedContact, LocationFormulas, SlipDirection};
pub use impact::{ImpactFormulas, ImpulseFormulas};
pub use law::RecordedLaw;

use crate::formulas::{Obstacle, Variables};
use contact::ContactRecord;
use dyverse_expr::{NodeId, Pool, Program};
use dyverse_machine::ContactId;
use dyverse_mech::{ContactPair, ReferenceAxis};
use dyverse_model::{Contact, EntityId, Model, StateComponent};
use layout::Layout;
use numbers::{Numbers, component_of};
use std::cell::Ref;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::symbolic::Symbolic;

/// A rigid-body model as formulas.
#[derive(Debug)]
pub struct BodyFormulas<'m> {
    numbers: Numbers<'m>,
    left_out: Vec<String>,
    initial: Vec<NodeId>,
    contacts: Vec<Contact>,
    labels: Vec<String>,
    pairs: BTreeMap<ContactId, Rc<ContactPair<Symbolic>>>,
    records: BTreeMap<(ContactId, ReferenceAxis), Rc<ContactRecord>>,
}

impl<'m> BodyFormulas<'m> {
    /// The formulas of a model. `choices` gives parameters and initial values (`ball.x`) other ranges (name, least, largest), or values where both
    /// ends are equal; of several for one name the last counts.
    ///
    /// # Errors
    /// [`Obstacle`] for a choice that names nothing of the kind or is no range, a range whose ends depend on an unknown, and numbers that cannot
    /// be written down.
    pub fn new(model: &'m Model, choices: &[(String, f64, f64)]) -> Result<Self, Obstacle> {
        let whole = Layout::whole(model);
        let reduced = Layout::reduced(&Numbers::new(model, choices, &whole)?);
        let numbers = Numbers::new(model, choices, &reduced)?;
        let mut initial = Vec::with_capacity(reduced.order().len() + 1);
        for (id, component) in reduced.order() {
            let value = component_of(&numbers.bodies[id.0].start, *component);
            let name = || {
                format!(
                    "the initial value of `{}`",
                    numbers.variables.states[initial.len()]
                )
            };
            initial.push(numbers.node(&value, name)?);
        }
        initial.push(numbers.recorder.with_pool(|pool| pool.number(0.0)));
        let contacts: Vec<Contact> = model.contacts().collect();
        let labels = contacts.iter().map(|c| model.contact_label(c)).collect();
        let formulas = BodyFormulas {
            left_out: reduced.left_out(&whole, model),
            numbers,
            initial,
            contacts,
            labels,
            pairs: BTreeMap::new(),
            records: BTreeMap::new(),
        };
        formulas.sample_at_start();
        Ok(formulas)
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.numbers.model
    }
    /// All formulas. (Let go of it before more are asked for.)
    pub fn pool(&self) -> Ref<'_, Pool> {
        self.numbers.recorder.pool()
    }
    /// Changes the pool: for formulas that are made from these.
    pub fn with_pool<T>(&self, change: impl FnOnce(&mut Pool) -> T) -> T {
        self.numbers.recorder.with_pool(change)
    }
    /// A formula as a number.
    pub(crate) fn number(&self, node: NodeId) -> Symbolic {
        self.numbers.recorder.number(node)
    }
    /// The formula of a number.
    pub(crate) fn node_of(&self, number: &Symbolic) -> Option<NodeId> {
        self.numbers.recorder.node(number)
    }
    /// What the symbols stand for.
    pub fn variables(&self) -> &Variables {
        &self.numbers.variables
    }
    /// The initial value of every state, then of time, which is 0: over the unknowns.
    pub fn initial(&self) -> &[NodeId] {
        &self.initial
    }
    /// The states of moving entities that nothing depends on and that are left out.
    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }
    /// The place of a state.
    pub fn state_place(&self, name: &str) -> Option<usize> {
        self.variables().states.iter().position(|state| state == name)
    }
    /// The entity and component of a state.
    pub fn state(&self, place: usize) -> Option<(EntityId, StateComponent)> {
        self.numbers.layout.order().get(place).copied()
    }

    /// Number of contacts, in the order of [`Model::contacts`].
    pub fn contact_count(&self) -> usize {
        self.contacts.len()
    }
    /// All contacts.
    pub fn contact_ids(&self) -> impl Iterator<Item = ContactId> + use<> {
        (0..self.contacts.len() as u32).map(ContactId::new)
    }
    /// The label of a contact.
    pub fn contact_label(&self, contact: ContactId) -> &str {
        self.labels.get(contact.index()).map_or("", String::as_str)
    }
    /// The entities of a contact.
    pub fn contact_entities(&self, contact: ContactId) -> Option<(EntityId, EntityId)> {
        self.contacts.get(contact.index()).map(|c| c.entities)
    }

    /// Chooses the point whose values decide the order of pivots from now on: values of all states, time, and all unknowns. Formulas are
    /// right whatever it is; one near the states of interest makes them better to evaluate.
    pub fn sample_at(&self, point: Vec<f64>) {
        self.numbers.recorder.set_samples(point);
    }

    /// The sample that is taken first: near the middle of the initial states, a little aside so that nothing vanishes by accident.
    fn sample_at_start(&self) {
        let variables = self.variables();
        let count = variables.state_count();
        let aside = |place: usize| 0.3 + 0.7 * (0.618_033_988_75 * (place + 1) as f64).fract();
        let mut point = vec![0.0; count + 1];
        let middle = |u: &crate::formulas::Unknown| u.lower + 0.5 * (u.upper - u.lower);
        point.extend(variables.unknowns.iter().map(middle));
        let found = Program::new(&self.pool(), &self.initial)
            .numbers(|id| point.get(id.0 as usize).copied().unwrap_or(0.0));
        for (place, (value, (_, component))) in found.iter().zip(self.numbers.layout.order()).enumerate() {
            let is_place = StateComponent::POSITION.contains(component);
            let size = if is_place { 1e-4 } else { 1e-2 } * (1.0 + value.abs());
            point[place] = value + size * aside(place);
        }
        self.sample_at(point);
    }
}
