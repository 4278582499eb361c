//! How the switches of loads, and of friction over the slip speed, stand after an event.
//!
//! Decisions in loads are frozen between events. At an event every surface d = 0 of a decision is looked at anew: one that d is away from stands on the side of d; one that hangs on time alone
//! on the side that comes next (timeline.rs); one on which the motion is now, because it got there or begins there, is *open*. For the open ones of a component (groups whose
//! loads or contacts depend on each other) the first consistent choice is taken:
//!
//! | choice | consistent if, with the loads and contact forces of the choice |
//! |---|---|
//! | high, low | d rises, falls: by ḋ, where that is 0 by d̈ |
//! | along | on each side d moves to the other one, and a mix 0 ≤ α ≤ 1 keeps it at 0 (sliding.rs) |
//! | on | it stays at 0 with the decision's own value there |
//!
//! Passing through is tried first for a surface that was crossed, going along for one on which the motion begins. Contact forces are those of the contact node, so that sticking contacts
//! may break away and closed ones open as the loads jump.
//!
//! Of friction the open ones are the edges that a slip speed is on (curve.rs): high and low are the bands above and below.
//!
//! # Accumulations
//! Surfaces that are crossed again and again without time passing, or in steps that shrink to nothing, are taken as open together, as those on which the motion ends up. If no motion
//! goes along them, the run stops and names them.

use crate::impact::Cluster;
use crate::index::{ContactIx, GroupIx, IndexVec};
use crate::island::pack_all;
use crate::loads::{At, GroupLoads, MOST_ALONG, Order, Stand, Stands};
use crate::run::{Halt, Run};
use crate::sliding::{SurfaceId, solve};
use crate::timeline::{Ahead, is_timed};
use dyverse_expr::SymbolId;
use dyverse_model::EntityId;
use dyverse_num::Dual;
use dyverse_trace::StopReason;
use std::collections::{BTreeMap, VecDeque};

/// Rounding of a value, part of the largest number that it was added up from.
pub(crate) const ROUNDINGS: f64 = 16.0 * f64::EPSILON;
/// What counts as 0 of a rate, part of what it is added up from: rounding, and what the solver of contact forces leaves.
const RATE: f64 = 1e-12;
const RATE_IN_CONTACT: f64 = 1e-9;
/// How far from a surface the motion along it may be, part of what d is added up from.
const STRAYED: f64 = 1e-8;
/// Open surfaces whose choices are tried in all combinations.
const MOST_COMBINED: usize = 4;
/// Times that the open surfaces are looked for anew: decisions may hang on decisions.
const MOST_LOOKS: usize = 8;
/// Switches of a group in a row that make an accumulation ...
const RUSH: usize = 32;
/// ... if they lie within this part of the run.
const RUSHING: f64 = 1e-9;
/// Accumulations in a run, at the most.
const MOST_RUSHES: usize = 1000;

/// What is known of the switches of a run.
#[derive(Debug, Default)]
pub(crate) struct Switching {
    /// Surfaces that the event at hand is about.
    pub(crate) hints: Vec<Hint>,
    /// For each group: how far nothing turns that hangs on time alone.
    pub(crate) ahead: IndexVec<GroupIx, Option<Ahead>>,
    /// How far it is searched at all, s.
    pub(crate) end: f64,
    /// The longest stretch that is searched at once, s; a step of loads that are no polynomials is no longer.
    pub(crate) stretch: f64,
    /// The length of the run, s.
    pub(crate) span: f64,
    /// For each group, and each contact whose friction switched: the last switches.
    recent: BTreeMap<SurfaceId, VecDeque<(f64, Vec<SurfaceId>)>>,
    rushes: usize,
}

impl Switching {
    pub(crate) fn new(groups: usize, (start, end): (f64, f64), stretch: f64) -> Self {
        Switching {
            ahead: vec![None; groups].into(),
            end,
            stretch,
            span: end - start,
            ..Switching::default()
        }
    }
}

/// Why a surface is looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hint {
    pub(crate) id: SurfaceId,
    /// The side that motion along it leaves to; none: it is crossed.
    pub(crate) leaves_to: Option<f64>,
}

/// A surface on which the motion is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Open {
    pub(crate) id: SurfaceId,
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// The side it is crossed from, if it is.
    pub(crate) from: Option<f64>,
    /// Whether it was crossed too often: only going along it is left.
    pub(crate) is_rushed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Choice {
    High,
    Low,
    Along,
    On,
}

/// A component under trial.
struct Trial<'a> {
    t: f64,
    cluster: &'a Cluster,
    staying: &'a [ContactIx],
    x: Vec<f64>,
}

/// How d of an open surface moves.
#[derive(Clone, Copy, Debug)]
struct Moves {
    first: f64,
    second: f64,
    /// What counts as 0 of them.
    nothing: (f64, f64),
}

impl Moves {
    /// The sign of the first of the derivatives that is not 0.
    fn sign(&self) -> f64 {
        if self.first.abs() > self.nothing.0 {
            self.first.signum()
        } else if self.second.abs() > self.nothing.1 {
            self.second.signum()
        } else {
            0.0
        }
    }
}

impl Run<'_> {
    /// Finds how the switches of a cluster's loads stand from here on, with the contacts that stay closed.
    pub(crate) fn settle(&mut self, t: f64, cluster: &Cluster, staying: &[ContactIx]) -> Result<(), Halt> {
        if !self.system.has_switches {
            return Ok(());
        }
        let groups: Vec<GroupIx> = self.system.switching(&cluster.entities).collect();
        let has_edges = |id: &&ContactIx| self.system.contact(**id).curve().is_some();
        let slips: Vec<ContactIx> = staying.iter().filter(has_edges).copied().collect();
        if groups.is_empty() && slips.is_empty() {
            return Ok(());
        }
        self.evaluation.anchor = t;
        let slips = self.slips(t, cluster, staying, slips)?;
        let trial = Trial {
            t,
            cluster,
            staying,
            x: pack_all(&cluster.states),
        };
        let owners = groups.iter().map(|group| SurfaceId::Load(*group, 0));
        let owners: Vec<SurfaceId> = owners
            .chain(slips.iter().map(|slip| SurfaceId::Slip(slip.contact)))
            .collect();
        let rushed = self.rushed(t, &owners);
        let mut chosen: BTreeMap<SurfaceId, Stand> = BTreeMap::new();
        let before: Vec<Option<Stands>> = groups
            .iter()
            .map(|group| self.evaluation.stands[*group].clone())
            .collect();
        for _ in 0..MOST_LOOKS {
            let mut open = Vec::new();
            for (group, before) in groups.iter().zip(&before) {
                self.switching.ahead[*group] = None;
                open.extend(self.stand(&trial, *group, before.as_ref(), &chosen, &rushed));
            }
            open.extend(
                slips
                    .iter()
                    .filter_map(|slip| self.stand_of_slip(slip, &chosen, &rushed)),
            );
            if open.is_empty() {
                break;
            }
            for part in self.apart(&trial, open) {
                self.choose(&trial, &part)?;
                for open in part {
                    if let Some(stand) = self.evaluation.stand(open.id) {
                        chosen.insert(open.id, stand);
                    }
                }
            }
        }
        self.switching
            .hints
            .retain(|hint| !owners.contains(&hint.id.owner()));
        Ok(())
    }

    /// Counts a switch of some surfaces; time may have stood still.
    pub(crate) fn note_switch(&mut self, t: f64) {
        self.recorder.statistics.switches += 1;
        let mut by_owner: BTreeMap<SurfaceId, Vec<SurfaceId>> = BTreeMap::new();
        for hint in &self.switching.hints {
            by_owner.entry(hint.id.owner()).or_default().push(hint.id);
        }
        for (owner, surfaces) in by_owner {
            let recent = self.switching.recent.entry(owner).or_default();
            recent.push_back((t, surfaces));
            if recent.len() > RUSH {
                recent.pop_front();
            }
        }
    }

    /// Surfaces that are crossed again and again without time passing.
    fn rushed(&mut self, t: f64, owners: &[SurfaceId]) -> Vec<SurfaceId> {
        let mut found = Vec::new();
        for owner in owners {
            let Some(recent) = self.switching.recent.get_mut(owner) else {
                continue;
            };
            let begun = recent.front().map_or(t, |(begun, _)| *begun);
            if recent.len() < RUSH || t - begun > RUSHING * self.switching.span {
                continue;
            }
            found.extend(recent.drain(..).flat_map(|(_, surfaces)| surfaces));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// How the surfaces of a group stand as far as that is clear; gives the open ones.
    fn stand(
        &mut self,
        trial: &Trial<'_>,
        group: GroupIx,
        before: Option<&Stands>,
        chosen: &BTreeMap<SurfaceId, Stand>,
        rushed: &[SurfaceId],
    ) -> Vec<Open> {
        let entities = &trial.cluster.entities;
        let at = self.evaluation.moment(&self.system, entities, trial.t, &trial.x);
        let loads = &self.system.loads[group];
        let count = loads.surfaces().len();
        let mut stands = Stands {
            stands: vec![Stand::On(0.0); count],
            live: vec![true; count],
        };
        self.stand_in_time(group, trial.t, &mut stands);
        let noise = self.system.noise(group, trial.t, &at.state);
        let hint = |surface: usize| {
            let mut all = self.switching.hints.iter();
            all.find(|hint| hint.id == SurfaceId::Load(group, surface))
        };
        let mut open: Vec<Open> = Vec::new();
        let mut decided = stands.stands.clone();
        let mut values = Vec::new();
        loads.tape().evaluate(
            |id| at.value(id),
            |surface, d: &f64| {
                if !loads.surfaces()[surface].moves {
                    return loads.tape().side_of(surface, *d);
                }
                if is_timed(loads, surface) {
                    return side(decided[surface]);
                }
                let id = SurfaceId::Load(group, surface);
                if let Some(stand) = chosen.get(&id) {
                    decided[surface] = *stand;
                    return side(*stand);
                }
                if let Some(to) = hint(surface).and_then(|hint| hint.leaves_to) {
                    decided[surface] = Stand::On(to);
                    return to;
                }
                let is_floor = loads.surfaces()[surface].is_floor;
                let level = if is_floor { d.round() } else { 0.0 };
                let was = before.map(|stands| stands.stands[surface]);
                let was_along = was.is_some_and(|stand| stand.is_along());
                let is_rushed = rushed.contains(&id);
                let near = if was_along {
                    STRAYED / ROUNDINGS * noise[surface]
                } else {
                    noise[surface]
                };
                let is_open = (d - level).abs() <= near || hint(surface).is_some() || is_rushed;
                if !is_open {
                    let found = loads.tape().side_of(surface, *d);
                    decided[surface] = Stand::On(found);
                    return found;
                }
                let (low, high) = if is_floor {
                    (level - 1.0, level)
                } else {
                    (-1.0, 1.0)
                };
                let from = match was {
                    Some(Stand::On(from)) if from == low || from == high => Some(from),
                    _ => None,
                };
                // For the time being it is where it was, or on the surface with the decision's own value.
                let own = if is_floor { level } else { 0.0 };
                decided[surface] = Stand::On(from.unwrap_or(own));
                if open.iter().all(|open| open.id != id) {
                    open.push(Open {
                        id,
                        low,
                        high,
                        from: from.filter(|_| hint(surface).is_some()),
                        is_rushed,
                    });
                }
                from.unwrap_or(own)
            },
            &mut values,
        );
        stands.stands = decided;
        stands.live = live(loads, &at, &stands);
        open.retain(|open| matches!(open.id, SurfaceId::Load(_, surface) if stands.live[surface]));
        self.evaluation.stands[group] = Some(stands);
        open
    }

    /// Open surfaces in parts that do not depend on each other.
    fn apart(&self, trial: &Trial<'_>, open: Vec<Open>) -> Vec<Vec<Open>> {
        let entities = &trial.cluster.entities;
        let parts = self.system.parts(entities, trial.staying.iter().copied());
        let is_in = |open: &Open, part: &[usize]| match open.id {
            SurfaceId::Load(group, _) => part
                .iter()
                .any(|p| self.system.bodies[entities[*p]].group == Some(group)),
            SurfaceId::Slip(contact) => {
                let (a, b) = self.system.contact(contact).entities();
                part.iter().any(|p| [a, b].contains(&entities[*p]))
            }
        };
        let mut found: Vec<Vec<Open>> = Vec::new();
        for part in parts {
            let mine: Vec<Open> = open.iter().filter(|o| is_in(o, &part)).copied().collect();
            if !mine.is_empty() {
                found.push(mine);
            }
        }
        found
    }

    /// Takes the first consistent choice for the open surfaces of a component.
    fn choose(&mut self, trial: &Trial<'_>, open: &[Open]) -> Result<(), Halt> {
        let mut failed = None;
        let mut ranked: Vec<Vec<Choice>> = Vec::with_capacity(open.len());
        for one in open {
            ranked.push(self.choices(trial, one, &mut failed));
        }
        if open.len() <= MOST_COMBINED {
            for choice in combinations(&ranked) {
                if self.is_consistent(trial, open, &choice, &mut failed) {
                    return self.check_count(open);
                }
            }
        } else if self.choose_one_by_one(trial, open, &ranked, &mut failed) {
            return self.check_count(open);
        }
        if let Some(halt) = failed {
            return Err(halt);
        }
        if open.iter().any(|one| one.is_rushed) {
            return Err(self.switching_stop(
                open,
                "they turn without end, and no mix of their sides keeps the motion on their surfaces",
            ));
        }
        // Nothing is clear at once: the likeliest, and what follows will tell.
        let likeliest = ranked.iter().map(|ranked| match ranked[0] {
            Choice::Along => Choice::On,
            other => other,
        });
        self.set(open, &likeliest.collect::<Vec<_>>());
        Ok(())
    }

    fn check_count(&mut self, open: &[Open]) -> Result<(), Halt> {
        if open.iter().any(|one| one.is_rushed) {
            self.switching.rushes += 1;
            if self.switching.rushes > MOST_RUSHES {
                return Err(self.switching_stop(open, "it does not end"));
            }
        }
        for one in open {
            let SurfaceId::Load(group, _) = one.id else {
                continue;
            };
            let along = self.evaluation.stands[group].as_ref();
            if along.is_some_and(|stands| stands.along().count() > MOST_ALONG) {
                return Err(self.switching_stop(
                    open,
                    &format!("motion along more than {MOST_ALONG} surfaces at once is not followed"),
                ));
            }
        }
        Ok(())
    }

    fn switching_stop(&self, open: &[Open], detail: &str) -> Halt {
        StopReason::Switching {
            switches: open.iter().map(|one| self.system.switch_name(one.id)).collect(),
            detail: detail.to_owned(),
        }
    }

    /// Choices for an open surface, the likeliest first; never none.
    fn choices(&mut self, trial: &Trial<'_>, one: &Open, failed: &mut Option<Halt>) -> Vec<Choice> {
        use Choice::{Along, High, Low, On};
        if one.is_rushed {
            return vec![Along, On];
        }
        match one.from {
            Some(from) if from == one.low => vec![High, Along, Low, On],
            Some(_) => vec![Low, Along, High, On],
            None => {
                // Where nothing else tells, the decision's own value leads to one side.
                let own = self.evaluation.stand(one.id);
                let alone = std::slice::from_ref(one);
                let moves = self.moves(trial, alone, failed);
                let rises = moves.is_some_and(|moves| moves[0].sign() > 0.0);
                if let Some(own) = own {
                    self.evaluation.set_stand(one.id, own);
                }
                if rises {
                    vec![Along, On, High, Low]
                } else {
                    vec![Along, On, Low, High]
                }
            }
        }
    }

    /// For many open surfaces: one after the other, until none changes its choice.
    fn choose_one_by_one(
        &mut self,
        trial: &Trial<'_>,
        open: &[Open],
        ranked: &[Vec<Choice>],
        failed: &mut Option<Halt>,
    ) -> bool {
        let mut choice: Vec<Choice> = ranked.iter().map(|ranked| ranked[0]).collect();
        for _ in 0..4 * MOST_LOOKS {
            let before = choice.clone();
            for number in 0..open.len() {
                for candidate in &ranked[number] {
                    choice[number] = *candidate;
                    self.set(open, &choice);
                    if self
                        .fits(trial, open, &choice, failed)
                        .is_some_and(|fits| fits[number])
                    {
                        break;
                    }
                }
            }
            if self.is_consistent(trial, open, &choice, failed) {
                return true;
            }
            if before == choice {
                return false;
            }
        }
        false
    }

    /// Sets the stands of open surfaces.
    fn set(&mut self, open: &[Open], choice: &[Choice]) {
        for (one, choice) in open.iter().zip(choice) {
            let (low, high) = (one.low, one.high);
            let is_floor = high - low < 1.5;
            let stand = match choice {
                Choice::High => Stand::On(high),
                Choice::Low => Stand::On(low),
                Choice::On => Stand::On(if is_floor { high } else { 0.0 }),
                Choice::Along => Stand::Along {
                    low,
                    high,
                    part: 0.5,
                    order: Order::First,
                },
            };
            self.evaluation.set_stand(one.id, stand);
        }
    }

    fn is_consistent(
        &mut self,
        trial: &Trial<'_>,
        open: &[Open],
        choice: &[Choice],
        failed: &mut Option<Halt>,
    ) -> bool {
        self.set(open, choice);
        self.fits(trial, open, choice, failed)
            .is_some_and(|fits| fits.iter().all(|fit| *fit))
    }

    /// For each open surface whether its choice fits, all being set; `None` if something has no value.
    fn fits(
        &mut self,
        trial: &Trial<'_>,
        open: &[Open],
        choice: &[Choice],
        failed: &mut Option<Halt>,
    ) -> Option<Vec<bool>> {
        let along: Vec<usize> = (0..open.len()).filter(|n| choice[*n] == Choice::Along).collect();
        let mut fits = vec![true; open.len()];
        if !along.is_empty() {
            let slide = self.slide(trial, open, &along, failed)?;
            for (number, slides) in along.iter().zip(slide) {
                fits[*number] = slides;
            }
        }
        let moves = self.moves(trial, open, failed)?;
        for (number, choice) in choice.iter().enumerate() {
            let sign = moves[number].sign();
            match choice {
                Choice::High => fits[number] = sign > 0.0,
                Choice::Low => fits[number] = sign < 0.0,
                Choice::On => fits[number] = sign == 0.0,
                Choice::Along => {}
            }
        }
        Some(fits)
    }

    /// Finds order and mix of surfaces that the motion is to go along; whether each is one that attracts, with a mix of both sides.
    fn slide(
        &mut self,
        trial: &Trial<'_>,
        open: &[Open],
        along: &[usize],
        failed: &mut Option<Halt>,
    ) -> Option<Vec<bool>> {
        let ids: Vec<SurfaceId> = along.iter().map(|n| open[*n].id).collect();
        let mut slides = vec![true; along.len()];
        for (place, number) in along.iter().enumerate() {
            let alone = std::slice::from_ref(&open[*number]);
            let mut at = |this: &mut Self, part: f64| {
                this.evaluation.set_parts(&ids[place..=place], &[part]);
                this.moves(trial, alone, failed).map(|moves| moves[0])
            };
            let (low, high) = (at(self, 0.0)?, at(self, 1.0)?);
            at(self, 0.5)?;
            let is_first = (high.first - low.first).abs() > low.nothing.0.max(high.nothing.0);
            let stays = low.first.abs() <= low.nothing.0 || open[*number].is_rushed;
            let (from_low, from_high, nothing) = if is_first {
                (low.first, high.first, low.nothing.0.max(high.nothing.0))
            } else {
                (low.second, high.second, low.nothing.1.max(high.nothing.1))
            };
            let is_slip = matches!(ids[place], SurfaceId::Slip(_));
            // One of several may attract only with the others: those are judged by their mixes.
            let attracts = if along.len() == 1 && is_slip {
                // A band in which the speed stays as it is is one end of the mixes.
                from_low > from_high + nothing && from_low >= -nothing && from_high <= nothing
            } else if along.len() == 1 {
                from_low > nothing && from_high < -nothing
            } else {
                from_low > from_high + nothing
            };
            slides[place] = (is_first || stays) && attracts;
            let order = if is_first { Order::First } else { Order::Second };
            if let Some(Stand::Along { low, high, part, .. }) = self.evaluation.stand(ids[place]) {
                self.evaluation.set_stand(
                    ids[place],
                    Stand::Along {
                        low,
                        high,
                        part,
                        order,
                    },
                );
            }
        }
        if slides.iter().any(|slides| !slides) {
            return Some(slides);
        }
        let mut halt = None;
        let orders: Vec<Option<Stand>> = ids.iter().map(|id| self.evaluation.stand(*id)).collect();
        let mine: Vec<Open> = along.iter().map(|n| open[*n]).collect();
        let mut parts: Vec<f64> = Vec::new();
        let solved = {
            let mut set = |this: &mut (&mut Self, Vec<f64>), parts: &[f64]| -> Result<(), ()> {
                this.0.evaluation.set_parts(&ids, parts);
                let moves = this.0.moves(trial, &mine, &mut halt).ok_or(())?;
                this.1 = moves
                    .iter()
                    .zip(&orders)
                    .map(|(moves, stand)| match stand {
                        Some(Stand::Along {
                            order: Order::Second, ..
                        }) => moves.second,
                        _ => moves.first,
                    })
                    .collect();
                Ok(())
            };
            let mut at = (&mut *self, Vec::new());
            solve(
                &mut at,
                ids.len(),
                &mut set,
                &|at: &(&mut Self, Vec<f64>)| at.1.clone(),
                true,
            )
        };
        match solved {
            Ok(Some(found)) => parts = found,
            Ok(None) => slides.iter_mut().for_each(|slides| *slides = false),
            Err(()) => {
                if halt.is_some() {
                    *failed = halt;
                }
                return None;
            }
        }
        for ((slides, part), id) in slides.iter_mut().zip(&parts).zip(&ids) {
            let room = match id {
                SurfaceId::Slip(_) => RATE_IN_CONTACT,
                SurfaceId::Load(..) => 0.0,
            };
            *slides = (-room..=1.0 + room).contains(part);
        }
        Some(slides)
    }

    /// How d of open surfaces moves, with all surfaces as they stand and the contact forces that go with them; `None` if there are none.
    fn moves(&mut self, trial: &Trial<'_>, open: &[Open], failed: &mut Option<Halt>) -> Option<Vec<Moves>> {
        if let Err(halt) = self.accelerate(trial) {
            *failed = Some(halt);
            return None;
        }
        let entities = &trial.cluster.entities;
        let rates = self.evaluation.rates();
        let part = if trial.staying.is_empty() {
            RATE
        } else {
            RATE_IN_CONTACT
        };
        let moves = open.iter().map(|one| {
            let at = (trial.t, &trial.x[..]);
            let [_, first, second] = self
                .evaluation
                .motion_of(&self.system, entities, &rates, at, one.id);
            let (sum, sum_of_second) = self.sums(trial, one.id);
            Moves {
                first,
                second,
                // A rate is known no better than what it does in the rounding of time.
                nothing: (
                    part * sum + ROUNDINGS * trial.t.abs() * sum_of_second,
                    part * (sum_of_second + second.abs()),
                ),
            }
        });
        Some(moves.collect())
    }

    /// What ḋ and d̈ of a surface are added up from: Σ |∂d/∂x| |x′|, and the same of x″.
    fn sums(&self, trial: &Trial<'_>, id: SurfaceId) -> (f64, f64) {
        let (group, surface) = match id {
            SurfaceId::Load(group, surface) => (group, surface),
            SurfaceId::Slip(contact) => {
                let parts = self.evaluation.slip(contact).map_or(0.0, |[_, _, parts]| parts);
                return (parts, 0.0);
            }
        };
        let entities = &trial.cluster.entities;
        let rates = self.evaluation.rates();
        let at = self.evaluation.moment(&self.system, entities, trial.t, &trial.x);
        let loads = &self.system.loads[group];
        let Some(Some(stands)) = self.evaluation.stands.get(group) else {
            return (0.0, 0.0);
        };
        let mut values: Vec<Dual<f64>> = Vec::new();
        let (mut first, mut second) = (0.0, 0.0);
        for read in &loads.surfaces()[surface].reads {
            let symbol = |id: SymbolId| {
                let value = at.value(id)?;
                Some(if id == *read {
                    Dual::variable(value)
                } else {
                    Dual::constant(value)
                })
            };
            loads.evaluate(symbol, stands, 0, |d| d.value, &mut values);
            let slope = loads.tape().quantity(&values, surface).derivative.abs();
            let [x, xx] = rates.of(&self.system, entities, *read);
            first += slope * x.abs();
            second += slope * xx.abs();
        }
        (first, second)
    }

    /// Accelerations of a cluster with its switches as they stand: without contacts at once, else by the contact node.
    fn accelerate(&mut self, trial: &Trial<'_>) -> Result<(), Halt> {
        let outcome = self.sustained(trial.t, trial.cluster, trial.staying)?;
        if let Some(outcome) = outcome {
            self.evaluation.forces.clear();
            self.evaluation.forces.extend_from_slice(&outcome.forces);
            self.evaluation.add_contact_forces();
        }
        Ok(())
    }
}

/// The side of a surface as decisions take it where the motion goes along it: the low one.
fn side(stand: Stand) -> f64 {
    match stand {
        Stand::On(side) | Stand::Along { low: side, .. } => side,
    }
}

/// Which surfaces count, with all sides of those that the motion goes along.
fn live<F: Fn(EntityId, usize) -> f64>(loads: &GroupLoads, at: &At<'_, F>, stands: &Stands) -> Vec<bool> {
    let mut live = vec![false; stands.stands.len()];
    let mut values = Vec::new();
    for high in 0..1_u32 << stands.along().count().min(MOST_ALONG) {
        loads.evaluate(|id| at.value(id), stands, high, |d| *d, &mut values);
        let found = loads.tape().live(&values, |id| at.value(id).is_some());
        live.iter_mut().zip(found).for_each(|(all, one)| *all |= one);
    }
    live
}

/// The sides on which d of a surface must stay: sign and level, so that sign · (d − level) is positive.
pub(crate) fn watched(is_floor: bool, stand: Stand) -> Vec<(f64, f64)> {
    match stand {
        Stand::On(side) if is_floor => vec![(1.0, side), (-1.0, side + 1.0)],
        Stand::On(side) if side > 0.0 => vec![(1.0, 0.0)],
        Stand::On(side) if side < 0.0 => vec![(-1.0, 0.0)],
        Stand::On(_) => vec![(1.0, 0.0), (-1.0, 0.0)],
        Stand::Along { .. } => Vec::new(),
    }
}

/// All combinations, those of the likeliest choices first.
fn combinations(ranked: &[Vec<Choice>]) -> Vec<Vec<Choice>> {
    let mut all: Vec<(usize, Vec<Choice>)> = vec![(0, Vec::new())];
    for ranked in ranked {
        let mut next = Vec::with_capacity(all.len() * ranked.len());
        for (rank, before) in &all {
            for (place, choice) in ranked.iter().enumerate() {
                let mut longer = before.clone();
                longer.push(*choice);
                next.push((rank + place, longer));
            }
        }
        all = next;
    }
    all.sort_by_key(|(rank, _)| *rank);
    all.into_iter().map(|(_, choice)| choice).collect()
}
