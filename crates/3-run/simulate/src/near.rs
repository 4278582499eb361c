//! When the contacts of a pair can close at all: a pair of boxes has 160 of them, and most are far from closing most of the time.
//!
//! # Method
//! Surfaces are moved, not deformed, so their distance falls no faster than their points move: by no more than the speed of both centres plus the reach of each body times
//! how fast it turns. The slopes of a step's polynomials are below the sums of their coefficients, so this rate is known for the whole step. A stretch of time at whose middle the
//! distance is more than rate times half its length holds no closing. Others are halved, [`HALVINGS`] times, first with the distance of the two surfaces as a whole, then, in what is left,
//! with that of each feature.
//!
//! # Guarantee
//! No closing lies outside the stretches that are left, to rounding of the distance. The closing gap is never below the distance.

use crate::crossing::{Found, first_downward};
use crate::index::ContactIx;
use crate::loads::STATE;
use crate::predict::{Motion, overlap};
use crate::system::System;
use dyverse_mech::{ContactPair, Feature};

/// Contacts of two surfaces from which on they are looked at together first.
const MANY: usize = 9;
/// How often a stretch is halved.
const HALVINGS: u32 = 6;
/// What rounding may take from the bound, in parts of it, and how far orientations are from unit length.
const SAFE: f64 = 1.01;

/// Stretches of time, ascending and apart.
pub(crate) type Spans = Vec<(f64, f64)>;

/// The stretches in which two surfaces are near each other, for the pair of surfaces asked for last.
#[derive(Default)]
pub(crate) struct NearSpans {
    known: Option<Known>,
}

/// What is known of two surfaces.
struct Known {
    surfaces: (u32, u32),
    /// Whether they have many contacts.
    is_many: bool,
    spans: Spans,
}

impl NearSpans {
    /// When a contact of two entities may close within a stretch of their steps.
    pub(crate) fn of(
        &mut self,
        system: &System<'_>,
        contact: ContactIx,
        (first, second): (&Motion<'_>, &Motion<'_>),
        span: (f64, f64),
    ) -> Spans {
        let data = system.contact(contact);
        let (a, b) = data.entities();
        let surfaces = data.contact.surfaces;
        let bodies = (&system.bodies[a], &system.bodies[b]);
        let (one, two) = (
            &bodies.0.surfaces[surfaces.0 as usize],
            &bodies.1.surfaces[surfaces.1 as usize],
        );
        let rate = first.rate(bodies.0.reach) + second.rate(bodies.1.reach);
        let distance = |pair: &ContactPair<f64>, t: f64| {
            let (p, q) = (first.placement(t), second.placement(t));
            if let Some(distance) = pair.sharp_distance(&p, &q) {
                return distance;
            }
            match pair.closest_points(&p, &q) {
                Ok(points) => points.gap,
                Err(_) => overlap(pair, &p, &q).unwrap_or(f64::NAN),
            }
        };
        let known = match self.known.take().filter(|known| known.surfaces == surfaces) {
            Some(known) => known,
            None => {
                let is_many = Feature::touching(&one.shape, &two.shape).len() >= MANY;
                let whole = ContactPair::new((one, Feature::Whole), (two, Feature::Whole), data.pair.side());
                // How deep they overlap is of no account here.
                let apart = |pair: &ContactPair<f64>, t: f64| {
                    let points = pair.closest_points(&first.placement(t), &second.placement(t));
                    points.map_or(0.0, |points| points.gap)
                };
                let spans = match whole {
                    Ok(pair) if is_many => near_spans(&mut |t| apart(&pair, t), rate, &[span]),
                    _ => vec![span],
                };
                Known {
                    surfaces,
                    is_many,
                    spans,
                }
            }
        };
        let known = self.known.insert(known);
        if !known.is_many {
            return vec![span];
        }
        near_spans(&mut |t| distance(&data.pair, t), rate, &known.spans)
    }
}

/// The parts of some stretches in which something that falls no faster than `rate` may be below zero.
fn near_spans(distance: &mut dyn FnMut(f64) -> f64, rate: f64, spans: &[(f64, f64)]) -> Spans {
    let mut found: Spans = Vec::new();
    for span in spans {
        let mut waiting = vec![(span.0, span.1, HALVINGS)];
        while let Some((from, to, left)) = waiting.pop() {
            let middle = 0.5 * (from + to);
            if distance(middle) > SAFE * 0.5 * rate * (to - from) {
                continue;
            }
            if left > 0 && from < middle && middle < to {
                waiting.push((middle, to, left - 1));
                waiting.push((from, middle, left - 1));
                continue;
            }
            match found.last_mut() {
                Some(last) if last.1 >= from => last.1 = to,
                _ => found.push((from, to)),
            }
        }
    }
    found
}

/// The first downward crossing in some stretches, ascending.
pub(crate) fn first_of(spans: &[(f64, f64)], f: &mut dyn FnMut(f64) -> f64, level: f64, noise: f64) -> Found {
    let found = spans.iter().map(|span| first_downward(f, *span, level, noise));
    let mut found = found.skip_while(|found| *found == Found::None);
    found.next().unwrap_or(Found::None)
}

impl Motion<'_> {
    /// No point of a body of this reach is faster during the step, m/s.
    fn rate(&self, reach: f64) -> f64 {
        let Motion::Moving(step, place) = self else {
            return 0.0;
        };
        if step.dimension() < STATE * (place + 1) {
            return f64::INFINITY;
        }
        let size = |components: std::ops::Range<usize>| {
            let sums = components.map(|c| {
                let slopes = step.slope_coefficients(STATE * place + c).iter();
                slopes.map(|slope| slope.abs()).sum::<f64>()
            });
            sums.map(|sum| sum * sum).sum::<f64>().sqrt() / step.span()
        };
        let turning = 2.0 * size(3..7);
        let turned = if turning > 0.0 { turning * reach } else { 0.0 };
        SAFE * (size(0..3) + turned)
    }
}
