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
use dyverse_num::Tri;

use super::Judge;
use super::bodies::Alternative;
use super::bodies::{Bodies, atom, never, obstacle};
use super::places::{BodyPlace, Closed, Mode};

/// Slower than this, m/s times the scale of velocities, a slip whose direction is not fixed is not followed.
const SLOW: f64 = 1e-4;

/// Accelerations up to this count as zero, m/s² times their scale, as in a run.
const ACCELERATION: f64 = 1e-9;

/// What a contact of a contact node does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Open,
    Closed(Mode),
    /// From rest, along a tangent.
    Begins(usize, bool),
}

/// The part of the velocity tolerance below which rounding is all that moves.
pub(crate) const STILL: f64 = 1e-3;

impl Bodies<'_> {
    /// The three events of a closed contact: it opens, friction's mode ends, it gets slow.
    pub(crate) fn closed_events(
        &mut self,
        place: &BodyPlace,
        number: usize,
        label: &str,
        events: &mut Vec<Event>,
    ) -> Result<(), Obstacle> {
        let location = self.formulas.flow(&place.modes())?;
        let own = location.contacts[number];
        let closed = place.closed[number];
        let is_frictionless = self
            .formulas
            .contact(closed.contact, closed.axis)?
            .is_frictionless;
        events.push(Event {
            label: format!("{label} opens"),
            when: atom(self.pressed(own.normal_force), Relation::Negative),
        });
        if is_frictionless {
            events.push(never());
            events.push(never());
            return Ok(());
        }
        match closed.mode {
            Mode::Stick => {
                let margin = self.friction_margin(&location, number);
                events.push(Event {
                    label: format!("{label} breaks away"),
                    when: atom(margin, Relation::Negative),
                });
                events.push(never());
            }
            Mode::SlipAlong(tangent, is_forward) | Mode::Departs(tangent, is_forward) => {
                // Against its direction, and not just beginning: it slows down.
                let velocity = own.tangential_velocity[tangent];
                let rate = self.rate(velocity, &location.flow);
                let [stops, slows] = if is_forward {
                    [Relation::NotPositive, Relation::Negative]
                } else {
                    [Relation::NotNegative, Relation::Positive]
                };
                events.push(Event {
                    label: format!("{label} stops sliding"),
                    when: Condition::And(vec![atom(velocity, stops), atom(rate, slows)]),
                });
                events.push(Event {
                    label: format!("{label} leaves its direction of sliding"),
                    when: atom(own.tangential_velocity[1 - tangent], Relation::NotZero),
                });
            }
            Mode::Slip => {
                events.push(never());
                let slow = SLOW * self.formulas.model().scales().velocity;
                let margin = self.faster(own.tangential_velocity, slow);
                events.push(Event {
                    label: format!("{label} slides slowly"),
                    when: atom(margin, Relation::NotPositive),
                });
            }
        }
        Ok(())
    }

    /// A contact that departs does not move back at first.
    pub(crate) fn departures(&mut self, place: &BodyPlace) -> Result<Vec<Constraint>, Obstacle> {
        let location = self.formulas.flow(&place.modes())?;
        let mut known = Vec::new();
        for (closed, own) in place.closed.iter().zip(&location.contacts) {
            if let Mode::Departs(tangent, is_forward) = closed.mode {
                let rate = self.rate(own.tangential_velocity[tangent], &location.flow);
                let relation = if is_forward {
                    Relation::NotNegative
                } else {
                    Relation::NotPositive
                };
                known.push(Constraint { node: rate, relation });
            }
        }
        Ok(known)
    }

    fn rate(&self, node: NodeId, flow: &Flow) -> NodeId {
        self.formulas.with_pool(|pool| flow.rate_of(pool, node))
    }

    /// |v|² − limit² of a velocity in the tangent plane.
    pub(crate) fn faster(&self, [x, y]: [NodeId; 2], limit: f64) -> NodeId {
        self.formulas.with_pool(|pool| {
            let (a, b) = (pool.integer_power(x, 2), pool.integer_power(y, 2));
            let sum = pool.add(a, b);
            let limit = pool.number(limit * limit);
            pool.subtract(sum, limit)
        })
    }

    /// What moves for certain, and so slowly that it counts as at rest, a run brings to rest; here it would go on.
    pub(crate) fn refuse_residual(
        &self,
        contact: usize,
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

    /// λ_N + ε.
    fn pressed(&self, normal_force: NodeId) -> NodeId {
        self.shifted(normal_force, -self.formulas.model().tolerances().force)
    }

    /// (μλ_N + ε)² − λ_T².
    fn friction_margin(&self, location: &LocationFormulas, number: usize) -> NodeId {
        let own = location.contacts[number];
        let tolerance = self.formulas.model().tolerances().force;
        self.formulas.with_pool(|pool| {
            let limit = pool.multiply(own.friction, own.normal_force);
            let more = pool.number(tolerance);
            let limit = pool.add(limit, more);
            let limit = pool.integer_power(limit, 2);
            let [x, y] = own.tangential_force.map(|t| pool.integer_power(t, 2));
            let size = pool.add(x, y);
            pool.subtract(limit, size)
        })
    }

    /// A guard of a closed contact is crossed.
    pub(crate) fn leave(
        &mut self,
        place: &BodyPlace,
        contact: usize,
        guard: usize,
        judge: Judge<'_>,
    ) -> Result<Vec<Jump<BodyPlace>>, Obstacle> {
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
        let with = |mode: Mode| {
            let mut all = others();
            all.push(Closed { mode, ..closed });
            BodyPlace::location(all)
        };
        let always = Condition::Constant(true);
        match (guard, closed.mode) {
            (0, _) => Ok(vec![self.stay("opens", always, BodyPlace::location(others()))]),
            (1, Mode::Stick) => {
                let location = self.formulas.flow(&place.modes())?;
                let [x, y] = location.contacts[number].tangential_force;
                let Some(tangent) = self.only_tangent([x, y], judge) else {
                    return obstacle("a contact breaks away in a direction that is not fixed");
                };
                let force = location.contacts[number].tangential_force[tangent];
                // It slides against the force that held it.
                Ok(vec![
                    self.stay(
                        "slides",
                        atom(force, Relation::Negative),
                        with(Mode::Departs(tangent, true)),
                    ),
                    self.stay(
                        "slides",
                        atom(force, Relation::Positive),
                        with(Mode::Departs(tangent, false)),
                    ),
                ])
            }
            (1, Mode::SlipAlong(tangent, is_forward) | Mode::Departs(tangent, is_forward)) => {
                let sticking = with(Mode::Stick);
                let location = self.formulas.flow(&sticking.modes())?;
                let place_there = sticking
                    .closed
                    .iter()
                    .position(|c| c.contact == contact)
                    .unwrap_or(0);
                let margin = self.friction_margin(&location, place_there);
                let back = Mode::Departs(tangent, !is_forward);
                Ok(vec![
                    self.stay("sticks", atom(margin, Relation::NotNegative), sticking),
                    self.stay("slides back", atom(margin, Relation::Negative), with(back)),
                ])
            }
            (2, Mode::Slip) => obstacle("a sliding contact gets slow in a direction that is not fixed"),
            _ => Ok(Vec::new()),
        }
    }

    /// The tangent along which something is, if it is exactly nothing along the other.
    fn only_tangent(&self, parts: [NodeId; 2], judge: Judge<'_>) -> Option<usize> {
        let is_nothing =
            |node: NodeId| judge(&self.formulas.pool(), &atom(node, Relation::Zero)) == Tri::True;
        match parts.map(is_nothing) {
            [_, true] => Some(0),
            [true, false] => Some(1),
            _ => None,
        }
    }

    /// Every assignment of modes to contacts that touch and do not move apart.
    pub(crate) fn contact_node(
        &mut self,
        place: &BodyPlace,
        contacts: &[usize],
        judge: Judge<'_>,
    ) -> Result<Vec<Jump<BodyPlace>>, Obstacle> {
        let tolerance = self.formulas.model().tolerances().velocity;
        let mut alternatives: Vec<Vec<Alternative<Next>>> = Vec::new();
        for contact in contacts {
            let axis = self.axis(*contact, judge)?;
            let formulas = self.formulas.contact(*contact, axis)?;
            let mut ways = vec![Next::Open];
            if formulas.is_frictionless {
                ways.push(Next::Closed(Mode::Slip));
            } else {
                let [x, y] = formulas.tangential_velocity;
                let rests = atom(self.faster([x, y], tolerance), Relation::NotPositive);
                let tangent = self.only_tangent([x, y], judge);
                let resting = judge(&self.formulas.pool(), &rests);
                if resting == Tri::True {
                    let still = atom(self.faster([x, y], STILL * tolerance), Relation::NotPositive);
                    self.refuse_residual(*contact, "slides", &still, judge)?;
                }
                if resting != Tri::False {
                    ways.push(Next::Closed(Mode::Stick));
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
                            let forward = atom([x, y][t], Relation::Positive);
                            let ahead = judge(&self.formulas.pool(), &forward);
                            if ahead != Tri::False {
                                ways.push(Next::Closed(Mode::SlipAlong(t, true)));
                            }
                            if ahead != Tri::True {
                                ways.push(Next::Closed(Mode::SlipAlong(t, false)));
                            }
                        }
                        None => ways.push(Next::Closed(Mode::Slip)),
                    }
                }
            }
            alternatives.push(ways.iter().map(|way| (*contact, axis, *way)).collect());
        }
        let lasting: Vec<usize> = place.closed.iter().map(|c| c.contact).collect();
        let is_open = |next: &Next| *next == Next::Open;
        let assignments = self.assigned(&alternatives, &lasting, &is_open, |bodies, own, beside| {
            let is_beside = |c: &&Closed| beside.contains(&c.contact);
            let lasting = place.closed.iter().filter(is_beside).copied().collect();
            match bodies.assignment(lasting, own, judge) {
                Ok((_, when)) => judge(&bodies.formulas.pool(), &when) != Tri::False,
                Err(_) => true,
            }
        })?;
        let mut jumps = Vec::new();
        for assignment in assignments {
            let (target, when) = self.assignment(place.closed.clone(), &assignment, judge)?;
            jumps.push(self.stay("stays", when, target));
        }
        Ok(jumps)
    }

    /// Where an assignment of modes leads, and when it is the one.
    fn assignment(
        &mut self,
        mut closed: Vec<Closed>,
        assignment: &[Alternative<Next>],
        judge: Judge<'_>,
    ) -> Result<(BodyPlace, Condition), Obstacle> {
        for (contact, axis, next) in assignment {
            let mode = match next {
                Next::Open => continue,
                Next::Closed(mode) => *mode,
                Next::Begins(tangent, is_forward) => Mode::Departs(*tangent, *is_forward),
            };
            closed.push(Closed {
                contact: *contact,
                axis: *axis,
                mode,
            });
        }
        let target = BodyPlace::location(closed);
        let location = self.formulas.flow(&target.modes())?;
        let mut conditions = Vec::new();
        for own in assignment {
            conditions.extend(self.mode_conditions(&target, &location, *own, judge)?);
        }
        Ok((target, Condition::And(conditions)))
    }

    fn mode_conditions(
        &mut self,
        target: &BodyPlace,
        location: &LocationFormulas,
        (contact, axis, next): Alternative<Next>,
        judge: Judge<'_>,
    ) -> Result<Vec<Condition>, Obstacle> {
        let number = target.closed.iter().position(|c| c.contact == contact);
        let Some(number) = number else {
            let velocity = self.formulas.contact(contact, axis)?.normal_velocity;
            let rate = self.rate(velocity, &location.flow);
            return Ok(vec![atom(
                self.shifted(rate, ACCELERATION * self.formulas.model().scales().acceleration),
                Relation::Positive,
            )]);
        };
        let own = location.contacts[number];
        let mut conditions = vec![atom(self.pressed(own.normal_force), Relation::NotNegative)];
        match next {
            Next::Closed(Mode::Stick) => {
                conditions.push(atom(
                    self.friction_margin(location, number),
                    Relation::NotNegative,
                ));
            }
            Next::Begins(tangent, is_forward) => {
                let rate = self.rate(own.tangential_velocity[tangent], &location.flow);
                let relation = if is_forward {
                    Relation::Positive
                } else {
                    Relation::Negative
                };
                conditions.push(atom(rate, relation));
                // Only where nothing happens across: else the direction is another one.
                let across = self.rate(own.tangential_velocity[1 - tangent], &location.flow);
                let is_straight = judge(&self.formulas.pool(), &atom(across, Relation::Zero)) == Tri::True;
                if !is_straight
                    && judge(&self.formulas.pool(), &Condition::And(conditions.clone())) != Tri::False
                {
                    return obstacle("a contact begins to slide in a direction that is not fixed");
                }
            }
            Next::Closed(Mode::Slip | Mode::SlipAlong(..) | Mode::Departs(..)) | Next::Open => {}
        }
        Ok(conditions)
    }
}
