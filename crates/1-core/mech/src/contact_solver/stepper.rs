//! SORPROX location by location: one call takes one inner edge of the computation node \[SPEC §3\].
//!
//! | location          | number      | edges                                                              |
//! |-------------------|-------------|--------------------------------------------------------------------|
//! | en                | 0           | → 1: forces := 0                                                   |
//! | i, 1 ≤ i ≤ N      | i           | → i+1 twice: take the normal estimate, or zero                     |
//! | N + i             | N + i       | → next twice: take the tangential estimate, or project it          |
//! | 2N + i            | 2N + i      | → next: normal converged; → 1: moved                               |
//! | 3N + i            | 3N + i      | → next: tangential converged; → 1: moved                           |
//! | 4N + 1            | 4N + 1      | → ex: the forces are applied (by the caller)                       |
//! | ex                | 4N + 2      | none                                                               |
//!
//! # Guarantee
//! The forces at ex are bit for bit those of [`run_sweeps`](crate::run_sweeps): both call the same steps in
//! the same order. A return to location 1 beyond the sweep limit is an error that names the contacts.

use super::delassus::Triple;
use super::problem::ContactProblem;
use super::solve::{NotConverged, SolveMethod, SolveReport, SolverOptions};
use super::sorprox::Sweeper;

/// Which inner edge was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakenEdge {
    /// en → 1: forces set to zero.
    Enter,
    /// Normal estimate not below zero: taken.
    TakeNormal,
    /// Normal estimate below zero: zero taken.
    ZeroNormal,
    /// Tangential estimate inside the disc: taken.
    TakeTangential,
    /// Tangential estimate outside the disc: projected.
    ProjectTangential,
    /// The normal force moved less than the tolerance: on to the next check.
    NormalConverged,
    /// The normal force moved: another sweep.
    NormalMoved,
    /// The tangential force moved less than the tolerance: on to the next check.
    TangentialConverged,
    /// The tangential force moved: another sweep.
    TangentialMoved,
    /// 4N + 1 → ex.
    Leave,
}

/// One inner edge taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InnerStep {
    /// Number of the location left.
    pub from: usize,
    /// Number of the location entered.
    pub to: usize,
    /// Which edge between them.
    pub edge: TakenEdge,
    /// The contact it is about; none for the first and the last edge.
    pub contact: Option<usize>,
    /// Sweeps begun so far.
    pub sweep: usize,
}

/// A computation node being executed.
#[derive(Clone, Debug)]
pub struct NodeStepper<'a> {
    problem: &'a ContactProblem<'a>,
    sweeper: Sweeper<'a>,
    sweep_limit: usize,
    location: usize,
}

impl<'a> NodeStepper<'a> {
    /// A node that stands at en.
    #[must_use]
    pub fn new(problem: &'a ContactProblem<'a>, options: &SolverOptions) -> Self {
        Self {
            problem,
            sweeper: Sweeper::new(problem, options, vec![[0.0; 3]; problem.contact_count()]),
            sweep_limit: options.sweep_limit,
            location: 0,
        }
    }

    /// The number of the current location: 0 is en, 4N + 2 is ex.
    #[must_use]
    pub fn location(&self) -> usize {
        self.location
    }

    /// The forces so far.
    #[must_use]
    pub fn forces(&self) -> &[Triple] {
        self.sweeper.forces()
    }

    /// Takes one inner edge; `None` at ex.
    ///
    /// # Errors
    /// When the edge would begin a sweep beyond the limit.
    pub fn step(&mut self) -> Result<Option<InnerStep>, NotConverged> {
        let count = self.problem.pressed_count();
        let from = self.location;
        if from == 4 * count + 2 {
            return Ok(None);
        }
        let contact = (1..=4 * count).contains(&from).then(|| (from - 1) % count);
        let edge = match contact {
            None if from == 0 => TakenEdge::Enter,
            None => TakenEdge::Leave,
            Some(j) => self.take((from - 1) / count, j),
        };
        let starts_again = matches!(edge, TakenEdge::NormalMoved | TakenEdge::TangentialMoved);
        if starts_again && self.sweeper.sweeps() >= self.sweep_limit {
            return Err(self.limit_reached());
        }
        self.location = if starts_again { 1 } else { from + 1 };
        Ok(Some(InnerStep {
            from,
            to: self.location,
            edge,
            contact,
            sweep: self.sweeper.sweeps(),
        }))
    }

    /// The edge that leaves the location of `contact` in one of the four blocks.
    fn take(&mut self, block: usize, contact: usize) -> TakenEdge {
        let sweeper = &mut self.sweeper;
        if block == 0 && contact == 0 {
            sweeper.begin_sweep();
        }
        let (is_first, first, second) = match block {
            0 => (
                sweeper.update_normal(contact),
                TakenEdge::TakeNormal,
                TakenEdge::ZeroNormal,
            ),
            // The couples of a contact are tangential too.
            1 => (
                self.problem
                    .couples_of(contact)
                    .fold(sweeper.update_tangential(contact), |taken, couple| {
                        sweeper.update_tangential(couple) && taken
                    }),
                TakenEdge::TakeTangential,
                TakenEdge::ProjectTangential,
            ),
            2 => (
                sweeper.is_normal_converged(contact),
                TakenEdge::NormalConverged,
                TakenEdge::NormalMoved,
            ),
            _ => (
                sweeper.is_tangential_converged(contact)
                    && self.problem.couples_of(contact).all(|couple| {
                        sweeper.is_normal_converged(couple) && sweeper.is_tangential_converged(couple)
                    }),
                TakenEdge::TangentialConverged,
                TakenEdge::TangentialMoved,
            ),
        };
        if is_first { first } else { second }
    }

    fn limit_reached(&self) -> NotConverged {
        let mut report = SolveReport::new(SolveMethod::Sweeps);
        report.sweeps = self.sweeper.sweeps();
        let moved =
            |&j: &usize| !(self.sweeper.is_normal_converged(j) && self.sweeper.is_tangential_converged(j));
        let contacts = (0..self.problem.contact_count()).filter(moved).collect();
        NotConverged::at(self.problem, self.forces().to_vec(), report, contacts)
    }
}
