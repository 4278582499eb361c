//! Entities: mass, inertia, initial state. Surfaces are in [`super::surfaces`].

use super::context::Context;
use super::fields::{FieldReader, Fields, Range};
use super::surfaces::surface;
use super::typed::Bounded;
use crate::syntax::ast::{Field, FieldValue, ItemKind, Name, SourceTree};
use crate::syntax::parser::SHAPES;
use dyverse_diag::report;
use dyverse_expr::NodeId;
use dyverse_mech::Shape;
use dyverse_model::{Entity, Inertia, Initial, InitialState, Mass, Surface};
use dyverse_num::{Quaternion, Vec3};

const FIELDS: &[&str] = &[
    "sphere",
    "ellipsoid",
    "capsule",
    "rounded_box",
    "box",
    "convex",
    "plane",
    "half_space",
    "mass",
    "density",
    "inertia",
    "products_of_inertia",
    "position",
    "velocity",
    "angular_velocity",
    "orientation",
    "fixed",
];

/// Lowers the entities of one file. Broken ones are reported and left out.
pub(crate) fn lower(context: &mut Context<'_>, tree: &SourceTree, entities: &mut Vec<Entity>) {
    for item in &tree.items {
        let ItemKind::Entity { name, fixed, fields } = &item.kind else {
            continue;
        };
        if context
            .names
            .get(&name.text)
            .is_none_or(|d| d.origin != name.origin)
        {
            continue;
        }
        if let Some(entity) = entity(context, tree, name, *fixed, fields) {
            entities.push(entity);
        }
    }
}

fn entity(
    context: &mut Context<'_>,
    tree: &SourceTree,
    name: &Name,
    fixed: bool,
    fields: &[Field],
) -> Option<Entity> {
    let errors_before = context.error_count();
    let mut block = Fields::new(context, fields, format!("entity `{}`", name.text), FIELDS);
    let mut is_fixed = fixed;
    if let Some(flag) = block.take("fixed") {
        is_fixed = true;
        if !matches!(flag.value, FieldValue::Flag) {
            FieldReader { context, tree }.wrong_form(flag, "takes no value");
        }
    }
    let surfaces = surfaces(context, tree, name, is_fixed, &mut block);
    let mass = mass(context, tree, name, is_fixed, &mut block);
    let inertia = inertia(context, tree, name, is_fixed, &mut block);
    let initial = initial(context, tree, name, is_fixed, &mut block);
    block.finish(context);
    if context.error_count() > errors_before {
        return None;
    }
    Some(Entity {
        name: name.text.clone(),
        is_fixed,
        surfaces,
        mass: mass?,
        inertia: inertia?,
        initial: initial?,
        origin: name.origin,
    })
}

fn surfaces(
    context: &mut Context<'_>,
    tree: &SourceTree,
    name: &Name,
    is_fixed: bool,
    block: &mut Fields<'_>,
) -> Vec<Surface> {
    let calls = block.take_calls(SHAPES);
    if calls.is_empty() {
        report!(context, L040 at name.origin, "entity `{}` has no surface", name.text;
            label "cannot touch anything";
            help "give it one, for example `sphere(radius = 1)`");
    }
    let mut surfaces = Vec::new();
    for call in calls {
        let Some(surface) = surface(&mut FieldReader { context, tree }, call) else {
            continue;
        };
        let is_unbounded = matches!(surface.shape, Shape::Plane { .. } | Shape::HalfSpace { .. });
        if is_unbounded && !is_fixed {
            report!(context, L041 at call.origin,
                "`{}` has no end, so only a fixed entity can have it", call.name.text;
                label "unbounded";
                also name.origin, "`{}` moves", name.text;
                help "write `fixed entity {} {{ … }}`", name.text);
            continue;
        }
        surfaces.push(surface);
    }
    surfaces
}

fn mass(
    context: &mut Context<'_>,
    tree: &SourceTree,
    name: &Name,
    is_fixed: bool,
    block: &mut Fields<'_>,
) -> Option<Mass> {
    let (mass, density) = (block.take("mass"), block.take("density"));
    if is_fixed {
        for field in [mass, density].into_iter().flatten() {
            report!(context, L042 at field.origin, "`{}` is fixed: it has no {}", name.text, field.name.text;
                label "has no effect";
                help "remove it, or remove `fixed` from `{}`", name.text);
        }
        return Some(Mass::Immovable);
    }
    let mut reader = FieldReader { context, tree };
    match (mass, density) {
        (Some(mass), Some(density)) => {
            report!(context, L043 at density.origin, "`{}` has both a mass and a density", name.text;
                label "said again";
                also mass.origin, "mass given here";
                help "remove one of them");
            None
        }
        (Some(field), None) => {
            let expr = reader.equals(field)?;
            reader.constant(expr, "mass", Range::Positive).map(Mass::Given)
        }
        (None, Some(field)) => {
            let expr = reader.equals(field)?;
            reader
                .constant(expr, "density", Range::Positive)
                .map(Mass::Density)
        }
        (None, None) => {
            report!(context, L044 at name.origin, "entity `{}` has no mass", name.text;
                label "how heavy is it?";
                help "give `mass = …` or `density = …`, or make it `fixed`");
            None
        }
    }
}

fn inertia(
    context: &mut Context<'_>,
    tree: &SourceTree,
    name: &Name,
    is_fixed: bool,
    block: &mut Fields<'_>,
) -> Option<Inertia> {
    let (moments, products) = (block.take("inertia"), block.take("products_of_inertia"));
    if is_fixed {
        for field in [moments, products].into_iter().flatten() {
            report!(context, L042 at field.origin, "`{}` is fixed: it has no inertia", name.text;
                label "has no effect";
                help "remove it, or remove `fixed` from `{}`", name.text);
        }
        return Some(Inertia::FromSurfaces);
    }
    let mut reader = FieldReader { context, tree };
    let Some(field) = moments else {
        if let Some(products) = products {
            report!(context, L045 at products.origin, "products of inertia without moments";
                label "half of the inertia";
                help "give `inertia = (Ixx, Iyy, Izz)` too");
            return None;
        }
        return Some(Inertia::FromSurfaces);
    };
    let expr = reader.equals(field)?;
    let moments = reader.constant_vector(expr, "inertia", Range::Positive)?;
    let products = match products {
        Some(field) => {
            let expr = reader.equals(field)?;
            reader.constant_vector(expr, "products_of_inertia", Range::Any)?
        }
        None => [context.pool.number(0.0); 3],
    };
    Some(Inertia::Given { moments, products })
}

fn initial(
    context: &mut Context<'_>,
    tree: &SourceTree,
    name: &Name,
    is_fixed: bool,
    block: &mut Fields<'_>,
) -> Option<InitialState> {
    let zero = context.pool.number(0.0);
    let one = context.pool.number(1.0);
    let at_rest = Vec3::new(Initial::Value(zero), Initial::Value(zero), Initial::Value(zero));
    let mut vector = |context: &mut Context<'_>, field: &str| -> Option<Vec3<Initial>> {
        let Some(field) = block.take(field) else {
            return Some(at_rest);
        };
        if is_fixed && field.name.text != "position" {
            report!(context, L042 at field.origin,
                "`{}` is fixed: it has no {}", name.text, field.name.text.replace('_', " ");
                label "has no effect";
                help "remove it, or remove `fixed` from `{}`", name.text);
            return None;
        }
        let [x, y, z] = FieldReader { context, tree }.initial(field)?.map(|c| match c {
            Bounded::Value(node) => Initial::Value(node),
            Bounded::Range(lower, upper) => Initial::Range(lower, upper),
        });
        Some(Vec3::new(x, y, z))
    };
    let position = vector(context, "position");
    let velocity = vector(context, "velocity");
    let angular_velocity = vector(context, "angular_velocity");
    let orientation: Option<[NodeId; 4]> = match block.take("orientation") {
        Some(field) => {
            let mut reader = FieldReader { context, tree };
            reader
                .equals(field)
                .and_then(|expr| reader.orientation(expr, "orientation"))
        }
        None => Some([one, zero, zero, zero]),
    };
    let [w, x, y, z] = orientation?;
    Some(InitialState {
        position: position?,
        orientation: Quaternion { w, x, y, z },
        velocity: velocity?,
        angular_velocity: angular_velocity?,
    })
}
