//! Rigid-body models in C.
//!
//! The runtime is the same for all models (`../runtime`); what is written here is the model: its tables, the functions of its expressions, its sizes.
//!
//! | part of the source | written by |
//! |---|---|
//! | entities, surfaces, contacts, tolerances, the impact policy | `tables.rs` |
//! | inputs, loads, friction laws over the slip speed, everything that parameters decide | `functions.rs` |
//! | what a contact may do, what counts as zero: the automaton's table and margins | `machine.rs` |
//! | flow, crossings, geometry, nodes, the loop | the runtime |
//!
//! # What cannot be written
//! Pairs of an ellipsoid and another bounded surface: their closest points have no closed form. Automata of more contacts than [`MOST_CONTACTS`].

mod functions;
mod machine;
mod tables;

use crate::expression::Helpers;
use crate::interface::{Interface, Size, Variable, VariableKind};
use crate::{CFiles, Obstacle};
use dyverse_expr::{Change, Printer, Program, SymbolId};
use dyverse_mech::ShapeKind;
use dyverse_model::{Contact, EntityId, FrictionOver, ImpactLaw, Model, Setting, StateComponent, Symbol};
use dyverse_num::Interval;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Contacts of the contact list at the most: the source names each of them.
pub(crate) const MOST_CONTACTS: usize = 20_000;
/// Closed contacts at one instant at the most, unless the C is compiled for more.
const MOST_CLOSED: usize = 64;
/// Contacts up to which locations are numbered, as in a run.
const MOST_NUMBERED: usize = 64;
/// Work space of the search for crossings.
const TASKS: usize = 256;
/// Moments of a step at which guards are remembered.
const GUARDS_KEPT: usize = 48;
/// Transitions of one instant that wait to be told.
const QUEUE: usize = 16;
/// Unknowns at the least: accelerated sweeps need room for ten.
const LEAST_UNKNOWNS: usize = 12;

const TABLES: &str = include_str!("../runtime/tables.c");
const FLOW: &str = include_str!("../runtime/flow.c");
const CROSSING: &str = include_str!("../runtime/crossing.c");
const GEOMETRY: &str = include_str!("../runtime/geometry.c");
const SORPROX: &str = include_str!("../runtime/sorprox.c");
const DIRECT: &str = include_str!("../runtime/direct.c");
const SOLVER: &str = include_str!("../runtime/solver.c");
const DYNAMICS: &str = include_str!("../runtime/dynamics.c");
const MASS: &str = include_str!("../runtime/mass.c");
const IMPULSES: &str = include_str!("../runtime/impulses.c");
const NODES: &str = include_str!("../runtime/nodes.c");
const RUN: &str = include_str!("../runtime/run.c");
const FLOW_TYPES: &str = include_str!("../runtime/flow.h");
const TYPES: &str = include_str!("../runtime/bodies.h");
const FIELDS: &str = include_str!("../runtime/bodies_fields.h");

/// A model with what its C needs to know of it.
pub(crate) struct Bodies<'m> {
    pub(crate) model: &'m Model,
    pub(crate) contacts: Vec<Contact>,
    /// For each entity: its place among those that move.
    pub(crate) places: Vec<Option<usize>>,
    /// For each entity: the number of its first surface.
    pub(crate) first_surface: Vec<usize>,
    pub(crate) surfaces: usize,
}

/// Steps of a run at the least where loads are no polynomials: the largest distance between nodes of a step is an eighth of it.
const STEPS_OF_FEATURES: u32 = 400;

/// Writes a rigid-body model in C.
///
/// # Errors
/// [`Obstacle`] for what cannot be written.
pub fn write_bodies(model: &Model) -> Result<CFiles, Obstacle> {
    let is_plain = check_loads(model)?;
    check_friction(model)?;
    check_impacts(model)?;
    let bodies = Bodies::new(model)?;
    let runtime = [
        TABLES, FLOW, CROSSING, GEOMETRY, SORPROX, DIRECT, SOLVER, DYNAMICS, MASS, IMPULSES, NODES, RUN,
        FLOW_TYPES, TYPES, FIELDS,
    ];
    let mut interface = Interface::new(model.name(), &runtime);
    interface.title = format!("{}: a rigid-body model, written by dyverse.", model.name());
    interface.variables = bodies.variables();
    interface.horizon = model.horizon();
    interface.sizes = bodies.sizes(interface.name());
    interface.types = vec![FLOW_TYPES, TYPES];
    interface.fields = FIELDS;
    let mut helpers = Helpers::default();
    let functions = bodies.functions(interface.name(), &mut helpers);
    let constants = bodies.constants(interface.name(), &mut helpers);
    let machine = bodies.machine(&mut helpers);
    // Runtime texts get the model's name; what is written from the model has it already, and may hold any word.
    let named = |text: &str| interface.named(text);
    let parts = [
        bodies.tables(),
        step_limit(model, is_plain),
        helpers.definitions(),
        machine,
        named(TABLES),
        named(FLOW),
        named(CROSSING),
        named(GEOMETRY),
        functions,
        named(SORPROX),
        named(DIRECT),
        named(SOLVER),
        named(DYNAMICS),
        named(MASS),
        constants,
        named(IMPULSES),
        named(NODES),
        named(RUN),
    ];
    Ok(interface.files(&parts))
}

/// Refuses loads that switch: the C has no events for that, and would step over them. Whether all loads are polynomials of time and states.
fn check_loads(model: &Model) -> Result<bool, Obstacle> {
    let change = |id: SymbolId| match model.symbol(id) {
        Symbol::Time => Some(Change::WithTime),
        Symbol::State(e, _) if !model.entity(e).is_fixed => Some(Change::WithState),
        Symbol::Input(_) => None,
        _ => Some(Change::Never),
    };
    let own = |id: SymbolId| match model.symbol(id) {
        Symbol::Input(i) => model.inputs().get(i.0 as usize).map(|input| input.default),
        _ => None,
    };
    let mut is_plain = true;
    for load in model.loads() {
        let mut pool = Cow::Borrowed(model.pool());
        let roots: Vec<_> = load.force.into_iter().chain(load.moment).collect();
        let tape = Program::frozen(&mut pool, &roots, change, own);
        is_plain &= tape.is_plain();
        if let Some(surface) = tape.surfaces().first() {
            return Err(Obstacle {
                what: format!(
                    "`{}` switches a {} on `{}`, and the C does not follow switches of loads: write it without `if`, `abs`, `sign`, `floor`, `min`, `max` and `clamp` of \
                     what changes, or drive the load through an input that is set at its jumps",
                    Printer::new(&pool, |id| model.symbol_name(id)).print(surface.decides),
                    load.kind.word(),
                    model.entity(load.on).name
                ),
                origin: Some(load.origin),
            });
        }
    }
    Ok(is_plain)
}

/// Refuses laws of impact that the C does not have: the energetic one, different laws of pairs, and Poisson's in collisions one after another.
fn check_impacts(model: &Model) -> Result<(), Obstacle> {
    let laws = model.impact_laws();
    let is_sequential = model.impacts().order().is_some();
    let what = match laws {
        _ if laws.contains(&ImpactLaw::Energetic) => "the energetic law of impact",
        [_, _, ..] => "different laws of impact for different pairs",
        [ImpactLaw::Poisson] if is_sequential => "Poisson's law for collisions one after another",
        _ => return Ok(()),
    };
    Err(Obstacle {
        what: format!(
            "the C does not have {what}: write `impacts simultaneous`, `impacts poisson` or `impacts sequential` without `law` in contact laws, or export an FMU, \
             whose library has all laws"
        ),
        origin: model.entities().iter().enumerate().find_map(|(b, _)| {
            let own = (0..b).map(|a| model.law(EntityId(a), EntityId(b)));
            own.filter(|law| law.impact != ImpactLaw::Newton)
                .find_map(|law| law.origin)
        }),
    })
}

/// Refuses friction that switches at a slip speed above 0, for the same reason. What turns only at rest (`if slip_speed > 0`) has its own value there.
fn check_friction(model: &Model) -> Result<(), Obstacle> {
    let slips = |id: SymbolId| model.symbol(id) == Symbol::SlipSpeed;
    let change = |id: SymbolId| {
        Some(if slips(id) {
            Change::WithState
        } else {
            Change::Never
        })
    };
    let pairs = (0..model.entities().len()).flat_map(|a| (0..a).map(move |b| (EntityId(b), EntityId(a))));
    let mut seen = BTreeSet::new();
    let all = Setting::enclosing(model);
    for (a, b) in pairs.filter(|(a, b)| model.may_touch(*a, *b)) {
        let law = model.law(a, b);
        for (name, node) in law.couples() {
            let bound = all.value(node);
            if !(bound.is_point() && bound.lo() == 0.0) {
                return Err(Obstacle {
                    what: format!(
                        "`{}` and `{}` have `{name}`, and the C does not know that",
                        model.entity(a).name,
                        model.entity(b).name
                    ),
                    origin: law.origin,
                });
            }
        }
        if model.friction_over(law) == FrictionOver::States {
            return Err(Obstacle {
                what: format!(
                    "the friction of `{}` and `{}` depends on states or time, and the C does not know that",
                    model.entity(a).name,
                    model.entity(b).name
                ),
                origin: law.origin,
            });
        }
        let friction = law.friction;
        if !seen.insert(friction) {
            continue;
        }
        let mut pool = Cow::Borrowed(model.pool());
        let tape = Program::frozen(&mut pool, &[friction], change, |_| None);
        // All speeds of slip at once.
        let moving = Interval::new(f64::MIN_POSITIVE, f64::MAX).unwrap_or(Interval::ENTIRE);
        let symbol = |id: SymbolId| Some(if slips(id) { moving } else { Interval::ENTIRE });
        let mut values = Vec::new();
        tape.evaluate(
            symbol,
            |_, d: &Interval| if d.lo() > 0.0 { 1.0 } else { -1.0 },
            &mut values,
        );
        let turns = |n: &usize| tape.quantity(&values, *n).contains(0.0) || tape.surfaces()[*n].is_floor;
        if let Some(number) = (0..tape.surfaces().len()).find(turns) {
            return Err(Obstacle {
                what: format!(
                    "`{}` switches the friction of `{}` and `{}` while they slip, and the C does not follow that",
                    Printer::new(&pool, |id| model.symbol_name(id)).print(tape.surfaces()[number].decides),
                    model.entity(a).name,
                    model.entity(b).name
                ),
                origin: None,
            });
        }
    }
    Ok(())
}

/// The longest step of the integrator: its nodes alone see what a run sees by looking between them, so steps are shorter than there.
fn step_limit(model: &Model, is_plain: bool) -> String {
    let longest = model.max_step().unwrap_or(0.0);
    let parts = if is_plain { 0 } else { STEPS_OF_FEATURES };
    format!(
        "/* The longest step, s, 0 for none; parts of the run that no step of loads with narrow features is longer than, 0 for none. */\n\
         static const double LONGEST_STEP = {longest:?};\nstatic const double STEP_PARTS = {parts}.0;\n\n"
    )
}

impl<'m> Bodies<'m> {
    fn new(model: &'m Model) -> Result<Self, Obstacle> {
        let contacts: Vec<Contact> = model.contacts().take(MOST_CONTACTS + 1).collect();
        if contacts.len() > MOST_CONTACTS {
            return Err(Obstacle {
                what: format!(
                    "the model has more than {MOST_CONTACTS} possible contacts, and the C names each: exclude pairs that never touch"
                ),
                origin: None,
            });
        }
        let mut free = 0..;
        let places = model
            .entities()
            .iter()
            .map(|e| if e.is_fixed { None } else { free.next() });
        let places: Vec<Option<usize>> = places.collect();
        let mut surfaces = 0;
        let first_surface = model.entities().iter().map(|entity| {
            let first = surfaces;
            surfaces += entity.surfaces.len();
            first
        });
        let first_surface: Vec<usize> = first_surface.collect();
        let bodies = Bodies {
            model,
            contacts,
            places,
            first_surface,
            surfaces,
        };
        bodies.check_pairs()?;
        Ok(bodies)
    }

    /// Every shape must be known there, and every pair of surfaces must have closest points in closed form.
    fn check_pairs(&self) -> Result<(), Obstacle> {
        let surfaces = self.model.entities().iter().flat_map(|e| &e.surfaces);
        if let Some(hull) = surfaces.into_iter().find(|s| s.shape.kind().is_hull()) {
            return Err(Obstacle {
                what: format!(
                    "the C does not have the shape {}; use boxes, capsules, spheres or ellipsoids",
                    hull.shape.kind()
                ),
                origin: Some(hull.origin),
            });
        }
        for contact in &self.contacts {
            let surface = |id: EntityId, number: u32| &self.model.entity(id).surfaces[number as usize];
            let first = surface(contact.entities.0, contact.surfaces.0);
            let second = surface(contact.entities.1, contact.surfaces.1);
            let (a, b) = (first.shape.kind(), second.shape.kind());
            if a.is_sharp() && b.is_sharp() {
                return Err(Obstacle {
                    what: format!(
                        "the contact {} is one of {a} and {b}: the C does not have contacts of two solids with sharp edges; \
                         use a rounded box for one of them, with a small radius, or exclude the pair",
                        self.model.contact_label(contact)
                    ),
                    origin: Some(first.origin),
                });
            }
            let is_known = a.is_bounded() != b.is_bounded()
                || a.is_bounded() && a != ShapeKind::Ellipsoid && b != ShapeKind::Ellipsoid;
            if is_known {
                continue;
            }
            let ellipsoid = if a == ShapeKind::Ellipsoid { first } else { second };
            return Err(Obstacle {
                what: format!(
                    "the contact {} is one of {a} and {b}, whose closest points have no closed form: the C has those of an ellipsoid with planes and half-spaces only; \
                     use a sphere, a capsule or a rounded box, or exclude the pair",
                    self.model.contact_label(contact)
                ),
                origin: Some(ellipsoid.origin),
            });
        }
        Ok(())
    }

    /// Entities that move, in order.
    pub(crate) fn free(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.places.len()).filter(|e| self.places[*e].is_some())
    }

    /// Whether two bounded surfaces that are not both spheres can touch.
    pub(crate) fn has_solids(&self) -> bool {
        self.contacts.iter().any(|contact| {
            let kind =
                |id: EntityId, number: u32| self.model.entity(id).surfaces[number as usize].shape.kind();
            let a = kind(contact.entities.0, contact.surfaces.0);
            let b = kind(contact.entities.1, contact.surfaces.1);
            a.is_bounded() && b.is_bounded() && (a, b) != (ShapeKind::Sphere, ShapeKind::Sphere)
        })
    }

    /// Parameters, inputs, and the states of entities that move.
    fn variables(&self) -> Vec<Variable> {
        let mut all = Vec::new();
        let mut add = |name: String, unit: &str, kind| {
            all.push(Variable {
                name,
                unit: unit.into(),
                kind,
            });
        };
        for parameter in self.model.parameters() {
            add(parameter.name.clone(), "", VariableKind::Parameter);
        }
        for input in self.model.inputs() {
            add(input.name.clone(), "", VariableKind::Input);
        }
        for entity in self.free() {
            for component in StateComponent::ALL {
                let name = format!("{}.{}", self.model.entities()[entity].name, component.name());
                add(name, component.unit(), VariableKind::State);
            }
        }
        all
    }

    fn sizes(&self, model: &str) -> Vec<Size> {
        let size = |name: &'static str, value: usize, what: &'static str| Size {
            name,
            value: value.max(1).to_string(),
            what,
            may_change: false,
        };
        let closed = self.contacts.len().clamp(1, MOST_CLOSED);
        let free = self.free().count();
        let mut sizes = vec![
            size("ENTITIES", self.places.len(), "Entities."),
            size("BODIES", free, "Entities that move."),
            size("DIMENSION", 13 * free, "Continuous states."),
            size("SURFACES", self.surfaces, "Surfaces of all entities."),
            size("CONTACTS", self.contacts.len(), "Contacts of the contact list."),
            size("PARAMETERS", self.model.parameters().len(), "Parameters."),
            size("INPUTS", self.model.inputs().len(), "Inputs."),
            size("TASKS", TASKS, "Work space of the search for crossings."),
            size(
                "GUARDS_KEPT",
                GUARDS_KEPT,
                "Moments of a step at which guards are remembered.",
            ),
            size("QUEUE", QUEUE, "Transitions of one instant that wait to be told."),
            size(
                "LOCATION_SIZE",
                self.longest_location(),
                "Bytes of the name of a location.",
            ),
        ];
        sizes.push(Size {
            may_change: self.contacts.len() > MOST_CLOSED,
            ..size("CLOSED", closed, "Contacts that can be closed at one instant.")
        });
        let unknowns = size(
            "UNKNOWNS",
            LEAST_UNKNOWNS,
            "Contact forces: three for each of them.",
        );
        sizes.push(if self.contacts.len() > MOST_CLOSED {
            Size {
                value: format!("(3 * {model}_CLOSED)"),
                ..unknowns
            }
        } else {
            Size {
                value: (3 * closed).max(LEAST_UNKNOWNS).to_string(),
                ..unknowns
            }
        });
        sizes
    }

    pub(crate) fn is_numbered(&self) -> bool {
        self.contacts.len() <= MOST_NUMBERED
    }

    /// Bytes of the longest name of a location.
    fn longest_location(&self) -> usize {
        if self.is_numbered() {
            return 96;
        }
        let mut lengths: Vec<usize> = self
            .contacts
            .iter()
            .map(|c| self.model.contact_label(c).len() + 2)
            .collect();
        lengths.sort_unstable();
        lengths.iter().rev().take(MOST_CLOSED).sum::<usize>() + 16
    }
}
