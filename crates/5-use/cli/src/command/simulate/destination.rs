//! Where a trace goes, and in which format.

use crate::files::write_png;
use crate::outcome::Failure;
use crate::output::{check_output, is_stream, write_output};
use dyverse::diag::closest;
#[cfg(feature = "parquet")]
use dyverse::export::write_trace_parquet;
use dyverse::export::{PlotError, PlotOptions, trace_plot, write_trace_csv, write_trace_json};
use dyverse::pages::{Page, trace_page, write_page};
use dyverse::time::Trace;
use std::path::{Path, PathBuf};

/// The format of a trace's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TraceFormat {
    Csv,
    Json,
    Parquet,
    Svg,
    Png,
    Html,
}

/// A file that can be written.
#[derive(Debug)]
pub(super) struct Destination {
    path: PathBuf,
    format: TraceFormat,
    /// The panels of a plot.
    panels: Vec<Vec<String>>,
}

impl Destination {
    /// The format is told by the ending; what is written into a pipe or a device that has none is `streamed`.
    pub(super) fn new(path: &Path, streamed: TraceFormat) -> Result<Self, Failure> {
        let format = match format_of(path) {
            Err(Unknown(_)) if is_stream(path) => streamed,
            Err(Unknown(failure)) => return Err(failure),
            Ok(format) => format?,
        };
        check_output(Some(path))?;
        Ok(Destination {
            path: path.to_owned(),
            format,
            panels: Vec::new(),
        })
    }

    /// The signals of a plot, one text for each panel.
    pub(super) fn with_panels(mut self, panels: &[String]) -> Result<Self, Failure> {
        if !panels.is_empty() && !self.is_drawn() {
            return Err(Failure::call("--plot needs an --output FILE.svg or FILE.png"));
        }
        let names = |panel: &String| -> Vec<String> {
            let names = panel.split(',').map(|name| name.trim().to_owned());
            names.filter(|name| !name.is_empty()).collect()
        };
        self.panels = panels.iter().map(names).collect();
        Ok(self)
    }

    pub(super) fn format(&self) -> TraceFormat {
        self.format
    }

    /// What it takes to write a byte of a trace, s: about the double of what it takes on a machine of today that does nothing else. What a page holds is bounded, whatever the run.
    pub(super) fn seconds_per_byte(&self) -> f64 {
        let megabytes = match self.format {
            TraceFormat::Csv => 20.0,
            TraceFormat::Json => 30.0,
            TraceFormat::Parquet => 40.0,
            TraceFormat::Svg | TraceFormat::Png => 80.0,
            TraceFormat::Html => return 0.0,
        };
        1e-6 / megabytes
    }

    fn is_drawn(&self) -> bool {
        matches!(self.format, TraceFormat::Svg | TraceFormat::Png)
    }

    /// Whether the run is to be looked at: then a page is written, which needs more than a trace.
    pub(super) fn is_page(&self) -> bool {
        self.format == TraceFormat::Html
    }

    pub(super) fn write_page(&self, page: &Page) -> Result<(), Failure> {
        write_output(Some(&self.path), |out| write_page(out, page))
    }

    pub(super) fn write(&self, trace: &Trace) -> Result<(), Failure> {
        if self.is_drawn() {
            let options = PlotOptions {
                panels: self.panels.clone(),
                ..PlotOptions::default()
            };
            let plot = trace_plot(trace, &options).map_err(no_plot)?;
            if self.format == TraceFormat::Png {
                return write_png(&self.path, &plot);
            }
            return write_output(Some(&self.path), |out| out.write_all(plot.as_bytes()));
        }
        write_output(Some(&self.path), |out| match self.format {
            TraceFormat::Csv => write_trace_csv(out, trace),
            TraceFormat::Json => write_trace_json(out, trace),
            #[cfg(feature = "parquet")]
            TraceFormat::Parquet => write_trace_parquet(out, trace),
            TraceFormat::Svg | TraceFormat::Png => Ok(()),
            TraceFormat::Html => write_page(out, &trace_page(trace)),
            #[cfg(not(feature = "parquet"))]
            TraceFormat::Parquet => Err(std::io::ErrorKind::Unsupported.into()),
        })
    }
}

fn no_plot(error: PlotError) -> Failure {
    let failure = Failure::call(error.to_string());
    let PlotError::UnknownSignal { name, known } = &error else {
        return failure;
    };
    match closest(name, known.iter().map(String::as_str)) {
        Some(near) => failure.with_help(format!("did you mean `{near}`?")),
        None => failure
            .with_help("the names are those of the summary of a run, and of the columns of a .csv file"),
    }
}

/// An ending that tells no format, and what is said about it.
struct Unknown(Failure);

/// The format that the ending tells; whether this dyverse has it is another matter.
fn format_of(path: &Path) -> Result<Result<TraceFormat, Failure>, Unknown> {
    let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    let format = match ending.as_deref() {
        Some("csv") => TraceFormat::Csv,
        Some("json") => TraceFormat::Json,
        Some("svg") => TraceFormat::Svg,
        Some("png") => TraceFormat::Png,
        Some("html" | "htm") => TraceFormat::Html,
        Some("parquet") if cfg!(feature = "parquet") => TraceFormat::Parquet,
        Some("parquet") => {
            return Ok(Err(wrong!("this dyverse was built without Parquet";
                help "write a .csv or .json file, or build it with the feature `parquet`")));
        }
        other => {
            let what = other.map_or_else(
                || "has no ending that tells the format".to_owned(),
                |ending| format!("ends in .{ending}, which is no format of a trace"),
            );
            let failure = Failure::call(format!("{} {what}", path.display()));
            return Err(Unknown(
                failure.with_help("end it in .csv, .json, .parquet, .svg, .png or .html"),
            ));
        }
    };
    Ok(Ok(format))
}
