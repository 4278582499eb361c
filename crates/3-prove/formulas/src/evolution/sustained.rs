//! Contacts that stay closed: the contact node, and what ends their modes.
//!
//! # Modes [SPEC §2, §3]
//! | mode | must hold |
//! |---|---|
//! | stick | dg_T = 0 within the tolerance, λ_N ≥ −ε, λ_T² ≤ (μλ_N + ε)² |
//! | slip | dg_T ≠ 0, λ_N ≥ −ε |
//! | begins to slip along d | dg_T = 0, λ_N ≥ −ε, ddg_T·d > 0 with friction against d |
//! | open | ddg_N > 0, by more than what counts as zero, with the forces of the others |
//!
//! ε is the force tolerance of the model: the same guards as those of a run, so that contacts without force (two balls that fly side by side) stay as they are.
//!
//! A slip whose velocity keeps to one tangent (the other component is exactly zero) has a direction that does not change, and can be followed to its stop. Others can
//! be followed until they are slow; what happens then is not decided here.

use crate::{Condition, Constraint, Event, Flow, Jump, LocationFormulas, Obstacle, Relation};
use dyverse_expr::NodeId;
use dyverse_machine::{ContactId, Move, Phase, Thresholds};
use dyverse_num::Tri;

use super::Judge;
use super::bodies::Alternative;
use super::bodies::{Bodies, atom, never, obstacle};
use super::places::{Chart, Charted, Closed, Route};
use super::quantities::PARTS;

/// What a contact of a contact node does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Open,
    Closed(Chart),
    /// From rest, along a tangent.
    Begins(usize, bool),
}

/// The part of the velocity tolerance below which rounding is all that moves.
const STILL: f64 = 1e-3;

impl Bodies<'_> {
    /// The three events of the closed contact at a place of the list: it opens, friction's mode ends, it gets slow.
    pub(crate) fn closed_events(
        &mut self,
        place: &Charted,
        at: usize,
        label: &str,
        events: &mut Vec<Event>,
    ) -> Result<(), Obstacle> {
        let location = self.formulas.flow(&place.modes())?;
        let own = location.contacts[at];
        let closed = place.closed[at];
        let is_frictionless = self
            .formulas
            .contact(closed.contact, closed.axis)?
            .is_frictionless;
        let (numbers, limits) = (self.held(&location, at), self.limits());
        events.push(Event {
            label: format!("{label} opens"),
            when: self.row(Phase::Flow, Move::Opens, &numbers, &limits),
        });
        if is_frictionless {
            events.push(never());
            events.push(never());
            return Ok(());
        }
        match closed.chart {
            Chart::AtRest => {
                events.push(Event {
                    label: format!("{label} breaks away"),
                    when: self.row(Phase::Flow, Move::BreaksAway, &numbers, &limits),
                });
                events.push(never());
            }
            Chart::Along(tangent, is_forward) | Chart::FromRest(tangent, is_forward) => {
                // Against its direction, and not just beginning: it slows down.
                let velocity = own.tangential_velocity[tangent];
                let rate = self.rate(velocity, &location.flow);
                let slows = if is_forward {
                    Relation::Less
                } else {
                    Relation::Greater
                };
                let along = numbers.along(tangent, is_forward);
                events.push(Event {
                    label: format!("{label} stops sliding"),
                    when: Condition::And(vec![
                        self.row(Phase::Flow, Move::Stops, &along, &limits),
                        atom(rate, slows),
                    ]),
                });
                events.push(Event {
                    label: format!("{label} leaves its direction of sliding"),
                    when: atom(own.tangential_velocity[1 - tangent], Relation::NotEqual),
                });
            }
            Chart::AsItMoves => {
                events.push(never());
                let slow = Thresholds {
                    velocity: self.formulas.model().scales().slow_in_proofs(),
                    ..limits
                };
                events.push(Event {
                    label: format!("{label} slides slowly"),
                    when: self
                        .row(Phase::ContactExit, Move::Slips, &numbers, &slow)
                        .negated(),
                });
            }
        }
        Ok(())
    }

    /// A contact that departs does not move back at first.
    pub(crate) fn departures(&mut self, place: &Charted) -> Result<Vec<Constraint>, Obstacle> {
        let location = self.formulas.flow(&place.modes())?;
        let mut known = Vec::new();
        for (closed, own) in place.closed.iter().zip(&location.contacts) {
            if let Chart::FromRest(tangent, is_forward) = closed.chart {
                let rate = self.rate(own.tangential_velocity[tangent], &location.flow);
                let relation = if is_forward {
                    Relation::GreaterEqual
                } else {
                    Relation::LessEqual
                };
                known.push(Constraint { node: rate, relation });
            }
        }
        Ok(known)
    }

    fn rate(&self, node: NodeId, flow: &Flow) -> NodeId {
        self.formulas.with_pool(|pool| flow.rate_of(pool, node))
    }

    /// Within which rounding is all that moves.
    pub(crate) fn still(&self) -> Thresholds {
        let limits = self.limits();
        Thresholds {
            velocity: STILL * limits.velocity,
            ..limits
        }
    }

    /// What moves for certain, and so slowly that it counts as at rest, a run brings to rest; here it would go on.
    pub(crate) fn refuse_residual(
        &self,
        contact: ContactId,
        does: &str,
        still: &Condition,
        judge: Judge<'_>,
    ) -> Result<(), Obstacle> {
        if judge(&self.formulas.pool(), still) != Tri::False {
            return Ok(());
        }
        Err(Obstacle {
            what: format!(
                "{} {does} within the tolerance of velocities: a run brings it to rest, which is not proved about",
                self.formulas.contact_label(contact)
            ),
        })
    }

    /// A guard of a closed contact is crossed.
    pub(crate) fn leave(
        &mut self,
        place: &Charted,
        contact: ContactId,
        guard: usize,
        judge: Judge<'_>,
    ) -> Result<Vec<Jump<Charted>>, Obstacle> {
        let Some(number) = place.closed.iter().position(|c| c.contact == contact) else {
            return Ok(Vec::new());
        };
        let closed = place.closed[number];
        let others = || -> Vec<Closed> {
            place
                .closed
                .iter()
                .filter(|c| c.contact != contact)
                .copied()
                .collect()
        };
        let with = |chart: Chart| {
            let mut all = others();
            all.push(Closed { chart, ..closed });
            place.location(all)
        };
        let always = Condition::Constant(true);
        // Through the contact node; what it finds for this contact is decided by the guard that was crossed, the others stay as they are.
        let by = |does: Move, mode: Option<Chart>| {
            let settled = mode.into_iter().map(move |mode| (contact, mode));
            Route::from(place)
                .along(&[(contact, does)])
                .settled(settled)
                .label()
        };
        match (guard, closed.chart) {
            (0, _) => Ok(vec![self.stay(
                &by(Move::Opens, None),
                always,
                place.location(others()),
            )]),
            (1, Chart::AtRest) => {
                let location = self.formulas.flow(&place.modes())?;
                let [x, y] = location.contacts[number].tangential_force;
                let Some(tangent) = self.only_tangent([x, y], judge) else {
                    return obstacle("a contact breaks away in a direction that is not fixed");
                };
                let force = location.contacts[number].tangential_force[tangent];
                // It slides against the force that held it.
                let ways = [(Relation::Less, true), (Relation::Greater, false)];
                Ok(ways
                    .map(|(against, is_forward)| {
                        let mode = Chart::FromRest(tangent, is_forward);
                        let label = by(Move::BreaksAway, Some(mode));
                        self.stay(&label, atom(force, against), with(mode))
                    })
                    .into())
            }
            (1, Chart::Along(tangent, is_forward) | Chart::FromRest(tangent, is_forward)) => {
                let sticking = with(Chart::AtRest);
                let location = self.formulas.flow(&sticking.modes())?;
                let Some(place_there) = sticking.closed.iter().position(|c| c.contact == contact) else {
                    unreachable!("bug: a contact that sticks is not closed");
                };
                let numbers = self.held(&location, place_there);
                let slides = self.row(Phase::Flow, Move::BreaksAway, &numbers, &self.limits());
                let back = Chart::FromRest(tangent, !is_forward);
                Ok(vec![
                    self.stay(&by(Move::Stops, Some(Chart::AtRest)), slides.negated(), sticking),
                    self.stay(&by(Move::Stops, Some(back)), slides, with(back)),
                ])
            }
            (2, Chart::AsItMoves) => obstacle("a sliding contact gets slow in a direction that is not fixed"),
            _ => Ok(Vec::new()),
        }
    }

    /// The tangent along which something is, if it is exactly nothing along the other.
    fn only_tangent(&self, parts: [NodeId; 2], judge: Judge<'_>) -> Option<usize> {
        let is_nothing =
            |node: NodeId| judge(&self.formulas.pool(), &atom(node, Relation::Equal)) == Tri::True;
        match parts.map(is_nothing) {
            [_, true] => Some(0),
            [true, false] => Some(1),
            _ => None,
        }
    }

    /// Every assignment of modes to contacts that touch and do not move apart.
    pub(crate) fn contact_node(
        &mut self,
        place: &Charted,
        contacts: &[ContactId],
        judge: Judge<'_>,
    ) -> Result<Vec<Jump<Charted>>, Obstacle> {
        let (limits, still) = (self.limits(), self.still());
        let mut alternatives: Vec<Vec<Alternative<Next>>> = Vec::new();
        // Those that slide for certain: one that opens is named by how it moves.
        let mut moving = Vec::new();
        for contact in contacts {
            let axis = self.axis(*contact, judge)?;
            let formulas = self.formulas.contact(*contact, axis)?;
            let slides = self.row(Phase::ContactExit, Move::Slips, &self.moving(&formulas), &limits);
            if judge(&self.formulas.pool(), &slides) == Tri::True {
                moving.push(*contact);
            }
            let mut ways = vec![Next::Open];
            if formulas.is_frictionless {
                ways.push(Next::Closed(Chart::AsItMoves));
            } else {
                let [x, y] = formulas.tangential_velocity;
                let numbers = self.moving(&formulas);
                let rests = slides.negated();
                let tangent = self.only_tangent([x, y], judge);
                let resting = judge(&self.formulas.pool(), &rests);
                if resting == Tri::True {
                    let still = self
                        .row(Phase::ContactExit, Move::Slips, &numbers, &still)
                        .negated();
                    self.refuse_residual(*contact, "slides", &still, judge)?;
                }
                if resting != Tri::False {
                    ways.push(Next::Closed(Chart::AtRest));
                    let along: &[usize] = match tangent {
                        Some(0) => &[0],
                        Some(_) => &[1],
                        None => &[0, 1],
                    };
                    ways.extend(
                        along
                            .iter()
                            .flat_map(|t| [Next::Begins(*t, true), Next::Begins(*t, false)]),
                    );
                }
                if resting != Tri::True {
                    match tangent {
                        Some(t) => {
                            let forward = atom([x, y][t], Relation::Greater);
                            let ahead = judge(&self.formulas.pool(), &forward);
                            if ahead != Tri::False {
                                ways.push(Next::Closed(Chart::Along(t, true)));
                            }
                            if ahead != Tri::True {
                                ways.push(Next::Closed(Chart::Along(t, false)));
                            }
                        }
                        None => ways.push(Next::Closed(Chart::AsItMoves)),
                    }
                }
            }
            alternatives.push(ways.iter().map(|way| (*contact, axis, *way)).collect());
        }
        let lasting: Vec<ContactId> = place.closed.iter().map(|c| c.contact).collect();
        let is_open = |next: &Next| *next == Next::Open;
        let assignments = self.assigned(&alternatives, &lasting, &is_open, |bodies, own, beside| {
            let is_beside = |c: &&Closed| beside.contains(&c.contact);
            let lasting = place.closed.iter().filter(is_beside).copied().collect();
            match bodies.assignment(place, lasting, own, judge) {
                Ok((_, when)) => judge(&bodies.formulas.pool(), &when) != Tri::False,
                Err(_) => true,
            }
        })?;
        let mut jumps = Vec::new();
        for assignment in assignments {
            let (target, when) = self.assignment(place, place.closed.clone(), &assignment, judge)?;
            let label = node_route(place, &assignment, &moving).label();
            jumps.push(self.stay(&label, when, target));
        }
        Ok(jumps)
    }

    /// Where an assignment of modes leads, and when it is the one.
    fn assignment(
        &mut self,
        place: &Charted,
        mut closed: Vec<Closed>,
        assignment: &[Alternative<Next>],
        judge: Judge<'_>,
    ) -> Result<(Charted, Condition), Obstacle> {
        for (contact, axis, next) in assignment {
            let chart = match next {
                Next::Open => continue,
                Next::Closed(chart) => *chart,
                Next::Begins(tangent, is_forward) => Chart::FromRest(*tangent, *is_forward),
            };
            closed.push(Closed {
                contact: *contact,
                axis: *axis,
                chart,
            });
        }
        let target = place.location(closed);
        let location = self.formulas.flow(&target.modes())?;
        let mut conditions = Vec::new();
        for own in assignment {
            conditions.extend(self.mode_conditions(&target, &location, *own, judge)?);
        }
        Ok((target, Condition::And(conditions)))
    }

    fn mode_conditions(
        &mut self,
        target: &Charted,
        location: &LocationFormulas,
        (contact, axis, next): Alternative<Next>,
        judge: Judge<'_>,
    ) -> Result<Vec<Condition>, Obstacle> {
        let number = target.closed.iter().position(|c| c.contact == contact);
        let Some(number) = number else {
            let velocity = self.formulas.contact(contact, axis)?.normal_velocity;
            let rate = self.rate(velocity, &location.flow);
            return Ok(vec![self.comparison(PARTS, &self.parting(rate), &self.limits())]);
        };
        let own = location.contacts[number];
        let (numbers, limits) = (self.held(location, number), self.limits());
        let mut conditions = vec![self.row(Phase::Flow, Move::Opens, &numbers, &limits).negated()];
        match next {
            Next::Closed(Chart::AtRest) => {
                conditions.push(
                    self.row(Phase::Flow, Move::BreaksAway, &numbers, &limits)
                        .negated(),
                );
            }
            Next::Begins(tangent, is_forward) => {
                let rate = self.rate(own.tangential_velocity[tangent], &location.flow);
                let relation = if is_forward {
                    Relation::Greater
                } else {
                    Relation::Less
                };
                conditions.push(atom(rate, relation));
                // Only where nothing happens across: else the direction is another one.
                let across = self.rate(own.tangential_velocity[1 - tangent], &location.flow);
                let is_straight = judge(&self.formulas.pool(), &atom(across, Relation::Equal)) == Tri::True;
                if !is_straight
                    && judge(&self.formulas.pool(), &Condition::And(conditions.clone())) != Tri::False
                {
                    return obstacle("a contact begins to slide in a direction that is not fixed");
                }
            }
            Next::Closed(Chart::AsItMoves | Chart::Along(..) | Chart::FromRest(..)) | Next::Open => {}
        }
        Ok(conditions)
    }
}

/// Out of the contact node, and on to a smaller one where contacts open: they get a mode, and then press no more.
fn node_route(place: &Charted, assignment: &[Alternative<Next>], moving: &[ContactId]) -> Route {
    let all = assignment.iter().map(|(contact, _, next)| {
        let mode = match next {
            Next::Closed(mode) => *mode,
            Next::Begins(tangent, is_forward) => Chart::FromRest(*tangent, *is_forward),
            Next::Open if moving.contains(contact) => Chart::AsItMoves,
            Next::Open => Chart::AtRest,
        };
        (*contact, mode, *next == Next::Open)
    });
    let route = Route::from(place).settled(all.clone().map(|(contact, mode, _)| (contact, mode)));
    let opens: Vec<(ContactId, Move)> = all
        .clone()
        .filter_map(|(contact, _, opens)| opens.then_some((contact, Move::Opens)))
        .collect();
    if opens.is_empty() {
        return route;
    }
    let staying = all.filter(|(_, _, opens)| !opens);
    route
        .along(&opens)
        .settled(staying.map(|(contact, mode, _)| (contact, mode)))
}
