//! What is made of a model: calls of the command in the folder of outputs, where the models lie in `models/`.
//!
//! | folder | of | call |
//! |---|---|---|
//! | `trace` | all | `simulate` |
//! | `nodes` | bodies | `simulate --show-nodes` |
//! | `replay` | bodies | `replay` of the trace |
//! | `page` | shipped | `view` |
//! | `automaton` | shipped | `automaton`: text, JSON, DOT, sizes, pruned; of actors `export --to json` and `dot` |
//! | `check`, `proof` | shipped | `check`, and once more for each property that is proved |
//! | `c`, `fmu`, `dreach`, `spaceex` | shipped | `export` |
//!
//! What a call says (its exit code, what it prints) is an output too, in the folder `said`.

use super::models::Model;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Boxes of a check at the most: the bound that makes it the same on every machine.
pub(super) const BOXES: &str = "40";
/// Simulations of a check at the most.
const RUNS: &str = "40";
/// Events of a run at the most.
const EVENTS: &str = "3000";
/// Edges of an automaton at the most that is written out.
const EDGES: &str = "3000";
/// How long a call may take. What takes longer is named in the file, and its outputs are not compared.
pub(super) const PATIENCE: Duration = Duration::from_secs(300);
/// What stands in `said` instead of an exit code.
pub(super) const TOO_LONG: &str = "took too long";

/// What stands there of calls that are not made.
pub(super) const LEFT_OUT: &str = "left out, it needs long";

/// Calls that need long: a model, and the name of the call.
const LONG: &[(&str, &str)] = &[
    ("checks/oblique_collision.drbt", "dreach"),
    ("checks/oblique_collision.drbt", "spaceex"),
];

/// The command that makes them: this build's, or that of another (`GOLDEN_COMMAND`).
fn command() -> std::ffi::OsString {
    std::env::var_os("GOLDEN_COMMAND").unwrap_or_else(|| env!("CARGO_BIN_EXE_dyverse").into())
}

struct Maker<'a> {
    folder: &'a Path,
    model: &'a Model,
}

impl Maker<'_> {
    /// The path of an output, its folder made.
    fn output(&self, kind: &str, ending: &str) -> String {
        let path = format!("{kind}/{}{ending}", self.model.name);
        let whole = self.folder.join(&path);
        std::fs::create_dir_all(whole.parent().unwrap()).unwrap();
        path
    }

    fn keep(&self, kind: &str, ending: &str, bytes: &[u8]) {
        std::fs::write(self.folder.join(self.output(kind, ending)), bytes).unwrap();
    }

    /// Calls the command; what it says is kept.
    fn call(&self, name: &str, arguments: &[&str]) {
        if let Some((mut said, printed)) = self.answer(name, arguments) {
            said.extend(printed);
            self.keep("said", &format!(".{name}"), &said);
        }
    }

    /// Calls the command; what it prints is an output of its own, unless it prints nothing.
    fn call_for(&self, kind: &str, arguments: &[&str]) -> Vec<u8> {
        let Some((said, printed)) = self.answer(kind, arguments) else {
            return Vec::new();
        };
        self.keep("said", &format!(".{kind}"), &said);
        if !printed.is_empty() {
            self.keep(kind, ".json", &printed);
        }
        printed
    }

    /// Calls the command: the call, its exit code and what it tells, without how far it is; and what it prints. `None`: it was not made or not waited for, and that is kept.
    fn answer(&self, name: &str, arguments: &[&str]) -> Option<(Vec<u8>, Vec<u8>)> {
        let call = format!("dyverse {}", arguments.join(" "));
        let not_made =
            |why: &str| self.keep("said", &format!(".{name}"), format!("{call}\n{why}\n").as_bytes());
        if LONG.contains(&(self.model.name.as_str(), name)) {
            not_made(LEFT_OUT);
            return None;
        }
        let said = self.output("said", &format!(".{name}"));
        let [out, err] = ["out", "err"].map(|part| self.folder.join(format!("{said}.{part}")));
        let mut child = Command::new(command())
            .args(arguments)
            .current_dir(self.folder)
            .stdin(Stdio::null())
            .stdout(std::fs::File::create(&out).unwrap())
            .stderr(std::fs::File::create(&err).unwrap())
            .spawn()
            .unwrap();
        let start = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break Some(status);
            }
            if start.elapsed() > PATIENCE {
                child.kill().unwrap();
                child.wait().unwrap();
                break None;
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        let (printed, told) = (std::fs::read(&out).unwrap(), std::fs::read(&err).unwrap());
        std::fs::remove_file(out).unwrap();
        std::fs::remove_file(err).unwrap();
        let Some(status) = status else {
            not_made(TOO_LONG);
            return None;
        };
        let told = String::from_utf8_lossy(&told);
        let told = told.lines().filter(|line| !line.starts_with("progress: "));
        let told: String = told.map(|line| format!("{line}\n")).collect();
        let said = format!("{call}\nexit code {:?}\n{told}", status.code());
        Some((said.into_bytes(), printed))
    }

    fn make(&self) {
        let file = format!("models/{}", self.model.name);
        self.run(&file);
        if self.model.is_random {
            return;
        }
        let page = self.output("page", ".html");
        self.call("page", &["view", &file, "--max-events", EVENTS, "-o", &page]);
        self.automaton(&file);
        self.exports(&file);
        self.check(&file);
    }

    fn run(&self, file: &str) {
        let sampled: &[&str] = if self.model.is_random {
            &["--sample-every", "0.02"]
        } else {
            &[]
        };
        let simulate = |name: &str, more: &[&str]| {
            let output = self.output(name, ".json");
            let bounded = ["simulate", file, "--max-events", EVENTS, "-o", &output];
            self.call(name, &[bounded.as_slice(), sampled, more].concat());
            output
        };
        let trace = simulate("trace", &[]);
        if self.model.is_actors() {
            return;
        }
        simulate("nodes", &["--show-nodes"]);
        if self.folder.join(&trace).exists() {
            self.call_for("replay", &["replay", &trace, "--model", file, "--format", "json"]);
        }
    }

    fn automaton(&self, file: &str) {
        if self.model.is_actors() {
            for format in ["json", "dot"] {
                let output = self.output("automaton", &format!(".{format}"));
                self.call(format, &["export", file, "--to", format, "-o", &output]);
            }
            return;
        }
        for format in ["text", "json", "dot"] {
            let output = self.output("automaton", &format!(".{format}"));
            let arguments = [
                "automaton",
                file,
                "--format",
                format,
                "--max-edges",
                EDGES,
                "-o",
                &output,
            ];
            self.call(format, &arguments);
        }
        let output = self.output("automaton", ".pruned.json");
        let pruned = [
            "--graph",
            "subset",
            "--prune",
            "--format",
            "json",
            "--max-edges",
            EDGES,
            "-o",
            &output,
        ];
        self.call("pruned", &[&["automaton", file], pruned.as_slice()].concat());
        self.call("count", &["automaton", file, "--count", "--format", "json"]);
    }

    fn exports(&self, file: &str) {
        let c = self.output("c", "");
        self.call("c", &["export", file, "--to", "c", "-o", &c]);
        for version in ["2", "3"] {
            let fmu = self.output("fmu", &format!(".fmi{version}.fmu"));
            let name = format!("fmi{version}");
            let library = ["--fmi", version, "--library", "models/library", "-o", &fmu];
            self.call(
                &name,
                &[&["export", file, "--to", "fmu"], library.as_slice()].concat(),
            );
            // Of the archive its description is text.
            let path = self.folder.join(fmu);
            if let Ok(archive) = std::fs::File::open(&path) {
                let mut archive = zip::ZipArchive::new(archive).unwrap();
                let mut text = Vec::new();
                let mut description = archive.by_name("modelDescription.xml").unwrap();
                std::io::copy(&mut description, &mut text).unwrap();
                self.keep("fmu", &format!(".fmi{version}.xml"), &text);
                std::fs::remove_file(&path).unwrap();
            }
        }
        for (to, ending) in [("dreach", ".drh"), ("spaceex", ".xml")] {
            let output = self.output(to, ending);
            self.call(to, &["export", file, "--to", to, "-o", &output]);
        }
    }

    fn check(&self, file: &str) {
        let bounded = [
            "check",
            file,
            "--format",
            "json",
            "--timeout",
            "inf",
            "--threads",
            "1",
            "--boxes",
            BOXES,
            "--budget",
            RUNS,
        ];
        let found = self.call_for("check", &bounded);
        for property in proved(&found) {
            let proof = self.output("proof", &format!("/{property}.json"));
            let more = ["--property", &property, "--proof", &proof];
            self.call(
                &format!("proof.{property}"),
                &[&bounded, more.as_slice()].concat(),
            );
        }
    }
}

/// The properties that an answer calls safe.
fn proved(answer: &[u8]) -> Vec<String> {
    let answer: serde_json::Value = serde_json::from_slice(answer).unwrap_or_default();
    let several = answer["properties"].as_array();
    let each = several.map_or_else(|| vec![&answer], |all| all.iter().collect());
    let safe = each.into_iter().filter(|one| one["verdict"] == "SAFE");
    safe.filter_map(|one| one["property"].as_str().map(str::to_owned))
        .collect()
}

/// Makes all outputs of all models in a folder, on all cores.
pub(super) fn make(folder: &Path, models: &[Model], shows_progress: bool) {
    for model in models.iter().chain(&super::models::shipped()) {
        let path = folder.join("models").join(&model.name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, &model.text).unwrap();
    }
    // Stands in for the library of FMUs, which is another with every build.
    std::fs::write(folder.join("models/library"), "library").unwrap();
    let (next, done) = (AtomicUsize::new(0), Mutex::new((0, Instant::now())));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(model) = models.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let start = Instant::now();
                    Maker { folder, model }.make();
                    let mut done = done.lock().unwrap();
                    done.0 += 1;
                    let seconds = start.elapsed().as_secs_f64();
                    if shows_progress && (seconds > 5.0 || done.1.elapsed().as_secs() >= 5) {
                        println!(
                            "{} of {} models; {} took {seconds:.1} s",
                            done.0,
                            models.len(),
                            model.name
                        );
                        done.1 = Instant::now();
                    }
                }
            });
        }
    });
}
