//! Actor models with modes: ramps and parabolas beside modal models whose guards are closed conditions on them. Guards that hold in the mode just entered make a cascade at one instant.
//!
//! At an instant all guards of the present modes are looked at; the modal models whose guard holds take their transitions in the same microstep, reading the
//! values before; then again, until none holds.

use super::course::{Course, Instant, Moment, Span, cuts};
use super::formula::{Expr, Leaf, Literal, Relation, Truth, boxed};
use super::poly::Poly;
use super::real::{EXACT, ONE, Real, ZERO};
use super::row::{leaf, parameters};
use super::scene::{Choice, Driven, Point, Runs, Scene, Sketch, Slot, Words, decimal};

const MOST_MICROSTEPS: usize = 8;
const MOST_INSTANTS: usize = 24;

/// x″ = acceleration, or x′ = rate (+ gain · u).
struct Ramp {
    start: Slot,
    rate: Slot,
    acceleration: Option<Slot>,
    gain: Option<(usize, Literal)>,
}

struct Transition {
    guard: Truth,
    to: usize,
    reset: Expr,
}

struct Mode {
    gear: Real,
    rate: Slot,
    transitions: Vec<Transition>,
}

struct Modal {
    start: Slot,
    modes: Vec<Mode>,
}

struct Machine {
    ramps: Vec<Ramp>,
    modals: Vec<Modal>,
    horizon: Real,
}

#[derive(Clone)]
struct State {
    t: Real,
    /// Of each ramp: its value and its rate.
    ramps: Vec<(Real, Real)>,
    inputs: Vec<Real>,
    modes: Vec<usize>,
    s: Vec<Real>,
}

impl Machine {
    fn leaves(&self, point: &Point, state: &State) -> Vec<Option<Poly>> {
        let mut all = vec![Poly(vec![state.t, ONE])];
        all.extend(point.values.iter().map(|v| Poly::constant(*v)));
        all.extend(state.inputs.iter().map(|u| Poly::constant(*u)));
        for (ramp, (x, v)) in self.ramps.iter().zip(&state.ramps) {
            match &ramp.acceleration {
                Some(a) => {
                    let a = a.at(point);
                    all.push(Poly(vec![*v, a]));
                    all.push(Poly(vec![*x, *v, a / Real::from(2.0)]));
                }
                None => {
                    let driven = ramp
                        .gain
                        .as_ref()
                        .map_or(ZERO, |(u, k)| k.value * state.inputs[*u]);
                    all.push(Poly(vec![*x, *v + driven]));
                }
            }
        }
        for (number, modal) in self.modals.iter().enumerate() {
            let mode = &modal.modes[state.modes[number]];
            all.push(Poly(vec![state.s[number], mode.rate.at(point)]));
            all.push(Poly::constant(mode.gear));
        }
        all.into_iter().map(Some).collect()
    }

    fn moment(&self, point: &Point, state: &State) -> Moment {
        let leaves = self.leaves(point, state);
        leaves.into_iter().map(|p| p.map(|p| p.at(ZERO))).collect()
    }

    fn run(&self, point: &Point) -> Runs {
        let start = |r: &Ramp| (r.start.at(point), r.rate.at(point));
        let mut state = State {
            t: ZERO,
            ramps: self.ramps.iter().map(start).collect(),
            inputs: point.inputs.iter().map(|steps| steps[0].1).collect(),
            modes: vec![0; self.modals.len()],
            s: self.modals.iter().map(|m| m.start.at(point)).collect(),
        };
        let mut jumps: Vec<Real> = point
            .inputs
            .iter()
            .flat_map(|s| s[1..].iter().map(|j| j.0))
            .collect();
        jumps.push(self.horizon);
        let mut course = Course {
            instants: Vec::new(),
            spans: Vec::new(),
        };
        while course.instants.len() <= MOST_INSTANTS {
            let moments = self.cascade(point, &mut state)?;
            course.instants.push(Instant { t: state.t, moments });
            let left = self.horizon - state.t;
            if left.f64() < 1e-19 {
                return Some(vec![course]);
            }
            let mut next = vec![left];
            for (number, modal) in self.modals.iter().enumerate() {
                for transition in &modal.modes[state.modes[number]].transitions {
                    next.extend(first_true(&transition.guard, &self.leaves(point, &state), left)?);
                }
            }
            let ahead = jumps.iter().map(|t| *t - state.t).filter(|t| t.f64() > 1e-19);
            next.extend(ahead);
            let first = next.iter().copied().fold(left, Real::min);
            let is_close = |t: &Real| (*t - first).f64() > 1e-19 && (*t - first).f64() < 1e-6;
            if next.iter().any(is_close) || first.f64() < 1e-6 {
                return None;
            }
            self.flow(point, &mut course, &mut state, first);
        }
        None
    }

    fn flow(&self, point: &Point, course: &mut Course, state: &mut State, by: Real) {
        let leaves = self.leaves(point, state);
        let value = |place: usize| leaves[place].as_ref().map_or(ZERO, |p| p.at(by));
        let mut place = 1 + point.values.len() + state.inputs.len();
        for (ramp, (x, v)) in self.ramps.iter().zip(&mut state.ramps) {
            if ramp.acceleration.is_some() {
                *v = value(place);
                place += 1;
            }
            *x = value(place);
            place += 1;
        }
        for s in &mut state.s {
            *s = value(place);
            place += 2;
        }
        state.t = state.t + by;
        course.spans.push(Span::Poly(leaves));
    }

    /// All moments of an instant; the state is then that of the last.
    fn cascade(&self, point: &Point, state: &mut State) -> Option<Vec<Moment>> {
        let mut moments = vec![self.moment(point, state)];
        // Inputs that jump here have both values.
        for (input, steps) in state.inputs.iter_mut().zip(&point.inputs) {
            let is_now = |s: &&(Real, Real)| (s.0 - state.t).abs().f64() < 1e-19;
            if let Some((_, value)) = steps[1..].iter().find(is_now) {
                *input = *value;
            }
        }
        if moments[0] != self.moment(point, state) {
            moments.push(self.moment(point, state));
        }
        for _ in 0..MOST_MICROSTEPS {
            let now = self.moment(point, state);
            let mut next = state.clone();
            let mut is_moved = false;
            for (number, modal) in self.modals.iter().enumerate() {
                let mut enabled = Vec::new();
                for transition in &modal.modes[state.modes[number]].transitions {
                    if transition.guard.now(&now, &EXACT)? {
                        enabled.push(transition);
                    }
                }
                match enabled.as_slice() {
                    [] => {}
                    [one] => {
                        next.modes[number] = one.to;
                        next.s[number] = one.reset.value(&now, &EXACT)?;
                        is_moved = true;
                    }
                    _ => return None,
                }
            }
            if !is_moved {
                return Some(moments);
            }
            *state = next;
            moments.push(self.moment(point, state));
        }
        None
    }
}

/// The first τ in (0, end] at which a guard holds; it must hold there, and not only just after.
fn first_true(guard: &Truth, leaves: &[Option<Poly>], end: Real) -> Option<Option<Real>> {
    let at = |tau: Real| -> Option<bool> {
        let now: Moment = leaves.iter().map(|l| l.as_ref().map(|p| p.at(tau))).collect();
        guard.now(&now, &EXACT)
    };
    let mut places = vec![ZERO];
    places.extend(cuts(guard, leaves, end));
    places.push(end);
    for pair in places.windows(2) {
        // A guard that holds only after a moment is not what is meant here.
        if at((pair[0] + pair[1]) * Real::from(0.5))? {
            return None;
        }
        if at(pair[1])? {
            return Some(Some(pair[1]));
        }
    }
    Some(None)
}

/// What a guard may speak of while the machine is drawn: a leaf, its value at 0 and its rate.
struct Seen {
    leaf: usize,
    start: Real,
    rate: Real,
}

/// A closed condition that holds at a time, mostly from it on.
fn guard(sketch: &mut Sketch, seen: &[Seen], still: &[Seen], t: &str) -> Truth {
    let at = Real::decimal(t);
    let time = |relation| Truth::compare(relation, Expr::Leaf(0), Expr::number(t));
    let moving = (!seen.is_empty()).then(|| sketch.random.pick(seen));
    let crossing = moving.and_then(|seen| {
        let level = Expr::written(seen.start + seen.rate * at)?;
        let relation = if seen.rate > ZERO {
            Relation::AtLeast
        } else {
            Relation::AtMost
        };
        Some(Truth::compare(relation, Expr::Leaf(seen.leaf), level))
    });
    let strip = (!still.is_empty()).then(|| {
        let seen = sketch.random.pick(still);
        let width = sketch.random.pick(&["1e-6", "1e-4", "0.01", "0"]).to_string();
        let centre = Expr::Number(Literal {
            text: seen.start.written().unwrap_or_default(),
            value: seen.start,
        });
        let far = Expr::Abs(boxed(Expr::Leaf(seen.leaf).minus(centre)));
        Truth::compare(Relation::AtMost, far, Expr::number(width))
    });
    match (sketch.random.below(7), crossing, strip) {
        (0 | 1, Some(crossing), _) => crossing,
        (2, Some(crossing), _) => crossing.and(time(Relation::AtLeast)),
        (3, Some(crossing), _) => Truth::Or(boxed(crossing), boxed(time(Relation::AtLeast))),
        (4, _, Some(strip)) => strip.and(time(Relation::AtLeast)),
        (5, _, Some(strip)) => strip,
        _ => time(Relation::AtLeast),
    }
}

/// A text of an expression inside a modal model: its own outputs have short names.
fn inside(text: &str, modal: &str) -> String {
    text.replace(&format!("{modal}."), "")
}

/// A random machine.
pub(crate) fn machine(mut sketch: Sketch) -> Scene {
    let horizon = sketch.one_of(&["1", "1.5", "2", "1"]);
    let mut ramps = Vec::new();
    let mut lines = Vec::new();
    let mut names = Vec::new();
    // (leaf relative to the ramps, start, rate) of what moves steadily, and of what does not move.
    let (mut moving, mut still) = (Vec::new(), Vec::new());
    let mut inputs = Vec::new();
    if sketch.random.often(0.25) {
        inputs.push(input(&mut sketch));
    }
    let mut names_of_ramps = ["x", "y"][..1 + sketch.random.below(2)].to_vec();
    // What does not move decides whether a cascade goes on.
    if sketch.random.often(0.4) {
        names_of_ramps.push("z");
    }
    for name in &names_of_ramps {
        let start = sketch.drawn(-0.5, 1.0, 2);
        let rate = if *name == "z" {
            "0".into()
        } else {
            sketch.one_of(&["1", "1", "0.5", "-1", "2", "0", "-0.5"])
        };
        let (base_start, base_rate) = (Real::decimal(&start), Real::decimal(&rate));
        let start = sketch.slot(&start, (-10.0, 10.0));
        let rate = if *name == "z" {
            Slot::Given(ZERO, rate)
        } else {
            sketch.slot(&rate, (-10.0, 10.0))
        };
        let accelerates = *name != "z" && sketch.random.often(0.2);
        let gain = (*name != "z" && !inputs.is_empty() && !accelerates && sketch.random.often(0.7))
            .then(|| (0, Literal::new(sketch.one_of(&["1", "0.5", "-1"]))));
        let mut acceleration = None;
        if accelerates {
            let a = sketch.one_of(&["1", "-2", "-1", "4"]);
            let a = sketch.slot(&a, (-10.0, 10.0));
            lines.push(format!(
                "{name}v' = {} init {}",
                bracket(a.text()),
                bracket(rate.text())
            ));
            lines.push(format!("{name}' = {name}v init {}", bracket(start.text())));
            names.push(format!("{name}v"));
            acceleration = Some(a);
        } else {
            let driven = gain
                .as_ref()
                .map_or_else(String::new, |(_, k)| format!(" + ({}) * u", k.text));
            lines.push(format!(
                "{name}' = {}{driven} init {}",
                bracket(rate.text()),
                bracket(start.text())
            ));
            let list = if base_rate == ZERO {
                &mut still
            } else {
                &mut moving
            };
            if gain.is_none() {
                list.push((names.len(), base_start, base_rate));
            }
        }
        names.push((*name).to_owned());
        ramps.push(Ramp {
            start,
            rate,
            acceleration,
            gain,
        });
    }
    // Slots of modes make further unknowns, which come before the ramps among the leaves: all of them are made first.
    let plan = Plan::new(&mut sketch, &horizon);
    let shift = 1 + sketch.unknowns.len() + inputs.len();
    let placed = |list: Vec<(usize, Real, Real)>| -> Vec<Seen> {
        let each = list.into_iter();
        each.map(|(place, start, rate)| Seen {
            leaf: shift + place,
            start,
            rate,
        })
        .collect()
    };
    let (moving, still) = (placed(moving), placed(still));
    let mut leaves: Vec<Leaf> = vec![leaf("time", false)];
    leaves.extend(parameters(&sketch));
    leaves.extend(inputs.iter().map(|i: &Driven| leaf(&i.name, true)));
    leaves.extend(names.iter().map(|n| leaf(n, false)));
    for modal in &plan.modals {
        leaves.push(leaf(&format!("{}.s", modal.name), false));
        leaves.push(leaf(&format!("{}.gear", modal.name), true));
    }
    let (modals, text) = plan.drawn(&mut sketch, &leaves, &moving, &still);
    let mut body = String::from("model random\n");
    body.push_str(&sketch.head);
    for input in &inputs {
        let text = |v: Real| v.written().unwrap_or_default();
        body.push_str(&format!(
            "input {} in [{}, {}] = {}\n",
            input.name,
            text(input.low),
            text(input.high),
            text(input.default)
        ));
    }
    for line in lines {
        body.push_str(&line);
        body.push('\n');
    }
    body.push_str(&text);
    let quantities = named(&mut sketch, &leaves, shift, &mut body);
    body.push_str(&format!("horizon = {horizon}\n"));
    let machine = Machine {
        ramps,
        modals,
        horizon: Real::decimal(&horizon),
    };
    Scene {
        family: if inputs.is_empty() {
            "machine"
        } else {
            "driven machine"
        },
        is_modal: true,
        text: body,
        unknowns: sketch.unknowns,
        inputs,
        words: Words {
            horizon: machine.horizon,
            leaves,
            quantities,
            truths: Vec::new(),
        },
        choice: Choice::All,
        run: boxed(move |point| machine.run(point)),
    }
}

pub(crate) fn input(sketch: &mut Sketch) -> Driven {
    let (low, high) = *sketch.random.pick(&[("-1", "1"), ("0", "1"), ("-0.5", "0.5")]);
    let default = sketch.one_of(&["0", "0", "0.25"]);
    Driven {
        name: "u".into(),
        low: Real::decimal(low),
        high: Real::decimal(high),
        default: Real::decimal(&default),
    }
}

fn bracket(text: &str) -> String {
    if text.starts_with('-') {
        format!("({text})")
    } else {
        text.to_owned()
    }
}

/// Signals with kinks and jumps that the model names.
fn named(sketch: &mut Sketch, leaves: &[Leaf], first: usize, body: &mut String) -> Vec<Expr> {
    let mut all = Vec::new();
    for number in 0..sketch.random.below(3) {
        let count = leaves.len() - first;
        let of = boxed(Expr::Leaf(first + sketch.random.below(count)));
        let other = boxed(Expr::Leaf(first + sketch.random.below(count)));
        let level = Literal::new(decimal(sketch.random.between(-0.5, 1.5), 2));
        let shifted = boxed(of.clone().minus(Expr::Number(level.clone())));
        let expr = match sketch.random.below(7) {
            0 => Expr::Sign(shifted),
            1 => Expr::Abs(shifted),
            2 => Expr::Floor(boxed(Expr::Product(of, boxed(Expr::number("2"))))),
            3 => Expr::Min(of, other),
            4 => Expr::Max(of, boxed(Expr::Number(level))),
            5 => Expr::Clamp(of, Literal::new("0"), Literal::new("0.5")),
            _ => {
                let is_above = Truth::compare(Relation::AtLeast, *of, Expr::Number(level));
                Expr::If(boxed(is_above), boxed(Expr::number("2")), other)
            }
        };
        let name = format!("k{}", number + 1);
        body.push_str(&format!("{name} = {}\n", expr.text(leaves)));
        all.push(Expr::Named(name, boxed(expr)));
    }
    all
}

/// Modal models before their guards are drawn.
struct Plan {
    modals: Vec<PlannedModal>,
}

struct PlannedModal {
    name: &'static str,
    start: Slot,
    modes: Vec<(String, Slot)>,
    times: Vec<String>,
}

impl Plan {
    fn new(sketch: &mut Sketch, horizon: &str) -> Self {
        let horizon: f64 = horizon.parse().expect("a number");
        let count = *sketch.random.pick(&[0, 1, 1, 1, 2]);
        let mut modals = Vec::new();
        // Cascades of both modal models at the same times now and then.
        let shared = decimal(horizon * *sketch.random.pick(&[0.25, 0.3, 0.5, 0.7]), 2);
        for name in &["m", "n"][..count] {
            let start = sketch.drawn(-0.5, 0.5, 1);
            let start = sketch.slot(&start, (-10.0, 10.0));
            let modes = (0..2 + sketch.random.below(3))
                .map(|_| {
                    let gear = sketch.one_of(&["1", "2", "3", "10", "-1"]);
                    let rate = sketch.one_of(&["0", "0", "1", "-1", "0.5"]);
                    (gear, sketch.slot(&rate, (-10.0, 10.0)))
                })
                .collect::<Vec<_>>();
            let mut last = shared.clone();
            let times = modes
                .iter()
                .map(|_| {
                    if !sketch.random.often(0.6) {
                        last = decimal(horizon * sketch.random.between(0.1, 1.0), 2);
                    }
                    last.clone()
                })
                .collect();
            modals.push(PlannedModal {
                name,
                start,
                modes,
                times,
            });
        }
        Plan { modals }
    }

    fn drawn(
        self,
        sketch: &mut Sketch,
        leaves: &[Leaf],
        moving: &[Seen],
        still: &[Seen],
    ) -> (Vec<Modal>, String) {
        let (mut modals, mut text) = (Vec::new(), String::new());
        let own = |name: &str, part: &str| {
            let full = format!("{name}.{part}");
            leaves.iter().position(|l| l.text == full).unwrap_or(0)
        };
        let gears: Vec<usize> = self.modals.iter().map(|m| own(m.name, "gear")).collect();
        for (number, planned) in self.modals.iter().enumerate() {
            let name = planned.name;
            let s = own(name, "s");
            text.push_str(&format!("modal {name} {{\n  out cont s, gear\n"));
            let mut modes = Vec::new();
            for (place, (gear, rate)) in planned.modes.iter().enumerate() {
                let mut transitions = Vec::new();
                let is_last = place + 1 == planned.modes.len();
                if !is_last || sketch.random.often(0.2) {
                    let to = if is_last { 0 } else { place + 1 };
                    let mut guard = guard(sketch, moving, still, &planned.times[place]);
                    // The other modal model may be waited for.
                    if let (Some(other), true) = (gears.get(1 - number.min(1)), sketch.random.often(0.15))
                        && *other != gears[number]
                    {
                        let gear = Expr::number(sketch.one_of(&["2", "3", "1"]));
                        guard = Truth::compare(Relation::Equal, Expr::Leaf(*other), gear);
                    }
                    let reset = reset(sketch, s, moving);
                    transitions.push(Transition { guard, to, reset });
                }
                let head = if place == 0 { "initial mode" } else { "mode" };
                let init = if place == 0 {
                    format!(" init {}", bracket(planned.start.text()))
                } else {
                    String::new()
                };
                let outgoing: String = transitions
                    .iter()
                    .map(|t: &Transition| {
                        format!(
                            "    when {} goto M{} {{ s := {} }}\n",
                            inside(&t.guard.text(leaves), name),
                            t.to,
                            inside(&t.reset.text(leaves), name)
                        )
                    })
                    .collect();
                text.push_str(&format!(
                    "  {head} M{place} {{\n    s' = {}{init}\n    gear = {gear}\n{outgoing}  }}\n",
                    bracket(rate.text())
                ));
                modes.push(Mode {
                    gear: Real::decimal(gear),
                    rate: rate.clone(),
                    transitions,
                });
            }
            text.push_str("}\n");
            modals.push(Modal {
                start: planned.start.clone(),
                modes,
            });
        }
        (modals, text)
    }
}

fn reset(sketch: &mut Sketch, s: usize, moving: &[Seen]) -> Expr {
    let literal = Expr::number(sketch.one_of(&["0", "1", "10", "-1", "0.5", "2"]));
    match sketch.random.below(5) {
        0 => Expr::Leaf(s),
        1 => Expr::Negative(boxed(Expr::Leaf(s))),
        2 if !moving.is_empty() => {
            let seen = sketch.random.pick(moving);
            Expr::Sum(boxed(Expr::Leaf(seen.leaf)), boxed(literal))
        }
        _ => literal,
    }
}
