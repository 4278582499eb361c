//! The scenes on Rapier, and its settings.
//!
//! For the scenes with a reference they are chosen for accuracy, not speed. Restitution and friction are combined by `Max` of equal coefficients, so that they are those of the scene.
//! Nothing sleeps, nothing is damped, continuous collision detection is on, friction is Coulomb's on a disc, contacts are found anew in each
//! step. Varied: the number of substeps (`num_solver_iterations`) and, where contacts last, whether their softness is the default or as stiff
//! as it can be; for single impacts it makes no difference at the steps that matter.

use crate::prepared::{BoxStart, Prepared, Triple};
use crate::run::{Run, errors_of_break, timed};
use crate::sweep::sweep;
use rapier3d_f64::na::Unit;
use rapier3d_f64::prelude::*;
use std::collections::BTreeMap;

/// Substeps tried; 4 is the default.
const SUBSTEPS: [usize; 3] = [1, 4, 16];

/// How exactly to compute.
#[derive(Clone, Copy)]
enum Care {
    /// As Rapier comes.
    Default,
    /// As accurate as is known.
    Accurate { substeps: usize, rigid: bool },
}

#[derive(Clone, Copy)]
struct Settings {
    step: f64,
    care: Care,
}

impl Settings {
    fn text(self) -> String {
        match self.care {
            Care::Default => "default".into(),
            Care::Accurate { substeps, rigid } => {
                let softness = if rigid { "rigid" } else { "default" };
                format!("{substeps} substeps, {softness} softness")
            }
        }
    }
    fn is_accurate(self) -> bool {
        matches!(self.care, Care::Accurate { .. })
    }
}

type Scene = fn(&Prepared, Settings) -> Run;

/// Bouncing ball, slide to roll and break.
pub(crate) fn scenes(prepared: &Prepared) -> Vec<Run> {
    let mut runs = Vec::new();
    let (soft, both) = ([false].as_slice(), [false, true].as_slice());
    let scenes: [(Scene, &[bool]); 3] = [(bounce, soft), (slide, both), (rack, soft)];
    for (scene, softness) in scenes {
        for substeps in SUBSTEPS {
            for rigid in softness.iter().copied() {
                sweep(|step| {
                    let care = Care::Accurate { substeps, rigid };
                    let run = scene(prepared, Settings { step, care });
                    let seconds = run.seconds;
                    runs.push(run);
                    seconds
                });
            }
        }
    }
    runs
}

/// Balls in a box at fixed steps, with Rapier's own settings: here its speed is looked at.
pub(crate) fn boxes(prepared: &Prepared) -> Vec<Run> {
    let mut runs = Vec::new();
    for step in &prepared.scenes.balls.rapier_steps {
        let settings = Settings {
            step: *step,
            care: Care::Default,
        };
        runs.extend(
            prepared
                .boxes
                .iter()
                .map(|start| balls_in_box(prepared, start, settings)),
        );
    }
    runs
}

fn bounce(prepared: &Prepared, settings: Settings) -> Run {
    let (scene, reference) = (&prepared.scenes.bounce, &prepared.bounce);
    let start = || {
        let mut world = world(settings, scene.gravity);
        floor(&mut world, scene.restitution, 0.0);
        let at = [0.0, scene.radius + scene.height, 0.0];
        let ball = ball(
            &mut world,
            settings,
            (scene.radius, scene.mass),
            at,
            [0.0; 3],
            [scene.restitution, 0.0],
        );
        (world, ball)
    };
    let (end, seconds) = timed(|| {
        let (mut world, ball) = start();
        advance(&mut world, settings.step, scene.until);
        (world, ball)
    });
    let (world, ball) = end;
    let height_error = (world.bodies[ball].translation().y - reference.height).abs();
    let velocity_error = (world.bodies[ball].linvel().y - reference.velocity).abs();
    let more = BTreeMap::from([("height_error", height_error), ("velocity_error", velocity_error)]);
    done(
        "bounce",
        settings,
        seconds,
        Some(height_error.max(velocity_error)),
        more,
    )
}

fn slide(prepared: &Prepared, settings: Settings) -> Run {
    let (scene, reference) = (&prepared.scenes.slide, &prepared.slide);
    let ((world, ball), seconds) = timed(|| {
        let mut world = world(settings, scene.gravity);
        floor(&mut world, 0.0, scene.friction);
        let (at, velocity) = ([0.0, scene.radius, 0.0], [scene.speed, 0.0, 0.0]);
        let ball = ball(
            &mut world,
            settings,
            (scene.radius, scene.mass),
            at,
            velocity,
            [0.0, scene.friction],
        );
        advance(&mut world, settings.step, scene.until);
        (world, ball)
    });
    let position_error = (world.bodies[ball].translation().x - reference.position).abs();
    let velocity_error = (world.bodies[ball].linvel().x - reference.velocity).abs();
    let more = BTreeMap::from([
        ("position_error", position_error),
        ("velocity_error", velocity_error),
    ]);
    done(
        "slide",
        settings,
        seconds,
        Some(position_error.max(velocity_error)),
        more,
    )
}

fn rack(prepared: &Prepared, settings: Settings) -> Run {
    let (scene, reference) = (&prepared.scenes.rack, &prepared.rack);
    let ((world, balls), seconds) = timed(|| {
        let mut world = world(settings, 0.0);
        let balls: Vec<_> = (reference.start.iter().enumerate())
            .map(|(number, at)| {
                let velocity = [if number == 0 { scene.speed } else { 0.0 }, 0.0, 0.0];
                ball(
                    &mut world,
                    settings,
                    (scene.radius, scene.mass),
                    *at,
                    velocity,
                    [1.0, 0.0],
                )
            })
            .collect();
        advance(&mut world, settings.step, scene.until);
        (world, balls)
    });
    let positions: Vec<Triple> = balls
        .iter()
        .map(|b| world.bodies[*b].translation().into())
        .collect();
    let velocities: Vec<Triple> = balls.iter().map(|b| world.bodies[*b].linvel().into()).collect();
    let (error, more) = errors_of_break(scene, reference, &positions, &velocities);
    done("break", settings, seconds, Some(error), more)
}

fn balls_in_box(prepared: &Prepared, start: &BoxStart, settings: Settings) -> Run {
    let scene = &prepared.scenes.balls;
    let ((world, balls), seconds) = timed(|| {
        let mut world = world(settings, 0.0);
        for axis in [Vector::X, Vector::Y, Vector::Z] {
            slab(&mut world, axis, start.edge, -0.5);
            slab(&mut world, axis, start.edge, start.edge + 0.5);
        }
        let balls: Vec<_> = (start.positions.iter().zip(&start.velocities))
            .map(|(at, velocity)| {
                ball(
                    &mut world,
                    settings,
                    (scene.radius, scene.mass),
                    *at,
                    *velocity,
                    [1.0, 0.0],
                )
            })
            .collect();
        advance(&mut world, settings.step, scene.until);
        (world, balls)
    });
    let square: f64 = balls
        .iter()
        .map(|b| world.bodies[*b].linvel().length_squared())
        .sum();
    let at_start: f64 = start.velocities.iter().flatten().map(|c| c * c).sum();
    let more = BTreeMap::from([("energy_error", (square / at_start - 1.0).abs())]);
    done(&format!("box {}", balls.len()), settings, seconds, None, more)
}

fn world(settings: Settings, gravity: f64) -> PhysicsWorld {
    let mut world = PhysicsWorld {
        gravity: Vector::Y * -gravity,
        ..PhysicsWorld::default()
    };
    let parameters = &mut world.integration_parameters;
    parameters.dt = settings.step;
    parameters.min_ccd_dt = settings.step / 100.0;
    if let Care::Accurate { substeps, rigid } = settings.care {
        parameters.num_solver_iterations = substeps;
        parameters.friction_model = FrictionModel::Coulomb;
        parameters.contact_recycling = false;
        if rigid {
            let rigid = SpringCoefficients::new(1e6, 1.0);
            parameters.contact_softness = rigid;
            parameters.static_contact_softness = rigid;
        }
    }
    world
}

/// The half-space below height 0, fixed.
fn floor(world: &mut PhysicsWorld, restitution: f64, friction: f64) {
    let body = world.bodies.insert(RigidBodyBuilder::fixed());
    let below = ColliderBuilder::halfspace(Unit::new_unchecked(Vector::Y));
    let collider = material(below, [restitution, friction]);
    world
        .colliders
        .insert_with_parent(collider, body, &mut world.bodies);
}

/// A wall of a box of this edge, 1 m thick, with its middle at a place of an axis. (Half-spaces would be near every ball at all times.)
fn slab(world: &mut PhysicsWorld, axis: Vector, edge: f64, middle: f64) {
    let across = Vector::ONE - axis;
    let at = across * (edge / 2.0) + axis * middle;
    let half = across * (edge / 2.0 + 1.0) + axis * 0.5;
    let body = world.bodies.insert(RigidBodyBuilder::fixed().translation(at));
    let collider = material(ColliderBuilder::cuboid(half.x, half.y, half.z), [1.0, 0.0]);
    world
        .colliders
        .insert_with_parent(collider, body, &mut world.bodies);
}

fn ball(
    world: &mut PhysicsWorld,
    settings: Settings,
    (radius, mass): (f64, f64),
    at: Triple,
    velocity: Triple,
    [restitution, friction]: [f64; 2],
) -> RigidBodyHandle {
    let body = RigidBodyBuilder::dynamic()
        .translation(at.into())
        .linvel(velocity.into())
        .can_sleep(false)
        .ccd_enabled(settings.is_accurate())
        .linear_damping(0.0)
        .angular_damping(0.0);
    let body = world.bodies.insert(body);
    let collider = material(ColliderBuilder::ball(radius).mass(mass), [restitution, friction]);
    world
        .colliders
        .insert_with_parent(collider, body, &mut world.bodies);
    body
}

fn material(collider: ColliderBuilder, [restitution, friction]: [f64; 2]) -> ColliderBuilder {
    collider
        .restitution(restitution)
        .restitution_combine_rule(CoefficientCombineRule::Max)
        .friction(friction)
        .friction_combine_rule(CoefficientCombineRule::Max)
}

fn advance(world: &mut PhysicsWorld, step: f64, until: f64) {
    for _ in 0..(until / step).round() as u64 {
        world.step();
    }
}

fn done(
    scene: &str,
    settings: Settings,
    seconds: f64,
    error: Option<f64>,
    more: BTreeMap<&'static str, f64>,
) -> Run {
    let text = settings.text();
    eprintln!(
        "rapier   {scene:8}  step {:.0e}  {text:32}  {seconds:10.6} s  error {error:?}  {more:?}",
        settings.step
    );
    Run {
        engine: "Rapier",
        scene: scene.into(),
        step: Some(settings.step),
        settings: text,
        seconds,
        error,
        more,
    }
}
