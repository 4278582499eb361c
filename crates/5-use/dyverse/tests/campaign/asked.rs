//! A scene in closed form with a property, as a seed chooses them.

use super::closed::formula::Truth;
use super::closed::judge::{driven, points};
use super::closed::question::question;
use super::closed::random_scene;
use super::closed::scene::{Point, Scene};
use super::random::Random;

/// Points of the unknowns beside corners.
const POINTS: usize = 16;

/// A scene with a property.
pub(crate) struct Asked {
    pub(crate) scene: Scene,
    pub(crate) property: Truth,
    /// The model with the property, `p`.
    pub(crate) text: String,
    /// Points at which its truth is known.
    pub(crate) points: Vec<Point>,
}

impl Asked {
    /// The text with another property.
    pub(crate) fn text_with(scene: &Scene, property: &Truth) -> String {
        format!(
            "{}property p: {}\n",
            scene.text,
            property.text(&scene.words.leaves)
        )
    }
}

/// A scene and a property that the seed chooses; `None` if the scene's own trajectory cannot be told.
pub(crate) fn asked(seed: u64) -> Option<Asked> {
    let scene = random_scene(seed);
    let mut random = Random::new(seed ^ 0x9e57_1041);
    let courses = (scene.run)(&scene.base())?;
    let course = courses.get(random.below(courses.len().max(1)))?;
    let property = (0..5).find_map(|_| question(&scene.words, course, &mut random))?;
    let text = Asked::text_with(&scene, &property);
    let points = points(&scene, &mut random, POINTS);
    let points = [points.clone(), driven(&scene, &points, &mut random)].concat();
    Some(Asked {
        scene,
        property,
        text,
        points,
    })
}
