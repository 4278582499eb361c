//! Hulls of points: their faces, mass and gaps, against closed forms, boxes, and feature by feature over triangles and segments.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on must stop")]

use std::sync::Arc;

use dyverse_mech::{
    ContactPair, EntityState, Feature, GapKind, Hull, HullError, Placement, Polytope, Shape, Side, Surface,
    closest_points, enclose_separation, mass_properties, separation,
};
use dyverse_num::{Interval, Mat3, Quaternion, Vec3};

use crate::sharp::Random;

fn v(x: f64, y: f64, z: f64) -> Vec3<f64> {
    Vec3::new(x, y, z)
}

fn hull(points: &[Vec3<f64>]) -> Hull {
    Polytope::hull(points).unwrap()
}

fn convex(points: &[Vec3<f64>]) -> Shape<f64> {
    Shape::Convex {
        solid: Arc::new(hull(points).solid),
    }
}

fn corners_of_box(h: &Vec3<f64>) -> Vec<Vec3<f64>> {
    let sign = |n: u8, bit: u8| if n >> bit & 1 == 1 { 1.0 } else { -1.0 };
    let corner = |n: u8| v(sign(n, 0) * h.x, sign(n, 1) * h.y, sign(n, 2) * h.z);
    (0..8).map(corner).collect()
}

fn dodecahedron() -> Vec<Vec3<f64>> {
    let g = 0.5 * (1.0 + 5.0_f64.sqrt());
    let mut points = corners_of_box(&v(1.0, 1.0, 1.0));
    for (a, b) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
        points.push(v(0.0, a / g, b * g));
        points.push(v(a / g, b * g, 0.0));
        points.push(v(a * g, 0.0, b / g));
    }
    points
}

fn counts(hull: &Hull) -> (usize, usize, usize) {
    let outline = &hull.solid.outline;
    (outline.faces.len(), outline.edges.len(), hull.solid.corners.len())
}

fn turned(rng: &mut Random, points: &[Vec3<f64>], size: f64) -> Vec<Vec3<f64>> {
    let at = Placement {
        position: rng.vec3(3.0),
        orientation: rng.orientation(),
    };
    points.iter().map(|p| at.apply(p).scale(&size)).collect()
}

/// Regular solids have their faces, however turned, moved and scaled; points on faces and edges, inside and given twice are no corners.
#[test]
fn regular_solids_have_their_faces() {
    let cube = corners_of_box(&v(1.0, 1.0, 1.0));
    let octahedron: Vec<Vec3<f64>> = [Vec3::unit_x(), Vec3::unit_y(), Vec3::unit_z()]
        .into_iter()
        .flat_map(|e: Vec3<f64>| [e, -e])
        .collect();
    let prism: Vec<Vec3<f64>> = (0..16)
        .flat_map(|n| {
            let (sine, cosine) = (f64::from(n) * std::f64::consts::PI / 8.0).sin_cos();
            [v(cosine, sine, 0.1), v(cosine, sine, -0.1)]
        })
        .collect();
    let mut grid = Vec::new();
    for x in 0..4 {
        for y in 0..4 {
            for z in 0..4 {
                grid.push(v(f64::from(x), f64::from(y), 0.7 * f64::from(z)));
            }
        }
    }
    grid.push(v(3.0, 0.0, 0.0));
    let mut rng = Random(5);
    for (points, expected) in [
        (
            vec![
                v(0.0, 0.0, 0.0),
                v(1.0, 0.0, 0.0),
                v(0.0, 1.0, 0.0),
                v(0.0, 0.0, 1.0),
            ],
            (4, 6, 4),
        ),
        (cube, (6, 12, 8)),
        (octahedron, (8, 12, 6)),
        (dodecahedron(), (12, 30, 20)),
        (prism, (18, 48, 32)),
        (grid, (6, 12, 8)),
    ] {
        assert_eq!(counts(&hull(&points)), expected);
        for size in [1.0, 1e-6, 1e5] {
            for _ in 0..50 {
                assert_eq!(counts(&hull(&turned(&mut rng, &points, size))), expected);
            }
        }
    }
}

/// Of random points: no point is above a face, faces are flat and go round counterclockwise, every edge joins two, corners are of the points and in their order.
#[test]
fn hulls_of_random_points_hold_them() {
    let mut rng = Random(7);
    let mut most = 0;
    for case in 0..2000 {
        let count = 4 + case % 40;
        let points: Vec<Vec3<f64>> = (0..count).map(|_| rng.vec3(1.0)).collect();
        let Ok(found) = Polytope::hull(&points) else {
            continue;
        };
        let (faces, edges, corners) = counts(&found);
        most = most.max(corners);
        assert_eq!(faces + corners, edges + 2);
        assert!(found.corners.windows(2).all(|two| two[0] < two[1]));
        for (corner, point) in found.solid.corners.iter().zip(&found.corners) {
            assert_eq!(*corner, points[*point]);
        }
        for (plane, around) in found.solid.planes.iter().zip(&found.solid.outline.faces) {
            assert!(points.iter().all(|p| plane.above(p) < 1e-12));
            assert!(around.len() >= 3);
        }
        for edge in &found.solid.outline.edges {
            let [a, b] = edge.ends.map(|c| found.solid.corners[usize::from(c.0)]);
            for face in edge.faces {
                let plane = &found.solid.planes[usize::from(face.0)];
                assert!(plane.above(&a).abs() < 1e-12 && plane.above(&b).abs() < 1e-12);
            }
        }
    }
    assert!(most > 20, "{most}");
}

#[test]
fn points_without_a_solid_are_refused() {
    let line = |n: u8| v(f64::from(n), 2.0 * f64::from(n), 0.0);
    let flat = |n: u8| v(f64::from(n), f64::from(n * n), 1.0);
    let plate = [
        v(0.0, 0.0, 0.0),
        v(1.0, 0.0, 0.0),
        v(0.0, 1.0, 0.0),
        v(0.0, 0.0, 1.0),
    ];
    let with = |p: Vec3<f64>| plate.into_iter().chain([p]).collect::<Vec<_>>();
    let ball: Vec<Vec3<f64>> = (0..40)
        .map(|n| {
            let (z, angle) = (-0.975 + 0.05 * f64::from(n), 2.4 * f64::from(n));
            v(
                (1.0 - z * z).sqrt() * angle.cos(),
                (1.0 - z * z).sqrt() * angle.sin(),
                z,
            )
        })
        .collect();
    for (points, error) in [
        (plate[..3].to_vec(), HullError::Count),
        (vec![v(1.0, 2.0, 3.0); 5], HullError::Point),
        ((0..6).map(line).collect(), HullError::Line),
        ((0..6).map(flat).collect(), HullError::Plane),
        (with(v(f64::NAN, 0.0, 0.0)), HullError::NotFinite),
        (with(v(f64::INFINITY, 0.0, 0.0)), HullError::NotFinite),
        (with(v(0.3, 0.3, -1e-7)), HullError::Undecided(vec![4])),
        (with(v(0.5, -1e-7, 0.0)), HullError::Undecided(vec![4])),
        (with(v(1e-7, 0.0, 0.0)), HullError::Undecided(vec![4])),
        (ball, HullError::Corners(40)),
    ] {
        assert_eq!(Polytope::hull(&points).unwrap_err(), error);
    }
    assert_eq!(counts(&hull(&with(v(0.3, 0.3, -1e-5)))).2, 5);
    assert_eq!(counts(&hull(&with(v(0.3, 0.3, -1e-11)))).2, 4);
}

/// Whatever the numbers: an answer or an error, and no other end.
#[test]
fn no_points_make_it_fail() {
    let mut rng = Random(13);
    let specials = [
        0.0,
        -0.0,
        1.0,
        1e-300,
        1e300,
        f64::MAX,
        f64::NAN,
        f64::INFINITY,
        1e-9,
        1e-6,
        0.5,
    ];
    let mut found = 0;
    for _ in 0..20_000 {
        let count = 4 + (rng.between(0.0, 12.0) as usize);
        let most = if rng.between(0.0, 1.0) < 0.5 { 3.0 } else { 11.0 };
        let mut pick = || specials[(rng.between(0.0, most) as usize).min(10)];
        let points: Vec<Vec3<f64>> = (0..count).map(|_| v(pick(), pick(), pick())).collect();
        found += usize::from(Polytope::hull(&points).is_ok());
    }
    assert!(found > 100, "{found}");
}

fn near(found: &Mat3<f64>, expected: &Mat3<f64>, tolerance: f64) {
    let size = expected.trace();
    for column in [Vec3::unit_x(), Vec3::unit_y(), Vec3::unit_z()] {
        let off = (found.apply(&column) - expected.apply(&column)).norm();
        assert!(off <= tolerance * size, "{found:?} {expected:?}");
    }
}

/// A box by its corners has the mass of a box; a regular tetrahedron of side s and mass m has I = m s²/20, an octahedron m s²/10; the corner of a cube V = abc/6 and its centroid at (a, b, c)/4;
/// and whatever is moved and turned keeps its own.
#[test]
fn masses_are_those_of_closed_forms() {
    let mut rng = Random(19);
    for _ in 0..200 {
        let h = rng.half_extents();
        let by_corners = mass_properties(&convex(&corners_of_box(&h)), &3.0).unwrap();
        let block = mass_properties(&Shape::Box { half_extents: h }, &3.0).unwrap();
        assert!((by_corners.mass / block.mass - 1.0).abs() < 1e-14);
        assert!(by_corners.centroid.norm() < 1e-15);
        near(&by_corners.inertia, &block.inertia, 1e-14);
        let corner = [Vec3::zero(), v(h.x, 0.0, 0.0), v(0.0, h.y, 0.0), v(0.0, 0.0, h.z)];
        let corner = mass_properties(&convex(&corner), &1.0).unwrap();
        assert!((corner.mass / (h.x * h.y * h.z / 6.0) - 1.0).abs() < 1e-14);
        assert!((corner.centroid - h.scale(&0.25)).norm() < 1e-15);
        // About its centroid, I_xx = 3 m (b² + c²)/80, I_xy = m a b/80.
        let (xx, xy) = (corner.inertia.rows.x.x, corner.inertia.rows.x.y);
        assert!((xx / (3.0 / 80.0 * corner.mass * (h.y * h.y + h.z * h.z)) - 1.0).abs() < 1e-12);
        assert!((xy / (corner.mass * h.x * h.y / 80.0) - 1.0).abs() < 1e-12);
        let at = Placement {
            position: rng.vec3(2.0),
            orientation: rng.orientation(),
        };
        let solid = rng.hull();
        let own = mass_properties(&Shape::Convex { solid: solid.clone() }, &2.0).unwrap();
        let moved: Vec<Vec3<f64>> = solid.corners.iter().map(|c| at.apply(c)).collect();
        let moved = mass_properties(&convex(&moved), &2.0).unwrap();
        let expected = own.placed(&at);
        assert!((moved.mass / expected.mass - 1.0).abs() < 1e-13);
        assert!((moved.centroid - expected.centroid).norm() < 1e-13);
        near(&moved.inertia, &expected.inertia, 1e-12);
    }
    let regular = [
        v(1.0, 1.0, 1.0),
        v(1.0, -1.0, -1.0),
        v(-1.0, 1.0, -1.0),
        v(-1.0, -1.0, 1.0),
    ];
    for (points, side, part) in [
        (turned(&mut rng, &regular, 0.3), 0.3 * 8.0_f64.sqrt(), 20.0),
        (
            vec![
                v(1.0, 0.0, 0.0),
                v(-1.0, 0.0, 0.0),
                v(0.0, 1.0, 0.0),
                v(0.0, -1.0, 0.0),
                v(0.0, 0.0, 1.0),
                v(0.0, 0.0, -1.0),
            ],
            2.0_f64.sqrt(),
            10.0,
        ),
    ] {
        let found = mass_properties(&convex(&points), &1.0).unwrap();
        let moment = found.mass * side * side / part;
        near(&found.inertia, &Mat3::identity().scale(&moment), 1e-13);
    }
}

/// Volume and moments on intervals hold those of doubles, in little more than their rounding.
#[test]
fn masses_on_intervals_hold_those_of_doubles() {
    let mut rng = Random(23);
    for _ in 0..50 {
        let shape = Shape::Convex { solid: rng.hull() };
        let found = mass_properties(&shape, &2.0).unwrap();
        let enclosed = mass_properties(&shape.map(|c| Interval::point(*c)), &Interval::point(2.0)).unwrap();
        assert!(enclosed.mass.contains(found.mass) && enclosed.mass.width() < 1e-12 * found.mass);
        assert!(enclosed.inertia.rows.x.y.contains(found.inertia.rows.x.y));
    }
}

/// The point of a triangle nearest to the origin, by its inside and its three sides.
fn nearest_of_triangle(a: &Vec3<f64>, b: &Vec3<f64>, c: &Vec3<f64>) -> f64 {
    let n = (*b - *a).cross(&(*c - *a));
    let is_left = |p: &Vec3<f64>, q: &Vec3<f64>| (*q - *p).cross(&-*p).dot(&n) >= 0.0;
    if is_left(a, b) && is_left(b, c) && is_left(c, a) {
        return (n.dot(a) / n.norm()).abs();
    }
    let side = |p: &Vec3<f64>, q: &Vec3<f64>| {
        let d = *q - *p;
        let s = (-p.dot(&d) / d.norm_squared()).clamp(0.0, 1.0);
        (*p + d.scale(&s)).norm()
    };
    side(a, b).min(side(b, c)).min(side(c, a))
}

/// How far two segments are apart: the least over their parallelogram of differences, as two triangles.
fn segments(a: [Vec3<f64>; 2], b: [Vec3<f64>; 2]) -> f64 {
    let [p, q, r, s] = [b[0] - a[0], b[0] - a[1], b[1] - a[1], b[1] - a[0]];
    nearest_of_triangle(&p, &q, &r).min(nearest_of_triangle(&p, &r, &s))
}

struct Faceted {
    corners: Vec<Vec3<f64>>,
    triangles: Vec<[Vec3<f64>; 3]>,
    edges: Vec<[Vec3<f64>; 2]>,
}

fn faceted(solid: &Polytope<f64>, at: &Placement<f64>) -> Faceted {
    let corners: Vec<Vec3<f64>> = solid.corners.iter().map(|c| at.apply(c)).collect();
    let of = |c: dyverse_mech::CornerIx| corners[usize::from(c.0)];
    let mut triangles = Vec::new();
    for face in &solid.outline.faces {
        for two in face[1..].windows(2) {
            triangles.push([of(face[0]), of(two[0]), of(two[1])]);
        }
    }
    let edges = solid.outline.edges.iter().map(|e| e.ends.map(of)).collect();
    Faceted {
        corners,
        triangles,
        edges,
    }
}

/// The distance of the surfaces of two solids: corners with triangles both ways, edges with edges.
fn apart(a: &Faceted, b: &Faceted) -> f64 {
    let mut least = f64::INFINITY;
    for (one, two) in [(a, b), (b, a)] {
        for p in &one.corners {
            for [x, y, z] in &two.triangles {
                least = least.min(nearest_of_triangle(&(*x - *p), &(*y - *p), &(*z - *p)));
            }
        }
    }
    for d in &a.edges {
        for e in &b.edges {
            least = least.min(segments(*d, *e));
        }
    }
    least
}

/// The best gap of shadows: over normals of triangles and cross products of edges.
fn shadows(a: &Faceted, b: &Faceted) -> f64 {
    let normals = a.triangles.iter().chain(&b.triangles);
    let mut directions: Vec<Vec3<f64>> = normals.map(|[x, y, z]| (*y - *x).cross(&(*z - *x))).collect();
    for [p, q] in &a.edges {
        directions.extend(b.edges.iter().map(|[r, s]| (*q - *p).cross(&(*s - *r))));
    }
    let mut best = f64::NEG_INFINITY;
    for u in directions.into_iter().filter(|u| u.norm() > 1e-6) {
        let u = u.normalized();
        let span = |f: &Faceted| {
            let along = f.corners.iter().map(|c| u.dot(c));
            along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
                (low.min(x), high.max(x))
            })
        };
        let ((a0, a1), (b0, b1)) = (span(a), span(b));
        best = best.max(b0 - a1).max(a0 - b1);
    }
    best
}

fn placed(rng: &mut Random, far: f64) -> Placement<f64> {
    Placement {
        position: rng.vec3(far),
        orientation: rng.orientation(),
    }
}

/// Gaps of hulls with hulls, rounded or not: distances where they are apart, depths where they overlap; on intervals they are enclosed; wholes have the same gap where they are apart.
#[test]
fn gaps_are_distances_and_depths() {
    let mut rng = Random(31);
    let (mut free, mut deep) = (0, 0);
    for _ in 0..1500 {
        let (one, two) = (rng.hull(), rng.hull());
        let (p, q) = (placed(&mut rng, 1.3), placed(&mut rng, 1.3));
        let (a, b) = (faceted(&one, &p), faceted(&two, &q));
        let depth = shadows(&a, &b);
        let expected = if depth > 0.0 { apart(&a, &b) } else { depth };
        let radius = rng.between(0.0, 0.2);
        let first = Shape::Convex { solid: one };
        let second = Shape::RoundedConvex { solid: two, radius };
        let found = separation(&first, &p, &second, &q).unwrap();
        // The direction of a difference this short is known to fewer digits.
        let tolerance = match found.kind {
            GapKind::Exact => 1e-11,
            GapKind::LowerBound => 1e-15 / depth,
        };
        assert!(
            found.kind == GapKind::Exact || (0.0..1e-4).contains(&depth),
            "{depth}"
        );
        assert!(
            (found.gap - (expected - radius)).abs() < tolerance,
            "{} {expected} {radius}",
            found.gap
        );
        let exact = |at: &Placement<f64>| at.map(|c| Interval::point(*c));
        let enclosed = enclose_separation(
            &first.map(|c| Interval::point(*c)),
            &exact(&p),
            &second.map(|c| Interval::point(*c)),
            &exact(&q),
        )
        .unwrap();
        assert!(enclosed.lo() <= found.gap + 1e-12);
        if depth > 0.0 {
            free += 1;
            assert!(enclosed.contains(expected - radius) || enclosed.width() < 1e-12);
            assert!(enclosed.width() < 1e-9, "{enclosed:?}");
            let whole = closest_points((&first, &p), (&second, &q), Side::Front).unwrap();
            assert!((whole.gap - (expected - radius)).abs() < 1e-11);
        } else {
            deep += 1;
        }
    }
    assert!(free > 300 && deep > 300, "{free} {deep}");
}

/// Balls and ellipsoids with hulls: a ball against triangles; an ellipsoid that is a ball as the ball; an ellipsoid with a box by its corners as with the box.
#[test]
fn round_things_have_their_gaps_to_hulls() {
    let mut rng = Random(37);
    let mut seen = 0;
    for _ in 0..1500 {
        let solid = rng.hull();
        let (p, q) = (placed(&mut rng, 0.8), placed(&mut rng, 1.6));
        let facets = faceted(&solid, &p);
        if solid.beyond(&p.apply_back(&q.position)) < 1e-3 {
            continue;
        }
        seen += 1;
        let triangles = facets.triangles.iter();
        let distances = triangles.map(|t| {
            let [x, y, z] = t.map(|c| c - q.position);
            nearest_of_triangle(&x, &y, &z)
        });
        let expected = distances.fold(f64::INFINITY, f64::min) - 0.1;
        let shape = Shape::Convex { solid };
        let ball = Shape::Sphere { radius: 0.1 };
        let found = closest_points((&ball, &q), (&shape, &p), Side::Front).unwrap();
        assert!((found.gap - expected).abs() < 1e-13, "{} {expected}", found.gap);
        assert!((found.on_second - found.on_first - found.normal.scale(&found.gap)).norm() < 1e-13);
        let as_ellipsoid = Shape::Ellipsoid {
            semi_axes: v(0.1, 0.1, 0.1),
        };
        let disguised = closest_points((&shape, &p), (&as_ellipsoid, &q), Side::Front).unwrap();
        assert!(
            (disguised.gap - expected).abs() < 1e-11,
            "{} {expected}",
            disguised.gap
        );
        let h = rng.half_extents();
        let semi_axes = rng.half_extents().scale(&0.3);
        let ellipsoid = Shape::Ellipsoid { semi_axes };
        let block = Shape::Box { half_extents: h };
        let by_corners = convex(&corners_of_box(&h));
        let far = Placement {
            position: q.position.scale(&(2.5 / q.position.norm())) + p.position,
            ..q
        };
        let one = closest_points((&ellipsoid, &far), (&block, &p), Side::Front).unwrap();
        let two = closest_points((&ellipsoid, &far), (&by_corners, &p), Side::Front).unwrap();
        assert!((one.gap - two.gap).abs() < 1e-12 && (one.normal - two.normal).norm() < 1e-6);
    }
    assert!(seen > 800, "{seen}");
}

fn moved(state: &EntityState<f64>, dt: f64) -> EntityState<f64> {
    let angle = state.angular_velocity.norm() * dt;
    let turn = Quaternion::from_axis_angle(&state.angular_velocity.normalized(), &angle);
    EntityState {
        position: state.position + state.velocity.scale(&dt),
        orientation: (turn * state.orientation).normalized(),
        ..*state
    }
}

/// A ball that moves about a hull: velocities are slopes of gaps, biases slopes of velocities; the piece tells the region, its function falls through zero where the region ends, and on the piece nothing jumps there.
#[test]
fn a_ball_goes_from_face_to_edge_to_corner() {
    let mut rng = Random(41);
    let mut ends = 0;
    let near = (1e-12, 1e-9);
    for _ in 0..600 {
        let surface = Surface {
            shape: Shape::Convex { solid: rng.hull() },
            placement: placed(&mut rng, 0.3),
        };
        let ball = Surface::centred(Shape::Sphere { radius: 0.05 });
        let whole = Feature::Whole;
        let pair = ContactPair::new((&surface, whole), (&ball, whole), Side::Front).unwrap();
        assert_eq!(pair.pieces(), 1);
        let state = |rng: &mut Random, far: f64| {
            let at = placed(rng, far);
            EntityState {
                position: at.position,
                orientation: at.orientation,
                velocity: rng.vec3(1.0),
                angular_velocity: rng.vec3(1.0),
            }
        };
        let (one, mut two) = (state(&mut rng, 0.1), state(&mut rng, 1.0));
        two.position = two.position.scale(&(2.5 / two.position.norm()));
        let piece = pair.piece(&one, &two, near);
        let on = |dt: f64| {
            pair.kinematics_on(&moved(&one, dt), &moved(&two, dt), None, &piece)
                .unwrap()
        };
        let tells = |dt: f64| {
            pair.piece_functions(&moved(&one, dt).placement(), &moved(&two, dt).placement(), &piece)[0]
        };
        assert!(tells(0.0) >= -1e-12);
        let k = on(0.0);
        let free = pair.kinematics(&one, &two).unwrap();
        assert!((k.gap - free.gap).abs() < 1e-14 && (k.normal_bias - free.normal_bias).abs() < 1e-9);
        let h = 1e-4;
        let slope = |f: &dyn Fn(f64) -> f64| (f(h) - f(-h)) / (2.0 * h);
        assert!((k.normal_velocity - slope(&|dt| on(dt).gap)).abs() < 1e-6);
        assert!((k.normal_bias - slope(&|dt| on(dt).normal_velocity)).abs() < 1e-5);
        // Where the region ends the gap and the normal of the piece are those of the next one.
        let Some(after) = (1..400).map(|n| 1e-3 * f64::from(n)).find(|dt| tells(*dt) < 0.0) else {
            continue;
        };
        let (mut low, mut high) = (after - 1e-3, after);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if tells(middle) < 0.0 {
                high = middle;
            } else {
                low = middle;
            }
        }
        ends += 1;
        let (a, b) = (moved(&one, high), moved(&two, high));
        let there = pair.kinematics(&a, &b).unwrap();
        assert!((on(high).gap - there.gap).abs() < 1e-12);
        assert!((on(high).normal - there.normal).norm() < 1e-9);
        assert_ne!(pair.piece(&a, &b, near), piece);
    }
    assert!(ends > 100, "{ends}");
}

/// A box by its corners is a box: the same gaps, normals and closing gaps with everything.
#[test]
fn a_box_by_its_corners_is_a_box() {
    let mut rng = Random(43);
    for _ in 0..150 {
        let h = rng.half_extents();
        let block = Shape::Box { half_extents: h };
        let by_corners = convex(&corners_of_box(&h));
        let (p, q) = (placed(&mut rng, 1.0), placed(&mut rng, 1.5));
        for other in [
            Shape::Sphere { radius: 0.1 },
            Shape::Capsule {
                radius: 0.1,
                half_length: 0.4,
            },
            Shape::RoundedBox {
                half_extents: v(0.2, 0.1, 0.3),
                radius: 0.1,
            },
            Shape::Box {
                half_extents: v(0.2, 0.1, 0.3),
            },
            Shape::Plane {
                normal: v(0.3, 0.1, 0.9),
                offset: -2.0,
            },
        ] {
            if separation(&block, &p, &other, &q).unwrap().gap < 1e-6 {
                continue;
            }
            let gaps = |shape: &Shape<f64>| {
                let pairs = Feature::touching(shape, &other).into_iter().map(|(i, j)| {
                    let (one, two) = (Surface::centred(shape.clone()), Surface::centred(other.clone()));
                    let pair = ContactPair::new((&one, i), (&two, j), Side::Front).unwrap();
                    pair.closest_points(&p, &q).unwrap().closing_gap()
                });
                let mut gaps: Vec<f64> = pairs.collect();
                gaps.sort_by(f64::total_cmp);
                gaps
            };
            let (one, two) = (gaps(&block), gaps(&by_corners));
            assert_eq!(one.len(), two.len());
            for (x, y) in one.iter().zip(&two) {
                assert!((x - y).abs() < 1e-9 * (1.0 + x.abs()), "{other:?}: {x} {y}");
            }
        }
    }
}

/// The core of a rounded solid: its faces are the same, deeper by r; with a ball of radius r swept over it, it is inside and touches all faces.
#[test]
fn insets_have_the_same_faces() {
    let mut rng = Random(47);
    let (mut more, mut undecided) = (0, 0);
    let pyramid = [
        v(1.0, 0.7, 0.0),
        v(-1.0, 0.7, 0.0),
        v(-1.0, -0.7, 0.0),
        v(1.0, -0.7, 0.0),
        v(0.3, 0.1, 0.9),
    ];
    for case in 0..300 {
        let solid = match case {
            0 => Arc::new(hull(&pyramid).solid),
            1 => Arc::new(hull(&dodecahedron()).solid),
            _ => rng.hull(),
        };
        let r = 1e-3 * solid.half_thickness();
        let shrunk = solid.shrunk(r);
        let heights = shrunk.corners.iter().map(|c| solid.beyond(c));
        assert!((heights.fold(f64::NEG_INFINITY, f64::max) + r).abs() < 1e-12);
        // Corners may come as near to each other as nothing decides.
        let Some(core) = solid.inset(r) else {
            undecided += 1;
            continue;
        };
        more += usize::from(core.corners.len() > solid.corners.len());
        assert_eq!(core.planes.len(), solid.planes.len());
        for (own, deeper) in solid.planes.iter().zip(&core.planes) {
            assert!((own.normal - deeper.normal).norm() < 1e-5, "{case}");
        }
        // Corners that are nearly one have become one.
        for (own, face) in solid.planes.iter().zip(&core.outline.faces) {
            for corner in face {
                let height = own.above(&core.corners[usize::from(corner.0)]);
                assert!((height + r).abs() < 1e-3 * r, "{case} {height} {r}");
            }
        }
        assert_eq!(
            core.corners.len() + core.planes.len(),
            core.outline.edges.len() + 2
        );
        for corner in &core.corners {
            assert!(solid.beyond(corner) < -r * (1.0 - 1e-3));
        }
    }
    assert!(more > 50 && undecided < 6, "{more} {undecided}");
}
