//! The law with modes frozen: against the operator, contact nodes, solvers, and itself on other scalars.

use dyverse_num::{Dual, Interval};

use super::*;
use crate::law::{Arm, Blocks, Forces, FrozenLaw, LawError, LawScalar, Operator, Row, Terms, Work};

/// What a contact obeys that slides, or sticks if it does not move.
fn contact(bias: Triple, velocity: [f64; 2], friction: f64) -> (Terms<f64>, Row<[f64; 2]>) {
    let speed = velocity[0].hypot(velocity[1]);
    let row = match speed > 0.0 {
        true => Row::Along(velocity.map(|v| v / speed)),
        false => Row::Stick,
    };
    (Terms { bias, friction }, row)
}

impl Scene {
    fn law<'a>(&'a self, terms: &'a [Terms<f64>], rows: &'a [Row<[f64; 2]>]) -> FrozenLaw<'a, f64> {
        let operator = Operator::Columns {
            masses: &self.masses,
            directions: &self.contacts,
        };
        FrozenLaw {
            operator,
            terms,
            rows,
            couples: &[],
        }
    }
}

/// Oracle: the equations themselves, through the operator: ddg = 0 at every row solved for.
#[test]
fn forces_leave_no_acceleration_at_their_rows() {
    let mut dice = Dice(0x10ca_7104);
    let mut workspace = Work::new();
    for round in 0..500 {
        let scene = random_scene(&mut dice, 3, 1 + round % 6);
        let mut velocity = |slides: bool| {
            if slides {
                [dice.range(0.1, 1.0), dice.range(-1.0, 1.0)]
            } else {
                [0.0; 2]
            }
        };
        let (terms, rows): (Vec<_>, Vec<_>) = scene
            .gap_rates()
            .into_iter()
            .enumerate()
            .map(|(j, free)| contact(free, velocity((j + round) % 3 == 0), 0.3))
            .unzip();
        let law = scene.law(&terms, &rows);
        let forces = law.least_norm(&mut workspace).expect("forces").to_vec();
        let response = scene.delassus().apply(&forces);
        let size = forces.iter().flatten().fold(1.0, |m: f64, f| m.max(f.abs()));
        for (j, (terms, row)) in terms.iter().zip(&rows).enumerate() {
            let rates = terms.bias.iter().zip(response[j]);
            for (free, pushed) in rates.take(row.held()) {
                assert_close(free + pushed, 0.0, 1e-9 * size);
            }
            if let Row::Along(direction) = row {
                assert_close(forces[j][1], -0.3 * forces[j][0] * direction[0], 1e-12 * size);
            }
        }
        // The same by what the law says of itself.
        for residual in law.residuals(&forces) {
            assert_close(residual, 0.0, 1e-9 * size);
        }
    }
}

/// Oracle: the contact node, wherever all its contacts stay closed.
#[test]
fn forces_agree_with_the_contact_node() {
    let mut scene = Scene::default();
    for x in [0.0, 2.0] {
        let ball = scene.add_ball(1.0 + x, 1.0, Vec3::zero());
        scene.touch(&Vec3::unit_z(), None, Some((ball, vector(0.0, 0.0, -1.0))));
    }
    let free = scene.under_gravity(9.81);
    let velocities = [[0.5, 0.2], [0.0, 0.0]];
    let node: Vec<_> = (0..2)
        .map(|j| SustainedContact {
            free_acceleration: free[j],
            sliding_velocity: velocities[j],
            friction: 0.3,
        })
        .collect();
    let outcome =
        solve_sustained(&scene.delassus(), &node, &SustainedOptions::default(), None).expect("modes");
    let (terms, rows): (Vec<_>, Vec<_>) = (0..2).map(|j| contact(free[j], velocities[j], 0.3)).unzip();
    let mut workspace = Work::new();
    let forces = scene
        .law(&terms, &rows)
        .least_norm(&mut workspace)
        .expect("forces");
    for (a, b) in forces.iter().flatten().zip(outcome.forces.iter().flatten()) {
        assert_close(*a, *b, 1e-11);
    }
}

/// Oracle: a box on four and eight equal corners carries the same on each.
#[test]
fn redundant_contacts_share_the_load() {
    for corners in [4, 8] {
        let mut scene = Scene::default();
        let block = scene.add_box(2.0, vector(1.0, 1.0, 0.5));
        for corner in 0..corners {
            let angle = std::f64::consts::TAU * f64::from(corner) / f64::from(corners);
            scene.touch(
                &Vec3::unit_z(),
                None,
                Some((block, vector(angle.cos(), angle.sin(), -0.5))),
            );
        }
        let (terms, rows): (Vec<_>, Vec<_>) = scene
            .under_gravity(9.81)
            .into_iter()
            .map(|free| contact(free, [0.0; 2], 0.5))
            .unzip();
        let law = scene.law(&terms, &rows);
        let mut workspace = Work::new();
        let refused = law.linear(&mut workspace).map(|_| ());
        assert!(
            matches!(refused, Err(LawError::Redundant { rank: 6, .. })),
            "{refused:?}"
        );
        for force in law.least_norm(&mut workspace).expect("forces") {
            assert_close(force[0], 2.0 * 9.81 / f64::from(corners), 1e-12);
            assert_close(force[1].hypot(force[2]), 0.0, 1e-12);
        }
    }
}

/// A scene on another scalar.
type Lifted<S> = (
    Vec<InverseMass<S>>,
    Vec<ContactDirections<S>>,
    Vec<Terms<S>>,
    Vec<Row<[S; 2]>>,
);

fn lifted<S: LawScalar>(
    scene: &Scene,
    terms: &[Terms<f64>],
    rows: &[Row<[f64; 2]>],
    lift: &dyn Fn(f64) -> S,
) -> Lifted<S> {
    let masses = scene.masses.iter().map(|mass| {
        let row = |v: &Vector| v.map(|x| lift(*x));
        let rows = &mass.inverse_inertia.rows;
        InverseMass {
            inverse_mass: lift(mass.inverse_mass),
            inverse_inertia: Mat3::from_rows(row(&rows.x), row(&rows.y), row(&rows.z)),
        }
    });
    let side = |side: &Option<EntityColumns<f64>>| {
        side.as_ref().map(|side| EntityColumns {
            entity: side.entity,
            columns: side.columns.map(|column| column.map(lift)),
            radius: None,
        })
    };
    let contacts = scene.contacts.iter().map(|contact| ContactDirections {
        first: side(&contact.first),
        second: side(&contact.second),
    });
    let terms = terms.iter().map(|terms| Terms {
        bias: terms.bias.map(lift),
        friction: lift(terms.friction),
    });
    let rows = rows.iter().map(|row| row.map(|d| d.map(lift)));
    (
        masses.collect(),
        contacts.collect(),
        terms.collect(),
        rows.collect(),
    )
}

fn solved<S: LawScalar>((masses, directions, terms, rows): &Lifted<S>) -> Result<Vec<[S; 3]>, LawError> {
    let operator = Operator::Columns { masses, directions };
    let law = FrozenLaw {
        operator,
        terms,
        rows,
        couples: &[],
    };
    law.linear(&mut Work::new()).map(<[[S; 3]]>::to_vec)
}

/// Intervals follow the pivots of doubles and enclose their result, narrowly; dual numbers give the slope of differences.
#[test]
fn other_scalars_run_the_same_law() {
    let mut dice = Dice(0x1e7e_44a1);
    let mut enclosed = 0;
    for round in 0..200 {
        let scene = random_scene(&mut dice, 4, 1 + round % 3);
        let velocity = if round % 2 == 0 { [0.6, -0.8] } else { [0.0; 2] };
        let (terms, rows): (Vec<_>, Vec<_>) = scene
            .gap_rates()
            .into_iter()
            .map(|free| contact(free, velocity, 0.3))
            .unzip();
        let Ok(plain) = solved(&lifted(&scene, &terms, &rows, &|x| x)) else {
            continue;
        };
        let wide = solved(&lifted(&scene, &terms, &rows, &Interval::from))
            .expect("point intervals have certain pivots");
        for (value, enclosure) in plain.iter().flatten().zip(wide.iter().flatten()) {
            assert!(enclosure.contains(*value), "{value} outside {enclosure:?}");
            assert!(enclosure.width() < 1e-6 * (1.0 + value.abs()));
        }
        // Along a change of μ of the first contact.
        let mut dual = lifted(&scene, &terms, &rows, &Dual::constant);
        dual.2[0].friction.derivative = 1.0;
        let slopes = solved(&dual).expect("the same pivots");
        let mut moved = terms.clone();
        moved[0].friction += 1e-6;
        let near = solved(&lifted(&scene, &moved, &rows, &|x| x)).expect("nearly the same pivots");
        let all = slopes
            .iter()
            .flatten()
            .zip(plain.iter().flatten())
            .zip(near.iter().flatten());
        for ((slope, at), near) in all {
            assert_close(
                slope.derivative,
                (near - at) / 1e-6,
                1e-3 * (1.0 + slope.derivative.abs() + at.abs()),
            );
        }
        enclosed += 1;
    }
    assert!(enclosed > 150, "{enclosed}");
}

/// The rows that the answer of a solver seems to have.
fn rows_of(forces: &[Triple], rates: &[Triple], friction: f64) -> Vec<Row<[f64; 2]>> {
    let row = |(force, rate): (&Triple, &Triple)| match (force[0] > 1e-9, friction > 0.0) {
        (false, _) => Row::Open,
        (true, false) => Row::Smooth,
        (true, true) if rate[1].hypot(rate[2]) > 1e-8 => Row::Against,
        (true, true) => Row::Stick,
    };
    forces.iter().zip(rates).map(row).collect()
}

/// What solvers find is confirmed by the law: residuals of the rows they propose, and margins. Of what is not the answer residuals or margins say so.
#[test]
fn the_law_confirms_what_solvers_propose() {
    let mut dice = Dice(0xc0_4f12);
    let (mut seen, mut refuted) = ([0; 4], 0);
    for round in 0..300 {
        let scene = random_scene(&mut dice, 4, 1 + round % 5);
        let friction = [0.0, 0.2, 0.7][round % 3];
        let given = scene.impact_contacts(0.4, 0.1, friction);
        let Ok(found) = solve_impact(&scene.delassus(), &given, &SolverOptions::default()) else {
            continue;
        };
        let terms: Vec<Terms<f64>> = given.iter().map(ImpactContact::terms).collect();
        let rates = scene.law(&terms, &[]).rates(&found.impulses);
        let rows = rows_of(&found.impulses, &rates, friction);
        let law = scene.law(&terms, &rows);
        let size = found
            .impulses
            .iter()
            .flatten()
            .fold(1.0, |m: f64, f| m.max(f.abs()));
        for residual in law.residuals(&found.impulses) {
            assert_close(residual, 0.0, 1e-8 * size);
        }
        let own = law.forces(&law.unknowns(&found.impulses));
        for margin in law.margins(&own) {
            assert!(margin > -1e-8 * size * size, "{margin} {rows:?}");
        }
        for row in &rows {
            seen[match row {
                Row::Open => 0,
                Row::Smooth => 1,
                Row::Stick => 2,
                _ => 3,
            }] += 1;
        }
        // Another row for one contact that is well inside its own.
        let Some(pressed) = found.impulses.iter().position(|l| l[0] > 0.1) else {
            continue;
        };
        let mut other = rows.clone();
        other[pressed] = Row::Open;
        let worst = scene.law(&terms, &other).residuals(&found.impulses);
        assert!(worst.iter().any(|r| r.abs() > 0.05), "{worst:?}");
        refuted += 1;
    }
    assert!(
        seen.iter().all(|n| *n > 30) && refuted > 100,
        "{seen:?} {refuted}"
    );
}

/// Blocks that use orthonormal frames and spheres are those of the operator, and a lone slip in closed form solves its equations.
#[test]
fn blocks_know_spheres() {
    struct Ball {
        inverse_mass: f64,
        inverse_inertia: f64,
    }
    impl crate::law::EntityMass<f64> for Ball {
        fn inverse_mass(&self) -> &f64 {
            &self.inverse_mass
        }
        fn spin(&self, moment: &Vector) -> Vector {
            moment.scale(&self.inverse_inertia)
        }
        fn isotropic(&self) -> Option<&f64> {
            Some(&self.inverse_inertia)
        }
    }
    let mut dice = Dice(0xb10c);
    let mut slips = 0;
    for _ in 0..60 {
        let mut scene = Scene::default();
        let (mut balls, mut known) = (Vec::new(), Vec::new());
        let radii = [dice.range(0.2, 1.0), dice.range(0.2, 1.0), dice.range(0.2, 1.0)];
        for radius in radii {
            let mass = dice.range(0.5, 3.0);
            scene.add_ball(mass, radius, vector(dice.range(-1.0, 1.0), 0.0, 0.0));
            balls.push(Ball {
                inverse_mass: 1.0 / mass,
                inverse_inertia: 1.0 / (0.4 * mass * radius * radius),
            });
        }
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            let n = vector(dice.range(-1.0, 1.0), dice.range(-1.0, 1.0), dice.range(0.1, 1.0)).normalized();
            let (a, b) = (MassId(i), MassId(j));
            scene.touch(&n, Some((a, n.scale(&radii[i]))), Some((b, n.scale(&-radii[j]))));
            let arm = |e: MassId| Some((e, Arm::Radius(radii[e.0])));
            known.push(ContactDirections::new(&frame(&n), arm(a), arm(b)));
        }
        let delassus = scene.delassus();
        let blocks = Blocks::new(&balls, &known);
        for (i, j) in (0..9).map(|k| (k / 3, k % 3)) {
            let (one, two) = (
                delassus.block(i, j).unwrap_or_default(),
                blocks.block(i, j).expect("balls are shared"),
            );
            for (a, b) in one.as_flattened().iter().zip(two.as_flattened()) {
                assert_close(*a, *b, 1e-12 * (1.0 + a.abs()) * 100.0);
            }
        }
        let one = Blocks::new(&balls, &known[..1]);
        let terms = [Terms {
            bias: [
                -dice.range(0.3, 1.0),
                dice.range(-1.0, 1.0),
                dice.range(-1.0, 1.0),
            ],
            friction: dice.range(0.1, 0.5),
        }];
        let operator = Operator::Blocks(&one);
        let law = FrozenLaw {
            operator,
            terms: &terms,
            rows: &[Row::Against],
            couples: &[],
        };
        let (Forces { forces, .. }, margin) = law.lone_slip().expect("balls are isotropic");
        let own = law.forces(&law.unknowns(&forces));
        for residual in law.residuals(&forces) {
            assert_close(residual, 0.0, 1e-11);
        }
        // The closed form's margin has the sign of γ_T·d.
        assert_eq!(margin >= 0.0, law.margins(&own)[1] >= 0.0);
        slips += usize::from(margin >= 0.0);
    }
    assert!((10..55).contains(&slips), "{slips}");
}

/// Many unknowns are solved by entities, few by elimination: the same accelerations, and of redundant forces the same choice, as a dense solution with least change has.
#[test]
fn many_contacts_are_solved_by_entities_as_by_elimination() {
    let mut dice = Dice(0x5eed_0013);
    let mut redundant = [0, 0];
    for round in 0..60 {
        let count = 10 + dice.below(20);
        let mut scene = Scene::default();
        // A row of boxes on the ground, each on one to four corners, some tied to the one before.
        for k in 0..count {
            let body = scene.add_box(dice.range(0.5, 2.0), vector(0.5, 0.4, 0.3));
            let corners = if round % 2 == 0 { 1 } else { 1 + dice.below(4) };
            for corner in 0..corners {
                let (x, y) = (
                    if corner % 2 == 0 { 0.5 } else { -0.5 },
                    if corner < 2 { 0.4 } else { -0.4 },
                );
                scene.touch(&Vec3::unit_z(), None, Some((body, vector(x, y, -0.3))));
            }
            if k > 0 && round % 4 > 0 && dice.below(3) > 0 {
                let before = MassId(body.0 - 1);
                let (left, right) = (vector(0.5, 0.1, 0.0), vector(-0.5, 0.1, 0.0));
                scene.touch(&Vec3::unit_x(), Some((before, left)), Some((body, right)));
            }
        }
        let contacts = scene.contacts.len();
        let rows: Vec<Row<[f64; 2]>> = (0..contacts)
            .map(|_| match dice.below(4) {
                0 if round % 3 > 0 => Row::Along([0.6, 0.8]),
                1 => Row::Smooth,
                _ => Row::Stick,
            })
            .collect();
        // A right-hand side that has a solution.
        let truth: Vec<[f64; 3]> = rows
            .iter()
            .map(|row| {
                let n = dice.range(0.5, 2.0);
                match row {
                    Row::Stick => [n, dice.range(-0.2, 0.2), dice.range(-0.2, 0.2)],
                    Row::Along([x, y]) => [n, -0.3 * n * x, -0.3 * n * y],
                    _ => [n, 0.0, 0.0],
                }
            })
            .collect();
        let operator = Operator::Columns {
            masses: &scene.masses,
            directions: &scene.contacts,
        };
        let pushed = scene.delassus().apply(&truth);
        let terms: Vec<Terms<f64>> = pushed
            .iter()
            .map(|rate| Terms {
                bias: rate.map(|value| -value),
                friction: 0.3,
            })
            .collect();
        let law = FrozenLaw {
            operator,
            terms: &terms,
            rows: &rows,
            couples: &[],
        };
        if rows.iter().map(Row::unknowns).sum::<usize>() < 24 {
            continue;
        }
        let priors: Vec<[f64; 3]> = truth.iter().map(|force| force.map(|f| 0.9 * f)).collect();
        let mut work = Work::new();
        let forces = law.nearest(&priors, &mut work).expect("forces").to_vec();
        assert!(work.by_entities, "round {round}");
        redundant[usize::from(work.is_redundant())] += 1;
        let has_slip = rows.iter().any(|row| matches!(row, Row::Along(_)));
        for (j, equation) in law.equations(&Forces::plain(forces.clone())).iter().enumerate() {
            assert!(equation.abs() < 1e-11, "round {round}, equation {j}: {equation}");
        }
        let blocks = Blocks::new(&scene.masses, &scene.contacts);
        let dense = FrozenLaw {
            operator: Operator::Blocks(&blocks),
            ..law
        };
        let mut other = Work::new();
        let eliminated = dense.nearest(&priors, &mut other).expect("forces").to_vec();
        assert_eq!(work.is_redundant(), other.is_redundant(), "round {round}");
        // Among redundant forces that slide, the shortest change is another one.
        if has_slip && work.is_redundant() {
            continue;
        }
        for (found, other) in forces.as_flattened().iter().zip(eliminated.as_flattened()) {
            assert!((found - other).abs() < 1e-7, "round {round}: {found} and {other}");
        }
    }
    assert!(redundant[0] > 3 && redundant[1] > 3, "{redundant:?}");
}

/// A plate that slides on its corners, with balls that roll on it.
#[test]
fn balls_on_a_plate_are_solved_by_entities() {
    for side in 4..=6_usize {
        let mut scene = Scene::default();
        let plate = scene.add_box(10.0, vector(10.0, 10.0, 0.5));
        let mut rows = Vec::new();
        let half = std::f64::consts::FRAC_1_SQRT_2;
        for (x, y) in [(-10.0, -10.0), (10.0, -10.0), (-10.0, 10.0), (10.0, 10.0)] {
            scene.touch(&Vec3::unit_z(), None, Some((plate, vector(x, y, -0.5))));
            rows.push(Row::Along([half, half]));
        }
        let mut bias = vec![[-9.81, 5.0, 5.0]; 4];
        for k in 0..side * side {
            let (x, y) = (2.0 * (k / side) as f64 - 4.0, 2.0 * (k % side) as f64 - 4.0);
            let ball = scene.add_ball(1.0, 0.5, vector(0.0, 0.0, 0.0));
            scene.touch(
                &Vec3::unit_z(),
                Some((plate, vector(x, y, 0.5))),
                Some((ball, vector(0.0, 0.0, -0.5))),
            );
            rows.push(Row::Stick);
            bias.push([0.0, -5.0, -5.0]);
        }
        let terms: Vec<Terms<f64>> = bias
            .iter()
            .map(|b| Terms {
                bias: *b,
                friction: 0.4,
            })
            .collect();
        let law = FrozenLaw {
            operator: Operator::Columns {
                masses: &scene.masses,
                directions: &scene.contacts,
            },
            terms: &terms,
            rows: &rows,
            couples: &[],
        };
        let mut work = Work::new();
        let forces = law.nearest(&[], &mut work).expect("forces").to_vec();
        assert!(work.is_redundant() && work.by_entities, "{side}");
        for (j, equation) in law.equations(&Forces::plain(forces)).iter().enumerate() {
            assert!(equation.abs() < 1e-11, "equation {j}: {equation}");
        }
    }
}
