//! What the finished model must satisfy as a mechanical system: inertia that a rigid body can have, entities apart at
//! the start ([`super::overlaps`]), a law for every pair.

use super::overlaps::check_overlaps;
use dyverse_diag::{Diagnostic, Origin, finding, number};
use dyverse_model::{Entity, EntityId, Inertia, Model, Setting, Unresolved};
use dyverse_num::Mat3;

/// Findings about inertia at the most.
const MOST_FINDINGS: usize = 200;

/// Appends what is wrong with the model.
pub(crate) fn check(model: &Model, tolerances: Option<Origin>, out: &mut Vec<Diagnostic>) {
    if !model.unresolved().is_empty() {
        out.extend(unresolved(model, tolerances));
        return;
    }
    let nominal = Setting::nominal(model);
    let enclosing = Setting::enclosing(model);
    for (index, entity) in model.entities().iter().enumerate() {
        if out.len() >= MOST_FINDINGS {
            break;
        }
        check_inertia(&nominal, EntityId(index), entity, out);
    }
    check_overlaps(model, &nominal, &enclosing, out);
    check_laws(model, out);
}

/// Numbers that doubles cannot hold, and tolerances below their rounding; `tolerances` is where those are given.
fn unresolved(model: &Model, tolerances: Option<Origin>) -> Vec<Diagnostic> {
    let Some(first) = model.entities().first().map(|entity| entity.origin) else {
        return Vec::new();
    };
    let finding = |unresolved: &Unresolved| match unresolved {
        Unresolved::Magnitude { what, value } => finding!(M007 at first,
            "the {what} of the model is {}", number(*value);
            label "doubles do not hold the squares and cubes of such numbers";
            note "masses, sizes, speeds and accelerations lie between 1e-30 and 1e30, in whatever units the file is written";
            help "write the model in other units, for example micrometres and milligrams"),
        Unresolved::Thin { size, place } => finding!(M007 at first,
            "the thinnest surface measures {}, and the scene reaches {} from the origin", number(*size), number(*place);
            label "doubles do not tell gaps of such surfaces from rounding there";
            note "the gap tolerance is 1e-14 of the largest distance at the least, and must be small beside the surfaces";
            help "move the scene to the origin, make the surfaces larger, or give `tolerances {{ gap = … }}`"),
        Unresolved::Tolerance { name, given, least } => finding!(M008 at tolerances.unwrap_or(first),
            "the tolerance `{name}` is {}", number(*given);
            label "below the rounding of what it is about";
            note "in this model doubles resolve no less than {}", number(*least);
            help "give at least {}, or leave `{name}` out: it then follows the scales of the model", number(*least)),
    };
    model.unresolved().iter().map(finding).collect()
}

/// An entity's inertia must be that of some distribution of mass: the sum of two principal moments is at least the third;
/// and where it comes from the surfaces, their centroid must be the centre of mass.
fn check_inertia(setting: &Setting<'_, f64>, id: EntityId, entity: &Entity, out: &mut Vec<Diagnostic>) {
    let Ok(properties) = setting.mass_properties(id) else {
        return;
    };
    if entity.inertia == Inertia::FromSurfaces {
        let Some(filled) = setting.filled(entity) else {
            return;
        };
        let c = filled.centroid;
        let size = properties.inertia.trace().abs() / properties.mass;
        if c.norm_squared() > 1e-18 * size {
            let finding = finding!(M003 at entity.origin,
                "the surfaces of `{}` are not centred on its centre of mass", entity.name;
                label "filled evenly, their centre is at ({}, {}, {})", number(c.x), number(c.y), number(c.z);
                note "an entity's position is that of its centre of mass; `at` is seen from there");
            out.push(match &entity.surfaces[..] {
                [hull] if hull.shape.kind().is_hull() => {
                    let at = setting.placement(hull).position - c;
                    let [x, y, z] = at.map(rounded_to_size(size.sqrt())).coordinates().map(|x| *x);
                    finding.help(format!("place it with `at = ({x}, {y}, {z})`, or give `inertia = (Ixx, Iyy, Izz)` about the centre of mass"))
                }
                _ => finding
                    .help("move the surfaces, or give `inertia = (Ixx, Iyy, Izz)` about the centre of mass"),
            });
        }
    }
    let [a, b, c] = principal_moments(&properties.inertia);
    let slack = 1e-9 * (a.abs() + b.abs() + c.abs());
    if !(a > 0.0 && b > 0.0 && c > 0.0) || a + b < c - slack {
        out.push(
            finding!(M004 at entity.origin, "no rigid body has the inertia of `{}`", entity.name;
                label "principal moments {}, {}, {}", number(a), number(b), number(c);
                note "they must be above 0, and the sum of any two at least the third";
                help "check the moments, or leave `inertia` out to take it from the surfaces"),
        );
    }
}

/// Numbers without digits far below a size, so that roundings are not written out.
fn rounded_to_size(size: f64) -> impl Fn(&f64) -> f64 {
    move |x| {
        if x.abs() < 1e-14 * size { 0.0 } else { *x }
    }
}

/// The eigenvalues of a symmetric matrix in ascending order (Jacobi rotations).
fn principal_moments(inertia: &Mat3<f64>) -> [f64; 3] {
    let r = &inertia.rows;
    let mut m = [
        [r.x.x, r.x.y, r.x.z],
        [r.y.x, r.y.y, r.y.z],
        [r.z.x, r.z.y, r.z.z],
    ];
    for _ in 0..20 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if m[p][q] == 0.0 {
                continue;
            }
            let theta = 0.5 * (2.0 * m[p][q]).atan2(m[q][q] - m[p][p]);
            let (s, c) = theta.sin_cos();
            for row in &mut m {
                let (a, b) = (row[p], row[q]);
                (row[p], row[q]) = (c * a - s * b, s * a + c * b);
            }
            let (a, b) = (m[p], m[q]);
            for k in 0..3 {
                (m[p][k], m[q][k]) = (c * a[k] - s * b[k], s * a[k] + c * b[k]);
            }
        }
    }
    let mut moments = [m[0][0], m[1][1], m[2][2]];
    moments.sort_by(f64::total_cmp);
    moments
}

/// Pairs without a law of their own while no default is written.
fn check_laws(model: &Model, out: &mut Vec<Diagnostic>) {
    if model.default_law().origin.is_some() {
        return;
    }
    let Some((a, b)) = lawless_pair(model) else { return };
    let (first, second) = (model.entity(a), model.entity(b));
    out.push(finding!(warning M005 at second.origin,
        "no contact law is written for `{}` and `{}`", first.name, second.name;
        label "and perhaps others";
        also first.origin, "the other entity";
        note "the built-in law is taken: restitution = 1, tangential_restitution = 0, friction = 0";
        help "write `contact default {{ … }}`, or a law for each pair"));
}

/// The first pair that may touch and has no law. Two fixed entities are never looked at together, so every pair that is
/// passed over is one that the file names.
fn lawless_pair(model: &Model) -> Option<(EntityId, EntityId)> {
    let all: Vec<EntityId> = (0..model.entities().len()).map(EntityId).collect();
    let moving: Vec<EntityId> = all
        .iter()
        .copied()
        .filter(|id| !model.entity(*id).is_fixed)
        .collect();
    all.iter().find_map(|a| {
        let others = if model.entity(*a).is_fixed { &moving } else { &all };
        let later = &others[others.partition_point(|b| b <= a)..];
        let lawless = later
            .iter()
            .find(|b| model.may_touch(*a, **b) && model.law(*a, **b).origin.is_none());
        lawless.map(|b| (*a, *b))
    })
}
