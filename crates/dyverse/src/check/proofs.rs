//! Proofs as bytes, and their independent check. The one place that knows both the models and the checker of proofs.

use crate::check::subject::Checkable;
use dyverse_proof::Proof;
use std::fmt;
use std::io;

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

/// Writes a proof.
///
/// # Errors
/// Where `out` refuses the bytes.
pub fn write_proof(_proof: &Proof, _out: &mut dyn io::Write) -> io::Result<()> {
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        "proofs cannot be written yet",
    ))
}

/// Checks a proof about a model, with other code than that which found it.
///
/// # Errors
/// [`NotAccepted`].
pub fn verify_proof(_subject: Checkable<'_>, _bytes: &[u8]) -> Result<Proof, NotAccepted> {
    Err(NotAccepted::NotOfThisModel("proofs cannot be checked yet".into()))
}
