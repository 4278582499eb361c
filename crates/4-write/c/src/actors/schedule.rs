//! The order in which a tick evaluates its units.
//!
//! What must become known at a tick are *units*: signals, whether regions are active, and for each modal model which transition preempts and which is
//! taken. Units and what they may wait for form a directed graph; its strongly connected parts in topological order are the schedule, as in
//! `dyverse-tick`. A part of one unit is evaluated once, a larger one until nothing more becomes known.

use dyverse_actors::{
    Definition, Graph, ModalId, ModeId, ModeTransition, RegionKind, SignalId, guard_operands,
    strongly_connected,
};
use dyverse_expr::NodeId;

/// Numbers of units.
pub(super) struct Units<'g> {
    graph: &'g Graph,
    /// The mode whose guard a signal is part of.
    guards: Vec<Option<(ModalId, ModeId)>>,
    signals: usize,
    regions: usize,
    modals: usize,
}

impl<'g> Units<'g> {
    pub(super) fn new(graph: &'g Graph) -> Self {
        Units {
            graph,
            guards: guard_operands(graph),
            signals: graph.signals().len(),
            regions: graph.regions().len(),
            modals: graph.modals().len(),
        }
    }

    pub(super) fn count(&self) -> usize {
        self.signals + self.regions + 2 * self.modals
    }

    fn region(&self, region: u32) -> usize {
        self.signals + region as usize
    }

    fn preempting(&self, modal: u32) -> usize {
        self.signals + self.regions + modal as usize
    }

    fn choice(&self, modal: u32) -> usize {
        self.preempting(modal) + self.modals
    }

    /// Strongly connected parts, those that others wait for first.
    pub(super) fn blocks(&self) -> Vec<Vec<usize>> {
        let needs: Vec<Vec<usize>> = (0..self.count()).map(|unit| self.needs(unit)).collect();
        let parts = strongly_connected(needs.len(), |unit, k| needs[unit].get(k).copied());
        let mut blocks = vec![Vec::new(); parts.iter().max().map_or(0, |m| m + 1)];
        for (unit, part) in parts.into_iter().enumerate() {
            blocks[part].push(unit);
        }
        blocks
    }

    /// Units that a unit may wait for, in any mode.
    fn needs(&self, unit: usize) -> Vec<usize> {
        let mut needs = Vec::new();
        if unit < self.signals {
            self.signal_needs(SignalId(unit as u32), &mut needs);
            self.guard_needs(SignalId(unit as u32), &mut needs);
        } else if unit < self.signals + self.regions {
            self.region_needs(unit - self.signals, &mut needs);
        } else {
            self.modal_needs(unit - self.signals - self.regions, &mut needs);
        }
        needs.sort_unstable();
        needs.dedup();
        needs
    }

    fn read(&self, node: NodeId, needs: &mut Vec<usize>) {
        needs.extend(self.graph.signals_of(node).iter().map(|s| s.0 as usize));
    }

    fn signal_needs(&self, id: SignalId, needs: &mut Vec<usize>) {
        let signal = self.graph.signal(id);
        needs.push(self.region(signal.region.0));
        let mut push = |list: &[SignalId]| needs.extend(list.iter().map(|s| s.0 as usize));
        match &signal.definition {
            Definition::Expression(node) => self.read(*node, needs),
            Definition::Default {
                preferred: a,
                alternate: b,
            }
            | Definition::Inhibit { value: a, inhibit: b }
            | Definition::Sample { value: a, trigger: b } => push(&[*a, *b]),
            Definition::Hold { value, init } => {
                push(&[*value]);
                if let Some(init) = init {
                    self.read(*init, needs);
                }
            }
            Definition::IsPresent(a) | Definition::IsAbsent(a) => push(&[*a]),
            Definition::Integrator {
                init, impulse, reset, ..
            } => {
                for pushed in [impulse, reset].into_iter().flatten() {
                    push(&[*pushed]);
                }
                self.read(*init, needs);
            }
            Definition::Before(merged) => {
                if let Definition::Merge(of) = &self.graph.signal(*merged).definition {
                    push(of);
                    for source in of {
                        let mut next = Some(self.graph.signal(*source).region);
                        while let Some(id) = next {
                            if let RegionKind::Mode(modal, _) = self.graph.region(id).kind {
                                needs.push(self.preempting(modal.0));
                            }
                            next = self.graph.region(id).parent;
                        }
                    }
                }
            }
            Definition::Merge(of) => {
                push(of);
                self.action_needs(id, needs);
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

    /// Whether the refinement of a guard's own mode is seen depends on whether it is preempted.
    fn guard_needs(&self, id: SignalId, needs: &mut Vec<usize>) {
        let Some((modal, mode)) = self.guards[id.0 as usize] else {
            return;
        };
        let refinement = self.graph.modal(modal).mode(mode).region;
        let is_inside = |unit: &usize| {
            let signal = self.graph.signals().get(*unit);
            signal.is_some_and(|s| self.graph.is_within(s.region, refinement))
        };
        if needs.iter().any(is_inside) {
            needs.push(self.preempting(modal.0));
        }
    }

    /// What output actions on a signal need.
    fn action_needs(&self, id: SignalId, needs: &mut Vec<usize>) {
        for modal in actors_on(self.graph, id) {
            needs.push(self.choice(modal.0));
            for transition in &self.graph.modal(modal).transitions {
                for (_, node) in transition.outputs.iter().filter(|(s, _)| *s == id) {
                    self.read(*node, needs);
                }
            }
        }
    }

    fn region_needs(&self, place: usize, needs: &mut Vec<usize>) {
        let region = &self.graph.regions()[place];
        needs.extend(region.parent.map(|p| self.region(p.0)));
        match region.kind {
            RegionKind::Root => {}
            RegionKind::Enabled(signal) => needs.push(signal.0 as usize),
            RegionKind::Mode(modal, mode) | RegionKind::Leaving(modal, mode) => {
                let is_refinement = matches!(region.kind, RegionKind::Mode(..));
                let model = self.graph.modal(modal);
                let is_on_the_way = if is_refinement {
                    model.can_pass(mode)
                } else {
                    model.has_immediate(mode)
                };
                if is_refinement || is_on_the_way {
                    needs.push(self.preempting(modal.0));
                }
                let decides = |t: &&ModeTransition| is_on_the_way && (is_refinement || t.from != Some(mode));
                for transition in model.transitions.iter().filter(decides) {
                    self.read(transition.guard, needs);
                }
            }
        }
    }

    fn modal_needs(&self, place: usize, needs: &mut Vec<usize>) {
        let (is_choice, modal) = (place >= self.modals, place % self.modals.max(1));
        let model = &self.graph.modals()[modal];
        needs.push(self.region(model.region.0));
        if is_choice {
            needs.push(self.preempting(modal as u32));
        }
        for transition in model.transitions.iter().filter(|t| is_choice || t.is_preemptive) {
            self.read(transition.guard, needs);
        }
    }
}

/// Modal models whose transitions give a signal a value, ascending.
pub(super) fn actors_on(graph: &Graph, id: SignalId) -> Vec<ModalId> {
    let gives = |place: &usize| {
        let transitions = graph.modals()[*place].transitions.iter();
        transitions.flat_map(|t| &t.outputs).any(|(s, _)| *s == id)
    };
    let places = (0..graph.modals().len()).filter(gives);
    places.map(|place| ModalId(place as u32)).collect()
}
