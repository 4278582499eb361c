//! The numerical inside of computation nodes: SORPROX, its fall-backs and impact laws. They propose forces and modes; what these obey is in `law`.
//!
//! **In:** the contacts that are closed, as generalized directions on the entities they touch, with their
//! free gap rates and friction numbers. **Out:** forces or impulses, the gap rates they leave, the mode of
//! each contact, and a report of the method that finished — or an error that names contacts.
//!
//! | file                 | what it holds                                                             |
//! |----------------------|---------------------------------------------------------------------------|
//! | `delassus.rs`        | [`Delassus`]: G = Wᵀ M⁻¹ W by blocks or dense                             |
//! | `problem.rs`         | [`ContactProblem`]: G, b, μ and the law of each contact; the residual     |
//! | `sorprox.rs`         | one sweep and the sweep loop \[SPEC §4\]                                  |
//! | `stepper.rs`         | the same, one inner edge a call \[SPEC §3\]                               |
//! | `solve.rs`           | the strategy that makes convergence certain where it can be               |
//! | `newton.rs`          | modes frozen and solved directly; semi-smooth Newton                      |
//! | `anderson.rs`        | accelerated sweeps                                                        |
//! | `proximal.rs`        | Newton's method on velocities, for heaps and chains; its linear systems in `law/block_lu.rs` |
//! | `softening.rs`       | proximal steps, for what resists everything before                        |
//! | `pivoting.rs`        | Lemke's method, for problems without discs                                |
//! | `impact.rs`          | Newton's and Poisson's impact laws with Coulomb friction                  |
//! | `energetic.rs`       | Stronge's impact law, for one contact                                     |
//! | `energy.rs`          | the cap: an impact that adds no energy; laws by group                     |
//! | `sequential.rs`      | one collision at a time                                                   |
//! | `sustained.rs`       | contact nodes: accelerations, forces and modes                            |
//!
//! # Guarantee
//! To tolerance: what is returned as solved has a natural-map residual not above the one asked for, or else, as its report says, not above a limit. Nothing
//! here reads a clock, random source or thread count, and no elementary function but the square root is
//! used, so results are the same bits on every platform.

mod anderson;
mod delassus;
mod energetic;
mod energy;
mod impact;
mod newton;
mod pivoting;
mod problem;
mod proximal;
mod sequential;
mod softening;
mod solve;
mod sorprox;
mod stepper;
mod sustained;
#[cfg(test)]
mod tests;

pub use anderson::Mixing;
pub use delassus::{Delassus, DelassusError, Triple, Twist};
pub use energy::{EnergyGain, EnergyRule, ImpactOptions, is_joint, solve_impact_by};
pub use impact::{ImpactContact, ImpactError, ImpactLaw, ImpactOutcome, solve_impact, solve_impact_poisson};
pub use problem::{ContactLaw, ContactProblem, CoupleLaw, ProblemError, TangentialLaw};
pub use sequential::{
    Collision, CollisionOrder, SequentialError, SequentialImpact, SequentialOptions, solve_impact_apart,
    solve_impact_sequential, solve_impact_sequential_by,
};
pub use solve::{
    ContactSolution, NotConverged, SolveMethod, SolveReport, SolverOptions, UnconvergedContact,
    approach_contacts, solve_contacts,
};
pub use sorprox::{SweepOutcome, TangentialStep, run_sweeps};
pub use stepper::{InnerStep, NodeStepper, TakenEdge};
pub use sustained::{
    NoFittingMode, SustainedContact, SustainedCouple, SustainedError, SustainedOptions, SustainedOutcome,
    solve_sustained, solve_sustained_with,
};
