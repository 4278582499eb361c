//! `cargo xtask golden --write FILE` keeps everything that the command makes of all shipped models and 400 random ones (crates/5-use/cli/tests/golden); `--against FILE` makes it anew
//! and lists what differs: a change of the code that is to change no output is shown to change none. `--only WORD` takes the models whose names contain a word, `--release` a release build, `--command PATH` the command of another build.

use std::path::Path;

const USAGE: &str =
    "cargo xtask golden (--write | --against) FILE [--only WORD] [--release] [--command PATH]";

/// Builds the command and the maker, and runs it.
pub(crate) fn run(root: &Path, arguments: &[String]) -> bool {
    let now = root.join("target/golden/now").display().to_string();
    let mut environment = vec![("GOLDEN_NOW", now)];
    // Without Parquet and PNG, of which nothing is kept: they are most of what there is to build.
    let mut test = vec![
        "test",
        "-p",
        "dyverse-cli",
        "--no-default-features",
        "--test",
        "all",
        "--locked",
    ];
    let mut rest = arguments.iter();
    while let Some(option) = rest.next() {
        let variable = match option.as_str() {
            "--release" => {
                test.push("--release");
                continue;
            }
            "--write" => "GOLDEN_WRITE",
            "--against" => "GOLDEN_AGAINST",
            "--only" => "GOLDEN_ONLY",
            "--command" => "GOLDEN_COMMAND",
            _ => return refused(&format!("`{option}`")),
        };
        let Some(value) = rest.next() else {
            return refused(&format!("`{option}` without a value"));
        };
        let value = match (variable, std::path::absolute(value)) {
            ("GOLDEN_ONLY", _) => value.clone(),
            (_, Ok(path)) => path.display().to_string(),
            (_, Err(error)) => return refused(&format!("{value}: {error}")),
        };
        environment.push((variable, value));
    }
    let files = environment
        .iter()
        .filter(|(name, _)| *name == "GOLDEN_WRITE" || *name == "GOLDEN_AGAINST");
    if files.count() != 1 {
        return refused("one of --write and --against");
    }
    test.extend(["--", "--ignored", "--exact", "--nocapture", "golden::long"]);
    let environment: Vec<(&str, &str)> = environment
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    crate::cargo(root, &test, &environment)
}

fn refused(what: &str) -> bool {
    eprintln!("{what}: {USAGE}");
    false
}
