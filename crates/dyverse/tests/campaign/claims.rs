//! What `check` claims of a scene in closed form, and what contradicts it.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use dyverse::check::{CheckOptions, Interrupt, Verdict, check};

use super::closed::formula::Truth;
use super::closed::judge::{Known, driven, is_no_witness, known, points};
use super::closed::question::question;
use super::closed::random_scene;
use super::closed::scene::{Point, Scene};
use super::random::Random;
use super::subject::{Subject, limits};

/// A scene with a property.
pub(crate) struct Asked {
    pub(crate) scene: Scene,
    pub(crate) property: Truth,
    /// The model with the property, `p`.
    pub(crate) text: String,
    pub(crate) points: Vec<Point>,
}

/// What a claim came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Answer {
    Safe,
    Unsafe,
    Unknown,
    /// The scene's own trajectory could not be told, or nothing could be asked of it.
    NotAsked,
}

/// A scene and a property that the seed chooses.
pub(crate) fn asked(seed: u64) -> Option<Asked> {
    let scene = random_scene(seed);
    let mut random = Random::new(seed ^ 0x9e57_1041);
    let courses = (scene.run)(&scene.base())?;
    let course = courses.get(random.below(courses.len().max(1)))?;
    let property = (0..5).find_map(|_| question(&scene, course, &mut random))?;
    let text = format!("{}property p: {}\n", scene.text, property.text(&scene.leaves));
    let points = points(&scene, &mut random, 16);
    let points = [points.clone(), driven(&scene, &points, &mut random)].concat();
    Some(Asked {
        scene,
        property,
        text,
        points,
    })
}

/// One claim: the answer, what is known, and what is wrong with it.
pub(crate) fn try_claim(seed: u64, asked: &Asked, most_seconds: f64) -> (Answer, Known, Option<String>) {
    let known = known(&asked.scene, &asked.property, &asked.points);
    // A ball whose range lets it begin inside another is refused, and rightly so.
    let Some(subject) = Subject::read(&asked.text, asked.scene.is_modal) else {
        return (Answer::NotAsked, known, None);
    };
    let mut random = Random::new(seed ^ 0x0b7);
    let end = Instant::now() + Duration::from_secs_f64(most_seconds);
    let options = CheckOptions {
        seed,
        budget: *random.pick(&[0, 0, 12, 40]),
        boxes: *random.pick(&[4, 16, 40]),
        smallest: 0.02,
        limits: limits(),
        interrupt: Some(Interrupt::new(move || Instant::now() > end)),
        ..CheckOptions::default()
    };
    let finding = check(subject.checkable(), "p", &options, &|_| ControlFlow::Continue(()));
    let finding = match finding {
        Ok(finding) => finding,
        Err(error) => return (Answer::NotAsked, known, Some(format!("check refuses: {error}"))),
    };
    match &finding.verdict {
        Verdict::Safe(_) => {
            let wrong = known.broken.as_ref().map(|(point, when)| {
                format!("SAFE, but broken {} at {}", named(&asked.scene, point), shown(*when))
            });
            (Answer::Safe, known, wrong)
        }
        Verdict::Unsafe(found) => {
            let values: Vec<(String, f64)> = found.values.iter().map(|v| (v.name.clone(), v.value)).collect();
            let wrong = is_no_witness(&asked.scene, &asked.property, &values)
                .then(|| format!("UNSAFE with {values:?} at {}, but it holds there", found.time));
            (Answer::Unsafe, known, wrong)
        }
        Verdict::Unknown(left) => {
            let wrong = left.notes.iter().find(|n| n.contains("one of them is wrong"));
            let wrong = wrong.map(|note| format!("UNKNOWN because of a disagreement: {note}"));
            (Answer::Unknown, known, wrong)
        }
    }
}

fn shown(when: Option<super::closed::real::Real>) -> String {
    when.map_or_else(|| "some time".into(), |t| format!("t = {}", t.f64()))
}

fn named(scene: &Scene, point: &Point) -> String {
    let text = |value: &super::closed::real::Real| value.written().unwrap_or_else(|| value.f64().to_string());
    let each = scene.unknowns.iter().zip(&point.values);
    let mut all: Vec<String> = each.map(|(u, v)| format!("{} = {}", u.name, text(v))).collect();
    for (input, steps) in scene.inputs.iter().zip(&point.inputs) {
        let steps: Vec<String> = steps.iter().map(|(t, v)| format!("{} from {}", text(v), text(t))).collect();
        all.push(format!("{} = {}", input.name, steps.join(", ")));
    }
    if all.is_empty() {
        return "(nothing is unknown)".into();
    }
    format!("with {}", all.join(", "))
}
