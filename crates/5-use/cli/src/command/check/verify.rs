//! Proofs to and from files.
//!
//! What is asked is the model's question: every property that is named, or all of them, for all values of all ranges, as changed by `--set` and `--inputs`. A proof answers for its
//! property; those without an accepted proof are UNKNOWN. `--timeout` and signals end the judging: what is not judged by then is UNKNOWN too, and no proof is called rejected for it.

use super::call::{choices, input_choice, threads, timeout};
use super::json::{assumed, ranges as ranges_value, windows as windows_value};
use super::text::{plain, ranges, windows};
use crate::CommandResult;
use crate::arguments::{Check, Format};
use crate::command::progress::ProgressLine;
use crate::outcome::{Failure, Outcome};
use crate::output::write_output;
use crate::signals::{self, InWork};
use dyverse::check::{
    AcceptedProof, Checkable, NotAccepted, ProofQuestion, count, verify_proof, write_proof,
};
use dyverse::proof::Proof;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;

/// Writes a proof; the file appears whole or not at all.
pub(super) fn write(path: &Path, proof: &Proof) -> Result<(), Failure> {
    write_output(Some(path), |out| write_proof(proof, out))
}

/// Checks proofs against the model. Without `--timeout` there is no limit: a proof is as long as it is.
pub(super) fn run(
    subject: Checkable<'_>,
    names: &[String],
    options: &Check,
    line: &ProgressLine,
) -> CommandResult {
    let limit = match options.timeout {
        None => f64::INFINITY,
        Some(_) => timeout(options)?,
    };
    let asked = ProofQuestion {
        properties: names.to_vec(),
        choices: choices(subject, &options.set)?,
        inputs: input_choice(options),
        interrupt: Some(line.after(limit)),
    };
    let threads = threads(options)?;
    let (mut text, mut values) = (String::new(), Vec::new());
    let mut open: Vec<&String> = names.iter().collect();
    let in_work = InWork::begin();
    for path in &options.verify_proof {
        let bytes = std::fs::read(path)
            .map_err(|error| Failure::call(format!("cannot read {}: {error}", path.display())))?;
        match verify_proof(subject, &asked, &bytes, threads) {
            Ok(found) => {
                open.retain(|name| **name != found.proof.property);
                text += &accepted(&found);
                values.push(accepted_value(&found));
            }
            Err(NotAccepted::NotOfThisModel(why)) => {
                return Err(Failure::call(format!("{}: {why}", path.display())));
            }
            Err(NotAccepted::Rejected(why)) => {
                let _ = writeln!(text, "proof rejected: {why}");
                if why.starts_with("the question: ") || why.starts_with("it is a proof of ") {
                    let _ = writeln!(text, "  {:<12} {}", "asked", question(&asked));
                }
                values.push(json!({
                    "proof": "rejected",
                    "verdict": "UNKNOWN",
                    "reason": why,
                    "choices": ranges_value(&asked.choices),
                }));
            }
            Err(NotAccepted::NotJudged(why)) => {
                let _ = writeln!(text, "proof not judged: {why}");
                values.push(json!({
                    "proof": "not_judged",
                    "verdict": "UNKNOWN",
                    "reason": why,
                    "choices": ranges_value(&asked.choices),
                }));
            }
        }
    }
    drop(in_work);
    let is_ended = values.iter().any(|value: &Value| value["proof"] == "not_judged");
    let is_short =
        options.verify_proof.len() == 1 && values.first().is_some_and(|v| v["proof"] != "accepted");
    for name in open.iter().filter(|_| !is_short) {
        let _ = writeln!(text, "{name}: UNKNOWN, no proof of it is accepted");
        values.push(json!({ "proof": Value::Null, "verdict": "UNKNOWN", "property": name }));
    }
    if !open.is_empty() && !is_short {
        let only: Vec<&String> = names.iter().filter(|name| !open.contains(name)).collect();
        if let [one] = only.as_slice() {
            let _ = writeln!(text, "  {:<12} --property {one} asks about it only", "try");
        }
    }
    let outcome = if open.is_empty() {
        Outcome::Done
    } else {
        Outcome::Unknown
    };
    let printed = match options.format {
        Format::Text => text,
        Format::Json => format!(
            "{}\n",
            serde_json::to_string_pretty(&document(values)).unwrap_or_default()
        ),
    };
    write_output(None, |out| out.write_all(printed.as_bytes()))?;
    let by_signal = signals::outcome().filter(|_| is_ended);
    Ok(by_signal.unwrap_or(outcome))
}

/// One object; the worst of several, with all of them in a list.
fn document(mut values: Vec<Value>) -> Value {
    if values.len() == 1 {
        return values.remove(0);
    }
    let is_open = |value: &&Value| value["verdict"] != "SAFE";
    let mut worst = values
        .iter()
        .find(is_open)
        .or(values.first())
        .cloned()
        .unwrap_or_default();
    worst["properties"] = Value::Array(values);
    worst
}

/// What was asked besides what the model says.
fn question(asked: &ProofQuestion) -> String {
    let choices = if asked.choices.is_empty() {
        "all ranges of the model".to_owned()
    } else {
        format!("the ranges of the model with {}", ranges(&asked.choices))
    };
    format!("{}, for {choices}", asked.properties.join(", "))
}

fn accepted_value(found: &AcceptedProof) -> Value {
    let proof = &found.proof;
    json!({
        "proof": "accepted",
        "verdict": "SAFE",
        "property": proof.property,
        "unknowns": ranges_value(&proof.unknowns),
        "choices": ranges_value(&proof.choices),
        "windows": windows_value(&found.windows),
        "horizon": proof.horizon,
        "inputs": assumed(&found.inputs),
        "boxes": found.accepted.boxes,
        "stays": found.accepted.stays,
        "steps": found.accepted.steps,
    })
}

fn accepted(found: &AcceptedProof) -> String {
    let AcceptedProof { proof, accepted, .. } = found;
    let mut text = format!("{}: SAFE, the proof is accepted\n", proof.property);
    let mut line = |head: &str, rest: String| {
        let _ = writeln!(text, "  {head:<12} {rest}");
    };
    line("proved for", ranges(&proof.unknowns));
    if !proof.choices.is_empty() {
        line("with", format!("--set: {}", ranges(&proof.choices)));
    }
    if let Some(inputs) = found.inputs.sentence() {
        line("inputs", inputs);
    }
    line("window", windows(&found.windows));
    line("until", format!("t = {} s", plain(proof.horizon)));
    let (boxes, stays) = (
        count(accepted.boxes, "box", "boxes"),
        count(accepted.stays, "stay", "stays"),
    );
    line(
        "followed",
        format!("{boxes}, {stays}, {}", count(accepted.steps, "step", "steps")),
    );
    text
}
