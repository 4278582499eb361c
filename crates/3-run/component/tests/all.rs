//! The driver, on components in closed form: events are where mathematics says, also where an indicator has kinks or is no larger than its rounding.
#![allow(clippy::panic, clippy::unwrap_used, clippy::indexing_slicing)]

use dyverse_component::{Cause, Component, Driver, Fault, Happening, Note, Point, Shape, Stand};
use dyverse_trace::SuperdenseTime;

/// States with constant rates, one indicator, events at multiples of a time; what it was told.
struct Part<'a> {
    rates: Vec<f64>,
    indicator: &'a dyn Fn(Point<'_>) -> f64,
    jump: &'a dyn Fn(&mut [f64]) -> bool,
    every: f64,
    due: Option<f64>,
    /// Time and cause of each microstep, with the first input.
    told: Vec<(SuperdenseTime, Cause, f64)>,
    /// Inputs from the left at each instant.
    left: Vec<f64>,
}

fn part<'a>(rates: &[f64], indicator: &'a dyn Fn(Point<'_>) -> f64) -> Part<'a> {
    Part {
        rates: rates.to_vec(),
        indicator,
        jump: &|_| false,
        every: f64::INFINITY,
        due: None,
        told: Vec::new(),
        left: Vec::new(),
    }
}

impl Component for Part<'_> {
    fn shape(&self) -> Shape {
        Shape {
            states: self.rates.len(),
            inputs: 1,
            outputs: 0,
            indicators: 1,
        }
    }
    fn start(&mut self, t: f64, x: &mut Vec<f64>) -> Result<(), Fault> {
        *x = vec![0.0; self.rates.len()];
        self.due = Some(t + self.every).filter(|due| due.is_finite());
        Ok(())
    }
    fn rates(&mut self, _at: Point<'_>, dx: &mut [f64]) -> Result<(), Fault> {
        dx.copy_from_slice(&self.rates);
        Ok(())
    }
    fn outputs(&mut self, _at: Point<'_>, _y: &mut [f64]) {}
    fn indicators(&mut self, at: Point<'_>, z: &mut [f64]) {
        z[0] = (self.indicator)(at);
    }
    fn next_time(&self) -> Option<f64> {
        self.due
    }
    fn enter(&mut self, at: Point<'_>) -> Result<(), Fault> {
        self.left.push(at.u[0]);
        Ok(())
    }
    fn microstep(
        &mut self,
        time: SuperdenseTime,
        cause: Cause,
        x: &mut Vec<f64>,
        u: &[f64],
    ) -> Result<Happening, Fault> {
        self.told.push((time, cause, u[0]));
        self.due = self
            .due
            .map(|due| if due <= time.t() { due + self.every } else { due });
        let is_more = (self.jump)(x);
        Ok(Happening::new(None, is_more))
    }
}

/// Begins a component, and lets it run to `until`.
fn run(part: &mut Part<'_>, until: f64) -> Result<Stand, Fault> {
    let note: &mut Note<'_> = &mut |_: &Stand, _: Happening| {};
    let mut stand = Stand::start(part, 0.0)?;
    stand.enter(part, &[0.0])?;
    stand.finish(part, Cause::Start, &[0.0], note)?;
    Driver::default().run(part, &mut stand, (until, &[0.0]), note)?;
    Ok(stand)
}

/// Times of the events of the indicator.
fn crossings(part: &Part<'_>) -> Vec<f64> {
    let own = part
        .told
        .iter()
        .filter(|(_, cause, _)| *cause == Cause::Indicator(0));
    own.map(|(time, ..)| time.t()).collect()
}

/// Even in [0, 1), the same for the same seed.
struct Random(u64);

impl Random {
    fn even(&mut self) -> f64 {
        (dyverse_num::split_mix(&mut self.0) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// The least of several lines is crossed where the first of them is, however close their kinks are.
#[test]
fn indicators_with_kinks() {
    let mut random = Random(1);
    for case in 0..200 {
        let narrow = 10_f64.powf(-12.0 * random.even());
        let first = 0.2 + random.even();
        let lines: Vec<(f64, f64)> = (0..4)
            .map(|k| {
                let root = first + if k == 0 { 0.0 } else { narrow * random.even() };
                (0.1 + 5.0 * random.even(), root)
            })
            .collect();
        let least = |at: Point<'_>| {
            let values = lines.iter().map(|(slope, root)| slope * (root - at.x[0]));
            values.fold(f64::INFINITY, f64::min)
        };
        let mut part = part(&[1.0], &least);
        run(&mut part, 2.0).unwrap();
        let found = crossings(&part);
        assert_eq!(found.len(), 1, "{case}: {found:?}");
        assert!(
            (found[0] - first).abs() < 1e-11,
            "{case}: {} is not {first}",
            found[0]
        );
    }
}

/// A difference of numbers that change fast, which changes slowly, crosses zero many times, by rounding: one of them is found, as far from the true one as rounding lasts.
#[test]
fn indicators_below_their_rounding() {
    let mut random = Random(2);
    for case in 0..4 {
        let (large, fast) = (1.0 + 9.0 * random.even(), 1.0 + random.even());
        let slope = 10_f64.powf(-11.0 + 3.0 * random.even());
        let at = 0.2 + 1.6 * random.even();
        let difference = |p: Point<'_>| ((large + p.x[0]) - p.x[1]) - large + slope * at;
        let mut part = part(&[fast, fast + slope], &difference);
        let mut stand = Stand::start(&mut part, 0.0).unwrap();
        let note: &mut Note<'_> = &mut |_: &Stand, _: Happening| {};
        stand.finish(&mut part, Cause::Start, &[0.0], note).unwrap();
        let passed = Driver::default().pass(&mut part, &mut stand, (2.0, &[0.0]), note);
        let passed = passed.unwrap_or_else(|fault| panic!("{case}: {fault}"));
        let lasts = 4.0 * f64::EPSILON * (large + 2.0 * fast) / slope;
        let is_found = passed.event == Some(Cause::Indicator(0));
        let is_near = (passed.t - at).abs() <= lasts + 1e-11;
        assert!(is_found && is_near, "{case}: {passed:?} is not {at} by {lasts}");
    }
}

/// Times and inputs make instants: nothing is left out, nothing comes twice, and inputs from the left are told first.
#[test]
fn times_and_inputs() {
    let never = |_: Point<'_>| 1.0;
    let mut part = part(&[1.0], &never);
    part.every = 0.25;
    let note: &mut Note<'_> = &mut |_: &Stand, _: Happening| {};
    let mut stand = run(&mut part, 1.0).unwrap();
    Driver::default()
        .run(&mut part, &mut stand, (1.1, &[3.0]), note)
        .unwrap();
    let told: Vec<(f64, u32, Cause, f64)> = part
        .told
        .iter()
        .map(|(time, cause, u)| (time.t(), time.n(), *cause, *u))
        .collect();
    let expected = [
        (0.0, 0, Cause::Start, 0.0),
        (0.25, 0, Cause::Time, 0.0),
        (0.5, 0, Cause::Time, 0.0),
        (0.75, 0, Cause::Time, 0.0),
        (1.0, 0, Cause::Time, 0.0),
        (1.0, 0, Cause::Input, 3.0),
    ];
    assert_eq!(told, expected);
    assert_eq!(part.left, [0.0; 6]);
    assert!((stand.t - 1.1).abs() < 1e-15 && (stand.x[0] - 1.1).abs() < 1e-13);
}

/// What has no end is refused, with the time.
#[test]
fn endless_instants_are_refused() {
    let never = |_: Point<'_>| 1.0;
    let mut restless = part(&[1.0], &never);
    restless.jump = &|_| true;
    let fault = run(&mut restless, 1.0).unwrap_err().to_string();
    assert!(fault.contains("no end of microsteps"), "{fault}");
    let mut stuck = part(&[1.0], &never);
    stuck.every = 0.0;
    let fault = run(&mut stuck, 1.0).unwrap_err().to_string();
    assert!(fault.contains("no end of events"), "{fault}");
    let mut broken = part(&[1.0], &|at: Point<'_>| {
        if at.t > 0.5 { f64::NAN } else { 1.0 }
    });
    let fault = run(&mut broken, 1.0).unwrap_err().to_string();
    assert!(fault.contains("no finite number"), "{fault}");
}
