//! Newton's method on velocities, for contacts that sweeps do not get through: heaps, wedged bodies, long chains.
//!
//! # Problem
//! With M⁻¹ = LLᵀ, Ŵ = LᵀW and y = Ŵλ, so that γ = Ŵᵀy + b, Signorini's and Coulomb's laws are [de Saxcé, Feng 1998]
//!
//! > K ∋ λ ⊥ γ + s ∈ K*,   K = {|λ_T| ≤ μλ_N},   s = (μ|γ_T|, 0, 0).
//!
//! # Method
//! From forces λₖ the proximal step with compliance 1/ρ [Rockafellar 1976] is the y with
//!
//! > F(y) = y − Ŵ P(λₖ − ρ(γ + s)) = 0,   λₖ₊₁ = P(λₖ − ρ(γ + s)),   P the projection on K.
//!
//! Newton's method solves it, with s a function of γ. The matrix 1 + Ŵ ρP'(1 + s') Ŵᵀ has a block for each pair of entities that touch (`law/block_lu.rs`).
//! Where that does not lead down, s is held for a step: F is then the slope of the strictly convex function ½|y|² + Σ |P(λₖ − ρ(γ + s))|²/(2ρ) [Acary, Cadoux 2013], and Newton's method on it always descends.
//! ρ grows where forces settle little.
//!
//! # Guarantee
//! None on the way, with friction; forces are judged by their residual alone. The linear systems are counted. Only for discs without a least force; others are given back as they came.

use super::delassus::{Triple, Twist, WhiteSide};
use super::problem::{ContactProblem, TangentialLaw, length};
use crate::law::block_lu::{Block, BlockLu};

/// Linear systems solved at the most.
pub(super) const SYSTEMS: usize = 120;
/// Proximal steps in a row that do not halve the residual.
const PATIENCE: usize = 6;
/// Steps of Newton's method in a proximal step, and halvings of one, with s a function of γ; the same with s held.
const NEWTON_STEPS: usize = 12;
const HALVINGS: usize = 4;
const HELD_STEPS: usize = 30;
const HELD_HALVINGS: usize = 20;
/// ρ in the inverse of a contact's own mobility: at first, by what it grows where the residual falls by less than to a tenth, and at the most.
const FIRST_STIFFNESS: f64 = 10.0;
const STIFFER: f64 = 10.0;
const STIFFEST: f64 = 1e6;
/// F that is left of a step, as a part of the momentum there is.
const SLOPE: f64 = 1e-11;
/// F that may be rounding.
const ROUNDED: f64 = 1e-8;
/// Sufficient decrease.
const DECREASE: f64 = 1e-4;

/// The best forces met, their residual, and the linear systems solved: no proximal step begins after the most of these.
pub(super) fn solve_proximal(
    problem: &ContactProblem<'_>,
    start: Vec<Triple>,
    enough: f64,
    most: usize,
) -> (Vec<Triple>, f64, usize) {
    let first = problem.residual(&start);
    let is_plain = |law: &super::ContactLaw| law.tangential == TangentialLaw::Disc && law.floor == 0.0;
    let sides = problem.delassus().white_sides();
    if sides.is_empty() || !problem.laws().iter().all(is_plain) {
        return (start, first, 0);
    }
    let entities = problem.delassus().touched_entities().len();
    let pairs = sides.iter().filter_map(|of| match of {
        [Some(a), Some(b)] => Some((a.place, b.place)),
        _ => None,
    });
    let factor = BlockLu::new(entities, pairs);
    let mobility = (0..sides.len()).map(|j| {
        let diagonal = problem.delassus().diagonal(j);
        diagonal.normal.max(diagonal.tangential_scale)
    });
    let mut inner = Inner {
        problem,
        mobility: mobility.collect(),
        columns: sides.iter().map(largest_columns).collect(),
        sides,
        factor,
        stiffness: FIRST_STIFFNESS,
        shifts: vec![0.0; problem.contact_count()],
        is_held: false,
        forces: start.clone(),
        systems: 0,
    };
    let mut best = (start, first);
    let mut last = f64::INFINITY;
    let mut stalled = 0;
    while inner.systems < most && stalled < PATIENCE {
        let begun = inner.momentum(&inner.forces);
        inner.is_held = false;
        let found = match inner.newton(begun.clone()) {
            Some(point) => Some(point),
            None => {
                inner.hold(&begun);
                inner.newton(begun)
            }
        };
        let Some(found) = found else { break };
        inner.forces = found.contacts.iter().map(|contact| contact.force).collect();
        let residual = problem.residual(&inner.forces);
        stalled = if residual < 0.5 * best.1 { 0 } else { stalled + 1 };
        if residual < best.1 {
            best = (inner.forces.clone(), residual);
        }
        if best.1 <= enough || !residual.is_finite() {
            break;
        }
        if residual > 0.1 * last && !inner.is_held {
            inner.stiffness = (STIFFER * inner.stiffness).min(STIFFEST);
        }
        last = residual;
    }
    (best.0, best.1, inner.systems)
}

/// One proximal step.
struct Inner<'a> {
    problem: &'a ContactProblem<'a>,
    sides: Vec<[Option<WhiteSide>; 2]>,
    mobility: Vec<f64>,
    /// The largest entries of the columns of Ŵ.
    columns: Vec<Triple>,
    factor: BlockLu,
    stiffness: f64,
    /// s, where it is held.
    shifts: Vec<f64>,
    is_held: bool,
    /// λₖ.
    forces: Vec<Triple>,
    systems: usize,
}

impl Inner<'_> {
    /// Ŵλ.
    fn momentum(&self, forces: &[Triple]) -> Vec<Twist> {
        let mut y = vec![[0.0; 6]; self.problem.delassus().touched_entities().len()];
        for (sides, force) in self.sides.iter().zip(forces) {
            push(&mut y, sides, force);
        }
        y
    }

    /// γ.
    fn rate(&self, y: &[Twist], j: usize) -> Triple {
        let mut rate = self.problem.laws()[j].bias;
        for side in self.sides[j].iter().flatten() {
            for (rate, column) in rate.iter_mut().zip(&side.columns) {
                *rate += column.iter().zip(&y[side.place]).map(|(c, y)| c * y).sum::<f64>();
            }
        }
        rate
    }

    /// Holds s as it is at y.
    fn hold(&mut self, y: &[Twist]) {
        self.shifts = (0..self.shifts.len())
            .map(|j| {
                let [_, x, z] = self.rate(y, j);
                self.problem.laws()[j].friction * length([x, z])
            })
            .collect();
        self.is_held = true;
    }

    fn projected(&self, y: &[Twist], j: usize) -> Projected {
        let rho = self.stiffness / self.mobility[j];
        let (rate, force) = (self.rate(y, j), self.forces[j]);
        let friction = self.problem.laws()[j].friction;
        let speed = length([rate[1], rate[2]]);
        let shift = if self.is_held {
            self.shifts[j]
        } else {
            friction * speed
        };
        let estimate = [
            force[0] - rho * (rate[0] + shift),
            force[1] - rho * rate[1],
            force[2] - rho * rate[2],
        ];
        Projected {
            force: project(estimate, friction),
            rho,
            estimate,
            shift_slopes: if self.is_held || speed == 0.0 {
                [0.0; 2]
            } else {
                [friction * rate[1] / speed, friction * rate[2] / speed]
            },
        }
    }

    /// All that a step of Newton's method asks of y.
    fn at(&self, y: Vec<Twist>) -> Point {
        let mut slope = y.clone();
        let mut size = largest(&y);
        let square = |values: &[f64]| values.iter().map(|v| v * v).sum::<f64>();
        let mut of_contacts = 0.0;
        let contacts: Vec<Projected> = (0..self.sides.len())
            .map(|j| {
                let found = self.projected(&y, j);
                push(&mut slope, &self.sides[j], &found.force.map(|f| -f));
                for (column, force) in self.columns[j].iter().zip(&found.force) {
                    size = size.max(force.abs() * column);
                }
                of_contacts += square(&found.force) / found.rho;
                found
            })
            .collect();
        let merit = if self.is_held {
            0.5 * (square(y.as_flattened()) + of_contacts)
        } else {
            square(slope.as_flattened())
        };
        Point {
            y,
            contacts,
            slope,
            size,
            merit,
        }
    }

    /// Newton's method from y; none where it does not lead to F = 0.
    fn newton(&mut self, y: Vec<Twist>) -> Option<Point> {
        let (steps, halvings) = if self.is_held {
            (HELD_STEPS, HELD_HALVINGS)
        } else {
            (NEWTON_STEPS, HALVINGS)
        };
        let mut here = self.at(y);
        for _ in 0..steps {
            let steepest = largest(&here.slope);
            if steepest.is_nan() {
                return None;
            }
            if steepest <= SLOPE * here.size {
                return Some(here);
            }
            self.factor.set_to_unit();
            for (j, found) in here.contacts.iter().enumerate() {
                if let Some(slopes) = slopes_of(found.estimate, self.problem.laws()[j].friction) {
                    let [x, z] = found.shift_slopes;
                    let slopes =
                        slopes.map(|[n, a, b]| [n, a + n * x, b + n * z].map(|slope| found.rho * slope));
                    add_blocks(&mut self.factor, &self.sides[j], &slopes);
                }
            }
            self.systems += 1;
            if !self.factor.factorise() {
                return None;
            }
            let mut step = here.slope.clone();
            self.factor.solve(&mut step);
            let descent = if self.is_held {
                let both = step.as_flattened().iter().zip(here.slope.as_flattened());
                both.map(|(a, b)| a * b).sum::<f64>()
            } else {
                2.0 * here.merit
            };
            let mut part = 1.0;
            let mut found = None;
            for _ in 0..halvings {
                let along = here.y.iter().zip(&step);
                let tried = along.map(|(y, step)| std::array::from_fn(|k| y[k] - part * step[k]));
                let tried = self.at(tried.collect());
                if tried.merit <= here.merit - DECREASE * part * descent {
                    found = Some(tried);
                    break;
                }
                part *= 0.5;
            }
            match found {
                Some(next) => here = next,
                // Where rounding hides what is left, it is enough.
                None if self.is_held || steepest <= ROUNDED * here.size => return Some(here),
                None => return None,
            }
        }
        self.is_held.then_some(here)
    }
}

/// What a proximal step is at some y.
struct Point {
    y: Vec<Twist>,
    contacts: Vec<Projected>,
    /// F, and what it is small beside.
    slope: Vec<Twist>,
    size: f64,
    /// What descends: the convex function where s is held, else |F|².
    merit: f64,
}

/// P(λₖ − ρ(γ + s)) of a contact.
struct Projected {
    force: Triple,
    rho: f64,
    estimate: Triple,
    /// The derivative of s by γ_T.
    shift_slopes: [f64; 2],
}

fn largest(all: &[Twist]) -> f64 {
    let larger = |m: f64, v: &f64| if v.is_nan() { f64::NAN } else { m.max(v.abs()) };
    all.as_flattened().iter().fold(0.0, larger)
}

fn largest_columns(sides: &[Option<WhiteSide>; 2]) -> Triple {
    let all = || sides.iter().flatten();
    std::array::from_fn(|k| all().map(|side| largest(&[side.columns[k]])).fold(0.0, f64::max))
}

/// y += Ŵ_j λ_j.
fn push(y: &mut [Twist], sides: &[Option<WhiteSide>; 2], force: &Triple) {
    for side in sides.iter().flatten() {
        for (column, force) in side.columns.iter().zip(force) {
            for (y, column) in y[side.place].iter_mut().zip(column) {
                *y += column * force;
            }
        }
    }
}

/// Adds Ŵ_j D Ŵ_jᵀ.
fn add_blocks(factor: &mut BlockLu, sides: &[Option<WhiteSide>; 2], slopes: &[Triple; 3]) {
    for column in sides.iter().flatten() {
        let middle: [Twist; 3] = slopes
            .map(|row| std::array::from_fn(|k| (0..3).map(|c| row[c] * column.columns[c][k]).sum::<f64>()));
        for row in sides.iter().flatten() {
            let block: Block = std::array::from_fn(|p| {
                std::array::from_fn(|q| (0..3).map(|c| row.columns[c][p] * middle[c][q]).sum::<f64>())
            });
            factor.add(row.place, column.place, &block);
        }
    }
}

/// The nearest point of the cone |t| ≤ μn.
fn project([n, x, z]: Triple, friction: f64) -> Triple {
    let across = length([x, z]);
    if across <= friction * n {
        return [n, x, z];
    }
    if n <= -friction * across {
        return [0.0; 3];
    }
    let along = (n + friction * across) / (1.0 + friction * friction);
    let turned = friction * along / across;
    [along, turned * x, turned * z]
}

/// The derivative of the projection; none where it is zero.
fn slopes_of([n, x, z]: Triple, friction: f64) -> Option<[Triple; 3]> {
    let across = length([x, z]);
    if across <= friction * n {
        return Some([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
    }
    if n <= -friction * across {
        return None;
    }
    let scale = 1.0 / (1.0 + friction * friction);
    let along = (n + friction * across) * scale;
    let [u, v] = [x / across, z / across];
    let (edge, round) = ([1.0, friction * u, friction * v], [0.0, -v, u]);
    let bends = friction * along / across;
    Some(std::array::from_fn(|i| {
        std::array::from_fn(|j| scale * edge[i] * edge[j] + bends * round[i] * round[j])
    }))
}
