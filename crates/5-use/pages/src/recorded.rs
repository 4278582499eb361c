//! What every trace has: samples as columns, signals, transitions, why it stopped.

use dyverse_trace::{Trace, Transition};
use dyverse_view::{
    Blobs, Change, Column, Force, Machine, Move, Named, Place, Run, RunStop, Signal, SignalKind,
};

/// What changes by no more than this is still: rounding.
const STILL: f64 = 1e-13;
/// Signals of one unit that are shown before anyone chooses.
const MOST_SHOWN_ALIKE: usize = 6;
/// Units that are shown before anyone chooses.
const MOST_SHOWN_UNITS: usize = 4;

/// A run with what its trace says; machines, places, bodies and contacts are left empty.
pub(super) fn recorded(trace: &Trace, title: &str, kind: SignalKind, blobs: &mut Blobs) -> Run {
    let t: Vec<f64> = trace.samples.iter().map(|s| s.time.t()).collect();
    let n: Vec<u32> = trace.samples.iter().map(|s| s.time.n()).collect();
    let stop = &trace.stop;
    let (from, to) = (
        t.first().copied().unwrap_or(0.0),
        t.last().copied().unwrap_or(0.0),
    );
    let mut run = Run {
        title: title.to_owned(),
        parameters: trace
            .parameters
            .iter()
            .map(|(name, value)| named(name, *value))
            .collect(),
        seed: trace.seed,
        from,
        to: to.max(stop.time.t()),
        stop: RunStop {
            reason: stop.reason.word().into(),
            text: stop.reason.to_string(),
            t: stop.time.t(),
            n: stop.time.n(),
        },
        t: blobs.f64(&t),
        n: blobs.u32(&n),
        signals: Vec::with_capacity(trace.signals.len()),
        transitions: trace.transitions.iter().map(|t| transition(trace, t)).collect(),
        machines: Vec::new(),
        places: Vec::new(),
        bodies: Vec::new(),
        contacts: Vec::new(),
        balance: None,
        statistics: Vec::new(),
        mark: None,
    };
    let mut values = vec![f64::NAN; trace.samples.len()];
    for (place, signal) in trace.signals.iter().enumerate() {
        for (value, sample) in values.iter_mut().zip(&trace.samples) {
            *value = sample.values.get(place).copied().unwrap_or(f64::NAN);
        }
        let shown =
            changes(&values) && is_of_interest(&signal.name, kind) && has_room(&run.signals, &signal.unit);
        run.signals.push(Signal {
            name: signal.name.clone(),
            unit: signal.unit.clone(),
            kind,
            column: blobs.f64(&values),
            shown,
        });
    }
    if !run.signals.iter().any(|s| s.shown) {
        for signal in run.signals.iter_mut().take(MOST_SHOWN_ALIKE) {
            signal.shown = true;
        }
    }
    run
}

/// Adds a signal that was found along the run.
pub(super) fn add(
    run: &mut Run,
    blobs: &mut Blobs,
    (name, unit): (String, &str),
    kind: SignalKind,
    values: &[f64],
) {
    let shown = changes(values) && has_room(&run.signals, unit);
    run.signals.push(Signal {
        name,
        unit: unit.into(),
        kind,
        column: blobs.f64(values),
        shown,
    });
}

/// Three columns of a vector.
pub(super) fn vectors(blobs: &mut Blobs, values: &[[f64; 3]]) -> [Column; 3] {
    std::array::from_fn(|axis| {
        let column: Vec<f64> = values.iter().map(|v| v[axis]).collect();
        blobs.f64(&column)
    })
}

pub(super) fn named(name: &str, value: f64) -> Named {
    Named {
        name: name.to_owned(),
        value,
    }
}

fn changes(values: &[f64]) -> bool {
    let Some(first) = values.first() else { return false };
    let is_other = |v: &f64| v.is_nan() != first.is_nan() || (v - first).abs() > STILL;
    values.iter().any(is_other)
}

/// Turning is seen better in the scene.
fn is_of_interest(name: &str, kind: SignalKind) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name);
    kind != SignalKind::State || !(last.starts_with('q') || last.starts_with('w'))
}

/// Whether one more signal of this unit is shown.
fn has_room(signals: &[Signal], unit: &str) -> bool {
    let shown = signals.iter().filter(|s| s.shown);
    let alike = shown.clone().filter(|s| s.unit == unit).count();
    let mut units: Vec<&str> = shown.map(|s| s.unit.as_str()).collect();
    units.sort_unstable();
    units.dedup();
    alike < MOST_SHOWN_ALIKE && (alike > 0 || units.len() < MOST_SHOWN_UNITS)
}

fn transition(trace: &Trace, transition: &Transition) -> dyverse_view::Transition {
    let name = |id: dyverse_trace::SignalId| {
        let signal = trace.signals.get(id.0 as usize);
        signal.map_or_else(String::new, |s| s.name.clone())
    };
    dyverse_view::Transition {
        t: transition.time.t(),
        n: transition.time.n(),
        kind: transition.kind.word(),
        machine: None,
        from: transition.from.clone(),
        to: transition.to.clone(),
        rule: transition.rule.into(),
        contacts: transition.contacts.clone(),
        guard: transition.guard.clone(),
        reset: transition.reset.clone(),
        forces: transition
            .forces
            .iter()
            .map(|force| Force {
                contact: force.contact.clone(),
                normal: force.normal,
                tangential: force.tangential,
                point: None,
                vector: None,
            })
            .collect(),
        changes: transition
            .changes
            .iter()
            .map(|change| Change {
                signal: name(change.signal),
                before: change.before,
                after: change.after,
            })
            .collect(),
    }
}

/// One machine that goes where the transitions go; the names of all places, ascending.
pub(super) fn one_machine(run: &mut Run) -> Vec<String> {
    let first = run.transitions.iter().find(|t| !t.from.is_empty());
    let initial = first.map_or_else(|| "S_0".to_owned(), |t| t.from.clone());
    let mut names = vec![initial.clone()];
    let mut moves = Vec::new();
    for transition in run.transitions.iter_mut().filter(|t| !t.to.is_empty()) {
        transition.machine = Some(0);
        names.extend([transition.from.clone(), transition.to.clone()]);
        moves.push(Move {
            t: transition.t,
            n: transition.n,
            place: Some(transition.to.clone()),
        });
    }
    names.sort();
    names.dedup();
    names.retain(|name| !name.is_empty());
    run.machines = vec![Machine {
        name: String::new(),
        initial: Some(initial),
        moves,
    }];
    names
}

/// A place of which no more is known than its name.
pub(super) fn plain_place(name: String) -> Place {
    Place {
        lights: vec![name.clone()],
        text: String::new(),
        name,
    }
}
