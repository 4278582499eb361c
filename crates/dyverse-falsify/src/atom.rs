//! Atoms: comparisons, as functions of time whose sign says whether they hold [Fainekos, Pappas 2009; Donzé, Maler 2010].
//!
//! | comparison | value |
//! |---|---|
//! | a < b, a ≤ b | b − a |
//! | a > b, a ≥ b | a − b |
//! | a = b | −\|a − b\| |
//! | a ≠ b | \|a − b\| |
//! | touching(a, b) | 1 while they touch, else how far the gap is beyond the tolerance, below zero |
//!
//! So what is strict and what is not have the same value, and where it is 0 it says nothing.
//!
//! Atoms have kinks and jumps where an `abs`, `min`, `max`, `sign`, `floor` or `if` inside them switches. Those places are found first (sign changes of what
//! the switch asks for) and become instants, so that atoms are smooth between instants.

use crate::course::{Course, Formulas};
use crate::monotone::{bisect, extrema, largest, noise};
use dyverse_expr::{BinaryFunction, Node, NodeId, Pool, Relation, SymbolId, Tape, UnaryFunction};
use std::collections::BTreeSet;

/// What an atom compares.
enum Kind {
    Compare(Relation),
    Truth(SymbolId),
}

/// A comparison.
pub(crate) struct Atom {
    kind: Kind,
    tape: Tape,
    work: Vec<f64>,
}

impl Atom {
    pub(crate) fn new(
        pool: &Pool,
        course: &mut dyn Course,
        relation: Relation,
        a: NodeId,
        b: NodeId,
    ) -> Self {
        let kind = match (relation, pool.node(a)) {
            (Relation::Equal, Node::Symbol(id)) if course.truth(id).is_some() => Kind::Truth(id),
            _ => Kind::Compare(relation),
        };
        Atom {
            kind,
            tape: Tape::new(pool, &[a, b]),
            work: Vec::new(),
        }
    }

    /// Its value where the course is; NaN if it has none.
    pub(crate) fn value(&mut self, course: &mut dyn Course) -> f64 {
        match self.kind {
            Kind::Truth(id) => match course.truth(id) {
                Some(margin) if margin >= 0.0 => 1.0,
                margin => margin.unwrap_or(f64::NAN),
            },
            Kind::Compare(relation) => {
                let (a, b) = self.operands(course);
                match relation {
                    Relation::Less | Relation::LessEqual => b - a,
                    Relation::Greater | Relation::GreaterEqual => a - b,
                    Relation::Equal => -(a - b).abs(),
                    Relation::NotEqual => (a - b).abs(),
                }
            }
        }
    }

    /// What rounding of its parts may account for, where it was evaluated last.
    pub(crate) fn noise(&self) -> f64 {
        noise(largest(&self.work))
    }

    /// How large what it compares is where the course is.
    pub(crate) fn size(&mut self, course: &mut dyn Course) -> f64 {
        let (a, b) = self.operands(course);
        a.abs().max(b.abs())
    }

    fn operands(&mut self, course: &mut dyn Course) -> (f64, f64) {
        self.tape.run(|id| course.symbol(id), &mut self.work);
        (self.tape.result(&self.work, 0), self.tape.result(&self.work, 1))
    }
}

/// A number whose sign decides how something goes on.
enum Switch {
    Number(Tape),
    Difference(Tape),
    /// Switches where this is an integer.
    Integer(Tape),
    /// A symbol that is a truth value.
    Truth(SymbolId),
}

impl Switch {
    fn value(&self, course: &mut dyn Course, work: &mut Vec<f64>) -> f64 {
        let mut run = |tape: &Tape| {
            tape.run(|id| course.symbol(id), work);
            tape.result(work, 0)
        };
        match self {
            Switch::Number(tape) => run(tape),
            Switch::Difference(tape) => run(tape) - tape.result(work, 1),
            Switch::Integer(tape) => (std::f64::consts::PI * run(tape)).sin(),
            Switch::Truth(id) => {
                let margin = course.truth(*id).unwrap_or(f64::NAN);
                work.clear();
                work.push(margin);
                margin
            }
        }
    }
}

/// The switches inside the numbers that some truth values compare.
fn switches(formulas: &Formulas<'_>, course: &mut dyn Course) -> Vec<Switch> {
    let pool = formulas.pool;
    let mut inside = BTreeSet::new();
    let mut found = Vec::new();
    let mut truths = BTreeSet::new();
    for symbol in pool.symbols(&formulas.truths()) {
        if course.truth(symbol).is_some() {
            truths.insert(symbol);
            found.push(Switch::Truth(symbol));
        }
    }
    for truth in pool.reachable(&formulas.truths()) {
        if let Node::Compare(_, a, b) = pool.node(truth) {
            inside.extend(pool.reachable(&[a, b]));
        }
    }
    // Equations have a kink where they hold.
    let equations = pool.reachable(&formulas.truths()).into_iter().filter(|id| {
        matches!(
            pool.node(*id),
            Node::Compare(Relation::Equal | Relation::NotEqual, ..)
        )
    });
    inside.extend(equations);
    let is_truth = |id: NodeId| matches!(pool.node(id), Node::Symbol(symbol) if truths.contains(&symbol));
    for id in inside {
        match pool.node(id) {
            // Its own switch is better than the jump of its value.
            Node::Compare(Relation::Equal, a, _) if is_truth(a) => {}
            Node::Unary(UnaryFunction::Abs | UnaryFunction::Sign, a) => {
                found.push(Switch::Number(Tape::new(pool, &[a])));
            }
            Node::Unary(UnaryFunction::Floor, a) => found.push(Switch::Integer(Tape::new(pool, &[a]))),
            Node::Binary(BinaryFunction::Min | BinaryFunction::Max, a, b) | Node::Compare(_, a, b) => {
                found.push(Switch::Difference(Tape::new(pool, &[a, b])));
            }
            _ => {}
        }
    }
    found
}

/// What a boundary of the grid is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Boundary {
    /// An instant of the course.
    Instant(usize),
    /// A switch between an instant and the next: the last time before it, and the first after it.
    Switch(usize, f64, f64),
}

/// Instants and switches in order: between neighbours all atoms are smooth.
pub(crate) struct Grid {
    pub(crate) boundaries: Vec<(f64, Boundary)>,
}

impl Grid {
    pub(crate) fn new(formulas: &Formulas<'_>, course: &mut dyn Course) -> Self {
        let switches = switches(formulas, course);
        let instants = course.instants().to_vec();
        let mut boundaries = Vec::new();
        for (number, t) in instants.iter().enumerate() {
            boundaries.push((*t, Boundary::Instant(number)));
            let Some(next) = instants.get(number + 1) else {
                break;
            };
            let mut found: Vec<(f64, f64)> = Vec::new();
            for switch in &switches {
                crossings(switch, course, number, (*t, *next), &mut found);
            }
            found.sort_by(|a, b| a.0.total_cmp(&b.0));
            let mut last = *t;
            for (before, after) in found {
                if before > last && after < *next {
                    boundaries.push((after, Boundary::Switch(number, before, after)));
                    last = after;
                }
            }
        }
        Grid { boundaries }
    }

    /// The instant of the course after which a section of the grid lies.
    pub(crate) fn instant_before(&self, section: usize) -> usize {
        match self.boundaries[section].1 {
            Boundary::Instant(number) | Boundary::Switch(number, ..) => number,
        }
    }

    /// The section in which a time lies.
    pub(crate) fn section(&self, t: f64) -> usize {
        let after = self.boundaries.partition_point(|(at, _)| *at <= t);
        after
            .saturating_sub(1)
            .min(self.boundaries.len().saturating_sub(2))
    }
}

fn crossings(
    switch: &Switch,
    course: &mut dyn Course,
    number: usize,
    (from, to): (f64, f64),
    found: &mut Vec<(f64, f64)>,
) {
    let mut work = Vec::new();
    let mut size: f64 = 0.0;
    for t in [from, 0.5 * (from + to), to] {
        course.go_between(number, t);
        switch.value(course, &mut work);
        size = size.max(largest(&work));
    }
    let mut value = |t: f64| {
        course.go_between(number, t);
        switch.value(course, &mut work)
    };
    let Some(turns) = extrema(from, to, noise(size), &mut value) else {
        return;
    };
    let mut nodes = vec![(from, value(from))];
    nodes.extend(turns);
    nodes.push((to, value(to)));
    for pair in nodes.windows(2) {
        let ((a, before), (b, after)) = (pair[0], pair[1]);
        if before * after < 0.0 {
            found.push(bisect(a, b, |t| (value(t) > 0.0) == (after > 0.0)));
        } else if after == 0.0 && b < to {
            found.push((b.next_down(), b));
        }
    }
}
