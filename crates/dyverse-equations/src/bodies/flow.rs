//! The flow of a location: M du = h + Wλ with modes given, and q̇ from u.
//!
//! | mode | λ_T | equation |
//! |---|---|---|
//! | stick | unknown | ddg_T = 0 |
//! | slip | −μ λ_N d, d = dg_T/\|dg_T\| or a fixed direction | |
//!
//! and ddg_N = 0 for all closed contacts: the linear system of `LocationForces`, assembled from `operator.rs`, with
//! ddg = G λ + WᵀM⁻¹h + w_a. A contact whose friction is literally zero slips, whatever is said.
//!
//! # Guarantee
//! Signs are not looked at: whether the modes are the right ones is for guards to say. Contacts that are redundant at the sample have no unique
//! forces: an obstacle.

use super::BodyFormulas;
use super::contact::ContactRecord;
use super::numbers::{InverseInertia, component_of, obstacle};
use super::operator::{Block, eliminate};
use crate::formulas::{Flow, Obstacle};
use crate::symbolic::Symbolic;
use dyverse_expr::NodeId;
use dyverse_mech::{EntityState, GeneralizedVelocity, ReferenceAxis};
use dyverse_num::{Scalar, Vec3};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The direction in which a contact slips, in its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SlipDirection {
    /// dg_T/|dg_T|.
    OfVelocity,
    /// This unit vector, exactly these doubles.
    Fixed([f64; 2]),
}

/// The mode of a closed contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClosedMode {
    /// ddg_T = 0.
    Stick,
    /// Friction acts against a direction.
    Slip(SlipDirection),
}

/// A closed contact of a location.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosedContact {
    /// Which.
    pub contact: usize,
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

/// A component of a contact whose force is unknown.
struct UnknownForce {
    place: usize,
    component: usize,
}

impl BodyFormulas<'_> {
    /// The flow of the location in which these contacts are closed, tangents made from the given axes.
    ///
    /// # Errors
    /// [`Obstacle`] for redundant contacts, contacts without formulas, and loads that cannot be written down.
    pub fn flow(
        &mut self,
        closed: &[(usize, ReferenceAxis, ClosedMode)],
    ) -> Result<LocationFormulas, Obstacle> {
        let mut records = Vec::with_capacity(closed.len());
        for (contact, axis, _) in closed {
            records.push(self.contact_record(*contact, *axis)?);
        }
        let free = self.free_accelerations();
        let forces = self.forces(closed, &records, &free)?;
        let all: Vec<&ContactRecord> = records.iter().map(Rc::as_ref).collect();
        let mut rates = Vec::with_capacity(self.variables().state_count() + 1);
        let mut derivatives: BTreeMap<usize, EntityState<Symbolic>> = BTreeMap::new();
        for (entity, own) in &free {
            let acceleration = own.clone() + self.response(*entity, &all, &forces);
            let rate = self.numbers.bodies[*entity].state.derivative(&acceleration);
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
            let rate = derivatives.get(&entity.0).map(|d| component_of(d, *component));
            rates.push(
                self.numbers
                    .node(&rate.unwrap_or_else(Symbolic::not_recordable), name)?,
            );
        }
        rates.push(self.with_pool(|pool| pool.number(1.0)));
        let mut contacts = Vec::with_capacity(closed.len());
        for (((contact, ..), record), force) in closed.iter().zip(&records).zip(&forces) {
            let node = |number: &Symbolic| {
                self.numbers
                    .node(number, || format!("the force of {}", self.labels[*contact]))
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
    fn free_accelerations(&self) -> BTreeMap<usize, GeneralizedVelocity<Symbolic>> {
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
            let mut linear = Vec3::zero();
            let mut moment = match body.inverse_inertia {
                InverseInertia::Isotropic(_) => Vec3::zero(), // w × (I w) = 0.
                InverseInertia::General(_) => body.inertia.gyroscopic_moment(&body.state),
            };
            for load in loads.iter().filter(|load| load.on.0 == entity) {
                linear = linear + vector(&load.force).map(|f| f.clone() / body.mass.clone());
                moment = moment + vector(&load.moment);
            }
            let angular = body.spin(&moment);
            found.insert(entity, GeneralizedVelocity { linear, angular });
        }
        found
    }

    /// λ of every closed contact.
    fn forces(
        &self,
        closed: &[(usize, ReferenceAxis, ClosedMode)],
        records: &[Rc<ContactRecord>],
        free: &BTreeMap<usize, GeneralizedVelocity<Symbolic>>,
    ) -> Result<Vec<[Symbolic; 3]>, Obstacle> {
        let all: Vec<&ContactRecord> = records.iter().map(Rc::as_ref).collect();
        let operator = self.operator(&all);
        let directions: Vec<Option<[Symbolic; 2]>> = closed
            .iter()
            .zip(&all)
            .map(|((.., mode), record)| friction_direction(*mode, record))
            .collect();
        let mut unknowns = Vec::new();
        for (place, direction) in directions.iter().enumerate() {
            let components = if direction.is_none() { 3 } else { 1 };
            unknowns.extend((0..components).map(|component| UnknownForce { place, component }));
        }
        let accelerations: Vec<[Symbolic; 3]> =
            all.iter().map(|record| free_acceleration(record, free)).collect();
        let matrix = unknowns.iter().map(|row| {
            let column =
                |unknown: &UnknownForce| entry(&operator[row.place], row.component, unknown, &directions);
            unknowns.iter().map(column).collect()
        });
        let right = unknowns
            .iter()
            .map(|row| -accelerations[row.place][row.component].clone());
        let solution = eliminate(matrix.collect(), right.collect());
        let Ok(solution) = solution else {
            let names: Vec<&str> = closed.iter().map(|(c, ..)| self.labels[*c].as_str()).collect();
            return obstacle(format!("the forces of {} are not unique", names.join(", ")));
        };
        let mut forces = vec![[Symbolic::zero(), Symbolic::zero(), Symbolic::zero()]; closed.len()];
        for (unknown, value) in unknowns.iter().zip(solution) {
            forces[unknown.place][unknown.component] = value;
        }
        for (force, direction) in forces.iter_mut().zip(&directions) {
            if let Some([x, y]) = direction {
                force[1] = force[0].clone() * x.clone();
                force[2] = force[0].clone() * y.clone();
            }
        }
        Ok(forces)
    }
}

/// λ_T/λ_N of a slipping contact, −μ d; `None` if it sticks.
fn friction_direction(mode: ClosedMode, record: &ContactRecord) -> Option<[Symbolic; 2]> {
    if record.formulas.is_frictionless {
        return Some([Symbolic::zero(), Symbolic::zero()]);
    }
    let against = |d: &Symbolic| -(record.friction.clone() * d.clone());
    match mode {
        ClosedMode::Stick => None,
        ClosedMode::Slip(SlipDirection::Fixed(d)) => Some(d.map(|c| against(&Symbolic::from_f64(c)))),
        ClosedMode::Slip(SlipDirection::OfVelocity) => {
            let [x, y] = &record.kinematics.tangential_velocity;
            let speed = (x.squared() + y.squared()).sqrt();
            Some([x, y].map(|c| against(&(c.clone() / speed.clone()))))
        }
    }
}

/// The acceleration of one component by a unit of an unknown force, with the friction that comes with it.
fn entry(
    row: &[Block],
    component: usize,
    unknown: &UnknownForce,
    directions: &[Option<[Symbolic; 2]>],
) -> Symbolic {
    let own = &row[unknown.place][component];
    match &directions[unknown.place] {
        None => own[unknown.component].clone(),
        Some([x, y]) => own[0].clone() + own[1].clone() * x.clone() + own[2].clone() * y.clone(),
    }
}

/// WᵀM⁻¹h + w_a.
fn free_acceleration(
    record: &ContactRecord,
    free: &BTreeMap<usize, GeneralizedVelocity<Symbolic>>,
) -> [Symbolic; 3] {
    let k = &record.kinematics;
    let biases = [&k.normal_bias, &k.tangential_bias[0], &k.tangential_bias[1]];
    std::array::from_fn(|i| {
        let mut sum = biases[i].clone();
        for side in &record.sides {
            if let Some(a) = free.get(&side.body) {
                sum = sum + side.forces[i].dot(&a.linear) + side.moments[i].dot(&a.angular);
            }
        }
        sum
    })
}
