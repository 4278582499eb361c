//! Where contacts push and what that does: W, M⁻¹, and G = WᵀM⁻¹W over any scalar.
//!
//! | paper        | here                     | unit                        |
//! |--------------|--------------------------|-----------------------------|
//! | W_N, W_T     | [`EntityColumns`]        | 1 and m (rows v and w)      |
//! | M⁻¹          | [`InverseMass`], [`EntityMass`] | 1/kg and 1/(kg m²)   |
//! | G = [A B; Bᵀ C] | [`Operator`], [`Blocks`] | 1/kg                     |
//!
//! # Two forms of G
//! [`Operator::Columns`] multiplies through the entities, one response for each unknown: what runs do, bit by bit, and all that is assumed is the numbers.
//! [`Blocks`] uses what is known of them: (n, tx, ty) is orthonormal, so that the forces of a contact's own block give δ_ij (1/m1 + 1/m2), and a sphere of isotropic inertia
//! adds R²/I to C_jj alone. Over the reals that is the same; on intervals and in formulas it is much narrower. In doubles a frame is orthonormal to rounding only.
//!
//! # Guarantee
//! That of the scalar.

use dyverse_num::{Mat3, Scalar, Vec3};

use crate::MassId;

/// What forces and moments do to an entity.
pub trait EntityMass<S> {
    /// 1/m.
    fn inverse_mass(&self) -> &S;
    /// I⁻¹M in the world frame.
    fn spin(&self, moment: &Vec3<S>) -> Vec3<S>;
    /// 1/I, if the inertia is known to be the same about all axes.
    fn isotropic(&self) -> Option<&S>;
}

/// The inverse mass matrix of one entity at its centre of mass: diag(m⁻¹ 1, I⁻¹).
#[derive(Clone, Debug, PartialEq)]
pub struct InverseMass<S> {
    /// 1/m.
    pub inverse_mass: S,
    /// The inverse of the inertia in the world frame.
    pub inverse_inertia: Mat3<S>,
}

impl<S: Scalar> InverseMass<S> {
    /// An entity whose inertia is the same about every axis, as that of a sphere.
    #[must_use]
    pub fn isotropic(mass: S, inertia: S) -> Self {
        let inverse = S::one() / inertia;
        Self {
            inverse_mass: S::one() / mass,
            inverse_inertia: Mat3::diagonal(Vec3::new(inverse.clone(), inverse.clone(), inverse)),
        }
    }

    /// M⁻¹ f for a generalized force f = (force, torque).
    #[must_use]
    pub fn apply(&self, f: &[S; 6]) -> [S; 6] {
        let torque = Vec3::new(f[3].clone(), f[4].clone(), f[5].clone());
        let spin = self.inverse_inertia.apply(&torque);
        let push = |k: usize| self.inverse_mass.clone() * f[k].clone();
        [push(0), push(1), push(2), spin.x, spin.y, spin.z]
    }
}

impl<S: Scalar> EntityMass<S> for InverseMass<S> {
    fn inverse_mass(&self) -> &S {
        &self.inverse_mass
    }
    fn spin(&self, moment: &Vec3<S>) -> Vec3<S> {
        self.inverse_inertia.apply(moment)
    }
    fn isotropic(&self) -> Option<&S> {
        None
    }
}

/// The columns (W_N, W_Tx, W_Ty) of one contact on one of its entities.
#[derive(Clone, Debug, PartialEq)]
pub struct EntityColumns<S> {
    /// The entity.
    pub entity: MassId,
    /// Columns n, tx, ty; each holds force directions, then moments.
    pub columns: [[S; 6]; 3],
    /// R, where it is known to be a sphere about its centre of mass.
    pub radius: Option<S>,
}

/// From an entity's centre of mass to a contact.
#[derive(Clone, Debug, PartialEq)]
pub enum Arm<S> {
    /// r = p − c.
    To(Vec3<S>),
    /// ±R n: a sphere about its centre of mass.
    Radius(S),
}

/// The generalized directions of one contact. A fixed entity has none.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactDirections<S> {
    /// On the contact's first entity.
    pub first: Option<EntityColumns<S>>,
    /// On the contact's second entity.
    pub second: Option<EntityColumns<S>>,
}

impl<S: Scalar> ContactDirections<S> {
    /// The directions of a couple: turns about (n, tx, ty) times a length, against entity 1 and with entity 2. A force along them is the couple divided by this length, a rate the relative angular velocity
    /// times it.
    #[must_use]
    pub fn of_couple(
        frame: &[Vec3<S>; 3],
        length: &S,
        first: Option<MassId>,
        second: Option<MassId>,
    ) -> Self {
        let side = |entity: Option<MassId>, flip: bool| {
            entity.map(|entity| EntityColumns {
                entity,
                columns: frame.clone().map(|d| {
                    let m = if flip { -d } else { d }.scale(length);
                    [S::zero(), S::zero(), S::zero(), m.x, m.y, m.z]
                }),
                radius: None,
            })
        };
        Self {
            first: side(first, true),
            second: side(second, false),
        }
    }

    /// From the frame (n, tx, ty), n pointing from entity 1 to entity 2, and the arms r_i = p_i − c_i:
    /// (−d, −(r₁ × d), d, r₂ × d) for each direction d \[SPEC §2\]. `None` is a fixed entity.
    #[must_use]
    pub fn from_arms(
        frame: &[Vec3<S>; 3],
        first: Option<(MassId, Vec3<S>)>,
        second: Option<(MassId, Vec3<S>)>,
    ) -> Self {
        let to = |end: Option<(MassId, Vec3<S>)>| end.map(|(entity, arm)| (entity, Arm::To(arm)));
        Self::new(frame, to(first), to(second))
    }

    /// The same, where arms may be known better.
    #[must_use]
    pub fn new(
        frame: &[Vec3<S>; 3],
        first: Option<(MassId, Arm<S>)>,
        second: Option<(MassId, Arm<S>)>,
    ) -> Self {
        let side = |end: Option<(MassId, Arm<S>)>, flip: bool| {
            end.map(|(entity, arm)| {
                let forces = frame.clone().map(|d| if flip { -d } else { d });
                let (moments, radius) = match arm {
                    Arm::To(arm) => ([0, 1, 2].map(|i: usize| arm.cross(&forces[i])), None),
                    // r = ±R n and forces ∓d: both ends have −R (n × d), n × tx = ty and n × ty = −tx.
                    Arm::Radius(r) => ([Vec3::zero(), -frame[2].scale(&r), frame[1].scale(&r)], Some(r)),
                };
                let mut both = forces.into_iter().zip(moments);
                let columns = std::array::from_fn(|_| {
                    let (d, m) = both.next().unwrap_or((Vec3::zero(), Vec3::zero()));
                    [d.x, d.y, d.z, m.x, m.y, m.z]
                });
                EntityColumns {
                    entity,
                    columns,
                    radius,
                }
            })
        };
        Self {
            first: side(first, true),
            second: side(second, false),
        }
    }

    /// The sides that move.
    pub fn sides(&self) -> impl Iterator<Item = &EntityColumns<S>> {
        self.first.iter().chain(self.second.iter())
    }

    /// Whether it is known that B_jj = 0 and C_jj is a multiple of the identity: spheres.
    #[must_use]
    pub fn is_isotropic<M: EntityMass<S>>(&self, masses: &[M]) -> bool {
        self.sides()
            .all(|side| side.radius.is_some() && masses[side.entity.0].isotropic().is_some())
    }

    /// Adds Wᵀu to the contact's rates.
    pub fn add_rates(&self, rates: &mut [S; 3], twist: impl Fn(MassId) -> [S; 6]) {
        for side in self.sides() {
            let twist = twist(side.entity);
            for (sum, column) in rates.iter_mut().zip(&side.columns) {
                let mut product = S::zero();
                for (c, u) in column.iter().zip(&twist) {
                    product = product + c.clone() * u.clone();
                }
                *sum = sum.clone() + product;
            }
        }
    }
}

/// Wλ by entity.
#[must_use]
pub fn pushed<S: Scalar>(
    entities: usize,
    directions: &[ContactDirections<S>],
    forces: &[[S; 3]],
) -> Vec<[S; 6]> {
    let mut total = vec![[0; 6].map(|_| S::zero()); entities];
    for (contact, force) in directions.iter().zip(forces) {
        for side in contact.sides() {
            for (column, size) in side.columns.iter().zip(force) {
                for (sum, c) in total[side.entity.0].iter_mut().zip(column) {
                    *sum = sum.clone() + c.clone() * size.clone();
                }
            }
        }
    }
    total
}

/// Contacts in groups that share something, directly or through others: each ascending, in the order of their first contacts. Given are the numbers of what each of them has.
#[must_use]
pub fn groups(contacts: impl Iterator<Item = Vec<usize>>) -> Vec<Vec<usize>> {
    let (mut first, mut seen): (Vec<usize>, Vec<Option<usize>>) = (Vec::new(), Vec::new());
    for (contact, things) in contacts.enumerate() {
        first.push(contact);
        for thing in things {
            if thing >= seen.len() {
                seen.resize(thing + 1, None);
            }
            let other = *seen[thing].get_or_insert(contact);
            let (low, high) = (first[other].min(first[contact]), first[other].max(first[contact]));
            if low != high {
                let joined = first.iter_mut().filter(|of| **of == high);
                joined.for_each(|of| *of = low);
            }
        }
    }
    let mut groups: Vec<Vec<usize>> = vec![Vec::new(); first.len()];
    for (contact, of) in first.into_iter().enumerate() {
        groups[of].push(contact);
    }
    groups.retain(|group| !group.is_empty());
    groups
}

/// A 3 × 3 block of G.
type Block<S> = [[S; 3]; 3];

/// G by blocks.
#[derive(Clone, Debug)]
pub struct Blocks<S> {
    count: usize,
    /// Row by row; `None` where contacts share no moving entity.
    blocks: Vec<Option<Block<S>>>,
    is_isotropic: Vec<bool>,
}

impl<S: Scalar> Blocks<S> {
    /// G of contacts whose frames are orthonormal, between entities that are as these masses say.
    #[must_use]
    pub fn new<M: EntityMass<S>>(masses: &[M], directions: &[ContactDirections<S>]) -> Self {
        let count = directions.len();
        let mut blocks = vec![None; count * count];
        for (i, one) in directions.iter().enumerate() {
            blocks[i * count + i] = Some(own_block(masses, one));
            for (j, two) in directions.iter().enumerate().skip(i + 1) {
                let block = shared_block(masses, one, two);
                blocks[j * count + i] = block.as_ref().map(|b| transposed(b));
                blocks[i * count + j] = block;
            }
        }
        Self {
            count,
            blocks,
            is_isotropic: directions.iter().map(|d| d.is_isotropic(masses)).collect(),
        }
    }

    /// A given G: entries by row and column, three for each contact.
    #[must_use]
    pub fn from_entries(count: usize, entry: impl Fn(usize, usize) -> S) -> Self {
        let block = |place: usize| -> Block<S> {
            let (i, j) = (3 * (place / count), 3 * (place % count));
            std::array::from_fn(|p| std::array::from_fn(|q| entry(i + p, j + q)))
        };
        Self {
            count,
            blocks: (0..count * count).map(|place| Some(block(place))).collect(),
            is_isotropic: vec![false; count],
        }
    }

    /// G_ij; `None` where contacts share no moving entity.
    #[must_use]
    pub fn block(&self, i: usize, j: usize) -> Option<&Block<S>> {
        self.blocks.get(i * self.count + j)?.as_ref()
    }

    /// Whether it is known that B_jj = 0 and C_jj is a multiple of the identity.
    #[must_use]
    pub fn is_isotropic(&self, contact: usize) -> bool {
        self.is_isotropic[contact]
    }

    /// One row of G, as long as there are forces.
    #[must_use]
    pub fn row(&self, contact: usize, component: usize) -> Vec<S> {
        let zeros = || [S::zero(), S::zero(), S::zero()];
        let entries = |j: usize| {
            self.block(contact, j)
                .map_or_else(zeros, |b| b[component].clone())
        };
        (0..self.count).flat_map(entries).collect()
    }
}

fn transposed<S: Clone>(block: &Block<S>) -> Block<S> {
    std::array::from_fn(|p| std::array::from_fn(|q| block[q][p].clone()))
}

fn zero_block<S: Scalar>() -> Block<S> {
    std::array::from_fn(|_| std::array::from_fn(|_| S::zero()))
}

fn part<S: Clone>(column: &[S; 6], from: usize) -> Vec3<S> {
    Vec3::new(
        column[from].clone(),
        column[from + 1].clone(),
        column[from + 2].clone(),
    )
}

fn own_block<S: Scalar, M: EntityMass<S>>(masses: &[M], contact: &ContactDirections<S>) -> Block<S> {
    let mut block: Block<S> = zero_block();
    for side in contact.sides() {
        let mass = &masses[side.entity.0];
        for (i, row) in block.iter_mut().enumerate() {
            row[i] = row[i].clone() + mass.inverse_mass().clone();
        }
        match (&side.radius, mass.isotropic()) {
            (Some(radius), Some(inverse)) => {
                let turning = radius.squared() * inverse.clone();
                for (i, row) in block.iter_mut().enumerate().skip(1) {
                    row[i] = row[i].clone() + turning.clone();
                }
            }
            _ => add_moments(&mut block, mass, side, side),
        }
    }
    block
}

fn shared_block<S: Scalar, M: EntityMass<S>>(
    masses: &[M],
    first: &ContactDirections<S>,
    second: &ContactDirections<S>,
) -> Option<Block<S>> {
    let mut found: Option<Block<S>> = None;
    for one in first.sides() {
        for two in second.sides().filter(|two| two.entity == one.entity) {
            let block = found.get_or_insert_with(zero_block);
            let mass = &masses[one.entity.0];
            for (row, f) in block.iter_mut().zip(&one.columns) {
                for (entry, g) in row.iter_mut().zip(&two.columns) {
                    *entry = entry.clone() + part(f, 0).dot(&part(g, 0)) * mass.inverse_mass().clone();
                }
            }
            add_moments(block, mass, one, two);
        }
    }
    found
}

fn add_moments<S: Scalar, M: EntityMass<S>>(
    block: &mut Block<S>,
    mass: &M,
    one: &EntityColumns<S>,
    two: &EntityColumns<S>,
) {
    let spins = [0, 1, 2].map(|i: usize| mass.spin(&part(&two.columns[i], 3)));
    for (row, column) in block.iter_mut().zip(&one.columns) {
        for (entry, spin) in row.iter_mut().zip(&spins) {
            *entry = entry.clone() + part(column, 3).dot(spin);
        }
    }
}

/// G, in one of its forms.
#[derive(Clone, Copy, Debug)]
pub enum Operator<'a, S> {
    /// Through the entities.
    Columns {
        /// M⁻¹, by entity.
        masses: &'a [InverseMass<S>],
        /// W, by contact.
        directions: &'a [ContactDirections<S>],
    },
    /// As it is.
    Blocks(&'a Blocks<S>),
}

impl<S: Scalar> Operator<'_, S> {
    /// Number of contacts.
    #[must_use]
    pub fn contact_count(&self) -> usize {
        match self {
            Operator::Columns { directions, .. } => directions.len(),
            Operator::Blocks(blocks) => blocks.count,
        }
    }

    /// Gλ.
    #[must_use]
    pub fn applied(&self, forces: &[[S; 3]]) -> Vec<[S; 3]> {
        let zeros = || [S::zero(), S::zero(), S::zero()];
        match self {
            Operator::Columns { masses, directions } => {
                let all = pushed(masses.len(), directions, forces);
                let twists: Vec<[S; 6]> = all.iter().zip(*masses).map(|(f, mass)| mass.apply(f)).collect();
                let rates = |contact: &ContactDirections<S>| {
                    let mut rates = zeros();
                    contact.add_rates(&mut rates, |entity| twists[entity.0].clone());
                    rates
                };
                directions.iter().map(rates).collect()
            }
            Operator::Blocks(blocks) => {
                let rate = |contact: usize| {
                    let mut rates = zeros();
                    for (j, force) in forces.iter().enumerate() {
                        let Some(block) = blocks.block(contact, j) else {
                            continue;
                        };
                        for (rate, row) in rates.iter_mut().zip(block) {
                            for (entry, size) in row.iter().zip(force) {
                                *rate = rate.clone() + entry.clone() * size.clone();
                            }
                        }
                    }
                    rates
                };
                (0..blocks.count).map(rate).collect()
            }
        }
    }
}
