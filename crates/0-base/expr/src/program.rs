//! Expressions as a straight line of operations: what some roots need, in order of evaluation.
//!
//! Operation r fills register r and reads registers before it, so whoever works through a program is a loop with one `match`:
//!
//! | interpreter | gives | is |
//! |---|---|---|
//! | doubles | numbers, for runs | `doubles.rs` |
//! | any scalar | values on intervals, duals and the like | `scalar.rs` |
//! | frozen | smooth values between two turns of its switches | `frozen.rs` |
//! | series, gradients | Taylor coefficients, slopes over a box | `dyverse-enclose` |
//! | ranges, backward | contraction of a box | `dyverse-smt` |
//! | C | text | `dyverse-c` |
//!
//! They have no common trait: series grow by order, contraction runs backwards, C is text.
//!
//! # Guarantee
//! Operations stand in the order of their nodes in the pool, each node once; so all interpreters do the same operations in the same order.

use crate::{Node, NodeId, Pool, SymbolId};

/// A register: the place of the operation that fills it.
pub type Reg = u32;

/// One operation: a node whose operands are registers and whose symbol is a place in [`Program::inputs`].
pub type Op = Node<Reg, u32>;

/// The operations that some roots need.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub(crate) ops: Vec<Op>,
    /// The node that each operation comes from.
    pub(crate) nodes: Vec<NodeId>,
    pub(crate) roots: Vec<Reg>,
    pub(crate) inputs: Vec<SymbolId>,
}

impl Program {
    /// Prepares `roots`.
    pub fn new(pool: &Pool, roots: &[NodeId]) -> Self {
        let nodes = pool.reachable(roots);
        let symbols = nodes.iter().filter_map(|id| match pool.node(*id) {
            Node::Symbol(symbol) => Some(symbol),
            _ => None,
        });
        let mut inputs: Vec<SymbolId> = symbols.collect();
        inputs.sort_unstable();
        let reg = |id: NodeId| nodes.binary_search(&id).map_or(Reg::MAX, |place| place as Reg);
        let input = |id: SymbolId| inputs.binary_search(&id).map_or(u32::MAX, |place| place as u32);
        Program {
            ops: nodes.iter().map(|id| pool.node(*id).map(reg, input)).collect(),
            roots: roots.iter().map(|id| reg(*id)).collect(),
            nodes,
            inputs,
        }
    }

    /// Its operations; each fills the register of its place.
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }
    /// The node that each operation comes from.
    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }
    /// The registers of the roots, in the order they were given.
    pub fn roots(&self) -> &[Reg] {
        &self.roots
    }
    /// The symbols that it reads, each once, in ascending order.
    pub fn inputs(&self) -> &[SymbolId] {
        &self.inputs
    }

    /// How many operations it has.
    pub fn len(&self) -> usize {
        self.ops.len()
    }
    /// Whether there is nothing to evaluate.
    pub fn is_empty(&self) -> bool {
        self.ops.is_empty()
    }
}
