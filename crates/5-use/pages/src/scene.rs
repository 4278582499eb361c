//! What bodies look like: their surfaces with the numbers of one run, and the signals that move them.

use dyverse_model::{Model, Setting, StateComponent};
use dyverse_num::{Quaternion, Vec3};
use dyverse_trace::Trace;
use dyverse_view::{Body, Shape, Surface};

/// The bodies with the sizes that they have in the run.
pub(super) fn bodies(model: &Model, trace: &Trace) -> Vec<Body> {
    let value = |name: &str| trace.parameters.iter().find(|(n, _)| n == name).map(|(_, v)| *v);
    let setting = Setting::with(model, f64::NAN, |id, kind, node| {
        let name = &model.parameters()[id.0 as usize].name;
        value(name).unwrap_or_else(|| node(kind.nominal()))
    });
    let place = |position: &Vec3<f64>, q: &Quaternion<f64>| {
        vec![position.x, position.y, position.z, q.w, q.x, q.y, q.z]
    };
    let each = model.entities().iter().map(|entity| {
        let start = setting.initial_placement(entity);
        let signal = |component: StateComponent| {
            let name = format!("{}.{}", entity.name, component.name());
            trace.signal(&name).map(|_| name)
        };
        use StateComponent::{Qw, Qx, Qy, Qz, X, Y, Z};
        let surfaces = entity.surfaces.iter().map(|surface| {
            let placement = setting.placement(surface);
            Surface {
                shape: shape(&setting.shape(surface)),
                placement: place(&placement.position, &placement.orientation),
            }
        });
        Body {
            name: entity.name.clone(),
            fixed: entity.is_fixed,
            signals: [X, Y, Z, Qw, Qx, Qy, Qz].into_iter().map(signal).collect(),
            placement: place(&start.position, &start.orientation),
            surfaces: surfaces.collect(),
        }
    });
    each.collect()
}

fn shape(shape: &dyverse_mech::Shape<f64>) -> Shape {
    use dyverse_mech::Shape as Exact;
    let three = |v: &Vec3<f64>| [v.x, v.y, v.z];
    match shape {
        Exact::Sphere { radius } => Shape::Sphere { radius: *radius },
        Exact::Ellipsoid { semi_axes } => Shape::Ellipsoid {
            semi_axes: three(semi_axes),
        },
        Exact::Capsule { radius, half_length } => Shape::Capsule {
            radius: *radius,
            half_length: *half_length,
        },
        Exact::RoundedBox { half_extents, radius } => Shape::RoundedBox {
            half_extents: three(half_extents),
            radius: *radius,
        },
        Exact::Box { half_extents } => Shape::RoundedBox {
            half_extents: three(half_extents),
            radius: 0.0,
        },
        Exact::Convex { solid } | Exact::RoundedConvex { solid, .. } => Shape::Convex {
            corners: solid.corners.iter().map(three).collect(),
            faces: solid
                .outline
                .faces
                .iter()
                .map(|face| face.iter().map(|c| c.0).collect())
                .collect(),
        },
        Exact::Plane { normal, offset } => Shape::Plane {
            normal: three(normal),
            offset: *offset,
        },
        Exact::HalfSpace { normal, offset } => Shape::HalfSpace {
            normal: three(normal),
            offset: *offset,
        },
    }
}
