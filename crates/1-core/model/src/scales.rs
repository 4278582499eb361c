//! The scales of a model, and the tolerances that follow from them.
//!
//! Tolerances say what counts as zero. Where a file does not give one, it follows from how large such quantities are in the model, so that a model
//! written in other units means the same. Simulation, proof, its checker, FMU and C get the numbers from here.
//!
//! # What is measured
//! | symbol | quantity | measured by |
//! |---|---|---|
//! | l | length | the thinnest surface that is bounded: a radius, a semi-axis, half the thickness of a box |
//! | E | place | the largest distance from the origin, of planes too |
//! | D | distance | the diagonal of a box around all entities, or the largest distance of what moves from a plane |
//! | u | speed | the largest \|v\| + \|ω\| r at the start |
//! | a | acceleration | the largest load at the start over the mass it acts on (if that is below 1e-3, also at eight later times of the run, everything where it begins); without loads, or with loads below 1e-30, u²/D |
//! | v | velocity | max(√(a D), u) |
//! | m | mass | the smallest of what moves |
//!
//! What is not there (no loads, nothing moves) counts as 1. Sizes and masses are the smallest that the declared ranges allow, places and speeds the largest;
//! loads are those at the nominal values. So the numbers belong to the model, not to a run or a box of its unknowns.
//!
//! # The rule
//! The scales of gap, velocity, acceleration, force and time are l, v, a, m a and l/v. A tolerance is 1e-9 of the unit; where its scale is below
//! 1e-3, 1e-9 of the scale, rounded down to a power of ten. It is never below 1e-14 of the largest such quantity (E, v, max(a, u²/l), the
//! largest mass times a), rounded up to a power of ten: there are some 45 roundings of a double in that.
//!
//! # Guarantee
//! Every number is a power of ten, and for a model whose scales lie between 1e-3 and 1e5 exactly 1e-9.

use crate::{EntityId, GivenTolerances, Model, Setting, StateComponent, Symbol, Tolerances};
use dyverse_expr::{NodeId, Program};
use dyverse_machine::Thresholds;
use dyverse_mech::Shape;
use dyverse_num::{Interval, Vec3};

/// The exponent of a tolerance where scales are ordinary.
const USUAL: i32 = -9;
/// Scales from here on are ordinary.
const SMALL: f64 = 1e-3;
/// The part of the largest quantity that a tolerance is not below.
const RESOLVED: f64 = 1e-14;
/// The part of a quantity below which a tolerance cannot be told from rounding.
const ROUNDING: f64 = 1e-15;
/// The part of the thinnest surface that the gap tolerance may be at the most.
const COARSE: f64 = 1e-3;
/// Masses, sizes and speeds outside of this have squares and cubes that doubles do not hold.
const SMALLEST: f64 = 1e-30;
const LARGEST: f64 = 1e30;

/// What the constants of the simulator are multiplied by: 1 each for a model of ordinary scales.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Scales {
    pub length: f64,
    pub velocity: f64,
    pub acceleration: f64,
    pub force: f64,
    pub time: f64,
}

impl Default for Scales {
    fn default() -> Self {
        Scales {
            length: 1.0,
            velocity: 1.0,
            acceleration: 1.0,
            force: 1.0,
            time: 1.0,
        }
    }
}

/// Accelerations below this are zero in the choice of modes, m/s², times their scale: what a solver's residual leaves of that of gravity, and more.
const ACCELERATION: f64 = 1e-9;
/// A contact that slips no faster than this slips slowly in a run, m/s, times the scale of velocities: its direction comes from its acceleration.
const SLOW_IN_RUNS: f64 = 1e-6;
/// Slower than this, m/s, times the scale of velocities, a slip whose direction is not fixed is not followed by a proof.
const SLOW_IN_PROOFS: f64 = 1e-4;

impl Scales {
    /// Accelerations below this are zero in the choice of modes, m/s².
    #[must_use]
    pub fn still(&self) -> f64 {
        ACCELERATION * self.acceleration
    }

    /// How fast a contact slips at the most that slips slowly in a run, m/s.
    #[must_use]
    pub fn slow_in_runs(&self) -> f64 {
        SLOW_IN_RUNS * self.velocity
    }

    /// How fast a contact slips at the least whose direction a proof need not know, m/s.
    #[must_use]
    pub fn slow_in_proofs(&self) -> f64 {
        SLOW_IN_PROOFS * self.velocity
    }
}

impl Model {
    /// What counts as zero in conditions on contacts: for runs, proofs, their checker, FMU and C.
    #[must_use]
    pub fn thresholds(&self) -> Thresholds {
        let Tolerances {
            gap,
            velocity,
            force,
            simultaneity,
        } = self.tolerances();
        Thresholds {
            gap,
            simultaneity,
            velocity,
            force,
            acceleration: self.scales().still(),
        }
    }
}

/// Why doubles cannot hold a model, or a tolerance that it gives.
#[derive(Clone, Debug, PartialEq)]
pub enum Unresolved {
    /// A mass, size or speed is too small or too large by itself.
    Magnitude {
        /// Of what.
        what: &'static str,
        /// The number.
        value: f64,
    },
    /// Surfaces are too thin for how far from the origin they are.
    Thin {
        /// The thinnest, m.
        size: f64,
        /// The farthest, m.
        place: f64,
    },
    /// A tolerance is below the rounding of what it is about.
    Tolerance {
        /// Which.
        name: &'static str,
        /// The number given.
        given: f64,
        /// The smallest that can be told from rounding.
        least: f64,
    },
}

/// What was measured.
#[derive(Clone, Copy, Debug)]
struct Measures {
    size: f64,
    place: f64,
    speed: f64,
    acceleration: f64,
    most_acceleration: f64,
    mass: f64,
    most_mass: f64,
}

/// The scales of a model, its tolerances, and what doubles cannot hold of it.
pub(crate) fn resolve(
    model: &Model,
    given: &GivenTolerances,
    nominal: &Setting<'_, f64>,
    enclosing: &Setting<'_, Interval>,
) -> (Scales, Tolerances, Vec<Unresolved>) {
    let m = Measures::of(model, nominal, enclosing);
    let length = exponent(m.size, m.place);
    let velocity = exponent(m.speed, m.speed);
    let acceleration = exponent(m.acceleration, m.most_acceleration);
    let force = exponent(m.mass * m.acceleration, m.most_mass * m.acceleration);
    let time = exponent(m.size / m.speed, 0.0);
    let scale = |exponent: i32| power_of_ten(exponent - USUAL);
    let scales = Scales {
        length: scale(length),
        velocity: scale(velocity),
        acceleration: scale(acceleration),
        force: scale(force),
        time: scale(time),
    };
    let tolerances = Tolerances {
        gap: given.gap.unwrap_or_else(|| power_of_ten(length)),
        velocity: given.velocity.unwrap_or_else(|| power_of_ten(velocity)),
        force: given.force.unwrap_or_else(|| power_of_ten(force)),
        simultaneity: given.simultaneity.unwrap_or_else(|| power_of_ten(time)),
    };
    (scales, tolerances, m.unresolved(given, &tolerances))
}

/// The exponent of a tolerance for the smallest scale and the largest quantity.
fn exponent(scale: f64, largest: f64) -> i32 {
    let by_scale = if scale < SMALL {
        floor_of_log(scale) + USUAL
    } else {
        USUAL
    };
    let least = RESOLVED * largest;
    if least > power_of_ten(by_scale) {
        let below = floor_of_log(least);
        if power_of_ten(below) < least {
            below + 1
        } else {
            below
        }
    } else {
        by_scale
    }
}

/// 10ⁿ, rounded once.
fn power_of_ten(exponent: i32) -> f64 {
    format!("1e{exponent}").parse().unwrap_or(0.0)
}

/// The largest n with 10ⁿ ≤ x, for x above 0; found by comparing, because logarithms are not the same everywhere.
fn floor_of_log(x: f64) -> i32 {
    let mut n = x.log10().clamp(-320.0, 308.0).floor() as i32;
    while n < 308 && power_of_ten(n + 1) <= x {
        n += 1;
    }
    while n > -320 && power_of_ten(n) > x {
        n -= 1;
    }
    n
}

impl Measures {
    fn of(model: &Model, nominal: &Setting<'_, f64>, enclosing: &Setting<'_, Interval>) -> Self {
        let masses: Vec<f64> = (0..model.entities().len())
            .map(|e| nominal.mass(EntityId(e)).unwrap_or(f64::NAN))
            .collect();
        let (mut around, mut moving) = (Bounds::default(), Bounds::default());
        let (mut size, mut place) = (f64::INFINITY, 0.0_f64);
        let (mut mass, mut most_mass, mut start_speed) = (f64::INFINITY, 0.0_f64, 0.0_f64);
        for (index, entity) in model.entities().iter().enumerate() {
            let at = enclosing.initial_placement(entity).position;
            let mut reach = 0.0_f64;
            for surface in &entity.surfaces {
                if let Some((thin, wide)) = extent(&enclosing.shape(surface)) {
                    let own = length(&enclosing.placement(surface).position);
                    size = size.min(lower(thin).unwrap_or_else(|| nominal_size(&nominal.shape(surface))));
                    reach = reach.max(magnitude(wide) + own);
                }
            }
            if reach > 0.0 {
                place = place.max(length(&at) + reach);
                around.add(&at, reach);
            }
            if entity.is_fixed {
                continue;
            }
            moving.add(&at, 0.0);
            let lightest = enclosing.mass(EntityId(index)).ok().and_then(lower);
            let lightest = lightest.unwrap_or(masses[index]);
            mass = mass.min(lightest);
            most_mass = most_mass.max(lightest);
            let initial = &entity.initial;
            let v = initial.velocity.map(|i| enclosing.initial(i));
            let w = initial.angular_velocity.map(|i| enclosing.initial(i));
            start_speed = start_speed.max(length(&v) + length(&w) * reach);
        }
        let (far, apart) = from_planes(model, nominal, &moving);
        let size = usual_if_none(size);
        let distance = usual_if_none(apart.max(around.diagonal()).max(size));
        // A load that begins as next to nothing, such as a pulse to come, is no scale.
        let loads = load_acceleration(model, nominal, &masses);
        let loads = if loads < SMALLEST { 0.0 } else { loads };
        let by_speed = start_speed * start_speed / distance;
        let acceleration = usual_if_none(if loads > 0.0 { loads } else { by_speed });
        Measures {
            size,
            place: place.max(far),
            speed: usual_if_none((loads * distance).sqrt().max(start_speed)),
            acceleration,
            most_acceleration: acceleration.max(start_speed * start_speed / size),
            mass: usual_if_none(mass),
            most_mass: usual_if_none(most_mass),
        }
    }

    fn unresolved(&self, given: &GivenTolerances, tolerances: &Tolerances) -> Vec<Unresolved> {
        for (what, value) in [
            ("smallest size", self.size),
            ("largest distance from the origin", self.place.max(self.size)),
            ("smallest mass", self.mass),
            ("largest mass", self.most_mass),
            ("scale of velocities", self.speed),
            ("scale of accelerations", self.acceleration),
        ] {
            if !(SMALLEST..=LARGEST).contains(&value) {
                // The others follow from it, or will be told next.
                return vec![Unresolved::Magnitude { what, value }];
            }
        }
        let mut found = Vec::new();
        if given.gap.is_none() && tolerances.gap > COARSE * self.size {
            found.push(Unresolved::Thin {
                size: self.size,
                place: self.place,
            });
        }
        for (name, given, largest) in [
            ("gap", given.gap, self.place),
            ("velocity", given.velocity, self.speed),
            ("force", given.force, self.mass * self.acceleration),
        ] {
            let least = ROUNDING * largest;
            if let Some(given) = given.filter(|given| *given < least) {
                found.push(Unresolved::Tolerance { name, given, least });
            }
        }
        found
    }
}

/// How far planes are from the origin, and from the box of what moves.
fn from_planes(model: &Model, nominal: &Setting<'_, f64>, moving: &Bounds) -> (f64, f64) {
    let (mut far, mut apart) = (0.0_f64, 0.0_f64);
    for entity in model.entities() {
        for surface in &entity.surfaces {
            let (Shape::Plane { normal, offset } | Shape::HalfSpace { normal, offset }) =
                nominal.shape(surface)
            else {
                continue;
            };
            let placed = nominal
                .initial_placement(entity)
                .compose(&nominal.placement(surface));
            let gap = |p: Vec3<f64>| (normal.dot(&placed.apply_back(&p)) / normal.norm() - offset).abs();
            far = [gap(Vec3::zero())]
                .into_iter()
                .filter(|d| d.is_finite())
                .fold(far, f64::max);
            apart = moving
                .corners()
                .map(gap)
                .filter(|d| d.is_finite())
                .fold(apart, f64::max);
        }
    }
    (far, apart)
}

/// Times of the run at which loads are asked for that are small at the start.
const LATER: u32 = 8;

/// The acceleration of the strongest load at nominal values, with everything where it begins: at the start, or if it is small then, at later times too.
fn load_acceleration(model: &Model, nominal: &Setting<'_, f64>, masses: &[f64]) -> f64 {
    let first = acceleration_at(model, nominal, masses, 0.0);
    let Some(horizon) = model.horizon().filter(|_| first < SMALL) else {
        return first;
    };
    let times = (1..=LATER).map(|k| horizon * f64::from(k) / f64::from(LATER));
    times
        .map(|t| acceleration_at(model, nominal, masses, t))
        .fold(first, f64::max)
}

fn acceleration_at(model: &Model, nominal: &Setting<'_, f64>, masses: &[f64], time: f64) -> f64 {
    let mass = |e: EntityId| masses.get(e.0).copied().unwrap_or(f64::NAN);
    let thin = |entity: &crate::Entity| {
        let shapes = entity.surfaces.iter().map(|s| nominal.shape(s));
        shapes.map(|shape| nominal_size(&shape)).fold(0.0, f64::max)
    };
    let arms: Vec<f64> = model.entities().iter().map(thin).collect();
    let initial = |e: EntityId, component: StateComponent| {
        let start = &model.entity(e).initial;
        let of = |v: &Vec3<crate::Initial>, place: usize| {
            v.coordinates().get(place).map_or(0.0, |i| nominal.initial(i))
        };
        let q = nominal.orientation(&start.orientation).normalized();
        match component.place() {
            place @ 0..=2 => of(&start.position, place),
            3 => q.w,
            4 => q.x,
            5 => q.y,
            6 => q.z,
            place @ 7..=9 => of(&start.velocity, place - 7),
            place => of(&start.angular_velocity, place - 10),
        }
    };
    let plain = |symbol: Symbol| match symbol {
        Symbol::Parameter(p) => *nominal.parameter(p),
        Symbol::Mass(e) => mass(e),
        Symbol::State(e, component) => initial(e, component),
        Symbol::Time => time,
        Symbol::Input(_) | Symbol::SlipSpeed | Symbol::Contact(..) => f64::NAN,
    };
    let defaults: Vec<NodeId> = model.inputs().iter().map(|input| input.default).collect();
    let inputs = Program::new(model.pool(), &defaults).numbers(|id| plain(model.symbol(id)));
    let nodes: Vec<NodeId> = model
        .loads()
        .iter()
        .flat_map(|load| load.force.into_iter().chain(load.moment))
        .collect();
    let values = Program::new(model.pool(), &nodes).numbers(|id| match model.symbol(id) {
        Symbol::Input(i) => inputs.get(i.0 as usize).copied().unwrap_or(f64::NAN),
        symbol => plain(symbol),
    });
    let of_load = |(load, parts): (&crate::Load, &[f64])| {
        let arm = arms[load.on.0];
        let norm = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
        let turned = if arm > 0.0 { norm(&parts[3..]) / arm } else { 0.0 };
        norm(&parts[..3]).max(turned) / mass(load.on)
    };
    let all = model.loads().iter().zip(values.chunks_exact(6)).map(of_load);
    all.filter(|a| a.is_finite()).fold(0.0, f64::max)
}

/// The half thickness of a bounded shape, and how far it reaches.
fn extent(shape: &Shape<Interval>) -> Option<(Interval, Interval)> {
    let least = |a: Interval, b: Interval| if a.lo() <= b.lo() { a } else { b };
    let most = |a: Interval, b: Interval| if a.hi() >= b.hi() { a } else { b };
    match shape {
        Shape::Sphere { radius } => Some((*radius, *radius)),
        Shape::Ellipsoid { semi_axes: v } => Some((least(v.x, least(v.y, v.z)), most(v.x, most(v.y, v.z)))),
        Shape::Capsule { radius, half_length } => Some((*radius, *radius + *half_length)),
        Shape::RoundedBox {
            half_extents: v,
            radius,
        } => Some((least(v.x, least(v.y, v.z)) + *radius, v.x + v.y + v.z + *radius)),
        Shape::Box { half_extents: v } => Some((least(v.x, least(v.y, v.z)), v.x + v.y + v.z)),
        Shape::Convex { solid } => Some((solid.half_thickness(), solid.reach())),
        Shape::RoundedConvex { solid, radius } => {
            Some((solid.half_thickness() + *radius, solid.reach() + *radius))
        }
        Shape::Plane { .. } | Shape::HalfSpace { .. } => None,
    }
}

/// The half thickness at nominal values; 1 for what is not bounded.
fn nominal_size(shape: &Shape<f64>) -> f64 {
    match shape {
        Shape::Sphere { radius } | Shape::Capsule { radius, .. } => *radius,
        Shape::Ellipsoid { semi_axes: v } => v.x.min(v.y).min(v.z),
        Shape::RoundedBox {
            half_extents: v,
            radius,
        } => v.x.min(v.y).min(v.z) + radius,
        Shape::Box { half_extents: v } => v.x.min(v.y).min(v.z),
        Shape::Convex { solid } => solid.half_thickness(),
        Shape::RoundedConvex { solid, radius } => solid.half_thickness() + radius,
        Shape::Plane { .. } | Shape::HalfSpace { .. } => 1.0,
    }
}

/// A lower bound that is above 0.
fn lower(value: Interval) -> Option<f64> {
    (!value.is_empty() && value.lo() > 0.0 && value.lo().is_finite()).then(|| value.lo())
}

/// The largest size of a number; 0 if there is none.
fn magnitude(value: Interval) -> f64 {
    let size = value.magnitude();
    if size.is_finite() { size } else { 0.0 }
}

fn length(v: &Vec3<Interval>) -> f64 {
    let [x, y, z] = v.map(|c| magnitude(*c)).coordinates().map(|c| *c);
    (x * x + y * y + z * z).sqrt()
}

fn usual_if_none(x: f64) -> f64 {
    if x > 0.0 && x.is_finite() { x } else { 1.0 }
}

/// A box around places.
#[derive(Default)]
struct Bounds(Option<([f64; 3], [f64; 3])>);

impl Bounds {
    fn add(&mut self, at: &Vec3<Interval>, reach: f64) {
        let end = |x: f64| if x.is_finite() { x } else { 0.0 };
        let low = [at.x, at.y, at.z].map(|c| end(c.lo()) - reach);
        let high = [at.x, at.y, at.z].map(|c| end(c.hi()) + reach);
        let (l, h) = self.0.get_or_insert((low, high));
        for axis in 0..3 {
            l[axis] = l[axis].min(low[axis]);
            h[axis] = h[axis].max(high[axis]);
        }
    }

    fn diagonal(&self) -> f64 {
        let Some((low, high)) = &self.0 else { return 0.0 };
        let squares = low.iter().zip(high).map(|(l, h)| (h - l) * (h - l));
        squares.sum::<f64>().sqrt()
    }

    fn corners(&self) -> impl Iterator<Item = Vec3<f64>> + '_ {
        self.0.iter().flat_map(|(low, high)| {
            (0..8).map(|corner| {
                let at = |axis: usize| {
                    if corner >> axis & 1 == 0 {
                        low[axis]
                    } else {
                        high[axis]
                    }
                };
                Vec3::new(at(0), at(1), at(2))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_scales_leave_tolerances_alone_and_others_are_powers_of_ten() {
        for (scale, largest, expected) in [
            (1.0, 1.0, 1e-9),
            (1e-3, 1e5, 1e-9),
            (1e5, 1e5, 1e-9),
            (9.99e-4, 1.0, 1e-13),
            (9.81e-10, 9.81e-10, 1e-19),
            (1e-9, 1.0, 1e-14),
            (1.0, 2e7, 1e-6),
            (1.0, 1e6, 1e-8),
            (1e-30, 1e-30, 1e-39),
        ] {
            assert_eq!(
                power_of_ten(exponent(scale, largest)),
                expected,
                "{scale} {largest}"
            );
        }
        for n in -300..300 {
            let x = power_of_ten(n);
            assert_eq!(
                (
                    floor_of_log(x),
                    floor_of_log(x.next_down()),
                    floor_of_log(x.next_up())
                ),
                (n, n - 1, n)
            );
        }
    }
}
