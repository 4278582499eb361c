//! One naming: what a trace, a page and a proof call a place or an edge is a place or an edge of the generated automaton.
//!
//! The oracle is the automaton itself: names are parsed by `HybridAutomaton::named`, edges are looked for among those that it enumerates. (That C and blocks name as runs do is tested beside them.)

use dyverse::automaton::{HybridAutomaton, Location, NamedPlace};
use dyverse::check::Checkable;
use dyverse::model::Model;
use dyverse::pages::bodies_page;
use dyverse::proof::Proof;
use dyverse::{EXAMPLES, GenerateOptions, RunOptions, generate};

/// Contacts up to which all edges out of a place are enumerated.
const MOST_ENUMERATED: usize = 6;

fn automaton(model: &Model) -> HybridAutomaton {
    generate(model, &GenerateOptions::default()).unwrap().automaton
}

fn place(automaton: &HybridAutomaton, name: &str) -> NamedPlace {
    let found = automaton.named(name);
    let found = found.unwrap_or_else(|| panic!("`{name}` is no place of the automaton"));
    let contacts = u32::try_from(automaton.contacts().len()).unwrap();
    assert_eq!(found.name(contacts), name);
    found
}

fn location(automaton: &HybridAutomaton, name: &str) -> Location {
    let found = place(automaton, name).location();
    found.unwrap_or_else(|| panic!("`{name}` is inside a node"))
}

/// An edge of the automaton, by the names of its ends and its rule: 8 stands for 8a, 8b and 8c.
fn edge(automaton: &HybridAutomaton, from: &str, to: &str, rule: &str) {
    let (from, to) = (location(automaton, from), location(automaton, to));
    if from.closed().len().max(to.closed().len()) > MOST_ENUMERATED {
        return;
    }
    let is_it = |edge: &dyverse::automaton::Edge| *edge.to() == to && edge.rule().number() == rule;
    assert!(
        automaton.out_edges(&from).any(|edge| is_it(&edge)),
        "no edge {from:?} → {to:?} by rule {rule}"
    );
}

/// Places and labels of a proof: `S_0 → I_1,en (8); I_1,ex → C_1,en (1)`. A node that is passed is named by its letter and number alone.
pub(crate) fn judge_proof(subject: Checkable<'_>, proof: &Proof) {
    let Checkable::Bodies(model) = subject else {
        return;
    };
    let automaton = automaton(model);
    let mut edges = 0;
    for stay in proof.boxes.iter().flat_map(|b| &b.stays) {
        match stay.place.as_str() {
            "start" => {}
            name if name.contains(',') || name == "S_0" => {
                place(&automaton, name);
            }
            name => {
                place(&automaton, &format!("{name},en"));
            }
        }
        for way in stay.branches().iter().flat_map(|branch| &branch.ways) {
            for label in way.label.split("; ").filter(|label| label.contains(" → ")) {
                let (from, rest) = label.split_once(" → ").unwrap();
                // What follows says more of the impact.
                let (to, rule) = rest.split_once(" (").unwrap();
                let (rule, _) = rule.split_once(')').unwrap();
                edge(&automaton, from, to, rule);
                edges += 1;
            }
        }
    }
    assert!(
        edges > 0 || model.contacts().next().is_none(),
        "{}",
        proof.property
    );
}

/// Every shipped model of bodies: transitions of its run, and what its page says of them.
#[test]
fn traces_and_pages_speak_of_the_automaton() {
    let mut transitions = 0;
    for example in EXAMPLES.iter().filter(|e| e.file.ends_with(".drbt")) {
        let reading = dyverse::read_text(example.file, example.text);
        let model = reading.model.unwrap();
        let automaton = automaton(&model);
        let options = RunOptions {
            until: model.horizon().is_none().then_some(1.0),
            event_limit: 2000,
            ..RunOptions::default()
        };
        let (page, trace) = bodies_page(&model, None, &options).unwrap();
        for transition in &trace.transitions {
            let (from, to) = (&transition.from, &transition.to);
            // Beyond 64 contacts a run names those that an edge is about.
            if from.contains('{') || to.contains('{') {
                continue;
            }
            if transition.rule == "node" {
                place(&automaton, from);
                place(&automaton, to);
            } else {
                edge(&automaton, from, to, transition.rule);
                transitions += 1;
            }
        }
        for run in &page.document.runs {
            let numbered = || run.places.iter().filter(|shown| !shown.name.contains('{'));
            for shown in numbered() {
                place(&automaton, &shown.name);
                assert_eq!(shown.lights.first(), Some(&shown.name), "{}", example.file);
            }
            let drawn = &page.document.graphs;
            let is_drawn = |shown: &dyverse::view::Place| {
                let lit = |key: &String| {
                    drawn
                        .iter()
                        .any(|g| g.svg.contains(&format!("data-light=\"{key}\"")))
                };
                shown.lights.iter().any(lit)
            };
            assert!(drawn.is_empty() || numbered().all(is_drawn), "{}", example.file);
        }
    }
    assert!(transitions > 150, "{transitions}");
}
