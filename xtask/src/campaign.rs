//! `cargo xtask campaign N [--seed S] [--part PART]`: N random models against what is true of them, on all cores. What is wrong is written to `target/campaign`, each with its model.
//!
//! | part | tries |
//! |---|---|
//! | `soundness`, unless another is given | what is decided of random models (crates/5-use/dyverse/tests/soundness.rs), the command itself among what is tried |
//! | `replay` | whether traces of random scenes are accepted, and damaged ones refused (crates/3-run/simulate/tests/judged.rs) |
//! | `crowds` | whether scenes of up to twenty things run to their ends, gain no energy and lie in nothing (crates/3-run/simulate/tests/crowds.rs) |
//! | `views` | whether scenes of several things end at the same place in another frame and in another order (crates/3-run/simulate/tests/invariance.rs) |
//! | `lasting` | whether things that are dropped come to rest, or slide and roll lawfully (crates/3-run/simulate/tests/lasting.rs) |

use std::path::Path;

const USAGE: &str = "cargo xtask campaign N [--seed S] [--part soundness|replay|lasting|crowds|views]";

#[derive(Clone, Copy, PartialEq)]
enum Part {
    Soundness,
    Replay,
    Lasting,
    Crowds,
    Views,
}

impl Part {
    /// The package and the test.
    fn test(self) -> (&'static str, &'static str) {
        match self {
            Part::Soundness => ("dyverse", "soundness::long"),
            Part::Replay => ("dyverse-simulate", "judged::long"),
            Part::Lasting => ("dyverse-simulate", "lasting::long"),
            Part::Crowds => ("dyverse-simulate", "crowds::long"),
            Part::Views => ("dyverse-simulate", "invariance::long"),
        }
    }
}

/// N, the seed and the part; an error for people.
fn read(arguments: &[String]) -> Result<(u64, u64, Part), String> {
    let number = |text: &String| {
        text.parse::<u64>()
            .map_err(|_| format!("`{text}` is no whole number"))
    };
    let (models, options) = arguments.split_first().ok_or(USAGE)?;
    let (mut seed, mut part) = (1, Part::Soundness);
    for pair in options.chunks(2) {
        match pair {
            [option, value] if option == "--seed" => seed = number(value)?,
            [option, value] if option == "--part" && value == "soundness" => part = Part::Soundness,
            [option, value] if option == "--part" && value == "replay" => part = Part::Replay,
            [option, value] if option == "--part" && value == "lasting" => part = Part::Lasting,
            [option, value] if option == "--part" && value == "crowds" => part = Part::Crowds,
            [option, value] if option == "--part" && value == "views" => part = Part::Views,
            _ => return Err(USAGE.into()),
        }
    }
    Ok((number(models)?, seed, part))
}

/// Builds the command and the campaign, and runs it.
pub(crate) fn run(root: &Path, arguments: &[String]) -> bool {
    let (models, seed, part) = match read(arguments) {
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
    let (package, name) = part.test();
    let test = [
        "test",
        "-p",
        package,
        "--test",
        "all",
        "--locked",
        "--",
        "--ignored",
        "--exact",
        "--nocapture",
        name,
    ];
    (part != Part::Soundness || crate::build_command(root)) && crate::cargo(root, &test, &environment)
}
