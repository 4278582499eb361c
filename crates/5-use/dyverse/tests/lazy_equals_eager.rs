//! The lazy and the eager automaton of whole models agree edge for edge: free balls, planes, fixed entities, several contacts to a pair, pruned
//! and unpruned, both graphs.
#![allow(clippy::unwrap_used, clippy::panic)]

use dyverse::automaton::{BuildLimit, EagerAutomaton, Edge, GraphKind};
use dyverse::{EXAMPLES, GenerateOptions, generate, read_text};

fn check(name: &str, text: &str) -> usize {
    let model = read_text(name, text)
        .model
        .unwrap_or_else(|| panic!("{name} is no model"));
    let mut walked = 0;
    for graph in [GraphKind::Complete, GraphKind::Subset] {
        for prune in [false, true] {
            let automaton = generate(&model, &GenerateOptions { graph, prune })
                .unwrap()
                .automaton;
            let eager = EagerAutomaton::build(&automaton, &BuildLimit::default()).unwrap();
            let stored: Vec<&Edge> = eager.edges().iter().map(|stored| stored.edge()).collect();
            let lazy: Vec<Edge> = automaton.edges().collect();
            assert!(
                lazy.iter().eq(stored.iter().copied()),
                "{name} {graph:?} prune {prune}"
            );
            for stored in eager.edges().iter().step_by(97) {
                assert_eq!(*stored.guard(), automaton.guard(stored.edge()), "{name}");
                assert_eq!(*stored.reset(), automaton.reset(stored.edge()), "{name}");
            }
            let size = automaton.size().unwrap();
            assert_eq!(size.all_edges().to_string(), lazy.len().to_string(), "{name}");
            walked += lazy.len();
        }
    }
    walked
}

#[test]
fn shipped_models() {
    let small = [
        "1_balls",
        "2_balls",
        "3_balls",
        "4_balls",
        "bouncing_ball",
        "between_walls",
        "three_balls_002",
    ];
    for example in EXAMPLES
        .iter()
        .filter(|e| small.contains(&e.file.trim_end_matches(".drbt")))
    {
        let walked = check(example.file, example.text);
        assert_eq!(walked == 0, example.file == "1_balls.drbt");
    }
}

#[test]
fn mixed_models_with_planes_and_fixed_entities() {
    check(
        "mixed",
        "entity a { sphere(radius = 0.5) mass = 1 position = (0, 2, 0) }
         entity rod { capsule(radius = 0.1, length = 1) mass = 1 position = (3, 2, 0) }
         fixed entity floor { plane(normal = (0, 1, 0)) }
         fixed entity post { sphere(radius = 0.2) position = (0, 0.5, 3) }
         contact default { restitution = 0.5 friction = 0.3 }",
    );
    check(
        "corner",
        "entity a { sphere(radius = 0.5) mass = 1 position = (2, 2, 2) }
         entity b { sphere(radius = 0.5) sphere(radius = 0.3, at = (0, 0, 0)) mass = 1 position = (5, 2, 2) }
         fixed entity floor { half_space(normal = (0, 1, 0)) }
         fixed entity wall { half_space(normal = (1, 0, 0)) }
         no contact b, wall
         contact default { restitution = 0.5 }",
    );
}
