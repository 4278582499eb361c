//! Black boxes with continuous state, in the spirit of FMI's model exchange: the engine integrates their states together with the integrators of the graph, and locates
//! their events like crossings.
//!
//! # Contract
//! - Outputs are functions of the component's own state and time: no output depends on an input at the same tick.
//! - `derivative`, `outputs` and `indicators` do not change what a later call returns: a step may be tried, rejected and tried again.
//! - Between events everything is smooth.

use dyverse_time::{SuperdenseTime, Transition};

/// Why a component is called at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The run begins.
    Start,
    /// This indicator went from positive to zero or below; the first of several.
    Indicator(usize),
    /// The time it asked for is there.
    Time,
    /// An input jumped.
    Input,
}

/// What happened inside a component at an instant.
#[derive(Clone, Debug, Default)]
pub struct Happening {
    /// Event outputs that are present at the next microstep: place in [`ComponentUse::events`](dyverse_actors::ComponentUse::events), value.
    pub events: Vec<(u32, f64)>,
    /// What the trace shows.
    pub transitions: Vec<Transition>,
    /// Whether it wants another call at the next microstep.
    pub is_unfinished: bool,
}

/// A black box with continuous state. `x` is its state, `u` its inputs (NaN where absent).
pub trait Component {
    /// Number of its continuous states; may change at an event only.
    fn dimension(&self) -> usize;
    /// Writes the initial state.
    ///
    /// # Errors
    /// Text for the user.
    fn start(&mut self, t: f64, x: &mut [f64]) -> Result<(), String>;
    /// Writes x′.
    ///
    /// # Errors
    /// Text for the user; the step is then tried shorter.
    fn derivative(&mut self, t: f64, x: &[f64], u: &[f64], dx: &mut [f64]) -> Result<(), String>;
    /// Writes the continuous outputs.
    fn outputs(&mut self, t: f64, x: &[f64], y: &mut [f64]);
    /// The name of a state, such as `ball.x`: for whoever looks at them from outside.
    fn state_name(&self, state: usize) -> String {
        format!("x{state}")
    }
    /// Number of event indicators; may change at an event only.
    fn indicator_count(&self) -> usize;
    /// Writes the event indicators: an event is where one goes from positive to zero or below.
    fn indicators(&mut self, t: f64, x: &[f64], u: &[f64], z: &mut [f64]);
    /// The longest step from here in which the derivative can be believed, s.
    fn longest_step(&mut self, _t: f64, _x: &[f64], _u: &[f64]) -> f64 {
        f64::INFINITY
    }
    /// The next moment at which it wants to be called, if any.
    fn next_time(&self) -> Option<f64> {
        None
    }
    /// Executes an instant: may change `x`, also its length to a new [`dimension`](Component::dimension).
    ///
    /// # Errors
    /// Text for the user.
    fn event(
        &mut self,
        time: SuperdenseTime,
        cause: Cause,
        x: &mut Vec<f64>,
        u: &[f64],
    ) -> Result<Happening, String>;
    /// Everything that decides what it does next, except `x`, as bytes of its own format.
    ///
    /// # Errors
    /// Text for the user; a component that does not say how cannot be kept.
    fn snapshot(&self) -> Result<Vec<u8>, String> {
        Err("its state cannot be kept: this kind of component has no snapshots".into())
    }
    /// Goes back to a snapshot of the same component.
    ///
    /// # Errors
    /// Text for the user, for bytes that are no snapshot of it; it is then as before the call.
    fn restore(&mut self, _snapshot: &[u8]) -> Result<(), String> {
        Err("its state cannot be set: this kind of component has no snapshots".into())
    }
}

/// What is borrowed is as good as what is owned.
impl<C: Component + ?Sized> Component for &mut C {
    fn dimension(&self) -> usize {
        (**self).dimension()
    }
    fn start(&mut self, t: f64, x: &mut [f64]) -> Result<(), String> {
        (**self).start(t, x)
    }
    fn derivative(&mut self, t: f64, x: &[f64], u: &[f64], dx: &mut [f64]) -> Result<(), String> {
        (**self).derivative(t, x, u, dx)
    }
    fn outputs(&mut self, t: f64, x: &[f64], y: &mut [f64]) {
        (**self).outputs(t, x, y);
    }
    fn state_name(&self, state: usize) -> String {
        (**self).state_name(state)
    }
    fn indicator_count(&self) -> usize {
        (**self).indicator_count()
    }
    fn indicators(&mut self, t: f64, x: &[f64], u: &[f64], z: &mut [f64]) {
        (**self).indicators(t, x, u, z);
    }
    fn longest_step(&mut self, t: f64, x: &[f64], u: &[f64]) -> f64 {
        (**self).longest_step(t, x, u)
    }
    fn next_time(&self) -> Option<f64> {
        (**self).next_time()
    }
    fn event(
        &mut self,
        time: SuperdenseTime,
        cause: Cause,
        x: &mut Vec<f64>,
        u: &[f64],
    ) -> Result<Happening, String> {
        (**self).event(time, cause, x, u)
    }
    fn snapshot(&self) -> Result<Vec<u8>, String> {
        (**self).snapshot()
    }
    fn restore(&mut self, snapshot: &[u8]) -> Result<(), String> {
        (**self).restore(snapshot)
    }
}
