//! One model, run in every way there is, does the same: a run of its own, a component that something else steps, a block in pieces and event by event, a part of an actor model, FMUs of both
//! versions and interfaces, compiled C. On shipped and on generated models; [`same`] says what is the same.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used
)]

mod subjects;

#[path = "../../../../4-write/c/tests/actors_support/mod.rs"]
mod actors_in_c;
#[path = "../../../../4-write/c/tests/support/mod.rs"]
mod bodies_in_c;
#[path = "../../../tick/tests/guards/random.rs"]
#[allow(
    dead_code,
    reason = "the evaluator that judges the simulator reads more of it"
)]
mod guards;
#[path = "../../../../4-write/c/tests/actors_support/nets.rs"]
mod nets;
#[path = "../../../../5-use/dyverse/tests/campaign/random.rs"]
#[allow(dead_code)]
mod random;
#[path = "../../../simulate/tests/support/scene.rs"]
mod scene;

use crate::same::{Told, almost_equal, same};
use dyverse_actors::Graph;
use dyverse_block::AnyModel;
use dyverse_fmu::Version;
use dyverse_fmu_import::Interface;
use dyverse_tick::TickOptions;
use scene::{Form, Recipe, Scene};
use subjects::Subject;

/// Entities up to which all contacts are watched from outside: every pair has its indicators.
const FEW: usize = 5;

/// The model whose last bounces depend on the steps of whoever integrates it, as docs/CONSTRUCTIVE.md says of figure 18.
const TUNNELS: &str = "bouncing_ball_tunnels.dam";
/// The model whose balls drift towards each other after t = 3.5, by 3e-10 m/s: when they touch hangs on the rounding of positions. It
/// is not run as an FMU.
const DRIFTS: &str = "pushing_by_collisions.dam";
/// Where the sine is 1 it touches the level of `floor` with its apex: the margin of an event indicator, 1e-14, lasts 1e-6 s there. So nets with this are not stepped from outside.
const GRAZES: &str = "floor(3 * sin(";
/// How two models say that a run sees events on a grid of steps.
const GRID: &str = "tolerances { max_step = 1e-3 }";

/// All ways to run a rigid-body system; events of its run, and whether it was run in C.
fn bodies(subject: &Subject, place: usize) -> (usize, bool) {
    let AnyModel::Bodies(model) = &subject.source.model else {
        panic!("{} is no rigid-body system", subject.name)
    };
    let (name, run) = (&subject.name, subject.run());
    if model.entities().len() <= FEW {
        same(name, &run, &subject.component(None));
        same(name, &run, &subject.component(Some(place as u64)));
        same(name, &run, &subject.block(false));
        same(name, &run, &subject.block(true));
        same(name, &run, &subject.inside());
        fmus(subject, &run, place);
    }
    // What cannot be written in C is refused, which other tests look at.
    let is_written = dyverse_c::write_bodies(model).is_ok();
    if is_written {
        let built = bodies_in_c::Built::new(model, &["-O1"]);
        let every = format!("every={:?}", subject.every());
        same(name, &run, &built.run(&[every]).told());
    }
    (run.times().len(), is_written)
}

/// All ways to run an actor model; events of its run, and whether it came to its end. A run looks at its horizon; what is run by somebody else does not know that it is one: `has_end` says that nothing
/// happens there by that alone.
fn actors(subject: &Subject, place: usize, has_end: bool) -> (usize, bool) {
    let AnyModel::Actors(model) = &subject.source.model else {
        panic!("{} is no actor model", subject.name)
    };
    let (name, mut run) = (&subject.name, subject.run());
    let pieces = subject.component(Some(place as u64));
    if has_end {
        almost_equal(name, &run, &pieces);
    } else {
        run = run.before(subject.until - 1e-9);
        same(name, &run, &pieces);
    }
    if subject.has_grid() {
        let free = Subject::new(name, &subject.text.replace(GRID, "")).unwrap();
        assert!(!free.has_grid(), "{name}");
        let (run, component) = (free.run(), free.component(None));
        let count = run.times().len();
        if name == TUNNELS {
            assert!(count > 30 && component.times().len() >= count, "{name}");
            same(name, &run.first(count), &component.first(count));
        } else {
            same(name, &run, &component);
        }
    } else if !subject.text.contains(GRAZES) {
        same(name, &run, &subject.component(None));
    }
    same(name, &run, &subject.block(false));
    same(name, &run, &subject.block(true));
    let is_conditioned = !subject.text.contains(GRAZES) && name != DRIFTS;
    if !subject.has_grid() && is_conditioned && run.is_complete() {
        fmus(subject, &run, place);
    }
    if model.mechanisms.is_empty() {
        in_c(subject, &model.graph);
    }
    (run.times().len(), run.is_complete())
}

/// An actor model as a program in C.
fn in_c(subject: &Subject, graph: &Graph) {
    let built = actors_in_c::build(graph);
    let outcome = actors_in_c::run(&built, &["stops=3".to_owned()]);
    let result = actors_in_c::expected(graph, TickOptions::default());
    let title = format!("{}\n{}", subject.name, subject.text);
    actors_in_c::compare(&title, &outcome, &result);
    assert_eq!(subject.run().is_refused(), result.is_err(), "{title}");
}

/// As FMUs: both interfaces, the versions in turn.
fn fmus(subject: &Subject, run: &Told, place: usize) {
    let versions = [Version::Two, Version::Three];
    for (k, interface) in [Interface::ModelExchange, Interface::CoSimulation]
        .into_iter()
        .enumerate()
    {
        let version = versions[(place + k) % 2];
        same(&subject.name, run, &subject.fmu(version, interface));
    }
}

/// The shipped models of a folder, in order; those that show how something is refused, and a part without a horizon, cannot run.
fn shipped(folder: &str, ending: &str) -> Vec<Subject> {
    let folder = format!("{}/../../../examples/{folder}", env!("CARGO_MANIFEST_DIR"));
    let paths = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|e| e == ending))
        .collect();
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        let subject = Subject::new(&file, &std::fs::read_to_string(path).unwrap());
        let can_be_left_out =
            file.starts_with("refused") || file.ends_with("balls.drbt") || file == "balls.dam";
        assert!(subject.is_some() || can_be_left_out, "{file}");
        subject
    };
    paths.iter().filter_map(read).collect()
}

#[test]
fn shipped_bodies() {
    let mut all = shipped("", "drbt");
    all.extend(shipped("checks", "drbt"));
    let (mut events, mut refused) = (0, Vec::new());
    for (place, subject) in all.iter().enumerate() {
        let (seen, is_written) = bodies(subject, place);
        events += seen;
        refused.extend((!is_written).then_some(&subject.name));
    }
    assert!(
        all.len() > 15 && events > 200,
        "{} models, {events} events",
        all.len()
    );
    // C knows neither hulls nor the energetic law, and says so.
    assert_eq!(refused, ["rolling_prism.drbt", "thrown_rod.drbt"], "not in C");
}

/// The shipped actor models whose place in the alphabet is this one of three.
fn shipped_actors(part: usize) {
    let all = shipped("actors", "dam");
    let mine = all.iter().enumerate().skip(part).step_by(3);
    let events: usize = mine.map(|(place, subject)| actors(subject, place, true).0).sum();
    assert!(
        all.len() > 20 && events > 20,
        "{} models, {events} events",
        all.len()
    );
}

#[test]
fn shipped_actors_one() {
    shipped_actors(0);
}

#[test]
fn shipped_actors_two() {
    shipped_actors(1);
}

#[test]
fn shipped_actors_three() {
    shipped_actors(2);
}

/// Things of all shapes thrown at each other and into corners. Short: where shapes rattle, rounding grows tenfold with every impact.
#[test]
fn random_scenes() {
    const RECIPE: Recipe<'_> = Recipe {
        kinds: &Form::ROUND,
        things: (1, 3),
        walls: 2,
        gravity: 9.81,
        friction: 0.4,
        restitution: 0.8,
    };
    let mut events = 0;
    for seed in 0..16 {
        let text = format!("{}\nhorizon 0.4\n", Scene::random(seed, &RECIPE).text());
        let subject = Subject::new(&format!("scene {seed}"), &text).unwrap();
        events += bodies(&subject, seed as usize).0;
    }
    assert!(events > 40, "{events}");
}

/// Slip that turns as it stops, and starts again.
#[test]
fn an_egg_on_a_rough_floor() {
    let text = "
        entity egg { ellipsoid(semi_axes = (0.2, 0.35, 0.25))  mass = 2  position = (0, 0.5, 0)
                     velocity = (1, 0, 0.5)  angular_velocity = (0, 1, 3) }
        fixed entity floor { half_space(normal = (0, 1, 0), offset = 0) }
        contact egg, floor { restitution = 0.3  friction = 0.25 }
        gravity (0, -9.81, 0)
        horizon 1.2";
    assert!(bodies(&Subject::new("egg", text).unwrap(), 0).0 > 5);
}

/// Friction that jumps over the slip speed: it is slowed down, pushed through jumps, and held at one.
#[test]
fn friction_that_jumps() {
    for (place, (friction, push)) in [
        ("if slip_speed < 1 then 0.3 else 0.1", 0.0),
        (
            "if slip_speed < 1 then 0.1 else (if slip_speed < 2 then 0.3 else 0.2)",
            4.0,
        ),
        ("if slip_speed > 1.2 then 0.4 else 0.1", 2.0),
        ("if slip_speed > 0 then 0.1 else 0.3", 1.5),
    ]
    .into_iter()
    .enumerate()
    {
        let text = format!(
            "entity b {{ sphere(radius = 0.1) mass = 1 inertia = (1e9, 1e9, 1e9) position = (0, 0, 0.1) velocity = (1.5, 0.1, 0) }}
             fixed entity floor {{ half_space(normal = (0, 0, 1), offset = 0) }}
             contact default {{ restitution = 0 friction = {friction} }}
             gravity (0, 0, -9.81)\nforce on b = ({push:?}, 0, 0)\nhorizon 2"
        );
        bodies(&Subject::new(friction, &text).unwrap(), place);
    }
}

/// Loads that switch: over time, over states, in what an input is when nothing drives it; dry friction.
#[test]
fn loads_that_switch() {
    for (place, load) in [
        "force on b = (if time > 0.5 and time < 0.51 then 100 else 0, 0, 0)",
        "force on b = (if abs(b.x - 1) < 0.001 then 1000 else 0, floor(3 * time), 0)",
        "force on b = (-3 * sign(b.vx), 0, max(0, sin(5 * time)))",
        "force on b = (if b.x > 0.3 then -4 else 1, 0, 0)",
        "input u = if time > 1 then 3 else 0\nforce on b = (u, 0, 0)",
    ]
    .into_iter()
    .enumerate()
    {
        let text =
            format!("entity b {{ sphere(radius = 0.2) mass = 1 velocity = (1, 0, 0) }}\n{load}\nhorizon 2");
        bodies(&Subject::new(load, &text).unwrap(), place);
    }
}

/// Compares generated actor models until so many are done; some are refused before they run, others have too few events to be taken.
fn generated(count: usize, seeds: impl Iterator<Item = u64>, least: usize, text: impl Fn(u64) -> String) {
    let (mut compared, mut complete, mut events) = (0, 0, 0);
    for seed in seeds {
        let Some(subject) = Subject::new(&format!("seed {seed}.dam"), &text(seed)) else {
            continue;
        };
        let run = subject.run();
        if least > 0 && !(run.is_complete() && run.times().len() >= least) {
            continue;
        }
        let (seen, is_complete) = actors(&subject, compared, false);
        events += seen;
        complete += usize::from(is_complete);
        compared += 1;
        if compared == count {
            break;
        }
    }
    assert!(
        compared == count && 3 * complete > count && events > 3 * count,
        "{compared} compared, {complete} to the end, {events} events"
    );
}

/// Guards and actions with operators, modes in modes and modes passed through.
#[test]
fn random_guards() {
    generated(12, 0..1000, 8, |seed| guards::random_model(seed).text());
}

#[test]
fn random_nets_of_all_operators() {
    generated(24, 0..1000, 0, nets::random_net);
}

/// A run looks at its horizon, and so does the C; what is run by somebody else does not know that it is one.
#[test]
fn a_net_that_jumps_at_the_horizon() {
    let subject = Subject::new("seed 201.dam", &nets::random_net(201)).unwrap();
    let AnyModel::Actors(model) = &subject.source.model else {
        panic!("an actor model")
    };
    assert_eq!(subject.run().times().last(), Some(&subject.until));
    in_c(&subject, &model.graph);
}
