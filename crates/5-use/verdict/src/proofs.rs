//! Proofs as bytes, and their independent check. The one place that knows both the models and the checker of proofs.

use crate::subject::{Checkable, actors, bodies};
use crate::{AssumedInputs, InputChoice, Interrupt};
use dyverse_formulas::Requirement;
use dyverse_proof::{Accepted, Proof, Question, Why, read_proof, verify_parallel};
use std::fmt;

/// Why a proof is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotAccepted {
    /// The bytes are no proof, or one of another model.
    NotOfThisModel(String),
    /// It proves nothing, because of this.
    Rejected(String),
    /// Its time was over, or somebody ended it, before it was judged.
    NotJudged(String),
}

impl fmt::Display for NotAccepted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotAccepted::NotOfThisModel(why) | NotAccepted::Rejected(why) | NotAccepted::NotJudged(why) => {
                f.write_str(why)
            }
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
    /// The windows in which the property must hold, s.
    pub windows: Vec<(f64, f64)>,
    /// What is assumed of the inputs that the property may depend on.
    pub inputs: AssumedInputs,
    /// What was followed.
    pub accepted: Accepted,
}

/// What a proof is to be a proof of. The model says all else: ranges, windows, inputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProofQuestion {
    /// Properties that it may be about; empty: any of the model's.
    pub properties: Vec<String>,
    /// Parameters and initial values with other ranges or values than the model's.
    pub choices: Vec<(String, f64, f64)>,
    /// What inputs with a range are taken for.
    pub inputs: InputChoice,
    /// Ends it: what was not judged by then is not accepted.
    pub interrupt: Option<Interrupt>,
}

/// Checks a proof about a model, with other code than that which found it. The question is the caller's: a proof of another one, or of less, is not accepted.
///
/// # Errors
/// [`NotAccepted`].
pub fn verify_proof(
    subject: Checkable<'_>,
    asked: &ProofQuestion,
    bytes: &[u8],
    threads: usize,
) -> Result<AcceptedProof, NotAccepted> {
    let other = |why: String| NotAccepted::NotOfThisModel(why);
    let proof = read_proof(bytes).map_err(|error| other(error.to_string()))?;
    if proof.system != subject.name() {
        return Err(other(format!(
            "it is a proof about `{}`, and the model is `{}`",
            proof.system,
            subject.name()
        )));
    }
    let property = subject
        .property(&proof.property)
        .map_err(|error| other(error.to_string()))?;
    if !asked.properties.is_empty() && !asked.properties.contains(&proof.property) {
        return Err(NotAccepted::Rejected(format!(
            "it is a proof of `{}`, and {} was asked for",
            proof.property,
            asked.properties.join(", ")
        )));
    }
    subject
        .check_choices(&asked.choices)
        .map_err(|error| other(error.to_string()))?;
    let requirement = Requirement::new(property, subject.horizon()).map_err(|o| other(o.what))?;
    let inputs = subject.assumed_inputs(&proof.property, asked.inputs);
    if let Some(obstacle) = inputs.obstacle() {
        return Err(NotAccepted::Rejected(obstacle));
    }
    let question = Question {
        system: subject.name().to_owned(),
        property: proof.property.clone(),
        horizon: requirement.horizon(),
        choices: asked.choices.clone(),
        inputs: inputs.by_choice.clone(),
    };
    let choices = &question.choices;
    let ends = || asked.interrupt.as_ref().is_some_and(Interrupt::is_set);
    let judged = match subject {
        Checkable::Bodies(model) => {
            let make = || bodies(model, choices, &requirement);
            verify_parallel(&proof, &question, &make, threads, Some(&ends))
        }
        Checkable::Actors(model) => {
            let make = || actors(model, choices, &requirement);
            verify_parallel(&proof, &question, &make, threads, Some(&ends))
        }
    };
    match judged {
        Ok(accepted) => Ok(AcceptedProof {
            proof,
            windows: requirement.windows(),
            inputs,
            accepted,
        }),
        Err(rejected) if rejected.why == Why::TimeOver => Err(NotAccepted::NotJudged(rejected.to_string())),
        Err(rejected) => Err(NotAccepted::Rejected(rejected.to_string())),
    }
}
