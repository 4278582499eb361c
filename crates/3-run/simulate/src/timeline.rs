//! Switches that hang on time alone: known in advance, so steps end exactly where they turn.
//!
//! From a time on, the surfaces of such switches are searched for their first crossing: polynomials of time as far as the run and the inputs' tables go, others over a stretch at a time,
//! where intervals do not show that there is none (isolate.rs). At a turn the side that comes after it counts: it is looked for from the rounding of
//! time on upwards.

use crate::crossing::Found;
use crate::index::GroupIx;
use crate::isolate::{MORE, Quantity, first_isolated};
use crate::loads::{At, GroupLoads, Stand, Stands};
use crate::run::{Halt, Run};
use crate::switches::{ROUNDINGS, watched};
use crate::system::System;
use dyverse_expr::Change;
use dyverse_model::EntityId;
use dyverse_num::Interval;
use dyverse_trace::StopReason;

/// Places after a turn at which the side is looked for, each four times as far as the one before.
const PROBES: u32 = 40;

/// How far the switches of a group are known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ahead {
    /// Nothing turns before, s.
    pub(crate) until: f64,
    /// Whether something turns there.
    pub(crate) is_turn: bool,
}

impl Run<'_> {
    /// How far from `t` on no switch of a group turns that hangs on time alone.
    pub(crate) fn ahead(&mut self, group: GroupIx, t: f64) -> Result<Ahead, Halt> {
        if let Some(known) = self.switching.ahead[group].filter(|ahead| ahead.until > t) {
            return Ok(known);
        }
        let found = self.search_ahead(group, t)?;
        self.switching.ahead[group] = Some(found);
        Ok(found)
    }

    /// Whether a switch of a group that hangs on time alone turns at `t`.
    pub(crate) fn is_due(&self, group: GroupIx, t: f64) -> bool {
        self.switching.ahead[group].is_some_and(|ahead| ahead.is_turn && ahead.until <= t)
    }

    /// Whether nothing is known of a group beyond `t`.
    pub(crate) fn is_known_until(&self, group: GroupIx, t: f64) -> bool {
        self.switching.ahead[group].is_some_and(|ahead| ahead.until <= t)
    }

    fn search_ahead(&self, group: GroupIx, t: f64) -> Result<Ahead, Halt> {
        let loads = &self.system.loads[group];
        let end = self.switching.end;
        let nothing = Ahead {
            until: end,
            is_turn: false,
        };
        let Some(Some(stands)) = self.evaluation.stands.get(group) else {
            return Ok(nothing);
        };
        let surfaces: Vec<usize> = (0..loads.surfaces().len())
            .filter(|s| is_timed(loads, *s) && stands.live[*s])
            .collect();
        if surfaces.is_empty() {
            return Ok(Ahead {
                until: f64::INFINITY,
                is_turn: false,
            });
        }
        let kink = self.system.inputs.breaks.next(t).unwrap_or(f64::INFINITY);
        let mut until = end.min(kink);
        if surfaces.iter().any(|s| !loads.surfaces()[*s].is_plain) {
            until = until.min(t + self.switching.stretch);
        }
        if until <= t {
            return Ok(Ahead {
                until: t.next_up(),
                is_turn: false,
            });
        }
        let mut first: Option<f64> = None;
        for surface in surfaces {
            for (sign, level) in watched(loads.surfaces()[surface].is_floor, stands.stands[surface]) {
                let mut timed = Timed {
                    run: self,
                    group,
                    stands,
                    anchor: t,
                    surface,
                    sign,
                    level,
                    values: Vec::new(),
                    not_finite: None,
                };
                let to = first.map_or(until, |first| until.min(first));
                let found = first_isolated(&mut timed, (t, to), loads.surfaces()[surface].is_plain);
                if let (Some(t), true) = (timed.not_finite, found == Found::NotIsolated) {
                    return Err(StopReason::NotFinite {
                        what: format!("what decides {} at t = {t}", loads.name(surface)),
                    });
                }
                match found {
                    Found::None => {}
                    Found::At(t) => first = Some(t),
                    Found::NotIsolated => {
                        return Err(StopReason::CrossingNotIsolated {
                            of: loads.name(surface).to_owned(),
                        });
                    }
                }
            }
        }
        Ok(match first {
            Some(turn) => Ahead {
                until: turn.max(t.next_up()),
                is_turn: true,
            },
            None => Ahead {
                until,
                is_turn: false,
            },
        })
    }

    /// What loads read that hang on time alone, at a time in a stretch that began at the anchor.
    fn timed(&self, time: f64, anchor: f64) -> At<'_, fn(EntityId, usize) -> f64> {
        At {
            sources: &self.system.sources,
            inputs: &self.system.inputs,
            time,
            anchor,
            state: |_, _| 0.0,
        }
    }

    /// How the surfaces that hang on time alone stand from `t` on, into `stands`, which has a place for every surface.
    pub(crate) fn stand_in_time(&self, group: GroupIx, t: f64, stands: &mut Stands) {
        let loads = &self.system.loads[group];
        let tape = loads.tape();
        let mut values = Vec::new();
        for surface in (0..stands.stands.len()).filter(|s| is_timed(loads, *s)) {
            // Inner ones come first, so that those it hangs on stand already.
            let noise = self.system.noise(group, t, |_, _| 0.0)[surface];
            let mut d_at = |time: f64, stands: &Stands| {
                let at = self.timed(time, t);
                loads.evaluate(|id| at.value(id), stands, 0, |d| *d, &mut values);
                *tape.quantity(&values, surface)
            };
            let now = d_at(t, stands);
            let level = if loads.surfaces()[surface].is_floor {
                now.round()
            } else {
                0.0
            };
            let mut side = if (now - level).abs() > noise {
                tape.side_of(surface, now)
            } else {
                level
            };
            if (now - level).abs() <= noise {
                let mut after = 16.0 * f64::EPSILON * t.abs().max(f64::MIN_POSITIVE / f64::EPSILON);
                if t == 0.0 {
                    after = 1e-18 * self.switching.stretch;
                }
                for _ in 0..PROBES {
                    if after > 1e-3 * self.switching.stretch {
                        break;
                    }
                    let beyond = d_at(t + after, stands) - level;
                    if beyond.abs() > MORE * noise {
                        side = match (loads.surfaces()[surface].is_floor, beyond > 0.0) {
                            (true, true) => level,
                            (true, false) => level - 1.0,
                            (false, true) => 1.0,
                            (false, false) => -1.0,
                        };
                        break;
                    }
                    after *= 4.0;
                }
            }
            stands.stands[surface] = Stand::On(side);
        }
    }
}

impl System<'_> {
    /// The rounding of each d of a group's surfaces.
    pub(crate) fn noise(&self, group: GroupIx, t: f64, state: impl Fn(EntityId, usize) -> f64) -> Vec<f64> {
        let loads = &self.loads[group];
        let at = At {
            sources: &self.sources,
            inputs: &self.inputs,
            time: t,
            anchor: t,
            state,
        };
        let mut values = Vec::new();
        loads.decide(&at, &mut values);
        let sizes = loads.tape().sizes(&values, |id| at.size(id));
        let at_least = f64::MIN_POSITIVE;
        sizes.iter().map(|size| ROUNDINGS * size + at_least).collect()
    }
}

/// The distance from a surface that hangs on time alone.
struct Timed<'r, 'm> {
    run: &'r Run<'m>,
    group: GroupIx,
    stands: &'r Stands,
    anchor: f64,
    surface: usize,
    sign: f64,
    level: f64,
    values: Vec<f64>,
    /// Where it is no number.
    not_finite: Option<f64>,
}

impl Timed<'_, '_> {
    fn beyond(&mut self, time: f64) -> f64 {
        let loads = &self.run.system.loads[self.group];
        let at = self.run.timed(time, self.anchor);
        loads.evaluate(|id| at.value(id), self.stands, 0, |d| *d, &mut self.values);
        self.sign * (loads.tape().quantity(&self.values, self.surface) - self.level)
    }
}

impl Quantity for Timed<'_, '_> {
    fn range(&mut self, from: f64, to: f64) -> Interval {
        let loads = &self.run.system.loads[self.group];
        let (first, last) = (self.run.timed(from, self.anchor), self.run.timed(to, self.anchor));
        // Time, and inputs, which are linear between their kinks.
        let symbol = |id| Some(Interval::point(first.value(id)?).hull(&Interval::point(last.value(id)?)));
        let mut values = Vec::new();
        let middle = |d: &Interval| d.mid().unwrap_or(0.0);
        loads.evaluate(symbol, self.stands, 0, middle, &mut values);
        let d = *loads.tape().quantity(&values, self.surface);
        Interval::point(self.sign) * (d - Interval::point(self.level))
    }

    fn at(&mut self, t: f64) -> f64 {
        let value = self.beyond(t);
        if !value.is_finite() {
            self.not_finite = self.not_finite.or(Some(t));
        }
        value
    }

    fn noise(&mut self, from: f64, to: f64) -> f64 {
        let at = |t: f64| self.run.system.noise(self.group, t, |_, _| 0.0)[self.surface];
        at(from).max(at(to))
    }

    fn wrong(&self) -> f64 {
        1.0
    }
}

/// Whether a surface moves with time alone.
pub(crate) fn is_timed(loads: &GroupLoads, surface: usize) -> bool {
    let surface = &loads.surfaces()[surface];
    surface.moves && surface.change == Change::WithTime
}
