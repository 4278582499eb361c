//! One contact problem: the operator, what is free, the laws — and how far forces are from solving it.
//!
//! Find λ with γ = Gλ + b such that for each contact j
//! - normal: λ_N ≥ p, γ_N ≥ 0, (λ_N − p) γ_N = 0; p = 0 except in Poisson's second phase;
//! - tangential, disc: |λ_T| ≤ μλ_N, and γ_T = −κλ_T with κ ≥ 0, κ > 0 only on the edge (maximum dissipation);
//! - tangential, fixed direction t: λ_T = μλ_N t (a contact that already slips);
//! - couple of a contact j (law/couple.rs): its triple is (spin, roll x, roll y), |λ_s| ≤ ρ_s λ_N,j and |λ_r| ≤ ρ_r λ_N,j, each against its own rate as friction is, or with a fixed direction. Couples follow
//!   on all contacts.
//!
//! | paper    | here                        | unit                                             |
//! |----------|-----------------------------|--------------------------------------------------|
//! | b_N, b_T | [`ContactLaw::bias`]        | m/s (impact) or m/s² (sustained)                 |
//! | μ        | [`ContactLaw::friction`]    | 1                                                |
//! | λ, Λ     | `&[Triple]`                 | N (sustained) or N s (impact)                    |
//!
//! # Residual
//! The natural map, in the unit of b: r_N = A_jj (λ_N − max(p, λ_N − γ_N/A_jj)) and
//! r_T = s (λ_T − proj(λ_T − γ_T/s)) with s = λ_max(C_jj); zero exactly at solutions. It is reported relative
//! to the largest |b| that matters plus 10⁻³ of the contact's own terms A_jj λ_N + s|λ_T|: a heavy load on a light
//! entity cancels terms a million times larger than b, and their rounding is no error of the solver.
//!
//! # Guarantee
//! To rounding: the residual is that of the forces given. It bounds the distance to a solution only up to the
//! conditioning of G.

use std::fmt;

use super::delassus::{Delassus, Response, Triple};

/// The share of a contact's own terms in the scale of its residual: with a tolerance of 1e-11 they may be off by
/// 1e-14 of themselves, some fifty units in the last place.
const ROUNDING_WEIGHT: f64 = 1e-3;

/// Own terms above this many times the data are not excused: where contacts can be jammed against each other (a ball in a narrow wedge), forces of any
/// size do nothing but round the motion away.
const LARGEST_TERMS: f64 = 1e9;

/// How the tangential force of a closed contact is found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TangentialLaw {
    /// Coulomb's disc: |λ_T| ≤ μλ_N, against γ_T.
    Disc,
    /// λ_T = μλ_N t with this unit vector t: the contact slips, and t is −dg_T/|dg_T|.
    Fixed([f64; 2]),
    /// No contact of its own, but the couple of one.
    Couple(CoupleLaw),
}

/// What the couple beside a contact obeys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoupleLaw {
    /// The place of its contact.
    pub of: usize,
    /// Its bounds for a unit of the contact's λ_N: about the normal, and across it.
    pub spin: f64,
    /// See above.
    pub roll: f64,
    /// The sign of the spinning part where that has one: it turns already.
    pub spin_sign: Option<f64>,
    /// The unit vector along the rolling part where that has one.
    pub roll_direction: Option<[f64; 2]>,
}

impl CoupleLaw {
    /// The nearest couple that the bounds allow with a normal force, or what fixed directions say.
    pub(super) fn force(&self, normal: f64, [s, x, y]: Triple) -> Triple {
        let normal = normal.max(0.0);
        let spin = match self.spin_sign {
            Some(sign) => sign * self.spin * normal,
            None => s.clamp(-self.spin * normal, self.spin * normal),
        };
        let [x, y] = match self.roll_direction {
            Some(t) => t.map(|t| self.roll * normal * t),
            None => project_on_disc([x, y], self.roll * normal),
        };
        [spin, x, y]
    }
}

/// What one contact obeys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactLaw {
    /// b: the gap rates without contact forces, (b_N, b_Tx, b_Ty).
    pub bias: Triple,
    /// μ ≥ 0.
    pub friction: f64,
    /// p ≥ 0, the least normal force; zero for the usual law.
    pub floor: f64,
    /// The tangential law.
    pub tangential: TangentialLaw,
}

impl ContactLaw {
    /// Signorini and Coulomb: least normal force zero, friction inside the disc.
    #[must_use]
    pub fn coulomb(bias: Triple, friction: f64) -> Self {
        Self {
            bias,
            friction,
            floor: 0.0,
            tangential: TangentialLaw::Disc,
        }
    }

    /// The couple of a contact.
    #[must_use]
    pub fn of_couple(bias: Triple, law: CoupleLaw) -> Self {
        Self {
            bias,
            friction: 0.0,
            floor: 0.0,
            tangential: TangentialLaw::Couple(law),
        }
    }

    /// Its law, if it is a couple.
    pub(super) fn couple(&self) -> Option<&CoupleLaw> {
        match &self.tangential {
            TangentialLaw::Couple(law) => Some(law),
            TangentialLaw::Disc | TangentialLaw::Fixed(_) => None,
        }
    }
}

/// Why laws do not fit an operator.
#[derive(Clone, Debug, PartialEq)]
pub enum ProblemError {
    /// There must be one law for each contact.
    LawCount {
        /// Contacts of the operator.
        contacts: usize,
        /// Laws given.
        laws: usize,
    },
    /// A number of the contact's law is infinite or NaN.
    NotFinite {
        /// The contact.
        contact: usize,
    },
    /// The friction number or the floor is below zero.
    Negative {
        /// The contact.
        contact: usize,
    },
    /// A couple is of no contact before it, or stands before a contact.
    OfNoContact {
        /// The couple.
        contact: usize,
    },
}

impl fmt::Display for ProblemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LawCount { contacts, laws } => write!(f, "{contacts} contacts, but {laws} contact laws"),
            Self::OfNoContact { contact } => write!(f, "couple {contact} belongs to no contact before it"),
            Self::NotFinite { contact } => write!(f, "contact {contact}: a number of its law is not finite"),
            Self::Negative { contact } => {
                write!(
                    f,
                    "contact {contact}: friction, bounds of couples and least force must not be below zero"
                )
            }
        }
    }
}

impl std::error::Error for ProblemError {}

/// Contacts to be solved together.
#[derive(Clone, Debug)]
pub struct ContactProblem<'a> {
    delassus: &'a Delassus,
    laws: Vec<ContactLaw>,
    /// How many of them are no couples: the first.
    pressed: usize,
    scale: f64,
}

impl<'a> ContactProblem<'a> {
    /// One law for each contact of the operator.
    ///
    /// # Errors
    /// When the counts differ, a number is not finite, or μ or p is below zero.
    pub fn new(delassus: &'a Delassus, laws: Vec<ContactLaw>) -> Result<Self, ProblemError> {
        if laws.len() != delassus.contact_count() {
            return Err(ProblemError::LawCount {
                contacts: delassus.contact_count(),
                laws: laws.len(),
            });
        }
        let pressed = laws.iter().take_while(|law| law.couple().is_none()).count();
        for (contact, law) in laws.iter().enumerate() {
            check_law(contact, law)?;
            let is_placed = law.couple().map_or(contact < pressed, |c| c.of < pressed);
            if !is_placed {
                return Err(ProblemError::OfNoContact { contact });
            }
        }
        let weight = |(contact, law): (usize, &ContactLaw)| weight_of(law, delassus.diagonal(contact).normal);
        let largest = laws.iter().enumerate().map(weight).fold(0.0, f64::max);
        Ok(Self {
            delassus,
            laws,
            pressed,
            scale: if largest > 0.0 { largest } else { 1.0 },
        })
    }

    /// The operator.
    #[must_use]
    pub fn delassus(&self) -> &'a Delassus {
        self.delassus
    }

    /// The laws, by contact.
    #[must_use]
    pub fn laws(&self) -> &[ContactLaw] {
        &self.laws
    }

    /// How many are contacts: their couples follow on them.
    #[must_use]
    pub fn pressed_count(&self) -> usize {
        self.pressed
    }

    /// The couples of a contact.
    pub(super) fn couples_of(&self, contact: usize) -> impl Iterator<Item = usize> + '_ {
        let is_own = move |place: &usize| self.laws[*place].couple().is_some_and(|c| c.of == contact);
        (self.pressed..self.laws.len()).filter(is_own)
    }

    /// N, with couples.
    #[must_use]
    pub fn contact_count(&self) -> usize {
        self.laws.len()
    }

    /// γ = Gλ + b.
    #[must_use]
    pub fn gap_rates(&self, forces: &[Triple]) -> Vec<Triple> {
        let mut rates = self.delassus.apply(forces);
        for (rate, law) in rates.iter_mut().zip(&self.laws) {
            for (value, free) in rate.iter_mut().zip(law.bias) {
                *value += free;
            }
        }
        rates
    }

    /// One contact's γ from what the forces do.
    pub(super) fn gap_rate(&self, response: &Response, contact: usize) -> Triple {
        let rate = self.delassus.rate(response, contact);
        let bias = self.laws[contact].bias;
        [rate[0] + bias[0], rate[1] + bias[1], rate[2] + bias[2]]
    }

    /// The largest relative natural-map residual of these forces; infinite if one is not finite.
    #[must_use]
    pub fn residual(&self, forces: &[Triple]) -> f64 {
        self.contact_residuals(forces).into_iter().fold(0.0, larger)
    }

    /// The relative natural-map residual of each contact.
    #[must_use]
    pub fn contact_residuals(&self, forces: &[Triple]) -> Vec<f64> {
        let rates = self.gap_rates(forces);
        let of_contact = |contact: usize| {
            let [normal, tangential] = self.natural_map(contact, forces, &rates[contact]);
            let is_lost = rates[contact].iter().any(|rate| !rate.is_finite());
            if is_lost {
                f64::INFINITY
            } else {
                larger(normal.abs(), tangential) / self.scale_at(contact, &forces[contact])
            }
        };
        (0..self.contact_count()).map(of_contact).collect()
    }

    /// The Euclidean length of the whole natural map, relative.
    pub(super) fn merit(&self, forces: &[Triple]) -> f64 {
        let rates = self.gap_rates(forces);
        let squared = |contact: usize| {
            let [normal, tangential] = self.natural_map(contact, forces, &rates[contact]);
            normal * normal + tangential * tangential
        };
        (0..self.contact_count()).map(squared).sum::<f64>().sqrt() / self.scale
    }

    /// The natural map of one contact in the unit of b: signed normal part, length of the tangential part.
    /// Where the projection does nothing it is γ itself, not a difference of two large forces.
    fn natural_map(&self, contact: usize, forces: &[Triple], rate: &Triple) -> [f64; 2] {
        let (law, diagonal) = (&self.laws[contact], self.delassus.diagonal(contact));
        let force = &forces[contact];
        if let Some(couple) = law.couple() {
            return couple_map(couple, diagonal, forces[couple.of][0], force, rate);
        }
        let normal = f64::min(diagonal.normal * (force[0] - law.floor), rate[0]);
        let scale = diagonal.tangential_scale;
        let estimate = [force[1] - rate[1] / scale, force[2] - rate[2] / scale];
        let is_inside = law.tangential == TangentialLaw::Disc && length(estimate) <= law.friction * force[0];
        if is_inside {
            return [normal, length([rate[1], rate[2]])];
        }
        let target = law.tangential_force(force[0], estimate);
        [
            normal,
            scale * length([force[1] - target[0], force[2] - target[1]]),
        ]
    }

    /// The residual of forces that can be used: infinite where the own terms of one are so large that they round the motion away.
    #[must_use]
    pub fn usable_residual(&self, forces: &[Triple]) -> f64 {
        let is_usable = |(j, force): (usize, &Triple)| self.terms_of(j, force) <= LARGEST_TERMS * self.scale;
        if forces.iter().enumerate().all(is_usable) {
            self.residual(forces)
        } else {
            f64::INFINITY
        }
    }

    /// The own terms of a contact or couple.
    fn terms_of(&self, contact: usize, force: &Triple) -> f64 {
        let diagonal = self.delassus.diagonal(contact);
        let normal = match self.laws[contact].couple() {
            Some(_) => force[0].abs(),
            None => force[0],
        };
        diagonal.normal * normal + diagonal.tangential_scale * length([force[1], force[2]])
    }

    /// What a residual of one contact is measured against: the data, and the rounding of its own terms.
    fn scale_at(&self, contact: usize, force: &Triple) -> f64 {
        let terms = self.terms_of(contact, force);
        self.scale + ROUNDING_WEIGHT * terms.min(LARGEST_TERMS * self.scale)
    }

    /// Forces moved into their sets: λ_N ≥ p, λ_T inside the disc or along its fixed direction, couples inside their bounds.
    pub(super) fn project(&self, forces: &mut [Triple]) {
        let (pressed, couples) = forces.split_at_mut(self.pressed.min(forces.len()));
        for (force, law) in pressed.iter_mut().zip(&self.laws) {
            force[0] = force[0].max(law.floor);
            let [x, y] = law.tangential_force(force[0], [force[1], force[2]]);
            *force = [force[0], x, y];
        }
        for (force, law) in couples.iter_mut().zip(&self.laws[self.pressed..]) {
            if let Some(couple) = law.couple() {
                *force = couple.force(pressed[couple.of][0], *force);
            }
        }
    }

    /// Does no contact have a disc or a couple, so that the problem is a linear complementarity problem?
    pub(super) fn is_linear(&self) -> bool {
        self.laws.iter().all(|law| {
            law.couple().is_none() && (law.friction == 0.0 || law.tangential != TangentialLaw::Disc)
        })
    }
}

impl ContactLaw {
    /// The tangential force for a normal force and an estimate: the estimate inside the disc, its projection
    /// outside, or what the fixed direction says.
    pub(super) fn tangential_force(&self, normal: f64, estimate: [f64; 2]) -> [f64; 2] {
        let radius = self.friction * normal.max(0.0);
        match self.tangential {
            TangentialLaw::Fixed(t) => [radius * t[0], radius * t[1]],
            TangentialLaw::Disc => project_on_disc(estimate, radius),
            // Couples take theirs from another normal force.
            TangentialLaw::Couple(_) => estimate,
        }
    }

    /// The direction in which the contact's force grows when λ_N alone is unknown: (1, μt).
    pub(super) fn normal_direction(&self) -> Triple {
        match self.tangential {
            TangentialLaw::Fixed(t) => [1.0, self.friction * t[0], self.friction * t[1]],
            TangentialLaw::Disc | TangentialLaw::Couple(_) => [1.0, 0.0, 0.0],
        }
    }
}

/// The natural map of a couple: its spinning part with its sign, the length of the rolling one.
fn couple_map(
    law: &CoupleLaw,
    diagonal: &super::delassus::DiagonalBlock,
    normal: f64,
    force: &Triple,
    rate: &Triple,
) -> [f64; 2] {
    let (a, c) = (diagonal.normal, diagonal.tangential_scale);
    let estimate = [
        force[0] - rate[0] / a,
        force[1] - rate[1] / c,
        force[2] - rate[2] / c,
    ];
    let target = law.force(normal, estimate);
    // Where the projection does nothing it is the rate itself.
    let spin = if target[0] == estimate[0] {
        rate[0]
    } else {
        a * (force[0] - target[0])
    };
    let roll = if target[1..] == estimate[1..] {
        length([rate[1], rate[2]])
    } else {
        c * length([force[1] - target[1], force[2] - target[2]])
    };
    [spin, roll]
}

fn check_law(contact: usize, law: &ContactLaw) -> Result<(), ProblemError> {
    let direction = match law.tangential {
        TangentialLaw::Disc => [0.0; 2],
        TangentialLaw::Fixed(t) => t,
        TangentialLaw::Couple(law) => law.roll_direction.unwrap_or_default(),
    };
    let bounds = law
        .couple()
        .map_or([0.0; 3], |c| [c.spin, c.roll, c.spin_sign.unwrap_or(0.0).abs()]);
    let numbers = law
        .bias
        .iter()
        .chain(&direction)
        .chain([&law.friction, &law.floor])
        .chain(&bounds);
    if numbers.copied().any(|value| !value.is_finite()) {
        return Err(ProblemError::NotFinite { contact });
    }
    if law.friction < 0.0 || law.floor < 0.0 || bounds.iter().any(|bound| *bound < 0.0) {
        return Err(ProblemError::Negative { contact });
    }
    Ok(())
}

/// How large the data of one contact are, in the unit of b.
fn weight_of(law: &ContactLaw, normal_diagonal: f64) -> f64 {
    if let Some(couple) = law.couple() {
        let part = |bound: f64, size: f64| if bound > 0.0 { size } else { 0.0 };
        let roll = part(couple.roll, length([law.bias[1], law.bias[2]]));
        return part(couple.spin, law.bias[0].abs()).max(roll);
    }
    let rubbing = law.friction > 0.0 && law.tangential == TangentialLaw::Disc;
    let tangential = if rubbing {
        length([law.bias[1], law.bias[2]])
    } else {
        0.0
    };
    law.bias[0].abs().max(tangential).max(normal_diagonal * law.floor)
}

/// The nearest point of the disc of this radius about zero.
fn project_on_disc(point: [f64; 2], radius: f64) -> [f64; 2] {
    let distance = length(point);
    if distance <= radius {
        return point;
    }
    let shrink = radius / distance;
    [point[0] * shrink, point[1] * shrink]
}

pub(super) fn length([x, y]: [f64; 2]) -> f64 {
    (x * x + y * y).sqrt()
}

/// The larger of two; infinite when one is NaN, so that a lost number is never a small residual.
pub(super) fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() {
        f64::INFINITY
    } else {
        a.max(b)
    }
}
