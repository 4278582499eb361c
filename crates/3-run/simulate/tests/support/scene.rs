//! Random scenes as data: written as text for the tool, and moved into another frame, by code of the tests' own.
#![allow(dead_code, clippy::unwrap_used)]

use dyverse_num::{Quaternion, Vec3};
use std::fmt::Write;

pub(crate) type V = Vec3<f64>;
pub(crate) type Q = Quaternion<f64>;

/// A small generator (SplitMix64): scenes are the same on every machine.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> f64 {
        (dyverse_num::split_mix(&mut self.0) >> 11) as f64 / (1u64 << 53) as f64
    }
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }
    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.next() * count as f64) as usize
    }
    pub(crate) fn vector(&mut self, size: f64) -> V {
        let mut one = || self.between(-size, size);
        Vec3::new(one(), one(), one())
    }
    /// Evenly on the sphere.
    pub(crate) fn direction(&mut self) -> V {
        loop {
            let v = self.vector(1.0);
            if (0.01..1.0).contains(&v.norm_squared()) {
                return v.normalized();
            }
        }
    }
    /// Evenly among rotations.
    pub(crate) fn rotation(&mut self) -> Q {
        loop {
            let mut one = || self.between(-1.0, 1.0);
            let (w, x, y, z) = (one(), one(), one(), one());
            let q = Quaternion { w, x, y, z };
            if (0.01..1.0).contains(&q.norm_squared()) {
                return q.normalized();
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Form {
    Sphere { radius: f64 },
    Capsule { radius: f64, length: f64 },
    RoundedBox { size: V, radius: f64 },
    Ellipsoid { semi_axes: V },
    Box { size: V },
    Convex { corners: [V; 6] },
}

impl Form {
    pub(crate) const KINDS: [&'static str; 6] =
        ["sphere", "capsule", "rounded_box", "ellipsoid", "box", "convex"];
    /// Those without sharp edges.
    pub(crate) const ROUND: [&'static str; 4] = ["sphere", "capsule", "rounded_box", "ellipsoid"];

    /// The kinds of the scene of a seed where contacts last: those with sharp edges are in one of five.
    pub(crate) fn kinds_of(seed: u64) -> &'static [&'static str] {
        if seed % 5 == 4 { &Self::KINDS } else { &Self::ROUND }
    }

    /// An octahedron or a frustum over a triangle, neither of them regular, that reaches no farther than `size` from the origin and has it inside.
    pub(crate) fn random_hull(random: &mut Random, size: f64) -> Form {
        let mut part = |low: f64, high: f64| size * random.between(low, high);
        if part(0.0, 1.0) < 0.5 * size {
            let [a, b, c] = [0; 3].map(|_| [part(0.4, 1.0), -part(0.4, 1.0)]);
            let corners = [
                Vec3::new(a[0], 0.0, 0.0),
                Vec3::new(a[1], 0.0, 0.0),
                Vec3::new(0.0, b[0], 0.0),
                Vec3::new(0.0, b[1], 0.0),
                Vec3::new(0.0, 0.0, c[0]),
                Vec3::new(0.0, 0.0, c[1]),
            ];
            return Form::Convex { corners };
        }
        let (low, high, ratio) = (-part(0.2, 0.5), part(0.2, 0.5), part(0.4, 0.95) / size);
        let below = [
            Vec3::new(part(0.5, 0.8), 0.0, low),
            Vec3::new(-part(0.3, 0.5), part(0.3, 0.5), low),
            Vec3::new(-part(0.3, 0.5), -part(0.3, 0.5), low),
        ];
        let above = below.map(|c| Vec3::new(ratio * c.x, ratio * c.y, high));
        let corners = [below[0], below[1], below[2], above[0], above[1], above[2]];
        Form::Convex { corners }
    }

    fn random(random: &mut Random, kind: &str) -> Form {
        match kind {
            "sphere" => Form::Sphere {
                radius: random.between(0.2, 0.6),
            },
            "capsule" => Form::Capsule {
                radius: random.between(0.1, 0.3),
                length: random.between(0.3, 0.8),
            },
            "rounded_box" => Form::RoundedBox {
                size: Vec3::new(
                    random.between(0.3, 0.8),
                    random.between(0.3, 0.8),
                    random.between(0.3, 0.8),
                ),
                radius: random.between(0.02, 0.14),
            },
            "box" => Form::Box {
                size: Vec3::new(
                    random.between(0.3, 0.8),
                    random.between(0.3, 0.8),
                    random.between(0.3, 0.8),
                ),
            },
            "convex" => Form::random_hull(random, 0.65),
            _ => Form::Ellipsoid {
                semi_axes: Vec3::new(
                    random.between(0.25, 0.65),
                    random.between(0.25, 0.65),
                    random.between(0.25, 0.65),
                ),
            },
        }
    }
    pub(crate) fn kind(&self) -> &'static str {
        Self::KINDS[match self {
            Form::Sphere { .. } => 0,
            Form::Capsule { .. } => 1,
            Form::RoundedBox { .. } => 2,
            Form::Ellipsoid { .. } => 3,
            Form::Box { .. } => 4,
            Form::Convex { .. } => 5,
        }]
    }
    fn text(&self) -> String {
        match self {
            Form::Sphere { radius } => format!("sphere(radius = {radius})"),
            Form::Capsule { radius, length } => format!("capsule(radius = {radius}, length = {length})"),
            Form::RoundedBox { size, radius } => {
                format!("rounded_box(size = {}, radius = {radius})", vector(size))
            }
            Form::Ellipsoid { semi_axes } => format!("ellipsoid(semi_axes = {})", vector(semi_axes)),
            Form::Box { size } => format!("box(size = {})", vector(size)),
            Form::Convex { corners } => {
                format!("convex(points = ({}))", corners.map(|c| vector(&c)).join(", "))
            }
        }
    }
    /// How far it reaches beyond its centre in a direction of its own frame.
    pub(crate) fn reach(&self, u: &V) -> f64 {
        match self {
            Form::Sphere { radius } => radius * u.norm(),
            Form::Capsule { radius, length } => radius * u.norm() + 0.5 * length * u.z.abs(),
            Form::RoundedBox { size, radius } => {
                let core = size.map(|s| 0.5 * s - radius);
                radius * u.norm() + core.x * u.x.abs() + core.y * u.y.abs() + core.z * u.z.abs()
            }
            Form::Ellipsoid { semi_axes: a } => Vec3::new(a.x * u.x, a.y * u.y, a.z * u.z).norm(),
            Form::Box { size } => 0.5 * (size.x * u.x.abs() + size.y * u.y.abs() + size.z * u.z.abs()),
            Form::Convex { corners } => corners.iter().map(|c| c.dot(u)).fold(f64::NEG_INFINITY, f64::max),
        }
    }
}

/// A free entity.
#[derive(Clone, Debug)]
pub(crate) struct Thing {
    pub(crate) form: Form,
    pub(crate) mass: f64,
    pub(crate) inertia: V,
    pub(crate) state: State,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct State {
    pub(crate) position: V,
    pub(crate) orientation: Q,
    pub(crate) velocity: V,
    pub(crate) spin: V,
}

/// A fixed plane or half-space; everything starts where normal·x > offset.
#[derive(Clone, Debug)]
pub(crate) struct Wall {
    pub(crate) normal: V,
    pub(crate) offset: f64,
    pub(crate) is_plane: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub(crate) seed: u64,
    pub(crate) things: Vec<Thing>,
    pub(crate) walls: Vec<Wall>,
    pub(crate) gravity: V,
    pub(crate) friction: f64,
    pub(crate) restitution: f64,
    pub(crate) tangential_restitution: f64,
}

/// What scenes to make.
#[derive(Clone, Copy)]
pub(crate) struct Recipe<'a> {
    pub(crate) kinds: &'a [&'a str],
    pub(crate) things: (usize, usize),
    pub(crate) walls: usize,
    pub(crate) gravity: f64,
    pub(crate) friction: f64,
    pub(crate) restitution: f64,
}

/// Things thrown at each other without gravity.
pub(crate) const THROWN: Recipe<'_> = Recipe {
    kinds: &Form::KINDS,
    things: (2, 4),
    walls: 0,
    gravity: 0.0,
    friction: 0.0,
    restitution: 1.0,
};

/// One of each kind of random_scenes.rs, one with collisions that follow each other, and one without restitution.
pub(crate) const MIXED: [Recipe<'static>; 5] = [
    THROWN,
    Recipe {
        things: (1, 2),
        walls: 2,
        gravity: 9.81,
        friction: 0.3,
        restitution: 0.6,
        ..THROWN
    },
    Recipe {
        kinds: &["sphere"],
        walls: 2,
        gravity: 9.81,
        friction: 0.4,
        restitution: 0.8,
        ..THROWN
    },
    Recipe {
        kinds: &["sphere"],
        walls: 2,
        gravity: 9.81,
        friction: 0.2,
        restitution: 0.3,
        ..THROWN
    },
    Recipe {
        kinds: &["sphere", "capsule"],
        walls: 1,
        gravity: 9.81,
        friction: 0.5,
        restitution: 0.0,
        ..THROWN
    },
];

/// A model of one of the kinds of [`MIXED`].
pub(crate) fn mixed(kind: usize, seed: u64) -> String {
    let scene = Scene::random(100_000 * kind as u64 + seed, &MIXED[kind]);
    let impacts = if kind == 3 {
        "\nimpacts sequential first\n"
    } else {
        ""
    };
    scene.text() + impacts
}

impl Scene {
    /// Things on a grid, none of which reach farther than 0.7 from their centres, thrown towards the middle.
    pub(crate) fn random(seed: u64, recipe: &Recipe<'_>) -> Scene {
        let mut random = Random(seed);
        let (least, most) = recipe.things;
        let count = least + random.below(most - least + 1);
        let things: Vec<Thing> = (0..count)
            .map(|i| {
                let kind = recipe.kinds[random.below(recipe.kinds.len())];
                let mass = random.between(0.3, 3.0);
                let position = Vec3::new((i % 2) as f64, (i / 2 % 2) as f64, (i / 4) as f64).scale(&1.6)
                    + random.vector(0.04);
                let middle = Vec3::new(0.8, 0.8, if most > 4 { 0.8 } else { 0.0 });
                let velocity = (middle - position).scale(&random.between(0.8, 2.5)) + random.vector(0.3);
                Thing {
                    form: Form::random(&mut random, kind),
                    mass,
                    // The sum of two is above the third.
                    inertia: Vec3::new(
                        random.between(0.03, 0.05),
                        random.between(0.03, 0.05),
                        random.between(0.03, 0.05),
                    )
                    .scale(&mass),
                    state: State {
                        position,
                        orientation: random.rotation(),
                        velocity,
                        spin: random.vector(3.0),
                    },
                }
            })
            .collect();
        let walls = (0..recipe.walls)
            .map(|_| {
                let normal = random.direction();
                let lowest = things
                    .iter()
                    .map(|t| normal.dot(&t.state.position))
                    .fold(f64::MAX, f64::min);
                Wall {
                    normal,
                    offset: lowest - random.between(0.72, 0.9),
                    is_plane: random.next() < 0.5,
                }
            })
            .collect::<Vec<_>>();
        // Mostly into the first wall.
        let down = match walls.first() {
            Some(wall) => (random.vector(0.5) - wall.normal).normalized(),
            None => random.direction(),
        };
        Scene {
            seed,
            things,
            walls,
            gravity: down.scale(&recipe.gravity),
            friction: recipe.friction,
            restitution: recipe.restitution,
            tangential_restitution: 0.0,
        }
    }

    /// The scene as a model; entities in a given order, with names of a given beginning.
    pub(crate) fn text_as(&self, names: &str, order: &[usize]) -> String {
        let mut text = format!(
            "# seed {}\ncontact default {{ restitution = {} tangential_restitution = {} friction = {} }}\ngravity {}\n",
            self.seed,
            self.restitution,
            self.tangential_restitution,
            self.friction,
            vector(&self.gravity)
        );
        for number in order {
            match number.checked_sub(self.things.len()) {
                None => write_thing(&mut text, &format!("{names}{number}"), &self.things[*number]),
                Some(wall) => write_wall(&mut text, &format!("{names}wall{wall}"), &self.walls[wall]),
            }
        }
        text
    }

    pub(crate) fn text(&self) -> String {
        let all: Vec<usize> = (0..self.things.len() + self.walls.len()).collect();
        self.text_as("b", &all)
    }

    /// The same scene in another frame: rotated, then shifted, then seen by somebody who moves.
    pub(crate) fn moved(&self, rotation: &Q, shift: &V, boost: &V) -> Scene {
        let mut scene = self.clone();
        for thing in &mut scene.things {
            thing.state = thing.state.moved(rotation, shift, boost, 0.0);
        }
        for wall in &mut scene.walls {
            wall.normal = rotation.rotate(&wall.normal);
            wall.offset += wall.normal.dot(shift);
        }
        scene.gravity = rotation.rotate(&scene.gravity);
        scene
    }
}

impl State {
    pub(crate) fn moved(&self, rotation: &Q, shift: &V, boost: &V, t: f64) -> State {
        State {
            position: rotation.rotate(&self.position) + *shift + boost.scale(&t),
            orientation: *rotation * self.orientation,
            velocity: rotation.rotate(&self.velocity) + *boost,
            spin: rotation.rotate(&self.spin),
        }
    }
    /// How far another state is from this one; orientations q and −q are the same.
    pub(crate) fn distance(&self, other: &State) -> f64 {
        let (p, q) = (&self.orientation, &other.orientation);
        let apart = |sign: f64| {
            [
                p.w - sign * q.w,
                p.x - sign * q.x,
                p.y - sign * q.y,
                p.z - sign * q.z,
            ]
            .iter()
            .map(|d| d * d)
            .sum::<f64>()
            .sqrt()
        };
        (self.position - other.position)
            .norm()
            .max((self.velocity - other.velocity).norm())
            .max((self.spin - other.spin).norm())
            .max(apart(1.0).min(apart(-1.0)))
    }
}

fn vector(v: &V) -> String {
    format!("({}, {}, {})", v.x, v.y, v.z)
}

fn write_thing(text: &mut String, name: &str, thing: &Thing) {
    let (s, q) = (&thing.state, &thing.state.orientation);
    writeln!(
        text,
        "entity {name} {{ {} mass = {} inertia = {} position = {} orientation = quaternion({}, {}, {}, {}) velocity = {} angular_velocity = {} }}",
        thing.form.text(),
        thing.mass,
        vector(&thing.inertia),
        vector(&s.position),
        q.w, q.x, q.y, q.z,
        vector(&s.velocity),
        vector(&s.spin)
    )
    .unwrap();
}

/// Half the planes are written with the normal that points away: things are behind them.
fn write_wall(text: &mut String, name: &str, wall: &Wall) {
    let Wall {
        normal,
        offset,
        is_plane,
    } = wall;
    let from_behind = *is_plane && normal.x > 0.0;
    let (normal, offset) = if from_behind {
        (normal.scale(&-1.0), -offset)
    } else {
        (*normal, *offset)
    };
    let shape = if *is_plane { "plane" } else { "half_space" };
    writeln!(
        text,
        "fixed entity {name} {{ {shape}(normal = {}, offset = {offset}) }}",
        vector(&normal)
    )
    .unwrap();
}
