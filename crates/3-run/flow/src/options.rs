//! What may be set for the integrator, and how it says why it stopped.

use std::error::Error;
use std::fmt;

/// A right-hand side: writes f(t, x) into its last argument, or fails.
pub type RightHandSide<'a, E> = dyn FnMut(f64, &[f64], &mut [f64]) -> Result<(), E> + 'a;

/// Accuracy and step limits of an [`Integrator`](crate::Integrator).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlowOptions {
    /// Part of a component's size that the dense output may be wrong by, per step.
    pub relative: f64,
    /// Added to it, in the component's unit.
    pub absolute: f64,
    /// First step to try; `None`: estimated from the right-hand side.
    pub first_step: Option<f64>,
    /// Longest step.
    pub max_step: f64,
    /// Shortest step; four ulps of the time are the limit in any case.
    pub min_step: f64,
    /// Sweeps of the iteration before the step is halved.
    pub max_sweeps: usize,
}

impl Default for FlowOptions {
    fn default() -> Self {
        Self {
            relative: 1e-13,
            absolute: 1e-14,
            first_step: None,
            max_step: f64::INFINITY,
            min_step: 0.0,
            max_sweeps: 16,
        }
    }
}

/// What the integrator did since it was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlowCounters {
    /// Accepted steps.
    pub steps: u64,
    /// Steps tried again because the error estimate was above the tolerance.
    pub rejected: u64,
    /// Steps tried again because the iteration converged slowly.
    pub slow: u64,
    /// Steps tried again because the right-hand side failed or was not finite.
    pub failed: u64,
    /// Sweeps of the iteration over all nodes.
    pub sweeps: u64,
    /// Calls of the right-hand side.
    pub evaluations: u64,
}

/// Why the shortest step was not short enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepObstacle {
    /// The error estimate stayed above the tolerance.
    Accuracy,
    /// The collocation equations were not solved.
    Convergence,
}

/// Why a step was not made; the integrator stays where it was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FlowError<E> {
    /// The right-hand side failed at `t`, in shorter and shorter steps.
    RightHandSide {
        /// Time of the last failure.
        t: f64,
        /// What it said.
        source: E,
    },
    /// The state, or the right-hand side in shorter and shorter steps, is infinite or not a number.
    NotFinite {
        /// When.
        t: f64,
        /// Which component, from 0.
        component: usize,
    },
    /// The step was made shorter and shorter and is at its limit.
    StepTooSmall {
        /// When.
        t: f64,
        /// The step that would be needed next.
        step: f64,
        /// What kept failing.
        obstacle: StepObstacle,
    },
    /// The end asked for is not after the present time, or not finite.
    NoTimeAhead {
        /// Present time.
        t: f64,
        /// End asked for.
        end: f64,
    },
}

impl<E: fmt::Display> fmt::Display for FlowError<E> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RightHandSide { t, source } => {
                write!(out, "the right-hand side failed at t = {t}: {source}")
            }
            Self::NotFinite { t, component } => {
                write!(out, "component {component} is not finite at t = {t}")
            }
            Self::StepTooSmall { t, step, obstacle } => {
                let why = match obstacle {
                    StepObstacle::Accuracy => "the error estimate stays above the tolerance",
                    StepObstacle::Convergence => "the collocation equations cannot be solved",
                };
                write!(out, "a step of {step} would be needed at t = {t}: {why}")
            }
            Self::NoTimeAhead { t, end } => write!(out, "no time lies between t = {t} and the end {end}"),
        }
    }
}

impl<E: Error + 'static> Error for FlowError<E> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::RightHandSide { source, .. } => Some(source),
            _ => None,
        }
    }
}
