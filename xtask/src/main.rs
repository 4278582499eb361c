//! `cargo xtask ci` runs every check of this repository; `cargo xtask tidy` only the rules no compiler knows; `cargo xtask bless` accepts
//! snapshots as they come out now (review them with `git diff`); `cargo xtask fmpy` lets FMPy run exported examples; `cargo xtask plots` draws the plots of docs/CONSTRUCTIVE.md anew,
//! `cargo xtask plots --check` only says which are out of date.

mod fmpy;
mod plots;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .map_or_else(|| PathBuf::from("."), Path::to_owned);
    let task = std::env::args().nth(1).unwrap_or_default();
    let is_ok = match task.as_str() {
        "ci" => ci(&root),
        "tidy" => tidy::run(&root),
        "fmpy" => {
            cargo(
                &root,
                &["build", "--profile", "test", "-p", "dyverse-cli", "--locked"],
                &[],
            ) && fmpy::run(&root)
        }
        "plots" => plots::run(&root, std::env::args().nth(2).as_deref() == Some("--check")),
        "bless" => cargo(
            &root,
            &["test", "--workspace", "--locked"],
            &[("INSTA_UPDATE", "always")],
        ),
        _ => {
            eprintln!("cargo xtask ci | tidy | fmpy | bless | plots [--check]");
            false
        }
    };
    if is_ok {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Every check, in the order in which they fail fastest.
fn ci(root: &Path) -> bool {
    let no_new_snapshots = [("INSTA_UPDATE", "no"), ("CI", "true")];
    let docs = [("RUSTDOCFLAGS", "-D warnings")];
    cargo(root, &["fmt", "--all", "--check"], &[])
        && tidy::run(root)
        && cargo(
            root,
            &[
                "clippy",
                "--workspace",
                "--all-targets",
                "--locked",
                "--",
                "-D",
                "warnings",
            ],
            &[],
        )
        && plots::run(root, true)
        && cargo(root, &["test", "--workspace", "--locked"], &no_new_snapshots)
        && fmpy::run(root)
        && cargo(
            root,
            &[
                "doc",
                "--workspace",
                "--no-deps",
                "--locked",
                "--document-private-items",
            ],
            &docs,
        )
        && {
            println!("every check passed");
            true
        }
}

fn cargo(root: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> bool {
    println!("\n== cargo {}", arguments.join(" "));
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(arguments)
        .envs(environment.iter().copied())
        .current_dir(root)
        .status();
    match status {
        Ok(status) => status.success(),
        Err(error) => {
            eprintln!("cannot run cargo: {error}");
            false
        }
    }
}
