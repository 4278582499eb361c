//! Proofs that their independent check accepts: a box whose proof it rejects is halved and proved again.
//!
//! Prover and checker bound the same motion in different ways. In a box that is only just narrow enough for one of them the other may lose it; in its halves both succeed.

use crate::CheckError;
use crate::case::Case;
use crate::decide::{proved_boxes, refine_options};
use dyverse_check::{Interrupt, UnknownBox};
use dyverse_formulas::Requirement;
use dyverse_num::Interval;
use dyverse_proof::{Proof, ProvedBox};

/// Times that a box is halved at the most.
const MOST_HALVINGS: usize = 5;

/// The same proof with boxes that the checker accepts, as far as that is to be had.
pub(super) fn firm(
    case: &mut Case<'_, '_>,
    requirement: &Requirement,
    mut proof: Proof,
) -> Result<Proof, CheckError> {
    let mut waiting: Vec<(ProvedBox, usize)> = proof.boxes.drain(..).map(|b| (b, 0)).collect();
    let mut boxes = Vec::new();
    while let Some((proved, depth)) = waiting.pop() {
        if case.is_stopped() {
            // It is proved all the same; only nobody has looked whether the other arithmetic follows.
            case.statistics.unconfirmed += 1;
            boxes.push(proved);
            continue;
        }
        let choices = narrowed(case, &proof, &proved.sides);
        let single = Proof {
            system: proof.system.clone(),
            property: proof.property.clone(),
            horizon: proof.horizon,
            choices: choices.clone(),
            inputs: proof.inputs.clone(),
            unknowns: choices[case.options.choices.len()..].to_vec(),
            boxes: vec![proved.clone()],
        };
        let interrupt = case.options.interrupt.clone();
        let ends = || interrupt.as_ref().is_some_and(Interrupt::is_set);
        let is_accepted = case.subject.accepts(&single, requirement, Some(&ends));
        let is_worth_halving = !is_accepted && depth < MOST_HALVINGS && !case.is_stopped();
        let halves = halves(&proof, &proved.sides).filter(|_| is_worth_halving);
        let Some(halves) = halves else {
            case.statistics.unconfirmed += usize::from(!is_accepted);
            boxes.push(proved);
            continue;
        };
        let mut again = Vec::new();
        for half in halves {
            let choices = narrowed(case, &proof, &half);
            let found = case.refine(requirement, &choices, &refine_options(case.options), (1.0, 0.0));
            match found {
                Ok(refined) if refined.is_safe() => again.extend(proved_boxes(refined)),
                _ => {
                    again.clear();
                    break;
                }
            }
        }
        if again.is_empty() {
            case.statistics.unconfirmed += 1;
            boxes.push(proved);
        } else {
            waiting.extend(again.into_iter().map(|b| (b, depth + 1)));
        }
    }
    boxes.sort_by(|a, b| {
        let pairs = a.sides.iter().zip(&b.sides);
        let first = pairs.map(|(x, y)| x.0.total_cmp(&y.0)).find(|o| o.is_ne());
        first.unwrap_or(std::cmp::Ordering::Equal)
    });
    proof.boxes = boxes;
    Ok(proof)
}

/// The choices of the case, and its unknowns in a box.
fn narrowed(case: &Case<'_, '_>, proof: &Proof, sides: &[(f64, f64)]) -> Vec<(String, f64, f64)> {
    let mut choices = case.options.choices.clone();
    let unknowns = proof.unknowns.iter().zip(sides);
    choices.extend(unknowns.map(|((name, ..), (low, high))| (name.clone(), *low, *high)));
    choices
}

/// The halves of a box along its longest side; `None` if it is a point.
fn halves(proof: &Proof, sides: &[(f64, f64)]) -> Option<[Vec<(f64, f64)>; 2]> {
    let as_box = |sides: &[(f64, f64)]| UnknownBox {
        sides: sides
            .iter()
            .map(|(a, b)| Interval::new(*a, *b).unwrap_or(Interval::EMPTY))
            .collect(),
    };
    let whole: Vec<(f64, f64)> = proof.unknowns.iter().map(|(_, a, b)| (*a, *b)).collect();
    let own = as_box(sides);
    let longest = own.longest(&as_box(&whole))?;
    Some(
        own.halves(longest)
            .map(|half| half.sides.iter().map(|s| (s.lo(), s.hi())).collect()),
    )
}
