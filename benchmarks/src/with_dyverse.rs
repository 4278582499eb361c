//! The scenes as `.drbt` text, and their runs on dyverse with its default options.

use crate::prepared::{BoxStart, Prepared, Triple};
use crate::run::{Run, errors_of_break, timed};
use dyverse::time::{Trace, TransitionKind};
use dyverse::{RunOptions, read_text, simulate};
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;

/// Bouncing ball, slide to roll and break.
pub(crate) fn scenes(prepared: &Prepared) -> Result<Vec<Run>, Box<dyn Error>> {
    Ok(vec![bounce(prepared)?, slide(prepared)?, rack(prepared)?])
}

/// Balls in a box, with and without gravity.
pub(crate) fn boxes(prepared: &Prepared) -> Result<Vec<Run>, Box<dyn Error>> {
    let gravity = prepared.scenes.balls.gravity;
    let mut runs = Vec::new();
    for start in &prepared.boxes {
        runs.push(balls_in_box(prepared, start, 0.0)?);
        runs.push(balls_in_box(prepared, start, gravity)?);
    }
    Ok(runs)
}

fn bounce(prepared: &Prepared) -> Result<Run, Box<dyn Error>> {
    let (scene, reference) = (&prepared.scenes.bounce, &prepared.bounce);
    let text = format!(
        "entity ball {{ sphere(radius = {}) mass = {} position = (0, {}, 0) }}
         fixed entity floor {{ half_space(normal = (0, 1, 0), offset = 0) }}
         contact ball, floor {{ restitution = {} }}
         gravity (0, -{}, 0)",
        scene.radius,
        scene.mass,
        scene.radius + scene.height,
        scene.restitution,
        scene.gravity
    );
    let (trace, seconds) = run(&text, scene.until)?;
    let (height, velocity) = (last(&trace, "ball.y")?, last(&trace, "ball.vy")?);
    let (height_error, velocity_error) = (
        (height - reference.height).abs(),
        (velocity - reference.velocity).abs(),
    );
    let impacts = times(&trace, TransitionKind::Impact);
    let late = impacts
        .iter()
        .zip(&reference.bounce_times)
        .map(|(a, b)| (a - b).abs());
    let (whole, _) = run(&text, scene.rest_at)?;
    let rests_from = times(&whole, TransitionKind::Zeno)
        .first()
        .copied()
        .unwrap_or(f64::NAN);
    let more = BTreeMap::from([
        ("height_error", height_error),
        ("velocity_error", velocity_error),
        ("bounces", impacts.len() as f64),
        ("bounces_of_reference", reference.bounce_times.len() as f64),
        ("bounce_time_error", late.fold(0.0, f64::max)),
        ("rest_time_error", (rests_from - reference.rests_from).abs()),
        (
            "rest_height_error",
            (last(&whole, "ball.y")? - scene.radius).abs(),
        ),
    ]);
    Ok(done(
        "bounce",
        seconds,
        Some(height_error.max(velocity_error)),
        more,
    ))
}

fn slide(prepared: &Prepared) -> Result<Run, Box<dyn Error>> {
    let (scene, reference) = (&prepared.scenes.slide, &prepared.slide);
    let text = format!(
        "entity ball {{ sphere(radius = {radius}) mass = {} position = (0, {radius}, 0) velocity = ({}, 0, 0) }}
         fixed entity floor {{ half_space(normal = (0, 1, 0), offset = 0) }}
         contact ball, floor {{ restitution = 0  friction = {} }}
         gravity (0, -{}, 0)",
        scene.mass,
        scene.speed,
        scene.friction,
        scene.gravity,
        radius = scene.radius,
    );
    let (trace, seconds) = run(&text, scene.until)?;
    let position_error = (last(&trace, "ball.x")? - reference.position).abs();
    let velocity_error = (last(&trace, "ball.vx")? - reference.velocity).abs();
    let rolls_from = times(&trace, TransitionKind::Settle)
        .last()
        .copied()
        .unwrap_or(f64::NAN);
    let more = BTreeMap::from([
        ("position_error", position_error),
        ("velocity_error", velocity_error),
        ("roll_time_error", (rolls_from - reference.rolls_from).abs()),
    ]);
    Ok(done(
        "slide",
        seconds,
        Some(position_error.max(velocity_error)),
        more,
    ))
}

fn rack(prepared: &Prepared) -> Result<Run, Box<dyn Error>> {
    let (scene, reference) = (&prepared.scenes.rack, &prepared.rack);
    let mut text = "contact default { restitution = 1  friction = 0 }\n".to_string();
    for (ball, position) in reference.start.iter().enumerate() {
        let speed = if ball == 0 { scene.speed } else { 0.0 };
        text += &sphere(ball, scene.radius, scene.mass, position, &[speed, 0.0, 0.0])?;
    }
    let (trace, seconds) = run(&text, scene.until)?;
    let (positions, velocities) = states(&trace, reference.start.len())?;
    let (error, mut more) = errors_of_break(scene, reference, &positions, &velocities);
    more.insert("impacts", trace.statistics.impacts as f64);
    Ok(done("break", seconds, Some(error), more))
}

fn balls_in_box(prepared: &Prepared, start: &BoxStart, gravity: f64) -> Result<Run, Box<dyn Error>> {
    let scene = &prepared.scenes.balls;
    let mut text = "contact default { restitution = 1  friction = 0 }\n".to_string();
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        let mut normal = [0, 0, 0];
        normal[axis] = 1;
        let [x, y, z] = normal;
        writeln!(
            text,
            "fixed entity low_{name} {{ half_space(normal = ({x}, {y}, {z}), offset = 0) }}"
        )?;
        let edge = start.edge;
        writeln!(
            text,
            "fixed entity high_{name} {{ half_space(normal = (-{x}, -{y}, -{z}), offset = -{edge}) }}"
        )?;
    }
    for (ball, (position, velocity)) in start.positions.iter().zip(&start.velocities).enumerate() {
        text += &sphere(ball, scene.radius, scene.mass, position, velocity)?;
    }
    let what = if gravity == 0.0 { "box" } else { "box with gravity" };
    if gravity != 0.0 {
        writeln!(text, "gravity (0, -{gravity}, 0)")?;
    }
    let (trace, seconds) = run(&text, scene.until)?;
    let (positions, velocities) = states(&trace, start.positions.len())?;
    // Twice the energy of a unit mass, kinetic and potential.
    let energy = |positions: &[Triple], velocities: &[Triple]| -> f64 {
        let kinetic: f64 = velocities.iter().flatten().map(|c| c * c).sum();
        kinetic + 2.0 * gravity * positions.iter().map(|p| p[1]).sum::<f64>()
    };
    let at_start = energy(&start.positions, &start.velocities);
    let statistics = &trace.statistics;
    let more = BTreeMap::from([
        ("impacts", statistics.impacts as f64),
        ("transitions", trace.transitions.len() as f64),
        ("steps", statistics.steps as f64),
        (
            "energy_error",
            (energy(&positions, &velocities) / at_start - 1.0).abs(),
        ),
    ]);
    Ok(done(
        &format!("{what} {}", start.positions.len()),
        seconds,
        None,
        more,
    ))
}

fn sphere(
    ball: usize,
    radius: f64,
    mass: f64,
    at: &Triple,
    velocity: &Triple,
) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    let vector = |[x, y, z]: &Triple| format!("({x}, {y}, {z})");
    writeln!(
        text,
        "entity ball{ball} {{ sphere(radius = {radius}) mass = {mass} position = {} velocity = {} }}",
        vector(at),
        vector(velocity)
    )?;
    Ok(text)
}

/// Runs a model to a time. The text is read once and not timed; a sample is kept at the start and the end, and at jumps of small models.
fn run(text: &str, until: f64) -> Result<(Trace, f64), Box<dyn Error>> {
    let model = read_text("scene.drbt", text)
        .model
        .ok_or("the scene is no model")?;
    let options = RunOptions {
        until: Some(until),
        sample_every: Some(until),
        ..RunOptions::default()
    };
    let (trace, seconds) = timed(|| simulate(&model, &options));
    let trace = trace?;
    if !trace.stop.reason.is_complete() {
        return Err(format!("stopped at t = {}: {}", trace.stop.time.t(), trace.stop.reason).into());
    }
    Ok((trace, seconds))
}

fn last(trace: &Trace, signal: &str) -> Result<f64, String> {
    trace.last(signal).ok_or(format!("no signal {signal}"))
}

fn states(trace: &Trace, balls: usize) -> Result<(Vec<Triple>, Vec<Triple>), String> {
    let triple = |ball: usize, [x, y, z]: [&str; 3]| -> Result<Triple, String> {
        let of = |component| last(trace, &format!("ball{ball}.{component}"));
        Ok([of(x)?, of(y)?, of(z)?])
    };
    let positions = (0..balls)
        .map(|ball| triple(ball, ["x", "y", "z"]))
        .collect::<Result<_, _>>()?;
    let velocities = (0..balls)
        .map(|ball| triple(ball, ["vx", "vy", "vz"]))
        .collect::<Result<_, _>>()?;
    Ok((positions, velocities))
}

fn times(trace: &Trace, kind: TransitionKind) -> Vec<f64> {
    let of_kind = trace.transitions.iter().filter(|t| t.kind == kind);
    of_kind.map(|t| t.time.t()).collect()
}

fn done(scene: &str, seconds: f64, error: Option<f64>, more: BTreeMap<&'static str, f64>) -> Run {
    eprintln!("dyverse  {scene:8}  {seconds:10.6} s  error {error:?}  {more:?}");
    Run {
        engine: "dyverse",
        scene: scene.into(),
        step: None,
        settings: String::new(),
        seconds,
        error,
        more,
    }
}
