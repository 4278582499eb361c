//! One contact as formulas: its kinematics, its laws and its columns of W.
//!
//! The kinematics are those of `ContactPair::derive_kinematics`, recorded. Where every moving side is a sphere about its centre of mass, what is
//! known of it is used: its arm is ±R n, so that the normal column of W has no moment, n × tx = ty, n × ty = −tx, and neither dg_N nor
//! w_aN depends on how it turns. That is the same over the reals, and encloses better.
//!
//! A bias that dual numbers cannot write down (pieces of `min` and `max`) is the derivative of the recorded velocity along the states with u held
//! constant, which is what it is by definition.
//!
//! # The side of a plane
//! Is decided where the run starts, and must be the same for all initial states: else an obstacle.

use super::numbers::{centred_radius, obstacle};
use super::{BodyFormulas, layout};
use crate::formulas::Obstacle;
use crate::symbolic::Symbolic;
use dyverse_expr::{NodeId, SymbolId};
use dyverse_machine::ContactId;
use dyverse_mech::law::Arm;
use dyverse_mech::{
    ContactDirections, ContactKinematics, ContactPair, EntityState, MassId, ReferenceAxis, Shape, Side,
    Surface,
};
use dyverse_model::{Contact, EntityId, Feature, FrictionOver, ImpactLaw, StateComponent, Symbol};
use dyverse_num::{Interval, Scalar, Vec3};
use std::rc::Rc;

/// The formulas of a contact.
///
/// Where a frictionless ball's angular velocity is left out of the states, tangential velocities are those of a ball that does not
/// turn: nothing depends on them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactFormulas {
    /// g_N.
    pub gap: NodeId,
    /// dg_N.
    pub normal_velocity: NodeId,
    /// dg_T.
    pub tangential_velocity: [NodeId; 2],
    /// w_aN.
    pub normal_bias: NodeId,
    /// w_aT.
    pub tangential_bias: [NodeId; 2],
    /// n: three formulas.
    pub normal: [NodeId; 3],
    /// e_N.
    pub restitution: NodeId,
    /// e_T.
    pub tangential_restitution: NodeId,
    /// μ, at the present slip speed.
    pub friction: NodeId,
    /// Whether μ is literally 0.
    pub is_frictionless: bool,
}

/// A contact, recorded.
#[derive(Debug)]
pub(crate) struct ContactRecord {
    pub(crate) kinematics: ContactKinematics<Symbolic>,
    pub(crate) restitution: Symbolic,
    pub(crate) tangential_restitution: Symbolic,
    pub(crate) friction: Symbolic,
    pub(crate) directions: ContactDirections<Symbolic>,
    /// Whether B_jj = 0 and C_jj is a multiple of the identity.
    pub(crate) is_isotropic: bool,
    pub(crate) formulas: ContactFormulas,
}

impl BodyFormulas<'_> {
    /// The formulas of a contact, tangents made from the given axis of the world.
    ///
    /// # Errors
    /// [`Obstacle`] for a pair of shapes without a closed form, a plane on whose two sides an entity may start, and laws out of range.
    pub fn contact(&mut self, contact: ContactId, axis: ReferenceAxis) -> Result<ContactFormulas, Obstacle> {
        Ok(self.contact_record(contact, axis)?.formulas)
    }

    /// The law of a contact's impacts.
    pub(crate) fn impact_law(&self, contact: ContactId) -> ImpactLaw {
        let (first, second) = self.contacts[contact.index()].entities;
        self.model().law(first, second).impact
    }

    pub(crate) fn contact_record(
        &mut self,
        contact: ContactId,
        axis: ReferenceAxis,
    ) -> Result<Rc<ContactRecord>, Obstacle> {
        if let Some(known) = self.records.get(&(contact, axis)) {
            return Ok(known.clone());
        }
        let made = Rc::new(self.recorded(contact, axis)?);
        self.records.insert((contact, axis), made.clone());
        Ok(made)
    }

    fn recorded(&mut self, contact: ContactId, axis: ReferenceAxis) -> Result<ContactRecord, Obstacle> {
        let pair = self.pair(contact)?;
        let contact_of = self.contacts[contact.index()];
        let radii = self.radii(&contact_of, &pair);
        let kinematics = self.kinematics(contact, &pair, axis, &radii)?;
        let directions = self.directions(&contact_of, &kinematics, radii);
        let numbers = &self.numbers;
        let law = numbers.model.law(contact_of.entities.0, contact_of.entities.1);
        for (name, node) in law.couples() {
            // Its couple is in no formula.
            if !layout::is_frictionless(numbers, node) {
                let label = &self.labels[contact.index()];
                return obstacle(format!("the `{name}` of {label}"));
            }
        }
        if numbers.model.friction_over(law) == FrictionOver::States {
            // Its decisions are in no guard.
            let label = &self.labels[contact.index()];
            return obstacle(format!(
                "the friction of {label}, which depends on states or time"
            ));
        }
        let [x, y] = &kinematics.tangential_velocity;
        let speed = (x.squared() + y.squared()).sqrt();
        let roots = [law.restitution, law.tangential_restitution, law.friction];
        let import = numbers.import(&roots, &|symbol| match symbol {
            Symbol::SlipSpeed => speed.clone(),
            _ => Symbolic::not_recordable(),
        });
        let [restitution, tangential_restitution, friction] = roots.map(|node| import.number(node));
        self.check_laws(contact, [&restitution, &tangential_restitution, &friction])?;
        let is_isotropic = directions.is_isotropic(&numbers.bodies);
        let label = &self.labels[contact.index()];
        let node = |what: &str, number: &Symbolic| numbers.node(number, || format!("the {what} of {label}"));
        let k = &kinematics;
        let two = |what: &str, v: &[Symbolic; 2]| Ok::<_, Obstacle>([node(what, &v[0])?, node(what, &v[1])?]);
        let formulas = ContactFormulas {
            gap: node("gap", &k.gap)?,
            normal_velocity: node("normal velocity", &k.normal_velocity)?,
            tangential_velocity: two("tangential velocity", &k.tangential_velocity)?,
            normal_bias: node("normal bias", &k.normal_bias)?,
            tangential_bias: two("tangential bias", &k.tangential_bias)?,
            normal: [
                node("normal", &k.normal.x)?,
                node("normal", &k.normal.y)?,
                node("normal", &k.normal.z)?,
            ],
            restitution: node("restitution", &restitution)?,
            tangential_restitution: node("tangential restitution", &tangential_restitution)?,
            friction: node("friction", &friction)?,
            is_frictionless: layout::is_frictionless(numbers, law.friction),
        };
        Ok(ContactRecord {
            kinematics,
            restitution,
            tangential_restitution,
            friction,
            directions,
            is_isotropic,
            formulas,
        })
    }

    /// The surfaces of a contact, with the side of its plane.
    fn pair(&mut self, contact: ContactId) -> Result<Rc<ContactPair<Symbolic>>, Obstacle> {
        if let Some(known) = self.pairs.get(&contact) {
            return Ok(known.clone());
        }
        let Some(found) = self.contacts.get(contact.index()).copied() else {
            return obstacle(format!("there is no contact {}", contact.index()));
        };
        let label = &self.labels[contact.index()];
        let bodies = &self.numbers.bodies;
        let (a, b) = (&bodies[found.entities.0.0], &bodies[found.entities.1.0]);
        let first = &a.surfaces[found.surfaces.0 as usize];
        let second = &b.surfaces[found.surfaces.1 as usize];
        let is_polytope = |shape: &Shape<Symbolic>| shape.kind().has_polytope_core();
        if is_polytope(&first.shape) && is_polytope(&second.shape) {
            let kinds = (first.shape.kind(), second.shape.kind());
            return obstacle(format!(
                "{label}: proofs do not follow how corners, ends and edges of a {} and a {} take over from each other",
                kinds.0, kinds.1
            ));
        }
        let side = match (
            self.side(label, &a.start, first, &b.start)?,
            self.side(label, &b.start, second, &a.start)?,
        ) {
            (Some(side), _) | (None, Some(side)) => side,
            (None, None) => Side::Front,
        };
        let pair = ContactPair::new((first, found.features.0), (second, found.features.1), side).map_err(
            |error| Obstacle {
                what: format!("{label}: {error}"),
            },
        )?;
        let pair = Rc::new(pair);
        self.pairs.insert(contact, pair.clone());
        Ok(pair)
    }

    /// The side of a plane of `wall` on which `other` starts; `None` if the surface is no plane.
    fn side(
        &self,
        label: &str,
        wall: &EntityState<Symbolic>,
        surface: &Surface<Symbolic>,
        other: &EntityState<Symbolic>,
    ) -> Result<Option<Side>, Obstacle> {
        let Shape::Plane { normal, offset } = &surface.shape else {
            return Ok(None);
        };
        let placed = wall.placement().compose(&surface.placement);
        let local = placed.apply_back(&other.position);
        let height = self
            .numbers
            .enclose(&(normal.dot(&local) - offset.clone() * normal.norm()))?;
        if height.lo() >= 0.0 {
            Ok(Some(Side::Front))
        } else if height.hi() < 0.0 {
            Ok(Some(Side::Back))
        } else {
            obstacle(format!(
                "{label}: some initial states are on either side of the plane"
            ))
        }
    }

    /// For each side: the radius, if it moves and is a sphere about its centre of mass.
    fn radii(&self, contact: &Contact, pair: &ContactPair<Symbolic>) -> [Option<Symbolic>; 2] {
        let (first, second) = pair.surfaces();
        let radius = |entity: EntityId, feature: Feature, surface: &Surface<Symbolic>| {
            let is_whole = feature == Feature::Whole && !self.numbers.bodies[entity.0].is_fixed;
            centred_radius(surface).filter(|_| is_whole).cloned()
        };
        [
            radius(contact.entities.0, contact.features.0, first),
            radius(contact.entities.1, contact.features.1, second),
        ]
    }

    fn kinematics(
        &self,
        contact: ContactId,
        pair: &ContactPair<Symbolic>,
        axis: ReferenceAxis,
        radii: &[Option<Symbolic>; 2],
    ) -> Result<ContactKinematics<Symbolic>, Obstacle> {
        let (a, b) = self.contacts[contact.index()].entities;
        let bodies = [&self.numbers.bodies[a.0], &self.numbers.bodies[b.0]];
        let derive = |states: [&EntityState<Symbolic>; 2]| {
            pair.derive_kinematics(states[0], states[1], Some(axis))
                .map_err(|error| Obstacle {
                    what: format!("{}: {error}", self.labels[contact.index()]),
                })
        };
        let mut k = derive([&bodies[0].state, &bodies[1].state])?;
        let is_round = bodies
            .iter()
            .zip(radii)
            .all(|(body, r)| body.is_fixed || r.is_some());
        if is_round {
            let still = bodies.map(|body| EntityState {
                angular_velocity: Vec3::zero(),
                ..body.state.clone()
            });
            let unturned = derive([&still[0], &still[1]])?;
            k.normal_velocity = unturned.normal_velocity;
            k.normal_bias = unturned.normal_bias;
        }
        if !k.normal_bias.is_recordable() {
            k.normal_bias = self.bias(contact, &k.normal_velocity)?;
        }
        for (bias, velocity) in k.tangential_bias.iter_mut().zip(&k.tangential_velocity) {
            if !bias.is_recordable() {
                *bias = self.bias(contact, velocity)?;
            }
        }
        Ok(k)
    }

    /// The derivative of a velocity along the motion with u held constant.
    fn bias(&self, contact: ContactId, velocity: &Symbolic) -> Result<Symbolic, Obstacle> {
        let numbers = &self.numbers;
        let node = numbers.node(velocity, || {
            format!("the velocity of {}", self.labels[contact.index()])
        })?;
        let (a, b) = self.contacts[contact.index()].entities;
        let mut bias = Symbolic::zero();
        for entity in [a, b] {
            let state = &numbers.bodies[entity.0].state;
            let (v, q) = (&state.velocity, state.orientation_rate());
            let rates = [&v.x, &v.y, &v.z, &q.w, &q.x, &q.y, &q.z];
            let components = StateComponent::POSITION
                .into_iter()
                .chain(StateComponent::ORIENTATION);
            for (component, rate) in components.zip(rates) {
                if let Some(place) = numbers.layout.place(entity, component) {
                    let symbol = SymbolId(place as u32);
                    let slope = numbers.recorder.with_pool(|pool| pool.derive(node, symbol));
                    bias = bias + numbers.recorder.number(slope) * rate.clone();
                }
            }
        }
        Ok(bias)
    }

    fn directions(
        &self,
        contact: &Contact,
        k: &ContactKinematics<Symbolic>,
        radii: [Option<Symbolic>; 2],
    ) -> ContactDirections<Symbolic> {
        let [first, second] = radii;
        let end = |entity: EntityId, radius: Option<Symbolic>, arm: &Vec3<Symbolic>| {
            let arm = radius.map_or_else(|| Arm::To(arm.clone()), Arm::Radius);
            (!self.numbers.bodies[entity.0].is_fixed).then_some((MassId(entity.0), arm))
        };
        let frame = [k.normal.clone(), k.tangents[0].clone(), k.tangents[1].clone()];
        ContactDirections::new(
            &frame,
            end(contact.entities.0, first, &k.arms[0]),
            end(contact.entities.1, second, &k.arms[1]),
        )
    }

    /// e_N in [0, 1], e_T in [−1, 1], μ ≥ 0, for all unknowns; μ of a slip speed is not looked at.
    fn check_laws(&self, contact: ContactId, laws: [&Symbolic; 3]) -> Result<(), Obstacle> {
        /// Decimals are enclosed, and sums of them a little wider.
        const ROUNDING: f64 = 1e-9;
        let ranges = [
            ("restitution", 0.0, 1.0),
            ("tangential restitution", -1.0, 1.0),
            ("friction", 0.0, f64::INFINITY),
        ];
        for (law, (what, low, high)) in laws.into_iter().zip(ranges) {
            let reads_states = {
                let node = self
                    .numbers
                    .node(law, || format!("the {what} of {}", self.labels[contact.index()]))?;
                let symbols = self.pool().symbols(&[node]);
                symbols.first().is_some_and(|id| *id <= self.variables().time())
            };
            let value = if reads_states {
                Interval::ZERO
            } else {
                self.numbers.enclose(law)?
            };
            if !(value.lo() >= low - ROUNDING && value.hi() <= high + ROUNDING) {
                return obstacle(format!(
                    "the {what} of {} may be out of range",
                    self.labels[contact.index()]
                ));
            }
        }
        Ok(())
    }
}
