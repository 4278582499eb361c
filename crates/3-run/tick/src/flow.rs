//! The flow of one configuration: a program, and what its registers mean. Made by `compile.rs`, run by `solver.rs`.

use crate::program::{Program, Register};
use dyverse_expr::NodeId;

/// What is watched during a step.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Watched {
    /// A decision that must not turn inside a step.
    Switch(u32),
    /// A `cross`, by its signal.
    Cross(u32),
}

/// A watched quantity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch {
    pub(crate) of: Watched,
    /// Where its value is.
    pub(crate) register: Register,
    /// Where the decision is that it makes; none for a `cross`.
    pub(crate) target: Option<Register>,
    /// Whether it may do something far narrower than a step (`narrow.rs`).
    pub(crate) is_narrow: bool,
    /// How far beyond it the step may go.
    pub(crate) tolerance: f64,
    /// The signal or modal model it belongs to, for messages.
    pub(crate) owner: Owner,
    /// The expression that decides, if one does.
    pub(crate) node: Option<NodeId>,
    /// The same, if it is an equality of two numbers or its opposite (`met.rs`).
    pub(crate) equality: Option<NodeId>,
}

/// Where a switch comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Owner {
    Signal(u32),
    Modal(u32),
    Component(u32),
}

/// The flow of one configuration.
#[derive(Debug, Default)]
pub(crate) struct Flow {
    pub(crate) program: Program,
    /// Instructions that derivatives and inputs of components need.
    pub(crate) dynamic: usize,
    /// Instructions that watched quantities need as well.
    pub(crate) watching: usize,
    /// Integrators that are active: the first states.
    pub(crate) integrators: Vec<u32>,
    /// Registers of their derivatives; `None`: the state holds.
    pub(crate) derivatives: Vec<Option<Register>>,
    pub(crate) watches: Vec<Watch>,
    /// Signals whose value is loaded at the start.
    pub(crate) loads: Vec<(Register, u32)>,
    /// Active components, with the registers of their inputs (`None`: absent) and outputs.
    pub(crate) components: Vec<FlowComponent>,
    /// A `post` and the signal it delays, if that one changes while time passes.
    pub(crate) continuous_post: Option<(u32, u32)>,
    /// Registers of what is recorded; `None`: absent.
    pub(crate) recorded: Vec<Option<Register>>,
    /// All signals that are present, change while time passes and matter, with their registers: each must stay a finite number.
    pub(crate) signals: Vec<(u32, Register)>,
    /// Registers that are read in any case: guards, derivatives, inputs of components, what enables, `cross`, and all of `signals`.
    pub(crate) roots: Vec<Register>,
    /// Where functions end.
    pub(crate) domains: Vec<Domain>,
}

/// Where a function of the flow ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Domain {
    /// The argument that matters.
    pub(crate) register: Register,
    pub(crate) bound: Bound,
}

/// What must hold of an argument.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Bound {
    AtLeast(f64),
    AtMost(f64),
    /// It must not be 0. There, this register has this value, after the instruction at this place.
    NotZero(Forced),
}

/// A register that is given a value, after the instruction that makes it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Forced {
    pub(crate) register: Register,
    pub(crate) value: f64,
    /// The place of the instruction; `None`: it is given before all.
    pub(crate) after: Option<usize>,
}

#[derive(Debug)]
pub(crate) struct FlowComponent {
    pub(crate) component: u32,
    pub(crate) inputs: Vec<Option<Register>>,
    pub(crate) outputs: Vec<(Register, u32)>,
}

/// The register of state i.
pub(crate) fn state_register(i: usize) -> Register {
    i as Register + 1
}
