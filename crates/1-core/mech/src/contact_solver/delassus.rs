//! The Delassus operator G = Wᵀ M⁻¹ W, applied through the entities that contacts share.
//!
//! | paper        | here                     | unit                        |
//! |--------------|--------------------------|-----------------------------|
//! | W_N, W_T     | [`EntityColumns`]        | 1 and m (rows v and w)      |
//! | M⁻¹          | [`InverseMass`]          | 1/kg and 1/(kg m²)          |
//! | G = [A B; Bᵀ C] | [`Delassus`]          | 1/kg                        |
//!
//! # Method
//! Contact j touches at most two moving entities, so its columns of W are two 6×3 matrices, and its columns
//! of M⁻¹W too. The twists M⁻¹Wλ are kept per entity: reading (Gλ)_j and changing λ_j both cost O(1), and a
//! product with G costs O(contacts) \[SPEC §4\]. A dense G is kept as it is given; then a change costs O(N).
//!
//! # Guarantee
//! To rounding. The operator is symmetric and positive semidefinite up to rounding when built from contacts;
//! a dense one is checked for symmetry, not for definiteness.

use std::fmt;

use crate::MassId;
use crate::law::mass_root::MassRoot;
use crate::law::{ContactDirections, EntityColumns, InverseMass, groups};

/// Three numbers of one contact: normal, first tangential, second tangential.
pub type Triple = [f64; 3];

/// Velocity and angular velocity of an entity in the world frame, or a change of them.
pub type Twist = [f64; 6];

/// Why contacts and masses do not make an operator.
#[derive(Clone, Debug, PartialEq)]
pub enum DelassusError {
    /// Neither entity of the contact moves along its normal.
    Immovable {
        /// The contact.
        contact: usize,
    },
    /// The contact names an entity without a mass.
    UnknownEntity {
        /// The contact.
        contact: usize,
        /// The entity it names.
        entity: MassId,
    },
    /// A number is infinite or NaN.
    NotFinite {
        /// The contact whose row holds it.
        contact: usize,
    },
    /// A dense matrix that is not 3N × 3N.
    WrongSize {
        /// The number of entries expected.
        expected: usize,
        /// The number of entries given.
        given: usize,
    },
    /// A dense matrix that is not symmetric.
    NotSymmetric {
        /// A row of the larger of two entries that differ.
        row: usize,
        /// Its column.
        column: usize,
    },
}

impl fmt::Display for DelassusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Immovable { contact } => {
                write!(
                    f,
                    "contact {contact}: no force along its normal moves either entity"
                )
            }
            Self::UnknownEntity { contact, entity } => {
                write!(
                    f,
                    "contact {contact}: entity {} has no mass in the list",
                    entity.0
                )
            }
            Self::NotFinite { contact } => write!(f, "contact {contact}: a direction or mass is not finite"),
            Self::WrongSize { expected, given } => {
                write!(f, "a dense operator needs {expected} entries, {given} were given")
            }
            Self::NotSymmetric { row, column } => {
                write!(f, "the dense operator is not symmetric at ({row}, {column})")
            }
        }
    }
}

impl std::error::Error for DelassusError {}

/// One moving side of a contact.
#[derive(Clone, Debug)]
struct Side {
    /// Place in `touched`.
    place: usize,
    columns: [Twist; 3],
    /// M⁻¹ times the columns.
    response: [Twist; 3],
}

/// One moving side of a contact with LᵀW in the place of W, where M⁻¹ = LLᵀ.
#[derive(Clone, Debug)]
pub(super) struct WhiteSide {
    /// Place in [`Delassus::touched_entities`].
    pub(super) place: usize,
    pub(super) columns: [Twist; 3],
}

#[derive(Clone, Debug)]
enum Storage {
    Blocks {
        touched: Vec<MassId>,
        /// L of each of them.
        roots: Vec<MassRoot>,
        sides: Vec<[Option<Side>; 2]>,
    },
    /// Row-major, 3N × 3N, rows (contact, component).
    Dense(Vec<f64>),
}

/// The diagonal block of one contact, as the sweeps need it.
#[derive(Clone, Copy, Debug)]
pub(super) struct DiagonalBlock {
    /// A_jj.
    pub(super) normal: f64,
    /// C_jj as (xx, xy, yy).
    pub(super) tangential: Triple,
    /// λ_max(C_jj), or A_jj where C_jj is zero.
    pub(super) tangential_scale: f64,
}

/// The operator G of a set of contacts.
#[derive(Clone, Debug)]
pub struct Delassus {
    storage: Storage,
    diagonal: Vec<DiagonalBlock>,
}

/// What forces do: twists of the touched entities, or Gλ itself for a dense operator.
#[derive(Clone, Debug, Default)]
pub(super) struct Response {
    twists: Vec<Twist>,
    rates: Vec<Triple>,
}

impl Delassus {
    /// The operator of `contacts` between entities with these inverse masses (entity i at place i).
    ///
    /// # Errors
    /// When a contact has no moving entity, names one without a mass, or a number is not finite.
    pub fn from_contacts(
        masses: &[InverseMass<f64>],
        contacts: &[ContactDirections<f64>],
    ) -> Result<Self, DelassusError> {
        let mut touched: Vec<MassId> = contacts
            .iter()
            .flat_map(ContactDirections::sides)
            .map(|side| side.entity)
            .collect();
        touched.sort_unstable();
        touched.dedup();
        let make_side = |contact: usize, side: &EntityColumns<f64>| {
            let entity = side.entity;
            let unknown = DelassusError::UnknownEntity { contact, entity };
            let mass = masses.get(entity.0).ok_or(unknown.clone())?;
            let place = touched.binary_search(&entity).map_err(|_| unknown)?;
            Ok(Side {
                place,
                columns: side.columns,
                response: side.columns.map(|column| mass.apply(&column)),
            })
        };
        let mut sides = Vec::with_capacity(contacts.len());
        for (contact, directions) in contacts.iter().enumerate() {
            let side = |end: &Option<EntityColumns<f64>>| {
                end.as_ref().map(|side| make_side(contact, side)).transpose()
            };
            sides.push([side(&directions.first)?, side(&directions.second)?]);
        }
        let roots = touched
            .iter()
            .map(|entity| MassRoot::of(&masses[entity.0]))
            .collect();
        Self::with_diagonal(
            Storage::Blocks {
                touched,
                roots,
                sides,
            },
            contacts.len(),
        )
    }

    /// A given operator: row-major 3N × 3N with rows and columns (contact, component), components n, tx, ty.
    ///
    /// # Errors
    /// When the size is wrong, the matrix is not symmetric to 1e-9 of its largest entry, a normal diagonal
    /// entry is not above zero, or a number is not finite.
    pub fn from_dense(contacts: usize, matrix: Vec<f64>) -> Result<Self, DelassusError> {
        let size = 3 * contacts;
        if matrix.len() != size * size {
            return Err(DelassusError::WrongSize {
                expected: size * size,
                given: matrix.len(),
            });
        }
        if let Some(at) = matrix.iter().position(|entry| !entry.is_finite()) {
            return Err(DelassusError::NotFinite {
                contact: at / size / 3,
            });
        }
        let largest = matrix.iter().fold(0.0, |m: f64, entry| m.max(entry.abs()));
        for row in 0..size {
            for column in 0..row {
                if (matrix[row * size + column] - matrix[column * size + row]).abs() > 1e-9 * largest {
                    return Err(DelassusError::NotSymmetric { row, column });
                }
            }
        }
        Self::with_diagonal(Storage::Dense(matrix), contacts)
    }

    fn with_diagonal(storage: Storage, contacts: usize) -> Result<Self, DelassusError> {
        let mut made = Self {
            storage,
            diagonal: Vec::with_capacity(contacts),
        };
        for contact in 0..contacts {
            let block = made.block(contact, contact).unwrap_or_default();
            if block.iter().flatten().any(|entry| !entry.is_finite()) {
                return Err(DelassusError::NotFinite { contact });
            }
            let normal = block[0][0];
            if normal <= 0.0 {
                return Err(DelassusError::Immovable { contact });
            }
            let tangential = [block[1][1], block[1][2], block[2][2]];
            let largest = largest_eigenvalue(tangential);
            made.diagonal.push(DiagonalBlock {
                normal,
                tangential,
                tangential_scale: if largest > 0.0 { largest } else { normal },
            });
        }
        Ok(made)
    }

    /// N, the number of contacts.
    #[must_use]
    pub fn contact_count(&self) -> usize {
        self.diagonal.len()
    }

    /// The moving entities the contacts touch, ascending; none for a dense operator.
    #[must_use]
    pub fn touched_entities(&self) -> &[MassId] {
        match &self.storage {
            Storage::Blocks { touched, .. } => touched,
            Storage::Dense(_) => &[],
        }
    }

    /// The contacts' sides by LᵀW; none for a dense operator.
    pub(super) fn white_sides(&self) -> Vec<[Option<WhiteSide>; 2]> {
        let Storage::Blocks { roots, sides, .. } = &self.storage else {
            return Vec::new();
        };
        let white = |side: &Side| WhiteSide {
            place: side.place,
            columns: side.columns.map(|column| roots[side.place].transposed(&column)),
        };
        let both = |of: &[Option<Side>; 2]| of.each_ref().map(|side| side.as_ref().map(white));
        sides.iter().map(both).collect()
    }

    pub(super) fn diagonal(&self, contact: usize) -> &DiagonalBlock {
        &self.diagonal[contact]
    }

    /// The contacts in groups that act on each other, directly or through others: G has no entries between them. Each ascending, in the order of
    /// their first contacts.
    #[must_use]
    pub fn groups(&self) -> Vec<Vec<usize>> {
        let count = self.contact_count();
        match &self.storage {
            Storage::Blocks { sides, .. } => groups(
                sides
                    .iter()
                    .map(|of_contact| of_contact.iter().flatten().map(|side| side.place).collect()),
            ),
            // Each pair of contacts that act on each other shares something with a number of its own.
            Storage::Dense(_) => {
                let acts = |i: usize, j: usize| self.block(i, j).is_some_and(|b| b != [[0.0; 3]; 3]);
                let shared = |i: usize| {
                    let others = (0..count).filter(|j| *j == i || acts(i.min(*j), i.max(*j)));
                    others.map(|j| i.min(j) * count + i.max(j)).collect()
                };
                groups((0..count).map(shared))
            }
        }
    }

    /// The operator of some of the contacts, in the order given.
    #[must_use]
    pub(super) fn restricted(&self, contacts: &[usize]) -> Self {
        let storage = match &self.storage {
            Storage::Blocks {
                touched,
                roots,
                sides,
            } => Storage::Blocks {
                touched: touched.clone(),
                roots: roots.clone(),
                sides: contacts.iter().map(|j| sides[*j].clone()).collect(),
            },
            Storage::Dense(_) => {
                let mut matrix = Vec::with_capacity(9 * contacts.len() * contacts.len());
                for i in contacts {
                    for row in 0..3 {
                        let entries = |j: &usize| self.block(*i, *j).unwrap_or_default()[row];
                        matrix.extend(contacts.iter().flat_map(entries));
                    }
                }
                Storage::Dense(matrix)
            }
        };
        Self {
            storage,
            diagonal: contacts.iter().map(|j| self.diagonal[*j]).collect(),
        }
    }

    /// The 3×3 block G_ij, or `None` where contacts i and j share no moving entity.
    #[must_use]
    pub fn block(&self, i: usize, j: usize) -> Option<[Triple; 3]> {
        match &self.storage {
            Storage::Blocks { sides, .. } => block_of_sides(&sides[i], &sides[j]),
            Storage::Dense(matrix) => {
                let size = 3 * self.dense_contacts(matrix);
                let entry = |row: usize, column: usize| matrix[(3 * i + row) * size + 3 * j + column];
                Some([0, 1, 2].map(|row| [0, 1, 2].map(|column| entry(row, column))))
            }
        }
    }

    /// N from the matrix itself: `diagonal` is still empty while the operator is being made.
    fn dense_contacts(&self, matrix: &[f64]) -> usize {
        matrix.len().isqrt() / 3
    }

    /// Gλ.
    #[must_use]
    pub fn apply(&self, forces: &[Triple]) -> Vec<Triple> {
        let mut response = Response::default();
        self.respond(forces, &mut response);
        (0..self.contact_count())
            .map(|j| self.rate(&response, j))
            .collect()
    }

    /// M⁻¹Wλ: the change of twist (or the acceleration) of each entity of [`Self::touched_entities`].
    #[must_use]
    pub fn twists(&self, forces: &[Triple]) -> Vec<Twist> {
        let mut response = Response::default();
        self.respond(forces, &mut response);
        response.twists
    }

    /// Sets `response` to what `forces` do.
    pub(super) fn respond(&self, forces: &[Triple], response: &mut Response) {
        response.twists.clear();
        response.rates.clear();
        match &self.storage {
            Storage::Blocks { touched, .. } => response.twists.resize(touched.len(), [0.0; 6]),
            Storage::Dense(_) => response.rates.resize(self.contact_count(), [0.0; 3]),
        }
        for (contact, force) in forces.iter().enumerate() {
            for (component, &value) in force.iter().enumerate() {
                if value != 0.0 {
                    self.add(response, contact, component, value);
                }
            }
        }
    }

    /// Adds a change of one force component to `response`.
    pub(super) fn add(&self, response: &mut Response, contact: usize, component: usize, change: f64) {
        match &self.storage {
            Storage::Blocks { sides, .. } => {
                for side in sides[contact].iter().flatten() {
                    let twist = &mut response.twists[side.place];
                    for (value, direction) in twist.iter_mut().zip(&side.response[component]) {
                        *value += direction * change;
                    }
                }
            }
            Storage::Dense(matrix) => {
                let size = 3 * self.contact_count();
                let column = 3 * contact + component;
                for (row, value) in response.rates.as_flattened_mut().iter_mut().enumerate() {
                    *value += matrix[row * size + column] * change;
                }
            }
        }
    }

    /// One component of (Gλ)_j.
    pub(super) fn rate_component(&self, response: &Response, contact: usize, component: usize) -> f64 {
        match &self.storage {
            Storage::Blocks { sides, .. } => sides[contact]
                .iter()
                .flatten()
                .map(|side| dot(&side.columns[component], &response.twists[side.place]))
                .sum(),
            Storage::Dense(_) => response.rates[contact][component],
        }
    }

    /// (Gλ)_j.
    pub(super) fn rate(&self, response: &Response, contact: usize) -> Triple {
        [0, 1, 2].map(|component| self.rate_component(response, contact, component))
    }
}

fn block_of_sides(rows: &[Option<Side>; 2], columns: &[Option<Side>; 2]) -> Option<[Triple; 3]> {
    let mut block = None;
    for row_side in rows.iter().flatten() {
        for column_side in columns
            .iter()
            .flatten()
            .filter(|side| side.place == row_side.place)
        {
            let sum = block.get_or_insert([[0.0; 3]; 3]);
            for (row, direction) in sum.iter_mut().zip(&row_side.columns) {
                for (entry, response) in row.iter_mut().zip(&column_side.response) {
                    *entry += dot(direction, response);
                }
            }
        }
    }
    block
}

fn dot(a: &Twist, b: &Twist) -> f64 {
    (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) + (a[3] * b[3] + a[4] * b[4] + a[5] * b[5])
}

/// The larger eigenvalue of the symmetric matrix (xx, xy; xy, yy).
fn largest_eigenvalue([xx, xy, yy]: Triple) -> f64 {
    let half_difference = 0.5 * (xx - yy);
    0.5 * (xx + yy) + (half_difference * half_difference + xy * xy).sqrt()
}
