//! What pages do in a browser: the scripts are built from `web/` and compared with what the crates embed, and tested in a real Chromium.
//!
//! Needs Node with npm (packages come from the npm registry by `web/package-lock.json`) and Chromium. `--bless` puts newly built scripts in their places; `--shots` keeps screenshots
//! in `docs/screenshots`.

use crate::succeeds;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A script that is built, and where it is kept.
const SCRIPTS: [(&str, &str, &str); 2] = [
    (
        "DYVERSE_PAGE_OUT",
        "page.js",
        "crates/dyverse-view/assets/page.js",
    ),
    (
        "DYVERSE_STUDIO_OUT",
        "studio.js",
        "crates/dyverse-studio/assets/studio.js",
    ),
];

/// Where Chromium may be.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Builds, compares and tests; the command must have been built.
pub(crate) fn run(root: &Path, shots: bool) -> bool {
    println!("\n== pages");
    if !installed(root) || !built(root) {
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
    is_current && units(root) && browser(root, shots)
}

/// Builds the scripts into their places.
pub(crate) fn bless(root: &Path) -> bool {
    println!("\n== pages");
    installed(root)
        && built(root)
        && SCRIPTS.iter().all(|(_, name, kept)| {
            let copied = fs::copy(root.join("target/pages").join(name), root.join(kept));
            if let Err(error) = &copied {
                eprintln!("cannot write {kept}: {error}");
            }
            copied.is_ok()
        })
}

/// The packages of `package-lock.json`, installed once for each state of it.
fn installed(root: &Path) -> bool {
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
    if !succeeds(Command::new("npm").args(npm).current_dir(&web)) {
        eprintln!(
            "the packages of web/package-lock.json cannot be installed: this check needs Node 20 with npm"
        );
        return false;
    }
    fs::write(mark, lock).is_ok()
}

fn built(root: &Path) -> bool {
    let web = root.join("web");
    let mut types = Command::new("node");
    types
        .args(["node_modules/typescript/bin/tsc", "--noEmit"])
        .current_dir(&web);
    let mut build = Command::new("node");
    build.arg("build.mjs").current_dir(&web);
    for (variable, name, _) in SCRIPTS {
        build.env(variable, root.join("target/pages").join(name));
    }
    succeeds(&mut types) && succeeds(&mut build)
}

fn units(root: &Path) -> bool {
    succeeds(
        Command::new("node")
            .args(["--test", "test/units/"])
            .current_dir(root.join("web")),
    )
}

fn browser(root: &Path, shots: bool) -> bool {
    let Some(chromium) = chromium() else {
        eprintln!(
            "no Chromium found: install it (Debian's package is `chromium`), or set CHROMIUM to its path"
        );
        return false;
    };
    let mut tests = Command::new("node");
    tests
        .args(["--test", "--test-concurrency=1", "test/browser/"])
        .env("CHROMIUM", chromium)
        .env("DYVERSE", root.join("target/debug/dyverse"))
        .current_dir(root.join("web"));
    if shots {
        tests.env("DYVERSE_SHOTS", root.join("docs/screenshots"));
    }
    succeeds(&mut tests)
}

fn chromium() -> Option<PathBuf> {
    if let Some(given) = std::env::var_os("CHROMIUM") {
        return Some(given.into());
    }
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let places = BROWSERS
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    places.into_iter().find(|place| place.is_file())
}
