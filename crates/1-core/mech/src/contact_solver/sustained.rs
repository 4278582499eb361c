//! Contact nodes: forces, accelerations and modes of contacts that stay closed \[SPEC §2, §4\].
//!
//! b = WᵀM⁻¹h + w_a is the free acceleration. A contact that slips (|dg_T| > tolerance) has its friction
//! direction fixed, λ_T = −μλ_N dg_T/|dg_T|, which is part of its normal column; one with dg_T = 0 has the disc
//! on acceleration level and sticks or goes trans. Resulting modes:
//!
//! | mode  | when                                                        |
//! |-------|-------------------------------------------------------------|
//! | open  | λ_N = 0 and ddg_N > 0                                       |
//! | slip  | closed, dg_T ≠ 0                                            |
//! | stick | closed, dg_T = 0, ddg_T = 0                                 |
//! | trans | closed, dg_T = 0, ddg_T ≠ 0                                 |
//!
//! # No fitting mode
//! With fixed slip directions the normal columns are not symmetric, and (Painlevé) there may be no solution:
//! for one contact when A + μB·t ≤ 0 and b_N < 0. When the solver fails and some contact slips, every
//! assignment of modes is tried. If none fits, the error says so with the numbers, and whether that is proved:
//! each assignment's linear system was regular and its signs wrong (no discs, so nothing nonlinear is left).
//!
//! # Guarantee
//! To tolerance, as [`solve_contacts`]. Uniqueness is not examined: of several solutions one is returned, the
//! one that sweeps from the warm start (or from zero forces) lead to.

use std::fmt;

use super::delassus::{Delassus, Triple, Twist};
use super::newton::solve_enumerated;
use super::problem::{ContactLaw, ContactProblem, CoupleLaw, ProblemError, TangentialLaw, length};
use super::solve::{
    ContactSolution, NotConverged, SolveMethod, SolveReport, SolverOptions, is_rough_solution, solve_contacts,
};

/// Sweeps made at most where a solution may not exist.
const SWEEPS_WITH_SLIP: usize = 1000;

/// One contact of a contact node; its gap and normal gap rate are zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SustainedContact {
    /// WᵀM⁻¹h + w_a: (ddg_N, ddg_Tx, ddg_Ty) without contact forces, in m/s².
    pub free_acceleration: Triple,
    /// dg_T in m/s.
    pub sliding_velocity: [f64; 2],
    /// μ ≥ 0, at this sliding speed.
    pub friction: f64,
}

impl SustainedContact {
    /// Signorini and Coulomb on accelerations; above `slip_speed` the contact slips, and friction acts against dg_T.
    #[must_use]
    pub fn law(&self, slip_speed: f64) -> ContactLaw {
        let speed = length(self.sliding_velocity);
        let mut law = ContactLaw::coulomb(self.free_acceleration, self.friction);
        if speed > slip_speed {
            law.tangential = TangentialLaw::Fixed(self.sliding_velocity.map(|value| -value / speed));
        }
        law
    }
}

/// The couple beside a contact of a contact node, in the units of forces and velocities (law/couple.rs).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SustainedCouple {
    /// The place of its contact.
    pub of: usize,
    /// Its rates' derivatives without contact forces, in m/s².
    pub free_acceleration: Triple,
    /// Its rates (spin, roll x, roll y), in m/s.
    pub velocity: Triple,
    /// Its bounds for a unit of λ_N.
    pub spin: f64,
    /// See above.
    pub roll: f64,
}

impl SustainedCouple {
    /// On accelerations; what turns faster than `slip_speed` has its couple against that.
    #[must_use]
    pub fn law(&self, slip_speed: f64) -> ContactLaw {
        let [s, x, y] = self.velocity;
        let speed = length([x, y]);
        let law = CoupleLaw {
            of: self.of,
            spin: self.spin,
            roll: self.roll,
            spin_sign: (s.abs() > slip_speed && self.spin > 0.0).then(|| -s.signum()),
            roll_direction: (speed > slip_speed && self.roll > 0.0).then(|| [-x / speed, -y / speed]),
        };
        ContactLaw::of_couple(self.free_acceleration, law)
    }
}

/// Settings of contact nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SustainedOptions {
    /// A contact slips when |dg_T| is above this, in m/s.
    pub slip_speed: f64,
    /// Accelerations up to this count as zero in the choice of modes, in m/s².
    pub acceleration: f64,
    /// Settings of the solver.
    pub solver: SolverOptions,
}

impl Default for SustainedOptions {
    fn default() -> Self {
        Self {
            slip_speed: 1e-9,
            acceleration: 1e-9,
            solver: SolverOptions::default(),
        }
    }
}

/// Forces, accelerations, and which contacts open.
#[derive(Clone, Debug, PartialEq)]
pub struct SustainedOutcome {
    /// λ, by contact; after those couples.
    pub forces: Vec<Triple>,
    /// ddg, by contact; after those the same of couples.
    pub accelerations: Vec<Triple>,
    /// Whether it separates, by contact. The mode of one that does not follows from dg_T and ddg_T: the table of the automaton says how.
    pub opens: Vec<bool>,
    /// M⁻¹Wλ, by touched entity: to be added to M⁻¹h.
    pub twist_accelerations: Vec<Twist>,
    /// How the forces were found.
    pub report: SolveReport,
}

/// Why a contact has no mode: what each one would need.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoFittingMode {
    /// The contact.
    pub contact: usize,
    /// The normal force it would have if it stayed closed, with the other forces as they are; must be ≥ 0.
    pub normal_force_if_closed: f64,
    /// ddg_N if it opened; must be > 0.
    pub normal_acceleration_if_open: f64,
}

/// Why a contact node has no result.
#[derive(Clone, Debug, PartialEq)]
pub enum SustainedError {
    /// The contacts do not make a problem.
    Problem(ProblemError),
    /// No assignment of modes fits (Painlevé's paradox), or none was found where that cannot be proved.
    NoModeFits {
        /// The contacts without a mode.
        contacts: Vec<NoFittingMode>,
        /// Was every assignment ruled out by a regular linear system?
        is_proved: bool,
    },
    /// No forces were found, and there is no sign that there are none.
    NotConverged(NotConverged),
}

impl fmt::Display for SustainedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Problem(error) => error.fmt(f),
            Self::NotConverged(error) => write!(f, "sustained contact: {error}"),
            Self::NoModeFits { contacts, is_proved } => {
                let found = if *is_proved {
                    "no mode fits"
                } else {
                    "no fitting mode was found"
                };
                write!(f, "{found}")?;
                for none in contacts {
                    write!(
                        f,
                        "; contact {}: closed, its normal force would be {:.6e} N; open, its normal acceleration would be {:.6e} m/s²",
                        none.contact, none.normal_force_if_closed, none.normal_acceleration_if_open
                    )?;
                }
                let how = if *is_proved {
                    "every assignment of modes is ruled out"
                } else {
                    "nothing was guessed"
                };
                write!(f, " ({how})")
            }
        }
    }
}

impl std::error::Error for SustainedError {}

/// Solves a contact node, from the forces before it if given.
///
/// # Errors
/// When the contacts do not fit the operator, no mode fits, or no forces are found.
pub fn solve_sustained(
    delassus: &Delassus,
    contacts: &[SustainedContact],
    options: &SustainedOptions,
    warm_start: Option<&[Triple]>,
) -> Result<SustainedOutcome, SustainedError> {
    solve_sustained_with(delassus, (contacts, &[]), options, warm_start)
}

/// The same with couples, whose directions follow on those of all contacts.
///
/// # Errors
/// As [`solve_sustained`].
pub fn solve_sustained_with(
    delassus: &Delassus,
    (contacts, couples): (&[SustainedContact], &[SustainedCouple]),
    options: &SustainedOptions,
    warm_start: Option<&[Triple]>,
) -> Result<SustainedOutcome, SustainedError> {
    let laws = contacts
        .iter()
        .map(|contact| contact.law(options.slip_speed))
        .chain(couples.iter().map(|couple| couple.law(options.slip_speed)))
        .collect();
    let problem = ContactProblem::new(delassus, laws).map_err(SustainedError::Problem)?;
    let slips = |law: &ContactLaw| law.friction > 0.0 && law.tangential != TangentialLaw::Disc;
    let may_lack_solution = problem.laws().iter().any(slips);
    let mut solver = options.solver;
    if may_lack_solution {
        solver.sweep_limit = solver.sweep_limit.min(SWEEPS_WITH_SLIP);
        // Every mode is tried before less will do.
        solver.residual_limit = solver.residual_tolerance;
    }
    let solution = match solve_contacts(&problem, &solver, warm_start) {
        Ok(solution) => solution,
        Err(failure) if may_lack_solution => match try_every_mode(&problem, &solver, failure.clone()) {
            Err(_) if is_rough_solution(&problem, &failure.forces, options.solver.residual_limit) => {
                ContactSolution {
                    rates: problem.gap_rates(&failure.forces),
                    forces: failure.forces,
                    report: failure.report,
                }
            }
            found => found?,
        },
        Err(failure) => return Err(SustainedError::NotConverged(failure)),
    };
    let opens = (0..contacts.len())
        .map(|j| opens(&problem, j, &solution, options))
        .collect();
    Ok(SustainedOutcome {
        opens,
        twist_accelerations: delassus.twists(&solution.forces),
        accelerations: solution.rates,
        forces: solution.forces,
        report: solution.report,
    })
}

fn opens(
    problem: &ContactProblem<'_>,
    j: usize,
    solution: &ContactSolution,
    options: &SustainedOptions,
) -> bool {
    let (force, acceleration) = (&solution.forces[j], &solution.rates[j]);
    let pressed = problem.delassus().diagonal(j).normal * force[0];
    acceleration[0] > options.acceleration && acceleration[0] > pressed
}

/// The last resort where a solution may not exist: all assignments of modes.
fn try_every_mode(
    problem: &ContactProblem<'_>,
    options: &SolverOptions,
    failure: NotConverged,
) -> Result<ContactSolution, SustainedError> {
    let Some(tried) = solve_enumerated(problem, options) else {
        return Err(SustainedError::NotConverged(failure));
    };
    let mut report = failure.report;
    report.newton_steps += tried.steps;
    if let Some(forces) = tried.forces {
        report.method = SolveMethod::Enumeration;
        report.residual = problem.residual(&forces);
        return Ok(ContactSolution {
            rates: problem.gap_rates(&forces),
            forces,
            report,
        });
    }
    let left = failure.contacts.iter().map(|left| left.contact);
    let left = left.filter(|contact| *contact < problem.pressed_count());
    Err(SustainedError::NoModeFits {
        contacts: left
            .map(|contact| numbers_of(problem, contact, &failure.forces))
            .collect(),
        is_proved: tried.is_exhaustive,
    })
}

/// What a contact would need, the others as they are.
fn numbers_of(problem: &ContactProblem<'_>, contact: usize, forces: &[Triple]) -> NoFittingMode {
    let mut others = forces.to_vec();
    others[contact] = [0.0; 3];
    let open = problem.gap_rates(&others)[contact][0];
    let direction = problem.laws()[contact].normal_direction();
    let own = problem.delassus().block(contact, contact).unwrap_or_default()[0];
    let column: f64 = own.iter().zip(direction).map(|(entry, d)| entry * d).sum();
    NoFittingMode {
        contact,
        normal_force_if_closed: -open / column,
        normal_acceleration_if_open: open,
    }
}
