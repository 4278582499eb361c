//! The trace of a run.

use crate::frame::Frame;
use crate::plan::Plan;
use crate::postfire::Happened;
use crate::solver::Solver;
use crate::state::State;
use crate::work::Passage;
use dyverse_actors::ModeTransition;
use dyverse_flow::{NODES, legendre};
use dyverse_trace::{
    Change, Keep, Piece, Sample, Signal, SignalId, StopReason, SuperdenseTime, Tally, Transition,
    TransitionKind,
};
use std::collections::BTreeMap;

/// Steps up to this long, relative to the time, are moments: a few hundred roundings.
const MOMENT: f64 = 1e-13;

/// Transitions that are there in any case.
const LAST: usize = 64;

/// Collects the trace.
#[derive(Debug)]
pub(crate) struct Recorder {
    pub(crate) signals: Vec<Signal>,
    /// Signals of the graph, in the order of the trace.
    recorded: Vec<usize>,
    /// Places in the trace, for each signal of the graph.
    places: Vec<Option<u32>>,
    pub(crate) samples: Vec<Sample>,
    pub(crate) pieces: Vec<Piece>,
    pub(crate) transitions: Vec<Transition>,
    /// Transitions that were not kept.
    pub(crate) dropped: Tally,
    keep: Keep,
    /// What all of it needs, bytes.
    bytes: usize,
    /// The sample of microstep 0, kept back until something happens at the instant.
    held: Option<Sample>,
    /// Guards and resets of transitions that were taken, as text.
    texts: BTreeMap<(u32, u32), (String, String)>,
}

impl Recorder {
    pub(crate) fn new(plan: &Plan<'_>, keep: Keep) -> Self {
        let recorded: Vec<usize> = plan.record.iter().map(|s| *s as usize).collect();
        let signals = recorded.iter().map(|s| Signal {
            name: plan.graph.signals()[*s].name.clone(),
            unit: plan.graph.signals()[*s].unit.clone(),
        });
        let mut places = vec![None; plan.signal_count()];
        for (place, signal) in recorded.iter().enumerate() {
            places[*signal] = Some(place as u32);
        }
        Recorder {
            signals: signals.collect(),
            places,
            recorded,
            samples: Vec::new(),
            pieces: Vec::new(),
            transitions: Vec::new(),
            dropped: Tally::default(),
            keep,
            bytes: 0,
            held: None,
            texts: BTreeMap::new(),
        }
    }

    /// A sample between ticks.
    pub(crate) fn sample(&mut self, time: SuperdenseTime, values: Vec<f64>) {
        self.push(Sample { time, values });
    }

    fn push(&mut self, sample: Sample) {
        if self.samples.last().is_none_or(|last| last.time < sample.time) {
            if !self.keep.samples
                && let Some(before) = self.samples.pop()
            {
                self.bytes = self.bytes.saturating_sub(before.bytes());
            }
            self.bytes += sample.bytes();
            self.samples.push(sample);
        }
    }

    /// Whether samples between ticks are wanted.
    pub(crate) fn keeps_samples(&self) -> bool {
        self.keep.samples
    }

    fn sample_of(&self, frame: &Frame) -> Sample {
        Sample {
            time: frame.time,
            values: self.recorded.iter().map(|s| frame.value[*s]).collect(),
        }
    }

    /// The state at the stop: the last sample. `values` are those between ticks; if there are none, the tick's.
    pub(crate) fn end(&mut self, frame: &Frame, values: Option<Vec<f64>>) {
        let held = self.held.take();
        let last = match values {
            Some(values) => Sample {
                time: frame.time,
                values,
            },
            None => self.sample_of(frame),
        };
        held.into_iter()
            .filter(|held| held.time < last.time)
            .for_each(|held| self.push(held));
        self.push(last);
    }

    /// The state at a stop in the middle of a tick: that of the last one that was whole.
    pub(crate) fn end_before(&mut self) {
        if let Some(held) = self.held.take() {
            self.push(held);
        }
    }

    /// What is kept so far needs, bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Counts what is not kept; a reason to stop if the rest needs too much. `other` is memory that is needed besides, bytes.
    pub(crate) fn check(&mut self, other: usize) -> Option<StopReason> {
        if !self.keep.transitions && self.transitions.len() > 2 * LAST {
            let count = self.transitions.len() - LAST;
            for transition in self.transitions.drain(..count) {
                self.bytes = self.bytes.saturating_sub(transition.bytes());
                self.dropped.add(&transition);
            }
        }
        let bytes = self.keep.bytes;
        (self.bytes.saturating_add(other) > bytes).then_some(StopReason::MemoryLimit { bytes })
    }

    fn push_transition(&mut self, transition: Transition) {
        self.bytes += transition.bytes();
        self.transitions.push(transition);
    }

    fn push_piece(&mut self, piece: Piece) {
        self.bytes += piece.bytes();
        self.pieces.push(piece);
    }

    /// The values of a tick. Those of microstep 0 are kept back unless they are asked for.
    pub(crate) fn tick(&mut self, frame: &Frame, is_asked: bool) {
        let sample = self.sample_of(frame);
        if frame.time.n() == 0 && !is_asked {
            self.held = Some(sample);
            return;
        }
        if let Some(held) = self.held.take() {
            self.push(held);
        }
        self.push(sample);
    }

    /// An instant at which nothing happened: its sample is not needed.
    pub(crate) fn forget(&mut self) {
        self.held = None;
    }

    /// The discrete events of a tick.
    pub(crate) fn events(&mut self, plan: &Plan<'_>, state: &State, frame: &Frame, happened: &[Happened]) {
        let mut jumps = Vec::new();
        let mut names = Vec::new();
        let mut crossed = Vec::new();
        for event in happened {
            match event {
                Happened::Transition { modal, transition } => self.mode(plan, frame, *modal, *transition),
                Happened::Jump {
                    signal,
                    before,
                    after,
                } => {
                    names.push(plan.graph.signals()[*signal as usize].name.clone());
                    jumps.extend(self.change(*signal as usize, *before, *after));
                }
                Happened::Crossing { signal } => {
                    crossed.push(plan.graph.signals()[*signal as usize].label());
                }
                Happened::Component { happening, .. } => {
                    for transition in &happening.transitions {
                        self.push_transition(transition.clone());
                    }
                }
            }
        }
        if !(names.is_empty() && crossed.is_empty()) {
            self.push_transition(Transition {
                time: frame.time,
                kind: TransitionKind::Event,
                from: location(plan, state),
                to: location(plan, state),
                rule: "",
                contacts: Vec::new(),
                guard: crossed.join(", "),
                reset: names.join(", "),
                forces: Vec::new(),
                changes: jumps,
            });
        }
    }

    fn change(&self, signal: usize, before: f64, after: f64) -> Option<Change> {
        let place = self.places[signal]?;
        Some(Change {
            signal: SignalId(place),
            before,
            after,
        })
    }

    fn mode(&mut self, plan: &Plan<'_>, frame: &Frame, modal: u32, transition: u32) {
        let model = &plan.graph.modals()[modal as usize];
        let taken = &model.transitions[transition as usize];
        let from = taken
            .from
            .map_or_else(|| "any".to_owned(), |m| model.mode(m).name.clone());
        let texts = self.texts.entry((modal, transition));
        let (guard, reset) = texts.or_insert_with(|| texts_of(plan, taken)).clone();
        let rule = &plan.rules[modal as usize][transition as usize];
        let mut work = Vec::new();
        let changes = rule.sets.iter().filter_map(|(signal, formula)| {
            let after = frame.evaluate(plan, formula, &mut work);
            self.change(*signal as usize, frame.value[*signal as usize], after)
        });
        let changes = changes.collect();
        self.push_transition(Transition {
            time: frame.time,
            kind: TransitionKind::Mode,
            from: format!("{}.{from}", model.name),
            to: format!("{}.{}", model.name, model.mode(taken.to).name),
            rule: "",
            contacts: Vec::new(),
            guard,
            reset,
            forces: Vec::new(),
            changes,
        });
    }

    /// The last step as polynomials: Legendre coefficients by Gauss's rule.
    pub(crate) fn piece(&mut self, solver: &mut Solver, passage: &mut Passage<'_, '_, '_>) {
        let step = solver.integrator.last_step().clone();
        let (from, to) = (step.t0(), step.t1());
        if to <= from {
            return;
        }
        if to - from <= MOMENT * to.abs().max(1.0) {
            // The nodes of so short a step are one double: nothing moves that could be told.
            let values = solver.sample(passage, to);
            let signals = values.iter().enumerate().filter(|(_, v)| !v.is_nan());
            let signals = signals
                .map(|(place, v)| (SignalId(place as u32), vec![*v]))
                .collect();
            self.push_piece(Piece { from, to, signals });
            return;
        }
        // In the place τ of a node, not in its time: in a short step the time of a node is rounded by far more than its place, and the rule is for the places.
        let mut values: Vec<Vec<f64>> = Vec::new();
        let mut polynomials: Vec<[f64; NODES]> = Vec::new();
        step.integrate(0.0, 1.0, |tau| {
            values.push(solver.sample(passage, from + (to - from) * tau));
            polynomials.push(legendre(2.0 * tau - 1.0));
            0.0
        });
        let mut signals = Vec::new();
        for place in 0..self.recorded.len() {
            if values.iter().any(|v| v[place].is_nan()) {
                continue;
            }
            // What rests is that number and no other: sums would round it, and `gear - 3` would be no zero.
            if let Some(first) = values.first().map(|v| v[place])
                && values.iter().all(|v| v[place] == first)
            {
                signals.push((SignalId(place as u32), vec![first]));
                continue;
            }
            let coefficients = (0..NODES).map(|k| {
                let mut node = 0;
                let inner = step.integrate(0.0, 1.0, |_| {
                    let product = values[node][place] * polynomials[node][k];
                    node += 1;
                    product
                });
                (2 * k + 1) as f64 * inner
            });
            signals.push((SignalId(place as u32), coefficients.collect()));
        }
        self.push_piece(Piece { from, to, signals });
    }
}

/// The guard and the reset of a transition.
fn texts_of(plan: &Plan<'_>, taken: &ModeTransition) -> (String, String) {
    let guard = if taken.text.is_empty() {
        plan.graph.print(taken.guard)
    } else {
        taken.text.clone()
    };
    let sets = taken.sets.iter().map(|(signal, node)| {
        let name = &plan.graph.signal(*signal).name;
        format!("{name} := {}", plan.graph.print(*node))
    });
    (guard, sets.collect::<Vec<_>>().join(", "))
}

/// The current modes of all modal models; the model's name if there is none.
fn location(plan: &Plan<'_>, state: &State) -> String {
    let modals = plan.graph.modals().iter().enumerate();
    let modes = modals.map(|(place, modal)| {
        let mode = modal.mode(state.mode(place as u32));
        format!("{}.{}", modal.name, mode.name)
    });
    let modes: Vec<String> = modes.collect();
    if modes.is_empty() {
        plan.graph.name().to_owned()
    } else {
        modes.join(", ")
    }
}
