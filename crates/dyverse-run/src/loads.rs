//! The applied forces h of the equations of motion, evaluated for a group of entities.

use dyverse_expr::{SymbolId, Tape};
use dyverse_mech::{EntityState, GeneralizedForce};
use dyverse_model::{EntityId, Model, Symbol};
use dyverse_num::Vec3;

use crate::inputs::Inputs;

/// Numbers of an entity's state in a state vector.
pub(crate) const STATE: usize = 13;

/// Where the value of a symbol comes from.
#[derive(Clone, Copy, Debug)]
enum Source {
    Constant(f64),
    Time,
    Input(usize),
    State(usize, usize),
}

/// The loads on the entities of one group, which read only states of the group.
#[derive(Debug)]
pub(crate) struct GroupLoads {
    tape: Tape,
    /// For each load: the entity it is on. Its six components follow each other on the tape.
    on: Vec<usize>,
}

/// The symbols of a model with where their values come from.
#[derive(Debug)]
pub(crate) struct Sources {
    sources: Vec<Source>,
}

impl Sources {
    pub(crate) fn new(model: &Model, parameter: impl Fn(usize) -> f64, mass: impl Fn(usize) -> f64) -> Self {
        let source = |symbol: Symbol| match symbol {
            Symbol::Parameter(p) => Source::Constant(parameter(p.0 as usize)),
            Symbol::Mass(e) => Source::Constant(mass(e.0)),
            Symbol::Time => Source::Time,
            Symbol::Input(i) => Source::Input(i.0 as usize),
            Symbol::State(e, component) => Source::State(e.0, component.place()),
            // Not in loads: the language does not let them in.
            Symbol::SlipSpeed | Symbol::Contact(..) => Source::Constant(f64::NAN),
        };
        Sources {
            sources: model.symbols().map(source).collect(),
        }
    }

    fn value(
        &self,
        id: SymbolId,
        (time, anchor): (f64, f64),
        inputs: &Inputs,
        state: &impl Fn(usize, usize) -> f64,
    ) -> f64 {
        match self.sources[id.0 as usize] {
            Source::Constant(value) => value,
            Source::Time => time,
            Source::Input(i) => inputs.value(i, time, anchor),
            Source::State(entity, component) => state(entity, component),
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

impl GroupLoads {
    /// The loads on `entities`.
    pub(crate) fn new(model: &Model, entities: &[usize]) -> Self {
        let loads = model.loads().iter().filter(|load| entities.contains(&load.on.0));
        let mut on = Vec::new();
        let mut roots = Vec::new();
        for load in loads {
            on.push(load.on.0);
            roots.extend(load.force);
            roots.extend(load.moment);
        }
        GroupLoads {
            tape: Tape::new(model.pool(), &roots),
            on,
        }
    }

    /// Adds the loads to `out(entity)`, at a time in a step that began at another.
    pub(crate) fn add(
        &self,
        sources: &Sources,
        time: (f64, f64),
        inputs: &Inputs,
        state: impl Fn(usize, usize) -> f64,
        scratch: &mut Vec<f64>,
        mut out: impl FnMut(usize, GeneralizedForce<f64>),
    ) {
        self.tape
            .run(|id| sources.value(id, time, inputs, &state), scratch);
        for (number, entity) in self.on.iter().enumerate() {
            let value = |k: usize| self.tape.result(scratch, 6 * number + k);
            let force = Vec3::new(value(0), value(1), value(2));
            let moment = Vec3::new(value(3), value(4), value(5));
            out(*entity, GeneralizedForce { force, moment });
        }
    }
}

/// Groups of entities whose loads read each other's states: each is integrated together.
pub(crate) fn groups(model: &Model) -> Vec<Vec<usize>> {
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
    components(&mut parent, |e| !model.entity(EntityId(e)).is_fixed)
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
