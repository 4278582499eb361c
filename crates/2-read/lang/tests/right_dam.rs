//! Actor models that are right: what their graphs hold.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

use crate::support;

use dyverse_actors::{Definition, RegionKind, SignalKind};
use dyverse_lang::{Loaded, NoImports, format, read_actors};
use support::{actor_examples, actor_model, model, read_dam, shown};

/// Parts, and models that the paper refuses.
fn is_model(name: &str) -> bool {
    name != "balls.dam" && name != "refused_strict_loop.dam"
}

#[test]
fn the_examples_read_without_an_error() {
    for path in actor_examples() {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let reading = read_dam(&name, std::fs::read(&path).unwrap(), "../../../examples/actors");
        if !is_model(&name) {
            continue;
        }
        assert!(reading.model.is_some(), "{}", shown(&reading));
        if name != "refused_capacitors.dam" {
            assert!(reading.diagnostics.is_empty(), "{}", shown(&reading));
        }
    }
    assert!(actor_examples().len() >= 23, "{}", actor_examples().len());
}

#[test]
fn the_examples_are_formatted() {
    for path in actor_examples() {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let once = format(&name, &text).unwrap_or_else(|e| panic!("{name}: {:?}", e.diagnostics));
        assert_eq!(once, text, "{name}");
    }
}

fn tidy(input: &str, expected: &str) {
    let once = format("t.dam", input).unwrap_or_else(|e| panic!("{:?}", e.diagnostics));
    assert_eq!(once, expected);
    assert_eq!(format("t.dam", &once).unwrap(), once, "not idempotent");
}

#[test]
fn bodies_are_indented_and_short_ones_stay_on_their_line() {
    tidy(
        "actor A(m=1){in cont F=0;out cont x,v  v'=F/m init 0 impulse post(F on e)}",
        "actor A(m = 1) { in cont F = 0  out cont x, v  v' = F / m init 0 impulse post(F on e) }\n",
    );
    tidy(
        "modal m{mode a{x=1\nwhen x>1 history goto b{y:=2,out z=3}} # why\nmode b{x=a??b}}",
        "modal m {\n  mode a {\n    x = 1\n    when x > 1 history goto b { y := 2  out z = 3 }\n  }  # why\n  mode b { x = a ?? b }\n}\n",
    );
    tidy(
        "mechanism arm=\"a.drbt\"(K=2){u=-1}\nleft=Ball() enabled by post e{F=- x}",
        "mechanism arm = \"a.drbt\"(K = 2) { u = -1 }\nleft = Ball() enabled by post e { F = -x }\n",
    );
}

#[test]
fn hierarchy_is_flattened_to_full_paths() {
    let text = "model m
        actor Inner(k) { in cont u  out cont y = k * u }
        actor Outer { in cont u  out cont y = inner.y + 1  inner = Inner(k = 3) { u = u } }
        o = Outer() { u = time }
        x = o.inner.y";
    let graph = actor_model(text).graph;
    for name in ["o.u", "o.y", "o.inner.u", "o.inner.y", "x"] {
        assert!(graph.find(name).is_some(), "{name}");
    }
    let Definition::Expression(node) = graph.signal(graph.find("o.inner.y").unwrap()).definition else {
        panic!("no expression");
    };
    assert_eq!(graph.print(node), "3 * o.inner.u");
}

#[test]
fn integrators_have_their_clauses() {
    let graph = actor_model("e = at(1, 2)\nr = at(2)\nx' = -x init 5 impulse e reset r").graph;
    let x = graph.signal(graph.find("x").unwrap());
    let Definition::Integrator {
        init, impulse, reset, ..
    } = x.definition
    else {
        panic!("{:?}", x.definition);
    };
    assert_eq!(graph.print(init), "5");
    assert_eq!(impulse, graph.find("e"));
    assert_eq!(reset, graph.find("r"));
}

#[test]
fn what_modes_define_is_merged() {
    let text = "modal m {
          out cont y
          var event hit
          mode a { y' = 1  when y > 1 immediate tolerance 1e-3 goto b { y := y - 1  out hit = 7 } }
          initial mode b { y' = -1  when y < 0 preempt history choose goto a  otherwise goto b }
        }";
    let graph = actor_model(text).graph;
    let modal = &graph.modals()[0];
    assert_eq!(
        (modal.name.as_str(), modal.initial.0, modal.modes.len()),
        ("m", 1, 2)
    );
    let y = graph.signal(graph.find("m.y").unwrap());
    assert_eq!(y.kind, SignalKind::Continuous);
    let parts = [graph.find("m.a.y").unwrap(), graph.find("m.b.y").unwrap()];
    assert_eq!(y.definition, Definition::Merge(parts.to_vec()));
    let [first, second, third] = modal.transitions.as_slice() else {
        panic!("{:?}", modal.transitions);
    };
    assert!(first.is_immediate && first.tolerance.is_some() && !first.is_history);
    assert_eq!(first.sets[0].0, parts[1], "the state of the mode that is entered");
    assert_eq!(
        graph.print(first.sets[0].1),
        "m.a.y - 1",
        "with the value of the mode that is left"
    );
    assert_eq!(first.outputs[0].0, graph.find("m.hit").unwrap());
    assert_eq!(first.text, "y > 1");
    assert!(second.is_preemptive && second.is_history && second.is_choice);
    assert!(third.is_default);
}

#[test]
fn nested_modes_and_enabled_instances_are_regions() {
    let text = "out cont x
        actor A { out cont y = 1 }
        mode a { mode a1 { x = 1  when time > 1 goto a2 }  mode a2 { x = 2  when time > 2 goto b } when time > 3 goto a1 }
        mode b { i = A() enabled by time > 5  x = i.y ?? 3 }
        from a when time > 4 goto b";
    let reading = read_dam("t.dam", text.as_bytes().to_vec(), "tests/wrong_dam");
    // `goto b` inside a2 names no mode beside a2.
    assert!(shown(&reading).contains("has no mode `b`"), "{}", shown(&reading));
    let graph = actor_model(&text.replace("when time > 2 goto b", "")).graph;
    assert_eq!(graph.modals().len(), 2);
    assert_eq!(
        graph.modals()[1].transitions.len(),
        2,
        "one from a1, one from any"
    );
    let enabled = graph
        .regions()
        .iter()
        .filter(|r| matches!(r.kind, RegionKind::Enabled(_)));
    assert_eq!(enabled.count(), 1);
    let x = graph.signal(graph.find("x").unwrap());
    let Definition::Merge(parts) = &x.definition else {
        panic!("{:?}", x.definition);
    };
    assert_eq!(parts.len(), 3);
}

#[test]
fn functions_are_written_out_in_both_languages() {
    let text = "param k = 2\nfun square(x) = x^2\nfun f(a, b) = k * square(a) - b\n";
    let graph = actor_model(&format!("{text}y = f(b = time, a = 3)")).graph;
    let Definition::Expression(node) = graph.signal(graph.find("y").unwrap()).definition else {
        panic!("no expression");
    };
    assert_eq!(graph.print(node), "k * 3 ^ 2 - time");
    let bodies = format!("{text}entity a {{ sphere(radius = f(1, 1))  mass = square(2) }}");
    assert_eq!(model(&bodies).entities().len(), 1);
}

#[test]
fn mechanisms_have_signals_for_what_is_read() {
    let text = "mechanism arm = \"two.drbt\"(K = 3) { u1 = -arm.ball1.vx }
        speed = arm.ball2.speed
        hits' = 0 impulse arm.impact
        pair = impact(arm.ball1, arm.ball2)
        record arm.ball1.y, speed";
    let actor = actor_model(text);
    let component = &actor.graph.components()[0];
    assert_eq!(component.name, "arm");
    assert_eq!(component.inputs[0].0, "u1");
    assert_eq!(
        component.outputs,
        ["ball1.vx", "ball2.vx", "ball2.vy", "ball2.vz", "ball1.y"]
    );
    assert_eq!(component.events, ["impact", "impact(ball1, ball2)"]);
    assert_eq!(actor.mechanisms[0].model.name(), "two");
    assert_eq!(actor.mechanisms[0].parameters.len(), 1);
    assert_eq!(actor.graph.record().len(), 2);
}

#[test]
fn fmus_have_signals_for_what_is_read() {
    let text = "mechanism arm = \"two.drbt\"
        param k = 2
        fmu pump = \"pump.fmu\"(tank_1__area = 2 * k) { u = pump.tank_1_.level - 1  valve_open = arm.ball1.x > 0 }
        x' = pump.der_flow_ init arm.ball1.x
        record pump.flow, x, pump.tank_1_.level";
    let tidy = format("t.dam", "fmu pump=\"pump.fmu\"(k=2){u=1}").unwrap();
    assert_eq!(tidy, "fmu pump = \"pump.fmu\"(k = 2) { u = 1 }\n");
    let actor = actor_model(text);
    let component = &actor.graph.components()[1];
    assert_eq!((component.name.as_str(), component.handle), ("pump", 1));
    let inputs: Vec<&str> = component.inputs.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(inputs, ["u", "valve.open"]);
    assert_eq!(component.outputs, ["tank[1].level", "der(flow)", "flow"]);
    let fmu = &actor.fmus[0];
    assert_eq!((fmu.name.as_str(), fmu.key.as_str()), ("pump", "key of pump.fmu"));
    assert_eq!(fmu.parameters[0].0, "tank[1].area");
    let level = actor
        .graph
        .signal(actor.graph.find("pump.tank_1_.level").unwrap());
    let Definition::Output { component, output } = level.definition else {
        panic!("no output");
    };
    assert_eq!((component.0, output), (1, 0));
}

#[test]
fn fmus_need_a_loader_that_has_them() {
    let main = Loaded::named("t.dam", b"fmu a = \"a.fmu\"\ny = a.y".to_vec());
    let reading = read_actors(main, &mut NoImports);
    assert!(reading.model.is_none());
    assert!(
        reading.diagnostics[0]
            .message()
            .contains("FMUs are not available here")
    );
}

#[test]
fn settings_and_properties() {
    let text = "model heater
        param T0 in [10, 20]
        input u in [0, 1] = 0.5
        T' = u - T init T0
        tolerances { crossing = 1e-6  max_step = 0.1  microsteps = 50 }
        horizon = 3
        property warm: always [1, 2] T > 0 and present T
        property later: eventually T > 1";
    let graph = actor_model(text).graph;
    assert_eq!((graph.name(), graph.horizon()), ("heater", Some(3.0)));
    assert_eq!(graph.numerics().microsteps, Some(50));
    assert_eq!(graph.numerics().crossing, Some(1e-6));
    assert_eq!((graph.parameters().len(), graph.inputs().len()), (1, 1));
    assert_eq!(graph.properties().len(), 2);
    assert_eq!(graph.record().len(), 1);
}

/// What a user would give is not missed in an actor that nothing uses.
#[test]
fn actors_that_nothing_uses_lack_nothing() {
    let text = "model m
        param k = 2
        let half = k / 2
        fun square(a) = a * a
        x' = half init 0
        actor Free(m, n, T = 2 * m) {
            in cont F, G = 1
            in event e
            in any w
            out cont x, v, c = hold(e, init = n)
            out event tick = clock(period = n), back = delay(e, T)
            out any s = w ?? F / m
            v' = F / (m - n) + square(G) init n impulse e / m
            x' = v init sqrt(m)
            when cross(x, level = m) goto high { x := m }
            initial mode low { part = Part(a = n) { u = F } }
            mode high { when x < n goto low }
        }
        actor Part(a) { in cont u  out cont y = u / a }
        actor Part2(a, v = (a, 0, 0)) { in cont u  out cont y = u / a + v.x }
        actor k { out cont y = half }
        actor x { out cont x = k }";
    let reading = read_dam("m.dam", text.into(), ".");
    assert!(reading.diagnostics.is_empty(), "{}", shown(&reading));
    let graph = reading.model.unwrap().graph;
    assert!(graph.signals().iter().all(|s| !s.name.contains('.')));
}
