//! Impacts with the modes that the contact solver finds give its velocities.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use crate::support;

use dyverse_expr::{NodeId, Program};
use dyverse_formulas::{BodyFormulas, Condition, ContactId, ImpactFormulas, ImpactRow, Relation, Row};
use dyverse_mech::{
    Delassus, EntityState, ImpactContact, ImpactLaw, ImpactOutcome, ReferenceAxis, SolverOptions,
    solve_impact,
};
use dyverse_model::Model;
use dyverse_num::Vec3;
use support::{Dice, Doubles, FIRST, SECOND, close, model, packed, place, point, values};

/// Open, stick, slip.
fn index(row: ImpactRow) -> usize {
    [Row::Open, Row::Stick, Row::Against]
        .iter()
        .position(|own| *own == row)
        .unwrap()
}

struct Law {
    restitution: f64,
    tangential: f64,
    friction: f64,
}

/// What the solver says.
fn solved(
    doubles: &Doubles,
    contacts: &[(ContactId, ReferenceAxis)],
    states: &[EntityState<f64>],
    law: &Law,
) -> (Delassus, ImpactOutcome, Vec<ImpactRow>) {
    let kinematics: Vec<_> = contacts
        .iter()
        .map(|(c, axis)| doubles.kinematics(c.index(), states, *axis))
        .collect();
    let directions: Vec<_> = contacts
        .iter()
        .zip(&kinematics)
        .map(|((c, _), k)| doubles.directions(c.index(), k))
        .collect();
    let delassus = Delassus::from_contacts(&doubles.inverse_masses(states), &directions).unwrap();
    let given: Vec<ImpactContact> = kinematics
        .iter()
        .map(|k| ImpactContact {
            velocity: [
                k.normal_velocity,
                k.tangential_velocity[0],
                k.tangential_velocity[1],
            ],
            restitution_normal: law.restitution,
            restitution_tangential: law.tangential,
            friction: law.friction,
            law: ImpactLaw::Newton,
        })
        .collect();
    let options = SolverOptions {
        residual_tolerance: 1e-13,
        ..SolverOptions::default()
    };
    let outcome = solve_impact(&delassus, &given, &options).unwrap();
    let modes = (0..contacts.len())
        .map(|i| {
            let (impulse, after, before) = (
                outcome.impulses[i],
                outcome.velocities_after[i],
                given[i].velocity,
            );
            let gamma = |k: usize| after[k] + law.tangential * before[k];
            if impulse[0] < 1e-10 {
                Row::Open
            } else if gamma(1).hypot(gamma(2)) < 1e-9 {
                Row::Stick
            } else {
                Row::Against
            }
        })
        .collect();
    (delassus, outcome, modes)
}

/// Solves the equations of auxiliaries by Newton's method with finite differences, from impulses near those; gives the point with them.
fn with_auxiliaries(
    formulas: &BodyFormulas<'_>,
    impact: &ImpactFormulas,
    point: &[f64],
    start: &[f64],
) -> Vec<f64> {
    let nodes: Vec<NodeId> = impact.auxiliaries.iter().map(|a| a.equation).collect();
    let equations = Program::new(&formulas.pool(), &nodes);
    let n = impact.auxiliaries.len();
    let mut at = point.to_vec();
    at.extend(start);
    let residual = |at: &[f64]| -> Vec<f64> { equations.numbers(|id| at[id.0 as usize]) };
    for _ in 0..60 {
        let r = residual(&at);
        let size: f64 = r.iter().map(|x| x.abs()).sum();
        if size < 1e-14 {
            break;
        }
        let mut m = vec![vec![0.0; n + 1]; n];
        for j in 0..n {
            let h = 1e-7;
            let (mut up, mut down) = (at.clone(), at.clone());
            up[point.len() + j] += h;
            down[point.len() + j] -= h;
            let (up, down) = (residual(&up), residual(&down));
            for (row, (up, down)) in m.iter_mut().zip(up.iter().zip(&down)) {
                row[j] = (up - down) / (2.0 * h);
            }
        }
        for (row, r) in m.iter_mut().zip(&r) {
            row[n] = -r;
        }
        let step = gauss(m);
        // Halve until the residual shrinks.
        let mut share = 1.0;
        loop {
            let mut next = at.clone();
            for (j, d) in step.iter().enumerate() {
                next[point.len() + j] += share * d;
            }
            let new: f64 = residual(&next).iter().map(|x| x.abs()).sum();
            if new < size || share < 1e-3 {
                at = next;
                break;
            }
            share *= 0.5;
        }
    }
    at
}

fn gauss(mut m: Vec<Vec<f64>>) -> Vec<f64> {
    let n = m.len();
    for k in 0..n {
        let largest = |i: &usize, j: &usize| m[*i][k].abs().total_cmp(&m[*j][k].abs());
        let best = (k..n).max_by(largest).unwrap();
        m.swap(k, best);
        let pivot = m[k].clone();
        for (_, row) in m.iter_mut().enumerate().filter(|(i, _)| *i != k) {
            let factor = row[k] / pivot[k];
            for (entry, p) in row.iter_mut().zip(&pivot) {
                *entry -= factor * p;
            }
        }
    }
    (0..n).map(|k| m[k][n] / m[k][k]).collect()
}

/// Whether a condition holds at a point, up to rounding.
fn holds(formulas: &BodyFormulas<'_>, condition: &Condition, at: &[f64]) -> bool {
    match condition {
        Condition::Constant(value) => *value,
        Condition::And(parts) => parts.iter().all(|c| holds(formulas, c, at)),
        Condition::Or(parts) => parts.iter().any(|c| holds(formulas, c, at)),
        Condition::Atom(c) => {
            let value = values(formulas, &[c.node], at)[0];
            match c.relation {
                Relation::Greater => value > 0.0,
                Relation::GreaterEqual => value >= -1e-9,
                Relation::Less => value < 0.0,
                Relation::LessEqual => value <= 1e-9,
                Relation::Equal => value.abs() < 1e-9,
                Relation::NotEqual => value != 0.0,
            }
        }
    }
}

/// The solver's impulses as auxiliaries: the normal impulse of a slip and its direction.
fn auxiliaries_of(modes: &[ImpactRow], outcome: &ImpactOutcome, law: &Law) -> Vec<f64> {
    let closed = modes
        .iter()
        .zip(&outcome.impulses)
        .filter(|(m, _)| **m != Row::Open);
    closed
        .flat_map(|(mode, impulse)| match mode {
            Row::Against => {
                let pressed = law.friction * impulse[0];
                [impulse[0], -impulse[1] / pressed, -impulse[2] / pressed]
            }
            _ => *impulse,
        })
        .collect()
}

/// Compares an impact with the solver; gives the modes and the number of auxiliaries.
fn compare(
    formulas: &mut BodyFormulas<'_>,
    doubles: &Doubles,
    contacts: &[(ContactId, ReferenceAxis)],
    states: &[EntityState<f64>],
    law: &Law,
) -> (Vec<ImpactRow>, usize) {
    let (delassus, outcome, modes) = solved(doubles, contacts, states, law);
    let given: Vec<_> = contacts
        .iter()
        .zip(&modes)
        .map(|((c, axis), m)| (*c, *axis, *m))
        .collect();
    let impact = formulas.impact(&given).unwrap();
    let before = point(formulas, states, 0.0, &[]);
    let at = if impact.auxiliaries.is_empty() {
        before
    } else {
        let told = auxiliaries_of(&modes, &outcome, law);
        let near: Vec<f64> = told.iter().map(|x| x * 1.0001 + 1e-6).collect();
        let at = with_auxiliaries(formulas, &impact, &before, &near);
        for (found, told) in at[before.len()..].iter().zip(&told) {
            close(*found, *told, 1e-8);
        }
        at
    };
    assert!(holds(formulas, &impact.when, &at), "{modes:?} {:?}", impact.when);
    let reset = values(formulas, &impact.reset, &at);
    let mut after = states.to_vec();
    for (entity, twist) in delassus.touched_entities().iter().zip(&outcome.twist_changes) {
        let s = &mut after[entity.0];
        s.velocity = s.velocity + Vec3::new(twist[0], twist[1], twist[2]);
        s.angular_velocity = s.angular_velocity + Vec3::new(twist[3], twist[4], twist[5]);
    }
    for (i, reset) in reset.iter().take(reset.len() - 1).enumerate() {
        let (entity, component) = formulas.state(i).unwrap();
        close(*reset, packed(&after[entity.0])[place(component)], 1e-9);
    }
    assert_eq!(reset.last(), Some(&0.0), "time stays");
    // Energy: what may be added is written down, and where nothing is, the solver adds none.
    let added: f64 = values(formulas, &impact.gains, &at).iter().sum();
    if impact.gains.is_empty() {
        assert!(
            outcome.energy_change < 1e-9,
            "{modes:?} {}",
            outcome.energy_change
        );
    } else if delassus.groups().len() == 1 {
        close(added, outcome.energy_change, 1e-8);
    }
    for (place, contact) in impact.contacts.iter().enumerate() {
        assert_eq!(contact.contact, contacts[place].0);
        let [x, y] = contact.tangential_velocity_after;
        let found = values(formulas, &[contact.normal_velocity_after, x, y], &at);
        let impulse = values(formulas, &contact.impulse, &at);
        // Without friction how fast it turns may be left out.
        let known = if law.friction == 0.0 { 1 } else { 3 };
        for i in 0..known {
            close(found[i], outcome.velocities_after[place][i], 1e-9);
            close(impulse[i], outcome.impulses[place][i], 1e-9);
        }
    }
    // No other assignment of this many modes fits, except on a border.
    if contacts.len() == 1 {
        for other in [Row::Open, Row::Stick, Row::Against] {
            let is_same = other == modes[0] || (law.friction == 0.0 && other != Row::Open);
            if !is_same && impact.auxiliaries.is_empty() {
                let (c, axis) = contacts[0];
                let wrong = formulas.impact(&[(c, axis, other)]).unwrap();
                if wrong.auxiliaries.is_empty() {
                    assert!(
                        !holds(formulas, &wrong.when, &at),
                        "{other:?} instead of {modes:?}"
                    );
                }
            }
        }
    }
    (modes, impact.auxiliaries.len())
}

fn balls(count: usize, law: &Law, more: &str) -> Model {
    let entity = |i: usize| {
        let (radius, mass) = (0.4 + 0.1 * i as f64, 1.0 + 0.7 * i as f64);
        format!(
            "entity b{i} {{ sphere(radius = {radius}) mass = {mass} position = ({}, 9, 0) }}\n",
            5 * i
        )
    };
    let entities: String = (0..count).map(entity).collect();
    let Law {
        restitution,
        tangential,
        friction,
    } = law;
    model(&format!(
        "system t {entities} {more}
        contact default {{ restitution = {restitution} tangential_restitution = {tangential} friction = {friction} }}"
    ))
}

fn unit(dice: &mut Dice) -> Vec3<f64> {
    loop {
        let v = dice.vector(1.0);
        if v.norm() > 0.2 && v.norm() < 1.0 {
            return v.normalized();
        }
    }
}

fn axis(normal: &Vec3<f64>) -> ReferenceAxis {
    ReferenceAxis::for_normal(normal)
}

const LAWS: [Law; 4] = [
    Law {
        restitution: 0.8,
        tangential: 0.0,
        friction: 0.0,
    },
    Law {
        restitution: 0.5,
        tangential: 0.0,
        friction: 0.25,
    },
    Law {
        restitution: 1.0,
        tangential: -1.0,
        friction: 0.5,
    },
    Law {
        restitution: 0.3,
        tangential: 0.4,
        friction: 0.6,
    },
];

#[test]
fn two_balls() {
    let mut seen = [0; 3];
    for law in &LAWS {
        let model = balls(2, law, "");
        let mut formulas = BodyFormulas::new(&model, &[]).unwrap();
        let doubles = Doubles::new(&model);
        let mut dice = Dice(5);
        for _ in 0..60 {
            let mut states = [dice.state(1.0), dice.state(1.0)];
            let n = unit(&mut dice);
            states[1].position = states[0].position + n.scale(&0.9);
            if (states[1].velocity - states[0].velocity).dot(&n) > 0.0 {
                (states[0].velocity, states[1].velocity) = (states[1].velocity, states[0].velocity);
            }
            let (modes, auxiliaries) = compare(&mut formulas, &doubles, &[(FIRST, axis(&n))], &states, law);
            assert_eq!(auxiliaries, 0);
            seen[index(modes[0])] += 1;
        }
    }
    assert!(seen[0] == 0 && seen[1] > 20 && seen[2] > 20, "{seen:?}");
}

#[test]
fn a_ball_and_a_plane() {
    let mut seen = [0; 3];
    for law in &LAWS {
        let floor = "fixed entity floor { half_space(normal = (1, 3, 0.5), offset = 0) }";
        let model = balls(1, law, floor);
        let mut formulas = BodyFormulas::new(&model, &[]).unwrap();
        let doubles = Doubles::new(&model);
        let mut dice = Dice(6);
        for _ in 0..40 {
            let mut ball = dice.state(1.0);
            let n = Vec3::new(1.0, 3.0, 0.5).normalized();
            ball.position = ball.position + n.scale(&(0.4 - ball.position.dot(&n)));
            if ball.velocity.dot(&n) > 0.0 {
                ball.velocity = -ball.velocity;
            }
            let states = [ball, doubles.starts[1]];
            let (modes, auxiliaries) = compare(
                &mut formulas,
                &doubles,
                &[(FIRST, ReferenceAxis::X)],
                &states,
                law,
            );
            assert_eq!(auxiliaries, 0);
            seen[index(modes[0])] += 1;
        }
    }
    assert!(seen[1] > 10 && seen[2] > 10, "{seen:?}");
}

/// The middle ball touches both others: normals and frictions act on each other.
#[test]
fn three_balls() {
    let (mut implicit, mut linear, mut open) = (0, 0, 0);
    for law in &LAWS {
        let model = balls(3, law, "");
        let mut formulas = BodyFormulas::new(&model, &[]).unwrap();
        let doubles = Doubles::new(&model);
        let mut dice = Dice(8);
        for _ in 0..40 {
            let mut states = [dice.state(1.0), dice.state(1.0), dice.state(1.0)];
            let (m, n) = (unit(&mut dice), unit(&mut dice));
            if m.dot(&n) > 0.8 {
                continue;
            }
            // b0–b1 and b0–b2, contacts 0 and 1.
            states[1].position = states[0].position + m.scale(&0.9);
            states[2].position = states[0].position + n.scale(&1.0);
            states[1].velocity = states[1].velocity - m.scale(&2.0);
            states[2].velocity = states[2].velocity - n.scale(&(2.0 * dice.between(-0.2, 1.0)));
            let closing = |s: &[EntityState<f64>; 3], i: usize, n: &Vec3<f64>| {
                (s[i].velocity - s[0].velocity).dot(n) < 0.0
            };
            if !closing(&states, 1, &m) || !closing(&states, 2, &n) {
                continue;
            }
            let contacts = [(FIRST, axis(&m)), (SECOND, axis(&n))];
            let (modes, auxiliaries) = compare(&mut formulas, &doubles, &contacts, &states, law);
            open += usize::from(modes.contains(&Row::Open));
            if auxiliaries > 0 {
                assert_eq!(auxiliaries, 6);
                implicit += 1;
            } else {
                linear += 1;
            }
        }
    }
    assert!(
        implicit > 15 && linear > 15 && open > 0,
        "{implicit} {linear} {open}"
    );
}

/// B_jj ≠ 0: a slip of one contact is not along its approach.
#[test]
fn a_capsule_hits_a_plane_with_one_end() {
    let mut implicit = 0;
    for law in &LAWS {
        let Law {
            restitution,
            tangential,
            friction,
        } = law;
        let model = model(&format!(
            "system t
            entity rod {{ capsule(radius = 0.1, length = 1) mass = 2 position = (0, 3, 0) }}
            fixed entity floor {{ half_space(normal = (0, 1, 0), offset = 0) }}
            contact default {{ restitution = {restitution} tangential_restitution = {tangential} friction = {friction} }}"
        ));
        let mut formulas = BodyFormulas::new(&model, &[]).unwrap();
        let doubles = Doubles::new(&model);
        let mut dice = Dice(9);
        for _ in 0..30 {
            let states = [dice.state(2.0), doubles.starts[1]];
            let k = [0, 1].map(|c| doubles.kinematics(c, &states, ReferenceAxis::X));
            let low = ContactId::new(u32::from(k[1].gap < k[0].gap));
            let mut states = states;
            states[0].position.y -= k[low.index()].gap;
            states[0].velocity.y -= 3.0;
            if doubles
                .kinematics(low.index(), &states, ReferenceAxis::X)
                .normal_velocity
                >= 0.0
            {
                continue;
            }
            let (_, auxiliaries) = compare(&mut formulas, &doubles, &[(low, ReferenceAxis::X)], &states, law);
            implicit += usize::from(auxiliaries == 3);
        }
    }
    assert!(implicit > 10, "{implicit}");
}

/// With e_T = −1 the tangential velocity is left alone: no state slips, and the formulas say so without a direction.
#[test]
fn an_impact_that_never_slips() {
    let law = Law {
        restitution: 1.0,
        tangential: -1.0,
        friction: 0.5,
    };
    let model = balls(2, &law, "");
    let mut formulas = BodyFormulas::new(&model, &[]).unwrap();
    let slip = formulas
        .impact(&[(FIRST, ReferenceAxis::X, Row::Against)])
        .unwrap();
    assert_eq!(slip.when, Condition::Constant(false));
    let stick = formulas.impact(&[(FIRST, ReferenceAxis::X, Row::Stick)]).unwrap();
    assert_eq!(slip.reset, stick.reset);
}

/// Groups whose impact cannot add energy say nothing about it: spheres alone, no friction, one coefficient for all.
#[test]
fn only_what_may_add_energy_says_so() {
    let rod = |e: f64, tangential: f64, friction: f64| {
        model(&format!(
            "system t
            entity rod {{ capsule(radius = 0.1, length = 1) mass = 2 position = (0, 3, 0) }}
            fixed entity floor {{ half_space(normal = (0, 1, 0), offset = 0) }}
            contact default {{ restitution = {e} tangential_restitution = {tangential} friction = {friction} }}"
        ))
    };
    let count = |model: &Model, modes: &[ImpactRow]| {
        let mut formulas = BodyFormulas::new(model, &[]).unwrap();
        let given = formulas.contact_ids().zip(modes);
        let given: Vec<_> = given.map(|(c, mode)| (c, ReferenceAxis::X, *mode)).collect();
        formulas.impact(&given).unwrap().gains.len()
    };
    use Row::{Against as Slip, Open, Stick};
    assert_eq!(count(&rod(0.9, -1.0, 0.3), &[Stick]), 1);
    assert_eq!(count(&rod(0.9, -1.0, 0.3), &[Slip]), 1);
    assert_eq!(count(&rod(0.9, 0.0, 0.0), &[Slip]), 0);
    assert_eq!(count(&rod(0.5, 0.5, 0.3), &[Slip]), 0);
    assert_eq!(count(&rod(0.0, 0.0, 0.3), &[Stick, Open]), 0);
    let law = |tangential: f64| Law {
        restitution: 0.5,
        tangential,
        friction: 0.4,
    };
    assert_eq!(count(&balls(3, &law(-1.0), ""), &[Stick, Open, Open]), 0);
    assert_eq!(count(&balls(3, &law(-1.0), ""), &[Stick, Stick, Open]), 1);
    assert_eq!(count(&balls(3, &law(0.5), ""), &[Stick, Stick, Slip]), 0);
}
