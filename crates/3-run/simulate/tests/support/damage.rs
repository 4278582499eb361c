//! One thing of a good trace made false.

use dyverse_trace::{SuperdenseTime, Trace};

/// Draws a number below another.
pub(crate) type Draw<'a> = &'a mut dyn FnMut(usize) -> usize;

/// Kinds of damage.
pub(crate) const KINDS: usize = 10;

/// What counts as a force, N or N s.
const FORCE: f64 = 1e-3;
/// What counts as a jump, m/s.
const JUMP: f64 = 1e-3;

/// The trace with a damage of this kind, and what it is; none where there is nothing to damage.
pub(crate) fn damaged(good: &Trace, kind: usize, draw: Draw<'_>) -> Option<(Trace, &'static str)> {
    let mut trace = good.clone();
    let count = trace.transitions.len();
    let some = (count > 0).then(|| draw(count));
    let what = match kind {
        0 => {
            let own = &mut trace.transitions[some?];
            let to = ["S_0", "s_1,1", "s_2,2", "I_3,en", "C_1,en", "s_9,1", "nowhere"][draw(7)];
            if own.to == to || own.to.contains('{') {
                return None;
            }
            own.to = to.into();
            "the end of an edge"
        }
        1 => {
            // A last collision too small to be told from none is no matter, nor is a run that is stopped one transition earlier.
            let gone = trace.transitions.remove(some?);
            if some == Some(count - 1) && !trace.stop.reason.is_complete() {
                return None;
            }
            let is_step = gone.from.contains("I_") && gone.to.contains("I_") || gone.rule == "node";
            if is_step && !gone.changes.iter().any(|c| (c.after - c.before).abs() > JUMP) {
                return None;
            }
            "a transition is gone"
        }
        2 => {
            let own = &mut trace.transitions[some?];
            let rule = ["1", "2", "3", "4", "4b", "5", "6", "7", "8", "node", ""][draw(11)];
            if own.rule == rule {
                return None;
            }
            own.rule = rule;
            "a rule"
        }
        3 => {
            let sample = 1 + draw(trace.samples.len().checked_sub(1).filter(|n| *n > 0)?);
            let signal = draw(trace.signals.len());
            // A turned quaternion is a turned body, and one of a body that is not seen to turn is no matter.
            let name = &trace.signals[signal].name;
            if name.contains(".q") {
                return None;
            }
            let value = &mut trace.samples[sample].values[signal];
            *value += [1e-2, -1e-2, 0.1][draw(3)] * (1.0 + value.abs());
            "a state"
        }
        4 => {
            let all: Vec<(usize, usize)> = forces(&trace).collect();
            let (place, number) = *all.get(draw(all.len().max(1)))?;
            trace.transitions[place].forces[number].normal *= [0.9, 1.1, -1.0][draw(3)];
            "an impulse or a force"
        }
        5 => {
            let all: Vec<(usize, usize)> = changes(&trace).collect();
            let (place, number) = *all.get(draw(all.len().max(1)))?;
            let change = &mut trace.transitions[place].changes[number];
            change.after += 0.01 * (1.0 + change.after.abs());
            "a jump"
        }
        6 => {
            let own = &mut trace.transitions[some?];
            let later = own.time.t() + [-1e-6, 1e-9, 1e-3][draw(3)];
            own.time = SuperdenseTime::new(later, own.time.n())?;
            "the time of a transition"
        }
        7 => {
            let sample = 1 + draw(trace.samples.len().checked_sub(2).filter(|n| *n > 0)?);
            let time = trace.samples[sample].time;
            let moved = SuperdenseTime::new(time.t() + 3e-4, time.n())?;
            let is_between = time.n() == 0 && moved < trace.samples[sample + 1].time;
            let is_still = trace.transitions.iter().all(|t| t.time.t() != time.t());
            if !(is_between && is_still && moves(&trace, sample)) {
                return None;
            }
            trace.samples[sample].time = moved;
            "the time of a sample"
        }
        8 => {
            let place = some.filter(|n| n + 1 < count)?;
            let (first, second) = (&trace.transitions[place], &trace.transitions[place + 1]);
            if first.time.t() != second.time.t() || (&first.from, &first.to) == (&second.from, &second.to) {
                return None;
            }
            let times = (first.time, second.time);
            trace.transitions.swap(place, place + 1);
            (trace.transitions[place].time, trace.transitions[place + 1].time) = times;
            "two microsteps are swapped"
        }
        _ => {
            let instant = trace.transitions[some?].time.t();
            trace.transitions.retain(|t| t.time.t() != instant);
            let jumps =
                |t: &dyverse_trace::Transition| t.changes.iter().any(|c| (c.after - c.before).abs() > JUMP);
            if !good.transitions.iter().any(|t| t.time.t() == instant && jumps(t)) {
                return None;
            }
            "an impact is gone"
        }
    };
    Some((trace, what))
}

/// The forces and impulses that count.
fn forces(trace: &Trace) -> impl Iterator<Item = (usize, usize)> {
    let all = trace.transitions.iter().enumerate();
    all.flat_map(|(place, t)| {
        t.forces
            .iter()
            .enumerate()
            .map(move |(n, f)| (place, n, f.normal))
    })
    .filter(|(_, _, force)| *force > FORCE)
    .map(|(place, n, _)| (place, n))
}

fn changes(trace: &Trace) -> impl Iterator<Item = (usize, usize)> {
    let all = trace.transitions.iter().enumerate();
    all.flat_map(|(place, t)| {
        t.changes
            .iter()
            .enumerate()
            .map(move |(n, c)| (place, n, c.after - c.before))
    })
    .filter(|(_, _, jump)| jump.abs() > JUMP)
    .map(|(place, n, _)| (place, n))
}

/// Whether something moves at a sample.
fn moves(trace: &Trace, sample: usize) -> bool {
    let is_speed = |name: &str| [".vx", ".vy", ".vz"].iter().any(|end| name.ends_with(end));
    let mut all = trace.signals.iter().zip(&trace.samples[sample].values);
    all.any(|(signal, value)| is_speed(&signal.name) && value.abs() > 0.05)
}
