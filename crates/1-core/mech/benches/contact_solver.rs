//! How long contacts take: forces in a location, contact nodes and impacts with 1, 10 and 50 contacts.
#![allow(missing_docs, clippy::unwrap_used)]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use dyverse_mech::law::{FrozenLaw, Operator, Row, Terms, Work};
use dyverse_mech::{
    ContactDirections, Delassus, ImpactContact, ImpactLaw, InverseMass, MassId, SolverOptions,
    SustainedContact, SustainedOptions, solve_impact, solve_sustained,
};
use dyverse_num::Vec3;

/// A column of balls of unequal mass on a plane.
fn column(balls: usize) -> (Vec<InverseMass<f64>>, Vec<ContactDirections<f64>>) {
    let frame = [Vec3::unit_z(), Vec3::unit_x(), Vec3::unit_y()];
    let mass = |k: usize| InverseMass::isotropic(1.0 + k as f64 % 3.0, 0.4);
    let contact = |k: usize| {
        let below = k
            .checked_sub(1)
            .map(|below| (MassId(below), Vec3::new(0.0, 0.0, 1.0)));
        ContactDirections::from_arms(&frame, below, Some((MassId(k), Vec3::new(0.0, 0.0, -1.0))))
    };
    ((0..balls).map(mass).collect(), (0..balls).map(contact).collect())
}

/// Only the lowest contact feels gravity; inner ones fall together. The top ball is pushed sideways.
fn free_acceleration(contact: usize, count: usize) -> [f64; 3] {
    let normal = if contact == 0 { -9.81 } else { 0.0 };
    [normal, if contact + 1 == count { 0.5 } else { 0.0 }, 0.0]
}

fn bench(c: &mut Criterion) {
    for count in [1, 10, 50] {
        let (masses, directions) = column(count);
        let terms: Vec<_> = (0..count)
            .map(|k| Terms {
                bias: free_acceleration(k, count),
                friction: 0.3,
            })
            .collect();
        let rows = vec![Row::Stick; count];
        let mut work = Work::new();
        c.bench_function(&format!("location_forces/{count}"), |b| {
            b.iter(|| {
                let law = FrozenLaw {
                    operator: Operator::Columns {
                        masses: black_box(&masses),
                        directions: &directions,
                    },
                    terms: &terms,
                    rows: &rows,
                    couples: &[],
                };
                law.least_norm(&mut work).unwrap()[0][0]
            })
        });

        let delassus = Delassus::from_contacts(&masses, &directions).unwrap();
        let node: Vec<_> = (0..count)
            .map(|k| SustainedContact {
                free_acceleration: free_acceleration(k, count),
                sliding_velocity: [0.0; 2],
                friction: 0.3,
            })
            .collect();
        let options = SustainedOptions::default();
        c.bench_function(&format!("sustained/{count}"), |b| {
            b.iter(|| {
                solve_sustained(black_box(&delassus), &node, &options, None)
                    .unwrap()
                    .forces[0][0]
            })
        });

        let impact: Vec<_> = (0..count)
            .map(|k| ImpactContact {
                velocity: [
                    if k + 1 == count { -1.0 } else { 0.0 },
                    0.0,
                    if k + 1 == count { 0.7 } else { 0.0 },
                ],
                restitution_normal: 0.5,
                restitution_tangential: 0.0,
                friction: 0.3,
                law: ImpactLaw::Newton,
            })
            .collect();
        let options = SolverOptions::default();
        c.bench_function(&format!("impact/{count}"), |b| {
            b.iter(|| {
                solve_impact(black_box(&delassus), &impact, &options)
                    .unwrap()
                    .impulses[0][0]
            })
        });
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
