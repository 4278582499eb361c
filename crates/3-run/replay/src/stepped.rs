//! Spans in which a trace says that contacts of some entities were followed by steps: no run of the automaton, and judged as what they are said to be.
//!
//! Where such a span begins or ends the contacts of its entities are named open, and no others change. In it these entities, with what loads tie to them, are left out of guards, domains and motions: that is said. What
//! is asked of them is that no two surfaces lie deeper in each other than the span tells.

use crate::SLACK;
use crate::bodies::States;
use crate::finding::Compared;
use crate::walk::Walk;
use dyverse_machine::NamedPlace;
use dyverse_trace::{SteppingPhase, SuperdenseTime, Transition, TransitionKind};
use std::collections::BTreeSet;

impl Walk<'_> {
    /// The spans that a span of time shares more than an end with, or that a moment lies in.
    fn spans(&self, (from, to): (f64, f64)) -> impl Iterator<Item = &SteppingPhase> {
        let meets = move |phase: &&SteppingPhase| {
            if from == to {
                phase.from <= from && from <= phase.to
            } else {
                phase.from < to && from < phase.to
            }
        };
        self.trace.stepping.iter().filter(meets)
    }

    /// The entities whose contacts are followed by steps in a span of time.
    pub(crate) fn stepped_in(&self, span: (f64, f64)) -> BTreeSet<usize> {
        let names: BTreeSet<&str> = self
            .spans(span)
            .flat_map(|phase| phase.entities.iter().map(String::as_str))
            .collect();
        let all = self.bodies.model.entities().iter().enumerate();
        all.filter(|(_, entity)| names.contains(entity.name.as_str()))
            .map(|(place, _)| place)
            .collect()
    }

    /// Contacts begin to be followed by steps, or cease to.
    pub(crate) fn by_steps(&mut self, taken: &Transition, from: &NamedPlace, to: &NamedPlace) {
        if !matches!(taken.kind, TransitionKind::Capture | TransitionKind::Release) {
            let what = format!("`{}` is no rule of such a transition", taken.rule);
            self.wrong(taken.time, what);
        }
        if self.stepped.is_empty() {
            self.wrong(
                taken.time,
                "contacts are followed by steps in no span that the trace tells".into(),
            );
        }
        if !taken.changes.is_empty() || !taken.forces.is_empty() {
            self.wrong(
                taken.time,
                "a state jumps, or forces are found, where contacts begin or cease to be followed by steps"
                    .into(),
            );
        }
        let (NamedPlace::Dynamical(from), NamedPlace::Dynamical(to)) = (from, to) else {
            self.wrong(
                taken.time,
                "contacts begin or cease to be followed by steps inside a node".into(),
            );
            return;
        };
        let ends = from
            .modes()
            .filter(|(contact, mode)| to.mode(*contact) != Some(*mode));
        let mut ended = ends.map(|(contact, _)| contact);
        let is_own = ended.all(|contact| {
            to.mode(contact).is_none() && self.bodies.touches_any(contact.index(), &self.stepped)
        });
        let is_new = to.modes().any(|(contact, _)| from.mode(contact).is_none());
        if is_new || !is_own {
            self.wrong(
                taken.time,
                "a contact changes of entities that are not followed by steps".into(),
            );
        }
    }

    /// What is asked of entities that are followed by steps, at the end of a stretch.
    pub(crate) fn step_by_step(&mut self, (from, to): (SuperdenseTime, SuperdenseTime), end: &States) {
        self.open(
            from,
            "the motion of what is followed by steps is not judged".into(),
        );
        let span = (from.t(), to.t());
        let told = self.spans(span).map(|phase| phase.penetration + phase.error);
        let allowed = told.fold(0.0, f64::max) + SLACK * self.bodies.model.tolerances().gap;
        let touches = (0..self.bodies.touches.len()).filter(|n| self.bodies.touches_any(*n, &self.stepped));
        let gaps = touches.filter_map(|n| Some((n, self.bodies.kinematics(n, end)?.closing_gap())));
        let deepest = gaps.min_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((touch, gap)) = deepest.filter(|(_, gap)| *gap < -allowed) {
            let label = &self.bodies.touches[touch].label;
            let compared = Compared {
                of: format!("g_N of {label}"),
                found: gap,
                relation: "≥",
                bound: -allowed,
                slack: 0.0,
            };
            self.wrong_by(
                to,
                "surfaces lie deeper in each other than is told of the span of steps".into(),
                vec![compared],
            );
        }
    }
}
