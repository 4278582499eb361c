//! Contacts of boxes and hulls with sharp edges with each other, against separating axes over all corners and against differences along motions: neither shares code with them.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on must stop")]

use std::sync::Arc;

use dyverse_mech::{ContactPair, EntityState, Feature, Placement, Polytope, Shape, Side, Surface};
use dyverse_num::{Quaternion, Vec3, split_mix};

pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn between(&mut self, from: f64, to: f64) -> f64 {
        from + (to - from) * ((split_mix(&mut self.0) >> 11) as f64 / (1_u64 << 53) as f64)
    }

    pub(crate) fn vec3(&mut self, half: f64) -> Vec3<f64> {
        Vec3::new(
            self.between(-half, half),
            self.between(-half, half),
            self.between(-half, half),
        )
    }

    pub(crate) fn half_extents(&mut self) -> Vec3<f64> {
        Vec3::new(
            self.between(0.05, 1.0),
            self.between(0.05, 1.0),
            self.between(0.05, 1.0),
        )
    }

    pub(crate) fn orientation(&mut self) -> Quaternion<f64> {
        let v = self.vec3(1.0);
        Quaternion::new(self.between(-1.0, 1.0), v.x, v.y, v.z).normalized()
    }

    fn block(&mut self) -> Solid {
        let (half, position) = (self.half_extents(), self.vec3(1.5));
        Solid {
            half,
            shape: Shape::Box { half_extents: half },
            at: Placement {
                position,
                orientation: self.orientation(),
            },
        }
    }

    /// A hull of four to nine points, which need not hold the origin: its corners are not near each other's planes.
    pub(crate) fn hull(&mut self) -> Arc<Polytope<f64>> {
        loop {
            let count = 4 + (self.between(0.0, 6.0) as usize).min(5);
            let middle = self.vec3(0.3);
            let points: Vec<Vec3<f64>> = (0..count).map(|_| self.vec3(1.0).normalized() + middle).collect();
            let Ok(hull) = Polytope::hull(&points) else {
                continue;
            };
            if hull.solid.half_thickness() > 0.1 {
                return Arc::new(hull.solid);
            }
        }
    }

    fn solid(&mut self) -> Solid {
        let block = self.block();
        if self.between(0.0, 1.0) < 0.5 {
            return block;
        }
        let solid = self.hull();
        Solid {
            shape: Shape::Convex { solid },
            ..block
        }
    }
}

#[derive(Clone, Debug)]
struct Solid {
    /// Of a box.
    half: Vec3<f64>,
    shape: Shape<f64>,
    at: Placement<f64>,
}

impl Solid {
    fn corners(&self) -> Vec<Vec3<f64>> {
        if let Shape::Convex { solid } = &self.shape {
            return solid.corners.iter().map(|c| self.at.apply(c)).collect();
        }
        let sign = |n: u8, bit: u8| if n >> bit & 1 == 1 { 1.0 } else { -1.0 };
        (0..8)
            .map(|n| {
                let v = Vec3::new(sign(n, 0), sign(n, 1), sign(n, 2));
                self.at.apply(&v.zip(&self.half, |s, h| s * h))
            })
            .collect()
    }

    /// Directions of its faces and of its edges, from corners alone: planes through three corners that have all others on one side, and the lines of two such.
    fn axes(&self) -> [Vec<Vec3<f64>>; 2] {
        let corners = self.corners();
        let mut normals: Vec<Vec3<f64>> = Vec::new();
        for (i, a) in corners.iter().enumerate() {
            for (j, b) in corners.iter().enumerate().skip(i + 1) {
                for c in corners.iter().skip(j + 1) {
                    let n = (*b - *a).cross(&(*c - *a)).normalized();
                    let heights = || corners.iter().map(|x| n.dot(&(*x - *a)));
                    let is_face = heights().all(|h| h < 1e-9) || heights().all(|h| h > -1e-9);
                    let is_new = || normals.iter().all(|m| m.cross(&n).norm() > 1e-7);
                    if is_face && is_new() {
                        normals.push(n);
                    }
                }
            }
        }
        let mut edges: Vec<Vec3<f64>> = Vec::new();
        for (i, a) in corners.iter().enumerate() {
            for b in corners.iter().skip(i + 1) {
                let d = (*b - *a).normalized();
                let is_extreme = |n: &&Vec3<f64>| {
                    let heights = || corners.iter().map(|x| n.dot(&(*x - *a)));
                    n.dot(&d).abs() < 1e-9 && (heights().all(|h| h < 1e-9) || heights().all(|h| h > -1e-9))
                };
                if normals.iter().filter(is_extreme).count() >= 2
                    && edges.iter().all(|e| e.cross(&d).norm() > 1e-9)
                {
                    edges.push(d);
                }
            }
        }
        [normals, edges]
    }

    /// How far a point is outside, in the direction of the face that is worst.
    fn outside(&self, p: &Vec3<f64>) -> f64 {
        let [normals, _] = self.axes();
        let corners = self.corners();
        let beyond = normals.iter().flat_map(|n| [*n, -*n]).map(|n| {
            let most = corners.iter().map(|x| n.dot(x)).fold(f64::NEG_INFINITY, f64::max);
            n.dot(p) - most
        });
        beyond.fold(f64::NEG_INFINITY, f64::max)
    }

    fn surface(&self) -> Surface<f64> {
        Surface::centred(self.shape.clone())
    }
}

/// The largest gap of the shadows over all candidate directions, with the best and the second best gap: separating axes, from corners alone.
fn shadows(a: &Solid, b: &Solid) -> (f64, Vec3<f64>, f64) {
    let (p, q) = (a.corners(), b.corners());
    let ([of_a, along_a], [of_b, along_b]) = (a.axes(), b.axes());
    let mut directions: Vec<Vec3<f64>> = of_a.into_iter().chain(of_b).collect();
    for d in &along_a {
        for e in &along_b {
            let cross = d.cross(e);
            if cross.norm() > 1e-4 {
                directions.push(cross.normalized());
            }
        }
    }
    let mut gaps: Vec<(f64, Vec3<f64>)> = directions
        .into_iter()
        .flat_map(|u| [u, -u])
        .map(|u| {
            let most = p.iter().map(|x| u.dot(x)).fold(f64::NEG_INFINITY, f64::max);
            let least = q.iter().map(|x| u.dot(x)).fold(f64::INFINITY, f64::min);
            (least - most, u)
        })
        .collect();
    gaps.sort_by(|x, y| y.0.total_cmp(&x.0));
    (gaps[0].0, gaps[0].1, gaps[1].0)
}

fn contacts(a: &Solid, b: &Solid) -> Vec<((Feature, Feature), ContactPair<f64>)> {
    let (first, second) = (a.surface(), b.surface());
    Feature::touching(&first.shape, &second.shape)
        .into_iter()
        .map(|(i, j)| {
            let pair = ContactPair::new((&first, i), (&second, j), Side::Front).unwrap();
            ((i, j), pair)
        })
        .collect()
}

fn at_rest(solid: &Solid) -> EntityState<f64> {
    EntityState {
        position: solid.at.position,
        orientation: solid.at.orientation,
        velocity: Vec3::zero(),
        angular_velocity: Vec3::zero(),
    }
}

#[test]
fn as_many_as_the_table_says() {
    let ones = Vec3::new(1.0, 1.0, 1.0);
    let block = Shape::Box { half_extents: ones };
    let normal = Vec3::unit_z();
    let others = [
        (
            Shape::RoundedBox {
                half_extents: ones,
                radius: 0.1,
            },
            [8, 12],
        ),
        (
            Shape::Capsule {
                radius: 0.1,
                half_length: 1.0,
            },
            [2, 1],
        ),
    ];
    let single = [
        Shape::Sphere { radius: 1.0 },
        Shape::Ellipsoid { semi_axes: ones },
    ];
    let walls = [
        Shape::Plane { normal, offset: 0.0 },
        Shape::HalfSpace { normal, offset: 0.0 },
    ];
    let mut rng = Random(11);
    let mut hulls: Vec<Shape<f64>> = (0..20).map(|_| Shape::Convex { solid: rng.hull() }).collect();
    hulls.push(block.clone());
    let count = |shape: &Shape<f64>| {
        let solid = shape.polytope().unwrap();
        [solid.corners.len(), solid.outline.edges.len(), solid.planes.len()]
    };
    assert_eq!(count(&block), [8, 12, 6]);
    for hull in &hulls {
        let [v, e, f] = count(hull);
        for other in &hulls {
            let [w, g, h] = count(other);
            let pairs = Feature::touching(hull, other);
            let mut apart = pairs.clone();
            apart.sort();
            apart.dedup();
            assert_eq!((pairs.len(), apart.len()), (v * h + f * w + e * g, pairs.len()));
        }
        let check = |other: &Shape<f64>, count: usize| {
            assert_eq!(Feature::touching(hull, other).len(), count);
            assert_eq!(Feature::touching(other, hull).len(), count);
        };
        for (other, [w, g]) in &others {
            check(other, v + w + e * g);
        }
        single.iter().for_each(|other| check(other, 1));
        walls.iter().for_each(|other| check(other, v));
    }
    assert_eq!(Feature::touching(&block, &block).len(), 240);
}

/// Solids in general position that just touch do so in one contact: the one with the direction of the separating axis. All others are open; a little apart all are, a little deeper that one is closed by as much.
#[test]
fn what_just_touches_touches_in_one_contact() {
    let mut rng = Random(3);
    let (mut by_edges, mut by_faces) = (0, 0);
    for case in 0..3000 {
        let (a, mut b) = (rng.solid(), rng.solid());
        let (gap, u, second) = shadows(&a, &b);
        // Moved along the axis the others change by no more than it.
        if gap - second < 1e-3 {
            continue;
        }
        let start = b.at.position;
        let all = contacts(&a, &b);
        // Pushed together along the axis that separates them most: it stays that axis.
        for depth in [0.0, 1e-3 * (gap - second), -1e-9, -1e-3] {
            b.at.position = start - u.scale(&(gap + depth));
            if depth < 0.0 {
                let (found, ..) = shadows(&a, &b);
                assert!(found > 0.0);
            }
            let closing: Vec<f64> = all
                .iter()
                .map(|(_, pair)| pair.closest_points(&a.at, &b.at).unwrap().closing_gap())
                .collect();
            let closed: Vec<usize> = (0..all.len()).filter(|n| closing[*n] < 1e-11).collect();
            if depth < 0.0 {
                assert!(
                    closed.is_empty(),
                    "{case} {depth}: {:?}",
                    closed
                        .iter()
                        .map(|n| (all[*n].0, closing[*n]))
                        .collect::<Vec<_>>()
                );
                continue;
            }
            let (found, axis, other) = shadows(&a, &b);
            if other > -1e-7 || (axis - u).norm() > 1e-9 {
                continue;
            }
            let told: Vec<_> = closed.iter().map(|n| (all[*n].0, closing[*n])).collect();
            if depth == 0.0 {
                assert_eq!(closed.len(), 1, "{case} {depth} {found}: {told:?}");
            }
            let meant = closed.iter().find(|n| (closing[**n] + depth).abs() < 1e-11);
            let (features, pair) = &all[*meant.unwrap_or_else(|| panic!("{case} {depth}: {told:?}"))];
            let points = pair.closest_points(&a.at, &b.at).unwrap();
            assert!(
                (points.normal - u).norm() < 1e-9,
                "{case}: {features:?} {:?} {u:?}",
                points.normal
            );
            assert!(
                (points.gap + depth).abs() < 1e-11,
                "{case}: {} {depth}",
                points.gap
            );
            assert!((points.on_second - points.on_first - points.normal.scale(&points.gap)).norm() < 1e-11);
            assert!(a.outside(&points.on_first).abs() < 1e-10 + 2.0 * depth);
            assert!(b.outside(&points.on_second).abs() < 1e-10 + 2.0 * depth);
            let near = (1e-12, 1e-9);
            assert!(
                pair.is_own(&at_rest(&a), &at_rest(&b), near),
                "{case} {features:?}"
            );
            let distance = pair.sharp_distance(&a.at, &b.at).unwrap();
            assert!(distance <= 1e-10 + depth, "{case}: {distance}");
            match features {
                (Feature::Edge(_), Feature::Edge(_)) => by_edges += 1,
                _ => by_faces += 1,
            }
        }
    }
    assert!(by_edges > 300 && by_faces > 300, "{by_edges} {by_faces}");
}

/// However solids lie that are apart, no contact of theirs is closed; and the distance of two features is no more than that of any of their points.
#[test]
fn what_is_apart_touches_nowhere() {
    let mut rng = Random(17);
    let mut seen = 0;
    for _ in 0..1500 {
        let (a, mut b) = if rng.between(0.0, 1.0) < 0.5 {
            (rng.block(), rng.block())
        } else {
            (rng.solid(), rng.solid())
        };
        b.at.position = a.at.position + (b.at.position - a.at.position).scale(&0.7);
        if rng.between(0.0, 1.0) < 0.4 {
            // Flush: turned alike, with faces in one plane or parallel.
            b.at.orientation = a.at.orientation;
            let away = a.at.orientation.rotate_back(&(b.at.position - a.at.position));
            let side = Vec3::new(away.x, a.half.y - b.half.y, a.half.z + b.half.z);
            b.at.position = a.at.position + a.at.orientation.rotate(&side);
            let more = a.half.x + b.half.x + 1e-3;
            if side.x.abs() < more {
                b.at.position = b.at.position + a.at.orientation.rotate(&Vec3::unit_x()).scale(&(2.0 * more));
            }
        }
        let (gap, ..) = shadows(&a, &b);
        if gap < 1e-6 {
            continue;
        }
        seen += 1;
        for (features, pair) in contacts(&a, &b) {
            let points = pair.closest_points(&a.at, &b.at).unwrap();
            assert!(
                points.closing_gap() > 1e-10,
                "{features:?} {} {gap}",
                points.closing_gap()
            );
            assert!((points.normal.norm() - 1.0).abs() < 1e-12);
        }
    }
    assert!(seen > 400, "{seen}");
}

/// Boxes of equal size exactly above each other, one falling: its four corners close, none of another face's do; one that slides down flush beside the other closes nothing of its top.
#[test]
fn aligned_boxes_stand_on_each_other_and_slide_beside_each_other() {
    let half = Vec3::new(0.5, 0.4, 0.3);
    let solid = |p: Vec3<f64>| Solid {
        half,
        shape: Shape::Box { half_extents: half },
        at: Placement::at(p),
    };
    let a = solid(Vec3::new(0.25, -1.5, 0.3));
    for gap in [1.0, 0.1, 1e-3, 1e-8, 0.0, -1e-12, -1e-8, -1e-4, -1e-2] {
        let b = solid(Vec3::new(0.25, -1.5, 0.3 + 0.6 + gap));
        let mut on_top = 0;
        for (features, pair) in contacts(&a, &b) {
            let points = pair.closest_points(&a.at, &b.at).unwrap();
            if let (Feature::Face(5), Feature::Corner(0..4)) = features {
                on_top += 1;
                assert!((points.closing_gap() - gap).abs() < 1e-15, "{gap}");
                assert_eq!(points.normal, Vec3::unit_z());
                assert!(pair.is_own(&at_rest(&a), &at_rest(&b), (1e-12, 1e-9)));
            } else if points.closing_gap() < 1e-9 && gap.abs() < 1e-10 {
                assert!((points.normal - Vec3::unit_z()).norm() < 1e-12, "{features:?}");
            } else if gap > 0.0 {
                assert!(points.closing_gap() >= gap.min(0.5) - 1e-15, "{features:?}");
            }
        }
        assert_eq!(on_top, 4);
    }
    for height in [0.9, 0.5, 0.1, -0.2, -0.7] {
        for side in [1e-13, 0.0, -1e-13] {
            let b = solid(Vec3::new(0.25 + 1.0 + side, -1.5, 0.3 + height));
            for (features, pair) in contacts(&a, &b) {
                let points = pair.closest_points(&a.at, &b.at).unwrap();
                if points.closing_gap() < 1e-10 {
                    assert!(
                        (points.normal - Vec3::unit_x()).norm() < 1e-9,
                        "{height} {features:?} {points:?}"
                    );
                }
            }
        }
    }
}

fn moved(state: &EntityState<f64>, dt: f64) -> EntityState<f64> {
    let angle = state.angular_velocity.norm() * dt;
    let turn = if angle == 0.0 {
        Quaternion::identity()
    } else {
        Quaternion::from_axis_angle(&state.angular_velocity.normalized(), &angle)
    };
    EntityState {
        position: state.position + state.velocity.scale(&dt),
        orientation: (turn * state.orientation).normalized(),
        ..*state
    }
}

/// ġ_N is the difference of gaps along a motion, and the biases are the differences of velocities with v and w held.
#[test]
fn rates_and_biases_are_differences() {
    let mut rng = Random(29);
    let mut kinds = [0, 0];
    while kinds[0] < 150 || kinds[1] < 150 {
        let (a, b) = (rng.solid(), rng.solid());
        let state = |rng: &mut Random, solid: &Solid| EntityState {
            velocity: rng.vec3(1.0),
            angular_velocity: rng.vec3(1.0),
            ..at_rest(solid)
        };
        let (one, two) = (state(&mut rng, &a), state(&mut rng, &b));
        let all = contacts(&a, &b);
        let number = (rng.between(0.0, all.len() as f64) as usize).min(all.len() - 1);
        let (features, pair) = &all[number];
        let points = pair.closest_points(&a.at, &b.at).unwrap();
        let is_edges = matches!(features.0, Feature::Edge(_));
        // Far from where lines are parallel, or where m turns round.
        let turned = pair.closest_points(&moved(&one, 1e-3).placement(), &moved(&two, 1e-3).placement());
        let apart = (points.on_second - points.on_first).norm() + points.on_first.norm();
        if apart > 10.0 || (turned.unwrap().normal - points.normal).norm() > 0.02 {
            continue;
        }
        kinds[usize::from(is_edges)] += 1;
        let k = pair.kinematics(&one, &two).unwrap();
        let at = |dt: f64| {
            pair.kinematics_along(&moved(&one, dt), &moved(&two, dt), k.reference)
                .unwrap()
        };
        let h = 1e-4;
        let (before, after) = (at(-h), at(h));
        let near = |found: f64, low: f64, high: f64, what: &str| {
            let difference = (high - low) / (2.0 * h);
            assert!(
                (found - difference).abs() < 1e-4 * (1.0 + found.abs()),
                "{what} of {features:?}: {found} {difference}"
            );
        };
        near(k.normal_velocity, before.gap, after.gap, "rate");
        near(
            k.normal_bias,
            before.normal_velocity,
            after.normal_velocity,
            "normal bias",
        );
        for axis in 0..2 {
            near(
                k.tangential_bias[axis],
                before.tangential_velocity[axis],
                after.tangential_velocity[axis],
                "tangential bias",
            );
        }
        let across = (k.arms[1] + two.position) - (k.arms[0] + one.position);
        assert!((across - k.normal.scale(&k.gap)).norm() < 1e-9);
    }
}
