//! The command itself on scenes in closed form: its exit code, what it prints, the time it takes, the proofs that it writes.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::asked::{Asked, asked};
use super::closed::judge::{Witness, by_default, is_no_witness, known};
use super::closed::real::Real;
use super::closed::scene::{Point, decimal};
use super::random::Random;

/// What a call may take beyond its limit, s: for a slow machine that does other things too.
const SLACK: f64 = 25.0;

/// A call of the command, and what came of it.
struct Called {
    code: Option<i32>,
    stdout: String,
    stderr: String,
    seconds: f64,
}

fn call(command: &Path, arguments: &[String], reads: bool, limit: f64) -> Result<Called, String> {
    let begin = Instant::now();
    let mut child = Command::new(command)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot run {}: {error}", command.display()))?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let text = |from: Option<std::process::ChildStderr>| {
        std::thread::spawn(move || {
            let mut text = String::new();
            if let Some(mut from) = from {
                let _ = from.read_to_string(&mut text);
            }
            text
        })
    };
    let errors = text(stderr);
    let output = std::thread::spawn(move || {
        let mut text = String::new();
        // Not reading is closing it.
        if let Some(mut from) = stdout.filter(|_| reads) {
            let _ = from.read_to_string(&mut text);
        }
        text
    });
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if begin.elapsed().as_secs_f64() > limit + SLACK => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("still running after {limit} s and {SLACK} s more"));
            }
            Ok(None) => std::thread::sleep(Duration::from_millis(2)),
            Err(error) => return Err(error.to_string()),
        }
    };
    Ok(Called {
        code: status.code(),
        stdout: output.join().unwrap_or_default(),
        stderr: errors.join().unwrap_or_default(),
        seconds: begin.elapsed().as_secs_f64(),
    })
}

/// What a call said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    Safe,
    Unsafe,
    Unknown,
    Refused,
    /// The scene could not be asked about.
    Nothing,
}

/// Calls of the command about one scene; what is wrong with them, and the model.
pub(crate) fn try_commands(command: &Path, folder: &Path, seed: u64) -> (Said, Option<(String, String)>) {
    let Some(asked) = asked(seed) else {
        return (Said::Nothing, None);
    };
    let ending = if asked.scene.is_modal { "dam" } else { "drbt" };
    let file = folder.join(format!("s{seed}.{ending}"));
    std::fs::write(&file, &asked.text).expect("the model can be written");
    let mut trial = Trial {
        command,
        proof: folder.join(format!("s{seed}.proof")),
        file,
        asked: &asked,
        random: Random::new(seed ^ 0x00c0_33a0),
        calls: Vec::new(),
    };
    let found = trial.run();
    let calls = trial.calls.join("\n");
    for file in [&trial.file, &trial.proof] {
        let _ = std::fs::remove_file(file);
    }
    match found {
        Ok(said) => (said, None),
        Err(wrong) => (Said::Nothing, Some((format!("{wrong}\n{calls}"), asked.text))),
    }
}

struct Trial<'a> {
    command: &'a Path,
    file: PathBuf,
    proof: PathBuf,
    asked: &'a Asked,
    random: Random,
    calls: Vec<String>,
}

fn words(all: &[&str]) -> Vec<String> {
    all.iter().map(|word| (*word).to_owned()).collect()
}

impl Trial<'_> {
    fn call(&mut self, options: &[String], reads: bool, limit: f64) -> Result<Called, String> {
        let file = self.file.display().to_string();
        let arguments = [words(&["check", &file]), options.to_vec()].concat();
        let model = self
            .file
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let shown: Vec<&str> = options.iter().map(String::as_str).collect();
        self.calls
            .push(format!("dyverse check {model} {}", shown.join(" ")));
        let called = call(self.command, &arguments, reads, limit)?;
        if called.stderr.contains("panicked") || called.stderr.contains("bug:") {
            return Err(format!("a panic: {}", called.stderr));
        }
        Ok(called)
    }

    /// A value or a range of an unknown instead of the model's: as an option, and as a range.
    fn chosen(&mut self) -> Option<(String, usize, Real, Real)> {
        let unknowns = &self.asked.scene.unknowns;
        if unknowns.is_empty() || !self.random.often(0.3) {
            return None;
        }
        let place = self.random.below(unknowns.len());
        let unknown = &unknowns[place];
        let base = unknown.base.written()?;
        let (low, high) = match self.random.below(3) {
            0 => (base.clone(), base),
            1 => (unknown.low.clone(), base),
            _ => {
                let middle = 0.5 * (unknown.base.f64() + unknown.high().f64());
                (base, decimal(middle, 9))
            }
        };
        let (from, to) = (Real::decimal(&low), Real::decimal(&high));
        if from > to {
            return None;
        }
        let value = if low == high {
            low
        } else {
            format!("[{low},{high}]")
        };
        Some((format!("{}={value}", unknown.name), place, from, to))
    }

    fn run(&mut self) -> Result<Said, String> {
        let number = |random: &mut Random, all: &[&str]| (*random.pick(all)).to_owned();
        let mut options = words(&["--budget"]);
        options.push(number(&mut self.random, &["0", "0", "20", "60"]));
        options.push("--boxes".into());
        options.push(number(&mut self.random, &["8", "40", "200"]));
        options.push("--threads".into());
        options.push(number(&mut self.random, &["1", "2"]));
        // The smallest share of calls that might go on for long has no limit of its own.
        let limit = number(&mut self.random, &["0.3", "1", "3"]);
        options.extend(["--timeout".into(), limit.clone()]);
        let limit: f64 = limit.parse().expect("a number");
        let chosen = self.chosen();
        if let Some((text, ..)) = &chosen {
            options.extend(["--set".into(), text.clone()]);
        }
        let is_narrow = !self.asked.scene.inputs.is_empty() && self.random.often(0.4);
        if is_narrow {
            options.extend(words(&["--inputs", "default"]));
        }
        let is_json = self.random.often(0.6);
        if is_json {
            options.extend(words(&["--format", "json"]));
        }
        if self.random.often(0.2) {
            options.push("--stats".into());
        }
        let wants_proof = self.random.often(0.5);
        if wants_proof {
            options.extend(["--proof".into(), self.proof.display().to_string()]);
        }
        let called = self.call(&options, true, limit)?;
        let said = self.judged(&called, is_json, is_narrow, chosen.as_ref())?;
        if called.seconds > limit + SLACK {
            return Err(format!("took {:.1} s with --timeout {limit}", called.seconds));
        }
        if self.random.often(0.3) {
            self.unheard(&options, said, limit)?;
        }
        if said == Said::Safe && wants_proof {
            let is_followed = !(called.stdout.contains("not followed") || has_unconfirmed(&called.stdout));
            self.verified(chosen.map(|c| c.0), is_narrow, is_followed)?;
        }
        Ok(said)
    }

    /// The exit code fits what is printed, and is not contradicted by the closed form.
    fn judged(
        &self,
        called: &Called,
        is_json: bool,
        is_narrow: bool,
        chosen: Option<&(String, usize, Real, Real)>,
    ) -> Result<Said, String> {
        let said = match called.code {
            Some(0) => Said::Safe,
            Some(10) => Said::Unsafe,
            Some(20) => Said::Unknown,
            Some(2) if called.stderr.contains("error") => return Ok(Said::Refused),
            code => return Err(format!("exit code {code:?}: {}", called.stderr)),
        };
        let word = format!("{said:?}").to_uppercase();
        if !is_json && !called.stdout.contains(&word) {
            return Err(format!(
                "exit code {:?} and no {word} in: {}",
                called.code, called.stdout
            ));
        }
        if is_json {
            let json: Value = serde_json::from_str(&called.stdout)
                .map_err(|error| format!("no JSON: {error}: {}", called.stdout))?;
            if json["verdict"] != word.as_str() {
                return Err(format!(
                    "exit code {:?} and verdict {}",
                    called.code, json["verdict"]
                ));
            }
            if said == Said::Unsafe {
                self.witness(&json)?;
            }
        }
        let is_in = |point: &&Point| {
            chosen.is_none_or(|(_, place, low, high)| {
                *low <= point.values[*place] && point.values[*place] <= *high
            })
        };
        let points: Vec<Point> = self.asked.points.iter().filter(is_in).cloned().collect();
        let points = if is_narrow {
            by_default(&self.asked.scene, &points)
        } else {
            points
        };
        match known(&self.asked.scene, &self.asked.property, &points).broken {
            Some((_, when)) if said == Said::Safe => {
                let when = when.map(|t| t.f64());
                Err(format!("SAFE, but the closed form breaks it at {when:?}"))
            }
            _ => Ok(said),
        }
    }

    fn witness(&self, json: &Value) -> Result<(), String> {
        let mut witness = Witness::default();
        for kind in ["parameters", "initial"] {
            if let Some(all) = json["witness"][kind].as_object() {
                let each = all
                    .iter()
                    .filter_map(|(name, v)| Some((name.clone(), v.as_f64()?)));
                witness.values.extend(each);
            }
        }
        if let Some(all) = json["witness"]["inputs"].as_object() {
            for (name, steps) in all {
                let step = |s: &Value| Some((s[0].as_f64()?, s[1].as_f64()?));
                let steps = steps.as_array().map(|all| all.iter().filter_map(step).collect());
                witness.inputs.push((name.clone(), steps.unwrap_or_default()));
            }
        }
        if is_no_witness(&self.asked.scene, &self.asked.property, &witness) {
            return Err(format!("UNSAFE with {witness:?}, but it holds there"));
        }
        Ok(())
    }

    /// With nobody who reads what is printed, the exit code is the same. (The limit may come in between: then it is UNKNOWN.)
    fn unheard(&mut self, options: &[String], said: Said, limit: f64) -> Result<(), String> {
        let called = self.call(options, false, limit)?;
        let expected = match said {
            Said::Safe => 0,
            Said::Unsafe => 10,
            Said::Unknown => 20,
            Said::Refused | Said::Nothing => 2,
        };
        match called.code {
            Some(code) if code == expected || code == 20 || expected == 20 => Ok(()),
            code => Err(format!(
                "exit code {code:?} with its output closed, {expected} else: {}",
                called.stderr
            )),
        }
    }

    /// The proof is accepted for the question that it answers, unless it was said that its check has not followed all of it; and for no wider one.
    fn verified(&mut self, set: Option<String>, is_narrow: bool, is_followed: bool) -> Result<(), String> {
        let proof = words(&["--verify-proof", &self.proof.display().to_string()]);
        let mut same = proof.clone();
        if let Some(set) = &set {
            same.extend(words(&["--set", set]));
        }
        if is_narrow {
            same.extend(words(&["--inputs", "default"]));
        }
        let called = self.call(&same, true, 60.0)?;
        if called.code != Some(0) && is_followed {
            let (stdout, stderr) = (called.stdout, called.stderr);
            return Err(format!(
                "its own proof is not accepted ({:?}): {stdout}{stderr}",
                called.code
            ));
        }
        // A choice of the whole range, and inputs that the property does not depend on, change nothing.
        if let Some(set) = set.filter(|set| !self.is_whole(set)) {
            let called = self.call(&proof, true, 60.0)?;
            if called.code == Some(0) {
                return Err(format!("a proof made with --set {set} is accepted without it"));
            }
        }
        Ok(())
    }

    /// Whether a choice is the range that the model has.
    fn is_whole(&self, set: &str) -> bool {
        let unknowns = self.asked.scene.unknowns.iter();
        let mut whole = unknowns.map(|u| format!("{}=[{},{}]", u.name, u.low, u.high));
        whole.any(|text| text == set)
    }
}

/// Whether a report as JSON speaks of boxes that the check of the proof has not accepted.
fn has_unconfirmed(stdout: &str) -> bool {
    let json: Option<Value> = serde_json::from_str(stdout).ok();
    json.is_some_and(|json| {
        let found = &json["statistics"]["unconfirmed_boxes"];
        found.as_u64().is_some_and(|boxes| boxes > 0)
    })
}
