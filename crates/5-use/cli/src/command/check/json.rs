//! The answer for programs. Nothing in it depends on time or threads, unless `--stats` asks for that.
//!
//! `verdict`, `property`, `witness`, `boxes`, `undecided_width` and `statistics` are those of the property that decides the exit code; if more than one was
//! checked, `properties` lists them all in the same form.

use super::search::{Stopped, USUAL};
use super::{Answer, Effort, Judged as _, Told};
use crate::arguments::Check;
use crate::outcome::Outcome;
use dyverse::check::{
    AssumedInputs, Certainty, Checkable, Counterexample, Finding, Left, Partition, Questions, Statistics,
    Verdict,
};
use dyverse::proof::Proof;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

pub(super) fn document(
    subject: Checkable<'_>,
    (answers, stops): Told<'_>,
    options: &Check,
    effort: Option<&Effort>,
) -> Value {
    let told = answers.iter().zip(stops);
    let rank = |(answer, _): &(&Answer, &Option<Stopped>)| match answer.outcome() {
        Outcome::Unsafe => 2,
        Outcome::Unknown => 1,
        _ => 0,
    };
    let worst = told.clone().rev().max_by_key(rank);
    let mut all = Map::new();
    all.insert("system".into(), json!(subject.name()));
    if let Some(worst) = worst {
        all.extend(object(worst));
    }
    all.insert("choices".into(), json!(options.set));
    all.insert("seed".into(), json!(options.seed));
    // JSON has no infinity: no limit is no number.
    all.insert("timeout".into(), json!(options.timeout.unwrap_or(USUAL)));
    if answers.len() > 1 {
        let each: Vec<Value> = told.map(|told| Value::Object(object(told))).collect();
        all.insert("properties".into(), json!(each));
    }
    if let Some(effort) = effort {
        all.insert(
            "effort".into(),
            json!({ "seconds": effort.seconds, "threads": effort.threads }),
        );
    }
    Value::Object(all)
}

fn object((answer, stopped): (&Answer, &Option<Stopped>)) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("verdict".into(), json!(answer.word()));
    match answer {
        Answer::Finding(finding) => of_finding(&mut object, finding),
        Answer::Partition(partition) => of_partition(&mut object, partition),
    }
    if let Some(stopped) = stopped {
        object.insert("stopped_by".into(), json!(stopped.word()));
    }
    object
}

fn of_finding(object: &mut Map<String, Value>, finding: &Finding) {
    object.insert("property".into(), json!(finding.property));
    object.insert("unknowns".into(), ranges(&finding.unknowns));
    object.insert("windows".into(), windows(&finding.windows));
    object.insert("inputs".into(), assumed(&finding.inputs));
    let (witness, boxes, width) = match &finding.verdict {
        Verdict::Safe(proof) => (Value::Null, proved(proof), 0.0),
        Verdict::Unsafe(found) => (counterexample(found), json!([]), 0.0),
        Verdict::Unknown(left) => (Value::Null, undecided(left), left.undecided_width),
    };
    object.insert("witness".into(), witness);
    object.insert("boxes".into(), boxes);
    let is_unsafe = matches!(finding.verdict, Verdict::Unsafe(_));
    // A counterexample decides the property, and not the box.
    object.insert(
        "undecided_width".into(),
        if is_unsafe { Value::Null } else { json!(width) },
    );
    if let Verdict::Unknown(left) = &finding.verdict {
        object.insert("undecided_share".into(), json!(left.undecided));
        let mut reasons: Vec<Value> = left
            .groups()
            .iter()
            .map(|g| json!({ "boxes": g.boxes, "kind": g.kind, "reason": g.reason }))
            .collect();
        for input in &finding.inputs.any {
            let reason = finding.inputs.obstacle();
            reasons.push(json!({ "boxes": 0, "kind": "input", "input": input.name, "reason": reason }));
        }
        object.insert("reasons".into(), json!(reasons));
        object.insert("notes".into(), json!(left.notes));
        object.insert("stopped".into(), json!(left.is_stopped));
    }
    object.insert("statistics".into(), statistics(&finding.statistics));
}

fn of_partition(object: &mut Map<String, Value>, partition: &Partition) {
    object.insert("property".into(), json!(partition.property));
    object.insert("partition".into(), ranges(&partition.names));
    object.insert("unknowns".into(), ranges(&partition.others));
    object.insert("windows".into(), windows(&partition.windows));
    object.insert("inputs".into(), assumed(&partition.inputs));
    object.insert("witness".into(), Value::Null);
    let names: Vec<&String> = partition.names.iter().map(|(name, ..)| name).collect();
    let cells: Vec<Value> = partition
        .cells
        .iter()
        .map(|cell| {
            json!({ "sides": sides(&names, &cell.sides), "outcome": cell.outcome.word(), "reason": cell.reason })
        })
        .collect();
    object.insert("boxes".into(), json!(cells));
    object.insert("undecided_width".into(), json!(partition.undecided));
    object.insert("stopped".into(), json!(partition.is_stopped));
    object.insert("statistics".into(), statistics(&partition.statistics));
}

pub(super) fn ranges(ranges: &[(String, f64, f64)]) -> Value {
    let each = ranges
        .iter()
        .map(|(name, low, high)| (name.clone(), json!([low, high])));
    Value::Object(each.collect())
}

/// The windows of a property.
pub(super) fn windows(windows: &[(f64, f64)]) -> Value {
    Value::Array(windows.iter().map(|(from, to)| json!([from, to])).collect())
}

/// What is assumed of inputs.
pub(super) fn assumed(inputs: &AssumedInputs) -> Value {
    let any = inputs.any.iter().map(|i| (i.name.clone(), i.lower, i.upper));
    json!({
        "any": ranges(&any.collect::<Vec<_>>()),
        "default_by_choice": inputs.by_choice,
        "default_without_range": inputs.without_range,
    })
}

fn sides(names: &[&String], sides: &[(f64, f64)]) -> Value {
    let each = names.iter().zip(sides);
    Value::Object(
        each.map(|(name, (low, high))| ((*name).clone(), json!([low, high])))
            .collect(),
    )
}

fn proved(proof: &Proof) -> Value {
    let names: Vec<&String> = proof.unknowns.iter().map(|(name, ..)| name).collect();
    let each = proof.boxes.iter();
    let each = each.map(|b| json!({ "sides": sides(&names, &b.sides), "outcome": "safe" }));
    Value::Array(each.collect())
}

fn undecided(left: &Left) -> Value {
    let names: Vec<&String> = left.names.iter().collect();
    let each = left.boxes.iter().map(|b| {
        json!({ "sides": sides(&names, &b.sides), "outcome": "undecided", "kind": b.kind, "reason": b.reason })
    });
    Value::Array(each.collect())
}

fn counterexample(found: &Counterexample) -> Value {
    let part = |is_initial: bool| -> Value {
        let values = found.values.iter().filter(|v| v.is_initial == is_initial);
        Value::Object(values.map(|v| (v.name.clone(), json!(v.value))).collect())
    };
    let (evidence, why) = match &found.certainty {
        Certainty::Enclosed => ("enclosed", Value::Null),
        Certainty::Replayed(why) => ("replayed", json!(why)),
    };
    let inputs = found.inputs.iter().map(|driven| {
        let steps = driven.steps.iter().map(|(from, value)| json!([from, value]));
        (driven.name.clone(), Value::Array(steps.collect()))
    });
    let inputs: Map<String, Value> = inputs.collect();
    json!({
        "parameters": part(false),
        "initial": part(true),
        "inputs": inputs,
        "time": found.time,
        "worst_time": found.worst_time,
        "robustness": found.robustness,
        "evidence": evidence,
        "not_enclosed_because": why,
    })
}

fn statistics(statistics: &Statistics) -> Value {
    let best = statistics.best.as_ref().map(|(value, at)| {
        let at: Map<String, Value> = at.iter().map(|(name, x)| (name.clone(), json!(x))).collect();
        json!({ "robustness": value, "at": at })
    });
    json!({
        "unconfirmed_boxes": statistics.unconfirmed,
        "simulations": statistics.simulations,
        "failed_simulations": statistics.failed_simulations,
        "least_robustness": best,
        "boxes": statistics.boxes,
        "steps": statistics.figures.steps,
        "crossings": statistics.figures.crossings,
        "jumps": statistics.figures.jumps,
        "evolutions": statistics.figures.evolutions,
        "solver": solver(&statistics.figures.questions),
    })
}

/// Figures of the lazy SMT solver, over all boxes, and against simulated time.
fn solver(questions: &Questions) -> Value {
    let by_length = |counts: &BTreeMap<usize, u64>| -> Map<String, Value> {
        counts
            .iter()
            .map(|(length, count)| (length.to_string(), json!(count)))
            .collect()
    };
    let bins = questions.by_time.iter().map(|bin| {
        json!({
            "calls": bin.calls,
            "iterations": bin.iterations,
            "learnt": bin.learnt,
            "clauses_by_length": by_length(&bin.clauses_by_length),
        })
    });
    json!({
        "calls": questions.calls,
        "sat_calls": questions.sat_calls,
        "theory_calls": questions.theory_calls,
        "iterations": questions.iterations,
        "conflicts_by_length": by_length(&questions.conflicts_by_length),
        "by_time": bins.collect::<Vec<Value>>(),
    })
}
