//! Expressions: names to symbols, types checked, vectors taken apart.
//!
//! One loop over the nodes of an expression, children first; every node gets its [`Typed`]. A node that is
//! broken is reported once, and what is built on it is silently broken too.

use super::context::{Context, Declared, Global};
use super::symbols::Meaning;
use super::typed::Typed;
use crate::actors::{Local, LocalMeaning, Part, ScopeId, ScopeKind};
use crate::syntax::ast::{ExprRef, Name, Node, NodeIndex, NodeKind, SourceTree};
use dyverse_diag::{Origin, closest, finding, report};
use dyverse_expr::NodeId;
use dyverse_model::{EntityId, Formula, StateComponent, Symbol};

/// Members of an entity, in the order in which they are documented.
pub(crate) const MEMBERS: &[&str] = &[
    "position",
    "velocity",
    "angular_velocity",
    "orientation",
    "mass",
    "speed",
    "x",
    "y",
    "z",
    "vx",
    "vy",
    "vz",
    "wx",
    "wy",
    "wz",
    "qw",
    "qx",
    "qy",
    "qz",
];
const BUILT_IN: &[&str] = &["time", "t", "pi", "slip_speed"];

/// What an expression may name besides the globals.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Scope {
    /// The entity whose members can be named without it, in a load.
    pub(crate) own: Option<EntityId>,
    /// Whether `slip_speed` alone is the slip speed at hand, in a friction law.
    pub(crate) slip: bool,
    /// The body of an actor model whose names are known.
    pub(crate) locals: Option<ScopeId>,
    /// Whether operators that make signals may stand here.
    pub(crate) operators: bool,
    /// The modal model and mode of the transition whose guard or action this is, by their places: operators in it are there while the mode is current, whether its refinement runs or not.
    pub(crate) leaving: Option<(usize, usize)>,
}

impl Scope {
    /// The body of an actor or a mode.
    pub(crate) fn body(id: ScopeId) -> Self {
        Scope {
            locals: Some(id),
            operators: true,
            ..Scope::default()
        }
    }
    /// A guard or an action of a transition in a body.
    pub(crate) fn transition(id: ScopeId, leaving: Option<(usize, usize)>) -> Self {
        Scope {
            leaving,
            ..Scope::body(id)
        }
    }
    /// The names of a body, for a value that is fixed once and for all.
    pub(crate) fn constants(id: ScopeId) -> Self {
        Scope {
            operators: false,
            ..Scope::body(id)
        }
    }
}

/// Lowers expressions of one file in one scope; collects the parts of a temporal formula on the way.
pub(crate) struct Lowering<'c, 'a> {
    pub(crate) context: &'c mut Context<'a>,
    pub(crate) tree: &'c SourceTree,
    pub(crate) scope: Scope,
    pub(crate) formula: Vec<Formula>,
}

impl<'c, 'a> Lowering<'c, 'a> {
    pub(crate) fn new(context: &'c mut Context<'a>, tree: &'c SourceTree, scope: Scope) -> Self {
        Lowering {
            context,
            tree,
            scope,
            formula: Vec::new(),
        }
    }

    /// Lowers one expression.
    pub(crate) fn lower(&mut self, expr: ExprRef) -> Typed {
        let mut typed: Vec<Typed> = Vec::with_capacity(expr.root + 1 - expr.first);
        let words = self.directions(expr);
        for (place, node) in self.tree.nodes[expr.first..=expr.root].iter().enumerate() {
            if words.contains(&(expr.first + place)) {
                typed.push(Typed::Word);
                continue;
            }
            let value = self.node(
                node,
                &Lowered {
                    first: expr.first,
                    typed: &typed,
                },
            );
            typed.push(value);
        }
        typed.pop().unwrap_or(Typed::Broken)
    }

    fn node(&mut self, node: &Node, done: &Lowered<'_>) -> Typed {
        match &node.kind {
            NodeKind::Number(literal) => Typed::Number(self.context.pool.literal(*literal)),
            NodeKind::Boolean(value) => Typed::Boolean(self.context.pool.boolean(*value)),
            NodeKind::Name(name) => self.name(name, node.origin),
            NodeKind::Member { of, member } => self.member(done.get(*of), member),
            NodeKind::Call { function, arguments } => {
                let values: Vec<_> = arguments
                    .iter()
                    .map(|a| {
                        (
                            a.name.clone(),
                            done.get(a.value).clone(),
                            self.tree.nodes[a.value].origin,
                        )
                    })
                    .collect();
                self.call(function, &values, node.origin)
            }
            NodeKind::Tuple(parts) => self.tuple(parts, done, node.origin),
            NodeKind::Interval { lower, upper } => self.interval(*lower, *upper, done, node.origin),
            NodeKind::Unary { op, operand } => self.unary(*op, done.get(*operand), node.origin),
            NodeKind::Binary { op, left, right } => self.binary(
                *op,
                done.get(*left),
                done.get(*right),
                node.origin,
                (*left, *right),
            ),
            NodeKind::Signal { op, left, right } => {
                let places = (
                    node.origin,
                    self.tree.nodes[*left].origin,
                    self.tree.nodes[*right].origin,
                );
                self.signal_operator(*op, done.get(*left), done.get(*right), places)
            }
            NodeKind::Chain { operands, ops } => self.chain(operands, ops, done, node.origin),
            NodeKind::If {
                condition,
                then,
                otherwise,
            } => self.conditional(
                done.get(*condition),
                done.get(*then),
                done.get(*otherwise),
                node.origin,
            ),
            NodeKind::Temporal { op, window, body } => {
                let window = self.window(*window, done);
                self.temporal(*op, window, done.get(*body), node.origin)
            }
            NodeKind::Until { window, left, right } => {
                let window = self.window(*window, done);
                self.until(window, done.get(*left), done.get(*right), node.origin)
            }
        }
    }

    pub(crate) fn mismatch(&mut self, message: impl Into<String>, origin: Origin, help: &str) -> Typed {
        let finding = finding!(L020 at origin, message);
        self.context.report(finding.label("types do not fit").help(help));
        Typed::Broken
    }
}

/// The nodes of an expression lowered so far.
pub(crate) struct Lowered<'t> {
    first: NodeIndex,
    typed: &'t [Typed],
}

impl Lowered<'_> {
    pub(crate) fn get(&self, node: NodeIndex) -> &Typed {
        self.typed
            .get(node.wrapping_sub(self.first))
            .unwrap_or(&Typed::Broken)
    }
}

// Names and members.
impl Lowering<'_, '_> {
    fn name(&mut self, name: &str, origin: Origin) -> Typed {
        if let Some(argument) = self.context.arguments.get(name) {
            return Typed::Number(*argument);
        }
        if let Some(locals) = self.scope.locals
            && let Some((_, local)) = self.context.actors.find(locals, name)
        {
            let local = local.clone();
            return self.local(name, &local, origin);
        }
        let own = self.scope.own.filter(|_| MEMBERS.contains(&name));
        let declared = self.context.names.get(name).cloned();
        match (declared, own) {
            (Some(declared), Some(entity)) => {
                let entity = self.context.entity_name(entity).to_owned();
                report!(self.context, L006 at origin, "`{name}` has two meanings here";
                    label "`{entity}.{name}`, or what is declared as `{name}`?";
                    also declared.origin, "`{name}` declared here";
                    help "write `{entity}.{name}`, or give the other another name");
                Typed::Broken
            }
            (Some(declared), None) => self.declared(name, &declared, origin),
            (None, Some(entity)) => self.entity_member(entity, name, origin),
            (None, None) => self.built_in(name, origin),
        }
    }

    fn declared(&mut self, name: &str, declared: &Declared, origin: Origin) -> Typed {
        match &declared.global {
            Global::Parameter(id) => Typed::Number(self.context.symbol(Symbol::Parameter(*id))),
            Global::Input(id) => Typed::Number(self.context.symbol(Symbol::Input(*id))),
            Global::Entity(id) => Typed::Entity(*id),
            Global::Definition(Some(value)) => value.clone(),
            Global::Broken => Typed::Broken,
            Global::Definition(None) | Global::NotYet => {
                report!(self.context, L005 at origin, "`{name}` is used before it is declared";
                    label "not known yet";
                    also declared.origin, "declared here";
                    help "move its declaration above this use; nothing can be defined by itself");
                Typed::Broken
            }
        }
    }

    fn built_in(&mut self, name: &str, origin: Origin) -> Typed {
        match name {
            "time" | "t" => Typed::Number(self.context.symbol(Symbol::Time)),
            "pi" => Typed::Number(self.context.pool.pi()),
            "slip_speed" if self.scope.slip => Typed::Number(self.context.symbol(Symbol::SlipSpeed)),
            "slip_speed" if self.scope.locals.is_none() => {
                report!(self.context, L010 at origin, "`slip_speed` alone is only known to friction laws";
                    label "of which contact?";
                    help "in a property, name the pair: `slip_speed(a, b)`");
                Typed::Broken
            }
            _ => {
                self.unknown_name(name, origin);
                Typed::Broken
            }
        }
    }

    fn unknown_name(&mut self, name: &str, origin: Origin) {
        if self.context.is_full() {
            return;
        }
        let may_suggest = self.context.may_suggest();
        let own: &[&str] = if self.scope.own.is_some() { MEMBERS } else { &[] };
        let locals = self.scope.locals;
        let locals = locals.map_or_else(Vec::new, |scope| self.context.actors.names_in(scope));
        let known = self.context.names.keys().map(String::as_str);
        let known = known.chain(own.iter().copied()).chain(BUILT_IN.iter().copied());
        let known = locals.iter().copied().chain(known);
        let near = if may_suggest { closest(name, known) } else { None };
        let help = match near {
            _ if self.scope.locals.is_none() && MEMBERS.contains(&name) => {
                let owner = self
                    .context
                    .entity_names
                    .first()
                    .map_or("ball", |n| n.text.as_str());
                format!("say whose: `{owner}.{name}`")
            }
            Some(near) => format!("did you mean `{near}`?"),
            None if self.scope.locals.is_some() => {
                "define it, `name = …`, or declare it with `in`, `param`, `input` or `let`".to_owned()
            }
            None => "declare it with `entity`, `param`, `input` or `let`".to_owned(),
        };
        report!(self.context, L004 at origin, "nothing is called `{name}`";
            label "not known";
            help help);
    }

    fn member(&mut self, of: &Typed, member: &Name) -> Typed {
        match of {
            Typed::Entity(id) => self.entity_member(*id, &member.text, member.origin),
            Typed::Vector([x, y, z]) => match member.text.as_str() {
                "x" => Typed::Number(*x),
                "y" => Typed::Number(*y),
                "z" => Typed::Number(*z),
                _ => self.no_member("a vector", &member.text, member.origin, &["x", "y", "z"]),
            },
            Typed::Part(part) => self.part_member(*part, member),
            Typed::Broken => Typed::Broken,
            other => self.no_member(other.describe(), &member.text, member.origin, &[]),
        }
    }

    fn no_member(&mut self, of: &str, member: &str, origin: Origin, members: &[&str]) -> Typed {
        let help = match members {
            [] if self.scope.locals.is_some() => {
                "only instances, modes, mechanisms, FMUs and vectors have members".to_owned()
            }
            [] => "only entities and vectors have members".to_owned(),
            _ => format!("members are: {}", members.join(", ")),
        };
        report!(self.context, L007 at origin, "{of} has no member `{member}`";
            label "no such member";
            near member, members.iter().copied(), help);
        Typed::Broken
    }

    fn entity_member(&mut self, entity: EntityId, member: &str, origin: Origin) -> Typed {
        if let Some(component) = StateComponent::ALL.into_iter().find(|c| c.name() == member) {
            return Typed::Number(self.state(entity, component));
        }
        match member {
            "position" => Typed::Vector(StateComponent::POSITION.map(|c| self.state(entity, c))),
            "velocity" => Typed::Vector(StateComponent::VELOCITY.map(|c| self.state(entity, c))),
            "angular_velocity" => {
                Typed::Vector(StateComponent::ANGULAR_VELOCITY.map(|c| self.state(entity, c)))
            }
            "orientation" => Typed::Orientation(StateComponent::ORIENTATION.map(|c| self.state(entity, c))),
            "speed" => {
                let velocity = StateComponent::VELOCITY.map(|c| self.state(entity, c));
                Typed::Number(self.norm(velocity))
            }
            "mass" if self.context.entity_is_fixed[entity.0] => {
                let name = self.context.entity_name(entity).to_owned();
                report!(self.context, L008 at origin, "`{name}` is fixed and has no mass";
                    label "immovable";
                    help "read the mass of an entity that moves, or declare a parameter");
                Typed::Broken
            }
            "mass" => Typed::Number(self.context.symbol(Symbol::Mass(entity))),
            _ => {
                let of = format!("entity `{}`", self.context.entity_name(entity));
                self.no_member(&of, member, origin, MEMBERS)
            }
        }
    }

    fn state(&mut self, entity: EntityId, component: StateComponent) -> NodeId {
        self.context.symbol(Symbol::State(entity, component))
    }
}

// Names of actor models.
impl Lowering<'_, '_> {
    fn local(&mut self, name: &str, local: &Local, origin: Origin) -> Typed {
        match &local.meaning {
            LocalMeaning::Signal(signal) => Typed::Number(self.context.read(Meaning::Signal(*signal))),
            LocalMeaning::Parameter(Some(value)) => value.clone(),
            LocalMeaning::Part(part) => Typed::Part(*part),
            LocalMeaning::Broken => Typed::Broken,
            LocalMeaning::Parameter(None) => {
                report!(self.context, L005 at origin, "`{name}` is used before it has a value";
                    label "not known yet";
                    also local.origin, "declared here";
                    help "a parameter uses those before it; move it further to the right");
                Typed::Broken
            }
        }
    }

    fn part_member(&mut self, part: Part, member: &Name) -> Typed {
        let id = match part {
            Part::Scope(id) => id,
            Part::Mechanism(mechanism) => return self.mechanism_member(mechanism, member),
            Part::Entity(mechanism, entity) => {
                return self.mechanism_entity_member(mechanism, entity, member);
            }
            Part::Fmu(fmu, prefix) => return self.fmu_member(fmu, prefix, member),
            Part::Table(_) => return self.no_member("a table", &member.text, member.origin, &[]),
        };
        let scope = self.context.actors.scope(id);
        let (path, is_mode) = (scope.path.clone(), scope.kind == ScopeKind::Mode);
        match scope.names.get(&member.text).map(|local| local.meaning.clone()) {
            Some(LocalMeaning::Signal(signal)) if is_mode || self.context.actors.is_readable(signal) => {
                Typed::Number(self.context.read(Meaning::Signal(signal)))
            }
            Some(LocalMeaning::Part(part)) => Typed::Part(part),
            Some(LocalMeaning::Broken) => Typed::Broken,
            Some(_) => {
                report!(self.context, A013 at member.origin, "`{}` is no output of `{path}`", member.text;
                    label "only known inside";
                    help "declare it there: `out cont {}`", member.text);
                Typed::Broken
            }
            None => self.no_output(id, &path, member),
        }
    }

    fn no_output(&mut self, id: ScopeId, path: &str, member: &Name) -> Typed {
        let outputs = self.context.actors.outputs_of(id);
        let finding = finding!(A012 at member.origin, "`{path}` has no output `{}`", member.text;
        label "not known";
        near &member.text, outputs.iter().copied(), match &outputs[..] {
            [] => "it has no outputs; declare them with `out`".to_owned(),
            _ => format!("outputs are: {}", outputs.join(", ")),
        });
        self.context.report(finding);
        Typed::Broken
    }
}
