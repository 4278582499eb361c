//! The applied forces h of the equations of motion, evaluated for a group of entities.
//!
//! Decisions in loads are frozen between events (`dyverse_expr::Frozen`): how each of their surfaces *stands* is found at events (switches.rs) and kept until the next. Along a
//! surface on which motion slides the load is a mix of those of both sides, part by part for several such surfaces:
//! h = Σ_S Π_{i∈S} α_i Π_{i∉S} (1 − α_i) h_S, S the surfaces taken from their high side (Filippov 1988; Dieci, Lopez 2009).
//!
//! Frictions over states, time and inputs are evaluated with the loads, and switch as they do.
//!
//! A frozen branch need not exist beyond its surface (`sqrt(max(x, 0))`). Where it does not, decisions are taken from the values instead.

use crate::index::{GroupIx, IndexVec};
use crate::inputs::Inputs;
use crate::island::Fault;
use dyverse_expr::{Change, Frozen, Node, NodeId, Pool, Printer, Program, Surface, SymbolId};
use dyverse_mech::{EntityState, EntityStateDerivative, GeneralizedForce};
use dyverse_model::{EntityId, InputId, LoadKind, Model, ParameterId, Symbol};
use dyverse_num::{Scalar, Vec3};
use std::borrow::Cow;

/// Numbers of an entity's state in a state vector.
pub(crate) const STATE: usize = 13;

/// Surfaces along which the motion of one group may slide at once.
pub(crate) const MOST_ALONG: usize = 6;

/// Where the value of a symbol comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    Constant(f64),
    Time,
    Input(InputId),
    /// Of an entity, and the place in its part of a state vector.
    State(EntityId, usize),
}

/// How a surface of some decisions stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Stand {
    /// The motion is on this side of it; 0: on it, and the decisions have their own values there.
    On(f64),
    /// The motion goes along it.
    Along {
        /// The sides that are mixed.
        low: f64,
        high: f64,
        /// α, the part of the high one.
        part: f64,
        /// Which derivative of d the mix holds at zero.
        order: Order,
    },
}

/// Which derivative of d depends on the side: the first, or the second if d is made of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    First,
    Second,
}

impl Stand {
    /// The side where decisions are taken in the middle of an evaluation; `mask` says from which side surfaces are taken that the motion goes along.
    fn side(&self, is_high: bool) -> f64 {
        match self {
            Stand::On(side) => *side,
            Stand::Along { high, .. } if is_high => *high,
            Stand::Along { low, .. } => *low,
        }
    }
    pub(crate) fn is_along(&self) -> bool {
        matches!(self, Stand::Along { .. })
    }
}

/// How the surfaces of a group stand, and which of them count.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Stands {
    pub(crate) stands: Vec<Stand>,
    /// Those in branches that are not taken do not.
    pub(crate) live: Vec<bool>,
}

impl Stands {
    /// The surfaces along which the motion goes.
    pub(crate) fn along(&self) -> impl Iterator<Item = usize> {
        let numbered = self.stands.iter().enumerate();
        numbered.filter(|(_, s)| s.is_along()).map(|(number, _)| number)
    }
}

/// The loads on the entities of one group, which read only states of the group.
#[derive(Debug)]
pub(crate) struct GroupLoads {
    tape: Frozen,
    /// For each load: the entity it is on, and what it was written as. Its six components follow each other on the tape.
    on: Vec<(EntityId, LoadKind)>,
    /// Frictions of contacts of the group, after the loads.
    frictions: Vec<NodeId>,
    /// For each surface: the decision as it is written, and the load that it belongs to.
    names: Vec<String>,
    is_plain: bool,
    is_constant: bool,
}

/// The symbols of a model with where their values come from.
#[derive(Debug)]
pub(crate) struct Sources {
    sources: IndexVec<SymbolId, Source>,
}

impl Sources {
    pub(crate) fn new(
        model: &Model,
        parameter: impl Fn(ParameterId) -> f64,
        mass: impl Fn(EntityId) -> f64,
    ) -> Self {
        let source = |symbol: Symbol| match symbol {
            Symbol::Parameter(p) => Source::Constant(parameter(p)),
            Symbol::Mass(e) => Source::Constant(mass(e)),
            Symbol::Time => Source::Time,
            Symbol::Input(i) => Source::Input(i),
            Symbol::State(e, component) => Source::State(e, component.place()),
            // Not in loads: the language does not let them in.
            Symbol::SlipSpeed | Symbol::Contact(..) => Source::Constant(f64::NAN),
        };
        Sources {
            sources: model.symbols().map(source).collect(),
        }
    }

    pub(crate) fn source(&self, id: SymbolId) -> Source {
        self.sources[id]
    }
}

/// A moment at which loads are asked for: the time in a step that began at the anchor, inputs, and states by entity and component.
pub(crate) struct At<'a, F> {
    pub(crate) sources: &'a Sources,
    pub(crate) inputs: &'a Inputs,
    pub(crate) time: f64,
    pub(crate) anchor: f64,
    pub(crate) state: F,
}

impl<F: Fn(EntityId, usize) -> f64> At<'_, F> {
    /// The value of a symbol; `None` for an input that nothing drives.
    pub(crate) fn value(&self, id: SymbolId) -> Option<f64> {
        match self.sources.source(id) {
            Source::Constant(value) => Some(value),
            Source::Time => Some(self.time),
            Source::Input(i) => self.inputs.given(i, self.time, self.anchor),
            Source::State(entity, component) => Some((self.state)(entity, component)),
        }
    }

    /// The size of a symbol's value: of a component that of the whole vector, whose rounding it has.
    pub(crate) fn size(&self, id: SymbolId) -> f64 {
        match self.sources.source(id) {
            Source::State(entity, component) => {
                let vector = match component {
                    0..3 => 0..3,
                    3..7 => 3..7,
                    7..10 => 7..10,
                    _ => 10..13,
                };
                vector.map(|c| (self.state)(entity, c).abs()).fold(0.0, f64::max)
            }
            _ => self.value(id).map_or(0.0, f64::abs),
        }
    }
}

/// An entity's state from its part of a state vector; the orientation is brought to length one.
pub(crate) fn unpack(x: &[f64]) -> EntityState<f64> {
    let vec = |i: usize| Vec3::new(x[i], x[i + 1], x[i + 2]);
    let orientation = dyverse_num::Quaternion {
        w: x[3],
        x: x[4],
        y: x[5],
        z: x[6],
    }
    .normalized();
    EntityState {
        position: vec(0),
        orientation,
        velocity: vec(7),
        angular_velocity: vec(10),
    }
}

/// An entity's state into its part of a state vector.
pub(crate) fn pack(state: &EntityState<f64>, x: &mut [f64]) {
    let EntityState {
        position: p,
        orientation: q,
        velocity: v,
        angular_velocity: w,
    } = state;
    let all = [p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z];
    x[..STATE].copy_from_slice(&all);
}

/// The rate of an entity's state into its part of that of a state vector.
pub(crate) fn pack_rate(rate: &EntityStateDerivative<f64>, dx: &mut [f64]) {
    let EntityStateDerivative {
        position: p,
        orientation: q,
        velocity: v,
        angular_velocity: w,
    } = rate;
    let all = [p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z];
    dx[..STATE].copy_from_slice(&all);
}

impl GroupLoads {
    /// The loads on `entities`.
    pub(crate) fn new(
        model: &Model,
        pool: &mut Cow<'_, Pool>,
        (sources, inputs): (&Sources, &Inputs),
        entities: &[EntityId],
    ) -> Self {
        let loads: Vec<_> = model
            .loads()
            .iter()
            .filter(|load| entities.binary_search(&load.on).is_ok())
            .collect();
        let is_own = |pair: Option<(EntityId, EntityId)>| {
            pair.is_none_or(|(a, b)| [a, b].iter().any(|e| entities.binary_search(e).is_ok()))
        };
        let mut frictions: Vec<NodeId> = model
            .frictions_over_states()
            .filter_map(|(node, pair)| is_own(pair).then_some(node))
            .collect();
        frictions.dedup();
        let roots: Vec<NodeId> = loads
            .iter()
            .flat_map(|load| load.force.into_iter().chain(load.moment))
            .chain(frictions.iter().copied())
            .collect();
        let change = |id: SymbolId| match sources.source(id) {
            Source::Constant(_) => Some(Change::Never),
            Source::Time => Some(Change::WithTime),
            Source::Input(i) => inputs.change(i),
            Source::State(e, _) if model.entity(e).is_fixed => Some(Change::Never),
            Source::State(..) => Some(Change::WithState),
        };
        let own = |id: SymbolId| match sources.source(id) {
            Source::Input(i) => inputs.own(i),
            _ => None,
        };
        let is_constant = pool
            .reachable(&roots)
            .into_iter()
            .all(|node| match pool.node(node) {
                Node::Symbol(id) => matches!(change(id), Some(Change::Never)),
                _ => true,
            });
        let tape = Program::frozen(pool, &roots, change, own);
        let name = |surface: &Surface| {
            let text = Printer::new(pool, |id| model.symbol_name(id)).print(surface.decides);
            let reads = |roots: &[NodeId]| pool.reachable(roots).binary_search(&surface.decides).is_ok();
            let load = loads
                .iter()
                .find(|load| reads(&load.force) || reads(&load.moment));
            match load {
                Some(load) => format!("`{text}` in the {}", of_load(model, load.kind, load.on)),
                None => format!("`{text}` in a friction"),
            }
        };
        let names = tape.surfaces().iter().map(name).collect();
        GroupLoads {
            on: loads.iter().map(|load| (load.on, load.kind)).collect(),
            frictions,
            is_plain: tape.is_plain(),
            is_constant,
            tape,
            names,
        }
    }

    /// Its decisions.
    pub(crate) fn tape(&self) -> &Frozen {
        &self.tape
    }

    pub(crate) fn surfaces(&self) -> &[Surface] {
        self.tape.surfaces()
    }

    /// A decision as it is written, with the load that it belongs to.
    pub(crate) fn name(&self, surface: usize) -> &str {
        &self.names[surface]
    }

    /// Whether the loads are polynomials of time and states while no switch turns.
    pub(crate) fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// Whether the loads are the same at all times and in all states.
    pub(crate) fn is_constant(&self) -> bool {
        self.is_constant
    }

    /// Evaluates the tape with decisions as the surfaces stand, those of what the motion goes along from the sides that `high` has the bits of. A decision whose quantity does not
    /// move by itself is taken where it stands.
    pub(crate) fn evaluate<S: Scalar>(
        &self,
        symbol: impl FnMut(SymbolId) -> Option<S>,
        stands: &Stands,
        high: u32,
        value: impl Fn(&S) -> f64,
        values: &mut Vec<S>,
    ) {
        let bits: Vec<bool> = {
            let mut next = 0;
            let bit = |stand: &Stand| {
                next += u32::from(stand.is_along());
                stand.is_along() && high & (1 << (next - 1)) != 0
            };
            stands.stands.iter().map(bit).collect()
        };
        let side = |surface: usize, d: &S| {
            // Of what is no number there is no side, whichever it stood on.
            if self.surfaces()[surface].moves && !value(d).is_nan() {
                stands.stands[surface].side(bits[surface])
            } else {
                self.tape.side_of(surface, value(d))
            }
        };
        self.tape.evaluate(symbol, side, values);
    }

    /// The same with all decisions taken from the values.
    pub(crate) fn decide<F: Fn(EntityId, usize) -> f64>(&self, at: &At<'_, F>, values: &mut Vec<f64>) {
        self.tape.evaluate(
            |id| at.value(id),
            |surface, d| self.tape.side_of(surface, *d),
            values,
        );
    }

    /// Adds the loads to `out(entity)`; without stands, decisions are taken from the values.
    pub(crate) fn add<F: Fn(EntityId, usize) -> f64>(
        &self,
        model: &Model,
        at: &At<'_, F>,
        stands: Option<&Stands>,
        scratch: &mut Vec<f64>,
        mut out: impl FnMut(EntityId, GeneralizedForce<f64>),
    ) -> Result<(), Fault> {
        self.each_side(at, stands, scratch, |values, weight| {
            self.give(model, values, weight, &mut out)
        })
    }

    /// A friction of the group, as decisions stand; no number if the group has it not.
    pub(crate) fn friction<F: Fn(EntityId, usize) -> f64>(
        &self,
        node: NodeId,
        at: &At<'_, F>,
        stands: Option<&Stands>,
        scratch: &mut Vec<f64>,
    ) -> Result<f64, Fault> {
        let Some(place) = self.frictions.iter().position(|own| *own == node) else {
            return Ok(f64::NAN);
        };
        let mut sum = 0.0;
        self.each_side(at, stands, scratch, |values, weight| {
            sum += weight * *self.tape.result(values, 6 * self.on.len() + place);
            Ok(())
        })?;
        Ok(sum)
    }

    /// Evaluates the tape on all sides of what the motion goes along, with the weight of each; without stands, decisions are taken from the values.
    fn each_side<F: Fn(EntityId, usize) -> f64>(
        &self,
        at: &At<'_, F>,
        stands: Option<&Stands>,
        scratch: &mut Vec<f64>,
        mut take: impl FnMut(&[f64], f64) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let Some(stands) = stands.filter(|_| !self.surfaces().is_empty()) else {
            self.decide(at, scratch);
            return take(scratch, 1.0);
        };
        let parts: Vec<f64> = stands
            .stands
            .iter()
            .filter_map(|stand| match stand {
                Stand::Along { part, .. } => Some(*part),
                Stand::On(_) => None,
            })
            .collect();
        for high in 0..1_u32 << parts.len().min(MOST_ALONG) {
            let weigh = |(bit, part): (usize, &f64)| {
                if high & (1 << bit) != 0 { *part } else { 1.0 - part }
            };
            let weight: f64 = parts.iter().enumerate().map(weigh).product();
            self.evaluate(|id| at.value(id), stands, high, |d| *d, scratch);
            if !self.is_finite(scratch) {
                self.decide(at, scratch);
            }
            take(scratch, weight)?;
        }
        Ok(())
    }

    fn is_finite(&self, values: &[f64]) -> bool {
        (0..6 * self.on.len() + self.frictions.len()).all(|root| self.tape.result(values, root).is_finite())
    }

    /// The loads evaluated last, by weight.
    fn give(
        &self,
        model: &Model,
        values: &[f64],
        weight: f64,
        out: &mut impl FnMut(EntityId, GeneralizedForce<f64>),
    ) -> Result<(), Fault> {
        for (number, (entity, kind)) in self.on.iter().enumerate() {
            let value = |k: usize| *self.tape.result(values, 6 * number + k);
            if let Some(k) = (0..6).find(|k| !value(*k).is_finite()) {
                let axis = ["x", "y", "z"][k % 3];
                let what = if k < 3 || *kind == LoadKind::Moment {
                    of_load(model, *kind, *entity)
                } else {
                    format!("moment of the {}", of_load(model, *kind, *entity))
                };
                return Err(Fault::NotFinite {
                    what: format!("the {axis} component of the {what}"),
                    value: value(k),
                });
            }
            out(
                *entity,
                GeneralizedForce {
                    force: Vec3::new(value(0), value(1), value(2)).scale(&weight),
                    moment: Vec3::new(value(3), value(4), value(5)).scale(&weight),
                },
            );
        }
        Ok(())
    }
}

/// A load in words.
fn of_load(model: &Model, kind: LoadKind, entity: EntityId) -> String {
    let name = &model.entity(entity).name;
    match kind {
        LoadKind::Gravity => format!("gravity on `{name}`"),
        LoadKind::Force | LoadKind::Moment => format!("{} on `{name}`", kind.word()),
        LoadKind::Spring | LoadKind::Damper => format!("force of a {} on `{name}`", kind.word()),
    }
}

/// Groups of entities whose loads, or frictions between them, read each other's states: each is integrated together.
pub(crate) fn groups(model: &Model) -> IndexVec<GroupIx, Vec<EntityId>> {
    let count = model.entities().len();
    let mut parent: Vec<usize> = (0..count).collect();
    for load in model.loads() {
        let roots: Vec<_> = load.force.into_iter().chain(load.moment).collect();
        for id in model.pool().symbols(&roots) {
            if let Symbol::State(EntityId(read), _) = model.symbol(id)
                && !model.entity(EntityId(read)).is_fixed
            {
                join(&mut parent, load.on.0, read);
            }
        }
    }
    for (node, pair) in model.frictions_over_states() {
        let pairs: Vec<EntityId> = match pair {
            Some((a, b)) => vec![a, b],
            None => (0..count).map(EntityId).collect(),
        };
        let reads = model.pool().symbols(&[node]).into_iter();
        let reads = reads.filter_map(|id| match model.symbol(id) {
            Symbol::State(read, _) => Some(read),
            _ => None,
        });
        let mut moving: Vec<EntityId> = reads.filter(|e| !model.entity(*e).is_fixed).collect();
        if !moving.is_empty() {
            moving.extend(pairs.into_iter().filter(|e| !model.entity(*e).is_fixed));
        }
        for two in moving.windows(2) {
            join(&mut parent, two[0].0, two[1].0);
        }
    }
    let groups = components(&mut parent, |e| !model.entity(EntityId(e)).is_fixed);
    let entities = |group: Vec<usize>| group.into_iter().map(EntityId).collect();
    groups.into_iter().map(entities).collect()
}

/// The representative of a set.
pub(crate) fn root(parent: &mut [usize], mut e: usize) -> usize {
    while parent[e] != e {
        parent[e] = parent[parent[e]];
        e = parent[e];
    }
    e
}

/// Joins two sets; the lower number represents.
pub(crate) fn join(parent: &mut [usize], a: usize, b: usize) {
    let (a, b) = (root(parent, a), root(parent, b));
    let (low, high) = (a.min(b), a.max(b));
    parent[high] = low;
}

/// The sets of the elements that count, each ascending, in the order of their least elements.
pub(crate) fn components(parent: &mut [usize], counts: impl Fn(usize) -> bool) -> Vec<Vec<usize>> {
    let mut sets: std::collections::BTreeMap<usize, Vec<usize>> = std::collections::BTreeMap::new();
    for e in 0..parent.len() {
        if counts(e) {
            let r = root(parent, e);
            sets.entry(r).or_default().push(e);
        }
    }
    sets.into_values().collect()
}
