//! What pages do in a browser: the scripts are built from `web/` and compared with what the crates embed, and tested in a real Chromium.
//!
//! Needs Node with npm (packages come from the npm registry by `web/package-lock.json`) and Chromium. `--bless` puts newly built scripts in their places; `--shots` keeps screenshots
//! in `docs/screenshots`.

use crate::succeeds;
use crate::tools::Tools;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A script that is built, and where it is kept.
const SCRIPTS: [(&str, &str, &str); 2] = [
    (
        "DYVERSE_PAGE_OUT",
        "page.js",
        "crates/4-write/view/assets/page.js",
    ),
    (
        "DYVERSE_STUDIO_OUT",
        "studio.js",
        "crates/5-use/studio/assets/studio.js",
    ),
];

/// Builds, compares and tests, as far as the tools reach; the command must have been built.
pub(crate) fn run(root: &Path, tools: &Tools, shots: bool) -> bool {
    println!("\n== pages");
    let Some(node) = &tools.node else {
        return true;
    };
    if !installed(root, node) || !built(root, node) {
        return false;
    }
    let is_current = SCRIPTS.iter().all(|(_, name, kept)| {
        let is_same = match (
            fs::read(root.join("target/pages").join(name)),
            fs::read(root.join(kept)),
        ) {
            (Ok(new), Ok(old)) => new == old,
            _ => false,
        };
        if !is_same {
            eprintln!("{kept} is not what web/ gives: `cargo xtask pages --bless` writes it");
        }
        is_same
    });
    is_current
        && units(root, node)
        && tools
            .chromium
            .as_ref()
            .is_none_or(|chromium| browser(root, node, chromium, shots))
}

/// Builds the scripts into their places.
pub(crate) fn bless(root: &Path, tools: &Tools) -> bool {
    println!("\n== pages");
    let Some(node) = &tools.node else {
        return false;
    };
    installed(root, node)
        && built(root, node)
        && SCRIPTS.iter().all(|(_, name, kept)| {
            let copied = fs::copy(root.join("target/pages").join(name), root.join(kept));
            if let Err(error) = &copied {
                eprintln!("cannot write {kept}: {error}");
            }
            copied.is_ok()
        })
}

/// The packages of `package-lock.json`, installed once for each state of it.
fn installed(root: &Path, node: &OsString) -> bool {
    let web = root.join("web");
    let mark = web.join("node_modules/.dyverse-lock");
    let lock = fs::read(web.join("package-lock.json")).unwrap_or_default();
    if fs::read(&mark).is_ok_and(|old| old == lock) {
        return true;
    }
    let npm = [
        "ci",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
    ];
    if !succeeds(program("npm", node).args(npm).current_dir(&web)) {
        eprintln!(
            "the packages of web/package-lock.json cannot be installed: this check needs Node 20 with npm"
        );
        return false;
    }
    fs::write(mark, lock).is_ok()
}

fn built(root: &Path, node: &OsString) -> bool {
    let web = root.join("web");
    let mut types = program("node", node);
    types
        .args(["node_modules/typescript/bin/tsc", "--noEmit"])
        .current_dir(&web);
    let mut build = program("node", node);
    build.arg("build.mjs").current_dir(&web);
    for (variable, name, _) in SCRIPTS {
        build.env(variable, root.join("target/pages").join(name));
    }
    succeeds(&mut types) && succeeds(&mut build)
}

fn units(root: &Path, node: &OsString) -> bool {
    succeeds(
        program("node", node)
            .arg("--test")
            .args(tests_in(root, "units"))
            .current_dir(root.join("web")),
    )
}

fn browser(root: &Path, node: &OsString, chromium: &Path, shots: bool) -> bool {
    let mut tests = program("node", node);
    tests
        .args(["--test", "--test-concurrency=1"])
        .args(tests_in(root, "browser"))
        .env("CHROMIUM", chromium)
        .env("DYVERSE", root.join("target/debug/dyverse"))
        .current_dir(root.join("web"));
    if shots {
        tests.env("DYVERSE_SHOTS", root.join("docs/screenshots"));
    }
    succeeds(&mut tests)
}

/// A program of the path on which Node is.
fn program(name: &str, node: &OsString) -> Command {
    let mut command = Command::new(name);
    command.env("PATH", node);
    command
}

/// The test files of a folder, each by its name: some versions of Node take folders, others patterns.
fn tests_in(root: &Path, folder: &str) -> Vec<String> {
    let found = std::fs::read_dir(root.join("web/test").join(folder));
    let names = found.into_iter().flatten().flatten();
    let mut names: Vec<String> = names
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| name.ends_with(".test.mjs"))
        .map(|name| format!("test/{folder}/{name}"))
        .collect();
    names.sort();
    names
}
