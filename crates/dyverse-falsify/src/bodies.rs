//! A rigid-body run as a course: pieces between instants, and at an instant what the transitions of the trace change, one after the other.

use crate::course::{Course, Formulas, check, on_piece};
use crate::robustness::{Robustness, Unmeasurable, measure};
use dyverse_expr::SymbolId;
use dyverse_model::{ContactQuantity, Model, StateComponent, Symbol};
use dyverse_run::{ClosedContacts, Moment, Observer, RunOptions};
use dyverse_time::{Microstep, Trace, TransitionKind};
use std::collections::BTreeSet;

/// A moment of an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Stage {
    /// The limit from the left; at the start, the initial state.
    Left,
    /// After a transition.
    After(usize),
    /// The limit from the right.
    Right,
}

struct Bodies<'a> {
    model: &'a Model,
    trace: &'a Trace,
    closed: &'a [ClosedContacts],
    observer: Observer<'a>,
    instants: Vec<f64>,
    stages: Vec<Vec<Stage>>,
    microsteps: Vec<Vec<Microstep>>,
    /// The pieces between an instant and the next.
    pieces: Vec<Vec<usize>>,
    is_needed: Vec<bool>,
    // Where it is.
    t: f64,
    anchor: f64,
    states: Vec<f64>,
    now_closed: Vec<&'a ClosedContacts>,
    struck: Vec<String>,
}

/// The robustness of a property on a run of a model. The run was made by [`simulate_with_contacts`](dyverse_run::simulate_with_contacts) with the same options, `keep_pieces` among them.
///
/// # Errors
/// [`Unmeasurable`] if the trace does not hold what the property reads.
pub fn robustness(
    model: &Model,
    property: &str,
    options: &RunOptions,
    trace: &Trace,
    closed: &[ClosedContacts],
) -> Result<Robustness, Unmeasurable> {
    let found = model.properties().iter().find(|p| p.name == property);
    let found = found.ok_or_else(|| Unmeasurable::NoProperty(property.to_owned()))?;
    let formulas = Formulas {
        pool: model.pool(),
        parts: &found.parts,
    };
    let mut bodies = Bodies::new(model, &formulas, options, trace, closed)?;
    measure(&formulas, &mut bodies, trace.stop.time)
}

impl<'a> Bodies<'a> {
    fn new(
        model: &'a Model,
        formulas: &Formulas<'_>,
        options: &RunOptions,
        trace: &'a Trace,
        closed: &'a [ClosedContacts],
    ) -> Result<Self, Unmeasurable> {
        check(trace)?;
        let other = |detail: String| Unmeasurable::OtherModel(detail);
        let observer = Observer::new(model, options).map_err(|error| other(error.to_string()))?;
        if closed.len() != trace.pieces.len() {
            return Err(other("its pieces and contacts are not as many".into()));
        }
        let Some(start) = trace.samples.first() else {
            return Err(other("it has no samples".into()));
        };
        let end = trace.stop.time.t();
        if trace.pieces.is_empty() && end > start.time.t() && !trace.signals.is_empty() {
            return Err(Unmeasurable::NoPieces);
        }
        let count = 13 * model.entities().iter().filter(|e| !e.is_fixed).count();
        if trace.signals.len() != count || start.values.len() != count {
            return Err(other(format!(
                "it has {} signals, not {count}",
                trace.signals.len()
            )));
        }
        let (is_needed, has_contacts) = needs(model, formulas, &observer, count);
        let is_in = |piece: usize| {
            let signals = trace.pieces[piece].signals.iter();
            signals
                .clone()
                .any(|(id, _)| is_needed.get(id.0 as usize).copied().unwrap_or(false))
        };
        let used: Vec<usize> = (0..trace.pieces.len()).filter(|p| is_in(*p)).collect();
        let matters = |number: &usize| {
            let transition = &trace.transitions[*number];
            let mut changes = transition.changes.iter();
            changes.any(|c| is_needed.get(c.signal.0 as usize).copied().unwrap_or(false))
                || has_contacts && matches!(transition.kind, TransitionKind::Impact | TransitionKind::Zeno)
        };
        let steps: Vec<usize> = (0..trace.transitions.len()).filter(matters).collect();
        let mut instants = vec![start.time.t(), end];
        let ends = used
            .iter()
            .flat_map(|p| [trace.pieces[*p].from, trace.pieces[*p].to]);
        instants.extend(ends.chain(steps.iter().map(|n| trace.transitions[*n].time.t())));
        instants.sort_by(f64::total_cmp);
        instants.dedup();
        let mut pieces = vec![Vec::new(); instants.len()];
        for number in used {
            let piece = &trace.pieces[number];
            let first = instants.partition_point(|t| *t < piece.from);
            let last = instants.partition_point(|t| *t < piece.to);
            for between in &mut pieces[first..last] {
                between.push(number);
            }
        }
        let mut bodies = Bodies {
            model,
            trace,
            closed,
            observer,
            stages: Vec::new(),
            microsteps: Vec::new(),
            pieces,
            is_needed,
            t: start.time.t(),
            anchor: start.time.t(),
            states: vec![f64::NAN; count],
            now_closed: Vec::new(),
            struck: Vec::new(),
            instants,
        };
        bodies.set_stages(&steps);
        Ok(bodies)
    }

    fn set_stages(&mut self, steps: &[usize]) {
        let last = self.instants.len() - 1;
        let mut next = 0;
        for (number, t) in self.instants.iter().enumerate() {
            let (mut stages, mut microsteps) = (vec![Stage::Left], vec![0]);
            let mut microstep = 0;
            while let Some(step) = steps.get(next) {
                let time = self.trace.transitions[*step].time;
                if time.t() > *t {
                    break;
                }
                microstep = time.n().saturating_add(1);
                stages.push(Stage::After(*step));
                microsteps.push(microstep);
                next += 1;
            }
            if number < last {
                stages.push(Stage::Right);
                microsteps.push(microstep);
            }
            self.stages.push(stages);
            self.microsteps.push(microsteps);
        }
    }

    /// The states on the pieces after an instant.
    fn fill(&mut self, instant: usize, t: f64) {
        self.states.fill(f64::NAN);
        self.now_closed.clear();
        for number in &self.pieces[instant] {
            let piece = &self.trace.pieces[*number];
            for (id, coefficients) in &piece.signals {
                if self.is_needed[id.0 as usize] {
                    self.states[id.0 as usize] = on_piece(piece.from, piece.to, coefficients, t);
                }
            }
            self.now_closed.push(&self.closed[*number]);
        }
        (self.t, self.anchor) = (t, self.instants[instant]);
        self.struck.clear();
    }

    fn fill_left(&mut self, instant: usize) {
        if let Some(before) = instant.checked_sub(1) {
            self.fill(before, self.instants[instant]);
            return;
        }
        self.fill(0, self.instants[0]);
        if let Some(sample) = self.trace.samples.first() {
            self.states.copy_from_slice(&sample.values);
        }
    }
}

impl Course for Bodies<'_> {
    fn instants(&self) -> &[f64] {
        &self.instants
    }
    fn microsteps(&self, instant: usize) -> &[Microstep] {
        &self.microsteps[instant]
    }
    fn go_between(&mut self, instant: usize, t: f64) {
        self.fill(instant, t);
    }
    fn go_to(&mut self, instant: usize, moment: usize) {
        match self.stages[instant][moment] {
            Stage::Right => self.fill(instant, self.instants[instant]),
            Stage::Left => self.fill_left(instant),
            Stage::After(_) => {
                self.fill_left(instant);
                for stage in &self.stages[instant][1..=moment] {
                    let Stage::After(step) = stage else { continue };
                    let transition = &self.trace.transitions[*step];
                    for change in &transition.changes {
                        if let Some(state) = self.states.get_mut(change.signal.0 as usize) {
                            *state = change.after;
                        }
                    }
                    if matches!(transition.kind, TransitionKind::Impact | TransitionKind::Zeno) {
                        self.struck.extend(transition.contacts.iter().cloned());
                    }
                }
            }
        }
    }
    fn symbol(&mut self, id: SymbolId) -> f64 {
        let at = Moment {
            t: self.t,
            anchor: self.anchor,
            states: &self.states,
            closed: &self.now_closed,
            struck: &self.struck,
        };
        self.observer.value(self.model.symbol(id), &at)
    }
    fn truth(&mut self, id: SymbolId) -> Option<f64> {
        let Symbol::Contact(ContactQuantity::Touching, a, b) = self.model.symbol(id) else {
            return None;
        };
        if self.symbol(id) == 1.0 {
            return Some(1.0);
        }
        let at = Moment {
            t: self.t,
            anchor: self.anchor,
            states: &self.states,
            closed: &self.now_closed,
            struck: &self.struck,
        };
        let gap = self
            .observer
            .value(Symbol::Contact(ContactQuantity::Gap, a, b), &at);
        Some(if gap.is_nan() { gap } else { -gap.max(0.0) })
    }
}

/// The signals that a property reads, and whether it asks about contacts.
fn needs(model: &Model, formulas: &Formulas<'_>, observer: &Observer<'_>, count: usize) -> (Vec<bool>, bool) {
    let mut is_needed = vec![false; count];
    let mut has_contacts = false;
    let mut entities = BTreeSet::new();
    for id in model.pool().symbols(&formulas.truths()) {
        let symbol = model.symbol(id);
        has_contacts |= matches!(symbol, Symbol::Contact(..));
        match observer.reads(symbol) {
            // Inputs may jump where steps end.
            _ if matches!(symbol, Symbol::Input(_)) => is_needed.fill(true),
            None => is_needed.fill(true),
            Some(of) if matches!(symbol, Symbol::State(..)) => {
                if let (Some(entity), Symbol::State(_, component)) = (of.first(), symbol)
                    && let Some(signal) = observer.signal(*entity, component)
                {
                    is_needed[signal] = true;
                }
            }
            Some(of) => entities.extend(of),
        }
    }
    for entity in entities {
        for component in StateComponent::ALL {
            if let Some(signal) = observer.signal(entity, component) {
                is_needed[signal] = true;
            }
        }
    }
    (is_needed, has_contacts)
}
