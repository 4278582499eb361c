//! FMUs inside actor models: what the language asks about them, and the components that they are.

use dyverse_component::Component;
use dyverse_fmu_import::{Causality, Fmu, ImportError, Trouble, Wiring, describe};
use dyverse_lang::{ActorModel, FmuInterface};
use dyverse_tick::{TickError, TickOptions, TickWatch, parameter_values};
use dyverse_trace::Trace;
use std::path::Path;
use std::rc::Rc;

/// What an FMU shows to an actor model: nothing of it is run. `key` is how the file is found again when the model runs.
///
/// # Errors
/// Why it cannot be used.
pub fn fmu_interface(path: &Path, key: String) -> Result<FmuInterface, ImportError> {
    let description = describe(path)?;
    let read = [
        Causality::Output,
        Causality::Local,
        Causality::CalculatedParameter,
        Causality::Parameter,
    ];
    let outputs = read.iter().flat_map(|causality| description.numbers(*causality));
    Ok(FmuInterface {
        key,
        name: description.name.clone(),
        parameters: description.settable().map(|v| v.name.clone()).collect(),
        inputs: description.inputs().map(|v| v.name.clone()).collect(),
        outputs: outputs.map(|v| v.name.clone()).collect(),
    })
}

/// Adds the FMUs of a model to its components, in the order of their handles.
pub(crate) fn add_components(
    model: &ActorModel,
    options: &TickOptions,
    parts: &mut Vec<Box<dyn Component + '_>>,
) -> Result<Vec<Trouble>, TickError> {
    if model.fmus.is_empty() {
        return Ok(Vec::new());
    }
    let values = parameter_values(&model.graph, &options.parameters)?;
    let mut troubles = Vec::new();
    for fmu in &model.fmus {
        let bad = |error: ImportError| TickError::BadComponent {
            component: fmu.name.clone(),
            detail: match error.help {
                Some(help) => format!("{}; {help}", error.message),
                None => error.message,
            },
        };
        let handle = parts.len() as u32;
        let used = model.graph.components().iter().find(|c| c.handle == handle);
        let used = used.ok_or_else(|| bad(ImportError::new("nothing uses it")))?;
        let parameters = fmu.parameters.iter();
        let wiring = Wiring {
            name: fmu.name.clone(),
            parameters: parameters
                .map(|(name, node)| (name.clone(), model.graph.constant(*node, &values)))
                .collect(),
            ports: used.inputs.iter().map(|(name, _)| name.clone()).collect(),
            signals: Vec::new(),
            outputs: used.outputs.clone(),
            until: options.until.or(model.graph.horizon()),
            step: None,
        };
        let opened = Fmu::open(Path::new(&fmu.key), None).map_err(bad)?;
        let (component, trouble) = Rc::new(opened).component(&wiring).map_err(bad)?;
        parts.push(component);
        troubles.push(trouble);
    }
    Ok(troubles)
}

/// The watch of a run that ends where an FMU wants it to.
pub(crate) fn watched(
    model: &ActorModel,
    troubles: &[Trouble],
    watch: Option<TickWatch>,
) -> Option<TickWatch> {
    let each = model.fmus.iter().zip(troubles);
    each.fold(watch, |watch, (fmu, trouble)| {
        Some(trouble.watched(&fmu.name, watch))
    })
}

/// Refuses a run in which an FMU failed where it could not say so.
pub(crate) fn check(model: &ActorModel, trace: &Trace, troubles: &[Trouble]) -> Result<(), TickError> {
    for (fmu, trouble) in model.fmus.iter().zip(troubles) {
        if let Some(detail) = trouble.get() {
            return Err(TickError::Component {
                time: trace.stop.time,
                component: fmu.name.clone(),
                detail,
            });
        }
    }
    Ok(())
}
