//! What counts only for an instant: the microsteps of a cascade at the end or the beginning of a window, the value of a function exactly where it switches, numbers that are equal.
//!
//! Models are drawn at random, the same for the same seed; their truth is a closed form beside them. SAFE must never be said of a property that is false, nor UNSAFE of one that is
//! true; every proof is checked again by other code; and most must be decided, so that saying nothing fails too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use dyverse::check::{CheckOptions, Checkable, ProofQuestion, Verdict, check, verify_proof, write_proof};
use dyverse::proof::{Proof, ProvedBox, StayEnd};
use std::fmt::Write;
use std::ops::ControlFlow;

struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        (dyverse_num::split_mix(&mut self.0) % count as u64) as usize
    }
    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// What was decided of how many.
#[derive(Default)]
struct Tally {
    asked: usize,
    unknown: Vec<String>,
    rejected: Vec<String>,
}

impl Tally {
    fn judge(&mut self, subject: Checkable<'_>, property: &str, is_true: bool, about: &str) {
        let options = CheckOptions {
            budget: 24,
            boxes: 40,
            smallest: 1e-2,
            ..CheckOptions::default()
        };
        let found = check(subject, property, &options, &|_| ControlFlow::Continue(())).unwrap();
        self.asked += 1;
        match found.verdict {
            Verdict::Safe(proof) => {
                assert!(is_true, "SAFE, and it is false: {property} of\n{about}");
                let mut bytes = Vec::new();
                write_proof(&proof, &mut bytes).unwrap();
                if let Err(why) = verify_proof(subject, &ProofQuestion::default(), &bytes, 1) {
                    self.rejected.push(format!("{property}: {why}\n{about}"));
                }
            }
            Verdict::Unsafe(_) => assert!(!is_true, "UNSAFE, and it is true: {property} of\n{about}"),
            Verdict::Unknown(left) => {
                let why = left.boxes.first().map(|b| b.reason.clone());
                self.unknown
                    .push(format!("{property}: {:?} {why:?}\n{about}", left.notes));
            }
        }
    }

    fn actors(&mut self, text: &str, truths: &[(String, bool)]) {
        let reading = dyverse::read_actors_text("drawn.dam", text);
        let model = reading
            .model
            .unwrap_or_else(|| panic!("{:?}\n{text}", reading.diagnostics));
        for (property, is_true) in truths {
            self.judge(Checkable::Actors(&model), property, *is_true, text);
        }
    }

    fn bodies(&mut self, text: &str, truths: &[(String, bool)]) {
        let reading = dyverse::read_text("drawn.drbt", text);
        let model = reading
            .model
            .unwrap_or_else(|| panic!("{:?}\n{text}", reading.diagnostics));
        for (property, is_true) in truths {
            self.judge(Checkable::Bodies(&model), property, *is_true, text);
        }
    }

    /// At most these shares, in percent, are undecided, and of proofs not accepted.
    fn finish(&self, unknown: usize, rejected: usize) {
        let show = |all: &[String]| all.iter().take(3).cloned().collect::<Vec<_>>().join("\n");
        assert!(
            100 * self.unknown.len() <= unknown * self.asked,
            "{} of {} undecided:\n{}",
            self.unknown.len(),
            self.asked,
            show(&self.unknown)
        );
        assert!(
            100 * self.rejected.len() <= rejected * self.asked,
            "{} proofs of {} questions not accepted:\n{}",
            self.rejected.len(),
            self.asked,
            show(&self.rejected)
        );
    }
}

fn case(name: &str) -> &'static str {
    match name {
        "window_end" => include_str!("cases/check/window_end.dam"),
        "sign_at_zero" => include_str!("cases/check/sign_at_zero.dam"),
        _ => include_str!("cases/check/equality.dam"),
    }
}

/// Models that went wrong; all that begins with `u_` is false.
#[test]
fn cases() {
    for (name, properties) in [
        ("window_end", vec!["u_e", "u_p", "u_full"]),
        ("sign_at_zero", vec!["u_sg0", "u_sg1", "u_sg2", "u_z"]),
        (
            "equality",
            vec!["u_alw", "u_nest", "u_ev", "u_unt", "u_eq", "s_eq"],
        ),
    ] {
        let reading = dyverse::read_actors_text(name, case(name));
        let model = reading.model.unwrap();
        for property in properties {
            let options = CheckOptions {
                budget: 200,
                ..CheckOptions::default()
            };
            let subject = Checkable::Actors(&model);
            let found = check(subject, property, &options, &|_| ControlFlow::Continue(())).unwrap();
            let expected = if property == "s_eq" { "SAFE" } else { "UNSAFE" };
            assert_eq!(found.verdict.word(), expected, "{name}: {property}");
        }
    }
}

/// A cascade of transitions at T. Mode i sets x to 10 i; the transition to mode i + 1 wants y ≥ cᵢ, y = a ∈ [0, 1].
///
/// At T itself x is 0, 10, …, 10 r with r the number of leading cᵢ ≤ 1; before T it is 0; after T it is 10 f for every number f of leading cᵢ ≤ a, a ∈ [0, 1].
#[test]
fn cascades_at_the_ends_of_windows() {
    let mut dice = Dice(14);
    let mut tally = Tally::default();
    for _ in 0..24 {
        let at = dice.pick(&[0.25, 0.3, 0.5, 0.7]);
        let levels: Vec<f64> = (0..dice.below(4))
            .map(|_| dice.pick(&[-1.0, -1.0, 0.5, 2.0]))
            .collect();
        let reached = |a: f64| 1 + levels.iter().take_while(|c| **c <= a).count();
        let most = reached(1.0);
        let last: Vec<usize> = [0.0, 0.5, 1.0].map(reached).to_vec();
        let mut text = String::from("model drawn\nparam a in [0, 1]\ny' = 0 init a\nmodal m { out cont x\n");
        let _ = writeln!(
            text,
            "  initial mode M0 {{ x' = 0 init 0  when time >= {at} goto M1 {{ x := 10 }} }}"
        );
        for (i, level) in levels.iter().enumerate() {
            let (from, to) = (i + 1, i + 2);
            let _ = writeln!(
                text,
                "  mode M{from} {{ x' = 0  when y >= {level} goto M{to} {{ x := {}0 }} }}",
                to
            );
        }
        let _ = writeln!(text, "  mode M{} {{ x' = 0 }} }}\nhorizon = 1", levels.len() + 1);
        let mut truths = Vec::new();
        for number in 0..4 {
            let (p, q) = dice.pick(&[
                (0.0, at),
                (at, at),
                (at, 1.0),
                (0.0, 1.0),
                (0.0, at - 0.125),
                (at + 0.125, 1.0),
            ]);
            let i = dice.below(levels.len() + 2);
            let is_seen =
                (p < at && i == 0) || (p <= at && at <= q && i <= most) || (q > at && last.contains(&i));
            let x = 10 * i;
            let formula = match dice.below(4) {
                0 => format!("never [{p}, {q}] m.x == {x}"),
                1 => format!("always [{p}, {q}] m.x != {x}"),
                2 => format!("never [{p}, {q}] (m.x > {x} - 5 and m.x < {x} + 5)"),
                _ => format!("always [{p}, {q}] (m.x < {x} or m.x > {x})"),
            };
            let _ = writeln!(text, "property p{number}: {formula}");
            truths.push((format!("p{number}"), !is_seen));
        }
        tally.actors(&text, &truths);
    }
    tally.finish(12, 3);
}

/// x = ±a (t − c), a ∈ [0.9, 1.1], is zero at c and nowhere else; x = a cos t at π/2.
#[test]
fn functions_where_they_switch() {
    let mut dice = Dice(3);
    let mut tally = Tally::default();
    for _ in 0..24 {
        let is_wave = dice.below(3) == 0;
        let (c, rises) = if is_wave {
            (std::f64::consts::FRAC_PI_2, false)
        } else {
            (dice.pick(&[0.75, 1.0, 1.25]), dice.below(2) == 0)
        };
        let motion = match (is_wave, rises) {
            (true, _) => "x' = -y init a\ny' = x init 0\n".to_owned(),
            (_, true) => format!("x' = a init -{c}*a\n"),
            (_, false) => format!("x' = -a init {c}*a\n"),
        };
        let mut text = format!("model drawn\nparam a in [0.9, 1.1]\n{motion}horizon = 2\n");
        let mut truths = Vec::new();
        for number in 0..4 {
            // With the instant in it, before it, after it; at its end where its number is exact.
            let (p, q) = match dice.below(if is_wave { 3 } else { 4 }) {
                0 => (0.5, c + 0.25),
                1 => (0.25, c - 0.125),
                2 => (c + 0.125, c + 0.375),
                _ => (0.5, c),
            };
            let (has_it, has_before, has_after) = (p <= c && c <= q, p < c, q > c);
            let (has_above, has_below) = if rises {
                (has_after, has_before)
            } else {
                (has_before, has_after)
            };
            let (formula, is_true) = match dice.below(12) {
                0 => ("never W sign(x) == 0", !has_it),
                1 => ("always W sign(x)^2 > 0.5", !has_it),
                2 => ("never W x == 0", !has_it),
                3 => ("always W x != 0", !has_it),
                4 => ("never W (if x == 0 then 1 else 0) > 0.5", !has_it),
                5 => ("always W abs(x) > 0", !has_it),
                6 => ("always W min(abs(x), 3) > 0", !has_it),
                7 => ("never W floor(x) == 0", !(has_above || has_it)),
                8 => ("never W floor(x) == -1", !has_below),
                9 => ("never W (if x > 0 then 1 else 2) == 1", !has_above),
                10 => ("never W (if x >= 0 then 1 else 2) == 1", !(has_above || has_it)),
                _ => ("never W sign(x) == 0.5", true),
            };
            let formula = formula.replace('W', &format!("[{p}, {q}]"));
            let _ = writeln!(text, "property p{number}: {formula}");
            truths.push((format!("p{number}"), is_true));
        }
        tally.actors(&text, &truths);
    }
    tally.finish(25, 8);
}

/// A ball thrown up turns at v/g, where the sign of its velocity is 0; vx is never 0.
#[test]
fn signs_of_bodies() {
    let mut tally = Tally::default();
    let text = "system drawn\nparam u in [1, 2]\n\
        entity ball { sphere(radius = 0.1)  mass = 1  position = (0, 5, 0)  velocity = (u, 5, 0) }\n\
        gravity (0, -10, 0)\nhorizon 0.75\n\
        property u_turns: never sign(ball.vy) == 0\n\
        property u_square: always [0.25, 0.75] sign(ball.vy)^2 > 0.5\n\
        property s_before: never [0, 0.4] sign(ball.vy) == 0\n\
        property s_after: never [0.6, 0.75] sign(ball.vy) == 0\n\
        property s_x: always sign(ball.vx) == 1\n";
    let named = |name: &str, is_true: bool| (name.to_owned(), is_true);
    let truths = [
        named("u_turns", false),
        named("u_square", false),
        named("s_before", true),
        named("s_after", true),
        named("s_x", true),
    ];
    tally.bodies(text, &truths);
    tally.finish(20, 20);
}

/// True with ≥ and false with >, on constants and where an event sets a number; for every a.
#[test]
fn strict_and_not_strict() {
    let text = "model drawn\nparam a in [0, 1]\ny' = 0 init a\n\
        modal m { out cont x\n  out cont k\n\
        initial mode A { x' = 0 init 1  k = 2  when time >= 0.5 goto B { x := 3 } }\n\
        mode B { x' = 0  k = 3 } }\nhorizon = 1\n";
    let pairs = [
        ("always W m.x S 1", ">=", ">"),
        ("always W m.x S 3", "<=", "<"),
        ("always W m.k S 2", ">=", ">"),
        ("never W m.k S 3", ">", ">="),
        ("never W 2 S m.k", ">", ">="),
        ("always W m.x + m.k S 3", ">=", ">"),
    ];
    let (mut text, mut truths) = (text.to_owned(), Vec::new());
    for (number, (formula, holds, fails)) in pairs.iter().enumerate() {
        for (relation, is_true) in [(holds, true), (fails, false)] {
            let formula = formula.replace('W', "[0, 1]").replace('S', relation);
            let name = format!("p{number}_{is_true}");
            let _ = writeln!(text, "property {name}: {formula}");
            truths.push((name, is_true));
        }
    }
    let mut tally = Tally::default();
    tally.actors(&text, &truths);
    tally.finish(0, 0);
}

/// A guard that part of the box has already met when its mode is entered: there x is set to y ∈ [0.53, 0.6], at once.
#[test]
fn events_that_are_true_on_the_way_in() {
    let mut text = String::from(
        "model drawn\nparam a in [0, 0.1]\ny' = 1 init a\nmodal m { out cont x\n\
         initial mode A { x' = 0 init 0  when time >= 0.5 goto B { x := 1 } }\n\
         mode B { x' = 0  when y >= 0.53 goto C { x := y } }\n  mode C { x' = 0 } }\nhorizon = 1\n",
    );
    let mut truths = Vec::new();
    for (number, (low, high, is_true)) in [
        (0.5301, 0.5302, false),
        (0.53001, 0.5301, false),
        (0.57, 0.571, false),
        (0.601, 0.7, true),
        (0.1, 0.529, true),
    ]
    .iter()
    .enumerate()
    {
        for (window, name) in [("[0, 1]", "all"), ("[0, 0.5]", "end")] {
            let name = format!("{name}{number}");
            let _ = writeln!(
                text,
                "property {name}: never {window} (m.x > {low} and m.x < {high})"
            );
            truths.push((name, *is_true));
        }
    }
    let mut tally = Tally::default();
    tally.actors(&text, &truths);
    tally.finish(60, 10);
}

/// Ends every stay that goes on at a time.
fn cut(own: &mut ProvedBox, time: f64) {
    for stay in &mut own.stays {
        let mut ends = stay.branches().iter();
        if ends.any(|b| b.time.0 <= time && time <= b.time.1 && b.event.contains("when y")) {
            stay.end = StayEnd::Horizon;
        }
    }
}

/// Proofs of something true, passed off as proofs of something false.
#[test]
fn forged_proofs_are_refused() {
    let text = "model drawn\nparam a in [0.9, 1.1]\ny' = 0 init a\nx' = -z init a\nz' = x init 0\ns = sign(x)\n\
        modal m { out cont v\n\
        initial mode A { v' = 0 init 0  when time >= 0.5 goto B { v := 1 } }\n\
        mode B { v' = 0  when y >= 0.5 goto C { v := 10 } }\n  mode C { v' = 0 } }\nhorizon = 2\n\
        property short: never [0, 0.4] m.v > 5\nproperty wide: never [0, 0.5] m.v > 100\nproperty long: never [0, 0.5] m.v > 5\n\
        property point: never [0.5, 0.5] m.v > 5\nproperty least: always [0, 2] m.v >= 0\nproperty above: always [0, 2] m.v > 0\n\
        property signs: never [0, 2] s == 0.5\nproperty zero: never [0, 2] s == 0\nproperty passes: never [0, 2] x == 0\n";
    let model = dyverse::read_actors_text("drawn.dam", text).model.unwrap();
    let subject = Checkable::Actors(&model);
    let prove = |property: &str| -> Proof {
        let options = CheckOptions {
            budget: 20,
            ..CheckOptions::default()
        };
        let found = check(subject, property, &options, &|_| ControlFlow::Continue(())).unwrap();
        let Verdict::Safe(proof) = found.verdict else {
            panic!("{property}: {}", found.verdict.word())
        };
        *proof
    };
    let accepted = |proof: &Proof| {
        let mut bytes = Vec::new();
        write_proof(proof, &mut bytes).unwrap();
        verify_proof(subject, &ProofQuestion::default(), &bytes, 1).is_ok()
    };
    for (of, as_one_of, horizon) in [
        ("short", "long", 0.5),
        ("short", "point", 0.5),
        ("wide", "long", 0.5),
        ("wide", "point", 0.5),
        ("least", "above", 2.0),
        ("signs", "zero", 2.0),
        ("signs", "passes", 2.0),
    ] {
        let proof = prove(of);
        assert!(accepted(&proof), "{of}");
        let forged = Proof {
            property: as_one_of.into(),
            horizon,
            ..proof
        };
        assert!(!accepted(&forged), "{of} as {as_one_of}");
        let mut shorter = forged;
        shorter.boxes.iter_mut().for_each(|b| cut(b, 0.5));
        assert!(
            !accepted(&shorter),
            "{of} as {as_one_of}, without the second transition"
        );
    }
}

/// A ball falls h = 4 T² with g = 8 and hits the floor at T: before vy = −8 T, after vy = 8 e T, e ∈ [0.5, 0.9], and both are moments at T.
#[test]
fn impacts_at_the_ends_of_windows() {
    let mut tally = Tally::default();
    for at in [0.25_f64, 0.5] {
        let (height, fall) = (0.5 + 4.0 * at * at, 8.0 * at);
        let mut text = format!(
            "system drawn\nparam e in [0.5, 0.9]\n\
             entity ball {{ sphere(radius = 0.5)  mass = 1  position = (0, {height}, 0) }}\n\
             fixed entity floor {{ plane(normal = (0, 1, 0), offset = 0) }}\n\
             contact ball, floor {{ restitution = e  friction = 0 }}\ngravity (0, -8, 0)\nhorizon {}\n",
            at + 0.125
        );
        let (early, late) = (at - 0.0625, at + 0.0625);
        let mut truths = Vec::new();
        for (number, (p, q)) in [(0.0, at), (at, at), (at, late), (0.0, early), (late, late)]
            .iter()
            .enumerate()
        {
            let has_it = *p <= at && at <= *q;
            let rises = format!("never [{p}, {q}] ball.vy > {}", 0.25 * fall);
            let falls = format!("never [{p}, {q}] ball.vy < {}", -0.9 * fall);
            // Above a quarter of the fall at T for every e, and later still for e = 0.9.
            let is_up = has_it || *p > at;
            for (name, formula, is_true) in [("up", rises, !is_up), ("down", falls, !has_it)] {
                let _ = writeln!(text, "property {name}{number}: {formula}");
                truths.push((format!("{name}{number}"), is_true));
            }
        }
        tally.bodies(&text, &truths);
    }
    tally.finish(20, 5);
}

/// Every proof of a model whose formulas choose is accepted: names of locations do not tell who asked first, and unknowns over a wide range leave as much out of polynomials on short steps
/// as on long ones. A push P for time > s on a mass m ∈ [a, b]: vx = P (t − s)/m after s, largest for m = a at the horizon.
#[test]
fn proofs_about_loads_that_choose() {
    let mut dice = Dice(41);
    let mut tally = Tally::default();
    for _ in 0..40 {
        let (light, wide) = (dice.pick(&[0.4, 1.0, 2.0]), dice.pick(&[1.02, 1.3, 1.6, 2.0]));
        let (begins, push) = (dice.pick(&[0.25, 0.6, 0.74]), dice.pick(&[1.0, 2.5]));
        let kind = dice.below(5);
        // What pushes from the beginning on leaves x = 0 with no speed.
        let early = if kind == 4 { 0.5 * push } else { 0.0 };
        let load = match kind {
            4 => format!("if time >= {begins} then {push} else {early}"),
            0 => format!("if time > {begins} then {push} else 0"),
            1 => format!("if time >= {begins} and time < 5 then {push} else if time < -1 then 7 else 0"),
            2 => format!("{push} * max(sign(time - {begins}), 0)"),
            _ => format!("{push} * (if not (time < {begins}) then 1 else 0)"),
        };
        let fastest = (push * (1.0 - begins) + early * begins) / light;
        let text = format!(
            "system drawn\nparam m in [{light}, {}]\n\
             entity a {{ sphere(radius = 0.1)  mass = m  position = (0, 0, 0) }}\n\
             force on a = ({load}, 0, 0)\nhorizon 1\n\
             property plain: always [0, 1] a.vx <= {}\n\
             property clocked: always [0.1, 1] ((if time >= -1 then time else 0) > 0.3 implies abs(a.vx) <= {})\n\
             property levels: always [0, 1] (floor(time) == 0 implies max(a.vx, -1) <= {})\n\
             property tangent: always [0, 1] (a.vx != {} implies floor(a.x) > -1.05)\n\
             property broken: always [0, 1] a.vx <= {}\n",
            light * wide,
            1.1 * fastest,
            1.2 * fastest,
            1.3 * fastest,
            0.4 * fastest,
            0.9 * fastest
        );
        let mut truths = vec![
            ("plain", true),
            ("clocked", true),
            ("levels", true),
            ("broken", false),
        ];
        truths.extend((kind == 4).then_some(("tangent", true)));
        let truths: Vec<_> = truths
            .into_iter()
            .map(|(name, is_true)| (name.to_owned(), is_true))
            .collect();
        tally.bodies(&text, &truths);
    }
    tally.finish(5, 0);
}

/// A ball reaches a wall at T, a decimal like all numbers of the model: what happens at T belongs to every window that begins or ends there, wherever rounding puts the impact.
#[test]
fn decimal_times_at_the_ends_of_windows() {
    let mut dice = Dice(97);
    let mut tally = Tally::default();
    for _ in 0..30 {
        // d = v T in whole hundredths and tenths, exactly.
        let (speed, tenths) = (1 + dice.below(29), 3 + dice.below(28));
        let (speed, time) = (speed as f64 / 10.0, tenths as f64 / 10.0);
        let gap = (speed * time * 100.0).round() / 100.0;
        let text = format!(
            "system drawn\n\
             entity a {{ sphere(radius = 0.5)  mass = 1  position = (-0.5, 0, 0)  velocity = ({speed}, 0, 0) }}\n\
             fixed entity w {{ plane(normal = (-1, 0, 0), offset = -{gap}) }}\n\
             contact a, w {{ restitution = 1  friction = 0 }}\nhorizon {}\n\
             property back: eventually [0, {time}] a.vx < 0\n\
             property there: eventually [{time}, {time}] a.vx < 0\n\
             property on_the_way: eventually [{time}, {}] (touching(a, w) and a.vx > 0)\n\
             property goes_until: a.vx > 0 until [0, {time}] a.vx < 0\n\
             property never_back: never [0, {time}] a.vx < 0\n\
             property not_there: never [{time}, {}] (touching(a, w) and a.vx > 0)\n",
            time + 1.0,
            time + 0.5,
            time + 0.5
        );
        let truths = [
            ("back", true),
            ("there", true),
            ("on_the_way", true),
            ("goes_until", true),
            ("never_back", false),
            ("not_there", false),
        ];
        tally.bodies(&text, &truths.map(|(name, is_true)| (name.to_owned(), is_true)));
    }
    // Eventualities are not proved.
    tally.finish(75, 0);
}
