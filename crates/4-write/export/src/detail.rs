//! How much of an automaton a picture shows: as much as can still be read.
//!
//! | detail    | when                                        | shows                                     |
//! |-----------|---------------------------------------------|-------------------------------------------|
//! | `Free`    | nothing can touch                           | S_0                                       |
//! | `Whole`   | one contact can close, and no two together  | every location, node and edge             |
//! | `Vertices`| up to a number of vertices                  | the contact combination graph, with counts |
//! | `Sizes`   | more                                        | one box for each number of closed contacts |

use dyverse_machine::{ContactSet, HybridAutomaton};

/// What a picture of an automaton shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Only the free location.
    Free,
    /// Everything: V_0 and this one vertex with one contact.
    Whole(ContactSet),
    /// These vertices, in order.
    Vertices(Vec<ContactSet>),
    /// Numbers of closed contacts.
    Sizes,
}

impl Detail {
    /// The detail in which to draw; `most` vertices are drawn one by one.
    pub(crate) fn of(automaton: &HybridAutomaton, most: usize) -> Self {
        let vertices: Vec<ContactSet> = automaton.graph().vertices().take(most + 1).collect();
        match vertices.as_slice() {
            [] | [_] => Self::Free,
            [_, only] if only.len() == 1 => Self::Whole(only.clone()),
            _ if vertices.len() <= most => Self::Vertices(vertices),
            _ => Self::Sizes,
        }
    }
}
