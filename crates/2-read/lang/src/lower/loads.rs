//! Forces, moments, gravity, springs and dampers: each becomes a force and a moment on an entity.
//!
//! | written | force on the first end | |
//! |---|---|---|
//! | spring | k (|d| − l) d/|d| + c (d·v) d/|d|² | d from the first end to the second, v = ḋ |
//! | damper | c v | |
//!
//! A spring of rest length 0 is k d, which has no singularity. The second end gets the opposite force. A force at
//! a point r of the entity's frame has the moment (R r) × F, R from the orientation quaternion.

use super::context::Context;
use super::expression::{Lowering, Scope};
use super::fields::{FieldReader, Fields, Range, entity};
use crate::syntax::ast::{End, ExprRef, Field, ItemKind, Name, SourceTree};
use dyverse_diag::{Diagnostic, Origin, finding, report};
use dyverse_expr::NodeId;
use dyverse_model::{EntityId, Load, LoadKind, StateComponent, Symbol};
use std::collections::BTreeSet;

type Nodes3 = [NodeId; 3];

/// Operations of one load, over all its entities, at the most.
const MOST_NODES: usize = 4_000_000;

/// Lowers the loads of all files.
#[derive(Default)]
pub(crate) struct Loads {
    pub(crate) loads: Vec<Load>,
    gravity: Option<Origin>,
}

impl Loads {
    /// Lowers the loads of one file.
    pub(crate) fn lower(&mut self, context: &mut Context<'_>, tree: &SourceTree) {
        for item in &tree.items {
            match &item.kind {
                ItemKind::Force { targets, at, value } => self.acting(
                    context,
                    tree,
                    targets,
                    (LoadKind::Force, *at, *value),
                    item.origin,
                ),
                ItemKind::Moment { targets, value } => self.acting(
                    context,
                    tree,
                    targets,
                    (LoadKind::Moment, None, *value),
                    item.origin,
                ),
                ItemKind::Gravity { value } => self.gravity(context, tree, *value, item.origin),
                ItemKind::Spring { ends, fields } => self.spring(context, tree, ends, fields, item.origin),
                ItemKind::Damper { ends, fields } => self.damper(context, tree, ends, fields, item.origin),
                _ => {}
            }
        }
    }

    /// A force, at a point of the entity's frame if one is said, or a moment: on each of the targets.
    fn acting(
        &mut self,
        context: &mut Context<'_>,
        tree: &SourceTree,
        targets: &[Name],
        (kind, at, value): (LoadKind, Option<ExprRef>, ExprRef),
        origin: Origin,
    ) {
        let zero = context.pool.number(0.0);
        let targets = movable(context, targets);
        if is_too_long(context, &targets, value, origin) {
            return;
        }
        let is_moment = kind == LoadKind::Moment;
        let what = if is_moment { "a moment" } else { "a force" };
        for target in targets {
            let scope = Scope {
                own: Some(target),
                slip: false,
                ..Scope::default()
            };
            let mut reader = FieldReader { context, tree };
            let Some(vector) = reader.varying_vector(value, what, scope) else {
                return;
            };
            let (force, moment) = match at {
                _ if is_moment => ([zero; 3], vector),
                None => (vector, [zero; 3]),
                Some(at) => {
                    let Some(point) = reader.constant_vector(at, "at", Range::Any) else {
                        return;
                    };
                    let mut lowering = Lowering::new(context, tree, scope);
                    let arm = rotated(&mut lowering, target, point);
                    (vector, lowering.cross(arm, vector))
                }
            };
            self.loads.push(Load {
                on: target,
                kind,
                force,
                moment,
                origin,
            });
        }
    }

    fn gravity(&mut self, context: &mut Context<'_>, tree: &SourceTree, value: ExprRef, origin: Origin) {
        if let Some(first) = self.gravity.replace(origin) {
            report!(context, L072 at origin, "gravity is given twice";
                label "given again";
                also first, "first given here";
                help "remove one of them; they are not added");
            return;
        }
        let mut reader = FieldReader { context, tree };
        let Some(acceleration) = reader.varying_vector(value, "gravity", Scope::default()) else {
            return;
        };
        let zero = context.pool.number(0.0);
        for index in 0..context.entity_names.len() {
            if context.entity_is_fixed[index] {
                continue;
            }
            let on = EntityId(index);
            let mass = context.symbol(Symbol::Mass(on));
            let force = acceleration.map(|a| context.pool.multiply(mass, a));
            self.loads.push(Load {
                on,
                kind: LoadKind::Gravity,
                force,
                moment: [zero; 3],
                origin,
            });
        }
    }

    fn spring(
        &mut self,
        context: &mut Context<'_>,
        tree: &SourceTree,
        ends: &(End, End),
        fields: &[Field],
        origin: Origin,
    ) {
        let known = &["stiffness", "length", "damping"];
        let mut block = Fields::new(context, fields, "a spring".into(), known);
        let mut reader = FieldReader { context, tree };
        let mut constant = |name: &str| {
            block.take(name).map(|field| {
                let expr = reader.equals(field)?;
                reader.constant(expr, name, Range::NotNegative)
            })
        };
        let (stiffness, length, damping) = (constant("stiffness"), constant("length"), constant("damping"));
        block.finish(context);
        let Some(stiffness) = stiffness else {
            context.report(missing("a spring", "stiffness", origin));
            return;
        };
        let Some(line) = self.line(context, tree, ends, origin) else {
            return;
        };
        let (Some(stiffness), length, damping) = (stiffness, length.flatten(), damping.flatten()) else {
            return;
        };
        let mut lowering = Lowering::new(context, tree, Scope::default());
        let d = line.direction;
        let zero = lowering.context.pool.number(0.0);
        let mut force = match length.filter(|l| *l != zero) {
            None => lowering.scaled(stiffness, d),
            Some(rest) => {
                // k (1 − l/|d|) d
                let distance = lowering.norm(d);
                let one = lowering.context.pool.number(1.0);
                let ratio = lowering.context.pool.divide(rest, distance);
                let stretch = lowering.context.pool.subtract(one, ratio);
                let factor = lowering.context.pool.multiply(stiffness, stretch);
                lowering.scaled(factor, d)
            }
        };
        if let Some(damping) = damping.filter(|c| *c != zero) {
            let (along, square) = (lowering.dot(d, line.velocity), lowering.dot(d, d));
            let rate = lowering.context.pool.divide(along, square);
            let factor = lowering.context.pool.multiply(damping, rate);
            let part = lowering.scaled(factor, d);
            force = lowering.total(force, part);
        }
        self.opposed(context, tree, LoadKind::Spring, line, force, origin);
    }

    fn damper(
        &mut self,
        context: &mut Context<'_>,
        tree: &SourceTree,
        ends: &(End, End),
        fields: &[Field],
        origin: Origin,
    ) {
        let mut block = Fields::new(context, fields, "a damper".into(), &["coefficient"]);
        let mut reader = FieldReader { context, tree };
        let coefficient = block.take("coefficient").map(|field| {
            let expr = reader.equals(field)?;
            reader.constant(expr, "coefficient", Range::NotNegative)
        });
        block.finish(context);
        let Some(coefficient) = coefficient else {
            context.report(missing("a damper", "coefficient", origin));
            return;
        };
        let Some(line) = self.line(context, tree, ends, origin) else {
            return;
        };
        let Some(coefficient) = coefficient else { return };
        let force = Lowering::new(context, tree, Scope::default()).scaled(coefficient, line.velocity);
        self.opposed(context, tree, LoadKind::Damper, line, force, origin);
    }

    /// Where both ends are and how they move; reports ends that are the same or cannot move.
    fn line(
        &self,
        context: &mut Context<'_>,
        tree: &SourceTree,
        ends: &(End, End),
        origin: Origin,
    ) -> Option<Line> {
        let (first, second) = (attach(context, tree, &ends.0), attach(context, tree, &ends.1));
        let (first, second) = (first?, second?);
        if first.on.is_some() && first.on == second.on {
            report!(context, L073 at origin, "both ends are on the same entity";
                label "has no effect on a rigid entity";
                help "attach one end to another entity, or to a point (x, y, z)");
            return None;
        }
        let moves = |end: &Attached| end.on.is_some_and(|id| !context.entity_is_fixed[id.0]);
        if !moves(&first) && !moves(&second) {
            report!(context, L074 at origin, "neither end can move";
                label "has no effect";
                help "attach an end to an entity that moves");
            return None;
        }
        let mut lowering = Lowering::new(context, tree, Scope::default());
        let direction = lowering.difference(second.position, first.position);
        let velocity = lowering.difference(second.velocity, first.velocity);
        Some(Line {
            first,
            second,
            direction,
            velocity,
        })
    }

    /// `force` on the first end and its opposite on the second.
    fn opposed(
        &mut self,
        context: &mut Context<'_>,
        tree: &SourceTree,
        kind: LoadKind,
        line: Line,
        force: Nodes3,
        origin: Origin,
    ) {
        let opposite = force.map(|f| context.pool.negate(f));
        for (end, force) in [(line.first, force), (line.second, opposite)] {
            let Some(on) = end.on.filter(|id| !context.entity_is_fixed[id.0]) else {
                continue;
            };
            let zero = context.pool.number(0.0);
            let moment = match end.arm {
                Some(arm) => Lowering::new(context, tree, Scope::default()).cross(arm, force),
                None => [zero; 3],
            };
            self.loads.push(Load {
                on,
                kind,
                force,
                moment,
                origin,
            });
        }
    }
}

/// An end of a spring or damper.
struct Attached {
    on: Option<EntityId>,
    position: Nodes3,
    velocity: Nodes3,
    /// From the centre of mass to the end, world frame; `None` at the centre.
    arm: Option<Nodes3>,
}

struct Line {
    first: Attached,
    second: Attached,
    direction: Nodes3,
    velocity: Nodes3,
}

fn attach(context: &mut Context<'_>, tree: &SourceTree, end: &End) -> Option<Attached> {
    match end {
        End::World(expr) => {
            let position = FieldReader { context, tree }.constant_vector(*expr, "a point", Range::Any)?;
            let zero = context.pool.number(0.0);
            Some(Attached {
                on: None,
                position,
                velocity: [zero; 3],
                arm: None,
            })
        }
        End::Entity { name, at } => {
            let id = entity(context, name)?;
            let point = match at {
                Some(at) => Some(FieldReader { context, tree }.constant_vector(*at, "at", Range::Any)?),
                None => None,
            };
            let mut state =
                |components: [StateComponent; 3]| components.map(|c| context.symbol(Symbol::State(id, c)));
            let (position, velocity) = (state(StateComponent::POSITION), state(StateComponent::VELOCITY));
            let spin = state(StateComponent::ANGULAR_VELOCITY);
            let Some(point) = point else {
                return Some(Attached {
                    on: Some(id),
                    position,
                    velocity,
                    arm: None,
                });
            };
            let mut lowering = Lowering::new(context, tree, Scope::default());
            let arm = rotated(&mut lowering, id, point);
            let swing = lowering.cross(spin, arm);
            let (position, velocity) = (lowering.total(position, arm), lowering.total(velocity, swing));
            Some(Attached {
                on: Some(id),
                position,
                velocity,
                arm: Some(arm),
            })
        }
    }
}

/// R p with R from the entity's orientation: p + 2 q_w (q × p) + 2 q × (q × p).
fn rotated(lowering: &mut Lowering<'_, '_>, entity: EntityId, p: Nodes3) -> Nodes3 {
    let [w, x, y, z] = StateComponent::ORIENTATION.map(|c| lowering.context.symbol(Symbol::State(entity, c)));
    let q = [x, y, z];
    let two = lowering.context.pool.number(2.0);
    let once = lowering.cross(q, p);
    let twice = lowering.cross(q, once);
    let by_w = lowering.scaled(w, once);
    let sum = lowering.total(by_w, twice);
    let sum = lowering.scaled(two, sum);
    lowering.total(p, sum)
}

fn missing(what: &str, field: &str, origin: Origin) -> Diagnostic {
    finding!(L075 at origin, "{what} needs `{field}`";
        label "`{field}` is missing";
        help "write {{ {field} = … }}")
}

/// Reports a load that is too long to be written out for each of its entities.
fn is_too_long(context: &mut Context<'_>, targets: &[EntityId], value: ExprRef, origin: Origin) -> bool {
    let size = value.root + 1 - value.first;
    let is_too_long = targets.len() > 1 && size.saturating_mul(targets.len()) > MOST_NODES;
    if is_too_long {
        report!(context, L076 at origin, "this load is too long for so many entities";
            label "{size} operations for each of {} entities", targets.len();
            help "name what is the same for all entities with `let`, or split the list");
    }
    is_too_long
}

/// The entities named, each once; reports fixed ones, on which loads have no effect.
fn movable(context: &mut Context<'_>, targets: &[Name]) -> Vec<EntityId> {
    let mut ids: Vec<EntityId> = Vec::new();
    let mut named: BTreeSet<EntityId> = BTreeSet::new();
    for name in targets {
        let Some(id) = entity(context, name) else { continue };
        if !named.insert(id) {
            report!(context, L070 at name.origin, "`{}` is named twice", name.text;
                label "named again";
                help "name it once; write the load twice if it acts twice");
        } else if context.entity_is_fixed[id.0] {
            report!(context, L071 at name.origin, "`{}` is fixed: a load on it has no effect", name.text;
                label "immovable";
                help "remove it from the list, or remove `fixed` from it");
        } else {
            ids.push(id);
        }
    }
    ids
}
