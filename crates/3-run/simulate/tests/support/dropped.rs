//! One thing thrown onto a floor, into a corner of three walls, or onto a ramp: sizes and masses over decades, restitution from 0 to 0.9, friction from 0 to 1, turned and spinning anyhow.
#![allow(dead_code)]

use super::scene::{Form, Random, Scene, State, Thing, V, Wall};
use dyverse_num::Vec3;
use dyverse_trace::{Sample, Trace};

/// Where a thing falls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Place {
    Floor,
    Corner,
    /// With its angle.
    Ramp(f64),
}

/// A thing that falls, with how large it is and how long it is watched.
#[derive(Clone, Debug)]
pub(crate) struct Dropped {
    pub(crate) scene: Scene,
    pub(crate) place: Place,
    /// Its largest extent, m.
    pub(crate) size: f64,
    pub(crate) until: f64,
}

pub(crate) const GRAVITY: f64 = 9.81;

/// 10 to a power between two.
fn decades(random: &mut Random, low: f64, high: f64) -> f64 {
    10f64.powf(random.between(low, high))
}

fn form(random: &mut Random, kind: &str, size: f64) -> Form {
    let part = |random: &mut Random| size * random.between(0.3, 1.0);
    match kind {
        "sphere" => Form::Sphere { radius: 0.5 * size },
        "capsule" => Form::Capsule {
            radius: 0.5 * size * random.between(0.2, 0.6),
            length: part(random),
        },
        "rounded_box" => {
            let extents = Vec3::new(size, part(random), part(random));
            let least = extents.x.min(extents.y).min(extents.z);
            Form::RoundedBox {
                size: extents,
                radius: least * random.between(0.02, 0.3),
            }
        }
        "box" => Form::Box {
            size: Vec3::new(size, part(random), part(random)),
        },
        "convex" => Form::random_hull(random, 0.5 * size),
        _ => Form::Ellipsoid {
            semi_axes: Vec3::new(0.5 * size, 0.5 * part(random), 0.5 * part(random)),
        },
    }
}

/// The moments of inertia of a box of its extents: near enough to its own.
pub(crate) fn inertia(form: &Form, mass: f64) -> V {
    let axis = |x: f64, y: f64, z: f64| 2.0 * form.reach(&Vec3::new(x, y, z));
    let (a, b, c) = (axis(1.0, 0.0, 0.0), axis(0.0, 1.0, 0.0), axis(0.0, 0.0, 1.0));
    Vec3::new(b * b + c * c, a * a + c * c, a * a + b * b).scale(&(mass / 12.0))
}

/// The thing of a seed; of one kind, if it is given.
pub(crate) fn dropped(seed: u64, kind: Option<&str>, place: Option<Place>) -> Dropped {
    let mut random = Random(0x5eed_0000 + seed);
    let size = decades(&mut random, -2.0, 1.0);
    let mass = decades(&mut random, -2.0, 3.0);
    let kinds = Form::kinds_of(seed);
    let kind = kind.unwrap_or(kinds[random.below(kinds.len())]);
    let form = form(&mut random, kind, size);
    let restitution = if random.next() < 0.3 {
        0.0
    } else {
        random.between(0.0, 0.9)
    };
    let friction = if random.next() < 0.15 {
        0.0
    } else {
        random.between(0.05, 1.0)
    };
    let place = place.unwrap_or(match random.below(3) {
        0 => Place::Floor,
        1 => Place::Corner,
        _ => Place::Ramp(random.between(0.05, 0.7)),
    });
    let wall = |x: f64, y: f64, z: f64, offset: f64| Wall {
        normal: Vec3::new(x, y, z),
        offset,
        is_plane: false,
    };
    let walls = match place {
        Place::Floor => vec![wall(0.0, 0.0, 1.0, 0.0)],
        Place::Ramp(angle) => vec![wall(angle.sin(), 0.0, angle.cos(), 0.0)],
        Place::Corner => vec![
            wall(0.0, 0.0, 1.0, 0.0),
            wall(1.0, 0.0, 0.0, -1.5 * size),
            wall(0.0, 1.0, 0.0, -1.5 * size),
        ],
    };
    // How long a fall by its own size takes, and how fast it is then.
    let (time, speed) = ((size / GRAVITY).sqrt(), (size * GRAVITY).sqrt());
    let sideways = if place == Place::Corner {
        Vec3::new(-1.0, -random.between(0.3, 1.0), 0.0)
    } else {
        Vec3::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0), 0.0)
    };
    let state = State {
        position: Vec3::new(0.0, 0.0, size * random.between(1.1, 2.0)),
        orientation: random.rotation(),
        velocity: sideways.scale(&speed),
        spin: random.vector(1.5).scale(&(1.0 / time)),
    };
    let thing = Thing {
        form,
        mass,
        inertia: inertia(&form, mass),
        state,
    };
    let scene = Scene {
        seed,
        things: vec![thing],
        walls,
        gravity: Vec3::new(0.0, 0.0, -GRAVITY),
        friction,
        restitution,
        tangential_restitution: 0.0,
    };
    Dropped {
        scene,
        place,
        size,
        until: time * (10.0 + 8.0 / (1.0 - restitution)),
    }
}

impl Dropped {
    /// How fast a fall by its own size is, m/s.
    pub(crate) fn speed(&self) -> f64 {
        (self.size * GRAVITY).sqrt()
    }

    fn thing(&self) -> &Thing {
        &self.scene.things[0]
    }

    /// Kinetic and potential energy, J.
    pub(crate) fn energy(&self, s: &State) -> f64 {
        let (kinetic, mass) = (self.kinetic(s), self.thing().mass);
        kinetic + mass * GRAVITY * s.position.z
    }

    pub(crate) fn kinetic(&self, s: &State) -> f64 {
        let thing = self.thing();
        let own = s.orientation.rotate_back(&s.spin);
        let i = &thing.inertia;
        0.5 * thing.mass * s.velocity.norm_squared()
            + 0.5 * (i.x * own.x * own.x + i.y * own.y * own.y + i.z * own.z * own.z)
    }

    /// The least gap to a wall, m.
    pub(crate) fn gap(&self, s: &State) -> f64 {
        let form = &self.thing().form;
        let of = |wall: &Wall| {
            let down = s.orientation.rotate_back(&-wall.normal);
            wall.normal.dot(&s.position) - form.reach(&down) - wall.offset
        };
        self.scene.walls.iter().map(of).fold(f64::MAX, f64::min)
    }

    pub(crate) fn state(&self, trace: &Trace, sample: &Sample) -> State {
        super::laws::states(trace, "b", 1, sample)[0]
    }

    /// Whether it lies still in the end: a box on a rough floor, or on a ramp that is not too steep for its friction and its shape.
    pub(crate) fn must_rest(&self) -> bool {
        let friction = self.scene.friction;
        let is_box = matches!(self.thing().form, Form::RoundedBox { .. });
        is_box && self.place == Place::Floor && friction > 0.05
    }

    /// What a run breaks of what is true of all of them, as far as it went.
    pub(crate) fn broken(&self, trace: &Trace) -> Option<String> {
        let all: Vec<State> = trace.samples.iter().map(|s| self.state(trace, s)).collect();
        let first = self.energy(all.first()?);
        let unit = first.abs() + self.thing().mass * GRAVITY * self.size;
        let mut least = first;
        for (sample, state) in trace.samples.iter().zip(&all) {
            let (energy, gap) = (self.energy(state), self.gap(state));
            // On a ramp potential energy goes far below where it began, and is rounded there.
            let unit = unit + energy.abs();
            if energy > least + 1e-9 * unit {
                let more = (energy - least) / unit;
                return Some(format!("energy grows by {more:e} of it before {}", sample.time));
            }
            least = least.min(energy);
            let is_last = sample.time == trace.stop.time;
            if is_last
                && trace.stop.reason.is_complete()
                && self.must_rest()
                && self.kinetic(state) > 1e-12 * unit
            {
                return Some(format!(
                    "it does not rest: {:e} J of {unit:e}",
                    self.kinetic(state)
                ));
            }
            if gap < -1e-9 * self.size {
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
