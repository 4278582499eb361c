//! Which states there are: those of moving entities, less what nothing depends on.
//!
//! The orientation of a ball (all surfaces spheres about its centre of mass, an inertia that is literally the same about all axes) matters
//! to nothing unless a load or a property reads it. If moreover none of its contacts has friction and nothing reads its angular
//! velocity or how fast it slips, that matters to nothing either: no moment reaches a position.

use super::numbers::{InverseInertia, Numbers};
use crate::symbolic::Symbolic;
use dyverse_expr::NodeId;
use dyverse_model::{ContactQuantity, EntityId, Formula, Model, StateComponent, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// The states that are kept, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    places: BTreeMap<(EntityId, StateComponent), usize>,
    order: Vec<(EntityId, StateComponent)>,
}

impl Layout {
    fn new(model: &Model, keeps: impl Fn(EntityId, StateComponent) -> bool) -> Self {
        let mut layout = Layout::default();
        for (index, entity) in model.entities().iter().enumerate() {
            let id = EntityId(index);
            let all = StateComponent::ALL.into_iter();
            for component in all.filter(|component| !entity.is_fixed && keeps(id, *component)) {
                layout.places.insert((id, component), layout.order.len());
                layout.order.push((id, component));
            }
        }
        layout
    }
    /// All states of moving entities.
    pub(crate) fn whole(model: &Model) -> Self {
        Self::new(model, |_, _| true)
    }
    /// Without what nothing depends on.
    pub(crate) fn reduced(numbers: &Numbers<'_>) -> Self {
        let read = Read::new(numbers.model);
        let of = |id: EntityId| {
            let body = &numbers.bodies[id.0];
            let is_isotropic = matches!(body.inverse_inertia, InverseInertia::Isotropic(_));
            let drops_orientation = body.is_round() && is_isotropic && !read.orientation.contains(&id);
            let drops_spin = drops_orientation && !read.spin.contains(&id) && !has_friction(numbers, id);
            (drops_orientation, drops_spin)
        };
        let dropped: Vec<(bool, bool)> = (0..numbers.bodies.len()).map(|e| of(EntityId(e))).collect();
        Self::new(numbers.model, |id, component| {
            let (orientation, spin) = dropped[id.0];
            let is_orientation = StateComponent::ORIENTATION.contains(&component);
            let is_spin = StateComponent::ANGULAR_VELOCITY.contains(&component);
            !(orientation && is_orientation || spin && is_spin)
        })
    }
    pub(crate) fn keeps(&self, id: EntityId, component: StateComponent) -> bool {
        self.places.contains_key(&(id, component))
    }
    pub(crate) fn place(&self, id: EntityId, component: StateComponent) -> Option<usize> {
        self.places.get(&(id, component)).copied()
    }
    /// The states in order.
    pub(crate) fn order(&self) -> &[(EntityId, StateComponent)] {
        &self.order
    }
    pub(crate) fn names(&self, model: &Model) -> Vec<String> {
        let name = |(id, component): &(EntityId, StateComponent)| {
            format!("{}.{}", model.entity(*id).name, component.name())
        };
        self.order.iter().map(name).collect()
    }
    /// The names of the states of `whole` that are not here.
    pub(crate) fn left_out(&self, whole: &Layout, model: &Model) -> Vec<String> {
        let mut rest = whole.clone();
        rest.order.retain(|(id, component)| !self.keeps(*id, *component));
        rest.names(model)
    }
}

/// What loads and properties read.
struct Read {
    orientation: BTreeSet<EntityId>,
    spin: BTreeSet<EntityId>,
}

impl Read {
    fn new(model: &Model) -> Self {
        let mut roots: Vec<NodeId> = Vec::new();
        for load in model.loads() {
            roots.extend(load.force.iter().chain(&load.moment));
        }
        for property in model.properties() {
            roots.extend(property.parts.iter().filter_map(|part| match part {
                Formula::Now(node) => Some(*node),
                _ => None,
            }));
        }
        let mut read = Read {
            orientation: BTreeSet::new(),
            spin: BTreeSet::new(),
        };
        for symbol in model.pool().symbols(&roots) {
            match model.symbol(symbol) {
                Symbol::State(e, c) if StateComponent::ORIENTATION.contains(&c) => {
                    read.orientation.insert(e);
                }
                Symbol::State(e, c) if StateComponent::ANGULAR_VELOCITY.contains(&c) => {
                    read.spin.insert(e);
                }
                Symbol::Contact(ContactQuantity::SlipSpeed, a, b) => read.spin.extend([a, b]),
                _ => {}
            }
        }
        read
    }
}

/// Whether something that may touch the entity rubs on it.
fn has_friction(numbers: &Numbers<'_>, id: EntityId) -> bool {
    let model = numbers.model;
    let mut known: BTreeMap<NodeId, bool> = BTreeMap::new();
    (0..model.entities().len()).map(EntityId).any(|other| {
        model.may_touch(id, other) && {
            let node = model.law(id, other).friction;
            *known
                .entry(node)
                .or_insert_with(|| !is_frictionless(numbers, node))
        }
    })
}

/// Whether a friction number is literally zero.
pub(crate) fn is_frictionless(numbers: &Numbers<'_>, friction: NodeId) -> bool {
    let import = numbers.import(&[friction], &|_| Symbolic::not_recordable());
    import.number(friction).is_zero()
}
