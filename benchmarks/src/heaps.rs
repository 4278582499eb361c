//! Scenes of many lasting contacts on dyverse and Rapier: frames of their runs, which `heaps.py` judges by one code for all engines.
//!
//! Bodies, planes and times are those that `heaps.py` prepared. dyverse runs with its default options, and is stopped after [`MOST_SECONDS`] of processor time; Rapier runs at the step of the scene with its own
//! settings, Coulomb's friction on a disc, and nothing sleeps, so that what is measured as drift is that of its contacts. Moments of inertia are given to both.

use crate::prepared::Triple;
use crate::run::Run;
use cpu_time::ProcessTime;
use dyverse::{RunOptions, Watch, read_text, simulate};
use rapier3d_f64::na::Unit;
use rapier3d_f64::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::ops::ControlFlow;

/// Processor time that a run may take, s.
const MOST_SECONDS: f64 = 120.0;
/// Signals of a body, in the order of a frame's row.
const SIGNALS: [&str; 13] = [
    "x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz",
];

/// A scene, as `heaps.py` prepares it.
#[derive(Deserialize)]
pub(crate) struct Heap {
    name: String,
    gravity: f64,
    friction: f64,
    restitution: f64,
    until: f64,
    rest: f64,
    frame: f64,
    step: f64,
    planes: Vec<(Triple, f64)>,
    bodies: Vec<Body>,
}

#[derive(Deserialize)]
struct Body {
    radius: Option<f64>,
    half: Option<Triple>,
    rounding: Option<f64>,
    mass: f64,
    inertia: Triple,
    position: Triple,
    orientation: [f64; 4],
    velocity: Triple,
    angular_velocity: Triple,
}

/// A time with a row of all bodies.
type Frame = (f64, Vec<Vec<f64>>);

/// A run with its frames.
#[derive(Serialize)]
pub(crate) struct Filmed {
    #[serde(flatten)]
    run: Run,
    /// Why it ended early, if it did.
    stopped: Option<String>,
    frames: Vec<Frame>,
}

impl Heap {
    fn end(&self) -> f64 {
        self.until + self.rest
    }

    fn text(&self) -> Result<String, Box<dyn Error>> {
        let vector = |[x, y, z]: &Triple| format!("({x:?}, {y:?}, {z:?})");
        let mut text = format!(
            "contact default {{ restitution = {:?} friction = {:?} }}\ngravity (0, 0, -{:?})\n",
            self.restitution, self.friction, self.gravity
        );
        for (number, (normal, offset)) in self.planes.iter().enumerate() {
            writeln!(
                text,
                "fixed entity plane{number} {{ half_space(normal = {}, offset = {offset:?}) }}",
                vector(normal)
            )?;
        }
        for (number, body) in self.bodies.iter().enumerate() {
            let shape = match (body.radius, body.half, body.rounding) {
                (Some(radius), ..) => format!("sphere(radius = {radius:?})"),
                (None, Some(half), Some(rounding)) => format!(
                    "rounded_box(size = {}, radius = {rounding:?})",
                    vector(&half.map(|h| 2.0 * h))
                ),
                _ => return Err("a body has no shape".into()),
            };
            let [w, x, y, z] = body.orientation;
            writeln!(
                text,
                "entity b{number} {{ {shape} mass = {:?} inertia = {} position = {} velocity = {} angular_velocity = {} orientation = quaternion({w:?}, {x:?}, {y:?}, {z:?}) }}",
                body.mass,
                vector(&body.inertia),
                vector(&body.position),
                vector(&body.velocity),
                vector(&body.angular_velocity)
            )?;
        }
        Ok(text)
    }
}

/// The scenes on dyverse.
pub(crate) fn with_dyverse(heaps: &[Heap]) -> Result<Vec<Filmed>, Box<dyn Error>> {
    heaps.iter().map(on_dyverse).collect()
}

fn on_dyverse(heap: &Heap) -> Result<Filmed, Box<dyn Error>> {
    let model = read_text("scene.drbt", &heap.text()?)
        .model
        .ok_or("the scene is no model")?;
    let start = ProcessTime::now();
    let watch = Watch::new(move |_| {
        if start.elapsed().as_secs_f64() < MOST_SECONDS {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    let options = RunOptions {
        until: Some(heap.end()),
        sample_every: Some(heap.frame),
        event_limit: usize::MAX,
        watch: Some(watch),
        ..RunOptions::default()
    };
    let trace = simulate(&model, &options)?;
    let seconds = start.elapsed().as_secs_f64();
    let places: Vec<usize> = (0..heap.bodies.len())
        .flat_map(|body| SIGNALS.map(|signal| format!("b{body}.{signal}")))
        .map(|name| trace.signal(&name).map(|id| id.0 as usize).ok_or(name))
        .collect::<Result<_, _>>()?;
    let mut frames: Vec<Frame> = Vec::new();
    for sample in &trace.samples {
        let t = sample.time.t();
        let is_last = trace.samples.last().is_some_and(|last| last.time == sample.time);
        let off = (t / heap.frame).round() * heap.frame - t;
        if !is_last && (t > heap.until * (1.0 + 1e-9) || off.abs() > 1e-9) {
            continue;
        }
        let rows = places.chunks(SIGNALS.len());
        let rows = rows.map(|row| row.iter().map(|place| sample.values[*place]).collect());
        if frames.last().is_some_and(|(last, _)| *last == t) {
            frames.pop();
        }
        frames.push((t, rows.collect()));
    }
    let reason = &trace.stop.reason;
    let stopped =
        (!reason.is_complete()).then(|| format!("at {:.4} s: {reason}", trace.stop.time.t()));
    let phases = &trace.stepping;
    let more = BTreeMap::from([
        ("impacts", trace.statistics.impacts as f64),
        ("transitions", trace.transitions.len() as f64),
        ("phases_of_steps", phases.len() as f64),
        ("balance_error", trace.balance.error().abs()),
    ]);
    Ok(filmed("dyverse", heap, None, seconds, more, stopped, frames))
}

/// The scenes on Rapier.
pub(crate) fn with_rapier(heaps: &[Heap]) -> Vec<Filmed> {
    heaps.iter().map(on_rapier).collect()
}

fn on_rapier(heap: &Heap) -> Filmed {
    let start = ProcessTime::now();
    let mut world = PhysicsWorld {
        gravity: Vector::Z * -heap.gravity,
        ..PhysicsWorld::default()
    };
    world.integration_parameters.dt = heap.step;
    world.integration_parameters.friction_model = FrictionModel::Coulomb;
    let material = |collider: ColliderBuilder| {
        collider
            .restitution(heap.restitution)
            .restitution_combine_rule(CoefficientCombineRule::Max)
            .friction(heap.friction)
            .friction_combine_rule(CoefficientCombineRule::Max)
    };
    for (normal, offset) in &heap.planes {
        let normal: Vector = (*normal).into();
        let body = world
            .bodies
            .insert(RigidBodyBuilder::fixed().translation(normal * *offset));
        let below = ColliderBuilder::halfspace(Unit::new_unchecked(normal));
        world
            .colliders
            .insert_with_parent(material(below), body, &mut world.bodies);
    }
    let mut handles = Vec::new();
    for own in &heap.bodies {
        let [w, x, y, z] = own.orientation;
        let properties = MassProperties::new(Vector::ZERO, own.mass, own.inertia.into());
        let body = RigidBodyBuilder::dynamic()
            .pose(Pose::from_parts(own.position.into(), Rotation::from_xyzw(x, y, z, w)))
            .linvel(own.velocity.into())
            .angvel(own.angular_velocity.into())
            .can_sleep(false)
            .linear_damping(0.0)
            .angular_damping(0.0);
        let body = world.bodies.insert(body);
        let shape = match own.radius {
            Some(radius) => ColliderBuilder::ball(radius),
            None => {
                let (half, rounding) = (own.half.unwrap_or_default(), own.rounding.unwrap_or_default());
                let [a, b, c] = half.map(|h| h - rounding);
                ColliderBuilder::round_cuboid(a, b, c, rounding)
            }
        };
        world
            .colliders
            .insert_with_parent(material(shape).mass_properties(properties), body, &mut world.bodies);
        handles.push(body);
    }
    let frame = |world: &PhysicsWorld, t: f64| {
        let row = |body: &RigidBodyHandle| {
            let own = &world.bodies[*body];
            let (at, q) = (own.translation(), own.rotation());
            let (v, w) = (own.linvel(), own.angvel());
            vec![at.x, at.y, at.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z]
        };
        (t, handles.iter().map(row).collect())
    };
    let mut frames = vec![frame(&world, 0.0)];
    let every = (heap.frame / heap.step).round() as u64;
    let (course, all) = [heap.until, heap.end()].map(|t| (t / heap.step).round() as u64).into();
    let mut stopped = None;
    for step in 1..=all {
        world.step();
        let t = step as f64 * heap.step;
        if step <= course && step % every == 0 || step == all {
            frames.push(frame(&world, t));
        }
        if start.elapsed().as_secs_f64() > MOST_SECONDS {
            stopped = Some(format!("at {t:.4} s: {MOST_SECONDS} s of processor time"));
            frames.push(frame(&world, t));
            break;
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    filmed("Rapier", heap, Some(heap.step), seconds, BTreeMap::new(), stopped, frames)
}

fn filmed(
    engine: &'static str,
    heap: &Heap,
    step: Option<f64>,
    seconds: f64,
    more: BTreeMap<&'static str, f64>,
    stopped: Option<String>,
    frames: Vec<Frame>,
) -> Filmed {
    eprintln!("{engine:8} {:20} {seconds:10.3} s  {stopped:?}  {more:?}", heap.name);
    Filmed {
        run: Run {
            engine,
            scene: heap.name.clone(),
            step,
            settings: String::new(),
            seconds,
            error: None,
            more,
        },
        stopped,
        frames,
    }
}
