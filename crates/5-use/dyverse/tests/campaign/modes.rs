//! Random small actor models: two states, two modes, guards, resets.

use super::closed::formula::{Expr, boxed};
use super::closed::real::Real;
use super::closed::row::leaf;
use super::closed::scene::Words;
use super::draft::{Draft, Drafted};

/// A number with its sign, in brackets.
fn bracket(number: &str) -> String {
    format!("({number})")
}

/// A random rate.
fn rate(draft: &mut Draft, own: &str, other: &str) -> String {
    let mut value = |low: f64, high: f64| {
        let c = draft.random.round(low, high);
        bracket(&draft.number(c))
    };
    let (a, b, c) = (value(-1.5, 1.5), value(-1.5, 1.5), value(-1.0, 1.0));
    let linear = format!("{a} * {own} + {b} * {other} + {c}");
    match draft.random.below(12) {
        0..=2 => linear,
        3 => format!("{b} * sin({other}) - 0.3 * {own} + {c}"),
        4 => format!("{c} - {own} * sqrt(1 + {other}^2) * 0.5"),
        5 => format!("{a} * exp(-{own}^2) + {b} * {other}"),
        6 => format!("{c} * cos(2 * time) - 0.5 * {own}"),
        7 => format!("{b} * abs({own} + 0.2) - 0.7 * {own} + {c}"),
        8 => format!("{b} * tanh({other}) + {c} / (1 + {own}^2)"),
        9 => format!("{other} * (1 - 0.3 * {own}^2) + {c}"),
        10 => format!("{b} * atan({own} - {other}) + {c} * ln(2 + {own}^2)"),
        _ => format!("max({own}, {other}) * (-0.4) + {c} * min({other}, 1)"),
    }
}

fn reset(draft: &mut Draft, name: &str) -> String {
    let c = draft.random.round(-1.0, 1.0);
    let c = bracket(&draft.number(c));
    match draft.random.below(5) {
        0 => format!("{name} := {c}"),
        1 => format!("{name} := -0.8 * {name}"),
        2 => format!("{name} := {name} + {c} * sin(y)"),
        3 => format!("{name} := {c} * x + 0.5 * y"),
        _ => format!("{name} := {name}"),
    }
}

fn guard(draft: &mut Draft) -> String {
    let c = draft.random.round(-1.2, 1.2);
    let c = bracket(&draft.number(c));
    match draft.random.below(8) {
        0 | 1 => format!("x >= {c}"),
        2 => format!("y <= {c}"),
        3 => format!("x + y >= {c}"),
        4 => format!("x^2 + y^2 >= abs({c}) + 0.5"),
        5 => format!("x >= {c} and y <= 0.7"),
        6 => format!("x >= {c} or y <= -1.5"),
        _ => "time >= 0.5 and x <= 3".into(),
    }
}

/// A model that the seed chooses.
pub(crate) fn random_modes(seed: u64) -> Drafted {
    let mut draft = Draft::new(seed ^ 0xacc0, false);
    let r = &mut draft.random;
    let (x, y) = (r.round(-1.0, 1.0), r.round(-1.0, 1.0));
    let (x, y) = (draft.number(x), draft.number(y));
    draft.line("model random");
    let first = (rate(&mut draft, "x", "y"), rate(&mut draft, "y", "x"));
    let is_modal = draft.random.often(0.75);
    let horizon = draft.random.round(0.5, 2.5);
    let names = if is_modal {
        let second = (rate(&mut draft, "x", "y"), rate(&mut draft, "y", "x"));
        let mut transition = |target: &str| {
            let guard = guard(&mut draft);
            let (a, b) = (reset(&mut draft, "x"), reset(&mut draft, "y"));
            format!("when {guard} goto {target} {{ {a}  {b} }}")
        };
        let (out, back) = (transition("two"), transition("one"));
        let back = if draft.random.often(0.5) {
            back
        } else {
            String::new()
        };
        draft.line(&format!(
            "modal m {{
               out cont x, y
               initial mode one {{
                 x' = {} init {x}
                 y' = {} init {y}
                 {out}
               }}
               mode two {{
                 x' = {}
                 y' = {}
                 {back}
               }}
             }}",
            first.0, first.1, second.0, second.1
        ));
        ["m.x", "m.y"]
    } else {
        draft.line(&format!("x' = {} init {x}", first.0));
        draft.line(&format!("y' = {} init {y}", first.1));
        ["x", "y"]
    };
    draft.line(&format!("horizon = {horizon}"));
    draft.line(&format!("record {}, {}", names[0], names[1]));
    let [a, b] = names;
    let leaves = vec![leaf("time", false), leaf(a, false), leaf(b, false)];
    let (x, y) = (|| boxed(Expr::Leaf(1)), || boxed(Expr::Leaf(2)));
    let part = |k: &str, of: Box<Expr>| boxed(Expr::Product(boxed(Expr::number(k)), of));
    let square = Expr::Product(y(), y());
    let root = Expr::Smooth(
        "sqrt",
        f64::sqrt,
        boxed(Expr::Sum(boxed(Expr::number("1")), boxed(square))),
    );
    let quantities = vec![
        Expr::Sum(x(), part("0.5", y())),
        Expr::Product(x(), y()),
        Expr::Sum(boxed(Expr::Abs(x())), boxed(root)),
        Expr::Difference(boxed(Expr::Smooth("sin", f64::sin, part("2", x()))), y()),
        Expr::Smooth("exp", f64::exp, part("0.5", x())),
        Expr::Max(x(), y()),
    ];
    Drafted {
        text: draft.text(),
        words: Words {
            horizon: Real::decimal(&horizon.to_string()),
            leaves,
            quantities,
            truths: Vec::new(),
        },
        shapes: Vec::new(),
        family: if is_modal { "modes" } else { "ode" },
    }
}
