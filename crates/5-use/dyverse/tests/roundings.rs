//! What doubles and tolerances decide in a run is no verdict: decimals that are equal, guards with tolerances, signals that nearly meet, contacts that rest within a tolerance, starts that overlap. Random
//! models of each kind; the truth is whole numbers, or what the language says of tolerances.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use crate::moments::{Dice, actors, bodies, options, word};
use dyverse::check::{CellOutcome, Checkable, PartitionOptions, Verdict, check, partition};
use std::ops::ControlFlow;

/// A whole number of thousandths as a decimal.
fn thousandths(n: i64) -> String {
    let sign = if n < 0 { "-" } else { "" };
    format!("{sign}{}.{:03}", n.abs() / 1000, n.abs() % 1000)
}

/// Sums and products of decimals against decimals: the comparison is one of whole numbers.
#[test]
fn decimals_are_compared_as_decimals() {
    let mut dice = Dice(0xdec);
    let (mut equal, mut told) = (0, 0);
    for _ in 0..90 {
        let step = 1 + dice.below(400) as i64;
        let times = 2 + dice.below(4) as i64;
        let off = [0, 0, 1, -1][dice.below(4)];
        // Is step · times > limit?
        let limit = step * times - off;
        let is_over = off > 0;
        let (s, l) = (thousandths(step), thousandths(limit));
        let sum = vec![s.as_str(); times as usize].join(" + ");
        let (text, is_modal) = match dice.below(4) {
            0 => (
                format!(
                    "param p in [0, 1]\nmodal m {{ out cont y\n initial mode A {{ y = 0 when {sum} > {l} and time >= 0.5 goto B }}\n mode B {{ y = 1 }} }}\nhorizon = 1\nproperty q: always m.y < 0.5\n"
                ),
                true,
            ),
            1 => (
                format!(
                    "param p in [0, 1]\nmodal m {{ out cont n, c\n initial mode A {{ n' = 0 init 0  c' = 1 init 0  when c >= 0.125 and n < {} history goto A {{ n := n + {s}  c := 0 }}\n when n > {l} goto B }}\n mode B {{ n' = 0 init 9999  c' = 0 }} }}\nhorizon = 2\nproperty q: always m.n < 5000\n",
                    thousandths(step * times - 1)
                ),
                true,
            ),
            2 => (
                format!(
                    "param p in [0, 1]\nx' = if {times} * {s} > {l} then 1 else 0\nhorizon = 1\nproperty q: always x < 0.5\n"
                ),
                true,
            ),
            _ => (
                format!(
                    "param k = {s}\nparam p in [0, 1]\nentity b {{ sphere(radius = 0.1) mass = 1 }}\nforce on b = (if k * {times} > {l} then 1 else 0, 0, 0)\nhorizon 1\nproperty q: always b.vx < 0.5\n"
                ),
                false,
            ),
        };
        let found = if is_modal {
            word(Checkable::Actors(&actors(&text)), "q", &options())
        } else {
            word(Checkable::Bodies(&bodies(&text)), "q", &options())
        };
        let wrong = if is_over { "SAFE" } else { "UNSAFE" };
        assert_ne!(found, wrong, "{text}");
        equal += usize::from(off == 0);
        told += usize::from(found != "UNKNOWN");
    }
    assert!(equal > 20 && told > 30, "{equal} {told}");
}

/// A guard with a tolerance is taken somewhere within it, so that nothing is proved of where.
#[test]
fn guards_with_tolerances_are_not_proved_about() {
    let mut dice = Dice(0x701);
    for _ in 0..20 {
        let (level, tolerance) = (dice.between(0.2, 0.6), dice.between(0.02, 0.2));
        let rate = dice.between(0.8, 1.5);
        let (own, global) = if dice.below(2) == 0 {
            (format!(" tolerance {tolerance}"), String::new())
        } else {
            (
                String::new(),
                format!("tolerances {{ crossing = {tolerance} }}\n"),
            )
        };
        let text = format!(
            "param p in [0, 1]\n{global}modal m {{ out cont x\n initial mode A {{ x' = {rate} init 0  when x >= {level}{own} goto B {{ x := x }} }}\n mode B {{ x' = 0 }} }}\nhorizon = 1\nproperty q: always m.x < {}\n",
            level + 0.3 * tolerance
        );
        assert_ne!(
            word(Checkable::Actors(&actors(&text)), "q", &options()),
            "SAFE",
            "{text}"
        );
    }
}

/// Signals that touch to less than the 1e-12 of their size that equality means in a guard; and ones that stay well apart.
#[test]
fn signals_that_nearly_meet_are_not_proved_apart() {
    let mut dice = Dice(0x3ee7);
    for _ in 0..20 {
        let size = 10f64.powf(dice.between(-1.0, 3.0));
        let middle = dice.between(0.3, 0.7);
        let near = size * dice.between(0.5, 3.0) * 1e-13;
        let text = |apart: f64| {
            format!(
                "param p in [0, 1]\nmodal m {{ out cont y\n initial mode A {{ y = 0 when {size:?} - (time - {middle})^2 == {size:?} + {apart:?} goto B }}\n mode B {{ y = 1 }} }}\nhorizon = 1\nproperty q: always m.y < 0.5\n"
            )
        };
        let close = text(near);
        assert_ne!(
            word(Checkable::Actors(&actors(&close)), "q", &options()),
            "SAFE",
            "{close}"
        );
        let apart = text(1e-4 * size);
        assert_eq!(
            word(Checkable::Actors(&actors(&apart)), "q", &options()),
            "SAFE",
            "{apart}"
        );
    }
}

/// A ball that rebounds more slowly than what counts as rest is at rest in a run: a proof does not say that it moves.
#[test]
fn what_rests_within_a_tolerance_is_not_proved_to_move() {
    let mut dice = Dice(0x4e57);
    for _ in 0..16 {
        let coarse = dice.below(2) == 0;
        let tolerance = if coarse { dice.between(0.01, 0.1) } else { 1e-9 };
        let speed = dice.between(0.5, 2.0);
        let e = dice.between(0.2, 0.9) * tolerance / speed;
        let given = if coarse {
            format!("tolerances {{ velocity = {tolerance:?} }}\n")
        } else {
            String::new()
        };
        let text = format!(
            "param p in [0, 1]\n{given}entity b {{ sphere(radius = 0.1) mass = 1 position = (0, 0.1, 0) velocity = (0, -{speed}, 0) }}
             fixed entity floor {{ half_space(normal = (0, 1, 0), offset = 0) }}
             contact default {{ restitution = {e:?} friction = 0 }}\nhorizon 1\nproperty q: always [0.01, 1] b.vy > {:?}\n",
            0.1 * e * speed
        );
        assert_ne!(
            word(Checkable::Bodies(&bodies(&text)), "q", &options()),
            "SAFE",
            "{text}"
        );
    }
}

/// Initial values at which bodies overlap begin no run: they break nothing.
#[test]
fn starts_that_overlap_break_nothing() {
    let mut dice = Dice(0x0e4);
    for _ in 0..6 {
        let radius = dice.between(0.1, 0.5);
        let text = format!(
            "entity a {{ sphere(radius = {radius}) mass = 1 position in (0, [{}, {}], 0) }}
             fixed entity floor {{ half_space(normal = (0, 1, 0), offset = 0) }}
             contact default {{ restitution = 0 friction = 0 }}\ngravity (0, -9.81, 0)\nhorizon 0.2
             property high: always a.y >= {}\nproperty low: always a.y < {}\n",
            radius - 0.05,
            radius + 0.05,
            radius - 0.02,
            radius - 0.03
        );
        let model = bodies(&text);
        let subject = Checkable::Bodies(&model);
        // Only overlapping starts are below; all others are above.
        assert_ne!(word(subject, "high", &options()), "UNSAFE", "{text}");
        let finding = check(subject, "low", &options(), &|_| ControlFlow::Continue(())).unwrap();
        let Verdict::Unsafe(found) = finding.verdict else {
            panic!("{text}");
        };
        assert!(found.values[0].value >= radius - 1e-9, "{:?}", found.values);
        let what = PartitionOptions {
            names: vec!["a.y".to_owned()],
            width: 1e-3,
        };
        let parts = partition(subject, "low", &what, &options(), &|_| ControlFlow::Continue(())).unwrap();
        for cell in parts.cells.iter().filter(|c| c.outcome == CellOutcome::Unsafe) {
            assert!(cell.sides[0].0 >= radius - 2e-3, "{cell:?}\n{text}");
        }
    }
}
