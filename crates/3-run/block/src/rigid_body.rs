//! A rigid-body system as an actor: its inputs and states are ports, its impacts events.
//!
//! The mechanics are those of a run of its own (`dyverse_simulate::Mechanism`); here its ports get their names. An input that the actor model leaves open, or that is absent, has the
//! value it has when nothing drives it. An impact event carries the sum of the normal impulses, N s.

use dyverse_actors::ComponentUse;
use dyverse_component::{Cause, Component, Fault, Happening, Point, Scales, Shape};
use dyverse_flow::DenseStep;
use dyverse_lang::ActorModel;
use dyverse_model::{EntityId, Model};
use dyverse_simulate::{Mechanism, RunError, RunOptions};
use dyverse_tick::{TickError, TickOptions, parameter_values};
use dyverse_trace::{ContactForce, SuperdenseTime, Transition, TransitionKind};

/// The components of an actor model, in the order of their handles.
///
/// # Errors
/// What is wrong with a mechanism for these parameters.
pub fn components<'m>(
    model: &'m ActorModel,
    options: &TickOptions,
) -> Result<Vec<Box<dyn Component + 'm>>, TickError> {
    let values = parameter_values(&model.graph, &options.parameters)?;
    let mut components: Vec<Box<dyn Component + 'm>> = Vec::new();
    for (handle, mechanism) in model.mechanisms.iter().enumerate() {
        let bad = |detail: String| TickError::BadComponent {
            component: mechanism.name.clone(),
            detail,
        };
        let used = model
            .graph
            .components()
            .iter()
            .find(|c| c.handle as usize == handle);
        let used = used.ok_or_else(|| bad("nothing uses it".into()))?;
        let parameters = mechanism.parameters.iter().map(|(id, node)| {
            let name = mechanism.model.parameters()[id.0 as usize].name.clone();
            (name, model.graph.constant(*node, &values))
        });
        let options = RunOptions {
            parameters: parameters.collect(),
            ..RunOptions::default()
        };
        let made =
            RigidBody::new(&mechanism.model, &options, used).map_err(|error| bad(error.to_string()))?;
        components.push(Box::new(made));
    }
    Ok(components)
}

/// A rigid-body system with the names that an actor model uses.
struct RigidBody<'m> {
    /// Its full path, for the trace.
    name: String,
    mechanism: Mechanism<'m>,
    /// For each input of the system: its place among the ports, if it is bound.
    inputs: Vec<Option<usize>>,
    /// For each output port: its place among the states; none for what is unknown.
    outputs: Vec<Option<usize>>,
    /// For each event port: the labels of its contacts; none for all.
    events: Vec<Option<Vec<String>>>,
    ports: usize,
    states: Vec<f64>,
}

impl<'m> RigidBody<'m> {
    fn new(model: &'m Model, options: &RunOptions, used: &ComponentUse) -> Result<Self, RunError> {
        let mechanism = Mechanism::new(model, options)?;
        let port = |name: &str| used.inputs.iter().position(|(n, _)| n == name);
        let inputs: Vec<_> = mechanism.input_names().map(port).collect();
        let place = |name: &String| mechanism.output_names().iter().position(|n| n == name);
        let outputs = used.outputs.iter().map(place).collect();
        let events = used.events.iter().map(|name| pair_of(model, name)).collect();
        Ok(RigidBody {
            name: used.name.clone(),
            ports: used.inputs.len(),
            states: vec![0.0; mechanism.shape().outputs],
            inputs,
            outputs,
            events,
            mechanism,
        })
    }

    /// The inputs of the system from those of the ports; NaN where the system's own value counts.
    fn driven(&self, u: &[f64]) -> Vec<f64> {
        let value = |port: &Option<usize>| port.and_then(|p| u.get(p).copied()).unwrap_or(f64::NAN);
        self.inputs.iter().map(value).collect()
    }

    /// The event ports that are present after these transitions, with their values.
    fn present(&self, transitions: &[Transition]) -> Vec<(u32, f64)> {
        let impacts: Vec<&Transition> = transitions
            .iter()
            .filter(|t| matches!(t.kind, TransitionKind::Impact | TransitionKind::Zeno))
            .collect();
        let mut present = Vec::new();
        for (port, labels) in self.events.iter().enumerate() {
            let is_mine = |label: &String| labels.as_ref().is_none_or(|mine| mine.contains(label));
            if impacts.iter().any(|t| t.contacts.iter().any(is_mine)) {
                let forces = impacts.iter().flat_map(|t| &t.forces);
                let impulse = forces.filter(|f| is_mine(&f.contact)).map(|f| f.normal).sum();
                present.push((port as u32, impulse));
            }
        }
        present
    }
}

/// The contacts of an event port: `impact` means all, `impact(a, b)` those of a pair.
fn pair_of(model: &Model, name: &str) -> Option<Vec<String>> {
    let inside = name.strip_prefix("impact(")?.strip_suffix(')')?;
    let (a, b) = inside.split_once(',')?;
    let entity = |name: &str| model.entities().iter().position(|e| e.name == name.trim());
    let (a, b) = (entity(a)?, entity(b)?);
    let contacts = model.contacts_between(EntityId(a.min(b)), EntityId(a.max(b)));
    Some(contacts.iter().map(|c| model.contact_label(c)).collect())
}

/// A transition with the names it has in the whole model.
fn named(name: &str, transition: Transition) -> Transition {
    let whole = |part: String| format!("{name}.{part}");
    Transition {
        from: whole(transition.from),
        to: whole(transition.to),
        contacts: transition.contacts.into_iter().map(whole).collect(),
        forces: transition
            .forces
            .into_iter()
            .map(|force| ContactForce {
                contact: whole(force.contact),
                ..force
            })
            .collect(),
        ..transition
    }
}

impl Component for RigidBody<'_> {
    fn shape(&self) -> Shape {
        Shape {
            inputs: self.ports,
            outputs: self.outputs.len(),
            ..self.mechanism.shape()
        }
    }

    fn start(&mut self, t: f64, x: &mut Vec<f64>) -> Result<(), Fault> {
        self.mechanism.start(t, x)
    }

    fn rates(&mut self, at: Point<'_>, dx: &mut [f64]) -> Result<(), Fault> {
        let u = &self.driven(at.u);
        self.mechanism.rates(Point { u, ..at }, dx)
    }

    fn outputs(&mut self, at: Point<'_>, y: &mut [f64]) {
        self.mechanism.outputs(at, &mut self.states);
        for (y, place) in y.iter_mut().zip(&self.outputs) {
            *y = place.map_or(f64::NAN, |p| self.states[p]);
        }
    }

    fn state_name(&self, state: usize) -> String {
        self.mechanism.state_name(state)
    }

    fn indicators(&mut self, at: Point<'_>, z: &mut [f64]) {
        let u = &self.driven(at.u);
        self.mechanism.indicators(Point { u, ..at }, z);
    }

    fn longest_step(&mut self, at: Point<'_>) -> f64 {
        let u = &self.driven(at.u);
        self.mechanism.longest_step(Point { u, ..at })
    }

    fn next_time(&self) -> Option<f64> {
        self.mechanism.next_time()
    }

    fn microstep(
        &mut self,
        time: SuperdenseTime,
        cause: Cause,
        x: &mut Vec<f64>,
        u: &[f64],
    ) -> Result<Happening, Fault> {
        let u = self.driven(u);
        let happening = self.mechanism.microstep(time, cause, x, &u)?;
        let events = self.present(&happening.transitions);
        let named = happening.transitions.into_iter().map(|t| named(&self.name, t));
        Ok(Happening {
            events,
            transitions: named.collect(),
            ..happening
        })
    }

    fn surprise(&mut self, step: &DenseStep, u: &[f64]) -> Option<(f64, f64)> {
        let u = self.driven(u);
        self.mechanism.surprise(step, &u)
    }

    fn scales(&self) -> Scales {
        self.mechanism.scales()
    }

    fn snapshot(&self) -> Result<Vec<u8>, Fault> {
        self.mechanism.snapshot()
    }

    fn restore(&mut self, snapshot: &[u8]) -> Result<(), Fault> {
        self.mechanism.restore(snapshot)
    }
}
