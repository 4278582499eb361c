//! Time passes inside a block that brings its own solver: steps of `dyverse_flow`, cut at the first event.
//!
//! Indicators are evaluated at five points of a step; the ones that may cross are searched on its dense output, which misses no second root.
//!
//! # Guarantee
//! To tolerance: motion to that of the flow (1e-13 a step), events at the first double after the crossing.

use crate::engine::Advanced;
use dyverse_flow::{
    Beginning, CLEAR_POINTS, Crossing, CrossingOptions, CrossingSearch, DenseStep, FlowOptions, Integrator,
    is_clear, together,
};

/// No step is asked to be shorter, s, times the scale of times.
const SHORTEST: f64 = 1e-12;

/// Something with derivatives and indicators, inputs held.
pub(crate) trait Flowing {
    fn derivative(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), String>;
    fn indicator_count(&self) -> usize;
    fn indicators(&mut self, t: f64, x: &[f64], z: &mut [f64]);
    /// The longest step from here in which the derivative can be believed, s.
    fn longest_step(&mut self, t: f64, x: &[f64]) -> f64;
    /// The scales of its states, taken over and over, and of time.
    fn scales(&self) -> (Vec<f64>, f64);
}

/// The solver of a block.
pub(crate) struct Stepping {
    integrator: Integrator,
    search: CrossingSearch,
}

impl Default for Stepping {
    fn default() -> Self {
        Stepping {
            integrator: Integrator::new(FlowOptions::default()),
            search: CrossingSearch::new(CrossingOptions::default()),
        }
    }
}

impl Stepping {
    /// Lets time pass from `t` until `until` or the first event.
    pub(crate) fn advance(
        &mut self,
        flow: &mut dyn Flowing,
        (t, until): (f64, f64),
        x: &mut [f64],
    ) -> Result<Advanced, String> {
        let count = flow.indicator_count();
        let mut start = vec![0.0; count];
        flow.indicators(t, x, &mut start);
        // Begun anew each time: what comes out depends on where it begins only, not on what was asked before.
        let (scales, time_scale) = flow.scales();
        self.integrator.set_scales(&scales);
        self.integrator.start(t, x);
        let mut is_event = false;
        while self.integrator.t() < until && !is_event {
            let now = self.integrator.t();
            let longest = flow
                .longest_step(now, self.integrator.x())
                .max(SHORTEST * time_scale);
            let end = until.min(now + longest);
            let made = self
                .integrator
                .step(end, &mut |t, x, dx| flow.derivative(t, x, dx));
            made.map_err(|error| error.to_string())?;
            let step = self.integrator.last_step();
            match first_event(&mut self.search, flow, step, &mut start)? {
                Some(at) => {
                    self.integrator.truncate(at);
                    is_event = true;
                }
                None => continue,
            }
        }
        x.copy_from_slice(self.integrator.x());
        Ok(Advanced {
            t: self.integrator.t(),
            is_event,
            stop: None,
        })
    }
}

/// The first event of a step; `start` has the indicators at its beginning, and at its end if there is none.
fn first_event(
    search: &mut CrossingSearch,
    flow: &mut dyn Flowing,
    step: &DenseStep,
    start: &mut [f64],
) -> Result<Option<f64>, String> {
    let (a, b) = (step.t0(), step.t1());
    let mut x = vec![0.0; step.dimension()];
    let mut z = vec![0.0; start.len()];
    let mut table: Vec<[f64; 5]> = start.iter().map(|v| [*v; 5]).collect();
    for (place, point) in CLEAR_POINTS.iter().enumerate().skip(1) {
        let t = if place == 4 { b } else { a + point * (b - a) };
        step.evaluate(t, &mut x);
        flow.indicators(t, &x, &mut z);
        table.iter_mut().zip(&z).for_each(|(row, z)| row[place] = *z);
    }
    let mut found: Vec<f64> = Vec::new();
    for (indicator, row) in table.iter().enumerate() {
        if is_clear(*row) {
            continue;
        }
        let mut value = |t: f64| {
            step.evaluate(t, &mut x);
            flow.indicators(t, &x, &mut z);
            z[indicator]
        };
        let beginning = if row[0] > 0.0 {
            Beginning::Above
        } else {
            Beginning::Fresh
        };
        match search.first_event(&mut value, (a, b), beginning, false) {
            Crossing::None | Crossing::Grazing { .. } | Crossing::Sinks { .. } => {}
            Crossing::At { t, .. } => found.push(t),
            Crossing::NotIsolated { .. } => {
                return Err(format!(
                    "between {a} s and {b} s an event indicator is not smooth: its crossing cannot be found"
                ));
            }
            Crossing::NotFinite { t } => {
                return Err(format!("at {t} s an event indicator is no finite number"));
            }
        }
    }
    let cut = together(found.into_iter());
    if cut.is_none() {
        start.iter_mut().zip(&table).for_each(|(v, row)| *v = row[4]);
    }
    Ok(cut)
}
