//! Rules of this repository that no compiler checks: the map is true, walls stand, files stay short.

use std::fs;
use std::path::{Path, PathBuf};

/// Lines of a source file at the most, tests included.
const MOST_LINES: usize = 800;

/// Which crates of ours a crate may depend on (not counting its tests).
const WALLS: &[(&str, &[&str])] = &[
    ("dyverse-num", &[]),
    ("dyverse-diag", &[]),
    ("dyverse-view", &[]),
    ("dyverse-expr", &["dyverse-num"]),
    ("dyverse-mech", &["dyverse-num"]),
    ("dyverse-smt", &["dyverse-expr", "dyverse-num"]),
    (
        "dyverse-model",
        &[
            "dyverse-machine",
            "dyverse-diag",
            "dyverse-expr",
            "dyverse-mech",
            "dyverse-num",
        ],
    ),
    (
        "dyverse-actors",
        &["dyverse-diag", "dyverse-expr", "dyverse-model"],
    ),
    // What all that runs has in common lies below it, and knows none of it.
    ("dyverse-component", &["dyverse-flow", "dyverse-trace"]),
    (
        "dyverse-tick",
        &[
            "dyverse-actors",
            "dyverse-component",
            "dyverse-expr",
            "dyverse-flow",
            "dyverse-model",
            "dyverse-num",
            "dyverse-trace",
        ],
    ),
    (
        "dyverse-lang",
        &[
            "dyverse-actors",
            "dyverse-diag",
            "dyverse-expr",
            "dyverse-mech",
            "dyverse-model",
            "dyverse-num",
        ],
    ),
    (
        "dyverse-formulas",
        &[
            "dyverse-actors",
            "dyverse-machine",
            "dyverse-diag",
            "dyverse-expr",
            "dyverse-mech",
            "dyverse-model",
            "dyverse-num",
        ],
    ),
    ("dyverse-enclose", &["dyverse-expr", "dyverse-num"]),
    // The checker of proofs does not see what finds them.
    (
        "dyverse-proof",
        &[
            "dyverse-enclose",
            "dyverse-formulas",
            "dyverse-expr",
            "dyverse-num",
        ],
    ),
    (
        "dyverse-check",
        &[
            "dyverse-enclose",
            "dyverse-formulas",
            "dyverse-expr",
            "dyverse-num",
            "dyverse-proof",
            "dyverse-smt",
        ],
    ),
    // Files for other checkers are written from formulas; nothing is run or decided.
    (
        "dyverse-interchange",
        &[
            "dyverse-actors",
            "dyverse-diag",
            "dyverse-formulas",
            "dyverse-expr",
            "dyverse-model",
            "dyverse-num",
        ],
    ),
    ("dyverse-machine", &["dyverse-num"]),
    (
        "dyverse-generate",
        &["dyverse-machine", "dyverse-mech", "dyverse-model"],
    ),
    ("dyverse-trace", &[]),
    ("dyverse-flow", &[]),
    (
        "dyverse-simulate",
        &[
            "dyverse-machine",
            "dyverse-component",
            "dyverse-expr",
            "dyverse-flow",
            "dyverse-mech",
            "dyverse-model",
            "dyverse-num",
            "dyverse-trace",
        ],
    ),
    (
        "dyverse-replay",
        &[
            "dyverse-machine",
            "dyverse-expr",
            "dyverse-mech",
            "dyverse-model",
            "dyverse-num",
            "dyverse-trace",
        ],
    ),
    (
        "dyverse-fmu-import",
        &[
            "dyverse-actors",
            "dyverse-component",
            "dyverse-tick",
            "dyverse-trace",
        ],
    ),
    (
        "dyverse-falsify",
        &[
            "dyverse-actors",
            "dyverse-expr",
            "dyverse-model",
            "dyverse-num",
            "dyverse-simulate",
            "dyverse-tick",
            "dyverse-trace",
        ],
    ),
    (
        "dyverse-export",
        &[
            "dyverse-actors",
            "dyverse-machine",
            "dyverse-diag",
            "dyverse-expr",
            "dyverse-model",
            "dyverse-trace",
        ],
    ),
    (
        "dyverse-block",
        &[
            "dyverse-actors",
            "dyverse-component",
            "dyverse-diag",
            "dyverse-flow",
            "dyverse-lang",
            "dyverse-model",
            "dyverse-simulate",
            "dyverse-tick",
            "dyverse-trace",
        ],
    ),
    (
        "dyverse-c",
        &[
            "dyverse-actors",
            "dyverse-machine",
            "dyverse-diag",
            "dyverse-formulas",
            "dyverse-expr",
            "dyverse-mech",
            "dyverse-model",
            "dyverse-num",
        ],
    ),
    ("dyverse-fmi", &["dyverse-block"]),
    ("dyverse-fmu", &["dyverse-block"]),
    (
        "dyverse-assemble",
        &[
            "dyverse-block",
            "dyverse-component",
            "dyverse-fmu-import",
            "dyverse-lang",
            "dyverse-tick",
            "dyverse-trace",
        ],
    ),
    // Runs and proofs meet here, and nowhere below.
    (
        "dyverse-verdict",
        &[
            "dyverse-actors",
            "dyverse-assemble",
            "dyverse-check",
            "dyverse-expr",
            "dyverse-falsify",
            "dyverse-formulas",
            "dyverse-lang",
            "dyverse-model",
            "dyverse-num",
            "dyverse-proof",
            "dyverse-simulate",
            "dyverse-tick",
        ],
    ),
    (
        "dyverse-pages",
        &[
            "dyverse-actors",
            "dyverse-assemble",
            "dyverse-export",
            "dyverse-expr",
            "dyverse-formulas",
            "dyverse-generate",
            "dyverse-lang",
            "dyverse-mech",
            "dyverse-model",
            "dyverse-num",
            "dyverse-proof",
            "dyverse-simulate",
            "dyverse-tick",
            "dyverse-trace",
            "dyverse-verdict",
            "dyverse-view",
        ],
    ),
    (
        "dyverse",
        &[
            "dyverse-actors",
            "dyverse-assemble",
            "dyverse-block",
            "dyverse-c",
            "dyverse-diag",
            "dyverse-export",
            "dyverse-expr",
            "dyverse-fmu",
            "dyverse-fmu-import",
            "dyverse-generate",
            "dyverse-interchange",
            "dyverse-lang",
            "dyverse-machine",
            "dyverse-mech",
            "dyverse-model",
            "dyverse-num",
            "dyverse-pages",
            "dyverse-proof",
            "dyverse-replay",
            "dyverse-simulate",
            "dyverse-tick",
            "dyverse-trace",
            "dyverse-verdict",
            "dyverse-view",
        ],
    ),
    ("dyverse-studio", &["dyverse"]),
    // The command does not call the library of FMUs: it is built beside it.
    ("dyverse-cli", &["dyverse", "dyverse-fmi", "dyverse-studio"]),
];

/// Words that belong to no file of the repository: paths of a machine, hosts of registries.
const FORBIDDEN: &[&str] = &[
    "/root/",
    "/home/",
    concat!("static.", "crates.io"),
    concat!("index.", "crates.io"),
];

/// Checks all rules; says what is broken.
pub(crate) fn run(root: &Path) -> bool {
    println!("\n== tidy");
    let mut complaints = Vec::new();
    check_map(root, &mut complaints);
    check_walls(root, &mut complaints);
    check_tests(root, &mut complaints);
    let mut files = Vec::new();
    for folder in ["crates", "xtask", "docs", "examples", "fuzz", "benchmarks", "web"] {
        collect(&root.join(folder), &mut files);
    }
    check_files(root, &files, &mut complaints);
    crate::documents::check(root, &files, &mut complaints);
    for complaint in &complaints {
        eprintln!("tidy: {complaint}");
    }
    complaints.is_empty()
}

/// A crate: the name of its package, and its folder `crates/FLOOR/…`.
struct Krate {
    name: String,
    folder: PathBuf,
    /// Such as `3-run`.
    floor: String,
}

/// All crates, floor by floor.
fn crates(root: &Path) -> Vec<Krate> {
    let mut all = Vec::new();
    for floor in folders(&root.join("crates")) {
        for short in folders(&root.join("crates").join(&floor)) {
            let name = match short.as_str() {
                "dyverse" => short.clone(),
                short => format!("dyverse-{short}"),
            };
            let folder = root.join("crates").join(&floor).join(&short);
            let floor = floor.clone();
            all.push(Krate { name, folder, floor });
        }
    }
    all
}

/// ARCHITECTURE.md names every crate.
fn check_map(root: &Path, complaints: &mut Vec<String>) {
    let map = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap_or_default();
    for Krate { name, .. } in crates(root) {
        if !map.contains(&format!("`{name}`")) {
            complaints.push(format!("ARCHITECTURE.md does not name the crate {name}"));
        }
    }
}

/// A crate depends only on those that the map lets it: on its own floor or below, and of two wings of a floor on none of the other.
fn check_walls(root: &Path, complaints: &mut Vec<String>) {
    let all = crates(root);
    let level = |floor: &str| floor.split('-').next().unwrap_or_default().to_owned();
    for Krate { name, folder, floor } in &all {
        let Some((_, allowed)) = WALLS.iter().find(|(krate, _)| krate == name) else {
            complaints.push(format!(
                "xtask/src/tidy.rs does not say what {name} may depend on"
            ));
            continue;
        };
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
        let after = manifest.split("[dependencies]").nth(1).unwrap_or_default();
        let section = after.split("\n[").next().unwrap_or_default();
        for line in section.lines().filter(|l| l.starts_with("dyverse")) {
            let dependency = line.split(['.', ' ', '=']).next().unwrap_or_default();
            if !allowed.contains(&dependency) {
                complaints.push(format!(
                    "{name} depends on {dependency}: a wall of ARCHITECTURE.md is broken"
                ));
            }
            let Some(below) = all.iter().find(|other| other.name == dependency) else {
                continue;
            };
            if below.floor != *floor && level(&below.floor) >= level(floor) {
                complaints.push(format!(
                    "{name} ({floor}) depends on {dependency} ({}): a crate sees its own floor and those below",
                    below.floor
                ));
            }
        }
    }
}

/// The tests of a crate are one program, `tests/all.rs`, and it has every file beside it: a test that nothing builds would pass for ever.
fn check_tests(root: &Path, complaints: &mut Vec<String>) {
    for Krate { name, folder, .. } in crates(root) {
        let tests = folder.join("tests");
        let Ok(all) = fs::read_to_string(tests.join("all.rs")) else {
            continue;
        };
        for entry in fs::read_dir(&tests).into_iter().flatten().flatten() {
            let file = entry.file_name().to_string_lossy().into_owned();
            let Some(module) = file.strip_suffix(".rs").filter(|m| *m != "all") else {
                continue;
            };
            if !all.lines().any(|line| line == format!("mod {module};")) {
                complaints.push(format!(
                    "tests/{file} of {name} is not in its tests/all.rs: nothing builds it"
                ));
            }
        }
    }
}

fn check_files(root: &Path, files: &[PathBuf], complaints: &mut Vec<String>) {
    for path in files {
        let Ok(text) = fs::read_to_string(path) else {
            continue;
        };
        let shown = path.strip_prefix(root).unwrap_or(path).display();
        let is_source = path.extension().is_some_and(|e| e == "rs");
        let is_script = path.extension().is_some_and(|e| e == "ts" || e == "mjs");
        if (is_source || is_script) && text.lines().count() > MOST_LINES {
            complaints.push(format!(
                "{shown} has {} lines; {MOST_LINES} at the most",
                text.lines().count()
            ));
        }
        if is_source
            && !path.ends_with("tidy.rs")
            && !text.trim_start().starts_with("//!")
            && !shown.to_string().contains("/tests/")
        {
            complaints.push(format!("{shown} does not begin with a module header"));
        }
        if is_script && !text.starts_with("//") {
            complaints.push(format!("{shown} does not begin with what it is"));
        }
        if path.ends_with("tidy.rs") {
            continue;
        }
        for word in FORBIDDEN.iter().filter(|word| text.contains(**word)) {
            complaints.push(format!("{shown} names {word}"));
        }
        if path.extension().is_some_and(|e| e == "new") {
            complaints.push(format!("{shown}: a snapshot that nobody has accepted"));
        }
    }
}

fn folders(path: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(path)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() && !path.ends_with("target") && !path.ends_with("node_modules") {
            collect(&path, files);
        } else if path.is_file() {
            files.push(path);
        }
    }
}
