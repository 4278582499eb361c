//! The numbers of a model as formulas: parameters, initial values, masses, shapes, and the states as symbols.
//!
//! Parameters and initial values that are only known to lie in a range are unknowns. A fixed parameter is replaced by its
//! expression, so that a decimal stays one. An input is what it is when nothing drives it: its default.

use super::import::Import;
use super::layout::Layout;
use crate::formulas::{Obstacle, Unknown, Variables};
use crate::symbolic::{Recorder, Symbolic};
use dyverse_expr::{NodeId, Program, SymbolId};
use dyverse_mech::law::EntityMass;
use dyverse_mech::{EntityInertia, EntityState, MassProperties, Placement, Shape, Surface, mass_properties};
use dyverse_model::{Entity, EntityId, Inertia, Initial, Mass, Model, ParameterKind, StateComponent, Symbol};
use dyverse_num::{Interval, Mat3, Quaternion, Scalar, Vec3};
use std::collections::BTreeMap;

/// The inverse of an entity's inertia in its own frame.
#[derive(Clone, Debug)]
pub(crate) enum InverseInertia {
    /// The same about all axes: 1/I.
    Isotropic(Symbolic),
    General(Mat3<Symbolic>),
}

impl EntityMass<Symbolic> for Body {
    fn inverse_mass(&self) -> &Symbolic {
        &self.inverse_mass
    }
    fn spin(&self, moment: &Vec3<Symbolic>) -> Vec3<Symbolic> {
        match &self.inverse_inertia {
            InverseInertia::Isotropic(inverse) => moment.scale(inverse),
            InverseInertia::General(inverse) => {
                let rotation = self.state.orientation.rotation_matrix();
                rotation.apply(&inverse.apply(&rotation.transpose().apply(moment)))
            }
        }
    }
    fn isotropic(&self) -> Option<&Symbolic> {
        match &self.inverse_inertia {
            InverseInertia::Isotropic(inverse) => Some(inverse),
            InverseInertia::General(_) => None,
        }
    }
}

/// An entity as formulas.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) is_fixed: bool,
    /// m; not recordable if fixed.
    pub(crate) mass: Symbolic,
    /// 1/m.
    pub(crate) inverse_mass: Symbolic,
    pub(crate) inertia: EntityInertia<Symbolic>,
    pub(crate) inverse_inertia: InverseInertia,
    pub(crate) surfaces: Vec<Surface<Symbolic>>,
    /// Symbols; of a fixed entity its place.
    pub(crate) state: EntityState<Symbolic>,
    /// The initial state, over the unknowns.
    pub(crate) start: EntityState<Symbolic>,
}

/// All numbers of a model.
#[derive(Debug)]
pub(crate) struct Numbers<'m> {
    pub(crate) model: &'m Model,
    pub(crate) recorder: Recorder,
    pub(crate) variables: Variables,
    pub(crate) layout: Layout,
    pub(crate) parameters: Vec<Symbolic>,
    pub(crate) inputs: Vec<Symbolic>,
    pub(crate) bodies: Vec<Body>,
}

pub(crate) fn obstacle<T>(what: impl Into<String>) -> Result<T, Obstacle> {
    Err(Obstacle { what: what.into() })
}

impl<'m> Numbers<'m> {
    pub(crate) fn new(
        model: &'m Model,
        choices: &[(String, f64, f64)],
        layout: &Layout,
    ) -> Result<Self, Obstacle> {
        check_choices(model, choices)?;
        let mut numbers = Numbers {
            model,
            recorder: Recorder::new(),
            variables: Variables {
                states: layout.names(model),
                unknowns: Vec::new(),
            },
            layout: layout.clone(),
            parameters: Vec::new(),
            inputs: Vec::new(),
            bodies: Vec::new(),
        };
        for (place, parameter) in model.parameters().iter().enumerate() {
            let chosen = choices.iter().rev().find(|(name, ..)| *name == parameter.name);
            let value = match (chosen, parameter.kind) {
                (Some((name, lower, upper)), _) => numbers.between(name, *lower, *upper, false),
                (None, ParameterKind::Fixed(node)) => numbers.constant(node),
                (None, ParameterKind::Range { lower, upper, .. }) => {
                    numbers.ranged(&parameter.name, lower, upper, false)?
                }
            };
            debug_assert_eq!(place, numbers.parameters.len());
            numbers.parameters.push(value);
        }
        numbers.add_bodies(layout, choices)?;
        let defaults: Vec<NodeId> = model.inputs().iter().map(|input| input.default).collect();
        let import = numbers.import(&defaults, &|_| Symbolic::not_recordable());
        numbers.inputs = defaults.iter().map(|node| import.number(*node)).collect();
        Ok(numbers)
    }

    /// A number between two doubles: a symbol, or the double if there is only one.
    fn between(&mut self, name: &str, lower: f64, upper: f64, is_initial: bool) -> Symbolic {
        if lower == upper {
            return self
                .recorder
                .number(self.recorder.with_pool(|pool| pool.number(lower)));
        }
        let symbol = self.variables.unknown(self.variables.unknowns.len());
        self.variables.unknowns.push(Unknown {
            name: name.into(),
            is_initial,
            lower,
            upper,
        });
        self.recorder.symbol(symbol)
    }

    /// A number between two constant expressions.
    fn ranged(
        &mut self,
        name: &str,
        lower: NodeId,
        upper: NodeId,
        is_initial: bool,
    ) -> Result<Symbolic, Obstacle> {
        let (low, high) = (self.constant(lower), self.constant(upper));
        if low == high {
            return Ok(low);
        }
        let mut ends = [0.0; 2];
        for (end, number) in ends.iter_mut().zip([&low, &high]) {
            let node = self.node(number, || format!("the range of `{name}`"))?;
            if !self.recorder.pool().symbols(&[node]).is_empty() {
                return obstacle(format!("the range of `{name}` depends on an unknown"));
            }
            let value = self.enclose(number)?;
            *end = if *number == low { value.lo() } else { value.hi() };
        }
        if !(ends[0] <= ends[1] && ends.iter().all(|end| end.is_finite())) {
            return obstacle(format!("the range of `{name}` is empty or not finite"));
        }
        Ok(self.between(name, ends[0], ends[1], is_initial))
    }

    /// An expression over parameters.
    pub(crate) fn constant(&self, node: NodeId) -> Symbolic {
        self.import(&[node], &|_| Symbolic::not_recordable()).number(node)
    }

    /// Expressions of the model. `other` says what slip speeds and quantities of contacts are.
    pub(crate) fn import(&self, roots: &[NodeId], other: &dyn Fn(Symbol) -> Symbolic) -> Import {
        self.import_with(roots, &BTreeMap::new(), other)
    }

    /// The same, where some nodes are truth values that are known already.
    pub(crate) fn import_with(
        &self,
        roots: &[NodeId],
        truths: &BTreeMap<NodeId, NodeId>,
        other: &dyn Fn(Symbol) -> Symbolic,
    ) -> Import {
        let lost = Symbolic::not_recordable;
        Import::new(
            &self.recorder,
            self.model.pool(),
            roots,
            truths,
            |id| match self.model.symbol(id) {
                Symbol::Parameter(p) => self.parameters.get(p.0 as usize).cloned().unwrap_or_else(lost),
                Symbol::Input(i) => self.inputs.get(i.0 as usize).cloned().unwrap_or_else(lost),
                Symbol::Time => self.recorder.symbol(self.variables.time()),
                Symbol::Mass(e) => self.bodies.get(e.0).map_or_else(lost, |body| body.mass.clone()),
                Symbol::State(e, component) => match self.bodies.get(e.0) {
                    Some(body) if body.is_fixed || self.layout.keeps(e, component) => {
                        component_of(&body.state, component)
                    }
                    _ => lost(),
                },
                symbol @ (Symbol::SlipSpeed | Symbol::Contact(..)) => other(symbol),
            },
        )
    }

    /// The node of a number; `what` names it where there is none.
    pub(crate) fn node(&self, number: &Symbolic, what: impl Fn() -> String) -> Result<NodeId, Obstacle> {
        match self.recorder.node(number) {
            Some(node) => Ok(node),
            None => obstacle(format!(
                "{} is no formula: it depends on a choice of pieces",
                what()
            )),
        }
    }

    /// All values of a number over the box of unknowns. It reads no state.
    pub(crate) fn enclose(&self, number: &Symbolic) -> Result<Interval, Obstacle> {
        let node = self.node(number, || "a constant".into())?;
        let first = self.variables.unknown(0).0;
        let value = |id: SymbolId| {
            let unknown =
                id.0.checked_sub(first)
                    .and_then(|place| self.variables.unknowns.get(place as usize));
            unknown.map_or(Interval::ENTIRE, |u| {
                Interval::new(u.lower, u.upper).unwrap_or(Interval::ENTIRE)
            })
        };
        let found = Program::new(&self.recorder.pool(), &[node]).numbers(value);
        Ok(found.first().copied().unwrap_or(Interval::ENTIRE))
    }

    fn add_bodies(&mut self, layout: &Layout, choices: &[(String, f64, f64)]) -> Result<(), Obstacle> {
        let model = self.model;
        for (index, entity) in model.entities().iter().enumerate() {
            let surfaces: Vec<Surface<Symbolic>> = entity.surfaces.iter().map(|s| self.surface(s)).collect();
            let (mass, inertia) = self
                .mass_and_inertia(entity, &surfaces)
                .unwrap_or_else(|| (Symbolic::not_recordable(), Mat3::identity()));
            let start = self.start(EntityId(index), layout, choices)?;
            let state = if entity.is_fixed {
                start.clone()
            } else {
                self.symbols(EntityId(index), layout)
            };
            if !entity.is_fixed && self.enclose(&mass)?.lo() <= 0.0 {
                return obstacle(format!("the mass of `{}` may not be positive", entity.name));
            }
            self.bodies.push(Body {
                is_fixed: entity.is_fixed,
                inverse_mass: Symbolic::one() / mass.clone(),
                inverse_inertia: inverse(&inertia),
                inertia: EntityInertia::new(mass.clone(), inertia),
                mass,
                surfaces,
                state,
                start,
            });
        }
        Ok(())
    }

    fn surface(&self, surface: &dyverse_model::Surface) -> Surface<Symbolic> {
        let number = |node: &NodeId| self.constant(*node);
        Surface {
            shape: surface.shape.map(number),
            placement: Placement {
                position: surface.placement.position.map(number),
                orientation: surface.placement.orientation.map(number),
            },
        }
    }

    /// As `Setting::mass_properties`, whose constants know no pool; `None` if the entity is fixed.
    fn mass_and_inertia(
        &self,
        entity: &Entity,
        surfaces: &[Surface<Symbolic>],
    ) -> Option<(Symbolic, Mat3<Symbolic>)> {
        let filled = || {
            let solid = |s: &Surface<Symbolic>| {
                let own = mass_properties(&s.shape, &Symbolic::one()).ok()?;
                Some(own.placed(&s.placement))
            };
            let parts: Option<Vec<_>> = surfaces.iter().map(solid).collect();
            MassProperties::combined(&parts?)
        };
        let mass = match entity.mass {
            Mass::Immovable => return None,
            Mass::Given(node) => self.constant(node),
            Mass::Density(node) => self.constant(node) * filled()?.mass,
        };
        let inertia = match entity.inertia {
            Inertia::Given { moments, products } => {
                let [xx, yy, zz] = moments.map(|node| self.constant(node));
                let [xy, xz, yz] = products.map(|node| self.constant(node));
                Mat3::from_rows(
                    Vec3::new(xx, xy.clone(), xz.clone()),
                    Vec3::new(xy, yy, yz.clone()),
                    Vec3::new(xz, yz, zz),
                )
            }
            Inertia::FromSurfaces => filled()?.with_mass(&mass).inertia,
        };
        Some((mass, inertia))
    }

    /// The initial state; what is left out of the states is as if at rest.
    fn start(
        &mut self,
        id: EntityId,
        layout: &Layout,
        choices: &[(String, f64, f64)],
    ) -> Result<EntityState<Symbolic>, Obstacle> {
        let entity = self.model.entity(id);
        let initial = &entity.initial;
        let mut value = |initial: &Initial, component: StateComponent| -> Result<Symbolic, Obstacle> {
            let name = format!("{}.{}", entity.name, component.name());
            if !entity.is_fixed && !layout.keeps(id, component) {
                return Ok(Symbolic::zero());
            }
            let chosen = choices.iter().rev().find(|(n, ..)| *n == name);
            match (chosen, initial) {
                (Some((_, lower, upper)), _) => Ok(self.between(&name, *lower, *upper, true)),
                (None, Initial::Value(node)) => Ok(self.constant(*node)),
                (None, Initial::Range(lower, upper)) => self.ranged(&name, *lower, *upper, true),
            }
        };
        let mut vector = |v: &Vec3<Initial>, c: [StateComponent; 3]| -> Result<Vec3<Symbolic>, Obstacle> {
            Ok(Vec3::new(
                value(&v.x, c[0])?,
                value(&v.y, c[1])?,
                value(&v.z, c[2])?,
            ))
        };
        let position = vector(&initial.position, StateComponent::POSITION)?;
        let velocity = vector(&initial.velocity, StateComponent::VELOCITY)?;
        let angular_velocity = vector(&initial.angular_velocity, StateComponent::ANGULAR_VELOCITY)?;
        let keeps = entity.is_fixed || layout.keeps(id, StateComponent::Qw);
        let orientation = if keeps {
            initial.orientation.map(|node| self.constant(*node)).normalized()
        } else {
            Quaternion::identity()
        };
        Ok(EntityState {
            position,
            orientation,
            velocity,
            angular_velocity,
        })
    }

    /// The state of a moving entity as symbols; what is left out is as if at rest.
    fn symbols(&self, id: EntityId, layout: &Layout) -> EntityState<Symbolic> {
        let symbol = |component: StateComponent, otherwise: f64| match layout.place(id, component) {
            Some(place) => self.recorder.symbol(self.variables.state(place)),
            None => Symbolic::from_f64(otherwise),
        };
        let vector =
            |c: [StateComponent; 3]| Vec3::new(symbol(c[0], 0.0), symbol(c[1], 0.0), symbol(c[2], 0.0));
        let [w, x, y, z] = StateComponent::ORIENTATION;
        EntityState {
            position: vector(StateComponent::POSITION),
            orientation: Quaternion::new(symbol(w, 1.0), symbol(x, 0.0), symbol(y, 0.0), symbol(z, 0.0)),
            velocity: vector(StateComponent::VELOCITY),
            angular_velocity: vector(StateComponent::ANGULAR_VELOCITY),
        }
    }
}

impl Body {
    /// Whether it is a ball: all its surfaces are spheres about its centre of mass.
    pub(crate) fn is_round(&self) -> bool {
        self.surfaces.iter().all(|s| centred_radius(s).is_some())
    }
}

/// The radius of a sphere about the centre of mass.
pub(crate) fn centred_radius(surface: &Surface<Symbolic>) -> Option<&Symbolic> {
    let is_centred = surface
        .placement
        .position
        .coordinates()
        .iter()
        .all(|c| c.is_zero());
    match &surface.shape {
        Shape::Sphere { radius } if is_centred => Some(radius),
        _ => None,
    }
}

fn check_choices(model: &Model, choices: &[(String, f64, f64)]) -> Result<(), Obstacle> {
    for (name, lower, upper) in choices {
        if model.parameter(name).is_none() && !is_initial_value(model, name) {
            return obstacle(format!("there is no parameter or initial value `{name}`"));
        }
        if !(lower.is_finite() && upper.is_finite() && lower <= upper) {
            return obstacle(format!("`{name}` cannot be in [{lower}, {upper}]"));
        }
    }
    Ok(())
}

/// Whether this names an initial value that can be chosen, such as `ball.x`. Those of fixed entities cannot: planes are placed by them.
fn is_initial_value(model: &Model, name: &str) -> bool {
    let moves = |entity: &&dyverse_model::Entity| !entity.is_fixed;
    let mut entities = model.entities().iter().filter(moves);
    entities.any(|entity| {
        let vectors = [
            StateComponent::POSITION,
            StateComponent::VELOCITY,
            StateComponent::ANGULAR_VELOCITY,
        ];
        let own = name
            .strip_prefix(&entity.name)
            .and_then(|rest| rest.strip_prefix('.'));
        own.is_some_and(|own| vectors.iter().flatten().any(|c| c.name() == own))
    })
}

/// I₀⁻¹; without a determinant where I₀ is diagonal.
fn inverse(inertia: &Mat3<Symbolic>) -> InverseInertia {
    let r = &inertia.rows;
    let products = [&r.x.y, &r.x.z, &r.y.x, &r.y.z, &r.z.x, &r.z.y];
    let moments = [&r.x.x, &r.y.y, &r.z.z];
    let one_over = |moment: &Symbolic| Symbolic::one() / moment.clone();
    if !products.iter().all(|product| product.is_zero()) {
        return InverseInertia::General(inertia.inverse());
    }
    if moments[0] == moments[1] && moments[1] == moments[2] {
        return InverseInertia::Isotropic(one_over(moments[0]));
    }
    InverseInertia::General(Mat3::diagonal(Vec3::new(
        one_over(moments[0]),
        one_over(moments[1]),
        one_over(moments[2]),
    )))
}

/// A component of a state.
pub(crate) fn component_of<S: Clone>(state: &EntityState<S>, component: StateComponent) -> S {
    use StateComponent as C;
    let (p, v, w, q) = (
        &state.position,
        &state.velocity,
        &state.angular_velocity,
        &state.orientation,
    );
    match component {
        C::X => &p.x,
        C::Y => &p.y,
        C::Z => &p.z,
        C::Vx => &v.x,
        C::Vy => &v.y,
        C::Vz => &v.z,
        C::Wx => &w.x,
        C::Wy => &w.y,
        C::Wz => &w.z,
        C::Qw => &q.w,
        C::Qx => &q.x,
        C::Qy => &q.y,
        C::Qz => &q.z,
    }
    .clone()
}
