//! Impact laws for all closed contacts at once: Newton's and Poisson's, with Coulomb friction. The energetic law, for one contact, is in `energetic.rs`.
//!
//! | paper     | here                              | unit |
//! |-----------|-----------------------------------|------|
//! | dg⁻, dg⁺  | `velocity`, `velocities_after`    | m/s  |
//! | e_N, e_T  | `restitution_normal`, `…_tangential` | 1 |
//! | Λ         | `impulses`                        | N s  |
//!
//! # Newton \[SPEC §2\]
//! b_N = (1 + e_N) dg_N⁻ and b_T = (1 + e_T) dg_T⁻, so γ = dg⁺ + e dg⁻ obeys the contact law. Meant for
//! contacts that are not separating (dg_N⁻ ≤ 0), which is what the guards of impact nodes ask for. Then a
//! frictionless impact with e_N ≤ 1 never adds energy; with friction both laws can, and `energy.rs` caps them.
//!
//! # Poisson (Pfeiffer and Glocker, *Multibody Dynamics with Unilateral Contacts*, 1996, ch. 8)
//! 1. Compression, as with e_N = 0: γ_C = dg⁻ + GΛ_C, 0 ≤ Λ_NC ⊥ γ_NC ≥ 0.
//! 2. Restitution: γ_E = γ_C + GΛ_E with Λ_NE ≥ e_N Λ_NC, γ_NE ≥ 0, (Λ_NE − e_N Λ_NC) γ_NE = 0: the stored
//!    impulse is given back, and more only where a contact would close again.
//!
//! Friction: in each phase |Λ_T| ≤ μΛ_N of that phase, against dg_T + e_T dg_T⁻ at its end. So e_T means what
//! it means in Newton's law, and for one contact with B_jj = 0 and isotropic C_jj both laws agree, friction included.
//! The source's reversible tangential impulse (a second coefficient on stored friction) is not offered.
//!
//! # Guarantee
//! To tolerance, as [`solve_contacts`]. The energy change is ½Λᵀ(dg⁺ + dg⁻), exact for the impulses returned.

use std::fmt;

use super::delassus::{Delassus, Triple, Twist};
use super::energy::EnergyGain;
use super::problem::{ContactLaw, ContactProblem, ProblemError, TangentialLaw};
use super::solve::{NotConverged, SolveReport, SolverOptions, solve_contacts};
use crate::law::work;

/// What restitution means: which law gives the impulses of a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImpactLaw {
    /// Newton's: a ratio of velocities.
    #[default]
    Newton,
    /// Poisson's: a ratio of impulses.
    Poisson,
    /// Stronge's: the root of a ratio of works. It has no tangential restitution, and is for one contact at a time.
    Energetic,
}

impl ImpactLaw {
    /// As written in model files.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Newton => "newton",
            Self::Poisson => "poisson",
            Self::Energetic => "energetic",
        }
    }
}

/// One contact of an impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpactContact<S = f64> {
    /// dg⁻: normal and tangential gap rates before the impact.
    pub velocity: [S; 3],
    /// e_N in [0, 1].
    pub restitution_normal: S,
    /// e_T in [−1, 1]; −1 leaves the tangential velocity alone, 0 stops it, 1 reverses it. The energetic law has none.
    pub restitution_tangential: S,
    /// μ ≥ 0.
    pub friction: S,
    /// The law.
    pub law: ImpactLaw,
}

impl ImpactContact {
    /// Newton's law with Coulomb friction: b = (1 + e) dg⁻ \[SPEC §4\].
    #[must_use]
    pub fn law(&self) -> ContactLaw {
        let terms = self.terms();
        ContactLaw::coulomb(terms.bias, terms.friction)
    }

    /// The same contact with a part of its restitution, normal and tangential.
    #[must_use]
    pub fn with_share(&self, share: f64) -> Self {
        Self {
            restitution_normal: share * self.restitution_normal,
            restitution_tangential: share * self.restitution_tangential,
            ..*self
        }
    }
}

/// The result of an impact.
#[derive(Clone, Debug, PartialEq)]
pub struct ImpactOutcome {
    /// Λ, by contact.
    pub impulses: Vec<Triple>,
    /// dg⁺, by contact.
    pub velocities_after: Vec<Triple>,
    /// M⁻¹WΛ, by touched entity ([`Delassus::touched_entities`]).
    pub twist_changes: Vec<Twist>,
    /// The change of kinetic energy in J.
    pub energy_change: f64,
    /// One report for each problem solved: one for Newton's law, two for Poisson's, one for a collision by the energetic law; one more for each group of contacts that was capped.
    pub reports: Vec<SolveReport>,
    /// Where the law as it stands adds energy; empty if it was not asked ([`solve_impact_by`](crate::solve_impact_by) does).
    pub gains: Vec<EnergyGain>,
}

/// Why an impact has no result.
#[derive(Clone, Debug, PartialEq)]
pub enum ImpactError {
    /// The contacts do not make a problem.
    Problem(ProblemError),
    /// No impulses were found.
    NotConverged(NotConverged),
    /// Contacts that act on each other collide at once, by different laws or by the energetic law.
    NotTogether {
        /// They.
        contacts: Vec<usize>,
    },
    /// The course of impulses does not end, or G is not positive definite.
    Course {
        /// The contact.
        contact: usize,
    },
}

impl fmt::Display for ImpactError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Problem(error) => error.fmt(f),
            Self::NotConverged(error) => write!(f, "impact: {error}"),
            Self::NotTogether { contacts } => write!(
                f,
                "contacts {contacts:?} collide at once, by different laws or by the energetic one, which is for one contact"
            ),
            Self::Course { contact } => {
                write!(
                    f,
                    "contact {contact}: the course of impulses of the energetic law does not end"
                )
            }
        }
    }
}

impl std::error::Error for ImpactError {}

impl From<ProblemError> for ImpactError {
    fn from(error: ProblemError) -> Self {
        Self::Problem(error)
    }
}

impl From<NotConverged> for ImpactError {
    fn from(error: NotConverged) -> Self {
        Self::NotConverged(error)
    }
}

/// Newton's law with Coulomb friction for all contacts together (policy `simultaneous`).
///
/// # Errors
/// When the contacts do not fit the operator, or no impulses are found.
pub fn solve_impact(
    delassus: &Delassus,
    contacts: &[ImpactContact],
    options: &SolverOptions,
) -> Result<ImpactOutcome, ImpactError> {
    let problem = ContactProblem::new(delassus, contacts.iter().map(ImpactContact::law).collect())?;
    let solution = solve_contacts(&problem, options, None)?;
    Ok(outcome(
        delassus,
        contacts,
        solution.forces,
        vec![solution.report],
    ))
}

/// Poisson's law with Coulomb friction: compression, then restitution (policy `poisson`).
///
/// # Errors
/// When the contacts do not fit the operator, or no impulses are found in one of the phases.
pub fn solve_impact_poisson(
    delassus: &Delassus,
    contacts: &[ImpactContact],
    options: &SolverOptions,
) -> Result<ImpactOutcome, ImpactError> {
    let shifted = |contact: &ImpactContact, [normal, x, y]: Triple, floor: f64| {
        let [_, before_x, before_y] = contact.velocity;
        let e = contact.restitution_tangential;
        ContactLaw {
            bias: [normal, x + e * before_x, y + e * before_y],
            friction: contact.friction,
            floor,
            tangential: TangentialLaw::Disc,
        }
    };
    let laws = contacts
        .iter()
        .map(|contact| shifted(contact, contact.velocity, 0.0));
    let compression = ContactProblem::new(delassus, laws.collect())?;
    let compressed = solve_contacts(&compression, options, None)?;

    let after = velocities_after(delassus, contacts, &compressed.forces);
    let laws = contacts
        .iter()
        .zip(after)
        .zip(&compressed.forces)
        .map(|((contact, velocity), stored)| {
            shifted(contact, velocity, contact.restitution_normal * stored[0])
        });
    let restitution = ContactProblem::new(delassus, laws.collect())?;
    let restored = solve_contacts(&restitution, options, None)?;

    let impulses = sum(&compressed.forces, &restored.forces);
    let reports = vec![compressed.report, restored.report];
    Ok(outcome(delassus, contacts, impulses, reports))
}

fn sum(a: &[Triple], b: &[Triple]) -> Vec<Triple> {
    a.iter()
        .zip(b)
        .map(|(a, b)| [a[0] + b[0], a[1] + b[1], a[2] + b[2]])
        .collect()
}

fn velocities_after(delassus: &Delassus, contacts: &[ImpactContact], impulses: &[Triple]) -> Vec<Triple> {
    let before: Vec<Triple> = contacts.iter().map(|contact| contact.velocity).collect();
    sum(&before, &delassus.apply(impulses))
}

/// Everything that follows from impulses.
pub(super) fn outcome(
    delassus: &Delassus,
    contacts: &[ImpactContact],
    impulses: Vec<Triple>,
    reports: Vec<SolveReport>,
) -> ImpactOutcome {
    let velocities_after = velocities_after(delassus, contacts, &impulses);
    ImpactOutcome {
        energy_change: impulses
            .iter()
            .zip(contacts)
            .zip(&velocities_after)
            .map(|((impulse, contact), after)| work(contact, impulse, after))
            .sum(),
        twist_changes: delassus.twists(&impulses),
        velocities_after,
        impulses,
        reports,
        gains: Vec::new(),
    }
}
