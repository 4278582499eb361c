//! The numbers of a model for one run: entities, contacts, loads.

use crate::couples::CoupleData;
use crate::curve::Curve;
use crate::index::{ContactIx, GroupIx, IndexVec};
use crate::inputs::Inputs;
use crate::loads::{GroupLoads, STATE, Sources, Stand, components, groups, join, pack, unpack};
use crate::rounded::{Rounded, rounded};
use crate::run::Halt;
use crate::sliding::SurfaceId;
use crate::{RunError, RunOptions};
use dyverse_expr::{NodeId, Printer, Program};
use dyverse_machine::Thresholds;
use dyverse_mech::{
    ContactPair, EntityInertia, EntityState, InverseMass, Shape, Side, SolverOptions, Surface, separation,
};
use dyverse_model::{
    Contact, EntityId, FrictionOver, ImpactLaw, Model, ParameterId, ParameterKind, Scales, Setting,
    StateComponent, Symbol, Tolerances,
};
use dyverse_num::{Mat3, Vec3};
use dyverse_trace::StopReason;
use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};

/// κ times the horizon: what is left of a surface's d falls by this power of e.
const FIRMNESS: f64 = 50.0;

/// An entity of a run.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) is_fixed: bool,
    /// Meaningless if fixed.
    pub(crate) inertia: EntityInertia<f64>,
    /// Whether its moments of inertia are equal.
    pub(crate) is_isotropic: bool,
    pub(crate) surfaces: Vec<Surface<f64>>,
    /// No point of it is farther from its centre of mass; infinite for planes.
    pub(crate) reach: f64,
    pub(crate) initial: EntityState<f64>,
    /// The group whose loads it feels; none if fixed.
    pub(crate) group: Option<GroupIx>,
}

/// μ of a contact.
#[derive(Debug)]
enum Friction {
    Constant(f64),
    OfSpeed(Box<Curve>),
    /// Over states, time and inputs: evaluated with the loads of a group.
    OfStates(NodeId, GroupIx),
}

/// A contact of a run.
#[derive(Debug)]
pub(crate) struct ContactData {
    pub(crate) contact: Contact,
    pub(crate) label: String,
    pub(crate) pair: ContactPair<f64>,
    /// What stands for it in steps, where its edges are sharp on both sides.
    pub(crate) rounded: Option<Rounded>,
    pub(crate) restitution: f64,
    pub(crate) tangential_restitution: f64,
    pub(crate) impact: ImpactLaw,
    friction: Friction,
    /// Rolling and spinning friction, where there is any.
    pub(crate) couple: Option<CoupleData>,
}

impl ContactData {
    pub(crate) fn entities(&self) -> (EntityId, EntityId) {
        self.contact.entities
    }
    pub(crate) fn is_frictionless(&self) -> bool {
        matches!(self.friction, Friction::Constant(0.0))
    }
    /// Whether its friction is the same at all slip speeds.
    pub(crate) fn is_friction_constant(&self) -> bool {
        !matches!(self.friction, Friction::OfSpeed(_))
    }
    /// Friction over states: the formula, and the group that it is evaluated with.
    pub(crate) fn friction_of_states(&self) -> Option<(NodeId, GroupIx)> {
        match self.friction {
            Friction::OfStates(node, group) => Some((node, group)),
            _ => None,
        }
    }
    /// Friction over the slip speed, if it switches there.
    pub(crate) fn curve(&self) -> Option<&Curve> {
        match &self.friction {
            Friction::OfSpeed(curve) if curve.switches() => Some(curve),
            _ => None,
        }
    }
}

/// A model with numbers.
pub(crate) struct System<'m> {
    pub(crate) model: &'m Model,
    pub(crate) bodies: IndexVec<EntityId, Body>,
    pub(crate) groups: IndexVec<GroupIx, Vec<EntityId>>,
    pub(crate) loads: IndexVec<GroupIx, GroupLoads>,
    pub(crate) sources: Sources,
    pub(crate) inputs: Inputs,
    pub(crate) parameters: IndexVec<ParameterId, f64>,
    pub(crate) tolerances: Tolerances,
    /// What counts as zero in conditions on contacts.
    pub(crate) thresholds: Thresholds,
    /// What the constants of this crate are multiplied by: they are those of a model of ordinary scales.
    pub(crate) scales: Scales,
    /// Whether all contacts that close together do so by Newton's law at once.
    pub(crate) is_newton: bool,
    /// Whether any load switches, or the friction of a contact that was met.
    pub(crate) has_switches: bool,
    /// κ of motion along the surfaces of switches, 1/s (sliding.rs).
    pub(crate) firmness: f64,
    contacts: IndexVec<ContactIx, ContactData>,
    between: BTreeMap<(EntityId, EntityId), Vec<ContactIx>>,
}

impl<'m> System<'m> {
    pub(crate) fn new(model: &'m Model, options: &RunOptions) -> Result<Self, RunError> {
        Self::made(model, options, false)
    }

    /// One whose inputs are all driven from outside.
    pub(crate) fn with_live_inputs(model: &'m Model, options: &RunOptions) -> Result<Self, RunError> {
        Self::made(model, options, true)
    }

    fn made(model: &'m Model, options: &RunOptions, is_live: bool) -> Result<Self, RunError> {
        let setting = setting(model, options)?;
        let parameters: IndexVec<ParameterId, f64> = (0..model.parameters().len())
            .map(|p| *setting.parameter(dyverse_model::ParameterId(p as u32)))
            .collect();
        check_tolerances(model, options)?;
        let groups = groups(model);
        let bodies = (0..model.entities().len()).map(|e| body(model, &setting, EntityId(e), &groups));
        let mut bodies = bodies.collect::<Result<_, _>>()?;
        begin_with(model, options, &mut bodies)?;
        let sources = Sources::new(model, |p| parameters[p], |e| *bodies[e].inertia.mass());
        let mut inputs = Inputs::new(model, &options.inputs, parameters.clone())?;
        if is_live {
            inputs.drive_live();
        }
        let mut pool = Cow::Borrowed(model.pool());
        let loads: IndexVec<GroupIx, GroupLoads> = groups
            .iter()
            .map(|group| GroupLoads::new(model, &mut pool, (&sources, &inputs), group))
            .collect();
        let has_switches = loads.iter().any(|loads| !loads.surfaces().is_empty());
        let horizon = options.until.or(model.horizon());
        let firmness = horizon.map_or(0.0, |horizon| FIRMNESS / horizon);
        Ok(System {
            model,
            bodies,
            groups,
            loads,
            sources,
            inputs,
            parameters,
            tolerances: model.tolerances(),
            thresholds: model.thresholds(),
            scales: model.scales(),
            is_newton: model.impacts().order().is_none()
                && model.impact_laws().iter().all(|law| *law == ImpactLaw::Newton),
            has_switches,
            firmness,
            contacts: IndexVec::default(),
            between: BTreeMap::new(),
        })
    }

    /// A contact that slips no faster slips slowly, m/s.
    pub(crate) fn slow(&self) -> f64 {
        self.scales.slow_in_runs()
    }

    /// Accelerations below this are zero in the choice of modes, m/s².
    pub(crate) fn still(&self) -> f64 {
        self.scales.still()
    }

    /// The scales of the state of one entity, for the flow.
    pub(crate) fn state_scales(&self) -> [f64; STATE] {
        let Scales {
            length: l,
            velocity: v,
            time,
            ..
        } = self.scales;
        let w = 1.0 / time;
        [l, l, l, 1.0, 1.0, 1.0, 1.0, v, v, v, w, w, w]
    }

    /// Settings of the contact solver for forces.
    pub(crate) fn force_options(&self) -> SolverOptions {
        let usual = SolverOptions::default();
        SolverOptions {
            force_tolerance_absolute: usual.force_tolerance_absolute * self.scales.force,
            ..usual
        }
    }

    /// The same for impulses.
    pub(crate) fn impulse_options(&self) -> SolverOptions {
        let forces = self.force_options();
        SolverOptions {
            force_tolerance_absolute: forces.force_tolerance_absolute * self.scales.time,
            // Corners of one body that strike together lie up to the gap tolerance apart: as it turns by their restitution, not all of them can stick.
            residual_limit: 10.0 * forces.residual_limit,
            ..forces
        }
    }

    /// The entities that move.
    pub(crate) fn free(&self) -> Vec<EntityId> {
        let all = self.bodies.numbers();
        all.filter(|e| !self.bodies[*e].is_fixed).collect()
    }

    /// The group of which an entity is the first: for it the loads of the whole group are evaluated.
    pub(crate) fn group_led_by(&self, entity: EntityId) -> Option<GroupIx> {
        let group = self.bodies[entity].group?;
        (self.groups[group].first() == Some(&entity)).then_some(group)
    }

    /// A switch as it is written, with its load; or the friction of a contact.
    pub(crate) fn switch_name(&self, id: SurfaceId) -> String {
        match id {
            SurfaceId::Load(group, surface) => self.loads[group].name(surface).to_owned(),
            SurfaceId::Slip(contact) => {
                let law = self.contact(contact);
                let (a, b) = law.contact.entities;
                let node = self.model.law(a, b).friction;
                let text = Printer::new(self.model.pool(), |id| self.model.symbol_name(id)).print(node);
                format!("the friction `{text}` of {}", law.label)
            }
        }
    }

    /// The groups of some entities, each once, whose loads have switches.
    pub(crate) fn switching<'a>(&'a self, entities: &'a [EntityId]) -> impl Iterator<Item = GroupIx> + 'a {
        let groups = entities.iter().filter_map(|e| self.group_led_by(*e));
        groups.filter(|group| !self.loads[*group].surfaces().is_empty())
    }

    /// The places of some entities, ascending, in parts that neither loads nor these contacts join.
    pub(crate) fn parts(
        &self,
        entities: &[EntityId],
        contacts: impl Iterator<Item = ContactIx>,
    ) -> Vec<Vec<usize>> {
        let place = |e: EntityId| entities.binary_search(&e).ok();
        let mut parent: Vec<usize> = (0..entities.len()).collect();
        for (own, entity) in entities.iter().enumerate() {
            let group = self.bodies[*entity].group.map(|group| &self.groups[group]);
            for other in group.into_iter().flatten().filter_map(|e| place(*e)) {
                join(&mut parent, own, other);
            }
        }
        for contact in contacts {
            let (a, b) = self.contact(contact).entities();
            if let (Some(a), Some(b)) = (place(a), place(b)) {
                join(&mut parent, a, b);
            }
        }
        components(&mut parent, |_| true)
    }

    /// The state of an entity that is one of `entities` (ascending), with their states, or that is fixed.
    pub(crate) fn state_among(
        &self,
        entities: &[EntityId],
        states: &[EntityState<f64>],
        entity: EntityId,
    ) -> EntityState<f64> {
        match entities.binary_search(&entity) {
            Ok(place) => states[place],
            Err(_) => self.bodies[entity].initial,
        }
    }

    pub(crate) fn contact(&self, id: ContactIx) -> &ContactData {
        &self.contacts[id]
    }

    /// The contacts of a pair of entities, made when first asked for.
    pub(crate) fn contacts_between(&mut self, a: EntityId, b: EntityId) -> Result<Vec<ContactIx>, RunError> {
        let key = (a.min(b), a.max(b));
        if let Some(known) = self.between.get(&key) {
            return Ok(known.clone());
        }
        let mut ids = Vec::new();
        let mut standing: BTreeMap<(u32, u32), VecDeque<Rounded>> = BTreeMap::new();
        for contact in self.model.contacts_between(key.0, key.1) {
            let surfaces = contact.surfaces;
            let mut data = self.contact_data(contact)?;
            if data.pair.is_sharp() {
                let own = standing.entry(surfaces).or_insert_with(|| {
                    let [one, two] = self.surfaces_of(&data.contact);
                    rounded(one, two, data.pair.side()).into()
                });
                data.rounded = own.pop_front();
            }
            self.has_switches |= data.curve().is_some();
            ids.push(self.contacts.push(data));
        }
        self.between.insert(key, ids.clone());
        Ok(ids)
    }

    fn surfaces_of(&self, contact: &Contact) -> [&Surface<f64>; 2] {
        let (a, b) = (contact.entities, contact.surfaces);
        [(a.0, b.0), (a.1, b.1)].map(|(entity, surface)| &self.bodies[entity].surfaces[surface as usize])
    }

    fn contact_data(&self, contact: Contact) -> Result<ContactData, RunError> {
        let label = self.model.contact_label(&contact);
        let (a, b) = (&self.bodies[contact.entities.0], &self.bodies[contact.entities.1]);
        let [first, second] = self.surfaces_of(&contact);
        let side = side(a, first, b)
            .or_else(|| side(b, second, a))
            .unwrap_or(Side::Front);
        let pair = ContactPair::new((first, contact.features.0), (second, contact.features.1), side)
            .map_err(|error| RunError::NoGap(format!("{label}: {error}")))?;
        let law = self.model.law(contact.entities.0, contact.entities.1);
        let number = |node| self.constant(node);
        let over = self.model.friction_over(law);
        let moving = [a, b].into_iter().find_map(|body| body.group);
        let friction = if let (FrictionOver::States, Some(group)) = (over, moving) {
            Friction::OfStates(law.friction, group)
        } else if over == FrictionOver::SlipSpeed {
            let constant = |id| match self.model.symbol(id) {
                Symbol::SlipSpeed => None,
                Symbol::Parameter(p) => Some(self.parameters[p]),
                _ => Some(f64::NAN),
            };
            let unit = self.scales.velocity;
            Friction::OfSpeed(Box::new(Curve::new(
                self.model.pool(),
                law.friction,
                constant,
                unit,
            )))
        } else {
            Friction::Constant(in_range(number(law.friction), 0.0, f64::MAX, &label, "friction")?)
        };
        let (roll, spin) = (
            in_range(
                number(law.rolling_friction),
                0.0,
                f64::MAX,
                &label,
                "rolling friction",
            )?,
            in_range(
                number(law.spinning_friction),
                0.0,
                f64::MAX,
                &label,
                "spinning friction",
            )?,
        );
        let reaches = [a, b]
            .into_iter()
            .filter(|body| !body.is_fixed)
            .map(|body| body.reach);
        let length = reaches
            .filter(|reach| reach.is_finite())
            .fold(f64::INFINITY, f64::min);
        let length = if length > 0.0 && length.is_finite() {
            length
        } else {
            self.scales.length
        };
        let couple = (roll > 0.0 || spin > 0.0).then_some(CoupleData {
            length,
            roll: roll / length,
            spin: spin / length,
        });
        Ok(ContactData {
            contact,
            couple,
            restitution: in_range(number(law.restitution), 0.0, 1.0, &label, "restitution")?,
            tangential_restitution: in_range(
                number(law.tangential_restitution),
                -1.0,
                1.0,
                &label,
                "tangential restitution",
            )?,
            impact: law.impact,
            friction,
            label,
            pair,
            rounded: None,
        })
    }

    fn constant(&self, node: dyverse_expr::NodeId) -> f64 {
        let tape = Program::new(self.model.pool(), &[node]);
        let found = tape.numbers(|id| match self.model.symbol(id) {
            Symbol::Parameter(p) => self.parameters[p],
            _ => f64::NAN,
        });
        found.first().copied().unwrap_or(f64::NAN)
    }

    /// μ at a slip speed, with its decisions as they stand; `None`: taken there.
    pub(crate) fn friction(&self, contact: ContactIx, speed: f64, stand: Option<Stand>) -> f64 {
        match (&self.contacts[contact].friction, stand) {
            (Friction::Constant(mu), _) => *mu,
            // Known to who knows the states (`Evaluation::friction_of`).
            (Friction::OfStates(..), _) => f64::NAN,
            (Friction::OfSpeed(curve), None) => curve.value(speed),
            (Friction::OfSpeed(curve), Some(Stand::On(band))) => curve.in_band(speed, band as usize),
            (Friction::OfSpeed(curve), Some(Stand::Along { low, high, part, .. })) => {
                let (below, above) = (
                    curve.in_band(speed, low as usize),
                    curve.in_band(speed, high as usize),
                );
                below + part * (above - below)
            }
        }
    }

    /// Finds where the friction of a contact switches, up to some way beyond a speed.
    pub(crate) fn find_edges(&mut self, contact: ContactIx, speed: f64) -> Result<(), Halt> {
        let found = match &mut self.contacts[contact].friction {
            Friction::OfSpeed(curve) => curve.extend(speed),
            Friction::Constant(_) | Friction::OfStates(..) => true,
        };
        if found {
            return Ok(());
        }
        Err(StopReason::CrossingNotIsolated {
            of: self.switch_name(SurfaceId::Slip(contact)),
        })
    }

    /// The same up to a band that another run has found.
    pub(crate) fn find_bands(&mut self, contact: ContactIx, band: usize) {
        if let Friction::OfSpeed(curve) = &mut self.contacts[contact].friction {
            curve.extend_to_band(band);
        }
    }

    /// The speed of the edge between the two bands that a motion goes along.
    pub(crate) fn edge_along(&self, contact: ContactIx, low: f64) -> f64 {
        let curve = self.contact(contact).curve();
        curve
            .and_then(|curve| curve.edge(low as usize))
            .unwrap_or(f64::NAN)
    }

    /// μ in a state with this slip speed, with its decisions as they stand: what counts as at rest has the friction of rest.
    pub(crate) fn friction_in_state(&self, contact: ContactIx, speed: f64, stand: Option<Stand>) -> f64 {
        if speed > self.tolerances.velocity {
            self.friction(contact, speed, stand)
        } else {
            self.friction(contact, 0.0, None)
        }
    }

    /// M⁻¹ of an entity in a state.
    pub(crate) fn inverse_mass(&self, entity: EntityId, state: &EntityState<f64>) -> InverseMass<f64> {
        let inertia = &self.bodies[entity].inertia;
        InverseMass {
            inverse_mass: 1.0 / inertia.mass(),
            inverse_inertia: inertia.inverse_inertia_in_world(&state.orientation),
        }
    }
}

/// Tolerances are those of the model as it is written. Values far below what it declares would count as zero: such a run is refused.
fn check_tolerances(model: &Model, options: &RunOptions) -> Result<(), RunError> {
    let chosen = |id: dyverse_model::ParameterId| {
        let name = &model.parameters()[id.0 as usize].name;
        let named = options.parameters.iter().rev().find(|(n, _)| n == name);
        named.map(|(_, value)| *value)
    };
    let Some(wanted) = model.tolerances_with(chosen) else {
        return Ok(());
    };
    let own = model.tolerances();
    let all = [
        ("gap", own.gap, wanted.gap),
        ("velocity", own.velocity, wanted.velocity),
        ("force", own.force, wanted.force),
        ("simultaneity", own.simultaneity, wanted.simultaneity),
    ];
    match all.into_iter().find(|(_, own, wanted)| wanted < own) {
        Some((name, tolerance, wanted)) => Err(RunError::Coarse {
            name,
            tolerance,
            wanted,
        }),
        None => Ok(()),
    }
}

fn in_range(value: f64, low: f64, high: f64, label: &str, what: &str) -> Result<f64, RunError> {
    if value >= low && value <= high {
        return Ok(value);
    }
    Err(RunError::BadNumber {
        what: format!("the {what} of {label}"),
        value,
    })
}

fn setting<'m>(model: &'m Model, options: &RunOptions) -> Result<Setting<'m, f64>, RunError> {
    for (name, value) in &options.parameters {
        if model.parameter(name).is_none() {
            return Err(RunError::UnknownParameter(name.clone()));
        }
        if !value.is_finite() {
            return Err(RunError::BadParameter(name.clone(), *value));
        }
    }
    let chosen = |id: dyverse_model::ParameterId| {
        let name = &model.parameters()[id.0 as usize].name;
        options
            .parameters
            .iter()
            .rev()
            .find(|(n, _)| n == name)
            .map(|(_, value)| *value)
    };
    Ok(Setting::with(model, f64::NAN, |id, kind, value| {
        chosen(id).unwrap_or_else(|| match kind {
            ParameterKind::Fixed(node) | ParameterKind::Range { nominal: node, .. } => value(node),
        })
    }))
}

fn body(
    model: &Model,
    setting: &Setting<'_, f64>,
    id: EntityId,
    groups: &IndexVec<GroupIx, Vec<EntityId>>,
) -> Result<Body, RunError> {
    let entity = model.entity(id);
    let bad = |what: &str, value: f64| RunError::BadNumber {
        what: format!("the {what} of `{}`", entity.name),
        value,
    };
    let surfaces: Vec<Surface<f64>> = entity
        .surfaces
        .iter()
        .map(|s| Surface {
            shape: setting.shape(s),
            placement: setting.placement(s),
        })
        .collect();
    let mut reach = 0.0f64;
    for surface in &surfaces {
        let own = shape_reach(&surface.shape);
        if own.is_nan() || own <= 0.0 {
            return Err(bad("size", own));
        }
        reach = reach.max(own + surface.placement.position.norm());
    }
    let inertia = match setting.mass_properties(id) {
        Ok(properties) if properties.mass > 0.0 && properties.mass.is_finite() => {
            EntityInertia::from_mass_properties(&properties)
        }
        Ok(properties) => return Err(bad("mass", properties.mass)),
        Err(_) => EntityInertia::new(1.0, dyverse_num::Mat3::identity()),
    };
    let vector = |v: &Vec3<dyverse_model::Initial>| v.map(|i| setting.initial(i));
    let initial = EntityState {
        position: vector(&entity.initial.position),
        orientation: setting.orientation(&entity.initial.orientation).normalized(),
        velocity: vector(&entity.initial.velocity),
        angular_velocity: vector(&entity.initial.angular_velocity),
    };
    let numbers = [&initial.position, &initial.velocity, &initial.angular_velocity];
    if let Some(value) = numbers
        .iter()
        .flat_map(|v| v.coordinates())
        .find(|x| !x.is_finite())
    {
        return Err(bad("initial state", *value));
    }
    let group = groups
        .numbers()
        .find(|group| groups[*group].binary_search(&id).is_ok());
    Ok(Body {
        is_fixed: entity.is_fixed,
        is_isotropic: is_isotropic(inertia.inertia()),
        inertia,
        surfaces,
        reach,
        initial,
        group,
    })
}

fn is_isotropic(inertia: &Mat3<f64>) -> bool {
    let x = inertia.rows.x.x;
    *inertia == Mat3::diagonal(Vec3::new(x, x, x))
}

/// The state a run begins with, where it is not the model's.
fn begin_with(
    model: &Model,
    options: &RunOptions,
    bodies: &mut IndexVec<EntityId, Body>,
) -> Result<(), RunError> {
    if let Some(start) = &options.start {
        for id in bodies.numbers().filter(|id| !model.entity(*id).is_fixed) {
            let x = start
                .state_of(&model.entity(id).name)
                .map_err(RunError::NoStartValue)?;
            bodies[id].initial = unpack(&x);
        }
    }
    let mut changed = BTreeMap::new();
    for (name, value) in &options.initial {
        let unknown = || RunError::UnknownState(name.clone());
        let (entity, component) = state_named(model, name).ok_or_else(unknown)?;
        let is_place =
            StateComponent::POSITION.contains(&component) || StateComponent::ORIENTATION.contains(&component);
        if bodies[entity].is_fixed && !is_place {
            return Err(unknown());
        }
        if !value.is_finite() {
            return Err(RunError::BadState(name.clone(), *value));
        }
        let x = changed.entry(entity).or_insert_with(|| {
            let mut x = [0.0; STATE];
            pack(&bodies[entity].initial, &mut x);
            x
        });
        x[component.place()] = *value;
    }
    // All components first: an orientation is brought to length one as a whole.
    for (entity, x) in changed {
        bodies[entity].initial = unpack(&x);
    }
    Ok(())
}

/// The entity and the component of a name such as `ball.x`.
fn state_named(model: &Model, name: &str) -> Option<(EntityId, StateComponent)> {
    let (entity, component) = name.rsplit_once('.')?;
    let entity = model.entities().iter().position(|e| e.name == entity)?;
    let component = StateComponent::ALL.into_iter().find(|c| c.name() == component)?;
    Some((EntityId(entity), component))
}

fn shape_reach(shape: &Shape<f64>) -> f64 {
    match shape {
        Shape::Sphere { radius } => *radius,
        Shape::Ellipsoid { semi_axes: v } => v.x.max(v.y).max(v.z),
        Shape::Capsule { radius, half_length } => radius + half_length,
        Shape::RoundedBox {
            half_extents: v,
            radius,
        } => radius + v.norm(),
        Shape::Box { half_extents: v } => v.norm(),
        Shape::Convex { solid } => solid.reach(),
        Shape::RoundedConvex { solid, radius } => radius + solid.reach(),
        Shape::Plane { .. } | Shape::HalfSpace { .. } => f64::INFINITY,
    }
}

/// The side of a plane of `wall` on which `other` starts; `None` if the surface is no plane.
fn side(wall: &Body, surface: &Surface<f64>, other: &Body) -> Option<Side> {
    let Shape::Plane { normal, offset } = &surface.shape else {
        return None;
    };
    let placed = wall.initial.placement().compose(&surface.placement);
    let local = placed.apply_back(&other.initial.position);
    let is_front = normal.dot(&local) >= offset * normal.norm();
    Some(if is_front { Side::Front } else { Side::Back })
}

/// The gap of a contact at the start, for the check that nothing overlaps.
pub(crate) fn initial_gap(system: &System<'_>, contact: ContactIx) -> Option<f64> {
    let data = system.contact(contact);
    let (a, b) = data.entities();
    let (first, second) = data.pair.surfaces();
    let place = |body: EntityId, surface: &Surface<f64>| {
        system.bodies[body]
            .initial
            .placement()
            .compose(&surface.placement)
    };
    let gap = separation(&first.shape, &place(a, first), &second.shape, &place(b, second)).ok()?;
    Some(gap.gap)
}
