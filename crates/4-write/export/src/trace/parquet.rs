//! The samples of a trace as a Parquet file: columns `time` (s), `microstep`, and one for each signal, compressed with Snappy.
//!
//! What else belongs to the run is in the file's metadata, under `dyverse.…`: `system`, `seed`, `stop`, `stop_text`, `stop_time`,
//! `stop_microstep`, and `parameters` and `units` as JSON objects.

use super::wire;
use ::parquet::basic::{Compression, LogicalType, Repetition, Type as PhysicalType};
use ::parquet::data_type::{DoubleType, Int32Type};
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use ::parquet::schema::types::{Type, TypePtr};
use dyverse_trace::{ABSENT, Sample, Trace, is_absent};
use serde_json::{Map, Value};
use std::io::{self, Write};
use std::sync::Arc;

/// Samples in one group of rows: what is kept in memory at a time.
const ROWS_IN_A_GROUP: usize = 65_536;

/// Writes the samples in columns; `null` where a signal is absent.
///
/// # Errors
/// Where `out` refuses the bytes.
pub fn write_trace_parquet(out: &mut dyn Write, trace: &Trace) -> io::Result<()> {
    let schema = schema(trace).map_err(as_io)?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by(concat!("dyverse version ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_key_value_metadata(Some(metadata(trace)))
        .build();
    // The writer wants an output that can move between threads, which `out` need not be: groups go through a buffer.
    let mut file = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).map_err(as_io)?;
    for samples in trace.samples.chunks(ROWS_IN_A_GROUP) {
        let mut group = file.next_row_group().map_err(as_io)?;
        write_group(&mut group, samples).map_err(as_io)?;
        group.close().map_err(as_io)?;
        file.flush()?;
        out.write_all(&std::mem::take(file.inner_mut()))?;
    }
    out.write_all(&file.into_inner().map_err(as_io)?)
}

fn as_io(error: ParquetError) -> io::Error {
    io::Error::other(error)
}

fn schema(trace: &Trace) -> Result<TypePtr, ParquetError> {
    let column = |name: &str, of: PhysicalType, repetition: Repetition, logical: Option<LogicalType>| {
        Type::primitive_type_builder(name, of)
            .with_repetition(repetition)
            .with_logical_type(logical)
            .build()
    };
    let unsigned = LogicalType::integer(32, false);
    let mut columns = vec![
        column("time", PhysicalType::DOUBLE, Repetition::REQUIRED, None)?,
        column(
            "microstep",
            PhysicalType::INT32,
            Repetition::REQUIRED,
            Some(unsigned),
        )?,
    ];
    for signal in &trace.signals {
        columns.push(column(
            &signal.name,
            PhysicalType::DOUBLE,
            Repetition::OPTIONAL,
            None,
        )?);
    }
    let fields = columns.into_iter().map(Arc::new).collect();
    Ok(Arc::new(
        Type::group_type_builder("trace").with_fields(fields).build()?,
    ))
}

fn metadata(trace: &Trace) -> Vec<KeyValue> {
    let units: Map<String, Value> = trace
        .signals
        .iter()
        .map(|s| (s.name.clone(), Value::from(s.unit.as_str())))
        .collect();
    let entries = [
        ("system", trace.system.clone()),
        ("seed", trace.seed.to_string()),
        ("stop", trace.stop.reason.word().to_owned()),
        ("stop_text", trace.stop.reason.to_string()),
        ("stop_time", format!("{:?}", trace.stop.time.t())),
        ("stop_microstep", trace.stop.time.n().to_string()),
        ("parameters", Value::Object(wire::parameters(trace)).to_string()),
        ("units", Value::Object(units).to_string()),
    ];
    entries
        .into_iter()
        .map(|(key, value)| KeyValue::new(format!("dyverse.{key}"), value))
        .collect()
}

fn write_group(
    group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    samples: &[Sample],
) -> Result<(), ParquetError> {
    let mut place = 0;
    while let Some(mut column) = group.next_column()? {
        match place {
            0 => {
                let times: Vec<f64> = samples.iter().map(|s| s.time.t()).collect();
                column.typed::<DoubleType>().write_batch(&times, None, None)?;
            }
            1 => {
                // The same bits: the logical type says that they are unsigned.
                let steps: Vec<i32> = samples.iter().map(|s| s.time.n().cast_signed()).collect();
                column.typed::<Int32Type>().write_batch(&steps, None, None)?;
            }
            _ => {
                let all = samples
                    .iter()
                    .map(|s| s.values.get(place - 2).copied().unwrap_or(ABSENT));
                let is_there: Vec<i16> = all.clone().map(|v| i16::from(!is_absent(v))).collect();
                let values: Vec<f64> = all.filter(|v| !is_absent(*v)).collect();
                column
                    .typed::<DoubleType>()
                    .write_batch(&values, Some(&is_there), None)?;
            }
        }
        column.close()?;
        place += 1;
    }
    Ok(())
}
