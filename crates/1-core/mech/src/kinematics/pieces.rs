//! The pieces of which the gap of a contact is made.
//!
//! The gap of a sphere and a capsule is that to a line or that to an end; that of a sphere and a box is that to a
//! face, an edge or a corner. Where the closest point goes from one to the next, gap and normal are continuous but
//! the bias of the contact jumps, and with it its force: a step of the flow ends there. Where faces lie on each
//! other it is there that corners leave the other's face, edges begin to cross and cease to.
//!
//! # Method
//! Functions φ of the placements whose signs tell the piece, m:
//!
//! | pair | functions |
//! |---|---|
//! | sphere at p, capsule at q along e | l − ∣e·(p − q)∣ |
//! | sphere at p in the frame of a box | a − ∣p_x∣, b − ∣p_y∣, c − ∣p_z∣ |
//! | sphere at p in the frame of a hull | how far p is within the region that the piece has (`polytope/nearest.rs`) |
//! | capsule, capsule | −σ_1, −σ_2, −σ_3 (`closest_points/overshoot.rs`) |
//! | sharp solids | whether the place is their own (`sharp.rs`) |
//! | others | none: one piece |
//!
//! On a given piece the closest points are a smooth function of the placements that goes on beyond its border:
//! those on the line, the plane of the face, the two lines of which the edges are part. A step is made with it, and
//! ends where a function φ changes its sign.
//!
//! # Guarantee
//! Closed form with the guarantee of the scalar.

use dyverse_num::{Dual, Scalar, Tri, Vec3};

use super::closest_points::{Found, NoClosestPointsReason, Placed};
use super::{ClosestPoints, ContactError, ContactKinematics, ContactPair, EntityState, ReferenceAxis};
use crate::{Placement, Polytope, Region, Shape, ShapeKind};

/// Functions of one contact at the most.
pub const MOST_PIECES: usize = 3;

/// A piece, by function: 0 where it is not below zero, else the side on which the coordinate is beyond its bound. Of a hull
/// with a sphere: the region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Piece([i8; MOST_PIECES], Option<Region>);

impl Piece {
    /// A function within this of zero is on the border of two pieces, m, times the scale of lengths: many roundings of
    /// positions, much less than the gap tolerance.
    pub const BORDER: f64 = 1e-12;

    /// What counts as on a border, m, and as at rest there, m/s, by the scale of lengths and the tolerance of velocities.
    #[must_use]
    pub fn near(length: f64, velocity: f64) -> (f64, f64) {
        (Self::BORDER * length, velocity)
    }

    /// Whether a function is below zero on the piece.
    fn is_beyond(&self, function: usize) -> bool {
        self.0.get(function).is_some_and(|side| *side != 0)
    }
}

/// The functions, each with the coordinate whose sign tells the side.
struct Functions<S> {
    values: [S; MOST_PIECES],
    coordinates: [S; MOST_PIECES],
}

impl<S: Scalar> ContactPair<S> {
    /// How many functions tell the piece.
    #[must_use]
    pub fn pieces(&self) -> usize {
        if let Some(meeting) = self.meeting() {
            return meeting.pieces();
        }
        let (first, second) = self.surfaces();
        match (&first.shape, &second.shape) {
            (Shape::Sphere { .. }, Shape::RoundedBox { .. } | Shape::Box { .. })
            | (Shape::RoundedBox { .. } | Shape::Box { .. }, Shape::Sphere { .. })
            | (Shape::Capsule { .. }, Shape::Capsule { .. }) => MOST_PIECES,
            (Shape::Sphere { .. }, Shape::Capsule { .. }) | (Shape::Capsule { .. }, Shape::Sphere { .. }) => {
                1
            }
            _ if self.hull().is_some() => 1,
            _ => 0,
        }
    }

    /// How far the entities at these places are on a piece, by function: a piece ends where one of the first
    /// [`ContactPair::pieces`] comes below zero.
    #[must_use]
    pub fn piece_functions(
        &self,
        first_at: &Placement<S>,
        second_at: &Placement<S>,
        piece: &Piece,
    ) -> [S; MOST_PIECES] {
        if let (Some(region), Some((solid, p))) = (piece.1, self.seen_by_hull(first_at, second_at)) {
            return [solid.within(region, &p), S::one(), S::one()];
        }
        let mut values = self.functions(first_at, second_at).values;
        for (number, value) in values.iter_mut().enumerate() {
            if piece.is_beyond(number) {
                *value = -value.clone();
            }
        }
        values
    }

    /// The hull and whether it is the second, if the other is a sphere.
    fn hull(&self) -> Option<(&Polytope<S>, bool)> {
        let (first, second) = self.surfaces();
        let is_sphere = |shape: &Shape<S>| shape.kind() == ShapeKind::Sphere;
        match (first.shape.hull(), second.shape.hull()) {
            (Some(solid), None) if is_sphere(&second.shape) => Some((solid, false)),
            (None, Some(solid)) if is_sphere(&first.shape) => Some((solid, true)),
            _ => None,
        }
    }

    /// The hull, and the centre of the sphere in its frame.
    fn seen_by_hull(
        &self,
        first_at: &Placement<S>,
        second_at: &Placement<S>,
    ) -> Option<(&Polytope<S>, Vec3<S>)> {
        let (solid, is_second) = self.hull()?;
        let (first, second) = self.surfaces();
        let a = first_at.compose(&first.placement);
        let b = second_at.compose(&second.placement);
        let p = if is_second {
            b.apply_back(&a.position)
        } else {
            a.apply_back(&b.position)
        };
        Some((solid, p))
    }

    fn functions(&self, first_at: &Placement<S>, second_at: &Placement<S>) -> Functions<S> {
        if let Some(meeting) = self.meeting() {
            return Functions {
                values: meeting.functions(first_at, second_at),
                coordinates: [S::one(), S::one(), S::one()],
            };
        }
        let (first, second) = self.surfaces();
        let a = first_at.compose(&first.placement);
        let b = second_at.compose(&second.placement);
        let zero = S::zero;
        let along = |length: &S, local: Vec3<S>| Functions {
            values: [length.clone() - local.z.abs(), zero(), zero()],
            coordinates: [local.z, zero(), zero()],
        };
        let within = |h: &Vec3<S>, p: Vec3<S>| Functions {
            values: [
                h.x.clone() - p.x.abs(),
                h.y.clone() - p.y.abs(),
                h.z.clone() - p.z.abs(),
            ],
            coordinates: [p.x, p.y, p.z],
        };
        match (&first.shape, &second.shape) {
            (Shape::Sphere { .. }, Shape::Capsule { half_length, .. }) => {
                along(half_length, b.apply_back(&a.position))
            }
            (Shape::Capsule { half_length, .. }, Shape::Sphere { .. }) => {
                along(half_length, a.apply_back(&b.position))
            }
            (Shape::Sphere { .. }, Shape::RoundedBox { half_extents, .. } | Shape::Box { half_extents }) => {
                within(half_extents, b.apply_back(&a.position))
            }
            (Shape::RoundedBox { half_extents, .. } | Shape::Box { half_extents }, Shape::Sphere { .. }) => {
                within(half_extents, a.apply_back(&b.position))
            }
            (Shape::Capsule { half_length: g, .. }, Shape::Capsule { half_length: h, .. }) => {
                let ([x, y, z], [s, t]) = super::closest_points::overshoots_of((g, &a), (h, &b));
                Functions {
                    values: [-x, -y, -z],
                    coordinates: [s, t, S::one()],
                }
            }
            _ => Functions {
                values: [zero(), zero(), zero()],
                coordinates: [zero(), zero(), zero()],
            },
        }
    }

    /// As [`ContactPair::kinematics_along`], on a given piece; for pairs with pieces.
    ///
    /// # Errors
    /// As [`closest_points()`](super::closest_points()).
    pub fn kinematics_on(
        &self,
        first: &EntityState<S>,
        second: &EntityState<S>,
        reference: Option<ReferenceAxis>,
        piece: &Piece,
    ) -> Result<ContactKinematics<S>, ContactError>
    where
        S: super::ContactScalar,
        Dual<S>: super::ContactScalar,
    {
        if self.is_sharp() {
            // Its plane and its lines go on by themselves.
            return match reference {
                Some(axis) => self.kinematics_along(first, second, axis),
                None => self.kinematics(first, second),
            };
        }
        self.evaluate(first, second, reference, |a, b, side| {
            let found = match (a.0, b.0) {
                (
                    Shape::Sphere { .. },
                    Shape::Capsule { .. }
                    | Shape::RoundedBox { .. }
                    | Shape::Box { .. }
                    | Shape::Convex { .. }
                    | Shape::RoundedConvex { .. },
                ) => on_piece(a, b, piece),
                (
                    Shape::Capsule { .. }
                    | Shape::RoundedBox { .. }
                    | Shape::Box { .. }
                    | Shape::Convex { .. }
                    | Shape::RoundedConvex { .. },
                    Shape::Sphere { .. },
                ) => on_piece(b, a, piece).map(ClosestPoints::exchanged),
                (Shape::Capsule { .. }, Shape::Capsule { .. }) => on_piece(a, b, piece),
                _ => Err(NoClosestPointsReason::NoClosedForm),
            };
            match found {
                Err(NoClosestPointsReason::NoClosedForm) => super::closest_points(a, b, side),
                other => other.map_err(|reason| ContactError::NoClosestPoints {
                    first: a.0.kind(),
                    second: b.0.kind(),
                    reason,
                }),
            }
        })
    }
}

impl ContactPair<f64> {
    /// As [`ContactPair::kinematics`] or, with an axis, [`ContactPair::kinematics_along`]; at a border of two pieces those of the one that
    /// the contact goes to (see [`ContactPair::piece`]).
    ///
    /// # Errors
    /// As [`closest_points()`](super::closest_points()).
    pub fn kinematics_ahead(
        &self,
        first: &EntityState<f64>,
        second: &EntityState<f64>,
        reference: Option<ReferenceAxis>,
        near: (f64, f64),
    ) -> Result<ContactKinematics<f64>, ContactError> {
        if self.pieces() > 0 {
            let piece = self.piece(first, second, near);
            return self.kinematics_on(first, second, reference, &piece);
        }
        match reference {
            Some(axis) => self.kinematics_along(first, second, axis),
            None => self.kinematics(first, second),
        }
    }

    /// Whether the place where the contact touches is its own there or, at a border, where it goes to: see `closest_points/overshoot.rs`.
    #[must_use]
    pub fn is_own(&self, first: &EntityState<f64>, second: &EntityState<f64>, near: (f64, f64)) -> bool {
        if !self.may_share() {
            return true;
        }
        let piece = self.piece(first, second, near);
        if let Some(region) = piece.1 {
            return !matches!(region, Region::Corner(_));
        }
        let mut sides = piece.0.iter().take(self.pieces());
        if self.yields() {
            sides.any(|side| *side == 0)
        } else {
            sides.all(|side| *side == 0)
        }
    }

    /// The piece that a contact is on, or, within `border` (m) of one, the one that it goes to; slower than `rest` (m/s) there, that inside.
    #[must_use]
    pub fn piece(
        &self,
        first: &EntityState<f64>,
        second: &EntityState<f64>,
        (border, rest): (f64, f64),
    ) -> Piece {
        let pair = self.map_for_pieces(|c| Dual::constant(*c));
        let (one, two) = (first.coasting().placement(), second.coasting().placement());
        let mut piece = Piece::default();
        if let Some((solid, p)) = pair.seen_by_hull(&one, &two) {
            let stays = |condition: Dual<f64>, own: bool| {
                let Dual { value, derivative } = condition;
                match value.abs() > border {
                    true => value > 0.0,
                    false if own => derivative >= -rest,
                    false => derivative > rest,
                }
            };
            let nearest = || solid.map(|c| c.value).region_of(&p.map(|c| c.value));
            piece.1 = solid.region_where(&p, stays).or_else(nearest);
            return piece;
        }
        let found = pair.functions(&one, &two);
        for (number, side) in piece.0.iter_mut().enumerate().take(self.pieces()) {
            let Dual { value, derivative } = found.values[number];
            let is_beyond = if value.abs() > border {
                value < 0.0
            } else {
                derivative < -rest
            };
            *side = match found.coordinates[number].value {
                x if is_beyond && x < 0.0 => -1,
                _ if is_beyond => 1,
                _ => 0,
            };
        }
        // Beyond the borders of two edges their closest points are found as they are.
        let beyond = found.values.iter().any(|value| value.value < -border);
        if self.may_share() && !self.yields() && !self.is_sharp() && beyond {
            piece.0[2] = 1;
        }
        piece
    }
}

/// The closest points of a sphere with a capsule, box or hull, or of two capsules, on a piece.
fn on_piece<S: Scalar>(a: Placed<'_, S>, b: Placed<'_, S>, piece: &Piece) -> Found<S> {
    let held = |side: i8, half: &S, free: &S| match side {
        0 => free.clone(),
        1.. => half.clone(),
        _ => -half.clone(),
    };
    let radii = (&a.0.swept_radius(), &b.0.swept_radius());
    match (a.0, b.0) {
        (Shape::Sphere { .. }, Shape::Convex { solid } | Shape::RoundedConvex { solid, .. }) => {
            let region = piece.1.ok_or(NoClosestPointsReason::CoresOverlap)?;
            super::closest_points::on_region((radii.0, &a.1.position), (radii.1, solid, b.1), region)
        }
        (Shape::Sphere { .. }, Shape::Capsule { half_length, .. }) => {
            let axis = b.1.orientation.rotate(&Vec3::unit_z());
            let along = axis.dot(&(a.1.position.clone() - b.1.position.clone()));
            let along = held(piece.0[0], half_length, &along);
            let on_axis = b.1.position.clone() + axis.scale(&along);
            ClosestPoints::from_cores((a.1.position.clone(), on_axis), radii)
        }
        (
            Shape::Sphere { .. },
            Shape::RoundedBox { half_extents: h, .. } | Shape::Box { half_extents: h },
        ) => {
            let rotation = b.1.orientation.rotation_matrix();
            let from_centre = a.1.position.clone() - b.1.position.clone();
            let local = rotation.transpose().apply(&from_centre);
            let nearest = Vec3::new(
                held(piece.0[0], &h.x, &local.x),
                held(piece.0[1], &h.y, &local.y),
                held(piece.0[2], &h.z, &local.z),
            );
            let apart = nearest.zip(&local, |x, p| x.clone() - p.clone());
            let distance = apart.norm();
            if distance.gt(&S::zero()) == Tri::False {
                return Err(NoClosestPointsReason::CoresOverlap);
            }
            let normal = rotation.apply(&apart.map(|c| c.clone() / distance.clone()));
            let on_box = rotation.apply(&nearest) + b.1.position.clone();
            let cores = (a.1.position.clone(), on_box);
            Ok(ClosestPoints::swept(distance, normal, cores, radii))
        }
        (Shape::Capsule { half_length: g, .. }, Shape::Capsule { half_length: h, .. }) if piece.0[2] == 0 => {
            let d = a.1.orientation.rotate(&Vec3::unit_z());
            let e = b.1.orientation.rotate(&Vec3::unit_z());
            let w = b.1.position.clone() - a.1.position.clone();
            let (wd, we, cosine) = (w.dot(&d), w.dot(&e), d.dot(&e));
            let determinant = d.cross(&e).norm_squared();
            let s = (wd.clone() - cosine.clone() * we.clone()) / determinant.clone();
            let t = (cosine.clone() * wd.clone() - we.clone()) / determinant;
            // One that is held takes the other to the point nearest to it.
            let (s, t) = match (piece.0[0], piece.0[1]) {
                (0, 0) => (s, t),
                (0, side) => {
                    let t = held(side, h, &t);
                    (wd + cosine * t.clone(), t)
                }
                (side, other) => {
                    let s = held(side, g, &s);
                    (s.clone(), held(other, h, &(cosine * s - we)))
                }
            };
            let x1 = a.1.position.clone() + d.scale(&s);
            let x2 = b.1.position.clone() + e.scale(&t);
            let mut points = ClosestPoints::from_cores((x1, x2), radii)?;
            let ([x, y, z], _) = super::closest_points::overshoots_of((g, a.1), (h, b.1));
            points.overshoot = Some(x.max(&y).max(&z));
            Ok(points)
        }
        _ => Err(NoClosestPointsReason::NoClosedForm),
    }
}
