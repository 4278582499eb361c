//! Tables of input files: two columns of numbers, read with `lookup(table, x)`.
//!
//! A table becomes an expression, linear between its points and constant beyond them, so that everything that works on
//! expressions works on it.

use dyverse_expr::{NodeId, Pool, Relation};

/// Rows of one table at the most.
pub(crate) const MOST_ROWS: usize = 10_000;

/// A table: points with ascending x.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Table {
    points: Vec<(f64, f64)>,
}

impl Table {
    /// Reads a table: two numbers a line, separated by a comma, a semicolon or blanks. Lines before the first number are a
    /// heading; empty lines and those that begin with `#` are skipped.
    ///
    /// # Errors
    /// What is wrong, with the number of the line.
    pub(crate) fn parse(text: &str) -> Result<Table, String> {
        let mut points: Vec<(f64, f64)> = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let fields: Vec<&str> = line
                .split(|c: char| c == ',' || c == ';' || c.is_whitespace())
                .filter(|field| !field.is_empty())
                .collect();
            let numbers: Option<Vec<f64>> = fields
                .iter()
                .map(|field| field.parse().ok().filter(|n: &f64| n.is_finite()))
                .collect();
            match numbers.as_deref() {
                Some([x, y]) => {
                    if points.last().is_some_and(|(last, _)| last >= x) {
                        return Err(format!("line {}: the first column must ascend", number + 1));
                    }
                    points.push((*x, *y));
                }
                _ if points.is_empty() && fields.iter().all(|field| field.parse::<f64>().is_err()) => {}
                Some(found) => {
                    return Err(format!("line {}: two numbers, not {}", number + 1, found.len()));
                }
                None => return Err(format!("line {}: not a number", number + 1)),
            }
            if points.len() > MOST_ROWS {
                return Err(format!("more than {MOST_ROWS} rows"));
            }
        }
        if points.is_empty() {
            return Err("no row of numbers".into());
        }
        Ok(Table { points })
    }

    /// The table's value at x, as an expression.
    pub(crate) fn interpolate(&self, pool: &mut Pool, x: NodeId) -> NodeId {
        let mut pieces: Vec<(f64, NodeId)> = Vec::new();
        let (Some(first), Some(last)) = (self.points.first(), self.points.last()) else {
            return pool.number(0.0);
        };
        pieces.push((f64::NEG_INFINITY, pool.number(first.1)));
        for pair in self.points.windows(2) {
            if let [(x0, y0), (x1, y1)] = pair {
                let (start, value) = (pool.number(*x0), pool.number(*y0));
                let slope = pool.number((y1 - y0) / (x1 - x0));
                let along = pool.subtract(x, start);
                let rise = pool.multiply(slope, along);
                pieces.push((*x0, pool.add(value, rise)));
            }
        }
        pieces.push((last.0, pool.number(last.1)));
        choose(pool, x, &pieces)
    }
}

/// The piece in which x lies, by halves: the depth is that of a binary search.
fn choose(pool: &mut Pool, x: NodeId, pieces: &[(f64, NodeId)]) -> NodeId {
    match pieces {
        [] => pool.number(0.0),
        [(_, value)] => *value,
        _ => {
            let (below, above) = pieces.split_at(pieces.len() / 2);
            let start = above.first().map_or(0.0, |(start, _)| *start);
            let (below, above) = (choose(pool, x, below), choose(pool, x, above));
            let start = pool.number(start);
            let is_below = pool.compare(Relation::Less, x, start);
            pool.select(is_below, below, above)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dyverse_expr::{Program, SymbolId};

    #[test]
    fn tables_are_linear_between_their_points() {
        let table = Table::parse("t,u\n# a comment\n0, 1\n1; 3\n\n2 3\n4\t-1\n").unwrap();
        let mut pool = Pool::new();
        let x = pool.symbol(SymbolId(0));
        let root = table.interpolate(&mut pool, x);
        let tape = Program::new(&pool, &[root]);
        for (x, y) in [
            (-1.0, 1.0),
            (0.0, 1.0),
            (0.5, 2.0),
            (1.5, 3.0),
            (3.0, 1.0),
            (9.0, -1.0),
        ] {
            assert_eq!(tape.numbers(|_| x), [y], "at {x}");
        }
    }

    #[test]
    fn what_is_no_table_is_refused_with_its_line() {
        for (text, why) in [
            ("", "no row"),
            ("a b", "no row"),
            ("0 1\n0 2", "line 2: the first column must ascend"),
            ("0 1\n1 x", "line 2: not a number"),
            ("0 1 2", "line 1: two numbers, not 3"),
            ("1 inf", "line 1"),
        ] {
            let found = Table::parse(text).unwrap_err();
            assert!(found.contains(why), "{text:?}: {found}");
        }
    }
}
