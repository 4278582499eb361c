//! One random model with one random property: boxes decided, then simulated; what contradicts them. Runs are judged by the campaign's own evaluator.
//!
//! Every unsafe box is replayed at its middle, and broken at the time that is claimed; then points of all decided boxes, inside, on edges and at corners, are
//! simulated. The many runs are a little coarser than usual ones; what one of them contradicts must be contradicted by a usual one to count.

use std::time::Instant;

use dyverse_check::{Decided, Outcome};

use super::bodies::random_bodies;
use super::closed::course::Course;
use super::closed::formula::Truth;
use super::closed::truth::judge;
use super::draft::Drafted;
use super::modes::random_modes;
use super::proofs::try_proof;
use super::property::{random_property, with_property};
use super::random::Random;
use super::subject::{Accuracy, LIMIT, Subject, Watched, modest, over_at};
use super::tally::Tally;
use super::traces::OF_TRACES;

/// What a time may be wrong by, s.
const TIME_ERROR: f64 = 1e-6;
/// Times at which a claimed violation is looked for.
const LOOKS: usize = 60;
/// Times that it is looked from nearer by.
const CLOSER: usize = 5;

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
    property.map_or_else(|| drafted.text.clone(), |p| with_property(&drafted, &p))
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
    let text = with_property(&drafted, &property);
    let subject = Subject::new(&text, is_modal);
    let (refined, names) = match subject.decide(&modest(effort.boxes)) {
        Ok(found) => found,
        Err(obstacle) => {
            tally.refused += 1;
            let reason = format!("refused: {}", obstacle.what);
            *tally.reasons.entry(reason).or_default() += 1;
            return;
        }
    };
    let seconds = begin.elapsed().as_secs_f64();
    tally.seconds[0] += seconds;
    if seconds > LIMIT {
        tally.over("to decide");
    }
    tally.count(&refined, drafted.family);
    let is_open = |b: &&Decided| matches!(b.outcome, Outcome::Undecided(_));
    let decided: Vec<&Decided> = refined.boxes.iter().filter(|b| !is_open(b)).collect();
    let begin = Instant::now();
    let mut trial = Trial {
        seed,
        is_modal,
        drafted: &drafted,
        property: &property,
        text: &text,
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
    property: &'a Truth,
    text: &'a str,
    names: &'a [String],
    decided: &'a [&'a Decided],
    random: Random,
    tally: &'a mut Tally,
}

impl Trial<'_> {
    fn watched<'w>(&'w self, wanted: &'w [f64]) -> Watched<'w> {
        Watched {
            words: &self.drafted.words,
            shapes: &self.drafted.shapes,
            inputs: &[],
            wanted,
            needs_forces: self.text.contains("_force("),
        }
    }

    /// The middle of each unsafe box: broken, and in the time that is claimed.
    fn replay(&mut self) {
        for decided in self.decided {
            let Outcome::Unsafe { time, .. } = &decided.outcome else {
                continue;
            };
            self.tally.unsafe_boxes += 1;
            let claimed = (time.0 - TIME_ERROR, time.1 + TIME_ERROR);
            let mut refusals = Vec::new();
            let variants = variants(self.text);
            let tried = variants.len();
            for text in variants {
                let values = self.named(decided.unknowns.middle());
                let is_broken = match self.breaks(&text, &values, claimed) {
                    Ok(found) => found,
                    Err(why) => {
                        self.tally.stopped += 1;
                        refusals.push(format!("seed {}, {values:?}: {why}", self.seed));
                        continue;
                    }
                };
                if !is_broken {
                    let wrong = format!("UNSAFE at {time:?}, but nothing is broken then");
                    self.contradict(&wrong, &text, decided, &values);
                }
            }
            if refusals.len() == tried {
                self.tally.not_replayed.extend(refusals.pop());
            }
        }
    }

    /// Whether a run may break the property in a time, or does not come to its end. What is broken only while a comparison turns is looked for from nearer and nearer.
    fn breaks(&mut self, text: &str, values: &[(String, f64)], claimed: (f64, f64)) -> Result<bool, String> {
        let subject = Subject::new(text, self.is_modal);
        let mut stretches = vec![claimed];
        for _ in 0..CLOSER {
            let looks = (LOOKS / stretches.len()).max(8);
            let part =
                |(from, to): (f64, f64), k: usize| from + (to - from) * (k as f64 + 0.5) / looks as f64;
            let wanted = stretches.iter().flat_map(|s| (0..looks).map(|k| part(*s, k)));
            let wanted: Vec<f64> = wanted.collect();
            self.tally.runs += 1;
            let ran = subject.run(&self.watched(&wanted), values, Accuracy::Usual)?;
            if !ran.is_complete || may_break(self.property, &ran.course, claimed) {
                return Ok(true);
            }
            stretches = turns(self.property, &ran.course, claimed);
            if stretches.is_empty() {
                return Ok(false);
            }
            stretches.truncate(LOOKS / 8);
        }
        Ok(false)
    }

    /// Random points of all boxes. Where nothing is unknown there is one trajectory, and one run.
    fn simulate(&mut self, runs: usize) {
        let variants = variants(self.text);
        self.tally.with_unknowns += usize::from(!self.names.is_empty());
        let over = over_at(Instant::now());
        let runs = if self.names.is_empty() {
            1
        } else {
            runs.div_ceil(variants.len())
        };
        for text in variants {
            let subject = Subject::new(&text, self.is_modal);
            for number in 0..runs {
                if over.is_set() {
                    self.tally.over("to simulate");
                    return;
                }
                // All of them, then any.
                let decided = match self.decided.get(number) {
                    Some(decided) => *decided,
                    None => *self.random.pick(self.decided),
                };
                let point = self.point(decided);
                let values = self.named(point);
                self.tally.runs += 1;
                if !matches!(decided.outcome, Outcome::Safe(_)) {
                    continue;
                }
                let breaks = |accuracy: Accuracy| {
                    let ran = subject.run(&self.watched(&[]), &values, accuracy).ok()?;
                    let judged = judge(self.property, &ran.course, &OF_TRACES);
                    Some((judged.holds == Some(false)).then_some(judged))
                };
                match breaks(Accuracy::Coarse) {
                    None => self.tally.stopped += 1,
                    Some(None) => {}
                    Some(Some(_)) => {
                        if let Some(Some(sure)) = breaks(Accuracy::Usual) {
                            let when = sure.broken_at.map(|t| t.f64());
                            self.contradict(
                                &format!("SAFE, but broken at {when:?}"),
                                &text,
                                decided,
                                &values,
                            );
                            return;
                        }
                    }
                }
            }
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

/// Whether some moment of a time may break a property: one that is seen, or one between them at which something switches.
fn may_break(property: &Truth, course: &Course, (from, to): (f64, f64)) -> bool {
    let moments = || {
        let instants = course.instants.iter();
        let then = instants.filter(|i| from <= i.t.f64() && i.t.f64() <= to);
        then.flat_map(|i| &i.moments)
    };
    let switches = |of: &Truth| {
        let mut decisions = moments().map(|m| of.decisions(m, &OF_TRACES));
        decisions
            .next()
            .is_some_and(|first| decisions.any(|other| other != first))
    };
    match property {
        Truth::And(a, b) => may_break(a, course, (from, to)) || may_break(b, course, (from, to)),
        Truth::Always(_, a) if !a.is_temporal() => {
            switches(a) || moments().any(|m| a.now(m, &OF_TRACES) != Some(true))
        }
        Truth::Never(_, a) if !a.is_temporal() => {
            switches(a) || moments().any(|m| a.now(m, &OF_TRACES) != Some(false))
        }
        _ => true,
    }
}

/// Between which moments of a time some comparison turns.
fn turns(property: &Truth, course: &Course, (from, to): (f64, f64)) -> Vec<(f64, f64)> {
    let mut atoms = Vec::new();
    property.comparisons(&mut atoms);
    let instants = course.instants.iter().map(|i| (i.t.f64(), &i.moments));
    let moments: Vec<(f64, Vec<Option<bool>>)> = instants
        .filter(|(t, _)| from <= *t && *t <= to)
        .flat_map(|(t, moments)| moments.iter().map(move |m| (t, m)))
        .map(|(t, m)| (t, atoms.iter().map(|a| a.now(m, &OF_TRACES)).collect()))
        .collect();
    let turned = moments.windows(2).filter(|pair| pair[0].1 != pair[1].1);
    turned
        .map(|pair| (pair[0].0, pair[1].0))
        .filter(|(a, b)| a < b)
        .collect()
}
