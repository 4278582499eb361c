//! Models and automata for the tests.
#![allow(dead_code, reason = "every test program uses a part of this")]
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot begin has failed"
)]

use dyverse_export::{ExportError, Subject};
use dyverse_lang::{Loaded, NoImports};
use dyverse_machine::{Contact, ContactList, GraphKind, HybridAutomaton};
use dyverse_model::Model;

/// The model of a right text.
pub(crate) fn model(source: &str) -> Model {
    let main = Loaded {
        key: "test".into(),
        name: "test.drbt".into(),
        bytes: source.into(),
    };
    let reading = dyverse_lang::read(main, &mut NoImports);
    reading
        .model
        .unwrap_or_else(|| panic!("{:?}", reading.diagnostics))
}

/// Balls in a row, called a, b, c, … up to 26, else b1, b2, …
pub(crate) fn balls(count: usize) -> Model {
    let name = |i: usize| match u8::try_from(i) {
        Ok(i) if count <= 26 => char::from(b'a' + i).to_string(),
        _ => format!("b{}", i + 1),
    };
    let entity = |i: usize| {
        format!(
            "entity {} {{ sphere(radius = 1) mass = 1 position = ({}, 0, 0) }}\n",
            name(i),
            3 * i
        )
    };
    let entities: String = (0..count).map(entity).collect();
    let law = "contact default { restitution = 1 tangential_restitution = -1 friction = 0.5 }\n";
    model(&format!("system balls_{count}\n{entities}{law}"))
}

/// The interception game of 000 §1.3.
pub(crate) fn interception() -> Model {
    model(
        "system interception
        param K in [1, 3]
        param g = 9.81
        input u1
        input u2
        input u3
        entity ball1 { sphere(radius = 1)  mass = 1  position = (0, 3, 0)  velocity = (1, 1, 0) }
        entity ball2 { sphere(radius = 1)  mass = 1  position = (1.5, 0, 0) }
        contact ball1, ball2 { restitution = 1  tangential_restitution = -1  friction = 0.5 }
        force on ball1, ball2 = (0, -g * mass, 0)
        force on ball2 = (-K * (ball2.x - ball1.x), -100 * ball2.y, -100 * (ball2.z - ball1.z))
        force on ball2 = (u1, u2, u3)",
    )
}

/// The automaton of a model, without obstructions.
pub(crate) fn automaton(model: &Model, kind: GraphKind) -> HybridAutomaton {
    let name = |id| model.entity(id).name.as_str();
    let contact = |contact: dyverse_model::Contact| {
        let (first, second) = contact.entities;
        Contact::new(model.contact_label(&contact), name(first), name(second))
    };
    let contacts = ContactList::new(model.contacts().map(contact).collect());
    HybridAutomaton::new(contacts, kind, Vec::new()).expect("no obstructions")
}

/// What a writer writes about a model.
pub(crate) fn written(
    model: &Model,
    kind: GraphKind,
    write: impl Fn(&mut Vec<u8>, Subject<'_>) -> Result<(), ExportError>,
) -> String {
    let automaton = automaton(model, kind);
    let subject = Subject::new(model, &automaton).expect("the model's automaton");
    let mut out = Vec::new();
    write(&mut out, subject).expect("memory takes all bytes");
    String::from_utf8(out).expect("UTF-8")
}
