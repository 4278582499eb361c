//! Drawings of actor models: reviewed snapshots.
#![allow(clippy::expect_used, reason = "a test that cannot begin has failed")]

use dyverse_export::{modes_svg, write_actors_svg};
use dyverse_lang::{ActorModel, Loaded, NoImports, read_actors};

fn friction() -> ActorModel {
    let main = Loaded::named(
        "friction",
        include_str!("../../../../examples/actors/friction.dam"),
    );
    read_actors(main, &mut NoImports).model.expect("a model")
}

#[test]
fn actors_of_friction() {
    let mut out = Vec::new();
    write_actors_svg(&mut out, &friction().graph).expect("memory takes all bytes");
    insta::assert_snapshot!(String::from_utf8(out).expect("UTF-8"));
}

#[test]
fn modes_of_friction() {
    let drawings = modes_svg(&friction().graph);
    let titles: Vec<&str> = drawings.iter().map(|(title, _)| title.as_str()).collect();
    assert_eq!(titles, ["Modes of masses", "Modes of masses.sliding.drag"]);
    insta::assert_snapshot!(drawings[0].1);
}

/// Places as traces of this model name them.
#[test]
fn modes_can_be_lit_in_both_drawings() {
    let model = friction();
    let mut out = Vec::new();
    write_actors_svg(&mut out, &model.graph).expect("memory takes all bytes");
    let actors = String::from_utf8(out).expect("UTF-8");
    let modes: String = modes_svg(&model.graph).into_iter().map(|(_, svg)| svg).collect();
    for key in ["masses.stuck", "masses.sliding", "masses.sliding.drag.rightwards"] {
        for drawing in [&actors, &modes] {
            assert!(drawing.contains(&format!("data-light=\"{key}\"")), "{key}");
        }
    }
    assert!(modes.contains("data-edge=\"masses.stuck→masses.sliding\""));
}
