//! Why a model cannot be executed, or not any further: mistakes of the model, each with its superdense time and the names it is about.

use dyverse_trace::{SuperdenseTime, told};

told! {
/// Why a run was refused.
#[derive(Clone, Debug, PartialEq)]
pub enum TickError {
    /// Neither the model nor the call says how long to run.
    NoHorizon => "how long to run? write `horizon 10` in the model, or give --until 10";
    /// The time to stop is not a number above 0.
    BadHorizon(t: f64) => "the time to stop must be a number above 0, not {t}";
    /// No parameter has this name.
    UnknownParameter(name: String) => "the model has no parameter `{name}`";
    /// A parameter is given something that is no finite number.
    BadParameter(name: String, value: f64) => "`{name}` cannot be {value}";
    /// No input has this name.
    UnknownInput(name: String) => "the model has no input `{name}`";
    /// An input's table is empty, out of order or not finite.
    BadInput(name: String) => "the table of input `{name}` must have finite values at ascending times";
    /// A constant is out of range for these parameters.
    BadNumber {
        /// Of what.
        what: String,
        /// The number.
        value: f64,
    } => "with these parameters {what} is {value}";
    /// The list of components has no such entry, or it does not fit its use.
    BadComponent {
        /// Its name.
        component: String,
        /// What does not fit.
        detail: String,
    } => "component `{component}`: {detail}";
    /// Signals stay unknown at the least fixed point: a causality loop.
    Nonconstructive {
        /// When.
        time: SuperdenseTime,
        /// The loop, port by port: each is needed by the next, the last by the first.
        ports: Vec<String>,
        /// Where a microstep delay would break it.
        remedies: Vec<String>,
        /// All signals that stay unknown.
        unknown: Vec<String>,
    } => "causality loop at {time}: {}{}", circle(ports), broken_by(remedies);
    /// Two transitions are enabled and not marked as a choice.
    Ambiguous {
        /// When.
        time: SuperdenseTime,
        /// The first.
        first: String,
        /// The second.
        second: String,
    } => "at {time} two transitions are enabled: {first}, and {second}; mark both `choose`, or make the guards exclude each other";
    /// Immediate transitions lead round in a circle.
    ImmediateCycle {
        /// When.
        time: SuperdenseTime,
        /// The modal model.
        modal: String,
        /// The modes on the way.
        modes: Vec<String>,
    } => "at {time} immediate transitions of `{modal}` go round in a circle: {}", modes.join(" -> ");
    /// An impulse at microstep 0: the signal is not discrete.
    ImpulseAtMicrostepZero {
        /// When.
        time: SuperdenseTime,
        /// The integrator.
        integrator: String,
        /// The impulse.
        impulse: String,
        /// Its weight.
        weight: f64,
    } => "`{impulse}` is no discrete signal: at {time} it gives `{integrator}` an impulse of {weight} at microstep 0; `post {impulse}` comes one microstep later";
    /// Two sources of one signal are present.
    TwoSources {
        /// When.
        time: SuperdenseTime,
        /// The signal.
        signal: String,
        /// The sources.
        sources: [String; 2],
    } => "at {time} `{signal}` has two sources: `{}` and `{}`", sources[0], sources[1];
    /// A discrete signal is needed, and this one is present while time passes.
    NotDiscrete {
        /// When.
        time: SuperdenseTime,
        /// The signal.
        signal: String,
        /// What needs it.
        needed_by: String,
    } => "`{needed_by}` needs an event, but `{signal}` is present while time passes after {time}";
    /// An action reads an absent signal.
    ActionReadsAbsent {
        /// When.
        time: SuperdenseTime,
        /// The transition.
        transition: String,
        /// What was to be set.
        target: String,
        /// What is absent.
        absent: String,
    } => "at {time} {transition} sets `{target}`, but `{absent}` is absent";
    /// An integrator's initial value reads an absent signal.
    InitReadsAbsent {
        /// When.
        time: SuperdenseTime,
        /// The integrator or hold.
        signal: String,
    } => "at {time} the initial value of `{signal}` reads an absent signal";
    /// A session was called out of order, or with numbers that do not fit.
    Misused {
        /// What, and what to do instead.
        detail: String,
    } => "{detail}";
    /// A component failed.
    Component {
        /// When.
        time: SuperdenseTime,
        /// Its name.
        component: String,
        /// What it said.
        detail: String,
    } => "component `{component}` failed at {time}: {detail}";
}
}

impl TickError {
    /// When, for those that happen during the run.
    pub fn time(&self) -> Option<SuperdenseTime> {
        match self {
            TickError::Nonconstructive { time, .. }
            | TickError::Ambiguous { time, .. }
            | TickError::ImmediateCycle { time, .. }
            | TickError::ImpulseAtMicrostepZero { time, .. }
            | TickError::TwoSources { time, .. }
            | TickError::NotDiscrete { time, .. }
            | TickError::ActionReadsAbsent { time, .. }
            | TickError::InitReadsAbsent { time, .. }
            | TickError::Component { time, .. } => Some(*time),
            _ => None,
        }
    }
}

fn circle(ports: &[String]) -> String {
    let first = ports.first().map_or("", String::as_str);
    format!("{} -> {first}", ports.join(" -> "))
}

fn broken_by(remedies: &[String]) -> String {
    match remedies {
        [] => String::new(),
        _ => format!("; a microstep delay would break it: {}", remedies.join(", or ")),
    }
}

impl std::error::Error for TickError {}

impl From<TickError> for dyverse_component::Fault {
    fn from(error: TickError) -> Self {
        dyverse_component::Fault::Refused(error.to_string())
    }
}
