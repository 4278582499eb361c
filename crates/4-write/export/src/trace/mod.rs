//! The trace of a run as files and as a summary.
//!
//! **In:** a [`Trace`](dyverse_trace::Trace). **Out:** bytes on any [`std::io::Write`].
//!
//! | format  | function                                                        | holds                                        |
//! |---------|-----------------------------------------------------------------|----------------------------------------------|
//! | CSV     | [`write_trace_csv`], [`read_trace_csv`]                         | the samples                                  |
//! | JSON    | [`write_trace_json`], [`read_trace_json`]                       | everything; reads back to the same bits      |
//! | Parquet | `write_trace_parquet`, `read_trace_parquet` (feature `parquet`) | the samples in columns; what, why and when   |
//! | text    | [`trace_summary`]                                               | what a person wants to know                  |
//! | JSON    | [`write_trace_report`]                                          | what a program wants to know: no samples     |
//!
//! # Guarantee
//! The same trace gives the same bytes. Every finite number is written so that it reads back to the same bits. What is absent is an empty field in CSV and `null` in JSON and
//! Parquet; what is no finite number is `NaN`, `inf` or `-inf`, in JSON as texts.

mod csv;
mod csv_read;
mod format_error;
mod json_read;
mod json_write;
mod mechanics;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "parquet")]
mod parquet_read;
mod report;
mod samples;
mod summary;
mod wire;

pub use csv::write_trace_csv;
pub use csv_read::read_trace_csv;
pub use format_error::TraceFormatError;
pub use json_read::read_trace_json;
pub use json_write::write_trace_json;
#[cfg(feature = "parquet")]
pub use parquet::write_trace_parquet;
#[cfg(feature = "parquet")]
pub use parquet_read::read_trace_parquet;
pub use report::write_trace_report;
pub use summary::{impact_gain_text, trace_summary};
