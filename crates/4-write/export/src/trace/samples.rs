//! Samples from a table, one after the other: what every reader of tables makes a trace of.

use super::TraceFormatError;
use dyverse_trace::{
    Balance, Microstep, Sample, Signal, Statistics, Stop, StopReason, SuperdenseTime, Tally, Trace,
};
use std::collections::BTreeSet;

/// The most signals of a table, and the most values in it.
const MOST_SIGNALS: usize = 100_000;
const MOST_VALUES: usize = 1 << 28;

/// The samples of a table so far.
pub(super) struct Samples {
    signals: Vec<Signal>,
    samples: Vec<Sample>,
}

impl Samples {
    pub(super) fn new(names: Vec<String>) -> Result<Self, TraceFormatError> {
        if names.len() > MOST_SIGNALS {
            return Err(TraceFormatError::TooLarge {
                what: "signals",
                most: MOST_SIGNALS,
            });
        }
        let mut seen = BTreeSet::new();
        if let Some(name) = names.iter().find(|name| !seen.insert(name.as_str())) {
            return Err(TraceFormatError::SameName { name: name.clone() });
        }
        let signal = |name| Signal {
            name,
            unit: String::new(),
        };
        Ok(Self {
            signals: names.into_iter().map(signal).collect(),
            samples: Vec::new(),
        })
    }

    /// Adds a sample; without a microstep it is the next one of its time. What is wrong with it, if anything is.
    pub(super) fn push(&mut self, t: f64, n: Option<Microstep>, values: Vec<f64>) -> Result<(), String> {
        let last = self.samples.last().map(|sample| sample.time);
        let n = match (n, last) {
            (Some(n), _) => n,
            (None, Some(last)) if last.t() == t => last
                .n()
                .checked_add(1)
                .ok_or("is one of too many microsteps of one time")?,
            (None, _) => 0,
        };
        let time =
            SuperdenseTime::new(t, n).ok_or_else(|| format!("has the time {t}, which is not finite"))?;
        if let Some(last) = last.filter(|last| *last >= time) {
            return Err(format!("has the time {time}, which does not come after {last}"));
        }
        if self.samples.len().saturating_mul(self.signals.len() + 1) >= MOST_VALUES {
            return Err(format!(
                "is beyond the {MOST_VALUES} values that a table may have"
            ));
        }
        self.samples.push(Sample { time, values });
        Ok(())
    }

    pub(super) fn finish(self) -> Result<Trace, TraceFormatError> {
        let time = self.samples.last().ok_or(TraceFormatError::NoSamples)?.time;
        Ok(Trace {
            system: String::new(),
            parameters: Vec::new(),
            seed: 0,
            signals: self.signals,
            samples: self.samples,
            pieces: Vec::new(),
            transitions: Vec::new(),
            dropped: Tally::default(),
            stop: Stop {
                reason: StopReason::HorizonReached,
                time,
            },
            balance: Balance::default(),
            impact_gains: Vec::new(),
            stepping: Vec::new(),
            statistics: Statistics::default(),
        })
    }
}
