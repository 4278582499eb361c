//! Nothing covers a text: checked on the rooms of texts and the curves of edges.

use super::draw;
use super::layout::{Point, Rect};
use crate::subject::Subject;
use dyverse_automaton::{Contact, ContactList, GraphKind, HybridAutomaton};
use dyverse_lang::{Loaded, NoImports, read};

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

    let texts = &drawing.canvas.texts;
    for (i, text) in texts.iter().enumerate() {
        assert!(
            text.left >= 0.0 && text.left + text.width <= drawing.width,
            "{names:?}: {text:?} sticks out"
        );
        assert!(text.bottom() <= drawing.height, "{names:?}: {text:?} sticks out");
        for other in &texts[i + 1..] {
            assert!(!overlap(text, other), "{names:?}: {text:?} and {other:?} overlap");
        }
    }
    for (curve, label) in &drawing.canvas.edges {
        for (i, text) in texts.iter().enumerate().filter(|(i, _)| Some(*i) != *label) {
            let hit = (0..=100)
                .map(|t| curve.point(f64::from(t) / 100.0))
                .find(|p| is_inside(p, text));
            assert!(
                hit.is_none(),
                "{names:?}: an edge runs over text {i}, {text:?}, at {hit:?}"
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
