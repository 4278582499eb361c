//! A run of an FMU alone: a graph with this one component, executed by the engine of actor models.

use crate::library::Fmu;
use crate::wiring::{Trouble, Wiring};
use crate::{Causality, Description, ImportError, Kind, Variable};
use dyverse_actors::{ComponentUse, Definition, Graph, GraphBuilder, RegionId};
use dyverse_tick::{TickError, TickOptions, simulate_with_progress};
use dyverse_trace::{StopReason, Trace};
use std::rc::Rc;

/// What is recorded of a run: all outputs that are numbers; if there are none, all local variables that are real.
pub fn recorded(description: &Description) -> Vec<&Variable> {
    let outputs: Vec<&Variable> = description.numbers(Causality::Output).collect();
    if !outputs.is_empty() {
        return outputs;
    }
    let is_real = |v: &&Variable| matches!(v.kind, Kind::Float64 | Kind::Float32);
    description.numbers(Causality::Local).filter(is_real).collect()
}

/// Runs an FMU. Parameters, inputs and the end are those of the options; the end is that of the FMU if they have none. `step` is the step of co-simulation.
///
/// # Errors
/// What the FMU is refused for, or what it says during the run.
pub fn simulate(
    fmu: &Rc<Fmu>,
    options: &TickOptions,
    step: Option<f64>,
    progress: &mut dyn FnMut(f64),
) -> Result<Trace, ImportError> {
    let description = fmu.description();
    let until = options.until.or(description.stop_time).ok_or_else(|| {
        ImportError::new("the FMU does not say how long to run").with_help("give --until 10")
    })?;
    let seen = recorded(description);
    let names: Vec<String> = seen.iter().map(|v| v.name.clone()).collect();
    let wiring = Wiring {
        name: description.name.clone(),
        parameters: options.parameters.clone(),
        ports: Vec::new(),
        signals: options.inputs.clone(),
        outputs: names,
        until: Some(until),
        step,
    };
    if seen.is_empty() {
        refuse_arrays(description)?;
    }
    let (component, trouble) = fmu.component(&wiring)?;
    let graph = graph(description, &seen)?;
    let options = TickOptions {
        until: Some(until),
        parameters: Vec::new(),
        inputs: Vec::new(),
        watch: Some(trouble.watched(&description.name, options.watch.clone())),
        ..options.clone()
    };
    let trace = simulate_with_progress(&graph, &mut [component], &options, progress);
    let failed = trouble.get();
    if let (Some(text), false) = (&failed, options.keep_refused && trace.is_ok()) {
        return Err(ImportError::new(text.clone()));
    }
    let mut trace = trace.map_err(|error| match error {
        TickError::BadHorizon(t) => ImportError::new(format!("the end must be a number above 0, not {t}")),
        other => ImportError::new(other.to_string()),
    })?;
    trace.parameters.clone_from(&wiring.parameters);
    if let Some(detail) = failed {
        trace.stop.reason = StopReason::ModelError { detail };
    }
    Ok(trace)
}

/// Where all that could be recorded are arrays a run would show nothing.
fn refuse_arrays(description: &Description) -> Result<(), ImportError> {
    let is_seen = |v: &&Variable| matches!(v.causality, Causality::Output | Causality::Local) && v.is_array;
    let arrays: Vec<&str> = description
        .variables
        .iter()
        .filter(is_seen)
        .map(|v| v.name.as_str())
        .collect();
    let Some(first) = arrays.first() else {
        return Ok(());
    };
    let more = match arrays.len() - 1 {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Err(
        refused!("all that it shows are arrays (`{first}`{more}), which are not read";
        help "export it with an output that is a single number"),
    )
}

fn graph(description: &Description, seen: &[&Variable]) -> Result<Graph, ImportError> {
    let mut builder = GraphBuilder::new(description.name.clone());
    let component = builder.component(ComponentUse {
        name: description.name.clone(),
        handle: 0,
        region: RegionId::ROOT,
        inputs: Vec::new(),
        outputs: seen.iter().map(|v| v.name.clone()).collect(),
        events: Vec::new(),
        origin: None,
    });
    for (place, variable) in seen.iter().enumerate() {
        let output = place as u32;
        let signal = builder.add(&variable.name, Definition::Output { component, output });
        builder.set_unit(signal, &variable.unit);
        builder.record(signal);
    }
    builder.finish().map_err(|errors| {
        let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
        ImportError::new(texts.join("; "))
    })
}

impl Fmu {
    /// The FMU as a component of an actor model; what it cannot say there is in the trouble.
    ///
    /// # Errors
    /// Names that it does not have, values that do not fit, an instance that it refuses.
    pub fn component(
        self: &Rc<Self>,
        wiring: &Wiring,
    ) -> Result<(Box<dyn dyverse_component::Component>, Trouble), ImportError> {
        let trouble = Trouble::default();
        let made: Box<dyn dyverse_component::Component> = match self.interface() {
            crate::Interface::ModelExchange => {
                Box::new(crate::exchange::Exchange::new(self, wiring, &trouble)?)
            }
            crate::Interface::CoSimulation => Box::new(crate::steps::Steps::new(self, wiring, &trouble)?),
        };
        Ok((made, trouble))
    }
}
