//! The node location by location, and the sweep loop.

use super::*;

fn problem_of<'a>(scene: &Scene, delassus: &'a Delassus, mu: f64) -> ContactProblem<'a> {
    let laws = scene
        .gap_rates()
        .into_iter()
        .map(|b| ContactLaw::coulomb(b, mu))
        .collect();
    ContactProblem::new(delassus, laws).expect("a problem")
}

/// Every inner edge joins the locations SPEC §3 says; the end is that of one call, bit for bit.
#[test]
fn stepper_takes_the_edges_of_the_node_and_ends_where_one_call_does() {
    let mut dice = Dice(0x57e9_9e12);
    for round in 0..200 {
        let count = 1 + round % 6;
        let scene = random_scene(&mut dice, 2, count);
        let delassus = scene.delassus();
        let problem = problem_of(&scene, &delassus, 0.3);
        let options = SolverOptions {
            sweep_limit: 3000,
            ..SolverOptions::default()
        };
        let in_one_call = run_sweeps(&problem, &options);
        let mut stepper = NodeStepper::new(&problem, &options);
        let end = loop {
            let from = stepper.location();
            match stepper.step() {
                Ok(Some(step)) => check_edge(&step, from, stepper.location(), count),
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        let bits = |forces: &[Triple]| {
            forces
                .as_flattened()
                .iter()
                .map(|f| f.to_bits())
                .collect::<Vec<_>>()
        };
        assert_eq!(bits(stepper.forces()), bits(&in_one_call.forces), "round {round}");
        assert_eq!(end.is_ok(), in_one_call.is_converged);
        if let Err(error) = end {
            assert_eq!(error.report.sweeps, 3000);
            assert!(!error.contacts.is_empty());
        } else {
            assert_eq!(stepper.location(), 4 * count + 2);
            assert_eq!(stepper.step(), Ok(None));
        }
    }
}

fn check_edge(step: &InnerStep, from: usize, to: usize, n: usize) {
    use TakenEdge::*;
    assert_eq!((step.from, step.to), (from, to));
    let contact = (from >= 1 && from <= 4 * n).then(|| (from - 1) % n);
    assert_eq!(step.contact, contact);
    let allowed: &[(TakenEdge, usize)] = match from {
        0 => &[(Enter, 1)],
        _ if from <= n => &[(TakeNormal, from + 1), (ZeroNormal, from + 1)],
        _ if from <= 2 * n => &[(TakeTangential, from + 1), (ProjectTangential, from + 1)],
        _ if from <= 3 * n => &[(NormalConverged, from + 1), (NormalMoved, 1)],
        _ if from <= 4 * n => &[(TangentialConverged, from + 1), (TangentialMoved, 1)],
        _ => &[(Leave, from + 1)],
    };
    assert!(allowed.contains(&(step.edge, to)), "{step:?}");
}

#[test]
fn the_same_problem_gives_the_same_bits() {
    let mut dice = Dice(0xde7e_2214);
    for _ in 0..100 {
        let scene = random_scene(&mut dice, 4, 8);
        let delassus = scene.delassus();
        let problem = problem_of(&scene, &delassus, 0.7);
        let one = solve_contacts(&problem, &SolverOptions::default(), None);
        let two = solve_contacts(&problem.clone(), &SolverOptions::default(), None);
        assert_eq!(one, two);
    }
}

#[test]
fn a_warm_start_at_the_solution_needs_one_sweep() {
    let mut dice = Dice(0x3a53);
    for _ in 0..100 {
        let scene = random_scene(&mut dice, 3, 5);
        let delassus = scene.delassus();
        let problem = problem_of(&scene, &delassus, 0.3);
        let options = SolverOptions {
            force_tolerance_absolute: 1e-9,
            ..SolverOptions::default()
        };
        let cold = solve_contacts(&problem, &options, None).expect("a solution");
        let warm = solve_contacts(&problem, &options, Some(&cold.forces)).expect("a solution");
        assert_eq!(warm.report.sweeps, 1);
    }
}

/// A brick sliding askew: C_jj is not a multiple of the identity, and the printed step C_jj⁻¹ settles on
/// forces that do not oppose the sliding; the largest-eigenvalue step does.
#[test]
fn the_printed_tangential_step_breaks_coulombs_law_for_bricks() {
    let mut scene = Scene::default();
    let brick = scene.add_box(1.0, vector(2.0, 0.3, 0.5));
    scene.twists[0] = [3.0, 2.0, -1.0, 0.0, 0.0, 0.0];
    scene.touch(&Vec3::unit_z(), None, Some((brick, vector(0.0, 0.0, -0.5))));
    let delassus = scene.delassus();
    let problem = problem_of(&scene, &delassus, 0.3);
    let mut residuals = Vec::new();
    for tangential_step in [TangentialStep::LargestEigenvalue, TangentialStep::InverseBlock] {
        let options = SolverOptions {
            tangential_step,
            ..SolverOptions::default()
        };
        let outcome = run_sweeps(&problem, &options);
        assert!(outcome.is_converged);
        residuals.push(outcome.residual);
    }
    assert!(residuals[0] < 1e-11 && residuals[1] > 1e-3, "{residuals:?}");
}

/// For spheres the two steps are the same.
#[test]
fn both_tangential_steps_agree_for_spheres() {
    let mut scene = Scene::default();
    let ball = scene.add_ball(2.0, 0.5, vector(1.0, 0.4, -1.0));
    scene.touch(
        &vector(0.1, 0.2, 1.0),
        None,
        Some((ball, vector(-0.1, -0.2, -1.0).normalized().scale(&0.5))),
    );
    let delassus = scene.delassus();
    let problem = problem_of(&scene, &delassus, 0.1);
    let run = |tangential_step| {
        let options = SolverOptions {
            tangential_step,
            ..SolverOptions::default()
        };
        run_sweeps(&problem, &options).forces
    };
    let (one, two) = (
        run(TangentialStep::LargestEigenvalue),
        run(TangentialStep::InverseBlock),
    );
    one[0]
        .iter()
        .zip(two[0])
        .for_each(|(a, b)| assert_close(*a, b, 1e-12));
}

/// A limit of two sweeps and a hard problem: the error names contacts, not a silent result.
#[test]
fn the_sweep_limit_is_an_error_that_names_contacts() {
    let scene = cradle(&[1.0; 20], 1.0);
    let delassus = scene.delassus();
    let problem = problem_of(&scene, &delassus, 0.0);
    let options = SolverOptions {
        sweep_limit: 2,
        ..SolverOptions::default()
    };
    let mut stepper = NodeStepper::new(&problem, &options);
    let error = loop {
        match stepper.step() {
            Ok(Some(_)) => {}
            Ok(None) => panic!("bug: two sweeps are not enough"),
            Err(error) => break error,
        }
    };
    assert_eq!(error.report.sweeps, 2);
    assert!(
        !error.contacts.is_empty() && error.to_string().contains("contacts 0 ("),
        "{error}"
    );
}
