//! Direct solution with modes frozen, and semi-smooth Newton on the natural map.
//!
//! At forces λ with γ = Gλ + b the estimates Φ_N = λ_N − γ_N/A_jj, Φ_T = λ_T − γ_T/s say which piece of the
//! projection each contact is on:
//!
//! | mode              | when                | equation                                              |
//! |-------------------|---------------------|-------------------------------------------------------|
//! | floor             | Φ_N ≤ p             | λ_N = p                                               |
//! | active            | Φ_N > p             | γ_N = 0                                               |
//! | stick             | ∣Φ_T∣ ≤ μ max(Φ_N, p) | γ_T = 0                                             |
//! | slip              | else                | λ_T − μλ_N Φ_T/∣Φ_T∣ = 0 (linearised, Newton)         |
//! | zero, fixed       | μ = 0; direction given | λ_T = 0; λ_T = μλ_N t                              |
//! | edge              | ∣Φ_s∣ > ρ_s λ_N,j   | λ_s = ±ρ_s λ_N,j (the spinning part of j's couple; its rolling part is as friction is, with j's λ_N) |
//!
//! These are the rows of Alart and Curnier's generalized Newton method (1991). Rows λ_N = p, λ_T = 0 and
//! λ_T = μλ_N t are eliminated first. Rows and columns are scaled to unit diagonal, and each step is the
//! shortest that solves the linear system: with redundant contacts the forces stay as near as possible to
//! where they were, so signs that the sweeps found survive.
//!
//! # Guarantee
//! To tolerance: forces are accepted on their natural-map residual alone, whatever the path to them.
//! Whether a path gets there is heuristic; without slip the frozen system is linear and one step is exact.

use super::delassus::{Delassus, DiagonalBlock, Response, Triple};
use super::problem::{ContactProblem, CoupleLaw, TangentialLaw, length};
use super::solve::SolverOptions;
use super::sorprox::Sweeper;
use crate::law::couple::measure;
use crate::law::dense::{Columns, solve_least_norm};

/// Mode sets tried, one after the other, from one starting point.
const MODE_UPDATES: usize = 8;
/// Newton steps with one set of modes; slip directions settle in three or four.
const FROZEN_STEPS: usize = 8;
/// With frozen modes the equations may grow by this factor on the way; beyond it the modes are wrong.
const GROWTH: f64 = 100.0;
/// Equations this small beside those at the start are solved.
const ROUNDING: f64 = 1e-15;
/// Steps of the semi-smooth method.
const NEWTON_STEPS: usize = 60;
/// Halvings of a step before the line search gives up.
const HALVINGS: usize = 10;
/// Sweeps made where the line search gives up.
const RESCUE_SWEEPS: usize = 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NormalMode {
    Floor,
    Active,
    /// The spinning part of a couple, on its bound; whether that is above zero.
    Edge(bool),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TangentialMode {
    Zero,
    Stick,
    Slip,
    Fixed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Modes {
    normal: NormalMode,
    tangential: TangentialMode,
}

/// Forces found by a direct method, and the linear systems it took.
#[derive(Clone, Debug)]
pub(super) struct DirectOutcome {
    pub(super) forces: Vec<Triple>,
    pub(super) residual: f64,
    pub(super) steps: usize,
}

/// Freezes the modes seen at `start`, solves, reads the modes again, and so on until they repeat. Returns the
/// best forces met; the caller judges their residual. No more linear systems than `most` are solved.
pub(super) fn solve_frozen(
    problem: &ContactProblem<'_>,
    options: &SolverOptions,
    start: &[Triple],
    most: usize,
) -> DirectOutcome {
    let mut best = DirectOutcome {
        forces: start.to_vec(),
        residual: problem.residual(start),
        steps: 0,
    };
    let mut forces = start.to_vec();
    let mut seen: Vec<Vec<Modes>> = Vec::new();
    while seen.len() < MODE_UPDATES && best.steps < most {
        let modes = classify(problem, &forces);
        if seen.contains(&modes) {
            break;
        }
        best.steps += run_frozen(problem, &modes, &mut forces, most - best.steps);
        seen.push(modes);
        problem.project(&mut forces);
        let residual = problem.residual(&forces);
        if residual < best.residual {
            best.residual = residual;
            best.forces.copy_from_slice(&forces);
        }
        if best.residual <= options.residual_tolerance {
            break;
        }
    }
    best
}

/// Newton steps with one set of modes, until the equations stop improving. Returns the number of steps.
fn run_frozen(problem: &ContactProblem<'_>, modes: &[Modes], forces: &mut Vec<Triple>, most: usize) -> usize {
    let mut system = FrozenSystem::new(problem, modes);
    let mut best = (f64::INFINITY, forces.clone());
    let mut first = f64::INFINITY;
    for step in 0..FROZEN_STEPS.min(most) {
        let equations = system.equations(forces);
        let error = equations.error;
        if step == 0 {
            first = error;
        }
        let is_diverging = error.is_nan() || error > GROWTH * best.0;
        let is_at_rounding = error <= ROUNDING * first || (error <= 1e-10 * first && error > 0.5 * best.0);
        if error < best.0 {
            best = (error, forces.clone());
        }
        if is_diverging || is_at_rounding {
            *forces = best.1;
            return step;
        }
        system.advance(&equations, forces);
    }
    FROZEN_STEPS.min(most)
}

/// Semi-smooth Newton with a line search on the length of the natural map; sweeps where the search fails. No more linear systems than `most` are solved.
pub(super) fn solve_semismooth(
    problem: &ContactProblem<'_>,
    options: &SolverOptions,
    start: &[Triple],
    most: usize,
) -> DirectOutcome {
    let mut forces = start.to_vec();
    let mut merit = problem.merit(&forces);
    let mut best = DirectOutcome {
        residual: problem.residual(&forces),
        forces: forces.clone(),
        steps: 0,
    };
    for step in 1..=NEWTON_STEPS.min(most) {
        let modes = classify(problem, &forces);
        let mut target = forces.clone();
        let mut system = FrozenSystem::new(problem, &modes);
        let equations = system.equations(&mut target);
        system.advance(&equations, &mut target);
        match search_line(problem, &forces, &target, merit) {
            Some((found, value)) => (forces, merit) = (found, value),
            None => {
                let mut sweeper = Sweeper::new(problem, options, forces);
                (0..RESCUE_SWEEPS).for_each(|_| sweeper.sweep());
                forces = sweeper.forces().to_vec();
                merit = problem.merit(&forces);
            }
        }
        best.steps = step;
        let residual = problem.residual(&forces);
        if residual < best.residual {
            best.residual = residual;
            best.forces.copy_from_slice(&forces);
        }
        if best.residual <= options.residual_tolerance || !merit.is_finite() {
            break;
        }
    }
    best
}

/// The first of the points start + 2⁻ᵏ (target − start) that shortens the natural map enough.
fn search_line(
    problem: &ContactProblem<'_>,
    start: &[Triple],
    target: &[Triple],
    merit: f64,
) -> Option<(Vec<Triple>, f64)> {
    let mut fraction = 1.0;
    for _ in 0..HALVINGS {
        let blend = |(a, b): (&Triple, &Triple)| [0, 1, 2].map(|k| a[k] + fraction * (b[k] - a[k]));
        let trial: Vec<Triple> = start.iter().zip(target).map(blend).collect();
        let value = problem.merit(&trial);
        if value <= (1.0 - 1e-3 * fraction) * merit {
            return Some((trial, value));
        }
        fraction *= 0.5;
    }
    None
}

fn classify(problem: &ContactProblem<'_>, forces: &[Triple]) -> Vec<Modes> {
    let rates = problem.gap_rates(forces);
    let of_contact = |j: usize| {
        let (law, diagonal) = (&problem.laws()[j], problem.delassus().diagonal(j));
        let (force, rate) = (&forces[j], &rates[j]);
        if let Some(couple) = law.couple() {
            let (of, own) = (couple.of, problem.delassus().diagonal(couple.of));
            let pressed = (forces[of][0] - rates[of][0] / own.normal).max(0.0);
            return couple_modes(couple, diagonal, pressed, force, rate);
        }
        let estimate = force[0] - rate[0] / diagonal.normal;
        let normal = if estimate > law.floor {
            NormalMode::Active
        } else {
            NormalMode::Floor
        };
        let radius = law.friction * estimate.max(law.floor);
        let step = 1.0 / diagonal.tangential_scale;
        let tangential = match law.tangential {
            TangentialLaw::Fixed(_) | TangentialLaw::Couple(_) => TangentialMode::Fixed,
            TangentialLaw::Disc if radius <= 0.0 => TangentialMode::Zero,
            TangentialLaw::Disc => {
                let estimate = [force[1] - step * rate[1], force[2] - step * rate[2]];
                if length(estimate) <= radius {
                    TangentialMode::Stick
                } else {
                    TangentialMode::Slip
                }
            }
        };
        Modes { normal, tangential }
    };
    (0..problem.contact_count()).map(of_contact).collect()
}

/// The modes of a couple whose contact has this normal force.
fn couple_modes(
    law: &CoupleLaw,
    diagonal: &DiagonalBlock,
    pressed: f64,
    force: &Triple,
    rate: &Triple,
) -> Modes {
    let (spin, roll) = (law.spin * pressed, law.roll * pressed);
    let estimate = force[0] - rate[0] / diagonal.normal;
    let normal = match law.spin_sign {
        Some(sign) => NormalMode::Edge(sign > 0.0),
        None if spin <= 0.0 => NormalMode::Floor,
        None if estimate.abs() <= spin => NormalMode::Active,
        None => NormalMode::Edge(estimate > 0.0),
    };
    let step = 1.0 / diagonal.tangential_scale;
    let size = length([force[1] - step * rate[1], force[2] - step * rate[2]]);
    let tangential = match law.roll_direction {
        Some(_) => TangentialMode::Fixed,
        None if roll <= 0.0 => TangentialMode::Zero,
        None if size <= roll => TangentialMode::Stick,
        None => TangentialMode::Slip,
    };
    Modes { normal, tangential }
}

/// What a force of a couple counts: see law/couple.rs.
fn couple_weight(problem: &ContactProblem<'_>, law: &CoupleLaw, bound: f64) -> f64 {
    problem.delassus().diagonal(law.of).normal.sqrt() * measure(bound)
}

/// What the couple of a contact is for a unit of its λ_N, as far as its modes say.
fn couple_edge(law: &CoupleLaw, modes: Modes) -> Triple {
    let spin = match modes.normal {
        NormalMode::Edge(true) => law.spin,
        NormalMode::Edge(false) => -law.spin,
        NormalMode::Floor | NormalMode::Active => 0.0,
    };
    let [x, y] = match (modes.tangential, law.roll_direction) {
        (TangentialMode::Fixed, Some(t)) => t.map(|t| law.roll * t),
        _ => [0.0; 2],
    };
    [spin, x, y]
}

/// An unknown that is left, and the row of the same number.
#[derive(Clone, Copy, Debug)]
struct Unknown {
    contact: usize,
    component: usize,
    /// How the contact's force grows with the unknown.
    direction: Triple,
    /// The couple that grows with it, and how.
    couple: Option<(usize, Triple)>,
    /// The square root of the diagonal of G there.
    weight: f64,
}

/// The equations that frozen modes leave.
struct FrozenSystem<'a> {
    problem: &'a ContactProblem<'a>,
    modes: &'a [Modes],
    unknowns: Vec<Unknown>,
    response: Response,
}

/// A slip contact's numbers at the current forces.
#[derive(Clone, Copy, Debug)]
struct SlipState {
    /// Φ_T/|Φ_T|.
    direction: [f64; 2],
    /// μλ_N/|Φ_T|.
    ratio: f64,
    /// λ_N, and the contact whose it is.
    normal: (usize, f64),
    scale: f64,
    friction: f64,
}

/// The equations at some forces, scaled.
struct Equations {
    values: Vec<f64>,
    error: f64,
    slips: Vec<Option<SlipState>>,
}

impl<'a> FrozenSystem<'a> {
    fn new(problem: &'a ContactProblem<'a>, modes: &'a [Modes]) -> Self {
        let mut unknowns = Vec::new();
        for (contact, mode) in modes.iter().enumerate() {
            let diagonal = problem.delassus().diagonal(contact);
            if mode.normal == NormalMode::Active {
                unknowns.push(Unknown {
                    contact,
                    component: 0,
                    direction: problem.laws()[contact].normal_direction(),
                    couple: problem.couples_of(contact).next().and_then(|place| {
                        let law = problem.laws()[place].couple()?;
                        Some((place, couple_edge(law, modes[place])))
                    }),
                    weight: problem.laws()[contact]
                        .couple()
                        .map_or(diagonal.normal.sqrt(), |couple| {
                            couple_weight(problem, couple, couple.spin)
                        }),
                });
            }
            if matches!(mode.tangential, TangentialMode::Stick | TangentialMode::Slip) {
                for component in [1, 2] {
                    let mut direction = [0.0; 3];
                    direction[component] = 1.0;
                    let weight = problem.laws()[contact]
                        .couple()
                        .map_or(diagonal.tangential_scale.sqrt(), |couple| {
                            couple_weight(problem, couple, couple.roll)
                        });
                    unknowns.push(Unknown {
                        contact,
                        component,
                        direction,
                        couple: None,
                        weight,
                    });
                }
            }
        }
        Self {
            problem,
            modes,
            unknowns,
            response: Response::default(),
        }
    }

    /// Sets what is known, and evaluates the equations.
    fn equations(&mut self, forces: &mut [Triple]) -> Equations {
        self.set_known(forces);
        self.problem.delassus().respond(forces, &mut self.response);
        let slips: Vec<Option<SlipState>> = (0..forces.len()).map(|j| self.slip_state(j, forces)).collect();
        let value = |row: &Unknown| self.equation(row, &forces[row.contact], slips[row.contact]) / row.weight;
        let values: Vec<f64> = self.unknowns.iter().map(value).collect();
        Equations {
            error: values.iter().map(|value| value * value).sum::<f64>().sqrt(),
            values,
            slips,
        }
    }

    /// One Newton step from the forces where the equations were evaluated.
    fn advance(&self, equations: &Equations, forces: &mut [Triple]) {
        let right = equations.values.iter().map(|value| -value).collect();
        let change = solve_least_norm(self.matrix(&equations.slips), right).solution;
        for (unknown, change) in self.unknowns.iter().zip(change) {
            let own = (unknown.contact, unknown.direction);
            for (place, direction) in [own].into_iter().chain(unknown.couple) {
                for (force, direction) in forces[place].iter_mut().zip(direction) {
                    *force += direction * change / unknown.weight;
                }
            }
        }
    }

    /// Sets what the modes say outright.
    fn set_known(&self, forces: &mut [Triple]) {
        for ((force, mode), law) in forces.iter_mut().zip(self.modes).zip(self.problem.laws()) {
            if mode.normal == NormalMode::Floor {
                force[0] = law.floor;
            }
            match (mode.tangential, law.tangential) {
                (TangentialMode::Zero, _) => *force = [force[0], 0.0, 0.0],
                (TangentialMode::Fixed, TangentialLaw::Fixed(t)) => {
                    let radius = law.friction * force[0];
                    *force = [force[0], radius * t[0], radius * t[1]];
                }
                _ => {}
            }
        }
        for place in self.problem.pressed_count()..forces.len() {
            let Some(law) = self.problem.laws()[place].couple() else {
                continue;
            };
            let modes = self.modes[place];
            let edge = couple_edge(law, modes).map(|e| e * forces[law.of][0]);
            let force = &mut forces[place];
            if modes.normal != NormalMode::Active {
                force[0] = edge[0];
            }
            if modes.tangential == TangentialMode::Fixed {
                (force[1], force[2]) = (edge[1], edge[2]);
            }
        }
    }

    fn slip_state(&self, contact: usize, forces: &[Triple]) -> Option<SlipState> {
        if self.modes[contact].tangential != TangentialMode::Slip {
            return None;
        }
        let rate = self.problem.gap_rate(&self.response, contact);
        let scale = self.problem.delassus().diagonal(contact).tangential_scale;
        let law = &self.problem.laws()[contact];
        let (friction, of) = match law.couple() {
            Some(couple) => (couple.roll, couple.of),
            None => (law.friction, contact),
        };
        let (force, normal) = (&forces[contact], forces[of][0]);
        let estimate = [force[1] - rate[1] / scale, force[2] - rate[2] / scale];
        let size = length(estimate);
        let inverse = if size > 0.0 { 1.0 / size } else { 0.0 };
        Some(SlipState {
            direction: estimate.map(|value| value * inverse),
            ratio: friction * normal * inverse,
            normal: (of, normal),
            scale,
            friction,
        })
    }

    /// The left side of a row, zero at the solution, in the unit of b.
    fn equation(&self, row: &Unknown, force: &Triple, slip: Option<SlipState>) -> f64 {
        match slip {
            Some(slip) if row.component > 0 => {
                let edge = slip.friction * slip.normal.1 * slip.direction[row.component - 1];
                slip.scale * (force[row.component] - edge)
            }
            _ => {
                let rate = self
                    .problem
                    .delassus()
                    .rate_component(&self.response, row.contact, row.component);
                rate + self.problem.laws()[row.contact].bias[row.component]
            }
        }
    }

    fn matrix(&self, slips: &[Option<SlipState>]) -> Columns {
        let count = self.unknowns.len();
        let mut matrix = Columns::zero(count, count);
        for (j, column) in self.unknowns.iter().enumerate() {
            let mut block = (usize::MAX, None);
            for (i, row) in self.unknowns.iter().enumerate() {
                if block.0 != row.contact {
                    block = (
                        row.contact,
                        rates_of(self.problem.delassus(), row.contact, column),
                    );
                }
                let entry = entry(row, column, block.1, slips[row.contact]);
                if entry != 0.0 {
                    matrix.set(i, j, entry / (row.weight * column.weight));
                }
            }
        }
        matrix
    }
}

/// The gap rates at a contact for a unit change of the unknown.
fn rates_of(delassus: &Delassus, contact: usize, unknown: &Unknown) -> Option<Triple> {
    let rates = |place: usize, d: Triple| {
        let block = delassus.block(contact, place)?;
        Some(block.map(|row| row[0] * d[0] + row[1] * d[1] + row[2] * d[2]))
    };
    let own = rates(unknown.contact, unknown.direction);
    let Some(more) = unknown.couple.and_then(|(place, d)| rates(place, d)) else {
        return own;
    };
    let own = own.unwrap_or_default();
    Some([own[0] + more[0], own[1] + more[1], own[2] + more[2]])
}

/// The derivative of a row's equation with respect to an unknown.
fn entry(row: &Unknown, column: &Unknown, rates: Option<Triple>, slip: Option<SlipState>) -> f64 {
    let rates = rates.unwrap_or_default();
    let Some(slip) = slip.filter(|_| row.component > 0) else {
        return rates[row.component];
    };
    // s (δλ_T − μ d δλ_N) − (μλ_N/|Φ_T|) P (s δλ_T − δγ_T), with P = 1 − d dᵀ.
    let own = if row.contact == column.contact {
        slip.scale
    } else {
        0.0
    };
    let change = column.direction;
    let turn = [own * change[1] - rates[1], own * change[2] - rates[2]];
    let d = slip.direction;
    let along = d[0] * turn[0] + d[1] * turn[1];
    let k = row.component - 1;
    let sticking = if slip.normal.0 == row.contact {
        own * (change[row.component] - slip.friction * d[k] * change[0])
    } else {
        let pressed = if column.contact == slip.normal.0 {
            change[0]
        } else {
            0.0
        };
        own * change[row.component] - slip.scale * slip.friction * d[k] * pressed
    };
    sticking - slip.ratio * (turn[k] - along * d[k])
}

/// Assignments of modes tried at most.
const ASSIGNMENTS: usize = 4096;

/// What trying all assignments of modes gave.
#[derive(Clone, Debug)]
pub(super) struct Enumerated {
    pub(super) forces: Option<Vec<Triple>>,
    pub(super) steps: usize,
    /// Is "none fits" certain: every assignment linear and regular?
    pub(super) is_exhaustive: bool,
}

/// Tries every assignment of floor, stick and slip; `None` if there are too many.
pub(super) fn solve_enumerated(problem: &ContactProblem<'_>, options: &SolverOptions) -> Option<Enumerated> {
    let choices: Vec<Vec<Modes>> = (0..problem.contact_count())
        .map(|j| choices_of(problem, j))
        .collect();
    let total = choices
        .iter()
        .try_fold(1_usize, |product, of_contact| {
            product.checked_mul(of_contact.len())
        })
        .filter(|&total| total <= ASSIGNMENTS)?;
    let mut tried = Enumerated {
        forces: None,
        steps: 0,
        is_exhaustive: problem.is_linear(),
    };
    let pressed = |j: usize| {
        if problem.laws()[j].couple().is_some() {
            return [0.0; 3];
        }
        [
            problem.laws()[j].bias[0].abs() / problem.delassus().diagonal(j).normal,
            0.0,
            0.0,
        ]
    };
    let start: Vec<Triple> = (0..problem.contact_count()).map(pressed).collect();
    for number in 0..total {
        let mut rest = number;
        let pick = |of_contact: &Vec<Modes>| {
            let chosen = of_contact[rest % of_contact.len()];
            rest /= of_contact.len();
            chosen
        };
        let modes: Vec<Modes> = choices.iter().map(pick).collect();
        let mut forces = start.clone();
        tried.steps += run_frozen(problem, &modes, &mut forces, FROZEN_STEPS);
        let slips = vec![None; forces.len()];
        let system = FrozenSystem::new(problem, &modes);
        let count = system.unknowns.len();
        tried.is_exhaustive &= solve_least_norm(system.matrix(&slips), vec![0.0; count]).rank == count;
        problem.project(&mut forces);
        if problem.residual(&forces) <= options.residual_tolerance {
            tried.forces = Some(forces);
            return Some(tried);
        }
    }
    Some(tried)
}

fn choices_of(problem: &ContactProblem<'_>, contact: usize) -> Vec<Modes> {
    use NormalMode::{Active, Floor};
    use TangentialMode::{Fixed, Slip, Stick, Zero};
    let law = &problem.laws()[contact];
    if let Some(couple) = law.couple() {
        return choices_of_couple(couple);
    }
    let pairs: &[(NormalMode, TangentialMode)] = match law.tangential {
        TangentialLaw::Fixed(_) | TangentialLaw::Couple(_) => &[(Floor, Fixed), (Active, Fixed)],
        TangentialLaw::Disc if law.friction == 0.0 => &[(Floor, Zero), (Active, Zero)],
        TangentialLaw::Disc if law.floor == 0.0 => &[(Floor, Zero), (Active, Stick), (Active, Slip)],
        TangentialLaw::Disc => &[(Floor, Stick), (Floor, Slip), (Active, Stick), (Active, Slip)],
    };
    pairs
        .iter()
        .map(|&(normal, tangential)| Modes { normal, tangential })
        .collect()
}

fn choices_of_couple(law: &CoupleLaw) -> Vec<Modes> {
    use NormalMode::{Active, Edge, Floor};
    let spins = match law.spin_sign {
        Some(sign) => vec![Edge(sign > 0.0)],
        None if law.spin == 0.0 => vec![Floor],
        None => vec![Active, Edge(true), Edge(false)],
    };
    let rolls = match law.roll_direction {
        Some(_) => vec![TangentialMode::Fixed],
        None if law.roll == 0.0 => vec![TangentialMode::Zero],
        None => vec![TangentialMode::Stick, TangentialMode::Slip],
    };
    let with = |normal: NormalMode| {
        let roll = rolls.iter();
        roll.map(move |&tangential| Modes { normal, tangential })
            .collect::<Vec<_>>()
    };
    spins.into_iter().flat_map(with).collect()
}
