//! A run of an actor model as a course: pieces between instants, and at an instant the samples of its microsteps.
//!
//! A signal that the model defines by an expression is read through that expression, so that its kinks are seen where they are and not where a polynomial has them.

use crate::course::{Course, Formulas, check, on_piece};
use crate::exact::exact_signals;
use crate::robustness::{Robustness, Unmeasurable, measure};
use dyverse_actors::{Definition, Graph, RegionId, SignalId, Symbol};
use dyverse_expr::{NodeId, Pool, Program, SymbolId};
use dyverse_model::{Formula, InputId};
use dyverse_tick::{InputSignal, TickOptions, parameter_values};
use dyverse_trace::{Microstep, Trace};
use std::collections::BTreeMap;

/// Definitions through which a signal is followed at the most.
const MOST_FOLLOWED: usize = 32;

/// A property of an actor model, put in terms of what a run has to record.
#[derive(Clone, Debug)]
pub struct ActorProperty<'g> {
    graph: &'g Graph,
    pool: Pool,
    parts: Vec<Formula>,
    reads: Vec<SignalId>,
    /// Which signals have no error.
    exact: Vec<bool>,
}

impl<'g> ActorProperty<'g> {
    /// A property by its name.
    ///
    /// # Errors
    /// [`Unmeasurable::NoProperty`].
    pub fn new(graph: &'g Graph, property: &str) -> Result<Self, Unmeasurable> {
        let found = graph.properties().iter().find(|p| p.name == property);
        let found = found.ok_or_else(|| Unmeasurable::NoProperty(property.to_owned()))?;
        let mut pool = graph.pool().clone();
        let mut parts = found.parts.clone();
        for _ in 0..MOST_FOLLOWED {
            let with = definitions(graph, &pool, &truths(&parts));
            if with.is_empty() {
                break;
            }
            let replaced = pool.substitute(&truths(&parts), &with);
            let mut replaced = replaced.into_iter();
            for part in &mut parts {
                if let (Formula::Now(node), true) = (&mut *part, replaced.len() > 0)
                    && let Some(new) = replaced.next()
                {
                    *node = new;
                }
            }
        }
        let symbols = pool.symbols(&truths(&parts)).into_iter();
        let reads = symbols.filter_map(|id| match graph.symbol(id) {
            Symbol::Signal(signal) => Some(signal),
            _ => None,
        });
        Ok(ActorProperty {
            graph,
            exact: exact_signals(graph),
            reads: reads.collect(),
            pool,
            parts,
        })
    }

    /// What a run has to record: [`TickOptions::record`].
    pub fn reads(&self) -> &[SignalId] {
        &self.reads
    }

    pub(crate) fn parts(&self) -> &[Formula] {
        &self.parts
    }

    /// The robustness on a run with these options, `record` and `keep_pieces` among them.
    ///
    /// # Errors
    /// [`Unmeasurable`] if the trace does not hold what the property reads.
    pub fn robustness(&self, options: &TickOptions, trace: &Trace) -> Result<Robustness, Unmeasurable> {
        let mut course = Actors::new(self, options, trace)?;
        let formulas = Formulas {
            pool: &self.pool,
            parts: &self.parts,
        };
        measure(&formulas, &mut course, trace.stop.time)
    }
}

fn truths(parts: &[Formula]) -> Vec<NodeId> {
    let nodes = parts.iter().filter_map(|part| match part {
        Formula::Now(node) => Some(*node),
        _ => None,
    });
    nodes.collect()
}

/// The expressions of what some nodes read, as far as they hold at all times.
fn definitions(graph: &Graph, pool: &Pool, roots: &[NodeId]) -> BTreeMap<SymbolId, NodeId> {
    let mut with = BTreeMap::new();
    for id in pool.symbols(roots) {
        if let Symbol::Signal(signal) = graph.symbol(id)
            && graph.signal(signal).region == RegionId::ROOT
            && let Definition::Expression(node) = graph.signal(signal).definition
        {
            with.insert(id, node);
        }
    }
    with
}

/// Where the value of an input comes from.
enum Driven<'a> {
    By(&'a InputSignal),
    Own(Program),
}

/// A moment of an instant.
#[derive(Clone, Copy)]
enum Stage {
    Left,
    Sample(usize),
    Right,
}

struct Actors<'a> {
    graph: &'a Graph,
    trace: &'a Trace,
    parameters: Vec<f64>,
    inputs: Vec<Driven<'a>>,
    /// For each signal of the graph that is read: its place in the trace.
    places: BTreeMap<SignalId, usize>,
    exact: &'a [bool],
    is_needed: Vec<bool>,
    instants: Vec<f64>,
    stages: Vec<Vec<Stage>>,
    microsteps: Vec<Vec<Microstep>>,
    pieces: Vec<Option<usize>>,
    // Where it is.
    t: f64,
    anchor: f64,
    values: Vec<f64>,
}

impl<'a> Actors<'a> {
    fn new(
        property: &'a ActorProperty<'_>,
        options: &'a TickOptions,
        trace: &'a Trace,
    ) -> Result<Self, Unmeasurable> {
        let graph = property.graph;
        check(trace)?;
        let other = |detail: String| Unmeasurable::OtherModel(detail);
        let parameters =
            parameter_values(graph, &options.parameters).map_err(|error| other(error.to_string()))?;
        let mut places = BTreeMap::new();
        let mut is_needed = vec![false; trace.signals.len()];
        for id in &property.reads {
            let name = &graph.signal(*id).name;
            let place = trace.signals.iter().position(|s| s.name == *name);
            let place = place.ok_or_else(|| Unmeasurable::NoSignal(name.clone()))?;
            places.insert(*id, place);
            is_needed[place] = true;
        }
        let Some(start) = trace.samples.first().map(|s| s.time.t()) else {
            return Err(other("it has no samples".into()));
        };
        let end = trace.stop.time.t();
        if trace.pieces.is_empty() && end > start {
            return Err(Unmeasurable::NoPieces);
        }
        let mut instants = vec![start, end];
        instants.extend(trace.pieces.iter().flat_map(|p| [p.from, p.to]));
        let steps = trace.samples.iter().filter(|s| s.time.n() > 0);
        instants.extend(steps.map(|s| s.time.t()));
        instants.sort_by(f64::total_cmp);
        instants.dedup();
        let mut pieces = vec![None; instants.len()];
        for (number, piece) in trace.pieces.iter().enumerate() {
            let first = instants.partition_point(|t| *t < piece.from);
            let last = instants.partition_point(|t| *t < piece.to);
            for between in &mut pieces[first..last] {
                *between = Some(number);
            }
        }
        let find = |name: &str| options.inputs.iter().rev().find(|(n, _)| n == name);
        let inputs = graph.inputs().iter().map(|input| match find(&input.name) {
            Some((_, signal)) => Driven::By(signal),
            None => Driven::Own(Program::new(graph.pool(), &[input.default])),
        });
        let mut actors = Actors {
            graph,
            trace,
            parameters,
            inputs: inputs.collect(),
            places,
            exact: &property.exact,
            is_needed,
            stages: Vec::new(),
            microsteps: Vec::new(),
            pieces,
            t: start,
            anchor: start,
            values: vec![f64::NAN; trace.signals.len()],
            instants,
        };
        actors.set_stages();
        Ok(actors)
    }

    fn set_stages(&mut self) {
        let last = self.instants.len() - 1;
        for (number, t) in self.instants.iter().enumerate() {
            let (mut stages, mut microsteps) = (Vec::new(), Vec::new());
            if number > 0 {
                stages.push(Stage::Left);
                microsteps.push(0);
            }
            let samples = &self.trace.samples;
            let first = samples.partition_point(|s| s.time.t() < *t);
            for (place, sample) in samples.iter().enumerate().skip(first) {
                if sample.time.t() > *t {
                    break;
                }
                stages.push(Stage::Sample(place));
                microsteps.push(sample.time.n());
            }
            if number < last {
                stages.push(Stage::Right);
                microsteps.push(microsteps.last().copied().unwrap_or(0));
            }
            self.stages.push(stages);
            self.microsteps.push(microsteps);
        }
    }

    fn fill(&mut self, instant: usize, t: f64) {
        self.values.fill(f64::NAN);
        if let Some(number) = self.pieces[instant] {
            let piece = &self.trace.pieces[number];
            for (id, coefficients) in &piece.signals {
                if self.is_needed[id.0 as usize] {
                    self.values[id.0 as usize] = on_piece(piece.from, piece.to, coefficients, t);
                }
            }
        }
        (self.t, self.anchor) = (t, self.instants[instant]);
    }

    fn input(&self, InputId(number): InputId) -> f64 {
        match self.inputs.get(number as usize) {
            Some(Driven::By(signal)) => signal.value(self.t, self.anchor),
            Some(Driven::Own(tape)) => {
                let mut work = Vec::new();
                tape.run(|id| self.constant(id), &mut work);
                tape.result(&work, 0)
            }
            None => f64::NAN,
        }
    }

    fn constant(&self, id: SymbolId) -> f64 {
        match self.graph.symbol(id) {
            Symbol::Parameter(p) => self.parameters.get(p.0 as usize).copied().unwrap_or(f64::NAN),
            Symbol::Time => self.t,
            _ => f64::NAN,
        }
    }
}

impl Course for Actors<'_> {
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
        let t = self.instants[instant];
        match self.stages[instant][moment] {
            Stage::Left => self.fill(instant.saturating_sub(1), t),
            Stage::Right => self.fill(instant, t),
            Stage::Sample(place) => {
                self.values.copy_from_slice(&self.trace.samples[place].values);
                (self.t, self.anchor) = (t, t);
            }
        }
    }
    fn symbol(&mut self, id: SymbolId) -> f64 {
        match self.graph.symbol(id) {
            Symbol::Signal(signal) => match self.places.get(&signal) {
                Some(place) => self.values[*place],
                None => f64::NAN,
            },
            Symbol::Input(input) => self.input(input),
            _ => self.constant(id),
        }
    }
    fn is_exact(&self, id: SymbolId) -> bool {
        matches!(self.graph.symbol(id), Symbol::Signal(s) if self.exact.get(s.0 as usize) == Some(&true))
    }
    fn truth(&mut self, _: SymbolId) -> Option<f64> {
        None
    }
}
