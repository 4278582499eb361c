//! External inputs of a run: one value, or a table of values at times.
//!
//! Between the points of a table the input is a straight line, outside it is constant. Two values at one time are a jump: what a step sees at its end is then the value from
//! the left, and what begins there the one from the right. So a value is asked for with the time at which the step began, its `anchor`.

/// An external input during a run.
#[derive(Clone, Debug, PartialEq)]
pub enum InputSignal {
    /// Values at times, straight lines between, constant outside. Times ascend; two values at one time are a jump.
    Table {
        /// Times, s.
        times: Vec<f64>,
        /// Values.
        values: Vec<f64>,
    },
    /// One value.
    Constant(f64),
}

impl InputSignal {
    /// Whether all numbers are finite and a table's times ascend, at most two of them equal.
    pub fn is_good(&self) -> bool {
        match self {
            InputSignal::Constant(value) => value.is_finite(),
            InputSignal::Table { times, values } => {
                !times.is_empty()
                    && times.len() == values.len()
                    && times.iter().chain(values).all(|v| v.is_finite())
                    && times.is_sorted()
                    && times.windows(3).all(|w| w[0] < w[2])
            }
        }
    }

    /// The value at `t` in a step that began at `anchor`; NaN for a table that is not good.
    pub fn value(&self, t: f64, anchor: f64) -> f64 {
        match self {
            InputSignal::Constant(value) => *value,
            InputSignal::Table { times, values } => interpolate(times, values, t, anchor),
        }
    }

    fn times(&self) -> &[f64] {
        match self {
            InputSignal::Constant(_) => &[],
            InputSignal::Table { times, .. } => times,
        }
    }
}

/// What a step sees right after the end of its piece is that piece, extended: so far, part of max(1, t). What happens together with the end may lie there.
const EXTENDED: f64 = 4e-9;

fn interpolate(times: &[f64], values: &[f64], t: f64, anchor: f64) -> f64 {
    let mut after = times.partition_point(|x| *x <= anchor);
    let is_over = |end: &f64| t > *end + EXTENDED * end.abs().max(1.0);
    if t < anchor || times.get(after).is_some_and(is_over) {
        after = times.partition_point(|x| *x <= t);
    }
    let at = |place: usize| values.get(place).copied().unwrap_or(f64::NAN);
    match (after.checked_sub(1), times.get(after)) {
        (None, _) => at(0),
        (Some(before), None) => at(before),
        (Some(before), Some(next)) => {
            let part = (t - times[before]) / (next - times[before]);
            at(before) + part * (at(after) - at(before))
        }
    }
}

/// Where some of the inputs of a run are not smooth.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InputBreaks {
    /// Ascending.
    kinks: Vec<f64>,
    /// Ascending.
    jumps: Vec<f64>,
}

impl InputBreaks {
    /// Of these inputs.
    pub fn new<'a>(signals: impl IntoIterator<Item = &'a InputSignal>) -> Self {
        let (mut kinks, mut jumps) = (Vec::new(), Vec::new());
        for signal in signals {
            kinks.extend(signal.times());
            jumps.extend(signal.times().windows(2).filter(|w| w[0] == w[1]).map(|w| w[0]));
        }
        for list in [&mut kinks, &mut jumps] {
            list.sort_by(f64::total_cmp);
            list.dedup();
        }
        InputBreaks { kinks, jumps }
    }

    /// The next time after `t` at which an input has a kink or jumps.
    pub fn next(&self, t: f64) -> Option<f64> {
        let next = self.kinks.partition_point(|b| *b <= t);
        self.kinks.get(next).copied()
    }

    /// Whether an input jumps at `t`, or after `before` and until then.
    pub fn has_jumped(&self, before: f64, t: f64) -> bool {
        let from = self.jumps.partition_point(|j| *j <= before && *j < t);
        self.jumps.get(from).is_some_and(|j| *j <= t)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(times: &[f64], values: &[f64]) -> InputSignal {
        InputSignal::Table {
            times: times.to_vec(),
            values: values.to_vec(),
        }
    }

    #[test]
    fn tables_are_straight_lines_between_their_points() {
        let table = table(&[0.0, 1.0, 3.0], &[2.0, 4.0, 0.0]);
        for (t, expected) in [
            (-1.0, 2.0),
            (0.0, 2.0),
            (0.5, 3.0),
            (1.0, 4.0),
            (2.0, 2.0),
            (3.0, 0.0),
            (9.0, 0.0),
        ] {
            for anchor in [-2.0, 0.0, t] {
                assert_eq!(table.value(t, anchor), expected, "{t}");
            }
        }
        assert_eq!(InputSignal::Constant(3.0).value(1.0, 0.0), 3.0);
    }

    #[test]
    fn a_jump_has_a_value_on_each_side() {
        let table = table(&[0.0, 1.0, 1.0, 2.0], &[0.0, 1.0, 5.0, 5.0]);
        let at = |t: f64, anchor: f64| table.value(t, anchor);
        assert_eq!((at(1.0, 0.5), at(1.0, 1.0)), (1.0, 5.0));
        assert_eq!((at(0.5, 0.0), at(1.5, 1.0), at(1.5, 0.0)), (0.5, 5.0, 5.0));
        assert_eq!(at(1.0, 1.0_f64.next_down()), 1.0);
        assert_eq!(at(1.0 + 1e-12, 0.5), 1.0 + 1e-12, "extended");
        let breaks = InputBreaks::new([&table, &InputSignal::Constant(1.0)]);
        assert_eq!(
            (breaks.next(0.0), breaks.next(1.0), breaks.next(2.0)),
            (Some(1.0), Some(2.0), None)
        );
        assert!(breaks.has_jumped(1.0, 1.0) && breaks.has_jumped(0.5, 1.0));
        assert!(breaks.has_jumped(0.5, 1.5) && !breaks.has_jumped(1.0, 2.0) && !breaks.has_jumped(0.5, 0.75));
    }

    #[test]
    fn what_is_no_table() {
        for (times, values) in [
            (vec![], vec![]),
            (vec![0.0, 1.0], vec![1.0]),
            (vec![1.0, 0.0], vec![1.0, 2.0]),
            (vec![1.0, 1.0, 1.0], vec![1.0, 2.0, 3.0]),
            (vec![f64::NAN], vec![1.0]),
            (vec![0.0], vec![f64::INFINITY]),
        ] {
            assert!(!table(&times, &values).is_good(), "{times:?} {values:?}");
        }
        assert!(table(&[0.0, 1.0, 1.0], &[1.0, 2.0, 3.0]).is_good());
        assert!(!InputSignal::Constant(f64::NAN).is_good());
        assert!(table(&[0.0], &[]).value(1.0, 0.0).is_nan());
    }
}
