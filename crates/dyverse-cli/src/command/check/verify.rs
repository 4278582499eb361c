//! Proofs to and from files.

use crate::CommandResult;
use crate::arguments::Format;
use crate::files::write_output;
use crate::outcome::{Failure, Outcome};
use dyverse::check::{Checkable, NotAccepted, verify_proof, write_proof};
use dyverse::proof::Proof;
use serde_json::json;
use std::fmt::Write;
use std::path::Path;

/// Writes a proof; the file appears whole or not at all.
pub(super) fn write(path: &Path, proof: &Proof) -> Result<(), Failure> {
    write_output(Some(path), |out| write_proof(proof, out))
}

/// Checks a proof against the model.
pub(super) fn run(subject: Checkable<'_>, path: &Path, format: Format) -> CommandResult {
    let bytes = std::fs::read(path)
        .map_err(|error| Failure::call(format!("cannot read {}: {error}", path.display())))?;
    let (outcome, text, value) = match verify_proof(subject, &bytes) {
        Ok(proof) => {
            let value = json!({
                "proof": "accepted",
                "verdict": "SAFE",
                "property": proof.property,
                "boxes": proof.boxes.len(),
            });
            (Outcome::Done, accepted(&proof), value)
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

fn accepted(proof: &Proof) -> String {
    let mut text = format!("{}: SAFE, the proof is accepted\n", proof.property);
    let _ = writeln!(text, "  proved for   {}", super::text::ranges(&proof.unknowns));
    let _ = writeln!(
        text,
        "  evidence     {}",
        super::text::count(proof.boxes.len(), "box", "boxes")
    );
    text
}
