//! Continuous flow: adaptive high-order integration with dense output, and crossings with none missed.
//!
//! **In:** a right-hand side x′ = f(t, x), a state, and functions of it. **Out:** steps that know the state at
//! every moment in them, and the first crossing.
//!
//! - [`Integrator`]: Gauss–Legendre collocation, one [`DenseStep`] after another.
//! - [`CrossingSearch`]: the first moment at which a function goes from positive to zero or below.
//! - [`smallest_positive_root`]: the same for a polynomial, as for spheres in free flight.
//!
//! # Example
//! A pendulum let go at 90°, until it first hangs straight down:
//! ```
//! use dyverse_flow::{Beginning, Crossing, CrossingOptions, CrossingSearch, FlowOptions, Integrator};
//! use std::convert::Infallible;
//!
//! let mut rhs = |_t: f64, x: &[f64], dx: &mut [f64]| -> Result<(), Infallible> {
//!     (dx[0], dx[1]) = (x[1], -x[0].sin());
//!     Ok(())
//! };
//! let mut flow = Integrator::new(FlowOptions::default());
//! let mut search = CrossingSearch::new(CrossingOptions::default());
//! flow.start(0.0, &[std::f64::consts::FRAC_PI_2, 0.0]);
//! let t = loop {
//!     let step = flow.step(10.0, &mut rhs).expect("a smooth right-hand side");
//!     let found = search.first(&mut |t| step.component(0, t), step.t0(), step.t1(), Beginning::Fresh);
//!     if let Crossing::At { t, .. } = found {
//!         break t;
//!     }
//! };
//! flow.truncate(t);
//! assert!((flow.t() - 1.854_074_677_301_372).abs() < 1e-13); // K(sin 45°)
//! assert!((flow.x()[1] + 2.0_f64.sqrt()).abs() < 1e-13);
//! ```
//!
//! # The rule of crossings
//! On [a, b] a function g is *above* where it is positive. A search begun [`Beginning::Above`] is armed at once, and one
//! begun [`Beginning::Fresh`] with g(a) > `level` too. Begun `Fresh` with |g(a)| ≤ `level`, g starts *on the level*,
//! which is no crossing: leaving it upwards (g > `level`) arms; leaving it downwards (g < −`level`) is
//! [`Crossing::Sinks`], or, if a positive value is seen on the way, an ordinary crossing. Begun `Fresh` with
//! g(a) < −`level`, rising to `level` arms. Once armed, the first t with g(t) ≤ 0 is [`Crossing::At`]; an excursion
//! into 0 < g ≤ `grazing` that returns above `grazing` is [`Crossing::Grazing`]. What comes first is reported;
//! to go on after a grazing or a sinking, search again from there. The level is never resolved below 64 ulps of
//! the values of g.
//!
//! # Guarantee
//! To tolerance, not rigorous: integration errors are estimated, and a function is known only where it was called.
//! Within that, no crossing is missed, and every limit reached is an outcome of its own. Deterministic: only
//! operations that IEEE 754 rounds correctly are used, so the same calls give the same bits on every platform. No
//! IO, clock or threads; no allocation per step or search once warmed up.
#![forbid(unsafe_code)]

mod collocation;
mod crossing;
mod dense;
mod double_double;
mod events;
mod gauss;
mod integrator;
mod looks;
mod newton;
mod options;

pub use crossing::{Beginning, Crossing, CrossingOptions, CrossingSearch, smallest_positive_root};
pub use dense::DenseStep;
pub use events::{CLEAR_POINTS, is_clear, simultaneous_until, together};
pub use gauss::{NODES, legendre};
pub use integrator::Integrator;
pub use options::{FlowCounters, FlowError, FlowOptions, RightHandSide, StepObstacle};
