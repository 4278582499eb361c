//! What right files mean, seen through the model: numbers, laws, contact lists, properties, settings.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

use crate::support;

use dyverse_expr::{Program, Value};
use dyverse_model::{
    EnergyRule, EntityId, Formula, FormulaId, ImpactLaw, ImpactOrder, ImpactPolicy, Initial, Model,
    ParameterKind, Property, Setting, Symbol, Tolerances, Window,
};
use dyverse_num::{Interval, Tri};
use std::f64::consts::PI;
use support::{codes, model};

const BALL: &str = "entity ball { sphere(radius = 1)  mass = 1  position = (0, 3, 0) }\n";
const FLOOR: &str = "fixed entity floor { half_space(normal = (0, 1, 0), offset = 0) }\n";

fn assert_close(found: f64, expected: f64) {
    assert!(
        (found - expected).abs() <= 1e-12 * (1.0 + expected.abs()),
        "{found} is not {expected}"
    );
}

// Parameters.

#[test]
fn parameters_have_ranges_and_nominal_values() {
    let m = model(
        "param a in [1, 3]\nparam b in [a, 2 * a] = 1.5 * a\nparam c = a + b\nparam d in [0, 0.3] = 0.1\n\
         entity ball { sphere(radius = a)  mass = c }",
    );
    let id = |name: &str| m.parameter(name).unwrap();
    let nominal = Setting::nominal(&m);
    assert_eq!(*nominal.parameter(id("a")), 2.0);
    assert_eq!(*nominal.parameter(id("b")), 3.0);
    assert_eq!(*nominal.parameter(id("c")), 5.0);
    assert_eq!(*nominal.parameter(id("d")), 0.1);
    let whole = Setting::enclosing(&m);
    assert_eq!(*whole.parameter(id("a")), Interval::new(1.0, 3.0).unwrap());
    assert_eq!(*whole.parameter(id("b")), Interval::new(1.0, 6.0).unwrap());
    // The decimal 0.3 is no double: its interval holds it.
    assert!(whole.parameter(id("d")).hi() > 0.3);
    assert!(matches!(m.parameters()[2].kind, ParameterKind::Fixed(_)));
    assert!(m.parameter("nothing").is_none());
    let half = Setting::with(&m, f64::NAN, |_, kind, value| match kind {
        ParameterKind::Fixed(node) | ParameterKind::Range { lower: node, .. } => value(node),
    });
    assert_eq!(*half.parameter(id("c")), 2.0);
}

#[test]
fn sums_of_decimals_reach_their_bounds() {
    assert!(
        codes(&format!(
            "{BALL}{FLOOR}contact default {{ restitution = 0.3 + 0.7  friction = 0.3 - 0.1 - 0.2 }}"
        ))
        .is_empty()
    );
    assert_eq!(
        codes(&format!("{BALL}contact default {{ friction = -1e-13 }}")),
        ["L017"]
    );
}

#[test]
fn inputs_have_ranges_and_values_of_their_own() {
    let m = model(&format!(
        "input u in [-1, 1]\ninput v = sin(time)\ninput w in [1, 2] = 1.5\n{BALL}force on ball = (u, v, w)"
    ));
    let names: Vec<&str> = m.inputs().iter().map(|i| i.name.as_str()).collect();
    assert_eq!(names, ["u", "v", "w"]);
    assert!(m.inputs()[1].range.is_none() && m.inputs()[0].range.is_some());
    assert_eq!(m.text(m.inputs()[1].default), "sin(time)");
    assert_eq!(m.text(m.loads()[0].force[2]), "w");
}

// Mass and inertia.

#[test]
fn mass_and_inertia_come_from_density_and_shape() {
    let m = model(
        "entity ball { sphere(radius = 0.5)  density = 3 }\n\
         entity egg { ellipsoid(semi_axes = (1, 2, 3))  density = 0.5  position = (10, 0, 0) }\n\
         entity rod { capsule(radius = 0.5, length = 2)  density = 2  position = (20, 0, 0) }\n\
         entity twins { sphere(radius = 1, at = (2, 0, 0))  sphere(radius = 1, at = (-2, 0, 0))  mass = 6  position = (30, 0, 0) }\n\
         entity given { sphere(radius = 1)  mass = 2  inertia = (3, 4, 5)  products_of_inertia = (0.1, 0.2, 0.3)  position = (40, 0, 0) }\n\
         entity turned { capsule(radius = 0.5, length = 2, orientation = rotation(axis = (0, 1, 0), angle = pi / 2))  density = 2  position = (50, 0, 0) }\n\
         contact default { restitution = 1 }",
    );
    let setting = Setting::nominal(&m);
    let of = |n: usize| setting.mass_properties(EntityId(n)).unwrap();
    let ball = of(0);
    let mass = 3.0 * 4.0 / 3.0 * PI * 0.125;
    assert_close(ball.mass, mass);
    assert_close(ball.inertia.rows.x.x, 0.4 * mass * 0.25);
    let egg = of(1);
    assert_close(egg.mass, 0.5 * 4.0 / 3.0 * PI * 6.0);
    assert_close(egg.inertia.rows.x.x, egg.mass * (4.0 + 9.0) / 5.0);
    assert_close(egg.inertia.rows.z.z, egg.mass * (1.0 + 4.0) / 5.0);
    // A capsule is a cylinder and two half balls; its axis is z. `length` is that between the centres of its caps.
    let (r, l) = (0.5, 2.0);
    let (cylinder, caps) = (2.0 * PI * r * r * l, 2.0 * 4.0 / 3.0 * PI * r * r * r);
    let rod = of(2);
    assert_close(rod.mass, cylinder + caps);
    assert_close(rod.inertia.rows.z.z, cylinder * r * r / 2.0 + caps * 0.4 * r * r);
    let across =
        cylinder * (l * l / 12.0 + r * r / 4.0) + caps * (0.4 * r * r + l * l / 4.0 + 3.0 / 8.0 * l * r);
    assert_close(rod.inertia.rows.x.x, across);
    let twins = of(3);
    assert_close(twins.inertia.rows.x.x, 6.0 * 0.4);
    assert_close(twins.inertia.rows.y.y, 6.0 * (0.4 + 4.0));
    let given = of(4);
    assert_eq!(
        (given.mass, given.inertia.rows.y.y, given.inertia.rows.z.y),
        (2.0, 4.0, 0.3)
    );
    let turned = of(5);
    assert_close(turned.inertia.rows.x.x, rod.inertia.rows.z.z);
    assert_close(turned.inertia.rows.z.z, across);
}

#[test]
fn fixed_can_stand_in_three_places() {
    for text in [
        "fixed entity a { sphere(radius = 1) }",
        "entity a fixed { sphere(radius = 1) }",
        "entity a { fixed  sphere(radius = 1) }",
        "entity a { sphere(radius = 1)  fixed }",
    ] {
        assert!(model(text).entities()[0].is_fixed, "{text}");
        assert!(
            Setting::nominal(&model(text))
                .mass_properties(EntityId(0))
                .is_err()
        );
    }
}

// Initial sets and surfaces.

#[test]
fn initial_values_and_sets() {
    let m = model(
        "param h in [1, 2]\nentity ball { sphere(radius = 0.1)  mass = 1  position in ([0, h], 3, [-1, 1])  velocity = (1, 2, 3)\n\
         angular_velocity in (0, 0, [5, 7])  orientation = rotation(axis = (0, 0, 2), angle = pi / 2) }",
    );
    let start = &m.entities()[0].initial;
    let (nominal, whole) = (Setting::nominal(&m), Setting::enclosing(&m));
    assert!(matches!(start.position.x, Initial::Range(..)) && matches!(start.position.y, Initial::Value(_)));
    assert_eq!(nominal.initial(&start.position.x), 0.75);
    assert_eq!(whole.initial(&start.position.x), Interval::new(0.0, 2.0).unwrap());
    assert_eq!(nominal.initial(&start.angular_velocity.z), 6.0);
    let q = nominal.orientation(&start.orientation);
    assert_close(q.w, (PI / 4.0).cos());
    assert_close(q.z, (PI / 4.0).sin());
    assert_close(q.x, 0.0);
}

#[test]
fn planes_are_placed_by_point_or_offset_and_their_normal_is_unit() {
    let m = model(
        "fixed entity a { plane(normal = (3, 0, 4), offset = 2) }\nfixed entity b { plane(normal = (0, 0, 2), point = (5, 6, 7)) }\n\
         fixed entity c { half_space((1, 0, 0)) }",
    );
    let setting = Setting::nominal(&m);
    let plane = |n: usize| match setting.shape(&m.entities()[n].surfaces[0]) {
        dyverse_mech::Shape::Plane { normal, offset } | dyverse_mech::Shape::HalfSpace { normal, offset } => {
            (normal, offset)
        }
        other => panic!("{other:?}"),
    };
    let (normal, offset) = plane(0);
    assert_close(normal.x, 0.6);
    assert_close(normal.z, 0.8);
    assert_close(offset, 2.0);
    assert_close(plane(1).1, 7.0);
    assert_close(plane(2).1, 0.0);
}

#[test]
fn a_rounded_box_has_the_size_that_is_written() {
    let m = model("entity box { rounded_box(size = (2, 4, 6), radius = 0.5)  mass = 1 }");
    let dyverse_mech::Shape::RoundedBox { half_extents, radius } =
        Setting::nominal(&m).shape(&m.entities()[0].surfaces[0])
    else {
        panic!("no box");
    };
    assert_eq!(
        (half_extents.x, half_extents.y, half_extents.z, radius),
        (0.5, 1.5, 2.5, 0.5)
    );
    // A cube rounded all the way is a ball.
    let ball = model("entity box { rounded_box(size = (0.2, 0.2, 0.2), radius = 0.1)  density = 1 }");
    assert_close(
        Setting::nominal(&ball).mass_properties(EntityId(0)).unwrap().mass,
        4.0 / 3.0 * PI * 1e-3,
    );
}

// Contacts.

fn law(m: &Model, a: usize, b: usize) -> [f64; 3] {
    let (setting, law) = (Setting::nominal(m), m.law(EntityId(a), EntityId(b)));
    [law.restitution, law.tangential_restitution, law.friction].map(|node| setting.value(node))
}

#[test]
fn laws_of_pairs_are_completed_from_the_default_and_that_from_the_built_in() {
    let text = "entity a { sphere(radius = 1)  mass = 1 }\nentity b { sphere(radius = 1)  mass = 1  position = (5, 0, 0) }\n\
                entity c { sphere(radius = 1)  mass = 1  position = (10, 0, 0) }\n";
    let m = model(&format!(
        "{text}contact c, a {{ friction = 0.7 }}\ncontact default {{ restitution = 0.5  tangential_restitution = -0.25 }}"
    ));
    assert_eq!(law(&m, 0, 1), [0.5, -0.25, 0.0]);
    assert_eq!(law(&m, 0, 2), [0.5, -0.25, 0.7]);
    assert_eq!(law(&m, 2, 0), law(&m, 0, 2));
    let m = model(&format!("{text}contact a, b {{ restitution = 0 }}"));
    assert_eq!(law(&m, 0, 1), [0.0, 0.0, 0.0]);
    assert_eq!(law(&m, 1, 2), [1.0, 0.0, 0.0], "the built-in law");
    assert_eq!(
        codes(&format!("{text}contact a, b {{ restitution = 0 }}")),
        ["M005"]
    );
}

#[test]
fn friction_is_a_function_of_the_slip_speed() {
    let m = model(&format!(
        "param mu in [0.2, 0.4]\n{BALL}{FLOOR}contact ball, floor {{ friction = mu * (0.5 + 0.5 * exp(-slip_speed / 0.1)) }}"
    ));
    let friction = m.law(EntityId(0), EntityId(1)).friction;
    let tape = Program::new(m.pool(), &[friction]);
    for slip in [0.0, 0.05, 3.0] {
        let found = tape.numbers(|id| match m.symbol(id) {
            Symbol::SlipSpeed => slip,
            Symbol::Parameter(_) => 0.3,
            other => panic!("{other:?}"),
        });
        assert_close(found[0], 0.3 * (0.5 + 0.5 * (-slip / 0.1_f64).exp()));
    }
}

fn labels(m: &Model) -> Vec<String> {
    m.contacts().map(|c| m.contact_label(&c)).collect()
}

#[test]
fn contact_lists_and_labels() {
    let ball = |name: &str, x: i32| {
        format!("entity {name} {{ sphere(radius = 1)  mass = 1  position = ({x}, 9, 0) }}\n")
    };
    let law = "contact default { restitution = 1 }\n";
    let abc = format!("{}{}{}{law}", ball("a", 0), ball("b", 5), ball("c", 10));
    assert_eq!(labels(&model(&abc)), ["ab", "ac", "bc"]);
    assert_eq!(labels(&model(&format!("{abc}no contact c, a"))), ["ab", "bc"]);
    let two = format!("{}{}{law}", ball("ball1", 0), ball("ball2", 5));
    assert_eq!(labels(&model(&two)), ["ball1-ball2"]);
    let fixed = "fixed entity f { plane(normal = (0, 1, 0)) }\nfixed entity g { plane(normal = (0, 1, 0), offset = -1) }\n";
    assert_eq!(
        labels(&model(&format!("{}{fixed}{law}", ball("a", 0)))),
        ["af", "ag"],
        "fixed ones have no contact"
    );
    let twins =
        "entity a { sphere(radius = 1, at = (2, 0, 0))  sphere(radius = 1, at = (-2, 0, 0))  mass = 6 }\n";
    assert_eq!(
        labels(&model(&format!("{twins}{}{law}", ball("b", 9)))),
        ["a.1-b", "a.2-b"]
    );
}

#[test]
fn flat_pairs_touch_at_several_points() {
    let law = "contact default { restitution = 1 }\n";
    let boxed = format!(
        "entity box {{ rounded_box(size = (1, 1, 1), radius = 0.1)  mass = 1  position = (0, 3, 0) }}\n{FLOOR}{law}"
    );
    let found = labels(&model(&boxed));
    assert_eq!(found.len(), 8);
    assert_eq!(
        (found[0].as_str(), found[7].as_str()),
        ("box#1-floor", "box#8-floor")
    );
    let rod = format!(
        "entity rod {{ capsule(radius = 0.1, length = 1)  mass = 1  position = (0, 3, 0) }}\n{FLOOR}{law}"
    );
    assert_eq!(labels(&model(&rod)), ["rod#1-floor", "rod#2-floor"]);
    let both = format!(
        "{BALL}entity rod {{ capsule(radius = 0.1, length = 1)  mass = 1  position = (0, 9, 0) }}\n{law}"
    );
    assert_eq!(labels(&model(&both)), ["ball-rod"]);
}

// Properties.

fn property(formula: &str) -> (Model, Property) {
    let m = model(&format!(
        "param p in [0, 1]\n{BALL}{FLOOR}contact default {{ friction = 0 }}\nproperty it: {formula}"
    ));
    let property = m.properties()[0].clone();
    (m, property)
}

/// A formula in prefix form.
fn shown(m: &Model, p: &Property, id: FormulaId) -> String {
    let window = |w: &Option<Window>| w.map_or(String::new(), |w| format!("[{},{}]", w.from, w.to));
    match p.part(id) {
        Formula::Now(node) => format!("<{}>", m.text(*node)),
        Formula::Not(a) => format!("not {}", shown(m, p, *a)),
        Formula::And(a, b) => format!("and({}, {})", shown(m, p, *a), shown(m, p, *b)),
        Formula::Or(a, b) => format!("or({}, {})", shown(m, p, *a), shown(m, p, *b)),
        Formula::Always(w, a) => format!("always{} {}", window(w), shown(m, p, *a)),
        Formula::Eventually(w, a) => format!("eventually{} {}", window(w), shown(m, p, *a)),
        Formula::Until(w, a, b) => format!("until{}({}, {})", window(w), shown(m, p, *a), shown(m, p, *b)),
    }
}

fn check(formula: &str, expected: &str) {
    let (m, p) = property(formula);
    assert_eq!(shown(&m, &p, p.root()), expected, "{formula}");
}

#[test]
fn temporal_formulas() {
    check("always [0, 2] ball.x > 0", "always[0,2] <ball.x > 0>");
    check("ball.x > 0", "always <ball.x > 0>");
    check(
        "always [0, 2] (ball.x > 0 implies eventually [0, 1] ball.y < 0)",
        "always[0,2] or(not <ball.x > 0>, eventually[0,1] <ball.y < 0>)",
    );
    check(
        "never [0, 0.1] touching(ball, floor)",
        "always[0,0.1] not <touching(ball, floor) == 1>",
    );
    check(
        "ball.y > 1 until [1, 2] ball.x > 0",
        "until[1,2](<ball.y > 1>, <ball.x > 0>)",
    );
    check("not eventually ball.x > p", "not eventually <ball.x > p>");
    check(
        "(always ball.x > 0) and ball.y > 0",
        "and(always <ball.x > 0>, <ball.y > 0>)",
    );
    check(
        "always ball.x > 0 and ball.y > 0",
        "always <ball.x > 0 and ball.y > 0>",
    );
    check(
        "always [1 / 2, 2 * pi] true",
        "always[0.5,6.283185307179586] <true>",
    );
}

#[test]
fn precedence_is_that_of_the_grammar() {
    let expression = |text: &str| {
        let (m, p) = property(text);
        let Formula::Now(node) = p.part(FormulaId(0)) else {
            panic!("{text}")
        };
        m.text(*node)
    };
    for (text, expected) in [
        ("ball.x + 1 * p < 2 ^ 3 ^ p", "ball.x + p < 2 ^ 3 ^ p"),
        ("-ball.x ^ 2 < 0", "-ball.x ^ 2 < 0"),
        ("(-ball.x) ^ 2 > 0", "(-ball.x) ^ 2 > 0"),
        ("2 - 3 - p < 1", "2 - 3 - p < 1"),
        ("2 - (3 - p) < 1", "2 - (3 - p) < 1"),
        ("p / 2 * 3 < 1", "p / 2 * 3 < 1"),
        ("p < 1 or p > 2 and p > 3", "p < 1 or p > 2 and p > 3"),
        ("(p < 1 or p > 2) and p > 3", "(p < 1 or p > 2) and p > 3"),
        ("not p < 1 and p > 2", "not p < 1 and p > 2"),
        (
            "p < 1 implies p < 2 implies p < 3",
            "not p < 1 or (not p < 2 or p < 3)",
        ),
        ("0 < ball.x <= 1 < 3", "0 < ball.x and ball.x <= 1 and 1 < 3"),
        (
            "(if p > 0 then 1 else 2) + 1 > p",
            "(if p > 0 then 1 else 2) + 1 > p",
        ),
        (
            "(if p > 0 then 1 else 2 + 1) > p",
            "(if p > 0 then 1 else 2 + 1) > p",
        ),
        ("2 ^ -1 < p", "2 ^ (-1) < p"),
        (
            "clamp(p, 0, 1) < max(1, p, 3)",
            "min(max(p, 0), 1) < max(max(1, p), 3)",
        ),
        (
            "if p > 0 then p < 1 else p > 2",
            "p > 0 and p < 1 or not p > 0 and p > 2",
        ),
    ] {
        assert_eq!(expression(text), expected, "{text}");
    }
}

/// print ∘ parse = id, on expressions.
#[test]
fn printed_expressions_are_read_as_the_same() {
    for text in [
        "ball.x * (ball.y - 2) ^ 3 / sin(time) < atan2(p, 1) - (p - 1)",
        "not (p < 1 or ball.vx == 3) and (if p > 0 then -p else p ^ 0.5) != 1e-30 * ball.qw",
        "norm(ball.velocity) <= dot(ball.position, cross((1, 2, 3), ball.velocity))",
    ] {
        let printed = |text: &str| {
            let (m, p) = property(text);
            let Formula::Now(node) = p.part(FormulaId(0)) else {
                panic!("{text}")
            };
            m.text(*node)
        };
        assert_eq!(printed(&printed(text)), printed(text));
    }
}

#[test]
fn vectors_and_functions() {
    let (m, p) = property(
        "norm((3, 4, 0) + 2 * (0, 0, 6)) == 13 and dot((1, 2, 3), (4, 5, 6)) == 32 and cross((1, 0, 0), (0, 1, 0)).z == 1 \
         and (unit((0, 3, 4)) - (0, 0.6, 0.8)).y <= 1e-15 and -((1, 2, 3) / 2).y == -1 and (if 1 < 2 then (1, 0, 0) else (0, 1, 0)).x == 1 \
         and ball.position.y == ball.y and abs(ball.speed - norm(ball.velocity)) == 0 and floor(2.5) == 2 and sign(-3) == -1",
    );
    let Formula::Now(node) = p.part(FormulaId(0)) else {
        panic!("no truth value")
    };
    assert_eq!(
        Program::new(m.pool(), &[*node]).evaluate(|_| 0.5_f64),
        vec![Value::Boolean(Tri::True)]
    );
}

#[test]
fn definitions_are_what_they_name() {
    let m = model(
        "let range = [1, 3]\nparam K in range = 2\nlet arm = ball.x - 1\nlet up = (0, 1, 0)\nlet late = time > 1\nlet start = ([0, 1], 0, 0)\n\
         entity ball { sphere(radius = 1)  mass = 1  position in start }\nforce on ball = (if late then K * arm else 0) * up",
    );
    assert_eq!(
        m.text(m.loads()[0].force[1]),
        "if time > 1 then K * (ball.x - 1) else 0"
    );
    assert_eq!(m.text(m.loads()[0].force[0]), "0");
    assert!(matches!(m.entities()[0].initial.position.x, Initial::Range(..)));
}

// Settings.

#[test]
fn settings_and_their_defaults() {
    let m = model(BALL);
    assert_eq!(
        (m.impacts(), m.tolerances(), m.horizon()),
        (ImpactPolicy::Simultaneous, Tolerances::default(), None)
    );
    assert_eq!(m.name(), "t", "the file's name");
    let m = model(&format!(
        "system s\n{BALL}tolerances {{ gap = 1e-6, force = 2e-3; simultaneity = 1e-4 }}\nhorizon = 0.1"
    ));
    let expected = Tolerances {
        gap: 1e-6,
        force: 2e-3,
        simultaneity: 1e-4,
        ..Tolerances::default()
    };
    assert_eq!(
        (m.name(), m.tolerances(), m.horizon()),
        ("s", expected, Some(0.1))
    );
}

/// A pair's own law, then that of `contact default`, then that of `impacts`.
#[test]
fn laws_of_impact() {
    let laws = |text: &str| {
        let read = model(&format!(
            "entity a {{ sphere(1) mass = 1 }}\nentity b {{ sphere(1) mass = 1 position = (3, 0, 0) }}
             entity c {{ sphere(1) mass = 1 position = (6, 0, 0) }}\n{text}"
        ));
        let [a, b, c] = [0, 1, 2].map(EntityId);
        let own = [(a, b), (c, a), (b, c)].map(|(a, b)| read.law(a, b).impact);
        (own, read.impact_laws().to_vec())
    };
    use ImpactLaw::{Energetic, Newton, Poisson};
    assert_eq!(laws(""), ([Newton; 3], vec![Newton]));
    assert_eq!(laws("impacts energetic"), ([Energetic; 3], vec![Energetic]));
    assert_eq!(
        laws("impacts poisson\ncontact a, c { law = newton }"),
        ([Poisson, Newton, Poisson], vec![Poisson, Newton])
    );
    assert_eq!(
        laws(
            "impacts sequential any\ncontact default { law = poisson }\ncontact b, a { friction = 1 }\ncontact c, b { law = energetic }"
        ),
        ([Poisson, Poisson, Energetic], vec![Poisson, Energetic])
    );
    // A law that no pair has is none of the model's.
    assert_eq!(
        laws("contact a, b { law = energetic }\nno contact a, c\nno contact b, c").1,
        [Energetic]
    );
}

#[test]
fn impact_policies() {
    for (text, expected) in [
        ("simultaneous", ImpactPolicy::Simultaneous),
        ("poisson", ImpactPolicy::Poisson),
        ("energetic", ImpactPolicy::Energetic),
        ("sequential", ImpactPolicy::Sequential(ImpactOrder::First)),
        ("sequential first", ImpactPolicy::Sequential(ImpactOrder::First)),
        ("sequential any", ImpactPolicy::Sequential(ImpactOrder::Any)),
        (
            "sequential random(7)",
            ImpactPolicy::Sequential(ImpactOrder::Random(7)),
        ),
        (
            "sequential random(seed = 2 ^ 53)",
            ImpactPolicy::Sequential(ImpactOrder::Random(1 << 53)),
        ),
    ] {
        assert_eq!(model(&format!("{BALL}impacts {text}")).impacts(), expected);
        let plain = model(&format!("{BALL}impacts {text} uncapped\nhorizon 1"));
        assert_eq!(
            (plain.impacts(), plain.impact_energy()),
            (expected, EnergyRule::Uncapped)
        );
        assert_eq!(plain.impacts_text(), format!("{} uncapped", expected.text()));
        assert_eq!(
            model(&format!("{BALL}impacts {}", expected.text())).impacts(),
            expected
        );
    }
}

#[test]
fn touching_is_no_overlap() {
    let text = "param R = 0.1\nentity a { sphere(radius = R)  mass = 1 }\nentity b { sphere(radius = R)  mass = 1  position = (2 * R, 0, 0) }\n\
                contact default { restitution = 1 }\n";
    assert!(codes(text).is_empty());
    assert!(codes(&text.replace("2 * R", "2 * R - 1e-6")).contains(&"M001"));
    assert!(
        codes(
            &text
                .replace("2 * R", "2 * R - 1e-6")
                .replace("contact", "tolerances { gap = 1e-5 }\ncontact")
        )
        .is_empty()
    );
    assert!(
        codes(
            &text
                .replace("2 * R", "1.5 * R")
                .replace("contact", "no contact a, b\ncontact")
        )
        .is_empty()
    );
}
