//! What is seen along a run, at each of its samples: the forces of closed contacts in the world, and where the energy has gone so far.
//!
//! **In:** a trace with pieces, and the closed contacts during them ([`simulate_with_contacts`](crate::simulate_with_contacts)). **Out:** one [`Seen`] for each sample.
//!
//! At an instant the first sample is the limit from the left and sees the forces before it, the last one those after it; what lies between has no forces. Work is the integral
//! of power along the pieces, by Gauss's rule with five points between samples, so that
//! kinetic − kinetic(start) − loads − friction − impacts is the error of the motion, found apart from the run's own balance. The work of impacts is what the kinetic energy jumps by.

use crate::observe::{ClosedContacts, Moment, Observer, SeenForce};
use crate::{RunError, RunOptions};
use dyverse_model::Model;
use dyverse_trace::Trace;

/// Gauss's nodes on [−1, 1] and their weights.
const GAUSS: [(f64, f64); 5] = [
    (0.0, 0.568_888_888_888_888_9),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (-0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.906_179_845_938_664, 0.236_926_885_056_189_08),
    (-0.906_179_845_938_664, 0.236_926_885_056_189_08),
];

/// What is seen at a sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// The forces of the closed contacts; `None` within an instant, and where they cannot be found.
    pub forces: Option<Vec<SeenForce>>,
    /// Kinetic energy, J.
    pub kinetic: f64,
    /// Work of the loads since the start, J.
    pub loads: f64,
    /// Work of friction since the start, J.
    pub friction: f64,
    /// Work of impacts since the start, J.
    pub impacts: f64,
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Left,
    Within,
    Right,
}

/// A run that is looked at along its samples.
pub struct Along<'a> {
    trace: &'a Trace,
    closed: &'a [ClosedContacts],
    observer: Observer<'a>,
    /// The pieces by their beginning.
    order: Vec<usize>,
}

impl<'a> Along<'a> {
    /// A run of this model with these options.
    ///
    /// # Errors
    /// As [`simulate`](crate::simulate()).
    pub fn new(
        model: &'a Model,
        options: &RunOptions,
        trace: &'a Trace,
        closed: &'a [ClosedContacts],
    ) -> Result<Self, RunError> {
        let mut order: Vec<usize> = (0..trace.pieces.len().min(closed.len())).collect();
        order.sort_by(|a, b| trace.pieces[*a].from.total_cmp(&trace.pieces[*b].from));
        Ok(Along {
            trace,
            closed,
            observer: Observer::new(model, options)?,
            order,
        })
    }

    /// What is seen at each sample, in order.
    pub fn samples(mut self) -> Vec<Seen> {
        let (loads, friction) = self.works();
        let mut seen: Vec<Seen> = Vec::with_capacity(self.trace.samples.len());
        let mut alive: Vec<usize> = Vec::new();
        let mut next = 0;
        let (mut all_loads, mut all_friction, mut impacts) = (0.0, 0.0, 0.0);
        for (place, sample) in self.trace.samples.iter().enumerate() {
            let t = sample.time.t();
            while let Some(piece) = self.order.get(next).filter(|p| self.trace.pieces[**p].from <= t) {
                alive.push(*piece);
                next += 1;
            }
            alive.retain(|p| self.trace.pieces[*p].to >= t);
            let side = self.side(place);
            let is_on = |p: &&usize| {
                let piece = &self.trace.pieces[**p];
                match side {
                    Side::Left => piece.from < t,
                    Side::Right => t < piece.to,
                    Side::Within => false,
                }
            };
            let on: Vec<usize> = alive.iter().filter(is_on).copied().collect();
            let begun = on
                .iter()
                .map(|p| self.trace.pieces[*p].from)
                .fold(f64::NEG_INFINITY, f64::max);
            let closed: Vec<&ClosedContacts> = on.iter().map(|p| &self.closed[*p]).collect();
            let moment = Moment {
                t,
                anchor: if begun.is_finite() { begun } else { t },
                states: &sample.values,
                closed: &closed,
                struck: &[],
            };
            let kinetic = self.observer.kinetic_energy(&moment);
            let before = place.checked_sub(1).map(|p| self.trace.samples[p].time.t());
            if before == Some(t)
                && let Some(last) = seen.last()
            {
                impacts += kinetic - last.kinetic;
            }
            all_loads += loads[place];
            all_friction += friction[place];
            let forces = (side != Side::Within)
                .then(|| self.observer.forces(&moment))
                .flatten();
            seen.push(Seen {
                forces,
                kinetic,
                loads: all_loads,
                friction: all_friction,
                impacts,
            });
        }
        seen
    }

    fn side(&self, place: usize) -> Side {
        let t = |place: usize| self.trace.samples.get(place).map(|s| s.time.t());
        let before = place.checked_sub(1).and_then(t);
        match (before == t(place), t(place + 1) == t(place)) {
            (true, true) => Side::Within,
            (true, false) => Side::Right,
            // The start of a run has nothing on its left.
            (false, _) if before.is_none() && t(place + 1) != t(place) => Side::Right,
            (false, _) => Side::Left,
        }
    }

    /// The work of loads and of friction that ends at each sample and begins after the one before.
    fn works(&mut self) -> (Vec<f64>, Vec<f64>) {
        let samples = &self.trace.samples;
        let (mut loads, mut friction) = (vec![0.0; samples.len()], vec![0.0; samples.len()]);
        let mut states = vec![f64::NAN; self.trace.signals.len()];
        for number in 0..self.order.len() {
            let piece = &self.trace.pieces[number];
            let closed = &self.closed[number];
            let mut from = piece.from;
            let mut place = samples.partition_point(|s| s.time.t() <= from);
            while from < piece.to {
                let to = samples.get(place).map_or(piece.to, |s| s.time.t().min(piece.to));
                let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
                for (node, weight) in GAUSS {
                    let t = middle + half * node;
                    for (id, value) in piece.values(t) {
                        if let Some(state) = states.get_mut(id.0 as usize) {
                            *state = value;
                        }
                    }
                    let moment = Moment {
                        t,
                        anchor: piece.from,
                        states: &states,
                        closed: &[closed],
                        struck: &[],
                    };
                    let power = self.observer.power(closed, &moment);
                    let (of_loads, of_friction) = power.unwrap_or((f64::NAN, f64::NAN));
                    let last = place.min(samples.len().saturating_sub(1));
                    if let (Some(a), Some(b)) = (loads.get_mut(last), friction.get_mut(last)) {
                        *a += half * weight * of_loads;
                        *b += half * weight * of_friction;
                    }
                }
                from = to;
                place += samples[place.min(samples.len())..].partition_point(|s| s.time.t() <= from);
            }
        }
        (loads, friction)
    }
}
