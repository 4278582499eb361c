//! Figures of the solver: what papers 002's figures 11 to 13 draw against simulated time.
//!
//! Every call of *Satisfy* leaves a record. When there are too many, neighbours are merged in pairs, so memory is
//! bounded and the whole run stays covered, ever more coarsely.

use std::collections::BTreeMap;

/// One call, or neighbouring calls merged.
#[derive(Clone, Debug, PartialEq)]
pub struct CallRecord {
    /// How many calls this is.
    pub calls: u64,
    /// Simulated time of the first and of the last of them that has one.
    pub time: Option<(f64, f64)>,
    /// Iterations of Algorithm 5, all calls together.
    pub iterations: u64,
    /// How many clauses of each length the formula had, without learnt ones; of merged calls, the most.
    pub clauses_by_length: BTreeMap<usize, u64>,
    /// Conflict clauses learnt.
    pub learnt: u64,
}

impl CallRecord {
    fn merge(&mut self, later: CallRecord) {
        self.calls += later.calls;
        self.time = match (self.time, later.time) {
            (Some((first, _)), Some((_, last))) => Some((first, last)),
            (first, last) => first.or(last),
        };
        self.iterations += later.iterations;
        for (length, count) in later.clauses_by_length {
            let most = self.clauses_by_length.entry(length).or_default();
            *most = count.max(*most);
        }
        self.learnt += later.learnt;
    }
}

/// Figures of a solver since it was made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Questions to the SAT solver.
    pub sat_calls: u64,
    /// Questions to the theory whether an assignment is feasible.
    pub theory_calls: u64,
    /// Iterations of Algorithm 5.
    pub iterations: u64,
    /// Conflict clauses by length.
    pub conflicts_by_length: BTreeMap<usize, u64>,
    /// The calls in order.
    pub calls: Vec<CallRecord>,
}

impl Statistics {
    /// Keeps at most `most` records (at least two).
    pub(crate) fn record(&mut self, record: CallRecord, most: usize) {
        self.iterations += record.iterations;
        self.calls.push(record);
        if self.calls.len() > most.max(2) {
            let mut merged: Vec<CallRecord> = Vec::with_capacity(most);
            for (place, record) in std::mem::take(&mut self.calls).into_iter().enumerate() {
                match merged.last_mut() {
                    Some(last) if place % 2 == 1 => last.merge(record),
                    _ => merged.push(record),
                }
            }
            self.calls = merged;
        }
    }
}
