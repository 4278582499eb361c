//! When signals are present: at all times, at single moments, or now and then.
//!
//! Declared kinds are trusted and checked; others follow from definitions. What depends on a mode is `any` seen from outside.

use super::scope::{Actors, RegionDraft};
use crate::lower::context::Context;
use crate::lower::symbols::Meaning;
use crate::syntax::ast::PortKind;
use dyverse_actors::{Definition, RegionId, SignalId};
use dyverse_diag::{Diagnostic, Origin, codes, finding};
use dyverse_expr::NodeId;

/// Passes over all signals at the most: a longer chain against the order of the text ends as `any`.
const MOST_PASSES: usize = 50;

/// What follows from a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Presence {
    Always,
    Moments,
    NowAndThen,
}

impl Presence {
    fn of_kind(kind: PortKind) -> Self {
        match kind {
            PortKind::Cont => Presence::Always,
            PortKind::Event => Presence::Moments,
            PortKind::Any => Presence::NowAndThen,
        }
    }
    /// Of something that needs both.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Presence::Moments, _) | (_, Presence::Moments) => Presence::Moments,
            (Presence::Always, Presence::Always) => Presence::Always,
            _ => Presence::NowAndThen,
        }
    }
    /// Of something that is there if either is.
    fn or(self, other: Self) -> Self {
        match (self, other) {
            (Presence::Always, _) | (_, Presence::Always) => Presence::Always,
            (Presence::Moments, Presence::Moments) => Presence::Moments,
            _ => Presence::NowAndThen,
        }
    }
}

struct Kinds<'c, 'a> {
    context: &'c Context<'a>,
    /// The signals that each signal's expression reads.
    reads: Vec<Vec<SignalId>>,
    known: Vec<Option<Presence>>,
}

/// Checks kinds.
pub(crate) fn check(context: &mut Context<'_>) {
    let findings = Kinds::new(context).findings();
    findings.into_iter().for_each(|finding| context.report(finding));
}

impl<'c, 'a> Kinds<'c, 'a> {
    fn new(context: &'c Context<'a>) -> Self {
        let reads = context
            .actors
            .signals
            .iter()
            .map(|draft| match &draft.definition {
                Some(Definition::Expression(node)) => signals_of(context, *node),
                _ => Vec::new(),
            });
        let known = context.actors.signals.iter().map(|draft| {
            let kind = draft.port.map(|(_, kind)| kind);
            kind.map(Presence::of_kind)
        });
        let mut kinds = Kinds {
            context,
            reads: reads.collect(),
            known: known.collect(),
        };
        kinds.infer();
        kinds
    }

    fn infer(&mut self) {
        for _ in 0..MOST_PASSES {
            let mut is_settled = true;
            for place in 0..self.known.len() {
                if self.known[place].is_none() {
                    let found = self.of_definition(SignalId(place as u32));
                    is_settled &= found.is_none();
                    self.known[place] = found;
                }
            }
            if is_settled {
                return;
            }
        }
    }

    fn actors(&self) -> &'c Actors {
        &self.context.actors
    }

    /// What follows from a signal's definition, as far as what it reads is known.
    fn of_definition(&self, id: SignalId) -> Option<Presence> {
        let draft = self.actors().signal(id);
        let seen = |signal: &SignalId| self.seen(*signal, draft.region);
        Some(match draft.definition.as_ref()? {
            Definition::Expression(_) => {
                let reads = &self.reads[id.0 as usize];
                let mut all = Presence::Always;
                for signal in reads {
                    all = all.and(seen(signal)?);
                }
                all
            }
            Definition::Default { preferred, alternate } => seen(preferred)?.or(seen(alternate)?),
            Definition::Inhibit { value, .. } => Presence::NowAndThen.and(seen(value)?),
            Definition::Sample { value, trigger } => seen(value)?.and(seen(trigger)?),
            Definition::Hold { init, .. } if init.is_some() => Presence::Always,
            Definition::Hold { .. } | Definition::Merge(_) | Definition::Before(_) => Presence::NowAndThen,
            Definition::Post { value, .. } => Presence::NowAndThen.and(seen(value)?),
            Definition::Cross { .. }
            | Definition::Clock { .. }
            | Definition::At { .. }
            | Definition::Delay { .. }
            | Definition::Event { .. } => Presence::Moments,
            Definition::IsPresent(_)
            | Definition::IsAbsent(_)
            | Definition::Integrator { .. }
            | Definition::Output { .. } => Presence::Always,
        })
    }

    /// A signal's presence, seen from a region: absent while its own region is not active.
    fn seen(&self, signal: SignalId, from: RegionId) -> Option<Presence> {
        let mut presence = self.known[signal.0 as usize]?;
        let mut region = self.actors().signal(signal).region;
        while !self.actors().is_within(from, region) {
            let enabling = match &self.actors().regions[region.0 as usize] {
                RegionDraft::Enabled { enable, .. } => self.known[enable.0 as usize]?,
                RegionDraft::Mode { .. } | RegionDraft::Leaving { .. } | RegionDraft::Root => {
                    Presence::NowAndThen
                }
            };
            let switched = match enabling {
                Presence::Moments => Presence::Moments,
                _ => Presence::NowAndThen,
            };
            presence = presence.and(switched);
            region = self.actors().parent(region)?;
        }
        Some(presence)
    }

    fn findings(&self) -> Vec<Diagnostic> {
        let mut findings = Vec::new();
        for place in 0..self.known.len() {
            let id = SignalId(place as u32);
            let draft = self.actors().signal(id);
            let at = draft.defined.unwrap_or(draft.origin);
            if let Some((_, kind)) = draft.port {
                findings.extend(self.declared(id, kind, at));
            }
            match &draft.definition {
                Some(Definition::Integrator {
                    derivative,
                    impulse,
                    reset,
                    ..
                }) => {
                    findings.extend(self.derivative(id, *derivative));
                    findings.extend(impulse.and_then(|s| self.discrete(s, id, "impulse")));
                    findings.extend(reset.and_then(|s| self.discrete(s, id, "reset")));
                }
                Some(Definition::Delay { value, .. }) => {
                    findings.extend(self.discrete(*value, id, "delay"));
                }
                Some(Definition::Cross { value, .. }) => findings.extend(self.crossing(*value, at)),
                _ => {}
            }
        }
        findings
    }

    fn declared(&self, id: SignalId, kind: PortKind, at: Origin) -> Option<Diagnostic> {
        let draft = self.actors().signal(id);
        if matches!(draft.definition, Some(Definition::Merge(_))) {
            return None;
        }
        let found = self.of_definition(id)?;
        let name = &draft.name;
        match (kind, found) {
            (PortKind::Event, Presence::Always) => Some(finding!(A030 at at,
                "`{name}` is an `event`, but gets what is present at all times";
                label "never absent";
                also draft.origin, "declared as an event here";
                help "say when: `… on e`, `cross(…)`, `at(…)`; leave it unbound for no events")),
            (PortKind::Cont, Presence::Moments) => Some(finding!(A031 at at,
                "`{name}` is `cont`, but gets what is present at single moments";
                label "absent most of the time";
                also draft.origin, "declared as continuous here";
                help "keep its last value, `hold(…, init = 0)`, or give another, `… ?? 0`")),
            _ => None,
        }
    }

    fn derivative(&self, integrator: SignalId, signal: SignalId) -> Option<Diagnostic> {
        let draft = self.actors().signal(integrator);
        (self.seen(signal, draft.region)? == Presence::Moments).then(|| {
            finding!(A035 at draft.defined.unwrap_or(draft.origin),
                "the derivative of `{}` is an event", draft.name;
                label "has no duration, so adds nothing";
                help "a jump is an `impulse`: `x' = 0 impulse e`")
        })
    }

    /// An operand that must be absent while time passes, or at least may be.
    fn discrete(&self, signal: SignalId, of: SignalId, what: &str) -> Option<Diagnostic> {
        let (draft, user) = (self.actors().signal(signal), self.actors().signal(of));
        if self.reads_moments(signal, user.region) {
            return None;
        }
        // What has no name stands where it is used.
        let at = if draft.is_named {
            user.defined.unwrap_or(user.origin)
        } else {
            draft.origin
        };
        let (code, message, help) = match what {
            "delay" => (
                codes::A033,
                "`delay` is of events, this is present at all times".to_owned(),
                "sample it first: `delay(x on clock(0.01), 1)`",
            ),
            _ => (
                codes::A032,
                format!("the {what} is no event: it is present at all times"),
                "say when it acts, as in `impulse w on hit`; what acts all the time belongs into the derivative",
            ),
        };
        Some(
            Diagnostic::error(code, at, message)
                .label(if draft.is_named {
                    format!("`{}` reads no event", draft.name)
                } else {
                    "reads no event".to_owned()
                })
                .help(help),
        )
    }

    /// Whether a signal is, or is made from, something that is not always present.
    fn reads_moments(&self, signal: SignalId, from: RegionId) -> bool {
        let mut open = vec![signal];
        let mut seen = std::collections::BTreeSet::new();
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            if self.known[id.0 as usize] != Some(Presence::Always) {
                return true;
            }
            if !self.actors().is_within(from, self.actors().signal(id).region) {
                return true;
            }
            open.extend(&self.reads[id.0 as usize]);
            match &self.actors().signal(id).definition {
                Some(Definition::Default { preferred, alternate }) => open.extend([preferred, alternate]),
                Some(Definition::IsPresent(of) | Definition::IsAbsent(of)) => open.push(*of),
                Some(Definition::Hold { value, .. }) => open.push(*value),
                _ => {}
            }
        }
        false
    }

    fn crossing(&self, signal: SignalId, at: Origin) -> Option<Diagnostic> {
        (self.known[signal.0 as usize]? == Presence::Moments).then(|| {
            finding!(A034 at at, "an event crosses no level";
                label "is present at single moments only";
                help "compare its value instead, `e > 0`, or cross what it is made from")
        })
    }
}

fn signals_of(context: &Context<'_>, node: NodeId) -> Vec<SignalId> {
    let symbols = context.pool.symbols(&[node]).into_iter();
    symbols
        .filter_map(|id| match context.symbols.meaning(id) {
            Meaning::Signal(signal) => Some(signal),
            _ => None,
        })
        .collect()
}
