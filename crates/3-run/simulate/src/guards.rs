//! The contacts of a run as the table of the automaton asks about them, and the guards of closed ones as functions crossed from above.
//!
//! # Guards of a closed contact [SPEC §3]
//! | guard | function, crossed from above |
//! |---|---|
//! | it opens: λ_N < 0 | the margin of its negation |
//! | a sticking one breaks away: ∣λ_T∣ > μ λ_N | the same |
//! | a slipping one stops: ġ_T = 0 | ġ_T·e, e its direction at the start of the step |
//! | it does not slip slowly any more | 1 − ∣ġ_T∣ / (10 v), v the speed below which it does |
//!
//! The first three are margins of the table ([`Atom::margin`]). Beyond the limit of friction, and beyond λ_N = 0, a contact has the slack that the contact node needs to see it move: there the guard is crossed
//! for good. (A heavy body has that acceleration with a force far above the tolerance of forces.) Where
//! ġ_T·e crosses zero and ġ_T is not zero, the contact slips on in a new direction. The fourth is no event of the automaton, but one of how this crate follows a slow slip; and of a contact without friction
//! that is at rest, which is named so until it moves.

use crate::island::{Active, Evaluation};
use crate::system::System;
use dyverse_machine::{
    Atom, Case, ContactQuantities, FrictionMode, Move, Phase, Quantity, Standing, Thresholds, moves,
};
use dyverse_mech::{ContactKinematics, Triple};

/// Guards of a closed contact, without those of its couple (couples.rs).
pub(crate) const GUARDS: usize = 3;

/// The quantities of one contact of a run, as far as they are known at the stage that asks.
#[derive(Clone, Copy)]
pub(crate) struct ContactAt<'a> {
    pub(crate) kinematics: &'a ContactKinematics<f64>,
    /// λ, or nothing where no force is known.
    pub(crate) force: Triple,
    /// g̈.
    pub(crate) acceleration: Triple,
    pub(crate) friction: f64,
    pub(crate) slack: f64,
    pub(crate) direction: Option<[f64; 2]>,
}

impl<'a> ContactAt<'a> {
    /// What positions and velocities say.
    pub(crate) fn moving(kinematics: &'a ContactKinematics<f64>) -> Self {
        ContactAt {
            kinematics,
            force: [0.0; 3],
            acceleration: [0.0; 3],
            friction: 0.0,
            slack: 0.0,
            direction: None,
        }
    }

    /// The one move that the table has for it. On doubles one is certain; what is no number makes none.
    pub(crate) fn does(&self, phase: Phase, stands: Standing, limits: &Thresholds) -> Option<Move> {
        moves(phase, stands, &mut |atom: Atom| atom.holds(self, limits)).only()
    }

    /// The mode that a contact node gives it.
    pub(crate) fn mode(&self, limits: &Thresholds) -> Option<FrictionMode> {
        self.does(Phase::ContactExit, Standing::Held, limits)?.mode()
    }
}

impl ContactQuantities for ContactAt<'_> {
    type S = f64;

    fn normal(&self, quantity: Quantity) -> f64 {
        match quantity {
            Quantity::Gap => self.kinematics.closing_gap(),
            Quantity::NormalVelocity => self.kinematics.normal_velocity,
            Quantity::NormalAcceleration => self.acceleration[0],
            Quantity::NormalForce => self.force[0],
            // Estimates and what is no number of the normal direction are not asked for here.
            _ => f64::NAN,
        }
    }

    fn tangential(&self, quantity: Quantity) -> [f64; 2] {
        match quantity {
            Quantity::TangentialSpeed => self.kinematics.tangential_velocity,
            Quantity::TangentialAcceleration => [self.acceleration[1], self.acceleration[2]],
            Quantity::TangentialForce => [self.force[1], self.force[2]],
            _ => [f64::NAN; 2],
        }
    }

    fn friction(&self) -> f64 {
        self.friction
    }

    fn slack(&self) -> f64 {
        self.slack
    }

    fn direction(&self) -> Option<[f64; 2]> {
        self.direction
    }
}

/// The guards of the contact at a place of a location whose right-hand side was evaluated last.
pub(crate) fn guards(system: &System<'_>, at: &Evaluation, active: &[Active], place: usize) -> [f64; GUARDS] {
    let kinematics = &at.kinematics[place];
    let mut contact = ContactAt {
        force: at.forces[place],
        friction: at.friction[place],
        ..ContactAt::moving(kinematics)
    };
    let until = |does: Move, contact: &ContactAt<'_>| {
        let [atom] = Case::of(Phase::Flow, does).when else {
            unreachable!("bug: modes end by one comparison");
        };
        atom.negated().margin(contact, &system.thresholds)
    };
    let friction = match active[place].slides {
        None => {
            contact.slack = 4.0 * system.still() / at.tangential_mobility(place);
            until(Move::BreaksAway, &contact)
        }
        Some(start) => {
            contact.direction = Some(start);
            until(Move::Stops, &contact)
        }
    };
    let [u, v] = kinematics.tangential_velocity;
    let pulls = system.still() / at.normal_mobility(place);
    [
        until(Move::Opens, &contact) + (pulls - system.thresholds.force).max(0.0),
        friction,
        1.0 - u.hypot(v) / (10.0 * system.slow()),
    ]
}
