//! What transitions do to the state [004 §6.1; SPEC §6].
//!
//! All new values are of the tick at which the transitions are taken. Then, inner modal models first: the mode changes; without `history`
//! everything in the mode entered forgets; set actions write. At the next microstep what has forgotten and is active gets its
//! initial value, which may read what was set. Everything else keeps its value, and time does not pass.

use super::condition::all;
use super::events::{Chain, Listed, describe};
use super::obstacle::obstacle;
use super::tick::{Known, Memory};
use super::{ActorFormulas, ActorLocation, fold};
use crate::{Condition, Jump, Obstacle};
use dyverse_actors::{Graph, ModalModel, Mode, RegionId, SignalId};
use dyverse_expr::NodeId;

/// Ways to go on at one event at the most.
const MOST: usize = 1024;

/// The actions of the transitions of one chain, evaluated.
struct Taken {
    modal: u32,
    transition: u32,
    sets: Vec<(SignalId, NodeId)>,
}

impl ActorFormulas {
    /// What an event does if no other modal model takes a transition at that moment. Several ways where `immediate` transitions may follow.
    ///
    /// # Errors
    /// For actions and initial values without formulas, and for an event that is not there.
    pub fn jumps(
        &mut self,
        location: &ActorLocation,
        event: usize,
    ) -> Result<Vec<Jump<ActorLocation>>, Obstacle> {
        self.jumps_together(location, &[event])
    }

    /// What several events do that hold at the same moment. Nothing if they cannot be taken together: two of one modal model, or one inside a
    /// mode that another preempts.
    ///
    /// # Errors
    /// As [`jumps`](Self::jumps).
    pub fn jumps_together(
        &mut self,
        location: &ActorLocation,
        events: &[usize],
    ) -> Result<Vec<Jump<ActorLocation>>, Obstacle> {
        let listed = self.list(location)?;
        let mut taken: Vec<&Listed> = Vec::new();
        for event in events {
            let Some(found) = listed.get(*event) else {
                return Err(obstacle(format!(
                    "there is no event number {event} in [{location}]"
                )));
            };
            taken.push(found);
        }
        taken.sort_by_key(|l| (l.modal, l.transition));
        let is_twice = taken.windows(2).any(|pair| pair[0].modal == pair[1].modal);
        if is_twice || taken.is_empty() {
            return Ok(Vec::new());
        }
        let mut memory = self.memory(location)?;
        for one in &taken {
            if transition(&self.graph, one).is_preemptive {
                memory.preempted.insert(one.modal);
            }
        }
        if !self.agree(&memory, &listed, &taken)? {
            return Ok(Vec::new());
        }
        self.carry_out(memory, &taken)
    }

    /// A preempted refinement is absent for a tick. Whether all that is taken is still taken; what changes for others has no formulas.
    fn agree(&mut self, memory: &Memory, listed: &[Listed], taken: &[&Listed]) -> Result<bool, Obstacle> {
        if memory.preempted.is_empty() {
            return Ok(true);
        }
        let now = self.tick(memory.clone(), Known::default()).list()?;
        let same = |a: &Listed, b: &Listed| (a.modal, a.transition) == (b.modal, b.transition);
        for one in &now {
            if !listed
                .iter()
                .any(|l| same(l, one) && l.event.when == one.event.when)
            {
                return Err(obstacle(format!(
                    "`preempt` in [{}] changes what another guard reads: {}",
                    taken.first().map_or("", |l| l.event.label.as_str()),
                    one.event.label
                )));
            }
        }
        Ok(taken.iter().all(|l| now.iter().any(|one| same(l, one))))
    }

    fn carry_out(&mut self, memory: Memory, taken: &[&Listed]) -> Result<Vec<Jump<ActorLocation>>, Obstacle> {
        let states = self.states.clone();
        let mut tick = self.tick(memory, Known::default());
        let mut ways: Vec<(Condition, Vec<(u32, u32)>)> = vec![(Condition::Constant(true), Vec::new())];
        for one in taken {
            let chains = tick.chains(one.modal, one.transition)?;
            ways = ways
                .iter()
                .flat_map(|way| extend(way, one.modal, &chains))
                .collect();
            if ways.len() > MOST {
                return Err(obstacle(format!(
                    "more than {MOST} ways in which `immediate` transitions may follow each other"
                )));
            }
        }
        let before = tick.settle(&states)?;
        let mut plans = Vec::new();
        for (when, steps) in ways {
            let mut chain = Vec::new();
            for (place, (modal, transition)) in steps.iter().enumerate() {
                let model = &tick.graph.modals()[*modal as usize];
                let before = place.checked_sub(1).and_then(|k| steps.get(k));
                let sets = match before.filter(|(other, _)| other == modal) {
                    Some((_, entry)) => {
                        let entry = &model.transitions[*entry as usize];
                        tick.entering(*modal, entry).actions(*modal, *transition)?
                    }
                    None => tick.actions(*modal, *transition)?,
                };
                chain.push(Taken {
                    modal: *modal,
                    transition: *transition,
                    sets,
                });
            }
            plans.push((when, chain));
        }
        let mut jumps = Vec::new();
        for (when, chain) in plans {
            jumps.push(self.jump(when, before.clone(), &chain)?);
        }
        Ok(jumps)
    }

    fn jump(
        &mut self,
        when: Condition,
        mut memory: Memory,
        chain: &[Taken],
    ) -> Result<Jump<ActorLocation>, Obstacle> {
        memory.preempted.clear();
        let mut labels = Vec::new();
        for taken in chain {
            let model = &self.graph.modals()[taken.modal as usize];
            labels.push(describe(model, &model.transitions[taken.transition as usize]));
        }
        // What begins anew outside forgets what happened inside.
        let mut inner_first: Vec<&Taken> = chain.iter().collect();
        let depth = |t: &Taken| self.graph.depth(self.graph.modals()[t.modal as usize].region);
        inner_first.sort_by_key(|t| std::cmp::Reverse(depth(t)));
        for taken in inner_first {
            let model = &self.graph.modals()[taken.modal as usize];
            let transition = &model.transitions[taken.transition as usize];
            memory.modes[taken.modal as usize] = transition.to.0;
            if !transition.is_history {
                forget(&self.graph, &self.states, &mut memory, model.mode(transition.to));
            }
            for (target, value) in &taken.sets {
                // A `hold` without formulas is no state; who reads it is told.
                if let Some(place) = self.places[target.0 as usize] {
                    memory.cells[place as usize] = *value;
                    memory.is_there[place as usize] = true;
                }
            }
        }
        let (target, memory) = self.begin(memory)?;
        let mut reset = memory.cells;
        reset.push(memory.time);
        Ok(Jump {
            label: labels.join(", "),
            when,
            auxiliaries: Vec::new(),
            impulses: None,
            reset,
            target,
        })
    }
}

fn transition<'a>(graph: &'a Graph, of: &Listed) -> &'a dyverse_actors::ModeTransition {
    &graph.modals()[of.modal as usize].transitions[of.transition as usize]
}

fn extend(
    (when, steps): &(Condition, Vec<(u32, u32)>),
    modal: u32,
    chains: &[Chain],
) -> Vec<(Condition, Vec<(u32, u32)>)> {
    let longer = chains.iter().map(|chain| {
        let more = chain.transitions.iter().map(|t| (modal, *t));
        let steps = steps.iter().copied().chain(more).collect();
        (all(vec![when.clone(), chain.when.clone()]), steps)
    });
    longer
        .filter(|(when, _)| *when != Condition::Constant(false))
        .collect()
}

/// A mode begins anew: its states have no value, modal models in it their initial mode.
fn forget(graph: &Graph, states: &[SignalId], memory: &mut Memory, entered: &Mode) {
    let is_inside = |region: RegionId| {
        let mut own = std::iter::once(entered.region).chain(entered.leaving);
        own.any(|outer| graph.is_within(region, outer))
    };
    for (place, state) in states.iter().enumerate() {
        if is_inside(graph.signal(*state).region) {
            memory.is_there[place] = false;
        }
    }
    for (place, modal) in graph.modals().iter().enumerate() {
        if is_inside(modal.region) {
            memory.modes[place] = modal.initial.0;
        }
    }
}

impl super::Tick<'_> {
    /// The new values of the set actions of a transition.
    fn actions(&mut self, modal: u32, transition: u32) -> Result<Vec<(SignalId, NodeId)>, Obstacle> {
        let graph = self.graph;
        let model: &ModalModel = &graph.modals()[modal as usize];
        let transition = &model.transitions[transition as usize];
        if let Some((signal, _)) = transition.outputs.first() {
            return Err(obstacle(format!(
                "`out {} = …` of the transition {} has no formulas: it is an event of one microstep",
                graph.signal(*signal).label(),
                describe(model, transition)
            )));
        }
        let mut sets = Vec::new();
        for (target, node) in &transition.sets {
            let Some(value) = self.expression(*node)? else {
                return Err(obstacle(format!(
                    "`{} := …` of the transition {} reads a signal that is absent there",
                    graph.signal(*target).label(),
                    describe(model, transition)
                )));
            };
            sets.push((*target, fold::as_number(self.pool, value)));
        }
        Ok(sets)
    }
}
