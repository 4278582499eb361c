//! The primitives: what defines a signal.
//!
//! | primitive | output at a tick | strict in |
//! |---|---|---|
//! | expression | its value; absent if a signal it reads is absent | every signal it reads; in a loop only those that `if`, `and`, `or` need (`nonstrict.rs`) |
//! | `a ?? b` | a if present, else b | a; b if a is absent |
//! | `a unless b` | a if b is absent | b; a if b is absent |
//! | `a on e` | a if e is present | e; a if e is present |
//! | `hold a init c` | a if present, else what it was last | a |
//! | `post a` | what a was one microstep before | nothing |
//! | `cross(a, level)` | present one microstep after a went through the level | nothing |
//! | clock, `at` | present at its times, at microstep 1 or later | nothing |
//! | `delay(a, dt)` | what a was dt before | nothing |
//! | `present a`, `absent a` | 1 or 0 | a |
//! | integrator | state plus impulse; the reset if there is one | impulse, reset, not the derivative |
//! | merge | the one that is present; of several that a modal model passes, the last | all |
//! | before | of a merge, what the modes in which the tick began say | those |
//! | output of a component | a function of its own state | nothing |

use crate::{ComponentId, SignalId};
use dyverse_expr::NodeId;

/// Which way a level is crossed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direction {
    /// From below to the level or above.
    Rising,
    /// From above to the level or below.
    Falling,
    /// Either.
    Both,
}

/// The primitive that a signal is the output of.
///
/// *Constant* expressions read parameters only and are evaluated once; others may read signals, inputs and time.
#[derive(Clone, Debug, PartialEq)]
pub enum Definition {
    /// An expression over signals, inputs, parameters and time.
    Expression(NodeId),
    /// `preferred ?? alternate`.
    Default {
        /// What is passed on if present.
        preferred: SignalId,
        /// What is passed on else.
        alternate: SignalId,
    },
    /// `value unless inhibit`.
    Inhibit {
        /// What is passed on.
        value: SignalId,
        /// Whose presence stops it.
        inhibit: SignalId,
    },
    /// `value on trigger`.
    Sample {
        /// What is passed on.
        value: SignalId,
        /// Whose presence lets it.
        trigger: SignalId,
    },
    /// `hold value init c`.
    Hold {
        /// What is held.
        value: SignalId,
        /// Before anything was present; `None`: absent until then. May read signals, as an integrator's.
        init: Option<NodeId>,
    },
    /// `post value`: a delay of one microstep.
    Post {
        /// What is delayed.
        value: SignalId,
        /// The first output (`fby`); `None`: absent. Constant.
        init: Option<NodeId>,
    },
    /// Present (with value 1) one microstep after `value` went through `level`. Starting on the level is no crossing.
    Cross {
        /// What is watched.
        value: SignalId,
        /// Constant.
        level: NodeId,
        /// Which way.
        direction: Direction,
        /// How far beyond the level the event may be, in the unit of `value`; constant. `None`: that of the model, else rounding.
        tolerance: Option<NodeId>,
    },
    /// Present at offset + k · period of the region's local time, k = 0, 1, …
    Clock {
        /// Above 0; constant.
        period: NodeId,
        /// At least 0; constant.
        offset: NodeId,
        /// What it carries; constant. `None`: 1.
        value: Option<NodeId>,
    },
    /// Present at given moments of the region's local time.
    At {
        /// Times (ascending, at least 0) and values; constant.
        events: Vec<(NodeId, NodeId)>,
    },
    /// What an event signal was some time ago.
    Delay {
        /// What is delayed; must be a discrete signal.
        value: SignalId,
        /// Above 0, s; constant.
        by: NodeId,
    },
    /// 1 if present, 0 if absent.
    IsPresent(SignalId),
    /// 1 if absent, 0 if present.
    IsAbsent(SignalId),
    /// ∫ derivative, plus impulses.
    Integrator {
        /// Not needed for the output at the tick. Where it is absent the state holds.
        derivative: SignalId,
        /// Evaluated at the first tick, and whenever its mode is entered without history; may read signals.
        init: NodeId,
        /// Weights of Dirac impulses.
        impulse: Option<SignalId>,
        /// Sets the state; beats the impulse.
        reset: Option<SignalId>,
    },
    /// A signal that several modes define: the one that is present. Two present at once is an error of the run, unless a modal model passed from one mode to
    /// the other: the last counts.
    Merge(Vec<SignalId>),
    /// Of a merged signal: what the modes in which the tick began say, without output actions and modes passed through. Made by
    /// [`GraphBuilder::finish`](crate::GraphBuilder::finish) for guards.
    Before(SignalId),
    /// A continuous output of a component, a function of its state.
    Output {
        /// Which component.
        component: ComponentId,
        /// Its place in [`ComponentUse::outputs`](crate::ComponentUse::outputs).
        output: u32,
    },
    /// An event output of a component.
    Event {
        /// Which component.
        component: ComponentId,
        /// Its place in [`ComponentUse::events`](crate::ComponentUse::events).
        event: u32,
    },
}

impl Definition {
    /// The word for its kind in messages.
    pub fn word(&self) -> &'static str {
        match self {
            Definition::Expression(_) => "expression",
            Definition::Default { .. } => "default",
            Definition::Inhibit { .. } => "unless",
            Definition::Sample { .. } => "on",
            Definition::Hold { .. } => "hold",
            Definition::Post { .. } => "post",
            Definition::Cross { .. } => "cross",
            Definition::Clock { .. } => "clock",
            Definition::At { .. } => "at",
            Definition::Delay { .. } => "delay",
            Definition::IsPresent(_) => "present",
            Definition::IsAbsent(_) => "absent",
            Definition::Integrator { .. } => "integrator",
            Definition::Merge(_) => "merge",
            Definition::Before(_) => "merge",
            Definition::Output { .. } => "component",
            Definition::Event { .. } => "component event",
        }
    }
    /// Whether a set action can give it a state.
    pub fn has_settable_state(&self) -> bool {
        matches!(
            self,
            Definition::Integrator { .. } | Definition::Hold { .. } | Definition::Post { .. }
        )
    }
}
