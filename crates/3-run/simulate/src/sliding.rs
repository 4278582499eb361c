//! Motion along the surfaces of switches (Filippov).
//!
//! Where both sides of a surface d = 0 push the motion to the other one, it goes along the surface: the load is the mix α h⁺ + (1 − α) h⁻ that keeps it there [Filippov 1988, ch. 2].
//! α follows from the motion itself:
//!
//! | d reads | α such that | |
//! |---|---|---|
//! | velocities | ḋ + κ d = 0 | order 1 |
//! | positions only | d̈ + 2 κ ḋ + κ² d = 0 | order 2 |
//!
//! κ takes out what roundings leave of d, slowly beside the motion. Accelerations are affine in loads while modes of contacts stay, so one step of Newton's method finds α; several surfaces
//! have a mix each (loads.rs), of which the least change is taken where they are not independent. α has a value beyond [0, 1] too: leaving is an event (watch.rs), found on a smooth
//! function.
//!
//! ḋ and d̈ come from evaluating d on dual numbers along the motion.

use crate::index::{ContactIx, GroupIx};
use crate::island::{Active, Evaluation, Fault};
use crate::loads::{At, Order, STATE, Source, Stand};
use crate::switches::ROUNDINGS;
use crate::system::System;
use dyverse_expr::SymbolId;
use dyverse_mech::EntityState;
use dyverse_model::EntityId;
use dyverse_num::{Dual, Quaternion, Vec3};

/// Rounds of Newton's method at the most: one for what is affine.
const MOST_ROUNDS: usize = 12;
/// What is left of a rate, part of what the sides make of it.
const LEFT: f64 = 1e-13;
/// A row that is no more than this part away from those before it depends on them.
const DEPENDENT: f64 = 1e-9;

/// A number with its first and second derivative by time.
pub(crate) type Second = Dual<Dual<f64>>;

/// x with x′ and x″.
pub(crate) fn second(x: f64, first: f64, second: f64) -> Second {
    Dual::new(Dual::new(x, first), Dual::new(first, second))
}

/// A surface of switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SurfaceId {
    /// Of loads: group and place among its surfaces.
    Load(GroupIx, usize),
    /// The edges of a contact's friction over its slip speed (curve.rs).
    Slip(ContactIx),
}

impl SurfaceId {
    /// What the surface belongs to: the first of a group, or the contact.
    pub(crate) fn owner(self) -> SurfaceId {
        match self {
            SurfaceId::Load(group, _) => SurfaceId::Load(group, 0),
            SurfaceId::Slip(_) => self,
        }
    }
}

/// How the states of some entities change: x′ and x″, that of velocities left out.
pub(crate) struct Rates {
    first: Vec<[f64; STATE]>,
    second: Vec<[f64; STATE]>,
}

impl Rates {
    /// x′ and x″ of a symbol.
    pub(crate) fn of(&self, system: &System<'_>, entities: &[EntityId], id: SymbolId) -> [f64; 2] {
        match system.sources.source(id) {
            Source::Time => [1.0, 0.0],
            Source::State(entity, component) => match entities.binary_search(&entity) {
                Ok(place) => [self.first[place][component], self.second[place][component]],
                Err(_) => [0.0; 2],
            },
            Source::Constant(_) | Source::Input(_) => [0.0; 2],
        }
    }
}

impl Evaluation {
    /// The whole right-hand side of an island.
    pub(crate) fn right_hand_side(
        &mut self,
        system: &System<'_>,
        entities: &[EntityId],
        active: &[Active],
        t: f64,
        x: &[f64],
        dx: &mut [f64],
    ) -> Result<(), Fault> {
        let along = self.along(system, entities, active);
        if along.is_empty() {
            return self.side(system, entities, active, t, x, dx);
        }
        let solved = solve(
            self,
            along.len(),
            &mut |at, parts| {
                at.set_parts(&along, parts);
                at.side(system, entities, active, t, x, dx)
            },
            &|at| {
                let rates = at.rates();
                along
                    .iter()
                    .map(|id| at.departure(system, entities, &rates, (t, x), *id))
                    .collect()
            },
            false,
        )?;
        match solved {
            Some(_) => Ok(()),
            None => Err(Fault::NotAlong {
                switches: along.iter().map(|id| system.switch_name(*id)).collect(),
            }),
        }
    }

    /// The surfaces that the motion of some entities goes along.
    pub(crate) fn along(
        &self,
        system: &System<'_>,
        entities: &[EntityId],
        active: &[Active],
    ) -> Vec<SurfaceId> {
        if !system.has_switches {
            return Vec::new();
        }
        let of_group = |group: GroupIx| {
            let stands = self.stands.get(group).and_then(Option::as_ref);
            let surfaces = stands.into_iter().flat_map(|stands| stands.along());
            surfaces
                .map(move |surface| SurfaceId::Load(group, surface))
                .collect::<Vec<_>>()
        };
        let slips = active.iter().filter(|a| a.slides.is_some());
        let slips = slips.filter(|a| self.grip(a.contact).is_some_and(|grip| grip.is_along()));
        let loads = system.switching(entities).flat_map(of_group);
        loads.chain(slips.map(|a| SurfaceId::Slip(a.contact))).collect()
    }

    /// How the friction of a contact stands.
    pub(crate) fn grip(&self, contact: ContactIx) -> Option<Stand> {
        self.grips.get(contact).copied().flatten()
    }

    pub(crate) fn set_grip(&mut self, contact: ContactIx, stand: Option<Stand>) {
        self.grips.set(contact, stand);
    }

    pub(crate) fn stand(&self, id: SurfaceId) -> Option<Stand> {
        match id {
            SurfaceId::Load(group, surface) => {
                let stands = self.stands.get(group)?.as_ref()?;
                stands.stands.get(surface).copied()
            }
            SurfaceId::Slip(contact) => self.grip(contact),
        }
    }

    pub(crate) fn set_stand(&mut self, id: SurfaceId, stand: Stand) {
        match id {
            SurfaceId::Load(group, surface) => {
                let stands = self.stands.get_mut(group).and_then(Option::as_mut);
                if let Some(slot) = stands.and_then(|stands| stands.stands.get_mut(surface)) {
                    *slot = stand;
                }
            }
            SurfaceId::Slip(contact) => self.set_grip(contact, Some(stand)),
        }
    }

    /// The slip speed of a contact that was evaluated last, with its rate and what that is added up from.
    pub(crate) fn slip(&self, contact: ContactIx) -> Option<[f64; 3]> {
        let number = self.ids.iter().position(|id| *id == contact)?;
        let [u, v] = self.kinematics.get(number)?.tangential_velocity;
        let speed = u.hypot(v);
        let [_, x, y] = *self.free.get(number)?;
        let [a, b] = self.tangential_acceleration(number);
        let parts = x.hypot(y) + (a - x).hypot(b - y);
        Some([speed, (u * a + v * b) / speed, parts])
    }

    /// The rounding of the slip speed of a contact by its place among those evaluated last.
    pub(crate) fn slip_noise(&self, system: &System<'_>, entities: &[EntityId], place: usize) -> f64 {
        let (Some(k), Some(id)) = (self.kinematics.get(place), self.ids.get(place)) else {
            return 0.0;
        };
        let (a, b) = system.contact(*id).entities();
        let sizes = [a, b].into_iter().zip(&k.arms).map(|(entity, arm)| {
            let state = system.state_among(entities, &self.states, entity);
            state.velocity.norm() + state.angular_velocity.norm() * arm.norm()
        });
        ROUNDINGS * sizes.sum::<f64>() + f64::MIN_POSITIVE
    }

    /// α of surfaces that the motion goes along.
    pub(crate) fn set_parts(&mut self, along: &[SurfaceId], parts: &[f64]) {
        for (id, new) in along.iter().zip(parts) {
            if let Some(Stand::Along { low, high, order, .. }) = self.stand(*id) {
                let part = *new;
                self.set_stand(
                    *id,
                    Stand::Along {
                        low,
                        high,
                        part,
                        order,
                    },
                );
            }
        }
    }

    /// α of a surface that the motion goes along.
    pub(crate) fn part(&self, id: SurfaceId) -> f64 {
        match self.stand(id) {
            Some(Stand::Along { part, .. }) => part,
            _ => f64::NAN,
        }
    }

    /// How the states evaluated last change.
    pub(crate) fn rates(&self) -> Rates {
        let mut rates = Rates {
            first: Vec::with_capacity(self.states.len()),
            second: Vec::with_capacity(self.states.len()),
        };
        for (state, acceleration) in self.states.iter().zip(&self.accelerations) {
            let rate = state.derivative(acceleration);
            let (p, q, v, w) = (
                rate.position,
                rate.orientation,
                rate.velocity,
                rate.angular_velocity,
            );
            rates
                .first
                .push([p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z]);
            // q″ = ½ (w′ q + w q′)
            let turned = |orientation: Quaternion<f64>, angular_velocity: Vec3<f64>| {
                let turning = EntityState {
                    orientation,
                    angular_velocity,
                    ..*state
                };
                turning.orientation_rate()
            };
            let (a, b) = (
                turned(state.orientation, acceleration.angular),
                turned(q, state.angular_velocity),
            );
            let q = [a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z];
            let mut second = [0.0; STATE];
            second[..3].copy_from_slice(&[v.x, v.y, v.z]);
            second[3..7].copy_from_slice(&q);
            rates.second.push(second);
        }
        rates
    }

    /// d of a surface with ḋ and d̈, for rates of the states; what is not smooth of inputs is taken to stand still.
    pub(crate) fn motion_of(
        &self,
        system: &System<'_>,
        entities: &[EntityId],
        rates: &Rates,
        (t, x): (f64, &[f64]),
        id: SurfaceId,
    ) -> [f64; 3] {
        let (group, surface) = match id {
            SurfaceId::Load(group, surface) => (group, surface),
            SurfaceId::Slip(contact) => {
                let [speed, rate, _] = self.slip(contact).unwrap_or([f64::NAN; 3]);
                return [speed, rate, 0.0];
            }
        };
        let Some(Some(stands)) = self.stands.get(group) else {
            return [f64::NAN; 3];
        };
        let loads = &system.loads[group];
        let at = self.moment(system, entities, t, x);
        let symbol = |id: SymbolId| moving(system, entities, rates, &at, id);
        let mut values: Vec<Second> = Vec::new();
        loads.evaluate(symbol, stands, 0, |d| d.value.value, &mut values);
        let d = loads.tape().quantity(&values, surface);
        [d.value.value, d.value.derivative, d.derivative.derivative]
    }

    /// What must be zero for the motion to go along a surface.
    fn departure(
        &self,
        system: &System<'_>,
        entities: &[EntityId],
        rates: &Rates,
        at: (f64, &[f64]),
        id: SurfaceId,
    ) -> f64 {
        let [d, first, second] = self.motion_of(system, entities, rates, at, id);
        let k = system.firmness;
        let stand = self.stand(id);
        let level = match (id, stand) {
            (SurfaceId::Load(group, surface), Some(Stand::Along { high, .. }))
                if system.loads[group].surfaces()[surface].is_floor =>
            {
                high
            }
            (SurfaceId::Slip(contact), Some(Stand::Along { low, .. })) => system.edge_along(contact, low),
            _ => 0.0,
        };
        let d = d - level;
        match stand {
            Some(Stand::Along {
                order: Order::Second, ..
            }) => second + 2.0 * k * first + k * k * d,
            _ => first + k * d,
        }
    }
}

/// The value of a symbol with its rates.
fn moving<F: Fn(EntityId, usize) -> f64>(
    system: &System<'_>,
    entities: &[EntityId],
    rates: &Rates,
    at: &At<'_, F>,
    id: SymbolId,
) -> Option<Second> {
    let value = at.value(id)?;
    Some(match at.sources.source(id) {
        Source::Input(input) => second(value, system.inputs.rate(input, at.anchor), 0.0),
        _ => {
            let [first, other] = rates.of(system, entities, id);
            second(value, first, other)
        }
    })
}

/// Evaluates something for some mixes.
type Setting<'a, T, E> = dyn FnMut(&mut T, &[f64]) -> Result<(), E> + 'a;

/// The mixes of so many surfaces for which all departures vanish, or only those that are independent of each other; none if there are none. `set` evaluates for some mixes,
/// `departures` gives what came of it.
pub(crate) fn solve<T, E>(
    at: &mut T,
    count: usize,
    set: &mut Setting<'_, T, E>,
    departures: &dyn Fn(&T) -> Vec<f64>,
    is_strict: bool,
) -> Result<Option<Vec<f64>>, E> {
    let mut parts = vec![0.5; count];
    set(at, &parts)?;
    let mut left = departures(at);
    for _ in 0..MOST_ROUNDS {
        // By row: how each departure changes with each part.
        let mut slopes = vec![vec![0.0; count]; count];
        for column in 0..count {
            let mut other = parts.clone();
            other[column] = if parts[column] < 0.5 { 1.0 } else { 0.0 };
            set(at, &other)?;
            let there = departures(at);
            for row in 0..count {
                slopes[row][column] = (there[row] - left[row]) / (other[column] - parts[column]);
            }
        }
        let sizes: Vec<f64> = slopes
            .iter()
            .map(|row| row.iter().map(|s| s.abs()).sum::<f64>())
            .collect();
        if sizes.iter().any(|size| !(*size > 0.0 && size.is_finite())) {
            return Ok(None);
        }
        let (change, is_independent) = least_change(&slopes, &left);
        parts.iter_mut().zip(&change).for_each(|(p, c)| *p -= c);
        set(at, &parts)?;
        left = departures(at);
        let reach = 1.0 + parts.iter().fold(0.0_f64, |most, p| most.max(p.abs()));
        let is_done =
            |n: usize| (!is_strict && !is_independent[n]) || left[n].abs() <= LEFT * sizes[n] * reach;
        if (0..count).all(is_done) {
            return Ok(Some(parts));
        }
    }
    Ok(None)
}

/// The shortest vector that the rows take to the values, as far as they are independent, and which rows are.
fn least_change(rows: &[Vec<f64>], values: &[f64]) -> (Vec<f64>, Vec<bool>) {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut found = vec![0.0; rows.len()];
    let mut basis: Vec<Vec<f64>> = Vec::new();
    let mut is_independent = Vec::with_capacity(rows.len());
    for (row, value) in rows.iter().zip(values) {
        let mut rest = row.clone();
        for q in &basis {
            let part = dot(&rest, q);
            rest.iter_mut().zip(q).for_each(|(r, q)| *r -= part * q);
        }
        let length = dot(&rest, &rest).sqrt();
        is_independent.push(length > DEPENDENT * dot(row, row).sqrt());
        if is_independent.last() == Some(&false) {
            continue;
        }
        rest.iter_mut().for_each(|r| *r /= length);
        let step = (value - dot(row, &found)) / dot(row, &rest);
        found.iter_mut().zip(&rest).for_each(|(f, r)| *f += step * r);
        basis.push(rest);
    }
    (found, is_independent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_change_solves_and_is_least() {
        let (found, _) = least_change(&[vec![2.0, 0.0], vec![0.0, 4.0]], &[1.0, 2.0]);
        assert!((found[0] - 0.5).abs() < 1e-15 && (found[1] - 0.5).abs() < 1e-15);
        // The second row says what the first one says.
        let (found, is_independent) = least_change(&[vec![1.0, 0.5], vec![2.0, 1.0]], &[1.25, 2.5]);
        assert_eq!(is_independent, [true, false]);
        assert!((found[0] - 1.0).abs() < 1e-15 && (found[1] - 0.5).abs() < 1e-15);
    }

    #[test]
    fn mixes_of_products_are_found() {
        // (α − 0.3)(1 + β) and β − 0.6 + 0.1 α: zero at (0.3, 0.57).
        let mut at = [0.0; 2];
        let mut set = |at: &mut [f64; 2], parts: &[f64]| -> Result<(), ()> {
            at.copy_from_slice(parts);
            Ok(())
        };
        let departures = |at: &[f64; 2]| vec![(at[0] - 0.3) * (1.0 + at[1]), at[1] - 0.6 + 0.1 * at[0]];
        let found = solve(&mut at, 2, &mut set, &departures, true).unwrap().unwrap();
        assert!(
            (found[0] - 0.3).abs() < 1e-12 && (found[1] - 0.57).abs() < 1e-12,
            "{found:?}"
        );
        let nowhere = |_: &[f64; 2]| vec![1.0, 1.0];
        assert_eq!(solve(&mut at, 2, &mut set, &nowhere, true), Ok(None));
    }
}
