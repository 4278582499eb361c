//! What lowering an actor model knows: scopes (one for each body of each instance), signals, regions, modal models.
//!
//! Nothing here refers to the text but by [`Origin`]; ids are places in the vectors.

use super::fmu::FmuUse;
use super::mechanism::MechanismUse;
use super::table::Table;
use crate::lower::typed::Typed;
use crate::syntax::ast::{Direction, PortKind};
use dyverse_actors::{Definition, ModeTransition, RegionId, SignalId};
use dyverse_diag::Origin;
use dyverse_expr::NodeId;
use dyverse_model::EntityId;
use std::collections::BTreeMap;

/// Signals, scopes and regions of one model at the most.
pub(crate) const MOST_PARTS: usize = 1_000_000;

/// A scope, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ScopeId(pub(crate) usize);

impl ScopeId {
    /// The model's own body.
    pub(crate) const MODEL: ScopeId = ScopeId(0);
}

/// Something with members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// An instance, a modal model or a mode.
    Scope(ScopeId),
    /// A rigid-body system, by its place.
    Mechanism(usize),
    /// An entity of it.
    Entity(usize, EntityId),
    /// An FMU, by its place, and the first part of the name of a variable: its place in `FmuUse::prefixes`.
    Fmu(usize, usize),
    /// A table of an input file, by its place.
    Table(usize),
}

/// What a name of a scope stands for.
#[derive(Clone, Debug)]
pub(crate) enum Meaning {
    Signal(SignalId),
    /// A parameter of the actor, once it is bound.
    Parameter(Option<Typed>),
    Part(Part),
    /// Reported where it is declared.
    Broken,
}

/// A name of a scope and where it is declared.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    pub(crate) meaning: Meaning,
    pub(crate) origin: Origin,
}

/// What a body is the body of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScopeKind {
    Model,
    Actor,
    Modal,
    Mode,
}

/// The names of one body of one instance.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    pub(crate) kind: ScopeKind,
    /// Its full path; empty for the model.
    pub(crate) path: String,
    /// The body around it, whose names it sees: modes and modal models have one.
    pub(crate) around: Option<ScopeId>,
    pub(crate) region: RegionId,
    pub(crate) names: BTreeMap<String, Local>,
    /// The modal model that its modes form, if it has modes.
    pub(crate) modal: Option<usize>,
}

impl Scope {
    /// The full path of a name in it.
    pub(crate) fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() {
            name.to_owned()
        } else {
            format!("{}.{name}", self.path)
        }
    }
}

/// A signal in the making.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) name: String,
    /// How it was declared, if it was.
    pub(crate) port: Option<(Direction, PortKind)>,
    pub(crate) region: RegionId,
    pub(crate) definition: Option<Definition>,
    /// Where it is declared, or defined if it is not.
    pub(crate) origin: Origin,
    /// Where it is defined.
    pub(crate) defined: Option<Origin>,
    /// Definitions in modes.
    pub(crate) merged: Vec<SignalId>,
    /// Whether transitions give it a value.
    pub(crate) is_output: bool,
    /// Whether it has a name of its own.
    pub(crate) is_named: bool,
}

/// A region in the making.
#[derive(Clone, Debug)]
pub(crate) enum RegionDraft {
    Root,
    Enabled {
        name: String,
        parent: RegionId,
        enable: SignalId,
        origin: Origin,
    },
    /// Made with its mode.
    Mode {
        modal: usize,
        parent: RegionId,
    },
    /// What guards and actions of a mode are made of.
    Leaving {
        modal: usize,
        mode: usize,
        parent: RegionId,
    },
}

/// A mode in the making.
#[derive(Clone, Debug)]
pub(crate) struct ModeDraft {
    pub(crate) name: String,
    pub(crate) scope: ScopeId,
    /// The region of what its guards and actions are made of, once there is anything.
    pub(crate) leaving: Option<RegionId>,
    pub(crate) origin: Origin,
}

/// A modal model in the making.
#[derive(Clone, Debug)]
pub(crate) struct ModalDraft {
    pub(crate) name: String,
    pub(crate) region: RegionId,
    pub(crate) modes: Vec<ModeDraft>,
    pub(crate) initial: Option<(usize, Origin)>,
    pub(crate) transitions: Vec<ModeTransition>,
    pub(crate) origin: Origin,
}

/// Everything that an actor model adds to what is lowered.
#[derive(Debug, Default)]
pub(crate) struct Actors {
    pub(crate) scopes: Vec<Scope>,
    pub(crate) signals: Vec<Draft>,
    pub(crate) regions: Vec<RegionDraft>,
    pub(crate) modals: Vec<ModalDraft>,
    pub(crate) mechanisms: Vec<MechanismUse>,
    pub(crate) fmus: Vec<FmuUse>,
    pub(crate) tables: Vec<Table>,
    /// The name from which those of operands without one are made, and how many there are.
    stem: (String, usize),
    /// Operands without a name: equal ones of one region are one.
    operands: BTreeMap<(NodeId, RegionId), SignalId>,
}

impl Actors {
    pub(crate) fn scope(&self, id: ScopeId) -> &Scope {
        &self.scopes[id.0]
    }
    pub(crate) fn scope_mut(&mut self, id: ScopeId) -> &mut Scope {
        &mut self.scopes[id.0]
    }
    pub(crate) fn signal(&self, id: SignalId) -> &Draft {
        &self.signals[id.0 as usize]
    }
    pub(crate) fn signal_mut(&mut self, id: SignalId) -> &mut Draft {
        &mut self.signals[id.0 as usize]
    }
    pub(crate) fn signal_name(&self, id: SignalId) -> &str {
        &self.signal(id).name
    }

    /// Whether more would be too much.
    pub(crate) fn is_full(&self) -> bool {
        self.scopes.len() + self.signals.len() >= MOST_PARTS
    }

    /// A name, looked up in a scope and those around it.
    pub(crate) fn find(&self, scope: ScopeId, name: &str) -> Option<(ScopeId, &Local)> {
        let mut next = Some(scope);
        while let Some(id) = next {
            let scope = self.scope(id);
            if let Some(local) = scope.names.get(name) {
                return Some((id, local));
            }
            next = scope.around;
        }
        None
    }

    /// Whether a signal can be read from outside its body.
    pub(crate) fn is_readable(&self, id: SignalId) -> bool {
        matches!(self.signal(id).port, Some((Direction::Out, _)))
    }

    /// The names that can be read from outside a body.
    pub(crate) fn outputs_of(&self, id: ScopeId) -> Vec<&str> {
        let scope = self.scope(id);
        let is_output = |local: &Local| match local.meaning {
            Meaning::Signal(signal) => scope.kind == ScopeKind::Mode || self.is_readable(signal),
            Meaning::Part(_) => true,
            _ => false,
        };
        let names = scope.names.iter().filter(|(_, local)| is_output(local));
        names.map(|(name, _)| name.as_str()).collect()
    }

    /// All names that an expression of a scope can read, for suggestions.
    pub(crate) fn names_in(&self, scope: ScopeId) -> Vec<&str> {
        let mut names = Vec::new();
        let mut next = Some(scope);
        while let Some(id) = next {
            names.extend(self.scope(id).names.keys().map(String::as_str));
            next = self.scope(id).around;
        }
        names
    }

    /// A new signal without definition.
    pub(crate) fn declare(
        &mut self,
        name: String,
        port: Option<(Direction, PortKind)>,
        region: RegionId,
        origin: Origin,
    ) -> SignalId {
        self.signals.push(Draft {
            name,
            port,
            region,
            definition: None,
            origin,
            defined: None,
            merged: Vec::new(),
            is_output: false,
            is_named: true,
        });
        SignalId(self.signals.len() as u32 - 1)
    }

    /// From here on, operands without a name are those of `name`.
    pub(crate) fn begin(&mut self, name: String) {
        if self.stem.0 != name {
            self.stem = (name, 0);
        }
    }

    /// From here on, equal operands are new ones: guards and actions do not share them, because they read signals of their modal model at different moments.
    pub(crate) fn begin_apart(&mut self) {
        self.operands.clear();
    }

    /// The name of the next operand.
    pub(crate) fn next_name(&self) -> String {
        format!("{}#{}", self.stem.0, self.stem.1 + 1)
    }

    /// A signal without a name of its own.
    pub(crate) fn operand(&mut self, definition: Definition, region: RegionId, origin: Origin) -> SignalId {
        let name = self.next_name();
        self.stem.1 += 1;
        let id = self.declare(name, None, region, origin);
        let draft = self.signal_mut(id);
        draft.definition = Some(definition);
        draft.is_named = false;
        id
    }

    /// An expression as a signal.
    pub(crate) fn expression(&mut self, node: NodeId, region: RegionId, origin: Origin) -> SignalId {
        if let Some(known) = self.operands.get(&(node, region)) {
            return *known;
        }
        let id = self.operand(Definition::Expression(node), region, origin);
        self.operands.insert((node, region), id);
        id
    }

    /// Takes back the last signal if it is this one and has no name: its definition is then another's.
    pub(crate) fn take_operand(&mut self, id: SignalId) -> Option<Definition> {
        let is_last = id.0 as usize + 1 == self.signals.len();
        let draft = self.signals.last()?;
        if !is_last || draft.is_named || matches!(draft.definition, Some(Definition::Expression(_))) {
            return None;
        }
        self.stem.1 -= 1;
        self.signals.pop()?.definition
    }

    /// A new region.
    pub(crate) fn region(&mut self, draft: RegionDraft) -> RegionId {
        self.regions.push(draft);
        RegionId(self.regions.len() as u32 - 1)
    }

    /// The region of what guards and actions of a mode are made of.
    pub(crate) fn leaving(&mut self, modal: usize, mode: usize) -> RegionId {
        if let Some(region) = self.modals[modal].modes[mode].leaving {
            return region;
        }
        let parent = self.modals[modal].region;
        let region = self.region(RegionDraft::Leaving { modal, mode, parent });
        self.modals[modal].modes[mode].leaving = Some(region);
        region
    }

    /// The region around one; none around the root.
    pub(crate) fn parent(&self, region: RegionId) -> Option<RegionId> {
        match self.regions.get(region.0 as usize)? {
            RegionDraft::Root => None,
            RegionDraft::Enabled { parent, .. }
            | RegionDraft::Mode { parent, .. }
            | RegionDraft::Leaving { parent, .. } => Some(*parent),
        }
    }

    /// Whether everything that reads in `inner` sees what lies in `outer` without its being switched off.
    pub(crate) fn is_within(&self, inner: RegionId, outer: RegionId) -> bool {
        let mut next = Some(inner);
        while let Some(region) = next {
            if region == outer {
                return true;
            }
            next = self.parent(region);
        }
        false
    }
}
