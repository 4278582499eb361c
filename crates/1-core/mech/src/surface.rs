//! The shapes an entity's surface can have.
//!
//! Every bounded shape is a *core* swept by a ball of radius r (a Minkowski sum). All but hulls of points are symmetric about
//! their own origin:
//!
//! | shape       | core                       | r        |
//! |-------------|----------------------------|----------|
//! | sphere      | a point                    | `radius` |
//! | capsule     | a segment on the local z-axis | `radius` |
//! | rounded box | a box along the local axes | `radius` |
//! | box         | a box along the local axes | 0        |
//! | convex      | the hull of points         | 0        |
//! | rounded convex | the hull of points      | `radius` |
//! | ellipsoid   | the ellipsoid itself       | 0        |
//!
//! # Guarantee
//! Data only. Sizes are not checked here: they are meant positive (cores may have size zero), normals
//! nonzero.

use std::sync::Arc;

use dyverse_num::{Scalar, Vec3};

use crate::{Outline, Placement, Polytope};

/// A shape in its own frame. Lengths in metres.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape<S> {
    /// A ball of this radius.
    Sphere {
        /// Its radius.
        radius: S,
    },
    /// The points with (x/a)² + (y/b)² + (z/c)² ≤ 1.
    Ellipsoid {
        /// (a, b, c).
        semi_axes: Vec3<S>,
    },
    /// All points within `radius` of the segment from (0, 0, −`half_length`) to (0, 0, `half_length`).
    ///
    /// Its whole length is 2 (`half_length` + `radius`).
    Capsule {
        /// Radius of the tube and of its caps.
        radius: S,
        /// Half the length of the segment.
        half_length: S,
    },
    /// All points within `radius` of the inner box |x| ≤ a, |y| ≤ b, |z| ≤ c.
    ///
    /// The half extents are those of the *inner* box, before the ball is swept over it: the whole shape
    /// reaches to `half_extents` + `radius` on each axis.
    RoundedBox {
        /// (a, b, c) of the inner box.
        half_extents: Vec3<S>,
        /// Radius of the edges and corners.
        radius: S,
    },
    /// |x| ≤ a, |y| ≤ b, |z| ≤ c, with sharp edges.
    Box {
        /// (a, b, c).
        half_extents: Vec3<S>,
    },
    /// The convex hull of points, with sharp edges.
    Convex {
        /// The solid.
        solid: Arc<Polytope<S>>,
    },
    /// All points within `radius` of the convex hull of points: what stands for a sharp one where contacts are followed by steps.
    RoundedConvex {
        /// The hull.
        solid: Arc<Polytope<S>>,
        /// Radius of the edges and corners.
        radius: S,
    },
    /// The surface n·x = `offset`, which nothing passes from either side: an entity stays on the side
    /// on which it starts. The normal need not have unit length.
    Plane {
        /// n.
        normal: Vec3<S>,
        /// n·x of the points on the plane.
        offset: S,
    },
    /// The solid n·x ≤ `offset`. The normal points out of it and need not have unit length.
    HalfSpace {
        /// n.
        normal: Vec3<S>,
        /// n·x of the points on its face.
        offset: S,
    },
}

/// What kind of shape, without its sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ShapeKind {
    /// See [`Shape::Sphere`].
    Sphere,
    /// See [`Shape::Ellipsoid`].
    Ellipsoid,
    /// See [`Shape::Capsule`].
    Capsule,
    /// See [`Shape::RoundedBox`].
    RoundedBox,
    /// See [`Shape::Box`].
    Box,
    /// See [`Shape::Convex`].
    Convex,
    /// See [`Shape::RoundedConvex`].
    RoundedConvex,
    /// See [`Shape::Plane`].
    Plane,
    /// See [`Shape::HalfSpace`].
    HalfSpace,
}

impl ShapeKind {
    /// Is it a solid with flat faces and sharp edges?
    #[must_use]
    pub fn is_sharp(self) -> bool {
        matches!(self, Self::Box | Self::Convex)
    }

    /// Is its core a polytope: a segment, a box or a hull of points?
    #[must_use]
    pub fn has_polytope_core(self) -> bool {
        matches!(self, Self::Capsule | Self::RoundedBox | Self::Box) || self.is_hull()
    }

    /// Is its core a hull of points?
    #[must_use]
    pub fn is_hull(self) -> bool {
        matches!(self, Self::Convex | Self::RoundedConvex)
    }

    /// Is it of finite size?
    #[must_use]
    pub fn is_bounded(self) -> bool {
        !matches!(self, Self::Plane | Self::HalfSpace)
    }

    /// Its name in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sphere => "sphere",
            Self::Ellipsoid => "ellipsoid",
            Self::Capsule => "capsule",
            Self::RoundedBox => "rounded box",
            Self::Box => "box",
            Self::Convex => "convex",
            Self::RoundedConvex => "rounded convex",
            Self::Plane => "plane",
            Self::HalfSpace => "half-space",
        }
    }
}

impl std::fmt::Display for ShapeKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl<S> Shape<S> {
    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> ShapeKind {
        match self {
            Self::Sphere { .. } => ShapeKind::Sphere,
            Self::Ellipsoid { .. } => ShapeKind::Ellipsoid,
            Self::Capsule { .. } => ShapeKind::Capsule,
            Self::RoundedBox { .. } => ShapeKind::RoundedBox,
            Self::Box { .. } => ShapeKind::Box,
            Self::Convex { .. } => ShapeKind::Convex,
            Self::RoundedConvex { .. } => ShapeKind::RoundedConvex,
            Self::Plane { .. } => ShapeKind::Plane,
            Self::HalfSpace { .. } => ShapeKind::HalfSpace,
        }
    }

    /// What makes what of its core, if that is a box or a hull of points.
    #[must_use]
    pub fn outline(&self) -> Option<Arc<Outline>> {
        match self {
            Self::RoundedBox { .. } | Self::Box { .. } => Some(Outline::shared_box()),
            Self::Convex { solid } | Self::RoundedConvex { solid, .. } => Some(solid.outline.clone()),
            _ => None,
        }
    }

    /// The same shape with every number converted.
    pub fn map<T>(&self, mut f: impl FnMut(&S) -> T) -> Shape<T> {
        match self {
            Self::Sphere { radius } => Shape::Sphere { radius: f(radius) },
            Self::Ellipsoid { semi_axes } => Shape::Ellipsoid {
                semi_axes: semi_axes.map(f),
            },
            Self::Capsule { radius, half_length } => Shape::Capsule {
                radius: f(radius),
                half_length: f(half_length),
            },
            Self::RoundedBox { half_extents, radius } => Shape::RoundedBox {
                half_extents: half_extents.map(&mut f),
                radius: f(radius),
            },
            Self::Box { half_extents } => Shape::Box {
                half_extents: half_extents.map(f),
            },
            Self::Convex { solid } => Shape::Convex {
                solid: Arc::new(solid.map(f)),
            },
            Self::RoundedConvex { solid, radius } => Shape::RoundedConvex {
                solid: Arc::new(solid.map(&mut f)),
                radius: f(radius),
            },
            Self::Plane { normal, offset } => Shape::Plane {
                normal: normal.map(&mut f),
                offset: f(offset),
            },
            Self::HalfSpace { normal, offset } => Shape::HalfSpace {
                normal: normal.map(&mut f),
                offset: f(offset),
            },
        }
    }
}

impl<S: Scalar> Shape<S> {
    /// The solid, if it has flat faces and sharp edges.
    #[must_use]
    pub fn polytope(&self) -> Option<Arc<Polytope<S>>> {
        match self {
            Self::Box { half_extents } => Some(Arc::new(Polytope::of_box(half_extents))),
            Self::Convex { solid } => Some(solid.clone()),
            _ => None,
        }
    }

    /// The core, if it is a hull of points.
    #[must_use]
    pub fn hull(&self) -> Option<&Polytope<S>> {
        match self {
            Self::Convex { solid } | Self::RoundedConvex { solid, .. } => Some(solid),
            _ => None,
        }
    }

    /// The radius of the ball swept over the core; zero for shapes that are their own core.
    #[must_use]
    pub fn swept_radius(&self) -> S {
        match self {
            Self::Sphere { radius }
            | Self::Capsule { radius, .. }
            | Self::RoundedBox { radius, .. }
            | Self::RoundedConvex { radius, .. } => radius.clone(),
            Self::Ellipsoid { .. }
            | Self::Box { .. }
            | Self::Convex { .. }
            | Self::Plane { .. }
            | Self::HalfSpace { .. } => S::zero(),
        }
    }
}

/// A shape with its place in the frame of its entity.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface<S> {
    /// The shape, in its own frame.
    pub shape: Shape<S>,
    /// Where that frame is in the entity's frame.
    pub placement: Placement<S>,
}

impl<S: Scalar> Surface<S> {
    /// The shape at the origin of its entity.
    #[must_use]
    pub fn centred(shape: Shape<S>) -> Self {
        Self {
            shape,
            placement: Placement::identity(),
        }
    }
}
