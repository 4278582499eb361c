//! `cargo xtask ci` runs every check of this repository; `cargo xtask tidy` only the rules no compiler knows; `cargo xtask bless` accepts
//! snapshots as they come out now (review them with `git diff`); `cargo xtask fmpy` lets FMPy run exported examples; `cargo xtask pages` builds and
//! tests what pages do in a browser, `--bless` puts the built scripts in their places; `cargo xtask plots` draws the plots of docs/CONSTRUCTIVE.md anew;
//! `cargo xtask campaign N [--seed S]` tries N random models against what is true of them.

mod campaign;
mod fmpy;
mod pages;
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
        "campaign" => campaign::run(&root, &std::env::args().skip(2).collect::<Vec<_>>()),
        "fmpy" => build_command(&root) && fmpy::run(&root),
        "pages" => pages_task(&root),
        "plots" => cargo(
            &root,
            &["test", "-p", "dyverse", "--test", "plots", "--locked"],
            &[("DYVERSE_BLESS", "1")],
        ),
        "bless" => cargo(
            &root,
            &["test", "--workspace", "--locked"],
            &[("INSTA_UPDATE", "always")],
        ),
        _ => {
            eprintln!("cargo xtask ci | tidy | fmpy | pages [--bless | --shots] | bless | plots | campaign N [--seed S]");
            false
        }
    };
    if is_ok {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// The command as the tests build it.
fn build_command(root: &Path) -> bool {
    let build = ["build", "--profile", "test", "-p", "dyverse-cli", "--locked"];
    cargo(root, &build, &[])
}

fn pages_task(root: &Path) -> bool {
    let option = std::env::args().nth(2);
    match option.as_deref() {
        Some("--bless") => pages::bless(root),
        Some("--shots") => build_command(root) && pages::run(root, true),
        _ => build_command(root) && pages::run(root, false),
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
        && cargo(root, &["test", "--workspace", "--locked"], &no_new_snapshots)
        && fmpy::run(root)
        && pages::run(root, false)
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
    succeeds(
        Command::new(cargo)
            .args(arguments)
            .envs(environment.iter().copied())
            .current_dir(root),
    )
}

/// Runs a command; says why if it cannot be run.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    match command.status() {
        Ok(status) => status.success(),
        Err(error) => {
            eprintln!("cannot run {}: {error}", command.get_program().display());
            false
        }
    }
}
