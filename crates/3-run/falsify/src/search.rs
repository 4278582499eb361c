//! The search for a counterexample: the unknowns for which the robustness of a property is least.
//!
//! # Method
//! 1. The centre and the corners of the box (of more than six unknowns: the centres of its sides).
//! 2. A quarter of the budget on Halton's sequence, shifted by the seed.
//! 3. From the best three points so far a pattern search [Torczon 1997]: a step along each axis and back, doubled after success and halved else, down to 1e-9 of the box; and a step
//!    to where a straight line through the last two points says that the robustness is 0.
//! 4. CMA-ES (cmaes.rs) from the best point, then from random points with more and more points a generation, until the budget is used.
//!
//! Robustness that is a nonsmooth, noisy or discontinuous function of the unknowns is what this order is for: robustness-guided falsification [Annpureddy, Liu, Fainekos, Sankaranarayanan 2011; Donzé 2010].
//!
//! # Guarantee
//! A witness was simulated twice, and breaks the property by more than the run's errors both times. Nothing found means nothing: there is no answer "safe". The outcome depends on the seed and the budget, and
//! not on the number of threads: points come in batches that do not depend on it, and are looked at in order.

use crate::cmaes::Cmaes;
use crate::experiment::{Experiment, Failure, Measured};
use crate::random::{Random, halton};
use crate::robustness::Robustness;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Points of Halton's sequence in a batch.
const BATCH: usize = 16;
/// Unknowns up to which all corners are tried.
const MOST_WITH_CORNERS: usize = 6;
/// Starts of the pattern search.
const DESCENTS: usize = 3;
/// The pattern search's last step.
const LAST_STEP: f64 = 1e-9;

/// What a search is asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchOptions {
    /// For everything random.
    pub seed: u64,
    /// Simulations at the most. One is kept for the witness, which is simulated again.
    pub budget: usize,
    /// Simulations at a time.
    pub threads: usize,
    /// Whether the first counterexample is enough; else the worst one is sought until the budget is used.
    pub stop_at_first: bool,
}

impl Default for SearchOptions {
    fn default() -> Self {
        SearchOptions {
            seed: 0,
            budget: 1000,
            threads: 1,
            stop_at_first: true,
        }
    }
}

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchProgress {
    /// Simulations so far.
    pub simulations: usize,
    /// At the most.
    pub budget: usize,
    /// The least robustness so far; +∞ at first.
    pub best: f64,
    /// Simulations that showed nothing.
    pub failures: usize,
}

/// Values of the unknowns, and what they did.
#[derive(Clone, Debug, PartialEq)]
pub struct Witness {
    /// The unknowns with their values.
    pub values: Vec<(String, f64)>,
    /// How the property fared: below zero, with the first and the worst moment.
    pub robustness: Robustness,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchEnd {
    /// A counterexample was found, and one was enough.
    Found,
    /// The budget is used.
    BudgetUsed,
    /// There is nothing to choose: the one run there is was made.
    NothingUnknown,
    /// Whoever watched ended it.
    Cancelled,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchOutcome {
    /// The least robustness met, whether below zero or not; `None` if every simulation failed.
    pub best: Option<Witness>,
    /// A counterexample. `None` says nothing about there being none.
    pub found: Option<Witness>,
    /// Simulations made, replays and failures among them.
    pub simulations: usize,
    /// Simulations that showed nothing.
    pub failures: usize,
    /// The first of them.
    pub first_failure: Option<(Vec<(String, f64)>, Failure)>,
    /// Every improvement: after how many simulations, and the robustness.
    pub history: Vec<(usize, f64)>,
    /// Why it ended.
    pub end: SearchEnd,
}

/// Searches for values of the unknowns that break the property; `progress` is told after each batch and may end the search.
pub fn search(
    experiment: &dyn Experiment,
    options: &SearchOptions,
    progress: &mut dyn FnMut(SearchProgress) -> ControlFlow<()>,
) -> SearchOutcome {
    let mut hunt = Hunt {
        experiment,
        options,
        progress,
        simulations: 0,
        failures: 0,
        first_failure: None,
        tried: Vec::new(),
        best: None,
        violating: None,
        history: Vec::new(),
    };
    let end = match hunt.go() {
        ControlFlow::Break(end) => end,
        ControlFlow::Continue(()) => SearchEnd::BudgetUsed,
    };
    hunt.finish(end)
}

/// A point of the unit cube with its robustness.
type Tried = (Vec<f64>, f64);

struct Hunt<'a> {
    experiment: &'a dyn Experiment,
    options: &'a SearchOptions,
    progress: &'a mut dyn FnMut(SearchProgress) -> ControlFlow<()>,
    simulations: usize,
    failures: usize,
    first_failure: Option<(Vec<f64>, Failure)>,
    /// Of the first two stages, for the descents.
    tried: Vec<Tried>,
    best: Option<(Vec<f64>, Measured)>,
    violating: Option<(Vec<f64>, Measured)>,
    history: Vec<(usize, f64)>,
}

impl Hunt<'_> {
    fn go(&mut self) -> ControlFlow<SearchEnd> {
        let unknowns = self.experiment.unknowns().len();
        if unknowns == 0 {
            self.evaluate(&[Vec::new()])?;
            return ControlFlow::Break(SearchEnd::NothingUnknown);
        }
        let mut random = Random::new(self.options.seed);
        for batch in corners(unknowns).chunks(BATCH) {
            self.sample(batch)?;
        }
        let shift: Vec<f64> = (0..unknowns).map(|_| random.even()).collect();
        let many = (self.options.budget / 4).max(1) as u64;
        let spread: Vec<Vec<f64>> = (1..=many).map(|n| halton(n, &shift)).collect();
        for batch in spread.chunks(BATCH) {
            self.sample(batch)?;
        }
        let mut starts = std::mem::take(&mut self.tried);
        starts.retain(|(_, value)| value.is_finite());
        starts.sort_by(|a, b| a.1.total_cmp(&b.1));
        starts.truncate(DESCENTS);
        for start in starts {
            let share = self.options.budget / 8 + 1;
            self.descend(start, share)?;
        }
        self.evolve(&mut random)
    }

    fn sample(&mut self, batch: &[Vec<f64>]) -> ControlFlow<SearchEnd> {
        let values = self.evaluate(batch)?;
        self.tried.extend(batch.iter().cloned().zip(values));
        ControlFlow::Continue(())
    }

    /// A pattern search with its share of the budget.
    fn descend(&mut self, start: Tried, share: usize) -> ControlFlow<SearchEnd> {
        let (mut centre, mut value) = start;
        let (mut step, until) = (0.05, self.simulations + share);
        let mut last: Option<Tried> = None;
        while step > LAST_STEP && self.simulations < until {
            let mut around = Vec::new();
            for i in 0..centre.len() {
                for sign in [-1.0, 1.0] {
                    let mut point = centre.clone();
                    point[i] = (point[i] + sign * step).clamp(0.0, 1.0);
                    if point != centre {
                        around.push(point);
                    }
                }
            }
            around.extend(last.as_ref().and_then(|last| secant(last, (&centre, value))));
            let values = self.evaluate(&around)?;
            let least = (0..around.len()).min_by(|a, b| values[*a].total_cmp(&values[*b]));
            match least.filter(|i| values[*i] < value) {
                Some(i) => {
                    let (next, less) = (around.swap_remove(i), values[i]);
                    last = Some((std::mem::replace(&mut centre, next), value));
                    value = less;
                    step = f64::min(2.0 * step, 0.25);
                }
                None => step *= 0.5,
            }
        }
        ControlFlow::Continue(())
    }

    /// CMA-ES with restarts until something ends it.
    fn evolve(&mut self, random: &mut Random) -> ControlFlow<SearchEnd> {
        let unknowns = self.experiment.unknowns().len();
        let mut population = Cmaes::usual_population(unknowns);
        let mut start = self.best.as_ref().map(|(point, _)| self.unit(point));
        loop {
            let mean = start
                .take()
                .unwrap_or_else(|| (0..unknowns).map(|_| random.even()).collect());
            let mut evolution = Cmaes::new(mean, 0.2, population);
            let mut without_progress = 0;
            let mut least = f64::INFINITY;
            while !evolution.is_done() && without_progress < 20 + 10 * unknowns {
                let points = evolution.ask(random);
                let values = self.evaluate(&points)?;
                evolution.tell(&points, &values);
                let best = values.iter().copied().fold(f64::INFINITY, f64::min);
                without_progress = if best < least { 0 } else { without_progress + 1 };
                least = least.min(best);
            }
            population = (2 * population).min(256);
        }
    }

    /// From the unit cube to values of the unknowns.
    fn values(&self, point: &[f64]) -> Vec<f64> {
        let unknowns = self.experiment.unknowns().iter().zip(point);
        unknowns
            .map(|(u, x)| {
                let value = u.lower + x * (u.upper - u.lower);
                // Rounding must not leave the box, and 1 is its end.
                if *x >= 1.0 {
                    u.upper
                } else {
                    value.max(u.lower).min(u.upper)
                }
            })
            .collect()
    }

    /// The other way round.
    fn unit(&self, values: &[f64]) -> Vec<f64> {
        let unknowns = self.experiment.unknowns().iter().zip(values);
        unknowns
            .map(|(u, value)| {
                let width = u.upper - u.lower;
                if width > 0.0 {
                    (value - u.lower) / width
                } else {
                    0.5
                }
            })
            .collect()
    }

    /// The robustness at points of the unit cube, +∞ where a simulation failed; those that the budget does not allow among them.
    fn evaluate(&mut self, points: &[Vec<f64>]) -> ControlFlow<SearchEnd, Vec<f64>> {
        // One is kept for the witness, unless there is only one.
        let budget = self.options.budget;
        let most = if budget > 1 { budget - 1 } else { budget };
        let left = most.saturating_sub(self.simulations);
        let values: Vec<Vec<f64>> = points.iter().take(left).map(|p| self.values(p)).collect();
        let results = run_all(self.experiment, &values, self.options.threads);
        let mut found = Vec::with_capacity(points.len());
        for (point, result) in values.into_iter().zip(results) {
            self.simulations += 1;
            match result {
                Ok(measured) => {
                    found.push(measured.robustness.value);
                    self.note(point, measured);
                }
                Err(failure) => {
                    found.push(f64::INFINITY);
                    self.failures += 1;
                    self.first_failure.get_or_insert((point, failure));
                }
            }
        }
        let told = (self.progress)(SearchProgress {
            simulations: self.simulations,
            budget: self.options.budget,
            best: self.best.as_ref().map_or(f64::INFINITY, |b| b.1.robustness.value),
            failures: self.failures,
        });
        if self.violating.is_some() && self.options.stop_at_first {
            return ControlFlow::Break(SearchEnd::Found);
        }
        if told.is_break() {
            return ControlFlow::Break(SearchEnd::Cancelled);
        }
        if found.len() < points.len() || left == found.len() {
            return ControlFlow::Break(SearchEnd::BudgetUsed);
        }
        ControlFlow::Continue(found)
    }

    fn note(&mut self, point: Vec<f64>, measured: Measured) {
        let value = measured.robustness.value;
        let is_worse = |known: &Option<(Vec<f64>, Measured)>| {
            known.as_ref().is_none_or(|k| value < k.1.robustness.value)
        };
        if measured.robustness.is_violated() {
            let is_first = self.violating.is_none();
            if is_first || !self.options.stop_at_first && is_worse(&self.violating) {
                self.violating = Some((point.clone(), measured.clone()));
            }
        }
        if is_worse(&self.best) {
            self.history.push((self.simulations, value));
            self.best = Some((point, measured));
        }
    }

    fn finish(mut self, end: SearchEnd) -> SearchOutcome {
        let mut found = None;
        if let Some((point, _)) = self.violating.take()
            && self.simulations < self.options.budget
        {
            self.simulations += 1;
            match self.experiment.run(&point) {
                Ok(again) if again.robustness.is_violated() => {
                    found = Some(self.witness(&point, again.robustness));
                }
                // A run that goes otherwise the second time proves nothing.
                Ok(_) => {}
                Err(failure) => {
                    self.failures += 1;
                    self.first_failure.get_or_insert((point, failure));
                }
            }
        }
        let first_failure = self.first_failure.take();
        let first_failure = first_failure.map(|(point, failure)| (self.named(&point), failure));
        let best = self.best.take();
        let best = best.map(|(point, measured)| self.witness(&point, measured.robustness));
        SearchOutcome {
            best,
            found,
            simulations: self.simulations,
            failures: self.failures,
            first_failure,
            history: self.history,
            end,
        }
    }

    fn named(&self, point: &[f64]) -> Vec<(String, f64)> {
        let names = self.experiment.unknowns().iter().map(|u| u.name.clone());
        names.zip(point.iter().copied()).collect()
    }

    fn witness(&self, point: &[f64], robustness: Robustness) -> Witness {
        Witness {
            values: self.named(point),
            robustness,
        }
    }
}

/// A little beyond where the robustness would be 0 if it went on falling as it did from one point to the next; `None` outside the cube.
fn secant((before, above): &Tried, (here, value): (&[f64], f64)) -> Option<Vec<f64>> {
    let ahead = (1.0 + 1e-3) * value / (above - value);
    let point: Vec<f64> = before
        .iter()
        .zip(here)
        .map(|(a, b)| b + ahead * (b - a))
        .collect();
    let is_new = value > 0.0 && ahead > 0.0 && point.iter().all(|x| (0.0..=1.0).contains(x));
    is_new.then_some(point)
}

/// The centre and the corners of the unit cube, or the centres of its sides.
fn corners(unknowns: usize) -> Vec<Vec<f64>> {
    let mut points = vec![vec![0.5; unknowns]];
    if unknowns <= MOST_WITH_CORNERS {
        for mask in 0..1_u32 << unknowns {
            points.push((0..unknowns).map(|i| f64::from(mask >> i & 1)).collect());
        }
    } else {
        for i in 0..unknowns {
            for end in [0.0, 1.0] {
                let mut point = vec![0.5; unknowns];
                point[i] = end;
                points.push(point);
            }
        }
    }
    points
}

/// Simulates at all points, on some threads; results in the order of the points.
fn run_all(
    experiment: &dyn Experiment,
    points: &[Vec<f64>],
    threads: usize,
) -> Vec<Result<Measured, Failure>> {
    let threads = threads.clamp(1, points.len().max(1));
    if threads == 1 {
        return points.iter().map(|point| experiment.run(point)).collect();
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            match points.get(place) {
                Some(point) => done.push((place, experiment.run(point))),
                None => return done,
            }
        }
    };
    let mut all: Vec<(usize, Result<Measured, Failure>)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let joined = workers.into_iter().map(|worker| match worker.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        joined.flatten().collect()
    });
    all.sort_by_key(|(place, _)| *place);
    all.into_iter().map(|(_, result)| result).collect()
}
