//! A rigid-body run as a course: pieces between instants, and at an instant what the transitions of the trace change, one after the other.
//!
//! # Moments of an instant
//! States are those of the microstep. Contact forces are found by contact nodes: at the moments within an instant they are still those just before it, and those after it from
//! its end on [SPEC §3, resets]; before an impact at the start there are none. Contacts that an impact strikes touch just before and just after it.

use crate::course::{Course, Formulas, check, on_piece};
use crate::robustness::{Robustness, Unmeasurable, measure};
use dyverse_expr::SymbolId;
use dyverse_model::{ContactQuantity, Model, StateComponent, Symbol};
use dyverse_simulate::{ClosedContacts, Moment, Observer, RunOptions};
use dyverse_trace::{Microstep, Trace, TransitionKind};
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
    here: Here<'a>,
}

/// Where a course is.
struct Here<'a> {
    t: f64,
    anchor: f64,
    states: Vec<f64>,
    closed: Vec<&'a ClosedContacts>,
    struck: Vec<String>,
    /// The states just before the instant, while it is within one.
    before: Option<Vec<f64>>,
}

impl Here<'_> {
    /// The moment as a symbol sees it.
    fn moment(&self, symbol: Symbol) -> Moment<'_> {
        let is_force = matches!(
            symbol,
            Symbol::Contact(ContactQuantity::NormalForce | ContactQuantity::FrictionForce, ..)
        );
        Moment {
            t: self.t,
            anchor: self.anchor,
            states: self.before.as_ref().filter(|_| is_force).unwrap_or(&self.states),
            closed: &self.closed,
            struck: &self.struck,
        }
    }
}

/// The robustness of a property on a run of a model. The run was made by [`simulate_with_contacts`](dyverse_simulate::simulate_with_contacts) with the same options, `keep_pieces` among them.
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
            here: Here {
                t: start.time.t(),
                anchor: start.time.t(),
                states: vec![f64::NAN; count],
                closed: Vec::new(),
                struck: Vec::new(),
                before: None,
            },
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
        self.here.states.fill(f64::NAN);
        self.here.closed.clear();
        for number in &self.pieces[instant] {
            let piece = &self.trace.pieces[*number];
            for (id, coefficients) in &piece.signals {
                if self.is_needed[id.0 as usize] {
                    self.here.states[id.0 as usize] = on_piece(piece.from, piece.to, coefficients, t);
                }
            }
            self.here.closed.push(&self.closed[*number]);
        }
        (self.here.t, self.here.anchor) = (t, self.instants[instant]);
        self.here.struck.clear();
        self.here.before = None;
    }

    fn fill_left(&mut self, instant: usize) {
        if let Some(before) = instant.checked_sub(1) {
            self.fill(before, self.instants[instant]);
            return;
        }
        self.fill(0, self.instants[0]);
        if let Some(sample) = self.trace.samples.first() {
            self.here.states.copy_from_slice(&sample.values);
        }
        if self.stages[0].iter().any(|stage| self.is_impact(*stage)) {
            self.here.closed.clear();
        }
    }

    fn is_impact(&self, stage: Stage) -> bool {
        let Stage::After(step) = stage else { return false };
        let kind = self.trace.transitions[step].kind;
        matches!(kind, TransitionKind::Impact | TransitionKind::Zeno)
    }

    /// The contacts of an impact are met where it is.
    fn strike(&mut self, stage: Stage) {
        if let Stage::After(step) = stage
            && self.is_impact(stage)
        {
            let contacts = self.trace.transitions[step].contacts.iter();
            self.here.struck.extend(contacts.cloned());
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
            Stage::Left => {
                self.fill_left(instant);
                if let Some(next) = self.stages[instant].get(1).copied() {
                    self.strike(next);
                }
            }
            Stage::After(_) => {
                self.fill_left(instant);
                self.here.before = Some(self.here.states.clone());
                for place in 1..=moment {
                    let stage = self.stages[instant][place];
                    let Stage::After(step) = stage else { continue };
                    for change in &self.trace.transitions[step].changes {
                        if let Some(state) = self.here.states.get_mut(change.signal.0 as usize) {
                            *state = change.after;
                        }
                    }
                    self.strike(stage);
                }
                if let Some(next) = self.stages[instant].get(moment + 1).copied() {
                    self.strike(next);
                }
            }
        }
    }
    fn symbol(&mut self, id: SymbolId) -> f64 {
        let symbol = self.model.symbol(id);
        self.observer.value(symbol, &self.here.moment(symbol))
    }
    fn truth(&mut self, id: SymbolId) -> Option<f64> {
        let symbol = self.model.symbol(id);
        let Symbol::Contact(ContactQuantity::Touching, a, b) = symbol else {
            return None;
        };
        Some(self.observer.touching_margin(a, b, &self.here.moment(symbol)))
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
