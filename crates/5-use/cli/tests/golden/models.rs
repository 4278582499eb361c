//! The models of which everything is made: those that are shipped, 300 random scenes of rigid bodies, 100 random actor models. The generators are those of the tests of other crates.

#[path = "../../../../3-run/tick/tests/guards/random.rs"]
#[allow(dead_code)]
mod modal;
#[path = "../../../../4-write/c/tests/actors_support/nets.rs"]
mod nets;
#[path = "../../../dyverse/tests/campaign/random.rs"]
#[allow(dead_code)]
mod random;
#[path = "../../../../3-run/simulate/tests/support/scene.rs"]
mod scene;
#[path = "../../../../4-write/c/tests/support/scenes.rs"]
mod scenes;

use std::fmt::Write;

pub(super) struct Model {
    /// A path, with `/`.
    pub(super) name: String,
    pub(super) text: String,
    /// Of random models only runs are made.
    pub(super) is_random: bool,
}

impl Model {
    pub(super) fn is_actors(&self) -> bool {
        self.name.ends_with(".dam")
    }
}

pub(super) fn shipped() -> Vec<Model> {
    let all = dyverse::EXAMPLES.iter();
    all.map(|example| Model {
        name: example.file.to_owned(),
        text: example.text.to_owned(),
        is_random: false,
    })
    .collect()
}

fn random(kind: &str, number: u64, ending: &str, text: String) -> Model {
    Model {
        name: format!("random/{kind}_{number:03}.{ending}"),
        text,
        is_random: true,
    }
}

/// Shapes thrown at each other and at walls.
fn thrown(number: u64) -> Model {
    let kinds = scene::MIXED.len() as u64;
    let mut text = scene::mixed((number % kinds) as usize, number / kinds);
    writeln!(text, "\nhorizon 0.8").unwrap();
    random("thrown", number, "drbt", text)
}

/// Shapes that fall on a floor: all policies, laws, loads.
fn falling(number: u64) -> Model {
    const KINDS: [&[&str]; 7] = [
        &["sphere", "sphere", "sphere"],
        &["sphere", "capsule", "sphere"],
        &["box", "sphere"],
        &["capsule", "capsule"],
        &["dumbbell", "box"],
        &["ellipsoid", "sphere"],
        &["box", "box"],
    ];
    const POLICIES: [&str; 5] = [
        "simultaneous",
        "poisson",
        "sequential first",
        "sequential random(7)",
        "simultaneous uncapped",
    ];
    let kinds = KINDS[number as usize % KINDS.len()];
    let policy = POLICIES[number as usize % POLICIES.len()];
    let lines = if number.is_multiple_of(3) {
        scenes::LOADED
    } else {
        scenes::PLAIN
    };
    random(
        "falling",
        number,
        "drbt",
        scenes::scene(number, kinds, policy, lines),
    )
}

/// All models, the longest first as far as that is known.
pub(super) fn all() -> Vec<Model> {
    let mut all = shipped();
    all.extend((0..200).map(thrown));
    all.extend((0..100).map(falling));
    all.extend((0..50).map(|seed| random("net", seed, "dam", nets::random_net(seed))));
    all.extend((0..50).map(|seed| random("modal", seed, "dam", modal::random_model(seed).text())));
    all
}
