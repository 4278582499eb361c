//! Adaptive integration of x′ = f(t, x) by Gauss–Legendre collocation, step by step.
//!
//! | mathematics            | here                           | meaning                                     |
//! |------------------------|--------------------------------|---------------------------------------------|
//! | x₀ + carry             | `x`, `carry`                   | state and what rounding took from it        |
//! | h                      | `h`                            | step to try next                            |
//! | b_k                    | `DenseStep::slope_coefficients`| Legendre coefficients of the slope          |
//!
//! # Method
//! The collocation equations are solved by `collocation.rs`, those of stiff systems by `newton.rs`. The polynomial leaves out b_s P_s and what follows;
//! per component the part left out is estimated from how the last coefficients fall,
//!
//! e = max(|b_{s−1}|, |b_{s−2}|), ρ = e / max(|b_{s−3}|, |b_{s−4}|), error = h e ρ max|Q_s|,
//!
//! with ρ kept between [`FASTEST_FALL`] and 1, and coefficients that are mere rounding counted as zero. The
//! error is that of the dense output, so it holds in the middle of the step; the end is far better (order 2s).
//! The slope is also called at the end of the step and compared with the polynomial's, at both ends: a jump
//! before the first or after the last node would stay unseen otherwise.
//! Steps are sized by (tolerance/error)^{5/64}, formed by square roots, so every platform computes the same.
//! Sums x₀ + h b_0 keep their rounding errors (`carry`), so long runs drift like the right-hand side's rounding.
//!
//! Measured, evaluations per radian of a harmonic oscillator and in one Kepler orbit of eccentricity 0.9, at the
//! default tolerances (safety 0.9, without the calls at the ends): s = 10: 92, 4600; s = 12: 78, 4300; s = 14: 78, 4600; s = 16: 130, 5300. Beyond 14 the
//! iteration, not the error, limits the step. A safety of 0.9 instead of 0.8 made a free rigid body reject every third
//! step.
//!
//! # Guarantee
//! To tolerance: the estimate is a spectral one, not a bound; a right-hand side with a feature
//! narrower than the nodes' distance can hide from it. Deterministic: the same calls give the same bits.
//! No allocation after the second step of a dimension, but where Newton's method solves. A step that is not made leaves the state as it was.

use crate::collocation::{Collocation, Ended, Limits, Start, scale_of};
use crate::dense::{DenseStep, ROUNDING, size_of_slope};
use crate::gauss::{NODES, rule};
use crate::newton::{MANY_ITERATIONS, Newton};
use crate::options::{FlowCounters, FlowError, FlowOptions, RightHandSide, StepObstacle};

/// Aim of the step size, part of the tolerance in step length.
const SAFETY: f64 = 0.8;
/// Longest growth of the step: beyond it the extended polynomial is no guess any more.
const GROWTH: f64 = 4.0;
/// Strongest cut by the error formula.
const CUT: f64 = 0.2;
/// Fall of two coefficients in a row that is believed at most.
const FASTEST_FALL: f64 = 0.02;
/// Sweeps above which the step is not made longer.
const MANY_SWEEPS: usize = 8;
/// A step that could be so much longer for its error is kept short by the iteration.
const KEPT_SHORT: f64 = 1.3;
/// A step is stretched by this much to end at `end`.
const STRETCH: f64 = 1.01;
/// Change of the state in the first step, relative to |x| + [`SMALL_STATE`].
const FIRST_CHANGE: f64 = 0.05;
/// Stands for |x| where the state is near zero, in its own unit.
pub(crate) const SMALL_STATE: f64 = 1e-2;
/// How far a state that is followed down may fall in one step of Newton's method.
const FAR: f64 = 1e-3;
/// Attempts at a step in which the absolute tolerance follows small states down.
const FOLLOWED: usize = 3;

/// Integrates one initial value problem; see the [crate] documentation for an example.
#[derive(Clone, Debug)]
pub struct Integrator {
    options: FlowOptions,
    counters: FlowCounters,
    t: f64,
    x: Vec<f64>,
    carry: Vec<f64>,
    /// What the absolute tolerance of a component is multiplied by, over and over; empty: 1.
    scales: Vec<f64>,
    /// What of each component is rounding in any case; empty: not known.
    floors: Vec<f64>,
    /// Step to try next; `None`: to be estimated.
    h: Option<f64>,
    /// Whether `step` ends at the present state, so that its polynomial may be extended.
    is_smooth: bool,
    /// f at the present state, if it was called there.
    end_slope: Vec<f64>,
    is_end_slope_known: bool,
    step: DenseStep,
    trial: DenseStep,
    collocation: Collocation,
    newton: Newton,
}

impl Integrator {
    /// At t = 0 with an empty state.
    #[must_use]
    pub fn new(options: FlowOptions) -> Self {
        Self {
            options,
            counters: FlowCounters::default(),
            t: 0.0,
            x: Vec::new(),
            carry: Vec::new(),
            scales: Vec::new(),
            floors: Vec::new(),
            h: options.first_step,
            is_smooth: false,
            end_slope: Vec::new(),
            is_end_slope_known: false,
            step: DenseStep::default(),
            trial: DenseStep::default(),
            collocation: Collocation::default(),
            newton: Newton::default(),
        }
    }

    /// The scales of the components: what the absolute tolerance and the sizes of small states are multiplied by. A list that is shorter than the state
    /// is taken over and over.
    pub fn set_scales(&mut self, scales: &[f64]) {
        self.scales.clear();
        self.scales.extend_from_slice(scales);
    }

    /// What of each component is rounding in any case, for the next steps: the absolute tolerance then follows a state down, to a millionth of its size or to this, so that the sign of a state that
    /// decays for ever is not left to the accuracy. A step that cannot be made so is made with the absolute tolerance as it is. Empty: always so.
    pub fn set_floors(&mut self, floors: &[f64]) {
        self.floors.clear();
        self.floors.extend_from_slice(floors);
    }

    /// Begins a new problem: forgets the step size and the last polynomial.
    pub fn start(&mut self, t: f64, x: &[f64]) {
        self.h = self.options.first_step;
        self.collocation.forget();
        self.newton.forget();
        self.restart(t, x);
    }

    /// Goes on from another state (after an impact, a projection): keeps the step size, forgets the polynomial.
    pub fn restart(&mut self, t: f64, x: &[f64]) {
        self.t = t;
        self.x.clear();
        self.x.extend_from_slice(x);
        self.carry.clear();
        self.carry.resize(x.len(), 0.0);
        self.collocation.resize(x.len());
        self.is_smooth = false;
        self.is_end_slope_known = false;
    }

    /// What rounding took from the present state, for a caller that knows: the state is x + carry. Surplus places are left alone.
    pub fn set_carry(&mut self, carry: &[f64]) {
        for (own, given) in self.carry.iter_mut().zip(carry) {
            *own = *given;
        }
        self.is_end_slope_known = false;
    }

    /// Present time.
    #[must_use]
    pub fn t(&self) -> f64 {
        self.t
    }

    /// Present state.
    #[must_use]
    pub fn x(&self) -> &[f64] {
        &self.x
    }

    /// The last accepted step (empty before the first one); clone it to keep it.
    #[must_use]
    pub fn last_step(&self) -> &DenseStep {
        &self.step
    }

    /// The last accepted step if the present state is its end; none before the first one, and when the state was set since.
    #[must_use]
    pub fn present_step(&self) -> Option<&DenseStep> {
        (self.is_smooth && self.step.dimension() == self.x.len()).then_some(&self.step)
    }

    /// What was done so far.
    #[must_use]
    pub fn counters(&self) -> FlowCounters {
        self.counters
    }

    /// The step that would be tried next, once known.
    #[must_use]
    pub fn proposed_step(&self) -> Option<f64> {
        self.h
    }

    /// Changes the step to try next, for a caller that knows better; ignored unless positive.
    pub fn propose_step(&mut self, h: f64) {
        if h > 0.0 {
            self.h = Some(h);
        }
    }

    /// Takes back the part of the last step after `t`, which is kept inside it: the state is that of the
    /// dense output at `t`, and the next step begins there. Does nothing when the state was set since.
    pub fn truncate(&mut self, t: f64) {
        if self.is_smooth && self.step.dimension() == self.x.len() {
            self.step.cut(t);
            self.is_end_slope_known = false;
            self.t = self.step.t1();
            self.step
                .evaluate_with_carry(self.t, &mut self.x, &mut self.carry);
        }
    }

    /// Lets the last step end at `t`, which may be a little after its end: an eighth of its length at the most. Does nothing when the state was set since.
    pub fn end_at(&mut self, t: f64) {
        if self.is_smooth && self.step.dimension() == self.x.len() {
            self.step.end_at(t);
            self.is_end_slope_known = false;
            self.t = self.step.t1();
            self.step
                .evaluate_with_carry(self.t, &mut self.x, &mut self.carry);
        }
    }

    /// Replaces the present state by one that is a rounding beside it, for a caller that knows better than the dense output; the last step stays what it is. Surplus places are left alone.
    pub fn correct(&mut self, x: &[f64]) {
        for ((own, carry), x) in self.x.iter_mut().zip(&mut self.carry).zip(x) {
            if own != x {
                (*own, *carry) = (*x, 0.0);
            }
        }
    }

    /// Makes one step of its own length, not beyond `end`, and gives its dense output.
    ///
    /// # Errors
    /// See [`FlowError`]; time and state are then those before the call.
    pub fn step<E>(&mut self, end: f64, rhs: &mut RightHandSide<'_, E>) -> Result<&DenseStep, FlowError<E>> {
        self.check_state(end)?;
        self.know_slope(rhs)?;
        let mut h = self.h.unwrap_or_else(|| self.estimate_first_step(end));
        let shortest = self.options.min_step.max(4.0 * f64::EPSILON * self.t.abs());
        let (first, mut attempts, mut was_slow) = (h, 0, false);
        loop {
            let wanted = h.min(self.options.max_step);
            let is_last = wanted * STRETCH >= end - self.t;
            let t1 = if is_last { end } else { self.t + wanted };
            let failure = match self.attempt(t1, rhs) {
                Ok((error, sweeps)) if error <= 1.0 => {
                    let many = if self.newton.solves() {
                        MANY_ITERATIONS
                    } else {
                        MANY_SWEEPS
                    };
                    let asked = is_last.then_some(wanted);
                    self.accept(error, sweeps > many || attempts > 0, asked);
                    self.choose_method(error, was_slow || sweeps > many);
                    return Ok(&self.step);
                }
                Ok((error, _)) => {
                    self.counters.rejected += 1;
                    h = (t1 - self.t) * if attempts == 0 { scale_of_step(error) } else { CUT };
                    self.too_small(h, StepObstacle::Accuracy)
                }
                Err(failure) => {
                    was_slow |= matches!(failure, FlowError::StepTooSmall { .. });
                    h = (t1 - self.t) * if attempts == 0 { 0.5 } else { 0.25 };
                    h = self.newton.note_failure(h).unwrap_or(h);
                    failure
                }
            };
            attempts += 1;
            let is_too_short = h < shortest || self.t + h == self.t;
            if (attempts == FOLLOWED || is_too_short) && !self.floors.is_empty() {
                // A state that is followed down is told in short steps.
                if let Some(before) = self.newton.yields() {
                    (h, attempts) = (before, 0);
                    continue;
                }
                // What is thought to be no rounding may be.
                self.floors.clear();
                (h, attempts) = (first, 0);
            } else if is_too_short {
                return Err(failure);
            }
        }
    }

    /// Which method solves the next step, after one with this error: see `newton.rs`.
    fn choose_method(&mut self, error: f64, was_hard: bool) {
        let span = self.step.span();
        if self.newton.solves() {
            self.h = self.newton.note_own(span).or(self.h);
        } else {
            let by_error = scale_of_step(error) < KEPT_SHORT;
            self.newton.note_plain(span, self.x.len(), by_error, was_hard);
        }
    }

    /// Steps until `end`, without looking at the steps.
    ///
    /// # Errors
    /// See [`FlowError`]; time and state are then those after the last good step.
    pub fn advance<E>(&mut self, end: f64, rhs: &mut RightHandSide<'_, E>) -> Result<(), FlowError<E>> {
        while self.t < end {
            self.step(end, rhs)?;
        }
        Ok(())
    }

    fn check_state<E>(&self, end: f64) -> Result<(), FlowError<E>> {
        if let Some(component) = self.x.iter().position(|x| !x.is_finite()) {
            return Err(FlowError::NotFinite { t: self.t, component });
        }
        if !(self.t < end && (end - self.t).is_finite()) {
            return Err(FlowError::NoTimeAhead { t: self.t, end });
        }
        Ok(())
    }

    fn too_small<E>(&self, step: f64, obstacle: StepObstacle) -> FlowError<E> {
        FlowError::StepTooSmall {
            t: self.t,
            step,
            obstacle,
        }
    }

    /// Tries [t, t1] into `trial`: the error in tolerances, and the sweeps it took.
    fn attempt<E>(&mut self, t1: f64, rhs: &mut RightHandSide<'_, E>) -> Result<(f64, usize), FlowError<E>> {
        let h = t1 - self.t;
        let start = Start {
            t: self.t,
            x: &self.x,
            carry: &self.carry,
        };
        let before = self.is_smooth.then_some(&self.step);
        let limits = Limits {
            options: &self.options,
            scales: &self.scales,
            floors: &self.floors,
        };
        let counters = &mut self.counters;
        let ended = if self.newton.solves() {
            let (collocation, slope) = (&mut self.collocation, &self.end_slope[..]);
            self.newton
                .solve(collocation, start, (h, slope), before, limits, (counters, rhs))
        } else {
            self.collocation.solve(start, h, before, limits, counters, rhs)
        };
        match ended {
            Ended::Converged { sweeps } => {
                let slopes = &self.collocation.slopes;
                self.trial.fill((self.t, t1), &self.x, &self.carry, slopes);
                self.call_at_end(t1, rhs)?;
                let error = if self.newton.solves() && self.falls_far() {
                    f64::INFINITY
                } else {
                    self.estimate_error().max(self.surprise_at_ends())
                };
                Ok((error, sweeps))
            }
            Ended::Slow => {
                self.counters.slow += 1;
                Err(self.too_small(0.5 * h, StepObstacle::Convergence))
            }
            Ended::NotFinite { t, component } => {
                self.counters.failed += 1;
                Err(FlowError::NotFinite { t, component })
            }
            Ended::Failed { t, source } => {
                self.counters.failed += 1;
                Err(FlowError::RightHandSide { t, source })
            }
        }
    }

    /// Whether a state that is followed down falls so far in the trial that its sign would be left to the accuracy. The steps of Picard's iteration are too short for that.
    fn falls_far(&self) -> bool {
        let is_small = |(x, size): (&f64, &f64)| x.abs() < FAR * size;
        let ends = self.collocation.ends();
        ends.zip(&self.floors)
            .any(|(end, floor)| *floor < f64::INFINITY && is_small(end))
    }

    /// The part the trial's polynomial leaves out, in tolerances.
    fn estimate_error(&self) -> f64 {
        let part = |i: usize| estimate_tail(self.trial.slope_coefficients(i)) / self.tolerance(i);
        (0..self.x.len()).map(part).fold(0.0, f64::max)
    }

    /// Calls the slope at the end of the trial, into the work space.
    fn call_at_end<E>(&mut self, t: f64, rhs: &mut RightHandSide<'_, E>) -> Result<(), FlowError<E>> {
        self.counters.evaluations += 1;
        let (x, slope) = self.collocation.scratch();
        self.trial.evaluate(t, x);
        let called = rhs(t, x, slope).map_err(|source| FlowError::RightHandSide { t, source });
        let finite = called.and_then(|()| match slope.iter().position(|f| !f.is_finite()) {
            Some(component) => Err(FlowError::NotFinite { t, component }),
            None => Ok(()),
        });
        self.counters.failed += u64::from(finite.is_err());
        finite
    }

    /// How far the slopes at the ends are from the polynomial's, times the stretch no node sees, in
    /// tolerances.
    fn surprise_at_ends(&self) -> f64 {
        let h = self.trial.span();
        let unseen = rule().nodes[0];
        let off = |i: usize| {
            let b = self.trial.slope_coefficients(i);
            let pairs = b.chunks(2).rev();
            let alternating: f64 = pairs.map(|pair| pair[0] - pair.get(1).unwrap_or(&0.0)).sum();
            let at_end = h * self.collocation.fresh[i] - b.iter().rev().sum::<f64>();
            [h * self.end_slope[i] - alternating, at_end]
        };
        let measured = |i: usize, off: f64| {
            let rounding = 4.0 * ROUNDING * size_of_slope(self.trial.slope_coefficients(i));
            unseen * (off - rounding) / self.tolerance(i)
        };
        let states = 0..self.x.len();
        if self.newton.solves() {
            let filtered = [0, 1].into_iter().flat_map(|end| {
                let mut all: Vec<f64> = states.clone().map(|i| off(i)[end]).collect();
                self.newton.filter(&mut all);
                all.into_iter().enumerate().collect::<Vec<_>>()
            });
            return filtered
                .map(|(i, off)| measured(i, off.abs()))
                .fold(0.0, f64::max);
        }
        let plain = states.map(|i| measured(i, off(i)[0].abs().max(off(i)[1].abs())));
        plain.fold(0.0, f64::max)
    }

    /// Tolerance of component i in the trial.
    fn tolerance(&self, i: usize) -> f64 {
        let limits = Limits {
            options: &self.options,
            scales: &self.scales,
            floors: &self.floors,
        };
        limits.tolerance(i, self.collocation.sizes[i])
    }

    /// Makes the trial the last step; `asked` is what would have been tried had the end not been near.
    fn accept(&mut self, error: f64, was_hard: bool, asked: Option<f64>) {
        std::mem::swap(&mut self.step, &mut self.trial);
        let mut scale = scale_of_step(error);
        if was_hard {
            scale = scale.min(1.0);
        }
        let next = scale * self.step.span();
        self.h = Some(
            asked
                .map_or(next, |asked| next.max(asked))
                .min(self.options.max_step),
        );
        self.t = self.step.t1();
        self.step
            .evaluate_with_carry(self.t, &mut self.x, &mut self.carry);
        self.is_smooth = true;
        self.is_end_slope_known = true;
        self.end_slope.clear();
        self.end_slope.extend_from_slice(&self.collocation.fresh);
        self.counters.steps += 1;
    }

    /// The slope at the present state. Without it a step could be accepted on slopes that hold from the first node on,
    /// and not before it.
    fn know_slope<E>(&mut self, rhs: &mut RightHandSide<'_, E>) -> Result<(), FlowError<E>> {
        if self.is_end_slope_known {
            return Ok(());
        }
        self.counters.evaluations += 1;
        let t = self.t;
        self.end_slope.resize(self.x.len(), 0.0);
        rhs(t, &self.x, &mut self.end_slope).map_err(|source| FlowError::RightHandSide { t, source })?;
        if let Some(component) = self.end_slope.iter().position(|f| !f.is_finite()) {
            return Err(FlowError::NotFinite { t, component });
        }
        self.is_end_slope_known = true;
        Ok(())
    }

    /// A step over which the state changes by a small part, from the slope at the start.
    fn estimate_first_step(&self, end: f64) -> f64 {
        let speed = self
            .x
            .iter()
            .zip(&self.end_slope)
            .enumerate()
            .map(|(i, (x, f))| f.abs() / (x.abs() + SMALL_STATE * scale_of(&self.scales, i)));
        let fastest = speed.fold(0.0, f64::max);
        if fastest > 0.0 {
            (FIRST_CHANGE / fastest).min(end - self.t)
        } else {
            end - self.t
        }
    }
}

/// What the coefficients leave out: h |b_s| max|Q_s|, by how the last four fall.
fn estimate_tail(b: &[f64]) -> f64 {
    let floor = ROUNDING * size_of_slope(b);
    let pair = |k: usize| b[k].abs().max(b[k - 1].abs());
    let last = pair(NODES - 1);
    if last <= floor {
        return 0.0;
    }
    let fall = (last / pair(NODES - 3).max(f64::MIN_POSITIVE)).clamp(FASTEST_FALL, 1.0);
    last * fall * rule().peak
}

/// Factor of the step for an error in tolerances: 0.9 error^{−5/64}, between `CUT` and `GROWTH`.
fn scale_of_step(error: f64) -> f64 {
    let sixteenth = error.sqrt().sqrt().sqrt().sqrt();
    let power = sixteenth * sixteenth.sqrt().sqrt();
    (SAFETY / power).clamp(CUT, GROWTH)
}
