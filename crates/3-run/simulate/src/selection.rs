//! Which forces redundant contacts have: one selection, in the contact node and along the flow.
//!
//! Forces of redundant contacts (a box on four corners, a ball wedged between two walls) are a set, λ₀ + ker G. Accelerations of what sticks are the same for all of them; whether a guard is crossed is not,
//! nor is the friction of what slips. So the node and the flow must mean the same ones, and these must lie inside the cones of friction if any do.
//!
//! | at the node | along the flow |
//! |---|---|
//! | those of least norm, if they lie inside the cones | those of least norm |
//! | else λ⁰: inside the cones, found from those of least norm, or from the node's own, by projections in turn | λ⁰ and the least change, λ = λ⁰ + δ, Gδ = −(b + Gλ⁰) |
//! | else the node's own | the same with these |
//!
//! # Projections in turn
//! Onto cones that are a little narrower, contact by contact, and onto the forces that solve the equations (nearest in the norm that the diagonal of G weights): both sets are convex, so that the forces come
//! ever nearer to both [Bregman 1965]. Inside the narrower ones there is room for forces to change before a guard is crossed.
//!
//! # What hardly moves
//! A contact that the node lets go with an acceleration that is nothing beside the loads stands on the edge of its cone, because the sweeps stop at the first forces that will do. If there are forces with
//! which it sticks, it does.
//!
//! # Guarantee
//! To tolerance: what is selected solves the equations of its modes as the node's forces do, and obeys the law of contact. That forces inside are found where there are some is heuristic (a bounded number of
//! projections); where none is found, guards ask the node.

use crate::couples::CoupleData;
use crate::run::{Halt, Run};
use dyverse_machine::Thresholds;
use dyverse_mech::law::{CoupleRow, FrozenLaw, Operator, Row, Terms, Turn, Work};
use dyverse_mech::{SustainedOutcome, Triple};

/// How wide the narrower cones are, as parts of the cones of friction: tried one after the other.
const NARROWER: [f64; 4] = [0.9, 0.99, 0.999, 0.999_999];
/// Forces that only fit wider cones than this soon leave them as loads grow: the node is asked when something moves, instead of a guard again and again.
const ROOM: f64 = 0.99;
/// Projections in turn, at the most.
const MOST_TURNS: usize = 400;
/// After so many turns what is outside the cones must have become a part of what it was, or there are no forces inside.
const LOOK_EVERY: usize = 25;
const LESS: f64 = 0.7;
/// An acceleration with which a contact hardly moves, m/s², times the scale of accelerations.
const HARDLY: f64 = 1e-6;
/// What rates may be wrong by, in accelerations that count as zero.
const SOLVED: f64 = 10.0;

/// What was selected.
pub(crate) struct Selected {
    /// λ⁰, by contact; zero where the flow takes those of least norm.
    pub(crate) priors: Vec<Triple>,
    /// Whether they are one choice of many, and far enough inside the cones to last.
    pub(crate) has_room: bool,
    /// Eliminations that it took.
    turns: usize,
}

impl Run<'_> {
    /// Selects forces for contacts evaluated last, and counts what that takes.
    pub(crate) fn select(
        &mut self,
        t: f64,
        outcome: &mut SustainedOutcome,
        rests: &Thresholds,
    ) -> Result<Selected, Halt> {
        let selected = self.selected(outcome, rests);
        let count = outcome.forces.len();
        self.evaluation.count_eliminations(count, selected.turns);
        let told = self.evaluation.pulse.beat(selected.turns * count);
        told.map_err(|fault| self.fault(fault, t))?;
        Ok(selected)
    }

    /// Selects forces for contacts evaluated last, of which the contact node made `outcome`; that is changed to what is selected.
    fn selected(&self, outcome: &mut SustainedOutcome, rests: &Thresholds) -> Selected {
        let at = &self.evaluation;
        let count = outcome.opens.len();
        let none = Selected {
            priors: vec![[0.0; 3]; outcome.forces.len()],
            has_room: false,
            turns: 0,
        };
        if count < 2 {
            return none;
        }
        let terms: Vec<Terms<f64>> = (0..count)
            .map(|n| Terms {
                bias: at.free[n],
                friction: at.friction[n],
            })
            .collect();
        let mut hardly = vec![false; count];
        let mut rows = Vec::with_capacity(count);
        for (n, is_hardly) in hardly.iter_mut().enumerate() {
            let [x, y] = at.kinematics[n].tangential_velocity;
            let [_, u, v] = outcome.accelerations[n];
            let (speed, starts) = (x.hypot(y), u.hypot(v));
            rows.push(if outcome.opens[n] {
                Row::Open
            } else if at.friction[n] == 0.0 {
                Row::Smooth
            } else if speed > rests.velocity {
                Row::Along([x / speed, y / speed])
            } else if starts <= HARDLY * self.system.scales.acceleration {
                *is_hardly = starts > rests.acceleration;
                Row::Stick
            } else {
                Row::Along([u / starts, v / starts])
            });
        }
        let couples = at.couples.iter().enumerate();
        let turns: Vec<CoupleRow<f64>> = couples
            .map(|(number, couple)| {
                let turning = at.turning_of(&self.system, outcome, couple.of);
                if outcome.opens[couple.of] {
                    return couple.row_without();
                }
                couple.row_of(&turning, at.free[count + number])
            })
            .collect();
        let law = FrozenLaw {
            operator: Operator::Columns {
                masses: &at.masses,
                directions: &at.directions,
            },
            terms: &terms,
            rows: &rows,
            couples: &turns,
        };
        let bounds: Vec<CoupleData> = at.couples.iter().map(|couple| couple.data).collect();
        let mut work = Work::new();
        let Ok(shortest) = law.least_norm(&mut work) else {
            return none;
        };
        let shortest = shortest.to_vec();
        if !work.is_redundant() {
            return none;
        }
        let solved = SOLVED * self.system.still();
        let mut turns = 1;
        let is_shortest = outside(&law, &bounds, &shortest, 1.0) <= 0.0;
        let found = if is_shortest {
            Some((shortest, 0.0))
        } else {
            // The node's own may be at the tip of a cone, where a force that changes leaves it at once.
            let mut from = |start: &[Triple]| turn_by_turn((&law, &bounds), start, &mut work, &mut turns);
            from(&shortest).or_else(|| from(&outcome.forces))
        };
        match found.filter(|(forces, _)| is_solved(&law, forces, solved)) {
            Some((forces, part)) => {
                // Where nothing slips, and all that stick do so by the node's own, these are as good, and what is told of them.
                let slips = rows.iter().any(|row| matches!(row, Row::Along(_)));
                let keeps = (is_shortest || !slips) && !hardly.contains(&true);
                if !keeps {
                    let still = hardly.iter().zip(&mut outcome.accelerations);
                    still.filter(|(is, _)| **is).for_each(|(_, a)| *a = [0.0; 3]);
                    outcome.forces.clone_from(&forces);
                }
                Selected {
                    priors: if is_shortest { none.priors } else { forces },
                    has_room: part <= ROOM,
                    turns,
                }
            }
            None => Selected {
                priors: outcome.forces.clone(),
                has_room: false,
                turns,
            },
        }
    }
}

/// How far forces are outside cones that are a part as wide; 0 inside them.
fn outside(law: &FrozenLaw<'_, f64>, bounds: &[CoupleData], forces: &[Triple], part: f64) -> f64 {
    let contacts = law.rows.iter().zip(law.terms).zip(forces);
    let each = contacts.map(|((row, terms), [n, x, y])| match row {
        Row::Stick => (x.hypot(*y) - part * terms.friction * n).max(-n),
        _ => -n,
    });
    let couples = law.couples.iter().zip(bounds);
    let couples = couples.zip(forces.iter().skip(law.rows.len()));
    let turns = couples.map(|((row, bound), [s, x, y])| {
        let limit = part * forces[row.of][0];
        let over = |turn: bool, size: f64, bound: f64| if turn { size - bound * limit } else { 0.0 };
        let roll = over(matches!(row.roll, Turn::Held), x.hypot(*y), bound.roll);
        roll.max(over(matches!(row.spin, Turn::Held), s.abs(), bound.spin))
    });
    each.chain(turns).fold(0.0, f64::max)
}

/// Whether forces solve the equations of their rows, and close nothing that opens: where contacts slip, other forces are another friction.
fn is_solved(law: &FrozenLaw<'_, f64>, forces: &[Triple], slack: f64) -> bool {
    let rates = law.rates(forces);
    let mut couples = law.couples.iter().zip(rates.iter().skip(law.rows.len()));
    let turns = |(row, rate): (&CoupleRow<f64>, &Triple)| row.held().all(|c| rate[c].abs() <= slack);
    if !couples.all(turns) {
        return false;
    }
    law.rows.iter().zip(rates).all(|(row, [n, x, y])| match row {
        Row::Open => n >= -slack,
        Row::Stick => n.abs().max(x.hypot(y)) <= slack,
        _ => n.abs() <= slack,
    })
}

/// Forces inside the cones, by projections in turn, and how narrow these were.
fn turn_by_turn(
    (law, bounds): (&FrozenLaw<'_, f64>, &[CoupleData]),
    start: &[Triple],
    work: &mut Work<f64>,
    turns: &mut usize,
) -> Option<(Vec<Triple>, f64)> {
    for part in NARROWER {
        let mut forces = start.to_vec();
        let mut before = f64::INFINITY;
        for turn in 1..=MOST_TURNS {
            let contacts = forces.iter_mut().zip(law.rows).zip(law.terms);
            contacts.for_each(|((force, row), terms)| {
                let friction = if matches!(row, Row::Stick) {
                    part * terms.friction
                } else {
                    f64::INFINITY
                };
                *force = onto_cone(force, friction);
            });
            for (number, (row, bound)) in law.couples.iter().zip(bounds).enumerate() {
                let limit = part * forces[row.of][0];
                let [s, x, y] = &mut forces[law.rows.len() + number];
                if matches!(row.spin, Turn::Held) {
                    *s = s.clamp(-bound.spin * limit, bound.spin * limit);
                }
                let size = x.hypot(*y);
                if matches!(row.roll, Turn::Held) && size > bound.roll * limit {
                    let share = bound.roll * limit / size;
                    (*x, *y) = (share * *x, share * *y);
                }
            }
            *turns += 1;
            forces = law.nearest(&forces, work).ok()?.to_vec();
            let off = outside(law, bounds, &forces, 0.5 * (1.0 + part));
            if off <= 0.0 {
                return Some((forces, part));
            }
            if turn % LOOK_EVERY == 0 {
                if off > LESS * before {
                    break;
                }
                before = off;
            }
        }
    }
    None
}

/// The nearest force with ∣λ_T∣ ≤ μ λ_N.
fn onto_cone([n, x, y]: &Triple, friction: f64) -> Triple {
    let across = x.hypot(*y);
    if friction.is_infinite() || across <= friction * n {
        return [n.max(0.0), *x, *y];
    }
    let normal = (n + friction * across).max(0.0) / (1.0 + friction * friction);
    let share = friction * normal / across;
    [normal, share * x, share * y]
}
