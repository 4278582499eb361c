//! Signals of a run over time, as an SVG drawing.
//!
//! **In:** a [`Trace`] and [`PlotOptions`]. **Out:** the text of an SVG file.
//!
//! # What is drawn
//! Panels one below the other, with one axis of time. Solid and dashed lines are signals between events. At an instant with several
//! microsteps the values are dots, joined by a dotted line in the order of the microsteps. Where a signal is absent there is a gap,
//! and dots at its ends; a signal that is present at single instants only is drawn as stems.
//! [`PlotAxis::Microsteps`] takes one instant apart: its microsteps lie side by side.
//!
//! # Guarantee
//! The same trace gives the same bytes. The size of the text is bounded by the width of the drawing, not by the length of the trace: where
//! many samples share a pixel's column, the first, the least, the largest and the last are drawn. Texts are escaped.
//! Values that are not finite are drawn as absent.

mod choice;
mod curve;
mod draw;
pub(crate) mod scale;
mod style;
#[cfg(test)]
mod tests;

use dyverse_trace::{SignalId, Trace, told};

/// The horizontal axis of a plot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum PlotAxis {
    /// All of the run.
    #[default]
    Whole,
    /// A span of time.
    Span {
        /// From, s.
        from: f64,
        /// To, s.
        to: f64,
    },
    /// The microsteps of one instant: that with more than one microstep which is nearest to `t`.
    Microsteps {
        /// When, s.
        t: f64,
        /// How many microsteps at the most.
        most: usize,
    },
}

/// How a trace is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct PlotOptions {
    /// The names of the signals, one list for each panel. None: what changes in the run, grouped by unit, or by name where there are no units.
    pub panels: Vec<Vec<String>>,
    /// The title; else the name of the system.
    pub title: Option<String>,
    /// The width of the drawing, in pixels: from 240 to 4000.
    pub width: f64,
    /// The height of a panel, in pixels: from 60 to 2000.
    pub panel_height: f64,
    /// What is shown of the run.
    pub axis: PlotAxis,
    /// The words below the horizontal axis, of tables whose times are something else; else what it is.
    pub axis_label: Option<String>,
}

impl Default for PlotOptions {
    fn default() -> Self {
        Self {
            panels: Vec::new(),
            title: None,
            width: 760.0,
            panel_height: 150.0,
            axis: PlotAxis::Whole,
            axis_label: None,
        }
    }
}

told! {
/// Why there is no plot.
#[derive(Clone, Debug, PartialEq)]
pub enum PlotError {
    /// The trace has no signal of this name; it has the others.
    UnknownSignal {
        /// The name that was given.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    } => "the run has no signal `{name}`";
    /// The trace has no signals, or a panel has none.
    NoSignals => "there are no signals to plot";
    /// A span of time that is none.
    BadSpan {
        /// From, s.
        from: f64,
        /// To, s.
        to: f64,
    } => "the time from {from} to {to} is no span";
    /// A width or height that is no number.
    BadSize => "the size of a plot must be a number";
    /// The trace has no instant with more than one microstep.
    NoMicrosteps => "no instant of the run has more than one microstep";
}
}

impl std::error::Error for PlotError {}

/// An SVG drawing of signals of a run.
///
/// # Errors
/// An unknown signal, no signals at all, a span or size that is none.
pub fn trace_plot(trace: &Trace, options: &PlotOptions) -> Result<String, PlotError> {
    if options.width.is_nan() || options.panel_height.is_nan() {
        return Err(PlotError::BadSize);
    }
    let panels = if options.panels.is_empty() {
        choice::default_panels(trace)
    } else {
        named_panels(trace, &options.panels)?
    };
    if panels.is_empty() || panels.iter().any(Vec::is_empty) {
        return Err(PlotError::NoSignals);
    }
    let mut window = scale::Window::new(trace, options.axis)?;
    if let Some(label) = &options.axis_label {
        window.label.clone_from(label);
    }
    Ok(draw::document(trace, &panels, &window, options))
}

fn named_panels(trace: &Trace, names: &[Vec<String>]) -> Result<Vec<Vec<SignalId>>, PlotError> {
    let find = |name: &String| {
        trace.signal(name).ok_or_else(|| PlotError::UnknownSignal {
            name: name.clone(),
            known: trace.signals.iter().map(|s| s.name.clone()).collect(),
        })
    };
    names
        .iter()
        .map(|panel| panel.iter().map(find).collect())
        .collect()
}
