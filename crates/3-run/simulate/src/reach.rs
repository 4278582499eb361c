//! The contacts within reach of a step (stepping.rs): those that entities may come to with the velocities that they have, and with what loads add to them.
//!
//! Pairs of entities come from the broad phase; of surfaces with many contacts the gap of the whole is looked at first.

use crate::broad_phase::Bounds;
use crate::couples::CoupleAt;
use crate::impact::Cluster;
use crate::index::ContactIx;
use crate::island::Fault;
use crate::predict::overlap;
use crate::rounded::Rounded;
use crate::run::{Halt, Run};
use crate::stepping::DEPTH;
use dyverse_mech::{ContactDirections, ContactPair, EntityState, Feature, MassId, ReferenceAxis, Twist};
use dyverse_model::EntityId;
use dyverse_num::Vec3;
use std::collections::BTreeSet;

/// Contacts of two surfaces from which on they are looked at together first.
const MANY: usize = 9;

/// Contacts of two surfaces this near to each other, as a part of the size of the smallest body, with normals this near, are one in a step: where corners lie on edges, corners on faces and crossings of edges are the same.
const SAME: f64 = 1e-6;

/// A contact within reach of a step.
#[derive(Clone)]
pub(crate) struct Candidate {
    pub(crate) contact: ContactIx,
    pub(crate) gap: f64,
    /// How deep sharp edges may lie in each other where it touches, m; zero for other contacts.
    pub(crate) sharp: f64,
    pub(crate) directions: ContactDirections<f64>,
    /// Those of its couple, if it has one.
    pub(crate) turns: Option<ContactDirections<f64>>,
}

/// Where a contact is.
struct Place {
    surfaces: (u32, u32),
    normal: Vec3<f64>,
    at: Vec3<f64>,
    gap: f64,
}

impl Place {
    /// Whether another contact is at this place, up to a length.
    fn is_that_of(&self, other: &Self, same: f64) -> bool {
        self.surfaces == other.surfaces
            && (self.gap - other.gap).abs() <= DEPTH * same
            && (self.at - other.at).norm() <= same
            && (self.normal - other.normal).norm() <= SAME
    }
}

/// How fast a point of something that reaches so far from its centre may move.
pub(crate) fn fastest_point(reach: f64, [x, y, z, a, b, c]: &Twist) -> f64 {
    let turned = (a * a + b * b + c * c).sqrt();
    // What reaches without end does not turn.
    (x * x + y * y + z * z).sqrt() + if turned > 0.0 { reach * turned } else { 0.0 }
}

pub(crate) fn twist_of(state: &EntityState<f64>) -> Twist {
    let (v, w) = (&state.velocity, &state.angular_velocity);
    [v.x, v.y, v.z, w.x, w.y, w.z]
}

impl Run<'_> {
    /// The fastest that a point of an entity moves.
    pub(crate) fn speed(&self, entity: EntityId, state: &EntityState<f64>) -> f64 {
        fastest_point(self.system.bodies[entity].reach, &twist_of(state))
    }

    /// The contacts of a cluster that may touch within a step h.
    pub(crate) fn candidates(&mut self, t: f64, cluster: &Cluster, h: f64) -> Result<Vec<Candidate>, Halt> {
        let fall = 2.0 * h * h * self.capture.acceleration + DEPTH * self.capture.size;
        let mut ways = Vec::with_capacity(cluster.entities.len());
        for (entity, state) in cluster.entities.iter().zip(&cluster.states) {
            let way = h * self.speed(*entity, state) + fall;
            let (p, margin) = (state.position, self.system.bodies[*entity].reach + way);
            let around = |x: f64, side: f64| x + side * margin;
            self.broad.update(
                *entity,
                Bounds {
                    low: [p.x, p.y, p.z].map(|x| around(x, -1.0)),
                    high: [p.x, p.y, p.z].map(|x| around(x, 1.0)),
                },
            );
            ways.push(way);
        }
        let mut pairs = BTreeSet::new();
        for entity in &cluster.entities {
            for other in self.broad.near(*entity) {
                if cluster.entities.binary_search(&other).is_ok() || self.system.bodies[other].is_fixed {
                    pairs.insert((*entity.min(&other), *entity.max(&other)));
                }
            }
        }
        let mut found = Vec::new();
        for (a, b) in pairs {
            let way = |e: EntityId| {
                cluster
                    .entities
                    .binary_search(&e)
                    .map_or(0.0, |place| ways[place])
            };
            self.candidates_between(t, cluster, (a, b), way(a) + way(b), &mut found)?;
        }
        Ok(found)
    }

    /// Those of two entities.
    fn candidates_between(
        &mut self,
        t: f64,
        cluster: &Cluster,
        (a, b): (EntityId, EntityId),
        way: f64,
        found: &mut Vec<Candidate>,
    ) -> Result<(), Halt> {
        let ids = self.contacts(a, b)?;
        let state = |e: EntityId| self.system.state_among(&cluster.entities, &cluster.states, e);
        let (first, second) = (state(a), state(b));
        let bodies = (&self.system.bodies[a], &self.system.bodies[b]);
        let reach = bodies.0.reach + bodies.1.reach;
        if (first.position - second.position).norm() > reach + way {
            return Ok(());
        }
        let (first_at, second_at) = (first.placement(), second.placement());
        let mass = |e: EntityId| cluster.entities.binary_search(&e).ok().map(MassId);
        let mut known: Option<((u32, u32), bool)> = None;
        let mut work = 0;
        let mut taken: Vec<Place> = Vec::new();
        let same = SAME * self.capture.size;
        for id in ids {
            let data = self.system.contact(id);
            let surfaces = data.contact.surfaces;
            let is_near = match known {
                Some((of, is_near)) if of == surfaces => is_near,
                _ => {
                    let (one, two) = (
                        &bodies.0.surfaces[surfaces.0 as usize],
                        &bodies.1.surfaces[surfaces.1 as usize],
                    );
                    let is_many = Feature::touching(&one.shape, &two.shape).len() >= MANY;
                    let whole =
                        ContactPair::new((one, Feature::Whole), (two, Feature::Whole), data.pair.side());
                    work += 1;
                    match whole {
                        Ok(whole) if is_many => match whole.closest_points(&first_at, &second_at) {
                            Ok(points) => points.gap <= way,
                            Err(_) => true,
                        },
                        _ => true,
                    }
                }
            };
            known = Some((surfaces, is_near));
            if !is_near {
                continue;
            }
            work += 1;
            let (pair, sharp) = match &data.rounded {
                None => (&data.pair, 0.0),
                Some(Rounded {
                    pair: Some(pair),
                    depth,
                }) => (pair, *depth),
                Some(_) => continue,
            };
            let points = match pair.closest_points(&first_at, &second_at) {
                Ok(points) => points,
                // What lies too deep in another for closest points, and is no place of this contact, is none.
                Err(error) => match overlap(pair, &first_at, &second_at) {
                    Some(_) => return Err(self.fault(Fault::Kinematics(error), t)),
                    None => continue,
                },
            };
            // What leaves with sharp edges is clear of them.
            if points.closing_gap() > way + 2.0 * sharp {
                continue;
            }
            let n = points.normal;
            let place = Place {
                surfaces,
                normal: n,
                at: points.on_first,
                gap: points.gap,
            };
            // What stands for sharp edges is kept: those at one place part ways.
            if data.rounded.is_none() && taken.iter().any(|known| known.is_that_of(&place, same)) {
                continue;
            }
            taken.push(place);
            let [x, y] = ReferenceAxis::for_normal(&n).tangents(&n);
            let end = |e: EntityId, arm: Vec3<f64>| mass(e).map(|mass| (mass, arm));
            found.push(Candidate {
                contact: id,
                gap: points.gap,
                sharp,
                turns: data
                    .couple
                    .map(|couple| CoupleAt::directions(&couple, &[n, x, y], [mass(a), mass(b)])),
                directions: ContactDirections::from_arms(
                    &[n, x, y],
                    end(a, points.on_first - first.position),
                    end(b, points.on_second - second.position),
                ),
            });
        }
        self.evaluation.work += work;
        Ok(())
    }
}
