//! Signals that several modes define, and that transitions give values.
//!
//! Of what is said at one tick the last counts, in the order of the modal model's way: the refinement of the mode in which the tick began, the output
//! action of the first transition, the refinement of a mode passed through, the next output action, … Where that order says nothing (two modal models in parallel)
//! an output action beats a refinement, and two refinements are an error.

use crate::TickError;
use crate::frame::{Fired, Frame, Status};
use crate::modal;
use crate::plan::Plan;
use crate::state::State;
use dyverse_actors::{RegionId, RegionKind};

/// When something is said: for each modal model around, from the outermost, how far its way had come.
type Moment = Vec<(u32, usize)>;

/// When a refinement that is active speaks.
fn moment(plan: &Plan<'_>, frame: &Frame, region: RegionId) -> Moment {
    let mut moment = Vec::new();
    let mut next = Some(region);
    while let Some(id) = next {
        let region = plan.graph.region(id);
        if let RegionKind::Mode(modal, _) = region.kind {
            moment.push((modal.0, 2 * frame.stage[id.0 as usize]));
        }
        next = region.parent;
    }
    moment.reverse();
    moment
}

/// Whether `a` is said after `b`; `None` if there is no order.
fn is_later(a: &Moment, b: &Moment) -> Option<bool> {
    let differ = a.iter().zip(b).find(|(a, b)| a != b);
    differ.filter(|(a, b)| a.0 == b.0).map(|(a, b)| a.1 > b.1)
}

/// The value of a merged signal.
pub(crate) fn merge(
    plan: &Plan<'_>,
    state: &State,
    frame: &Frame,
    signal: usize,
    of: &[u32],
    work: &mut Vec<f64>,
) -> Result<Fired, TickError> {
    let mut given: Option<(f64, Moment)> = None;
    for modal in &plan.actors_on[signal] {
        let (fired, k) = modal::output(plan, state, frame, (*modal, signal as u32), work);
        match fired {
            Fired::Absent => {}
            Fired::Unknown => return Ok(Fired::Unknown),
            Fired::Present(value) => {
                let region = plan.graph.modals()[*modal as usize].region;
                let mut said = moment(plan, frame, region);
                said.push((*modal, 2 * k + 1));
                if given
                    .as_ref()
                    .is_none_or(|(_, first)| is_later(&said, first) == Some(true))
                {
                    given = Some((value, said));
                }
            }
        }
    }
    let mut found: Option<u32> = None;
    let mut is_open = false;
    for source in of {
        match frame.status[*source as usize] {
            Status::Unknown => is_open = true,
            Status::Absent => {}
            Status::Present => {
                found = Some(match found {
                    Some(first) => last(plan, frame, signal, (first, *source))?,
                    None => *source,
                });
            }
        }
    }
    // The last transition of a way is the last word; nothing else has to be waited for.
    let is_last = |said: &Moment| matches!(said.as_slice(), [(modal, at)] if *at + 1 == 2 * frame.chains[*modal as usize].len());
    if is_open && !given.as_ref().is_some_and(|(_, said)| is_last(said)) {
        return Ok(Fired::Unknown);
    }
    let source = found.map(|s| (s, moment(plan, frame, region_of(plan, s))));
    Ok(match (given, source) {
        (Some((_, said)), Some((source, at))) if is_later(&at, &said) == Some(true) => {
            Fired::Present(frame.value[source as usize])
        }
        (Some((value, _)), _) => Fired::Present(value),
        (None, Some((source, _))) => Fired::Present(frame.value[source as usize]),
        (None, None) => Fired::Absent,
    })
}

/// What the modes in which the tick began say of a merged signal.
pub(crate) fn before(
    plan: &Plan<'_>,
    state: &State,
    frame: &Frame,
    signal: usize,
    of: &[u32],
) -> Result<Fired, TickError> {
    let mut found: Option<u32> = None;
    for source in of {
        let home = region_of(plan, signal as u32);
        match runs_first(plan, state, frame, (region_of(plan, *source), home)) {
            Status::Unknown => return Ok(Fired::Unknown),
            Status::Absent => continue,
            Status::Present => {}
        }
        match frame.status[*source as usize] {
            Status::Unknown => return Ok(Fired::Unknown),
            Status::Absent => {}
            Status::Present => {
                found = Some(match found {
                    Some(first) => last(plan, frame, signal, (first, *source))?,
                    None => *source,
                });
            }
        }
    }
    let value = |source: u32| Fired::Present(frame.value[source as usize]);
    Ok(found.map_or(Fired::Absent, value))
}

/// Whether a region's modes are those in which the tick began, and none is preempted. One that is may be passed through later on the way.
/// What is around the signal itself is active, whatever way it came to be so.
fn runs_first(
    plan: &Plan<'_>,
    state: &State,
    frame: &Frame,
    (region, around): (RegionId, RegionId),
) -> Status {
    let mut next = Some(region);
    let mut runs = Status::Present;
    while let Some(id) = next.filter(|id| *id != around) {
        let region = plan.graph.region(id);
        if let RegionKind::Mode(modal, mode) = region.kind {
            match frame.status[plan.preempt_unit(modal.0)] {
                _ if frame.mode(plan, state, modal.0) != mode => return Status::Absent,
                Status::Present => return Status::Absent,
                Status::Unknown => runs = Status::Unknown,
                Status::Absent => {}
            }
        }
        next = region.parent;
    }
    runs
}

fn region_of(plan: &Plan<'_>, signal: u32) -> RegionId {
    RegionId(plan.region_of(signal))
}

/// The later of two sources.
fn last(plan: &Plan<'_>, frame: &Frame, signal: usize, (a, b): (u32, u32)) -> Result<u32, TickError> {
    let at = |s: u32| moment(plan, frame, region_of(plan, s));
    match is_later(&at(b), &at(a)) {
        Some(true) => Ok(b),
        Some(false) => Ok(a),
        None => {
            let name = |s: u32| plan.graph.signals()[s as usize].label();
            Err(TickError::TwoSources {
                time: frame.time,
                signal: name(signal as u32),
                sources: [name(a), name(b)],
            })
        }
    }
}
