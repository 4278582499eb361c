//! Proves a property of a model file and checks the proof: how long each takes. `measure FILE PROPERTY [NAME LEAST LARGEST]…`
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    missing_docs
)]
use dyverse_check::{Outcome, RefineOptions, refine};
use dyverse_formulas::{Actors, Bodies, Evolution, Obstacle, Requirement};
use dyverse_proof::{Proof, ProvedBox, Question, verify};
use std::time::Instant;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let main = dyverse_lang::Loaded::named("t", std::fs::read(&args[1]).unwrap());
    let number = |text: &String| text.parse().unwrap();
    let choices: Vec<(String, f64, f64)> = args[3..]
        .chunks(3)
        .filter(|c| c.len() == 3)
        .map(|c| (c[0].clone(), number(&c[1]), number(&c[2])))
        .collect();
    if args[1].ends_with(".dam") {
        let graph = dyverse_lang::read_actors(main, &mut dyverse_lang::NoImports)
            .model
            .unwrap()
            .graph;
        let property = graph.properties().iter().find(|p| p.name == args[2]).unwrap();
        let requirement = Requirement::new(property, graph.horizon()).unwrap();
        let horizon = requirement.horizon();
        go(
            &|| Actors::new(&graph, &choices, requirement.clone()),
            horizon,
            &args[2],
            &choices,
        );
    } else {
        let model = dyverse_lang::read(main, &mut dyverse_lang::NoImports)
            .model
            .unwrap();
        let property = model.properties().iter().find(|p| p.name == args[2]).unwrap();
        let requirement = Requirement::new(property, model.horizon()).unwrap();
        let horizon = requirement.horizon();
        go(
            &|| Bodies::new(&model, &choices, requirement.clone()),
            horizon,
            &args[2],
            &choices,
        );
    }
}

fn go<E: Evolution>(
    make: &(dyn Fn() -> Result<E, Obstacle> + Sync),
    horizon: f64,
    property: &str,
    choices: &[(String, f64, f64)],
) {
    let begin = Instant::now();
    let refined = refine(make, horizon, &RefineOptions::default(), &|_, _| true).unwrap();
    let proving = begin.elapsed();
    let mut boxes = Vec::new();
    for decided in &refined.boxes {
        match &decided.outcome {
            Outcome::Safe(stays) => boxes.push(ProvedBox {
                sides: decided.unknowns.sides.iter().map(|s| (s.lo(), s.hi())).collect(),
                stays: stays.clone(),
            }),
            other => println!("{:?}: {other:?}", decided.unknowns.sides),
        }
    }
    let mut evolution = make().unwrap();
    let unknowns = &evolution.variables().unknowns;
    let proof = Proof {
        system: "s".into(),
        property: property.into(),
        horizon,
        choices: choices.to_vec(),
        inputs: Vec::new(),
        unknowns: unknowns
            .iter()
            .map(|u| (u.name.clone(), u.lower, u.upper))
            .collect(),
        boxes,
    };
    let question = Question {
        system: "s".into(),
        property: property.into(),
        horizon,
        choices: choices.to_vec(),
        inputs: Vec::new(),
    };
    let begin = Instant::now();
    match verify(&proof, &question, &mut evolution) {
        Ok(accepted) => println!("accepted: {accepted:?}"),
        Err(rejected) => println!("rejected: {rejected}"),
    }
    println!(
        "{} boxes proved in {proving:.2?}, checked in {:.2?}",
        proof.boxes.len(),
        begin.elapsed()
    );
}
