//! The small actors as operators: `post`, `hold`, `cross`, `clock`, `at`, `delay`, `gate`, `present`, `absent`, `lookup`, `impact`,
//! and between signals `??`, `on`, `unless`.
//!
//! Each occurrence becomes a signal of its own, named after the signal that is being defined.

use super::scope::{Part, RegionDraft};
use crate::lower::expression::Lowering;
use crate::lower::fields::{FieldReader, Range};
use crate::lower::function::Given;
use crate::lower::symbols::Meaning;
use crate::lower::typed::Typed;
use crate::syntax::ast::{ExprRef, Name, NodeIndex, NodeKind, SignalOp};
use dyverse_actors::{Definition, Direction, RegionId, SignalId};
use dyverse_diag::{Origin, report};
use dyverse_expr::{Node, NodeId, Relation};
use std::collections::BTreeSet;

/// Operators that are written as calls.
pub(crate) const OPERATORS: &[&str] = &[
    "post", "present", "absent", "hold", "cross", "clock", "at", "delay", "gate", "lookup", "impact",
];
const DIRECTIONS: &[&str] = &["rising", "falling", "both"];

/// Arguments in the order of the operator's parameters: value and place of each that is given.
type Placed = Vec<Option<(Typed, Origin)>>;

impl Lowering<'_, '_> {
    /// The signal that an operator makes; `None` if this is no operator.
    pub(crate) fn operator_call(
        &mut self,
        function: &Name,
        given: &[Given],
        origin: Origin,
    ) -> Option<Typed> {
        let name = function.text.as_str();
        let is_operator = self.scope.locals.is_some() && OPERATORS.contains(&name);
        let is_of_vectors = given
            .iter()
            .any(|(_, value, _)| matches!(value, Typed::Vector(_)));
        if !is_operator || name == "cross" && is_of_vectors {
            return None;
        }
        if !self.may_operate(name, origin) {
            return Some(Typed::Broken);
        }
        let made = match name {
            "post" => self.post(function, given),
            "present" | "absent" => self.presence(function, given),
            "hold" => self.hold(function, given),
            "cross" => self.crossing(function, given),
            "clock" => self.clock(function, given),
            "at" => self.at(function, given),
            "delay" => self.delay(function, given),
            "gate" => return Some(self.gate(function, given, origin).unwrap_or(Typed::Broken)),
            "lookup" => return Some(self.lookup(function, given, origin).unwrap_or(Typed::Broken)),
            _ => return Some(self.impact(function, given, origin).unwrap_or(Typed::Broken)),
        };
        let Some(definition) = made else {
            return Some(Typed::Broken);
        };
        let is_test = matches!(definition, Definition::IsPresent(_) | Definition::IsAbsent(_));
        let node = self.operator_signal(definition, origin);
        Some(if is_test {
            Typed::Boolean(self.is_not_zero(node))
        } else {
            Typed::Number(node)
        })
    }

    /// `a ?? b`, `a on e`, `a unless b`.
    pub(crate) fn signal_operator(
        &mut self,
        op: SignalOp,
        left: &Typed,
        right: &Typed,
        (origin, left_at, right_at): (Origin, Origin, Origin),
    ) -> Typed {
        let sign = match op {
            SignalOp::Instead => "??",
            SignalOp::On => "on",
            SignalOp::Unless => "unless",
        };
        if left.is_broken() || right.is_broken() || !self.may_operate(sign, origin) {
            return Typed::Broken;
        }
        let (Some(left), Some(right)) = (self.signal_of(left, left_at), self.signal_of(right, right_at))
        else {
            return Typed::Broken;
        };
        let definition = match op {
            SignalOp::Instead => Definition::Default {
                preferred: left,
                alternate: right,
            },
            SignalOp::On => Definition::Sample {
                value: left,
                trigger: right,
            },
            SignalOp::Unless => Definition::Inhibit {
                value: left,
                inhibit: right,
            },
        };
        Typed::Number(self.operator_signal(definition, origin))
    }

    /// Whether operators can stand here: not where a value is fixed once and for all.
    fn may_operate(&mut self, name: &str, origin: Origin) -> bool {
        if self.scope.operators {
            return true;
        }
        report!(self.context, A040 at origin, "`{name}` cannot stand here";
            label "makes a signal";
            note "initial values, parameters, functions and `let` have no signals of their own";
            help "give the signal a name in the body of an actor, `s = …`, and read that");
        false
    }

    fn region(&mut self) -> RegionId {
        if let Some((modal, mode)) = self.scope.leaving {
            return self.context.actors.leaving(modal, mode);
        }
        let scope = self.scope.locals.map(|id| self.context.actors.scope(id).region);
        scope.unwrap_or(RegionId::ROOT)
    }

    fn operator_signal(&mut self, definition: Definition, origin: Origin) -> NodeId {
        let region = self.region();
        let id = self.context.actors.operand(definition, region, origin);
        self.context.read(Meaning::Signal(id))
    }

    /// A value as a signal.
    pub(crate) fn signal_of(&mut self, typed: &Typed, origin: Origin) -> Option<SignalId> {
        let node = self.signal_node(typed, origin)?;
        if let Some(signal) = self.context.signal_of_node(node) {
            return Some(signal);
        }
        let region = self.region();
        Some(self.context.actors.expression(node, region, origin))
    }

    /// A value as the number that a signal carries: truth is 1, falsehood 0.
    pub(crate) fn signal_node(&mut self, typed: &Typed, origin: Origin) -> Option<NodeId> {
        match typed {
            Typed::Number(node) => Some(*node),
            Typed::Boolean(node) => {
                let pool = &mut self.context.pool;
                let (one, zero) = (pool.number(1.0), pool.number(0.0));
                Some(pool.select(*node, one, zero))
            }
            Typed::Broken => None,
            other => {
                let help = match other {
                    Typed::Part(Part::Scope(_)) => "name one of its outputs, as in `left.x`",
                    Typed::Part(_) => "name a member of it, as in `arm.ball.x`",
                    Typed::Vector(_) => "name a component, as in `v.x`",
                    _ => "write a number or a comparison",
                };
                report!(self.context, L020 at origin,
                    "a signal is a number or a truth value, this is {}", other.describe();
                    label other.describe();
                    help help);
                None
            }
        }
    }

    /// Arguments put in the order of `parameters`, of which the first `required` must be there.
    fn placed(
        &mut self,
        function: &Name,
        given: &[Given],
        parameters: &[&str],
        required: usize,
    ) -> Option<Placed> {
        let mut placed: Placed = vec![None; parameters.len()];
        for (position, (name, value, origin)) in given.iter().enumerate() {
            let place = match name {
                Some(name) => parameters.iter().position(|p| *p == name.text),
                None => Some(position),
            };
            match place.and_then(|p| placed.get_mut(p)) {
                Some(slot) if slot.is_none() => *slot = Some((value.clone(), *origin)),
                _ => {
                    match name {
                        Some(name) => self.misnamed(function, name, parameters),
                        None => self.miscounted(function, *origin, given.len(), parameters),
                    }
                    return None;
                }
            }
        }
        if placed.iter().take(required).any(Option::is_none) {
            let needed = &parameters[..required];
            self.miscounted(function, function.origin, given.len(), needed);
            return None;
        }
        Some(placed)
    }

    fn operand_at(&mut self, placed: &Placed, place: usize) -> Option<SignalId> {
        let (typed, origin) = placed.get(place)?.clone()?;
        self.signal_of(&typed, origin)
    }

    /// A constant argument; `Some(None)` if it is not given.
    fn constant_at(
        &mut self,
        placed: &Placed,
        place: usize,
        name: &str,
        range: Range,
    ) -> Option<Option<NodeId>> {
        let Some((typed, origin)) = placed.get(place).cloned().flatten() else {
            return Some(None);
        };
        let node = self.signal_node(&typed, origin)?;
        let mut reader = FieldReader {
            context: self.context,
            tree: self.tree,
        };
        reader.constant_node(node, origin, name, range).map(Some)
    }

    fn post(&mut self, function: &Name, given: &[Given]) -> Option<Definition> {
        let placed = self.placed(function, given, &["value", "init"], 1)?;
        Some(Definition::Post {
            value: self.operand_at(&placed, 0)?,
            init: self.constant_at(&placed, 1, "init", Range::Any)?,
        })
    }

    fn presence(&mut self, function: &Name, given: &[Given]) -> Option<Definition> {
        let placed = self.placed(function, given, &["signal"], 1)?;
        let signal = self.operand_at(&placed, 0)?;
        Some(if function.text == "present" {
            Definition::IsPresent(signal)
        } else {
            Definition::IsAbsent(signal)
        })
    }

    fn hold(&mut self, function: &Name, given: &[Given]) -> Option<Definition> {
        let placed = self.placed(function, given, &["value", "init"], 1)?;
        let init = match placed.get(1).cloned().flatten() {
            Some((typed, origin)) => Some(self.signal_node(&typed, origin)?),
            None => None,
        };
        Some(Definition::Hold {
            value: self.operand_at(&placed, 0)?,
            init,
        })
    }

    fn crossing(&mut self, function: &Name, given: &[Given]) -> Option<Definition> {
        let parameters = ["value", "level", "direction", "tolerance"];
        let placed = self.placed(function, given, &parameters, 1)?;
        let level = self.constant_at(&placed, 1, "level", Range::Any)?;
        let direction = match placed.get(2).cloned().flatten() {
            Some((_, origin)) => self.direction(origin)?,
            None => Direction::Both,
        };
        let tolerance = self.constant_at(&placed, 3, "tolerance", Range::Positive)?;
        Some(Definition::Cross {
            value: self.operand_at(&placed, 0)?,
            level: level.unwrap_or_else(|| self.context.pool.number(0.0)),
            direction,
            tolerance,
        })
    }

    /// The names that are directions of crossings, not signals.
    pub(crate) fn directions(&self, expr: ExprRef) -> BTreeSet<NodeIndex> {
        let mut found = BTreeSet::new();
        if self.scope.locals.is_none() {
            return found;
        }
        for node in &self.tree.nodes[expr.first..=expr.root] {
            let NodeKind::Call { function, arguments } = &node.kind else {
                continue;
            };
            if function.text != "cross" {
                continue;
            }
            for (place, argument) in arguments.iter().enumerate() {
                let is_direction = match &argument.name {
                    Some(name) => name.text == "direction",
                    None => place == 2,
                };
                let is_name = matches!(self.tree.nodes[argument.value].kind, NodeKind::Name(_));
                if is_direction && is_name {
                    found.insert(argument.value);
                }
            }
        }
        found
    }

    fn direction(&mut self, origin: Origin) -> Option<Direction> {
        let word = self.context.sources.snippet(origin).to_owned();
        match word.as_str() {
            "rising" => return Some(Direction::Rising),
            "falling" => return Some(Direction::Falling),
            "both" => return Some(Direction::Both),
            _ => {}
        }
        report!(self.context, A041 at origin, "a level is crossed `rising`, `falling` or `both`";
            label "no direction";
            near &word, DIRECTIONS.iter().copied(), "write for example `cross(x, 0, falling)`");
        None
    }

    fn clock(&mut self, function: &Name, given: &[Given]) -> Option<Definition> {
        let placed = self.placed(function, given, &["period", "offset", "value"], 1)?;
        let period = self.constant_at(&placed, 0, "period", Range::Positive)??;
        let offset = self.constant_at(&placed, 1, "offset", Range::NotNegative)?;
        Some(Definition::Clock {
            period,
            offset: offset.unwrap_or_else(|| self.context.pool.number(0.0)),
            value: self.constant_at(&placed, 2, "value", Range::Any)?,
        })
    }

    fn at(&mut self, function: &Name, given: &[Given]) -> Option<Definition> {
        let placed = self.placed(function, given, &["time", "value"], 1)?;
        let time = self.constant_at(&placed, 0, "time", Range::NotNegative)??;
        let value = self.constant_at(&placed, 1, "value", Range::Any)?;
        let value = value.unwrap_or_else(|| self.context.pool.number(1.0));
        Some(Definition::At {
            events: vec![(time, value)],
        })
    }

    fn delay(&mut self, function: &Name, given: &[Given]) -> Option<Definition> {
        let placed = self.placed(function, given, &["value", "by"], 2)?;
        Some(Definition::Delay {
            by: self.constant_at(&placed, 1, "by", Range::Positive)??,
            value: self.operand_at(&placed, 0)?,
        })
    }

    /// Present, with 1, at the ticks at which a condition is true: a constant in a region that the condition enables.
    fn gate(&mut self, function: &Name, given: &[Given], origin: Origin) -> Option<Typed> {
        let placed = self.placed(function, given, &["condition"], 1)?;
        let (typed, at) = placed.first()?.clone()?;
        if self.as_truth(&typed).is_none() {
            return Some(self.wrong_argument(function, origin, "`gate(c)` is of a condition"));
        }
        let enable = self.signal_of(&typed, at)?;
        let parent = self.region();
        let actors = &mut self.context.actors;
        let name = actors.next_name();
        let region = actors.region(RegionDraft::Enabled {
            name,
            parent,
            enable,
            origin,
        });
        let one = self.context.pool.number(1.0);
        let definition = Definition::Expression(one);
        let signal = self.context.actors.operand(definition, region, origin);
        Some(Typed::Number(self.context.read(Meaning::Signal(signal))))
    }

    fn lookup(&mut self, function: &Name, given: &[Given], origin: Origin) -> Option<Typed> {
        let placed = self.placed(function, given, &["table", "x"], 2)?;
        let (Some((Typed::Part(Part::Table(table)), _)), Some((Typed::Number(x), _))) =
            (placed.first()?, placed.get(1)?)
        else {
            return Some(self.wrong_argument(
                function,
                origin,
                "`lookup(table, x)` is of a table and a number",
            ));
        };
        let table = self.context.actors.tables.get(*table)?.clone();
        Some(Typed::Number(table.interpolate(&mut self.context.pool, *x)))
    }

    fn impact(&mut self, function: &Name, given: &[Given], origin: Origin) -> Option<Typed> {
        let placed = self.placed(function, given, &["a", "b"], 2)?;
        let entity = |place: usize| match placed.get(place) {
            Some(Some((Typed::Part(Part::Entity(mechanism, entity)), _))) => Some((*mechanism, *entity)),
            _ => None,
        };
        match (entity(0), entity(1)) {
            (Some((mechanism, a)), Some((other, b))) if mechanism == other && a != b => {
                Some(self.pair_impact(mechanism, a.min(b), a.max(b), origin))
            }
            _ => Some(self.wrong_argument(
                function,
                origin,
                "`impact(a, b)` is of two entities of one mechanism",
            )),
        }
    }

    /// A value as a condition: truth values, and signals, which are true unless 0.
    pub(crate) fn as_truth(&mut self, typed: &Typed) -> Option<NodeId> {
        match typed {
            Typed::Boolean(node) => Some(*node),
            Typed::Number(node) if self.context.signal_of_node(*node).is_some() => {
                Some(self.is_not_zero(*node))
            }
            _ => None,
        }
    }

    fn is_not_zero(&mut self, node: NodeId) -> NodeId {
        let zero = self.context.pool.number(0.0);
        self.context.pool.compare(Relation::NotEqual, node, zero)
    }
}

impl crate::lower::context::Context<'_> {
    /// The signal that a node reads and does nothing else with.
    pub(crate) fn signal_of_node(&self, node: NodeId) -> Option<SignalId> {
        let Node::Symbol(id) = self.pool.node(node) else {
            return None;
        };
        match self.symbols.meaning(id) {
            Meaning::Signal(signal) => Some(signal),
            _ => None,
        }
    }
}
