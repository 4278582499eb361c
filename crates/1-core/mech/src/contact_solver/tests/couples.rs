//! Couples beside contacts: random bodies on the ground, held against the law itself; and the frozen law against the node.

use super::*;
use crate::law::{CoupleRow, FrozenLaw, Operator, Row, Terms, Turn, Work};

/// Some bodies of unequal inertia, each pressed to the ground at one or more places, with a couple at each: contacts, then couples.
fn random(
    dice: &mut Dice,
    bodies: usize,
    places: usize,
) -> (Scene, Vec<SustainedContact>, Vec<SustainedCouple>) {
    let mut scene = random_scene(dice, bodies, 0);
    let mut frames = Vec::new();
    for body in 0..bodies {
        for _ in 0..places {
            let n = (Vec3::unit_z() + dice.direction().scale(&0.3)).normalized();
            let arm = -n.scale(&dice.range(0.5, 1.5)) + dice.direction().scale(&0.2);
            scene.touch(&n, None, Some((MassId(body), arm)));
            frames.push((frame(&n), MassId(body)));
        }
    }
    let count = frames.len();
    for (frame, body) in &frames {
        let couple = ContactDirections::of_couple(frame, &0.7, None, Some(*body));
        scene.contacts.push(couple);
    }
    let push: Vec<Twist> = (0..bodies)
        .map(|_| [0; 6].map(|_| dice.range(-4.0, 4.0)))
        .map(|[x, y, _, a, b, c]| [x, y, -9.81, a, b, c])
        .collect();
    let free = scene.project(&push);
    let contacts = (0..count).map(|j| SustainedContact {
        free_acceleration: free[j],
        sliding_velocity: if dice.unit() < 0.3 {
            [dice.range(-1.0, 1.0), 0.5]
        } else {
            [0.0; 2]
        },
        friction: dice.range(0.0, 0.5),
    });
    let contacts: Vec<_> = contacts.collect();
    let couples = (0..count).map(|j| SustainedCouple {
        of: j,
        free_acceleration: free[count + j],
        velocity: [0, 1, 2].map(|k| {
            if k == 0 && dice.unit() < 0.3 || k == 1 && dice.unit() < 0.3 {
                dice.range(-1.0, 1.0)
            } else {
                0.0
            }
        }),
        spin: dice.range(0.0, 1.0),
        roll: dice.range(0.0, 1.0),
    });
    let couples = couples.collect();
    (scene, contacts, couples)
}

/// Against a velocity, or where there is none against the acceleration; inside the bound nothing accelerates.
fn assert_dissipates(force: &[f64], bound: f64, velocity: &[f64], acceleration: &[f64], slack: f64) {
    let size = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let against = |of: &[f64]| {
        let left = force
            .iter()
            .zip(of)
            .map(|(f, u)| (f + bound * u / size(of)).powi(2));
        left.sum::<f64>().sqrt()
    };
    assert!(size(force) <= bound + slack, "{force:?} beyond {bound}");
    if size(velocity) > 1e-9 {
        assert!(against(velocity) <= slack, "{force:?} {velocity:?}");
    } else if size(acceleration) > slack {
        assert!(
            against(acceleration) * size(acceleration) <= 10.0 * slack,
            "{force:?} {acceleration:?}"
        );
    }
}

#[test]
fn a_node_with_couples_obeys_their_law() {
    let mut dice = Dice(0xc0_091e);
    let (mut solved, mut edges, mut held) = (0, 0, 0);
    for case in 0..400 {
        let (scene, contacts, couples) = random(&mut dice, 1 + case % 3, 1 + case / 3 % 3);
        let delassus = scene.delassus();
        // With slips there may be no forces (Painlevé).
        let Ok(found) = solve_sustained_with(
            &delassus,
            (&contacts, &couples),
            &SustainedOptions::default(),
            None,
        ) else {
            assert!(
                contacts.iter().any(|c| c.sliding_velocity != [0.0; 2]),
                "case {case}"
            );
            continue;
        };
        solved += 1;
        let rates = delassus.apply(&found.forces);
        let count = contacts.len();
        for (j, contact) in contacts.iter().enumerate() {
            let a = [0, 1, 2].map(|k| contact.free_acceleration[k] + rates[j][k]);
            let [n, x, y] = found.forces[j];
            assert!(
                n >= 0.0 && a[0] >= -1e-7 && (n * a[0]).abs() <= 1e-6,
                "case {case}: {n} {a:?}"
            );
            assert_dissipates(
                &[x, y],
                contact.friction * n,
                &contact.sliding_velocity,
                &a[1..],
                1e-6,
            );
        }
        for (j, couple) in couples.iter().enumerate() {
            let a = [0, 1, 2].map(|k| couple.free_acceleration[k] + rates[count + j][k]);
            let (normal, [s, x, y]) = (found.forces[couple.of][0], found.forces[count + j]);
            let [u, v, w] = couple.velocity;
            assert_dissipates(&[s], couple.spin * normal, &[u], &a[..1], 1e-6);
            assert_dissipates(&[x, y], couple.roll * normal, &[v, w], &a[1..], 1e-6);
            let is_edge = normal > 1e-3 && x.hypot(y) > 0.999 * couple.roll * normal;
            edges += usize::from(is_edge);
            held += usize::from(normal > 1e-3 && !is_edge);
        }
    }
    assert!(
        solved > 350 && edges > 100 && held > 50,
        "{solved} {edges} {held}"
    );
}

/// With the rows that a node found, elimination finds its forces.
#[test]
fn frozen_rows_with_couples_have_the_forces_of_the_node() {
    let mut dice = Dice(0xf20);
    let mut compared = 0;
    for case in 0..200 {
        let (scene, contacts, couples) = random(&mut dice, 1 + case % 3, 1);
        let delassus = scene.delassus();
        let Ok(found) = solve_sustained_with(
            &delassus,
            (&contacts, &couples),
            &SustainedOptions::default(),
            None,
        ) else {
            continue;
        };
        let count = contacts.len();
        let unit = |[x, y]: [f64; 2]| [x / x.hypot(y), y / x.hypot(y)];
        let moving = |velocity: [f64; 2], a: &Triple| {
            let starts = [a[1], a[2]];
            [velocity, starts]
                .into_iter()
                .find(|[x, y]| x.hypot(*y) > 1e-6)
                .map(unit)
        };
        let rows: Vec<Row<[f64; 2]>> = (0..count)
            .map(
                |j| match moving(contacts[j].sliding_velocity, &found.accelerations[j]) {
                    _ if found.opens[j] => Row::Open,
                    Some(d) => Row::Along(d),
                    None => Row::Stick,
                },
            )
            .collect();
        let turns: Vec<CoupleRow<f64>> = (0..count)
            .map(|j| {
                let (couple, a) = (&couples[j], &found.accelerations[count + j]);
                let [s, x, y] = couple.velocity;
                let spin = [s, a[0]].into_iter().find(|s| s.abs() > 1e-6).map(f64::signum);
                CoupleRow {
                    of: j,
                    bounds: [couple.spin, couple.roll],
                    bias: couple.free_acceleration,
                    spin: if found.opens[j] {
                        Turn::Free
                    } else {
                        spin.map_or(Turn::Held, |d| Turn::Along(couple.spin * d))
                    },
                    roll: if found.opens[j] {
                        Turn::Free
                    } else {
                        moving([x, y], a).map_or(Turn::Held, |d| Turn::Along(d.map(|d| couple.roll * d)))
                    },
                }
            })
            .collect();
        let terms: Vec<Terms<f64>> = contacts
            .iter()
            .map(|c| Terms {
                bias: c.free_acceleration,
                friction: c.friction,
            })
            .collect();
        let law = FrozenLaw {
            operator: Operator::Columns {
                masses: &scene.masses,
                directions: &scene.contacts,
            },
            terms: &terms,
            rows: &rows,
            couples: &turns,
        };
        let mut work = Work::new();
        let Ok(forces) = law.linear(&mut work) else {
            continue;
        };
        compared += 1;
        for (own, other) in forces.iter().flatten().zip(found.forces.iter().flatten()) {
            assert_close(*own, *other, 1e-6 * (1.0 + other.abs()));
        }
    }
    assert!(compared > 120, "{compared}");
}
