//! Proofs to and from files.

use super::text::{plain, ranges};
use crate::CommandResult;
use crate::arguments::Format;
use crate::files::write_output;
use crate::outcome::{Failure, Outcome};
use dyverse::check::{AcceptedProof, Checkable, NotAccepted, count, verify_proof, write_proof};
use dyverse::proof::Proof;
use serde_json::json;
use std::fmt::Write;
use std::path::Path;

/// Writes a proof; the file appears whole or not at all.
pub(super) fn write(path: &Path, proof: &Proof) -> Result<(), Failure> {
    write_output(Some(path), |out| write_proof(proof, out))
}

/// Checks a proof against the model.
pub(super) fn run(subject: Checkable<'_>, path: &Path, threads: usize, format: Format) -> CommandResult {
    let bytes = std::fs::read(path)
        .map_err(|error| Failure::call(format!("cannot read {}: {error}", path.display())))?;
    let (outcome, text, value) = match verify_proof(subject, &bytes, threads) {
        Ok(found) => {
            let proof = &found.proof;
            let value = json!({
                "proof": "accepted",
                "verdict": "SAFE",
                "property": proof.property,
                "unknowns": super::json::ranges(&proof.unknowns),
                "boxes": found.accepted.boxes,
                "stays": found.accepted.stays,
                "steps": found.accepted.steps,
            });
            (Outcome::Done, accepted(&found), value)
        }
        Err(NotAccepted::NotOfThisModel(why)) => {
            return Err(Failure::call(format!("{}: {why}", path.display())));
        }
        Err(NotAccepted::Rejected(why)) => {
            let value = json!({ "proof": "rejected", "verdict": "UNKNOWN", "reason": why });
            (Outcome::Unknown, format!("proof rejected: {why}\n"), value)
        }
    };
    let printed = match format {
        Format::Text => text,
        Format::Json => format!("{}\n", serde_json::to_string_pretty(&value).unwrap_or_default()),
    };
    write_output(None, |out| out.write_all(printed.as_bytes()))?;
    Ok(outcome)
}

fn accepted(found: &AcceptedProof) -> String {
    let AcceptedProof { proof, accepted } = found;
    let mut text = format!("{}: SAFE, the proof is accepted\n", proof.property);
    let mut line = |head: &str, rest: String| {
        let _ = writeln!(text, "  {head:<12} {rest}");
    };
    line("proved for", ranges(&proof.unknowns));
    if !proof.choices.is_empty() {
        line("with", ranges(&proof.choices));
    }
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
