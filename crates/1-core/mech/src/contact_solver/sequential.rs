//! One collision at a time, until no contact is closing \[SPEC §5 `sequential`; 004\].
//!
//! While some dg_N < −ε: choose one such contact, apply its impact law with Coulomb friction to it alone (capped, so
//! that the collision adds no energy: `energy.rs`), and read all gap rates again. Which contact is chosen is the caller's policy: the first in the list, a random
//! one (a seeded generator of our own: SplitMix64, Steele, Lea and Flood 2014), or any.
//!
//! Contacts that act on each other and have different laws, or the energetic law, collide in this way whatever the policy ([`solve_impact_apart`]).
//!
//! # Guarantee
//! Each collision: to tolerance, as one contact of [`solve_contacts`](crate::solve_contacts). Every choice is
//! a function of the inputs and the seed. That the collisions end is not promised (with e_N = 0 they may
//! approach rest without reaching it); the limit is an error that names the contacts still closing.

use std::fmt;

use super::delassus::{Delassus, DelassusError, Triple};
use super::energy::{EnergyGain, EnergyRule, ImpactOptions, is_joint, solve_impact_by};
use super::impact::{ImpactContact, ImpactError, ImpactOutcome, outcome};
use super::solve::{SolveReport, SolverOptions};

/// Which of the closing contacts collides next.
pub enum CollisionOrder<'a> {
    /// The one with the lowest number.
    First,
    /// One drawn from a generator with this seed.
    Random {
        /// The seed.
        seed: u64,
    },
    /// The caller's choice: given the closing contacts (ascending), a place in that list; a place beyond its
    /// end means the last.
    Any(&'a mut dyn FnMut(&[usize]) -> usize),
}

/// Settings of sequential impacts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SequentialOptions {
    /// A contact is closing when dg_N is below minus this, in m/s.
    pub closing_speed: f64,
    /// Collisions made at most.
    pub collision_limit: usize,
    /// Whether a collision may add energy.
    pub energy: EnergyRule,
    /// Settings for each collision.
    pub solver: SolverOptions,
}

impl Default for SequentialOptions {
    fn default() -> Self {
        Self {
            closing_speed: 1e-10,
            collision_limit: 10_000,
            energy: EnergyRule::default(),
            solver: SolverOptions::default(),
        }
    }
}

/// One collision.
#[derive(Clone, Debug, PartialEq)]
pub struct Collision {
    /// The contact that collided.
    pub contact: usize,
    /// Its impulse in this collision.
    pub impulse: Triple,
    /// Its gap rates just before.
    pub velocity_before: Triple,
    /// How the impulse was found.
    pub report: SolveReport,
    /// What the law as it stands adds, if it adds energy.
    pub gain: Option<EnergyGain>,
}

/// Why sequential impacts have no result.
#[derive(Clone, Debug, PartialEq)]
pub enum SequentialError {
    /// The limit was reached while contacts were still closing.
    Endless {
        /// Collisions made.
        collisions: usize,
        /// Contacts still closing, with dg_N in m/s.
        closing: Vec<(usize, f64)>,
    },
    /// One collision has no result.
    Collision {
        /// The contact that collided.
        contact: usize,
        /// Why.
        error: ImpactError,
    },
    /// The contacts that collide together have no result.
    Together(ImpactError),
    /// The contact's own block of the operator is unusable.
    Operator(DelassusError),
    /// There is no such contact, or the lists differ in length.
    NoSuchContact {
        /// The number asked for.
        contact: usize,
    },
}

impl fmt::Display for SequentialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Endless { collisions, closing } => {
                write!(f, "still closing after {collisions} collisions: contacts")?;
                for (contact, speed) in closing {
                    write!(f, " {contact} ({speed:.3e} m/s)")?;
                }
                Ok(())
            }
            Self::Collision { contact, error } => write!(f, "collision at contact {contact}: {error}"),
            Self::Together(error) => error.fmt(f),
            Self::Operator(error) => error.fmt(f),
            Self::NoSuchContact { contact } => write!(f, "there is no contact {contact}"),
        }
    }
}

impl std::error::Error for SequentialError {}

/// Collisions being made one at a time: each call of [`Self::collide`] is one microstep.
#[derive(Clone, Debug)]
pub struct SequentialImpact<'a> {
    delassus: &'a Delassus,
    contacts: &'a [ImpactContact],
    options: SequentialOptions,
    velocities: Vec<Triple>,
    impulses: Vec<Triple>,
}

impl<'a> SequentialImpact<'a> {
    /// Before the first collision.
    ///
    /// # Errors
    /// When there is not one impact contact for each contact of the operator.
    pub fn new(
        delassus: &'a Delassus,
        contacts: &'a [ImpactContact],
        options: SequentialOptions,
    ) -> Result<Self, SequentialError> {
        if contacts.len() != delassus.contact_count() {
            return Err(SequentialError::NoSuchContact {
                contact: contacts.len().min(delassus.contact_count()),
            });
        }
        Ok(Self {
            delassus,
            contacts,
            options,
            velocities: contacts.iter().map(|contact| contact.velocity).collect(),
            impulses: vec![[0.0; 3]; contacts.len()],
        })
    }

    /// The gap rates now.
    #[must_use]
    pub fn velocities(&self) -> &[Triple] {
        &self.velocities
    }

    /// The contacts that are closing now, ascending.
    #[must_use]
    pub fn closing(&self) -> Vec<usize> {
        let is_closing = |&j: &usize| self.velocities[j][0] < -self.options.closing_speed;
        (0..self.velocities.len()).filter(is_closing).collect()
    }

    /// Lets one contact collide.
    ///
    /// # Errors
    /// When there is no such contact, or its collision has no result.
    pub fn collide(&mut self, contact: usize) -> Result<Collision, SequentialError> {
        let own = self.contacts.get(contact).map_or(0.0, |own| own.friction);
        self.collide_with(contact, own)
    }

    /// The same with a friction of its own: μ may hang on the slip speed just before.
    ///
    /// # Errors
    /// As those of [`Self::collide`].
    pub fn collide_with(&mut self, contact: usize, friction: f64) -> Result<Collision, SequentialError> {
        let (Some(&velocity_before), Some(block)) = (self.velocities.get(contact), self.own_block(contact))
        else {
            return Err(SequentialError::NoSuchContact { contact });
        };
        let alone =
            Delassus::from_dense(1, block.as_flattened().to_vec()).map_err(SequentialError::Operator)?;
        let colliding = ImpactContact {
            velocity: velocity_before,
            friction,
            ..self.contacts[contact]
        };
        let options = ImpactOptions {
            energy: self.options.energy,
            opening_speed: self.options.closing_speed,
            solver: self.options.solver,
        };
        let found = solve_impact_by(&alone, &[colliding], &options)
            .map_err(|error| SequentialError::Collision { contact, error })?;
        let impulse = found.impulses[0];
        for (total, added) in self.impulses[contact].iter_mut().zip(impulse) {
            *total += added;
        }
        self.refresh();
        Ok(Collision {
            contact,
            impulse,
            velocity_before,
            report: found.reports[0],
            gain: found.gains.into_iter().next().map(|gain| EnergyGain {
                contacts: vec![contact],
                most_at: contact,
                ..gain
            }),
        })
    }

    fn own_block(&self, contact: usize) -> Option<[Triple; 3]> {
        (contact < self.contacts.len()).then(|| self.delassus.block(contact, contact))?
    }

    /// dg = dg⁻ + GΛ afresh, so that errors do not pile up over collisions.
    fn refresh(&mut self) {
        let changes = self.delassus.apply(&self.impulses);
        for ((velocity, contact), change) in self.velocities.iter_mut().zip(self.contacts).zip(changes) {
            *velocity = [0, 1, 2].map(|k| contact.velocity[k] + change[k]);
        }
    }

    /// The sum of all collisions so far.
    #[must_use]
    pub fn finish(self) -> ImpactOutcome {
        outcome(self.delassus, self.contacts, self.impulses, Vec::new())
    }
}

/// Collides contacts one at a time until none is closing. Returns the sum and the collisions in order; the
/// reports are with the collisions.
///
/// # Errors
/// When the limit is reached, or one collision has no result.
pub fn solve_impact_sequential(
    delassus: &Delassus,
    contacts: &[ImpactContact],
    order: CollisionOrder<'_>,
    options: &SequentialOptions,
) -> Result<(ImpactOutcome, Vec<Collision>), SequentialError> {
    solve_impact_sequential_by(delassus, contacts, order, &|j, _| contacts[j].friction, options)
}

/// The same with μ of each collision from the contact's gap rates just before it: each is an impact of its own.
///
/// # Errors
/// As those of [`solve_impact_sequential`].
pub fn solve_impact_sequential_by(
    delassus: &Delassus,
    contacts: &[ImpactContact],
    order: CollisionOrder<'_>,
    friction: &dyn Fn(usize, &Triple) -> f64,
    options: &SequentialOptions,
) -> Result<(ImpactOutcome, Vec<Collision>), SequentialError> {
    let impact = SequentialImpact::new(delassus, contacts, *options)?;
    in_order(impact, order, friction)
}

/// What collides together does so first ([`is_joint`]), then the contacts of all other groups one after another, the first of the list first. Gives the sum, the
/// impulses of what collides together, and the collisions.
///
/// # Errors
/// As those of [`solve_impact_sequential`], and where what collides together has no impulses.
#[allow(clippy::type_complexity)]
pub fn solve_impact_apart(
    delassus: &Delassus,
    contacts: &[ImpactContact],
    friction: &dyn Fn(usize, &Triple) -> f64,
    options: &SequentialOptions,
) -> Result<(ImpactOutcome, Vec<(usize, Triple)>, Vec<Collision>), SequentialError> {
    let mut impact = SequentialImpact::new(delassus, contacts, *options)?;
    let groups = delassus.groups();
    let joint: Vec<usize> = groups
        .into_iter()
        .filter(|group| is_joint(group, |j| contacts[j].law))
        .flatten()
        .collect();
    let together = ImpactOptions {
        energy: options.energy,
        opening_speed: options.closing_speed,
        solver: options.solver,
    };
    let own: Vec<ImpactContact> = joint.iter().map(|j| contacts[*j]).collect();
    let (mut impulses, mut gains, mut reports) = (Vec::new(), Vec::new(), Vec::new());
    if !joint.is_empty() {
        let found = solve_impact_by(&delassus.restricted(&joint), &own, &together)
            .map_err(SequentialError::Together)?;
        impulses.extend(joint.iter().copied().zip(found.impulses));
        gains.extend(found.gains.into_iter().map(|gain| EnergyGain {
            contacts: gain.contacts.iter().map(|place| joint[*place]).collect(),
            most_at: joint[gain.most_at],
            ..gain
        }));
        reports = found.reports;
    }
    for (contact, impulse) in &impulses {
        impact.impulses[*contact] = *impulse;
    }
    impact.refresh();
    let (mut sum, collisions) = in_order(impact, CollisionOrder::First, friction)?;
    sum.gains.extend(gains);
    reports.extend(collisions.iter().map(|collision| collision.report));
    sum.reports = reports;
    Ok((sum, impulses, collisions))
}

/// One collision after another until none is closing.
fn in_order(
    mut impact: SequentialImpact<'_>,
    mut order: CollisionOrder<'_>,
    friction: &dyn Fn(usize, &Triple) -> f64,
) -> Result<(ImpactOutcome, Vec<Collision>), SequentialError> {
    let options = impact.options;
    let mut generator = SplitMix64(match order {
        CollisionOrder::Random { seed } => seed,
        CollisionOrder::First | CollisionOrder::Any(_) => 0,
    });
    let mut collisions: Vec<Collision> = Vec::new();
    loop {
        let closing = impact.closing();
        let Some(last) = closing.len().checked_sub(1) else {
            let mut sum = impact.finish();
            sum.gains = collisions.iter().filter_map(|c| c.gain.clone()).collect();
            return Ok((sum, collisions));
        };
        if collisions.len() >= options.collision_limit {
            let speed = |contact: usize| (contact, impact.velocities[contact][0]);
            return Err(SequentialError::Endless {
                collisions: collisions.len(),
                closing: closing.into_iter().map(speed).collect(),
            });
        }
        let place = match &mut order {
            CollisionOrder::First => 0,
            CollisionOrder::Random { .. } => generator.below(closing.len()),
            CollisionOrder::Any(choose) => choose(&closing).min(last),
        };
        let contact = closing[place];
        let friction = friction(contact, &impact.velocities[contact]);
        collisions.push(impact.collide_with(contact, friction)?);
    }
}

/// SplitMix64: a counter stepped by the golden ratio, then mixed.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        dyverse_num::split_mix(&mut self.0)
    }

    /// A number below `bound` (which is not zero): the high part of a 128-bit product.
    fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }
}
