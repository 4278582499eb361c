//! Impacts with rows given: Newton's law with Coulomb friction [SPEC §2], `dyverse_mech::law` recorded.
//!
//! # Method
//! Without a row `Against` the equations are linear and are eliminated: no auxiliaries. One closed contact of spheres that slips has a closed form (`FrozenLaw::lone_slip`).
//! Otherwise the unknowns of all closed contacts are auxiliaries, with the equations of the law.
//!
//! # Energy
//! A simulated impact is capped where it would add energy (`contact_solver/energy.rs` of `dyverse-mech`), group by group of contacts that share moving
//! entities. These are the formulas of the law as it stands, which is the same where ΔT ≤ 0. That is so whatever the state (the proofs are in that file)
//! for groups without friction; for one contact of spheres, the only form with slip against friction; and for groups with one and the same
//! e = e_N = e_T. For other groups `gains` holds their ΔT = ½ Λᵀ (dg⁻ + dg⁺): whoever uses the formulas of a capped model must know that it is not positive.
//!
//! # Guarantee
//! Over the reals a state, with auxiliaries that solve their equations, meets `when` exactly if its impulses obey the law with these rows.

use super::BodyFormulas;
use super::contact::ContactRecord;
use super::law::Scene;
use super::numbers::{component_of, obstacle};
use crate::symbolic::Symbolic;
use crate::{Auxiliary, Condition, Constraint, ImpulseLaw, Obstacle, Relation};
use dyverse_expr::NodeId;
use dyverse_machine::ContactId;
use dyverse_mech::law::{
    Forces, ImpactRow, Operator, Row, Work, groups, may_gain_energy, velocity_after, work,
};
use dyverse_mech::{EntityState, ImpactContact, ImpactLaw, ReferenceAxis};
use dyverse_num::Scalar;

/// What an impact does at one contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpulseFormulas {
    /// Which contact.
    pub contact: ContactId,
    /// Λ_N, Λ_T.
    pub impulse: [NodeId; 3],
    /// dg_N⁺.
    pub normal_velocity_after: NodeId,
    /// dg_T⁺.
    pub tangential_velocity_after: [NodeId; 2],
}

/// An impact with modes given.
#[derive(Clone, Debug, PartialEq)]
pub struct ImpactFormulas {
    /// When the modes are the right ones: over the state before and the auxiliaries.
    pub when: Condition,
    /// Impulses that equations determine.
    pub auxiliaries: Vec<Auxiliary>,
    /// The state after, then time.
    pub reset: Vec<NodeId>,
    /// The contacts, in the order they were given.
    pub contacts: Vec<ImpulseFormulas>,
    /// ΔT of the groups of contacts whose impact may add energy, J.
    pub gains: Vec<NodeId>,
    /// The rows as the law has them: `Smooth` where friction is literally zero.
    pub rows: Vec<ImpactRow>,
}

/// What the law has of a contact.
fn impact_contact(record: &ContactRecord) -> ImpactContact<Symbolic> {
    let k = &record.kinematics;
    let [x, y] = k.tangential_velocity.clone();
    ImpactContact {
        velocity: [k.normal_velocity.clone(), x, y],
        restitution_normal: record.restitution.clone(),
        restitution_tangential: record.tangential_restitution.clone(),
        friction: record.friction.clone(),
        // Where the law is another, it is the same as Newton's or there are no formulas.
        law: ImpactLaw::Newton,
    }
}

impl BodyFormulas<'_> {
    /// The impact of these contacts with these rows, tangents made from the given axes. All contacts that take part are given: those that
    /// are closed when it happens. `Against` is a slip, whether or not there is friction.
    ///
    /// # Errors
    /// [`Obstacle`] for contacts whose impulses are not unique, and contacts without formulas.
    pub fn impact(
        &mut self,
        contacts: &[(ContactId, ReferenceAxis, ImpactRow)],
    ) -> Result<ImpactFormulas, Obstacle> {
        let scene = self.impact_scene(contacts)?;
        let law = scene.law();
        let (mut auxiliaries, mut margins) = (Vec::new(), Vec::new());
        let found = if law.is_linear() {
            let mut work = Work::new();
            let Ok(forces) = law.linear(&mut work) else {
                let names: Vec<&str> = contacts
                    .iter()
                    .map(|(c, ..)| self.labels[c.index()].as_str())
                    .collect();
                return obstacle(format!("the impulses of {} are not unique", names.join(", ")));
            };
            Forces::plain(forces.to_vec())
        } else if let Some((found, margin)) = law.lone_slip() {
            margins.push(margin);
            found
        } else {
            let count = scene.rows.iter().map(Row::unknowns).sum();
            let symbol = |place: usize| self.numbers.recorder.symbol(self.variables().auxiliary(place));
            let found = law.forces(&(0..count).map(symbol).collect::<Vec<_>>());
            for equation in law.equations(&found) {
                let name = || "an equation of an impact".to_owned();
                let equation = self.numbers.node(&equation, name)?;
                auxiliaries.push(Auxiliary { equation });
            }
            found
        };
        margins.extend(law.margins(&found));
        self.written_impact(contacts, &scene, &found.forces, auxiliaries, &margins)
    }

    fn impact_scene(
        &mut self,
        contacts: &[(ContactId, ReferenceAxis, ImpactRow)],
    ) -> Result<Scene, Obstacle> {
        self.scene(
            contacts,
            |never, _| match never {},
            |record| impact_contact(record).terms(),
        )
    }

    /// The law of an impact, whatever its rows.
    pub(crate) fn impulse_law(
        &mut self,
        contacts: &[(ContactId, ReferenceAxis, ImpactRow)],
    ) -> Result<ImpulseLaw, Obstacle> {
        let scene = self.impact_scene(contacts)?;
        let node = |number: &Symbolic| self.numbers.node(number, || "the law of an impact".into());
        let mut law = ImpulseLaw {
            operator: Vec::with_capacity(3 * contacts.len()),
            bias: Vec::with_capacity(contacts.len()),
            friction: Vec::with_capacity(contacts.len()),
        };
        for (place, (record, terms)) in scene.records.iter().zip(&scene.terms).enumerate() {
            for i in 0..3 {
                let row = scene.blocks.row(place, i);
                law.operator.push(row.iter().map(node).collect::<Result<_, _>>()?);
            }
            let [n, x, y] = &terms.bias;
            law.bias.push([node(n)?, node(x)?, node(y)?]);
            let friction = (!record.formulas.is_frictionless).then(|| node(&terms.friction));
            law.friction.push(friction.transpose()?);
        }
        Ok(law)
    }

    fn written_impact(
        &self,
        contacts: &[(ContactId, ReferenceAxis, ImpactRow)],
        scene: &Scene,
        impulses: &[[Symbolic; 3]],
        auxiliaries: Vec<Auxiliary>,
        margins: &[Symbolic],
    ) -> Result<ImpactFormulas, Obstacle> {
        let node = |number: &Symbolic| self.numbers.node(number, || "an impact".into());
        let is_never = |margin: &Symbolic| margin.exactly().is_some_and(|value| value < 0.0);
        let mut when = Vec::with_capacity(margins.len());
        for margin in margins {
            when.push(Condition::Atom(Constraint {
                node: node(margin)?,
                relation: Relation::GreaterEqual,
            }));
        }
        let given: Vec<_> = scene
            .records
            .iter()
            .map(|record| impact_contact(record))
            .collect();
        let pushed = Operator::Blocks(&scene.blocks).applied(impulses);
        let after: Vec<[Symbolic; 3]> = (0..given.len())
            .map(|place| velocity_after(&given[place], &scene.rows[place], &pushed[place]))
            .collect();
        let mut written = Vec::with_capacity(contacts.len());
        for (((contact, ..), impulse), [normal, x, y]) in contacts.iter().zip(impulses).zip(&after) {
            written.push(ImpulseFormulas {
                contact: *contact,
                impulse: [node(&impulse[0])?, node(&impulse[1])?, node(&impulse[2])?],
                normal_velocity_after: node(normal)?,
                tangential_velocity_after: [node(x)?, node(y)?],
            });
        }
        // ΔT of each group that may gain energy.
        let mut gains = Vec::new();
        for group in closed_groups(scene) {
            if may_gain_energy(&group, &given, &scene.rows, &scene.blocks) {
                let works = group
                    .iter()
                    .map(|at| work(&given[*at], &impulses[*at], &after[*at]));
                let change = works.fold(Symbolic::zero(), |sum, work| sum + work);
                gains.push(self.numbers.node(&change, || "the energy of an impact".into())?);
            }
        }
        Ok(ImpactFormulas {
            when: match margins.iter().any(is_never) {
                true => Condition::Constant(false),
                false => Condition::And(when),
            },
            auxiliaries,
            reset: self.reset(scene, impulses)?,
            contacts: written,
            gains,
            rows: contacts
                .iter()
                .zip(&scene.rows)
                .map(|((.., given), row)| match row {
                    Row::Smooth => Row::Smooth,
                    _ => *given,
                })
                .collect(),
        })
    }

    /// u + M⁻¹WΛ; everything else stays.
    fn reset(&self, scene: &Scene, impulses: &[[Symbolic; 3]]) -> Result<Vec<NodeId>, Obstacle> {
        let changes = self.responses(scene, impulses);
        let after = |(body, change): (&super::numbers::Body, Option<_>)| {
            let state = body.state.clone();
            match change {
                None => state,
                Some(dyverse_mech::GeneralizedVelocity { linear, angular }) => EntityState {
                    velocity: state.velocity + linear,
                    angular_velocity: state.angular_velocity + angular,
                    ..state
                },
            }
        };
        let states: Vec<_> = self.numbers.bodies.iter().zip(changes).map(after).collect();
        let order = self.numbers.layout.order().iter();
        let mut reset = Vec::with_capacity(order.len() + 1);
        for (entity, component) in order {
            let value = component_of(&states[entity.0], *component);
            reset.push(self.numbers.node(&value, || "a state after an impact".into())?);
        }
        let time = self.variables().time();
        reset.push(self.with_pool(|pool| pool.symbol(time)));
        Ok(reset)
    }
}

/// The closed contacts in groups that share moving entities.
fn closed_groups(scene: &Scene) -> Vec<Vec<usize>> {
    let is_closed = |place: usize| scene.rows[place].held() > 0;
    let entities = |place: usize| {
        let sides = scene.records[place].directions.sides();
        sides
            .map(|side| side.entity.0)
            .filter(|_| is_closed(place))
            .collect()
    };
    let mut all = groups((0..scene.rows.len()).map(entities));
    all.retain(|group| group.iter().all(|place| is_closed(*place)));
    all
}
