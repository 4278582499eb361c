//! Where inside a step the first watched quantity goes through its level.
//!
//! # Method
//! All quantities are evaluated at five Chebyshev points of the step; one whose interpolant stays clear of its level by more than four times its last two coefficients is
//! left alone. For the others the first crossing is searched on the dense output (`dyverse_flow::CrossingSearch`), which misses no second root.
//!
//! # Tolerance
//! With tolerance 0 the event is at the first double after the crossing. With tolerance τ it lies beyond the level, but by less than τ, as in the tools of
//! [004 §5.2, §5.5]: where the quantity is τ/2 beyond. If the model states a longest step h, events are seen on the grid of steps of length h since the last event, as
//! those tools do: at the first point of the grid after the crossing if the quantity is there within τ of its level. A detector
//! that overshoots like this is what lets the ball of [004 fig. 18] tunnel.
//!
//! # Equality
//! Two signals meet where their difference passes 0 or touches it (`met.rs`): a lowest point within the touching distance of 0 is an event like a crossing.
//!
//! # Touching
//! What comes to its level within the touching distance of `met.rs` and goes away again touches it. A condition that holds on the level (`x >= 1`) holds in the instant of a touch, and a guard of that kind is
//! enabled; one that does not (`x > 1`) does not, wherever rounding puts the value.
//!
//! # Guarantee
//! To tolerance, for quantities that are smooth over the step. Starting on the level is no crossing of a `cross` (`level.rs`); leaving the level turns a switch.

use crate::excursion::told_from;
use dyverse_flow::{Beginning, Crossing, CrossingOptions, CrossingSearch, is_clear, simultaneous_until};

/// A quantity that must stay positive: sign · (value − level).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side {
    /// Which watched quantity.
    pub(crate) quantity: usize,
    pub(crate) sign: f64,
    pub(crate) level: f64,
    pub(crate) tolerance: f64,
    /// Whether leaving the level downwards without having been above counts.
    pub(crate) is_switch: bool,
    /// Whether it was above before.
    pub(crate) is_above: bool,
    /// Whether it is on its level, wherever its value came to lie: it must leave it before it can be above.
    pub(crate) is_on: bool,
    /// The rounding of its value.
    pub(crate) rounding: f64,
    /// Whether an instant was right before the step.
    pub(crate) is_fresh: bool,
    /// Whether the level itself is still on its side, as that of x > 0 while it does not hold.
    pub(crate) is_strict: bool,
    /// Whether it is an equality that does not hold, so that coming to 0 is its event.
    pub(crate) meets: bool,
}

/// What was found for one side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Found {
    Nothing,
    At(f64),
    /// The search gave up.
    Lost,
    NotFinite,
}

/// The grid on which events with a tolerance are seen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    pub(crate) origin: f64,
    pub(crate) step: f64,
}

impl Grid {
    /// The first point after `t` (or at it, if it is no later than rounding), not beyond `end`.
    fn after(self, t: f64, end: f64) -> f64 {
        let count = ((t - self.origin) / self.step).ceil().max(1.0);
        let point = self.origin + count * self.step;
        (if point < t { point + self.step } else { point }).min(end)
    }
}

/// The event of one side in (a, b]; `points` are the values of the quantity at [`CLEAR_POINTS`](dyverse_flow::CLEAR_POINTS).
pub(crate) fn first(
    search: &mut CrossingSearch,
    side: &Side,
    points: [f64; 5],
    ((a, b), grid): ((f64, f64), Option<Grid>),
    value: &mut dyn FnMut(f64) -> f64,
) -> Found {
    let points = points.map(|v| side.sign * (v - side.level));
    if is_clear(points) {
        return Found::Nothing;
    }
    let mut g = |t: f64| side.sign * (value(t) - side.level);
    let is_armed = side.is_above || side.is_switch;
    if side.tolerance > 0.0 && points[0].abs() <= side.tolerance {
        let half = 0.5 * side.tolerance;
        match grid {
            Some(grid) => return first_on_grid(search, side, (a, b), grid, &mut g),
            None if is_armed && points[0] > -half => {
                return if is_clear(points.map(|v| v + half)) {
                    Found::Nothing
                } else {
                    half_beyond(search, side.tolerance, (a, b), &mut g)
                };
            }
            None if points.iter().all(|v| *v <= 0.0) => return Found::Nothing,
            None => {}
        }
    }
    let beginning = if side.is_above {
        Beginning::Above
    } else {
        Beginning::Fresh
    };
    let mut from = a;
    let mut beginning = beginning;
    if side.is_on {
        // It must leave the level before it is above: farther than it lies beyond. The start may have been evaluated with other roundings.
        let above = (points[0].abs() * (1.0 + 1e-6)).max(side.rounding) + f64::MIN_POSITIVE;
        match search.first(&mut |t| above - g(t), a, b, Beginning::Above) {
            Crossing::At { t, .. } => (from, beginning) = (t, Beginning::Above),
            Crossing::NotIsolated { .. } => return Found::Lost,
            Crossing::NotFinite { .. } => return Found::NotFinite,
            _ => return Found::Nothing,
        }
    }
    let found = search.first_event(&mut g, (from, b), beginning, side.is_switch);
    let found = match found {
        // It started on the level.
        Crossing::At { t, .. }
            if side.is_fresh
                && !side.is_switch
                && side.tolerance <= 0.0
                && t <= simultaneous_until(a)
                && !(side.is_on && t - a > told_from(a, b)) =>
        {
            search.first_event(&mut g, (t, b), Beginning::Fresh, false)
        }
        found => found,
    };
    match found {
        Crossing::None | Crossing::Grazing { .. } => Found::Nothing,
        Crossing::At { t, .. } | Crossing::Sinks { t } => {
            Found::At(beyond(search, side.tolerance, (t, b), grid, &mut g))
        }
        Crossing::NotIsolated { .. } => Found::Lost,
        Crossing::NotFinite { .. } => Found::NotFinite,
    }
}

/// A crossing at `t` of a side that the level itself is still on: one that goes no farther than `touch` beyond it and is back before `b` has touched it, and is none. What crosses after that counts.
pub(crate) fn through(
    search: &mut CrossingSearch,
    side: &Side,
    touch: f64,
    (t, b): (f64, f64),
    value: &mut dyn FnMut(f64) -> f64,
) -> Found {
    let mut g = |t: f64| side.sign * (value(t) - side.level);
    if g(t) <= -touch {
        return Found::At(t);
    }
    match search.first(&mut |t| g(t) + touch, t, b, Beginning::Above) {
        Crossing::At { t: beyond, .. } => {
            // Back to where it crossed last.
            let mut back = 4.0 * f64::EPSILON * beyond.abs().max(beyond - t);
            while back > 0.0 && beyond - back > t {
                if g(beyond - back) > 0.0 {
                    let found = search.first(&mut g, beyond - back, beyond, Beginning::Above);
                    return found.time().map_or(Found::At(t), Found::At);
                }
                back *= 4.0;
            }
            Found::At(t)
        }
        Crossing::None | Crossing::Grazing { .. } if g(b) > touch => Found::Nothing,
        // Not back yet; or something has no value beyond the level.
        _ => Found::At(t),
    }
}

/// The first moment at or right after an event at `t` at which a quantity is beyond its level and not on it; `t` itself if there is none that happens together with it.
pub(crate) fn off_level(side: &Side, t: f64, value: &mut dyn FnMut(f64) -> f64) -> f64 {
    let mut g = |t: f64| side.sign * (value(t) - side.level);
    if g(t) != 0.0 {
        return t;
    }
    let (until, mut ulps) = (simultaneous_until(t), 1.0);
    loop {
        let next = t + ulps * f64::EPSILON * t.abs().max(f64::MIN_POSITIVE);
        if next > until || !next.is_finite() {
            return t;
        }
        if next > t && g(next) < 0.0 {
            return next;
        }
        ulps *= 2.0;
    }
}

/// Where the two sides of an equality meet in (a, b]; within `touch` they count as touching.
pub(crate) fn first_meeting(
    side: &Side,
    (points, touch): ([f64; 5], f64),
    ((a, b), grid): ((f64, f64), Option<Grid>),
    value: &mut dyn FnMut(f64) -> f64,
) -> Found {
    let points = points.map(|v| side.sign * (v - side.level));
    if is_clear(points.map(|v| v - touch)) || is_clear(points.map(|v| -v - touch)) {
        return Found::Nothing;
    }
    let mut g = |t: f64| side.sign * (value(t) - side.level);
    let mut search = CrossingSearch::new(CrossingOptions {
        grazing: Some(touch),
        ..CrossingOptions::default()
    });
    let mut from = a;
    if points[0] <= touch {
        // On the level, or on its other side: it must be away on this side before it can meet here.
        let away = touch * (1.0 + 1e-6) + f64::MIN_POSITIVE;
        let mut plain = CrossingSearch::default();
        match plain.first(&mut |t| away - g(t), a, b, Beginning::Above) {
            Crossing::At { t, .. } => from = t,
            Crossing::NotIsolated { .. } => return Found::Lost,
            Crossing::NotFinite { .. } => return Found::NotFinite,
            _ => return Found::Nothing,
        }
    }
    match search.first(&mut g, from, b, Beginning::Above) {
        // A touch that is not over where the step ends.
        Crossing::None if g(b) <= touch => Found::At(b),
        Crossing::None => Found::Nothing,
        Crossing::Grazing { t, .. } => Found::At(t),
        Crossing::At { t, .. } | Crossing::Sinks { t } => {
            Found::At(beyond(&mut search, side.tolerance, (t, b), grid, &mut g))
        }
        Crossing::NotIsolated { .. } => Found::Lost,
        Crossing::NotFinite { .. } => Found::NotFinite,
    }
}

/// Near the level, on a grid: the first point beyond it. What happens between, inside the tolerance, is not resolved: there it may be rounding.
fn first_on_grid(
    search: &mut CrossingSearch,
    side: &Side,
    (a, b): (f64, f64),
    grid: Grid,
    g: &mut dyn FnMut(f64) -> f64,
) -> Found {
    let mut from = a;
    let mut is_armed = side.is_above || side.is_switch;
    let arms = if side.is_on {
        g(a).max(0.0) * (1.0 + 1e-6)
    } else {
        0.0
    };
    while from < b {
        let next = from + 0.5 * grid.step;
        let point = grid.after(if next > from { next } else { b }, b);
        let there = g(point);
        if is_armed && (there < 0.0 || (side.is_above && there == 0.0)) {
            return if there > -side.tolerance {
                Found::At(point)
            } else {
                half_beyond(search, side.tolerance, (from, point), g)
            };
        }
        is_armed |= there > arms;
        from = point;
    }
    Found::Nothing
}

/// The first moment at which a quantity that is not yet so is τ/2 beyond its level.
fn half_beyond(
    search: &mut CrossingSearch,
    tolerance: f64,
    (a, b): (f64, f64),
    g: &mut dyn FnMut(f64) -> f64,
) -> Found {
    match search.first(&mut |t| g(t) + 0.5 * tolerance, a, b, Beginning::Above) {
        Crossing::None => Found::Nothing,
        Crossing::NotFinite { .. } => Found::NotFinite,
        Crossing::NotIsolated { .. } => Found::Lost,
        Crossing::At { t, .. } | Crossing::Grazing { t, .. } | Crossing::Sinks { t } => Found::At(t),
    }
}

/// Where the event of a crossing at `t` is, for a tolerance.
fn beyond(
    search: &mut CrossingSearch,
    tolerance: f64,
    (t, end): (f64, f64),
    grid: Option<Grid>,
    g: &mut dyn FnMut(f64) -> f64,
) -> f64 {
    if tolerance <= 0.0 {
        return t;
    }
    let end = grid.map_or(end, |grid| grid.after(t, end));
    let at_end = g(end);
    if grid.is_some() && at_end <= 0.0 && at_end > -tolerance {
        return end;
    }
    match half_beyond(search, tolerance, (t, end), g) {
        Found::At(t) => t,
        _ => t,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dyverse_flow::CLEAR_POINTS;

    fn side(tolerance: f64) -> Side {
        Side {
            quantity: 0,
            sign: 1.0,
            level: 0.0,
            tolerance,
            is_switch: false,
            is_above: true,
            is_on: false,
            rounding: 0.0,
            is_fresh: false,
            is_strict: false,
            meets: false,
        }
    }

    #[test]
    fn the_tolerance_says_how_far_beyond() {
        let mut search = CrossingSearch::new(CrossingOptions::default());
        let mut at = |tolerance: f64, grid: Option<f64>| {
            let grid = grid.map(|step| Grid { origin: 0.0, step });
            let points = CLEAR_POINTS.map(|p: f64| 0.5 - p);
            first(
                &mut search,
                &side(tolerance),
                points,
                ((0.0, 1.0), grid),
                &mut |t| 0.5 - t,
            )
        };
        let Found::At(exact) = at(0.0, None) else { panic!() };
        assert!((exact - 0.5).abs() < 1e-15 && exact >= 0.5);
        let Found::At(half) = at(0.1, None) else { panic!() };
        assert!((half - 0.55).abs() < 1e-12);
        assert_eq!(
            at(0.1, Some(0.29)),
            Found::At(0.58),
            "the point of the grid is near enough"
        );
        let Found::At(coarse) = at(0.1, Some(0.4)) else {
            panic!()
        };
        assert!((coarse - 0.55).abs() < 1e-12, "the point of the grid is too far");
    }
}
