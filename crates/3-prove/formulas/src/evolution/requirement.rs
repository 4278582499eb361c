//! Properties that can be proved: at all times of a window, a Boolean combination of comparisons.
//!
//! `always [a, b] φ` and conjunctions of such. `never φ` is `always not φ`. Others (`eventually`, `until`, nesting) are for falsification.

use crate::{Condition, Constraint, Obstacle, Relation};
use dyverse_expr::{Literal, NodeId, Pool, SymbolId};
use dyverse_model::{Formula, FormulaId, Property, Window};

/// What must hold at all times of windows.
#[derive(Clone, Debug, PartialEq)]
pub struct Requirement {
    name: String,
    clauses: Vec<(f64, f64, Tree)>,
}

/// A Boolean combination of truth values of the model.
#[derive(Clone, Debug, PartialEq)]
enum Tree {
    Now(NodeId),
    Not(Box<Tree>),
    And(Box<Tree>, Box<Tree>),
    Or(Box<Tree>, Box<Tree>),
}

impl Requirement {
    /// A property as a requirement; `horizon` ends windows that have no end.
    ///
    /// # Errors
    /// For temporal operators that are not proved, and a window without an end.
    pub fn new(property: &Property, horizon: Option<f64>) -> Result<Self, Obstacle> {
        let mut clauses = Vec::new();
        collect(property, property.root(), horizon, &mut clauses)?;
        Ok(Requirement {
            name: property.name.clone(),
            clauses,
        })
    }

    /// Nothing is asked: every run is safe.
    pub fn nothing() -> Self {
        Requirement {
            name: String::new(),
            clauses: Vec::new(),
        }
    }

    /// The property's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The last time it looks at.
    pub fn horizon(&self) -> f64 {
        self.clauses.iter().map(|(_, to, _)| *to).fold(0.0, f64::max)
    }

    /// The windows in which its parts must hold, s.
    pub fn windows(&self) -> Vec<(f64, f64)> {
        let mut all: Vec<(f64, f64)> = self.clauses.iter().map(|(from, to, _)| (*from, *to)).collect();
        all.dedup();
        all
    }

    /// Whether one of its truth values is such.
    pub(crate) fn reads(&self, is_such: &dyn Fn(NodeId) -> bool) -> bool {
        self.clauses.iter().any(|(_, _, tree)| tree.reads(is_such))
    }

    /// Its truth values.
    pub(crate) fn truths(&self) -> Vec<NodeId> {
        let all = std::cell::RefCell::new(Vec::new());
        self.reads(&|node| {
            all.borrow_mut().push(node);
            false
        });
        all.into_inner()
    }

    /// Each clause as a condition, from that of a truth value of the model.
    pub(crate) fn condition(
        &self,
        of: &mut dyn FnMut(NodeId) -> Result<Condition, Obstacle>,
    ) -> Result<Vec<Condition>, Obstacle> {
        self.clauses
            .iter()
            .map(|(_, _, tree)| tree.condition(of))
            .collect()
    }

    /// All clauses, each only in its window, to which every moment at its first and at its last time belongs.
    pub(crate) fn within_windows(
        &self,
        conditions: Vec<Condition>,
        pool: &mut Pool,
        time: SymbolId,
    ) -> Condition {
        let parts = self
            .clauses
            .iter()
            .zip(conditions)
            .map(|((from, to, _), condition)| {
                let mut ways = vec![condition];
                let now = pool.symbol(time);
                let mut outside = |end: f64, relation: Relation| {
                    let end = pool.literal(decimal(end));
                    let node = pool.subtract(now, end);
                    ways.push(Condition::Atom(Constraint { node, relation }));
                };
                if *from > 0.0 {
                    outside(*from, Relation::Negative);
                }
                outside(*to, Relation::Positive);
                Condition::Or(ways)
            });
        Condition::And(parts.collect())
    }
}

/// An end of a window as the decimal that it was written as: the shortest one of this double. `0.3` is no double, and a window that ends at 0.3 ends where a guard `time >= 0.3`
/// becomes true.
fn decimal(end: f64) -> Literal {
    // All digits that a double can have; both texts are exact.
    let digits = format!("{end:.1100}");
    let is_exact = match digits.split_once('.') {
        Some((whole, fraction)) => {
            let fraction = fraction.trim_end_matches('0');
            let written = if fraction.is_empty() {
                whole.to_owned()
            } else {
                format!("{whole}.{fraction}")
            };
            written == format!("{end}")
        }
        None => false,
    };
    if is_exact {
        Literal::exact(end)
    } else {
        Literal::nearest(end)
    }
}

impl Tree {
    fn reads(&self, is_such: &dyn Fn(NodeId) -> bool) -> bool {
        match self {
            Tree::Now(node) => is_such(*node),
            Tree::Not(inner) => inner.reads(is_such),
            Tree::And(a, b) | Tree::Or(a, b) => a.reads(is_such) || b.reads(is_such),
        }
    }

    fn condition(
        &self,
        of: &mut dyn FnMut(NodeId) -> Result<Condition, Obstacle>,
    ) -> Result<Condition, Obstacle> {
        Ok(match self {
            Tree::Now(node) => of(*node)?,
            Tree::Not(inner) => inner.condition(of)?.negated(),
            Tree::And(a, b) => Condition::And(vec![a.condition(of)?, b.condition(of)?]),
            Tree::Or(a, b) => Condition::Or(vec![a.condition(of)?, b.condition(of)?]),
        })
    }
}

fn collect(
    property: &Property,
    id: FormulaId,
    horizon: Option<f64>,
    clauses: &mut Vec<(f64, f64, Tree)>,
) -> Result<(), Obstacle> {
    match property.part(id) {
        Formula::And(a, b) => {
            collect(property, *a, horizon, clauses)?;
            collect(property, *b, horizon, clauses)
        }
        Formula::Always(window, inner) => {
            let window = bounded(*window, horizon)?;
            clauses.push((window.from, window.to, tree(property, *inner)?));
            Ok(())
        }
        Formula::Not(inner) => {
            // not eventually φ = always not φ
            let Formula::Eventually(window, body) = property.part(*inner) else {
                return not_proved();
            };
            let window = bounded(*window, horizon)?;
            let never = Tree::Not(Box::new(tree(property, *body)?));
            clauses.push((window.from, window.to, never));
            Ok(())
        }
        Formula::Now(_) => {
            clauses.push((0.0, 0.0, tree(property, id)?));
            Ok(())
        }
        Formula::Or(..) | Formula::Eventually(..) | Formula::Until(..) => not_proved(),
    }
}

/// A window with an end.
fn bounded(window: Option<Window>, horizon: Option<f64>) -> Result<Window, Obstacle> {
    window
        .or(horizon.map(|to| Window { from: 0.0, to }))
        .ok_or_else(|| Obstacle {
            what: "how long must it hold? write `always [0, T]`, or give the model a horizon".into(),
        })
}

fn not_proved<T>() -> Result<T, Obstacle> {
    Err(Obstacle {
        what: "only `always` and `never` over Boolean combinations are proved; a search for a counterexample is made all the same".into(),
    })
}

fn tree(property: &Property, id: FormulaId) -> Result<Tree, Obstacle> {
    let both = |a: &FormulaId, b: &FormulaId| -> Result<(Box<Tree>, Box<Tree>), Obstacle> {
        Ok((Box::new(tree(property, *a)?), Box::new(tree(property, *b)?)))
    };
    match property.part(id) {
        Formula::Now(node) => Ok(Tree::Now(*node)),
        Formula::Not(inner) => Ok(Tree::Not(Box::new(tree(property, *inner)?))),
        Formula::And(a, b) => both(a, b).map(|(a, b)| Tree::And(a, b)),
        Formula::Or(a, b) => both(a, b).map(|(a, b)| Tree::Or(a, b)),
        _ => not_proved(),
    }
}
