//! The frame lemma: an edge of some contacts, all others as they are, is an edge of the whole automaton with the same rule.
//!
//! The oracle is the automaton itself over all contacts, which knows nothing of parts (and is judged by `naive.rs`).

use dyverse_machine::{
    ComputationNode, ContactId, ContactList, ContactSet, DynamicalLocation, Elsewhere, FrictionMode,
    GraphKind, HybridAutomaton, Location, Move, NodeKind, Phase, Stage, Standing, choices, moves, successor,
};
use dyverse_num::Tri;
use proptest::prelude::*;

const CLOSED: [Standing; 2] = [
    Standing::In(FrictionMode::Stick),
    Standing::In(FrictionMode::Slip),
];

fn automaton(contacts: usize) -> HybridAutomaton {
    let list = (0..contacts)
        .map(|n| dyverse_machine::Contact::new(format!("c{n}"), format!("a{n}"), format!("b{n}")))
        .collect();
    HybridAutomaton::new(ContactList::new(list), GraphKind::Complete, Vec::new()).unwrap()
}

fn set(stands: &[Standing], is_in: impl Fn(Standing) -> bool) -> ContactSet {
    let own = stands.iter().enumerate().filter(|(_, stands)| is_in(**stands));
    own.map(|(n, _)| ContactId::new(n as u32)).collect()
}

/// The location of the whole automaton.
fn whole(stage: Stage, stands: &[Standing]) -> Location {
    let node = |kind: NodeKind| ComputationNode::new(kind, set(stands, |s| s != Standing::Open)).unwrap();
    match stage {
        Stage::Location => {
            let of = |mode: FrictionMode| set(stands, move |s| s == Standing::In(mode));
            Location::Dynamical(
                DynamicalLocation::from_modes(
                    &of(FrictionMode::Stick),
                    of(FrictionMode::Trans),
                    of(FrictionMode::Slip),
                )
                .unwrap(),
            )
        }
        Stage::Entrance(kind) => Location::Entrance(node(kind)),
        Stage::Exit(kind) => Location::Exit(node(kind)),
        Stage::Step(..) => unreachable!("no edge of this test leads there"),
    }
}

/// What a contact of a part may do, by stage and how it stands; opening and closing come apart.
fn ways(stage: Stage, stands: Standing, with_closing: bool) -> Vec<Move> {
    match (stage, stands) {
        (Stage::Location, Standing::Open) if with_closing => vec![Move::Stays, Move::Closes],
        (Stage::Location, Standing::In(FrictionMode::Stick)) if !with_closing => {
            vec![Move::Stays, Move::BreaksAway, Move::Opens]
        }
        (Stage::Location, Standing::In(FrictionMode::Slip)) if !with_closing => {
            vec![Move::Stays, Move::Stops, Move::Opens]
        }
        (Stage::Exit(NodeKind::Impact), Standing::Open) => vec![Move::Stays],
        (Stage::Exit(NodeKind::Impact), _) => vec![Move::Stays, Move::Leaves],
        (Stage::Exit(NodeKind::Contact), Standing::Open) => vec![Move::Stays],
        (Stage::Exit(NodeKind::Contact), _) => vec![Move::Sticks, Move::Starts, Move::Slips],
        _ => vec![Move::Stays],
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]
    #[test]
    fn edges_of_parts_are_edges_of_the_whole(
        count in 1usize..=6,
        picks in proptest::collection::vec(any::<(u8, bool, u8)>(), 6),
        stage in 0u8..3,
        with_closing in any::<bool>(),
    ) {
        let automaton = automaton(count);
        let stage = [
            Stage::Location,
            Stage::Exit(NodeKind::Impact),
            Stage::Exit(NodeKind::Contact),
        ][stage as usize];
        let mut stands = Vec::new();
        for (pick, is_part, _) in &picks[..count] {
            // Elsewhere a contact is open or in a mode that lasts; at hand, in a node, it may be held.
            stands.push(match (pick % 4, is_part, stage) {
                (0, ..) => Standing::Open,
                (1, true, Stage::Exit(_)) => Standing::Held,
                (other, ..) => CLOSED[usize::from(other % 2)],
            });
        }
        let part: Vec<usize> = (0..count).filter(|n| picks[*n].1).collect();
        let made: Vec<(Standing, Move)> = part.iter().map(|n| {
            let ways = ways(stage, stands[*n], with_closing);
            (stands[*n], ways[usize::from(picks[*n].2) % ways.len()])
        }).collect();
        let others = (0..count).filter(|n| !picks[*n].1 && stands[*n] != Standing::Open);
        let elsewhere = Elsewhere {
            closed: others.clone().count(),
            not_slipping: others.filter(|n| stands[*n] != Standing::In(FrictionMode::Slip)).count(),
        };
        // A node exists only with contacts.
        prop_assume!(stage == Stage::Location || stands.iter().any(|s| *s != Standing::Open));
        // What opens together with a mode that ends does so first: rule 3 waits.
        let Some((rule, to)) = successor(stage, made.iter().copied(), elsewhere) else { return Ok(()) };
        let mut after = stands.clone();
        let strongest = made.iter().map(|(_, does)| *does).max();
        for (n, (stood, does)) in part.iter().zip(&made) {
            let is_made = strongest != Some(Move::Opens) || *does == Move::Opens;
            after[*n] = if is_made { does.leads_to(*stood) } else { *stood };
        }
        // The modes of the other contacts are those that they have: a contact node gives them again.
        let edge = automaton.edge(&whole(stage, &stands), &whole(to, &after));
        let found = edge.map(|edge| edge.rule());
        prop_assert_eq!(found, Some(rule), "{:?} {:?} -> {:?}", stage, stands, after);
    }
}

#[test]
fn moves_are_certain_only_where_the_judge_is() {
    for phase in [
        Phase::Flow,
        Phase::ImpactEntrance,
        Phase::ImpactExit,
        Phase::ContactExit,
        Phase::NormalEstimate,
        Phase::TangentialEstimate,
        Phase::NormalTest,
        Phase::TangentialTest,
    ] {
        for stands in [Standing::Open, Standing::Held, CLOSED[0], CLOSED[1]] {
            let all: Vec<Move> = phase.cases(stands).map(|case| case.does).collect();
            let unknown = moves(phase, stands, &mut |_| Tri::Unknown);
            assert!(
                all.iter().all(|does| unknown.contains(*does)),
                "{phase:?} {stands:?}"
            );
            let none = moves(phase, stands, &mut |_| Tri::False).only();
            assert!(none.is_some(), "{phase:?} {stands:?}: one move is left");
            let first = moves(phase, stands, &mut |_| Tri::True).only();
            assert_eq!(
                first,
                all.first().copied().or(Some(Move::Stays)),
                "{phase:?} {stands:?}"
            );
        }
    }
}

#[test]
fn choices_are_the_product() {
    let unknown = |phase, stands| moves(phase, stands, &mut |_| Tri::Unknown);
    let possible = [
        unknown(Phase::ContactExit, Standing::Held),
        unknown(Phase::ImpactExit, Standing::Held),
    ];
    let all: Vec<Vec<Move>> = choices(&possible).collect();
    assert_eq!(all.len(), 3 * 2);
    assert!(
        all.iter()
            .all(|choice| possible[0].contains(choice[0]) && possible[1].contains(choice[1]))
    );
    assert_eq!(choices(&[]).collect::<Vec<_>>(), vec![Vec::<Move>::new()]);
}
