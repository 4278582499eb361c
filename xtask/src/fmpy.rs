//! Exported FMUs in another tool: FMPy, from PyPI, in an environment of its own under `target`.

use crate::succeeds;
use std::path::Path;
use std::process::Command;

/// Runs crates/4-write/fmu/tests/fmpy_check.py with the command that the tests have built.
pub(crate) fn run(root: &Path, python: &Path) -> bool {
    println!("\n== FMPy");
    succeeds(
        Command::new(python)
            .arg(root.join("crates/4-write/fmu/tests/fmpy_check.py"))
            .arg(root.join("target/debug/dyverse"))
            .arg(root.join("examples"))
            .arg(root.join("target/fmpy")),
    )
}
