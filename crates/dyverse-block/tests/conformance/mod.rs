//! One model, run in every way there is, does the same: a run of its own, a component that something else steps, a block in pieces and event by event, a part of an actor model, FMUs of both
//! versions and interfaces, compiled C. On shipped and on generated models; [`same`] says what is the same.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used
)]

mod subjects;

#[path = "../../../dyverse-c/tests/actors_support/mod.rs"]
mod actors_in_c;
#[path = "../../../dyverse-c/tests/support/mod.rs"]
mod bodies_in_c;
#[path = "../../../dyverse-tick/tests/guards/random.rs"]
#[allow(
    dead_code,
    reason = "the evaluator that judges the simulator reads more of it"
)]
mod guards;
#[path = "../../../dyverse-c/tests/actors_support/nets.rs"]
mod nets;
#[path = "../../../dyverse/tests/campaign/random.rs"]
#[allow(dead_code)]
mod random;
#[path = "../../../dyverse-run/tests/support/scene.rs"]
mod scene;

use crate::same::{REFUSED, same};
use dyverse_block::AnyModel;
use dyverse_fmu::Version;
use dyverse_fmu_import::Interface;
use dyverse_tick::TickOptions;
use scene::{Form, Recipe, Scene};
use subjects::Subject;

/// Entities up to which all contacts are watched from outside: every pair has its indicators.
const FEW: usize = 5;

/// All ways to run a rigid-body system; events of its run.
fn bodies(subject: &Subject, place: usize) -> usize {
    let AnyModel::Bodies(model) = &subject.source.model else {
        panic!("{} is no rigid-body system", subject.name)
    };
    let (name, run) = (&subject.name, subject.run());
    if model.entities().len() <= FEW {
        same(name, &run, &subject.component());
        same(name, &run, &subject.block(false));
        same(name, &run, &subject.block(true));
        same(name, &run, &subject.inside());
        fmus(subject, place);
    }
    // What cannot be written in C is refused, which other tests look at.
    if dyverse_c::write_bodies(model).is_ok() {
        let built = bodies_in_c::Built::new(model, &["-O1"]);
        let every = format!("every={:?}", subject.until / 8.0);
        same(name, &run, &built.run(&[every]).told());
    }
    run.times().len()
}

/// All ways to run an actor model; events of its run, and whether it came to its end.
fn actors(subject: &Subject, place: usize) -> (usize, bool) {
    let AnyModel::Actors(model) = &subject.source.model else {
        panic!("{} is no actor model", subject.name)
    };
    let (name, run) = (&subject.name, subject.run());
    if !subject.has_grid() {
        same(name, &run, &subject.component());
    }
    same(name, &run, &subject.block(false));
    same(name, &run, &subject.block(true));
    if !subject.has_grid() && run.is_complete() {
        fmus(subject, place);
    }
    if model.mechanisms.is_empty() {
        let built = actors_in_c::build(&model.graph);
        let outcome = actors_in_c::run(&built, &["stops=3".to_owned()]);
        let result = actors_in_c::expected(&model.graph, TickOptions::default());
        actors_in_c::compare(&format!("{name}\n{}", subject.text), &outcome, &result);
        assert_eq!(run.end == REFUSED, result.is_err(), "{name}");
    }
    (run.times().len(), run.is_complete())
}

/// As FMUs: both interfaces, the versions in turn.
fn fmus(subject: &Subject, place: usize) {
    let run = subject.run();
    let versions = [Version::Two, Version::Three];
    for (k, interface) in [Interface::ModelExchange, Interface::CoSimulation]
        .into_iter()
        .enumerate()
    {
        let version = versions[(place + k) % 2];
        same(&subject.name, &run, &subject.fmu(version, interface));
    }
}

/// The shipped models of a folder, in order.
fn shipped(folder: &str, ending: &str) -> Vec<Subject> {
    let folder = format!("{}/../../examples/{folder}", env!("CARGO_MANIFEST_DIR"));
    let paths = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|e| e == ending))
        .collect();
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        Subject::new(&file, &std::fs::read_to_string(path).unwrap())
    };
    paths.iter().filter_map(read).collect()
}

#[test]
fn shipped_bodies() {
    let mut all = shipped("", "drbt");
    all.extend(shipped("checks", "drbt"));
    let events: usize = all
        .iter()
        .enumerate()
        .map(|(place, subject)| bodies(subject, place))
        .sum();
    assert!(
        all.len() > 15 && events > 200,
        "{} models, {events} events",
        all.len()
    );
}

/// The shipped actor models whose place in the alphabet is this one of three.
fn shipped_actors(part: usize) {
    let all = shipped("actors", "dam");
    let mine = all.iter().enumerate().skip(part).step_by(3);
    let events: usize = mine.map(|(place, subject)| actors(subject, place).0).sum();
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
        kinds: &Form::KINDS,
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
        events += bodies(&subject, seed as usize);
    }
    assert!(events > 40, "{events}");
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

/// Compares generated actor models until so many are done; some are refused before they run.
fn generated(count: usize, text: impl Fn(u64) -> String) {
    let (mut compared, mut complete, mut events) = (0, 0, 0);
    for seed in 0..10 * count as u64 {
        let Some(subject) = Subject::new(&format!("seed {seed}.dam"), &text(seed)) else {
            continue;
        };
        let (seen, is_complete) = actors(&subject, compared);
        events += seen;
        complete += usize::from(is_complete);
        compared += 1;
        if compared == count {
            break;
        }
    }
    assert!(
        compared == count && 3 * complete > count && events > count,
        "{compared} compared, {complete} to the end, {events} events"
    );
}

/// Guards and actions with operators, modes in modes and modes passed through.
#[test]
fn random_guards() {
    generated(12, |seed| guards::random_model(seed).text());
}

#[test]
fn random_nets_of_all_operators() {
    generated(16, nets::random_net);
}
