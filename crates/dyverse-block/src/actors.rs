//! An actor model as a block.
//!
//! Outputs are the recorded signals, each with a flag where it may be absent, and the mode of every modal model. A signal that is absent has the value 0. States are those of all
//! integrators and mechanisms, active or not. Microsteps are those of the model.

use crate::bodies::{parameter_variable, same};
use crate::engine::{Advanced, At, Engine, Microstep};
use crate::rigid_body::components;
use crate::{Causality, Description, Enumeration, Kind, Slot, Value, Variability, Variable};
use dyverse_actors::{Graph, SignalKind};
use dyverse_expr::NodeId;
use dyverse_lang::ActorModel;
use dyverse_tick::{Session, Snapshot, TickOptions};

/// What an actor model shows to the outside.
pub(crate) fn describe(model: &ActorModel) -> Result<Description, String> {
    let session = session(model, &TickOptions::default())?;
    let graph = &model.graph;
    let mut description = Description::new(graph.name(), graph.horizon());
    for (place, parameter) in graph.parameters().iter().enumerate() {
        description.add(parameter_variable(
            (&parameter.name, place),
            parameter.kind,
            &|node| graph.constant(node, session.parameters()),
            &|node| !graph.pool().symbols(&[node]).is_empty(),
        ));
    }
    for (place, input) in graph.inputs().iter().enumerate() {
        let value = |node: NodeId| graph.constant(node, session.parameters());
        description.add(Variable {
            causality: Causality::Input,
            start: Some(Value::Real(session.input_default(place, 0.0))),
            range: input.range.map(|(low, high)| (value(low), value(high))),
            ..Variable::real(&input.name, "External input", Slot::Input(place))
        });
    }
    add_signals(&session, &mut description);
    add_modes(graph, &mut description);
    description.add(Variable::discrete(
        "microstep",
        "Microstep of the present instant",
        Kind::Integer,
        Slot::Microstep,
    ));
    for (place, name) in session.state_names().iter().enumerate() {
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
    description.add_indicators(session.indicator_count());
    Ok(description)
}

fn add_signals(session: &Session<'_>, description: &mut Description) {
    for (place, output) in session.output_signals().into_iter().enumerate() {
        let name = &output.signal.name;
        let variability = if output.kind == SignalKind::Event {
            Variability::Discrete
        } else {
            Variability::Continuous
        };
        let presence = output.can_be_absent.then(|| {
            Variable::discrete(
                format!("present({name})"),
                format!("Whether {name} is present"),
                Kind::Boolean,
                Slot::Presence(place),
            )
        });
        description.add(Variable {
            unit: Some(output.signal.unit.clone()).filter(|unit| !unit.is_empty()),
            variability,
            ..Variable::real(name, format!("Signal {name}"), Slot::Signal(place))
        });
        if let Some(presence) = presence {
            description.add(presence);
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

fn session<'m>(model: &'m ActorModel, options: &TickOptions) -> Result<Session<'m>, String> {
    if let Some(fmu) = model.fmus.first() {
        return Err(format!(
            "the model contains the FMU `{}`: a block cannot contain another tool's",
            fmu.name
        ));
    }
    let parts = components(model, options).map_err(|error| error.to_string())?;
    Session::new(&model.graph, parts, options).map_err(|error| error.to_string())
}

/// An actor model that runs.
pub(crate) struct Actors<'m> {
    model: &'m ActorModel,
    options: TickOptions,
    session: Session<'m>,
    microstep: (f64, u32),
    seen: Option<Seen>,
}

/// The outputs at a point.
struct Seen {
    t: f64,
    x: Vec<f64>,
    u: Vec<f64>,
    values: Vec<f64>,
    is_present: Vec<bool>,
}

impl<'m> Actors<'m> {
    pub(crate) fn new(model: &'m ActorModel, options: &TickOptions) -> Result<Self, String> {
        Ok(Actors {
            model,
            options: options.clone(),
            session: session(model, options)?,
            microstep: (f64::NAN, 0),
            seen: None,
        })
    }

    /// Whether a microstep was executed.
    fn has_begun(&self) -> bool {
        !self.microstep.0.is_nan()
    }

    /// Where nothing is executed yet: another session, after its first microstep. It shows what that will give.
    fn twin(&self, at: At<'_>) -> Result<Session<'m>, String> {
        let mut twin = session(self.model, &self.options)?;
        let begun = twin.begin_instant(at.t, at.x, at.u);
        begun.map_err(|error| error.to_string())?;
        twin.microstep(at.u).map_err(|error| error.to_string())?;
        Ok(twin)
    }

    fn look(&mut self, at: At<'_>) -> Result<&Seen, String> {
        let is_known = self
            .seen
            .as_ref()
            .is_some_and(|seen| seen.t == at.t && seen.x == at.x && same(&seen.u, at.u));
        if !is_known {
            let count = self.session.output_names().len();
            let (mut values, mut is_present) = (vec![0.0; count], vec![false; count]);
            if self.has_begun() {
                self.session
                    .outputs(at.t, at.x, at.u, &mut values, &mut is_present)?;
            } else {
                let mut twin = self.twin(at)?;
                twin.outputs(at.t, at.x, at.u, &mut values, &mut is_present)?;
            }
            self.seen = Some(Seen {
                t: at.t,
                x: at.x.to_vec(),
                u: at.u.to_vec(),
                values,
                is_present,
            });
        }
        self.seen
            .as_ref()
            .ok_or_else(|| "there is nothing to see".to_owned())
    }
}

impl Engine for Actors<'_> {
    fn initial(&mut self, x: &mut Vec<f64>) {
        x.clear();
        x.resize(self.session.dimension(), 0.0);
        self.session.states(x);
    }

    fn derivative(&mut self, at: At<'_>, dx: &mut [f64]) -> Result<(), String> {
        if !self.has_begun() {
            return self.twin(at)?.derivative(at.t, at.x, at.u, dx);
        }
        self.session.derivative(at.t, at.x, at.u, dx)
    }

    fn indicators(&mut self, at: At<'_>, z: &mut [f64]) -> Result<(), String> {
        self.session.indicators(at.t, at.x, at.u, z)
    }

    fn begin_instant(&mut self, at: At<'_>, _is_start: bool) -> Result<(), String> {
        // A step that ended at an event has begun its instant.
        if self.session.is_in_instant() {
            return Ok(());
        }
        let begun = self.session.begin_instant(at.t, at.x, at.u);
        begun.map_err(|error| error.to_string())
    }

    fn microstep(&mut self, t: f64, x: &mut [f64], u: &[f64]) -> Result<Microstep, String> {
        self.seen = None;
        if !self.session.is_in_instant() {
            self.begin_instant(At { t, x, u }, false)?;
        }
        let made = self.session.microstep(u).map_err(|error| error.to_string())?;
        self.session.states(x);
        self.microstep = (made.time.t(), made.time.n());
        Ok(Microstep {
            is_more: made.is_more,
            has_changed_states: made.has_changed_states,
            stop: made.stop.map(|reason| reason.to_string()),
        })
    }

    fn next_time(&self) -> Option<f64> {
        self.session.next_time()
    }

    fn advance(&mut self, _t: f64, until: f64, x: &mut [f64], u: &[f64]) -> Result<Advanced, String> {
        let reached = self.session.advance(until, u, true);
        let reached = reached.map_err(|error| error.to_string())?;
        self.seen = None;
        self.session.states(x);
        Ok(Advanced {
            t: reached.time,
            is_event: reached.event_is_due,
            stop: reached.stop.map(|reason| reason.to_string()),
        })
    }

    fn observe(&mut self, at: At<'_>, slot: Slot) -> Result<Value, String> {
        Ok(match slot {
            Slot::Signal(place) => {
                let seen = self.look(at)?;
                let value = seen.is_present.get(place).copied().unwrap_or(false);
                Value::Real(if value { seen.values[place] } else { 0.0 })
            }
            Slot::Presence(place) => {
                Value::Boolean(self.look(at)?.is_present.get(place).copied().unwrap_or(false))
            }
            Slot::Mode(place) => {
                let mode = self.session.modes().get(place).copied();
                Value::Integer(mode.map_or(0, |mode| mode as i64 + 1))
            }
            Slot::Microstep => {
                let (t, n) = self.microstep;
                Value::Integer(if t == at.t { i64::from(n) } else { 0 })
            }
            other => return Err(format!("{other:?} is not of an actor model")),
        })
    }

    fn input_default(&self, input: usize, t: f64) -> f64 {
        self.session.input_default(input, t)
    }

    fn parameter(&self, place: usize) -> f64 {
        self.session.parameters()[place]
    }

    fn snapshot(&self) -> Result<Vec<u64>, String> {
        let bytes = self.session.snapshot()?.to_bytes();
        let (t, n) = self.microstep;
        let mut words = vec![t.to_bits(), u64::from(n), bytes.len() as u64];
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            words.push(u64::from_le_bytes(word));
        }
        Ok(words)
    }

    fn restore(&mut self, words: &[u64]) -> Result<(), String> {
        let bad = || "these are no saved states of this model".to_owned();
        let [t, n, length, rest @ ..] = words else {
            return Err(bad());
        };
        let mut bytes: Vec<u8> = rest.iter().flat_map(|word| word.to_le_bytes()).collect();
        let length = usize::try_from(*length).map_err(|_| bad())?;
        if bytes.len() != length.div_ceil(8).saturating_mul(8) {
            return Err(bad());
        }
        bytes.truncate(length);
        let n = u32::try_from(*n).map_err(|_| bad())?;
        self.session.restore(&Snapshot::from_bytes(&bytes)?)?;
        self.microstep = (f64::from_bits(*t), n);
        self.seen = None;
        Ok(())
    }
}
