//! The graph of actors.

use dyverse_actors::{Definition, Graph, Signal};

/// What defines a signal, in one line; names without `prefix`.
pub(super) fn equation(graph: &Graph, signal: &Signal, prefix: &str) -> String {
    let short = |name: &str| name.strip_prefix(prefix).unwrap_or(name).to_owned();
    let name = short(&signal.name);
    match &signal.definition {
        Definition::Expression(node) => format!("{name} = {}", graph.print(*node)),
        other => format!("{name}: {}", other.word()),
    }
}
