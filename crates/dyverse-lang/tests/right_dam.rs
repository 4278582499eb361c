//! Actor models that are right: what their graphs hold.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

mod support;

use dyverse_lang::format;
use support::{actor_examples, read_dam, shown};

/// Parts, and models that the paper refuses.
fn is_model(name: &str) -> bool {
    name != "balls.dam" && name != "refused_strict_loop.dam"
}

#[test]
fn the_examples_read_without_an_error() {
    for path in actor_examples() {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let reading = read_dam(&name, std::fs::read(&path).unwrap(), "../../examples/actors");
        if !is_model(&name) {
            continue;
        }
        assert!(reading.model.is_some(), "{}", shown(&reading));
        if name != "refused_capacitors.dam" {
            assert!(reading.diagnostics.is_empty(), "{}", shown(&reading));
        }
    }
    assert!(actor_examples().len() >= 23, "{}", actor_examples().len());
}

#[test]
fn the_examples_are_formatted() {
    for path in actor_examples() {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let once = format(&name, &text).unwrap_or_else(|e| panic!("{name}: {:?}", e.diagnostics));
        assert_eq!(once, text, "{name}");
    }
}
