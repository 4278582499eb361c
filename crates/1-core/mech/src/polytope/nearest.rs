//! The point of a polytope that is nearest to a point p outside of it.
//!
//! # Method
//! Outside, space is parted into regions by what is nearest: a face, an edge, a corner. With the faces' normals n, edges from
//! a along the unit vector d, and at each edge for each of its two faces the unit vector t within the face, across the edge,
//! inward:
//!
//! | region | conditions, not below zero | nearest point | distance |
//! |---|---|---|---|
//! | face | n·p − o; t·(p − a) at each side | p − h n | h = n·p − o |
//! | edge | −t·(p − a) for both faces; d·(p − a), l − d·(p − a) | a + d·(p − a) d | that of the two points |
//! | corner c | −d·(p − c) for each edge, d away from c | c | that of the two points |
//!
//! The conditions are those that neighbours have with the opposite sign, so the regions fill the outside once.
//!
//! # Guarantee
//! Closed form with the guarantee of the scalar, given the region; the region is found by comparing and is sure only on
//! doubles.

use dyverse_num::{Scalar, Tri, Vec3};

use super::{CornerIx, FaceIx, Polytope, PolytopeEdge};

/// What of a polytope is nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// The inside of a face.
    Face(FaceIx),
    /// An edge without its ends, by number.
    Edge(u8),
    /// A corner.
    Corner(CornerIx),
}

/// The nearest point, how far it is, and the unit vector from it to the other: outward.
#[derive(Clone, Debug)]
pub(crate) struct Nearest<S> {
    pub(crate) point: Vec3<S>,
    pub(crate) distance: S,
    pub(crate) outward: Vec3<S>,
}

/// How far a point's foot is inside each side of a face, whose corners are given counterclockwise.
pub(crate) fn insides<'p, S: Scalar + 'p>(
    around: impl Iterator<Item = &'p Vec3<S>> + 'p,
    normal: &'p Vec3<S>,
    p: &'p Vec3<S>,
) -> impl Iterator<Item = S> + 'p {
    let mut corners = around.peekable();
    let begin = corners.peek().copied();
    std::iter::from_fn(move || {
        let from = corners.next()?;
        let to = corners.peek().copied().or(begin)?;
        let outward = (to.clone() - from.clone()).cross(normal).normalized();
        Some(-outward.dot(&(p.clone() - from.clone())))
    })
}

impl<S: Scalar> Polytope<S> {
    fn edge(&self, number: u8) -> Option<&PolytopeEdge> {
        self.outline.edges.get(usize::from(number))
    }

    /// d and l of an edge.
    fn along(&self, edge: &PolytopeEdge) -> Option<(Vec3<S>, S)> {
        let [from, to] = self.ends(edge)?;
        let way = to.clone() - from.clone();
        let length = way.norm();
        Some((way.map(|c| c.clone() / length.clone()), length))
    }

    /// t·(p − a) for the first face of an edge, then for the second.
    fn towards_faces(&self, edge: &PolytopeEdge, p: &Vec3<S>) -> Option<[S; 2]> {
        let (d, _) = self.along(edge)?;
        let [from, _] = self.ends(edge)?;
        let away = p.clone() - from.clone();
        // The first face has the edge in its own direction, the second against it, as far as the outline says so.
        let into = |face: FaceIx| {
            let inward = self.plane(face)?.normal.cross(&d);
            let sign = if self.runs_along(face, edge) {
                S::one()
            } else {
                -S::one()
            };
            Some(sign * inward.dot(&away))
        };
        Some([into(edge.faces[0])?, into(edge.faces[1])?])
    }

    /// Whether a face is passed counterclockwise along an edge.
    fn runs_along(&self, face: FaceIx, edge: &PolytopeEdge) -> bool {
        let Some(around) = self.outline.faces.get(usize::from(face.0)) else {
            return true;
        };
        let next = around.iter().cycle().skip(1);
        around.iter().zip(next).any(|(a, b)| [*a, *b] == edge.ends)
    }

    /// Edges at a corner, each with its unit direction away from it.
    fn spokes(&self, corner: CornerIx) -> impl Iterator<Item = (Vec3<S>, S)> + '_ {
        self.outline.edges.iter().filter_map(move |edge| {
            let (d, length) = self.along(edge)?;
            match edge.ends {
                [from, _] if from == corner => Some((d, length)),
                [_, to] if to == corner => Some((-d, length)),
                _ => None,
            }
        })
    }

    /// The conditions of a region, each given to `keep` as long as they are kept: whether all are.
    fn all_conditions(&self, region: Region, p: &Vec3<S>, mut keep: impl FnMut(S, bool) -> bool) -> bool {
        // The flag tells which of two neighbours has the border itself: the one with more dimensions.
        match region {
            Region::Face(face) => {
                let Some(plane) = self.plane(face) else {
                    return false;
                };
                insides(self.around(face), &plane.normal, p).all(|side| keep(side, true))
            }
            Region::Edge(number) => {
                let Some(edge) = self.edge(number) else {
                    return false;
                };
                let (Some(into), Some((d, length)), Some([from, _])) =
                    (self.towards_faces(edge, p), self.along(edge), self.ends(edge))
                else {
                    return false;
                };
                let s = d.dot(&(p.clone() - from.clone()));
                let [one, two] = into;
                let all = [
                    (-one, false),
                    (-two, false),
                    (s.clone(), true),
                    (length - s, true),
                ];
                all.into_iter().all(|(c, own)| keep(c, own))
            }
            Region::Corner(corner) => {
                let Some(c) = self.corner(corner) else {
                    return false;
                };
                let away = p.clone() - c.clone();
                self.spokes(corner).all(|(d, _)| keep(-d.dot(&away), false))
            }
        }
    }

    /// All regions: faces, edges, corners.
    fn regions(&self) -> impl Iterator<Item = Region> + '_ {
        let faces = (0..self.outline.faces.len()).map(|n| Region::Face(FaceIx(n as u8)));
        let edges = (0..self.outline.edges.len()).map(|n| Region::Edge(n as u8));
        let corners = (0..self.corners.len()).map(|n| Region::Corner(CornerIx(n as u8)));
        faces.chain(edges).chain(corners)
    }

    /// The first region whose conditions are all kept, of those that a point outside may be in. `keep` is given a condition, and
    /// whether the region has the border itself.
    pub(crate) fn region_where(&self, p: &Vec3<S>, mut keep: impl FnMut(S, bool) -> bool) -> Option<Region> {
        let is_above = |face: FaceIx| {
            let plane = self.plane(face);
            plane.is_some_and(|plane| plane.above(p).gt(&S::zero()) == Tri::True)
        };
        self.regions().find(|region| {
            let may_be = match region {
                Region::Face(face) => is_above(*face),
                _ => true,
            };
            may_be && self.all_conditions(*region, p, &mut keep)
        })
    }

    /// How far a point is within the region: the least of its conditions, below zero outside.
    #[must_use]
    pub fn within(&self, region: Region, p: &Vec3<S>) -> S {
        let mut least: Option<S> = None;
        self.all_conditions(region, p, |condition, _| {
            least = Some(match &least {
                Some(known) => known.min(&condition),
                None => condition,
            });
            true
        });
        least.unwrap_or_else(S::zero)
    }

    /// How far a point is within the region of the corner whose region it is in, or, below zero, beside all of them.
    #[must_use]
    pub fn at_corners(&self, p: &Vec3<S>) -> S {
        let each = (0..self.corners.len()).map(|n| self.within(Region::Corner(CornerIx(n as u8)), p));
        each.reduce(|most, x| most.max(&x)).unwrap_or_else(S::zero)
    }

    /// The region of a point outside; none for one inside.
    #[must_use]
    pub fn region_of(&self, p: &Vec3<S>) -> Option<Region> {
        if self.beyond(p).gt(&S::zero()) != Tri::True {
            return None;
        }
        let zero = S::zero();
        let found = self.region_where(p, |condition, own| {
            let holds = if own {
                condition.ge(&zero)
            } else {
                condition.gt(&zero)
            };
            holds == Tri::True
        });
        // By rounding a point on a border may be in none: what is nearest of all decides.
        found.or_else(|| {
            let mut best: Option<(S, Region)> = None;
            for region in self.regions() {
                let Some(found) = self.nearest_on(region, p) else {
                    continue;
                };
                let is_own = self.within(region, p).ge(&S::from_f64(-1e-9)) == Tri::True;
                let is_less = best
                    .as_ref()
                    .is_none_or(|(least, _)| found.distance.lt(least) == Tri::True);
                if is_own && is_less && found.distance.gt(&zero) == Tri::True {
                    best = Some((found.distance, region));
                }
            }
            best.map(|(_, region)| region)
        })
    }

    /// The nearest point of a region's plane, line or corner, wherever p is.
    pub(crate) fn nearest_on(&self, region: Region, p: &Vec3<S>) -> Option<Nearest<S>> {
        let point = match region {
            Region::Face(face) => {
                let plane = self.plane(face)?;
                let distance = plane.above(p);
                return Some(Nearest {
                    point: p.clone() - plane.normal.scale(&distance),
                    distance,
                    outward: plane.normal.clone(),
                });
            }
            Region::Edge(number) => {
                let edge = self.edge(number)?;
                let (d, _) = self.along(edge)?;
                let [from, _] = self.ends(edge)?;
                let s = d.dot(&(p.clone() - from.clone()));
                from.clone() + d.scale(&s)
            }
            Region::Corner(corner) => self.corner(corner)?.clone(),
        };
        let away = p.clone() - point.clone();
        let distance = away.norm();
        Some(Nearest {
            outward: away.map(|c| c.clone() / distance.clone()),
            point,
            distance,
        })
    }
}
