//! Going on from a run: where another run stood at one of its transitions, or at its end.
//!
//! The states after the transition are those sampled before its instant, or on the polynomials that end there, with what has jumped since. What else a run
//! knows follows from them: the closed contacts and their modes from the contact node, the steps from the solver. Only an accumulation of impacts under way cannot be seen in a
//! state; that it goes on is known from where it ends later in the trace.

use dyverse_machine::InnerEdge;
use dyverse_model::StateComponent;
use dyverse_trace::{Microstep, SuperdenseTime, Trace, Transition, TransitionKind};
use std::collections::BTreeMap;
use std::fmt;

/// Where a run begins, if not at the model's initial state.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// When.
    pub time: SuperdenseTime,
    /// The value of every state by its name, such as `ball.x`.
    pub states: BTreeMap<String, f64>,
    /// Contacts whose impacts accumulate, with when that ends, s.
    pub accumulating: Vec<(String, f64)>,
    /// Impacts before: a random order of collisions goes on where it was.
    pub impacts: u64,
}

/// Why a run cannot be continued from a place in its trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoStart {
    /// The trace has fewer transitions.
    NoSuchTransition {
        /// The one asked for, from 0.
        asked: usize,
        /// How many there are.
        count: usize,
    },
    /// The trace does not hold the state there.
    NoState {
        /// The transition asked for; `None` for the end.
        at: Option<usize>,
    },
}

impl fmt::Display for NoStart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoStart::NoSuchTransition { asked, count } => {
                write!(
                    f,
                    "the trace has no transition {asked}: they are numbered from 0, and there are {count}"
                )
            }
            NoStart::NoState { at: Some(number) } => write!(
                f,
                "the trace does not hold the state at transition {number}: write it with --dense"
            ),
            NoStart::NoState { at: None } => write!(f, "the trace holds no state at its end"),
        }
    }
}

impl std::error::Error for NoStart {}

impl Start {
    /// After the transition with this number, from 0.
    ///
    /// # Errors
    /// [`NoStart`] if there is none, or the trace does not hold the state there.
    pub fn after_transition(trace: &Trace, number: usize) -> Result<Start, NoStart> {
        let Some(transition) = trace.transitions.get(number) else {
            let count = trace.transitions.len();
            return Err(NoStart::NoSuchTransition { asked: number, count });
        };
        let t = transition.time.t();
        let first = trace.transitions.partition_point(|other| other.time.t() < t);
        let values = sampled(trace, t, transition.time.n()).or_else(|| {
            let on_pieces = on_pieces(trace, t)?;
            Some((on_pieces, 0))
        });
        let (mut values, from) = values.ok_or(NoStart::NoState { at: Some(number) })?;
        for jumped in &trace.transitions[first..=number] {
            for change in jumped.changes.iter().filter(|_| jumped.time.n() >= from) {
                if let Some(value) = values.get_mut(change.signal.0 as usize) {
                    *value = change.after;
                }
            }
        }
        Ok(Self::new(
            trace,
            number + 1,
            transition.time.next_microstep(),
            &values,
        ))
    }

    /// At the end of a run.
    ///
    /// # Errors
    /// [`NoStart`] if the trace has no sample there.
    pub fn at_end(trace: &Trace) -> Result<Start, NoStart> {
        let last = trace.samples.last().filter(|s| s.time.t() == trace.stop.time.t());
        let last = last.ok_or(NoStart::NoState { at: None })?;
        Ok(Self::new(
            trace,
            trace.transitions.len(),
            trace.stop.time,
            &last.values,
        ))
    }

    fn new(trace: &Trace, before: usize, time: SuperdenseTime, values: &[f64]) -> Start {
        let names = trace.signals.iter().map(|s| s.name.clone());
        let states = names.zip(values.iter().copied()).collect();
        let (past, future) = trace.transitions.split_at(before);
        let mut seen: Vec<&String> = Vec::new();
        let mut accumulating = Vec::new();
        for transition in future {
            for contact in transition
                .contacts
                .iter()
                .filter(|_| is_about_bounces(transition.kind))
            {
                if !seen.contains(&contact) {
                    seen.push(contact);
                    if transition.kind == TransitionKind::Zeno {
                        accumulating.push((contact.clone(), transition.time.t()));
                    }
                }
            }
        }
        // Collisions after the first of a sequence stay in their node, as they did under one name in older traces; a touch without an impulse is none.
        let is_impact = |(number, t): &(usize, &Transition)| {
            let is_shown = || trace.transitions.get(number + 1).map(|next| next.kind);
            t.kind == TransitionKind::Impact
                && t.rule != InnerEdge::RULE
                && t.from != t.to
                && (!t.forces.is_empty() || is_shown() == Some(TransitionKind::Compute))
        };
        let impacts = past.iter().enumerate().filter(is_impact).count() as u64;
        Start {
            time,
            states,
            accumulating,
            impacts,
        }
    }

    /// The state of an entity, as a state vector; the name that is missing otherwise.
    pub(crate) fn state_of(&self, entity: &str) -> Result<[f64; crate::loads::STATE], String> {
        let mut x = [0.0; crate::loads::STATE];
        for component in StateComponent::ALL {
            let name = format!("{entity}.{}", component.name());
            match self.states.get(&name).filter(|value| value.is_finite()) {
                Some(value) => x[component.place()] = *value,
                None => return Err(name),
            }
        }
        Ok(x)
    }
}

fn is_about_bounces(kind: TransitionKind) -> bool {
    matches!(kind, TransitionKind::Impact | TransitionKind::Zeno)
}

/// The last sample of an instant at or before a microstep, with its microstep.
fn sampled(trace: &Trace, t: f64, microstep: Microstep) -> Option<(Vec<f64>, Microstep)> {
    let here = trace.samples.iter().rev().skip_while(|s| s.time.t() > t);
    let mut here = here.take_while(|s| s.time.t() == t);
    here.find(|s| s.time.n() <= microstep)
        .map(|s| (s.values.clone(), s.time.n()))
}

/// The values at the end of the pieces that hold `t`, from the left.
fn on_pieces(trace: &Trace, t: f64) -> Option<Vec<f64>> {
    let mut values = vec![None; trace.signals.len()];
    for piece in trace.pieces.iter().filter(|p| p.from < t && t <= p.to) {
        for (signal, value) in piece.values(t) {
            *values.get_mut(signal.0 as usize)? = Some(value);
        }
    }
    values.into_iter().collect()
}
