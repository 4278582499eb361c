//! Closest points: symmetry, invariance, optimality, and against methods that share no code with them.

use dyverse_num::Vec3;

use super::random::{BOUNDED, Random, all_pairs};
use crate::{
    ClosestPoints, GapKind, Placement, Shape, ShapeKind, Side, closest_points, separation, support_value,
};

type Placed = (Shape<f64>, Placement<f64>);

fn find(a: &Placed, b: &Placed) -> ClosestPoints<f64> {
    closest_points((&a.0, &a.1), (&b.0, &b.1), Side::Front).unwrap_or_else(|e| panic!("{e}: {a:?} {b:?}"))
}

/// The pair moved along its normal until the gap is `gap`: shifting a shape along the normal by less than its
/// radius of curvature keeps the closest points, so the new gap is known without computing it.
fn with_gap(pair: [Placed; 2], gap: f64) -> [Placed; 2] {
    let [a, (shape, mut at)] = pair;
    let points = find(&a, &(shape.clone(), at));
    at.position = at.position + points.normal.scale(&(gap - points.gap));
    [a, (shape, at)]
}

/// How far a point is off the surface of a shape; about that, for ellipsoids.
fn off_surface((shape, at): &Placed, point: &Vec3<f64>) -> f64 {
    let p = at.apply_back(point);
    let from_box = |h: Vec3<f64>| p.zip(&h, |c, h| (c.abs() - h).max(0.0)).norm();
    match shape {
        Shape::Sphere { radius } => p.norm() - radius,
        Shape::Capsule { radius, half_length } => from_box(Vec3::new(0.0, 0.0, *half_length)) - radius,
        Shape::RoundedBox { half_extents, radius } => from_box(*half_extents) - radius,
        Shape::Box { half_extents } => from_box(*half_extents),
        Shape::Convex { solid } => solid.beyond(&p),
        Shape::RoundedConvex { .. } => panic!("bug: no such shape here"),
        Shape::Ellipsoid { semi_axes } => {
            let level = p.zip(semi_axes, |c, a| c / a).norm_squared() - 1.0;
            level / (2.0 * p.zip(semi_axes, |c, a| c / (a * a)).norm())
        }
        Shape::Plane { normal, offset } | Shape::HalfSpace { normal, offset } => {
            (normal.dot(&p) - offset) / normal.norm()
        }
    }
}

/// How far `point` lies behind the shape's extreme in direction `u`; zero says that u is an outward normal
/// there.
fn behind((shape, at): &Placed, u: &Vec3<f64>, point: &Vec3<f64>) -> f64 {
    match shape {
        Shape::Plane { normal, .. } | Shape::HalfSpace { normal, .. } => {
            let across = at.orientation.rotate(normal).normalized().cross(u);
            across.norm()
        }
        _ => support_value(shape, at, u) - u.dot(point),
    }
}

#[test]
fn points_lie_on_both_surfaces_and_the_normal_is_normal_to_both() {
    let mut rng = Random(11);
    for kinds in all_pairs() {
        for i in 0..400 {
            let ratio = if i % 2 == 0 { 3.0 } else { 100.0 };
            let gap = [1.0, 0.1, 1e-6, 0.0, -1e-4, -1e-3][i % 6];
            let [a, b] = with_gap(rng.pair_with_plane(kinds, ratio, 0.1), gap);
            let found = find(&a, &b);
            let case = || format!("{kinds:?} {i}: {found:?} {a:?} {b:?}");
            assert!(
                (found.gap - gap).abs() < 1e-13,
                "{:e} {}",
                found.gap - gap,
                case()
            );
            assert!((found.normal.norm() - 1.0).abs() < 1e-14, "{}", case());
            let apart = found.on_second - found.on_first;
            assert!(
                (apart - found.normal.scale(&found.gap)).norm() < 1e-13,
                "{}",
                case()
            );
            assert!(off_surface(&a, &found.on_first).abs() < 1e-11, "{}", case());
            assert!(off_surface(&b, &found.on_second).abs() < 1e-11, "{}", case());
            assert!(
                behind(&a, &found.normal, &found.on_first).abs() < 1e-13,
                "{}",
                case()
            );
            assert!(
                behind(&b, &-found.normal, &found.on_second).abs() < 1e-13,
                "{}",
                case()
            );
        }
    }
}

#[test]
fn exchanging_and_moving_both_shapes_changes_nothing_else() {
    let mut rng = Random(12);
    for kinds in all_pairs() {
        for i in 0..300 {
            let gap = [0.5, 1e-3, -1e-4][i % 3];
            let [a, b] = with_gap(rng.pair_with_plane(kinds, 10.0, 0.1), gap);
            let found = find(&a, &b);
            let exchanged = find(&b, &a);
            assert!((found.gap - exchanged.gap).abs() < 1e-13, "{kinds:?}");
            assert!((found.normal + exchanged.normal).norm() < 1e-9, "{kinds:?}");

            let motion = rng.placement(3.0);
            let move_it = |(shape, at): &Placed| (shape.clone(), motion.compose(at));
            let moved = find(&move_it(&a), &move_it(&b));
            assert!(
                (found.gap - moved.gap).abs() < 1e-13,
                "{kinds:?} {:e}",
                found.gap - moved.gap
            );
            let turned = motion.orientation.rotate(&found.normal);
            assert!((turned - moved.normal).norm() < 1e-9, "{kinds:?}");
            // Curvature radii reach 10 (10² at aspect ratio 10), so points feel 1e-15 in the normal as 1e-13.
            if kinds.0 != ShapeKind::RoundedBox || kinds.1 != ShapeKind::RoundedBox {
                let point = motion.apply(&found.on_first);
                assert!((point - moved.on_first).norm() < 1e-7, "{kinds:?}");
            }
        }
    }
}

/// GJK (`separation`) shares nothing with the methods here but the support functions.
#[test]
fn five_thousand_pairs_of_high_aspect_ratio_agree_with_gjk() {
    let mut rng = Random(13);
    let pairs: Vec<_> = all_pairs().into_iter().filter(|(_, b)| b.is_bounded()).collect();
    for i in 0..5_000 {
        let kinds = pairs[i % pairs.len()];
        let [a, b] = rng.pair(kinds, 100.0, [1.0, 0.1, 0.01][i % 3]);
        let other = separation(&a.0, &a.1, &b.0, &b.1).unwrap();
        let found = find(&a, &b);
        if other.kind == GapKind::Exact {
            assert!(
                (found.gap - other.gap).abs() < 1e-12,
                "{kinds:?} {i}: {found:?} {other:?}"
            );
        }
        assert!(found.gap > other.gap - 1e-12, "{kinds:?} {i}");
    }
}

/// Any unit u bounds the gap from below by the gap of the shadows, and the best u attains it. A random climb
/// that beats the gap found would refute it; how near it comes says only how good the climb is (edges of
/// boxes make ridges, on which it stalls).
fn search_shadows(a: &Placed, b: &Placed, rng: &mut Random) -> f64 {
    let shadow = |u: &Vec3<f64>| -support_value(&a.0, &a.1, u) - support_value(&b.0, &b.1, &-*u);
    let mut best = (Vec3::unit_x(), f64::NEG_INFINITY);
    for _ in 0..2_000 {
        let u = rng.direction();
        if shadow(&u) > best.1 {
            best = (u, shadow(&u));
        }
    }
    let mut step = 0.1;
    while step > 1e-9 {
        let tries = 30;
        let before = best.1;
        for _ in 0..tries {
            let u = (best.0 + rng.vec3(step)).normalized();
            if shadow(&u) > best.1 {
                best = (u, shadow(&u));
            }
        }
        if best.1 <= before {
            step *= 0.5;
        }
    }
    best.1
}

#[test]
fn no_direction_found_by_random_search_parts_the_shapes_better() {
    let mut rng = Random(14);
    for a in BOUNDED {
        for b in BOUNDED {
            for i in 0..6 {
                let gap = [0.3, 1e-3, -1e-3][i % 3];
                let [a, b] = with_gap(rng.pair((a, b), 4.0, 0.1), gap);
                let searched = search_shadows(&a, &b, &mut rng);
                assert!(
                    searched <= gap + 1e-12,
                    "{a:?} {b:?}: better by {:e}",
                    searched - gap
                );
                assert!(searched > gap - 1e-3, "{a:?} {b:?}: {searched} vs {gap}");
            }
        }
    }
}

#[test]
fn parallel_boxes_and_capsules_have_one_chosen_pair() {
    let block = Shape::RoundedBox {
        half_extents: Vec3::new(1.0, 2.0, 0.5),
        radius: 0.1,
    };
    let rod = Shape::Capsule {
        radius: 0.1,
        half_length: 2.0,
    };
    let below = (block.clone(), Placement::identity());
    let above = (block, Placement::at(Vec3::new(0.5, -1.0, 2.0)));
    let found = find(&below, &above);
    assert!(
        (found.gap - 0.8).abs() < 1e-15 && found.normal == Vec3::unit_z(),
        "{found:?}"
    );
    assert!(
        (found.on_first - Vec3::new(0.0, 0.0, 0.6)).norm() < 1e-15,
        "{found:?}"
    );

    let along = (rod.clone(), Placement::identity());
    let beside = (rod, Placement::at(Vec3::new(1.0, 0.0, 3.0)));
    let found = find(&along, &beside);
    assert!((found.gap - 0.8).abs() < 1e-15 && found.normal == Vec3::unit_x());
    assert_eq!(found.on_first.z, 1.5); // The middle of the overlap [1, 2].
    let lying = find(&along, &below.clone_shifted(Vec3::new(5.0, 0.0, 0.0)));
    assert!((lying.gap - 3.8).abs() < 1e-14, "{lying:?}");
}

trait Shifted {
    fn clone_shifted(&self, by: Vec3<f64>) -> Self;
}

impl Shifted for Placed {
    fn clone_shifted(&self, by: Vec3<f64>) -> Self {
        let mut at = self.1;
        at.position = at.position + by;
        (self.0.clone(), at)
    }
}

/// Nearly parallel: where the active set is most often in doubt.
#[test]
fn nearly_parallel_boxes_and_capsules_agree_with_gjk() {
    let mut rng = Random(15);
    let kinds = [ShapeKind::Capsule, ShapeKind::RoundedBox];
    for i in 0..3_000_usize {
        let (a, b) = (rng.shape(kinds[i % 2], 5.0), rng.shape(kinds[(i / 2) % 2], 5.0));
        let tilt = [1e-3, 1e-6, 1e-9, 1e-12, 1e-15][i % 5];
        let turn = dyverse_num::Quaternion::from_axis_angle(&rng.direction(), &tilt);
        let at = Placement {
            position: rng.direction().scale(&4.5),
            orientation: turn,
        };
        let (a, b) = ((a, Placement::identity()), (b, at));
        let other = separation(&a.0, &a.1, &b.0, &b.1).unwrap();
        let found = find(&a, &b);
        if other.kind == GapKind::Exact {
            assert!(
                (found.gap - other.gap).abs() < 1e-12,
                "{i} {tilt}: {found:?} {other:?}"
            );
        }
        let shadows = -support_value(&a.0, &a.1, &found.normal) - support_value(&b.0, &b.1, &-found.normal);
        assert!(
            (shadows - found.gap).abs() < 1e-11,
            "{i} {tilt}: {:e}",
            shadows - found.gap
        );
    }
}

#[test]
fn not_finite_gives_an_error_or_a_number_that_is_not_finite() {
    for a in BOUNDED {
        for b in BOUNDED {
            let mut rng = Random(16);
            let [(a, at_a), (b, mut at_b)] = rng.pair((a, b), 3.0, 1.0);
            at_b.position.x = f64::NAN;
            if let Ok(found) = closest_points((&a, &at_a), (&b, &at_b), Side::Front) {
                assert!(found.gap.is_nan(), "{found:?}");
            }
        }
    }
}
