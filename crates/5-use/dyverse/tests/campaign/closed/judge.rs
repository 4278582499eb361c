//! What is true of a scene, as far as points of its unknowns can tell.

use super::super::random::Random;
use super::formula::Truth;
use super::real::{EXACT, Real, ZERO, Zones};
use super::scene::{Choice, Driven, Point, Scene, Steps, decimal};
use super::truth::{Judged, judge};

/// What a witness may be wrong by: it is a run, or was found by one.
const OF_RUNS: Zones = Zones {
    same: 1e-19,
    clear: 1e-6,
};

/// What runs take for one time, s, and a little more.
const AT_ONCE: f64 = 3e-9;

/// Points of a scene: that which it was drawn with, corners, others; inputs at their defaults.
pub(crate) fn points(scene: &Scene, random: &mut Random, others: usize) -> Vec<Point> {
    let base = scene.base();
    let mut all = vec![base.clone()];
    let count = scene.unknowns.len();
    let with = |values: Vec<Real>| Point {
        values,
        inputs: base.inputs.clone(),
    };
    if count == 0 {
        return all;
    }
    for corner in 0..1_usize << count.min(3) {
        let values = scene.unknowns.iter().enumerate();
        let values = values.map(|(n, u)| if corner >> n & 1 == 1 { u.high() } else { u.low() });
        all.push(with(values.collect()));
    }
    for _ in 0..others {
        let is_near = random.often(0.3);
        let values = scene.unknowns.iter().map(|u| {
            let (low, high) = (u.low().f64(), u.high().f64());
            let reach = if is_near { 1e-3 * (high - low) } else { high - low };
            let drawn = match random.below(4) {
                0 => return u.base,
                1 if is_near => u.base.f64() + reach * random.between(-1.0, 1.0),
                _ => random.between(low, high),
            };
            Real::decimal(&decimal(drawn, 9)).max(u.low()).min(u.high())
        });
        all.push(with(values.collect()));
    }
    all
}

/// The same points with other inputs: constant ones, and ones that jump.
pub(crate) fn driven(scene: &Scene, points: &[Point], random: &mut Random) -> Vec<Point> {
    let mut all = Vec::new();
    if scene.inputs.is_empty() {
        return all;
    }
    for point in points.iter().take(6) {
        for shape in 0..5 {
            let inputs = scene
                .inputs
                .iter()
                .map(|input| signal(input, scene.words.horizon, shape, random));
            all.push(Point {
                values: point.values.clone(),
                inputs: inputs.collect(),
            });
        }
    }
    all
}

fn signal(input: &Driven, horizon: Real, shape: usize, random: &mut Random) -> Steps {
    let time = |random: &mut Random| Real::decimal(&decimal(horizon.f64() * random.between(0.05, 0.95), 2));
    let (low, high) = (input.low, input.high);
    match shape {
        0 => vec![(ZERO, low)],
        1 => vec![(ZERO, high)],
        2 => vec![(ZERO, low), (time(random), high)],
        3 => vec![(ZERO, high), (time(random), low)],
        _ => {
            let value = Real::decimal(&decimal(random.between(low.f64(), high.f64()), 2));
            vec![(ZERO, input.default), (time(random), value.max(low).min(high))]
        }
    }
}

/// What a property says of a point: of all its trajectories, or of the one that there is.
pub(crate) fn at_point(scene: &Scene, property: &Truth, point: &Point, zones: &Zones) -> Option<Judged> {
    let courses = (scene.run)(point)?;
    let all: Vec<Judged> = courses.iter().map(|c| judge(property, c, zones)).collect();
    let unknown = Judged {
        holds: None,
        broken_at: None,
    };
    let is_broken = |j: &&Judged| j.holds == Some(false);
    if all.iter().all(|j| j.holds == Some(true)) {
        return all.first().copied();
    }
    match scene.choice {
        Choice::All => Some(all.iter().find(is_broken).copied().unwrap_or(unknown)),
        Choice::One if all.iter().all(|j| j.holds == Some(false)) => all.first().copied(),
        Choice::One => Some(unknown),
    }
}

/// What is known of a property over all points that were tried.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    /// A point that breaks it, and when.
    pub(crate) broken: Option<(Point, Option<Real>)>,
    /// Points at which it holds for certain.
    pub(crate) holds: usize,
    /// Points of which nothing can be told.
    pub(crate) open: usize,
}

pub(crate) fn known(scene: &Scene, property: &Truth, points: &[Point]) -> Known {
    let mut known = Known::default();
    for point in points {
        match at_point(scene, property, point, &EXACT) {
            Some(Judged {
                holds: Some(false),
                broken_at,
            }) => {
                if known.broken.is_none() {
                    known.broken = Some((point.clone(), broken_at));
                }
            }
            Some(Judged {
                holds: Some(true), ..
            }) => known.holds += 1,
            _ => known.open += 1,
        }
    }
    known
}

/// Points at which inputs have their defaults.
pub(crate) fn by_default(scene: &Scene, points: &[Point]) -> Vec<Point> {
    let defaults = scene.defaults();
    let own = points.iter().filter(|p| p.inputs == defaults);
    own.cloned().collect()
}

/// What is said to break a property: values of unknowns, and what drives inputs, values from times on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Witness {
    pub(crate) values: Vec<(String, f64)>,
    pub(crate) inputs: Vec<(String, Vec<(f64, f64)>)>,
}

/// Whether a property certainly holds where it is said to be broken.
pub(crate) fn is_no_witness(scene: &Scene, property: &Truth, witness: &Witness) -> bool {
    let value = |name: &String| {
        let found = witness.values.iter().find(|(n, _)| n == name);
        found.map(|(_, value)| Real::from(*value))
    };
    let steps = |input: &Driven| {
        let found = witness.inputs.iter().find(|(n, _)| *n == input.name);
        let steps = found.map(|(_, steps)| steps.iter().map(|(t, v)| (Real::from(*t), Real::from(*v))));
        steps.map_or_else(|| vec![(ZERO, input.default)], Iterator::collect)
    };
    let own = scene.unknowns.iter().map(|u| value(&u.name).unwrap_or(u.base));
    let point = Point {
        values: own.collect(),
        inputs: scene.inputs.iter().map(steps).collect(),
    };
    // A witness is written in doubles: what happens at the end of a window for the decimal happens a rounding beside it for the double, and runs decide that within their tolerance.
    [0.0, AT_ONCE, -AT_ONCE].iter().all(|by| {
        let found = at_point(scene, &property.widened(Real::from(*by)), &point, &OF_RUNS);
        found.is_some_and(|j| j.holds == Some(true))
    })
}
