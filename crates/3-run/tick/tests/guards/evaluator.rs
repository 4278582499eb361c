//! The rules of modal models, read off and followed one after the other. Nothing of the engine is used.
//!
//! At a tick: preemptive guards of the mode, its refinement, its other guards, then the immediate guards of what is entered, preemptive ones first; a mode that is left by one
//! that is not preemptive is passed through, and its refinement runs. Of what is said about an output the last counts. After the tick: modes that were passed
//! begin anew, then everything that was there remembers, then transitions, inner modal models first: a mode entered without history begins
//! anew, and sets are made. What is entered has no events and remembers nothing of that tick, unless it is passed.

use super::random::{Expr, HORIZON, Home, Model, Recorded, Transition};
use std::collections::BTreeMap;

/// How something came to be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Arrival {
    Stays,
    Returns,
    New,
}

/// Why a model ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Horizon,
    Ambiguous,
    Circle,
    /// Microsteps without end.
    Chatters,
}

#[derive(Clone, Debug, PartialEq, Default)]
struct Cell {
    /// Of `hold` and `post`.
    value: Option<f64>,
    /// Of `cross`: whether time was below the level when it was last looked at.
    is_below: Option<bool>,
    is_due: bool,
    count: f64,
}

#[derive(Clone, Debug, PartialEq)]
struct State {
    modes: Vec<usize>,
    own: Vec<Vec<Option<f64>>>,
    begins: Vec<Vec<f64>>,
    cells: Vec<Cell>,
    /// Events of the root that have been there.
    events: Vec<usize>,
}

/// An instant: its time and the recorded values at each microstep, NaN where absent.
pub(super) type Instant = (f64, Vec<Vec<f64>>);

struct Tick<'a> {
    model: &'a Model,
    state: &'a State,
    t: f64,
    n: usize,
    /// Refinements that run.
    ran: BTreeMap<(usize, usize), Arrival>,
    own: BTreeMap<(usize, usize), f64>,
    outs: Vec<Vec<Option<f64>>>,
    before: Vec<Vec<Option<f64>>>,
    /// Modal models that are there, the mode each begins in, and how it arrives.
    begins: BTreeMap<usize, (usize, Arrival)>,
    chains: BTreeMap<usize, Vec<(usize, usize)>>,
}

/// Follows a model to its horizon.
pub(super) fn run(model: &Model) -> (Vec<Instant>, End) {
    let mut state = State {
        modes: vec![0; model.modals.len()],
        own: model.modals.iter().map(|m| vec![None; m.modes.len()]).collect(),
        begins: model.modals.iter().map(|m| vec![0.0; m.modes.len()]).collect(),
        cells: Vec::new(),
        events: vec![0; model.events.len()],
    };
    state.cells = model.memories.iter().map(|(expr, _)| first(expr)).collect();
    let mut instants = Vec::new();
    let mut t = 0.0;
    loop {
        let mut rows = Vec::new();
        for n in 0.. {
            if n > 60 {
                return (instants, End::Chatters);
            }
            let (row, next, has_moved) = match tick(model, &state, t, n) {
                Ok(found) => found,
                Err(end) => {
                    instants.push((t, rows));
                    return (instants, end);
                }
            };
            rows.push(row);
            let is_same = next == state && !has_moved;
            state = next;
            if is_same && n > 0 {
                break;
            }
        }
        instants.push((t, rows));
        let Some(next) = next_time(model, &state, t).filter(|next| *next <= HORIZON) else {
            return (instants, End::Horizon);
        };
        for modal in 0..model.modals.len() {
            for mode in 0..model.modals[modal].modes.len() {
                if !is_there(model, &state, modal) || state.modes[modal] != mode {
                    state.begins[modal][mode] += next - t;
                }
            }
        }
        t = next;
    }
}

fn first(expr: &Expr) -> Cell {
    match expr {
        Expr::Post(_, _, init) => Cell {
            value: Some(*init),
            ..Cell::default()
        },
        _ => Cell::default(),
    }
}

/// Whether a modal model is there while time passes.
fn is_there(model: &Model, state: &State, modal: usize) -> bool {
    match model.modals[modal].around {
        Some((outer, mode)) => state.modes[outer] == mode && is_there(model, state, outer),
        None => true,
    }
}

fn is_home(model: &Model, state: &State, home: Home) -> bool {
    match home {
        Home::Root => true,
        Home::Body(modal, mode) | Home::Leaving(modal, mode) => {
            is_there(model, state, modal) && state.modes[modal] == mode
        }
    }
}

fn begin_of(state: &State, home: Home) -> f64 {
    match home {
        Home::Root => 0.0,
        Home::Body(modal, mode) | Home::Leaving(modal, mode) => state.begins[modal][mode],
    }
}

fn next_time(model: &Model, state: &State, t: f64) -> Option<f64> {
    let mut times = Vec::new();
    for (events, done) in model.events.iter().zip(&state.events) {
        times.extend(events.get(*done).map(|(at, _)| *at));
    }
    for ((expr, home), cell) in model.memories.iter().zip(&state.cells) {
        if !is_home(model, state, *home) {
            continue;
        }
        match expr {
            Expr::Clock(_, period, offset) => {
                times.push(begin_of(state, *home) + offset + cell.count * period);
            }
            Expr::Cross(_, level) if cell.is_below == Some(true) => times.push(*level),
            _ => {}
        }
    }
    times.into_iter().filter(|at| *at > t).min_by(f64::total_cmp)
}

fn tick(model: &Model, state: &State, t: f64, n: usize) -> Result<(Vec<f64>, State, bool), End> {
    let none = || {
        model
            .modals
            .iter()
            .map(|m| vec![None; m.outs])
            .collect::<Vec<_>>()
    };
    let mut tick = Tick {
        model,
        state,
        t,
        n,
        ran: BTreeMap::new(),
        own: BTreeMap::new(),
        outs: none(),
        before: none(),
        begins: BTreeMap::new(),
        chains: BTreeMap::new(),
    };
    tick.modal(0, Arrival::Stays)?;
    tick.modal(1, Arrival::Stays)?;
    let row = model.recorded().into_iter().map(|(_, what)| {
        let value = match what {
            Recorded::Out(modal, out) => tick.outs[modal][out],
            Recorded::Own(modal, mode) => tick.own.get(&(modal, mode)).copied(),
            Recorded::Root(r) => tick.eval(&model.root[r], Home::Root, Arrival::Stays),
        };
        value.unwrap_or(f64::NAN)
    });
    let row = row.collect();
    let has_moved = tick.chains.values().any(|chain| !chain.is_empty());
    Ok((row, tick.after(), has_moved))
}

impl Tick<'_> {
    fn modal(&mut self, modal: usize, arrival: Arrival) -> Result<(), End> {
        let begin = if arrival == Arrival::New {
            0
        } else {
            self.state.modes[modal]
        };
        self.begins.insert(modal, (begin, arrival));
        let mut chain: Vec<(usize, usize)> = Vec::new();
        let mut taken = self.select(modal, begin, arrival, |t| t.is_preemptive)?;
        if taken.is_none() {
            self.body(modal, begin, arrival)?;
            self.before[modal] = self.outs[modal].clone();
            taken = self.select(modal, begin, arrival, |t| !t.is_preemptive)?;
        }
        let (mut mode, mut here) = (begin, arrival);
        let mut entered = Vec::new();
        while let Some(t) = taken {
            let transition = &self.model.modals[modal].modes[mode].transitions[t];
            for (out, expr) in &transition.outs {
                if let Some(value) = self.eval(expr, Home::Leaving(modal, mode), here) {
                    self.outs[modal][*out] = Some(value);
                }
            }
            chain.push((mode, t));
            let to = transition.to;
            if entered.contains(&to) {
                return Err(End::Circle);
            }
            entered.push(to);
            let comes = if transition.is_history && arrival != Arrival::New {
                Arrival::Returns
            } else {
                Arrival::New
            };
            // Guards of the mode in which the tick began are there anyway.
            let guards = if to == begin { arrival } else { comes };
            taken = self.select(modal, to, guards, |t| t.is_immediate && t.is_preemptive)?;
            if taken.is_none() {
                taken = self.select(modal, to, guards, |t| t.is_immediate && !t.is_preemptive)?;
                if taken.is_some() && !self.ran.contains_key(&(modal, to)) {
                    self.body(modal, to, comes)?;
                }
            }
            (mode, here) = (to, guards);
        }
        self.chains.insert(modal, chain);
        Ok(())
    }

    fn select(
        &self,
        modal: usize,
        mode: usize,
        arrival: Arrival,
        is_candidate: impl Fn(&Transition) -> bool,
    ) -> Result<Option<usize>, End> {
        if self.n == 0 {
            return Ok(None);
        }
        let transitions = &self.model.modals[modal].modes[mode].transitions;
        for is_default in [false, true] {
            let holds = |t: &&usize| {
                let t = &transitions[**t];
                let guard = || match &t.guard {
                    Some(guard) => {
                        let value = self.eval(guard, Home::Leaving(modal, mode), arrival);
                        value.is_some_and(|v| v != 0.0)
                    }
                    None => true,
                };
                t.is_default == is_default && is_candidate(t) && guard()
            };
            let all: Vec<usize> = (0..transitions.len()).collect();
            let mut found = all.iter().filter(holds);
            if let Some(first) = found.next() {
                return if found.next().is_some() {
                    Err(End::Ambiguous)
                } else {
                    Ok(Some(*first))
                };
            }
        }
        Ok(None)
    }

    /// Runs the refinement of a mode.
    fn body(&mut self, modal: usize, mode: usize, arrival: Arrival) -> Result<(), End> {
        self.ran.insert((modal, mode), arrival);
        let own = &self.model.modals[modal].modes[mode];
        let kept = self.state.own[modal][mode].filter(|_| arrival != Arrival::New);
        self.own.insert((modal, mode), kept.unwrap_or(own.first));
        if let Some(inner) = own.inner {
            self.modal(inner, arrival)?;
        }
        for (out, expr) in &own.outs {
            if let Some(value) = self.eval(expr, Home::Body(modal, mode), arrival) {
                self.outs[modal][*out] = Some(value);
            }
        }
        Ok(())
    }

    fn eval(&self, expr: &Expr, home: Home, arrival: Arrival) -> Option<f64> {
        let eval = |e: &Expr| self.eval(e, home, arrival);
        let truth = |b: bool| Some(f64::from(u8::from(b)));
        let here = match home {
            Home::Root => None,
            Home::Body(modal, mode) | Home::Leaving(modal, mode) => Some((modal, mode)),
        };
        match expr {
            Expr::Number(v) => Some(*v),
            Expr::Event(e) => {
                let (at, value) = self.model.events[*e].get(self.state.events[*e])?;
                (self.n > 0 && *at <= self.t).then_some(*value)
            }
            Expr::Own => self.own.get(&here?).copied(),
            Expr::Out(o) => self.before[here?.0][*o],
            Expr::Other(o) => self.outs[0][*o],
            Expr::Inner => {
                let (modal, mode) = here?;
                let inner = self.model.modals[modal].modes[mode].inner?;
                self.ran.get(&(modal, mode))?;
                self.outs[inner][0]
            }
            Expr::Present(a) => truth(eval(a).is_some()),
            Expr::Absent(a) => truth(eval(a).is_none()),
            Expr::Instead(a, b) => eval(a).or_else(|| eval(b)),
            Expr::On(a, b) => eval(b).and_then(|_| eval(a)),
            Expr::Unless(a, b) => match eval(b) {
                Some(_) => None,
                None => eval(a),
            },
            Expr::Greater(a, v) => truth(eval(a)? > *v),
            Expr::And(a, b) => {
                let (a, b) = (eval(a)?, eval(b)?);
                truth(a != 0.0 && b != 0.0)
            }
            Expr::Or(a, b) => {
                let (a, b) = (eval(a)?, eval(b)?);
                truth(a != 0.0 || b != 0.0)
            }
            Expr::Add(a, v) => Some(eval(a)? + v),
            Expr::Hold(id, a, init) => eval(a).or_else(|| {
                let kept = self.state.cells[*id].value.filter(|_| arrival != Arrival::New);
                Some(kept.unwrap_or(*init))
            }),
            Expr::Post(_, _, init) if arrival == Arrival::New => Some(*init),
            Expr::Post(id, _, _) => self.state.cells[*id].value,
            Expr::Cross(id, _) => (arrival == Arrival::Stays && self.state.cells[*id].is_due).then_some(1.0),
            Expr::Clock(id, period, offset) => {
                let due = begin_of(self.state, home) + offset + self.state.cells[*id].count * period;
                (arrival == Arrival::Stays && self.n > 0 && due <= self.t).then_some(1.0)
            }
        }
    }

    /// What is remembered after the tick.
    fn after(&self) -> State {
        let mut next = self.state.clone();
        for ((modal, mode), arrival) in &self.ran {
            let is_passed = self.begins[modal].0 != *mode || *arrival != self.begins[modal].1;
            if *arrival == Arrival::New && is_passed {
                self.forget(&mut next, *modal, *mode);
            }
        }
        for ((modal, mode), value) in &self.own {
            next.own[*modal][*mode] = Some(*value);
        }
        for (id, (expr, home)) in self.model.memories.iter().enumerate() {
            let arrival = match home {
                Home::Root => Some(Arrival::Stays),
                Home::Body(modal, mode) => self.ran.get(&(*modal, *mode)).copied(),
                Home::Leaving(modal, mode) => {
                    let begin = self.begins.get(modal).filter(|(begin, _)| begin == mode);
                    // Inside what is passed through, modal models begin like anything else there.
                    begin
                        .map(|(_, arrival)| *arrival)
                        .filter(|a| *a == Arrival::Stays)
                }
            };
            if let Some(arrival) = arrival {
                self.remember(&mut next.cells[id], expr, *home, arrival);
            }
        }
        for (e, events) in self.model.events.iter().enumerate() {
            let is_there = |(at, _): &(f64, f64)| self.n > 0 && *at <= self.t;
            next.events[e] += usize::from(events.get(self.state.events[e]).is_some_and(is_there));
        }
        // Inner modal models come after their outer ones in the list.
        for (modal, chain) in self.chains.iter().rev() {
            for (from, t) in chain {
                let transition = &self.model.modals[*modal].modes[*from].transitions[*t];
                next.modes[*modal] = transition.to;
                let ran = self.ran.get(&(*modal, transition.to));
                let (begin, arrival) = self.begins[modal];
                let stays = transition.to == begin && ran == Some(&arrival) && arrival == Arrival::Stays;
                if !transition.is_history && (ran.is_none() || stays) {
                    self.forget(&mut next, *modal, transition.to);
                }
                if let Some(set) = &transition.set {
                    let here = match *from == begin {
                        true => arrival,
                        false => self.arrival_of(chain, *modal, *from, arrival),
                    };
                    next.own[*modal][transition.to] = self.eval(set, Home::Leaving(*modal, *from), here);
                }
            }
        }
        next
    }

    fn arrival_of(&self, chain: &[(usize, usize)], modal: usize, mode: usize, around: Arrival) -> Arrival {
        let into =
            |(from, t): &&(usize, usize)| self.model.modals[modal].modes[*from].transitions[*t].to == mode;
        let is_history = chain
            .iter()
            .find(into)
            .is_some_and(|(from, t)| self.model.modals[modal].modes[*from].transitions[*t].is_history);
        if is_history && around != Arrival::New {
            Arrival::Returns
        } else {
            Arrival::New
        }
    }

    fn remember(&self, cell: &mut Cell, expr: &Expr, home: Home, arrival: Arrival) {
        match expr {
            Expr::Hold(..) => cell.value = self.eval(expr, home, arrival).or(cell.value),
            Expr::Post(_, of, _) => cell.value = self.eval(of, home, arrival),
            Expr::Cross(_, level) => {
                let is_below = self.t < *level;
                cell.is_due = cell.is_below == Some(true) && !is_below;
                cell.is_below = Some(is_below);
            }
            Expr::Clock(..) => cell.count += f64::from(u8::from(self.eval(expr, home, arrival).is_some())),
            _ => {}
        }
    }

    /// A mode begins anew.
    fn forget(&self, next: &mut State, modal: usize, mode: usize) {
        next.own[modal][mode] = None;
        next.begins[modal][mode] = self.t;
        for (id, (expr, home)) in self.model.memories.iter().enumerate() {
            if [Home::Body(modal, mode), Home::Leaving(modal, mode)].contains(home) {
                next.cells[id] = first(expr);
            }
        }
        if let Some(inner) = self.model.modals[modal].modes[mode].inner {
            next.modes[inner] = 0;
            for mode in 0..self.model.modals[inner].modes.len() {
                self.forget(next, inner, mode);
            }
        }
    }
}
