//! The contacts of boxes and capsules with each other, against what is known apart: the distance of the whole shapes, a solution of the two lines by
//! hand, differences along motions, and a clipper of polygons that shares nothing with them.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on must stop")]

use dyverse_mech::{
    ClosestPoints, ContactPair, EntityState, Feature, Placement, Shape, Side, Surface, separation,
};
use dyverse_num::{Quaternion, Vec3};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

use crate::sharp::Random;

/// What doubles lose in gaps of things of about a metre.
const ROUNDING: f64 = 1e-12;

fn vec3(range: std::ops::Range<f64>) -> impl Strategy<Value = Vec3<f64>> {
    (range.clone(), range.clone(), range).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn orientation() -> impl Strategy<Value = Quaternion<f64>> {
    let turned =
        (0.1..1.0_f64, vec3(-1.0..1.0)).prop_map(|(w, v)| Quaternion::new(w, v.x, v.y, v.z).normalized());
    let aligned = prop::sample::select(vec![
        Quaternion::identity(),
        Quaternion::new(0.0, 1.0, 0.0, 0.0),
        Quaternion::new(0.5, 0.5, 0.5, 0.5),
    ]);
    prop_oneof![3 => turned, 1 => aligned]
}

fn placement() -> impl Strategy<Value = Placement<f64>> {
    (vec3(-3.0..3.0), orientation()).prop_map(|(position, orientation)| Placement {
        position,
        orientation,
    })
}

fn polytope() -> impl Strategy<Value = Shape<f64>> {
    prop_oneof![
        (0.1..1.0_f64, 0.1..2.0_f64).prop_map(|(radius, half_length)| Shape::Capsule { radius, half_length }),
        (vec3(0.1..1.5), 0.1..0.6_f64)
            .prop_map(|(half_extents, radius)| Shape::RoundedBox { half_extents, radius }),
        (any::<u64>(), 0.1..0.6_f64).prop_map(|(seed, radius)| {
            let solid = Random(seed).hull();
            Shape::RoundedConvex { solid, radius }
        }),
    ]
}

/// The same, or a box or hull with sharp edges.
fn any_polytope() -> impl Strategy<Value = Shape<f64>> {
    prop_oneof![
        4 => polytope(),
        1 => vec3(0.1..1.5).prop_map(|half_extents| Shape::Box { half_extents }),
        2 => any::<u64>().prop_map(|seed| Shape::Convex { solid: Random(seed).hull() }),
    ]
}

fn surface(shape: Shape<f64>) -> Surface<f64> {
    Surface {
        shape,
        placement: Placement::identity(),
    }
}

/// All contacts of two shapes.
fn contacts(first: &Shape<f64>, second: &Shape<f64>) -> Vec<ContactPair<f64>> {
    let (a, b) = (surface(first.clone()), surface(second.clone()));
    Feature::touching(first, second)
        .into_iter()
        .map(|(i, j)| ContactPair::new((&a, i), (&b, j), Side::Front).unwrap())
        .collect()
}

fn moved(state: &EntityState<f64>, dt: f64) -> EntityState<f64> {
    let rate = state.orientation_rate();
    let q = &state.orientation;
    EntityState {
        position: state.position + state.velocity.scale(&dt),
        orientation: Quaternion::new(
            q.w + dt * rate.w,
            q.x + dt * rate.x,
            q.y + dt * rate.y,
            q.z + dt * rate.z,
        )
        .normalized(),
        ..*state
    }
}

#[test]
fn as_many_as_the_table_says() {
    let ones = Vec3::new(1.0, 1.0, 1.0);
    let (normal, offset) = (Vec3::unit_z(), 0.0);
    let block = &Shape::RoundedBox {
        half_extents: ones,
        radius: 0.1,
    };
    let capsule = &Shape::Capsule {
        radius: 0.1,
        half_length: 1.0,
    };
    let ball = &Shape::Sphere { radius: 1.0 };
    let ellipsoid = &Shape::Ellipsoid { semi_axes: ones };
    let plane = &Shape::Plane { normal, offset };
    let half_space = &Shape::HalfSpace { normal, offset };
    for (first, second, count) in [
        (block, block, 160),
        (capsule, block, 22),
        (capsule, capsule, 5),
        (block, plane, 8),
        (capsule, half_space, 2),
        (ball, block, 1),
        (ellipsoid, capsule, 1),
        (ball, plane, 1),
    ] {
        for pairs in [Feature::touching(first, second), Feature::touching(second, first)] {
            assert_eq!(pairs.len(), count, "{first:?} {second:?}");
            let mut apart = pairs.clone();
            apart.sort();
            apart.dedup();
            assert_eq!(apart.len(), count);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    /// The least gap of all contacts is the distance of the shapes, and so is the least closing gap: some contact has the place for its own.
    #[test]
    fn least_gap_is_the_distance(a in any_polytope(), b in polytope(), p in placement(), q in placement()) {
        let truth = separation(&a, &p, &b, &q).unwrap().gap;
        prop_assume!(truth > 1e-3 - a.swept_radius() - b.swept_radius());
        let all: Vec<ClosestPoints<f64>> = contacts(&a, &b).iter().map(|pair| pair.closest_points(&p, &q).unwrap()).collect();
        let least = |f: fn(&ClosestPoints<f64>) -> f64| all.iter().map(f).fold(f64::INFINITY, f64::min);
        prop_assert!((least(|c| c.gap) - truth).abs() <= 1e-9, "{} {truth}", least(|c| c.gap));
        // Parallel edges that are closest by an angle of rounding are left to corners.
        prop_assert!((least(|c| c.closing_gap()) - truth).abs() <= 1e-9, "{} {truth}", least(|c| c.closing_gap()));
        for points in &all {
            prop_assert!(points.closing_gap() >= points.gap);
            prop_assert!((points.normal.norm() - 1.0).abs() <= ROUNDING);
            let apart = points.on_second - points.on_first;
            prop_assert!((apart.dot(&points.normal) - points.gap).abs() <= ROUNDING);
        }
    }

    /// Edges have an overshoot above zero exactly where the closest points of their lines lie outside of them.
    #[test]
    fn edges_cross_where_their_lines_are_closest_inside(
        g in 0.1..2.0_f64, h in 0.1..2.0_f64, p in placement(), q in placement()
    ) {
        let capsule = |half_length: f64| Shape::Capsule { radius: 0.1, half_length };
        let pair = ContactPair::new((&surface(capsule(g)), Feature::Whole), (&surface(capsule(h)), Feature::Whole), Side::Front).unwrap();
        let overshoot = pair.closest_points(&p, &q).unwrap().overshoot.unwrap();
        let z = Vec3::new(0.0, 0.0, 1.0);
        let (d, e, w) = (p.orientation.rotate(&z), q.orientation.rotate(&z), q.position - p.position);
        // w + t e − s d is at a right angle to both: two equations.
        let b = d.dot(&e);
        prop_assume!(1.0 - b * b > 1e-4);
        let t = (b * w.dot(&d) - w.dot(&e)) / (1.0 - b * b);
        let s = w.dot(&d) + b * t;
        let sine = (1.0 - b * b).sqrt();
        let beyond = ((s.abs() - g) * sine).max((t.abs() - h) * sine);
        prop_assert!((overshoot - beyond).abs() <= 1e-9, "{overshoot} {beyond}");
    }

    /// Along motions that turn two edges through parallel in one plane the closing gap is continuous: no jump is left where steps get short.
    #[test]
    fn closing_gap_is_continuous(
        g in 0.1..1.0_f64, h in 0.1..1.0_f64, w in vec3(-1.0..1.0), v in vec3(-1.0..1.0), rate in 0.5..2.0_f64
    ) {
        let capsule = |half_length: f64| Shape::Capsule { radius: 0.1, half_length };
        let pair = ContactPair::new((&surface(capsule(g)), Feature::Whole), (&surface(capsule(h)), Feature::Whole), Side::Front).unwrap();
        let at = |t: f64| {
            let half = 0.5 * rate * t;
            let q = Placement { position: w + Vec3::new(1.5, 0.0, 0.0) + v.scale(&t), orientation: Quaternion::new(half.cos(), half.sin(), 0.0, 0.0) };
            pair.closest_points(&Placement::identity(), &q).unwrap().closing_gap()
        };
        let largest = |from: f64, to: f64| {
            let values: Vec<f64> = (0..=2000).map(|n| at(from + (to - from) * f64::from(n) / 2000.0)).collect();
            values.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max)
        };
        // Within θ_min of parallel the overshoot goes to that of parallel edges, in about 1e-6 rad: steep, and continuous.
        prop_assert!(largest(-0.5, -1e-5).max(largest(1e-5, 0.5)) <= 0.01);
        prop_assert!(largest(-1e-5, 1e-5) <= 0.2, "{}", largest(-1e-5, 1e-5));
        prop_assert!(largest(-1e-7, 1e-7) <= 0.002, "{}", largest(-1e-7, 1e-7));
    }

    /// dg_N is the slope of the gap along the motion, for every contact.
    #[test]
    fn velocities_are_slopes_of_gaps(
        a in any_polytope(), b in polytope(), p in placement(), q in placement(),
        v in vec3(-1.0..1.0), w in vec3(-1.0..1.0)
    ) {
        let truth = separation(&a, &p, &b, &q).unwrap().gap;
        prop_assume!(truth > 0.01);
        let state = |at: &Placement<f64>, velocity: Vec3<f64>, angular_velocity: Vec3<f64>| EntityState {
            position: at.position, orientation: at.orientation, velocity, angular_velocity,
        };
        let (one, two) = (state(&p, v, w), state(&q, w, v));
        for pair in contacts(&a, &b) {
            let k = pair.kinematics(&one, &two).unwrap();
            // No finer than a kink allows: pieces must not change between.
            let dt = 1e-6;
            let gap = |dt: f64| pair.closest_points(&moved(&one, dt).placement(), &moved(&two, dt).placement()).unwrap().gap;
            let slope = (gap(dt) - gap(-dt)) / (2.0 * dt);
            prop_assert!((slope - k.normal_velocity).abs() <= 1e-4, "{slope} {}", k.normal_velocity);
        }
    }

    /// Faces on each other touch at the vertices of the polygon that they share, and nowhere else.
    #[test]
    fn faces_touch_at_the_vertices_of_their_polygon(
        a in vec3(0.1..0.6), b in vec3(0.1..0.6), x in -0.7..0.7_f64, y in -0.7..0.7_f64,
        angle in prop_oneof![3 => -1.5..1.5_f64, 2 => Just(0.0)], flush in 0..4_u8, radius in 0.01..0.2_f64
    ) {
        let (x, y) = match flush {
            1 if angle == 0.0 => (a.x - b.x, y),
            2 if angle == 0.0 => (a.x - b.x, a.y - b.y),
            3 if angle == 0.0 => (0.0, 0.0),
            _ => (x, y),
        };
        on_each_other(&a, &b, (x, y), angle, radius)?;
    }
}

/// A polygon, anticlockwise.
type Polygon = Vec<[f64; 2]>;

/// The part of a polygon on the left of the line from p to q, by Sutherland and Hodgman.
fn left_of(polygon: &Polygon, p: [f64; 2], q: [f64; 2]) -> Polygon {
    let side = |v: [f64; 2]| (q[0] - p[0]) * (v[1] - p[1]) - (q[1] - p[1]) * (v[0] - p[0]);
    let mut kept = Vec::new();
    for (n, v) in polygon.iter().enumerate() {
        let next = polygon[(n + 1) % polygon.len()];
        let (here, there) = (side(*v), side(next));
        if here >= 0.0 {
            kept.push(*v);
        }
        if here * there < 0.0 {
            let part = here / (here - there);
            kept.push([v[0] + part * (next[0] - v[0]), v[1] + part * (next[1] - v[1])]);
        }
    }
    kept
}

/// Points each once.
fn apart(points: impl IntoIterator<Item = [f64; 2]>) -> Polygon {
    let mut found: Polygon = Vec::new();
    for point in points {
        if found
            .iter()
            .all(|p| (p[0] - point[0]).hypot(p[1] - point[1]) > 1e-6)
        {
            found.push(point);
        }
    }
    found
}

fn on_each_other(
    a: &Vec3<f64>,
    b: &Vec3<f64>,
    (x, y): (f64, f64),
    angle: f64,
    radius: f64,
) -> Result<(), TestCaseError> {
    let (sine, cosine) = angle.sin_cos();
    let corners = |h: &Vec3<f64>| [[-h.x, -h.y], [h.x, -h.y], [h.x, h.y], [-h.x, h.y]];
    let upper: Vec<[f64; 2]> = corners(b)
        .iter()
        .map(|[u, v]| [x + cosine * u - sine * v, y + sine * u + cosine * v])
        .collect();
    let lower = corners(a);
    let mut shared = upper.clone();
    for n in 0..4 {
        shared = left_of(&shared, lower[n], lower[(n + 1) % 4]);
    }
    let shared = apart(shared);
    // Corners that are nearly above the other's edge touch within the tolerance: no polygon tells those.
    let clear = |points: &[[f64; 2]], centre: (f64, f64), turn: (f64, f64), h: &Vec3<f64>| {
        points.iter().all(|p| {
            let (u, v) = (p[0] - centre.0, p[1] - centre.1);
            let local = [turn.0 * u + turn.1 * v, turn.0 * v - turn.1 * u];
            let beyond = [local[0].abs() - h.x, local[1].abs() - h.y];
            beyond.iter().all(|d| d.abs() < 1e-14 || d.abs() > 1e-4)
        })
    };
    prop_assume!(clear(&upper, (0.0, 0.0), (1.0, 0.0), a) && clear(&lower, (x, y), (cosine, sine), b));
    // Areas of rounding are no polygons.
    prop_assume!(shared.is_empty() || shared.len() > 2);
    let below = Shape::RoundedBox {
        half_extents: *a,
        radius,
    };
    let above = Shape::RoundedBox {
        half_extents: *b,
        radius,
    };
    let p = Placement::identity();
    let q = Placement {
        position: Vec3::new(x, y, a.z + b.z + 2.0 * radius),
        orientation: Quaternion::new((0.5 * angle).cos(), 0.0, 0.0, (0.5 * angle).sin()),
    };
    let touching = contacts(&below, &above).into_iter().filter_map(|pair| {
        let points = pair.closest_points(&p, &q).unwrap();
        (points.closing_gap() <= 1e-10).then_some([points.on_first.x, points.on_first.y])
    });
    let touching = apart(touching);
    let is_among = |point: &[f64; 2], others: &Polygon| {
        others
            .iter()
            .any(|o| (o[0] - point[0]).hypot(o[1] - point[1]) <= 1e-6)
    };
    for point in &touching {
        prop_assert!(is_among(point, &shared), "{point:?} is no vertex of {shared:?}");
    }
    for vertex in &shared {
        prop_assert!(
            is_among(vertex, &touching),
            "{vertex:?} does not touch: {touching:?}"
        );
    }
    Ok(())
}
