//! The trace of a run as a course, for the campaign's own evaluator: moments at its samples and at some times of its pieces, contact quantities from formulas that stand here.
//!
//! Nothing is said about what lies between those moments: a property may be seen to be broken, and never to hold.

use dyverse::RunOptions;
use dyverse::model::Model;
use dyverse::time::{Sample, Trace};
use dyverse_simulate::{Along, ClosedContacts, Seen};

use super::closed::course::{Course, Instant, Moment, Span};
use super::closed::formula::{Expr, Truth, boxed};
use super::closed::real::{Real, ZERO, Zones};
use super::closed::row::leaf;
use super::closed::scene::Words;

/// What runs may be wrong by. Two numbers of a run are never known to be the same.
pub(crate) const OF_TRACES: Zones = Zones {
    same: -1.0,
    clear: 1e-6,
};

/// The shape of an entity.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    Sphere {
        radius: f64,
    },
    /// A sphere that rests at the origin.
    Fixed {
        radius: f64,
    },
    /// Balls are on the side of its normal.
    Plane {
        normal: [f64; 3],
        offset: f64,
    },
    Other,
}

#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) name: String,
    pub(crate) shape: Shape,
}

const STATES: [&str; 8] = ["x", "y", "z", "vx", "vy", "wx", "wz", "vz"];
const QUANTITIES: [&str; 5] = [
    "gap",
    "normal_velocity",
    "slip_speed",
    "normal_force",
    "friction_force",
];

fn moves(body: &Body) -> bool {
    matches!(body.shape, Shape::Sphere { .. } | Shape::Other)
}

/// Pairs whose contact has formulas here: a ball that moves, and something else.
fn pairs(shapes: &[Body]) -> Vec<(usize, usize)> {
    let mut all = Vec::new();
    for a in 0..shapes.len() {
        for b in 0..shapes.len() {
            let is_ball = |n: usize| matches!(shapes[n].shape, Shape::Sphere { .. });
            let is_other = matches!(shapes[b].shape, Shape::Other);
            if a != b && is_ball(a) && !is_other && (!is_ball(b) || a < b) {
                all.push((a, b));
            }
        }
    }
    all
}

/// What properties of rigid bodies may speak of.
pub(crate) fn words(shapes: &[Body], horizon: Real) -> Words {
    let mut leaves = vec![leaf("time", false)];
    let mut quantities = Vec::new();
    for body in shapes.iter().filter(|b| moves(b)) {
        let first = leaves.len();
        let name = &body.name;
        leaves.extend(STATES.map(|state| leaf(&format!("{name}.{state}"), false)));
        let part = |state: &str| {
            let place = STATES.iter().position(|s| *s == state).unwrap_or(0);
            boxed(Expr::Leaf(first + place))
        };
        let square = |state: &str| boxed(Expr::Product(part(state), part(state)));
        let flat = boxed(Expr::Sum(square("vx"), square("vy")));
        let dot = Expr::Sum(flat, square("vz"));
        let speed = Expr::Smooth("sqrt", f64::sqrt, boxed(dot.clone()));
        quantities.extend([
            Expr::Named(format!("{name}.speed"), boxed(speed)),
            Expr::Named(format!("dot({name}.velocity, {name}.velocity)"), boxed(dot)),
            Expr::Difference(
                boxed(Expr::Product(part("x"), part("vy"))),
                boxed(Expr::Product(part("y"), part("vx"))),
            ),
            Expr::Sum(
                boxed(Expr::Smooth("sin", f64::sin, part("x"))),
                boxed(Expr::Max(part("y"), part("vx"))),
            ),
        ]);
    }
    let mut truths = Vec::new();
    for (a, b) in pairs(shapes) {
        let (a, b) = (&shapes[a].name, &shapes[b].name);
        truths.push(Truth::Touching(format!("touching({a}, {b})"), leaves.len()));
        leaves.extend(QUANTITIES.map(|q| leaf(&format!("{q}({a}, {b})"), false)));
    }
    Words {
        horizon,
        leaves,
        quantities,
        truths,
    }
}

type Vector = [f64; 3];

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn plus(a: Vector, k: f64, b: Vector) -> Vector {
    [a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2]]
}

fn cross(a: Vector, b: Vector) -> Vector {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// Position, velocity, angular velocity.
struct Motion {
    c: Vector,
    v: Vector,
    w: Vector,
}

fn motion(trace: &Trace, values: &[f64], body: &Body) -> Option<Motion> {
    if matches!(body.shape, Shape::Fixed { .. } | Shape::Plane { .. }) {
        return Some(Motion {
            c: [0.0; 3],
            v: [0.0; 3],
            w: [0.0; 3],
        });
    }
    let of = |part: &str| {
        let id = trace.signal(&format!("{}.{part}", body.name))?;
        values.get(id.0 as usize).copied()
    };
    let vector = |parts: [&str; 3]| Some([of(parts[0])?, of(parts[1])?, of(parts[2])?]);
    Some(Motion {
        c: vector(["x", "y", "z"])?,
        v: vector(["vx", "vy", "vz"])?,
        w: vector(["wx", "wy", "wz"])?,
    })
}

/// Gap, normal velocity, slip speed of a ball with something else.
fn kinematics(a: (&Motion, &Shape), b: (&Motion, &Shape)) -> Option<[f64; 3]> {
    let Shape::Sphere { radius: own } = a.1 else {
        return None;
    };
    // From the other to the ball; and how far the other's surface is from its centre.
    let (n, gap, other) = match b.1 {
        Shape::Sphere { radius } | Shape::Fixed { radius } => {
            let d = plus(a.0.c, -1.0, b.0.c);
            let size = dot(d, d).sqrt();
            (d.map(|x| x / size), size - own - radius, *radius)
        }
        Shape::Plane { normal, offset } => (*normal, dot(*normal, a.0.c) - offset - own, 0.0),
        Shape::Other => return None,
    };
    let at_ball = plus(a.0.v, -own, cross(a.0.w, n));
    let at_other = plus(b.0.v, other, cross(b.0.w, n));
    let relative = plus(at_ball, -1.0, at_other);
    let normal = dot(n, relative);
    let tangential = plus(relative, -normal, n);
    Some([gap, normal, dot(tangential, tangential).sqrt()])
}

fn real(value: f64) -> Option<Real> {
    value.is_finite().then(|| Real::from(value))
}

/// What is seen at a moment of a rigid-body run.
fn body_moment(trace: &Trace, shapes: &[Body], t: f64, values: &[f64], seen: Option<&Seen>) -> Moment {
    let mut moment = vec![real(t)];
    for body in shapes.iter().filter(|b| moves(b)) {
        for state in STATES {
            let id = trace.signal(&format!("{}.{state}", body.name));
            let value = id.and_then(|id| values.get(id.0 as usize));
            moment.push(value.and_then(|v| real(*v)));
        }
    }
    for (a, b) in pairs(shapes) {
        let both = motion(trace, values, &shapes[a]).zip(motion(trace, values, &shapes[b]));
        let found = both.and_then(|(p, q)| kinematics((&p, &shapes[a].shape), (&q, &shapes[b].shape)));
        match found {
            Some(found) => moment.extend(found.map(real)),
            None => moment.extend([None, None, None]),
        }
        moment.extend(forces(&shapes[a].name, &shapes[b].name, seen));
    }
    moment
}

/// The sum of the normal forces, the largest friction force.
fn forces(a: &str, b: &str, seen: Option<&Seen>) -> [Option<Real>; 2] {
    let Some(all) = seen.and_then(|s| s.forces.as_ref()) else {
        return [None, None];
    };
    let labels = [
        format!("{a}{b}"),
        format!("{b}{a}"),
        format!("{a}-{b}"),
        format!("{b}-{a}"),
    ];
    let own = || all.iter().filter(|f| labels.contains(&f.label));
    let normal: f64 = own().map(|f| f.normal).sum();
    let friction = own().map(|f| f.friction).fold(0.0, f64::max);
    [real(normal), real(friction)]
}

/// Moments by their times: those of one time are an instant.
fn course(moments: Vec<(f64, Moment)>) -> Course {
    let mut instants: Vec<Instant> = Vec::new();
    for (t, moment) in moments {
        match instants.last_mut() {
            Some(last) if last.t.f64() == t => last.moments.push(moment),
            _ => instants.push(Instant {
                t: Real::from(t),
                moments: vec![moment],
            }),
        }
    }
    if instants.is_empty() {
        instants.push(Instant {
            t: ZERO,
            moments: vec![],
        });
    }
    let spans = vec![Span::Samples(Vec::new()); instants.len() - 1];
    Course { instants, spans }
}

/// The signals at a time inside the pieces of a trace, if they show all of them.
fn inside(trace: &Trace, t: f64) -> Option<Sample> {
    let mut values = vec![f64::NAN; trace.signals.len()];
    for piece in trace.pieces.iter().filter(|p| p.from < t && t < p.to) {
        for (id, value) in piece.values(t) {
            *values.get_mut(id.0 as usize)? = value;
        }
    }
    let time = dyverse::time::SuperdenseTime::at(t)?;
    Some(Sample { time, values })
}

/// The samples of a trace, and times between them that are wanted.
fn samples(trace: &Trace, wanted: &[f64]) -> Vec<(Sample, bool)> {
    let mut all: Vec<(Sample, bool)> = trace.samples.iter().map(|s| (s.clone(), true)).collect();
    all.extend(
        wanted
            .iter()
            .filter_map(|t| inside(trace, *t))
            .map(|s| (s, false)),
    );
    all.sort_by_key(|s| s.0.time);
    all
}

/// The course of a rigid-body run; with the closed contacts during its pieces, if forces are to be seen.
pub(crate) fn of_bodies(
    model: &Model,
    options: &RunOptions,
    (trace, closed): (&Trace, Option<&[ClosedContacts]>),
    shapes: &[Body],
    wanted: &[f64],
) -> Course {
    let along = closed.and_then(|closed| Along::new(model, options, trace, closed).ok());
    let seen = along.map(Along::samples).unwrap_or_default();
    let mut own = seen.iter();
    let moments = samples(trace, wanted).into_iter().map(|(sample, is_own)| {
        let seen = if is_own { own.next() } else { None };
        let t = sample.time.t();
        (t, body_moment(trace, shapes, t, &sample.values, seen))
    });
    course(moments.collect())
}

/// The course of a run of an actor model: its leaves are time, then signals by their names.
pub(crate) fn of_actors(trace: &Trace, words: &Words, wanted: &[f64]) -> Course {
    let ids: Vec<_> = words.leaves[1..].iter().map(|l| trace.signal(&l.text)).collect();
    let moments = samples(trace, wanted).into_iter().map(|(sample, _)| {
        let t = sample.time.t();
        let mut moment = vec![real(t)];
        for id in &ids {
            let value = id.and_then(|id| sample.values.get(id.0 as usize));
            moment.push(value.and_then(|v| real(*v)));
        }
        (t, moment)
    });
    course(moments.collect())
}
