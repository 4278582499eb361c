//! Which transitions can be taken in a location, and when [004 §6.1; SPEC §6].
//!
//! With P the guards of preemptive transitions out of the current mode and of every modal model around it:
//!
//! | transition | is taken when |
//! |---|---|
//! | preemptive | its guard, and none of P around |
//! | other | its guard, and none of P |
//! | `default` | also: none of the others of its class without `default` |
//! | `immediate`, after another | its guard, with the values of the mode that is left; without `preempt`: none with it |

use super::condition::{all, any};
use super::obstacle::obstacle;
use super::passing::pass_through;
use super::tick::{Entering, Known, Tick};
use super::{ActorFormulas, ActorLocation};
use crate::{Condition, Event, Obstacle};
use dyverse_actors::{ModalId, ModalModel, ModeId, ModeTransition, RegionKind};
use dyverse_expr::{Node, NodeId};

/// An event and the transition that it is.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    pub(crate) modal: u32,
    pub(crate) transition: u32,
    pub(crate) event: Event,
}

/// Transitions taken one after the other at one tick, and when.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    pub(crate) when: Condition,
    pub(crate) transitions: Vec<u32>,
}

impl ActorFormulas {
    pub(crate) fn list(&mut self, location: &ActorLocation) -> Result<Vec<Listed>, Obstacle> {
        if let Some(listed) = self.listed.get(location) {
            return Ok(listed.clone());
        }
        let listed = self.at(location, |tick| tick.list())?;
        self.listed.insert(location.clone(), listed.clone());
        Ok(listed)
    }
}

/// `heater: off -> on_ when T <= low`.
pub(crate) fn describe(modal: &ModalModel, transition: &ModeTransition) -> String {
    let edge = modal.describe(transition);
    if transition.text.is_empty() {
        edge
    } else {
        format!("{edge} when {}", transition.text)
    }
}

impl Tick<'_> {
    /// All transitions that can be taken at this tick.
    pub(crate) fn list(&mut self) -> Result<Vec<Listed>, Obstacle> {
        let graph = self.graph;
        let mut listed = Vec::new();
        for (place, modal) in graph.modals().iter().enumerate() {
            if !self.is_active(modal.region)? {
                continue;
            }
            let mode = self.mode(place as u32);
            let around = self.preempted_around(modal)?;
            let here = self.preempting(modal, mode)?;
            for (number, transition) in modal.transitions.iter().enumerate() {
                if !transition.leaves(mode) {
                    continue;
                }
                let is_preemptive = transition.is_preemptive;
                let own = self.selected(modal, number, |t| {
                    t.leaves(mode) && t.is_preemptive == is_preemptive
                })?;
                let mut parts = vec![own, around.negated()];
                if !is_preemptive {
                    parts.push(here.negated());
                }
                let when = all(parts);
                if !when.atoms().is_empty() && self.has_tolerance(transition) {
                    return Err(obstacle(format!(
                        "the guard of {} has a tolerance: a run takes it anywhere within that, which is not proved about",
                        describe(modal, transition)
                    )));
                }
                if when != Condition::Constant(false) {
                    listed.push(Listed {
                        modal: place as u32,
                        transition: number as u32,
                        event: Event {
                            label: describe(modal, transition),
                            when,
                        },
                    });
                }
            }
        }
        Ok(listed)
    }

    /// Whether a guard may be taken later than where it begins to hold.
    fn has_tolerance(&self, transition: &ModeTransition) -> bool {
        let is_zero = |node: NodeId| matches!(self.graph.pool().node(node), Node::Number(literal) if literal.value() == 0.0);
        match transition.tolerance {
            Some(node) => !is_zero(node),
            None => self
                .graph
                .numerics()
                .crossing
                .is_some_and(|tolerance| tolerance != 0.0),
        }
    }

    pub(crate) fn mode(&self, modal: u32) -> ModeId {
        ModeId(self.memory.modes[modal as usize])
    }

    /// When a preemptive transition leaves the current mode of a modal model.
    fn preempting(&mut self, modal: &ModalModel, mode: ModeId) -> Result<Condition, Obstacle> {
        let mut guards = Vec::new();
        for transition in &modal.transitions {
            if transition.leaves(mode) && transition.is_preemptive {
                guards.push(self.guard(transition.guard)?);
            }
        }
        Ok(any(guards))
    }

    /// When a modal model around this one is preempted.
    fn preempted_around(&mut self, modal: &ModalModel) -> Result<Condition, Obstacle> {
        let graph = self.graph;
        let mut parts = Vec::new();
        let mut region = Some(modal.region);
        while let Some(id) = region {
            if let RegionKind::Mode(outer, mode) = graph.region(id).kind {
                parts.push(self.preempting(graph.modal(outer), mode)?);
            }
            region = graph.region(id).parent;
        }
        Ok(any(parts))
    }

    /// When a transition is the one that is taken of its class.
    fn selected(
        &mut self,
        modal: &ModalModel,
        number: usize,
        is_candidate: impl Fn(&ModeTransition) -> bool,
    ) -> Result<Condition, Obstacle> {
        let transition = &modal.transitions[number];
        let mut parts = vec![self.guard(transition.guard)?];
        if transition.is_default {
            for other in &modal.transitions {
                if is_candidate(other) && !other.is_default {
                    parts.push(self.guard(other.guard)?.negated());
                }
            }
        }
        Ok(all(parts))
    }

    /// The tick as it is for a mode that a transition enters.
    pub(crate) fn entering(&mut self, modal: u32, by: &ModeTransition) -> Tick<'_> {
        let mut memory = self.memory.clone();
        memory.entering = Some(Entering {
            modal: ModalId(modal),
            mode: by.to,
            is_history: by.is_history,
        });
        Tick {
            graph: self.graph,
            pool: &mut *self.pool,
            parameters: self.parameters,
            places: self.places,
            is_in_loop: self.is_in_loop,
            asked: self.asked,
            memory,
            known: Known::default(),
        }
    }

    /// What follows a transition at the same tick: `immediate` ones out of the mode entered, those with `preempt` before the others.
    pub(crate) fn chains(&mut self, modal: u32, first: u32) -> Result<Vec<Chain>, Obstacle> {
        let (graph, asked) = (self.graph, self.asked);
        let model = &graph.modals()[modal as usize];
        let mut done = Vec::new();
        let mut open = vec![Chain {
            when: Condition::Constant(true),
            transitions: vec![first],
        }];
        while let Some(chain) = open.pop() {
            let Some(last) = chain.transitions.last() else {
                continue;
            };
            let entry = &model.transitions[*last as usize];
            let mode = entry.to;
            let mut tick = self.entering(modal, entry);
            let mut stays = vec![chain.when.clone()];
            let mut further = Vec::new();
            for is_preemptive in [true, false] {
                let is_candidate =
                    |t: &ModeTransition| t.leaves(mode) && t.is_immediate && t.is_preemptive == is_preemptive;
                let before = stays.clone();
                for (number, transition) in model.transitions.iter().enumerate() {
                    if !is_candidate(transition) {
                        continue;
                    }
                    stays.push(tick.guard(transition.guard)?.negated());
                    let own = tick.selected(model, number, is_candidate)?;
                    let when = all(before.iter().cloned().chain([own]).collect());
                    if when == Condition::Constant(false) {
                        continue;
                    }
                    let target = |t: &u32| model.transitions[*t as usize].to;
                    if chain.transitions.iter().any(|t| target(t) == transition.to) {
                        return Err(obstacle(format!(
                            "`immediate` transitions of {} may go round in a circle through {}",
                            model.name,
                            model.mode(transition.to).name
                        )));
                    }
                    if !is_preemptive {
                        pass_through(graph, asked, model, mode)?;
                    }
                    let mut transitions = chain.transitions.clone();
                    transitions.push(number as u32);
                    further.push(Chain { when, transitions });
                }
            }
            let when = all(stays);
            if when != Condition::Constant(false) {
                done.push(Chain {
                    when,
                    transitions: chain.transitions,
                });
            }
            open.extend(further.into_iter().rev());
        }
        Ok(done)
    }
}
