//! A state as guards and domains see it: quantities of contacts, compared with slack.

use crate::SLACK;
use crate::bodies::{Bodies, States};
use crate::forces::{Forces, Stand, forces};
use dyverse_automaton::{Atom, Bound, ContactId, ContactValues, Quantity, Relation};
use dyverse_mech::ContactKinematics;

/// What counts as zero of speeds and accelerations of slip, in scales of the model: choosing a mode is no matter of rounding.
const SLIP: f64 = 1e-5;
/// What forces may be wrong by, relative to their size.
const FORCE: f64 = 1e-6;

/// A slip no faster has no direction, m/s, times the scale of velocities.
pub(crate) const SLOW: f64 = 1e-6;

pub(crate) struct Moment<'a> {
    bodies: &'a Bodies<'a>,
    kinematics: Vec<Option<ContactKinematics<f64>>>,
    closed: &'a [Stand],
    forces: Option<Forces>,
    /// The size of the applied forces, N, and of free accelerations, m/s².
    load: f64,
    acceleration: f64,
}

impl<'a> Moment<'a> {
    pub(crate) fn new(
        bodies: &'a Bodies<'a>,
        (t, anchor): (f64, f64),
        states: &States,
        closed: &'a [Stand],
    ) -> Self {
        let free = bodies.free_accelerations(t, anchor, states);
        let (mut load, mut acceleration) = (0.0_f64, 0.0_f64);
        for (inertia, a) in bodies.inertia.iter().zip(&free) {
            let Some(inertia) = inertia else { continue };
            acceleration = acceleration.max(a.linear.norm());
            load = load.max(inertia.mass() * a.linear.norm());
        }
        let slow = SLOW * bodies.model.scales().velocity;
        Moment {
            bodies,
            kinematics: (0..bodies.touches.len())
                .map(|n| bodies.kinematics(n, states))
                .collect(),
            closed,
            forces: forces(bodies, (t, anchor), states, closed, slow),
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
                Some((k.gap, near))
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
            Quantity::NormalEstimate
            | Quantity::TangentialEstimate
            | Quantity::NormalChange
            | Quantity::TangentialChange => None,
        }
    }
}

impl ContactValues for Moment<'_> {
    /// False only where it is false beyond doubt.
    fn holds(&self, contact: ContactId, atom: Atom) -> bool {
        let contact = contact.index();
        let Some((value, mut slack)) = self.value(contact, atom.quantity) else {
            return true;
        };
        let bound = match atom.bound {
            Bound::Zero => 0.0,
            Bound::ForceTolerance => return true,
            Bound::FrictionLimit => {
                let Some((normal, more)) = self.value(contact, Quantity::NormalForce) else {
                    return true;
                };
                let speed = self.kinematics[contact].as_ref().map_or(0.0, |k| {
                    let [x, y] = k.tangential_velocity;
                    x.hypot(y)
                });
                let mu = self.bodies.friction(contact, speed);
                slack += mu * more;
                mu * normal
            }
        };
        let above = value - bound;
        match atom.relation {
            Relation::Equal => above.abs() <= slack,
            Relation::NotEqual => true,
            Relation::Greater | Relation::AtLeast => above >= -slack,
            Relation::Less | Relation::AtMost => above <= slack,
        }
    }
}
