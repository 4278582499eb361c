//! Proofs that the prover finds, for tests of what checks them.
#![allow(dead_code, unreachable_pub)]

use dyverse_check::{Outcome, RefineOptions, refine};
use dyverse_formulas::{Actors, Bodies, Evolution, Obstacle, Requirement};
use dyverse_proof::{Accepted, Proof, ProvedBox, Question, Rejected, verify, verify_parallel};

pub const BALL: &str = "
system ball
param h in [0.99, 1.01]
param e in [0.79, 0.8]
entity ball { sphere(radius = 0.1)  mass = 1  position = (0, 0.1 + h, 0) }
fixed entity floor { plane(normal = (0, 1, 0), offset = 0) }
contact ball, floor { restitution = e  friction = 0 }
gravity (0, -9.81, 0)
horizon 1.5
property low: always [0, 1.5] ball.y <= 1.2 and ball.y >= 0.09
property lower: always [0, 1.5] ball.y <= 1 and ball.y >= 0.09
";

/// A model that a test may change.
#[derive(Clone)]
pub enum Source {
    Bodies(String),
    Actors(String),
}

pub type Choices = Vec<(String, f64, f64)>;

/// What is asked, with the system made anew for every use.
pub struct Case {
    pub source: Source,
    pub property: String,
    pub choices: Choices,
}

/// Something to do with a system, whatever its kind.
trait Task {
    type Out;
    fn run<E: Evolution>(
        &self,
        make: &(dyn Fn() -> Result<E, Obstacle> + Sync),
        system: &str,
        horizon: f64,
    ) -> Self::Out;
}

struct Prove<'a>(&'a Case);
struct Check<'a> {
    proof: &'a Proof,
    property: &'a str,
    choices: &'a Choices,
    threads: usize,
}

impl Task for Prove<'_> {
    type Out = Proof;
    fn run<E: Evolution>(
        &self,
        make: &(dyn Fn() -> Result<E, Obstacle> + Sync),
        system: &str,
        horizon: f64,
    ) -> Proof {
        let mut options = RefineOptions::default();
        (options.limits.depth, options.limits.steps) = (5_000, 20_000);
        let refined = refine(make, horizon, &options, &|_, _| true).unwrap();
        let boxes = refined.boxes.iter().map(|decided| match &decided.outcome {
            Outcome::Safe(stays) => ProvedBox {
                sides: decided.unknowns.sides.iter().map(|s| (s.lo(), s.hi())).collect(),
                stays: stays.clone(),
            },
            other => panic!("{:?} is not proved: {other:?}", decided.unknowns),
        });
        let unknowns = make().unwrap().variables().unknowns.clone();
        Proof {
            system: system.into(),
            property: self.0.property.clone(),
            horizon,
            choices: self.0.choices.clone(),
            inputs: Vec::new(),
            unknowns: unknowns.into_iter().map(|u| (u.name, u.lower, u.upper)).collect(),
            boxes: boxes.collect(),
        }
    }
}

impl Task for Check<'_> {
    type Out = Result<Accepted, Rejected>;
    fn run<E: Evolution>(
        &self,
        make: &(dyn Fn() -> Result<E, Obstacle> + Sync),
        system: &str,
        horizon: f64,
    ) -> Self::Out {
        let question = Question {
            system: system.into(),
            property: self.property.into(),
            horizon,
            choices: self.choices.clone(),
            inputs: Vec::new(),
        };
        if self.threads > 1 {
            verify_parallel(self.proof, &question, make, self.threads, None)
        } else {
            verify(self.proof, &question, &mut make().unwrap())
        }
    }
}

impl Case {
    pub fn bodies(text: &str, property: &str) -> Self {
        Case {
            source: Source::Bodies(text.into()),
            property: property.into(),
            choices: Vec::new(),
        }
    }
    pub fn actors(text: &str, property: &str) -> Self {
        Case {
            source: Source::Actors(text.into()),
            property: property.into(),
            choices: Vec::new(),
        }
    }
    pub fn with(mut self, name: &str, lower: f64, upper: f64) -> Self {
        self.choices.push((name.into(), lower, upper));
        self
    }

    pub fn prove(&self) -> Proof {
        run(&self.source, &self.property, &self.choices, &Prove(self))
    }

    /// Asks the case's own question.
    pub fn check(&self, proof: &Proof) -> Result<Accepted, Rejected> {
        self.check_with(proof, 1)
    }

    pub fn check_with(&self, proof: &Proof, threads: usize) -> Result<Accepted, Rejected> {
        let task = Check {
            proof,
            property: &self.property,
            choices: &self.choices,
            threads,
        };
        run(&self.source, &self.property, &self.choices, &task)
    }
}

fn run<T: Task>(source: &Source, property: &str, choices: &Choices, task: &T) -> T::Out {
    let main = |text: &String| dyverse_lang::Loaded::named("t", text.clone());
    match source {
        Source::Bodies(text) => {
            let read = dyverse_lang::read(main(text), &mut dyverse_lang::NoImports);
            let model = read.model.expect("the model is read");
            let found = model.properties().iter().find(|p| p.name == property).unwrap();
            let requirement = Requirement::new(found, model.horizon()).unwrap();
            let horizon = requirement.horizon();
            task.run(
                &|| Bodies::new(&model, choices, requirement.clone()),
                "s",
                horizon,
            )
        }
        Source::Actors(text) => {
            let read = dyverse_lang::read_actors(main(text), &mut dyverse_lang::NoImports);
            let graph = read.model.expect("the model is read").graph;
            let found = graph.properties().iter().find(|p| p.name == property).unwrap();
            let requirement = Requirement::new(found, graph.horizon()).unwrap();
            let horizon = requirement.horizon();
            task.run(
                &|| Actors::new(&graph, choices, requirement.clone()),
                "s",
                horizon,
            )
        }
    }
}

/// What recurses over an evolution fails here.
pub fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    let small = std::thread::Builder::new().stack_size(256 << 10);
    small.spawn(work).unwrap().join().unwrap();
}
