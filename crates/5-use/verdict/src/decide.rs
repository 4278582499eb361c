//! One property: search, certify, refine, search on.

use crate::case::{Case, Certificate};
use crate::firm::firm;
use crate::left::Left;
use crate::subject::Checkable;
use crate::{
    Certainty, CheckError, CheckOptions, CheckProgress, CheckWatch, Counterexample, Finding, Statistics,
    Verdict, percent,
};
use dyverse_check::{Outcome, RefineOptions, Refined};
use dyverse_falsify::Witness;
use dyverse_formulas::Requirement;
use dyverse_proof::{Proof, ProvedBox};
use std::ops::ControlFlow;

/// Simulations before anything is enclosed.
const QUICK: usize = 200;
/// Parts of a run on which signals of inputs are constant, in the longer search.
const INPUT_PARTS: usize = 4;
/// Unsafe boxes that are tried for a witness.
const TRIES: usize = 8;

/// Decides a property of a model; `watch` is told how far it is and may end it.
///
/// # Errors
/// [`CheckError`] if there is nothing to decide.
pub fn check(
    subject: Checkable<'_>,
    property: &str,
    options: &CheckOptions,
    watch: CheckWatch<'_>,
) -> Result<Finding, CheckError> {
    let mut case = Case::new(subject, property, options, watch)?;
    let unknowns = case.experiment.unknowns();
    let own = unknowns.len() - case.inputs.any.len();
    let unknowns = unknowns.iter().take(own);
    let unknowns = unknowns.map(|u| (u.name.clone(), u.lower, u.upper)).collect();
    let verdict = decide(&mut case)?;
    Ok(Finding {
        property: property.to_owned(),
        unknowns,
        windows: case.windows(),
        inputs: case.inputs,
        verdict,
        statistics: case.statistics,
    })
}

/// The answer to give where a check does not end in time though it was asked to: what it told last, and nothing more.
///
/// # Errors
/// [`CheckError`] if there is nothing to decide.
pub fn unfinished(
    subject: Checkable<'_>,
    property: &str,
    options: &CheckOptions,
    progress: &CheckProgress,
) -> Result<Finding, CheckError> {
    let case = Case::new(subject, property, options, &|_| ControlFlow::Break(()))?;
    let left = Left {
        is_stopped: true,
        ..Left::everything(unfinished_note(progress))
    };
    let unknowns = case.experiment.unknowns();
    let own = unknowns.len() - case.inputs.any.len();
    Ok(Finding {
        property: property.to_owned(),
        unknowns: unknowns
            .iter()
            .take(own)
            .map(|u| (u.name.clone(), u.lower, u.upper))
            .collect(),
        windows: case.windows(),
        verdict: Verdict::Unknown(Box::new(left)),
        statistics: Statistics {
            simulations: progress.simulations,
            boxes: progress.boxes,
            ..Statistics::default()
        },
        inputs: case.inputs,
    })
}

/// What is said of a check that was not waited for.
pub(super) fn unfinished_note(progress: &CheckProgress) -> String {
    format!(
        "one step of the search took too long to be waited for; {} of the unknowns was decided before",
        percent(progress.decided)
    )
}

fn decide(case: &mut Case<'_, '_>) -> Result<Verdict, CheckError> {
    let mut doubts = Vec::new();
    let quick = QUICK.min(case.options.budget);
    if let Some(found) = hunt(case, case.options.seed, quick, &mut doubts) {
        return Ok(Verdict::Unsafe(Box::new(found)));
    }
    let mut left = match case.requirement.clone() {
        _ if !case.inputs.any.is_empty() => {
            // What jumps within a run may do what no constant does.
            case.with_parts(INPUT_PARTS)?;
            Left::everything(case.inputs.obstacle().unwrap_or_default())
        }
        Err(obstacle) => Left::everything(obstacle.what),
        Ok(requirement) => {
            let choices = &case.options.choices;
            match case.refine(&requirement, choices, &refine_options(case.options), (0.0, 1.0)) {
                Err(obstacle) => Left::everything(obstacle.what),
                Ok(refined) if refined.is_safe() && doubts.is_empty() => {
                    let mut found = proof(case, &requirement, refined)?;
                    if case.options.firm_proof {
                        found = firm(case, &requirement, found)?;
                    }
                    return Ok(Verdict::Safe(Box::new(found)));
                }
                Ok(refined) => {
                    if let Some(found) = from_boxes(case, &refined, &mut doubts) {
                        return Ok(Verdict::Unsafe(Box::new(found)));
                    }
                    let unknowns = case.subject.unknowns(choices, &requirement).unwrap_or_default();
                    Left::of(&refined, unknowns.into_iter().map(|u| u.name).collect())
                }
            }
        }
    };
    let budget = case.options.budget.saturating_sub(case.statistics.simulations);
    if let Some(found) = hunt(case, case.options.seed.wrapping_add(1), budget, &mut doubts) {
        return Ok(Verdict::Unsafe(Box::new(found)));
    }
    left.is_stopped |= case.is_stopped();
    left.notes.append(&mut doubts);
    Ok(Verdict::Unknown(Box::new(left)))
}

pub(super) fn refine_options(options: &CheckOptions) -> RefineOptions {
    RefineOptions {
        smallest: options.smallest,
        boxes: options.boxes,
        threads: options.threads,
        stop_at_unsafe: true,
        limits: options.limits_of_boxes(),
    }
}

/// Searches for a counterexample, and makes sure of it. What stays doubtful is noted.
fn hunt(
    case: &mut Case<'_, '_>,
    seed: u64,
    budget: usize,
    doubts: &mut Vec<String>,
) -> Option<Counterexample> {
    let first = case.search(seed, budget, true)?;
    match case.certify(&first.values) {
        Certificate::Enclosed(time) => {
            return Some(case.counterexample(&first, Certainty::Enclosed, Some(time)));
        }
        Certificate::Contradicted => doubts.push(contradiction(&first)),
        Certificate::Open(_) => {}
    }
    // One that is not on the edge of being one is easier to enclose.
    let worst = case.search(seed, budget, false).unwrap_or_else(|| first.clone());
    let certificate = case.certify(&worst.values);
    match certificate {
        Certificate::Enclosed(time) => Some(case.counterexample(&worst, Certainty::Enclosed, Some(time))),
        Certificate::Contradicted => {
            doubts.push(contradiction(&worst));
            None
        }
        Certificate::Open(why) if case.is_beyond_doubt(&worst) => {
            Some(case.counterexample(&worst, Certainty::Replayed(why), None))
        }
        Certificate::Open(why) => {
            doubts.push(format!(
                "a simulation with {} breaks it by {:.3e}, too little to be sure ({why})",
                named(&worst.values),
                -worst.robustness.value
            ));
            None
        }
    }
}

fn contradiction(witness: &Witness) -> String {
    format!(
        "a simulation with {} breaks it by {:.3e}, and its enclosure says that it holds: one of them is wrong",
        named(&witness.values),
        -witness.robustness.value
    )
}

fn named(values: &[(String, f64)]) -> String {
    if values.is_empty() {
        return "the model's values".into();
    }
    let each: Vec<String> = values
        .iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    each.join(", ")
}

/// A witness from a point that is proved to be one, or from the middle of an unsafe box, the largest first.
fn from_boxes(
    case: &mut Case<'_, '_>,
    refined: &Refined,
    doubts: &mut Vec<String>,
) -> Option<Counterexample> {
    let is_unsafe = |o: &Outcome| matches!(o, Outcome::Unsafe { .. });
    let mut boxes: Vec<_> = refined.boxes.iter().filter(|b| is_unsafe(&b.outcome)).collect();
    let share = |b: &&dyverse_check::Decided| b.unknowns.share(&refined.whole);
    boxes.sort_by(|a, b| share(b).total_cmp(&share(a)));
    let requirement = case.requirement.clone().ok()?;
    let unknowns = case.subject.unknowns(&case.options.choices, &requirement).ok()?;
    let middles = boxes.into_iter().take(TRIES).map(|b| b.unknowns.middle());
    for point in refined.unsafe_points.iter().cloned().chain(middles) {
        let names = unknowns.iter().map(|u| u.name.clone());
        let mut values: Vec<(String, f64)> = names.zip(point).collect();
        // What the formulas do not read may be anything.
        for other in case.experiment.unknowns() {
            if !values.iter().any(|(name, _)| *name == other.name) {
                values.push((other.name.clone(), 0.5 * (other.lower + other.upper)));
            }
        }
        let Some(robustness) = case.simulate(&values) else {
            continue;
        };
        // On the edge the run says nothing: the enclosure does.
        let is_broken = robustness.value <= robustness.error;
        let witness = Witness { values, robustness };
        if !is_broken {
            doubts.push(format!(
                "an enclosure says that {} breaks it, and a simulation has it hold by {:.3e}: one of them is wrong",
                named(&witness.values),
                witness.robustness.value
            ));
            continue;
        }
        match case.certify(&witness.values) {
            Certificate::Enclosed(time) => {
                return Some(case.counterexample(&witness, Certainty::Enclosed, Some(time)));
            }
            Certificate::Contradicted => doubts.push(contradiction(&witness)),
            // The enclosure of its box says so of every point in it, and the run breaks it as well.
            Certificate::Open(_) if witness.robustness.value < -witness.robustness.error => {
                return Some(case.counterexample(&witness, Certainty::Enclosed, None));
            }
            Certificate::Open(why) => doubts.push(format!(
                "an enclosure says that {} breaks it, which its run neither shows nor denies ({why})",
                named(&witness.values)
            )),
        }
    }
    None
}

fn proof(case: &Case<'_, '_>, requirement: &Requirement, refined: Refined) -> Result<Proof, CheckError> {
    let choices = &case.options.choices;
    let unknowns = case.subject.unknowns(choices, requirement);
    let unknowns = unknowns.map_err(|obstacle| CheckError::NotProvable(obstacle.what))?;
    Ok(Proof {
        system: case.subject.name().to_owned(),
        property: case.property.clone(),
        horizon: requirement.horizon(),
        choices: choices.clone(),
        inputs: case.inputs.by_choice.clone(),
        unknowns: unknowns.into_iter().map(|u| (u.name, u.lower, u.upper)).collect(),
        boxes: proved_boxes(refined),
    })
}

/// The boxes that are proved safe, with their proofs.
pub(super) fn proved_boxes(refined: Refined) -> Vec<ProvedBox> {
    let proved = refined.boxes.into_iter().filter_map(|b| match b.outcome {
        Outcome::Safe(stays) => Some(ProvedBox {
            sides: b.unknowns.sides.iter().map(|s| (s.lo(), s.hi())).collect(),
            stays,
        }),
        _ => None,
    });
    proved.collect()
}
