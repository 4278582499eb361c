//! One to twenty things of all shapes: dropped into bins, thrown onto floors and ramps that end at a wall, stacked, leaned against a wall, set up as dominoes.
#![allow(dead_code, clippy::disallowed_methods, clippy::panic)]

use super::dropped::{GRAVITY, inertia};
use super::laws::states;
use super::scene::{Form, Q, Random, Scene, State, Thing, V, Wall};
use super::{model, options};
use dyverse_num::{Quaternion, Vec3};
use dyverse_simulate::{Contacts, RunOptions, Watch, simulate};
use dyverse_trace::Trace;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How often a run may tell how far it is, some evaluations of forces apart: the effort of a scene.
const MOST_TOLD: usize = 1_000_000;

/// How things begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Manner {
    Bin,
    Floor,
    Ramp,
    Stack,
    Leaned,
    Dominoes,
}

impl Manner {
    pub(crate) const ALL: [Manner; 6] = [
        Manner::Bin,
        Manner::Floor,
        Manner::Ramp,
        Manner::Stack,
        Manner::Leaned,
        Manner::Dominoes,
    ];
}

/// A scene, with how large its things are.
#[derive(Clone, Debug)]
pub(crate) struct Crowd {
    pub(crate) scene: Scene,
    pub(crate) manner: Manner,
    /// The largest extent of a thing, m.
    pub(crate) size: f64,
    pub(crate) until: f64,
}

fn wall(normal: V, offset: f64) -> Wall {
    Wall {
        normal,
        offset,
        is_plane: false,
    }
}

fn turned(axis: V, angle: f64) -> Q {
    let (s, c) = (0.5 * angle).sin_cos();
    let a = axis.normalized().scale(&s);
    Quaternion {
        w: c,
        x: a.x,
        y: a.y,
        z: a.z,
    }
}

/// A form that reaches no farther than `size` from its centre.
fn form(random: &mut Random, kind: &str, size: f64) -> Form {
    let part = |random: &mut Random| size * random.between(0.5, 1.1);
    match kind {
        "sphere" => Form::Sphere {
            radius: size * random.between(0.4, 0.9),
        },
        "capsule" => Form::Capsule {
            radius: size * random.between(0.2, 0.4),
            length: size * random.between(0.4, 1.1),
        },
        "rounded_box" => {
            let extents = Vec3::new(part(random), part(random), part(random));
            let least = extents.x.min(extents.y).min(extents.z);
            Form::RoundedBox {
                size: extents,
                radius: least * random.between(0.02, 0.2),
            }
        }
        "box" => Form::Box {
            size: Vec3::new(part(random), part(random), part(random)),
        },
        "convex" => Form::random_hull(random, size),
        _ => Form::Ellipsoid {
            semi_axes: Vec3::new(
                size * random.between(0.4, 0.9),
                size * random.between(0.4, 0.9),
                size * random.between(0.4, 0.9),
            ),
        },
    }
}

fn thing(random: &mut Random, form: Form, position: V, orientation: Q) -> Thing {
    let mass = random.between(0.5, 2.0);
    Thing {
        form,
        mass,
        inertia: inertia(&form, mass),
        state: State {
            position,
            orientation,
            velocity: V::zero(),
            spin: V::zero(),
        },
    }
}

const UP: V = Vec3 {
    x: 0.0,
    y: 0.0,
    z: 1.0,
};

/// The scene of a seed, of so many things at the most.
pub(crate) fn crowd(seed: u64, most: usize) -> Crowd {
    let mut random = Random(0xc0de_0000 + seed);
    let manner = Manner::ALL[random.below(6)];
    let size = random.between(0.05, 0.3);
    let count = 1 + random.below(most);
    let kinds = Form::kinds_of(seed);
    let only = (random.next() < 0.5).then(|| kinds[random.below(kinds.len())]);
    let side = size * random.between(3.0, 6.0);
    let tilt = random.between(0.1, 0.6);
    let (x, y) = (Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0));
    let floor = wall(UP, 0.0);
    let walls = match manner {
        Manner::Bin => vec![
            floor,
            wall(x, 0.0),
            wall(y, 0.0),
            wall(x.scale(&-1.0), -side),
            wall(y.scale(&-1.0), -side),
        ],
        Manner::Ramp => vec![
            wall(Vec3::new(tilt.sin(), 0.0, tilt.cos()), 0.0),
            wall(Vec3::new(-1.0, 0.0, 0.0), -4.0 * side),
        ],
        Manner::Leaned => vec![floor, wall(x, 0.0)],
        _ => vec![floor],
    };
    let mut things = Vec::new();
    match manner {
        Manner::Bin | Manner::Floor | Manner::Ramp => {
            // On a grid, none of which reach each other.
            let step = 2.1 * size;
            let row = ((side / step) as usize).max(1);
            for n in 0..count {
                let kind = only.unwrap_or(kinds[random.below(kinds.len())]);
                let own = form(&mut random, kind, 0.9 * size);
                let at = Vec3::new((n % row) as f64, (n / row % row) as f64, (n / row / row) as f64);
                let shift = random.vector(0.1 * size);
                let height = if manner == Manner::Ramp { 0.5 } else { 1.1 };
                let position = at.scale(&step) + Vec3::new(0.5, 0.5, height).scale(&step) + shift;
                let orientation = random.rotation();
                let mut made = thing(&mut random, own, position, orientation);
                let speed = (GRAVITY * size).sqrt();
                made.state.velocity = random.vector(0.5 * speed);
                made.state.spin = random.vector(0.5 * speed / size);
                things.push(made);
            }
        }
        Manner::Stack => {
            let (mut height, flat) = (0.0, only != Some("sphere"));
            for n in 0..1 + count / 2 {
                let width = size * random.between(0.9, 1.1);
                let thick = size * random.between(0.3, 0.9);
                let (own, half) = if flat {
                    let extents = Vec3::new(width, width, thick);
                    let radius = 0.05 * thick;
                    (
                        Form::RoundedBox {
                            size: extents,
                            radius,
                        },
                        0.5 * thick,
                    )
                } else {
                    (Form::Sphere { radius: 0.5 * thick }, 0.5 * thick)
                };
                let off = if flat {
                    random.vector(0.1 * size)
                } else {
                    V::zero()
                };
                let drop = size * random.between(0.0, 0.02);
                let position = Vec3::new(off.x, off.y, height + drop + half);
                let angle = if flat { random.between(-0.2, 0.2) } else { 0.0 };
                things.push(thing(&mut random, own, position, turned(UP, angle)));
                height += drop + 2.0 * half;
                if n == 7 {
                    break;
                }
            }
        }
        Manner::Leaned => {
            for n in 0..count.min(5) {
                let length = size * random.between(1.5, 2.5);
                let own = if random.next() < 0.5 {
                    Form::Capsule {
                        radius: 0.1 * size,
                        length,
                    }
                } else {
                    Form::RoundedBox {
                        size: Vec3::new(0.3 * size, 0.5 * size, length),
                        radius: 0.02 * size,
                    }
                };
                // Its top leans to the wall at x = 0.
                let angle = random.between(0.1, 0.6);
                let orientation = turned(y, -angle);
                let reach = |u: &V| own.reach(&orientation.rotate_back(u));
                let gap = size * random.between(0.0, 0.05);
                let position = Vec3::new(reach(&x) + gap, 1.5 * size * n as f64, reach(&UP));
                things.push(thing(&mut random, own, position, orientation));
            }
        }
        Manner::Dominoes => {
            let (height, thick) = (size, 0.2 * size);
            let apart = size * random.between(0.35, 0.7);
            for n in 0..count.max(2) {
                let own = Form::RoundedBox {
                    size: Vec3::new(thick, 0.5 * size, height),
                    radius: 0.05 * thick,
                };
                let position = Vec3::new(apart * n as f64, 0.0, 0.5 * height);
                things.push(thing(&mut random, own, position, turned(UP, 0.0)));
            }
            let own = Form::Sphere { radius: 0.2 * size };
            let position = Vec3::new(-0.5 * size, 0.0, 0.8 * height);
            let mut ball = thing(&mut random, own, position, turned(UP, 0.0));
            ball.state.velocity = Vec3::new(random.between(1.0, 2.0), 0.0, 0.5);
            things.push(ball);
        }
    }
    let some = |random: &mut Random, none: f64, most: f64| {
        if random.next() < none {
            0.0
        } else {
            random.between(0.0, most)
        }
    };
    let mut restitution = some(&mut random, 0.2, 0.9);
    if random.next() < 0.05 {
        restitution = 1.0;
    }
    let friction = some(&mut random, 0.1, 1.0);
    Crowd {
        scene: Scene {
            seed,
            things,
            walls,
            gravity: UP.scale(&-GRAVITY),
            friction,
            restitution,
            tangential_restitution: 0.0,
        },
        manner,
        size,
        until: 5.0,
    }
}

/// The distance of the nearest points of two segments.
fn between_segments((p, u): (V, V), (q, v): (V, V)) -> f64 {
    // Middle points and half directions: |p + s u − q − t v| least over s, t in [−1, 1], a convex function: by turns, each exactly.
    let d = p - q;
    let (uu, uv, vv) = (u.dot(&u), u.dot(&v), v.dot(&v));
    let mut best = f64::MAX;
    let at = |s: f64, t: f64| (d + u.scale(&s) - v.scale(&t)).norm();
    let best_t = |s: f64| {
        if vv > 0.0 {
            ((d.dot(&v) + s * uv) / vv).clamp(-1.0, 1.0)
        } else {
            0.0
        }
    };
    let best_s = |t: f64| {
        if uu > 0.0 {
            ((t * uv - d.dot(&u)) / uu).clamp(-1.0, 1.0)
        } else {
            0.0
        }
    };
    // Ends of either, and the crossing of the lines.
    for end in [-1.0, 1.0] {
        best = best.min(at(end, best_t(end))).min(at(best_s(end), end));
    }
    let determinant = uu * vv - uv * uv;
    if determinant > 0.0 {
        let (a, b) = (-d.dot(&u), d.dot(&v));
        let (s, t) = ((a * vv + b * uv) / determinant, (b * uu + a * uv) / determinant);
        if s.abs() <= 1.0 && t.abs() <= 1.0 {
            best = best.min(at(s, t));
        }
    }
    best
}

/// The segment and the radius of a ball or capsule.
fn core(thing: &Thing, state: &State) -> Option<((V, V), f64)> {
    match thing.form {
        Form::Sphere { radius } => Some(((state.position, V::zero()), radius)),
        Form::Capsule { radius, length } => {
            let half = state.orientation.rotate(&UP).scale(&(0.5 * length));
            Some(((state.position, half), radius))
        }
        _ => None,
    }
}

impl Crowd {
    /// A run of it as some text, and its effort.
    pub(crate) fn run(&self, text: &str, contacts: Contacts) -> (Trace, usize) {
        let told = Arc::new(AtomicUsize::new(0));
        let counted = told.clone();
        let watch = Watch::new(move |_| {
            if counted.fetch_add(1, Ordering::Relaxed) < MOST_TOLD {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        let run = RunOptions {
            watch: Some(watch),
            contacts,
            sample_every: Some(self.until / 200.0),
            ..options(self.until)
        };
        let trace = simulate(&model(text), &run).unwrap_or_else(|error| panic!("{error}\n{text}"));
        (trace, told.load(Ordering::Relaxed))
    }

    pub(crate) fn states(&self, trace: &Trace, sample: &dyverse_trace::Sample) -> Vec<State> {
        states(trace, "b", self.scene.things.len(), sample)
    }

    pub(crate) fn kinetic(&self, all: &[State]) -> f64 {
        let of = |(thing, s): (&Thing, &State)| {
            let own = s.orientation.rotate_back(&s.spin);
            let i = &thing.inertia;
            0.5 * thing.mass * s.velocity.norm_squared()
                + 0.5 * (i.x * own.x * own.x + i.y * own.y * own.y + i.z * own.z * own.z)
        };
        self.scene.things.iter().zip(all).map(of).sum()
    }

    pub(crate) fn energy(&self, all: &[State]) -> f64 {
        let lifted = self.scene.things.iter().zip(all);
        self.kinetic(all)
            - lifted
                .map(|(t, s)| t.mass * self.scene.gravity.dot(&s.position))
                .sum::<f64>()
    }

    /// The least gap, m: to walls, and between balls and capsules, by closed forms.
    pub(crate) fn gap(&self, all: &[State]) -> f64 {
        let mut least = f64::MAX;
        for (thing, s) in self.scene.things.iter().zip(all) {
            for wall in &self.scene.walls {
                let down = s.orientation.rotate_back(&-wall.normal);
                let reach = thing.form.reach(&down);
                least = least.min(wall.normal.dot(&s.position) - reach - wall.offset);
            }
        }
        let cores: Vec<_> = self
            .scene
            .things
            .iter()
            .zip(all)
            .filter_map(|(t, s)| core(t, s))
            .collect();
        for (n, (a, first)) in cores.iter().enumerate() {
            for (b, second) in &cores[..n] {
                least = least.min(between_segments(*a, *b) - first - second);
            }
        }
        least
    }

    /// What a run breaks of what is true of all of them, as far as it went.
    pub(crate) fn broken(&self, trace: &Trace) -> Option<String> {
        let all: Vec<Vec<State>> = trace.samples.iter().map(|s| self.states(trace, s)).collect();
        let first = all.first()?;
        let weight: f64 = self.scene.things.iter().map(|t| t.mass * GRAVITY).sum();
        let unit = self.kinetic(first) + weight * self.size;
        let mut least = f64::MAX;
        for (sample, state) in trace.samples.iter().zip(&all) {
            let (energy, gap) = (self.energy(state), self.gap(state));
            if !energy.is_finite() {
                return Some(format!("no number at {}", sample.time));
            }
            if energy > least + ENERGY * unit + 1e-12 * energy.abs() {
                let more = (energy - least) / unit;
                return Some(format!("energy grows by {more:e} of it before {}", sample.time));
            }
            least = least.min(energy);
            if gap < -DEPTH * self.size {
                return Some(format!(
                    "{:e} of its size deep at {}",
                    -gap / self.size,
                    sample.time
                ));
            }
        }
        None
    }
}

/// What energy may grow by, as a part of that of a fall by the size of a thing, and how deep things may lie in each other, as a part of the size of the largest.
const ENERGY: f64 = 1e-4;
const DEPTH: f64 = 1e-6;
