//! The JSON: a reviewed snapshot, the schema, and the edges against those of the automaton.

use crate::support;

use dyverse_diag::{Diagnostic, Origin, SourceMap, codes};
use dyverse_export::{Subject, count_json, count_text, diagnostics_json, write_json};
use dyverse_machine::GraphKind::{Complete, Subset};
use dyverse_machine::{BigUint, ContactId, ContactList, HybridAutomaton, Location};
use serde_json::Value;
use std::collections::BTreeSet;
use support::{automaton, balls, interception, model, written};

const SCHEMA: &str = include_str!("../../../../docs/automaton.schema.json");

#[test]
fn json_of_two_balls() {
    insta::assert_snapshot!(written(&balls(2), Complete, |out, subject| write_json(
        out, subject
    )));
}

#[test]
fn json_follows_its_schema() {
    let schema: Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    jsonschema::draft202012::meta::validate(&schema).expect("the schema is a schema");
    let validator = jsonschema::draft202012::new(&schema).expect("the schema is a schema");
    let floor = model(
        "system floor
        param m in [1, 2]
        entity box { rounded_box(size = (1, 1, 1), radius = 0.1) density = m position = (0, 2, 0) }
        fixed entity ground { plane(normal = (0, 1, 0), offset = 0) }
        contact default { restitution = 0.5 friction = 0.3 }
        no contact box, ground",
    );
    let laws = model(
        "system laws
        entity a { sphere(1) mass = 1 }
        entity b { sphere(1) mass = 1 position = (3, 0, 0) }
        entity c { sphere(1) mass = 1 position = (6, 0, 0) }
        impacts energetic
        contact a, b { law = poisson }
        contact b, c { law = newton }",
    );
    let json = written(&laws, Complete, |out, subject| write_json(out, subject));
    let document: Value = serde_json::from_str(&json).expect("valid JSON");
    let told = |n: usize| document["contacts"][n]["law"].as_str();
    assert_eq!(
        [told(0), told(1), told(2)],
        [Some("poisson"), Some("energetic"), None]
    );
    for model in [balls(1), balls(2), balls(3), interception(), floor, laws] {
        for kind in [Complete, Subset] {
            let json = written(&model, kind, |out, subject| write_json(out, subject));
            let document: Value = serde_json::from_str(&json).expect("valid JSON");
            let errors: Vec<String> = validator
                .iter_errors(&document)
                .map(|error| format!("{error} at {}", error.instance_path()))
                .collect();
            assert!(errors.is_empty(), "{errors:#?}");
        }
    }
    let wrong = serde_json::json!({ "schema": "dyverse-automaton-3" });
    assert!(!validator.is_valid(&wrong));
}

#[test]
fn the_example_of_the_format_page_is_the_guard_it_says() {
    let page = include_str!("../../../../docs/AUTOMATON_FORMAT.md");
    let example = page
        .split("```json")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .expect("an example");
    let example: Value = serde_json::from_str(example).expect("valid JSON");
    let json = written(&balls(2), Complete, |out, subject| write_json(out, subject));
    let document: Value = serde_json::from_str(&json).expect("valid JSON");
    let edges = document["edges"].as_array().expect("edges");
    let edge = edges
        .iter()
        .find(|edge| edge["from"] == "S_0")
        .expect("an edge leaves S_0");
    assert_eq!(edge["to"], "I_1,en");
    assert_eq!(edge["guard"]["condition"], example);
}

/// Oracle: a walk over the automaton of three balls.
#[test]
fn edges_and_locations_are_those_of_the_automaton() {
    let model = balls(3);
    for kind in [Complete, Subset] {
        let automaton = automaton(&model, kind);
        let notation = automaton.notation();
        let json = written(&model, kind, |out, subject| write_json(out, subject));
        let document: Value = serde_json::from_str(&json).expect("valid JSON");
        let texts = |value: &Value, keys: &[&str]| -> Vec<String> {
            keys.iter()
                .map(|key| {
                    value
                        .pointer(key)
                        .and_then(Value::as_str)
                        .expect("a text")
                        .to_owned()
                })
                .collect()
        };

        let keys = ["/from", "/to", "/rule", "/guard/text", "/reset/text"];
        let elements = document["edges"].as_array().expect("edges");
        let found: BTreeSet<Vec<String>> = elements.iter().map(|edge| texts(edge, &keys)).collect();
        assert_eq!(found.len(), elements.len(), "each edge once");
        let expected: BTreeSet<Vec<String>> = automaton
            .edges()
            .map(|edge| {
                vec![
                    notation.location(edge.from()),
                    notation.location(edge.to()),
                    edge.rule().number().to_owned(),
                    notation.condition(&automaton.guard(&edge)),
                    notation.reset(&automaton.reset(&edge)),
                ]
            })
            .collect();
        assert_eq!(found, expected);

        let locations = document["locations"].as_array().expect("locations").iter();
        let found: BTreeSet<Vec<String>> = locations
            .map(|location| texts(location, &["/name", "/domain/text", "/vector_field/text"]))
            .collect();
        let expected: BTreeSet<Vec<String>> = automaton
            .locations()
            .filter_map(|location| match location {
                Location::Dynamical(location) => Some(vec![
                    notation.dynamical_location(&location),
                    notation.condition(&automaton.domain(&location)),
                    notation.vector_field(&automaton.vector_field(&location)),
                ]),
                Location::Entrance(_) | Location::Exit(_) => None,
            })
            .collect();
        assert_eq!(found, expected);
    }
}

/// What geometry rules out is in the document, and what contains it is not.
#[test]
fn obstructions_are_named() {
    let model = balls(3);
    let contacts: ContactList = automaton(&model, Complete).contacts().clone();
    let pair = [0, 1].map(ContactId::new).into_iter().collect();
    let automaton = HybridAutomaton::new(contacts, Complete, vec![pair]).expect("known contacts");
    let mut out = Vec::new();
    write_json(&mut out, Subject::new(&model, &automaton).expect("its automaton")).expect("memory");
    let document: Value = serde_json::from_slice(&out).expect("valid JSON");
    assert_eq!(document["obstructions"], serde_json::json!([["ab", "ac"]]));
    let numbers = document["vertices"]
        .as_array()
        .expect("vertices")
        .iter()
        .map(|vertex| &vertex["k"]);
    assert_eq!(numbers.collect::<Vec<_>>(), ["0", "1", "2", "3", "5", "6"]);
}

/// Oracle: Table 2 of 000, in SPEC §3.
#[test]
fn counts_of_one_to_four_balls() {
    let table = [
        (1, "0", "1", "0", "0"),
        (2, "1", "4", "1", "11"),
        (3, "3", "64", "7", "524"),
        (4, "6", "4096", "63", "231284"),
    ];
    let mut all = Vec::new();
    for (count, contacts, locations, nodes, edges) in table {
        let size = automaton(&balls(count), Complete).size().expect("countable");
        let json = count_json(&format!("balls_{count}"), Complete, &size);
        let expected = [
            ("contacts", contacts),
            ("dynamical_locations", locations),
            ("impact_nodes", nodes),
            ("contact_nodes", nodes),
            ("edges", edges),
            ("all_slip_edges", nodes),
            (
                "struck_again_edges",
                &(locations.parse::<u64>().expect("a number") - 1).to_string(),
            ),
        ];
        for (key, value) in expected {
            assert_eq!(json[key], value, "{key} of {count} balls");
        }
        all.push(json);
    }
    insta::assert_snapshot!(serde_json::to_string_pretty(&all).expect("JSON"));
}

#[test]
fn count_of_four_balls_as_text() {
    let size = automaton(&balls(4), Complete).size().expect("countable");
    insta::assert_snapshot!(count_text("balls_4", Complete, &size));
}

#[test]
fn count_of_sixty_balls_is_exact() {
    let size = automaton(&balls(60), Complete).size().expect("countable");
    let json = count_json("balls_60", Complete, &size);
    // Σ_k 3^N_k over all subsets of 1770 contacts is 4^1770.
    assert_eq!(
        json["dynamical_locations"],
        BigUint::from(4_u32).pow(1770).to_string()
    );
}

/// Four balls: every one of the 231,347 edges, one a line, nothing held in memory.
#[test]
fn four_balls_are_written_line_by_line() {
    #[derive(Default)]
    struct Counter {
        lines: usize,
        largest: usize,
    }
    impl std::io::Write for Counter {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.lines += bytes.iter().filter(|byte| **byte == b'\n').count();
            self.largest = self.largest.max(bytes.len());
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let model = balls(4);
    let automaton = automaton(&model, Complete);
    let mut counter = Counter::default();
    write_json(
        &mut counter,
        Subject::new(&model, &automaton).expect("its automaton"),
    )
    .expect("memory");
    let elements = 4 + 6 + 64 + 4_096 + 126 + 231_347 + 4_095;
    assert!(
        counter.lines > elements && counter.lines < elements + 40,
        "{} lines",
        counter.lines
    );
    assert!(counter.largest < 100_000, "{} bytes at once", counter.largest);
}

#[test]
fn diagnostics_have_their_places() {
    let mut sources = SourceMap::new();
    let text = "system s\nentity é { mass = \"x\" }\nentity é {}\n";
    let file = sources.add("gäme.drbt", text);
    let places: Vec<Origin> = text
        .match_indices('é')
        .map(|(at, _)| Origin::new(file, at as u32, at as u32 + 2))
        .collect();
    let (second, third) = (places[0], places[1]);
    let twice = Diagnostic::error(codes::L001, third, "`é` is declared twice")
        .label("declared again")
        .also(second, "first declared here")
        .note("names are told apart by every letter")
        .help("choose another name");
    let whole = Diagnostic::warning(codes::M005, Origin::new(file, 0, text.len() as u32), "no law");
    let json = diagnostics_json(&[twice, whole], &sources);
    insta::assert_snapshot!(serde_json::to_string_pretty(&json).expect("JSON"));
}
