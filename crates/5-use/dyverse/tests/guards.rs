//! Guards and actions where the rules say they are evaluated: the files that once went wrong, and that simulator, prover and C agree on them or refuse.
#![allow(clippy::panic, clippy::unwrap_used, clippy::indexing_slicing)]

use dyverse::time::Trace;
use dyverse::{ActorModel, TickOptions, read_actors_text, simulate_actors};

fn model(text: &str) -> ActorModel {
    let reading = read_actors_text("generated.dam", text);
    let found = format!("{:?}\n{text}", reading.diagnostics);
    reading.model.unwrap_or_else(|| panic!("{found}"))
}

fn case(name: &str) -> ActorModel {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/actors/");
    #[allow(clippy::disallowed_methods, reason = "a test reads its files")]
    model(&std::fs::read_to_string(format!("{folder}{name}.dam")).unwrap())
}

fn run(model: &ActorModel) -> Trace {
    simulate_actors(model, &TickOptions::default()).unwrap()
}

/// The values of a signal at an instant, microstep by microstep; those of its samples between two times.
fn values(trace: &Trace, name: &str, from: f64, to: f64) -> Vec<f64> {
    let id = trace.signal(name).unwrap().0 as usize;
    let samples = trace.samples.iter().filter(|s| (from..=to).contains(&s.time.t()));
    samples.map(|s| s.values[id]).collect()
}

#[test]
fn a_preemptive_guard_asks_for_presence() {
    let trace = run(&case("preempt_present"));
    assert_eq!(trace.transitions.len(), 1);
    assert!(values(&trace, "m.s", 0.0, 0.999).iter().all(|s| *s == 0.0));
    assert!(values(&trace, "m.s", 1.001, 2.0).iter().all(|s| *s == 1.0));
}

#[test]
fn an_output_action_of_a_preemptive_transition_is_there() {
    let at = values(&run(&case("preempt_output_absent")), "m.s", 1.0, 1.0);
    assert_eq!(at, [0.0, 4.0, 1.0]);
}

#[test]
fn an_immediate_guard_is_looked_at_when_its_mode_is_entered() {
    let trace = run(&case("immediate_present"));
    // The mode passed through speaks last.
    let at = values(&trace, "m.s", 1.0, 1.0);
    assert_eq!(at[..3], [0.0, 1.0, 2.0]);
    assert!(values(&trace, "m.s", 1.001, 2.0).iter().all(|s| *s == 2.0));
}

#[test]
fn a_mode_that_is_passed_through_runs() {
    let trace = run(&case("weak_immediate"));
    let (inner, outer) = (
        values(&trace, "m.inner", 0.0, 0.0),
        values(&trace, "m.outer", 0.0, 0.0),
    );
    assert_eq!((inner[1], outer[1]), (2.0, 3.0));
    assert!(inner[0].is_nan() && inner[2].is_nan() && outer[0].is_nan() && outer[2].is_nan());
}

#[test]
fn a_circuit_that_is_constructive_runs_and_is_refused_elsewhere() {
    let model = case("strict_if");
    let trace = run(&model);
    for (from, to, expected) in [(0.0, 0.99, 1.0), (1.01, 2.0, 2.0)] {
        for name in ["a", "b"] {
            assert!(
                values(&trace, name, from, to).iter().all(|v| *v == expected),
                "{name}"
            );
        }
    }
    let refused = dyverse::c::write_actors(&model.graph).unwrap_err();
    assert!(
        refused
            .what
            .contains("lies in a loop that only `if`, `and`, `or` keep open"),
        "{}",
        refused.what
    );
    let mut formulas = dyverse_formulas::ActorFormulas::new(&model.graph, &[]).unwrap();
    let (location, _) = formulas.start().unwrap();
    let refused = formulas.signal("a", &location).unwrap_err();
    assert!(refused.what.contains("keep open"), "{}", refused.what);
}

/// A loop that is really one is named, without names that the text does not have.
#[test]
fn a_loop_is_named_in_the_words_of_the_text() {
    let text = "e = at(1)
        modal m { out any s
          mode a { x = 1  s = x  when (x ?? 0) > 0 and present e preempt goto b }
          mode b { s = 2 } }
        horizon = 2
        record m.s";
    let error = simulate_actors(&model(text), &TickOptions::default())
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("causality loop at (1, 1)") && !error.contains('#'),
        "{error}"
    );
    for finding in read_actors_text("generated.dam", text).diagnostics {
        assert!(!format!("{finding:?}").contains("#when"), "{finding:?}");
    }
}

/// What a mode passed through says reaches others: that has no formulas, and is said so; rates do not.
#[test]
fn formulas_of_modes_passed_through() {
    let with = |more: &str| {
        model(&format!(
            "x' = m.r init 1
            modal m {{ out cont r
              mode a {{ r = 1 when x >= 2 goto b }}
              mode b {{ r = 5 when x < 100 immediate goto c }}
              mode c {{ r = -1 }} }}
            {more}
            horizon = 3"
        ))
    };
    let jumps = |model: &ActorModel| {
        let mut formulas = dyverse_formulas::ActorFormulas::new(&model.graph, &[]).unwrap();
        let (location, _) = formulas.start().unwrap();
        formulas.jumps(&location, 0)
    };
    // On through b, or to stay there.
    assert_eq!(jumps(&with("")).unwrap().len(), 2);
    for more in [
        "h = hold(m.r on gate(m.r > 4), init = 0)",
        "property p: always m.r < 4",
    ] {
        let refused = jumps(&with(more)).unwrap_err();
        assert!(
            refused.what.contains("passes through b by `immediate`"),
            "{}",
            refused.what
        );
    }
}

/// What another property reads does not matter to the one that is asked about.
#[test]
fn other_properties_are_not_in_the_way() {
    let text = "model passing
        x' = m.r init 1
        modal m { out cont r
          mode a { r = 1 when x >= 2 goto b }
          mode b { r = 5 when x < 100 immediate goto c }
          mode c { r = -1 } }
        property low: always x < 2.5
        property rate: always m.r < 4
        horizon = 2";
    let model = model(text);
    let verdict = |name: &str| {
        let options = dyverse::check::CheckOptions::default();
        let subject = dyverse::check::Checkable::Actors(&model);
        let go_on = |_| std::ops::ControlFlow::Continue(());
        dyverse::check::check(subject, name, &options, &go_on)
            .unwrap()
            .verdict
    };
    assert_eq!(verdict("low").word(), "SAFE");
    // The rate is 5 for one microstep: a run shows it, no proof is made.
    assert_ne!(verdict("rate").word(), "SAFE");
}
