//! The syntax tree of a model file. Expressions lie flat in one vector, children before parents, so that
//! no walk over them recurses: a sum of a million terms is as harmless as one of two.

use dyverse_diag::Origin;
use dyverse_expr::Literal;
use std::collections::BTreeSet;

/// A name as written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) origin: Origin,
}

/// An expression of a [`SourceTree`]: the nodes `first..=root`, children before parents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ExprRef {
    pub(crate) first: usize,
    pub(crate) root: usize,
}

/// A node's place in the vector of its tree.
pub(crate) type NodeIndex = usize;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnaryOp {
    Minus,
    Not,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Or,
    Implies,
}

/// What joins two signals of an actor model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SignalOp {
    /// `a ?? b`: a where it is present, else b.
    Instead,
    /// `a on e`: a when e is present.
    On,
    /// `a unless b`: a when b is absent.
    Unless,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TemporalOp {
    Always,
    Never,
    Eventually,
}

/// An argument of a call, named or by position.
#[derive(Clone, Debug)]
pub(crate) struct Argument {
    pub(crate) name: Option<Name>,
    pub(crate) value: NodeIndex,
}

#[derive(Clone, Debug)]
pub(crate) enum NodeKind {
    Number(Literal),
    Boolean(bool),
    Name(String),
    Member {
        of: NodeIndex,
        member: Name,
    },
    Call {
        function: Name,
        arguments: Vec<Argument>,
    },
    Tuple(Vec<NodeIndex>),
    Interval {
        lower: NodeIndex,
        upper: NodeIndex,
    },
    Unary {
        op: UnaryOp,
        operand: NodeIndex,
    },
    Binary {
        op: BinaryOp,
        left: NodeIndex,
        right: NodeIndex,
    },
    Signal {
        op: SignalOp,
        left: NodeIndex,
        right: NodeIndex,
    },
    /// `a < b <= c`: every neighbouring pair compared.
    Chain {
        operands: Vec<NodeIndex>,
        ops: Vec<BinaryOp>,
    },
    If {
        condition: NodeIndex,
        then: NodeIndex,
        otherwise: NodeIndex,
    },
    Temporal {
        op: TemporalOp,
        window: Option<NodeIndex>,
        body: NodeIndex,
    },
    Until {
        window: Option<NodeIndex>,
        left: NodeIndex,
        right: NodeIndex,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) kind: NodeKind,
    pub(crate) origin: Origin,
}

/// What stands in a block: `name = e`, `name in e`, `name(…)` or `name`.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: Name,
    pub(crate) value: FieldValue,
    pub(crate) origin: Origin,
}

#[derive(Clone, Debug)]
pub(crate) enum FieldValue {
    Equals(ExprRef),
    Within(ExprRef),
    /// `sphere(radius = 1)`: arguments with their expressions.
    Call(Vec<(Option<Name>, ExprRef)>),
    Flag,
}

/// An end of a spring or damper: an entity, a point fixed in an entity, or a point of the world.
#[derive(Clone, Debug)]
pub(crate) enum End {
    Entity { name: Name, at: Option<ExprRef> },
    World(ExprRef),
}

/// Which contacts a law is for.
#[derive(Clone, Debug)]
pub(crate) enum LawScope {
    Default(Origin),
    Pair(Name, Name),
}

/// Which way a signal of an actor goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    In,
    Out,
    /// Inside the actor only.
    Var,
}

/// When a signal has a value: at all times, at single moments, or now and then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PortKind {
    Cont,
    Event,
    Any,
}

/// A name in the head of an actor or function, with its default.
#[derive(Clone, Debug)]
pub(crate) struct Formal {
    pub(crate) name: Name,
    pub(crate) default: Option<ExprRef>,
}

/// Arguments as given: by name or by position.
pub(crate) type GivenArguments = Vec<(Option<Name>, ExprRef)>;

/// `Ball(m = 2) enabled by e { F = 0 }`.
#[derive(Clone, Debug)]
pub(crate) struct InstanceOf {
    pub(crate) actor: Name,
    pub(crate) arguments: GivenArguments,
    pub(crate) enabled: Option<ExprRef>,
    pub(crate) bindings: Vec<Field>,
}

/// What a transition does besides going: `ball.v := e` sets a state, `out y = e` gives an output for the moment.
#[derive(Clone, Debug)]
pub(crate) struct Action {
    pub(crate) is_set: bool,
    pub(crate) path: Vec<Name>,
    pub(crate) value: ExprRef,
    pub(crate) origin: Origin,
}

/// `from A when GUARD FLAGS goto B { … }`.
#[derive(Clone, Debug)]
pub(crate) struct TransitionTo {
    pub(crate) from: Option<Name>,
    /// None: `otherwise`.
    pub(crate) guard: Option<ExprRef>,
    pub(crate) flags: Vec<Name>,
    pub(crate) tolerance: Option<ExprRef>,
    pub(crate) target: Name,
    pub(crate) actions: Vec<Action>,
}

/// What a file is used as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FileKind {
    Mechanism,
    Fmu,
    Table,
}

/// `mechanism arm = "arm.drbt"(K = 2) { u1 = e }`, and the same of an FMU; `table t = "t.csv"`.
#[derive(Clone, Debug)]
pub(crate) struct FileUse {
    pub(crate) kind: FileKind,
    pub(crate) name: Name,
    pub(crate) path: String,
    pub(crate) path_origin: Origin,
    pub(crate) arguments: GivenArguments,
    pub(crate) bindings: Vec<Field>,
}

#[derive(Clone, Debug)]
pub(crate) enum StatementKind {
    Port {
        direction: Direction,
        kind: PortKind,
        names: Vec<Formal>,
    },
    Equation {
        target: Name,
        value: ExprRef,
    },
    Integrator {
        target: Name,
        derivative: ExprRef,
        init: Option<ExprRef>,
        impulse: Option<ExprRef>,
        reset: Option<ExprRef>,
    },
    Instance {
        name: Name,
        of: InstanceOf,
    },
    File(FileUse),
    Modal {
        name: Name,
        body: Vec<Statement>,
    },
    Mode {
        name: Name,
        is_initial: bool,
        body: Vec<Statement>,
    },
    Transition(TransitionTo),
}

/// What stands in the body of an actor, of a mode, or of the model itself.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub(crate) kind: StatementKind,
    pub(crate) origin: Origin,
}

#[derive(Clone, Debug)]
pub(crate) enum ItemKind {
    /// `system NAME`, or `model NAME` of actors.
    System(Name),
    Function {
        name: Name,
        parameters: Vec<Name>,
        value: ExprRef,
    },
    Actor {
        name: Name,
        parameters: Vec<Formal>,
        body: Vec<Statement>,
    },
    /// Something of the model's own body.
    Statement(Statement),
    Record {
        paths: Vec<Vec<Name>>,
    },
    Import {
        path: String,
        path_origin: Origin,
    },
    Param {
        name: Name,
        within: Option<ExprRef>,
        equals: Option<ExprRef>,
    },
    Input {
        name: Name,
        within: Option<ExprRef>,
        equals: Option<ExprRef>,
    },
    Let {
        name: Name,
        value: ExprRef,
    },
    Entity {
        name: Name,
        fixed: bool,
        fields: Vec<Field>,
    },
    Contact {
        scope: LawScope,
        fields: Vec<Field>,
    },
    NoContact {
        first: Name,
        second: Name,
    },
    Force {
        targets: Vec<Name>,
        at: Option<ExprRef>,
        value: ExprRef,
    },
    Moment {
        targets: Vec<Name>,
        value: ExprRef,
    },
    Gravity {
        value: ExprRef,
    },
    Spring {
        ends: (End, End),
        fields: Vec<Field>,
    },
    Damper {
        ends: (End, End),
        fields: Vec<Field>,
    },
    Impacts {
        words: Vec<Name>,
        seed: Option<ExprRef>,
    },
    Tolerances {
        fields: Vec<Field>,
    },
    Horizon {
        value: ExprRef,
    },
    Property {
        name: Name,
        formula: ExprRef,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) kind: ItemKind,
    pub(crate) origin: Origin,
}

/// One parsed file.
#[derive(Clone, Debug, Default)]
pub(crate) struct SourceTree {
    pub(crate) items: Vec<Item>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) damage: Damage,
}

/// What mistakes of syntax took with them: a later stage does not report it as missing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Damage {
    /// Words in items that could not be parsed.
    pub(crate) words: BTreeSet<String>,
    /// Items some fields of which could not be parsed.
    pub(crate) items: Vec<Origin>,
    /// Items with characters in them that have no meaning.
    pub(crate) strange: Vec<Origin>,
    /// Whether the rest of the file was given up, or names are beyond measure: nothing can be said of the whole.
    pub(crate) is_beyond_use: bool,
}

impl SourceTree {
    /// Whether an entity is declared, rightly or wrongly.
    pub(crate) fn has_entity(&self) -> bool {
        self.items
            .iter()
            .any(|item| matches!(item.kind, ItemKind::Entity { .. }))
    }
    /// The parts of a tuple, in order; none of another expression.
    pub(crate) fn parts(&self, expr: ExprRef) -> Option<Vec<ExprRef>> {
        let NodeKind::Tuple(roots) = &self.nodes[expr.root].kind else {
            return None;
        };
        // Each begins where the one before ends.
        let firsts = std::iter::once(expr.first).chain(roots.iter().map(|root| root + 1));
        Some(
            firsts
                .zip(roots)
                .map(|(first, root)| ExprRef { first, root: *root })
                .collect(),
        )
    }
    /// Where an expression stands.
    pub(crate) fn origin(&self, expr: ExprRef) -> Origin {
        self.nodes[expr.root].origin
    }
}
