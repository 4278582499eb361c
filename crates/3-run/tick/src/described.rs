//! What an actor model shows to the outside.
//!
//! Outputs are the recorded signals, each with a flag where it may be absent, and the mode of every modal model. A signal that is absent has the value 0. States are those of all
//! integrators and components, active or not. Microsteps are those of the model.

use crate::Session;
use dyverse_actors::{Graph, SignalKind};
use dyverse_component::{
    Causality, Component, Described, Description, Enumeration, Fault, Kind, Point, Seen, Slot, Value,
    Variability, Variable, parameter_variable,
};
use dyverse_expr::NodeId;
use dyverse_trace::is_absent;

impl Session<'_> {
    /// An output; none where it is absent.
    fn output(&mut self, at: Point<'_>, place: usize) -> Option<f64> {
        if self.seen.as_ref().and_then(|seen| seen.at(at)).is_none() {
            let mut values = vec![0.0; self.shape().outputs];
            self.outputs(at, &mut values);
            self.seen = Some(Seen::new(at, values));
        }
        let seen = self.seen.as_ref().and_then(|seen| seen.at(at));
        let value = seen.and_then(|values| values.get(place)).copied();
        value.filter(|value| !is_absent(*value))
    }
}

impl Described for Session<'_> {
    fn description(&self) -> Description {
        let plan = &self.engine.plan;
        let graph = plan.graph;
        let value = |node: NodeId| graph.constant(node, &plan.numbers.parameters);
        let mut description = Description::new(graph.name(), graph.horizon());
        for (place, parameter) in graph.parameters().iter().enumerate() {
            let nominal = parameter.kind.nominal();
            description.add(parameter_variable(
                (&parameter.name, place),
                value(nominal),
                parameter
                    .kind
                    .range()
                    .map(|(low, high)| (value(low), value(high))),
                !graph.pool().symbols(&[nominal]).is_empty(),
            ));
        }
        for (place, input) in graph.inputs().iter().enumerate() {
            description.add(Variable {
                causality: Causality::Input,
                start: Some(Value::Real(self.input_default(place, 0.0))),
                range: input.range.map(|(low, high)| (value(low), value(high))),
                ..Variable::real(&input.name, "External input", Slot::Input(place))
            });
        }
        add_signals(self, &mut description);
        add_modes(graph, &mut description);
        description.add(Variable::discrete(
            "microstep",
            "Microstep of the present instant",
            Kind::Integer,
            Slot::Microstep,
        ));
        for (place, name) in self.state_names().iter().enumerate() {
            let variable = description.add(Variable {
                causality: Causality::Local,
                ..Variable::real(
                    format!("state({name})"),
                    format!("Continuous state of {name}"),
                    Slot::State(place),
                )
            });
            description.states.push(variable);
        }
        description.add_derivatives(|_| None);
        description.add_indicators(self.shape().indicators);
        description
    }

    fn observe(&mut self, at: Point<'_>, slot: Slot) -> Result<Value, Fault> {
        Ok(match slot {
            Slot::Parameter(place) => Value::Real(self.engine.plan.numbers.parameters[place]),
            Slot::Input(place) => Value::Real(self.input_default(place, at.t)),
            Slot::Signal(place) => Value::Real(self.output(at, place).unwrap_or(0.0)),
            Slot::Presence(place) => Value::Boolean(self.output(at, place).is_some()),
            Slot::Mode(place) => {
                let mode = self.modes().get(place).copied();
                Value::Integer(mode.map_or(0, |mode| mode as i64 + 1))
            }
            Slot::Microstep => {
                let last = self.engine.frame.time;
                Value::Integer(if last.t() == at.t { i64::from(last.n()) } else { 0 })
            }
            other => return Err(Fault::Refused(format!("{other:?} is not of an actor model"))),
        })
    }
}

fn add_signals(session: &Session<'_>, description: &mut Description) {
    let plan = &session.engine.plan;
    let recorded = plan.record.iter().zip(&session.layout.can_be_absent);
    for (place, (signal, can_be_absent)) in recorded.enumerate() {
        let signal = &plan.graph.signals()[*signal as usize];
        let name = &signal.name;
        let mut variable = Variable::real(name, format!("Signal {name}"), Slot::Signal(place));
        variable.unit = Some(signal.unit.clone()).filter(|unit| !unit.is_empty());
        if signal.kind == SignalKind::Event {
            variable.variability = Variability::Discrete;
        }
        description.add(variable);
        // One that may not is proven to be present always.
        if *can_be_absent {
            description.add(Variable::discrete(
                format!("present({name})"),
                format!("Whether {name} is present"),
                Kind::Boolean,
                Slot::Presence(place),
            ));
        }
    }
}

fn add_modes(graph: &Graph, description: &mut Description) {
    for (place, modal) in graph.modals().iter().enumerate() {
        let enumeration = description.enumerations.len();
        description.enumerations.push(Enumeration {
            name: format!("Modes of {}", modal.name),
            items: modal.modes.iter().map(|mode| mode.name.clone()).collect(),
        });
        description.add(Variable::discrete(
            format!("mode({})", modal.name),
            format!("The mode of {}", modal.name),
            Kind::Enumeration(enumeration),
            Slot::Mode(place),
        ));
    }
}
