//! Gaps against independent optimisation, against each other, and under motions and exchanges.
//!
//! Oracles: coordinate descent on the fractions of boxes and segments (convex, hence global); projected
//! gradient where ellipsoids take part, with the bound from below that a separating plane gives, so that a slow descent
//! judges nothing it does not know; rigorous enclosures by duality. None shares code with closed forms
//! or GJK.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on must stop")]

use dyverse_mech::{
    GapKind, Placement, Separation, Shape, ShapeKind, derive_gap, enclose_separation, separation,
    support_value,
};
use dyverse_num::{Interval, Quaternion, Vec3};
use proptest::prelude::*;

type Placed = (Shape<f64>, Placement<f64>);

fn vec3(range: std::ops::Range<f64>) -> impl Strategy<Value = Vec3<f64>> {
    (range.clone(), range.clone(), range).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn placement() -> impl Strategy<Value = Placement<f64>> {
    let turned =
        (0.1..1.0_f64, vec3(-1.0..1.0)).prop_map(|(w, v)| Quaternion::new(w, v.x, v.y, v.z).normalized());
    let aligned = prop::sample::select(vec![Quaternion::identity(), Quaternion::new(0.0, 1.0, 0.0, 0.0)]);
    (vec3(-3.0..3.0), prop_oneof![3 => turned, 1 => aligned]).prop_map(|(position, orientation)| Placement {
        position,
        orientation,
    })
}

fn polyhedral() -> impl Strategy<Value = Shape<f64>> {
    prop_oneof![
        (0.1..1.0_f64).prop_map(|radius| Shape::Sphere { radius }),
        (0.1..1.0_f64, 0.0..2.0_f64).prop_map(|(radius, half_length)| Shape::Capsule { radius, half_length }),
        (vec3(0.1..1.5), 0.1..0.6_f64)
            .prop_map(|(half_extents, radius)| Shape::RoundedBox { half_extents, radius }),
        vec3(0.1..1.5).prop_map(|half_extents| Shape::Box { half_extents }),
    ]
}

fn bounded() -> impl Strategy<Value = Shape<f64>> {
    prop_oneof![
        3 => polyhedral(),
        2 => vec3(0.2..1.5).prop_map(|semi_axes| Shape::Ellipsoid { semi_axes }),
    ]
}

fn wall() -> impl Strategy<Value = Shape<f64>> {
    (vec3(-1.0..1.0), -1.0..1.0_f64, any::<bool>()).prop_map(|(v, offset, both)| {
        let normal = v + Vec3::new(1.5, 0.0, 0.0);
        if both {
            Shape::Plane { normal, offset }
        } else {
            Shape::HalfSpace { normal, offset }
        }
    })
}

fn half_sizes(shape: &Shape<f64>) -> [f64; 3] {
    match shape {
        Shape::Capsule { half_length, .. } => [0.0, 0.0, *half_length],
        Shape::RoundedBox { half_extents: h, .. } | Shape::Box { half_extents: h } => [h.x, h.y, h.z],
        Shape::Ellipsoid { semi_axes: h } => [h.x, h.y, h.z],
        _ => [0.0; 3],
    }
}

/// The half axes of a core in the world.
fn half_axes((shape, at): &Placed) -> [Vec3<f64>; 3] {
    let axes = [Vec3::unit_x(), Vec3::unit_y(), Vec3::unit_z()];
    let sizes = half_sizes(shape);
    [0, 1, 2].map(|i| at.orientation.rotate(&axes[i]).scale(&sizes[i]))
}

fn radii(a: &Placed, b: &Placed) -> f64 {
    a.0.swept_radius() + b.0.swept_radius()
}

/// Distance of box-like cores by coordinate descent: min |d + Σ fᵢ wᵢ| over |fᵢ| ≤ 1.
fn descend(a: &Placed, b: &Placed) -> f64 {
    let moves: Vec<Vec3<f64>> = half_axes(a).iter().map(|w| -*w).chain(half_axes(b)).collect();
    let mut fractions = [0.0_f64; 6];
    let mut d = b.1.position - a.1.position;
    for _ in 0..20_000 {
        let mut moved = 0.0_f64;
        for (fraction, w) in fractions.iter_mut().zip(&moves) {
            if w.norm_squared() > 0.0 {
                let target = (*fraction - d.dot(w) / w.norm_squared()).clamp(-1.0, 1.0);
                d = d + w.scale(&(target - *fraction));
                moved = moved.max((target - *fraction).abs());
                *fraction = target;
            }
        }
        if moved < 1e-15 {
            break;
        }
    }
    d.norm()
}

/// Bounds of the distance of any cores. From above: that of two points of theirs, found by projected gradient on the fractions, ball-shaped for ellipsoids. From
/// below: how far the planes across their line keep the cores apart. They meet where the descent has converged.
fn slide(a: &Placed, b: &Placed) -> (f64, f64) {
    let axes = [half_axes(a), half_axes(b)];
    let round = [a, b].map(|p| p.0.kind() == ShapeKind::Ellipsoid);
    let mut f = [Vec3::zero(), Vec3::zero()];
    let point = |side: usize, f: &Vec3<f64>| {
        axes[side][0].scale(&f.x) + axes[side][1].scale(&f.y) + axes[side][2].scale(&f.z)
    };
    let steepest: f64 = axes.iter().flatten().map(Vec3::norm_squared).fold(1e-9, f64::max);
    let offset = b.1.position - a.1.position;
    for _ in 0..30_000 {
        let d = offset + point(1, &f[1]) - point(0, &f[0]);
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            let w = &axes[side];
            let slope = Vec3::new(d.dot(&w[0]), d.dot(&w[1]), d.dot(&w[2])).scale(&sign);
            let next = f[side] - slope.scale(&(0.5 / steepest));
            f[side] = if round[side] {
                next.scale(&(1.0 / next.norm().max(1.0)))
            } else {
                next.map(|c| c.clamp(-1.0, 1.0))
            };
        }
    }
    let d = offset + point(1, &f[1]) - point(0, &f[0]);
    let reach = |side: usize| {
        let along = axes[side].map(|w| d.dot(&w) / d.norm());
        if round[side] {
            along.iter().map(|x| x * x).sum::<f64>().sqrt()
        } else {
            along.iter().map(|x| x.abs()).sum()
        }
    };
    (d.dot(&offset) / d.norm() - reach(0) - reach(1), d.norm())
}

fn gap(a: &Placed, b: &Placed) -> Separation {
    separation(&a.0, &a.1, &b.0, &b.1).unwrap()
}

fn enclose(a: &Placed, b: &Placed) -> Interval {
    let wide = |p: &Placed| (p.0.map(|x| Interval::point(*x)), p.1.map(|x| Interval::point(*x)));
    let (a, b) = (wide(a), wide(b));
    enclose_separation(&a.0, &a.1, &b.0, &b.1).unwrap()
}

fn moved(p: &Placed, by: &Placement<f64>) -> Placed {
    (p.0.clone(), by.compose(&p.1))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn spheres_capsules_boxes_agree_with_coordinate_descent(
        a in (polyhedral(), placement()),
        b in (polyhedral(), placement()),
    ) {
        let (found, expected) = (gap(&a, &b), descend(&a, &b));
        prop_assert_eq!(found.kind, GapKind::Exact);
        if expected > 1e-6 {
            prop_assert!((found.gap + radii(&a, &b) - expected).abs() < 1e-9, "{found:?}, expected {expected}");
        } else {
            prop_assert!(found.gap <= 1e-6 - radii(&a, &b));
        }
    }

    /// Where a closed form exists, GJK on the same pair, disguised as rounded boxes, must agree.
    #[test]
    fn gjk_agrees_with_closed_forms(a in (polyhedral(), placement()), b in (polyhedral(), placement())) {
        let disguised = |p: &Placed| {
            let [x, y, z] = half_sizes(&p.0);
            (Shape::RoundedBox { half_extents: Vec3::new(x, y, z), radius: p.0.swept_radius() }, p.1)
        };
        if let Some(closed) = derive_gap(&a.0, &a.1, &b.0, &b.1) {
            let found = gap(&disguised(&a), &disguised(&b));
            prop_assert_eq!(found.kind, GapKind::Exact);
            prop_assert!((found.gap - closed).abs() < 1e-9, "{} vs {closed}", found.gap);
        }
    }

    #[test]
    fn a_gap_does_not_change_under_exchange_or_motion(
        a in (bounded(), placement()),
        b in (prop_oneof![4 => bounded(), 1 => wall()], placement()),
        by in placement(),
    ) {
        let here = gap(&a, &b);
        // Two lower bounds may come from different hills: only that both are bounds is promised.
        let tolerance = if here.kind == GapKind::Exact { 1e-10 } else { 0.1 };
        for (what, there) in [("exchanged", gap(&b, &a)), ("moved", gap(&moved(&a, &by), &moved(&b, &by)))] {
            prop_assert!((here.gap - there.gap).abs() < tolerance, "{what}: {here:?} vs {there:?}");
        }
    }

    #[test]
    fn enclosures_hold_the_gap_and_are_narrow(
        a in (bounded(), placement()),
        b in (prop_oneof![4 => bounded(), 1 => wall()], placement()),
    ) {
        let (found, enclosure) = (gap(&a, &b), enclose(&a, &b));
        let overlapping_cores = found.gap < 1e-9 - radii(&a, &b);
        prop_assert!(enclosure.lo() <= found.gap + 1e-10 && found.gap <= enclosure.hi() + 1e-10, "{found:?} {enclosure:?}");
        prop_assert!(overlapping_cores || enclosure.width() < 1e-9, "{enclosure:?} is wide: {found:?}");
        prop_assert!(overlapping_cores || found.kind == GapKind::Exact, "{found:?}");
        if a.0.kind() == ShapeKind::Sphere && b.0.kind() != ShapeKind::Ellipsoid {
            prop_assert!(enclosure.contains(found.gap), "closed forms hold their own value in doubles");
        }
    }

    /// Every gap over a box of sizes and places lies in the enclosure over that box.
    #[test]
    fn wide_enclosures_hold_every_member(
        a in (bounded(), placement()),
        b in (bounded(), placement()),
        spread in 0.0..0.1_f64,
        t in prop::collection::vec(0.0..1.0_f64, 32),
    ) {
        let around = |x: &f64| Interval::new(*x, x + spread).unwrap();
        let enclosure = enclose_separation(&a.0.map(around), &a.1.map(around), &b.0.map(around), &b.1.map(around));
        let mut t = t.iter();
        let mut inside = |x: &f64| x + spread * t.next().copied().unwrap_or(0.5);
        let member = [(a.0.map(&mut inside), a.1.map(&mut inside)), (b.0.map(&mut inside), b.1.map(&mut inside))];
        let found = gap(&member[0], &member[1]);
        let enclosure = enclosure.unwrap();
        prop_assert!(enclosure.lo() <= found.gap + 1e-10 || found.kind == GapKind::LowerBound);
        prop_assert!(found.gap <= enclosure.hi() + 1e-10, "{found:?} {enclosure:?}");
    }

    /// Walls: the closed form against thousands of points on the surface.
    #[test]
    fn walls_agree_with_sampled_surfaces(a in (bounded(), placement()), b in (wall(), placement())) {
        let (Shape::Plane { normal, offset } | Shape::HalfSpace { normal, offset }) = &b.0 else { unreachable!() };
        let height = |p: &Vec3<f64>| (normal.dot(&b.1.apply_back(p)) - offset) / normal.norm();
        let mut lowest = f64::INFINITY;
        let above = b.0.kind() == ShapeKind::HalfSpace || height(&a.1.position) >= 0.0;
        for i in 0..6000 {
            // Fibonacci lattice of directions; the support point in each is on the surface.
            let z = 1.0 - (2.0 * f64::from(i) + 1.0) / 6000.0;
            let phi = 2.399_963_229_728_653 * f64::from(i);
            let u = Vec3::new((1.0 - z * z).sqrt() * phi.cos(), (1.0 - z * z).sqrt() * phi.sin(), z);
            let local = a.1.orientation.rotate_back(&u);
            let h = half_sizes(&a.0);
            let on_core = match a.0.kind() {
                ShapeKind::Ellipsoid => {
                    let s = Vec3::new(h[0] * local.x, h[1] * local.y, h[2] * local.z);
                    Vec3::new(h[0] * s.x, h[1] * s.y, h[2] * s.z).scale(&(1.0 / s.norm()))
                }
                _ => Vec3::new(h[0].copysign(local.x), h[1].copysign(local.y), h[2].copysign(local.z)),
            };
            let p = a.1.apply(&on_core) + u.scale(&a.0.swept_radius());
            prop_assert!((u.dot(&p) - support_value(&a.0, &a.1, &u)).abs() < 1e-12);
            lowest = lowest.min(if above { height(&p) } else { -height(&p) });
        }
        let found = gap(&a, &b).gap;
        prop_assert!(found <= lowest + 1e-12 && lowest < found + 0.02, "{found} vs sampled {lowest}");
    }

    /// A ball written as an ellipsoid is still a ball.
    #[test]
    fn equal_axes_make_a_sphere(r in 0.2..1.5_f64, at in placement(), b in (polyhedral(), placement())) {
        let ball = (Shape::Sphere { radius: r }, at);
        let disguised = (Shape::Ellipsoid { semi_axes: Vec3::new(r, r, r) }, at);
        let (expected, found) = (gap(&ball, &b).gap, gap(&disguised, &b));
        if expected > 1e-3 {
            prop_assert!((found.gap - expected).abs() < 1e-9, "{found:?} vs {expected}");
        } else if expected < -1e-9 {
            prop_assert!(found.gap <= expected + 1e-9, "a lower bound, or exact: {found:?} vs {expected}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn ellipsoids_agree_with_projected_gradient(
        semi_axes in vec3(0.2..1.5),
        at in placement(),
        b in (bounded(), placement()),
    ) {
        let a = (Shape::Ellipsoid { semi_axes }, at);
        let (found, (least, most)) = (gap(&a, &b), slide(&a, &b));
        if most > 1e-3 {
            let distance = found.gap + radii(&a, &b);
            prop_assert!(least - 1e-9 < distance && distance < most + 1e-9, "{found:?}, expected {least} to {most}");
            prop_assert!(most - least < 1e-3, "the descent is too slow to judge: {least} to {most}");
        }
    }

    /// Needles, plates and specks far away or on top of each other: an answer, soon, and not NaN.
    #[test]
    fn extreme_sizes_terminate(exponents in prop::collection::vec(-9_i32..9, 8), at in placement(), by in placement()) {
        let size = |i: usize| 10.0_f64.powi(exponents[i]);
        let shapes = [
            Shape::Ellipsoid { semi_axes: Vec3::new(size(0), size(1), size(2)) },
            Shape::RoundedBox { half_extents: Vec3::new(size(3), size(4), size(5)), radius: size(6) },
            Shape::Capsule { radius: size(6), half_length: size(7) },
            Shape::Ellipsoid { semi_axes: Vec3::new(size(5), size(6), size(7)) },
        ];
        for a in &shapes {
            for b in &shapes {
                let found = separation(a, &at, b, &by).unwrap();
                prop_assert!(found.gap.is_finite(), "{found:?}");
                let enclosure = enclose(&(a.clone(), at), &(b.clone(), by));
                prop_assert!(enclosure.lo() <= enclosure.hi());
            }
        }
    }
}

#[test]
fn planes_have_no_gap_function() {
    let floor = Shape::Plane {
        normal: Vec3::unit_z(),
        offset: 0.0,
    };
    let ground = Shape::HalfSpace {
        normal: Vec3::unit_z(),
        offset: 0.0,
    };
    let here = Placement::identity();
    let error = separation(&floor, &here, &ground, &here).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no gap function for this pair of shapes: plane and half-space"
    );
}

/// By hand: faces, edges and corners of boxes; parallel, crossed and collinear capsules; depth inside a box.
#[test]
fn gaps_by_hand() {
    let cube = Shape::RoundedBox {
        half_extents: Vec3::new(1.0, 1.0, 1.0),
        radius: 0.5,
    };
    let rod = Shape::Capsule {
        radius: 0.25,
        half_length: 2.0,
    };
    let ball = Shape::Sphere { radius: 1.0 };
    let at = |x: f64, y: f64, z: f64| Placement::at(Vec3::new(x, y, z));
    let crossed = Placement {
        position: Vec3::new(0.0, 2.0, 0.0),
        orientation: Quaternion::from_axis_angle(&Vec3::unit_y(), &std::f64::consts::FRAC_PI_2),
    };
    let here = at(0.0, 0.0, 0.0);
    let cases = [
        ("face to face", &cube, &cube, at(5.0, 0.3, 0.2), 2.0),
        (
            "corner to corner",
            &cube,
            &cube,
            at(5.0, 6.0, 8.0),
            (9.0_f64 + 16.0 + 36.0).sqrt() - 1.0,
        ),
        (
            "cubes one in the other",
            &cube,
            &cube,
            at(0.5, 0.0, 0.0),
            -1.5 - 1.0,
        ),
        ("parallel rods", &rod, &rod, at(3.0, 4.0, 1.0), 4.5),
        ("rods in line", &rod, &rod, at(0.0, 0.0, 5.0), 0.5),
        (
            "rods on one line, overlapping",
            &rod,
            &rod,
            at(0.0, 0.0, 1.0),
            -0.5,
        ),
        ("crossed rods", &rod, &rod, crossed, 1.5),
        ("ball inside cube", &cube, &ball, at(0.25, 0.0, 0.0), -0.75 - 1.5),
        ("ball on rod's end", &rod, &ball, at(0.0, 3.0, 6.0), 5.0 - 1.25),
    ];
    for (name, a, b, b_at, expected) in cases {
        let found = separation(a, &here, b, &b_at).unwrap();
        assert!(
            (found.gap - expected).abs() < 1e-12,
            "{name}: {found:?}, expected {expected}"
        );
        assert_eq!(found.kind, GapKind::Exact, "{name}");
    }
}
