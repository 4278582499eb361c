//! Expressions of a pool as straight-line C: `const double v12 = v3 + v4;`, each shared part once.
//!
//! | value | in C |
//! |---|---|
//! | number | `double`; what has no value is NaN, as in `Program::run` |
//! | truth value | `int`: 1, 0, and -1 for unknown, which a comparison with NaN is |
//!
//! Three values are needed: an `if` on a condition that has none must be NaN and stop the run, not take its second branch.
//!
//! # Guarantee
//! The same operations in the same order as `Program::run`, so the same doubles, but for what the machine's elementary functions round differently.

use crate::text::{CText, number};
use dyverse_expr::{BinaryFunction, NodeId, Op, Pool, Program, Reg, Relation, Sort, SymbolId, UnaryFunction};
use std::collections::BTreeSet;

/// Functions that the C standard library lacks, each written only where it is used.
const HELPERS: &[(&str, &str)] = &[
    (
        "value_sign",
        "static double value_sign(double a)\n{\n    return isnan(a) ? NAN : (double)((a > 0.0) - (a < 0.0));\n}\n",
    ),
    (
        "value_min",
        "static double value_min(double a, double b)\n{\n    return isnan(a) || isnan(b) ? NAN : fmin(a, b);\n}\n",
    ),
    (
        "value_max",
        "static double value_max(double a, double b)\n{\n    return isnan(a) || isnan(b) ? NAN : fmax(a, b);\n}\n",
    ),
    (
        "value_select",
        "static double value_select(int condition, double a, double b)\n{\n    return condition < 0 ? NAN : condition ? a : b;\n}\n",
    ),
    (
        "truth_less",
        "static int truth_less(double a, double b)\n{\n    return isnan(a) || isnan(b) ? -1 : a < b;\n}\n",
    ),
    (
        "truth_less_equal",
        "static int truth_less_equal(double a, double b)\n{\n    return isnan(a) || isnan(b) ? -1 : a <= b;\n}\n",
    ),
    (
        "truth_equal",
        "static int truth_equal(double a, double b)\n{\n    return isnan(a) || isnan(b) ? -1 : a == b;\n}\n",
    ),
    (
        "truth_not",
        "static int truth_not(int a)\n{\n    return a < 0 ? -1 : !a;\n}\n",
    ),
    (
        "truth_and",
        "static int truth_and(int a, int b)\n{\n    return a == 0 || b == 0 ? 0 : a < 0 || b < 0 ? -1 : 1;\n}\n",
    ),
    (
        "truth_or",
        "static int truth_or(int a, int b)\n{\n    return a == 1 || b == 1 ? 1 : a < 0 || b < 0 ? -1 : 0;\n}\n",
    ),
];

/// The helpers that some texts use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Helpers {
    used: BTreeSet<&'static str>,
}

impl Helpers {
    fn call(&mut self, name: &'static str, operands: &[&str]) -> String {
        self.used.insert(name);
        format!("{name}({})", operands.join(", "))
    }

    /// Their definitions.
    pub(crate) fn definitions(&self) -> String {
        let mut text = String::new();
        for (name, definition) in HELPERS {
            if self.used.contains(name) {
                text.push_str(definition);
                text.push('\n');
            }
        }
        text
    }
}

/// Writes the assignments that `roots` need; gives the C expression of each root, in order: a name, a number, or what `symbol` gave. Symbols are read
/// as `symbol` says, without brackets around them: it gives names, calls or parts of arrays.
pub(crate) fn write_assignments(
    pool: &Pool,
    roots: &[NodeId],
    symbol: impl FnMut(SymbolId) -> String,
    helpers: &mut Helpers,
    out: &mut CText,
) -> Vec<String> {
    write_assignments_with(pool, roots, symbol, |_, _| None, helpers, out)
}

/// The same; `special` may write a node in its own way, given what its operands are called.
pub(crate) fn write_assignments_with(
    pool: &Pool,
    roots: &[NodeId],
    mut symbol: impl FnMut(SymbolId) -> String,
    special: impl Fn(NodeId, &[&str]) -> Option<String>,
    helpers: &mut Helpers,
    out: &mut CText,
) -> Vec<String> {
    let program = Program::new(pool, roots);
    let mut names: Vec<String> = Vec::with_capacity(program.len());
    for (op, id) in program.ops().iter().zip(program.nodes()) {
        let text = match *op {
            Op::Number(literal) => number(literal.value()),
            Op::Pi => number(std::f64::consts::PI),
            Op::Boolean(value) => i32::from(value).to_string(),
            Op::Symbol(place) => symbol(program.inputs()[place as usize]),
            op => {
                let of = |reg: Reg| names[reg as usize].as_str();
                let operands: Vec<&str> = op.operands().map(of).collect();
                let right = special(*id, &operands).unwrap_or_else(|| operation(op, &operands, helpers));
                let name = format!("v{}", id.index());
                let kind = match op.sort() {
                    Sort::Number => "double",
                    Sort::Boolean => "int",
                };
                out.line(format!("const {kind} {name} = {right};"));
                name
            }
        };
        names.push(text);
    }
    let of = |root: &Reg| names[*root as usize].clone();
    program.roots().iter().map(of).collect()
}

/// The right side of an operation, from what its operands are called.
fn operation(op: Op, operands: &[&str], helpers: &mut Helpers) -> String {
    match (op, operands) {
        (Op::Unary(function, _), [a]) => unary(function, a, helpers),
        (Op::Binary(function, ..), [a, b]) => binary(function, a, b, helpers),
        (Op::Integer(_, n), [a]) => power(a, n),
        (Op::Compare(relation, ..), [a, b]) => compare(relation, a, b, helpers),
        (Op::Not(_), _) => helpers.call("truth_not", operands),
        (Op::And(..), _) => helpers.call("truth_and", operands),
        (Op::Or(..), _) => helpers.call("truth_or", operands),
        (Op::Select(..), _) => helpers.call("value_select", operands),
        _ => unreachable!("bug: an operation without its operands"),
    }
}

fn unary(function: UnaryFunction, a: &str, helpers: &mut Helpers) -> String {
    match function {
        UnaryFunction::Negate => format!("-({a})"),
        UnaryFunction::Sqrt => format!("sqrt({a})"),
        UnaryFunction::Sin => format!("sin({a})"),
        UnaryFunction::Cos => format!("cos({a})"),
        UnaryFunction::Tan => format!("tan({a})"),
        UnaryFunction::Asin => format!("asin({a})"),
        UnaryFunction::Acos => format!("acos({a})"),
        UnaryFunction::Atan => format!("atan({a})"),
        UnaryFunction::Sinh => format!("sinh({a})"),
        UnaryFunction::Cosh => format!("cosh({a})"),
        UnaryFunction::Tanh => format!("tanh({a})"),
        UnaryFunction::Exp => format!("exp({a})"),
        UnaryFunction::Ln => format!("log({a})"),
        UnaryFunction::Abs => format!("fabs({a})"),
        UnaryFunction::Sign => helpers.call("value_sign", &[a]),
        UnaryFunction::Floor => format!("floor({a})"),
    }
}

fn binary(function: BinaryFunction, a: &str, b: &str, helpers: &mut Helpers) -> String {
    match function {
        BinaryFunction::Add => format!("{a} + {b}"),
        BinaryFunction::Subtract => format!("{a} - {b}"),
        BinaryFunction::Multiply => format!("{a} * {b}"),
        BinaryFunction::Divide => format!("{a} / {b}"),
        BinaryFunction::Power => format!("pow({a}, {b})"),
        BinaryFunction::Min => helpers.call("value_min", &[a, b]),
        BinaryFunction::Max => helpers.call("value_max", &[a, b]),
        // Adding 0 forgets the sign of a zero.
        BinaryFunction::Atan2 => format!("atan2({a} + 0.0, {b} + 0.0)"),
    }
}

fn power(a: &str, n: i32) -> String {
    match n {
        0 => "1.0".into(),
        1 => a.into(),
        2 => format!("{a} * {a}"),
        _ => format!("pow({a}, {})", number(f64::from(n))),
    }
}

fn compare(relation: Relation, a: &str, b: &str, helpers: &mut Helpers) -> String {
    match relation {
        Relation::Less => helpers.call("truth_less", &[a, b]),
        Relation::Greater => helpers.call("truth_less", &[b, a]),
        Relation::LessEqual => helpers.call("truth_less_equal", &[a, b]),
        Relation::GreaterEqual => helpers.call("truth_less_equal", &[b, a]),
        Relation::Equal => helpers.call("truth_equal", &[a, b]),
        Relation::NotEqual => {
            let equal = helpers.call("truth_equal", &[a, b]);
            helpers.call("truth_not", &[&equal])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_parts_are_written_once() {
        let mut pool = Pool::new();
        let x = pool.symbol(SymbolId(0));
        let y = pool.symbol(SymbolId(1));
        let sum = pool.add(x, y);
        let square = pool.integer_power(sum, 2);
        let sine = pool.unary(UnaryFunction::Sin, sum);
        let less = pool.compare(Relation::NotEqual, square, sine);
        let root = pool.select(less, square, x);
        let (mut out, mut helpers) = (CText::new(), Helpers::default());
        let name = |id: SymbolId| format!("x[{}]", id.0);
        let roots = write_assignments(&pool, &[root, x], name, &mut helpers, &mut out);
        let text = out.finish();
        assert_eq!(text.matches("x[0] + x[1]").count(), 1, "{text}");
        assert!(text.contains("truth_not(truth_equal(v3, v4))"), "{text}");
        assert_eq!(roots, ["v6", "x[0]"]);
        let definitions = helpers.definitions();
        assert!(definitions.contains("truth_equal(double") && !definitions.contains("truth_less("));
    }
}
