//! Walks every edge of the five-ball automaton (P = 10, complete graph) through the lazy iterator, and prints
//! the counts, the time for each edge and the peak memory. Run with `--release`.
#![allow(
    clippy::disallowed_methods,
    reason = "a program that measures needs the clock and /proc"
)]

use dyverse_machine::{ContactList, GraphKind, HybridAutomaton};
use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let contacts = ContactList::of_all_pairs(&["a", "b", "c", "d", "e"]);
    let automaton = HybridAutomaton::new(contacts, GraphKind::Complete, Vec::new())?;
    let size = automaton.size()?;

    let begin = Instant::now();
    let (mut edges, mut apart) = (0_u64, 0_u64);
    for edge in automaton.edges() {
        // Without this the compiler sees that only the rule is read, and leaves the rest of the edge unbuilt.
        let edge = black_box(&edge);
        if edge.rule().is_apart() {
            apart += 1;
        } else {
            edges += 1;
        }
    }
    let seconds = begin.elapsed().as_secs_f64();

    println!(
        "edges by rules 1-8: {edges} walked, {} by the closed form",
        size.edges()
    );
    println!(
        "edges by 4b and 6b: {apart} walked, {} by the closed form",
        size.all_slip_edges() + size.struck_again_edges()
    );
    println!(
        "time:               {seconds:.2} s, {:.2} ns an edge",
        seconds * 1e9 / (edges + apart) as f64
    );
    println!("peak memory:        {}", peak_memory());
    if size.edges() != edges.into() || size.all_edges() != (edges + apart).into() {
        return Err("the walk and the closed form disagree".into());
    }
    Ok(())
}

/// The largest resident set of this process, as Linux reports it.
fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or_else(
        || "not known on this system".to_owned(),
        |value| value.trim().to_owned(),
    )
}
