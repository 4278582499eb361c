//! Which signals a signal cannot be known without, and in which modes.
//!
//! An integrator's output waits for its impulse and its reset, not for its derivative; `post`, `cross`, `delay`, clocks and outputs of components wait for
//! nothing [004 §4, §5.1]. What lies in a region waits for what decides whether the region is active.

use crate::{Definition, Graph, ModalId, ModalModel, ModeId, RegionId, RegionKind, SignalId};
use dyverse_expr::NodeId;

/// How an output needs an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// An operand that is always needed.
    Operand,
    /// An operand that is needed only if another is present or absent.
    Conditional,
    /// The impulse of an integrator.
    Impulse,
    /// The reset of an integrator.
    Reset,
    /// Read by an initial value.
    Init,
    /// Enables the region.
    Enable,
    /// Read by a guard.
    Guard,
    /// Read by an output action.
    Action,
}

impl Role {
    /// The port's name in messages; empty for a plain operand.
    pub fn port(self) -> &'static str {
        match self {
            Role::Operand | Role::Conditional => "",
            Role::Impulse => "impulse",
            Role::Reset => "reset",
            Role::Init => "init",
            Role::Enable => "enable",
            Role::Guard => "guard",
            Role::Action => "action",
        }
    }
    /// Whether the output can never be known without this input.
    pub fn is_always_needed(self) -> bool {
        matches!(self, Role::Operand | Role::Impulse | Role::Reset)
    }
}

/// `to` cannot be known before `from` is, while the modal models are in these modes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dependency {
    /// What is needed.
    pub from: SignalId,
    /// What needs it.
    pub to: SignalId,
    /// How.
    pub role: Role,
    /// Modes in which it does; each modal model at most once, ascending.
    pub modes: Vec<(ModalId, ModeId)>,
    /// Whether it needs it only while an enabled composite is active.
    pub is_in_enabled: bool,
}

/// All strict dependencies, ascending.
pub fn strict_dependencies(graph: &Graph) -> Vec<Dependency> {
    let mut collector = Collector {
        graph,
        found: Vec::new(),
        members: members_of_regions(graph),
    };
    for place in 0..graph.signals().len() {
        collector.definition(SignalId(place as u32));
    }
    for place in 0..graph.regions().len() {
        if let RegionKind::Enabled(enable) = graph.regions()[place].kind {
            collector.inside(RegionId(place as u32), enable, Role::Enable);
        }
    }
    for (place, modal) in graph.modals().iter().enumerate() {
        collector.modal(ModalId(place as u32), modal);
    }
    let mut found = collector.found;
    found.sort();
    found.dedup();
    found
}

/// The modes that must be current for a region to be active, ascending; and whether an enabled composite is among its ancestors.
pub(crate) fn modes_of_region(graph: &Graph, region: RegionId) -> (Vec<(ModalId, ModeId)>, bool) {
    let (mut modes, mut is_in_enabled) = (Vec::new(), false);
    let mut next = Some(region);
    while let Some(id) = next {
        match graph.region(id).kind {
            RegionKind::Root => {}
            RegionKind::Enabled(_) => is_in_enabled = true,
            RegionKind::Mode(modal, mode) => modes.push((modal, mode)),
        }
        next = graph.region(id).parent;
    }
    modes.sort_unstable();
    (modes, is_in_enabled)
}

/// Signals of each region and of all regions in it.
fn members_of_regions(graph: &Graph) -> Vec<Vec<SignalId>> {
    let mut members = vec![Vec::new(); graph.regions().len()];
    for (place, signal) in graph.signals().iter().enumerate() {
        let mut next = Some(signal.region);
        while let Some(id) = next.filter(|id| *id != RegionId::ROOT) {
            members[id.0 as usize].push(SignalId(place as u32));
            next = graph.region(id).parent;
        }
    }
    members
}

struct Collector<'a> {
    graph: &'a Graph,
    found: Vec<Dependency>,
    members: Vec<Vec<SignalId>>,
}

impl Collector<'_> {
    fn push(&mut self, from: SignalId, to: SignalId, role: Role, more: Option<(ModalId, ModeId)>) {
        let (mut modes, is_in_enabled) = modes_of_region(self.graph, self.graph.signal(to).region);
        modes.extend(more);
        modes.sort_unstable();
        modes.dedup();
        self.found.push(Dependency {
            from,
            to,
            role,
            modes,
            is_in_enabled,
        });
    }
    fn push_all(&mut self, node: NodeId, to: SignalId, role: Role, more: Option<(ModalId, ModeId)>) {
        for from in self.graph.signals_of(node) {
            self.push(from, to, role, more);
        }
    }

    fn definition(&mut self, to: SignalId) {
        let graph = self.graph;
        match &graph.signal(to).definition {
            Definition::Expression(node) => self.push_all(*node, to, Role::Operand, None),
            Definition::Default { preferred, alternate } => {
                self.push(*preferred, to, Role::Operand, None);
                self.push(*alternate, to, Role::Conditional, None);
            }
            Definition::Inhibit { value, inhibit: by } | Definition::Sample { value, trigger: by } => {
                self.push(*by, to, Role::Operand, None);
                self.push(*value, to, Role::Conditional, None);
            }
            Definition::Hold { value, init } => {
                self.push(*value, to, Role::Operand, None);
                if let Some(init) = init {
                    self.push_all(*init, to, Role::Init, None);
                }
            }
            Definition::IsPresent(value) | Definition::IsAbsent(value) => {
                self.push(*value, to, Role::Operand, None);
            }
            Definition::Integrator {
                init, impulse, reset, ..
            } => {
                self.push_all(*init, to, Role::Init, None);
                if let Some(impulse) = impulse {
                    self.push(*impulse, to, Role::Impulse, None);
                }
                if let Some(reset) = reset {
                    self.push(*reset, to, Role::Reset, None);
                }
            }
            Definition::Merge(of) => {
                // A merge knows that what lies in a mode that is not current is absent: it waits for each only in that one's modes.
                for from in of {
                    let (modes, _) = modes_of_region(graph, graph.signal(*from).region);
                    self.push(*from, to, Role::Operand, None);
                    if let Some(dependency) = self.found.last_mut() {
                        dependency.modes.extend(modes);
                        dependency.modes.sort_unstable();
                        dependency.modes.dedup();
                    }
                }
            }
            Definition::Post { .. }
            | Definition::Cross { .. }
            | Definition::Clock { .. }
            | Definition::At { .. }
            | Definition::Delay { .. }
            | Definition::Output { .. }
            | Definition::Event { .. } => {}
        }
    }

    /// Everything in a region waits for `from`.
    fn inside(&mut self, region: RegionId, from: SignalId, role: Role) {
        for to in self.members[region.0 as usize].clone() {
            self.push(from, to, role, None);
        }
    }

    fn modal(&mut self, id: ModalId, modal: &ModalModel) {
        let graph = self.graph;
        for place in 0..modal.modes.len() {
            let mode = ModeId(place as u32);
            let leaving = || modal.transitions.iter().filter(|t| t.leaves(mode));
            for transition in leaving().filter(|t| t.is_preemptive) {
                for from in graph.signals_of(transition.guard) {
                    self.inside(modal.mode(mode).region, from, Role::Guard);
                }
            }
            // What is output on the way waits for the choice among all that leave, and for immediate ones after them.
            let chain = || leaving().chain(modal.transitions.iter().filter(|t| t.is_immediate));
            let mut outputs: Vec<SignalId> = chain().flat_map(|t| &t.outputs).map(|(s, _)| *s).collect();
            outputs.sort_unstable();
            outputs.dedup();
            for to in outputs {
                for transition in chain() {
                    self.push_all(transition.guard, to, Role::Guard, Some((id, mode)));
                    for (_, node) in transition.outputs.iter().filter(|(s, _)| *s == to) {
                        self.push_all(*node, to, Role::Action, Some((id, mode)));
                    }
                }
            }
        }
    }
}
