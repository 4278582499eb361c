//! The SAT solver: batsat behind what *Satisfy* needs of it.
//!
//! New variables are tried false first, so that few constraints are chosen that no clause asks for.
//! Deterministic: batsat's heuristics use no random numbers as they are set here.

use batsat::{BasicSolver, Lit, SolverInterface, Var, lbool};

/// What the SAT solver says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SatAnswer {
    Satisfiable,
    Unsatisfiable,
    GaveUp,
}

/// An incremental SAT solver.
#[derive(Default)]
pub(crate) struct Sat {
    solver: BasicSolver,
    calls: u64,
}

impl Sat {
    pub(crate) fn new_variable(&mut self) -> Var {
        self.solver.new_var(lbool::FALSE, true)
    }
    pub(crate) fn calls(&self) -> u64 {
        self.calls
    }
    /// Adds a clause for good.
    pub(crate) fn add(&mut self, clause: impl IntoIterator<Item = Lit>) {
        let mut clause: Vec<Lit> = clause.into_iter().collect();
        // What it returns is whether the clauses are still satisfiable: `solve` says that too.
        self.solver.add_clause_reuse(&mut clause);
    }
    /// Are all clauses and assumptions satisfiable together?
    pub(crate) fn solve(&mut self, assumptions: &[Lit]) -> SatAnswer {
        self.calls += 1;
        let answer = self.solver.solve_limited(assumptions);
        if answer == lbool::TRUE {
            SatAnswer::Satisfiable
        } else if answer == lbool::FALSE {
            SatAnswer::Unsatisfiable
        } else {
            SatAnswer::GaveUp
        }
    }
    /// Does the variable have this value in the assignment found? (What no clause needs is false.)
    pub(crate) fn is_true(&self, variable: Var) -> bool {
        self.solver.value_var(variable) == lbool::TRUE
    }
    /// Was this assumption used in the last refutation?
    pub(crate) fn was_used(&self, assumption: Var) -> bool {
        self.solver.unsat_core_contains_var(assumption)
    }
}
