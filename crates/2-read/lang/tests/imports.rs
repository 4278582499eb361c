//! Imports, with files in memory.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

use crate::support;

use support::{Files, errors, shown};

const BALL: &str = "entity ball { sphere(radius = R)  mass = 1 }\n";

fn codes(files: &mut Files) -> Vec<&'static str> {
    files.read().diagnostics.iter().map(|d| d.code().id()).collect()
}

#[test]
fn an_import_stands_above_its_importer_and_a_diamond_is_read_once() {
    let mut files = Files::new(&[
        (
            "main.drbt",
            "import \"left.drbt\"\nimport \"right.drbt\"\nentity ball { sphere(radius = L + Q)  mass = R }",
        ),
        ("left.drbt", "import \"base.drbt\"\nparam L = R"),
        ("right.drbt", "import \"./base.drbt\"\nparam Q = 2 * R"),
        ("base.drbt", "param R = 3"),
    ]);
    let reading = files.read();
    let model = reading
        .model
        .as_ref()
        .unwrap_or_else(|| panic!("{}", shown(&reading)));
    let names: Vec<&str> = model.parameters().iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["R", "L", "Q"]);
    assert_eq!(model.name(), "main");
}

#[test]
fn an_import_can_stand_anywhere() {
    let mut files = Files::new(&[
        (
            "main.drbt",
            "entity ball { sphere(radius = R)  mass = 1 }\nimport \"a\"",
        ),
        ("a", "param R = 1"),
    ]);
    assert!(codes(&mut files).is_empty());
}

#[test]
fn a_cycle_is_shown_whole() {
    let mut files = Files::new(&[
        (
            "main.drbt",
            "import \"a.drbt\"\nparam R = 1\nentity ball { sphere(radius = R)  mass = 1 }",
        ),
        ("a.drbt", "import \"b.drbt\""),
        ("b.drbt", "param x = 1\nimport \"a.drbt\""),
    ]);
    let reading = files.read();
    assert!(reading.model.is_none());
    insta::assert_snapshot!(shown(&reading), @r#"
    error[L031]: this import closes a cycle
      ┌─ b.drbt:2:8
    2 │ import "a.drbt"
      │        ^^^^^^^^ imported again
      = a.drbt -> b.drbt -> a.drbt
      = help: move what both files need into a third one

    1 error; `dyverse explain CODE` says more about each code
    "#);
}

#[test]
fn a_file_that_imports_itself() {
    let mut files = Files::new(&[(
        "main.drbt",
        "import \"main.drbt\"\nparam R = 1\nentity ball { sphere(radius = R)  mass = 1 }",
    )]);
    assert_eq!(codes(&mut files), ["L031"]);
}

#[test]
fn a_missing_file_is_one_mistake_and_not_all_its_names() {
    let mut files = Files::new(&[(
        "main.drbt",
        &format!("import \"gone.drbt\"\n{BALL}force on other = (k, 0, 0)"),
    )]);
    let reading = files.read();
    insta::assert_snapshot!(shown(&reading), @r#"
    error[L030]: cannot read "gone.drbt": no such file
      ┌─ main.drbt:1:8
    1 │ import "gone.drbt"
      │        ^^^^^^^^^^^ imported here
      = help: the path is seen from the folder of the file that imports

    1 error; `dyverse explain CODE` says more about each code
    "#);
}

#[test]
fn mistakes_of_imported_files_are_shown_in_them() {
    let mut files = Files::new(&[
        ("main.drbt", &format!("import \"part.drbt\"\n{BALL}param R = 2")),
        ("part.drbt", "param R = 1\nparam S = -"),
    ]);
    let reading = files.read();
    let shown = shown(&reading);
    assert!(
        shown.contains("part.drbt:2:12") && shown.contains("main.drbt:3:7"),
        "{shown}"
    );
    assert_eq!(errors(&reading).len(), 2, "{shown}");
}

#[test]
fn too_many_files() {
    let mut files = Files::default();
    files.files.insert(
        "main.drbt".into(),
        "import \"0\"\nentity ball { sphere(radius = 1)  mass = 1 }".into(),
    );
    for n in 0..300 {
        files
            .files
            .insert(n.to_string(), format!("import \"{}\"\nparam p{n} = 1", n + 1));
    }
    files.files.insert("300".into(), String::new());
    assert_eq!(codes(&mut files), ["L032"]);
}

#[test]
fn one_file_imported_endlessly_is_not_loaded_endlessly() {
    let mut files = Files::new(&[
        (
            "main.drbt",
            &format!("param R = 1\n{BALL}{}", "import \"a\"\n".repeat(100_000)),
        ),
        ("a", "param k = 1"),
    ]);
    assert_eq!(codes(&mut files), ["L032"]);
    assert!(files.loads["a"] < 5_000);
}
