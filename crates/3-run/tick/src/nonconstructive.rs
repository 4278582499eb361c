//! Names the causality loop of a tick at which signals stay unknown.
//!
//! Of the loops that the static analysis lists, those count whose signals are all unknown and whose modes are current; of them one is reported that goes through as many impulses
//! as possible, because that is where a delay belongs. Should none be listed, the walk from unknown to unknown finds one.

use crate::TickError;
use crate::frame::{Frame, Status};
use crate::plan::{Op, Plan};
use crate::state::State;
use dyverse_actors::{CausalityLoop, Certainty, LoopStep, Role, SignalId, find_loops};

/// An error if a unit stayed unknown.
pub(crate) fn check(plan: &Plan<'_>, state: &State, frame: &Frame) -> Result<(), TickError> {
    if frame.order.len() == plan.unit_count() {
        return Ok(());
    }
    let graph = plan.graph;
    let is_unknown = |s: SignalId| frame.status[s.0 as usize] == Status::Unknown;
    let unknown = (0..plan.signal_count()).filter(|s| frame.status[*s] == Status::Unknown);
    let unknown: Vec<String> = unknown.map(|s| graph.signals()[s].label()).collect();
    let closes = |l: &CausalityLoop| {
        l.steps.iter().all(|s| is_unknown(s.signal))
            && l.modes.iter().all(|(modal, mode)| state.mode(modal.0) == *mode)
    };
    let impulses = |l: &CausalityLoop| {
        let is_impulse = |s: &&LoopStep| matches!(s.role, Role::Impulse | Role::Reset);
        l.steps.iter().filter(is_impulse).count()
    };
    let found = find_loops(graph).into_iter().filter(closes);
    let found = found.max_by_key(|l| (impulses(l), usize::MAX - l.steps.len()));
    let found = found.or_else(|| walk(plan, frame));
    Err(TickError::Nonconstructive {
        time: frame.time,
        ports: found.as_ref().map_or_else(|| unknown.clone(), |l| ports(plan, l)),
        remedies: found.map_or_else(Vec::new, |l| l.remedies(graph)),
        unknown,
    })
}

/// The ports of a loop: `u`, `correction`, `u.impulse`.
fn ports(plan: &Plan<'_>, found: &CausalityLoop) -> Vec<String> {
    let name = |s: SignalId| plan.graph.signal(s).label();
    let count = found.steps.len();
    let mut ports = Vec::new();
    for (place, step) in found.steps.iter().enumerate() {
        ports.push(name(step.signal));
        let next = found.steps[(place + 1) % count].signal;
        if !step.role.port().is_empty() {
            ports.push(format!("{}.{}", name(next), step.role.port()));
        }
    }
    ports
}

/// From an unknown signal to one it waits for, until one comes again.
fn walk(plan: &Plan<'_>, frame: &Frame) -> Option<CausalityLoop> {
    let is_unknown = |unit: usize| frame.status[unit] == Status::Unknown;
    let mut waits: Vec<Vec<u32>> = vec![Vec::new(); plan.unit_count()];
    for unit in (0..plan.unit_count()).filter(|u| is_unknown(*u)) {
        for dependent in &plan.dependents[unit] {
            if is_unknown(*dependent as usize) {
                waits[*dependent as usize].push(unit as u32);
            }
        }
    }
    let mut seen = vec![usize::MAX; plan.unit_count()];
    let mut path: Vec<u32> = Vec::new();
    let mut unit = (0..plan.unit_count()).find(|u| is_unknown(*u))? as u32;
    while seen[unit as usize] == usize::MAX {
        seen[unit as usize] = path.len();
        path.push(unit);
        unit = *waits[unit as usize].first()?;
    }
    let mut cycle = path.split_off(seen[unit as usize]);
    cycle.reverse();
    cycle.retain(|u| (*u as usize) < plan.signal_count());
    let role = |from: u32, to: u32| match &plan.ops[to as usize] {
        Op::Integrator(op) if op.impulse == Some(from) => Role::Impulse,
        Op::Integrator(op) if op.reset == Some(from) => Role::Reset,
        _ => Role::Operand,
    };
    let count = cycle.len();
    let steps = (0..count).map(|place| LoopStep {
        signal: SignalId(cycle[place]),
        role: role(cycle[place], cycle[(place + 1) % count]),
    });
    Some(CausalityLoop {
        steps: steps.collect(),
        modes: Vec::new(),
        certainty: Certainty::Unresolved,
    })
}
