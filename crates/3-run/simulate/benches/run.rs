//! What a run costs: the interception game, a bouncing ball to rest, a billiard break.
#![allow(missing_docs, clippy::disallowed_methods, clippy::unwrap_used)]

use criterion::{Criterion, criterion_group, criterion_main};
use dyverse_simulate::{RunOptions, simulate};

fn example(name: &str) -> dyverse_model::Model {
    let path = format!("{}/../../../examples/{name}.drbt", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).unwrap();
    let main = dyverse_lang::Loaded::named(name, bytes);
    dyverse_lang::read(main, &mut dyverse_lang::NoImports)
        .model
        .unwrap()
}

fn runs(criterion: &mut Criterion) {
    for name in ["interception", "bouncing_ball", "sliding_ball", "billiard_break"] {
        let model = example(name);
        let options = RunOptions::default();
        criterion.bench_function(name, |b| b.iter(|| simulate(&model, &options).unwrap()));
    }
}

criterion_group!(benches, runs);
criterion_main!(benches);
