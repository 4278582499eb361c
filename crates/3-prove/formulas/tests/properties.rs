//! Truth values of a model as conditions.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use crate::support;

use dyverse_expr::NodeId;
use dyverse_formulas::{
    BodyFormulas, Condition, Constraint, ContactId, Relation, Requirement, Row, SlipDirection,
};
use dyverse_mech::ReferenceAxis;
use dyverse_model::{Formula, Model};
use support::{SECOND, close, model, values};

const BALLS: &str = "system t
    param c in [1, 2]
    entity a { sphere(radius = 0.5) mass = c position = (0, 0.5, 0) velocity = (1, 0, 0) }
    entity b { sphere(radius = 0.5) sphere(radius = 0.25) mass = 1 position = (3, 3, 0) }
    fixed entity floor { half_space(normal = (0, 1, 0), offset = 0) }
    contact default { restitution = 0 friction = 0.5 }
    gravity (0, -10, 0)";

fn nodes(model: &Model) -> Vec<NodeId> {
    let parts = model.properties().iter().flat_map(|p| &p.parts);
    parts
        .filter_map(|part| match part {
            Formula::Now(node) => Some(*node),
            _ => None,
        })
        .collect()
}

/// The first truth value of a property.
fn condition(
    formula: &str,
    closed: &[(ContactId, ReferenceAxis, Row<SlipDirection>)],
) -> (Condition, Vec<f64>) {
    let model = model(&format!("{BALLS} property p: always [0, 1] {formula}"));
    let mut formulas = BodyFormulas::new(&model, &[]).unwrap();
    let found = formulas.property(nodes(&model)[0], closed).unwrap();
    let mut at = values(
        &formulas,
        formulas.initial(),
        &vec![1.5; formulas.variables().state_count() + 2],
    );
    at.push(1.5);
    let atoms: Vec<NodeId> = found.atoms().iter().map(|a| a.node).collect();
    (found, values(&formulas, &atoms, &at))
}

fn relations(condition: &Condition) -> Vec<Relation> {
    condition
        .atoms()
        .iter()
        .map(|a: &Constraint| a.relation)
        .collect()
}

#[test]
fn comparisons_become_signs() {
    use Relation as R;
    for (text, relation, value) in [
        ("a.vx < c", R::Greater, 0.5),
        ("a.vx <= c", R::GreaterEqual, 0.5),
        ("a.vx > c", R::Greater, -0.5),
        ("a.vx >= c", R::GreaterEqual, -0.5),
        ("a.vx == c", R::Equal, -0.5),
        ("not (a.vx < c)", R::LessEqual, 0.5),
        ("(if a.x < 1 then a.vx else 7) < time", R::Greater, -1.0),
    ] {
        let (found, at) = condition(text, &[]);
        assert_eq!(relations(&found), [relation], "{text}");
        close(at[0], value, 1e-14);
    }
}

#[test]
fn negations_go_inside_and_absolute_values_split() {
    let (found, at) = condition("not (a.vx < c and b.y > 1 or a.z == 0)", &[]);
    assert!(
        matches!(&found, Condition::And(parts) if matches!(parts[0], Condition::Or(_))),
        "{found:?}"
    );
    assert_eq!(
        relations(&found),
        [Relation::LessEqual, Relation::LessEqual, Relation::NotEqual]
    );
    close(at[1], 2.0, 1e-14);
    let (inside, at) = condition("abs(a.vx - 3) <= c", &[]);
    assert!(matches!(&inside, Condition::And(parts) if parts.len() == 2));
    close(at[0], 3.5, 1e-14);
    close(at[1], -0.5, 1e-14);
    let (outside, at) = condition("abs(a.vx - 3) > c", &[]);
    assert!(matches!(&outside, Condition::Or(parts) if parts.len() == 2));
    close(at[0], -3.5, 1e-14);
    close(at[1], 0.5, 1e-14);
    assert_eq!(condition("1 < 2 and a.x < 1", &[]).0.atoms().len(), 1);
    assert_eq!(condition("1 > 2 and a.x < 1", &[]).0, Condition::Constant(false));
    assert_eq!(condition("1 < 2 or a.x < 1", &[]).0, Condition::Constant(true));
}

#[test]
fn quantities_of_contacts() {
    // Contacts: a with both spheres of b (0, 1), a with the floor (2), b with the floor (3, 4).
    let slip = Row::Along(SlipDirection::OfVelocity);
    let sliding = [(ContactId::new(2), ReferenceAxis::X, slip)];
    let first = |text: &str, closed: &[_]| condition(text, closed).1[0];
    let distance = 15.25f64.sqrt();
    close(first("gap(a, b) > 0", &[]), distance - 1.0, 1e-14);
    close(first("normal_velocity(a, b) > 0", &[]), -3.0 / distance, 1e-14);
    close(first("slip_speed(a, floor) > 0", &sliding), 1.0, 1e-14);
    close(first("normal_force(a, floor) > 0", &sliding), 15.0, 1e-13);
    close(first("friction_force(a, floor) > 0", &sliding), 7.5, 1e-13);
    assert_eq!(
        condition("normal_force(a, floor) > 0", &[]).0,
        Condition::Constant(false)
    );
    assert_eq!(
        condition("touching(a, floor)", &sliding).0,
        Condition::Constant(true)
    );
    // Not closed: the gap decides, up to the tolerance of 1e-9. The gap of a and the floor is 0, that of a and b is the least of two.
    let (floor, at) = condition("touching(a, floor)", &[]);
    assert_eq!(relations(&floor), [Relation::GreaterEqual]);
    close(at[0], 1e-9, 1e-20);
    let (balls, at) = condition("touching(a, b)", &[]);
    assert!(matches!(&balls, Condition::Or(parts) if parts.len() == 2));
    close(at[0], 1e-9 - (distance - 1.0), 1e-14);
    close(at[1], 1e-9 - (distance - 0.75), 1e-14);
    // As a part of a number.
    let (inside, at) = condition("(if touching(a, floor) then 3 else a.y) < 2", &[]);
    assert_eq!(relations(&inside), [Relation::Greater]);
    close(at[0], -1.0, 1e-14);
}

/// Just before an impact struck contacts touch; just after it velocities are the reset's, and forces those before.
#[test]
fn moments_of_an_impact() {
    let text = format!(
        "{BALLS}
        property p: always [0, 1] touching(a, b) and a.vx > 0
        property q: always [0, 1] normal_force(a, floor) + a.vx > 3 * a.vy"
    );
    let model = model(&text);
    let mut formulas = BodyFormulas::new(&model, &[]).unwrap();
    let (p, q) = (nodes(&model)[0], nodes(&model)[1]);
    let slip = Row::Along(SlipDirection::OfVelocity);
    let struck = [SECOND];
    let sliding = [(ContactId::new(2), ReferenceAxis::X, slip)];
    let atoms = |condition: &Condition| condition.atoms().iter().map(|a| a.node).collect::<Vec<_>>();
    let before = formulas.property_just_before(p, &sliding, &struck).unwrap();
    assert_eq!(relations(&before), [Relation::Greater], "{before:?}");
    let place = |name: &str| formulas.state_place(name).unwrap();
    let (vx, vy) = (place("a.vx"), place("a.vy"));
    let variables = formulas.variables().clone();
    let mut reset = formulas.with_pool(|pool| variables.identity(pool));
    // A reset that swaps two velocities and turns one of them.
    let turned = formulas.with_pool(|pool| pool.negate(reset[vy]));
    (reset[vx], reset[vy]) = (turned, reset[vx]);
    let after = formulas
        .property_just_after(p, &sliding, &struck, &reset)
        .unwrap();
    let loaded = formulas
        .property_just_after(q, &sliding, &struck, &reset)
        .unwrap();
    let mut at = values(
        &formulas,
        formulas.initial(),
        &vec![1.5; variables.state_count() + 2],
    );
    at.push(1.5);
    (at[vx], at[vy]) = (1.0, -0.25);
    assert_eq!(relations(&after), [Relation::Greater]);
    close(values(&formulas, &atoms(&before), &at)[0], 1.0, 1e-14);
    close(values(&formulas, &atoms(&after), &at)[0], 0.25, 1e-14);
    // λ_N = 15 as before, whatever the velocities are now: 15 + 0.25 − 3.
    close(values(&formulas, &atoms(&loaded), &at)[0], 12.25, 1e-12);
}

#[test]
fn what_is_left_out_is_not_read() {
    let smooth = model(
        "system t
        entity a { sphere(radius = 0.5) mass = 2 }
        contact default { friction = 0 }
        property p: always [0, 1] a.x < 1",
    );
    let turning = model(
        "system t
        entity a { sphere(radius = 0.5) mass = 2 }
        contact default { friction = 0 }
        property p: always [0, 1] a.wx < 1",
    );
    let mut formulas = BodyFormulas::new(&smooth, &[]).unwrap();
    assert!(formulas.property(nodes(&smooth)[0], &[]).is_ok());
    assert_eq!(formulas.left_out().len(), 7);
    let mut formulas = BodyFormulas::new(&turning, &[]).unwrap();
    assert!(formulas.property(nodes(&turning)[0], &[]).is_ok());
    assert_eq!(formulas.left_out().len(), 4);
}

/// However many parts a property has, and however deep its definitions are, it is a condition or a reason on a small stack.
#[test]
fn long_and_deep_properties_need_no_deep_stack() {
    let work = || {
        let parts: Vec<String> = (0..20_000)
            .map(|i| format!("(always [0, 1] a.x < {i})"))
            .collect();
        let long = model(&format!("{BALLS} property p: {}", parts.join(" and ")));
        let requirement = Requirement::new(&long.properties()[0], None).unwrap();
        assert_eq!(requirement.horizon(), 1.0);
        for (levels, is_found) in [(150, true), (300, false), (5_000, false)] {
            let mut text = format!("{BALLS} let p0 = a.x > 0");
            for level in 1..=levels {
                let word = if level % 2 == 0 { "and" } else { "or" };
                text += &format!("\n let p{level} = a.x > {level} {word} p{}", level - 1);
            }
            let deep = model(&format!("{text}\n property p: always [0, 1] p{levels}"));
            let mut formulas = BodyFormulas::new(&deep, &[]).unwrap();
            let found = formulas.property(nodes(&deep)[0], &[]);
            assert_eq!(found.is_ok(), is_found, "{levels} levels");
        }
    };
    let small = std::thread::Builder::new().stack_size(256 << 10);
    small.spawn(work).unwrap().join().unwrap();
}
