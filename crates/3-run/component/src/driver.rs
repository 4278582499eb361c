//! A component from one time to another: steps of `dyverse_flow`, cut at the first event, and the instants there.
//!
//! Indicators are evaluated at five points of a step; the ones that may cross are searched on its dense output, which misses no second root. A component with a solver of its own
//! ([`Component::pass`]) is asked to use that.
//!
//! # Guarantee
//! To tolerance: motion to that of the flow (1e-13 a step), events at the first double after the crossing.

use crate::{Cause, Component, Fault, Happening, Passed, Point, has_same_bits};
use dyverse_flow::{
    Beginning, CLEAR_POINTS, Crossing, CrossingOptions, CrossingSearch, DenseStep, FlowOptions, Integrator,
    is_clear, simultaneous_until, together,
};
use dyverse_trace::{StopReason, SuperdenseTime};

/// No step is asked to be shorter, s, times the scale of times.
const SHORTEST: f64 = 1e-12;
/// Tries of a step that misses something at its beginning.
const MOST_TRIES: usize = 8;
/// Halvings of a step for an indicator with kinks at the most.
const MOST_HALVINGS: usize = 100;
/// Microsteps at one instant at the most.
const MOST_MICROSTEPS: usize = 100_000;
/// Instants in a row without progress of time at the most.
const MOST_INSTANTS: usize = 10_000;

/// Where a component is.
#[derive(Clone, Debug, Default)]
pub struct Stand {
    /// Time, s.
    pub t: f64,
    /// The states.
    pub x: Vec<f64>,
    /// The next microstep of the present instant, or the one after the last.
    pub now: Option<SuperdenseTime>,
    /// The inputs at the last microstep.
    pub told: Vec<f64>,
}

/// Told of what happens at each microstep.
pub type Note<'a> = dyn FnMut(&Stand, Happening) + 'a;

impl Stand {
    /// A component at its beginning; its first instant follows.
    ///
    /// # Errors
    /// Why it cannot begin.
    pub fn start(component: &mut (dyn Component + '_), t: f64) -> Result<Self, Fault> {
        let mut stand = Stand {
            t,
            ..Stand::default()
        };
        component.start(t, &mut stand.x)?;
        Ok(stand)
    }

    /// As a point.
    pub fn at<'a>(&'a self, u: &'a [f64]) -> Point<'a> {
        Point {
            t: self.t,
            x: &self.x,
            u,
        }
    }

    /// Begins an instant; `u` are the inputs from the left.
    ///
    /// # Errors
    /// If none can be here.
    pub fn enter(&mut self, component: &mut (dyn Component + '_), u: &[f64]) -> Result<(), Fault> {
        self.label()?;
        component.enter(self.at(u))
    }

    /// The next microstep.
    fn label(&mut self) -> Result<SuperdenseTime, Fault> {
        let here = self.now.filter(|now| now.t() == self.t);
        self.now = here.or(SuperdenseTime::at(self.t));
        self.now.ok_or_else(|| "time is no finite number".into())
    }

    /// Executes a microstep.
    ///
    /// # Errors
    /// Why it cannot go on.
    pub fn microstep(
        &mut self,
        component: &mut (dyn Component + '_),
        cause: Cause,
        u: &[f64],
    ) -> Result<Happening, Fault> {
        let time = self.label()?;
        self.told.clear();
        self.told.extend_from_slice(u);
        let happening = component.microstep(time, cause, &mut self.x, u)?;
        let last = happening.transitions.last().map(|taken| taken.time);
        let last = last.or(happening.is_unfinished.then_some(time));
        self.now = last.map_or(Some(time), |last| Some(last.next_microstep()));
        Ok(happening)
    }

    /// Executes microsteps until no more is wanted; why the run ends here, if it does.
    ///
    /// # Errors
    /// Why it cannot go on.
    pub fn finish(
        &mut self,
        component: &mut (dyn Component + '_),
        mut cause: Cause,
        u: &[f64],
        note: &mut Note<'_>,
    ) -> Result<Option<StopReason>, Fault> {
        for _ in 0..MOST_MICROSTEPS {
            let happening = self.microstep(component, cause, u)?;
            let (is_more, stop) = (happening.is_unfinished, happening.stop.clone());
            note(self, happening);
            if !is_more || stop.is_some() {
                return Ok(stop);
            }
            cause = Cause::Input;
        }
        Err(Fault::Refused(format!(
            "at {} s there is no end of microsteps: {MOST_MICROSTEPS} are done",
            self.t
        )))
    }
}

/// Lets time pass for any component.
#[derive(Debug)]
pub struct Driver {
    integrator: Integrator,
    search: CrossingSearch,
    /// Whether components with a solver of their own are not asked to use it.
    steps_itself: bool,
}

impl Default for Driver {
    fn default() -> Self {
        Driver {
            integrator: Integrator::new(FlowOptions::default()),
            search: CrossingSearch::new(CrossingOptions::default()),
            steps_itself: false,
        }
    }
}

impl Driver {
    /// One that makes all steps itself, as an importer does.
    pub fn stepping_itself() -> Self {
        Driver {
            steps_itself: true,
            ..Driver::default()
        }
    }

    /// Lets time pass until `until` and executes the events on the way.
    ///
    /// # Errors
    /// Why it cannot go on.
    pub fn run(
        &mut self,
        component: &mut (dyn Component + '_),
        stand: &mut Stand,
        (until, u): (f64, &[f64]),
        note: &mut Note<'_>,
    ) -> Result<Passed, Fault> {
        let mut idle = 0;
        while idle < MOST_INSTANTS {
            let before = stand.t;
            let passed = self.pass(component, stand, (until, u), note)?;
            let Some(cause) = passed.event.filter(|_| passed.stop.is_none()) else {
                return Ok(passed);
            };
            stand.enter(component, u)?;
            let stop = stand.finish(component, cause, u, note)?;
            let is_done = stand.t >= until && component.next_time().is_none_or(|t| t > until);
            if stop.is_some() || is_done {
                return Ok(Passed::new(stand.t, None, stop));
            }
            idle = if stand.t > before { 0 } else { idle + 1 };
        }
        Err(Fault::Refused(format!(
            "at {} s there is no end of events: {MOST_INSTANTS} are done",
            stand.t
        )))
    }

    /// Lets time pass until `until` or to the first event, none of whose microsteps is executed. An input that changed since the last microstep jumps: that instant is
    /// executed here.
    ///
    /// # Errors
    /// Why it cannot go on.
    pub fn pass(
        &mut self,
        component: &mut (dyn Component + '_),
        stand: &mut Stand,
        (until, u): (f64, &[f64]),
        note: &mut Note<'_>,
    ) -> Result<Passed, Fault> {
        if !has_same_bits(&stand.told, u) {
            let left = std::mem::take(&mut stand.told);
            stand.enter(component, &left)?;
            if let Some(stop) = stand.finish(component, Cause::Input, u, note)? {
                return Ok(Passed::new(stand.t, None, Some(stop)));
            }
        }
        let own = if self.steps_itself {
            None
        } else {
            component.pass(until, &mut stand.x, u)
        };
        let passed = own.unwrap_or_else(|| self.advance(component, stand, (until, u)))?;
        stand.t = passed.t;
        Ok(passed)
    }

    /// Steps of this driver's solver.
    fn advance(
        &mut self,
        component: &mut (dyn Component + '_),
        stand: &mut Stand,
        (until, u): (f64, &[f64]),
    ) -> Result<Passed, Fault> {
        let due = component.next_time().filter(|due| *due <= until);
        let end = due.unwrap_or(until);
        let is_due = due.map(|_| Cause::Time);
        if end <= stand.t {
            return Ok(Passed::new(stand.t, is_due, None));
        }
        let crossed = self.flow(component, stand, (end, u))?;
        stand.x.copy_from_slice(self.integrator.x());
        let event = crossed.map(Cause::Indicator).or(is_due);
        Ok(Passed::new(self.integrator.t(), event, None))
    }

    /// Steps until `end` or the first indicator that is crossed.
    fn flow(
        &mut self,
        component: &mut (dyn Component + '_),
        stand: &Stand,
        (end, u): (f64, &[f64]),
    ) -> Result<Option<usize>, Fault> {
        let mut start = vec![0.0; component.shape().indicators];
        component.indicators(stand.at(u), &mut start);
        // Begun anew each time: what comes out depends on where it begins only, not on what was asked before.
        let scales = component.scales();
        self.integrator.set_scales(&scales.states);
        self.integrator.start(stand.t, &stand.x);
        let mut tries = 0;
        while self.integrator.t() < end {
            let now = self.integrator.t();
            let x = self.integrator.x();
            let longest = component
                .longest_step(Point { t: now, x, u })
                .max(SHORTEST * scales.time);
            let mut rates = |t: f64, x: &[f64], dx: &mut [f64]| component.rates(Point { t, x, u }, dx);
            let made = self.integrator.step(end.min(now + longest), &mut rates);
            made.map_err(|error| error.to_string())?;
            if let Some((before, at)) = component.surprise(self.integrator.last_step(), u) {
                if before > now || tries < MOST_TRIES {
                    self.integrator.truncate(before);
                    self.integrator.propose_step(2.0 * (at - before));
                }
                if before <= now && tries < MOST_TRIES {
                    tries += 1;
                    continue;
                }
            }
            tries = 0;
            let step = self.integrator.last_step();
            if let Some((at, indicator)) = first_event(&mut self.search, component, (step, u), &mut start)? {
                self.integrator.truncate(at);
                return Ok(Some(indicator));
            }
        }
        Ok(None)
    }
}

/// The first crossing of an indicator. One that is the least of several has kinks, at which a crossing cannot be isolated: there the step is halved, down to pieces that are one moment.
fn first_crossing(
    search: &mut CrossingSearch,
    value: &mut dyn FnMut(f64) -> f64,
    (start, end): (f64, f64),
    beginning: Beginning,
) -> Result<Option<f64>, Fault> {
    let mut pieces = vec![(start, end, beginning)];
    let (mut halvings, mut doubt) = (0, None);
    while let Some((a, b, beginning)) = pieces.pop() {
        match search.first_event(value, (a, b), beginning, false) {
            Crossing::None | Crossing::Grazing { .. } | Crossing::Sinks { .. } => {}
            Crossing::At { t, .. } => return Ok(Some(t)),
            Crossing::NotIsolated { .. } if halvings < MOST_HALVINGS && simultaneous_until(a) < b => {
                halvings += 1;
                let middle = 0.5 * (a + b);
                let there = if value(middle) > 0.0 {
                    Beginning::Above
                } else {
                    Beginning::Fresh
                };
                pieces.extend([(middle, b, there), (a, middle, beginning)]);
            }
            Crossing::NotIsolated { .. } if value(b) <= 0.0 => {
                // Where it is no larger than its rounding it crosses many times: one of them.
                let (mut above, mut below) = (a, b);
                while simultaneous_until(above) < below {
                    let middle = 0.5 * (above + below);
                    let end = if value(middle) > 0.0 {
                        &mut above
                    } else {
                        &mut below
                    };
                    *end = middle;
                }
                return Ok(Some(below));
            }
            Crossing::NotIsolated { .. } if simultaneous_until(a) >= b => {}
            Crossing::NotIsolated { .. } => doubt = Some((a, b)),
            Crossing::NotFinite { t } => {
                return Err(Fault::Refused(format!(
                    "at {t} s an event indicator is no finite number"
                )));
            }
        }
    }
    let Some((a, b)) = doubt else { return Ok(None) };
    Err(Fault::Refused(format!(
        "between {a} s and {b} s an event indicator is not smooth: its crossing cannot be found"
    )))
}

/// The first event of a step and its indicator; `start` has the indicators at the beginning of the step, and at its end if there is none.
fn first_event(
    search: &mut CrossingSearch,
    component: &mut (dyn Component + '_),
    (step, u): (&DenseStep, &[f64]),
    start: &mut [f64],
) -> Result<Option<(f64, usize)>, Fault> {
    let (a, b) = (step.t0(), step.t1());
    let mut x = vec![0.0; step.dimension()];
    let mut z = vec![0.0; start.len()];
    let mut table: Vec<[f64; 5]> = start.iter().map(|v| [*v; 5]).collect();
    for (place, point) in CLEAR_POINTS.iter().enumerate().skip(1) {
        let t = if place == 4 { b } else { a + point * (b - a) };
        step.evaluate(t, &mut x);
        component.indicators(Point { t, x: &x, u }, &mut z);
        table.iter_mut().zip(&z).for_each(|(row, z)| row[place] = *z);
    }
    let mut found: Vec<(f64, usize)> = Vec::new();
    for (indicator, row) in table.iter().enumerate() {
        if is_clear(*row) {
            continue;
        }
        let mut value = |t: f64| {
            step.evaluate(t, &mut x);
            component.indicators(Point { t, x: &x, u }, &mut z);
            z[indicator]
        };
        let beginning = if row[0] > 0.0 {
            Beginning::Above
        } else {
            Beginning::Fresh
        };
        let at = first_crossing(search, &mut value, (a, b), beginning)?;
        found.extend(at.map(|t| (t, indicator)));
    }
    let Some(cut) = together(found.iter().map(|(t, _)| *t)) else {
        start.iter_mut().zip(&table).for_each(|(v, row)| *v = row[4]);
        return Ok(None);
    };
    let first = found.iter().find(|(t, _)| *t <= cut);
    Ok(first.map(|(_, indicator)| (cut, *indicator)))
}
