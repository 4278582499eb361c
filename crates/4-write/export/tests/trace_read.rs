//! Traces from tables: what was written reads back, tables of other tools, and any bytes at all.
#![allow(clippy::unwrap_used, reason = "a test that cannot begin has failed")]

use dyverse_export::{read_trace_csv, read_trace_json, write_trace_csv, write_trace_json};
use dyverse_trace::{
    ABSENT, Balance, Sample, Signal, Statistics, Stop, StopReason, SuperdenseTime, Tally, Trace, is_absent,
};

fn sample(t: f64, n: u32, values: &[f64]) -> Sample {
    Sample {
        time: SuperdenseTime::new(t, n).unwrap(),
        values: values.to_vec(),
    }
}

fn made() -> Trace {
    let names = [("ball.x", "m"), ("a, \"b\"\nc", ""), (" d", "N")];
    let samples = vec![
        sample(-1.0, 0, &[0.1, ABSENT, 1e300]),
        sample(0.3, 0, &[0.1 + 0.2, f64::INFINITY, -0.0]),
        sample(0.3, 1, &[f64::MIN_POSITIVE / 3.0, 2.0, ABSENT]),
        sample(0.3, 7, &[-1.0 / 3.0, 2.0, 5.0]),
        sample(2.0, 0, &[ABSENT, ABSENT, ABSENT]),
    ];
    Trace {
        system: "table".into(),
        parameters: vec![("K".into(), 0.1)],
        seed: 7,
        signals: names
            .map(|(name, unit)| Signal {
                name: name.into(),
                unit: unit.into(),
            })
            .to_vec(),
        dropped: Tally::default(),
        stop: Stop {
            reason: StopReason::HorizonReached,
            time: samples[4].time,
        },
        samples,
        pieces: vec![],
        transitions: vec![],
        balance: Balance::default(),
        impact_gains: Vec::new(),
        stepping: Vec::new(),
        statistics: Statistics::default(),
    }
}

fn same_samples(one: &Trace, other: &Trace) {
    let bits = |trace: &Trace| -> Vec<(SuperdenseTime, Vec<u64>)> {
        let bits = |v: &f64| match v {
            v if is_absent(*v) => ABSENT.to_bits(),
            v if v.is_nan() => f64::NAN.to_bits(),
            v => v.to_bits(),
        };
        let samples = trace.samples.iter();
        samples
            .map(|s| (s.time, s.values.iter().map(bits).collect()))
            .collect()
    };
    let names = |trace: &Trace| -> Vec<String> { trace.signals.iter().map(|s| s.name.clone()).collect() };
    assert_eq!(names(one), names(other));
    assert_eq!(bits(one), bits(other));
    assert_eq!(one.stop, other.stop);
}

fn csv(trace: &Trace) -> Vec<u8> {
    let mut out = Vec::new();
    write_trace_csv(&mut out, trace).unwrap();
    out
}

#[test]
fn a_table_reads_back_to_the_same_bits() {
    same_samples(&read_trace_csv(&csv(&made())).unwrap(), &made());
    let with_returns = String::from_utf8(csv(&made())).unwrap().replace('\n', "\r\n");
    let back = read_trace_csv(with_returns.as_bytes()).unwrap();
    assert_eq!(back.samples.len(), 5);
    assert_eq!(back.signals[1].name, "a, \"b\"\r\nc");
}

#[test]
fn tables_of_other_tools_are_read() {
    let text = "\u{feff}# from elsewhere\n\nTime [s];x;on\n0;1,5\n";
    assert!(
        read_trace_csv(text.as_bytes()).is_err(),
        "a decimal comma is no number"
    );
    let text = "\u{feff}# from elsewhere\n\nTime [s];x;\"on; off\"\n0; 1.5;true\n0;-2;false\n\n1e-1;NaN;\n";
    let trace = read_trace_csv(text.as_bytes()).unwrap();
    let names: Vec<&str> = trace.signals.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["x", "on; off"]);
    let times: Vec<(f64, u32)> = trace.samples.iter().map(|s| (s.time.t(), s.time.n())).collect();
    assert_eq!(times, [(0.0, 0), (0.0, 1), (0.1, 0)]);
    assert_eq!(trace.samples[1].values, [-2.0, 0.0]);
    assert!(trace.samples[2].values.iter().all(|v| v.is_nan()));
    assert_eq!(trace.stop.time, SuperdenseTime::at(0.1).unwrap());
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    for (text, expected) in [
        ("", "there are no samples"),
        ("time,x\n", "there are no samples"),
        (
            "x,y\n1,2\n",
            "line 1 begins with `x`: the first column must be `time` or `t`",
        ),
        ("t,x\n0,1\n\n1,one\n", "line 4 `one` is no number"),
        ("t,x\n0,1,2\n", "line 2 has more fields for 2 columns"),
        ("t,x,y\n0,1\n", "line 2 has 2 fields for 3 columns"),
        (
            "t,x\n1,1\n0,1\n",
            "line 3 has the time (0, 0), which does not come after (1, 0)",
        ),
        ("t,x\ninf,1\n", "line 2 has the time inf, which is not finite"),
        ("t,x\n,1\n", "line 2 has the time NaN, which is not finite"),
        ("time,microstep,x\n0,-1,1\n", "line 2 `-1` is no microstep"),
        (
            "time,microstep,x\n0,1,1\n0,1,1\n",
            "line 3 has the time (0, 1), which does not come after (0, 1)",
        ),
        ("t,x,x\n", "two signals are called `x`"),
        ("t,\"x\n\n", "line 1 has a quote that does not end"),
        ("t,\"x\"y\n0,1\n", "line 1 has something after a quote that ended"),
        ("t,\"x\ny\"\n0,q\n", "line 3 `q` is no number"),
    ] {
        let error = read_trace_csv(text.as_bytes()).expect_err(text);
        assert_eq!(error.to_string(), format!("no trace: {expected}"), "{text:?}");
    }
    let error = read_trace_csv(b"t,x\n0,1\n1,\xff\n").expect_err("no UTF-8");
    assert_eq!(error.to_string(), "no trace: line 3 is no UTF-8 text");
}

/// Bytes of a seed: the same on every machine.
struct Bytes(u64);

impl Bytes {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below.max(1)
    }
}

/// A copy with a few bytes changed, taken out, put in or doubled.
fn damaged(bytes: &[u8], random: &mut Bytes) -> Vec<u8> {
    let mut out = bytes.to_vec();
    for _ in 0..=random.next(4) {
        let place = random.next(out.len());
        match random.next(5) {
            0 => out[place] = b",\"\n\r;#-.eE0 \xff"[random.next(13)],
            1 => out[place] ^= 1 << random.next(8),
            2 => out.truncate(place),
            3 => {
                let piece = out[place..(place + random.next(30)).min(out.len())].to_vec();
                out.splice(place..place, piece);
            }
            _ => {
                out.remove(place);
            }
        }
        if out.is_empty() {
            out.push(b't');
        }
    }
    out
}

/// What every trace promises, whatever it was read from.
fn check(trace: &Trace) {
    assert!(trace.samples.windows(2).all(|pair| pair[0].time < pair[1].time));
    assert!(
        trace
            .samples
            .iter()
            .all(|s| s.values.len() == trace.signals.len())
    );
    assert_eq!(trace.samples.last().map(|s| s.time), Some(trace.stop.time));
}

#[test]
fn damaged_tables_are_traces_or_errors() {
    let (whole, mut random, mut read) = (csv(&made()), Bytes(1), 0);
    for _ in 0..20_000 {
        if let Ok(trace) = read_trace_csv(&damaged(&whole, &mut random)) {
            check(&trace);
            read += 1;
        }
    }
    assert!(read > 1000, "{read}: the damage is too large to test anything");
}

#[cfg(feature = "parquet")]
mod parquet {
    use super::{Bytes, check, damaged, made, same_samples};
    use dyverse_export::{read_trace_parquet, write_trace_parquet};

    #[test]
    fn a_parquet_file_reads_back() {
        let mut out = Vec::new();
        write_trace_parquet(&mut out, &made()).unwrap();
        let back = read_trace_parquet(&out).unwrap();
        same_samples(&back, &made());
        assert_eq!((back.system.as_str(), back.seed), ("table", 7));
        assert_eq!(
            (&back.parameters, &back.signals),
            (&made().parameters, &made().signals)
        );
    }

    #[test]
    fn damaged_parquet_files_are_traces_or_errors() {
        let (mut whole, mut random) = (Vec::new(), Bytes(2));
        write_trace_parquet(&mut whole, &made()).unwrap();
        for _ in 0..2000 {
            if let Ok(trace) = read_trace_parquet(&damaged(&whole, &mut random)) {
                check(&trace);
            }
        }
    }
}

/// A signal that is absent, and one whose value is no number, are not the same in any format.
#[test]
fn what_is_absent_and_what_is_no_number_are_told_apart() {
    let mut trace = made();
    let last = trace.samples.last_mut().unwrap();
    last.values = vec![f64::NAN, ABSENT, f64::NEG_INFINITY];
    let text = String::from_utf8(csv(&trace)).unwrap();
    assert!(text.ends_with("2.0,0,NaN,,-inf\n"), "{text}");
    same_samples(&read_trace_csv(text.as_bytes()).unwrap(), &trace);
    let mut json = Vec::new();
    write_trace_json(&mut json, &trace).unwrap();
    let read = read_trace_json(&json).unwrap();
    same_samples(&read, &trace);
    let value: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(value["final"]["ball.x"], "NaN");
    assert_eq!(value["final"][" d"], "-inf");
    assert!(value["final"]["a, \"b\"\nc"].is_null());
    // As it was written before: null is absent.
    let old = String::from_utf8(json)
        .unwrap()
        .replace("dyverse-trace-2", "dyverse-trace-1")
        .replace("\"NaN\"", "null");
    let old = read_trace_json(old.as_bytes()).unwrap();
    assert!(is_absent(old.samples[4].values[0]) && old.samples[1].values[1] == f64::INFINITY);
    assert!(
        read_trace_json(
            br#"{"format": "dyverse-trace-2", "samples": [{"time": [0, 0], "values": ["nan"]}]}"#
        )
        .is_err()
    );
    #[cfg(feature = "parquet")]
    {
        let mut bytes = Vec::new();
        dyverse_export::write_trace_parquet(&mut bytes, &trace).unwrap();
        same_samples(&dyverse_export::read_trace_parquet(&bytes).unwrap(), &trace);
    }
}
