//! A state as guards and domains see it: quantities of contacts, compared with slack.

use crate::SLACK;
use crate::bodies::{Bodies, States, When};
use crate::finding::{Compared, MOST_COMPARED};
use crate::forces::{Forces, Stand, forces};
use dyverse_machine::{Atom, Bound, Condition, ContactId, ContactValues, Predicate, Quantity, Relation};
use dyverse_mech::ContactKinematics;
use std::collections::{BTreeMap, BTreeSet};

/// What counts as zero of speeds and accelerations of slip, in scales of the model: choosing a mode is no matter of rounding.
pub(crate) const SLIP: f64 = 1e-5;
/// What forces may be wrong by, relative to their size.
pub(crate) const FORCE: f64 = 1e-6;

/// A slip no faster has no direction, m/s, times the scale of velocities.
pub(crate) const SLOW: f64 = 1e-6;

pub(crate) struct Moment<'a> {
    bodies: &'a Bodies<'a>,
    /// None of contacts that are not judged.
    kinematics: Vec<Option<ContactKinematics<f64>>>,
    at: (When, &'a States),
    closed: &'a [Stand],
    forces: Option<Forces>,
    /// Forces that a contact node has just set: they are part of the state until time goes on.
    set: &'a BTreeMap<usize, [f64; 3]>,
    /// The size of the applied forces, N, and of free accelerations, m/s².
    load: f64,
    acceleration: f64,
}

impl<'a> Moment<'a> {
    pub(crate) fn new(
        bodies: &'a Bodies<'a>,
        when: When,
        states: &'a States,
        closed: &'a [Stand],
        set: &'a BTreeMap<usize, [f64; 3]>,
        but_for: &BTreeSet<usize>,
    ) -> Self {
        let free = bodies.free_accelerations(when, states);
        let (mut load, mut acceleration) = (bodies.size_of_loads(when, states), 0.0_f64);
        for (inertia, a) in bodies.inertia.iter().zip(&free) {
            let Some(inertia) = inertia else { continue };
            acceleration = acceleration.max(a.linear.norm());
            load = load.max(inertia.mass() * a.linear.norm());
        }
        let slow = SLOW * bodies.model.scales().velocity;
        let is_judged = |touch: &usize| !bodies.touches_any(*touch, but_for);
        Moment {
            bodies,
            kinematics: (0..bodies.touches.len())
                .map(|n| {
                    Some(n)
                        .filter(is_judged)
                        .and_then(|n| bodies.kinematics(n, states))
                })
                .collect(),
            at: (when, states),
            closed,
            forces: forces(bodies, when, states, closed, slow),
            set,
            load,
            acceleration,
        }
    }

    fn of(&self, contact: usize) -> Option<(&Forces, usize)> {
        let place = self.closed.iter().position(|s| s.touch == contact)?;
        Some((self.forces.as_ref()?, place))
    }

    /// The value of a quantity, and what it may be wrong by; `None` if it is not judged.
    fn value(&self, contact: usize, quantity: Quantity) -> Option<(f64, f64)> {
        let k = self.kinematics[contact].as_ref()?;
        let tolerances = self.bodies.model.tolerances();
        let scales = self.bodies.model.scales();
        let [x, y] = k.tangential_velocity;
        let force = || {
            if let Some(set) = self.set.get(&contact) {
                let largest = set.iter().map(|f| f.abs()).fold(self.load, f64::max);
                return Some((*set, SLACK * tolerances.force + FORCE * largest));
            }
            let (found, place) = self.of(contact)?;
            if found.is_redundant {
                return None;
            }
            let largest = found
                .forces
                .iter()
                .flatten()
                .map(|f| f.abs())
                .fold(self.load, f64::max);
            Some((found.forces[place], SLACK * tolerances.force + FORCE * largest))
        };
        let accelerations = || {
            let (found, _) = self.of(contact)?;
            let (a, b) = self.bodies.touches[contact].ends;
            let (normal, across) = k.acceleration(&found.accelerations[a], &found.accelerations[b]);
            Some((normal, across, SLIP * (scales.acceleration + self.acceleration)))
        };
        match quantity {
            Quantity::Gap => {
                let near = SLACK * (tolerances.gap + k.normal_velocity.abs() * tolerances.simultaneity);
                Some((k.closing_gap(), near))
            }
            Quantity::NormalVelocity => {
                let speed = k.normal_velocity.abs() + x.hypot(y);
                Some((
                    k.normal_velocity,
                    SLACK * tolerances.velocity * (1.0 + speed / scales.velocity),
                ))
            }
            Quantity::TangentialSpeed => Some((x.hypot(y), SLIP * scales.velocity)),
            Quantity::NormalForce => force().map(|(f, slack)| (f[0], slack)),
            Quantity::TangentialForce => force().map(|(f, slack)| (f[1].hypot(f[2]), slack)),
            Quantity::NormalAcceleration => accelerations().map(|(a, _, slack)| (a, slack)),
            Quantity::TangentialAcceleration => accelerations().map(|(_, [x, y], slack)| (x.hypot(y), slack)),
            Quantity::GapSoon
            | Quantity::NormalEstimate
            | Quantity::TangentialEstimate
            | Quantity::NormalChange
            | Quantity::TangentialChange => None,
        }
    }

    /// A quantity, its bound, and what their difference may be wrong by; `None` if that is not judged.
    fn sides(&self, contact: usize, atom: Atom) -> Option<(f64, f64, f64)> {
        let (value, slack) = self.value(contact, atom.quantity)?;
        match atom.bound {
            Bound::Zero => Some((value, 0.0, slack)),
            Bound::ForceTolerance => None,
            Bound::FrictionLimit => {
                let (normal, more) = self.value(contact, Quantity::NormalForce)?;
                // What may break away is at rest.
                let mu = self.bodies.friction(contact, 0.0, self.at);
                Some((value, mu * normal, slack + mu * more))
            }
        }
    }

    /// The comparisons because of which a condition does not hold.
    pub(crate) fn failed(&self, condition: &Condition) -> Vec<Compared> {
        let mut found = Vec::new();
        self.collect(condition, &mut found);
        found.truncate(MOST_COMPARED);
        found
    }

    fn collect(&self, condition: &Condition, found: &mut Vec<Compared>) {
        match condition {
            Condition::True | Condition::False => {}
            Condition::All(parts) | Condition::Any(parts) => {
                for part in parts.iter().filter(|part| !part.evaluate(self)) {
                    self.collect(part, found);
                }
            }
            Condition::ForAll { over, holds } | Condition::Exists { over, holds } => {
                for contact in over.iter().filter(|contact| !holds.evaluate(*contact, self)) {
                    self.collect_of(contact, holds, found);
                }
            }
        }
    }

    fn collect_of(&self, contact: ContactId, predicate: &Predicate, found: &mut Vec<Compared>) {
        match predicate {
            Predicate::And(parts) | Predicate::Or(parts) => {
                for part in parts.iter().filter(|part| !part.evaluate(contact, self)) {
                    self.collect_of(contact, part, found);
                }
            }
            Predicate::Atom(atom) => {
                if let Some((value, bound, slack)) = self.sides(contact.index(), *atom) {
                    let label = &self.bodies.touches[contact.index()].label;
                    found.push(Compared {
                        of: format!("{} of {label}", symbol(atom.quantity)),
                        found: value,
                        relation: atom.relation.symbol(),
                        bound,
                        slack,
                    });
                }
            }
        }
    }
}

fn symbol(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::Gap => "g_N",
        Quantity::GapSoon => "g_N + ġ_N Δt",
        Quantity::NormalVelocity => "ġ_N",
        Quantity::NormalAcceleration => "g̈_N",
        Quantity::TangentialSpeed => "|ġ_T|",
        Quantity::TangentialAcceleration => "|g̈_T|",
        Quantity::NormalForce => "λ_N",
        Quantity::TangentialForce => "|λ_T|",
        Quantity::NormalEstimate => "Φ_N",
        Quantity::TangentialEstimate => "|Φ_T|",
        Quantity::NormalChange => "|Δλ_N|",
        Quantity::TangentialChange => "|Δλ_T|",
    }
}

impl ContactValues for Moment<'_> {
    /// False only where it is false beyond doubt.
    fn holds(&self, contact: ContactId, atom: Atom) -> bool {
        let Some((value, bound, slack)) = self.sides(contact.index(), atom) else {
            return true;
        };
        let above = value - bound;
        match atom.relation {
            Relation::Equal => above.abs() <= slack,
            Relation::NotEqual => true,
            Relation::Greater | Relation::GreaterEqual => above >= -slack,
            Relation::Less | Relation::LessEqual => above <= slack,
        }
    }
}
