//! What a hybrid system is made of, as formulas.
//!
//! # Variables
//! The symbols of all formulas are numbered alike: states 0 … n − 1, then time (symbol n, a state with rate 1), then the unknowns of the
//! question (ranged parameters and ranged initial values), then auxiliaries of single jumps.

use dyverse_expr::{Constraint, NodeId, Pool, SymbolId};
use dyverse_mech::law::ImpactRow;
use std::rc::Rc;

/// What a symbol of the formulas stands for, by its number.
#[derive(Clone, Debug, Default)]
pub struct Variables {
    /// Names of the states, such as `ball.x`.
    pub states: Vec<String>,
    /// What is only known to lie in a range, and does not change.
    pub unknowns: Vec<Unknown>,
}

/// A number that is only known to lie in a range: a parameter, or an initial value.
#[derive(Clone, Debug, PartialEq)]
pub struct Unknown {
    /// Its name: a parameter's, or a state's.
    pub name: String,
    /// Whether it is the initial value of the state of that name.
    pub is_initial: bool,
    /// The least value, rounded down.
    pub lower: f64,
    /// The largest value, rounded up.
    pub upper: f64,
}

impl Variables {
    /// Number of states, time not counted.
    pub fn state_count(&self) -> usize {
        self.states.len()
    }
    /// The symbol of a state.
    pub fn state(&self, place: usize) -> SymbolId {
        SymbolId(place as u32)
    }
    /// The symbol of time.
    pub fn time(&self) -> SymbolId {
        SymbolId(self.states.len() as u32)
    }
    /// The symbol of an unknown.
    pub fn unknown(&self, place: usize) -> SymbolId {
        SymbolId((self.states.len() + 1 + place) as u32)
    }
    /// The reset that leaves all states and time as they are.
    pub fn identity(&self, pool: &mut Pool) -> Vec<NodeId> {
        (0..=self.states.len() as u32)
            .map(|symbol| pool.symbol(SymbolId(symbol)))
            .collect()
    }
    /// The symbol of an auxiliary of a jump.
    pub fn auxiliary(&self, place: usize) -> SymbolId {
        SymbolId((self.states.len() + 1 + self.unknowns.len() + place) as u32)
    }
}

/// A Boolean combination of constraints; negations are inside them.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// Always, or never.
    Constant(bool),
    /// One constraint.
    Atom(Constraint),
    /// All of them.
    And(Vec<Condition>),
    /// One of them at least.
    Or(Vec<Condition>),
}

/// `and` in `or` in `and` … of one condition at the most: whoever goes through one recurses.
const DEEPEST: usize = 200;

impl Condition {
    /// The same, unless it is nested too deep to go through.
    pub(crate) fn bounded(self) -> Result<Self, Obstacle> {
        if self.nesting() <= DEEPEST {
            return Ok(self);
        }
        Err(Obstacle {
            what: format!("a condition in which `and` and `or` are nested more than {DEEPEST} deep"),
        })
    }
    fn nesting(&self) -> usize {
        match self {
            Condition::Constant(_) | Condition::Atom(_) => 0,
            Condition::And(parts) | Condition::Or(parts) => {
                1 + parts.iter().map(Self::nesting).max().unwrap_or(0)
            }
        }
    }
    /// What holds exactly when this does not.
    pub fn negated(&self) -> Self {
        match self {
            Condition::Constant(value) => Condition::Constant(!value),
            Condition::Atom(c) => Condition::Atom(Constraint {
                node: c.node,
                relation: c.relation.negated(),
            }),
            Condition::And(parts) => Condition::Or(parts.iter().map(Self::negated).collect()),
            Condition::Or(parts) => Condition::And(parts.iter().map(Self::negated).collect()),
        }
    }
    /// The same combination with other conditions in place of its constraints.
    #[must_use]
    pub fn map(&self, of: &mut dyn FnMut(&Constraint) -> Condition) -> Self {
        match self {
            Condition::Constant(value) => Condition::Constant(*value),
            Condition::Atom(constraint) => of(constraint),
            Condition::And(parts) => Condition::And(parts.iter().map(|part| part.map(of)).collect()),
            Condition::Or(parts) => Condition::Or(parts.iter().map(|part| part.map(of)).collect()),
        }
    }
    /// The same about other formulas: one for each constraint, in the order of [`atoms`](Self::atoms).
    pub(crate) fn with_nodes(&self, nodes: impl IntoIterator<Item = NodeId>) -> Self {
        let mut nodes = nodes.into_iter();
        let new = self.map(&mut |atom| match nodes.next() {
            Some(node) => Condition::Atom(Constraint { node, ..*atom }),
            None => unreachable!("bug: a constraint without a formula"),
        });
        assert!(nodes.next().is_none(), "bug: a formula without a constraint");
        new
    }
    /// All constraints in it, in order.
    pub fn atoms(&self) -> Vec<Constraint> {
        match self {
            Condition::Constant(_) => Vec::new(),
            Condition::Atom(c) => vec![*c],
            Condition::And(parts) | Condition::Or(parts) => parts.iter().flat_map(Self::atoms).collect(),
        }
    }
}

/// The flow of a location.
#[derive(Clone, Debug, PartialEq)]
pub struct Flow {
    /// The rate of every state, then that of time, which is 1.
    pub rates: Vec<NodeId>,
}

impl Flow {
    /// The rate of a formula along the flow: the sum of its derivatives times the rates of the states. Unknowns have none.
    pub fn rate_of(&self, pool: &mut Pool, node: NodeId) -> NodeId {
        let mut sum = pool.number(0.0);
        for symbol in pool.symbols(&[node]) {
            if let Some(rate) = self.rates.get(symbol.0 as usize) {
                let slope = pool.derive(node, symbol);
                let term = pool.multiply(slope, *rate);
                sum = pool.add(sum, term);
            }
        }
        sum
    }
}

/// Something that ends the stay in a location at the moment its condition becomes true.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Its name for people.
    pub label: String,
    /// When.
    pub when: Condition,
}

/// A number that a jump determines by an equation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Auxiliary {
    /// Is zero: a formula over states, time, unknowns and the jump's auxiliaries.
    pub equation: NodeId,
}

/// What the impulses of an impact obey, whatever the modes of its contacts: γ = G Λ + b with 0 ≤ Λ_N ⊥ γ_N ≥ 0, |Λ_T| ≤ μ Λ_N, and Λ_T against γ_T and on the
/// edge of the disc where γ_T ≠ 0.
#[derive(Clone, Debug, PartialEq)]
pub struct ImpulseLaw {
    /// G, row by row: three components (normal, tangents) for each contact.
    pub operator: Vec<Vec<NodeId>>,
    /// b.
    pub bias: Vec<[NodeId; 3]>,
    /// μ of each contact; `None` without friction: Λ_T = 0.
    pub friction: Vec<Option<NodeId>>,
}

/// The impact that a jump is, where some assignment of modes has no closed form. All assignments of one impact are jumps with the same law.
#[derive(Clone, Debug, PartialEq)]
pub struct Impulses {
    /// The law.
    pub law: Rc<ImpulseLaw>,
    /// The row of each contact in this jump.
    pub rows: Vec<ImpactRow>,
    /// Λ of each contact, over states, unknowns and the jump's auxiliaries. Where there are auxiliaries they are the unknowns of the rows, contact by contact.
    pub impulses: Vec<[NodeId; 3]>,
    /// Must not be positive where the jump is taken: else it is not what the model does (an impact that is capped).
    pub gains: Vec<NodeId>,
    /// Holds of the states after, by the law, though an enclosure may not show it.
    pub after: Vec<Constraint>,
}

impl Impulses {
    /// All its formulas over the states before, in order.
    pub(crate) fn nodes(&self) -> Vec<NodeId> {
        let law = self.law.operator.iter().flatten().copied();
        law.chain(self.law.bias.iter().flatten().copied())
            .chain(self.law.friction.iter().flatten().copied())
            .chain(self.impulses.iter().flatten().copied())
            .chain(self.gains.iter().copied())
            .collect()
    }

    /// The same with other formulas, in that order.
    pub(crate) fn with_nodes(&self, nodes: &[NodeId]) -> Self {
        let mut next = nodes.iter().copied();
        let mut renew = |old: &mut NodeId| match next.next() {
            Some(new) => *old = new,
            None => unreachable!("bug: an impulse without a formula"),
        };
        let mut law = ImpulseLaw::clone(&self.law);
        law.operator.iter_mut().flatten().for_each(&mut renew);
        law.bias.iter_mut().flatten().for_each(&mut renew);
        law.friction.iter_mut().flatten().for_each(&mut renew);
        let mut own = self.clone();
        own.impulses.iter_mut().flatten().for_each(&mut renew);
        own.gains.iter_mut().for_each(&mut renew);
        own.law = Rc::new(law);
        assert!(next.next().is_none(), "bug: a formula of no impulse");
        own
    }
}

/// One way to go on at an event.
#[derive(Clone, Debug, PartialEq)]
pub struct Jump<L> {
    /// Its name for people.
    pub label: String,
    /// Must hold of the state before, and of the auxiliaries.
    pub when: Condition,
    /// Numbers that equations determine, in the order of their symbols.
    pub auxiliaries: Vec<Auxiliary>,
    /// The impact that it is, if a mode of that has no closed form.
    pub impulses: Option<Rc<Impulses>>,
    /// The state after, then time (which does not change).
    pub reset: Vec<NodeId>,
    /// Where it goes.
    pub target: L,
}

/// Why something has no formulas.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Obstacle {
    /// The construct in the way, for people.
    pub what: String,
}

impl std::fmt::Display for Obstacle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Obstacle {}
