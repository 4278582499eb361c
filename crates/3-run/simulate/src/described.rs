//! What a rigid-body system shows to the outside.
//!
//! States are those of all moving entities. Outputs: the states, and of every contact its gap, normal and friction force, how it is, and whether it has an impact at this
//! microstep.

use crate::Mechanism;
use crate::exchange::ContactView;
use crate::index::Number;
use dyverse_component::{
    Causality, Component, Described, Description, Enumeration, Fault, Kind, Point, Seen, Slot, Value,
    Variable, parameter_variable,
};
use dyverse_expr::NodeId;
use dyverse_machine::FrictionMode;
use dyverse_model::{Entity, Initial, Model, Setting, StateComponent};

impl Mechanism<'_> {
    fn contact(&mut self, at: Point<'_>, place: usize) -> Result<ContactView, Fault> {
        if self.seen.as_ref().and_then(|seen| seen.at(at)).is_none() {
            self.seen = Some(Seen::new(at, self.contacts(at)?));
        }
        let seen = self.seen.as_ref().and_then(|seen| seen.at(at));
        let view = seen.and_then(|contacts| contacts.get(place)).copied();
        view.ok_or_else(|| "there is no such contact".into())
    }
}

impl Described for Mechanism<'_> {
    fn description(&self) -> Description {
        let model = self.run.system.model;
        let setting = Setting::nominal(model);
        let value = |node: NodeId| setting.value(node);
        let mut description = Description::new(model.name(), model.horizon());
        for (place, parameter) in model.parameters().iter().enumerate() {
            let nominal = parameter.kind.nominal();
            description.add(parameter_variable(
                (&parameter.name, place),
                value(nominal),
                parameter
                    .kind
                    .range()
                    .map(|(low, high)| (value(low), value(high))),
                !model.pool().symbols(&[nominal]).is_empty(),
            ));
        }
        for (place, input) in model.inputs().iter().enumerate() {
            description.add(Variable {
                causality: Causality::Input,
                start: Some(Value::Real(self.input_default(Number::new(place), 0.0))),
                range: input.range.map(|(low, high)| (value(low), value(high))),
                ..Variable::real(&input.name, "External input", Slot::Input(place))
            });
        }
        add_states(model, self, &mut description);
        add_contacts(self, &mut description);
        for (name, text, kind, slot) in [
            ("location", "The automaton's location", Kind::Text, Slot::Location),
            (
                "microstep",
                "Microstep of the present instant",
                Kind::Integer,
                Slot::Microstep,
            ),
            ("impacts", "Impacts so far", Kind::Integer, Slot::ImpactCount),
        ] {
            description.add(Variable::discrete(name, text, kind, slot));
        }
        description.add_indicators(self.shape().indicators);
        description
    }

    fn observe(&mut self, at: Point<'_>, slot: Slot) -> Result<Value, Fault> {
        Ok(match slot {
            Slot::Parameter(place) => Value::Real(self.run.system.parameters[Number::new(place)]),
            Slot::Input(place) => Value::Real(self.input_default(Number::new(place), at.t)),
            Slot::Gap(place) => Value::Real(self.contact(at, place)?.gap),
            Slot::NormalForce(place) => Value::Real(self.contact(at, place)?.normal_force),
            Slot::FrictionForce(place) => Value::Real(self.contact(at, place)?.friction_force),
            Slot::ContactMode(place) => Value::Integer(match self.contact(at, place)?.mode {
                None => 1,
                Some(FrictionMode::Stick) => 2,
                Some(FrictionMode::Trans | FrictionMode::Slip) => 3,
            }),
            Slot::Location => Value::Text(self.run.recorder.location(&self.run.system)),
            Slot::ImpactCount => Value::Integer(self.run.recorder.statistics.impacts as i64),
            Slot::Microstep => {
                let now = self.run.recorder.now;
                Value::Integer(if now.t() == at.t { i64::from(now.n()) } else { 0 })
            }
            other => return Err(Fault::Refused(format!("{other:?} is not of a rigid-body system"))),
        })
    }

    fn state_of(&self, output: usize) -> Option<usize> {
        Some(self.state_place(output))
    }
}

fn add_states(model: &Model, mechanism: &Mechanism<'_>, description: &mut Description) {
    let x = mechanism.initial();
    let free: Vec<&Entity> = model.entities().iter().filter(|e| !e.is_fixed).collect();
    let components = StateComponent::ALL;
    let mut owners = vec![(0, StateComponent::X); x.len()];
    for output in 0..x.len() {
        let owner = (output / components.len(), components[output % components.len()]);
        owners[mechanism.state_place(output)] = owner;
    }
    for (place, name) in mechanism.state_names().iter().enumerate() {
        let (entity, component) = owners[place];
        let entity = free[entity];
        let (what, unit) = (component_word(component), component_unit(component));
        let is_free = initial_nodes(entity, component)
            .iter()
            .all(|node| model.pool().symbols(&[*node]).is_empty());
        let variable = description.add(Variable {
            unit: Some(unit.into()),
            // One that follows from parameters is computed when the run begins; setting it would cut that tie.
            start: is_free.then_some(Value::Real(x[place])),
            ..Variable::real(name, format!("{what} of {}", entity.name), Slot::State(place))
        });
        description.states.push(variable);
    }
    let unit = |place: usize| match component_unit(owners[place].1) {
        "m" => Some("m/s"),
        "m/s" => Some("m/s2"),
        "rad/s" => Some("rad/s2"),
        _ => Some("1/s"),
    };
    description.add_derivatives(unit);
}

/// The expressions that an initial value comes from.
fn initial_nodes(entity: &Entity, component: StateComponent) -> Vec<NodeId> {
    let initial = &entity.initial;
    let of = |value: Initial| match value {
        Initial::Value(node) => vec![node],
        Initial::Range(low, high) => vec![low, high],
    };
    match component {
        StateComponent::X => of(initial.position.x),
        StateComponent::Y => of(initial.position.y),
        StateComponent::Z => of(initial.position.z),
        StateComponent::Vx => of(initial.velocity.x),
        StateComponent::Vy => of(initial.velocity.y),
        StateComponent::Vz => of(initial.velocity.z),
        StateComponent::Wx => of(initial.angular_velocity.x),
        StateComponent::Wy => of(initial.angular_velocity.y),
        StateComponent::Wz => of(initial.angular_velocity.z),
        StateComponent::Qw | StateComponent::Qx | StateComponent::Qy | StateComponent::Qz => {
            let q = &initial.orientation;
            vec![q.w, q.x, q.y, q.z]
        }
    }
}

fn component_word(component: StateComponent) -> &'static str {
    match component {
        StateComponent::X | StateComponent::Y | StateComponent::Z => "Position",
        StateComponent::Vx | StateComponent::Vy | StateComponent::Vz => "Velocity",
        StateComponent::Wx | StateComponent::Wy | StateComponent::Wz => "Angular velocity",
        _ => "Orientation (unit quaternion)",
    }
}

/// The unit of a component; FMI calls what has none 1.
fn component_unit(component: StateComponent) -> &'static str {
    match component.unit() {
        "" => "1",
        unit => unit,
    }
}

fn add_contacts(mechanism: &Mechanism<'_>, description: &mut Description) {
    let labels: Vec<String> = mechanism.contact_labels().map(str::to_owned).collect();
    if labels.is_empty() {
        return;
    }
    description.enumerations.push(Enumeration {
        name: "ContactMode".into(),
        items: ["open", "stick", "slip"].map(str::to_owned).to_vec(),
    });
    description.contacts.clone_from(&labels);
    for (place, label) in labels.iter().enumerate() {
        let real = |name: &str, what: &str, unit: &'static str, slot: Slot| Variable {
            unit: Some(unit.into()),
            ..Variable::real(
                format!("{name}({label})"),
                format!("{what} of contact {label}"),
                slot,
            )
        };
        description.add(real("gap", "Gap", "m", Slot::Gap(place)));
        description.add(real(
            "normal_force",
            "Normal force",
            "N",
            Slot::NormalForce(place),
        ));
        description.add(real(
            "friction_force",
            "Size of the friction force",
            "N",
            Slot::FrictionForce(place),
        ));
        description.add(Variable::discrete(
            format!("mode({label})"),
            format!("How contact {label} is"),
            Kind::Enumeration(0),
            Slot::ContactMode(place),
        ));
        description.add(Variable::discrete(
            format!("impact({label})"),
            format!("Present while contact {label} has an impact at this microstep"),
            Kind::Boolean,
            Slot::Impact(place),
        ));
    }
}
