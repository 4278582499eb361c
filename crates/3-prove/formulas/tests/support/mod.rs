//! Models written in the tests, evaluated on formulas and, independently, on doubles.
#![allow(
    dead_code,
    missing_docs,
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used
)]

use dyverse_expr::{NodeId, Program};
use dyverse_formulas::{BodyFormulas, ContactId};
use dyverse_mech::{
    ContactDirections, ContactKinematics, ContactPair, EntityId, EntityInertia, EntityState, InverseMass,
    MassId, ReferenceAxis, Side, Surface,
};
use dyverse_model::{Model, Setting, StateComponent};
use dyverse_num::{Interval, Mat3, Quaternion, Vec3};

pub(crate) const FIRST: ContactId = ContactId::new(0);
pub(crate) const SECOND: ContactId = ContactId::new(1);

pub(crate) fn model(text: &str) -> Model {
    let main = dyverse_lang::Loaded::named("test", text);
    let reading = dyverse_lang::read(main, &mut dyverse_lang::NoImports);
    let told = dyverse_diag::render_all(&reading.diagnostics, &reading.sources, Default::default());
    reading.model.unwrap_or_else(|| panic!("{told}"))
}

pub(crate) fn example(name: &str) -> Model {
    let path = format!("{}/../../../examples/{name}.drbt", env!("CARGO_MANIFEST_DIR"));
    model(&std::fs::read_to_string(path).unwrap())
}

/// Numbers that look random, the same every time (splitmix64).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn next(&mut self) -> u64 {
        dyverse_num::split_mix(&mut self.0)
    }
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.next() >> 11) as f64 / (1u64 << 53) as f64)
    }
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
    pub(crate) fn vector(&mut self, size: f64) -> Vec3<f64> {
        Vec3::new(
            self.between(-size, size),
            self.between(-size, size),
            self.between(-size, size),
        )
    }
    pub(crate) fn quaternion(&mut self) -> Quaternion<f64> {
        let v = self.vector(1.0);
        Quaternion::new(self.between(0.2, 1.0), v.x, v.y, v.z).normalized()
    }
    pub(crate) fn state(&mut self, size: f64) -> EntityState<f64> {
        EntityState {
            position: self.vector(size),
            orientation: self.quaternion(),
            velocity: self.vector(size),
            angular_velocity: self.vector(size),
        }
    }
}

pub(crate) fn close(found: f64, expected: f64, tolerance: f64) {
    let size = 1.0 + expected.abs();
    assert!(
        (found - expected).abs() <= tolerance * size,
        "{found} is not {expected} (off by {:e})",
        found - expected
    );
}

/// The components of a state in the order of a run's state vector.
pub(crate) fn packed(state: &EntityState<f64>) -> [f64; 13] {
    let (p, q, v, w) = (
        state.position,
        state.orientation,
        state.velocity,
        state.angular_velocity,
    );
    [p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z]
}

pub(crate) fn unpacked(x: &[f64]) -> EntityState<f64> {
    EntityState {
        position: Vec3::new(x[0], x[1], x[2]),
        orientation: Quaternion::new(x[3], x[4], x[5], x[6]),
        velocity: Vec3::new(x[7], x[8], x[9]),
        angular_velocity: Vec3::new(x[10], x[11], x[12]),
    }
}

/// Where a component is in a packed state.
pub(crate) fn place(component: StateComponent) -> usize {
    let order = StateComponent::POSITION
        .into_iter()
        .chain(StateComponent::ORIENTATION)
        .chain(StateComponent::VELOCITY)
        .chain(StateComponent::ANGULAR_VELOCITY);
    order.into_iter().position(|c| c == component).unwrap()
}

/// States of all entities (fixed ones too) as a point of the formulas' variables.
pub(crate) fn point(
    formulas: &BodyFormulas<'_>,
    states: &[EntityState<f64>],
    t: f64,
    unknowns: &[f64],
) -> Vec<f64> {
    let count = formulas.variables().state_count();
    let mut x: Vec<f64> = (0..count)
        .map(|i| {
            let (entity, component) = formulas.state(i).unwrap();
            packed(&states[entity.0])[place(component)]
        })
        .collect();
    x.push(t);
    x.extend(unknowns);
    x
}

/// Values of formulas at a point; also checks that intervals around the point enclose them.
pub(crate) fn values(formulas: &BodyFormulas<'_>, nodes: &[NodeId], point: &[f64]) -> Vec<f64> {
    let tape = Program::new(&formulas.pool(), nodes);
    let found = tape.numbers(|id| point[id.0 as usize]);
    let around = tape.numbers(|id| {
        let x = point[id.0 as usize];
        Interval::new(x - 1e-10, x + 1e-10).unwrap()
    });
    for (value, interval) in found.iter().zip(&around) {
        assert!(
            interval.contains(*value) || value.is_nan(),
            "{value} not in {interval:?}"
        );
        assert!(
            interval.width() < 1e-3 * (1.0 + value.abs()) || value.is_nan(),
            "{value} in {interval:?}"
        );
    }
    found
}

/// The numbers of a model in doubles, made without formulas.
pub(crate) struct Doubles {
    pub(crate) inertias: Vec<Option<EntityInertia<f64>>>,
    pub(crate) pairs: Vec<(usize, usize, ContactPair<f64>)>,
    pub(crate) starts: Vec<EntityState<f64>>,
}

impl Doubles {
    pub(crate) fn new(model: &Model) -> Self {
        let setting = Setting::nominal(model);
        let inertias = (0..model.entities().len())
            .map(|e| setting.mass_properties(EntityId(e)).ok())
            .map(|p| p.map(|p| EntityInertia::from_mass_properties(&p)))
            .collect();
        let surface = |e: EntityId, s: u32| {
            let s = &model.entity(e).surfaces[s as usize];
            Surface {
                shape: setting.shape(s),
                placement: setting.placement(s),
            }
        };
        let pairs = model
            .contacts()
            .map(|c| {
                let (first, second) = (
                    surface(c.entities.0, c.surfaces.0),
                    surface(c.entities.1, c.surfaces.1),
                );
                let pair = ContactPair::new((&first, c.features.0), (&second, c.features.1), Side::Front);
                (c.entities.0.0, c.entities.1.0, pair.unwrap())
            })
            .collect();
        let starts = model
            .entities()
            .iter()
            .map(|e| {
                let v = |v: &Vec3<dyverse_model::Initial>| v.map(|i| setting.initial(i));
                EntityState {
                    position: v(&e.initial.position),
                    orientation: setting.orientation(&e.initial.orientation).normalized(),
                    velocity: v(&e.initial.velocity),
                    angular_velocity: v(&e.initial.angular_velocity),
                }
            })
            .collect();
        Doubles {
            inertias,
            pairs,
            starts,
        }
    }

    pub(crate) fn kinematics(
        &self,
        contact: usize,
        states: &[EntityState<f64>],
        axis: ReferenceAxis,
    ) -> ContactKinematics<f64> {
        let (a, b, pair) = &self.pairs[contact];
        pair.kinematics_along(&states[*a], &states[*b], axis).unwrap()
    }

    pub(crate) fn directions(&self, contact: usize, k: &ContactKinematics<f64>) -> ContactDirections<f64> {
        let (a, b, _) = &self.pairs[contact];
        let end = |e: usize, arm: Vec3<f64>| self.inertias[e].as_ref().map(|_| (MassId(e), arm));
        let frame = [k.normal, k.tangents[0], k.tangents[1]];
        ContactDirections::from_arms(&frame, end(*a, k.arms[0]), end(*b, k.arms[1]))
    }

    pub(crate) fn inverse_masses(&self, states: &[EntityState<f64>]) -> Vec<InverseMass<f64>> {
        let inverse = |(inertia, state): (&Option<EntityInertia<f64>>, &EntityState<f64>)| match inertia {
            Some(inertia) => InverseMass {
                inverse_mass: 1.0 / inertia.mass(),
                inverse_inertia: inertia.inverse_inertia_in_world(&state.orientation),
            },
            None => InverseMass {
                inverse_mass: 0.0,
                inverse_inertia: Mat3::zero(),
            },
        };
        self.inertias.iter().zip(states).map(inverse).collect()
    }
}
