//! The formatter: same tokens, same comments, idempotent; the shipped examples are formatted.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

use crate::support;

use dyverse_lang::format;
use support::mutate::mutate;
use support::{Random, examples, model, wrong_files};

/// The text without blanks, and without separators, which are optional between fields.
fn squeezed(text: &str) -> String {
    // A byte order mark is no part of the text.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.chars()
        .filter(|c| !c.is_whitespace() && *c != ',' && *c != ';')
        .collect()
}

fn comments(text: &str) -> Vec<String> {
    text.lines()
        .filter_map(|line| line.split_once('#'))
        .map(|(_, comment)| comment.trim_end().to_owned())
        .collect()
}

/// Formats a text that parses, and checks what must always hold.
fn check(name: &str, text: &str) -> Option<String> {
    let once = format(name, text).ok()?;
    let twice =
        format(name, &once).unwrap_or_else(|e| panic!("{name}: {:?}\n{text}\n---\n{once}", e.diagnostics));
    assert_eq!(twice, once, "{name}: not idempotent, from\n{text}");
    assert_eq!(squeezed(&once), squeezed(text), "{name}: other tokens");
    if !text.contains('"') {
        assert_eq!(comments(&once), comments(text), "{name}: other comments");
    }
    assert!(
        once.is_empty() || once.ends_with('\n') && !once.ends_with("\n\n"),
        "{name}"
    );
    assert!(
        once.lines().all(|l| l.trim_end_matches(' ') == l),
        "{name}: blanks at an end of a line"
    );
    Some(once)
}

#[test]
fn the_examples_are_formatted() {
    for path in examples() {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.display().to_string();
        assert_eq!(
            check(&name, &text).unwrap_or_else(|| panic!("{name} does not parse")),
            text,
            "{name}"
        );
    }
}

#[test]
fn wrong_files_that_parse_are_formatted() {
    let formatted = wrong_files()
        .iter()
        .filter(|(name, text)| check(name, text).is_some())
        .count();
    assert!(formatted > 60, "{formatted}");
}

#[test]
fn random_mutations_are_formatted() {
    let texts: Vec<String> = examples()
        .iter()
        .map(|p| std::fs::read_to_string(p).unwrap())
        .filter(|t| t.len() < 4_000)
        .collect();
    let mut random = Random::new(3);
    let mut formatted = 0;
    for n in 0..4_000 {
        let (a, b) = (
            &texts[random.below(texts.len())],
            &texts[random.below(texts.len())],
        );
        let mutated = mutate(a, b, &mut random);
        if let Ok(text) = String::from_utf8(mutated) {
            formatted += usize::from(check(&format!("mutation {n}"), &text).is_some());
        }
    }
    assert!(formatted > 100, "{formatted}");
}

/// Line breaks, blanks and comments anywhere between tokens change nothing but the layout.
#[test]
fn comments_anywhere_are_kept() {
    let mut random = Random::new(5);
    for path in examples() {
        let text = std::fs::read_to_string(&path).unwrap();
        let Some(text) = Some(text).filter(|t| t.len() < 4_000) else {
            continue;
        };
        for n in 0..50 {
            let mut ragged = String::new();
            for (i, line) in text.lines().enumerate() {
                let (code, comment) = line
                    .split_once('#')
                    .map_or((line, ""), |(code, comment)| (code, comment));
                for word in code.split_inclusive(' ') {
                    ragged.push_str(word);
                    match random.below(12) {
                        0 => ragged.push_str(" # between\n"),
                        1 => ragged.push('\n'),
                        2 => ragged.push_str("\n\n\n  # alone\n"),
                        3 => ragged.push_str("\t \r\n"),
                        _ => {}
                    }
                }
                if !comment.is_empty() {
                    ragged.push_str(&format!("#{i}{comment}"));
                }
                ragged.push('\n');
            }
            assert!(
                check(&format!("{} {n}", path.display()), &ragged).is_some(),
                "{ragged}"
            );
        }
    }
}

#[test]
fn formatting_does_not_change_the_meaning() {
    let text = "param a=1;entity b{sphere(radius=a),mass=2*-a+3;position in([0,1],-1,0)}property p:always[0,1]not b.x<-3 and b.y>1";
    let (before, after) = (model(text), model(&check("t", text).unwrap()));
    let shown = |m: &dyverse_model::Model| {
        let all = m.pool().nodes_from(0).map(|(id, _)| m.text(id));
        all.collect::<Vec<_>>()
    };
    assert_eq!(shown(&before), shown(&after));
    assert_eq!(before.properties()[0].parts, after.properties()[0].parts);
}

#[test]
fn small_texts() {
    for (text, expected) in [
        ("", ""),
        ("\n\n \n", ""),
        ("# only\n\n\n# comments  ", "# only\n\n# comments\n"),
        (";", ";\n"),
        ("param a = 1 ; ; param b = 2", "param a = 1;;\nparam b = 2\n"),
        ("tolerances{force=1e-9}", "tolerances { force = 1e-9 }\n"),
        ("entity a{fixed sphere(1)}", "entity a { fixed  sphere(1) }\n"),
        ("entity a { }", "entity a { }\n"),
        ("param a=sin(1)*(2-3)^-2", "param a = sin(1) * (2 - 3) ^ -2\n"),
        ("\u{feff}param a = 1", "param a = 1\n"),
        ("param a = 1\r\nparam b = 2\r\n", "param a = 1\nparam b = 2\n"),
    ] {
        assert_eq!(
            format("t", text).unwrap_or_else(|e| panic!("{text}: {:?}", e.diagnostics)),
            expected
        );
    }
}
