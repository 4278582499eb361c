//! A whole trace as one JSON document: docs in the header of [`write_trace_json`].

use super::mechanics;
use super::wire::{
    BalancePart, CurvePart, FORMAT, ImpactGainPart, PiecePart, SamplePart, SignalPart, StatisticsPart,
    SteppingPart, StopPart, TransitionPart, last_state, moment, numbers, parameters,
};
use crate::json::Document;
use dyverse_trace::{Piece, Trace};
use std::io::{self, BufWriter, Write};

/// Writes everything about a run as one JSON document, ending in a line break, in constant memory.
///
/// | key           | value                                                                                                |
/// |---------------|------------------------------------------------------------------------------------------------------|
/// | `format`      | `dyverse-trace-2`                                                                                    |
/// | `system`      | the model's name                                                                                     |
/// | `parameters`  | name → value                                                                                         |
/// | `seed`        | of whatever was random                                                                               |
/// | `stop`        | `reason` (a word), `text`, `time`, `microstep`, and what belongs to the reason                       |
/// | `final`       | signal → value at the stop                                                                           |
/// | `steps`       | of the solver                                                                                        |
/// | `balance`     | where the energy went, J; `error` is what is not accounted for. `null` if no bodies moved            |
/// | `impact_gains`| if any: pairs at whose impacts the law as it stands adds energy, each `pair`, `first` [t, n], `impacts`, `added` J, `least_share` of restitution, `is_capped` |
/// | `stepping`    | if any: spans in which contacts were followed by steps, each `from`, `to` s, `entities`, `steps`, `shortest`, `longest` s, `error` m, `penetration` m, `reason` |
/// | `statistics`  | what the run cost; without contacts no `sweeps`, `largest_penetration`, `largest_residual`           |
/// | `signals`     | each `name`, `unit`                                                                                  |
/// | `transitions` | each `time` [t, n], `kind`, `from`, `to`, `rule`, `contacts`, `guard`, `reset`, `forces`, `changes`  |
/// | `samples`     | each `time` [t, n], `values` in the order of the signals                                             |
/// | `pieces`      | if kept: each `from`, `to`, and for each signal the `coefficients` of shifted Legendre polynomials   |
///
/// In a model of more than 64 contacts the ends of a transition name the contacts that it is about, with how they stand, and no others, which stay as they are: `s{a-b: open}`, `I{a-b},en`; it has no
/// `guard`, which would name every contact. The `rule` of an edge inside a node is `node`.
///
/// A value of a signal is a number, `null` where the signal is absent, or one of the texts `NaN`, `inf`, `-inf`.
///
/// # Errors
/// Where `out` refuses the bytes.
pub fn write_trace_json(out: &mut dyn Write, trace: &Trace) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    let mut document = Document::new(&mut out);
    document.value("format", &FORMAT)?;
    write_head(&mut document, trace)?;
    let signals = trace.signals.iter();
    let signals = signals.map(|s| SignalPart {
        name: s.name.as_str().into(),
        unit: s.unit.as_str().into(),
    });
    document.list("signals", signals)?;
    document.list(
        "transitions",
        trace.transitions.iter().map(|t| TransitionPart::new(trace, t)),
    )?;
    let samples = trace.samples.iter();
    document.list(
        "samples",
        samples.map(|s| SamplePart {
            time: moment(s.time),
            values: numbers(&s.values),
        }),
    )?;
    if !trace.pieces.is_empty() {
        document.list("pieces", trace.pieces.iter().map(|p| piece(trace, p)))?;
    }
    document.end()?;
    out.flush()
}

/// What every report on a run begins with.
pub(super) fn write_head(document: &mut Document<'_>, trace: &Trace) -> io::Result<()> {
    document.value("system", &trace.system)?;
    document.value("parameters", &parameters(trace))?;
    document.value("seed", &trace.seed)?;
    document.value("stop", &StopPart::new(&trace.stop))?;
    document.value("final", &last_state(trace))?;
    document.value("steps", &trace.statistics.steps)?;
    let balance = mechanics::has_energy(trace).then(|| BalancePart::new(&trace.balance));
    document.value("balance", &balance)?;
    if !trace.impact_gains.is_empty() {
        document.list("impact_gains", trace.impact_gains.iter().map(ImpactGainPart::new))?;
    }
    if !trace.stepping.is_empty() {
        document.list("stepping", trace.stepping.iter().map(SteppingPart::new))?;
    }
    document.value("statistics", &StatisticsPart::new(trace))
}

fn piece<'a>(trace: &'a Trace, piece: &Piece) -> PiecePart<'a> {
    let curve = |(id, coefficients): &(dyverse_trace::SignalId, Vec<f64>)| {
        let name = trace.signals.get(id.0 as usize).map_or("", |s| s.name.as_str());
        CurvePart {
            signal: name.into(),
            coefficients: numbers(coefficients),
        }
    };
    PiecePart {
        from: piece.from,
        to: piece.to,
        signals: piece.signals.iter().map(curve).collect(),
    }
}
