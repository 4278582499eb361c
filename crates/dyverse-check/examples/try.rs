//! Explores boxes of a model's unknowns: for trying things out.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    missing_docs
)]
use dyverse_check::{Explorer, Limits, Outcome, UnknownBox};
use dyverse_equations::{Actors, Bodies, Evolution, Requirement};

fn main() {
    std::thread::Builder::new()
        .stack_size(512 << 20)
        .spawn(run)
        .unwrap()
        .join()
        .unwrap();
}

fn run() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read(&args[1]).unwrap();
    let main = dyverse_lang::Loaded {
        key: "t".into(),
        name: "t".into(),
        bytes: text,
    };
    let choices: Vec<(String, f64, f64)> = args[3..]
        .chunks(3)
        .filter(|c| c.len() == 3)
        .map(|c| (c[0].clone(), c[1].parse().unwrap(), c[2].parse().unwrap()))
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
            dyverse_equations::Switched::new(Actors::new(&graph, &choices, requirement).unwrap()),
            horizon,
        );
    } else {
        let model = dyverse_lang::read(main, &mut dyverse_lang::NoImports)
            .model
            .unwrap();
        let property = model.properties().iter().find(|p| p.name == args[2]).unwrap();
        let requirement = Requirement::new(property, model.horizon()).unwrap();
        let horizon = requirement.horizon();
        go(
            dyverse_equations::Switched::new(Bodies::new(&model, &choices, requirement).unwrap()),
            horizon,
        );
    }
}

fn go<E: Evolution>(bodies: E, horizon: f64) {
    let whole = UnknownBox::whole(&Evolution::variables(&bodies).unknowns);
    println!("{:?}", Evolution::variables(&bodies));
    let mut explorer = Explorer::new(bodies, horizon, Limits::default());
    let mut waiting = vec![whole.clone()];
    let mut boxes = 0;
    let begin = std::time::Instant::now();
    let (mut safe, mut bad) = (0.0, 0.0);
    while let Some(b) = waiting.pop() {
        boxes += 1;
        let before = std::time::Instant::now();
        let outcome = explorer.explore(&b);
        let said = match &outcome {
            Outcome::Safe(_) => "safe".to_owned(),
            other => format!("{other:?}"),
        };
        println!(
            "{:?} {said} {:?} {:?}",
            b.sides,
            before.elapsed(),
            explorer.figures()
        );
        match outcome {
            Outcome::Safe(_) => safe += b.share(&whole),
            Outcome::Unsafe { .. } => bad += b.share(&whole),
            Outcome::Undecided(_) => {
                if b.share(&whole) > 1e-4
                    && boxes < 300
                    && let Some(side) = b.longest(&whole)
                {
                    let [l, r] = b.halves(side);
                    waiting.push(r);
                    waiting.push(l);
                }
            }
        }
    }
    println!(
        "{boxes} boxes, safe {safe}, unsafe {bad}, {:?} {:?}",
        begin.elapsed(),
        explorer.figures()
    );
}
