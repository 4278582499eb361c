//! Nothing covers a text: checked on the rooms of texts and the curves of edges.

use super::layout::{Point, Rect};
use super::{Drawing, actors, draw, modes};
use crate::subject::Subject;
use dyverse_actors::{Definition, Graph, GraphBuilder, ModeTransition};
use dyverse_lang::{Loaded, Loader, NoImports, read, read_actors};
use dyverse_machine::{Contact, ContactList, GraphKind, HybridAutomaton};

/// Balls with these names, less the contact of the first two if `apart`.
fn check(names: &[String], apart: bool) {
    let entity = |(i, name): (usize, &String)| {
        format!(
            "entity {name} {{ sphere(radius = 1) mass = 1 position = ({}, 0, 0) }}\n",
            3 * i
        )
    };
    let mut source: String = names.iter().enumerate().map(entity).collect();
    source.insert_str(
        0,
        "system test\ncontact default { restitution = 1 friction = 0.5 }\n",
    );
    if let ([first, second, ..], true) = (names, apart) {
        source.push_str(&format!("no contact {first}, {second}\n"));
    }
    let main = Loaded::named("test", source);
    let reading = read(main, &mut NoImports);
    let model = reading
        .model
        .unwrap_or_else(|| panic!("{:?}", reading.diagnostics));
    let contacts = model
        .contacts()
        .map(|contact| Contact::new(model.contact_label(&contact), "", ""));
    let contacts = ContactList::new(contacts.collect());
    let automaton = HybridAutomaton::new(contacts, GraphKind::Complete, Vec::new()).expect("no obstruction");
    let drawing = draw(Subject::new(&model, &automaton).expect("the model's")).expect("counted");
    check_drawing(&format!("{names:?}"), &drawing);
}

/// Every text is inside the drawing, and nothing covers it.
fn check_drawing(names: &str, drawing: &Drawing) {
    let texts = &drawing.canvas.texts;
    for (i, text) in texts.iter().enumerate() {
        assert!(
            text.left >= 0.0 && text.left + text.width <= drawing.width,
            "{names}: {text:?} sticks out"
        );
        assert!(text.bottom() <= drawing.height, "{names}: {text:?} sticks out");
        for other in &texts[i + 1..] {
            assert!(!overlap(text, other), "{names}: {text:?} and {other:?} overlap");
        }
    }
    for (curve, label) in &drawing.canvas.edges {
        for (i, text) in texts.iter().enumerate().filter(|(i, _)| Some(*i) != *label) {
            let hit = (0..=100)
                .map(|t| curve.point(f64::from(t) / 100.0))
                .find(|p| is_inside(p, text));
            assert!(
                hit.is_none(),
                "{names}: an edge runs over text {i}, {text:?}, at {hit:?}"
            );
        }
    }
}

fn overlap(a: &Rect, b: &Rect) -> bool {
    a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.bottom() && b.top < a.bottom()
}

fn is_inside(p: &Point, rect: &Rect) -> bool {
    p.x > rect.left && p.x < rect.left + rect.width && p.y > rect.top && p.y < rect.bottom()
}

#[test]
fn nothing_covers_a_text() {
    for count in [1, 2, 3, 4, 5, 30] {
        let short: Vec<String> = (0..count).map(|i| format!("b{i}")).collect();
        let long: Vec<String> = (0..count)
            .map(|i| format!("a_ball_with_quite_a_long_name_number_{i}"))
            .collect();
        for names in [short, long] {
            check(&names, false);
            check(&names, true);
        }
    }
}

/// The shipped actor models that others import.
struct Shipped;

impl Loader for Shipped {
    fn load(&mut self, _importer: &str, path: &str) -> Result<Loaded, String> {
        let source = match path {
            "balls.dam" => include_str!("../../../../../examples/actors/balls.dam"),
            "interception_balls.drbt" => {
                include_str!("../../../../../examples/actors/interception_balls.drbt")
            }
            _ => return Err(format!("no {path}")),
        };
        Ok(Loaded::named(path, source))
    }
}

fn graph(source: &str) -> Graph {
    let reading = read_actors(Loaded::named("test", source), &mut Shipped);
    let model = reading.model;
    model.unwrap_or_else(|| panic!("{:?}", reading.diagnostics)).graph
}

fn check_actors(graph: &Graph) {
    let drawing = actors::draw(graph);
    check_drawing(graph.name(), &drawing);
    roxmltree::Document::parse(&drawing.document()).expect("well-formed");
    for modal in graph.modals() {
        let drawing = modes::draw(graph, modal);
        check_drawing(&modal.name, &drawing);
        roxmltree::Document::parse(&drawing.document()).expect("well-formed");
    }
}

#[test]
fn nothing_covers_a_text_in_drawings_of_actors() {
    for source in [
        include_str!("../../../../../examples/actors/friction.dam"),
        include_str!("../../../../../examples/actors/newtons_cradle.dam"),
        include_str!("../../../../../examples/actors/flyback_diode.dam"),
        include_str!("../../../../../examples/actors/interception.dam"),
        include_str!("../../../../../examples/actors/unequal_balls_left_first.dam"),
        include_str!("../../../../../examples/actors/oblique_fall.dam"),
        include_str!("../../../../../examples/actors/stacked_masses_chatter.dam"),
    ] {
        check_actors(&graph(source));
    }
}

/// Every way between modes: forth, back, to itself, from any.
#[test]
fn nothing_covers_a_text_where_many_transitions_cross() {
    for (count, name) in [
        (2, "m"),
        (5, "mode"),
        (9, "a_mode_with_quite_a_long_name"),
        (40, "m"),
    ] {
        let mut text = String::from("model crossing\nmodal machine {\n  out cont x\n");
        for from in 0..count {
            text.push_str(&format!("  mode {name}{from} {{\n    x' = {from}\n"));
            for to in (0..count).filter(|to| (from * 7 + to * 3) % 4 != 1) {
                text.push_str(&format!(
                    "    when x > {from} + {to} and time < 100 choose goto {name}{to}\n"
                ));
            }
            text.push_str("  }\n");
        }
        text.push_str(&format!(
            "  when x < -1 goto {name}0\n  when time > 1000 preempt goto {name}1\n}}\nhorizon = 1\n"
        ));
        check_actors(&graph(&text));
    }
}

/// Hundreds of parts: what is drawn stays legible, and what is not is said.
#[test]
fn large_graphs_of_actors_are_summarised() {
    let parts: String = (0..200)
        .map(|i| {
            format!(
                "ball{i} = Ball(x0 = {i}) {{ F = ball{}.x - ball{i}.x }}\n",
                (i + 1) % 200
            )
        })
        .collect();
    let signals: String = (0..300)
        .map(|i| {
            format!(
                "s{i} = {}\n",
                if i == 0 {
                    "1".into()
                } else {
                    format!("s{} + 1", i - 1)
                }
            )
        })
        .collect();
    let large = graph(&format!(
        "model large\nimport \"balls.dam\"\n{parts}{signals}horizon = 1\n"
    ));
    check_actors(&large);
    let drawing = actors::draw(&large);
    assert!(
        drawing.description.contains("48 of 201 parts"),
        "{}",
        drawing.description
    );
    assert!(drawing.document().len() < 400_000);
}

#[test]
fn names_from_elsewhere_stay_in_their_place() {
    let names = [
        "a\"></svg><script>x</script>",
        ".",
        "..",
        "",
        "p.\u{202e}'\u{0}",
        "p.q.r.s.t.u.v.w",
        "p",
        "x#y",
        "#",
    ];
    let mut builder = GraphBuilder::new(names[0]);
    let mut last = None;
    for name in names {
        let node = match last {
            Some(signal) => builder.read(signal),
            None => builder.time(),
        };
        last = Some(builder.add(name, Definition::Expression(node)));
    }
    let modal = builder.modal(dyverse_actors::RegionId::ROOT, names[0], None);
    let (first, _) = builder.mode(modal, names[0], None);
    let (second, _) = builder.mode(modal, names[4], None);
    let guard = builder.time();
    builder.transition(modal, ModeTransition::new(Some(first), second, guard));
    builder.transition(modal, ModeTransition::new(None, first, guard));
    let graph = builder.finish().expect("a graph");
    check_actors(&graph);
    let svg = modes::draw(&graph, &graph.modals()[0]).document();
    let document = roxmltree::Document::parse(&svg).expect("well-formed");
    assert!(
        document
            .descendants()
            .all(|node| node.tag_name().name() != "script")
    );
    let key = format!("{0}.{0}", names[0]);
    assert!(
        document
            .descendants()
            .any(|node| node.attribute("data-light") == Some(&key))
    );
}
