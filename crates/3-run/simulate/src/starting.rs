//! The directions of what begins to slip or to roll.
//!
//! Where a contact slips slowly, the part of dg_T across its direction dies out within about |dg_T|/(μ g): the slower it slips, the stiffer that is. So a
//! contact that begins to slip, and one that slips slowly ([`Scales::slow_in_runs`](dyverse_model::Scales::slow_in_runs)) and could not stick, takes its direction n from the slow motion, on which the acceleration of the contact is along n (the
//! law of a contact that slips from rest). A guard ends that (predict.rs). Couples that begin to roll are the same with their lengths.
//!
//! # Method
//! Turns of all directions at once, n_j ← unit(a_T,j(n) + c_j n_j) with c_j = μ_j λ_N,j Σ_k ∣C_jk∣ over all that begins to move. As diag(Σ_k ∣C_jk∣) ⪰ C, a turn is a step of descent that is short
//! enough where nothing pulls them yet (a → 0, what breaks away under a load that grows); with the own block alone the contacts of one body turn each other to and fro there. From the second turn on
//! they are extrapolated ([`Mixing`]): the accelerations of a body have few directions, so few turns are enough.
//!
//! # Guarantee
//! To tolerance: directions as a turn leaves them, or, after [`MOST_TURNS`], the nearest found; a guard ends the step where the motion turns against them.

use crate::island::{Active, Evaluation, Fault, Pace};
use dyverse_mech::Mixing;
use dyverse_mech::law::{Row, Turn};

/// Turns of the directions of what begins to move, at the most.
const MOST_TURNS: usize = 100;
/// A turn that is no more than rounding, rad.
const TURNED: f64 = 1e-15;

/// What begins to move at a place of those evaluated last: contacts, then couples.
struct Starting {
    place: usize,
    /// Σ_k ∣C_jk∣.
    mobility: f64,
}

impl Evaluation {
    /// Turns the directions of what begins to move, forces being those of the directions so far.
    pub(crate) fn turn_starting(&mut self, active: &[Active]) -> Result<(), Fault> {
        let starting = self.starting(active);
        if starting.is_empty() {
            return Ok(());
        }
        let mut mixing = Mixing::new();
        let mut before: Vec<[f64; 2]> = starting.iter().map(|s| self.starts_along(s, active)).collect();
        for _ in 0..MOST_TURNS {
            let turns = starting.iter().zip(&before);
            let after: Vec<[f64; 2]> = turns.map(|(s, old)| self.turned(s, *old, active)).collect();
            let far = |(new, old): (&[f64; 2], &[f64; 2])| (new[0] - old[0]).hypot(new[1] - old[1]) > TURNED;
            let has_moved = after.iter().zip(&before).any(far);
            let next = if has_moved && starting.len() > 1 {
                extrapolated(&mut mixing, &before, &after)
            } else {
                after
            };
            for (s, direction) in starting.iter().zip(&next) {
                self.set_along(s, *direction, active);
            }
            if !has_moved {
                break;
            }
            self.solve_location()?;
            before = next;
        }
        Ok(())
    }

    fn starting(&self, active: &[Active]) -> Vec<Starting> {
        let contacts = (0..active.len())
            .filter(|n| active[*n].pace == Pace::Starting && matches!(self.rows[*n], Row::Along(_)));
        let couples = (0..self.turns.len()).filter(|n| {
            let pace = active[self.couples[*n].of].turning.pace;
            pace == Pace::Starting && matches!(self.turns[*n].roll, Turn::Along(_))
        });
        let places: Vec<usize> = contacts.chain(couples.map(|n| active.len() + n)).collect();
        let mobility = |place: usize| {
            let others = places.iter().filter(|other| **other != place);
            let beside: f64 = others.map(|other| self.tangential_coupling(place, *other)).sum();
            self.tangential_mobility(place) + beside
        };
        let starting = places.iter().map(|place| Starting {
            place: *place,
            mobility: mobility(*place),
        });
        starting.collect()
    }

    /// The direction in which it begins to move.
    fn starts_along(&self, s: &Starting, active: &[Active]) -> [f64; 2] {
        match s.place.checked_sub(active.len()) {
            None => match self.rows[s.place] {
                Row::Along(direction) => direction,
                _ => [0.0; 2],
            },
            Some(number) => match self.turns[number].roll {
                Turn::Along(edge) => edge.map(|e| e / self.couples[number].data.roll),
                Turn::Free | Turn::Held => [0.0; 2],
            },
        }
    }

    fn set_along(&mut self, s: &Starting, direction: [f64; 2], active: &[Active]) {
        match s.place.checked_sub(active.len()) {
            None => self.rows[s.place] = Row::Along(direction),
            Some(number) => {
                let roll = self.couples[number].data.roll;
                self.turns[number].roll = Turn::Along(direction.map(|d| roll * d));
            }
        }
    }

    /// Its direction, one turn nearer to that of the slow motion.
    fn turned(&self, s: &Starting, old: [f64; 2], active: &[Active]) -> [f64; 2] {
        let limit = match s.place.checked_sub(active.len()) {
            None => self.friction[s.place] * self.forces[s.place][0],
            Some(number) => {
                let couple = &self.couples[number];
                couple.data.roll * self.forces[couple.of][0]
            }
        };
        if limit <= 0.0 {
            return old;
        }
        let a = self.tangential_acceleration(s.place);
        let c = limit * s.mobility;
        let (x, y) = (a[0] + c * old[0], a[1] + c * old[1]);
        let size = x.hypot(y);
        // One that would turn round is no slow motion: it keeps its direction, and a guard ends the step.
        if size > 0.0 && x * old[0] + y * old[1] > 0.0 {
            [x / size, y / size]
        } else {
            old
        }
    }

    /// ∣C_jk∣, the Frobenius norm, of two places.
    fn tangential_coupling(&self, place: usize, other: usize) -> f64 {
        let (own, other) = (&self.directions[place], &self.directions[other]);
        let mut block = [[0.0; 2]; 2];
        for side in [&own.first, &own.second].into_iter().flatten() {
            let others = [&other.first, &other.second].into_iter().flatten();
            for shared in others.filter(|other| other.entity == side.entity) {
                for (row, column) in block.iter_mut().zip(&side.columns[1..]) {
                    let twist = self.masses[side.entity.0].apply(column);
                    for (c, other) in row.iter_mut().zip(&shared.columns[1..]) {
                        *c += other.iter().zip(&twist).map(|(c, u)| c * u).sum::<f64>();
                    }
                }
            }
        }
        block.iter().flatten().map(|c| c * c).sum::<f64>().sqrt()
    }
}

/// Directions after a turn, extrapolated; where that leads away from them, they themselves.
fn extrapolated(mixing: &mut Mixing, before: &[[f64; 2]], after: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let flat = |directions: &[[f64; 2]]| directions.as_flattened().to_vec();
    let next = mixing.next(flat(before), flat(after));
    let units = next.chunks_exact(2).zip(after).map(|(n, plain)| {
        let size = n[0].hypot(n[1]);
        let is_near = n[0] * plain[0] + n[1] * plain[1] > 0.5 * size;
        (is_near && size > 0.0).then(|| [n[0] / size, n[1] / size])
    });
    units.collect::<Option<Vec<_>>>().unwrap_or_else(|| {
        mixing.forget();
        after.to_vec()
    })
}
