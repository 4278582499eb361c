//! Which transitions of modal models are taken at a tick [004 §6.1; SPEC §6].
//!
//! Order: preemptive guards (if one holds, the refinement does not run at this tick), the refinement, the other guards, then immediate transitions out of the
//! mode entered. In each class a `default` is taken only when all others are known to be false. Two that hold must both be marked as a choice.
//!
//! Transitions are taken at microstep 1 or later: microstep 0 is the left limit, at which nothing discrete happens. A guard that holds
//! there makes another tick.

use crate::TickError;
use crate::frame::{Fired, Frame, Status, mix};
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

fn guard(plan: &Plan<'_>, frame: &Frame, formula: &Formula, work: &mut Vec<f64>) -> Guard {
    match frame.strict(plan, formula, work) {
        Fired::Present(value) if value != 0.0 && !value.is_nan() => Guard::True,
        Fired::Present(_) | Fired::Absent => Guard::False,
        Fired::Unknown => Guard::Unknown,
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
            let mode = state.mode(modal);
            select(plan, frame, modal, work, |m, t| {
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

/// All transitions that a modal model takes, in order, into `chain`; gives the first.
pub(crate) fn choose(
    plan: &Plan<'_>,
    state: &State,
    frame: &Frame,
    modal: u32,
    work: &mut Vec<f64>,
    chain: &mut Vec<u32>,
) -> Result<Fired, TickError> {
    if let Some(fired) = where_it_stands(plan, frame, modal) {
        return Ok(fired);
    }
    let preempting = plan.preempt_unit(modal);
    let first = match frame.status[preempting] {
        Status::Unknown => return Ok(Fired::Unknown),
        Status::Present => frame.value[preempting],
        Status::Absent => {
            let mode = state.mode(modal);
            let found = select(plan, frame, modal, work, |m, t| {
                m.transitions[t].leaves(mode) && !m.transitions[t].is_preemptive
            })?;
            match found {
                Fired::Present(first) => first,
                other => return Ok(other),
            }
        }
    };
    let model = &plan.graph.modals()[modal as usize];
    chain.push(first as u32);
    let mut entered = vec![model.transitions[first as usize].to];
    while let Some(mode) = entered.last().copied() {
        let found = select(plan, frame, modal, work, |m, t| {
            m.transitions[t].leaves(mode) && m.transitions[t].is_immediate
        })?;
        let next = match found {
            Fired::Present(next) => next as u32,
            Fired::Absent => break,
            Fired::Unknown => return Ok(Fired::Unknown),
        };
        let to = model.transitions[next as usize].to;
        let is_circle = entered.contains(&to);
        entered.push(to);
        if is_circle {
            return Err(TickError::ImmediateCycle {
                time: frame.time,
                modal: model.name.clone(),
                modes: entered.iter().map(|m| model.mode(*m).name.clone()).collect(),
            });
        }
        chain.push(next);
    }
    Ok(Fired::Present(first))
}

/// The one transition of a class whose guard holds; absent if none does.
fn select(
    plan: &Plan<'_>,
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
            match guard(plan, frame, &rule.guard, work) {
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

/// What transitions taken at this tick give a signal: absent if nothing.
pub(crate) fn output(
    plan: &Plan<'_>,
    state: &State,
    frame: &Frame,
    modal: u32,
    signal: u32,
    work: &mut Vec<f64>,
) -> Fired {
    if frame.time.n() == 0 || !may_output(plan, state.mode(modal), modal, signal) {
        return Fired::Absent;
    }
    if frame.status[plan.choice_unit(modal)] == Status::Unknown {
        return Fired::Unknown;
    }
    let rules = &plan.rules[modal as usize];
    let taken = frame.chains[modal as usize].iter().rev();
    let mut outputs = taken.flat_map(|t| &rules[*t as usize].outputs);
    match outputs.find(|(s, _)| *s == signal) {
        Some((_, formula)) => frame.strict(plan, formula, work),
        None => Fired::Absent,
    }
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
                model.transitions[t].leaves(mode) && guard(plan, frame, &rule.guard, work) == Guard::True
            })
    })
}
