//! What is drawn when nobody says.

use dyverse_trace::{SignalId, Trace};

/// Signals in all at the most.
const MOST_SIGNALS: usize = 24;
/// Panels at the most.
const MOST_PANELS: usize = 6;

/// What changes by no more than this is still: rounding.
const STILL: f64 = 1e-13;

/// The signals that change, or all if none does, grouped by unit; those without a unit by the last part of their names, `x` for `left.x` and
/// `pair.x2`. What is beyond the limits is left out.
pub(super) fn default_panels(trace: &Trace) -> Vec<Vec<SignalId>> {
    let mut chosen: Vec<usize> = (0..trace.signals.len()).filter(|k| changes(trace, *k)).collect();
    if chosen.is_empty() {
        chosen = (0..trace.signals.len()).collect();
    }
    let mut panels: Vec<(String, Vec<SignalId>)> = Vec::new();
    for k in chosen.into_iter().take(MOST_SIGNALS) {
        let key = key(trace, k);
        let id = SignalId(k as u32);
        let is_full = panels.len() >= MOST_PANELS;
        match panels.iter_mut().find(|(other, _)| *other == key) {
            Some((_, panel)) => panel.push(id),
            None if is_full => {}
            None => panels.push((key, vec![id])),
        }
    }
    panels.into_iter().map(|(_, panel)| panel).collect()
}

fn changes(trace: &Trace, k: usize) -> bool {
    let value = |place: Option<&f64>| place.copied().unwrap_or(f64::NAN);
    let Some(first) = trace.samples.first().map(|s| value(s.values.get(k))) else {
        return false;
    };
    trace
        .samples
        .iter()
        .map(|s| value(s.values.get(k)))
        .any(|v| v.is_nan() != first.is_nan() || (v - first).abs() > STILL)
}

fn key(trace: &Trace, k: usize) -> String {
    let Some(signal) = trace.signals.get(k) else {
        return String::new();
    };
    if !signal.unit.is_empty() {
        return format!("[{}]", signal.unit);
    }
    let last = signal.name.rsplit('.').next().unwrap_or("");
    let stem = last.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_');
    if stem.is_empty() { last } else { stem }.to_owned()
}
