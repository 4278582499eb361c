//! `cargo xtask campaign N [--seed S]`: N random models of the soundness campaign (crates/dyverse/tests/soundness.rs), on all cores, the command itself among what is tried.
//! What is wrong is written to `target/campaign`, each with its model.

use std::path::Path;

/// N and the seed; an error for people.
fn read(arguments: &[String]) -> Result<(u64, u64), String> {
    let number = |text: &String| {
        text.parse::<u64>()
            .map_err(|_| format!("`{text}` is no whole number"))
    };
    match arguments {
        [models] => Ok((number(models)?, 1)),
        [models, option, seed] if option == "--seed" => Ok((number(models)?, number(seed)?)),
        _ => Err("cargo xtask campaign N [--seed S]".into()),
    }
}

/// Builds the command and the campaign, and runs it.
pub(crate) fn run(root: &Path, arguments: &[String]) -> bool {
    let (models, seed) = match read(arguments) {
        Ok(found) => found,
        Err(error) => {
            eprintln!("{error}");
            return false;
        }
    };
    let folder = root.join("target/campaign");
    if folder.exists() && std::fs::remove_dir_all(&folder).is_err() {
        eprintln!("cannot empty {}", folder.display());
        return false;
    }
    let (models, seed) = (models.to_string(), seed.to_string());
    let command = root.join(format!("target/debug/dyverse{}", std::env::consts::EXE_SUFFIX));
    let (command, folder) = (command.display().to_string(), folder.display().to_string());
    println!("{models} models, seed {seed}");
    let environment = [
        ("CAMPAIGN_MODELS", models.as_str()),
        ("CAMPAIGN_SEED", &seed),
        ("CAMPAIGN_FOLDER", &folder),
        ("DYVERSE_COMMAND", &command),
    ];
    let test = [
        "test",
        "-p",
        "dyverse",
        "--test",
        "all",
        "--locked",
        "--",
        "--ignored",
        "--exact",
        "--nocapture",
        "soundness::long",
    ];
    crate::build_command(root) && crate::cargo(root, &test, &environment)
}
