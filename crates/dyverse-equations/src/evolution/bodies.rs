//! Rigid-body systems as evolutions: the MRB hybrid automaton, made where it is gone through.
//!
//! | SPEC §3 | here |
//! |---|---|
//! | s → I: all of I_j with g_N ≤ 0, dg_N ≤ 0 | event of an open contact; `touching` says which others are closed with it, within the tolerances |
//! | impact node | one jump for each mode that Newton's and Coulomb's laws allow |
//! | I → C, I → S_0 | `Node::AfterImpact`: dg_N within the tolerance stays closed |
//! | contact node | `Node::Contact`: one jump for each assignment of modes, with its conditions |
//! | s → C: λ_N < 0, friction's limit, dg_T = 0 | events of closed contacts |
//!
//! Where the enclosure cannot tell, every combination is a jump.

use crate::{
    BodyFormulas, Condition, Constraint, Event, Flow, ImpactRow, Impulses, Jump, Obstacle, Relation, Row,
    Variables,
};
use dyverse_expr::{NodeId, Pool};
use dyverse_mech::ReferenceAxis;
use dyverse_model::{EnergyRule, ImpactOrder, ImpactPolicy, Model};
use dyverse_num::Tri;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::places::{BodyPlace, Closed, Node};
use super::requirement::Requirement;
use super::sustained::STILL;
use super::{Evolution, Judge, extended, subsets};

/// Contacts of one node at the most: modes are tried one by one.
const MOST_CONTACTS: usize = 6;

/// A rigid-body system with a property.
pub struct Bodies<'m> {
    pub(crate) formulas: BodyFormulas<'m>,
    requirement: Requirement,
    /// What was asked for already of [`Evolution::moments`]: by place, target and reset.
    moments: BTreeMap<(BodyPlace, BodyPlace, Vec<NodeId>), Vec<Condition>>,
}

pub(crate) fn atom(node: NodeId, relation: Relation) -> Condition {
    Condition::Atom(Constraint { node, relation })
}

pub(crate) fn obstacle<T>(what: impl Into<String>) -> Result<T, Obstacle> {
    Err(Obstacle { what: what.into() })
}

impl<'m> Bodies<'m> {
    /// A model with parameters chosen, and what must hold.
    ///
    /// # Errors
    /// When something has no formulas.
    pub fn new(
        model: &'m Model,
        choices: &[(String, f64, f64)],
        requirement: Requirement,
    ) -> Result<Self, Obstacle> {
        refuse_coarse(model)?;
        let formulas = BodyFormulas::new(model, choices)?;
        Ok(Bodies {
            formulas,
            requirement,
            moments: BTreeMap::new(),
        })
    }

    /// Clauses of the property, each only in its window.
    fn windowed(&self, conditions: Vec<Condition>) -> Condition {
        let time = self.formulas.variables().time();
        self.formulas
            .with_pool(|pool| self.requirement.within_windows(conditions, pool, time))
    }

    /// The tangents' axis that suits the states at hand.
    pub(crate) fn axis(&mut self, contact: usize, judge: Judge<'_>) -> Result<ReferenceAxis, Obstacle> {
        let normal = self.formulas.contact(contact, ReferenceAxis::X)?.normal;
        let gentle = self.formulas.with_pool(|pool| {
            let square = pool.integer_power(normal[0], 2);
            let limit = pool.number(0.7);
            let margin = pool.subtract(limit, square);
            atom(margin, Relation::Positive)
        });
        let is_gentle = judge(&self.formulas.pool(), &gentle) == Tri::True;
        Ok(if is_gentle {
            ReferenceAxis::X
        } else {
            ReferenceAxis::Y
        })
    }

    pub(crate) fn shifted(&self, node: NodeId, by: f64) -> NodeId {
        self.formulas.with_pool(|pool| {
            let number = pool.number(by);
            pool.subtract(node, number)
        })
    }

    /// g_N and dg_N do not depend on the tangents.
    fn normal(&mut self, contact: usize) -> Result<(NodeId, NodeId), Obstacle> {
        let formulas = self.formulas.contact(contact, ReferenceAxis::X)?;
        Ok((formulas.gap, formulas.normal_velocity))
    }

    /// Closed within the tolerances, and not opening.
    fn touching(&mut self, contact: usize) -> Result<Condition, Obstacle> {
        let tolerances = self.formulas.model().tolerances();
        let (gap, velocity) = self.normal(contact)?;
        let near = atom(self.shifted(gap, tolerances.gap), Relation::NotPositive);
        let soon = self.formulas.with_pool(|pool| {
            let span = pool.number(tolerances.simultaneity);
            let way = pool.multiply(velocity, span);
            pool.add(gap, way)
        });
        let soon = atom(soon, Relation::NotPositive);
        let not_opening = atom(self.shifted(velocity, tolerances.velocity), Relation::NotPositive);
        Ok(Condition::And(vec![Condition::Or(vec![near, soon]), not_opening]))
    }

    /// Whether two contacts share an entity that moves.
    fn are_joined(&self, a: usize, b: usize) -> bool {
        let ends = |c: usize| self.formulas.contact_entities(c);
        let (Some(x), Some(y)) = (ends(a), ends(b)) else {
            return false;
        };
        let moves = |e: dyverse_model::EntityId| !self.formulas.model().entity(e).is_fixed;
        [x.0, x.1].into_iter().any(|e| moves(e) && (e == y.0 || e == y.1))
    }

    /// Those of `all` that hang together with `first`.
    fn cluster(&self, first: &[usize], all: &[usize]) -> Vec<usize> {
        let mut found = first.to_vec();
        let mut place = 0;
        while place < found.len() {
            for other in all {
                if !found.contains(other) && self.are_joined(found[place], *other) {
                    found.push(*other);
                }
            }
            place += 1;
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The contacts that may be closed now: sets with the condition under which each is the one.
    fn closed_sets(
        &mut self,
        certain: &[usize],
        place: &BodyPlace,
        judge: Judge<'_>,
    ) -> Result<Vec<(Vec<usize>, Condition)>, Obstacle> {
        let mut fixed: Vec<usize> = certain.to_vec();
        let mut open: Vec<(usize, Condition)> = Vec::new();
        for contact in 0..self.formulas.contact_count() {
            if certain.contains(&contact) || place.closed.iter().any(|c| c.contact == contact) {
                continue;
            }
            let condition = self.touching(contact)?;
            match judge(&self.formulas.pool(), &condition) {
                Tri::True => fixed.push(contact),
                Tri::False => {}
                Tri::Unknown => open.push((contact, condition)),
            }
        }
        if open.len() > MOST_CONTACTS {
            return obstacle("too many contacts may or may not close together");
        }
        Ok(subsets(&fixed, &open))
    }

    pub(crate) fn stay(&self, label: &str, when: Condition, target: BodyPlace) -> Jump<BodyPlace> {
        Jump {
            label: label.to_owned(),
            when,
            auxiliaries: Vec::new(),
            impulses: None,
            reset: self
                .formulas
                .with_pool(|pool| self.formulas.variables().identity(pool)),
            target,
        }
    }

    /// From an event or the start, with these contacts certainly closed: into the impact node, or the contact node.
    fn close(
        &mut self,
        place: &BodyPlace,
        certain: &[usize],
        judge: Judge<'_>,
    ) -> Result<Vec<Jump<BodyPlace>>, Obstacle> {
        let lasting: Vec<usize> = place.closed.iter().map(|c| c.contact).collect();
        let mut jumps = Vec::new();
        for (set, when) in self.closed_sets(certain, place, judge)? {
            if set.is_empty() {
                jumps.push(self.stay("free", when, BodyPlace::location(place.closed.clone())));
                continue;
            }
            let cluster = self.cluster(&set, &lasting);
            let apart: Vec<Closed> = place
                .closed
                .iter()
                .filter(|c| !cluster.contains(&c.contact))
                .copied()
                .collect();
            let policy = self.formulas.model().impacts();
            if matches!(policy, ImpactPolicy::Sequential(_)) && cluster.len() > 1 {
                let has_lasting = cluster.iter().any(|c| lasting.contains(c));
                jumps.push(self.stay(
                    "collisions",
                    when,
                    BodyPlace::node(apart, Node::Sequence(cluster, has_lasting)),
                ));
                continue;
            }
            let mut closing = Vec::new();
            let mut may_rest = true;
            for contact in &cluster {
                let velocity = self.normal(*contact)?.1;
                let tolerance = self.formulas.model().tolerances().velocity;
                let condition = atom(self.shifted(velocity, -tolerance), Relation::Negative);
                may_rest &= judge(&self.formulas.pool(), &condition) != Tri::True;
                closing.push(condition);
            }
            if may_rest {
                let rests = Condition::And(closing.iter().map(Condition::negated).collect());
                let rests = Condition::And(vec![when.clone(), rests]);
                jumps.push(self.stay(
                    "at rest",
                    rests,
                    BodyPlace::node(apart.clone(), Node::Contact(cluster.clone())),
                ));
            }
            let closes = Condition::And(vec![when, Condition::Or(closing)]);
            if judge(&self.formulas.pool(), &closes) != Tri::False {
                self.impact(
                    &cluster,
                    apart,
                    &closes,
                    Node::AfterImpact(cluster.clone()),
                    judge,
                    &mut jumps,
                )?;
            }
        }
        Ok(jumps)
    }

    /// All modes of an impact.
    fn impact(
        &mut self,
        contacts: &[usize],
        apart: Vec<Closed>,
        when: &Condition,
        then: Node,
        judge: Judge<'_>,
        jumps: &mut Vec<Jump<BodyPlace>>,
    ) -> Result<(), Obstacle> {
        if contacts.len() > MOST_CONTACTS {
            return obstacle(format!(
                "{} contacts close together: at most {MOST_CONTACTS} are proved",
                contacts.len()
            ));
        }
        if self.formulas.model().impacts() == ImpactPolicy::Poisson {
            self.is_newtons_too(contacts)?;
        }
        let mut choices: Vec<Vec<(usize, ReferenceAxis, ImpactRow)>> = vec![vec![]];
        for contact in contacts {
            let axis = self.axis(*contact, judge)?;
            let is_frictionless = self.formulas.contact(*contact, axis)?.is_frictionless;
            let mut modes = vec![Row::Against];
            if !is_frictionless {
                modes.push(Row::Stick);
            }
            // A contact alone that closes cannot stay without an impulse.
            if contacts.len() > 1 {
                modes.push(Row::Open);
            }
            choices = extended(choices, modes.iter().map(|mode| (*contact, axis, *mode)));
        }
        choices.retain(|modes| modes.iter().any(|(.., mode)| *mode != Row::Open));
        let mut found = Vec::with_capacity(choices.len());
        for modes in &choices {
            found.push(self.formulas.impact(modes)?);
        }
        // Assignments with auxiliaries are looked at together with all others: see `Impulses`.
        let law = match choices.first() {
            Some(modes) if found.iter().any(|f| !f.auxiliaries.is_empty()) => {
                Some(Rc::new(self.formulas.impulse_law(modes)?))
            }
            _ => None,
        };
        for (modes, formulas) in choices.iter().zip(found) {
            let names: Vec<String> = modes
                .iter()
                .map(|(c, _, mode)| format!("{} {mode}", self.formulas.contact_label(*c)).to_lowercase())
                .collect();
            let when = Condition::And(vec![when.clone(), formulas.when]);
            let impulses = match &law {
                None => {
                    self.check_energy(&when, &formulas.gains, &names, judge)?;
                    None
                }
                Some(law) => {
                    let is_capped = self.formulas.model().impact_energy() != EnergyRule::Uncapped;
                    Some(Rc::new(Impulses {
                        law: law.clone(),
                        after: self.known_after(modes, &formulas.rows, judge)?,
                        rows: formulas.rows,
                        impulses: formulas.contacts.iter().map(|c| c.impulse).collect(),
                        gains: if is_capped { formulas.gains } else { Vec::new() },
                    }))
                }
            };
            jumps.push(Jump {
                label: format!("impact of {}", names.join(", ")),
                when,
                auxiliaries: formulas.auxiliaries,
                impulses,
                reset: formulas.reset,
                target: BodyPlace::node(apart.clone(), then.clone()),
            });
        }
        Ok(())
    }

    /// What the law says of velocities after an impact, where what was before decides it: dg⁺ = −e dg⁻ for every component with γ = 0, so that a contact of which dg⁻ was
    /// nothing stays closed, and sticks, whatever an enclosure of its impulse shows.
    fn known_after(
        &mut self,
        contacts: &[(usize, ReferenceAxis, ImpactRow)],
        rows: &[ImpactRow],
        judge: Judge<'_>,
    ) -> Result<Vec<Constraint>, Obstacle> {
        let tolerance = self.formulas.model().tolerances().velocity;
        let mut known = Vec::new();
        let mut learn = |bodies: &Self, before: NodeId, after: NodeId| {
            for relation in [Relation::NotPositive, Relation::Positive] {
                if judge(&bodies.formulas.pool(), &atom(before, relation)) == Tri::True {
                    known.push(Constraint {
                        node: after,
                        relation,
                    });
                }
            }
        };
        for ((contact, axis, _), mode) in contacts.iter().zip(rows) {
            if *mode == Row::Open {
                continue;
            }
            let own = self.formulas.contact(*contact, *axis)?;
            // As `after_impact` and `contact_node` ask it.
            let velocity = self.normal(*contact)?.1;
            let rebound = self.formulas.with_pool(|pool| {
                let product = pool.multiply(own.restitution, own.normal_velocity);
                pool.negate(product)
            });
            learn(
                self,
                self.shifted(rebound, tolerance),
                self.shifted(velocity, tolerance),
            );
            if *mode == Row::Stick {
                let rebound = own.tangential_velocity.map(|v| {
                    self.formulas
                        .with_pool(|pool| pool.multiply(own.tangential_restitution, v))
                });
                learn(
                    self,
                    self.faster(rebound, tolerance),
                    self.faster(own.tangential_velocity, tolerance),
                );
            }
        }
        Ok(known)
    }

    /// Poisson's law is Newton's for one contact without friction or of spheres; others have no formulas.
    fn is_newtons_too(&mut self, contacts: &[usize]) -> Result<(), Obstacle> {
        let [contact] = contacts else {
            return obstacle("impacts by Poisson's law at several contacts together");
        };
        let record = self.formulas.contact_record(*contact, ReferenceAxis::X)?;
        if record.is_isotropic || record.formulas.is_frictionless {
            return Ok(());
        }
        obstacle("impacts by Poisson's law with friction of bodies that are no spheres")
    }

    /// An impact of a capped model is that of its formulas only where it adds no energy.
    fn check_energy(
        &self,
        when: &Condition,
        gains: &[NodeId],
        names: &[String],
        judge: Judge<'_>,
    ) -> Result<(), Obstacle> {
        if self.formulas.model().impact_energy() == EnergyRule::Uncapped {
            return Ok(());
        }
        for gain in gains {
            let adds = Condition::And(vec![when.clone(), atom(*gain, Relation::Positive)]);
            if judge(&self.formulas.pool(), &adds) != Tri::False {
                return obstacle(format!(
                    "the impact of {} may add energy, and restitution that is capped there has no formulas",
                    names.join(", ")
                ));
            }
        }
        Ok(())
    }

    /// Sequential impacts: one more collision, or none is closing.
    fn sequence(
        &mut self,
        place: &BodyPlace,
        (contacts, has_lasting): (&[usize], bool),
        order: ImpactOrder,
        judge: Judge<'_>,
    ) -> Result<Vec<Jump<BodyPlace>>, Obstacle> {
        let tolerance = self.formulas.model().tolerances().velocity;
        let mut jumps = Vec::new();
        let mut not_before: Vec<Condition> = Vec::new();
        for contact in contacts {
            let velocity = self.normal(*contact)?.1;
            let closes = atom(self.shifted(velocity, -tolerance), Relation::Negative);
            let truth = judge(&self.formulas.pool(), &closes);
            if truth != Tri::False {
                let mut when = vec![closes.clone()];
                if order == ImpactOrder::First {
                    when.extend(not_before.iter().cloned());
                }
                let next = Node::Sequence(contacts.to_vec(), has_lasting);
                self.impact(
                    &[*contact],
                    place.closed.clone(),
                    &Condition::And(when),
                    next,
                    judge,
                    &mut jumps,
                )?;
            }
            not_before.push(closes.negated());
            if truth == Tri::True && order == ImpactOrder::First {
                return Ok(jumps);
            }
        }
        let done = Condition::And(not_before);
        if judge(&self.formulas.pool(), &done) != Tri::False {
            let target = BodyPlace::node(place.closed.clone(), Node::AfterImpact(contacts.to_vec()));
            jumps.push(self.stay("no more collisions", done, target));
        }
        Ok(jumps)
    }

    /// After an impact: contacts within the velocity tolerance stay.
    fn after_impact(
        &mut self,
        place: &BodyPlace,
        contacts: &[usize],
        judge: Judge<'_>,
    ) -> Result<Vec<Jump<BodyPlace>>, Obstacle> {
        let tolerance = self.formulas.model().tolerances().velocity;
        let mut staying = Vec::new();
        let mut open = Vec::new();
        for contact in contacts {
            let velocity = self.normal(*contact)?.1;
            let stays = atom(self.shifted(velocity, tolerance), Relation::NotPositive);
            let found = judge(&self.formulas.pool(), &stays);
            match found {
                Tri::True => {
                    let still = atom(self.shifted(velocity, STILL * tolerance), Relation::NotPositive);
                    self.refuse_residual(*contact, "opens", &still, judge)?;
                    staying.push(*contact);
                }
                Tri::False => {}
                Tri::Unknown => open.push((*contact, stays)),
            }
        }
        let mut jumps = Vec::new();
        for (set, when) in subsets(&staying, &open) {
            let target = if set.is_empty() {
                BodyPlace::location(place.closed.clone())
            } else {
                BodyPlace::node(place.closed.clone(), Node::Contact(set))
            };
            jumps.push(self.stay("apart", when, target));
        }
        Ok(jumps)
    }
}

/// A tolerance that a file gives may be this many times the one that follows from the scales of the model.
const COARSE: f64 = 1e3;

/// What is within the tolerances a run takes as closed and at rest, and puts it there; here it is closed and stays as it is. With tolerances that can be seen that is another motion.
fn refuse_coarse(model: &Model) -> Result<(), Obstacle> {
    let (tolerances, scales) = (model.tolerances(), model.scales());
    let given = [
        ("gap", tolerances.gap, scales.length),
        ("velocity", tolerances.velocity, scales.velocity),
        ("simultaneity", tolerances.simultaneity, scales.time),
    ];
    for (name, given, scale) in given {
        if given > COARSE * 1e-9 * scale {
            return Err(Obstacle {
                what: format!(
                    "the tolerance `{name} = {given:e}` is so coarse that a run moves what is within it: at most {:.0e} is proved about",
                    COARSE * 1e-9 * scale
                ),
            });
        }
    }
    Ok(())
}

impl Evolution for Bodies<'_> {
    type Place = BodyPlace;

    fn with_pool<T>(&self, read: impl FnOnce(&Pool) -> T) -> T {
        read(&self.formulas.pool())
    }

    fn change_pool<T>(&mut self, change: impl FnOnce(&mut Pool) -> T) -> T {
        self.formulas.with_pool(change)
    }

    fn begins(&mut self) -> Result<Condition, Obstacle> {
        let tolerance = self.formulas.model().tolerances().gap;
        let mut apart = Vec::new();
        for contact in 0..self.formulas.contact_count() {
            // One without formulas says nothing.
            let Ok((gap, _)) = self.normal(contact) else {
                continue;
            };
            apart.push(atom(self.shifted(gap, -tolerance), Relation::NotNegative));
        }
        Ok(Condition::And(apart))
    }

    fn variables(&self) -> &Variables {
        self.formulas.variables()
    }

    fn start(&mut self) -> Result<(BodyPlace, Vec<NodeId>), Obstacle> {
        Ok((
            BodyPlace::node(Vec::new(), Node::Start),
            self.formulas.initial().to_vec(),
        ))
    }

    fn is_instant(&self, place: &BodyPlace) -> bool {
        place.node.is_some()
    }

    fn is_seen(&self, place: &BodyPlace) -> bool {
        // Between two collisions of a sequence there is a moment.
        !matches!(
            place.node,
            Some(Node::Start | Node::AfterImpact(_) | Node::Contact(_))
        )
    }

    fn moments(&mut self, place: &BodyPlace, jump: &Jump<BodyPlace>) -> Result<Vec<Condition>, Obstacle> {
        let key = (place.clone(), jump.target.clone(), jump.reset.clone());
        if let Some(known) = self.moments.get(&key) {
            return Ok(known.clone());
        }
        let (struck, before, after) = match (&place.node, &jump.target.node) {
            (None | Some(Node::Start), Some(Node::AfterImpact(struck))) => (struck, true, true),
            (None | Some(Node::Start), Some(Node::Sequence(struck, _))) => (struck, true, false),
            (Some(Node::Sequence(..)), Some(Node::Sequence(struck, _))) => (struck, false, true),
            _ => return Ok(Vec::new()),
        };
        // Forces stay what they were before the first collision: later ones do not know them any more.
        let has_forces = !place.closed.is_empty() || matches!(place.node, Some(Node::Sequence(_, true)));
        let is_later = matches!(place.node, Some(Node::Sequence(..)));
        let modes = place.modes();
        let mut found = Vec::new();
        let requirement = self.requirement.clone();
        for is_after in [false, true] {
            if !(if is_after { after } else { before }) {
                continue;
            }
            let formulas = &mut self.formulas;
            let conditions = requirement.condition(&mut |node| {
                if is_later && has_forces && formulas.reads_forces(node) {
                    return obstacle("contact forces between the collisions of one instant");
                }
                if is_after {
                    formulas.property_just_after(node, &modes, struck, &jump.reset)
                } else {
                    formulas.property_just_before(node, &modes, struck)
                }
            })?;
            found.push(self.windowed(conditions));
        }
        self.moments.insert(key, found.clone());
        Ok(found)
    }

    fn flow(&mut self, place: &BodyPlace) -> Result<Flow, Obstacle> {
        Ok(self.formulas.flow(&place.modes())?.flow)
    }

    fn events(&mut self, place: &BodyPlace) -> Result<Vec<Event>, Obstacle> {
        let mut events = Vec::new();
        for contact in 0..self.formulas.contact_count() {
            let label = self.formulas.contact_label(contact).to_owned();
            match place.closed.iter().position(|c| c.contact == contact) {
                None => {
                    let (gap, velocity) = self.normal(contact)?;
                    events.push(Event {
                        label: format!("{label} closes"),
                        when: Condition::And(vec![
                            atom(gap, Relation::NotPositive),
                            atom(velocity, Relation::Negative),
                        ]),
                    });
                    // Three for each contact, so that numbers tell what they are.
                    events.push(never());
                    events.push(never());
                }
                Some(number) => self.closed_events(place, number, &label, &mut events)?,
            }
        }
        Ok(events)
    }

    fn jumps(
        &mut self,
        place: &BodyPlace,
        event: Option<usize>,
        judge: Judge<'_>,
    ) -> Result<Vec<Jump<BodyPlace>>, Obstacle> {
        match (&place.node, event) {
            (Some(Node::Start), _) => self.close(place, &[], judge),
            (Some(Node::AfterImpact(contacts)), _) => self.after_impact(place, contacts, judge),
            (Some(Node::Sequence(contacts, has_lasting)), _) => {
                let order = match self.formulas.model().impacts() {
                    ImpactPolicy::Sequential(ImpactOrder::First) => ImpactOrder::First,
                    _ => ImpactOrder::Any,
                };
                self.sequence(place, (contacts, *has_lasting), order, judge)
            }
            (Some(Node::Contact(contacts)), _) => self.contact_node(place, contacts, judge),
            (None, Some(event)) => {
                let contact = event / 3;
                if place.closed.iter().any(|c| c.contact == contact) {
                    self.leave(place, contact, event % 3, judge)
                } else {
                    self.close(place, &[contact], judge)
                }
            }
            (None, None) => Ok(Vec::new()),
        }
    }

    fn known_at_start(&mut self, place: &BodyPlace) -> Result<Vec<Constraint>, Obstacle> {
        self.departures(place)
    }

    fn safe(&mut self, place: &BodyPlace) -> Result<Condition, Obstacle> {
        // At the start forces are those that the contact node finds, or none before an impact: the way that is gone says which.
        if place.node == Some(Node::Start) && self.requirement.reads(&|node| self.formulas.reads_forces(node))
        {
            return Ok(Condition::Constant(true));
        }
        let modes = place.modes();
        let requirement = self.requirement.clone();
        let formulas = &mut self.formulas;
        let condition = requirement.condition(&mut |node| formulas.property(node, &modes))?;
        Ok(self.windowed(condition))
    }
}

/// An event that does not happen.
pub(crate) fn never() -> Event {
    Event {
        label: "never".into(),
        when: Condition::Constant(false),
    }
}
