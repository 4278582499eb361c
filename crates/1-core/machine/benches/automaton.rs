//! What the automaton costs: the lazy walk for each edge, sizes of a sixty-ball system, the eager build.
#![allow(missing_docs, clippy::expect_used, reason = "a benchmark may stop")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dyverse_machine::{
    BuildLimit, Contact, ContactList, EagerAutomaton, Edge, GraphKind, HybridAutomaton, Location,
};
use std::hint::black_box;

fn automaton(contacts: usize, kind: GraphKind) -> HybridAutomaton {
    let contact = |place| Contact::new(format!("c{place}"), "x", "y");
    let list = ContactList::new((0..contacts).map(contact).collect());
    HybridAutomaton::new(list, kind, Vec::new()).expect("no obstruction")
}

fn count_apart(edges: impl Iterator<Item = Edge>) -> usize {
    edges.filter(|edge| black_box(edge).rule().is_apart()).count()
}

fn lazy_walk(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("lazy walk");
    let four_balls = automaton(6, GraphKind::Complete);
    group.throughput(Throughput::Elements(231_284 + 63));
    group.bench_function("4 balls, every edge", |bench| {
        bench.iter(|| count_apart(four_balls.edges()))
    });

    let five_balls = automaton(10, GraphKind::Complete);
    group.throughput(Throughput::Elements(1_000_000));
    group.bench_function("5 balls, the first million edges", |bench| {
        bench.iter(|| count_apart(five_balls.edges().take(1_000_000)));
    });

    let sixty_balls = automaton(1770, GraphKind::Complete);
    let free = sixty_balls.locations().next().expect("S_0");
    group.throughput(Throughput::Elements(10_000));
    group.bench_function("60 balls, the first 10 000 out-edges of S_0", |bench| {
        bench.iter(|| {
            sixty_balls
                .out_edges(black_box::<&Location>(&free))
                .take(10_000)
                .count()
        });
    });
    group.finish();
}

fn sizes(criterion: &mut Criterion) {
    for kind in [GraphKind::Complete, GraphKind::Subset] {
        let sixty_balls = automaton(1770, kind);
        let name = format!("size of 60 balls, {kind:?}");
        criterion.bench_function(&name, |bench| {
            bench.iter(|| sixty_balls.size().expect("no obstruction"))
        });
    }
}

fn eager(criterion: &mut Criterion) {
    let four_balls = automaton(6, GraphKind::Complete);
    let mut group = criterion.benchmark_group("eager");
    group.sample_size(10);
    group.bench_function("4 balls with guards and resets", |bench| {
        bench.iter(|| EagerAutomaton::build(&four_balls, &BuildLimit::default()).expect("within the limit"));
    });
    group.finish();
}

criterion_group!(benches, lazy_walk, sizes, eager);
criterion_main!(benches);
