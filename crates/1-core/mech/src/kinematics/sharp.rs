//! Contacts of solids with sharp edges: a vertex of one on a face of the other, two edges across each other.
//!
//! Two sharp solids touch where their distance is zero, and the difference of closest points has no direction there. So
//! each contact has a gap along a normal that its features give, and that goes on smoothly below zero:
//!
//! | contact | n outward of the first | gap |
//! |---|---|---|
//! | vertex at p, face n·x = o of the other | ∓ the face's normal | n·p − o |
//! | edges along d at p and along e at q | m = ± d × e/∣d × e∣, outward of both | m·(q − p) |
//!
//! The sign of m is that with which m·(N_1 − N_2) ≥ 0, where N is the sum of the normals of the two faces at an edge.
//!
//! # Which contacts touch
//! Faces and edges end, and their planes and lines go on. The overshoot o of a contact is zero where its place is its own
//! and above zero elsewhere, so that the closing gap g + o is above zero wherever the solids do not touch at its features:
//!
//! - *Another part of the other.* s is how far the vertex, or the point of the first edge that is deepest in the other
//!   solid, is beyond the faces of the other: max over faces of its height above them. While the solids are apart s > 0,
//!   and where they touch elsewhere s ≥ 0. The part of the overshoot is 2 (s − g)⁺: then g + 2 (s − g) = s + (s − g) > 0 if g < s,
//!   and g ≥ s > 0 else. For an edge at depth ε across the other, s is −c ε, c = (α_1 β_2 − α_2 β_1)/(β_2 − β_1) with
//!   α_k = −m·n_k, β_k = d·n_k of the two faces at the other edge; s/c stands for s.
//!
//!   For a vertex the face's own plane is left out of s. A side that an edge from the vertex crosses inward is none that the
//!   vertex can touch: it only bounds the face, and what is inside it by more than rounding, or exactly at it, as where
//!   equal boxes stand on each other, is inside by a quarter of the solid. At a side that no edge crosses inward the vertex
//!   is outside: beside the solid, not on it.
//! - *Beside the other edge.* Edges that do not cross in the projection along m: σ of `closest_points/overshoot.rs`.
//! - *The other way round.* A normal that is not outward of both: how far what is next to the vertex or edge lies beyond
//!   its plane along n.
//!
//! # Pieces
//! A vertex leaves its face, an edge the other where a side of the face, or an end of the edge, is passed: then another
//! contact's turn comes, with another normal, or none, and this one opens. The functions whose signs tell (`pieces.rs`):
//! minus the height of the vertex above the worst side of the face's polygon; −σ_1, −σ_2, −σ_3.
//!
//! # Guarantee
//! Doubles to rounding, duals exact; no rigorous scalar, which is refused. Edges closer to parallel than 1e-6 rad never
//! touch: their ends do.

use std::sync::Arc;

use dyverse_num::{Scalar, Tri, Vec3};

use super::closest_points::{overshoots_across, overshoots_of_axes};
use super::{ClosestPoints, ContactError, Feature};
use crate::polytope::{CornerIx, FaceIx, FacePlane, Polytope, PolytopeEdge, insides};
use crate::{Placement, Surface};

/// A vertex within this part of a solid's size of the side of a face may be on either side of it.
const NEAR: f64 = 1e-9;
/// What runs along a side to this part of a solid's size does not go inward.
const ALONG: f64 = 1e-6;
/// The least c: below it two faces meet in a blade.
const BLADE: f64 = 1e-3;

/// A contact of two sharp solids.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Meeting<S> {
    /// Where the two surfaces are in their entities.
    places: [Placement<S>; 2],
    parts: Parts<S>,
    /// The solids, in their own frames; none where only gap and normal are asked for.
    solids: Option<[Arc<Polytope<S>>; 2]>,
}

/// What touches, in the frames of the two surfaces.
#[derive(Clone, Debug, PartialEq)]
enum Parts<S> {
    VertexFace {
        /// Whether the vertex is of the first.
        is_first: bool,
        corner: CornerIx,
        vertex: Vec3<S>,
        face: FaceIx,
        plane: FacePlane<S>,
        /// The corners of the face; none where only gap and normal are asked for.
        around: Vec<Vec3<S>>,
    },
    Edges([EdgePart<S>; 2]),
}

/// An edge: its middle, half of it as a vector, the sum of the normals of its faces.
#[derive(Clone, Debug, PartialEq)]
struct EdgePart<S> {
    edge: PolytopeEdge,
    middle: Vec3<S>,
    half: Vec3<S>,
    outward: Vec3<S>,
}

/// Two edges in the world.
struct Across<S> {
    /// Unit axes, and their half lengths.
    axes: [Vec3<S>; 2],
    halves: [S; 2],
    middles: [Vec3<S>; 2],
    sine: S,
    /// s and t times sin²θ.
    along: [S; 2],
    /// m; none for edges that are parallel.
    normal: Option<Vec3<S>>,
}

impl<S: Scalar> Meeting<S> {
    /// The contact of these features of two surfaces; none if it is not one of two sharp solids.
    pub(super) fn of(
        (first, first_feature): (&Surface<S>, Feature),
        (second, second_feature): (&Surface<S>, Feature),
    ) -> Result<Option<Self>, ContactError> {
        use Feature::{Corner, Edge, Face};
        if !matches!(
            (first_feature, second_feature),
            (Corner(_), Face(_)) | (Face(_), Corner(_)) | (Edge(_), Edge(_))
        ) {
            return Ok(None);
        }
        let (Some(one), Some(two)) = (first.shape.polytope(), second.shape.polytope()) else {
            return Ok(None);
        };
        let lacks = |surface: &Surface<S>, feature| ContactError::NoSuchFeature {
            shape: surface.shape.kind(),
            feature,
        };
        let edge = |surface: &Surface<S>, solid: &Polytope<S>, number: u8| {
            EdgePart::of(solid, number).ok_or_else(|| lacks(surface, Edge(number)))
        };
        let parts = match (first_feature, second_feature) {
            (Edge(d), Edge(e)) => Parts::Edges([edge(first, &one, d)?, edge(second, &two, e)?]),
            (Corner(corner), Face(face)) => Parts::on_face((&one, corner), (&two, face), true)
                .ok_or_else(|| lacks(second, second_feature))?,
            (Face(face), Corner(corner)) => Parts::on_face((&two, corner), (&one, face), false)
                .ok_or_else(|| lacks(first, first_feature))?,
            _ => return Ok(None),
        };
        Ok(Some(Self {
            places: [first.placement.clone(), second.placement.clone()],
            parts,
            solids: Some([one, two]),
        }))
    }

    /// How many functions tell whether the place is its own.
    pub(super) fn pieces(&self) -> usize {
        match self.parts {
            Parts::VertexFace { .. } => 1,
            Parts::Edges(_) => 3,
        }
    }

    /// The same with every number converted.
    pub(super) fn map<T>(&self, mut f: impl FnMut(&S) -> T) -> Meeting<T> {
        let solids = self.solids.as_ref();
        let solids = solids.map(|solids| solids.each_ref().map(|solid| Arc::new(solid.map(&mut f))));
        Meeting {
            solids,
            ..self.map_for_pieces(f)
        }
    }

    /// The same without the solids: it has no overshoots.
    pub(super) fn map_for_pieces<T>(&self, mut f: impl FnMut(&S) -> T) -> Meeting<T> {
        let mut found = self.map_parts(&mut f);
        if let (Parts::VertexFace { around, .. }, Parts::VertexFace { around: known, .. }) =
            (&mut found.parts, &self.parts)
        {
            *around = known.iter().map(|c| c.map(&mut f)).collect();
        }
        found
    }

    /// The same with gaps and normals only.
    pub(super) fn map_parts<T>(&self, mut f: impl FnMut(&S) -> T) -> Meeting<T> {
        let parts = match &self.parts {
            Parts::VertexFace {
                is_first,
                corner,
                vertex,
                face,
                plane,
                ..
            } => Parts::VertexFace {
                is_first: *is_first,
                corner: *corner,
                vertex: vertex.map(&mut f),
                face: *face,
                plane: FacePlane {
                    normal: plane.normal.map(&mut f),
                    offset: f(&plane.offset),
                },
                around: Vec::new(),
            },
            Parts::Edges(edges) => Parts::Edges(edges.each_ref().map(|part| EdgePart {
                edge: part.edge,
                middle: part.middle.map(&mut f),
                half: part.half.map(&mut f),
                outward: part.outward.map(&mut f),
            })),
        };
        Meeting {
            places: self.places.each_ref().map(|place| place.map(&mut f)),
            parts,
            solids: None,
        }
    }

    fn placed(&self, first_at: &Placement<S>, second_at: &Placement<S>) -> [Placement<S>; 2] {
        [
            first_at.compose(&self.places[0]),
            second_at.compose(&self.places[1]),
        ]
    }

    /// Gap, normal and points; without the overshoot.
    pub(super) fn closest_points(
        &self,
        first_at: &Placement<S>,
        second_at: &Placement<S>,
    ) -> ClosestPoints<S> {
        let places = self.placed(first_at, second_at);
        match &self.parts {
            Parts::VertexFace {
                is_first,
                vertex,
                plane,
                ..
            } => {
                let [a, b] = &places;
                let (of_vertex, of_face) = if *is_first { (a, b) } else { (b, a) };
                let p = of_vertex.apply(vertex);
                let up = of_face.orientation.rotate(&plane.normal);
                let gap = up.dot(&(p.clone() - of_face.position.clone())) - plane.offset.clone();
                let foot = p.clone() - up.scale(&gap);
                let (normal, on_first, on_second) = if *is_first { (-up, p, foot) } else { (up, foot, p) };
                ClosestPoints {
                    gap,
                    normal,
                    on_first,
                    on_second,
                    overshoot: None,
                }
            }
            Parts::Edges(edges) => {
                let across = Across::of(edges, &places);
                let [p, q] = &across.middles;
                let Some(normal) = &across.normal else {
                    // They touch by their ends; anything finite will do.
                    return ClosestPoints {
                        gap: S::zero(),
                        normal: across.any_normal(),
                        on_first: p.clone(),
                        on_second: q.clone(),
                        overshoot: None,
                    };
                };
                let squared = across.sine.squared();
                let [s, t] = across.along.each_ref().map(|a| a.clone() / squared.clone());
                ClosestPoints {
                    gap: normal.dot(&(q.clone() - p.clone())),
                    on_first: p.clone() + across.axes[0].scale(&s),
                    on_second: q.clone() + across.axes[1].scale(&t),
                    normal: normal.clone(),
                    overshoot: None,
                }
            }
        }
    }

    /// The overshoot, see above; none without the solids.
    pub(super) fn overshoot(&self, first_at: &Placement<S>, second_at: &Placement<S>, gap: &S) -> Option<S> {
        let solids = self.solids.as_ref()?;
        let places = self.placed(first_at, second_at);
        let (zero, two) = (S::zero(), S::from_f64(2.0));
        let elsewhere = |s: S| two.clone() * (s - gap.clone()).max(&zero);
        match &self.parts {
            Parts::VertexFace {
                is_first,
                corner,
                vertex,
                face,
                plane,
                ..
            } => {
                let [a, b] = &places;
                let (of_vertex, of_face) = if *is_first { (a, b) } else { (b, a) };
                let (own, other) = if *is_first {
                    (&solids[0], &solids[1])
                } else {
                    (&solids[1], &solids[0])
                };
                let p = of_face.apply_back(&of_vertex.apply(vertex));
                let seen = |n: &Vec3<S>| of_vertex.orientation.rotate_back(&of_face.orientation.rotate(n));
                let towards = |n: &Vec3<S>| own.lowest_from(*corner, &seen(n));
                let over = (-towards(&plane.normal)).max(&zero);
                let others = other
                    .planes
                    .iter()
                    .zip(0_u8..)
                    .filter(|(_, number)| FaceIx(*number) != *face);
                let depth = -other.least_along(&plane.normal) + plane.offset.clone();
                let sides = others.map(|(side, _)| {
                    let scale = depth.clone() + side.offset.abs();
                    let near = S::from_f64(NEAR) * scale.clone();
                    let r = side.above(&p);
                    // No side of these asks which way the edges go.
                    if (r.clone() + near.clone()).le(gap) == Tri::True {
                        return r;
                    }
                    let is_inward = towards(&side.normal).lt(&(-S::from_f64(ALONG) * scale)) == Tri::True;
                    if !is_inward {
                        return r + near;
                    }
                    let r = r - near.clone();
                    if r.ge(&zero) == Tri::True {
                        return r;
                    }
                    let deep = S::from_f64(0.25) * depth.clone();
                    (r / near * deep.clone()).max(&-deep)
                });
                let s = sides
                    .reduce(|most, s| most.max(&s))
                    .unwrap_or_else(|| gap.clone());
                Some(elsewhere(s) + over)
            }
            Parts::Edges(edges) => {
                let across = Across::of(edges, &places);
                let [x, y, z] = across.overshoots();
                let beside = x.max(&y).max(&z);
                let Some(normal) = &across.normal else {
                    return Some(beside.max(&zero));
                };
                // The first edge and the normal, as the other sees them.
                let seen = |v: &Vec3<S>| places[1].orientation.rotate_back(v);
                let middle = places[1].apply_back(&across.middles[0]);
                let (axis, inward) = (seen(&across.axes[0]), seen(normal));
                let s = deepest(&solids[1], &middle, &axis.scale(&across.halves[0]));
                let s = s / blade(&solids[1], &edges[1].edge, &axis, &inward);
                let down = places[0].orientation.rotate_back(normal);
                let over =
                    beyond_edge(&solids[0], &edges[0], &down) + beyond_edge(&solids[1], &edges[1], &-inward);
                Some(elsewhere(s).max(&beside.max(&zero)) + over)
            }
        }
    }

    /// The functions that tell whether the place is its own: not below zero where it is.
    pub(super) fn functions(&self, first_at: &Placement<S>, second_at: &Placement<S>) -> [S; 3] {
        let places = self.placed(first_at, second_at);
        match &self.parts {
            Parts::VertexFace {
                is_first,
                vertex,
                plane,
                around,
                ..
            } => {
                let [a, b] = &places;
                let (of_vertex, of_face) = if *is_first { (a, b) } else { (b, a) };
                let p = of_face.apply_back(&of_vertex.apply(vertex));
                let within = insides(around.iter(), &plane.normal, &p).reduce(|least, x| least.min(&x));
                [within.unwrap_or_else(S::one), S::zero(), S::zero()]
            }
            Parts::Edges(edges) => Across::of(edges, &places).overshoots().map(|o| -o),
        }
    }
}

impl Meeting<f64> {
    /// A distance that the two features have at the least, m: not above zero only where they touch.
    pub(super) fn distance(&self, first_at: &Placement<f64>, second_at: &Placement<f64>) -> f64 {
        let points = self.closest_points(first_at, second_at);
        let [x, y, z] = self.functions(first_at, second_at);
        match &self.parts {
            Parts::VertexFace { .. } => points.gap.abs().max(-x),
            Parts::Edges(edges) => {
                let across = Across::of(edges, &self.placed(first_at, second_at));
                // Nearly parallel edges have no crossing, and no distance from it.
                if across.normal.is_none() || z < 0.0 {
                    return 0.0;
                }
                points.gap.abs().max(-x).max(-y)
            }
        }
    }
}

impl<S: Scalar> Parts<S> {
    fn on_face(
        (own, corner): (&Polytope<S>, u8),
        (other, face): (&Polytope<S>, u8),
        is_first: bool,
    ) -> Option<Self> {
        let (corner, face) = (CornerIx(corner), FaceIx(face));
        Some(Self::VertexFace {
            is_first,
            corner,
            vertex: own.corner(corner)?.clone(),
            face,
            plane: other.plane(face)?.clone(),
            around: other.around(face).cloned().collect(),
        })
    }
}

impl<S: Scalar> EdgePart<S> {
    fn of(solid: &Polytope<S>, number: u8) -> Option<Self> {
        let edge = *solid.outline.edges.get(usize::from(number))?;
        let [from, to] = edge.ends;
        let (from, to) = (solid.corner(from)?, solid.corner(to)?);
        let half = S::from_f64(0.5);
        let [one, two] = edge.faces;
        Some(Self {
            edge,
            middle: (from.clone() + to.clone()).scale(&half),
            half: (to.clone() - from.clone()).scale(&half),
            outward: solid.plane(one)?.normal.clone() + solid.plane(two)?.normal.clone(),
        })
    }
}

impl<S: Scalar> Across<S> {
    fn of(edges: &[EdgePart<S>; 2], places: &[Placement<S>; 2]) -> Self {
        let [first, second] = edges;
        let [a, b] = places;
        let halves = [first.half.norm(), second.half.norm()];
        let axis = |at: &Placement<S>, part: &EdgePart<S>, half: &S| {
            at.orientation
                .rotate(&part.half.map(|c| c.clone() / half.clone()))
        };
        let axes = [axis(a, first, &halves[0]), axis(b, second, &halves[1])];
        let middles = [a.apply(&first.middle), b.apply(&second.middle)];
        let (sine, along) = overshoots_of_axes(&axes, &(middles[1].clone() - middles[0].clone()));
        let mut normal = None;
        if sine.gt(&S::from_f64(PARALLEL)) == Tri::True {
            let cross = axes[0].cross(&axes[1]).map(|c| c.clone() / sine.clone());
            let outward = a.orientation.rotate(&first.outward) - b.orientation.rotate(&second.outward);
            let is_outward = cross.dot(&outward).ge(&S::zero()) == Tri::True;
            normal = Some(if is_outward { cross } else { -cross });
        }
        Self {
            axes,
            halves,
            middles,
            sine,
            along,
            normal,
        }
    }

    fn overshoots(&self) -> [S; 3] {
        overshoots_across(&self.along, &self.sine, (&self.halves[0], &self.halves[1]))
    }

    /// Some unit vector across the first edge.
    fn any_normal(&self) -> Vec3<S> {
        let axis = &self.axes[0];
        let seed = if axis.x.abs().lt(&S::from_f64(0.75)) == Tri::True {
            Vec3::unit_x()
        } else {
            Vec3::unit_y()
        };
        axis.cross(&seed).normalized()
    }
}

/// The sine of an angle below which edges have no common normal.
const PARALLEL: f64 = 5e-7;

/// min over ∣t∣ ≤ 1 of how far p + t h is beyond the faces of a solid: the least of the largest of linear functions.
fn deepest<S: Scalar>(solid: &Polytope<S>, p: &Vec3<S>, h: &Vec3<S>) -> S {
    let largest = |t: &S| {
        let mut most: Option<(S, S, S)> = None;
        for plane in &solid.planes {
            let (at, slope) = (plane.above(p), plane.normal.dot(h));
            let value = at.clone() + t.clone() * slope.clone();
            let is_more = match &most {
                Some((known, ..)) => value.gt(known) == Tri::True,
                None => true,
            };
            if is_more {
                most = Some((value, at, slope));
            }
        }
        most.unwrap_or_else(|| (S::zero(), S::zero(), S::zero()))
    };
    let (zero, one) = (S::zero(), S::one());
    let mut low = largest(&-one.clone());
    if low.2.ge(&zero) == Tri::True {
        return low.0;
    }
    let mut high = largest(&one);
    if high.2.le(&zero) == Tri::True {
        return high.0;
    }
    let mut least = low.0.min(&high.0);
    // Each round takes one more face for an end.
    for _ in 0..solid.planes.len() {
        let t = (low.1.clone() - high.1.clone()) / (high.2.clone() - low.2.clone());
        let met = low.1.clone() + t.clone() * low.2.clone();
        let next = largest(&t);
        least = least.min(&next.0);
        if next.0.gt(&met) != Tri::True {
            break;
        }
        if next.2.lt(&zero) == Tri::True {
            low = next;
        } else {
            high = next;
        }
    }
    least
}

/// c of the method: the depth of a line along `axis` below two faces that meet in an edge, for each metre along `inward`.
fn blade<S: Scalar>(solid: &Polytope<S>, edge: &PolytopeEdge, axis: &Vec3<S>, inward: &Vec3<S>) -> S {
    let one = S::one();
    let [Some(p), Some(q)] = edge.faces.map(|face| solid.plane(face)) else {
        return one;
    };
    let alpha = [&p.normal, &q.normal].map(|n| -n.dot(inward));
    let beta = [&p.normal, &q.normal].map(|n| n.dot(axis));
    let spread = beta[1].clone() - beta[0].clone();
    if (beta[0].clone() * beta[1].clone()).lt(&S::zero()) != Tri::True {
        return one;
    }
    let c = (alpha[0].clone() * beta[1].clone() - alpha[1].clone() * beta[0].clone()) / spread;
    c.max(&S::from_f64(BLADE)).min(&one)
}

/// How far the faces at an edge lie beyond it in a direction.
fn beyond_edge<S: Scalar>(solid: &Polytope<S>, part: &EdgePart<S>, direction: &Vec3<S>) -> S {
    let corners = part.edge.faces.into_iter().flat_map(|face| solid.around(face));
    corners.fold(S::zero(), |most, corner| {
        most.max(&direction.dot(&(corner.clone() - part.middle.clone())))
    })
}
