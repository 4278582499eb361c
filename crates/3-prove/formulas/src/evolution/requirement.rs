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
    clauses: Vec<Clause>,
}

/// A truth value of the model, and when it must be so.
#[derive(Clone, Debug, PartialEq)]
struct Clause {
    from: f64,
    to: f64,
    truth: NodeId,
    /// Whether it must be false.
    is_negated: bool,
}

impl Requirement {
    /// A property as a requirement; `horizon` ends windows that have no end.
    ///
    /// # Errors
    /// For temporal operators that are not proved, and a window without an end.
    pub fn new(property: &Property, horizon: Option<f64>) -> Result<Self, Obstacle> {
        let mut clauses = Vec::new();
        let mut waiting = vec![property.root()];
        while let Some(id) = waiting.pop() {
            let (window, (truth, is_negated)) = match property.part(id) {
                Formula::And(a, b) => {
                    waiting.extend([*b, *a]);
                    continue;
                }
                Formula::Always(window, inner) => (bounded(*window, horizon)?, literal(property, *inner)?),
                Formula::Not(inner) => {
                    // not eventually φ = always not φ
                    let Formula::Eventually(window, body) = property.part(*inner) else {
                        return not_proved();
                    };
                    let window = bounded(*window, horizon)?;
                    let (truth, is_negated) = literal(property, *body)?;
                    (window, (truth, !is_negated))
                }
                Formula::Now(truth) => (Window { from: 0.0, to: 0.0 }, (*truth, false)),
                Formula::Or(..) | Formula::Eventually(..) | Formula::Until(..) => return not_proved(),
            };
            clauses.push(Clause {
                from: window.from,
                to: window.to,
                truth,
                is_negated,
            });
        }
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
        self.clauses.iter().map(|clause| clause.to).fold(0.0, f64::max)
    }

    /// The windows in which its parts must hold, s.
    pub fn windows(&self) -> Vec<(f64, f64)> {
        let mut all: Vec<(f64, f64)> = self.clauses.iter().map(|own| (own.from, own.to)).collect();
        all.dedup();
        all
    }

    /// Its truth values.
    pub(crate) fn truths(&self) -> impl Iterator<Item = NodeId> {
        self.clauses.iter().map(|clause| clause.truth)
    }

    /// Each clause as a condition, from that of a truth value of the model.
    pub(crate) fn condition(
        &self,
        of: &mut dyn FnMut(NodeId) -> Result<Condition, Obstacle>,
    ) -> Result<Vec<Condition>, Obstacle> {
        let one = |clause: &Clause| {
            let condition = of(clause.truth)?;
            Ok(if clause.is_negated {
                condition.negated()
            } else {
                condition
            })
        };
        self.clauses.iter().map(one).collect()
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
            .map(|(Clause { from, to, .. }, condition)| {
                let mut ways = vec![condition];
                let now = pool.symbol(time);
                let mut outside = |end: f64, relation: Relation| {
                    let end = pool.literal(decimal(end));
                    let node = pool.subtract(now, end);
                    ways.push(Condition::Atom(Constraint { node, relation }));
                };
                if *from > 0.0 {
                    outside(*from, Relation::Less);
                }
                outside(*to, Relation::Greater);
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

/// A truth value at the present time, and whether it is negated: a Boolean combination without temporal operators is one truth value.
fn literal(property: &Property, mut id: FormulaId) -> Result<(NodeId, bool), Obstacle> {
    let mut is_negated = false;
    while let Formula::Not(inner) = property.part(id) {
        (id, is_negated) = (*inner, !is_negated);
    }
    match property.part(id) {
        Formula::Now(truth) => Ok((*truth, is_negated)),
        _ => not_proved(),
    }
}
