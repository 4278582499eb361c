//! The answer for people.

use super::search::Stopped;
use super::{Answer, Effort, Told};
use crate::arguments::{Check, Inputs};
use dyverse::check::{
    CellOutcome, Certainty, Checkable, Counterexample, Finding, Left, Partition, Statistics, Steps, Verdict,
    count, percent,
};
use dyverse::export::{Region, RegionKind, Regions};
use dyverse::proof::Proof;
use std::fmt::Write;

/// A line, as a format with its arguments.
macro_rules! line {
    ($text:expr, $head:expr, $($rest:tt)+) => {
        line($text, $head, &format!($($rest)+))
    };
}

/// Lines of a partition printed at the most.
const MOST_CELLS: usize = 40;
/// Reasons printed at the most.
const MOST_REASONS: usize = 5;

pub(super) fn report(
    subject: Checkable<'_>,
    (answers, stops): Told<'_>,
    options: &Check,
    effort: Option<&Effort>,
) -> String {
    let mut text = String::new();
    for (answer, stopped) in answers.iter().zip(stops) {
        match answer {
            Answer::Finding(finding) => of_finding(&mut text, subject, (finding, *stopped), options),
            Answer::Partition(partition) => of_partition(&mut text, (partition, *stopped), options),
        }
        if effort.is_some() {
            let statistics = match answer {
                Answer::Finding(finding) => &finding.statistics,
                Answer::Partition(partition) => &partition.statistics,
            };
            figures(&mut text, statistics);
        }
    }
    if let Some(Effort { seconds, threads }) = effort {
        let _ = writeln!(text, "{seconds:.2} s on {}", count(*threads, "thread", "threads"));
    }
    text
}

fn line(text: &mut String, head: &str, rest: &str) {
    let _ = writeln!(text, "  {head:<12} {rest}");
}

fn of_finding(
    text: &mut String,
    subject: Checkable<'_>,
    (finding, stopped): (&Finding, Option<Stopped>),
    options: &Check,
) {
    let _ = writeln!(text, "{}: {}", finding.property, finding.verdict.word());
    if let Some(inputs) = finding.inputs.sentence() {
        line(text, "inputs", &inputs);
    }
    match &finding.verdict {
        Verdict::Safe(proof) => safe(text, subject, finding, proof, options),
        Verdict::Unsafe(found) => broken(text, subject, found, options),
        Verdict::Unknown(left) => unknown(text, (finding, stopped), left, options),
    }
}

/// What the same question needs in another call.
fn asked(subject: Checkable<'_>, finding: &Finding, options: &Check) -> String {
    let mut call = String::new();
    if subject.properties().len() > 1 {
        let _ = write!(call, " --property {}", finding.property);
    }
    for given in &options.set {
        let _ = write!(call, " --set {}", quoted(given));
    }
    if options.inputs == Inputs::Default {
        call += " --inputs default";
    }
    call
}

fn safe(text: &mut String, subject: Checkable<'_>, finding: &Finding, proof: &Proof, options: &Check) {
    line(text, "proved for", &ranges(&finding.unknowns));
    line!(text, "until", "t = {} s", plain(proof.horizon));
    let figures = &finding.statistics.figures;
    let evidence = format!(
        "{}, {}, {}, {} enclosed; {} agree",
        count(proof.boxes.len(), "box", "boxes"),
        count(figures.steps, "step", "steps"),
        count(figures.crossings, "crossing", "crossings"),
        count(figures.evolutions, "evolution", "evolutions"),
        count(finding.statistics.simulations, "simulation", "simulations"),
    );
    line(text, "evidence", &evidence);
    if let Some(path) = &options.proof {
        let file = options.file.display();
        line(text, "proof", &path.display().to_string());
        line!(
            text,
            "check it by",
            "dyverse check {file}{} --verify-proof {}",
            asked(subject, finding, options),
            path.display()
        );
        if finding.statistics.unconfirmed > 0 {
            let boxes = count(finding.statistics.unconfirmed, "box", "boxes");
            let told = format!(
                "{boxes} of the proof: its check, which computes in another way, has not accepted them"
            );
            line(text, "not followed", &told);
        }
    }
}

fn broken(text: &mut String, subject: Checkable<'_>, found: &Counterexample, options: &Check) {
    let values: Vec<String> = found
        .values
        .iter()
        .map(|v| format!("{} = {}", v.name, v.value))
        .chain(found.inputs.iter().map(driven))
        .collect();
    let values = if values.is_empty() {
        "the model as it is: nothing in it is unknown".to_owned()
    } else {
        values.join(", ")
    };
    line(text, "witness", &values);
    let mut when = format!("t = {} s", plain(found.time));
    if found.worst_time != found.time {
        let _ = write!(when, "; worst at t = {} s", plain(found.worst_time));
    }
    line!(text, "broken at", "{when}, by {:.6e}", 0.0 - found.robustness);
    match &found.certainty {
        Certainty::Enclosed => line(
            text,
            "evidence",
            "replayed by simulation, and enclosed with validated arithmetic",
        ),
        Certainty::Replayed(why) => line!(text, "evidence", "replayed, not enclosed: {why}"),
    }
    line(text, "replay", &replay(subject, found, options));
}

/// `u = 1`, or `u = 1 from 0 s, -1 from 0.5 s`.
fn driven(input: &Steps) -> String {
    if let [(_, value)] = input.steps.as_slice() {
        return format!("{} = {value}", input.name);
    }
    let steps = input.steps.iter();
    let steps: Vec<String> = steps
        .map(|(from, value)| format!("{value} from {from} s"))
        .collect();
    format!("{} = {}", input.name, steps.join(", "))
}

/// The call of `simulate` that shows the violation.
pub(super) fn replay(subject: Checkable<'_>, found: &Counterexample, options: &Check) -> String {
    let mut call = format!("dyverse simulate {}", quoted(&options.file.display().to_string()));
    let is_found = |name: &str| found.values.iter().any(|v| v.name == name);
    for given in &options.set {
        let name = given.split('=').next().unwrap_or_default().trim();
        if !is_found(name) {
            let _ = write!(call, " --set {}", quoted(given));
        }
    }
    for value in &found.values {
        let _ = write!(call, " --set {}={}", value.name, value.value);
    }
    for input in &found.inputs {
        let steps = input.steps.iter();
        let given = match input.steps.as_slice() {
            [(_, value)] => value.to_string(),
            _ => {
                let steps: Vec<String> = steps.map(|(from, value)| format!("{from}:{value}")).collect();
                steps.join(",")
            }
        };
        let _ = write!(call, " --input {}={given}", input.name);
    }
    let needed = found.time.max(found.worst_time);
    if subject.horizon().is_none_or(|horizon| horizon < needed) {
        let _ = write!(call, " --until {}", needed.max(f64::MIN_POSITIVE));
    }
    call
}

fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./=+,:".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn unknown(text: &mut String, (finding, stopped): (&Finding, Option<Stopped>), left: &Left, options: &Check) {
    line(text, "asked for", &ranges(&finding.unknowns));
    if left.safe > 0.0 {
        let decided = format!("{} of it proved safe", percent(left.safe));
        line(text, "decided", &decided);
    }
    if let Some(first) = left.boxes.first() {
        let sides: Vec<_> = left
            .names
            .iter()
            .cloned()
            .zip(first.sides.iter().copied())
            .collect();
        let sides: Vec<_> = sides
            .into_iter()
            .map(|(name, (low, high))| (name, low, high))
            .collect();
        let such_as = if sides.is_empty() {
            String::new()
        } else {
            format!(", such as {}", ranges(&sides))
        };
        let boxes = count(left.boxes.len(), "box", "boxes");
        line!(
            text,
            "left",
            "{boxes}, {} of it{such_as}",
            percent(left.undecided)
        );
    }
    let groups = left.groups();
    let mut head = "because";
    for group in groups.iter().take(MOST_REASONS) {
        let boxes = count(group.boxes, "box", "boxes");
        line!(text, head, "{} ({boxes})", group.reason);
        head = "";
    }
    if groups.len() > MOST_REASONS {
        line!(text, "", "and {} more reasons", groups.len() - MOST_REASONS);
    }
    for note in &left.notes {
        line(text, head, note);
        head = "";
    }
    line(text, "searched", &searched(&finding.statistics));
    if let Some(stopped) = stopped {
        line(text, "stopped", &stopped.sentence());
    }
    for advice in advice((finding, stopped), left, options) {
        line(text, "try", &advice);
    }
}

fn searched(statistics: &Statistics) -> String {
    let mut text = format!(
        "{}, no counterexample",
        count(statistics.simulations, "simulation", "simulations")
    );
    if let Some((least, at)) = &statistics.best {
        let at: Vec<String> = at
            .iter()
            .map(|(name, x)| format!("{name} = {}", plain(*x)))
            .collect();
        let at = if at.is_empty() {
            String::new()
        } else {
            format!(" at {}", at.join(", "))
        };
        let _ = write!(text, "; least robustness {least:.3e}{at}");
    }
    if let Some(why) = &statistics.first_failure {
        let _ = write!(text, "; {} showed nothing: {why}", statistics.failed_simulations);
    }
    text
}

/// What may help.
fn advice((finding, stopped): (&Finding, Option<Stopped>), left: &Left, options: &Check) -> Vec<String> {
    let mut all = Vec::new();
    let kinds: Vec<&str> = left.groups().iter().map(|g| g.kind).collect();
    let file = options.file.display();
    if let Some(Stopped::Timeout(_) | Stopped::Usual(_)) = stopped {
        all.push("a longer --timeout".to_owned());
    }
    if kinds.contains(&"property")
        && let Some((name, low, high)) = finding.unknowns.first()
    {
        all.push(format!(
            "--partition {name} --width {} shows for which {name} it is proved",
            plain((high - low) / 1000.0)
        ));
    }
    if kinds
        .iter()
        .any(|k| matches!(*k, "event" | "enclosure" | "limit"))
        && !finding.unknowns.is_empty()
    {
        all.push("smaller ranges: --set NAME=[a,b]".to_owned());
    }
    if kinds.is_empty() || kinds == ["formula"] {
        all.push(format!(
            "dyverse check {file} --budget 20000 searches longer; it cannot prove"
        ));
    }
    all
}

fn of_partition(text: &mut String, (partition, stopped): (&Partition, Option<Stopped>), options: &Check) {
    let asked = ranges(&partition.names);
    let _ = writeln!(text, "{}: {asked}", partition.property);
    if let Some(inputs) = partition.inputs.sentence() {
        line(text, "inputs", &inputs);
    }
    if !partition.others.is_empty() {
        line(text, "for all", &ranges(&partition.others));
    }
    if partition.names.len() == 1 {
        for cell in partition.cells.iter().take(MOST_CELLS) {
            let mut sides = side(cell.sides[0]);
            if let Some(reason) = &cell.reason {
                let _ = write!(sides, "  {reason}");
            }
            line(text, cell.outcome.word(), &sides);
        }
    } else {
        for outcome in [CellOutcome::Safe, CellOutcome::Unsafe, CellOutcome::Undecided] {
            let own = partition.cells.iter().filter(|c| c.outcome == outcome);
            let areas: Vec<f64> = own
                .map(|c| c.sides.iter().map(|(l, h)| h - l).product())
                .collect();
            let whole: f64 = partition.names.iter().map(|(_, l, h)| h - l).product();
            let share = percent(areas.iter().sum::<f64>() / whole);
            line!(
                text,
                outcome.word(),
                "{share} of the map, {}",
                count(areas.len(), "box", "boxes")
            );
        }
    }
    let more = partition.cells.len().saturating_sub(MOST_CELLS);
    if partition.names.len() == 1 && more > 0 {
        line!(text, "", "and {more} more intervals: --format json lists them");
    }
    let unit = if partition.names.len() == 1 {
        "width"
    } else {
        "area"
    };
    line!(
        text,
        "left",
        "{unit} {} undecided in all",
        plain(partition.undecided)
    );
    if let Some(stopped) = stopped {
        line(text, "stopped", &stopped.sentence());
    }
    if let Some(path) = &options.output {
        line(text, "written", &path.display().to_string());
    }
}

fn figures(text: &mut String, statistics: &Statistics) {
    let f = &statistics.figures;
    let all = format!(
        "{} simulations ({} showed nothing), {} boxes, {} steps, {} crossings, {} jumps, {} evolutions",
        statistics.simulations,
        statistics.failed_simulations,
        statistics.boxes,
        f.steps,
        f.crossings,
        f.jumps,
        f.evolutions
    );
    line(text, "statistics", &all);
    let q = &f.questions;
    let conflicts: u64 = q.conflicts_by_length.values().sum();
    let solver = format!(
        "{} calls of Satisfy, {} to SAT, {} to the theory, {conflicts} conflicts learnt",
        q.calls, q.sat_calls, q.theory_calls
    );
    line(text, "solver", &solver);
    // The papers' figures 11 to 13: calls, iterations and clauses by length against simulated time.
    let longest = q
        .by_time
        .iter()
        .flat_map(|bin| bin.clauses_by_length.keys())
        .max();
    for (place, bin) in q.by_time.iter().enumerate().filter(|(_, bin)| bin.calls > 0) {
        let clauses: Vec<String> = (1..=longest.copied().unwrap_or(0))
            .map(|n| bin.clauses_by_length.get(&n).copied().unwrap_or(0).to_string())
            .collect();
        let row = format!(
            "{:>3} % of the time: {} calls, {} iterations, {} learnt, clauses of length 1, 2, …: {}",
            100 * place / q.by_time.len(),
            bin.calls,
            bin.iterations,
            bin.learnt,
            clauses.join(" ")
        );
        line(text, "", &row);
    }
}

/// A partition as it is drawn.
pub(super) fn regions(subject: Checkable<'_>, partition: &Partition) -> Regions {
    let kind = |outcome| match outcome {
        CellOutcome::Safe => RegionKind::Safe,
        CellOutcome::Unsafe => RegionKind::Unsafe,
        CellOutcome::Undecided => RegionKind::Undecided,
    };
    let cells = partition.cells.iter().map(|cell| Region {
        sides: cell.sides.clone(),
        kind: kind(cell.outcome),
    });
    Regions {
        title: format!("{}: {}", subject.name(), partition.property),
        axes: partition.names.clone(),
        regions: cells.collect(),
    }
}

/// `[0, 1] s`.
pub(super) fn windows(windows: &[(f64, f64)]) -> String {
    let each: Vec<String> = windows.iter().map(|window| side(*window)).collect();
    format!("{} s", each.join(", "))
}

/// `K in [1, 3], e in [0.7, 0.9]`.
pub(super) fn ranges(ranges: &[(String, f64, f64)]) -> String {
    if ranges.is_empty() {
        return "the model as it is: nothing in it is unknown".into();
    }
    let each: Vec<String> = ranges
        .iter()
        .map(|(name, low, high)| format!("{name} in {}", side((*low, *high))))
        .collect();
    each.join(", ")
}

fn side((low, high): (f64, f64)) -> String {
    format!("[{}, {}]", plain(low), plain(high))
}

/// A number with twelve digits at the most.
pub(super) fn plain(x: f64) -> String {
    let rounded: f64 = format!("{x:.11e}").parse().unwrap_or(x);
    let size = rounded.abs();
    if rounded == 0.0 {
        // Also where it is -0, which sums of nothing are.
        "0".to_owned()
    } else if (1e-4..1e9).contains(&size) {
        format!("{rounded}")
    } else {
        format!("{rounded:e}")
    }
}
