//! Documents that name things of the sources: what they name exists.
//!
//! | document | rule |
//! |---|---|
//! | ARCHITECTURE.md, CONTRIBUTING.md, docs/CONFORMANCE.md | paths in backquotes exist |
//! | docs/CONFORMANCE.md | `path::item` is an item of that file, in the last column a test; what is implemented has a test |
//! | docs/REFERENCES.md | has what module headers cite, such as [Krawczyk 1969] |

use std::fs;
use std::path::{Path, PathBuf};

/// Folders that a path in a document begins with.
const FOLDERS: &[&str] = &[
    "crates/",
    "docs/",
    "examples/",
    "xtask",
    "fuzz/",
    "benchmarks/",
    "web/",
    ".ci/",
];

/// Checks all rules of documents; `sources` are the files of the repository.
pub(crate) fn check(root: &Path, sources: &[PathBuf], complaints: &mut Vec<String>) {
    for page in ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs/CONFORMANCE.md"] {
        match fs::read_to_string(root.join(page)) {
            Ok(text) => check_paths(root, page, &text, complaints),
            Err(error) => complaints.push(format!("{page}: {error}")),
        }
    }
    check_conformance(root, complaints);
    check_references(root, sources, complaints);
}

/// What stands in backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

fn check_paths(root: &Path, page: &str, text: &str, complaints: &mut Vec<String>) {
    for name in quoted(text).filter(|q| FOLDERS.iter().any(|f| q.starts_with(f))) {
        let path = name.split("::").next().unwrap_or(name);
        if !root.join(path).exists() {
            complaints.push(format!("{page} names {path}, which does not exist"));
        }
    }
}

/// Rows of tables: what a paper has, where it is, which test is about it.
fn check_conformance(root: &Path, complaints: &mut Vec<String>) {
    let page = fs::read_to_string(root.join("docs/CONFORMANCE.md")).unwrap_or_default();
    let rows = page
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| paper"));
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [what, .., places, tests] = cells.as_slice() else {
            complaints.push(format!("docs/CONFORMANCE.md: a row of too few columns: {row}"));
            continue;
        };
        let is_there = !places.contains("not implemented");
        let has_both = quoted(places).next().is_some() && quoted(tests).next().is_some();
        if is_there && !has_both {
            complaints.push(format!(
                "docs/CONFORMANCE.md: {what} has no place or no test, and is not called \"not implemented\""
            ));
        }
        for (cell, is_test) in [(places, false), (tests, true)] {
            for name in quoted(cell).filter(|name| name.starts_with("crates/")) {
                if let Some(complaint) = complaint_about(root, name, is_test) {
                    complaints.push(format!("docs/CONFORMANCE.md: {complaint}"));
                }
            }
        }
    }
}

/// What is wrong with `path::item`, `path::Type::item` or a path alone.
fn complaint_about(root: &Path, name: &str, is_test: bool) -> Option<String> {
    let (path, items) = match name.split_once("::") {
        Some((path, items)) => (path, items.split("::").collect()),
        None => (name, Vec::new()),
    };
    // A path that does not exist was complained about.
    let text = fs::read_to_string(root.join(path)).ok()?;
    if is_test {
        return match items.as_slice() {
            [test] if is_test_of(&text, test) => None,
            _ => Some(format!("{name} is no test")),
        };
    }
    let missing = items.iter().find(|item| !defines(&text, item))?;
    Some(format!("{path} defines no {missing}"))
}

/// Whether a source defines an item of this name.
fn defines(text: &str, item: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let kinds = ["fn ", "struct ", "enum ", "trait ", "type ", "const "];
    kinds.iter().any(|kind| {
        let head = format!("{kind}{item}");
        let mut found = text.match_indices(&head);
        found.any(|(at, _)| !text[at + head.len()..].starts_with(is_name) && !text[..at].ends_with(is_name))
    })
}

/// Whether a source has a test of this name: `#[test]` a few lines above it.
fn is_test_of(text: &str, name: &str) -> bool {
    let head = format!("fn {name}(");
    let lines: Vec<&str> = text.lines().collect();
    lines.iter().enumerate().any(|(number, line)| {
        let above = &lines[number.saturating_sub(6)..number];
        let between = above.iter().rposition(|line| line.trim() == "#[test]");
        line.trim_start().starts_with(&head)
            && between.is_some_and(|at| !above[at..].iter().any(|l| l.trim() == "}"))
    })
}

/// Every citation of a module header is in docs/REFERENCES.md.
fn check_references(root: &Path, sources: &[PathBuf], complaints: &mut Vec<String>) {
    let Ok(list) = fs::read_to_string(root.join("docs/REFERENCES.md")) else {
        complaints.push("docs/REFERENCES.md cannot be read".to_owned());
        return;
    };
    for path in sources
        .iter()
        .filter(|path| path.extension().is_some_and(|e| e == "rs"))
    {
        let text = fs::read_to_string(path).unwrap_or_default();
        for (name, year) in citations(&text) {
            let is_there = |entry: &str| entry.contains(&name) && entry.contains(&year);
            if !list.lines().any(is_there) {
                let shown = path.strip_prefix(root).unwrap_or(path).display();
                complaints.push(format!(
                    "{shown} cites {name} {year}, which docs/REFERENCES.md does not have"
                ));
            }
        }
    }
}

/// First author and year of each citation in square brackets in the header of a source.
fn citations(text: &str) -> Vec<(String, String)> {
    let header: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("//!")).collect();
    let header = header.join(" ");
    let brackets = header
        .split('[')
        .skip(1)
        .filter_map(|rest| rest.split(']').next());
    let mut found = Vec::new();
    for one in brackets.flat_map(|inside| inside.split(';')) {
        let is_year = |word: &&str| {
            word.len() == 4
                && (word.starts_with("18") || word.starts_with("19") || word.starts_with("20"))
                && word.bytes().all(|b| b.is_ascii_digit())
        };
        let mut words = one
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty());
        let Some(name) = words.next().filter(|word| word.starts_with(char::is_uppercase)) else {
            continue;
        };
        if let Some(year) = words.find(is_year) {
            found.push((name.to_owned(), year.to_owned()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{citations, defines, is_test_of};

    #[test]
    fn items_and_tests_are_told_from_what_only_looks_like_them() {
        let text = "pub struct Edges<'a> {}\nfn edges_of() {}\n#[test]\n#[ignore]\nfn counts() {}\nfn helper() {\n}\nfn late() {}\n";
        assert!(defines(text, "Edges") && defines(text, "edges_of") && defines(text, "counts"));
        assert!(!defines(text, "Edge") && !defines(text, "edges") && !defines(text, "of"));
        assert!(is_test_of(text, "counts"));
        assert!(!is_test_of(text, "edges_of") && !is_test_of(text, "late") && !is_test_of(text, "count"));
    }

    #[test]
    fn citations_are_those_with_a_year_in_brackets() {
        let text = "//! See [Clifford 1873; Griewank and Walther\n//! 2008, ch. 3], [`Tube`], [SPEC §5] and [0, 2000].\n// [Nobody 1999]\n";
        let found = citations(text);
        let expected = [("Clifford", "1873"), ("Griewank", "2008")];
        assert_eq!(found, expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
    }
}
