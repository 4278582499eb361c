//! The law of contacts with modes frozen, once, over any scalar: γ = Gλ + b, and one row for each contact.
//!
//! | row | equations | margins ≥ 0 | unknowns | used by |
//! |---|---|---|---|---|
//! | [`Row::Open`] | λ = 0 | γ_N | – | impact, contact node |
//! | [`Row::Smooth`] | γ_N = 0, λ_T = 0 | λ_N | λ_N | all |
//! | [`Row::Stick`] | γ = 0 | λ_N, μ²λ_N² − \|λ_T\|² | λ | all |
//! | [`Row::Along`] d | γ_N = 0, λ_T = −μλ_N d | λ_N | λ_N | slip: contact node, flow |
//! | [`Row::Against`] | γ_N = 0, λ_T = −μλ_N d, γ_T × d = 0, \|d\|² = 1 | λ_N, γ_T·d | λ_N, d | slip: impact |
//!
//! Impact: b = (1 + e) dg⁻, and γ = dg⁺ + e dg⁻ ([`ImpactContact`](crate::ImpactContact)). Contact node and flow: b = WᵀM⁻¹h + w_a, and γ = ddg. Every solution of
//! Signorini's and Coulomb's law is one of some assignment of rows; γ_T = 0 on the edge of the disc belongs to `Stick` and to `Against`.
//!
//! | file | what it holds |
//! |---|---|
//! | `row.rs` | [`Row`], [`Terms`] |
//! | `operator.rs` | W, M⁻¹ and G = WᵀM⁻¹W: [`Operator`], [`Blocks`] |
//! | `frozen.rs` | [`FrozenLaw`]: forces, equations, margins, residuals |
//! | `couple.rs` | [`CoupleRow`]: rolling and spinning friction beside a contact |
//! | `linear.rs` | elimination where no row is `Against` |
//! | `sparse.rs` | the same for many contacts in doubles, by blocks of entities (`block_lu.rs`) |
//! | `mass_root.rs` | coordinates in which all entities are alike |
//! | `impact.rs` | Newton's impact law: b, dg⁺, energy |
//! | `dense.rs` | the rank-revealing factorisation for redundant contacts |
//!
//! Doubles, dual numbers and intervals run this code; formulas for proofs and other tools are recorded by running it on a scalar that writes down what is asked of it; Taylor
//! models evaluate what was recorded. Solvers ([`solve_contacts`](crate::solve_contacts)) propose rows and forces.
//!
//! Tried and dropped for `Against`: λ_T \|γ_T\| + μλ_N γ_T = 0 says the same without d, and has no slope where γ_T = 0; with d a slip runs smoothly through the border to
//! stick.

pub(crate) mod block_lu;
pub(crate) mod couple;
pub(crate) mod dense;
mod frozen;
mod impact;
mod linear;
pub(crate) mod mass_root;
mod operator;
mod row;
mod sparse;

pub use couple::{CoupleRow, Turn};
pub use frozen::{Forces, FrozenLaw};
pub use impact::{may_gain_energy, velocity_after, work};
pub use linear::{LawError, Work};
pub use operator::{
    Arm, Blocks, ContactDirections, EntityColumns, EntityMass, InverseMass, Operator, groups, pushed,
};
pub use row::{ImpactRow, LawScalar, Row, Terms};
