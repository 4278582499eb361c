//! Many trials on all cores: which, how far, what came of them. A trial is chosen by its seed alone, so that one can be repeated.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::asked::{Asked, asked};
use super::claims::{Answer, claim, shrunk, try_run};
use super::commands::{Said, try_commands};
use super::tally::Tally;
use super::trial::{Effort, drafted_text, try_model};

/// What is to be done.
pub(crate) struct Plan {
    pub(crate) name: &'static str,
    /// The seed of the first trial; the others follow.
    pub(crate) first: u64,
    pub(crate) trials: u64,
    /// Scenes in closed form, random scenes, or some of each.
    pub(crate) kinds: Kinds,
    /// The command, if it is to be called.
    pub(crate) command: Option<PathBuf>,
    /// For random scenes.
    pub(crate) effort: Effort,
    pub(crate) shows_progress: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kinds {
    Closed,
    Bodies,
    Modes,
    Command,
    All,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Closed,
    Bodies,
    Modes,
    Command,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Kind::Closed => "closed",
            Kind::Bodies => "bodies",
            Kind::Modes => "modes",
            Kind::Command => "command",
        }
    }
}

/// Something that is wrong.
pub(crate) struct Wrong {
    seed: u64,
    kind: Kind,
    what: String,
    text: String,
    is_modal: bool,
}

/// What came of all trials.
#[derive(Default)]
pub(crate) struct Report {
    pub(crate) trials: usize,
    /// Claims about scenes in closed form, by what is known of them.
    claims: BTreeMap<(Answer, &'static str), usize>,
    families: BTreeMap<&'static str, BTreeMap<Answer, usize>>,
    commands: BTreeMap<&'static str, usize>,
    runs: usize,
    /// Of random scenes.
    pub(crate) tally: Tally,
    pub(crate) wrongs: Vec<Wrong>,
}

impl Plan {
    /// One trial alone.
    pub(crate) fn one_of(seed: u64, kind: &str, command: Option<PathBuf>) -> Plan {
        let kinds = match kind {
            "bodies" => Kinds::Bodies,
            "modes" => Kinds::Modes,
            "command" => Kinds::Command,
            _ => Kinds::Closed,
        };
        let is_modal = kinds == Kinds::Modes;
        match kinds {
            Kinds::Bodies | Kinds::Modes => println!("{}", drafted_text(seed, is_modal)),
            _ => println!("{}", asked(seed).map_or_else(String::new, |a| a.text)),
        }
        Plan {
            name: "one",
            first: seed,
            trials: 1,
            kinds,
            command,
            effort: Effort {
                boxes: 8,
                runs: 200,
                damages: 14,
            },
            shows_progress: false,
        }
    }

    fn kind(&self, seed: u64) -> Kind {
        match self.kinds {
            Kinds::Closed => Kind::Closed,
            Kinds::Bodies => Kind::Bodies,
            Kinds::Modes => Kind::Modes,
            Kinds::Command => Kind::Command,
            // Cheap ones more often.
            Kinds::All => match seed % 20 {
                0 => Kind::Bodies,
                1 | 2 => Kind::Modes,
                3 | 4 if self.command.is_some() => Kind::Command,
                _ => Kind::Closed,
            },
        }
    }

    /// All trials.
    pub(crate) fn run(&self) -> Report {
        remember_panics();
        let next = AtomicU64::new(0);
        let report = Mutex::new(Report::default());
        let folder = std::env::temp_dir().join(format!("dyverse-campaign-{}", std::process::id()));
        if self.command.is_some() {
            std::fs::create_dir_all(&folder).expect("a folder for models");
        }
        let begin = Instant::now();
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                let work = || {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= self.trials {
                            return;
                        }
                        let one = self.one(self.first + number, &folder);
                        // At once: a long run may be ended before it reports.
                        if self.shows_progress {
                            one.wrongs
                                .iter()
                                .for_each(|wrong| println!("WRONG {}", wrong.told()));
                        }
                        report.lock().expect("no panic holds it").add(one);
                    }
                };
                // Evolutions are followed by recursion.
                let builder = std::thread::Builder::new().stack_size(64 << 20);
                builder.spawn_scoped(scope, work).expect("a thread");
            }
            if self.shows_progress {
                self.watch(&report, begin);
            }
        });
        let _ = std::fs::remove_dir_all(&folder);
        let mut report = report.into_inner().expect("no panic holds it");
        report.wrongs.sort_by_key(|w| w.seed);
        report
    }

    /// A line now and then.
    fn watch(&self, report: &Mutex<Report>, begin: Instant) {
        let mut last = Instant::now();
        loop {
            std::thread::sleep(Duration::from_millis(200));
            let report = report.lock().expect("no panic holds it");
            if report.trials as u64 >= self.trials {
                return;
            }
            if last.elapsed() > Duration::from_secs(30) {
                last = Instant::now();
                println!(
                    "{:6.0} s: {} of {} models; {}; {} wrong",
                    begin.elapsed().as_secs_f64(),
                    report.trials,
                    self.trials,
                    report.counts(),
                    report.wrongs.len()
                );
            }
        }
    }

    /// One trial; a panic is something wrong like anything else.
    fn one(&self, seed: u64, folder: &Path) -> Report {
        let kind = self.kind(seed);
        let mut report = Report {
            trials: 1,
            ..Report::default()
        };
        let tried = catch_unwind(AssertUnwindSafe(|| self.tried(seed, kind, folder, &mut report)));
        if tried.is_err() {
            let (text, is_modal) = text_of(seed, kind);
            let what = format!("a panic: {}", LAST_PANIC.with_borrow_mut(std::mem::take));
            report.wrongs.push(Wrong {
                seed,
                kind,
                what,
                text,
                is_modal,
            });
        }
        report
    }

    fn tried(&self, seed: u64, kind: Kind, folder: &Path, report: &mut Report) {
        match kind {
            Kind::Bodies | Kind::Modes => {
                let is_modal = kind == Kind::Modes;
                try_model(seed, is_modal, &self.effort, &mut report.tally);
                for what in &report.tally.contradictions {
                    report.wrongs.push(Wrong {
                        seed,
                        kind,
                        what: what.clone(),
                        text: drafted_text(seed, is_modal),
                        is_modal,
                    });
                }
            }
            Kind::Command => {
                let command = self.command.as_deref().expect("there is one");
                let (said, wrong) = try_commands(command, folder, seed);
                *report.commands.entry(word(said)).or_default() += 1;
                if let Some((what, text)) = wrong {
                    let is_modal = asked(seed).is_some_and(|a| a.scene.is_modal);
                    report.wrongs.push(Wrong {
                        seed,
                        kind,
                        what,
                        text,
                        is_modal,
                    });
                }
            }
            Kind::Closed => closed(seed, report),
        }
    }
}

/// A claim about a scene in closed form, and a run of every third.
fn closed(seed: u64, report: &mut Report) {
    let Some(asked) = asked(seed) else {
        *report.claims.entry((Answer::NotAsked, "not told")).or_default() += 1;
        return;
    };
    let mut add = |what: String, text: String| {
        report.wrongs.push(Wrong {
            seed,
            kind: Kind::Closed,
            what,
            text,
            is_modal: asked.scene.is_modal,
        });
    };
    let claim = claim(seed, &asked.scene, &asked.property, &asked.points);
    let truth = match &claim.known {
        known if known.broken.is_some() => "false",
        known if known.open == 0 => "true where tried",
        _ => "not told",
    };
    if let Some(wrong) = claim.wrong {
        let (property, smaller) = shrunk(seed, &asked);
        add(
            smaller.unwrap_or(wrong),
            Asked::text_with(&asked.scene, &property),
        );
    }
    if seed.is_multiple_of(3) {
        report.runs += 1;
        if let Some(wrong) = try_run(seed, &asked) {
            add(wrong, asked.text.clone());
        }
    }
    *report.claims.entry((claim.answer, truth)).or_default() += 1;
    let family = report.families.entry(asked.scene.family).or_default();
    *family.entry(claim.answer).or_default() += 1;
}

fn word(said: Said) -> &'static str {
    match said {
        Said::Safe => "SAFE",
        Said::Unsafe => "UNSAFE",
        Said::Unknown => "UNKNOWN",
        Said::Refused => "refused",
        Said::Nothing => "not asked",
    }
}

/// The model of a trial.
fn text_of(seed: u64, kind: Kind) -> (String, bool) {
    let made = catch_unwind(|| match kind {
        Kind::Bodies => (drafted_text(seed, false), false),
        Kind::Modes => (drafted_text(seed, true), true),
        Kind::Closed | Kind::Command => {
            asked(seed).map_or_else(Default::default, |a| (a.text, a.scene.is_modal))
        }
    });
    made.unwrap_or_else(|_| ("the model itself cannot be made".into(), false))
}

thread_local! {
    static LAST_PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Panics are kept for the report of their trial instead of being printed.
fn remember_panics() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            LAST_PANIC.with_borrow_mut(|last| *last = info.to_string());
            // Those of the tests themselves are printed.
            if std::thread::current().name().is_some() {
                usual(info);
            }
        }));
    });
}

impl Report {
    fn add(&mut self, one: Report) {
        self.trials += one.trials;
        self.runs += one.runs;
        for (key, count) in one.claims {
            *self.claims.entry(key).or_default() += count;
        }
        for (key, count) in one.commands {
            *self.commands.entry(key).or_default() += count;
        }
        for (family, answers) in one.families {
            let own = self.families.entry(family).or_default();
            for (answer, count) in answers {
                *own.entry(answer).or_default() += count;
            }
        }
        self.tally.add(one.tally);
        self.wrongs.extend(one.wrongs);
    }

    /// Claims with this answer.
    pub(crate) fn answers(&self, wanted: Answer) -> usize {
        let own = self.claims.iter().filter(|((answer, _), _)| *answer == wanted);
        own.map(|(_, count)| count).sum()
    }

    /// Claims with this answer about what is known to be so.
    pub(crate) fn claims(&self, answer: Answer, truth: &'static str) -> usize {
        self.claims.get(&(answer, truth)).copied().unwrap_or(0)
    }

    fn counts(&self) -> String {
        format!(
            "SAFE {}, UNSAFE {}, UNKNOWN {}, not asked {}",
            self.answers(Answer::Safe),
            self.answers(Answer::Unsafe),
            self.answers(Answer::Unknown),
            self.answers(Answer::NotAsked)
        )
    }

    pub(crate) fn print(&self, plan: &Plan) {
        println!(
            "{}: {} models from seed {}; scenes in closed form: {}; {} wrong",
            plan.name,
            self.trials,
            plan.first,
            self.counts(),
            self.wrongs.len()
        );
        for ((answer, truth), count) in &self.claims {
            println!("  {answer:?}, {truth}: {count}");
        }
        for (family, answers) in &self.families {
            println!("  {family}: {answers:?}");
        }
        if self.runs > 0 {
            println!("  {} runs beside their closed form", self.runs);
        }
        if !self.commands.is_empty() {
            println!("  calls of the command: {:?}", self.commands);
        }
        if self.tally.models > 0 {
            self.tally.print("  random scenes");
        }
        for wrong in &self.wrongs {
            println!("WRONG {}", wrong.told());
        }
    }

    /// Writes what is wrong to files, each with its model.
    pub(crate) fn write(&self, folder: &Path) {
        for wrong in &self.wrongs {
            let ending = if wrong.is_modal { "dam" } else { "drbt" };
            let name = format!("{}-{}.{ending}", wrong.kind.word(), wrong.seed);
            let head: String = wrong.told().lines().map(|line| format!("# {line}\n")).collect();
            let written = std::fs::create_dir_all(folder)
                .and_then(|()| std::fs::write(folder.join(&name), format!("{head}{}", wrong.text)));
            match written {
                Ok(()) => println!("{}", folder.join(name).display()),
                Err(error) => println!("{name} cannot be written: {error}"),
            }
        }
    }
}

impl Wrong {
    /// What, with which model, and how to see it again.
    pub(crate) fn told(&self) -> String {
        format!(
            "{} {}: {}\nagain: CAMPAIGN_ONE={} CAMPAIGN_KIND={} cargo test -p dyverse --test all -- --ignored --nocapture soundness::one\n{}",
            self.kind.word(),
            self.seed,
            self.what,
            self.seed,
            self.kind.word(),
            self.text
        )
    }
}
