//! Formulas as functions of C: straight-line assignments, with decisions that may be frozen.

use super::formulas::Formulas;
use crate::expression::{Helpers, write_assignments_with};
use crate::text::CText;
use dyverse_actors::Symbol;
use dyverse_expr::{NodeId, Sort, SymbolId};

/// All formulas of a model, and the table of them.
pub(super) fn functions(formulas: &Formulas<'_>) -> String {
    let mut helpers = Helpers::default();
    let mut bodies = CText::new();
    for (number, node) in formulas.nodes.iter().enumerate() {
        bodies.open(format!("static double formula_{number}(const Moment *c)\n{{"));
        bodies.line("(void)c;");
        let result = body(formulas, *node, &mut helpers, &mut bodies);
        bodies.line(format!("return {result};"));
        bodies.close("}");
        bodies.line("");
    }
    let mut out = CText::new();
    out.raw(&helpers.definitions());
    out.raw(&bodies.finish());
    let names = (0..formulas.nodes.len()).map(|number| format!("formula_{number}"));
    // One more: C has no empty array.
    let names = names.chain(["0".into()]);
    out.table("static double (*const formulas[])(const Moment *)", names);
    out.finish()
}

/// The assignments of one formula; gives its value. Truth values are 1, 0, and NaN for unknown.
fn body(formulas: &Formulas<'_>, node: NodeId, helpers: &mut Helpers, out: &mut CText) -> String {
    let graph = formulas.graph;
    let symbol = |id: SymbolId| match graph.symbol(id) {
        Symbol::Signal(signal) => format!("c->v[{}]", signal.0),
        Symbol::Parameter(parameter) => format!("c->p[{}]", parameter.0),
        Symbol::Input(input) => format!("c->u[{}]", input.0),
        Symbol::Time => "c->t".to_owned(),
    };
    let decision = |id: NodeId, operands: &[&str]| {
        let k = formulas.decision_of(id)?;
        let a = operands.first().copied().unwrap_or("0.0");
        let b = operands.get(1).copied().unwrap_or("0.0");
        let call = format!("switched(c, {k}, {a}, {b})");
        let is_truth = graph.pool().sort(id) == Sort::Boolean;
        Some(if is_truth { format!("(int){call}") } else { call })
    };
    let results = write_assignments_with(graph.pool(), &[node], symbol, decision, helpers, out);
    let result = results.into_iter().next().unwrap_or_else(|| "NAN".into());
    match graph.pool().sort(node) {
        Sort::Number => result,
        Sort::Boolean => format!("{result} < 0 ? NAN : (double)({result})"),
    }
}
