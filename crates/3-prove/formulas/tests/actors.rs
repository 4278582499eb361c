//! What has formulas and what has not; how conditions, unknowns and locations look.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    missing_docs
)]

use crate::actor_support;

use actor_support::{Execution, compare, example, folder, holds, text, try_example, value};
use dyverse_actors::Graph;
use dyverse_expr::Printer;
use dyverse_formulas::{ActorFormulas, ActorLocation, Condition, Obstacle, Relation};
use dyverse_model::Formula;
use std::collections::{BTreeMap, BTreeSet};

/// Goes to every location that some event leads to; the number of them, or what is in the way.
fn explore(graph: &Graph) -> Result<usize, Obstacle> {
    let mut formulas = ActorFormulas::new(graph, &[])?;
    let (start, values) = formulas.start()?;
    assert_eq!(values.len(), formulas.variables().state_count() + 1);
    let mut seen = BTreeSet::from([start.clone()]);
    let mut open = vec![start];
    while let Some(location) = open.pop() {
        assert_eq!(formulas.flow(&location)?.rates.len(), values.len());
        for event in 0..formulas.events(&location)?.len() {
            for jump in formulas.jumps(&location, event)? {
                assert_eq!(jump.reset.len(), values.len());
                if seen.insert(jump.target.clone()) {
                    open.push(jump.target);
                }
            }
        }
    }
    Ok(seen.len())
}

fn in_the_way(model: &str) -> String {
    explore(&text(&format!("{model}\nhorizon = 1"))).unwrap_err().what
}

#[test]
fn every_example_has_formulas_or_says_why_not() {
    let mut names: Vec<String> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| name.strip_suffix(".dam").map(str::to_owned))
        .collect();
    names.sort();
    let told: Vec<String> = names
        .iter()
        .map(|name| match try_example(name).map(|graph| explore(&graph)) {
            None => format!("{name}: refused"),
            Some(Ok(count)) => format!("{name}: {count}"),
            Some(Err(obstacle)) => format!("{name}: {obstacle}"),
        })
        .collect();
    assert_eq!(told.join("\n"), include_str!("examples.txt").trim_end());
}

#[test]
fn each_construct_without_formulas_is_named() {
    let cases = [
        ("x' = 1 impulse clock(period = 2)", "`clock` (part of x)"),
        ("x' = 1 impulse at(2)", "`at` (part of x)"),
        ("e = at(1)\nx' = 1 impulse delay(e, 1)", "`delay` (part of x)"),
        ("e = at(1)\nx' = 1 impulse post e", "`post` (part of x)"),
        (
            "x' = 1 init -1\nhit = cross(x, 0)\nv' = 1 reset 2 on hit",
            "`cross` (hit)",
        ),
        ("y' = 1\nx' = 1 impulse 2 on gate(y > 1)", "`gate` (part of x)"),
        ("e = at(1)\nx' = 1\ny = post e", "`post` (y)"),
        (
            "x' = 1 impulse m.y\nmodal m { out any y mode a { y = 2 } mode b {} }",
            "the `impulse` of x",
        ),
        (
            "actor A { out cont y  y' = 1 }\nx' = 1\na = A() enabled by x - 1",
            "`enabled by` (a)",
        ),
        (
            "x' = 1\nmodal m { out any y  mode a { when x > 1 goto b { out y = 2 } } mode b { y = x } }",
            "`out m.y = …` of the transition m: a -> b",
        ),
        (
            "x' = 1\nmodal m { out any y  mode a { when x > 1 goto b { z := y } } mode b { z' = y y = 1 } }",
            "`m.b.z := …` of the transition m: a -> b",
        ),
        (
            "x' = 1\nmodal m { out any y  mode a { z' = 1 init y } mode b { y = 1 } }",
            "the `init` of m.a.z",
        ),
        (
            "x' = 1\nmodal m { mode a { when x > 1 goto b } mode b { when x > 2 immediate goto c } mode c { when x > 3 immediate goto b } }",
            "`immediate` transitions of m may go round in a circle through b",
        ),
        (
            "x' = 1\nmodal m { out any y mode a { y = 1 when x > 1 preempt goto b } mode b { } }
             modal n { mode a { when absent m.y and x > 0.5 goto b } mode b {} }",
            "`preempt` in [m: a -> b when x > 1] changes what another guard reads: n: a -> b",
        ),
    ];
    for (model, expected) in cases {
        let told = in_the_way(model);
        assert!(told.starts_with(expected), "{model}\n{told}");
    }
}

#[test]
fn what_nothing_reads_is_in_nobodys_way() {
    let graph = example("thermostat");
    let mut formulas = ActorFormulas::new(&graph, &[]).unwrap();
    assert_eq!(formulas.variables().states, ["T"]);
    let (location, _) = formulas.start().unwrap();
    assert_eq!(location.to_string(), "heater: on_");
    assert_eq!(explore(&graph), Ok(2));
    let told = formulas.signal("display", &location).unwrap_err();
    assert!(told.what.starts_with("`clock` (part of display)"), "{told}");
    let told = formulas.signal("nobody", &location).unwrap_err();
    assert_eq!(told.what, "there is no signal `nobody`");
}

#[test]
fn parameters_are_expressions_unknowns_or_choices() {
    let graph = text(
        "param a in [0.1, 0.3] = 0.2
         param b = 2 * a
         param c in [1, 2]
         x' = a + b * c init b
         horizon = 1",
    );
    let show = |choices: &[(&str, f64, f64)]| {
        let choices: Vec<_> = choices
            .iter()
            .map(|(n, l, u)| ((*n).to_owned(), *l, *u))
            .collect();
        let mut formulas = ActorFormulas::new(&graph, &choices).unwrap();
        let (location, start) = formulas.start().unwrap();
        let rates = formulas.flow(&location).unwrap().rates;
        let printer = Printer::new(formulas.pool(), |s| format!("s{}", s.0));
        let printed = format!("{} | {}", printer.print(rates[0]), printer.print(start[0]));
        (printed, formulas.variables().unknowns.clone())
    };
    let (printed, unknowns) = show(&[]);
    assert_eq!(printed, "s2 + 2 * s2 * s3 | 2 * s2");
    assert_eq!(unknowns.len(), 2);
    assert!(unknowns[0].lower < 0.1 && unknowns[0].lower >= 0.1_f64.next_down());
    assert!(unknowns[0].upper > 0.3 && unknowns[0].upper <= 0.3_f64.next_up());
    assert_eq!((unknowns[1].lower, unknowns[1].upper), (1.0, 2.0));
    assert!(!unknowns[1].is_initial);
    let (printed, unknowns) = show(&[("a", 0.5, 0.5), ("b", -1.0, 1.0), ("c", 3.0, 3.0)]);
    assert_eq!(printed, "0.5 + s2 * 3 | s2");
    assert_eq!(
        (unknowns[0].name.as_str(), unknowns[0].lower, unknowns[0].upper),
        ("b", -1.0, 1.0)
    );

    let told = |graph: &Graph, name: &str, l: f64, u: f64| {
        ActorFormulas::new(graph, &[(name.to_owned(), l, u)])
            .unwrap_err()
            .what
    };
    assert_eq!(told(&graph, "d", 1.0, 2.0), "there is no parameter `d` to choose");
    assert_eq!(told(&graph, "a", 2.0, 1.0), "`a` cannot be chosen from 2 to 1");
    assert!(told(&graph, "a", f64::NAN, 1.0).starts_with("`a` cannot be chosen"));
    let chained = text("param a in [1, 2]\nparam b in [a, 5]\nx' = b\nhorizon = 1");
    let error = ActorFormulas::new(&chained, &[]).unwrap_err();
    assert!(error.what.contains("`b` depends on another"), "{error}");
    assert!(ActorFormulas::new(&chained, &[("a".into(), 1.5, 1.5)]).is_ok());
}

/// The conditions of a model's properties at the start, with the formulas.
fn properties(
    graph: &Graph,
) -> (
    ActorFormulas,
    ActorLocation,
    BTreeMap<String, Result<Condition, Obstacle>>,
) {
    let mut formulas = ActorFormulas::new(graph, &[]).unwrap();
    let (location, _) = formulas.start().unwrap();
    let mut found = BTreeMap::new();
    for property in graph.properties() {
        let nodes = property.parts.iter().filter_map(|part| match part {
            Formula::Now(node) => Some(*node),
            _ => None,
        });
        for node in nodes {
            found.insert(property.name.clone(), formulas.property(node, &location));
        }
    }
    (formulas, location, found)
}

#[test]
fn properties_are_conditions() {
    let graph = text(
        "x' = 1
         y = 2 * x
         modal m { out any z  mode a { z = 1 when x > 1 goto b } mode b { } }
         modal n { out any w  mode a { when x > 1 goto b } mode b { w = x } }
         horizon = 1
         property inside: always abs(y - 1) <= 3
         property outside: always not (abs(x) < 1 or x == 2)
         property far: always 2 < abs(x)
         property known: always present m.z and x < 5
         property decided: always if present n.w then false else true
         property missing: always n.w > 0
         property mixed: always (x > 1 implies y > 2) and x != 3",
    );
    let (formulas, _, found) = properties(&graph);
    let check = |name: &str, truth: fn(f64) -> bool| {
        let condition = found[name].as_ref().unwrap();
        for k in -50..50 {
            let x = f64::from(k) / 8.0;
            assert_eq!(
                holds(formulas.pool(), condition, &[x, 0.0]),
                truth(x),
                "{name} at {x}"
            );
            assert_eq!(holds(formulas.pool(), &condition.negated(), &[x, 0.0]), !truth(x));
        }
    };
    check("inside", |x| (2.0 * x - 1.0).abs() <= 3.0);
    check("outside", |x| x.abs() >= 1.0 && x != 2.0);
    check("far", |x| x.abs() > 2.0);
    check("known", |x| x < 5.0);
    check("mixed", |x| (x <= 1.0 || 2.0 * x > 2.0) && x != 3.0);
    let Ok(Condition::And(parts)) = &found["inside"] else {
        panic!("{:?}", found["inside"]);
    };
    assert!(
        parts
            .iter()
            .all(|c| matches!(c, Condition::Atom(a) if a.relation == Relation::GreaterEqual))
    );
    assert!(
        matches!(found["known"], Ok(Condition::Atom(_))),
        "{:?}",
        found["known"]
    );
    assert_eq!(found["decided"], Ok(Condition::Constant(true)));
    assert_eq!(
        found["missing"].as_ref().unwrap_err().what,
        "the property has no truth value in [m: a, n: a]: n.w is absent there"
    );
}

#[test]
fn the_new_properties_are_true_and_false() {
    for (name, is_true, is_false, ranged) in [
        ("thermostat", "never_hot", "never_above_20", vec![5.0]),
        ("two_tanks", "no_overflow", "lower_stays_low", vec![1.0]),
        ("ball_on_sine", "above_the_lowest_point", "stays_low", vec![]),
    ] {
        let graph = example(name);
        let mut execution = Execution::new(&graph, &[], &ranged);
        let until = graph.horizon().unwrap();
        let mut violated: BTreeSet<String> = BTreeSet::new();
        for k in 1..=200 {
            execution.run(until * f64::from(k) / 200.0, until / 4000.0);
            for property in graph.properties() {
                let [Formula::Now(node), Formula::Always(None, _)] = property.parts.as_slice() else {
                    continue;
                };
                let condition = execution.formulas.property(*node, &execution.location).unwrap();
                if !holds(execution.formulas.pool(), &condition, &execution.x) {
                    violated.insert(property.name.clone());
                }
            }
        }
        assert!(graph.properties().iter().any(|p| p.name == is_true));
        assert_eq!(violated.into_iter().collect::<Vec<_>>(), [is_false], "{name}");
    }
}

#[test]
fn choices_are_several_events() {
    let graph = text(
        "x' = 1
         modal m {
           mode a { when x > 1 choose goto b  when x > 0.5 choose goto c  otherwise goto a }
           mode b { }
           mode c { }
         }
         horizon = 1",
    );
    let mut formulas = ActorFormulas::new(&graph, &[]).unwrap();
    let (location, _) = formulas.start().unwrap();
    let events = formulas.events(&location).unwrap();
    let at = |x: f64| -> Vec<bool> {
        let each = events.iter().map(|e| holds(formulas.pool(), &e.when, &[x, 0.0]));
        each.collect()
    };
    assert_eq!(at(0.0), [false, false, true]);
    assert_eq!(at(0.75), [false, true, false]);
    assert_eq!(at(2.0), [true, true, false]);
    assert_eq!(formulas.jumps_together(&location, &[0, 1]).unwrap(), []);
    assert!(formulas.jumps(&location, 3).is_err());
    let jumps = formulas.jumps(&location, 1).unwrap();
    assert_eq!(jumps[0].target.to_string(), "m: c");
    assert!(formulas.events(&jumps[0].target).unwrap().is_empty());
}

#[test]
fn locations_of_other_models_are_refused() {
    let thermostat = ActorFormulas::new(&example("thermostat"), &[])
        .unwrap()
        .start()
        .unwrap()
        .0;
    let mut growth = ActorFormulas::new(&example("growth"), &[]).unwrap();
    let error = growth.flow(&thermostat).unwrap_err();
    assert_eq!(error.what, "[heater: on_] is no location of this model");
    assert_eq!(growth.start().unwrap().0.to_string(), "growth");
}

/// What is remembered in a mode that is left counts only if something returns to it.
#[test]
fn locations_remember_what_matters() {
    let model = |flag: &str| {
        text(&format!(
            "x' = 1
             modal m {{
               mode a {{
                 modal n {{ mode p {{ when x > 1 goto q }} mode q {{ when x > 2 goto p }} }}
                 when x > 3 goto b
               }}
               mode b {{ y' = 1 init x  when x > 4 {flag} goto a }}
             }}
             horizon = 1"
        ))
    };
    assert_eq!(explore(&model("")), Ok(3));
    assert_eq!(explore(&model("history")), Ok(4));
    // The first visit with history still begins: its states have no value yet.
    let graph = text(
        "x' = 1 init 0.5
         modal m {
           mode a { when x > 1 history goto b }
           mode b { y' = 1 init 10 * x  when x > 2 history goto a { } }
         }
         horizon = 3
         record x, m.b.y",
    );
    let mut formulas = ActorFormulas::new(&graph, &[]).unwrap();
    let (start, _) = formulas.start().unwrap();
    assert_eq!(start.to_string(), "m: a, (m.b.y: not begun)");
    let jump = formulas.jumps(&start, 0).unwrap().remove(0);
    assert_eq!(value(formulas.pool(), jump.reset[1], &[1.0, 0.0, 0.5]), 10.0);
    assert_eq!(jump.target.to_string(), "m: b");
    let chattering = compare(
        &text(
            "x' = m.r init 0.5
         modal m {
           out cont r
           mode a { r = 1 when x > 1 history goto b }
           mode b { r = -1  y' = 1 init 10 * x  when x < 0 history goto a }
         }
         horizon = 7
         record x, m.b.y",
        ),
        &[],
        1e-3,
    );
    assert!(chattering >= 5);
}

#[test]
fn long_chains_and_big_conditions_do_not_overflow() {
    let mut model = String::from("x' = s9999\nhorizon = 1\ns0 = x\n");
    for k in 1..10_000 {
        model.push_str(&format!("s{k} = s{} + 1\n", k - 1));
    }
    let graph = text(&model);
    let mut formulas = ActorFormulas::new(&graph, &[]).unwrap();
    let (location, _) = formulas.start().unwrap();
    let rate = formulas.flow(&location).unwrap().rates[0];
    assert_eq!(value(formulas.pool(), rate, &[1.0, 0.0]), 10_000.0);

    // Doubling and alternation: 2^40 comparisons if written out.
    let mut model = String::from("x' = 1\nb0 = x > 1\n");
    for k in 1..40 {
        model.push_str(&format!(
            "b{k} = (b{} and x < {k}) or (b{} and x > {k})\n",
            k - 1,
            k - 1
        ));
    }
    model.push_str("modal m { mode a { when b39 goto a } }\nhorizon = 1");
    let told = explore(&text(&model)).unwrap_err();
    assert!(told.what.starts_with("a condition of more than"), "{told}");
}
