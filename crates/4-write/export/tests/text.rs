//! The text: reviewed snapshots of two and three balls, and what the options leave out.

use crate::support;

use dyverse_export::{Part, TextOptions, write_text};
use dyverse_machine::GraphKind::{Complete, Subset};
use dyverse_machine::HybridAutomaton;
use dyverse_model::Model;
use support::{automaton, balls, interception, written};

fn text(model: &Model, options: &TextOptions) -> String {
    written(model, Complete, |out, subject| write_text(out, subject, options))
}

#[test]
fn text_of_one_ball() {
    insta::assert_snapshot!(text(&balls(1), &TextOptions::default()));
}

#[test]
fn text_of_two_balls() {
    insta::assert_snapshot!(text(&balls(2), &TextOptions::default()));
}

#[test]
fn text_of_three_balls() {
    insta::assert_snapshot!(text(&balls(3), &TextOptions::default()));
}

#[test]
fn text_of_three_balls_in_the_subset_graph_without_interiors() {
    let options = TextOptions {
        node_interiors: false,
        ..TextOptions::default()
    };
    insta::assert_snapshot!(written(&balls(3), Subset, |out, subject| write_text(
        out, subject, &options
    )));
}

#[test]
fn text_of_the_interception_game_has_its_loads() {
    let whole = text(&interception(), &TextOptions::default());
    let head = whole.split("\nSymbols").next().expect("a head");
    insta::assert_snapshot!(head);
}

#[allow(clippy::expect_used, reason = "a test that cannot begin has failed")]
fn only(model: &Model, name: &str) -> TextOptions {
    let automaton: HybridAutomaton = automaton(model, Complete);
    TextOptions {
        only: Some(Part::named(&automaton, name).expect("such a part")),
        ..TextOptions::default()
    }
}

/// One location of sixty balls has more neighbours than atoms are in the world: the first few are shown.
#[test]
fn one_location_of_sixty_balls_with_its_first_edges() {
    let model = balls(60);
    let options = TextOptions {
        most_edges: Some(3),
        ..only(&model, "s_5,1")
    };
    let text = text(&model, &options);
    let block = text
        .split("\n\ns_5,1\n")
        .nth(1)
        .expect("the block of the location");
    assert_eq!(block.matches("  → ").count(), 3);
    assert!(
        block.ends_with("  … more edges leave it; the first 3 are shown\n"),
        "{block}"
    );
}

#[test]
fn a_part_by_itself_is_its_block_of_the_whole() {
    let model = balls(3);
    let whole = text(&model, &TextOptions::default());
    for name in ["S_0", "s_6,2", "I_6", "C_7"] {
        let part = text(&model, &only(&model, name));
        let start = part.rfind("\n\n").expect("a block");
        assert!(part[start..].trim_start().starts_with(name), "{name}");
        assert!(whole.contains(&part[start..]), "{name}");
    }
}

/// Every edge is in the text once, with its guard: counted against the closed form.
#[test]
fn the_text_has_every_edge() {
    for (count, edges) in [(1, 0), (2, 15), (3, 594)] {
        let text = text(&balls(count), &TextOptions::default());
        assert_eq!(text.matches("\n  → ").count(), edges);
        assert_eq!(text.matches("\n      guard  ").count(), edges);
    }
}

#[test]
fn names_of_no_part_are_refused() {
    let automaton = automaton(&balls(3), Complete);
    for name in [
        "", "s_6", "s_6,10", "s_6,0", "s_8,1", "S_1", "I_0", "C_8", "V_1", "s_6,+1", "6",
    ] {
        assert_eq!(Part::named(&automaton, name), None, "{name}");
    }
    for name in ["S_0", "0", "s_0,1", "s_7,27", "7,27", "I_7", "I_7,en", "C_1,ex"] {
        assert!(Part::named(&automaton, name).is_some(), "{name}");
    }
}
