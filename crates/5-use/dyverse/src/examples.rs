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
            text: include_str!(concat!("../../../../examples/", $file)),
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
    "thrown_rod.drbt" "a rod whose end slides, stops and slides back in the course of one impact, by the energetic law"
    "rolling_prism.drbt" "a hexagonal prism, the hull of its corners, falls from one edge onto the next face"
    "between_walls.drbt" "a sphere on a spring between two walls"
    "checks/bounce_heights.drbt" "heights after bounces 1 to 6, with e and h in ranges: each proved, and each refuted a little lower"
    "checks/oblique_collision.drbt" "two balls collide obliquely, friction in a range: how far the second is thrown"
    "checks/slide_to_roll.drbt" "by when a sliding ball rolls, friction in a range"
    "checks/double_bank.drbt" "a billiard ball off two cushions, its angle in a range"
    "checks/ten_impacts.drbt" "ten impacts of a mass on a spring between walls, stiffness in a range"
    "checks/cradle_sequential.drbt" "Newton's cradle, one collision at a time: the speed passes through"
    "checks/cradle_simultaneous.drbt" "Newton's cradle, all contacts at once: the speed is shared"
    "checks/incline.drbt" "a ball on an incline rolls or slips: the threshold tan a = 3.5 mu"
    "checks/thin_strip.drbt" "an unsafe strip that a run crosses between two steps"
    "checks/grazing.drbt" "a ball that just reaches a ceiling"
    "actors/balls.dam" "paper 004: ball, impact and collision detector, for the models below to import"
    "actors/interception.dam" "the interception game with its controller as an actor and the balls as a mechanism"
    "actors/interception_balls.drbt" "the balls of the interception game, for the model above"
    "actors/growth.dam" "paper 004, figure 2: an integrator in a loop"
    "actors/refused_strict_loop.dam" "paper 004, figure 1: strict actors in a loop, refused"
    "actors/counting_for_ever.dam" "paper 004, figure 1: a model without final values at time 0"
    "actors/two_balls.dam" "paper 004, figure 7: two balls exchange their velocities"
    "actors/three_balls_missed.dam" "paper 004, figure 9a: a collision that is not detected"
    "actors/newtons_cradle.dam" "paper 004, figure 9b: momentum passes through a ball in an instant"
    "actors/simultaneous_collisions_added.dam" "paper 004, figure 12a: impulses added, energy lost"
    "actors/simultaneous_collisions_one_by_one.dam" "paper 004, figure 12b: one collision a microstep, energy kept"
    "actors/unequal_balls_left_first.dam" "paper 004, figure 14a: the order of collisions matters"
    "actors/unequal_balls_right_first.dam" "paper 004, figure 14b: the other order"
    "actors/pushing_by_collisions.dam" "paper 004, figure 15: pushing as many small collisions"
    "actors/pushing_by_modes.dam" "paper 004, figure 26: pushing as a mode of its own"
    "actors/bouncing_ball_tunnels.dam" "paper 004, figure 18: a ball that falls through the floor"
    "actors/bouncing_ball_rests.dam" "paper 004, figure 23: a second mode in which the ball sits"
    "actors/bouncing_ball_by_transition.dam" "paper 004, figure 25: bounces as transitions with history"
    "actors/friction.dam" "paper 004, figure 28: stick, slip and strikes"
    "actors/friction_reaction.dam" "the same scene with the reaction on mass 1 and momentum kept"
    "actors/oblique_fall.dam" "paper 004, figure 31: impulses compared by their weights"
    "actors/diode_oscillator.dam" "paper 004, figure 32: half an oscillation"
    "actors/flyback_diode.dam" "paper 004, figure 35: causality that depends on modes"
    "actors/refused_capacitors.dam" "paper 004, figure 40: a loop through two impulses, refused"
    "actors/capacitors.dam" "paper 004, figure 41: with a microstep delay in each path"
    "actors/stacked_masses_chatter.dam" "paper 004, section 5.4: collisions without end at one instant"
    "actors/thermostat.dam" "a heater with hysteresis and a sampled display"
    "actors/two_tanks.dam" "two tanks, a pump and a valve with hysteresis: two modal models in parallel"
    "actors/ball_on_sine.dam" "a ball that bounces on a table moving as a sine"
}

/// What `dyverse new` writes.
pub const TEMPLATE: &str = include_str!("template.drbt");
/// What `dyverse new NAME.dam` writes.
pub const ACTOR_TEMPLATE: &str = include_str!("template.dam");
