//! Closed forms of the specification, features, sides and errors.

use dyverse_num::{Mat3, Vec3};

use super::random::Random;
use crate::{
    ContactError, ContactPair, EntityState, Feature, NoClosestPointsReason, Placement, ReferenceAxis, Shape,
    ShapeKind, Side, Surface, closest_points, derive_closest_points,
};

fn sphere(radius: f64) -> Surface<f64> {
    Surface::centred(Shape::Sphere { radius })
}

fn floor() -> Surface<f64> {
    Surface::centred(Shape::Plane {
        normal: Vec3::new(0.0, 0.0, 2.0),
        offset: 0.0,
    })
}

fn pair(a: &Surface<f64>, b: &Surface<f64>) -> ContactPair<f64> {
    ContactPair::new((a, Feature::Whole), (b, Feature::Whole), Side::Front).unwrap()
}

/// [SPEC §2]: w_aN = |d_perp′|²/D; w_aT = −Tᵀ((R1 w1 + R2 w2) × dn) while sticking.
#[test]
fn two_spheres_have_the_biases_of_the_specification() {
    let mut rng = Random(41);
    for _ in 0..2_000 {
        let (r1, r2) = (rng.between(0.1, 1.0), rng.between(0.1, 1.0));
        let one = rng.state(1.0);
        let mut two = rng.state(1.0);
        let n = rng.direction();
        let distance = r1 + r2 + rng.between(-1e-3, 0.5);
        two.position = one.position + n.scale(&distance);
        // Sticking: the velocities of the two closest points agree.
        let stuck = one.velocity_at(&n.scale(&r1)) - two.angular_velocity.cross(&n.scale(&-r2));
        let free = two.velocity;
        for (velocity, sticks) in [(free, false), (stuck, true)] {
            two.velocity = velocity;
            let found = pair(&sphere(r1), &sphere(r2)).kinematics(&one, &two).unwrap();
            let relative = two.velocity - one.velocity;
            let across = relative - n.scale(&n.dot(&relative));
            assert!((found.gap - (distance - r1 - r2)).abs() < 1e-14);
            assert!((found.normal_bias - across.norm_squared() / distance).abs() < 1e-12);
            if sticks {
                let dn = across.scale(&(1.0 / distance));
                let turn = one.angular_velocity.scale(&r1) + two.angular_velocity.scale(&r2);
                let expected = -turn.cross(&dn);
                for k in 0..2 {
                    assert!(found.tangential_velocity[k].abs() < 1e-13);
                    assert!((found.tangential_bias[k] - expected.dot(&found.tangents[k])).abs() < 1e-12);
                }
            }
        }
    }
}

#[test]
fn a_sphere_on_a_plane_has_no_normal_bias() {
    let mut rng = Random(42);
    let ground = EntityState::at_rest(Placement::identity());
    for _ in 0..500 {
        let ball = rng.state(1.0);
        let found = pair(&floor(), &sphere(0.5)).kinematics(&ground, &ball).unwrap();
        assert_eq!(found.gap, ball.position.z - 0.5);
        assert_eq!(found.normal_velocity, ball.velocity.z);
        assert_eq!(found.normal_bias, 0.0);
        assert_eq!(found.tangential_bias, [0.0, 0.0]);
        assert_eq!(found.tangents, [Vec3::unit_x(), Vec3::unit_y()]);
        let w = ball.angular_velocity;
        let slip = ball.velocity.x - 0.5 * w.y;
        assert!((found.tangential_velocity[0] - slip).abs() < 1e-15);
    }
}

#[test]
fn a_plane_keeps_its_side() {
    let ground = EntityState::at_rest(Placement::identity());
    let through = EntityState::at_rest(Placement::at(Vec3::new(0.0, 0.0, -0.1)));
    let (floor, ball) = (floor(), sphere(0.5));
    for (side, gap, z) in [(Side::Front, -0.6, 1.0), (Side::Back, -0.4, -1.0)] {
        let pair = ContactPair::new((&floor, Feature::Whole), (&ball, Feature::Whole), side).unwrap();
        let found = pair.kinematics(&ground, &through).unwrap();
        assert!(
            (found.gap - gap).abs() < 1e-15 && found.normal.z == z,
            "{found:?}"
        );
        assert_eq!(pair.side(), side);
        assert_eq!(pair.surfaces().1, &ball);
    }
}

/// The lowest of the eight corners is where the whole box touches; likewise for a capsule's ends.
#[test]
fn the_lowest_feature_is_where_the_whole_touches() {
    let mut rng = Random(43);
    let ground = EntityState::at_rest(Placement::identity());
    for i in 0..1_000 {
        let kind = [ShapeKind::Capsule, ShapeKind::RoundedBox][i % 2];
        let surface = Surface {
            shape: rng.shape(kind, 4.0),
            placement: rng.placement(0.5),
        };
        let features: Vec<Feature> = match kind {
            ShapeKind::Capsule => (0..2).map(Feature::End).collect(),
            _ => (0..8).map(Feature::Corner).collect(),
        };
        let state = rng.state(2.0);
        let gap = |feature: Feature| {
            let pair =
                ContactPair::new((&floor(), Feature::Whole), (&surface, feature), Side::Front).unwrap();
            pair.kinematics(&ground, &state).unwrap().gap
        };
        let lowest = features.into_iter().map(gap).fold(f64::INFINITY, f64::min);
        assert!((lowest - gap(Feature::Whole)).abs() < 1e-14);
    }
}

#[test]
fn corner_bits_are_signs_and_ends_are_ordered() {
    let block = Surface::centred(Shape::RoundedBox {
        half_extents: Vec3::new(1.0, 2.0, 3.0),
        radius: 0.25,
    });
    let corner = Feature::Corner(0b101).of(&block).unwrap();
    assert_eq!(corner.placement.position, Vec3::new(1.0, -2.0, 3.0));
    assert_eq!(corner.shape, Shape::Sphere { radius: 0.25 });
    let rod = Surface::centred(Shape::Capsule {
        radius: 0.5,
        half_length: 2.0,
    });
    assert_eq!(Feature::End(0).of(&rod).unwrap().placement.position.z, -2.0);
    assert_eq!(Feature::End(1).of(&rod).unwrap().placement.position.z, 2.0);
    for (feature, surface) in [
        (Feature::End(2), &rod),
        (Feature::Corner(0), &rod),
        (Feature::Corner(8), &block),
        (Feature::End(0), &block),
    ] {
        let error = feature.of(surface).unwrap_err();
        let kind = surface.shape.kind();
        assert_eq!(error, ContactError::NoSuchFeature { shape: kind, feature });
        assert!(error.to_string().contains(kind.name()), "{error}");
    }
}

#[test]
fn what_cannot_be_had_is_an_error_that_names_the_shapes() {
    let error = ContactPair::new(
        (&floor(), Feature::Whole),
        (&floor(), Feature::Whole),
        Side::Front,
    );
    assert_eq!(
        error.unwrap_err().to_string(),
        "no gap function for this pair of shapes: plane and plane"
    );
    let at = Placement::identity();
    let ball = Shape::Sphere { radius: 1.0 };
    let error = closest_points((&ball, &at), (&ball, &at), Side::Front).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no closest points of sphere and sphere: they overlap by more than their rounding radii"
    );
    let egg = Shape::Ellipsoid {
        semi_axes: Vec3::new(1.0, 2.0, 3.0),
    };
    let away = Placement::at(Vec3::new(9.0, 0.0, 0.0));
    assert_eq!(
        derive_closest_points((&egg, &at), (&ball, &away), Side::Front),
        Err(ContactError::NoClosestPoints {
            first: ShapeKind::Ellipsoid,
            second: ShapeKind::Sphere,
            reason: NoClosestPointsReason::NoClosedForm,
        })
    );
    let block = Shape::RoundedBox {
        half_extents: Vec3::new(1.0, 1.0, 1.0),
        radius: 0.1,
    };
    for shape in [&ball, &egg, &block] {
        assert!(closest_points((&block, &at), (shape, &at), Side::Front).is_err());
    }
}

/// The tangents are right-handed everywhere and jump only where the rule says.
#[test]
fn tangents_follow_the_rule() {
    let mut rng = Random(44);
    for _ in 0..2_000 {
        let n = rng.direction();
        let reference = ReferenceAxis::for_normal(&n);
        assert_eq!(reference == ReferenceAxis::X, n.x.abs() <= 0.75);
        let [tx, ty] = reference.tangents(&n);
        let error = Mat3::from_rows(n, tx, ty);
        assert!((error.determinant() - 1.0).abs() < 1e-14);
        assert!(tx.dot(&n).abs() < 1e-15 && (tx.norm() - 1.0).abs() < 1e-15);
    }
}
