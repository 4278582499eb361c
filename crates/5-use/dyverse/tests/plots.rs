//! The plots of docs/CONSTRUCTIVE.md: every model of paper 004 run and drawn.
//!
//! Whoever changes what a run shows gets a plot that differs: `cargo xtask plots` writes it; read the difference.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use dyverse::diag::{RenderOptions, render_all};
use dyverse::export::{PlotAxis, PlotOptions, trace_plot};
use dyverse::{Loaded, Loader, TickOptions, read_actors, simulate_actors};
use std::fs;
use std::path::{Path, PathBuf};

/// A plot: its file, its model, its title, its panels, what is shown, and a parameter other than the model's.
struct Figure {
    file: &'static str,
    model: &'static str,
    title: &'static str,
    panels: &'static [&'static [&'static str]],
    axis: PlotAxis,
    set: Option<(&'static str, f64)>,
    sample_every: Option<f64>,
}

impl Figure {
    const fn new(
        file: &'static str,
        model: &'static str,
        title: &'static str,
        panels: &'static [&'static [&'static str]],
    ) -> Self {
        Self {
            file,
            model,
            title,
            panels,
            axis: PlotAxis::Whole,
            set: None,
            sample_every: None,
        }
    }

    const fn microsteps(mut self, t: f64, most: usize) -> Self {
        self.axis = PlotAxis::Microsteps { t, most };
        self
    }

    const fn span(mut self, from: f64, to: f64, sample_every: f64) -> Self {
        self.axis = PlotAxis::Span { from, to };
        self.sample_every = Some(sample_every);
        self
    }

    const fn set(mut self, name: &'static str, value: f64) -> Self {
        self.set = Some((name, value));
        self
    }
}

const BALLS_X: &[&str] = &["left.x", "middle.x", "right.x"];
const BALLS_V: &[&str] = &["left.v", "middle.v", "right.v"];

const FIGURES: &[Figure] = &[
    Figure::new(
        "figure_01_counting",
        "counting_for_ever",
        "Figure 1: no final value at t = 0",
        &[&["h.y", "f.y", "g.y"]],
    )
    .microsteps(0.0, 13),
    Figure::new(
        "figure_03_growth",
        "growth",
        "Figures 2, 3: y' = 1 + y",
        &[&["y", "x"]],
    ),
    Figure::new(
        "figure_07_two_balls",
        "two_balls",
        "Figure 7: two balls",
        &[&["left.x", "right.x"], &["left.v", "right.v"]],
    ),
    Figure::new(
        "figure_09a_missed",
        "three_balls_missed",
        "Figure 9a: the second collision is missed",
        &[BALLS_X, BALLS_V],
    ),
    Figure::new(
        "figure_09b_cradle",
        "newtons_cradle",
        "Figure 9b: Newton's cradle",
        &[BALLS_X, BALLS_V],
    ),
    Figure::new(
        "figure_09b_microsteps",
        "newtons_cradle",
        "Figure 9b: the instant t = 4 taken apart",
        &[BALLS_V],
    )
    .microsteps(4.0, 20),
    Figure::new(
        "figure_12a_added",
        "simultaneous_collisions_added",
        "Figure 12a: impulses added",
        &[BALLS_X, BALLS_V, &["energy"]],
    ),
    Figure::new(
        "figure_12b_one_by_one",
        "simultaneous_collisions_one_by_one",
        "Figure 12b: one collision after the other",
        &[BALLS_X, BALLS_V, &["energy"]],
    ),
    Figure::new(
        "figure_12b_microsteps",
        "simultaneous_collisions_one_by_one",
        "Figure 12b: the instant t = 4 taken apart",
        &[BALLS_V],
    )
    .microsteps(4.0, 20),
    Figure::new(
        "figure_14a_left_first",
        "unequal_balls_left_first",
        "Figure 14a: 0.2, 1 and 5 kg, the left collision first",
        &[BALLS_X, BALLS_V],
    ),
    Figure::new(
        "figure_14b_right_first",
        "unequal_balls_right_first",
        "Figure 14b: 0.2, 1 and 5 kg, the right collision first",
        &[BALLS_X, BALLS_V],
    ),
    Figure::new(
        "figure_15_collisions",
        "pushing_by_collisions",
        "Figures 15, 16: pushing as collisions",
        &[&["left.x", "right.x"], &["left.v", "right.v"]],
    ),
    Figure::new(
        "figure_16_near",
        "pushing_by_collisions",
        "Figure 16, near: the first collisions",
        &[&["left.v", "right.v"]],
    )
    .span(0.9996, 1.002, 1e-3),
    Figure::new(
        "figure_19_tunnels",
        "bouncing_ball_tunnels",
        "Figures 18 to 21: the ball falls through the surface",
        &[&["ball.x"], &["ball.v"]],
    ),
    Figure::new(
        "figure_21_near",
        "bouncing_ball_tunnels",
        "Figure 21, near: the last bounces",
        &[&["ball.x"]],
    )
    .span(12.8, 12.845, 2e-4),
    Figure::new(
        "figure_24_rests",
        "bouncing_ball_rests",
        "Figures 23, 24: the ball comes to rest",
        &[&["machine.x"], &["machine.v"]],
    ),
    Figure::new(
        "figure_25_transition",
        "bouncing_ball_by_transition",
        "Figure 25: bounces as transitions",
        &[&["machine.x"], &["machine.v"]],
    ),
    Figure::new(
        "figure_26_modes",
        "pushing_by_modes",
        "Figure 26: pushing as a mode",
        &[&["pair.x1", "pair.x2"], &["pair.v1", "pair.v2"]],
    ),
    Figure::new(
        "figure_29_friction",
        "friction",
        "Figures 28 to 30: stick and slip",
        &[&["masses.v1", "masses.v2"]],
    ),
    Figure::new(
        "friction_reaction",
        "friction_reaction",
        "Stick and slip with the reaction",
        &[&["masses.v1", "masses.v2"]],
    ),
    Figure::new(
        "figure_31_stops",
        "oblique_fall",
        "Figure 31: vx = 1, the mass stops",
        &[&["mass.x", "mass.y"], &["mass.vx", "mass.vy"]],
    ),
    Figure::new(
        "figure_31_slides",
        "oblique_fall",
        "Figure 31: vx = 5, the mass slides",
        &[&["mass.x", "mass.y"], &["mass.vx", "mass.vy"]],
    )
    .set("vx0", 5.0),
    Figure::new(
        "figure_34_oscillator",
        "diode_oscillator",
        "Figures 32 to 34: inductor, capacitor, diode",
        &[&["circuit.i", "circuit.v"], &["circuit.u", "circuit.w"]],
    ),
    Figure::new(
        "figure_36_flyback",
        "flyback_diode",
        "Figures 35 to 38: flyback diode",
        &[&["load.i", "source.j"], &["load.v", "source.w"]],
    ),
    Figure::new(
        "figure_36_microsteps",
        "flyback_diode",
        "Figures 35 to 38: the instant t = 3 taken apart",
        &[&["load.i", "source.j"], &["load.v", "source.w"]],
    )
    .microsteps(3.0, 20),
    Figure::new(
        "figure_41_capacitors",
        "capacitors",
        "Figure 41: two capacitors",
        &[&["u", "v"], &["charge", "energy"]],
    ),
    Figure::new(
        "section_54_chatter",
        "stacked_masses_chatter",
        "Section 5.4: no final value at t = 1",
        &[&["upper.v", "lower.v"]],
    )
    .microsteps(1.0, 17),
];

struct Examples(PathBuf);

impl Loader for Examples {
    fn load(&mut self, _: &str, path: &str) -> Result<Loaded, String> {
        let bytes = fs::read(self.0.join(path)).map_err(|error| format!("{path}: {error}"))?;
        Ok(Loaded::named(path, bytes))
    }
}

/// The repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// Plots are what runs give now. With DYVERSE_BLESS in the environment they are written instead.
#[test]
fn plots_are_up_to_date() {
    let is_check = std::env::var_os("DYVERSE_BLESS").is_none();
    let page = fs::read_to_string(root().join("docs/CONSTRUCTIVE.md")).unwrap();
    let mut wrong = Vec::new();
    for figure in FIGURES {
        let path = root().join("docs/plots").join(format!("{}.svg", figure.file));
        if !page.contains(&format!("plots/{}.svg", figure.file)) {
            wrong.push(format!("docs/CONSTRUCTIVE.md does not show {}", figure.file));
        }
        let result = draw(&root(), figure).and_then(|plot| put(&path, &plot, is_check));
        if let Err(message) = result {
            wrong.push(format!("{}: {message}", figure.file));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The page quotes what the tool says.
#[test]
fn messages_are_up_to_date() {
    let page = fs::read_to_string(root().join("docs/CONSTRUCTIVE.md")).unwrap();
    for model in ["refused_strict_loop", "counting_for_ever", "refused_capacitors"] {
        let message = said(&root(), model).unwrap();
        assert!(
            page.contains(message.trim()),
            "docs/CONSTRUCTIVE.md does not quote {model}: {message}"
        );
    }
}

/// Why a model is refused or stops: findings of the text, an error of the run, or the reason of its end.
fn said(root: &Path, model: &str) -> Result<String, String> {
    let mut examples = Examples(root.join("examples/actors"));
    let main = examples.load("", &format!("{model}.dam"))?;
    let reading = read_actors(main, &mut examples);
    let Some(model) = reading.model else {
        return Ok(render_all(
            &reading.diagnostics,
            &reading.sources,
            RenderOptions::default(),
        ));
    };
    Ok(match simulate_actors(&model, &TickOptions::default()) {
        Ok(trace) => trace.stop.reason.to_string(),
        Err(error) => error.to_string(),
    })
}

fn put(path: &Path, plot: &str, is_check: bool) -> Result<(), String> {
    let is_same = fs::read_to_string(path).is_ok_and(|old| old == plot);
    match (is_same, is_check) {
        (true, _) => Ok(()),
        (false, true) => Err("is out of date: `cargo xtask plots`, and look at it".to_owned()),
        (false, false) => fs::write(path, plot).map_err(|error| error.to_string()),
    }
}

fn draw(root: &Path, figure: &Figure) -> Result<String, String> {
    let mut examples = Examples(root.join("examples/actors"));
    let main = examples.load("", &format!("{}.dam", figure.model))?;
    let model = read_actors(main, &mut examples).model.ok_or("is no model")?;
    let options = TickOptions {
        parameters: figure
            .set
            .iter()
            .map(|(name, value)| ((*name).to_owned(), *value))
            .collect(),
        sample_every: figure.sample_every,
        ..TickOptions::default()
    };
    let trace = simulate_actors(&model, &options).map_err(|error| error.to_string())?;
    let names = |panel: &&[&str]| panel.iter().map(|name| (*name).to_owned()).collect();
    let options = PlotOptions {
        panels: figure.panels.iter().map(names).collect(),
        title: Some(figure.title.to_owned()),
        axis: figure.axis,
        ..PlotOptions::default()
    };
    trace_plot(&trace, &options).map_err(|error| error.to_string())
}
