//! The strategy: sweeps find the modes, direct methods finish, and every answer is checked.
//!
//! # Method \[METHODS 2\]
//! 1. A few sweeps, from a warm start if one is given. If they converge and the residual is small: done.
//! 2. The modes they found are frozen and the equations solved directly; accepted on the residual.
//!    Twice more with more sweeps in between.
//! 3. Anderson-accelerated sweeps, with step 2 tried along the way.
//! 4. Semi-smooth Newton with a line search, from the best forces so far, then from zero.
//! 5. Lemke's pivoting, where no contact has a friction disc.
//! 6. Proximal steps through softer contacts.
//! 7. Sweeps with other relaxations up to the limit, with steps 2 and 4 tried along the way.
//!
//! Tried and dropped: least-norm forces instead of the least-norm *change* of forces in step 2; on a box on
//! eight corners the former makes some normal forces negative that the sweeps had right.
//!
//! # Guarantee
//! To tolerance: a returned solution has a relative natural-map residual not above
//! [`SolverOptions::residual_tolerance`], or, after all methods, not above [`SolverOptions::residual_limit`] (the report says which), and forces inside their sets. That the strategy ends in a solution
//! is certain (up to rounding) without friction, heuristic with it; failure is an error that names contacts.

use std::fmt;

use super::anderson::Anderson;
use super::delassus::Triple;
use super::newton::{DirectOutcome, solve_frozen, solve_semismooth};
use super::pivoting::solve_pivoting;
use super::problem::ContactProblem;
use super::proximal::solve_proximal;
use super::softening::follow_softer;
use super::sorprox::{SweepOutcome, Sweeper, TangentialStep, run_sweeps_from};

/// Sweeps before each attempt with frozen modes.
const SWEEP_BATCHES: [usize; 3] = [8, 32, 128];
/// Accelerated sweeps between two looks at the residual.
const LOOK_EVERY: usize = 8;
/// Accelerated sweeps in all, and between attempts with frozen modes.
const ANDERSON_STEPS: usize = 320;
const ANDERSON_BATCH: usize = 40;

/// Factors of the relaxation in the last resort, and batches of sweeps made with them.
const LAST_BATCHES: usize = 10;
const RELAXATION_FACTORS: [f64; 4] = [1.0, 0.5, 1.3, 0.2];

/// Settings of the contact solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolverOptions {
    /// w in (0, 2); 1 is the papers' form.
    pub relaxation: f64,
    /// The step of the tangential update.
    pub tangential_step: TangentialStep,
    /// A force has converged when it moves less than this (N or N s) …
    pub force_tolerance_absolute: f64,
    /// … plus this times the contact's force.
    pub force_tolerance_relative: f64,
    /// The relative natural-map residual that is asked for.
    pub residual_tolerance: f64,
    /// The largest with which the best forces met are a solution, where no method reaches what is asked for.
    pub residual_limit: f64,
    /// Sweeps made at most.
    pub sweep_limit: usize,
}

impl Default for SolverOptions {
    fn default() -> Self {
        Self {
            relaxation: 1.0,
            tangential_step: TangentialStep::LargestEigenvalue,
            force_tolerance_absolute: 1e-13,
            force_tolerance_relative: 1e-12,
            residual_tolerance: 1e-11,
            // Where contacts are all but redundant (four corners of a box that strike at once) rounding may leave no better: 1e-8 of a velocity or an acceleration moves nothing by a part that is seen.
            residual_limit: 1e-8,
            sweep_limit: 20_000,
        }
    }
}

/// What finished a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolveMethod {
    /// Plain sweeps.
    Sweeps,
    /// The linear (or, with slip, nearly linear) equations of frozen modes.
    FrozenModes,
    /// Accelerated sweeps.
    Anderson,
    /// Semi-smooth Newton.
    Newton,
    /// Lemke's pivoting.
    Pivoting,
    /// A path through softer problems (proximal steps).
    Softening,
    /// All assignments of modes, one after the other (contact nodes that may have no solution).
    Enumeration,
    /// The course of impulses through one collision.
    Course,
}

impl fmt::Display for SolveMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sweeps => "sweeps",
            Self::FrozenModes => "frozen modes",
            Self::Anderson => "Anderson acceleration",
            Self::Newton => "semi-smooth Newton",
            Self::Pivoting => "pivoting",
            Self::Softening => "softening",
            Self::Enumeration => "enumeration of modes",
            Self::Course => "course of impulses",
        })
    }
}

/// How a solution was reached, or how far the attempt went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolveReport {
    /// The method that finished (or was the last to try).
    pub method: SolveMethod,
    /// Plain sweeps made.
    pub sweeps: usize,
    /// Accelerated sweeps made.
    pub anderson_steps: usize,
    /// Linear systems solved, with frozen modes or by Newton.
    pub newton_steps: usize,
    /// Pivots made.
    pub pivots: usize,
    /// The relative natural-map residual.
    pub residual: f64,
}

impl SolveReport {
    pub(super) fn new(method: SolveMethod) -> Self {
        Self {
            method,
            sweeps: 0,
            anderson_steps: 0,
            newton_steps: 0,
            pivots: 0,
            residual: f64::INFINITY,
        }
    }
}

/// Forces that solve a contact problem.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactSolution {
    /// λ, by contact.
    pub forces: Vec<Triple>,
    /// γ = Gλ + b, by contact.
    pub rates: Vec<Triple>,
    /// How they were found.
    pub report: SolveReport,
}

/// A contact that no method brought to rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnconvergedContact {
    /// The contact.
    pub contact: usize,
    /// Its relative natural-map residual.
    pub residual: f64,
}

/// No forces were found that are good enough.
#[derive(Clone, Debug, PartialEq)]
pub struct NotConverged {
    /// How far the attempt went.
    pub report: SolveReport,
    /// The contacts that are left, in order.
    pub contacts: Vec<UnconvergedContact>,
    /// The best forces met; not a solution.
    pub forces: Vec<Triple>,
}

impl NotConverged {
    pub(super) fn at(
        problem: &ContactProblem<'_>,
        forces: Vec<Triple>,
        mut report: SolveReport,
        contacts: Vec<usize>,
    ) -> Self {
        let residuals = problem.contact_residuals(&forces);
        report.residual = problem.residual(&forces);
        let name = |contact| UnconvergedContact {
            contact,
            residual: residuals[contact],
        };
        Self {
            report,
            contacts: contacts.into_iter().map(name).collect(),
            forces,
        }
    }
}

impl fmt::Display for NotConverged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let report = &self.report;
        write!(
            f,
            "contact forces did not converge: {} sweeps, {} accelerated sweeps, {} Newton steps, residual {:.3e}; contacts",
            report.sweeps, report.anderson_steps, report.newton_steps, report.residual
        )?;
        for left in &self.contacts {
            write!(f, " {} ({:.3e})", left.contact, left.residual)?;
        }
        Ok(())
    }
}

impl std::error::Error for NotConverged {}

/// Solves a contact problem, from a warm start if one of the right length is given.
///
/// # Errors
/// When no method reaches the residual asked for; the error names the contacts that are left.
pub fn solve_contacts(
    problem: &ContactProblem<'_>,
    options: &SolverOptions,
    warm_start: Option<&[Triple]>,
) -> Result<ContactSolution, NotConverged> {
    let mut start = match warm_start {
        Some(forces) if forces.len() == problem.contact_count() => forces.to_vec(),
        _ => vec![[0.0; 3]; problem.contact_count()],
    };
    problem.project(&mut start);
    let mut attempt = Attempt {
        problem,
        options,
        report: SolveReport::new(SolveMethod::Sweeps),
        best: start.clone(),
    };
    attempt.report.residual = problem.residual(&start);
    attempt.run(start)
}

/// Sweeps from forces, and Newton's method on velocities after those of the options until a residual is enough, and accelerated sweeps where that does not get there: the best forces met, with their residual, whatever
/// it is. What this costs grows with the number of contacts, and with how much entities are wedged among each other.
#[must_use]
pub fn approach_contacts(
    problem: &ContactProblem<'_>,
    options: &SolverOptions,
    start: Vec<Triple>,
    (accelerated, enough): (usize, f64),
) -> SweepOutcome {
    let nothing = vec![[0.0; 3]; problem.contact_count()];
    let start = if problem.usable_residual(&start).is_finite() {
        start
    } else {
        nothing
    };
    let first = (problem.residual(&start), start.clone());
    let mut best = run_sweeps_from(problem, options, start);
    best.residual = problem.usable_residual(&best.forces);
    if best.residual <= enough {
        return best;
    }
    // Of contacts that jam each other sweeps may lead away without bound.
    if best.residual.is_nan() || best.residual > first.0 {
        (best.residual, best.forces) = first;
    }
    best.is_converged = false;
    let (forces, _, _) = solve_proximal(problem, best.forces.clone(), enough);
    let residual = problem.usable_residual(&forces);
    if residual < best.residual {
        (best.forces, best.residual) = (forces, residual);
        best.is_converged = residual <= options.residual_tolerance;
    }
    if best.residual <= enough {
        return best;
    }
    let mut anderson = Anderson::new(problem, Sweeper::new(problem, options, best.forces.clone()));
    for _ in 0..accelerated.div_ceil(LOOK_EVERY) {
        for _ in 0..LOOK_EVERY {
            anderson.step();
        }
        best.sweeps += LOOK_EVERY;
        let residual = problem.usable_residual(anderson.forces());
        if residual < best.residual {
            (best.residual, best.forces) = (residual, anderson.forces().to_vec());
        }
        if best.residual <= enough {
            best.is_converged = best.residual <= options.residual_tolerance;
            break;
        }
    }
    best
}

/// Whether forces will do where no method finds better ones: also beside b, because forces of contacts that jam each other grow without bound, and everything is small beside them.
pub(super) fn is_rough_solution(problem: &ContactProblem<'_>, forces: &[Triple], limit: f64) -> bool {
    problem.residual(forces) <= limit && problem.merit(forces) <= limit
}

/// A solution being looked for; `report.residual` is that of `best`.
struct Attempt<'a> {
    problem: &'a ContactProblem<'a>,
    options: &'a SolverOptions,
    report: SolveReport,
    best: Vec<Triple>,
}

impl Attempt<'_> {
    fn run(mut self, start: Vec<Triple>) -> Result<ContactSolution, NotConverged> {
        let is_done = self.sweep_and_freeze(start)
            || self.accelerate()
            || self.newton()
            || self.pivot()
            || self.follow_softer()
            || self.sweep_to_the_limit();
        if is_done || is_rough_solution(self.problem, &self.best, self.options.residual_limit) {
            return Ok(ContactSolution {
                rates: self.problem.gap_rates(&self.best),
                forces: self.best,
                report: self.report,
            });
        }
        let residuals = self.problem.contact_residuals(&self.best);
        let is_left = |&j: &usize| residuals[j].is_nan() || residuals[j] > self.options.residual_tolerance;
        let contacts = (0..residuals.len()).filter(is_left).collect();
        Err(NotConverged::at(self.problem, self.best, self.report, contacts))
    }

    /// Moves forces into their sets and keeps them if they are better than the best; is the residual small
    /// enough?
    fn offer(&mut self, method: SolveMethod, forces: &[Triple]) -> bool {
        let mut forces = forces.to_vec();
        self.problem.project(&mut forces);
        let residual = self.problem.residual(&forces);
        self.report.method = method;
        if residual < self.report.residual {
            self.report.residual = residual;
            self.best = forces;
        }
        self.report.residual <= self.options.residual_tolerance
    }

    fn freeze(&mut self, start: &[Triple]) -> bool {
        let found = solve_frozen(self.problem, self.options, start);
        self.accept_direct(SolveMethod::FrozenModes, &found)
    }

    fn accept_direct(&mut self, method: SolveMethod, found: &DirectOutcome) -> bool {
        self.report.newton_steps += found.steps;
        self.offer(method, &found.forces)
    }

    fn sweep_and_freeze(&mut self, start: Vec<Triple>) -> bool {
        let mut sweeper = Sweeper::new(self.problem, self.options, start);
        for batch in SWEEP_BATCHES {
            if self.sweep_batch(&mut sweeper, batch) {
                return true;
            }
            let forces = sweeper.forces().to_vec();
            if self.freeze(&forces) {
                return true;
            }
            if self.report.sweeps >= self.options.sweep_limit {
                break;
            }
        }
        false
    }

    /// Sweeps until convergence, or until the batch or the limit is used up; is the result good enough?
    fn sweep_batch(&mut self, sweeper: &mut Sweeper<'_>, batch: usize) -> bool {
        let allowed = batch.min(self.options.sweep_limit - self.report.sweeps.min(self.options.sweep_limit));
        for _ in 0..allowed {
            sweeper.sweep();
            self.report.sweeps += 1;
            if sweeper.is_converged() {
                return self.offer(SolveMethod::Sweeps, sweeper.forces());
            }
        }
        let is_lost = sweeper
            .forces()
            .as_flattened()
            .iter()
            .any(|value| !value.is_finite());
        if is_lost {
            sweeper.set_forces(&vec![[0.0; 3]; self.problem.contact_count()]);
        }
        false
    }

    fn accelerate(&mut self) -> bool {
        let sweeper = Sweeper::new(self.problem, self.options, self.best.clone());
        let mut anderson = Anderson::new(self.problem, sweeper);
        for _ in 0..ANDERSON_STEPS / ANDERSON_BATCH {
            for _ in 0..ANDERSON_BATCH {
                anderson.step();
                self.report.anderson_steps += 1;
                if self.problem.residual(anderson.forces()) <= self.options.residual_tolerance {
                    return self.offer(SolveMethod::Anderson, anderson.forces());
                }
            }
            let forces = anderson.forces().to_vec();
            if self.freeze(&forces) {
                return true;
            }
        }
        false
    }

    fn newton(&mut self) -> bool {
        for start in [self.best.clone(), vec![[0.0; 3]; self.problem.contact_count()]] {
            let found = solve_semismooth(self.problem, self.options, &start);
            if self.accept_direct(SolveMethod::Newton, &found) {
                return true;
            }
        }
        false
    }

    fn pivot(&mut self) -> bool {
        if !self.problem.is_linear() {
            return false;
        }
        let Some(found) = solve_pivoting(self.problem) else {
            return false;
        };
        self.report.pivots += found.pivots;
        if self.offer(SolveMethod::Pivoting, &found.forces) {
            return true;
        }
        let polished = solve_frozen(self.problem, self.options, &found.forces);
        self.accept_direct(SolveMethod::Pivoting, &polished)
    }

    fn follow_softer(&mut self) -> bool {
        let found = follow_softer(self.problem, self.options, &self.best.clone());
        self.accept_direct(SolveMethod::Softening, &found)
    }

    /// Sweeps with other relaxations (what cycles with one may settle with another), each followed by the
    /// direct methods, until the sweeps are used up.
    fn sweep_to_the_limit(&mut self) -> bool {
        let mut batch = 256;
        let mut start = self.best.clone();
        for factor in RELAXATION_FACTORS.into_iter().cycle().take(LAST_BATCHES) {
            if self.report.sweeps >= self.options.sweep_limit {
                break;
            }
            let mut options = *self.options;
            options.relaxation *= factor;
            let mut sweeper = Sweeper::new(self.problem, &options, start);
            if self.sweep_batch(&mut sweeper, batch) {
                return true;
            }
            start = sweeper.forces().to_vec();
            if self.freeze(&start) {
                return true;
            }
            let found = solve_semismooth(self.problem, self.options, &start);
            if self.accept_direct(SolveMethod::Newton, &found) {
                return true;
            }
            batch += batch / 2;
        }
        false
    }
}
