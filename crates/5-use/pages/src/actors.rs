//! Runs of actor models: the modal models, and the modes that they are in.
//!
//! A modal model inside a mode of another is somewhere only while that mode is active. When the mode is entered, it begins anew, unless the transition that enters it keeps history.

use super::SourceText;
use super::beginning::Beginning;
use super::recorded::{named, plain_place, recorded};
use dyverse_actors::{Graph, ModalModel};
use dyverse_assemble::simulate_actors_with_progress;
use dyverse_lang::ActorModel;
use dyverse_tick::{TickError, TickOptions};
use dyverse_trace::{Trace, TransitionKind};
use dyverse_view::{Blobs, Document, Machine, Move, Page, PageKind, Place, Run, SignalKind};

/// Runs an actor model, and makes the page of it; with the trace that it shows. `progress` is told the model time whenever it has advanced.
///
/// # Errors
/// As [`dyverse_assemble::simulate_actors`].
pub fn actors_page(
    model: &ActorModel,
    source: Option<SourceText>,
    options: &TickOptions,
    progress: &mut dyn FnMut(f64),
) -> Result<(Page, Trace), TickError> {
    let trace = simulate_actors_with_progress(model, options, progress)?;
    let (mut blobs, mut notes) = (Blobs::new(), Vec::new());
    let run = actors_run(&model.graph, &trace, "run", &mut blobs, &mut notes);
    let document = Document {
        system: trace.system.clone(),
        kind: PageKind::Actors,
        source,
        runs: vec![run],
        graphs: graphs(&model.graph),
        notes,
        ..Document::default()
    };
    Ok((Page { document, blobs }, trace))
}

/// A run of an actor model for a page.
pub fn actors_run(
    graph: &Graph,
    trace: &Trace,
    title: &str,
    blobs: &mut Blobs,
    notes: &mut Vec<String>,
) -> Run {
    let beginning = Beginning::of(trace, &[], notes);
    let trace = beginning.as_ref().map_or(trace, |beginning| &beginning.trace);
    let mut run = recorded(trace, title, SignalKind::Signal, blobs);
    if let Some(beginning) = &beginning {
        beginning.end(&mut run);
    }
    let statistics = &trace.statistics;
    run.statistics = vec![
        named("steps of the solver", statistics.steps as f64),
        named("rejected steps", statistics.rejected_steps as f64),
        named("evaluations", statistics.evaluations as f64),
    ];
    let mut machines = Machines::new(graph);
    for (transition, shown) in trace.transitions.iter().zip(&mut run.transitions) {
        if transition.kind == TransitionKind::Mode {
            shown.machine = machines.take(transition);
        }
    }
    run.places = machines.places();
    run.machines = machines.all;
    run
}

/// The drawings of an actor model.
pub(super) fn graphs(graph: &Graph) -> Vec<dyverse_view::Graph> {
    let mut actors = Vec::new();
    // A vector takes everything.
    let _ = dyverse_export::write_actors_svg(&mut actors, graph);
    let actors = ("actors".to_owned(), String::from_utf8(actors).unwrap_or_default());
    let all = std::iter::once(actors).chain(dyverse_export::modes_svg(graph));
    all.map(|(title, svg)| dyverse_view::Graph { title, svg })
        .collect()
}

struct Machines<'a> {
    modals: &'a [ModalModel],
    /// For each modal model: the one that it lies in, and the mode.
    within: Vec<Option<(usize, usize)>>,
    /// The modes that they are in, or were last.
    now: Vec<usize>,
    all: Vec<Machine>,
}

impl<'a> Machines<'a> {
    fn new(graph: &'a Graph) -> Self {
        let modals = graph.modals();
        let within: Vec<_> = modals.iter().map(|modal| parent(modals, modal)).collect();
        let now: Vec<usize> = modals.iter().map(|modal| modal.initial.0 as usize).collect();
        let mut machines = Machines {
            modals,
            within,
            now,
            all: Vec::new(),
        };
        for (place, modal) in modals.iter().enumerate() {
            let initial = machines.is_active(place).then(|| machines.mode_name(place));
            machines.all.push(Machine {
                name: modal.name.clone(),
                initial,
                moves: Vec::new(),
            });
        }
        machines
    }

    fn is_active(&self, modal: usize) -> bool {
        let mut at = modal;
        while let Some((outer, mode)) = self.within[at] {
            if self.now[outer] != mode {
                return false;
            }
            at = outer;
        }
        true
    }

    fn mode_name(&self, modal: usize) -> String {
        name(&self.modals[modal], self.now[modal])
    }

    /// Takes a transition; the modal model that it belongs to.
    fn take(&mut self, transition: &dyverse_trace::Transition) -> Option<usize> {
        let moving = self.modals.iter().position(|modal| {
            (0..modal.modes.len()).any(|mode| name(modal, mode) == transition.to)
                && (0..modal.modes.len()).any(|mode| name(modal, mode) == transition.from)
        })?;
        let modal = &self.modals[moving];
        let before: Vec<bool> = (0..self.modals.len()).map(|m| self.is_active(m)).collect();
        let to = (0..modal.modes.len()).find(|mode| name(modal, *mode) == transition.to)?;
        let from = self.now[moving];
        let taken = modal.transitions.iter().find(|t| {
            t.to.0 as usize == to && t.from.is_none_or(|f| f.0 as usize == from) && t.text == transition.guard
        });
        let keeps_history = taken.is_some_and(|t| t.is_history);
        self.now[moving] = to;
        for inner in 0..self.modals.len() {
            if !keeps_history && self.lies_in(inner, (moving, to)) {
                self.now[inner] = self.modals[inner].initial.0 as usize;
            }
        }
        for (machine, was_active) in before.into_iter().enumerate() {
            let is_active = self.is_active(machine);
            if machine == moving
                || is_active != was_active
                || (is_active && self.lies_in(machine, (moving, to)))
            {
                let place = is_active.then(|| self.mode_name(machine));
                let (t, n) = (transition.time.t(), transition.time.n());
                self.all[machine].moves.push(Move { t, n, place });
            }
        }
        Some(moving)
    }

    fn lies_in(&self, inner: usize, of: (usize, usize)) -> bool {
        let mut at = inner;
        while let Some(within) = self.within[at] {
            if within == of {
                return true;
            }
            at = within.0;
        }
        false
    }

    fn places(&self) -> Vec<Place> {
        let each = self.modals.iter();
        let each = each.flat_map(|modal| (0..modal.modes.len()).map(move |mode| name(modal, mode)));
        each.map(plain_place).collect()
    }
}

/// A mode as traces name it.
fn name(modal: &ModalModel, mode: usize) -> String {
    let mode = modal.modes.get(mode).map_or("", |m| m.name.as_str());
    format!("{}.{mode}", modal.name)
}

/// The mode whose path is the longest that a modal model's path begins with.
fn parent(modals: &[ModalModel], inner: &ModalModel) -> Option<(usize, usize)> {
    let mut found: Option<(usize, usize, usize)> = None;
    for (place, modal) in modals.iter().enumerate() {
        for mode in 0..modal.modes.len() {
            let path = format!("{}.", name(modal, mode));
            if inner.name.starts_with(&path) && found.is_none_or(|(.., length)| path.len() > length) {
                found = Some((place, mode, path.len()));
            }
        }
    }
    found.map(|(place, mode, _)| (place, mode))
}
