//! Names of places, made and read back: the one place that writes them, and the inverse of [`Notation::location`](crate::Notation::location) and [`Notation::inner_location`](crate::Notation::inner_location).
//!
//! # Guarantee
//! Exact: a name is that of one place of the automaton, or of none.

use crate::automaton::HybridAutomaton;
use crate::combination::vertex_index;
use crate::contact_list::ContactId;
use crate::contact_set::ContactSet;
use crate::location::{ComputationNode, DynamicalLocation, FrictionMode, Location, NodeKind};
use crate::node::InnerLocation;
use crate::successor::Stage;
use crate::table::Standing;
use num_bigint::BigUint;

/// A place of a run, found by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamedPlace {
    /// s_k,i, or S_0.
    Dynamical(DynamicalLocation),
    /// In a node; a step is from 1 to 4N + 1, in an impact node from 1 on: collisions that follow each other may be many.
    Inner(ComputationNode, InnerLocation),
}

impl NamedPlace {
    /// The place of a run whose contacts stand so; none where a node has no contact, or a contact has no mode in a location.
    #[must_use]
    pub fn of(stage: Stage, stands: impl Iterator<Item = (ContactId, Standing)> + Clone) -> Option<Self> {
        let set = |is_in: &dyn Fn(Standing) -> bool| -> ContactSet {
            let own = stands.clone().filter(|(_, stands)| is_in(*stands));
            own.map(|(contact, _)| contact).collect()
        };
        let node = |kind: NodeKind| ComputationNode::new(kind, set(&|stands| stands != Standing::Open));
        Some(match stage {
            Stage::Location => {
                let of = |mode: FrictionMode| set(&move |stands| stands == Standing::In(mode));
                let [stick, trans, slip] =
                    [FrictionMode::Stick, FrictionMode::Trans, FrictionMode::Slip].map(of);
                let is_whole = set(&|stands| stands == Standing::Held).is_empty();
                Self::Dynamical(DynamicalLocation::from_modes(&stick, trans, slip).filter(|_| is_whole)?)
            }
            Stage::Entrance(kind) => Self::Inner(node(kind)?, InnerLocation::Entrance),
            Stage::Exit(kind) => Self::Inner(node(kind)?, InnerLocation::Exit),
            Stage::Step(kind, step) => Self::Inner(node(kind)?, InnerLocation::Step(step)),
        })
    }

    /// Its name among so many contacts.
    #[must_use]
    pub fn name(&self, contacts: u32) -> String {
        let number = |closed: &ContactSet| vertex_index(closed, contacts);
        match self {
            Self::Dynamical(location) if location.is_free() => "S_0".to_owned(),
            Self::Dynamical(location) => format!("s_{},{}", number(location.closed()), location.index()),
            Self::Inner(node, inner) => {
                let letter = match node.kind() {
                    NodeKind::Impact => 'I',
                    NodeKind::Contact => 'C',
                };
                let k = number(node.closed());
                match inner {
                    InnerLocation::Entrance => format!("{letter}_{k},en"),
                    InnerLocation::Step(step) => format!("{letter}_{k},{step}"),
                    InnerLocation::Exit => format!("{letter}_{k},ex"),
                }
            }
        }
    }

    /// The location that outer edges join; `None` for a step inside a node.
    #[must_use]
    pub fn location(&self) -> Option<Location> {
        match self {
            Self::Dynamical(location) => Some(Location::Dynamical(location.clone())),
            Self::Inner(node, InnerLocation::Entrance) => Some(Location::Entrance(node.clone())),
            Self::Inner(node, InnerLocation::Exit) => Some(Location::Exit(node.clone())),
            Self::Inner(_, InnerLocation::Step(_)) => None,
        }
    }
}

impl HybridAutomaton {
    /// The place with a name such as `s_6,2`, `I_6,en` or `C_6,3`; `None` for names that are none of this automaton's.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<NamedPlace> {
        if name == "S_0" {
            return Some(NamedPlace::Dynamical(DynamicalLocation::free()));
        }
        let (letter, numbers) = name.split_once('_')?;
        let (k, last) = numbers.split_once(',')?;
        let closed = self.graph().vertex(&number(k)?)?;
        let kind = match letter {
            "s" if !closed.is_empty() => {
                return DynamicalLocation::from_index(closed, &number(last)?).map(NamedPlace::Dynamical);
            }
            "I" => NodeKind::Impact,
            "C" => NodeKind::Contact,
            _ => return None,
        };
        let node = ComputationNode::new(kind, closed)?;
        let inner = match last {
            "en" => InnerLocation::Entrance,
            "ex" => InnerLocation::Exit,
            step => InnerLocation::Step(usize::try_from(number(step)?).ok()?),
        };
        let is_there = match inner {
            InnerLocation::Step(step) => {
                step >= 1 && (kind == NodeKind::Impact || step <= 4 * node.closed().len() + 1)
            }
            InnerLocation::Entrance | InnerLocation::Exit => true,
        };
        is_there.then_some(NamedPlace::Inner(node, inner))
    }
}

/// Decimal digits alone.
fn number(text: &str) -> Option<BigUint> {
    // A number of any length parses in time that grows with its square; names of places are not that long.
    let is_plain = (1..=10_000).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    is_plain.then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ContactList, GraphKind};

    #[test]
    fn names_are_read_back() {
        let contacts = ContactList::of_all_pairs(&["a", "b", "c"]);
        let automaton = HybridAutomaton::new(contacts, GraphKind::Complete, Vec::new()).expect("a graph");
        for location in automaton.locations() {
            let name = automaton.notation().location(&location);
            assert_eq!(
                automaton.named(&name).and_then(|n| n.location()),
                Some(location),
                "{name}"
            );
        }
        for name in [
            "", "S_1", "s_0,1", "s_8,1", "s_1,4", "I_0,en", "C_6,10", "I_6", "x_1,1", "s_1,-1", "s_1, 1",
        ] {
            assert_eq!(automaton.named(name), None, "{name}");
        }
    }
}
