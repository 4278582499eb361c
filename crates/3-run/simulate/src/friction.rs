//! μ of the contacts of an evaluation: constant, over the slip speed by modes, or over states, time and inputs.

use crate::index::GroupIx;
use crate::island::{Active, Evaluation, Fault};
use crate::system::System;
use dyverse_expr::NodeId;
use dyverse_mech::EntityId;

impl Evaluation {
    /// Frictions over states of the contacts that were evaluated, in the state x of some entities.
    pub(crate) fn frictions_over_states(
        &mut self,
        system: &System<'_>,
        entities: &[EntityId],
        t: f64,
        x: &[f64],
    ) -> Result<(), Fault> {
        for place in 0..self.ids.len() {
            let data = system.contact(self.ids[place]);
            if let Some(own) = data.friction_of_states() {
                let found = self.friction_of(system, own, entities, t, x)?;
                self.friction[place] = checked(found, || format!("the friction of {}", data.label))?;
            }
        }
        Ok(())
    }

    /// A friction over states, in the state x of some entities.
    pub(crate) fn friction_of(
        &mut self,
        system: &System<'_>,
        (node, group): (NodeId, GroupIx),
        entities: &[EntityId],
        t: f64,
        x: &[f64],
    ) -> Result<f64, Fault> {
        let at = self.moment(system, entities, t, x);
        let stands = self.stands.get(group).and_then(Option::as_ref);
        system.loads[group].friction(node, &at, stands, &mut self.scratch)
    }

    /// Friction that depends on the slip speed, modes given: one that sticks has that of rest whatever rounding says, one that begins to slip that of the slowest slip.
    pub(crate) fn friction_by_mode(&mut self, system: &System<'_>, active: &[Active]) {
        for (number, contact) in active.iter().enumerate() {
            if system.contact(contact.contact).is_friction_constant() {
                continue;
            }
            let [x, y] = self.kinematics[number].tangential_velocity;
            let (speed, stand) = match contact.slides {
                None => (0.0, None),
                Some(_) => (
                    x.hypot(y).max(system.tolerances.velocity),
                    self.grip(contact.contact),
                ),
            };
            let friction = system.friction(contact.contact, speed, stand);
            if friction >= 0.0 && friction.is_finite() {
                self.friction[number] = friction;
            }
        }
    }
}

/// A friction that is one. As it is written none is negative (L062), but a branch that goes on beyond its switch may be: there it is none.
pub(crate) fn checked(friction: f64, what: impl Fn() -> String) -> Result<f64, Fault> {
    if friction.is_finite() {
        return Ok(friction.max(0.0));
    }
    Err(Fault::NotFinite {
        what: what(),
        value: friction,
    })
}
