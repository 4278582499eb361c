//! One random model with one random property: boxes decided, then simulated; what contradicts them.
//!
//! Every unsafe box is replayed at its middle, and broken at the time that is claimed; then points of all decided boxes, inside, on edges and at corners, are
//! simulated. The many runs are a little coarser than usual ones; what one of them contradicts must be contradicted by a usual one to count.

use std::time::Instant;

use dyverse_check::{Decided, Outcome};
use dyverse_falsify::Measured;

use super::bodies::random_bodies;
use super::draft::Drafted;
use super::modes::random_modes;
use super::proofs::try_proof;
use super::property::{Property, random_property};
use super::random::Random;
use super::subject::{Accuracy, Subject, modest};
use super::tally::Tally;

/// What a simulation may be wrong by.
const ERROR: f64 = 1e-7;
/// The same of a time, s.
const TIME_ERROR: f64 = 1e-6;

/// How much is done for one model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Boxes at the most.
    pub(crate) boxes: usize,
    /// Simulations, if anything is unknown.
    pub(crate) runs: usize,
    /// Damages to its proof.
    pub(crate) damages: usize,
}

fn drafted(seed: u64, is_modal: bool) -> Drafted {
    if is_modal {
        random_modes(seed)
    } else {
        random_bodies(seed)
    }
}

/// The text of a model with its property.
pub(crate) fn drafted_text(seed: u64, is_modal: bool) -> String {
    let drafted = drafted(seed, is_modal);
    let property = random_property(&drafted, is_modal, &mut Random::new(seed ^ 0x7357));
    property.map_or_else(|| drafted.text.clone(), |p| p.text(&drafted.text))
}

/// One model: decided, simulated, proved.
pub(crate) fn try_model(seed: u64, is_modal: bool, effort: &Effort, tally: &mut Tally) {
    tally.models += 1;
    let drafted = drafted(seed, is_modal);
    let mut random = Random::new(seed ^ 0x7357);
    let Some(property) = random_property(&drafted, is_modal, &mut random) else {
        tally.not_simulated += 1;
        return;
    };
    let begin = Instant::now();
    let subject = Subject::new(&property.text(&drafted.text), is_modal);
    let (refined, names) = match subject.decide(&modest(effort.boxes)) {
        Ok(found) => found,
        Err(obstacle) => {
            tally.refused += 1;
            let reason = format!("refused: {}", obstacle.what);
            *tally.reasons.entry(reason).or_default() += 1;
            return;
        }
    };
    tally.seconds[0] += begin.elapsed().as_secs_f64();
    tally.count(&refined, drafted.family);
    let is_open = |b: &&Decided| matches!(b.outcome, Outcome::Undecided(_));
    let decided: Vec<&Decided> = refined.boxes.iter().filter(|b| !is_open(b)).collect();
    let begin = Instant::now();
    let mut trial = Trial {
        seed,
        is_modal,
        drafted: &drafted,
        property: &property,
        names: &names,
        decided: &decided,
        random,
        tally,
    };
    if !decided.is_empty() {
        trial.replay();
        trial.simulate(effort.runs);
    }
    tally.seconds[1] += begin.elapsed().as_secs_f64();
    let begin = Instant::now();
    try_proof(seed, &subject, &refined, &names, effort, tally);
    tally.seconds[2] += begin.elapsed().as_secs_f64();
}

struct Trial<'a> {
    seed: u64,
    is_modal: bool,
    drafted: &'a Drafted,
    property: &'a Property,
    names: &'a [String],
    decided: &'a [&'a Decided],
    random: Random,
    tally: &'a mut Tally,
}

impl Trial<'_> {
    /// The middle of each unsafe box: broken, and in the time that is claimed.
    fn replay(&mut self) {
        for decided in self.decided {
            let Outcome::Unsafe { time, .. } = &decided.outcome else {
                continue;
            };
            self.tally.unsafe_boxes += 1;
            let (from, to) = self.property.window;
            let claimed = (
                (time.0 - TIME_ERROR).clamp(from, to),
                (time.1 + TIME_ERROR).clamp(from, to),
            );
            let mut is_replayed = false;
            for text in variants(&self.property.text_in(&self.drafted.text, claimed)) {
                let values = self.named(decided.unknowns.middle());
                let subject = Subject::new(&text, self.is_modal);
                let measured = subject.with_runs(Accuracy::Usual, |_, run| run(&values));
                self.tally.runs += 1;
                match measured {
                    Ok(measured) => {
                        is_replayed = true;
                        if let Some(wrong) = wrong(&decided.outcome, &measured) {
                            self.contradict(&format!("in {claimed:?}: {wrong}"), &text, decided, &values);
                        }
                    }
                    Err(_) => self.tally.stopped += 1,
                }
            }
            self.tally.not_replayed += usize::from(!is_replayed);
        }
    }

    /// Random points of all boxes. Where nothing is unknown there is one trajectory, and one run.
    fn simulate(&mut self, runs: usize) {
        let variants = variants(&self.property.text(&self.drafted.text));
        self.tally.with_unknowns += usize::from(!self.names.is_empty());
        let runs = if self.names.is_empty() {
            1
        } else {
            runs.div_ceil(variants.len())
        };
        for text in variants {
            let subject = Subject::new(&text, self.is_modal);
            subject.with_runs(Accuracy::Coarse, |_, run| {
                for number in 0..runs {
                    // All of them, then any.
                    let decided = match self.decided.get(number) {
                        Some(decided) => *decided,
                        None => *self.random.pick(self.decided),
                    };
                    let point = self.point(decided);
                    let values = self.named(point);
                    self.tally.runs += 1;
                    let Ok(measured) = run(&values) else {
                        self.tally.stopped += 1;
                        continue;
                    };
                    if wrong(&decided.outcome, &measured).is_none() {
                        continue;
                    }
                    let again = subject.with_runs(Accuracy::Usual, |_, run| run(&values));
                    let sure = again.ok().and_then(|m| wrong(&decided.outcome, &m));
                    if let Some(wrong) = sure {
                        self.contradict(&wrong, &text, decided, &values);
                        return;
                    }
                }
            });
        }
    }

    fn named(&self, point: Vec<f64>) -> Vec<(String, f64)> {
        self.names.iter().cloned().zip(point).collect()
    }

    /// A point of a box: inside, or on its edges and corners.
    fn point(&mut self, decided: &Decided) -> Vec<f64> {
        let random = &mut self.random;
        let is_edge = random.often(0.4);
        let sides = decided.unknowns.sides.iter();
        sides
            .map(|side| match random.below(3) {
                0 if is_edge => side.lo(),
                1 if is_edge => side.hi(),
                _ => random.between(side.lo(), side.hi()),
            })
            .collect()
    }

    fn contradict(&mut self, wrong: &str, text: &str, decided: &Decided, values: &[(String, f64)]) {
        let found = format!(
            "seed {}: {wrong}\n{text}box {:?}\npoint {values:?}",
            self.seed, decided.unknowns.sides
        );
        println!("CONTRADICTION {found}");
        self.tally.contradictions.push(found);
    }
}

/// Texts whose runs are runs of the model too.
fn variants(text: &str) -> Vec<String> {
    if text.contains("impacts sequential any") {
        let with = |order: &str| text.replace("sequential any", order);
        [
            "sequential first",
            "sequential random(1)",
            "sequential random(2)",
            "sequential random(7)",
        ]
        .map(with)
        .to_vec()
    } else {
        vec![text.to_owned()]
    }
}

/// What is wrong with an outcome, if a run has this measurement.
fn wrong(outcome: &Outcome, measured: &Measured) -> Option<String> {
    let rho = measured.robustness.value;
    match outcome {
        Outcome::Safe(_) if rho < -ERROR => Some(format!(
            "SAFE, but robustness {rho:e} at {:?}",
            measured.robustness.worst
        )),
        Outcome::Unsafe { time, place } => {
            let first = measured.robustness.first;
            if rho > ERROR {
                Some(format!("UNSAFE at {time:?} in {place}, but robustness {rho:e}"))
            } else if first.is_some_and(|first| rho < -1e-5 && first.t() > time.1 + TIME_ERROR) {
                Some(format!("UNSAFE at {time:?} in {place}, but first at {first:?}"))
            } else {
                None
            }
        }
        _ => None,
    }
}
