//! The text of exported files, and what is said where there is none.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    missing_docs
)]

use crate::support;

use dyverse_interchange::{Hindrance, InterchangeOptions, Source, write_dreach, write_spaceex};
use support::{actor_example, actors, asking, drh, example, model, spaceex, sspaceex};

#[test]
fn the_bouncing_ball_for_dreach() {
    let model = example("bouncing_ball");
    let text = write_dreach(Source::Bodies(&model), &asking(Some("not_higher"), &[])).unwrap();
    drh::parse(&text).check();
    insta::assert_snapshot!(text);
}

#[test]
fn the_bouncing_ball_for_spaceex() {
    let model = example("bouncing_ball");
    let files = write_spaceex(Source::Bodies(&model), &asking(Some("not_higher"), &[("e", 0.8)])).unwrap();
    sspaceex::parse(&files).check();
    insta::assert_snapshot!(format!("{}{}", files.model, files.configuration));
}

#[test]
fn the_thermostat_for_both() {
    let model = actor_example("thermostat");
    let options = asking(Some("warm_enough"), &[]);
    let text = write_dreach(Source::Actors(&model.graph), &options).unwrap();
    let files = write_spaceex(Source::Actors(&model.graph), &options).unwrap();
    insta::assert_snapshot!(format!("{text}\n{}{}", files.model, files.configuration));
}

#[test]
fn parameters_that_are_in_the_way_may_take_their_nominal_values() {
    let model = example("between_walls");
    let options = InterchangeOptions {
        takes_nominal: true,
        ..asking(Some("inside"), &[])
    };
    let files = write_spaceex(Source::Bodies(&model), &options).unwrap();
    assert!(
        files.model.contains("k has its nominal value 1"),
        "{}",
        files.model
    );
    spaceex(Source::Bodies(&model), &options);
}

fn told(hindrance: Result<impl std::fmt::Debug, Hindrance>) -> Hindrance {
    hindrance.expect_err("no file is possible")
}

#[test]
fn the_construct_in_the_way_is_named() {
    let walls = example("between_walls");
    let found = told(write_spaceex(Source::Bodies(&walls), &asking(None, &[])));
    assert!(
        found
            .what
            .contains("the flow of `ball.vx` in location `free` has the term `-ball.x * k`"),
        "{found}"
    );
    assert_eq!(found.parameters, ["k"]);
    assert!(
        found.origin.is_some() && found.to_string().contains("--set k="),
        "{found}"
    );

    let game = example("interception");
    let found = told(write_spaceex(Source::Bodies(&game), &asking(None, &[("K", 2.0)])));
    assert!(
        found.what.contains("sqrt(") && found.what.contains("ball1.x"),
        "{found}"
    );
    assert!(found.parameters.is_empty());

    // Friction at several contacts has no closed form, whether restitution may be capped or not.
    let rough = example("three_balls_001");
    let found = told(write_dreach(Source::Bodies(&rough), &asking(None, &[])));
    assert!(
        found.what.contains("no closed form") && found.what.contains("ab slip"),
        "{found}"
    );
    let path = format!(
        "{}/../../../examples/three_balls_001.drbt",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(path).unwrap();
    let rough = model(&text.replace("impacts simultaneous", "impacts simultaneous uncapped"));
    let found = told(write_dreach(Source::Bodies(&rough), &asking(None, &[])));
    assert!(
        found.what.contains("no closed form") && found.what.contains("ab slip"),
        "{found}"
    );

    let steps = actors("x' = floor(x + 1) init 0.5\nhorizon = 1");
    let found = told(write_dreach(Source::Actors(&steps.graph), &asking(None, &[])));
    assert!(
        found.what.contains("the flow of `x`") && found.what.contains("floor"),
        "{found}"
    );

    let struck = actor_example("flyback_diode");
    let found = told(write_dreach(Source::Actors(&struck.graph), &asking(None, &[])));
    assert!(found.what.contains("`at` (source.open)"), "{found}");

    let late = asking(Some("rolls"), &[]);
    let found = told(write_dreach(Source::Bodies(&example("sliding_ball")), &late));
    assert!(
        found.what.contains("only `always` and `never`") && found.origin.is_some(),
        "{found}"
    );
}

#[test]
fn limits_are_errors_with_their_numbers() {
    let model = actor_example("two_tanks");
    let few = InterchangeOptions {
        most_locations: 3,
        ..asking(None, &[])
    };
    let found = told(write_dreach(Source::Actors(&model.graph), &few));
    assert!(found.what.contains("more than 3 locations"), "{found}");
    let narrow = InterchangeOptions {
        bounds: vec![("upper".to_owned(), 0.0, 1.0)],
        ..asking(None, &[])
    };
    let found = told(write_dreach(Source::Actors(&model.graph), &narrow));
    assert!(
        found.to_string().contains("`upper` begins between 1.5 and 1.5"),
        "{found}"
    );
}

/// Two contacts that close at once in the plane: which edges are possible is not found out within the limit, and that is said.
#[test]
fn formulas_that_are_too_large_are_named() {
    let model = example("three_balls_002");
    let options = InterchangeOptions {
        most_work: 200_000,
        ..asking(None, &[])
    };
    let found = told(write_dreach(Source::Bodies(&model), &options));
    let is_told = found.what.contains("too large") && found.what.contains("terms were looked at");
    assert!(is_told, "{found}");
}

/// Names that are words of the formats, or differ only in what no identifier has.
#[test]
fn names_are_kept_apart() {
    let model = model(
        "entity init { sphere(radius = 1)  mass = 1  position = (0, 5, 0) }
         fixed entity floor { plane(normal = (0, 1, 0), offset = 0) }
         param init_y in [1, 2]
         force on init = (0, -init_y, 0)
         contact default { restitution = 1 }
         horizon 1",
    );
    let text = write_dreach(Source::Bodies(&model), &asking(None, &[])).unwrap();
    let system = drh::parse(&text);
    system.check();
    assert!(
        system.variables.contains(&"init_y_2".to_owned()),
        "{:?}",
        system.variables
    );
    let mut once = system.variables.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), system.variables.len());
}

/// A mode that is entered outside its short domain: the domain is cut into parts, and no run is lost.
#[test]
fn a_domain_that_is_a_union_has_parts() {
    let model = actors(
        "x' = 1 init -2
         modal machine {
           out cont y
           initial mode one { y = 1  when x >= 0 and x <= 1 goto two }
           mode two { y = 2 }
         }
         horizon = 3
         record x, machine.y",
    );
    let system = support::dreach(Source::Actors(&model.graph), &asking(None, &[]));
    let run = system.run(&[], 3.0, 3000);
    assert!(
        run.jumps.iter().any(|t| (t - 2.0).abs() < 1e-6),
        "{:?}",
        run.jumps
    );
    assert!(system.locations.len() >= 2);
}

/// The second mode is entered where its own guard holds already: it is left at once, and no run is lost.
#[test]
fn a_mode_that_is_entered_beyond_its_guard_is_left_at_once() {
    let model = actors(
        "x' = 1 init 0
         modal machine {
           out cont y
           initial mode one { y = 1  when x >= 2 goto two }
           mode two { y = 2  when x >= 1 goto three }
           mode three { y = 3 }
         }
         horizon = 3
         record x, machine.y",
    );
    for system in [
        support::dreach(Source::Actors(&model.graph), &asking(None, &[])),
        spaceex(Source::Actors(&model.graph), &asking(None, &[])),
    ] {
        let run = system.run(&[], 3.0, 3000);
        assert_eq!(run.jumps.len(), 2, "{:?}", run.jumps);
        assert!(
            run.jumps.iter().all(|t| (t - 2.0).abs() < 1e-6),
            "{:?}",
            run.jumps
        );
    }
}
