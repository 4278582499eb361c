//! A trace from a Parquet file: what [`write_trace_parquet`](super::write_trace_parquet) writes, and tables of other tools.
//!
//! The column `time` or `t` is time; `microstep` is that if the file has it, else rows with one time are the microsteps of that time. Every other column of
//! numbers or truth values is a signal, absent where it is null; columns of texts, times of day and lists are left out. System, seed, parameters and
//! units are taken from the file's metadata where `write_trace_parquet` put them.
//!
//! # Guarantee
//! Any bytes: a trace whose samples ascend in superdense time, or what is wrong, with the number of its row. Only Snappy and no compression are read.

use super::TraceFormatError;
use super::csv_read::is_time;
use super::samples::Samples;
use ::bytes::Bytes;
use ::parquet::basic::Type as PhysicalType;
use ::parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use ::parquet::data_type::DataType;
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use ::parquet::schema::types::ColumnDescriptor;
use dyverse_trace::{ABSENT, StopReason, Trace};
use serde_json::{Map, Value};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The most rows of one group: more are not kept in memory at a time.
const MOST_ROWS_IN_A_GROUP: usize = 1 << 26;

/// Reads a table of samples. The run is taken to have ended at its last row; a table has no transitions.
///
/// # Errors
/// [`TraceFormatError`] says what is wrong, with the number of its row where it is one.
pub fn read_trace_parquet(bytes: &[u8]) -> Result<Trace, TraceFormatError> {
    // The library underneath answers some damaged files with a panic: that is an answer about the file, too.
    let read = catch_unwind(AssertUnwindSafe(|| read(bytes)));
    read.unwrap_or_else(|_| Err(wrong("the Parquet file is damaged")))
}

fn wrong(text: impl Into<String>) -> TraceFormatError {
    TraceFormatError::Parquet { text: text.into() }
}

impl From<ParquetError> for TraceFormatError {
    fn from(error: ParquetError) -> Self {
        wrong(error.to_string())
    }
}

/// Which columns are what.
struct Columns {
    time: usize,
    microstep: Option<usize>,
    signals: Vec<usize>,
}

fn read(bytes: &[u8]) -> Result<Trace, TraceFormatError> {
    let file = SerializedFileReader::new(Bytes::copy_from_slice(bytes))?;
    let schema = file.metadata().file_metadata().schema_descr();
    let columns = columns(schema.columns().iter().map(AsRef::as_ref))?;
    let name = |place: &usize| schema.column(*place).path().parts().join(".");
    let mut samples = Samples::new(columns.signals.iter().map(name).collect())?;
    let mut row = 0;
    for place in 0..file.num_row_groups() {
        read_group(
            file.get_row_group(place)?.as_ref(),
            &columns,
            &mut samples,
            &mut row,
        )?;
    }
    let mut trace = samples.finish()?;
    if let Some(entries) = file.metadata().file_metadata().key_value_metadata() {
        describe(&mut trace, entries);
    }
    Ok(trace)
}

fn columns<'a>(all: impl Iterator<Item = &'a ColumnDescriptor>) -> Result<Columns, TraceFormatError> {
    let (mut time, mut microstep, mut signals) = (None, None, Vec::new());
    for (place, column) in all.enumerate() {
        let is_number = matches!(
            column.physical_type(),
            PhysicalType::BOOLEAN
                | PhysicalType::INT32
                | PhysicalType::INT64
                | PhysicalType::FLOAT
                | PhysicalType::DOUBLE
        );
        if !is_number || column.max_rep_level() > 0 {
            continue;
        }
        let name = column.path().parts().join(".");
        if time.is_none() && is_time(&name) {
            time = Some(place);
        } else if microstep.is_none() && name == "microstep" {
            microstep = Some(place);
        } else {
            signals.push(place);
        }
    }
    let time = time.ok_or_else(|| wrong("the Parquet file has no column of numbers `time` or `t`"))?;
    Ok(Columns {
        time,
        microstep,
        signals,
    })
}

fn read_group(
    group: &dyn RowGroupReader,
    columns: &Columns,
    samples: &mut Samples,
    row: &mut usize,
) -> Result<(), TraceFormatError> {
    let rows = usize::try_from(group.metadata().num_rows()).unwrap_or(usize::MAX);
    if rows > MOST_ROWS_IN_A_GROUP {
        return Err(TraceFormatError::TooLarge {
            what: "rows in one group",
            most: MOST_ROWS_IN_A_GROUP,
        });
    }
    let read = |place: usize| numbers(group.get_column_reader(place)?, group, place, rows);
    let times = read(columns.time)?;
    let microsteps = columns.microstep.map(read).transpose()?;
    let signals: Vec<Vec<f64>> = columns
        .signals
        .iter()
        .map(|place| read(*place))
        .collect::<Result<_, _>>()?;
    for (place, t) in times.iter().enumerate() {
        *row += 1;
        let at_row = |what: String| wrong(format!("row {row} {what}"));
        let n = match microsteps.as_ref().and_then(|steps| steps.get(place)) {
            None => None,
            Some(n) if *n >= 0.0 && *n <= f64::from(u32::MAX) && n.fract() == 0.0 => Some(*n as u32),
            Some(n) => return Err(at_row(format!("has the microstep {n}"))),
        };
        let values = signals
            .iter()
            .map(|all| all.get(place).copied().unwrap_or(f64::NAN));
        samples.push(*t, n, values.collect()).map_err(at_row)?;
    }
    Ok(())
}

/// A column of one group, as numbers; `ABSENT` where it is null.
fn numbers(
    reader: ColumnReader,
    group: &dyn RowGroupReader,
    place: usize,
    rows: usize,
) -> Result<Vec<f64>, TraceFormatError> {
    let column = group.metadata().column(place);
    let is_unsigned = column.column_descr().logical_type_ref().is_some_and(|of| {
        matches!(
            of,
            ::parquet::basic::LogicalType::Integer(of) if !of.is_signed
        )
    });
    let deepest = column.column_descr().max_def_level();
    match reader {
        ColumnReader::BoolColumnReader(reader) => of_type(reader, rows, deepest, |v| f64::from(u8::from(v))),
        ColumnReader::Int32ColumnReader(reader) if is_unsigned => {
            of_type(reader, rows, deepest, |v| f64::from(v.cast_unsigned()))
        }
        ColumnReader::Int32ColumnReader(reader) => of_type(reader, rows, deepest, f64::from),
        ColumnReader::Int64ColumnReader(reader) => of_type(reader, rows, deepest, |v| v as f64),
        ColumnReader::FloatColumnReader(reader) => of_type(reader, rows, deepest, f64::from),
        ColumnReader::DoubleColumnReader(reader) => of_type(reader, rows, deepest, |v| v),
        _ => Err(wrong("a column is not what the Parquet file says it is")),
    }
}

fn of_type<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    rows: usize,
    deepest: i16,
    number: impl Fn(T::T) -> f64,
) -> Result<Vec<f64>, TraceFormatError> {
    let (mut levels, mut values) = (Vec::new(), Vec::new());
    let mut found = 0;
    while found < rows {
        let (records, _, _) = reader.read_records(rows - found, Some(&mut levels), None, &mut values)?;
        if records == 0 {
            return Err(wrong(format!("a column ends after {found} of {rows} rows")));
        }
        found += records;
    }
    let mut values = values.into_iter().map(number);
    if deepest == 0 {
        return Ok(values.collect());
    }
    let is_there = levels.iter().map(|level| *level == deepest);
    Ok(is_there
        .map(|is_there| {
            if is_there {
                values.next().unwrap_or(ABSENT)
            } else {
                ABSENT
            }
        })
        .collect())
}

/// What the metadata says about the run.
fn describe(trace: &mut Trace, entries: &[KeyValue]) {
    let entry = |key: &str| {
        let found = entries
            .iter()
            .find(|entry| entry.key.strip_prefix("dyverse.") == Some(key));
        found.and_then(|entry| entry.value.as_deref())
    };
    let object = |key: &str| -> Map<String, Value> {
        entry(key)
            .and_then(|text| serde_json::from_str(text).ok())
            .unwrap_or_default()
    };
    trace.system = entry("system").unwrap_or_default().to_owned();
    trace.seed = entry("seed").and_then(|seed| seed.parse().ok()).unwrap_or(0);
    if let (Some(word), Some(text)) = (entry("stop"), entry("stop_text"))
        && word != StopReason::HorizonReached.word()
    {
        let text = if word == "told" {
            text.to_owned()
        } else {
            format!("{word}: {text}")
        };
        trace.stop.reason = StopReason::Told { text };
    }
    let parameters = object("parameters").into_iter();
    trace.parameters = parameters
        .filter_map(|(name, value)| Some((name, value.as_f64()?)))
        .collect();
    let units = object("units");
    for signal in &mut trace.signals {
        if let Some(unit) = units.get(&signal.name).and_then(Value::as_str) {
            signal.unit = unit.to_owned();
        }
    }
}
