//! Model to MRB hybrid automaton: the contact list from the pairs that may touch, and, if asked, the combinations that the
//! geometry rules out.
//!
//! # Guarantee
//! What is left out is ruled out for all parameters: it follows from intervals of the model's numbers.

use dyverse_machine::{ContactId, ContactSet, GraphKind, HybridAutomaton};
use dyverse_mech::{ObstructionLimits, Participant, SurfaceId, TouchingPair, derive_obstructions};
use dyverse_model::{EntityId, Feature, Model, Setting};
use std::fmt;

/// Contacts listed at the most: labels of more would fill the memory, and nobody reads them.
const MOST_CONTACTS: usize = 2_000_000;

/// What to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GenerateOptions {
    /// Which vertices of the contact combination graph are joined.
    pub graph: GraphKind,
    /// Whether combinations that the geometry rules out are left out.
    pub prune: bool,
}

impl Default for GenerateOptions {
    /// The papers' automaton: the complete graph, nothing left out.
    fn default() -> Self {
        GenerateOptions {
            graph: GraphKind::Complete,
            prune: false,
        }
    }
}

/// The automaton, and what was left out of it.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The lazy automaton.
    pub automaton: HybridAutomaton,
    /// Combinations left out because the geometry rules them out: contacts and why.
    pub obstructions: dyverse_mech::Obstructions,
}

/// Why there is no automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GenerateError {
    /// More contacts than can be listed.
    TooManyContacts {
        /// How many there are at the least.
        at_least: usize,
    },
    /// The graph cannot be made.
    Graph(dyverse_machine::GraphError),
}

impl fmt::Display for GenerateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GenerateError::TooManyContacts { at_least } => {
                write!(
                    f,
                    "the model has more than {at_least} possible contacts; {MOST_CONTACTS} can be listed"
                )
            }
            GenerateError::Graph(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for GenerateError {}

/// Generates the automaton of a model, lazily.
///
/// # Errors
/// [`GenerateError`] if the contact list is too long.
pub fn generate(model: &Model, options: &GenerateOptions) -> Result<Generated, GenerateError> {
    let Some((contacts, list)) = model.contact_list(MOST_CONTACTS) else {
        return Err(GenerateError::TooManyContacts {
            at_least: MOST_CONTACTS,
        });
    };
    let obstructions = if options.prune {
        derive_obstructions(&touching_pairs(model, &contacts), &ObstructionLimits::default())
    } else {
        dyverse_mech::Obstructions {
            sets: Vec::new(),
            truncated: false,
        }
    };
    let sets = obstructions
        .sets
        .iter()
        .map(|o| contact_set(&o.contacts))
        .collect();
    let automaton = HybridAutomaton::new(list, options.graph, sets).map_err(GenerateError::Graph)?;
    Ok(Generated {
        automaton,
        obstructions,
    })
}

fn contact_set(places: &[usize]) -> ContactSet {
    places.iter().fold(ContactSet::empty(), |set, place| {
        set.with(ContactId::new(*place as u32))
    })
}

/// The contacts with their shapes over all parameters. A contact with a feature of a surface stands for a contact with the
/// surface, so it takes part in no proof that needs the whole of it: only spheres and walls do.
fn touching_pairs(model: &Model, contacts: &[dyverse_model::Contact]) -> Vec<TouchingPair> {
    let setting = Setting::enclosing(model);
    let participant = |id: EntityId, surface: u32, feature: Feature| -> Participant {
        let entity = model.entity(id);
        let own = &entity.surfaces[surface as usize];
        debug_assert!(feature == Feature::Whole || !matches!(own.shape, dyverse_mech::Shape::Sphere { .. }));
        let fixed_at = entity
            .is_fixed
            .then(|| setting.initial_placement(entity).compose(&setting.placement(own)));
        Participant {
            entity: id,
            surface: SurfaceId(surface as usize),
            shape: setting.shape(own),
            fixed_at,
        }
    };
    contacts
        .iter()
        .map(|c| TouchingPair {
            first: participant(c.entities.0, c.surfaces.0, c.features.0),
            second: participant(c.entities.1, c.surfaces.1, c.features.1),
        })
        .collect()
}
