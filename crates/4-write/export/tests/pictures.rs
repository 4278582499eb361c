//! DOT and SVG: reviewed snapshots, and SVG as XML.

use crate::support;

use dyverse_export::{write_dot, write_svg};
use dyverse_machine::GraphKind::{Complete, Subset};
use support::{balls, interception, model, written};

#[test]
fn dot_of_two_balls() {
    insta::assert_snapshot!(written(&balls(2), Complete, |out, subject| write_dot(
        out, subject
    )));
}

#[test]
fn dot_of_three_balls() {
    insta::assert_snapshot!(written(&balls(3), Complete, |out, subject| write_dot(
        out, subject
    )));
}

#[test]
fn svg_of_one_ball() {
    insta::assert_snapshot!(written(&balls(1), Complete, |out, subject| write_svg(
        out, subject
    )));
}

#[test]
fn svg_of_two_balls() {
    insta::assert_snapshot!(written(&balls(2), Complete, |out, subject| write_svg(
        out, subject
    )));
}

#[test]
fn svg_of_the_interception_game() {
    insta::assert_snapshot!(written(&interception(), Complete, |out, subject| write_svg(
        out, subject
    )));
}

#[test]
fn svg_of_three_balls() {
    insta::assert_snapshot!(written(&balls(3), Complete, |out, subject| write_svg(
        out, subject
    )));
}

#[test]
fn svg_of_three_balls_in_the_subset_graph() {
    insta::assert_snapshot!(written(&balls(3), Subset, |out, subject| write_svg(out, subject)));
}

#[test]
fn svg_of_four_balls() {
    insta::assert_snapshot!(written(&balls(4), Complete, |out, subject| write_svg(
        out, subject
    )));
}

/// Five contacts, 32 vertices: the most that are drawn one by one.
#[test]
fn svg_of_four_balls_of_which_two_never_touch() {
    let entity = |(i, name): (usize, &str)| {
        format!(
            "entity {name} {{ sphere(radius = 1) mass = 1 position = ({}, 0, 0) }}\n",
            3 * i
        )
    };
    let entities: String = ["a", "b", "c", "d"].into_iter().enumerate().map(entity).collect();
    let law = "contact default { restitution = 1 friction = 0.5 }\nno contact a, b\n";
    let model = model(&format!("system apart\n{entities}{law}"));
    insta::assert_snapshot!(written(&model, Subset, |out, subject| write_svg(out, subject)));
}

#[test]
fn svg_of_sixty_balls() {
    insta::assert_snapshot!(written(&balls(60), Complete, |out, subject| write_svg(
        out, subject
    )));
}

/// The size of sixty balls is immediate: nothing is built.
#[test]
fn pictures_of_sixty_balls_are_small_and_well_formed() {
    let model = balls(60);
    let svg = written(&model, Complete, |out, subject| write_svg(out, subject));
    let dot = written(&model, Complete, |out, subject| write_dot(out, subject));
    assert!(svg.len() < 100_000, "{} bytes", svg.len());
    assert!(dot.len() < 1_000_000, "{} bytes", dot.len());
    roxmltree::Document::parse(&svg).expect("well-formed");
}

#[test]
fn svg_is_well_formed_and_has_title_and_description() {
    for count in [1, 2, 3, 4, 5] {
        for kind in [Complete, Subset] {
            let svg = written(&balls(count), kind, |out, subject| write_svg(out, subject));
            let document = roxmltree::Document::parse(&svg).expect("well-formed");
            let root = document.root_element();
            assert_eq!(root.tag_name().name(), "svg");
            let children: Vec<_> = root.children().filter(roxmltree::Node::is_element).collect();
            assert_eq!(children[0].tag_name().name(), "title");
            assert!(
                children[0]
                    .text()
                    .is_some_and(|title| title.contains(&format!("balls_{count}")))
            );
            assert_eq!(children[1].tag_name().name(), "desc");
        }
    }
}
