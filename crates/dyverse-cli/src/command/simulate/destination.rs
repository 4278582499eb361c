//! Where a trace goes, and in which format.

use crate::files::write_output;
use crate::outcome::Failure;
#[cfg(feature = "parquet")]
use dyverse::export::write_trace_parquet;
use dyverse::export::{write_trace_csv, write_trace_json};
use dyverse::time::Trace;
use std::path::{Path, PathBuf};

/// The format of a trace's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TraceFormat {
    Csv,
    Json,
    Parquet,
}

/// A file that can be written.
#[derive(Debug)]
pub(super) struct Destination {
    path: PathBuf,
    format: TraceFormat,
}

impl Destination {
    /// The format is told by the ending.
    pub(super) fn new(path: &Path) -> Result<Self, Failure> {
        let format = format_of(path)?;
        let folder = path
            .parent()
            .filter(|p| !p.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        if !folder.is_dir() {
            return Err(Failure::call(format!(
                "cannot write {}: there is no folder {}",
                path.display(),
                folder.display()
            )));
        }
        if path.is_dir() {
            return Err(Failure::call(format!(
                "cannot write {}: it is a folder",
                path.display()
            )));
        }
        Ok(Destination {
            path: path.to_owned(),
            format,
        })
    }

    pub(super) fn format(&self) -> TraceFormat {
        self.format
    }

    pub(super) fn write(&self, trace: &Trace) -> Result<(), Failure> {
        write_output(Some(&self.path), |out| match self.format {
            TraceFormat::Csv => write_trace_csv(out, trace),
            TraceFormat::Json => write_trace_json(out, trace),
            #[cfg(feature = "parquet")]
            TraceFormat::Parquet => write_trace_parquet(out, trace),
            #[cfg(not(feature = "parquet"))]
            TraceFormat::Parquet => Err(std::io::ErrorKind::Unsupported.into()),
        })
    }
}

fn format_of(path: &Path) -> Result<TraceFormat, Failure> {
    let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    match ending.as_deref() {
        Some("csv") => Ok(TraceFormat::Csv),
        Some("json") => Ok(TraceFormat::Json),
        Some("parquet") if cfg!(feature = "parquet") => Ok(TraceFormat::Parquet),
        Some("parquet") => Err(Failure::call("this dyverse was built without Parquet")
            .with_help("write a .csv or .json file, or build it with the feature `parquet`")),
        other => {
            let what = other.map_or_else(
                || "has no ending that tells the format".to_owned(),
                |ending| format!("ends in .{ending}, which is no format of a trace"),
            );
            Err(Failure::call(format!("{} {what}", path.display()))
                .with_help("end it in .csv, .json or .parquet"))
        }
    }
}
