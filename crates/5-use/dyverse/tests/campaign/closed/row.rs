//! Balls on a line, with or without walls at its ends: free flight between collisions, whose times are quotients.

use super::course::{Course, Instant, Moment, Span};
use super::formula::{Expr, Leaf, Truth, boxed};
use super::impact::{Law, Pair, impact, is_unclear};
use super::poly::Poly;
use super::real::{Real, ZERO};
use super::scene::{Choice, Point, Runs, Scene, Sketch, Slot, Words};

const NAMES: [&str; 4] = ["a", "b", "c", "d"];
/// Instants of a trajectory at the most.
const MOST_INSTANTS: usize = 24;
/// Trajectories at the most.
const MOST_COURSES: usize = 40;

struct Ball {
    x: Slot,
    v: Slot,
    mass: Slot,
    radius: Slot,
}

/// A wall: where it is, and whether it is at the right end.
struct Wall {
    at: Slot,
    is_right: bool,
}

/// Two things that may touch: balls from the left to the right.
#[derive(Clone, Copy, Debug)]
enum Touch {
    Balls(usize, usize),
    Left(usize),
    Right(usize),
}

struct Row {
    balls: Vec<Ball>,
    walls: Vec<Wall>,
    restitution: Slot,
    law: Law,
    horizon: Real,
    /// All pairs that properties speak of, in the order of the leaves.
    seen: Vec<Touch>,
    /// Neighbours, in the order of the model's contacts.
    neighbours: Vec<Touch>,
}

/// The numbers of a row for one point.
struct Numbers {
    radii: Vec<Real>,
    masses: Vec<Real>,
    left: Real,
    right: Real,
    pairs: Vec<Pair>,
}

/// Positions and velocities.
#[derive(Clone)]
struct State {
    t: Real,
    x: Vec<Real>,
    v: Vec<Real>,
}

fn gap(touch: Touch, n: &Numbers, x: &[Real]) -> Real {
    match touch {
        Touch::Balls(i, j) => x[j] - x[i] - n.radii[i] - n.radii[j],
        Touch::Left(i) => x[i] - n.radii[i] - n.left,
        Touch::Right(i) => n.right - x[i] - n.radii[i],
    }
}

fn rate(touch: Touch, v: &[Real]) -> Real {
    match touch {
        Touch::Balls(i, j) => v[j] - v[i],
        Touch::Left(i) => v[i],
        Touch::Right(i) => -v[i],
    }
}

impl Row {
    fn numbers(&self, point: &Point) -> Numbers {
        let wall = |is_right: bool| {
            let found = self.walls.iter().find(|w| w.is_right == is_right);
            found.map_or(ZERO, |w| w.at.at(point))
        };
        let restitution = self.restitution.at(point);
        let pair = |touch: &Touch| {
            let (first, second) = match *touch {
                Touch::Balls(i, j) => (Some(i), Some(j)),
                Touch::Left(i) => (None, Some(i)),
                Touch::Right(i) => (Some(i), None),
            };
            Pair {
                first,
                second,
                restitution,
            }
        };
        Numbers {
            radii: self.balls.iter().map(|b| b.radius.at(point)).collect(),
            masses: self.balls.iter().map(|b| b.mass.at(point)).collect(),
            left: wall(false),
            right: wall(true),
            pairs: self.neighbours.iter().map(pair).collect(),
        }
    }

    fn moment(&self, n: &Numbers, point: &Point, s: &State) -> Moment {
        let mut values = vec![s.t];
        values.extend(&point.values);
        for ball in 0..self.balls.len() {
            values.extend([s.x[ball], s.v[ball], s.v[ball].abs()]);
        }
        for touch in &self.seen {
            values.extend([gap(*touch, n, &s.x), rate(*touch, &s.v), ZERO, ZERO, ZERO]);
        }
        values.into_iter().map(Some).collect()
    }

    fn span(&self, n: &Numbers, point: &Point, s: &State) -> Span {
        let now: Vec<Real> = self.moment(n, point, s).into_iter().flatten().collect();
        let mut rates = vec![Real::from(1.0)];
        rates.extend(point.values.iter().map(|_| ZERO));
        for v in &s.v {
            rates.extend([*v, ZERO, ZERO]);
        }
        for touch in &self.seen {
            rates.extend([rate(*touch, &s.v), ZERO, ZERO, ZERO, ZERO]);
        }
        let each = now.into_iter().zip(rates);
        Span::Poly(each.map(|(a, b)| Some(Poly(vec![a, b]))).collect())
    }

    fn run(&self, point: &Point) -> Runs {
        let n = self.numbers(point);
        let start = State {
            t: ZERO,
            x: self.balls.iter().map(|b| b.x.at(point)).collect(),
            v: self.balls.iter().map(|b| b.v.at(point)).collect(),
        };
        let begin = Course {
            instants: vec![Instant {
                t: ZERO,
                moments: vec![self.moment(&n, point, &start)],
            }],
            spans: Vec::new(),
        };
        let mut open = vec![(begin, start)];
        let mut done = Vec::new();
        while let Some((course, state)) = open.pop() {
            if course.instants.len() > MOST_INSTANTS || done.len() + open.len() > MOST_COURSES {
                return None;
            }
            for (course, state) in self.collide(&n, point, course, state)? {
                if (self.horizon - state.t).f64() < 1e-19 {
                    done.push(course);
                } else {
                    open.push(self.fly(&n, point, course, state)?);
                }
            }
        }
        Some(done)
    }

    /// What happens at the last instant of a course: all ways.
    fn collide(
        &self,
        n: &Numbers,
        point: &Point,
        course: Course,
        state: State,
    ) -> Option<Vec<(Course, State)>> {
        let mut closed = Vec::new();
        for (number, touch) in self.neighbours.iter().enumerate() {
            let (gap, rate) = (gap(*touch, n, &state.x), rate(*touch, &state.v));
            if gap.f64() < -1e-18 || (gap.f64() > 1e-18 && gap.f64() < 1e-6) || is_unclear(rate) {
                return None;
            }
            if gap.f64() <= 1e-18 {
                closed.push(number);
            }
        }
        let is_closing = |number: &usize| rate(self.neighbours[*number], &state.v).f64() < -1e-18;
        if !closed.iter().any(is_closing) {
            return Some(vec![(course, state)]);
        }
        let pairs: Vec<Pair> = closed.iter().map(|c| n.pairs[*c].clone()).collect();
        let ways = impact(self.law, &pairs, &n.masses, &state.v)?;
        let mut all = Vec::new();
        for way in ways {
            let (mut course, mut state) = (course.clone(), state.clone());
            for v in way {
                state.v = v;
                let after = self.moment(n, point, &state);
                if let Some(last) = course.instants.last_mut() {
                    last.moments.push(after);
                }
            }
            all.push((course, state));
        }
        Some(all)
    }

    /// Flight to the next collision, or to the horizon.
    fn fly(&self, n: &Numbers, point: &Point, mut course: Course, state: State) -> Option<(Course, State)> {
        let mut times = vec![self.horizon - state.t];
        for touch in &self.neighbours {
            let (gap, rate) = (gap(*touch, n, &state.x), rate(*touch, &state.v));
            if is_unclear(rate) {
                return None;
            }
            if rate.f64() < -1e-18 && gap.f64() > 1e-18 {
                times.push(gap / -rate);
            }
        }
        let first = times.iter().copied().fold(times[0], Real::min);
        // Collisions are at the same time, or clearly not.
        let is_close = |t: &Real| (*t - first).f64() > 1e-19 && (*t - first).f64() < 1e-6;
        if times.iter().any(is_close) || first.f64() < 1e-6 {
            return None;
        }
        course.spans.push(self.span(n, point, &state));
        let next = State {
            t: state.t + first,
            x: state
                .x
                .iter()
                .zip(&state.v)
                .map(|(x, v)| *x + *v * first)
                .collect(),
            v: state.v,
        };
        course.instants.push(Instant {
            t: next.t,
            moments: vec![self.moment(n, point, &next)],
        });
        Some((course, next))
    }
}

/// A random row.
pub(crate) fn row(mut sketch: Sketch) -> Scene {
    let count = 1 + sketch.random.below(3) + usize::from(sketch.random.often(0.1));
    let has_walls = [sketch.random.often(0.35), sketch.random.often(0.35) || count == 1];
    let mut balls = Vec::new();
    let mut edge = Real::decimal("-1");
    let is_cradle = sketch.random.often(0.4);
    let mut entities = Vec::new();
    let mut ends = [ZERO; 2];
    for name in &NAMES[..count] {
        let number = balls.len();
        let radius = sketch.one_of(&["0.1", "0.1", "0.2", "0.25"]);
        let apart = match sketch.random.below(4) {
            _ if number == 0 => "0".into(),
            0 => "0".into(),
            _ if is_cradle && number > 1 => "0".into(),
            _ => sketch.drawn(0.1, 0.9, 2),
        };
        let x = edge + Real::decimal(&apart) + Real::decimal(&radius);
        edge = x + Real::decimal(&radius);
        ends = [
            if number == 0 {
                x - Real::decimal(&radius)
            } else {
                ends[0]
            },
            edge,
        ];
        let x = x.written().expect("a decimal");
        let v = match number {
            0 => sketch.drawn(0.4, 2.0, 1),
            _ if is_cradle => "0.0".into(),
            _ => match sketch.random.below(3) {
                0 => "0.0".into(),
                1 => sketch.drawn(-2.0, 0.0, 1),
                _ => sketch.drawn(0.0, 1.0, 1),
            },
        };
        let mass = sketch.one_of(&["1", "1", "1", "2", "0.5", "3"]);
        let mass = sketch.slot(&mass, (0.1, 10.0));
        let radius = Slot::Given(Real::decimal(&radius), radius);
        let (position, [x, _, _]) = sketch.field(name, "position", [("x", &x), ("y", "0"), ("z", "0")]);
        let (velocity, [v, _, _]) = sketch.field(name, "velocity", [("vx", &v), ("vy", "0"), ("vz", "0")]);
        // Only motion along x is in closed form.
        entities.push(format!(
            "entity {name} {{ sphere(radius = {})  mass = {}  {position}  {velocity} }}",
            radius.text(),
            mass.text()
        ));
        balls.push(Ball { x, v, mass, radius });
    }
    let mut walls = Vec::new();
    for (is_right, name) in [(false, "wl"), (true, "wr")] {
        if !has_walls[usize::from(is_right)] {
            continue;
        }
        let apart = Real::decimal(&sketch.drawn(0.0, 0.8, 1));
        let at = if is_right {
            ends[1] + apart
        } else {
            ends[0] - apart
        };
        let at = at.written().expect("a decimal");
        let at = sketch.slot(&at, (-10.0, 10.0));
        let (normal, sign) = if is_right {
            ("(-1, 0, 0)", "-")
        } else {
            ("(1, 0, 0)", "")
        };
        let kind = sketch.one_of(&["half_space", "plane"]);
        let entity = format!(
            "fixed entity {name} {{ {kind}(normal = {normal}, offset = {sign}({})) }}",
            at.text()
        );
        let place = sketch.random.below(entities.len() + 1);
        entities.insert(place, entity);
        walls.push(Wall { at, is_right });
    }
    let restitution = sketch.one_of(&["0", "0.2", "0.5", "0.8", "1", "1"]);
    let restitution = sketch.slot(&restitution, (0.0, 1.0));
    let friction = sketch.one_of(&["0", "0", "0", "0.3"]);
    sketch.line(&entities.join("\n"));
    sketch.line(&format!(
        "contact default {{ restitution = {}  friction = {friction} }}",
        restitution.text()
    ));
    let (policy, law, choice) = *sketch.random.pick(&[
        ("simultaneous", Law::Newton, Choice::All),
        ("simultaneous", Law::Newton, Choice::All),
        ("sequential first", Law::First, Choice::All),
        ("sequential any", Law::Any, Choice::All),
        ("sequential random(3)", Law::Any, Choice::One),
        ("poisson", Law::Poisson, Choice::All),
    ]);
    sketch.line(&format!("impacts {policy}"));
    let horizon = sketch.one_of(&["1", "1.5", "2", "0.75"]);
    sketch.line(&format!("horizon {horizon}"));
    assembled(
        sketch,
        balls,
        walls,
        restitution,
        (law, choice),
        &entities,
        &horizon,
    )
}

fn assembled(
    sketch: Sketch,
    balls: Vec<Ball>,
    walls: Vec<Wall>,
    restitution: Slot,
    (law, choice): (Law, Choice),
    entities: &[String],
    horizon: &str,
) -> Scene {
    let count = balls.len();
    // Where an entity is in the model.
    let place = |name: &str| {
        let head = format!("entity {name} ");
        entities.iter().position(|e| e.contains(&head)).unwrap_or(0)
    };
    let mut neighbours: Vec<(usize, usize, Touch)> = Vec::new();
    let mut seen = Vec::new();
    let mut leaves = vec![leaf("time", false)];
    leaves.extend(parameters(&sketch));
    for name in &NAMES[..count] {
        leaves.extend([
            leaf(&format!("{name}.x"), false),
            leaf(&format!("{name}.vx"), true),
            leaf(&format!("{name}.speed"), true),
        ]);
    }
    let mut truths = Vec::new();
    let mut add = |a: &str, b: &str, touch: Touch, is_neighbour: bool| {
        if is_neighbour {
            let (p, q) = (place(a), place(b));
            neighbours.push((p.min(q), p.max(q), touch));
            truths.push(Truth::Touching(format!("touching({a}, {b})"), leaves.len()));
        }
        for (number, quantity) in [
            "gap",
            "normal_velocity",
            "slip_speed",
            "normal_force",
            "friction_force",
        ]
        .into_iter()
        .enumerate()
        {
            leaves.push(leaf(&format!("{quantity}({a}, {b})"), number > 0));
        }
        seen.push(touch);
    };
    for i in 0..count {
        for j in i + 1..count {
            add(NAMES[i], NAMES[j], Touch::Balls(i, j), j == i + 1);
        }
    }
    for wall in &walls {
        if wall.is_right {
            add(NAMES[count - 1], "wr", Touch::Right(count - 1), true);
        } else {
            add("wl", NAMES[0], Touch::Left(0), true);
        }
    }
    neighbours.sort_by_key(|(a, b, _)| (*a, *b));
    let quantities = quantities(&leaves);
    let row = Row {
        balls,
        walls,
        restitution,
        law,
        horizon: Real::decimal(horizon),
        seen,
        neighbours: neighbours.into_iter().map(|(_, _, touch)| touch).collect(),
    };
    Scene {
        family: "row",
        is_modal: false,
        text: format!("{}{}", sketch.head, sketch.body),
        unknowns: sketch.unknowns,
        inputs: Vec::new(),
        words: Words {
            horizon: row.horizon,
            leaves,
            quantities,
            truths,
        },
        choice,
        run: boxed(move |point| row.run(point)),
    }
}

/// The unknowns as leaves. Initial values have no name in properties: their leaf is never read.
pub(crate) fn parameters(sketch: &Sketch) -> Vec<Leaf> {
    let each = sketch.unknowns.iter();
    each.map(|u| leaf(if u.name.contains('.') { "" } else { &u.name }, true))
        .collect()
}

pub(crate) fn leaf(text: &str, is_discrete: bool) -> Leaf {
    Leaf {
        text: text.to_owned(),
        is_discrete,
    }
}

/// Sums and differences of neighbours among the leaves.
pub(crate) fn quantities(leaves: &[Leaf]) -> Vec<Expr> {
    let of = |ending: &str| -> Vec<usize> {
        let each = leaves.iter().enumerate();
        each.filter(|(_, l)| l.text.ends_with(ending))
            .map(|(n, _)| n)
            .collect()
    };
    let mut all = Vec::new();
    for ending in [".vx", ".x", ".vy"] {
        for pair in of(ending).windows(2) {
            let (a, b) = (boxed(Expr::Leaf(pair[0])), boxed(Expr::Leaf(pair[1])));
            all.push(Expr::Difference(a.clone(), b.clone()));
            all.push(Expr::Sum(a.clone(), b.clone()));
            all.push(Expr::Product(a, b));
        }
    }
    all
}
