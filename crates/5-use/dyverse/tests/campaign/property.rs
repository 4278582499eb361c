//! Random properties of random scenes: questions about the run at a point of the unknowns.

use super::closed::formula::Truth;
use super::closed::question::question;
use super::draft::Drafted;
use super::random::Random;
use super::subject::{Accuracy, Subject, Watched};

/// The text of a model with a property.
pub(crate) fn with_property(drafted: &Drafted, property: &Truth) -> String {
    format!(
        "{}property p: {}\n",
        drafted.text,
        property.text(&drafted.words.leaves)
    )
}

/// A random property of a model; `None` if it cannot be simulated.
pub(crate) fn random_property(drafted: &Drafted, is_modal: bool, random: &mut Random) -> Option<Truth> {
    let text = format!("{}property p: always time >= 0\n", drafted.text);
    let subject = Subject::new(&text, is_modal);
    let values: Vec<(String, f64)> = subject
        .unknowns()
        .iter()
        .map(|u| (u.name.clone(), random.between(u.lower, u.upper)))
        .collect();
    let watched = Watched {
        words: &drafted.words,
        shapes: &drafted.shapes,
        inputs: &[],
        wanted: &[],
        needs_forces: true,
    };
    let ran = subject.run(&watched, &values, Accuracy::Usual).ok()?;
    if !ran.is_complete {
        return None;
    }
    (0..8).find_map(|_| question(&drafted.words, &ran.course, random))
}
