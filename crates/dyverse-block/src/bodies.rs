//! A rigid-body system as a block.
//!
//! States are those of all moving entities. Outputs: the states, and of every contact its gap, normal and friction force, how it is, and whether it has an impact at this
//! microstep. An event's transitions (impact node, contact node, …) are shown one at a microstep, as the automaton takes them.

use crate::engine::{Advanced, At, Engine, Microstep};
use crate::stepping::{Flowing, Stepping};
use crate::{Causality, Description, Enumeration, Kind, Slot, Value, Variability, Variable};
use dyverse_expr::NodeId;
use dyverse_flow::DenseStep;
use dyverse_model::{Entity, Initial, Model, ParameterKind, Setting, StateComponent};
use dyverse_run::{ContactMode, ContactView, Mechanism, MechanismSnapshot, Occasion, RunOptions};
use dyverse_time::{SuperdenseTime, Transition, TransitionKind};

/// What a rigid-body system shows to the outside.
pub(crate) fn describe(model: &Model) -> Result<Description, String> {
    let mechanism = Mechanism::new(model, &RunOptions::default()).map_err(|error| error.to_string())?;
    let setting = Setting::nominal(model);
    let mut description = Description::new(model.name(), model.horizon());
    for (place, parameter) in model.parameters().iter().enumerate() {
        let value = |node: NodeId| setting.value(node);
        description.add(parameter_variable(
            (&parameter.name, place),
            parameter.kind,
            &value,
            &|node| !model.pool().symbols(&[node]).is_empty(),
        ));
    }
    for (place, input) in model.inputs().iter().enumerate() {
        description.add(Variable {
            causality: Causality::Input,
            start: Some(Value::Real(mechanism.input_default(place, 0.0))),
            range: input
                .range
                .map(|(low, high)| (setting.value(low), setting.value(high))),
            ..Variable::real(&input.name, "External input", Slot::Input(place))
        });
    }
    add_states(model, &mechanism, &mut description);
    add_contacts(&mechanism, &mut description);
    description.add(Variable::discrete(
        "location",
        "The automaton's location",
        Kind::Text,
        Slot::Location,
    ));
    description.add(Variable::discrete(
        "microstep",
        "Microstep of the present instant",
        Kind::Integer,
        Slot::Microstep,
    ));
    description.add(Variable::discrete(
        "impacts",
        "Impacts so far",
        Kind::Integer,
        Slot::ImpactCount,
    ));
    description.add_indicators(mechanism.indicator_count());
    Ok(description)
}

/// A parameter: chosen from outside, or following from others.
pub(crate) fn parameter_variable(
    (name, place): (&str, usize),
    kind: ParameterKind,
    value: &dyn Fn(NodeId) -> f64,
    reads_others: &dyn Fn(NodeId) -> bool,
) -> Variable {
    let (nominal, range) = match kind {
        ParameterKind::Fixed(node) => (node, None),
        ParameterKind::Range {
            lower,
            upper,
            nominal,
        } => (nominal, Some((value(lower), value(upper)))),
    };
    let is_calculated = range.is_none() && reads_others(nominal);
    Variable {
        causality: if is_calculated {
            Causality::CalculatedParameter
        } else {
            Causality::Parameter
        },
        variability: Variability::Fixed,
        start: (!is_calculated).then(|| Value::Real(value(nominal))),
        range,
        ..Variable::real(name, "Parameter", Slot::Parameter(place))
    }
}

fn add_states(model: &Model, mechanism: &Mechanism<'_>, description: &mut Description) {
    let mut x = vec![0.0; mechanism.dimension()];
    mechanism.initial(&mut x);
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

/// A rigid-body system that runs.
pub(crate) struct Bodies<'m> {
    mechanism: Mechanism<'m>,
    parameters: Vec<f64>,
    labels: Vec<String>,
    stepping: Stepping,
    is_start: bool,
    /// Inputs at the last microstep.
    told: Vec<f64>,
    /// The instant and its microstep.
    now: Option<SuperdenseTime>,
    /// Transitions of the present event that are not shown yet, the next one last, and the states after them.
    waiting: Vec<Transition>,
    after: Vec<f64>,
    /// Whether the event went on when this was saved: the rest of it is one microstep.
    is_cut_short: bool,
    /// The contacts with an impact at the last microstep.
    struck: Vec<bool>,
    /// The location entered last.
    location: String,
    impacts: u64,
    /// Contacts at the point that was asked about last.
    seen: Option<Seen>,
}

/// The contacts at a point.
struct Seen {
    t: f64,
    x: Vec<f64>,
    u: Vec<f64>,
    contacts: Vec<ContactView>,
}

impl<'m> Bodies<'m> {
    pub(crate) fn new(model: &'m Model, options: &RunOptions) -> Result<Self, String> {
        let mechanism = Mechanism::new(model, options).map_err(|error| error.to_string())?;
        let chosen = |name: &str| options.parameters.iter().rev().find(|(n, _)| n == name);
        let setting = Setting::with(model, f64::NAN, |id, kind, value| {
            let (ParameterKind::Fixed(node) | ParameterKind::Range { nominal: node, .. }) = kind;
            chosen(&model.parameters()[id.0 as usize].name).map_or_else(|| value(node), |(_, v)| *v)
        });
        let count = model.parameters().len() as u32;
        let labels: Vec<String> = mechanism.contact_labels().map(str::to_owned).collect();
        Ok(Bodies {
            parameters: (0..count)
                .map(|p| *setting.parameter(dyverse_model::ParameterId(p)))
                .collect(),
            struck: vec![false; labels.len()],
            labels,
            stepping: Stepping::default(),
            is_start: false,
            told: Vec::new(),
            now: None,
            waiting: Vec::new(),
            after: Vec::new(),
            is_cut_short: false,
            location: mechanism.location(),
            impacts: 0,
            seen: None,
            mechanism,
        })
    }

    fn contact(&mut self, at: At<'_>, place: usize) -> Result<ContactView, String> {
        let is_known = self
            .seen
            .as_ref()
            .is_some_and(|seen| seen.t == at.t && seen.x == at.x && same(&seen.u, at.u));
        if !is_known {
            let u = at.u;
            self.seen = Some(Seen {
                t: at.t,
                x: at.x.to_vec(),
                u: at.u.to_vec(),
                contacts: self.mechanism.contacts(at.t, at.x, u)?,
            });
        }
        let seen = self.seen.as_ref().and_then(|seen| seen.contacts.get(place));
        seen.copied().ok_or_else(|| "there is no such contact".to_owned())
    }

    /// Shows the next transition of the event.
    fn show(&mut self, x: &mut [f64]) {
        self.struck.fill(false);
        let Some(next) = self.waiting.pop() else {
            return;
        };
        if next.kind == TransitionKind::Impact || next.kind == TransitionKind::Zeno {
            // Neither is a further collision of a sequence, nor a touch without an impulse.
            let is_first = next.kind == TransitionKind::Impact && next.rule != "node";
            self.impacts += u64::from(is_first && !next.forces.is_empty());
            for (struck, label) in self.struck.iter_mut().zip(&self.labels) {
                *struck = next.contacts.contains(label);
            }
        }
        // In a large system a transition names only the contacts that it is about.
        self.location = if self.waiting.is_empty() {
            self.mechanism.location()
        } else {
            next.to
        };
        for change in next.changes {
            let place = self.mechanism.state_place(change.signal.0 as usize);
            if let Some(x) = x.get_mut(place) {
                *x = change.after;
            }
        }
        if self.waiting.is_empty() {
            x.copy_from_slice(&self.after);
        }
    }
}

/// Equal, NaN included.
pub(crate) fn same(a: &[f64], b: &[f64]) -> bool {
    a.iter().map(|v| v.to_bits()).eq(b.iter().map(|v| v.to_bits()))
}

/// A mechanism with inputs held.
struct Held<'a, 'm> {
    mechanism: &'a mut Mechanism<'m>,
    u: &'a [f64],
}

impl Flowing for Held<'_, '_> {
    fn derivative(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), String> {
        self.mechanism.derivative(t, x, self.u, dx)
    }

    fn indicator_count(&self) -> usize {
        self.mechanism.indicator_count()
    }

    fn indicators(&mut self, t: f64, x: &[f64], z: &mut [f64]) {
        self.mechanism.indicators(t, x, self.u, z);
    }

    fn longest_step(&mut self, t: f64, x: &[f64]) -> f64 {
        self.mechanism.longest_step(t, x, self.u)
    }

    fn surprise(&mut self, step: &DenseStep) -> Option<(f64, f64)> {
        self.mechanism.surprise(step, self.u)
    }

    fn scales(&self) -> (Vec<f64>, f64) {
        (
            self.mechanism.state_scales().to_vec(),
            self.mechanism.time_scale(),
        )
    }
}

impl Engine for Bodies<'_> {
    fn initial(&mut self, x: &mut Vec<f64>) {
        x.clear();
        x.resize(self.mechanism.dimension(), 0.0);
        self.mechanism.initial(x);
    }

    fn derivative(&mut self, at: At<'_>, dx: &mut [f64]) -> Result<(), String> {
        self.mechanism.derivative(at.t, at.x, at.u, dx)
    }

    fn indicators(&mut self, at: At<'_>, z: &mut [f64]) -> Result<(), String> {
        self.mechanism.indicators(at.t, at.x, at.u, z);
        Ok(())
    }

    fn begin_instant(&mut self, at: At<'_>, is_start: bool) -> Result<(), String> {
        self.is_start |= is_start;
        self.struck.fill(false);
        if self.now.is_none_or(|now| now.t() != at.t) {
            self.now = SuperdenseTime::at(at.t);
        }
        self.now
            .map(|_| ())
            .ok_or_else(|| "time is no finite number".into())
    }

    fn microstep(&mut self, t: f64, x: &mut [f64], u: &[f64]) -> Result<Microstep, String> {
        let now = self.now.filter(|now| now.t() == t).or(SuperdenseTime::at(t));
        let now = now.ok_or("time is no finite number")?;
        self.seen = None;
        self.told = u.to_vec();
        let before = x.to_vec();
        if std::mem::take(&mut self.is_cut_short) {
            x.copy_from_slice(&self.after);
            self.location = self.mechanism.location();
            return Ok(Microstep {
                has_changed_states: !same(&before, x),
                ..Microstep::default()
            });
        }
        if self.waiting.is_empty() {
            let occasion = if std::mem::take(&mut self.is_start) {
                Occasion::Start
            } else {
                Occasion::Crossing
            };
            let mut after = x.to_vec();
            let taken = self.mechanism.event(now, occasion, &mut after, u);
            let mut taken = taken.map_err(|reason| reason.to_string())?;
            taken.reverse();
            if taken.is_empty() {
                x.copy_from_slice(&after);
            } else {
                self.now = Some(now);
            }
            (self.waiting, self.after) = (taken, after);
        }
        if !self.waiting.is_empty() {
            self.now = self.now.map(SuperdenseTime::next_microstep);
        }
        self.show(x);
        Ok(Microstep {
            is_more: !self.waiting.is_empty(),
            has_changed_states: !same(&before, x),
            stop: None,
        })
    }

    fn next_time(&self) -> Option<f64> {
        self.mechanism.next_time()
    }

    fn advance(&mut self, t: f64, until: f64, x: &mut [f64], u: &[f64]) -> Result<Advanced, String> {
        if !same(&self.told, u) {
            self.begin_instant(At { t, x, u }, false)?;
            while self.microstep(t, x, u)?.is_more {}
        }
        let due = self.mechanism.next_time().filter(|due| *due <= until);
        let mut held = Held {
            mechanism: &mut self.mechanism,
            u,
        };
        let end = due.unwrap_or(until);
        if end <= t {
            return Ok(Advanced {
                t,
                is_event: due.is_some(),
                stop: None,
            });
        }
        let reached = self.stepping.advance(&mut held, (t, end), x)?;
        Ok(Advanced {
            is_event: reached.is_event || due.is_some_and(|due| reached.t >= due),
            ..reached
        })
    }

    fn observe(&mut self, at: At<'_>, slot: Slot) -> Result<Value, String> {
        Ok(match slot {
            Slot::Gap(place) => Value::Real(self.contact(at, place)?.gap),
            Slot::NormalForce(place) => Value::Real(self.contact(at, place)?.normal_force),
            Slot::FrictionForce(place) => Value::Real(self.contact(at, place)?.friction_force),
            Slot::ContactMode(place) => Value::Integer(match self.contact(at, place)?.mode {
                ContactMode::Open => 1,
                ContactMode::Stick => 2,
                ContactMode::Slip => 3,
            }),
            Slot::Impact(place) => Value::Boolean(self.struck.get(place).copied().unwrap_or(false)),
            Slot::ImpactCount => Value::Integer(self.impacts as i64),
            Slot::Location => Value::Text(self.location.clone()),
            Slot::Microstep => {
                let now = self.now.filter(|now| now.t() == at.t);
                Value::Integer(now.map_or(0, |now| i64::from(now.n())))
            }
            other => return Err(format!("{other:?} is not of a rigid-body system")),
        })
    }

    fn input_default(&self, input: usize, t: f64) -> f64 {
        self.mechanism.input_default(input, t)
    }

    fn parameter(&self, place: usize) -> f64 {
        self.parameters[place]
    }

    fn snapshot(&self) -> Result<Vec<u64>, String> {
        let mut words = vec![
            u64::from(self.is_start),
            self.impacts,
            u64::from(self.now.is_some()),
            self.now.map_or(0, |now| now.t().to_bits()),
            self.now.map_or(0, |now| u64::from(now.n())),
        ];
        let rest = if self.waiting.is_empty() && !self.is_cut_short {
            &[][..]
        } else {
            &self.after[..]
        };
        words.push(rest.len() as u64);
        words.extend(rest.iter().map(|x| x.to_bits()));
        words.push(self.told.len() as u64);
        words.extend(self.told.iter().map(|u| u.to_bits()));
        words.extend(self.mechanism.snapshot().to_words());
        Ok(words)
    }

    fn restore(&mut self, words: &[u64]) -> Result<(), String> {
        let bad = || "these are no saved states of this model".to_owned();
        let [is_start, impacts, has_now, t, n, count, rest @ ..] = words else {
            return Err(bad());
        };
        let take = |count: u64, rest: &'_ [u64]| {
            let count = usize::try_from(count).ok().filter(|c| *c <= rest.len());
            count.ok_or_else(bad)
        };
        let (after, rest) = rest.split_at(take(*count, rest)?);
        let (count, rest) = rest.split_first().ok_or_else(bad)?;
        let (told, rest) = rest.split_at(take(*count, rest)?);
        let is_whole = after.is_empty() || after.len() == self.mechanism.dimension();
        if !is_whole || after.iter().any(|w| !f64::from_bits(*w).is_finite()) {
            return Err(bad());
        }
        let snapshot = MechanismSnapshot::from_words(rest, self.labels.len()).ok_or_else(bad)?;
        self.now = if *has_now == 1 {
            let n = u32::try_from(*n).map_err(|_| bad())?;
            Some(SuperdenseTime::new(f64::from_bits(*t), n).ok_or_else(bad)?)
        } else {
            None
        };
        self.told = told.iter().map(|w| f64::from_bits(*w)).collect();
        self.after = after.iter().map(|w| f64::from_bits(*w)).collect();
        self.is_cut_short = !after.is_empty();
        self.mechanism.restore(&snapshot);
        self.is_start = *is_start == 1;
        self.impacts = *impacts;
        self.location = self.mechanism.location();
        self.waiting.clear();
        self.struck.fill(false);
        self.seen = None;
        Ok(())
    }
}
