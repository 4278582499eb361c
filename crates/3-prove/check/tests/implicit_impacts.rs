//! Random impacts at several contacts with friction: runs from many points of a box, and solutions of the contact law found by code of this test alone, are inside what is
//! enclosed.

use crate::support::read::model;
use dyverse_check::{Limits, Outcome, RecordedTube, UnknownBox, record};
use dyverse_formulas::{Bodies, Evolution, Requirement, Switched};
use dyverse_simulate::{RunOptions, simulate};

struct Dice(u64);

impl Dice {
    /// In [0, 1].
    fn number(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.number()
    }
}

type V = [f64; 3];
fn add(a: V, b: V) -> V {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}
fn scale(a: V, s: f64) -> V {
    a.map(|x| x * s)
}
fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
fn cross(a: V, b: V) -> V {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}
fn unit(a: V) -> V {
    scale(a, 1.0 / dot(a, a).sqrt())
}

#[derive(Clone, Copy)]
struct Ball {
    radius: f64,
    mass: f64,
    at: V,
    velocity: V,
    spin: V,
}

/// Balls where they meet, one of which arrives at time `meets` with its velocity times s; the others rest. With or without a floor below the first.
struct Scene {
    balls: Vec<Ball>,
    has_floor: bool,
    restitution: f64,
    tangential: f64,
    mu: f64,
    width: f64,
}

const MEETS: f64 = 0.1;
const LATER: f64 = 0.004;

impl Scene {
    fn random(dice: &mut Dice) -> Self {
        let has_floor = dice.number() < 0.5;
        let mut ball = |at: V| Ball {
            radius: dice.between(0.3, 0.6),
            mass: dice.between(0.5, 2.0),
            at,
            velocity: [0.0; 3],
            spin: [0.0; 3],
        };
        let mut balls = vec![ball([0.0; 3]), ball([0.0; 3])];
        if has_floor {
            balls[0].at[1] = balls[0].radius;
            let up = dice.between(0.3, 1.2);
            let reach = balls[0].radius + balls[1].radius;
            balls[1].at = add(balls[0].at, [-reach * up.cos(), reach * up.sin(), 0.0]);
        } else {
            // Three that touch each other, or two touched by the third.
            let third = ball([0.0; 3]);
            let apart = if dice.number() < 0.5 { 0.0 } else { 0.2 };
            let [a, b, c] = [balls[0].radius, balls[1].radius, third.radius];
            let base = a + b + apart;
            let x = (base * base + (a + c) * (a + c) - (b + c) * (b + c)) / (2.0 * base);
            balls[1].at = [base, 0.0, 0.0];
            balls.push(third);
            balls[2].at = [x, ((a + c) * (a + c) - x * x).sqrt(), 0.0];
        }
        let is_plane = dice.number() < 0.5;
        let mut across = |size: f64| if is_plane { 0.0 } else { dice.between(-size, size) };
        let (z, wx, wy) = (across(0.5), across(6.0), across(6.0));
        let last = balls.len() - 1;
        let side = if has_floor {
            dice.between(0.5, 2.0)
        } else {
            dice.between(-0.4, 0.4)
        };
        balls[last].velocity = [side, -dice.between(0.8, 2.0), z];
        balls[last].spin = [wx, wy, dice.between(-10.0, 10.0)];
        Scene {
            balls,
            has_floor,
            restitution: dice.between(0.0, 0.9),
            tangential: if dice.number() < 0.5 {
                0.0
            } else {
                dice.between(-0.5, 0.3)
            },
            mu: dice.between(0.05, 0.5),
            width: [1e-3, 5e-3, 2e-2][(3.0 * dice.number()) as usize % 3],
        }
    }

    fn text(&self) -> String {
        let (w, mu) = (self.width, self.mu);
        let mut text = format!(
            "param s in [{:?}, {:?}] = 1\nparam mu in [{:?}, {:?}] = {mu:?}\n",
            1.0 - w,
            1.0 + w,
            mu * (1.0 - w),
            mu * (1.0 + w)
        );
        for (number, b) in self.balls.iter().enumerate() {
            let start = add(b.at, scale(b.velocity, -MEETS));
            let triple = |v: V, by: &str| format!("({:?}{by}, {:?}{by}, {:?}{by})", v[0], v[1], v[2]);
            text += &format!(
                "entity b{number} {{ sphere(radius = {:?}) mass = {:?} position = {} velocity = {} angular_velocity = {} }}\n",
                b.radius,
                b.mass,
                triple(start, ""),
                triple(b.velocity, " * s"),
                triple(b.spin, "")
            );
        }
        if self.has_floor {
            text += "fixed entity floor { half_space(normal = (0, 1, 0), offset = 0) }\n";
        }
        text + &format!(
            "contact default {{ restitution = {:?} tangential_restitution = {:?} friction = mu }}
             horizon {:?}
             property p: always [0, {:?}] b0.x < 1e6",
            self.restitution,
            self.tangential,
            2.0 * MEETS,
            MEETS + LATER
        )
    }

    /// Velocities and spins just after, by the contact law solved here; `None` if the sweeps do not end.
    fn after(&self, s: f64, mu: f64, start: &mut dyn FnMut() -> f64) -> Option<Vec<(V, V)>> {
        let mut contacts: Vec<(Option<usize>, usize, V)> = Vec::new();
        for j in 0..self.balls.len() {
            for i in 0..j {
                let d = add(self.balls[j].at, scale(self.balls[i].at, -1.0));
                if (dot(d, d).sqrt() - self.balls[i].radius - self.balls[j].radius).abs() < 1e-9 {
                    contacts.push((Some(i), j, unit(d)));
                }
            }
            if self.has_floor && (self.balls[j].at[1] - self.balls[j].radius).abs() < 1e-9 {
                contacts.push((None, j, [0.0, 1.0, 0.0]));
            }
        }
        let frames: Vec<[V; 3]> = contacts
            .iter()
            .map(|(.., n)| {
                let helper = if n[2].abs() < 0.9 {
                    [0.0, 0.0, 1.0]
                } else {
                    [1.0, 0.0, 0.0]
                };
                let t = unit(cross(helper, *n));
                [*n, t, cross(*n, t)]
            })
            .collect();
        let before: Vec<(V, V)> = self
            .balls
            .iter()
            .map(|b| (scale(b.velocity, s), b.spin))
            .collect();
        let relative = |u: &[(V, V)], c: usize| -> V {
            let (i, j, n) = contacts[c];
            let point = |b: usize, arm: f64| add(u[b].0, cross(u[b].1, scale(n, arm)));
            let own = point(j, -self.balls[j].radius);
            let other = i.map_or([0.0; 3], |i| point(i, self.balls[i].radius));
            let v = add(own, scale(other, -1.0));
            [0, 1, 2].map(|k| dot(v, frames[c][k]))
        };
        let push = |u: &mut [(V, V)], c: usize, impulse: V| {
            let (i, j, n) = contacts[c];
            let p = (0..3).fold([0.0; 3], |sum, k| add(sum, scale(frames[c][k], impulse[k])));
            let mut give = |b: usize, p: V, arm: f64| {
                let ball = &self.balls[b];
                u[b].0 = add(u[b].0, scale(p, 1.0 / ball.mass));
                let turn = cross(scale(n, arm), p);
                u[b].1 = add(u[b].1, scale(turn, 2.5 / (ball.mass * ball.radius * ball.radius)));
            };
            give(j, p, -self.balls[j].radius);
            if let Some(i) = i {
                give(i, scale(p, -1.0), self.balls[i].radius);
            }
        };
        let old: Vec<V> = (0..contacts.len()).map(|c| relative(&before, c)).collect();
        let stiff: Vec<[f64; 2]> = (0..contacts.len())
            .map(|c| {
                [0, 1].map(|k| {
                    let mut u = vec![([0.0; 3], [0.0; 3]); before.len()];
                    let mut impulse = [0.0; 3];
                    impulse[k] = 1.0;
                    push(&mut u, c, impulse);
                    relative(&u, c)[k]
                })
            })
            .collect();
        let mut impulses: Vec<V> = contacts.iter().map(|_| [start(), start(), start()]).collect();
        for _ in 0..30_000 {
            let mut change: f64 = 0.0;
            for c in 0..contacts.len() {
                let mut u = before.clone();
                impulses.iter().enumerate().for_each(|(c, l)| push(&mut u, c, *l));
                let now = relative(&u, c);
                let e = [self.restitution, self.tangential, self.tangential];
                let gamma = [0, 1, 2].map(|k| now[k] + e[k] * old[c][k]);
                let l = &mut impulses[c];
                let was = *l;
                l[0] = (l[0] - 0.8 * gamma[0] / stiff[c][0]).max(0.0);
                let free = [1, 2].map(|k| l[k] - 0.8 * gamma[k] / stiff[c][1]);
                let share = (mu * l[0] / free[0].hypot(free[1]).max(1e-300)).min(1.0);
                (l[1], l[2]) = (share * free[0], share * free[1]);
                change = (0..3).fold(change, |m, k| m.max((l[k] - was[k]).abs()));
            }
            if change < 1e-13 {
                let mut u = before.clone();
                impulses.iter().enumerate().for_each(|(c, l)| push(&mut u, c, *l));
                return Some(u);
            }
        }
        None
    }
}

const COMPONENTS: [&str; 6] = ["vx", "vy", "vz", "wx", "wy", "wz"];

/// Whether some step of the record at a time holds all values that it has names of.
fn is_inside(tube: &RecordedTube, time: f64, value: &dyn Fn(&str) -> Option<f64>) -> bool {
    tube.steps.iter().any(|step| {
        let is_there = step.from - 1e-9 <= time && time <= step.to + 1e-9;
        is_there
            && tube.names.iter().zip(&step.bounds).all(|(name, (lower, upper))| {
                value(name).is_none_or(|x| lower - 1e-8 <= x && x <= upper + 1e-8)
            })
    })
}

#[test]
fn random_impacts_of_several_contacts_with_friction() {
    let mut dice = Dice(7_777);
    let (mut decided, mut laws, mut reasons) = (0, 0, Vec::new());
    const SCENES: usize = 24;
    for number in 0..SCENES {
        let scene = Scene::random(&mut dice);
        let text = scene.text();
        let model = model(&text);
        let requirement = Requirement::new(&model.properties()[0], model.horizon()).unwrap();
        let make = || Bodies::new(&model, &[], requirement.clone()).map(Switched::new);
        let whole = UnknownBox::whole(&make().unwrap().variables().unknowns).unwrap();
        let tube = record(&make, requirement.horizon(), Limits::default(), &whole, 5000).unwrap();
        if let Outcome::Undecided(reason) = &tube.outcome {
            reasons.push(reason.to_string());
            continue;
        }
        assert!(matches!(tube.outcome, Outcome::Safe(_)), "{:?}", tube.outcome);
        decided += 1;
        for _ in 0..6 {
            let corner = |d: &mut Dice| [-1.0, 1.0, d.between(-1.0, 1.0)][(3.0 * d.number()) as usize % 3];
            let s = 1.0 + scene.width * corner(&mut dice);
            let mu = scene.mu * (1.0 + scene.width * corner(&mut dice));
            let options = RunOptions {
                parameters: vec![("s".into(), s), ("mu".into(), mu)],
                until: Some(MEETS + 0.9 * LATER),
                ..RunOptions::default()
            };
            let trace = simulate(&model, &options).unwrap();
            let end = trace.samples.last().unwrap().time.t();
            assert!(
                is_inside(&tube, end, &|name| trace.last(name)),
                "scene {number}, s = {s}, mu = {mu}\n{text}"
            );
            for starts in 0..3 {
                let mut any = || if starts == 0 { 0.0 } else { dice.between(-1.0, 1.0) };
                let Some(after) = scene.after(s, mu, &mut any) else {
                    continue;
                };
                laws += 1;
                let value = |name: &str| {
                    let (ball, component) = name.split_once('.')?;
                    let ball: usize = ball.strip_prefix('b')?.parse().ok()?;
                    let place = COMPONENTS.iter().position(|c| *c == component)?;
                    let (v, w) = after[ball];
                    Some(if place < 3 { v[place] } else { w[place - 3] })
                };
                let values = (0..scene.balls.len()).map(|b| after[b]).collect::<Vec<_>>();
                assert!(
                    is_inside(&tube, MEETS / s, &value),
                    "scene {number}, law, s = {s}, mu = {mu}: {values:?}\n{text}"
                );
            }
        }
    }
    assert!(
        2 * decided > SCENES && laws > 100,
        "{decided} decided, {laws} laws: {reasons:#?}"
    );
}
