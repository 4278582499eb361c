//! The proof of a random model, made as the command makes it, judged by the independent checker as the command lets it judge.
//!
//! If the whole box is safe it is the model's proof; else that of its largest safe box, whose sides are then choices.

use std::ops::ControlFlow;
use std::time::Instant;

use dyverse::check::{CheckOptions, ProofQuestion, Verdict, check, verify_proof, write_proof};
use dyverse::proof::{Accepted, Proof};
use dyverse_check::{Decided, Outcome, Refined};

use super::damage::{Damage, KINDS, damaged};
use super::random::Random;
use super::subject::{Subject, limits, over_at};
use super::tally::Tally;
use super::trial::Effort;

/// Steps of the checker that damaged copies of one proof may cost: long proofs are damaged less often.
const MOST_STEPS: usize = 3000;

/// Proves what is safe, has the proof judged, and damages it.
pub(crate) fn try_proof(
    seed: u64,
    subject: &Subject,
    refined: &Refined,
    names: &[String],
    effort: &Effort,
    tally: &mut Tally,
) {
    let is_whole = refined.is_safe();
    let Some(choices) = what_to_prove(refined, names) else {
        return;
    };
    let options = CheckOptions {
        choices,
        // Simulations are made elsewhere.
        budget: 0,
        boxes: 200,
        smallest: 1e-3,
        firm_proof: true,
        limits: limits(),
        interrupt: Some(over_at(Instant::now())),
        ..CheckOptions::default()
    };
    let begin = Instant::now();
    let finding = check(subject.checkable(), "p", &options, &|_| ControlFlow::Continue(()));
    let finding = finding.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    let is_over = over_at(begin).is_set();
    if is_over {
        tally.over("to prove");
    }
    let Verdict::Safe(proof) = finding.verdict else {
        if is_over && matches!(finding.verdict, Verdict::Unknown(_)) {
            return;
        }
        let word = finding.verdict.word();
        let contradiction = format!("seed {seed}: safe, but {word} when it is asked again");
        tally.contradictions.push(contradiction);
        return;
    };
    let proofs = &mut tally.proofs;
    let (asked, accepted) = if is_whole {
        (&mut proofs.whole, &mut proofs.accepted_whole)
    } else {
        (&mut proofs.part, &mut proofs.accepted_part)
    };
    *asked += 1;
    proofs.boxes += proof.boxes.len();
    match judged(subject, &proof) {
        Ok(found) => {
            *accepted += 1;
            try_damage(seed, subject, &proof, &found, effort.damages, tally);
        }
        Err(NoProof::TimeOver) => {
            *asked -= 1;
            tally.over("to judge a proof");
        }
        Err(NoProof::Rejected(why)) => {
            let what = if is_whole { "the whole" } else { "a box" };
            proofs.rejected.push(format!("seed {seed}, {what}: {why}"));
        }
    }
}

/// The largest safe box as choices; none if it is the whole box; `None` if no box is safe.
fn what_to_prove(refined: &Refined, names: &[String]) -> Option<Vec<(String, f64, f64)>> {
    if refined.is_safe() {
        return Some(Vec::new());
    }
    let is_safe = |b: &&Decided| matches!(b.outcome, Outcome::Safe(_));
    let share = |b: &&Decided| b.unknowns.share(&refined.whole);
    let safe = refined.boxes.iter().filter(is_safe);
    let largest = safe.max_by(|a, b| share(a).total_cmp(&share(b)))?;
    let sides = largest.unknowns.sides.iter();
    let named = names.iter().zip(sides);
    Some(named.map(|(name, s)| (name.clone(), s.lo(), s.hi())).collect())
}

/// Why a proof is not accepted.
enum NoProof {
    Rejected(String),
    /// Nothing is known of it.
    TimeOver,
}

/// Written, read and checked: what was followed, or why it is not accepted.
fn judged(subject: &Subject, proof: &Proof) -> Result<Accepted, NoProof> {
    let mut bytes = Vec::new();
    write_proof(proof, &mut bytes).map_err(|error| NoProof::Rejected(error.to_string()))?;
    let begin = Instant::now();
    let asked = ProofQuestion {
        choices: proof.choices.clone(),
        interrupt: Some(over_at(begin)),
        ..ProofQuestion::default()
    };
    match verify_proof(subject.checkable(), &asked, &bytes, 1) {
        Ok(found) => {
            assert_eq!(found.proof, *proof, "what was written is read");
            assert_eq!(found.accepted.boxes, proof.boxes.len());
            Ok(found.accepted)
        }
        Err(_) if over_at(begin).is_set() => Err(NoProof::TimeOver),
        Err(why) => Err(NoProof::Rejected(why.to_string())),
    }
}

/// Damages: rejected, all of them, but for claims that are still true and ways that nobody goes.
fn try_damage(
    seed: u64,
    subject: &Subject,
    good: &Proof,
    whole: &Accepted,
    damages: usize,
    tally: &mut Tally,
) {
    let mut random = Random::new(seed ^ 0xda3a);
    let damages = damages.min(2 + MOST_STEPS / whole.steps.max(1));
    let first = random.below(KINDS);
    for number in first..first + damages {
        let Some(Damage {
            kind,
            proof,
            may_hold,
        }) = damaged(good, number, &mut random)
        else {
            continue;
        };
        let judgement = judged(subject, &proof);
        let counts = tally.proofs.damaged.entry(kind).or_default();
        match judgement {
            Err(NoProof::TimeOver) => {
                tally.over("to judge a damaged proof");
                return;
            }
            Err(NoProof::Rejected(why)) => {
                assert!(!why.is_empty());
                counts.0 += 1;
            }
            // A way that the checker finds impossible was left out or renamed, or something behind it was changed.
            Ok(now) if may_hold && whole.needless_ways + now.needless_ways > 0 => counts.1 += 1,
            Ok(_) => tally.contradictions.push(format!(
                "seed {seed}: a proof is accepted although {kind} was damaged"
            )),
        }
    }
}
