//! A tiny executor of formulas, and the simulator to compare it with: fixed steps of RK4, events by bisection. It shares no code with `dyverse-tick`.
#![allow(dead_code, unreachable_pub)]

use dyverse_actors::Graph;
use dyverse_diag::{RenderOptions, render_all};
use dyverse_expr::{NodeId, Pool, Program};
use dyverse_formulas::{ActorFormulas, ActorLocation, Condition, Constraint, Relation};
use dyverse_lang::{Loaded, Loader, Reading, read_actors};
use dyverse_tick::{TickOptions, simulate};
use dyverse_trace::{StopReason, Trace, TransitionKind};
use std::path::PathBuf;

pub fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../examples/actors")
}

struct Examples;

impl Loader for Examples {
    fn load(&mut self, _: &str, path: &str) -> Result<Loaded, String> {
        let bytes = std::fs::read(folder().join(path)).map_err(|error| error.to_string())?;
        Ok(Loaded::named(path, bytes))
    }
}

fn graph_of(reading: Reading<dyverse_lang::ActorModel>) -> Option<Graph> {
    let shown = render_all(&reading.diagnostics, &reading.sources, RenderOptions::default());
    if reading.model.is_none() {
        println!("{shown}");
    }
    reading.model.map(|model| model.graph)
}

pub fn try_example(name: &str) -> Option<Graph> {
    let main = Examples.load("", &format!("{name}.dam")).unwrap();
    graph_of(read_actors(main, &mut Examples))
}

pub fn example(name: &str) -> Graph {
    try_example(name).unwrap()
}

pub fn text(text: &str) -> Graph {
    let main = Loaded::named("test.dam", text);
    graph_of(read_actors(main, &mut Examples)).unwrap()
}

/// The value of a formula; a truth value is 1 or 0.
pub fn value(pool: &Pool, node: NodeId, x: &[f64]) -> f64 {
    let tape = Program::new(pool, &[node]);
    let mut work = Vec::new();
    tape.run(|symbol| x[symbol.0 as usize], &mut work);
    tape.result(&work, 0)
}

pub fn holds(pool: &Pool, condition: &Condition, x: &[f64]) -> bool {
    match condition {
        Condition::Constant(value) => *value,
        Condition::And(parts) => parts.iter().all(|c| holds(pool, c, x)),
        Condition::Or(parts) => parts.iter().any(|c| holds(pool, c, x)),
        Condition::Atom(Constraint { node, relation }) => {
            let d = value(pool, *node, x);
            match relation {
                Relation::Greater => d > 0.0,
                Relation::GreaterEqual => d >= 0.0,
                Relation::Less => d < 0.0,
                Relation::LessEqual => d <= 0.0,
                Relation::Equal => d == 0.0,
                Relation::NotEqual => d != 0.0,
            }
        }
    }
}

/// Where an execution is. `x` has states, time and unknowns.
pub struct Execution {
    pub formulas: ActorFormulas,
    pub location: ActorLocation,
    pub x: Vec<f64>,
    /// Times and labels.
    pub events: Vec<(f64, String)>,
}

impl Execution {
    /// At the start, with values for the unknowns.
    pub fn new(graph: &Graph, choices: &[(String, f64, f64)], unknowns: &[f64]) -> Self {
        let mut formulas = ActorFormulas::new(graph, choices).unwrap();
        let (location, start) = formulas.start().unwrap();
        let states = start.len();
        let mut x = vec![f64::NAN; states];
        x.extend(unknowns);
        for (place, node) in start.iter().enumerate() {
            let known = value(formulas.pool(), *node, &x);
            x[place] = known;
        }
        Execution {
            formulas,
            location,
            x,
            events: Vec::new(),
        }
    }

    fn step(&self, rates: &Program, h: f64) -> Vec<f64> {
        let count = self.formulas.variables().state_count() + 1;
        let mut work = Vec::new();
        let mut slope = |x: &[f64]| -> Vec<f64> {
            rates.run(|symbol| x[symbol.0 as usize], &mut work);
            (0..count).map(|i| rates.result(&work, i)).collect()
        };
        let moved = |k: &[f64], h: f64| {
            let mut x = self.x.clone();
            x.iter_mut().zip(k).for_each(|(x, k)| *x += h * k);
            x
        };
        let k1 = slope(&self.x);
        let k2 = slope(&moved(&k1, h / 2.0));
        let k3 = slope(&moved(&k2, h / 2.0));
        let k4 = slope(&moved(&k3, h));
        let mean: Vec<f64> = (0..count)
            .map(|i| (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]) / 6.0)
            .collect();
        moved(&mean, h)
    }

    fn time(&self) -> f64 {
        self.x[self.formulas.variables().state_count()]
    }

    /// Runs until a time with steps of this length.
    pub fn run(&mut self, until: f64, h: f64) {
        loop {
            let events = self.formulas.events(&self.location).unwrap();
            let is_any =
                |e: &Execution, x: &[f64]| events.iter().any(|k| holds(e.formulas.pool(), &k.when, x));
            if is_any(self, &self.x) {
                self.jump();
                assert!(self.events.len() < 1000, "{:?}", self.events);
                continue;
            }
            let flow = self.formulas.flow(&self.location).unwrap();
            let rates = Program::new(self.formulas.pool(), &flow.rates);
            loop {
                let left = until - self.time();
                if left <= 1e-12 {
                    return;
                }
                let whole = self.step(&rates, h.min(left));
                if !is_any(self, &whole) {
                    self.x = whole;
                    continue;
                }
                let (mut low, mut high) = (0.0, h.min(left));
                for _ in 0..60 {
                    let middle = 0.5 * (low + high);
                    if is_any(self, &self.step(&rates, middle)) {
                        high = middle;
                    } else {
                        low = middle;
                    }
                }
                // What becomes true at the same moment up to rounding is true here.
                self.x = self.step(&rates, high + 1e-11);
                break;
            }
        }
    }

    /// All events that hold are taken, one of each modal model.
    fn jump(&mut self) {
        let events = self.formulas.events(&self.location).unwrap();
        let modals = self.formulas.modals(&self.location).unwrap();
        let mut taken: Vec<usize> = Vec::new();
        for (place, event) in events.iter().enumerate() {
            if holds(self.formulas.pool(), &event.when, &self.x) {
                assert!(taken.iter().all(|t| modals[*t] != modals[place]), "ambiguous");
                taken.push(place);
            }
        }
        let jumps = match taken.as_slice() {
            [one] => self.formulas.jumps(&self.location, *one).unwrap(),
            several => self.formulas.jumps_together(&self.location, several).unwrap(),
        };
        let mut fitting = jumps
            .iter()
            .filter(|j| holds(self.formulas.pool(), &j.when, &self.x));
        let jump = fitting.next().unwrap();
        assert!(fitting.next().is_none(), "two ways to go on");
        let time = self.time();
        for label in jump.label.split(", ") {
            self.events.push((time, label.to_owned()));
        }
        let new: Vec<f64> = jump
            .reset
            .iter()
            .map(|node| value(self.formulas.pool(), *node, &self.x))
            .collect();
        self.x[..new.len()].copy_from_slice(&new);
        assert_eq!(self.time(), time, "no time passes in a jump");
        self.location = jump.target.clone();
    }
}

pub fn simulated(graph: &Graph, parameters: &[(String, f64)]) -> Trace {
    let options = TickOptions {
        parameters: parameters.to_vec(),
        ..TickOptions::default()
    };
    let trace = simulate(graph, &mut [], &options).unwrap();
    assert_eq!(trace.stop.reason, StopReason::HorizonReached);
    trace
}

/// Runs both, with these values of ranged parameters (in their order), and compares events and what is recorded at the end. Gives the number of events.
pub fn compare(graph: &Graph, ranged: &[(&str, f64)], h: f64) -> usize {
    let chosen: Vec<(String, f64)> = ranged.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect();
    let trace = simulated(graph, &chosen);
    let unknowns: Vec<f64> = ranged.iter().map(|(_, v)| *v).collect();
    let mut execution = Execution::new(graph, &[], &unknowns);
    execution.run(graph.horizon().unwrap(), h);
    let modes: Vec<_> = trace
        .transitions
        .iter()
        .filter(|t| t.kind == TransitionKind::Mode)
        .collect();
    let ours = &execution.events;
    assert_eq!(modes.len(), ours.len(), "{ours:?}");
    for (theirs, (time, label)) in modes.iter().zip(ours) {
        let error = (theirs.time.t() - time).abs();
        assert!(error < 1e-6, "{label}: {} and {time}", theirs.time.t());
        let to = label.split(" -> ").nth(1).unwrap().split(' ').next().unwrap();
        assert!(
            theirs.to.ends_with(&format!(".{to}")),
            "{label} and {}",
            theirs.to
        );
    }
    for signal in graph.record() {
        let name = &graph.signal(*signal).name;
        let theirs = trace.last(name).unwrap();
        match execution.formulas.signal(name, &execution.location) {
            Ok(node) => {
                let ours = value(execution.formulas.pool(), node, &execution.x);
                assert!((ours - theirs).abs() < 1e-6, "{name}: {ours} and {theirs}");
            }
            Err(obstacle) if obstacle.what.contains("is absent") => {
                assert!(theirs.is_nan(), "{name}: {obstacle}");
            }
            Err(obstacle) => assert!(obstacle.what.contains("no formulas"), "{name}: {obstacle}"),
        }
    }
    ours.len()
}
