//! After a step: what happened in it, and where it is cut.
//!
//! Order: the first moment at which something is no finite number (`finite.rs`); then all watched quantities up to there (`locate.rs`). The first event cuts the step, together with all that
//! happen at the same time (`together.rs`); what is no finite number before that ends the run.
//!
//! # What cannot be searched
//! A quantity that has no finite value somewhere in the step, or too many crossings to tell them apart, is searched in the first half of the step, in the first quarter, …: what comes before is
//! found, and the run goes on from there.

use crate::excursion::Back;
use crate::finite::{End, is_all_finite, not_finite};
use crate::flow::{Flow, Owner, Watch, Watched, state_register};
use crate::locate::{self, Found, Grid, Side};
use crate::met::{Met, TOUCH, compared};
use crate::narrow::Ranges;
use crate::plan::Op;
use crate::program::{Register, TIME};
use crate::sliding::{Cut, Key};
use crate::solver::{Located, Passed, ROUNDINGS, Solver};
use crate::together::{Ahead, Group};
use crate::used;
use crate::work::{Passage, Work};
use dyverse_expr::NodeId;
use dyverse_flow::{Beginning, CLEAR_POINTS, Crossing, CrossingOptions, CrossingSearch, simultaneous_until};
use dyverse_trace::StopReason;

/// Distances of events that a step reaches while longer ones cannot be searched.
const REACH: f64 = 8.0;
/// Halves of a step in which what cannot be searched is searched for at the most.
const HALVINGS: usize = 48;

/// A lowest point that is rounding counts as a touch if it is below this part of what is around it.
const SHALLOW: f64 = 1e-6;

/// What of the registers is rounding, if that of the states is one of numbers of these sizes, and that of the time is given.
pub(crate) fn blur_of(flow: &Flow, work: &Work, sizes: impl Iterator<Item = f64>, of_time: f64) -> Vec<f64> {
    let mut blur = vec![0.0; work.registers.len()];
    blur[TIME as usize] = of_time;
    for (i, size) in sizes.enumerate() {
        blur[state_register(i) as usize] = ROUNDINGS * size;
    }
    flow.program.noise(0..flow.watching, &work.registers, &mut blur);
    blur
}

/// Whether a side is that of a comparison in a guard which holds on its level, and not yet.
fn is_weak_guard(passage: &Passage<'_, '_, '_>, side: &Side) -> bool {
    let watch = passage.flow.watches.get(side.quantity);
    !side.is_strict
        && watch.is_some_and(|watch| {
            let pool = passage.plan.graph.pool();
            matches!(watch.owner, Owner::Modal(_))
                && watch.node.is_some_and(|node| compared(pool, node).is_some())
        })
}

/// What searches of all watched quantities gave.
pub(crate) struct Searched {
    /// Times of events, and which sides they belong to.
    pub(crate) found: Vec<(f64, usize)>,
    /// A quantity whose search gave up, and whether it is no finite number.
    trouble: Option<(usize, bool)>,
}

impl Solver {
    /// Cuts the last step at its first event.
    pub(crate) fn locate(&mut self, passage: &mut Passage<'_, '_, '_>, ahead: &Ahead) -> Passed {
        let step = self.integrator.last_step();
        let (a, b) = (step.t0(), step.t1());
        let ends = self.look_at_points(passage, (a, b), true);
        let end = self.first_end(passage, ends);
        self.last = ahead.limit;
        self.vanished.clear();
        let mut searched = match &end {
            None => self.search(passage, (a, b), (a, b)),
            Some(End { t, .. }) => {
                // What happens together with it may be why it does not matter; but it may itself be no number there.
                let searched = self.search(passage, (a, b), (a, simultaneous_until(*t).min(b)));
                match searched.trouble {
                    None => searched,
                    Some(_) => self.search(passage, (a, b), (a, t.next_down())),
                }
            }
        };
        let mut ahead = *ahead;
        if let Some((quantity, is_infinite)) = searched.trouble {
            let first = searched.found.iter().map(|f| f.0).reduce(f64::min);
            // Trouble after the first event is none.
            let upto = first.map_or(b, |t| simultaneous_until(t).min(b));
            let until = end.as_ref().map_or(upto, |end| upto.min(end.t));
            match self.search_less(passage, (a, b), until) {
                Some((less, to)) if !less.found.is_empty() => {
                    self.reach = Some(to - a);
                    searched = less;
                }
                Some((_, to)) => {
                    // Nothing happens so far; the next step begins there.
                    self.reach = Some(2.0 * (to - a));
                    self.integrator.truncate(to);
                    self.keep_start();
                    return Passed::Reached;
                }
                _ => {
                    if let Some(end) = &end {
                        return self.stop_at(passage, end);
                    }
                    // What lies in the step is not known.
                    self.integrator.truncate(a);
                    let of = Self::describe(passage, quantity);
                    return Passed::Stopped(if is_infinite {
                        StopReason::NotFinite { what: of }
                    } else {
                        StopReason::CrossingNotIsolated { of }
                    });
                }
            }
        } else if let Some(reach) = self.reach {
            // A step that ends before its reach was not bounded by it.
            let is_bound = b - a >= reach * (1.0 - 1e-9);
            self.reach = (is_bound || !searched.found.is_empty()).then_some(2.0 * reach);
        }
        if end.is_some() {
            // What lies behind the end of a function is not looked at.
            ahead.first = None;
            ahead.limit = ahead.limit.min(b);
        }
        let group = self.group(passage, &mut searched, &ahead);
        if let Some(end) = &end {
            let is_first = match group.cut {
                None => true,
                Some(cut) if simultaneous_until(cut) < end.t => false,
                Some(cut) => end.forced.is_some() && !self.culprits(passage, cut, end.forced).is_empty(),
            };
            if is_first {
                return self.stop_at(passage, end);
            }
        }
        let Some(cut) = group.cut else {
            self.keep_start();
            return Passed::Reached;
        };
        let Group { members, .. } = group;
        searched.found.retain(|(_, side)| members.contains(side));
        self.integrator.end_at(cut);
        let is_planned = ahead.first.is_some_and(|first| simultaneous_until(cut) >= first);
        if self.pin(passage, &searched.found, is_planned) {
            searched
                .found
                .retain(|(_, side)| !self.still_waits(passage.flow, *side));
        }
        self.is_beyond = searched.found.iter().any(|(_, side)| self.sides[*side].is_strict);
        self.note_cuts(passage, cut, &searched.found);
        self.note_arrival(passage, &searched.found);
        let mut located: Vec<Located> = searched
            .found
            .iter()
            .map(|(_, side)| self.name(passage, self.sides[*side].quantity))
            .collect();
        self.note_passed(passage, (a, cut), &mut located);
        self.reach = self.reach.map(|reach| reach.min(REACH * (cut - a)));
        Passed::Located(located)
    }

    /// The watched quantities at the end of what was searched are those at the start of the next step.
    fn keep_start(&mut self) {
        let Solver { start, table, .. } = self;
        start
            .iter_mut()
            .zip(table.iter())
            .for_each(|(v, row)| *v = row[4]);
    }

    /// Searches the first half of (a, until), the first quarter, …, until that can be done; gives the end of what was searched.
    fn search_less(
        &mut self,
        passage: &mut Passage<'_, '_, '_>,
        (a, b): (f64, f64),
        until: f64,
    ) -> Option<(Searched, f64)> {
        let mut to = until.min(b);
        for halving in 0..HALVINGS {
            if halving > 0 || to == b {
                to = a + 0.5 * (to - a);
            }
            if to <= a || self.work.interrupted.is_some() {
                return None;
            }
            let searched = self.search(passage, (a, b), (a, to));
            let first = searched.found.iter().map(|f| f.0).reduce(f64::min);
            match (searched.trouble, first) {
                (None, _) => return Some((searched, to)),
                (Some(_), Some(t)) if simultaneous_until(t) < to => to = 2.0 * simultaneous_until(t) - a,
                _ => {}
            }
        }
        None
    }

    /// Keeps the watched quantities where the step is cut, and the comparisons whose sides met there: equalities, and others that rounding leaves as if they had not been located.
    fn note_arrival(&mut self, passage: &mut Passage<'_, '_, '_>, found: &[(f64, usize)]) {
        self.met.clear();
        let flow = passage.flow;
        let Solver {
            integrator,
            work,
            sides,
            met,
            start,
            arrival,
            ..
        } = self;
        let at = (integrator.t(), integrator.x());
        work.watch_state(passage, at);
        arrival.clear();
        arrival.extend((0..start.len()).map(|q| work.quantity(flow, q)));
        let pool = passage.plan.graph.pool();
        let own = found.iter().map(|found| &sides[found.1]);
        let own = own.filter(|side| side.meets || !side.is_strict && side.tolerance <= 0.0);
        let compared = own.filter_map(|side| {
            let watch = flow.watches.get(side.quantity)?;
            let node = watch.node.filter(|node| compared(pool, *node).is_some())?;
            Some((side, watch, node))
        });
        let compared: Vec<(&Side, &Watch, NodeId)> = compared.collect();
        if compared.is_empty() {
            return;
        }
        // As the tick will see it.
        work.evaluate_anew(passage, at, None);
        for (side, watch, node) in compared {
            let beyond = work.registers[watch.register as usize];
            let has_turned = match watch.of {
                Watched::Switch(k) => flow.program.switches[k as usize].of(beyond) != work.frozen[k as usize],
                Watched::Cross(_) => true,
            };
            if side.meets || !has_turned {
                met.push(Met { node, beyond });
            }
        }
    }

    fn stop_at(&mut self, passage: &Passage<'_, '_, '_>, end: &End) -> Passed {
        self.integrator.truncate(end.t);
        Passed::Stopped(not_finite(passage.plan, &end.culprits))
    }

    /// Evaluates what is watched at five points of (a, b); if that is the whole step, also everything else, and the first point at which something is no finite number.
    fn look_at_points(
        &mut self,
        passage: &mut Passage<'_, '_, '_>,
        (a, b): (f64, f64),
        is_whole: bool,
    ) -> Option<usize> {
        let flow = passage.flow;
        let Solver {
            integrator,
            work,
            start,
            table,
            domains,
            ..
        } = self;
        let step = integrator.last_step();
        table.clear();
        table.resize(start.len(), [0.0; 5]);
        if is_whole {
            domains.clear();
            domains.resize(flow.domains.len(), [0.0; 5]);
        }
        let mut ends = None;
        for (place, point) in CLEAR_POINTS.iter().enumerate() {
            if place > 0 || is_whole {
                work.watch(passage, step, if place == 4 { b } else { a + point * (b - a) });
            }
            for (quantity, row) in table.iter_mut().enumerate() {
                row[place] = if place == 0 {
                    start[quantity]
                } else {
                    work.quantity(flow, quantity)
                };
            }
            if is_whole {
                work.rest(passage);
                for (row, domain) in domains.iter_mut().zip(&flow.domains) {
                    row[place] = work.registers[domain.register as usize];
                }
                if place > 0 && ends.is_none() && !is_all_finite(flow, work) {
                    ends = Some(place);
                }
            }
        }
        ends
    }

    /// Searches all sides in (a, to]; the table is made anew if that is not the whole step.
    fn search(
        &mut self,
        passage: &mut Passage<'_, '_, '_>,
        whole: (f64, f64),
        (a, to): (f64, f64),
    ) -> Searched {
        let mut searched = Searched {
            found: Vec::new(),
            trouble: None,
        };
        if to <= a {
            return searched;
        }
        if to != whole.1 {
            self.look_at_points(passage, (a, to), false);
        }
        let flow = passage.flow;
        let Solver {
            integrator,
            search,
            work,
            table,
            sides,
            largest,
            ..
        } = self;
        let step = integrator.last_step();
        let grid = self.longest.map(|step| Grid {
            origin: self.origin,
            step,
        });
        let has_switches = sides.iter().any(|side| side.is_switch);
        let blur = if has_switches {
            let of = |signal: &u32| largest.get(*signal as usize).copied().unwrap_or(0.0);
            blur_of(flow, work, flow.integrators.iter().map(of), 0.0)
        } else {
            Vec::new()
        };
        for (place, side) in sides.iter().enumerate() {
            let points = table[side.quantity];
            // What is no number and not used need not be searched: when it is used, there is an instant.
            if !points.iter().all(|v| v.is_finite()) && used::is_idle(flow, &work.registers, side.quantity) {
                continue;
            }
            let touch = match flow.watches.get(side.quantity) {
                Some(watch) if side.is_switch => {
                    let size = flow.program.sizes(&work.registers)[watch.register as usize];
                    let size = points.iter().fold(size, |size, v| size.max(v.abs()));
                    // A state that came from far carries its rounding; what is small all around is no touch for that.
                    let blur = blur[watch.register as usize].min(SHALLOW * size);
                    (TOUCH * size).max(blur).max(0.5 * watch.tolerance)
                }
                _ => 0.0,
            };
            let mut look = |search: &mut CrossingSearch, work: &mut Work| {
                let mut value = |t: f64| {
                    if work.interrupted.is_some() {
                        return f64::NAN;
                    }
                    work.watch(passage, step, t);
                    work.quantity(flow, side.quantity)
                };
                if side.meets {
                    return locate::first_meeting(side, (points, touch), ((a, to), grid), &mut value);
                }
                locate::first(search, side, points, ((a, to), grid), &mut value)
            };
            let mut found = look(search, work);
            if let (Found::Lost, Some(watch)) = (found, flow.watches.get(side.quantity)) {
                // A small difference of large numbers: what cannot be resolved may be its rounding.
                let sizes = flow.program.sizes(&work.registers);
                let mut search = CrossingSearch::new(CrossingOptions {
                    noise: ROUNDINGS * sizes[watch.register as usize],
                    ..CrossingOptions::default()
                });
                found = look(&mut search, work);
            }
            let is_exact = side.is_switch && !side.meets && side.tolerance <= 0.0;
            let is_weak = is_exact && side.is_above && is_weak_guard(passage, side);
            let mut value = |t: f64| {
                work.watch(passage, step, t);
                work.quantity(flow, side.quantity)
            };
            found = match found {
                Found::At(t) if is_exact && side.is_strict => {
                    locate::through(search, side, touch, (t, to), &mut value)
                }
                Found::Nothing if is_weak => {
                    locate::first_meeting(side, (points, touch), ((a, to), grid), &mut value)
                }
                found => found,
            };
            if let (Found::Nothing | Found::At(_), Some(watch)) = (found, flow.watches.get(side.quantity))
                && watch.is_narrow
                && side.is_above
                && !side.meets
            {
                let until = if let Found::At(t) = found { t } else { to };
                let mut g = |work: &mut Work, t: f64| {
                    work.watch(passage, step, t);
                    side.sign * (work.quantity(flow, side.quantity) - side.level)
                };
                let off = Ranges::new(flow, step).first_off(work, side, watch.register, (a, until), &mut g);
                if let Some((before, at)) = off {
                    let mut value = |t: f64| g(work, t);
                    if let Crossing::At { t, .. } = search.first(&mut value, before, at, Beginning::Above) {
                        found = Found::At(t);
                    }
                }
            }
            match found {
                Found::Nothing => {}
                Found::At(t) => {
                    let mut value = |t: f64| {
                        work.watch(passage, step, t);
                        work.quantity(flow, side.quantity)
                    };
                    let is_exact = side.is_strict && side.tolerance <= 0.0;
                    let t = if is_exact {
                        locate::off_level(side, t, &mut value).min(self.last)
                    } else {
                        t
                    };
                    searched.found.push((t, place));
                }
                Found::Lost => searched.trouble = Some((side.quantity, false)),
                Found::NotFinite => searched.trouble = Some((side.quantity, true)),
            }
        }
        self.look_for_excursions(passage, (a, to), &mut searched);
        searched
    }

    /// What came off its level less far than its value shows, and back.
    fn look_for_excursions(
        &mut self,
        passage: &mut Passage<'_, '_, '_>,
        (a, to): (f64, f64),
        searched: &mut Searched,
    ) {
        for place in 0..self.sides.len() {
            let side = self.sides[place];
            if !side.may_be_off() {
                continue;
            }
            let own = searched.found.iter().position(|found| found.1 == place);
            let found = own.map(|own| searched.found[own].0);
            match self.back_from_excursion(passage, &side, (a, to), found) {
                Some(Back::At(t)) => match own {
                    Some(own) => searched.found[own].0 = t,
                    None => searched.found.push((t, place)),
                },
                Some(Back::AtOnce(after)) => {
                    if let Located::Cross(signal) = self.name(passage, side.quantity) {
                        self.vanished.push((signal, after));
                    }
                }
                None => {}
            }
        }
    }

    /// How what cuts the step went through its level, if an instant was right before the step.
    fn note_cuts(&mut self, passage: &mut Passage<'_, '_, '_>, cut: f64, found: &[(f64, usize)]) {
        let from = self.origin;
        self.cuts.clear();
        if self.integrator.last_step().t0() != from {
            return;
        }
        let flow = passage.flow;
        let Solver {
            integrator,
            work,
            sides,
            scale,
            cuts,
            ..
        } = self;
        let step = integrator.last_step();
        let mut distances = vec![[0.0; 3]; found.len()];
        for (place, t) in [from, 0.5 * (from + cut), cut].into_iter().enumerate() {
            work.watch(passage, step, t);
            for (row, (_, side)) in distances.iter_mut().zip(found) {
                let side = &sides[*side];
                row[place] = work.quantity(flow, side.quantity) - side.level;
            }
        }
        let sizes = flow.program.sizes(&work.registers);
        cuts.extend(distances.into_iter().zip(found).map(|(distances, (_, side))| {
            let watch = flow.watches.get(sides[*side].quantity);
            Cut {
                times: (from, cut),
                distances,
                size: watch.map_or(0.0, |watch| sizes[watch.register as usize]),
                scale: *scale,
            }
        }));
    }

    /// Adds `cross` detectors whose level was passed within the simultaneity tolerance before the cut without being an event.
    fn note_passed(
        &mut self,
        passage: &mut Passage<'_, '_, '_>,
        (a, cut): (f64, f64),
        located: &mut Vec<Located>,
    ) {
        let flow = passage.flow;
        let others = flow.watches.iter().filter_map(|watch| match watch.of {
            Watched::Cross(signal) if !located.contains(&Located::Cross(signal)) => {
                Some((signal, watch.register))
            }
            _ => None,
        });
        let others: Vec<(u32, Register)> = others.collect();
        if others.is_empty() {
            return;
        }
        let Solver { integrator, work, .. } = self;
        let step = integrator.last_step();
        let before = (cut - (simultaneous_until(cut) - cut)).max(a);
        let mut values = |t: f64| -> Vec<f64> {
            work.watch(passage, step, t);
            others.iter().map(|(_, r)| work.registers[*r as usize]).collect()
        };
        let (from, to) = (values(before), values(cut));
        for (((signal, _), from), to) in others.iter().zip(from).zip(to) {
            if let Op::Cross(op) = &passage.plan.ops[*signal as usize]
                && (from - op.level) * (to - op.level) <= 0.0
            {
                located.push(Located::Passed(*signal));
            }
        }
    }

    fn name(&self, passage: &mut Passage<'_, '_, '_>, quantity: usize) -> Located {
        let flow = passage.flow;
        if let Some(watch) = flow.watches.get(quantity) {
            return match watch.of {
                Watched::Switch(_) => Located::Switch(quantity),
                Watched::Cross(signal) => Located::Cross(signal),
            };
        }
        let mut indicator = quantity - flow.watches.len();
        for place in 0..flow.components.len() {
            let count = passage.component(place).shape().indicators;
            if indicator < count {
                return Located::Indicator {
                    component: flow.components[place].component,
                    indicator,
                };
            }
            indicator -= count;
        }
        Located::Switch(quantity)
    }

    /// What a watched quantity belongs to.
    pub(crate) fn describe(passage: &Passage<'_, '_, '_>, quantity: usize) -> String {
        let graph = passage.plan.graph;
        match passage.flow.watches.get(quantity).map(|w| w.owner) {
            Some(Owner::Signal(s)) => format!("`{}`", graph.signals()[s as usize].label()),
            Some(Owner::Modal(m)) => format!("a guard of `{}`", graph.modals()[m as usize].name),
            Some(Owner::Component(_)) | None => "an indicator of a component".to_owned(),
        }
    }

    /// What tells a watched quantity from others, whatever flow it is in.
    pub(crate) fn key(passage: &Passage<'_, '_, '_>, located: &Located) -> Key {
        match located {
            Located::Cross(signal) | Located::Passed(signal) => (Owner::Signal(*signal), u32::MAX),
            Located::Switch(quantity) => {
                let watch = passage.flow.watches.get(*quantity);
                let node = watch
                    .and_then(|w| w.node)
                    .map_or(u32::MAX, |node| node.index() as u32);
                (watch.map_or(Owner::Signal(0), |w| w.owner), node)
            }
            Located::Indicator { component, indicator } => (Owner::Component(*component), *indicator as u32),
        }
    }
}
