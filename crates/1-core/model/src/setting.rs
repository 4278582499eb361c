//! The numbers of a model for given parameters, on any scalar type.
//!
//! On intervals, a parameter in a range stands for the whole range, and every number encloses what it can be.

use crate::{Entity, EntityId, Inertia, Initial, Mass, Model, ParameterId, ParameterKind, Surface, Symbol};
use dyverse_expr::{NodeId, Valuation};
use dyverse_mech::{MassProperties, Placement, Shape, mass_properties};
use dyverse_num::{Interval, Mat3, Quaternion, Scalar, Vec3};

/// Why mass properties cannot be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidMass {
    /// The entity does not move.
    Immovable,
    /// A surface encloses no volume.
    Unbounded,
}

/// The model's numbers for one choice of parameters.
pub struct Setting<'a, S> {
    model: &'a Model,
    values: Valuation<S>,
    parameters: Vec<S>,
    no_value: S,
}

impl<'a> Setting<'a, Interval> {
    /// Every parameter in its whole range.
    pub fn enclosing(model: &'a Model) -> Self {
        Setting::with(model, Interval::ENTIRE, |_, kind, value| match kind {
            ParameterKind::Fixed(node) => value(node),
            ParameterKind::Range { lower, upper, .. } => value(lower).hull(&value(upper)),
        })
    }
}

impl<'a> Setting<'a, f64> {
    /// Every parameter at its nominal value.
    pub fn nominal(model: &'a Model) -> Self {
        Setting::with(model, f64::NAN, |_, kind, value| value(kind.nominal()))
    }
}

impl<'a, S: Scalar> Setting<'a, S> {
    /// Parameters as `choose` says, in the order of their declaration: it gets the parameter, how it is declared and a
    /// way to evaluate expressions over earlier ones. `no_value` stands for what is no constant.
    pub fn with(
        model: &'a Model,
        no_value: S,
        choose: impl Fn(ParameterId, ParameterKind, &dyn Fn(NodeId) -> S) -> S,
    ) -> Self {
        let mut setting = Setting {
            model,
            values: Valuation::default(),
            parameters: Vec::new(),
            no_value,
        };
        for (number, parameter) in model.parameters().iter().enumerate() {
            let is_early = setting.evaluate_through(parameter.kind.last_node());
            let chosen = choose(ParameterId(number as u32), parameter.kind, &|node| {
                setting.value(node)
            });
            setting.parameters.push(chosen);
            if is_early {
                setting.values = Valuation::default();
            }
        }
        if let Some(last) = model.pool().last() {
            setting.evaluate_through(last);
        }
        setting
    }

    /// Evaluates all nodes up to this one with the parameters known so far. True if one of them reads a parameter that
    /// is not: its value is then of no use later. (Readers of text make a parameter's nodes before any use of it, so that
    /// one pass is enough.)
    fn evaluate_through(&mut self, last: NodeId) -> bool {
        let (model, parameters, no_value) = (self.model, &self.parameters, &self.no_value);
        let mut is_early = false;
        self.values
            .update_through(model.pool(), last, |id| match model.symbol(id) {
                Symbol::Parameter(p) => parameters.get(p.0 as usize).cloned().unwrap_or_else(|| {
                    is_early = true;
                    no_value.clone()
                }),
                _ => no_value.clone(),
            });
        is_early
    }

    /// A parameter's value.
    pub fn parameter(&self, id: ParameterId) -> &S {
        &self.parameters[id.0 as usize]
    }
    /// The value of a constant expression.
    pub fn value(&self, node: NodeId) -> S {
        self.values
            .number(node)
            .cloned()
            .unwrap_or_else(|| self.no_value.clone())
    }
    /// The shape of a surface.
    pub fn shape(&self, surface: &Surface) -> Shape<S> {
        surface.shape.map(|node| self.value(*node))
    }
    /// Where a surface sits in its entity's frame.
    pub fn placement(&self, surface: &Surface) -> Placement<S> {
        self.place(&surface.placement.position, &surface.placement.orientation)
    }
    fn place(&self, position: &Vec3<NodeId>, orientation: &Quaternion<NodeId>) -> Placement<S> {
        Placement {
            position: position.map(|n| self.value(*n)),
            orientation: self.orientation(orientation),
        }
    }
    /// A unit quaternion.
    pub fn orientation(&self, q: &Quaternion<NodeId>) -> Quaternion<S> {
        Quaternion {
            w: self.value(q.w),
            x: self.value(q.x),
            y: self.value(q.y),
            z: self.value(q.z),
        }
    }

    /// The mass of an entity.
    pub fn mass(&self, id: EntityId) -> Result<S, InvalidMass> {
        let entity = self.model.entity(id);
        match entity.mass {
            Mass::Immovable => Err(InvalidMass::Immovable),
            Mass::Given(node) => Ok(self.value(node)),
            Mass::Density(node) => {
                let filled = self.filled(entity).ok_or(InvalidMass::Unbounded)?;
                Ok(self.value(node) * filled.mass)
            }
        }
    }

    /// Mass and inertia of an entity, whose centre of mass is the origin of its frame by definition.
    pub fn mass_properties(&self, id: EntityId) -> Result<MassProperties<S>, InvalidMass> {
        let entity = self.model.entity(id);
        let from_surfaces = || self.filled(entity).ok_or(InvalidMass::Unbounded);
        let mass = match entity.mass {
            Mass::Immovable => return Err(InvalidMass::Immovable),
            Mass::Given(node) => self.value(node),
            Mass::Density(node) => self.value(node) * from_surfaces()?.mass,
        };
        let inertia = match entity.inertia {
            Inertia::Given { moments, products } => {
                let [xx, yy, zz] = moments.map(|n| self.value(n));
                let [xy, xz, yz] = products.map(|n| self.value(n));
                Mat3::from_rows(
                    Vec3::new(xx, xy.clone(), xz.clone()),
                    Vec3::new(xy, yy, yz.clone()),
                    Vec3::new(xz, yz, zz),
                )
            }
            Inertia::FromSurfaces => from_surfaces()?.with_mass(&mass).inertia,
        };
        Ok(MassProperties {
            mass,
            centroid: Vec3::zero(),
            inertia,
        })
    }

    /// Mass properties of an entity's surfaces filled with density one, in the entity's frame; `None` if one
    /// encloses no volume.
    pub fn filled(&self, entity: &Entity) -> Option<MassProperties<S>> {
        let parts: Option<Vec<_>> = entity
            .surfaces
            .iter()
            .map(|s| {
                Some(
                    mass_properties(&self.shape(s), &S::one())
                        .ok()?
                        .placed(&self.placement(s)),
                )
            })
            .collect();
        MassProperties::combined(&parts?)
    }
}

impl Setting<'_, Interval> {
    /// All values an initial value can have.
    pub fn initial(&self, initial: &Initial) -> Interval {
        match initial {
            Initial::Value(node) => self.value(*node),
            Initial::Range(lower, upper) => self.value(*lower).hull(&self.value(*upper)),
        }
    }
    /// All places an entity can start at.
    pub fn initial_placement(&self, entity: &Entity) -> Placement<Interval> {
        Placement {
            position: entity.initial.position.map(|i| self.initial(i)),
            orientation: self.orientation(&entity.initial.orientation),
        }
    }
}

impl Setting<'_, f64> {
    /// The initial value a simulation takes: of a range the middle.
    pub fn initial(&self, initial: &Initial) -> f64 {
        match initial {
            Initial::Value(node) => self.value(*node),
            Initial::Range(lower, upper) => 0.5 * (self.value(*lower) + self.value(*upper)),
        }
    }
    /// The place a simulation starts an entity at.
    pub fn initial_placement(&self, entity: &Entity) -> Placement<f64> {
        Placement {
            position: entity.initial.position.map(|i| self.initial(i)),
            orientation: self.orientation(&entity.initial.orientation),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ContactLaw, ImpactLaw, ImpactPolicy, ModelParts, Parameter, SymbolTable};
    use dyverse_diag::{Origin, SourceMap};
    use dyverse_expr::Pool;

    /// Two parameters, the second twice the first, whose symbol is made before the nodes of the first.
    fn model() -> Model {
        let origin = Origin::new(SourceMap::new().add("t", ""), 0, 0);
        let (mut pool, mut symbols) = (Pool::new(), SymbolTable::default());
        let first = pool.symbol(symbols.id(Symbol::Parameter(ParameterId(0))));
        let two = pool.number(2.0);
        let doubled = pool.multiply(two, first);
        let (lower, upper) = (pool.number(3.0), pool.number(5.0));
        let (sum, zero) = (pool.add(lower, upper), pool.number(0.0));
        let nominal = pool.divide(sum, two);
        let parameter = |name: &str, kind| Parameter {
            name: name.into(),
            kind,
            origin,
        };
        Model::new(ModelParts {
            name: "t".into(),
            pool,
            symbols,
            parameters: vec![
                parameter(
                    "a",
                    ParameterKind::Range {
                        lower,
                        upper,
                        nominal,
                    },
                ),
                parameter("b", ParameterKind::Fixed(doubled)),
            ],
            inputs: vec![],
            entities: vec![],
            default_law: ContactLaw {
                restitution: zero,
                tangential_restitution: zero,
                friction: zero,
                rolling_friction: zero,
                spinning_friction: zero,
                impact: ImpactLaw::Newton,
                origin: None,
            },
            laws: [].into(),
            excluded: [].into(),
            loads: vec![],
            impacts: ImpactPolicy::Simultaneous,
            impact_energy: Default::default(),
            tolerances: Default::default(),
            horizon: None,
            max_step: None,
            properties: vec![],
        })
    }

    #[test]
    fn parameters_get_their_values_in_whatever_order_the_nodes_were_made() {
        let model = model();
        let nominal = Setting::nominal(&model);
        assert_eq!(
            (
                *nominal.parameter(ParameterId(0)),
                *nominal.parameter(ParameterId(1))
            ),
            (4.0, 8.0)
        );
        let whole = Setting::enclosing(&model);
        assert_eq!(Interval::new(6.0, 10.0), Ok(*whole.parameter(ParameterId(1))));
        let ParameterKind::Fixed(doubled) = model.parameters()[1].kind else {
            unreachable!()
        };
        assert_eq!(nominal.value(doubled), 8.0);
    }
}
