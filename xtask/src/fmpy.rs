//! Exported FMUs in another tool: FMPy, from PyPI, in an environment of its own under `target`.

use crate::succeeds;
use std::path::Path;
use std::process::Command;

/// The version that is used: a new one is a change of this line.
const FMPY: &str = "fmpy==0.3.32";

/// Runs crates/dyverse-fmu/tests/fmpy_check.py with the command that the tests have built.
pub(crate) fn run(root: &Path) -> bool {
    println!("\n== FMPy");
    let place = root.join("target/fmpy");
    let python = place.join("bin/python");
    let is_ready = python.is_file() && succeeds(Command::new(&python).args(["-c", "import fmpy"]));
    if !is_ready {
        let made = succeeds(Command::new("python3").args(["-m", "venv"]).arg(&place));
        let installed = made
            && succeeds(Command::new(&python).args([
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                FMPY,
            ]));
        if !installed {
            eprintln!(
                "FMPy cannot be installed: this check needs python3 with venv and pip, and {FMPY} from PyPI"
            );
            return false;
        }
    }
    succeeds(
        Command::new(&python)
            .arg(root.join("crates/dyverse-fmu/tests/fmpy_check.py"))
            .arg(root.join("target/debug/dyverse"))
            .arg(root.join("examples"))
            .arg(root.join("target/fmpy/work")),
    )
}
