//! One part of an automaton, found by the name that the papers' notation gives it.

use dyverse_machine::{BigUint, ComputationNode, DynamicalLocation, HybridAutomaton, NodeKind};

/// A part that can be shown by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A dynamical location.
    Location(DynamicalLocation),
    /// A computation node with its inside.
    Node(ComputationNode),
}

impl Part {
    /// The part called `name`: `S_0`, `s_6,2`, `6,2`, `I_6` or `C_6`, none where the automaton has none.
    ///
    /// The ends of a node (`I_6,en`, `I_6,ex`) name the node.
    ///
    /// ```
    /// use dyverse_machine::{ContactList, GraphKind, HybridAutomaton};
    /// use dyverse_export::Part;
    /// let contacts = ContactList::of_all_pairs(&["a", "b", "c"]);
    /// let automaton = HybridAutomaton::new(contacts, GraphKind::Complete, Vec::new())?;
    /// assert_eq!(Part::named(&automaton, "s_6,2"), Part::named(&automaton, "6,2"));
    /// assert_eq!(Part::named(&automaton, "s_6,10"), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn named(automaton: &HybridAutomaton, name: &str) -> Option<Self> {
        let name = name.trim();
        if let Some(number) = name.strip_prefix("I_") {
            return node(automaton, NodeKind::Impact, number);
        }
        if let Some(number) = name.strip_prefix("C_") {
            return node(automaton, NodeKind::Contact, number);
        }
        let numbers = name
            .strip_prefix("s_")
            .or(name.strip_prefix("S_"))
            .unwrap_or(name);
        let (k, i) = numbers.split_once(',').unwrap_or((numbers, "1"));
        let k = integer(k)?;
        // `s_6` could be any of nine locations; only S_0 stands alone.
        if !numbers.contains(',') && k != BigUint::ZERO {
            return None;
        }
        automaton.location(&k, &integer(i)?).map(Self::Location)
    }
}

fn node(automaton: &HybridAutomaton, kind: NodeKind, number: &str) -> Option<Part> {
    let number = number
        .strip_suffix(",en")
        .or(number.strip_suffix(",ex"))
        .unwrap_or(number);
    let closed = automaton.graph().vertex(&integer(number)?)?;
    ComputationNode::new(kind, closed).map(Part::Node)
}

/// A number of digits only: signs, blanks and separators are not names.
fn integer(text: &str) -> Option<BigUint> {
    let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_plain.then(|| text.parse().ok()).flatten()
}
