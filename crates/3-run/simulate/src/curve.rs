//! Friction over the slip speed, and the speeds at which it switches.
//!
//! μ of a contact that slips is a function of one number, its slip speed s > 0. Decisions in it (`if`, `min`, `abs`, comparisons) turn at speeds that are known in advance, the *edges*
//! e₀ < e₁ < …; between two of them, in a *band*, μ is smooth: band k lies between e_{k−1} and e_k. Friction of rest, μ(0), belongs to no band.
//!
//! While a contact slips its decisions are frozen as its band has them, and reaching an edge is an event (watch.rs). There it goes on in one of the two bands, or, where both drive s
//! to the edge, along it with a mix of both (switches.rs, sliding.rs).
//!
//! Edges are searched as far as speeds go, as switches over time are (isolate.rs).

use crate::crossing::Found;
use crate::isolate::{MORE, Quantity, first_isolated};
use crate::loads::Stand;
use crate::switches::{ROUNDINGS, watched};
use dyverse_expr::{Change, Frozen, NodeId, Pool, Program, SymbolId};
use dyverse_num::{Interval, Scalar};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Edges at the most.
const MOST: usize = 20_000;
/// Places beyond an edge at which the side is looked for, each four times as far as the one before.
const PROBES: u32 = 40;

/// μ over the slip speed.
#[derive(Debug)]
pub(crate) struct Curve {
    tape: Frozen,
    /// Symbols that are no slip speed.
    constants: BTreeMap<SymbolId, f64>,
    /// Ascending.
    edges: Vec<f64>,
    /// For each band the sides of all surfaces.
    bands: Vec<Vec<f64>>,
    /// How far edges are known.
    known: f64,
    /// An ordinary speed, m/s.
    unit: f64,
}

impl Curve {
    /// Of a formula; `constant` gives the value of symbols that are no slip speed.
    pub(crate) fn new(
        pool: &Pool,
        root: NodeId,
        constant: impl Fn(SymbolId) -> Option<f64>,
        unit: f64,
    ) -> Self {
        let symbols = pool.symbols(&[root]);
        let constants: BTreeMap<SymbolId, f64> = symbols
            .iter()
            .filter_map(|id| Some((*id, constant(*id)?)))
            .collect();
        let change = |id: SymbolId| {
            Some(if constants.contains_key(&id) {
                Change::Never
            } else {
                Change::WithState
            })
        };
        let tape = Program::frozen(&mut Cow::Borrowed(pool), &[root], change, |_| None);
        let mut curve = Curve {
            tape,
            constants,
            edges: Vec::new(),
            bands: Vec::new(),
            known: 0.0,
            unit,
        };
        let first = curve.sides_after(0.0);
        curve.bands.push(first);
        curve
    }

    /// Whether it may switch.
    pub(crate) fn switches(&self) -> bool {
        !self.tape.surfaces().is_empty()
    }

    /// μ at a speed, decisions taken there.
    pub(crate) fn value(&self, speed: f64) -> f64 {
        *self.tape.result(&self.decided(speed), 0)
    }

    /// μ at a speed as a band has it; beyond the band as it goes on.
    pub(crate) fn in_band(&self, speed: f64, band: usize) -> f64 {
        let Some(sides) = self.bands.get(band) else {
            return self.value(speed);
        };
        let mut values = Vec::new();
        self.evaluate(&speed, sides, |d| *d, &mut values);
        let found = *self.tape.result(&values, 0);
        // A frozen branch need not exist beyond its band.
        if found >= 0.0 && found.is_finite() {
            found
        } else {
            self.value(speed)
        }
    }

    pub(crate) fn edge(&self, number: usize) -> Option<f64> {
        self.edges.get(number).copied()
    }

    /// The band of a speed.
    pub(crate) fn band(&self, speed: f64) -> usize {
        self.edges.partition_point(|edge| *edge < speed)
    }

    /// The edge nearest to a speed, by number.
    pub(crate) fn nearest(&self, speed: f64) -> Option<(usize, f64)> {
        let above = self.band(speed);
        let around = [above.checked_sub(1), Some(above)].into_iter().flatten();
        let edges = around.filter_map(|n| Some((n, self.edge(n)?)));
        edges.min_by(|(_, a), (_, b)| (a - speed).abs().total_cmp(&(b - speed).abs()))
    }

    /// The speeds between which a band lies, as far as edges are known.
    pub(crate) fn ends(&self, band: usize) -> (Option<f64>, f64) {
        let below = band.checked_sub(1).and_then(|n| self.edge(n));
        (below, self.edge(band).unwrap_or(self.known))
    }

    /// Finds the edges up to some way beyond a speed; false if they cannot be told, or are too many.
    pub(crate) fn extend(&mut self, speed: f64) -> bool {
        let wanted = 2.0 * speed + self.unit;
        while self.known < wanted {
            let from = self.known;
            // Not far at once: what is much narrower than the stretch is not seen.
            let end = wanted.min(from + self.unit.max(from));
            match self.next_edge(from, end) {
                Found::None => self.known = end,
                Found::At(edge) if self.edges.len() < MOST => {
                    let edge = edge.max(from.next_up());
                    let sides = self.sides_after(edge);
                    self.edges.push(edge);
                    self.bands.push(sides);
                    self.known = edge;
                }
                Found::At(_) | Found::NotIsolated => return false,
            }
        }
        true
    }

    /// Finds the edges up to a band that there is.
    pub(crate) fn extend_to_band(&mut self, band: usize) {
        while self.bands.len() <= band && self.known < f64::MAX / 4.0 {
            let before = self.known;
            if !self.extend(before) {
                return;
            }
        }
    }

    fn next_edge(&self, from: f64, end: f64) -> Found {
        let Some(sides) = self.bands.last() else {
            return Found::None;
        };
        let mut values = Vec::new();
        self.evaluate(&from, sides, |d| *d, &mut values);
        let live = self.tape.live(&values, |_| true);
        let mut first = None;
        for (number, surface) in self.tape.surfaces().iter().enumerate() {
            if !live[number] || !surface.moves {
                continue;
            }
            for (sign, level) in watched(surface.is_floor, Stand::On(sides[number])) {
                let until = first.unwrap_or(end);
                let mut distance = Distance {
                    curve: self,
                    sides,
                    surface: number,
                    sign,
                    level,
                };
                match first_isolated(&mut distance, (from, until), surface.is_plain) {
                    Found::None => {}
                    Found::At(edge) => first = Some(edge),
                    Found::NotIsolated => return Found::NotIsolated,
                }
            }
        }
        first.map_or(Found::None, Found::At)
    }

    /// The sides of all surfaces just above a speed.
    fn sides_after(&self, speed: f64) -> Vec<f64> {
        let mut sides = vec![0.0; self.tape.surfaces().len()];
        let mut values = Vec::new();
        for number in 0..sides.len() {
            // Inner ones come first, so that those it hangs on stand already.
            let noise = self.noise(speed, number);
            let mut d_at = |speed: f64, sides: &[f64]| {
                self.evaluate(&speed, sides, |d| *d, &mut values);
                *self.tape.quantity(&values, number)
            };
            let now = d_at(speed, &sides);
            let is_floor = self.tape.surfaces()[number].is_floor;
            let level = if is_floor { now.round() } else { 0.0 };
            let mut beyond = now - level;
            let mut after = 16.0 * f64::EPSILON * speed.max(1e-3 * self.unit);
            for _ in 0..PROBES {
                if beyond.abs() > MORE * noise || after > 1e-3 * speed.max(self.unit) {
                    break;
                }
                beyond = d_at(speed + after, &sides) - level;
                after *= 4.0;
            }
            sides[number] = if beyond.abs() <= MORE * noise {
                level
            } else if is_floor {
                (level + beyond).floor()
            } else {
                beyond.signum()
            };
        }
        sides
    }

    fn symbol<S: Scalar>(&self, id: SymbolId, speed: &S) -> Option<S> {
        Some(match self.constants.get(&id) {
            Some(value) => S::from_f64(*value),
            None => speed.clone(),
        })
    }

    fn evaluate<S: Scalar>(&self, speed: &S, sides: &[f64], number: impl Fn(&S) -> f64, values: &mut Vec<S>) {
        let side = |surface: usize, d: &S| {
            if self.tape.surfaces()[surface].moves {
                sides[surface]
            } else {
                self.tape.side_of(surface, number(d))
            }
        };
        self.tape.evaluate(|id| self.symbol(id, speed), side, values);
    }

    fn decided(&self, speed: f64) -> Vec<f64> {
        let mut values = Vec::new();
        let side = |surface: usize, d: &f64| self.tape.side_of(surface, *d);
        self.tape
            .evaluate(|id| self.symbol(id, &speed), side, &mut values);
        values
    }

    /// The rounding of d of a surface.
    fn noise(&self, speed: f64, surface: usize) -> f64 {
        let size = |id: SymbolId| self.constants.get(&id).map_or(speed, |value| value.abs());
        ROUNDINGS * self.tape.sizes(&self.decided(speed), size)[surface] + f64::MIN_POSITIVE
    }
}

/// The distance from a surface, over speeds.
struct Distance<'a> {
    curve: &'a Curve,
    sides: &'a [f64],
    surface: usize,
    sign: f64,
    level: f64,
}

impl Distance<'_> {
    fn of<S: Scalar>(&self, speed: &S, number: impl Fn(&S) -> f64) -> S {
        let mut values = Vec::new();
        self.curve.evaluate(speed, self.sides, number, &mut values);
        let d = self.curve.tape.quantity(&values, self.surface).clone();
        S::from_f64(self.sign) * (d - S::from_f64(self.level))
    }
}

impl Quantity for Distance<'_> {
    fn range(&mut self, from: f64, to: f64) -> Interval {
        let speeds = Interval::new(from, to).unwrap_or(Interval::ENTIRE);
        self.of(&speeds, |d| d.mid().unwrap_or(0.0))
    }

    fn at(&mut self, speed: f64) -> f64 {
        self.of(&speed, |d| *d)
    }

    fn noise(&mut self, from: f64, to: f64) -> f64 {
        let at = |speed: f64| self.curve.noise(speed, self.surface);
        at(from).max(at(to))
    }

    fn wrong(&self) -> f64 {
        1.0
    }
}
