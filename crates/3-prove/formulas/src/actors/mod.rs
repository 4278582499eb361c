//! An actor model as a hybrid automaton of formulas [004 §6; SPEC §6].
//!
//! # What has formulas
//! Expressions, integrators, `hold`, `??`, `on`, `unless`, `present`, `absent`, instances, `enabled by` and merged signals wherever the modes alone decide
//! what is present; modal models, in parallel and nested, with set actions, `history`, `default`, `choose`, `immediate` and `preempt`. Everything
//! else (`clock`, `at`, `delay`, `cross`, impulses, mechanisms, output actions of transitions, expressions in a loop that `if`, `and`, `or` open) is an [`Obstacle`], but only
//! for what reads it: a sampled display does not keep a thermostat from being a hybrid automaton. A `post` is one for the whole model; so is a mode for a
//! transition that passes through it, if that leaves a trace (`passing.rs`).
//!
//! # Meaning
//! A location stands for the final microstep of an instant. While time passes the states follow [`ActorFormulas::flow`]. At the first
//! moment at which the condition of an event is true the transition is taken; the state after a jump is that of the next microstep, where initial values
//! of the mode entered have been evaluated. An event whose condition is true there at once is taken there, at the same time.
//!
//! **At once.** Modal models whose guards become true at the same moment all take their transitions in the same microstep; actions of each read
//! the values before. [`ActorFormulas::jumps`] takes one event alone. Where events of different modal models may hold together,
//! [`ActorFormulas::jumps_together`] says what happens to any set of them. Two events of one modal model are never taken together: they are choices
//! (`choose`), or a run is refused where both hold; here both are possible.
//!
//! **Idealised.** Tolerances of guards and of the solver are not in the formulas: an event is where its condition becomes true. Inputs
//! have their own expression; a run with other inputs is not what is described. A comparison with something undefined (such as √−1) is not decided here.
//!
//! # Guarantee
//! Formulas are exact over the reals. Nothing is left out: what a run of the model does at exact numbers, a path of this automaton does.

mod condition;
mod events;
pub(crate) mod fold;
mod jumps;
mod location;
mod obstacle;
mod parameters;
mod passing;
mod tick;

pub use location::ActorLocation;

use crate::{Condition, Event, Flow, Obstacle, Variables};
use dyverse_actors::{Definition, Graph, ModalId, RegionId, RegionKind, Signal, SignalId, loop_operands};
use dyverse_expr::{NodeId, Pool};
use events::Listed;
use obstacle::obstacle;
use passing::asked;
use std::collections::{BTreeMap, BTreeSet};
use tick::{Known, Memory, Tick};

/// The formulas of an actor graph.
#[derive(Clone, Debug)]
pub struct ActorFormulas {
    graph: Graph,
    pool: Pool,
    variables: Variables,
    /// Formulas of the parameters.
    parameters: Vec<NodeId>,
    /// Signals that are states, in order.
    states: Vec<SignalId>,
    /// The state that a signal is.
    places: Vec<Option<u32>>,
    /// Whether a signal is an expression that need not wait for all of a loop.
    is_in_loop: Vec<bool>,
    /// Truth values that are asked about, each with the name of its property.
    asked: Vec<(String, NodeId)>,
    /// The symbols of all states, then of time.
    symbols: Vec<NodeId>,
    /// What is known of locations that were asked about.
    known: BTreeMap<ActorLocation, Known>,
    listed: BTreeMap<ActorLocation, Vec<Listed>>,
}

impl ActorFormulas {
    /// Prepares a graph. `choices` give parameters a value (equal ends) or a range instead of the model's own.
    ///
    /// # Errors
    /// For a choice that is none, and for a range that depends on another range. What else has no formulas is told when it is asked for.
    pub fn new(graph: &Graph, choices: &[(String, f64, f64)]) -> Result<Self, Obstacle> {
        let states: Vec<SignalId> = (0..graph.signals().len() as u32)
            .map(SignalId)
            .filter(|id| match graph.signal(*id).definition {
                Definition::Integrator { .. } => true,
                Definition::Hold { .. } => is_plain(graph, *id),
                _ => false,
            })
            .collect();
        let mut places = vec![None; graph.signals().len()];
        for (place, state) in states.iter().enumerate() {
            places[state.0 as usize] = Some(place as u32);
        }
        let names = states.iter().map(|id| graph.signal(*id).name.clone());
        let mut variables = Variables {
            states: names.collect(),
            unknowns: Vec::new(),
        };
        let mut pool = Pool::new();
        let mut symbols: Vec<NodeId> = (0..states.len())
            .map(|place| pool.symbol(variables.state(place)))
            .collect();
        symbols.push(pool.symbol(variables.time()));
        let parameters = parameters::parameters(graph, choices, &mut pool, &mut variables)?;
        Ok(ActorFormulas {
            graph: graph.clone(),
            pool,
            variables,
            parameters,
            states,
            places,
            asked: asked(graph),
            is_in_loop: loop_operands(graph).iter().map(|of| !of.is_empty()).collect(),
            symbols,
            known: BTreeMap::new(),
            listed: BTreeMap::new(),
        })
    }

    /// The same, asked about these truth values of one property only: what others read does not matter.
    #[must_use]
    pub(crate) fn asked_about(mut self, property: &str, nodes: Vec<NodeId>) -> Self {
        self.asked = nodes
            .into_iter()
            .map(|node| (property.to_owned(), node))
            .collect();
        self
    }

    /// All formulas.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }
    /// What may be added to it.
    pub fn pool_mut(&mut self) -> &mut Pool {
        &mut self.pool
    }
    /// What the symbols of the formulas stand for: integrators by their full paths, and what a `hold` holds.
    pub fn variables(&self) -> &Variables {
        &self.variables
    }

    /// Where runs begin: the location, then every state and time, over the unknowns.
    ///
    /// # Errors
    /// For initial values without formulas; and for any `post`, read or not: where microsteps have no end, time does not pass.
    pub fn start(&mut self) -> Result<(ActorLocation, Vec<NodeId>), Obstacle> {
        let is_post = |s: &&Signal| matches!(s.definition, Definition::Post { .. });
        if let Some(post) = self.graph.signals().iter().find(is_post) {
            return Err(obstacle::primitive(post));
        }
        let zero = self.pool.number(0.0);
        let count = self.states.len();
        let memory = Memory {
            modes: self.graph.modals().iter().map(|m| m.initial.0).collect(),
            cells: vec![zero; count],
            is_there: vec![false; count],
            time: zero,
            preempted: BTreeSet::new(),
            entering: None,
        };
        let (location, memory) = self.begin(memory)?;
        let mut values = memory.cells;
        values.push(zero);
        Ok((location, values))
    }

    /// The rates of all states while time passes, then that of time. States of modes that are not active hold.
    ///
    /// # Errors
    /// For derivatives without formulas.
    pub fn flow(&mut self, location: &ActorLocation) -> Result<Flow, Obstacle> {
        let states = self.states.clone();
        self.at(location, |tick| {
            let zero = tick.pool.number(0.0);
            let mut rates = Vec::with_capacity(states.len() + 1);
            for state in states {
                let signal = tick.graph.signal(state);
                let Definition::Integrator {
                    derivative, reset, ..
                } = signal.definition
                else {
                    rates.push(zero);
                    continue;
                };
                if !tick.is_active(signal.region)? {
                    rates.push(zero);
                    continue;
                }
                // Also looks for impulses.
                tick.signal(state)?;
                let is_reset = match reset {
                    Some(reset) => tick.signal(reset)?.is_some(),
                    None => false,
                };
                let rate = tick.signal(derivative)?.filter(|_| !is_reset);
                rates.push(rate.unwrap_or(zero));
            }
            rates.push(tick.pool.number(1.0));
            Ok(Flow { rates })
        })
    }

    /// The transitions that can be taken in a location, and when.
    ///
    /// # Errors
    /// For guards without formulas.
    pub fn events(&mut self, location: &ActorLocation) -> Result<Vec<Event>, Obstacle> {
        Ok(self.list(location)?.into_iter().map(|l| l.event).collect())
    }

    /// The modal model of each event of a location, by its number. Events of different modal models may be taken together.
    ///
    /// # Errors
    /// As [`events`](Self::events).
    pub fn modals(&mut self, location: &ActorLocation) -> Result<Vec<ModalId>, Obstacle> {
        Ok(self
            .list(location)?
            .into_iter()
            .map(|l| ModalId(l.modal))
            .collect())
    }

    /// A Boolean expression of the graph's pool, in a location.
    ///
    /// # Errors
    /// If it reads a signal without formulas, or one that is absent there: then it is neither true nor false.
    pub fn property(&mut self, node: NodeId, location: &ActorLocation) -> Result<Condition, Obstacle> {
        self.at(location, |tick| match tick.expression(node)? {
            Some(formula) => condition::condition(tick.pool, formula),
            None => {
                let graph = tick.graph;
                let mut absent = None;
                for signal in graph.signals_of(node) {
                    if tick.signal(signal)?.is_none() {
                        absent = absent.or(Some(signal));
                    }
                }
                let name = absent.map_or_else(String::new, |s| graph.signal(s).label());
                Err(obstacle(format!(
                    "the property has no truth value in [{location}]: {name} is absent there"
                )))
            }
        })
    }

    /// A signal as a formula, in a location.
    ///
    /// # Errors
    /// If there is no such signal, if it has no formula, or if it is absent there.
    pub fn signal(&mut self, name: &str, location: &ActorLocation) -> Result<NodeId, Obstacle> {
        let Some(id) = self.graph.find(name) else {
            return Err(obstacle(format!("there is no signal `{name}`")));
        };
        let value = self.at(location, |tick| tick.signal(id))?;
        value.ok_or_else(|| obstacle(format!("{name} is absent in [{location}]")))
    }

    /// Does something with the values of a location while time passes, and keeps them for the next question.
    fn at<T>(
        &mut self,
        location: &ActorLocation,
        ask: impl FnOnce(&mut Tick<'_>) -> Result<T, Obstacle>,
    ) -> Result<T, Obstacle> {
        let memory = self.memory(location)?;
        let known = self.known.remove(location).unwrap_or_default();
        let mut tick = self.tick(memory, known);
        let answer = ask(&mut tick);
        let known = tick.known;
        self.known.insert(location.clone(), known);
        answer
    }

    fn tick(&mut self, memory: Memory, known: Known) -> Tick<'_> {
        Tick {
            graph: &self.graph,
            pool: &mut self.pool,
            parameters: &self.parameters,
            places: &self.places,
            is_in_loop: &self.is_in_loop,
            asked: &self.asked,
            memory,
            known,
        }
    }

    /// What is remembered in a location: states are their symbols.
    fn memory(&self, location: &ActorLocation) -> Result<Memory, Obstacle> {
        let modals = self.graph.modals();
        let count = self.states.len();
        let mut modes = Vec::with_capacity(modals.len());
        for (modal, mode) in modals.iter().zip(&location.modes) {
            modes.push(mode.unwrap_or(modal.initial.0));
        }
        let mut is_there = vec![true; count];
        for place in &location.fresh {
            if let Some(slot) = is_there.get_mut(*place as usize) {
                *slot = false;
            }
        }
        let is_ours = location.modes.len() == modals.len()
            && modes
                .iter()
                .zip(modals)
                .all(|(m, modal)| (*m as usize) < modal.modes.len());
        let (Some((time, cells)), true) = (self.symbols.split_last(), is_ours) else {
            return Err(obstacle(format!("[{location}] is no location of this model")));
        };
        Ok(Memory {
            modes,
            cells: cells.to_vec(),
            is_there,
            time: *time,
            preempted: BTreeSet::new(),
            entering: None,
        })
    }

    /// The first tick in a configuration: what is active and has no value gets one. The location, and what is remembered then.
    fn begin(&mut self, memory: Memory) -> Result<(ActorLocation, Memory), Obstacle> {
        let memory = self.settle(memory)?;
        let (mut modes, mut fresh) = (Vec::new(), Vec::new());
        let regions: Vec<RegionId> = self.graph.modals().iter().map(|m| m.region).collect();
        let homes: Vec<RegionId> = self.states.iter().map(|s| self.graph.signal(*s).region).collect();
        let mut tick = self.tick(memory, Known::default());
        let (mut active, mut asleep) = (Vec::new(), Vec::new());
        for (place, region) in regions.into_iter().enumerate() {
            let mode = tick.memory.modes[place];
            let name = || {
                let modal = &tick.graph.modals()[place];
                format!("{}: {}", modal.name, modal.modes[mode as usize].name)
            };
            match tick.stay(region)? {
                Stay::Active => active.push(name()),
                Stay::Remembers => asleep.push(format!("({})", name())),
                Stay::Forgets => {
                    modes.push(None);
                    continue;
                }
            }
            modes.push(Some(mode));
        }
        for (place, region) in homes.into_iter().enumerate() {
            if !tick.memory.is_there[place] && tick.stay(region)? != Stay::Forgets {
                fresh.push(place as u32);
            }
        }
        let memory = tick.memory;
        active.extend(asleep);
        for place in &fresh {
            active.push(format!("({}: not begun)", self.variables.states[*place as usize]));
        }
        let label = if active.is_empty() {
            self.graph.name().to_owned()
        } else {
            active.join(", ")
        };
        Ok((ActorLocation { modes, fresh, label }, memory))
    }

    /// Writes what states remember after a tick.
    fn settle(&mut self, memory: Memory) -> Result<Memory, Obstacle> {
        let states = self.states.clone();
        let mut tick = self.tick(memory, Known::default());
        tick.settle(&states)
    }
}

/// What becomes of something in a region.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stay {
    Active,
    /// Not active; it will go on where it was.
    Remembers,
    /// Not active; it will begin anew.
    Forgets,
}

impl Tick<'_> {
    /// The outermost region around that is not active decides: a mode that no transition enters with `history` begins anew.
    fn stay(&mut self, region: RegionId) -> Result<Stay, Obstacle> {
        let graph = self.graph;
        let mut outermost = None;
        let mut next = Some(region);
        while let Some(id) = next {
            if !self.is_active(id)? {
                outermost = Some(id);
            }
            next = graph.region(id).parent;
        }
        let Some(outermost) = outermost else {
            return Ok(Stay::Active);
        };
        let (RegionKind::Mode(modal, mode) | RegionKind::Leaving(modal, mode)) = graph.region(outermost).kind
        else {
            return Ok(Stay::Remembers);
        };
        let mut entering = graph.modal(modal).transitions.iter().filter(|t| t.to == mode);
        Ok(if entering.any(|t| t.is_history) {
            Stay::Remembers
        } else {
            Stay::Forgets
        })
    }

    /// What is remembered after this tick, transitions aside: active states have the values that they show.
    fn settle(&mut self, states: &[SignalId]) -> Result<Memory, Obstacle> {
        let mut memory = self.memory.clone();
        for (place, state) in states.iter().enumerate() {
            if let Some(value) = self.signal(*state)? {
                memory.cells[place] = value;
                memory.is_there[place] = true;
            }
        }
        Ok(memory)
    }
}

/// Whether nothing that a signal's value or presence comes from has events of its own.
fn is_plain(graph: &Graph, signal: SignalId) -> bool {
    let mut seen: BTreeSet<SignalId> = BTreeSet::new();
    let mut open = vec![signal];
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        let mut region = Some(graph.signal(id).region);
        while let Some(id) = region {
            if let RegionKind::Enabled(by) = graph.region(id).kind {
                open.push(by);
            }
            region = graph.region(id).parent;
        }
        match &graph.signal(id).definition {
            Definition::Expression(node) => open.extend(graph.signals_of(*node)),
            Definition::Default {
                preferred: a,
                alternate: b,
            }
            | Definition::Inhibit { value: a, inhibit: b }
            | Definition::Sample { value: a, trigger: b } => open.extend([*a, *b]),
            Definition::Hold { value, init } => {
                open.push(*value);
                open.extend(init.iter().flat_map(|node| graph.signals_of(*node)));
            }
            Definition::Merge(of) => open.extend(of),
            Definition::IsPresent(of) | Definition::IsAbsent(of) | Definition::Before(of) => open.push(*of),
            // A state: what moves it is its own affair.
            Definition::Integrator { .. } => {}
            Definition::Post { .. }
            | Definition::Cross { .. }
            | Definition::Clock { .. }
            | Definition::At { .. }
            | Definition::Delay { .. }
            | Definition::Output { .. }
            | Definition::Event { .. } => return false,
        }
    }
    true
}
