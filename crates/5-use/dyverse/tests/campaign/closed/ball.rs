//! One ball over or on a floor: parabolas between bounces, oblique impacts with friction, sliding that becomes rolling; a wall beside it where there is no friction.
//!
//! With s = vx + r ω the slip at the floor: an impact sticks if (1 + e_T) |s| ≤ 3.5 µ (1 + e) |vy|, else its tangential impulse is µ times the normal one; sliding,
//! vx′ = −µ g sign s, ω′ = 2.5 vx′ / r, s′ = 3.5 vx′, until s = 0.

use super::course::{Course, Instant, Moment, Span};
use super::formula::{Expr, Literal, Truth, boxed};
use super::poly::Poly;
use super::real::{ONE, Real, ZERO};
use super::row::{leaf, parameters};
use super::scene::{Choice, Point, Runs, Scene, Sketch, Slot, Words};

const MOST_INSTANTS: usize = 14;

struct Ball {
    radius: Real,
    mass: Slot,
    start: [Slot; 5],
    gravity: Slot,
    restitution: Slot,
    friction: Slot,
    tangential: Real,
    wall: Option<Slot>,
    /// Which of floor and wall comes first, if one comes after the other.
    order: Order,
    horizon: Real,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Together,
    FloorFirst,
    WallFirst,
    Either,
}

#[derive(Clone, Copy, PartialEq)]
struct State {
    t: Real,
    x: Real,
    y: Real,
    vx: Real,
    vy: Real,
    w: Real,
    /// Held by the floor: the force that presses it there acts.
    is_held: bool,
}

/// Numbers of a point.
struct Numbers {
    mass: Real,
    gravity: Real,
    restitution: Real,
    friction: Real,
    wall: Option<Real>,
}

fn number(value: f64) -> Real {
    Real::from(value)
}

fn is_zero(value: Real) -> bool {
    value.abs().f64() < 1e-20
}

impl Ball {
    fn slip(&self, s: &State) -> Real {
        s.vx + self.radius * s.w
    }

    /// The acceleration of sliding.
    fn slide(&self, n: &Numbers, s: &State) -> Real {
        let slip = self.slip(s);
        if !s.is_held || is_zero(slip) || is_zero(n.friction) {
            ZERO
        } else if slip > ZERO {
            -(n.friction * n.gravity)
        } else {
            n.friction * n.gravity
        }
    }

    fn leaves(&self, n: &Numbers, point: &Point, s: &State) -> Vec<Option<Poly>> {
        let half = number(0.5);
        let (ax, ay) = (self.slide(n, s), if s.is_held { ZERO } else { -n.gravity });
        let x = Poly(vec![s.x, s.vx, ax * half]);
        let y = Poly(vec![s.y, s.vy, ay * half]);
        let vy = Poly(vec![s.vy, ay]);
        let vx = Poly(vec![s.vx, ax]);
        let turn = if is_zero(ax) {
            ZERO
        } else {
            number(2.5) * ax / self.radius
        };
        let normal = if s.is_held { n.mass * n.gravity } else { ZERO };
        let mut all = vec![Poly(vec![s.t, ONE])];
        all.extend(point.values.iter().map(|v| Poly::constant(*v)));
        all.extend([
            x.clone(),
            y.clone(),
            vx.clone(),
            vy.clone(),
            Poly(vec![s.w, turn]),
        ]);
        all.extend([
            y.minus(&Poly::constant(self.radius)),
            vy,
            Poly::constant(normal),
            Poly::constant((ax * n.mass).abs()),
        ]);
        if let Some(wall) = n.wall {
            all.push(Poly::constant(wall - self.radius).minus(&x));
            all.push(vx.scaled(-ONE));
        }
        all.into_iter().map(Some).collect()
    }

    fn moment(&self, n: &Numbers, point: &Point, s: &State) -> Moment {
        let leaves = self.leaves(n, point, s);
        leaves.into_iter().map(|p| p.map(|p| p.at(ZERO))).collect()
    }

    fn run(&self, point: &Point) -> Runs {
        let n = Numbers {
            mass: self.mass.at(point),
            gravity: self.gravity.at(point),
            restitution: self.restitution.at(point),
            friction: self.friction.at(point),
            wall: self.wall.as_ref().map(|w| w.at(point)),
        };
        let [x, y, vx, vy, w] = [0, 1, 2, 3, 4].map(|k| self.start[k].at(point));
        let start = State {
            t: ZERO,
            x,
            y,
            vx,
            vy,
            w,
            is_held: false,
        };
        let mut open = vec![(
            Course {
                instants: Vec::new(),
                spans: Vec::new(),
            },
            start,
        )];
        let mut done = Vec::new();
        while let Some((course, state)) = open.pop() {
            if course.instants.len() > MOST_INSTANTS {
                return None;
            }
            for (moments, state) in self.instant(&n, point, state)? {
                let mut course = course.clone();
                course.instants.push(Instant { t: state.t, moments });
                if (self.horizon - state.t).f64() < 1e-19 {
                    done.push(course);
                    continue;
                }
                let next = self.flow(&n, point, &mut course, state)?;
                open.push((course, next));
            }
        }
        Some(done)
    }

    /// All ways of an instant: its moments, and the state after them.
    fn instant(&self, n: &Numbers, point: &Point, state: State) -> Option<Vec<(Vec<Moment>, State)>> {
        let gap = state.y - self.radius;
        let beside = n.wall.map(|w| w - self.radius - state.x);
        for gap in [Some(gap), beside].into_iter().flatten() {
            if gap.f64() < -1e-18 || (gap.f64() > 1e-18 && gap.f64() < 1e-6) {
                return None;
            }
        }
        let hits_floor = gap.f64() < 1e-18 && state.vy.f64() < -1e-18;
        let hits_wall = beside.is_some_and(|g| g.f64() < 1e-18) && state.vx.f64() > 1e-18;
        if (hits_floor && state.vy.f64() > -1e-3) || (hits_wall && state.vx.f64() < 1e-3) {
            return None;
        }
        let first = self.moment(n, point, &state);
        if !hits_floor && !hits_wall {
            let mut state = state;
            let mut moments = vec![first];
            let lies = gap.f64() < 1e-18 && is_zero(state.vy) && n.gravity > ZERO;
            if lies && !state.is_held {
                // At the very start the force is found first.
                moments = vec![self.without_forces(n, point, &state)];
                state.is_held = true;
                moments.push(self.moment(n, point, &state));
            }
            return Some(vec![(moments, state)]);
        }
        let orders: &[&[bool]] = match (hits_floor && hits_wall, self.order) {
            (false, _) => {
                if hits_floor {
                    &[&[true]]
                } else {
                    &[&[false]]
                }
            }
            (true, Order::FloorFirst) => &[&[true, false]],
            (true, Order::WallFirst) => &[&[false, true]],
            (true, Order::Either) => &[&[true, false], &[false, true]],
            (true, Order::Together) => {
                let mut after = state;
                self.hit_floor(n, &mut after);
                after.vx = -(n.restitution * after.vx);
                return Some(vec![self.settled(n, point, vec![first], after)?]);
            }
        };
        let mut ways = Vec::new();
        for order in orders {
            let (mut moments, mut after) = (vec![first.clone()], state);
            for (place, is_floor) in order.iter().enumerate() {
                if *is_floor {
                    self.hit_floor(n, &mut after);
                } else {
                    after.vx = -(n.restitution * after.vx);
                }
                if place + 1 < order.len() {
                    moments.push(self.without_forces(n, point, &after));
                }
            }
            ways.push(self.settled(n, point, moments, after)?);
        }
        Some(ways)
    }

    /// The moments after an impact: forces are found last.
    fn settled(
        &self,
        n: &Numbers,
        point: &Point,
        mut moments: Vec<Moment>,
        mut after: State,
    ) -> Option<(Vec<Moment>, State)> {
        let lies = (after.y - self.radius).f64() < 1e-18 && is_zero(after.vy) && n.gravity > ZERO;
        let slip = self.slip(&after).abs().f64();
        if lies && slip > 1e-20 && slip < 1e-4 && !is_zero(n.friction) {
            return None;
        }
        moments.push(self.without_forces(n, point, &after));
        after.is_held = lies;
        moments.push(self.moment(n, point, &after));
        Some((moments, after))
    }

    /// A moment at which forces have not been found.
    fn without_forces(&self, n: &Numbers, point: &Point, s: &State) -> Moment {
        let mut moment = self.moment(n, point, s);
        let force = 1 + point.values.len() + 7;
        moment[force] = None;
        moment[force + 1] = None;
        moment
    }

    fn hit_floor(&self, n: &Numbers, s: &mut State) {
        let normal = n.mass * (ONE + n.restitution) * s.vy.abs();
        let slip = self.slip(s);
        let wanted = -((ONE + self.tangential) * slip * n.mass / number(3.5));
        let most = n.friction * normal;
        let tangential = if wanted.abs() <= most {
            wanted
        } else if wanted > ZERO {
            most
        } else {
            -most
        };
        s.vy = -(n.restitution * s.vy);
        s.vx = s.vx + tangential / n.mass;
        s.w = s.w + number(2.5) * tangential / (n.mass * self.radius);
    }

    /// Motion to the next instant.
    fn flow(&self, n: &Numbers, point: &Point, course: &mut Course, state: State) -> Option<State> {
        let leaves = self.leaves(n, point, &state);
        let left = self.horizon - state.t;
        let first_leaf = 1 + point.values.len();
        let of = |place: usize| leaves[first_leaf + place].clone().unwrap_or(Poly(vec![]));
        let mut times = vec![left];
        if !state.is_held {
            times.extend(of(5).roots(left).into_iter().filter(|t| t.f64() > 1e-9));
        }
        if n.wall.is_some() {
            times.extend(of(9).roots(left).into_iter().filter(|t| t.f64() > 1e-9));
        }
        let slides = self.slide(n, &state);
        let stop = (!is_zero(slides)).then(|| self.slip(&state).abs() / (number(3.5) * slides.abs()));
        times.extend(stop);
        let first = times.iter().copied().fold(left, Real::min);
        let is_close = |t: &Real| (*t - first).f64() > 1e-19 && (*t - first).f64() < 1e-6;
        if times.iter().any(is_close) || first.f64() < 1e-6 {
            return None;
        }
        let rolls = stop.is_some_and(|t| (t - first).abs().f64() < 1e-19);
        let at = |place: usize| of(place).at(first);
        let mut next = State {
            t: state.t + first,
            x: at(0),
            y: at(1),
            vx: at(2),
            vy: at(3),
            w: at(4),
            is_held: state.is_held,
        };
        if rolls {
            next.w = -(next.vx / self.radius);
        }
        course.spans.push(Span::Poly(leaves));
        Some(next)
    }
}

/// A random ball.
pub(crate) fn ball(mut sketch: Sketch) -> Scene {
    let radius = sketch.one_of(&["0.1", "0.2", "0.5"]);
    let lies = sketch.random.often(0.35);
    let has_wall = sketch.random.often(0.3);
    let height = if lies {
        "0".into()
    } else {
        sketch.drawn(0.05, 1.2, 2)
    };
    let y = (Real::decimal(&radius) + Real::decimal(&height))
        .written()
        .expect("a decimal");
    let vx = sketch.one_of(&["0", "1", "1.5", "0.5", "-1"]);
    let vy = if lies {
        "0".into()
    } else {
        sketch.one_of(&["0", "0.0", "-1", "-2", "1", "-0.5"])
    };
    let spin = if has_wall {
        "0".into()
    } else {
        sketch.one_of(&["0", "0", "3", "-5"])
    };
    let mass = sketch.one_of(&["1", "1", "2", "0.5"]);
    let mass = sketch.slot(&mass, (0.1, 10.0));
    let (position, [x, y, _]) = if lies {
        let (text, slots) = sketch.field("a", "position", [("x", "0"), ("y", "0"), ("z", "0")]);
        let [x, _, z] = slots;
        let on_floor = Slot::Given(Real::decimal(&y), y.clone());
        (
            text.replace("(0, 0, 0)", &format!("(0, {y}, 0)")),
            [x, on_floor, z],
        )
    } else {
        sketch.field("a", "position", [("x", "0"), ("y", &y), ("z", "0")])
    };
    let (velocity, [vx, vy, _]) = sketch.field("a", "velocity", [("vx", &vx), ("vy", &vy), ("vz", "0")]);
    let (spin, [_, _, w]) = sketch.field("a", "angular_velocity", [("wx", "0"), ("wy", "0"), ("wz", &spin)]);
    let gravity = sketch.one_of(&["9.81", "10", "8", "2", "0"]);
    let gravity = if gravity == "0" {
        Slot::Given(ZERO, "0".into())
    } else {
        sketch.slot(&gravity, (0.5, 20.0))
    };
    let restitution = sketch.one_of(&["0", "0", "0.5", "0.8", "1", "0.2"]);
    let restitution = sketch.slot(&restitution, (0.0, 1.0));
    let friction = if has_wall {
        "0".into()
    } else {
        sketch.one_of(&["0", "0.1", "0.3", "0.5", "1"])
    };
    let friction = if friction == "0" {
        Slot::Given(ZERO, "0".into())
    } else {
        sketch.slot(&friction, (0.01, 2.0))
    };
    let tangential = sketch.one_of(&["0", "0", "0.5", "-1", "-0.5"]);
    let wall = has_wall.then(|| {
        let at = (Real::decimal(&radius) + Real::decimal(&sketch.drawn(0.1, 0.8, 2))).written();
        sketch.slot(&at.expect("a decimal"), (-10.0, 10.0))
    });
    sketch.line(&format!(
        "entity a {{ sphere(radius = {radius})  mass = {}  {position}  {velocity}  {spin} }}",
        mass.text()
    ));
    let mut fixed = vec!["fixed entity floor { half_space(normal = (0, 1, 0), offset = 0) }".to_owned()];
    let mut is_wall_first = false;
    if let Some(wall) = &wall {
        is_wall_first = sketch.random.often(0.5);
        let text = format!(
            "fixed entity wall {{ half_space(normal = (-1, 0, 0), offset = -({})) }}",
            wall.text()
        );
        fixed.insert(usize::from(!is_wall_first), text);
    }
    sketch.line(&fixed.join("\n"));
    sketch.line(&format!(
        "contact default {{ restitution = {}  friction = {}  tangential_restitution = {tangential} }}",
        restitution.text(),
        friction.text()
    ));
    sketch.line(&format!("gravity (0, -{}, 0)", gravity.text()));
    let first = if is_wall_first {
        Order::WallFirst
    } else {
        Order::FloorFirst
    };
    let (policy, order, choice) = *sketch.random.pick(&[
        ("simultaneous", Order::Together, Choice::All),
        ("simultaneous", Order::Together, Choice::All),
        ("sequential first", first, Choice::All),
        ("sequential any", Order::Either, Choice::All),
        ("sequential random(5)", Order::Either, Choice::One),
        ("poisson", Order::Together, Choice::All),
    ]);
    sketch.line(&format!("impacts {policy}"));
    let horizon = sketch.one_of(&["0.5", "0.75", "1"]);
    sketch.line(&format!("horizon {horizon}"));
    let mut leaves = vec![leaf("time", false)];
    leaves.extend(parameters(&sketch));
    let own = leaves.len();
    for (name, is_discrete) in [
        ("a.x", false),
        ("a.y", false),
        ("a.vx", false),
        ("a.vy", false),
        ("a.wz", false),
        ("gap(a, floor)", false),
        ("normal_velocity(a, floor)", false),
        ("normal_force(a, floor)", true),
        ("friction_force(a, floor)", true),
    ] {
        leaves.push(leaf(name, is_discrete));
    }
    let mut truths = vec![Truth::Touching("touching(a, floor)".into(), own + 5)];
    if wall.is_some() {
        leaves.push(leaf("gap(a, wall)", false));
        leaves.push(leaf("normal_velocity(a, wall)", false));
        truths.push(Truth::Touching("touching(a, wall)".into(), own + 9));
    }
    let part = |place: usize| boxed(Expr::Leaf(own + place));
    let at_rim = Expr::Product(part(4), boxed(Expr::Number(Literal::new(&*radius))));
    let slip = Expr::Abs(boxed(Expr::Sum(part(2), boxed(at_rim))));
    let square = |place: usize| boxed(Expr::Product(part(place), part(place)));
    let quantities = vec![
        Expr::Named("slip_speed(a, floor)".into(), boxed(slip)),
        Expr::Named(
            "dot(a.velocity, a.velocity)".into(),
            boxed(Expr::Sum(square(2), square(3))),
        ),
        Expr::Difference(part(0), part(1)),
        Expr::Product(part(2), part(3)),
    ];
    let ball = Ball {
        radius: Real::decimal(&radius),
        mass,
        start: [x, y, vx, vy, w],
        gravity,
        restitution,
        friction,
        tangential: Real::decimal(&tangential),
        wall,
        order,
        horizon: Real::decimal(&horizon),
    };
    Scene {
        family: "ball",
        is_modal: false,
        text: format!("{}{}", sketch.head, sketch.body),
        unknowns: sketch.unknowns,
        inputs: Vec::new(),
        words: Words {
            horizon: ball.horizon,
            leaves,
            quantities,
            truths,
        },
        choice,
        run: boxed(move |point| ball.run(point)),
    }
}
