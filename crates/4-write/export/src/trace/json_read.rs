//! A trace from its JSON document.

use super::TraceFormatError;
use super::wire::{
    BalancePart, FORMAT, ImpactGainPart, Moment, Number, OLD_FORMAT, PiecePart, SamplePart, SignalPart,
    StatisticsPart, SteppingPart, StopPart, TransitionPart, word,
};
use dyverse_machine::{InnerEdge, Rule};
use dyverse_trace::{
    Balance, Change, ContactForce, ImpactGain, Piece, Sample, Signal, SignalId, Statistics, Stop,
    SuperdenseTime, Tally, Trace, Transition, TransitionKind,
};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// What tells whether the rest is worth reading.
#[derive(Deserialize)]
struct Head {
    format: Option<String>,
}

#[derive(Deserialize)]
struct TraceParts {
    system: String,
    parameters: Map<String, Value>,
    seed: u64,
    signals: Vec<SignalPart<'static>>,
    samples: Vec<SamplePart>,
    #[serde(default)]
    pieces: Vec<PiecePart<'static>>,
    transitions: Vec<TransitionPart<'static>>,
    stop: StopPart<'static>,
    /// `null` where no bodies moved; as a key it is always there.
    #[serde(deserialize_with = "Option::deserialize")]
    balance: Option<BalancePart>,
    #[serde(default)]
    impact_gains: Vec<ImpactGainPart<'static>>,
    #[serde(default)]
    stepping: Vec<SteppingPart<'static>>,
    statistics: StatisticsPart,
}

/// Reads what [`write_trace_json`](super::write_trace_json) wrote: every finite number to the same bits.
///
/// # Errors
/// [`TraceFormatError`] says what is wrong, with line and column where it is the JSON.
pub fn read_trace_json(bytes: &[u8]) -> Result<Trace, TraceFormatError> {
    let head: Head = serde_json::from_slice(bytes)?;
    if !head
        .format
        .as_deref()
        .is_some_and(|format| [FORMAT, OLD_FORMAT].contains(&format))
    {
        return Err(TraceFormatError::OtherFormat { found: head.format });
    }
    let parts: TraceParts = serde_json::from_slice(bytes)?;
    let names = Names::new(&parts.signals)?;
    let signals = parts.signals.into_iter();
    let samples = parts.samples.into_iter().enumerate();
    Ok(Trace {
        system: parts.system,
        parameters: parts
            .parameters
            .into_iter()
            .map(parameter)
            .collect::<Result<_, _>>()?,
        seed: parts.seed,
        signals: signals
            .map(|s| Signal {
                name: s.name.into_owned(),
                unit: s.unit.into_owned(),
            })
            .collect(),
        samples: samples
            .map(|(place, s)| sample(&names, place, s))
            .collect::<Result<_, _>>()?,
        pieces: parts
            .pieces
            .into_iter()
            .map(|p| piece(&names, p))
            .collect::<Result<_, _>>()?,
        transitions: parts
            .transitions
            .into_iter()
            .map(|t| transition(&names, t))
            .collect::<Result<_, _>>()?,
        dropped: Tally::default(),
        stop: Stop {
            time: time((parts.stop.time, parts.stop.microstep))?,
            reason: parts.stop.reason()?,
        },
        balance: parts.balance.as_ref().map(balance).unwrap_or_default(),
        impact_gains: parts
            .impact_gains
            .into_iter()
            .map(impact_gain)
            .collect::<Result<_, _>>()?,
        stepping: parts.stepping.into_iter().map(SteppingPart::phase).collect(),
        statistics: statistics(&parts.statistics),
    })
}

/// Signals by name.
struct Names(BTreeMap<String, SignalId>);

impl Names {
    fn new(signals: &[SignalPart<'_>]) -> Result<Self, TraceFormatError> {
        let mut names = BTreeMap::new();
        for (place, signal) in signals.iter().enumerate() {
            if names
                .insert(signal.name.to_string(), SignalId(place as u32))
                .is_some()
            {
                return Err(TraceFormatError::SameName {
                    name: signal.name.to_string(),
                });
            }
        }
        Ok(Names(names))
    }
    fn find(&self, name: &str) -> Result<SignalId, TraceFormatError> {
        self.0.get(name).copied().ok_or_else(|| unknown("signal", name))
    }
}

pub(super) fn unknown(what: &'static str, word: &str) -> TraceFormatError {
    TraceFormatError::Unknown {
        what,
        word: word.to_owned(),
    }
}

fn parameter((name, value): (String, Value)) -> Result<(String, f64), TraceFormatError> {
    match value {
        Value::Null => Ok((name, f64::NAN)),
        value => value
            .as_f64()
            .or_else(|| word(value.as_str()?))
            .map(|v| (name, v))
            .ok_or_else(|| unknown("number", &value.to_string())),
    }
}

fn time((t, n): Moment) -> Result<SuperdenseTime, TraceFormatError> {
    SuperdenseTime::new(t, n).ok_or_else(|| unknown("time", &t.to_string()))
}

fn values(numbers: Vec<Number>) -> Vec<f64> {
    numbers.into_iter().map(|number| number.0).collect()
}

fn sample(names: &Names, place: usize, part: SamplePart) -> Result<Sample, TraceFormatError> {
    let (found, expected) = (part.values.len(), names.0.len());
    if found != expected {
        return Err(TraceFormatError::WrongLength {
            sample: place,
            found,
            expected,
        });
    }
    Ok(Sample {
        time: time(part.time)?,
        values: values(part.values),
    })
}

fn piece(names: &Names, part: PiecePart<'_>) -> Result<Piece, TraceFormatError> {
    let curves = part.signals.into_iter();
    let signals = curves.map(|curve| Ok((names.find(&curve.signal)?, values(curve.coefficients))));
    Ok(Piece {
        from: part.from,
        to: part.to,
        signals: signals.collect::<Result<_, TraceFormatError>>()?,
    })
}

fn transition(names: &Names, part: TransitionPart<'_>) -> Result<Transition, TraceFormatError> {
    let forces = part.forces.into_iter().map(|force| ContactForce {
        contact: force.contact.into_owned(),
        normal: force.normal.0,
        tangential: force.tangential.map(|n| n.0),
    });
    let changes = part.changes.into_iter().map(|change| {
        Ok(Change {
            signal: names.find(&change.signal)?,
            before: change.before.0,
            after: change.after.0,
        })
    });
    Ok(Transition {
        time: time(part.time)?,
        kind: kind(&part.kind)?,
        from: part.from.into_owned(),
        to: part.to.into_owned(),
        rule: rule(&part.rule)?,
        contacts: part.contacts.into_owned(),
        guard: part.guard.into_owned(),
        reset: part.reset.into_owned(),
        forces: forces.collect(),
        changes: changes.collect::<Result<_, TraceFormatError>>()?,
    })
}

fn kind(word: &str) -> Result<TransitionKind, TraceFormatError> {
    let found = TransitionKind::ALL.into_iter().find(|kind| kind.word() == word);
    found.ok_or_else(|| unknown("kind of transition", word))
}

fn rule(word: &str) -> Result<&'static str, TraceFormatError> {
    let known = Rule::ALL.into_iter().map(Rule::number);
    ["", InnerEdge::RULE, Transition::BY_STEPS]
        .into_iter()
        .chain(known)
        .find(|number| *number == word)
        .ok_or_else(|| unknown("rule", word))
}

fn impact_gain(part: ImpactGainPart<'_>) -> Result<ImpactGain, TraceFormatError> {
    Ok(ImpactGain {
        pair: part.pair.map(Cow::into_owned),
        first: time(part.first)?,
        impacts: part.impacts,
        added: part.added.0,
        least_share: part.least_share.0,
    })
}

fn balance(part: &BalancePart) -> Balance {
    Balance {
        kinetic_at_start: part.kinetic_at_start.0,
        kinetic_at_end: part.kinetic_at_end.0,
        work_of_loads: part.work_of_loads.0,
        work_of_friction: part.work_of_friction.0,
        work_of_impacts: part.work_of_impacts.0,
        work_of_projection: part.work_of_projection.0,
    }
}

fn statistics(part: &StatisticsPart) -> Statistics {
    Statistics {
        steps: part.steps,
        rejected_steps: part.rejected_steps,
        evaluations: part.evaluations,
        impacts: part.impacts,
        switches: part.switches.unwrap_or(0),
        sweeps: part.sweeps.unwrap_or(0),
        largest_penetration: part.largest_penetration.map_or(0.0, |n| n.0),
        largest_residual: part.largest_residual.map_or(0.0, |n| n.0),
        rough_forces: part.rough_forces.unwrap_or(0),
        stepped: part.stepped.map_or(0.0, |n| n.0),
    }
}
