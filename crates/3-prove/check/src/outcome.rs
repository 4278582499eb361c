//! What is known of a box of unknowns, and why not more.

use crate::interrupt::Interrupt;
use std::collections::BTreeMap;

use dyverse_enclose::FlowSettings;
use dyverse_proof::Stay;
use dyverse_smt::Statistics;

/// What is known of a box.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// No trajectory violates the property; the tree of all discrete evolutions, as a proof has it.
    Safe(Vec<Stay>),
    /// Every trajectory violates it.
    Unsafe {
        /// A time of the violation, as an interval over the box, s.
        time: (f64, f64),
        /// Where.
        place: String,
    },
    /// Neither is proved.
    Undecided(Reason),
}

/// Why a box is undecided.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// The property holds for some of the enclosure only.
    Property {
        /// From about this time on, s.
        time: f64,
    },
    /// Events cannot be told apart, or one may or may not happen (grazing).
    Event {
        /// Which.
        label: String,
        /// At about this time, s.
        time: f64,
    },
    /// An enclosure was lost.
    Enclosure {
        /// Why.
        what: String,
        /// At about this time, s.
        time: f64,
    },
    /// Something has no formulas.
    Obstacle(String),
    /// A limit was reached.
    Limit(String),
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reason::Property { time } => write!(f, "the property may or may not hold at about {time:.6} s"),
            Reason::Event { label, time } => {
                write!(
                    f,
                    "{label} may or may not happen, or not alone, at about {time:.6} s"
                )
            }
            Reason::Enclosure { what, time } => write!(f, "enclosure lost at about {time:.6} s: {what}"),
            Reason::Obstacle(what) | Reason::Limit(what) => f.write_str(what),
        }
    }
}

/// Figures of an exploration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// Steps of the flow.
    pub steps: usize,
    /// Crossings.
    pub crossings: usize,
    /// Ways gone at nodes.
    pub jumps: usize,
    /// Discrete evolutions followed to their end.
    pub evolutions: usize,
    /// Questions to the lazy SMT solver.
    pub questions: Questions,
}

/// Figures of the lazy SMT solver [002; 000's figures 11 to 13].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Questions {
    /// Calls of *Satisfy*.
    pub calls: u64,
    /// Questions to the SAT solver.
    pub sat_calls: u64,
    /// Questions to the theory.
    pub theory_calls: u64,
    /// Iterations of *Satisfy*.
    pub iterations: u64,
    /// Conflict clauses learnt, by length.
    pub conflicts_by_length: BTreeMap<usize, u64>,
    /// The same against simulated time: equal parts of the time up to the horizon.
    pub by_time: Vec<TimeBin>,
}

/// Figures of the solver in a part of the simulated time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimeBin {
    /// Calls of *Satisfy*.
    pub calls: u64,
    /// Iterations.
    pub iterations: u64,
    /// Conflict clauses learnt.
    pub learnt: u64,
    /// Clauses of the formulas by length: the most of any call.
    pub clauses_by_length: BTreeMap<usize, u64>,
}

/// Parts of the simulated time.
const BINS: usize = 20;

impl Questions {
    /// Adds those of one solver.
    pub(crate) fn add(&mut self, statistics: &Statistics, horizon: f64) {
        self.sat_calls += statistics.sat_calls;
        self.theory_calls += statistics.theory_calls;
        self.iterations += statistics.iterations;
        add_counts(
            &mut self.conflicts_by_length,
            &statistics.conflicts_by_length,
            |a, b| a + b,
        );
        self.by_time.resize(BINS, TimeBin::default());
        for record in &statistics.calls {
            self.calls += record.calls;
            let Some((time, _)) = record.time else {
                continue;
            };
            let share = (time / horizon * BINS as f64).clamp(0.0, (BINS - 1) as f64);
            let bin = &mut self.by_time[share as usize];
            bin.calls += record.calls;
            bin.iterations += record.iterations;
            bin.learnt += record.learnt;
            add_counts(&mut bin.clauses_by_length, &record.clauses_by_length, u64::max);
        }
    }

    fn join(&mut self, other: &Questions) {
        self.calls += other.calls;
        self.sat_calls += other.sat_calls;
        self.theory_calls += other.theory_calls;
        self.iterations += other.iterations;
        add_counts(
            &mut self.conflicts_by_length,
            &other.conflicts_by_length,
            |a, b| a + b,
        );
        if self.by_time.len() < other.by_time.len() {
            self.by_time.resize(other.by_time.len(), TimeBin::default());
        }
        for (own, bin) in self.by_time.iter_mut().zip(&other.by_time) {
            own.calls += bin.calls;
            own.iterations += bin.iterations;
            own.learnt += bin.learnt;
            add_counts(&mut own.clauses_by_length, &bin.clauses_by_length, u64::max);
        }
    }
}

fn add_counts(own: &mut BTreeMap<usize, u64>, other: &BTreeMap<usize, u64>, join: impl Fn(u64, u64) -> u64) {
    for (length, count) in other {
        let entry = own.entry(*length).or_default();
        *entry = join(*entry, *count);
    }
}

impl Figures {
    /// Adds those of another exploration.
    pub fn add(&mut self, other: &Figures) {
        self.steps += other.steps;
        self.crossings += other.crossings;
        self.jumps += other.jumps;
        self.evolutions += other.evolutions;
        self.questions.join(&other.questions);
    }
}

/// Limits of an exploration.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// Steps of the flow for one box.
    pub steps: usize,
    /// Transitions along one evolution.
    pub depth: usize,
    /// Of the flow.
    pub flow: FlowSettings,
    /// Ends it, wherever it is.
    pub interrupt: Option<Interrupt>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            steps: 4000,
            depth: 400,
            flow: FlowSettings::default(),
            interrupt: None,
        }
    }
}
