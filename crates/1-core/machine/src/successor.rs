//! Which edge the moves of some contacts make: one place for runs, proofs and C \[SPEC §3, rules 1–8, 4b and 6b\].
//!
//! The strongest move picks the edge: closing before opening before beginning to slip before breaking away or stopping. The contacts at hand are those of one cluster of a large system;
//! islands share no moving entity, so a node over all closed contacts finds each island's own answer.
//!
//! **Frame lemma.** An edge of a part, the modes of all other contacts unchanged, is an edge of the whole automaton. Its rule depends on the others through two numbers alone: how many are closed
//! ([`Elsewhere::closed`]: rule 8 becomes 6, 2 or 7), and how many of them do not slip (4b becomes 4). Trans lasts an instant, so there is none elsewhere.
//!
//! # Guarantee
//! Exact; the lemma is a test over random parts (`tests/frame.rs`).

use crate::edges::Rule;
use crate::location::{FrictionMode, NodeKind};
use crate::table::{Move, Moves, Standing};

/// Where a run is, apart from how its contacts stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// In a dynamical location.
    Location,
    /// en.
    Entrance(NodeKind),
    /// A step of SORPROX, or after as many collisions of a sequence.
    Step(NodeKind, usize),
    /// ex.
    Exit(NodeKind),
}

/// What is closed among the contacts that are not at hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Elsewhere {
    /// How many.
    pub closed: usize,
    /// How many of them do not slip.
    pub not_slipping: usize,
}

/// The edge that contacts make together, each with how it stands and its one move: its rule and where it leads. None where they all stay in a location, where nothing is closed to leave a node
/// with, or where the stage is left by inner edges.
#[must_use]
pub fn successor(
    stage: Stage,
    part: impl Iterator<Item = (Standing, Move)> + Clone,
    elsewhere: Elsewhere,
) -> Option<(Rule, Stage)> {
    let strongest = part.clone().map(|(_, does)| does).max().unwrap_or(Move::Stays);
    let after = part.clone().map(|(stands, does)| does.leads_to(stands));
    let is_closed = |stands: &Standing| *stands != Standing::Open;
    let closed_before = elsewhere.closed + part.clone().filter(|(stands, _)| is_closed(stands)).count();
    let closed_after = elsewhere.closed + after.clone().filter(is_closed).count();
    let contact_node = Stage::Entrance(NodeKind::Contact);
    if stage != Stage::Location && closed_before == 0 {
        return None;
    }
    let is_closing = part.clone().any(|(_, does)| does == Move::Closes);
    match (stage, strongest) {
        // All that strike are closed already.
        (Stage::Location, Move::Strikes) if !is_closing => {
            Some((Rule::R6b, Stage::Entrance(NodeKind::Impact)))
        }
        (Stage::Location, Move::Strikes | Move::Closes) => {
            let rule = if closed_before == 0 { Rule::R8b } else { Rule::R6 };
            Some((rule, Stage::Entrance(NodeKind::Impact)))
        }
        (Stage::Location, Move::Opens) if closed_after == 0 => Some((Rule::R8c, Stage::Location)),
        (Stage::Location, Move::Opens) => Some((Rule::R7, contact_node)),
        (Stage::Location, Move::BeginsToSlip) => Some((Rule::R5, Stage::Location)),
        (Stage::Location, Move::BreaksAway | Move::Stops) => Some((Rule::R3, contact_node)),
        (Stage::Exit(NodeKind::Impact), Move::Leaves) if closed_after == 0 => {
            Some((Rule::R8a, Stage::Location))
        }
        (Stage::Exit(NodeKind::Impact), Move::Leaves) => Some((Rule::R2, contact_node)),
        (Stage::Exit(NodeKind::Impact), Move::Stays) => Some((Rule::R1, contact_node)),
        // Where all contacts at hand have left, the node gives the others the modes that they have.
        (Stage::Exit(NodeKind::Contact), Move::Sticks | Move::Starts | Move::Slips | Move::Stays) => {
            let slips = |stands: Standing| stands == Standing::In(FrictionMode::Slip);
            let is_all_slip = elsewhere.not_slipping == 0 && after.filter(is_closed).all(slips);
            let rule = if is_all_slip { Rule::R4b } else { Rule::R4 };
            Some((rule, Stage::Location))
        }
        _ => None,
    }
}

/// Every choice of one move for each contact, in order: what a proof has to follow where a judge cannot tell.
pub fn choices(possible: &[Moves]) -> impl Iterator<Item = Vec<Move>> + use<'_> {
    let ways: Vec<Vec<Move>> = possible.iter().map(|moves| moves.iter().collect()).collect();
    let mut digits = ways.iter().all(|w| !w.is_empty()).then(|| vec![0; ways.len()]);
    std::iter::from_fn(move || {
        let now = digits.clone()?;
        let choice = now.iter().zip(&ways).map(|(digit, ways)| ways[*digit]).collect();
        digits = next_digits(now, &ways);
        Some(choice)
    })
}

fn next_digits(mut digits: Vec<usize>, ways: &[Vec<Move>]) -> Option<Vec<usize>> {
    for (digit, ways) in digits.iter_mut().zip(ways).rev() {
        *digit += 1;
        if *digit < ways.len() {
            return Some(digits);
        }
        *digit = 0;
    }
    None
}
