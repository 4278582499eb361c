//! Impacts with modes given: Newton's law with Coulomb friction [SPEC §2].
//!
//! With dg⁻ before, b = (1 + e) dg⁻ by component, γ = dg⁺ + e dg⁻ = G Λ + b:
//!
//! | mode | equations | when |
//! |---|---|---|
//! | open | Λ = 0 | γ_N ≥ 0 |
//! | stick | γ_N = 0, γ_T = 0 | Λ_N ≥ 0, \|Λ_T\|² ≤ μ² Λ_N² |
//! | slip | γ_N = 0, Λ_T = −μ Λ_N d, γ_T × d = 0, \|d\|² = 1 | Λ_N ≥ 0, γ_T·d ≥ 0 |
//! | slip without friction | γ_N = 0, Λ_T = 0 | Λ_N ≥ 0 |
//!
//! Every solution of the law is one of some assignment of modes; γ_T = 0 on the edge of the disc belongs to stick and to slip.
//!
//! # Method
//! Without slip against friction the equations are linear and are eliminated: no auxiliaries. One closed contact that slips and has B_jj = 0 and
//! C_jj = c 1 (spheres): γ_T = b_T (1 − c μ Λ_N/|b_T|), so Λ_N = −b_N/A, Λ_T = −μ Λ_N b_T/|b_T|, and that is a slip if
//! |b_T| ≥ c μ Λ_N. Otherwise all impulses of closed contacts are auxiliaries with the equations of the table; of a slip they are Λ_N and d. (The equation
//! Λ_T |γ_T| + μ Λ_N γ_T = 0 says the same without d and has no slope where γ_T = 0; with d slip runs smoothly through the border to stick.)
//!
//! # Energy
//! A simulated impact is capped where it would add energy (`contact_solver/energy.rs` of `dyverse-mech`), group by group of contacts that share moving
//! entities. These are the formulas of the law as it stands, which is the same where ΔT ≤ 0. That is so whatever the state (the proofs are in that file)
//! for groups without friction; for one contact of spheres, the only form with slip against friction; and for groups with one and the same
//! e = e_N = e_T. For other groups `gains` holds their ΔT = ½ Λᵀ (dg⁻ + dg⁺): whoever uses the formulas of a capped model must know that it is not positive.
//!
//! # Guarantee
//! Over the reals a state, with auxiliaries that solve their equations, meets `when` exactly if its impulses obey the law with these modes.

use super::BodyFormulas;
use super::contact::ContactRecord;
use super::numbers::{component_of, obstacle};
use super::operator::{Block, applied, eliminate};
use crate::formulas::{Auxiliary, Condition, Constraint, ImpulseLaw, ImpulseMode, Obstacle, Relation};
use crate::symbolic::Symbolic;
use dyverse_expr::NodeId;
use dyverse_mech::{EntityState, ReferenceAxis};
use dyverse_num::Scalar;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What a contact does in an impact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ImpactMode {
    /// It takes no impulse.
    Open,
    /// Its impulse is inside the disc of friction.
    Stick,
    /// Its impulse is on the edge of the disc.
    Slip,
}

/// What an impact does at one contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpulseFormulas {
    /// Which contact.
    pub contact: usize,
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
    /// The modes as the law has them.
    pub modes: Vec<ImpulseMode>,
}

/// The modes as the equations see them.
#[derive(Clone, Copy, PartialEq)]
enum Law {
    Open,
    Stick,
    Smooth,
    Rub,
}

impl Law {
    fn mode(self) -> ImpulseMode {
        match self {
            Law::Open => ImpulseMode::Open,
            Law::Stick => ImpulseMode::Stick,
            Law::Smooth => ImpulseMode::Smooth,
            Law::Rub => ImpulseMode::Slip,
        }
    }
}

/// The impact before it is written down.
struct Problem {
    laws: Vec<Law>,
    records: Vec<Rc<ContactRecord>>,
    operator: Vec<Vec<Block>>,
    /// dg⁻.
    before: Vec<[Symbolic; 3]>,
    /// b = (1 + e) dg⁻.
    bias: Vec<[Symbolic; 3]>,
}

type Impulses = Vec<[Symbolic; 3]>;

impl Problem {
    fn mu(&self, place: usize) -> &Symbolic {
        &self.records[place].friction
    }
    /// γ of a contact.
    fn gamma(&self, place: usize, impulses: &Impulses) -> [Symbolic; 3] {
        let pushed = applied(&self.operator[place], impulses);
        std::array::from_fn(|i| self.bias[place][i].clone() + pushed[i].clone())
    }
    fn closed(&self) -> impl Iterator<Item = usize> {
        (0..self.laws.len()).filter(|place| self.laws[*place] != Law::Open)
    }
    /// The closed contacts in groups that share moving entities, directly or through others.
    fn groups(&self) -> Vec<Vec<usize>> {
        let touches = |a: usize, b: usize| {
            let sides = |place: usize| self.records[place].sides.iter().map(|side| side.body);
            sides(a).any(|body| sides(b).any(|other| other == body))
        };
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for place in self.closed() {
            let (joined, apart): (Vec<_>, Vec<_>) = groups
                .into_iter()
                .partition(|group| group.iter().any(|other| touches(place, *other)));
            groups = apart;
            groups.push(joined.into_iter().flatten().chain([place]).collect());
        }
        groups
    }

    /// Whether the law as it stands may add energy to a group: see the header.
    fn may_gain(&self, group: &[usize]) -> bool {
        let is_smooth = |place: &usize| self.laws[*place] == Law::Smooth;
        let is_round = |place: &usize| self.records[*place].is_isotropic;
        if group.iter().all(is_smooth) || group.len() == 1 && group.iter().all(is_round) {
            return false;
        }
        let of = |place: &usize| {
            let formulas = &self.records[*place].formulas;
            let tangential = (!is_smooth(place)).then_some(formulas.tangential_restitution);
            [Some(formulas.restitution), tangential]
        };
        let mut all = group.iter().flat_map(of).flatten();
        let first = all.next();
        all.any(|e| Some(e) != first)
    }

    fn no_impulses(&self) -> Impulses {
        vec![std::array::from_fn(|_| Symbolic::zero()); self.laws.len()]
    }

    /// The linear system of components whose γ vanishes by their own impulse; the rank if that is too low.
    fn solve(&self, components: impl Fn(Law) -> usize) -> Result<Impulses, usize> {
        let unknowns: Vec<(usize, usize)> = (0..self.laws.len())
            .flat_map(|place| (0..components(self.laws[place])).map(move |i| (place, i)))
            .collect();
        let matrix = unknowns.iter().map(|(place, i)| {
            let entry = |(other, j): &(usize, usize)| self.operator[*place][*other][*i][*j].clone();
            unknowns.iter().map(entry).collect()
        });
        let right = unknowns.iter().map(|(place, i)| -self.bias[*place][*i].clone());
        let solution = eliminate(matrix.collect(), right.collect())?;
        let mut impulses = self.no_impulses();
        for ((place, i), value) in unknowns.into_iter().zip(solution) {
            impulses[place][i] = value;
        }
        Ok(impulses)
    }

    /// The place of the one closed contact, if it rubs and its tangents do not see the normal.
    fn lone_rub(&self) -> Option<usize> {
        let mut closed = self.closed();
        let place = closed.next()?;
        let is_lone = closed.next().is_none() && self.laws[place] == Law::Rub;
        (is_lone && self.records[place].is_isotropic).then_some(place)
    }
}

impl BodyFormulas<'_> {
    /// The impact of these contacts with these modes, tangents made from the given axes. All contacts that take part are given: those that
    /// are closed when it happens.
    ///
    /// # Errors
    /// [`Obstacle`] for contacts whose impulses are not unique, and contacts without formulas.
    pub fn impact(
        &mut self,
        contacts: &[(usize, ReferenceAxis, ImpactMode)],
    ) -> Result<ImpactFormulas, Obstacle> {
        let problem = self.problem(contacts)?;
        let mut auxiliaries = Vec::new();
        let mut atoms = Vec::new();
        let mut directions = Vec::new();
        let impulses = if !problem.laws.contains(&Law::Rub) {
            let components = |law| match law {
                Law::Open => 0,
                Law::Smooth => 1,
                Law::Stick | Law::Rub => 3,
            };
            let Ok(found) = problem.solve(components) else {
                let names: Vec<&str> = contacts.iter().map(|(c, ..)| self.labels[*c].as_str()).collect();
                return obstacle(format!("the impulses of {} are not unique", names.join(", ")));
            };
            found
        } else if let Some(place) = problem.lone_rub() {
            let (impulses, margin) = lone_slip(&problem, place);
            atoms.push((margin, Relation::NotNegative));
            impulses
        } else {
            let found = self.auxiliary_impulses(&problem, &mut auxiliaries)?;
            directions = found.1;
            found.0
        };
        let is_implicit = !auxiliaries.is_empty();
        for (place, law) in problem.laws.iter().enumerate() {
            match law {
                Law::Open => {
                    let [normal, ..] = problem.gamma(place, &impulses);
                    atoms.push((normal, Relation::NotNegative));
                }
                Law::Smooth => atoms.push((impulses[place][0].clone(), Relation::NotNegative)),
                Law::Stick => {
                    let [n, x, y] = &impulses[place];
                    let limit = (problem.mu(place).clone() * n.clone()).squared();
                    atoms.push((n.clone(), Relation::NotNegative));
                    atoms.push((limit - (x.squared() + y.squared()), Relation::NotNegative));
                }
                Law::Rub => {
                    atoms.push((impulses[place][0].clone(), Relation::NotNegative));
                    if is_implicit {
                        let [_, x, y] = problem.gamma(place, &impulses);
                        let [c, s] = &directions[place];
                        atoms.push((x * c.clone() + y * s.clone(), Relation::NotNegative));
                    }
                }
            }
        }
        self.written_impact(contacts, &problem, &impulses, auxiliaries, atoms)
    }

    fn problem(&mut self, contacts: &[(usize, ReferenceAxis, ImpactMode)]) -> Result<Problem, Obstacle> {
        let mut records = Vec::with_capacity(contacts.len());
        for (contact, axis, _) in contacts {
            records.push(self.contact_record(*contact, *axis)?);
        }
        let laws = contacts.iter().zip(&records).map(|((.., mode), record)| {
            match (mode, record.formulas.is_frictionless) {
                (ImpactMode::Open, _) => Law::Open,
                (_, true) => Law::Smooth,
                (ImpactMode::Stick, false) => Law::Stick,
                (ImpactMode::Slip, false) => Law::Rub,
            }
        });
        let laws = laws.collect();
        let all: Vec<&ContactRecord> = records.iter().map(Rc::as_ref).collect();
        let before: Vec<[Symbolic; 3]> = all
            .iter()
            .map(|record| {
                let k = &record.kinematics;
                let [x, y] = k.tangential_velocity.clone();
                [k.normal_velocity.clone(), x, y]
            })
            .collect();
        let bias = all.iter().zip(&before).map(|(record, before)| {
            let factor = coefficients(record).map(|e| Symbolic::one() + e);
            std::array::from_fn(|i| factor[i].clone() * before[i].clone())
        });
        Ok(Problem {
            operator: self.operator(&all),
            bias: bias.collect(),
            laws,
            before,
            records,
        })
    }

    /// Impulses by auxiliaries, with their equations; and the directions of slip.
    fn auxiliary_impulses(
        &self,
        problem: &Problem,
        auxiliaries: &mut Vec<Auxiliary>,
    ) -> Result<(Impulses, Vec<[Symbolic; 2]>), Obstacle> {
        let mut impulses = problem.no_impulses();
        let mut directions = vec![[Symbolic::zero(), Symbolic::zero()]; impulses.len()];
        let mut count = 0;
        for place in problem.closed() {
            let components = if problem.laws[place] == Law::Smooth { 1 } else { 3 };
            for impulse in &mut impulses[place][..components] {
                *impulse = self.numbers.recorder.symbol(self.variables().auxiliary(count));
                count += 1;
            }
            if problem.laws[place] == Law::Rub {
                let [normal, c, s] = impulses[place].clone();
                let pressed = problem.mu(place).clone() * normal.clone();
                impulses[place] = [normal, -(pressed.clone() * c.clone()), -(pressed * s.clone())];
                directions[place] = [c, s];
            }
        }
        for place in problem.closed() {
            let gamma = problem.gamma(place, &impulses);
            let mut equations = vec![gamma[0].clone()];
            match problem.laws[place] {
                Law::Stick => equations.extend_from_slice(&gamma[1..]),
                Law::Rub => {
                    let [c, s] = &directions[place];
                    equations.push(gamma[1].clone() * s.clone() - gamma[2].clone() * c.clone());
                    equations.push(c.squared() + s.squared() - Symbolic::one());
                }
                Law::Open | Law::Smooth => {}
            }
            for equation in &equations {
                let equation = self
                    .numbers
                    .node(equation, || "an equation of an impact".to_owned())?;
                auxiliaries.push(Auxiliary { equation });
            }
        }
        Ok((impulses, directions))
    }

    /// The law of an impact, whatever its modes.
    pub(crate) fn impulse_law(
        &mut self,
        contacts: &[(usize, ReferenceAxis, ImpactMode)],
    ) -> Result<ImpulseLaw, Obstacle> {
        let problem = self.problem(contacts)?;
        let node = |number: &Symbolic| self.numbers.node(number, || "the law of an impact".into());
        let mut operator = Vec::with_capacity(3 * contacts.len());
        for row in &problem.operator {
            for i in 0..3 {
                let entries = row.iter().flat_map(|block| &block[i]);
                operator.push(entries.map(node).collect::<Result<_, _>>()?);
            }
        }
        let mut bias = Vec::with_capacity(contacts.len());
        let mut friction = Vec::with_capacity(contacts.len());
        for (place, [n, x, y]) in problem.bias.iter().enumerate() {
            bias.push([node(n)?, node(x)?, node(y)?]);
            let is_frictionless = problem.records[place].formulas.is_frictionless;
            friction.push(if is_frictionless {
                None
            } else {
                Some(node(problem.mu(place))?)
            });
        }
        Ok(ImpulseLaw {
            operator,
            bias,
            friction,
        })
    }

    fn written_impact(
        &self,
        contacts: &[(usize, ReferenceAxis, ImpactMode)],
        problem: &Problem,
        impulses: &Impulses,
        auxiliaries: Vec<Auxiliary>,
        atoms: Vec<(Symbolic, Relation)>,
    ) -> Result<ImpactFormulas, Obstacle> {
        let node = |number: &Symbolic| self.numbers.node(number, || "an impact".into());
        // All relations here ask for a number that is not negative.
        let is_never = atoms
            .iter()
            .any(|(number, _)| number.exactly().is_some_and(|value| value < 0.0));
        let mut when = Vec::with_capacity(atoms.len());
        for (number, relation) in &atoms {
            when.push(Condition::Atom(Constraint {
                node: node(number)?,
                relation: *relation,
            }));
        }
        let mut after = Vec::with_capacity(contacts.len());
        for (place, ((contact, ..), impulse)) in contacts.iter().zip(impulses).enumerate() {
            let [normal, x, y] = velocity_after(problem, place, impulses);
            after.push(ImpulseFormulas {
                contact: *contact,
                impulse: [node(&impulse[0])?, node(&impulse[1])?, node(&impulse[2])?],
                normal_velocity_after: node(&normal)?,
                tangential_velocity_after: [node(&x)?, node(&y)?],
            });
        }
        Ok(ImpactFormulas {
            when: if is_never {
                Condition::Constant(false)
            } else {
                Condition::And(when)
            },
            auxiliaries,
            reset: self.reset(problem, impulses)?,
            contacts: after,
            gains: self.gains(problem, impulses)?,
            modes: problem.laws.iter().map(|law| law.mode()).collect(),
        })
    }

    /// ΔT of each group that may gain energy.
    fn gains(&self, problem: &Problem, impulses: &Impulses) -> Result<Vec<NodeId>, Obstacle> {
        let mut gains = Vec::new();
        for group in problem.groups().iter().filter(|group| problem.may_gain(group)) {
            let work = |place: &usize| {
                let after = velocity_after(problem, *place, impulses);
                let parts = impulses[*place].iter().zip(&problem.before[*place]).zip(after);
                parts.fold(Symbolic::zero(), |sum, ((impulse, before), after)| {
                    sum + impulse.clone() * (before.clone() + after)
                })
            };
            let twice = group
                .iter()
                .map(work)
                .fold(Symbolic::zero(), |sum, work| sum + work);
            let change = Symbolic::from_f64(0.5) * twice;
            gains.push(self.numbers.node(&change, || "the energy of an impact".into())?);
        }
        Ok(gains)
    }

    /// u + M⁻¹WΛ; everything else stays.
    fn reset(&self, problem: &Problem, impulses: &Impulses) -> Result<Vec<NodeId>, Obstacle> {
        let all: Vec<&ContactRecord> = problem.records.iter().map(Rc::as_ref).collect();
        let mut states: BTreeMap<usize, EntityState<Symbolic>> = BTreeMap::new();
        for side in all.iter().flat_map(|record| &record.sides) {
            states.entry(side.body).or_insert_with(|| {
                let change = self.response(side.body, &all, impulses);
                let state = self.numbers.bodies[side.body].state.clone();
                EntityState {
                    velocity: state.velocity + change.linear,
                    angular_velocity: state.angular_velocity + change.angular,
                    ..state
                }
            });
        }
        let order = self.numbers.layout.order().iter();
        let mut reset = Vec::with_capacity(order.len() + 1);
        for (entity, component) in order {
            let state = states
                .get(&entity.0)
                .unwrap_or(&self.numbers.bodies[entity.0].state);
            let value = component_of(state, *component);
            reset.push(self.numbers.node(&value, || "a state after an impact".into())?);
        }
        let time = self.variables().time();
        reset.push(self.with_pool(|pool| pool.symbol(time)));
        Ok(reset)
    }
}

fn coefficients(record: &ContactRecord) -> [Symbolic; 3] {
    let tangential = &record.tangential_restitution;
    [record.restitution.clone(), tangential.clone(), tangential.clone()]
}

/// The impulses of one contact that slips, and |b_T|² − (c μ Λ_N)²: as Λ_N ≥ 0 that has the sign of |b_T| − c μ Λ_N, and is smooth where b_T = 0.
fn lone_slip(problem: &Problem, place: usize) -> (Impulses, Symbolic) {
    let [normal, x, y] = &problem.bias[place];
    let own = &problem.operator[place][place];
    let impulse = -normal.clone() / own[0][0].clone();
    let pressed = problem.mu(place).clone() * impulse.clone();
    let speed = (x.squared() + y.squared()).sqrt();
    let mut impulses = problem.no_impulses();
    let limit = x.squared() + y.squared() - (own[1][1].clone() * pressed.clone()).squared();
    // b_T = 0 whatever the state (e_T = −1): no direction, and never a slip.
    let friction = |b: &Symbolic| match speed.is_zero() {
        true => Symbolic::zero(),
        false => -(pressed.clone() * (b.clone() / speed.clone())),
    };
    impulses[place] = [impulse, friction(x), friction(y)];
    let margin = if speed.is_zero() { -Symbolic::one() } else { limit };
    (impulses, margin)
}

/// dg⁺: −e dg⁻ where γ vanishes, dg⁻ + GΛ elsewhere.
fn velocity_after(problem: &Problem, place: usize, impulses: &Impulses) -> [Symbolic; 3] {
    let e = coefficients(&problem.records[place]);
    let before = &problem.before[place];
    let known = match problem.laws[place] {
        Law::Open => 0,
        Law::Smooth | Law::Rub => 1,
        Law::Stick => 3,
    };
    let pushed = applied(&problem.operator[place], impulses);
    std::array::from_fn(|i| {
        if i < known {
            -(e[i].clone() * before[i].clone())
        } else {
            before[i].clone() + pushed[i].clone()
        }
    })
}
