//! What a job does: a run, a check or a partition of the text in the editor, made into a page.

use crate::describe::{ReadModel, Text};
use crate::folder::Folder;
use crate::jobs::{Ended, Job};
use dyverse::check::{
    CheckOptions, CheckProgress, Checkable, Counterexample, Interrupt, PartitionOptions, check, partition,
};
use dyverse::model::Model;
use dyverse::pages::{CheckAnswer, Page, SourceText, actors_page, bodies_page, check_page, write_page_json};
use dyverse::{Contacts, InputSignal, RunOptions, TickOptions, TickWatch, Watch};
use serde::Deserialize;
use serde_json::{Value, json};
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Discrete transitions of a run at the most.
const MOST_EVENTS: usize = 1_000_000;
/// Threads of a check at the most.
const MOST_THREADS: usize = 8;

/// For the runs and tubes that a page shows of a check that was ended, s.
const SHOWING: f64 = 0.3;

/// What is asked for.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Order {
    /// Tells the tabs of a browser apart: a new job replaces the one before of its tab.
    pub(crate) tab: String,
    #[serde(flatten)]
    pub(crate) text: Text,
    #[serde(flatten)]
    pub(crate) what: What,
}

/// A run, a check or a partition.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(crate) enum What {
    /// A run.
    Simulate {
        /// Parameters, and initial values such as `ball.x`.
        #[serde(default)]
        parameters: Vec<(String, f64)>,
        #[serde(default)]
        inputs: Vec<(String, f64)>,
        until: Option<f64>,
    },
    /// A check of one property, or of all.
    Check {
        property: Option<String>,
        #[serde(flatten)]
        limits: CheckLimits,
    },
    /// A partition of the range of one parameter, or of two.
    Partition {
        property: String,
        names: Vec<String>,
        width: f64,
        #[serde(flatten)]
        limits: CheckLimits,
    },
}

impl What {
    pub(crate) fn word(&self) -> &'static str {
        match self {
            What::Simulate { .. } => "simulate",
            What::Check { .. } => "check",
            What::Partition { .. } => "partition",
        }
    }
}

/// What is asked of a model: a property, or all; for which values, or whether for all.
struct Question<'q> {
    property: Option<&'q str>,
    partition: Option<&'q PartitionOptions>,
}

/// What a check is about, and what it may take.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CheckLimits {
    /// Ranges other than the model's: name, least, largest.
    #[serde(default)]
    choices: Vec<(String, f64, f64)>,
    /// Seconds.
    timeout: Option<f64>,
    /// Simulations.
    budget: Option<usize>,
    boxes: Option<usize>,
    #[serde(default)]
    seed: u64,
}

impl CheckLimits {
    fn options(&self) -> CheckOptions {
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        let usual = CheckOptions::default();
        CheckOptions {
            choices: self.choices.clone(),
            seed: self.seed,
            budget: self.budget.unwrap_or(usual.budget),
            // One core is left for the page.
            threads: (cores - 1).clamp(1, MOST_THREADS),
            boxes: self.boxes.unwrap_or(usual.boxes).max(1),
            ..usual
        }
    }
}

/// Does it.
pub(crate) fn work(order: &Order, folder: &Folder, job: &Arc<Job>) -> Ended {
    let read = match order.text.read(folder) {
        Ok(read) => read,
        Err(failure) => return failed(failure.message()),
    };
    let Some(model) = read.model else {
        return Ended::Failed {
            message: "the text is no model yet: see what is marked in it".into(),
            findings: read.findings,
        };
    };
    let page = match &order.what {
        What::Simulate {
            parameters,
            inputs,
            until,
        } => run(&model, &order.text, parameters, inputs, *until, job),
        What::Check { property, limits } => {
            let question = Question {
                property: property.as_deref(),
                partition: None,
            };
            answer(&model, &order.text, &question, limits, job)
        }
        What::Partition {
            property,
            names,
            width,
            limits,
        } => {
            let what = PartitionOptions {
                names: names.clone(),
                width: *width,
            };
            let question = Question {
                property: Some(property),
                partition: Some(&what),
            };
            answer(&model, &order.text, &question, limits, job)
        }
    };
    match page.and_then(|page| written(&page)) {
        Ok(page) => Ended::Page(page),
        Err(message) => failed(&message),
    }
}

fn written(page: &Page) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    write_page_json(&mut bytes, page).map_err(|error| error.to_string())?;
    Ok(bytes)
}

fn failed(message: &str) -> Ended {
    Ended::Failed {
        message: message.to_owned(),
        findings: Vec::new(),
    }
}

/// A run, as a page.
fn run(
    model: &ReadModel,
    text: &Text,
    parameters: &[(String, f64)],
    inputs: &[(String, f64)],
    until: Option<f64>,
    job: &Arc<Job>,
) -> Result<Page, String> {
    let inputs = inputs.iter();
    let inputs = inputs
        .map(|(name, value)| (name.clone(), InputSignal::Constant(*value)))
        .collect();
    let watched = Arc::clone(job);
    match model {
        ReadModel::Bodies(model) => {
            let states = model_states(model);
            let (initial, parameters) = parameters
                .iter()
                .cloned()
                .partition(|(name, _)| states.contains(name));
            let options = RunOptions {
                until,
                parameters,
                initial,
                inputs,
                event_limit: MOST_EVENTS,
                contacts: Contacts::Auto,
                watch: Some(Watch::new(move |progress| {
                    watched.tell(|| {
                        json!({
                            "t": progress.t,
                            "horizon": progress.horizon,
                            "transitions": progress.transitions,
                            "impacts": progress.impacts,
                        })
                    });
                    going_on(&watched)
                })),
                ..RunOptions::default()
            };
            let made = bodies_page(model, Some(source(text)), &options);
            made.map(|(page, _)| page).map_err(|error| error.to_string())
        }
        ReadModel::Actors(model) => {
            let horizon = until.or(model.graph.horizon());
            let options = TickOptions {
                until,
                parameters: parameters.to_vec(),
                inputs,
                event_limit: MOST_EVENTS,
                watch: Some(TickWatch::new(move |t| {
                    watched.tell(|| json!({ "t": t, "horizon": horizon }));
                    going_on(&watched)
                })),
                keep_refused: true,
                ..TickOptions::default()
            };
            let made = actors_page(model, Some(source(text)), &options, &mut |_| {});
            made.map(|(page, _)| page).map_err(|error| error.to_string())
        }
    }
}

fn model_states(model: &Model) -> Vec<String> {
    Checkable::Bodies(model).initial_values()
}

fn source(text: &Text) -> SourceText {
    SourceText {
        name: text.name.clone(),
        text: text.text.clone(),
    }
}

fn going_on(job: &Job) -> ControlFlow<()> {
    if job.hears_cancel() {
        ControlFlow::Break(())
    } else {
        ControlFlow::Continue(())
    }
}

/// A check or a partition, as a page. What was decided when it is cancelled, or when its time is over, is shown.
fn answer(
    model: &ReadModel,
    text: &Text,
    question: &Question<'_>,
    limits: &CheckLimits,
    job: &Arc<Job>,
) -> Result<Page, String> {
    let subject = model.checkable();
    let all: Vec<&str> = subject.properties().iter().map(|p| p.name.as_str()).collect();
    let names = question.property.map_or(all, |name| vec![name]);
    if names.is_empty() {
        return Err(
            "the model has no property; write one, such as `property low: always [0, 2] ball.y < 3`".into(),
        );
    }
    let limit = limits.timeout.unwrap_or(f64::INFINITY);
    let own = Arc::clone(job);
    let options = CheckOptions {
        interrupt: Some(Interrupt::new(move || {
            own.is_cancelled() || own.seconds() > limit
        })),
        ..limits.options()
    };
    let mut answers = Vec::new();
    for (place, name) in names.iter().enumerate() {
        let watch = |progress: CheckProgress| {
            job.tell(|| check_progress(name, place, names.len(), &progress));
            if job.seconds() > limit || job.is_cancelled() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let found = match question.partition {
            Some(what) => partition(subject, name, what, &options, &watch).map(CheckAnswer::Partition),
            None => check(subject, name, &options, &watch).map(CheckAnswer::Finding),
        };
        answers.push(found.map_err(|error| error.to_string())?);
        // What was searched is at an end: the rest is the page.
        if job.hears_cancel() {
            break;
        }
    }
    // The runs that the page shows have a moment of their own.
    let own = Arc::clone(job);
    let until = job.seconds().max(limit) + SHOWING;
    let options = CheckOptions {
        interrupt: Some(Interrupt::new(move || {
            own.seconds_since_cancelled() > SHOWING || own.seconds() > until
        })),
        ..options
    };
    let replay = |found: &Counterexample| replay(subject, &text.name, &options, found);
    Ok(check_page(
        subject,
        Some(source(text)),
        &options,
        &answers,
        &replay,
    ))
}

fn check_progress(property: &str, place: usize, properties: usize, progress: &CheckProgress) -> Value {
    json!({
        "property": property,
        "place": place,
        "properties": properties,
        "decided": progress.decided,
        "boxes": progress.boxes,
        "simulations": progress.simulations,
        "best": progress.best,
    })
}

/// The call that replays a counterexample.
fn replay(subject: Checkable<'_>, file: &str, options: &CheckOptions, found: &Counterexample) -> String {
    let is_found = |name: &str| found.values.iter().any(|value| value.name == name);
    let given = options
        .choices
        .iter()
        .filter(|(name, low, high)| low == high && !is_found(name));
    let given = given.map(|(name, value, _)| (name, value));
    let found_values = found.values.iter().map(|value| (&value.name, &value.value));
    let mut call = format!("dyverse simulate '{}'", file.replace('\'', "'\\''"));
    for (name, value) in given.chain(found_values) {
        call += &format!(" --set {name}={value}");
    }
    let needed = found.time.max(found.worst_time);
    if subject.horizon().is_none_or(|horizon| horizon < needed) {
        call += &format!(" --until {}", needed.max(f64::MIN_POSITIVE));
    }
    call
}
