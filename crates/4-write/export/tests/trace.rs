//! Traces as files: written whole, read back to the same bits, escaped.
#![allow(clippy::unwrap_used, reason = "a test that cannot begin has failed")]

use crate::support;

use dyverse_export::{
    TraceFormatError, read_trace_json, trace_summary, write_trace_csv, write_trace_json, write_trace_report,
};
use dyverse_simulate::{RunOptions, simulate};
use dyverse_trace::{
    Balance, Change, ContactForce, ImpactGain, Piece, Sample, Signal, SignalId, Statistics, SteppingPhase,
    Stop, StopReason, SuperdenseTime, Trace, Transition, TransitionKind,
};
use serde_json::Value;

fn time(t: f64, n: u32) -> SuperdenseTime {
    SuperdenseTime::new(t, n).unwrap()
}

/// Made by hand, so that no change of the simulator changes it; its names and numbers are the awkward ones.
fn made() -> Trace {
    let names = [
        "ball.x",
        "ball.y",
        "ball.vy",
        "ball.qw",
        "odd, \"name\".x",
        "level",
    ];
    let transition =
        |at: SuperdenseTime, kind: TransitionKind, from: &str, to: &str, rule: &'static str| Transition {
            time: at,
            kind,
            from: from.into(),
            to: to.into(),
            rule,
            contacts: vec!["ball–floor".into()],
            guard: "g_N ≤ 0".into(),
            reset: "u := u⁺".into(),
            forces: vec![ContactForce {
                contact: "ball–floor".into(),
                normal: 1.5,
                tangential: [-0.0, 1e-300],
            }],
            changes: vec![Change {
                signal: SignalId(2),
                before: -1.0 / 3.0,
                after: 0.1 + 0.2,
            }],
        };
    Trace {
        system: "made".into(),
        parameters: vec![
            ("z".into(), 9.81),
            ("a".into(), f64::MIN_POSITIVE),
            ("whole".into(), 3.0),
        ],
        seed: u64::MAX,
        signals: names
            .iter()
            .map(|n| Signal {
                name: (*n).into(),
                unit: if *n == "level" { "V" } else { "m" }.into(),
            })
            .collect(),
        samples: vec![
            Sample {
                time: time(0.0, 0),
                values: vec![0.0, -0.0, 1e300, 1.0, 5e-324, dyverse_trace::ABSENT],
            },
            Sample {
                time: time(0.5, 0),
                values: vec![1.0 / 3.0, 0.1, 1e16, 1.0, 1e-7, dyverse_trace::ABSENT],
            },
            Sample {
                time: time(0.5, 4_000_000_000),
                values: vec![f64::MAX, f64::MIN, 123_456_789.0, 1.0, -2.0, 7.0],
            },
        ],
        pieces: vec![Piece {
            from: 0.0,
            to: 0.5,
            signals: vec![(SignalId(1), vec![1.0, -0.25]), (SignalId(0), vec![])],
        }],
        transitions: vec![
            transition(time(0.5, 0), TransitionKind::Impact, "S_0", "I_1,en", "1"),
            transition(time(0.5, 1), TransitionKind::AfterImpact, "I_1,ex", "S_0", ""),
        ],
        dropped: dyverse_trace::Tally::default(),
        stop: Stop {
            reason: StopReason::HorizonReached,
            time: time(2.0, 0),
        },
        balance: Balance {
            kinetic_at_start: 1.0,
            kinetic_at_end: 2.0,
            work_of_loads: 1.5,
            work_of_friction: -0.25,
            work_of_impacts: -0.25,
            work_of_projection: 1e-17,
        },
        impact_gains: vec![ImpactGain {
            pair: ["ball".into(), "floor".into()],
            first: time(0.25, 1),
            impacts: 3,
            added: 0.1,
            least_share: 1.0 / 3.0,
        }],
        stepping: vec![SteppingPhase {
            from: 0.3,
            to: 0.45,
            entities: vec!["ball".into(), "box".into()],
            steps: 150,
            shortest: 5e-4,
            longest: 2e-3,
            error: 1.5e-6,
            penetration: 2e-9,
            reason: "events became too many".into(),
        }],
        statistics: Statistics {
            steps: 12,
            rejected_steps: 3,
            evaluations: 456,
            impacts: 1,
            switches: 2,
            sweeps: 20,
            largest_penetration: 1.25e-12,
            largest_residual: 3e-16,
            stepped: 0.25,
            rough_forces: 0,
        },
    }
}

fn written(write: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>) -> Vec<u8> {
    let mut out = Vec::new();
    write(&mut out).unwrap();
    out
}

/// Equal to the bit, and NaN to NaN: numbers are printed for debugging with all their digits.
#[track_caller]
fn assert_reads_back(trace: &Trace) {
    let bytes = written(|out| write_trace_json(out, trace));
    let read = read_trace_json(&bytes).unwrap();
    assert_eq!(format!("{read:?}"), format!("{trace:?}"));
    assert_eq!(written(|out| write_trace_json(out, &read)), bytes);
}

#[test]
fn a_trace_made_by_hand_reads_back() {
    assert_reads_back(&made());
    let empty = Trace {
        signals: vec![],
        samples: vec![],
        pieces: vec![],
        transitions: vec![],
        parameters: vec![],
        ..made()
    };
    assert_reads_back(&empty);
}

#[test]
fn a_run_reads_back() {
    let options = RunOptions {
        until: Some(1.0),
        keep_pieces: true,
        show_nodes: true,
        ..RunOptions::default()
    };
    let trace = simulate(&support::interception(), &options).unwrap();
    assert!(!trace.pieces.is_empty() && trace.transitions.iter().any(|t| !t.changes.is_empty()));
    assert_reads_back(&trace);
}

#[test]
fn every_reason_to_stop_reads_back() {
    let contacts = vec!["a–b".to_owned(), "quote \" here".to_owned()];
    let detail = "−9.86 N".to_owned();
    for reason in [
        StopReason::HorizonReached,
        StopReason::EventLimit { limit: 7 },
        StopReason::MicrostepLimit {
            limit: 9,
            changing: contacts.clone(),
        },
        StopReason::NoFittingMode {
            contacts: contacts.clone(),
            detail: detail.clone(),
        },
        StopReason::ForcesNotFound { contacts, detail },
        StopReason::Switching {
            switches: vec!["`x > 0` in the force on `a`".into()],
            detail: "they turn without end".into(),
        },
        StopReason::CrossingNotIsolated { of: "a gap".into() },
        StopReason::NotFinite { what: "`a`".into() },
        StopReason::StepTooSmall { step: 1e-17 },
        StopReason::Cancelled,
        StopReason::Interrupted,
        StopReason::EndedItself {
            component: "tank".into(),
        },
        StopReason::Told {
            text: "timeout: it took more than 2 s".into(),
        },
        StopReason::ModelError {
            detail: "at (1, 1) two transitions are enabled".into(),
        },
    ] {
        assert_reads_back(&Trace {
            dropped: dyverse_trace::Tally::default(),
            stop: Stop {
                reason,
                time: time(0.731, 2),
            },
            ..made()
        });
    }
}

/// Doubles of all sizes: bit patterns from a linear congruence.
#[test]
fn every_finite_double_reads_back() {
    let mut bits = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        bits = bits
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        Some(f64::from_bits(bits ^ (bits >> 29)))
            .filter(|v| v.is_finite())
            .unwrap_or(0.5)
    };
    let samples = (0..5000).map(|i| Sample {
        time: time(f64::from(i) / 3.0, 0),
        values: (0..6).map(|_| next()).collect(),
    });
    let trace = Trace {
        samples: samples.collect(),
        ..made()
    };
    assert_reads_back(&trace);
    let csv = String::from_utf8(written(|out| write_trace_csv(out, &trace))).unwrap();
    for (line, sample) in csv.lines().skip(1).zip(&trace.samples) {
        let read: Vec<u64> = line
            .split(',')
            .skip(2)
            .map(|v| v.parse::<f64>().unwrap().to_bits())
            .collect();
        assert_eq!(
            read,
            sample.values.iter().map(|v| v.to_bits()).collect::<Vec<_>>()
        );
    }
}

#[test]
fn csv_of_a_trace() {
    insta::assert_snapshot!(String::from_utf8(written(|out| write_trace_csv(out, &made()))).unwrap());
}

#[test]
fn json_of_a_trace() {
    insta::assert_snapshot!(String::from_utf8(written(|out| write_trace_json(out, &made()))).unwrap());
}

#[test]
fn report_of_a_trace() {
    let text = String::from_utf8(written(|out| write_trace_report(out, &made()))).unwrap();
    let _: Value = serde_json::from_str(&text).unwrap();
    insta::assert_snapshot!(text);
}

#[test]
fn summary_of_a_trace() {
    insta::assert_snapshot!(trace_summary(&made()));
}

#[test]
fn summary_of_many_entities_that_stop_early() {
    let signals = (0..30).flat_map(|i| {
        ["x", "y"].map(|c| Signal {
            name: format!("b{i}.{c}"),
            unit: "m".into(),
        })
    });
    let values = (0..60).map(|i| f64::from(i) * -1.25).collect();
    let reason = StopReason::EventLimit { limit: 3 };
    let trace = Trace {
        signals: signals.collect(),
        samples: vec![Sample {
            time: time(0.25, 3),
            values,
        }],
        transitions: vec![],
        dropped: dyverse_trace::Tally::default(),
        stop: Stop {
            reason,
            time: time(0.25, 3),
        },
        ..made()
    };
    insta::assert_snapshot!(trace_summary(&trace));
}

#[test]
fn no_name_leaves_its_place_in_the_summary() {
    let mut trace = made();
    trace.system = "a\n\u{1b}[31mb".into();
    trace.signals[4].name = "x\ny.x".into();
    trace.signals[5].name = "le\nvel".into();
    let summary = trace_summary(&trace);
    assert!(!summary.contains('\u{1b}') && summary.lines().count() == trace_summary(&made()).lines().count());
}

#[test]
fn what_is_no_trace_is_explained() {
    let text = String::from_utf8(written(|out| write_trace_json(out, &made()))).unwrap();
    let check = |text: &str| read_trace_json(text.as_bytes()).unwrap_err();
    assert_eq!(check("{}"), TraceFormatError::OtherFormat { found: None });
    let told = [
        check("").to_string(),
        check("[1, 2").to_string(),
        check("{}").to_string(),
        check("{\"format\": \"dyverse-trace-2\"}").to_string(),
        check(&text.replace("trace-2", "trace-9")).to_string(),
        check(&text.replace("\"impact\"", "\"bang\"")).to_string(),
        check(&text.replace("\"rule\":\"1\"", "\"rule\":\"99\"")).to_string(),
        check(&text.replace("\"signal\":\"ball.vy\"", "\"signal\":\"ball.vv\"")).to_string(),
        check(&text.replace("{\"name\":\"ball.y\"", "{\"name\":\"ball.x\"")).to_string(),
        check(&text.replace("-2.0,7.0]", "-2.0]")).to_string(),
        check(&text.replace("\"horizon\"", "\"event_limit\"")).to_string(),
        check(&text.replace("\"horizon\"", "\"bored\"")).to_string(),
        check(&text.replace("[0.5,0],\"values\"", "[1e999,0],\"values\"")).to_string(),
        check(&text.replace("[0.5,0],\"values\"", "[0.5,-1],\"values\"")).to_string(),
    ];
    insta::assert_snapshot!(told.join("\n"));
    for end in 0..text.len() - 2 {
        if text.is_char_boundary(end) {
            assert!(read_trace_json(&text.as_bytes()[..end]).is_err(), "cut at {end}");
        }
    }
}

#[cfg(feature = "parquet")]
mod parquet {
    use super::{made, time, written};
    use dyverse_export::write_trace_parquet;
    use dyverse_trace::{Sample, Trace};
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    /// Reads it with the same crate.
    #[track_caller]
    fn assert_reads_back(trace: &Trace) {
        let bytes = written(|out| write_trace_parquet(out, trace));
        let file = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
        let metadata = file.metadata().file_metadata();
        assert_eq!(metadata.num_rows(), trace.samples.len() as i64);
        let names: Vec<_> = metadata
            .schema_descr()
            .columns()
            .iter()
            .map(|c| c.name().to_owned())
            .collect();
        let expected = ["time", "microstep"]
            .into_iter()
            .chain(trace.signals.iter().map(|s| s.name.as_str()));
        assert!(expected.eq(names.iter().map(String::as_str)), "{names:?}");
        for (row, sample) in file.get_row_iter(None).unwrap().zip(&trace.samples) {
            let row = row.unwrap();
            let fields: Vec<Field> = row.get_column_iter().map(|(_, field)| field.clone()).collect();
            assert_eq!(
                fields[..2],
                [Field::Double(sample.time.t()), Field::UInt(sample.time.n())]
            );
            for (field, value) in fields[2..].iter().zip(&sample.values) {
                match field {
                    Field::Double(read) => assert_eq!(read.to_bits(), value.to_bits()),
                    other => assert!(*other == Field::Null && value.is_nan(), "{other} {value}"),
                }
            }
        }
        let entries = metadata.key_value_metadata().unwrap();
        let entry = |key: &str| {
            entries
                .iter()
                .find(|e| e.key == key)
                .and_then(|e| e.value.clone())
                .unwrap()
        };
        assert_eq!(entry("dyverse.system"), trace.system);
        assert_eq!(entry("dyverse.seed"), trace.seed.to_string());
        assert_eq!(entry("dyverse.stop"), trace.stop.reason.word());
        assert!(entry("dyverse.units").contains("\"level\":\"V\""));
    }

    #[test]
    fn a_trace_made_by_hand_reads_back() {
        assert_reads_back(&made());
        assert_reads_back(&Trace {
            samples: vec![],
            ..made()
        });
    }

    #[test]
    fn several_groups_of_rows_read_back() {
        let sample = |i: u32| Sample {
            time: time(f64::from(i) * 0.01, i % 3),
            values: vec![f64::from(i).sqrt(); 6],
        };
        assert_reads_back(&Trace {
            samples: (0..150_000).map(sample).collect(),
            ..made()
        });
    }
}
