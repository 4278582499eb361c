//! The finished graph.

use crate::{Definition, ModalId, ModalModel, ModeId};
use dyverse_diag::Origin;
use dyverse_expr::{NodeId, Pool, Printer, Program, SymbolId};
use dyverse_model::{Input, InputId, Parameter, ParameterId, Property};

/// The end of the name of a [`Definition::Before`].
pub(crate) const BEFORE: &str = "before";
/// Operators inside each other, and nodes of an expression, that a text shows at the most.
const DEEPEST_TEXT: usize = 4;
const LONGEST_TEXT: usize = 40;
/// How the names of what guards and actions are made of go on after that of their modal model.
const GUARD: &str = "when";

/// A signal, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SignalId(pub u32);

/// A region, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RegionId(pub u32);

impl RegionId {
    /// The whole model.
    pub const ROOT: RegionId = RegionId(0);
}

/// A component, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ComponentId(pub u32);

/// What the writer says about when a signal is present.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum SignalKind {
    /// Present while time passes.
    Continuous,
    /// Absent while time passes.
    Event,
    /// Nothing is said.
    #[default]
    Any,
}

/// A signal and what defines it.
#[derive(Clone, Debug)]
pub struct Signal {
    /// Its full path, such as `left.v`.
    pub name: String,
    /// Its unit; empty for none.
    pub unit: String,
    /// When it is said to be present.
    pub kind: SignalKind,
    /// Where it lives.
    pub region: RegionId,
    /// Whose output it is.
    pub definition: Definition,
    /// Where it is written.
    pub origin: Option<Origin>,
}

/// What decides whether a region is active.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionKind {
    /// Always.
    Root,
    /// While its parent is, and this signal is present and not 0.
    Enabled(SignalId),
    /// While the modal model's region is and it is in this mode, or passes through it.
    Mode(ModalId, ModeId),
    /// What guards and actions of the transitions out of a mode are made of: while the modal model's region is active and it is in this mode, preempted or
    /// not; and at the tick at which it enters it, if an immediate transition leaves it.
    Leaving(ModalId, ModeId),
}

/// A part of the model that is active or not as a whole.
#[derive(Clone, Debug)]
pub struct Region {
    /// Its full path; empty for the root.
    pub name: String,
    /// The region around it; `None` for the root.
    pub parent: Option<RegionId>,
    /// What decides whether it is active.
    pub kind: RegionKind,
    /// Where it is written.
    pub origin: Option<Origin>,
}

/// A black box with continuous state, such as a rigid-body system. What it is, the caller of the engine knows.
#[derive(Clone, Debug)]
pub struct ComponentUse {
    /// Its full path.
    pub name: String,
    /// Its place in the list that the caller gives the engine.
    pub handle: u32,
    /// Where it lives.
    pub region: RegionId,
    /// Its inputs by name; they are read continuously.
    pub inputs: Vec<(String, SignalId)>,
    /// Names of its continuous outputs.
    pub outputs: Vec<String>,
    /// Names of its event outputs.
    pub events: Vec<String>,
    /// Where it is written.
    pub origin: Option<Origin>,
}

impl Signal {
    /// Whether the model's text names it. An operand that has no name of its own is called after what it belongs to, with a `#`, which no name of a text holds.
    pub fn is_named(&self) -> bool {
        !self.name.contains('#')
    }

    /// What to call it in a message.
    pub fn label(&self) -> String {
        match self.name.split_once('#') {
            Some((whole, BEFORE)) => whole.to_owned(),
            Some((whole, part)) if part.starts_with(GUARD) => format!("part of a guard of {whole}"),
            Some((whole, _)) => format!("part of {whole}"),
            None => self.name.clone(),
        }
    }
}

/// What a symbol of an expression stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Symbol {
    /// A signal.
    Signal(SignalId),
    /// A parameter.
    Parameter(ParameterId),
    /// An external input; always present.
    Input(InputId),
    /// Time.
    Time,
}

/// Numbers of the execution that the model itself states.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Numerics {
    /// How far beyond a level or switching surface an event may be, unless it says so itself; `None`: located to rounding.
    pub crossing: Option<f64>,
    /// Longest step of the solver, s.
    pub max_step: Option<f64>,
    /// Relative tolerance of the solver.
    pub relative: Option<f64>,
    /// Absolute tolerance of the solver.
    pub absolute: Option<f64>,
    /// Microsteps at one instant at the most.
    pub microsteps: Option<usize>,
    /// Distances of events that fall geometrically below this part of max(1, t) are an accumulation.
    pub accumulation: Option<f64>,
}

/// An actor model: immutable and checked. Made by [`GraphBuilder`](crate::GraphBuilder).
#[derive(Clone, Debug)]
pub struct Graph {
    pub(crate) name: String,
    pub(crate) pool: Pool,
    pub(crate) symbols: Vec<Symbol>,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) inputs: Vec<Input>,
    pub(crate) signals: Vec<Signal>,
    pub(crate) regions: Vec<Region>,
    pub(crate) modals: Vec<ModalModel>,
    pub(crate) components: Vec<ComponentUse>,
    pub(crate) properties: Vec<Property>,
    pub(crate) record: Vec<SignalId>,
    pub(crate) horizon: Option<f64>,
    pub(crate) numerics: Numerics,
}

impl Graph {
    /// The model's name.
    pub fn name(&self) -> &str {
        &self.name
    }
    /// The same model with other doubles for its decimals ([`Pool::nudged`]).
    #[must_use]
    pub fn nudged(&self, is_up: impl Fn(usize) -> bool) -> Self {
        Graph {
            pool: self.pool.nudged(is_up),
            ..self.clone()
        }
    }
    /// All expressions.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }
    /// The value of an expression over parameters whose values are these; NaN if it reads anything else.
    pub fn constant(&self, node: NodeId, parameters: &[f64]) -> f64 {
        let tape = Program::new(&self.pool, &[node]);
        let mut work = Vec::new();
        tape.run(
            |id| match self.symbol(id) {
                Symbol::Parameter(p) => parameters.get(p.0 as usize).copied().unwrap_or(f64::NAN),
                _ => f64::NAN,
            },
            &mut work,
        );
        tape.result(&work, 0)
    }
    /// What a symbol stands for.
    pub fn symbol(&self, id: SymbolId) -> Symbol {
        self.symbols[id.0 as usize]
    }
    /// Parameters, in an order in which each uses only earlier ones.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }
    /// External inputs.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }
    /// Signals.
    pub fn signals(&self) -> &[Signal] {
        &self.signals
    }
    /// One signal.
    pub fn signal(&self, id: SignalId) -> &Signal {
        &self.signals[id.0 as usize]
    }
    /// A signal by its name.
    pub fn find(&self, name: &str) -> Option<SignalId> {
        let place = self.signals.iter().position(|s| s.name == name)?;
        Some(SignalId(place as u32))
    }
    /// Regions; the first is the root, and a parent comes before its children.
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }
    /// One region.
    pub fn region(&self, id: RegionId) -> &Region {
        &self.regions[id.0 as usize]
    }
    /// Modal models.
    pub fn modals(&self) -> &[ModalModel] {
        &self.modals
    }
    /// One modal model.
    pub fn modal(&self, id: ModalId) -> &ModalModel {
        &self.modals[id.0 as usize]
    }
    /// Components.
    pub fn components(&self) -> &[ComponentUse] {
        &self.components
    }
    /// What must hold.
    pub fn properties(&self) -> &[Property] {
        &self.properties
    }
    /// What a run records, in order.
    pub fn record(&self) -> &[SignalId] {
        &self.record
    }
    /// How long the model is meant to run, s.
    pub fn horizon(&self) -> Option<f64> {
        self.horizon
    }
    /// Numbers of the execution that the model states.
    pub fn numerics(&self) -> Numerics {
        self.numerics
    }

    /// The signals that an expression reads, each once.
    pub fn signals_of(&self, node: NodeId) -> Vec<SignalId> {
        let symbols = self.pool.symbols(&[node]).into_iter();
        symbols
            .filter_map(|id| match self.symbol(id) {
                Symbol::Signal(signal) => Some(signal),
                _ => None,
            })
            .collect()
    }
    /// An expression as text, with the names of the model.
    pub fn print(&self, node: NodeId) -> String {
        Printer::new(&self.pool, |id| self.symbol_name(id)).print(node)
    }
    /// The name of a symbol.
    pub fn symbol_name(&self, id: SymbolId) -> String {
        match self.symbol(id) {
            Symbol::Signal(s) => self.text_of(s, 0),
            Symbol::Parameter(p) => self.parameters[p.0 as usize].name.clone(),
            Symbol::Input(i) => self.inputs[i.0 as usize].name.clone(),
            Symbol::Time => "time".to_owned(),
        }
    }
    /// A signal as the model's text has it: its name, or the operator that it is.
    fn text_of(&self, id: SignalId, depth: usize) -> String {
        let signal = self.signal(id);
        if signal.is_named() || depth > DEEPEST_TEXT {
            return signal.label();
        }
        let text = |s: SignalId| self.text_of(s, depth + 1);
        match &signal.definition {
            Definition::Before(of) => text(*of),
            Definition::IsPresent(of) => format!("(present {})", text(*of)),
            Definition::IsAbsent(of) => format!("(absent {})", text(*of)),
            Definition::Default { preferred, alternate } => {
                format!("({} ?? {})", text(*preferred), text(*alternate))
            }
            Definition::Inhibit { value, inhibit } => format!("({} unless {})", text(*value), text(*inhibit)),
            Definition::Sample { value, trigger } => format!("({} on {})", text(*value), text(*trigger)),
            Definition::Post { value, .. } => format!("(post {})", text(*value)),
            Definition::Hold { value, .. } => format!("hold({})", text(*value)),
            Definition::Delay { value, .. } => format!("delay({}, …)", text(*value)),
            Definition::Cross { value, level, .. } => {
                format!("cross({}, {})", text(*value), self.print(*level))
            }
            Definition::Clock { period, .. } => format!("clock({})", self.print(*period)),
            Definition::Expression(node) if self.pool.reachable(&[*node]).len() <= LONGEST_TEXT => {
                let name = |id: SymbolId| match self.symbol(id) {
                    Symbol::Signal(s) => text(s),
                    _ => self.symbol_name(id),
                };
                format!("({})", Printer::new(&self.pool, name).print(*node))
            }
            _ => signal.label(),
        }
    }
    /// How many regions are around one.
    pub fn depth(&self, region: RegionId) -> usize {
        let (mut depth, mut next) = (0, self.region(region).parent);
        while let Some(id) = next {
            depth += 1;
            next = self.region(id).parent;
        }
        depth
    }
    /// Whether `inner` is `outer` or lies in it.
    pub fn is_within(&self, inner: RegionId, outer: RegionId) -> bool {
        let mut region = Some(inner);
        while let Some(id) = region {
            if id == outer {
                return true;
            }
            region = self.region(id).parent;
        }
        false
    }
}
