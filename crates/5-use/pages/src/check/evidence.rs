//! What a check took, and what it leaves.

use dyverse_verdict::{Left, Questions, Statistics};
use dyverse_view::{Figures, LeftReason, LengthCount, SolverFigures, TimeFigures};
use std::collections::BTreeMap;

pub(super) fn figures(statistics: &Statistics) -> Figures {
    let own = &statistics.figures;
    Figures {
        simulations: statistics.simulations,
        failed_simulations: statistics.failed_simulations,
        least_robustness: statistics.best.as_ref().map(|(value, _)| *value),
        boxes: statistics.boxes,
        steps: own.steps,
        crossings: own.crossings,
        jumps: own.jumps,
        evolutions: own.evolutions,
        solver: solver(&own.questions),
    }
}

fn solver(questions: &Questions) -> SolverFigures {
    let by_time = questions.by_time.iter().map(|bin| TimeFigures {
        calls: bin.calls,
        iterations: bin.iterations,
        learnt: bin.learnt,
        clauses_by_length: by_length(&bin.clauses_by_length),
    });
    SolverFigures {
        calls: questions.calls,
        sat_calls: questions.sat_calls,
        theory_calls: questions.theory_calls,
        iterations: questions.iterations,
        conflicts_by_length: by_length(&questions.conflicts_by_length),
        by_time: by_time.collect(),
    }
}

fn by_length(counts: &BTreeMap<usize, u64>) -> Vec<LengthCount> {
    let each = counts.iter().map(|(length, count)| LengthCount {
        length: *length,
        count: *count,
    });
    each.collect()
}

pub(super) fn left(left: &Left) -> dyverse_view::Left {
    let reasons = left.groups().into_iter().map(|group| LeftReason {
        boxes: group.boxes,
        kind: group.kind.to_owned(),
        reason: group.reason,
    });
    dyverse_view::Left {
        reasons: reasons.collect(),
        notes: left.notes.clone(),
        stopped: left.is_stopped,
    }
}
