//! Plots of small, empty, constant, huge and hostile traces.

use super::*;
use dyverse_trace::{Balance, Sample, Signal, Statistics, Stop, StopReason, SuperdenseTime};

fn trace(signals: &[(&str, &str)], rows: &[(f64, u32, &[f64])]) -> Trace {
    let samples: Vec<Sample> = rows
        .iter()
        .map(|(t, n, values)| Sample {
            time: SuperdenseTime::new(*t, *n).unwrap(),
            values: values.to_vec(),
        })
        .collect();
    let end = samples
        .last()
        .map_or(SuperdenseTime::at(0.0).unwrap(), |s| s.time);
    Trace {
        system: "small".into(),
        parameters: Vec::new(),
        seed: 0,
        signals: signals
            .iter()
            .map(|(name, unit)| Signal {
                name: (*name).into(),
                unit: (*unit).into(),
            })
            .collect(),
        samples,
        pieces: Vec::new(),
        transitions: Vec::new(),
        dropped: dyverse_trace::Tally::default(),
        stop: Stop {
            reason: StopReason::HorizonReached,
            time: end,
        },
        balance: Balance::default(),
        impact_gains: Vec::new(),
        stepping: Vec::new(),
        statistics: Statistics::default(),
    }
}

fn small() -> Trace {
    let none = f64::NAN;
    trace(
        &[("ball.x", "m"), ("ball.v", "m/s"), ("wall.x", "m"), ("hit", "")],
        &[
            (0.0, 0, &[0.0, 1.0, 2.0, none]),
            (1.0, 0, &[1.0, 1.0, 2.0, none]),
            (2.0, 0, &[2.0, 1.0, 2.0, none]),
            (2.0, 1, &[2.0, 1.0, 2.0, 1.0]),
            (2.0, 2, &[2.0, -0.5, 2.0, none]),
            (3.0, 0, &[1.5, -0.5, 2.0, none]),
            (4.0, 0, &[1.0, -0.5, 2.0, none]),
        ],
    )
}

fn plot(trace: &Trace, options: &PlotOptions) -> String {
    let text = trace_plot(trace, options).unwrap();
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    roxmltree::Document::parse(&text).unwrap();
    text
}

#[test]
fn a_small_plot() {
    insta::assert_snapshot!(plot(&small(), &PlotOptions::default()));
}

#[test]
fn signals_are_grouped_by_unit_and_constant_ones_left_out() {
    let panels = choice::default_panels(&small());
    assert_eq!(panels, [vec![SignalId(0)], vec![SignalId(1)], vec![SignalId(3)]]);
    let row: &[f64] = &[0.0, 0.0, 0.0, 0.0];
    let actors = trace(
        &[("left.x", ""), ("left.v", ""), ("right.x", ""), ("pair.x2", "")],
        &[(0.0, 0, row), (1.0, 0, &[1.0, 1.0, 1.0, 1.0])],
    );
    let panels = choice::default_panels(&actors);
    assert_eq!(
        panels,
        [vec![SignalId(0), SignalId(2), SignalId(3)], vec![SignalId(1)]]
    );
}

#[test]
fn microsteps_side_by_side() {
    let options = PlotOptions {
        panels: vec![vec!["ball.v".into()]],
        axis: PlotAxis::Microsteps { t: 2.2, most: 20 },
        ..PlotOptions::default()
    };
    let text = plot(&small(), &options);
    assert!(text.contains("microstep at t = 2 s"), "{text}");
    let smooth = trace(&[("x", "")], &[(0.0, 0, &[1.0])]);
    assert_eq!(
        trace_plot(
            &smooth,
            &PlotOptions {
                panels: Vec::new(),
                ..options
            }
        ),
        Err(PlotError::NoMicrosteps)
    );
}

#[test]
fn what_cannot_be_plotted_is_said() {
    let with = |names: &[&str]| PlotOptions {
        panels: vec![names.iter().map(|n| (*n).to_owned()).collect()],
        ..PlotOptions::default()
    };
    let error = trace_plot(&small(), &with(&["ball.y"])).unwrap_err();
    assert_eq!(error.to_string(), "the run has no signal `ball.y`");
    assert_eq!(trace_plot(&small(), &with(&[])), Err(PlotError::NoSignals));
    assert_eq!(
        trace_plot(&trace(&[], &[]), &PlotOptions::default()),
        Err(PlotError::NoSignals)
    );
    for (from, to) in [(1.0, 1.0), (2.0, 1.0), (0.0, f64::INFINITY), (f64::NAN, 1.0)] {
        let options = PlotOptions {
            axis: PlotAxis::Span { from, to },
            ..PlotOptions::default()
        };
        assert!(
            matches!(trace_plot(&small(), &options), Err(PlotError::BadSpan { .. })),
            "{from} {to}"
        );
    }
    let options = PlotOptions {
        width: f64::NAN,
        ..PlotOptions::default()
    };
    assert_eq!(trace_plot(&small(), &options), Err(PlotError::BadSize));
}

#[test]
fn empty_constant_and_extreme_traces_are_drawn() {
    let all = PlotOptions::default();
    assert!(plot(&trace(&[("x", "m")], &[]), &all).contains("no samples"));
    plot(
        &trace(&[("x", "m")], &[(0.0, 0, &[f64::NAN]), (1.0, 0, &[f64::NAN])]),
        &all,
    );
    plot(&trace(&[("x", "m")], &[(0.0, 0, &[3.0]), (1.0, 0, &[3.0])]), &all);
    plot(
        &trace(&[("x", "m")], &[(0.0, 0, &[f64::MAX]), (1.0, 0, &[f64::MIN])]),
        &all,
    );
    plot(
        &trace(
            &[("x", "m")],
            &[(0.0, 0, &[f64::INFINITY]), (1e-300, 0, &[5e-324])],
        ),
        &all,
    );
    plot(&trace(&[("x", "m")], &[(0.0, 0, &[1.0]), (0.0, 1, &[2.0])]), &all);
    // Fewer values than signals.
    plot(
        &trace(&[("x", "m"), ("y", "m")], &[(0.0, 0, &[1.0]), (1.0, 0, &[])]),
        &all,
    );
}

#[test]
fn texts_are_escaped() {
    let hostile = trace(
        &[("</text><script>&", "\"'<")],
        &[(0.0, 0, &[0.0]), (1.0, 0, &[1.0])],
    );
    let options = PlotOptions {
        title: Some("a < b & \u{1}".into()),
        ..PlotOptions::default()
    };
    let text = plot(&hostile, &options);
    assert!(
        !text.contains("<script") && text.contains("a &lt; b &amp; \u{fffd}"),
        "{text}"
    );
}

#[test]
fn a_huge_trace_makes_a_small_drawing() {
    let rows: Vec<(f64, u32, [f64; 1])> = (0..200_000)
        .map(|k| (f64::from(k / 2) * 1e-3, k % 2, [f64::from(k).sin()]))
        .collect();
    let rows: Vec<(f64, u32, &[f64])> = rows.iter().map(|(t, n, v)| (*t, *n, v.as_slice())).collect();
    let text = plot(&trace(&[("x", "m")], &rows), &PlotOptions::default());
    assert!(text.len() < 60_000, "{}", text.len());
}

#[test]
fn lines_go_on_to_the_edges_of_a_span() {
    let options = PlotOptions {
        panels: vec![vec!["ball.x".into()]],
        axis: PlotAxis::Span { from: 0.5, to: 1.5 },
        ..PlotOptions::default()
    };
    assert!(plot(&small(), &options).contains("class=\"line c0 d0\" d=\"M-264"));
}
