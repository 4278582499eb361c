//! Forces in a location, modes given.

use dyverse_num::Interval;

use super::*;

fn location_contact(free: Triple, velocity: [f64; 2], friction: f64) -> LocationContact<f64> {
    let speed = velocity[0].hypot(velocity[1]);
    let mode = if speed > 0.0 {
        LocationMode::Slip {
            direction: velocity.map(|v| v / speed),
        }
    } else {
        LocationMode::Stick
    };
    LocationContact {
        free_acceleration: free,
        friction,
        mode,
    }
}

/// Oracle: the equations themselves, through the operator: ddg = 0 at every row solved for.
#[test]
fn forces_leave_no_acceleration_at_their_rows() {
    let mut dice = Dice(0x10ca_7104);
    let mut workspace = LocationForces::new();
    for round in 0..500 {
        let scene = random_scene(&mut dice, 3, 1 + round % 6);
        let mut velocity = |slides: bool| {
            if slides {
                [dice.range(0.1, 1.0), dice.range(-1.0, 1.0)]
            } else {
                [0.0; 2]
            }
        };
        let contacts: Vec<_> = scene
            .gap_rates()
            .into_iter()
            .enumerate()
            .map(|(j, free)| location_contact(free, velocity((j + round) % 3 == 0), 0.3))
            .collect();
        let forces = workspace
            .solve(&scene.masses, &scene.contacts, &contacts)
            .expect("forces")
            .to_vec();
        let response = scene.delassus().apply(&forces);
        let size = forces.iter().flatten().fold(1.0, |m: f64, f| m.max(f.abs()));
        for (j, contact) in contacts.iter().enumerate() {
            let rows = if contact.mode == LocationMode::Stick { 3 } else { 1 };
            let rates = contact.free_acceleration.iter().zip(response[j]);
            for (free, pushed) in rates.take(rows) {
                assert_close(free + pushed, 0.0, 1e-9 * size);
            }
            if let LocationMode::Slip { direction } = &contact.mode {
                assert_close(forces[j][1], -0.3 * forces[j][0] * direction[0], 1e-12 * size);
            }
        }
    }
}

/// Oracle: the contact node, wherever all its contacts stay closed.
#[test]
fn forces_agree_with_the_contact_node() {
    let mut scene = Scene::default();
    for x in [0.0, 2.0] {
        let ball = scene.add_ball(1.0 + x, 1.0, Vec3::zero());
        scene.touch(&Vec3::unit_z(), None, Some((ball, vector(0.0, 0.0, -1.0))));
    }
    let free = scene.under_gravity(9.81);
    let velocities = [[0.5, 0.2], [0.0, 0.0]];
    let node: Vec<_> = (0..2)
        .map(|j| SustainedContact {
            free_acceleration: free[j],
            sliding_velocity: velocities[j],
            friction: 0.3,
        })
        .collect();
    let outcome =
        solve_sustained(&scene.delassus(), &node, &SustainedOptions::default(), None).expect("modes");
    let contacts: Vec<_> = (0..2)
        .map(|j| location_contact(free[j], velocities[j], 0.3))
        .collect();
    let mut workspace = LocationForces::new();
    let forces = workspace
        .solve(&scene.masses, &scene.contacts, &contacts)
        .expect("forces");
    for (a, b) in forces.iter().flatten().zip(outcome.forces.iter().flatten()) {
        assert_close(*a, *b, 1e-11);
    }
}

/// Oracle: a box on four and eight equal corners carries the same on each.
#[test]
fn redundant_contacts_share_the_load() {
    for corners in [4, 8] {
        let mut scene = Scene::default();
        let block = scene.add_box(2.0, vector(1.0, 1.0, 0.5));
        for corner in 0..corners {
            let angle = std::f64::consts::TAU * f64::from(corner) / f64::from(corners);
            scene.touch(
                &Vec3::unit_z(),
                None,
                Some((block, vector(angle.cos(), angle.sin(), -0.5))),
            );
        }
        let contacts: Vec<_> = scene
            .under_gravity(9.81)
            .into_iter()
            .map(|free| location_contact(free, [0.0; 2], 0.5))
            .collect();
        let mut workspace = LocationForces::new();
        let refused = workspace
            .solve_in_order(&scene.masses, &scene.contacts, &contacts, |x| *x)
            .map(|_| ());
        assert!(
            matches!(refused, Err(LocationForcesError::Redundant { rank: 6, .. })),
            "{refused:?}"
        );
        for force in workspace
            .solve(&scene.masses, &scene.contacts, &contacts)
            .expect("forces")
        {
            assert_close(force[0], 2.0 * 9.81 / f64::from(corners), 1e-12);
            assert_close(force[1].hypot(force[2]), 0.0, 1e-12);
        }
    }
}

fn interval_of(x: f64) -> Interval {
    Interval::from(x)
}

fn over_intervals(scene: &Scene) -> (Vec<InverseMass<Interval>>, Vec<ContactDirections<Interval>>) {
    let masses = scene.masses.iter().map(|mass| {
        let row = |v: &Vector| v.map(|x| interval_of(*x));
        let rows = &mass.inverse_inertia.rows;
        InverseMass {
            inverse_mass: interval_of(mass.inverse_mass),
            inverse_inertia: Mat3::from_rows(row(&rows.x), row(&rows.y), row(&rows.z)),
        }
    });
    let side = |side: &Option<EntityColumns<f64>>| {
        side.as_ref().map(|side| EntityColumns {
            entity: side.entity,
            columns: side.columns.map(|column| column.map(interval_of)),
        })
    };
    let contacts = scene.contacts.iter().map(|contact| ContactDirections {
        first: side(&contact.first),
        second: side(&contact.second),
    });
    (masses.collect(), contacts.collect())
}

/// Intervals follow the pivots of doubles and enclose their result, narrowly.
#[test]
fn intervals_enclose_the_doubles() {
    let mut dice = Dice(0x1e7e_44a1);
    let (mut doubles, mut intervals) = (LocationForces::new(), LocationForces::new());
    let mut enclosed = 0;
    for round in 0..200 {
        let scene = random_scene(&mut dice, 4, 1 + round % 3);
        let (masses, directions) = over_intervals(&scene);
        let contacts: Vec<_> = scene
            .gap_rates()
            .into_iter()
            .map(|free| location_contact(free, if round % 2 == 0 { [0.6, -0.8] } else { [0.0; 2] }, 0.3))
            .collect();
        let lifted: Vec<_> = contacts
            .iter()
            .map(|contact| LocationContact {
                free_acceleration: contact.free_acceleration.map(interval_of),
                friction: interval_of(contact.friction),
                mode: match &contact.mode {
                    LocationMode::Slip { direction } => LocationMode::Slip {
                        direction: direction.map(interval_of),
                    },
                    _ => LocationMode::Stick,
                },
            })
            .collect();
        let Ok(plain) = doubles.solve_in_order(&scene.masses, &scene.contacts, &contacts, |x| *x) else {
            continue;
        };
        let wide = intervals
            .solve_in_order(&masses, &directions, &lifted, |x| x.mid().unwrap_or(f64::NAN))
            .expect("point intervals have certain pivots");
        for (value, enclosure) in plain.iter().flatten().zip(wide.iter().flatten()) {
            assert!(enclosure.contains(*value), "{value} outside {enclosure:?}");
            assert!(enclosure.width() < 1e-6 * (1.0 + value.abs()));
        }
        enclosed += 1;
    }
    assert!(enclosed > 150, "{enclosed}");
}
