//! The switches of loads, and of friction, along a step: where the first of them turns, and what happens there.
//!
//! | a surface | is watched by |
//! |---|---|
//! | on one side of which the motion is | ±d, on the step's polynomials: two crossings in one step are not missed |
//! | of `floor` | the distances to both integers |
//! | along which the motion goes | α and 1 − α: leaving |
//! | on which the motion stays with the decision's own value | whether d stays 0; if not, the step is made again on the side to which it goes |
//! | of friction over the slip speed s | s and the edges of its band (curve.rs), while the contact slips |
//! | that hangs on time alone | nothing: steps end where it turns (timeline.rs) |
//!
//! Where intervals show that a d is not 0 it is not searched; what is left is searched in ever smaller pieces (isolate.rs), so that regions far narrower than the step are seen.
//!
//! At a turn the step ends, the cluster of the island goes through the contact node, because forces jump, and switches find out how they stand (switches.rs).

use crate::crossing::{Found, first_downward};
use crate::index::{ContactIx, GroupIx, IslandIx};
use crate::island::{Evaluation, Fault, Island};
use crate::isolate::{Quantity, first_isolated, first_through};
use crate::loads::{STATE, Source, Stand};
use crate::queue::{Coming, Entry};
use crate::run::{Halt, Run};
use crate::sliding::SurfaceId;
use crate::switches::{Hint, ROUNDINGS, watched};
use crate::system::System;
use crate::timeline::is_timed;
use dyverse_num::Interval;
use dyverse_trace::StopReason;
use std::collections::BTreeSet;

/// Places of a step at which it is looked whether d stays 0.
const LOOKS: u32 = 16;
/// Parts of motion along a surface start within this of their limits on the limit.
const PART_LEVEL: f64 = 1e-12;
/// How well they are known.
const PART_NOISE: f64 = 1e-13;
/// How far beyond its rounding d has left 0.
const HAS_LEFT: f64 = 8.0;

/// A watched quantity: crossed from above, it turns a switch.
#[derive(Clone, Copy, Debug)]
struct Watched {
    id: SurfaceId,
    kind: Kind,
    is_plain: bool,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// sign · (d − level).
    Side { sign: f64, level: f64 },
    /// α, or 1 − α: the distance from leaving to a side.
    Part { is_high: bool, to: f64 },
}

impl Run<'_> {
    /// Predicts the first turn of a switch in an island's present step: it was found with the step.
    pub(crate) fn predict_switches(&mut self, id: IslandIx) {
        let turning = self.islands[id].as_ref().and_then(|island| {
            let (time, _) = island.turning.as_ref()?;
            Some((*time, island.version))
        });
        if let Some((time, version)) = turning {
            self.queue.push(Entry {
                time,
                coming: Coming::Switch { island: id },
                versions: (version, 0),
            });
        }
    }

    fn watched_of(&self, island: &Island) -> Vec<Watched> {
        let mut all = Vec::new();
        for group in self.system.switching(&island.entities) {
            let loads = &self.system.loads[group];
            let Some(Some(stands)) = self.evaluation.stands.get(group) else {
                continue;
            };
            for (surface, stand) in stands.stands.iter().enumerate() {
                let known = &loads.surfaces()[surface];
                if !known.moves || !stands.live[surface] || is_timed(loads, surface) {
                    continue;
                }
                let id = SurfaceId::Load(group, surface);
                let of = |kind: Kind| Watched {
                    id,
                    kind,
                    is_plain: known.is_plain,
                };
                match *stand {
                    Stand::Along { low, high, .. } => {
                        for (is_high, to) in [(false, low), (true, high)] {
                            all.push(of(Kind::Part { is_high, to }));
                        }
                    }
                    // Looked at when the step was made.
                    Stand::On(0.0) if !known.is_floor => {}
                    stand => {
                        let sides = watched(known.is_floor, stand).into_iter();
                        all.extend(sides.map(|(sign, level)| of(Kind::Side { sign, level })));
                    }
                }
            }
        }
        for active in island.active.iter().filter(|a| a.slides.is_some()) {
            let curve = self.system.contact(active.contact).curve();
            let (Some(curve), Some(grip)) = (curve, self.evaluation.grip(active.contact)) else {
                continue;
            };
            let of = |kind: Kind| Watched {
                id: SurfaceId::Slip(active.contact),
                kind,
                is_plain: true,
            };
            match grip {
                Stand::Along { low, high, .. } => {
                    let parts = [(false, low), (true, high)].into_iter();
                    all.extend(parts.map(|(is_high, to)| of(Kind::Part { is_high, to })));
                }
                Stand::On(band) => {
                    let (below, above) = curve.ends(band as usize);
                    let ends = below.map(|level| (1.0, level)).into_iter().chain([(-1.0, above)]);
                    all.extend(ends.map(|(sign, level)| of(Kind::Side { sign, level })));
                }
            }
        }
        all
    }

    /// The first turn of a switch in an island's present step, with the surfaces that are crossed there.
    pub(crate) fn first_switch(&mut self, island: &Island) -> Result<Option<(f64, Vec<Hint>)>, Halt> {
        if !self.system.has_switches {
            return Ok(None);
        }
        let watched = self.watched_of(island);
        if watched.is_empty() {
            return Ok(None);
        }
        let (from, to) = (island.step().t0(), island.step().t1());
        self.evaluation.anchor = from;
        let mut best: Option<(f64, Vec<Hint>)> = None;
        let mut values = Values {
            system: &self.system,
            evaluation: &mut self.evaluation,
            island,
            relative: self.options.flow.relative,
            known: Vec::new(),
            fault: None,
        };
        let mut lost = None;
        for one in &watched {
            let until = best.as_ref().map_or(to, |(t, _)| *t);
            let found = match one.kind {
                Kind::Part { .. } => {
                    first_downward(&mut |t| values.at(t, one), (from, until), PART_LEVEL, PART_NOISE)
                }
                Kind::Side { sign, level } => {
                    let mut side = Side {
                        values: &mut values,
                        one,
                        sign,
                        level,
                    };
                    match one.id {
                        SurfaceId::Load(..) => first_isolated(&mut side, (from, until), one.is_plain),
                        // The slip speed is as smooth as the motion.
                        SurfaceId::Slip(_) => first_through(&mut side, from, until),
                    }
                }
            };
            let hint = Hint {
                id: one.id,
                leaves_to: match one.kind {
                    Kind::Part { to, .. } => Some(to),
                    Kind::Side { .. } => None,
                },
            };
            match found {
                Found::None => {}
                Found::At(t) => match &mut best {
                    Some((first, hints)) if *first == t => hints.push(hint),
                    _ => best = Some((t, vec![hint])),
                },
                Found::NotIsolated => {
                    lost = Some(StopReason::CrossingNotIsolated {
                        of: values.system.switch_name(one.id),
                    });
                    break;
                }
            }
        }
        if let Some(fault) = values.fault.take() {
            return Err(self.fault(fault, from));
        }
        lost.map_or(Ok(best), Err)
    }

    /// A switch of an island's loads turns.
    pub(crate) fn turn(&mut self, t: f64, island: IslandIx) -> Result<(), Halt> {
        let Some(own) = &self.islands[island] else {
            return Ok(());
        };
        self.switching.hints = own
            .turning
            .as_ref()
            .map_or(Vec::new(), |(_, hints)| hints.clone());
        self.note_switch(t);
        let cluster = self.gather(t, BTreeSet::from([island]), 0.0)?;
        self.resolve_cluster(t, cluster, false)
    }

    /// Whether a switch of an island turns at `t` that hangs on time alone, or may because an input's table has a kink there.
    pub(crate) fn turns_in_time(&mut self, island: IslandIx, t: f64) -> bool {
        if !self.system.has_switches {
            return false;
        }
        let Some(own) = &self.islands[island] else {
            return false;
        };
        let groups: Vec<GroupIx> = self.system.switching(&own.entities).collect();
        let is_kink = self.system.inputs.breaks.next(t.next_down()) == Some(t);
        let turns = groups.iter().any(|group| self.is_due(*group, t));
        if turns {
            self.switching.hints.clear();
            self.note_switch(t);
        }
        turns || is_kink && !groups.is_empty()
    }

    /// A surface on which the motion was to stay in the step just made and does not: with the side that it goes to.
    pub(crate) fn leaves_surface(&mut self, island: &Island) -> Option<(SurfaceId, f64)> {
        if !self.system.has_switches {
            return None;
        }
        let step = island.step();
        let mut x = vec![0.0; step.dimension()];
        let mut values = Vec::new();
        for group in self.system.switching(&island.entities) {
            let loads = &self.system.loads[group];
            let Some(Some(stands)) = self.evaluation.stands.get(group) else {
                continue;
            };
            let rests = |surface: &usize| {
                let known = &loads.surfaces()[*surface];
                let is_on = stands.stands[*surface] == Stand::On(0.0);
                is_on && known.moves && !known.is_floor && stands.live[*surface]
            };
            let resting: Vec<usize> = (0..stands.stands.len()).filter(rests).collect();
            if resting.is_empty() {
                continue;
            }
            for look in 1..=LOOKS {
                let t = step.t0() + (step.t1() - step.t0()) * f64::from(look) / f64::from(LOOKS);
                step.evaluate(t, &mut x);
                let at = self.evaluation.moment(&self.system, &island.entities, t, &x);
                let noise = self.system.noise(group, t, &at.state);
                loads.evaluate(|id| at.value(id), stands, 0, |d| *d, &mut values);
                for surface in &resting {
                    let d = *loads.tape().quantity(&values, *surface);
                    if d.abs() > HAS_LEFT * noise[*surface] {
                        return Some((SurfaceId::Load(group, *surface), d.signum()));
                    }
                }
            }
        }
        None
    }
}

/// A distance from a surface along a step.
struct Side<'v, 'r, 'm> {
    values: &'v mut Values<'r, 'm>,
    one: &'v Watched,
    sign: f64,
    level: f64,
}

impl Quantity for Side<'_, '_, '_> {
    fn range(&mut self, from: f64, to: f64) -> Interval {
        let SurfaceId::Load(group, surface) = self.one.id else {
            return Interval::ENTIRE;
        };
        let d = self.values.range((from, to), group, surface);
        Interval::point(self.sign) * (d - Interval::point(self.level))
    }

    fn at(&mut self, t: f64) -> f64 {
        self.values.at(t, self.one)
    }

    fn noise(&mut self, from: f64, to: f64) -> f64 {
        let mut most = 0.0_f64;
        for t in [from, to] {
            let noise = match self.one.id {
                SurfaceId::Load(group, surface) => {
                    self.values.number((t, Asked::Noise(group)), surface, |this, x| {
                        let at = this.evaluation.moment(this.system, &this.island.entities, t, x);
                        this.system.noise(group, t, &at.state)
                    })
                }
                SurfaceId::Slip(contact) => self.values.slip(t, contact).1,
            };
            // Beyond a surface something may have no value.
            most = if noise.is_finite() { most.max(noise) } else { most };
        }
        most
    }

    fn wrong(&self) -> f64 {
        1.0 + self.values.relative / ROUNDINGS
    }
}

/// Watched quantities along a step; each moment is evaluated once.
struct Values<'r, 'm> {
    system: &'r System<'m>,
    evaluation: &'r mut Evaluation,
    island: &'r Island,
    /// What the flow may leave of a number, part of it.
    relative: f64,
    /// By time: numbers by surface.
    known: Vec<(u64, Asked, Vec<f64>)>,
    fault: Option<Fault>,
}

/// What numbers are asked for; parts are those of all groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Distance(GroupIx),
    Noise(GroupIx),
    Part,
    Slip,
}

impl Values<'_, '_> {
    /// The values of d between two times: those of its formula on a box around the motion, from its middle and how fast it is at the most.
    fn range(&self, (from, to): (f64, f64), group: GroupIx, surface: usize) -> Interval {
        let loads = &self.system.loads[group];
        let Some(Some(stands)) = self.evaluation.stands.get(group) else {
            return Interval::ENTIRE;
        };
        let step = self.island.step();
        let mut x = vec![0.0; step.dimension()];
        step.evaluate(0.5 * (from + to), &mut x);
        let span = |a: f64, b: f64| Interval::new(a, b).unwrap_or(Interval::ENTIRE);
        let part = if step.span() > 0.0 {
            (to - from) / step.span()
        } else {
            0.0
        };
        let around = |place: usize| {
            // Polynomials of Legendre are below 1.
            let most: f64 = step.slope_coefficients(place).iter().map(|c| c.abs()).sum();
            let off = 0.5 * part * most + 4.0 * f64::EPSILON * x[place].abs();
            span(x[place] - off, x[place] + off)
        };
        let moment = |t: f64| {
            let at = self.evaluation.moment(self.system, &self.island.entities, t, &x);
            move |id| at.value(id)
        };
        let (first, last) = (moment(from), moment(to));
        let symbol = |id| match self.system.sources.source(id) {
            Source::State(entity, component) => match self.island.entities.binary_search(&entity) {
                Ok(place) => Some(around(STATE * place + component)),
                Err(_) => first(id).map(Interval::point),
            },
            // Time, and inputs, which are linear in a step.
            _ => Some(Interval::point(first(id)?).hull(&Interval::point(last(id)?))),
        };
        let mut values = Vec::new();
        loads.evaluate(
            symbol,
            stands,
            0,
            |d: &Interval| d.mid().unwrap_or(0.0),
            &mut values,
        );
        *loads.tape().quantity(&values, surface)
    }

    fn at(&mut self, t: f64, one: &Watched) -> f64 {
        match one.kind {
            Kind::Side { sign, level } => {
                let (group, surface) = match one.id {
                    SurfaceId::Load(group, surface) => (group, surface),
                    SurfaceId::Slip(contact) => return sign * (self.slip(t, contact).0 - level),
                };
                let d = self.number((t, Asked::Distance(group)), surface, |this, x| {
                    let loads = &this.system.loads[group];
                    let Some(Some(stands)) = this.evaluation.stands.get(group) else {
                        return Vec::new();
                    };
                    let at = this.evaluation.moment(this.system, &this.island.entities, t, x);
                    let (mut values, mut decided) = (Vec::new(), Vec::new());
                    loads.evaluate(|id| at.value(id), stands, 0, |d| *d, &mut values);
                    let all = 0..loads.surfaces().len();
                    let mut found: Vec<f64> = all.map(|s| *loads.tape().quantity(&values, s)).collect();
                    if found.iter().any(|d| !d.is_finite()) {
                        // Beyond a surface a frozen branch need not exist.
                        loads.decide(&at, &mut decided);
                        for (s, d) in found.iter_mut().enumerate().filter(|(_, d)| !d.is_finite()) {
                            *d = *loads.tape().quantity(&decided, s);
                        }
                    }
                    found
                });
                sign * (d - level)
            }
            Kind::Part { is_high, .. } => {
                let place = self
                    .evaluation
                    .along(self.system, &self.island.entities, &self.island.active)
                    .iter()
                    .position(|id| *id == one.id)
                    .unwrap_or(0);
                let part = self.number((t, Asked::Part), place, |this, x| {
                    let mut dx = vec![0.0; x.len()];
                    let (entities, active) = (&this.island.entities, &this.island.active);
                    let made = this
                        .evaluation
                        .right_hand_side(this.system, entities, active, t, x, &mut dx);
                    if let Err(fault) = made {
                        this.fault = Some(fault);
                    }
                    let along = this.evaluation.along(this.system, entities, active);
                    along.iter().map(|id| this.evaluation.part(*id)).collect()
                });
                if is_high { 1.0 - part } else { part }
            }
        }
    }

    /// The slip speed of a closed contact, and its rounding. Beyond dg_T = 0, where motion is only made up, it goes on below 0.
    fn slip(&mut self, t: f64, contact: ContactIx) -> (f64, f64) {
        let place = self.island.active.iter().position(|a| a.contact == contact);
        let place = place.unwrap_or(usize::MAX / 2);
        let speeds = |this: &mut Self, x: &[f64]| {
            let island = this.island;
            let made = this
                .evaluation
                .unloaded(this.system, &island.entities, island.contacts(), x);
            if let Err(fault) = made {
                this.fault = Some(fault);
                return Vec::new();
            }
            let mut found = Vec::with_capacity(2 * island.active.len());
            for (number, active) in island.active.iter().enumerate() {
                let [u, v] = this.evaluation.kinematics[number].tangential_velocity;
                let is_turned = matches!(active.slides, Some(e) if u * e[0] + v * e[1] < 0.0);
                let speed = u.hypot(v);
                found.push(if is_turned { -speed } else { speed });
                found.push(this.evaluation.slip_noise(this.system, &island.entities, number));
            }
            found
        };
        let speed = self.number((t, Asked::Slip), 2 * place, speeds);
        (speed, self.number((t, Asked::Slip), 2 * place + 1, speeds))
    }

    fn number(
        &mut self,
        (t, asked): (f64, Asked),
        place: usize,
        evaluate: impl FnOnce(&mut Self, &[f64]) -> Vec<f64>,
    ) -> f64 {
        let key = t.to_bits();
        let is_it = |known: &&(u64, Asked, Vec<f64>)| (known.0, known.1) == (key, asked);
        if let Some((_, _, numbers)) = self.known.iter().rev().find(is_it) {
            return numbers.get(place).copied().unwrap_or(f64::NAN);
        }
        let mut x = vec![0.0; STATE * self.island.entities.len()];
        self.island.step().evaluate(t, &mut x);
        let numbers = evaluate(self, &x);
        let number = numbers.get(place).copied().unwrap_or(f64::NAN);
        self.known.push((key, asked, numbers));
        number
    }
}
