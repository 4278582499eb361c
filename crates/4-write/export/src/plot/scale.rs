//! Ranges, round ticks and their labels.

use super::{PlotAxis, PlotError};
use dyverse_trace::{Sample, SuperdenseTime, Trace};

/// Beyond this, differences of values would overflow.
const LARGEST: f64 = 1e300;
/// A range that is smaller than this part of the values is rounding, not motion.
const ROUNDING: f64 = 1e-9;

/// A range of numbers with round ticks in it; `low < high`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Range {
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// Values and labels.
    pub(crate) ticks: Vec<(f64, String)>,
}

impl Range {
    /// With about `count` ticks. `low` and `high` are finite.
    pub(crate) fn new(low: f64, high: f64, count: f64) -> Self {
        let step = round_step((high - low) / count.max(1.0));
        let ticks = ticks(low, high, step);
        Self { low, high, ticks }
    }

    /// Around all values, with some room; those that are not finite do not count.
    pub(super) fn around(values: impl Iterator<Item = f64>, count: f64) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|v| v.is_finite()) {
            low = low.min(value);
            high = high.max(value);
        }
        if low > high {
            return Self::new(-1.0, 1.0, count);
        }
        let (low, high) = (low.clamp(-LARGEST, LARGEST), high.clamp(-LARGEST, LARGEST));
        let size = low.abs().max(high.abs());
        let room = if high - low <= size * ROUNDING {
            if size < f64::MIN_POSITIVE { 1.0 } else { size * 0.5 }
        } else {
            (high - low) * 0.06
        };
        Self::new(low - room, high + room, count)
    }

    /// Where a value lies in the range: 0 at its low end, 1 at its high end.
    pub(super) fn part(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }
}

/// 1, 2 or 5 times a power of ten, not below `least`.
fn round_step(least: f64) -> f64 {
    if !(least.is_finite() && least > 0.0) {
        return 1.0;
    }
    let power = power_of_ten(least);
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|factor| scaled(factor, power))
        .find(|step| *step >= least * (1.0 - 1e-9))
        .unwrap_or(least)
}

/// `factor · 10^power`, as the nearest double: `5 · 10^-1` is the double that is written 0.5.
fn scaled(factor: f64, power: i32) -> f64 {
    format!("{factor}e{power}").parse().unwrap_or(factor)
}

/// The exponent of a number in scientific notation.
fn power_of_ten(value: f64) -> i32 {
    let text = format!("{value:e}");
    text.split_once('e')
        .and_then(|(_, power)| power.parse().ok())
        .unwrap_or(0)
}

fn ticks(low: f64, high: f64, step: f64) -> Vec<(f64, String)> {
    let size = low.abs().max(high.abs());
    let first = (low / step - 1e-9).ceil();
    let mut found = Vec::new();
    // Ticks are counted, so that steps too small to be added do not loop for ever.
    for k in 0..100 {
        let value = (first + f64::from(k)) * step;
        if value.is_nan() || value > high + step * 1e-9 {
            break;
        }
        let value = if value.abs() < step * 0.5 { 0.0 } else { value };
        found.push((value, label(value, step, size)));
    }
    found
}

/// A number with the digits that tell it from its neighbours `step` away.
fn label(value: f64, step: f64, size: f64) -> String {
    let digits = |of: f64, to: f64| usize::try_from(power_of_ten(of) - power_of_ten(to)).unwrap_or(0);
    if value == 0.0 {
        return "0".to_owned();
    }
    let text = if (1e-3..1e6).contains(&size) {
        let decimals = digits(1.0, step).min(12);
        format!("{value:.decimals$}")
    } else {
        let decimals = digits(value.abs(), step).min(12);
        format!("{value:.decimals$e}")
    };
    text.replace('-', "−")
}

/// What is shown of a trace, and the horizontal axis.
#[derive(Clone, Debug)]
pub(super) struct Window {
    pub(super) range: Range,
    /// Words below the axis.
    pub(super) label: String,
    /// The first sample shown, and the one after the last.
    pub(super) samples: std::ops::Range<usize>,
    /// Whether the axis counts microsteps.
    pub(super) is_instant: bool,
}

impl Window {
    pub(super) fn new(trace: &Trace, axis: PlotAxis) -> Result<Self, PlotError> {
        let samples = &trace.samples;
        match axis {
            PlotAxis::Whole => {
                let ends = samples.first().zip(samples.last());
                let (from, to) = ends.map_or((0.0, 1.0), |(a, b)| (a.time.t(), b.time.t()));
                // A run that stops where it begins still needs an axis.
                let to = if to > from { to } else { from + 1.0 };
                Ok(Self::span(from, to, 0..samples.len()))
            }
            PlotAxis::Span { from, to } => {
                if !(from.is_finite() && to.is_finite() && from < to) {
                    return Err(PlotError::BadSpan { from, to });
                }
                // One sample more at each side: lines go on to the edges.
                let begin = samples.partition_point(|s| s.time.t() < from).saturating_sub(1);
                let end = samples.partition_point(|s| s.time.t() <= to).saturating_add(1);
                Ok(Self::span(from, to, begin..end.min(samples.len())))
            }
            PlotAxis::Microsteps { t, most } => Self::instant(samples, t, most),
        }
    }

    fn span(from: f64, to: f64, samples: std::ops::Range<usize>) -> Self {
        Self {
            range: Range::new(from, to, 8.0),
            label: "time, s".to_owned(),
            samples,
            is_instant: false,
        }
    }

    fn instant(samples: &[Sample], t: f64, most: usize) -> Result<Self, PlotError> {
        let distance = |sample: &Sample| (sample.time.t() - t).abs();
        let nearest = samples
            .iter()
            .filter(|s| s.time.n() > 0)
            .min_by(|a, b| distance(a).total_cmp(&distance(b)));
        let t = nearest.ok_or(PlotError::NoMicrosteps)?.time.t();
        let begin = samples.partition_point(|s| s.time.t() < t);
        let end = samples
            .partition_point(|s| s.time.t() <= t)
            .min(begin.saturating_add(most.max(2)));
        let last = samples.get(end.saturating_sub(1)).map_or(1, |s| s.time.n());
        let last = f64::from(last);
        let mut range = Range::new(-0.3, last + 0.3, (last + 0.6).min(12.0));
        range.ticks.retain(|(value, _)| value.fract() == 0.0);
        Ok(Self {
            range,
            label: format!("microstep at t = {} s", seconds(t)),
            samples: begin..end,
            is_instant: true,
        })
    }

    /// The place of a moment on the axis.
    pub(super) fn place(&self, time: SuperdenseTime) -> f64 {
        if self.is_instant {
            f64::from(time.n())
        } else {
            time.t()
        }
    }
}

/// A time with six decimals at the most.
fn seconds(t: f64) -> String {
    let text = format!("{t:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64, count: f64) -> String {
        let range = Range::new(low, high, count);
        let labels: Vec<String> = range.ticks.into_iter().map(|(_, label)| label).collect();
        labels.join(" ")
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(labels(0.0, 10.0, 8.0), "0 2 4 6 8 10");
        assert_eq!(labels(-0.13, 1.06, 5.0), "0 0.5 1.0");
        assert_eq!(
            labels(12.8, 12.86, 6.0),
            "12.80 12.81 12.82 12.83 12.84 12.85 12.86"
        );
        assert_eq!(labels(0.0, 7200.0, 8.0), "0 1000 2000 3000 4000 5000 6000 7000");
        assert_eq!(
            labels(-3e-151, 1e-151, 4.0),
            "−3e-151 −2e-151 −1e-151 0 1e-151".replace('-', "−")
        );
        assert_eq!(labels(0.0, 3e7, 3.0), "0 1e7 2e7 3e7");
    }

    #[test]
    fn what_is_constant_or_no_number_has_a_range_too() {
        let around = |values: &[f64]| {
            let range = Range::around(values.iter().copied(), 4.0);
            assert!(
                range.low < range.high && !range.ticks.is_empty() && range.ticks.len() < 20,
                "{range:?}"
            );
            (range.low, range.high)
        };
        assert_eq!(around(&[]), (-1.0, 1.0));
        assert_eq!(around(&[0.0]), (-1.0, 1.0));
        assert_eq!(around(&[2.0, 2.0 + 1e-13, f64::NAN]).0, 1.0 - 5e-14);
        around(&[f64::INFINITY, f64::NEG_INFINITY]);
        around(&[f64::MAX, f64::MIN]);
        around(&[5e-324, -5e-324]);
        around(&[1e-310]);
    }
}
