//! Large, ill-conditioned and redundant problems: each reaches 1e-9, and the report says how.

use super::*;

fn solve(scene: &Scene, bias: Vec<Triple>, mu: f64) -> ContactSolution {
    let delassus = scene.delassus();
    let laws = bias.into_iter().map(|b| ContactLaw::coulomb(b, mu)).collect();
    let problem = ContactProblem::new(&delassus, laws).expect("a problem");
    let solution = solve_contacts(&problem, &SolverOptions::default(), None).expect("a solution");
    let SolveReport {
        method,
        sweeps,
        anderson_steps,
        newton_steps,
        pivots,
        residual,
    } = solution.report;
    println!(
        "{} contacts: {method}, {sweeps} sweeps, {anderson_steps} accelerated, {newton_steps} linear systems, {pivots} pivots, residual {residual:.1e}",
        scene.contacts.len()
    );
    assert!(residual <= 1e-9);
    solution
}

/// Oracle: the closed form of the cradle.
#[test]
fn chain_of_fifty_balls() {
    let scene = cradle(&[1.0; 50], 1.0);
    let bias = scene
        .impact_contacts(0.9, -1.0, 0.0)
        .iter()
        .map(|c| c.velocity.map(|v| 1.9 * v))
        .collect();
    let solution = solve(&scene, bias, 0.0);
    // The impulse between balls k and k+1 accelerates those beyond: (n−k)(1+e)v/n.
    for (place, force) in solution.forces.iter().enumerate() {
        assert_close(force[0], (49 - place) as f64 * 1.9 / 50.0, 1e-12);
    }
}

/// Oracle: the weight of what lies above.
#[test]
fn column_of_balls_with_mass_ratio_one_to_a_million() {
    for masses in [
        vec![1.0, 1e6],
        vec![1e6, 1.0],
        [1.0, 1e6].repeat(5),
        (0..10).map(|k| 4.6_f64.powi(k)).collect(),
    ] {
        let mut scene = Scene::default();
        let down = vector(0.0, 0.0, -1.0);
        for (place, &mass) in masses.iter().enumerate() {
            let ball = scene.add_ball(mass, 1.0, Vec3::zero());
            let below = place
                .checked_sub(1)
                .map(|below| (MassId(below), vector(0.0, 0.0, 1.0)));
            scene.touch(&Vec3::unit_z(), below, Some((ball, down)));
        }
        let solution = solve(&scene, scene.under_gravity(9.81), 0.5);
        for (place, force) in solution.forces.iter().enumerate() {
            let weight = 9.81 * masses[place..].iter().sum::<f64>();
            assert_close(force[0], weight, 1e-9 * weight);
        }
    }
}

/// Boxes stacked on their four corners.
fn stack(boxes: usize, corners: &[[f64; 2]]) -> Scene {
    let mut scene = Scene::default();
    for place in 0..boxes {
        let half = vector(1.0, 0.8, 0.5);
        let own = scene.add_box(1.0 + 0.1 * place as f64, half);
        for &[x, y] in corners {
            let below = place
                .checked_sub(1)
                .map(|below| (MassId(below), vector(x, 0.8 * y, 0.5)));
            scene.touch(&Vec3::unit_z(), below, Some((own, vector(x, 0.8 * y, -0.5))));
        }
    }
    scene
}

const FOUR: [[f64; 2]; 4] = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]];

/// Oracle: nothing accelerates; the sum of normal forces at each level is the weight above.
#[test]
fn stack_with_fifty_two_contacts() {
    let scene = stack(13, &FOUR);
    let solution = solve(&scene, scene.under_gravity(9.81), 0.4);
    solution
        .rates
        .iter()
        .flatten()
        .for_each(|&rate| assert_close(rate, 0.0, 1e-8));
    for level in 0..13 {
        let weight: f64 = (level..13).map(|place| 9.81 * (1.0 + 0.1 * place as f64)).sum();
        let carried: f64 = solution.forces[4 * level..4 * level + 4]
            .iter()
            .map(|force| force[0])
            .sum();
        assert_close(carried, weight, 1e-8 * weight);
    }
}

/// The same stack on a slope that topples it: contacts open, stick and slip at once. The hardest problem here.
/// Oracle: inner forces cancel, so the forces at the foot are the whole change of momentum.
#[test]
fn stack_that_topples() {
    let scene = stack(13, &FOUR);
    let gravity = [5.2, 0.7, -8.1, 0.0, 0.0, 0.0];
    let solution = solve(&scene, scene.project(&vec![gravity; scene.masses.len()]), 0.4);
    let open = solution.rates.iter().filter(|rate| rate[0] > 1e-6).count();
    assert!(open > 0 && open < 52, "{open} contacts open");
    let pushes = scene.delassus().twists(&solution.forces);
    let momentum: f64 = scene
        .masses
        .iter()
        .zip(&pushes)
        .map(|(mass, push)| push[2] / mass.inverse_mass)
        .sum();
    let foot: f64 = solution.forces[..4].iter().map(|force| force[0]).sum();
    assert_close(momentum, foot, 1e-9 * foot);
}

/// The topmost box strikes the others, spinning.
#[test]
fn stack_that_is_struck() {
    let mut scene = stack(13, &FOUR);
    scene.twists[12] = [0.4, -0.2, -3.0, 0.1, 0.2, 0.0];
    let contacts = scene.impact_contacts(0.3, 0.0, 0.4);
    let outcome = solve_impact(&scene.delassus(), &contacts, &SolverOptions::default()).expect("impulses");
    println!("struck stack: {:?}", outcome.reports[0]);
    assert!(outcome.reports[0].residual <= 1e-9);
    assert!(outcome.energy_change < 0.0);
    for (contact, after) in contacts.iter().zip(&outcome.velocities_after) {
        assert!(after[0] + 0.3 * contact.velocity[0] >= -1e-9);
    }
}

/// Oracle: a box at rest on redundant corners; pushed sideways below and above μmg.
#[test]
fn box_on_four_and_eight_corners() {
    let eight: Vec<[f64; 2]> = FOUR
        .iter()
        .copied()
        .chain([[0.0, 1.0], [0.0, -1.0], [1.0, 0.0], [-1.0, 0.0]])
        .collect();
    for corners in [&FOUR[..], &eight] {
        for push in [0.0, 2.0, 6.0] {
            let mut scene = stack(1, corners);
            scene.twists[0] = [push, 0.0, -9.81, 0.0, 0.0, 0.0];
            let solution = solve(&scene, scene.gap_rates(), 0.4);
            let slide = f64::max(0.0, push - 0.4 * 9.81);
            let twist = scene.delassus().twists(&solution.forces)[0];
            assert_close(push + twist[0], slide, 1e-10);
            assert_close(twist[2], 9.81, 1e-10);
        }
    }
}

/// Lemke alone, on degenerate problems, agrees with the strategy.
#[test]
fn pivoting_alone_solves_redundant_and_random_problems() {
    use super::super::pivoting::solve_pivoting;
    let mut dice = Dice(0x91f0_7e57);
    for round in 0..500 {
        let scene = if round < 5 {
            stack(1 + round, &FOUR)
        } else {
            random_scene(&mut dice, 3, 1 + round % 12)
        };
        let bias = if round < 5 {
            scene.under_gravity(9.81)
        } else {
            scene.gap_rates()
        };
        let delassus = scene.delassus();
        let laws: Vec<ContactLaw> = bias.into_iter().map(|b| ContactLaw::coulomb(b, 0.0)).collect();
        let problem = ContactProblem::new(&delassus, laws).expect("a problem");
        let pivoted = solve_pivoting(&problem).expect("semidefinite and feasible");
        assert!(problem.residual(&pivoted.forces) < 1e-9, "round {round}");
        let solved = solve_contacts(&problem, &SolverOptions::default(), None).expect("a solution");
        for (a, b) in problem.gap_rates(&pivoted.forces).iter().zip(&solved.rates) {
            assert_close(a[0], b[0], 1e-7);
        }
    }
}
