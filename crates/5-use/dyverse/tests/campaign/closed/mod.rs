//! Scenes in closed form: models whose every trajectory is known, moment by moment, from formulas that stand here and nowhere else.
//!
//! | file | |
//! |---|---|
//! | `real.rs`, `poly.rs` | numbers of 31 digits; polynomials and their roots |
//! | `formula.rs` | properties: their text, their value at a moment |
//! | `course.rs`, `truth.rs` | trajectories on superdense time; what a property says of one |
//! | `scene.rs` | a model with its trajectories |
//! | `impact.rs`, `row.rs` | balls on a line |
//! | `ball.rs` | a ball over a floor, on it, beside a wall |
//! | `load.rs` | a ball that a switched force or an input pushes |
//! | `machine.rs`, `wave.rs` | actor models: modes, cascades, inputs; an oscillator |
//! | `question.rs` | random properties, about single moments mostly |
//! | `judge.rs` | what is true, as far as points of the unknowns can tell |
//!
//! Nothing of the program under test is used: no expression, no event, no law, no tolerance of it.

pub(crate) mod ball;
pub(crate) mod course;
pub(crate) mod formula;
pub(crate) mod impact;
pub(crate) mod judge;
pub(crate) mod load;
pub(crate) mod machine;
pub(crate) mod poly;
pub(crate) mod question;
pub(crate) mod real;
pub(crate) mod row;
pub(crate) mod scene;
pub(crate) mod truth;
pub(crate) mod wave;

use scene::{Scene, Sketch};

/// A scene that the seed chooses.
pub(crate) fn random_scene(seed: u64) -> Scene {
    let mut sketch = Sketch::new(seed ^ 0x00c1_05ed);
    match sketch.random.below(20) {
        0..=4 => row::row(sketch),
        5..=8 => ball::ball(sketch),
        9 | 10 => load::pushed(sketch),
        11..=17 => machine::machine(sketch),
        _ => wave::wave(sketch),
    }
}
