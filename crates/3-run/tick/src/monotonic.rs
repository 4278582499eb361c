//! Every unit's function is monotonic: the more is known, the more is known, and nothing known changes.

use crate::TickOptions;
use crate::frame::{Fired, Frame, Status};
use crate::plan::Plan;
use crate::state::State;
use dyverse_actors::{Definition, Direction, Graph, GraphBuilder, ModeTransition, RegionId, SignalKind};
use dyverse_trace::SuperdenseTime;
use proptest::prelude::*;

/// One of each primitive, over four inputs; a modal model with preemption and an output action; an enabled region.
fn everything() -> Graph {
    let mut g = GraphBuilder::new("everything");
    let inputs = ["a", "b", "c", "d"].map(|name| {
        let one = g.pool.number(1.0);
        g.add(name, Definition::Expression(one))
    });
    let [a, b, c, d] = inputs;
    let (zero, read_a, read_b, read_c) = (g.pool.number(0.0), g.read(a), g.read(b), g.read(c));
    let sum = g.pool.add(read_a, read_b);
    g.add("sum", Definition::Expression(sum));
    g.add(
        "default",
        Definition::Default {
            preferred: a,
            alternate: b,
        },
    );
    g.add("inhibit", Definition::Inhibit { value: a, inhibit: b });
    g.add("sample", Definition::Sample { value: a, trigger: b });
    g.add(
        "hold",
        Definition::Hold {
            value: a,
            init: Some(read_b),
        },
    );
    g.add(
        "post",
        Definition::Post {
            value: a,
            init: Some(zero),
        },
    );
    g.add("present", Definition::IsPresent(a));
    g.add("absent", Definition::IsAbsent(a));
    g.add(
        "cross",
        Definition::Cross {
            value: a,
            level: zero,
            direction: Direction::Both,
            tolerance: None,
        },
    );
    g.add(
        "integrator",
        Definition::Integrator {
            derivative: a,
            init: read_b,
            impulse: Some(c),
            reset: Some(d),
        },
    );
    let inside = g.enabled(RegionId::ROOT, "enabled", a, None);
    g.add_in(inside, "enabled.x", Definition::Expression(read_b));
    let modal = g.modal(RegionId::ROOT, "modal", None);
    let (first, region) = g.mode(modal, "first", None);
    let (second, _) = g.mode(modal, "second", None);
    let own = g.declare_in(region, "modal.first.y", SignalKind::Any, None);
    g.define(own, Definition::Expression(read_b));
    let merged = g.add("y", Definition::Merge(vec![own]));
    let mut preempting = ModeTransition::new(Some(first), second, read_a);
    preempting.is_preemptive = true;
    g.transition(modal, preempting);
    let mut plain = ModeTransition::new(Some(first), second, read_b);
    plain.outputs = vec![(merged, read_c)];
    g.transition(modal, plain);
    let mut otherwise = ModeTransition::new(Some(first), second, read_c);
    otherwise.is_default = true;
    g.transition(modal, otherwise);
    g.finish().unwrap_or_else(|e| panic!("{e:?}"))
}

/// Unknown, absent, 0 or a value.
fn known(code: u8, value: f64) -> (Status, f64) {
    match code % 4 {
        0 => (Status::Unknown, f64::NAN),
        1 => (Status::Absent, f64::NAN),
        2 => (Status::Present, 0.0),
        _ => (Status::Present, value),
    }
}

proptest! {
    #[test]
    fn more_known_inputs_never_take_back_an_output(
        codes in proptest::collection::vec(any::<u8>(), 64),
        hidden in proptest::collection::vec(any::<bool>(), 64),
        n in 0_u32..2,
    ) {
        let graph = everything();
        let plan = Plan::new(&graph, &TickOptions::default()).unwrap();
        let state = State::new(&plan);
        let time = SuperdenseTime::new(0.0, n).unwrap();
        let (mut more, mut less) = (Frame::new(&plan, time), Frame::new(&plan, time));
        for unit in 0..plan.unit_count() {
            let (status, value) = known(codes[unit], if unit < plan.preempt_unit(0) { 2.0 } else { 0.0 });
            // Regions are active or not; the root always is.
            (more.status[unit], more.value[unit]) = (status, value);
            if !hidden[unit] {
                (less.status[unit], less.value[unit]) = (status, value);
            }
        }
        for frame in [&mut more, &mut less] {
            frame.status[plan.region_unit(0)] = Status::Present;
        }
        for unit in 0..plan.unit_count() {
            let before = less.try_unit(&plan, &state, unit);
            let after = more.try_unit(&plan, &state, unit);
            if let (Ok(before), Ok(after)) = (before, after)
                && before != Fired::Unknown
            {
                prop_assert_eq!(before, after, "unit {}", unit);
            }
        }
    }
}
