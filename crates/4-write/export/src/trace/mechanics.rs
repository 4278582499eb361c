//! Whether a run has mechanics to tell of: a trace of an actor model has neither contacts nor energies unless a rigid-body system is part of it.

use dyverse_trace::{Balance, Trace, TransitionKind};

/// Whether it is a run of a rigid-body model: that records the orientations of its entities, `ball.qw`, or has at least energies; and it has no events of actors. (An FMU that was
/// made of a rigid-body model has such names too, and its events are those of an actor.)
pub(super) fn is_of_bodies(trace: &Trace) -> bool {
    let is_orientation =
        |name: &str| matches!(name.rsplit_once('.'), Some((entity, "qw")) if !entity.contains('.'));
    let is_of_actors = |kind: TransitionKind| matches!(kind, TransitionKind::Mode | TransitionKind::Event);
    let has_signs = trace.signals.iter().any(|s| is_orientation(&s.name)) || has_balance(trace);
    let mut kinds = trace
        .transitions
        .iter()
        .map(|t| t.kind)
        .chain(trace.dropped.kinds.keys().copied());
    has_signs && !kinds.any(is_of_actors)
}

/// Whether largest errors of contacts say anything.
pub(super) fn has_contacts(trace: &Trace) -> bool {
    let of = &trace.statistics;
    is_of_bodies(trace) || of.sweeps > 0 || of.largest_penetration != 0.0 || of.largest_residual != 0.0
}

/// Whether the balance of energy says anything.
pub(super) fn has_energy(trace: &Trace) -> bool {
    is_of_bodies(trace) || has_balance(trace)
}

fn has_balance(trace: &Trace) -> bool {
    trace.balance != Balance::default()
}
