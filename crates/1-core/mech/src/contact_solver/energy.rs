//! Impacts that add no kinetic energy: the cap on Newton's and Poisson's laws.
//!
//! The energetic law never adds any (`energetic.rs`). With friction the others can (Kane's paradox): e_N and e_T are set apart from each other and from one contact to the next, and where G
//! couples normals with tangents, keeping or turning round the slip does work. With dg⁺ = dg⁻ + GΛ the kinetic energy changes by
//!
//! ΔT = Λᵀ dg⁻ + ½ Λᵀ G Λ = ½ Λᵀ (dg⁻ + dg⁺).
//!
//! # The law
//! Contacts that share moving entities, directly or through others, make a group; G has no entries between groups, and each has its own ΔT. Where a
//! group would gain energy, its impact is that of the same law with s e_N and s e_T at all its contacts, s the largest number in [0, 1] with ΔT(s) ≤ 0.
//! There is one: s = 0 is Moreau's inelastic impact, where Λᵀ dg⁺ ≤ 0 by complementarity and Coulomb's law, so ΔT(0) = Λᵀ dg⁺ − ½ Λᵀ G Λ ≤ 0. Chosen,
//! because it keeps everything else of the law (impulses in their cones, no contact left closing, Newton's law itself wherever that is harmless), has no new
//! coefficient, and needs no assumption about the course of forces during the impact, as Stronge's law does, which is for one contact. The energy is
//! then exactly kept, as in the elastic impact that such coefficients ask for.
//!
//! # Where it never acts
//! | impact | why |
//! |---|---|
//! | no friction | Λ_N > 0 only where dg_N⁺ = −e_N dg_N⁻, so ΔT = ½ Σ (1 − e_N) Λ_N dg_N⁻ ≤ 0 for contacts that are not opening |
//! | one contact with B_jj = 0, C_jj = c 1 (spheres) | the normal part is −½ (1 − e_N²) (dg_N⁻)²/A; Λ_T = −θ (1 + e_T) dg_T⁻/c with θ in [0, 1], so the tangential part is θ (1 + e_T) (½ θ (1 + e_T) − 1) ∣dg_T⁻∣²/c ≤ 0 |
//! | one and the same e = e_N = e_T at all contacts | γ = dg⁺ + e dg⁻ has Λᵀγ ≤ 0, and ΔT = (Λᵀγ − ½ (1 − e) ΛᵀGΛ)/(1 + e) |
//!
//! The last two are for Newton's law; the second also for Poisson's, which is the same there. The proofs of `dyverse-formulas` rest on this table.
//!
//! # What counts as a gain
//! ΔT > δ = [`ROUNDING`] |Λ|₁ max|dg| + ½ ε Σ Λ_N over the group: what the solver's residual leaves, and what contacts that open no faster than ε, the velocity
//! tolerance, may add without friction.
//!
//! # Finding s
//! s goes down from 1 in steps of 1/[`LOOKS`] to the first value without gain; the place in between is bracketed by regula falsi (Illinois) with a
//! bisection wherever that does not halve the bracket in three turns. With modes given Λ is affine in s, ΔT a convex parabola, and there is one
//! place; where modes change ΔT has kinks, and it may jump where impulses are not unique: the lower end of the bracket, which is what is taken, has no
//! gain whatever happens in between. A solver that finds nothing at some s counts as a gain there. Every solution is made from zero impulses, so that it
//! is a function of s alone.
//!
//! # Guarantee
//! To tolerance: ΔT ≤ δ for each group. That s is the largest: to 1/[`LOOKS`] where ΔT changes its sign more than once, else to [`CLOSE`].

use super::delassus::{Delassus, Triple};
use super::energetic::energetic_impulse;
use super::impact::{
    ImpactContact, ImpactError, ImpactLaw, ImpactOutcome, outcome, solve_impact, solve_impact_poisson,
};
use super::problem::{ContactProblem, ProblemError};
use super::solve::{SolveMethod, SolveReport, SolverOptions};
use crate::law::work;

/// A gain below this part of what impulses and velocities could do is none: ten residuals of the solver.
const ROUNDING: f64 = 1e-10;
/// Steps in which s goes down.
const LOOKS: u32 = 16;
/// Turns of the bracketing at the most.
const MOST_TURNS: u32 = 100;
/// The width of a bracket that is narrow enough, and the loss, relative to what counts as rounding, that is no loss.
const CLOSE: f64 = 1e-14;

/// Whether impacts may add kinetic energy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EnergyRule {
    /// They may not: restitution is less where they would.
    #[default]
    Capped,
    /// The law as it stands.
    Uncapped,
}

/// Settings of an impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpactOptions {
    /// Whether it may add energy.
    pub energy: EnergyRule,
    /// ε: contacts of an impact open no faster than this, m/s.
    pub opening_speed: f64,
    /// Settings of the solver.
    pub solver: SolverOptions,
}

/// Contacts at which the law as it stands adds energy.
#[derive(Clone, Debug, PartialEq)]
pub struct EnergyGain {
    /// The group, ascending.
    pub contacts: Vec<usize>,
    /// That one of them at which most energy came in.
    pub most_at: usize,
    /// What the law as it stands adds, J.
    pub added: f64,
    /// s: the part of restitution that was left; 1 if energy was added.
    pub share: f64,
}

/// The impact of all contacts together, each group of contacts that act on each other by its own law.
///
/// # Errors
/// When the contacts do not fit the operator, or no impulses are found; or where contacts that act on each other have different laws, or the energetic one.
pub fn solve_impact_by(
    delassus: &Delassus,
    contacts: &[ImpactContact],
    options: &ImpactOptions,
) -> Result<ImpactOutcome, ImpactError> {
    let mut found = plain(delassus, contacts, options)?;
    let mut gains = Vec::new();
    for group in delassus.groups() {
        let all = group.iter().copied();
        let energy = Energy::of(all.map(|j| (&contacts[j], &found.impulses[j], &found.velocities_after[j])));
        if !energy.is_gain(options.opening_speed) {
            continue;
        }
        let added_at = |j: usize| work(&contacts[j], &found.impulses[j], &found.velocities_after[j]);
        let most_at = group
            .iter()
            .copied()
            .max_by(|i, j| added_at(*i).total_cmp(&added_at(*j)));
        gains.push(EnergyGain {
            most_at: most_at.unwrap_or(0),
            added: energy.change,
            share: 1.0,
            contacts: group,
        });
    }
    if gains.is_empty() || options.energy == EnergyRule::Uncapped {
        found.gains = gains;
        return Ok(found);
    }
    let mut impulses = found.impulses;
    for gain in &mut gains {
        let own = Group {
            delassus: delassus.restricted(&gain.contacts),
            contacts: gain.contacts.iter().map(|j| contacts[*j]).collect(),
            options,
        };
        let capped = own.capped(gain.added)?;
        gain.share = capped.share;
        found.reports.push(capped.report);
        for (j, impulse) in gain.contacts.iter().zip(capped.impulses) {
            impulses[*j] = impulse;
        }
    }
    let mut capped = outcome(delassus, contacts, impulses, found.reports);
    capped.gains = gains;
    Ok(capped)
}

/// The law as it stands.
fn plain(
    delassus: &Delassus,
    contacts: &[ImpactContact],
    options: &ImpactOptions,
) -> Result<ImpactOutcome, ImpactError> {
    let laws: Vec<ImpactLaw> = contacts.iter().map(|contact| contact.law).collect();
    let is_all = |law: ImpactLaw| laws.iter().all(|own| *own == law);
    if is_all(ImpactLaw::Newton) {
        return solve_impact(delassus, contacts, &options.solver);
    }
    if is_all(ImpactLaw::Poisson) {
        return solve_impact_poisson(delassus, contacts, &options.solver);
    }
    if laws.len() != delassus.contact_count() {
        return Err(ProblemError::LawCount {
            contacts: delassus.contact_count(),
            laws: laws.len(),
        }
        .into());
    }
    let (mut impulses, mut reports) = (vec![[0.0; 3]; contacts.len()], Vec::new());
    for group in delassus.groups() {
        if !is_joint(&group, |j| laws[j]) {
            return Err(ImpactError::NotTogether { contacts: group });
        }
        let (own, all) = (
            delassus.restricted(&group),
            group.iter().map(|j| contacts[*j]).collect::<Vec<_>>(),
        );
        let found = match laws[group[0]] {
            ImpactLaw::Newton => solve_impact(&own, &all, &options.solver)?,
            ImpactLaw::Poisson => solve_impact_poisson(&own, &all, &options.solver)?,
            ImpactLaw::Energetic => energetic(&own, &all, group[0])?,
        };
        reports.extend(found.reports);
        for (j, impulse) in group.iter().zip(found.impulses) {
            impulses[*j] = impulse;
        }
    }
    Ok(outcome(delassus, contacts, impulses, reports))
}

/// Whether contacts that act on each other collide at once: they have one law, and that is for several contacts. Others collide one after another.
#[must_use]
pub fn is_joint(group: &[usize], law: impl Fn(usize) -> ImpactLaw) -> bool {
    let first = group.first().map(|j| law(*j));
    group.len() <= 1 || first != Some(ImpactLaw::Energetic) && group.iter().all(|j| Some(law(*j)) == first)
}

/// One contact by the energetic law.
fn energetic(
    delassus: &Delassus,
    contacts: &[ImpactContact],
    name: usize,
) -> Result<ImpactOutcome, ImpactError> {
    let (Some(block), [contact]) = (delassus.block(0, 0), contacts) else {
        return Err(ImpactError::Course { contact: name });
    };
    // What is no number, or no coefficient, has no course.
    ContactProblem::new(delassus, vec![contact.law()])?;
    let (impulse, residual) = energetic_impulse(
        &block,
        contact.velocity,
        contact.restitution_normal,
        contact.friction,
    )
    .ok_or(ImpactError::Course { contact: name })?;
    let report = SolveReport {
        residual,
        ..SolveReport::new(SolveMethod::Course)
    };
    Ok(outcome(delassus, contacts, vec![impulse], vec![report]))
}

/// The energy of one group in an impact.
struct Energy {
    /// ΔT.
    change: f64,
    /// |Λ|₁ max|dg|: what ΔT is a sum of.
    size: f64,
    /// Σ Λ_N.
    pressed: f64,
}

impl Energy {
    fn of<'a>(contacts: impl Iterator<Item = (&'a ImpactContact, &'a Triple, &'a Triple)>) -> Self {
        let (mut change, mut pressed, mut impulses, mut speed) = (0.0, 0.0, 0.0, 0.0_f64);
        for (contact, impulse, after) in contacts {
            change += work(contact, impulse, after);
            pressed += impulse[0];
            impulses += impulse.iter().map(|part| part.abs()).sum::<f64>();
            let rates = contact.velocity.iter().chain(after);
            speed = rates.fold(speed, |most, rate| most.max(rate.abs()));
        }
        Self {
            change,
            size: impulses * speed,
            pressed,
        }
    }

    /// δ.
    fn allowed(&self, opening_speed: f64) -> f64 {
        ROUNDING * self.size + 0.5 * opening_speed * self.pressed
    }

    fn is_gain(&self, opening_speed: f64) -> bool {
        self.change > self.allowed(opening_speed)
    }
}

/// A group that would gain energy.
struct Group<'a> {
    delassus: Delassus,
    contacts: Vec<ImpactContact>,
    options: &'a ImpactOptions,
}

/// The impulses at some s.
struct Capped {
    share: f64,
    change: f64,
    size: f64,
    impulses: Vec<Triple>,
    report: SolveReport,
}

impl Group<'_> {
    fn at(&self, share: f64) -> Result<Capped, ImpactError> {
        let scaled: Vec<ImpactContact> = self.contacts.iter().map(|c| c.with_share(share)).collect();
        let found = plain(&self.delassus, &scaled, self.options)?;
        let all = scaled.iter().zip(&found.impulses).zip(&found.velocities_after);
        let energy = Energy::of(all.map(|((contact, impulse), after)| (contact, impulse, after)));
        let report = found
            .reports
            .into_iter()
            .reduce(|a, b| if b.residual > a.residual { b } else { a });
        Ok(Capped {
            share,
            change: energy.change,
            size: energy.size,
            impulses: found.impulses,
            report: report.unwrap_or(SolveReport::new(SolveMethod::Sweeps)),
        })
    }

    /// The impact at the largest s without gain; at s = 1 the gain is `added`.
    fn capped(&self, added: f64) -> Result<Capped, ImpactError> {
        let mut above = (1.0, added);
        for look in (0..LOOKS).rev() {
            let share = f64::from(look) / f64::from(LOOKS);
            match self.at(share) {
                Ok(found) if found.change <= 0.0 || look == 0 => return Ok(self.bracket(found, above)),
                Ok(found) => above = (share, found.change),
                Err(error) if look == 0 => return Err(error),
                Err(_) => above = (share, f64::INFINITY),
            }
        }
        self.at(0.0)
    }

    /// Narrows the bracket between an s without gain and one with.
    fn bracket(&self, mut below: Capped, above: (f64, f64)) -> Capped {
        let (mut high, mut at_high) = above;
        let mut at_low = below.change;
        let mut widths = [f64::INFINITY; 3];
        for _ in 0..MOST_TURNS {
            let width = high - below.share;
            if width <= CLOSE || -below.change <= CLOSE * below.size {
                break;
            }
            let is_slow = width > 0.5 * widths[0];
            widths = [widths[1], widths[2], width];
            let secant = below.share - at_low * width / (at_high - at_low);
            let is_inside = secant > below.share && secant < high;
            let share = if is_slow || !is_inside {
                0.5 * (below.share + high)
            } else {
                secant
            };
            match self.at(share) {
                Ok(found) if found.change <= 0.0 => {
                    at_low = found.change;
                    // Illinois: an end that stays counts half.
                    at_high *= 0.5;
                    below = found;
                }
                Ok(found) => {
                    (high, at_high) = (share, found.change);
                    at_low *= 0.5;
                }
                Err(_) => (high, at_high) = (share, f64::INFINITY),
            }
        }
        below
    }
}
