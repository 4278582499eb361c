//! Thousands of random problems: the laws hold, and other methods agree.

use super::*;

/// Every law of a Coulomb solution, written out apart from the solver's own residual.
pub(super) fn check_coulomb(problem: &ContactProblem<'_>, solution: &ContactSolution, tolerance: f64) {
    for (j, law) in problem.laws().iter().enumerate() {
        let ([n, x, y], [gn, gx, gy]) = (solution.forces[j], solution.rates[j]);
        assert!(n >= 0.0, "contact {j}: normal force {n}");
        assert!(gn >= -tolerance, "contact {j}: closing at {gn}");
        let a = problem.delassus().block(j, j).expect("own block")[0][0];
        assert!(
            (a * n).min(gn) <= tolerance,
            "contact {j}: force {n} and rate {gn}"
        );
        let (force, speed) = (x.hypot(y), gx.hypot(gy));
        let radius = law.friction * n;
        assert!(
            force <= radius * (1.0 + 1e-12),
            "contact {j}: {force} outside {radius}"
        );
        // Maximum dissipation: λ_T·γ_T = −μλ_N|γ_T|.
        let loss = x * gx + y * gy;
        let limit = 10.0 * tolerance * (1.0 + a * radius);
        assert!(a * (loss + radius * speed).abs() <= limit, "contact {j}: {loss}");
    }
}

/// No failure in 40,000 rounds either; what finished there: frozen modes 30,326, sweeps 9442, Anderson 137,
/// Newton 49, softening 46.
#[test]
fn thousands_of_frictional_problems_obey_every_law() {
    let mut dice = Dice(0x5eed_0001);
    let mut counts = std::collections::BTreeMap::new();
    for round in 0..8000 {
        let entities = 1 + dice.below(5);
        let contacts = 1 + dice.below(3 * entities);
        let scene = random_scene(&mut dice, entities, contacts);
        let delassus = scene.delassus();
        let mu = [0.05, 0.3, 0.8, 2.0][dice.below(4)];
        let laws = scene
            .gap_rates()
            .into_iter()
            .map(|b| ContactLaw::coulomb(b, mu))
            .collect();
        let problem = ContactProblem::new(&delassus, laws).expect("a problem");
        let solution = solve_contacts(&problem, &SolverOptions::default(), None);
        let solution = solution.unwrap_or_else(|error| panic!("round {round}: {error}"));
        *counts.entry(solution.report.method.to_string()).or_insert(0) += 1;
        check_coulomb(&problem, &solution, 1e-9);
    }
    println!("{counts:?}");
}

/// Separating contacts are turned round, as the guards of impact nodes would leave them out.
fn closing_contacts(scene: &mut Scene, e: f64) -> Vec<ImpactContact> {
    for (contact, rate) in scene.gap_rates().iter().enumerate() {
        if rate[0] > 0.0 {
            let sides = &mut scene.contacts[contact];
            for side in [&mut sides.first, &mut sides.second].into_iter().flatten() {
                side.columns
                    .as_flattened_mut()
                    .iter_mut()
                    .for_each(|entry| *entry = -*entry);
            }
        }
    }
    scene.impact_contacts(e, -1.0, 0.0)
}

#[test]
fn frictionless_impacts_never_add_energy() {
    let mut dice = Dice(0x5eed_0002);
    for round in 0..2000 {
        let (entities, contacts) = (1 + dice.below(4), 1 + dice.below(8));
        let mut scene = random_scene(&mut dice, entities, contacts);
        let e = [0.0, dice.unit(), 1.0][round % 3];
        let contacts = closing_contacts(&mut scene, e);
        let delassus = scene.delassus();
        let outcome = solve_impact(&delassus, &contacts, &SolverOptions::default()).expect("impulses");
        let before = scene.energy(&scene.twists);
        let after = scene.energy(&scene.after(&delassus, &outcome));
        assert!(
            after <= before * (1.0 + 1e-10),
            "round {round}, e = {e}: {before} -> {after}"
        );
        outcome
            .velocities_after
            .iter()
            .for_each(|rate| assert!(rate[0] >= -1e-9));
    }
}

/// Gaussian elimination with partial pivoting, written for this test alone.
fn gauss(mut a: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let n = a.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))?;
        a.swap(k, pivot);
        if a[k][k].abs() < 1e-9 {
            return None;
        }
        for i in (0..n).filter(|&i| i != k) {
            let factor = a[i][k] / a[k][k];
            let pivot_row = a[k].clone();
            a[i].iter_mut()
                .zip(pivot_row)
                .for_each(|(value, of_pivot)| *value -= factor * of_pivot);
        }
    }
    Some((0..n).map(|i| a[i][n] / a[i][i]).collect())
}

/// Oracle: of the 2ᴺ active sets the one whose signs fit (normal rates are unique).
#[test]
fn frictionless_problems_agree_with_enumeration_of_active_sets() {
    let mut dice = Dice(0x5eed_0003);
    let mut compared = 0;
    for _ in 0..2000 {
        let (entities, contacts) = (1 + dice.below(3), 1 + dice.below(3));
        let scene = random_scene(&mut dice, entities, contacts);
        let (delassus, bias) = (scene.delassus(), scene.gap_rates());
        let entry = |i: usize, j: usize| delassus.block(i, j).map_or(0.0, |block| block[0][0]);
        let count = bias.len();
        let fitting = (0..1_usize << count).find_map(|set| {
            let active: Vec<usize> = (0..count).filter(|j| set >> j & 1 == 1).collect();
            let row = |&i: &usize| active.iter().map(|&j| entry(i, j)).chain([-bias[i][0]]).collect();
            let forces = gauss(active.iter().map(row).collect())?;
            let rate = |i: usize| {
                bias[i][0]
                    + active
                        .iter()
                        .zip(&forces)
                        .map(|(&j, f)| entry(i, j) * f)
                        .sum::<f64>()
            };
            let rates: Vec<f64> = (0..count).map(rate).collect();
            let fits = forces.iter().all(|&f| f >= -1e-10) && rates.iter().all(|&r| r >= -1e-10);
            fits.then_some(rates)
        });
        let Some(rates) = fitting else { continue };
        compared += 1;
        let laws = bias.iter().map(|&b| ContactLaw::coulomb(b, 0.0)).collect();
        let problem = ContactProblem::new(&delassus, laws).expect("a problem");
        let solution = solve_contacts(&problem, &SolverOptions::default(), None).expect("a solution");
        for (ours, theirs) in solution.rates.iter().zip(rates) {
            assert_close(ours[0], theirs, 1e-8);
        }
    }
    assert!(compared > 1900, "{compared}");
}

/// Projection with a small fixed step on all contacts at once: slow, simple, independent of the solver.
fn project_slowly(problem: &ContactProblem<'_>) -> Option<Vec<Triple>> {
    let delassus = problem.delassus();
    let count = problem.contact_count();
    let bound = |i: usize| {
        let row = (0..count).filter_map(|j| delassus.block(i, j));
        row.flatten().flatten().map(f64::abs).sum::<f64>()
    };
    let step = 1.0 / (0..count).map(bound).fold(0.0, f64::max);
    let mut forces = vec![[0.0; 3]; count];
    for _ in 0..200_000 {
        let rates = problem.gap_rates(&forces);
        let mut moved: f64 = 0.0;
        for ((force, rate), law) in forces.iter_mut().zip(&rates).zip(problem.laws()) {
            let before = *force;
            force[0] = f64::max(0.0, force[0] - step * rate[0]);
            let (x, y) = (force[1] - step * rate[1], force[2] - step * rate[2]);
            let (size, radius) = (x.hypot(y), law.friction * force[0]);
            let shrink = if size > radius { radius / size } else { 1.0 };
            (force[1], force[2]) = (x * shrink, y * shrink);
            moved = before
                .iter()
                .zip(&*force)
                .fold(moved, |m, (a, b)| m.max((a - b).abs()));
        }
        if moved < 1e-14 {
            return Some(rates);
        }
    }
    None
}

#[test]
fn small_friction_agrees_with_slow_projection() {
    let mut dice = Dice(0x5eed_0004);
    let mut compared = 0;
    for round in 0..150 {
        let scene = random_scene(&mut dice, 2, 1 + round % 3);
        let delassus = scene.delassus();
        let laws = scene
            .gap_rates()
            .into_iter()
            .map(|b| ContactLaw::coulomb(b, 0.2))
            .collect();
        let problem = ContactProblem::new(&delassus, laws).expect("a problem");
        let Some(slow) = project_slowly(&problem) else {
            continue;
        };
        compared += 1;
        let fast = solve_contacts(&problem, &SolverOptions::default(), None).expect("a solution");
        for (ours, theirs) in fast.rates.iter().flatten().zip(slow.iter().flatten()) {
            assert_close(*ours, *theirs, 1e-8);
        }
    }
    assert!(compared > 140, "{compared}");
}

/// Contacts in another order: the same motion.
#[test]
fn permuted_contacts_give_the_same_velocities() {
    let mut dice = Dice(0x5eed_0005);
    for _ in 0..300 {
        let mut scene = random_scene(&mut dice, 4, 6);
        let delassus = scene.delassus();
        let options = SolverOptions::default();
        let one = solve_impact(&delassus, &scene.impact_contacts(0.4, 0.0, 0.2), &options).expect("impulses");
        scene.contacts.reverse();
        scene.contacts.swap(1, 3);
        let reversed = scene.delassus();
        let two = solve_impact(&reversed, &scene.impact_contacts(0.4, 0.0, 0.2), &options).expect("impulses");
        for (a, b) in one
            .twist_changes
            .iter()
            .flatten()
            .zip(two.twist_changes.iter().flatten())
        {
            assert_close(*a, *b, 1e-8);
        }
    }
}

/// Dense and sparse operators of one scene: the same forces.
#[test]
fn dense_operator_gives_the_same_solution() {
    let mut dice = Dice(0x5eed_0006);
    for _ in 0..200 {
        let scene = random_scene(&mut dice, 3, 4);
        let sparse = scene.delassus();
        let mut matrix = vec![0.0; 144];
        for (i, j) in (0..4).flat_map(|i| (0..4).map(move |j| (i, j))) {
            let block = sparse.block(i, j).unwrap_or_default();
            for (k, l) in (0..3).flat_map(|k| (0..3).map(move |l| (k, l))) {
                matrix[(3 * i + k) * 12 + 3 * j + l] = block[k][l];
            }
        }
        let dense = Delassus::from_dense(4, matrix).expect("symmetric");
        let solve = |delassus: &Delassus| {
            let laws = scene
                .gap_rates()
                .into_iter()
                .map(|b| ContactLaw::coulomb(b, 0.2))
                .collect();
            let problem = ContactProblem::new(delassus, laws).expect("a problem");
            solve_contacts(&problem, &SolverOptions::default(), None)
                .expect("a solution")
                .rates
        };
        for (a, b) in solve(&sparse)
            .iter()
            .flatten()
            .zip(solve(&dense).iter().flatten())
        {
            assert_close(*a, *b, 1e-9);
        }
    }
}
