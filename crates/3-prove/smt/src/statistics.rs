//! Figures of the solver: what papers 002's figures 11 to 13 draw against simulated time.
//!
//! Every call of *Satisfy* leaves a record. When there are too many, neighbours are merged in pairs, so memory is
//! bounded and the whole run stays covered, ever more coarsely.

use std::collections::BTreeMap;

/// How calls ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdicts {
    /// Calls that found a witness.
    pub satisfied: u64,
    /// Calls that proved that there is none.
    pub unsatisfiable: u64,
    /// Calls that did neither.
    pub unknown: u64,
}

impl Verdicts {
    fn add(&mut self, other: Self) {
        self.satisfied += other.satisfied;
        self.unsatisfiable += other.unsatisfiable;
        self.unknown += other.unknown;
    }
}

/// One call, or neighbouring calls merged.
#[derive(Clone, Debug, PartialEq)]
pub struct CallRecord {
    /// How many calls this is.
    pub calls: u64,
    /// Simulated time of the first and of the last of them that has one.
    pub time: Option<(f64, f64)>,
    /// Iterations of Algorithm 5, all calls together.
    pub iterations: u64,
    /// Iterations of the longest call.
    pub most_iterations: u64,
    /// How many clauses of each length the formula had, without learnt ones; of merged calls, the most.
    pub clauses_by_length: BTreeMap<usize, u64>,
    /// Conflict clauses learnt.
    pub learnt: u64,
    /// How they ended.
    pub outcome: Verdicts,
}

impl CallRecord {
    fn merge(&mut self, later: CallRecord) {
        self.calls += later.calls;
        self.time = match (self.time, later.time) {
            (Some((first, _)), Some((_, last))) => Some((first, last)),
            (first, last) => first.or(last),
        };
        self.iterations += later.iterations;
        self.most_iterations = self.most_iterations.max(later.most_iterations);
        for (length, count) in later.clauses_by_length {
            let most = self.clauses_by_length.entry(length).or_default();
            *most = count.max(*most);
        }
        self.learnt += later.learnt;
        self.outcome.add(later.outcome);
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
    /// Conflict clauses learnt.
    pub conflicts: u64,
    /// Conflict clauses by length.
    pub conflicts_by_length: BTreeMap<usize, u64>,
    /// Clauses of the formula at present, by length.
    pub clauses_by_length: BTreeMap<usize, u64>,
    /// Different atoms seen: Boolean variables and constraints.
    pub atoms: u64,
    /// Variables of the SAT solver, those that open and close scopes included.
    pub variables: u64,
    /// The calls in order.
    pub calls: Vec<CallRecord>,
}

impl Statistics {
    pub(crate) fn count_clause(&mut self, length: usize) {
        *self.clauses_by_length.entry(length).or_default() += 1;
    }
    pub(crate) fn withdraw_clause(&mut self, length: usize) {
        if let Some(count) = self.clauses_by_length.get_mut(&length) {
            *count -= 1;
            if *count == 0 {
                self.clauses_by_length.remove(&length);
            }
        }
    }
    pub(crate) fn count_conflict(&mut self, length: usize) {
        self.conflicts += 1;
        *self.conflicts_by_length.entry(length).or_default() += 1;
    }

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
