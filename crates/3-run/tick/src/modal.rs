//! Which transitions of modal models are taken at a tick [004 §6.1; SPEC §6].
//!
//! Order: preemptive guards (if one holds, the refinement does not run at this tick), the refinement, the other guards; then out of each mode entered: immediate preemptive
//! guards, other immediate guards. If one of the latter holds the mode is *passed through*: its refinement runs at this tick too, as new (or, entered with history, as it was
//! left). In each class a `default` is taken only when all others are known to be false. Two that hold must both be marked as a choice.
//!
//! Guards of a mode entered may wait for operators that are there only once it is known that the mode is entered. So the walk along the transitions is made again
//! whenever something has become known ([`walk`]); as far as it came it never changes.
//!
//! Transitions are taken at microstep 1 or later: microstep 0 is the left limit, at which nothing discrete happens. A guard that holds
//! there makes another tick.

use crate::TickError;
use crate::frame::{Fired, Frame, Status, mix};
use crate::nonstrict;
use crate::plan::{Formula, Plan};
use crate::state::State;
use dyverse_actors::{ModalModel, ModeId};

/// A guard at a tick.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Guard {
    Unknown,
    False,
    True,
}

/// A guard that reads an absent signal is false. It is known to be false as soon as `and`, `or`, `if` make it so, whatever it reads besides.
fn guard(
    plan: &Plan<'_>,
    state: &State,
    frame: &Frame,
    formula: &Formula,
    home: Option<(u32, ModeId)>,
    work: &mut Vec<f64>,
) -> Guard {
    match frame.strict_in(plan, formula, work, |s| frame.seen(plan, state, home, s)) {
        Fired::Present(value) if value != 0.0 && !value.is_nan() => Guard::True,
        Fired::Present(_) | Fired::Absent => Guard::False,
        Fired::Unknown => match nonstrict::evaluate(plan, frame, formula, work) {
            Fired::Present(0.0) => Guard::False,
            _ => Guard::Unknown,
        },
    }
}

/// The transition that preempts the refinement of the current mode.
pub(crate) fn preempt(
    plan: &Plan<'_>,
    state: &State,
    frame: &Frame,
    modal: u32,
    work: &mut Vec<f64>,
) -> Result<Fired, TickError> {
    match where_it_stands(plan, frame, modal) {
        Some(fired) => Ok(fired),
        None => {
            let mode = frame.mode(plan, state, modal);
            select(plan, state, frame, modal, work, |m, t| {
                m.transitions[t].leaves(mode) && m.transitions[t].is_preemptive
            })
        }
    }
}

/// Known without looking at guards: no transition at microstep 0, none of a modal model that is not active.
fn where_it_stands(plan: &Plan<'_>, frame: &Frame, modal: u32) -> Option<Fired> {
    let region = plan.graph.modals()[modal as usize].region;
    match frame.status[plan.region_unit(region.0)] {
        _ if frame.time.n() == 0 => Some(Fired::Absent),
        Status::Unknown => Some(Fired::Unknown),
        Status::Absent => Some(Fired::Absent),
        Status::Present => None,
    }
}

/// The way of a modal model through its modes at a tick, as far as it is known.
#[derive(Debug)]
pub(crate) struct Walk {
    /// Transitions taken, in order.
    pub(crate) chain: Vec<u32>,
    /// What is not known yet.
    open: Open,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    /// Nothing: the walk is complete.
    Nothing,
    /// Everything.
    All,
    /// How it goes on from the mode it came to.
    From(ModeId),
}

/// What is known of a mode on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnTheWay {
    Unknown,
    No,
    /// With history or else as new, by this transition of the way.
    Yes {
        is_history: bool,
        place: usize,
    },
}

/// Follows the transitions that a modal model takes, as far as guards are known.
pub(crate) fn walk(
    plan: &Plan<'_>,
    state: &State,
    frame: &Frame,
    modal: u32,
    work: &mut Vec<f64>,
) -> Result<Walk, TickError> {
    let mut walk = Walk {
        chain: Vec::new(),
        open: Open::Nothing,
    };
    match where_it_stands(plan, frame, modal) {
        Some(Fired::Unknown) => walk.open = Open::All,
        Some(_) => {}
        None => follow(plan, state, frame, modal, work, &mut walk)?,
    }
    Ok(walk)
}

fn follow(
    plan: &Plan<'_>,
    state: &State,
    frame: &Frame,
    modal: u32,
    work: &mut Vec<f64>,
    walk: &mut Walk,
) -> Result<(), TickError> {
    let begin = frame.mode(plan, state, modal);
    let preempting = plan.preempt_unit(modal);
    let first = match frame.status[preempting] {
        Status::Unknown => Fired::Unknown,
        Status::Present => Fired::Present(frame.value[preempting]),
        Status::Absent => select(plan, state, frame, modal, work, |m, t| {
            m.transitions[t].leaves(begin) && !m.transitions[t].is_preemptive
        })?,
    };
    let model = &plan.graph.modals()[modal as usize];
    let mut entered: Vec<ModeId> = Vec::new();
    let mut next = first;
    loop {
        let mode = entered.last().copied().unwrap_or(begin);
        let taken = match next {
            Fired::Present(taken) => taken as u32,
            Fired::Absent => return Ok(()),
            Fired::Unknown => {
                walk.open = Open::From(mode);
                return Ok(());
            }
        };
        let to = model.transitions[taken as usize].to;
        let is_circle = entered.contains(&to);
        entered.push(to);
        if is_circle {
            return Err(TickError::ImmediateCycle {
                time: frame.time,
                modal: model.name.clone(),
                modes: entered.iter().map(|m| model.mode(*m).name.clone()).collect(),
            });
        }
        walk.chain.push(taken);
        next = Fired::Absent;
        for is_preemptive in [true, false] {
            if next == Fired::Absent {
                next = select(plan, state, frame, modal, work, |m, t| {
                    let t = &m.transitions[t];
                    t.leaves(to) && t.is_immediate && t.is_preemptive == is_preemptive
                })?;
            }
        }
    }
}

impl Walk {
    /// Whether a mode that is not the one in which the tick began is entered.
    pub(crate) fn enters(&self, model: &ModalModel, mode: ModeId, begin: ModeId) -> OnTheWay {
        let mut by = self
            .chain
            .iter()
            .map(|t| &model.transitions[*t as usize])
            .enumerate();
        match by.find(|(_, t)| t.to == mode) {
            Some((place, t)) => OnTheWay::Yes {
                is_history: t.is_history,
                place,
            },
            None if self.may_come(model, mode, begin) => OnTheWay::Unknown,
            None => OnTheWay::No,
        }
    }

    /// Whether a mode is passed through.
    pub(crate) fn passes(&self, model: &ModalModel, mode: ModeId, begin: ModeId) -> OnTheWay {
        let of = |place: usize| self.chain.get(place).map(|t| &model.transitions[*t as usize]);
        let entry = (0..self.chain.len()).find(|place| of(*place).is_some_and(|t| t.to == mode));
        match entry.map(|place| (place, of(place), of(place + 1))) {
            Some((place, Some(entry), Some(next))) if !next.is_preemptive => OnTheWay::Yes {
                is_history: entry.is_history,
                place,
            },
            Some((_, _, None)) if self.open == Open::From(mode) => OnTheWay::Unknown,
            Some(_) => OnTheWay::No,
            None if self.may_come(model, mode, begin) => OnTheWay::Unknown,
            None => OnTheWay::No,
        }
    }

    /// Whether a mode may still be entered.
    fn may_come(&self, model: &ModalModel, mode: ModeId, begin: ModeId) -> bool {
        match self.open {
            Open::Nothing => false,
            Open::All => model.ahead(begin, true)[mode.0 as usize],
            Open::From(at) => model.ahead(at, self.chain.is_empty())[mode.0 as usize],
        }
    }
}

/// All transitions that a modal model takes, in order, into `chain`; gives the first.
pub(crate) fn choose(
    plan: &Plan<'_>,
    state: &State,
    frame: &Frame,
    modal: u32,
    work: &mut Vec<f64>,
    chain: &mut Vec<u32>,
) -> Result<Fired, TickError> {
    let walk = walk(plan, state, frame, modal, work)?;
    if walk.open != Open::Nothing {
        return Ok(Fired::Unknown);
    }
    chain.clone_from(&walk.chain);
    Ok(chain
        .first()
        .map_or(Fired::Absent, |t| Fired::Present(f64::from(*t))))
}

/// The mode whose transition it is.
fn home(model: &ModalModel, modal: u32, transition: usize) -> Option<(u32, ModeId)> {
    model.transitions[transition].from.map(|mode| (modal, mode))
}

/// The one transition of a class whose guard holds; absent if none does.
fn select(
    plan: &Plan<'_>,
    state: &State,
    frame: &Frame,
    modal: u32,
    work: &mut Vec<f64>,
    is_candidate: impl Fn(&ModalModel, usize) -> bool,
) -> Result<Fired, TickError> {
    let model = &plan.graph.modals()[modal as usize];
    let rules = &plan.rules[modal as usize];
    for is_default in [false, true] {
        let mut enabled: Vec<u32> = Vec::new();
        for (place, rule) in rules.iter().enumerate() {
            if model.transitions[place].is_default != is_default || !is_candidate(model, place) {
                continue;
            }
            match guard(plan, state, frame, &rule.guard, home(model, modal, place), work) {
                Guard::Unknown => return Ok(Fired::Unknown),
                Guard::False => {}
                Guard::True => enabled.push(place as u32),
            }
        }
        let [first, others @ ..] = enabled.as_slice() else {
            continue;
        };
        let Some(second) = others.first() else {
            return Ok(Fired::Present(f64::from(*first)));
        };
        let unmarked = enabled
            .iter()
            .find(|t| !model.transitions[**t as usize].is_choice);
        if let Some(unmarked) = unmarked {
            let other = if unmarked == first { second } else { first };
            let describe = |t: u32| describe(model, t as usize);
            return Err(TickError::Ambiguous {
                time: frame.time,
                first: describe(*unmarked.min(other)),
                second: describe(*unmarked.max(other)),
            });
        }
        let drawn = mix(frame.salt ^ mix(u64::from(modal))) % enabled.len() as u64;
        return Ok(Fired::Present(f64::from(enabled[drawn as usize])));
    }
    Ok(Fired::Absent)
}

/// `ball: falling -> sitting (guard)`.
pub(crate) fn describe(model: &ModalModel, transition: usize) -> String {
    let transition = &model.transitions[transition];
    if transition.text.is_empty() {
        model.describe(transition)
    } else {
        format!("{} when {}", model.describe(transition), transition.text)
    }
}

/// Whether a choice was made on the way.
pub(crate) fn is_choice(plan: &Plan<'_>, modal: usize, chain: &[u32]) -> bool {
    let transitions = &plan.graph.modals()[modal].transitions;
    chain.iter().any(|t| transitions[*t as usize].is_choice)
}

/// What transitions taken at this tick give a signal, and which of the chain; absent if nothing.
pub(crate) fn output(
    plan: &Plan<'_>,
    state: &State,
    frame: &Frame,
    (modal, signal): (u32, u32),
    work: &mut Vec<f64>,
) -> (Fired, usize) {
    if frame.time.n() == 0 || !may_output(plan, frame.mode(plan, state, modal), modal, signal) {
        return (Fired::Absent, 0);
    }
    if frame.status[plan.choice_unit(modal)] == Status::Unknown {
        return (Fired::Unknown, 0);
    }
    let rules = &plan.rules[modal as usize];
    let taken = frame.chains[modal as usize].iter().enumerate().rev();
    let outputs = taken.flat_map(|(k, t)| rules[*t as usize].outputs.iter().map(move |o| (k, o)));
    for (k, (_, formula)) in outputs.filter(|(_, (s, _))| *s == signal) {
        match frame.strict(plan, formula, work) {
            Fired::Absent => {}
            fired => return (fired, k),
        }
    }
    (Fired::Absent, 0)
}

/// Whether a transition out of this mode, or an immediate one after it, gives the signal a value.
fn may_output(plan: &Plan<'_>, mode: ModeId, modal: u32, signal: u32) -> bool {
    let transitions = &plan.graph.modals()[modal as usize].transitions;
    let rules = &plan.rules[modal as usize];
    let counts = |t: usize| transitions[t].leaves(mode) || transitions[t].is_immediate;
    let gives = |t: usize| rules[t].outputs.iter().any(|(s, _)| *s == signal);
    (0..rules.len()).any(|t| counts(t) && gives(t))
}

/// Whether a guard of the current mode holds at this tick, its signals all known: at microstep 0 that makes another tick.
pub(crate) fn wants_to_move(plan: &Plan<'_>, state: &State, frame: &Frame, work: &mut Vec<f64>) -> bool {
    (0..plan.rules.len()).any(|modal| {
        let model = &plan.graph.modals()[modal];
        let mode = state.mode(modal as u32);
        frame.is_present(plan.region_unit(model.region.0))
            && plan.rules[modal].iter().enumerate().any(|(t, rule)| {
                model.transitions[t].leaves(mode)
                    && guard(
                        plan,
                        state,
                        frame,
                        &rule.guard,
                        home(model, modal as u32, t),
                        work,
                    ) == Guard::True
            })
    })
}
