//! The tables of one model: what its signals, regions, modal models and transitions are, in numbers.
//!
//! A list of lists `x` is two arrays: `x`, everything in a row, and `x_from`, where each list begins (and the last ends).

use super::formulas::Formulas;
use super::schedule::{Units, actors_on};
use crate::text::{CText, quoted};
use dyverse_actors::{
    Definition, Direction, Graph, ModalModel, ModeTransition, RegionKind, SignalId, guard_operands,
};
use dyverse_expr::NodeId;

/// None, in a table of places.
const NONE: i64 = -1;

/// How many there are of everything.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) signals: usize,
    pub(super) regions: usize,
    pub(super) modals: usize,
    pub(super) transitions: usize,
    pub(super) parameters: usize,
    pub(super) inputs: usize,
    pub(super) integrators: usize,
    pub(super) crossings: usize,
    pub(super) delays: usize,
    pub(super) ats: usize,
    pub(super) sets: usize,
    pub(super) decisions: usize,
    pub(super) blocks: usize,
    pub(super) units: usize,
    /// Kinds of events of signals: crossings and jumps.
    pub(super) signal_keys: usize,
    /// Modes or transitions of one modal model at the most.
    pub(super) chain: usize,
}

/// One row of the table of signals.
struct Row {
    word: &'static str,
    a: i64,
    b: i64,
    c: i64,
    formula: i64,
    constants: [i64; 3],
    place: i64,
}

impl Row {
    fn new(word: &'static str) -> Self {
        Row {
            word,
            a: NONE,
            b: NONE,
            c: NONE,
            formula: NONE,
            constants: [NONE; 3],
            place: 0,
        }
    }
}

/// Writes the tables of a graph.
pub(super) struct Tables<'f, 'g> {
    pub(super) formulas: &'f mut Formulas<'g>,
    pub(super) counts: Counts,
    pub(super) out: CText,
    merges: Vec<Vec<i64>>,
    actors: Vec<Vec<i64>>,
    ats: Vec<Vec<(i64, i64)>>,
}

fn id(signal: SignalId) -> i64 {
    i64::from(signal.0)
}

impl<'f, 'g> Tables<'f, 'g> {
    pub(super) fn new(formulas: &'f mut Formulas<'g>) -> Self {
        let graph = formulas.graph;
        let counts = Counts {
            signals: graph.signals().len(),
            regions: graph.regions().len(),
            modals: graph.modals().len(),
            parameters: graph.parameters().len(),
            inputs: graph.inputs().len(),
            ..Counts::default()
        };
        Tables {
            formulas,
            counts,
            out: CText::new(),
            merges: Vec::new(),
            actors: Vec::new(),
            ats: Vec::new(),
        }
    }

    fn graph(&self) -> &'g Graph {
        self.formulas.graph
    }

    /// A formula's number.
    fn formula(&mut self, node: NodeId) -> i64 {
        self.formulas.number(node) as i64
    }

    /// Writes everything; formulas are complete then.
    pub(super) fn write(&mut self) {
        self.numbers();
        self.signals();
        self.regions();
        self.modals();
        self.transitions();
        self.keys();
        self.schedule();
        self.decisions_and_reads();
    }

    fn integers(&mut self, name: &str, items: impl IntoIterator<Item = i64>) {
        // One more: C has no empty array.
        let items = items.into_iter().chain([0]).map(|n| n.to_string());
        self.out.table(&format!("static const int {name}[]"), items);
    }

    fn words(&mut self, name: &str, items: impl IntoIterator<Item = &'static str>) {
        let items = items.into_iter().chain(["0"]).map(str::to_owned);
        self.out.table(&format!("static const int {name}[]"), items);
    }

    fn strings(&mut self, name: &str, items: impl IntoIterator<Item = String>) {
        let items = items.into_iter().chain([String::new()]).map(|text| quoted(&text));
        self.out
            .table(&format!("static const char *const {name}[]"), items);
    }

    fn lists(&mut self, name: &str, lists: &[Vec<i64>]) {
        let mut from = vec![0];
        for list in lists {
            from.push(from.last().copied().unwrap_or(0) + list.len() as i64);
        }
        self.integers(&format!("{name}_from"), from);
        self.integers(name, lists.iter().flatten().copied());
    }

    fn numbers(&mut self) {
        let graph = self.graph();
        let parameters: Vec<i64> = graph
            .parameters()
            .iter()
            .map(|parameter| self.formula(parameter.kind.nominal()))
            .collect();
        let inputs: Vec<i64> = graph
            .inputs()
            .iter()
            .map(|input| self.formula(input.default))
            .collect();
        self.out.line("/* Formulas of parameters and inputs. */");
        self.integers("parameter_formula", parameters);
        self.integers("input_formula", inputs);
    }

    fn row(&mut self, place: usize) -> Row {
        let graph = self.graph();
        let operand = |word, a: SignalId, b: Option<SignalId>| Row {
            a: id(a),
            b: b.map_or(NONE, id),
            ..Row::new(word)
        };
        match &graph.signals()[place].definition {
            Definition::Expression(node) => Row {
                formula: self.formula(*node),
                ..Row::new("EXPRESSION")
            },
            Definition::Default { preferred, alternate } => operand("DEFAULT", *preferred, Some(*alternate)),
            Definition::Inhibit { value, inhibit } => operand("INHIBIT", *value, Some(*inhibit)),
            Definition::Sample { value, trigger } => operand("SAMPLE", *value, Some(*trigger)),
            Definition::Hold { value, init } => Row {
                formula: init.map_or(NONE, |init| self.formula(init)),
                ..operand("HOLD", *value, None)
            },
            Definition::Post { value, init } => Row {
                constants: [init.map_or(NONE, |init| self.formula(init)), NONE, NONE],
                ..operand("POST", *value, None)
            },
            Definition::Cross {
                value,
                level,
                direction,
                tolerance,
            } => {
                self.counts.crossings += 1;
                let tolerance = tolerance.map_or(NONE, |node| self.formula(node));
                Row {
                    b: match direction {
                        Direction::Both => 0,
                        Direction::Rising => 1,
                        Direction::Falling => 2,
                    },
                    constants: [self.formula(*level), tolerance, NONE],
                    ..operand("CROSS", *value, None)
                }
            }
            Definition::Clock {
                period,
                offset,
                value,
            } => {
                let value = value.map_or(NONE, |node| self.formula(node));
                Row {
                    constants: [self.formula(*period), self.formula(*offset), value],
                    ..Row::new("CLOCK")
                }
            }
            Definition::At { events } => {
                let list = events.iter().map(|(t, v)| (self.formula(*t), self.formula(*v)));
                let list: Vec<(i64, i64)> = list.collect();
                self.ats.push(list);
                Row {
                    place: self.ats.len() as i64 - 1,
                    ..Row::new("AT")
                }
            }
            Definition::Delay { value, by } => {
                self.counts.delays += 1;
                Row {
                    constants: [self.formula(*by), NONE, NONE],
                    place: self.counts.delays as i64 - 1,
                    ..operand("DELAY", *value, None)
                }
            }
            Definition::IsPresent(value) => operand("IS_PRESENT", *value, None),
            Definition::IsAbsent(value) => operand("IS_ABSENT", *value, None),
            Definition::Integrator {
                derivative,
                init,
                impulse,
                reset,
            } => {
                self.counts.integrators += 1;
                Row {
                    c: reset.map_or(NONE, id),
                    formula: self.formula(*init),
                    ..operand("INTEGRATOR", *derivative, *impulse)
                }
            }
            Definition::Merge(of) => {
                self.merges.push(of.iter().map(|s| id(*s)).collect());
                let actors = actors_on(graph, SignalId(place as u32));
                self.actors.push(actors.iter().map(|m| i64::from(m.0)).collect());
                Row {
                    place: self.merges.len() as i64 - 1,
                    ..Row::new("MERGE")
                }
            }
            Definition::Before(merged) => {
                let of = match &graph.signal(*merged).definition {
                    Definition::Merge(of) => of.iter().map(|s| id(*s)).collect(),
                    _ => vec![id(*merged)],
                };
                self.merges.push(of);
                self.actors.push(Vec::new());
                Row {
                    place: self.merges.len() as i64 - 1,
                    ..Row::new("BEFORE")
                }
            }
            // Graphs with components are refused before.
            Definition::Output { .. } | Definition::Event { .. } => Row::new("POST"),
        }
    }

    fn signals(&mut self) {
        let graph = self.graph();
        let rows: Vec<Row> = (0..self.counts.signals).map(|place| self.row(place)).collect();
        self.out
            .line("/* Signals: their primitives, operands, formulas and constants. */");
        self.strings("signal_name", graph.signals().iter().map(|s| s.label()));
        self.words("signal_kind", rows.iter().map(|row| row.word));
        self.integers(
            "signal_region",
            graph.signals().iter().map(|s| i64::from(s.region.0)),
        );
        // The region of the refinement that a guard is about, for what the guard is made of.
        let guards = guard_operands(graph).into_iter();
        let homes: Vec<i64> = guards
            .map(|home| {
                home.map_or(NONE, |(modal, mode)| {
                    i64::from(graph.modal(modal).mode(mode).region.0)
                })
            })
            .collect();
        self.integers("signal_guards", homes);
        self.integers("signal_a", rows.iter().map(|row| row.a));
        self.integers("signal_b", rows.iter().map(|row| row.b));
        self.integers("signal_c", rows.iter().map(|row| row.c));
        self.integers("signal_formula", rows.iter().map(|row| row.formula));
        self.integers("signal_place", rows.iter().map(|row| row.place));
        let constants = rows.iter().map(|row| {
            let [a, b, c] = row.constants;
            format!("{{{a}, {b}, {c}}}")
        });
        let constants: Vec<String> = constants.chain(["{-1, -1, -1}".into()]).collect();
        self.out
            .table("static const int signal_constants[][3]", constants);
        let (merges, actors) = (std::mem::take(&mut self.merges), std::mem::take(&mut self.actors));
        self.lists("merge_of", &merges);
        self.lists("actors_on", &actors);
        let ats = std::mem::take(&mut self.ats);
        let times: Vec<Vec<i64>> = ats
            .iter()
            .map(|list| list.iter().map(|e| e.0).collect())
            .collect();
        self.counts.ats = times.iter().map(Vec::len).sum();
        self.lists("at_time_formula", &times);
        self.integers("at_value_formula", ats.iter().flatten().map(|event| event.1));
    }

    fn regions(&mut self) {
        let regions = self.graph().regions();
        let truths: Vec<i64> = regions
            .iter()
            .map(|region| {
                let truth = self.formulas.truth_of_region(region.kind);
                truth.map_or(NONE, |k| k as i64)
            })
            .collect();
        self.out
            .line("/* Regions: what they lie in, and what decides whether they are active. */");
        self.integers(
            "region_parent",
            regions.iter().map(|r| r.parent.map_or(NONE, |p| i64::from(p.0))),
        );
        self.words(
            "region_kind",
            regions.iter().map(|region| match region.kind {
                RegionKind::Root => "ROOT",
                RegionKind::Enabled(_) => "ENABLED",
                RegionKind::Mode(..) => "MODE",
                RegionKind::Leaving(..) => "LEAVING",
            }),
        );
        let parts = regions.iter().map(|region| match region.kind {
            RegionKind::Root => (NONE, NONE),
            RegionKind::Enabled(signal) => (id(signal), NONE),
            RegionKind::Mode(modal, mode) | RegionKind::Leaving(modal, mode) => {
                (i64::from(modal.0), i64::from(mode.0))
            }
        });
        self.integers("region_a", parts.clone().map(|part| part.0));
        self.integers("region_mode", parts.map(|part| part.1));
        self.integers("region_truth", truths);
    }

    fn modals(&mut self) {
        let modals = self.graph().modals();
        let largest = modals.iter().map(|m| m.modes.len().max(m.transitions.len()));
        self.counts.chain = largest.max().unwrap_or(0);
        self.out.line("/* Modal models and their modes. */");
        self.strings("modal_name", modals.iter().map(|m| m.name.clone()));
        self.integers("modal_region", modals.iter().map(|m| i64::from(m.region.0)));
        self.integers("modal_initial", modals.iter().map(|m| i64::from(m.initial.0)));
        let regions = |m: &ModalModel| m.modes.iter().map(|mode| i64::from(mode.region.0)).collect();
        let regions: Vec<Vec<i64>> = modals.iter().map(regions).collect();
        self.lists("mode_region", &regions);
        let modes = modals.iter().flat_map(|m| &m.modes);
        self.integers(
            "mode_leaving",
            modes.map(|mode| mode.leaving.map_or(NONE, |r| i64::from(r.0))),
        );
        let names = modals.iter().flat_map(|m| &m.modes).map(|mode| mode.name.clone());
        self.strings("mode_name", names);
    }

    fn transitions(&mut self) {
        let modals = self.graph().modals();
        let all: Vec<(&ModalModel, &ModeTransition)> = modals
            .iter()
            .flat_map(|modal| modal.transitions.iter().map(move |t| (modal, t)))
            .collect();
        self.counts.transitions = all.len();
        self.out.line("/* Transitions of modal models. */");
        let mut from = vec![0];
        for modal in modals {
            from.push(from.last().copied().unwrap_or(0) + modal.transitions.len() as i64);
        }
        self.integers("transitions_from", from);
        self.strings("transition_text", all.iter().map(|(modal, t)| describe(modal, t)));
        self.integers(
            "transition_source",
            all.iter().map(|(_, t)| t.from.map_or(NONE, |m| i64::from(m.0))),
        );
        self.integers("transition_target", all.iter().map(|(_, t)| i64::from(t.to.0)));
        self.integers("transition_flags", all.iter().map(|(_, t)| flags(t)));
        let guards: Vec<i64> = all.iter().map(|(_, t)| self.formula(t.guard)).collect();
        self.integers("transition_guard", guards);
        let truth = |(_, t): &(_, &ModeTransition)| self.formulas.truth_of_guard(t.guard);
        let truths: Vec<Option<usize>> = all.iter().map(truth).collect();
        self.integers(
            "transition_truth",
            truths.iter().map(|k| k.map_or(NONE, |k| k as i64)),
        );
        let tolerances: Vec<i64> = all
            .iter()
            .map(|(_, t)| t.tolerance.map_or(NONE, |node| self.formula(node)))
            .collect();
        self.integers("transition_tolerance_formula", tolerances);
        self.actions("sets", all.iter().map(|(_, t)| t.sets.as_slice()));
        self.actions("outputs", all.iter().map(|(_, t)| t.outputs.as_slice()));
        self.counts.sets = all.iter().map(|(_, t)| t.sets.len()).sum();
    }

    fn actions<'a>(&mut self, name: &str, lists: impl Iterator<Item = &'a [(SignalId, NodeId)]> + Clone) {
        let signals: Vec<Vec<i64>> = lists
            .clone()
            .map(|list| list.iter().map(|(s, _)| id(*s)).collect())
            .collect();
        let formulas: Vec<i64> = lists.flatten().map(|(_, node)| self.formula(*node)).collect();
        self.lists(&format!("{name}_signal"), &signals);
        self.integers(&format!("{name}_formula"), formulas);
    }

    /// Kinds of events, for accumulations.
    fn keys(&mut self) {
        let graph = self.graph();
        let mut names = Vec::new();
        let mut keys = Vec::new();
        for signal in graph.signals() {
            let is_key = matches!(
                signal.definition,
                Definition::Cross { .. } | Definition::Integrator { .. }
            );
            keys.push(if is_key { names.len() as i64 } else { NONE });
            if is_key {
                names.push(signal.label());
            }
        }
        self.counts.signal_keys = names.len();
        for modal in graph.modals() {
            names.extend(modal.transitions.iter().map(|t| describe(modal, t)));
        }
        self.out
            .line("/* Kinds of events: crossings, jumps, transitions. */");
        self.integers("signal_key", keys);
        self.strings("key_name", names);
    }

    fn schedule(&mut self) {
        let units = Units::new(self.graph());
        let blocks: Vec<Vec<i64>> = units
            .blocks()
            .into_iter()
            .map(|block| block.into_iter().map(|unit| unit as i64).collect())
            .collect();
        (self.counts.blocks, self.counts.units) = (blocks.len(), units.count());
        self.out.line("/* The schedule of a tick. */");
        self.lists("blocks", &blocks);
    }

    /// What formulas and decisions read.
    fn decisions_and_reads(&mut self) {
        let graph = self.graph();
        let integers = |list: &mut dyn Iterator<Item = u32>| -> Vec<i64> { list.map(i64::from).collect() };
        let nodes = self.formulas.nodes.clone();
        let mut columns: [Vec<Vec<i64>>; 5] = Default::default();
        let mut times = Vec::new();
        for node in &nodes {
            let smooth = self.formulas.smooth_reads(&[*node]);
            times.push(i64::from(smooth.has_time));
            columns[0].push(graph.signals_of(*node).into_iter().map(id).collect());
            columns[1].push(integers(&mut smooth.signals.iter().copied()));
            columns[2].push(integers(&mut smooth.inputs.iter().copied()));
            columns[3].push(integers(&mut self.formulas.inputs_of(*node).into_iter()));
            let decisions = self.formulas.decisions_in(*node);
            columns[4].push(decisions.into_iter().map(|k| k as i64).collect());
        }
        self.out
            .line("/* What formulas read, all of it and along smooth paths, and the decisions in them. */");
        let names = [
            "reads",
            "smooth",
            "smooth_inputs",
            "formula_inputs",
            "formula_decisions",
        ];
        for (name, column) in names.into_iter().zip(&columns) {
            self.lists(name, column);
        }
        self.integers("formula_has_time", times);
        let decisions = self.formulas.decisions.clone();
        self.counts.decisions = decisions.len();
        self.out
            .line("/* Decisions, and what their switching quantities read along smooth paths. */");
        self.words("decision_kind", decisions.iter().map(|d| d.word));
        self.integers(
            "decision_has_time",
            decisions.iter().map(|d| i64::from(d.reads.has_time)),
        );
        let signals: Vec<Vec<i64>> = decisions
            .iter()
            .map(|d| integers(&mut d.reads.signals.iter().copied()))
            .collect();
        let inputs: Vec<Vec<i64>> = decisions
            .iter()
            .map(|d| integers(&mut d.reads.inputs.iter().copied()))
            .collect();
        self.lists("decision_signals", &signals);
        self.lists("decision_inputs", &inputs);
    }
}

/// The flags of a transition, as the runtime numbers them.
fn flags(transition: &ModeTransition) -> i64 {
    i64::from(transition.is_immediate)
        + 2 * i64::from(transition.is_preemptive)
        + 4 * i64::from(transition.is_history)
        + 8 * i64::from(transition.is_default)
        + 16 * i64::from(transition.is_choice)
}

/// `ball: falling -> sitting when x <= 0`.
fn describe(modal: &ModalModel, transition: &ModeTransition) -> String {
    if transition.text.is_empty() {
        modal.describe(transition)
    } else {
        format!("{} when {}", modal.describe(transition), transition.text)
    }
}
