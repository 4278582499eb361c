//! A record of an exploration: between which bounds each state is, step by step.
//!
//! # What is recorded
//! Each step of a stay, in parts that are short beside the horizon; and each set that lasts no time. A part of a step [a, b] that begins with states whose times are in N lasts, for
//! all of them together, from min N + a to max N + b. Bounds are those of the whole enclosure over the part.
//!
//! # Guarantee
//! At every time until the exploration ends (its outcome says why), or the record is full, every trajectory from the box is within the bounds of a step that has this time. Sums are rounded outwards.

use dyverse_enclose::{StateSet, Tube};
use dyverse_formulas::{Evolution, Obstacle};
use dyverse_num::Interval;

use crate::boxes::UnknownBox;
use crate::explorer::{Explorer, time_of};
use crate::outcome::{Limits, Outcome};
use crate::watch::between;

/// Parts of the horizon: no part of a step is longer.
const FINENESS: f64 = 150.0;
/// Parts of a step at the most.
const MOST_PARTS: f64 = 64.0;

/// Where all trajectories are over a span of time.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedStep {
    /// From, s.
    pub from: f64,
    /// To, s.
    pub to: f64,
    /// The location.
    pub place: String,
    /// The least and the largest value of each state.
    pub bounds: Vec<(f64, f64)>,
}

/// All trajectories from a box of unknowns.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedTube {
    /// The names of the states.
    pub names: Vec<String>,
    /// The steps in the order in which they were explored: one evolution after another.
    pub steps: Vec<RecordedStep>,
    /// Whether there were more steps.
    pub is_cut: bool,
    /// What the exploration says.
    pub outcome: Outcome,
}

/// Steps, until they are too many.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) steps: Vec<RecordedStep>,
    pub(crate) is_cut: bool,
    most: usize,
    finest: f64,
}

impl Record {
    pub(crate) fn new(most: usize, horizon: f64) -> Self {
        Record {
            steps: Vec::new(),
            is_cut: false,
            most,
            finest: horizon / FINENESS,
        }
    }

    /// A set that lasts no time.
    pub(crate) fn instant(&mut self, place: &dyn std::fmt::Display, set: &StateSet) {
        let mut bounds = set.hull();
        bounds.pop();
        self.add(place, time_of(set), &bounds);
    }

    /// A step from a set on, up to a time after its beginning.
    pub(crate) fn step(&mut self, place: &dyn std::fmt::Display, set: &StateSet, tube: &Tube, until: f64) {
        let now = time_of(set);
        let parts = (until / self.finest).ceil().clamp(1.0, MOST_PARTS);
        let states = set.dimension().saturating_sub(1);
        for part in 0..parts as usize {
            let at = |number: usize| until * (number as f64 / parts);
            let times = between(at(part), at(part + 1));
            let bounds: Vec<Interval> = (0..states).map(|i| tube.state(i).range_on(times)).collect();
            self.add(place, now + times, &bounds);
        }
    }

    fn add(&mut self, place: &dyn std::fmt::Display, times: Interval, bounds: &[Interval]) {
        let is_bounded = times.is_bounded() && bounds.iter().all(|b| b.is_bounded() && !b.is_empty());
        self.is_cut |= self.steps.len() >= self.most || !is_bounded;
        // What comes after a gap would look like all there is.
        if self.is_cut {
            return;
        }
        self.steps.push(RecordedStep {
            from: times.lo(),
            to: times.hi(),
            place: place.to_string(),
            bounds: bounds.iter().map(|b| (b.lo(), b.hi())).collect(),
        });
    }
}

/// Explores a box, and records where its trajectories are, in `most` steps at the most.
///
/// # Errors
/// When the system cannot be made, or the box has not one side for each of its unknowns.
pub fn record<E: Evolution>(
    make: &(dyn Fn() -> Result<E, Obstacle> + Sync),
    horizon: f64,
    limits: Limits,
    unknowns: &UnknownBox,
    most: usize,
) -> Result<RecordedTube, Obstacle> {
    let evolution = make()?;
    let names = evolution.variables().states.clone();
    if evolution.variables().unknowns.len() != unknowns.sides.len() {
        return Err(Obstacle {
            what: "the box has other unknowns than the system".into(),
        });
    }
    let mut explorer = Explorer::new(evolution, horizon, limits);
    explorer.record = Some(Record::new(most, horizon));
    let outcome = explorer.explore(unknowns);
    let Some(record) = explorer.record else {
        unreachable!("bug: the record was lost");
    };
    Ok(RecordedTube {
        names,
        steps: record.steps,
        is_cut: record.is_cut,
        outcome,
    })
}
