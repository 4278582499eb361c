//! Rigid-body systems used as actors: their states are signals, their impacts events, their inputs ports.
//!
//! Outputs are made when they are first read: a mechanism of sixty balls has 780 states, of which a model reads a few.

use super::External;
use super::declare::Instantiation;
use super::fmu::FmuUse;
use super::scope::{Actors, Meaning as LocalMeaning, Part, ScopeId};
use crate::lower::expression::{Lowering, Scope};
use crate::lower::symbols::Meaning;
use crate::lower::typed::Typed;
use crate::syntax::ast::{Direction, ExprRef, Field, FileUse, Name, PortKind};
use dyverse_actors::{ComponentId, Definition, RegionId, SignalId};
use dyverse_diag::{Origin, closest, finding, report};
use dyverse_expr::NodeId;
use dyverse_model::{EntityId, Model, ParameterId, StateComponent};
use std::collections::BTreeMap;

/// A rigid-body system in the making.
#[derive(Clone, Debug)]
pub(crate) struct MechanismUse {
    /// Its full path.
    pub(crate) path: String,
    pub(crate) model: Model,
    pub(crate) region: RegionId,
    /// Parameters of the system that are given values here: constants of the actor model.
    pub(crate) parameters: Vec<(ParameterId, NodeId)>,
    pub(crate) inputs: Vec<(String, SignalId)>,
    pub(crate) outputs: Vec<String>,
    pub(crate) events: Vec<String>,
    pub(crate) signals: BTreeMap<String, SignalId>,
    pub(crate) origin: Origin,
}

impl MechanismUse {
    pub(crate) fn entity(&self, name: &str) -> Option<EntityId> {
        let place = self.model.entities().iter().position(|e| e.name == name)?;
        Some(EntityId(place))
    }
    fn entity_name(&self, id: EntityId) -> &str {
        &self.model.entity(id).name
    }
}

impl Actors {
    /// The signal of a continuous output, such as `ball.x`; made if new.
    pub(crate) fn mechanism_output(&mut self, mechanism: usize, output: String) -> Option<SignalId> {
        self.mechanism_signal(mechanism, output, false)
    }

    /// The signal of an event output, such as `impact`; made if new.
    pub(crate) fn mechanism_event(&mut self, mechanism: usize, event: String) -> Option<SignalId> {
        self.mechanism_signal(mechanism, event, true)
    }

    fn mechanism_signal(&mut self, mechanism: usize, name: String, is_event: bool) -> Option<SignalId> {
        let entry = self.mechanisms.get_mut(mechanism)?;
        if let Some(known) = entry.signals.get(&name) {
            return Some(*known);
        }
        let list = if is_event {
            &mut entry.events
        } else {
            &mut entry.outputs
        };
        let (component, place) = (ComponentId(mechanism as u32), list.len() as u32);
        list.push(name.clone());
        let (path, region, origin) = (format!("{}.{name}", entry.path), entry.region, entry.origin);
        let id = self.declare(path, None, region, origin);
        self.signal_mut(id).definition = Some(if is_event {
            Definition::Event {
                component,
                event: place,
            }
        } else {
            Definition::Output {
                component,
                output: place,
            }
        });
        if let Some(entry) = self.mechanisms.get_mut(mechanism) {
            entry.signals.insert(name, id);
        }
        Some(id)
    }
}

impl Lowering<'_, '_> {
    /// `arm.ball` or `arm.impact`.
    pub(crate) fn mechanism_member(&mut self, mechanism: usize, member: &Name) -> Typed {
        let Some(entry) = self.context.actors.mechanisms.get(mechanism) else {
            return Typed::Broken;
        };
        if let Some(entity) = entry.entity(&member.text) {
            return Typed::Part(Part::Entity(mechanism, entity));
        }
        if member.text == "impact" {
            let signal = self.context.actors.mechanism_event(mechanism, "impact".into());
            return self.signal_or_broken(signal);
        }
        let names: Vec<&str> = entry.model.entities().iter().map(|e| e.name.as_str()).collect();
        let known = names.iter().copied().chain(["impact"]);
        let finding = finding!(L007 at member.origin, "the mechanism `{}` has no member `{}`", entry.path, member.text;
            label "no such member";
            near &member.text, known, "members are: {}, impact", names.join(", "));
        self.context.report(finding);
        Typed::Broken
    }

    /// `arm.ball.x`.
    pub(crate) fn mechanism_entity_member(
        &mut self,
        mechanism: usize,
        entity: EntityId,
        member: &Name,
    ) -> Typed {
        let components = match member.text.as_str() {
            "position" => StateComponent::POSITION,
            "velocity" | "speed" => StateComponent::VELOCITY,
            "angular_velocity" => StateComponent::ANGULAR_VELOCITY,
            name => {
                let component = StateComponent::ALL.into_iter().find(|c| c.name() == name);
                return match component {
                    Some(component) => self.mechanism_state(mechanism, entity, component),
                    None => self.no_state(mechanism, entity, member),
                };
            }
        };
        let states = components.map(|c| self.mechanism_state(mechanism, entity, c));
        let [Typed::Number(x), Typed::Number(y), Typed::Number(z)] = states else {
            return Typed::Broken;
        };
        if member.text == "speed" {
            return Typed::Number(self.norm([x, y, z]));
        }
        Typed::Vector([x, y, z])
    }

    fn mechanism_state(&mut self, mechanism: usize, entity: EntityId, component: StateComponent) -> Typed {
        let Some(entry) = self.context.actors.mechanisms.get(mechanism) else {
            return Typed::Broken;
        };
        let output = format!("{}.{}", entry.entity_name(entity), component.name());
        let signal = self.context.actors.mechanism_output(mechanism, output);
        self.signal_or_broken(signal)
    }

    fn no_state(&mut self, mechanism: usize, entity: EntityId, member: &Name) -> Typed {
        let name = self
            .context
            .actors
            .mechanisms
            .get(mechanism)
            .map_or("", |entry| entry.entity_name(entity))
            .to_owned();
        let states = StateComponent::ALL.map(StateComponent::name);
        let known = states
            .into_iter()
            .chain(["position", "velocity", "angular_velocity", "speed"]);
        report!(self.context, L007 at member.origin, "the entity `{name}` has no signal `{}`", member.text;
            label "no such member";
            near &member.text, known, "members are: position, velocity, angular_velocity, speed, {}", states.join(", "));
        Typed::Broken
    }

    pub(crate) fn pair_impact(
        &mut self,
        mechanism: usize,
        a: EntityId,
        b: EntityId,
        origin: Origin,
    ) -> Typed {
        let Some(entry) = self.context.actors.mechanisms.get(mechanism) else {
            return Typed::Broken;
        };
        let (first, second) = (entry.entity_name(a).to_owned(), entry.entity_name(b).to_owned());
        if !entry.model.may_touch(a, b) {
            report!(self.context, A052 at origin, "`{first}` and `{second}` never touch";
                label "no impact between them";
                help "both are fixed, or the mechanism says `no contact`");
            return Typed::Broken;
        }
        let event = format!("impact({first}, {second})");
        let signal = self.context.actors.mechanism_event(mechanism, event);
        self.signal_or_broken(signal)
    }

    pub(crate) fn signal_or_broken(&mut self, signal: Option<SignalId>) -> Typed {
        match signal {
            Some(signal) => Typed::Number(self.context.read(Meaning::Signal(signal))),
            None => Typed::Broken,
        }
    }
}

impl<'t> Instantiation<'_, '_, 't> {
    /// A mechanism, an FMU or a table: what the file that is named holds.
    pub(crate) fn declare_file(&mut self, scope: ScopeId, name: &Name, file: Origin) {
        let parent = self.context.actors.scope(scope);
        let (path, region) = (parent.path_of(&name.text), parent.region);
        let actors = &mut self.context.actors;
        let meaning = match self.externals.get(&file) {
            Some(External::Mechanism(model)) => {
                actors.mechanisms.push(MechanismUse {
                    path,
                    model: model.as_ref().clone(),
                    region,
                    parameters: Vec::new(),
                    inputs: Vec::new(),
                    outputs: Vec::new(),
                    events: Vec::new(),
                    signals: BTreeMap::new(),
                    origin: name.origin,
                });
                LocalMeaning::Part(Part::Mechanism(actors.mechanisms.len() - 1))
            }
            Some(External::Fmu(interface)) => {
                actors.fmus.push(FmuUse {
                    path,
                    interface: interface.as_ref().clone(),
                    region,
                    parameters: Vec::new(),
                    inputs: Vec::new(),
                    outputs: Vec::new(),
                    signals: BTreeMap::new(),
                    prefixes: vec![String::new()],
                    origin: name.origin,
                });
                LocalMeaning::Part(Part::Fmu(actors.fmus.len() - 1, 0))
            }
            Some(External::Table(table)) => {
                actors.tables.push(table.clone());
                LocalMeaning::Part(Part::Table(actors.tables.len() - 1))
            }
            _ => LocalMeaning::Broken,
        };
        self.enter(scope, name, meaning);
    }

    /// Gives a mechanism or an FMU its parameters, and binds its inputs.
    pub(crate) fn define_component(&mut self, scope: ScopeId, tree: usize, file: &FileUse) {
        let local = self.context.actors.scope(scope).names.get(&file.name.text);
        let Some(LocalMeaning::Part(part)) = local.map(|l| l.meaning.clone()) else {
            return;
        };
        for (given, expr) in &file.arguments {
            match part {
                Part::Mechanism(place) => self.set_parameter(place, scope, tree, given.as_ref(), *expr),
                Part::Fmu(place, _) => self.set_fmu_parameter(place, scope, tree, given.as_ref(), *expr),
                _ => return,
            }
        }
        for field in &file.bindings {
            match part {
                Part::Mechanism(place) => self.bind_mechanism_input(place, scope, tree, field),
                Part::Fmu(place, _) => self.bind_fmu_input(place, scope, tree, field),
                _ => return,
            }
        }
    }

    fn set_parameter(
        &mut self,
        mechanism: usize,
        scope: ScopeId,
        tree: usize,
        name: Option<&Name>,
        expr: ExprRef,
    ) {
        let origin = name.map_or_else(|| self.trees[tree].origin(expr), |name| name.origin);
        let model = &self.context.actors.mechanisms[mechanism].model;
        let parameter = name.and_then(|name| model.parameter(&name.text));
        let Some((parameter, name)) = parameter.zip(name) else {
            let names: Vec<&str> = model.parameters().iter().map(|p| p.name.as_str()).collect();
            let given = name.map_or("", |name| name.text.as_str());
            let finding = finding!(A050 at origin,
                "the system `{}` has no parameter `{given}`", model.name();
                label "not known";
                near given, names.iter().copied(), "parameters are given by name: {}", names.join(", "));
            return self.context.report(finding);
        };
        if let Typed::Number(node) = self.constant(tree, expr, scope, &name.text) {
            let entry = &mut self.context.actors.mechanisms[mechanism];
            entry.parameters.push((parameter, node));
        }
    }

    fn bind_mechanism_input(&mut self, mechanism: usize, scope: ScopeId, tree: usize, field: &Field) {
        let entry = &self.context.actors.mechanisms[mechanism];
        let name = &field.name;
        let inputs: Vec<&str> = entry.model.inputs().iter().map(|i| i.name.as_str()).collect();
        if !inputs.contains(&name.text.as_str()) {
            let help = match closest(&name.text, inputs.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if inputs.is_empty() => "declare it there, `input NAME`".to_owned(),
                None => format!("inputs are: {}", inputs.join(", ")),
            };
            let finding = finding!(A051 at name.origin,
                "the system `{}` has no input `{}`", entry.model.name(), name.text;
                label "not known";
                help help);
            return self.context.report(finding);
        }
        if entry.inputs.iter().any(|(bound, _)| *bound == name.text) {
            return self.bound_twice(name.origin, &name.text);
        }
        let port = (format!("{}.{}", entry.path, name.text), entry.region);
        if let Some(signal) = self.bound_port(port, scope, tree, field) {
            let entry = &mut self.context.actors.mechanisms[mechanism];
            entry.inputs.push((name.text.clone(), signal));
        }
    }

    pub(crate) fn bound_twice(&mut self, origin: Origin, name: &str) {
        report!(self.context, A018 at origin, "`{name}` is bound twice";
            label "bound again";
            help "remove one of them");
    }

    /// The input port of a component, at a path in a region, that a field binds.
    pub(crate) fn bound_port(
        &mut self,
        (path, region): (String, RegionId),
        scope: ScopeId,
        tree: usize,
        field: &Field,
    ) -> Option<SignalId> {
        let value = self.binding_value(field)?;
        let (port, origin) = (Some((Direction::In, PortKind::Any)), field.name.origin);
        let signal = self.context.actors.declare(path, port, region, origin);
        self.define_signal(signal, origin, tree, value, Scope::body(scope));
        Some(signal)
    }
}
