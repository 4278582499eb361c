//! The flow of a location: M du = h + Wλ with modes given, and q̇ from u.
//!
//! Closed contacts have the rows `Stick`, `Along` a direction, or `Smooth` where friction is literally zero; forces are `FrozenLaw::linear`, recorded, with
//! ddg = Gλ + WᵀM⁻¹h + w_a.
//!
//! # Guarantee
//! Signs are not looked at: whether the modes are the right ones is for guards to say. Contacts that are redundant at the sample have no unique
//! forces: an obstacle.

use super::BodyFormulas;
use super::contact::ContactRecord;
use super::numbers::{InverseInertia, component_of, obstacle};
use crate::formulas::{Flow, Obstacle};
use crate::symbolic::Symbolic;
use dyverse_expr::NodeId;
use dyverse_machine::ContactId;
use dyverse_mech::law::{EntityMass, Row, Terms, Work};
use dyverse_mech::{EntityState, GeneralizedVelocity, MassId, ReferenceAxis};
use dyverse_model::EntityId;
use dyverse_num::{Scalar, Vec3};
use std::collections::BTreeMap;

/// The direction in which a contact slips, in its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SlipDirection {
    /// dg_T/|dg_T|.
    OfVelocity,
    /// This unit vector, exactly these doubles.
    Fixed([f64; 2]),
}

/// A closed contact of a location.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosedContact {
    /// Which.
    pub contact: ContactId,
    /// λ_N.
    pub normal_force: NodeId,
    /// λ_T.
    pub tangential_force: [NodeId; 2],
    /// μ.
    pub friction: NodeId,
    /// dg_N.
    pub normal_velocity: NodeId,
    /// dg_T.
    pub tangential_velocity: [NodeId; 2],
}

/// The formulas of a location.
#[derive(Clone, Debug, PartialEq)]
pub struct LocationFormulas {
    /// The rates of all states, then that of time.
    pub flow: Flow,
    /// The closed contacts, in the order they were given.
    pub contacts: Vec<ClosedContact>,
}

impl BodyFormulas<'_> {
    /// The flow of the location in which these contacts are closed, tangents made from the given axes.
    ///
    /// # Errors
    /// [`Obstacle`] for redundant contacts, contacts without formulas, and loads that cannot be written down.
    pub fn flow(
        &mut self,
        closed: &[(ContactId, ReferenceAxis, Row<SlipDirection>)],
    ) -> Result<LocationFormulas, Obstacle> {
        let free = self.free_accelerations();
        let scene = self.scene(closed, slip_direction, |record| Terms {
            bias: free_acceleration(record, &free),
            friction: record.friction.clone(),
        })?;
        let mut work = Work::new();
        let Ok(forces) = scene.law().linear(&mut work) else {
            let names: Vec<&str> = closed
                .iter()
                .map(|(c, ..)| self.labels[c.index()].as_str())
                .collect();
            return obstacle(format!("the forces of {} are not unique", names.join(", ")));
        };
        let responses = self.responses(&scene, forces);
        let mut rates = Vec::with_capacity(self.variables().state_count() + 1);
        let mut derivatives: BTreeMap<EntityId, EntityState<Symbolic>> = BTreeMap::new();
        for (entity, own) in &free {
            let response = responses[entity.0]
                .clone()
                .unwrap_or_else(GeneralizedVelocity::zero);
            let acceleration = own.clone() + response;
            let rate = self.numbers.bodies[entity.0].state.derivative(&acceleration);
            let as_state = EntityState {
                position: rate.position,
                orientation: rate.orientation,
                velocity: rate.velocity,
                angular_velocity: rate.angular_velocity,
            };
            derivatives.insert(*entity, as_state);
        }
        for (place, (entity, component)) in self.numbers.layout.order().iter().enumerate() {
            let name = || format!("the rate of `{}`", self.variables().states[place]);
            let rate = derivatives.get(entity).map(|d| component_of(d, *component));
            rates.push(
                self.numbers
                    .node(&rate.unwrap_or_else(Symbolic::not_recordable), name)?,
            );
        }
        rates.push(self.with_pool(|pool| pool.number(1.0)));
        let mut contacts = Vec::with_capacity(closed.len());
        for (((contact, ..), record), force) in closed.iter().zip(&scene.records).zip(forces) {
            let node = |number: &Symbolic| {
                self.numbers.node(number, || {
                    format!("the force of {}", self.labels[contact.index()])
                })
            };
            contacts.push(ClosedContact {
                contact: *contact,
                normal_force: node(&force[0])?,
                tangential_force: [node(&force[1])?, node(&force[2])?],
                friction: record.formulas.friction,
                normal_velocity: record.formulas.normal_velocity,
                tangential_velocity: record.formulas.tangential_velocity,
            });
        }
        Ok(LocationFormulas {
            flow: Flow { rates },
            contacts,
        })
    }

    /// M⁻¹h of every moving entity: each load over the mass for itself, so that weights lose theirs.
    fn free_accelerations(&self) -> BTreeMap<EntityId, GeneralizedVelocity<Symbolic>> {
        let numbers = &self.numbers;
        let loads = numbers.model.loads();
        let roots: Vec<NodeId> = loads
            .iter()
            .flat_map(|load| load.force.into_iter().chain(load.moment))
            .collect();
        let import = numbers.import(&roots, &|_| Symbolic::not_recordable());
        let vector = |nodes: &[NodeId; 3]| {
            Vec3::new(
                import.number(nodes[0]),
                import.number(nodes[1]),
                import.number(nodes[2]),
            )
        };
        let mut found = BTreeMap::new();
        for (entity, body) in numbers.bodies.iter().enumerate().filter(|(_, b)| !b.is_fixed) {
            let entity = EntityId(entity);
            let mut linear = Vec3::zero();
            let mut moment = match body.inverse_inertia {
                InverseInertia::Isotropic(_) => Vec3::zero(), // w × (I w) = 0.
                InverseInertia::General(_) => body.inertia.gyroscopic_moment(&body.state),
            };
            for load in loads.iter().filter(|load| load.on == entity) {
                linear = linear + vector(&load.force).map(|f| f.clone() / body.mass.clone());
                moment = moment + vector(&load.moment);
            }
            let angular = body.spin(&moment);
            found.insert(entity, GeneralizedVelocity { linear, angular });
        }
        found
    }
}

/// d.
fn slip_direction(direction: SlipDirection, record: &ContactRecord) -> [Symbolic; 2] {
    match direction {
        SlipDirection::Fixed(d) => d.map(Symbolic::from_f64),
        SlipDirection::OfVelocity => {
            let [x, y] = &record.kinematics.tangential_velocity;
            let speed = (x.squared() + y.squared()).sqrt();
            [x, y].map(|c| c.clone() / speed.clone())
        }
    }
}

/// WᵀM⁻¹h + w_a.
fn free_acceleration(
    record: &ContactRecord,
    free: &BTreeMap<EntityId, GeneralizedVelocity<Symbolic>>,
) -> [Symbolic; 3] {
    let k = &record.kinematics;
    let [x, y] = k.tangential_bias.clone();
    let mut rates = [k.normal_bias.clone(), x, y];
    record.directions.add_rates(&mut rates, |MassId(entity)| {
        let none = GeneralizedVelocity::zero();
        let GeneralizedVelocity {
            linear: v,
            angular: w,
        } = free.get(&EntityId(entity)).cloned().unwrap_or(none);
        [v.x, v.y, v.z, w.x, w.y, w.z]
    });
    rates
}
