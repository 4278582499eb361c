//! Tests of the contact solver against closed forms, brute force and an independent solver.
//!
//! # Guarantee
//! Nothing here is compiled into the library. The generator is seeded: the same problems on every platform.

mod closed_forms;
mod couples;
mod energetic;
mod energy;
mod hard;
mod law;
mod poisson;
mod proximal;
mod random;
mod stepping;
mod sustained;

use dyverse_num::{Mat3, Vec3};

use super::*;
use crate::{ContactDirections, EntityColumns, InverseMass, MassId};

type Vector = Vec3<f64>;

fn vector(x: f64, y: f64, z: f64) -> Vector {
    Vec3::new(x, y, z)
}

/// A right-handed frame (n, tx, ty) with the given normal.
fn frame(normal: &Vector) -> [Vector; 3] {
    let n = normal.normalized();
    let helper = if n.x.abs() < 0.6 {
        Vec3::unit_x()
    } else {
        Vec3::unit_y()
    };
    let tx = helper.cross(&n).normalized();
    let ty = n.cross(&tx);
    [n, tx, ty]
}

fn assert_close(left: f64, right: f64, tolerance: f64) {
    assert!(
        (left - right).abs() <= tolerance,
        "{left} and {right} differ by more than {tolerance}"
    );
}

/// Entities with twists, and contacts between them.
#[derive(Clone, Default)]
struct Scene {
    masses: Vec<InverseMass<f64>>,
    twists: Vec<Twist>,
    contacts: Vec<ContactDirections<f64>>,
}

impl Scene {
    fn add(&mut self, mass: InverseMass<f64>, twist: Twist) -> MassId {
        self.masses.push(mass);
        self.twists.push(twist);
        MassId(self.masses.len() - 1)
    }

    /// A solid ball.
    fn add_ball(&mut self, mass: f64, radius: f64, velocity: Vector) -> MassId {
        let inertia = 0.4 * mass * radius * radius;
        self.add(
            InverseMass::isotropic(mass, inertia),
            [velocity.x, velocity.y, velocity.z, 0.0, 0.0, 0.0],
        )
    }

    /// A solid box with these half sizes.
    fn add_box(&mut self, mass: f64, half: Vector) -> MassId {
        let about = |a: f64, b: f64| 3.0 / (mass * (a * a + b * b));
        let inverse = vector(
            about(half.y, half.z),
            about(half.x, half.z),
            about(half.x, half.y),
        );
        let mass = InverseMass {
            inverse_mass: 1.0 / mass,
            inverse_inertia: Mat3::diagonal(inverse),
        };
        self.add(mass, [0.0; 6])
    }

    fn touch(&mut self, normal: &Vector, first: Option<(MassId, Vector)>, second: Option<(MassId, Vector)>) {
        self.contacts
            .push(ContactDirections::from_arms(&frame(normal), first, second));
    }

    fn delassus(&self) -> Delassus {
        Delassus::from_contacts(&self.masses, &self.contacts).expect("a scene makes an operator")
    }

    /// Wᵀu for any generalized vector, entity by entity.
    fn project(&self, twists: &[Twist]) -> Vec<Triple> {
        let of_contact = |contact: &ContactDirections<f64>| {
            [0, 1, 2].map(|k| {
                contact
                    .sides()
                    .map(|side| {
                        side.columns[k]
                            .iter()
                            .zip(&twists[side.entity.0])
                            .map(|(w, u)| w * u)
                            .sum::<f64>()
                    })
                    .sum::<f64>()
            })
        };
        self.contacts.iter().map(of_contact).collect()
    }

    fn gap_rates(&self) -> Vec<Triple> {
        self.project(&self.twists)
    }

    fn impact_contacts(&self, e_n: f64, e_t: f64, mu: f64) -> Vec<ImpactContact> {
        let contact = |velocity| ImpactContact {
            velocity,
            restitution_normal: e_n,
            restitution_tangential: e_t,
            friction: mu,
            law: ImpactLaw::Newton,
        };
        self.gap_rates().into_iter().map(contact).collect()
    }

    /// Twists after an impact.
    fn after(&self, delassus: &Delassus, outcome: &ImpactOutcome) -> Vec<Twist> {
        let mut twists = self.twists.clone();
        for (entity, change) in delassus.touched_entities().iter().zip(&outcome.twist_changes) {
            for (value, added) in twists[entity.0].iter_mut().zip(change) {
                *value += added;
            }
        }
        twists
    }

    /// Kinetic energy, from the masses alone.
    fn energy(&self, twists: &[Twist]) -> f64 {
        let of_entity = |(mass, twist): (&InverseMass<f64>, &Twist)| {
            let v2 = twist[..3].iter().map(|v| v * v).sum::<f64>();
            let w = vector(twist[3], twist[4], twist[5]);
            0.5 * v2 / mass.inverse_mass + 0.5 * w.dot(&mass.inverse_inertia.inverse().apply(&w))
        };
        self.masses.iter().zip(twists).map(of_entity).sum()
    }

    /// WᵀM⁻¹h for gravity g along −z.
    fn under_gravity(&self, g: f64) -> Vec<Triple> {
        self.project(&vec![[0.0, 0.0, -g, 0.0, 0.0, 0.0]; self.masses.len()])
    }
}

/// A row of balls along x, each touching the next, the first arriving at speed v.
fn cradle(masses: &[f64], v: f64) -> Scene {
    let mut scene = Scene::default();
    for (place, &mass) in masses.iter().enumerate() {
        let speed = if place == 0 { v } else { 0.0 };
        scene.add_ball(mass, 1.0, vector(speed, 0.0, 0.0));
    }
    for place in 1..masses.len() {
        let arms = (vector(1.0, 0.0, 0.0), vector(-1.0, 0.0, 0.0));
        scene.touch(
            &Vec3::unit_x(),
            Some((MassId(place - 1), arms.0)),
            Some((MassId(place), arms.1)),
        );
    }
    scene
}

/// xorshift64*, apart from the library's generator.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn range(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * self.unit()
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 33) as usize % bound
    }

    fn direction(&mut self) -> Vector {
        loop {
            let v = vector(
                self.range(-1.0, 1.0),
                self.range(-1.0, 1.0),
                self.range(-1.0, 1.0),
            );
            if (0.01..1.0).contains(&v.norm_squared()) {
                return v.normalized();
            }
        }
    }
}

/// Entities of unequal, unsymmetric inertia with random contacts; every entity closes on something.
fn random_scene(dice: &mut Dice, entities: usize, contacts: usize) -> Scene {
    let mut scene = Scene::default();
    for _ in 0..entities {
        let mass = 10.0_f64.powf(dice.range(-1.0, 1.0));
        let axes = frame(&dice.direction());
        let turn = Mat3::from_columns(axes[0], axes[1], axes[2]);
        let (a, b, c) = (dice.range(0.5, 2.0), dice.range(0.5, 2.0), dice.range(0.5, 2.0));
        let principal = Mat3::diagonal(vector(a, b, c)).scale(&(1.0 / mass));
        let inverse_inertia = turn * principal * turn.transpose();
        let mass = InverseMass {
            inverse_mass: 1.0 / mass,
            inverse_inertia,
        };
        let twist = [0; 6].map(|_| dice.range(-1.0, 1.0));
        scene.add(mass, twist);
    }
    for _ in 0..contacts {
        let first = dice.below(entities);
        let second = dice.below(entities + 1);
        let mut end = |entity: usize| {
            let arm = dice.direction().scale(&dice.range(0.2, 1.5));
            (MassId(entity), arm)
        };
        let first_end = Some(end(first));
        let second_end = (second != first && second < entities).then(|| end(second));
        let normal = dice.direction();
        scene.touch(&normal, first_end, second_end);
    }
    scene
}
