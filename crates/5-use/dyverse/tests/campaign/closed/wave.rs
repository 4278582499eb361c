//! A harmonic oscillator as an actor model: x = a cos ωt, y = a sin ωt, known to 31 digits everywhere, and at multiples of a twelfth of a turn among them those where x or
//! y is zero. A modal model may wait for such a crossing.

use super::course::{Course, Instant, Moment, Span};
use super::formula::{Expr, Literal, Relation, Truth, boxed};
use super::real::{PI, Real, ZERO};
use super::row::{leaf, parameters};
use super::scene::{Choice, Point, Runs, Scene, Sketch, Slot, Words};

struct Wave {
    size: Slot,
    speed: Real,
    horizon: Real,
    /// At which quarter turn the gear goes from 1 to 2.
    switch: Option<usize>,
}

impl Wave {
    fn at(&self, point: &Point, t: Real, gear: Real) -> Moment {
        let (sin, cos) = (self.speed * t).sin_cos();
        let a = self.size.at(point);
        let mut all = vec![t];
        all.extend(&point.values);
        all.extend([a * cos, a * sin]);
        if self.switch.is_some() {
            all.push(gear);
        }
        all.into_iter().map(Some).collect()
    }

    fn run(&self, point: &Point) -> Runs {
        let turn = PI / (Real::from(6.0) * self.speed);
        let event = self.switch.map(|quarter| turn * Real::from(3.0 * quarter as f64));
        let mut times: Vec<(Real, bool)> = (0..400)
            .map(|k| (turn * Real::from(f64::from(k)), true))
            .take_while(|(t, _)| *t < self.horizon)
            .collect();
        let grid = 40;
        times.extend((1..grid).map(|k| {
            let part = Real::from(f64::from(k) / f64::from(grid));
            (self.horizon * part, false)
        }));
        times.sort_by(|a, b| a.0.f64().total_cmp(&b.0.f64()));
        let gear = |t: Real| match event {
            Some(event) if t > event => Real::from(2.0),
            _ => Real::from(1.0),
        };
        let mut instants = vec![Instant {
            t: ZERO,
            moments: vec![self.at(point, ZERO, Real::from(1.0))],
        }];
        let mut spans = vec![];
        let mut samples = Vec::new();
        for (t, _) in times {
            match event {
                Some(event) if (t - event).abs().f64() < 1e-25 => {
                    spans.push(Span::Samples(std::mem::take(&mut samples)));
                    let each = [1.0, 2.0].map(|gear| self.at(point, t, Real::from(gear)));
                    instants.push(Instant {
                        t,
                        moments: each.to_vec(),
                    });
                }
                _ if t > ZERO => samples.push((t, self.at(point, t, gear(t)))),
                _ => {}
            }
        }
        spans.push(Span::Samples(samples));
        instants.push(Instant {
            t: self.horizon,
            moments: vec![self.at(point, self.horizon, gear(self.horizon))],
        });
        Some(vec![Course { instants, spans }])
    }
}

/// A random oscillator.
pub(crate) fn wave(mut sketch: Sketch) -> Scene {
    let size = sketch.one_of(&["1", "1", "0.5", "2"]);
    let size = sketch.slot(&size, (0.1, 10.0));
    let speed = sketch.one_of(&["1", "2", "3"]);
    let horizon = sketch.one_of(&["2", "1.6", "1", "3"]);
    let quarters = {
        let turn = std::f64::consts::FRAC_PI_2 / speed.parse::<f64>().expect("a number");
        (horizon.parse::<f64>().expect("a number") / turn) as usize
    };
    // The first zero of x, or of y after the start.
    let switch = (quarters > 0 && sketch.random.often(0.5)).then(|| 1 + sketch.random.below(quarters.min(2)));
    let mut body = format!("model random\n{}", sketch.head);
    body.push_str(&format!("x' = -{speed} * y init {}\n", size.text()));
    body.push_str(&format!("y' = {speed} * x init 0\n"));
    if let Some(quarter) = switch {
        // y falls to zero after half a turn; at the start it is zero too.
        let guard = if quarter == 1 {
            "x <= 0"
        } else {
            "y <= 0 and x <= 0"
        };
        body.push_str(&format!(
            "modal m {{\n  out cont gear\n  initial mode A {{ gear = 1  when {guard} goto B }}\n  mode B {{ gear = 2 }}\n}}\n"
        ));
    }
    let mut leaves = vec![leaf("time", false)];
    leaves.extend(parameters(&sketch));
    let x = leaves.len();
    leaves.extend([leaf("x", false), leaf("y", false)]);
    if switch.is_some() {
        leaves.push(leaf("m.gear", true));
    }
    let part = |place: usize| boxed(Expr::Leaf(x + place));
    let mut quantities = vec![Expr::Product(part(0), part(1))];
    let exprs = [
        Expr::Sign(part(0)),
        Expr::Abs(part(1)),
        Expr::Min(part(0), part(1)),
        Expr::Max(part(0), boxed(Expr::number("0"))),
        Expr::Floor(part(1)),
        Expr::Clamp(part(0), Literal::new("-0.25"), Literal::new("0.5")),
        Expr::If(
            boxed(Truth::compare(Relation::More, Expr::Leaf(x), Expr::number("0"))),
            boxed(Expr::number("1")),
            part(1),
        ),
        Expr::Sign(boxed(Expr::Difference(part(0), part(0)))),
    ];
    for number in 0..sketch.random.below(3) {
        let expr = sketch.random.pick(&exprs).clone();
        let name = format!("k{}", number + 1);
        body.push_str(&format!("{name} = {}\n", expr.text(&leaves)));
        quantities.push(Expr::Named(name, boxed(expr)));
    }
    body.push_str(&format!("horizon = {horizon}\n"));
    let wave = Wave {
        size,
        speed: Real::decimal(&speed),
        horizon: Real::decimal(&horizon),
        switch,
    };
    Scene {
        family: "wave",
        is_modal: true,
        text: body,
        unknowns: sketch.unknowns,
        inputs: Vec::new(),
        words: Words {
            horizon: wave.horizon,
            leaves,
            quantities,
            truths: Vec::new(),
        },
        choice: Choice::All,
        run: boxed(move |point| wave.run(point)),
    }
}
