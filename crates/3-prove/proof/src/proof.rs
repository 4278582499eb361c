//! A proof as data: boxes that cover the unknowns, and for each the tree of all discrete evolutions with bounds.
//!
//! The tree lies flat: ways name the stay they lead to by its number. However long an evolution is, nothing recurses over it.
//!
//! A bound in a proof is a *claim*: a little wider than what was found ([`claim`]), so that somebody who computes it in another way, with other rounding, still finds it true.

use dyverse_num::Interval;

/// A proof that a property holds for all unknowns of a box.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    /// The system's name.
    pub system: String,
    /// The property's name.
    pub property: String,
    /// The last time that the property looks at, s.
    pub horizon: f64,
    /// Parameters that were given other values or ranges: name, least, largest.
    pub choices: Vec<(String, f64, f64)>,
    /// Inputs with a range of which it takes the default values only.
    pub inputs: Vec<String>,
    /// The unknowns: name, least, largest.
    pub unknowns: Vec<(String, f64, f64)>,
    /// Boxes that cover them.
    pub boxes: Vec<ProvedBox>,
}

/// One box of unknowns.
#[derive(Clone, Debug, PartialEq)]
pub struct ProvedBox {
    /// Its sides.
    pub sides: Vec<(f64, f64)>,
    /// All evolutions from it: the first stay, then those that follow, each after the one whose way leads to it.
    pub stays: Vec<Stay>,
}

/// A stay of a box, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StayId(pub usize);

/// A stay in a location, or the passage of a computation node.
#[derive(Clone, Debug, PartialEq)]
pub struct Stay {
    /// Where.
    pub place: String,
    /// Where the states (then time) are during it, claimed. Empty for a node.
    pub hull: Vec<(f64, f64)>,
    /// How it ends.
    pub end: StayEnd,
}

/// How a stay ends.
#[derive(Clone, Debug, PartialEq)]
pub enum StayEnd {
    /// Beyond the last time that matters.
    Horizon,
    /// By one of these events.
    Branches(Vec<Branch>),
}

/// An event that may be the first.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// Its name; empty for a node.
    pub event: String,
    /// When, claimed, s.
    pub time: (f64, f64),
    /// The ways to go on that are possible.
    pub ways: Vec<Way>,
}

/// A way to go on.
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    /// Its name.
    pub label: String,
    /// Where its auxiliaries are (impulses without a closed form), claimed; empty if it has none.
    pub impulses: Vec<(f64, f64)>,
    /// What follows.
    pub stay: StayId,
}

impl Stay {
    /// The events that may end it.
    pub fn branches(&self) -> &[Branch] {
        match &self.end {
            StayEnd::Horizon => &[],
            StayEnd::Branches(all) => all,
        }
    }
}

/// The first stay and all that follow it, in the order in which they are gone through; `None` unless each is led to by one way alone, of a stay before it.
pub(crate) fn in_order(stays: &[Stay]) -> Option<Vec<usize>> {
    let mut is_led_to = vec![false; stays.len()];
    let (mut waiting, mut order) = (vec![0], Vec::new());
    while let Some(own) = waiting.pop() {
        order.push(own);
        let ways = stays.get(own)?.branches().iter().flat_map(|branch| &branch.ways);
        for StayId(to) in ways.map(|way| way.stay).rev() {
            if to <= own || is_led_to.get(to) != Some(&false) {
                return None;
            }
            is_led_to[to] = true;
            waiting.push(to);
        }
    }
    Some(order)
}

/// A bound with room for another way to compute it.
#[must_use]
pub fn claim(bound: Interval) -> (f64, f64) {
    let room = 0.02 * bound.width() + 1e-6 * (1.0 + bound.magnitude());
    (bound.lo() - room, bound.hi() + room)
}
