//! Pulses far narrower than the steps of a run: random shapes, places and widths; the place at which they reach a level in closed form.

use crate::shipped::read;
use crate::simultaneity::Dice;
use dyverse_tick::{TickOptions, simulate};

#[test]
fn narrow_pulses_are_seen_whatever_the_horizon() {
    let mut dice = Dice(51);
    for round in 0..120 {
        let horizon = dice.sized(1e-1, 1e3);
        let at = horizon * dice.between(0.05, 0.95);
        let width = horizon * dice.sized(1e-5, 1e-1) * 0.05;
        let level = dice.between(0.1, 0.9);
        // Where the pulse reaches the level, in widths before its middle.
        let (text, before) = match dice.below(4) {
            0 => (
                format!("x = exp(-((time - {at:?}) / {width:?})^2)\n"),
                (-level.ln()).sqrt(),
            ),
            1 => (
                format!("x = 1 / (1 + ((time - {at:?}) / {width:?})^2)\n"),
                (1.0 / level - 1.0).sqrt(),
            ),
            2 => (
                format!("s' = 1\nx = exp(-((s - {at:?}) / {width:?})^2)\n"),
                (-level.ln()).sqrt(),
            ),
            _ => (
                // The same where it is large, and 0 far away.
                format!("x = exp(-abs((time - {at:?}) / {width:?}))\n"),
                -level.ln(),
            ),
        };
        let guard = [
            format!("x >= {level:?}"),
            format!("x > {level:?}"),
            format!("not ({level:?} > x)"),
            format!("x - {level:?} > 0"),
        ];
        let text = format!(
            "{text}c = cross(x, {level:?}, rising)\nn' = 0 impulse 1 on c\nmodal m {{ out cont s\n mode a {{ s = 0 when {} goto b }}\n mode b {{ s = 1 }} }}\nhorizon = {horizon:?}\n",
            guard[dice.below(4)]
        );
        let trace = simulate(&read(&text), &mut [], &TickOptions::default()).unwrap();
        assert!(
            trace.stop.reason.is_complete(),
            "round {round}: {}\n{text}",
            trace.stop.reason
        );
        assert_eq!(trace.last("m.s"), Some(1.0), "round {round}\n{text}");
        assert_eq!(trace.last("n"), Some(1.0), "round {round}\n{text}");
        let truth = at - before * width;
        let first = trace
            .transitions
            .iter()
            .map(|t| t.time.t())
            .fold(f64::INFINITY, f64::min);
        assert!(
            (first - truth).abs() < 1e-9 * horizon.max(1.0),
            "{first} {truth}\n{text}"
        );
    }
}
