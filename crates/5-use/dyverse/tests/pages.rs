//! Pages of shipped models, as data: what the browser is given.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

use dyverse::pages::{
    Page, actors_page, bodies_page, bodies_trace_page, trace_page, write_page, write_page_json,
};
use dyverse::time::Trace;
use dyverse::view::{Run, SignalKind};
use dyverse::{EXAMPLES, Loaded, Loader, RunOptions, TickOptions, read, read_actors};
use std::collections::BTreeSet;

struct Shipped;

impl Loader for Shipped {
    fn load(&mut self, _: &str, path: &str) -> Result<Loaded, String> {
        let name = path.rsplit('/').next().unwrap();
        let is_it = |file: &str| file.rsplit('/').next() == Some(name);
        let found = EXAMPLES.iter().find(|e| is_it(e.file)).ok_or("no such file")?;
        Ok(Loaded::named(path, found.text))
    }
}

fn bodies(text: &str) -> (Page, Trace) {
    let model = read(Loaded::named("model.drbt", text), &mut Shipped)
        .model
        .unwrap();
    bodies_page(&model, None, &RunOptions::default()).unwrap()
}

fn example(name: &str) -> (Page, Trace) {
    let found = EXAMPLES
        .iter()
        .find(|e| e.file == name)
        .unwrap_or_else(|| panic!("{name}"));
    if !name.ends_with(".dam") {
        return bodies(found.text);
    }
    let model = read_actors(Loaded::named(name, found.text), &mut Shipped)
        .model
        .unwrap();
    actors_page(&model, None, &TickOptions::default(), &mut |_| {}).unwrap()
}

/// The path of places that a run takes.
fn path(run: &Run) -> Vec<String> {
    let machine = &run.machines[0];
    let moves = machine.moves.iter().map(|m| m.place.clone());
    std::iter::once(machine.initial.clone())
        .chain(moves)
        .map(Option::unwrap_or_default)
        .collect()
}

#[test]
fn the_interception_game_goes_the_papers_way() {
    let (page, trace) = example("interception.drbt");
    let run = &page.document.runs[0];
    let node = [
        "I_1,en", "I_1,1", "I_1,2", "I_1,3", "I_1,1", "I_1,2", "I_1,3", "I_1,4", "I_1,5", "I_1,ex",
    ];
    let mut expected = vec!["S_0"];
    for _ in 0..2 {
        expected.extend(node);
        expected.push("S_0");
    }
    assert_eq!(path(run), expected);
    assert_eq!(run.transitions.len(), trace.transitions.len());
    // The impulse on ball 2 is what its velocity jumps by: mass 1.
    let impulse = run.transitions.iter().find(|t| t.to == "I_1,ex").unwrap().forces[0]
        .vector
        .unwrap();
    let jump = |name: &str| {
        let id = trace.signal(name).unwrap().0 as usize;
        let at = trace
            .samples
            .windows(2)
            .find(|w| w[0].time.t() == w[1].time.t())
            .unwrap();
        at[1].values[id] - at[0].values[id]
    };
    for (axis, name) in ["ball2.vx", "ball2.vy", "ball2.vz"].into_iter().enumerate() {
        assert!((impulse[axis] - jump(name)).abs() < 1e-12, "{name}");
    }
    let place = run.places.iter().find(|p| p.name == "I_1,2").unwrap();
    assert_eq!(place.lights[0], "I_1,2");
    assert!(page.document.graphs[0].svg.contains("data-light=\"I_1,2\""));
    let kinds: BTreeSet<String> = run.signals.iter().map(|s| format!("{:?}", s.kind)).collect();
    for kind in [
        SignalKind::State,
        SignalKind::Gap,
        SignalKind::Energy,
        SignalKind::Input,
    ] {
        assert!(kinds.contains(&format!("{kind:?}")), "{kind:?}");
    }
}

#[test]
fn resting_bodies_have_forces_along_the_run() {
    let (page, _) = example("sliding_ball.drbt");
    let run = &page.document.runs[0];
    assert_eq!(run.contacts.len(), 1);
    assert_eq!((run.contacts[0].first, run.contacts[0].second), (0, 1));
    assert!(run.signals.iter().any(|s| s.name == "normal force(ball-floor)"));
    assert!(run.bodies[1].fixed && !run.bodies[0].fixed);
}

#[test]
fn a_mode_inside_a_mode_is_active_only_there() {
    let (page, trace) = example("actors/friction.dam");
    let run = &page.document.runs[0];
    let [outer, inner] = &run.machines[..] else {
        panic!()
    };
    assert_eq!(outer.initial.as_deref(), Some("masses.stuck"));
    assert_eq!(inner.initial, None);
    // Whenever the masses stick, the friction inside the sliding mode is nowhere; whenever they slide, it is somewhere.
    for transition in trace.transitions.iter().filter(|t| t.to.starts_with("masses.")) {
        let after = |machine: &dyverse::view::Machine| {
            let made = machine
                .moves
                .iter()
                .take_while(|m| (m.t, m.n) <= (transition.time.t(), transition.time.n()));
            made.last().map_or(machine.initial.clone(), |m| m.place.clone())
        };
        let (place, inside) = (after(outer), after(inner));
        assert_eq!(
            place.as_deref() == Some("masses.sliding"),
            inside.is_some(),
            "{:?}",
            transition.time
        );
    }
    assert!(!page.document.graphs.is_empty());
}

#[test]
fn every_shipped_model_becomes_a_page_with_all_its_tables() {
    for found in EXAMPLES.iter().filter(|e| !e.file.contains("refused")) {
        // A library is no model.
        if found.file == "actors/balls.dam" {
            continue;
        }
        // Automata to count, not to run.
        if ["10_balls", "60_balls"]
            .iter()
            .any(|name| found.file.starts_with(name))
        {
            continue;
        }
        let text = found.text;
        if found.file.ends_with(".drbt") && !text.contains("horizon") {
            continue;
        }
        let (page, trace) = example(found.file);
        let run = &page.document.runs[0];
        let blobs = page.blobs.texts().len();
        let columns = run.signals.iter().map(|s| s.column).chain([run.t, run.n]);
        for column in columns {
            assert!(
                column.blob < blobs && column.count == trace.samples.len(),
                "{}",
                found.file
            );
        }
        let mut html = Vec::new();
        write_page(&mut html, &page).unwrap();
        assert!(html.len() < 2_000_000, "{}: {} bytes", found.file, html.len());
        let names: BTreeSet<&str> = run.places.iter().map(|p| p.name.as_str()).collect();
        for machine in &run.machines {
            for place in machine.moves.iter().filter_map(|m| m.place.as_deref()) {
                assert!(names.contains(place), "{}: {place}", found.file);
            }
        }
    }
}

#[test]
fn a_trace_alone_and_with_its_model() {
    let found = EXAMPLES.iter().find(|e| e.file == "interception.drbt").unwrap();
    let model = read(Loaded::named("m", found.text), &mut Shipped).model.unwrap();
    let trace = dyverse::simulate(&model, &RunOptions::default()).unwrap();
    let alone = trace_page(&trace);
    assert_eq!(alone.document.runs[0].bodies.len(), 2);
    assert!(alone.document.runs[0].bodies[0].surfaces.is_empty());
    let with = bodies_trace_page(&model, None, &trace).unwrap();
    assert_eq!(with.document.runs[0].bodies[0].surfaces.len(), 1);
    assert!(!with.document.notes.is_empty());
    let other = EXAMPLES.iter().find(|e| e.file == "sliding_ball.drbt").unwrap();
    let other = read(Loaded::named("m", other.text), &mut Shipped).model.unwrap();
    assert!(bodies_trace_page(&other, None, &trace).is_err());
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let bytes = || {
        let mut out = Vec::new();
        write_page_json(&mut out, &example("three_balls_001.drbt").0).unwrap();
        out
    };
    assert_eq!(bytes(), bytes());
}
