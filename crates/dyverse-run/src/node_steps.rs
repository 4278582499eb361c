//! The inner steps of a computation node in the trace: SORPROX one inner edge at a time, each at its microstep [SPEC §3, §4].
//!
//! What is shown is the node's own algorithm. The forces that the run goes on with come from the solver, which begins with the same sweeps and finishes them
//! by a direct method; both agree to the solver's tolerance. Where the sweeps do not converge within [`MOST_SWEEPS`], the trace says that a fall-back
//! finished them.

use crate::naming::Place;
use crate::recorder::contact_forces;
use crate::run::Run;
use dyverse_mech::{ContactLaw, ContactProblem, Delassus, InnerStep, NodeStepper, SolverOptions, TakenEdge};
use dyverse_time::{Transition, TransitionKind};

/// Sweeps shown at the most.
const MOST_SWEEPS: usize = 200;

impl Run<'_> {
    /// The inner steps of the node at `entrance`. Their times are set when they are recorded.
    pub(crate) fn node_steps(
        &self,
        entrance: &Place,
        ids: &[usize],
        delassus: &Delassus,
        laws: Vec<ContactLaw>,
    ) -> Vec<Transition> {
        let mut steps = Vec::new();
        let Ok(problem) = ContactProblem::new(delassus, laws) else {
            return steps;
        };
        let node = self.recorder.name(&self.system, entrance);
        let node = node.trim_end_matches(",en");
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
            let name = |number: usize| match number {
                0 => format!("{node},en"),
                n if n == last => format!("{node},ex"),
                n => format!("{node},{n}"),
            };
            let contacts = contact.map(|c| self.system.contact(ids[c]).label.clone());
            steps.push(Transition {
                time: self.recorder.now,
                kind: TransitionKind::Compute,
                from: name(from),
                to: name(to),
                rule: "",
                contacts: contacts.into_iter().collect(),
                guard: guard.into(),
                reset: reset.into(),
                forces: contact_forces(&self.system, ids, stepper.forces()),
                changes: Vec::new(),
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
