//! Does a property hold for all unknowns? UNSAFE with a counterexample, SAFE with a proof, or UNKNOWN with what is left.
//!
//! **In:** a model of either kind ([`Checkable`]), the name of a property, [`CheckOptions`]. **Out:** a [`Finding`]; or a [`Partition`] of the ranges of one or two
//! parameters.
//!
//! # Method
//! 1. A quick search by simulation (`dyverse_falsify`). A counterexample is certified: the one trajectory from its values is enclosed with validated
//!    arithmetic, and must break the property.
//! 2. Else bisection of the box of unknowns, each box enclosed (`dyverse_check`). A box that is proved unsafe gives a witness, replayed and certified as above.
//! 3. If nothing is decided, a longer search.
//!
//! # Guarantee
//! SAFE: every box is proved, and no simulation says otherwise. UNSAFE: the witness was simulated, and is enclosed as well, or, where it cannot be, breaks the
//! property by far more than errors of the run, with other accuracies and beside it too ([`Certainty`] says which). Everything else is UNKNOWN. Where proof and
//! simulation disagree, that is what is said. The same call gives the same finding whatever the number of threads, unless it is stopped.

mod case;
mod decide;
mod firm;
mod inputs;
mod left;
mod partition;
mod proofs;
mod subject;
mod tubes;
mod words;

pub use decide::{check, unfinished};
pub use inputs::{AssumedInputs, InputChoice};
pub use left::{Group, Left, LeftBox};
pub use partition::{Cell, CellOutcome, Partition, PartitionOptions, partition, unfinished_partition};
pub use proofs::{AcceptedProof, NotAccepted, ProofQuestion, verify_proof, write_proof};
pub use subject::Checkable;
pub use tubes::{CheckTube, TubeBox, TubeOptions, Tubes, tubes};
pub use words::{count, percent};

use dyverse_check::{Figures, Limits};
pub use dyverse_check::{Interrupt, Questions, RecordedStep};
pub use dyverse_falsify::{InputRange, Steps};
use dyverse_proof::Proof;
use std::fmt;
use std::ops::ControlFlow;

/// What is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckOptions {
    /// Parameters and initial values (`ball.x`) with other ranges than the model's, or values where both ends are equal.
    pub choices: Vec<(String, f64, f64)>,
    /// What inputs with a range are taken for.
    pub inputs: InputChoice,
    /// Of the search.
    pub seed: u64,
    /// Simulations at the most.
    pub budget: usize,
    /// Threads.
    pub threads: usize,
    /// Boxes at the most.
    pub boxes: usize,
    /// Boxes below this share of the whole range are not halved any more.
    pub smallest: f64,
    /// Whether the proof is checked box by box, and boxes that the checker rejects are halved and proved again.
    pub firm_proof: bool,
    /// Limits for each box.
    pub limits: Limits,
    /// Ends it, also in the middle of a simulation; what was decided is kept.
    pub interrupt: Option<Interrupt>,
}

impl CheckOptions {
    /// The limits of one box, which end with the check.
    fn limits_of_boxes(&self) -> Limits {
        Limits {
            interrupt: self.interrupt.clone(),
            ..self.limits.clone()
        }
    }
}

impl Default for CheckOptions {
    fn default() -> Self {
        CheckOptions {
            choices: Vec::new(),
            inputs: InputChoice::Any,
            seed: 0,
            budget: 2000,
            threads: 1,
            boxes: 20_000,
            smallest: 1e-4,
            firm_proof: false,
            limits: Limits::default(),
            interrupt: None,
        }
    }
}

/// How far a check is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CheckProgress {
    /// The share of the box of unknowns that is decided.
    pub decided: f64,
    /// Boxes explored.
    pub boxes: usize,
    /// Simulations made.
    pub simulations: usize,
    /// The least robustness met; +∞ at first.
    pub best: f64,
}

/// Is told how far a check is, and may end it.
pub type CheckWatch<'a> = &'a (dyn Fn(CheckProgress) -> ControlFlow<()> + Sync);

/// What was found about a property.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The property.
    pub property: String,
    /// What the answer is about: name, least, largest. Empty if nothing is unknown.
    pub unknowns: Vec<(String, f64, f64)>,
    /// What is assumed of the inputs that the property may depend on.
    pub inputs: AssumedInputs,
    /// The windows in which it must hold, s; empty where it is not of that form.
    pub windows: Vec<(f64, f64)>,
    /// The answer.
    pub verdict: Verdict,
    /// What it took.
    pub statistics: Statistics,
}

/// An answer with its evidence.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It holds for all unknowns.
    Safe(Box<Proof>),
    /// It is broken for these values.
    Unsafe(Box<Counterexample>),
    /// Neither is known.
    Unknown(Box<Left>),
}

impl Verdict {
    /// In one word.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Safe(_) => "SAFE",
            Verdict::Unsafe(_) => "UNSAFE",
            Verdict::Unknown(_) => "UNKNOWN",
        }
    }
}

/// Values of the unknowns that break a property.
#[derive(Clone, Debug, PartialEq)]
pub struct Counterexample {
    /// The unknowns with their values.
    pub values: Vec<Value>,
    /// What drives inputs that may be any signal.
    pub inputs: Vec<Steps>,
    /// When what the property asks first fails, s (of an `eventually`: the end of its window).
    pub time: f64,
    /// When it fails most, s.
    pub worst_time: f64,
    /// The robustness: below zero, by how much it is broken, in the unit of what is compared.
    pub robustness: f64,
    /// How sure that is.
    pub certainty: Certainty,
}

/// An unknown with a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// Its name.
    pub name: String,
    /// The value.
    pub value: f64,
    /// Whether it is an initial value, and no parameter.
    pub is_initial: bool,
}

/// How sure a counterexample is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// Simulated, and its trajectory enclosed with validated arithmetic.
    Enclosed,
    /// Simulated with several accuracies, and beside it; not enclosed, because of this.
    Replayed(String),
}

/// What a check took.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Simulations.
    pub simulations: usize,
    /// Those of them that showed nothing.
    pub failed_simulations: usize,
    /// Why the first of them did not.
    pub first_failure: Option<String>,
    /// The least robustness met, and where.
    pub best: Option<(f64, Vec<(String, f64)>)>,
    /// Boxes of a proof that is to be kept which its check did not accept, or did not come to.
    pub unconfirmed: usize,
    /// Boxes explored.
    pub boxes: usize,
    /// Of their exploration.
    pub figures: Figures,
}

/// Why a check cannot begin.
#[derive(Clone, Debug, PartialEq)]
pub enum CheckError {
    /// The model has no such property.
    NoProperty(String),
    /// The property looks on for ever, and the model has no horizon.
    NoHorizon(String),
    /// Neither a parameter nor an initial value, or one that cannot be chosen.
    NoUnknown(String),
    /// To be partitioned, but not unknown.
    NotOpen(String),
    /// A range that is none.
    BadRange(String, f64, f64),
    /// A width that is none.
    BadWidth(f64),
    /// The property cannot be proved, or the model has no formulas.
    NotProvable(String),
    /// One or two names can be partitioned.
    Names(usize),
    /// No run of the model can begin.
    Run(String),
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckError::NoProperty(name) => write!(f, "the model has no property `{name}`"),
            CheckError::NoHorizon(name) => {
                write!(f, "the property `{name}` does not say how long it must hold")
            }
            CheckError::NoUnknown(name) => {
                write!(f, "the model has no parameter or initial value `{name}`")
            }
            CheckError::NotOpen(name) => {
                write!(f, "`{name}` has one value, so there is nothing to partition")
            }
            CheckError::BadRange(name, low, high) => write!(f, "`{name}` cannot be in [{low}, {high}]"),
            CheckError::BadWidth(width) => write!(f, "a width must be a number above 0, not {width}"),
            CheckError::NotProvable(why) => write!(f, "nothing can be proved about it: {why}"),
            CheckError::Names(count) => write!(f, "one or two names can be partitioned, not {count}"),
            CheckError::Run(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for CheckError {}
