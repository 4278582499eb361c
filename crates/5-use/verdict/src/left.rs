//! What a check leaves open, and why.

use dyverse_check::{Outcome, Reason, Refined};
use std::collections::BTreeMap;

/// What is left open.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Left {
    /// The unknowns that the sides of boxes are about.
    pub names: Vec<String>,
    /// Boxes that are neither proved safe nor unsafe, in ascending order. Empty if nothing could be explored.
    pub boxes: Vec<LeftBox>,
    /// Boxes that are proved safe, one side for each unknown.
    pub proved: Vec<Vec<(f64, f64)>>,
    /// The share of the unknowns proved safe.
    pub safe: f64,
    /// The share of the unknowns in the boxes left.
    pub undecided: f64,
    /// Width, area, … of the boxes left: the product of the widths of their sides, added up.
    pub undecided_width: f64,
    /// Reasons that are about no box.
    pub notes: Vec<String>,
    /// Whether somebody ended the check.
    pub is_stopped: bool,
}

/// A box that is left.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftBox {
    /// One side for each unknown.
    pub sides: Vec<(f64, f64)>,
    /// Why it is left, for people.
    pub reason: String,
    /// The kind of the reason: `property`, `event`, `enclosure`, `formula`, `limit`.
    pub kind: &'static str,
    /// The part of the reason that boxes share.
    what: String,
}

/// Boxes left for like reasons.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// How many.
    pub boxes: usize,
    /// The kind of the reason.
    pub kind: &'static str,
    /// The reason of the first.
    pub reason: String,
}

impl Left {
    /// What a refinement leaves.
    pub(super) fn of(refined: &Refined, names: Vec<String>) -> Self {
        let mut left = Left {
            names,
            is_stopped: refined.is_cancelled,
            safe: refined.share(|o| matches!(o, Outcome::Safe(_))),
            undecided: refined.share(|o| matches!(o, Outcome::Undecided(_))),
            ..Left::default()
        };
        for decided in &refined.boxes {
            if let Outcome::Safe(_) = &decided.outcome {
                let sides = decided.unknowns.sides.iter();
                left.proved.push(sides.map(|s| (s.lo(), s.hi())).collect());
            }
            if let Outcome::Undecided(reason) = &decided.outcome {
                let sides = &decided.unknowns.sides;
                let width: f64 = sides.iter().map(|s| s.width()).filter(|w| *w > 0.0).product();
                left.undecided_width += if sides.is_empty() { 0.0 } else { width };
                left.boxes.push(LeftBox {
                    sides: sides.iter().map(|s| (s.lo(), s.hi())).collect(),
                    reason: reason.to_string(),
                    kind: kind(reason),
                    what: what(reason),
                });
            }
        }
        left
    }

    /// Nothing was explored, because of this.
    pub(super) fn everything(note: String) -> Self {
        Left {
            undecided: 1.0,
            notes: vec![note],
            ..Left::default()
        }
    }

    /// The boxes by their reasons, most first.
    pub fn groups(&self) -> Vec<Group> {
        let mut groups: BTreeMap<(&'static str, &str), Group> = BTreeMap::new();
        for left in &self.boxes {
            let group = groups
                .entry((left.kind, left.what.as_str()))
                .or_insert_with(|| Group {
                    boxes: 0,
                    kind: left.kind,
                    reason: left.reason.clone(),
                });
            group.boxes += 1;
        }
        let mut all: Vec<Group> = groups.into_values().collect();
        all.sort_by_key(|group| std::cmp::Reverse(group.boxes));
        all
    }
}

pub(super) fn kind(reason: &Reason) -> &'static str {
    match reason {
        Reason::Property { .. } => "property",
        Reason::Event { .. } => "event",
        Reason::Enclosure { .. } => "enclosure",
        Reason::Obstacle(_) => "formula",
        Reason::Limit(_) => "limit",
    }
}

fn what(reason: &Reason) -> String {
    match reason {
        Reason::Property { .. } => String::new(),
        Reason::Event { label, .. } => label.clone(),
        Reason::Enclosure { what, .. } | Reason::Obstacle(what) | Reason::Limit(what) => what.clone(),
    }
}
