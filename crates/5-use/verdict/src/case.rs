//! One property of one model, and what is asked about it again and again: simulate, search, certify.

use crate::subject::Checkable;
use crate::{
    AssumedInputs, Certainty, CheckError, CheckOptions, CheckProgress, CheckWatch, Counterexample, Interrupt,
    Statistics, Value,
};
use dyverse_check::{Outcome, RefineOptions, Refined};
use dyverse_falsify::{Experiment, Robustness, SearchOptions, Witness, search};
use dyverse_formulas::{Obstacle, Requirement};
use dyverse_lang::ActorModel;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// A counterexample that is not enclosed must break the property by this many times what errors of the run may account for.
const CLEARLY: f64 = 1000.0;
/// Accuracies with which such a one is simulated, times the usual tolerances of the flow.
const ACCURACIES: [f64; 2] = [30.0, 1000.0];
/// Ways in which decimals are rounded then: all up, all down, some up and some down.
const NUDGES: usize = 4;
/// How far beside it, part of the range.
const BESIDE: f64 = 1e-9;

pub(super) struct Case<'m, 'o> {
    pub(super) subject: Checkable<'m>,
    pub(super) property: String,
    pub(super) options: &'o CheckOptions,
    /// The property as what can be proved, or why it cannot.
    pub(super) requirement: Result<Requirement, Obstacle>,
    pub(super) experiment: Box<dyn Experiment + 'm>,
    /// What is assumed of inputs.
    pub(super) inputs: AssumedInputs,
    /// On how many parts of a run signals of inputs are constant.
    parts: usize,
    pub(super) statistics: Statistics,
    watch: CheckWatch<'o>,
    stopped: AtomicBool,
}

/// What an enclosure says about a counterexample.
pub(super) enum Certificate {
    /// It is one, broken at a time between these.
    Enclosed((f64, f64)),
    /// It is none.
    Contradicted,
    /// Nothing, because of this.
    Open(String),
}

impl<'m, 'o> Case<'m, 'o> {
    pub(super) fn new(
        subject: Checkable<'m>,
        property: &str,
        options: &'o CheckOptions,
        watch: CheckWatch<'o>,
    ) -> Result<Self, CheckError> {
        let found = subject.property(property)?;
        subject.check_choices(&options.choices)?;
        let inputs = subject.assumed_inputs(property, options.inputs);
        Ok(Case {
            subject,
            property: property.to_owned(),
            options,
            requirement: Requirement::new(found, subject.horizon()),
            experiment: subject.experiment(property, options, 1.0, (&inputs.any, 1))?,
            inputs,
            parts: 1,
            statistics: Statistics::default(),
            watch,
            stopped: AtomicBool::new(false),
        })
    }

    /// From now on signals of inputs may jump at so many equal parts of a run.
    pub(super) fn with_parts(&mut self, parts: usize) -> Result<(), CheckError> {
        let inputs = (self.inputs.any.as_slice(), parts);
        self.experiment = self
            .subject
            .experiment(&self.property, self.options, 1.0, inputs)?;
        self.parts = parts;
        Ok(())
    }

    /// From now on inputs have their default values in simulations.
    pub(super) fn with_default_inputs(&mut self) -> Result<(), CheckError> {
        self.experiment = self
            .subject
            .experiment(&self.property, self.options, 1.0, (&[], 1))?;
        Ok(())
    }

    /// The windows in which the property must hold.
    pub(super) fn windows(&self) -> Vec<(f64, f64)> {
        let requirement = self.requirement.as_ref();
        requirement.map(Requirement::windows).unwrap_or_default()
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed) || self.options.interrupt.as_ref().is_some_and(Interrupt::is_set)
    }

    fn best(&self) -> f64 {
        self.statistics
            .best
            .as_ref()
            .map_or(f64::INFINITY, |(value, _)| *value)
    }

    /// Tells how far it is; whether to go on.
    fn tell(&self, progress: CheckProgress) -> bool {
        if (self.watch)(progress).is_break() {
            self.stopped.store(true, Ordering::Relaxed);
        }
        !self.is_stopped()
    }

    /// Searches by simulation.
    pub(super) fn search(&mut self, seed: u64, budget: usize, stop_at_first: bool) -> Option<Witness> {
        if budget == 0 || self.is_stopped() {
            return None;
        }
        let options = SearchOptions {
            seed,
            budget,
            threads: self.options.threads,
            stop_at_first,
        };
        let (before, best) = (self.statistics.simulations, self.best());
        let outcome = search(self.experiment.as_ref(), &options, &mut |progress| {
            let goes_on = self.tell(CheckProgress {
                decided: 0.0,
                boxes: self.statistics.boxes,
                simulations: before + progress.simulations,
                best: best.min(progress.best),
            });
            if goes_on {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        let statistics = &mut self.statistics;
        statistics.simulations += outcome.simulations;
        statistics.failed_simulations += outcome.failures;
        if let (None, Some((_, failure))) = (&statistics.first_failure, outcome.first_failure) {
            statistics.first_failure = Some(failure.to_string());
        }
        if let Some(least) = outcome.best {
            self.note(least.robustness.value, &least.values);
        }
        outcome.found
    }

    fn note(&mut self, robustness: f64, values: &[(String, f64)]) {
        if robustness < self.best() {
            self.statistics.best = Some((robustness, values.to_vec()));
        }
    }

    /// Simulates with these values, one for each unknown of the experiment.
    pub(super) fn simulate(&mut self, values: &[(String, f64)]) -> Option<Robustness> {
        let of = |name: &String| values.iter().find(|(n, _)| n == name).map(|(_, value)| *value);
        let names = self.experiment.unknowns().iter();
        let point: Option<Vec<f64>> = names.map(|unknown| of(&unknown.name)).collect();
        self.statistics.simulations += 1;
        match self.experiment.run(&point?) {
            Ok(measured) => {
                self.note(measured.robustness.value, values);
                Some(measured.robustness)
            }
            Err(failure) => {
                self.statistics.failed_simulations += 1;
                self.statistics.first_failure.get_or_insert(failure.to_string());
                None
            }
        }
    }

    /// Encloses the trajectory of a counterexample.
    pub(super) fn certify(&self, values: &[(String, f64)]) -> Certificate {
        let requirement = match &self.requirement {
            Ok(requirement) => requirement,
            Err(obstacle) => return Certificate::Open(obstacle.what.clone()),
        };
        if let Some(input) = self.inputs.any.first() {
            return Certificate::Open(format!("the input `{}` is driven", input.name));
        }
        let (choices, limits) = (&self.options.choices, self.options.limits_of_boxes());
        match self.subject.explore(choices, requirement, limits, values) {
            Ok(Outcome::Unsafe { time, .. }) => Certificate::Enclosed(time),
            Ok(Outcome::Safe(_)) => Certificate::Contradicted,
            Ok(Outcome::Undecided(reason)) => Certificate::Open(reason.to_string()),
            Err(obstacle) => Certificate::Open(obstacle.what),
        }
    }

    /// Whether a counterexample is one beyond doubt though it is not enclosed: clearly, with other accuracies, with other doubles for its decimals, and beside it.
    pub(super) fn is_beyond_doubt(&mut self, witness: &Witness) -> bool {
        let is_clear = |r: &Robustness| r.value < -CLEARLY * r.error;
        if !is_clear(&witness.robustness) {
            return false;
        }
        let point: Vec<f64> = witness.values.iter().map(|(_, value)| *value).collect();
        for accuracy in ACCURACIES {
            let inputs = (self.inputs.any.as_slice(), self.parts);
            let other = self
                .subject
                .experiment(&self.property, self.options, accuracy, inputs);
            let Ok(other) = other else {
                return false;
            };
            self.statistics.simulations += 1;
            if !other.run(&point).is_ok_and(|m| is_clear(&m.robustness)) {
                return false;
            }
        }
        // A decision between decimals that are equal, such as 0.1 + 0.2 > 0.3, is none that doubles can take.
        for nudge in 0..NUDGES {
            self.statistics.simulations += 1;
            let found = self.nudged(nudge, &point);
            if !found.is_some_and(|robustness| is_clear(&robustness)) {
                return false;
            }
        }
        for place in 0..point.len() {
            let unknown = &self.experiment.unknowns()[place];
            let by = BESIDE * (unknown.upper - unknown.lower);
            for side in [-by, by] {
                let mut beside = point.clone();
                beside[place] = (beside[place] + side).clamp(unknown.lower, unknown.upper);
                self.statistics.simulations += 1;
                if !self
                    .experiment
                    .run(&beside)
                    .is_ok_and(|m| is_clear(&m.robustness))
                {
                    return false;
                }
            }
        }
        true
    }

    /// A run of the model with other doubles for its decimals.
    fn nudged(&self, nudge: usize, point: &[f64]) -> Option<Robustness> {
        let is_up = |place: usize| match nudge {
            0 => true,
            1 => false,
            other => (place / 2 + other).is_multiple_of(2),
        };
        let inputs = (self.inputs.any.as_slice(), self.parts);
        let run = |subject: Checkable<'_>| {
            let other = subject.experiment(&self.property, self.options, 1.0, inputs);
            Some(other.ok()?.run(point).ok()?.robustness)
        };
        match self.subject {
            Checkable::Bodies(model) => run(Checkable::Bodies(&model.nudged(is_up))),
            Checkable::Actors(model) => {
                let other = ActorModel {
                    graph: model.graph.nudged(is_up),
                    ..model.clone()
                };
                run(Checkable::Actors(&other))
            }
        }
    }

    /// `seen` is when an enclosure says that it is broken, for a run in which that cannot be seen.
    pub(super) fn counterexample(
        &self,
        witness: &Witness,
        certainty: Certainty,
        seen: Option<(f64, f64)>,
    ) -> Counterexample {
        let parameters = self.subject.parameters();
        let point: Vec<f64> = witness.values.iter().map(|(_, value)| *value).collect();
        let own = witness.values.len() - self.parts * self.inputs.any.len();
        let values = witness.values.iter().take(own).map(|(name, value)| Value {
            name: name.clone(),
            value: *value,
            is_initial: !parameters.iter().any(|p| p.name == *name),
        });
        let robustness = &witness.robustness;
        let seen = seen
            .filter(|_| robustness.value >= 0.0)
            .map(|(from, to)| 0.5 * (from + to));
        Counterexample {
            values: values.collect(),
            inputs: self.experiment.signals(&point),
            time: seen.unwrap_or_else(|| robustness.first.unwrap_or(robustness.worst).t()),
            worst_time: seen.unwrap_or_else(|| robustness.worst.t()),
            robustness: robustness.value.min(0.0),
            certainty,
        }
    }

    /// Refines a part of the box of unknowns. `share` says what part of the whole it is, `before` how much was decided before.
    pub(super) fn refine(
        &mut self,
        requirement: &Requirement,
        choices: &[(String, f64, f64)],
        options: &RefineOptions,
        (before, share): (f64, f64),
    ) -> Result<Refined, Obstacle> {
        let (boxes, best) = (self.statistics.boxes, self.best());
        let simulations = self.statistics.simulations;
        let watch = |decided: f64, explored: usize| {
            self.tell(CheckProgress {
                decided: (before + share * decided).min(1.0),
                boxes: boxes + explored,
                simulations,
                best,
            })
        };
        let refined = self.subject.refine(choices, requirement, options, &watch)?;
        self.statistics.boxes += refined.explored;
        self.statistics.figures.add(&refined.figures);
        Ok(refined)
    }
}
