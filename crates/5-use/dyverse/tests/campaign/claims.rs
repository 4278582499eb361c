//! What `check` claims of a scene in closed form, and what contradicts it.

use std::ops::ControlFlow;
use std::time::Instant;

use dyverse::check::{CheckOptions, Counterexample, InputChoice, Verdict, check};

use super::asked::Asked;
use super::closed::formula::{Truth, boxed};
use super::closed::judge::{Known, Witness, by_default, is_no_witness, known};
use super::closed::real::Real;
use super::closed::scene::{Point, Scene};
use super::random::Random;
use super::runs::wrong_run;
use super::subject::{LIMIT, Subject, limits, over_at};

/// What it may take beyond, s: for a slow machine that does other things too.
const SLACK: f64 = 25.0;
/// Smaller properties that are tried where one is contradicted.
const SHRINKS: usize = 40;

/// What a claim came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Answer {
    Safe,
    Unsafe,
    Unknown,
    /// The scene's own trajectory cannot be told, or the model is refused.
    NotAsked,
}

/// What was claimed, what is known, and what is wrong with it.
pub(crate) struct Claim {
    pub(crate) answer: Answer,
    pub(crate) known: Known,
    pub(crate) wrong: Option<String>,
}

/// One claim.
pub(crate) fn claim(seed: u64, scene: &Scene, property: &Truth, points: &[Point]) -> Claim {
    let mut random = Random::new(seed ^ 0x0b7);
    // The narrower question, now and then.
    let is_narrow = !scene.inputs.is_empty() && random.often(0.4);
    let known = if is_narrow {
        known(scene, property, &by_default(scene, points))
    } else {
        known(scene, property, points)
    };
    let text = Asked::text_with(scene, property);
    // A ball whose range lets it begin inside another is refused, and rightly so.
    let Some(subject) = Subject::read(&text, scene.is_modal) else {
        return Claim {
            answer: Answer::NotAsked,
            known,
            wrong: None,
        };
    };
    let begin = Instant::now();
    let options = CheckOptions {
        seed,
        // Without simulations the proof stands alone.
        budget: *random.pick(&[0, 0, 12, 40]),
        boxes: *random.pick(&[4, 16, 40]),
        smallest: 0.02,
        limits: limits(),
        inputs: if is_narrow {
            InputChoice::Default
        } else {
            InputChoice::Any
        },
        interrupt: Some(over_at(begin)),
        ..CheckOptions::default()
    };
    let finding = check(subject.checkable(), "p", &options, &|_| ControlFlow::Continue(()));
    let seconds = begin.elapsed().as_secs_f64();
    let (answer, mut wrong) = match finding.map(|finding| finding.verdict) {
        Err(error) => (Answer::NotAsked, Some(format!("check refuses: {error}"))),
        Ok(Verdict::Safe(_)) => {
            let wrong = known.broken.as_ref().map(|(point, when)| {
                let when = when.map_or_else(|| "some time".into(), |t| format!("t = {}", t.f64()));
                format!("SAFE, but broken {} at {when}", named(scene, point))
            });
            (Answer::Safe, wrong)
        }
        Ok(Verdict::Unsafe(found)) => {
            let witness = witness(&found);
            let wrong = is_no_witness(scene, property, &witness).then(|| {
                let (time, sure) = (found.time, &found.certainty);
                format!("UNSAFE with {witness:?} at {time} ({sure:?}), but it holds there")
            });
            (Answer::Unsafe, wrong)
        }
        Ok(Verdict::Unknown(left)) => {
            let wrong = left.notes.iter().find(|n| n.contains("one of them is wrong"));
            let wrong = wrong.map(|note| format!("UNKNOWN because of a disagreement: {note}"));
            (Answer::Unknown, wrong)
        }
    };
    if seconds > LIMIT + SLACK {
        wrong = wrong.or(Some(format!(
            "a check that was to end after {LIMIT} s took {seconds:.1} s"
        )));
    }
    Claim { answer, known, wrong }
}

fn witness(found: &Counterexample) -> Witness {
    let values = found.values.iter().map(|v| (v.name.clone(), v.value));
    let inputs = found.inputs.iter().map(|i| (i.name.clone(), i.steps.clone()));
    Witness {
        values: values.collect(),
        inputs: inputs.collect(),
    }
}

/// The run of a scene at one of its points, beside the closed form.
pub(crate) fn try_run(seed: u64, asked: &Asked) -> Option<String> {
    let subject = Subject::read(&asked.text, asked.scene.is_modal)?;
    let point = Random::new(seed ^ 0x4a11).pick(&asked.points).clone();
    let wrong = wrong_run(&subject, &asked.scene, &point)?;
    Some(format!("simulated {}: {wrong}", named(&asked.scene, &point)))
}

/// The smallest part of a contradicted property that is contradicted too.
pub(crate) fn shrunk(seed: u64, asked: &Asked) -> (Truth, Option<String>) {
    let mut best = (asked.property.clone(), None);
    let mut left = SHRINKS;
    'again: loop {
        for smaller in parts(&best.0) {
            if left == 0 {
                return best;
            }
            left -= 1;
            if let Some(wrong) = claim(seed, &asked.scene, &smaller, &asked.points).wrong {
                best = (smaller, Some(wrong));
                continue 'again;
            }
        }
        return best;
    }
}

/// The same formula with one of its parts left out.
fn parts(truth: &Truth) -> Vec<Truth> {
    let within = |a: &Truth, make: &dyn Fn(Box<Truth>) -> Truth| -> Vec<Truth> {
        parts(a).into_iter().map(|a| make(boxed(a))).collect()
    };
    match truth {
        Truth::Compare(..) | Truth::Touching(..) => Vec::new(),
        Truth::Not(a) => within(a, &Truth::Not),
        Truth::And(a, b) | Truth::Or(a, b) | Truth::Implies(a, b) => {
            let mut all = vec![(**b).clone(), (**a).clone()];
            let with = |a: Box<Truth>, b: Box<Truth>| match truth {
                Truth::And(..) => Truth::And(a, b),
                Truth::Or(..) => Truth::Or(a, b),
                _ => Truth::Implies(a, b),
            };
            all.extend(within(a, &|a| with(a, b.clone())));
            all.extend(within(b, &|b| with(a.clone(), b)));
            all
        }
        Truth::Always(w, a) => within(a, &|a| Truth::Always(w.clone(), a)),
        Truth::Never(w, a) => within(a, &|a| Truth::Never(w.clone(), a)),
        Truth::Eventually(w, a) => within(a, &|a| Truth::Eventually(w.clone(), a)),
        Truth::Until(w, a, b) => {
            let mut all = within(a, &|a| Truth::Until(w.clone(), a, b.clone()));
            all.extend(within(b, &|b| Truth::Until(w.clone(), a.clone(), b)));
            all
        }
    }
}

fn named(scene: &Scene, point: &Point) -> String {
    let text = |value: &Real| value.written().unwrap_or_else(|| value.f64().to_string());
    let each = scene.unknowns.iter().zip(&point.values);
    let mut all: Vec<String> = each.map(|(u, v)| format!("{} = {}", u.name, text(v))).collect();
    for (input, steps) in scene.inputs.iter().zip(&point.inputs) {
        let steps = steps.iter().map(|(t, v)| format!("{} from {}", text(v), text(t)));
        let steps: Vec<String> = steps.collect();
        all.push(format!("{} = {}", input.name, steps.join(", ")));
    }
    if all.is_empty() {
        return "(nothing is unknown)".into();
    }
    format!("with {}", all.join(", "))
}
