//! What a component shows to the outside: variables with their kinds, ranges, units and dependencies.
//!
//! A variable is known by its place in [`Description::variables`]: that is its value reference. The first is time.

/// The type of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number.
    Real,
    /// An integer.
    Integer,
    /// A truth value.
    Boolean,
    /// A text.
    Text,
    /// One of the items of an enumeration, counted from 1: place in [`Description::enumerations`].
    Enumeration(usize),
}

/// What a variable is to the outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Causality {
    /// Time.
    Independent,
    /// Chosen before the run.
    Parameter,
    /// Follows from parameters.
    CalculatedParameter,
    /// Driven from outside.
    Input,
    /// Seen from outside.
    Output,
    /// Inside; can be looked at.
    Local,
}

/// When a variable may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variability {
    /// Not during a run.
    Fixed,
    /// At events.
    Discrete,
    /// Always.
    Continuous,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Real(f64),
    /// An integer, or an item of an enumeration counted from 1.
    Integer(i64),
    /// A truth value.
    Boolean(bool),
    /// A text.
    Text(String),
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name, unique.
    pub name: String,
    /// For people.
    pub description: String,
    /// Its unit, such as `m/s`.
    pub unit: Option<String>,
    /// Its type.
    pub kind: Kind,
    /// What it is to the outside.
    pub causality: Causality,
    /// When it may change.
    pub variability: Variability,
    /// Its value before the run, if that can be chosen.
    pub start: Option<Value>,
    /// Least and largest value.
    pub range: Option<(f64, f64)>,
    /// The state whose derivative it is.
    pub derivative_of: Option<usize>,
    /// What it is inside.
    pub slot: Slot,
}

/// What a variable is inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// Time.
    Time,
    /// A parameter, by its place.
    Parameter(usize),
    /// An input, by its place.
    Input(usize),
    /// A continuous state, by its place.
    State(usize),
    /// The derivative of a state.
    Derivative(usize),
    /// An event indicator.
    Indicator(usize),
    /// The gap of a contact.
    Gap(usize),
    /// The normal force of a contact.
    NormalForce(usize),
    /// The friction force of a contact.
    FrictionForce(usize),
    /// How a contact is.
    ContactMode(usize),
    /// Whether a contact has an impact at this microstep.
    Impact(usize),
    /// Impacts so far.
    ImpactCount,
    /// The automaton's location.
    Location,
    /// The microstep of the present instant.
    Microstep,
    /// A recorded signal of an actor model.
    Signal(usize),
    /// Whether a recorded signal is present.
    Presence(usize),
    /// The mode of a modal model.
    Mode(usize),
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// Its name.
    pub name: String,
    /// Its items, from 1.
    pub items: Vec<String>,
}

/// What a component shows to the outside.
#[derive(Clone, Debug, Default)]
pub struct Description {
    /// The model's name.
    pub name: String,
    /// All variables; the place is the value reference.
    pub variables: Vec<Variable>,
    /// Types of modes.
    pub enumerations: Vec<Enumeration>,
    /// The variable of each continuous state.
    pub states: Vec<usize>,
    /// The variable of each derivative.
    pub derivatives: Vec<usize>,
    /// The variable of each event indicator.
    pub indicators: Vec<usize>,
    /// The labels of the contacts.
    pub contacts: Vec<String>,
    /// The model's own horizon, s.
    pub horizon: Option<f64>,
}

impl Description {
    /// Begins one: time is its first variable.
    pub fn new(name: &str, horizon: Option<f64>) -> Self {
        let mut description = Description {
            name: name.to_owned(),
            horizon,
            ..Description::default()
        };
        description.add(Variable {
            causality: Causality::Independent,
            unit: Some("s".into()),
            ..Variable::real("time", "Simulation time", Slot::Time)
        });
        description
    }

    /// Adds a variable; gives its place.
    pub fn add(&mut self, mut variable: Variable) -> usize {
        let place = self.variables.len();
        // Names are unique; a model may call something of its own `time`.
        while self.variables.iter().any(|v| v.name == variable.name) {
            variable.name.push('_');
        }
        self.variables.push(variable);
        place
    }

    /// Adds the event indicators.
    pub fn add_indicators(&mut self, count: usize) {
        for place in 0..count {
            let name = format!("event_indicator({})", place + 1);
            let variable = self.add(Variable {
                causality: Causality::Local,
                ..Variable::real(
                    name,
                    "Event where it goes to zero or below",
                    Slot::Indicator(place),
                )
            });
            self.indicators.push(variable);
        }
    }

    /// Adds the derivative of every state.
    pub fn add_derivatives(&mut self, unit: impl Fn(usize) -> Option<&'static str>) {
        for place in 0..self.states.len() {
            let state = self.states[place];
            let name = self.variables[state].name.clone();
            let variable = self.add(Variable {
                causality: Causality::Local,
                unit: unit(place).map(str::to_owned),
                derivative_of: Some(state),
                ..Variable::real(
                    format!("der({name})"),
                    format!("Rate of change of {name}"),
                    Slot::Derivative(place),
                )
            });
            self.derivatives.push(variable);
        }
    }

    /// The variable with a name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.variables.iter().position(|v| v.name == name)
    }

    /// The variables of a causality.
    pub fn with(&self, causality: Causality) -> impl Iterator<Item = usize> + '_ {
        let all = self.variables.iter().enumerate();
        all.filter(move |(_, v)| v.causality == causality).map(|(i, _)| i)
    }
}

impl Variable {
    /// A continuous output.
    pub fn real(name: impl Into<String>, description: impl Into<String>, slot: Slot) -> Self {
        Variable {
            name: name.into(),
            description: description.into(),
            unit: None,
            kind: Kind::Real,
            causality: Causality::Output,
            variability: Variability::Continuous,
            start: None,
            range: None,
            derivative_of: None,
            slot,
        }
    }

    /// A discrete output.
    pub fn discrete(name: impl Into<String>, description: impl Into<String>, kind: Kind, slot: Slot) -> Self {
        Variable {
            kind,
            variability: Variability::Discrete,
            ..Variable::real(name, description, slot)
        }
    }

    /// Whether it is computed when a run begins (rather than chosen).
    pub fn is_calculated(&self) -> bool {
        self.start.is_none() && self.causality != Causality::Independent
    }
}

/// A parameter: chosen from outside, or following from others.
pub fn parameter_variable(
    (name, place): (&str, usize),
    nominal: f64,
    range: Option<(f64, f64)>,
    reads_others: bool,
) -> Variable {
    let is_calculated = range.is_none() && reads_others;
    Variable {
        causality: if is_calculated {
            Causality::CalculatedParameter
        } else {
            Causality::Parameter
        },
        variability: Variability::Fixed,
        start: (!is_calculated).then_some(Value::Real(nominal)),
        range,
        ..Variable::real(name, "Parameter", Slot::Parameter(place))
    }
}
