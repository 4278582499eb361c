//! Entities that overlap at the start.
//!
//! # Method
//! The gap of every pair of surfaces that may touch, at the nominal values in doubles and over all parameters and initial
//! sets in intervals. Pairs whose boxes are apart are skipped ([`super::neighbours`]).
//!
//! # Guarantee
//! An error is an overlap by more than the gap tolerance at the nominal values, or proved for all values. A warning
//! says that the intervals do not exclude one, or that there are too many pairs to look at.

use super::neighbours::{Extent, visit_neighbours};
use dyverse_diag::{Diagnostic, finding, number};
use dyverse_mech::{Placement, Shape, enclose_separation, separation};
use dyverse_model::{EntityId, Model, Setting};
use dyverse_num::{Interval, Vec3};
use std::collections::BTreeSet;

/// Overlaps reported at the most.
const MOST_OVERLAPS: usize = 100;
/// Pairs whose boxes meet that are looked at in the most.
const MOST_PAIRS: usize = 10_000_000;
/// Gaps computed at the most.
const MOST_GAPS: usize = 100_000;

/// A surface where the entity starts.
struct Placed {
    entity: EntityId,
    shape: Shape<f64>,
    at: Placement<f64>,
    enclosed_shape: Shape<Interval>,
    enclosed_at: Placement<Interval>,
}

/// Appends overlaps, certain and possible.
pub(crate) fn check_overlaps(
    model: &Model,
    nominal: &Setting<'_, f64>,
    enclosing: &Setting<'_, Interval>,
    out: &mut Vec<Diagnostic>,
) {
    let mut placed = placed(model, nominal, enclosing);
    let mut search = Search {
        model,
        told: BTreeSet::new(),
        findings: Vec::new(),
        pairs: 0,
        gaps: 0,
    };
    let is_whole = search.run(&mut placed);
    let (found, is_cut) = (search.told.len(), search.told.len() >= MOST_OVERLAPS);
    search.findings.sort_by_key(|(a, b, _)| (*a, *b));
    out.extend(search.findings.into_iter().map(|(_, _, finding)| finding));
    if let Some(entity) = model.entities().first().filter(|_| !is_whole && !is_cut) {
        out.push(finding!(warning M006 at entity.origin,
            "not all pairs of entities were checked for overlap";
            label "too many near each other at the start";
            note "{} pairs were looked at, {found} of them overlap", search.gaps;
            help "move the entities apart, or write `no contact` for pairs that never touch"));
    }
}

fn placed(model: &Model, nominal: &Setting<'_, f64>, enclosing: &Setting<'_, Interval>) -> Vec<Placed> {
    let mut placed = Vec::new();
    for (index, entity) in model.entities().iter().enumerate() {
        let (at, enclosed_at) = (
            nominal.initial_placement(entity),
            enclosing.initial_placement(entity),
        );
        placed.extend(entity.surfaces.iter().map(|surface| Placed {
            entity: EntityId(index),
            shape: nominal.shape(surface),
            at: at.compose(&nominal.placement(surface)),
            enclosed_shape: enclosing.shape(surface),
            enclosed_at: enclosed_at.compose(&enclosing.placement(surface)),
        }));
    }
    placed
}

impl Placed {
    /// A box that holds it, for all values.
    fn extent(&self) -> Extent {
        let Vec3 { x, y, z } = self.enclosed_at.position;
        let reach = reach(&self.enclosed_shape);
        Extent {
            low: [x, y, z].map(|c| c.lo() - reach),
            high: [x, y, z].map(|c| c.hi() + reach),
        }
    }
}

/// How far a shape reaches from its centre in any direction.
fn reach(shape: &Shape<Interval>) -> f64 {
    match shape {
        Shape::Sphere { radius } => radius.hi(),
        Shape::Ellipsoid {
            semi_axes: Vec3 { x, y, z },
        } => x.hi().max(y.hi()).max(z.hi()),
        Shape::Capsule { radius, half_length } => radius.hi() + half_length.hi(),
        Shape::RoundedBox {
            half_extents: Vec3 { x, y, z },
            radius,
        } => radius.hi() + x.hi() + y.hi() + z.hi(),
        Shape::Box {
            half_extents: Vec3 { x, y, z },
        } => x.hi() + y.hi() + z.hi(),
        Shape::Convex { solid } => solid.reach().hi(),
        Shape::RoundedConvex { solid, radius } => radius.hi() + solid.reach().hi(),
        Shape::Plane { .. } | Shape::HalfSpace { .. } => f64::INFINITY,
    }
}

struct Search<'m> {
    model: &'m Model,
    told: BTreeSet<(EntityId, EntityId)>,
    findings: Vec<(EntityId, EntityId, Diagnostic)>,
    pairs: usize,
    gaps: usize,
}

impl Search<'_> {
    /// Looks at all pairs with an entity that moves: among these, and of each with the fixed ones near it. False if
    /// that was too much.
    fn run(&mut self, placed: &mut [Placed]) -> bool {
        placed.sort_by_key(|p| self.model.entity(p.entity).is_fixed);
        let moving = placed.partition_point(|p| !self.model.entity(p.entity).is_fixed);
        let extents: Vec<Extent> = placed.iter().map(Placed::extent).collect();
        visit_neighbours(&extents, moving, &mut |i, j| self.visit(&placed[i], &placed[j]))
    }

    fn visit(&mut self, a: &Placed, b: &Placed) -> bool {
        self.pairs += 1;
        let (a, b) = if a.entity <= b.entity { (a, b) } else { (b, a) };
        let pair = (a.entity, b.entity);
        if self.model.may_touch(a.entity, b.entity) && !self.told.contains(&pair) {
            self.gaps += 1;
            if let Some(finding) = overlap(self.model, a, b) {
                self.told.insert(pair);
                self.findings.push((pair.0, pair.1, finding));
            }
        }
        self.told.len() < MOST_OVERLAPS && self.pairs < MOST_PAIRS && self.gaps < MOST_GAPS
    }
}

fn overlap(model: &Model, a: &Placed, b: &Placed) -> Option<Diagnostic> {
    let tolerance = model.tolerances().gap;
    let gap = separation(&a.shape, &a.at, &b.shape, &b.at).ok()?.gap;
    let enclosed = enclose_separation(
        &a.enclosed_shape,
        &a.enclosed_at,
        &b.enclosed_shape,
        &b.enclosed_at,
    );
    let (first, second) = (model.entity(a.entity), model.entity(b.entity));
    let bounds = enclosed.filter(|e| !e.is_empty() && e.width() > tolerance);
    let is_certain = enclosed.is_some_and(|e| !e.is_empty() && e.hi() < -tolerance);
    if gap < -tolerance || is_certain {
        return Some(finding!(M001 at second.origin,
            "`{}` and `{}` overlap at the start", first.name, second.name;
            label "their gap is {}", number(gap);
            also first.origin, "the other entity";
            note "a gap below -{} is an overlap (tolerances, `gap`)", number(tolerance);
            help "move one of them, or write `no contact` for a pair that never touches"));
    }
    let bounds = bounds.filter(|e| e.lo() < -tolerance)?;
    Some(finding!(warning M002 at second.origin,
        "`{}` and `{}` may overlap at the start for some values", first.name, second.name;
        label "their gap lies in [{}, {}]", number(bounds.lo()), number(bounds.hi());
        also first.origin, "the other entity";
        note "at the nominal values it is {}; the bounds are an interval's, so they may be too wide", number(gap);
        help "make the sets of initial values or parameters smaller"))
}
