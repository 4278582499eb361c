//! Random models over a floor, as text: all shapes, several laws and policies, loads. Also for `cargo xtask golden`.
#![allow(clippy::unwrap_used)]

use std::fmt::Write;

/// SplitMix64: the same models on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        (dyverse_num::split_mix(&mut self.0) >> 11) as f64 / (1u64 << 53) as f64
    }
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }
    fn vector(&mut self, size: f64) -> String {
        let mut one = || self.between(-size, size);
        format!("({:.4}, {:.4}, {:.4})", one(), one(), one())
    }
    fn shape(&mut self, kind: &str) -> String {
        let mut size = |low, high| self.between(low, high);
        match kind {
            "sphere" => format!("sphere(radius = {:.3})", size(0.2, 0.4)),
            "capsule" => format!(
                "capsule(radius = {:.3}, length = {:.3})",
                size(0.1, 0.3),
                size(0.3, 0.7)
            ),
            "box" => format!(
                "rounded_box(size = ({:.3}, {:.3}, {:.3}), radius = {:.3})",
                size(0.3, 0.7),
                size(0.3, 0.7),
                size(0.3, 0.7),
                size(0.02, 0.1)
            ),
            // Two balls on an axis: an entity of several surfaces.
            "dumbbell" => {
                let (r, d) = (size(0.1, 0.2), size(0.2, 0.4));
                format!(
                    "sphere(radius = {r:.3}, at = ({d:.3}, 0, 0))  sphere(radius = {r:.3}, at = (-{d:.3}, 0, 0))"
                )
            }
            _ => format!(
                "ellipsoid(semi_axes = ({:.3}, {:.3}, {:.3}))",
                size(0.2, 0.5),
                size(0.2, 0.5),
                size(0.2, 0.5)
            ),
        }
    }
}

/// A model of entities of these kinds over a floor, with an impact policy and further lines; `e` is a parameter.
pub(crate) fn scene(seed: u64, kinds: &[&str], policy: &str, lines: &str) -> String {
    let mut random = Random(seed);
    let mut text = format!("system random_{seed}\nparam g = 9.81\nparam e = 0.5\nparam mu = 0.3\n");
    for (i, kind) in kinds.iter().enumerate() {
        let shape = random.shape(kind);
        let mass = if i % 2 == 0 { "mass = 1.3" } else { "density = 5" };
        let (x, z) = (random.between(-0.2, 0.2), random.between(-0.2, 0.2));
        let (velocity, spin) = (random.vector(1.0), random.vector(3.0));
        let turn = format!(
            "rotation(axis = (0.3, -0.4, 1), angle = {:.3})",
            random.between(-3.0, 3.0)
        );
        writeln!(
            text,
            "entity b{i} {{ {shape}  {mass}  position = ({x:.4}, {:.2}, {z:.4})  velocity = {velocity}  angular_velocity = {spin}  orientation = {turn} }}",
            0.8 + 1.1 * i as f64
        )
        .unwrap();
    }
    text + "fixed entity floor { plane(normal = (0, 1, 0), offset = 0) }\ngravity (0, -g, 0)\n"
        + lines
        + "\nimpacts "
        + policy
        + "\nhorizon 0.7\n"
}

pub(crate) const PLAIN: &str = "contact default { restitution = e  friction = mu }";

/// Friction over the slip speed, tangential restitution, loads over time and states; of two entities or more.
pub(crate) const LOADED: &str = "contact default { restitution = e  friction = mu * (1 + exp(-5 * slip_speed)) / 2  tangential_restitution = 0.3 }
damper b0, (0, 0, 0) { coefficient = 0.3 }
force on b0 = (0.5 * exp(-9 * time^2) - 0.2 * sin(3 * time), 0, 0.1 * tanh(x) * vz)
moment on b1 = (0, 0.1 * tanh(wy), time^2 / 50)";
