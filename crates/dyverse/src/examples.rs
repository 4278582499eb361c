//! The models that ship with dyverse.

/// A shipped model.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// Its file name.
    pub file: &'static str,
    /// One line on what it shows.
    pub about: &'static str,
    /// Its text.
    pub text: &'static str,
}

macro_rules! examples {
    ($($file:literal $about:literal)*) => {
        /// All shipped models.
        pub const EXAMPLES: &[Example] = &[$(Example {
            file: $file,
            about: $about,
            text: include_str!(concat!("../../../examples/", $file)),
        }),*];
    };
}

examples! {
    "interception.drbt" "the interception game of paper 000: a controlled ball keeps another in the air"
    "1_balls.drbt" "one ball: no contact, one location"
    "2_balls.drbt" "two balls: 4 locations, 11 edges"
    "3_balls.drbt" "three balls: 64 locations, 524 edges"
    "4_balls.drbt" "four balls: 4,096 locations, 231,284 edges"
    "5_balls.drbt" "five balls: about a million locations and a billion edges"
    "10_balls.drbt" "ten balls: an automaton to count, not to build"
    "60_balls.drbt" "sixty balls: its size still takes no time"
    "three_balls_001.drbt" "paper 001: two balls stick together, a third arrives with spin"
    "three_balls_002.drbt" "paper 002: one ball hits two held by springs, both contacts close at once"
    "bouncing_ball.drbt" "a ball dropped on a plane bounces to rest"
    "newtons_cradle.drbt" "five touching balls; one arrives, one leaves"
    "billiard_break.drbt" "a cue ball breaks a rack of fifteen"
    "sliding_ball.drbt" "a ball that slides on a plane begins to roll"
    "between_walls.drbt" "a sphere on a spring between two walls"
}

/// What `dyverse new` writes.
pub const TEMPLATE: &str = include_str!("template.drbt");
