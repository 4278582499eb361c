//! Builds a graph: for the language's lowering, and for tests.
//!
//! Signals are declared first and defined in any order, because feedback makes each other's definitions need them.
//!
//! ```
//! use dyverse_actors::{Definition, GraphBuilder, RegionId};
//! // y' = 1 + y, y(0) = 0 [004 fig. 2]
//! let mut g = GraphBuilder::new("growth");
//! let (y, dy) = (g.declare("y"), g.declare("dy"));
//! let (one, zero, y_value) = (g.pool.number(1.0), g.pool.number(0.0), g.read(y));
//! let sum = g.pool.add(one, y_value);
//! g.define(dy, Definition::Expression(sum));
//! g.define(y, Definition::Integrator { derivative: dy, init: zero, impulse: None, reset: None });
//! let graph = g.finish().expect("every signal is defined");
//! assert!(dyverse_actors::find_loops(&graph).is_empty());
//! ```

use crate::check::check;
use crate::{
    ComponentId, ComponentUse, Definition, Graph, GraphError, ModalId, ModalModel, Mode, ModeId,
    ModeTransition, Numerics, Region, RegionId, RegionKind, Signal, SignalId, SignalKind, Symbol,
};
use dyverse_diag::Origin;
use dyverse_expr::{NodeId, Pool, SymbolId};
use dyverse_model::{Input, InputId, Parameter, ParameterId, Property};
use std::collections::BTreeMap;

/// A graph in the making.
#[derive(Clone, Debug)]
pub struct GraphBuilder {
    /// All expressions.
    pub pool: Pool,
    /// Numbers of the execution that the model states.
    pub numerics: Numerics,
    /// How long the model is meant to run, s.
    pub horizon: Option<f64>,
    name: String,
    symbols: Vec<Symbol>,
    ids: BTreeMap<Symbol, SymbolId>,
    parameters: Vec<Parameter>,
    inputs: Vec<Input>,
    signals: Vec<(Signal, bool)>,
    regions: Vec<Region>,
    modals: Vec<ModalModel>,
    components: Vec<ComponentUse>,
    properties: Vec<Property>,
    record: Vec<SignalId>,
    /// Places of signals by name; the first of one name.
    names: BTreeMap<String, SignalId>,
}

impl GraphBuilder {
    /// An empty model: the root region only.
    pub fn new(name: impl Into<String>) -> Self {
        GraphBuilder {
            pool: Pool::new(),
            numerics: Numerics::default(),
            horizon: None,
            name: name.into(),
            symbols: Vec::new(),
            ids: BTreeMap::new(),
            parameters: Vec::new(),
            inputs: Vec::new(),
            signals: Vec::new(),
            regions: vec![Region {
                name: String::new(),
                parent: None,
                kind: RegionKind::Root,
                origin: None,
            }],
            modals: Vec::new(),
            components: Vec::new(),
            properties: Vec::new(),
            record: Vec::new(),
            names: BTreeMap::new(),
        }
    }

    /// An empty model over expressions made elsewhere; `symbols` says what each symbol id of the pool stands for, in order.
    pub fn with_pool(name: impl Into<String>, pool: Pool, symbols: Vec<Symbol>) -> Self {
        let numbered = symbols.iter().enumerate();
        let ids = numbered
            .map(|(place, symbol)| (*symbol, SymbolId(place as u32)))
            .collect();
        GraphBuilder {
            pool,
            symbols,
            ids,
            ..GraphBuilder::new(name)
        }
    }

    /// The id of a symbol, which is added if new.
    pub fn symbol(&mut self, symbol: Symbol) -> SymbolId {
        *self.ids.entry(symbol).or_insert_with(|| {
            self.symbols.push(symbol);
            SymbolId(self.symbols.len() as u32 - 1)
        })
    }
    /// What a symbol of this builder stands for.
    pub fn meaning(&self, id: SymbolId) -> Option<Symbol> {
        self.symbols.get(id.0 as usize).copied()
    }
    /// The expression that reads a signal.
    pub fn read(&mut self, signal: SignalId) -> NodeId {
        let id = self.symbol(Symbol::Signal(signal));
        self.pool.symbol(id)
    }
    /// The expression that reads a parameter.
    pub fn read_parameter(&mut self, parameter: ParameterId) -> NodeId {
        let id = self.symbol(Symbol::Parameter(parameter));
        self.pool.symbol(id)
    }
    /// The expression that reads an external input.
    pub fn read_input(&mut self, input: InputId) -> NodeId {
        let id = self.symbol(Symbol::Input(input));
        self.pool.symbol(id)
    }
    /// The expression for time.
    pub fn time(&mut self) -> NodeId {
        let id = self.symbol(Symbol::Time);
        self.pool.symbol(id)
    }

    /// Adds a parameter; it may use earlier ones.
    pub fn parameter(&mut self, parameter: Parameter) -> ParameterId {
        self.parameters.push(parameter);
        ParameterId(self.parameters.len() as u32 - 1)
    }
    /// Adds an external input.
    pub fn input(&mut self, input: Input) -> InputId {
        self.inputs.push(input);
        InputId(self.inputs.len() as u32 - 1)
    }
    /// Adds a property.
    pub fn property(&mut self, property: Property) {
        self.properties.push(property);
    }

    /// Declares a signal of the root, to be defined later.
    pub fn declare(&mut self, name: impl Into<String>) -> SignalId {
        self.declare_in(RegionId::ROOT, name, SignalKind::Any, None)
    }
    /// Declares a signal, to be defined later.
    pub fn declare_in(
        &mut self,
        region: RegionId,
        name: impl Into<String>,
        kind: SignalKind,
        origin: impl Into<Option<Origin>>,
    ) -> SignalId {
        let name = name.into();
        let id = SignalId(self.signals.len() as u32);
        self.names.entry(name.clone()).or_insert(id);
        let signal = Signal {
            name,
            unit: String::new(),
            kind,
            region,
            definition: Definition::Merge(Vec::new()),
            origin: origin.into(),
        };
        self.signals.push((signal, false));
        id
    }
    /// Defines a signal. The last definition of several is kept; that there is one only, the language checks.
    pub fn define(&mut self, signal: SignalId, definition: Definition) {
        if let Some((signal, is_defined)) = self.signals.get_mut(signal.0 as usize) {
            signal.definition = definition;
            *is_defined = true;
        }
    }
    /// Declares and defines a signal of the root.
    pub fn add(&mut self, name: impl Into<String>, definition: Definition) -> SignalId {
        self.add_in(RegionId::ROOT, name, definition)
    }
    /// Declares and defines a signal.
    pub fn add_in(&mut self, region: RegionId, name: impl Into<String>, definition: Definition) -> SignalId {
        let id = self.declare_in(region, name, SignalKind::Any, None);
        self.define(id, definition);
        id
    }
    /// Says a signal's unit.
    pub fn set_unit(&mut self, signal: SignalId, unit: impl Into<String>) {
        if let Some((signal, _)) = self.signals.get_mut(signal.0 as usize) {
            signal.unit = unit.into();
        }
    }
    /// A signal as far as it is known.
    pub fn signal(&self, id: SignalId) -> Option<&Signal> {
        self.signals.get(id.0 as usize).map(|(signal, _)| signal)
    }
    /// A signal by its name.
    pub fn find(&self, name: &str) -> Option<SignalId> {
        self.names.get(name).copied()
    }
    /// Whether a signal has been defined.
    pub fn is_defined(&self, id: SignalId) -> bool {
        self.signals
            .get(id.0 as usize)
            .is_some_and(|(_, defined)| *defined)
    }

    /// Adds an enabled composite: active while its parent is and `enable` is present and not 0.
    pub fn enabled(
        &mut self,
        parent: RegionId,
        name: impl Into<String>,
        enable: SignalId,
        origin: impl Into<Option<Origin>>,
    ) -> RegionId {
        self.region(Region {
            name: name.into(),
            parent: Some(parent),
            kind: RegionKind::Enabled(enable),
            origin: origin.into(),
        })
    }
    fn region(&mut self, region: Region) -> RegionId {
        self.regions.push(region);
        RegionId(self.regions.len() as u32 - 1)
    }

    /// Adds a modal model without modes; it begins in its first.
    pub fn modal(
        &mut self,
        region: RegionId,
        name: impl Into<String>,
        origin: impl Into<Option<Origin>>,
    ) -> ModalId {
        self.modals.push(ModalModel {
            name: name.into(),
            region,
            modes: Vec::new(),
            initial: ModeId(0),
            transitions: Vec::new(),
            origin: origin.into(),
        });
        ModalId(self.modals.len() as u32 - 1)
    }
    /// Adds a mode and the region of its refinement, which is named `path.of.modal.mode`.
    pub fn mode(
        &mut self,
        modal: ModalId,
        name: impl Into<String>,
        origin: impl Into<Option<Origin>>,
    ) -> (ModeId, RegionId) {
        let (name, origin) = (name.into(), origin.into());
        let (path, parent, count) = self
            .modals
            .get(modal.0 as usize)
            .map_or((String::new(), RegionId::ROOT, 0), |m| {
                (m.name.clone(), m.region, m.modes.len())
            });
        let mode = ModeId(count as u32);
        let region = self.region(Region {
            name: format!("{path}.{name}"),
            parent: Some(parent),
            kind: RegionKind::Mode(modal, mode),
            origin,
        });
        if let Some(modal) = self.modals.get_mut(modal.0 as usize) {
            modal.modes.push(Mode {
                name,
                region,
                leaving: None,
                origin,
            });
        }
        (mode, region)
    }
    /// The region of what guards and actions of the transitions out of a mode are made of; it is added if it is new.
    pub fn leaving(&mut self, modal: ModalId, mode: ModeId) -> RegionId {
        let found = self.modals.get(modal.0 as usize);
        let Some((parent, known)) = found.and_then(|m| Some((m.region, m.modes.get(mode.0 as usize)?)))
        else {
            return RegionId::ROOT;
        };
        if let Some(region) = known.leaving {
            return region;
        }
        let name = self
            .regions
            .get(known.region.0 as usize)
            .map_or_else(String::new, |r| r.name.clone());
        let region = self.region(Region {
            name,
            parent: Some(parent),
            kind: RegionKind::Leaving(modal, mode),
            origin: None,
        });
        if let Some(mode) = self
            .modals
            .get_mut(modal.0 as usize)
            .and_then(|m| m.modes.get_mut(mode.0 as usize))
        {
            mode.leaving = Some(region);
        }
        region
    }
    /// Says in which mode a modal model begins.
    pub fn initial(&mut self, modal: ModalId, mode: ModeId) {
        if let Some(modal) = self.modals.get_mut(modal.0 as usize) {
            modal.initial = mode;
        }
    }
    /// Adds a transition.
    pub fn transition(&mut self, modal: ModalId, transition: ModeTransition) {
        if let Some(modal) = self.modals.get_mut(modal.0 as usize) {
            modal.transitions.push(transition);
        }
    }

    /// Adds a component; its outputs are defined by [`Definition::Output`] and [`Definition::Event`].
    pub fn component(&mut self, component: ComponentUse) -> ComponentId {
        self.components.push(component);
        ComponentId(self.components.len() as u32 - 1)
    }
    /// Records a signal; twice is once. Nothing recorded means all.
    pub fn record(&mut self, signal: SignalId) {
        self.record.push(signal);
    }

    /// Checks and finishes the graph.
    ///
    /// # Errors
    /// Everything that is wrong, see [`GraphError`].
    pub fn finish(self) -> Result<Graph, Vec<GraphError>> {
        let undefined = self.signals.iter().filter(|(_, is_defined)| !is_defined);
        let mut errors: Vec<GraphError> = undefined
            .map(|(signal, _)| GraphError::Undefined {
                signal: signal.name.clone(),
                origin: signal.origin,
            })
            .collect();
        let all = (0..self.signals.len() as u32).map(SignalId);
        let mut graph = Graph {
            record: if self.record.is_empty() {
                all.collect()
            } else {
                let mut is_new = vec![true; self.signals.len()];
                let first = |s: &SignalId| is_new.get_mut(s.0 as usize).is_some_and(std::mem::take);
                self.record.into_iter().filter(first).collect()
            },
            name: self.name,
            pool: self.pool,
            symbols: self.symbols,
            parameters: self.parameters,
            inputs: self.inputs,
            signals: self.signals.into_iter().map(|(signal, _)| signal).collect(),
            regions: self.regions,
            modals: self.modals,
            components: self.components,
            properties: self.properties,
            horizon: self.horizon,
            numerics: self.numerics,
        };
        errors.extend(check(&graph));
        if errors.is_empty() {
            crate::guards::read_before(&mut graph);
        }
        if errors.is_empty() { Ok(graph) } else { Err(errors) }
    }
}
