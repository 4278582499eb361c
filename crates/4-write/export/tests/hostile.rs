//! Names from outside the language: quotes, markup, line breaks, control characters. None leaves its place.

use crate::support;

use dyverse_diag::{Origin, SourceMap};
use dyverse_export::{Subject, TextOptions, write_dot, write_json, write_svg, write_text};
use dyverse_expr::Pool;
use dyverse_machine::GraphKind::Complete;
use dyverse_mech::{Placement, Shape};
use dyverse_model::{
    ContactLaw, Entity, ImpactLaw, ImpactPolicy, Inertia, Initial, InitialState, Mass, Model, ModelParts,
    Surface, SymbolTable,
};
use dyverse_num::{Quaternion, Vec3};
use std::collections::{BTreeMap, BTreeSet};
use support::{automaton, balls, written};

const NAMES: [&str; 3] = [
    "a\"];\n\\N</title><script>x</script>&lt;]]>",
    "b\u{0}\u{1b}[31m\u{202e}\r\n→ S_0 'quoted'",
    "c\\",
];

/// Balls with these names, as an interface to another language could make them.
fn hostile(names: &[&str]) -> Model {
    let mut pool = Pool::new();
    let (zero, one) = (pool.number(0.0), pool.number(1.0));
    let mut sources = SourceMap::new();
    let origin = Origin::new(sources.add("none", ""), 0, 0);
    let at_zero = Vec3::new(zero, zero, zero);
    let unturned = Quaternion {
        w: one,
        x: zero,
        y: zero,
        z: zero,
    };
    let still = Vec3::new(Initial::Value(zero), Initial::Value(zero), Initial::Value(zero));
    let entity = |name: &&str| Entity {
        name: (*name).to_owned(),
        is_fixed: false,
        surfaces: vec![Surface {
            shape: Shape::Sphere { radius: one },
            placement: Placement {
                position: at_zero,
                orientation: unturned,
            },
            origin,
        }],
        mass: Mass::Given(one),
        inertia: Inertia::FromSurfaces,
        initial: InitialState {
            position: still,
            orientation: unturned,
            velocity: still,
            angular_velocity: still,
        },
        origin,
    };
    Model::new(ModelParts {
        name: NAMES.concat(),
        entities: names.iter().map(entity).collect(),
        pool,
        symbols: SymbolTable::default(),
        parameters: Vec::new(),
        inputs: Vec::new(),
        default_law: ContactLaw {
            restitution: one,
            tangential_restitution: zero,
            friction: zero,
            rolling_friction: zero,
            spinning_friction: zero,
            impact: ImpactLaw::Newton,
            origin: None,
        },
        laws: BTreeMap::new(),
        excluded: BTreeSet::new(),
        loads: Vec::new(),
        impacts: ImpactPolicy::Simultaneous,
        impact_energy: Default::default(),
        tolerances: Default::default(),
        horizon: None,
        max_step: None,
        properties: Vec::new(),
    })
}

#[test]
fn svg_stays_well_formed() {
    for count in [1, 2, 3] {
        let svg = written(&hostile(&NAMES[..count]), Complete, |out, subject| {
            write_svg(out, subject)
        });
        let document = roxmltree::Document::parse(&svg).expect("well-formed");
        assert!(
            document
                .descendants()
                .all(|node| node.tag_name().name() != "script")
        );
        let title = document
            .root_element()
            .first_element_child()
            .and_then(|title| title.text());
        assert!(title.is_some_and(|title| title.contains("</title><script>x</script>&lt;]]>")));
    }
}

#[test]
fn json_gives_the_names_back() {
    let json = written(&hostile(&NAMES), Complete, |out, subject| {
        write_json(out, subject)
    });
    let document: serde_json::Value = serde_json::from_str(&json).expect("valid JSON");
    let entities = document["entities"].as_array().expect("entities").iter();
    assert_eq!(entities.map(|entity| &entity["name"]).collect::<Vec<_>>(), NAMES);
    assert_eq!(
        document["contacts"][0]["label"],
        format!("{}-{}", NAMES[0], NAMES[1])
    );
}

/// As many lines, in the same order, as with plain names; no control character but the line break.
#[test]
fn text_keeps_its_lines() {
    let write = |model: &Model| {
        written(model, Complete, |out, subject| {
            write_text(out, subject, &TextOptions::default())
        })
    };
    let (hostile, plain) = (write(&hostile(&NAMES)), write(&balls(3)));
    assert!(hostile.chars().all(|c| c == '\n' || !c.is_control()));
    assert!(!hostile.contains('\u{202e}'));
    let edges = |text: &str| text.lines().filter(|line| line.starts_with("  → ")).count();
    assert_eq!(edges(&hostile), edges(&plain));
}

/// Outside its strings a hostile graph is the plain graph.
#[test]
fn dot_strings_hold_the_names() {
    let write = |model: &Model| written(model, Complete, |out, subject| write_dot(out, subject));
    for count in [2, 3] {
        let names: Vec<&str> = NAMES[..count].to_vec();
        assert_eq!(
            without_strings(&write(&hostile(&names))),
            without_strings(&write(&balls(count)))
        );
    }
}

/// A DOT text with every quoted string emptied.
fn without_strings(dot: &str) -> String {
    let (mut out, mut in_string, mut escaped) = (String::new(), false, false);
    for c in dot.chars() {
        match (in_string, c) {
            (true, _) if escaped => escaped = false,
            (true, '\\') => escaped = true,
            (true, '"') => in_string = false,
            (true, _) => assert!(!c.is_control(), "a control character in a string"),
            (false, '"') => {
                in_string = true;
                out.push_str("\"\"");
            }
            (false, _) => out.push(c),
        }
    }
    assert!(!in_string, "a string does not end");
    out
}

#[test]
fn an_automaton_of_another_model_is_refused() {
    let (two, three) = (balls(2), balls(3));
    let other = automaton(&three, Complete);
    let error = Subject::new(&two, &other).expect_err("other contacts");
    assert!(error.to_string().contains("(3 and 1 contacts) differ"), "{error}");
}
