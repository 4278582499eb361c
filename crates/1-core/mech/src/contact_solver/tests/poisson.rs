//! Poisson's impact law.

use super::*;

/// Oracle: Newton's law, which agrees for one contact of a ball (B_jj = 0, C_jj isotropic), friction included.
#[test]
fn one_contact_of_a_ball_agrees_with_newton() {
    let mut dice = Dice(0x9015_5011);
    for _ in 0..500 {
        let mut scene = Scene::default();
        let velocity = vector(
            dice.range(-3.0, 3.0),
            dice.range(-3.0, 3.0),
            dice.range(-2.0, -0.1),
        );
        let ball = scene.add_ball(dice.range(0.1, 5.0), 0.5, velocity);
        scene.touch(&Vec3::unit_z(), None, Some((ball, vector(0.0, 0.0, -0.5))));
        let contacts = scene.impact_contacts(dice.unit(), dice.range(-1.0, 1.0), dice.range(0.0, 1.0));
        let (delassus, options) = (scene.delassus(), SolverOptions::default());
        let newton = solve_impact(&delassus, &contacts, &options).expect("impulses");
        let poisson = solve_impact_poisson(&delassus, &contacts, &options).expect("impulses");
        for (a, b) in newton.velocities_after[0].iter().zip(poisson.velocities_after[0]) {
            assert_close(*a, b, 1e-12);
        }
        assert_eq!(poisson.reports.len(), 2);
    }
}

/// Oracle by hand: three equal balls, e = 1 at the first contact and 0 at the second. Compression leaves all at
/// v/3 with Λ = (2v/3, v/3); the first contact gives 2v/3 back; the second must not close, and gives no more than
/// that needs: −v/3, then 2v/3 and 2v/3.
#[test]
fn the_second_phase_keeps_contacts_from_closing() {
    let scene = cradle(&[1.0; 3], 3.0);
    let mut contacts = scene.impact_contacts(1.0, -1.0, 0.0);
    contacts[1].restitution_normal = 0.0;
    let delassus = scene.delassus();
    let outcome = solve_impact_poisson(&delassus, &contacts, &SolverOptions::default()).expect("impulses");
    let speeds: Vec<f64> = scene
        .after(&delassus, &outcome)
        .iter()
        .map(|twist| twist[0])
        .collect();
    for (speed, expected) in speeds.iter().zip([-1.0, 2.0, 2.0]) {
        assert_close(*speed, expected, 1e-13);
    }
}

/// No contact closes afterwards, and friction stays inside its disc, phase by phase and so in total.
#[test]
fn random_impacts_leave_no_contact_closing() {
    let mut dice = Dice(0x9015_5012);
    for _ in 0..500 {
        let scene = random_scene(&mut dice, 3, 4);
        let contacts = scene.impact_contacts(dice.unit(), 0.0, 0.3);
        let outcome =
            solve_impact_poisson(&scene.delassus(), &contacts, &SolverOptions::default()).expect("impulses");
        for (impulse, after) in outcome.impulses.iter().zip(&outcome.velocities_after) {
            assert!(after[0] >= -1e-9);
            assert!(impulse[1].hypot(impulse[2]) <= 0.3 * impulse[0] * (1.0 + 1e-9) + 1e-12);
        }
    }
}
