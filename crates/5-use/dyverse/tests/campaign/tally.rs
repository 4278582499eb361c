//! What a campaign has found.

use std::collections::BTreeMap;

use dyverse_check::{Outcome, Reason, Refined};

#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) models: usize,
    pub(crate) not_simulated: usize,
    pub(crate) refused: usize,
    /// Models with a safe, an unsafe, an undecided part.
    pub(crate) safe: usize,
    pub(crate) broken: usize,
    pub(crate) undecided: usize,
    /// Models that were simulated over a box.
    pub(crate) with_unknowns: usize,
    pub(crate) runs: usize,
    pub(crate) stopped: usize,
    /// Boxes proved unsafe, and those of them whose middle has no run, with the reason.
    pub(crate) unsafe_boxes: usize,
    pub(crate) not_replayed: Vec<String>,
    /// Share of boxes decided, summed over models.
    pub(crate) decided: f64,
    pub(crate) reasons: BTreeMap<String, usize>,
    pub(crate) families: BTreeMap<&'static str, (usize, f64)>,
    pub(crate) proofs: Proofs,
    pub(crate) contradictions: Vec<String>,
    /// Parts of trials that ended because their time was over.
    pub(crate) out_of_time: BTreeMap<&'static str, usize>,
    /// Seconds: to decide, to simulate, to prove and check and damage.
    pub(crate) seconds: [f64; 3],
}

/// Of proofs.
#[derive(Debug, Default)]
pub(crate) struct Proofs {
    /// Models whose whole box, or one box of which, was to be proved.
    pub(crate) whole: usize,
    pub(crate) part: usize,
    /// Those whose proof the checker accepts.
    pub(crate) accepted_whole: usize,
    pub(crate) accepted_part: usize,
    /// Why not.
    pub(crate) rejected: Vec<String>,
    pub(crate) boxes: usize,
    /// Damaged proofs: rejected; accepted because what was damaged is no part of what is followed, or is still true.
    pub(crate) damaged: BTreeMap<&'static str, (usize, usize)>,
}

impl Tally {
    /// Adds what another campaign has found.
    pub(crate) fn add(&mut self, other: Tally) {
        self.models += other.models;
        self.not_simulated += other.not_simulated;
        self.refused += other.refused;
        self.safe += other.safe;
        self.broken += other.broken;
        self.undecided += other.undecided;
        self.with_unknowns += other.with_unknowns;
        self.runs += other.runs;
        self.stopped += other.stopped;
        self.unsafe_boxes += other.unsafe_boxes;
        self.not_replayed.extend(other.not_replayed);
        self.decided += other.decided;
        for (reason, count) in other.reasons {
            *self.reasons.entry(reason).or_default() += count;
        }
        for (family, (models, decided)) in other.families {
            let own = self.families.entry(family).or_default();
            own.0 += models;
            own.1 += decided;
        }
        let (own, proofs) = (&mut self.proofs, other.proofs);
        own.whole += proofs.whole;
        own.part += proofs.part;
        own.accepted_whole += proofs.accepted_whole;
        own.accepted_part += proofs.accepted_part;
        own.rejected.extend(proofs.rejected);
        own.boxes += proofs.boxes;
        for (kind, (rejected, held)) in proofs.damaged {
            let counts = own.damaged.entry(kind).or_default();
            counts.0 += rejected;
            counts.1 += held;
        }
        self.contradictions.extend(other.contradictions);
        for (part, count) in other.out_of_time {
            *self.out_of_time.entry(part).or_default() += count;
        }
        for (own, other) in self.seconds.iter_mut().zip(other.seconds) {
            *own += other;
        }
    }

    /// A part of a trial had no more time.
    pub(crate) fn over(&mut self, part: &'static str) {
        *self.out_of_time.entry(part).or_default() += 1;
    }

    pub(crate) fn count(&mut self, refined: &Refined, family: &'static str) {
        let is_undecided = |o: &Outcome| matches!(o, Outcome::Undecided(_));
        let has = |of: &dyn Fn(&Outcome) -> bool| usize::from(refined.boxes.iter().any(|b| of(&b.outcome)));
        self.safe += has(&|o| matches!(o, Outcome::Safe(_)));
        self.broken += has(&|o| matches!(o, Outcome::Unsafe { .. }));
        self.undecided += has(&is_undecided);
        let share = refined.share(|o| !is_undecided(o));
        self.decided += share;
        let own = self.families.entry(family).or_default();
        own.0 += 1;
        own.1 += share;
        let open = refined.boxes.iter().find_map(|b| match &b.outcome {
            Outcome::Undecided(reason) => Some(kind(reason)),
            _ => None,
        });
        if let Some(reason) = open {
            *self.reasons.entry(reason).or_default() += 1;
        }
    }

    pub(crate) fn print(&self, name: &str) {
        println!(
            "{name}: {} models ({} not simulated, {} refused), safe parts {}, unsafe parts {}, undecided parts {}; share decided {:.3}",
            self.models,
            self.not_simulated,
            self.refused,
            self.safe,
            self.broken,
            self.undecided,
            self.decided / self.models.max(1) as f64
        );
        println!(
            "  {} runs ({} stopped early), most of {} models with unknowns; {} unsafe boxes, {} not replayed",
            self.runs,
            self.stopped,
            self.with_unknowns,
            self.unsafe_boxes,
            self.not_replayed.len()
        );
        for why in &self.not_replayed {
            println!("  not replayed: {why}");
        }
        let proofs = &self.proofs;
        println!(
            "  proofs: {} of {} whole models accepted, {} of {} boxes of others; {} boxes; damaged (rejected, still true): {:?}",
            proofs.accepted_whole,
            proofs.whole,
            proofs.accepted_part,
            proofs.part,
            proofs.boxes,
            proofs.damaged
        );
        println!("  seconds to decide, simulate, prove: {:.1?}", self.seconds);
        println!("  out of time: {:?}", self.out_of_time);
        for (family, (models, decided)) in &self.families {
            let share = decided / *models as f64;
            println!("  {family}: {models} models, share decided {share:.3}");
        }
        for (reason, count) in &self.reasons {
            println!("  {count} × {reason}");
        }
        for rejected in &self.proofs.rejected {
            println!("  not accepted: {rejected}");
        }
    }
}

/// Digits left out, so that reasons are counted by their kind.
fn kind(reason: &Reason) -> String {
    let text = reason.to_string();
    let text: String = text
        .chars()
        .filter(|c| !c.is_ascii_digit() && *c != '.')
        .collect();
    text.chars().take(90).collect()
}
