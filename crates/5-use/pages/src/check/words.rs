//! A verdict with its evidence in a sentence, and formulas as text.

use super::CheckAnswer;
use dyverse_expr::NodeId;
use dyverse_model::{Formula, FormulaId, Window};
use dyverse_verdict::{CellOutcome, Certainty, Checkable, Finding, Partition, Verdict, count, percent};

/// Characters of a formula at the most.
const LONGEST: usize = 4000;

pub(super) fn sentence(answer: &CheckAnswer) -> String {
    let (text, inputs) = match answer {
        CheckAnswer::Partition(partition) => (of_partition(partition), &partition.inputs),
        CheckAnswer::Finding(finding) => (of_finding(finding), &finding.inputs),
    };
    match inputs.sentence() {
        Some(assumed) => format!("{text} Inputs: {assumed}."),
        None => text,
    }
}

fn of_finding(finding: &Finding) -> String {
    let statistics = &finding.statistics;
    let simulations = count(statistics.simulations, "simulation", "simulations");
    match &finding.verdict {
        Verdict::Safe(proof) => format!(
            "Proved for all values: {}, {}, {} and {} enclosed; {simulations} agree.",
            count(proof.boxes.len(), "box", "boxes"),
            count(statistics.figures.steps, "step", "steps"),
            count(statistics.figures.crossings, "crossing", "crossings"),
            count(statistics.figures.evolutions, "evolution", "evolutions"),
        ),
        Verdict::Unsafe(found) => {
            let evidence = match found.certainty {
                Certainty::Enclosed => "replayed by simulation, and enclosed with validated arithmetic",
                Certainty::Replayed(_) => "replayed by simulation with several accuracies, not enclosed",
            };
            format!(
                "Broken at t = {} s, by {} at the worst: {evidence}.",
                short(found.time),
                short(-found.robustness)
            )
        }
        Verdict::Unknown(left) => format!(
            "Neither proved nor refuted: {} of the unknowns is proved safe, {} is left in {}; {simulations} found no counterexample.",
            percent(left.safe),
            percent(left.undecided),
            count(left.boxes.len(), "box", "boxes"),
        ),
    }
}

fn of_partition(partition: &Partition) -> String {
    let size = |sides: &[(f64, f64)]| -> f64 { sides.iter().map(|(a, b)| b - a).product() };
    let whole: f64 = partition.names.iter().map(|(_, a, b)| b - a).product();
    let share = |outcome| {
        let own = partition.cells.iter().filter(|cell| cell.outcome == outcome);
        percent(own.map(|cell| size(&cell.sides)).sum::<f64>() / whole)
    };
    let others = if partition.others.is_empty() {
        ""
    } else {
        ", for all values of the other unknowns"
    };
    format!(
        "{} is proved safe{others}, {} is proved unsafe, {} is undecided.",
        share(CellOutcome::Safe),
        share(CellOutcome::Unsafe),
        share(CellOutcome::Undecided)
    )
}

/// Six digits.
fn short(x: f64) -> String {
    let rounded: f64 = format!("{x:.5e}").parse().unwrap_or(x);
    if rounded == 0.0 || (1e-4..1e6).contains(&rounded.abs()) {
        format!("{rounded}")
    } else {
        format!("{rounded:e}")
    }
}

/// What a property asks, as a model file would write it.
pub(super) fn formula(subject: Checkable<'_>, property: &str) -> String {
    let Some(property) = subject.properties().iter().find(|p| p.name == property) else {
        return String::new();
    };
    let text = |node: NodeId| match subject {
        Checkable::Bodies(model) => model.text(node),
        Checkable::Actors(model) => model.graph.print(node),
    };
    // Operands come before operators, so nothing recurses.
    let mut texts: Vec<(String, bool)> = Vec::with_capacity(property.parts.len());
    for part in &property.parts {
        let of = |id: &FormulaId| texts.get(id.0 as usize).cloned().unwrap_or_default();
        let closed = |id: &FormulaId| match of(id) {
            (text, true) => text,
            (text, false) => format!("({text})"),
        };
        let (whole, is_atom) = match part {
            Formula::Now(node) => {
                let text = text(*node);
                let is_atom = !text.contains(" or ") && !text.contains(" and ") && !text.starts_with("not ");
                (text, is_atom)
            }
            Formula::Not(a) => (format!("not {}", closed(a)), false),
            Formula::And(a, b) => (format!("{} and {}", closed(a), closed(b)), false),
            Formula::Or(a, b) => (format!("{} or {}", closed(a), closed(b)), false),
            Formula::Always(w, a) => (format!("always {}{}", window(*w), closed(a)), false),
            Formula::Eventually(w, a) => (format!("eventually {}{}", window(*w), closed(a)), false),
            Formula::Until(w, a, b) => (format!("{} until {}{}", closed(a), window(*w), closed(b)), false),
        };
        let is_long = whole.len() > LONGEST;
        texts.push(if is_long {
            ("…".into(), true)
        } else {
            (whole, is_atom)
        });
    }
    texts.pop().unwrap_or_default().0
}

fn window(window: Option<Window>) -> String {
    window.map_or(String::new(), |w| format!("[{}, {}] ", w.from, w.to))
}
