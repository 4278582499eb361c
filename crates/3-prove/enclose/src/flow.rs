//! One validated step of the flow, for a whole set of states.
//!
//! # Method
//! 1. Taylor coefficients x_0 … x_{K−1} of the motion from every state of the set, as Taylor models (`series.rs`).
//! 2. A box B with Σ_{k<K} x_k Tᵏ + Tᴷ x_K(B) ⊂ B for the span T of the step, x_K(B) the K-th coefficient over the box: then the motion exists on T and stays in B
//!    [Corliss and Rihm 1996], and Σ x_k sᵏ + sᴷ x_K(B) encloses it at every s of T, between the ends too.
//! 3. The rest Q r of the set moves with the fundamental matrices of x′ = J x, J over B (`matrix.rs`): φ(s, x̂ + e) − φ(s, x̂) = Φ e.
//!
//! Where the motion is a polynomial in time of degree below K, x_K is exactly zero and the step is as long as one likes: ballistic flight costs one step.
//!
//! # Guarantee
//! Rigorous, or an error.

use dyverse_expr::{NodeId, Pool, Program};
use dyverse_num::Interval;

use crate::along::Along;
use crate::gradient::gradients;
use crate::matrix::{MidRad, propagator};
use crate::ring::{Ring, Undefined};
use crate::series::SeriesRun;
use crate::state_set::StateSet;
use crate::taylor_model::TaylorModel;

/// Why a step has no enclosure.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// A formula has no value on the set.
    Undefined(Undefined),
    /// No box was found that the motion stays in, however short the step.
    NoBox,
}

impl From<Undefined> for Failure {
    fn from(undefined: Undefined) -> Self {
        Failure::Undefined(undefined)
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Undefined(undefined) => undefined.fmt(f),
            Failure::NoBox => f.write_str("no box was found that the motion stays in"),
        }
    }
}

/// The formulas of a flow: rates of all states, and what is watched along it.
#[derive(Clone, Debug)]
pub struct FlowProgram {
    rates: Program,
    all: Program,
    dimension: usize,
}

impl FlowProgram {
    /// Rates of the states (symbols 0, 1, …), and formulas over states and unknowns that are to be followed.
    #[must_use]
    pub fn new(pool: &Pool, rates: &[NodeId], watched: &[NodeId]) -> Self {
        let roots: Vec<NodeId> = rates.iter().chain(watched).copied().collect();
        FlowProgram {
            rates: Program::new(pool, rates).expanded(),
            all: Program::new(pool, &roots).expanded(),
            dimension: rates.len(),
        }
    }
}

/// How steps are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlowSettings {
    /// K.
    pub order: usize,
    /// What the remainder of a step may be, relative to the size of a state (at least 1).
    pub tolerance: f64,
}

impl Default for FlowSettings {
    fn default() -> Self {
        FlowSettings {
            order: 18,
            tolerance: 1e-13,
        }
    }
}

/// A step: the motion of a set over a span of time that begins at (or a little before) its states.
#[derive(Clone, Debug)]
pub struct Tube {
    /// From (not above zero) to (not below), s.
    pub span: Interval,
    /// The motion of the polynomials alone.
    pub(crate) nominal: Vec<Along>,
    /// The motion of the whole set.
    pub(crate) states: Vec<Along>,
    /// What is watched, of the whole set.
    watched: Vec<Along>,
    /// Where the motion stays.
    pub(crate) hull: Vec<Interval>,
    /// J over equal parts of the step after its beginning, each over where the motion stays in that part; the first also before the beginning.
    jacobians: Vec<MidRad>,
}

/// What the remainder of something watched may be, relative to its size (at least 1): steps end where its series does.
const WATCHED: f64 = 1e-9;

/// Parts of a step over which slopes are bounded apart.
const PARTS: usize = 8;

type Coefficients = Vec<Vec<TaylorModel>>;

/// Coefficients 0 … K − 1 of the states, and of what else the program has.
fn coefficients(
    program: &Program,
    dimension: usize,
    start: &[TaylorModel],
    unknowns: &[TaylorModel],
    order: usize,
) -> Result<(Coefficients, Coefficients, crate::series::Decisions), Undefined> {
    let Some(like) = start.first() else {
        return Err(Undefined::Unsupported("a system without states"));
    };
    crate::series::reads_only(program, dimension + unknowns.len())?;
    let zero = Ring::constant(like, Interval::ZERO);
    let mut states: Coefficients = start.iter().map(|x| vec![x.clone()]).collect();
    let mut run = SeriesRun::new(program, zero.clone());
    for k in 0..order {
        run.advance(|symbol| {
            let symbol = symbol as usize;
            if symbol < dimension {
                states[symbol][k].clone()
            } else if k == 0 {
                unknowns[symbol - dimension].clone()
            } else {
                zero.clone()
            }
        })?;
        if k + 1 < order {
            let by = Interval::ONE / Interval::point((k + 1) as f64);
            for (i, state) in states.iter_mut().enumerate() {
                let rate = run.root(i, k)?;
                if !rate.is_finite() {
                    return Err(Undefined::Unbounded);
                }
                state.push(rate.scaled(by));
            }
        }
    }
    let mut watched = Vec::new();
    for root in dimension..program.roots().len() {
        watched.push(
            (0..order)
                .map(|k| run.root(root, k).cloned())
                .collect::<Result<Vec<_>, _>>()?,
        );
    }
    Ok((states, watched, run.decisions))
}

/// The coefficients of order K over a box, of states and of what is watched.
fn last_coefficients(
    program: &Program,
    dimension: usize,
    hull: &[Interval],
    unknowns: &[Interval],
    order: usize,
) -> Result<(Vec<Interval>, Vec<Interval>, crate::series::Decisions), Undefined> {
    crate::series::reads_only(program, dimension + unknowns.len())?;
    let mut states: Vec<Vec<Interval>> = hull.iter().map(|x| vec![*x]).collect();
    let mut run = SeriesRun::new(program, Interval::ZERO);
    for k in 0..=order {
        run.advance(|symbol| {
            let symbol = symbol as usize;
            match (symbol < dimension, k) {
                (true, _) => states[symbol][k],
                (false, 0) => unknowns[symbol - dimension],
                (false, _) => Interval::ZERO,
            }
        })?;
        if k < order {
            let by = Interval::ONE / Interval::point((k + 1) as f64);
            for (i, state) in states.iter_mut().enumerate() {
                let next = *run.root(i, k)? * by;
                crate::ring::bounded(next)?;
                state.push(next);
            }
        }
    }
    let watched = (dimension..program.roots().len())
        .map(|root| run.root(root, order).copied())
        .collect::<Result<Vec<_>, _>>()?;
    Ok((states.iter().map(|s| s[order]).collect(), watched, run.decisions))
}

/// Makes steps of one flow.
#[derive(Clone, Debug)]
pub struct Stepper<'p> {
    program: &'p FlowProgram,
    unknowns: Vec<TaylorModel>,
    ranges: Vec<Interval>,
    settings: FlowSettings,
}

impl<'p> Stepper<'p> {
    /// For these unknowns.
    #[must_use]
    pub fn new(program: &'p FlowProgram, unknowns: &[TaylorModel], settings: FlowSettings) -> Self {
        Stepper {
            program,
            unknowns: unknowns.to_vec(),
            ranges: unknowns.iter().map(Ring::range).collect(),
            settings,
        }
    }

    /// A step of at most `longest` seconds, beginning `before` seconds before the set's states.
    ///
    /// # Errors
    /// When a formula is not smooth on the set, or no box holds the motion.
    pub fn step(&self, set: &StateSet, before: f64, longest: f64) -> Result<Tube, Failure> {
        let (program, order) = (self.program, self.settings.order);
        let n = program.dimension;
        let whole = set.whole();
        if whole.iter().any(|x| !x.is_finite()) {
            return Err(Undefined::Unbounded.into());
        }
        let (states, watched, decisions) = coefficients(&program.all, n, &whole, &self.unknowns, order)?;
        let has_rest = set.rest.iter().any(|r| *r != Interval::ZERO);
        let nominal = if has_rest {
            coefficients(&program.rates, n, &set.nominal, &self.unknowns, order)?.0
        } else {
            states.clone()
        };
        let mut reach = self
            .reach(&states, self.settings.tolerance)
            .min(self.reach(&watched, WATCHED))
            .min(longest);
        let mut last_failure = Failure::NoBox;
        for _ in 0..24 {
            match self.validate(&states, before.min(reach), reach, &decisions) {
                Ok((span, hull, last, last_watched)) => {
                    let along = |c: &Vec<TaylorModel>, last: &Interval| Along::new(c.clone(), *last, span);
                    let states: Vec<Along> = states.iter().zip(&last).map(|(c, l)| along(c, l)).collect();
                    let jacobians = self.jacobians(&states, &hull, span)?;
                    return Ok(Tube {
                        span,
                        nominal: nominal.iter().zip(&last).map(|(c, l)| along(c, l)).collect(),
                        states,
                        watched: watched
                            .iter()
                            .zip(&last_watched)
                            .map(|(c, l)| along(c, l))
                            .collect(),
                        hull,
                        jacobians,
                    });
                }
                Err(failure) => last_failure = failure,
            }
            reach *= 0.6;
        }
        Err(last_failure)
    }

    /// How far the series should reach, from its last coefficients.
    fn reach(&self, states: &Coefficients, tolerance: f64) -> f64 {
        let order = self.settings.order;
        let mut reach = f64::INFINITY;
        for c in states {
            let tolerance = tolerance * c[0].range().magnitude().max(1.0);
            for k in [order - 2, order - 1] {
                let size = c[k].range().magnitude();
                if size > 0.0 {
                    reach = reach.min((tolerance / size).powf(1.0 / k as f64));
                }
            }
        }
        reach
    }

    /// A box that the motion stays in, and the last coefficients over it.
    #[allow(clippy::type_complexity)]
    fn validate(
        &self,
        states: &Coefficients,
        before: f64,
        after: f64,
        decisions: &crate::series::Decisions,
    ) -> Result<(Interval, Vec<Interval>, Vec<Interval>, Vec<Interval>), Failure> {
        let (program, order) = (self.program, self.settings.order);
        let n = program.dimension;
        let span = Interval::new(-before, after).map_err(|_| Failure::NoBox)?;
        let power = span.powi(order as i32);
        let series: Vec<Interval> = states
            .iter()
            .map(|c| Along::new(c.clone(), Interval::ZERO, span).range_on(span))
            .collect();
        let mut hull: Vec<Interval> = series.clone();
        for attempt in 0..4 {
            if attempt == 0 {
                // Nothing to add where nothing moves.
                hull = series
                    .iter()
                    .zip(states)
                    .map(|(x, c)| {
                        if c[1..].iter().all(Ring::is_zero) {
                            *x
                        } else {
                            inflated(*x)
                        }
                    })
                    .collect();
            }
            if hull.iter().any(|x| x.is_empty() || !x.is_bounded()) {
                return Err(Undefined::Unbounded.into());
            }
            let (last, watched, decided) = last_coefficients(&program.all, n, &hull, &self.ranges, order)?;
            let image: Vec<Interval> = series.iter().zip(&last).map(|(x, l)| *x + power * *l).collect();
            if image.iter().zip(&hull).all(|(x, b)| x.is_subset(b)) {
                if decided != *decisions {
                    return Err(Undefined::Undecided.into());
                }
                let tolerated = last.iter().zip(&hull).all(|(l, b)| {
                    (power * *l).magnitude() <= 1e3 * self.settings.tolerance * b.magnitude().max(1.0)
                });
                let is_followed = watched.iter().all(|l| (power * *l).magnitude() <= 1e-3);
                if !tolerated || !is_followed {
                    return Err(Failure::NoBox);
                }
                return Ok((span, hull, last, watched));
            }
            hull = image
                .iter()
                .zip(&hull)
                .map(|(x, b)| inflated(x.hull(b)))
                .collect();
        }
        Err(Failure::NoBox)
    }

    fn jacobians(&self, states: &[Along], hull: &[Interval], span: Interval) -> Result<Vec<MidRad>, Failure> {
        let n = self.program.dimension;
        let over = |x: &[Interval]| -> Result<MidRad, Failure> {
            let at: Vec<Interval> = x.iter().chain(&self.ranges).copied().collect();
            let rows: Vec<Vec<Interval>> = gradients(&self.program.rates, &at, n)?
                .into_iter()
                .map(|(_, g)| g)
                .collect();
            Ok(MidRad::from_rows(&rows, n))
        };
        let whole = over(hull)?;
        // A matrix that is constant along the step, however uncertain, needs no parts.
        let start: Vec<Interval> = states.iter().map(|x| x.range_on(Interval::ZERO)).collect();
        let first = over(&start)?;
        if first.norm_of_radii() >= 0.7 * whole.norm_of_radii() - 1e-9 * whole.norm() {
            return Ok(vec![whole]);
        }
        let parts = PARTS as f64;
        (0..PARTS)
            .map(|part| {
                let from = if part == 0 {
                    span.lo()
                } else {
                    span.hi() * (part as f64 / parts)
                };
                let until = span.hi() * ((part + 1) as f64 / parts);
                let Ok(times) = Interval::new(from, until) else {
                    unreachable!("bug: parts of a step that do not follow each other");
                };
                let here: Vec<Interval> = states
                    .iter()
                    .zip(hull)
                    .map(|(x, b)| x.range_on(times).intersect(b))
                    .collect();
                over(&here)
            })
            .collect()
    }
}

/// A little wider on both sides.
fn inflated(x: Interval) -> Interval {
    let more = 0.01 * x.width() + 1e-12 * x.magnitude() + 1e-14;
    x + Interval::new(-more, more).unwrap_or(Interval::ENTIRE)
}

impl Tube {
    /// What is watched, along the step.
    #[must_use]
    pub fn watched(&self, place: usize) -> &Along {
        &self.watched[place]
    }
    /// A state along the step.
    #[must_use]
    pub fn state(&self, place: usize) -> &Along {
        &self.states[place]
    }
    /// Where the motion stays.
    #[must_use]
    pub fn hull(&self) -> &[Interval] {
        &self.hull
    }

    /// The set `time` seconds after the beginning.
    ///
    /// # Errors
    /// When a bound becomes infinite.
    pub fn set_at(&self, from: &StateSet, time: f64) -> Result<StateSet, Failure> {
        let at = Interval::point(time);
        let new: Vec<TaylorModel> = self.nominal.iter().map(|x| x.at(at)).collect();
        let map = self.propagator(at)?;
        Ok(from.carried(&new, &map)?)
    }

    /// Fundamental matrices from the beginning of the step to any time of an interval.
    pub(crate) fn propagator(&self, times: Interval) -> Result<MidRad, Undefined> {
        let parts = self.jacobians.len() as f64;
        let mut map: Option<MidRad> = None;
        for (part, jacobian) in self.jacobians.iter().enumerate() {
            let from = self.span.hi() * (part as f64 / parts);
            let until = self.span.hi() * ((part + 1) as f64 / parts);
            if part > 0 && times.hi() <= from {
                break;
            }
            // How long any of the times is in this part.
            let clamp = |t: f64, low: f64| t.clamp(low, until);
            let low = if part == 0 { self.span.lo().min(0.0) } else { from };
            let stay = Interval::new(clamp(times.lo(), low), clamp(times.hi(), low))
                .map_err(|_| Undefined::Unbounded)?;
            let own = propagator(jacobian, stay - Interval::point(from)).ok_or(Undefined::Unbounded)?;
            map = Some(match map {
                None => own,
                Some(before) => own.times(&before),
            });
        }
        map.ok_or(Undefined::Unbounded)
    }
}
