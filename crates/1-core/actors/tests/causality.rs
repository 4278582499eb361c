//! Loops found before a run: which are possible, how sure, where a delay breaks them; and graphs that are none.

#![allow(clippy::unwrap_used)]

use dyverse_actors::{
    Certainty, Definition, GraphBuilder, GraphError, ModeTransition, RegionId, SignalId, SignalKind,
    find_loops,
};

/// A signal that equals another.
fn same(g: &mut GraphBuilder, region: RegionId, name: &str, other: SignalId) -> SignalId {
    let read = g.read(other);
    g.add_in(region, name, Definition::Expression(read))
}

#[test]
fn a_strict_loop_is_inevitable_and_a_delay_breaks_it_anywhere() {
    let mut g = GraphBuilder::new("ring");
    let a = g.declare("a");
    let b = same(&mut g, RegionId::ROOT, "b", a);
    let read = g.read(b);
    g.define(a, Definition::Expression(read));
    let graph = g.finish().unwrap();
    let loops = find_loops(&graph);
    assert_eq!(loops.len(), 1);
    assert_eq!(loops[0].certainty, Certainty::Inevitable);
    assert_eq!(loops[0].describe(&graph), "a -> b -> a");
    assert_eq!(loops[0].remedies(&graph), ["`post a` into b", "`post b` into a"]);
}

#[test]
fn impulses_close_loops_and_derivatives_do_not() {
    let build = |is_impulse: bool| {
        let mut g = GraphBuilder::new("integrator");
        let v = g.declare("v");
        let f = same(&mut g, RegionId::ROOT, "f", v);
        let init = g.pool.number(0.0);
        g.define(
            v,
            Definition::Integrator {
                derivative: f,
                init,
                impulse: is_impulse.then_some(f),
                reset: None,
            },
        );
        g.finish().unwrap()
    };
    assert!(find_loops(&build(false)).is_empty());
    let graph = build(true);
    let loops = find_loops(&graph);
    assert_eq!(loops[0].describe(&graph), "v -> f -> v.impulse");
    assert_eq!(loops[0].remedies(&graph), ["`post f` into v.impulse"]);
}

/// Causality that depends on the mode: x from y in one mode, y from x in the other [004 §7.2].
#[test]
fn a_loop_needs_all_its_modes_together() {
    let build = |is_same_mode: bool| {
        let mut g = GraphBuilder::new("modes");
        let (x, y) = (g.declare("x"), g.declare("y"));
        let modal = g.modal(RegionId::ROOT, "switch", None);
        let (first, one) = g.mode(modal, "one", None);
        let (second, other) = g.mode(modal, "other", None);
        let from_y = same(&mut g, one, "one.x", y);
        let from_x = same(&mut g, if is_same_mode { one } else { other }, "any.y", x);
        g.define(x, Definition::Merge(vec![from_y]));
        g.define(y, Definition::Merge(vec![from_x]));
        let truth = g.pool.boolean(true);
        g.transition(modal, ModeTransition::new(Some(first), second, truth));
        g.finish().unwrap()
    };
    assert!(find_loops(&build(false)).is_empty());
    let loops = find_loops(&build(true));
    assert_eq!((loops.len(), loops[0].certainty), (1, Certainty::Possible));
    assert_eq!(loops[0].modes.len(), 1);
}

#[test]
fn a_preemptive_guard_must_not_read_what_it_preempts() {
    let mut g = GraphBuilder::new("preempt");
    let modal = g.modal(RegionId::ROOT, "m", None);
    let (first, inside) = g.mode(modal, "first", None);
    let (second, _) = g.mode(modal, "second", None);
    let one = g.pool.number(1.0);
    let x = g.add_in(inside, "m.x", Definition::Expression(one));
    let guard = g.read(x);
    let mut transition = ModeTransition::new(Some(first), second, guard);
    transition.is_preemptive = true;
    g.transition(modal, transition);
    let graph = g.finish().unwrap();
    assert_eq!(find_loops(&graph)[0].describe(&graph), "m.x -> m.x.guard");
}

#[test]
fn a_dense_graph_ends_and_is_reported() {
    let mut g = GraphBuilder::new("dense");
    let all: Vec<SignalId> = (0..40).map(|k| g.declare(format!("s{k}"))).collect();
    for (place, signal) in all.iter().enumerate() {
        let mut sum = g.pool.number(0.0);
        for other in all.iter().filter(|o| o.0 as usize != place) {
            let read = g.read(*other);
            sum = g.pool.add(sum, read);
        }
        g.define(*signal, Definition::Expression(sum));
    }
    assert!(!find_loops(&g.finish().unwrap()).is_empty());
}

#[test]
fn graphs_that_are_none() {
    let mut g = GraphBuilder::new("wrong");
    let x = g.declare("x");
    g.declare("x");
    let read = g.read(x);
    g.add(
        "clock",
        Definition::Clock {
            period: read,
            offset: read,
            value: None,
        },
    );
    let modal = g.modal(RegionId::ROOT, "empty", None);
    let errors = g.clone().finish().unwrap_err();
    let is = |wanted: fn(&GraphError) -> bool| errors.iter().any(wanted);
    assert!(is(|e| matches!(e, GraphError::Undefined { .. })), "{errors:?}");
    assert!(is(|e| matches!(e, GraphError::SameName { .. })), "{errors:?}");
    assert!(is(|e| matches!(e, GraphError::NotConstant { .. })), "{errors:?}");
    assert!(is(|e| matches!(e, GraphError::NoModes { .. })), "{errors:?}");
    assert!(
        errors
            .iter()
            .all(|e| !e.to_string().is_empty() && e.origin().is_none())
    );

    let (mode, _) = g.mode(modal, "only", None);
    let sum = g.add_in(RegionId::ROOT, "sum", Definition::Expression(read));
    let unknown = SignalId(99);
    let late = g.declare_in(RegionId(77), "late", SignalKind::Event, None);
    g.define(late, Definition::IsPresent(unknown));
    let mut transition = ModeTransition::new(None, mode, read);
    transition.sets = vec![(sum, read)];
    transition.outputs = vec![(sum, read)];
    g.transition(modal, transition);
    let errors = g.finish().unwrap_err();
    let is = |wanted: fn(&GraphError) -> bool| errors.iter().any(wanted);
    assert!(is(|e| matches!(e, GraphError::NotSettable { .. })), "{errors:?}");
    assert!(is(|e| matches!(e, GraphError::NotMerged { .. })), "{errors:?}");
    assert!(is(|e| matches!(e, GraphError::Dangling { .. })), "{errors:?}");
}

/// Guards of modes that come later on the way do not decide whether a mode is entered.
#[test]
fn guards_that_come_later_close_no_loop() {
    let mut g = GraphBuilder::new("way");
    let e = g.declare("e");
    let (t, v) = (g.pool.number(1.0), g.pool.number(1.0));
    g.define(e, Definition::At { events: vec![(t, v)] });
    let modal = g.modal(RegionId::ROOT, "m", None);
    let modes: Vec<_> = ["a", "b", "c", "d"]
        .iter()
        .map(|n| g.mode(modal, *n, None))
        .collect();
    let y = g.declare("y");
    let mut sources = Vec::new();
    for (place, (_, region)) in modes.iter().enumerate() {
        let value = g.pool.number(place as f64);
        sources.push(g.add_in(*region, format!("m.{place}.y"), Definition::Expression(value)));
    }
    g.define(y, Definition::Merge(sources));
    for place in 0..3 {
        let region = g.leaving(modal, modes[place].0);
        let present = g.add_in(region, format!("m#when{place}"), Definition::IsPresent(e));
        let (guard, output) = (g.read(present), g.read(e));
        let mut t = ModeTransition::new(Some(modes[place].0), modes[place + 1].0, guard);
        t.is_immediate = place > 0;
        t.outputs = vec![(y, output)];
        g.transition(modal, t);
    }
    assert!(find_loops(&g.finish().unwrap()).is_empty());
}
