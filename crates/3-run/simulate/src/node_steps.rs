//! The inner steps of a computation node in the trace: SORPROX one inner edge at a time, each at its microstep [SPEC §3, §4].
//!
//! What is shown is the node's own algorithm. The forces that the run goes on with come from the solver, which begins with the same sweeps and finishes them
//! by a direct method; both agree to the solver's tolerance. Where the sweeps do not converge within [`MOST_SWEEPS`], the trace says that a fall-back
//! finished them.

use crate::index::ContactIx;
use crate::log::Taken;
use crate::run::Run;
use dyverse_machine::{NodeKind, Stage};
use dyverse_mech::{ContactLaw, ContactProblem, Delassus, InnerStep, NodeStepper, SolverOptions, TakenEdge};
use dyverse_trace::TransitionKind;

/// Sweeps shown at the most.
const MOST_SWEEPS: usize = 200;

impl Run<'_> {
    /// The inner steps of a node over contacts. Their times are set when they are recorded.
    pub(crate) fn node_steps(
        &self,
        kind: NodeKind,
        ids: &[ContactIx],
        delassus: &Delassus,
        laws: Vec<ContactLaw>,
    ) -> Vec<Taken> {
        let mut steps = Vec::new();
        let Ok(problem) = ContactProblem::new(delassus, laws) else {
            return steps;
        };
        let last = 4 * ids.len() + 2;
        let options = SolverOptions {
            sweep_limit: MOST_SWEEPS,
            ..self.system.force_options()
        };
        let mut stepper = NodeStepper::new(&problem, &options);
        loop {
            let (from, to, contact, guard, reset) = match stepper.step() {
                Ok(Some(step)) => {
                    let (guard, reset) = texts(&step);
                    (step.from, step.to, step.contact, guard, reset)
                }
                Ok(None) => return steps,
                Err(_) => (
                    1,
                    last,
                    None,
                    "the sweeps have not converged",
                    "a fall-back finishes them",
                ),
            };
            let stage = |number: usize| match number {
                0 => Stage::Entrance(kind),
                n if n == last => Stage::Exit(kind),
                n => Stage::Step(kind, n),
            };
            steps.push(Taken {
                contacts: contact.map(|c| ids[c]).into_iter().collect(),
                forces: ids
                    .iter()
                    .copied()
                    .zip(stepper.forces().iter().copied())
                    .collect(),
                inner: Some((guard, reset)),
                ..Taken::new(
                    TransitionKind::Compute,
                    self.recorder.now,
                    (stage(from), stage(to)),
                )
            });
            if to == last {
                return steps;
            }
        }
    }
}

/// Guard and reset of an inner edge, in the papers' notation.
fn texts(step: &InnerStep) -> (&'static str, &'static str) {
    match step.edge {
        TakenEdge::Enter => ("true", "λ_N := 0, λ_T := 0"),
        TakenEdge::TakeNormal => ("Φ_N ≥ 0", "λ_N := Φ_N"),
        TakenEdge::ZeroNormal => ("Φ_N < 0", "λ_N := 0"),
        TakenEdge::TakeTangential => ("|Φ_T| ≤ μ λ_N", "λ_T := Φ_T"),
        TakenEdge::ProjectTangential => ("|Φ_T| > μ λ_N", "λ_T := μ λ_N Φ_T/|Φ_T|"),
        TakenEdge::NormalConverged => ("|Δλ_N| < ε", "x := x"),
        TakenEdge::NormalMoved => ("|Δλ_N| ≥ ε", "x := x"),
        TakenEdge::TangentialConverged => ("|Δλ_T| < ε", "x := x"),
        TakenEdge::TangentialMoved => ("|Δλ_T| ≥ ε", "x := x"),
        TakenEdge::Leave => (
            "true",
            "impact: u := u + M⁻¹ (W_N Λ_N + W_T Λ_T); contact: forces and accelerations",
        ),
    }
}
