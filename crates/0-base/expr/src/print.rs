//! Expressions as text, in the grammar of model files.
//!
//! Built bottom-up, so that deep expressions do not recurse; a shared part is written out at every use, and
//! what grows past the limit is cut to `…`.

use crate::{BinaryFunction, Node, NodeId, Pool, SymbolId, UnaryFunction};
use std::collections::BTreeMap;

/// Characters of one printed expression at the most.
const LONGEST: usize = 4_000;

// Binding strengths of what is printed, as in the grammar.
const OR: u8 = 3;
const AND: u8 = 4;
const NOT: u8 = 5;
const COMPARE: u8 = 6;
const SUM: u8 = 7;
const PRODUCT: u8 = 8;
const UNARY: u8 = 9;
const POWER: u8 = 10;
const ATOM: u8 = 11;

/// Prints expressions of a pool.
pub struct Printer<'a, F: Fn(SymbolId) -> String> {
    pool: &'a Pool,
    name: F,
}

struct Piece {
    text: String,
    strength: u8,
}

impl Piece {
    fn atom(text: impl Into<String>) -> Self {
        Piece {
            text: text.into(),
            strength: ATOM,
        }
    }
    fn at_least(&self, strength: u8) -> String {
        if self.strength < strength {
            format!("({})", self.text)
        } else {
            self.text.clone()
        }
    }
}

impl<'a, F: Fn(SymbolId) -> String> Printer<'a, F> {
    /// Prints with the names that `name` gives to symbols.
    pub fn new(pool: &'a Pool, name: F) -> Self {
        Printer { pool, name }
    }

    /// The text of one expression.
    pub fn print(&self, root: NodeId) -> String {
        let needed = self.pool.reachable(&[root]);
        let mut uses: BTreeMap<NodeId, usize> = BTreeMap::new();
        for operand in needed.iter().flat_map(|id| self.pool.node(*id).operands()) {
            *uses.entry(operand).or_default() += 1;
        }
        let mut pieces: BTreeMap<NodeId, Piece> = BTreeMap::new();
        for id in needed {
            let mut piece = self.piece(id, &pieces);
            if piece.text.len() > LONGEST {
                piece = Piece::atom("…");
            }
            pieces.insert(id, piece);
            // A piece that is used no more goes, so that long sums do not fill the memory.
            for operand in self.pool.node(id).operands() {
                let left = uses.get_mut(&operand).map_or(0, |n| {
                    *n -= 1;
                    *n
                });
                if left == 0 {
                    pieces.remove(&operand);
                }
            }
        }
        pieces.remove(&root).map_or_else(String::new, |piece| piece.text)
    }

    fn piece(&self, id: NodeId, pieces: &BTreeMap<NodeId, Piece>) -> Piece {
        let at_least =
            |id: &NodeId, strength: u8| pieces.get(id).map_or_else(String::new, |p| p.at_least(strength));
        let infix = |a: &NodeId, sign: &str, b: &NodeId, strength: u8, left: u8, right: u8| Piece {
            text: format!("{} {sign} {}", at_least(a, left), at_least(b, right)),
            strength,
        };
        match self.pool.node(id) {
            Node::Number(literal) if literal.value() < 0.0 => Piece {
                text: number(literal.value()),
                strength: UNARY,
            },
            Node::Number(literal) => Piece::atom(number(literal.value())),
            Node::Pi => Piece::atom("pi"),
            Node::Boolean(value) => Piece::atom(value.to_string()),
            Node::Symbol(symbol) => Piece::atom((self.name)(symbol)),
            Node::Unary(UnaryFunction::Negate, a) => Piece {
                text: format!("-{}", at_least(&a, UNARY)),
                strength: UNARY,
            },
            Node::Unary(function, a) => Piece::atom(format!("{}({})", function.name(), at_least(&a, 0))),
            Node::Binary(function, a, b) => match function {
                BinaryFunction::Add => infix(&a, "+", &b, SUM, SUM, SUM + 1),
                BinaryFunction::Subtract => infix(&a, "-", &b, SUM, SUM, SUM + 1),
                BinaryFunction::Multiply => infix(&a, "*", &b, PRODUCT, PRODUCT, PRODUCT + 1),
                BinaryFunction::Divide => infix(&a, "/", &b, PRODUCT, PRODUCT, PRODUCT + 1),
                BinaryFunction::Power => infix(&a, "^", &b, POWER, POWER + 1, POWER),
                BinaryFunction::Min => Piece::atom(format!("min({}, {})", at_least(&a, 0), at_least(&b, 0))),
                BinaryFunction::Max => Piece::atom(format!("max({}, {})", at_least(&a, 0), at_least(&b, 0))),
                BinaryFunction::Atan2 => {
                    Piece::atom(format!("atan2({}, {})", at_least(&a, 0), at_least(&b, 0)))
                }
            },
            Node::Integer(a, n) => {
                let exponent = if n < 0 { format!("({n})") } else { n.to_string() };
                Piece {
                    text: format!("{} ^ {exponent}", at_least(&a, POWER + 1)),
                    strength: POWER,
                }
            }
            Node::Compare(relation, a, b) => {
                infix(&a, relation.sign(), &b, COMPARE, COMPARE + 1, COMPARE + 1)
            }
            Node::Not(a) => Piece {
                text: format!("not {}", at_least(&a, NOT)),
                strength: NOT,
            },
            Node::And(a, b) => infix(&a, "and", &b, AND, AND, AND + 1),
            Node::Or(a, b) => infix(&a, "or", &b, OR, OR, OR + 1),
            Node::Select(c, a, b) => Piece {
                text: format!(
                    "if {} then {} else {}",
                    at_least(&c, 0),
                    at_least(&a, 0),
                    at_least(&b, 0)
                ),
                strength: 0,
            },
        }
    }
}

/// A double in as few digits as tell it from all others.
fn number(value: f64) -> String {
    let is_plain = value == 0.0 || (1e-6..1e15).contains(&value.abs());
    if is_plain {
        format!("{value}")
    } else {
        format!("{value:e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_stand_where_they_are_needed_and_only_there() {
        let mut pool = Pool::new();
        let (x, y) = (pool.symbol(SymbolId(0)), pool.symbol(SymbolId(1)));
        let two = pool.number(2.0);
        let difference = pool.subtract(x, y);
        let outer = pool.subtract(x, difference);
        let product = pool.multiply(difference, two);
        let minus = pool.negate(product);
        let power = pool.integer_power(minus, -2);
        let printer = Printer::new(&pool, |s| format!("s{}", s.0));
        assert_eq!(printer.print(outer), "s0 - (s0 - s1)");
        assert_eq!(printer.print(product), "(s0 - s1) * 2");
        assert_eq!(printer.print(minus), "-((s0 - s1) * 2)");
        assert_eq!(printer.print(power), "(-((s0 - s1) * 2)) ^ (-2)");
    }

    #[test]
    fn numbers_are_those_that_are_read() {
        for value in [0.1, 1.0 / 3.0, 1e300, -2.5e-300, 123_456_789.0, 5e-324] {
            assert_eq!(number(value).parse(), Ok(value));
        }
        assert_eq!(number(1e300), "1e300");
    }

    #[test]
    fn what_explodes_is_cut() {
        let mut pool = Pool::new();
        let mut x = pool.symbol(SymbolId(0));
        for _ in 0..64 {
            x = pool.add(x, x);
        }
        assert!(Printer::new(&pool, |_| "x".into()).print(x).len() <= LONGEST);
    }
}
