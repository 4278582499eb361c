//! `modelDescription.xml` of FMI 3.0.

use crate::units;
use crate::xml::{Attributes, Xml, some};
use dyverse_block::{Causality, Description, Enumeration, Kind, Value, Variability, Variable};

/// The model description of a block with this token; `identifier` names its library.
pub fn describe(description: &Description, token: &str, identifier: &str) -> String {
    let mut xml = Xml::new();
    let head = [
        ("fmiVersion", some("3.0")),
        ("modelName", some(&description.name)),
        ("instantiationToken", some(token)),
        (
            "generationTool",
            some(concat!("dyverse ", env!("CARGO_PKG_VERSION"))),
        ),
        ("variableNamingConvention", some("flat")),
    ];
    xml.element("fmiModelDescription", &head, |xml| {
        let mut offered = vec![
            ("modelIdentifier", some(identifier)),
            ("canGetAndSetFMUState", some(true)),
            ("canSerializeFMUState", some(true)),
            ("providesDirectionalDerivatives", some(true)),
            ("providesAdjointDerivatives", some(true)),
        ];
        xml.leaf("ModelExchange", &offered);
        offered.extend([
            ("canHandleVariableCommunicationStepSize", some(true)),
            ("mightReturnEarlyFromDoStep", some(true)),
            ("hasEventMode", some(true)),
        ]);
        xml.leaf("CoSimulation", &offered);
        body(
            xml,
            description,
            &|xml, enumeration| {
                let name = [("name", some(&enumeration.name))];
                xml.element("EnumerationType", &name, |xml| items(xml, &enumeration.items));
            },
            &|xml, reference, variable| write_variable(xml, description, reference, variable),
            &|xml| structure(xml, description),
        );
    });
    xml.finish()
}

/// What both versions have, in this order; they differ in how they write a type, a variable and the structure.
pub(crate) fn body(
    xml: &mut Xml,
    description: &Description,
    write_type: &dyn Fn(&mut Xml, &Enumeration),
    write_variable: &dyn Fn(&mut Xml, usize, &Variable),
    write_structure: &dyn Fn(&mut Xml),
) {
    units::write(xml, description);
    if !description.enumerations.is_empty() {
        xml.element("TypeDefinitions", &[], |xml| {
            description.enumerations.iter().for_each(|of| write_type(xml, of));
        });
    }
    xml.element("LogCategories", &[], log_categories);
    default_experiment(xml, description);
    xml.element("ModelVariables", &[], |xml| {
        let all = description.variables.iter().enumerate();
        all.for_each(|(reference, variable)| write_variable(xml, reference, variable));
    });
    xml.element("ModelStructure", &[], |xml| write_structure(xml));
}

/// The items of an enumeration.
pub(crate) fn items(xml: &mut Xml, items: &[String]) {
    for (place, item) in items.iter().enumerate() {
        xml.leaf("Item", &[("name", some(item)), ("value", some(place + 1))]);
    }
}

/// What messages are about.
fn log_categories(xml: &mut Xml) {
    for (name, what) in [
        ("logStatusError", "Calls that did not do what was asked, and why"),
        ("logEvents", "Events"),
    ] {
        xml.leaf("Category", &[("name", some(name)), ("description", some(what))]);
    }
}

/// The model's own horizon.
fn default_experiment(xml: &mut Xml, description: &Description) {
    let stop = description.horizon.map(number);
    xml.leaf("DefaultExperiment", &[("startTime", some(0)), ("stopTime", stop)]);
}

/// A number as XML has it: reads back to the same bits.
pub(crate) fn number(value: f64) -> String {
    format!("{value:?}")
}

/// The words of causality, variability and initial.
pub(crate) fn words(variable: &Variable) -> (&'static str, &'static str, Option<&'static str>) {
    let causality = match variable.causality {
        Causality::Independent => "independent",
        Causality::Parameter => "parameter",
        Causality::CalculatedParameter => "calculatedParameter",
        Causality::Input => "input",
        Causality::Output => "output",
        Causality::Local => "local",
    };
    let variability = match variable.variability {
        Variability::Fixed => "fixed",
        Variability::Discrete => "discrete",
        Variability::Continuous => "continuous",
    };
    let initial = match variable.causality {
        Causality::Independent | Causality::Input => None,
        _ if variable.start.is_some() => Some("exact"),
        _ => Some("calculated"),
    };
    (causality, variability, initial)
}

/// A start value as XML has it.
pub(crate) fn start(variable: &Variable) -> Option<String> {
    variable.start.as_ref().map(|value| match value {
        Value::Real(x) => number(*x),
        Value::Integer(i) => i.to_string(),
        Value::Boolean(b) => b.to_string(),
        Value::Text(text) => text.clone(),
    })
}

fn write_variable(xml: &mut Xml, description: &Description, reference: usize, variable: &Variable) {
    let (causality, variability, initial) = words(variable);
    let declared = match variable.kind {
        Kind::Enumeration(place) => description.enumerations.get(place).map(|e| e.name.clone()),
        _ => None,
    };
    let attributes: Attributes<'_> = &[
        ("name", some(&variable.name)),
        ("valueReference", some(reference)),
        ("description", some(&variable.description)),
        ("causality", some(causality)),
        ("variability", some(variability)),
        ("initial", initial.map(str::to_owned)),
        ("declaredType", declared),
        ("unit", variable.unit.clone()),
        ("min", variable.range.map(|(low, _)| number(low))),
        ("max", variable.range.map(|(_, high)| number(high))),
        (
            "derivative",
            variable.derivative_of.map(|state| state.to_string()),
        ),
        ("start", start(variable)),
    ];
    let element = match variable.kind {
        Kind::Real => "Float64",
        Kind::Integer => "Int32",
        Kind::Boolean => "Boolean",
        Kind::Text => "String",
        Kind::Enumeration(_) => "Enumeration",
    };
    xml.leaf(element, attributes);
}

/// The unknowns of the initialisation: outputs, calculated parameters, and states and derivatives that are not chosen.
pub(crate) fn initial_unknowns(description: &Description) -> Vec<usize> {
    let all = description.variables.iter().enumerate();
    let is_unknown = |(reference, variable): &(usize, &Variable)| {
        let is_state = description.states.contains(reference) || description.derivatives.contains(reference);
        let is_seen = matches!(
            variable.causality,
            Causality::Output | Causality::CalculatedParameter
        );
        variable.is_calculated() && (is_seen || is_state)
    };
    all.filter(is_unknown).map(|(reference, _)| reference).collect()
}

fn structure(xml: &mut Xml, description: &Description) {
    let reference = |xml: &mut Xml, element: &str, variable: usize| {
        xml.leaf(element, &[("valueReference", some(variable))]);
    };
    for variable in description.with(Causality::Output) {
        reference(xml, "Output", variable);
    }
    for variable in &description.derivatives {
        reference(xml, "ContinuousStateDerivative", *variable);
    }
    for variable in initial_unknowns(description) {
        reference(xml, "InitialUnknown", variable);
    }
    for variable in &description.indicators {
        reference(xml, "EventIndicator", *variable);
    }
}
