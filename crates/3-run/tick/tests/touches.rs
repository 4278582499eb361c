//! Signals that turn back exactly on the level of a guard: one that holds on its level is enabled there, once; one that does not is not, wherever rounding puts the value. Decimals whose apex is a
//! decimal too, at many scales.

use crate::shipped::read;
use crate::simultaneity::Dice;
use dyverse_tick::{TickOptions, simulate};
use dyverse_trace::TransitionKind;

/// A guard for x at or beyond a level on a side, that holds on its level or does not.
fn guard(dice: &mut Dice, level: &str, sign: i64, holds_there: bool) -> String {
    let (more, less) = if sign > 0 { (">", "<") } else { ("<", ">") };
    let more = if holds_there {
        format!("{more}=")
    } else {
        more.to_owned()
    };
    let inside = if holds_there {
        less.to_owned()
    } else {
        format!("{less}=")
    };
    match dice.below(5) {
        0 => format!("x {more} {level}"),
        1 => format!("not (x {inside} {level})"),
        2 => format!("x {more} {level} and time >= 0"),
        3 => format!("x - {level} {more} 0"),
        _ => format!("y {more} {level}"),
    }
}

#[test]
fn guards_at_an_apex() {
    let mut dice = Dice(41);
    for round in 0..400 {
        let (a, time) = (2 * (1 + dice.below(400) as i64), 1 + dice.below(60) as i64);
        let (q, r) = (dice.below(7) as i32 - 4, dice.below(4) as i32 - 2);
        let length = q + 2 * r;
        let start = dice.below(20_001) as i64 - 10_000;
        let sign = if dice.below(2) == 0 { 1 } else { -1 };
        let apex = start + sign * (a * time * time / 2);
        let holds_there = dice.below(2) == 0;
        let touched = guard(&mut dice, &format!("{apex}e{length}"), sign, holds_there);
        // On the way back it does go through another level.
        let second = start - sign * (1 + dice.below(a as usize * time as usize) as i64);
        let back = if sign > 0 { "<" } else { ">" };
        let text = format!(
            "model m\nv' = {}e{q} init {}e{}\nx' = v init {start}e{length}\ny = x\nmodal m {{ out cont s\n initial mode below {{ s = 0\n when {touched} goto touched\n when x {back} \
             {second}e{length} goto through }}\n mode touched {{ s = 1 }}\n mode through {{ s = 2 }} }}\nrecord x\nhorizon = {}e{r}\n",
            -sign * a,
            sign * a * time,
            q + r,
            4 * time
        );
        let graph = read(&text);
        let trace = simulate(&graph, &mut [], &TickOptions::default())
            .unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert!(trace.stop.reason.is_complete(), "{}\n{text}", trace.stop.reason);
        let unit = 10f64.powi(r);
        let at_apex = time as f64 * unit;
        let fall = (2.0 * (apex - second).abs() as f64 / a as f64).sqrt() * unit;
        let moves = trace
            .transitions
            .iter()
            .filter(|t| t.kind == TransitionKind::Mode);
        let moves: Vec<f64> = moves.map(|t| t.time.t()).collect();
        // The time of a touch is known to the root of what the value is known to.
        let expected: Vec<(f64, f64)> = if holds_there {
            vec![(at_apex, 1e-4)]
        } else if fall < 3.0 * at_apex {
            vec![(at_apex + fall, 1e-9)]
        } else {
            Vec::new()
        };
        let is_near = |(t, (at, off)): (&f64, &(f64, f64))| (t - at).abs() < off * (at_apex + fall);
        assert!(
            moves.len() == expected.len() && moves.iter().zip(&expected).all(is_near),
            "{round}: {moves:?} is not {expected:?}\n{text}"
        );
    }
}
