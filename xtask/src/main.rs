//! `cargo xtask ci` installs what it needs and runs every check of this repository, or says at its end what it went without; `cargo xtask tidy` only the rules no compiler knows; `cargo xtask bless` accepts
//! snapshots as they come out now (review them with `git diff`); `cargo xtask fmpy` lets FMPy run exported examples; `cargo xtask pages` builds and
//! tests what pages do in a browser, `--bless` puts the built scripts in their places; `cargo xtask plots` draws the plots of docs/CONSTRUCTIVE.md and docs/SIMULATING.md anew;
//! `cargo xtask campaign N [--seed S] [--part PART]` tries N random models against what is true of them; `cargo xtask golden` shows that a change of the code changes no output.

mod campaign;
mod documents;
mod fmpy;
mod golden;
mod pages;
mod tidy;
mod tools;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use tools::Tools;

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .map_or_else(|| PathBuf::from("."), Path::to_owned);
    let task = std::env::args().nth(1).unwrap_or_default();
    let is_ok = match task.as_str() {
        "ci" => ci(&root),
        "tidy" => tidy::run(&root),
        "campaign" => campaign::run(&root, &std::env::args().skip(2).collect::<Vec<_>>()),
        "golden" => golden::run(&root, &std::env::args().skip(2).collect::<Vec<_>>()),
        "fmpy" => build_command(&root) && fmpy_task(&root, &Tools::prepare(&root)),
        "pages" => pages_task(&root),
        "plots" => [("dyverse", "plots::"), ("dyverse-simulate", "convergence::")]
            .iter()
            .all(|(package, tests)| {
                let drawn = ["test", "-p", package, "--test", "all", "--locked", tests];
                cargo(&root, &drawn, &[("DYVERSE_BLESS", "1")])
            }),
        "bless" => cargo(
            &root,
            &["test", "--workspace", "--locked"],
            &[("INSTA_UPDATE", "always")],
        ),
        _ => {
            eprintln!(
                "cargo xtask ci | tidy | fmpy | pages [--bless | --shots] | bless | plots | campaign N [--seed S] [--part PART] | golden (--write | --against) FILE"
            );
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

/// FMPy runs exported examples; without it that part is skipped, which was said.
fn fmpy_task(root: &Path, tools: &Tools) -> bool {
    tools.python.as_ref().is_none_or(|python| fmpy::run(root, python))
}

fn pages_task(root: &Path) -> bool {
    let option = std::env::args().nth(2);
    let tools = Tools::prepare(root);
    match option.as_deref() {
        Some("--bless") => pages::bless(root, &tools),
        Some("--shots") => build_command(root) && pages::run(root, &tools, true),
        _ => build_command(root) && pages::run(root, &tools, false),
    }
}

/// Every check, in the order in which they fail fastest.
fn ci(root: &Path) -> bool {
    let no_new_snapshots = [("INSTA_UPDATE", "no"), ("CI", "true")];
    let docs = [("RUSTDOCFLAGS", "-D warnings")];
    let tools = Tools::prepare(root);
    let mut tests = vec!["test", "--workspace", "--locked", "--"];
    for (is_there, name) in [(tools.valgrind, "valgrind"), (tools.make, "makefile")] {
        if !is_there {
            tests.extend(["--skip", name]);
        }
    }
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
        && cargo(root, &tests, &no_new_snapshots)
        && fmpy_task(root, &tools)
        && pages::run(root, &tools, false)
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
            let skipped = tools.skipped();
            for (part, reason) in &skipped {
                println!("skipped: {part} ({reason})");
            }
            println!(
                "{}",
                if skipped.is_empty() {
                    "every check passed"
                } else {
                    "every check that could be made passed"
                }
            );
            true
        }
}

fn cargo(root: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> bool {
    println!("\n== cargo {}", arguments.join(" "));
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    succeeds(
        Command::new(cargo)
            .args(arguments)
            // What is built is looked for there, whatever the caller's environment says.
            .env("CARGO_TARGET_DIR", root.join("target"))
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
