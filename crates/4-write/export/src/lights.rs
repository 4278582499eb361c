//! Places of a run in the drawings of its automaton: which parts of a drawing a place lights, and what it means in words.
//!
//! Drawings mark their parts with keys: `data-light="KEY"` a place, `data-edge="KEY→KEY"` an edge. How much a drawing shows depends on the
//! automaton's size, so a place has several keys, the most exact first:
//!
//! | place of a trace | keys |
//! |---|---|
//! | `S_0` | `S_0`, `V_0`, `closed:0` |
//! | `s_6,2` | `s_6,2`, `V_6`, `closed:2` |
//! | `I_6,3` | `I_6,3`, `I_6`, `V_6`, `closed:2` |
//!
//! # Guarantee
//! Every place that a run of the automaton can be in has a key in each drawing of it, except rows that the drawing says are left out. Names
//! that are none of the automaton's are their own only key.

use crate::subject::mode_word;
use dyverse_machine::{ComputationNode, ContactId, HybridAutomaton, InnerLocation, NamedPlace, NodeKind};

/// In words, so many contacts are named at the most.
const MOST_NAMED: usize = 6;

/// The keys of a place, named as in a trace, in drawings of the automaton: the most exact first.
///
/// # Example
/// ```
/// use dyverse_machine::{ContactList, GraphKind, HybridAutomaton};
/// let contacts = ContactList::of_all_pairs(&["a", "b", "c"]);
/// let automaton = HybridAutomaton::new(contacts, GraphKind::Complete, Vec::new())?;
/// assert_eq!(dyverse_export::lights(&automaton, "I_6,3"), ["I_6,3", "I_6", "V_6", "closed:2"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn lights(automaton: &HybridAutomaton, place: &str) -> Vec<String> {
    let mut keys = vec![place.to_owned()];
    let Some(found) = automaton.named(place) else {
        return keys;
    };
    let notation = automaton.notation();
    let closed = match &found {
        NamedPlace::Dynamical(location) => location.closed(),
        NamedPlace::Inner(node, _) => {
            keys.push(notation.node(node));
            node.closed()
        }
    };
    if let Some(k) = automaton.graph().index(closed) {
        keys.push(format!("V_{k}"));
    }
    keys.push(size_key(closed.len()));
    keys
}

/// A place, named as in a trace, in words: `ab stick, bc slip`, `nothing touches`, `impact of ab, bc`. A name that is none of the
/// automaton's stays as it is.
#[must_use]
pub fn place_text(automaton: &HybridAutomaton, place: &str) -> String {
    match automaton.named(place) {
        None => place.to_owned(),
        Some(NamedPlace::Dynamical(location)) if location.is_free() => "nothing touches".to_owned(),
        Some(NamedPlace::Dynamical(location)) => {
            let label = |contact: ContactId| automaton.contacts().label(contact);
            enumerated(
                location
                    .modes()
                    .map(|(contact, mode)| format!("{} {}", label(contact), mode_word(mode))),
            )
        }
        Some(NamedPlace::Inner(node, inner)) => inner_text(automaton, &node, inner),
    }
}

fn inner_text(automaton: &HybridAutomaton, node: &ComputationNode, inner: InnerLocation) -> String {
    let label = |contact: ContactId| automaton.contacts().label(contact).to_owned();
    let contacts = enumerated(node.closed().iter().map(label));
    let what = match node.kind() {
        NodeKind::Impact => format!("impact of {contacts}"),
        NodeKind::Contact => format!("forces of {contacts}"),
    };
    match inner {
        InnerLocation::Entrance => what,
        InnerLocation::Exit => format!("{what}: found"),
        InnerLocation::Step(step) => {
            // Steps 1 … 4N + 1 of SORPROX: four sweeps over the contacts, and the last.
            let (sweep, place) = ((step - 1) / node.closed().len(), (step - 1) % node.closed().len());
            let of = node.closed().iter().nth(place).map(label).unwrap_or_default();
            match sweep {
                0 => format!("{what}: normal estimate of {of}"),
                1 => format!("{what}: tangential estimate of {of}"),
                2 => format!("{what}: is the normal part of {of} converged?"),
                3 => format!("{what}: is the tangential part of {of} converged?"),
                _ => format!("{what}: apply"),
            }
        }
    }
}

/// The first texts, and how many more.
fn enumerated(texts: impl Iterator<Item = String>) -> String {
    let mut texts: Vec<String> = texts.collect();
    let more = texts.len().saturating_sub(MOST_NAMED);
    // One more is no longer than the words about it.
    if more > 1 {
        texts.truncate(MOST_NAMED);
        return format!("{} and {more} more", texts.join(", "));
    }
    texts.join(", ")
}

/// The key of all places with so many closed contacts.
pub(crate) fn size_key(closed: usize) -> String {
    format!("closed:{closed}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use dyverse_machine::{ContactList, GraphKind, Location};

    fn three_balls() -> HybridAutomaton {
        let contacts = ContactList::of_all_pairs(&["a", "b", "c"]);
        HybridAutomaton::new(contacts, GraphKind::Complete, Vec::new()).expect("a graph")
    }

    #[test]
    fn places_have_words() {
        let automaton = three_balls();
        let text = |place| place_text(&automaton, place);
        let [ab, _, bc] = [0, 1, 2].map(|i| automaton.contacts().label(ContactId::new(i)).to_owned());
        assert_eq!(text("S_0"), "nothing touches");
        assert_eq!(text("s_6,3"), format!("{ab} stick, {bc} slip"));
        assert_eq!(text("I_6,en"), format!("impact of {ab}, {bc}"));
        assert_eq!(
            text("I_6,4"),
            format!("impact of {ab}, {bc}: tangential estimate of {bc}")
        );
        assert_eq!(text("C_6,9"), format!("forces of {ab}, {bc}: apply"));
        assert_eq!(text("masses.stuck"), "masses.stuck");
    }

    #[test]
    fn every_location_has_its_vertex_and_size() {
        let automaton = three_balls();
        for location in automaton.locations() {
            let name = automaton.notation().location(&location);
            let keys = lights(&automaton, &name);
            let k = automaton.graph().index(location.closed()).expect("a vertex");
            assert_eq!(keys.first(), Some(&name));
            let expected = [format!("V_{k}"), size_key(location.closed().len())];
            assert!(keys.ends_with(&expected), "{keys:?}");
            assert_eq!(keys.len() == 3, matches!(location, Location::Dynamical(_)));
        }
    }

    #[test]
    fn other_names_are_their_own_key() {
        let automaton = three_balls();
        for name in [
            "",
            "_",
            "s_",
            "s_0,1",
            "S_1",
            "s_8,1",
            "s_1,4",
            "I_0,en",
            "I_1,0",
            "I_1",
            "x_1,1",
            "s_+1,1",
            "C_1,-1",
            "a.b",
            "I_1,99999999999999999999999999",
        ] {
            assert_eq!(lights(&automaton, name), [name], "{name}");
            assert_eq!(place_text(&automaton, name), name);
        }
    }
}
