//! What a run came to, for people.

use super::mechanics;
use crate::text::visible;
use dyverse_trace::{Balance, ImpactGain, Signal, SteppingPhase, Tally, Trace, is_absent, shown_number};

/// Entities and other signals that are shown at the most, each.
const MOST_ROWS: usize = 20;
/// Components of an entity's state that are shown; orientations say little as numbers.
const SHOWN: [&str; 9] = ["x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"];
const ORIENTATION: [&str; 4] = ["qw", "qx", "qy", "qz"];
/// Significant digits.
const DIGITS: i32 = 6;

/// What a run came to: why and when it stopped, its transitions, the last state; largest errors and energy if bodies moved, changes of mode if
/// there are modes. Ends in a line break.
#[must_use]
pub fn trace_summary(trace: &Trace) -> String {
    let statistics = &trace.statistics;
    let tally = tally(trace);
    let mut rows = vec![
        ("system", trace.system.clone()),
        ("stopped", stopped(trace)),
        ("transitions", transitions(trace, &tally)),
    ];
    rows.extend(titled("modes", modes(trace, &tally)));
    let jumps = if mechanics::is_of_bodies(trace) {
        "impacts"
    } else {
        "jumps"
    };
    rows.push((jumps, statistics.impacts.to_string()));
    if statistics.switches > 0 {
        rows.push(("switches", format!("{} of loads", statistics.switches)));
    }
    rows.push((
        "steps",
        format!(
            "{}, and {} rejected; {} evaluations",
            statistics.steps, statistics.rejected_steps, statistics.evaluations
        ),
    ));
    if mechanics::has_contacts(trace) {
        let penetration = format!("{} m at the most", short(statistics.largest_penetration));
        let mut residual = format!("{} at the most", short(statistics.largest_residual));
        if statistics.rough_forces > 0 {
            let times = statistics.rough_forces;
            residual +=
                &format!("; {times} times forces are rougher than asked for: no method found better ones");
        }
        rows.extend([("penetration", penetration), ("residual", residual)]);
    }
    if !trace.stepping.is_empty() {
        let exact = format!(
            "{:.1} % of the run by events alone",
            100.0 * (1.0 - statistics.stepped)
        );
        let phases = trace.stepping.iter().map(stepping_text).collect();
        rows.extend(titled("contacts", std::iter::once(exact).chain(first_of(phases))));
    }
    if mechanics::has_energy(trace) {
        rows.extend(titled("energy", energy(&trace.balance)));
    }
    let gains = trace.impact_gains.iter().map(impact_gain_text);
    rows.extend(titled("impact law", first_of(gains.collect())));
    if !trace.parameters.is_empty() {
        let all = trace
            .parameters
            .iter()
            .map(|(name, value)| format!("{name} = {}", short(*value)));
        rows.push(("parameters", first_of(all.collect()).join(", ")));
    }
    let lines = rows
        .iter()
        .map(|(name, text)| visible(&format!("{name:<12} {text}")).trim_end().to_owned());
    let mut lines: Vec<String> = lines.collect();
    lines.extend(last_state(trace).iter().map(|line| visible(line)));
    lines.join("\n") + "\n"
}

/// Several lines under one title.
fn titled(
    title: &'static str,
    lines: impl IntoIterator<Item = String>,
) -> impl Iterator<Item = (&'static str, String)> {
    let titles = std::iter::once(title).chain(std::iter::repeat(""));
    titles.zip(lines)
}

fn stopped(trace: &Trace) -> String {
    let time = trace.stop.time;
    let microstep = if time.n() == 0 {
        String::new()
    } else {
        format!(", microstep {}", time.n())
    };
    format!("at t = {} s{microstep}: {}", precise(time.t()), trace.stop.reason)
}

/// A time to nine decimals: events are told apart by them.
fn precise(t: f64) -> String {
    if t != 0.0 && t.abs() < 1e-6 {
        return shown_number(t);
    }
    let text = format!("{t:.9}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// All transitions, kept or not.
fn tally(trace: &Trace) -> Tally {
    let mut tally = trace.dropped.clone();
    trace.transitions.iter().for_each(|t| tally.add(t));
    tally
}

fn transitions(trace: &Trace, tally: &Tally) -> String {
    let kinds = tally.kinds.iter();
    let counts: Vec<String> = kinds
        .map(|(kind, count)| format!("{count} {}", kind.word()))
        .collect();
    match (tally.total(), trace.transitions.last()) {
        (total, Some(last)) => {
            format!(
                "{total} ({}), the last at t = {} s",
                counts.join(", "),
                precise(last.time.t())
            )
        }
        (_, None) => "none".to_owned(),
    }
}

/// How often each change of mode was made, in the order in which they were first made: `machine: falling → sitting 1`.
fn modes(trace: &Trace, tally: &Tally) -> Vec<String> {
    let line =
        |(from, to, count): &(String, String, usize)| match (from.rsplit_once('.'), to.rsplit_once('.')) {
            (Some((modal, from)), Some((same, to))) if modal == same && modal == trace.system => {
                format!("{from} → {to} {count}")
            }
            (Some((modal, from)), Some((same, to))) if modal == same => {
                format!("{modal}: {from} → {to} {count}")
            }
            _ => format!("{from} → {to} {count}"),
        };
    first_of(tally.moves.iter().map(line).collect())
}

fn energy(balance: &Balance) -> [String; 3] {
    let signed = |x: f64| {
        if x > 0.0 {
            format!("+{}", short(x))
        } else {
            short(x)
        }
    };
    [
        format!(
            "{} J kinetic at the start, {} J at the end",
            short(balance.kinetic_at_start),
            short(balance.kinetic_at_end)
        ),
        format!(
            "loads {}, friction {}, impacts {}, projection {} J",
            signed(balance.work_of_loads),
            signed(balance.work_of_friction),
            signed(balance.work_of_impacts),
            signed(balance.work_of_projection)
        ),
        format!("{} J not accounted for", short(balance.error())),
    ]
}

/// A span in which contacts were followed by steps: one sentence without an end.
fn stepping_text(phase: &SteppingPhase) -> String {
    let of = match phase.entities.len() {
        1 => phase.entities[0].clone(),
        more => format!("{more} entities"),
    };
    let lengths = if phase.shortest < phase.longest {
        format!("{} to {} s", short(phase.shortest), short(phase.longest))
    } else {
        format!("{} s", short(phase.longest))
    };
    format!(
        "{of} by steps from t = {} to {} s: {} of {lengths}, each off by {} m at the most, {} m deep at the most ({})",
        precise(phase.from),
        precise(phase.to),
        phase.steps,
        short(phase.error),
        short(phase.penetration),
        phase.reason
    )
}

/// What the impact law did to the energy at the impacts of a pair: one sentence without an end.
#[must_use]
pub fn impact_gain_text(gain: &ImpactGain) -> String {
    let [first, second] = &gain.pair;
    let impacts = if gain.impacts == 1 { "impact" } else { "impacts" };
    let (added, when) = (short(gain.added), precise(gain.first.t()));
    let where_ = format!(
        "{} {impacts} of {first} and {second} (t = {when} s)",
        gain.impacts
    );
    if gain.is_capped() {
        let share = short(gain.least_share);
        format!("would have added {added} J at {where_}: capped, {share} of restitution left")
    } else {
        format!("added {added} J at {where_}")
    }
}

/// Up to [`MOST_ROWS`] items, and how many more there are.
fn first_of(mut items: Vec<String>) -> Vec<String> {
    let more = items.len().saturating_sub(MOST_ROWS);
    items.truncate(MOST_ROWS);
    if more > 0 {
        items.push(format!("… and {more} more"));
    }
    items
}

/// The last state: a table of entities, then whatever else there is. What is no run of bodies has signals only.
fn last_state(trace: &Trace) -> Vec<String> {
    let Some(sample) = trace.samples.last() else {
        return Vec::new();
    };
    if !mechanics::is_of_bodies(trace) {
        return last_values(trace, &sample.values);
    }
    let mut entities: Vec<(&str, [Option<f64>; SHOWN.len()])> = Vec::new();
    let mut others = Vec::new();
    for (signal, value) in trace.signals.iter().zip(&sample.values) {
        let parts = signal.name.rsplit_once('.');
        let place = parts.and_then(|(_, component)| SHOWN.iter().position(|c| *c == component));
        match (parts, place) {
            (Some((entity, _)), Some(place)) => {
                if entities.last().is_none_or(|(name, _)| *name != entity) {
                    entities.push((entity, [None; SHOWN.len()]));
                }
                if let Some(cell) = entities.last_mut().and_then(|(_, cells)| cells.get_mut(place)) {
                    *cell = Some(*value);
                }
            }
            (Some((_, component)), None) if ORIENTATION.contains(&component) => {}
            _ => others.push(
                format!("{} = {} {}", signal.name, short_or_absent(*value), signal.unit)
                    .trim_end()
                    .to_owned(),
            ),
        }
    }
    let mut lines = table(&entities);
    lines.extend(first_of(others).into_iter().map(|line| format!("  {line}")));
    lines
}

/// The last value of every signal, a line each.
fn last_values(trace: &Trace, values: &[f64]) -> Vec<String> {
    let signals = trace.signals.iter().zip(values);
    let row = |(signal, value): (&Signal, &f64)| {
        let value = format!("{} {}", short_or_absent(*value), signal.unit);
        vec![format!("  {}", signal.name), value.trim_end().to_owned()]
    };
    let more = trace.signals.len().saturating_sub(MOST_ROWS);
    let mut rows = vec![vec!["final state".to_owned()]];
    rows.extend(signals.take(MOST_ROWS).map(row));
    let mut lines = if rows.len() > 1 {
        aligned(&rows)
    } else {
        Vec::new()
    };
    if more > 0 {
        lines.push(format!("  … and {more} more"));
    }
    lines
}

/// Entities with those components that are not 0 for all of them.
fn table(entities: &[(&str, [Option<f64>; SHOWN.len()])]) -> Vec<String> {
    if entities.is_empty() {
        return Vec::new();
    }
    let cell = |row: &[Option<f64>; SHOWN.len()], place: usize| row.get(place).copied().flatten();
    let is_moving = |place: &usize| {
        entities
            .iter()
            .any(|(_, row)| cell(row, *place).is_some_and(|v| v != 0.0))
    };
    let places: Vec<usize> = (0..SHOWN.len()).filter(is_moving).collect();
    let mut rows: Vec<Vec<String>> = vec![
        std::iter::once("final state".to_owned())
            .chain(places.iter().map(|p| SHOWN[*p].to_owned()))
            .collect(),
    ];
    for (name, row) in entities.iter().take(MOST_ROWS) {
        let values = places
            .iter()
            .map(|p| cell(row, *p).map_or_else(String::new, short));
        rows.push(std::iter::once(format!("  {name}")).chain(values).collect());
    }
    let mut lines = aligned(&rows);
    if let Some(more) = entities.len().checked_sub(MOST_ROWS).filter(|more| *more > 0) {
        lines.push(format!("  … and {more} more"));
    }
    if places.len() < SHOWN.len() {
        lines.push("  (components not shown are 0)".to_owned());
    }
    lines
}

/// Rows in columns: the first to the left, numbers to the right.
fn aligned(rows: &[Vec<String>]) -> Vec<String> {
    let length = |text: &String| text.chars().count();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |place: usize| {
        rows.iter()
            .filter_map(|row| row.get(place))
            .map(length)
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate();
        let padded = cells.map(|(place, (cell, width))| {
            if place == 0 {
                format!("{cell:<width$}", width = (*width).max(12))
            } else {
                format!("  {cell:>width$}")
            }
        });
        padded.collect::<String>().trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// A number in a few digits, or that there is none.
fn short_or_absent(value: f64) -> String {
    if is_absent(value) {
        "absent".to_owned()
    } else {
        short(value)
    }
}

/// A number in a few digits.
fn short(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 {
            "0".to_owned()
        } else {
            value.to_string()
        };
    }
    let exponent = value.abs().log10().floor() as i32;
    if !(-4..DIGITS).contains(&exponent) {
        let text = format!("{value:.3e}");
        let (mantissa, power) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{power}", mantissa.trim_end_matches('0').trim_end_matches('.'));
    }
    let decimals = usize::try_from(DIGITS - 1 - exponent).unwrap_or(0);
    let text = format!("{value:.decimals$}");
    if decimals == 0 {
        text
    } else {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::{precise, short};

    #[test]
    fn numbers_are_short_and_keep_their_size() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (-9.81, "-9.81"),
            (1.0 / 3.0, "0.333333"),
            (123_456.7, "123457"),
            (100_000.0, "100000"),
            (999_999.7, "1000000"),
            (1.0e6, "1e6"),
            (2.5e-17, "2.5e-17"),
            (-1.234_567e300, "-1.235e300"),
            (f64::NAN, "NaN"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(short(value), text);
        }
        assert_eq!(
            (precise(2.0).as_str(), precise(4.063_712_768_8).as_str()),
            ("2", "4.063712769")
        );
    }
}
