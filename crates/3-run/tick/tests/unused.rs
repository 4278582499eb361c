//! Operands of `and`, `or`, `if` that cannot change the result need not be numbers: random guards with such operands, closed forms as the truth.

use crate::shipped::read;
use crate::simultaneity::Dice;
use dyverse_tick::{TickOptions, simulate};
use dyverse_trace::TransitionKind;

/// x = t − 1: a function of x that has no value at and below 0, compared so that it becomes true at x = at > 0.
fn late(dice: &mut Dice, at: f64) -> String {
    match dice.below(5) {
        0 => format!("sqrt(x) > {:?}", at.sqrt()),
        1 => format!("ln(x) >= {:?}", at.ln()),
        2 => format!("ln(x * 2) - sqrt(x) > {:?}", (2.0 * at).ln() - at.sqrt()),
        3 => format!("x^1.5 >= {:?}", at.powf(1.5)),
        _ => format!("sqrt(x) * 3 - 1 >= {:?}", 3.0 * at.sqrt() - 1.0),
    }
}

#[test]
fn what_is_not_used_need_not_be_a_number() {
    let mut dice = Dice(41);
    for round in 0..200 {
        let at = dice.between(0.1, 0.9);
        let from = at * dice.between(0.1, 0.9);
        let (late, first) = (late(&mut dice, at), format!("x > {from:?}"));
        let guard = match dice.below(6) {
            0 => format!("{first} and {late}"),
            1 => format!("{late} and {first}"),
            2 => format!("not (x <= {from:?} or not ({late}))"),
            3 => format!("not (not ({late}) or x <= {from:?})"),
            4 => format!("(if {first} then sqrt(x) else -1) >= {:?}", at.sqrt()),
            _ => format!("{first} and (x > -9 and {late})"),
        };
        let (made, guard) = if dice.below(3) == 0 {
            (format!("y = if {guard} then 1 else 0\n"), "y > 0.5".to_owned())
        } else {
            (String::new(), guard)
        };
        let text = format!(
            "x' = 1 init -1\n{made}modal m {{ out cont s\n mode a {{ s = 0 when {guard} goto b }}\n mode b {{ s = 1 }} }}\nhorizon = {:?}\n",
            dice.between(2.0, 30.0)
        );
        let trace = simulate(&read(&text), &mut [], &TickOptions::default()).unwrap();
        assert!(
            trace.stop.reason.is_complete(),
            "round {round}: {}\n{text}",
            trace.stop.reason
        );
        let modes = trace
            .transitions
            .iter()
            .filter(|t| t.kind == TransitionKind::Mode);
        let times: Vec<f64> = modes.map(|t| t.time.t()).collect();
        assert!(
            times.len() == 1 && (times[0] - 1.0 - at).abs() < 1e-9,
            "round {round}: {times:?}, expected {}\n{text}",
            1.0 + at
        );
    }
}

/// What is used and no number still ends the run.
#[test]
fn what_is_used_must_be_a_number() {
    let mut dice = Dice(42);
    for _ in 0..50 {
        let at = dice.between(0.1, 0.9);
        let guard = [
            format!("x < 2 and sqrt({at:?} - x) < -1"),
            format!("x > 2 or ln({at:?} - x) > 9"),
            format!("sqrt({at:?} - x) < -1"),
        ];
        let text = format!(
            "x' = 1\nmodal m {{ out cont s\n mode a {{ s = 0 when {} goto b }}\n mode b {{ s = 1 }} }}\nhorizon = 5\n",
            guard[dice.below(3)]
        );
        let trace = simulate(&read(&text), &mut [], &TickOptions::default()).unwrap();
        assert_eq!(trace.stop.reason.word(), "not_finite", "{text}");
        assert!(
            (trace.stop.time.t() - at).abs() < 1e-6,
            "{}\n{text}",
            trace.stop.time
        );
    }
}
