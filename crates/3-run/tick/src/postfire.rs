//! After the fixed point: primitives change state, modal models take their transitions [004 §4; SPEC §6].
//!
//! Everything new is computed from the values of the tick, then written. Modes that are passed through begin anew first, because their refinement ran at this
//! tick; then integrators, holds, delays; then initialisation and set actions of transitions, those of inner modal models first.

use crate::TickError;
use crate::frame::{Arrival, Fired, Frame};
use crate::level::{Passage, Standing};
use crate::modal;
use crate::plan::{Formula, Op, Plan};
use crate::state::{Moment, State};
use dyverse_actors::{Mode, RegionId, RegionKind};
use dyverse_component::{Cause, Component, Fault, Happening};
use dyverse_trace::SuperdenseTime;

/// Something discrete that happened at a tick.
#[derive(Clone, Debug)]
pub(crate) enum Happened {
    /// A transition of a modal model, by their places.
    Transition { modal: u32, transition: u32 },
    /// The state of an integrator jumped: by its impulse or reset.
    Jump { signal: u32, before: f64, after: f64 },
    /// A `cross` saw its level passed.
    Crossing { signal: u32 },
    /// A component did something.
    Component { happening: Happening },
}

/// Whether what lies in an active region remembers the tick: all but the guards of a mode that is being entered.
fn remembers(plan: &Plan<'_>, frame: &Frame, region: u32) -> bool {
    if frame.arrival[region as usize] == Arrival::Stays {
        return true;
    }
    let mut next = Some(RegionId(region));
    while let Some(id) = next {
        let region = plan.graph.region(id);
        match region.kind {
            RegionKind::Leaving(..) if frame.arrival[id.0 as usize] != Arrival::Stays => return false,
            _ => next = region.parent,
        }
    }
    true
}

/// Whether a mode's refinement ran because a modal model passed through it.
fn is_passed(plan: &Plan<'_>, frame: &Frame, mode: &Mode) -> bool {
    frame.arrival[mode.region.0 as usize] != Arrival::Stays
        && frame.is_present(plan.region_unit(mode.region.0))
}

/// Begins modes anew that are passed through at this tick.
pub(crate) fn begin_passed(plan: &Plan<'_>, state: &mut State, frame: &Frame) {
    for (modal, chain) in plan.graph.modals().iter().zip(&frame.chains) {
        for transition in chain {
            let mode = modal.mode(modal.transitions[*transition as usize].to);
            let is_new = frame.arrival[mode.region.0 as usize] == Arrival::New;
            if is_new && is_passed(plan, frame, mode) {
                state.enter(plan, mode, frame.moment());
            }
        }
    }
}

/// Writes what primitives remember for the next tick. `crossings` are those whose level was passed right before this instant, and whether that is their event.
pub(crate) fn postfire(
    plan: &Plan<'_>,
    state: &mut State,
    frame: &Frame,
    crossings: &[(u32, bool)],
    happened: &mut Vec<Happened>,
) -> Result<(), TickError> {
    let status = |s: u32| frame.is_present(s as usize);
    let value = |s: u32| frame.value[s as usize];
    for signal in 0..plan.signal_count() {
        let region = plan.region_of(signal as u32);
        if !frame.is_present(plan.region_unit(region)) || !remembers(plan, frame, region) {
            continue;
        }
        let cell = state.cells[signal];
        match &plan.ops[signal] {
            Op::Integrator(op) => {
                if let Some(impulse) = op.impulse
                    && frame.time.n() == 0
                    && status(impulse)
                    && value(impulse) != 0.0
                {
                    let name = |s: u32| plan.graph.signals()[s as usize].label();
                    return Err(TickError::ImpulseAtMicrostepZero {
                        time: frame.time,
                        integrator: name(signal as u32),
                        impulse: name(impulse),
                        weight: value(impulse),
                    });
                }
                if frame.is_present(signal) {
                    let after = frame.value[signal];
                    if cell.is_there && cell.value != after {
                        happened.push(Happened::Jump {
                            signal: signal as u32,
                            before: cell.value,
                            after,
                        });
                    }
                    state.set(signal, after, true);
                }
            }
            Op::Hold { .. } if frame.is_present(signal) => {
                state.set(signal, frame.value[signal], true);
            }
            Op::Post { value: of, .. } => {
                let is_there = status(*of);
                let next = if is_there { value(*of) } else { 0.0 };
                state.set(signal, next, is_there);
            }
            Op::Cross(op) => {
                let mut standing = Standing::of(cell.value);
                let mut is_crossed = false;
                if status(op.value) {
                    let has = |is_located: bool| crossings.contains(&(signal as u32, is_located));
                    let passage = Passage {
                        is_left_limit: frame.time.n() == 0,
                        is_located: has(true),
                        has_passed: has(false),
                    };
                    (standing, is_crossed) = standing.look(op, value(op.value), passage);
                }
                if is_crossed {
                    happened.push(Happened::Crossing {
                        signal: signal as u32,
                    });
                }
                state.set(signal, standing.number(), is_crossed);
            }
            Op::Clock { .. } | Op::At(_) if frame.is_present(signal) => {
                state.set(signal, cell.value + 1.0, cell.is_there);
            }
            Op::Delay { value: of, by } => {
                if frame.is_present(signal) {
                    state.queues[signal].pop_front();
                    state.is_changed = true;
                }
                if status(*of) {
                    let begin = state.begins[plan.region_of(signal as u32) as usize];
                    let local = frame.moment().minus(begin);
                    // Due later, so nothing changes at this instant.
                    state.queues[signal].push_back((local.plus(Moment::at(*by)), value(*of)));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// A transition to be taken, and the states it sets.
struct Taken {
    modal: u32,
    place: u32,
    sets: Vec<(u32, f64)>,
}

/// Takes the transitions that the tick chose.
pub(crate) fn take_transitions(
    plan: &Plan<'_>,
    state: &mut State,
    frame: &Frame,
    happened: &mut Vec<Happened>,
) -> Result<(), TickError> {
    let mut work = Vec::new();
    // All new values first: set actions read the tick, not each other.
    let mut steps: Vec<Taken> = Vec::new();
    for (modal, chain) in frame.chains.iter().enumerate() {
        for transition in chain {
            let rule = &plan.rules[modal][*transition as usize];
            let mut sets = Vec::new();
            for (target, formula) in &rule.sets {
                match frame.strict(plan, formula, &mut work) {
                    Fired::Present(value) => sets.push((*target, value)),
                    _ => return Err(absent_action(plan, frame, (modal, *transition), *target, formula)),
                }
            }
            steps.push(Taken {
                modal: modal as u32,
                place: *transition,
                sets,
            });
        }
    }
    for step in &steps {
        happened.push(Happened::Transition {
            modal: step.modal,
            transition: step.place,
        });
    }
    // What begins anew outside forgets what happened inside.
    let depth = |modal: u32| plan.graph.depth(plan.graph.modals()[modal as usize].region);
    steps.sort_by_key(|step| std::cmp::Reverse(depth(step.modal)));
    for Taken { modal, place, sets } in steps {
        let model = &plan.graph.modals()[modal as usize];
        let transition = &model.transitions[place as usize];
        state.modes[modal as usize] = transition.to.0;
        let mode = model.mode(transition.to);
        if !transition.is_history && !is_passed(plan, frame, mode) {
            state.enter(plan, mode, frame.moment());
        }
        for (target, value) in sets {
            state.set(target as usize, value, true);
        }
        state.is_changed = true;
    }
    Ok(())
}

fn absent_action(
    plan: &Plan<'_>,
    frame: &Frame,
    (modal, transition): (usize, u32),
    target: u32,
    formula: &Formula,
) -> TickError {
    let name = |s: u32| plan.graph.signals()[s as usize].label();
    let absent = formula.signals.iter().find(|s| !frame.is_present(**s as usize));
    TickError::ActionReadsAbsent {
        time: frame.time,
        transition: modal::describe(&plan.graph.modals()[modal], transition as usize),
        target: name(target),
        absent: absent.map_or_else(String::new, |s| name(*s)),
    }
}

/// Lets components execute the instant, where they have a reason to.
pub(crate) fn call_components(
    plan: &Plan<'_>,
    state: &mut State,
    frame: &Frame,
    components: &mut [Box<dyn Component + '_>],
    indicators: &[(u32, usize)],
    happened: &mut Vec<Happened>,
) -> Result<(), TickError> {
    for (place, used) in plan.graph.components().iter().enumerate() {
        if !frame.is_present(plan.region_unit(used.region.0)) {
            continue;
        }
        let inputs: Vec<f64> = used
            .inputs
            .iter()
            .map(|(_, s)| frame.value[s.0 as usize])
            .collect();
        let mine = &mut state.components[place];
        let had_events = !mine.events.is_empty() && frame.time.n() > 0;
        if had_events {
            mine.events.clear();
            state.is_changed = true;
        }
        let component = components[used.handle as usize].as_mut();
        let first = indicators.iter().find(|(c, _)| *c as usize == place);
        let is_jump = frame.time.n() > 0
            && inputs
                .iter()
                .zip(&mine.inputs)
                .any(|(a, b)| a.to_bits() != b.to_bits());
        let cause = if !mine.is_started {
            Some(Cause::Start)
        } else if let Some((_, indicator)) = first {
            Some(Cause::Indicator(*indicator))
        } else if component.next_time().is_some_and(|t| t <= frame.time.t()) {
            Some(Cause::Time)
        } else if is_jump || mine.is_unfinished {
            Some(Cause::Input)
        } else {
            None
        };
        mine.inputs.clone_from(&inputs);
        let Some(cause) = cause else { continue };
        mine.is_started = true;
        let outcome = component.microstep(frame.time, cause, &mut mine.x, &inputs);
        let happening = outcome.map_err(|fault| failure(frame.time, &used.name, fault))?;
        if let Some(reason) = happening.stop.clone() {
            return Err(failure(frame.time, &used.name, reason.into()));
        }
        mine.events.extend(&happening.events);
        mine.is_unfinished = happening.is_unfinished;
        if cause != Cause::Start || !happening.events.is_empty() || happening.is_unfinished {
            state.is_changed = true;
            happened.push(Happened::Component { happening });
        }
    }
    Ok(())
}

/// A component's failure.
pub(crate) fn failure(time: SuperdenseTime, component: &str, fault: Fault) -> TickError {
    TickError::Component {
        time,
        component: component.to_owned(),
        detail: fault.into(),
    }
}
