//! Formulas of a model: every expression that is evaluated at run time, and the decisions in them.
//!
//! A right-hand side with `if`, `abs`, `min` or a comparison is smooth only while the decisions in it stay. While time passes they are frozen
//! at the start of a step and their switching quantities d are watched, as in `dyverse-tick`:
//!
//! | decision | d | decided by |
//! |---|---|---|
//! | a < b and the like | a − b | its sign |
//! | \|a\|, sign a | a | its sign |
//! | min(a, b), max(a, b) | a − b | its sign |
//! | floor a | a | the integer below |
//! | a signal or guard that is true where it is not 0 | itself | whether it is 0 |
//!
//! What varies while time passes is known from *smooth reads*: signals, inputs and time that are reached without going through a decision
//! whose value is frozen.

use dyverse_actors::{Graph, RegionKind, SignalId, Symbol};
use dyverse_expr::{BinaryFunction, Node, NodeId, Relation, Sort, UnaryFunction};
use std::collections::{BTreeMap, BTreeSet};

/// What is read along smooth paths.
#[derive(Clone, Debug, Default)]
pub(super) struct SmoothReads {
    pub(super) signals: BTreeSet<u32>,
    pub(super) inputs: BTreeSet<u32>,
    pub(super) has_time: bool,
}

/// A decision: its word in the C text, and what its switching quantity reads.
#[derive(Clone, Debug)]
pub(super) struct Decision {
    pub(super) word: &'static str,
    pub(super) reads: SmoothReads,
}

/// The formulas and decisions of a model, numbered.
pub(super) struct Formulas<'g> {
    pub(super) graph: &'g Graph,
    pub(super) nodes: Vec<NodeId>,
    numbers: BTreeMap<NodeId, usize>,
    pub(super) decisions: Vec<Decision>,
    decided: BTreeMap<NodeId, usize>,
}

/// The word for a relation.
fn relation_word(relation: Relation) -> &'static str {
    match relation {
        Relation::Less => "LESS",
        Relation::LessEqual => "LESS_EQUAL",
        Relation::Greater => "GREATER",
        Relation::GreaterEqual => "GREATER_EQUAL",
        Relation::Equal => "EQUAL",
        Relation::NotEqual => "NOT_EQUAL",
    }
}

/// The word for the decision that a node makes, if it makes one; its operands make the switching quantity.
fn decision_word(node: Node) -> Option<&'static str> {
    match node {
        Node::Compare(relation, ..) => Some(relation_word(relation)),
        Node::Unary(UnaryFunction::Sign, _) => Some("SIGN"),
        Node::Unary(UnaryFunction::Floor, _) => Some("FLOOR"),
        Node::Unary(UnaryFunction::Abs, _) => Some("ABSOLUTE"),
        Node::Binary(BinaryFunction::Min, ..) => Some("MINIMUM"),
        Node::Binary(BinaryFunction::Max, ..) => Some("MAXIMUM"),
        _ => None,
    }
}

/// Whether a node's value is constant while its decision is frozen.
fn is_frozen(node: Node) -> bool {
    matches!(
        node,
        Node::Compare(..) | Node::Unary(UnaryFunction::Sign | UnaryFunction::Floor, _)
    )
}

impl<'g> Formulas<'g> {
    pub(super) fn new(graph: &'g Graph) -> Self {
        Formulas {
            graph,
            nodes: Vec::new(),
            numbers: BTreeMap::new(),
            decisions: Vec::new(),
            decided: BTreeMap::new(),
        }
    }

    /// The number of an expression; it becomes a formula if it is none yet.
    pub(super) fn number(&mut self, node: NodeId) -> usize {
        if let Some(number) = self.numbers.get(&node) {
            return *number;
        }
        let pool = self.graph.pool();
        for id in pool.reachable(&[node]) {
            let inner = pool.node(id);
            if let Some(word) = decision_word(inner)
                && !self.decided.contains_key(&id)
            {
                let operands: Vec<NodeId> = inner.operands().collect();
                let reads = self.smooth_reads(&operands);
                self.decided.insert(id, self.decisions.len());
                self.decisions.push(Decision { word, reads });
            }
        }
        let number = self.nodes.len();
        self.nodes.push(node);
        self.numbers.insert(node, number);
        number
    }

    /// A decision whether a guard that is a number is 0; `None` for a guard that is true or false.
    pub(super) fn truth_of_guard(&mut self, guard: NodeId) -> Option<usize> {
        if self.graph.pool().sort(guard) == Sort::Boolean {
            return None;
        }
        let reads = self.smooth_reads(&[guard]);
        Some(self.truth(reads))
    }

    /// A decision whether the signal that enables a region is 0.
    pub(super) fn truth_of_region(&mut self, kind: RegionKind) -> Option<usize> {
        let RegionKind::Enabled(SignalId(enable)) = kind else {
            return None;
        };
        let mut reads = SmoothReads::default();
        reads.signals.insert(enable);
        Some(self.truth(reads))
    }

    fn truth(&mut self, reads: SmoothReads) -> usize {
        let word = "NOT_ZERO";
        self.decisions.push(Decision { word, reads });
        self.decisions.len() - 1
    }

    /// The decision that a node makes.
    pub(super) fn decision_of(&self, node: NodeId) -> Option<usize> {
        self.decided.get(&node).copied()
    }

    /// The decisions in an expression, inner ones first.
    pub(super) fn decisions_in(&self, node: NodeId) -> Vec<usize> {
        let nodes = self.graph.pool().reachable(&[node]);
        nodes.into_iter().filter_map(|id| self.decision_of(id)).collect()
    }

    /// The inputs that an expression reads.
    pub(super) fn inputs_of(&self, node: NodeId) -> Vec<u32> {
        let symbols = self.graph.pool().symbols(&[node]).into_iter();
        let inputs = symbols.filter_map(|id| match self.graph.symbol(id) {
            Symbol::Input(input) => Some(input.0),
            _ => None,
        });
        inputs.collect()
    }

    /// What these expressions read without going through a frozen decision.
    pub(super) fn smooth_reads(&self, roots: &[NodeId]) -> SmoothReads {
        let pool = self.graph.pool();
        let (mut reads, mut seen, mut open) = (SmoothReads::default(), BTreeSet::new(), roots.to_vec());
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            let node = pool.node(id);
            if let Node::Symbol(symbol) = node {
                match self.graph.symbol(symbol) {
                    Symbol::Signal(signal) => drop(reads.signals.insert(signal.0)),
                    Symbol::Input(input) => drop(reads.inputs.insert(input.0)),
                    Symbol::Time => reads.has_time = true,
                    Symbol::Parameter(_) => {}
                }
            }
            if !is_frozen(node) {
                open.extend(node.operands());
            }
        }
        reads
    }
}
