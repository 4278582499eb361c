//! `dyverse replay`: judges a trace that was kept, by code that shares nothing with the simulator (`dyverse_replay`).

use super::simulate::choices::inputs;
use crate::CommandResult;
use crate::arguments::{Format, Replay};
use crate::files::{is_actor_model, is_fmu, read_model, read_trace};
use crate::outcome::{Failure, Outcome};
use crate::output::write_output;
use dyverse::replay::{Finding, Replay as Judged, ReplayOptions, SLACK, replay};
use dyverse::time::Trace;
use serde_json::{Value, json};
use std::fmt::Write;

/// Findings that are told to people, at the most.
const MOST_TOLD: usize = 5;

pub(crate) fn run(options: &Replay) -> CommandResult {
    check_call(options)?;
    let file = read_model(&options.model, options.format == Format::Json)?;
    let trace = read_trace(&options.trace)?;
    if trace.system != file.model.name() {
        say!(
            "note: {} is a run of `{}`, the model is `{}`",
            options.trace.display(),
            trace.system,
            file.model.name()
        );
    }
    let judging = ReplayOptions {
        inputs: inputs(file.model.inputs(), &options.input)?,
        precision: options.precision,
    };
    let judged = replay(&file.model, &trace, &judging).map_err(|error| {
        wrong!(
            "{} cannot be judged by {}: {error}",
            options.trace.display(),
            options.model.display()
        )
    })?;
    let told = match options.format {
        Format::Text => text(&trace, &judged, options),
        Format::Json => {
            serde_json::to_string_pretty(&value(&trace, &judged, options)).unwrap_or_default() + "\n"
        }
    };
    write_output(None, |out| out.write_all(told.as_bytes()))?;
    Ok(outcome(&judged))
}

/// Refuses files that cannot be what is asked for, with a way out.
fn check_call(options: &Replay) -> Result<(), Failure> {
    if is_actor_model(&options.model) || is_fmu(&options.model) {
        return Err(
            wrong!("--model takes a rigid-body model (.drbt): only those are automata of contacts";
            help "an actor model is judged by its guards while it runs; `dyverse check` asks about all runs"),
        );
    }
    let ending = options
        .trace
        .extension()
        .map(|e| e.to_string_lossy().to_lowercase());
    if let Some(ending @ ("csv" | "parquet")) = ending.as_deref() {
        return Err(
            wrong!("a .{ending} file holds samples and no transitions: there is nothing to judge edges by";
            help "`dyverse simulate FILE --output run.json` keeps all of a run"),
        );
    }
    if !(options.precision > 0.0 && options.precision.is_finite()) {
        return Err(wrong!(
            "--precision must be a number above 0, not {}",
            options.precision
        ));
    }
    Ok(())
}

fn outcome(judged: &Judged) -> Outcome {
    if !judged.is_accepted() {
        Outcome::Unsafe
    } else if !judged.open.is_empty() {
        Outcome::Unknown
    } else {
        Outcome::Done
    }
}

fn verdict(judged: &Judged) -> &'static str {
    match outcome(judged) {
        Outcome::Done => "accepted",
        Outcome::Unsafe => "refused",
        _ => "not judged whole",
    }
}

/// What a person wants to know: the verdict, what was judged, the first thing that is wrong.
fn text(trace: &Trace, judged: &Judged, options: &Replay) -> String {
    let mut text = format!("{}: {}\n", trace.system, verdict(judged));
    let mut line = |head: &str, rest: String| {
        let _ = writeln!(text, "  {:<12} {rest}", head);
    };
    line(
        "judged",
        format!(
            "{} ({}, {} of contact nodes), {} over {}, until t = {} s",
            count(judged.transitions, "transition"),
            count(judged.impacts, "impact"),
            count(judged.forces, "force"),
            count(judged.stays, "stay"),
            count(judged.stretches, "stretch"),
            trace.stop.time.t()
        ),
    );
    line(
        "within",
        format!(
            "{SLACK} tolerances of the model; motions within {:e}",
            options.precision
        ),
    );
    line(
        "largest",
        format!(
            "difference of a motion that fits {:.1e}",
            judged.largest_difference
        ),
    );
    if let Some(first) = judged.wrong.first() {
        line("first", when(first));
        if let Some(edge) = &first.edge {
            let rule = if edge.rule.is_empty() { "none" } else { &edge.rule };
            line(
                "edge",
                format!(
                    "{} → {}, rule {rule} (transition {})",
                    edge.from, edge.to, edge.number
                ),
            );
        }
        line("wrong", first.what.clone());
        for compared in &first.compared {
            line("", compared.to_string());
        }
    }
    for other in judged.wrong.iter().skip(1).take(MOST_TOLD - 1) {
        line("then", format!("{}: {}", when(other), other.what));
    }
    let more = judged.wrong.len().saturating_sub(MOST_TOLD);
    if more > 0 {
        line("", format!("… and {more} more"));
    }
    for open in judged.open.iter().take(MOST_TOLD) {
        line("not judged", format!("{} (first at {})", open.what, when(open)));
    }
    text
}

fn when(finding: &Finding) -> String {
    format!("t = {} s, microstep {}", finding.time.t(), finding.time.n())
}

fn count(number: usize, one: &str) -> String {
    let many = match one {
        "stretch" => "stretches".to_owned(),
        one => format!("{one}s"),
    };
    format!("{number} {}", if number == 1 { one } else { &many })
}

fn value(trace: &Trace, judged: &Judged, options: &Replay) -> Value {
    let findings = |all: &[Finding]| all.iter().map(finding).collect::<Vec<_>>();
    json!({
        "verdict": match outcome(judged) {
            Outcome::Done => "accepted",
            Outcome::Unsafe => "refused",
            _ => "unknown",
        },
        "system": trace.system,
        "until": trace.stop.time.t(),
        "transitions": judged.transitions,
        "impacts": judged.impacts,
        "forces": judged.forces,
        "stays": judged.stays,
        "stretches": judged.stretches,
        "largest_difference": judged.largest_difference,
        "tolerances": SLACK,
        "precision": options.precision,
        "wrong": findings(&judged.wrong),
        "not_judged": findings(&judged.open),
    })
}

fn finding(finding: &Finding) -> Value {
    let edge = finding.edge.as_ref().map(|edge| {
        json!({
            "transition": edge.number,
            "from": edge.from,
            "to": edge.to,
            "rule": edge.rule,
        })
    });
    let compared = finding.compared.iter().map(|c| {
        json!({
            "of": c.of,
            "found": c.found,
            "relation": c.relation,
            "bound": c.bound,
            "slack": c.slack,
        })
    });
    json!({
        "time": [finding.time.t(), finding.time.n()],
        "edge": edge,
        "what": finding.what,
        "compared": compared.collect::<Vec<_>>(),
    })
}
