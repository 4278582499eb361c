//! The contact law as formulas: that of `dyverse_mech::law`, recorded.
//!
//! [`RecordedLaw`] is the law of an impact over its own numbers (G, b, μ), for whoever has these already, as Taylor models.
//!
//! Pivots are chosen on samples. A contact whose friction is literally zero has no friction, whatever is said.

use super::BodyFormulas;
use super::contact::ContactRecord;
use crate::formulas::Obstacle;
use crate::symbolic::{Recorder, Symbolic};
use dyverse_expr::{NodeId, Pool, SymbolId};
use dyverse_machine::ContactId;
use dyverse_mech::law::{Blocks, EntityMass, FrozenLaw, ImpactRow, LawScalar, Operator, Row, Terms, pushed};
use dyverse_mech::{ContactDirections, GeneralizedVelocity, ReferenceAxis};
use dyverse_num::Vec3;
use std::rc::Rc;

impl LawScalar for Symbolic {
    fn representative(&self) -> f64 {
        self.sample()
    }
}

/// Some contacts with their rows, and what the law has of them.
pub(crate) struct Scene {
    pub(crate) records: Vec<Rc<ContactRecord>>,
    directions: Vec<ContactDirections<Symbolic>>,
    pub(crate) blocks: Blocks<Symbolic>,
    pub(crate) rows: Vec<Row<[Symbolic; 2]>>,
    pub(crate) terms: Vec<Terms<Symbolic>>,
}

impl Scene {
    pub(crate) fn law(&self) -> FrozenLaw<'_, Symbolic> {
        FrozenLaw {
            operator: Operator::Blocks(&self.blocks),
            terms: &self.terms,
            rows: &self.rows,
            couples: &[],
        }
    }
}

impl BodyFormulas<'_> {
    /// The law of some contacts: `direction` and `terms` say what their directions of slip, biases and friction are.
    pub(crate) fn scene<D: Copy>(
        &mut self,
        contacts: &[(ContactId, ReferenceAxis, Row<D>)],
        direction: impl Fn(D, &ContactRecord) -> [Symbolic; 2],
        terms: impl Fn(&ContactRecord) -> Terms<Symbolic>,
    ) -> Result<Scene, Obstacle> {
        let (mut records, mut rows) = (Vec::with_capacity(contacts.len()), Vec::new());
        for (contact, axis, row) in contacts {
            let record = self.contact_record(*contact, *axis)?;
            let row = match record.formulas.is_frictionless {
                true => row.without_friction(),
                false => *row,
            };
            rows.push(row.map(|d| direction(d, &record)));
            records.push(record);
        }
        let directions: Vec<_> = records.iter().map(|record| record.directions.clone()).collect();
        Ok(Scene {
            blocks: Blocks::new(&self.numbers.bodies, &directions),
            terms: records.iter().map(|record| terms(record)).collect(),
            directions,
            records,
            rows,
        })
    }

    /// M⁻¹Wλ of the entities that move, by number.
    pub(crate) fn responses(
        &self,
        scene: &Scene,
        forces: &[[Symbolic; 3]],
    ) -> Vec<Option<GeneralizedVelocity<Symbolic>>> {
        let bodies = &self.numbers.bodies;
        let all = pushed(bodies.len(), &scene.directions, forces);
        let response = |(body, [x, y, z, mx, my, mz]): (&super::numbers::Body, [Symbolic; 6])| {
            (!body.is_fixed).then(|| GeneralizedVelocity {
                linear: Vec3::new(x, y, z).scale(&body.inverse_mass),
                angular: body.spin(&Vec3::new(mx, my, mz)),
            })
        };
        bodies.iter().zip(all).map(response).collect()
    }
}

/// The law of an impact with rows given. Its symbols are G row by row (three components for each contact), then b, then μ of every contact, then the unknowns of the rows.
#[derive(Debug)]
pub struct RecordedLaw {
    /// All formulas.
    pub pool: Pool,
    /// Λ, three of each contact.
    pub impulses: Vec<NodeId>,
    /// As many as unknowns.
    pub equations: Vec<NodeId>,
    /// The slopes of each equation with respect to all unknowns.
    pub slopes: Vec<NodeId>,
}

impl RecordedLaw {
    /// Runs the law on symbols.
    ///
    /// # Errors
    /// [`Obstacle`] if it asked for something that has no formula.
    pub fn new(rows: &[ImpactRow]) -> Result<Self, Obstacle> {
        let recorder = Recorder::new();
        let symbol = |place: usize| recorder.symbol(SymbolId(place as u32));
        let (contacts, size) = (rows.len(), 3 * rows.len());
        let (bias, friction, first) = (size * size, size * size + size, size * size + size + contacts);
        let blocks = Blocks::from_entries(contacts, |i, j| symbol(size * i + j));
        let terms: Vec<Terms<Symbolic>> = (0..contacts)
            .map(|contact| Terms {
                bias: std::array::from_fn(|k| symbol(bias + 3 * contact + k)),
                friction: symbol(friction + contact),
            })
            .collect();
        let rows: Vec<Row<[Symbolic; 2]>> = rows.iter().map(|row| row.map(|never| match never {})).collect();
        let law = FrozenLaw {
            operator: Operator::Blocks(&blocks),
            terms: &terms,
            rows: &rows,
            couples: &[],
        };
        let last = first + rows.iter().map(Row::unknowns).sum::<usize>();
        let found = law.forces(&(first..last).map(symbol).collect::<Vec<_>>());
        let nodes = |numbers: &mut dyn Iterator<Item = &Symbolic>| {
            let all: Option<Vec<NodeId>> = numbers.map(|number| recorder.node(number)).collect();
            all.map_or_else(|| super::numbers::obstacle("the law of an impact"), Ok)
        };
        let impulses = nodes(&mut found.forces.iter().flatten())?;
        let equations = nodes(&mut law.equations(&found).iter())?;
        let slopes = recorder.with_pool(|pool| {
            let of = |equation: &NodeId| {
                let unknowns = first..last;
                unknowns
                    .map(|place| pool.derive(*equation, SymbolId(place as u32)))
                    .collect::<Vec<_>>()
            };
            equations.iter().flat_map(of).collect()
        });
        let pool = recorder.pool().clone();
        Ok(RecordedLaw {
            pool,
            impulses,
            equations,
            slopes,
        })
    }
}
