//! One ball that a force pushes along x: a force that jumps or has kinks in time or place, or that an input with a range drives. Between switches the force is linear in time.

use super::course::{Course, Instant, Moment, Span, cuts};
use super::formula::{Expr, Leaf, Literal, Relation, Truth, boxed};
use super::machine::input;
use super::poly::Poly;
use super::real::{EXACT, ONE, Real, ZERO};
use super::row::{leaf, parameters};
use super::scene::{Choice, Point, Runs, Scene, Sketch, Slot, Words};

const MOST_INSTANTS: usize = 24;

struct Pushed {
    start: Slot,
    speed: Slot,
    mass: Slot,
    /// Over the leaves.
    force: Expr,
    /// True or false where the force switches.
    switches: Vec<Truth>,
    horizon: Real,
}

#[derive(Clone)]
struct State {
    t: Real,
    x: Real,
    v: Real,
    inputs: Vec<Real>,
}

impl Pushed {
    fn leaves(point: &Point, s: &State, acceleration: &Poly) -> Vec<Option<Poly>> {
        let v = acceleration.integral(s.v);
        let mut all = vec![Poly(vec![s.t, ONE])];
        all.extend(point.values.iter().map(|v| Poly::constant(*v)));
        all.extend(s.inputs.iter().map(|u| Poly::constant(*u)));
        all.push(v.integral(s.x));
        all.push(v);
        all.into_iter().map(Some).collect()
    }

    /// The force over the mass just after a moment: linear in time.
    fn acceleration(&self, point: &Point, s: &State) -> Option<Poly> {
        // Where the state goes hardly depends on the force in such a short time, but on which side of a switch it is.
        let after = |h: f64| {
            let h = Real::from(h);
            let mut at: Moment = vec![Some(s.t + h)];
            at.extend(point.values.iter().map(|v| Some(*v)));
            at.extend(s.inputs.iter().map(|u| Some(*u)));
            at.push(Some(s.x + s.v * h));
            at.push(Some(s.v));
            self.force.value(&at, &EXACT)
        };
        let mass = self.mass.at(point);
        let step = 1e-8;
        let (one, two, three) = (after(step)?, after(2.0 * step)?, after(3.0 * step)?);
        let slope = (two - one) / Real::from(step);
        // Linear it must be.
        if ((three - two) - (two - one)).abs().f64() > 1e-22 {
            return None;
        }
        let start = one - slope * Real::from(step);
        Some(Poly(vec![start / mass, slope / mass]))
    }

    fn moment(&self, point: &Point, s: &State) -> Moment {
        let leaves = Pushed::leaves(point, s, &Poly::constant(ZERO));
        leaves.into_iter().map(|p| p.map(|p| p.at(ZERO))).collect()
    }

    fn run(&self, point: &Point) -> Runs {
        let mut state = State {
            t: ZERO,
            x: self.start.at(point),
            v: self.speed.at(point),
            inputs: point.inputs.iter().map(|steps| steps[0].1).collect(),
        };
        let mut course = Course {
            instants: Vec::new(),
            spans: Vec::new(),
        };
        while course.instants.len() <= MOST_INSTANTS {
            let mut moments = vec![self.moment(point, &state)];
            for (input, steps) in state.inputs.iter_mut().zip(&point.inputs) {
                let is_now = |s: &&(Real, Real)| (s.0 - state.t).abs().f64() < 1e-19;
                if let Some((_, value)) = steps[1..].iter().find(is_now) {
                    *input = *value;
                }
            }
            if moments[0] != self.moment(point, &state) {
                moments.push(self.moment(point, &state));
            }
            course.instants.push(Instant { t: state.t, moments });
            let left = self.horizon - state.t;
            if left.f64() < 1e-19 {
                return Some(vec![course]);
            }
            let acceleration = self.acceleration(point, &state)?;
            let leaves = Pushed::leaves(point, &state, &acceleration);
            let mut next = vec![left];
            for switch in &self.switches {
                next.extend(cuts(switch, &leaves, left).into_iter().find(|t| t.f64() > 1e-18));
            }
            let jumps = point
                .inputs
                .iter()
                .flat_map(|s| s[1..].iter().map(|j| j.0 - state.t));
            next.extend(jumps.filter(|t| t.f64() > 1e-19));
            let first = next.iter().copied().fold(left, Real::min);
            let is_close = |t: &Real| (*t - first).f64() > 1e-19 && (*t - first).f64() < 1e-6;
            if next.iter().any(is_close) || first.f64() < 1e-6 {
                return None;
            }
            let place = leaves.len() - 2;
            let value = |place: usize| leaves[place].as_ref().map_or(ZERO, |p| p.at(first));
            state = State {
                t: state.t + first,
                x: value(place),
                v: value(place + 1),
                inputs: state.inputs,
            };
            course.spans.push(Span::Poly(leaves));
        }
        None
    }
}

/// A random force, and where it switches.
fn force(sketch: &mut Sketch, u: Option<usize>, x: usize, horizon: f64) -> (Expr, Vec<Truth>) {
    let time = || Expr::Leaf(0);
    let at = Expr::number(sketch.drawn(0.1 * horizon, 0.9 * horizon, 2));
    let size = match u {
        Some(u) if sketch.random.often(0.8) => Expr::Leaf(u),
        _ => Expr::number(sketch.one_of(&["1", "-2", "4", "-1", "3"])),
    };
    let other = Expr::number(sketch.one_of(&["0", "0", "1", "-1"]));
    let since = time().minus(at.clone());
    let zero = Expr::number("0");
    let relation = *sketch.random.pick(&[Relation::More, Relation::AtLeast]);
    let is_after = Truth::compare(relation, time(), at.clone());
    let of = |e: Expr| boxed(e);
    let at_zero = |e: &Expr| Truth::compare(Relation::More, e.clone(), zero.clone());
    match sketch.random.below(9) {
        0 if u.is_some() => (size, vec![]),
        0 | 1 => (
            Expr::If(boxed(is_after.clone()), of(size), of(other)),
            vec![is_after],
        ),
        2 => {
            let width = sketch.one_of(&["0.01", "0.1", "0.3"]);
            let end = match &at {
                Expr::Number(from) => (from.value + Real::decimal(&width)).written(),
                _ => None,
            };
            let end = Expr::number(end.unwrap_or_else(|| "1".into()));
            let is_before = Truth::compare(Relation::Less, time(), end);
            let both = is_after.clone().and(is_before.clone());
            (
                Expr::If(boxed(both), of(size), of(other)),
                vec![is_after, is_before],
            )
        }
        3 => {
            let switch = at_zero(&since);
            (Expr::Product(of(size), of(Expr::Sign(of(since)))), vec![switch])
        }
        4 => {
            let switch = at_zero(&since);
            (
                Expr::Product(of(size), of(Expr::Max(of(since), of(zero)))),
                vec![switch],
            )
        }
        5 => {
            let most = Literal::new("0.2");
            let full = Truth::compare(Relation::More, since.clone(), Expr::Number(most.clone()));
            let switch = at_zero(&since);
            let ramp = Expr::Clamp(of(since), Literal::new("0"), most);
            (Expr::Product(of(size), of(ramp)), vec![switch, full])
        }
        6 => {
            let doubled = Expr::Product(of(Expr::number("2")), of(time()));
            let stairs = Expr::Floor(of(doubled.clone()));
            let level = Expr::number("0");
            // The cuts of a floor are its jumps.
            let switch = Truth::compare(Relation::More, Expr::Floor(of(doubled)), level);
            (Expr::Product(of(size), of(stairs)), vec![switch])
        }
        7 => {
            let switch = at_zero(&since);
            (Expr::Product(of(size), of(Expr::Abs(of(since)))), vec![switch])
        }
        _ => {
            let place = Expr::number(sketch.drawn(0.1, 0.6, 2));
            let is_there = Truth::compare(relation, Expr::Leaf(x), place);
            (
                Expr::If(boxed(is_there.clone()), of(size), of(other)),
                vec![is_there],
            )
        }
    }
}

/// A random pushed ball.
pub(crate) fn pushed(mut sketch: Sketch) -> Scene {
    let inputs = if sketch.random.often(0.4) {
        vec![input(&mut sketch)]
    } else {
        vec![]
    };
    let mass = sketch.one_of(&["1", "1", "2", "0.5"]);
    let mass = sketch.slot(&mass, (0.1, 10.0));
    let speed = sketch.one_of(&["0", "1", "0.5", "-1"]);
    let (position, [start, ..]) = sketch.field("a", "position", [("x", "0.0"), ("y", "0"), ("z", "0")]);
    let (velocity, [speed, ..]) = sketch.field("a", "velocity", [("vx", &speed), ("vy", "0"), ("vz", "0")]);
    let horizon = sketch.one_of(&["1", "1.5", "2"]);
    let mut leaves: Vec<Leaf> = vec![leaf("time", false)];
    leaves.extend(parameters(&sketch));
    let u = (!inputs.is_empty()).then_some(leaves.len());
    leaves.extend(inputs.iter().map(|i| leaf(&i.name, true)));
    let x = leaves.len();
    leaves.extend([leaf("a.x", false), leaf("a.vx", false)]);
    let (force, switches) = force(&mut sketch, u, x, horizon.parse().expect("a number"));
    for input in &inputs {
        let text = |v: Real| v.written().unwrap_or_default();
        sketch.line(&format!(
            "input {} in [{}, {}] = {}",
            input.name,
            text(input.low),
            text(input.high),
            text(input.default)
        ));
    }
    sketch.line(&format!(
        "entity a {{ sphere(radius = 0.1)  mass = {}  {position}  {velocity} }}",
        mass.text()
    ));
    sketch.line(&format!("force on a = ({}, 0, 0)", force.text(&leaves)));
    sketch.line(&format!("horizon {horizon}"));
    let pushed = Pushed {
        start,
        speed,
        mass,
        force,
        switches,
        horizon: Real::decimal(&horizon),
    };
    Scene {
        family: if inputs.is_empty() {
            "pushed"
        } else {
            "driven ball"
        },
        is_modal: false,
        text: format!("{}{}", sketch.head, sketch.body),
        unknowns: sketch.unknowns,
        inputs,
        words: Words {
            horizon: pushed.horizon,
            leaves,
            quantities: Vec::new(),
            truths: Vec::new(),
        },
        choice: Choice::All,
        run: boxed(move |point| pushed.run(point)),
    }
}
