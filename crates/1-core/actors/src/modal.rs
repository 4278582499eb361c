//! Modal models: modes, and when to go from one to another [004 §6.1; SPEC §6].

use crate::{RegionId, SignalId};
use dyverse_diag::Origin;
use dyverse_expr::NodeId;

/// A modal model, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ModalId(pub u32);

/// A mode of one modal model, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ModeId(pub u32);

/// A mode; its refinement is what lies in its region.
#[derive(Clone, Debug)]
pub struct Mode {
    /// Its name, such as `falling`.
    pub name: String,
    /// The region of its refinement.
    pub region: RegionId,
    /// The region of what its guards and actions are made of, if there is anything.
    pub leaving: Option<RegionId>,
    /// Where it is written.
    pub origin: Option<Origin>,
}

/// A transition between modes: taken when its guard is true.
///
/// Order at a tick: preemptive guards, refinement, other guards, then out of each mode entered: immediate preemptive guards, other immediate
/// guards; if one of the latter holds, the mode is *passed through*, and its refinement runs at this tick too. A guard that reads an
/// absent signal is false. Output actions belong to the fixed point; set actions and initialisation come after it.
///
/// A guard reads what the modes in which the tick began say of a signal that modes define ([`Definition::Before`](crate::Definition::Before)): what is said on the way
/// depends on the guard.
#[derive(Clone, Debug)]
pub struct ModeTransition {
    /// The mode left; `None`: any.
    pub from: Option<ModeId>,
    /// The mode entered.
    pub to: ModeId,
    /// A truth value (or a number, true unless 0) over signals, inputs, parameters and time.
    pub guard: NodeId,
    /// The guard as written, for traces and messages.
    pub text: String,
    /// May be taken in the same tick in which its mode is entered.
    pub is_immediate: bool,
    /// Looked at before the refinement, which does not run at the tick it is taken.
    pub is_preemptive: bool,
    /// The mode entered goes on where it was left.
    pub is_history: bool,
    /// Only when all others of its kind are known to be false.
    pub is_default: bool,
    /// One of several that may be enabled together: one is chosen.
    pub is_choice: bool,
    /// How far beyond its switching surfaces the guard may be noticed; constant. `None`: the model's, else rounding.
    pub tolerance: Option<NodeId>,
    /// States that are set: an integrator, `hold` or `post`, and its new value, over the signals of the tick.
    pub sets: Vec<(SignalId, NodeId)>,
    /// Merged signals that have this value at the tick.
    pub outputs: Vec<(SignalId, NodeId)>,
    /// Where it is written.
    pub origin: Option<Origin>,
}

impl ModeTransition {
    /// A plain transition: no flags, no actions.
    pub fn new(from: Option<ModeId>, to: ModeId, guard: NodeId) -> Self {
        ModeTransition {
            from,
            to,
            guard,
            text: String::new(),
            is_immediate: false,
            is_preemptive: false,
            is_history: false,
            is_default: false,
            is_choice: false,
            tolerance: None,
            sets: Vec::new(),
            outputs: Vec::new(),
            origin: None,
        }
    }
    /// Whether it may leave this mode.
    pub fn leaves(&self, mode: ModeId) -> bool {
        self.from.is_none_or(|from| from == mode)
    }
}

/// A modal model.
#[derive(Clone, Debug)]
pub struct ModalModel {
    /// Its full path.
    pub name: String,
    /// The region it lives in.
    pub region: RegionId,
    /// Its modes.
    pub modes: Vec<Mode>,
    /// The mode it begins in.
    pub initial: ModeId,
    /// Its transitions, in the order they are written.
    pub transitions: Vec<ModeTransition>,
    /// Where it is written.
    pub origin: Option<Origin>,
}

impl ModalModel {
    /// A mode.
    pub fn mode(&self, id: ModeId) -> &Mode {
        &self.modes[id.0 as usize]
    }
    /// Whether the mode can be passed through: an immediate transition that is not preemptive leaves it.
    pub fn can_pass(&self, mode: ModeId) -> bool {
        let passes = |t: &ModeTransition| t.leaves(mode) && t.is_immediate && !t.is_preemptive;
        self.transitions.iter().any(passes)
    }
    /// Whether an immediate transition leaves the mode.
    pub fn has_immediate(&self, mode: ModeId) -> bool {
        self.transitions.iter().any(|t| t.leaves(mode) && t.is_immediate)
    }
    /// The modes that can be entered at one tick from here on: from the mode in which the tick began, or from one that was entered (by immediate transitions only).
    pub fn ahead(&self, mode: ModeId, is_first: bool) -> Vec<bool> {
        let mut found = vec![false; self.modes.len()];
        let mut open = vec![(mode, is_first)];
        while let Some((mode, is_first)) = open.pop() {
            for transition in self.transitions.iter().filter(|t| t.leaves(mode)) {
                let to = transition.to.0 as usize;
                if (is_first || transition.is_immediate) && !found[to] {
                    found[to] = true;
                    open.push((transition.to, false));
                }
            }
        }
        found
    }
    /// [`ahead`](Self::ahead) of each mode; nothing if no transition is immediate.
    pub fn ahead_of_all(&self, is_first: bool) -> Vec<Vec<bool>> {
        if !self.transitions.iter().any(|t| t.is_immediate) {
            return Vec::new();
        }
        (0..self.modes.len() as u32)
            .map(|mode| self.ahead(ModeId(mode), is_first))
            .collect()
    }
    /// `name: from -> to`, for messages.
    pub fn describe(&self, transition: &ModeTransition) -> String {
        let from = transition
            .from
            .map_or("any", |from| self.mode(from).name.as_str());
        format!("{}: {from} -> {}", self.name, self.mode(transition.to).name)
    }
}
