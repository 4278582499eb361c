//! Sets of contacts that can never be closed together, proved from the geometry alone.
//!
//! **In:** contacts as pairs of surfaces, sizes and fixed places over intervals. **Out:** minimal sets of
//! contacts, each with the reason why not all of them can be closed at once.
//!
//! # Method
//! **Two parallel walls.** Along the unit normal n̂ of the first wall, the centre of a sphere of radius r
//! that touches a wall at height o is at o + r (half-space facing n̂), o − r (half-space facing −n̂), or
//! either (plane). If no height allowed by one wall can equal one allowed by the other, the two contacts
//! exclude each other. Covered are walls that face away from each other, and walls whose distance differs
//! from the diameter.
//!
//! **Mutually touching spheres.** m spheres touch each other if their centres have distances rᵢ + rⱼ. The
//! Cayley–Menger matrix of these distances, bordered by ones, reduces to B = R C R with R = diag(rᵢ) and
//! C = 2(11ᵀ − 2·1), because (rᵢ + rⱼ)² = rᵢ² + rⱼ² + 2rᵢrⱼ off the diagonal and the border removes
//! rᵢ² + rⱼ². With curvatures kᵢ = 1/rᵢ the determinant is
//!
//! Δ_m = −det B · 1ᵀB⁻¹1 = −(Π rᵢ²) det C · ¼ ((Σk)²/(m − 2) − Σk²),  det C = 2ᵐ (−2)ᵐ⁻¹ (m − 2).
//!
//! - m = 4: Δ₄ = 288 V² must not be negative, that is (Σk)² ≥ 2Σk²; otherwise the smallest sphere falls
//!   through between the others. Four equal spheres are feasible.
//! - m = 5: five points of space span no volume of dimension four, Δ₅ = 0, that is (Σk)² = 3Σk² (Soddy and
//!   Gosset). Five equal spheres are not feasible.
//!
//! # Guarantee
//! Rigorous: a set is listed only if its infeasibility is proved on intervals. Not complete: what is not
//! listed may still be impossible. Leaving sets out is sound, as it only leaves more combinations to be
//! considered; so reaching a limit is harmless, and is reported. Parallelism is proved only for normals that
//! are exact, and exactly parallel.

use std::collections::{BTreeMap, BTreeSet};

use dyverse_num::{Interval, Scalar, Tri, Vec3};

use crate::{EntityId, Placement, Shape, SurfaceId};

/// One side of a contact.
#[derive(Clone, Debug, PartialEq)]
pub struct Participant {
    /// Whose surface it is.
    pub entity: EntityId,
    /// Which of the entity's surfaces.
    pub surface: SurfaceId,
    /// Its shape.
    pub shape: Shape<Interval>,
    /// Its place in the world if the entity is fixed; `None` if it moves.
    pub fixed_at: Option<Placement<Interval>>,
}

/// Two surfaces that may touch: one contact.
#[derive(Clone, Debug, PartialEq)]
pub struct TouchingPair {
    /// One side.
    pub first: Participant,
    /// The other side.
    pub second: Participant,
}

/// Why a set of contacts cannot be closed together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ObstructionReason {
    /// One sphere cannot touch these two parallel walls.
    ParallelWalls,
    /// Four mutually touching spheres of these radii do not exist: (Σk)² < 2Σk².
    FourSpheres,
    /// Five mutually touching spheres of these radii do not exist: (Σk)² ≠ 3Σk².
    FiveSpheres,
}

/// A set of contacts that can never be closed together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Obstruction {
    /// Positions in the list of contacts, ascending.
    pub contacts: Vec<usize>,
    /// Why.
    pub reason: ObstructionReason,
}

/// Bounds on the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObstructionLimits {
    /// Most sets to list.
    pub obstructions: usize,
    /// Most candidates (pairs of walls, groups of spheres) to look at.
    pub candidates: usize,
}

impl Default for ObstructionLimits {
    /// 10 000 sets, a million candidates.
    fn default() -> Self {
        Self {
            obstructions: 10_000,
            candidates: 1_000_000,
        }
    }
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstructions {
    /// The sets, in ascending order; none contains another.
    pub sets: Vec<Obstruction>,
    /// Was a limit reached? The list is then shorter than it could be, and still sound.
    pub truncated: bool,
}

/// A surface by its names.
type Name = (EntityId, SurfaceId);

/// Collects sets until a limit is reached.
struct Search {
    limits: ObstructionLimits,
    candidates: usize,
    sets: BTreeSet<Obstruction>,
    truncated: bool,
}

/// Finds sets of contacts that can never be closed together.
#[must_use]
pub fn derive_obstructions(contacts: &[TouchingPair], limits: &ObstructionLimits) -> Obstructions {
    let mut search = Search {
        limits: *limits,
        candidates: 0,
        sets: BTreeSet::new(),
        truncated: false,
    };
    search.parallel_walls(contacts);
    search.touching_spheres(&SphereGraph::of(contacts));
    Obstructions {
        sets: search.sets.into_iter().collect(),
        truncated: search.truncated,
    }
}

impl Search {
    /// Counts one candidate; false when a limit is reached.
    fn may_go_on(&mut self) -> bool {
        self.candidates += 1;
        let within = self.candidates <= self.limits.candidates && self.sets.len() < self.limits.obstructions;
        self.truncated |= !within;
        within
    }

    fn parallel_walls(&mut self, contacts: &[TouchingPair]) {
        let mut walls_of: BTreeMap<Name, Vec<(usize, Wall)>> = BTreeMap::new();
        for (index, contact) in contacts.iter().enumerate() {
            if let Some((sphere, wall)) = Wall::touched_in(contact) {
                walls_of.entry(sphere).or_default().push((index, wall));
            }
        }
        for walls in walls_of.values() {
            for (i, (first, wall)) in walls.iter().enumerate() {
                for (second, other) in &walls[i + 1..] {
                    if !self.may_go_on() {
                        return;
                    }
                    if wall.excludes(other) {
                        let contacts = vec![*first, *second];
                        self.sets.insert(Obstruction {
                            contacts,
                            reason: ObstructionReason::ParallelWalls,
                        });
                    }
                }
            }
        }
    }

    /// Groups of four, and of five without an impossible four inside, in ascending order of spheres.
    fn touching_spheres(&mut self, graph: &SphereGraph) {
        let mut impossible: BTreeSet<Vec<Name>> = BTreeSet::new();
        let mut open: Vec<Vec<Name>> = graph.radii.keys().rev().map(|name| vec![*name]).collect();
        // Depth first: each group grows only by later spheres that touch all of it. Fours come before the
        // fives made of them, but a five's other fours may come later, so fives wait.
        let mut fives: Vec<Vec<Name>> = Vec::new();
        while let Some(group) = open.pop() {
            for next in graph.common_neighbours_after(&group) {
                if !self.may_go_on() {
                    return;
                }
                let larger: Vec<Name> = group.iter().copied().chain([next]).collect();
                match larger.len() {
                    5 => fives.push(larger),
                    4 if four_are_impossible(&graph.curvatures(&larger)) => {
                        self.list(graph, &larger, ObstructionReason::FourSpheres);
                        impossible.insert(larger);
                    }
                    _ => open.push(larger),
                }
            }
        }
        for five in fives {
            if !self.may_go_on() {
                return;
            }
            let holds_impossible_four = (0..5).any(|left_out| {
                let four = five
                    .iter()
                    .enumerate()
                    .filter(|(i, _)| *i != left_out)
                    .map(|(_, name)| *name);
                impossible.contains(&four.collect::<Vec<_>>())
            });
            if !holds_impossible_four && five_are_impossible(&graph.curvatures(&five)) {
                self.list(graph, &five, ObstructionReason::FiveSpheres);
            }
        }
    }

    fn list(&mut self, graph: &SphereGraph, group: &[Name], reason: ObstructionReason) {
        self.sets.insert(Obstruction {
            contacts: graph.contacts_among(group),
            reason,
        });
    }
}

/// (Σk, Σk²).
fn sums(curvatures: &[Interval]) -> (Interval, Interval) {
    curvatures
        .iter()
        .fold((Interval::ZERO, Interval::ZERO), |(k, k2), c| {
            (k + *c, k2 + c.squared())
        })
}

/// Is (Σk)² < 2Σk² for certain?
fn four_are_impossible(curvatures: &[Interval]) -> bool {
    let (sum, squares) = sums(curvatures);
    sum.squared().lt(&(Interval::point(2.0) * squares)).certainly()
}

/// Is (Σk)² ≠ 3Σk² for certain?
fn five_are_impossible(curvatures: &[Interval]) -> bool {
    let (sum, squares) = sums(curvatures);
    sum.squared().eq_tri(&(Interval::point(3.0) * squares)) == Tri::False
}

/// Spheres and the contacts between them.
struct SphereGraph {
    radii: BTreeMap<Name, Interval>,
    neighbours: BTreeMap<Name, BTreeMap<Name, usize>>,
}

impl SphereGraph {
    fn of(contacts: &[TouchingPair]) -> Self {
        let mut graph = Self {
            radii: BTreeMap::new(),
            neighbours: BTreeMap::new(),
        };
        for (index, TouchingPair { first, second }) in contacts.iter().enumerate() {
            if let (Shape::Sphere { radius: r }, Shape::Sphere { radius: s }) = (&first.shape, &second.shape)
            {
                let ends = [(first.entity, first.surface), (second.entity, second.surface)];
                graph.radii.extend([(ends[0], *r), (ends[1], *s)]);
                for (from, to) in [(ends[0], ends[1]), (ends[1], ends[0])] {
                    graph
                        .neighbours
                        .entry(from)
                        .or_default()
                        .entry(to)
                        .or_insert(index);
                }
            }
        }
        graph
    }

    fn contact(&self, a: &Name, b: &Name) -> Option<usize> {
        self.neighbours.get(a)?.get(b).copied()
    }

    /// Spheres after the last of the group that touch all of it; the group is ascending and not empty.
    fn common_neighbours_after(&self, group: &[Name]) -> Vec<Name> {
        let Some(last) = group.last() else {
            return Vec::new();
        };
        let Some(neighbours) = self.neighbours.get(last) else {
            return Vec::new();
        };
        let later = neighbours.keys().filter(|name| *name > last);
        later
            .filter(|name| group.iter().all(|member| self.contact(member, name).is_some()))
            .copied()
            .collect()
    }

    fn curvatures(&self, group: &[Name]) -> Vec<Interval> {
        group
            .iter()
            .filter_map(|name| self.radii.get(name))
            .map(|radius| Interval::ONE / *radius)
            .collect()
    }

    fn contacts_among(&self, group: &[Name]) -> Vec<usize> {
        let pairs = group
            .iter()
            .enumerate()
            .flat_map(|(i, a)| group[..i].iter().map(move |b| (a, b)));
        let mut contacts: Vec<usize> = pairs.filter_map(|(a, b)| self.contact(a, b)).collect();
        contacts.sort_unstable();
        contacts
    }
}

/// A fixed wall as one sphere meets it.
struct Wall {
    radius: Interval,
    normal: Vec3<Interval>,
    /// n·x of its points, divided by |n|.
    height: Interval,
    is_two_sided: bool,
}

impl Wall {
    /// The sphere and the fixed wall of a contact, if that is what it joins.
    fn touched_in(contact: &TouchingPair) -> Option<(Name, Self)> {
        let TouchingPair { first, second } = contact;
        Self::between(first, second).or_else(|| Self::between(second, first))
    }

    fn between(sphere: &Participant, wall: &Participant) -> Option<(Name, Self)> {
        let Shape::Sphere { radius } = &sphere.shape else {
            return None;
        };
        let (normal, offset, is_two_sided) = match &wall.shape {
            Shape::Plane { normal, offset } => (normal, offset, true),
            Shape::HalfSpace { normal, offset } => (normal, offset, false),
            _ => return None,
        };
        let at = wall.fixed_at.as_ref()?;
        let turned = at.orientation.rotate(normal);
        let height = (*offset + turned.dot(&at.position)) / normal.norm();
        Some((
            (sphere.entity, sphere.surface),
            Self {
                radius: *radius,
                normal: turned,
                height,
                is_two_sided,
            },
        ))
    }

    /// Can the sphere never touch both?
    fn excludes(&self, other: &Self) -> bool {
        let Some(same_way) = is_exactly_parallel(&self.normal, &other.normal) else {
            return false;
        };
        let heights = self.centre_heights();
        let others = other.centre_heights();
        heights.iter().all(|h| {
            others.iter().all(|o| {
                let o = if same_way { *o } else { -*o };
                h.eq_tri(&o) == Tri::False
            })
        })
    }

    /// Heights along the wall's own normal at which the centre may be when touching.
    fn centre_heights(&self) -> Vec<Interval> {
        let in_front = self.height + self.radius;
        if self.is_two_sided {
            vec![in_front, self.height - self.radius]
        } else {
            vec![in_front]
        }
    }
}

/// Whether two exact vectors point the same way (true) or opposite ways (false); `None` if not proved
/// parallel.
fn is_exactly_parallel(a: &Vec3<Interval>, b: &Vec3<Interval>) -> Option<bool> {
    let is_exact = a
        .coordinates()
        .iter()
        .chain(&b.coordinates())
        .all(|c| c.is_point());
    let parallel = *a == *b || *a == -*b || a.cross(b) == Vec3::zero();
    if !is_exact || !parallel {
        return None;
    }
    match a.dot(b).gt(&Interval::ZERO) {
        Tri::True => Some(true),
        Tri::False => Some(false),
        Tri::Unknown => None,
    }
}
