//! How far a trace is from breaking a property: the quantitative semantics of the temporal logic [Fainekos, Pappas 2009; Donzé, Maler 2010].
//!
//! | formula | robustness at τ |
//! |---|---|
//! | comparison | atom.rs |
//! | not φ | −ρ(φ, τ) |
//! | φ and ψ, φ or ψ | min, max |
//! | always [a, b] φ, eventually [a, b] φ | inf, sup of ρ(φ, τ′) over the moments τ′ ≥ τ with t + a ≤ t′ ≤ t + b |
//! | φ until [a, b] ψ | sup over such τ′ of min(ρ(ψ, τ′), inf of ρ(φ) over [τ, τ′)) |
//!
//! A property is a formula at the start of the run. (A property that is written without any temporal operator is read as `always`; inside a formula, a comparison that stands under no temporal
//! operator is about the start.) Without a window an operator looks on for ever.
//!
//! # What a trace does not show
//! After its end nothing is known, nor where a signal is absent. The value given is the least upper bound of the robustness over all ways in which the run could go on: if it is below zero, the
//! property is false however it does. An `eventually` without a window therefore never has a finite value that is below zero.
//!
//! # Guarantee
//! Every moment of the trace counts, not only samples: see signal.rs. To the accuracy of the trace's pieces, and of monotone.rs.

use crate::atom::Atom;
use crate::course::{Course, Formulas};
use crate::grid::{Boundary, Grid};
use crate::signal::{End, Id, Pick, Signals, Start};
use dyverse_expr::{Node, NodeId};
use dyverse_model::{Formula, FormulaId, Window};
use dyverse_trace::{SuperdenseTime, told};
use std::collections::{BTreeMap, BTreeSet};

/// Operators within each other at the most.
const MOST_DEEP: u32 = 400;
/// What a run may be wrong by, part of the numbers compared.
pub(crate) const ERROR: f64 = 1e-9;

/// Times that are one time, part of the length of the run.
const AT_ONCE: f64 = 1e-10;

/// How far a trace is from breaking a property.
#[derive(Clone, Debug, PartialEq)]
pub struct Robustness {
    /// Below zero: broken. +∞ if the trace does not say.
    pub value: f64,
    /// What errors of the run may account for.
    pub error: f64,
    /// The first moment at which the property is seen to be broken: of an `always`, when what it asks first fails; of an `eventually`, when its window ends.
    pub first: Option<SuperdenseTime>,
    /// The moment that decides the value.
    pub worst: SuperdenseTime,
    /// How far the trace goes.
    pub reached: SuperdenseTime,
}

impl Robustness {
    /// Whether the property is broken by more than errors of the run.
    pub fn is_violated(&self) -> bool {
        self.value < -self.error
    }
}

told! {
/// Why a property cannot be measured on a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unmeasurable {
    /// The model has no such property.
    NoProperty(name: String) => "the model has no property `{name}`";
    /// The trace holds no motion between samples: it was recorded without pieces.
    NoPieces => "the trace holds no motion between its samples";
    /// The trace does not hold a signal that the property reads.
    NoSignal(name: String) => "the trace does not hold `{name}`, which the property reads";
    /// The trace is not of this model and these options.
    OtherModel(detail: String) => "the trace is not of this model: {detail}";
    /// Too many operators within each other.
    TooDeep => "the property has more than {MOST_DEEP} operators within each other";
}
}

impl std::error::Error for Unmeasurable {}

/// Builds the signals of a property's parts.
pub(crate) struct Builder<'c, 'f> {
    pub(crate) signals: Signals<'c, 'f>,
    pub(crate) formulas: &'f Formulas<'f>,
    atoms: BTreeMap<NodeId, usize>,
    /// By what stands for the unknown: whether it is +∞.
    truths: BTreeMap<(NodeId, bool), Id>,
    parts: BTreeMap<(FormulaId, bool), Id>,
    values: BTreeMap<(FormulaId, bool), f64>,
}

/// The robustness of a property on a course that goes on to `reached`.
pub(crate) fn measure(
    formulas: &Formulas<'_>,
    course: &mut dyn Course,
    reached: SuperdenseTime,
) -> Result<Robustness, Unmeasurable> {
    check_depth(formulas)?;
    course.go_to(0, 0);
    let grid = Grid::new(formulas, course);
    course.go_to(0, 0);
    let mut builder = Builder {
        signals: Signals::new(course, grid),
        formulas,
        atoms: BTreeMap::new(),
        truths: BTreeMap::new(),
        parts: BTreeMap::new(),
        values: BTreeMap::new(),
    };
    let root = FormulaId(formulas.parts.len().saturating_sub(1) as u32);
    let value = builder.at_start(root, true);
    let (_, worst) = builder.locate(root, 1.0, 0.0);
    let size = builder.size_at(worst).max(1.0);
    let first = (value < 0.0).then(|| builder.locate(root, 1.0, 1e-4 * ERROR * size).0);
    Ok(Robustness {
        value,
        error: ERROR * size,
        first: first.flatten().map(|m| builder.moment(m)),
        worst: builder.moment(worst),
        reached,
    })
}

fn check_depth(formulas: &Formulas<'_>) -> Result<(), Unmeasurable> {
    let mut depths: BTreeMap<NodeId, u32> = BTreeMap::new();
    for id in formulas.pool.reachable(&formulas.truths()) {
        let deepest = match formulas.pool.node(id) {
            Node::Not(a) => depths.get(&a).copied(),
            Node::And(a, b) | Node::Or(a, b) => depths.get(&a).max(depths.get(&b)).copied(),
            _ => None,
        };
        depths.insert(id, deepest.unwrap_or(0) + 1);
    }
    let mut parts: Vec<u32> = Vec::new();
    for part in formulas.parts {
        let of = |id: &FormulaId| parts.get(id.0 as usize).copied().unwrap_or(0);
        parts.push(match part {
            Formula::Now(node) => depths.get(node).copied().unwrap_or(0),
            Formula::Not(a) | Formula::Always(_, a) | Formula::Eventually(_, a) => 1 + of(a),
            Formula::And(a, b) | Formula::Or(a, b) => 1 + of(a).max(of(b)),
            Formula::Until(_, a, b) => 3 + of(a).max(of(b)),
        });
    }
    if parts.iter().any(|depth| *depth > MOST_DEEP) {
        return Err(Unmeasurable::TooDeep);
    }
    Ok(())
}

/// From when to when; without a window for ever.
pub(crate) fn ends(window: Option<Window>) -> (f64, f64) {
    window.map_or((0.0, f64::INFINITY), |w| (w.from, w.to))
}

/// What an operator over a window takes.
pub(crate) fn pick(part: &Formula) -> Pick {
    match part {
        Formula::Always(..) | Formula::And(..) => Pick::Least,
        _ => Pick::Most,
    }
}

fn beyond(is_upper: bool) -> f64 {
    if is_upper {
        f64::INFINITY
    } else {
        f64::NEG_INFINITY
    }
}

impl Builder<'_, '_> {
    pub(crate) fn part(&self, id: FormulaId) -> &Formula {
        &self.formulas.parts[id.0 as usize]
    }

    pub(crate) fn start(&self) -> f64 {
        self.signals.grid.boundaries.first().map_or(0.0, |(t, _)| *t)
    }

    /// The robustness of a part at the start: an upper bound, or a lower one.
    pub(crate) fn at_start(&mut self, id: FormulaId, is_upper: bool) -> f64 {
        if let Some(value) = self.values.get(&(id, is_upper)) {
            return *value;
        }
        let start = self.start();
        let value = match self.part(id).clone() {
            Formula::Now(node) => {
                let truth = self.truth(node, is_upper);
                self.signals.at(truth, start)
            }
            Formula::Not(a) => -self.at_start(a, !is_upper),
            ref part @ (Formula::And(a, b) | Formula::Or(a, b)) => {
                let (a, b) = (self.at_start(a, is_upper), self.at_start(b, is_upper));
                pick(part).of(a, b)
            }
            ref part @ (Formula::Always(window, a) | Formula::Eventually(window, a)) => {
                let of = self.signal(a, is_upper);
                let (from, to) = self.window(window);
                let over = self.signals.over(pick(part), from, to, of);
                self.signals.extreme(&over, start, Start::At(0), End::Through)
            }
            Formula::Until(window, a, b) => {
                let (hold, goal) = (self.signal(a, is_upper), self.signal(b, is_upper));
                let (from, to) = self.window(window);
                let whole = self.signals.until(from, to, hold, goal);
                self.signals.at(whole, start)
            }
        };
        self.values.insert((id, is_upper), value);
        value
    }

    /// The window of an operator at the start. What happens within [`AT_ONCE`] of an end happens at the end: a run locates events to rounding, and all that
    /// happens at the ends belongs to a window.
    pub(crate) fn window(&self, window: Option<Window>) -> (f64, f64) {
        let (start, (from, to)) = (self.start(), ends(window));
        let near = AT_ONCE * (self.signals.end - start);
        let instants = self.signals.grid.boundaries.iter();
        let mut instants = instants
            .filter(|(_, b)| matches!(b, Boundary::Instant(_)))
            .map(|(t, _)| t - start);
        let first = instants.clone().find(|t| (t - from).abs() <= near);
        let last = instants.rfind(|t| (t - to).abs() <= near);
        (
            first.map_or(from, |t| t.min(from)),
            last.map_or(to, |t| t.max(to)),
        )
    }

    /// The signal of a part.
    pub(crate) fn signal(&mut self, id: FormulaId, is_upper: bool) -> Id {
        if let Some(known) = self.parts.get(&(id, is_upper)) {
            return *known;
        }
        let made = match self.part(id).clone() {
            Formula::Now(node) => self.truth(node, is_upper),
            Formula::Not(a) => {
                let of = self.signal(a, !is_upper);
                self.signals.negative(of)
            }
            ref part @ (Formula::And(a, b) | Formula::Or(a, b)) => {
                let (a, b) = (self.signal(a, is_upper), self.signal(b, is_upper));
                self.signals.extreme_of(pick(part), a, b)
            }
            ref part @ (Formula::Always(window, a) | Formula::Eventually(window, a)) => {
                let of = self.signal(a, is_upper);
                let (from, to) = ends(window);
                let over = self.signals.over(pick(part), from, to, of);
                self.signals.extreme_over(over)
            }
            Formula::Until(window, a, b) => {
                let (hold, goal) = (self.signal(a, is_upper), self.signal(b, is_upper));
                let (from, to) = ends(window);
                self.signals.until(from, to, hold, goal)
            }
        };
        self.parts.insert((id, is_upper), made);
        made
    }

    /// The signal of a truth value at the present time.
    fn truth(&mut self, node: NodeId, is_upper: bool) -> Id {
        let pool = self.formulas.pool;
        let mut needed = BTreeSet::new();
        let mut open = vec![(node, is_upper)];
        while let Some((id, is_upper)) = open.pop() {
            if self.truths.contains_key(&(id, is_upper)) || !needed.insert((id, is_upper)) {
                continue;
            }
            match pool.node(id) {
                Node::Not(a) => open.push((a, !is_upper)),
                Node::And(a, b) | Node::Or(a, b) => open.extend([(a, is_upper), (b, is_upper)]),
                _ => {}
            }
        }
        // Operands come before operators, whichever way they are bounded.
        for (id, is_upper) in needed {
            let made = self.one_truth(id, is_upper);
            self.truths.insert((id, is_upper), made);
        }
        self.known_truth(node, is_upper)
    }

    fn known_truth(&mut self, node: NodeId, is_upper: bool) -> Id {
        match self.truths.get(&(node, is_upper)) {
            Some(known) => *known,
            None => self.signals.constant(beyond(is_upper), beyond(is_upper)),
        }
    }

    fn one_truth(&mut self, id: NodeId, is_upper: bool) -> Id {
        let pool = self.formulas.pool;
        match pool.node(id) {
            Node::Boolean(value) => self.signals.constant(beyond(value), beyond(is_upper)),
            Node::Not(a) => {
                let of = self.known_truth(a, !is_upper);
                self.signals.negative(of)
            }
            Node::And(a, b) => {
                let (a, b) = (self.known_truth(a, is_upper), self.known_truth(b, is_upper));
                self.signals.extreme_of(Pick::Least, a, b)
            }
            Node::Or(a, b) => {
                let (a, b) = (self.known_truth(a, is_upper), self.known_truth(b, is_upper));
                self.signals.extreme_of(Pick::Most, a, b)
            }
            Node::Compare(relation, a, b) => {
                let atom = match self.atoms.get(&id) {
                    Some(known) => *known,
                    None => {
                        let atom = Atom::new(pool, self.signals.course, id, (relation, a, b));
                        let made = self.signals.add_atom(atom);
                        self.atoms.insert(id, made);
                        made
                    }
                };
                self.signals.atom_signal(atom, beyond(is_upper))
            }
            // Numbers are no truth values: the reader has seen to that.
            _ => self.signals.constant(beyond(is_upper), beyond(is_upper)),
        }
    }

    /// A time and the place of a moment there, in superdense time.
    fn moment(&self, (t, place): (f64, usize)) -> SuperdenseTime {
        let grid = &self.signals.grid;
        let found = grid.boundaries.iter().position(|(at, _)| *at == t);
        let microstep = match found.map(|boundary| (boundary, grid.boundaries[boundary].1)) {
            Some((boundary, Boundary::Instant(number))) => {
                let microsteps = self.signals.course.microsteps(number);
                let place = grid.moment(boundary, place);
                microsteps.get(place).or(microsteps.last()).copied().unwrap_or(0)
            }
            _ => 0,
        };
        let zero = SuperdenseTime::at(0.0);
        // Times of a trace are finite.
        SuperdenseTime::new(t, microstep)
            .or(zero)
            .unwrap_or_else(|| unreachable!("bug: 0 is finite"))
    }

    /// How large the numbers are that the property compares at a moment.
    fn size_at(&mut self, (t, place): (f64, usize)) -> f64 {
        let Signals { grid, course, .. } = &mut self.signals;
        match grid.boundaries.iter().position(|(at, _)| *at == t) {
            Some(boundary) => {
                let last = grid.moments(boundary, *course).saturating_sub(1);
                grid.go(boundary, place.min(last), *course);
            }
            None => {
                let section = self.signals.grid.section(t);
                let instant = self.signals.grid.instant_before(section);
                self.signals.course.go_between(instant, t);
            }
        }
        let Signals { atoms, course, .. } = &mut self.signals;
        let sizes = atoms.iter_mut().map(|atom| atom.size(*course));
        sizes.filter(|size| size.is_finite()).fold(0.0, f64::max)
    }
}
