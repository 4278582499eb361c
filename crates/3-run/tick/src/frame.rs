//! One tick: the least fixed point of all primitives' functions [004 §4; SPEC §6].
//!
//! All units start unknown. Evaluating a unit gives unknown, or its value, which then never changes: every function is monotonic, so any
//! order of evaluation ends at the same least fixed point. `plan.rs` says which order is cheap.

use crate::TickError;
use crate::met::{Met, TOUCH};
use crate::modal::{self, OnTheWay};
use crate::numbers::Driven;
use crate::plan::{Formula, Op, Plan, Source};
use crate::state::{Moment, State};
use crate::{merge, nonstrict};
use dyverse_actors::{ModeId, RegionId, RegionKind};
use dyverse_expr::{NodeId, SymbolId};
use dyverse_trace::{ABSENT, SuperdenseTime};
use std::cell::Cell;

/// What is known of a unit. Of a region, present means active.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Unknown,
    Absent,
    Present,
}

/// How a region that is active came to be so. What arrives has no events yet, and remembers nothing of the tick unless a modal model passes through it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrival {
    /// Its modes are those in which the tick began.
    Stays,
    /// Entered with history.
    Returns,
    /// Entered as new.
    New,
}

/// What is known of a region.
struct Activity {
    fired: Fired,
    arrival: Arrival,
    /// After how many transitions of its modal model.
    stage: usize,
}

/// What an evaluation gave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fired {
    Unknown,
    Absent,
    Present(f64),
}

/// Values of all units at one tick.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) time: SuperdenseTime,
    /// What rounding took from the time, where a clock or delay is why it is now.
    pub(crate) carry: f64,
    /// The time of the instant before: inputs that jump have their values from the left at microstep 0.
    pub(crate) before: f64,
    /// Numbers that are compared and closer than this may ideally be the same.
    pub(crate) near: f64,
    /// Whether that was so of any, at this tick.
    is_near: Cell<bool>,
    /// Equalities whose two sides met, and how far the first came to lie beyond the second.
    pub(crate) met: Vec<Met>,
    pub(crate) status: Vec<Status>,
    /// [`ABSENT`] where there is none.
    pub(crate) value: Vec<f64>,
    /// Units in the order in which they became known.
    pub(crate) order: Vec<u32>,
    pub(crate) inputs: Vec<f64>,
    /// Inputs that are set from outside, NaN where one is not.
    live: Vec<f64>,
    /// Outputs of components.
    pub(crate) outputs: Vec<Vec<f64>>,
    /// Transitions taken, for each modal model.
    pub(crate) chains: Vec<Vec<u32>>,
    /// How each region came to be active.
    pub(crate) arrival: Vec<Arrival>,
    /// After how many transitions of its modal model a mode's region became active.
    pub(crate) stage: Vec<usize>,
    /// A number that differs from tick to tick, for choices.
    pub(crate) salt: u64,
    /// Whether a choice was made among several.
    pub(crate) has_chosen: bool,
    work: Vec<f64>,
    queue: Vec<u32>,
    is_queued: Vec<bool>,
}

impl Frame {
    pub(crate) fn new(plan: &Plan<'_>, time: SuperdenseTime) -> Self {
        let units = plan.unit_count();
        Frame {
            time,
            carry: 0.0,
            before: time.t(),
            near: 0.0,
            is_near: Cell::new(false),
            met: Vec::new(),
            status: vec![Status::Unknown; units],
            value: vec![ABSENT; units],
            order: Vec::with_capacity(units),
            inputs: vec![0.0; plan.numbers.inputs.len()],
            live: Vec::new(),
            outputs: plan
                .graph
                .components()
                .iter()
                .map(|c| vec![f64::NAN; c.outputs.len()])
                .collect(),
            chains: vec![Vec::new(); plan.rules.len()],
            arrival: vec![Arrival::Stays; plan.graph.regions().len()],
            stage: vec![0; plan.graph.regions().len()],
            salt: 0,
            has_chosen: false,
            work: Vec::new(),
            queue: Vec::new(),
            is_queued: vec![false; units],
        }
    }

    /// The time, and what rounding took from it.
    pub(crate) fn moment(&self) -> Moment {
        Moment {
            t: self.time.t(),
            carry: self.carry,
        }
    }

    /// Whether numbers that were compared at this tick may ideally be the same, and are not.
    pub(crate) fn is_near(&self) -> bool {
        self.is_near.get()
    }

    /// Inputs that are set from outside.
    pub(crate) fn live(&self) -> &[f64] {
        &self.live
    }

    /// Whether a signal is present, or a region active.
    pub(crate) fn is_present(&self, unit: usize) -> bool {
        self.status[unit] == Status::Present
    }

    /// Values of a symbol.
    fn symbol(&self, source: Source) -> f64 {
        match source {
            Source::Signal(s) => self.value[s as usize],
            Source::Constant(value) => value,
            Source::Input(i) => self.inputs[i as usize],
            Source::Time => self.time.t(),
        }
    }

    /// An expression of which all signals are present.
    pub(crate) fn evaluate(&self, plan: &Plan<'_>, formula: &Formula, work: &mut Vec<f64>) -> f64 {
        let symbol = |id: SymbolId| self.symbol(plan.symbols[id.0 as usize]);
        let pool = plan.graph.pool();
        let are_equal = |node: NodeId, a: f64, b: f64| {
            let apart = (a - b).abs();
            if apart > 0.0 && apart <= self.near.max(TOUCH * a.abs().max(b.abs())) {
                self.is_near.set(true);
            }
            self.met.iter().any(|met| met.holds(pool, node, a, b))
        };
        formula.tape.run_where(symbol, are_equal, work);
        formula.tape.result(work, 0)
    }

    /// What is known of a signal to a guard, or to what one is made of. The refinement of the guard's own mode is absent to it where it does not run before it: where the mode
    /// is being entered, or preempted.
    pub(crate) fn seen(&self, plan: &Plan<'_>, state: &State, home: Option<(u32, ModeId)>, s: u32) -> Status {
        let Some((modal, mode)) = home else {
            return self.status[s as usize];
        };
        let refinement = plan.graph.modals()[modal as usize].mode(mode).region;
        if !plan.graph.is_within(RegionId(plan.region_of(s)), refinement) {
            return self.status[s as usize];
        }
        match self.status[plan.preempt_unit(modal)] {
            Status::Present => Status::Absent,
            _ if self.mode(plan, state, modal) != mode => Status::Absent,
            _ => self.status[s as usize],
        }
    }

    /// An expression: strict, absent if a signal it reads is.
    pub(crate) fn strict(&self, plan: &Plan<'_>, formula: &Formula, work: &mut Vec<f64>) -> Fired {
        self.strict_in(plan, formula, work, |s| self.status[s as usize])
    }

    /// An expression over signals of which this is known.
    pub(crate) fn strict_in(
        &self,
        plan: &Plan<'_>,
        formula: &Formula,
        work: &mut Vec<f64>,
        status: impl Fn(u32) -> Status,
    ) -> Fired {
        let mut is_absent = false;
        for signal in &formula.signals {
            match status(*signal) {
                Status::Unknown => return Fired::Unknown,
                Status::Absent => is_absent = true,
                Status::Present => {}
            }
        }
        if is_absent {
            Fired::Absent
        } else {
            Fired::Present(self.evaluate(plan, formula, work))
        }
    }

    /// Finds the least fixed point at (t, n). What stays unknown is for the caller to find.
    pub(crate) fn solve(
        &mut self,
        plan: &Plan<'_>,
        state: &State,
        time: SuperdenseTime,
        shuffle: Option<u64>,
    ) -> Result<(), TickError> {
        self.time = time;
        self.status.fill(Status::Unknown);
        self.value.fill(ABSENT);
        self.order.clear();
        self.is_near.set(false);
        self.has_chosen = false;
        self.chains.iter_mut().for_each(Vec::clear);
        self.arrival.fill(Arrival::Stays);
        self.stage.fill(0);
        self.read_inputs(plan);
        if let Some(seed) = shuffle {
            return self.solve_shuffled(plan, state, seed);
        }
        for block in &plan.schedule {
            if let [unit] = block.as_slice() {
                self.fire(plan, state, *unit as usize)?;
            } else {
                self.solve_block(plan, state, block)?;
            }
        }
        Ok(())
    }

    fn read_inputs(&mut self, plan: &Plan<'_>) {
        let mut work = std::mem::take(&mut self.work);
        // Microstep 0 is the left limit.
        let t = self.time.t();
        let anchor = if self.time.n() == 0 && t > self.before {
            self.before
        } else {
            t
        };
        for place in 0..plan.numbers.inputs.len() {
            let live = self.live.get(place).copied().filter(|value| !value.is_nan());
            self.inputs[place] = live.unwrap_or_else(|| input_at(plan, place, (t, anchor), &mut work));
        }
        self.work = work;
    }

    /// Inputs that are set from outside from now on, NaN where one is not.
    pub(crate) fn drive(&mut self, u: &[f64]) {
        self.live.clear();
        self.live.extend_from_slice(u);
    }

    /// A strongly connected part: each unit again whenever something it waits for has become known.
    fn solve_block(&mut self, plan: &Plan<'_>, state: &State, block: &[u32]) -> Result<(), TickError> {
        let mut queue = std::mem::take(&mut self.queue);
        queue.clear();
        queue.extend(block.iter().rev());
        for unit in block {
            self.is_queued[*unit as usize] = true;
        }
        let mut outcome = Ok(());
        while let Some(unit) = queue.pop() {
            self.is_queued[unit as usize] = false;
            if outcome.is_err() || self.status[unit as usize] != Status::Unknown {
                continue;
            }
            match self.fire(plan, state, unit as usize) {
                Ok(true) => {
                    for next in &plan.dependents[unit as usize] {
                        let is_here = plan.block_of[*next as usize] == plan.block_of[unit as usize];
                        let is_open = self.status[*next as usize] == Status::Unknown;
                        if is_here && is_open && !self.is_queued[*next as usize] {
                            self.is_queued[*next as usize] = true;
                            queue.push(*next);
                        }
                    }
                }
                Ok(false) => {}
                Err(error) => outcome = Err(error),
            }
        }
        self.queue = queue;
        outcome
    }

    /// All units in a random order, again and again until nothing more becomes known: for tests.
    fn solve_shuffled(&mut self, plan: &Plan<'_>, state: &State, seed: u64) -> Result<(), TickError> {
        let mut units: Vec<usize> = (0..plan.unit_count()).collect();
        let mut random = seed ^ self.salt;
        for place in (1..units.len()).rev() {
            random = mix(random);
            units.swap(place, (random % (place as u64 + 1)) as usize);
        }
        loop {
            let mut is_progress = false;
            for unit in &units {
                if self.status[*unit] == Status::Unknown {
                    is_progress |= self.fire(plan, state, *unit)?;
                }
            }
            if !is_progress {
                return Ok(());
            }
        }
    }

    /// Evaluates a unit; whether it became known.
    fn fire(&mut self, plan: &Plan<'_>, state: &State, unit: usize) -> Result<bool, TickError> {
        let mut work = std::mem::take(&mut self.work);
        let region = unit.checked_sub(plan.region_unit(0));
        let region = region.filter(|region| *region < plan.graph.regions().len());
        let fired = match (unit.checked_sub(plan.choice_unit(0)), region) {
            (Some(modal), _) => self.fire_choice(plan, state, modal, &mut work),
            (None, Some(region)) => self.region(plan, state, region, &mut work).map(|found| {
                (self.arrival[region], self.stage[region]) = (found.arrival, found.stage);
                found.fired
            }),
            (None, None) => self.function(plan, state, unit, &mut work),
        };
        self.work = work;
        let (status, value) = match fired? {
            Fired::Unknown => return Ok(false),
            Fired::Absent => (Status::Absent, ABSENT),
            Fired::Present(value) => (Status::Present, value),
        };
        self.status[unit] = status;
        self.value[unit] = value;
        self.order.push(unit as u32);
        Ok(true)
    }

    /// The transitions that a modal model takes; the value is the first of them.
    fn fire_choice(
        &mut self,
        plan: &Plan<'_>,
        state: &State,
        modal: usize,
        work: &mut Vec<f64>,
    ) -> Result<Fired, TickError> {
        let mut chain = std::mem::take(&mut self.chains[modal]);
        chain.clear();
        let fired = modal::choose(plan, state, self, modal as u32, work, &mut chain);
        if !matches!(fired, Ok(Fired::Present(_))) {
            chain.clear();
        }
        self.has_chosen |= modal::is_choice(plan, modal, &chain);
        self.chains[modal] = chain;
        fired
    }

    /// What a unit's function gives for what is known, without writing it: for tests.
    #[cfg(test)]
    pub(crate) fn try_unit(&self, plan: &Plan<'_>, state: &State, unit: usize) -> Result<Fired, TickError> {
        let mut work = Vec::new();
        match unit.checked_sub(plan.choice_unit(0)) {
            Some(modal) => modal::choose(plan, state, self, modal as u32, &mut work, &mut Vec::new()),
            None => self.function(plan, state, unit, &mut work),
        }
    }

    fn function(
        &self,
        plan: &Plan<'_>,
        state: &State,
        unit: usize,
        work: &mut Vec<f64>,
    ) -> Result<Fired, TickError> {
        let signals = plan.signal_count();
        if unit >= plan.preempt_unit(0) {
            return modal::preempt(plan, state, self, (unit - plan.preempt_unit(0)) as u32, work);
        }
        if unit >= signals {
            return Ok(self.region(plan, state, unit - signals, work)?.fired);
        }
        match self.status[plan.region_unit(plan.region_of(unit as u32))] {
            Status::Unknown => Ok(Fired::Unknown),
            Status::Absent => Ok(Fired::Absent),
            Status::Present => self.signal(plan, state, unit, work),
        }
    }

    /// The mode in which a modal model begins the tick.
    pub(crate) fn mode(&self, plan: &Plan<'_>, state: &State, modal: u32) -> ModeId {
        let model = &plan.graph.modals()[modal as usize];
        match self.arrival[model.region.0 as usize] {
            Arrival::New => model.initial,
            _ => state.mode(modal),
        }
    }

    /// Whether a region is active, and how it came to be so.
    fn region(
        &self,
        plan: &Plan<'_>,
        state: &State,
        place: usize,
        work: &mut Vec<f64>,
    ) -> Result<Activity, TickError> {
        let region = &plan.graph.regions()[place];
        let is = |fired, arrival, stage| Activity {
            fired,
            arrival,
            stage,
        };
        let known = |fired| Ok(is(fired, Arrival::Stays, 0));
        let parent = region.parent.map(|p| self.status[plan.region_unit(p.0)]);
        match parent {
            // What no transition of this tick leads to is known without its surroundings.
            Some(Status::Unknown) if !plan.is_reached(place, state) => return known(Fired::Absent),
            Some(Status::Unknown) => return known(Fired::Unknown),
            Some(Status::Absent) => return known(Fired::Absent),
            Some(Status::Present) | None => {}
        }
        let around = region
            .parent
            .map_or(Arrival::Stays, |p| self.arrival[p.0 as usize]);
        let (modal, mode) = match region.kind {
            RegionKind::Root => return Ok(is(Fired::Present(1.0), around, 0)),
            RegionKind::Enabled(signal) => {
                let fired = match self.status[signal.0 as usize] {
                    Status::Unknown => Fired::Unknown,
                    Status::Present if self.value[signal.0 as usize] != 0.0 => Fired::Present(1.0),
                    _ => Fired::Absent,
                };
                return Ok(is(fired, around, 0));
            }
            RegionKind::Mode(modal, mode) | RegionKind::Leaving(modal, mode) => (modal, mode),
        };
        let begin = self.mode(plan, state, modal.0);
        let is_refinement = matches!(region.kind, RegionKind::Mode(..));
        if begin == mode {
            let preempting = self.status[plan.preempt_unit(modal.0)];
            match preempting {
                _ if !is_refinement => return Ok(is(Fired::Present(1.0), around, 0)),
                Status::Unknown => return known(Fired::Unknown),
                Status::Absent => return Ok(is(Fired::Present(1.0), around, 0)),
                Status::Present => {}
            }
        }
        if !plan.is_on_the_way(modal.0, mode, is_refinement) || self.time.n() == 0 {
            return known(Fired::Absent);
        }
        let model = &plan.graph.modals()[modal.0 as usize];
        let walk = modal::walk(plan, state, self, modal.0, work)?;
        let found = if is_refinement {
            walk.passes(model, mode, begin)
        } else {
            walk.enters(model, mode, begin)
        };
        match found {
            OnTheWay::Unknown => known(Fired::Unknown),
            OnTheWay::No => known(Fired::Absent),
            OnTheWay::Yes { is_history, place } => {
                let is_new = !is_history || around == Arrival::New;
                let arrival = if is_new { Arrival::New } else { Arrival::Returns };
                Ok(is(Fired::Present(1.0), arrival, place + 1))
            }
        }
    }

    fn signal(
        &self,
        plan: &Plan<'_>,
        state: &State,
        signal: usize,
        work: &mut Vec<f64>,
    ) -> Result<Fired, TickError> {
        let arrival = self.arrival[plan.region_of(signal as u32) as usize];
        let cell = match arrival {
            Arrival::New => State::first(plan, signal),
            _ => state.cells[signal],
        };
        let stays = arrival == Arrival::Stays;
        let home = plan.guard_operands[signal];
        let status = |s: u32| self.seen(plan, state, home, s);
        let read = |s: u32| match status(s) {
            Status::Unknown => Fired::Unknown,
            Status::Absent => Fired::Absent,
            Status::Present => Fired::Present(self.value[s as usize]),
        };
        let remembered = || {
            if cell.is_there {
                Fired::Present(cell.value)
            } else {
                Fired::Absent
            }
        };
        let is_due = || {
            stays
                && self.time.n() > 0
                && state
                    .due(plan, signal as u32)
                    .is_some_and(|due| due.t <= self.time.t())
        };
        Ok(match &plan.ops[signal] {
            Op::Expression(formula) if plan.loop_operands[signal].is_empty() => {
                self.strict_in(plan, formula, work, status)
            }
            Op::Expression(formula) => nonstrict::in_loop(plan, self, signal, formula, work),
            Op::Default(preferred, alternate) => match read(*preferred) {
                Fired::Absent => read(*alternate),
                other => other,
            },
            Op::Inhibit { value, inhibit } => match read(*inhibit) {
                Fired::Present(_) => Fired::Absent,
                Fired::Absent => read(*value),
                _ => Fired::Unknown,
            },
            Op::Sample { value, trigger } => match read(*trigger) {
                Fired::Present(_) => read(*value),
                Fired::Absent => Fired::Absent,
                _ => Fired::Unknown,
            },
            Op::Hold { value, init } => match read(*value) {
                Fired::Absent if cell.is_there => Fired::Present(cell.value),
                Fired::Absent => match init {
                    Some(init) => self.initial(plan, signal, init, work)?,
                    None => Fired::Absent,
                },
                other => other,
            },
            Op::Post { .. } => remembered(),
            Op::Cross(_) => {
                if cell.is_there && stays {
                    Fired::Present(1.0)
                } else {
                    Fired::Absent
                }
            }
            Op::Clock { value, .. } => {
                if is_due() {
                    Fired::Present(*value)
                } else {
                    Fired::Absent
                }
            }
            Op::At(list) => match list.get(cell.value as usize) {
                Some((_, value)) if is_due() => Fired::Present(*value),
                _ => Fired::Absent,
            },
            Op::Delay { .. } => match state.queues[signal].front() {
                Some((_, value)) if is_due() => Fired::Present(*value),
                _ => Fired::Absent,
            },
            Op::IsPresent(of) | Op::IsAbsent(of) => {
                let is_wanted = matches!(plan.ops[signal], Op::IsPresent(_));
                match status(*of) {
                    Status::Unknown => Fired::Unknown,
                    status => Fired::Present(f64::from(u8::from((status == Status::Present) == is_wanted))),
                }
            }
            Op::Integrator(op) => {
                let pushed = |input: Option<u32>| input.map_or(Fired::Absent, read);
                let (impulse, reset) = (pushed(op.impulse), pushed(op.reset));
                match (reset, impulse) {
                    (Fired::Unknown, _) | (_, Fired::Unknown) => Fired::Unknown,
                    (Fired::Present(value), _) => Fired::Present(value),
                    (_, impulse) => {
                        let base = if cell.is_there {
                            Fired::Present(cell.value)
                        } else {
                            self.initial(plan, signal, &op.init, work)?
                        };
                        match (base, impulse) {
                            (Fired::Present(base), Fired::Present(weight)) => Fired::Present(base + weight),
                            (base, _) => base,
                        }
                    }
                }
            }
            Op::Merge(of) => merge::merge(plan, state, self, signal, of, work)?,
            Op::Before(of) => merge::before(plan, state, self, signal, of)?,
            Op::Output { component, output } => {
                Fired::Present(self.outputs[*component as usize][*output as usize])
            }
            Op::Event { component, event } => {
                let events = &state.components[*component as usize].events;
                match events.iter().find(|(e, _)| e == event) {
                    Some((_, value)) if stays && self.time.n() > 0 => Fired::Present(*value),
                    _ => Fired::Absent,
                }
            }
        })
    }

    fn initial(
        &self,
        plan: &Plan<'_>,
        signal: usize,
        init: &Formula,
        work: &mut Vec<f64>,
    ) -> Result<Fired, TickError> {
        match self.strict(plan, init, work) {
            Fired::Absent => Err(TickError::InitReadsAbsent {
                time: self.time,
                signal: plan.graph.signals()[signal].label(),
            }),
            other => Ok(other),
        }
    }
}

/// What an input is at `t` when nobody sets it, in a step that began at `anchor`; NaN if there is none.
pub(crate) fn input_at(plan: &Plan<'_>, input: usize, (t, anchor): (f64, f64), work: &mut Vec<f64>) -> f64 {
    match (plan.numbers.inputs.get(input), plan.own_inputs.get(input)) {
        (Some(Driven::Constant(value)), _) => *value,
        (Some(Driven::Table(table)), _) => table.value(t, anchor),
        (Some(Driven::Own(_)), Some(Some(formula))) => {
            let symbol = |source: Source| match source {
                Source::Constant(value) => value,
                Source::Time => t,
                _ => f64::NAN,
            };
            formula.tape.run(|id| symbol(plan.symbols[id.0 as usize]), work);
            formula.tape.result(work, 0)
        }
        _ => f64::NAN,
    }
}

/// A number that looks random (splitmix64).
pub(crate) fn mix(mut seed: u64) -> u64 {
    dyverse_num::split_mix(&mut seed)
}
