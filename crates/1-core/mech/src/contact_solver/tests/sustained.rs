//! Contact nodes: modes, and Painlevé's rod.

use super::*;

fn contact(free_acceleration: Triple, sliding_velocity: [f64; 2], friction: f64) -> SustainedContact {
    SustainedContact {
        free_acceleration,
        sliding_velocity,
        friction,
    }
}

fn solve(delassus: &Delassus, contacts: &[SustainedContact]) -> Result<SustainedOutcome, SustainedError> {
    solve_sustained(delassus, contacts, &SustainedOptions::default(), None)
}

/// What the contacts of a node do, by the table of the module header.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Does {
    Open,
    Stick,
    Trans,
    Slip,
}

fn modes(outcome: &SustainedOutcome, contacts: &[SustainedContact]) -> Vec<Does> {
    let still = |[x, y]: [f64; 2]| x.hypot(y) <= 1e-9;
    let of = |(j, contact): (usize, &SustainedContact)| {
        let [_, x, y] = outcome.accelerations[j];
        match (outcome.opens[j], still(contact.sliding_velocity), still([x, y])) {
            (true, ..) => Does::Open,
            (_, false, _) => Does::Slip,
            (_, _, true) => Does::Stick,
            _ => Does::Trans,
        }
    };
    contacts.iter().enumerate().map(of).collect()
}

/// A point mass on a plane, so that nothing rolls.
fn particle(mass: f64) -> Scene {
    let mut scene = Scene::default();
    let mass = InverseMass {
        inverse_mass: 1.0 / mass,
        inverse_inertia: Mat3::zero(),
    };
    let particle = scene.add(mass, [0.0; 6]);
    scene.touch(&Vec3::unit_z(), None, Some((particle, Vec3::zero())));
    scene
}

/// Oracle: stick below μN, trans above it with a = F/m − μg, slip with a = −μg, open when pulled up.
#[test]
fn four_modes_of_a_particle_on_a_plane() {
    let delassus = particle(2.0).delassus();
    let (g, mu) = (9.81, 0.5);
    let check = |free: Triple, velocity: [f64; 2], mode: Does, along: f64, normal: f64| {
        let contacts = [contact(free, velocity, mu)];
        let outcome = solve(&delassus, &contacts).expect("a mode");
        assert_eq!(modes(&outcome, &contacts), [mode]);
        assert_close(outcome.accelerations[0][1], along, 1e-12);
        assert_close(outcome.forces[0][0], normal, 1e-12);
    };
    check([-g, 4.0, 0.0], [0.0; 2], Does::Stick, 0.0, 2.0 * g);
    check([-g, 6.0, 0.0], [0.0; 2], Does::Trans, 6.0 - mu * g, 2.0 * g);
    check([-g, 1.0, 0.0], [0.7, 0.0], Does::Slip, 1.0 - mu * g, 2.0 * g);
    check([-g, 1.0, 0.0], [-0.7, 0.0], Does::Slip, 1.0 + mu * g, 2.0 * g);
    check([0.5, 1.0, 0.0], [0.0; 2], Does::Open, 1.0, 0.0);
    check([0.5, 1.0, 0.0], [0.7, 0.0], Does::Open, 1.0, 0.0);
}

/// Oracle: a sphere sliding on a plane decelerates at μg; rolling sticks without a force.
#[test]
fn sliding_and_rolling_sphere() {
    let mut scene = Scene::default();
    let ball = scene.add_ball(1.0, 0.3, Vec3::zero());
    scene.touch(&Vec3::unit_z(), None, Some((ball, vector(0.0, 0.0, -0.3))));
    let delassus = scene.delassus();
    let free = scene.under_gravity(9.81)[0];
    let slips = [contact(free, [2.0, 0.0], 0.2)];
    let sliding = solve(&delassus, &slips).expect("slip");
    let twist = sliding.twist_accelerations[0];
    assert_close(twist[0].hypot(twist[1]), 0.2 * 9.81, 1e-12);
    assert_eq!(modes(&sliding, &slips), [Does::Slip]);
    let rolls = [contact(free, [0.0; 2], 0.2)];
    let rolling = solve(&delassus, &rolls).expect("stick");
    assert_eq!(modes(&rolling, &rolls), [Does::Stick]);
    assert_close(rolling.forces[0][1].hypot(rolling.forces[0][2]), 0.0, 1e-14);
}

/// Oracle: breakaway of two blocks pulled together at F = μg(m₁+m₂).
#[test]
fn two_blocks_break_away_together() {
    let (m1, m2, mu, g) = (1.0, 3.0, 0.3, 9.81);
    let mut scene = Scene::default();
    for mass in [m1, m2] {
        let inverse = InverseMass {
            inverse_mass: 1.0 / mass,
            inverse_inertia: Mat3::zero(),
        };
        let block = scene.add(inverse, [0.0; 6]);
        scene.touch(&Vec3::unit_z(), None, Some((block, Vec3::zero())));
    }
    let along = vector(0.0, 1.0, 0.0);
    scene.touch(
        &along,
        Some((MassId(0), Vec3::zero())),
        Some((MassId(1), Vec3::zero())),
    );
    let limit = mu * g * (m1 + m2);
    for (force, moves) in [(0.99 * limit, false), (1.01 * limit, true)] {
        let free = scene.project(&[
            [0.0, force / m1, -g, 0.0, 0.0, 0.0],
            [0.0, 0.0, -g, 0.0, 0.0, 0.0],
        ]);
        let friction = [mu, mu, 0.0];
        let contacts: Vec<_> = free
            .iter()
            .zip(friction)
            .map(|(&b, mu)| contact(b, [0.0; 2], mu))
            .collect();
        let outcome = solve(&scene.delassus(), &contacts).expect("modes");
        let expected = if moves { Does::Trans } else { Does::Stick };
        assert_eq!(modes(&outcome, &contacts)[..2], [expected; 2]);
        let acceleration = outcome.accelerations[1][1].hypot(outcome.accelerations[1][2]);
        assert_close(acceleration, f64::max(0.0, (force - limit) / (m1 + m2)), 1e-10);
    }
}

/// A rod of half length 1 sliding on its lower tip at angle `a` to the ground, without spin.
fn rod(a: f64, mu: f64) -> Result<SustainedOutcome, SustainedError> {
    let mut scene = Scene::default();
    let mass = InverseMass {
        inverse_mass: 1.0,
        inverse_inertia: Mat3::diagonal(vector(3.0, 3.0, 3.0)),
    };
    let rod = scene.add(mass, [0.0; 6]);
    // The rod lies in the x-z plane, its centre up and to the left of the tip, and the tip slides to the right.
    scene.touch(&Vec3::unit_z(), None, Some((rod, vector(a.cos(), 0.0, -a.sin()))));
    let free = scene.under_gravity(9.81)[0];
    let sliding = scene.project(&[[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]])[0];
    solve(&scene.delassus(), &[contact(free, [sliding[1], sliding[2]], mu)])
}

/// Oracle: the rod has no mode iff μ > (tan²a + 4)/(3 tan a).
#[test]
fn painleve_rod_is_refused_exactly_beyond_its_friction() {
    let mut refused = 0;
    for step in 1..60 {
        let a = 0.025 * f64::from(step);
        let tan = a.tan();
        let critical = (tan * tan + 4.0) / (3.0 * tan);
        let below = rod(a, 0.999 * critical).expect("slip is possible");
        assert_eq!(below.opens, [false]);
        let error = rod(a, 1.001 * critical).expect_err("no mode fits");
        let SustainedError::NoModeFits { contacts, is_proved } = &error else {
            panic!("bug: {error}");
        };
        assert!(is_proved);
        assert_eq!(contacts.len(), 1);
        assert!(contacts[0].normal_force_if_closed < 0.0 && contacts[0].normal_acceleration_if_open < 0.0);
        assert!(
            error
                .to_string()
                .starts_with("no mode fits; contact 0: closed, its normal force would be -")
        );
        refused += 1;
    }
    assert_eq!(refused, 59);
}

/// Sliding the other way the rod is never paradoxical.
#[test]
fn dragged_rod_always_slips() {
    for a in [0.3, 0.7, 1.2] {
        let mut scene = Scene::default();
        let mass = InverseMass::isotropic(1.0, 1.0 / 3.0);
        let rod = scene.add(mass, [0.0; 6]);
        scene.touch(
            &Vec3::unit_z(),
            None,
            Some((rod, vector(f64::cos(a), 0.0, -f64::sin(a)))),
        );
        let free = scene.under_gravity(9.81)[0];
        let sliding = scene.project(&[[-1.0, 0.0, 0.0, 0.0, 0.0, 0.0]])[0];
        let outcome =
            solve(&scene.delassus(), &[contact(free, [sliding[1], sliding[2]], 5.0)]).expect("slip");
        assert_eq!(outcome.opens, [false]);
    }
}

/// Random nodes where some contacts slip: every mode means what it says.
#[test]
fn random_contact_nodes_have_modes_that_fit() {
    let mut dice = Dice(0x5057_a17e);
    let mut counts = [0; 2];
    for _ in 0..1500 {
        let count = 1 + dice.below(4);
        let scene = random_scene(&mut dice, 3, count);
        let mut make = |free: Triple| {
            let slides = dice.below(2) == 0;
            let velocity = if slides {
                [dice.range(-1.0, 1.0), dice.range(-1.0, 1.0)]
            } else {
                [0.0; 2]
            };
            contact(free, velocity, 0.4)
        };
        let contacts: Vec<_> = scene.gap_rates().into_iter().map(&mut make).collect();
        let outcome = match solve(&scene.delassus(), &contacts) {
            Ok(outcome) => outcome,
            Err(error) => {
                println!("{error}");
                counts[1] += 1;
                continue;
            }
        };
        counts[0] += 1;
        for (j, mode) in modes(&outcome, &contacts).into_iter().enumerate() {
            let ([n, x, y], [an, ax, ay]) = (outcome.forces[j], outcome.accelerations[j]);
            let [vx, vy] = contacts[j].sliding_velocity;
            match mode {
                Does::Open => assert!(an > 0.0 && n < 1e-9),
                Does::Stick => assert!(vx == 0.0 && ax.hypot(ay) < 1e-8 && an.abs() < 1e-8),
                Does::Trans => {
                    assert!(vx == 0.0 && an.abs() < 1e-8);
                    let size = ax.hypot(ay);
                    assert_close(x, -0.4 * n * ax / size, 1e-6 * (1.0 + n));
                }
                Does::Slip => {
                    assert!(an.abs() < 1e-8);
                    assert_close(y, -0.4 * n * vy / vx.hypot(vy), 1e-9 * (1.0 + n));
                }
            }
        }
    }
    println!("modes found {}, refused {}", counts[0], counts[1]);
    assert!(counts[0] > 1400, "{counts:?}");
}
