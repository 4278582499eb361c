//! The convex hull of points.
//!
//! # Method
//! Gift wrapping [Chand and Kapur 1970]. A face is the set of all points on a supporting plane, so coplanar points make one
//! face. From each of its sides the plane turns about that side until it meets the next point: the one with the largest
//! angle, seen across the side from the face. The first face is found in the same way from a plane that touches one point.
//! The corners of a face are those of the hull of its points within its plane.
//!
//! A point counts as on a plane, or on a line in a plane, if it is within [`ON`] of the size of all points from it, and as
//! off it beyond [`OFF`]. In between nothing is decided: that is an error which names the points. So whatever has an answer
//! has the same answer under all errors of rounding, and no two faces meet in an edge that is all but flat.
//!
//! # Guarantee
//! To rounding. What is found is checked: each edge has two faces, corners − edges + faces = 2, no point is above a plane.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use dyverse_num::{Scalar, Vec3};

use super::{CornerIx, FaceIx, Outline, Polytope, PolytopeEdge};

/// As a part of the size of all points: closer than this is on a plane, a line or a point.
const ON: f64 = 1e-9;
/// As a part of the size of all points: farther than this is off it.
const OFF: f64 = 1e-6;
/// Points that a hull may be asked of.
pub const MOST_POINTS: usize = 256;
/// Corners that it may have: corners, edges and faces, and those of its rounded likeness (`inset.rs`), have numbers of eight bits.
pub const MOST_CORNERS: usize = 32;

/// The hull, and which of the points its corners are, by number, ascending.
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    /// The solid. Its corners are in the order of the points.
    pub solid: Polytope<f64>,
    /// For each corner the number of its point.
    pub corners: Vec<usize>,
}

/// Why points have no hull with an inside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HullError {
    /// A coordinate is not finite.
    NotFinite,
    /// Fewer than four points, or more than [`MOST_POINTS`].
    Count,
    /// All points are in one place.
    Point,
    /// All points are on one line.
    Line,
    /// All points are in one plane.
    Plane,
    /// Whether these points are on the plane or line of others is not decided.
    Undecided(Vec<usize>),
    /// More than [`MOST_CORNERS`] corners: how many.
    Corners(usize),
}

impl std::fmt::Display for HullError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotFinite => f.write_str("a coordinate is not finite"),
            Self::Count => write!(f, "there must be 4 to {MOST_POINTS} points"),
            Self::Point => f.write_str("all points are in one place"),
            Self::Line => f.write_str("all points lie on one line"),
            Self::Plane => f.write_str("all points lie in one plane"),
            Self::Undecided(points) => {
                let names: Vec<String> = points.iter().map(|p| (p + 1).to_string()).collect();
                write!(
                    f,
                    "point {} lies neither on a plane or line of others nor clearly off it",
                    names.join(", ")
                )
            }
            Self::Corners(count) => write!(f, "it has {count} corners, more than {MOST_CORNERS}"),
        }
    }
}

impl std::error::Error for HullError {}

/// The points, and what is on or off a plane, m.
struct Wrapping<'p> {
    points: &'p [Vec3<f64>],
    on: f64,
    off: f64,
}

/// A face: its corners counterclockwise from outside.
type Cycle = Vec<usize>;

impl Polytope<f64> {
    /// The convex hull of points.
    ///
    /// # Errors
    /// See [`HullError`].
    pub fn hull(points: &[Vec3<f64>]) -> Result<Hull, HullError> {
        let hull = Self::hull_within(points, (ON, OFF))?;
        let corners = hull.corners.len();
        if corners > MOST_CORNERS {
            return Err(HullError::Corners(corners));
        }
        Ok(hull)
    }

    /// As [`Polytope::hull`], with other bounds of what is on and off a plane, and up to 128 corners.
    pub(super) fn hull_within(points: &[Vec3<f64>], (on, off): (f64, f64)) -> Result<Hull, HullError> {
        if points.len() < 4 || points.len() > MOST_POINTS {
            return Err(HullError::Count);
        }
        if !points.iter().all(|p| p.norm().is_finite()) {
            return Err(HullError::NotFinite);
        }
        let size = points.iter().map(|p| (*p - points[0]).norm()).fold(0.0, f64::max);
        let (on, off) = (on * size, off * size);
        let names = distinct(points, on, off)?;
        let kept: Vec<Vec3<f64>> = names.iter().map(|n| points[*n]).collect();
        let wrapping = Wrapping {
            points: &kept,
            on,
            off,
        };
        let found = wrapping.hull();
        let named = |of: Vec<usize>| of.into_iter().map(|n| names[n]).collect();
        match found {
            Ok(Hull { solid, corners }) => Ok(Hull {
                solid,
                corners: named(corners),
            }),
            Err(HullError::Undecided(of)) => Err(HullError::Undecided(named(of))),
            other => other,
        }
    }
}

/// The points without those that are in the place of an earlier one.
fn distinct(points: &[Vec3<f64>], on: f64, off: f64) -> Result<Vec<usize>, HullError> {
    let mut kept: Vec<usize> = Vec::new();
    for (number, point) in points.iter().enumerate() {
        let distances = kept.iter().map(|k| (points[*k] - *point).norm());
        let nearest = distances.fold(f64::INFINITY, f64::min);
        if nearest > off {
            kept.push(number);
        } else if nearest > on {
            return Err(HullError::Undecided(vec![number]));
        }
    }
    Ok(kept)
}

impl Wrapping<'_> {
    fn hull(&self) -> Result<Hull, HullError> {
        self.has_inside()?;
        let first = self.first_face()?;
        self.finish(self.wrap(first)?)
    }

    /// Refuses points on one plane, line or place.
    fn has_inside(&self) -> Result<(), HullError> {
        let most = |height: &dyn Fn(&Vec3<f64>) -> f64| {
            let heights = self.points.iter().map(|p| (height(p).abs(), *p));
            heights.max_by(|a, b| a.0.total_cmp(&b.0))
        };
        let origin = self.points[0];
        // All in one place: only the first is left.
        let first = most(&|p| (*p - origin).norm()).filter(|far| far.0 > 0.0);
        let (length, far) = first.ok_or(HullError::Point)?;
        let axis = (far - origin).scale(&(1.0 / length));
        let away = |p: &Vec3<f64>| axis.cross(&(*p - origin));
        let second = most(&|p| away(p).norm()).filter(|far| far.0 > self.off);
        let (_, far) = second.ok_or(HullError::Line)?;
        let normal = away(&far).normalized();
        let third = most(&|p| normal.dot(&(*p - origin))).filter(|far| far.0 > self.off);
        third.map(|_| ()).ok_or(HullError::Plane)
    }

    /// The point to which a supporting plane turns: about a line through `a` along the unit vector `axis`, from the plane with
    /// the outward normal `n`. With the normal of the plane that it comes to.
    fn turned(&self, a: &Vec3<f64>, axis: &Vec3<f64>, n: &Vec3<f64>) -> Option<(usize, Vec3<f64>)> {
        // Counterclockwise along the axis the old face is on the left.
        let left = n.cross(axis);
        let mut best: Option<(f64, usize, [f64; 2])> = None;
        for (number, point) in self.points.iter().enumerate() {
            let from = *point - *a;
            let (x, y) = (from.dot(&left), -from.dot(n));
            // On the line itself.
            if x.hypot(y) <= self.off {
                continue;
            }
            let angle = Scalar::atan2(&y, &x);
            // What is a little above the old plane by rounding is in it.
            let angle = if angle < -0.5 * std::f64::consts::PI {
                std::f64::consts::PI
            } else {
                angle
            };
            if best.is_none_or(|(most, ..)| angle > most) {
                best = Some((angle, number, [x, y]));
            }
        }
        let (_, number, [x, y]) = best?;
        // The new face goes off along (x, y); its outward normal is a quarter turn on.
        let normal = (left.scale(&y) + n.scale(&x)).scale(&(-1.0 / x.hypot(y)));
        Some((number, normal))
    }

    fn first_face(&self) -> Result<Cycle, HullError> {
        let key = |p: &Vec3<f64>| [p.x, p.y, p.z];
        let lowest = self.points.iter().min_by(|a, b| {
            let each = key(a).into_iter().zip(key(b));
            let orders = each.map(|(x, y)| x.total_cmp(&y));
            orders.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
        });
        let undecided = || HullError::Undecided(Vec::new());
        let start = *lowest.ok_or(HullError::Count)?;
        let (second, normal) = self
            .turned(&start, &Vec3::unit_y(), &-Vec3::unit_x())
            .ok_or_else(undecided)?;
        let axis = (self.points[second] - start).normalized();
        // Normal to the axis, to rounding.
        let normal = (normal - axis.scale(&axis.dot(&normal))).normalized();
        let (_, normal) = self.turned(&start, &axis, &normal).ok_or_else(undecided)?;
        self.face(&start, &normal)
    }

    /// The face on a supporting plane through a point.
    fn face(&self, at: &Vec3<f64>, normal: &Vec3<f64>) -> Result<Cycle, HullError> {
        let near: Vec<usize> = (0..self.points.len())
            .filter(|p| normal.dot(&(self.points[*p] - *at)).abs() <= self.off)
            .collect();
        let cycle = self.outline_of(&near, normal);
        if cycle.len() < 3 {
            return Err(HullError::Undecided(near));
        }
        let around: Vec<&Vec3<f64>> = cycle.iter().map(|c| &self.points[*c]).collect();
        let plane = super::FacePlane::through(&around);
        let undecided: Vec<usize> = (0..self.points.len())
            .filter(|p| {
                let height = plane.above(&self.points[*p]);
                !(height.abs() <= self.on || height < -self.off)
            })
            .collect();
        if !undecided.is_empty() {
            return Err(HullError::Undecided(undecided));
        }
        // What is left out of the cycle must be inside it.
        let beside: Vec<usize> = near
            .into_iter()
            .filter(|p| !cycle.contains(p) && self.is_outside(&cycle, &plane.normal, *p))
            .collect();
        if beside.is_empty() {
            Ok(cycle)
        } else {
            Err(HullError::Undecided(beside))
        }
    }

    fn is_outside(&self, cycle: &[usize], normal: &Vec3<f64>, point: usize) -> bool {
        sides(cycle).any(|(from, to)| {
            let (p, q) = (self.points[from], self.points[to]);
            let outward = (q - p).cross(normal).normalized();
            outward.dot(&(self.points[point] - p)) > self.on
        })
    }

    /// The hull of points in a plane, counterclockwise about its normal: the monotone chain [Andrew 1979]. A point that is off
    /// the line of its neighbours by no more than [`OFF`] is no corner.
    fn outline_of(&self, chosen: &[usize], normal: &Vec3<f64>) -> Cycle {
        let seed = if normal.x.abs() < 0.75 {
            Vec3::unit_x()
        } else {
            Vec3::unit_y()
        };
        let right = normal.cross(&seed).normalized();
        let up = normal.cross(&right);
        let flat = |p: usize| (self.points[p].dot(&right), self.points[p].dot(&up));
        let mut sorted = chosen.to_vec();
        sorted.sort_by(|a, b| {
            let (p, q) = (flat(*a), flat(*b));
            p.0.total_cmp(&q.0).then(p.1.total_cmp(&q.1))
        });
        let chain = |order: &mut dyn Iterator<Item = usize>| {
            let mut kept: Cycle = Vec::new();
            for next in order {
                while let [.., a, b] = kept[..] {
                    let (p, q, r) = (flat(a), flat(b), flat(next));
                    let (along, to) = ((r.0 - p.0, r.1 - p.1), (q.0 - p.0, q.1 - p.1));
                    let beyond = along.1 * to.0 - along.0 * to.1;
                    if beyond > self.off * along.0.hypot(along.1) {
                        break;
                    }
                    kept.pop();
                }
                kept.push(next);
            }
            kept.pop();
            kept
        };
        let mut around = chain(&mut sorted.iter().copied());
        around.extend(chain(&mut sorted.iter().rev().copied()));
        // Where the chains begin a corner may stand on the line of its neighbours, or another beside it.
        self.without_flat(around)
    }

    fn without_flat(&self, mut around: Cycle) -> Cycle {
        while around.len() > 2 {
            let count = around.len();
            let is_flat = |n: &usize| {
                let at = |k: usize| self.points[around[(n + k) % count]];
                let (before, own, after) = (at(count - 1), at(0), at(1));
                let line = after - before;
                let off = line.cross(&(own - before)).norm();
                off <= self.off * line.norm()
            };
            match (0..count).find(is_flat) {
                Some(flat) => drop(around.remove(flat)),
                None => break,
            }
        }
        around
    }

    /// All faces, from the first on. There are fewer than twice as many as points.
    fn wrap(&self, first: Cycle) -> Result<Vec<Cycle>, HullError> {
        let mut taken: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        let mut faces: Vec<Cycle> = Vec::new();
        let mut waiting = vec![first];
        while let Some(cycle) = waiting.pop() {
            if sides(&cycle).all(|side| taken.contains_key(&side)) {
                continue;
            }
            if faces.len() > 2 * self.points.len() || sides(&cycle).any(|side| taken.contains_key(&side)) {
                return Err(HullError::Undecided(cycle));
            }
            let around: Vec<&Vec3<f64>> = cycle.iter().map(|c| &self.points[*c]).collect();
            let normal = super::FacePlane::through(&around).normal;
            for (from, to) in sides(&cycle) {
                taken.insert((from, to), faces.len());
            }
            for (from, to) in sides(&cycle).filter(|(from, to)| !taken.contains_key(&(*to, *from))) {
                let start = self.points[from];
                let axis = (self.points[to] - start).normalized();
                let (_, next) = self
                    .turned(&start, &axis, &normal)
                    .ok_or_else(|| HullError::Undecided(vec![from, to]))?;
                waiting.push(self.face(&start, &next)?);
            }
            faces.push(cycle);
        }
        Ok(faces)
    }

    /// Numbers corners, faces and edges, and checks what was found.
    fn finish(&self, mut faces: Vec<Cycle>) -> Result<Hull, HullError> {
        let corners: Vec<usize> = {
            let all: BTreeSet<usize> = faces.iter().flatten().copied().collect();
            all.into_iter().collect()
        };
        // Numbers have eight bits, and there are no more than twice as many faces.
        if corners.len() > 128 {
            return Err(HullError::Corners(corners.len()));
        }
        // The least corner first, then by corners: the order does not depend on where the wrapping began.
        for cycle in &mut faces {
            let least = (0..cycle.len()).min_by_key(|n| cycle[*n]).unwrap_or(0);
            cycle.rotate_left(least);
        }
        faces.sort();
        let number = |point: usize| corners.binary_search(&point).map_or(0, |n| n as u8);
        let mut sides_of: BTreeMap<(usize, usize), u8> = BTreeMap::new();
        for (cycle, face) in faces.iter().zip(0_u8..) {
            sides_of.extend(sides(cycle).map(|side| (side, face)));
        }
        let mut edges = Vec::new();
        for ((from, to), face) in sides_of.iter().filter(|((from, to), _)| from < to) {
            let Some(other) = sides_of.get(&(*to, *from)) else {
                return Err(HullError::Undecided(vec![*from, *to]));
            };
            edges.push(PolytopeEdge {
                ends: [CornerIx(number(*from)), CornerIx(number(*to))],
                faces: [FaceIx(*face), FaceIx(*other)],
            });
        }
        let is_closed = 2 * edges.len() == sides_of.len() && corners.len() + faces.len() == edges.len() + 2;
        if !is_closed {
            return Err(HullError::Undecided(corners));
        }
        let cycles = faces
            .iter()
            .map(|cycle| cycle.iter().map(|c| CornerIx(number(*c))).collect());
        let outline = Outline {
            corners: corners.len() as u8,
            edges,
            faces: cycles.collect(),
        };
        let places = corners.iter().map(|c| self.points[*c]).collect();
        let solid = Polytope::new(Arc::new(outline), places);
        let above: Vec<usize> = (0..self.points.len())
            .filter(|p| solid.beyond(&self.points[*p]) > self.on)
            .collect();
        if above.is_empty() {
            Ok(Hull { solid, corners })
        } else {
            Err(HullError::Undecided(above))
        }
    }
}

/// The sides of a cycle, in order.
fn sides(cycle: &[usize]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let next = cycle.iter().cycle().skip(1);
    cycle.iter().copied().zip(next.copied())
}
