//! An event shown one microstep at a time.
//!
//! A rigid-body system takes all transitions of an event in one go (impact node, contact node, …). Here they come one after the other, as the automaton takes them: each with the states,
//! the location and the impacts of its own microstep. Transitions of one microstep stay together, so an actor model, which executes one at a time, is shown as it is.

use dyverse_component::Stand;
use dyverse_trace::{SuperdenseTime, Transition, TransitionKind};

/// What is seen of the present event.
#[derive(Default)]
pub(crate) struct Shown {
    /// Transitions that are not shown yet, the next one last.
    waiting: Vec<Transition>,
    /// The states after them.
    after: Vec<f64>,
    /// Whether the event goes on with one microstep more: the rest of it, of which only the states were saved.
    is_cut_short: bool,
    /// Whether the component wants another microstep after them.
    is_unfinished: bool,
    /// The time of the transitions that are shown, the location that they lead to, and the contacts with an impact.
    time: Option<SuperdenseTime>,
    location: String,
    struck: Vec<String>,
}

impl Shown {
    /// Whether something of the event is still to be shown.
    pub(crate) fn is_more(&self) -> bool {
        self.is_cut_short || !self.waiting.is_empty()
    }

    /// Begins to show what a microstep did, from the states before it.
    pub(crate) fn begin(
        &mut self,
        mut taken: Vec<Transition>,
        (is_unfinished, before): (bool, &[f64]),
        stand: &mut Stand,
    ) {
        taken.reverse();
        self.is_unfinished = is_unfinished;
        self.after.clone_from(&stand.x);
        let is_one = taken.first().map(|t| t.time) == taken.last().map(|t| t.time);
        if !is_one {
            stand.x.copy_from_slice(before);
        }
        self.waiting = taken;
        self.struck.clear();
    }

    /// Shows the next microstep; whether another is wanted. `place` is the state of a signal.
    pub(crate) fn next(&mut self, stand: &mut Stand, place: impl Fn(usize) -> Option<usize>) -> bool {
        self.struck.clear();
        let time = self.waiting.last().map(|next| next.time);
        while let Some(next) = self.waiting.pop_if(|next| Some(next.time) == time) {
            for change in &next.changes {
                let x = place(change.signal.0 as usize).and_then(|place| stand.x.get_mut(place));
                if let Some(x) = x {
                    *x = change.after;
                }
            }
            self.note(next);
        }
        if self.waiting.is_empty() {
            self.finish(stand);
        }
        self.is_more() || self.is_unfinished
    }

    fn note(&mut self, taken: Transition) {
        if matches!(taken.kind, TransitionKind::Impact | TransitionKind::Zeno) {
            self.struck.extend(taken.contacts);
        }
        self.time = Some(taken.time);
        self.location = taken.to;
    }

    /// Shows the end of an event that nobody looked at.
    pub(crate) fn skip(&mut self, taken: Vec<Transition>) {
        let last = taken.last().map(|last| last.time);
        self.struck.clear();
        taken
            .into_iter()
            .filter(|t| Some(t.time) == last)
            .for_each(|t| self.note(t));
    }

    /// Goes to the end of the event.
    pub(crate) fn finish(&mut self, stand: &mut Stand) {
        if self.is_cut_short || !self.after.is_empty() {
            stand.x.copy_from_slice(&self.after);
        }
        self.after.clear();
        self.waiting.clear();
        self.is_cut_short = false;
    }

    /// Whether a contact has an impact at the microstep that is shown.
    pub(crate) fn is_struck(&self, label: &str, t: f64) -> bool {
        self.time.is_some_and(|time| time.t() == t) && self.struck.iter().any(|struck| struck == label)
    }

    /// The microstep and the location that are shown in the middle of an event.
    pub(crate) fn middle(&self) -> Option<(i64, &str)> {
        let time = self.time.filter(|_| !self.waiting.is_empty())?;
        Some((i64::from(time.n()) + 1, &self.location))
    }

    /// Impacts that are not shown yet: neither further collisions of a sequence, nor touches without an impulse.
    pub(crate) fn impacts_to_come(&self) -> i64 {
        let is_first =
            |t: &&Transition| t.kind == TransitionKind::Impact && t.rule != "node" && !t.forces.is_empty();
        self.waiting.iter().filter(is_first).count() as i64
    }

    /// The states at the end of an event that is not shown to its end; else nothing.
    pub(crate) fn rest(&self) -> &[f64] {
        if self.is_more() { &self.after } else { &[] }
    }

    /// An event whose rest was saved.
    pub(crate) fn cut_short(after: Vec<f64>) -> Self {
        Shown {
            is_cut_short: !after.is_empty(),
            after,
            ..Shown::default()
        }
    }
}
