//! The parts of a trace as JSON has them. Each is written from borrowed text and read into owned text.

use super::json_read::unknown;
use super::{TraceFormatError, mechanics};
use dyverse_trace::{
    ABSENT, Balance, ChangingSignal, ImpactGain, SteppingPhase, Stop, StopReason, SuperdenseTime, Trace,
    Transition, is_absent,
};
use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The name of the format, which changes with every change that a reader could notice.
pub(super) const FORMAT: &str = "dyverse-trace-2";
/// What is read too: there, what is no finite number is `null`, as what is absent.
pub(super) const OLD_FORMAT: &str = "dyverse-trace-1";

/// A number; `null` for a signal that is absent, and `"NaN"`, `"inf"`, `"-inf"` for what JSON has no numbers for.
#[derive(Clone, Copy)]
pub(super) struct Number(pub(super) f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            value if is_absent(value) => serializer.serialize_none(),
            value if value.is_nan() => serializer.serialize_str("NaN"),
            value if value.is_infinite() => serializer.collect_str(&value),
            value => serializer.serialize_f64(value),
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberReader).map(Number)
    }
}

struct NumberReader;

impl Visitor<'_> for NumberReader {
    type Value = f64;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a number, null, or one of the texts NaN, inf, -inf")
    }
    fn visit_f64<E: Error>(self, value: f64) -> Result<f64, E> {
        Ok(value)
    }
    fn visit_u64<E: Error>(self, value: u64) -> Result<f64, E> {
        Ok(value as f64)
    }
    fn visit_i64<E: Error>(self, value: i64) -> Result<f64, E> {
        Ok(value as f64)
    }
    fn visit_unit<E: Error>(self) -> Result<f64, E> {
        Ok(ABSENT)
    }
    fn visit_none<E: Error>(self) -> Result<f64, E> {
        Ok(ABSENT)
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<f64, E> {
        word(text).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}

/// What is written as a text.
pub(super) fn word(text: &str) -> Option<f64> {
    match text {
        "NaN" => Some(f64::NAN),
        "inf" => Some(f64::INFINITY),
        "-inf" => Some(f64::NEG_INFINITY),
        _ => None,
    }
}

pub(super) fn numbers(values: &[f64]) -> Vec<Number> {
    values.iter().copied().map(Number).collect()
}

/// (t, n) as `[t, n]`.
pub(super) type Moment = (f64, u32);

pub(super) fn moment(time: SuperdenseTime) -> Moment {
    (time.t(), time.n())
}

type Text<'a> = Cow<'a, str>;

#[derive(Serialize, Deserialize)]
pub(super) struct SignalPart<'a> {
    pub(super) name: Text<'a>,
    pub(super) unit: Text<'a>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct SamplePart {
    pub(super) time: Moment,
    pub(super) values: Vec<Number>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct TransitionPart<'a> {
    pub(super) time: Moment,
    pub(super) kind: Text<'a>,
    pub(super) from: Text<'a>,
    pub(super) to: Text<'a>,
    pub(super) rule: Text<'a>,
    pub(super) contacts: Cow<'a, [String]>,
    pub(super) guard: Text<'a>,
    pub(super) reset: Text<'a>,
    pub(super) forces: Vec<ForcePart<'a>>,
    pub(super) changes: Vec<ChangePart<'a>>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct ForcePart<'a> {
    pub(super) contact: Text<'a>,
    pub(super) normal: Number,
    pub(super) tangential: [Number; 2],
}

#[derive(Serialize, Deserialize)]
pub(super) struct ChangePart<'a> {
    pub(super) signal: Text<'a>,
    pub(super) before: Number,
    pub(super) after: Number,
}

impl<'a> TransitionPart<'a> {
    pub(super) fn new(trace: &'a Trace, transition: &'a Transition) -> Self {
        let name =
            |id: dyverse_trace::SignalId| trace.signals.get(id.0 as usize).map_or("", |s| s.name.as_str());
        let forces = transition.forces.iter().map(|force| ForcePart {
            contact: force.contact.as_str().into(),
            normal: Number(force.normal),
            tangential: force.tangential.map(Number),
        });
        let changes = transition.changes.iter().map(|change| ChangePart {
            signal: name(change.signal).into(),
            before: Number(change.before),
            after: Number(change.after),
        });
        TransitionPart {
            time: moment(transition.time),
            kind: transition.kind.word().into(),
            from: transition.from.as_str().into(),
            to: transition.to.as_str().into(),
            rule: transition.rule.into(),
            contacts: Cow::Borrowed(&transition.contacts),
            guard: transition.guard.as_str().into(),
            reset: transition.reset.as_str().into(),
            forces: forces.collect(),
            changes: changes.collect(),
        }
    }
}

/// Some signals over a span of time; coefficients of shifted Legendre polynomials.
#[derive(Serialize, Deserialize)]
pub(super) struct PiecePart<'a> {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) signals: Vec<CurvePart<'a>>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct CurvePart<'a> {
    pub(super) signal: Text<'a>,
    pub(super) coefficients: Vec<Number>,
}

/// Why and when a run ended: its word, the sentence, the moment, and what belongs to the reason.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct StopPart<'a> {
    pub(super) reason: Text<'a>,
    pub(super) text: Text<'a>,
    pub(super) time: f64,
    pub(super) microstep: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) limit: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) changing: Option<Cow<'a, [String]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) contacts: Option<Cow<'a, [String]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) detail: Option<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) of: Option<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) what: Option<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) step: Option<Number>,
    /// Values of the changing signals, in their order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) values: Option<Vec<Vec<Number>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) period: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) limit_time: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ratio: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) within: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) seconds: Option<Number>,
}

/// What a reason to stop holds, as it is written.
trait Held<'a>: Sized {
    type Part;
    fn part(&'a self) -> Self::Part;
    fn whole(part: Self::Part) -> Self;
}

impl Held<'_> for usize {
    type Part = usize;
    fn part(&self) -> usize {
        *self
    }
    fn whole(part: usize) -> Self {
        part
    }
}

impl Held<'_> for f64 {
    type Part = Number;
    fn part(&self) -> Number {
        Number(*self)
    }
    fn whole(part: Number) -> Self {
        part.0
    }
}

impl<'a> Held<'a> for String {
    type Part = Text<'a>;
    fn part(&'a self) -> Text<'a> {
        self.as_str().into()
    }
    fn whole(part: Text<'a>) -> Self {
        part.into_owned()
    }
}

impl<'a> Held<'a> for Vec<String> {
    type Part = Cow<'a, [String]>;
    fn part(&'a self) -> Self::Part {
        Cow::Borrowed(self)
    }
    fn whole(part: Self::Part) -> Self {
        part.into_owned()
    }
}

/// Reasons to stop: their words, and under which keys stands what they hold.
macro_rules! reasons {
    ($($word:literal $reason:ident $({ $($field:ident: $key:ident),* })?;)*) => {
        impl<'a> StopPart<'a> {
            /// Writes down what the reason holds.
            fn hold(&mut self, reason: &'a StopReason) {
                match reason {
                    $(StopReason::$reason $({ $($field),* })? => { $($(self.$key = Some($field.part());)*)? })*
                    StopReason::Chattering { microsteps, period, changing } => {
                        let numbers = |c: &ChangingSignal| numbers(&c.values);
                        (self.limit, self.period) = (Some(*microsteps), *period);
                        self.changing = Some(changing.iter().map(|c| c.name.clone()).collect());
                        self.values = Some(changing.iter().map(numbers).collect());
                    }
                    StopReason::StepTooSmall { step } => self.step = Some(step.part()),
                }
            }

            /// The reason that is written down.
            pub(super) fn reason(self) -> Result<StopReason, TraceFormatError> {
                let missing = |missing: &'static str| TraceFormatError::Incomplete {
                    reason: self.reason.to_string(),
                    missing,
                };
                Ok(match self.reason.as_ref() {
                    $($word => StopReason::$reason $({
                        $($field: Held::whole(self.$key.ok_or_else(|| missing(stringify!($key)))?)),*
                    })?,)*
                    "chattering" => {
                        let names = self.changing.ok_or_else(|| missing("changing"))?.into_owned();
                        let values = self.values.ok_or_else(|| missing("values"))?;
                        let changing = names.into_iter().zip(values).map(|(name, values)| ChangingSignal {
                            name,
                            values: values.iter().map(|v| v.0).collect(),
                        });
                        StopReason::Chattering {
                            microsteps: self.limit.ok_or_else(|| missing("limit"))?,
                            period: self.period,
                            changing: changing.collect(),
                        }
                    }
                    // A step that is no number was written as null.
                    "step_too_small" => StopReason::StepTooSmall {
                        step: self.step.map_or(f64::NAN, |step| step.0),
                    },
                    other => return Err(unknown("reason to stop", other)),
                })
            }
        }
    };
}

reasons! {
    "horizon" HorizonReached;
    "event_limit" EventLimit { limit: limit };
    "microstep_limit" MicrostepLimit { limit: limit, changing: changing };
    "zeno_suspected" ZenoSuspected { limit: limit_time, ratio: ratio, events: changing };
    "no_fitting_mode" NoFittingMode { contacts: contacts, detail: detail };
    "forces_not_found" ForcesNotFound { contacts: contacts, detail: detail };
    "switching" Switching { switches: changing, detail: detail };
    "crossing_not_isolated" CrossingNotIsolated { of: of };
    "not_finite" NotFinite { what: what };
    "sliding" Sliding { switches: changing, events: limit, within: within };
    "memory_limit" MemoryLimit { bytes: limit };
    "timeout" TimeLimit { seconds: seconds };
    "cancelled" Cancelled;
    "interrupted" Interrupted;
    "ended_itself" EndedItself { component: of };
    "told" Told { text: detail };
    "model_error" ModelError { detail: detail };
}

impl<'a> StopPart<'a> {
    pub(super) fn new(stop: &'a Stop) -> Self {
        let mut part = StopPart {
            reason: stop.reason.word().into(),
            text: stop.reason.to_string().into(),
            time: stop.time.t(),
            microstep: stop.time.n(),
            ..StopPart::default()
        };
        part.hold(&stop.reason);
        part
    }
}

#[derive(Serialize, Deserialize)]
pub(super) struct BalancePart {
    pub(super) kinetic_at_start: Number,
    pub(super) kinetic_at_end: Number,
    pub(super) work_of_loads: Number,
    pub(super) work_of_friction: Number,
    pub(super) work_of_impacts: Number,
    pub(super) work_of_projection: Number,
    /// Follows from the others.
    #[serde(skip_deserializing)]
    error: Option<Number>,
}

impl BalancePart {
    pub(super) fn new(balance: &Balance) -> Self {
        BalancePart {
            kinetic_at_start: Number(balance.kinetic_at_start),
            kinetic_at_end: Number(balance.kinetic_at_end),
            work_of_loads: Number(balance.work_of_loads),
            work_of_friction: Number(balance.work_of_friction),
            work_of_impacts: Number(balance.work_of_impacts),
            work_of_projection: Number(balance.work_of_projection),
            error: Some(Number(balance.error())),
        }
    }
}

#[derive(Serialize, Deserialize)]
pub(super) struct ImpactGainPart<'a> {
    pub(super) pair: [Text<'a>; 2],
    pub(super) first: Moment,
    pub(super) impacts: usize,
    pub(super) added: Number,
    pub(super) least_share: Number,
    /// Follows from the share.
    #[serde(skip_deserializing)]
    is_capped: bool,
}

impl<'a> ImpactGainPart<'a> {
    pub(super) fn new(gain: &'a ImpactGain) -> Self {
        ImpactGainPart {
            pair: gain.pair.each_ref().map(|name| name.as_str().into()),
            first: moment(gain.first),
            impacts: gain.impacts,
            added: Number(gain.added),
            least_share: Number(gain.least_share),
            is_capped: gain.is_capped(),
        }
    }
}

#[derive(Serialize, Deserialize)]
pub(super) struct SteppingPart<'a> {
    pub(super) from: Number,
    pub(super) to: Number,
    pub(super) entities: Vec<Text<'a>>,
    pub(super) steps: usize,
    pub(super) shortest: Number,
    pub(super) longest: Number,
    pub(super) error: Number,
    pub(super) penetration: Number,
    pub(super) reason: Text<'a>,
}

impl<'a> SteppingPart<'a> {
    pub(super) fn new(phase: &'a SteppingPhase) -> Self {
        SteppingPart {
            from: Number(phase.from),
            to: Number(phase.to),
            entities: phase.entities.iter().map(|name| name.as_str().into()).collect(),
            steps: phase.steps,
            shortest: Number(phase.shortest),
            longest: Number(phase.longest),
            error: Number(phase.error),
            penetration: Number(phase.penetration),
            reason: phase.reason.as_str().into(),
        }
    }

    pub(super) fn phase(self) -> SteppingPhase {
        SteppingPhase {
            from: self.from.0,
            to: self.to.0,
            entities: self.entities.into_iter().map(Text::into_owned).collect(),
            steps: self.steps,
            shortest: self.shortest.0,
            longest: self.longest.0,
            error: self.error.0,
            penetration: self.penetration.0,
            reason: self.reason.into_owned(),
        }
    }
}

/// What belongs to contacts is left out where there are none; left out is 0.
#[derive(Serialize, Deserialize)]
pub(super) struct StatisticsPart {
    pub(super) steps: usize,
    pub(super) rejected_steps: usize,
    pub(super) evaluations: usize,
    pub(super) impacts: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) switches: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) sweeps: Option<usize>,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub(super) largest_penetration: Option<Number>,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub(super) largest_residual: Option<Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) rough_forces: Option<usize>,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub(super) stepped: Option<Number>,
}

/// A number that stands there: `null` is one that is not finite, not one that is left out.
fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Number>, D::Error> {
    Number::deserialize(deserializer).map(Some)
}

impl StatisticsPart {
    pub(super) fn new(trace: &Trace) -> Self {
        let statistics = &trace.statistics;
        let has_contacts = mechanics::has_contacts(trace);
        StatisticsPart {
            steps: statistics.steps,
            rejected_steps: statistics.rejected_steps,
            evaluations: statistics.evaluations,
            impacts: statistics.impacts,
            switches: Some(statistics.switches).filter(|count| *count > 0),
            sweeps: has_contacts.then_some(statistics.sweeps),
            largest_penetration: has_contacts.then_some(Number(statistics.largest_penetration)),
            largest_residual: has_contacts.then_some(Number(statistics.largest_residual)),
            rough_forces: Some(statistics.rough_forces).filter(|count| *count > 0),
            stepped: Some(Number(statistics.stepped)).filter(|part| part.0 > 0.0),
        }
    }
}

/// Names with numbers, in their order.
pub(super) fn named<'a>(pairs: impl Iterator<Item = (&'a str, f64)>) -> Map<String, Value> {
    // A number is always a value.
    let value = |value: f64| serde_json::to_value(Number(value)).unwrap_or_default();
    pairs
        .map(|(name, number)| (name.to_owned(), value(number)))
        .collect()
}

/// The parameters of a run by name.
pub(super) fn parameters(trace: &Trace) -> Map<String, Value> {
    named(
        trace
            .parameters
            .iter()
            .map(|(name, value)| (name.as_str(), *value)),
    )
}

/// The last value of every signal by name.
pub(super) fn last_state(trace: &Trace) -> Map<String, Value> {
    let values = trace.samples.last().map_or(&[][..], |sample| &sample.values);
    named(
        trace
            .signals
            .iter()
            .map(|s| s.name.as_str())
            .zip(values.iter().copied()),
    )
}
