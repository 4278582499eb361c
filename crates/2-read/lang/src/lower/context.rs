//! What lowering knows so far: the pool, the symbols, the names, the findings.
//!
//! Two facts about every node of the pool are kept up to date as it grows, each computed once: what the node
//! depends on, and the interval of its values over all parameters. So checks cost nothing extra on big files.

use crate::syntax::ast::Name;
use dyverse_diag::{Diagnostic, Origin, SourceMap, number, report};
use dyverse_expr::{BinaryFunction, Node, NodeId, Pool, SymbolId, UnaryFunction, Valuation};
use dyverse_model::{EntityId, Input, InputId, Parameter, ParameterId, Symbol};
use dyverse_num::{Interval, Tri};
use std::collections::BTreeMap;

use super::symbols::{Meaning, Symbols};
use super::typed::Typed;
use super::user_function::UserFunction;
use crate::actors::Actors;

/// Findings kept at the most.
const MOST_FINDINGS: usize = 200;
/// Unknown names for which a known one is looked for that is spelt alike: each search reads all names.
const MOST_SUGGESTIONS: usize = 50;

/// What a node depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dependence(u8);

impl Dependence {
    pub(crate) const NONE: Dependence = Dependence(0);
    pub(crate) const PARAMETER: Dependence = Dependence(1);
    pub(crate) const STATE: Dependence = Dependence(2);
    pub(crate) const INPUT: Dependence = Dependence(4);
    pub(crate) const TIME: Dependence = Dependence(8);
    pub(crate) const CONTACT: Dependence = Dependence(16);
    pub(crate) const SLIP: Dependence = Dependence(32);
    /// Some operation may be undefined for some parameters: a root of a negative number, a division by zero.
    pub(crate) const UNDEFINED: Dependence = Dependence(64);

    pub(crate) const fn with(self, other: Dependence) -> Dependence {
        Dependence(self.0 | other.0)
    }
    pub(crate) fn includes(self, other: Dependence) -> bool {
        self.0 & other.0 != 0
    }
    /// What is in `self` and not in `allowed`, less [`Dependence::UNDEFINED`].
    pub(crate) fn beyond(self, allowed: Dependence) -> Dependence {
        Dependence(self.0 & !allowed.0 & !Dependence::UNDEFINED.0)
    }
}

/// What a global name stands for.
#[derive(Clone, Debug)]
pub(crate) enum Global {
    Parameter(ParameterId),
    Input(InputId),
    Entity(EntityId),
    /// A `let`; its value once its item has been reached.
    Definition(Option<Typed>),
    /// A parameter or input whose item has not been reached, or is broken.
    NotYet,
    /// Its item was reached and is broken: reported there.
    Broken,
}

/// A global name with the place of its declaration.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub(crate) global: Global,
    pub(crate) origin: Origin,
}

/// The state of lowering.
pub(crate) struct Context<'a> {
    pub(crate) sources: &'a SourceMap,
    pub(crate) pool: Pool,
    pub(crate) symbols: Symbols,
    pub(crate) names: BTreeMap<String, Declared>,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) parameter_values: Vec<Interval>,
    pub(crate) inputs: Vec<Input>,
    pub(crate) entity_names: Vec<Name>,
    pub(crate) entity_is_fixed: Vec<bool>,
    pub(crate) functions: BTreeMap<String, UserFunction>,
    /// The arguments of the function whose body is being lowered.
    pub(crate) arguments: BTreeMap<String, NodeId>,
    /// Nodes that calls of declared functions have made so far.
    pub(crate) inlined: usize,
    /// What an actor model adds; empty otherwise.
    pub(crate) actors: Actors,
    pub(crate) diagnostics: Vec<Diagnostic>,
    error_count: usize,
    suggestions: usize,
    dependence: Vec<Dependence>,
    values: Valuation<Interval>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(sources: &'a SourceMap) -> Self {
        Context {
            sources,
            pool: Pool::new(),
            symbols: Symbols::default(),
            names: BTreeMap::new(),
            parameters: Vec::new(),
            parameter_values: Vec::new(),
            inputs: Vec::new(),
            entity_names: Vec::new(),
            entity_is_fixed: Vec::new(),
            functions: BTreeMap::new(),
            arguments: BTreeMap::new(),
            inlined: 0,
            actors: Actors::default(),
            diagnostics: Vec::new(),
            error_count: 0,
            suggestions: 0,
            dependence: Vec::new(),
            values: Valuation::default(),
        }
    }

    /// Notes a finding. Past a limit they are dropped: there is an error already, and nobody reads more.
    pub(crate) fn report(&mut self, finding: Diagnostic) {
        if self.diagnostics.len() < MOST_FINDINGS {
            self.error_count += usize::from(finding.is_error());
            self.diagnostics.push(finding);
        }
    }

    /// Whether further findings would be dropped: no need to work them out.
    pub(crate) fn is_full(&self) -> bool {
        self.diagnostics.len() >= MOST_FINDINGS
    }

    /// Whether to look once more for a name that is spelt alike.
    pub(crate) fn may_suggest(&mut self) -> bool {
        self.suggestions += 1;
        self.suggestions <= MOST_SUGGESTIONS
    }

    /// How many errors there are so far.
    pub(crate) fn error_count(&self) -> usize {
        self.error_count
    }

    pub(crate) fn entity_name(&self, id: EntityId) -> &str {
        &self.entity_names[id.0].text
    }

    pub(crate) fn symbol(&mut self, symbol: Symbol) -> NodeId {
        self.read(Meaning::Model(symbol))
    }

    /// The expression that reads a symbol.
    pub(crate) fn read(&mut self, meaning: Meaning) -> NodeId {
        let id = self.symbols.id(meaning);
        self.pool.symbol(id)
    }

    /// The interval of a node's values over all parameters; entire where it depends on more.
    pub(crate) fn value(&mut self, node: NodeId) -> Interval {
        self.update();
        self.values.number(node).copied().unwrap_or(Interval::ENTIRE)
    }

    /// What a node depends on.
    pub(crate) fn dependence(&mut self, node: NodeId) -> Dependence {
        self.update();
        self.dependence[node.index()]
    }

    fn update(&mut self) {
        let (symbols, parameters) = (&self.symbols, &self.parameter_values);
        self.values.update(&self.pool, |id| match symbols.meaning(id) {
            Meaning::Model(Symbol::Parameter(p)) => {
                parameters.get(p.0 as usize).copied().unwrap_or(Interval::ENTIRE)
            }
            Meaning::Model(Symbol::Time | Symbol::SlipSpeed | Symbol::Mass(_)) => {
                Interval::ENTIRE.max(&Interval::ZERO)
            }
            _ => Interval::ENTIRE,
        });
        for (_, node) in self.pool.nodes_from(self.dependence.len()) {
            let own = match node {
                Node::Symbol(id) => symbol_dependence(symbols.meaning(id)),
                _ if may_be_undefined(node, &self.values) => Dependence::UNDEFINED,
                _ => Dependence::NONE,
            };
            let all = node
                .operands()
                .fold(own, |sum, id| sum.with(self.dependence[id.index()]));
            self.dependence.push(all);
        }
    }

    /// The name of a symbol, as the file writes it.
    pub(crate) fn symbol_name(&self, id: SymbolId) -> String {
        let symbol = match self.symbols.meaning(id) {
            Meaning::Model(symbol) => symbol,
            Meaning::Signal(signal) => return self.actors.signal_name(signal).to_owned(),
            Meaning::Argument(_) => return "an argument".into(),
        };
        match symbol {
            Symbol::Parameter(p) => self.parameters[p.0 as usize].name.clone(),
            Symbol::Input(i) => self.inputs[i.0 as usize].name.clone(),
            Symbol::Time => "time".into(),
            Symbol::State(e, component) => format!("{}.{}", self.entity_name(e), component.name()),
            Symbol::Mass(e) => format!("{}.mass", self.entity_name(e)),
            Symbol::SlipSpeed => "slip_speed".into(),
            Symbol::Contact(q, a, b) => {
                format!("{}({}, {})", q.name(), self.entity_name(a), self.entity_name(b))
            }
        }
    }

    /// Reports, once, what `nodes` read beyond what is allowed where they stand. True if there is nothing.
    pub(crate) fn check_dependence(
        &mut self,
        nodes: &[NodeId],
        allowed: Dependence,
        origin: Origin,
        place: &str,
    ) -> bool {
        let all = nodes
            .iter()
            .fold(Dependence::NONE, |sum, node| sum.with(self.dependence(*node)));
        let beyond = all.beyond(allowed);
        if beyond == Dependence::NONE {
            return true;
        }
        if self.is_full() {
            return false;
        }
        let culprit = self.pool.symbols(nodes).into_iter().find(|id| {
            let own = symbol_dependence(self.symbols.meaning(*id));
            own.beyond(allowed) != Dependence::NONE
        });
        let culprit = culprit.map_or_else(String::new, |id| self.symbol_name(id));
        let why = if beyond.includes(Dependence::CONTACT) {
            "a contact quantity is only known to properties"
        } else if beyond.includes(Dependence::SLIP) {
            "the slip speed is only known to friction laws"
        } else if allowed == Dependence::PARAMETER {
            "it must be a constant: numbers and parameters only"
        } else {
            "it may not change during a run in this way"
        };
        report!(self, L010 at origin, "{place} may not depend on `{culprit}`";
            label "reads `{culprit}`";
            note why);
        false
    }

    /// Reports a constant that is not a finite number for all parameters. True if it is.
    pub(crate) fn check_finite(&mut self, node: NodeId, origin: Origin, place: &str) -> bool {
        let value = self.value(node);
        let undefined = self.dependence(node).includes(Dependence::UNDEFINED);
        if !undefined && !value.is_empty() && value.is_bounded() {
            return true;
        }
        let found = if value.is_empty() {
            "it has no value".to_owned()
        } else if undefined {
            "an operation in it is undefined for some values of the parameters".to_owned()
        } else if value.lo() > 1e308 || value.hi() < -1e308 {
            "beyond the largest double".to_owned()
        } else {
            format!(
                "its values reach from {} to {}",
                number(value.lo()),
                number(value.hi())
            )
        };
        report!(self, L011 at origin, "{place} is not a finite number";
            label found;
            help "look for a division by zero, a root or logarithm of a negative number, or too wide a range");
        false
    }

    /// Text of a name in backquotes, for messages.
    pub(crate) fn quoted(&self, origin: Origin) -> String {
        format!("`{}`", self.sources.snippet(origin))
    }
}

fn symbol_dependence(meaning: Meaning) -> Dependence {
    let symbol = match meaning {
        Meaning::Model(symbol) => symbol,
        Meaning::Signal(_) => return Dependence::STATE,
        Meaning::Argument(_) => return Dependence::NONE,
    };
    match symbol {
        Symbol::Parameter(_) => Dependence::PARAMETER,
        Symbol::Input(_) => Dependence::INPUT,
        Symbol::Time => Dependence::TIME,
        Symbol::State(..) => Dependence::STATE,
        // A mass is a constant, but it is not known before all entities are.
        Symbol::Mass(_) => Dependence::STATE,
        Symbol::SlipSpeed => Dependence::SLIP,
        Symbol::Contact(..) => Dependence::CONTACT,
    }
}

/// Whether an operation may leave its domain, given the intervals of its operands.
fn may_be_undefined(node: Node, values: &Valuation<Interval>) -> bool {
    let of = |id: NodeId| values.number(id).copied().unwrap_or(Interval::ENTIRE);
    let is_defined = match node {
        Node::Unary(UnaryFunction::Sqrt, a) => of(a).is_sqrt_defined(),
        Node::Unary(UnaryFunction::Ln, a) => of(a).is_ln_defined(),
        Node::Unary(UnaryFunction::Asin | UnaryFunction::Acos, a) => of(a).is_arcsine_defined(),
        Node::Binary(BinaryFunction::Divide, _, b) => of(b).is_nonzero(),
        Node::Integer(a, n) if n < 0 => of(a).is_nonzero(),
        _ => Tri::True,
    };
    is_defined != Tri::True
}
