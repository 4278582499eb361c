//! Where the states of a model lie in one vector of fixed length, whatever is active; which event indicators there are; which outputs are always present.
//!
//! | places | states |
//! |---|---|
//! | first | the integrators, in the order of the graph |
//! | then | the states of each component |
//!
//! | places | event indicators |
//! |---|---|
//! | first | one for each modal model: its guards |
//! | then | one for each `cross` |
//! | then | one for all other switches |
//! | then | those of each component, as many as it has at the start |
//!
//! # Presence
//! A signal is *steady* if it is present whenever its region is active. Steady are integrators, outputs of components, `present` and `absent`, holds with a
//! first value; expressions over steady signals of their own or outer regions; `a ?? b` if one of them is; a merge if, in a modal model of its region that nothing preempts, every mode holds a steady
//! source of it. The least such set is taken, so what is said to be always present is proven.

use crate::TickError;
use crate::engine::Engine;
use crate::flow::{Flow, Owner, Watch, Watched};
use crate::plan::{Op, Plan};
use crate::postfire::failure;
use crate::state::State;
use dyverse_actors::RegionId;
use dyverse_trace::SuperdenseTime;

/// Fixed places of states and indicators.
#[derive(Debug)]
pub(crate) struct Layout {
    /// Integrators, in order.
    pub(crate) integrators: Vec<u32>,
    /// For each signal: its place among the states.
    places: Vec<Option<usize>>,
    /// Where the states of each component begin, and the last end.
    pub(crate) offsets: Vec<usize>,
    pub(crate) dimension: usize,
    /// For each signal: its place among the `cross`.
    crosses: Vec<Option<usize>>,
    cross_count: usize,
    modals: usize,
    /// Where the indicators of each component begin, and the last end.
    pub(crate) indicators: Vec<usize>,
    /// For each recorded signal.
    pub(crate) can_be_absent: Vec<bool>,
}

impl Layout {
    pub(crate) fn new(engine: &Engine<'_, '_>) -> Self {
        let plan = &engine.plan;
        let numbered = |is_one: fn(&Op) -> bool| {
            let mut count = 0;
            let places = plan.ops.iter().map(|op| {
                is_one(op).then(|| {
                    count += 1;
                    count - 1
                })
            });
            let places: Vec<Option<usize>> = places.collect();
            (places, count)
        };
        let (places, own) = numbered(|op| matches!(op, Op::Integrator(_)));
        let (crosses, cross_count) = numbered(|op| matches!(op, Op::Cross(_)));
        let integrators = (0..plan.signal_count()).filter(|s| places[*s].is_some());
        let mut offsets = vec![own];
        let mut indicators = vec![plan.rules.len() + cross_count + 1];
        for (place, used) in plan.graph.components().iter().enumerate() {
            offsets.push(offsets[place] + engine.state.components[place].x.len());
            let count = engine.components[used.handle as usize].shape().indicators;
            indicators.push(indicators[place] + count);
        }
        let steady = steady_signals(plan);
        let can_be_absent = plan.record.iter().map(|signal| {
            let is_root = plan.region_of(*signal) == RegionId::ROOT.0;
            !(is_root && steady[*signal as usize])
        });
        Layout {
            integrators: integrators.map(|s| s as u32).collect(),
            dimension: offsets.last().copied().unwrap_or(own),
            can_be_absent: can_be_absent.collect(),
            modals: plan.rules.len(),
            places,
            offsets,
            crosses,
            cross_count,
            indicators,
        }
    }

    pub(crate) fn state_names(&self, engine: &Engine<'_, '_>) -> Vec<String> {
        let graph = engine.plan.graph;
        let own = self.integrators.iter();
        let mut names: Vec<String> = own.map(|s| graph.signals()[*s as usize].name.clone()).collect();
        for (place, used) in graph.components().iter().enumerate() {
            let component = &engine.components[used.handle as usize];
            let count = self.offsets[place + 1] - self.offsets[place];
            names.extend((0..count).map(|state| format!("{}.{}", used.name, component.state_name(state))));
        }
        names
    }

    pub(crate) fn indicator_count(&self) -> usize {
        self.indicators.last().copied().unwrap_or(0)
    }

    /// The indicator that a watched quantity counts for.
    pub(crate) fn group(&self, watch: &Watch) -> usize {
        let switches = self.modals + self.cross_count;
        match (watch.of, watch.owner) {
            (Watched::Cross(signal), _) => {
                let place = self.crosses[signal as usize];
                place.map_or(switches, |place| self.modals + place)
            }
            (Watched::Switch(_), Owner::Modal(modal)) => modal as usize,
            (Watched::Switch(_), Owner::Signal(_) | Owner::Component(_)) => switches,
        }
    }

    /// The place of an integrator.
    pub(crate) fn place(&self, signal: u32) -> usize {
        self.places[signal as usize].unwrap_or(0)
    }

    /// All states that the model remembers; 0 where one was never initialised.
    pub(crate) fn gather(&self, state: &State, x: &mut [f64]) {
        for (slot, signal) in x.iter_mut().zip(&self.integrators) {
            let cell = state.cells[*signal as usize];
            *slot = if cell.is_there { cell.value } else { 0.0 };
        }
        for (place, component) in state.components.iter().enumerate() {
            let slots = x.iter_mut().skip(self.offsets[place]);
            slots.zip(&component.x).for_each(|(slot, x)| *slot = *x);
        }
    }

    /// Remembers the states that are active.
    pub(crate) fn scatter(&self, flow: &Flow, x: &[f64], state: &mut State) {
        for signal in &flow.integrators {
            state.cells[*signal as usize].value = x[self.place(*signal)];
        }
        for used in &flow.components {
            let place = used.component as usize;
            let part = &x[self.offsets[place]..self.offsets[place + 1]];
            state.components[place].x.clear();
            state.components[place].x.extend_from_slice(part);
        }
    }

    /// The states that are active, in the order of the flow.
    pub(crate) fn select(&self, flow: &Flow, x: &[f64], active: &mut Vec<f64>) {
        active.clear();
        active.extend(flow.integrators.iter().map(|s| x[self.place(*s)]));
        for used in &flow.components {
            let place = used.component as usize;
            active.extend_from_slice(&x[self.offsets[place]..self.offsets[place + 1]]);
        }
    }

    /// An error if a component has another number of states now.
    pub(crate) fn check(&self, engine: &Engine<'_, '_>, time: SuperdenseTime) -> Result<(), TickError> {
        for (place, used) in engine.plan.graph.components().iter().enumerate() {
            let (now, then) = (
                engine.state.components[place].x.len(),
                self.offsets[place + 1] - self.offsets[place],
            );
            if now != then {
                let detail = format!(
                    "it had {then} states and has {now} now; in a model that something else runs the number must stay"
                );
                return Err(failure(time, &used.name, detail.into()));
            }
        }
        Ok(())
    }
}

/// The signals that are present whenever their region is active.
fn steady_signals(plan: &Plan<'_>) -> Vec<bool> {
    let mut steady = vec![false; plan.signal_count()];
    loop {
        let is_new = |signal: &usize| !steady[*signal] && is_steady(plan, &steady, *signal);
        let found: Vec<usize> = (0..plan.signal_count()).filter(is_new).collect();
        if found.is_empty() {
            return steady;
        }
        found.into_iter().for_each(|signal| steady[signal] = true);
    }
}

fn is_steady(plan: &Plan<'_>, steady: &[bool], signal: usize) -> bool {
    let region = RegionId(plan.region_of(signal as u32));
    let is_there =
        |s: &u32| steady[*s as usize] && plan.graph.is_within(region, RegionId(plan.region_of(*s)));
    match &plan.ops[signal] {
        Op::Integrator(_) | Op::Output { .. } | Op::IsPresent(_) | Op::IsAbsent(_) => true,
        Op::Expression(formula) => formula.signals.iter().all(is_there),
        Op::Default(a, b) => is_there(a) || is_there(b),
        Op::Hold { value, init } => init.is_some() || is_there(value),
        Op::Sample { value, trigger } => is_there(value) && is_there(trigger),
        Op::Merge(of) => {
            let in_mode = |mode: RegionId| {
                of.iter()
                    .any(|s| steady[*s as usize] && plan.region_of(*s) == mode.0)
            };
            of.iter().any(is_there)
                || plan.graph.modals().iter().any(|modal| {
                    plan.graph.is_within(region, modal.region)
                        && modal.transitions.iter().all(|t| !t.is_preemptive)
                        && modal.modes.iter().all(|mode| in_mode(mode.region))
                })
        }
        _ => false,
    }
}
