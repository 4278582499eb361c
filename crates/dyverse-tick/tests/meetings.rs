//! Equality of signals that change while time passes is a crossing: found wherever it is, whatever the horizon, once for each meeting. Random models with closed forms as the truth.

use crate::shipped::read;
use crate::simultaneity::Dice;
use dyverse_tick::{TickOptions, simulate};
use dyverse_time::{Trace, TransitionKind};

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
