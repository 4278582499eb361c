//! The strategy: sweeps find the modes, direct methods finish, and every answer is checked.
//!
//! # Method \[METHODS 2\]
//! 1. A few sweeps, from a warm start if one is given. If they converge and the residual is small: done.
//! 2. The modes they found are frozen and the equations solved directly; accepted on the residual.
//!    Twice more with more sweeps in between.
//!    Many contacts: Newton's method on velocities (`proximal.rs`).
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
use super::proximal::{SYSTEMS, solve_proximal};
use super::softening::follow_softer;
use super::sorprox::{SweepOutcome, Sweeper, TangentialStep};

/// Sweeps before each attempt with frozen modes.
const SWEEP_BATCHES: [usize; 3] = [8, 32, 128];
/// Sweeps between two looks at the residual.
const LOOK_EVERY: usize = 8;
/// Accelerated sweeps in all, and between attempts with frozen modes.
const ANDERSON_STEPS: usize = 320;
const ANDERSON_BATCH: usize = 40;

/// What one problem may take, in multiplications; what one contact takes in a sweep, and the dense linear system of one unknown, to its third power.
const EFFORT: f64 = 4e9;
const OF_A_SWEEP: f64 = 150.0;
const OF_A_SYSTEM: f64 = 4.0 / 3.0;
/// Where so few dense systems are all that it may take, contacts are many.
const FEW_SYSTEMS: usize = 1000;

/// Contacts from which on sweeps that will not be enough are left before their limit.
const MANY: usize = 16;
/// Where impulses are approached: linear systems of Newton's method, sweeps, and accelerated sweeps, in turn. Sweeps find modes among which Newton's method goes astray, and creep where it jumps.
const IN_TURN: [(usize, usize, usize); 3] = [(12, 240, 0), (30, 480, 0), (SYSTEMS, 0, 240)];

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
    let unknowns = 3.0 * problem.contact_count() as f64;
    // A whole number by the cast.
    let within = |each: f64| (EFFORT / each.max(1.0)) as usize;
    let options = &SolverOptions {
        sweep_limit: options.sweep_limit.min(within(OF_A_SWEEP * unknowns / 3.0)),
        ..*options
    };
    let mut attempt = Attempt {
        problem,
        options,
        systems: within(OF_A_SYSTEM * unknowns.powi(3)),
        report: SolveReport::new(SolveMethod::Sweeps),
        best: start.clone(),
    };
    attempt.report.residual = problem.residual(&start);
    attempt.run(start)
}

/// Sweeps from forces until a residual is enough and to the limit of the options, where these do not get there Newton's method on velocities and accelerated sweeps in turn: the best forces met, with their residual,
/// whatever it is. What this costs grows with the number of contacts, and with how much entities are wedged among each other.
#[must_use]
pub fn approach_contacts(
    problem: &ContactProblem<'_>,
    options: &SolverOptions,
    mut start: Vec<Triple>,
    enough: f64,
) -> SweepOutcome {
    problem.project(&mut start);
    let mut residual = problem.usable_residual(&start);
    if !residual.is_finite() {
        start = vec![[0.0; 3]; problem.contact_count()];
        residual = problem.usable_residual(&start);
    }
    let mut approach = Approach {
        problem,
        asked: options.residual_tolerance,
        enough,
        best: SweepOutcome {
            forces: start,
            sweeps: 0,
            is_converged: residual <= options.residual_tolerance,
            residual,
        },
    };
    approach.sweep(options, options.sweep_limit, true);
    for (systems, sweeps, accelerated) in IN_TURN {
        if approach.best.residual <= enough {
            break;
        }
        let (forces, ..) = solve_proximal(problem, approach.best.forces.clone(), enough, systems);
        approach.offer(&forces);
        approach.sweep(options, sweeps, false);
        approach.accelerate(options, accelerated);
    }
    approach.best
}

/// Forces that become better.
struct Approach<'a> {
    problem: &'a ContactProblem<'a>,
    /// The residuals that are asked for, and that are enough.
    asked: f64,
    enough: f64,
    best: SweepOutcome,
}

impl Approach<'_> {
    /// Keeps forces that are better than the best: of contacts that jam each other sweeps may lead away without bound. Their residual.
    fn offer(&mut self, forces: &[Triple]) -> f64 {
        let residual = self.problem.usable_residual(forces);
        if residual < self.best.residual {
            self.best.residual = residual;
            self.best.forces = forces.to_vec();
            self.best.is_converged = residual <= self.asked;
        }
        residual
    }

    /// So many sweeps; the first ones until it is plain that these will not be enough, later ones until they are.
    fn sweep(&mut self, options: &SolverOptions, most: usize, is_first: bool) {
        let mut sweeper = Sweeper::new(self.problem, options, self.best.forces.clone());
        let mut residual = self.best.residual;
        for made in (0..most).step_by(LOOK_EVERY) {
            if self.best.is_converged || !is_first && self.best.residual <= self.enough {
                break;
            }
            let before = residual;
            (0..LOOK_EVERY).for_each(|_| sweeper.sweep());
            self.best.sweeps += LOOK_EVERY;
            residual = self.offer(sweeper.forces());
            self.best.is_converged |= sweeper.is_converged();
            let may_leave = is_first && self.problem.contact_count() >= MANY;
            if may_leave && made > 0 && self.best.residual > self.enough {
                let looks = ((most - made) / LOOK_EVERY) as f64;
                let comes_to = residual * (residual / before).powf(looks);
                if comes_to.is_nan() || comes_to > self.enough {
                    break;
                }
            }
        }
    }

    fn accelerate(&mut self, options: &SolverOptions, sweeps: usize) {
        let sweeper = Sweeper::new(self.problem, options, self.best.forces.clone());
        let mut anderson = Anderson::new(self.problem, sweeper);
        for _ in (0..sweeps).step_by(LOOK_EVERY) {
            if self.best.residual <= self.enough {
                break;
            }
            (0..LOOK_EVERY).for_each(|_| anderson.step());
            self.best.sweeps += LOOK_EVERY;
            self.offer(anderson.forces());
        }
    }
}

/// Whether forces will do where no method finds better ones: also beside b, because forces of contacts that jam each other grow without bound, and everything is small beside them.
pub(super) fn is_rough_solution(problem: &ContactProblem<'_>, forces: &[Triple], limit: f64) -> bool {
    problem.residual(forces) <= limit && problem.merit(forces) <= limit
}

/// A solution being looked for; `report.residual` is that of `best`.
struct Attempt<'a> {
    problem: &'a ContactProblem<'a>,
    options: &'a SolverOptions,
    /// Dense linear systems that may be solved.
    systems: usize,
    report: SolveReport,
    best: Vec<Triple>,
}

impl Attempt<'_> {
    fn run(mut self, start: Vec<Triple>) -> Result<ContactSolution, NotConverged> {
        let is_done = self.sweep_and_freeze(start)
            || self.newton_on_velocities()
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

    fn systems_left(&self) -> usize {
        self.systems.saturating_sub(self.report.newton_steps)
    }

    fn newton_on_velocities(&mut self) -> bool {
        if self.systems > FEW_SYSTEMS {
            return false;
        }
        let enough = self.options.residual_tolerance;
        let (forces, ..) = solve_proximal(self.problem, self.best.clone(), enough, SYSTEMS);
        self.offer(SolveMethod::Newton, &forces) || self.freeze(&forces)
    }

    fn freeze(&mut self, start: &[Triple]) -> bool {
        let found = solve_frozen(self.problem, self.options, start, self.systems_left());
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
            let found = solve_semismooth(self.problem, self.options, &start, self.systems_left());
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
        if self.systems_left() == 0 {
            return false;
        }
        let Some(found) = solve_pivoting(self.problem) else {
            return false;
        };
        self.report.pivots += found.pivots;
        if self.offer(SolveMethod::Pivoting, &found.forces) {
            return true;
        }
        let polished = solve_frozen(self.problem, self.options, &found.forces, self.systems_left());
        self.accept_direct(SolveMethod::Pivoting, &polished)
    }

    fn follow_softer(&mut self) -> bool {
        let left = self.systems_left();
        let found = follow_softer(self.problem, self.options, &self.best.clone(), left);
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
            let found = solve_semismooth(self.problem, self.options, &start, self.systems_left());
            if self.accept_direct(SolveMethod::Newton, &found) {
                return true;
            }
            batch += batch / 2;
        }
        false
    }
}
