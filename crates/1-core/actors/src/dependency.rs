//! Which signals a signal cannot be known without, and in which modes.
//!
//! An integrator's output waits for its impulse and its reset, not for its derivative; `post`, `cross`, `delay`, clocks and outputs of components wait for
//! nothing [004 §4, §5.1]. What lies in a region waits for what decides whether the region is active.

use crate::guards::guard_operands;
use crate::nonstrict::always_needed;
use crate::{Definition, Graph, ModalId, ModalModel, ModeId, ModeTransition, RegionId, RegionKind, SignalId};
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
        ways: ways_of_regions(graph),
        guards: guard_operands(graph),
        later: graph.modals().iter().map(|m| m.ahead_of_all(false)).collect(),
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

/// Ways in which a region can be active that are told apart at the most; beyond, modes are not looked at.
const MOST_WAYS: usize = 64;

/// Modes in which a tick begins, each modal model at most once, ascending.
type Modes = Vec<(ModalId, ModeId)>;

/// Modes in which a tick can begin at which a region is active.
#[derive(Clone, Debug)]
struct Ways {
    /// The region's own modes are current.
    current: Modes,
    /// These or others: modes from which the region is entered or passed at the tick.
    all: Vec<Modes>,
    /// Whether an enabled composite is among its ancestors.
    is_in_enabled: bool,
}

/// `modes` and one more; nothing if that is another mode of the same modal model.
fn with(modes: &[(ModalId, ModeId)], more: &[(ModalId, ModeId)]) -> Option<Modes> {
    let mut modes = modes.to_vec();
    modes.extend(more);
    modes.sort_unstable();
    modes.dedup();
    let clashes = modes.windows(2).any(|pair| pair[0].0 == pair[1].0);
    (!clashes).then_some(modes)
}

/// The ways of each region.
fn ways_of_regions(graph: &Graph) -> Vec<Ways> {
    let ahead: Vec<Vec<Vec<bool>>> = graph.modals().iter().map(|m| m.ahead_of_all(true)).collect();
    let mut ways: Vec<Ways> = Vec::with_capacity(graph.regions().len());
    for region in graph.regions() {
        let parent = region.parent.and_then(|p| ways.get(p.0 as usize));
        let mut own = parent.cloned().unwrap_or(Ways {
            current: Vec::new(),
            all: vec![Vec::new()],
            is_in_enabled: false,
        });
        match region.kind {
            RegionKind::Root => {}
            RegionKind::Enabled(_) => own.is_in_enabled = true,
            RegionKind::Mode(modal, mode) | RegionKind::Leaving(modal, mode) => {
                let model = graph.modal(modal);
                let on_the_way = match region.kind {
                    RegionKind::Mode(..) => model.can_pass(mode),
                    _ => model.has_immediate(mode),
                };
                let mut from = vec![mode];
                let modes = (0..model.modes.len() as u32).map(ModeId);
                from.extend(modes.filter(|m| {
                    on_the_way && *m != mode && ahead[modal.0 as usize][m.0 as usize][mode.0 as usize]
                }));
                let pairs = own.all.iter().flat_map(|w| from.iter().map(move |m| (w, *m)));
                own.all = pairs.filter_map(|(w, m)| with(w, &[(modal, m)])).collect();
                if own.all.len() > MOST_WAYS {
                    own.all = vec![Vec::new()];
                }
                own.current = with(&own.current, &[(modal, mode)]).unwrap_or_default();
            }
        }
        ways.push(own);
    }
    ways
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
    ways: Vec<Ways>,
    /// The mode whose guard a signal is part of.
    guards: Vec<Option<(ModalId, ModeId)>>,
    /// For each modal model: the modes that immediate transitions lead to from each.
    later: Vec<Vec<Vec<bool>>>,
}

impl Collector<'_> {
    fn push(&mut self, from: SignalId, to: SignalId, role: Role, more: Option<(ModalId, ModeId)>) {
        self.push_in(from, to, role, more.as_slice());
    }
    fn is_in_refinement(&self, signal: SignalId, (modal, mode): (ModalId, ModeId)) -> bool {
        let region = self.graph.modal(modal).mode(mode).region;
        self.graph.is_within(self.graph.signal(signal).region, region)
    }
    /// Whether a guard sees a signal while its modal model is in a mode.
    fn is_seen(&self, transition: &ModeTransition, id: ModalId, from: SignalId, mode: ModeId) -> bool {
        let own = transition.from.filter(|own| *own != mode);
        own.is_none_or(|own| !self.is_in_refinement(from, (id, own)))
    }
    /// In every way in which the region of `to` is active while these modes are current.
    fn push_in(&mut self, from: SignalId, to: SignalId, role: Role, more: &[(ModalId, ModeId)]) {
        let ways = &self.ways[self.graph.signal(to).region.0 as usize];
        // Guards see the refinement of their own mode only where it runs before them.
        let own = self.guards[to.0 as usize].filter(|home| self.is_in_refinement(from, *home));
        let modes = ways.all.iter().filter_map(|modes| with(modes, more));
        let modes = modes.filter_map(|modes| with(&modes, own.as_slice()));
        self.found.extend(modes.map(|modes| Dependency {
            from,
            to,
            role,
            modes,
            is_in_enabled: ways.is_in_enabled,
        }));
    }
    fn push_all(&mut self, node: NodeId, to: SignalId, role: Role, more: Option<(ModalId, ModeId)>) {
        for from in self.graph.signals_of(node) {
            self.push(from, to, role, more);
        }
    }

    fn definition(&mut self, to: SignalId) {
        let graph = self.graph;
        match &graph.signal(to).definition {
            Definition::Expression(node) => {
                let needed = always_needed(graph, *node);
                for from in graph.signals_of(*node) {
                    let is_needed = needed.contains(&from);
                    self.push(
                        from,
                        to,
                        if is_needed {
                            Role::Operand
                        } else {
                            Role::Conditional
                        },
                        None,
                    );
                }
            }
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
                    let home = graph.signal(*from).region;
                    for modes in self.ways[home.0 as usize].all.clone() {
                        self.push_in(*from, to, Role::Operand, &modes);
                    }
                }
            }
            Definition::Before(merged) => {
                if let Definition::Merge(of) = &graph.signal(*merged).definition {
                    for from in of {
                        let modes = self.ways[graph.signal(*from).region.0 as usize].current.clone();
                        self.push_in(*from, to, Role::Operand, &modes);
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

    /// What is entered or passed through from another mode waits for the guards that decide it.
    fn on_the_way(&mut self, id: ModalId, modal: &ModalModel, mode: ModeId, ahead: &[Vec<bool>]) {
        let target = modal.mode(mode);
        let later = self.later[id.0 as usize].clone();
        let passed = modal.can_pass(mode).then_some((target.region, false));
        let entered = target
            .leaving
            .filter(|_| modal.has_immediate(mode))
            .map(|r| (r, true));
        for (region, is_leaving) in passed.into_iter().chain(entered) {
            for first in (0..modal.modes.len() as u32).map(ModeId) {
                if first == mode || !ahead[first.0 as usize][mode.0 as usize] {
                    continue;
                }
                // Guards of the modes from which it can still be entered; of its own, if it has to be left.
                let modes = (0..modal.modes.len() as u32).map(ModeId);
                let before: Vec<ModeId> = modes
                    .filter(|m| *m != first && ahead[first.0 as usize][m.0 as usize])
                    .filter(|m| {
                        if *m == mode {
                            !is_leaving
                        } else {
                            later[m.0 as usize][mode.0 as usize]
                        }
                    })
                    .collect();
                let decides = |t: &&ModeTransition| {
                    t.leaves(first) || (t.is_immediate && before.iter().any(|m| t.leaves(*m)))
                };
                for transition in modal.transitions.iter().filter(decides) {
                    for from in self.graph.signals_of(transition.guard) {
                        if !self.is_seen(transition, id, from, first) {
                            continue;
                        }
                        for to in self.members[region.0 as usize].clone() {
                            self.push(from, to, Role::Guard, Some((id, first)));
                        }
                    }
                }
            }
        }
    }

    fn modal(&mut self, id: ModalId, modal: &ModalModel) {
        let graph = self.graph;
        let ahead = modal.ahead_of_all(true);
        for place in 0..modal.modes.len() {
            let mode = ModeId(place as u32);
            let leaving = || modal.transitions.iter().filter(|t| t.leaves(mode));
            for transition in leaving().filter(|t| t.is_preemptive) {
                for from in graph.signals_of(transition.guard) {
                    for to in self.members[modal.mode(mode).region.0 as usize].clone() {
                        self.push(from, to, Role::Guard, Some((id, mode)));
                    }
                }
            }
            self.on_the_way(id, modal, mode, &ahead);
            // What is output on the way waits for the choice among all that leave, and for immediate ones after them.
            let chain = || leaving().chain(modal.transitions.iter().filter(|t| t.is_immediate));
            let mut outputs: Vec<SignalId> = chain().flat_map(|t| &t.outputs).map(|(s, _)| *s).collect();
            outputs.sort_unstable();
            outputs.dedup();
            for to in outputs {
                for transition in chain() {
                    for from in graph.signals_of(transition.guard) {
                        if self.is_seen(transition, id, from, mode) {
                            self.push(from, to, Role::Guard, Some((id, mode)));
                        }
                    }
                    for (_, node) in transition.outputs.iter().filter(|(s, _)| *s == to) {
                        self.push_all(*node, to, Role::Action, Some((id, mode)));
                    }
                }
            }
        }
    }
}
