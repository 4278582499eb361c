//! Mass properties against closed forms from textbooks and against cubature of the solid's definition.

use dyverse_mech::{MassProperties, Placement, Shape, mass_properties};
use dyverse_num::{Interval, Mat3, Quaternion, Vec3};
use std::f64::consts::PI;

fn assert_close(found: f64, expected: f64, tolerance: f64, what: &str) {
    let scale = expected.abs().max(1.0);
    assert!(
        (found - expected).abs() <= tolerance * scale,
        "{what}: {found}, expected {expected}"
    );
}

fn shapes() -> Vec<Shape<f64>> {
    vec![
        Shape::Sphere { radius: 1.3 },
        Shape::Ellipsoid {
            semi_axes: Vec3::new(0.7, 1.1, 1.9),
        },
        Shape::Capsule {
            radius: 0.6,
            half_length: 1.4,
        },
        Shape::RoundedBox {
            half_extents: Vec3::new(0.5, 0.9, 1.3),
            radius: 0.4,
        },
        Shape::Box {
            half_extents: Vec3::new(0.7, 0.3, 1.6),
        },
        Shape::RoundedBox {
            half_extents: Vec3::new(2.0, 0.1, 0.0),
            radius: 0.7,
        },
    ]
}

/// Is the point in the solid? Written from the definitions, not from the code.
fn holds(shape: &Shape<f64>, p: &Vec3<f64>) -> bool {
    let beyond = |c: f64, h: f64| (c.abs() - h).max(0.0);
    match shape {
        Shape::Sphere { radius } => p.norm() <= *radius,
        Shape::Ellipsoid { semi_axes: a } => Vec3::new(p.x / a.x, p.y / a.y, p.z / a.z).norm() <= 1.0,
        Shape::Capsule { radius, half_length } => {
            Vec3::new(p.x, p.y, beyond(p.z, *half_length)).norm() <= *radius
        }
        Shape::Box { half_extents: h } => p.x.abs() <= h.x && p.y.abs() <= h.y && p.z.abs() <= h.z,
        Shape::RoundedBox {
            half_extents: h,
            radius,
        } => Vec3::new(beyond(p.x, h.x), beyond(p.y, h.y), beyond(p.z, h.z)).norm() <= *radius,
        _ => false,
    }
}

/// Half the size of the solid along each axis.
fn extents(shape: &Shape<f64>) -> Vec3<f64> {
    match shape {
        Shape::Sphere { radius: r } => Vec3::new(*r, *r, *r),
        Shape::Ellipsoid { semi_axes } => *semi_axes,
        Shape::Capsule {
            radius: r,
            half_length,
        } => Vec3::new(*r, *r, r + half_length),
        Shape::RoundedBox { half_extents, radius } => half_extents.map(|h| h + radius),
        Shape::Box { half_extents } => *half_extents,
        _ => Vec3::zero(),
    }
}

/// (V, I_xx, I_yy, I_zz) by counting cells in one octant (all shapes are symmetric); flat faces lie between
/// cells.
fn cubature(shape: &Shape<f64>) -> [f64; 4] {
    const CELLS: u32 = 160;
    let cell = extents(shape).map(|e| e / f64::from(CELLS));
    let volume = 8.0 * cell.x * cell.y * cell.z;
    let mut sums = [0.0; 4];
    for i in 0..CELLS {
        for j in 0..CELLS {
            for k in 0..CELLS {
                let p = Vec3::new(f64::from(i), f64::from(j), f64::from(k))
                    .zip(&cell, |c, size| (c + 0.5) * size);
                if holds(shape, &p) {
                    let (x, y, z) = (p.x * p.x, p.y * p.y, p.z * p.z);
                    for (sum, value) in sums.iter_mut().zip([1.0, y + z, z + x, x + y]) {
                        *sum += volume * value;
                    }
                }
            }
        }
    }
    sums
}

#[test]
fn every_shape_agrees_with_cubature() {
    for shape in shapes() {
        let found = mass_properties(&shape, &1.0).unwrap();
        let [volume, xx, yy, zz] = cubature(&shape);
        let rows = &found.inertia.rows;
        for (what, found, expected) in [
            ("V", found.mass, volume),
            ("xx", rows.x.x, xx),
            ("yy", rows.y.y, yy),
            ("zz", rows.z.z, zz),
        ] {
            assert_close(found, expected, 5e-4, &format!("{what} of {shape:?}"));
        }
        assert_eq!(found.centroid, Vec3::zero());
    }
}

#[test]
fn textbook_forms() {
    let (m, r, l) = (3.0, 1.3, 0.8);
    let ball = mass_properties(&Shape::Sphere { radius: r }, &1.0)
        .unwrap()
        .with_mass(&m);
    assert_close(ball.inertia.rows.x.x, 0.4 * m * r * r, 1e-14, "ball");
    let cuboid = Shape::RoundedBox {
        half_extents: Vec3::new(1.0, 2.0, 3.0),
        radius: 0.0,
    };
    let cuboid = mass_properties(&cuboid, &1.0).unwrap();
    assert_close(cuboid.mass, 48.0, 1e-14, "cuboid");
    assert_close(cuboid.inertia.rows.x.x, 48.0 * (4.0 + 9.0) / 3.0, 1e-14, "cuboid");
    // Capsule: cylinder and two hemispheres by Steiner.
    let capsule = mass_properties(
        &Shape::Capsule {
            radius: r,
            half_length: l,
        },
        &1.0,
    )
    .unwrap();
    let (cylinder, cap) = (PI * r * r * 2.0 * l, 2.0 * PI * r.powi(3) / 3.0);
    let across = cylinder * (r * r / 4.0 + l * l / 3.0)
        + 2.0 * cap * (83.0 / 320.0 * r * r + (l + 3.0 * r / 8.0).powi(2));
    assert_close(capsule.inertia.rows.x.x, across, 1e-14, "capsule across");
    assert_close(
        capsule.inertia.rows.z.z,
        cylinder * r * r / 2.0 + 2.0 * cap * 0.4 * r * r,
        1e-14,
        "capsule along",
    );
    let round = Shape::Ellipsoid {
        semi_axes: Vec3::new(r, r, r),
    };
    let round = mass_properties(&round, &1.0).unwrap();
    assert_close(
        round.inertia.rows.y.y,
        0.4 * round.mass * r * r,
        1e-14,
        "ellipsoid",
    );
}

/// A box cut in two and put together again, somewhere else and turned, is the same box.
#[test]
fn parts_make_the_whole() {
    let cuboid = |x: f64| Shape::RoundedBox {
        half_extents: Vec3::new(x, 0.7, 0.4),
        radius: 0.0,
    };
    let place = Placement {
        position: Vec3::new(3.0, -1.0, 2.0),
        orientation: Quaternion::new(0.3, 0.5, -0.2, 0.8).normalized(),
    };
    let whole = mass_properties(&cuboid(1.5), &2.0).unwrap().placed(&place);
    let part = |half: f64, x: f64| {
        let at = place.compose(&Placement::at(Vec3::new(x, 0.0, 0.0)));
        mass_properties(&cuboid(half), &2.0).unwrap().placed(&at)
    };
    let joined = MassProperties::combined(&[part(0.5, -1.0), part(1.0, 0.5)]).unwrap();
    assert_close(joined.mass, whole.mass, 1e-14, "mass");
    assert!((joined.centroid - whole.centroid).norm() < 1e-14);
    let difference: Mat3<f64> = joined.inertia - whole.inertia;
    assert!(
        difference.rows.coordinates().iter().all(|row| row.norm() < 1e-12),
        "{difference:?}"
    );
    assert_eq!(MassProperties::<f64>::combined(&[]), None);
    let about = whole.inertia_about(&Vec3::zero());
    assert!(about.trace() > whole.inertia.trace());
}

#[test]
fn intervals_hold_the_double_values() {
    for shape in shapes() {
        let narrow = mass_properties(&shape, &2.5).unwrap();
        let wide = mass_properties(&shape.map(|x| Interval::point(*x)), &Interval::point(2.5)).unwrap();
        assert!(wide.mass.contains(narrow.mass) && wide.mass.width() < 1e-12);
        assert!(wide.inertia.rows.x.x.contains(narrow.inertia.rows.x.x));
        assert!(wide.inertia.rows.z.z.contains(narrow.inertia.rows.z.z));
    }
}

#[test]
fn walls_have_no_mass() {
    let floor = Shape::Plane {
        normal: Vec3::unit_z(),
        offset: 0.0,
    };
    let error = mass_properties(&floor, &1.0).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a plane is unbounded and has no mass properties"
    );
}
