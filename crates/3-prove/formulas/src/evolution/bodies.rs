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
    BodyFormulas, Condition, Constraint, ContactFormulas, Event, Flow, ImpactRow, Impulses, Jump, Obstacle,
    Relation, Row, Variables,
};
use dyverse_expr::{NodeId, Pool};
use dyverse_machine::{Atom, Case, ContactId, Move, Phase, Thresholds};
use dyverse_mech::ReferenceAxis;
use dyverse_model::{EnergyRule, ImpactLaw, ImpactOrder, Model};
use dyverse_num::Tri;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::assignments::{Conflict, assignments, parts};
use super::places::{Charted, Closed, Node, Route};
use super::quantities::ContactNumbers;
use super::requirement::Requirement;
use super::{Evolution, Judge, subsets};

/// Contacts that may or may not close together, and contacts with friction of one impact, at the most: each choice is a way.
const MOST_CONTACTS: usize = 6;

/// Assignments of modes that are looked at in one node, at the most.
const MOST_ASSIGNMENTS: usize = 10_000;

/// A contact, the axis of its tangents, and one thing that it may do.
pub(crate) type Alternative<T> = (ContactId, ReferenceAxis, T);

/// A rigid-body system with a property.
pub struct Bodies<'m> {
    pub(crate) formulas: BodyFormulas<'m>,
    requirement: Requirement,
    /// What was asked for already of [`Evolution::moments`]: by place, target and reset.
    moments: BTreeMap<(Charted, Charted, Vec<NodeId>), Vec<Condition>>,
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
    pub(crate) fn axis(&mut self, contact: ContactId, judge: Judge<'_>) -> Result<ReferenceAxis, Obstacle> {
        let normal = self.formulas.contact(contact, ReferenceAxis::X)?.normal;
        let gentle = self.formulas.with_pool(|pool| {
            let square = pool.integer_power(normal[0], 2);
            let limit = pool.number(0.7);
            let margin = pool.subtract(limit, square);
            atom(margin, Relation::Greater)
        });
        let is_gentle = judge(&self.formulas.pool(), &gentle) == Tri::True;
        Ok(if is_gentle {
            ReferenceAxis::X
        } else {
            ReferenceAxis::Y
        })
    }

    /// A row of the table that asks for g_N and ġ_N alone: they do not depend on the tangents.
    fn normal_row(&mut self, phase: Phase, does: Move, contact: ContactId) -> Result<Condition, Obstacle> {
        let limits = self.limits();
        self.normal_row_within(phase, does, contact, &limits)
    }

    fn normal_row_within(
        &mut self,
        phase: Phase,
        does: Move,
        contact: ContactId,
        limits: &Thresholds,
    ) -> Result<Condition, Obstacle> {
        let formulas = self.formulas.contact(contact, ReferenceAxis::X)?;
        Ok(self.row(phase, does, &self.moving(&formulas), limits))
    }

    /// Whether two contacts share an entity that moves.
    fn are_joined(&self, a: ContactId, b: ContactId) -> bool {
        let ends = |c: ContactId| self.formulas.contact_entities(c);
        let (Some(x), Some(y)) = (ends(a), ends(b)) else {
            return false;
        };
        let moves = |e: dyverse_model::EntityId| !self.formulas.model().entity(e).is_fixed;
        [x.0, x.1].into_iter().any(|e| moves(e) && (e == y.0 || e == y.1))
    }

    /// Those of `all` that hang together with `first`.
    fn cluster(&self, first: &[ContactId], all: &[ContactId]) -> Vec<ContactId> {
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
        certain: &[ContactId],
        place: &Charted,
        judge: Judge<'_>,
    ) -> Result<Vec<(Vec<ContactId>, Condition)>, Obstacle> {
        let mut fixed: Vec<ContactId> = certain.to_vec();
        let mut open: Vec<(ContactId, Condition)> = Vec::new();
        for contact in self.formulas.contact_ids() {
            if certain.contains(&contact) || place.closed.iter().any(|c| c.contact == contact) {
                continue;
            }
            let condition = self.normal_row(Phase::Flow, Move::Closes, contact)?;
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

    pub(crate) fn stay(&self, label: &str, when: Condition, target: Charted) -> Jump<Charted> {
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
        place: &Charted,
        certain: &[ContactId],
        judge: Judge<'_>,
    ) -> Result<Vec<Jump<Charted>>, Obstacle> {
        let lasting: Vec<ContactId> = place.closed.iter().map(|c| c.contact).collect();
        let mut jumps = Vec::new();
        for (set, when) in self.closed_sets(certain, place, judge)? {
            if set.is_empty() {
                jumps.push(self.stay("free", when, place.location(place.closed.clone())));
                continue;
            }
            let cluster = self.cluster(&set, &lasting);
            let apart: Vec<Closed> = place
                .closed
                .iter()
                .filter(|c| !cluster.contains(&c.contact))
                .copied()
                .collect();
            let order = self.formulas.model().impacts().order();
            if order.is_some() && cluster.len() > 1 {
                let has_lasting = cluster.iter().any(|c| lasting.contains(c));
                jumps.push(self.stay(
                    &closing_route(place, &set).label(),
                    when,
                    place.node(apart, Node::Sequence(cluster, has_lasting)),
                ));
                continue;
            }
            let mut closing = Vec::new();
            let mut may_rest = true;
            for contact in &cluster {
                let condition = self.normal_row(Phase::ImpactEntrance, Move::Strikes, *contact)?;
                may_rest &= judge(&self.formulas.pool(), &condition) != Tri::True;
                closing.push(condition);
            }
            if may_rest {
                let rests = Condition::And(closing.iter().map(Condition::negated).collect());
                let rests = Condition::And(vec![when.clone(), rests]);
                // They close too slowly to strike: the impact node has no impulse to find.
                let stays: Vec<(ContactId, Move)> = cluster.iter().map(|c| (*c, Move::Stays)).collect();
                jumps.push(self.stay(
                    &closing_route(place, &set).along(&stays).label(),
                    rests,
                    place.node(apart.clone(), Node::Contact(cluster.clone())),
                ));
            }
            let closes = Condition::And(vec![when, Condition::Or(closing)]);
            if judge(&self.formulas.pool(), &closes) != Tri::False {
                let then = place.node(apart, Node::AfterImpact(cluster.clone()));
                let edge = closing_route(place, &set).label();
                self.impact(&cluster, (&edge, then), &closes, judge, &mut jumps)?;
            }
        }
        Ok(jumps)
    }

    /// Assignments of alternatives to contacts, without those of which a part is impossible: `may_be` judges the contacts of a part, with those of `lasting` that hang together with
    /// them.
    pub(crate) fn assigned<T: Copy>(
        &mut self,
        alternatives: &[Vec<Alternative<T>>],
        lasting: &[ContactId],
        is_open: &dyn Fn(&T) -> bool,
        mut may_be: impl FnMut(&mut Self, &[Alternative<T>], &[ContactId]) -> bool,
    ) -> Result<Vec<Vec<Alternative<T>>>, Obstacle> {
        let count = alternatives.len();
        let contacts = alternatives.iter().map(|own| own[0].0);
        let contacts: Vec<ContactId> = contacts.chain(lasting.iter().copied()).collect();
        let counts: Vec<usize> = alternatives.iter().map(Vec::len).collect();
        let mut possible: BTreeSet<Conflict> = BTreeSet::new();
        let found = assignments(&counts, MOST_ASSIGNMENTS, |numbers| {
            let chosen = |place: usize| alternatives[place][numbers[place]];
            let is_closed = |place: usize| place >= count || !is_open(&chosen(place).2);
            let is_closed: Vec<bool> = (0..contacts.len()).map(is_closed).collect();
            for part in parts(&is_closed, &|a, b| self.are_joined(contacts[a], contacts[b])) {
                let own = part.members.iter().filter(|place| **place < count);
                let named = own.clone().chain(&part.around).filter(|place| **place < count);
                let conflict: Conflict = named.map(|place| (*place, numbers[*place])).collect();
                // What names all rules nothing else out: whoever goes there judges it.
                if conflict.len() == count || possible.contains(&conflict) {
                    continue;
                }
                let own: Vec<Alternative<T>> = own.map(|place| chosen(*place)).collect();
                let beside = part
                    .members
                    .iter()
                    .filter_map(|place| lasting.get(place.wrapping_sub(count)));
                let beside: Vec<ContactId> = beside.copied().collect();
                if !may_be(self, &own, &beside) {
                    return Some(conflict);
                }
                possible.insert(conflict);
            }
            None
        })?;
        let chosen = |numbers: Vec<usize>| alternatives.iter().zip(numbers).map(|(own, n)| own[n]).collect();
        Ok(found.into_iter().map(chosen).collect())
    }

    /// All modes of an impact, by an edge or a step of a node.
    fn impact(
        &mut self,
        contacts: &[ContactId],
        (edge, then): (&str, Charted),
        when: &Condition,
        judge: Judge<'_>,
        jumps: &mut Vec<Jump<Charted>>,
    ) -> Result<(), Obstacle> {
        self.are_newtons_too(contacts)?;
        let mut alternatives: Vec<Vec<Alternative<ImpactRow>>> = Vec::new();
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
            alternatives.push(modes.iter().map(|mode| (*contact, axis, *mode)).collect());
        }
        let rubbing = alternatives
            .iter()
            .filter(|own| own.iter().any(|a| a.2 == Row::Stick));
        let rubbing = rubbing.count();
        if rubbing > MOST_CONTACTS {
            return obstacle(format!(
                "{rubbing} contacts with friction close together: at most {MOST_CONTACTS} are proved"
            ));
        }
        let is_open = |mode: &ImpactRow| *mode == Row::Open;
        let mut choices = self.assigned(&alternatives, &[], &is_open, |bodies, own, _| {
            // What has no formulas, or none without auxiliaries, is judged where the way is gone.
            let Ok(formulas) = bodies.formulas.impact(own) else {
                return true;
            };
            let when = Condition::And(vec![when.clone(), formulas.when]);
            judge(&bodies.formulas.pool(), &when) != Tri::False
        })?;
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
                label: format!("{edge}: impact of {}", names.join(", ")),
                when,
                auxiliaries: formulas.auxiliaries,
                impulses,
                reset: formulas.reset,
                target: then.clone(),
            });
        }
        Ok(())
    }

    /// What the law says of velocities after an impact, where what was before decides it: dg⁺ = −e dg⁻ for every component with γ = 0, so that a contact of which dg⁻ was
    /// nothing stays closed, and sticks, whatever an enclosure of its impulse shows.
    fn known_after(
        &mut self,
        contacts: &[(ContactId, ReferenceAxis, ImpactRow)],
        rows: &[ImpactRow],
        judge: Judge<'_>,
    ) -> Result<Vec<Constraint>, Obstacle> {
        let limits = self.limits();
        let mut known = Vec::new();
        // The same comparison of what was before, and of what is after.
        let mut learn =
            |bodies: &Self, does: (Phase, Move), before: &ContactNumbers, after: &ContactNumbers| {
                for is_so in [true, false] {
                    let [before, after] = [before, after].map(|of| {
                        let row = bodies.row(does.0, does.1, of, &limits);
                        if is_so { row } else { row.negated() }
                    });
                    if judge(&bodies.formulas.pool(), &before) == Tri::True {
                        known.extend(after.atoms());
                    }
                }
            };
        for ((contact, axis, _), mode) in contacts.iter().zip(rows) {
            if *mode == Row::Open {
                continue;
            }
            let own = self.formulas.contact(*contact, *axis)?;
            // As `after_impact` and `contact_node` ask it.
            let normal = self.formulas.contact(*contact, ReferenceAxis::X)?;
            let rebound = |e: NodeId, v: NodeId| self.formulas.with_pool(|pool| pool.multiply(e, v));
            let before = ContactFormulas {
                normal_velocity: {
                    let product = rebound(own.restitution, own.normal_velocity);
                    self.formulas.with_pool(|pool| pool.negate(product))
                },
                tangential_velocity: own
                    .tangential_velocity
                    .map(|v| rebound(own.tangential_restitution, v)),
                ..own
            };
            let leaves = (Phase::ImpactExit, Move::Leaves);
            learn(self, leaves, &self.moving(&before), &self.moving(&normal));
            if *mode == Row::Stick {
                let slips = (Phase::ContactExit, Move::Slips);
                learn(self, slips, &self.moving(&before), &self.moving(&own));
            }
        }
        Ok(known)
    }

    /// Poisson's law and the energetic one are Newton's for one contact without friction or of spheres (the energetic law has no tangential restitution, and a model that
    /// has both is refused by its reader); others have no formulas.
    fn are_newtons_too(&mut self, contacts: &[ContactId]) -> Result<(), Obstacle> {
        let laws: Vec<ImpactLaw> = contacts.iter().map(|c| self.formulas.impact_law(*c)).collect();
        let Some(other) = laws.iter().find(|law| **law != ImpactLaw::Newton) else {
            return Ok(());
        };
        let name = match other {
            ImpactLaw::Poisson => "Poisson's law",
            ImpactLaw::Energetic | ImpactLaw::Newton => "the energetic law",
        };
        let [contact] = contacts else {
            return if laws.iter().all(|law| law == other) {
                obstacle(format!("impacts by {name} at several contacts together"))
            } else {
                obstacle(format!(
                    "impacts by different laws at several contacts together, {name} among them"
                ))
            };
        };
        let record = self.formulas.contact_record(*contact, ReferenceAxis::X)?;
        if record.is_isotropic || record.formulas.is_frictionless {
            return Ok(());
        }
        obstacle(format!(
            "impacts by {name} with friction of bodies that are no spheres"
        ))
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
            let adds = Condition::And(vec![when.clone(), atom(*gain, Relation::Greater)]);
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
        place: &Charted,
        contacts: &[ContactId],
        order: ImpactOrder,
        judge: Judge<'_>,
    ) -> Result<Vec<Jump<Charted>>, Obstacle> {
        let mut jumps = Vec::new();
        let mut not_before: Vec<Condition> = Vec::new();
        for contact in contacts {
            let closes = self.normal_row(Phase::ImpactEntrance, Move::Strikes, *contact)?;
            let truth = judge(&self.formulas.pool(), &closes);
            if truth != Tri::False {
                let mut when = vec![closes.clone()];
                if order == ImpactOrder::First {
                    when.extend(not_before.iter().cloned());
                }
                // A step inside the node: it stays where it is.
                let edge = place.to_string();
                self.impact(
                    &[*contact],
                    (&edge, place.clone()),
                    &Condition::And(when),
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
            let target = place.node(place.closed.clone(), Node::AfterImpact(contacts.to_vec()));
            jumps.push(self.stay("no more collisions", done, target));
        }
        Ok(jumps)
    }

    /// After an impact: contacts within the velocity tolerance stay.
    fn after_impact(
        &mut self,
        place: &Charted,
        contacts: &[ContactId],
        judge: Judge<'_>,
    ) -> Result<Vec<Jump<Charted>>, Obstacle> {
        let still = self.still();
        let mut staying = Vec::new();
        let mut open = Vec::new();
        for contact in contacts {
            let stays = self
                .normal_row(Phase::ImpactExit, Move::Leaves, *contact)?
                .negated();
            let found = judge(&self.formulas.pool(), &stays);
            match found {
                Tri::True => {
                    let still = self.normal_row_within(Phase::ImpactExit, Move::Leaves, *contact, &still)?;
                    let still = still.negated();
                    self.refuse_residual(*contact, "opens", &still, judge)?;
                    staying.push(*contact);
                }
                Tri::False => {}
                Tri::Unknown => open.push((*contact, stays)),
            }
        }
        let mut jumps = Vec::new();
        for (set, when) in subsets(&staying, &open) {
            let moves: Vec<(ContactId, Move)> = contacts
                .iter()
                .map(|c| {
                    (
                        *c,
                        if set.contains(c) {
                            Move::Stays
                        } else {
                            Move::Leaves
                        },
                    )
                })
                .collect();
            let mut route = Route::from(place).along(&moves);
            let target = if set.is_empty() {
                // What is closed elsewhere stays as it is.
                route = route.settled(std::iter::empty());
                place.location(place.closed.clone())
            } else {
                place.node(place.closed.clone(), Node::Contact(set))
            };
            jumps.push(self.stay(&route.label(), when, target));
        }
        Ok(jumps)
    }
}

/// Into the impact node.
fn closing_route(place: &Charted, set: &[ContactId]) -> Route {
    let closes: Vec<(ContactId, Move)> = set.iter().map(|contact| (*contact, Move::Closes)).collect();
    Route::from(place).along(&closes)
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
    type Place = Charted;

    fn with_pool<T>(&self, read: impl FnOnce(&Pool) -> T) -> T {
        read(&self.formulas.pool())
    }

    fn change_pool<T>(&mut self, change: impl FnOnce(&mut Pool) -> T) -> T {
        self.formulas.with_pool(change)
    }

    fn begins(&mut self) -> Result<Condition, Obstacle> {
        let limits = self.limits();
        let not_inside = Atom {
            relation: Relation::GreaterEqual,
            ..Case::of(Phase::Flow, Move::Closes).when[0]
        };
        let mut apart = Vec::new();
        for contact in self.formulas.contact_ids() {
            // One without formulas says nothing.
            let Ok(formulas) = self.formulas.contact(contact, ReferenceAxis::X) else {
                continue;
            };
            apart.push(self.comparison(not_inside, &self.moving(&formulas), &limits));
        }
        Ok(Condition::And(apart))
    }

    fn variables(&self) -> &Variables {
        self.formulas.variables()
    }

    fn start(&mut self) -> Result<(Charted, Vec<NodeId>), Obstacle> {
        Ok((
            Charted::start(self.formulas.contact_count()),
            self.formulas.initial().to_vec(),
        ))
    }

    fn is_instant(&self, place: &Charted) -> bool {
        place.node.is_some()
    }

    fn is_seen(&self, place: &Charted) -> bool {
        // Between two collisions of a sequence there is a moment.
        !matches!(
            place.node,
            Some(Node::Start | Node::AfterImpact(_) | Node::Contact(_))
        )
    }

    fn moments(&mut self, place: &Charted, jump: &Jump<Charted>) -> Result<Vec<Condition>, Obstacle> {
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

    fn flow(&mut self, place: &Charted) -> Result<Flow, Obstacle> {
        Ok(self.formulas.flow(&place.modes())?.flow)
    }

    fn events(&mut self, place: &Charted) -> Result<Vec<Event>, Obstacle> {
        let mut events = Vec::new();
        for contact in self.formulas.contact_ids() {
            let label = self.formulas.contact_label(contact).to_owned();
            match place.closed.iter().position(|c| c.contact == contact) {
                None => {
                    // Strictly: what rests at zero closes no more.
                    let formulas = self.formulas.contact(contact, ReferenceAxis::X)?;
                    let (own, limits) = (self.moving(&formulas), self.limits().of_crossings());
                    events.push(Event {
                        label: format!("{label} closes"),
                        when: Condition::And(vec![
                            self.comparison(Case::of(Phase::Flow, Move::Closes).when[0], &own, &limits),
                            self.row(Phase::ImpactEntrance, Move::Strikes, &own, &limits),
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
        place: &Charted,
        event: Option<usize>,
        judge: Judge<'_>,
    ) -> Result<Vec<Jump<Charted>>, Obstacle> {
        match (&place.node, event) {
            (Some(Node::Start), _) => self.close(place, &[], judge),
            (Some(Node::AfterImpact(contacts)), _) => self.after_impact(place, contacts, judge),
            (Some(Node::Sequence(contacts, _)), _) => {
                let Some(order) = self.formulas.model().impacts().order() else {
                    unreachable!("bug: collisions one by one, but all are at once");
                };
                self.sequence(place, contacts, order, judge)
            }
            (Some(Node::Contact(contacts)), _) => self.contact_node(place, contacts, judge),
            (None, Some(event)) => {
                let contact = ContactId::new(event as u32 / 3);
                if place.closed.iter().any(|c| c.contact == contact) {
                    self.leave(place, contact, event % 3, judge)
                } else {
                    self.close(place, &[contact], judge)
                }
            }
            (None, None) => Ok(Vec::new()),
        }
    }

    fn known_at_start(&mut self, place: &Charted) -> Result<Vec<Constraint>, Obstacle> {
        self.departures(place)
    }

    fn safe(&mut self, place: &Charted) -> Result<Condition, Obstacle> {
        // At the start forces are those that the contact node finds, or none before an impact: the way that is gone says which.
        if place.node == Some(Node::Start)
            && self
                .requirement
                .truths()
                .any(|node| self.formulas.reads_forces(node))
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
