//! Proofs as bytes, and their independent check. The one place that knows both the models and the checker of proofs.

use crate::check::subject::{Checkable, actors, bodies};
use dyverse_equations::Requirement;
use dyverse_proof::{Accepted, Proof, Question, Why, read_proof, verify_parallel};
use std::fmt;

/// Why a proof is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotAccepted {
    /// The bytes are no proof, or one of another model.
    NotOfThisModel(String),
    /// It proves nothing, because of this.
    Rejected(String),
}

impl fmt::Display for NotAccepted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotAccepted::NotOfThisModel(why) | NotAccepted::Rejected(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for NotAccepted {}

pub use dyverse_proof::write_proof;

/// A proof that was accepted, and what its check took.
#[derive(Clone, Debug, PartialEq)]
pub struct AcceptedProof {
    /// The proof.
    pub proof: Proof,
    /// What was followed.
    pub accepted: Accepted,
}

/// Checks a proof about a model, with other code than that which found it. The proof says which property and which ranges it is about; all else is the model's.
///
/// # Errors
/// [`NotAccepted`].
pub fn verify_proof(
    subject: Checkable<'_>,
    bytes: &[u8],
    threads: usize,
) -> Result<AcceptedProof, NotAccepted> {
    let other = |why: String| NotAccepted::NotOfThisModel(why);
    let proof = read_proof(bytes).map_err(|error| other(error.to_string()))?;
    let property = subject
        .property(&proof.property)
        .map_err(|error| other(error.to_string()))?;
    subject
        .check_choices(&proof.choices)
        .map_err(|error| other(error.to_string()))?;
    let requirement = Requirement::new(property, subject.horizon()).map_err(|o| other(o.what))?;
    let question = Question {
        system: subject.name().to_owned(),
        property: proof.property.clone(),
        horizon: requirement.horizon(),
        choices: proof.choices.clone(),
    };
    let choices = &question.choices;
    let judged = match subject {
        Checkable::Bodies(model) => {
            let make = || bodies(model, choices, &requirement);
            verify_parallel(&proof, &question, &make, threads)
        }
        Checkable::Actors(model) => {
            let make = || actors(model, choices, &requirement);
            verify_parallel(&proof, &question, &make, threads)
        }
    };
    match judged {
        Ok(accepted) => Ok(AcceptedProof { proof, accepted }),
        Err(rejected) => Err(match rejected.why {
            Why::OtherQuestion { .. } => other(rejected.to_string()),
            _ => NotAccepted::Rejected(rejected.to_string()),
        }),
    }
}
