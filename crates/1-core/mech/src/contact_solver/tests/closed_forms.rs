//! Impacts with results known in closed form \[METHODS 7, SPEC §8\].

use super::*;

fn options() -> SolverOptions {
    SolverOptions::default()
}

fn speeds_along_x(scene: &Scene, outcome: &ImpactOutcome) -> Vec<f64> {
    scene
        .after(&scene.delassus(), outcome)
        .iter()
        .map(|twist| twist[0])
        .collect()
}

/// Oracle: v₁ = v₀ − (n−1)(1+e)v₀/n, all others (1+e)v₀/n.
#[test]
fn cradle_of_n_simultaneous() {
    for n in 2..=12 {
        for e in [0.0, 0.3, 1.0] {
            let scene = cradle(&vec![1.0; n], 2.0);
            let outcome = solve_impact(
                &scene.delassus(),
                &scene.impact_contacts(e, -1.0, 0.0),
                &options(),
            )
            .expect("a cradle has impulses");
            let speeds = speeds_along_x(&scene, &outcome);
            let share = (1.0 + e) * 2.0 / n as f64;
            assert_close(speeds[0], 2.0 - (n - 1) as f64 * share, 1e-13);
            speeds[1..]
                .iter()
                .for_each(|&speed| assert_close(speed, share, 1e-13));
        }
    }
}

/// Oracle: with e = 1 the last ball leaves with everything; order does not matter in a row of equal balls.
#[test]
fn cradle_of_n_sequential_passes_the_velocity_on() {
    for n in 2..=12 {
        let scene = cradle(&vec![1.0; n], 2.0);
        let (delassus, contacts) = (scene.delassus(), scene.impact_contacts(1.0, -1.0, 0.0));
        let mut last = |closing: &[usize]| closing.len();
        for order in [
            CollisionOrder::First,
            CollisionOrder::Random { seed: 7 },
            CollisionOrder::Any(&mut last),
        ] {
            let (outcome, collisions) =
                solve_impact_sequential(&delassus, &contacts, order, &SequentialOptions::default())
                    .expect("a cradle ends");
            let order: Vec<usize> = collisions.iter().map(|collision| collision.contact).collect();
            assert_eq!(order, (0..n - 1).collect::<Vec<_>>());
            let speeds = speeds_along_x(&scene, &outcome);
            speeds[..n - 1]
                .iter()
                .for_each(|&speed| assert_close(speed, 0.0, 1e-14));
            assert_close(speeds[n - 1], 2.0, 1e-14);
        }
    }
}

/// Oracle (Galperin): elastic collisions of a block of mass 100ᵏ, a block of mass 1 and a wall number the first
/// digits of π.
#[test]
fn sequential_collisions_count_the_digits_of_pi() {
    for (k, digits) in [(0, 3), (1, 31), (2, 314), (3, 3141)] {
        let mut scene = Scene::default();
        let small = scene.add_ball(1.0, 1.0, Vec3::zero());
        let big = scene.add_ball(100_f64.powi(k), 1.0, vector(-1.0, 0.0, 0.0));
        let (left, right) = (vector(-1.0, 0.0, 0.0), vector(1.0, 0.0, 0.0));
        scene.touch(&Vec3::unit_x(), None, Some((small, left)));
        scene.touch(&Vec3::unit_x(), Some((small, right)), Some((big, left)));
        let (delassus, contacts) = (scene.delassus(), scene.impact_contacts(1.0, -1.0, 0.0));
        let (_, collisions) = solve_impact_sequential(
            &delassus,
            &contacts,
            CollisionOrder::First,
            &SequentialOptions::default(),
        )
        .expect("the blocks part");
        assert_eq!(collisions.len(), digits);
    }
}

/// Oracle: s = √(4r²−d²)/2r, p = v s (1+e)/(1+2s²), v₁ = −v + 2ps.
#[test]
fn symmetric_hit_of_two_balls() {
    let (v, d, r) = (3.0, 1.5, 1.0);
    for e in [0.0, 0.8, 1.0] {
        let s = f64::sqrt(4.0 * r * r - d * d) / (2.0 * r);
        let mut scene = Scene::default();
        let first = scene.add_ball(1.0, r, vector(0.0, -v, 0.0));
        for side in [-1.0, 1.0] {
            let other = scene.add_ball(1.0, r, Vec3::zero());
            let n = vector(side * d / (2.0 * r), -s, 0.0);
            scene.touch(&n, Some((first, n.scale(&r))), Some((other, n.scale(&-r))));
        }
        let outcome = solve_impact(
            &scene.delassus(),
            &scene.impact_contacts(e, -1.0, 0.0),
            &options(),
        )
        .expect("a symmetric hit has impulses");
        let p = v * s * (1.0 + e) / (1.0 + 2.0 * s * s);
        assert_close(
            scene.after(&scene.delassus(), &outcome)[0][1],
            -v + 2.0 * p * s,
            1e-14,
        );
        assert_close(outcome.impulses[0][0], p, 1e-13);
    }
}

/// Oracle: stick iff |dg_T⁻|(1+e_T) ≤ 3.5 μ(1+e_N)|dg_N⁻|, else slip with impulse μΛ_N.
#[test]
fn oblique_impact_of_a_sphere_on_a_plane() {
    let mut seen = [false; 2];
    for (e_n, e_t) in [(0.0, 0.0), (0.7, 0.0), (1.0, 0.5), (0.5, -0.4)] {
        for slope in [0.2, 1.0, 2.0, 3.0, 5.0, 9.0] {
            let (mu, normal_speed) = (0.4, 1.3);
            let mut scene = Scene::default();
            let ball = scene.add_ball(2.5, 0.7, vector(slope, 0.3 * slope, -normal_speed));
            scene.touch(&Vec3::unit_z(), None, Some((ball, vector(0.0, 0.0, -0.7))));
            let contacts = scene.impact_contacts(e_n, e_t, mu);
            let [before_n, before_x, before_y] = contacts[0].velocity;
            let outcome = solve_impact(&scene.delassus(), &contacts, &options()).expect("one contact");
            let [n, x, y] = outcome.impulses[0];
            let after = outcome.velocities_after[0];
            assert_close(after[0], -e_n * before_n, 1e-14);
            let tangential = before_x.hypot(before_y);
            let is_stick = tangential * (1.0 + e_t) <= 3.5 * mu * (1.0 + e_n) * before_n.abs();
            seen[usize::from(is_stick)] = true;
            if is_stick {
                assert_close(after[1], -e_t * before_x, 1e-13);
                assert_close(after[2], -e_t * before_y, 1e-13);
            } else {
                assert_close(x.hypot(y), mu * n, 1e-13);
                assert_close(x, -mu * n * before_x / tangential, 1e-13);
            }
        }
    }
    assert_eq!(seen, [true; 2]);
}

/// Oracle: change of kinetic energy from masses and twists = ½Λᵀ(dg⁺ + dg⁻), for every policy.
#[test]
fn energy_identity_holds_for_every_impact() {
    let mut dice = Dice(0x0e4e_4017);
    for _ in 0..300 {
        let scene = random_scene(&mut dice, 3, 3);
        let contacts = scene.impact_contacts(dice.unit(), dice.range(-1.0, 1.0), dice.range(0.0, 0.6));
        let delassus = scene.delassus();
        let newton = solve_impact(&delassus, &contacts, &options()).expect("impulses");
        let poisson = solve_impact_poisson(&delassus, &contacts, &options()).expect("impulses");
        for outcome in [newton, poisson] {
            let change = scene.energy(&scene.after(&delassus, &outcome)) - scene.energy(&scene.twists);
            assert_close(outcome.energy_change, change, 1e-10 * (1.0 + change.abs()));
        }
    }
}

/// e = 0 in a closed chain between walls approaches rest without reaching it: the limit names who is closing.
#[test]
fn endless_collisions_are_reported_with_their_contacts() {
    let mut scene = cradle(&[1.0, 1.0], 1.0);
    let (left, right) = (vector(-1.0, 0.0, 0.0), vector(1.0, 0.0, 0.0));
    scene.touch(&Vec3::unit_x(), None, Some((MassId(0), left)));
    scene.touch(&Vec3::unit_x(), Some((MassId(1), right)), None);
    let (delassus, contacts) = (scene.delassus(), scene.impact_contacts(0.0, -1.0, 0.0));
    let options = SequentialOptions {
        collision_limit: 9,
        ..SequentialOptions::default()
    };
    let error = solve_impact_sequential(&delassus, &contacts, CollisionOrder::First, &options);
    let Err(SequentialError::Endless { collisions, closing }) = error else {
        panic!("bug: expected an endless sequence, got {error:?}");
    };
    assert_eq!((collisions, closing.len()), (9, 1));
}

#[test]
fn unusable_inputs_are_named() {
    let mut scene = Scene::default();
    scene.touch(&Vec3::unit_x(), None, None);
    let error = Delassus::from_contacts(&scene.masses, &scene.contacts).map(|_| ());
    assert_eq!(error, Err(DelassusError::Immovable { contact: 0 }));
    let scene = cradle(&[1.0, 1.0], 1.0);
    let error = Delassus::from_contacts(&scene.masses[..1], &scene.contacts).map(|_| ());
    let entity = MassId(1);
    assert_eq!(error, Err(DelassusError::UnknownEntity { contact: 0, entity }));
    let delassus = scene.delassus();
    let error = ContactProblem::new(&delassus, vec![]).map(|_| ());
    assert_eq!(error, Err(ProblemError::LawCount { contacts: 1, laws: 0 }));
    let law = ContactLaw::coulomb([f64::NAN, 0.0, 0.0], 0.1);
    let error = ContactProblem::new(&delassus, vec![law]).map(|_| ());
    assert_eq!(error, Err(ProblemError::NotFinite { contact: 0 }));
    let error = Delassus::from_dense(1, vec![1.0; 8]).map(|_| ());
    assert_eq!(
        error,
        Err(DelassusError::WrongSize {
            expected: 9,
            given: 8
        })
    );
}
