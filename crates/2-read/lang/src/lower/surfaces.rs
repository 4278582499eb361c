//! Surfaces of entities: `sphere(radius = 1)` and its like.

use super::fields::{FieldReader, Range};
use crate::syntax::ast::{ExprRef, Field, FieldValue, Name};
use dyverse_diag::{Origin, closest, finding, number, report};
use dyverse_expr::NodeId;
use dyverse_mech::{HullError, MOST_POINTS, Placement, Polytope, Shape};
use dyverse_model::Surface;
use dyverse_num::{Quaternion, Vec3};
use std::sync::Arc;

/// Arguments that every bounded shape has: where it sits in the entity.
const PLACED: [&str; 2] = ["at", "orientation"];

/// The arguments of a shape, in the order in which they may be given without names.
fn parameters(shape: &str) -> Vec<&'static str> {
    let own: &[&str] = match shape {
        "sphere" => &["radius"],
        "ellipsoid" => &["semi_axes"],
        "capsule" => &["radius", "length"],
        "rounded_box" => &["size", "radius"],
        "box" => &["size"],
        "convex" => &["points"],
        _ => return vec!["normal", "offset", "point"],
    };
    own.iter().copied().chain(PLACED).collect()
}

/// How a shape is written.
fn usage(shape: &str) -> &'static str {
    match shape {
        "sphere" => "sphere(radius = r)",
        "ellipsoid" => "ellipsoid(semi_axes = (a, b, c))",
        "capsule" => "capsule(radius = r, length = l)",
        "rounded_box" => "rounded_box(size = (a, b, c), radius = r)",
        "box" => "box(size = (a, b, c))",
        "convex" => "convex(points = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)))",
        "plane" => "plane(normal = (x, y, z), offset = d), or with point = (x, y, z)",
        _ => "half_space(normal = (x, y, z), offset = d), or with point = (x, y, z)",
    }
}

/// Lowers one surface; reports what does not fit.
pub(crate) fn surface(reader: &mut FieldReader<'_, '_>, call: &Field) -> Option<Surface> {
    let FieldValue::Call(given) = &call.value else {
        report!(reader.context, L046 at call.origin, "`{}` is a surface and has arguments", call.name.text;
            label "no arguments";
            help "write {}", usage(&call.name.text));
        return None;
    };
    let mut arguments = Arguments::new(reader, &call.name, given)?;
    let zero = reader.context.pool.number(0.0);
    let one = reader.context.pool.number(1.0);
    let shape = match call.name.text.as_str() {
        "sphere" => Shape::Sphere {
            radius: arguments.size(reader, "radius")?,
        },
        "ellipsoid" => {
            let [x, y, z] = arguments.vector(reader, "semi_axes", Range::Positive)?;
            Shape::Ellipsoid {
                semi_axes: Vec3::new(x, y, z),
            }
        }
        "capsule" => {
            let (radius, length) = (arguments.size(reader, "radius"), arguments.size(reader, "length"));
            let two = reader.context.pool.number(2.0);
            Shape::Capsule {
                radius: radius?,
                half_length: reader.context.pool.divide(length?, two),
            }
        }
        "box" => {
            let size = arguments.vector(reader, "size", Range::Positive)?;
            let two = reader.context.pool.number(2.0);
            let [x, y, z] = size.map(|s| reader.context.pool.divide(s, two));
            Shape::Box {
                half_extents: Vec3::new(x, y, z),
            }
        }
        "convex" => convex(reader, &mut arguments, call.origin)?,
        "rounded_box" => rounded_box(reader, &mut arguments, call.origin)?,
        name => {
            let normal = arguments.direction(reader, "normal")?;
            let offset = offset(reader, &mut arguments, normal, call.origin)?;
            let normal = Vec3::new(normal[0], normal[1], normal[2]);
            if name == "plane" {
                Shape::Plane { normal, offset }
            } else {
                Shape::HalfSpace { normal, offset }
            }
        }
    };
    let position = match arguments.take("at") {
        Some(expr) => reader.constant_vector(expr, "at", Range::Any)?,
        None => [zero; 3],
    };
    let orientation = match arguments.take("orientation") {
        Some(expr) => reader.orientation(expr, "orientation")?,
        None => [one, zero, zero, zero],
    };
    let [x, y, z] = position;
    let [qw, qx, qy, qz] = orientation;
    let placement = Placement {
        position: Vec3::new(x, y, z),
        orientation: Quaternion {
            w: qw,
            x: qx,
            y: qy,
            z: qz,
        },
    };
    Some(Surface {
        shape,
        placement,
        origin: call.origin,
    })
}

/// `size` is that of the box with its rounding: the inner box is smaller by the radius on every side.
fn rounded_box(
    reader: &mut FieldReader<'_, '_>,
    arguments: &mut Arguments,
    origin: Origin,
) -> Option<Shape<NodeId>> {
    let size = arguments.vector(reader, "size", Range::Positive);
    let radius = arguments.size(reader, "radius");
    let (size, radius) = (size?, radius?);
    let two = reader.context.pool.number(2.0);
    let inner = size.map(|s| {
        let half = reader.context.pool.divide(s, two);
        reader.context.pool.subtract(half, radius)
    });
    for node in inner {
        let value = reader.context.value(node);
        let slack = 1e-12 * reader.context.value(radius).hi();
        if value.lo() < -slack {
            let r = reader.context.value(radius).hi();
            report!(reader.context, L047 at origin, "this rounding does not fit into the box";
                label "radius {} is more than half of a side, {}", number(r), number(value.lo() + r);
                help "make the radius smaller, or use a capsule or a sphere");
            return None;
        }
    }
    let [x, y, z] = inner;
    Some(Shape::RoundedBox {
        half_extents: Vec3::new(x, y, z),
        radius,
    })
}

/// The hull of points, which are numbers: what its faces are must not depend on parameters.
fn convex(
    reader: &mut FieldReader<'_, '_>,
    arguments: &mut Arguments,
    origin: Origin,
) -> Option<Shape<NodeId>> {
    let given = arguments.needed(reader, "points")?;
    let at = reader.origin(given);
    let Some(parts) = reader.tree.parts(given) else {
        report!(reader.context, L051 at at, "`points` must be four vectors or more";
            label "not a list of vectors";
            help "write {}", usage("convex"));
        return None;
    };
    if parts.len() > MOST_POINTS {
        report!(reader.context, L051 at at, "there must be 4 to {MOST_POINTS} points";
            label "there are {}", parts.len();
            help "leave out those inside the hull, or make the solid of several");
        return None;
    }
    let points: Option<Vec<Vec3<f64>>> = parts.iter().map(|part| point(reader, *part)).collect();
    let points = points?;
    let hull = match Polytope::hull(&points) {
        Ok(hull) => hull,
        Err(error) => {
            let first = match &error {
                HullError::Undecided(points) => points.first().and_then(|p| parts.get(*p)),
                _ => None,
            };
            let label = if first.is_some() {
                "this point"
            } else {
                "these points"
            };
            let here = first.map_or(at, |part| reader.origin(*part));
            let help = match &error {
                HullError::Undecided(_) => {
                    "give more digits, for example as `sqrt(2)`, so that points of one face lie in one plane; or move the point, or leave it out"
                }
                HullError::Corners(_) => "leave out corners, or make the solid of several",
                HullError::Plane => "a plate has a thickness: give the points of its other side",
                _ => "give at least four points that are not in one plane",
            };
            report!(reader.context, L051 at here, "these points have no convex hull: {error}";
                label label;
                also origin, "of this solid";
                help help);
            return None;
        }
    };
    let inside: Vec<usize> = (0..points.len()).filter(|n| !hull.corners.contains(n)).collect();
    if let Some(first) = inside.first().and_then(|n| parts.get(*n)) {
        let names: Vec<String> = inside.iter().map(|n| (n + 1).to_string()).collect();
        let first = reader.origin(*first);
        let what = match &names[..] {
            [one] => format!("point {one} is no corner"),
            all => format!("points {} are no corners", all.join(", ")),
        };
        report!(reader.context, warning L052 at first, "{what} of the solid";
            label "inside the hull of the others, on a face or an edge of it, or given twice";
            help "leave it out");
    }
    let pool = &mut reader.context.pool;
    Some(Shape::Convex {
        solid: Arc::new(hull.solid.map(|c| pool.number(*c))),
    })
}

/// A point of a hull.
fn point(reader: &mut FieldReader<'_, '_>, part: ExprRef) -> Option<Vec3<f64>> {
    let nodes = reader.constant_vector(part, "points", Range::Any)?;
    let symbols = reader.context.pool.symbols(&nodes);
    if !symbols.is_empty() {
        let at = reader.origin(part);
        report!(reader.context, L051 at at, "a point of a hull depends on a parameter";
            label "must be numbers";
            note "which points are corners, and what faces they make, is found once and for all";
            help "write the numbers, or place the solid with `at = …` and `orientation = …`, which may depend on parameters");
        return None;
    }
    let [x, y, z] = nodes.map(|node| reader.context.value(node).mid().unwrap_or(f64::NAN));
    Some(Vec3::new(x, y, z))
}

/// The offset of a plane n·x = offset: given, or from a point on it, or 0.
fn offset(
    reader: &mut FieldReader<'_, '_>,
    arguments: &mut Arguments,
    normal: [NodeId; 3],
    origin: Origin,
) -> Option<NodeId> {
    match (arguments.take("offset"), arguments.take("point")) {
        (Some(_), Some(point)) => {
            let at = reader.origin(point);
            report!(reader.context, L048 at at, "a plane is placed by an offset or by a point, not both";
                label "said again";
                also origin, "of this plane";
                help "remove one of them");
            None
        }
        (Some(offset), None) => reader.constant(offset, "offset", Range::Any),
        (None, Some(point)) => {
            let point = reader.constant_vector(point, "point", Range::Any)?;
            let pool = &mut reader.context.pool;
            let [x, y, z] = [0, 1, 2].map(|i| pool.multiply(normal[i], point[i]));
            let sum = pool.add(x, y);
            Some(pool.add(sum, z))
        }
        (None, None) => Some(reader.context.pool.number(0.0)),
    }
}

/// The arguments of one shape, by name.
struct Arguments {
    shape: Name,
    given: Vec<(&'static str, ExprRef)>,
}

impl Arguments {
    fn new(
        reader: &mut FieldReader<'_, '_>,
        shape: &Name,
        given: &[(Option<Name>, ExprRef)],
    ) -> Option<Self> {
        let known = parameters(&shape.text);
        let mut placed: Vec<(&'static str, ExprRef)> = Vec::new();
        for (position, (name, expr)) in given.iter().enumerate() {
            let parameter = match name {
                Some(name) => known.iter().find(|p| **p == name.text),
                None => known.get(position),
            };
            let origin = name.as_ref().map_or_else(|| reader.origin(*expr), |n| n.origin);
            match parameter {
                Some(parameter) if placed.iter().all(|(p, _)| p != parameter) => {
                    placed.push((parameter, *expr))
                }
                Some(parameter) => {
                    report!(reader.context, L015 at origin, "`{parameter}` is given twice";
                        label "given again";
                        also shape.origin, "to this surface";
                        help "remove one of them");
                    return None;
                }
                None => {
                    let what = reader.context.quoted(origin);
                    let finding = finding!(L049 at origin, "`{}` has no argument {what}", shape.text;
                        label "not known");
                    let near = name
                        .as_ref()
                        .and_then(|n| closest(&n.text, known.iter().copied()));
                    reader.context.report(match near {
                        Some(near) => finding.help(format!("did you mean `{near}`?")),
                        None => finding.help(format!("write {}", usage(&shape.text))),
                    });
                    return None;
                }
            }
        }
        Some(Arguments {
            shape: shape.clone(),
            given: placed,
        })
    }

    fn take(&mut self, parameter: &str) -> Option<ExprRef> {
        let place = self.given.iter().position(|(p, _)| *p == parameter)?;
        Some(self.given.remove(place).1)
    }

    fn needed(&mut self, reader: &mut FieldReader<'_, '_>, parameter: &str) -> Option<ExprRef> {
        let found = self.take(parameter);
        if found.is_none() {
            let shape = &self.shape;
            report!(reader.context, L046 at shape.origin, "`{}` needs `{parameter}`", shape.text;
                label "`{parameter}` is missing";
                help "write {}", usage(&shape.text));
        }
        found
    }

    fn size(&mut self, reader: &mut FieldReader<'_, '_>, parameter: &str) -> Option<NodeId> {
        let expr = self.needed(reader, parameter)?;
        reader.constant(expr, parameter, Range::Positive)
    }

    fn vector(
        &mut self,
        reader: &mut FieldReader<'_, '_>,
        parameter: &str,
        range: Range,
    ) -> Option<[NodeId; 3]> {
        let expr = self.needed(reader, parameter)?;
        reader.constant_vector(expr, parameter, range)
    }

    /// A vector brought to length one.
    fn direction(&mut self, reader: &mut FieldReader<'_, '_>, parameter: &str) -> Option<[NodeId; 3]> {
        let expr = self.needed(reader, parameter)?;
        let vector = reader.constant_vector(expr, parameter, Range::Any)?;
        let pool = &mut reader.context.pool;
        let [x, y, z] = vector.map(|a| pool.integer_power(a, 2));
        let sum = pool.add(x, y);
        let sum = pool.add(sum, z);
        if reader.context.value(sum).lo() <= 0.0 {
            let origin = reader.origin(expr);
            report!(reader.context, L050 at origin, "`{parameter}` has no direction";
                label "its length may be 0";
                help "give a vector such as (0, 1, 0)");
            return None;
        }
        let pool = &mut reader.context.pool;
        let length = pool.sqrt(sum);
        // A literal unit vector along an axis stays as it is written.
        if sum == pool.number(1.0) {
            return Some(vector);
        }
        Some(vector.map(|a| pool.divide(a, length)))
    }
}
