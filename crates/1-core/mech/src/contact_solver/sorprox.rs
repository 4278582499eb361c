//! SORPROX: one sweep over the contacts, and the sweep loop \[SPEC §4; 001 §4\].
//!
//! In order j = 1..N, normals first, newest values used, γ = Gλ + b:
//! - Φ_N,j = λ_N,j − (w/A_jj) γ_N,j,      λ_N,j := max(p_j, Φ_N,j);
//! - Φ_T,j = λ_T,j − R_j γ_T,j,           λ_T,j := projection of Φ_T,j on |·| ≤ μ_j λ_N,j.
//!
//! # The tangential step R_j
//! The specification writes R_j = w C_jj⁻¹. Its fixed points are those of Coulomb's law only where C_jj is a
//! multiple of the identity (spheres): on the disc's edge the fixed point says C_jj⁻¹γ_T ∥ −λ_T, and Coulomb
//! says γ_T ∥ −λ_T. So the default is R_j = w/λ_max(C_jj), which is the same number for spheres, has the right
//! fixed points for every shape, and never overshoots; `TangentialStep::InverseBlock` is the printed form, and
//! the tests show where the two part.
//!
//! # Guarantee
//! To tolerance, if the loop says it converged: no force moved by as much as the tolerance in the last sweep.
//! Heuristic otherwise: convergence is linear, may be slow or absent, and is what `solve.rs` is for.

use super::delassus::{Response, Triple};
use super::problem::{ContactProblem, TangentialLaw, length};
use super::solve::SolverOptions;

/// The matrix R_j of the tangential step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TangentialStep {
    /// w/λ_max(C_jj): fixed points obey Coulomb's law for every shape.
    #[default]
    LargestEigenvalue,
    /// w C_jj⁻¹, as printed in the papers; obeys Coulomb's law where C_jj is a multiple of the identity.
    InverseBlock,
}

/// What a run of sweeps ended with.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepOutcome {
    /// λ, by contact.
    pub forces: Vec<Triple>,
    /// Sweeps made.
    pub sweeps: usize,
    /// Did every force move less than the tolerance in the last sweep?
    pub is_converged: bool,
    /// The relative natural-map residual of `forces`.
    pub residual: f64,
}

/// Runs sweeps from zero forces until they converge or the limit of the options is reached.
///
/// The forces are bit for bit those of [`NodeStepper`](crate::NodeStepper) run to its end.
#[must_use]
pub fn run_sweeps(problem: &ContactProblem<'_>, options: &SolverOptions) -> SweepOutcome {
    let mut sweeper = Sweeper::new(problem, options, vec![[0.0; 3]; problem.contact_count()]);
    let mut is_converged = false;
    while !is_converged && sweeper.sweeps() < options.sweep_limit {
        sweeper.sweep();
        is_converged = sweeper.is_converged();
    }
    SweepOutcome {
        residual: problem.residual(&sweeper.forces),
        sweeps: sweeper.sweeps,
        forces: sweeper.forces,
        is_converged,
    }
}

/// Steps of one contact.
#[derive(Clone, Copy, Debug)]
struct Steps {
    normal: f64,
    /// Symmetric matrix (xx, xy, yy).
    tangential: Triple,
}

/// The state of a run of sweeps: forces, those before the current sweep, and what they do.
#[derive(Clone, Debug)]
pub(super) struct Sweeper<'a> {
    problem: &'a ContactProblem<'a>,
    steps: Vec<Steps>,
    tolerance_absolute: f64,
    tolerance_relative: f64,
    forces: Vec<Triple>,
    previous: Vec<Triple>,
    response: Response,
    sweeps: usize,
}

impl<'a> Sweeper<'a> {
    pub(super) fn new(problem: &'a ContactProblem<'a>, options: &SolverOptions, forces: Vec<Triple>) -> Self {
        let steps = (0..problem.contact_count()).map(|j| steps_of(problem, options, j));
        Self {
            problem,
            steps: steps.collect(),
            tolerance_absolute: options.force_tolerance_absolute,
            tolerance_relative: options.force_tolerance_relative,
            previous: forces.clone(),
            forces,
            response: Response::default(),
            sweeps: 0,
        }
    }

    pub(super) fn forces(&self) -> &[Triple] {
        &self.forces
    }

    pub(super) fn set_forces(&mut self, forces: &[Triple]) {
        self.forces.copy_from_slice(forces);
    }

    pub(super) fn sweeps(&self) -> usize {
        self.sweeps
    }

    /// One whole sweep.
    pub(super) fn sweep(&mut self) {
        self.begin_sweep();
        for j in 0..self.forces.len() {
            self.update_normal(j);
        }
        for j in 0..self.forces.len() {
            self.update_tangential(j);
        }
    }

    /// Remembers the forces and recomputes what they do, so that a sweep is a function of forces alone.
    pub(super) fn begin_sweep(&mut self) {
        self.previous.copy_from_slice(&self.forces);
        self.problem.delassus().respond(&self.forces, &mut self.response);
        self.sweeps += 1;
    }

    /// The normal step of contact j. Was the estimate taken (and not the floor)?
    pub(super) fn update_normal(&mut self, j: usize) -> bool {
        let law = &self.problem.laws()[j];
        if law.couple().is_some() {
            // It waits for the normal force of its contact.
            return true;
        }
        let delassus = self.problem.delassus();
        let rate = delassus.rate_component(&self.response, j, 0) + law.bias[0];
        let estimate = self.forces[j][0] - self.steps[j].normal * rate;
        let is_taken = estimate >= law.floor;
        self.change(j, 0, if is_taken { estimate } else { law.floor });
        is_taken
    }

    /// The tangential step of contact j. Was the estimate taken (and not its projection)?
    pub(super) fn update_tangential(&mut self, j: usize) -> bool {
        let law = &self.problem.laws()[j];
        let delassus = self.problem.delassus();
        let rate = [1, 2].map(|k| delassus.rate_component(&self.response, j, k) + law.bias[k]);
        let [xx, xy, yy] = self.steps[j].tangential;
        let force = self.forces[j];
        let estimate = [
            force[1] - (xx * rate[0] + xy * rate[1]),
            force[2] - (xy * rate[0] + yy * rate[1]),
        ];
        if let Some(couple) = law.couple() {
            let rate = delassus.rate_component(&self.response, j, 0) + law.bias[0];
            let all = [force[0] - self.steps[j].normal * rate, estimate[0], estimate[1]];
            let taken = couple.force(self.forces[couple.of][0], all);
            (0..3).for_each(|k| self.change(j, k, taken[k]));
            return taken == all;
        }
        let taken = law.tangential_force(force[0], estimate);
        self.change(j, 1, taken[0]);
        self.change(j, 2, taken[1]);
        law.tangential == TangentialLaw::Disc && length(estimate) <= law.friction * force[0]
    }

    fn change(&mut self, contact: usize, component: usize, value: f64) {
        let change = value - self.forces[contact][component];
        if change != 0.0 {
            self.forces[contact][component] = value;
            self.problem
                .delassus()
                .add(&mut self.response, contact, component, change);
        }
    }

    /// Did the normal force of contact j move less than the tolerance in this sweep?
    pub(super) fn is_normal_converged(&self, j: usize) -> bool {
        (self.forces[j][0] - self.previous[j][0]).abs() < self.tolerance(j)
    }

    /// Did the tangential force of contact j move less than the tolerance in this sweep?
    pub(super) fn is_tangential_converged(&self, j: usize) -> bool {
        let (now, before) = (&self.forces[j], &self.previous[j]);
        length([now[1] - before[1], now[2] - before[2]]) < self.tolerance(j)
    }

    /// Absolute plus relative to the contact's largest force.
    fn tolerance(&self, j: usize) -> f64 {
        let [normal, x, y] = self.forces[j];
        self.tolerance_absolute + self.tolerance_relative * normal.abs().max(length([x, y]))
    }

    pub(super) fn is_converged(&self) -> bool {
        (0..self.forces.len()).all(|j| self.is_normal_converged(j) && self.is_tangential_converged(j))
    }
}

fn steps_of(problem: &ContactProblem<'_>, options: &SolverOptions, j: usize) -> Steps {
    let diagonal = problem.delassus().diagonal(j);
    let w = options.relaxation;
    let even = w / diagonal.tangential_scale;
    let [xx, xy, yy] = diagonal.tangential;
    let determinant = xx * yy - xy * xy;
    let is_regular = determinant > 1e-14 * diagonal.tangential_scale * diagonal.tangential_scale;
    let tangential = match options.tangential_step {
        TangentialStep::InverseBlock if is_regular => {
            [w * yy / determinant, -w * xy / determinant, w * xx / determinant]
        }
        _ => [even, 0.0, even],
    };
    Steps {
        normal: w / diagonal.normal,
        tangential,
    }
}
