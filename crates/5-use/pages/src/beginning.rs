//! What a page shows of a run that is too long to look at: its beginning, whole.
//!
//! A browser draws some ten thousand events, not a million; and whoever ended a run waits for its page. What is shown is a trace like any other, so everything that is found along it
//! (gaps, forces, energies, places of machines) is right for it.

use dyverse_simulate::ClosedContacts;
use dyverse_trace::{StopReason, SuperdenseTime, Trace};
use dyverse_view::Run;

/// Transitions of a run that a page shows at the most.
pub(super) const MOST_TRANSITIONS: usize = 20_000;
/// Numbers in all samples of a run that a page shows at the most.
const MOST_NUMBERS: usize = 10_000_000;
/// Of a run that somebody ended, or its time, it shows this part of them: there is somebody who waits.
const HURRIED: usize = 4;

/// The beginning of a run.
pub(super) struct Beginning {
    pub(super) trace: Trace,
    pub(super) closed: Vec<ClosedContacts>,
}

impl Beginning {
    /// Of a run that is too long; `None` if it can be shown whole. What is left out is noted.
    pub(super) fn of(trace: &Trace, closed: &[ClosedContacts], notes: &mut Vec<String>) -> Option<Self> {
        let is_hurried = matches!(
            trace.stop.reason,
            StopReason::Cancelled | StopReason::Interrupted | StopReason::TimeLimit { .. }
        );
        let part = if is_hurried { HURRIED } else { 1 };
        let before = end(trace, MOST_TRANSITIONS / part, MOST_NUMBERS / part)?;
        let samples = trace.samples.partition_point(|s| s.time < before);
        let transitions = trace.transitions.partition_point(|t| t.time < before);
        let last = trace.samples[..samples].last().map_or(0.0, |s| s.time.t());
        notes.push(format!(
            "The page shows the run until t = {last} s, {transitions} of its {} transitions: all of it is too much to look at. --output run.json or run.csv writes all of it.",
            trace.transitions.len()
        ));
        let mut pieces = Vec::new();
        let mut kept = Vec::new();
        for (place, piece) in trace.pieces.iter().enumerate() {
            if piece.from < before.t() {
                pieces.push(piece.clone());
                kept.extend(closed.get(place).cloned());
            }
        }
        let trace = Trace {
            system: trace.system.clone(),
            parameters: trace.parameters.clone(),
            signals: trace.signals.clone(),
            samples: trace.samples[..samples].to_vec(),
            pieces,
            transitions: trace.transitions[..transitions].to_vec(),
            dropped: trace.dropped.clone(),
            stop: trace.stop.clone(),
            impact_gains: trace.impact_gains.clone(),
            stepping: trace.stepping.clone(),
            ..*trace
        };
        Some(Beginning { trace, closed: kept })
    }

    /// A run of it ends where it ends, not where the whole one does.
    pub(super) fn end(&self, run: &mut Run) {
        run.to = self.trace.samples.last().map_or(run.from, |s| s.time.t());
    }
}

/// Before when the beginning ends: at the first instant with which there is too much, or within the first one of all.
fn end(trace: &Trace, transitions: usize, numbers: usize) -> Option<SuperdenseTime> {
    let samples = numbers / trace.signals.len().max(1);
    let times = [
        trace.transitions.get(transitions).map(|t| t.time),
        trace.samples.get(samples).map(|s| s.time),
    ];
    let time = times.into_iter().flatten().min()?;
    let start = trace.samples.first().map(|s| s.time);
    let instant = SuperdenseTime::at(time.t()).filter(|instant| start.is_some_and(|start| start < *instant));
    Some(instant.unwrap_or(time))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dyverse_assemble::simulate_actors;
    use dyverse_lang::{Loaded, NoImports, read_actors};
    use dyverse_tick::TickOptions;

    fn run(text: &str, until: f64, events: usize) -> Trace {
        let reading = read_actors(Loaded::named("m.dam", text), &mut NoImports);
        let model = reading.model.expect("it is a model");
        let options = TickOptions {
            until: Some(until),
            event_limit: events,
            ..TickOptions::default()
        };
        simulate_actors(&model, &options).expect("it runs")
    }

    const TICKING: &str = "model m\nmodal w { out cont s\n mode a { s' = 1 when s >= 1 goto b { s := 0 } }\n mode b { s' = 1 when s >= 1 goto a { s := 0 } } }\nrecord w.s\n";

    #[test]
    fn a_run_that_can_be_looked_at_is_shown_whole() {
        let mut notes = Vec::new();
        assert!(Beginning::of(&run(TICKING, 1000.5, 1_000_000), &[], &mut notes).is_none());
        assert!(notes.is_empty());
    }

    #[test]
    fn of_a_longer_one_the_beginning_is_shown_in_whole_instants() {
        let whole = run(TICKING, 30_000.5, 1_000_000);
        for (reason, most) in [
            (StopReason::HorizonReached, MOST_TRANSITIONS),
            (StopReason::Cancelled, MOST_TRANSITIONS / HURRIED),
            (StopReason::Interrupted, MOST_TRANSITIONS / HURRIED),
            (StopReason::TimeLimit { seconds: 2.0 }, MOST_TRANSITIONS / HURRIED),
        ] {
            let mut whole = whole.clone();
            whole.stop.reason = reason;
            let mut notes = Vec::new();
            let shown = Beginning::of(&whole, &[], &mut notes)
                .expect("it is too long")
                .trace;
            assert!(shown.transitions.len() <= most && shown.transitions.len() + 4 > most);
            assert_eq!(shown.transitions, whole.transitions[..shown.transitions.len()]);
            assert_eq!(shown.samples, whole.samples[..shown.samples.len()]);
            let next = whole.samples[shown.samples.len()].time;
            assert!(shown.samples.iter().all(|s| s.time.t() < next.t()));
            assert!(notes[0].contains(&format!("of its {} transitions", whole.transitions.len())));
        }
    }
}
