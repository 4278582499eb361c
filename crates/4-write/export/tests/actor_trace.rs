//! Traces of actor models as files: modes and events, reasons to stop, absent signals; nothing about mechanics that is not there.
#![allow(clippy::unwrap_used, reason = "a test that cannot begin has failed")]

use dyverse_export::{read_trace_json, trace_summary, write_trace_csv, write_trace_json, write_trace_report};
use dyverse_trace::{
    Balance, Change, ChangingSignal, Sample, Signal, SignalId, Statistics, Stop, StopReason, SuperdenseTime,
    Trace, Transition, TransitionKind,
};
use serde_json::Value;

fn time(t: f64, n: u32) -> SuperdenseTime {
    SuperdenseTime::new(t, n).unwrap()
}

fn transition(at: SuperdenseTime, kind: TransitionKind, from: &str, to: &str) -> Transition {
    Transition {
        time: at,
        kind,
        from: from.into(),
        to: to.into(),
        rule: "",
        contacts: vec![],
        guard: "hit".into(),
        reset: "ball.v := 0".into(),
        forces: vec![],
        changes: vec![Change {
            signal: SignalId(1),
            before: -3.5,
            after: dyverse_trace::ABSENT,
        }],
    }
}

/// Made by hand, so that no change of the simulator changes it.
fn made() -> Trace {
    let names = [
        ("ball.x", "m"),
        ("ball.v", "m/s"),
        ("hit", ""),
        ("machine.falling.w", ""),
    ];
    let modal = |t: f64, n: u32, from: &str, to: &str| {
        transition(
            time(t, n),
            TransitionKind::Mode,
            &format!("machine.{from}"),
            &format!("machine.{to}"),
        )
    };
    let event = |t: f64| {
        transition(
            time(t, 1),
            TransitionKind::Event,
            "machine.falling",
            "machine.falling",
        )
    };
    Trace {
        system: "drop".into(),
        parameters: vec![("g".into(), 9.81)],
        seed: 7,
        signals: names
            .iter()
            .map(|(name, unit)| Signal {
                name: (*name).into(),
                unit: (*unit).into(),
            })
            .collect(),
        samples: vec![
            Sample {
                time: time(0.0, 0),
                values: vec![1.0, 0.0, dyverse_trace::ABSENT, 0.25],
            },
            Sample {
                time: time(0.5, 1),
                values: vec![1.0 / 3.0, -3.5, 1.0, dyverse_trace::ABSENT],
            },
            Sample {
                time: time(2.0, 0),
                values: vec![0.0, -0.0, dyverse_trace::ABSENT, dyverse_trace::ABSENT],
            },
        ],
        pieces: vec![],
        transitions: vec![
            event(0.25),
            modal(0.5, 1, "falling", "sitting"),
            modal(0.75, 1, "sitting", "falling"),
            event(0.875),
            modal(1.0, 2, "falling", "sitting"),
            transition(time(1.0, 3), TransitionKind::Mode, "drop.day", "drop.night"),
        ],
        dropped: dyverse_trace::Tally::default(),
        stop: Stop {
            reason: StopReason::HorizonReached,
            time: time(2.0, 0),
        },
        balance: Balance::default(),
        impact_gains: Vec::new(),
        stepping: Vec::new(),
        statistics: Statistics {
            steps: 12,
            rejected_steps: 3,
            evaluations: 456,
            impacts: 2,
            ..Statistics::default()
        },
    }
}

fn stopped(reason: StopReason) -> Trace {
    Trace {
        dropped: dyverse_trace::Tally::default(),
        stop: Stop {
            reason,
            time: time(0.731, 2),
        },
        ..made()
    }
}

fn written(write: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>) -> String {
    let mut out = Vec::new();
    write(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Equal to the bit, and NaN to NaN: numbers are printed for debugging with all their digits.
#[track_caller]
fn assert_reads_back(trace: &Trace) {
    let text = written(|out| write_trace_json(out, trace));
    let read = read_trace_json(text.as_bytes()).unwrap();
    assert_eq!(format!("{read:?}"), format!("{trace:?}"));
    assert_eq!(written(|out| write_trace_json(out, &read)), text);
}

#[test]
fn modes_and_events_read_back() {
    assert_reads_back(&made());
    let text = written(|out| write_trace_json(out, &made()));
    assert!(text.contains("\"kind\":\"mode\"") && text.contains("\"kind\":\"event\""));
    for kind in TransitionKind::ALL {
        let mut trace = made();
        trace.transitions.iter_mut().for_each(|t| t.kind = kind);
        assert_reads_back(&trace);
    }
}

#[test]
fn chattering_reads_back_with_its_values() {
    let changing = |name: &str, values: &[f64]| ChangingSignal {
        name: name.into(),
        values: values.to_vec(),
    };
    for period in [None, Some(4)] {
        for signals in [
            vec![],
            vec![
                changing("upper.v", &[1.0 / 3.0, -0.0, dyverse_trace::ABSENT]),
                changing("odd \"name\"", &[]),
            ],
        ] {
            assert_reads_back(&stopped(StopReason::Chattering {
                microsteps: 1000,
                period,
                changing: signals,
            }));
        }
    }
}

#[test]
fn a_suspected_accumulation_reads_back_with_its_limit() {
    for events in [vec![], vec!["`hit`".to_owned(), "`a` → `b`".to_owned()]] {
        assert_reads_back(&stopped(StopReason::ZenoSuspected {
            limit: 4.063_712_768_8,
            ratio: 0.8,
            events,
        }));
    }
}

#[test]
fn reasons_to_stop_that_lack_something_are_refused() {
    let chattering = written(|out| {
        let reason = StopReason::Chattering {
            microsteps: 9,
            period: Some(2),
            changing: vec![],
        };
        write_trace_json(out, &stopped(reason))
    });
    let zeno = written(|out| {
        let reason = StopReason::ZenoSuspected {
            limit: 4.0,
            ratio: 0.5,
            events: vec![],
        };
        write_trace_json(out, &stopped(reason))
    });
    for (text, key) in [
        (&chattering, "limit"),
        (&chattering, "changing"),
        (&chattering, "values"),
        (&zeno, "limit_time"),
        (&zeno, "ratio"),
        (&zeno, "changing"),
    ] {
        let mut document: Value = serde_json::from_str(text).unwrap();
        document["stop"].as_object_mut().unwrap().remove(key).unwrap();
        let error = read_trace_json(document.to_string().as_bytes()).unwrap_err();
        assert!(error.to_string().contains(key), "{error}");
    }
}

#[test]
fn absent_values_are_empty_fields() {
    insta::assert_snapshot!(written(|out| write_trace_csv(out, &made())));
}

#[test]
fn absent_values_are_null_in_json() {
    let document: Value = serde_json::from_str(&written(|out| write_trace_json(out, &made()))).unwrap();
    assert_eq!(document["samples"][0]["values"][2], Value::Null);
    assert_eq!(document["final"]["hit"], Value::Null);
    assert_eq!(document["transitions"][0]["changes"][0]["after"], Value::Null);
}

#[test]
fn there_is_no_balance_where_no_bodies_moved() {
    let report = written(|out| write_trace_report(out, &made()));
    let document: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(document["balance"], Value::Null);
    assert!(document["statistics"].get("largest_penetration").is_none());
    insta::assert_snapshot!(report);
}

#[test]
fn a_trace_whose_balance_is_forgotten_is_none() {
    let text = written(|out| write_trace_json(out, &made()));
    assert!(read_trace_json(text.replace("\"balance\"", "\"other\"").as_bytes()).is_err());
}

#[test]
fn summary_of_an_actor_model() {
    insta::assert_snapshot!(trace_summary(&made()));
}

/// A rigid-body system in an actor model: what it has is told.
#[test]
fn summary_of_an_actor_model_with_bodies() {
    let mut trace = made();
    trace.balance.kinetic_at_start = 2.0;
    trace.statistics.largest_penetration = 1e-12;
    insta::assert_snapshot!(trace_summary(&trace));
    assert_reads_back(&trace);
}

/// Nothing moved, yet it is a run of bodies.
#[test]
fn bodies_at_rest_have_a_balance() {
    let mut trace = made();
    trace.signals[3].name = "ball.qw".into();
    trace.transitions.clear();
    assert!(trace_summary(&trace).contains("0 J not accounted for"));
    assert!(!written(|out| write_trace_report(out, &trace)).contains("null,\"statistics\""));
    assert_reads_back(&trace);
}

#[test]
fn summary_of_many_signals_and_modes() {
    let signals = (0..25).map(|i| Signal {
        name: format!("s{i}"),
        unit: String::new(),
    });
    let transitions = (0..25).map(|i| {
        let name = |i: i32| format!("m.mode{i}");
        transition(
            time(f64::from(i), 1),
            TransitionKind::Mode,
            &name(i),
            &name(i + 1),
        )
    });
    let trace = Trace {
        signals: signals.collect(),
        samples: vec![Sample {
            time: time(25.0, 0),
            values: (0..25).map(f64::from).collect(),
        }],
        transitions: transitions.collect(),
        ..made()
    };
    insta::assert_snapshot!(trace_summary(&trace));
}

#[cfg(feature = "parquet")]
#[test]
fn absent_values_are_null_in_parquet() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;
    let mut bytes = Vec::new();
    dyverse_export::write_trace_parquet(&mut bytes, &made()).unwrap();
    let file = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
    let rows: Vec<Vec<Field>> = file
        .get_row_iter(None)
        .unwrap()
        .map(|row| {
            row.unwrap()
                .get_column_iter()
                .map(|(_, field)| field.clone())
                .collect()
        })
        .collect();
    let number = Field::Double;
    assert_eq!(
        rows[0][2..],
        [number(1.0), number(0.0), Field::Null, number(0.25)]
    );
    assert_eq!(
        rows[1][2..],
        [number(1.0 / 3.0), number(-3.5), number(1.0), Field::Null]
    );
    assert_eq!(
        rows[2][2..],
        [number(0.0), number(-0.0), Field::Null, Field::Null]
    );
}
