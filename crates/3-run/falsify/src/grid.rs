//! Instants and switches in order: between neighbours all atoms are smooth.
//!
//! A switch is a number whose sign (or, of a floor, whose whole part) decides how something goes on: the argument of `abs` and `sign`, the difference of what `min`, `max`
//! and comparisons compare. Where it goes through zero is located to neighbouring times; between those it is exactly zero, which no double need show. So a switch has three moments:
//! just before, exactly there, just after. One that lies at an instant of the course (a simulator ends its steps there) is a moment of that instant.
//!
//! # Doubt
//! `sign`, `floor` and conditions *jump* where they switch: there the least error of a run decides between two values that are far apart. Where the number of such a switch stays within what a
//! run may be wrong by, and does not go through zero, nothing is known of what it decides.
//!
//! # Guarantee
//! A switch counts if its number goes to both sides by more than what a run may be wrong by. Touching zero does not count: whether it does is not for a run to say.

use crate::course::{Course, Formulas, of_run};
use crate::monotone::{bisect, extrema, largest, noise};
use dyverse_expr::{BinaryFunction, Node, NodeId, Pool, Program, Relation, SymbolId, UnaryFunction};
use dyverse_num::Interval;
use std::collections::{BTreeMap, BTreeSet};

/// What a number must go beyond zero to both sides by to go through zero: what a run may be wrong by.
const DEPTH: f64 = 1e-9;

/// What switches with its whole part, or with its sign: one number, or the difference of two, or the margin of a symbol that is a truth value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Argument {
    Integer(NodeId),
    Number(NodeId),
    Difference(NodeId, NodeId),
    Truth(SymbolId),
}

impl Argument {
    /// The same for everything that switches at the same time because it is written so: x, −x, x − 0; a − b and b − a.
    fn usual(self, pool: &Pool) -> Self {
        let is_zero = |id: NodeId| matches!(pool.node(id), Node::Number(literal) if literal.value() == 0.0);
        let mut usual = self;
        loop {
            let next = match usual {
                Argument::Difference(a, b) if is_zero(b) => Argument::Number(a),
                Argument::Difference(a, b) if is_zero(a) => Argument::Number(b),
                Argument::Difference(a, b) if b < a => Argument::Difference(b, a),
                Argument::Number(a) => match pool.node(a) {
                    Node::Unary(UnaryFunction::Negate, x) => Argument::Number(x),
                    Node::Binary(BinaryFunction::Subtract, x, y) => Argument::Difference(x, y),
                    _ => return usual,
                },
                _ => return usual,
            };
            usual = next;
        }
    }

    fn tape(self, pool: &Pool) -> Program {
        match self {
            Argument::Integer(a) | Argument::Number(a) => Program::new(pool, &[a]),
            Argument::Difference(a, b) => Program::new(pool, &[a, b]),
            Argument::Truth(_) => Program::new(pool, &[]),
        }
    }
}

struct Switch {
    argument: Argument,
    tape: Program,
    /// What switches there.
    nodes: Vec<NodeId>,
}

impl Switch {
    fn value(&self, course: &mut dyn Course, work: &mut Vec<f64>) -> f64 {
        if let Argument::Truth(symbol) = self.argument {
            let margin = course.truth(symbol).unwrap_or(f64::NAN);
            work.clear();
            work.push(margin);
            return margin;
        }
        self.tape.run(|id| course.symbol(id), work);
        let first = self.tape.result(work, 0);
        match self.argument {
            Argument::Number(_) | Argument::Truth(_) => first,
            Argument::Difference(..) => first - self.tape.result(work, 1),
            Argument::Integer(_) => (std::f64::consts::PI * first).sin(),
        }
    }
}

impl Switch {
    /// Whether its number has no error where the course is.
    fn is_exact(&self, course: &mut dyn Course) -> bool {
        let values = self.tape.numbers(|id| of_run(id, course));
        values.iter().all(Interval::is_point)
    }
}

/// All switches of a property.
pub(crate) struct Switches<'f> {
    pool: &'f Pool,
    all: Vec<Switch>,
}

impl<'f> Switches<'f> {
    /// The switches inside the numbers that some truth values compare.
    fn new(formulas: &Formulas<'f>, course: &mut dyn Course) -> Self {
        let pool = formulas.pool;
        // Its own margin is a better switch than the jump of its value.
        let mut truth_of = |id: NodeId| match pool.node(id) {
            Node::Symbol(symbol) => course.truth(symbol).map(|_| symbol),
            _ => None,
        };
        let truths = pool.reachable(&formulas.truths());
        let mut inside = BTreeSet::new();
        for truth in &truths {
            if let Node::Compare(relation, a, b) = pool.node(*truth) {
                inside.extend(pool.reachable(&[a, b]));
                // Equations have a kink where they hold.
                if matches!(relation, Relation::Equal | Relation::NotEqual) {
                    inside.insert(*truth);
                }
            }
        }
        let mut found: BTreeMap<Argument, Vec<NodeId>> = BTreeMap::new();
        for id in inside {
            let argument = match pool.node(id) {
                Node::Unary(UnaryFunction::Abs | UnaryFunction::Sign, a) => Argument::Number(a),
                Node::Unary(UnaryFunction::Floor, a) => Argument::Integer(a),
                Node::Binary(BinaryFunction::Min | BinaryFunction::Max, a, b) => Argument::Difference(a, b),
                Node::Compare(_, a, b) => truth_of(a).map_or(Argument::Difference(a, b), Argument::Truth),
                _ => continue,
            };
            found.entry(argument.usual(pool)).or_default().push(id);
        }
        let switch = |(argument, nodes): (Argument, Vec<NodeId>)| Switch {
            argument,
            tape: argument.tape(pool),
            nodes,
        };
        Switches {
            pool,
            all: found.into_iter().map(switch).collect(),
        }
    }

    /// Whether a comparison is one of those that a switch turns.
    pub(crate) fn has(&self, switch: usize, node: NodeId) -> bool {
        self.all.get(switch).is_some_and(|s| s.nodes.contains(&node))
    }

    /// The switches at which numbers jump.
    pub(crate) fn jumps_of(&self, operands: &[NodeId]) -> Vec<usize> {
        let inside: BTreeSet<NodeId> = self.pool.reachable(operands).into_iter().collect();
        let jumps = |id: &NodeId| {
            let node = self.pool.node(*id);
            let is_jump = matches!(
                node,
                Node::Unary(UnaryFunction::Sign | UnaryFunction::Floor, _) | Node::Compare(..)
            );
            is_jump && inside.contains(id)
        };
        let is_truth = |s: &Switch| matches!(s.argument, Argument::Truth(_));
        let all = self.all.iter().enumerate();
        all.filter(|(_, s)| !is_truth(s) && s.nodes.iter().any(jumps))
            .map(|(place, _)| place)
            .collect()
    }

    /// Whether errors of the run decide on which side a switch is, where the course is.
    pub(crate) fn is_doubtful(&self, switch: usize, course: &mut dyn Course) -> bool {
        let Some(switch) = self.all.get(switch) else {
            return false;
        };
        let mut work = Vec::new();
        let value = switch.value(course, &mut work);
        let size = largest(&work).max(1.0);
        value.abs() <= DEPTH * size && !switch.is_exact(course)
    }

    /// Formulas where some switches are exactly zero.
    pub(crate) fn at_zero(&self, switches: &[usize], roots: &[NodeId]) -> Program {
        let mut pool = self.pool.clone();
        let mut new: BTreeMap<NodeId, NodeId> = BTreeMap::new();
        for id in self.pool.reachable(roots) {
            let of = |operand: NodeId| new.get(&operand).copied().unwrap_or(operand);
            let is_zero = switches.iter().any(|s| self.has(*s, id));
            let rebuilt = match pool.node(id) {
                Node::Unary(UnaryFunction::Floor, a) if is_zero => {
                    let half = pool.number(0.5);
                    let nearest = pool.add(of(a), half);
                    pool.unary(UnaryFunction::Floor, nearest)
                }
                Node::Unary(..) if is_zero => pool.number(0.0),
                Node::Binary(_, a, _) if is_zero => of(a),
                Node::Compare(relation, ..) if is_zero => pool.boolean(matches!(
                    relation,
                    Relation::LessEqual | Relation::GreaterEqual | Relation::Equal
                )),
                _ => pool.rebuild(id, of),
            };
            new.insert(id, rebuilt);
        }
        let roots: Vec<NodeId> = roots
            .iter()
            .map(|root| new.get(root).copied().unwrap_or(*root))
            .collect();
        Program::new(&pool, &roots)
    }
}

/// A switch that is exactly zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Zero {
    pub(crate) switch: usize,
    /// How far its number goes to either side, at least.
    pub(crate) depth: f64,
}

/// What a boundary of the grid is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Boundary {
    /// An instant of the course.
    Instant(usize),
    /// A switch between an instant and the next: the last time before it, and the first after it.
    Switch(usize, f64, f64),
}

/// Instants and switches in order.
pub(crate) struct Grid<'f> {
    pub(crate) switches: Switches<'f>,
    pub(crate) boundaries: Vec<(f64, Boundary)>,
    /// For each boundary: the switches that are exactly zero there.
    zeros: Vec<Vec<Zero>>,
}

/// A switch between two instants: the last time before it, the first after it.
struct Crossing {
    before: f64,
    after: f64,
    zero: Zero,
}

/// How a number begins and ends between two instants: the values there, and at the nearest extremum (or the other end).
#[derive(Clone, Copy)]
struct Ends {
    first: f64,
    from_first: f64,
    to_last: f64,
    last: f64,
    noise: f64,
}

impl<'f> Grid<'f> {
    pub(crate) fn new(formulas: &Formulas<'f>, course: &mut dyn Course) -> Self {
        let switches = Switches::new(formulas, course);
        let instants = course.instants().to_vec();
        let mut grid = Grid {
            boundaries: Vec::new(),
            zeros: Vec::new(),
            switches,
        };
        let mut before: Vec<Option<Ends>> = vec![None; grid.switches.all.len()];
        for (number, t) in instants.iter().enumerate() {
            let Some(next) = instants.get(number + 1) else {
                grid.push(*t, Boundary::Instant(number), Vec::new());
                break;
            };
            let mut found: Vec<Crossing> = Vec::new();
            let mut here = Vec::new();
            for (place, switch) in grid.switches.all.iter().enumerate() {
                let ends = crossings(switch, place, course, number, (*t, *next), &mut found);
                let depth = before[place]
                    .zip(ends)
                    .and_then(|(left, right)| through(left, right));
                here.extend(depth.map(|depth| Zero { switch: place, depth }));
                before[place] = ends;
            }
            grid.push(*t, Boundary::Instant(number), here);
            found.sort_by(|a, b| a.before.total_cmp(&b.before));
            let mut last = *t;
            for crossing in found {
                let Crossing { before, after, zero } = crossing;
                let twin = grid.boundaries.last().map(|(_, boundary)| *boundary);
                let is_twin = twin == Some(Boundary::Switch(number, before, after));
                if !is_twin && before > last && after < *next {
                    grid.push(after, Boundary::Switch(number, before, after), Vec::new());
                    last = after;
                } else if !is_twin {
                    continue;
                }
                if let Some(zeros) = grid.zeros.last_mut().filter(|_| zero.depth > 0.0) {
                    zeros.push(zero);
                }
            }
        }
        grid
    }

    fn push(&mut self, t: f64, boundary: Boundary, zeros: Vec<Zero>) {
        self.boundaries.push((t, boundary));
        self.zeros.push(zeros);
    }

    /// How many moments a boundary has.
    pub(crate) fn moments(&self, place: usize, course: &dyn Course) -> usize {
        let usual = match self.boundaries[place].1 {
            Boundary::Instant(number) => course.microsteps(number).len(),
            Boundary::Switch(..) => 2,
        };
        usual + usize::from(!self.zeros[place].is_empty())
    }

    /// The moment of the course that a moment of an instant is: where switches are zero is the limit from the left.
    pub(crate) fn moment(&self, place: usize, moment: usize) -> usize {
        if self.zeros[place].is_empty() {
            moment
        } else {
            moment.saturating_sub(1)
        }
    }

    /// The switches that go through zero at a boundary.
    pub(crate) fn zeros_at(&self, place: usize) -> &[Zero] {
        &self.zeros[place]
    }

    /// Goes to a moment of a boundary; the switches that are exactly zero there.
    pub(crate) fn go(&self, place: usize, moment: usize, course: &mut dyn Course) -> &[Zero] {
        let zeros: &[Zero] = &self.zeros[place];
        let is_zero = !zeros.is_empty() && moment == 1;
        match self.boundaries[place].1 {
            Boundary::Instant(number) => course.go_to(number, self.moment(place, moment)),
            Boundary::Switch(number, before, after) => {
                course.go_between(number, if moment == 0 { before } else { after });
            }
        }
        if is_zero { zeros } else { &[] }
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

/// How far a number goes to both sides of an instant at which it is zero, if it is: it comes from one side and leaves to the other without a jump.
fn through(left: Ends, right: Ends) -> Option<f64> {
    let depth = left.to_last.abs().min(right.from_first.abs());
    let near = left.noise.max(right.noise).max(DEPTH * depth);
    let is_there = left.last.abs() <= near && right.first.abs() <= near;
    let is_deep = depth > DEPTH.max(near);
    (is_there && is_deep && left.to_last * right.from_first < 0.0).then_some(depth)
}

/// The switches between two instants, and how the number begins and ends.
fn crossings(
    switch: &Switch,
    place: usize,
    course: &mut dyn Course,
    number: usize,
    (from, to): (f64, f64),
    found: &mut Vec<Crossing>,
) -> Option<Ends> {
    let mut work = Vec::new();
    let mut size: f64 = 0.0;
    for t in [from, 0.5 * (from + to), to] {
        course.go_between(number, t);
        switch.value(course, &mut work);
        size = size.max(largest(&work));
    }
    let noise = noise(size);
    let mut value = |t: f64| {
        course.go_between(number, t);
        switch.value(course, &mut work)
    };
    let turns = extrema(from, to, noise, &mut value)?;
    let mut nodes = vec![(from, value(from))];
    nodes.extend(turns);
    nodes.push((to, value(to)));
    for pair in nodes.windows(2) {
        let ((a, left), (b, right)) = (pair[0], pair[1]);
        if left * right < 0.0 {
            let (before, after) = bisect(a, b, |t| (value(t) > 0.0) == (right > 0.0));
            let depth = left.abs().min(right.abs());
            // What jumps over zero is not zero there.
            let near = noise.max(DEPTH * depth);
            let is_there = value(before).abs() <= near && value(after).abs() <= near;
            let depth = if is_there && depth > DEPTH.max(noise) {
                depth
            } else {
                0.0
            };
            found.push(Crossing {
                before,
                after,
                zero: Zero { switch: place, depth },
            });
        } else if right == 0.0 && b < to {
            found.push(Crossing {
                before: b.next_down(),
                after: b,
                zero: Zero {
                    switch: place,
                    depth: 0.0,
                },
            });
        }
    }
    let of = |place: usize| nodes.get(place).map_or(f64::NAN, |(_, value)| *value);
    // The extreme value next to each end; a turn where it is within noise of the end is none.
    let is_apart = |end: f64, v: &f64| (v - end).abs() > noise;
    let (first, last) = (of(0), of(nodes.len() - 1));
    Some(Ends {
        first,
        from_first: nodes
            .iter()
            .map(|n| n.1)
            .find(|v| is_apart(first, v))
            .unwrap_or(first),
        to_last: nodes
            .iter()
            .rev()
            .map(|n| n.1)
            .find(|v| is_apart(last, v))
            .unwrap_or(last),
        last,
        noise,
    })
}
