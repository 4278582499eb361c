//! Rolling and spinning friction: the couples beside closed contacts.
//!
//! # Where they stand
//! The couple of a contact is one more entry after all contacts, with a triple (spin, roll x, roll y) of forces and rates (`dyverse_mech::law`, couple.rs): turns about the normal and the tangents of the contact, times the length of the smaller
//! body, so that everything said about sizes of contacts holds for it. Its bounds are numbers times the contact's λ_N.
//!
//! # A chart
//! The location of the automaton says how a contact stands: stick, trans, slip. Whether what it presses rolls, spins or does neither is a chart beside it ([`Turning`]), as the direction of a slip is: it changes the field, and no edge is about it. Where it changes
//! the contact node is asked anew, because forces jump there; if that changes modes, they change by edges.
//!
//! | chart | guard, crossed from above |
//! |---|---|
//! | a part is held | what its bound is above it |
//! | it turns | its rate along the direction with which the step began |
//! | it begins to roll | 1 − ω_r L / (10 v), as for slow slips |
//!
//! What begins to roll, or rolls slowly, has its direction from the slow motion, as a contact that begins to slip has (island.rs).
//!
//! # Impacts
//! Have no couples: only what lasts resists turning. Where contacts are followed by steps, impulses over a step are both, and couples are bounded by all of them.

use crate::island::{Active, Evaluation, Pace, sliding_direction_of};
use crate::system::System;
use dyverse_machine::{Case, Move, Phase};
use dyverse_mech::law::{CoupleRow, Turn};
use dyverse_mech::{
    ContactDirections, ContactKinematics, EntityState, MassId, SustainedCouple, SustainedOutcome, Triple,
};
use dyverse_num::Vec3;

/// Guards of the couple of a closed contact: its rolling part, its spinning part, and the pace with which it rolls.
pub(crate) const COUPLE_GUARDS: usize = 3;

/// The couple of a contact of a model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CoupleData {
    /// By what turns are multiplied, m.
    pub(crate) length: f64,
    /// ρ_r and ρ_s, divided by it.
    pub(crate) roll: f64,
    pub(crate) spin: f64,
}

/// The couple of a contact that was evaluated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CoupleAt {
    /// The place of its contact among those evaluated.
    pub(crate) of: usize,
    pub(crate) data: CoupleData,
    /// (spin, roll x, roll y), m/s.
    pub(crate) rates: Triple,
    /// What these gain without accelerations, because the frame turns.
    pub(crate) bias: Triple,
}

/// How a closed contact turns: the chart of its couple.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turning {
    /// The direction in which it rolls, in the contact's frame; none if it does not.
    pub(crate) roll: Option<[f64; 2]>,
    pub(crate) pace: Pace,
    /// The sign with which it spins.
    pub(crate) spin: Option<f64>,
    /// What the couple of redundant contacts stays near to (selection.rs).
    pub(crate) prior: Triple,
}

impl Turning {
    /// Neither rolls nor spins.
    pub(crate) const NONE: Self = Turning {
        roll: None,
        pace: Pace::Fast,
        spin: None,
        prior: [0.0; 3],
    };

    /// What velocities say: rates up to `still` are none.
    pub(crate) fn of_rates(data: &CoupleData, [s, x, y]: Triple, still: f64) -> Self {
        let speed = x.hypot(y);
        Turning {
            roll: (data.roll > 0.0 && speed > still).then(|| [x / speed, y / speed]),
            spin: (data.spin > 0.0 && s.abs() > still).then(|| s.signum()),
            ..Turning::NONE
        }
    }

    /// Whether it turns, or begins to.
    pub(crate) fn is_turning(&self) -> bool {
        self.roll.is_some() || self.spin.is_some()
    }
}

impl CoupleAt {
    /// The couple at a place, in the frame of its contact.
    pub(crate) fn new(
        of: usize,
        data: CoupleData,
        k: &ContactKinematics<f64>,
        (first, second): (&EntityState<f64>, &EntityState<f64>),
    ) -> Self {
        let turns = second.angular_velocity - first.angular_velocity;
        let along = |v: &Vec3<f64>| data.length * turns.dot(v);
        let [n, x, y] = &k.frame_rates;
        CoupleAt {
            of,
            data,
            rates: [along(&k.normal), along(&k.tangents[0]), along(&k.tangents[1])],
            bias: [along(n), along(x), along(y)],
        }
    }

    /// How fast it rolls.
    pub(crate) fn rolling(&self) -> f64 {
        self.rates[1].hypot(self.rates[2])
    }

    fn row(&self, bias: Triple, spin: Turn<f64>, roll: Turn<[f64; 2]>) -> CoupleRow<f64> {
        CoupleRow {
            of: self.of,
            bounds: [self.data.spin, self.data.roll],
            bias,
            spin: if self.data.spin > 0.0 { spin } else { Turn::Free },
            roll: if self.data.roll > 0.0 { roll } else { Turn::Free },
        }
    }

    /// Its row with a chart: what turns has its bound against it.
    pub(crate) fn row_of(&self, turning: &Turning, bias: Triple) -> CoupleRow<f64> {
        let roll = match turning.roll {
            None => Turn::Held,
            Some(start) => {
                let d = sliding_direction_of([self.rates[1], self.rates[2]], start, turning.pace);
                Turn::Along(d.map(|d| self.data.roll * d))
            }
        };
        let spin = turning
            .spin
            .map_or(Turn::Held, |sign| Turn::Along(self.data.spin * sign));
        self.row(bias, spin, roll)
    }

    /// Its row where velocities are changed: what does not turn stays so.
    pub(crate) fn row_at_rest(&self, turning: &Turning) -> CoupleRow<f64> {
        let roll = turning.roll.map_or(Turn::Held, |_| Turn::Free);
        let spin = turning.spin.map_or(Turn::Held, |_| Turn::Free);
        self.row(self.rates, spin, roll)
    }

    /// Its row where it has no part.
    pub(crate) fn row_without(&self) -> CoupleRow<f64> {
        self.row([0.0; 3], Turn::Free, Turn::Free)
    }

    /// Its directions.
    pub(crate) fn directions(
        data: &CoupleData,
        frame: &[Vec3<f64>; 3],
        ends: [Option<MassId>; 2],
    ) -> ContactDirections<f64> {
        ContactDirections::of_couple(frame, &data.length, ends[0], ends[1])
    }
}

impl Evaluation {
    /// The couple of the contact at a place of those evaluated last, and its place among directions and forces.
    pub(crate) fn couple(&self, place: usize) -> Option<(usize, &CoupleAt)> {
        let number = self.couples.iter().position(|couple| couple.of == place)?;
        Some((self.ids.len() + number, &self.couples[number]))
    }

    /// The couples evaluated last, as a contact node takes them.
    pub(crate) fn sustained_couples(&self) -> Vec<SustainedCouple> {
        let couples = self.couples.iter().zip(self.free.iter().skip(self.ids.len()));
        couples
            .map(|(couple, free)| SustainedCouple {
                of: couple.of,
                free_acceleration: *free,
                velocity: couple.rates,
                spin: couple.data.spin,
                roll: couple.data.roll,
            })
            .collect()
    }

    /// The chart that a contact node gives the contact at a place.
    pub(crate) fn turning_of(
        &self,
        system: &System<'_>,
        outcome: &SustainedOutcome,
        place: usize,
    ) -> Turning {
        let Some((number, couple)) = self.couple(place) else {
            return Turning::NONE;
        };
        let Some([s, x, y]) = outcome.accelerations.get(number).copied() else {
            return Turning::NONE;
        };
        let limits = &system.thresholds;
        let mut turning = Turning::of_rates(&couple.data, couple.rates, limits.velocity);
        let begins = Turning::of_rates(&couple.data, [s, x, y], limits.acceleration);
        turning.spin = turning.spin.or(begins.spin);
        if turning.roll.is_none() && begins.roll.is_some() {
            (turning.roll, turning.pace) = (begins.roll, Pace::Starting);
        }
        turning
    }

    /// The guards of the couple of the contact at a place of a location whose right-hand side was evaluated last; 1 where there is none.
    pub(crate) fn couple_guards(
        &self,
        system: &System<'_>,
        active: &[Active],
        place: usize,
    ) -> [f64; COUPLE_GUARDS] {
        let Some((number, couple)) = self.couple(place) else {
            return [1.0; COUPLE_GUARDS];
        };
        let turning = &active[place].turning;
        let [_, x, y] = couple.rates;
        let [fs, fx, fy] = self.forces[number];
        let holds = |bound: f64, force: [f64; 2], mobility: f64| {
            let [atom] = Case::of(Phase::Flow, Move::BreaksAway).when else {
                unreachable!("bug: modes end by one comparison");
            };
            let held = crate::guards::ContactAt {
                force: [self.forces[place][0], force[0], force[1]],
                friction: bound,
                slack: 4.0 * system.still() / mobility,
                ..crate::guards::ContactAt::moving(&self.kinematics[place])
            };
            atom.negated().margin(&held, &system.thresholds)
        };
        let roll = match turning.roll {
            _ if couple.data.roll == 0.0 => 1.0,
            None => holds(couple.data.roll, [fx, fy], self.tangential_mobility(number)),
            Some([u, v]) => x * u + y * v,
        };
        let spin = match turning.spin {
            _ if couple.data.spin == 0.0 => 1.0,
            None => holds(couple.data.spin, [fs, 0.0], self.normal_mobility(number)),
            Some(sign) => sign * couple.rates[0],
        };
        let is_starting = turning.roll.is_some() && turning.pace == Pace::Starting;
        let pace = if is_starting {
            1.0 - couple.rolling() / (10.0 * system.slow())
        } else {
            1.0
        };
        [roll, spin, pace]
    }

    /// Whether a part of the couple at a place has stopped: it is as slow as nothing, or turns against where it went.
    pub(crate) fn has_stopped_turning(&self, system: &System<'_>, active: &Active, place: usize) -> bool {
        let Some((_, couple)) = self.couple(place) else {
            return false;
        };
        let [s, x, y] = couple.rates;
        let still = system.tolerances.velocity;
        let turning = &active.turning;
        let rolls = turning.roll.is_some_and(|[u, v]| match turning.pace {
            Pace::Fast => couple.rolling() <= still,
            Pace::Starting => x * u + y * v < 0.0 && couple.rolling() > still,
        });
        // What begins to spin has not yet turned.
        rolls || turning.spin.is_some_and(|sign| sign * s < -still)
    }

    /// How long what rolls or spins at a place goes on at its acceleration; infinite where it does not.
    pub(crate) fn turning_lasts(&self, active: &Active, place: usize) -> f64 {
        let Some((number, couple)) = self.couple(place) else {
            return f64::INFINITY;
        };
        let turning = &active.turning;
        let lasts = |speed: f64, acceleration: f64| {
            let lasts = speed / acceleration;
            if lasts > 0.0 { lasts } else { f64::INFINITY }
        };
        let mut shortest = f64::INFINITY;
        if turning.roll.is_some() && turning.pace == Pace::Fast {
            let [a, b] = self.tangential_acceleration(number);
            shortest = lasts(couple.rolling(), a.hypot(b));
        }
        shortest
    }
}
