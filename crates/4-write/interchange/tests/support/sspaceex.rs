//! SpaceEx models: the XML by an XML reader, the mathematics in it by its own grammar, and the configuration.

use super::expression::{Expression, Formula, Reader};
use super::system::{Edge, Location, System};
use dyverse_interchange::SpaceExFiles;
use roxmltree::{Document, Node};
use std::collections::BTreeMap;

const SIGNS: &[&str] = &["<=", ">=", "=="];

fn children<'a>(node: Node<'a, 'a>, tag: &'static str) -> impl Iterator<Item = Node<'a, 'a>> {
    node.children()
        .filter(move |c| c.has_tag_name(("http://www-verimag.imag.fr/xml-namespaces/sspaceex", tag)))
}

fn text<'a>(node: Node<'a, 'a>, tag: &'static str) -> &'a str {
    children(node, tag).next().and_then(|c| c.text()).unwrap_or("")
}

/// Comparisons joined by `&`.
fn conjunction(text: &str) -> Formula {
    let mut reader = Reader::new(text);
    let mut parts = Vec::new();
    while !reader.is_at_end() {
        if !parts.is_empty() {
            reader.expect("&").unwrap();
        }
        let found = reader
            .comparison(SIGNS)
            .unwrap_or_else(|what| panic!("{what} in {text}"));
        if let Formula::Compare(a, _, b) = &found {
            assert!(a.is_affine() && b.is_affine(), "not affine: {text}");
        }
        parts.push(found);
    }
    Formula::And(parts)
}

/// `x' == …` or `x := …`, joined by `&`.
fn equations(text: &str, sign: &'static str, suffix: &str) -> BTreeMap<String, Expression> {
    let mut reader = Reader::new(text);
    let mut found = BTreeMap::new();
    while !reader.is_at_end() {
        if !found.is_empty() {
            reader.expect("&").unwrap();
        }
        let Ok(Formula::Compare(Expression::Variable(name), _, value)) = reader.comparison(&[sign]) else {
            panic!("no equation in {text}");
        };
        assert!(value.is_affine(), "not affine: {text}");
        let name = name
            .strip_suffix(suffix)
            .unwrap_or_else(|| panic!("{name} in {text}"))
            .to_owned();
        assert!(found.insert(name, value).is_none(), "{text}");
    }
    found
}

pub(crate) fn parse(files: &SpaceExFiles) -> System {
    let document = Document::parse(&files.model).unwrap_or_else(|e| panic!("{e}\n{}", files.model));
    let root = document.root_element();
    assert!(root.has_tag_name(("http://www-verimag.imag.fr/xml-namespaces/sspaceex", "sspaceex")));
    assert_eq!(root.attribute("version"), Some("0.2"));
    let settings = configuration(&files.configuration);
    let system = children(root, "component")
        .find(|c| c.attribute("id") == Some(settings["system"].as_str()))
        .unwrap();
    let bind = children(system, "bind").next().unwrap();
    let component = children(root, "component")
        .find(|c| c.attribute("id") == bind.attribute("component"))
        .unwrap();
    let names = |of: Node<'_, '_>, kind: &str| -> Vec<(String, String)> {
        let all = of
            .children()
            .filter(|c| c.tag_name().name() == "param" && c.attribute("type") == Some(kind));
        all.map(|c| {
            (
                c.attribute("name").unwrap().to_owned(),
                c.attribute("dynamics").unwrap_or("").to_owned(),
            )
        })
        .collect()
    };
    let reals = names(component, "real");
    assert_eq!(reals, names(system, "real"), "what is bound has the same names");
    let keys: Vec<&str> = children(bind, "map")
        .map(|m| m.attribute("key").unwrap())
        .collect();
    for (name, _) in reals.iter().chain(&names(component, "label")) {
        assert!(keys.contains(&name.as_str()), "{name} is not bound");
    }
    let constants: Vec<&String> = reals
        .iter()
        .filter(|(_, d)| d == "const")
        .map(|(n, _)| n)
        .collect();
    let mut ids: BTreeMap<String, String> = BTreeMap::new();
    let mut locations = Vec::new();
    for location in children(component, "location") {
        let name = location.attribute("name").unwrap().to_owned();
        assert!(
            ids.insert(location.attribute("id").unwrap().to_owned(), name.clone())
                .is_none()
        );
        let mut flow = equations(text(location, "flow"), "==", "'");
        for constant in &constants {
            assert!(
                flow.insert((*constant).clone(), Expression::Number(0.0))
                    .is_none()
            );
        }
        let invariant = conjunction(text(location, "invariant"));
        locations.push(Location {
            name,
            invariant,
            flow,
        });
    }
    let labels = names(component, "label");
    let mut edges = Vec::new();
    for transition in children(component, "transition") {
        let end = |which: &str| ids[transition.attribute(which).unwrap()].clone();
        assert!(labels.iter().any(|(l, _)| l == text(transition, "label")));
        let mut reset = equations(text(transition, "assignment"), ":=", "");
        for (name, _) in &reals {
            reset
                .entry(name.clone())
                .or_insert_with(|| Expression::Variable(name.clone()));
        }
        let guard = conjunction(text(transition, "guard"));
        edges.push(Edge {
            from: end("source"),
            to: end("target"),
            guard,
            reset,
        });
    }
    let as_name = bind.attribute("as").unwrap();
    let (first, init) = with_location(&settings["initially"], as_name);
    let broken = match settings["forbidden"].as_str() {
        "" => None,
        forbidden => Some(with_location(forbidden, as_name).0),
    };
    for needed in [
        "scenario",
        "directions",
        "time-horizon",
        "sampling-time",
        "iter-max",
        "rel-err",
        "abs-err",
        "output-variables",
        "output-format",
    ] {
        assert!(settings.contains_key(needed), "{needed} is missing");
    }
    for shown in settings["output-variables"].split(',') {
        assert!(
            reals.iter().any(|(n, _)| n == shown),
            "{shown} is shown and not declared"
        );
    }
    System {
        variables: reals.into_iter().map(|(n, _)| n).collect(),
        bounds: BTreeMap::new(),
        locations,
        edges,
        first,
        init,
        broken,
    }
}

/// A condition with `loc(automaton)==name` as its last part.
fn with_location(text: &str, component: &str) -> (String, Formula) {
    let (rest, place) = text
        .rsplit_once(&format!("loc({component})=="))
        .unwrap_or_else(|| panic!("no location in {text}"));
    (
        place.to_owned(),
        conjunction(rest.trim_end().trim_end_matches('&')),
    )
}

/// `key = value` or `key = "value"`, a line each; `#` begins a comment.
fn configuration(text: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for line in text.lines().filter(|l| !l.starts_with('#') && !l.is_empty()) {
        let (key, value) = line
            .split_once(" = ")
            .unwrap_or_else(|| panic!("no setting: {line}"));
        let value = value
            .strip_prefix('"')
            .map_or(value, |v| v.strip_suffix('"').unwrap());
        assert!(
            found.insert(key.to_owned(), value.to_owned()).is_none(),
            "{key} twice"
        );
    }
    found
}
