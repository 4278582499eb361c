//! Actor models in C: ticks, modal models and the flow between events [004; SPEC §6].
//!
//! | file | what it holds |
//! |---|---|
//! | `formulas.rs` | expressions that are evaluated at run time, and the decisions in them |
//! | `print.rs` | formulas as functions of C |
//! | `schedule.rs` | the order in which a tick evaluates its units |
//! | `tables.rs` | signals, regions, modal models, transitions as arrays of numbers |
//! | `../runtime/actors_*.c` | what is the same in all actor models |
//!
//! # Semantics
//! Those of `dyverse-tick`: superdense time, the least fixed point at each tick, microsteps until nothing changes, modes, then a flow with frozen switches
//! that ends at the first event. Where `dyverse-tick` compiles the flow of a configuration when it first meets it, the C lists it anew at each instant,
//! from static tables, into arrays of fixed size.
//!
//! # Differences
//! - An input holds what was last set; tables of an input are the caller's. Setting one is a jump: the old value is that of microstep 0, the new one
//!   that of microstep 1.
//! - Delays have queues of fixed length; one that is full stops the run and says so.
//! - A repetition at one instant is recognised by a hash value of 128 bits, and among the last 1024 microsteps.
//!
//! # Never here
//! Mechanisms: a graph with components is an [`Obstacle`]. So is an expression in a loop that `if`, `and`, `or` keep open. A preemptive guard that is false
//! whatever the refinement says waits for the refinement all the same: a causality loop of the run.

mod formulas;
mod print;
mod schedule;
mod tables;

use crate::Obstacle;
use crate::interface::{CFiles, Interface, Size, Status, Variable, VariableKind};
use crate::text::{CText, number, quoted};
use dyverse_actors::{Definition, Graph, RegionId, RegionKind, loop_operands};
use formulas::Formulas;
use tables::{Counts, Tables};

/// Microsteps at one instant at the most, unless the model says otherwise.
const MICROSTEPS: usize = 1000;
/// States of one instant that are compared.
const SEEN: usize = 1024;
/// Events on their way in one delay.
const QUEUE: usize = 256;
/// Tasks of a search for a crossing.
const TASKS: usize = 256;

/// Runtime texts of the source, in order; tables and formulas of the model come after the first.
const RUNTIME: &[&str] = &[
    include_str!("../runtime/actors_begin.c"),
    include_str!("../runtime/tables.c"),
    include_str!("../runtime/flow.c"),
    include_str!("../runtime/crossing.c"),
    include_str!("../runtime/actors_decide.c"),
    include_str!("../runtime/actors_modal.c"),
    include_str!("../runtime/actors_tick.c"),
    include_str!("../runtime/actors_zeno.c"),
    include_str!("../runtime/actors_postfire.c"),
    include_str!("../runtime/actors_flow.c"),
    include_str!("../runtime/actors_locate.c"),
    include_str!("../runtime/actors_run.c"),
    include_str!("../runtime/actors_model.c"),
];

const FLOW_TYPES: &str = include_str!("../runtime/flow.h");
const TYPES: &str = include_str!("../runtime/actors_types.h");
const FIELDS: &str = include_str!("../runtime/actors_fields.h");

/// What stops actor models only.
const STATUSES: &[Status] = &[
    (
        "AMBIGUOUS",
        -12,
        "two transitions are enabled and not marked as a choice",
    ),
    (
        "IMMEDIATE_CYCLE",
        -13,
        "immediate transitions go round in a circle",
    ),
    (
        "IMPULSE_AT_MICROSTEP_ZERO",
        -14,
        "an impulse that is no discrete signal",
    ),
    ("TWO_SOURCES", -15, "a signal has two sources at once"),
    (
        "NOT_DISCRETE",
        -16,
        "a discrete signal is needed, and this one is not",
    ),
    ("ACTION_READS_ABSENT", -17, "a set action reads an absent signal"),
    (
        "INIT_READS_ABSENT",
        -18,
        "an initial value reads an absent signal",
    ),
    ("CHATTERING", -19, "no final value at one instant"),
    ("ZENO", -20, "events accumulate in finite time"),
    ("EVENT_LIMIT", -21, "more events than allowed"),
    ("QUEUE_FULL", -22, "too many events on their way in a delay"),
    (
        "SLIDING",
        -23,
        "switches turn each other back: the motion would slide along where they switch",
    ),
];

/// Writes an actor model in C.
///
/// # Errors
/// If it has a part that cannot be written: a mechanism.
pub fn write_actors(graph: &Graph) -> Result<CFiles, Obstacle> {
    if let Some(component) = graph.components().first() {
        return Err(Obstacle {
            what: format!(
                "`{}` is a mechanism, a rigid-body system inside an actor model: C is written of actor models without mechanisms; export its `.drbt` file by itself",
                component.name
            ),
            origin: component.origin,
        });
    }
    let opened = loop_operands(graph);
    if let Some(place) = opened.iter().position(|operands| !operands.is_empty()) {
        let signal = &graph.signals()[place];
        return Err(Obstacle {
            what: format!(
                "{} lies in a loop that only `if`, `and`, `or` keep open: C is written of models whose expressions wait for all that they read; a `post` in the loop makes it one",
                signal.label()
            ),
            origin: signal.origin,
        });
    }
    let mut formulas = Formulas::new(graph);
    let mut tables = Tables::new(&mut formulas);
    tables.write();
    let (counts, tables) = (tables.counts, std::mem::take(&mut tables.out).finish());
    let functions = print::functions(&formulas);
    let mut runtime = RUNTIME.to_vec();
    runtime.extend([FLOW_TYPES, TYPES, FIELDS, &functions]);
    let mut interface = Interface::new(graph.name(), &runtime);
    interface.title = format!("Actor model {}, written by dyverse.", graph.name());
    interface.horizon = graph.horizon();
    let (variables, places) = variables(graph);
    interface.variables = variables;
    interface.sizes = sizes(graph, &counts);
    interface.types = vec![FLOW_TYPES, TYPES];
    interface.fields = FIELDS;
    interface.more_statuses = STATUSES;
    // Runtime texts get the model's name; what is written from the model may hold any word.
    let mut parts = vec![
        interface.named(RUNTIME[0]),
        numbers(graph, &counts, &places),
        tables,
        functions,
    ];
    parts.extend(RUNTIME[1..].iter().map(|text| interface.named(text)));
    Ok(interface.files(&parts))
}

/// Whether a region is active from the start, as far as modes decide it.
fn is_initial(graph: &Graph, region: RegionId) -> bool {
    let mut next = Some(region);
    while let Some(id) = next {
        let region = graph.region(id);
        if let RegionKind::Mode(modal, mode) = region.kind
            && graph.modal(modal).initial != mode
        {
            return false;
        }
        next = region.parent;
    }
    true
}

/// The variables of the interface and, for each, its place among parameters, inputs or signals.
fn variables(graph: &Graph) -> (Vec<Variable>, Vec<usize>) {
    let mut variables = Vec::new();
    let mut places = Vec::new();
    let mut push = |name: &str, unit: &str, kind: VariableKind, place: usize| {
        variables.push(Variable {
            name: name.to_owned(),
            unit: unit.to_owned(),
            kind,
        });
        places.push(place);
    };
    for (place, parameter) in graph.parameters().iter().enumerate() {
        push(&parameter.name, "", VariableKind::Parameter, place);
    }
    for (place, input) in graph.inputs().iter().enumerate() {
        push(&input.name, "", VariableKind::Input, place);
    }
    for (place, signal) in graph.signals().iter().enumerate() {
        if !signal.is_named() {
            continue;
        }
        let is_integrator = matches!(signal.definition, Definition::Integrator { .. });
        let kind = if is_integrator && is_initial(graph, signal.region) {
            VariableKind::State
        } else {
            VariableKind::Output
        };
        push(&signal.name, &signal.unit, kind, place);
    }
    (variables, places)
}

/// Sizes of the arrays in the model's struct; at least one each, because C has no empty arrays.
fn sizes(graph: &Graph, counts: &Counts) -> Vec<Size> {
    let mut sizes = Vec::new();
    let mut push = |name: &'static str, value: usize, what: &'static str| {
        sizes.push(Size {
            name,
            value: value.max(1).to_string(),
            what,
            may_change: name == "QUEUE",
        });
    };
    let modes = graph.modals().iter().map(|modal| {
        let longest = modal.modes.iter().map(|mode| mode.name.len()).max();
        modal.name.len() + longest.unwrap_or(0) + 3
    });
    let location = modes.sum::<usize>().max(graph.name().len()) + 1;
    let watches = counts.decisions + counts.crossings;
    push("LOCATION_SIZE", location, "the longest name of a location");
    push("DIMENSION", counts.integrators, "states of integrators");
    push("TASKS", TASKS, "tasks of a search for a crossing");
    push("SIGNALS", counts.signals, "signals");
    push("REGIONS", counts.regions, "parts that are active as a whole");
    push("MODALS", counts.modals, "modal models");
    push(
        "UNITS",
        // As if there were a modal model: compilers look at code that is never reached.
        counts.signals + counts.regions + 2 * counts.modals.max(1),
        "what becomes known at a tick",
    );
    push(
        "CHAIN",
        counts.chain + 1,
        "transitions of one modal model, and one more",
    );
    push("TRANSITIONS", counts.transitions, "transitions");
    push("SETS", counts.sets, "set actions");
    push("PARAMETERS", counts.parameters, "parameters");
    push("INPUTS", counts.inputs, "inputs");
    push("ATS", counts.ats, "events at given times");
    push("QUEUES", counts.delays, "delays");
    push("QUEUE", QUEUE, "events on their way in one delay");
    push("SEEN", SEEN, "microsteps of one instant that are compared");
    push("KEYS", counts.signal_keys + counts.transitions, "kinds of events");
    push("DECISIONS", counts.decisions, "decisions in expressions");
    push("WATCHES", watches, "quantities that are watched");
    push(
        "ENTRIES",
        counts.signals + counts.regions + counts.transitions,
        "what is evaluated while time passes",
    );
    sizes
}

/// Numbers of the model: how many there are of everything, tolerances, places of variables.
fn numbers(graph: &Graph, counts: &Counts, places: &[usize]) -> String {
    let mut out = CText::new();
    out.line("/* How many there are of everything. */");
    out.open("enum {");
    for (name, value) in [
        ("SIGNALS", counts.signals),
        ("REGIONS", counts.regions),
        ("MODALS", counts.modals),
        ("TRANSITIONS", counts.transitions),
        ("PARAMETERS", counts.parameters),
        ("INPUTS", counts.inputs),
        ("ATS", counts.ats),
        ("QUEUES", counts.delays),
        ("DECISIONS", counts.decisions),
        ("BLOCKS", counts.blocks),
        ("UNITS_OF_TICK", counts.units),
        ("SIGNAL_KEYS", counts.signal_keys),
        (
            "MICROSTEP_LIMIT",
            graph.numerics().microsteps.unwrap_or(MICROSTEPS),
        ),
    ] {
        out.line(format!("{name} = {value},"));
    }
    out.line("END_OF_COUNTS");
    out.close("};");
    let numerics = graph.numerics();
    let real = |out: &mut CText, name: &str, value: f64| {
        out.line(format!("static const double {name} = {};", number(value)));
    };
    out.line("/* How far beyond a level an event may be, and the longest step; 0: nothing is said. */");
    real(&mut out, "CROSSING_TOLERANCE", numerics.crossing.unwrap_or(0.0));
    real(&mut out, "LONGEST_STEP", numerics.max_step.unwrap_or(0.0));
    out.line("/* Accuracy of the solver. */");
    let (relative, absolute) = (
        numerics.relative.unwrap_or(1e-13),
        numerics.absolute.unwrap_or(1e-14),
    );
    out.line(format!("#define FLOW_RELATIVE {}", number(relative)));
    out.line(format!("#define FLOW_ABSOLUTE {}", number(absolute)));
    out.line(format!(
        "static const char *const TITLE = {};",
        quoted(graph.name())
    ));
    out.line("/* Places of variables among parameters, inputs or signals. */");
    let places = places.iter().chain([&0]).map(ToString::to_string);
    out.table("static const int variable_place[]", places);
    out.finish()
}
