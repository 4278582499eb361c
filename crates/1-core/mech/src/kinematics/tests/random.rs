//! Random shapes, places and motions from a fixed seed.
//!
//! # Guarantee
//! The same numbers on every platform: SplitMix64 [Steele, Lea, Flood 2014] and arithmetic.

use std::sync::Arc;

use dyverse_num::{Quaternion, Scalar, Vec3};

use crate::{
    ContactPair, EntityState, Feature, Placement, Polytope, Shape, ShapeKind, Side, Surface, support_value,
};

/// A stream of random numbers.
pub(super) struct Random(pub(super) u64);

/// Kinds of bounded shapes.
pub(super) const BOUNDED: [ShapeKind; 4] = [
    ShapeKind::Sphere,
    ShapeKind::Ellipsoid,
    ShapeKind::Capsule,
    ShapeKind::RoundedBox,
];

impl Random {
    fn next(&mut self) -> u64 {
        dyverse_num::split_mix(&mut self.0)
    }

    /// Uniform in [from, to).
    pub(super) fn between(&mut self, from: f64, to: f64) -> f64 {
        let unit = (self.next() >> 11) as f64 / (1_u64 << 53) as f64;
        from + (to - from) * unit
    }

    /// Between 1/`ratio` and 1, uniform in the logarithm.
    pub(super) fn size(&mut self, ratio: f64) -> f64 {
        Scalar::exp(&self.between(-Scalar::ln(&ratio), 0.0))
    }

    pub(super) fn vec3(&mut self, half: f64) -> Vec3<f64> {
        Vec3::new(
            self.between(-half, half),
            self.between(-half, half),
            self.between(-half, half),
        )
    }

    pub(super) fn direction(&mut self) -> Vec3<f64> {
        loop {
            let v = self.vec3(1.0);
            if v.norm() > 0.1 && v.norm() < 1.0 {
                return v.normalized();
            }
        }
    }

    pub(super) fn orientation(&mut self) -> Quaternion<f64> {
        let angle = self.between(0.0, 2.0 * f64::pi());
        Quaternion::from_axis_angle(&self.direction(), &angle)
    }

    pub(super) fn placement(&mut self, half: f64) -> Placement<f64> {
        Placement {
            position: self.vec3(half),
            orientation: self.orientation(),
        }
    }

    /// A shape of this kind with sizes between 1/`ratio` and 1.
    pub(super) fn shape(&mut self, kind: ShapeKind, ratio: f64) -> Shape<f64> {
        let sizes = Vec3::new(self.size(ratio), self.size(ratio), self.size(ratio));
        match kind {
            ShapeKind::Sphere => Shape::Sphere { radius: sizes.x },
            ShapeKind::Ellipsoid => Shape::Ellipsoid { semi_axes: sizes },
            ShapeKind::Capsule => Shape::Capsule {
                radius: sizes.x,
                half_length: sizes.y,
            },
            ShapeKind::Box => Shape::Box { half_extents: sizes },
            ShapeKind::RoundedBox => Shape::RoundedBox {
                half_extents: sizes,
                radius: self.size(ratio.min(10.0)),
            },
            ShapeKind::Convex | ShapeKind::RoundedConvex => loop {
                let points: Vec<Vec3<f64>> = (0..7).map(|_| self.direction()).collect();
                let Ok(hull) = Polytope::hull(&points) else {
                    continue;
                };
                // Thicker than what overlaps in these tests.
                if hull.solid.half_thickness() > 0.1 {
                    let solid = Arc::new(hull.solid);
                    break Shape::Convex { solid };
                }
            },
            ShapeKind::Plane => Shape::Plane {
                normal: self.direction().scale(&sizes.x),
                offset: sizes.y,
            },
            ShapeKind::HalfSpace => Shape::HalfSpace {
                normal: self.direction().scale(&sizes.x),
                offset: sizes.y,
            },
        }
    }

    pub(super) fn state(&mut self, half: f64) -> EntityState<f64> {
        let Placement {
            position,
            orientation,
        } = self.placement(half);
        EntityState {
            position,
            orientation,
            velocity: self.vec3(1.0),
            angular_velocity: self.vec3(1.0),
        }
    }

    /// Two placed shapes whose shadows along a random direction are `gap` apart: the gap itself is at least
    /// that, and usually not much more.
    pub(super) fn pair(
        &mut self,
        kinds: (ShapeKind, ShapeKind),
        ratio: f64,
        gap: f64,
    ) -> [(Shape<f64>, Placement<f64>); 2] {
        let (a, b) = (self.shape(kinds.0, ratio), self.shape(kinds.1, ratio));
        let (at_a, mut at_b) = (self.placement(1.0), self.placement(1.0));
        let u = self.direction();
        let shift = support_value(&a, &at_a, &u) + support_value(&b, &at_b, &-u) + gap;
        at_b.position = at_b.position + u.scale(&shift);
        [(a, at_a), (b, at_b)]
    }

    /// A contact with the states of its entities, surfaces off their centres of mass, gap about `gap`.
    pub(super) fn contact(
        &mut self,
        kinds: (ShapeKind, ShapeKind),
        ratio: f64,
        gap: f64,
    ) -> (ContactPair<f64>, EntityState<f64>, EntityState<f64>) {
        let [(a, at_a), (b, at_b)] = self.pair_with_plane(kinds, ratio, gap);
        let (on_a, on_b) = (self.placement(0.3), self.placement(0.3));
        let side = Side::Front;
        let (one, two) = (self.state_with(&at_a, &on_a), self.state_with(&at_b, &on_b));
        let surface = |shape, placement| Surface { shape, placement };
        let pair = ContactPair::new(
            (&surface(a, on_a), Feature::Whole),
            (&surface(b, on_b), Feature::Whole),
            side,
        )
        .unwrap();
        (pair, one, two)
    }

    /// The state that puts a surface placed at `inner` in its entity to `outer` in the world.
    fn state_with(&mut self, outer: &Placement<f64>, inner: &Placement<f64>) -> EntityState<f64> {
        let orientation = outer.orientation * inner.orientation.conjugate();
        let position = outer.position - orientation.rotate(&inner.position);
        EntityState {
            position,
            orientation,
            ..self.state(1.0)
        }
    }

    /// As `pair`, also for a plane or half-space as the second.
    pub(super) fn pair_with_plane(
        &mut self,
        kinds: (ShapeKind, ShapeKind),
        ratio: f64,
        gap: f64,
    ) -> [(Shape<f64>, Placement<f64>); 2] {
        if kinds.1.is_bounded() {
            return self.pair(kinds, ratio, gap);
        }
        let (a, b) = (self.shape(kinds.0, ratio), self.shape(kinds.1, ratio));
        let (mut at_a, at_b) = (self.placement(1.0), self.placement(1.0));
        if let Shape::Plane { normal, offset } | Shape::HalfSpace { normal, offset } = &b {
            let unit = at_b.orientation.rotate(normal).normalized();
            let level = unit.dot(&at_b.position) + offset / normal.norm();
            let lowest = -support_value(&a, &at_a, &-unit);
            at_a.position = at_a.position + unit.scale(&(level + gap - lowest));
        }
        [(a, at_a), (b, at_b)]
    }
}

/// All pairs of kinds with a bounded first shape.
pub(super) fn all_pairs() -> Vec<(ShapeKind, ShapeKind)> {
    let with = |a: ShapeKind| {
        let others = BOUNDED
            .into_iter()
            .chain([ShapeKind::Plane, ShapeKind::HalfSpace]);
        others.map(move |b| (a, b))
    };
    // Hulls with others touch by features, as boxes do: `tests/sharp.rs`, `tests/features.rs`.
    let hulls = [
        (ShapeKind::Sphere, ShapeKind::Convex),
        (ShapeKind::Ellipsoid, ShapeKind::Convex),
        (ShapeKind::Convex, ShapeKind::HalfSpace),
    ];
    BOUNDED.into_iter().flat_map(with).chain(hulls).collect()
}

/// The state after time t with constant v and w, exactly: c + v t, exp(½ w t) q.
pub(super) fn coast(state: &EntityState<f64>, t: f64) -> EntityState<f64> {
    let w = state.angular_velocity;
    let turn = if w.norm() > 0.0 {
        Quaternion::from_axis_angle(&w, &(w.norm() * t))
    } else {
        Quaternion::identity()
    };
    EntityState {
        position: state.position + state.velocity.scale(&t),
        orientation: turn * state.orientation,
        ..*state
    }
}
