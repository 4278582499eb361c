//! Equality of signals that change while time passes is a crossing: found wherever it is, whatever the horizon, once for each meeting. Random models with closed forms as the truth.

use crate::shipped::read;
use crate::simultaneity::Dice;
use dyverse_tick::{TickOptions, simulate};
use dyverse_trace::{Trace, TransitionKind};

fn run(text: &str) -> Trace {
    let graph = read(text);
    let trace =
        simulate(&graph, &mut [], &TickOptions::default()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert!(trace.stop.reason.is_complete(), "{}\n{text}", trace.stop.reason);
    trace
}

fn moves(trace: &Trace) -> Vec<f64> {
    let modes = trace
        .transitions
        .iter()
        .filter(|t| t.kind == TransitionKind::Mode);
    modes.map(|t| t.time.t()).collect()
}

/// p is where it was at the start until the two meet at T; what is drawn around it changes nothing.
#[test]
fn two_signals_meet_once_whatever_the_horizon() {
    let mut dice = Dice(2);
    for round in 0..400 {
        let t = dice.sized(1e-3, 1e3);
        let size = dice.sized(1e-3, 1e3);
        let shift = dice.between(-5.0, 5.0) * size;
        let w = std::f64::consts::PI / t;
        // They meet at T and not before.
        let (made, is_touch) = match dice.below(5) {
            0 => (
                format!(
                    "p' = {:?} init {shift:?}\nq' = {:?} init {:?}\n",
                    size / t,
                    -size / t,
                    shift + 2.0 * size
                ),
                false,
            ),
            1 => (
                format!(
                    "v' = -{:?} * (p - {shift:?}) init 0\np' = v init {:?}\nq = {shift:?} + 0 * time\n",
                    (0.5 * w).powi(2),
                    shift + size
                ),
                false,
            ),
            2 => (
                format!(
                    "p = {shift:?} + {size:?} * cos({:?} * time)\nq' = 0 init {shift:?}\n",
                    0.5 * w
                ),
                false,
            ),
            // 1 + cos(πt/T) touches 0 at T.
            3 => (
                format!("p = {shift:?} + {size:?} * (1 + cos({w:?} * time))\nq = {shift:?} + 0 * time\n"),
                true,
            ),
            _ => (
                format!(
                    "p = {shift:?}\nq' = -{:?} * (1 - time / {t:?}) init {:?}\n",
                    size / t,
                    shift + 0.5 * size
                ),
                true,
            ),
        };
        let horizon = t * [0.97, 1.02, 1.3, 1.9, 1.99][dice.below(5)];
        let guard = ["p == q", "q == p", "not (p != q)", "eq", "p - q == 0"][dice.below(5)];
        let text = format!(
            "{made}eq = p == q\nmodal m {{ out cont s\n mode a {{ s = 0  when {guard} goto b }}\n mode b {{ s = 1 }} }}\nhorizon = {horizon:?}\n"
        );
        let found = moves(&run(&text));
        if horizon < t {
            assert!(found.is_empty(), "{found:?}, T = {t:?}, round {round}\n{text}");
            continue;
        }
        let [at] = found[..] else {
            panic!("{found:?}, T = {t:?}, round {round}\n{text}");
        };
        // A touch is flat: a rounding of the value is so much time.
        let error = if is_touch { 1e-5 } else { 1e-9 };
        assert!((at - t).abs() <= error * t, "{at} {t} round {round}\n{text}");
    }
}

/// What comes near and goes away again has not met; what is thrown back where it meets has met once.
#[test]
fn near_is_not_equal_and_back_is_not_again() {
    let mut dice = Dice(3);
    for _ in 0..150 {
        let (t, size) = (dice.sized(1e-2, 1e2), dice.sized(1e-2, 1e2));
        let gap = size * dice.sized(1e-9, 1e-1);
        let w = std::f64::consts::PI / t;
        let text = format!(
            "p = {size:?} * (1 + cos({w:?} * time)) + {gap:?}\nmodal m {{ out cont s\n mode a {{ s = 0  when p == 0 goto b }}\n mode b {{ s = 1 }} }}\nhorizon = {:?}\n",
            3.0 * t
        );
        assert_eq!(moves(&run(&text)), [], "{text}");
        let (count, level) = (1 + dice.below(20), dice.between(-3.0, 3.0));
        let text = format!(
            "modal m {{ out cont x\n mode a {{ v' = 0 init {:?}  x' = v init {level:?}  top = {:?}
               when x == top and v > 0 history goto a {{ v := -v }}
               when x == {level:?} + 0 * x and v < 0 history goto a {{ v := -v }} }} }}\nhorizon = {:?}\n",
            size / t,
            level + size,
            t * (count as f64 + 0.5)
        );
        let found = moves(&run(&text));
        assert_eq!(found.len(), count, "{found:?}\n{text}");
        for (k, at) in found.iter().enumerate() {
            assert!(
                (at - t * (k + 1) as f64).abs() < 1e-9 * t * count as f64,
                "{text}"
            );
        }
    }
}

/// x′ = −a until x = 0, and 0 there: it stays, and so does what reads the equality, also at later instants.
#[test]
fn what_rests_where_it_is_equal_stays() {
    let mut dice = Dice(4);
    for _ in 0..150 {
        let (a, t) = (dice.sized(1e-2, 1e2), dice.sized(1e-2, 1e2));
        let level = dice.between(-2.0, 2.0) * a * t;
        let text = format!(
            "x' = if x == {level:?} then 0 else -{a:?} init {:?}\nc = clock({:?})\nh = hold((if x == {level:?} then 1 else 0) on c, init = -1)\nhorizon = {:?}\n",
            level + a * t,
            t / 3.7,
            3.0 * t
        );
        let trace = run(&text);
        assert!((trace.last("x").unwrap() - level).abs() <= 1e-9 * a * t, "{text}");
        assert_eq!(trace.last("h"), Some(1.0), "{text}");
        assert!(trace.statistics.steps < 400, "{text}");
    }
}

/// Spellings of p = q.
fn spelt(dice: &mut Dice, p: &str, q: &str) -> String {
    match dice.below(6) {
        0 => format!("{p} == {q}"),
        1 => format!("{q} == {p}"),
        2 => format!("{p} - {q} == 0"),
        3 => format!("0 == {q} - {p}"),
        4 => format!("not ({q} != {p})"),
        _ => format!("not (0 != {p} - {q})"),
    }
}

/// What passes 0 or touches it at T with whatever power, or with a kink, is seen once, whatever the horizon.
#[test]
fn touches_and_crossings_of_any_order_are_met() {
    let mut dice = Dice(21);
    for round in 0..200 {
        let t = [1.0, dice.sized(1e-2, 1e2)][dice.below(2)];
        let size = dice.sized(1e-3, 1e3);
        // The flatter, the less exact.
        let (made, open) = match dice.below(5) {
            0 => (format!("x = {size:?} * abs(time - {t:?})\n"), 1e-9),
            1 => (format!("u' = {:?} init {:?}\nx = u^3\n", size / t, -size), 1e-4),
            2 => (format!("u' = {:?} init {:?}\nx = u^5\n", size / t, -size), 1e-2),
            3 => (
                format!("x' = {:?} * (time - {t:?}) init {size:?}\n", 2.0 * size / (t * t)),
                1e-5,
            ),
            _ => (
                format!("x' = {:?} * (time / {t:?} - 1)^3 init {size:?}\n", 4.0 * size / t),
                1e-2,
            ),
        };
        let horizon = t * [1.5, 2.0, 3.0, 5.0, 7.0, 10.0, 100.0, dice.between(1.05, 30.0)][dice.below(8)];
        let guard = if dice.below(5) == 0 && open == 1e-9 {
            "x <= 0".to_owned()
        } else {
            spelt(&mut dice, "x", "0")
        };
        let text = format!(
            "{made}modal m {{ out cont s\n mode a {{ s = 0  when {guard} goto b }}\n mode b {{ s = 1 }} }}\nhorizon = {horizon:?}\n"
        );
        let found = moves(&run(&text));
        assert!(
            found.len() == 1 && (found[0] - t).abs() <= open * t,
            "{found:?}, T = {t:?}, round {round}\n{text}"
        );
    }
}

/// In the instant at which two signals meet every spelling of that holds, and no opposite.
#[test]
fn spellings_agree_and_opposites_exclude_each_other() {
    let mut dice = Dice(22);
    for round in 0..200 {
        let (t, size) = (dice.sized(1e-2, 1e2), dice.sized(1e-3, 1e3));
        let shift = [0.0, dice.between(-5.0, 5.0) * size][dice.below(2)];
        let (p, q) = (format!("{:?}", size / t), format!("{:?}", -size));
        let made = match dice.below(3) {
            0 => format!("p' = {p} init {q}\nq' = 0\n"),
            1 => format!("p' = {p} init {:?}\nq' = 0 init {shift:?}\n", shift - size),
            _ => format!("p = {p} * time - {size:?} + {shift:?}\nq = {shift:?} + 0 * time\n"),
        };
        let (first, second) = (spelt(&mut dice, "p", "q"), spelt(&mut dice, "p", "q"));
        let not = [
            "p != q",
            "q != p",
            "p - q != 0",
            "not (p == q)",
            "p < q",
            "p > q",
            "q - p > 0",
        ][dice.below(7)];
        let text = format!(
            "{made}modal m {{ out cont s\n mode a {{ s = 0  when {first} goto b }}\n mode b {{ s = 1  when {second} goto c  when {not} goto d }}\n mode c {{ s = 2 }}\n mode d {{ s = 3 }} }}\nhorizon = {:?}\n",
            t * dice.between(1.1, 9.0)
        );
        let trace = run(&text);
        let found = moves(&trace);
        assert!(
            found.len() == 2 && found[0] == found[1] && (found[0] - t).abs() <= 1e-9 * t.max(1.0),
            "{found:?}, T = {t:?}, round {round}\n{text}"
        );
        assert_eq!(trace.last("m.s"), Some(2.0), "round {round}\n{text}");
    }
}

/// Conditions that ideally become true at one moment, of two states that are the same: one instant, microstep 1, whatever the functions are.
#[test]
fn conditions_of_the_same_moment_hold_in_one_instant() {
    let mut dice = Dice(23);
    for round in 0..200 {
        let (rate, from) = (dice.sized(1e-2, 1e2), -dice.sized(1e-2, 1e1));
        let made = format!("a' = {rate:?} init {from:?}\nb' = {rate:?} init {from:?}\n");
        let mut guard = |x: &str| match dice.below(7) {
            0 => format!("sign({x}) == 0"),
            1 => format!("{x} >= 0"),
            2 => format!("0 <= {x}"),
            3 => format!("{x} == 0"),
            4 => format!("not ({x} < 0)"),
            5 => format!("floor({x}) == 0"),
            _ => format!("sign({x}) >= 0"),
        };
        let (first, second) = (guard("a"), guard("b"));
        let text = format!(
            "{made}modal m {{ out cont s\n mode A {{ s = 0 when {first} goto B }}\n mode B {{ s = 1 }} }}\nmodal n {{ out cont s\n mode A {{ s = 0 when {second} goto B }}\n mode B {{ s = 1 }} }}\nhorizon = {:?}\n",
            -from / rate * dice.between(1.05, 20.0)
        );
        let trace = run(&text);
        let modes = trace
            .transitions
            .iter()
            .filter(|t| t.kind == TransitionKind::Mode);
        let times: Vec<_> = modes.map(|t| t.time).collect();
        assert!(
            times.len() == 2 && times[0] == times[1] && times[0].n() == 1,
            "{times:?}, round {round}\n{text}"
        );
    }
}
