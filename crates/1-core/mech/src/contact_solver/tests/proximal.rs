//! Newton's method on velocities, and its linear systems.

use super::random::check_coulomb;
use super::*;
use crate::contact_solver::proximal::{SYSTEMS, solve_proximal};
use crate::law::block_lu::{Block, BlockLu};

const SIX: usize = 6;

/// 1 + vwᵀ + … on random graphs: A x = y is solved, whatever the order of elimination.
#[test]
fn random_sparse_systems_are_solved() {
    let mut dice = Dice(0x5eed_0011);
    for _ in 0..200 {
        let entities = 1 + dice.below(12);
        let pairs: Vec<(usize, usize)> = (0..dice.below(20))
            .map(|_| (dice.below(entities), dice.below(entities)))
            .collect();
        let mut factors = BlockLu::new(entities, pairs.iter().copied());
        factors.set_to_unit();
        let size = SIX * entities;
        let mut dense = vec![0.0; size * size];
        for k in 0..size {
            dense[k * size + k] = 1.0;
        }
        for (a, b) in &pairs {
            let mut sides = || {
                let mut v = vec![0.0; size];
                for entity in [a, b] {
                    for k in 0..SIX {
                        v[SIX * entity + k] = 0.4 * (dice.unit() - 0.2);
                    }
                }
                v
            };
            let (v, w) = (sides(), sides());
            let block = |i: usize, j: usize| -> Block {
                std::array::from_fn(|p| std::array::from_fn(|q| v[SIX * i + p] * w[SIX * j + q]))
            };
            factors.add(*a, *a, &block(*a, *a));
            if a != b {
                factors.add(*b, *b, &block(*b, *b));
                factors.add(*a, *b, &block(*a, *b));
                factors.add(*b, *a, &block(*b, *a));
            }
            for i in 0..size {
                for j in 0..size {
                    dense[i * size + j] += v[i] * w[j];
                }
            }
        }
        let x: Vec<f64> = (0..size).map(|_| dice.unit() - 0.5).collect();
        let product = |i: usize| (0..size).map(|j| dense[i * size + j] * x[j]).sum::<f64>();
        let mut y: Vec<[f64; SIX]> = (0..entities)
            .map(|e| std::array::from_fn(|k| product(SIX * e + k)))
            .collect();
        assert!(factors.factorise());
        factors.solve(&mut y);
        for (found, x) in y.as_flattened().iter().zip(&x) {
            assert!((found - x).abs() < 1e-9, "{found} for {x}");
        }
    }
}

/// Random entities with up to three contacts each, from zero forces: the laws hold, written out apart from the solver.
#[test]
fn random_problems_obey_every_law() {
    let mut dice = Dice(0x5eed_0012);
    let mut failed = 0;
    for _ in 0..4000 {
        let entities = 1 + dice.below(8);
        let contacts = 1 + dice.below(3 * entities);
        let scene = random_scene(&mut dice, entities, contacts);
        let delassus = scene.delassus();
        let mu = [0.0, 0.05, 0.3, 0.8][dice.below(4)];
        let rates = scene.gap_rates().into_iter();
        let laws = rates.map(|b| ContactLaw::coulomb(b, mu)).collect();
        let problem = ContactProblem::new(&delassus, laws).expect("a problem");
        let (forces, residual, _) = solve_proximal(&problem, vec![[0.0; 3]; contacts], 1e-10, SYSTEMS);
        if residual > 1e-10 {
            failed += 1;
            continue;
        }
        let solution = ContactSolution {
            rates: problem.gap_rates(&forces),
            forces,
            report: SolveReport::new(SolveMethod::Newton),
        };
        check_coulomb(&problem, &solution, 1e-8);
    }
    println!("{failed} of 4000 not solved");
    assert!(failed <= 80, "{failed} of 4000");
}

/// Balls on top of each other, the lowest on the ground, under their weight over a step: each contact bears what is above it, also with masses that differ by a thousand.
#[test]
fn towers_bear_what_is_above_them() {
    for (count, ratio) in [(10, 1.0), (100, 1.0), (400, 1.0), (6, 1000.0)] {
        let mut scene = Scene::default();
        let mut masses = Vec::new();
        for k in 0..count {
            let mass = if k + 1 == count { ratio } else { 1.0 };
            masses.push(mass);
            let ball = scene.add_ball(mass, 1.0, vector(0.0, 0.0, -9.81));
            let below = (k > 0).then(|| (MassId(ball.0 - 1), vector(0.0, 0.0, 1.0)));
            scene.touch(&Vec3::unit_z(), below, Some((ball, vector(0.0, 0.0, -1.0))));
        }
        let delassus = scene.delassus();
        let rates = scene.gap_rates().into_iter();
        let laws = rates.map(|b| ContactLaw::coulomb(b, 0.5)).collect();
        let problem = ContactProblem::new(&delassus, laws).expect("a problem");
        let (forces, residual, systems) = solve_proximal(&problem, vec![[0.0; 3]; count], 1e-10, SYSTEMS);
        println!("{count} balls, {ratio}: {systems} systems, residual {residual}");
        assert!(
            residual <= 1e-10 && systems < 200,
            "{count}: {residual}, {systems}"
        );
        for (k, force) in forces.iter().enumerate() {
            let above: f64 = masses[k..].iter().sum::<f64>() * 9.81;
            assert!(
                (force[0] - above).abs() <= 1e-6 * above,
                "{k}: {force:?} for {above}"
            );
        }
    }
}
