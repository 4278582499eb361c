//! The model with the numbers of the trace: bodies, contacts, loads.

use crate::couples::Lengths;
use crate::impact::Wrong;
use crate::{ReplayError, ReplayOptions};
use dyverse_expr::{Change, Frozen, NodeId, Program, SymbolId};
use dyverse_mech::{
    ContactKinematics, ContactPair, EntityInertia, EntityState, GeneralizedForce, GeneralizedVelocity, Piece,
    Shape, Side, Surface,
};
use dyverse_model::{
    EntityId, FrictionOver, ImpactLaw, Model, ParameterKind, Setting, StateComponent, Symbol,
};
use dyverse_num::{Quaternion, Vec3};
use dyverse_trace::{InputSignal, Sample, Trace};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Bodies that move, at the most.
const MOST_BODIES: usize = 64;
/// Contacts at the most.
const MOST_CONTACTS: usize = 10_000;
/// How far beside a switch its two sides are looked at, part of the time.
const SIDE: f64 = 1e-9;

/// The states of all entities.
pub(crate) type States = Vec<EntityState<f64>>;

/// μ of a contact, and what it is a function of.
pub(crate) struct Friction {
    tape: Program,
    over: FrictionOver,
}

/// A contact of the contact list.
pub(crate) struct Touch {
    pub(crate) label: String,
    /// The entities.
    pub(crate) ends: (usize, usize),
    pair: ContactPair<f64>,
    pub(crate) restitution: f64,
    pub(crate) tangential_restitution: f64,
    /// Rolling and spinning friction, where there is any.
    pub(crate) couple: Option<Lengths>,
    pub(crate) law: ImpactLaw,
    friction: Friction,
}

/// A moment at which loads are looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct When {
    pub(crate) t: f64,
    /// When the stretch began in which it lies: inputs that jump have two values.
    pub(crate) anchor: f64,
    /// How much later loads are looked at, s: just before and just after a switch they have other values than at it.
    pub(crate) shift: f64,
}

impl When {
    pub(crate) fn at(t: f64) -> Self {
        When::since(t, t)
    }

    pub(crate) fn since(t: f64, anchor: f64) -> Self {
        When {
            t,
            anchor,
            shift: 0.0,
        }
    }
}

/// The model with numbers.
pub(crate) struct Bodies<'m> {
    pub(crate) model: &'m Model,
    parameters: Vec<f64>,
    /// `None` for fixed entities.
    pub(crate) inertia: Vec<Option<EntityInertia<f64>>>,
    pub(crate) touches: Vec<Touch>,
    start: States,
    /// For each entity that moves, its signals in the order of [`StateComponent::ALL`].
    signals: Vec<(usize, Vec<usize>)>,
    loads: Vec<usize>,
    tape: Program,
    /// The surfaces on which loads switch.
    switches: Frozen,
    /// Whether friction jumps at some slip speed.
    pub(crate) has_friction_switches: bool,
    inputs: Vec<Driven>,
}

enum Driven {
    By(InputSignal),
    Own(Program),
}

impl<'m> Bodies<'m> {
    pub(crate) fn new(model: &'m Model, trace: &Trace, options: &ReplayOptions) -> Result<Self, ReplayError> {
        let setting = setting(model, trace)?;
        let parameters: Vec<f64> = (0..model.parameters().len())
            .map(|p| *setting.parameter(dyverse_model::ParameterId(p as u32)))
            .collect();
        let moving = model.entities().iter().filter(|e| !e.is_fixed).count();
        if moving > MOST_BODIES {
            return Err(ReplayError::TooLarge(format!(
                "the model has {moving} bodies that move: at most {MOST_BODIES} are judged"
            )));
        }
        let contacts: Vec<_> = model.contacts().take(MOST_CONTACTS + 1).collect();
        if contacts.len() > MOST_CONTACTS {
            return Err(ReplayError::TooLarge(format!(
                "the model has more than {MOST_CONTACTS} contacts, which are not judged"
            )));
        }
        let (mut inertia, mut start, mut signals) = (Vec::new(), States::new(), Vec::new());
        for (number, entity) in model.entities().iter().enumerate() {
            let vector = |v: &Vec3<dyverse_model::Initial>| v.map(|i| setting.initial(i));
            start.push(EntityState {
                position: vector(&entity.initial.position),
                orientation: setting.orientation(&entity.initial.orientation).normalized(),
                velocity: vector(&entity.initial.velocity),
                angular_velocity: vector(&entity.initial.angular_velocity),
            });
            if entity.is_fixed {
                inertia.push(None);
                continue;
            }
            let properties = setting.mass_properties(EntityId(number)).ok();
            let properties = properties.filter(|p| p.mass > 0.0 && p.mass.is_finite());
            let properties = properties
                .ok_or_else(|| ReplayError::BadNumber(format!("the mass of `{}` is none", entity.name)))?;
            inertia.push(Some(EntityInertia::from_mass_properties(&properties)));
            let mut own = Vec::new();
            for component in StateComponent::ALL {
                let name = format!("{}.{}", entity.name, component.name());
                let id = trace.signal(&name).ok_or(ReplayError::NoSignal(name))?;
                own.push(id.0 as usize);
            }
            signals.push((number, own));
        }
        let roots: Vec<NodeId> = model
            .loads()
            .iter()
            .flat_map(|load| load.force.into_iter().chain(load.moment))
            .collect();
        let laws = contacts
            .iter()
            .map(|contact| model.law(contact.entities.0, contact.entities.1));
        let frictions: Vec<NodeId> = laws
            .filter(|law| model.friction_over(law) == FrictionOver::SlipSpeed)
            .map(|law| law.friction)
            .collect();
        let over_states: Vec<NodeId> = model.frictions_over_states().map(|(node, _)| node).collect();
        let mut bodies = Bodies {
            model,
            parameters,
            inertia,
            touches: Vec::new(),
            start,
            signals,
            loads: model.loads().iter().map(|load| load.on.0).collect(),
            tape: Program::new(model.pool(), &roots),
            switches: switches(model, &[&roots[..], &over_states[..]].concat()),
            has_friction_switches: !switches(model, &frictions).surfaces().is_empty(),
            inputs: driven(model, options)?,
        };
        let first = trace.samples.first();
        let first = first.ok_or_else(|| ReplayError::NotWhole("the trace has no sample".into()))?;
        let begin = bodies.states(first);
        for contact in contacts {
            let touch = bodies.touch(&setting, &contact, &begin)?;
            bodies.touches.push(touch);
        }
        Ok(bodies)
    }

    fn touch(
        &self,
        setting: &Setting<'_, f64>,
        contact: &dyverse_model::Contact,
        begin: &States,
    ) -> Result<Touch, ReplayError> {
        let label = self.model.contact_label(contact);
        let ends = (contact.entities.0.0, contact.entities.1.0);
        let surface = |entity: usize, number: u32| {
            let own = &self.model.entities()[entity].surfaces[number as usize];
            Surface {
                shape: setting.shape(own),
                placement: setting.placement(own),
            }
        };
        let (first, second) = (
            surface(ends.0, contact.surfaces.0),
            surface(ends.1, contact.surfaces.1),
        );
        let side = side(&begin[ends.0], &first, &begin[ends.1])
            .or_else(|| side(&begin[ends.1], &second, &begin[ends.0]))
            .unwrap_or(Side::Front);
        let pair = ContactPair::new((&first, contact.features.0), (&second, contact.features.1), side)
            .map_err(|error| ReplayError::BadNumber(format!("{label}: {error}")))?;
        let law = self.model.law(contact.entities.0, contact.entities.1);
        let (roll, spin) = (
            setting.value(law.rolling_friction),
            setting.value(law.spinning_friction),
        );
        Ok(Touch {
            couple: (roll > 0.0 || spin > 0.0).then_some(Lengths { roll, spin }),
            label,
            ends,
            pair,
            restitution: setting.value(law.restitution),
            tangential_restitution: setting.value(law.tangential_restitution),
            law: law.impact,
            friction: Friction {
                tape: Program::new(self.model.pool(), &[law.friction]),
                over: self.model.friction_over(law),
            },
        })
    }

    /// The states at a sample.
    pub(crate) fn states(&self, sample: &Sample) -> States {
        let mut states = self.start.clone();
        for (entity, own) in &self.signals {
            let mut x = [0.0; 13];
            for (component, signal) in StateComponent::ALL.iter().zip(own) {
                x[component.place()] = sample.values.get(*signal).copied().unwrap_or(f64::NAN);
            }
            states[*entity] = unpack(&x);
        }
        states
    }

    /// States as numbers, of the entities that move.
    pub(crate) fn numbers(&self, states: &States) -> Vec<f64> {
        self.signals
            .iter()
            .flat_map(|(entity, _)| pack(&states[*entity]))
            .collect()
    }

    /// Whether one of some entities takes part in a contact.
    pub(crate) fn touches_any(&self, touch: usize, entities: &BTreeSet<usize>) -> bool {
        let (a, b) = self.touches[touch].ends;
        entities.contains(&a) || entities.contains(&b)
    }

    /// Contacts in groups that share moving entities, directly or through others, with these entities.
    pub(crate) fn groups<'s, T>(
        &self,
        contacts: &'s [T],
        touch: impl Fn(&T) -> usize,
    ) -> Vec<(Vec<usize>, Vec<&'s T>)> {
        let mut groups: Vec<(Vec<usize>, Vec<&T>)> = Vec::new();
        for own in contacts {
            let (a, b) = self.touches[touch(own)].ends;
            let moving = [a, b].into_iter().filter(|e| self.inertia[*e].is_some());
            let mut merged = (moving.collect::<Vec<_>>(), vec![own]);
            groups.retain_mut(|(entities, contacts)| {
                let shares = entities.iter().any(|e| merged.0.contains(e));
                if shares {
                    merged.0.append(entities);
                    merged.1.append(contacts);
                }
                !shares
            });
            groups.push(merged);
        }
        groups
    }

    /// The n-th entity that moves.
    pub(crate) fn moving(&self, n: usize) -> usize {
        self.signals.get(n).map_or(0, |(entity, _)| *entity)
    }

    /// The name of a component of an entity's state.
    pub(crate) fn signal_name(&self, entity: usize, place: usize) -> String {
        let component = StateComponent::ALL.into_iter().find(|c| c.place() == place);
        let name = &self.model.entities()[entity].name;
        format!("{name}.{}", component.map_or("", |c| c.name()))
    }

    /// Whether these states are those that the model begins with, to rounding.
    pub(crate) fn starts_as_modelled(&self, states: &States) -> bool {
        let near = |(a, b): (f64, f64)| (a - b).abs() <= 1e-9 * (1.0 + a.abs());
        let mut pairs = self.start.iter().zip(states);
        pairs.all(|(own, shown)| pack(own).into_iter().zip(pack(shown)).all(near))
    }

    /// The other way round.
    pub(crate) fn of_numbers(&self, x: &[f64]) -> States {
        let mut states = self.start.clone();
        for ((entity, _), own) in self.signals.iter().zip(x.chunks_exact(13)) {
            states[*entity] = unpack(own);
        }
        states
    }

    /// The entity and the component of a signal.
    pub(crate) fn component_of(&self, signal: usize) -> Option<(usize, usize)> {
        self.signals.iter().find_map(|(entity, own)| {
            let place = own.iter().position(|s| *s == signal)?;
            Some((*entity, StateComponent::ALL[place].place()))
        })
    }

    /// Gap, directions, velocities and biases of a contact; where its closest point goes from one part of a surface to the next, those of the next.
    pub(crate) fn kinematics(&self, touch: usize, states: &States) -> Option<ContactKinematics<f64>> {
        let own = &self.touches[touch];
        let near = Piece::near(self.model.scales().length, self.model.tolerances().velocity);
        own.pair
            .kinematics_ahead(&states[own.ends.0], &states[own.ends.1], None, near)
            .ok()
    }

    /// The same of several contacts; what is wrong if one of them has no closest points.
    pub(crate) fn all_kinematics(
        &self,
        touches: impl Iterator<Item = usize>,
        states: &States,
        of: &str,
    ) -> Result<Vec<ContactKinematics<f64>>, Wrong> {
        let found: Option<Vec<_>> = touches.map(|touch| self.kinematics(touch, states)).collect();
        found.ok_or_else(|| (format!("surfaces of {of} have no closest points"), Vec::new()))
    }

    /// Whether the place where a contact touches is its own, and stays so.
    pub(crate) fn is_own(&self, touch: usize, states: &States) -> bool {
        let own = &self.touches[touch];
        let near = Piece::near(self.model.scales().length, self.model.tolerances().velocity);
        own.pair.is_own(&states[own.ends.0], &states[own.ends.1], near)
    }

    /// μ at a slip speed, at some time and in some state.
    pub(crate) fn friction(&self, touch: usize, speed: f64, (when, states): (When, &States)) -> f64 {
        let own = &self.touches[touch].friction;
        let found = if own.over == FrictionOver::States {
            let seen = self.shifted(when, states);
            own.tape
                .numbers(|id| self.symbol(id, when.t + when.shift, when.anchor, &seen))
        } else {
            own.tape.numbers(|id| match self.model.symbol(id) {
                Symbol::Parameter(p) => self.parameters[p.0 as usize],
                Symbol::SlipSpeed => speed,
                _ => f64::NAN,
            })
        };
        found.first().copied().unwrap_or(f64::NAN)
    }

    /// μ of a contact that slips, however slowly.
    pub(crate) fn friction_of_slip(&self, touch: usize, speed: f64, at: (When, &States)) -> f64 {
        self.friction(touch, speed.max(self.model.tolerances().velocity), at)
    }

    /// μ at a slip speed; where that is 0 within the tolerance, also that of rest.
    pub(crate) fn frictions(&self, touch: usize, speed: f64, at: (When, &States)) -> [f64; 2] {
        let is_slow = speed <= crate::SLACK * self.model.tolerances().velocity;
        let own = self.friction_of_slip(touch, speed, at);
        [
            own,
            if is_slow {
                self.friction(touch, 0.0, at)
            } else {
                own
            },
        ]
    }

    /// The moments at which loads are to be looked at, for what is asked at `when`: it, and the two beside it if a switch turns there.
    pub(crate) fn sides(&self, when: When, states: &States) -> Vec<When> {
        let beside = |shift: f64| When { shift, ..when };
        let wide = SIDE * (self.model.scales().time + when.t.abs());
        let all = [when, beside(wide), beside(-wide)];
        let count = self.switches.surfaces().len();
        let is_near = count > 0 && {
            let [own, after, before] = all.map(|when| self.stands(when, states));
            own != after || own != before || own.contains(&0.0)
        };
        if is_near { all.to_vec() } else { vec![when] }
    }

    /// A moment of a stretch: at its ends loads are looked at from inside, where a switch may turn just there.
    pub(crate) fn inside(&self, t: f64, (from, to): (f64, f64)) -> When {
        let own = When::since(t, from);
        if self.switches.surfaces().is_empty() {
            return own;
        }
        let wide = (SIDE * (self.model.scales().time + t.abs())).min(0.25 * (to - from));
        let shift = (from + wide - t).max(0.0) - (t - (to - wide)).max(0.0);
        When { shift, ..own }
    }

    /// The sides of the switches of loads on which a state is.
    fn stands(&self, when: When, states: &States) -> Vec<f64> {
        let seen = self.shifted(when, states);
        let symbol = |id: SymbolId| match self.model.symbol(id) {
            Symbol::Input(i) if matches!(self.inputs[i.0 as usize], Driven::Own(_)) => None,
            _ => Some(self.symbol(id, when.t + when.shift, when.anchor, &seen)),
        };
        let mut values = Vec::new();
        self.switches.evaluate(
            symbol,
            |surface, d| self.switches.side_of(surface, *d),
            &mut values,
        );
        let count = self.switches.surfaces().len();
        let side = |n: usize| self.switches.side_of(n, *self.switches.quantity(&values, n));
        (0..count).map(side).collect()
    }

    /// States some time later, as loads see them.
    fn shifted(&self, when: When, states: &States) -> States {
        if when.shift == 0.0 {
            return states.clone();
        }
        let own = When { shift: 0.0, ..when };
        let accelerations = self.free_accelerations(own, states);
        let each = states.iter().zip(&accelerations);
        each.map(|(state, a)| EntityState {
            position: state.position + state.velocity.scale(&when.shift),
            velocity: state.velocity + a.linear.scale(&when.shift),
            ..*state
        })
        .collect()
    }

    /// The size of what loads are added up from, N: forces that cancel leave a rounding of that.
    pub(crate) fn size_of_loads(&self, when: When, states: &States) -> f64 {
        let numbers = self
            .tape
            .numbers(|id| self.symbol(id, when.t, when.anchor, states));
        let sizes = numbers
            .chunks_exact(6)
            .map(|load| load[..3].iter().map(|f| f.abs()).sum());
        sizes.filter(|size: &f64| size.is_finite()).fold(0.0, f64::max)
    }

    /// The accelerations of all entities without contact forces.
    pub(crate) fn free_accelerations(&self, when: When, states: &States) -> Vec<GeneralizedVelocity<f64>> {
        let mut forces = vec![GeneralizedForce::zero(); states.len()];
        let seen = self.shifted(when, states);
        let numbers = self
            .tape
            .numbers(|id| self.symbol(id, when.t + when.shift, when.anchor, &seen));
        for (on, load) in self.loads.iter().zip(numbers.chunks_exact(6)) {
            let add = GeneralizedForce {
                force: Vec3::new(load[0], load[1], load[2]),
                moment: Vec3::new(load[3], load[4], load[5]),
            };
            forces[*on] = forces[*on] + add;
        }
        let each = self.inertia.iter().zip(states).zip(&forces);
        each.map(|((inertia, state), force)| match inertia {
            Some(inertia) => inertia.acceleration(state, force),
            None => GeneralizedVelocity::zero(),
        })
        .collect()
    }

    fn symbol(&self, id: SymbolId, t: f64, anchor: f64, states: &States) -> f64 {
        match self.model.symbol(id) {
            Symbol::Parameter(p) => self.parameters[p.0 as usize],
            Symbol::Time => t,
            Symbol::Mass(e) => self.inertia[e.0].as_ref().map_or(f64::NAN, |i| *i.mass()),
            Symbol::State(e, component) => pack(&states[e.0])[component.place()],
            Symbol::Input(i) => match &self.inputs[i.0 as usize] {
                Driven::By(signal) => signal.value(t, anchor),
                Driven::Own(tape) => {
                    let value = tape.numbers(|id| self.symbol(id, t, anchor, states));
                    value.first().copied().unwrap_or(f64::NAN)
                }
            },
            Symbol::SlipSpeed | Symbol::Contact(..) => f64::NAN,
        }
    }

    /// M⁻¹ of an entity times a force; nothing for what is fixed.
    pub(crate) fn pushed(
        &self,
        entity: usize,
        states: &States,
        force: &GeneralizedForce<f64>,
    ) -> GeneralizedVelocity<f64> {
        match &self.inertia[entity] {
            Some(inertia) => inertia.apply_inverse_mass(&states[entity].orientation, force),
            None => GeneralizedVelocity::zero(),
        }
    }

    pub(crate) fn kinetic_energy(&self, states: &States) -> f64 {
        let each = self.inertia.iter().zip(states);
        each.map(|(inertia, state)| inertia.as_ref().map_or(0.0, |i| i.kinetic_energy(state)))
            .sum()
    }
}

fn setting<'m>(model: &'m Model, trace: &Trace) -> Result<Setting<'m, f64>, ReplayError> {
    for (name, _) in &trace.parameters {
        if model.parameter(name).is_none() {
            return Err(ReplayError::UnknownParameter(name.clone()));
        }
    }
    Ok(Setting::with(model, f64::NAN, |id, kind, value| {
        let name = &model.parameters()[id.0 as usize].name;
        let chosen = trace.parameters.iter().find(|(n, _)| n == name);
        chosen.map_or_else(
            || match kind {
                ParameterKind::Fixed(node) | ParameterKind::Range { nominal: node, .. } => value(node),
            },
            |(_, value)| *value,
        )
    }))
}

/// Expressions with the decisions that they, or the inputs that they read, make.
fn switches(model: &Model, roots: &[NodeId]) -> Frozen {
    let own = |id: SymbolId| match model.symbol(id) {
        Symbol::Input(i) => model.inputs().get(i.0 as usize).map(|input| input.default),
        _ => None,
    };
    let mut pool = Cow::Borrowed(model.pool());
    Program::frozen(
        &mut pool,
        roots,
        |id| own(id).is_none().then_some(Change::WithState),
        own,
    )
}

fn driven(model: &Model, options: &ReplayOptions) -> Result<Vec<Driven>, ReplayError> {
    for (name, signal) in &options.inputs {
        if !signal.is_good() || !model.inputs().iter().any(|i| i.name == *name) {
            return Err(ReplayError::BadInput(name.clone()));
        }
    }
    let of = |input: &dyverse_model::Input| {
        let given = options.inputs.iter().find(|(name, _)| *name == input.name);
        match given {
            Some((_, signal)) => Driven::By(signal.clone()),
            None => Driven::Own(Program::new(model.pool(), &[input.default])),
        }
    };
    Ok(model.inputs().iter().map(of).collect())
}

/// The side of a plane on which the other entity begins; `None` if the surface is no plane.
fn side(wall: &EntityState<f64>, surface: &Surface<f64>, other: &EntityState<f64>) -> Option<Side> {
    let Shape::Plane { normal, offset } = &surface.shape else {
        return None;
    };
    let placed = wall.placement().compose(&surface.placement);
    let local = placed.apply_back(&other.position);
    Some(if normal.dot(&local) >= offset * normal.norm() {
        Side::Front
    } else {
        Side::Back
    })
}

/// x, q, v, w.
pub(crate) fn pack(state: &EntityState<f64>) -> [f64; 13] {
    let EntityState {
        position: p,
        orientation: q,
        velocity: v,
        angular_velocity: w,
    } = state;
    [p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z]
}

fn unpack(x: &[f64]) -> EntityState<f64> {
    let vector = |i: usize| Vec3::new(x[i], x[i + 1], x[i + 2]);
    EntityState {
        position: vector(0),
        orientation: Quaternion {
            w: x[3],
            x: x[4],
            y: x[5],
            z: x[6],
        }
        .normalized(),
        velocity: vector(7),
        angular_velocity: vector(10),
    }
}
